//! The answer folder: `asks/<2 digits>/<digest>.ask.json` and `….answer.json`.
//!
//! Names and bytes only; whether the content is right is for `ask::canonical` to say. A file is
//! written beside and renamed, so a killed process never leaves half an answer.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::llm::answerer::{AnswerFuture, Answerer, Question};
use crate::llm::record::{AnswerFiles, FolderError};

/// The folder of asks and answers of one project.
#[derive(Clone, Debug)]
pub struct AnswerFolder {
    root: PathBuf,
}

impl AnswerFolder {
    /// `root` is the project's `asks/`; it is made when first written to.
    pub fn new(root: PathBuf) -> Self {
        Self { root }
    }

    fn shard(&self, digest: &str) -> PathBuf {
        self.root.join(digest.get(..2).unwrap_or("__"))
    }
}

impl AnswerFiles for AnswerFolder {
    fn ask_path(&self, digest: &str) -> PathBuf {
        self.shard(digest).join(format!("{digest}.ask.json"))
    }

    fn answer_path(&self, digest: &str) -> PathBuf {
        self.shard(digest).join(format!("{digest}.answer.json"))
    }

    fn read_ask(&self, digest: &str) -> Result<Option<String>, FolderError> {
        read_if_there(&self.ask_path(digest))
    }

    fn read_answer(&self, digest: &str) -> Result<Option<String>, FolderError> {
        read_if_there(&self.answer_path(digest))
    }

    fn write_ask(&self, digest: &str, json: &str) -> Result<(), FolderError> {
        // Not forced to the disk: an ask can be made again at any time, and one that a power cut
        // left damaged is written anew.
        let path = self.ask_path(digest);
        match fs::read(&path) {
            Ok(same) if same == json.as_bytes() => Ok(()),
            _ => write_renamed(&path, json, Durable::No),
        }
    }

    fn write_answer(&self, digest: &str, json: &str) -> Result<(), FolderError> {
        let path = self.answer_path(digest);
        match self.read_answer(digest)? {
            None => write_renamed(&path, json, Durable::Yes),
            Some(same) if same == json => Ok(()),
            Some(_) => Err(error(&path, io::ErrorKind::AlreadyExists.into())),
        }
    }

    fn asks(&self) -> Result<Vec<String>, FolderError> {
        let mut digests = Vec::new();
        for shard in list(&self.root)? {
            for file in list(&shard)? {
                let name = file.file_name().and_then(|it| it.to_str()).unwrap_or_default();
                if let Some(digest) = name.strip_suffix(".ask.json") {
                    digests.push(digest.to_owned());
                }
            }
        }
        digests.sort();
        Ok(digests)
    }
}

/// The answerer for people and other programs: it never answers itself, so an ask without a stored
/// answer waits.
#[derive(Clone, Copy, Debug, Default)]
pub struct FilesAnswerer;

impl Answerer for FilesAnswerer {
    fn name(&self) -> String {
        "files".to_owned()
    }

    fn answer<'a>(&'a self, _question: Question<'a>) -> AnswerFuture<'a> {
        Box::pin(std::future::ready(Ok(None)))
    }
}

fn read_if_there(path: &Path) -> Result<Option<String>, FolderError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(error(path, cause)),
    }
}

/// Whether a file must survive a power cut the moment it is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Durable {
    Yes,
    No,
}

fn write_renamed(path: &Path, text: &str, durable: Durable) -> Result<(), FolderError> {
    let beside = path.with_extension("json.tmp");
    let write = || {
        let mut file = fs::File::create(&beside)?;
        file.write_all(text.as_bytes())?;
        if durable == Durable::Yes {
            file.sync_data()?;
        }
        fs::rename(&beside, path)
    };
    // The folder is there for all but the first of its files.
    let written = write().or_else(|cause| match (cause.kind(), path.parent()) {
        (io::ErrorKind::NotFound, Some(parent)) => {
            fs::create_dir_all(parent)?;
            write()
        }
        _ => Err(cause),
    });
    written.map_err(|cause| error(path, cause))
}

fn list(dir: &Path) -> Result<Vec<PathBuf>, FolderError> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(cause)
            if matches!(cause.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            return Ok(Vec::new());
        }
        Err(cause) => return Err(error(dir, cause)),
    };
    let mut paths = entries
        .map(|entry| entry.map(|it| it.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|cause| error(dir, cause))?;
    paths.sort();
    Ok(paths)
}

fn error(path: &Path, source: io::Error) -> FolderError {
    FolderError { path: path.display().to_string(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_never_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        let folder = AnswerFolder::new(dir.path().join("asks"));
        let digest = "ab".repeat(32);
        assert_eq!(folder.read_answer(&digest).unwrap(), None);
        folder.write_answer(&digest, "甲").unwrap();
        folder.write_answer(&digest, "甲").unwrap();
        assert!(folder.write_answer(&digest, "乙").is_err());
        assert_eq!(folder.read_answer(&digest).unwrap().as_deref(), Some("甲"));
    }

    #[test]
    fn a_damaged_ask_is_written_anew_and_a_whole_one_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let folder = AnswerFolder::new(dir.path().join("asks"));
        let digest = "cd".repeat(32);
        folder.write_ask(&digest, "問").unwrap();
        let path = folder.ask_path(&digest);
        let time = fs::metadata(&path).unwrap().modified().unwrap();
        folder.write_ask(&digest, "問").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), time);
        fs::write(&path, "").unwrap();
        folder.write_ask(&digest, "問").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "問");
    }

    #[test]
    fn stored_asks_are_listed_in_order() {
        let dir = tempfile::tempdir().unwrap();
        let folder = AnswerFolder::new(dir.path().join("asks"));
        assert!(folder.asks().unwrap().is_empty());
        for digest in ["ff".repeat(32), "01".repeat(32)] {
            folder.write_ask(&digest, "{}").unwrap();
        }
        assert_eq!(folder.asks().unwrap(), ["01".repeat(32), "ff".repeat(32)]);
    }
}
