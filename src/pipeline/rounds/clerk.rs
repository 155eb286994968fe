//! The clerk of a run: puts answers and pages on record in groups, on a thread of its own.
//!
//! What is handed in is acknowledged only when its files are on the disk and the ledger has noted it;
//! nothing is made of an answer before. Whatever comes while a group is written is the next group.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, mpsc};
use std::thread::JoinHandle;

use tokio::sync::oneshot;

use crate::llm::record::{AnswerFiles, FolderError};
use crate::pipeline::held::held;
use crate::pipeline::written::{Beside, WriteError};
use crate::store::ledger::{
    AnswerRecord, Group, Ledger, LedgerError, PageRecord, RowIndex, StepRecord,
};

/// The project's memory, shared by all pages of a run.
pub type SharedLedger = Arc<Mutex<Box<dyn Ledger>>>;

/// Entries of one group at most.
const MOST: usize = 256;
/// Files of a group are forced to the disk side by side: the system then makes one journey of many.
const SIDE_BY_SIDE: usize = 8;

/// Something to be put on record.
#[derive(Debug)]
pub enum Entry {
    /// An answer as its file holds it, and the ledger's line.
    Answer { text: String, record: AnswerRecord },
    /// Answers that were on file already and that the ledger does not know.
    Found(Vec<AnswerRecord>),
    /// A page's files and lines, in the place of the old ones. Its files lie beside their places until
    /// the ledger has its lines, so that a run killed in between is finished by the next
    /// (`pipeline::page::unfinished`): the last file is the one whose digest the ledger has.
    Page {
        files: Vec<PageFile>,
        page: PageRecord,
        rows: Vec<RowIndex>,
        /// What is new on it, until it is shown.
        unshown: Option<StepRecord>,
    },
}

/// A file of a page's record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageFile {
    pub path: PathBuf,
    pub text: String,
    /// There is no file where there is no text.
    pub goes_when_empty: bool,
}

impl PageFile {
    /// Writes it beside its place. `None` where nothing stands there and nothing is to stand there.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_beside(&self) -> Result<Option<Beside>, WriteError> {
        let is_nothing = self.goes_when_empty && self.text.is_empty();
        let is_absent = |it: std::io::Error| it.kind() == std::io::ErrorKind::NotFound;
        if is_nothing && self.path.symlink_metadata().is_err_and(is_absent) {
            return Ok(None);
        }
        Beside::write(&self.path, self.text.as_bytes()).map(Some)
    }

    /// Puts what lies beside in its place.
    ///
    /// # Errors
    /// When it cannot be renamed, removed or read back.
    pub fn put_in_place(beside: Beside, goes_when_empty: bool) -> Result<(), WriteError> {
        if goes_when_empty && beside.is_empty() {
            beside.remove_both()
        } else {
            beside.put_in_place()
        }
    }
}

/// Why something could not be put on record.
#[derive(Debug, thiserror::Error)]
pub enum ClerkError {
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    #[error("the thread that writes the record cannot be started: {0}")]
    Start(std::io::Error),
    #[error("nothing is put on record any more: the run is ending")]
    Ended,
}

/// The clerk. Ends when it is dropped, with everything written that was handed in.
#[derive(Debug)]
pub struct Clerk {
    inbox: Mutex<Option<mpsc::Sender<Job>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug)]
struct Job {
    entry: Entry,
    told: oneshot::Sender<Result<(), ClerkError>>,
}

impl Clerk {
    /// Starts the thread that writes to this folder and this ledger.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(answers: Arc<dyn AnswerFiles>, ledger: SharedLedger) -> Result<Self, ClerkError> {
        let (sender, inbox) = mpsc::channel();
        let books = Books { answers, ledger };
        let thread = std::thread::Builder::new()
            .name("clerk".to_owned())
            .spawn(move || books.keep(&inbox))
            .map_err(ClerkError::Start)?;
        Ok(Self { inbox: Mutex::new(Some(sender)), thread: Mutex::new(Some(thread)) })
    }

    /// Hands an entry in before it returns; what it returns waits until the entry is on record. An
    /// entry that is handed in is written even where nobody waits any more.
    pub fn hand_in(&self, entry: Entry) -> impl Future<Output = Result<(), ClerkError>> + use<> {
        let (told, tells) = oneshot::channel();
        let inbox = held(&self.inbox);
        let is_taken = inbox.as_ref().is_some_and(|it| it.send(Job { entry, told }).is_ok());
        async move {
            if is_taken {
                tells.await.unwrap_or(Err(ClerkError::Ended))
            } else {
                Err(ClerkError::Ended)
            }
        }
    }

    /// Takes nothing any more and returns when everything that was handed in is on record.
    pub fn finish(&self) {
        drop(held(&self.inbox).take());
        if let Some(thread) = held(&self.thread).take() {
            // A thread that panicked has told nobody "on record", which fails the run already.
            let _ = thread.join();
        }
    }
}

