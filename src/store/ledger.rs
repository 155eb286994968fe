//! What the ledger keeps, what it can be asked, and why it may refuse.

use crate::model::ask::{Step, Usage};

/// A run as the ledger knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRecord {
    pub id: String,
    /// `bulk`, `update`, `crawl`, …
    pub kind: String,
    /// UTC, RFC 3339.
    pub began: String,
    /// UTC, RFC 3339; `None` for a run that goes on or was killed.
    pub ended: Option<String>,
    /// Exit code it ended with.
    pub exit: Option<u8>,
    /// The JSON object it ended with.
    pub summary: Option<String>,
}

/// One step's record: what went in and what came out must be accounted for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepRecord {
    pub run: String,
    pub name: String,
    pub source: String,
    pub count_in: u64,
    pub count_out: u64,
    /// JSON with the parts that add up.
    pub detail: String,
}

/// An answer in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerRecord {
    pub ask: String,
    /// SHA-256 of the answer file.
    pub digest: String,
    pub answered_by: String,
    /// The run that first used it.
    pub run: String,
    /// The step whose ask it answers; `None` only in records of old ledgers.
    pub step: Option<Step>,
    /// True where it was answered in that run, false where that run found it on file.
    pub is_live: bool,
    pub usage: Option<Usage>,
}

/// What one page's rows were made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRecord {
    pub source: String,
    pub url: String,
    /// Digest of everything the rows depend on: text, rules, readers.
    pub basis: String,
    /// File under `extracted/`, relative to the project.
    pub file: String,
    /// SHA-256 of that file.
    pub digest: String,
    /// JSON: the page's counts.
    pub counts: String,
}

/// One line of the index of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowIndex {
    pub key: String,
    pub source: String,
    pub url: String,
    pub item: String,
    pub status: String,
    /// SHA-256 of the row's line.
    pub digest: String,
    /// SHA-256 of the row's own clause and value: what a signature is bound to.
    pub content: String,
}

/// Lines that are written together, in one transaction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group<'a> {
    pub answers: Vec<&'a AnswerRecord>,
    /// Pages with the index of their rows, each in the place of what was known of it.
    pub pages: Vec<(&'a PageRecord, &'a [RowIndex])>,
    pub steps: Vec<&'a StepRecord>,
}

/// A decision as the ledger keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredDecision {
    pub row_key: String,
    /// Content digest of the row it is about.
    pub content: String,
    pub tab: String,
    pub file_digest: String,
    /// The decision as JSON.
    pub body: String,
}

/// What one sign-off writes, in one transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSignoff {
    pub file_digest: String,
    pub signed: String,
    /// The signature as JSON.
    pub signature: String,
    /// New decisions; each has to meet a row on record with its key and content.
    pub decisions: Vec<StoredDecision>,
    /// Decisions on record whose body is replaced.
    pub replaced: Vec<StoredDecision>,
}

