//! Parts of a date that one end of a range leaves to the other: 110年1月1日至3月31日, 1 to 15 April 2020.
//! Never carries a part over anything but the joint of a range, nor into a date before its start.

use crate::text::amounts::unit::unit_after;
use crate::text::dates::calendar::{DateToken, PartialDate};
use crate::text::lexeme::{LexKind, Lexemes, is_hyphen};
use crate::text::numbers::numeral_zh::read_plain_or_digits;

use rust_decimal::prelude::ToPrimitive;

/// The dates with the parts their ranges lend them, in order.
pub fn with_elided(lexemes: &Lexemes<'_>, found: Vec<DateToken>) -> Vec<DateToken> {
    let mut dates: Vec<DateToken> = Vec::with_capacity(found.len());
    for token in found {
        let floor = dates.last().map_or(0, |it| it.end);
        if let Some(day) = day_before(lexemes, &token).filter(|it| it.first >= floor) {
            dates.push(day);
        }
        let day = day_after(lexemes, &token);
        dates.push(token);
        dates.extend(day);
    }
    dates.sort_by_key(|it| it.first);
    for at in 1..dates.len() {
        let (left, right) = dates.split_at_mut(at);
        if let (Some(one), Some(two)) = (left.last_mut(), right.first_mut()) {
            lend_year(lexemes, one, two);
            lend_same_year(lexemes, one, two);
        }
    }
    dates
}

/// 同年四月三十日, "30 April of the same year": the year of the date before.
fn lend_same_year(lexemes: &Lexemes<'_>, one: &DateToken, two: &mut DateToken) {
    const BEHIND: [&str; 3] = ["of the same year", "of that year", "in the same year"];
    let (Some(start), Some(end)) = (only(one), only(two)) else { return };
    let next = lexemes.solid(two.end);
    let is_same = lexemes.han_before(two.first, "同年").is_some()
        || lexemes.han_before(two.first, "同年度").is_some()
        || BEHIND.iter().any(|it| lexemes.phrase_at(next, it).is_some());
    if is_same && start.year.is_some() && end.year.is_none() {
        two.candidates = vec![PartialDate { year: start.year, ..end }];
        two.calendar = one.calendar;
        two.may_be_duration = false;
    }
}

/// The only reading of a date, where there is one.
fn only(token: &DateToken) -> Option<PartialDate> {
    token.candidates.first().copied().filter(|_| token.candidates.len() == 1)
}

/// 110年1月1日至3月31日 ends in the same year; "1 March to 5 April 2020" begins in it.
fn lend_year(lexemes: &Lexemes<'_>, one: &mut DateToken, two: &mut DateToken) {
    let (Some(start), Some(end)) = (only(one), only(two)) else { return };
    let in_order = start.month.is_some()
        && (start.month, start.day.unwrap_or(1)) <= (end.month, end.day.unwrap_or(31));
    if !in_order || !joined(lexemes, one.end, two.first) {
        return;
    }
    match (start.year, end.year) {
        (Some(_), None) => {
            two.candidates = vec![PartialDate { year: start.year, ..end }];
            two.calendar = one.calendar;
            two.may_be_duration = false;
        }
        (None, Some(_)) => {
            one.candidates = vec![PartialDate { year: end.year, ..start }];
            one.may_be_duration = false;
        }
        _ => {}
    }
}

/// True where nothing but the joint of a range stands between: 至, 起至, "to", a dash.
fn joined(lexemes: &Lexemes<'_>, from: usize, to: usize) -> bool {
    if to < from || to - from > 6 {
        return false;
    }
    let mut joins = false;
    for at in from..to {
        match lexemes.kind(at) {
            LexKind::Space | LexKind::Break => {}
            _ if is_joint(lexemes, at) => joins = true,
            LexKind::Han if lexemes.head(at) == '起' => {}
            LexKind::Mark if lexemes.head(at) == ',' => {}
            _ => return false,
        }
    }
    joins
}

fn is_joint(lexemes: &Lexemes<'_>, at: usize) -> bool {
    match lexemes.kind(at) {
        LexKind::Mark => is_hyphen(lexemes.head(at)) || lexemes.head(at) == '~',
        LexKind::Han => matches!(lexemes.head(at), '至' | '到' | '迄'),
        LexKind::Word => lexemes.is_word_of(at, &["to", "through", "until", "till"]),
        _ => false,
    }
}

/// The 1 of "1 to 15 April 2020": a day whose month stands at the other end.
fn day_before(lexemes: &Lexemes<'_>, token: &DateToken) -> Option<DateToken> {
    let date = only(token).filter(|it| it.day.is_some() && it.month.is_some())?;
    if lexemes.kind(token.first) != LexKind::Digits {
        return None;
    }
    let joint = lexemes.solid_before(token.first).filter(|it| is_joint(lexemes, *it))?;
    let mut first = lexemes.solid_before(joint)?;
    let end = first + 1;
    if lexemes.is_word_of(first, &["st", "nd", "rd", "th"]) {
        first = first.checked_sub(1)?;
    }
    let day = small_number(lexemes, first).filter(|it| Some(*it) < date.day)?;
    let glued = first
        .checked_sub(1)
        .is_some_and(|it| matches!(lexemes.kind(it), LexKind::Word | LexKind::Mark));
    let stated = PartialDate { day: Some(day), ..date };
    (!glued && stated.is_possible()).then(|| lent(lexemes, (first, end), stated, token))
}

/// The 15 of "April 1 to 15, 2020" and the 15日 of 4月1日至15日.
fn day_after(lexemes: &Lexemes<'_>, token: &DateToken) -> Option<DateToken> {
    let date = only(token).filter(|it| it.day.is_some() && it.month.is_some())?;
    let joint = (token.end..token.end + 4).find(|it| is_joint(lexemes, *it))?;
    if !joined(lexemes, token.end, joint + 1) {
        return None;
    }
    let first = lexemes.solid(joint + 1);
    let chinese = lexemes.kind(token.end - 1) == LexKind::Han;
    if chinese {
        let read = read_plain_or_digits(lexemes, first)?;
        let mark = lexemes.solid(read.end);
        let day =
            read.value.and_then(|it| it.to_i8()).filter(|it| Some(*it) > date.day && *it <= 31)?;
        let stated = PartialDate { day: Some(day), ..date };
        return (lexemes.head(mark) == '日' && stated.is_possible())
            .then(|| lent(lexemes, (first, mark + 1), stated, token));
    }
    let opens_with_month = lexemes.kind(token.first) == LexKind::Word;
    let day = small_number(lexemes, first).filter(|it| opens_with_month && Some(*it) > date.day)?;
    let end = first + 1 + usize::from(lexemes.is_word_of(first + 1, &["st", "nd", "rd", "th"]));
    if unit_after(lexemes, end).is_some() || lexemes.kind(end) == LexKind::Word {
        return None;
    }
    let stated = PartialDate { day: Some(day), ..date };
    stated.is_possible().then(|| lent(lexemes, (first, end), stated, token))
}

fn small_number(lexemes: &Lexemes<'_>, at: usize) -> Option<i8> {
    let digits = lexemes.digits(at).filter(|it| it.len() <= 2)?;
    digits.parse().ok().filter(|it| (1..=31).contains(it))
}

fn lent(
    lexemes: &Lexemes<'_>,
    range: (usize, usize),
    stated: PartialDate,
    lender: &DateToken,
) -> DateToken {
    let (first, end) = range;
    let span = lexemes.span(first, end);
    DateToken {
        span,
        candidates: vec![stated],
        calendar: lender.calendar,
        may_be_duration: false,
        first,
        end,
    }
}
