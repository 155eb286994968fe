//! Is a locked cell still what was issued? What programs do to a cell by themselves is told apart
//! from what a person did. The issued text always wins; nothing of a returned cell is ever stored.

use unicode_normalization::UnicodeNormalization;

use crate::model::returned::{CellContent, ReturnedCell};
use crate::text::dates::date::read_dates;

/// What became of a locked cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sameness {
    Same,
    /// Line ends, control characters, white space, composition: what programs rewrite.
    Rewritten,
    /// The same value as a number, a date or a truth value.
    Retyped,
    /// Letters lost or garbled by an encoding.
    Damaged,
    Changed,
}

/// Compares an issued text with the returned cell.
pub fn compare(issued: &str, returned: &ReturnedCell) -> Sameness {
    if returned.formula.is_some() {
        return Sameness::Changed;
    }
    match &returned.content {
        CellContent::Text(text) => compare_text(issued, text),
        CellContent::Empty if issued.trim().is_empty() => Sameness::Same,
        CellContent::Number(number) if is_number(issued, number) => Sameness::Retyped,
        CellContent::Date(date) if is_date(issued, date) => Sameness::Retyped,
        CellContent::Bool(it) if issued.trim().eq_ignore_ascii_case(&it.to_string()) => {
            Sameness::Retyped
        }
        _ => Sameness::Changed,
    }
}

fn compare_text(issued: &str, returned: &str) -> Sameness {
    if issued == returned {
        return Sameness::Same;
    }
    let (a, b) = (folded(issued), folded(returned));
    if a == b {
        return Sameness::Rewritten;
    }
    if lost_letters(&a, &b) || garbled(&a, &b) { Sameness::Damaged } else { Sameness::Changed }
}

/// A text without what programs change by themselves: `_xHHHH_` escapes taken for what they mean,
/// control characters and white space left out, composed. A text that differs only in white space says
/// the same, and the issued text counts anyway.
pub fn folded(text: &str) -> String {
    unescape(text)
        .chars()
        .filter(|it| !it.is_control() && !it.is_whitespace())
        .filter(|it| !matches!(it, '\u{fffe}' | '\u{ffff}'))
        .nfc()
        .collect()
}

/// `_x000D_` as the character it stands for, as spreadsheets write what XML cannot hold.
fn unescape(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("_x") {
        let (head, tail) = rest.split_at(at);
        result.push_str(head);
        let code = tail.get(2..6).filter(|_| tail.get(6..7) == Some("_"));
        match code.and_then(|it| u32::from_str_radix(it, 16).ok()).and_then(char::from_u32) {
            Some(it) => {
                result.push(it);
                rest = &tail[7..];
            }
            None => {
                result.push_str("_x");
                rest = &tail[2..];
            }
        }
    }
    result.push_str(rest);
    result
}

/// True where the texts differ only by letters that became `?`, the replacement character, or the
/// plain letter that is nearest in a small code page.
fn lost_letters(issued: &str, returned: &str) -> bool {
    let is_lost = |x: char, y: char| {
        !x.is_ascii() && (matches!(y, '?' | '\u{fffd}') || x.nfkc().eq(std::iter::once(y)))
    };
    let mut a = issued.chars();
    let mut b = returned.chars();
    loop {
        match (a.next(), b.next()) {
            (None, None) => return true,
            (Some(x), Some(y)) if x == y || is_lost(x, y) => {}
            _ => return false,
        }
    }
}

/// True where the returned text is the issued one, read in a wrong one-byte encoding.
fn garbled(issued: &str, returned: &str) -> bool {
    let (bytes, _, had_errors) = encoding_rs::WINDOWS_1252.encode(returned);
    if had_errors {
        return false;
    }
    // Some bytes are no letters in 1252 and were left out before, so lengths may differ.
    let read = String::from_utf8_lossy(&bytes);
    let a: Vec<char> = issued.chars().collect();
    let b: Vec<char> = read.chars().filter(|it| *it != '\u{fffd}').collect();
    !issued.is_ascii() && b.len() * 2 >= a.len() && is_subsequence(&b, &a)
}

