//! A claim's value in the terms a page is read in: numbers, dates, words.
//!
//! It reads what is stated; it never converts a unit or fills in a part of a date.

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::model::claim::{Claim, Op, Value};
use crate::text::amounts::comparator::Relation;
use crate::text::amounts::quantity::{Quantity, read_all};
use crate::text::amounts::unit::{Unit, parse_unit};
use crate::text::dates::date::PartialDate;
use crate::text::numbers::numeral_zh::Form;
use crate::text::span::Span;

/// What a row says the page states.
#[derive(Clone, Debug, PartialEq)]
pub enum Wanted {
    /// Said to be not stated.
    Nothing,
    Truth(bool),
    Number(Decimal),
    Date(PartialDate),
    Words(String),
    /// Both ends of a range, or the members of a list.
    Many(Vec<Wanted>),
}

/// Reads the value of a row.
pub fn wanted_of(claim: &Claim) -> Wanted {
    read(&claim.value, claim.op)
}

fn read(value: &Value, op: Op) -> Wanted {
    match value {
        Value::Null => Wanted::Nothing,
        Value::Bool(it) => Wanted::Truth(*it),
        Value::Number(it) => match decimal(&it.to_string()) {
            Some(number) => Wanted::Number(number),
            None => Wanted::Words(it.to_string()),
        },
        Value::Text(it) => read_text(it, op),
        Value::List(items) => Wanted::Many(items.iter().map(|it| read(it, op)).collect()),
    }
}

fn read_text(text: &str, op: Op) -> Wanted {
    let plain = text.trim();
    if let Some(date) = iso_date(plain) {
        return Wanted::Date(date);
    }
    match decimal(plain) {
        Some(number) if op != Op::Is => Wanted::Number(number),
        _ => match one_quantity(plain).filter(|_| !matches!(op, Op::Is | Op::In)) {
            Some(it) => Wanted::Number(it.value().normalize()),
            None => Wanted::Words(text.to_owned()),
        },
    }
}

/// "65 years", "HK$4,250", 六十五歲: a value written out with its unit, and nothing else.
fn one_quantity(text: &str) -> Option<Quantity> {
    const LONGEST: usize = 40;
    if LONGEST < text.len() {
        return None;
    }
    let mut readings = read_all(text);
    let only = readings.quantities.pop()?;
    if !readings.quantities.is_empty() || !readings.dates.is_empty() {
        return None;
    }
    let is_all = only.span == Span::new(0, text.len());
    let is_plain = only.relation == Relation::Equal && only.numbers.len() == 1 && !only.implied;
    // 五月 is May; 五個月 is a length.
    let is_calendar = only.unit_span.and_then(|it| it.slice(text)) == Some("月");
    // 1/3, 三分之一, "two-thirds": a share needs no unit. 20/200 is how well an eye sees.
    let is_share = only.numbers.iter().any(|it| {
        matches!(it.form, Form::Fraction(num, den) if num < den && den <= Decimal::ONE_HUNDRED)
    });
    (is_all && is_plain && (only.unit.is_some() || is_share) && !is_calendar).then_some(only)
}

/// `65`, `1,200`, `-3.5`, `1e6`.
fn decimal(text: &str) -> Option<Decimal> {
    let is_grouped = text.split(',').skip(1).all(|it| it.len() == 3 || it.contains('.'));
    let plain = if is_grouped { text.replace(',', "") } else { text.to_owned() };
    let number = Decimal::from_str_exact(&plain).or_else(|_| Decimal::from_scientific(&plain));
    number.ok().map(|it| it.normalize())
}

