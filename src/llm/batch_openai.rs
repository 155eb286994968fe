//! The wire form of OpenAI's batches: a file of requests goes in, files of results come out.
//!
//! Knows no key and no address: those are the transport's.

use serde_json::{Value, json};

use crate::llm::answerer::AnswerError;
use crate::llm::batch_state::{BatchItem, BatchState};
use crate::llm::failure::{Failure, outcome};
use crate::llm::key::ApiKey;
use crate::llm::openai::read_completion;
use crate::model::ask::Answer;
use crate::model::config::Dialect;

/// The endpoint that the requests are for, in the provider's words.
fn endpoint(dialect: Dialect) -> &'static str {
    if dialect == Dialect::Azure { "/chat/completions" } else { "/v1/chat/completions" }
}

/// Content type and body of the upload: one request a line, under the digest of its ask.
pub fn upload(items: &[BatchItem], dialect: Dialect) -> (String, Vec<u8>) {
    let mut lines = String::new();
    for it in items {
        let line = json!({"custom_id": it.digest, "method": "POST", "url": endpoint(dialect),
            "body": it.body});
        lines.push_str(&line.to_string());
        lines.push('\n');
    }
    // A digest stands in no text but by the ask's own line, which JSON keeps from being a boundary.
    let boundary = format!("countersign-{}", items.first().map_or("", |it| it.digest.as_str()));
    let body = format!(
        "--{boundary}\r\ncontent-disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n\
         --{boundary}\r\ncontent-disposition: form-data; name=\"file\"; filename=\"asks.jsonl\"\r\n\
         content-type: application/jsonl\r\n\r\n{lines}\r\n--{boundary}--\r\n"
    );
    (format!("multipart/form-data; boundary={boundary}"), body.into_bytes())
}

/// The body that makes a batch from an uploaded file.
pub fn create_body(name: &str, file: &str, dialect: Dialect) -> Value {
    json!({"input_file_id": file, "endpoint": endpoint(dialect), "completion_window": "24h",
        "metadata": {"countersign": name}})
}

/// Where a batch stands; `None` for a body that names none.
pub fn read_state(body: &Value) -> Option<BatchState> {
    let text = |path: &str| body.pointer(path).and_then(Value::as_str).map(str::to_owned);
    let count = |path: &str| body.pointer(path).and_then(Value::as_u64);
    let status = text("/status").unwrap_or_default();
    let errors = body.pointer("/errors/data").and_then(Value::as_array);
    let done = count("/request_counts/completed").unwrap_or(0)
        + count("/request_counts/failed").unwrap_or(0);
    Some(BatchState {
        id: text("/id")?,
        is_ended: matches!(status.as_str(), "completed" | "failed" | "expired" | "cancelled"),
        status,
        total: count("/request_counts/total"),
        done,
        created: count("/created_at").map_or_else(String::new, |it| it.to_string()),
        input_file: text("/input_file_id"),
        result_files: [text("/output_file_id"), text("/error_file_id")]
            .into_iter()
            .flatten()
            .collect(),
        errors: errors
            .into_iter()
            .flatten()
            .filter_map(|it| it.get("message").and_then(Value::as_str).map(str::to_owned))
            .collect(),
    })
}

/// What became of one ask, from its line of an output or error file.
///
/// # Errors
/// What went wrong with it.
pub fn read_result(
    line: &Value,
    digest: &str,
    model: &str,
    key: Option<&ApiKey>,
) -> Result<Answer, AnswerError> {
    let status = line.pointer("/response/status_code").and_then(Value::as_u64);
    let body = line.pointer("/response/body").map(Value::to_string).unwrap_or_default();
    match status.and_then(|it| u16::try_from(it).ok()) {
        Some(200..=299) => read_completion(&body, digest, model),
        Some(status) => Err(outcome(Failure { status, body: &body, retry_after_s: None, key })),
        None => {
            let text = |path: &str| line.pointer(path).and_then(Value::as_str).unwrap_or_default();
            let detail = format!("{} {}", text("/error/code"), text("/error/message"));
            Err(AnswerError::Unavailable { detail: detail.trim().to_owned() })
        }
    }
}
