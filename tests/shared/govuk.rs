//! Lines that models really quoted from GOV.UK pages: the right ones pass, the changed ones do not.

use std::collections::BTreeMap;

use countersign::gate::judge::judge;
use countersign::gate::page::PageText;
use countersign::gate::scope::Scope;
use countersign::model::ask::ExtractReply;
use countersign::model::claim::{Claim, Op, Value};
use countersign::model::finding::{Code, Verdict};

use crate::gate_gold::shared;

#[derive(serde::Deserialize)]
struct Quote {
    id: String,
    page: String,
    quote: String,
    class: String,
    #[serde(default)]
    sub: Option<String>,
}

fn quotes() -> Vec<Quote> {
    let path = shared().join("govuk/quotes.jsonl");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|it| panic!("{path:?}: {it}"));
    text.lines().map(|it| serde_json::from_str(it).unwrap()).collect()
}

fn pages() -> BTreeMap<String, PageText> {
    let dir = shared().join("govuk/pages");
    let read = |page: &str| {
        let text = std::fs::read_to_string(dir.join(format!("{page}.txt"))).unwrap();
        PageText::index(&text)
    };
    quotes().into_iter().map(|it| (it.page.clone(), read(&it.page))).collect()
}

/// Codes that say the quote itself is no quote of the page.
fn is_about_location(code: Code) -> bool {
    matches!(
        code,
        Code::SnippetAbsent
            | Code::SnippetFromExample
            | Code::SnippetStitched
            | Code::SnippetTranslated
            | Code::OutsideContent
    )
}

#[test]
fn exact_lines_pass_changed_ones_never_and_looks_are_repaired() {
    let pages = pages();
    let mut problems = Vec::new();
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut around: BTreeMap<String, usize> = BTreeMap::new();
    for it in quotes() {
        let page = &pages[&it.page];
        let row = Claim {
            id: it.id.clone(),
            subject: String::new(),
            field: "statement".to_owned(),
            op: Op::Is,
            value: Value::Bool(true),
            snippet: it.quote.clone(),
            ..Claim::default()
        };
        let reply = ExtractReply { rows: vec![row], groups: Vec::new() };
        let judgement = judge(page, &reply, &Scope::default());
        let row = &judgement.rows[0];
        let is_located = !row.findings().iter().any(|it| is_about_location(it.code));
        if let Some(place) = row.place() {
            assert_eq!(page.slice(place.bytes), row.claim().snippet, "{}", it.id);
        }
        let codes: Vec<&str> = row.findings().iter().map(|it| it.code.as_str()).collect();
        *counts.entry((it.class.clone(), row.verdict().as_str().to_owned())).or_default() += 1;
        let is_right = match it.class.as_str() {
            "exact" => is_located && row.claim().snippet == it.quote,
            "presentation" => is_located && codes.contains(&"SNIPPET_PRESENTATION"),
            _ => !is_located && row.verdict() == Verdict::Fail,
        };
        if !is_right {
            problems.push(format!("{} {:?} {} {codes:?}: {}", it.class, it.sub, it.id, it.quote));
        }
        let stands = match it.class.as_str() {
            "exact" => row.verdict() == Verdict::Pass,
            "presentation" => row.verdict() == Verdict::Repair,
            _ => true,
        };
        if !stands {
            *around.entry(codes.join("+")).or_default() += 1;
            println!(
                "{codes:?} {:?} {}\n    {}",
                row.findings()[0].evidence,
                it.quote,
                row.sentence()
            );
        }
    }
    println!("{counts:?}\nexact lines with something around them: {around:?}");
    assert!(problems.is_empty(), "{}\n{}", problems.len(), problems.join("\n"));
    // What is left cuts a sentence: "… normally be ready 2 working days", "… and either:",
    // "… every year and whenever there are changes", "If you aren’t given time off …, your employer may".
    let count = |class: &str, verdict: &str| counts.get(&(class.to_owned(), verdict.to_owned()));
    assert_eq!(count("exact", "fail").copied().unwrap_or(0), 2);
    assert_eq!(count("presentation", "fail").copied().unwrap_or(0), 3);
    assert_eq!((count("exact", "flag"), count("presentation", "flag")), (None, None));
}
