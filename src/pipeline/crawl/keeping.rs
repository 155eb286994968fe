//! A crawl's evidence kept in a snapshot store: the one place where the two stages meet.

use crate::crawl::keep::{Begun, Finished, Keep, KeepError};
use crate::model::snapshot::Part;
use crate::snapshot::files::SnapshotError;
use crate::snapshot::store::SnapshotStore;

/// Keeps what a crawl brings under `snapshots/<source>/`.
#[derive(Debug)]
pub struct KeepSnapshots(pub SnapshotStore);

impl Keep for KeepSnapshots {
    fn begin(&self) -> Result<Begun, KeepError> {
        let begun = self.0.begin().map_err(of)?;
        Ok(Begun {
            baseline: begun.baseline,
            journal: begun.journal,
            last_crawl: begun.last_crawl,
            taken_over_from: begun.taken_over_from,
        })
    }

    fn put(&self, part: Part, bytes: &[u8]) -> Result<String, KeepError> {
        self.0.put(part, bytes).map_err(of)
    }

    fn get(&self, part: Part, digest: &str) -> Result<Vec<u8>, KeepError> {
        self.0.get(part, digest).map_err(of)
    }

    fn note(&self, line: &str) -> Result<(), KeepError> {
        self.0.note(line).map_err(of)
    }

    fn clear_journal(&self) -> Result<(), KeepError> {
        self.0.clear_journal().map_err(of)
    }

    fn drop_journal(&self, edition: &str) -> Result<Vec<u8>, KeepError> {
        self.0.drop_journal(edition).map_err(of)
    }

    fn log(&self, line: &str) -> Result<(), KeepError> {
        self.0.log(line).map_err(of)
    }

    fn finish(&self, finished: &Finished<'_>) -> Result<(), KeepError> {
        self.0.finish(finished.manifest, finished.record, finished.baseline).map_err(of)
    }

    fn leave(&self) {
        self.0.leave();
    }
}

// Taken by value because `map_err` hands it over.
#[allow(clippy::needless_pass_by_value)]
fn of(cause: SnapshotError) -> KeepError {
    KeepError { what: "snapshots".to_owned(), detail: cause.to_string() }
}
