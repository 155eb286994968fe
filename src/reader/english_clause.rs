//! Cuts an English sentence into its condition, its main clause, its and-ed parts and the clause around a
//! quantity.
//!
//! Only finds places; what the pieces say is for `english`.

use crate::reader::clause::{closes, trim};
use crate::reader::english_cue::starts_verb;
use crate::reader::furniture::is_invitation;
use crate::text::span::Span;

/// The "if" part of a sentence, and the rest.
pub fn split_condition(text: &str, quote: Span) -> (Option<Span>, Span) {
    let words = quote.slice(text).unwrap_or_default();
    let low = words.to_ascii_lowercase();
    // "Note: If …", "Please note that if …": what is noted.
    if let Some(at) = noted_at(&low) {
        let inner = Span::new(quote.start + at, quote.end);
        let (condition, main) = split_condition(text, inner);
        return (condition, if main == inner { quote } else { main });
    }
    let is_conceded = low.starts_with("even if ") || low.starts_with("whether or not ");
    let leads = ["if ", "when ", "once ", "for "].iter().any(|it| low.starts_with(it));
    if (leads || is_conceded) && !low.starts_with("for example") && !low.starts_with("for more") {
        for (at, _) in low.match_indices([',', '—', ':']) {
            let behind = low[at..].trim_start_matches([',', '—', ':', ' ']);
            let start = low.len() - behind.len();
            if starts_main(&plain(behind)) {
                let condition = trim(text, Span::new(quote.start, quote.start + at), closes);
                let main = Span::new(quote.start + start, quote.end);
                return (Some(condition).filter(|_| !is_conceded), main);
            }
        }
        return (None, quote);
    }
    // What follows "even if" is no condition: the rest holds with it and without it.
    for mark in [" even if ", " whether or not "] {
        if let Some(at) = low.find(mark) {
            return (None, trim(text, Span::new(quote.start, quote.start + at), closes));
        }
    }
    for mark in [" only if ", " if ", " as long as ", " provided that "] {
        if let Some(at) = low.find(mark).filter(|at| !asks_whether(&low[..*at])) {
            let condition = trim(text, Span::new(quote.start + at, quote.end), closes);
            let main = trim(text, Span::new(quote.start, quote.start + at), closes);
            return (Some(condition), main);
        }
    }
    (None, quote)
}

/// Where what is noted begins, where it is a condition.
fn noted_at(low: &str) -> Option<usize> {
    const MARKS: [&str; 6] = [
        "please note that ",
        "please note: ",
        "*please note: ",
        "note that ",
        "note: ",
        "important: ",
    ];
    let len = MARKS.iter().find(|it| low.starts_with(**it))?.len();
    ["if ", "when ", "once "].iter().any(|it| low[len..].starts_with(it)).then_some(len)
}

/// "Find out if", "see if": a question put to somebody, no condition.
fn asks_whether(before: &str) -> bool {
    [" see", " know", " out", " decide", " determine", " check", " ask", " wonder", " tell"]
        .iter()
        .any(|it| before.ends_with(it))
}

/// True where the words begin a main clause: a subject, and a verb within a few words.
fn starts_main(low: &str) -> bool {
    const SUBJECTS: &[&str] = &[
        "you",
        "we",
        "they",
        "it",
        "this",
        "that",
        "there",
        "the",
        "your",
        "a ",
        "an ",
        "in most",
        "family",
        "add ",
        "also ",
        "please",
        "then ",
        "send ",
        "no ",
        "all ",
        "he ",
        "she ",
        "claimants",
        "workers",
        "applicants",
        "paragraph",
        "article",
    ];
    const VERBS: &[&str] = &[
        "may", "can", "can't", "will", "must", "should", "shall", "need", "qualify", "have", "has",
        "would", "are", "is", "don't", "doesn't", "aren't", "isn't", "no", "add", "send", "get",
        "pay", "stop", "lose", "apply", "also", "please",
    ];
    if is_invitation(low) {
        return true;
    }
    SUBJECTS.iter().any(|it| low.starts_with(it))
        && low.split_whitespace().take(9).any(|word| {
            let word = word.trim_matches([',', '.', ';']);
            VERBS.contains(&word) || word.ends_with("'ll") || word.ends_with("'re")
        })
}

/// The parts of "A and B" where each states something: B begins with a verb or with "you".
pub fn and_parts(text: &str, span: Span) -> Vec<Span> {
    let words = span.slice(text).unwrap_or_default();
    let low = plain(words);
    if low.len() != words.len() {
        return and_parts_at(text, span, words);
    }
    and_parts_at(text, span, &low)
}

fn and_parts_at(text: &str, span: Span, low: &str) -> Vec<Span> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, mark) in low.match_indices(" and ") {
        let behind = &low[at + mark.len()..];
        if is_inside_brackets(&low[start..at]) || !starts_verb(&plain(behind)) {
            continue;
        }
        push_part(text, Span::new(span.start + start, span.start + at), &mut parts);
        start = at + mark.len();
    }
    push_part(text, Span::new(span.start + start, span.end), &mut parts);
    parts
}

fn push_part(text: &str, part: Span, parts: &mut Vec<Span>) {
    let part = trim(text, part, |it| closes(it) || it == '—');
    if !part.is_empty() {
        parts.push(part);
    }
}

fn is_inside_brackets(before: &str) -> bool {
    before.matches('(').count() > before.matches(')').count()
}

/// The comma-clause a quantity stands in.
pub fn clause_around(text: &str, quote: Span, inner: Span) -> Span {
    let before = text.get(quote.start..inner.start).unwrap_or_default();
    let after = text.get(inner.end..quote.end).unwrap_or_default();
    let borders = [',', ';', '—', ':'];
    let start = before
        .char_indices()
        .rev()
        .find(|(_, it)| borders.contains(it))
        .map_or(quote.start, |(at, it)| quote.start + at + it.len_utf8());
    let end = after.find(borders).map_or(quote.end, |at| inner.end + at);
    // "You entered, under title 2, between May 1 and June 1": an adverbial is of the words before it.
    let start = if begins_adverbial(text, start, inner.start) { quote.start } else { start };
    trim(text, Span::new(start.min(inner.start), end.max(inner.end)), |it| closes(it) || it == '—')
}

/// True where nothing but a preposition stands between the border and the number.
fn begins_adverbial(text: &str, start: usize, number: usize) -> bool {
    const WORDS: [&str; 16] = [
        "between", "before", "after", "on", "until", "from", "for", "by", "during", "within",
        "since", "through", "or", "and", "as", "of",
    ];
    let words = text.get(start..number).unwrap_or_default().to_ascii_lowercase();
    words.split_whitespace().all(|it| WORDS.contains(&it))
}

/// Without the "and", "or" that only joins an item to the next.
pub fn trim_connective(text: &str, span: Span) -> Span {
    let Some(words) = span.slice(text) else { return span };
    for end in [", and", ", or", "; and", "; or", " and", " or"] {
        if let Some(rest) = words.strip_suffix(end) {
            return trim(text, Span::new(span.start, span.start + rest.len()), closes);
        }
    }
    span
}

/// Lower case, straight apostrophes: for looking words up, not for offsets.
pub fn plain(words: &str) -> String {
    words.to_ascii_lowercase().replace(['’', '‘'], "'")
}
