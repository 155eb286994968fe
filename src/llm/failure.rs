//! What a response that is no answer means: each failure its own outcome, whatever the dialect.
//!
//! Reads only the provider's words, and repeats them shortened and without the key.

use serde_json::Value;

use crate::llm::answerer::AnswerError;
use crate::llm::key::ApiKey;

/// A response that is no answer.
#[derive(Clone, Copy, Debug)]
pub struct Failure<'a> {
    /// HTTP status.
    pub status: u16,
    pub body: &'a str,
    /// The `Retry-After` of the response, in seconds.
    pub retry_after_s: Option<u64>,
    /// To be blotted out of the provider's words.
    pub key: Option<&'a ApiKey>,
}

/// Words by which providers say that the account is empty. OpenAI's code; Anthropic's type and words.
const NO_MONEY: [&str; 5] = [
    "insufficient_quota",
    "billing_error",
    "credit balance is too low",
    "api usage limits",
    "billing_hard_limit",
];

/// Words by which providers say that an ask is too long: OpenAI, llama.cpp, Anthropic, Gemini.
const TOO_LONG: [&str; 8] = [
    "context_length_exceeded",
    "maximum context length",
    "exceed_context_size",
    "context size",
    "prompt is too long",
    "input token count",
    "request_too_large",
    "exceeds the maximum number of tokens",
];

/// Words by which providers say that their filter stopped the ask.
const BLOCKED: [&str; 4] = [
    "content_filter",
    "responsibleaipolicyviolation",
    "content management policy",
    "invalid_prompt",
];

/// The outcome of a failed call.
pub fn outcome(failure: Failure<'_>) -> AnswerError {
    let text = failure.body.to_ascii_lowercase();
    let names = |words: &[&str]| words.iter().any(|it| text.contains(it));
    let detail = shown(failure);
    let retry_after_s = failure.retry_after_s.or_else(|| retry_delay(failure.body));
    match failure.status {
        401 | 403 => AnswerError::Unauthorised { detail: format!("HTTP {}", failure.status) },
        400 if names(&["api_key_invalid", "api key not valid"]) => {
            AnswerError::Unauthorised { detail: format!("HTTP {}", failure.status) }
        }
        // Out of money is not out of breath: no wait mends it.
        402 => AnswerError::NoMoney { detail },
        400..=499 if names(&NO_MONEY) => AnswerError::NoMoney { detail },
        429 => AnswerError::RateLimited { retry_after_s },
        408 | 409 => AnswerError::Unavailable { detail },
        413 => AnswerError::TooLong { detail },
        400..=499 if names(&TOO_LONG) => AnswerError::TooLong { detail },
        400..=499 if names(&BLOCKED) => AnswerError::Refused { detail },
        400..=499 if text.contains("schema") => AnswerError::BadSchema { detail },
        503 | 529 => AnswerError::Overloaded { retry_after_s, detail },
        500..=599 => AnswerError::Unavailable { detail },
        _ => AnswerError::Rejected { detail },
    }
}

/// The provider's own words, shortened.
fn shown(failure: Failure<'_>) -> String {
    let message = serde_json::from_str::<Value>(failure.body)
        .ok()
        .and_then(|it| it.pointer("/error/message").and_then(Value::as_str).map(str::to_owned))
        .unwrap_or_else(|| failure.body.to_owned());
    let whole = failure.key.map_or_else(|| message.clone(), |it| it.blot(&message));
    let short: String =
        whole.chars().map(|it| if it.is_control() { ' ' } else { it }).take(300).collect();
    format!("HTTP {}: {short}", failure.status)
}

/// Seconds in a `google.rpc.RetryInfo`: `"retryDelay": "22s"`, rounded up.
fn retry_delay(body: &str) -> Option<u64> {
    let body: Value = serde_json::from_str(body).ok()?;
    let details = body.pointer("/error/details")?.as_array()?;
    let text = details.iter().find_map(|it| it.get("retryDelay")?.as_str())?;
    let seconds: rust_decimal::Decimal = text.strip_suffix('s')?.parse().ok()?;
    u64::try_from(seconds.ceil()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(status: u16, body: &str) -> AnswerError {
        let key = ApiKey::new("sk-planted".to_owned());
        outcome(Failure { status, body, retry_after_s: None, key: Some(&key) })
    }

    #[test]
    fn each_providers_words_lead_to_the_outcome_that_they_mean() {
        type Wanted = fn(&AnswerError) -> bool;
        let long: Wanted = |it| matches!(it, AnswerError::TooLong { .. });
        let money: Wanted = |it| matches!(it, AnswerError::NoMoney { .. });
        let schema: Wanted = |it| matches!(it, AnswerError::BadSchema { .. });
        let refused: Wanted = |it| matches!(it, AnswerError::Refused { .. });
        let key: Wanted = |it| matches!(it, AnswerError::Unauthorised { .. });
        let cases: [(u16, &str, Wanted); 16] = [
            (400, r#"{"error":{"code":"context_length_exceeded","message":"…"}}"#, long),
            (400, r#"{"error":{"type":"exceed_context_size_error","n_ctx":4096}}"#, long),
            (
                400,
                r#"{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#,
                long,
            ),
            (400, r#"{"error":{"message":"The input token count (1200000) exceeds …"}}"#, long),
            (413, r#"{"error":{"type":"request_too_large"}}"#, long),
            (429, r#"{"error":{"code":"insufficient_quota"}}"#, money),
            (402, r#"{"error":{"type":"billing_error"}}"#, money),
            (
                400,
                r#"{"error":{"message":"Your credit balance is too low to access the API"}}"#,
                money,
            ),
            (
                400,
                r#"{"error":{"message":"Invalid schema for response_format 'extract_reply'"}}"#,
                schema,
            ),
            (400, r#"{"error":{"message":"output_config.format.schema: Invalid schema"}}"#, schema),
            (
                400,
                r#"{"error":{"message":"GenerateContentRequest.generation_config.response_schema: wrong"}}"#,
                schema,
            ),
            (400, r#"{"error":{"code":"content_filter","message":"filtered"}}"#, refused),
            (400, r#"{"error":{"innererror":{"code":"ResponsibleAIPolicyViolation"}}}"#, refused),
            (
                400,
                r#"{"error":{"message":"API key not valid. Please pass a valid API key."}}"#,
                key,
            ),
            (401, r#"{"error":{"type":"authentication_error"}}"#, key),
            (403, "sk-planted is not known", key),
        ];
        for (status, body, is_wanted) in cases {
            let error = of(status, body);
            assert!(is_wanted(&error), "HTTP {status} {body}: {error:?}");
            assert!(!format!("{error:?}").contains("planted"));
        }
        assert!(matches!(of(529, "{}"), AnswerError::Overloaded { .. }));
        assert!(matches!(of(503, "{}"), AnswerError::Overloaded { .. }));
        assert!(matches!(of(500, "{}"), AnswerError::Unavailable { .. }));
        assert!(matches!(of(404, "no such model"), AnswerError::Rejected { .. }));
    }

    #[test]
    fn a_wait_that_stands_in_the_body_is_read() {
        let body = r#"{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","details":[
            {"@type":"type.googleapis.com/google.rpc.QuotaFailure"},
            {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"21.4s"}]}}"#;
        assert_eq!(of(429, body), AnswerError::RateLimited { retry_after_s: Some(22) });
        assert_eq!(of(429, "slow down"), AnswerError::RateLimited { retry_after_s: None });
    }
}
