//! The marker at the start of a list line: `- `, `1. `, `(a) `, `一、`, `（一）`, `①`, `第一款　`.
//!
//! Reads one line and says what its marker is and where its text starts. Whether the line really
//! belongs to a list is decided by `text::outline`, which sees the neighbours; nothing here looks
//! beyond the line.

use crate::text::glyphs::letter::is_han;
use crate::text::numbers::ordinal::{decimal_digit, han_or_decimal, is_numeral, roman_number};

/// The family of a marker: items of one list level share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Style {
    /// `-`, `*`, `+`.
    Dash,
    /// `•`, `●`, `■` and their like.
    Dot,
    /// `◦`, `○`, `▪`, `‧`, `–`: the bullets that plain text uses one level down.
    InnerDot,
    /// `一、`.
    Han,
    /// `（一）`, `㈠`.
    HanBracketed,
    /// `甲、`.
    Stem,
    /// `（甲）`.
    StemBracketed,
    /// `第一款　`.
    Nth,
    /// `1.`, `１．`, `1、`.
    Decimal,
    /// `1)`.
    DecimalParen,
    /// `(1)`, `（1）`, `⑴`.
    DecimalBracketed,
    /// `1.1`, with the number of its parts.
    DecimalParts(u8),
    /// `①`.
    Circled,
    /// `a.`
    LowerDot,
    /// `a)`
    LowerParen,
    /// `(a)`
    LowerBracketed,
    /// `A.`
    UpperDot,
    /// `A)`
    UpperParen,
    /// `(A)`
    UpperBracketed,
    /// `i.`, `ii.`
    RomanDot,
    /// `i)`, `ii)`
    RomanParen,
    /// `(i)`, `(ii)`
    RomanBracketed,
    /// `I.`, `II.`
    UpperRomanDot,
    /// `I)`, `II)`
    UpperRomanParen,
    /// `(I)`, `(II)`
    UpperRomanBracketed,
}

impl Style {
    /// True for markers without a number.
    pub fn is_bullet(self) -> bool {
        matches!(self, Style::Dash | Style::Dot | Style::InnerDot)
    }

    /// Where a numbered style usually stands among others, 1 being the outermost.
    pub fn rank(self) -> u8 {
        match self {
            Style::Nth => 0,
            Style::Han | Style::Stem | Style::UpperRomanDot | Style::UpperDot => 1,
            Style::HanBracketed | Style::StemBracketed | Style::UpperRomanParen => 2,
            Style::Decimal | Style::DecimalParts(_) | Style::UpperParen => 3,
            Style::DecimalParen | Style::DecimalBracketed => 4,
            Style::LowerDot | Style::LowerParen | Style::LowerBracketed => 5,
            Style::RomanDot | Style::RomanParen | Style::RomanBracketed => 6,
            Style::UpperBracketed | Style::UpperRomanBracketed | Style::Circled => 7,
            Style::Dash | Style::Dot | Style::InnerDot => 8,
        }
    }
}

/// A marker as it stands at the start of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enumerator {
    /// Its family.
    pub style: Style,
    /// Its number from 1, where it has one: `(c)` is 3.
    pub ordinal: Option<u32>,
    /// The other reading of a letter that is a Roman number too: `(i)` is 1 or 9.
    pub other: Option<(Style, u32)>,
    /// Bytes from the start of the line to the item's text.
    pub len: usize,
    /// True where the line may as well be running text (`A. Smith`, `- 5`): needs a neighbour.
    pub is_weak: bool,
}

/// The marker that `line` starts with. `line` has no white space before it.
pub fn read_enumerator(line: &str) -> Option<Enumerator> {
    let first = line.chars().next()?;
    let found = read_bullet(line, first)
        .or_else(|| read_circled(line, first))
        .or_else(|| read_bracketed(line, first))
        .or_else(|| read_nth(line))
        .or_else(|| read_plain(line))?;
    let rest = &line[found.len..];
    let text = rest.trim_start();
    let len = line.len() - text.len();
    Some(Enumerator { len, ..found })
}

fn marker(style: Style, ordinal: Option<u32>, len: usize, is_weak: bool) -> Enumerator {
    Enumerator { style, ordinal, other: None, len, is_weak }
}

