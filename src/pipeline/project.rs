//! A project on disk: where its files are, who it is, and its ledger.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::llm::folder::AnswerFolder;
use crate::pipeline::written::{WriteError, write_checked};
use crate::store::ledger::LedgerError;
use crate::store::sqlite::SqliteLedger;

/// The folders and files of a project, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectPaths {
    root: PathBuf,
}

/// A project that cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    #[error(
        "{path}: no project here (neither sources/ nor countersign.toml); run `countersign init {path}` or name the project with --project"
    )]
    NotAProject { path: String },
    #[error("{path}: {source}")]
    Io { path: String, source: io::Error },
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

impl ProjectPaths {
    /// # Errors
    /// When `root` is no project's folder.
    pub fn find(root: &Path) -> Result<Self, ProjectError> {
        if root.join("countersign.toml").is_file() || root.join("sources").is_dir() {
            return Ok(Self { root: root.to_owned() });
        }
        Err(ProjectError::NotAProject { path: root.display().to_string() })
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn snapshots(&self) -> PathBuf {
        self.root.join("snapshots")
    }

    pub fn extracted(&self) -> PathBuf {
        self.root.join("extracted")
    }

    pub fn review(&self) -> PathBuf {
        self.root.join("review")
    }

    pub fn ledger(&self) -> PathBuf {
        self.root.join("ledger.sqlite")
    }

    pub fn asks(&self) -> AnswerFolder {
        AnswerFolder::new(self.root.join("asks"))
    }

    /// The project's identity, kept in a file of its own so that a lost ledger can be rebuilt and a
    /// wrong one be told.
    fn identity(&self) -> PathBuf {
        self.root.join(".countersign-project")
    }

    /// Opens the ledger, or makes it at the first run. `fresh_uuid` is used only then.
    ///
    /// # Errors
    /// When the ledger is another project's, newer, foreign, or gone though there is a record of it.
    pub fn open_ledger(&self, now: &str, fresh_uuid: &str) -> Result<SqliteLedger, ProjectError> {
        let known = self.read_identity()?;
        let path = self.ledger();
        if path.exists() {
            let ledger = SqliteLedger::open(&path, known.as_deref())?;
            self.write_identity(ledger.project_uuid())?;
            return Ok(ledger);
        }
        let uuid = known.unwrap_or_else(|| fresh_uuid.to_owned());
        self.write_identity(&uuid)?;
        Ok(SqliteLedger::create(&path, &uuid, now)?)
    }

    /// Opens the ledger for reading commands: a missing one is an error, not an empty one.
    ///
    /// # Errors
    /// As [`SqliteLedger::open`].
    pub fn existing_ledger(&self) -> Result<SqliteLedger, ProjectError> {
        Ok(SqliteLedger::open(&self.ledger(), self.read_identity()?.as_deref())?)
    }

    fn read_identity(&self) -> Result<Option<String>, ProjectError> {
        let path = self.identity();
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Some(text.trim().to_owned())),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(ProjectError::Io { path: path.display().to_string(), source }),
        }
    }

    fn write_identity(&self, uuid: &str) -> Result<(), ProjectError> {
        write_checked(&self.identity(), format!("{uuid}\n").as_bytes())?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ledger_of_another_project_is_refused_and_a_lost_one_keeps_its_identity() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("sources")).unwrap();
        let project = ProjectPaths::find(dir.path()).unwrap();
        drop(project.open_ledger("2026-01-05T00:00:00Z", "uuid-a").unwrap());
        drop(project.open_ledger("2026-01-05T00:00:00Z", "uuid-b").unwrap());
        assert_eq!(project.existing_ledger().unwrap().project_uuid(), "uuid-a");
        for file in ["ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm"] {
            let _ = fs::remove_file(dir.path().join(file));
        }
        assert!(matches!(
            project.existing_ledger(),
            Err(ProjectError::Ledger(LedgerError::Missing { .. }))
        ));
        assert_eq!(project.open_ledger("", "uuid-c").unwrap().project_uuid(), "uuid-a");
        fs::write(project.identity(), "uuid-z\n").unwrap();
        assert!(matches!(
            project.existing_ledger(),
            Err(ProjectError::Ledger(LedgerError::WrongProject { .. }))
        ));
    }

    #[test]
    fn an_ordinary_folder_is_no_project() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(ProjectPaths::find(dir.path()), Err(ProjectError::NotAProject { .. })));
    }
}
