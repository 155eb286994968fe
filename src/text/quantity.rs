//! Quantities: a number or a range with its unit, currency, period and comparison words.
//! Never lets a comparison word reach a number over a clause border or another number.

use rust_decimal::Decimal;

use crate::text::comparator::{Comparator, Reach, Relation, read_comparators};
use crate::text::date::{DateToken, dates_in};
use crate::text::duration::{implicit_one_at, trailing_half};
use crate::text::lexeme::{LexKind, Lexemes};
use crate::text::measure::{Measured, measure};
use crate::text::number::{NumberToken, numbers_in};
use crate::text::numeral_zh::Form;
use crate::text::period::{per_after, per_before};
use crate::text::range::{is_period, is_range};
use crate::text::reach::{binds_after, binds_before};
use crate::text::role::Role;
use crate::text::span::Span;
use crate::text::unit::{Family, Unit};

/// One quantity of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// From the first comparison word to the last: everything the quantity is read from.
    pub span: Span,
    /// One number, or the two ends of a range, the lower first.
    pub numbers: Vec<NumberToken>,
    /// How the subject compares with it.
    pub relation: Relation,
    /// The comparison words, in order.
    pub comparators: Vec<Comparator>,
    /// What is counted, where the text names it.
    pub unit: Option<Unit>,
    /// Where the unit stands, the currency before the number included.
    pub unit_span: Option<Span>,
    /// True for "a year", where no number is written.
    pub implied: bool,
    /// True for a place in an order that can be compared: 第二等級以上, your 55th birthday.
    pub ordinal: bool,
    /// First lexeme of number and currency.
    pub first: usize,
    /// Lexeme after number, unit and period.
    pub end: usize,
}

impl Quantity {
    /// The single value, or the lower end.
    pub fn value(&self) -> Decimal {
        self.numbers.first().map_or(Decimal::ZERO, |it| it.value)
    }

    /// Both ends, for a range.
    pub fn ends(&self) -> Option<(Decimal, Decimal)> {
        match self.numbers.as_slice() {
            [low, high] => Some((low.value, high.value)),
            _ => None,
        }
    }
}

/// A date, or a period between two, with its comparison words.
#[derive(Clone, Debug, PartialEq)]
pub struct DatedQuantity {
    /// Everything it is read from.
    pub span: Span,
    /// One date, or first and last day.
    pub dates: Vec<DateToken>,
    /// How the subject compares with it.
    pub relation: Relation,
    /// The comparison words, in order.
    pub comparators: Vec<Comparator>,
}

/// Everything of a text that a rule can be about.
#[derive(Clone, Debug, Default)]
pub struct Readings {
    /// Quantities, in order.
    pub quantities: Vec<Quantity>,
    /// Dates and periods, in order.
    pub dates: Vec<DatedQuantity>,
    /// Every number, with those that are no values.
    pub numbers: Vec<NumberToken>,
}

/// Every quantity of `text`, in order.
///
/// ```
/// use countersign::text::comparator::Relation;
/// use countersign::text::quantity::read_quantities;
/// let found = read_quantities("An applicant aged 65 or above pays no more than HK$20 a day.");
/// assert_eq!(found[0].relation, Relation::AtLeast);
/// assert_eq!(found[1].relation, Relation::AtMost);
/// assert_eq!(found[1].unit.as_ref().map(|it| it.name.as_str()), Some("HKD"));
/// ```
pub fn read_quantities(text: &str) -> Vec<Quantity> {
    read_all(text).quantities
}

/// Every quantity, date and number of `text`.
pub fn read_all(text: &str) -> Readings {
    let lexemes = Lexemes::new(text);
    let dates = dates_in(&lexemes);
    let numbers = numbers_in(&lexemes, &dates);
    let comparators = read_comparators(&lexemes);
    let mut quantities = bare_quantities(&lexemes, &numbers);
    with_implied(&lexemes, &mut quantities);
    share_units(&lexemes, &mut quantities);
    bind(&lexemes, &mut quantities, &comparators);
    let dates = dated(&lexemes, &dates, &comparators);
    Readings { quantities, dates, numbers }
}

