//! Errors in what a row states: digits, scale, unit, operator, sums, calendars.

use rust_decimal::Decimal;

use crate::gate::values::value::unit_of;
use crate::model::claim::{Claim, Op, Value};
use crate::plant::dice::Dice;
use crate::plant::kind::Kind;
use crate::plant::soil::{Plant, Soil, number_of, with_number};
use crate::text::amounts::unit::Family;

/// Plants an error of one of the kinds named above; `None` where the row has nothing to spoil.
pub fn plant_value(soil: &Soil, kind: Kind, dice: &mut Dice) -> Option<Plant> {
    match kind {
        Kind::DigitChanged | Kind::DigitsSwapped | Kind::DigitLost => digits(soil, kind, dice),
        Kind::ScaleLost => scale(soil),
        Kind::UnitChanged => unit(soil),
        Kind::OperatorAtBorder => operator(soil, at_border),
        Kind::OperatorTurned => operator(soil, turned),
        Kind::ValueComputed => computed(soil),
        Kind::CalendarConfused => calendar(soil),
        _ => None,
    }
}

/// Half of the time in the quote as well: then the quote is no longer on the page.
fn digits(soil: &Soil, kind: Kind, dice: &mut Dice) -> Option<Plant> {
    let claim = soil.claim();
    let (old, new) = match &claim.value {
        Value::Number(it) => {
            let old = it.to_string();
            let new = spoil(&old, kind, dice)?;
            (old, new)
        }
        Value::Text(it) if is_iso_date(it) => {
            let new = spoil(it, kind, dice).filter(|it| is_iso_date(it) && is_day(it))?;
            (it.clone(), new)
        }
        _ => return None,
    };
    let mut changed = match &claim.value {
        Value::Number(_) => with_number(claim, Decimal::from_str_exact(&new).ok()?)?,
        _ => Claim { value: Value::Text(new.clone()), ..claim.clone() },
    };
    let in_quote = soil.quote().contains(&old) && dice.below(2) == 0;
    if in_quote {
        changed.snippet = soil.quote().replacen(&old, &new, 1);
    }
    let number = Decimal::from_str_exact(&new).ok();
    let is_true = !in_quote && number.is_some_and(|it| soil.states(it));
    let is_same = number.is_some() && number == Decimal::from_str_exact(&old).ok();
    (!is_same).then(|| Plant { claim: changed, change: format!("{old} -> {new}"), is_true })
}

fn spoil(old: &str, kind: Kind, dice: &mut Dice) -> Option<String> {
    let places: Vec<usize> =
        old.bytes().enumerate().filter(|(_, it)| it.is_ascii_digit()).map(|(at, _)| at).collect();
    let mut bytes = old.as_bytes().to_vec();
    match kind {
        Kind::DigitChanged => {
            let at = *dice.pick(&places)?;
            let step = u8::try_from(1 + dice.below(8)).ok()?;
            bytes[at] = b'0' + (bytes[at] - b'0' + step) % 10;
        }
        Kind::DigitsSwapped => {
            let pairs: Vec<usize> = places
                .iter()
                .copied()
                .filter(|at| places.contains(&(at + 1)) && bytes[*at] != bytes[at + 1])
                .collect();
            let at = *dice.pick(&pairs)?;
            bytes.swap(at, at + 1);
        }
        _ => {
            if places.len() < 2 || is_iso_date(old) {
                return None;
            }
            bytes.remove(*dice.pick(&places)?);
        }
    }
    let new = String::from_utf8(bytes).ok()?;
    let is_number = is_iso_date(old) || Decimal::from_str_exact(&new).is_ok_and(|it| !it.is_zero());
    (new != old && is_number && !new.starts_with("00")).then_some(new)
}

fn is_iso_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 10 && bytes[4] == b'-' && bytes[7] == b'-'
}

fn is_day(text: &str) -> bool {
    text.parse::<jiff::civil::Date>().is_ok()
}

/// 三萬六千 stated as 3.6, 1.2 million as 1,200.
fn scale(soil: &Soil) -> Option<Plant> {
    let old = number_of(soil.claim())?;
    let by = [10_000, 1_000].map(Decimal::from).into_iter().find(|it| *it <= old)?;
    let new = old.checked_div(by)?.normalize();
    let claim = with_number(soil.claim(), new)?;
    let is_true = soil.states(new);
    Some(Plant { claim, change: format!("{old} -> {new}"), is_true })
}

