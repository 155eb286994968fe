//! A judgement as JSON, in the shape that scripts rely on (DESIGN.md section 4).
//!
//! Offsets count from 0, end exclusive; keys are never renamed, only added.

use serde_json::{Map, Value as Json, json};

use crate::gate::row::{CarriedRow, GatedRow, Judgement, PageVerdict};
use crate::model::finding::{Code, Finding};
use crate::model::row::Place;

/// The whole judgement.
pub fn judgement_json(judgement: &Judgement) -> Json {
    let mut rows: Vec<Json> = judgement.rows.iter().map(row_json).collect();
    rows.extend(judgement.earlier.iter().map(carried_json));
    json!({ "page": page_json(judgement), "rows": rows })
}

/// State, reasons and ledger of the page.
pub fn page_json(judgement: &Judgement) -> Json {
    let page = &judgement.page;
    let (used, not_a_condition, open) = judgement.ledger.counts();
    let reasons: Vec<Json> = page.findings.iter().map(|it| page_reason(page, it)).collect();
    json!({
        "state": page.state.as_str(),
        "reasons": reasons,
        "ledger": { "used": used, "not_a_condition": not_a_condition, "open": open },
    })
}

fn page_reason(page: &PageVerdict, finding: &Finding) -> Json {
    let mut reason = reason_map(finding);
    let counts: &[&str] = match finding.code {
        Code::Omission => &["source_items", "rows_found"],
        Code::OutputTruncated => &["rows_recovered"],
        _ => &[],
    };
    for name in counts {
        if let Some(count) = page.counts.get(name) {
            reason.insert((*name).to_owned(), json!(count));
        }
    }
    if finding.code == Code::NoAnswer && !page.docs_without_answer.is_empty() {
        reason.insert("docs_without_answer".to_owned(), json!(page.docs_without_answer));
    }
    Json::Object(reason)
}

/// One row.
pub fn row_json(row: &GatedRow) -> Json {
    let reasons: Vec<Json> = row.findings().iter().map(|it| Json::Object(reason_map(it))).collect();
    let stored = row.place().map(|_| row.claim().snippet.as_str());
    json!({
        "id": row.claim().id,
        "verdict": row.verdict().as_str(),
        "reasons": reasons,
        "stored_snippet": stored,
        "span": row.place().map(span_json),
    })
}

/// One row of the earlier snapshot.
pub fn carried_json(row: &CarriedRow) -> Json {
    json!({
        "id": row.id,
        "verdict": row.verdict.as_str(),
        "reasons": [{ "code": row.verdict.reason(), "detail": row.detail, "model_calls": 0 }],
        "stored_snippet": row.place.map(|_| row.snippet.as_str()),
        "span": row.place.map(span_json),
    })
}

fn span_json(place: Place) -> Json {
    json!({ "bytes": place.bytes, "chars": place.chars })
}

/// Code, sentence, and the deciding words under the name that belongs to the code.
fn reason_map(finding: &Finding) -> Map<String, Json> {
    let mut map = Map::new();
    map.insert("code".to_owned(), json!(finding.code.as_str()));
    map.insert("detail".to_owned(), json!(finding.detail));
    if let (Some(name), Some(evidence)) = (evidence_name(finding.code), &finding.evidence) {
        let value = match finding.code {
            Code::NumberAbsent | Code::NumberFragment | Code::NumberComputed => {
                Json::Array(evidence.split(LIST_MARK).map(number_or_text).collect())
            }
            Code::UnitChanged | Code::DateAmbiguous => {
                Json::Array(evidence.split(LIST_MARK).map(Json::from).collect())
            }
            _ => json!(evidence),
        };
        map.insert(name.to_owned(), value);
    }
    map
}

/// Between the members of an evidence that is a list.
pub const LIST_MARK: &str = " | ";

fn number_or_text(text: &str) -> Json {
    match text.parse::<serde_json::Number>() {
        Ok(it) => Json::Number(it),
        Err(_) => json!(text),
    }
}

/// What the evidence of a code is called.
fn evidence_name(code: Code) -> Option<&'static str> {
    Some(match code {
        Code::SnippetAbsent | Code::SnippetStitched | Code::OutsideContent => "nearest",
        Code::NumberAbsent | Code::NumberFragment | Code::NumberComputed | Code::UnitChanged => {
            "found_numbers"
        }
        Code::OperatorChanged => "source_op",
        Code::ConnectiveChanged => "source_join",
        Code::SnippetCutsNegation => "cut",
        Code::SnippetCutsException | Code::ConditionDropped => "clause_continues",
        Code::HedgeDropped => "hedge",
        Code::ForceChanged => "source_force",
        Code::ScopeChanged => "restriction",
        Code::WrongCell => "quote_row",
        Code::WrongSubject => "quote_subject",
        Code::DateAmbiguous => "candidates",
        Code::Conflict | Code::DuplicateMerged => "other",
        Code::AddedWords | Code::JudgementAdded => "added",
        Code::UnauthorisedSource => "source",
        Code::InstructionText | Code::PageBlocked | Code::Omission => "passage",
        _ => return None,
    })
}
