//! Whether a claimed value stands in a text: whole, only as a piece of a longer number, only by
//! computation, or not at all. Never decides what follows from it: that is the gate's word.

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use crate::text::amounts::comparator::Relation;
use crate::text::amounts::quantity::{Quantity, Readings};
use crate::text::amounts::unit::{Family, Unit};
use crate::text::dates::date::{DateToken, PartialDate};
use crate::text::numbers::number::NumberToken;
use crate::text::numbers::numeral_zh::Form;
use crate::text::numbers::role::Role;

/// How a claimed number stands in a text.
#[derive(Clone, Debug, PartialEq)]
pub enum Standing {
    /// As a whole number; the quantities, those with an agreeing unit first.
    Whole(Vec<Quantity>),
    /// Only among the digits of longer numbers.
    Fragment(Vec<NumberToken>),
    /// As the year of these dates.
    Year(Vec<DateToken>),
    /// Only as what a conversion of these quantities gives: 24 months of 2 years.
    Computed(Vec<Quantity>),
    /// Only as a reference, an ordinal, a date part, a list marker or a piece of a word.
    NotAValue(Vec<NumberToken>),
    /// Not at all.
    Absent,
}

/// Where `value`, claimed with `unit`, stands in a text that was read.
pub fn seek_number(readings: &Readings, value: Decimal, unit: Option<&Unit>) -> Standing {
    let mut whole: Vec<Quantity> =
        readings.quantities.iter().filter(|it| states(it, value, unit)).cloned().collect();
    if !whole.is_empty() {
        whole.sort_by_key(|it| !unit_agrees(it, unit));
        return Standing::Whole(whole);
    }
    let years = years_stating(readings, value, unit);
    if !years.is_empty() {
        return Standing::Year(years);
    }
    let computed: Vec<Quantity> =
        readings.quantities.iter().filter(|it| gives(it, value, unit)).cloned().collect();
    if !computed.is_empty() {
        return Standing::Computed(computed);
    }
    let pieces: Vec<NumberToken> =
        readings.numbers.iter().filter(|it| holds_digits(it, value)).cloned().collect();
    if !pieces.is_empty() {
        return Standing::Fragment(pieces);
    }
    let named: Vec<NumberToken> = readings
        .numbers
        .iter()
        .filter(|it| it.role != Role::Value && it.value == value)
        .cloned()
        .collect();
    if named.is_empty() { Standing::Absent } else { Standing::NotAValue(named) }
}

/// The dates whose year the value is, where the claim's unit leaves room for a date.
fn years_stating(readings: &Readings, value: Decimal, unit: Option<&Unit>) -> Vec<DateToken> {
    let open = unit.is_none_or(|it| it.family == Family::Date);
    let Some(year) =
        value.to_i16().filter(|it| open && value.fract().is_zero() && (1000..=2999).contains(it))
    else {
        return Vec::new();
    };
    let dates = readings.dates.iter().flat_map(|it| &it.dates);
    dates.filter(|it| it.candidates.iter().any(|it| it.year == Some(year))).cloned().collect()
}

/// The quantities that state both ends, included, of a claimed range: one range, or a lower limit
/// and the next upper limit. `None` where the text states no such range.
pub fn seek_range(
    readings: &Readings,
    ends: (Decimal, Decimal),
    unit: Option<&Unit>,
) -> Option<Vec<Quantity>> {
    let agrees = |it: &&Quantity| unit_agrees(it, unit);
    let whole = readings.quantities.iter().filter(agrees).find(|it| it.ends() == Some(ends));
    if let Some(it) = whole {
        return Some(vec![it.clone()]);
    }
    let limits = readings.quantities.windows(2).find(|pair| {
        let low = pair[0].relation == Relation::AtLeast && pair[0].value() == ends.0;
        let high = pair[1].relation == Relation::AtMost && pair[1].value() == ends.1;
        low && high && agrees(&&pair[0]) && agrees(&&pair[1])
    });
    limits.map(<[Quantity]>::to_vec)
}

/// True where the quantity's unit and the claimed one can be the same; a missing unit is open.
pub fn unit_agrees(quantity: &Quantity, unit: Option<&Unit>) -> bool {
    match (&quantity.unit, unit) {
        (Some(own), Some(claimed)) => {
            own.agrees_with(claimed) || claimed.family == Family::Percent && is_part(quantity)
        }
        _ => true,
    }
}

fn is_part(quantity: &Quantity) -> bool {
    quantity.numbers.iter().any(|it| matches!(it.form, Form::Fraction(..)))
}

/// True where one of the quantity's numbers is the value, in whatever spelling.
fn states(quantity: &Quantity, value: Decimal, unit: Option<&Unit>) -> bool {
    let percent = unit.is_some_and(|it| it.family == Family::Percent && it.name == "percent");
    quantity.numbers.iter().any(|it| {
        it.value == value
            || it.others.contains(&value)
            || rounds_to(it.value, value)
            || percent && it.percent().is_some_and(|it| it == value || rounds_to(it, value))
            || unit.is_none() && it.form != Form::Plain && it.ratio() == Some(value)
    })
}

/// 33.33 for one third: a quotient without end, rounded to at least two decimals.
fn rounds_to(exact: Decimal, value: Decimal) -> bool {
    exact.scale() > 20 && value.scale() >= 2 && exact.round_dp(value.scale()) == value
}

