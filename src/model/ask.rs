//! An ask and its answer: one model call as data.
//!
//! The ask's name is the SHA-256 of its canonical JSON, so equal content is one ask whoever answers
//! it and whenever. It never holds a clock, a path, a page address, a run or an item id, or a key.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::claim::{Claim, Group};
use crate::model::source::Field;

/// Everything a reader, model or person, needs to answer. Canonical form: `ask::canonical`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// `countersign.ask/1`.
    pub format: String,
    /// What is wanted.
    pub step: Step,
    /// 1, or 2 for the retry with reasons.
    pub attempt: u32,
    /// Who is asked: the model and its settings, which decide the answer.
    pub reader: ReaderId,
    /// BCP 47 language of the item.
    pub language: String,
    /// The instructions, rendered from `prompts/`.
    pub instructions: String,
    /// The declared fields a row may use.
    pub fields: Vec<Field>,
    /// Title of the page, as the page words it.
    pub page_title: String,
    /// Headings above and of the item, outermost first.
    pub heading_path: Vec<String>,
    /// The item's own canonical text: quoted data, never instructions.
    pub text: String,
    /// For a review: the rows to go through, as the gate stored them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Claim>,
    /// For a retry: what was wrong with the earlier reply, row by row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<RetryReason>,
}

/// The two kinds of ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    Extract,
    Review,
}

impl Step {
    /// The form used in files and tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Step::Extract => "extract",
            Step::Review => "review",
        }
    }
}

/// The reader an ask is addressed to, as far as it decides the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReaderId {
    /// `rules`, `files`, or the model's name.
    pub name: String,
    /// Temperature, reasoning effort, rule version: sorted, as text.
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
}

impl ReaderId {
    /// True for the built-in rules: they answer from the text alone, so the reasons of a retry change
    /// nothing and the same reply would come back.
    pub fn answers_alike(&self) -> bool {
        self.name.starts_with("rules/")
    }
}

/// Why a row of the first reply did not stand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetryReason {
    /// The row's id in the first reply; empty for a reason that concerns the whole reply.
    pub row: String,
    /// Stable finding code.
    pub code: String,
    /// The sentence a reader can act on.
    pub detail: String,
    /// The row as it was stated, so that it can be mended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated: Option<Claim>,
}

/// What came back for an ask, kept byte for byte.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// `countersign.answer/1`.
    pub format: String,
    /// The digest of the ask this answers; any other is refused.
    pub ask: String,
    /// Who answered: `rules/1`, `gpt-…`, a person's name.
    pub answered_by: String,
    /// The reply as it came, JSON text or not.
    pub reply: String,
    /// Why the reply ended: `stop`, `length`, `refusal`, …; empty where the answerer has no such word.
    #[serde(default)]
    pub finish: String,
    /// Tokens used, where the answerer reports them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

/// Tokens of one call. `None` is "not reported", which is not zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens in, cached ones included.
    pub input: Option<u64>,
    /// Tokens out.
    pub output: Option<u64>,
    /// Tokens in that were read from a cache.
    pub cached: Option<u64>,
    /// Tokens in that were written to a cache, where the provider charges for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<u64>,
}

/// An extraction reply, once parsed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExtractReply {
    pub rows: Vec<Claim>,
    pub groups: Vec<Group>,
}

/// A review reply, once parsed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReviewReply {
    /// One for each row of the ask, no more and no fewer.
    pub verdicts: Vec<ReviewVerdict>,
    /// Rows the page states and the first pass does not have.
    pub missing: Vec<Claim>,
}

/// The reviewer's word on one row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewVerdict {
    /// The row's id in the ask.
    pub id: String,
    pub verdict: ReviewWord,
    /// Why, in one sentence; required for all but `confirmed`.
    #[serde(default)]
    pub reason: String,
    /// The reviewer's own quote for the row: an exact slice of the item's text.
    #[serde(default)]
    pub snippet: String,
    /// The row as the reviewer would state it, for `wrong`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrected: Option<Claim>,
}

impl ReviewVerdict {
    /// True where the word alone says too little.
    pub fn word_needs_reason(&self) -> bool {
        self.verdict != ReviewWord::Confirmed
    }
}

/// The closed list of review words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReviewWord {
    Confirmed,
    Wrong,
    Unsure,
}
