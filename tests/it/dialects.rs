//! Every failure in the words of each provider, and what each is sent: the same ask in each language.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use countersign::llm::answerer::AnswerError;
use countersign::model::ask::{Answer, Usage};
use countersign::model::config::Dialect;
use countersign::reader::answerer::answer_by_rules;
use serde_json::{Value, json};

use crate::asks::provider::{Play, Provider, Seen};
use crate::asks::{
    FOREVER, KEY, PRICES, ask, asked_in, asked_within, claims, for_project, run_with_key,
    stored_ask, words_of,
};
use crate::run::{Project, number, summary};

/// A good response in a dialect, with usage as that provider counts it: 1,000 tokens in, of which 600
/// were read from the cache, and 100 out.
pub fn reply_in(dialect: Dialect, content: &str, finish: &str) -> Play {
    let body = match dialect {
        Dialect::Compatible | Dialect::OpenAi | Dialect::Azure => json!({
            "model": "house-model-2026",
            "choices": [{"index": 0, "finish_reason": finish,
                "message": {"role": "assistant", "content": content}}],
            "usage": {"prompt_tokens": 1000, "completion_tokens": 100,
                "prompt_tokens_details": {"cached_tokens": 600}},
        }),
        Dialect::Anthropic => json!({
            "id": "msg_1", "type": "message", "role": "assistant", "model": "house-model-2026",
            "content": [{"type": "thinking", "thinking": "", "signature": "…"},
                {"type": "text", "text": content}],
            "stop_reason": match finish { "stop" => "end_turn", "length" => "max_tokens", it => it },
            "usage": {"input_tokens": 150, "cache_read_input_tokens": 600,
                "cache_creation_input_tokens": 250, "output_tokens": 100},
        }),
        Dialect::Gemini => json!({
            "modelVersion": "house-model-2026",
            "candidates": [{"index": 0, "content": {"role": "model", "parts": [{"text": content}]},
                "finishReason": match finish {
                    "stop" => "STOP", "length" => "MAX_TOKENS", "refusal" => "SAFETY", it => it,
                }}],
            "usageMetadata": {"promptTokenCount": 1000, "cachedContentTokenCount": 600,
                "candidatesTokenCount": 60, "thoughtsTokenCount": 40, "totalTokenCount": 1100},
        }),
    };
    Play::Reply(200, String::new(), body.to_string())
}

/// A failure in the form of a dialect: kind is the provider's own word for it.
fn failure_in(dialect: Dialect, status: u16, kind: &str, message: &str) -> String {
    match dialect {
        Dialect::Compatible | Dialect::OpenAi | Dialect::Azure => {
            json!({"error": {"message": message, "type": "mock", "code": kind}})
        }
        Dialect::Anthropic => {
            json!({"type": "error", "error": {"type": kind, "message": message}, "request_id": "r"})
        }
        Dialect::Gemini => json!({"error": {"code": status, "message": message, "status": kind}}),
    }
    .to_string()
}

const EMPTY: &str = "{\"rows\":[],\"groups\":[]}";

const ALL: [Dialect; 4] = [Dialect::OpenAi, Dialect::Azure, Dialect::Anthropic, Dialect::Gemini];

type Wanted = fn(&AnswerError) -> bool;