/// Why the ledger refuses or fails. A wrong ledger and an empty one never look alike.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    #[error(
        "{path}: there is no ledger here: nothing has been run in this project yet; `countersign run` begins one, or name another project with --project"
    )]
    Missing { path: String },
    #[error("{path}: not a countersign ledger (application id {found:#x}); nothing was changed")]
    Foreign { path: String, found: i64 },
    #[error(
        "{path}: written by a newer countersign (schema {found}, this version knows {known}); update the program"
    )]
    Newer { path: String, found: i64, known: i64 },
    #[error("{path}: ledger of project {found}, expected project {expected}; nothing was read")]
    WrongProject { path: String, found: String, expected: String },
    #[error("{what}: {affected} of {expected} lines were written; the whole change was taken back")]
    NotAllWritten { what: &'static str, affected: usize, expected: usize },
    #[error("{what}: what was read back is not what was written; the whole change was taken back")]
    ReadBackDiffers { what: &'static str },
    #[error("ledger: a {what} on record cannot be read: {cause}")]
    Unreadable { what: &'static str, cause: serde_json::Error },
    #[error("ledger: {0}")]
    Sqlite(#[from] rusqlite::Error),
    #[error("{path}: {source}")]
    Io { path: String, source: std::io::Error },
}

/// The project's memory. Writes are checked: a line that was not written as meant is an error.
pub trait Ledger: Send + std::fmt::Debug {
    /// The project this ledger belongs to.
    fn project_uuid(&self) -> &str;

    /// Notes that a run begins.
    ///
    /// # Errors
    /// When the id is taken or the line cannot be written.
    fn begin_run(&mut self, id: &str, kind: &str, began: &str) -> Result<(), LedgerError>;

    /// Notes how a run ended.
    ///
    /// # Errors
    /// When there is no such run or the line cannot be written.
    fn end_run(&mut self, run: &RunRecord) -> Result<(), LedgerError>;

    /// Notes a step of a run; a second record of the same step replaces the first.
    ///
    /// # Errors
    /// When the line cannot be written.
    fn record_step(&mut self, step: &StepRecord) -> Result<(), LedgerError>;

    /// The steps of a run, by name and source.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    fn steps(&self, run: &str) -> Result<Vec<StepRecord>, LedgerError>;

    /// The steps of one source in all runs that are named so, or so with a space and more words behind
    /// it; those of the oldest run first.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    fn steps_named(&self, name: &str, source: &str) -> Result<Vec<StepRecord>, LedgerError>;

    /// Takes the steps that [`Ledger::steps_named`] gives off the record.
    ///
    /// # Errors
    /// When the ledger cannot be written.
    fn forget_steps(&mut self, name: &str, source: &str) -> Result<(), LedgerError>;

    /// All runs, oldest first.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    fn runs(&self) -> Result<Vec<RunRecord>, LedgerError>;

    /// The digest under which an answer was first used.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    fn answer_digest(&self, ask: &str) -> Result<Option<String>, LedgerError>;

    /// Notes answers in use; those already noted stay as they are.
    ///
    /// # Errors
    /// When a line cannot be written or reads back differently.
    fn record_answers(&mut self, answers: &[AnswerRecord]) -> Result<(), LedgerError>;

    /// Tokens of the answers given to one step in `run`: calls, and the sums of what was reported.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    fn usage_of(&self, run: &str, step: Step) -> Result<(u64, Usage), LedgerError>;

    /// What is known of a page's rows.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    fn page(&self, source: &str, url: &str) -> Result<Option<PageRecord>, LedgerError>;

    /// Every page of a source with rows on record, by address.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    fn pages(&self, source: &str) -> Result<Vec<PageRecord>, LedgerError>;

    /// Replaces what is known of one page and the index of its rows, in one transaction.
    ///
    /// # Errors
    /// When a line cannot be written or the rows read back are not those written.
    fn replace_page(&mut self, page: &PageRecord, rows: &[RowIndex]) -> Result<(), LedgerError>;

    /// As [`Ledger::record_answers`], [`Ledger::replace_page`] and [`Ledger::record_step`] for many at
    /// once: all or nothing.
    ///
    /// # Errors
    /// As those.
    fn record_group(&mut self, group: &Group<'_>) -> Result<(), LedgerError>;

    /// Where a row is.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    fn row(&self, key: &str) -> Result<Option<RowIndex>, LedgerError>;

    /// Rows on record by status, of one source or of all.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    fn row_counts(&self, source: Option<&str>) -> Result<Vec<(String, u64)>, LedgerError>;

    /// Puts a sign-off on record; returns the lines touched and the new decisions as read back. The
    /// whole change is taken back unless every line was touched.
    ///
    /// # Errors
    /// When a line cannot be written.
    fn sign_off(&mut self, change: &StoredSignoff) -> Result<(usize, Vec<String>), LedgerError>;

    /// All decisions as JSON, in the order they were taken.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    fn decisions(&self) -> Result<Vec<String>, LedgerError>;

    /// All signatures as JSON, oldest first.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    fn signatures(&self) -> Result<Vec<String>, LedgerError>;
}