/// `2027-04-03`, `2027-04`, `--04-03`; a bare year is a number.
fn iso_date(text: &str) -> Option<PartialDate> {
    let day = text.get(..10).filter(|_| text.len() == 10 || text[10..].starts_with('T'));
    if let Some(date) = day.and_then(|it| it.parse::<Date>().ok()) {
        let (year, month, day) = (date.year(), date.month(), date.day());
        return Some(PartialDate { year: Some(year), month: Some(month), day: Some(day) });
    }
    let is_digits =
        |it: &str, len: usize| it.len() == len && it.bytes().all(|b| b.is_ascii_digit());
    let parts: Vec<&str> = text.split('-').collect();
    match parts.as_slice() {
        [year, month] if is_digits(year, 4) && is_digits(month, 2) => {
            let month = month.parse().ok().filter(|it| (1..=12).contains(it))?;
            Some(PartialDate { year: year.parse().ok(), month: Some(month), day: None })
        }
        ["", "", month, day] if is_digits(month, 2) && is_digits(day, 2) => {
            Some(PartialDate { year: None, month: month.parse().ok(), day: day.parse().ok() })
        }
        _ => None,
    }
}

/// The unit a row states, and the factor in it: `萬元` is yuan times 10,000.
pub fn unit_of(claim: &Claim) -> Option<(Unit, Decimal)> {
    let Some(stated) = claim.unit.as_deref() else {
        let Value::Text(text) = &claim.value else { return None };
        return one_quantity(text.trim()).and_then(|it| it.unit).map(|it| (it, Decimal::ONE));
    };
    unit_in_words(stated)
}

/// A unit and the scale in front of it or behind it, in the words of a row or of a table's header.
pub fn unit_in_words(words: &str) -> Option<(Unit, Decimal)> {
    let words = words.trim();
    let lower = words.to_ascii_lowercase();
    let (factor, rest) = SCALES
        .iter()
        .find_map(|(word, factor)| {
            let front = lower.strip_prefix(word).map(|it| &words[words.len() - it.len()..]);
            let rest = front.or_else(|| lower.strip_suffix(word).map(|it| &words[..it.len()]));
            rest.map(|it| (Decimal::from(*factor), it))
        })
        .unwrap_or((Decimal::ONE, words));
    match parse_unit(rest.trim()) {
        Some(unit) => Some((unit, factor)),
        None => parse_unit(words).map(|it| (it, Decimal::ONE)),
    }
}

/// Scale words that models write into a unit.
pub const SCALES: &[(&str, i64)] = &[
    ("thousand", 1_000),
    ("million", 1_000_000),
    ("billion", 1_000_000_000),
    ("百萬", 1_000_000),
    ("百万", 1_000_000),
    ("千萬", 10_000_000),
    ("千万", 10_000_000),
    ("萬", 10_000),
    ("万", 10_000),
    ("億", 100_000_000),
    ("亿", 100_000_000),
    ("千", 1_000),
    ("仟", 1_000),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn value(value: Value, op: Op) -> Wanted {
        wanted_of(&Claim { value, op, ..Claim::default() })
    }

    #[test]
    fn values_are_read_as_stated() {
        let number = |it: &str| Wanted::Number(Decimal::from_str_exact(it).unwrap());
        assert_eq!(value(Value::Number(65.into()), Op::Ge), number("65"));
        assert_eq!(value(Value::Text("1,200.50".to_owned()), Op::Eq), number("1200.5"));
        assert_eq!(value(Value::Text("2e5".to_owned()), Op::Eq), number("200000"));
        let date = PartialDate { year: Some(2027), month: Some(4), day: Some(3) };
        assert_eq!(value(Value::Text("2027-04-03".to_owned()), Op::Eq), Wanted::Date(date));
        for words in
            ["2027-13-01", "two or more years", "12-345", "每年四月一日起", "四月一日", "五月"]
        {
            let text = Value::Text(words.to_owned());
            assert_eq!(value(text, Op::Eq), Wanted::Words(words.to_owned()));
        }
        let text = |it: &str| value(Value::Text(it.to_owned()), Op::Ge);
        assert_eq!((text("65 years"), text("六十五歲")), (number("65"), number("65")));
        assert_eq!(value(Value::Null, Op::Eq), Wanted::Nothing);
    }

    #[test]
    fn scales_in_a_unit_are_factors() {
        let unit =
            |it: &str| unit_of(&Claim { unit: Some(it.to_owned()), ..Claim::default() }).unwrap();
        assert_eq!(unit("萬元").1, Decimal::from(10_000));
        assert_eq!(unit("USD million").1, Decimal::from(1_000_000));
        assert_eq!(unit("years").1, Decimal::ONE);
    }
}
