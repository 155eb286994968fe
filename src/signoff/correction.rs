//! A client's correction: what was written, read as a claim, and put through the same gate as a
//! model's. A near miss is offered back with the page's own words, never taken.

use rust_decimal::Decimal;
use unicode_normalization::UnicodeNormalization;

use crate::gate::judge::judge;
use crate::gate::page::PageText;
use crate::gate::row::GatedRow;
use crate::gate::scope::Scope;
use crate::model::ask::ExtractReply;
use crate::model::claim::{Claim, Op, Value};
use crate::model::finding::{Code, Finding, Verdict};
use crate::model::row::RowRecord;
use crate::model::sheet::Proposal;
use crate::model::signing::{Correction, SignCode};
use crate::model::source::Field;
use crate::text::comparator::Relation;
use crate::text::quantity::{Quantity, read_quantities};

/// What the client wrote; empty where a cell is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written<'a> {
    pub value: &'a str,
    pub quote: &'a str,
}

/// What becomes of a correction.
#[derive(Clone, Debug, PartialEq)]
pub enum Judged {
    Taken(Box<Correction>),
    NotTaken {
        code: SignCode,
        /// The gate's findings, worst first.
        findings: Vec<Finding>,
        /// The page's own words that may be meant.
        suggestion: Option<String>,
        /// The corrected row to be confirmed, where one can be offered.
        proposal: Option<Box<Proposal>>,
    },
}

/// Puts a correction of `row` through the gate.
pub fn judge_correction(
    row: &RowRecord,
    written: &Written,
    page: &PageText,
    fields: &[Field],
) -> Judged {
    let Some(claim) = corrected_claim(&row.claim, written) else {
        return refused(SignCode::CorrectionUnreadable, Vec::new());
    };
    let strict = gate_row(row, &claim, page, fields, true);
    let Some(strict) = strict else { return refused(SignCode::CorrectionRefused, Vec::new()) };
    if strict.is_clear() || is_decided_by_a_person(&strict, row) {
        return Judged::Taken(Box::new(Correction {
            claim: strict.claim().clone(),
            place: strict.place(),
            sentence: strict.sentence().to_owned(),
        }));
    }
    let lenient = gate_row(row, &claim, page, fields, false);
    let offered = lenient.filter(|it| it.place().is_some() && it.verdict() != Verdict::Fail);
    let suggestion = offered
        .as_ref()
        .map(|it| it.claim().snippet.clone())
        .filter(|it| *it != claim.snippet)
        .or_else(|| strict.findings().iter().find_map(|it| it.evidence.clone()));
    let code = if strict.verdict() == Verdict::Fail || strict.place().is_none() {
        SignCode::CorrectionNotInSource
    } else {
        SignCode::CorrectionRefused
    };
    Judged::NotTaken {
        code,
        findings: strict.findings().to_vec(),
        suggestion,
        proposal: offered.map(|it| Box::new(proposal(row, &it))),
    }
}

fn refused(code: SignCode, findings: Vec<Finding>) -> Judged {
    Judged::NotTaken { code, findings, suggestion: None, proposal: None }
}

/// A flag sends a row to a person; where it raises nothing that the person has not seen beside the
/// row, the person has decided it.
fn is_decided_by_a_person(gated: &GatedRow, row: &RowRecord) -> bool {
    let seen: Vec<Code> = row.findings.iter().map(|it| it.code).collect();
    gated.verdict() == Verdict::Flag
        && gated.place().is_some()
        && gated.findings().iter().all(|it| seen.contains(&it.code))
}

fn gate_row(
    row: &RowRecord,
    claim: &Claim,
    page: &PageText,
    fields: &[Field],
    is_strict: bool,
) -> Option<GatedRow> {
    let scope = Scope {
        page_title: &row.page_title,
        heading_path: &row.heading_path,
        fields,
        is_strict,
        ..Scope::default()
    };
    // A row is judged by itself here; how it combines with others was not corrected.
    let alone = Claim { group: None, ..claim.clone() };
    let reply = ExtractReply { rows: vec![alone], groups: Vec::new() };
    let mut gated = judge(page, &reply, &scope).rows;
    if gated.is_empty() { None } else { Some(gated.swap_remove(0)) }
}

