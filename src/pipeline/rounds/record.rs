//! The record of asks and answers: what is answered is never asked again, and never changes.
//!
//! An answer on file must name its ask, and must still be the bytes it was when first used; a foreign
//! or edited one is refused by name, and nothing goes on with it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use crate::ask::canonical::{RecordError, hex_sha256, pretty_json, read_answer};
use crate::ask::compose::OpenAsk;
use crate::llm::record::{AnswerFiles, FolderError};
use crate::model::ask::{Answer, Step};
use crate::pipeline::held::held;
use crate::pipeline::rounds::clerk::{Clerk, ClerkError, Entry, SharedLedger};
use crate::store::ledger::{AnswerRecord, LedgerError};

/// The answer folder together with the ledger's memory of it, as one page of a run uses them.
#[derive(Debug)]
pub struct Record<'a> {
    folder: &'a Arc<dyn AnswerFiles>,
    ledger: &'a SharedLedger,
    clerk: &'a Clerk,
    run: &'a str,
    /// Answers found on file and not yet noted in the ledger.
    fresh: Mutex<BTreeMap<String, AnswerRecord>>,
}

/// What the record has for an ask.
#[derive(Clone, Debug, PartialEq)]
pub enum OnFile {
    Answer(Answer),
    /// No answer; the ask itself is on file now, as this text, so that somebody can answer it.
    Ask(String),
}

