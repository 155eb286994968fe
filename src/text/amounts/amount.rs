//! Amounts: a number or a range with its unit, currency and period, not compared with anything yet.
//! Never joins numbers that only stand side by side.

use rust_decimal::Decimal;

use crate::text::amounts::comparator::{Comparator, Relation};
use crate::text::amounts::measure::{Measured, measure};
use crate::text::amounts::money::Currency;
use crate::text::amounts::period::{per_after, per_before};
use crate::text::amounts::range::is_range;
use crate::text::amounts::unit::{Unit, unit_after};
use crate::text::dates::duration::{implicit_one_at, inner_half, trailing_half};
use crate::text::lexeme::{LexKind, Lexemes};
use crate::text::numbers::number::NumberToken;
use crate::text::numbers::numeral::Spelling;
use crate::text::numbers::numeral_en::scale_word;
use crate::text::numbers::numeral_zh::Form;
use crate::text::numbers::role::Role;
use crate::text::span::Span;

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
    /// The quantity without its comparison words.
    pub fn bare_span(&self) -> Span {
        let spans = || self.numbers.iter().map(|it| it.span).chain(self.unit_span);
        let start = spans().map(|it| it.start).min().unwrap_or(self.span.start);
        let end = spans().map(|it| it.end).max().unwrap_or(self.span.end);
        Span::new(start, end)
    }

    /// The single value, or the lower end.
    pub fn value(&self) -> Decimal {
        self.numbers.first().map_or(Decimal::ZERO, |it| it.value)
    }

    /// True for the digits of "ninety (90) days", which say again what its words say.
    pub fn restates(&self, token: &NumberToken) -> bool {
        self.first < token.first && token.end <= self.end && self.value() == token.value
    }

    /// Where its first number stands, in bytes of the text.
    pub fn first_byte(&self) -> usize {
        self.numbers.iter().map(|it| it.span.start).min().unwrap_or(self.span.start)
    }

    /// Both ends, for a range.
    pub fn ends(&self) -> Option<(Decimal, Decimal)> {
        match self.numbers.as_slice() {
            [low, high] => Some((low.value, high.value)),
            _ => None,
        }
    }
}

/// Every amount of a text, in order, given its numbers.
pub fn amounts_in(lexemes: &Lexemes<'_>, numbers: &[NumberToken]) -> Vec<Quantity> {
    let mut found = bare_quantities(lexemes, numbers);
    with_implied(lexemes, &mut found);
    share_units(lexemes, &mut found);
    found
}

/// Numbers and ranges with their units, not compared yet.
fn bare_quantities(lexemes: &Lexemes<'_>, numbers: &[NumberToken]) -> Vec<Quantity> {
    let mut found: Vec<Quantity> = Vec::new();
    let mut at = 0;
    while let Some(number) = numbers.get(at) {
        at += 1;
        let Some(mut measured) = measure(lexemes, number) else { continue };
        let mut number = number.clone();
        if let Some((end, unit)) = inner_half(lexemes, number.end) {
            number.value += HALF;
            measured = Measured {
                end,
                unit: Some(unit),
                unit_span: Some(lexemes.span(number.end, end)),
                ..measured
            };
        }
        let mut ends = vec![number.clone()];
        if let Some(next) = numbers.get(at)
            && let Some(high) = measure(lexemes, next).filter(|_| is_range(lexemes, &number, next))
            && are_ends(&number, next, &measured, &high)
        {
            ends.push(next.clone());
            share_scale(lexemes, &mut ends, &measured);
            measured = Measured {
                first: measured.first,
                unit_span: high.unit_span.or(measured.unit_span),
                unit: closer_unit(measured.unit, high.unit),
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
        if restated && let Some(again) = numbers.get(at) {
            let end = again.end + usize::from(lexemes.head(again.end) == ')');
            if let Some((start, end, unit)) =
                unit_after(lexemes, end).filter(|_| measured.unit.is_none())
            {
                measured.unit = Some(unit);
                measured.unit_span = Some(lexemes.span(start, end));
                measured.end = end;
            } else {
                measured.end = end;
            }
            at += 1;
        }
        found.push(quantity(lexemes, ends, measured));
    }
    found
}

const HALF: Decimal = Decimal::from_parts(5, 0, 0, false, 1);

/// Of the units of two ends, the one that says more: HK$3,000–$5,000 is all in Hong Kong dollars.
fn closer_unit(low: Option<Unit>, high: Option<Unit>) -> Option<Unit> {
    let exact = |it: &Option<Unit>| {
        it.as_ref().is_some_and(|it| matches!(it.currency, Some(Currency::Code(_))))
    };
    if exact(&low) && !exact(&high) { low } else { high.or(low) }
}

/// 3至5萬元, HK$3–5 million: the scale of the upper end counts for both.
fn share_scale(lexemes: &Lexemes<'_>, ends: &mut [NumberToken], low: &Measured) {
    let [one, two] = ends else { return };
    let last = two.end - 1;
    let scale = match lexemes.head(last) {
        '萬' => Some(10_000),
        '億' => Some(100_000_000),
        _ => scale_word(lexemes, last).filter(|it| *it >= 1000),
    };
    let Some(scale) = scale.map(Decimal::from) else { return };
    let own_unit = low.end > one.end;
    let small = two.value.checked_div(scale).is_some_and(|it| one.value < it);
    if small
        && !own_unit
        && one.form == Form::Plain
        && let Some(scaled) = one.value.checked_mul(scale)
    {
        one.others.push(one.value);
        one.value = scaled;
    }
}

/// False for what only looks like a range: $2-to-$1, "1 month to 2 years" (two units).
fn are_ends(low: &NumberToken, high: &NumberToken, one: &Measured, two: &Measured) -> bool {
    let money = one.unit.as_ref().is_some_and(|it| it.currency.is_some());
    let same = match (&one.unit, &two.unit) {
        (Some(one), Some(two)) => one.agrees_with(two),
        _ => true,
    };
    same && low.value != high.value && !(money && low.value > high.value)
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
        last.value = (last.value + half).normalize();
        end = after;
    }
    let mut first = measured.first;
    if let Some(unit) = &mut unit {
        let (after, mut per) = per_after(lexemes, end, unit);
        end = after;
        let (before, earlier) = per_before(lexemes, first, unit);
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
        let half = trailing_half(lexemes, one.end).map(|it| it.1).unwrap_or_default();
        let number = NumberToken {
            span: lexemes.span(one.first, one.first + 1),
            value: (Decimal::ONE + half).normalize(),
            form: Form::Plain,
            spelling: Spelling::Words,
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
        // "16- or 17-year-olds"
        let joint = if lexemes.head(joint) == '-' { lexemes.solid(joint + 1) } else { joint };
        let joins = matches!(lexemes.head(joint), '、' | '或' | '及' | '和' | '/' | ',')
            || lexemes.is_word_of(joint, &["or", "and"]);
        let plain =
            one.numbers.iter().all(|it| it.form == Form::Plain && !it.times) && !one.implied;
        if one.unit.is_none() && plain && joins && lexemes.solid(joint + 1) == two.first {
            one.unit.clone_from(&two.unit);
            one.unit_span = two.unit_span;
        }
    }
}
