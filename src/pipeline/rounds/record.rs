//! The record of asks and answers: what is answered is never asked again, and never changes.
//!
//! An answer on file must name its ask, and must still be the bytes it was when first used; a foreign
//! or edited one is refused by name, and nothing goes on with it.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::ask::canonical::{RecordError, canonical_json, hex_sha256, read_answer};
use crate::ask::compose::OpenAsk;
use crate::llm::record::{AnswerFiles, FolderError};
use crate::model::ask::{Answer, Step};
use crate::store::ledger::{AnswerRecord, Ledger, LedgerError};

/// The answer folder together with the ledger's memory of it.
#[derive(Debug)]
pub struct Record<'a> {
    folder: &'a dyn AnswerFiles,
    ledger: &'a Mutex<Box<dyn Ledger>>,
    run: &'a str,
    /// Answers met in this run and not yet noted in the ledger.
    fresh: Mutex<BTreeMap<String, AnswerRecord>>,
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
    #[error("the ask cannot be written: {0}")]
    Unwritable(#[from] serde_json::Error),
}

impl<'a> Record<'a> {
    /// The record of the project whose asks are in `folder`, as used by run `run`.
    pub fn new(
        folder: &'a dyn AnswerFiles,
        ledger: &'a Mutex<Box<dyn Ledger>>,
        run: &'a str,
    ) -> Self {
        Self { folder, ledger, run, fresh: Mutex::default() }
    }

    /// The answer on file, `None` where there is none yet.
    ///
    /// # Errors
    /// When there is one and it may not be used.
    pub fn recall(&self, digest: &str, step: Step) -> Result<Option<Answer>, AnswerRefused> {
        let Some(text) = self.folder.read_answer(digest)? else { return Ok(None) };
        let path = || self.folder.answer_path(digest).display().to_string();
        let answer = read_answer(&text, digest)
            .map_err(|cause| AnswerRefused::Unusable { path: path(), cause })?;
        let now = hex_sha256(text.as_bytes());
        let used = held(self.ledger).answer_digest(digest)?;
        match used {
            Some(used) if used != now => {
                return Err(AnswerRefused::Edited { path: path(), used, now });
            }
            Some(_) => {}
            None => {
                held(&self.fresh)
                    .entry(digest.to_owned())
                    .or_insert_with(|| self.noted((digest, step), now, &answer, false));
            }
        }
        Ok(Some(answer))
    }

    /// Puts the ask on file, so that somebody else can answer it. Returns what was written.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn file_ask(&self, open: &OpenAsk) -> Result<String, AnswerRefused> {
        let text = pretty(&canonical_json(&open.ask)?)?;
        self.folder.write_ask(&open.digest, &text)?;
        Ok(text)
    }

    /// Puts the answer on file before anything is made of it.
    ///
    /// # Errors
    /// When it cannot be written, or another answer is already there.
    pub fn keep(&self, digest: &str, step: Step, answer: &Answer) -> Result<(), AnswerRefused> {
        let text = answer_text(answer)?;
        self.folder.write_answer(digest, &text)?;
        let record = self.noted((digest, step), hex_sha256(text.as_bytes()), answer, true);
        if answer.usage.is_some() {
            // It may have been paid for: noted now, whatever becomes of the run.
            held(self.ledger).record_answers(&[record])?;
        } else {
            held(&self.fresh).insert(digest.to_owned(), record);
        }
        Ok(())
    }

    /// Notes everything met since the last call in the ledger, in one transaction.
    ///
    /// # Errors
    /// When the ledger refuses.
    pub fn flush(&self) -> Result<(), LedgerError> {
        let fresh = std::mem::take(&mut *held(&self.fresh));
        if fresh.is_empty() {
            return Ok(());
        }
        held(self.ledger).record_answers(&fresh.into_values().collect::<Vec<_>>())
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

/// The value behind a mutex; a holder that panicked has already failed the run.
pub fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An answer as it stands in its file.
///
/// # Errors
/// When it cannot be written as JSON, which no text makes happen.
pub fn answer_text(answer: &Answer) -> Result<String, serde_json::Error> {
    pretty(&canonical_json(answer)?)
}

/// The same JSON, indented for people; the digest counts the canonical form, not the layout.
fn pretty(canonical: &str) -> Result<String, serde_json::Error> {
    let value: serde_json::Value = serde_json::from_str(canonical)?;
    Ok(serde_json::to_string_pretty(&value)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::canonical::ANSWER_FORMAT;
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

    #[test]
    fn a_foreign_and_an_edited_answer_are_refused_by_name() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("sources")).unwrap();
        let project = ProjectPaths::find(dir.path()).unwrap();
        let ledger = Mutex::new(open_ledger(&project, "2026-01-05T00:00:00Z", "u").unwrap());
        let folder = answer_files(&project);
        let record = Record::new(&*folder, &ledger, "r1");
        let digest = "ab".repeat(32);
        assert_eq!(record.recall(&digest, Step::Extract).unwrap(), None);
        record.keep(&digest, Step::Extract, &answer(&digest, r#"{"rows":[]}"#)).unwrap();
        record.flush().unwrap();
        assert!(record.recall(&digest, Step::Extract).unwrap().is_some());

        let path = folder.answer_path(&digest);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("rows", "Rows")).unwrap();
        let refused = record.recall(&digest, Step::Extract).unwrap_err();
        assert!(matches!(refused, AnswerRefused::Edited { .. }));
        assert!(refused.to_string().contains(&digest), "{refused}");

        std::fs::write(&path, text.replace(&digest, &"cd".repeat(32))).unwrap();
        let refused = record.recall(&digest, Step::Extract).unwrap_err();
        assert!(matches!(
            refused,
            AnswerRefused::Unusable { cause: RecordError::Foreign { .. }, .. }
        ));
    }
}