/// What each provider says when something is wrong: status, its kind, its words, calls made, outcome.
fn lasting(dialect: Dialect) -> Vec<(u16, &'static str, &'static str, usize, Wanted)> {
    let limited: Wanted = |it| matches!(it, AnswerError::RateLimited { retry_after_s: None });
    let busy: Wanted = |it| matches!(it, AnswerError::Overloaded { .. });
    let broken: Wanted = |it| matches!(it, AnswerError::Unavailable { .. });
    let key: Wanted = |it| matches!(it, AnswerError::Unauthorised { .. });
    let money: Wanted = |it| matches!(it, AnswerError::NoMoney { .. });
    let long: Wanted = |it| matches!(it, AnswerError::TooLong { .. });
    let schema: Wanted = |it| matches!(it, AnswerError::BadSchema { .. });
    let refused: Wanted = |it| matches!(it, AnswerError::Refused { .. });
    let other: Wanted = |it| matches!(it, AnswerError::Rejected { .. });
    match dialect {
        Dialect::Anthropic => vec![
            (429, "rate_limit_error", "This request would exceed your rate limit", 2, limited),
            (529, "overloaded_error", "Overloaded", 2, busy),
            (500, "api_error", "Internal server error", 2, broken),
            (401, "authentication_error", "invalid x-api-key", 1, key),
            (403, "permission_error", "no access to this model", 1, key),
            (402, "billing_error", "payment is due", 1, money),
            (400, "invalid_request_error", "Your credit balance is too low", 1, money),
            (400, "invalid_request_error", "prompt is too long: 9 tokens > 8 maximum", 1, long),
            (413, "request_too_large", "Request exceeds the maximum size", 1, long),
            (400, "invalid_request_error", "output_config.format: Invalid schema", 1, schema),
            (404, "not_found_error", "model: house-model", 1, other),
        ],
        Dialect::Gemini => vec![
            (429, "RESOURCE_EXHAUSTED", "You exceeded your current quota", 2, limited),
            (503, "UNAVAILABLE", "The model is overloaded", 2, busy),
            (500, "INTERNAL", "An internal error has occurred", 2, broken),
            (400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", 1, key),
            (403, "PERMISSION_DENIED", "not for this project", 1, key),
            (400, "INVALID_ARGUMENT", "The input token count (9) exceeds the maximum", 1, long),
            (400, "INVALID_ARGUMENT", "generation_config.response_schema: should be …", 1, schema),
            (404, "NOT_FOUND", "models/house-model is not found", 1, other),
        ],
        _ => vec![
            (429, "rate_limit_exceeded", "Rate limit reached", 2, limited),
            (503, "server_overloaded", "The engine is currently overloaded", 2, busy),
            (500, "server_error", "The server had an error", 2, broken),
            (401, "invalid_api_key", "Incorrect API key provided", 1, key),
            (429, "insufficient_quota", "You exceeded your current quota", 1, money),
            (400, "context_length_exceeded", "maximum context length is 8", 1, long),
            (400, "invalid_json_schema", "Invalid schema for response_format", 1, schema),
            (400, "content_filter", "triggering the content management policy", 1, refused),
            (404, "model_not_found", "The model does not exist", 1, other),
        ],
    }
}

#[test]
fn each_failure_of_each_provider_is_its_own_outcome_with_its_own_number_of_tries() {
    for dialect in ALL {
        for (status, kind, words, calls, is_wanted) in lasting(dialect) {
            let body = failure_in(dialect, status, kind, &format!("{words} ({KEY})"));
            let provider =
                Provider::start(move |_| Play::Reply(status, String::new(), body.clone()));
            let error = asked_in(dialect, &provider).0.unwrap_err();
            let told = format!("{dialect:?} HTTP {status} {kind} {words}: {error:?}");
            assert!(is_wanted(&error), "{told}");
            assert_eq!(provider.seen().len(), calls, "{told}");
            assert!(!format!("{error} {error:?}").contains(KEY), "{told}");
        }
        let silent = Provider::start(|_| Play::Silence(FOREVER));
        let (result, _) = asked_within(dialect, &silent, Duration::from_millis(300));
        assert_eq!(result, Err(AnswerError::TimedOut), "{dialect:?}");
    }
}

#[test]
fn a_pause_that_a_provider_asks_for_is_kept_in_the_header_and_in_the_body() {
    for dialect in ALL {
        for (status, kind) in [(429, "rate_limit_error"), (503, "overloaded_error")] {
            let body = failure_in(dialect, status, kind, "later");
            let provider = Provider::start(move |seen| match seen.number {
                0 => Play::Reply(status, "retry-after: 1\r\n".to_owned(), body.clone()),
                _ => reply_in(dialect, EMPTY, "stop"),
            });
            let (result, took) = asked_in(dialect, &provider);
            assert!(result.is_ok() && took >= Duration::from_secs(1), "{dialect:?} {took:?}");
        }
    }
    let delayed = json!({"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "later",
        "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.9s"}]}});
    let provider = Provider::start(move |seen| match seen.number {
        0 => Play::Reply(429, String::new(), delayed.to_string()),
        _ => reply_in(Dialect::Gemini, EMPTY, "stop"),
    });
    let (result, took) = asked_in(Dialect::Gemini, &provider);
    assert!(result.is_ok() && took >= Duration::from_secs(1), "{took:?}");
}

