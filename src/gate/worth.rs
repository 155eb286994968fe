//! Whether the stated value is what the quote says: numbers, dates and ranges.

use rust_decimal::Decimal;

use crate::gate::contract::LIST_MARK;
use crate::gate::measure::{check_measure, operator_changed, relation_of};
use crate::gate::number::{explain_missing, find_number};
use crate::gate::stand::Stand;
use crate::gate::value::{Wanted, unit_of, wanted_of};
use crate::model::claim::Op;
use crate::model::finding::{Code, Finding};
use crate::text::comparator::Relation;
use crate::text::date::{DateToken, PartialDate};

/// Everything that is wrong with the value of a row.
pub fn check_value(stand: &Stand) -> Vec<Finding> {
    match wanted_of(stand.claim) {
        Wanted::Nothing => vec![not_stated(stand)],
        Wanted::Truth(_) | Wanted::Words(_) => Vec::new(),
        Wanted::Number(it) => check_number(stand, it, stand.claim.op),
        Wanted::Date(it) => check_date(stand, it, stand.claim.op),
        Wanted::Many(items) => check_many(stand, &items),
    }
}

fn check_number(stand: &Stand, number: Decimal, op: Op) -> Vec<Finding> {
    let factor = unit_of(stand.claim).map_or(Decimal::ONE, |it| it.1);
    let scaled = number.checked_mul(factor).unwrap_or(number);
    let mut sightings = find_number(stand, scaled);
    if sightings.is_empty() && factor != Decimal::ONE {
        sightings = find_number(stand, number);
    }
    if sightings.is_empty() {
        return vec![explain_missing(stand, number)];
    }
    check_measure(stand, &sightings, op)
}

fn check_many(stand: &Stand, items: &[Wanted]) -> Vec<Finding> {
    let each = |op: Op| -> Vec<Finding> {
        let of = |it: &Wanted| match it {
            Wanted::Number(it) => check_number(stand, *it, op),
            Wanted::Date(it) => check_date(stand, *it, op),
            _ => Vec::new(),
        };
        items.iter().flat_map(of).collect()
    };
    if stand.claim.op != Op::Between {
        return each(Op::In);
    }
    let found = each(Op::In);
    if !found.is_empty() {
        return found;
    }
    check_range(stand, items)
}

/// Both ends are in the quote; a range must not make a border of its own inclusive.
fn check_range(stand: &Stand, items: &[Wanted]) -> Vec<Finding> {
    let [Wanted::Number(low), Wanted::Number(high)] = items else { return Vec::new() };
    let strict = [(*low, Relation::MoreThan), (*high, Relation::LessThan)];
    for (number, relation) in strict {
        let sightings = find_number(stand, number);
        let is_strict = |it: &crate::gate::number::Sighting| {
            it.quantity.is_some_and(|q| q.relation == relation && q.numbers.len() == 1)
        };
        if !sightings.is_empty() && sightings.iter().all(is_strict) {
            return vec![operator_changed(stand, relation, Op::Between)];
        }
    }
    Vec::new()
}

fn check_date(stand: &Stand, date: PartialDate, op: Op) -> Vec<Finding> {
    let dates =
        stand.readings.dates.iter().flat_map(|it| it.dates.iter().map(move |token| (it, token)));
    let inside: Vec<_> = dates.filter(|(_, it)| stand.holds(it.span)).collect();
    let states = |token: &DateToken| token.candidates.iter().any(|it| it.covers(date));
    let Some((quantity, token)) = inside.iter().find(|(_, it)| states(it)) else {
        return vec![date_missing(stand, inside.iter().map(|(_, it)| *it))];
    };
    if token.is_ambiguous() {
        return vec![ambiguous(stand, token)];
    }
    let source = quantity.relation;
    // "By 3 May", "from 3 May" name the day itself, so `=` is a fair way to state it.
    let names_day =
        op == Op::Eq && matches!(source, Relation::AtMost | Relation::AtLeast | Relation::Between);
    let fits = relation_of(op).is_none_or(|it| it == source) || names_day;
    if fits { Vec::new() } else { vec![operator_changed(stand, source, op)] }
}

fn ambiguous(stand: &Stand, token: &DateToken) -> Finding {
    let dates: Vec<String> = token.candidates.iter().copied().map(show).collect();
    let list = dates.join(LIST_MARK);
    let detail = stand.page.pick(
        || format!("day and month can be swapped; the date is one of {list}"),
        || format!("日與月可能互換；日期可能是 {list}"),
    );
    Finding { code: Code::DateAmbiguous, detail, place: Some(stand.span), evidence: Some(list) }
}

fn date_missing<'s>(stand: &Stand, found: impl Iterator<Item = &'s DateToken>) -> Finding {
    let list: Vec<String> =
        found.filter_map(|it| it.candidates.first().copied().map(show)).collect();
    let list = list.join(LIST_MARK);
    let value = &stand.claim.value;
    let detail = stand.page.pick(
        || format!("the date {value} is not in the quote ({list})"),
        || format!("引文沒有日期 {value}（{list}）"),
    );
    let evidence = (!list.is_empty()).then_some(list);
    Finding { code: Code::NumberAbsent, detail, place: Some(stand.span), evidence }
}

/// ISO form of what the date states.
fn show(date: PartialDate) -> String {
    match (date.year, date.month, date.day) {
        (Some(year), Some(month), Some(day)) => format!("{year:04}-{month:02}-{day:02}"),
        (Some(year), Some(month), None) => format!("{year:04}-{month:02}"),
        (Some(year), ..) => format!("{year:04}"),
        (None, Some(month), Some(day)) => format!("--{month:02}-{day:02}"),
        (None, Some(month), None) => format!("--{month:02}"),
        _ => String::new(),
    }
}

fn not_stated(stand: &Stand) -> Finding {
    let detail = stand.page.pick(
        || "the page does not state the value; an open point for a person".to_owned(),
        || "頁面沒有寫明數值，是待人工確認的事項".to_owned(),
    );
    Finding { code: Code::NotStated, detail, place: Some(stand.span), evidence: None }
}
