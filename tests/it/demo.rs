//! The demo through the program: bulk run, sign-off and update runs leave what they say they leave.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn countersign(args: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_countersign")).args(args).output().unwrap()
}

fn count(value: &Value, path: &str) -> u64 {
    value.pointer(path).and_then(Value::as_u64).unwrap_or_else(|| panic!("{path} in {value}"))
}

#[test]
fn the_demo_plays_bulk_run_sign_off_and_update() {
    let dir = tempfile::tempdir().unwrap();
    let project = dir.path().join("demo");
    let place = project.to_str().unwrap();
    let output = countersign(&["demo", place, "--format", "json", "--no-progress"]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{told}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();

    let (asked, flagged) = (count(&report, "/items/asked"), count(&report, "/rows/flagged"));
    assert!(asked > 100 && flagged > 2, "{report}");
    let approved = count(&report, "/signoff/approved");
    assert!(approved > 0, "{report}");
    assert_eq!(report.pointer("/signoff/receipt/state").unwrap(), "partial");
    let update = count(&report, "/update/items/asked");
    assert!(update > 0 && update * 4 < asked, "an update asks what changed: {update} of {asked}");
    assert_eq!(count(&report, "/update/changes/removed_candidates"), 0, "gone once is not gone");
    assert!(count(&report, "/update_again/changes/removed_candidates") > 0);
    assert_eq!(count(&report, "/update_again/items/asked"), 0);

    let signed = std::fs::read_to_string(project.join("review/approved.jsonl")).unwrap();
    assert_eq!(signed.lines().count() as u64, approved);
    for path in named_files(&told, place) {
        assert!(Path::new(&path).exists(), "{path} is named and not there");
    }
    let run = report["run"].as_str().unwrap();
    let issued = std::fs::read(project.join("review").join(run).join("issued.json")).unwrap();
    let issued: Value = serde_json::from_slice(&issued).unwrap();
    let why: Vec<&str> = issued["rows"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|it| it["shown"]["why"].as_str())
        .collect();
    assert!(why.iter().any(|it| it.contains("說法不同")), "the sample has rows that contradict");
    let is_id = |it: &str| it.starts_with('r') && it[1..].parse::<u32>().is_ok();
    let names_an_id = |it: &&str| it.split(['「', '」', '"']).any(is_id);
    assert_eq!(why.iter().find(|it| names_an_id(it)), None, "a row's id says nothing to a client");
    let verified = countersign(&["--project", place, "verify"]);
    assert_eq!(verified.status.code(), Some(0), "{}", String::from_utf8_lossy(&verified.stderr));
}

/// The files that the demo says to open.
fn named_files(told: &str, place: &str) -> Vec<String> {
    let (_, steps) = told.split_once("Open next:").unwrap();
    let files: Vec<String> =
        steps.lines().map(str::trim).filter(|it| it.starts_with(place)).map(Into::into).collect();
    assert!(files.len() >= 7, "{steps}");
    files
}
