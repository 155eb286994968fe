//! The folder `snapshots/<source>/`: evidence, editions, and the ledger of crawls.
//!
//! ```text
//! objects/ab/<sha256>          bytes of pages, as sent
//! texts/ab/<sha256>.txt        canonical texts        maps/…json, records/…json
//! editions/<id>/manifest.json  content, no clock       editions/<id>/crawl.json  the crawl that made it
//! ledger/                      baseline, last crawl, fetch log, journal, lock: all that changes
//! ```

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::model::baseline::{BASELINE_FORMAT, Baseline};
use crate::model::run::PageCounts;
use crate::model::snapshot::{
    CRAWL_FORMAT, CaptureRecord, CrawlRecord, MANIFEST_FORMAT, Manifest, Part,
};
use crate::snapshot::files::{self, SnapshotError, write_beside};
use crate::snapshot::lines::{
    append_line, append_to, compact_json, cut_half_line, end_half_line, fine_if_missing, io_at,
    json_file, other_format, parse_json, read_json, read_json_if_there, whole_lines,
};

/// The snapshots of one source.
#[derive(Debug)]
pub struct SnapshotStore {
    source: String,
    root: PathBuf,
    open: Mutex<Option<Open>>,
}

/// What is held while a crawl is going on.
#[derive(Debug)]
struct Open {
    /// Locked by the system for as long as the process lives.
    lock: File,
    journal: File,
    log: File,
}

/// What a crawl finds when it begins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Begun {
    pub baseline: Option<Baseline>,
    /// Whole lines of the journal, oldest first.
    pub journal: Vec<String>,
    /// The last finished crawl.
    pub last_crawl: Option<CrawlRecord>,
    /// Who held the lock and died.
    pub taken_over_from: Option<String>,
}

/// One line of the list of crawls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrawlLine {
    pub begun: Timestamp,
    pub started: Timestamp,
    pub finished: Timestamp,
    pub edition: String,
    pub counts: PageCounts,
}

impl SnapshotStore {
    /// The store of `source` under the project's `snapshots` folder; makes nothing yet.
    pub fn new(snapshots: &Path, source: &str) -> Self {
        Self { source: source.to_owned(), root: snapshots.join(source), open: Mutex::default() }
    }

    /// The source's folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Takes the lock and reads what an earlier crawl left.
    ///
    /// # Errors
    /// When another process is crawling this source, or something cannot be read.
    pub fn begin(&self) -> Result<Begun, SnapshotError> {
        let ledger = self.ledger("");
        fs::create_dir_all(&ledger).map_err(|it| io_at(&ledger, it))?;
        let (lock, taken_over_from) = self.take_lock()?;
        let path = self.ledger("journal.jsonl");
        let journal = whole_lines(&path)?;
        let baseline: Option<Baseline> = read_json_if_there(&self.ledger("baseline.json"))?;
        if let Some(found) = baseline.as_ref().filter(|it| it.format != BASELINE_FORMAT) {
            return Err(other_format(
                &self.ledger("baseline.json"),
                &found.format,
                BASELINE_FORMAT,
            ));
        }
        let journal_file = append_to(&path)?;
        // A line cut by a crash must not grow into the next one.
        cut_half_line(&path, &journal_file)?;
        let fetches = self.ledger("fetches.jsonl");
        let mut log = append_to(&fetches)?;
        end_half_line(&fetches, &mut log)?;
        *self.opened() = Some(Open { lock, journal: journal_file, log });
        let last_crawl = self.last_crawl()?;
        Ok(Begun { baseline, journal, last_crawl, taken_over_from })
    }

    /// Stores evidence; see [`files::put`].
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn put(&self, part: Part, bytes: &[u8]) -> Result<String, SnapshotError> {
        files::put(&self.root, part, bytes)
    }

    /// Reads evidence and proves it.
    ///
    /// # Errors
    /// When it is missing or damaged.
    pub fn get(&self, part: Part, digest: &str) -> Result<Vec<u8>, SnapshotError> {
        files::get(&self.root, part, digest)
    }

    /// A canonical text, proved.
    ///
    /// # Errors
    /// When it is missing or damaged.
    pub fn text(&self, digest: &str) -> Result<String, SnapshotError> {
        let bytes = self.get(Part::Text, digest)?;
        String::from_utf8(bytes).map_err(|it| SnapshotError::Unreadable {
            path: self.root.join(files::path_of(Part::Text, digest)).display().to_string(),
            detail: it.to_string(),
        })
    }

    /// A capture record, proved.
    ///
    /// # Errors
    /// When it is missing, damaged or of another version.
    pub fn record(&self, digest: &str) -> Result<CaptureRecord, SnapshotError> {
        let bytes = self.get(Part::Record, digest)?;
        parse_json(&self.root.join(files::path_of(Part::Record, digest)), &bytes)
    }

