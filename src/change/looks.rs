//! Other looks of the same words: 臺 and 台, full and half width, one kind of quotation mark or another.
//!
//! Digits, signs, decimal marks and currency are never looks. A quote is followed character by
//! character, never found by likeness.

use crate::text::fold::fold_script;
use crate::text::span::Span;
use crate::text::wording::wording;

/// The text without layout and looks: equal for texts that say the same in the same words.
pub fn looks(text: &str) -> String {
    let text: String = text.chars().map(plain_quote).collect();
    wording(fold_script(&text).as_str())
}

/// Where a span of `old` is in `new`, a text of equal looks. `None` where the two do not go together
/// character by character.
pub fn follow_looks(old: &str, new: &str, span: Span) -> Option<Span> {
    let (old, new) = (letters(old), letters(new));
    if old.len() != new.len() || !old.iter().zip(&new).all(|(a, b)| a.0 == b.0) {
        return None;
    }
    let first = old.iter().position(|it| it.1.start >= span.start)?;
    let last = old.iter().rposition(|it| it.1.end <= span.end)?;
    (first <= last).then(|| Span::new(new[first].1.start, new[last].1.end))
}

/// Every character that is no white space, plain, with its place.
fn letters(text: &str) -> Vec<(String, Span)> {
    text.char_indices()
        .filter(|(_, it)| !it.is_whitespace())
        .map(|(at, it)| {
            let span = Span::new(at, at + it.len_utf8());
            (fold_script(plain_quote(it).encode_utf8(&mut [0; 4])).as_str().to_owned(), span)
        })
        .collect()
}

fn plain_quote(it: char) -> char {
    match it {
        '“' | '”' | '„' | '‟' | '«' | '»' | '「' | '」' | '『' | '』' | '〝' | '〞' | '＂' => {
            '"'
        }
        '‘' | '’' | '‚' | '‛' | '＇' => '\'',
        _ => it,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_words_look_alike_and_a_quote_follows() {
        for (old, new, quote, found) in [
            (
                "稱為「長者」，應年滿65歲。",
                "稱為『長者』，應年滿６５歲。",
                "應年滿65歲",
                "應年滿６５歲",
            ),
            ("每月新臺幣三千元。", "每月新台幣三千元。", "新臺幣三千元", "新台幣三千元"),
            ("a \"holder\" pays $5", "a “holder” pays $5", "\"holder\" pays", "“holder” pays"),
            ("the holder's card", "the holder’s card", "holder's", "holder’s"),
        ] {
            assert_eq!(looks(old), looks(new));
            let at = old.find(quote).unwrap();
            let span = follow_looks(old, new, Span::new(at, at + quote.len())).unwrap();
            assert_eq!(span.slice(new), Some(found));
        }
    }

    #[test]
    fn what_carries_meaning_is_no_looks() {
        for (old, new) in [
            ("Age ≥ 65", "Age ≤ 65"),
            ("$1.5 million", "$1,5 million"),
            ("5% a year", "−5% a year"),
            ("residence and/or status", "residence and status"),
            ("NT$500", "HK$500"),
            ("$500", "€500"),
            ("1 1/2 years", "11/2 years"),
            ("三千元", "三仟五元"),
            ("未滿六十歲", "滿六十歲"),
            ("5.0", "50"),
            ("60-65", "60 65"),
            ("5' long", "5\" long"),
        ] {
            assert_ne!(looks(old), looks(new), "{old} / {new}");
        }
    }
}
