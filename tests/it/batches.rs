//! Batches at a provider: killed between every two steps, partial, expired, failed and cancelled.

#[path = "../support/batch_provider.rs"]
pub mod batch_provider;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use countersign::ask::canonical::{ask_digest, canonical_json};
use countersign::ask::compose::OpenAsk;
use countersign::llm::answerer::AnswerError;
use countersign::model::ask::{Ask, Step};
use countersign::model::config::{AnswererKind, Dialect, ProjectConfig, ReaderConfig};
use countersign::pipeline::history::standing::open_asks;
use countersign::pipeline::project::ProjectPaths;
use countersign::pipeline::rounds::batch_record::reserved;
use countersign::pipeline::rounds::batches::{Batches, OpenPrice, TakenIn};
use countersign::pipeline::wiring::answer_files;
use countersign::reader::answerer::answer_by_rules;
use rust_decimal::Decimal;
use serde_json::Value;

use crate::asks::provider::Provider;
use crate::asks::{PRICES, ask, claims, words_of};
use crate::dialects::{leaks, plant_key, settings_in};
use crate::run::{Project, number, summary};
use batch_provider::{Fate, Held, Script, start};

const EMPTY: &str = "{\"rows\":[],\"groups\":[]}";
pub const WIRES: [Dialect; 2] = [Dialect::OpenAi, Dialect::Anthropic];

/// A project with five open asks, and a provider for them.
pub struct Bench {
    dir: tempfile::TempDir,
    pub config: ProjectConfig,
    script: Arc<Script>,
    pub held: Arc<Mutex<Held>>,
    _provider: crate::asks::provider::Provider,
}

pub fn bench(script: Script) -> Bench {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("sources")).unwrap();
    let script = Arc::new(script);
    let (provider, held) = start(Arc::clone(&script));
    let reader = ReaderConfig {
        answerer: AnswererKind::Http,
        dialect: script.dialect,
        model: "house-model".to_owned(),
        base_url: provider.base_url(),
        timeout_s: 20,
        ..ReaderConfig::default()
    };
    let config =
        ProjectConfig { extractor: reader.clone(), reviewer: reader, ..ProjectConfig::default() };
    let bench = Bench { dir, config, script, held, _provider: provider };
    let folder = answer_files(&bench.project());
    for at in 0..5 {
        let ask = Ask { text: format!("申請人須年滿{}歲。", 60 + at), ..ask() };
        folder.write_ask(&ask_digest(&ask).unwrap(), &canonical_json(&ask).unwrap()).unwrap();
    }
    bench
}

impl Bench {
    pub fn project(&self) -> ProjectPaths {
        ProjectPaths::find(self.dir.path()).unwrap()
    }

    pub fn open(&self) -> Vec<(String, Ask)> {
        open_asks(&self.project()).unwrap()
    }

    /// What a run does: takes in what has ended, then hands in what is open and in no batch.
    pub fn round(&self) -> (TakenIn, Option<AnswerError>) {
        let environment = BTreeMap::new();
        let project = self.project();
        let batches = Batches::of(&project, &self.config, &environment);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let taken = batches.take_in().await.unwrap();
            let kept = reserved(&taken.records);
            let open = self.open().into_iter().filter(|it| !kept.contains(&it.0));
            let asks: Vec<_> = open
                .map(|(digest, ask)| OpenPrice {
                    open: OpenAsk { digest, ask },
                    most: Decimal::ONE,
                })
                .collect();
            let now = "2026-11-30T12:00:00Z".parse().unwrap();
            let (_, trouble) = batches.hand_in(("s", Step::Extract), &asks, now).await.unwrap();
            (taken, trouble)
        })
    }

    pub fn records(&self) -> Vec<countersign::pipeline::rounds::batch_record::BatchRecord> {
        let environment = BTreeMap::new();
        Batches::of(&self.project(), &self.config, &environment).records().unwrap()
    }
}

