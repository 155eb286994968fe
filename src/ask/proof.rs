//! Proof that an ask holds what its source declares: the field list, the language, the item.
//!
//! Looks at the ask's own JSON and at the message that is sent, never at whether somebody was called.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;

use crate::llm::chat::ChatRequest;
use crate::model::source::Field;

/// What has to be in an ask, taken from source and page and not from the ask.
#[derive(Clone, Copy, Debug)]
pub struct Declared<'a> {
    pub language: &'a str,
    pub fields: &'a [Field],
    pub page_title: &'a str,
    pub heading_path: &'a [String],
    pub text: &'a str,
}

/// Something that is declared and not in the ask.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the ask lacks {what}: expected {expected}; nothing was asked")]
pub struct AskLacks {
    pub what: &'static str,
    pub expected: String,
}

/// Proves the stored form: the JSON that names the ask and is what every answerer reads.
///
/// # Errors
/// The first thing that differs.
pub fn prove_stored(ask_json: &str, declared: &Declared<'_>) -> Result<(), AskLacks> {
    let ask: Stored = serde_json::from_str(ask_json).unwrap_or_default();
    let proven = |what, is_equal: bool, expected: &dyn Fn() -> Value| {
        if is_equal {
            return Ok(());
        }
        Err(AskLacks { what, expected: shortened(&expected().to_string()) })
    };
    let is = |found: &Option<Cow<'_, str>>, wanted: &str| found.as_deref() == Some(wanted);
    proven("the declared fields", ask.fields.as_deref() == Some(declared.fields), &|| {
        serde_json::to_value(declared.fields).unwrap_or(Value::Null)
    })?;
    proven("the language", is(&ask.language, declared.language), &|| declared.language.into())?;
    let title = declared.page_title;
    proven("the page's title", is(&ask.page_title, title), &|| title.into())?;
    let headings = ask.heading_path.as_deref() == Some(declared.heading_path);
    proven("the headings above the item", headings, &|| declared.heading_path.into())?;
    proven("the item's text", is(&ask.text, declared.text), &|| declared.text.into())
}

/// What is looked at in an ask's JSON.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Stored<'a> {
    fields: Option<Vec<Field>>,
    #[serde(borrow)]
    language: Option<Cow<'a, str>>,
    #[serde(borrow)]
    page_title: Option<Cow<'a, str>>,
    heading_path: Option<Vec<String>>,
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
}

/// Proves the sent form: instructions with every field and its description, a schema that allows
/// exactly these fields, a message with title, headings and text.
///
/// # Errors
/// The first thing that is not there.
pub fn prove_sent(chat: &ChatRequest, declared: &Declared<'_>) -> Result<(), AskLacks> {
    let lacks = |what, expected: &str| Err(AskLacks { what, expected: shortened(expected) });
    for field in declared.fields {
        let names_field = chat.system.contains(&format!("`{}`", field.name));
        if !names_field || !chat.system.contains(&field.description) {
            return lacks("a declared field in its instructions", &field.name);
        }
    }
    let names: Vec<&str> = declared.fields.iter().map(|it| it.name.as_str()).collect();
    if schema_fields(&chat.schema).is_none_or(|it| it != names) {
        return lacks("the declared fields in its schema", &names.join(", "));
    }
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let context = std::iter::once(declared.page_title)
        .chain(declared.heading_path.iter().map(String::as_str));
    for words in context {
        if !chat.user.contains(&one_line(words)) {
            return lacks("title or heading in its message", words);
        }
    }
    if !chat.user.contains(declared.text.trim_end_matches('\n')) {
        return lacks("the item's text in its message", declared.text);
    }
    Ok(())
}

/// The names a row's `field` may take.
fn schema_fields(schema: &Value) -> Option<Vec<&str>> {
    let rows = ["rows", "missing"];
    let names = rows
        .iter()
        .find_map(|it| schema.pointer(&format!("/properties/{it}/items/properties/field/enum")))?;
    Some(names.as_array()?.iter().filter_map(Value::as_str).collect())
}

fn shortened(text: &str) -> String {
    const SHOWN: usize = 80;
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::canonical::canonical_json;
    use crate::ask::compose::{ItemView, Reader, extract_ask, review_ask};
    use crate::ask::message::chat_request;
    use crate::ask::prompt::instructions;
    use crate::model::ask::{Ask, ReaderId, Step};
    use crate::model::source::FieldKind;

    fn fields() -> Vec<Field> {
        let field = |name: &str, description: &str| Field {
            name: name.to_owned(),
            kind: FieldKind::Number,
            unit: None,
            description: description.to_owned(),
            examples: vec![],
        };
        vec![field("age", "申請人的年齡"), field("fee", "what it costs")]
    }

    fn ask(step: Step, language: &str, fields: &[Field], headings: &[String]) -> Ask {
        let reader = Reader {
            id: ReaderId { name: "m".to_owned(), settings: [].into() },
            instructions: instructions(step, language, fields).unwrap(),
        };
        let view = ItemView {
            language,
            fields,
            page_title: "渡輪 Ferry",
            heading_path: headings,
            text: "年滿六十五歲。\n",
        };
        match step {
            Step::Extract => extract_ask(&view, &reader).unwrap().ask,
            Step::Review => review_ask(&view, &reader, vec![]).unwrap().ask,
        }
    }

    #[test]
    fn a_true_ask_is_proven_and_every_part_that_is_left_out_is_named() {
        let (fields, headings) = (fields(), vec!["資格".to_owned(), "Who can apply".to_owned()]);
        for (step, language) in [
            (Step::Extract, "en"),
            (Step::Extract, "zh-Hant"),
            (Step::Review, "en"),
            (Step::Review, "zh-Hant"),
        ] {
            let declared = Declared {
                language,
                fields: &fields,
                page_title: "渡輪 Ferry",
                heading_path: &headings,
                text: "年滿六十五歲。\n",
            };
            let stored = |it: &Ask| prove_stored(&canonical_json(it).unwrap(), &declared);
            let sent = |it: &Ask| prove_sent(&chat_request(it), &declared);
            let good = ask(step, language, &fields, &headings);
            assert_eq!((stored(&good), sent(&good)), (Ok(()), Ok(())));

            let fewer = ask(step, language, &fields[..1], &headings);
            assert_eq!(stored(&fewer).unwrap_err().what, "the declared fields");
            assert_eq!(sent(&fewer).unwrap_err().expected, "fee");
            let silent = Ask { instructions: "Go.".to_owned(), ..good.clone() };
            assert!(sent(&silent).is_err(), "fields in the JSON, not in the words");
            let other = Ask { language: "fr".to_owned(), ..good.clone() };
            assert_eq!(stored(&other).unwrap_err().what, "the language");
            let bare = ask(step, language, &fields, &[]);
            assert!(stored(&bare).is_err() && sent(&bare).is_err());
            let untitled = Ask { page_title: String::new(), ..good.clone() };
            assert!(stored(&untitled).is_err() && sent(&untitled).is_err());
            let cut = Ask { text: "年滿".to_owned(), ..good.clone() };
            assert!(stored(&cut).is_err() && sent(&cut).is_err());
        }
    }
}
