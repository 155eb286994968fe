//! Footnote signs and the notes they point to: `80*` and `* Lower in winter.`, 註1 and 註1：….
//!
//! A sign says that more is said elsewhere; this file finds where. What a note changes is for the
//! gate to ask.

use crate::text::blocks::outline::{BlockKind, Outline};
use crate::text::glyphs::letter::is_han;
use crate::text::numbers::ordinal::{han_or_decimal, is_numeral};
use crate::text::span::Span;

/// A note at the foot of a table, section or page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// `*`, `†`, or the number in ASCII digits; empty for a bare 註 or "Note".
    pub label: String,
    /// Index of its block.
    pub block: usize,
    /// Its words, without the sign.
    pub content: Span,
}

/// The blocks of a text that are notes: they begin with a sign, or with "Note 2:", 註1：.
pub fn read_notes(text: &str, outline: &Outline) -> Vec<Note> {
    let is_text =
        |kind| matches!(kind, BlockKind::Paragraph | BlockKind::ListItem | BlockKind::TableRow);
    let blocks = outline.blocks.iter().enumerate().filter(|(_, it)| is_text(it.kind));
    let mut notes = Vec::new();
    for (block, it) in blocks {
        let Some(whole) = it.span.slice(text) else { continue };
        let Some((label, len)) = note_head(whole) else { continue };
        if label == "*" && is_one_of_several(outline, block) {
            continue;
        }
        // Notes may stand line under line in one paragraph.
        let mut from = it.span.start + len;
        let mut label = label;
        for (at, _) in whole.match_indices('\n') {
            let line = &whole[at + 1..];
            let Some((next, head)) = note_head(line).filter(|it| !it.0.is_empty()) else {
                continue;
            };
            let end = it.span.start + at;
            if end < from {
                continue;
            }
            notes.push(Note { label, block, content: Span::new(from, end) });
            (label, from) = (next, end + 1 + head);
        }
        notes.push(Note { label, block, content: Span::new(from, it.span.end) });
    }
    notes
}

/// True for an item of a list that has others.
fn is_one_of_several(outline: &Outline, block: usize) -> bool {
    let is_item =
        |at: usize| outline.blocks.get(at).is_some_and(|it| it.kind == BlockKind::ListItem);
    match outline.lead_in(block) {
        Some(lead) => outline.members(lead).nth(1).is_some(),
        None => is_item(block) && (is_item(block + 1) || block.checked_sub(1).is_some_and(is_item)),
    }
}

/// The note that a sign of [`footnotes_in`] points to: the next one with its label behind the sign,
/// else the last one before it.
pub fn note_for<'a>(text: &str, notes: &'a [Note], sign: Span) -> Option<&'a Note> {
    let label = label_of(sign.slice(text)?);
    let mut same = notes.iter().filter(|it| it.label == label);
    let behind = same.clone().find(|it| it.content.start > sign.end);
    behind.or_else(|| same.rfind(|it| it.content.end <= sign.start))
}

/// `[see Note 2]`, `¹` and 註一 bear the labels 2, 1 and 1.
fn label_of(sign: &str) -> String {
    let words = sign.trim_matches(['[', ']', '(', ')', '（', '）']).trim();
    let tail = words
        .rsplit(|it: char| it.is_whitespace() || "註注備备".contains(it))
        .next()
        .unwrap_or(words);
    match tail.chars().next() {
        Some(it) if superscript(it).is_some() => tail.chars().filter_map(superscript).collect(),
        Some(it) if is_numeral(it) => {
            han_or_decimal(tail).map_or_else(String::new, |it| it.to_string())
        }
        _ => tail.to_ascii_lowercase(),
    }
}

fn superscript(it: char) -> Option<char> {
    let at = "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|other| other == it)?;
    char::from_digit(u32::try_from(at).ok()?, 10)
}

/// The label and the length of the sign that a note begins with.
fn note_head(block: &str) -> Option<(String, usize)> {
    let first = block.chars().next()?;
    let after = |len: usize| {
        let rest = block[len..].trim_start_matches([':', '：', '.', '、', ' ', '\u{3000}', '\t']);
        (!rest.is_empty()).then(|| block.len() - rest.len())
    };
    if matches!(first, '*' | '†' | '‡' | '※') {
        let run: usize = block.chars().take_while(|it| *it == first).map(char::len_utf8).sum();
        let bold = first == '*' && run == 2 && block.ends_with("**");
        return if bold { None } else { Some((block[..run].to_owned(), after(run)?)) };
    }
    if superscript(first).is_some() {
        let run: usize =
            block.chars().take_while(|it| superscript(*it).is_some()).map(char::len_utf8).sum();
        return Some((label_of(&block[..run]), after(run)?));
    }
    if first == '[' {
        let end = bracketed_note(block, 0)?.end;
        return Some((label_of(&block[..end]), after(end)?));
    }
    let head = block.get(..4).filter(|it| it.eq_ignore_ascii_case("note"));
    if head.is_some() {
        let rest = block[4..].trim_start_matches(['s', ' ']);
        let digits = rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len());
        let stop = rest[digits..].starts_with([':', '.', '：', ' ']);
        let len = block.len() - rest.len() + digits;
        return if stop && (digits > 0 || rest.starts_with([':', '：'])) {
            Some((rest[..digits].to_owned(), after(len)?))
        } else {
            None
        };
    }
    let rest = block.strip_prefix('附').or(block.strip_prefix('備')).unwrap_or(block);
    let rest = rest.strip_prefix(['註', '注'])?;
    let digits = rest.find(|it: char| !is_numeral(it)).unwrap_or(rest.len());
    let stop = rest[digits..].starts_with(['：', ':', '、', '.', ' ', '\u{3000}']);
    let label = han_or_decimal(&rest[..digits]).map_or_else(String::new, |it| it.to_string());
    if stop { Some((label, after(block.len() - rest.len() + digits)?)) } else { None }
}

