//! The shared gate cases through the command: verdicts, reasons, spans, page state, named details.

use std::path::{Path, PathBuf};

use countersign::cli::args::{Format, GateArgs};
use countersign::cli::exit::Exit;
use countersign::cli::gate::run_gate;
use serde_json::Value as Json;

fn shared() -> PathBuf {
    std::env::var_os("COUNTERSIGN_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from)
}

fn cases() -> Vec<Json> {
    let path = shared().join("cases/gate.jsonl");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|it| panic!("{path:?}: {it}"));
    text.lines().map(|it| serde_json::from_str(it).unwrap()).collect()
}

/// Runs the command on one case and gives its JSON and exit.
fn run(case: &Json, is_strict: bool) -> (Json, Exit) {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| -> PathBuf {
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let args = GateArgs {
        text: write("page.txt", case["source_text"].as_str().unwrap()),
        answer: Some(write("reply.json", case["model_output"].as_str().unwrap())),
        rows: None,
        examples: case.get("context").map(|it| write("examples.json", &it.to_string())),
        strict: is_strict,
    };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let exit = run_gate(&args, Format::Json, &mut out, &mut err);
    assert!(err.is_empty(), "{}", String::from_utf8_lossy(&err));
    (serde_json::from_slice(&out).unwrap(), exit)
}

/// Everything in which the answer differs from what the case expects.
fn differences(case: &Json, found: &Json, exit: Exit) -> Vec<String> {
    let mut out = Vec::new();
    let expected = &case["expected"];
    let mut check = |what: String, want: &Json, have: &Json| {
        if want != have {
            out.push(format!("{what}: expected {want}, found {have}"));
        }
    };
    check("page".to_owned(), &expected["page"], &found["page"]["state"]);
    let page_reason = &found["page"]["reasons"][0];
    for (key, want) in expected.as_object().unwrap() {
        match key.as_str() {
            "page" | "rows" => {}
            "reason" => check("page reason".to_owned(), want, &page_reason["code"]),
            _ => check(format!("page {key}"), want, &page_reason[key]),
        }
    }
    let rows = expected["rows"].as_array().unwrap();
    check("rows".to_owned(), &rows.len().into(), &found["rows"].as_array().unwrap().len().into());
    for (at, want) in rows.iter().enumerate() {
        let have = &found["rows"][at];
        let reason = &have["reasons"][0];
        for (key, value) in want.as_object().unwrap() {
            let name = format!("row {} {key}", want["id"]);
            match key.as_str() {
                "if_strict" => {}
                "reason" => check(name, value, &reason["code"]),
                "id" | "verdict" | "stored_snippet" | "span" => check(name, value, &have[key]),
                _ => check(name, value, &reason[key]),
            }
        }
    }
    let is_clear = expected["page"] == "ok"
        && rows.iter().all(|it| {
            ["pass", "repair", "merge", "carry_forward"].contains(&it["verdict"].as_str().unwrap())
        });
    let code = if is_clear { Exit::Done } else { Exit::Waits };
    if exit != code {
        out.push(format!("exit: expected {code:?}, found {exit:?}"));
    }
    out
}

#[test]
fn every_case_gets_its_verdict_and_reason() {
    let cases = cases();
    assert!(40 < cases.len(), "saw {} cases", cases.len());
    let mut problems = Vec::new();
    for case in &cases {
        let (found, exit) = run(case, false);
        for it in differences(case, &found, exit) {
            problems.push(format!("{} {it}", case["id"]));
        }
    }
    assert!(problems.is_empty(), "{} differences\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn strict_mode_refuses_what_would_be_repaired() {
    for case in cases() {
        let (found, _) = run(&case, true);
        for (at, want) in case["expected"]["rows"].as_array().unwrap().iter().enumerate() {
            if let Some(strict) = want.get("if_strict") {
                assert_eq!(found["rows"][at]["verdict"], *strict, "{}", case["id"]);
                assert_eq!(found["rows"][at]["reasons"][0]["code"], want["reason"]);
            }
        }
    }
}
