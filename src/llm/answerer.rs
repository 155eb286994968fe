//! The one question the pipeline puts to a reader: what do you reply to this ask?

use crate::llm::chat::ChatRequest;
use crate::model::ask::{Answer, Ask};

/// An ask as it is put to a reader.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    pub ask: &'a Ask,
    /// The ask's name.
    pub digest: &'a str,
    /// The ask as a chat model is sent it; given from outside, since asks stand above this floor.
    pub chat: &'a ChatRequest,
    /// Asked after a try that failed so and before the next one: a call without a reply may be charged.
    pub may_try_again: &'a (dyn Fn(&AnswerError) -> bool + Send + Sync),
}

/// Answers asks. Implementations hold no memory from one ask to the next that changes a reply.
pub trait Answerer: Send + Sync {
    /// Recorded beside every answer: `rules/1`, `gpt-…`, `files`.
    fn name(&self) -> String;

    /// `Ok(None)`: not answered yet, somebody else will (files, a batch); the run ends waiting.
    ///
    /// # Errors
    /// When the outside world failed; see [`AnswerError`].
    fn answer<'a>(&'a self, question: Question<'a>) -> AnswerFuture<'a>;
}

/// What [`Answerer::answer`] returns; boxed so that readers can be chosen by configuration.
pub type AnswerFuture<'a> = std::pin::Pin<
    Box<dyn std::future::Future<Output = Result<Option<Answer>, AnswerError>> + Send + 'a>,
>;

/// Why no answer came, and whether asking again makes sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    #[error("the provider asks for a pause{}", wait_text(*.retry_after_s))]
    RateLimited { retry_after_s: Option<u64> },
    #[error("the provider is overloaded{}: {detail}", wait_text(*.retry_after_s))]
    Overloaded { retry_after_s: Option<u64>, detail: String },
    #[error("the provider failed: {detail}")]
    Unavailable { detail: String },
    #[error("no reply within the time limit")]
    TimedOut,
    #[error("the connection was lost before the reply was whole: {detail}")]
    Lost { detail: String },
    #[error("the provider refuses the request: {detail}")]
    Rejected { detail: String },
    #[error("the ask is longer than the model takes: {detail}")]
    TooLong { detail: String },
    #[error("the provider cannot hold a reply to our schema: {detail}")]
    BadSchema { detail: String },
    #[error("the provider will not answer this ask: {detail}")]
    Refused { detail: String },
    #[error("the provider's account has no money or quota left: {detail}")]
    NoMoney { detail: String },
    #[error("the key is missing or not accepted: {detail}")]
    Unauthorised { detail: String },
    #[error("the answer on file cannot be used: {detail}")]
    BadRecord { detail: String },
}

impl AnswerError {
    /// True where the provider may have worked, and charged, though nothing came back.
    pub fn may_be_charged(&self) -> bool {
        matches!(self, AnswerError::TimedOut | AnswerError::Lost { .. })
    }
}

fn wait_text(seconds: Option<u64>) -> String {
    seconds.map_or_else(String::new, |it| format!(", for {it} s"))
}
