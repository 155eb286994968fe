//! The words of the sign-off: findings of a returned file, decisions on record, signature, receipt.
//!
//! Plain values only. What follows from a returned file is worked out in `signoff`.

use serde::{Deserialize, Serialize};

use crate::model::claim::Claim;
use crate::model::decision::DecisionWord;
use crate::model::row::Place;
use crate::model::sheet::{Column, SheetLanguage, Tab};

/// Stable codes of what a returned file shows, documented in `docs/findings.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SignCode {
    /// Another project's file, another run's rows, or not one of our files.
    WrongFile,
    /// Nobody has put a name to the decisions.
    SignerMissing,
    /// The file has lost its identity; rows are known by key and token alone.
    IdentityLost,
    /// Document properties and hidden tab name different files.
    IdentityDiffers,
    /// A header the rows cannot be read without is missing or was renamed.
    HeaderMissing,
    /// A header stands on the tab more than once.
    HeaderTwice,
    /// An issued row is not in the file.
    RowMissing,
    /// A row stands in the file more than once.
    DuplicateRow,
    /// A row that was not issued with this sheet.
    ForeignRow,
    /// Evidence, key or token is not what was issued.
    LockedCellChanged,
    /// Evidence that was turned into a number or date without changing its value.
    LockedCellRetyped,
    /// What other programs do to a file by themselves.
    KnownRewrite,
    /// Letters were lost or garbled when the file was saved.
    EncodingDamage,
    /// The decision is not a word of the list.
    UnknownDecision,
    /// A cell that should hold text holds a date, a number or a truth value.
    TypeDrift,
    /// A cell holds a formula.
    FormulaInCell,
    /// Cells of a decision were merged.
    MergedCells,
    /// "correct" without anything that corrects.
    CorrectionMissing,
    /// A correction beside another decision than "correct".
    CorrectionUnasked,
    /// A corrected value that cannot be read as what the row holds.
    CorrectionUnreadable,
    /// A corrected quote or value that the page does not state.
    CorrectionNotInSource,
    /// A correction that the gate refuses for another reason.
    CorrectionRefused,
    /// Two decisions on one row differ.
    Conflict,
    /// The row has changed since the sheet was issued.
    StaleSignature,
    /// The row is unchanged in a newer run, so the decision holds there.
    Carried,
    /// No decision.
    Undecided,
    /// The same decision is on record already.
    AlreadyDecided,
    /// Rows were hidden in the returned file.
    RowsHidden,
    /// The evidence column was hidden in the returned file.
    EvidenceHidden,
    /// Rows stand in another order than issued.
    OrderChanged,
    /// Text where nothing is read from.
    UnreadCell,
}

impl SignCode {
    /// The stable name, `ROW_MISSING`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::WrongFile => "WRONG_FILE",
            Self::SignerMissing => "SIGNER_MISSING",
            Self::IdentityLost => "IDENTITY_LOST",
            Self::IdentityDiffers => "IDENTITY_DIFFERS",
            Self::HeaderMissing => "HEADER_MISSING",
            Self::HeaderTwice => "HEADER_TWICE",
            Self::RowMissing => "ROW_MISSING",
            Self::DuplicateRow => "DUPLICATE_ROW",
            Self::ForeignRow => "FOREIGN_ROW",
            Self::LockedCellChanged => "LOCKED_CELL_CHANGED",
            Self::LockedCellRetyped => "LOCKED_CELL_RETYPED",
            Self::KnownRewrite => "KNOWN_REWRITE",
            Self::EncodingDamage => "ENCODING_DAMAGE",
            Self::UnknownDecision => "UNKNOWN_DECISION",
            Self::TypeDrift => "TYPE_DRIFT",
            Self::FormulaInCell => "FORMULA_IN_CELL",
            Self::MergedCells => "MERGED_CELLS",
            Self::CorrectionMissing => "CORRECTION_MISSING",
            Self::CorrectionUnasked => "CORRECTION_UNASKED",
            Self::CorrectionUnreadable => "CORRECTION_UNREADABLE",
            Self::CorrectionNotInSource => "CORRECTION_NOT_IN_SOURCE",
            Self::CorrectionRefused => "CORRECTION_REFUSED",
            Self::Conflict => "CONFLICT",
            Self::StaleSignature => "STALE_SIGNATURE",
            Self::Carried => "CARRIED",
            Self::Undecided => "UNDECIDED",
            Self::AlreadyDecided => "ALREADY_DECIDED",
            Self::RowsHidden => "ROWS_HIDDEN",
            Self::EvidenceHidden => "EVIDENCE_HIDDEN",
            Self::OrderChanged => "ORDER_CHANGED",
            Self::UnreadCell => "UNREAD_CELL",
        }
    }

    /// True for what is told and does not stop a decision.
    pub fn is_info(self) -> bool {
        matches!(
            self,
            Self::IdentityLost
                | Self::LockedCellRetyped
                | Self::KnownRewrite
                | Self::Carried
                | Self::AlreadyDecided
                | Self::RowsHidden
                | Self::EvidenceHidden
                | Self::OrderChanged
                | Self::UnreadCell
        )
    }
}

impl std::fmt::Display for SignCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One thing found in a returned file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignFinding {
    pub code: SignCode,
    /// Key of the row; empty for what concerns the file.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub row: String,
    /// Where in the returned file: tab and line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// The columns it concerns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<Column>,
    /// What was issued, expected or on record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// What came back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The page's own words that may be meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// What was found and what to do, in the sheet's language.
    pub detail: String,
    /// True where a decision was not taken because of it.
    pub stops: bool,
}

impl SignFinding {
    /// A finding about the file.
    pub fn of_file(code: SignCode, detail: impl Into<String>) -> Self {
        Self::of_row(code, "", detail)
    }

