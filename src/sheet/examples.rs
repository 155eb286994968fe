//! Check by example: for each threshold the smallest pair of invented people whom it tells apart.
//!
//! What a rule would do is shown by the rule as extracted, never by the page; so a wrong limit shows
//! as a wrong person. Everything that is invented says so by a letter instead of a name.

use std::collections::BTreeMap;

use jiff::ToSpan;
use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::model::claim::{Claim, Join, Op, Value};
use crate::model::phrase::{about, extracted, field_label};
use crate::model::row::{RowRecord, RowStatus};
use crate::model::sheet::{Column, SheetFacts, SheetLanguage};

/// One pair, as the cells of its row on the tab.
pub type Example = BTreeMap<Column, String>;

/// The pairs for all rows that tell people apart, in the order of the rows.
pub fn examples<'a>(
    rows: impl IntoIterator<Item = &'a RowRecord>,
    facts: &SheetFacts,
) -> Vec<Example> {
    let rows: Vec<&RowRecord> = rows
        .into_iter()
        .filter(|it| matches!(it.status, RowStatus::Accepted | RowStatus::Flagged))
        .collect();
    let mut sizes: BTreeMap<GroupId, usize> = BTreeMap::new();
    for row in &rows {
        if let Some(id) = group_of(row) {
            *sizes.entry(id).or_default() += 1;
        }
    }
    let mut examples = Vec::new();
    for row in rows {
        let others = group_of(row).and_then(|it| sizes.get(&it)).map_or(0, |it| it - 1);
        for pair in pairs(&row.claim) {
            examples.push(example(row, &pair, others, facts));
        }
    }
    examples
}

type GroupId<'a> = (&'a str, &'a str, &'a str, &'a str);

fn group_of(row: &RowRecord) -> Option<GroupId<'_>> {
    let group = row.claim.group.as_deref()?;
    row.claim.join?;
    Some((&row.source, &row.page, &row.item, group))
}

/// The value of somebody who meets a condition, and of somebody who just does not.
#[derive(Debug, PartialEq, Eq)]
struct Pair {
    inside: String,
    outside: String,
}

fn pairs(claim: &Claim) -> Vec<Pair> {
    let pair = |inside: Option<String>, outside: Option<String>| {
        inside.zip(outside).map(|(inside, outside)| Pair { inside, outside })
    };
    let value = &claim.value;
    let made = match claim.op {
        Op::Ge => vec![pair(step(value, 0), step(value, -1))],
        Op::Gt => vec![pair(step(value, 1), step(value, 0))],
        Op::Le => vec![pair(step(value, 0), step(value, 1))],
        Op::Lt => vec![pair(step(value, -1), step(value, 0))],
        Op::Between => match value {
            Value::List(ends) if ends.len() == 2 => vec![
                pair(step(&ends[0], 0), step(&ends[0], -1)),
                pair(step(&ends[1], 0), step(&ends[1], 1)),
            ],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    };
    made.into_iter().flatten().collect()
}

/// The value moved by its smallest step: one day, or one unit of its last written digit.
fn step(value: &Value, by: i64) -> Option<String> {
    match value {
        Value::Number(number) => {
            let number: Decimal = number.to_string().parse().ok()?;
            let unit = Decimal::new(by, number.scale());
            let moved = number.checked_add(unit)?;
            (moved.is_sign_positive() || number.is_sign_negative()).then(|| moved.to_string())
        }
        Value::Text(text) => {
            let date: Date = text.trim().parse().ok()?;
            Some(date.checked_add(by.days()).ok()?.to_string())
        }
        _ => None,
    }
}

fn example(row: &RowRecord, pair: &Pair, others: usize, facts: &SheetFacts) -> Example {
    let language = facts.language;
    let (inside, outside) = people(row, pair, others, facts);
    let (yes, no) = results(row.claim.join, others, language);
    BTreeMap::from([
        (Column::Rule, format!("{}\n{}", extracted(row, facts), about(row))),
        (Column::PersonInside, inside),
        (Column::ResultInside, yes),
        (Column::PersonOutside, outside),
        (Column::ResultOutside, no),
        (Column::Row, row.key.clone()),
    ])
}

fn people(row: &RowRecord, pair: &Pair, others: usize, facts: &SheetFacts) -> (String, String) {
    let language = facts.language;
    let label = field_label(row, facts);
    let unit = row.claim.unit.as_deref().unwrap_or_default();
    let amount = |it: &str| format!("{it} {unit}").trim_end().to_owned();
    let (a, b) = (amount(&pair.inside), amount(&pair.outside));
    let rest = rest(row.claim.join, others, language);
    match language {
        SheetLanguage::English => (
            format!("Person A — {label}: {a}{rest}."),
            format!("Person B — {label}: {b}; everything else the same."),
        ),
        SheetLanguage::Chinese => {
            (format!("甲：{label} {a}{rest}。"), format!("乙：{label} {b}；其餘相同。"))
        }
    }
}

/// What else is true of both people, so that this one condition decides.
fn rest(join: Option<Join>, others: usize, language: SheetLanguage) -> String {
    if others == 0 {
        return String::new();
    }
    match (join, language) {
        (Some(Join::Any | Join::None), SheetLanguage::English) => {
            format!("; meets none of the {others} other conditions of this list")
        }
        (Some(Join::Any | Join::None), SheetLanguage::Chinese) => {
            format!("；本清單其餘 {others} 項皆不符合")
        }
        (_, SheetLanguage::English) => {
            format!("; meets the {others} other conditions of this list")
        }
        (_, SheetLanguage::Chinese) => format!("；本清單其餘 {others} 項皆符合"),
    }
}

fn results(join: Option<Join>, others: usize, language: SheetLanguage) -> (String, String) {
    let what = match (join, others) {
        (Some(Join::None), _) => [["ruled out", "排除"], ["not ruled out", "不排除"]],
        (_, 0) => [["meets this condition", "符合此條件"], ["does not", "不符合"]],
        _ => [["meets the list", "符合此清單"], ["does not", "不符合"]],
    };
    (language.pick(what[0]).to_owned(), language.pick(what[1]).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(op: Op, value: Value) -> Vec<(String, String)> {
        let claim = Claim { op, value, ..Claim::default() };
        pairs(&claim).into_iter().map(|it| (it.inside, it.outside)).collect()
    }

    fn number(it: &str) -> Value {
        serde_json::from_str(it).unwrap()
    }

    fn both(a: &str, b: &str) -> (String, String) {
        (a.to_owned(), b.to_owned())
    }

    #[test]
    fn the_pair_is_the_smallest_that_flips_the_result() {
        assert_eq!(pair(Op::Ge, number("65")), [both("65", "64")]);
        assert_eq!(pair(Op::Gt, number("65")), [both("66", "65")]);
        assert_eq!(pair(Op::Le, number("60")), [both("60", "61")]);
        assert_eq!(pair(Op::Lt, number("2.5")), [both("2.4", "2.5")]);
        let range = Value::List(vec![number("18"), number("25")]);
        assert_eq!(pair(Op::Between, range), [both("18", "17"), both("25", "26")]);
        let day = Value::Text("2027-02-28".into());
        assert_eq!(pair(Op::Le, day), [both("2027-02-28", "2027-03-01")]);
        assert_eq!(pair(Op::Is, Value::Bool(true)), []);
        assert_eq!(pair(Op::Ge, number("0")), [], "nobody is less than nothing");
    }
}
