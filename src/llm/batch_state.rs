//! What goes into a provider's batch, and what is known of one; plain values, no wire form.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::llm::answerer::AnswerError;
use crate::model::ask::Answer;

/// One ask of a batch: the digest of the ask, and the request's body.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchItem {
    pub digest: String,
    pub body: Value,
}

/// What is known of a batch at the provider.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BatchState {
    /// The provider's name of it.
    pub id: String,
    /// The provider's own word for where it stands.
    pub status: String,
    /// True where nothing more will come.
    pub is_ended: bool,
    /// Requests it holds, as far as the provider says.
    pub total: Option<u64>,
    /// Requests that are done with, well or not.
    pub done: u64,
    /// UTC, RFC 3339, or the provider's own number of seconds.
    pub created: String,
    /// The file it was made from, for providers that want one.
    pub input_file: Option<String>,
    /// Files with results, for providers that have them.
    pub result_files: Vec<String>,
    /// What is wrong with the batch as a whole.
    pub errors: Vec<String>,
}

/// What the results of a batch hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BatchResults {
    /// Digest -> what became of the ask.
    pub outcomes: BTreeMap<String, Result<Answer, AnswerError>>,
    /// Results of asks that are not of this batch.
    pub foreign: u64,
    /// Results of asks that had one already.
    pub repeated: u64,
    /// Lines that are no result.
    pub unreadable: u64,
}
