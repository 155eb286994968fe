//! The client's sheet as plain values: what is issued, under which key and check token.
//!
//! One value describes an issued row for the writer, the reader of the returned file and the
//! signature. No rule and no I/O lives here.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::model::row::RowRecord;
use crate::model::run::RunSummary;

/// The language a sheet, a report or a receipt is written in.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum SheetLanguage {
    #[default]
    #[serde(rename = "en")]
    English,
    #[serde(rename = "zh-Hant")]
    Chinese,
}

impl SheetLanguage {
    /// Both, in the order of every two-language table.
    pub const ALL: [SheetLanguage; 2] = [SheetLanguage::English, SheetLanguage::Chinese];

    /// The language for a BCP 47 tag: Chinese for every `zh…`, English for the rest.
    pub fn of(tag: &str) -> Self {
        let primary = tag.split(['-', '_']).next().unwrap_or_default();
        if primary.eq_ignore_ascii_case("zh") { Self::Chinese } else { Self::English }
    }

    /// The BCP 47 tag.
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh-Hant",
        }
    }

    /// The member of a pair of texts, English first.
    pub fn pick<T: Copy>(self, pair: [T; 2]) -> T {
        match self {
            Self::English => pair[0],
            Self::Chinese => pair[1],
        }
    }
}

/// The tabs of a sheet, in the order they stand in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tab {
    ReadMe,
    Decide,
    Removed,
    Changed,
    Accepted,
    Examples,
    /// Very hidden: which run, which file, which rows.
    Identity,
    /// Very hidden: lists too long for a validation.
    Lists,
}

/// The columns of all tabs. The name says what a cell holds, on whichever tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Column {
    /// Page, headings: what it is about.
    About,
    /// The row as one plain sentence.
    Extracted,
    /// The page's sentence with the snippet inside.
    Says,
    /// Why a person is asked.
    Why,
    /// Where a row stands that is not asked about.
    Standing,
    /// The live page at the quoted text.
    Link,
    /// Key of the row.
    Row,
    /// Check token: key and content of the row belong together.
    Check,
    /// The client's word.
    Decision,
    CorrectedValue,
    CorrectedQuote,
    Note,
    /// Last known text of what is gone.
    LastKnown,
    /// When it was last seen.
    LastSeen,
    /// What hangs on it.
    Dependants,
    /// Before and after, in an update.
    OldSays,
    NewSays,
    OldExtracted,
    NewExtracted,
    /// Check by example: the rule and two invented people.
    Rule,
    PersonInside,
    ResultInside,
    PersonOutside,
    ResultOutside,
}

impl Column {
    /// The name used in findings and records.
    pub fn as_str(self) -> &'static str {
        match self {
            Column::About => "about",
            Column::Extracted => "extracted",
            Column::Says => "says",
            Column::Why => "why",
            Column::Standing => "standing",
            Column::Link => "link",
            Column::Row => "row",
            Column::Check => "check",
            Column::Decision => "decision",
            Column::CorrectedValue => "corrected_value",
            Column::CorrectedQuote => "corrected_quote",
            Column::Note => "note",
            Column::LastKnown => "last_known",
            Column::LastSeen => "last_seen",
            Column::Dependants => "dependants",
            Column::OldSays => "old_says",
            Column::NewSays => "new_says",
            Column::OldExtracted => "old_extracted",
            Column::NewExtracted => "new_extracted",
            Column::Rule => "rule",
            Column::PersonInside => "person_inside",
            Column::ResultInside => "result_inside",
            Column::PersonOutside => "person_outside",
            Column::ResultOutside => "result_outside",
        }
    }
}

/// A source as the client's sheet names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFacts {
    pub id: String,
    pub title: String,
    pub publisher: String,
    /// BCP 47.
    pub language: String,
    /// Field name -> what it holds, in the source's words.
    pub fields: BTreeMap<String, String>,
}

