//! `score --gold FILE`: extracted rows against rows labelled by hand.
//!
//! The command's body without its arguments; it prints nothing and ends no process.

use std::collections::BTreeMap;
use std::path::Path;

use crate::model::row::RowRecord;
use crate::score::label::{Coverage, GoldError, read_gold};
use crate::score::tally::{Score, score};

/// Why nothing could be scored.
#[derive(Debug, thiserror::Error)]
pub enum ScoreError {
    #[error("{path}: {cause}")]
    Read { path: String, cause: std::io::Error },
    #[error("{path}: {cause}")]
    Gold { path: String, cause: GoldError },
    #[error("{path}: {cause}; expected an object of page to a list of item keys")]
    Coverage { path: String, cause: serde_json::Error },
}

/// What is scored against what.
#[derive(Clone, Copy, Debug)]
pub struct ScoreRequest<'a> {
    /// The labelled rows, JSONL.
    pub gold: &'a Path,
    /// What the labels cover where that is not the whole page: a JSON object of page to item keys.
    /// It is added to the header of the labelled rows.
    pub covered: Option<&'a Path>,
    /// The rows on record.
    pub rows: &'a [RowRecord],
    /// Canonical texts by `path?query`, as far as they are at hand.
    pub pages: &'a BTreeMap<String, String>,
}

/// Scores the rows.
///
/// # Errors
/// When a file cannot be read or is not what it should be.
pub fn score_rows(request: ScoreRequest<'_>) -> Result<Score, ScoreError> {
    let path = request.gold.display().to_string();
    let mut gold = read_gold(&read(request.gold)?)
        .map_err(|cause| ScoreError::Gold { path: path.clone(), cause })?;
    if let Some(file) = request.covered {
        let covered: Coverage = serde_json::from_str(&read(file)?)
            .map_err(|cause| ScoreError::Coverage { path: file.display().to_string(), cause })?;
        gold.coverage.extend(covered);
    }
    Ok(score(&gold, request.rows, request.pages))
}

fn read(path: &Path) -> Result<String, ScoreError> {
    std::fs::read_to_string(path)
        .map_err(|cause| ScoreError::Read { path: path.display().to_string(), cause })
}
