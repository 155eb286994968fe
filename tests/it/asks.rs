//! The `http` answerer against a provider that plays every failure, alone and in a bulk run.

#[path = "../support/provider.rs"]
pub mod provider;

use std::fs;
use std::path::Path;
use std::process::Output;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use countersign::ask::message::chat_request;
use countersign::llm::answerer::{AnswerError, Answerer, Question};
use countersign::llm::http::{HttpAnswerer, HttpSettings};
use countersign::llm::key::ApiKey;
use countersign::llm::pace::Pace;
use countersign::llm::settings::ModelSettings;
use countersign::llm::transport::Place;
use countersign::model::ask::{Answer, Ask, ReaderId, Step};
use countersign::model::config::Dialect;
use countersign::model::source::{Field, FieldKind};
use countersign::pipeline::wiring::install_crypto;
use countersign::reader::answerer::answer_by_rules;
use serde_json::Value;

use crate::run::{Project, number, summary};
use provider::{Play, Provider, Seen, completion, failure};

/// Planted as the key; it may stand in one header and nowhere else.
pub const KEY: &str = "sk-planted-5f2c9e71d0";

pub const PRICES: &str = "[house-model]\ninput_per_million = \"2\"\noutput_per_million = \"10\"\n\
    currency = \"USD\"\nas_of = \"2026-11-30\"\nsource = \"the test's own\"\n";

pub fn ask() -> Ask {
    Ask {
        format: "countersign.ask/1".to_owned(),
        step: Step::Extract,
        attempt: 1,
        reader: ReaderId { name: "house-model".to_owned(), settings: [].into() },
        language: "zh-Hant".to_owned(),
        instructions: "請列出條件。".to_owned(),
        fields: vec![Field {
            name: "age".to_owned(),
            kind: FieldKind::Number,
            unit: Some("歲".to_owned()),
            description: "申請人的年齡".to_owned(),
            examples: vec![],
        }],
        page_title: "渡輪津貼".to_owned(),
        heading_path: vec!["資格".to_owned()],
        text: "申請人須年滿六十五歲。".to_owned(),
        rows: vec![],
        reasons: vec![],
    }
}

/// Longer than any test.
pub const FOREVER: Duration = Duration::from_secs(3_600);

/// Asks once and gives what came, with the time it took.
fn asked(provider: &Provider) -> (Result<Option<Answer>, AnswerError>, Duration) {
    asked_in(Dialect::Compatible, provider)
}

/// The same in any dialect.
pub fn asked_in(
    dialect: Dialect,
    provider: &Provider,
) -> (Result<Option<Answer>, AnswerError>, Duration) {
    asked_within(dialect, provider, Duration::from_secs(60))
}

/// The same of a provider that is waited for no longer than `timeout`.
pub fn asked_within(
    dialect: Dialect,
    provider: &Provider,
    timeout: Duration,
) -> (Result<Option<Answer>, AnswerError>, Duration) {
    install_crypto();
    let settings = HttpSettings {
        place: Place {
            dialect,
            base_url: provider.base_url(),
            api_version: String::new(),
            key: Some(ApiKey::new(KEY.to_owned())),
            timeout,
        },
        model: ModelSettings {
            model: "house-model".to_owned(),
            max_tokens: Some(500),
            temperature: Some(0.0),
            reasoning: Some("high".to_owned()),
        },
        max_tries: 2,
    };
    let pace = Arc::new(Pace::new(4, 0));
    let answerer = HttpAnswerer::new(settings, pace).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let began = Instant::now();
    let (ask, digest) = (ask(), "00ff");
    let chat = chat_request(&ask);
    let question = Question { ask: &ask, digest, chat: &chat, may_try_again: &|_| true };
    let result = runtime.block_on(answerer.answer(question));
    (result, began.elapsed())
}

/// A provider that fails the first call and answers the next ones.
fn fails_once(play: impl Fn() -> Play + Send + Sync + 'static) -> Provider {
    Provider::start(move |seen| {
        if seen.number == 0 { play() } else { completion("{\"rows\":[],\"groups\":[]}", "stop") }
    })
}