#[test]
fn cut_refused_empty_and_unreadable_replies_keep_their_finish_and_usage_in_each_dialect() {
    let cases = [("{\"rows\":[", "length"), ("", "stop"), ("我不知道", "stop"), ("", "refusal")];
    for dialect in ALL {
        for (content, finish) in cases {
            let sent = match (dialect, finish) {
                (Dialect::OpenAi | Dialect::Azure, "refusal") => "content_filter",
                _ => finish,
            };
            let provider = Provider::start(move |_| reply_in(dialect, content, sent));
            let answer = asked_in(dialect, &provider).0.unwrap().unwrap();
            assert_eq!((answer.reply.as_str(), answer.finish.as_str()), (content, finish));
            let written = (dialect == Dialect::Anthropic).then_some(250);
            let wanted = Usage { input: Some(1000), output: Some(100), cached: Some(600), written };
            assert_eq!(answer.usage, Some(wanted), "{dialect:?}");
            assert_eq!(provider.seen().len(), 1);
        }
        let proxy = Provider::start(|_| Play::Reply(200, String::new(), "<html>".to_owned()));
        let error = asked_in(dialect, &proxy).0.unwrap_err();
        assert!(matches!(error, AnswerError::Unavailable { .. }), "{dialect:?} {error:?}");
        assert_eq!(proxy.seen().len(), 2);
    }
    let blocked = r#"{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":{"promptTokenCount":9}}"#;
    let provider = Provider::start(|_| Play::Reply(200, String::new(), blocked.to_owned()));
    let answer = asked_in(Dialect::Gemini, &provider).0.unwrap().unwrap();
    assert_eq!((answer.finish.as_str(), answer.usage.unwrap().input), ("refusal", Some(9)));
}

fn schema_of(dialect: Dialect, seen: &Seen) -> &Value {
    let path = match dialect {
        Dialect::Anthropic => "/output_config/format/schema",
        Dialect::Gemini => "/generationConfig/responseSchema",
        _ => "/response_format/json_schema/schema",
    };
    seen.body.pointer(path).unwrap()
}

#[test]
fn each_dialect_sends_schema_fields_instructions_and_text_and_the_key_in_one_header_alone() {
    for dialect in ALL {
        let provider = Provider::start(move |_| reply_in(dialect, EMPTY, "stop"));
        asked_in(dialect, &provider).0.unwrap();
        let seen = provider.seen().remove(0);
        let (path, header) = match dialect {
            Dialect::Anthropic => ("/v1/messages", "x-api-key"),
            Dialect::Gemini => ("/v1/models/house-model:generateContent", "x-goog-api-key"),
            Dialect::Azure => ("/v1/chat/completions", "api-key"),
            _ => ("/v1/chat/completions", "authorization"),
        };
        assert_eq!(seen.path(), path);
        let holding: Vec<&str> = seen.head.lines().filter(|it| it.contains(KEY)).collect();
        assert!(
            matches!(holding[..], [one] if one.starts_with(&format!("{header}: "))),
            "{holding:?}"
        );
        assert!(!seen.raw.contains(KEY) && !seen.path().contains(KEY));
        let field =
            schema_of(dialect, &seen).pointer("/properties/rows/items/properties/field/enum");
        assert_eq!(field.unwrap(), &json!(["age"]), "{dialect:?}");
        assert_eq!(seen.system(), ask().instructions);
        assert!(seen.user().contains("申請人須年滿六十五歲。") && seen.user().contains("渡輪津貼"));
        // The unchanging part stands first: a cache works by prefix.
        let at = |words: &str| seen.raw.find(words).unwrap();
        assert!(at("請列出條件。") < at("申請人須年滿"), "{dialect:?}");
        match dialect {
            Dialect::Anthropic => {
                assert!(seen.head.contains("anthropic-version: 2023-06-01"));
                assert_eq!(seen.body["system"][0]["cache_control"]["type"], "ephemeral");
                assert_eq!(seen.body["thinking"]["type"], "adaptive");
                assert_eq!(seen.body["output_config"]["effort"], "high");
                assert_eq!(seen.body["max_tokens"], 500);
            }
            Dialect::Gemini => {
                let config = &seen.body["generationConfig"];
                assert_eq!(config["thinkingConfig"]["thinkingLevel"], "high");
                assert_eq!(
                    (&config["maxOutputTokens"], &config["temperature"]),
                    (&json!(500), &json!(0.0))
                );
            }
            _ => {
                assert_eq!(seen.body["response_format"]["json_schema"]["strict"], true);
                assert_eq!(seen.body["reasoning_effort"], "high");
            }
        }
    }
}

