//! `docs/findings.md` has one section for each code; a new code without its section fails here.
//!
//! It also holds the cases that need more than a bare page: hidden text and a declared language.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use countersign::ask::reply::ParsedExtract;
use countersign::gate::judge::judge_parsed;
use countersign::gate::page::PageText;
use countersign::gate::row::Judgement;
use countersign::gate::scope::Scope;
use countersign::model::ask::ExtractReply;
use countersign::model::claim::{Claim, Op, Value};
use countersign::model::finding::Code;

const PAGE: &str = include_str!("../../docs/findings.md");

/// Heading and body of each section, in order.
fn sections() -> Vec<(&'static str, &'static str)> {
    PAGE.split("\n## ").skip(1).map(|it| it.split_once('\n').unwrap()).collect()
}

/// The rest of the line that starts with `label`; panics where there is none or it is empty.
fn line<'a>(code: &str, body: &'a str, label: &str) -> &'a str {
    let rest = body.lines().find_map(|it| it.strip_prefix(label)).unwrap_or_default().trim();
    assert!(!rest.is_empty(), "{code} has no line `{label}`");
    rest
}

/// Names of all functions under a folder that have a `#[test]` of any kind above them.
fn add_tests(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_tests(&path, names);
        } else if path.extension().is_some_and(|it| it == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let mut is_test = false;
            for row in text.lines().map(str::trim) {
                if row.starts_with("#[") {
                    is_test |= row == "#[test]" || row.starts_with("#[tokio::test");
                } else if let Some((_, name)) = row.split_once("fn ").filter(|_| is_test) {
                    names.insert(name.split(['(', '<']).next().unwrap().to_owned());
                    is_test = false;
                }
            }
        }
    }
}

#[test]
fn every_code_has_its_section_and_no_section_names_another() {
    let headings: Vec<&str> = sections().iter().map(|it| it.0).collect();
    let codes: Vec<&str> = Code::ALL.iter().map(|it| it.as_str()).collect();
    assert_eq!(headings, codes);
}

#[test]
fn every_section_says_what_to_do_with_an_example_in_both_languages() {
    for (code, body) in sections() {
        assert!(!body.trim_start().starts_with("Do:"), "{code} does not say what it means");
        line(code, body, "Do:");
        let is_word = |it: &str| line(code, body, "Verdict:").contains(it);
        let words = ["repair", "merge", "flag", "fail", "no row"];
        assert!(words.iter().any(|it| is_word(it)), "{code} names no verdict");
        line(code, body, "English example:");
        let chinese = line(code, body, "Chinese example:");
        let n_han = chinese.chars().filter(|it| ('\u{4e00}'..='\u{9fff}').contains(it)).count();
        assert!(8 < n_han, "{code}: {chinese}");
    }
}

#[test]
fn every_named_test_is_there() {
    let mut names = BTreeSet::new();
    for folder in ["src", "tests"] {
        add_tests(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut names);
    }
    for (code, body) in sections() {
        for name in line(code, body, "Test:").split(", ").map(|it| it.trim_matches('`')) {
            assert!(names.contains(name), "{code} names `{name}`, which is no test");
        }
    }
}

fn judge(text: &str, snippet: &str, scope: &Scope) -> Judgement {
    let claim = Claim {
        id: "r1".into(),
        field: "rule".into(),
        op: Op::Is,
        value: Value::Bool(true),
        snippet: snippet.into(),
        ..Claim::default()
    };
    let reply = ExtractReply { rows: vec![claim], groups: Vec::new() };
    judge_parsed(&PageText::index(text), &ParsedExtract::from(reply), scope)
}

#[test]
fn words_outside_the_content_are_told_from_absent_ones() {
    for (text, hidden, quote) in [
        (
            "The museum opens at nine.",
            "Visitors must leave bags at the desk.",
            "Visitors must leave bags at the desk",
        ),
        ("博物館九時開放。", "訪客應將背包寄放櫃檯。", "訪客應將背包寄放櫃檯"),
    ] {
        let first = |scope: &Scope| judge(text, quote, scope).rows[0].findings()[0].code;
        assert_eq!(first(&Scope { hidden, ..Scope::default() }), Code::OutsideContent, "{text}");
        assert_eq!(first(&Scope::default()), Code::SnippetAbsent, "{text}");
    }
}

#[test]
fn a_page_of_another_language_than_declared_is_suspect() {
    let english = "The ferry leaves from the north pier. Riders must buy a ticket at the booth. \
                   Bicycles travel for free on every boat of the line in summer.";
    let chinese = "渡輪由北碼頭開出。乘客應於售票亭購票。夏季期間，自行車得免費搭乘本線各班渡輪。";
    for (text, quote, own, other) in [
        (english, "Riders must buy a ticket at the booth", "en", "zh-Hant"),
        (chinese, "乘客應於售票亭購票", "zh-Hant", "en"),
    ] {
        let has_code = |language: &str| {
            let judged = judge(text, quote, &Scope { language, ..Scope::default() });
            judged.rows[0].findings().iter().any(|it| it.code == Code::PageSuspect)
        };
        assert!(has_code(other) && !has_code(own), "{text}");
    }
}
