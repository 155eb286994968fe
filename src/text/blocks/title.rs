//! Headings of plain text: underlined, bold, bracketed, in capitals, or short lines over a sentence.
//!
//! For texts that nobody marked up. A line that may state a condition (a number, a rule word) is
//! never taken for a heading, and a text with headings of its own gets no others.

use crate::text::blocks::line::{Line, LineKind, ends_sentence, leads_in};
use crate::text::glyphs::letter::is_han;
use crate::text::span::Span;

/// Turns plain lines that are headings into [`LineKind::Title`].
pub fn mark_titles(text: &str, lines: &mut [Line]) {
    let is_marked = |it: &Line| matches!(it.kind, LineKind::Hash(..) | LineKind::Label(_));
    let has_headings = lines.iter().any(is_marked);
    let titles: Vec<(usize, LineKind)> = (0..lines.len())
        .filter(|&at| lines[at].kind == LineKind::Plain)
        .filter_map(|at| Some((at, title_of(text, lines, at, has_headings)?)))
        .collect();
    for (at, kind) in titles {
        lines[at].kind = kind;
    }
}

/// The longest line that may be a heading, in bytes.
const LONGEST: usize = 160;

fn title_of(text: &str, lines: &[Line], at: usize, has_headings: bool) -> Option<LineKind> {
    let span = lines[at].span;
    let line = span.slice(text).filter(|it| it.len() <= LONGEST)?;
    let whole = Span::new(0, line.len());
    if let Some(level) = underlined(text, lines, at, line) {
        return Some(LineKind::Title(level, whole));
    }
    if let Some(title) = wrapped_in(line, "**", "**").or_else(|| wrapped_in(line, "【", "】")) {
        return Some(LineKind::Title(if has_headings { 6 } else { 2 }, title));
    }
    if has_headings || !is_title_like(line) || !starts_a_block(text, lines, at) {
        return None;
    }
    if is_over_a_sentence(text, lines, at) {
        return Some(LineKind::Title(2, whole));
    }
    // The title of a page over the title of its first section.
    let below = (at + 1..lines.len()).take(3).find(|it| lines[*it].kind != LineKind::Blank)?;
    let next = lines[below].span.slice(text).filter(|it| it.len() <= LONGEST)?;
    let is_outer = at < 3 && lines[below].kind == LineKind::Plain && is_title_like(next);
    (is_outer && is_over_a_sentence(text, lines, below)).then_some(LineKind::Title(1, whole))
}

fn is_title_like(line: &str) -> bool {
    is_short_title(line) || is_short_han_title(line)
}

/// A line of `=` or `-` directly below.
fn underlined(text: &str, lines: &[Line], at: usize, line: &str) -> Option<usize> {
    let below = lines.get(at + 1).filter(|it| it.kind == LineKind::Rule)?;
    let above_is_text = at > 0 && lines[at - 1].kind == LineKind::Plain;
    if above_is_text || ends_sentence(line) {
        return None;
    }
    match below.span.slice(text)?.chars().next()? {
        '=' => Some(1),
        '-' => Some(2),
        _ => None,
    }
}

/// `**Title**`, 【標題】: the marks around the whole line and nowhere inside.
fn wrapped_in(line: &str, open: &str, close: &str) -> Option<Span> {
    let inner = line.strip_prefix(open)?.strip_suffix(close)?;
    let clean = !inner.is_empty() && !inner.contains(close) && !inner.contains(open);
    let is_title = clean && !leads_in(inner) && !inner.ends_with(['.', '。', ';', '；']);
    is_title.then(|| Span::new(open.len(), open.len() + inner.len()))
}

/// The line above is blank, ended, or of another kind.
fn starts_a_block(text: &str, lines: &[Line], at: usize) -> bool {
    let Some(above) = at.checked_sub(1).map(|it| &lines[it]) else { return true };
    match above.kind {
        LineKind::Plain => {
            above.span.slice(text).is_some_and(|it| ends_sentence(it) && !leads_in(it))
        }
        _ => true,
    }
}

/// The next line of text is a whole sentence, or a table.
fn is_over_a_sentence(text: &str, lines: &[Line], at: usize) -> bool {
    let below = lines[at + 1..].iter().take(3).find(|it| it.kind != LineKind::Blank);
    let Some(below) = below else { return false };
    let line = below.span.slice(text).unwrap_or("");
    match below.kind {
        LineKind::Plain => {
            let long = line.split_whitespace().count() >= 5
                || line.chars().filter(|it| is_han(*it)).count() >= 8;
            long && (ends_sentence(line) || leads_in(line))
        }
        LineKind::Row(_) => true,
        _ => false,
    }
}

/// Words that may state a condition: no heading without doubt.
const RULE_WORDS: &[&str] = &[
    "must", "shall", "may", "should", "cannot", "not", "no", "only", "except", "unless", "per",
    "least", "over", "under", "above", "below", "up", "within", "free", "is", "are", "and/or",
    "required", "allowed", "included",
];

fn is_short_title(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let starts = line.starts_with(|it: char| it.is_uppercase());
    let plain = line.chars().all(|it| {
        it.is_alphabetic() || matches!(it, ' ' | '\'' | '’' | '-' | '&' | '/' | '(' | ')')
    }) || line.ends_with('?') && !line.contains(|it: char| it.is_numeric());
    let asks = line.ends_with('?');
    let states = words.iter().any(|it| RULE_WORDS.contains(&it.to_ascii_lowercase().as_str()));
    starts && plain && (1..=9).contains(&words.len()) && (asks || !states) && !line.contains(is_han)
}

fn is_short_han_title(line: &str) -> bool {
    const RULE_CHARS: &str = "須应應得不未可限元歲岁年月日無无只僅仅免每至滿满";
    let count = line.chars().count();
    (2..=14).contains(&count)
        && line
            .chars()
            .all(|it| is_han(it) && !RULE_CHARS.contains(it) || matches!(it, '（' | '）'))
        && !line.contains("以上")
        && !line.contains("以下")
}
