//! `docs/findings.md` has one section for each code; a new code without its section fails here.
//!
//! It also holds the cases that need more than a bare page: hidden text and a declared language.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use countersign::ask::reply::ParsedExtract;
use countersign::cli::args::{Format, GateArgs};
use countersign::cli::exit::Exit;
use countersign::cli::gate::run_gate;
use countersign::gate::judge::judge_parsed;
use countersign::gate::page::PageText;
use countersign::gate::row::{Judgement, PageState};
use countersign::gate::scope::Scope;
use countersign::model::ask::ExtractReply;
use countersign::model::claim::{Claim, Op, Value};
use countersign::model::finding::{Code, Finding, Verdict};
use countersign::pipeline::page::candidate::{Lost, as_candidate};

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

/// The source of each test function, from its name to the end of its body.
fn bodies() -> BTreeMap<String, String> {
    let mut bodies = BTreeMap::new();
    let mut folders = vec![
        Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"),
    ];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                for part in text.split("#[test]").skip(1) {
                    let part = part.trim_start();
                    let Some((name, _)) =
                        part.strip_prefix("fn ").and_then(|it| it.split_once('('))
                    else {
                        continue;
                    };
                    let indent = if text.contains(&format!("    #[test]\n    fn {name}(")) {
                        "\n    }"
                    } else {
                        "\n}"
                    };
                    let end = part.find(indent).unwrap_or(part.len());
                    bodies.insert(name.to_owned(), part[..end].to_owned());
                }
            }
        }
    }
    bodies
}

/// Languages that the shared cases show a code in.
fn languages_of_cases(code: &str) -> BTreeSet<bool> {
    let cases = include_str!("gate_cases.jsonl").lines();
    cases
        .map(|it| serde_json::from_str::<serde_json::Value>(it).unwrap())
        .filter(|case| {
            let expect = case["expect"].as_array().into_iter().flatten();
            let shows = |it: &serde_json::Value| {
                it.as_str().is_some_and(|it| it.split(' ').any(|it| it == code))
            };
            case.get("page_reason").is_some_and(|it| it == code) || expect.into_iter().any(shows)
        })
        .map(|case| 3 < han(case["text"].as_str().unwrap()))
        .collect()
}

fn han(text: &str) -> usize {
    text.chars().filter(|it| ('\u{4e00}'..='\u{9fff}').contains(it)).count()
}