fn is_subsequence(part: &[char], whole: &[char]) -> bool {
    let mut whole = whole.iter();
    part.iter().all(|it| whole.any(|other| other == it))
}

/// True where the issued text, read as a number the way spreadsheets do, is this number.
fn is_number(issued: &str, number: &str) -> bool {
    let plain: String = issued.trim().chars().filter(|it| *it != ',').nfkc().collect();
    let (plain, scale) = match plain.strip_suffix('%') {
        Some(rest) => (rest.to_owned(), 100.0),
        None => (plain, 1.0),
    };
    match (plain.parse::<f64>(), number.parse::<f64>()) {
        (Ok(a), Ok(b)) => (a / scale - b).abs() <= a.abs() * 1e-12,
        _ => false,
    }
}

/// True where the issued text is one date, and it is this one.
fn is_date(issued: &str, date: &str) -> bool {
    let day = date.split('T').next().unwrap_or(date);
    let dates = read_dates(issued.trim());
    let [only] = dates.as_slice() else { return false };
    let is_whole = only.span.len() == issued.trim().len();
    let candidates = only.candidates.iter().filter_map(|it| it.date());
    is_whole && candidates.into_iter().any(|it| it.to_string() == day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(it: &str) -> ReturnedCell {
        ReturnedCell::text(it)
    }

    fn content(content: CellContent) -> ReturnedCell {
        ReturnedCell { content, formula: None }
    }

    #[test]
    fn what_programs_do_is_told_apart_from_what_people_do() {
        assert_eq!(compare("a\r\nb", &text("a\nb")), Sameness::Rewritten);
        assert_eq!(compare("a\rb", &text("a_x000D_b")), Sameness::Rewritten);
        assert_eq!(compare("bell \u{7} rings", &text("bell  rings")), Sameness::Rewritten);
        assert_eq!(compare("a\tb", &text("ab")), Sameness::Rewritten);
        assert_eq!(compare("e\u{301}t\u{e9}", &text("\u{e9}te\u{301}")), Sameness::Rewritten);
        assert_eq!(compare("aged 65", &text("aged 60")), Sameness::Changed);
        assert_eq!(compare("年滿65歲", &text("年滿60歲")), Sameness::Changed);
        assert_eq!(compare("aged 65", &ReturnedCell::default()), Sameness::Changed);
    }

    #[test]
    fn a_retyped_cell_is_the_same_value() {
        assert_eq!(compare("007", &content(CellContent::Number("7".into()))), Sameness::Retyped);
        assert_eq!(compare("-5", &content(CellContent::Number("-5".into()))), Sameness::Retyped);
        assert_eq!(
            compare("1E5", &content(CellContent::Number("100000".into()))),
            Sameness::Retyped
        );
        let long = content(CellContent::Number("1234567890123456800".into()));
        assert_eq!(compare("1234567890123456789", &long), Sameness::Retyped);
        let day = content(CellContent::Date("2027-03-01".into()));
        assert_eq!(compare("1 March 2027", &day), Sameness::Retyped);
        assert_eq!(compare("民國116年3月1日", &day), Sameness::Retyped);
        assert_eq!(compare("2 March 2027", &day), Sameness::Changed);
        assert_eq!(compare("18", &content(CellContent::Number("16".into()))), Sameness::Changed);
    }

    #[test]
    fn letters_lost_in_a_csv_are_damage_and_not_an_edit() {
        assert_eq!(compare("年滿65歲", &text("??65?")), Sameness::Damaged);
        assert_eq!(compare("年滿６５歲，", &text("??65?,")), Sameness::Damaged);
        assert_eq!(compare("年滿65歲", &text("å¹´æ»¿65æ\u{ad}²")), Sameness::Damaged);
        assert_eq!(compare("aged 65?", &text("aged 60?")), Sameness::Changed);
    }
}
