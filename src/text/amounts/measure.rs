//! The unit of one number: currency before or after it, a measure word, percent, an age.
//! Never looks for a unit beyond the words that belong to the number.

use crate::text::amounts::money::{currency_after, currency_before};
use crate::text::amounts::unit::{Family, Unit, unit_after};
use crate::text::dates::duration::implicit_one_at;
use crate::text::lexeme::{LexKind, Lexemes, is_hyphen};
use crate::text::numbers::number::NumberToken;
use crate::text::numbers::numeral_zh::Form;
use crate::text::numbers::role::{Role, follows_grade_word};
use crate::text::span::Span;

/// A number with what it counts.
#[derive(Clone, Debug)]
pub struct Measured {
    /// First lexeme, the currency before included.
    pub first: usize,
    /// Lexeme after number and unit.
    pub end: usize,
    /// What is counted, where the text names it.
    pub unit: Option<Unit>,
    /// Where the unit stands.
    pub unit_span: Option<Span>,
}

/// The unit of `number`; `None` where the number is nothing that counts.
pub fn measure(lexemes: &Lexemes<'_>, number: &NumberToken) -> Option<Measured> {
    match number.role {
        Role::Value => Some(value_unit(lexemes, number)),
        Role::Ordinal => graded(lexemes, number),
        _ => None,
    }
}

fn value_unit(lexemes: &Lexemes<'_>, number: &NumberToken) -> Measured {
    let bare = Measured { first: number.first, end: number.end, unit: None, unit_span: None };
    if matches!(number.form, Form::Percent | Form::Permille) {
        let name = if number.form == Form::Percent { "percent" } else { "permille" };
        return Measured {
            unit: Some(Unit::plain(Family::Percent, name)),
            unit_span: Some(number.span),
            ..bare
        };
    }
    let before = currency_before(lexemes, number.first);
    let after = currency_after(lexemes, number.end);
    if let Some((first, currency)) = before {
        let end = after.map_or(number.end, |(_, end, _)| end);
        let unit_span = Some(lexemes.span(first, number.first));
        return Measured { first, end, unit: Some(Unit::money(currency)), unit_span };
    }
    if let Some((start, end, currency)) = after {
        let unit_span = Some(lexemes.span(start, end));
        return Measured { end, unit: Some(Unit::money(currency)), unit_span, ..bare };
    }
    if let Some((end, unit)) = half_of_one(lexemes, number) {
        let unit_span = Some(lexemes.span(number.end, end));
        return Measured { end, unit: Some(unit), unit_span, ..bare };
    }
    let aged = age_before(lexemes, number.first);
    if let Some((start, end, unit)) = unit_after(lexemes, number.end) {
        let age = aged.is_some() && unit.family == Family::Duration && unit.name == "year";
        let unit = if age { Unit::plain(Family::Age, "year") } else { unit };
        return Measured {
            end,
            unit: Some(unit),
            unit_span: Some(lexemes.span(start, end)),
            ..bare
        };
    }
    if let Some(span) = aged {
        return Measured {
            unit: Some(Unit::plain(Family::Age, "year")),
            unit_span: Some(span),
            ..bare
        };
    }
    if number.times {
        let family = if lexemes.is_word_of(number.first, &["once", "twice", "thrice"]) {
            Family::Frequency
        } else {
            Family::Multiple
        };
        let name = if family == Family::Frequency { "time" } else { "multiple" };
        return Measured {
            unit: Some(Unit::plain(family, name)),
            unit_span: Some(number.span),
            ..bare
        };
    }
    bare
}

/// "Half a month", "half of a day": the article belongs to the half.
fn half_of_one(lexemes: &Lexemes<'_>, number: &NumberToken) -> Option<(usize, Unit)> {
    if !lexemes.is_word(number.first, "half") {
        return None;
    }
    let next = lexemes.solid(number.end);
    let next = if lexemes.is_word(next, "of") { lexemes.solid(next + 1) } else { next };
    implicit_one_at(lexemes, next).map(|it| (it.end, it.unit))
}

/// "aged 65", "age 65", "ages 18 to 23", "turn 18", 年齡: what comes before says that it is an age.
fn age_before(lexemes: &Lexemes<'_>, first: usize) -> Option<Span> {
    let mut at = first;
    for _ in 0..8 {
        let before = lexemes.solid_before(at)?;
        if lexemes
            .is_word_of(before, &["age", "aged", "ages", "turn", "turns", "turned", "turning"])
        {
            return Some(lexemes.span(before, before + 1));
        }
        let passes = lexemes.is_word_of(
            before,
            &[
                "of", "is", "over", "under", "above", "below", "between", "and", "to", "at",
                "least", "from", "the", "than", "more", "less", "or",
            ],
        ) || lexemes.kind(before) == LexKind::Mark
            && (is_hyphen(lexemes.head(before)) || lexemes.head(before) == ':')
            || lexemes.kind(before) == LexKind::Digits && at < first;
        if !passes {
            let first_han = lexemes
                .han_before(before + 1, "年齡")
                .or_else(|| lexemes.han_before(before + 1, "年紀"))?;
            return Some(lexemes.span(first_han, before + 1));
        }
        at = before;
    }
    None
}

/// 第二等級, 第三級, the 55th birthday: places in an order that a rule can compare.
fn graded(lexemes: &Lexemes<'_>, number: &NumberToken) -> Option<Measured> {
    let ending = lexemes.is_word_of(number.end, &["st", "nd", "rd", "th"]);
    let end = number.end + usize::from(ending);
    let next = lexemes.solid(end);
    if lexemes.is_word_of(next, &["birthday", "birthdays"]) {
        let unit = Some(Unit::plain(Family::Age, "year"));
        return Some(Measured {
            first: number.first,
            end: next + 1,
            unit,
            unit_span: Some(lexemes.span(next, next + 1)),
        });
    }
    if follows_grade_word(lexemes, number.first) && unit_after(lexemes, end).is_none() {
        let word = lexemes.solid_before(number.first)?;
        let unit = Some(Unit::plain(Family::Grade, "grade"));
        return Some(Measured {
            first: word,
            end,
            unit,
            unit_span: Some(lexemes.span(word, word + 1)),
        });
    }
    let (start, end, unit) = unit_after(lexemes, end)?;
    let first = lexemes
        .solid_before(number.first)
        .filter(|it| lexemes.head(*it) == '第')
        .unwrap_or(number.first);
    let unit_span = Some(lexemes.span(start, end));
    let month_before = lexemes.head_before(number.first) == '月';
    let day_of_month =
        unit.name == "day" && (month_before || lexemes.is_word(lexemes.solid(end), "of"));
    (unit.family == Family::Grade || day_of_month).then_some(Measured {
        first,
        end,
        unit: Some(unit),
        unit_span,
    })
}