/// Numbers and ranges with their units, not compared yet.
fn bare_quantities(lexemes: &Lexemes<'_>, numbers: &[NumberToken]) -> Vec<Quantity> {
    let mut found: Vec<Quantity> = Vec::new();
    let mut at = 0;
    while let Some(number) = numbers.get(at) {
        at += 1;
        let Some(mut measured) = measure(lexemes, number) else { continue };
        let mut ends = vec![number.clone()];
        if let Some(next) = numbers.get(at)
            && let Some(high) = measure(lexemes, next).filter(|_| is_range(lexemes, number, next))
        {
            ends.push(next.clone());
            measured = Measured {
                first: measured.first,
                unit_span: high.unit_span.or(measured.unit_span),
                unit: high.unit.or(measured.unit),
                ..high
            };
            at += 1;
        }
        // "twelve (12) months": the digits restate the words.
        let restated = numbers.get(at).is_some_and(|it| {
            it.value == number.value
                && lexemes.head(number.end.max(it.first - 1)) == '('
                && it.first <= number.end + 3
                && ends.len() == 1
        });
        if restated && let Some(inner) = numbers.get(at).and_then(|it| measure(lexemes, it)) {
            measured = Measured { first: measured.first, ..inner };
            at += 1;
        }
        found.push(quantity(lexemes, ends, measured));
    }
    found
}

fn quantity(lexemes: &Lexemes<'_>, mut ends: Vec<NumberToken>, measured: Measured) -> Quantity {
    let relation = if ends.len() == 2 { Relation::Between } else { Relation::Equal };
    if ends.len() == 2 && ends[0].value > ends[1].value {
        ends.swap(0, 1);
    }
    let mut unit = measured.unit;
    let mut end = measured.end;
    if let Some((after, half)) = trailing_half(lexemes, end)
        && let Some(last) = ends.last_mut().filter(|_| unit.is_some())
    {
        last.value += half;
        end = after;
    }
    let mut first = measured.first;
    if let Some(unit) = &mut unit {
        let (after, mut per) = per_after(lexemes, end);
        end = after;
        let (before, earlier) = per_before(lexemes, first);
        first = before.min(first);
        per.extend(earlier);
        unit.per = per;
    }
    let first = if lexemes.kind(first) == LexKind::Space { first + 1 } else { first };
    Quantity {
        span: lexemes.span(first, end),
        ordinal: ends.iter().any(|it| it.role == Role::Ordinal),
        numbers: ends,
        relation,
        comparators: Vec::new(),
        unit,
        unit_span: measured.unit_span,
        implied: false,
        first: measured.first,
        end,
    }
}

/// "Within a year", "a year or more": the article stands for one.
fn with_implied(lexemes: &Lexemes<'_>, quantities: &mut Vec<Quantity>) {
    let mut implied = Vec::new();
    let mut taken = quantities.iter().peekable();
    for at in 0..lexemes.len() {
        while taken.peek().is_some_and(|it| it.end <= at) {
            taken.next();
        }
        if taken.peek().is_some_and(|it| it.first <= at) {
            continue;
        }
        let Some(one) = implicit_one_at(lexemes, at) else { continue };
        let number = NumberToken {
            span: lexemes.span(one.first, one.first + 1),
            value: Decimal::ONE,
            form: Form::Plain,
            spelling: crate::text::numeral::Spelling::Words,
            role: Role::Value,
            others: Vec::new(),
            approximate: false,
            times: false,
            first: one.first,
            end: one.first + 1,
        };
        implied.push(Quantity {
            span: lexemes.span(one.first, one.end),
            numbers: vec![number],
            relation: Relation::Equal,
            comparators: Vec::new(),
            unit: Some(one.unit),
            unit_span: Some(lexemes.span(one.first + 1, one.end)),
            implied: true,
            ordinal: false,
            first: one.first,
            end: one.end,
        });
    }
    quantities.extend(implied);
    quantities.sort_by_key(|it| it.first);
}

/// 一、二、三等級 and "10 or 20 days": the last number's unit counts for all.
fn share_units(lexemes: &Lexemes<'_>, quantities: &mut [Quantity]) {
    for at in (1..quantities.len()).rev() {
        let (left, right) = quantities.split_at_mut(at);
        let (Some(one), Some(two)) = (left.last_mut(), right.first()) else { continue };
        let joint = lexemes.solid(one.end);
        let joins = matches!(lexemes.head(joint), '、' | '或' | '及' | '和' | '/' | ',')
            || lexemes.is_word_of(joint, &["or", "and"]);
        if one.unit.is_none() && joins && lexemes.solid(joint + 1) == two.first {
            one.unit.clone_from(&two.unit);
            one.unit_span = two.unit_span;
        }
    }
}

