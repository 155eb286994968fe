//! `docs/formats.md` names every key and word of the formats; a new one without its line fails here.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use countersign::ask::canonical::{ANSWER_FORMAT, ASK_FORMAT};
use countersign::model::claim::Claim;
use countersign::model::decision::DecisionWord;
use countersign::model::row::RowRecord;
use countersign::model::run::RunSummary;
use countersign::model::sheet::SheetLanguage;
use countersign::sources::folder::read_sources;
use countersign::sources::setting::SECTIONS;
use serde_json::{Value, json};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The part of the page under `## title`.
fn section(title: &str) -> String {
    let page = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    let (_, rest) =
        page.split_once(&format!("\n## {title}\n")).unwrap_or_else(|| panic!("{title}"));
    rest.split("\n## ").next().unwrap().to_owned()
}

fn assert_named(title: &str, words: impl IntoIterator<Item = String>) {
    let text = section(title);
    // `extractor.model` and its like are written as `….model`.
    let is_named = |word: &str| {
        let short = word.split_once('.').map_or(word.to_owned(), |(_, key)| format!("….{key}"));
        text.contains(&format!("`{word}`")) || text.contains(&format!("`{short}`"))
    };
    let missing: Vec<String> = words.into_iter().filter(|it| !is_named(it)).collect();
    assert!(missing.is_empty(), "{title} does not name {missing:?}");
}

fn keys(value: &Value) -> BTreeSet<String> {
    value.as_object().unwrap().keys().cloned().collect()
}

#[test]
fn every_key_of_a_source_file_is_named() {
    let mut source = read_sources(root()).unwrap().remove(0);
    source.fields[0].unit = Some("years".to_owned());
    let value = serde_json::to_value(&source).unwrap();
    let nested = keys(&value["politeness"]).into_iter().chain(keys(&value["fields"][0]));
    assert_named("Source file", keys(&value).into_iter().chain(nested));
}

#[test]
fn every_setting_is_named() {
    let names = SECTIONS.iter().flat_map(|(section, keys)| {
        keys.iter().map(move |(key, _)| match *section {
            "" => (*key).to_owned(),
            section => format!("{section}.{key}"),
        })
    });
    assert_named("Project file", names);
}

#[test]
fn every_key_of_a_row_is_named() {
    let claim =
        Claim { group: Some("g".to_owned()), statement: Some("s".to_owned()), ..Claim::default() };
    let claim = serde_json::to_value(&claim).unwrap();
    assert_named("Claim", keys(&claim));
    let mut row = json!({
        "key": "", "source": "", "page": "", "page_title": "", "item": "", "heading_path": [],
        "snapshot": "", "text": "", "place": null, "sentence": "", "status": "accepted",
        "verdict": "pass", "findings": [], "review": null, "read_by": "", "ask": "",
    });
    row.as_object_mut().unwrap().extend(claim.as_object().unwrap().clone());
    let row: RowRecord = serde_json::from_value(row).unwrap();
    let own = &keys(&serde_json::to_value(&row).unwrap()) - &keys(&claim);
    assert_named("Extracted rows", own);
}

#[test]
fn every_key_of_the_run_summary_is_named() {
    let value = serde_json::to_value(RunSummary::default()).unwrap();
    let nested = ["pages", "items", "rows", "changes", "asks", "cost", "ledger"]
        .into_iter()
        .flat_map(|it| keys(&value[it]));
    assert_named("Run summary", keys(&value).into_iter().chain(nested));
}

#[test]
fn the_formats_that_files_carry_are_named() {
    let text = section("Asks and answers");
    for format in [ASK_FORMAT, ANSWER_FORMAT] {
        assert!(text.contains(format), "{format}");
    }
}

#[test]
fn every_decision_is_named_with_its_variants() {
    let text = section("The client's sheet");
    for word in DecisionWord::FOR_ROWS.iter().chain(&DecisionWord::FOR_REMOVALS) {
        let shown = format!(
            "{} · {}",
            word.shown(SheetLanguage::English),
            word.shown(SheetLanguage::Chinese)
        );
        assert!(text.contains(&shown), "{shown}");
        assert!(word.aliases().iter().all(|it| text.contains(it)), "{shown}");
    }
}

/// The words of `model::page`, as its file spells them.
#[test]
fn every_outcome_is_named() {
    let code = fs::read_to_string(root().join("src/model/page.rs")).unwrap();
    let words: Vec<String> = code
        .lines()
        .filter_map(|it| it.split_once("=> \"").and_then(|(_, rest)| rest.split_once('"')))
        .map(|(word, _)| word.to_owned())
        .collect();
    assert!(words.len() >= 16, "{words:?}");
    assert_named("Snapshots and editions", words);
}
