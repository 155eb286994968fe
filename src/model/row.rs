//! A row on record: one line of `extracted/<source>/*.jsonl`. Read back from disk it is a claim again.

use serde::{Deserialize, Serialize};

use crate::model::ask::ReviewWord;
use crate::model::claim::{Claim, Group};
use crate::model::finding::{Finding, Verdict};
use crate::text::span::Span;

/// A claim with its place, what the gate and the reviewer said, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowRecord {
    /// `<source>-<12 hex digits>`: from source, page and content, so the same row on the same page has
    /// the same key in every run, however its clause is numbered. A second row of equal content gets
    /// `~2`.
    pub key: String,
    /// The row as stated, its snippet in the page's own bytes.
    #[serde(flatten)]
    pub claim: Claim,
    /// The groups that the row's group is nested in, innermost first; empty where it is in none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub within: Vec<Group>,
    /// Id of the source.
    pub source: String,
    /// Address of the page.
    pub page: String,
    /// Title of the page, as the page words it.
    pub page_title: String,
    /// Key of the item within the page.
    pub item: String,
    /// Headings above and of the item, outermost first.
    pub heading_path: Vec<String>,
    /// SHA-256 of the raw bytes of the snapshot.
    pub snapshot: String,
    /// SHA-256 of the canonical text that the spans count in.
    pub text: String,
    /// Where the snippet stands; `None` only for rows without an anchored snippet.
    pub place: Option<Place>,
    /// The whole sentence or table row around the snippet, for people.
    pub sentence: String,
    /// What leads the list of the snippet in, outermost first, or the header row of its table, one a
    /// line; empty elsewhere.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub lead_in: String,
    /// What the footnotes say that the sentence, what leads it in and the headings above point to, one a
    /// line; empty where they point to none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub footnotes: String,
    /// Where the row stands.
    pub status: RowStatus,
    /// The gate's word.
    pub verdict: Verdict,
    /// Everything found, worst first.
    pub findings: Vec<Finding>,
    /// The reviewer's word, where a review took place.
    pub review: Option<ReviewNote>,
    /// Who read: `rules/1` means that no model was used.
    pub read_by: String,
    /// Digest of the extraction ask.
    pub ask: String,
}

/// A place in a canonical text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// UTF-8 bytes.
    pub bytes: Span,
    /// Unicode scalar values.
    pub chars: Span,
}

/// Where a row stands after gate and review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RowStatus {
    /// Cleared by gate and review; still to be signed off.
    Accepted,
    /// Goes to the client.
    Flagged,
    /// Refused by the gate twice; kept on record with the reasons.
    Dropped,
    /// Counted in another row.
    Merged,
}

impl RowStatus {
    /// The form used in files and sheets.
    pub fn as_str(self) -> &'static str {
        match self {
            RowStatus::Accepted => "accepted",
            RowStatus::Flagged => "flagged",
            RowStatus::Dropped => "dropped",
            RowStatus::Merged => "merged",
        }
    }
}

/// The reviewer's word on a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewNote {
    pub word: ReviewWord,
    pub reason: String,
    /// The reviewer's own quote, in the page's bytes.
    pub snippet: String,
    /// The row as the reviewer would state it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrected: Option<Claim>,
    /// Who reviewed.
    pub reviewed_by: String,
    /// Digest of the review ask.
    pub ask: String,
}