#[test]
fn passing_faults_are_tried_again_and_answered() {
    for status in [500, 503, 529, 408] {
        let provider = fails_once(move || failure(status, "", "busy"));
        let (result, _) = asked(&provider);
        assert_eq!(result.unwrap().unwrap().finish, "stop", "HTTP {status}");
        assert_eq!(provider.seen().len(), 2);
    }
    let silent = fails_once(|| Play::Silence(FOREVER));
    let (result, _) = asked_within(Dialect::Compatible, &silent, Duration::from_secs(3));
    assert!(result.is_ok(), "a call that timed out is tried again");
    for body in ["<html>a proxy's page</html>", "{}", "{\"error\":{\"message\":\"上游故障\"}}"]
    {
        let provider = fails_once(move || Play::Reply(200, String::new(), body.to_owned()));
        assert!(asked(&provider).0.is_ok(), "{body}");
    }
}

#[test]
fn a_wait_that_the_provider_asks_for_is_kept() {
    let provider = fails_once(|| failure(429, "retry-after: 1\r\n", "slow down"));
    let (result, took) = asked(&provider);
    assert!(result.is_ok() && took >= Duration::from_secs(1), "{took:?}");
    let dated =
        "date: Mon, 30 Nov 2026 12:00:00 GMT\r\nretry-after: Mon, 30 Nov 2026 12:00:01 GMT\r\n";
    let provider = fails_once(move || failure(429, dated, "slow down"));
    let (result, took) = asked(&provider);
    assert!(result.is_ok() && took >= Duration::from_secs(1), "{took:?}");
    let tomorrow = fails_once(|| failure(429, "retry-after: 86400\r\n", "slow down"));
    let (result, _) = asked(&tomorrow);
    assert_eq!(result, Err(AnswerError::RateLimited { retry_after_s: Some(86_400) }));
}

#[test]
fn lasting_faults_end_as_their_own_outcome_without_the_key_in_their_words() {
    let echo = format!("you sent Bearer {KEY}");
    type Wanted = fn(&AnswerError) -> bool;
    let cases: [(u16, &str, usize, Wanted); 9] = [
        (500, "broken", 2, |it| matches!(it, AnswerError::Unavailable { .. })),
        (503, &echo, 2, |it| matches!(it, AnswerError::Overloaded { .. })),
        (429, "slow down", 2, |it| matches!(it, AnswerError::RateLimited { retry_after_s: None })),
        (429, "insufficient_quota", 1, |it| matches!(it, AnswerError::NoMoney { .. })),
        (
            400,
            "Invalid schema for response_format 'extract_reply'",
            1,
            |it| matches!(it, AnswerError::BadSchema { detail } if detail.contains("Invalid schema")),
        ),
        (
            400,
            "the request exceeds the available context size (n_ctx 4096)",
            1,
            |it| matches!(it, AnswerError::TooLong { detail } if detail.contains("context size")),
        ),
        (404, "no such model", 1, |it| matches!(it, AnswerError::Rejected { .. })),
        (401, &echo, 1, |it| matches!(it, AnswerError::Unauthorised { .. })),
        (403, &echo, 1, |it| matches!(it, AnswerError::Unauthorised { .. })),
    ];
    for (status, words, calls, is_wanted) in cases {
        let message = words.to_owned();
        let provider = Provider::start(move |_| failure(status, "", &message));
        let error = asked(&provider).0.unwrap_err();
        assert!(is_wanted(&error), "HTTP {status} {words}: {error:?}");
        assert_eq!(provider.seen().len(), calls, "HTTP {status} {words}");
        assert!(!format!("{error} {error:?}").contains(KEY), "{error}");
    }
    let silent = Provider::start(|_| Play::Silence(FOREVER));
    let (result, _) = asked_within(Dialect::Compatible, &silent, Duration::from_millis(300));
    assert_eq!(result, Err(AnswerError::TimedOut));
    let huge = Provider::start(|_| completion(&"x".repeat(17 << 20), "stop"));
    assert!(asked(&huge).0.is_err(), "a reply without end is not read to its end");
}

