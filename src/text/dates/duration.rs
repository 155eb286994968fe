//! Lengths of time in words that carry no plain number: 半年, a year, each month.
//! Never turns one length into another.

use rust_decimal::Decimal;

use crate::text::amounts::unit::{Family, Unit, unit_at};
use crate::text::lexeme::Lexemes;

/// A length of time whose number is left to the words: "a year", "an hour".
#[derive(Clone, Debug)]
pub struct ImplicitOne {
    /// First lexeme: the article.
    pub first: usize,
    /// Lexeme after the unit.
    pub end: usize,
    /// The unit.
    pub unit: Unit,
}

/// "a year", "an hour" at `at`, where the words may stand for the number one.
pub fn implicit_one_at(lexemes: &Lexemes<'_>, at: usize) -> Option<ImplicitOne> {
    if !lexemes.is_word_of(at, &["a", "an"]) {
        return None;
    }
    let next = lexemes.solid(at + 1);
    let next = if lexemes.is_word_of(next, &["full", "calendar", "whole", "single"]) {
        lexemes.solid(next + 1)
    } else {
        next
    };
    let (end, unit) = unit_at(lexemes, next)?;
    (unit.family == Family::Duration && next > at + 1).then_some(ImplicitOne {
        first: at,
        end,
        unit,
    })
}

/// 半 after a unit (一年半, 兩個月半) adds half of it: the lexeme after it, and one half.
pub fn trailing_half(lexemes: &Lexemes<'_>, at: usize) -> Option<(usize, Decimal)> {
    // "A year and a half", "two years and a half".
    if let Some(end) = lexemes.phrase_at(lexemes.solid(at), "and a half") {
        let half = Decimal::ONE.checked_div(Decimal::TWO)?;
        return Some((end, half));
    }
    let cut = "數價額徑途身";
    (lexemes.head(at) == '半' && !cut.contains(lexemes.head(at + 1)))
        .then(|| Decimal::ONE.checked_div(Decimal::TWO))
        .flatten()
        .map(|half| (at + 1, half))
}

/// 兩個半月, 三個半小時: the half stands between measure word and unit. The lexeme after the unit.
pub fn inner_half(lexemes: &Lexemes<'_>, at: usize) -> Option<(usize, Unit)> {
    let at = lexemes.solid(at);
    if lexemes.head(at) != '個' || lexemes.head(at + 1) != '半' {
        return None;
    }
    unit_at(lexemes, at + 2).filter(|(_, unit)| unit.family == Family::Duration)
}
