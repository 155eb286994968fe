//! The gate against invented rows of every kind, in both languages.

use countersign::ask::reply::parse_extract_reply;
use countersign::gate::judge::judge_parsed;
use countersign::gate::page::PageText;
use countersign::gate::row::Judgement;
use countersign::gate::scope::{Earlier, Scope};
use countersign::model::claim::Claim;
use countersign::model::source::{Field, FieldKind};
use serde_json::Value as Json;

/// One line a case: `text`, `rows` or `raw`, and for each row its verdict and first reason.
const CASES: &str = include_str!("gate_cases.jsonl");
/// More of them, ordered by the finding that each is about; half of them are rows that must pass.
const KINDS: &str = include_str!("gate_kinds.jsonl");
/// Wordings of official pages: what a benefit, a licence, a tax or a law says, and rows of it.
const WORDINGS: &str = include_str!("gate_wordings.jsonl");

fn cases() -> Vec<Json> {
    let all = CASES.lines().chain(KINDS.lines()).chain(WORDINGS.lines());
    all.map(|it| serde_json::from_str(it).unwrap()).collect()
}

fn strings(case: &Json, key: &str) -> Vec<String> {
    let list = case.get(key).and_then(Json::as_array);
    list.into_iter().flatten().map(|it| it.as_str().unwrap().to_owned()).collect()
}

fn fields_of(case: &Json) -> Vec<Field> {
    let field = |name: String| Field {
        name,
        kind: FieldKind::Any,
        unit: None,
        description: String::new(),
        examples: Vec::new(),
    };
    strings(case, "fields").into_iter().map(field).collect()
}

fn run(case: &Json, is_strict: bool) -> Judgement {
    let raw = match case.get("raw").and_then(Json::as_str) {
        Some(raw) => raw.to_owned(),
        None => serde_json::json!({ "rows": case["rows"] }).to_string(),
    };
    let (fields, examples) = (fields_of(case), strings(case, "examples"));
    let hidden = case.get("hidden").and_then(Json::as_str).unwrap_or_default();
    let was_rows: Vec<Claim> = case
        .get("was_rows")
        .map_or_else(Vec::new, |it| serde_json::from_value(it.clone()).unwrap());
    let was = case.get("was").and_then(Json::as_str);
    let earlier = was.map(|text| Earlier { text, rows: &was_rows });
    let scope = Scope {
        fields: &fields,
        examples: &examples,
        is_strict,
        hidden,
        earlier,
        ..Scope::default()
    };
    let page = PageText::index(case["text"].as_str().unwrap());
    judge_parsed(&page, &parse_extract_reply(&raw, ""), &scope)
}

fn differences(case: &Json) -> Vec<String> {
    let judgement = run(case, false);
    let text = case["text"].as_str().unwrap();
    let mut out = Vec::new();
    let expected = strings(case, "expect");
    let found: Vec<String> = judgement
        .rows
        .iter()
        .map(|row| match row.findings().first() {
            Some(it) => format!("{} {}", row.verdict().as_str(), it.code),
            None => row.verdict().as_str().to_owned(),
        })
        .chain(
            judgement
                .earlier
                .iter()
                .map(|it| format!("{} {}", it.verdict.as_str(), it.verdict.reason())),
        )
        .collect();
    if expected != found {
        let details: Vec<&str> = judgement
            .rows
            .iter()
            .flat_map(|it| it.findings().iter().map(|it| it.detail.as_str()))
            .collect();
        out.push(format!("rows: expected {expected:?}, found {found:?} {details:?}"));
    }
    let state = judgement.page.state.as_str();
    if case["page"] != state {
        out.push(format!("page: expected {}, found {state} {:?}", case["page"], judgement.page));
    }
    if let Some(code) = case.get("page_reason") {
        let first = judgement.page.findings.first().map(|it| it.code.as_str());
        if first != code.as_str() {
            out.push(format!("page reason: expected {code}, found {first:?}"));
        }
    }
    for key in ["source_items", "rows_found"] {
        let count = judgement.page.counts.get(key).map(|it| *it as u64);
        if let Some(want) = case.get(key).filter(|it| it.as_u64() != count) {
            out.push(format!("{key}: expected {want}, found {count:?}"));
        }
    }
    for row in &judgement.rows {
        if let Some(place) = row.place() {
            assert_eq!(place.bytes.slice(text), Some(row.claim().snippet.as_str()));
            let chars: String =
                text.chars().skip(place.chars.start).take(place.chars.len()).collect();
            assert_eq!(chars, row.claim().snippet);
        }
    }
    if let Some(at) = case.get("at") {
        let (quote, nth) =
            (at[0].as_str().unwrap(), usize::try_from(at[1].as_u64().unwrap()).unwrap());
        let wanted = text.match_indices(quote).nth(nth).unwrap().0;
        assert_eq!(judgement.rows[0].place().unwrap().bytes.start, wanted, "{text}");
    }
    out
}

#[test]
fn every_kind_is_told_in_both_languages() {
    let cases = cases();
    assert!(150 < cases.len(), "saw {} cases", cases.len());
    let mut problems = Vec::new();
    for case in &cases {
        for it in differences(case) {
            problems.push(format!("{} {} {it}", case["kind"], case["text"]));
        }
    }
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}