pub fn all_answered(dialect: Dialect) -> Script {
    Script {
        dialect,
        looks: 1,
        end: "completed",
        fate: Box::new(|_, _| Fate::Answered(EMPTY.to_owned())),
    }
}

#[test]
fn a_batch_holds_the_live_requests_and_gives_the_answers_of_the_asks() {
    for dialect in WIRES {
        let bench = bench(all_answered(dialect));
        assert_eq!(bench.open().len(), 5);
        let (_, trouble) = bench.round();
        assert_eq!(trouble, None);
        let (taken, _) = bench.round();
        assert!(bench.open().is_empty(), "{dialect:?} {taken:?}");
        let record = bench.records().remove(0);
        assert_eq!((record.answered.len(), record.failed.len()), (5, 0));
        let usage = record.answered.values().next().unwrap().unwrap();
        assert_eq!((usage.input, usage.output, usage.cached), (Some(1000), Some(100), Some(600)));
        assert_eq!(record.most, "5");
        let held = bench.held.lock().unwrap();
        assert_eq!(held.made.len(), 1);
        let (digest, body) = &held.made[0].requests[0];
        let text = body.to_string();
        assert!(record.asks.contains(digest) && text.contains("申請人須年滿"), "{text}");
        assert!(text.contains("\"enum\":[\"age\"]") && text.contains("請列出條件。"), "{text}");
        let folder = answer_files(&bench.project());
        let answer = folder.read_answer(digest).unwrap().unwrap();
        assert!(answer.contains(digest) && answer.contains("house-model-2026"), "{answer}");
    }
}

#[test]
fn a_crash_between_any_two_steps_pays_nothing_twice_and_loses_nothing() {
    for dialect in WIRES {
        let mut deaths = 0;
        for dead_from in 0.. {
            let bench = bench(all_answered(dialect));
            bench.held.lock().unwrap().dead_from = Some(dead_from);
            for _ in 0..2 {
                // The provider does what it is asked and the process never learns of it.
                let _ = bench.round();
            }
            let is_past = bench.open().is_empty();
            bench.held.lock().unwrap().dead_from = None;
            for _ in 0..4 {
                bench.round();
            }
            assert!(bench.open().is_empty(), "{dialect:?}, dead from request {dead_from}");
            let held = bench.held.lock().unwrap();
            let paid = held.paid(&bench.script);
            assert_eq!(paid.len(), 5);
            assert!(
                paid.values().all(|it| *it == 1),
                "{dialect:?}, dead from request {dead_from}: {paid:?}"
            );
            if is_past {
                break;
            }
            deaths += 1;
        }
        assert!(deaths >= 3, "{dialect:?}: {deaths}");
    }
}

#[test]
fn what_a_batch_gives_is_used_and_what_it_does_not_give_is_asked_again() {
    for (dialect, end) in [
        (Dialect::OpenAi, "completed"),
        (Dialect::OpenAi, "expired"),
        (Dialect::OpenAi, "cancelled"),
        (Dialect::Anthropic, "expired"),
        (Dialect::Anthropic, "canceled"),
    ] {
        // In the first batch some fail or are left; those of a second batch are answered.
        let script = Script {
            dialect,
            looks: 1,
            end,
            fate: Box::new(move |batch, digest| {
                match u32::from_str_radix(&digest[..2], 16).unwrap() {
                    0..0x80 if batch == 0 && end != "completed" => Fate::Left,
                    0xb0.. if batch == 0 => Fate::Failed(500, "it broke".to_owned()),
                    _ => Fate::Answered(EMPTY.to_owned()),
                }
            }),
        };
        let bench = bench(script);
        bench.round();
        bench.round();
        let first = bench.records().into_iter().find(|it| !it.is_open()).unwrap();
        assert_eq!(first.answered.len() + first.failed.len(), 5, "{dialect:?} {end}: {first:?}");
        assert!(!first.failed.is_empty(), "{first:?}");
        assert_eq!(bench.open().len(), first.failed.len(), "what it gave is used");
        bench.round();
        assert!(bench.open().is_empty(), "{dialect:?} {end}");
        let held = bench.held.lock().unwrap();
        assert!(held.paid(&bench.script).values().all(|it| *it == 1));
        assert_eq!(held.made[1].requests.len(), first.failed.len());
    }
}

