//! The built-in reader on every page of the corpora, through the gate: what it refuses and how long it takes.

use std::collections::BTreeMap;

use countersign::gate::judge::judge;
use countersign::gate::page::PageText;
use countersign::gate::scope::Scope;
use countersign::items::page::read_page;
use countersign::model::ask::{Ask, ReaderId, Step};
use countersign::model::finding::Verdict;
use countersign::reader::extract::extract;

use crate::gate_gold::{shared, source};

#[test]
fn every_page_is_judged_and_most_rows_of_the_reader_stand() {
    for corpus in ["va", "twlaw", "twlaw_en"] {
        let base = shared().join("corpus").join(corpus).join("bulk");
        let routes: serde_json::Value =
            serde_json::from_slice(&std::fs::read(base.join("routes.json")).unwrap()).unwrap();
        let source = source(corpus);
        let mut codes: BTreeMap<String, usize> = BTreeMap::new();
        let (mut all, mut refused) = (0_u32, 0_u32);
        for (key, route) in routes["routes"].as_object().unwrap() {
            let is_page = route["type"].as_str().is_some_and(|it| it.starts_with("text/html"));
            let Some(file) = route["file"].as_str().filter(|_| is_page) else { continue };
            let bytes = std::fs::read(base.join(file)).unwrap();
            let charset = route["charset"].as_str().unwrap_or("utf-8");
            let encoding = encoding_rs::Encoding::for_label(charset.as_bytes()).unwrap();
            let (html, _, _) = encoding.decode(&bytes);
            let Ok(page) = read_page(&html, &source) else { continue };
            let indexed = PageText::index(&page.text);
            for item in &page.items {
                let ask = Ask {
                    format: "countersign.ask/1".into(),
                    step: Step::Extract,
                    attempt: 1,
                    reader: ReaderId { name: "rules".into(), settings: BTreeMap::new() },
                    language: source.language.clone(),
                    instructions: String::new(),
                    fields: source.fields.clone(),
                    page_title: page.title.clone(),
                    heading_path: item.heading_path.clone(),
                    text: item.span.slice(&page.text).unwrap().to_owned(),
                    rows: Vec::new(),
                    reasons: Vec::new(),
                };
                let reply = extract(&ask);
                let scope = Scope {
                    span: Some(item.span),
                    page_title: &page.title,
                    heading_path: &item.heading_path,
                    fields: &source.fields,
                    language: &source.language,
                    ..Scope::default()
                };
                let judgement = judge(&indexed, &reply, &scope);
                for row in &judgement.rows {
                    all += 1;
                    if row.verdict() < Verdict::Flag {
                        continue;
                    }
                    refused += 1;
                    let claim = row.claim();
                    for it in row.findings() {
                        *codes.entry(it.code.to_string()).or_default() += 1;
                        println!(
                            "{} {key} | {} {} {} {:?} J{:?} F{:?} G{:?} | {} | {} || {}\n    {}",
                            it.code,
                            claim.field,
                            claim.op.as_str(),
                            claim.value,
                            claim.unit,
                            claim.join,
                            claim.force,
                            claim.group,
                            claim.subject,
                            claim.snippet.replace('\n', " "),
                            row.sentence().replace('\n', " "),
                            it.detail.replace('\n', " "),
                        );
                    }
                }
            }
        }
        let share = 100.0 * f64::from(refused) / f64::from(all);
        println!("{corpus}: {refused} of {all} rows refused ({share:.1} in 100) {codes:?}");
        assert!(share < 3.0, "{corpus}: {refused} of {all}");
    }
}
