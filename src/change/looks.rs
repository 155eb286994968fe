//! Other looks of the same words: 臺 and 台, full and half width, one kind of quotation mark or another.
//!
//! Digits, signs, decimal marks and currency are never looks. A quote is followed character by
//! character, never found by likeness.

use std::collections::BTreeMap;

use crate::text::glyphs::fold::fold_script;
use crate::text::glyphs::wording::wording;
use crate::text::span::Span;

/// The text without layout and looks: equal for texts that say the same in the same words.
pub fn looks(text: &str) -> String {
    let text: String = text.chars().map(plain_quote).collect();
    wording(fold_script(&text).as_str())
}

/// Where a span of `old` is in `new`, a text of equal looks. `None` where the two do not go together
/// character by character.
pub fn follow_looks(old: &str, new: &str, span: Span) -> Option<Span> {
    LooksMap::between(old, new)?.follow(span)
}

/// Two texts of equal looks, character by character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LooksMap {
    old: Vec<Span>,
    new: Vec<Span>,
}

impl LooksMap {
    /// `None` where the two do not go together character by character.
    pub fn between(old: &str, new: &str) -> Option<Self> {
        let mut plain = BTreeMap::new();
        let (old, new) = (letters(old, &mut plain), letters(new, &mut plain));
        let is_same = old.len() == new.len() && old.iter().zip(&new).all(|(a, b)| a.0 == b.0);
        let places = |it: Vec<(usize, Span)>| it.into_iter().map(|it| it.1).collect();
        is_same.then(|| Self { old: places(old), new: places(new) })
    }

    /// Where a span of the old text is in the new one.
    pub fn follow(&self, span: Span) -> Option<Span> {
        let first = self.old.partition_point(|it| it.start < span.start);
        let last = self.old.partition_point(|it| it.end <= span.end).checked_sub(1)?;
        (first <= last).then(|| Some(Span::new(self.new.get(first)?.start, self.new[last].end)))?
    }
}

/// Every character that is no white space and no heading mark, as the number of its plain form, with
/// its place.
fn letters(text: &str, plain: &mut BTreeMap<String, usize>) -> Vec<(usize, Span)> {
    let mut known: BTreeMap<char, usize> = BTreeMap::new();
    let mut found = Vec::with_capacity(text.len());
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let inner = line.trim_start_matches(' ');
        let bare = inner.trim_start_matches('#');
        let is_heading = bare.len() < inner.len() && bare.starts_with(' ');
        let marks = if is_heading { line.len() - bare.len() } else { 0 };
        for (at, it) in line.char_indices().filter(|(at, it)| *at >= marks && !it.is_whitespace()) {
            let id = *known.entry(it).or_insert_with(|| {
                let form =
                    fold_script(plain_quote(it).encode_utf8(&mut [0; 4])).as_str().to_owned();
                let next = plain.len();
                *plain.entry(form).or_insert(next)
            });
            found.push((id, Span::new(start + at, start + at + it.len_utf8())));
        }
        start += line.len();
    }
    found
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