#[test]
fn a_batch_that_is_refused_whole_names_why_and_its_asks_are_open() {
    let script = Script {
        dialect: Dialect::OpenAi,
        looks: 0,
        end: "failed",
        fate: Box::new(|_, _| Fate::Left),
    };
    let bench = bench(script);
    bench.round();
    let (taken, _) = bench.round();
    assert!(taken.notes.join("\n").contains("the input file is not valid"), "{taken:?}");
    assert_eq!(bench.open().len(), 5);
}

#[test]
fn what_a_model_does_not_take_is_left_out_of_the_next_batch() {
    let words = "Unsupported value: 'temperature' does not support 0 with this model.";
    let script = Script {
        dialect: Dialect::OpenAi,
        looks: 0,
        end: "completed",
        fate: Box::new(move |batch, _| match batch {
            0 => Fate::Failed(400, words.to_owned()),
            _ => Fate::Answered(EMPTY.to_owned()),
        }),
    };
    let bench = bench(script);
    for _ in 0..3 {
        bench.round();
    }
    let held = bench.held.lock().unwrap();
    assert!(held.made[0].requests[0].1.get("temperature").is_some());
    assert!(held.made[1].requests[0].1.get("temperature").is_none());
    assert!(bench.open().is_empty());
}

#[test]
fn a_batch_at_a_provider_that_nobody_is_configured_for_is_not_lost_from_sight() {
    let mut bench = bench(Script { looks: 9, ..all_answered(Dialect::OpenAi) });
    bench.round();
    bench.config.extractor.base_url = "http://127.0.0.1:1/v1".to_owned();
    bench.config.reviewer = ReaderConfig::default();
    let environment = BTreeMap::new();
    let project = bench.project();
    let batches = Batches::of(&project, &bench.config, &environment);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let error = runtime.block_on(batches.take_in()).unwrap_err().to_string();
    assert!(error.contains("put that reader back"), "{error}");
}

/// Runs the binary until nothing of a run waits for a batch; the first time it is killed by the
/// provider at its `dies_at`th request.
fn run_in_batches(project: &Project, held: &Mutex<Held>, dies_at: Option<usize>) -> Vec<Value> {
    let place = format!("harbour.example={}", project.site.address());
    let mut told = Vec::new();
    for round in 0..12 {
        let mut args = vec!["run", "harbour-en", "--connect-to", &place, "--batch"];
        if round > 0 {
            args.push("--no-crawl");
        }
        let mut command = project.command(&args);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        if let (0, Some(dies_at)) = (round, dies_at) {
            let pid = Arc::new(AtomicU32::new(child.id()));
            let mut held = held.lock().unwrap();
            held.dead_from = Some(dies_at);
            held.on_death = Some(Box::new(move || {
                let pid = pid.load(Ordering::SeqCst).to_string();
                assert!(Command::new("kill").args(["-9", &pid]).status().unwrap().success());
            }));
        }
        let output = child.wait_with_output().unwrap();
        let mut state = held.lock().unwrap();
        if round == 0 && dies_at.is_some() {
            assert_eq!(output.status.code(), None, "killed: {}", words_of(&output));
            state.dead_from = None;
            continue;
        }
        drop(state);
        let summary = summary(&output);
        assert_eq!(output.status.code(), Some(3), "{}", words_of(&output));
        let is_over = number(&summary, "/items/waiting") == 0;
        told.push(summary);
        if is_over {
            return told;
        }
    }
    panic!("it does not come to an end: {told:?}");
}

