//! Money and the watched reviewer, in bulk runs against a provider that plays.

use std::fs;
use std::path::Path;

use countersign::model::ask::{Ask, Step};
use countersign::model::row::RowRecord;
use serde_json::Value;

use crate::asks::provider::{Play, Seen, completion};
use crate::asks::{
    KEY, PRICES, by_rules, for_project, run_with_key, stored_ask, with_model, words_of,
};
use crate::run::{Project, number, summary};

#[test]
fn the_budget_stops_before_the_call_that_could_cross_it_and_the_next_run_goes_on() {
    let (provider, root) = for_project(by_rules);
    let project = with_model(&provider, "[budget]\nmax_cost = \"0.2\"\n");
    root.set(project.path().to_owned()).unwrap();
    let output = run_with_key(&project, &[]);
    assert_eq!(output.status.code(), Some(5), "{}", words_of(&output));
    let told = summary(&output);
    // 1,000 tokens in at 2 and 100 out at 10 for a million: 0.003 a call.
    let calls = provider.seen().len() as u64;
    assert!(calls > 5, "{told}");
    assert_eq!(number(&told, "/asks/live"), calls);
    let spent: f64 = told.pointer("/cost/actual").and_then(Value::as_str).unwrap().parse().unwrap();
    assert!((spent - 0.003 * calls as f64).abs() < 1e-9 && spent <= 0.2, "{told}");
    assert_eq!(answer_files(&project) as u64, calls, "everything paid for is kept");

    let output = run_with_key(&project, &["--no-crawl", "--max-cost", "100"]);
    let told = summary(&output);
    assert_eq!(output.status.code(), Some(3), "{}", words_of(&output));
    assert_eq!(number(&told, "/items/waiting"), 0, "{told}");
    let marks: Vec<String> = provider.seen().iter().map(|it| it.mark().to_owned()).collect();
    let once: std::collections::BTreeSet<&String> = marks.iter().collect();
    assert_eq!(once.len(), marks.len(), "nothing is paid for twice");
    let steps = ["extract", "review"].map(|it| number(&told, &format!("/cost/steps/{it}/calls")));
    assert_eq!(steps[0] + steps[1] + calls, marks.len() as u64);
}

fn answer_files(project: &Project) -> usize {
    let files = project.files("asks").into_keys();
    files.filter(|it| it.to_string_lossy().ends_with(".answer.json")).count()
}

#[test]
fn each_step_is_priced_by_its_own_model() {
    let (provider, root) = for_project(by_rules);
    let project = with_model(&provider, "");
    root.set(project.path().to_owned()).unwrap();
    let settings = fs::read_to_string(project.path().join("countersign.toml")).unwrap();
    let (first, second) = settings.split_once("[reviewer]").unwrap();
    let second = second.replace("house-model", "other-model");
    project.settings(&format!("{first}[reviewer]{second}"));
    let dearer = PRICES.replace("house-model", "other-model").replace("\"2\"", "\"20\"");
    fs::write(project.path().join("prices.toml"), format!("{PRICES}\n{dearer}")).unwrap();
    let output = run_with_key(&project, &[]);
    let told = summary(&output);
    let asked = |name: &str| provider.seen().iter().filter(|it| it.schema_name() == name).count();
    let wanted = 0.003 * asked("extract_reply") as f64 + 0.021 * asked("review_reply") as f64;
    let spent: f64 = told.pointer("/cost/actual").and_then(Value::as_str).unwrap().parse().unwrap();
    assert!((spent - wanted).abs() < 1e-9, "{spent} {wanted} {told}");
    assert!(!words_of(&output).contains("same model"));
}

