//! Where asks and answers are kept, as whoever uses them sees it.

use std::path::PathBuf;

/// A file of the folder that could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {source}")]
pub struct FolderError {
    pub path: String,
    pub source: std::io::Error,
}

/// Keeps asks and answers under the digest of the ask.
pub trait AnswerFiles: Send + Sync + std::fmt::Debug {
    /// Where the ask of this digest is or would be.
    fn ask_path(&self, digest: &str) -> PathBuf;

    /// Where the answer to this ask is or would be.
    fn answer_path(&self, digest: &str) -> PathBuf;

    /// The stored ask, `None` where there is none.
    ///
    /// # Errors
    /// When the file is there and cannot be read.
    fn read_ask(&self, digest: &str) -> Result<Option<String>, FolderError>;

    /// The stored answer, `None` where there is none.
    ///
    /// # Errors
    /// When the file is there and cannot be read.
    fn read_answer(&self, digest: &str) -> Result<Option<String>, FolderError>;

    /// Writes the ask unless it is there already: its name is its content.
    ///
    /// # Errors
    /// When the file cannot be written.
    fn write_ask(&self, digest: &str, json: &str) -> Result<(), FolderError>;

    /// Writes the answer; one that is there already is kept and the new one refused.
    ///
    /// # Errors
    /// When the file cannot be written or another answer is already there.
    fn write_answer(&self, digest: &str, json: &str) -> Result<(), FolderError>;

    /// Digests of all stored asks, sorted.
    ///
    /// # Errors
    /// When the folder is there and cannot be listed.
    fn asks(&self) -> Result<Vec<String>, FolderError>;
}
