//! What the project keeps of a batch at a provider, so that a crash or a week costs nothing twice.
//!
//! A record is written before the batch is made and again after each step, and removed only where it
//! is certain that no batch was made.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ask::canonical::hex_sha256;
use crate::llm::record::FolderError;
use crate::model::ask::{Step, Usage};
use crate::model::config::{Dialect, ReaderConfig};
use crate::pipeline::written::{WriteError, remove_if_there, write_checked};

/// The one value of [`BatchRecord::format`] this version reads and writes.
pub const BATCH_FORMAT: &str = "countersign.batch/1";

/// One batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BatchRecord {
    /// [`BATCH_FORMAT`].
    pub format: String,
    /// `b-` and twelve digits; ours.
    pub id: String,
    /// The source whose money it is.
    pub source: String,
    pub step: Step,
    pub dialect: Dialect,
    pub address: String,
    pub model: String,
    /// UTC, RFC 3339.
    pub began: String,
    pub stage: Stage,
    /// The provider's name of the file of requests, where it wants one.
    pub input_file: Option<String>,
    /// The provider's name of the batch, once it is known.
    pub provider_id: Option<String>,
    /// The provider's last word about it.
    pub status: String,
    /// The most it can cost: decimal text.
    pub most: String,
    /// Digests of its asks, sorted.
    pub asks: Vec<String>,
    /// Asks that were answered, with the tokens that were charged.
    pub answered: BTreeMap<String, Option<Usage>>,
    /// Asks that were not, with why; they are open again.
    pub failed: BTreeMap<String, String>,
    /// The run whose cost it is counted in.
    pub counted_in: Option<String>,
}

/// How far a batch has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// About to be made; whether it was is not known.
    Planned,
    /// Made; the provider works on it.
    Waiting,
    /// Over, and what it gave is on record.
    Ended,
}

/// Why batches cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    #[error("{path}: {detail}; the file says what is paid for: put it back as it was")]
    Unreadable { path: String, detail: String },
    #[error(
        "batch {id} is at {address} ({dialect}), which no reader is configured for now; put that reader back until the batch has ended"
    )]
    NoReader { id: String, dialect: &'static str, address: String },
    #[error(
        "dialect {dialect} has no batches that this program speaks; run without --batch, or hand the asks to a reader of another dialect"
    )]
    NoBatches { dialect: &'static str },
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error("the record cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

impl BatchRecord {
    /// A batch that is about to be made.
    pub fn planned(
        (source, step): (&str, Step),
        reader: &ReaderConfig,
        asks: Vec<String>,
        now: Timestamp,
    ) -> Self {
        let began = now.to_string();
        let name =
            hex_sha256(format!("{}\n{began}\n{}", step.as_str(), asks.join("\n")).as_bytes());
        Self {
            format: BATCH_FORMAT.to_owned(),
            id: format!("b-{}", &name[..12]),
            source: source.to_owned(),
            step,
            dialect: reader.dialect,
            address: reader.address().to_owned(),
            model: reader.model.clone(),
            began,
            stage: Stage::Planned,
            input_file: None,
            provider_id: None,
            status: String::new(),
            most: "0".to_owned(),
            asks,
            answered: BTreeMap::new(),
            failed: BTreeMap::new(),
            counted_in: None,
        }
    }

    /// True where the provider has it or may have it.
    pub fn is_open(&self) -> bool {
        self.stage != Stage::Ended
    }

    /// True where this reader speaks to the provider that has the batch.
    pub fn is_at(&self, reader: &ReaderConfig) -> bool {
        self.dialect == reader.dialect && self.address == reader.address()
    }
}

/// The folder of the records.
#[derive(Clone, Debug)]
pub struct BatchFolder(PathBuf);

impl BatchFolder {
    /// `root` is made when it is first written to.
    pub fn new(root: PathBuf) -> Self {
        Self(root)
    }

    /// All records, oldest first.
    ///
    /// # Errors
    /// When one cannot be read: nothing goes on without knowing what is paid for.
    pub fn records(&self) -> Result<Vec<BatchRecord>, BatchError> {
        let entries = match std::fs::read_dir(&self.0) {
            Ok(entries) => entries,
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(cause) => return Err(unreadable(&self.0, &cause)),
        };
        let mut paths = entries
            .map(|it| it.map(|it| it.path()))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|cause| unreadable(&self.0, &cause))?;
        paths.retain(|it| it.extension().is_some_and(|it| it == "json"));
        let mut records = Vec::with_capacity(paths.len());
        for path in paths {
            let text = std::fs::read_to_string(&path).map_err(|cause| unreadable(&path, &cause))?;
            let record: BatchRecord =
                serde_json::from_str(&text).map_err(|cause| unreadable(&path, &cause))?;
            if record.format != BATCH_FORMAT {
                let found = format!("format is {:?}, expected {BATCH_FORMAT:?}", record.format);
                return Err(unreadable(&path, &found));
            }
            records.push(record);
        }
        records.sort_by(|a, b| (&a.began, &a.id).cmp(&(&b.began, &b.id)));
        Ok(records)
    }

    /// Writes a record, in the place of an older one of the same id.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, record: &BatchRecord) -> Result<(), BatchError> {
        let json = serde_json::to_string_pretty(record)? + "\n";
        write_checked(&self.path(&record.id), json.as_bytes())?;
        Ok(())
    }

    /// Forgets a batch that was never made.
    ///
    /// # Errors
    /// When the record cannot be removed.
    pub fn forget(&self, record: &BatchRecord) -> Result<(), BatchError> {
        Ok(remove_if_there(&self.path(&record.id))?)
    }

    fn path(&self, id: &str) -> PathBuf {
        self.0.join(format!("{id}.json"))
    }
}

/// The asks that nobody else may be asked: they are in a batch, or may be.
pub fn reserved(records: &[BatchRecord]) -> BTreeSet<String> {
    records.iter().filter(|it| it.is_open()).flat_map(|it| it.asks.iter().cloned()).collect()
}

fn unreadable(path: &Path, cause: &impl ToString) -> BatchError {
    BatchError::Unreadable { path: path.display().to_string(), detail: cause.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_back_and_a_damaged_one_stops_everything() {
        let dir = tempfile::tempdir().unwrap();
        let folder = BatchFolder::new(dir.path().join("asks/batches"));
        assert_eq!(folder.records().unwrap(), []);
        let now = "2026-11-30T12:00:00Z".parse().unwrap();
        let asks = vec!["ab".repeat(32)];
        let record =
            BatchRecord::planned(("s", Step::Review), &ReaderConfig::default(), asks.clone(), now);
        folder.write(&record).unwrap();
        let one = std::slice::from_ref(&record);
        assert_eq!(folder.records().unwrap(), one);
        assert_eq!(reserved(one).into_iter().collect::<Vec<_>>(), asks);
        let ended = BatchRecord { stage: Stage::Ended, ..record.clone() };
        assert!(reserved(&[ended]).is_empty());
        std::fs::write(folder.path("b-x"), "{}").unwrap();
        assert!(folder.records().unwrap_err().to_string().contains("b-x.json"));
        folder.forget(&record).unwrap();
        folder.forget(&record).unwrap();
    }
}