/// Why an answer on file is refused.
#[derive(Debug, thiserror::Error)]
pub enum AnswerRefused {
    #[error("{path}: {cause}; put the right answer there or remove the file")]
    Unusable { path: String, cause: RecordError },
    #[error(
        "{path}: was edited after a run had used it (used: {used}, now: {now}); put the old file back, or remove it and the rows it gave"
    )]
    Edited { path: String, used: String, now: String },
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    #[error(transparent)]
    Clerk(#[from] ClerkError),
    #[error("the ask cannot be written: {0}")]
    Unwritable(#[from] serde_json::Error),
}

impl<'a> Record<'a> {
    /// The record of the project whose asks are in `folder`, as used by run `run`.
    pub fn new(
        (folder, ledger): (&'a Arc<dyn AnswerFiles>, &'a SharedLedger),
        clerk: &'a Clerk,
        run: &'a str,
    ) -> Self {
        Self { folder, ledger, clerk, run, fresh: Mutex::default() }
    }

    /// The answer on file; where there is none, the ask is put there instead. Reads and writes on a
    /// thread that may wait for the disk.
    ///
    /// # Errors
    /// When there is an answer and it may not be used, or the ask cannot be written.
    pub async fn find(&self, open: &OpenAsk) -> Result<OnFile, AnswerRefused> {
        let (folder, ledger) = (Arc::clone(self.folder), Arc::clone(self.ledger));
        let (asked, step) = (open.clone(), open.ask.step);
        let looked = tokio::task::spawn_blocking(move || look(&*folder, &ledger, &asked));
        Ok(match looked.await.map_err(|_| ClerkError::Ended)?? {
            Looked::Ask(text) => OnFile::Ask(text),
            Looked::Answer { answer, file, is_noted } => {
                if !is_noted {
                    let record = self.noted((&open.digest, step), file, &answer, false);
                    held(&self.fresh).entry(open.digest.clone()).or_insert(record);
                }
                OnFile::Answer(answer)
            }
        })
    }

    /// Puts the answer on record before anything is made of it. It is on its way there before this
    /// waits for anything, and arrives though nobody wait.
    ///
    /// # Errors
    /// When it cannot be written, or another answer is already there.
    pub async fn keep(
        &self,
        digest: &str,
        step: Step,
        answer: &Answer,
    ) -> Result<(), AnswerRefused> {
        let text = answer_text(answer)?;
        let file = hex_sha256(text.as_bytes());
        let record = self.noted((digest, step), file, answer, true);
        Ok(self.clerk.hand_in(Entry::Answer { text, record }).await?)
    }

    /// Notes the answers that were found on file in the ledger.
    ///
    /// # Errors
    /// When the ledger refuses.
    pub async fn note_found(&self) -> Result<(), AnswerRefused> {
        let fresh = std::mem::take(&mut *held(&self.fresh));
        if fresh.is_empty() {
            return Ok(());
        }
        Ok(self.clerk.hand_in(Entry::Found(fresh.into_values().collect())).await?)
    }

    fn noted(
        &self,
        (digest, step): (&str, Step),
        file: String,
        answer: &Answer,
        is_live: bool,
    ) -> AnswerRecord {
        AnswerRecord {
            ask: digest.to_owned(),
            digest: file,
            answered_by: answer.answered_by.clone(),
            run: self.run.to_owned(),
            step: Some(step),
            is_live,
            usage: answer.usage,
        }
    }
}

enum Looked {
    Ask(String),
    Answer {
        answer: Answer,
        /// SHA-256 of its file.
        file: String,
        is_noted: bool,
    },
}

fn look(
    folder: &dyn AnswerFiles,
    ledger: &SharedLedger,
    open: &OpenAsk,
) -> Result<Looked, AnswerRefused> {
    let digest = open.digest.as_str();
    let Some(text) = folder.read_answer(digest)? else {
        let text = pretty_json(&open.ask)?;
        folder.write_ask(digest, &text)?;
        return Ok(Looked::Ask(text));
    };
    let shown = |path: PathBuf| path.display().to_string();
    let path = || shown(folder.answer_path(digest));
    let answer = read_answer(&text, digest)
        .map_err(|cause| AnswerRefused::Unusable { path: path(), cause })?;
    let now = hex_sha256(text.as_bytes());
    let used = held(ledger).answer_digest(digest)?;
    match used {
        Some(used) if used != now => Err(AnswerRefused::Edited { path: path(), used, now }),
        used => Ok(Looked::Answer { answer, file: now, is_noted: used.is_some() }),
    }
}

/// An answer as it stands in its file.
///
/// # Errors
/// When it cannot be written as JSON, which no text makes happen.
pub fn answer_text(answer: &Answer) -> Result<String, serde_json::Error> {
    pretty_json(answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::canonical::{ANSWER_FORMAT, ask_digest};
    use crate::model::ask::{Ask, ReaderId};
    use crate::pipeline::project::ProjectPaths;
    use crate::pipeline::wiring::{answer_files, open_ledger};

    fn answer(digest: &str, reply: &str) -> Answer {
        Answer {
            format: ANSWER_FORMAT.to_owned(),
            ask: digest.to_owned(),
            answered_by: "某人".to_owned(),
            reply: reply.to_owned(),
            finish: String::new(),
            usage: None,
        }
    }

    fn open() -> OpenAsk {
        let ask = Ask {
            format: "countersign.ask/1".to_owned(),
            step: Step::Extract,
            attempt: 1,
            reader: ReaderId { name: "m".to_owned(), settings: BTreeMap::new() },
            language: "en".to_owned(),
            instructions: String::new(),
            fields: Vec::new(),
            page_title: "渡輪".to_owned(),
            heading_path: Vec::new(),
            text: "年滿六十五歲".to_owned(),
            rows: Vec::new(),
            reasons: Vec::new(),
        };
        OpenAsk { digest: ask_digest(&ask).unwrap(), ask }
    }

    #[tokio::test]
    async fn a_foreign_and_an_edited_answer_are_refused_by_name() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("sources")).unwrap();
        let project = ProjectPaths::find(dir.path()).unwrap();
        let ledger = open_ledger(&project, "2026-01-05T00:00:00Z", "u").unwrap();
        let ledger: SharedLedger = Arc::new(Mutex::new(ledger));
        let folder: Arc<dyn AnswerFiles> = Arc::from(answer_files(&project));
        let clerk = Clerk::start(Arc::clone(&folder), Arc::clone(&ledger)).unwrap();
        let record = Record::new((&folder, &ledger), &clerk, "r1");
        let open = open();
        let digest = open.digest.clone();
        let OnFile::Ask(filed) = record.find(&open).await.unwrap() else { panic!("no answer yet") };
        assert_eq!(folder.read_ask(&digest).unwrap(), Some(filed));
        let given = answer(&digest, r#"{"rows":[]}"#);
        record.keep(&digest, Step::Extract, &given).await.unwrap();
        assert_eq!(record.find(&open).await.unwrap(), OnFile::Answer(given));

        let path = folder.answer_path(&digest);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("rows", "Rows")).unwrap();
        let refused = record.find(&open).await.unwrap_err();
        assert!(matches!(refused, AnswerRefused::Edited { .. }));
        assert!(refused.to_string().contains(&digest), "{refused}");

        std::fs::write(&path, text.replace(&digest, &"cd".repeat(32))).unwrap();
        let refused = record.find(&open).await.unwrap_err();
        assert!(matches!(
            refused,
            AnswerRefused::Unusable { cause: RecordError::Foreign { .. }, .. }
        ));
    }
}