fn read_bullet(line: &str, first: char) -> Option<Enumerator> {
    let style = match first {
        '-' | '*' | '+' | '\u{2010}' | '\u{2011}' | '\u{2043}' | '－' => Style::Dash,
        '•' | '●' | '■' | '◆' | '►' | '▶' | '‣' | '➢' | '➤' | '✓' | '✔' | '◎' | '\u{F0B7}' => {
            Style::Dot
        }
        '◦' | '○' | '▪' | '▫' | '□' | '◇' | '‧' | '∙' | '·' | '・' | '–' | '—' | '−' => {
            Style::InnerDot
        }
        _ => return None,
    };
    let rest = &line[first.len_utf8()..];
    let next = rest.chars().next();
    let has_space = next.is_none_or(char::is_whitespace);
    let is_dash =
        matches!(first, '-' | '*' | '+' | '–' | '—' | '−' | '\u{2010}' | '\u{2011}' | '－' | '·');
    if is_dash && !has_space {
        return None;
    }
    let text = rest.trim_start();
    let before_number = text.starts_with(|it: char| it.is_ascii_digit());
    let is_weak =
        (is_dash && first != '*' && before_number) || matches!(first, '–' | '—' | '−' | '+');
    Some(marker(style, None, first.len_utf8(), is_weak))
}

/// Single characters that are a number in a ring, in brackets or with a full stop.
fn read_circled(line: &str, first: char) -> Option<Enumerator> {
    let code = u32::from(first);
    let (style, from) = match code {
        0x2460..=0x2473 => (Style::Circled, 0x2460),
        0x2474..=0x2487 => (Style::DecimalBracketed, 0x2474),
        0x2488..=0x249B => (Style::Decimal, 0x2488),
        0x249C..=0x24B5 => (Style::LowerBracketed, 0x249C),
        0x2776..=0x277F => (Style::Circled, 0x2776),
        0x2780..=0x2789 => (Style::Circled, 0x2780),
        0x3220..=0x3229 => (Style::HanBracketed, 0x3220),
        0x3280..=0x3289 => (Style::Circled, 0x3280),
        _ => return None,
    };
    let mut len = first.len_utf8();
    if let Some('、' | '.' | '．') = line[len..].chars().next() {
        len += line[len..].chars().next().map_or(0, char::len_utf8);
    }
    Some(marker(style, Some(code - from + 1), len, false))
}

/// `(1)`, `（一）`, `(a)`, `(iv)`.
fn read_bracketed(line: &str, first: char) -> Option<Enumerator> {
    if !matches!(first, '(' | '（') {
        return None;
    }
    let inner = &line[first.len_utf8()..];
    let (close, closing) = inner.char_indices().take(8).find(|(_, it)| matches!(it, ')' | '）'))?;
    let token = inner[..close].trim();
    let len = first.len_utf8() + close + closing.len_utf8();
    let next = line[len..].chars().next();
    let (style, ordinal, other) = read_token(token, Close::Bracket)?;
    let is_letter = token.starts_with(|it: char| it.is_ascii_alphabetic());
    if is_letter && next.is_some_and(|it| it.is_ascii_lowercase() || it == '(') {
        // "(s)he", "(a)(1)": the first is a word, the second a reference.
        return None;
    }
    Some(Enumerator { style, ordinal: Some(ordinal), other, len, is_weak: false })
}

/// `第一款　text`: only with a separator, as 第一款規定 is running text.
fn read_nth(line: &str) -> Option<Enumerator> {
    let rest = line.strip_prefix('第')?;
    let rest = rest.trim_start();
    let digits = rest.find(|it: char| !is_numeral(it))?;
    let ordinal = han_or_decimal(&rest[..digits])?;
    let tail = rest[digits..].trim_start();
    let unit = tail.chars().next().filter(|it| matches!(it, '款' | '目' | '項' | '项'))?;
    let after = &tail[unit.len_utf8()..];
    let separator = after.chars().next()?;
    if !(separator.is_whitespace() || matches!(separator, '：' | ':' | '、')) {
        return None;
    }
    let len = line.len() - after.len() + separator.len_utf8();
    Some(marker(Style::Nth, Some(ordinal), len, false))
}