/// The built-in reader's answer to an ask of the project.
fn by_rules(root: &Path, digest: &str) -> String {
    let path = root.join("asks").join(&digest[..2]).join(format!("{digest}.ask.json"));
    let ask: Ask = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    answer_by_rules(&ask, digest).unwrap().reply
}

/// A project whose batches are answered as the rules do, at half the price.
pub fn half_price(
    dialect: Dialect,
    looks: usize,
) -> (Project, Arc<Script>, Provider, Arc<Mutex<Held>>) {
    let root: Arc<OnceLock<std::path::PathBuf>> = Arc::default();
    let place = Arc::clone(&root);
    let script = Arc::new(Script {
        dialect,
        looks,
        end: "completed",
        fate: Box::new(move |_, digest| Fate::Answered(by_rules(place.get().unwrap(), digest))),
    });
    let (provider, held) = start(Arc::clone(&script));
    let project = Project::new();
    root.set(project.path().to_owned()).unwrap();
    project.settings(&settings_in(dialect, &provider, ""));
    let prices = PRICES.replace("currency", "batch_factor = \"0.5\"\ncurrency");
    fs::write(project.path().join("prices.toml"), prices).unwrap();
    plant_key(&project, 0o600);
    (project, script, provider, held)
}

#[test]
fn a_run_in_batches_killed_on_the_way_gives_the_rows_of_the_rules_at_half_the_price() {
    let wanted = Project::new();
    wanted.run(&["harbour-en"]);
    // OpenAI: killed when the batch was made; Anthropic: when it had just been made with the one call.
    for (dialect, dies_at) in [(Dialect::OpenAi, 1), (Dialect::Anthropic, 0)] {
        let (project, script, _provider, held) = half_price(dialect, 1);
        let told = run_in_batches(&project, &held, Some(dies_at));
        assert_eq!(claims(&project), claims(&wanted), "{dialect:?}");
        let held = held.lock().unwrap();
        let paid = held.paid(&script);
        assert!(paid.len() > 100 && paid.values().all(|it| *it == 1), "{dialect:?}");
        let at = |told: &Value, path: &str| told.pointer(path).and_then(Value::as_u64).unwrap_or(0);
        let sum = |path: &str| told.iter().map(|it| at(it, path)).sum::<u64>();
        assert_eq!(sum("/batches/taken_in"), paid.len() as u64);
        let spent: Decimal = told
            .iter()
            .map(|it| it["cost"]["actual"].as_str().unwrap().parse::<Decimal>().unwrap())
            .sum();
        // 1,000 tokens in at 2 and 100 out at 10 for a million, halved.
        let wanted = Decimal::new(15, 4) * Decimal::from(paid.len());
        assert_eq!(spent.normalize(), wanted.normalize(), "{told:?}");
        assert!(sum("/cost/steps/review/batch") > 10, "{told:?}");
        assert_eq!(leaks(&project), Vec::<String>::new());
        let shown = project.command(&["asks", "batch", "status"]).output().unwrap();
        assert_eq!(shown.status.code(), Some(0), "{}", words_of(&shown));
    }
}

