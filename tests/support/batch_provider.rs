//! A provider with batches, in OpenAI's and in Anthropic's wire form; dies and revives as it is told.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use countersign::model::config::Dialect;
use serde_json::{Value, json};

use crate::asks::provider::{Play, Provider, Seen};
use crate::dialects::reply_in;

/// What becomes of one ask of a batch.
#[derive(Clone, Debug, PartialEq)]
pub enum Fate {
    Answered(String),
    /// An error in the provider's words.
    Failed(u16, String),
    /// It has no result of its own: the batch ended before.
    Left,
}

/// Decides the fate of an ask.
pub type Fates = Box<dyn Fn(usize, &str) -> Fate + Send + Sync>;

/// How batches go.
pub struct Script {
    pub dialect: Dialect,
    /// Times a batch is looked at before it has ended.
    pub looks: usize,
    /// The word that a batch ends with.
    pub end: &'static str,
    /// By the number of the batch, from 0, and the digest.
    pub fate: Fates,
}

/// One batch that was made.
#[derive(Clone, Debug)]
pub struct Made {
    pub id: String,
    pub input_file: String,
    /// Digest and body of each request.
    pub requests: Vec<(String, Value)>,
    pub looks: usize,
    pub is_cancelled: bool,
}

/// What the provider holds.
#[derive(Default)]
pub struct Held {
    pub files: BTreeMap<String, String>,
    pub made: Vec<Made>,
    /// Requests so far.
    pub requests: usize,
    /// The request from which on it does what it is asked and says nothing any more.
    pub dead_from: Option<usize>,
    /// What is made of a file of results before it is sent.
    pub mangle: Option<Box<dyn Fn(String) -> String + Send>>,
    /// Called when it begins to say nothing.
    pub on_death: Option<Box<dyn Fn() + Send>>,
}

impl Held {
    /// How often each ask was answered, and so paid for.
    pub fn paid(&self, script: &Script) -> BTreeMap<String, usize> {
        let mut paid = BTreeMap::new();
        for (at, batch) in self.made.iter().enumerate() {
            for (digest, _) in &batch.requests {
                if matches!((script.fate)(at, digest), Fate::Answered(_)) {
                    *paid.entry(digest.clone()).or_default() += 1;
                }
            }
        }
        paid
    }
}

/// Starts the provider.
pub fn start(script: Arc<Script>) -> (Provider, Arc<Mutex<Held>>) {
    let held: Arc<Mutex<Held>> = Arc::default();
    let inner = Arc::clone(&held);
    let provider = Provider::start(move |seen| {
        let mut held = inner.lock().unwrap();
        let number = held.requests;
        held.requests += 1;
        let body = serve(&script, &mut held, seen);
        let is_results = seen.path().ends_with("/results") || seen.path().ends_with("/content");
        let body = match held.mangle.as_ref().filter(|_| is_results) {
            Some(mangle) => body.map(mangle),
            None => body,
        };
        if held.dead_from.is_some_and(|from| number >= from) {
            if let Some(on_death) = held.on_death.take() {
                on_death();
            }
            return Play::Silence(Duration::from_millis(5));
        }
        match body {
            Some(body) => Play::Reply(200, String::new(), body),
            None => Play::Reply(
                404,
                String::new(),
                json!({"error": {"message": "no such thing"}}).to_string(),
            ),
        }
    });
    (provider, held)
}

