//! What an item still waits for, by what is on record alone: nobody is asked.

use crate::ask::compose::{ComposeError, ItemView, Next, OpenAsk, Reader, Recall};
use crate::extract::step::{ItemInput, extract_item};
use crate::gate::page::PageText;
use crate::gate::scope::Scope;
use crate::pipeline::rounds::reading::needs_review;
use crate::review::step::{ReviewInput, review_item};

/// The ask that an item waits for; `None` where all its asks are answered.
///
/// # Errors
/// When an ask cannot be written.
pub fn next_ask(
    (page, scope): (&PageText, &Scope<'_>),
    view: &ItemView<'_>,
    (extractor, reviewer): (&Reader, &Reader),
    recall: Recall<'_>,
) -> Result<Option<OpenAsk>, ComposeError> {
    let input = ItemInput { page, scope, view, reader: extractor };
    let extraction = match extract_item(&input, recall)? {
        Next::Ask(open) => return Ok(Some(*open)),
        Next::Done(extraction) => extraction,
    };
    if !needs_review(&extraction) {
        return Ok(None);
    }
    let input = ReviewInput {
        page,
        scope,
        view,
        reviewer,
        rows: &extraction.judgement.rows,
        groups: &extraction.groups,
    };
    Ok(match review_item(&input, recall)? {
        Next::Ask(open) => Some(*open),
        Next::Done(_) => None,
    })
}