/// Gives every comparison word to the number it speaks of.
fn bind(lexemes: &Lexemes<'_>, quantities: &mut [Quantity], comparators: &[Comparator]) {
    for comparator in comparators {
        let next = quantities.partition_point(|it| it.first < comparator.end);
        let before = next.checked_sub(1).and_then(|it| quantities.get(it));
        let fits_after = before.is_some_and(|it| {
            binds_after(lexemes, comparator, it.end, it.numbers.last().map_or(it.end, |it| it.end))
        });
        let either_side = comparator.reach == Reach::After || both_sides(lexemes, comparator);
        if either_side && fits_after && !comparator.temporal {
            quantities[next - 1].comparators.push(*comparator);
            continue;
        }
        if comparator.reach == Reach::After {
            continue;
        }
        let is_age = quantities
            .get(next)
            .is_some_and(|it| it.unit.as_ref().is_some_and(|it| it.family == Family::Age));
        let fits_before =
            quantities.get(next).is_some_and(|it| binds_before(lexemes, comparator, it.first));
        if fits_before && (!comparator.temporal || is_age) {
            quantities[next].comparators.push(*comparator);
        }
    }
    for quantity in quantities {
        settle(lexemes, quantity);
    }
}

/// "65 at least", "maximum": words that stand on either side of their number.
fn both_sides(lexemes: &Lexemes<'_>, comparator: &Comparator) -> bool {
    let text = comparator.span.slice(lexemes.text()).unwrap_or_default().to_lowercase();
    matches!(text.as_str(), "at least" | "at most" | "minimum" | "maximum")
        && !matches!(
            lexemes.kind(lexemes.solid(comparator.end)),
            LexKind::Digits | LexKind::Word | LexKind::Han
        )
}

/// One relation from all the words bound: the nearest word before the number, unless a word after
/// it (以上, 以下, 為限) says more.
fn settle(lexemes: &Lexemes<'_>, quantity: &mut Quantity) {
    let first = quantity.first;
    let before = quantity.comparators.iter().rfind(|it| it.first < first).map(|it| it.relation);
    let after = quantity.comparators.iter().find(|it| it.first >= first).map(|it| it.relation);
    let relation = match (before, after) {
        (None, None) => return spread(lexemes, quantity),
        (Some(Relation::MoreThan), Some(_)) => Relation::MoreThan,
        (Some(Relation::LessThan), Some(Relation::AtLeast)) => Relation::LessThan,
        (_, Some(it)) | (Some(it), None) => it,
    };
    if quantity.numbers.len() == 1 {
        quantity.relation = relation;
    }
    spread(lexemes, quantity);
}

fn spread(lexemes: &Lexemes<'_>, quantity: &mut Quantity) {
    for comparator in &quantity.comparators {
        let start = quantity.span.start.min(comparator.span.start);
        quantity.span = Span::new(start, quantity.span.end.max(comparator.span.end));
    }
    debug_assert!(quantity.span.slice(lexemes.text()).is_some());
}

/// Dates and periods with their comparison words.
fn dated(
    lexemes: &Lexemes<'_>,
    dates: &[DateToken],
    comparators: &[Comparator],
) -> Vec<DatedQuantity> {
    let mut found: Vec<(usize, usize, DatedQuantity)> = Vec::new();
    let mut at = 0;
    while let Some(date) = dates.get(at) {
        at += 1;
        let mut days = vec![date.clone()];
        if let Some(last) = dates.get(at).filter(|it| is_period(lexemes, date, it)) {
            days.push(last.clone());
            at += 1;
        }
        let relation = if days.len() == 2 { Relation::Between } else { Relation::Equal };
        let end = days.last().map_or(date.end, |it| it.end);
        let span = lexemes.span(date.first, end);
        found.push((
            date.first,
            end,
            DatedQuantity { span, dates: days, relation, comparators: Vec::new() },
        ));
    }
    for comparator in comparators {
        let next = found.partition_point(|it| it.0 < comparator.end);
        let bound = match comparator.reach {
            Reach::After => next.checked_sub(1).filter(|it| {
                found.get(*it).is_some_and(|it| binds_after(lexemes, comparator, it.1, it.1))
            }),
            _ => Some(next).filter(|it| {
                found.get(*it).is_some_and(|it| binds_before(lexemes, comparator, it.0))
            }),
        };
        let Some((_, _, it)) = bound.and_then(|it| found.get_mut(it)) else { continue };
        it.comparators.push(*comparator);
        it.span = Span::new(
            it.span.start.min(comparator.span.start),
            it.span.end.max(comparator.span.end),
        );
        if it.dates.len() == 1 {
            it.relation = comparator.relation;
        }
    }
    found.into_iter().map(|(_, _, it)| it).collect()
}