    /// A finding about a row.
    pub fn of_row(code: SignCode, row: &str, detail: impl Into<String>) -> Self {
        Self {
            code,
            row: row.to_owned(),
            place: String::new(),
            columns: Vec::new(),
            before: None,
            after: None,
            suggestion: None,
            detail: detail.into(),
            stops: !code.is_info(),
        }
    }

    /// True where it says what a line of the receipt does not say already.
    pub fn is_worth_telling(&self) -> bool {
        use SignCode::{AlreadyDecided, Carried, KnownRewrite, Undecided};
        !matches!(self.code, AlreadyDecided | Carried | KnownRewrite)
            && (self.stops || self.code != Undecided)
    }

    /// The same finding where it did not stop anything.
    #[must_use]
    pub fn harmless(mut self) -> Self {
        self.stops = false;
        self
    }

    /// The same finding at a place of the file.
    #[must_use]
    pub fn at(mut self, tab: &str, line: u32) -> Self {
        self.place = format!("{tab}!{line}");
        self
    }

    /// The same finding about some columns.
    #[must_use]
    pub fn on(mut self, columns: &[Column]) -> Self {
        self.columns = columns.to_vec();
        self
    }

    /// The same finding with what was there and what came back.
    #[must_use]
    pub fn with(mut self, before: impl Into<String>, after: impl Into<String>) -> Self {
        self.before = Some(before.into());
        self.after = Some(after.into());
        self
    }

    /// The same finding with the page's own words.
    #[must_use]
    pub fn suggesting(mut self, words: Option<String>) -> Self {
        self.suggestion = words;
        self
    }
}

/// A correction that passed the gate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Correction {
    /// The row as it stands corrected, its snippet in the page's own bytes.
    pub claim: Claim,
    pub place: Option<Place>,
    /// The sentence around the corrected snippet.
    pub sentence: String,
}

/// One decision on record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedDecision {
    pub key: String,
    /// The digest of the row that was decided on.
    pub digest: String,
    /// `Removed` for a decision on a removal candidate.
    pub tab: Tab,
    pub word: DecisionWord,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correction: Option<Correction>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// True where it was made by the word for all accepted rows.
    #[serde(default)]
    pub by_statement: bool,
    pub signer: String,
    /// UTC, RFC 3339.
    pub signed_at: String,
    /// SHA-256 of the returned file.
    pub file_digest: String,
    /// Id of the issued sheet.
    pub file: String,
    /// Run of the issued sheet.
    pub run: String,
    /// True where another decision on the row differs: the row is open again, neither counts.
    #[serde(default)]
    pub is_in_conflict: bool,
}

impl RecordedDecision {
    /// True where both say the same of the same content.
    pub fn agrees_with(&self, other: &RecordedDecision) -> bool {
        self.digest == other.digest
            && self.word == other.word
            && self.correction.as_ref().map(|it| &it.claim)
                == other.correction.as_ref().map(|it| &it.claim)
    }
}

/// Who signed what: one for each returned file that was applied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    /// `countersign.signature/1`.
    pub format: String,
    pub project: String,
    pub run: String,
    /// Id of the issued sheet.
    pub file: String,
    /// SHA-256 of the returned file.
    pub file_digest: String,
    pub signer: String,
    /// The name the client wrote in the sheet, as written.
    pub stated_name: String,
    /// The date the client wrote, as written.
    pub stated_date: String,
    /// UTC, RFC 3339.
    pub signed_at: String,
    pub language: SheetLanguage,
    /// The sentence agreed to.
    pub sentence: String,
    /// The rows it covers, in the order of their keys.
    pub rows: Vec<SignedRow>,
    /// SHA-256, in hex, over all of the above.
    pub digest: String,
}

impl Signature {
    /// When it was taken in as people read it, `2026-03-01 09:30 UTC`; the field keeps it exact.
    pub fn signed_at_shown(&self) -> String {
        let exact = self.signed_at.parse::<jiff::Timestamp>();
        exact.map_or_else(
            |_| self.signed_at.clone(),
            |it| it.strftime("%Y-%m-%d %H:%M UTC").to_string(),
        )
    }
}

/// One row under a signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignedRow {
    pub key: String,
    pub digest: String,
    pub word: DecisionWord,
}

/// How far the sign-off of a sheet has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SignState {
    /// Every asked row is decided.
    Complete,
    /// Some rows wait for the client.
    Partial,
    /// Nothing of the file was taken.
    Refused,
}

/// What was asked and what came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignCounts {
    /// Rows the sheet asks about: decided + open.
    pub asked: usize,
    /// Asked rows decided after this file.
    pub decided: usize,
    /// Asked rows still open.
    pub open: usize,
    /// Decisions taken from this file, asked or not.
    pub applied: usize,
    /// Decisions of this file that were on record already.
    pub repeated: usize,
    /// Rows put back to undecided because two decisions differ.
    pub conflicts: usize,
    /// Rows of "Accepted" approved by this file.
    pub accepted_signed: usize,
}

/// What went back to the client: what was understood of a returned file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    pub signature: Signature,
    pub state: SignState,
    pub counts: SignCounts,
    /// One line a row, in the order of the sheet.
    pub lines: Vec<ReceiptLine>,
    pub findings: Vec<SignFinding>,
    /// The sheet that holds exactly the rest, where there is one.
    pub follow_up: Option<String>,
}

/// What was understood of one row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceiptLine {
    pub key: String,
    pub about: String,
    /// The row as it now stands.
    pub stands: String,
    /// The word on record; `None` while the row is open.
    pub word: Option<DecisionWord>,
    /// Why it is open, or what else is to be said.
    pub remark: String,
}