#[test]
fn what_a_model_does_not_take_is_left_out_and_the_ask_is_answered() {
    let cases = [
        (
            Dialect::OpenAi,
            "Unsupported parameter: 'reasoning_effort' is not supported with this model.",
        ),
        (Dialect::Anthropic, "adaptive thinking is not supported on this model"),
        (Dialect::Anthropic, "output_config.format: Extra inputs are not permitted"),
        (
            Dialect::Anthropic,
            "The compiled grammar is too large, which would cause performance issues.",
        ),
        (
            Dialect::Gemini,
            "Unable to submit request because thinking is not supported by this model.",
        ),
        (Dialect::Gemini, "Unknown name \"responseSchema\": Cannot find field."),
    ];
    for (dialect, words) in cases {
        let body = failure_in(dialect, 400, "invalid_request_error", words);
        let provider = Provider::start(move |seen| match seen.number {
            0 => Play::Reply(400, String::new(), body.clone()),
            _ => reply_in(dialect, EMPTY, "stop"),
        });
        let answer = asked_in(dialect, &provider).0.unwrap().unwrap();
        assert_eq!((answer.reply.as_str(), provider.seen().len()), (EMPTY, 2), "{words}");
        let (first, second) = (&provider.seen()[0].body, &provider.seen()[1].body);
        assert_ne!(first, second, "{words}");
        assert_eq!(provider.seen()[0].user(), provider.seen()[1].user());
    }
}

/// What a provider's answer comes to.
pub fn asked_plainly(dialect: Dialect, provider: &Provider) -> Result<Option<Answer>, AnswerError> {
    asked_in(dialect, provider).0
}

/// Settings of a project whose readers ask `provider` in a dialect, with the key in a file.
pub fn settings_in(dialect: Dialect, provider: &Provider, more: &str) -> String {
    let reader = format!(
        "answerer = \"http\"\ndialect = \"{}\"\nmodel = \"house-model\"\nbase_url = \"{}\"\n\
         key_file = \"keys/provider\"\n{more}",
        dialect.as_str(),
        provider.base_url()
    );
    format!("[extractor]\n{reader}\n[reviewer]\n{reader}\n")
}