/// Units of time and their lengths in each other, for recognising a computation.
const CONVERSIONS: &[(&str, &str, i64)] = &[
    ("year", "month", 12),
    ("year", "week", 52),
    ("year", "day", 365),
    ("year", "quarter", 4),
    ("quarter", "month", 3),
    ("month", "day", 30),
    ("month", "week", 4),
    ("week", "day", 7),
    ("week", "working-day", 5),
    ("day", "hour", 24),
    ("hour", "minute", 60),
    ("minute", "second", 60),
    ("kilometre", "metre", 1000),
    ("metre", "centimetre", 100),
    ("centimetre", "millimetre", 10),
    ("kilogram", "gram", 1000),
    ("gram", "milligram", 1000),
    ("tonne", "kilogram", 1000),
    ("foot", "inch", 12),
];

/// True where a conversion of the quantity gives the value: other units, other periods, twelfths.
fn gives(quantity: &Quantity, value: Decimal, unit: Option<&Unit>) -> bool {
    let Some(claimed) = unit else {
        return quantity.numbers.iter().any(|it| by_twelve(it.value, value));
    };
    let own = quantity.unit.as_ref();
    let same_family = own.is_none_or(|it| {
        it.family == claimed.family
            || it.family == Family::Age && claimed.family == Family::Duration
    });
    if !same_family {
        return false;
    }
    quantity.numbers.iter().any(|it| {
        let converted = own.is_some_and(|own| converts(it.value, &own.name, value, &claimed.name));
        let money = claimed.family == Family::Money || claimed.family == Family::Frequency;
        converted || money && by_period(it.value, value)
    })
}

fn converts(from: Decimal, own: &str, to: Decimal, claimed: &str) -> bool {
    CONVERSIONS.iter().any(|(large, small, times)| {
        let times = Decimal::from(*times);
        own == *large && claimed == *small && from.checked_mul(times) == Some(to)
            || own == *small && claimed == *large && to.checked_mul(times) == Some(from)
    })
}

fn by_twelve(from: Decimal, to: Decimal) -> bool {
    let twelve = Decimal::from(12);
    from.checked_mul(twelve) == Some(to) || to.checked_mul(twelve) == Some(from)
}

/// A monthly amount from a yearly one and the like, rounded to whole units or cents.
fn by_period(from: Decimal, to: Decimal) -> bool {
    [12, 4, 52, 365].iter().any(|times| {
        let times = Decimal::from(*times);
        let down =
            from.checked_div(times).is_some_and(|it| it.round_dp(0) == to || it.round_dp(2) == to);
        from.checked_mul(times) == Some(to) || down && !to.is_zero()
    })
}

/// True where the value's digits stand inside the digits of a longer number.
fn holds_digits(token: &NumberToken, value: Decimal) -> bool {
    let digits = |it: Decimal| -> String {
        it.abs().normalize().to_string().chars().filter(char::is_ascii_digit).collect()
    };
    let wanted = digits(value);
    let own = digits(token.value);
    let is_reference = matches!(token.role, Role::Reference | Role::WordPart | Role::ListMarker);
    !is_reference
        && token.value.abs() != value.abs()
        && own.len() > wanted.len()
        && own.contains(&wanted)
}

/// How a claimed date stands in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DateStanding {
    /// As stated, or as the other calendar's spelling of the same date.
    Stands(Vec<DateToken>),
    /// As one of several readings of the same digits.
    Ambiguous(Vec<DateToken>),
    /// The text states less: a month where a day is claimed.
    Coarser(Vec<DateToken>),
    /// Not at all.
    Absent,
}

/// Where a claimed date, or as much of it as is claimed, stands in a text that was read.
pub fn seek_date(dates: &[DateToken], claimed: PartialDate) -> DateStanding {
    let matching: Vec<DateToken> = dates
        .iter()
        .filter(|it| it.candidates.iter().any(|it| it.covers(claimed)))
        .cloned()
        .collect();
    let sure: Vec<DateToken> = matching
        .iter()
        .filter(|it| it.candidates.iter().all(|it| it.covers(claimed)))
        .cloned()
        .collect();
    if !sure.is_empty() {
        return DateStanding::Stands(sure);
    }
    if !matching.is_empty() {
        return DateStanding::Ambiguous(matching);
    }
    let coarser: Vec<DateToken> = dates
        .iter()
        .filter(|it| it.candidates.iter().any(|it| claimed.covers(*it)))
        .cloned()
        .collect();
    if coarser.is_empty() { DateStanding::Absent } else { DateStanding::Coarser(coarser) }
}

/// Reads a date as claims write it: `2027-04-03`, `2018-05`, `2018`, or in any spelling of a page.
pub fn parse_date(claimed: &str) -> Option<PartialDate> {
    let claimed = claimed.trim();
    let parts: Vec<&str> = claimed.split('-').collect();
    let number = |it: &str| it.parse::<i16>().ok();
    match parts.as_slice() {
        [year, month] if year.len() == 4 => {
            let month = number(month)
                .and_then(|it| i8::try_from(it).ok())
                .filter(|it| (1..=12).contains(it))?;
            return Some(PartialDate { year: number(year), month: Some(month), day: None });
        }
        ["", "", month, day] => {
            let small = |it: &str| number(it).and_then(|it| i8::try_from(it).ok());
            return Some(PartialDate { year: None, month: small(month), day: small(day) });
        }
        _ => {}
    }
    let dates = crate::text::dates::date::read_dates(claimed);
    let only = dates.first().filter(|it| dates.len() == 1 && it.span.len() == claimed.len())?;
    only.candidates.first().copied().filter(|_| !only.is_ambiguous())
}