    /// Adds a line to the journal of the crawl that is going on.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn note(&self, line: &str) -> Result<(), SnapshotError> {
        self.append("journal.jsonl", line, |open| &mut open.journal)
    }

    /// Adds a line to the fetch log.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn log(&self, line: &str) -> Result<(), SnapshotError> {
        self.append("fetches.jsonl", line, |open| &mut open.log)
    }

    /// Stores an edition, its crawl and the baseline, and gives the lock back.
    ///
    /// An edition that is there already keeps its files: the same content is the same edition.
    ///
    /// # Errors
    /// When something cannot be written; the journal is then still there.
    pub fn finish(
        &self,
        manifest: &[u8],
        record: &CrawlRecord,
        baseline: &Baseline,
    ) -> Result<(), SnapshotError> {
        let folder = self.root.join("editions").join(&record.edition);
        let path = folder.join("manifest.json");
        match fs::read(&path) {
            Ok(there) if there == manifest => {}
            Ok(_) => {
                return Err(SnapshotError::EditionDiffers { path: path.display().to_string() });
            }
            Err(_) => write_beside(&path, manifest)?,
        }
        let crawl = json_file(record)?;
        if !folder.join("crawl.json").exists() {
            write_beside(&folder.join("crawl.json"), &crawl)?;
        }
        write_beside(&self.ledger("last_crawl.json"), &crawl)?;
        let line = CrawlLine {
            begun: record.begun,
            started: record.started,
            finished: record.finished,
            edition: record.edition.clone(),
            counts: record.counts,
        };
        let crawls = self.ledger("crawls.jsonl");
        let file = append_to(&crawls)?;
        cut_half_line(&crawls, &file)?;
        // A crawl killed after this line and finished again is still one crawl.
        if self.crawls()?.last().map(|it| it.begun) != Some(record.begun) {
            append_line(&crawls, file, &compact_json(&line)?)?;
        }
        write_beside(&self.ledger("baseline.json"), &json_file(baseline)?)?;
        self.remove_journal()
    }

    /// Forgets what was noted, before a new crawl notes anything.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn clear_journal(&self) -> Result<(), SnapshotError> {
        let path = self.ledger("journal.jsonl");
        match self.opened().as_ref() {
            Some(open) => open.journal.set_len(0).map_err(|it| io_at(&path, it)),
            None => Err(SnapshotError::NotBegun { path: path.display().to_string() }),
        }
    }

    /// Forgets the journal of a crawl that is finished, and gives the lock back; returns the bytes
    /// of its edition's manifest.
    ///
    /// # Errors
    /// When the files cannot be read or removed.
    pub fn drop_journal(&self, edition: &str) -> Result<Vec<u8>, SnapshotError> {
        let path = self.root.join("editions").join(edition).join("manifest.json");
        let manifest = fs::read(&path).map_err(|it| io_at(&path, it))?;
        self.remove_journal()?;
        Ok(manifest)
    }

    fn remove_journal(&self) -> Result<(), SnapshotError> {
        let journal = self.ledger("journal.jsonl");
        self.close();
        fs::remove_file(&journal).or_else(fine_if_missing).map_err(|it| io_at(&journal, it))
    }

    /// Gives the lock back and leaves the journal for the next crawl.
    pub fn leave(&self) {
        self.close();
    }

    /// Finished crawls, oldest first.
    ///
    /// # Errors
    /// When the list cannot be read.
    pub fn crawls(&self) -> Result<Vec<CrawlLine>, SnapshotError> {
        let path = self.ledger("crawls.jsonl");
        whole_lines(&path)?.iter().map(|it| parse_json(&path, it.as_bytes())).collect()
    }

    /// The edition a name stands for: `latest`, `previous` (the last one that differs), a whole
    /// name, or the start of one.
    ///
    /// # Errors
    /// When there is none, or more than one.
    pub fn edition(&self, wanted: &str) -> Result<String, SnapshotError> {
        let mut known: Vec<String> = Vec::new();
        for line in self.crawls()? {
            known.retain(|it| *it != line.edition);
            known.push(line.edition);
        }
        let mut matching = known.iter().filter(|it| it.starts_with(wanted));
        let found = match wanted {
            "latest" => known.last(),
            "previous" => known.len().checked_sub(2).and_then(|it| known.get(it)),
            _ => matching.next().filter(|_| matching.next().is_none() && !wanted.is_empty()),
        };
        found.cloned().ok_or_else(|| SnapshotError::NoEdition {
            source_id: self.source.clone(),
            wanted: wanted.to_owned(),
            known: if known.is_empty() { "none".to_owned() } else { known.join(", ") },
        })
    }

    /// The edition that stood at `time`.
    ///
    /// # Errors
    /// When there was none yet.
    pub fn edition_as_of(&self, time: Timestamp) -> Result<String, SnapshotError> {
        let crawls = self.crawls()?;
        let last = crawls.iter().rfind(|it| it.finished <= time);
        let shown = |it: Timestamp| it.strftime("%Y-%m-%d %H:%M:%S UTC");
        last.map(|it| it.edition.clone()).ok_or_else(|| SnapshotError::NoEdition {
            source_id: self.source.clone(),
            wanted: format!("as of {}", shown(time)),
            known: crawls.first().map_or_else(
                || "none".to_owned(),
                |it| format!("the first of {}", shown(it.finished)),
            ),
        })
    }

    /// The content of an edition.
    ///
    /// # Errors
    /// When it is missing or of another version.
    pub fn manifest(&self, edition: &str) -> Result<Manifest, SnapshotError> {
        let path = self.root.join("editions").join(edition).join("manifest.json");
        let manifest: Manifest = read_json(&path)?;
        if manifest.format != MANIFEST_FORMAT {
            return Err(other_format(&path, &manifest.format, MANIFEST_FORMAT));
        }
        Ok(manifest)
    }

    /// The crawl that first made an edition.
    ///
    /// # Errors
    /// When it is missing or of another version.
    pub fn crawl_of(&self, edition: &str) -> Result<CrawlRecord, SnapshotError> {
        self.read_crawl(&self.root.join("editions").join(edition).join("crawl.json"))
    }

    /// The last finished crawl; `None` before the first.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn last_crawl(&self) -> Result<Option<CrawlRecord>, SnapshotError> {
        let path = self.ledger("last_crawl.json");
        if path.exists() { self.read_crawl(&path).map(Some) } else { Ok(None) }
    }

    /// What is last known of each page; `None` before the first crawl.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn baseline(&self) -> Result<Option<Baseline>, SnapshotError> {
        read_json_if_there(&self.ledger("baseline.json"))
    }

    fn read_crawl(&self, path: &Path) -> Result<CrawlRecord, SnapshotError> {
        let record: CrawlRecord = read_json(path)?;
        if record.format != CRAWL_FORMAT {
            return Err(other_format(path, &record.format, CRAWL_FORMAT));
        }
        Ok(record)
    }

    fn ledger(&self, name: &str) -> PathBuf {
        self.root.join("ledger").join(name)
    }

    fn opened(&self) -> MutexGuard<'_, Option<Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lock belongs to the system, so that a dead holder loses it; its text says who that was.
    fn take_lock(&self) -> Result<(File, Option<String>), SnapshotError> {
        let path = self.ledger("lock");
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&path)
            .map_err(|it| io_at(&path, it))?;
        let mut holder = String::new();
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                // Who holds it is good to know and no more.
                let _ = file.read_to_string(&mut holder);
                let holder =
                    if holder.trim().is_empty() { "another process" } else { holder.trim() };
                return Err(SnapshotError::Held {
                    path: path.display().to_string(),
                    holder: holder.to_owned(),
                });
            }
            Err(TryLockError::Error(cause)) => return Err(io_at(&path, cause)),
        }
        file.read_to_string(&mut holder).map_err(|it| io_at(&path, it))?;
        let dead = Some(holder.trim().to_owned()).filter(|it| !it.is_empty());
        let write = |file: &mut File| {
            file.set_len(0)?;
            file.rewind()?;
            writeln!(file, "process {}", std::process::id())?;
            file.sync_data()
        };
        write(&mut file).map_err(|it| io_at(&path, it))?;
        Ok((file, dead))
    }

    fn close(&self) {
        if let Some(open) = self.opened().take() {
            // An empty lock file says that its holder ended well.
            let _ = open.lock.set_len(0);
            let _ = open.lock.unlock();
        }
    }

    fn append(
        &self,
        name: &str,
        line: &str,
        file: impl Fn(&mut Open) -> &mut File,
    ) -> Result<(), SnapshotError> {
        let path = self.ledger(name);
        let mut open = self.opened();
        let Some(open) = open.as_mut() else {
            return Err(SnapshotError::NotBegun { path: path.display().to_string() });
        };
        append_line(&path, file(open), line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_crawl_of_a_source_is_refused_and_a_dead_ones_lock_is_taken_over() {
        let dir = tempfile::tempdir().unwrap();
        let store = SnapshotStore::new(dir.path(), "harbour");
        assert_eq!(store.begin().unwrap(), Begun::default());
        let second = SnapshotStore::new(dir.path(), "harbour");
        assert!(matches!(second.begin(), Err(SnapshotError::Held { .. })));
        store.leave();
        assert_eq!(second.begin().unwrap().taken_over_from, None);
        second.leave();
        // A process that died leaves its name and no lock.
        fs::write(dir.path().join("harbour/ledger/lock"), "process 4000000000\n").unwrap();
        let begun = store.begin().unwrap();
        assert_eq!(begun.taken_over_from.as_deref(), Some("process 4000000000"));
    }

    #[test]
    fn a_line_cut_by_a_crash_is_left_out_and_does_not_spoil_the_next() {
        let dir = tempfile::tempdir().unwrap();
        let store = SnapshotStore::new(dir.path(), "harbour");
        store.begin().unwrap();
        store.note("{\"a\":1}").unwrap();
        store.leave();
        let journal = dir.path().join("harbour/ledger/journal.jsonl");
        let mut text = fs::read_to_string(&journal).unwrap();
        text.push_str("{\"b\":");
        fs::write(&journal, text).unwrap();
        assert_eq!(store.begin().unwrap().journal, ["{\"a\":1}"]);
        store.note("{\"c\":3}").unwrap();
        store.leave();
        assert_eq!(store.begin().unwrap().journal, ["{\"a\":1}", "{\"c\":3}"]);
    }
}
