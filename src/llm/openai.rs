//! The wire form of OpenAI-compatible chat completions: what is sent, and what comes back.
//!
//! Knows no key and no address: those are the transport's.

use serde_json::{Value, json};

use crate::llm::answerer::AnswerError;
use crate::llm::chat::ChatRequest;
use crate::model::ask::{Answer, Usage};

/// What is asked of a model beside the messages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelSettings {
    pub model: String,
    /// Most tokens of one reply; `None` leaves it to the provider.
    pub max_tokens: Option<u32>,
    /// `None` leaves it to the provider.
    pub temperature: Option<f64>,
    /// Reasoning effort in the provider's words; `None` leaves the provider's default.
    pub reasoning: Option<String>,
}

/// What a provider was found not to take. Each is learnt from a refusal that names it, once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dislikes {
    /// Wants `max_completion_tokens`, as reasoning models do.
    pub max_tokens: bool,
    /// Takes only its own temperature.
    pub temperature: bool,
    /// Cannot be held to a schema; the reply is read tolerantly, as every reply is.
    pub schema: bool,
}

impl Dislikes {
    /// What is learnt from a refusal; `None` where it names nothing that can be left out.
    pub fn learn(self, refusal: &str) -> Option<Self> {
        let text = refusal.to_ascii_lowercase();
        let is_unsupported = ["unsupported", "not supported", "does not support", "not available"]
            .iter()
            .any(|it| text.contains(it));
        let mut learnt = self;
        learnt.max_tokens |= text.contains("max_completion_tokens");
        if is_unsupported {
            learnt.temperature |= text.contains("temperature");
            learnt.schema |= text.contains("response_format") || text.contains("json_schema");
        }
        (learnt != self).then_some(learnt)
    }
}

/// The body of a request.
pub fn request_body(chat: &ChatRequest, settings: &ModelSettings, dislikes: Dislikes) -> Value {
    let mut body = json!({
        "model": settings.model,
        "messages": [
            {"role": "system", "content": chat.system},
            {"role": "user", "content": chat.user},
        ],
    });
    if !dislikes.schema {
        body["response_format"] = json!({
            "type": "json_schema",
            "json_schema": {"name": chat.schema_name, "strict": true, "schema": chat.schema},
        });
    }
    if let Some(most) = settings.max_tokens {
        let key = if dislikes.max_tokens { "max_completion_tokens" } else { "max_tokens" };
        body[key] = json!(most);
    }
    if let Some(temperature) = settings.temperature.filter(|_| !dislikes.temperature) {
        body["temperature"] = json!(temperature);
    }
    if let Some(reasoning) = &settings.reasoning {
        body["reasoning_effort"] = json!(reasoning);
    }
    body
}

/// The answer in a completion. A cut, refused or empty reply is an answer too: what it is worth is
/// for whoever parses it to say.
///
/// # Errors
/// When the body is no completion at all.
pub fn read_completion(text: &str, digest: &str, model: &str) -> Result<Answer, AnswerError> {
    let unreadable = |detail: &str| AnswerError::Unavailable { detail: detail.to_owned() };
    let body: Value =
        serde_json::from_str(text).map_err(|_| unreadable("the provider's answer is not JSON"))?;
    let choice = body
        .pointer("/choices/0")
        .ok_or_else(|| unreadable("the provider's answer has no choices"))?;
    let content = choice.pointer("/message/content").and_then(Value::as_str).unwrap_or_default();
    let refusal = choice.pointer("/message/refusal").and_then(Value::as_str);
    let finish = match refusal {
        Some(_) => "refusal",
        None => choice.get("finish_reason").and_then(Value::as_str).unwrap_or_default(),
    };
    let count = |path: &str| body.pointer(path).and_then(Value::as_u64);
    Ok(Answer {
        format: "countersign.answer/1".to_owned(),
        ask: digest.to_owned(),
        answered_by: body.get("model").and_then(Value::as_str).unwrap_or(model).to_owned(),
        reply: refusal.unwrap_or(content).to_owned(),
        finish: finish.to_owned(),
        usage: body.get("usage").filter(|it| it.is_object()).map(|_| Usage {
            input: count("/usage/prompt_tokens"),
            output: count("/usage/completion_tokens"),
            cached: count("/usage/prompt_tokens_details/cached_tokens"),
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_reply_says_so_and_unreported_usage_is_not_zero() {
        let text = r#"{"model":"m","choices":[{"finish_reason":"length","message":{"content":"{\"rows\":["}}],
            "usage":{"prompt_tokens":20,"completion_tokens":3}}"#;
        let answer = read_completion(text, "d", "asked").unwrap();
        assert_eq!((answer.finish.as_str(), answer.answered_by.as_str()), ("length", "m"));
        let usage = answer.usage.unwrap();
        assert_eq!((usage.input, usage.output, usage.cached), (Some(20), Some(3), None));
        let zero = text
            .replace("\"completion_tokens\":3", "\"prompt_tokens_details\":{\"cached_tokens\":0}");
        assert_eq!(read_completion(&zero, "d", "asked").unwrap().usage.unwrap().cached, Some(0));
    }

    #[test]
    fn a_refusal_is_its_own_outcome() {
        let text =
            r#"{"choices":[{"finish_reason":"stop","message":{"refusal":"No.","content":null}}]}"#;
        let answer = read_completion(text, "d", "asked").unwrap();
        assert_eq!((answer.finish.as_str(), answer.reply.as_str()), ("refusal", "No."));
        assert_eq!(answer.usage, None);
    }

    #[test]
    fn what_a_provider_does_not_take_is_learnt_once_and_a_bad_schema_is_not_taken_for_that() {
        let none = Dislikes::default();
        let tokens = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
        let learnt = none.learn(tokens).unwrap();
        assert_eq!(learnt, Dislikes { max_tokens: true, ..none });
        assert_eq!(learnt.learn(tokens), None, "learnt already");
        let heat = "Unsupported value: 'temperature' does not support 0 with this model.";
        assert_eq!(none.learn(heat), Some(Dislikes { temperature: true, ..none }));
        let schema = "response_format of type json_schema is not supported by this model";
        assert_eq!(none.learn(schema), Some(Dislikes { schema: true, ..none }));
        assert_eq!(none.learn("Invalid schema for response_format 'extract_reply'"), None);
        let chat = ChatRequest {
            system: "甲".to_owned(),
            user: "乙".to_owned(),
            schema_name: "extract_reply",
            schema: json!({}),
        };
        let settings = ModelSettings {
            model: "m".to_owned(),
            max_tokens: Some(9),
            temperature: Some(0.0),
            reasoning: Some("high".to_owned()),
        };
        let all = Dislikes { max_tokens: true, temperature: true, schema: true };
        let body = request_body(&chat, &settings, all);
        assert_eq!(body["max_completion_tokens"], 9);
        assert_eq!(body["reasoning_effort"], "high");
        for key in ["max_tokens", "temperature", "response_format"] {
            assert!(body.get(key).is_none(), "{key}");
        }
    }
}
