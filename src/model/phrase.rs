//! A row in plain words: what it is about and what was extracted; never words of its own about the
//! page.

use crate::model::claim::{Claim, Force, Join, Op, Value};
use crate::model::finding::Code;
use crate::model::row::RowRecord;
use crate::model::sheet::{SheetFacts, SheetLanguage};
use crate::text::numbers::grouping::thousands_apart;

/// Page title and headings, outermost first, each once.
pub fn about(row: &RowRecord) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in std::iter::once(&row.page_title).chain(&row.heading_path) {
        let part = part.trim();
        if !part.is_empty() && parts.last() != Some(&part) {
            parts.push(part);
        }
    }
    if parts.is_empty() { row.page.clone() } else { parts.join(" › ") }
}

/// True for an open sentence that is asked about: it holds no value and can never be one.
pub fn is_question(row: &RowRecord) -> bool {
    row.claim.field.is_empty() && row.findings.iter().any(|it| it.code == Code::Omission)
}

/// The row as one sentence: `Applicant: age at least 65 years (must)`.
pub fn extracted(row: &RowRecord, facts: &SheetFacts) -> String {
    if is_question(row) {
        return facts.language.pick(["(nothing was extracted)", "（未擷取）"]).to_owned();
    }
    let field = field_label(row, facts);
    stated(&row.claim, &field, facts.language)
}

/// A claim as one sentence, its field named by `field`.
pub fn stated(claim: &Claim, field: &str, language: SheetLanguage) -> String {
    let subject = claim.subject.trim();
    let mut text = String::new();
    if !subject.is_empty() {
        text.push_str(subject);
        text.push_str(language.pick([": ", "："]));
    }
    text.push_str(field);
    text.push_str(language.pick([" ", "："]));
    text.push_str(&condition(claim, language));
    let mut remarks = Vec::new();
    remarks.extend(claim.force.map(|it| force_words(it, language)));
    remarks.extend(claim.join.map(|it| join_words(it, language)));
    if !remarks.is_empty() {
        let separator = language.pick(["; ", "；"]);
        let [open, close] = language.pick([[" (", ")"], ["（", "）"]]);
        text.push_str(open);
        text.push_str(&remarks.join(separator));
        text.push_str(close);
    }
    text
}

/// Operator, value and unit in words: `at least 65 years`.
pub fn condition(claim: &Claim, language: SheetLanguage) -> String {
    let unit = claim.unit.as_deref().map(str::trim).filter(|it| !it.is_empty());
    let unit = unit.map(|it| unit_words(it, language));
    let amount = |value: &Value| match (plain_value(value, language), &unit) {
        (value, Some(unit)) => format!("{value} {unit}"),
        (value, None) => value,
    };
    match (claim.op, &claim.value) {
        (_, Value::Null) => language.pick(["not stated on the page", "網頁未說明"]).to_owned(),
        (Op::Between, Value::List(ends)) if ends.len() == 2 => {
            let (low, high) = (amount(&ends[0]), amount(&ends[1]));
            match language {
                SheetLanguage::English => format!("from {low} to {high} (both included)"),
                SheetLanguage::Chinese => format!("{low} 至 {high}（兩端皆含）"),
            }
        }
        (Op::In, Value::List(members)) => {
            let members: Vec<String> = members.iter().map(amount).collect();
            match language {
                SheetLanguage::English => format!("one of: {}", members.join(", ")),
                SheetLanguage::Chinese => format!("下列之一：{}", members.join("、")),
            }
        }
        (op, value) => format!("{}{}", op_words(op, language), amount(value)),
    }
}

/// What the operator says in words.
pub fn op_words(op: Op, language: SheetLanguage) -> &'static str {
    language.pick(match op {
        Op::Ge => ["at least ", "至少（含）"],
        Op::Gt => ["more than ", "超過（不含）"],
        Op::Le => ["at most ", "至多（含）"],
        Op::Lt => ["less than ", "未滿（不含）"],
        Op::Eq => ["exactly ", "等於 "],
        Op::Ne => ["not ", "不是 "],
        Op::Between => ["between ", "介於 "],
        Op::In => ["one of ", "下列之一："],
        Op::Is => ["is ", ""],
    })
}

/// A printed amount with its unit, as people write it: `3,000,000 TWD`.
pub fn amount_words(amount: &str, unit: Option<&str>, language: SheetLanguage) -> String {
    let unit = unit.map(str::trim).filter(|it| !it.is_empty());
    match unit.map(|it| unit_words(it, language)) {
        Some(unit) => format!("{} {unit}", grouped(amount)),
        None => grouped(amount),
    }
}

