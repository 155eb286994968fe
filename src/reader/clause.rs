//! Cuts a sentence into the pieces a rule is made of, outside brackets and quotation marks.
//!
//! A cut never falls inside a number (1,200), a bracket or a quotation.

use crate::text::glyphs::letter::is_han;
use crate::text::span::Span;

/// Splits `span` of `text` after each of `marks` that stands outside brackets and quotation marks.
/// The mark stays with the piece before it; pieces are trimmed of white space and never empty.
pub fn split_after(text: &str, span: Span, marks: &[char]) -> Vec<Span> {
    let Some(piece) = span.slice(text) else { return Vec::new() };
    let mut out = Vec::new();
    let mut depth = 0usize;
    let mut start = span.start;
    let mut before = ' ';
    let mut chars = piece.char_indices().peekable();
    while let Some((at, it)) = chars.next() {
        let next = chars.peek().map_or(' ', |&(_, it)| it);
        match it {
            '（' | '(' | '「' | '『' | '[' | '【' | '〔' => depth += 1,
            '）' | ')' | '」' | '』' | ']' | '】' | '〕' => depth = depth.saturating_sub(1),
            _ if depth == 0 && marks.contains(&it) => {
                let is_inside_number =
                    it == ',' && before.is_ascii_digit() && next.is_ascii_digit();
                if !is_inside_number {
                    let end = span.start + at + it.len_utf8();
                    push_trimmed(text, Span::new(start, end), &mut out);
                    start = end;
                }
            }
            _ => {}
        }
        before = it;
    }
    push_trimmed(text, Span::new(start, span.end), &mut out);
    out
}

fn push_trimmed(text: &str, span: Span, out: &mut Vec<Span>) {
    let span = trim(text, span, char::is_whitespace);
    if !span.is_empty() {
        out.push(span);
    }
}

/// `span` without the characters at its ends that `is_trimmed` names.
pub fn trim(text: &str, span: Span, is_trimmed: impl Fn(char) -> bool) -> Span {
    let Some(piece) = span.slice(text) else { return Span::new(span.start, span.start) };
    let front = piece.len() - piece.trim_start_matches(&is_trimmed).len();
    if front == piece.len() {
        return Span::new(span.start, span.start);
    }
    let back = piece.len() - piece.trim_end_matches(&is_trimmed).len();
    Span::new(span.start + front, span.end - back)
}

/// True for the punctuation that closes a clause or a sentence, and for white space.
pub fn closes(it: char) -> bool {
    it.is_whitespace() || matches!(it, '。' | '；' | '，' | '：' | '、' | '.' | ';' | ',' | ':')
}

/// True where Han characters outnumber Latin words: a Han character says about as much as a word.
pub fn is_mostly_han(text: &str) -> bool {
    let mut han = 0usize;
    let mut words = 0usize;
    let mut in_word = false;
    for it in text.chars() {
        han += usize::from(is_han(it));
        let is_letter = it.is_alphabetic() && !is_han(it);
        words += usize::from(is_letter && !in_word);
        in_word = is_letter;
    }
    han > words
}

/// The first of `needles` that stands in `text`, leftmost, longest of equals: place and length.
pub fn find_first(text: &str, needles: &[&str]) -> Option<(usize, usize)> {
    needles
        .iter()
        .filter_map(|needle| text.find(needle).map(|at| (at, needle.len())))
        .min_by_key(|&(at, len)| (at, usize::MAX - len))
}

/// True where one of `needles` stands in `text`; one that begins with a Latin letter only where a word
/// begins: "cease" does not stand in "deceased".
pub fn has_any(text: &str, needles: &[&str]) -> bool {
    let begins_a_word = |needle: &str, at: usize| {
        !needle.starts_with(|it: char| it.is_ascii_alphabetic())
            || !text[..at].ends_with(|it: char| it.is_ascii_alphanumeric())
    };
    needles.iter().any(|needle| text.match_indices(needle).any(|(at, _)| begins_a_word(needle, at)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_latin_needle_stands_only_where_a_word_begins() {
        assert!(!has_any("a friend of the deceased, and that person:", &["cease", "terminat"]));
        assert!(has_any("payment ceases when:", &["cease", "terminat"]));
        assert!(!has_any("at the footsteps of the hall", &["steps"]));
        assert!(has_any("申請人應檢附下列文件", &["檢附"]));
    }

    fn pieces<'a>(text: &'a str, marks: &[char]) -> Vec<&'a str> {
        split_after(text, Span::new(0, text.len()), marks)
            .into_iter()
            .map(|it| it.slice(text).unwrap())
            .collect()
    }

    #[test]
    fn commas_in_numbers_brackets_and_quotations_do_not_cut() {
        assert_eq!(
            pieces("年滿六十歲，且所得（含利息，股利）未超過 1,200 元", &['，']),
            ["年滿六十歲，", "且所得（含利息，股利）未超過 1,200 元"]
        );
        assert_eq!(pieces("up to $1,200, paid once", &[',']), ["up to $1,200,", "paid once"]);
    }

    #[test]
    fn a_bracket_that_never_opens_does_no_harm() {
        assert_eq!(pieces("一）甲，乙", &['，']), ["一）甲，", "乙"]);
        assert!(pieces("  ", &['，']).is_empty());
    }

    #[test]
    fn the_language_of_a_piece_is_that_of_most_of_it() {
        assert!(is_mostly_han("申請人（VA Form）須年滿六十歲"));
        assert!(!is_mostly_han("the form called 申請書 here"));
    }
}