impl Drop for Clerk {
    fn drop(&mut self) {
        self.finish();
    }
}

/// What the clerk writes to.
struct Books {
    answers: Arc<dyn AnswerFiles>,
    ledger: SharedLedger,
}

impl Books {
    fn keep(&self, inbox: &mpsc::Receiver<Job>) {
        while let Ok(first) = inbox.recv() {
            let mut group = vec![first];
            group.extend(inbox.try_iter().take(MOST - 1));
            self.put_on_record(group);
        }
    }

    /// Files first, then the ledger's lines in one transaction, then everybody is told.
    fn put_on_record(&self, group: Vec<Job>) {
        let filed = self.file(&group);
        let mut noted = Vec::with_capacity(group.len());
        for (job, filed) in group.into_iter().zip(filed) {
            match filed {
                Ok(beside) => noted.push((job, beside)),
                Err(error) => job.tell(Err(error)),
            }
        }
        let is_noted = self.note(noted.iter().map(|it| &it.0.entry)).is_ok();
        for (job, beside) in noted {
            // Of a group that the ledger refuses each is tried alone and learns its own fate.
            let told = if is_noted { Ok(()) } else { self.note(std::iter::once(&job.entry)) };
            let told = told.map_err(ClerkError::from).and_then(|()| Ok(place(&job.entry, beside)?));
            job.tell(told);
        }
    }

    fn file(&self, group: &[Job]) -> Vec<Result<Vec<Option<Beside>>, ClerkError>> {
        let one = |job: &Job| self.file_entry(&job.entry);
        let part = group.len().div_ceil(SIDE_BY_SIDE).max(1);
        let mut parts = group.chunks(part);
        let Some(first) = parts.next() else { return Vec::new() };
        std::thread::scope(|scope| {
            let others: Vec<_> = parts
                .map(|part| scope.spawn(move || part.iter().map(one).collect::<Vec<_>>()))
                .collect();
            let mut filed: Vec<_> = first.iter().map(one).collect();
            for other in others {
                match other.join() {
                    Ok(part) => filed.extend(part),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            filed
        })
    }

    /// Puts an answer in its place, and a page's files beside theirs.
    fn file_entry(&self, entry: &Entry) -> Result<Vec<Option<Beside>>, ClerkError> {
        match entry {
            Entry::Answer { text, record } => self.answers.write_answer(&record.ask, text)?,
            Entry::Found(_) => {}
            Entry::Page { files, .. } => {
                let beside = files.iter().map(PageFile::write_beside);
                return Ok(beside.collect::<Result<_, _>>()?);
            }
        }
        Ok(Vec::new())
    }

    fn note<'e>(&self, entries: impl Iterator<Item = &'e Entry>) -> Result<(), LedgerError> {
        let mut group = Group::default();
        for entry in entries {
            match entry {
                Entry::Answer { record, .. } => group.answers.push(record),
                Entry::Found(records) => group.answers.extend(records),
                Entry::Page { page, rows, unshown, .. } => {
                    group.pages.push((page, rows));
                    group.steps.extend(unshown);
                }
            }
        }
        held(&self.ledger).record_group(&group)
    }
}

fn place(entry: &Entry, beside: Vec<Option<Beside>>) -> Result<(), WriteError> {
    let Entry::Page { files, .. } = entry else { return Ok(()) };
    for (file, beside) in files.iter().zip(beside) {
        if let Some(beside) = beside {
            PageFile::put_in_place(beside, file.goes_when_empty)?;
        }
    }
    Ok(())
}

impl Job {
    /// Whoever no longer waits needs no telling.
    fn tell(self, outcome: Result<(), ClerkError>) {
        let _ = self.told.send(outcome);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::project::ProjectPaths;
    use crate::pipeline::wiring::{answer_files, open_ledger};

    fn answer(digest: &str, text: &str) -> Entry {
        let record = AnswerRecord {
            ask: digest.to_owned(),
            digest: format!("digest of {text}"),
            answered_by: "某人".to_owned(),
            run: "r1".to_owned(),
            step: None,
            is_live: true,
            usage: None,
        };
        Entry::Answer { text: text.to_owned(), record }
    }

    fn desk() -> (tempfile::TempDir, Arc<dyn AnswerFiles>, SharedLedger) {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("sources")).unwrap();
        let project = ProjectPaths::find(dir.path()).unwrap();
        let ledger = open_ledger(&project, "2026-01-05T00:00:00Z", "u").unwrap();
        let answers: Arc<dyn AnswerFiles> = Arc::from(answer_files(&project));
        (dir, answers, Arc::new(Mutex::new(ledger)))
    }