#[test]
fn the_budget_stops_before_the_batch_that_would_cross_it_and_more_money_goes_on_from_there() {
    for dialect in [Dialect::OpenAi, Dialect::Anthropic] {
        let (project, script, _provider, held) = half_price(dialect, 0);
        let place = format!("harbour.example={}", project.site.address());
        let command = |args: &[&str]| {
            let args = [args, &["harbour-en", "--connect-to", &place]].concat();
            project.command(&args).output().unwrap()
        };
        let made = || held.lock().unwrap().made.len();
        let nothing = command(&["run", "--batch", "--max-cost", "0.0001"]);
        assert_eq!(nothing.status.code(), Some(5), "{}", words_of(&nothing));
        assert_eq!(made(), 0, "{dialect:?}: nothing is handed in that could cross it");

        let most = Decimal::new(15, 2);
        let part = command(&["asks", "batch", "submit", "--max-cost", &most.to_string()]);
        assert_eq!(part.status.code(), Some(5), "{}", words_of(&part));
        let told = summary(&part);
        let handed_in = number(&told, "/batches/handed_in");
        assert!(handed_in > 0 && handed_in < number(&told, "/items/waiting"), "{told}");
        // What was handed in is paid for and kept, and the rest goes on from there.
        let more = command(&["asks", "batch", "submit", "--max-cost", "100"]);
        assert_eq!(more.status.code(), Some(3), "{}", words_of(&more));
        let told = summary(&more);
        assert_eq!(number(&told, "/batches/taken_in"), handed_in, "{told}");
        let spent: Decimal = told["cost"]["actual"].as_str().unwrap().parse().unwrap();
        assert!(spent > Decimal::ZERO && spent < most, "{told}");
        let paid = held.lock().unwrap().paid(&script);
        assert!(paid.values().all(|it| *it == 1), "{dialect:?}: nothing is paid for twice");
    }
}

#[test]
fn a_provider_whose_batches_are_not_spoken_is_named_before_anything_is_fetched() {
    let provider = Provider::start(|_| panic!("nobody is asked"));
    let project = Project::new();
    project.settings(&settings_in(Dialect::Gemini, &provider, ""));
    fs::write(project.path().join("prices.toml"), PRICES).unwrap();
    plant_key(&project, 0o600);
    let place = format!("harbour.example={}", project.site.address());
    let args = ["run", "harbour-en", "--connect-to", &place, "--batch"];
    let output = project.command(&args).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", words_of(&output));
    assert!(words_of(&output).contains("run without --batch"), "{}", words_of(&output));
    assert!(project.files("snapshots").is_empty());
}

#[test]
fn asks_in_a_batch_are_not_asked_live_as_well() {
    let root: Arc<OnceLock<std::path::PathBuf>> = Arc::default();
    let place = Arc::clone(&root);
    let script = Arc::new(Script {
        dialect: Dialect::OpenAi,
        looks: 99,
        end: "completed",
        fate: Box::new(move |_, digest| Fate::Answered(by_rules(place.get().unwrap(), digest))),
    });
    let (provider, held) = start(Arc::clone(&script));
    let project = Project::new();
    root.set(project.path().to_owned()).unwrap();
    project.settings(&settings_in(Dialect::OpenAi, &provider, ""));
    fs::write(project.path().join("prices.toml"), PRICES).unwrap();
    plant_key(&project, 0o600);
    let place = format!("harbour.example={}", project.site.address());
    let run = |more: &[&str]| {
        let args = [&["run", "harbour-en", "--connect-to", &place], more].concat();
        project.command(&args).output().unwrap()
    };
    let first = run(&["--batch"]);
    assert_eq!(first.status.code(), Some(3), "{}", words_of(&first));
    let told = summary(&first);
    let handed_in = number(&told, "/batches/handed_in");
    assert_eq!(handed_in, number(&told, "/items/waiting"), "{told}");
    let live = run(&["--no-crawl"]);
    let told = summary(&live);
    assert_eq!(live.status.code(), Some(3), "{}", words_of(&live));
    assert_eq!(number(&told, "/asks/live"), 0, "{told}");
    assert_eq!(number(&told, "/batches/waiting"), handed_in, "{told}");
    let listed = project.command(&["asks", "batch", "status"]).output().unwrap();
    assert_eq!(listed.status.code(), Some(3), "{}", words_of(&listed));
    let id = summary(&listed)[0]["batch"].as_str().unwrap().to_owned();
    let stopped = project.command(&["asks", "batch", "cancel", &id]).output().unwrap();
    assert_eq!(stopped.status.code(), Some(0), "{}", words_of(&stopped));
    assert!(held.lock().unwrap().made[0].is_cancelled);
    assert_eq!(held.lock().unwrap().made.len(), 1);
}