/// `1.`, `1)`, `1、`, `1.1`, `a.`, `iv)`, `一、`, `甲、`.
fn read_plain(line: &str) -> Option<Enumerator> {
    let end = line
        .char_indices()
        .take(9)
        .find(|&(_, it)| matches!(it, '.' | '．' | ')' | '）' | '、'))
        .map(|(at, _)| at)?;
    let token = &line[..end];
    let delimiter = line[end..].chars().next()?;
    let len = end + delimiter.len_utf8();
    let next = line[len..].chars().next();
    let close = match delimiter {
        ')' | '）' => Close::Paren,
        _ => Close::Dot,
    };
    if let Some(parts) = read_parts(line) {
        return Some(parts);
    }
    let (style, ordinal, other) = read_token(token, close)?;
    let latin = token.starts_with(|it: char| it.is_ascii_alphabetic());
    let han = matches!(style, Style::Han | Style::Stem);
    // "1.Spouse": no space behind the stop; only beside a neighbour of its list.
    let is_glued = !latin && !han && next.is_some_and(|it| it.is_ascii_alphabetic());
    let fits = match delimiter {
        '.' | '．' if han => next.is_some_and(|it| !is_numeral(it)),
        '.' | '．' => is_glued || next.is_none_or(|it| it.is_whitespace() || is_han(it)),
        '、' => !latin && !continues_count(&line[len..], ordinal),
        _ if latin => next.is_none_or(|it| it.is_whitespace() || is_han(it)),
        _ => next.is_none_or(|it| !it.is_ascii_punctuation()),
    };
    if !fits || (han && close == Close::Paren) {
        return None;
    }
    let is_letter_dot = latin && close == Close::Dot;
    let is_weak = is_letter_dot
        || is_glued && close == Close::Dot
        || starts_with_month(&line[len..])
        || token.len() > 2 && !han;
    Some(Enumerator { style, ordinal: Some(ordinal), other, len, is_weak })
}