    fn digest(number: u32) -> String {
        format!("{number:064x}")
    }

    #[tokio::test]
    async fn whatever_is_acknowledged_is_on_file_and_in_the_ledger() {
        let (_dir, answers, ledger) = desk();
        let clerk = Clerk::start(Arc::clone(&answers), Arc::clone(&ledger)).unwrap();
        let waits: Vec<_> = (0..600)
            .map(|it| (digest(it), clerk.hand_in(answer(&digest(it), &format!("答{it}")))))
            .collect();
        for (at, (digest, on_record)) in waits.into_iter().enumerate() {
            on_record.await.unwrap();
            assert_eq!(answers.read_answer(&digest).unwrap().unwrap(), format!("答{at}"));
            assert!(held(&ledger).answer_digest(&digest).unwrap().is_some());
        }
    }

    #[tokio::test]
    async fn one_that_is_refused_is_told_so_and_the_others_of_its_group_are_kept() {
        let (_dir, answers, ledger) = desk();
        answers.write_answer(&digest(3), "舊").unwrap();
        // The ledger knows another answer to this one: the whole group is taken back, and tried singly.
        let Entry::Answer { record, .. } = answer(&digest(5), "別的") else { unreachable!() };
        held(&ledger).record_answers(&[record]).unwrap();
        let clerk = Clerk::start(Arc::clone(&answers), Arc::clone(&ledger)).unwrap();
        let guard = held(&ledger);
        let waits: Vec<_> =
            (0..20).map(|it| clerk.hand_in(answer(&digest(it), &format!("答{it}")))).collect();
        drop(guard);
        for (at, on_record) in waits.into_iter().enumerate() {
            match (at, on_record.await) {
                (3, Err(ClerkError::Folder(_))) | (5, Err(ClerkError::Ledger(_))) => {}
                (_, Ok(())) if at != 3 && at != 5 => {}
                (at, other) => panic!("{at}: {other:?}"),
            }
        }
        assert_eq!(answers.read_answer(&digest(3)).unwrap().as_deref(), Some("舊"));
    }

    #[tokio::test]
    async fn a_file_without_a_text_is_not_made_and_one_that_is_there_goes() {
        let (dir, answers, ledger) = desk();
        let clerk = Clerk::start(answers, ledger).unwrap();
        let path = dir.path().join("extracted/拒絕/page.jsonl");
        let page = |text: &str| Entry::Page {
            files: vec![PageFile {
                path: path.clone(),
                text: text.to_owned(),
                goes_when_empty: true,
            }],
            page: PageRecord {
                source: "s".to_owned(),
                url: "https://harbour.example/".to_owned(),
                basis: text.to_owned(),
                file: "page.jsonl".to_owned(),
                digest: text.to_owned(),
                counts: "{}".to_owned(),
            },
            rows: Vec::new(),
            unshown: None,
        };
        clerk.hand_in(page("")).await.unwrap();
        assert!(!path.parent().unwrap().exists());
        clerk.hand_in(page("列\n")).await.unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "列\n");
        clerk.hand_in(page("")).await.unwrap();
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 0);
    }

    #[tokio::test]
    async fn what_was_handed_in_is_written_though_nobody_waits_and_nothing_is_taken_after_the_end()
    {
        let (_dir, answers, ledger) = desk();
        let clerk = Clerk::start(Arc::clone(&answers), ledger).unwrap();
        for it in 0..50 {
            drop(clerk.hand_in(answer(&digest(it), "答")));
        }
        clerk.finish();
        assert!((0..50).all(|it| answers.read_answer(&digest(it)).unwrap().is_some()));
        let late = clerk.hand_in(answer(&digest(99), "答")).await;
        assert!(matches!(late, Err(ClerkError::Ended)));
        assert_eq!(answers.read_answer(&digest(99)).unwrap(), None);
    }
}
