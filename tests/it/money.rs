//! Estimate against actual: a replayed run with its recorded usage lies within the stated range, by
//! source and step, and the next estimate is closer.

use std::fs;
use std::path::Path;
use std::process::Output;

use countersign::llm::tokens::approximate_tokens;
use countersign::reader::answerer::answer_by_rules;
use rust_decimal::Decimal;
use serde_json::{Value, json};

use crate::asks::provider::{Play, Seen};
use crate::asks::{KEY, for_project, point, stored_ask, words_of};
use crate::run::{Project, summary};

const PRICES: &str = "[house-model]\ninput_per_million = \"2\"\ncached_per_million = \"0.2\"\n\
    output_per_million = \"10\"\nbatch_factor = \"0.5\"\ncurrency = \"USD\"\n\
    as_of = \"2026-11-30\"\nsource = \"the test's own\"\n";

/// The built-in reader's reply, with usage as a provider would count it: a tenth more tokens than we
/// approximate, the instructions from the cache after the first calls, and some thinking.
fn metered(root: &Path, seen: &Seen) -> Play {
    let (ask, digest) = stored_ask(root, seen).expect("the ask is on file before it is asked");
    let reply = answer_by_rules(&ask, &digest).unwrap().reply;
    let schema = seen.body.pointer("/response_format/json_schema/schema").unwrap().to_string();
    let fixed = approximate_tokens(seen.system()) + approximate_tokens(&schema);
    let sent = (fixed + approximate_tokens(seen.user())) * 11 / 10;
    let cached = if seen.number < 16 { 0 } else { approximate_tokens(seen.system()) };
    let body = json!({
        "model": "house-model-2026",
        "choices": [{"index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": reply}}],
        "usage": {"prompt_tokens": sent, "completion_tokens": approximate_tokens(&reply) + 120,
            "prompt_tokens_details": {"cached_tokens": cached}},
    });
    Play::Reply(200, String::new(), body.to_string())
}

fn command(project: &Project, args: &[&str]) -> Output {
    let place = format!("harbour.example={}", project.site.address());
    let args = [args, &["--connect-to", &place]].concat();
    project.command(&args).env("MOCK_KEY", KEY).output().unwrap()
}

fn amounts(of: &Value) -> [Decimal; 3] {
    ["low", "expected", "high"].map(|it| of[it].as_str().unwrap().parse().unwrap())
}

fn amount(of: &Value) -> Decimal {
    of.as_str().unwrap().parse().unwrap()
}

/// Asserts that every part of a run's cost lies within what was estimated for it.
fn lies_within(told: &Value) {
    let cost = &told["cost"];
    let within = |actual: Decimal, range: &Value| {
        let [low, _, high] = amounts(range);
        assert!((low..=high).contains(&actual), "{actual} is not in {range}: {cost}");
    };
    within(amount(&cost["actual"]), &cost["estimate"]);
    let sources = cost["sources"].as_object().unwrap();
    assert!(!sources.is_empty(), "{cost}");
    for steps in sources.values() {
        assert_eq!(steps.as_object().unwrap().len(), 2, "{cost}");
        for part in steps.as_object().unwrap().values() {
            assert!(part["calls"].as_u64().unwrap() > 0, "{cost}");
            within(amount(&part["actual"]), &part["estimate"]);
        }
    }
}

#[test]
fn a_run_lies_within_its_estimate_by_source_and_step_and_the_next_estimate_is_closer() {
    let (provider, root) = for_project(metered);
    let project = Project::new();
    root.set(project.path().to_owned()).unwrap();
    point(&project, &provider, "");
    fs::write(project.path().join("prices.toml"), PRICES).unwrap();
    assert_eq!(command(&project, &["crawl"]).status.code(), Some(3));

    // Before the first run, and without the key: nobody is asked.
    let early = project.command(&["estimate", "harbour-zh"]).output().unwrap();
    assert_eq!(early.status.code(), Some(0), "{}", words_of(&early));
    let before = summary(&early);
    let ran = command(&project, &["run", "harbour-en", "--no-crawl"]);
    let told = summary(&ran);
    assert_eq!(ran.status.code(), Some(3), "{}", words_of(&ran));
    lies_within(&told);

    let after = summary(&command(&project, &["estimate", "harbour-zh"]));
    let width = |it: &Value| amounts(&it["money"])[2] - amounts(&it["money"])[0];
    assert!(width(&after) < width(&before), "{before} {after}");
    let said = after["assumptions"].to_string();
    assert!(said.contains("measured in"), "{said}");
    assert!(after["assumptions_zh"].to_string().contains("實測"), "{after}");

    let ran = command(&project, &["run", "harbour-zh", "--no-crawl"]);
    let told = summary(&ran);
    assert_eq!(ran.status.code(), Some(3), "{}", words_of(&ran));
    lies_within(&told);
    let actual = amount(&told["cost"]["actual"]);
    let miss = |it: &Value| (amounts(&it["money"])[1] - actual).abs();
    assert!(miss(&after) < miss(&before), "{actual} {before} {after}");

    // Half in batches, and nothing where all is on record.
    let half = &before["batch_money"];
    assert!(
        (amounts(half)[1] * Decimal::TWO - amounts(&before["money"])[1]).abs() < Decimal::new(1, 3)
    );
    let again = summary(&command(&project, &["estimate", "harbour-zh"]));
    assert_eq!(amounts(&again["money"])[2], Decimal::ZERO, "{again}");

    let standing = summary(&project.command(&["status"]).output().unwrap());
    assert_eq!(standing["last_run"]["cost"], told["cost"], "{standing}");
    let report = fs::read_to_string(project.path().join(told["report"].as_str().unwrap())).unwrap();
    assert!(report.contains("費用：預估與實際") || report.contains("Money: estimate"), "no money");
    let words = std::process::Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(["status", "--project"])
        .arg(project.path())
        .output()
        .unwrap();
    assert!(words_of(&words).contains("harbour-zh review"), "{}", words_of(&words));
}

#[test]
fn a_run_that_goes_on_is_estimated_by_what_is_left() {
    let (provider, root) = for_project(metered);
    let project = Project::new();
    root.set(project.path().to_owned()).unwrap();
    point(&project, &provider, "");
    fs::write(project.path().join("prices.toml"), PRICES).unwrap();
    let first = command(&project, &["run", "harbour-en", "--max-cost", "0.3"]);
    let told = summary(&first);
    assert_eq!(first.status.code(), Some(5), "{}", words_of(&first));
    let before = provider.seen().len();
    let rest = summary(&command(&project, &["estimate", "harbour-en"]));
    assert!(rest["answered"].as_u64().unwrap() > 0, "{told} {rest}");
    let second = command(&project, &["run", "harbour-en", "--no-crawl", "--max-cost", "9"]);
    let told = summary(&second);
    assert_eq!(second.status.code(), Some(3), "{}", words_of(&second));
    let calls = (provider.seen().len() - before) as u64;
    let [low, high] = ["low", "high"].map(|it| rest["asks"][it].as_u64().unwrap());
    assert!((low..=high).contains(&calls), "{calls} {rest}");
    lies_within(&told);
}