/// Puts the planted key into its file, readable by its owner alone or by all.
pub fn plant_key(project: &Project, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    let path = project.path().join("keys/provider");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, format!("{KEY}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Files of the project, the key's own left out, that hold the key or the header that carries it.
pub fn leaks(project: &Project) -> Vec<String> {
    let words = [KEY, "Bearer ", "x-api-key", "x-goog-api-key", "api-key:", "uthorization"];
    let files = project.files("").into_keys().filter(|it| !it.starts_with("keys"));
    let mut found = Vec::new();
    for file in files {
        let bytes = fs::read(project.path().join(&file)).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        found.extend(
            words.iter().filter(|it| text.contains(**it)).map(|it| format!("{file:?}: {it}")),
        );
    }
    found
}

/// What the built-in reader would answer, in a dialect; some of the first calls fail, in words that
/// repeat the key and its header.
fn by_rules_in(dialect: Dialect, root: &Path, seen: &Seen) -> Play {
    if seen.number < 20 && seen.number % 7 == 3 {
        let words = format!("we had x-api-key: {KEY} and Authorization: Bearer {KEY}");
        let status = if seen.number.is_multiple_of(2) { 500 } else { 529 };
        return Play::Reply(
            status,
            String::new(),
            failure_in(dialect, status, "api_error", &words),
        );
    }
    let (ask, digest) = stored_ask(root, seen).expect("the ask is on file before it is asked");
    reply_in(dialect, &answer_by_rules(&ask, &digest).unwrap().reply, "stop")
}

#[test]
fn a_bulk_run_in_another_dialect_with_a_key_file_gives_the_rows_of_the_rules_and_leaks_nothing() {
    let wanted = Project::new();
    wanted.run(&["harbour-en"]);
    for dialect in [Dialect::Anthropic, Dialect::Gemini] {
        let (provider, root) = for_project(move |root, seen| by_rules_in(dialect, root, seen));
        let project = Project::new();
        root.set(project.path().to_owned()).unwrap();
        project.settings(&settings_in(dialect, &provider, "tokens_per_minute = 90000000"));
        fs::write(project.path().join("prices.toml"), PRICES).unwrap();
        plant_key(&project, 0o644);
        let open = run_with_key(&project, &[]);
        assert_eq!(open.status.code(), Some(2), "{}", words_of(&open));
        assert!(words_of(&open).contains("chmod 600"), "{}", words_of(&open));
        assert!(provider.seen().is_empty(), "a key that others can read is not used");
        plant_key(&project, 0o600);
        let output = run_with_key(&project, &[]);
        let told = summary(&output);
        assert_eq!(output.status.code(), Some(3), "{}", words_of(&output));
        assert_eq!(claims(&project), claims(&wanted));
        // 1,000 in of which 600 from the cache, 100 out: by the whole of what went in.
        let calls = number(&told, "/asks/live");
        let spent: f64 = told["cost"]["actual"].as_str().unwrap().parse().unwrap();
        assert!((spent - 0.003 * calls as f64).abs() < 1e-9, "{told}");
        assert_eq!(leaks(&project), Vec::<String>::new());
        assert!(!words_of(&output).contains(KEY) && !words_of(&open).contains(KEY));
    }
}

#[test]
fn a_dead_provider_leaks_nothing_into_what_the_run_writes() {
    let provider = Provider::start(|_| {
        let words = format!("bad x-api-key: {KEY}");
        Play::Reply(500, String::new(), failure_in(Dialect::Anthropic, 500, "api_error", &words))
    });
    let project = Project::new();
    project.settings(&settings_in(Dialect::Anthropic, &provider, "concurrency = 2"));
    fs::write(project.path().join("prices.toml"), PRICES).unwrap();
    plant_key(&project, 0o600);
    let output = run_with_key(&project, &["-v"]);
    assert_eq!(output.status.code(), Some(7), "{}", words_of(&output));
    assert!(!words_of(&output).contains(KEY), "{}", words_of(&output));
    let found = leaks(&project);
    assert!(found.iter().all(|it| !it.contains(KEY)), "{found:?}");
}

#[test]
fn a_refusal_is_not_asked_again_and_its_item_has_no_answer() {
    let provider = Provider::start(|_| reply_in(Dialect::Gemini, "", "refusal"));
    let project = Project::new();
    project.settings(&settings_in(Dialect::Gemini, &provider, ""));
    fs::write(project.path().join("prices.toml"), PRICES).unwrap();
    plant_key(&project, 0o600);
    let output = run_with_key(&project, &[]);
    let told = summary(&output);
    assert_eq!(number(&told, "/rows/accepted"), 0, "{told}");
    let marks: BTreeSet<String> = provider.seen().iter().map(|it| it.mark().to_owned()).collect();
    assert_eq!(marks.len(), provider.seen().len());
    for seen in provider.seen() {
        assert_eq!(stored_ask(project.path(), &seen).unwrap().0.attempt, 1);
    }
}

#[test]
fn azure_gets_its_version_in_the_address_and_its_key_in_its_own_header() {
    let provider = Provider::start(|_| reply_in(Dialect::Azure, EMPTY, "stop"));
    let project = Project::new();
    let more = "api_version = \"2024-10-21\"";
    project.settings(&settings_in(Dialect::Azure, &provider, more));
    fs::write(project.path().join("prices.toml"), PRICES).unwrap();
    plant_key(&project, 0o600);
    run_with_key(&project, &[]);
    let seen = provider.seen().remove(0);
    assert_eq!(seen.path(), "/v1/chat/completions?api-version=2024-10-21");
    assert!(seen.head.contains(&format!("api-key: {KEY}")) && !seen.head.contains("Bearer"));
}
