//! Composing asks: everything that decides the answer goes in, nothing else does.
//!
//! Equal items under equal headings give one ask, whatever page, run or time they come from.

use crate::ask::canonical::{ASK_FORMAT, ask_digest};
use crate::model::ask::{Answer, Ask, ReaderId, RetryReason, Step};
use crate::model::claim::Claim;
use crate::model::source::Field;

/// What a reader is shown of an item, and who the reader is.
#[derive(Clone, Copy, Debug)]
pub struct ItemView<'a> {
    /// BCP 47 language of the item.
    pub language: &'a str,
    pub fields: &'a [Field],
    pub page_title: &'a str,
    /// Headings above and of the item, outermost first.
    pub heading_path: &'a [String],
    /// The item's own canonical text.
    pub text: &'a str,
}

/// Who is asked, and with which instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reader {
    pub id: ReaderId,
    /// Rendered from `prompts/` for this step, language and field list.
    pub instructions: String,
}

/// An ask with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenAsk {
    /// SHA-256 of the ask's canonical form.
    pub digest: String,
    pub ask: Ask,
}

/// What a step of the per-item state machine comes to: the first ask without an answer, or its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next<T> {
    Ask(Box<OpenAsk>),
    Done(T),
}

/// What an answer moves an item to: its next ask, or the step's end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moved<W, T> {
    Asks(W),
    Done(T),
}

/// Looks an answer up by the digest of its ask. The only way a step learns anything.
pub type Recall<'a> = &'a dyn Fn(&str) -> Option<Answer>;

/// An ask that cannot be written as JSON; none of the program's own can be.
#[derive(Debug, thiserror::Error)]
#[error("the ask cannot be written: {0}")]
pub struct ComposeError(#[from] serde_json::Error);

/// The first extraction ask of an item.
///
/// # Errors
/// See [`ComposeError`].
pub fn extract_ask(view: &ItemView<'_>, reader: &Reader) -> Result<OpenAsk, ComposeError> {
    named(bare(Step::Extract, view, reader))
}

/// The review ask of an item: the rows as the gate stored them, to be gone through again.
///
/// # Errors
/// See [`ComposeError`].
pub fn review_ask(
    view: &ItemView<'_>,
    reader: &Reader,
    rows: Vec<Claim>,
) -> Result<OpenAsk, ComposeError> {
    named(Ask { rows, ..bare(Step::Review, view, reader) })
}

/// The one retry of an ask, with the reasons.
///
/// # Errors
/// See [`ComposeError`].
pub fn retry_ask(first: &Ask, reasons: Vec<RetryReason>) -> Result<OpenAsk, ComposeError> {
    named(Ask { attempt: 2, reasons, ..first.clone() })
}

fn bare(step: Step, view: &ItemView<'_>, reader: &Reader) -> Ask {
    Ask {
        format: ASK_FORMAT.to_owned(),
        step,
        attempt: 1,
        reader: reader.id.clone(),
        language: view.language.to_owned(),
        instructions: reader.instructions.clone(),
        fields: view.fields.to_vec(),
        page_title: view.page_title.to_owned(),
        heading_path: view.heading_path.to_vec(),
        text: view.text.to_owned(),
        rows: Vec::new(),
        reasons: Vec::new(),
    }
}

fn named(ask: Ask) -> Result<OpenAsk, ComposeError> {
    Ok(OpenAsk { digest: ask_digest(&ask)?, ask })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(name: &str) -> Reader {
        let id = ReaderId { name: name.to_owned(), settings: [].into() };
        Reader { id, instructions: "State the conditions. 請列出條件。".to_owned() }
    }

    fn view<'a>(text: &'a str, headings: &'a [String]) -> ItemView<'a> {
        ItemView { language: "en", fields: &[], page_title: "Grant", heading_path: headings, text }
    }

    #[test]
    fn what_decides_the_answer_decides_the_name() {
        let headings = ["Who can apply".to_owned()];
        let first = extract_ask(&view("aged 65 or over", &headings), &reader("a")).unwrap();
        let same = extract_ask(&view("aged 65 or over", &headings), &reader("a")).unwrap();
        assert_eq!(first, same);
        let names = [
            extract_ask(&view("aged 66 or over", &headings), &reader("a")).unwrap().digest,
            extract_ask(&view("aged 65 or over", &[]), &reader("a")).unwrap().digest,
            extract_ask(&view("aged 65 or over", &headings), &reader("b")).unwrap().digest,
            review_ask(&view("aged 65 or over", &headings), &reader("a"), vec![]).unwrap().digest,
            retry_ask(&first.ask, vec![]).unwrap().digest,
        ];
        for (at, name) in names.iter().enumerate() {
            assert_ne!(name, &first.digest);
            assert!(!names[..at].contains(name));
        }
    }
}
