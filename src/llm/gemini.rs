//! The wire form of Google's `generateContent`: what is sent, and what comes back.
//!
//! Knows no key and no address: those are the transport's.

use serde_json::{Map, Value, json};

use crate::llm::answerer::AnswerError;
use crate::llm::chat::ChatRequest;
use crate::llm::settings::{Dislikes, ModelSettings, Reasoning};
use crate::model::ask::{Answer, Usage};

/// The body of a request; the model stands in the address. The unchanging part stands first, since
/// the provider caches by prefix.
pub fn request_body(chat: &ChatRequest, settings: &ModelSettings, dislikes: Dislikes) -> Value {
    let mut config = Map::new();
    config.insert("responseMimeType".to_owned(), json!("application/json"));
    if !dislikes.schema {
        config.insert("responseSchema".to_owned(), open_api_schema(&chat.schema));
    }
    if let Some(most) = settings.reply_limit(&chat.bounds) {
        config.insert("maxOutputTokens".to_owned(), json!(most));
    }
    if let Some(temperature) = settings.temperature.filter(|_| !dislikes.temperature) {
        config.insert("temperature".to_owned(), json!(temperature));
    }
    if let Some(thinking) = settings.reasoning().filter(|_| !dislikes.reasoning) {
        let thinking = match thinking {
            Reasoning::Off => json!({"thinkingBudget": 0}),
            Reasoning::Budget(tokens) => json!({"thinkingBudget": tokens}),
            // As much as the model sees fit.
            Reasoning::Word("dynamic") => json!({"thinkingBudget": -1}),
            Reasoning::Word(level) => json!({"thinkingLevel": level}),
        };
        config.insert("thinkingConfig".to_owned(), thinking);
    }
    json!({
        "systemInstruction": {"parts": [{"text": chat.system}]},
        "contents": [{"role": "user", "parts": [{"text": chat.user}]}],
        "generationConfig": config,
    })
}

/// Our JSON schema in the words of the OpenAPI subset that the provider takes: one type each, null
/// as a property of its own, properties in a stated order.
pub fn open_api_schema(schema: &Value) -> Value {
    let Some(from) = schema.as_object() else { return schema.clone() };
    let mut to = Map::new();
    let mut kinds = Vec::new();
    let mut is_nullable = false;
    match from.get("type") {
        Some(Value::String(kind)) => kinds.push(kind.as_str()),
        Some(Value::Array(all)) => kinds.extend(all.iter().filter_map(Value::as_str)),
        _ => {}
    }
    kinds.retain(|it| {
        is_nullable |= *it == "null";
        *it != "null"
    });
    let mut options: Vec<Value> = Vec::new();
    for option in from.get("anyOf").and_then(Value::as_array).into_iter().flatten() {
        let mut option = open_api_schema(option);
        is_nullable |= option.as_object_mut().and_then(|it| it.remove("nullable")).is_some();
        match option.get("anyOf").and_then(Value::as_array) {
            Some(inner) => options.extend(inner.iter().cloned()),
            None if option == json!({}) => {}
            None => options.push(option),
        }
    }
    match kinds.as_slice() {
        [] => {}
        [one] => _ = to.insert("type".to_owned(), json!(one.to_ascii_uppercase())),
        many => options.extend(many.iter().map(|it| json!({"type": it.to_ascii_uppercase()}))),
    }
    match options.len() {
        0 => {}
        1 => to.extend(options.remove(0).as_object().cloned().unwrap_or_default()),
        _ => _ = to.insert("anyOf".to_owned(), Value::Array(options)),
    }
    for (key, value) in from {
        match key.as_str() {
            "properties" => {
                // Keys are written in this order; of `required` too, which is the same.
                let properties = value.as_object().cloned().unwrap_or_default();
                let order: Vec<&String> = properties.keys().collect();
                to.insert("propertyOrdering".to_owned(), json!(order));
                let read = properties.iter().map(|(name, it)| (name.clone(), open_api_schema(it)));
                to.insert(key.clone(), Value::Object(read.collect()));
            }
            "items" => _ = to.insert(key.clone(), open_api_schema(value)),
            "enum" => {
                let words = value.as_array().into_iter().flatten().filter(|it| !it.is_null());
                to.insert(key.clone(), Value::Array(words.cloned().collect()));
            }
            "required" | "description" => _ = to.insert(key.clone(), value.clone()),
            _ => {}
        }
    }
    if is_nullable {
        to.insert("nullable".to_owned(), json!(true));
    }
    Value::Object(to)
}

