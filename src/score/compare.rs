//! A row against the label it was matched with: value, operator, unit, join, force, field.
//!
//! Never judges whether a row is located; `tally` asks that first.

use std::str::FromStr;

use rust_decimal::Decimal;

use crate::model::claim::{Claim, Op, Value};
use crate::text::amounts::unit::{Family, Unit, parse_unit};

/// What a located row has right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    pub value: bool,
    pub op: bool,
    pub unit: bool,
    pub join: bool,
    pub force: bool,
    pub field: bool,
}

/// Compares a row with a label.
pub fn compare(label: &Claim, row: &Claim) -> Agreement {
    Agreement {
        value: same_value(&label.value, &row.value),
        op: same_op(label.op, row.op),
        unit: same_unit(label.unit.as_deref(), row.unit.as_deref()),
        join: label.join == row.join,
        force: label.force == row.force,
        field: same_field(&label.field, &row.field),
    }
}

/// Numbers by size, dates and words by what they say. A number never equals words.
pub fn same_value(label: &Value, row: &Value) -> bool {
    match (label, row) {
        (Value::Number(_), Value::Number(_)) => {
            let (Some(label), Some(row)) = (decimal(label), decimal(row)) else { return false };
            same_number(label, row)
        }
        (Value::List(labels), Value::List(rows)) => {
            labels.len() == rows.len() && labels.iter().zip(rows).all(|(a, b)| same_value(a, b))
        }
        (Value::Text(label), Value::Text(row)) => same_words(label, row),
        (label, row) => label == row,
    }
}

/// The number of a value, if it is one.
pub fn decimal(value: &Value) -> Option<Decimal> {
    let Value::Number(number) = value else { return None };
    let text = number.to_string();
    Decimal::from_str(&text).or_else(|_| Decimal::from_scientific(&text)).ok()
}

/// Equal, or equal to as many places as a label writes out for a fraction (33.3333 for a third).
fn same_number(label: Decimal, row: Decimal) -> bool {
    label == row || (label.scale() >= 3 && (label - row).abs() < Decimal::new(1, 2))
}

/// `=`, `in` and `is` are one statement; all other operators differ.
fn same_op(label: Op, row: Op) -> bool {
    let is_plain = |op| matches!(op, Op::Eq | Op::Is | Op::In);
    label == row || (is_plain(label) && is_plain(row))
}

/// An ISO date equals only itself. Words agree where one holds the other, or where most of the
/// pairs of neighbouring characters of the shorter one stand in the longer one.
fn same_words(label: &str, row: &str) -> bool {
    let is_date = |it: &str| it.parse::<jiff::civil::Date>().is_ok();
    if is_date(label) || is_date(row) {
        return label.trim() == row.trim();
    }
    let (label, row) = (words_only(label), words_only(row));
    if label.is_empty() || row.is_empty() {
        return label == row;
    }
    let label: String = label.into_iter().collect();
    let row: String = row.into_iter().collect();
    label.contains(&row) || row.contains(&label) || pair_share(&label, &row) >= 0.5
}

fn words_only(text: &str) -> Vec<char> {
    text.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn pair_share(a: &str, b: &str) -> f64 {
    let pairs = |text: &str| -> std::collections::BTreeSet<(char, char)> {
        text.chars().zip(text.chars().skip(1)).collect()
    };
    let (a, b) = (pairs(a), pairs(b));
    let least = a.len().min(b.len());
    if least == 0 {
        return 0.0;
    }
    #[expect(clippy::cast_precision_loss, reason = "a share of a few hundred pairs")]
    let share = a.intersection(&b).count() as f64 / least as f64;
    share
}

/// Units agree by family: `USD/year` is `USD`, `年` is `years`. A label without one asks nothing.
fn same_unit(label: Option<&str>, row: Option<&str>) -> bool {
    let Some(label) = label else { return true };
    let Some(row) = row else { return false };
    if label.trim().eq_ignore_ascii_case(row.trim()) {
        return true;
    }
    match (parse_unit(label), parse_unit(row)) {
        (Some(label), Some(row)) => label.agrees_with(&row) || is_years(&label) && is_years(&row),
        _ => false,
    }
}

/// Years of age and years of time: annotators write one for the other.
fn is_years(unit: &Unit) -> bool {
    unit.family == Family::Age || unit.family == Family::Duration && unit.name == "year"
}

/// Field names agree, or are among four that annotators themselves use for one another.
fn same_field(label: &str, row: &str) -> bool {
    let is_lenient =
        |it| matches!(it, "exclusion" | "penalty" | "measurement" | "other_requirement");
    label == row || (is_lenient(label) && is_lenient(row))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn numbers_agree_by_size_and_never_with_words() {
        assert!(same_value(&number("2.50"), &number("2.5")));
        assert!(same_value(&number("33.3333"), &number("33.33")));
        assert!(!same_value(&number("7759"), &number("7760")));
        assert!(!same_value(&number("65"), &Value::Text("65".into())));
        assert!(same_value(&number("[18, 23]"), &number("[18, 23]")));
    }

    #[test]
    fn words_agree_when_one_holds_the_other_and_dates_only_with_themselves() {
        let text = |it: &str| Value::Text(it.into());
        assert!(same_value(&text("以書面通知限期補正"), &text("應以書面通知限期補正。")));
        assert!(same_value(&text("a surviving spouse"), &text("You’re a surviving spouse")));
        assert!(!same_value(&text("1980-09-08"), &text("1980-09-07")));
        assert!(!same_value(&text("配偶"), &text("父母")));
    }

    #[test]
    fn units_agree_by_family() {
        assert!(same_unit(Some("USD/year"), Some("USD")));
        assert!(same_unit(Some("歲"), Some("years")));
        assert!(!same_unit(Some("months"), Some("years")));
        assert!(!same_unit(Some("%"), None));
        assert!(same_unit(None, Some("years")));
    }
}
