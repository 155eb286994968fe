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
    if let Some(rows) = &bounds.verdicts {
        let corrected = held
            .pointer_mut("/properties/verdicts")
            .and_then(|verdicts| one_verdict_a_row(verdicts, rows));
        if let Some(corrected) = corrected {
            held["$defs"] = json!({CORRECTED: corrected});
        }
    }
    held
}

/// Name of the corrected row among the schema's definitions: it is the same for all rows, and large.
const CORRECTED: &str = "corrected";

/// A verdict on each row, in the order of the rows; only one that calls its row wrong has a corrected
/// row. A small model else says the first row's verdict again and again, each with a row of its own.
///
/// Where there are no rows there is no verdict: such a review only looks for what is missing.
///
/// Gives the schema of a corrected row, which the verdicts refer to.
fn one_verdict_a_row(verdicts: &mut Value, rows: &[String]) -> Option<Value> {
    if rows.is_empty() {
        verdicts["maxItems"] = json!(0);
        return None;
    }
    let mut wrong = verdicts.get_mut("items").map(Value::take)?;
    let corrected = wrong.pointer_mut("/properties/corrected").map(Value::take);
    if corrected.is_some() {
        wrong["properties"]["corrected"] = json!({"$ref": format!("#/$defs/{CORRECTED}")});
    }
    wrong["properties"]["verdict"] = json!({"const": "wrong"});
    let mut other = wrong.clone();
    other["properties"]["verdict"] = json!({"type": "string", "enum": ["confirmed", "unsure"]});
    for place in ["/properties", "/required"] {
        match other.pointer_mut(place) {
            Some(Value::Object(properties)) => drop(properties.shift_remove("corrected")),
            Some(Value::Array(names)) => names.retain(|it| it != "corrected"),
            _ => {}
        }
    }
    let on = |id: &String| {
        let [other, wrong] = [&other, &wrong].map(|it| {
            let mut own = it.clone();
            own["properties"]["id"] = json!({"const": id});
            own
        });
        json!({"anyOf": [other, wrong]})
    };
    let each: Vec<Value> = rows.iter().map(on).collect();
    let mut all = json!({"type": "array", "minItems": rows.len(), "maxItems": rows.len()});
    all["prefixItems"] = Value::Array(each);
    *verdicts = all;
    corrected
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
            ..ReplyBounds::default()
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
    fn a_review_gives_one_verdict_a_row_and_corrects_only_what_it_calls_wrong() {
        let rows = ["r1", "列二"].map(str::to_owned).to_vec();
        let bounds = ReplyBounds { verdicts: Some(rows), ..ReplyBounds::default() };
        let text = json!({"type": "string"});
        let verdict = json!({"type": "object", "required": ["id", "snippet", "reason", "verdict", "corrected"],
            "properties": {"id": text, "snippet": text, "reason": text, "verdict": text,
                           "corrected": {"anyOf": [{"type": "object"}, {"type": "null"}]}}});
        let schema = json!({"type": "object",
            "properties": {"verdicts": {"type": "array", "items": verdict}}});
        let held = held_schema(&schema, &bounds);
        let verdicts = held.pointer("/properties/verdicts").unwrap();
        assert_eq!((&verdicts["minItems"], &verdicts["maxItems"]), (&json!(2), &json!(2)));
        for (at, id) in ["r1", "列二"].iter().enumerate() {
            let [other, wrong] = [0, 1].map(|it| &verdicts["prefixItems"][at]["anyOf"][it]);
            assert_eq!(other["properties"]["id"], json!({"const": id}));
            assert_eq!(other["properties"]["verdict"]["enum"], json!(["confirmed", "unsure"]));
            assert_eq!(wrong["properties"]["verdict"], json!({"const": "wrong"}));
            let keys = |it: &Value| -> Vec<String> {
                it["properties"].as_object().unwrap().keys().cloned().collect()
            };
            assert_eq!(keys(other), ["id", "snippet", "reason", "verdict"]);
            assert_eq!(keys(wrong), ["id", "snippet", "reason", "verdict", "corrected"]);
            assert_eq!(json!(keys(other)), other["required"]);
            assert_eq!(json!(keys(wrong)), wrong["required"]);
            assert_eq!(wrong["properties"]["corrected"], json!({"$ref": "#/$defs/corrected"}));
        }
        let corrected = held.pointer("/$defs/corrected/anyOf/1/type");
        assert_eq!(corrected, Some(&json!("null")));
        let bounds = ReplyBounds { verdicts: Some(Vec::new()), ..bounds };
        let held = held_schema(&schema, &bounds);
        assert_eq!(held.pointer("/properties/verdicts/maxItems"), Some(&json!(0)));
    }

    #[test]
    fn without_bounds_the_rows_are_as_many_as_they_are() {
        let held = held_schema(&schema(), &ReplyBounds::default());
        assert_eq!(held.pointer("/properties/rows/maxItems"), None);
    }
}
