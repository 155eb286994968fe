//! The wire form of Anthropic's Messages: what is sent, and what comes back.
//!
//! Knows no key and no address: those are the transport's.

use serde_json::{Value, json};

use crate::llm::answerer::AnswerError;
use crate::llm::chat::ChatRequest;
use crate::llm::settings::{Dislikes, ModelSettings, Reasoning};
use crate::model::ask::{Answer, Usage};

/// The version of the interface that this file speaks; sent with every request.
pub const VERSION: &str = "2023-06-01";

/// The provider has no default of its own for the longest reply and wants to be told one.
const MAX_TOKENS: u32 = 8_000;

/// The least number of tokens that a thinking budget may have, by the provider's documentation.
const LEAST_BUDGET: u32 = 1_024;

/// The body of a request. The instructions, which are equal for all asks of a source, are marked as
/// what the provider is to keep in its cache.
pub fn request_body(chat: &ChatRequest, settings: &ModelSettings, dislikes: Dislikes) -> Value {
    let most = settings.reply_limit(&chat.bounds).unwrap_or(MAX_TOKENS);
    let mut body = json!({
        "model": settings.model,
        "max_tokens": most,
        "system": [
            {"type": "text", "text": chat.system, "cache_control": {"type": "ephemeral"}},
        ],
        "messages": [{"role": "user", "content": chat.user}],
    });
    let mut output = serde_json::Map::new();
    if !dislikes.schema {
        let format = json!({"type": "json_schema", "schema": *chat.schema});
        output.insert("format".to_owned(), format);
    }
    if let Some(thinking) = settings.reasoning().filter(|_| !dislikes.reasoning) {
        if let Reasoning::Word(effort) = thinking
            && effort != "adaptive"
            && !dislikes.adaptive
        {
            output.insert("effort".to_owned(), json!(effort));
        }
        if let Some(thinking) = thinking_of(thinking, most, dislikes) {
            body["thinking"] = thinking;
        }
    }
    if !output.is_empty() {
        body["output_config"] = Value::Object(output);
    }
    let takes_temperature = !dislikes.temperature && body.get("thinking").is_none();
    if let Some(temperature) = settings.temperature.filter(|_| takes_temperature) {
        body["temperature"] = json!(temperature);
    }
    body
}

fn thinking_of(asked: Reasoning<'_>, most: u32, dislikes: Dislikes) -> Option<Value> {
    let budget = match asked {
        Reasoning::Off => return Some(json!({"type": "disabled"})),
        Reasoning::Word(_) if !dislikes.adaptive => return Some(json!({"type": "adaptive"})),
        // Models from before adaptive thinking want a number: half of the reply.
        Reasoning::Word(_) => most / 2,
        Reasoning::Budget(tokens) => tokens.min(most.saturating_sub(1)),
    };
    (budget >= LEAST_BUDGET).then(|| json!({"type": "enabled", "budget_tokens": budget}))
}

/// The answer in a message. A cut, refused or empty reply is an answer too.
///
/// # Errors
/// When the body is no message at all.
pub fn read_message(text: &str, digest: &str, model: &str) -> Result<Answer, AnswerError> {
    let unreadable = |detail: &str| AnswerError::Unavailable { detail: detail.to_owned() };
    let body: Value =
        serde_json::from_str(text).map_err(|_| unreadable("the provider's answer is not JSON"))?;
    let blocks = body
        .get("content")
        .and_then(Value::as_array)
        .ok_or_else(|| unreadable("the provider's answer has no content"))?;
    let reply: String = blocks
        .iter()
        .filter(|it| it["type"] == "text")
        .filter_map(|it| it["text"].as_str())
        .collect();
    let finish = match body.get("stop_reason").and_then(Value::as_str).unwrap_or_default() {
        "end_turn" | "stop_sequence" => "stop",
        "max_tokens" | "model_context_window_exceeded" => "length",
        word => word,
    };
    Ok(Answer {
        format: "countersign.answer/1".to_owned(),
        ask: digest.to_owned(),
        answered_by: body.get("model").and_then(Value::as_str).unwrap_or(model).to_owned(),
        reply,
        finish: finish.to_owned(),
        usage: body.get("usage").filter(|it| it.is_object()).map(usage_of),
    })
}