fn proposal(row: &RowRecord, gated: &GatedRow) -> Proposal {
    let mut proposed = row.clone();
    proposed.claim = Claim { group: row.claim.group.clone(), ..gated.claim().clone() };
    proposed.place = gated.place();
    gated.sentence().clone_into(&mut proposed.sentence);
    proposed.findings = gated.findings().to_vec();
    proposed.verdict = gated.verdict();
    proposed.review = None;
    Proposal { row: proposed, stands_for: String::new() }
}

/// The claim with the corrected value, operator, unit and snippet in place; `None` where the value
/// cannot be read as one of the kind the row holds.
pub fn corrected_claim(claim: &Claim, written: &Written) -> Option<Claim> {
    let mut corrected = claim.clone();
    if !written.quote.trim().is_empty() {
        written.quote.trim().clone_into(&mut corrected.snippet);
    }
    let text = written.value.trim();
    if text.is_empty() {
        return Some(corrected);
    }
    match &claim.value {
        Value::Bool(_) => corrected.value = Value::Bool(truth(text)?),
        Value::Number(_) | Value::List(_) => amount(text, &mut corrected)?,
        Value::Text(_) | Value::Null => {
            if claim.value == Value::Null && amount(text, &mut corrected).is_some() {
                return Some(corrected);
            }
            corrected.value = Value::Text(text.to_owned());
        }
    }
    Some(corrected)
}

fn truth(text: &str) -> Option<bool> {
    match crate::signoff::word::plain(text).as_str() {
        "yes" | "true" | "是" | "有" => Some(true),
        "no" | "false" | "否" | "無" => Some(false),
        _ => None,
    }
}

/// Reads `65`, `>= 65 years`, `at least 65`, `18 - 25`, `65歲以上` into the claim. The whole text has to
/// be one quantity: nothing beside it is left unread.
fn amount(text: &str, claim: &mut Claim) -> Option<()> {
    let (op, rest) = leading_op(text);
    if op.is_none() && has_leading_zero(rest) {
        claim.value = Value::Text(rest.to_owned());
        return Some(());
    }
    let quantities = read_quantities(rest);
    let [quantity] = quantities.as_slice() else { return None };
    if !covers(quantity, rest) || quantity.numbers.iter().any(|it| !it.others.is_empty()) {
        return None;
    }
    let numbers: Option<Vec<Value>> = quantity.numbers.iter().map(|it| number(it.value)).collect();
    let mut numbers = numbers?;
    match (numbers.len(), op) {
        (1, _) => {
            claim.value = numbers.swap_remove(0);
            claim.op = op.or_else(|| stated_op(quantity)).unwrap_or(single(claim.op));
        }
        (2, None) => {
            claim.value = Value::List(numbers);
            claim.op = Op::Between;
        }
        _ => return None,
    }
    if let Some(unit) = quantity.unit_span.and_then(|it| it.slice(rest)) {
        claim.unit = Some(unit.trim().to_owned());
    }
    Some(())
}

/// An operator for one number, where the row had one for two.
fn single(op: Op) -> Op {
    if matches!(op, Op::Between | Op::In) { Op::Eq } else { op }
}

fn stated_op(quantity: &Quantity) -> Option<Op> {
    match quantity.relation {
        Relation::Equal | Relation::Between => None,
        Relation::AtLeast => Some(Op::Ge),
        Relation::MoreThan => Some(Op::Gt),
        Relation::AtMost => Some(Op::Le),
        Relation::LessThan => Some(Op::Lt),
        Relation::Not => Some(Op::Ne),
    }
}

