//! Whether a change of wording moves what a rule turns on: numbers, signs, comparisons, and/or, not.
//!
//! It says that such a thing differs, never what the difference means.

use crate::text::amounts::comparator::read_comparators;
use crate::text::glyphs::fold::fold_script;
use crate::text::lexeme::Lexemes;
use crate::text::markers::marker::{MarkerKind, markers_in};
use crate::text::numbers::number::read_numbers;
use crate::text::span::Span;

/// Signs that carry meaning beside a number.
const SIGNS: &str = "≥≤≧≦<>＜＞=＝≠±+−-－–%％‰$＄€£¥￥~～/／×÷";

/// Words that join conditions.
const JOINS: [&str; 12] =
    ["and/or", "and", "or", "either", "both", "或", "及", "且", "並", "以及", "任一", "各"];

/// True where numbers, signs, comparisons, joins, negations or exceptions differ.
pub fn number_or_operator_changed(old: &str, new: &str) -> bool {
    old != new && signature(old) != signature(new)
}

/// Everything in a text that a rule may turn on, in its order, kind by kind.
fn signature(text: &str) -> Vec<Vec<String>> {
    let folded = fold_script(text);
    let text = folded.as_str();
    let lexemes = Lexemes::new(text);
    let slice = |span: Span| span.slice(text).unwrap_or_default().to_owned();
    vec![
        read_numbers(text)
            .into_iter()
            .map(|it| format!("{} {:?} {:?}", it.value.normalize(), it.form, it.others))
            .collect(),
        text.chars().filter(|it| SIGNS.contains(*it)).map(String::from).collect(),
        read_comparators(&lexemes).into_iter().map(|it| format!("{:?}", it.relation)).collect(),
        markers_in(text, Span::new(0, text.len()))
            .into_iter()
            .filter(|it| it.kind != MarkerKind::Footnote)
            .map(|it| format!("{:?} {}", it.kind, slice(it.span)))
            .collect(),
        joins(text),
        decimal_marks(text),
    ]
}

/// Points and commas between digits that do not set thousands apart: 2.5 and 2,5 may be read alike.
fn decimal_marks(text: &str) -> Vec<String> {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    (1..bytes.len())
        .filter(|&at| matches!(bytes[at], b'.' | b',') && is_digit(at - 1) && is_digit(at + 1))
        .filter(|&at| (at + 1..at + 5).take_while(|&it| is_digit(it)).count() != 3)
        .map(|at| char::from(bytes[at]).to_string())
        .collect()
}

fn joins(text: &str) -> Vec<String> {
    let latin = |it: char| it.is_ascii_alphabetic() || it == '/';
    let words = text.split(|it: char| !latin(it)).map(str::to_ascii_lowercase);
    let mut found: Vec<String> = words.filter(|it| JOINS.contains(&it.as_str())).collect();
    let han = JOINS.iter().filter(|it| !it.is_ascii());
    found.extend(han.flat_map(|it| text.matches(it).map(str::to_owned)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_rule_turns_on_is_seen_in_both_languages() {
        for (old, new) in [
            ("Fee ≥ $40.", "Fee ≤ $40."),
            ("up to $2.5 million", "up to $2,5 million"),
            ("a permit and/or a card", "a permit and a card"),
            ("Interest: 3% a year", "Interest: −3% a year"),
            ("within 30 days", "within 60 days"),
            ("You may apply.", "You may not apply."),
            ("Residents may apply.", "Residents may apply, unless they hold a card."),
            ("年滿六十歲", "年滿六十五歲"),
            ("三萬元以上", "三萬元以下"),
            ("設籍或居住本區", "設籍且居住本區"),
            ("得申請補助", "不得申請補助"),
        ] {
            assert!(number_or_operator_changed(old, new), "{old} / {new}");
        }
    }

    #[test]
    fn other_words_and_other_looks_are_not() {
        for (old, new) in [
            ("Call the office for help.", "Ask the office for help."),
            ("The fee is $1,200.", "The charge is $1,200."),
            ("每月補助新臺幣三千元", "每月津貼新台幣三千元"),
            ("收費１００元", "收費100元"),
        ] {
            assert!(!number_or_operator_changed(old, new), "{old} / {new}");
        }
    }
}
