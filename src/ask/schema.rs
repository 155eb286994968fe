//! JSON schemas of the replies, for providers that can be held to one.
//!
//! Every property is required and no other is allowed, which is what strict modes ask for; optional
//! values are nullable. The declared fields are an enumeration, so a held model cannot invent one. The
//! keys stand in the order in which they are to be written: the quote first, then what is read from it.
//! Nothing here depends on the item: providers compile and cache a schema.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use crate::model::ask::Step;
use crate::model::source::Field;

/// Schemas kept at hand: those of a run's sources.
const KEPT: usize = 32;

struct Kept {
    step: Step,
    fields: Vec<String>,
    schema: Arc<Value>,
}

/// The schema of a step's reply. It hangs on the names of the fields alone, so it is made once for all
/// asks of a source and not once an ask.
pub fn reply_schema(step: Step, fields: &[Field]) -> Arc<Value> {
    static KNOWN: Mutex<Vec<Kept>> = Mutex::new(Vec::new());
    let names = || fields.iter().map(|it| it.name.as_str());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let is_asked = |it: &&Kept| it.step == step && it.fields.iter().map(String::as_str).eq(names());
    if let Some(kept) = known.iter().find(is_asked) {
        return Arc::clone(&kept.schema);
    }
    let schema = Arc::new(match step {
        Step::Extract => extract_schema(fields),
        Step::Review => review_schema(fields),
    });
    if known.len() == KEPT {
        known.remove(0);
    }
    let fields = names().map(str::to_owned).collect();
    known.push(Kept { step, fields, schema: Arc::clone(&schema) });
    schema
}

/// Schema of an extraction reply.
pub fn extract_schema(fields: &[Field]) -> Value {
    object(&[
        ("rows", json!({"type": "array", "items": claim_schema(fields)})),
        ("groups", json!({"type": "array", "items": group_schema()})),
    ])
}

/// Schema of a review reply.
pub fn review_schema(fields: &[Field]) -> Value {
    let verdict = object(&[
        ("id", json!({"type": "string"})),
        ("snippet", json!({"type": "string"})),
        ("reason", json!({"type": "string"})),
        ("verdict", json!({"type": "string", "enum": ["confirmed", "wrong", "unsure"]})),
        ("corrected", json!({"anyOf": [claim_schema(fields), {"type": "null"}]})),
    ]);
    object(&[
        ("verdicts", json!({"type": "array", "items": verdict})),
        ("missing", json!({"type": "array", "items": claim_schema(fields)})),
    ])
}

fn claim_schema(fields: &[Field]) -> Value {
    let names: Vec<&str> = fields.iter().map(|it| it.name.as_str()).collect();
    let scalar = json!({"type": ["number", "string", "boolean", "null"]});
    object(&[
        ("id", json!({"type": "string"})),
        ("snippet", json!({"type": "string"})),
        ("subject", json!({"type": "string"})),
        ("field", json!({"type": "string", "enum": names})),
        (
            "op",
            json!({"type": "string", "enum": ["=", "!=", ">=", ">", "<=", "<", "between", "in", "is"]}),
        ),
        (
            "value",
            json!({"anyOf": [scalar, {"type": "array", "items": {"type": ["number", "string"]}}]}),
        ),
        ("unit", json!({"type": ["string", "null"]})),
        (
            "force",
            json!({"type": ["string", "null"],
                   "enum": ["must", "must_not", "should", "may", "in_principle", null]}),
        ),
        ("join", json!({"type": ["string", "null"], "enum": ["all", "any", "none", null]})),
        ("group", json!({"type": ["string", "null"]})),
    ])
}

fn group_schema() -> Value {
    object(&[
        ("id", json!({"type": "string"})),
        ("join", json!({"type": ["string", "null"], "enum": ["all", "any", "none", null]})),
        ("parent", json!({"type": ["string", "null"]})),
        ("snippet", json!({"type": "string"})),
    ])
}

fn object(properties: &[(&str, Value)]) -> Value {
    let required: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
    let properties: serde_json::Map<String, Value> =
        properties.iter().map(|(name, it)| ((*name).to_owned(), it.clone())).collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::source::FieldKind;

    #[test]
    fn the_declared_fields_and_no_others_are_in_both_schemas() {
        let field = |name: &str| Field {
            name: name.to_owned(),
            kind: FieldKind::Number,
            unit: None,
            description: "歲數".to_owned(),
            examples: vec![],
        };
        let fields = [field("age"), field("income_limit")];
        for some in [&fields[..], &fields[..1], &fields[1..], &fields[..]] {
            assert_eq!(*reply_schema(Step::Extract, some), extract_schema(some));
            assert_eq!(*reply_schema(Step::Review, some), review_schema(some));
        }
        let extract = extract_schema(&fields);
        let names = extract.pointer("/properties/rows/items/properties/field/enum").unwrap();
        assert_eq!(names, &json!(["age", "income_limit"]));
        let review = review_schema(&fields);
        assert_eq!(
            review.pointer("/properties/missing/items/properties/field/enum").unwrap(),
            names
        );
    }
}
