//! The wire form of OpenAI's chat completions and of the many servers that speak like it.
//!
//! Knows no key and no address: those are the transport's.

use serde_json::{Value, json};

use crate::llm::answerer::AnswerError;
use crate::llm::chat::ChatRequest;
use crate::llm::held::held_schema;
use crate::llm::settings::{Dislikes, ModelSettings, Reasoning};
use crate::model::ask::{Answer, Usage};

/// The body of a request. The unchanging part stands first, since providers cache by prefix. Servers
/// that take bounds are sent a schema that ends a reply which runs on.
pub fn request_body(chat: &ChatRequest, settings: &ModelSettings, dislikes: Dislikes) -> Value {
    let mut body = json!({
        "model": settings.model,
        "messages": [
            {"role": "system", "content": chat.system},
            {"role": "user", "content": chat.user},
        ],
    });
    if !dislikes.schema {
        let schema = match dislikes.bounds {
            true => (*chat.schema).clone(),
            false => held_schema(&chat.schema, &chat.bounds),
        };
        let mut format = json!({"name": chat.schema_name, "strict": true});
        format["schema"] = schema;
        body["response_format"] = json!({"type": "json_schema"});
        body["response_format"]["json_schema"] = format;
    }
    if let Some(most) = settings.reply_limit(&chat.bounds) {
        let key = if dislikes.max_tokens { "max_completion_tokens" } else { "max_tokens" };
        body[key] = json!(most);
    }
    if let Some(temperature) = settings.temperature.filter(|_| !dislikes.temperature) {
        body["temperature"] = json!(temperature);
    }
    match settings.reasoning().filter(|_| !dislikes.reasoning) {
        // OpenAI's own word for it, since GPT-5.1.
        Some(Reasoning::Off) => body["reasoning_effort"] = json!("none"),
        Some(Reasoning::Word(effort)) => body["reasoning_effort"] = json!(effort),
        // There is no number to give here: the reply's own limit bounds the thinking too.
        Some(Reasoning::Budget(_)) | None => {}
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
    let finish = match choice.get("finish_reason").and_then(Value::as_str).unwrap_or_default() {
        _ if refusal.is_some() => "refusal",
        "content_filter" => "refusal",
        word => word,
    };
    let count = |path: &str| body.pointer(path).and_then(Value::as_u64);
    Ok(Answer {
        format: "countersign.answer/1".to_owned(),
        ask: digest.to_owned(),
        answered_by: body.get("model").and_then(Value::as_str).unwrap_or(model).to_owned(),
        reply: refusal.unwrap_or(content).to_owned(),
        finish: finish.to_owned(),
        usage: body.get("usage").filter(|it| it.is_object()).map(|_| Usage {
            // What was read from the cache is a part of what went in.
            input: count("/usage/prompt_tokens"),
            output: output_of(
                count("/usage/prompt_tokens"),
                count("/usage/completion_tokens"),
                count("/usage/total_tokens"),
            ),
            cached: count("/usage/prompt_tokens_details/cached_tokens"),
            written: None,
        }),
    })
}

/// Thinking is a part of what came out. Some servers count it apart, and only in the total.
fn output_of(input: Option<u64>, output: Option<u64>, total: Option<u64>) -> Option<u64> {
    let beside = total.zip(input).map(|(total, input)| total.saturating_sub(input));
    output.map(|it| it.max(beside.unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::chat::ReplyBounds;

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
    fn thinking_that_is_counted_in_the_total_alone_is_paid_for() {
        for (total, wanted) in
            [("", 3), (r#","total_tokens":23"#, 3), (r#","total_tokens":140"#, 120)]
        {
            let text = format!(
                r#"{{"choices":[{{"message":{{"content":"x"}}}}],"usage":{{"prompt_tokens":20,"completion_tokens":3{total}}}}}"#
            );
            let usage = read_completion(&text, "d", "asked").unwrap().usage.unwrap();
            assert_eq!(usage.output, Some(wanted), "{total}");
        }
    }

    #[test]
    fn a_refusal_is_its_own_outcome() {
        let text =
            r#"{"choices":[{"finish_reason":"stop","message":{"refusal":"No.","content":null}}]}"#;
        let answer = read_completion(text, "d", "asked").unwrap();
        assert_eq!((answer.finish.as_str(), answer.reply.as_str()), ("refusal", "No."));
        assert_eq!(answer.usage, None);
        let filtered =
            r#"{"choices":[{"finish_reason":"content_filter","message":{"content":""}}]}"#;
        assert_eq!(read_completion(filtered, "d", "asked").unwrap().finish, "refusal");
    }

    #[test]
    fn a_reply_is_bound_by_its_item_where_the_server_takes_that() {
        let chat = ChatRequest {
            system: "甲".to_owned(),
            user: "乙".to_owned(),
            schema_name: "extract_reply",
            schema: json!({"type": "object", "properties": {"rows": {"type": "array", "items": {"type": "string"}}}}).into(),
            bounds: ReplyBounds {
                tokens: Some(700),
                items: Some(7),
                ..ReplyBounds::default()
            },
        };
        let settings = ModelSettings {
            max_tokens: Some(8_000),
            reasoning: Some("off".to_owned()),
            ..ModelSettings::default()
        };
        let body = request_body(&chat, &settings, Dislikes::default());
        assert_eq!(body["max_tokens"], 700);
        let schema = "/response_format/json_schema/schema";
        let most =
            |body: &Value| body.pointer(schema)?.pointer("/properties/rows/maxItems").cloned();
        assert_eq!(most(&body), Some(json!(7)));
        let plain =
            request_body(&chat, &settings, Dislikes { bounds: true, ..Dislikes::default() });
        assert_eq!(plain.pointer(schema), Some(&*chat.schema), "the same for every item");
    }

    #[test]
    fn what_is_disliked_is_left_out() {
        let chat = ChatRequest {
            system: "甲".to_owned(),
            user: "乙".to_owned(),
            schema_name: "extract_reply",
            schema: json!({}).into(),
            bounds: ReplyBounds::default(),
        };
        let settings = ModelSettings {
            model: "m".to_owned(),
            max_tokens: Some(9),
            temperature: Some(0.0),
            reasoning: Some("high".to_owned()),
        };
        let some =
            Dislikes { max_tokens: true, temperature: true, schema: true, ..Dislikes::default() };
        let body = request_body(&chat, &settings, some);
        assert_eq!(body["max_completion_tokens"], 9);
        assert_eq!(body["reasoning_effort"], "high");
        for key in ["max_tokens", "temperature", "response_format"] {
            assert!(body.get(key).is_none(), "{key}");
        }
        let none = request_body(&chat, &settings, Dislikes { reasoning: true, ..some });
        assert!(none.get("reasoning_effort").is_none());
    }
}