/// `1.1 Text`, `2.3.1 Text`; a decimal number in running text is no marker.
fn read_parts(line: &str) -> Option<Enumerator> {
    let end = line.find(|it: char| !(it.is_ascii_digit() || it == '.')).unwrap_or(line.len());
    let token = line[..end].trim_end_matches('.');
    let mut parts = token.split('.');
    let count = u8::try_from(token.split('.').count()).ok()?;
    let well_formed = parts.clone().all(|it| (1..=2).contains(&it.len()));
    if !(2..=4).contains(&count) || !well_formed || end > 12 {
        return None;
    }
    let rest = &line[end..];
    let text = rest.trim_start();
    if text.len() == rest.len() || !text.starts_with(|it: char| it.is_uppercase() || is_han(it)) {
        return None;
    }
    let last = parts.next_back()?.parse().ok()?;
    Some(marker(Style::DecimalParts(count), Some(last), end, true))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Close {
    Dot,
    Paren,
    Bracket,
}

type Reading = (Style, u32, Option<(Style, u32)>);

fn read_token(token: &str, close: Close) -> Option<Reading> {
    let pick = |dot, paren, bracket| match close {
        Close::Dot => dot,
        Close::Paren => paren,
        Close::Bracket => bracket,
    };
    let first = token.chars().next()?;
    if decimal_digit(first).is_some() {
        let digits = token.chars().map(decimal_digit).collect::<Option<Vec<_>>>()?;
        if digits.len() > 3 {
            return None;
        }
        let number = digits.iter().fold(0, |sum, it| sum * 10 + it);
        let style = pick(Style::Decimal, Style::DecimalParen, Style::DecimalBracketed);
        return Some((style, number, None));
    }
    if let Some(at) = STEMS.iter().position(|&it| it == first) {
        let alone = token.chars().count() == 1;
        let style = pick(Style::Stem, Style::Stem, Style::StemBracketed);
        return alone.then_some((style, u32::try_from(at).ok()? + 1, None));
    }
    if is_numeral(first) {
        let style = pick(Style::Han, Style::Han, Style::HanBracketed);
        return Some((style, han_or_decimal(token)?, None));
    }
    let lower = token.chars().all(|it| it.is_ascii_lowercase());
    let upper = token.chars().all(|it| it.is_ascii_uppercase());
    if !lower && !upper {
        return None;
    }
    let (letter, roman) = if lower {
        (
            pick(Style::LowerDot, Style::LowerParen, Style::LowerBracketed),
            pick(Style::RomanDot, Style::RomanParen, Style::RomanBracketed),
        )
    } else {
        (
            pick(Style::UpperDot, Style::UpperParen, Style::UpperBracketed),
            pick(Style::UpperRomanDot, Style::UpperRomanParen, Style::UpperRomanBracketed),
        )
    };
    let as_letter = letter_ordinal(token).map(|it| (letter, it));
    let as_roman = roman_number(token).map(|it| (roman, it));
    match (as_letter, as_roman) {
        (Some(letter), Some(roman)) if roman.1 == 1 => Some((roman.0, roman.1, Some(letter))),
        (Some(letter), roman) => Some((letter.0, letter.1, roman)),
        (None, Some(roman)) => Some((roman.0, roman.1, None)),
        (None, None) => None,
    }
}

const STEMS: [char; 10] = ['甲', '乙', '丙', '丁', '戊', '己', '庚', '辛', '壬', '癸'];

/// `a` is 1, `z` is 26, `aa` is 27: doubled letters go on after `z`.
fn letter_ordinal(token: &str) -> Option<u32> {
    let bytes = token.as_bytes();
    let first = bytes.first()?.to_ascii_lowercase();
    let same = bytes.iter().all(|it| it.to_ascii_lowercase() == first);
    let turns = u32::try_from(bytes.len()).ok()?;
    (same && turns <= 2).then(|| u32::from(first - b'a') + 1 + (turns - 1) * 26)
}

/// True for 一、二樓: the "marker" is the first of two counted things.
fn continues_count(rest: &str, ordinal: u32) -> bool {
    let end = rest.find(|it: char| !is_numeral(it)).unwrap_or(rest.len());
    if end > 0 && end <= 24 {
        return han_or_decimal(&rest[..end]) == Some(ordinal + 1);
    }
    let next = rest.chars().next();
    usize::try_from(ordinal).ok().and_then(|it| STEMS.get(it)).is_some_and(|it| Some(*it) == next)
}

fn starts_with_month(rest: &str) -> bool {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let rest = rest.trim_start();
    MONTHS
        .iter()
        .any(|it| rest.strip_prefix(it).is_some_and(|tail| !tail.starts_with(char::is_alphabetic)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_of_both_languages_are_read_with_their_number() {
        let cases: &[(&str, Style, Option<u32>, &str)] = &[
            ("- aged 65", Style::Dash, None, "aged 65"),
            ("• a permit", Style::Dot, None, "a permit"),
            ("•a permit", Style::Dot, None, "a permit"),
            ("‧長者", Style::InnerDot, None, "長者"),
            ("1. first", Style::Decimal, Some(1), "first"),
            ("12) twelfth", Style::DecimalParen, Some(12), "twelfth"),
            ("(3) third", Style::DecimalBracketed, Some(3), "third"),
            ("（３）第三", Style::DecimalBracketed, Some(3), "第三"),
            ("(b) second", Style::LowerBracketed, Some(2), "second"),
            ("(iv) fourth", Style::RomanBracketed, Some(4), "fourth"),
            ("(i) first", Style::RomanBracketed, Some(1), "first"),
            ("B) second", Style::UpperParen, Some(2), "second"),
            ("一、年滿六十歲", Style::Han, Some(1), "年滿六十歲"),
            ("十二、其他", Style::Han, Some(12), "其他"),
            ("（二）收入", Style::HanBracketed, Some(2), "收入"),
            ("㈢資產", Style::HanBracketed, Some(3), "資產"),
            ("１．存款", Style::Decimal, Some(1), "存款"),
            ("2、投資", Style::Decimal, Some(2), "投資"),
            ("①身分證", Style::Circled, Some(1), "身分證"),
            ("第一款　通則", Style::Nth, Some(1), "通則"),
            ("甲、單人", Style::Stem, Some(1), "單人"),
            ("2.1 Amounts", Style::DecimalParts(2), Some(1), "Amounts"),
        ];
        for &(line, style, ordinal, text) in cases {
            let found = read_enumerator(line).unwrap_or_else(|| panic!("no marker in {line}"));
            assert_eq!((found.style, found.ordinal), (style, ordinal), "{line}");
            assert_eq!(&line[found.len..], text, "{line}");
        }
    }

    #[test]
    fn running_text_is_no_marker() {
        for line in [
            "1.5 million",
            "3.5%",
            "-5 degrees",
            "2024. was",
            "(see note) text",
            "(s)he may",
            "第一款規定之人",
            "一、二樓住戶",
            "1、2樓",
            "甲、乙兩種",
            "一般住戶",
            "十足證明",
            "e.g. this",
            "Mr. Chan",
            "一百元",
            "*Note",
            "(a)(1) applies",
            "10.30 train",
            "B.Sc. degree",
        ] {
            assert_eq!(read_enumerator(line), None, "{line}");
        }
    }

    #[test]
    fn a_marker_that_may_be_text_is_weak() {
        for line in
            ["1.Spouse", "A. Smith said", "- 5 is cold", "1. January 2030 is the day", "I. Newton"]
        {
            assert!(read_enumerator(line).is_some_and(|it| it.is_weak), "{line}");
        }
        let letter = read_enumerator("(i) ninth").unwrap();
        assert_eq!(letter.other, Some((Style::LowerBracketed, 9)));
    }
}