fn leading_op(text: &str) -> (Option<Op>, &str) {
    const SIGNS: &[(&str, Op)] = &[
        (">=", Op::Ge),
        ("=>", Op::Ge),
        ("≥", Op::Ge),
        ("≧", Op::Ge),
        ("＞＝", Op::Ge),
        ("<=", Op::Le),
        ("=<", Op::Le),
        ("≤", Op::Le),
        ("≦", Op::Le),
        ("＜＝", Op::Le),
        ("!=", Op::Ne),
        ("≠", Op::Ne),
        (">", Op::Gt),
        ("＞", Op::Gt),
        ("<", Op::Lt),
        ("＜", Op::Lt),
        ("=", Op::Eq),
        ("＝", Op::Eq),
    ];
    for (sign, op) in SIGNS {
        if let Some(rest) = text.strip_prefix(sign) {
            return (Some(*op), rest.trim());
        }
    }
    (None, text)
}

/// Digits that begin with a zero are a code, not an amount.
fn has_leading_zero(text: &str) -> bool {
    let plain: String = text.nfkc().collect();
    let is_code = plain.len() > 1 && plain.chars().all(|it| it.is_ascii_digit());
    is_code && plain.starts_with('0')
}

/// True where nothing but the quantity stands in the text.
fn covers(quantity: &Quantity, text: &str) -> bool {
    let mut start = quantity.span.start;
    let mut end = quantity.span.end;
    if let Some(unit) = quantity.unit_span {
        start = start.min(unit.start);
        end = end.max(unit.end);
    }
    let outside = [text.get(..start), text.get(end..)];
    outside.iter().all(|it| it.is_some_and(|it| it.trim().is_empty()))
}

fn number(value: Decimal) -> Option<Value> {
    let number: serde_json::Number = serde_json::from_str(&value.normalize().to_string()).ok()?;
    Some(Value::Number(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corrected(value: &str) -> Option<(Op, String, Option<String>)> {
        let claim = Claim {
            op: Op::Ge,
            value: Value::Number(60.into()),
            unit: Some("years".into()),
            ..Claim::default()
        };
        let it = corrected_claim(&claim, &Written { value, quote: "" })?;
        Some((it.op, it.value.to_string(), it.unit))
    }

    #[test]
    fn a_value_is_read_with_its_operator_and_unit() {
        let years = Some("years".to_owned());
        assert_eq!(corrected("65"), Some((Op::Ge, "65".into(), years.clone())));
        assert_eq!(corrected("> 65"), Some((Op::Gt, "65".into(), years.clone())));
        assert_eq!(corrected("６５"), Some((Op::Ge, "65".into(), years.clone())));
        assert_eq!(corrected("1,200.50"), Some((Op::Ge, "1200.5".into(), years.clone())));
        assert_eq!(corrected("18 - 25"), Some((Op::Between, "[18, 25]".into(), years.clone())));
        assert_eq!(
            corrected("at least 7 months"),
            Some((Op::Ge, "7".into(), Some("months".into())))
        );
        assert_eq!(corrected("65歲以上"), Some((Op::Ge, "65".into(), Some("歲".into()))));
        assert_eq!(corrected("超過65歲"), Some((Op::Gt, "65".into(), Some("歲".into()))));
    }

    #[test]
    fn what_is_not_one_quantity_is_not_read() {
        for text in ["about the same", "65 or 60 if disabled", "see note", "65, but not for miners"]
        {
            assert_eq!(corrected(text), None, "{text}");
        }
        assert_eq!(corrected("0123").map(|it| it.1), Some("0123".into()));
    }

    #[test]
    fn words_and_truth_values_stay_what_they_are() {
        let claim = Claim { value: Value::Bool(true), ..Claim::default() };
        let written = Written { value: "否", quote: "" };
        assert_eq!(corrected_claim(&claim, &written).unwrap().value, Value::Bool(false));
        let claim = Claim { value: Value::Text("1 May".into()), ..Claim::default() };
        let written = Written { value: "1 March 2027", quote: "by 1 March 2027" };
        let corrected = corrected_claim(&claim, &written).unwrap();
        assert_eq!(corrected.value, Value::Text("1 March 2027".into()));
        assert_eq!(corrected.snippet, "by 1 March 2027");
    }
}