#[test]
fn the_named_tests_show_each_code_in_both_languages() {
    let bodies = bodies();
    let mut thin = Vec::new();
    for (code, body) in sections() {
        let names = line(code, body, "Test:").split(", ").map(|it| it.trim_matches('`'));
        let shows_both = |name: &str| {
            if name == "every_kind_is_told_in_both_languages" {
                return languages_of_cases(code).len() == 2;
            }
            let text = bodies.get(name).map(String::as_str).unwrap_or_default();
            4 < han(text)
                && text.contains(' ')
                && text.chars().filter(char::is_ascii_alphabetic).count() > 80
        };
        if !names.into_iter().any(shows_both) {
            thin.push(code);
        }
    }
    assert!(thin.is_empty(), "no named test shows these in both languages: {thin:?}");
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

#[test]
fn a_page_of_no_agreed_source_gives_no_row() {
    for (text, quote) in [
        ("Moorings at the pier cost $90 a month.", "Moorings at the pier cost $90 a month"),
        ("碼頭船席每月九十元，應於月底前繳納。", "碼頭船席每月九十元"),
    ] {
        let judged = |foreign_host| {
            let row =
                judge(text, quote, &Scope { foreign_host, ..Scope::default() }).rows.swap_remove(0);
            (row.verdict(), row.findings().first().map(|it| (it.code, it.evidence.clone())))
        };
        assert_eq!(judged(None).0, Verdict::Pass, "{text}");
        let host = "diary.example".to_owned();
        assert_eq!(
            judged(Some(&host)),
            (Verdict::Fail, Some((Code::UnauthorisedSource, Some(host.clone()))))
        );
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("page.txt"), "Moorings at the pier cost $90 a month.").unwrap();
    fs::write(
        path("rows.jsonl"),
        r#"{"id":"r1","field":"fee","op":"is","value":true,"snippet":"Moorings at the pier cost $90 a month"}"#,
    )
    .unwrap();
    for (hosts, exit) in [
        ("harbour.example", Exit::Waits),
        ("diary.example", Exit::Done),
        ("WWW.Diary.example", Exit::Done),
    ] {
        let context = format!(r#"{{"page": "https://diary.example/1", "hosts": ["{hosts}"]}}"#);
        fs::write(path("context.json"), context).unwrap();
        let args = GateArgs {
            text: path("page.txt"),
            answer: None,
            rows: Some(path("rows.jsonl")),
            examples: Some(path("context.json")),
            strict: false,
        };
        let (mut out, mut err) = (Vec::new(), Vec::new());
        assert_eq!(run_gate(&args, Format::Json, &mut out, &mut err), exit, "{hosts}");
        let found: serde_json::Value = serde_json::from_slice(&out).unwrap();
        let reasons = &found["rows"][0]["reasons"];
        assert_eq!(reasons[0]["source"] == "diary.example", exit == Exit::Waits, "{reasons}");
    }
}

#[test]
fn a_passage_that_is_gone_makes_its_row_stale_in_its_own_language() {
    for (sentence, word) in [
        ("Dogs pay $2 at the gate.", "last seen on 2026-03-01"),
        ("犬隻入場收費二元。", "最後見於 2026-03-01"),
    ] {
        let row = crate::desk::row("r-1", sentence, sentence, &[]);
        let stale = as_candidate(&row, Lost::Gone, Some("2026-03-01"));
        let found: Vec<&Finding> =
            stale.findings.iter().filter(|it| it.code == Code::StaleSnapshot).collect();
        assert!(found.len() == 1 && found[0].detail.contains(word), "{found:?}");
        assert_eq!(as_candidate(&stale, Lost::Gone, None), stale, "said once");
        assert_eq!((stale.status, &stale.claim, stale.place), (row.status, &row.claim, row.place));
    }
}

#[test]
fn a_page_without_words_is_empty_whatever_the_row_says() {
    for text in ["", " \n\u{200b}\n", "— … —"] {
        for quote in ["The permit costs $20 a year", "許可費每年二十元"] {
            let judged = judge(text, quote, &Scope::default());
            assert_eq!(judged.page.state, PageState::Empty, "{text:?}");
            assert_eq!(judged.page.findings[0].code, Code::PageEmpty);
            assert_eq!(judged.rows[0].verdict(), Verdict::Fail);
        }
    }
}

#[test]
fn the_other_script_is_repaired_in_sources_of_either_language() {
    let english = "Visitors park at the pier and walk to the ticket booth at the gate of the old fort.\n\n車輛應停放於後門廣場。\n";
    let chinese = "停車須知\n\n車輛應停放於後門廣場。訪客由正門入場。\n";
    for (text, language) in [(english, "en"), (chinese, "zh-Hant")] {
        let scope = Scope { language, ..Scope::default() };
        let row = judge(text, "车辆应停放于后门广场", &scope).rows.swap_remove(0);
        assert_eq!(row.verdict(), Verdict::Repair, "{text} {:?}", row.findings());
        assert_eq!(row.findings()[0].code, Code::SnippetScript);
        assert_eq!(row.claim().snippet, "車輛應停放於後門廣場");
    }
}

#[test]
fn a_row_of_another_line_of_a_table_is_told() {
    let english = "| Boat | Fee |\n| --- | --- |\n| Rowing boat | $30 |\n| Sailing boat | $80 |\n";
    let chinese = "| 船型 | 費用 |\n| --- | --- |\n| 手划船 | 30 元 |\n| 帆船 | 80 元 |\n";
    for (text, line, unit, right, wrong) in [
        (english, "| Rowing boat | $30 |", "USD", "Rowing boat", "Sailing boat"),
        (chinese, "| 手划船 | 30 元 |", "元", "手划船", "帆船"),
    ] {
        let verdict = |subject: &str| {
            let claim = Claim {
                id: "r1".into(),
                subject: subject.into(),
                field: "fee".into(),
                op: Op::Eq,
                value: Value::Number(30.into()),
                unit: Some(unit.into()),
                snippet: line.into(),
                ..Claim::default()
            };
            let reply = ExtractReply { rows: vec![claim], groups: Vec::new() };
            let judged = judge_parsed(
                &PageText::index(text),
                &ParsedExtract::from(reply),
                &Scope::default(),
            );
            (judged.rows[0].verdict(), judged.rows[0].findings().first().map(|it| it.code))
        };
        assert_eq!(verdict(right), (Verdict::Pass, None), "{text}");
        assert_eq!(verdict(wrong), (Verdict::Fail, Some(Code::WrongCell)), "{text}");
    }
}
