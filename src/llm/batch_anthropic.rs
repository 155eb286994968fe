//! The wire form of Anthropic's Message Batches: requests go in with the call that makes the batch.
//!
//! Knows no key and no address: those are the transport's.

use serde_json::{Value, json};

use crate::llm::answerer::AnswerError;
use crate::llm::anthropic::read_message;
use crate::llm::batch_state::{BatchItem, BatchState};
use crate::llm::failure::{Failure, outcome};
use crate::llm::key::ApiKey;
use crate::model::ask::Answer;

/// The body that makes a batch.
pub fn create_body(items: &[BatchItem]) -> Value {
    let requests: Vec<Value> =
        items.iter().map(|it| json!({"custom_id": it.digest, "params": it.body})).collect();
    json!({"requests": requests})
}

/// Where a batch stands; `None` for a body that names none.
pub fn read_state(body: &Value) -> Option<BatchState> {
    let text = |key: &str| body.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let count = |key: &str| {
        body.pointer(&format!("/request_counts/{key}")).and_then(Value::as_u64).unwrap_or(0)
    };
    let id = body.get("id").and_then(Value::as_str)?.to_owned();
    let done = ["succeeded", "errored", "canceled", "expired"].iter().map(|it| count(it)).sum();
    let status = text("processing_status");
    Some(BatchState {
        id,
        is_ended: status == "ended",
        status,
        total: body.get("request_counts").map(|_| done + count("processing")),
        done,
        created: text("created_at"),
        ..BatchState::default()
    })
}

/// What became of one ask, from its line of the results.
///
/// # Errors
/// What went wrong with it.
pub fn read_result(
    line: &Value,
    digest: &str,
    model: &str,
    key: Option<&ApiKey>,
) -> Result<Answer, AnswerError> {
    let kind = line.pointer("/result/type").and_then(Value::as_str).unwrap_or_default();
    if kind == "succeeded" {
        let message = line.pointer("/result/message").map(Value::to_string).unwrap_or_default();
        return read_message(&message, digest, model);
    }
    let Some(error) = line.pointer("/result/error") else {
        return Err(AnswerError::Unavailable { detail: kind.to_owned() });
    };
    // An error of the interface, or that error in its own wrapping.
    let inner = error.get("error").unwrap_or(error);
    let status = match inner.get("type").and_then(Value::as_str).unwrap_or_default() {
        "authentication_error" => 401,
        "billing_error" => 402,
        "permission_error" => 403,
        "not_found_error" => 404,
        "request_too_large" => 413,
        "rate_limit_error" => 429,
        "overloaded_error" => 529,
        "api_error" | "timeout_error" => 500,
        _ => 400,
    };
    let body = json!({"error": inner}).to_string();
    Err(outcome(Failure { status, body: &body, retry_after_s: None, key }))
}
