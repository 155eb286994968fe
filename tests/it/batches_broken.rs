//! Batches that come back broken, and what they cost: nothing is paid for twice, nothing is free.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use countersign::model::config::Dialect;
use countersign::pipeline::rounds::batches::Batches;
use rust_decimal::Decimal;

use crate::asks::{PRICES, words_of};
use crate::batches::batch_provider::{Fate, Script, start};
use crate::batches::{WIRES, all_answered, bench, half_price};
use crate::dialects::{plant_key, settings_in};
use crate::run::{Project, number, summary};

/// What a result file can come to, and whether a batch that gave it may be done with.
type Mangled = (&'static str, fn(String) -> String, bool);

#[test]
fn a_batch_is_counted_with_the_longest_reply_of_each_ask_so_that_it_cannot_cross_the_budget() {
    let script = Arc::new(Script {
        dialect: Dialect::OpenAi,
        looks: 99,
        end: "completed",
        fate: Box::new(|_, _| Fate::Left),
    });
    let (provider, held) = start(Arc::clone(&script));
    let project = Project::new();
    project.settings(&settings_in(Dialect::OpenAi, &provider, ""));
    fs::write(project.path().join("prices.toml"), PRICES).unwrap();
    plant_key(&project, 0o600);
    let place = format!("harbour.example={}", project.site.address());
    let most = Decimal::from(2);
    let limit = most.to_string();
    let args = ["run", "harbour-en", "--connect-to", &place, "--batch", "--max-cost", &limit];
    let output = project.command(&args).output().unwrap();
    assert_eq!(output.status.code(), Some(5), "{}", words_of(&output));
    let held = held.lock().unwrap();
    // 2 for a million in, 10 out. No token is shorter than a byte, and no reply longer than was allowed.
    let worst: Decimal = held.made[0]
        .requests
        .iter()
        .map(|(_, body)| {
            let words: usize = body["messages"]
                .as_array()
                .unwrap()
                .iter()
                .map(|it| it["content"].as_str().unwrap().chars().count())
                .sum();
            let (input, output) = (words / 4, body["max_completion_tokens"].as_u64().unwrap());
            (Decimal::from(input) * Decimal::TWO + Decimal::from(output) * Decimal::TEN)
                / Decimal::from(1_000_000)
        })
        .sum();
    assert!(worst <= most && worst * Decimal::TWO > most, "{worst}");
}

#[test]
fn results_that_are_not_whole_are_not_paid_for_twice_and_can_be_given_up() {
    let cases: [Mangled; 6] = [
        ("cut in the middle", |it| it[..it.len() * 3 / 5].to_owned(), false),
        ("an error with status 200", |_| r#"{"error":{"message":"try later"}}"#.to_owned(), false),
        ("nothing", |_| String::new(), false),
        ("a proxy's page", |_| "<html>\n<body>\nwait\n</html>".to_owned(), false),
        (
            "results of others among them",
            |it| {
                format!(
                    "{}\n{it}",
                    it.lines().next().unwrap().replace("custom_id\":\"", "custom_id\":\"ff")
                )
            },
            true,
        ),
        ("each line twice", |it| format!("{it}\n{it}"), true),
    ];
    for dialect in WIRES {
        for (what, mangle, is_whole) in &cases {
            let case = format!("{dialect:?}, {what}");
            let bench = bench(all_answered(dialect));
            bench.round();
            bench.held.lock().unwrap().mangle = Some(Box::new(*mangle));
            let (taken, _) = bench.round();
            let words = [taken.notes.join("\n"), taken.troubles.join("\n")].concat();
            if *is_whole {
                assert_eq!(taken.troubles, Vec::<String>::new(), "{case}");
                assert!(words.contains("results are of asks"), "{case}: {words}");
                assert!(bench.open().is_empty(), "{case}");
                continue;
            }
            assert!(words.contains("asks batch cancel"), "{case}: {words}");
            assert_eq!(bench.open().len(), 5, "{case}: nothing is taken in");
            assert_eq!(
                bench.held.lock().unwrap().made.len(),
                1,
                "{case}: nothing is handed in again"
            );
            // It comes whole later, or somebody gives it up and pays again knowing it.
            let id = bench.records()[0].id.clone();
            if *what == "cut in the middle" {
                let environment = BTreeMap::new();
                let project = bench.project();
                let batches = Batches::of(&project, &bench.config, &environment);
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                let said =
                    runtime.unwrap().block_on(batches.cancel(&id)).unwrap().unwrap().unwrap();
                assert!(said.contains("given up: "), "{case}: {said}");
                let record = bench.records().remove(0);
                assert!(!record.is_open() && record.answered.len() > 1, "{case}: {record:?}");
                assert_eq!(bench.open().len(), 5 - record.answered.len(), "{case}");
            } else {
                bench.held.lock().unwrap().mangle = None;
                bench.round();
                assert!(bench.open().is_empty(), "{case}");
            }
        }
    }
}

#[test]
fn a_batch_that_the_provider_does_not_know_under_this_key_keeps_its_asks_until_it_is_given_up() {
    for dialect in WIRES {
        let bench = bench(all_answered(dialect));
        bench.round();
        let made = std::mem::take(&mut bench.held.lock().unwrap().made);
        let (taken, _) = bench.round();
        let words = taken.troubles.join("\n");
        assert!(words.contains("knows no such batch under this key"), "{words}");
        assert!(bench.held.lock().unwrap().made.is_empty(), "nothing is handed in again");
        bench.held.lock().unwrap().made = made;
        bench.round();
        assert!(bench.open().is_empty(), "{dialect:?}: with the right key it goes on");
    }
}

#[test]
fn a_batch_is_charged_at_the_price_of_its_own_model_and_what_is_not_reported_is_not_free() {
    for dialect in WIRES {
        let (project, script, _provider, held) = half_price(dialect, 0);
        let place = format!("harbour.example={}", project.site.address());
        let run = |more: &[&str]| {
            let args = [&["run", "harbour-en", "--connect-to", &place, "--batch"], more].concat();
            project.command(&args).output().unwrap()
        };
        let first = run(&[]);
        assert_eq!(first.status.code(), Some(3), "{}", words_of(&first));
        let handed_in = number(&summary(&first), "/batches/handed_in");
        // Another model is configured by the time the batch has ended, and tokens are not reported.
        let file = project.path().join("countersign.toml");
        let settings = fs::read_to_string(&file).unwrap();
        project.settings(&settings.replace("house-model", "dear-model"));
        let prices = fs::read_to_string(project.path().join("prices.toml")).unwrap();
        let dear = prices
            .replace("house-model", "dear-model")
            .replace("\"2\"", "\"2000\"")
            .replace("\"10\"", "\"10000\"");
        fs::write(project.path().join("prices.toml"), format!("{prices}\n{dear}")).unwrap();
        held.lock().unwrap().mangle = Some(Box::new(|it| it.replace("\"usage\"", "\"use\"")));
        let second = run(&["--no-crawl"]);
        let told = summary(&second);
        assert_eq!(number(&told, "/batches/taken_in"), handed_in, "{}", words_of(&second));
        assert_eq!(number(&told, "/cost/steps/extract/unreported"), handed_in, "{told}");
        let spent: Decimal = told["cost"]["actual"].as_str().unwrap().parse().unwrap();
        let output = number(&told, "/cost/steps/extract/output");
        let input = number(&told, "/cost/steps/extract/input");
        assert!(input > 1_000 * handed_in / 2 && output > 10 * handed_in, "{told}");
        let wanted = (Decimal::from(input) + Decimal::from(output) * Decimal::from(5))
            / Decimal::from(1_000_000);
        assert_eq!(spent.normalize(), wanted.normalize(), "{dialect:?} {told}");
        drop(script);
    }
}
