//! The prompts under `prompts/`, in both languages, filled in without ever guessing a variable.
//!
//! A variable that a template names and nobody gives is an error, never an empty string.

use std::sync::LazyLock;

use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, context};
use serde_json::Value;

use crate::model::ask::{Ask, Step};
use crate::model::source::Field;

/// A template that cannot be filled in; the program's own always can.
#[derive(Debug, thiserror::Error)]
#[error("prompt {name}: {cause}")]
pub struct PromptError {
    name: &'static str,
    cause: minijinja::Error,
}

const TEMPLATES: &[(&str, &str)] = &[
    ("extract.en.md", include_str!("../../prompts/extract.en.md")),
    ("extract.zh-Hant.md", include_str!("../../prompts/extract.zh-Hant.md")),
    ("review.en.md", include_str!("../../prompts/review.en.md")),
    ("review.zh-Hant.md", include_str!("../../prompts/review.zh-Hant.md")),
    ("item.en.md", include_str!("../../prompts/item.en.md")),
    ("item.zh-Hant.md", include_str!("../../prompts/item.zh-Hant.md")),
];

/// The instructions of a step: the same for every item of a source, so that providers can cache them.
///
/// # Errors
/// See [`PromptError`].
pub fn instructions(step: Step, language: &str, fields: &[Field]) -> Result<String, PromptError> {
    let name = match (step, is_chinese(language)) {
        (Step::Extract, false) => "extract.en.md",
        (Step::Extract, true) => "extract.zh-Hant.md",
        (Step::Review, false) => "review.en.md",
        (Step::Review, true) => "review.zh-Hant.md",
    };
    render(name, &context! { fields => Serde(fields) })
}

/// The message that shows one item, its rows and the reasons of a retry, between lines with `mark`.
///
/// # Errors
/// See [`PromptError`].
pub fn item(ask: &Ask, mark: &str) -> Result<String, PromptError> {
    let name = if is_chinese(&ask.language) { "item.zh-Hant.md" } else { "item.en.md" };
    let headings: Vec<String> = ask.heading_path.iter().map(|it| one_line(it)).collect();
    render(
        name,
        &context! {
            mark,
            page_title => one_line(&ask.page_title),
            heading_path => headings,
            text => ask.text.trim_end_matches('\n'),
            step => ask.step.as_str(),
            rows => json_lines(&ask.rows),
            reasons => json_lines(&ask.reasons),
        },
    )
}

/// The worked example of the extraction prompt: no text of any page, so a quote of it is told apart.
pub fn worked_example(language: &str) -> &'static str {
    let name = if is_chinese(language) { "extract.zh-Hant.md" } else { "extract.en.md" };
    let text = TEMPLATES.iter().find(|it| it.0 == name).map_or("", |it| it.1);
    worked_example_of(text).map_or("", |it| it.0)
}

/// The worked example of instructions: the words it gives as a page, and the reply to them.
pub fn worked_example_of(instructions: &str) -> Option<(&str, &str)> {
    let (_, rest) = instructions.split_once("<!-- example -->")?;
    let (page, rest) = rest.split_once("<!-- /example -->")?;
    let (_, rest) = rest.split_once("```json\n")?;
    let (reply, _) = rest.split_once("```")?;
    Some((page.trim().trim_matches('`').trim(), reply))
}

fn render(name: &'static str, values: &minijinja::Value) -> Result<String, PromptError> {
    let failed = |cause| PromptError { name, cause };
    ENVIRONMENT.get_template(name).and_then(|it| it.render(values)).map_err(failed)
}

/// The templates, compiled once.
static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    for (name, text) in TEMPLATES {
        // One that does not compile is missing when it is asked for; a test renders each.
        let _ = environment.add_template(name, text);
    }
    environment
});

fn is_chinese(language: &str) -> bool {
    language.split('-').next().is_some_and(|it| it.eq_ignore_ascii_case("zh"))
}

fn json_lines<T: serde::Serialize>(values: &[T]) -> Vec<String> {
    values.iter().map(|it| serde_json::to_value(it).unwrap_or(Value::Null).to_string()).collect()
}

/// A title or heading is one line, whatever the page put into it.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::source::FieldKind;

    fn fields() -> Vec<Field> {
        vec![Field {
            name: "age".to_owned(),
            kind: FieldKind::Number,
            unit: Some("歲".to_owned()),
            description: "申請人的年齡".to_owned(),
            examples: vec!["應年滿二十歲".to_owned()],
        }]
    }

    #[test]
    fn every_declared_field_is_in_the_instructions_of_both_steps_and_languages() {
        for step in [Step::Extract, Step::Review] {
            for language in ["en", "zh-Hant", "zh-TW"] {
                let text = instructions(step, language, &fields()).unwrap();
                assert!(
                    text.contains("`age` (number, ") || text.contains("`age`（number"),
                    "{text}"
                );
                assert!(text.contains("申請人的年齡"));
            }
        }
    }

    #[test]
    fn a_variable_that_nobody_gives_is_an_error() {
        assert!(render("extract.en.md", &context! {}).is_err());
        assert!(render("item.en.md", &context! { mark => "m" }).is_err());
    }

    #[test]
    fn the_worked_examples_are_found() {
        assert!(worked_example("en").contains("toll for a nest is 7 rubies"));
        assert!(!worked_example("zh-Hant").is_empty());
        assert!(!worked_example("zh-Hant").contains("```"));
    }
}