/// A unit as people write it: `TWD per month`, `元/月`.
fn unit_words(unit: &str, language: SheetLanguage) -> String {
    const CHINESE: [(&str, &str); 12] = [
        ("yuan", "元"),
        ("copy", "份"),
        ("person", "人"),
        ("household", "戶"),
        ("year", "年"),
        ("month", "月"),
        ("week", "週"),
        ("day", "日"),
        ("hour", "小時"),
        ("time", "次"),
        ("times", "次"),
        ("percent", "%"),
    ];
    let parts = unit.split('/').map(str::trim);
    match language {
        SheetLanguage::English => parts.collect::<Vec<_>>().join(" per "),
        SheetLanguage::Chinese => parts
            .map(|part| CHINESE.iter().find(|it| it.0 == part).map_or(part, |it| it.1))
            .collect::<Vec<_>>()
            .join("/"),
    }
}

/// A number with its thousands set apart, from ten thousand on: `1,200,000`, but `2026`.
fn grouped(number: &str) -> String {
    let (sign, rest) = number.strip_prefix('-').map_or(("", number), |it| ("-", it));
    let (whole, tail) = rest.find('.').map_or((rest, ""), |at| rest.split_at(at));
    if whole.len() < 5 || !whole.bytes().all(|it| it.is_ascii_digit()) {
        return number.to_owned();
    }
    format!("{sign}{}{tail}", thousands_apart(whole))
}

fn plain_value(value: &Value, language: SheetLanguage) -> String {
    match value {
        Value::Bool(true) => language.pick(["yes", "是"]).to_owned(),
        Value::Bool(false) => language.pick(["no", "否"]).to_owned(),
        Value::Number(number) => grouped(&number.to_string()),
        other => other.to_string(),
    }
}

/// The strength of a rule in words: `must`, 應.
pub fn force_words(force: Force, language: SheetLanguage) -> &'static str {
    language.pick(match force {
        Force::Must => ["must", "應"],
        Force::MustNot => ["must not", "不得"],
        Force::Should => ["should", "宜"],
        Force::May => ["may", "得"],
        Force::InPrinciple => ["in principle", "原則上"],
    })
}

/// How a row combines with others, in words.
pub fn join_words(join: Join, language: SheetLanguage) -> &'static str {
    language.pick(match join {
        Join::All => ["one of several, all needed", "數項條件之一，須全部符合"],
        Join::Any => ["one of several, any is enough", "數項條件之一，符合一項即可"],
        Join::None => ["one of several, none may hold", "數項條件之一，須全不符合"],
    })
}

/// The field as the client reads it: its description where that is short, else its name in words.
pub fn field_label(row: &RowRecord, facts: &SheetFacts) -> String {
    let described = facts
        .sources
        .iter()
        .find(|it| it.id == row.source)
        .and_then(|it| it.fields.get(&row.claim.field))
        .map(|it| first_clause(it))
        .filter(|it| !it.is_empty() && it.chars().count() <= 40);
    match described {
        Some(text) => text.to_owned(),
        None => row.claim.field.replace('_', " "),
    }
}

fn first_clause(text: &str) -> &str {
    text.split(['.', '。', ';', '；', ',', '，', ':', '：', '\n', '(', '（'])
        .next()
        .unwrap_or("")
        .trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(op: Op, value: Value) -> Claim {
        Claim { op, value, unit: Some("years".into()), ..Claim::default() }
    }

    fn number(it: i64) -> Value {
        Value::Number(it.into())
    }

    #[test]
    fn whether_the_limit_counts_is_said_in_words() {
        let (en, zh) = (SheetLanguage::English, SheetLanguage::Chinese);
        assert_eq!(condition(&claim(Op::Ge, number(65)), en), "at least 65 years");
        assert_eq!(condition(&claim(Op::Gt, number(65)), en), "more than 65 years");
        assert_eq!(condition(&claim(Op::Lt, number(65)), zh), "未滿（不含）65 years");
        let range = Value::List(vec![number(18), number(25)]);
        assert_eq!(
            condition(&claim(Op::Between, range), en),
            "from 18 years to 25 years (both included)"
        );
        assert_eq!(condition(&claim(Op::Is, Value::Null), en), "not stated on the page");
    }

    #[test]
    fn amounts_are_written_as_people_write_them() {
        let of = |unit: &str, value: Value, language| {
            let claim = Claim { op: Op::Le, value, unit: Some(unit.into()), ..Claim::default() };
            condition(&claim, language)
        };
        let (en, zh) = (SheetLanguage::English, SheetLanguage::Chinese);
        assert_eq!(of("TWD/month", number(1_200_000), en), "at most 1,200,000 TWD per month");
        assert_eq!(of("yuan/month", number(7_800), zh), "至多（含）7800 元/月");
        assert_eq!(of("yuan", number(36_000), zh), "至多（含）36,000 元");
        assert_eq!(grouped("12345.678"), "12,345.678");
        assert_eq!(grouped("-12345"), "-12,345");
        assert_eq!(grouped("2026"), "2026");
        assert_eq!(grouped("1e21"), "1e21");
    }
}