#[test]
fn cut_refused_empty_and_unreadable_replies_are_answers_with_their_finish() {
    for (content, finish) in [("{\"rows\":[", "length"), ("", "stop"), ("我不知道", "stop")] {
        let provider = Provider::start(move |_| completion(content, finish));
        let answer = asked(&provider).0.unwrap().unwrap();
        assert_eq!((answer.reply.as_str(), answer.finish.as_str()), (content, finish));
        assert_eq!(answer.usage.unwrap().input, Some(1000));
        assert_eq!(provider.seen().len(), 1, "what it is worth is not for the transport to say");
    }
    let refusal =
        r#"{"choices":[{"finish_reason":"stop","message":{"content":null,"refusal":"不便回答"}}]}"#;
    let provider = Provider::start(|_| Play::Reply(200, String::new(), refusal.to_owned()));
    let answer = asked(&provider).0.unwrap().unwrap();
    assert_eq!((answer.finish.as_str(), answer.usage), ("refusal", None));
}

#[test]
fn the_request_holds_schema_fields_instructions_and_text_and_the_key_in_one_header_alone() {
    let provider = fails_once(|| {
        failure(400, "", "Unsupported parameter: use 'max_completion_tokens' instead")
    });
    asked(&provider).0.unwrap();
    let seen = provider.seen();
    assert_eq!(seen[0].body["max_tokens"], 500);
    assert_eq!(seen[1].body["max_completion_tokens"], 500, "learnt from the refusal");
    for it in &seen {
        let schema = it.body.pointer("/response_format/json_schema").unwrap();
        assert_eq!((&schema["name"], &schema["strict"]), (&"extract_reply".into(), &true.into()));
        let fields = schema.pointer("/schema/properties/rows/items/properties/field/enum");
        assert_eq!(fields.unwrap(), &serde_json::json!(["age"]));
        assert_eq!(it.system(), "請列出條件。");
        assert!(it.user().contains("申請人須年滿六十五歲。") && it.user().contains("渡輪津貼"));
        assert_eq!(it.body["reasoning_effort"], "high");
        assert!(it.head.contains(&format!("Bearer {KEY}")), "{}", it.head);
        assert!(!it.body.to_string().contains(KEY));
    }
}

/// The stored ask that a request is about: it is filed before anybody is asked.
pub fn stored_ask(root: &Path, seen: &Seen) -> Option<(Ask, String)> {
    let mark = seen.mark();
    for entry in fs::read_dir(root.join("asks").join(mark.get(..2)?)).ok()?.flatten() {
        let name = entry.file_name().into_string().ok()?;
        if let Some(digest) = name.strip_suffix(".ask.json").filter(|it| it.starts_with(mark)) {
            let ask = serde_json::from_str(&fs::read_to_string(entry.path()).ok()?).ok()?;
            return Some((ask, digest.to_owned()));
        }
    }
    None
}

/// What the built-in reader would answer to a request.
pub fn by_rules(root: &Path, seen: &Seen) -> Play {
    let (ask, digest) = stored_ask(root, seen).expect("the ask is on file before it is asked");
    completion(&answer_by_rules(&ask, &digest).unwrap().reply, "stop")
}

/// A project on the sample site whose readers ask `provider` with the planted key.
pub fn with_model(provider: &Provider, more: &str) -> Project {
    let project = Project::new();
    point(&project, provider, more);
    project
}

pub fn point(project: &Project, provider: &Provider, more: &str) {
    let reader = format!(
        "answerer = \"http\"\nmodel = \"house-model\"\nbase_url = \"{}\"\nkey_env = \"MOCK_KEY\"\n",
        provider.base_url()
    );
    project.settings(&format!("[extractor]\n{reader}\n[reviewer]\n{reader}\n{more}"));
    fs::write(project.path().join("prices.toml"), PRICES).unwrap();
}

pub fn run_with_key(project: &Project, more: &[&str]) -> Output {
    let place = format!("harbour.example={}", project.site.address());
    let args = [&["run", "harbour-en", "--connect-to", &place], more].concat();
    project.command(&args).env("MOCK_KEY", KEY).output().unwrap()
}