/// The unit of a neighbouring family or size: never one that words the same thing.
fn unit(soil: &Soil) -> Option<Plant> {
    const SWAPS: &[(&str, &[&str])] = &[
        ("years", &["months", "%"]),
        ("months", &["weeks", "years"]),
        ("weeks", &["months", "days"]),
        ("days", &["months", "hours"]),
        ("hours", &["days", "minutes"]),
        ("歲", &["月", "日"]),
        ("年", &["月", "日"]),
        ("月", &["年", "日"]),
        ("日", &["月", "年"]),
        ("%", &["years", "日"]),
        ("倍", &["%", "年"]),
        ("元", &["EUR", "%"]),
    ];
    number_of(soil.claim())?;
    let old = soil.claim().unit.as_deref()?;
    let unit = unit_of(soil.claim())?.0;
    let new = match SWAPS.iter().find(|it| it.0 == old) {
        Some((_, options)) => options[old.len() % options.len()],
        None if unit.family == Family::Money && old.starts_with("USD") => "EUR",
        None if unit.family == Family::Money => "USD",
        None => return None,
    };
    let claim = Claim { unit: Some(new.to_owned()), ..soil.claim().clone() };
    let bare = new.trim_end_matches('s');
    let is_true = soil.quote().to_lowercase().contains(bare) && bare != "月" && bare != "日";
    Some(Plant { claim, change: format!("{old} -> {new}"), is_true })
}

fn operator(soil: &Soil, change: impl Fn(Op) -> Option<Op>) -> Option<Plant> {
    let old = soil.claim().op;
    let new = change(old)?;
    let is_plain = matches!(soil.claim().value, Value::Number(_))
        || matches!(&soil.claim().value, Value::Text(it) if is_iso_date(it));
    let claim = Claim { op: new, ..soil.claim().clone() };
    let change = format!("{} -> {}", old.as_str(), new.as_str());
    is_plain.then_some(Plant { claim, change, is_true: false })
}

fn at_border(op: Op) -> Option<Op> {
    Some(match op {
        Op::Ge => Op::Gt,
        Op::Gt => Op::Ge,
        Op::Le => Op::Lt,
        Op::Lt => Op::Le,
        _ => return None,
    })
}

fn turned(op: Op) -> Option<Op> {
    Some(match op {
        Op::Ge => Op::Le,
        Op::Gt => Op::Lt,
        Op::Le => Op::Ge,
        Op::Lt => Op::Gt,
        _ => return None,
    })
}

/// Years stated as months, months as years, weeks as days, a share as the rest of it.
fn computed(soil: &Soil) -> Option<Plant> {
    const STEPS: &[(&str, &str, i64)] = &[
        ("years", "months", 12),
        ("年", "月", 12),
        ("歲", "月", 12),
        ("weeks", "days", 7),
        ("hours", "minutes", 60),
        ("USD/month", "USD/year", 12),
        ("TWD/月", "TWD/年", 12),
    ];
    let old = number_of(soil.claim())?;
    let unit = soil.claim().unit.as_deref()?;
    let (from, to, by) = STEPS.iter().find(|it| it.0 == unit)?;
    let new = old.checked_mul(Decimal::from(*by))?;
    let mut claim = with_number(soil.claim(), new)?;
    claim.unit = Some((*to).to_owned());
    let is_true = soil.states(new);
    Some(Plant { claim, change: format!("{old} {from} -> {new} {to}"), is_true })
}

/// A year of the Republic taken for one of the common era, or the other way round: whichever mistake
/// the spelling of the quote invites.
fn calendar(soil: &Soil) -> Option<Plant> {
    const FIRST_YEAR_BEFORE: i32 = 1911;
    let Value::Text(old) = &soil.claim().value else { return None };
    if !is_iso_date(old) {
        return None;
    }
    let year: i32 = old.get(..4)?.parse().ok()?;
    let is_written = soil.states(Decimal::from(year));
    let new_year = match year {
        _ if is_written => year + FIRST_YEAR_BEFORE,
        _ if year > FIRST_YEAR_BEFORE => year - FIRST_YEAR_BEFORE,
        _ => return None,
    };
    let new = format!("{new_year:04}{}", old.get(4..)?);
    let claim = Claim { value: Value::Text(new.clone()), ..soil.claim().clone() };
    Some(Plant { claim, change: format!("{old} -> {new}"), is_true: false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::page::PageText;
    use crate::text::span::Span;

    fn confused(quote: &str, day: &str) -> Option<String> {
        let text = format!("{quote}。\n");
        let page = PageText::index(&text);
        let value = Value::Text(day.to_owned());
        let rows = [Claim { value, op: Op::Ge, snippet: quote.to_owned(), ..Claim::default() }];
        let span = Span::new(0, quote.len());
        let soil = Soil { page: &page, rows: &rows, places: &[Some(span)], at: 0, span };
        calendar(&soil).map(|it| it.claim.value.to_string())
    }

    #[test]
    fn calendars_are_confused_in_the_direction_that_the_quote_invites() {
        let chinese = confused("自民國一百十二年七月一日起申請", "2023-07-01");
        assert_eq!(chinese.as_deref(), Some("0112-07-01"));
        let english = confused("Apply from 1 July 2023", "2023-07-01");
        assert_eq!(english.as_deref(), Some("3934-07-01"));
        let western = confused("自西元2023年7月1日起申請", "2023-07-01");
        assert_eq!(western.as_deref(), Some("3934-07-01"));
        assert_eq!(confused("自七月一日起申請", "0050-07-01"), None);
    }
}