/// The answer in a response. A cut, blocked or empty reply is an answer too.
///
/// # Errors
/// When the body is no response at all.
pub fn read_response(text: &str, digest: &str, model: &str) -> Result<Answer, AnswerError> {
    let unreadable = |detail: &str| AnswerError::Unavailable { detail: detail.to_owned() };
    let body: Value =
        serde_json::from_str(text).map_err(|_| unreadable("the provider's answer is not JSON"))?;
    let candidate = body.pointer("/candidates/0");
    let block = body.pointer("/promptFeedback/blockReason").and_then(Value::as_str);
    if candidate.is_none() && block.is_none() {
        return Err(unreadable("the provider's answer has no candidates"));
    }
    let parts = candidate.and_then(|it| it.pointer("/content/parts")).and_then(Value::as_array);
    let reply: String = parts
        .into_iter()
        .flatten()
        .filter(|it| it["thought"] != true)
        .filter_map(|it| it["text"].as_str())
        .collect();
    let reason = candidate.and_then(|it| it.get("finishReason")).and_then(Value::as_str);
    let finish = match reason.unwrap_or_default() {
        _ if block.is_some() => "refusal".to_owned(),
        "STOP" => "stop".to_owned(),
        "MAX_TOKENS" => "length".to_owned(),
        "SAFETY" | "RECITATION" | "LANGUAGE" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" => {
            "refusal".to_owned()
        }
        other => other.to_ascii_lowercase(),
    };
    Ok(Answer {
        format: "countersign.answer/1".to_owned(),
        ask: digest.to_owned(),
        answered_by: body.get("modelVersion").and_then(Value::as_str).unwrap_or(model).to_owned(),
        reply,
        finish,
        usage: body.get("usageMetadata").filter(|it| it.is_object()).map(usage_of),
    })
}

/// What was read from the cache is a part of what went in; thinking is counted apart from the reply
/// and charged like it.
fn usage_of(usage: &Value) -> Usage {
    let count = |key: &str| usage.get(key).and_then(Value::as_u64);
    let thought = count("thoughtsTokenCount");
    let output = match (count("candidatesTokenCount"), thought) {
        (None, None) => None,
        (said, thought) => Some(said.unwrap_or(0) + thought.unwrap_or(0)),
    };
    Usage {
        input: count("promptTokenCount"),
        output,
        cached: count("cachedContentTokenCount"),
        written: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::chat::ReplyBounds;

    #[test]
    fn types_become_single_and_null_becomes_a_property() {
        let schema = json!({
            "type": "object",
            "properties": {
                "unit": {"type": ["string", "null"]},
                "join": {"type": ["string", "null"], "enum": ["all", "any", null]},
                "value": {"anyOf": [
                    {"type": ["number", "string", "null"]},
                    {"type": "array", "items": {"type": ["number", "string"]}},
                ]},
                "row": {"anyOf": [{"type": "object", "properties": {}}, {"type": "null"}]},
            },
            "required": ["unit"],
            "additionalProperties": false,
        });
        let wanted = json!({
            "type": "OBJECT",
            "propertyOrdering": ["unit", "join", "value", "row"],
            "properties": {
                "unit": {"type": "STRING", "nullable": true},
                "join": {"type": "STRING", "enum": ["all", "any"], "nullable": true},
                "value": {"anyOf": [
                    {"type": "NUMBER"},
                    {"type": "STRING"},
                    {"type": "ARRAY", "items": {"anyOf": [{"type": "NUMBER"}, {"type": "STRING"}]}},
                ], "nullable": true},
                "row": {"type": "OBJECT", "propertyOrdering": [], "properties": {}, "nullable": true},
            },
            "required": ["unit"],
        });
        assert_eq!(open_api_schema(&schema), wanted);
    }

    #[test]
    fn thinking_is_not_a_part_of_the_reply_and_is_paid_for() {
        let text = r#"{"modelVersion":"g-1","candidates":[{"finishReason":"STOP","content":{"parts":[
            {"text":"hm","thought":true},{"text":"{\"rows\":[]}"}]}}],
            "usageMetadata":{"promptTokenCount":20,"cachedContentTokenCount":8,"candidatesTokenCount":5,"thoughtsTokenCount":7}}"#;
        let answer = read_response(text, "d", "asked").unwrap();
        assert_eq!((answer.reply.as_str(), answer.finish.as_str()), ("{\"rows\":[]}", "stop"));
        let usage = answer.usage.unwrap();
        assert_eq!((usage.input, usage.output, usage.cached), (Some(20), Some(12), Some(8)));
    }

    #[test]
    fn a_block_of_the_prompt_or_of_the_reply_is_a_refusal_and_nothing_at_all_is_a_fault() {
        for text in [
            r#"{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"}}"#,
            r#"{"candidates":[{"finishReason":"SAFETY"}]}"#,
        ] {
            assert_eq!(read_response(text, "d", "asked").unwrap().finish, "refusal", "{text}");
        }
        let cut = r#"{"candidates":[{"finishReason":"MAX_TOKENS","content":{}}]}"#;
        assert_eq!(read_response(cut, "d", "asked").unwrap().finish, "length");
        assert!(read_response("{}", "d", "asked").is_err());
    }

    #[test]
    fn thinking_is_on_unless_it_is_turned_off() {
        let chat = ChatRequest {
            system: "甲".to_owned(),
            user: "乙".to_owned(),
            schema_name: "extract_reply",
            schema: json!({}).into(),
            bounds: ReplyBounds::default(),
        };
        let body = |reasoning: &str| {
            let settings =
                ModelSettings { reasoning: Some(reasoning.to_owned()), ..ModelSettings::default() };
            request_body(&chat, &settings, Dislikes::default())["generationConfig"]
                ["thinkingConfig"]
                .clone()
        };
        assert_eq!(body("dynamic"), json!({"thinkingBudget": -1}));
        assert_eq!(body("high"), json!({"thinkingLevel": "high"}));
        assert_eq!(body("512"), json!({"thinkingBudget": 512}));
        assert_eq!(body("off"), json!({"thinkingBudget": 0}));
    }
}