/// A provider that reads the asks of a project made after it, through `play`.
pub fn for_project(
    play: impl Fn(&Path, &Seen) -> Play + Send + Sync + 'static,
) -> (Provider, Arc<OnceLock<std::path::PathBuf>>) {
    let root: Arc<OnceLock<std::path::PathBuf>> = Arc::default();
    let place = Arc::clone(&root);
    (Provider::start(move |seen| play(place.get().unwrap(), seen)), root)
}

pub fn claims(project: &Project) -> Vec<(String, String, String)> {
    let rows = project.rows().into_iter();
    let mut found: Vec<_> = rows
        .map(|it| (it.key, it.claim.snippet, format!("{:?} {}", it.status, it.claim.value)))
        .collect();
    found.sort();
    found
}

pub fn words_of(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// True if the planted key stands in any file of the project.
pub fn holds_the_key(project: &Project) -> Vec<String> {
    project
        .files("")
        .keys()
        .filter(|it| {
            let bytes = fs::read(project.path().join(it)).unwrap_or_default();
            bytes.windows(KEY.len()).any(|part| part == KEY.as_bytes())
        })
        .map(|it| it.display().to_string())
        .collect()
}

#[test]
fn a_bulk_run_over_http_gives_the_rows_of_the_rules_and_writes_the_key_nowhere() {
    let wanted = Project::new();
    wanted.run(&["harbour-en"]);
    let (provider, root) = for_project(by_rules);
    let project = with_model(&provider, "");
    root.set(project.path().to_owned()).unwrap();
    let output = run_with_key(&project, &[]);
    let told = summary(&output);
    assert_eq!(output.status.code(), Some(3), "{}", words_of(&output));
    assert_eq!(claims(&project), claims(&wanted));
    let calls = provider.seen().len() as u64;
    assert_eq!(number(&told, "/asks/live"), calls, "{told}");
    assert!(calls > 30);
    let fields = ["extract_reply", "review_reply"];
    assert!(fields.iter().all(|it| provider.seen().iter().any(|seen| seen.schema_name() == *it)));
    for seen in provider.seen() {
        let (ask, _) = stored_ask(project.path(), &seen).unwrap();
        assert_eq!(seen.system(), ask.instructions);
        assert!(seen.user().contains(ask.text.trim_end_matches('\n')));
        let schema = seen.body.pointer("/response_format/json_schema/schema").unwrap().to_string();
        for field in &ask.fields {
            let name = format!("\"{}\"", field.name);
            assert!(schema.contains(&name) && seen.system().contains(&field.name), "{name}");
        }
        assert!(!seen.body.to_string().contains(KEY));
    }
    assert!(!words_of(&output).contains(KEY));
    assert_eq!(holds_the_key(&project), Vec::<String>::new());

    let before = project.files("extracted");
    let again = summary(&run_with_key(&project, &["--no-crawl"]));
    assert_eq!(number(&again, "/asks/live"), 0);
    assert_eq!((provider.seen().len() as u64, project.files("extracted")), (calls, before));
}

#[test]
fn both_readers_together_have_no_more_calls_in_flight_than_one_provider_may() {
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (count, peak) = (Arc::clone(&now), Arc::clone(&most));
    let (provider, root) = for_project(move |root, seen| {
        peak.fetch_max(count.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        let reply = by_rules(root, seen);
        count.fetch_sub(1, Ordering::SeqCst);
        reply
    });
    let project = Project::new();
    root.set(project.path().to_owned()).unwrap();
    let reader = format!(
        "answerer = \"http\"\nmodel = \"house-model\"\nbase_url = \"{}\"\nkey_env = \"MOCK_KEY\"\n\
         concurrency = 2\n",
        provider.base_url()
    );
    project.settings(&format!("[extractor]\n{reader}\n[reviewer]\n{reader}"));
    fs::write(project.path().join("prices.toml"), PRICES).unwrap();
    let output = run_with_key(&project, &[]);
    assert_eq!(output.status.code(), Some(3), "{}", words_of(&output));
    let names = provider.seen();
    for name in ["extract_reply", "review_reply"] {
        assert!(names.iter().any(|it| it.schema_name() == name));
    }
    assert!(most.load(Ordering::SeqCst) <= 2, "{most:?}");
}

#[test]
fn a_provider_that_dies_ends_with_7_keeps_every_answer_and_the_next_run_goes_on() {
    let given = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&given);
    let (dying, root) = for_project(move |root, seen| {
        if seen.number >= 20 {
            return failure(401, "", &format!("bad key {KEY}"));
        }
        count.fetch_add(1, Ordering::SeqCst);
        by_rules(root, seen)
    });
    let project = with_model(&dying, "");
    root.set(project.path().to_owned()).unwrap();
    let output = run_with_key(&project, &[]);
    assert_eq!(output.status.code(), Some(7), "{}", words_of(&output));
    let told = summary(&output);
    assert!(words_of(&output).contains("not accepted"), "{}", words_of(&output));
    assert!(!words_of(&output).contains(KEY));
    assert!(number(&told, "/items/waiting") > 0, "{told}");
    assert_eq!(number(&told, "/asks/live"), 20, "{told}");
    let answers =
        || project.files("asks").into_keys().filter(|it| it.to_string_lossy().contains("answer"));
    assert_eq!((answers().count(), given.load(Ordering::SeqCst)), (20, 20));
    assert!(dying.seen().len() < 40, "a refused key is not tried for every ask");

    let (well, root) = for_project(by_rules);
    root.set(project.path().to_owned()).unwrap();
    point(&project, &well, "");
    let output = run_with_key(&project, &["--no-crawl"]);
    let told = summary(&output);
    assert_eq!(output.status.code(), Some(3), "{}", words_of(&output));
    assert_eq!(number(&told, "/items/waiting"), 0, "{told}");
    assert_eq!(number(&told, "/asks/live"), well.seen().len() as u64);
    let asked_before: Vec<String> = dying.seen()[..20].iter().map(|it| it.mark().into()).collect();
    assert!(well.seen().iter().all(|it| !asked_before.contains(&it.mark().to_owned())));
    let wanted = Project::new();
    wanted.run(&["harbour-en"]);
    assert_eq!(claims(&project), claims(&wanted));
    assert_eq!(holds_the_key(&project), Vec::<String>::new());
}

#[test]
fn one_item_that_is_too_long_waits_and_all_others_are_read() {
    let (provider, root) = for_project(|root, seen| {
        let (ask, _) = stored_ask(root, seen).unwrap();
        if ask.heading_path.last().is_some_and(|it| it.contains("How much")) {
            return failure(400, "", "the request exceeds the available context size");
        }
        by_rules(root, seen)
    });
    let project = with_model(&provider, "");
    root.set(project.path().to_owned()).unwrap();
    let output = run_with_key(&project, &[]);
    let told = summary(&output);
    assert_eq!(output.status.code(), Some(7), "{}", words_of(&output));
    assert!(words_of(&output).contains("context size"), "{}", words_of(&output));
    let waiting = number(&told, "/items/waiting");
    assert!(waiting > 0 && waiting < 10 && number(&told, "/items/asked") > 10, "{told}");
}

#[test]
fn a_reader_that_only_cuts_refuses_or_says_nothing_ends_with_the_truth_in_the_counts() {
    for (content, finish) in [("{\"rows\":[{\"id\":\"r1\"", "length"), ("", "stop"), ("否", "stop")]
    {
        let provider = Provider::start(move |_| completion(content, finish));
        let project = with_model(&provider, "");
        let output = run_with_key(&project, &[]);
        let told = summary(&output);
        assert_ne!(output.status.code(), Some(0), "{finish}: {told}");
        assert_eq!(number(&told, "/rows/accepted"), 0, "{told}");
        let codes = told["findings"].as_object().unwrap();
        let is_named = ["NO_ANSWER", "OUTPUT_TRUNCATED"].iter().any(|it| codes.contains_key(*it));
        assert!(is_named, "{told}");
        let first = provider.seen()[0].mark().to_owned();
        assert_eq!(provider.seen().iter().filter(|it| it.mark() == first).count(), 1);
        assert_eq!(told.pointer("/readers/extractor").and_then(Value::as_str), Some("house-model"));
    }
}