/// What a sheet says of its run, apart from rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SheetFacts {
    /// The project's UUID.
    pub project: String,
    /// When the sheet is issued; the only time that enters the file.
    pub issued_at: jiff::Timestamp,
    /// The language of tabs, reasons and decisions.
    pub language: SheetLanguage,
    pub sources: Vec<SourceFacts>,
    pub summary: RunSummary,
    /// The local report, relative to the sheet's folder: `report.html`.
    pub report: Option<String>,
    /// The file this one follows up, where a return was partial.
    pub follow_up_of: Option<String>,
}

impl SheetFacts {
    /// True where no model took part: every reader is the built-in one.
    pub fn no_model_was_used(&self) -> bool {
        let readers = &self.summary.readers;
        !readers.is_empty() && readers.values().all(|it| it == "rules" || it.starts_with("rules/"))
    }
}

/// Something the source no longer shows. It stays live until the client says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemovalCandidate {
    /// The row as last known.
    pub row: RowRecord,
    /// Why it is thought gone, in plain words of the sheet's language.
    pub reason: String,
    /// When it was last seen on the page: a date, or an edition's name.
    pub last_seen: String,
    /// Keys of rows that hang on it: members of its group, rows that refer to it.
    pub dependants: Vec<String>,
}

/// What a follow-up sheet says beside rows that came back without a decision that could be taken.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FollowUp {
    /// Keys of the rows that are asked again; exactly these stand on the sheet.
    pub keys: BTreeSet<String>,
    /// Key -> why it is asked again, in the sheet's language.
    pub remarks: BTreeMap<String, String>,
    /// Corrections to be confirmed; each takes the place of its row.
    pub proposals: Vec<Proposal>,
}

/// A row before and after a change of the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedPair {
    pub old: RowRecord,
    pub new: RowRecord,
    /// What changed, in plain words of the sheet's language.
    pub reason: String,
}

/// What a client's row is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Matter {
    /// Is this row right?
    Row(RowRecord),
    /// May this row be taken down?
    Removal(RemovalCandidate),
    /// Is this what the client meant? A correction with the page's own words, to be confirmed.
    Proposal(Proposal),
}

/// A correction that was not taken as it was written, offered back for confirmation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// The row as it would stand corrected.
    pub row: RowRecord,
    /// Digest of the row that it would correct.
    pub stands_for: String,
}

impl Matter {
    /// The row that is decided about.
    pub fn row(&self) -> &RowRecord {
        match self {
            Matter::Row(row) => row,
            Matter::Removal(candidate) => &candidate.row,
            Matter::Proposal(proposal) => &proposal.row,
        }
    }
}

/// One row as issued to the client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IssuedRow {
    pub key: String,
    /// Eight characters over project, key, digest and tab.
    pub token: String,
    /// SHA-256, in hex, of the row's own clause and value: what a signature is bound to.
    pub digest: String,
    pub tab: Tab,
    /// True where the sheet asks for a decision; the rest may be decided, but need not be.
    pub is_asked: bool,
    pub matter: Matter,
    /// The text of every locked cell as it was written.
    pub shown: BTreeMap<Column, String>,
}

/// A sheet as issued: what the returned file is held against.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IssuedSheet {
    /// `f-<16 hex digits>`: from project, run and the rows with their tokens.
    pub file: String,
    pub run: String,
    pub project: String,
    pub language: SheetLanguage,
    pub follow_up_of: Option<String>,
    /// What the sheet said of its run, so that a follow-up needs nothing but this record.
    pub facts: SheetFacts,
    pub rows: Vec<IssuedRow>,
    /// What the sheet showed as changed, so that it can be written again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<ChangedPair>,
}

impl IssuedRow {
    /// The digest that a decision on this row is bound to: for a proposal, that of the row it would
    /// correct.
    pub fn bound_to(&self) -> &str {
        match &self.matter {
            Matter::Proposal(proposal) => &proposal.stands_for,
            _ => &self.digest,
        }
    }
}

impl IssuedSheet {
    /// Rows that ask for a decision.
    pub fn asked(&self) -> impl Iterator<Item = &IssuedRow> {
        self.rows.iter().filter(|it| it.is_asked)
    }
}