#[test]
fn above_the_configured_amount_a_run_needs_its_accepted_quote() {
    let (provider, root) = for_project(by_rules);
    let project = with_model(&provider, "[budget]\nquote_above = \"0.01\"\n");
    root.set(project.path().to_owned()).unwrap();
    let output = run_with_key(&project, &[]);
    assert_eq!(output.status.code(), Some(5), "{}", words_of(&output));
    assert!(words_of(&output).contains("--accept-quote"), "{}", words_of(&output));
    assert!(provider.seen().is_empty(), "nothing was asked");
    let file = project.path().join("offer");
    let quoted = project
        .command(&["estimate", "harbour-en", "--quote", file.to_str().unwrap()])
        .env("MOCK_KEY", KEY)
        .output()
        .unwrap();
    assert_eq!(quoted.status.code(), Some(0), "{}", words_of(&quoted));
    let id = summary(&quoted)["id"].as_str().unwrap().to_owned();
    let text = fs::read_to_string(file.with_extension("txt")).unwrap();
    assert!(text.contains(&id) && text.contains("報價單") && text.contains("USD"), "{text}");
    assert!(fs::read(file.with_extension("xlsx")).unwrap().starts_with(b"PK"));
    let unknown = run_with_key(&project, &["--no-crawl", "--accept-quote", "q-000000000000"]);
    assert_eq!(unknown.status.code(), Some(2), "{}", words_of(&unknown));
    let output = run_with_key(&project, &["--no-crawl", "--accept-quote", &id]);
    assert_eq!(output.status.code(), Some(3), "{}", words_of(&output));
    assert!(!provider.seen().is_empty());
}

/// Confirms every row of a review with its own quote, as a reader would that does not read.
fn stamp(root: &Path, seen: &Seen) -> Play {
    let (ask, _) = stored_ask(root, seen).unwrap();
    if ask.step == Step::Extract {
        return by_rules(root, seen);
    }
    let quote = ask.text.lines().find(|it| !it.trim().is_empty()).unwrap_or_default();
    let verdicts: Vec<Value> = ask
        .rows
        .iter()
        .map(|it| {
            let snippet = if ask.text.contains(&it.snippet) { &it.snippet } else { quote };
            serde_json::json!({"id": it.id, "verdict": "confirmed", "reason": "",
                "snippet": snippet, "corrected": null})
        })
        .collect();
    completion(&serde_json::json!({"verdicts": verdicts, "missing": []}).to_string(), "stop")
}

#[test]
fn a_rubber_stamp_is_found_out_and_nothing_it_confirmed_is_accepted() {
    let (provider, root) = for_project(stamp);
    let project = with_model(&provider, "");
    root.set(project.path().to_owned()).unwrap();
    let output = run_with_key(&project, &[]);
    let told = summary(&output);
    assert_eq!(number(&told, "/rows/accepted"), 0, "{told}");
    assert!(number(&told, "/rows/flagged") > 20, "{told}");
    assert_eq!(number(&told, "/watch/caught"), 0, "{told}");
    let shown = number(&told, "/watch/shown");
    assert!(number(&told, "/watch/not_relied_on") > 5 && shown >= 2, "{told}");
    assert_eq!(number(&told, "/watch/asked_again"), number(&told, "/watch/not_relied_on"));
    // The very first review is found out: it is asked again with the reason.
    let reviews: Vec<Ask> = provider
        .seen()
        .iter()
        .filter(|it| it.schema_name() == "review_reply")
        .map(|it| stored_ask(project.path(), it).unwrap().0)
        .filter(|it| !it.rows.is_empty())
        .collect();
    let first = &reviews[0];
    assert!(reviews.iter().any(|it| it.attempt == 2 && it.text == first.text));
    let told = std::process::Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(["run", "harbour-en", "--no-crawl", "--yes", "--project"])
        .arg(project.path())
        .env("MOCK_KEY", KEY)
        .output()
        .unwrap();
    assert!(words_of(&told).contains("are the same model (house-model)"), "{}", words_of(&told));
    // No false row reaches an output: what is on record is what an honest run has, claim by claim.
    let honest = Project::new();
    honest.run(&["harbour-en"]);
    let claims = |project: &Project| -> Vec<String> {
        let of = |it: &RowRecord| serde_json::to_string(&(&it.key, &it.claim)).unwrap();
        project.rows().iter().map(of).collect()
    };
    let wanted = claims(&honest);
    let found = claims(&project);
    assert!(found.len() > 20 && found.iter().all(|it| wanted.contains(it)));
}

#[test]
fn the_built_in_reviewer_catches_every_false_row() {
    let project = Project::new();
    let told = summary(&project.run(&[]));
    let shown = number(&told, "/watch/shown");
    assert!(shown > 50, "{told}");
    assert_eq!(number(&told, "/watch/caught"), shown, "{told}");
    assert_eq!(number(&told, "/watch/not_relied_on"), 0, "{told}");
}
