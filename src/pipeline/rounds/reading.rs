//! One item from its first ask to its rows: the state machine, moved on by whoever answers.

use crate::ask::compose::{ComposeError, ItemView, Moved, OpenAsk, Reader};
use crate::ask::message::chat_of;
use crate::ask::proof::{AskLacks, Declared, prove_sent, prove_stored};
use crate::extract::step::{Extracting, Extraction, ItemInput};
use crate::gate::page::PageText;
use crate::gate::scope::Scope;
use crate::llm::answerer::{AnswerError, Answerer, Question};
use crate::model::ask::{Answer, Step};
use crate::model::finding::Verdict;
use crate::pipeline::rounds::control::Control;
use crate::pipeline::rounds::record::{AnswerRefused, OnFile, Record};
use crate::review::step::{Review, ReviewInput, Reviewing};

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
    let mut asks = AskTally::default();
    let mut at = Extracting::begin(ItemInput { page, scope, view, reader: desk.extractor })?;
    let extraction = loop {
        let answer = match answer(desk, at.open(), (view, &mut asks)).await? {
            Ok(answer) => answer,
            Err(failure) => return Ok(waits(at.open(), failure, asks)),
        };
        match at.answered(&answer)? {
            Moved::Asks(next) => at = next,
            Moved::Done(extraction) => break extraction,
        }
    };
    if !needs_review(&extraction) {
        return Ok(ItemState::Done(Box::new(ItemReading { extraction, review: None, asks })));
    }
    let mut at = Reviewing::begin(ReviewInput {
        page,
        scope,
        view,
        reviewer: desk.reviewer,
        rows: &extraction.judgement.rows,
        groups: &extraction.groups,
    })?;
    let review = loop {
        let answer = match answer(desk, at.open(), (view, &mut asks)).await? {
            Ok(answer) => answer,
            Err(failure) => return Ok(waits(at.open(), failure, asks)),
        };
        match at.answered(&answer)? {
            Moved::Asks(next) => at = next,
            Moved::Done(review) => break review,
        }
    };
    Ok(ItemState::Done(Box::new(ItemReading { extraction, review: Some(review), asks })))
}

fn waits(open: &OpenAsk, failure: Option<String>, asks: AskTally) -> ItemState {
    ItemState::Waits { ask: open.digest.clone(), failure, asks }
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
    // Equal items of two pages make one ask: whoever comes second finds the answer on file.
    let _alone = desk.control.alone(&open.digest).await;
    let filed = match desk.record.find(open).await? {
        OnFile::Answer(answer) => {
            asks.from_record += 1;
            return Ok(Ok(answer));
        }
        OnFile::Ask(text) => text,
    };
    let declared = Declared {
        language: view.language,
        fields: view.fields,
        page_title: view.page_title,
        heading_path: view.heading_path,
        text: view.text,
    };
    prove_stored(&filed, &declared)?;
    let chat = chat_of(&open.ask, &open.digest);
    prove_sent(&chat, &declared)?;
    if desk.control.is_in_batches(step) || desk.control.is_reserved(&open.digest) {
        return Ok(Err(None));
    }
    let Some(leave) = desk.control.leave(desk.source, open, &chat).await else {
        return Ok(Err(None));
    };
    let answerer = match step {
        Step::Extract => desk.extract_answerer,
        Step::Review => desk.review_answerer,
    };
    let may_try_again = |error: &AnswerError| leave.may_try_again(error);
    let question = Question {
        ask: &open.ask,
        digest: &open.digest,
        chat: &chat,
        may_try_again: &may_try_again,
    };
    match answerer.answer(question).await {
        Ok(Some(answer)) => {
            // Another call may begin while this answer is put on record.
            leave.answered(open, &answer);
            desk.record.keep(&open.digest, step, &answer).await?;
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
