//! A project on disk: where its files are, who it is, and its ledger.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::pipeline::written::{WriteError, write_checked};
use crate::store::ledger::LedgerError;

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

    pub fn asks(&self) -> PathBuf {
        self.root.join("asks")
    }

    /// What is known of batches at providers.
    pub fn batches(&self) -> PathBuf {
        self.asks().join("batches")
    }

    /// The project's identity, kept in a file of its own so that a lost ledger can be rebuilt and a
    /// wrong one be told.
    fn identity(&self) -> PathBuf {
        self.root.join(".countersign-project")
    }

    /// The project's UUID, `None` before its first run.
    ///
    /// # Errors
    /// When the file is there and cannot be read.
    pub fn read_identity(&self) -> Result<Option<String>, ProjectError> {
        let path = self.identity();
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Some(text.trim().to_owned())),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(ProjectError::Io { path: path.display().to_string(), source }),
        }
    }

    /// Notes the project's UUID.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write_identity(&self, uuid: &str) -> Result<(), ProjectError> {
        write_checked(&self.identity(), format!("{uuid}\n").as_bytes())?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ordinary_folder_is_no_project() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(ProjectPaths::find(dir.path()), Err(ProjectError::NotAProject { .. })));
    }
}