fn serve(script: &Script, held: &mut Held, seen: &Seen) -> Option<String> {
    let path = seen.path().split('?').next().unwrap_or_default();
    let method = seen.head.split(' ').next().unwrap_or_default();
    let parts: Vec<&str> = path.trim_start_matches("/v1/").split('/').collect();
    match (method, parts.as_slice()) {
        ("POST", ["files"]) => {
            let id = format!("file-{}", held.files.len());
            let lines: Vec<&str> =
                seen.raw.lines().filter(|it| it.starts_with("{\"custom_id\"")).collect();
            assert!(seen.raw.contains("name=\"purpose\"\r\n\r\nbatch\r\n"));
            held.files.insert(id.clone(), lines.join("\n"));
            Some(json!({"id": id, "object": "file", "purpose": "batch"}).to_string())
        }
        ("POST", ["batches"]) => {
            let file = seen.body["input_file_id"].as_str()?.to_owned();
            assert_eq!(seen.body["completion_window"], "24h");
            let lines = held.files.get(&file)?;
            let requests = lines
                .lines()
                .map(|it| serde_json::from_str::<Value>(it).unwrap())
                .inspect(|it| assert_eq!(it["url"], seen.body["endpoint"]))
                .map(|it| (it["custom_id"].as_str().unwrap().to_owned(), it["body"].clone()))
                .collect();
            Some(make(script, held, file, requests))
        }
        ("POST", ["messages", "batches"]) => {
            let requests = seen.body["requests"].as_array()?.iter();
            let requests = requests
                .map(|it| (it["custom_id"].as_str().unwrap().to_owned(), it["params"].clone()))
                .inspect(|it| assert!(it.0.len() <= 64))
                .collect();
            Some(make(script, held, String::new(), requests))
        }
        ("POST", ["messages", "batches", id, "cancel"] | ["batches", id, "cancel"]) => {
            let at = held.made.iter().position(|it| it.id == *id)?;
            held.made[at].is_cancelled = true;
            Some(state(script, &held.made[at]).to_string())
        }
        ("GET", ["messages", "batches"] | ["batches"]) => {
            held.made.iter_mut().for_each(|it| it.looks += 1);
            let data: Vec<Value> = held.made.iter().rev().map(|it| state(script, it)).collect();
            Some(json!({"data": data, "has_more": false}).to_string())
        }
        ("GET", ["messages", "batches", id] | ["batches", id]) => {
            let at = held.made.iter().position(|it| it.id == *id)?;
            held.made[at].looks += 1;
            Some(state(script, &held.made[at]).to_string())
        }
        ("GET", ["messages", "batches", id, "results"]) => {
            let at = held.made.iter().position(|it| it.id == *id)?;
            let lines = held.made[at].requests.iter().map(|(digest, _)| {
                let result = match (script.fate)(at, digest) {
                    Fate::Answered(text) => {
                        json!({"type": "succeeded", "message": body_of(script, &text)})
                    }
                    Fate::Failed(status, words) => {
                        let kind = if status == 529 {
                            "overloaded_error"
                        } else {
                            "invalid_request_error"
                        };
                        json!({"type": "errored", "error": {"type": "error",
                            "error": {"type": kind, "message": words}}})
                    }
                    Fate::Left => json!({"type": script.end}),
                };
                json!({"custom_id": digest, "result": result}).to_string()
            });
            Some(lines.collect::<Vec<_>>().join("\n"))
        }
        ("GET", ["files", id, "content"]) => {
            let (kind, number) = id.split_once('-')?;
            let at: usize = number.parse().ok()?;
            let lines = held.made[at].requests.iter().filter_map(|(digest, _)| {
                let line = match ((script.fate)(at, digest), kind) {
                    (Fate::Answered(text), "output") => json!({"id": "r", "custom_id": digest,
                        "response": {"status_code": 200, "body": body_of(script, &text)}, "error": null}),
                    (Fate::Failed(status, words), "error") => json!({"id": "r", "custom_id": digest,
                        "response": {"status_code": status, "body": {"error": {"message": words}}},
                        "error": null}),
                    (Fate::Left, "error") if script.end == "expired" => json!({"id": "r",
                        "custom_id": digest, "response": null,
                        "error": {"code": "batch_expired", "message": "not executed in time"}}),
                    _ => return None,
                };
                Some(line.to_string())
            });
            Some(lines.collect::<Vec<_>>().join("\n"))
        }
        _ => None,
    }
}

fn make(
    script: &Script,
    held: &mut Held,
    input_file: String,
    requests: Vec<(String, Value)>,
) -> String {
    let id = format!("batch_{}", held.made.len());
    held.made.push(Made { id, input_file, requests, looks: 0, is_cancelled: false });
    state(script, held.made.last().unwrap()).to_string()
}

fn state(script: &Script, made: &Made) -> Value {
    let at: usize = made.id.trim_start_matches("batch_").parse().unwrap();
    let is_ended = made.looks >= script.looks;
    let total = made.requests.len();
    if script.dialect == Dialect::Anthropic {
        let done = if is_ended { total } else { 0 };
        return json!({"id": made.id, "type": "message_batch",
            "processing_status": if is_ended { "ended" } else { "in_progress" },
            "request_counts": {"processing": total - done, "succeeded": done, "errored": 0,
                "canceled": 0, "expired": 0},
            "created_at": "2099-01-01T00:00:00Z", "results_url": "https://elsewhere.example/"});
    }
    let has =
        |kind: fn(&Fate) -> bool| made.requests.iter().any(|it| kind(&(script.fate)(at, &it.0)));
    let count = |kind: fn(&Fate) -> bool| {
        if !is_ended || script.end == "failed" {
            return 0;
        }
        made.requests.iter().filter(|it| kind(&(script.fate)(at, &it.0))).count()
    };
    let mut state = json!({"id": made.id, "object": "batch", "input_file_id": made.input_file,
        "status": if is_ended { script.end } else { "in_progress" }, "created_at": 1,
        "request_counts": {"total": total, "completed": count(|it| matches!(it, Fate::Answered(_))),
            "failed": count(|it| matches!(it, Fate::Failed(..)))}});
    if is_ended && script.end == "failed" {
        state["errors"] = json!({"data": [{"message": "the input file is not valid"}]});
    } else if is_ended {
        if has(|it| matches!(it, Fate::Answered(_))) {
            state["output_file_id"] = json!(format!("output-{at}"));
        }
        if has(|it| !matches!(it, Fate::Answered(_))) {
            state["error_file_id"] = json!(format!("error-{at}"));
        }
    }
    state
}

fn body_of(script: &Script, text: &str) -> Value {
    match reply_in(script.dialect, text, "stop") {
        Play::Reply(_, _, body) => serde_json::from_str(&body).unwrap(),
        Play::Silence(_) => Value::Null,
    }
}