/// The footnote signs of a sentence: `80*`, `fee†`, `years.[1]`, `rate¹`, 註1, `[see Note 2]`.
pub fn footnotes_in(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut open_star = false;
    let mut before = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, it)) = chars.next() {
        let next = chars.peek().map(|it| it.1);
        let end = at + it.len_utf8();
        let after_word =
            before.is_some_and(|it: char| it.is_alphanumeric() || "%).]）」”’。．".contains(it));
        let ends_word = next.is_none_or(|it| !it.is_alphanumeric() || is_han(it));
        match it {
            '*' if before == Some('*') || next == Some('*') => open_star = false,
            '*' if after_word && ends_word && !open_star => found.push(Span::new(at, end)),
            '*' => open_star = !open_star && next.is_some_and(|it| !it.is_whitespace()),
            '†' | '‡' | '※' if after_word => found.push(Span::new(at, end)),
            '¹' | '²' | '³' | '⁴'..='⁹' if after_word && !is_area(&text[..at], it) => {
                found.push(Span::new(at, end));
            }
            '[' | '(' | '（' => found.extend(bracketed_note(text, at)),
            '註' | '注' | '备' | '備' => found.extend(han_note(text, at)),
            _ => {}
        }
        before = Some(it);
    }
    found
}

/// m², km², ft³: a unit.
fn is_area(before: &str, power: char) -> bool {
    let unit: String = before.chars().rev().take_while(char::is_ascii_alphabetic).take(4).collect();
    matches!(power, '²' | '³') && ["m", "mk", "mc", "mm", "tf", "ni"].contains(&unit.as_str())
}

/// `[1]`, `[note 2]`, `(see Note 2)`.
fn bracketed_note(text: &str, at: usize) -> Option<Span> {
    let open = text[at..].chars().next()?;
    let start = at + open.len_utf8();
    let (close, closing) =
        text[start..].char_indices().take(24).find(|(_, it)| matches!(it, ']' | ')' | '）'))?;
    let inner = text[start..start + close].trim().to_ascii_lowercase();
    let is_number =
        |it: &str| !it.is_empty() && it.len() <= 3 && it.bytes().all(|it| it.is_ascii_digit());
    let noted = ["note ", "see note ", "footnote ", "see footnote ", "notes "]
        .iter()
        .any(|it| inner.strip_prefix(it).is_some_and(|tail| is_number(tail) || tail.len() == 1));
    let square = open == '[' && (is_number(&inner) || inner.starts_with(['註', '注', '備', '备']));
    (noted || square).then(|| Span::new(at, start + close + closing.len_utf8()))
}

/// 註1, （註一）, 附註2, （註）: a sign that points elsewhere, not a sentence that begins with 註：.
fn han_note(text: &str, at: usize) -> Option<Span> {
    let sign = text[at..].chars().next()?;
    let from = at + sign.len_utf8();
    let number: usize =
        text[from..].chars().take(3).take_while(|it| is_numeral(*it)).map(char::len_utf8).sum();
    let end = from + number;
    let (before, after) = (&text[..at], &text[end..]);
    let bracketed =
        before.ends_with(['(', '（', '[', '【']) && after.starts_with([')', '）', ']', '】']);
    let in_word = before.ends_with(|it: char| is_han(it) && !matches!(it, '附' | '見' | '见'));
    let points =
        bracketed || number > 0 && !in_word && !after.starts_with(['冊', '册', '天', '日']);
    points.then(|| Span::new(at, end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::blocks::outline::read_outline;

    #[test]
    fn a_sign_leads_to_its_note() {
        for (text, sign, words) in [
            (
                "The grant is £80* a week.\n\nIt ends in May.\n\n* Lower in winter.\n",
                "*",
                "Lower in winter.",
            ),
            ("Paid for 5 years.[2] It ends.\n\n[1] No.\n\n[2] Not in May.\n", "[2]", "Not in May."),
            ("The rate¹ is 5%.\n\n¹ From May.\n", "¹", "From May."),
            (
                "Income [see Note 2] counts.\n\nNote 1: a\n\nNote 2: Not all of it.\n",
                "[see Note 2]",
                "Not all of it.",
            ),
            ("Rent is capped (note 3).\n\nNote 3. Until June.\n", "(note 3)", "Until June."),
            ("每月一千元（註1）。\n\n註1：冬季減半。\n", "註1", "冬季減半。"),
            ("每月一千元（註一）。\n\n註一、冬季減半。\n", "註一", "冬季減半。"),
        ] {
            let outline = read_outline(text);
            let signs = footnotes_in(text).into_iter().filter(|it| it.slice(text) == Some(sign));
            let sign = signs.min_by_key(|it| it.start).unwrap();
            let notes = read_notes(text, &outline);
            let note = note_for(text, &notes, sign).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(note.content.slice(text), Some(words), "{text}");
        }
    }

    #[test]
    fn lists_and_sentences_are_no_notes() {
        for text in
            ["* a\n* b\n", "Noted on 5 May: paid.\n", "註冊費為十元。\n", "**Bold**\n", "1. One.\n"]
        {
            assert!(read_notes(text, &read_outline(text)).is_empty(), "{text}");
        }
    }
}
