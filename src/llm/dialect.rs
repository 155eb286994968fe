//! The wire formats under one roof: where a request goes, under which header, and how it reads.
//!
//! Each format stands in a file of its own; nothing here knows a key or an address.

use serde_json::Value;

use crate::llm::answerer::AnswerError;
use crate::llm::chat::ChatRequest;
use crate::llm::settings::{Dislikes, ModelSettings};
use crate::llm::{anthropic, gemini, openai};
use crate::model::ask::Answer;
use crate::model::config::Dialect;

/// The path of one call, after the base address.
pub fn call_path(dialect: Dialect, model: &str) -> String {
    match dialect {
        Dialect::Compatible | Dialect::OpenAi | Dialect::Azure => "/chat/completions".to_owned(),
        Dialect::Anthropic => "/messages".to_owned(),
        Dialect::Gemini => {
            format!("/models/{}:generateContent", model.trim_start_matches("models/"))
        }
    }
}

/// The header that carries the key, and what stands before the key in it.
pub fn key_header(dialect: Dialect) -> (&'static str, &'static str) {
    match dialect {
        Dialect::Compatible | Dialect::OpenAi => ("authorization", "Bearer "),
        Dialect::Azure => ("api-key", ""),
        Dialect::Anthropic => ("x-api-key", ""),
        Dialect::Gemini => ("x-goog-api-key", ""),
    }
}

/// Headers that every request carries beside the key.
pub fn fixed_headers(dialect: Dialect) -> &'static [(&'static str, &'static str)] {
    match dialect {
        Dialect::Anthropic => &[("anthropic-version", anthropic::VERSION)],
        _ => &[],
    }
}

/// The body of one call.
pub fn request_body(
    dialect: Dialect,
    chat: &ChatRequest,
    settings: &ModelSettings,
    dislikes: Dislikes,
) -> Value {
    match dialect {
        Dialect::Compatible => openai::request_body(chat, settings, dislikes),
        // `max_tokens` is deprecated there, and reasoning models refuse it. Bounds in a schema are
        // refused by Azure, and would make another schema of each item.
        Dialect::OpenAi | Dialect::Azure => openai::request_body(
            chat,
            settings,
            Dislikes { max_tokens: true, bounds: true, ..dislikes },
        ),
        Dialect::Anthropic => anthropic::request_body(chat, settings, dislikes),
        Dialect::Gemini => gemini::request_body(chat, settings, dislikes),
    }
}

/// The answer in the body of a good response.
///
/// # Errors
/// When the body is no response of this dialect.
pub fn read_reply(
    dialect: Dialect,
    text: &str,
    digest: &str,
    model: &str,
) -> Result<Answer, AnswerError> {
    match dialect {
        Dialect::Compatible | Dialect::OpenAi | Dialect::Azure => {
            openai::read_completion(text, digest, model)
        }
        Dialect::Anthropic => anthropic::read_message(text, digest, model),
        Dialect::Gemini => gemini::read_response(text, digest, model),
    }
}
