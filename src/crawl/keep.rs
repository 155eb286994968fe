//! What a crawl needs of the place that keeps its evidence. Names no file.

use crate::model::baseline::Baseline;
use crate::model::snapshot::{CrawlRecord, Part};

/// The store cannot do what was asked of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {detail}")]
pub struct KeepError {
    pub what: String,
    pub detail: String,
}

/// What a crawl finds when it begins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Begun {
    pub baseline: Option<Baseline>,
    /// Lines an interrupted crawl noted, oldest first; a line cut by the interruption is left out.
    pub journal: Vec<String>,
    /// The last finished crawl.
    pub last_crawl: Option<CrawlRecord>,
    /// Set where the lock of a dead process was taken over: who held it.
    pub taken_over_from: Option<String>,
}

/// Everything a finished crawl leaves behind, stored together.
#[derive(Clone, Copy, Debug)]
pub struct Finished<'a> {
    /// First 16 hex digits of the digest of `manifest`.
    pub edition: &'a str,
    /// The manifest's bytes.
    pub manifest: &'a [u8],
    pub record: &'a CrawlRecord,
    pub baseline: &'a Baseline,
}

/// Keeps evidence: written once, found again by digest.
pub trait Keep: Send + Sync {
    /// Takes the lock and reads what is there.
    ///
    /// # Errors
    /// When another process is at work, or what is there cannot be read.
    fn begin(&self) -> Result<Begun, KeepError>;

    /// Stores bytes and returns their SHA-256; bytes that are there already are not written again.
    ///
    /// # Errors
    /// When they cannot be written.
    fn put(&self, part: Part, bytes: &[u8]) -> Result<String, KeepError>;

    /// Reads bytes back and checks them against their digest.
    ///
    /// # Errors
    /// When they are missing or damaged.
    fn get(&self, part: Part, digest: &str) -> Result<Vec<u8>, KeepError>;

    /// Notes one line of the crawl that is going on, for the case that it is interrupted.
    ///
    /// # Errors
    /// When it cannot be written.
    fn note(&self, line: &str) -> Result<(), KeepError>;

    /// Forgets what was noted, before a new crawl notes anything.
    ///
    /// # Errors
    /// When it cannot be written.
    fn clear_journal(&self) -> Result<(), KeepError>;

    /// Forgets the journal of a crawl that is finished, gives the lock back, and returns the bytes
    /// of its edition's manifest.
    ///
    /// # Errors
    /// When the files cannot be read or removed.
    fn drop_journal(&self, edition: &str) -> Result<Vec<u8>, KeepError>;

    /// Adds one line to the fetch log.
    ///
    /// # Errors
    /// When it cannot be written.
    fn log(&self, line: &str) -> Result<(), KeepError>;

    /// Stores the edition, the crawl and the baseline, forgets the journal and gives the lock back.
    ///
    /// # Errors
    /// When something cannot be written; the journal is then still there.
    fn finish(&self, finished: &Finished<'_>) -> Result<(), KeepError>;

    /// Gives the lock back and leaves the journal for the next crawl.
    fn leave(&self);
}
