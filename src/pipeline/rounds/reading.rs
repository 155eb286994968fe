//! One item from its first ask to its rows: the state machine, moved on by whoever answers.

use std::collections::BTreeMap;

use crate::ask::compose::{ComposeError, ItemView, Next, OpenAsk, Reader};
use crate::ask::proof::{AskLacks, Declared, prove_sent, prove_stored};
use crate::extract::step::{Extraction, ItemInput, extract_item};
use crate::gate::page::PageText;
use crate::gate::scope::Scope;
use crate::llm::answerer::Answerer;
use crate::model::ask::{Answer, Step};
use crate::model::finding::Verdict;
use crate::pipeline::rounds::control::Control;
use crate::pipeline::rounds::record::{AnswerRefused, Record};
use crate::review::step::{Review, ReviewInput, review_item};

/// Who reads, who reviews, and what is on record.
#[derive(Clone, Copy)]
pub struct Desk<'a> {
    /// The source whose money it is.
    pub source: &'a str,
    pub extractor: &'a Reader,
    pub reviewer: &'a Reader,
    pub extract_answerer: &'a dyn Answerer,
    pub review_answerer: &'a dyn Answerer,
    pub record: &'a Record<'a>,
    pub control: &'a Control,
}

/// An item that is done: both passes, or the first alone where there was nothing to review.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemReading {
    pub extraction: Extraction,
    pub review: Option<Review>,
    /// Asks of this item answered in this run, and by the record.
    pub asks: AskTally,
}

/// How the asks of an item were answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AskTally {
    pub live: u64,
    pub from_record: u64,
}

/// Where an item stands.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemState {
    Done(Box<ItemReading>),
    /// Somebody has to answer this ask first.
    Waits {
        ask: String,
        /// What went wrong when it was asked; `None` where it was not.
        failure: Option<String>,
        /// Asks of the item that were answered before it.
        asks: AskTally,
    },
}

/// Why an item cannot be moved on.
#[derive(Debug, thiserror::Error)]
pub enum ReadingError {
    #[error(transparent)]
    Refused(#[from] AnswerRefused),
    #[error(transparent)]
    Compose(#[from] ComposeError),
    #[error(transparent)]
    Lacks(#[from] AskLacks),
}

/// Moves one item on until it is done or waits.
///
/// # Errors
/// When an answer on file is refused. A reader that fails leaves the item waiting.
pub async fn read_item(
    desk: Desk<'_>,
    page: &PageText,
    scope: &Scope<'_>,
    view: &ItemView<'_>,
) -> Result<ItemState, ReadingError> {
    let mut answers = BTreeMap::new();
    let mut asks = AskTally::default();
    let input = ItemInput { page, scope, view, reader: desk.extractor };
    let extraction = loop {
        match extract_item(&input, &|digest| answers.get(digest).cloned())? {
            Next::Done(extraction) => break extraction,
            Next::Ask(open) => match answer(desk, &open, (view, &mut asks)).await? {
                Ok(answer) => answers.insert(open.digest, answer),
                Err(failure) => return Ok(ItemState::Waits { ask: open.digest, failure, asks }),
            },
        };
    };
    if !needs_review(&extraction) {
        return Ok(ItemState::Done(Box::new(ItemReading { extraction, review: None, asks })));
    }
    let input = ReviewInput {
        page,
        scope,
        view,
        reviewer: desk.reviewer,
        rows: &extraction.judgement.rows,
        groups: &extraction.groups,
    };
    let review = loop {
        match review_item(&input, &|digest| answers.get(digest).cloned())? {
            Next::Done(review) => break review,
            Next::Ask(open) => match answer(desk, &open, (view, &mut asks)).await? {
                Ok(answer) => answers.insert(open.digest, answer),
                Err(failure) => return Ok(ItemState::Waits { ask: open.digest, failure, asks }),
            },
        };
    };
    Ok(ItemState::Done(Box::new(ItemReading { extraction, review: Some(review), asks })))
}

/// False where there is no row to go through and no sentence that could have been missed: code has
/// decided.
pub fn needs_review(extraction: &Extraction) -> bool {
    let mut rows = extraction.judgement.rows.iter();
    let has_rows = rows.any(|it| !matches!(it.verdict(), Verdict::Fail | Verdict::Merge));
    has_rows || extraction.judgement.ledger.omissions().next().is_some()
}

/// The answer on file, or a fresh one that is put on file before it is used; or, inside, why there is
/// none: `None` where nobody was asked or somebody else will answer.
async fn answer(
    desk: Desk<'_>,
    open: &OpenAsk,
    (view, asks): (&ItemView<'_>, &mut AskTally),
) -> Result<Result<Answer, Option<String>>, ReadingError> {
    let step = open.ask.step;
    if let Some(answer) = desk.record.recall(&open.digest, step)? {
        asks.from_record += 1;
        return Ok(Ok(answer));
    }
    let declared = Declared {
        language: view.language,
        fields: view.fields,
        page_title: view.page_title,
        heading_path: view.heading_path,
        text: view.text,
    };
    prove_stored(&desk.record.file_ask(open)?, &declared)?;
    prove_sent(&open.ask, &declared)?;
    if desk.control.is_in_batches(step) || desk.control.is_reserved(&open.digest) {
        return Ok(Err(None));
    }
    let Some(leave) = desk.control.leave(desk.source, open).await else { return Ok(Err(None)) };
    let answerer = match step {
        Step::Extract => desk.extract_answerer,
        Step::Review => desk.review_answerer,
    };
    match answerer.answer(&open.ask, &open.digest).await {
        Ok(Some(answer)) => {
            desk.record.keep(&open.digest, step, &answer)?;
            leave.answered(open, &answer);
            asks.live += 1;
            Ok(Ok(answer))
        }
        Ok(None) => Ok(Err(None)),
        Err(cause) => {
            leave.failed(&cause);
            Ok(Err(Some(cause.to_string())))
        }
    }
}
