//! Notes that have no sign but their number, and the raised numbers that point to them: a page's small ¹
//! is a plain 1 in its text, `The fee is $20 1 a year`, and its note `1 Only for residents`.
//!
//! It takes a number for a sign only where a note of that number stands on the page. Whether it is one, and
//! what it changes, is not said here.

use std::collections::BTreeMap;

use crate::text::blocks::enumerator::read_enumerator;
use crate::text::blocks::outline::{Block, BlockKind, Outline};
use crate::text::glyphs::letter::is_han;
use crate::text::span::Span;

/// Headings above lists of notes.
const HEADINGS: [&str; 14] = [
    "endnotes",
    "footnote",
    "footnotes",
    "note",
    "notes",
    "備註",
    "备注",
    "註",
    "註解",
    "註釋",
    "注",
    "注解",
    "附註",
    "附注",
];
/// Letters that a word has before a raised number is glued to it: B1 and A4 are names.
const LETTERS: usize = 3;

/// Notes by their number, the first of each: numbered items and paragraphs under a heading of notes,
/// items that lead back to their place, and paragraphs below a table that begin with a bare number.
pub fn read_numbered_notes(text: &str, outline: &Outline) -> BTreeMap<u32, Span> {
    let mut found = BTreeMap::new();
    let is_of_notes: Vec<bool> = outline.blocks.iter().map(|it| heads_notes(text, it)).collect();
    let mut is_below_table = false;
    for block in &outline.blocks {
        let Some(whole) = block.span.slice(text) else { continue };
        let is_under_notes = block.heading.is_some_and(|it| is_of_notes[it]);
        let number = match block.kind {
            BlockKind::ListItem if is_under_notes || whole.contains('↩') => {
                read_enumerator(whole).and_then(|it| Some((it.ordinal?, it.len)))
            }
            BlockKind::Paragraph if is_under_notes || is_below_table => {
                bare_number(whole, is_under_notes)
            }
            _ => None,
        };
        let is_note = block.kind == BlockKind::Paragraph && number.is_some();
        is_below_table = block.kind == BlockKind::TableRow || is_below_table && is_note;
        if let Some((number, len)) = number {
            let content = Span::new(block.span.start + len, block.span.end);
            found.entry(number).or_insert(content);
        }
    }
    found
}

fn heads_notes(text: &str, block: &Block) -> bool {
    let words = || {
        let words = block.content.slice(text).unwrap_or_default();
        words.trim_matches(|it: char| !it.is_alphanumeric()).to_lowercase()
    };
    block.kind == BlockKind::Heading && HEADINGS.contains(&words().as_str())
}

/// The number of `1 Only for residents`, with the length before its words; of `1 May` none.
fn bare_number(words: &str, is_under_notes: bool) -> Option<(u32, usize)> {
    let digits = words.bytes().take_while(u8::is_ascii_digit).count();
    let number = words.get(..digits).filter(|it| (1..=2).contains(&it.len()))?.parse().ok()?;
    let rest = &words[digits..];
    let note = rest.trim_start_matches(['.', ' ', '\u{3000}']);
    let first = note.chars().next()?;
    let is_apart = note.len() < rest.len() || is_han(first) && is_under_notes;
    let begins = first.is_uppercase() || is_han(first) && rest.starts_with([' ', '\u{3000}']);
    (is_apart && (is_under_notes || begins && !rest.starts_with('.')))
        .then(|| (number, words.len() - note.len()))
}

/// The numbers of a passage that may be raised: glued to a word or a mark behind one, or apart behind
/// another number.
pub fn raised_numbers(text: &str) -> Vec<u32> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let len = bytes[at..].iter().take_while(|it| it.is_ascii_digit()).count();
        let (before, after) = (&text[..at], &text[at + len..]);
        if len <= 2 && ends_there(after) && may_be_raised(before) {
            found.extend(text[at..at + len].parse::<u32>().ok());
        }
        at += len;
    }
    found
}

fn ends_there(after: &str) -> bool {
    let mut next = after.chars();
    let first = next.next();
    let goes_on = first.is_some_and(|it| it.is_alphanumeric() || "%/-–:".contains(it));
    let is_decimal = first.is_some_and(|it| matches!(it, '.' | ','))
        && next.next().is_some_and(|it| it.is_ascii_digit());
    !goes_on && !is_decimal
}

fn may_be_raised(before: &str) -> bool {
    let mut letters = before.chars().rev();
    let Some(last) = letters.next() else { return false };
    if last == ' ' {
        return letters.next().is_some_and(|it| it.is_ascii_digit() || is_han(it) && it != '第');
    }
    let is_mark = |it: char| matches!(it, '.' | ',' | ')' | '。' | '，' | '）' | '”' | '」');
    let behind_mark = is_mark(last) && letters.next().is_some_and(char::is_alphabetic);
    let word = before.chars().rev().take_while(char::is_ascii_alphabetic).take(LETTERS).count();
    behind_mark || is_han(last) || word == LETTERS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::blocks::outline::read_outline;

    #[test]
    fn notes_without_a_sign_are_read_by_their_number_in_both_languages() {
        for (text, notes) in [
            (
                "| Card | $20 1 |\n| Pass | $30 2 |\n\n1 Only for residents.\n\n2 Before tax.\n\n3 apples\n",
                vec![(1, "Only for residents."), (2, "Before tax.")],
            ),
            (
                "## Notes\n\n1. Only for residents.\n2. Before tax.\n",
                vec![(1, "Only for residents."), (2, "Before tax.")],
            ),
            (
                "1. Only for residents. ↩\n2. Before tax. ↩\n",
                vec![(1, "Only for residents. ↩"), (2, "Before tax. ↩")],
            ),
            ("## 附註\n\n1. 限本區居民。\n", vec![(1, "限本區居民。")]),
            (
                "| 渡輪卡 | 200 元1 |\n| 季票 | 500 元 |\n\n1 限本區居民。\n",
                vec![(1, "限本區居民。")],
            ),
            ("第 5 條\n\n1 本卡每年收費。\n\n2 補發亦同。\n", vec![]),
            ("1. Apply.\n2. Pay.\n", vec![]),
            ("65 or over\n", vec![]),
            ("1.5 million\n", vec![]),
        ] {
            let found = read_numbered_notes(text, &read_outline(text));
            let found: Vec<_> = found.iter().map(|(n, it)| (*n, it.slice(text).unwrap())).collect();
            assert_eq!(found, notes, "{text}");
        }
    }

    #[test]
    fn numbers_that_may_be_raised_are_told_from_amounts() {
        for (text, numbers) in [
            ("The fee is $20 1 a year.", vec![1]),
            ("It is for residents2 only.", vec![2]),
            ("It is for residents.3", vec![3]),
            ("每年收費二百元1。", vec![1]),
            ("每年收費200 1 元", vec![1]),
            ("The fee is $20.", vec![]),
            ("aged 65 or over", vec![]),
            ("補助3次", vec![]),
            ("依第 5 條", vec![]),
            ("1 1/2 years, 5 %, A4, B1", vec![]),
            ("65-74", vec![]),
        ] {
            assert_eq!(raised_numbers(text), numbers, "{text}");
        }
    }
}
