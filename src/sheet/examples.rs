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
use crate::sheet::groups::{Level, Lists};

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
    let lists = Lists::of(&rows);
    let mut examples = Vec::new();
    for row in rows {
        let is_one_of_several = lists.others(row) > 0;
        let mut made = pairs(&row.claim);
        made.extend(having(&row.claim, is_one_of_several, facts.language));
        if made.is_empty() {
            continue;
        }
        let rule = Rule { row, whole: lists.whole(row, facts), levels: lists.levels(row, facts) };
        for pair in made {
            if examples.len() == MOST_PAIRS {
                examples.push(left_out(facts.language));
                return examples;
            }
            examples.push(example(&rule, &pair, facts));
        }
    }
    examples
}

/// A rule as extracted, and the lists that it stands in.
struct Rule<'a> {
    row: &'a RowRecord,
    /// The whole list in words, where it has several members.
    whole: Option<String>,
    /// Its own list first, then those around it.
    levels: Vec<Level>,
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
fn having(claim: &Claim, is_one_of_several: bool, language: SheetLanguage) -> Option<Pair> {
    let is_plain = matches!(claim.op, Op::Is | Op::Eq);
    let (yes, no) = language.pick([("yes", "no"), ("是", "否")]);
    match &claim.value {
        Value::Bool(is_so) if is_plain => {
            let (inside, outside) = if *is_so { (yes, no) } else { (no, yes) };
            Some(Pair { inside: inside.to_owned(), outside: outside.to_owned() })
        }
        Value::Text(words)
            if is_plain && is_one_of_several && words.trim().parse::<Date>().is_err() =>
        {
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

fn example(rule: &Rule, pair: &Pair, facts: &SheetFacts) -> Example {
    let (row, language) = (rule.row, facts.language);
    let (inside, outside) = people(rule, pair, facts);
    let (yes, no) = results(&rule.levels, language);
    let mut lines = vec![extracted(row, facts)];
    let label = language.pick(["The whole list: ", "整份清單："]);
    lines.extend(rule.whole.as_ref().map(|it| format!("{label}{it}")));
    lines.push(about(row));
    BTreeMap::from([
        (Column::Rule, lines.join("\n")),
        (Column::PersonInside, inside),
        (Column::ResultInside, yes),
        (Column::PersonOutside, outside),
        (Column::ResultOutside, no),
        (Column::Row, row.key.clone()),
    ])
}

fn people(rule: &Rule, pair: &Pair, facts: &SheetFacts) -> (String, String) {
    let (row, language) = (rule.row, facts.language);
    let label = field_label(row, facts);
    let unit = row.claim.unit.as_deref();
    let amount = |it: &str| amount_words(it, unit, language);
    let (a, b) = (amount(&pair.inside), amount(&pair.outside));
    let rest: String =
        rule.levels.iter().enumerate().map(|(at, it)| rest(it, at > 0, language)).collect();
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

/// What else is true of both people, so that this one condition decides: of the other members of a
/// list, and of the members of each list around it.
fn rest(level: &Level, is_around: bool, language: SheetLanguage) -> String {
    let others = level.others;
    if others == 0 {
        return String::new();
    }
    let named = match (level.named.as_str(), language) {
        ("", _) => String::new(),
        (named, SheetLanguage::English) => format!(" ({named})"),
        (named, SheetLanguage::Chinese) => format!("（{named}）"),
    };
    let plural = if others == 1 { "" } else { "s" };
    let is_enough = matches!(level.join, Join::Any | Join::None);
    match (language, is_enough, is_around) {
        (SheetLanguage::English, true, false) => {
            format!("; meets none of the {others} other condition{plural} of this list{named}")
        }
        (SheetLanguage::English, false, false) => {
            format!("; meets the {others} other condition{plural} of this list{named}")
        }
        (SheetLanguage::English, true, true) => {
            format!("; nor anything else of the list around it{named}")
        }
        (SheetLanguage::English, false, true) => {
            format!("; and all else that the list around it asks for{named}")
        }
        (SheetLanguage::Chinese, true, false) => {
            format!("；本清單其餘 {others} 項皆不符合{named}")
        }
        (SheetLanguage::Chinese, false, false) => {
            format!("；本清單其餘 {others} 項皆符合{named}")
        }
        (SheetLanguage::Chinese, true, true) => {
            format!("；外層清單其餘 {others} 項皆不符合{named}")
        }
        (SheetLanguage::Chinese, false, true) => {
            format!("；外層清單其餘 {others} 項皆符合{named}")
        }
    }
}

fn results(levels: &[Level], language: SheetLanguage) -> (String, String) {
    let denials = levels.iter().filter(|it| it.join == Join::None).count();
    let others: usize = levels.iter().map(|it| it.others).sum();
    let what = match (denials % 2, others, levels.len()) {
        (1, _, _) => [["ruled out", "排除"], ["not ruled out", "不排除"]],
        (_, 0, _) => [["meets this condition", "符合此條件"], ["does not", "不符合"]],
        (_, _, 1) => [["meets the list", "符合此清單"], ["does not", "不符合"]],
        _ => [["meets the whole list", "符合整份清單"], ["does not", "不符合"]],
    };
    (language.pick(what[0]).to_owned(), language.pick(what[1]).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::claim::Group;

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
            having(&claim, others > 0, language).map(|it| (it.inside, it.outside))
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

    /// All of: aged 65 or over; and any of: a card, ten years of residence. 三層：外層全部、內層其一。
    fn nested() -> Vec<RowRecord> {
        let group = |id: &str, join| Group { id: id.into(), join: Some(join), ..Group::default() };
        let row = |key: &str, field: &str, value: Value, (group_id, join): (&str, Join)| {
            let op = if matches!(value, Value::Bool(_)) { Op::Is } else { Op::Ge };
            let (field, join) = (field.to_owned(), Some(join));
            let claim =
                Claim { op, value, field, join, group: Some(group_id.into()), ..Claim::default() };
            let within = if group_id == "g2" { vec![group("g1", Join::All)] } else { vec![] };
            RowRecord { key: key.into(), claim, within, ..blank() }
        };
        vec![
            row("k1", "age", number("65"), ("g1", Join::All)),
            row("k2", "holds_card", Value::Bool(true), ("g2", Join::Any)),
            row("k3", "residence", number("10"), ("g2", Join::Any)),
        ]
    }

    #[test]
    fn any_inside_all_is_decided_by_one_condition_with_the_others_held_still() {
        let rows = nested();
        let made = examples(&rows, &facts());
        assert_eq!(made.len(), 3);
        let whole = "all of: age at least 65; (any of: holds card is yes; residence at least 10)";
        let results = ["meets the list", "meets the whole list", "meets the whole list"];
        for (it, result) in made.iter().zip(results) {
            assert!(it[&Column::Rule].contains(whole), "{}", it[&Column::Rule]);
            assert_eq!(it[&Column::ResultInside], result);
        }
        let people = |at: usize| made[at][&Column::PersonInside].as_str();
        assert_eq!(
            people(1),
            "Person A — holds card: yes; meets none of the 1 other condition of this list (residence \
             at least 10); and all else that the list around it asks for (age at least 65)."
        );
        let outer = people(0);
        assert!(
            outer.contains("age: 65; meets the 1 other condition of this list ((any of: "),
            "{outer}"
        );
        let chinese = SheetFacts { language: SheetLanguage::Chinese, ..facts() };
        let made = examples(&rows, &chinese);
        let whole = "整份清單：全部符合：age：至少（含）65；（符合其一：holds card：是；residence：至少（含）10）";
        assert!(made[2][&Column::Rule].contains(whole), "{}", made[2][&Column::Rule]);
        let person = &made[2][&Column::PersonInside];
        assert!(
            person.starts_with("甲：residence 10；本清單其餘 1 項皆不符合（holds card：是）"),
            "{person}"
        );
        assert!(person.ends_with("；外層清單其餘 1 項皆符合（age：至少（含）65）。"), "{person}");
    }

    #[test]
    fn a_list_of_which_none_may_hold_inside_a_list_rules_out() {
        let mut rows = nested();
        for row in &mut rows[1..] {
            row.claim.join = Some(Join::None);
        }
        let made = examples(&rows, &facts());
        assert_eq!(made[1][&Column::ResultInside], "ruled out");
        assert!(made[1][&Column::Rule].contains("(none of: "), "{}", made[1][&Column::Rule]);
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
