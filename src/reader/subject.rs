//! The words before a value made into a subject that a person can read: no torn numbers, no words left hanging.
//!
//! Only cuts words away; what is left stands in the text as it is.

use crate::reader::clause::{closes, is_mostly_han, trim};
use crate::text::glyphs::letter::is_han;
use crate::text::span::Span;

/// English words that begin no subject.
const LEADING: &[&str] = &[
    "or", "and", "if", "but", "when", "then", "so", "also", "plus", "to", "for", "of", "than",
    "are", "is", "be",
];

/// English words that end no subject.
const TRAILING: &[&str] = &[
    "is", "are", "was", "were", "be", "been", "has", "have", "for", "between", "by", "at", "of",
    "in", "on", "the", "a", "an", "to", "from", "with", "within", "every", "each", "and", "or",
    "if", "but", "than", "under", "over", "above", "below", "during", "about", "only", "as",
    "that", "which", "when", "per", "until", "after", "before", "you", "you’ll", "you'll", "we",
    "they", "it",
];

/// English words that name nothing by themselves.
const PRONOUNS: &[&str] =
    &["you", "your", "we", "our", "they", "their", "it", "its", "he", "she", "this", "that"];

/// Chinese words that end no subject.
const HAN_TRAILING: &[&str] = &[
    "未達", "未滿", "超過", "至少", "至多", "最高", "最低", "不得", "必須", "每", "以", "於", "逾",
    "及", "或", "且", "而", "並", "應", "須", "之",
];

/// Chinese words that begin no subject.
const HAN_LEADING: &[&str] = &["並", "且", "或", "及", "而", "其中"];

/// The subject in these words; `None` where they name nothing.
pub fn tidy(text: &str, words: Span) -> Option<Span> {
    let mut at = trim(text, behind_torn_number(text, words)?, hangs);
    let is_chinese = is_mostly_han(at.slice(text)?);
    loop {
        let piece = at.slice(text)?;
        let next = if is_chinese { without_han(piece) } else { without_english(piece) };
        let Some((front, back)) = next else { break };
        at = trim(text, Span::new(at.start + front, at.end - back), hangs);
    }
    let piece = at.slice(text)?;
    let names = if is_chinese {
        piece.chars().filter(|it| is_han(*it)).count() > 1
    } else {
        piece.split_whitespace().any(|it| {
            let word = it.trim_matches(|it: char| !it.is_alphanumeric()).to_lowercase();
            word.chars().filter(|it| it.is_alphabetic()).count() > 1
                && !PRONOUNS.contains(&word.as_str())
        })
    };
    names.then_some(at)
}

/// Punctuation and brackets that open without closing.
fn hangs(it: char) -> bool {
    closes(it) || matches!(it, '(' | '（' | '-' | '–' | '—' | '$')
}

/// "60,000 in 2 years" cut at its comma names nothing, unless a clause begins behind the number: "3,600
/// if one person in the household is …".
fn behind_torn_number(text: &str, words: Span) -> Option<Span> {
    let before = &text[..words.start];
    let is_torn = before.ends_with([',', '.'])
        && before[..before.len() - 1].ends_with(|it: char| it.is_ascii_digit());
    let piece = words.slice(text)?;
    let behind = piece.trim_start_matches(|it: char| it.is_ascii_digit());
    if !is_torn || behind.len() == piece.len() {
        return Some(words);
    }
    let begins = behind.split_whitespace().next().is_some_and(|it| LEADING.contains(&it));
    begins.then(|| Span::new(words.end - behind.len(), words.end))
}

/// Bytes to cut off in front and at the end; `None` where nothing hangs.
fn without_english(piece: &str) -> Option<(usize, usize)> {
    let is_one_of = |word: &str, list: &[&str]| {
        list.contains(&word.trim_matches(['(', ')', ',']).to_lowercase().as_str())
    };
    let first = piece.split_whitespace().next()?;
    if is_one_of(first, LEADING) {
        return Some((first.len(), 0));
    }
    let last = piece.split_whitespace().next_back()?;
    is_one_of(last, TRAILING).then_some((0, last.len()))
}

fn without_han(piece: &str) -> Option<(usize, usize)> {
    let front = HAN_LEADING.iter().find(|it| piece.starts_with(**it)).map(|it| (it.len(), 0));
    front.or_else(|| HAN_TRAILING.iter().find(|it| piece.ends_with(**it)).map(|it| (0, it.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str, words: &str) -> Option<String> {
        let start = text.find(words).unwrap();
        let found = tidy(text, Span::new(start, start + words.len()))?;
        found.slice(text).map(str::to_owned)
    }

    #[test]
    fn words_left_hanging_and_torn_numbers_are_no_subject() {
        for (text, words, wanted) in [
            ("The fee for a berth is $30", "The fee for a berth is ", Some("The fee for a berth")),
            ("not more than NT$60,000 in 2 years", "000 in ", None),
            ("It is $3,600 if one person is 80", "600 if one person is ", Some("one person")),
            ("are 20 or over and under 65", "are 20 or over and ", None),
            ("or for 3 months", "or for ", None),
            ("If you are between 18 and 25", "If you are between ", None),
            ("rent (or 3 days)", "rent (or ", Some("rent")),
            (
                "Boats with an engine of 5 hp",
                "Boats with an engine of ",
                Some("Boats with an engine"),
            ),
            ("助聽器每四年一具", "助聽器每", Some("助聽器")),
            ("並以三年為限", "並以", None),
            ("申請人之家庭所得未達四萬元", "申請人之家庭所得未達", Some("申請人之家庭所得")),
            ("每人所得合計五萬元", "每人所得合計", Some("每人所得合計")),
        ] {
            assert_eq!(named(text, words).as_deref(), wanted, "{text}");
        }
    }
}