/// The provider counts what went in without what was read from or written to the cache; ours is the
/// whole.
fn usage_of(usage: &Value) -> Usage {
    let count = |key: &str| usage.get(key).and_then(Value::as_u64);
    let (cached, written) =
        (count("cache_read_input_tokens"), count("cache_creation_input_tokens"));
    let input = count("input_tokens").map(|it| it + cached.unwrap_or(0) + written.unwrap_or(0));
    Usage { input, output: count("output_tokens"), cached, written }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::chat::ReplyBounds;

    fn chat() -> ChatRequest {
        ChatRequest {
            system: "甲".to_owned(),
            user: "乙".to_owned(),
            schema_name: "extract_reply",
            schema: json!({"type": "object"}).into(),
            bounds: ReplyBounds::default(),
        }
    }

    fn settings(reasoning: Option<&str>) -> ModelSettings {
        ModelSettings {
            model: "m".to_owned(),
            max_tokens: Some(4_000),
            temperature: Some(0.0),
            reasoning: reasoning.map(str::to_owned),
        }
    }

    #[test]
    fn thinking_is_asked_for_in_the_words_that_the_model_takes() {
        let none = Dislikes::default();
        let body = |reasoning, dislikes| request_body(&chat(), &settings(reasoning), dislikes);
        let adaptive = body(Some("adaptive"), none);
        assert_eq!(adaptive["thinking"], json!({"type": "adaptive"}));
        assert!(adaptive.get("temperature").is_none(), "not beside thinking");
        assert!(adaptive["output_config"].get("effort").is_none());
        let high = body(Some("high"), none);
        assert_eq!(high["output_config"]["effort"], "high");
        let older = body(Some("high"), Dislikes { adaptive: true, ..none });
        assert_eq!(older["thinking"], json!({"type": "enabled", "budget_tokens": 2_000}));
        assert!(older["output_config"].get("effort").is_none());
        let number = body(Some("9000"), none);
        assert_eq!(number["thinking"]["budget_tokens"], 3_999, "less than the whole reply");
        assert_eq!(body(Some("off"), none)["thinking"], json!({"type": "disabled"}));
        let silent = body(Some("high"), Dislikes { reasoning: true, ..none });
        assert!(silent.get("thinking").is_none());
        assert_eq!(silent["temperature"], 0.0);
    }

    #[test]
    fn the_unchanging_part_is_marked_for_the_cache_and_the_schema_is_sent() {
        let body = request_body(&chat(), &settings(None), Dislikes::default());
        assert_eq!(body["system"][0]["cache_control"], json!({"type": "ephemeral"}));
        assert_eq!(body["output_config"]["format"]["schema"], json!({"type": "object"}));
        assert_eq!(body["max_tokens"], 4_000);
        let short = ChatRequest {
            bounds: ReplyBounds { tokens: Some(600), items: Some(3), ..ReplyBounds::default() },
            ..chat()
        };
        let body = request_body(&short, &settings(Some("off")), Dislikes::default());
        assert_eq!(body["max_tokens"], 600, "no longer than an honest reply");
        assert_eq!(body["output_config"]["format"]["schema"], json!({"type": "object"}));
        let loose = Dislikes { schema: true, ..Dislikes::default() };
        assert!(request_body(&chat(), &settings(None), loose).get("output_config").is_none());
    }

    #[test]
    fn what_was_read_from_and_written_to_the_cache_went_in_as_well() {
        let text = r#"{"model":"m-1","stop_reason":"end_turn","content":[
            {"type":"thinking","thinking":"…"},{"type":"text","text":"{\"rows\""},{"type":"text","text":":[]}"}],
            "usage":{"input_tokens":17,"cache_read_input_tokens":3,"cache_creation_input_tokens":5,"output_tokens":9}}"#;
        let answer = read_message(text, "d", "asked").unwrap();
        assert_eq!((answer.reply.as_str(), answer.finish.as_str()), ("{\"rows\":[]}", "stop"));
        let wanted = Usage { input: Some(25), output: Some(9), cached: Some(3), written: Some(5) };
        assert_eq!(answer.usage, Some(wanted));
        let bare = r#"{"content":[],"stop_reason":"refusal","usage":{"input_tokens":4}}"#;
        let answer = read_message(bare, "d", "asked").unwrap();
        assert_eq!((answer.reply.as_str(), answer.finish.as_str()), ("", "refusal"));
        let usage = answer.usage.unwrap();
        assert_eq!((usage.input, usage.output, usage.cached), (Some(4), None, None));
        let cut = r#"{"content":[],"stop_reason":"max_tokens"}"#;
        assert_eq!(read_message(cut, "d", "asked").unwrap().finish, "length");
    }
}
