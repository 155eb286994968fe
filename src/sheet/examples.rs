//! Check by example: for each threshold the smallest pair of invented people whom it tells apart.
//!
//! What a rule would do is shown by the rule as extracted, never by the page; so a wrong limit shows
//! as a wrong person. Everything that is invented says so by a letter instead of a name.

use std::collections::BTreeMap;

use jiff::ToSpan;
use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::model::claim::{Claim, Join, Op, Value};
use crate::model::phrase::{about, amount_words, extracted, field_label};
use crate::model::row::{RowRecord, RowStatus};
use crate::model::sheet::{Column, SheetFacts, SheetLanguage};

/// One pair, as the cells of its row on the tab.
pub type Example = BTreeMap<Column, String>;

/// Most pairs of one sheet: nobody reads more, and the sheet has to open quickly.
const MOST_PAIRS: usize = 2_000;

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
        let mut made = pairs(&row.claim);
        made.extend(having(&row.claim, others, facts.language));
        for pair in made {
            if examples.len() == MOST_PAIRS {
                examples.push(left_out(facts.language));
                return examples;
            }
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

/// Somebody who has what is asked for, and somebody who has not: a card or no card. A condition in
/// words is told apart this way only where it is one of several.
fn having(claim: &Claim, others: usize, language: SheetLanguage) -> Option<Pair> {
    let is_plain = matches!(claim.op, Op::Is | Op::Eq);
    let (yes, no) = language.pick([("yes", "no"), ("是", "否")]);
    match &claim.value {
        Value::Bool(is_so) if is_plain => {
            let (inside, outside) = if *is_so { (yes, no) } else { (no, yes) };
            Some(Pair { inside: inside.to_owned(), outside: outside.to_owned() })
        }
        Value::Text(words) if is_plain && others > 0 && words.trim().parse::<Date>().is_err() => {
            let words = words.trim();
            Some(match language {
                SheetLanguage::English => Pair {
                    inside: format!("yes, \u{201c}{words}\u{201d}"),
                    outside: format!("not so: \u{201c}{words}\u{201d}"),
                },
                SheetLanguage::Chinese => Pair {
                    inside: format!("是，「{words}」"),
                    outside: format!("否，並非「{words}」"),
                },
            })
        }
        _ => None,
    }
}

/// Says that there are more.
fn left_out(language: SheetLanguage) -> Example {
    let text = language.pick([
        "More examples were left out: this tab shows the first 2,000. Every row is on \"Decide\" and \"Accepted\".",
        "其餘例子略去：本頁只列前 2,000 組。所有的列都在「請決定」與「已接受」。",
    ]);
    BTreeMap::from([(Column::Rule, text.to_owned())])
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
    let unit = row.claim.unit.as_deref();
    let amount = |it: &str| amount_words(it, unit, language);
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

    #[test]
    fn a_card_or_no_card_flips_a_condition_without_a_number() {
        let of = |value: Value, others, language| {
            let claim = Claim { op: Op::Is, value, ..Claim::default() };
            having(&claim, others, language).map(|it| (it.inside, it.outside))
        };
        let (en, zh) = (SheetLanguage::English, SheetLanguage::Chinese);
        assert_eq!(of(Value::Bool(true), 0, en), Some(both("yes", "no")));
        assert_eq!(of(Value::Bool(false), 0, zh), Some(both("否", "是")));
        let card = Value::Text("hold a disability card".into());
        let (inside, outside) = of(card.clone(), 2, en).unwrap();
        assert!(inside.contains("yes") && outside.contains("not so"));
        assert_eq!(of(card, 0, en), None, "alone, it says only itself");
        assert_eq!(of(Value::Text("2027-03-01".into()), 2, en), None, "a day is a threshold");
        let (_, outside) = of(Value::Text("領有身心障礙證明".into()), 1, zh).unwrap();
        assert_eq!(outside, "否，並非「領有身心障礙證明」");
    }

    #[test]
    fn a_sheet_of_ten_thousand_limits_shows_the_first_pairs_and_says_so() {
        let claim = Claim { op: Op::Ge, value: number("65"), ..Claim::default() };
        let row = RowRecord { claim, ..blank() };
        let rows: Vec<RowRecord> = (0..3_000).map(|_| row.clone()).collect();
        let facts = facts();
        let made = examples(&rows, &facts);
        assert_eq!(made.len(), MOST_PAIRS + 1);
        assert!(made.last().unwrap()[&Column::Rule].contains("left out"));
    }

    fn blank() -> RowRecord {
        serde_json::from_value(serde_json::json!({
            "key": "k", "id": "r1", "subject": "s", "field": "f", "op": ">=", "value": 1,
            "snippet": "", "source": "s", "page": "p", "page_title": "", "item": "i",
            "heading_path": [], "snapshot": "", "text": "", "place": null, "sentence": "",
            "status": "accepted", "verdict": "pass", "findings": [], "read_by": "", "ask": ""
        }))
        .unwrap()
    }

    fn facts() -> SheetFacts {
        SheetFacts {
            project: String::new(),
            issued_at: jiff::Timestamp::UNIX_EPOCH,
            language: SheetLanguage::English,
            sources: Vec::new(),
            summary: crate::model::run::RunSummary::default(),
            report: None,
            follow_up_of: None,
        }
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
        assert_eq!(pair(Op::Is, Value::Bool(true)), [], "no threshold");
        assert_eq!(pair(Op::Ge, number("0")), [], "nobody is less than nothing");
    }
}
