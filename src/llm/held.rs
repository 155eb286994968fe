//! A reply's schema with bounds on it, for servers that can hold a model to them: how many rows, how
//! long a quote.
//!
//! OpenAI, Azure, Anthropic and Gemini are never sent these keywords: some refuse them, and a schema
//! that changes from item to item is compiled anew for each.

use serde_json::{Value, json};

use crate::llm::chat::ReplyBounds;

/// Characters of an id, of a unit, of a subject, of a reason.
const LENGTHS: [(&str, usize); 6] =
    [("id", 40), ("group", 40), ("parent", 40), ("unit", 60), ("subject", 200), ("reason", 300)];

/// The schema with the bounds of one reply.
pub fn held_schema(schema: &Value, bounds: &ReplyBounds) -> Value {
    let mut held = schema.clone();
    hold(&mut held, "", bounds);
    held
}

fn hold(schema: &mut Value, key: &str, bounds: &ReplyBounds) {
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        for (name, it) in properties {
            hold(it, name, bounds);
        }
    }
    for option in schema.get_mut("anyOf").and_then(Value::as_array_mut).into_iter().flatten() {
        hold(option, key, bounds);
    }
    if let Some(items) = schema.get_mut("items") {
        hold(items, key, bounds);
        let most = match key {
            // A range, or a set of values.
            "value" => Some(30),
            // A group has two rows or more.
            "groups" => bounds.items.map(|it| (it / 2).max(1)),
            _ => bounds.items,
        };
        if let Some(most) = most {
            schema["maxItems"] = json!(most);
        }
    }
    let is_text = match schema.get("type") {
        Some(Value::String(kind)) => kind == "string",
        Some(Value::Array(kinds)) => kinds.iter().any(|it| it == "string"),
        _ => false,
    };
    if key == "snippet" && is_text && !bounds.pieces.is_empty() {
        schema["enum"] = json!(bounds.pieces);
    }
    if is_text && schema.get("enum").is_none() {
        let own = LENGTHS.iter().find(|it| it.0 == key).map(|it| it.1);
        if let Some(most) = own.or(bounds.quote) {
            schema["maxLength"] = json!(most);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema() -> Value {
        json!({"type": "object", "properties": {"rows": {"type": "array", "items": {
        "type": "object", "properties": {
            "id": {"type": "string"},
            "snippet": {"type": "string"},
            "op": {"type": "string", "enum": ["=", "is"]},
            "value": {"anyOf": [{"type": ["number", "string"]}, {"type": "array", "items": {"type": "string"}}]}
        }}}, "groups": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}}}})
    }

    #[test]
    fn rows_and_words_are_bounded_and_enumerations_are_left_alone() {
        let bounds = ReplyBounds {
            tokens: Some(900),
            items: Some(12),
            quote: Some(300),
            pieces: Vec::new(),
        };
        let held = held_schema(&schema(), &bounds);
        assert_eq!(held.pointer("/properties/rows/maxItems"), Some(&json!(12)));
        assert_eq!(held.pointer("/properties/groups/maxItems"), Some(&json!(6)));
        let row = held.pointer("/properties/rows/items/properties").unwrap();
        assert_eq!(row.pointer("/id/maxLength"), Some(&json!(40)));
        assert_eq!(row.pointer("/snippet/maxLength"), Some(&json!(300)));
        assert_eq!(row.pointer("/op/maxLength"), None);
        assert_eq!(row.pointer("/value/anyOf/0/maxLength"), Some(&json!(300)));
        assert_eq!(row.pointer("/value/anyOf/1/items/maxLength"), Some(&json!(300)));
    }

    #[test]
    fn a_quote_is_one_of_the_pieces_where_there_are_any() {
        let pieces = vec!["You must be 18 or over.".to_owned(), "年滿六十五歲。".to_owned()];
        let bounds = ReplyBounds { pieces: pieces.clone(), ..ReplyBounds::default() };
        let held = held_schema(&schema(), &bounds);
        let row = held.pointer("/properties/rows/items/properties").unwrap();
        assert_eq!(row.pointer("/snippet/enum"), Some(&json!(pieces)));
        assert_eq!(row.pointer("/id/enum"), None);
    }

    #[test]
    fn without_bounds_the_rows_are_as_many_as_they_are() {
        let held = held_schema(&schema(), &ReplyBounds::default());
        assert_eq!(held.pointer("/properties/rows/maxItems"), None);
    }
}
