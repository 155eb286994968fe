//! A new project in a folder: settings, an example source, the folders; never overwrites a file.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

const CONFIG: &str = include_str!("starter/countersign.toml");
const EXAMPLE: &str = include_str!("starter/example.toml");
const IGNORE: &str = include_str!("starter/gitignore");

/// The folders of a project. Each but `sources` has one writer in code, and none of them is edited.
const FOLDERS: [&str; 4] = ["sources", "snapshots", "extracted", "review"];

/// What was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct InitReport {
    /// Files written, relative to the folder.
    pub written: Vec<String>,
    /// Files that were there and were left as they are.
    pub kept: Vec<String>,
}

/// Why no project was made.
#[derive(Debug, thiserror::Error)]
pub enum InitError {
    #[error(
        "expected a folder without a project, found {}; nothing was changed. Name another folder, \
         or take them away first",
        .found.join(", ")
    )]
    AlreadyThere { found: Vec<String> },
    #[error("expected a folder at {path}, found a file; name another place")]
    NotAFolder { path: PathBuf },
    #[error("cannot write {path}: {cause}")]
    Unwritable { path: PathBuf, cause: io::Error },
    #[error("{path} does not hold what was written to it; check the disk")]
    NotReadBack { path: PathBuf },
}

/// Makes a project in `dir`, which is made where it is not there.
///
/// # Errors
/// When there is a project already, or the folder cannot be written to.
pub fn init_project(dir: &Path) -> Result<InitReport, InitError> {
    if dir.exists() && !dir.is_dir() {
        return Err(InitError::NotAFolder { path: dir.to_owned() });
    }
    let found = already_there(dir);
    if !found.is_empty() {
        return Err(InitError::AlreadyThere { found });
    }
    for folder in FOLDERS {
        let path = dir.join(folder);
        fs::create_dir_all(&path).map_err(|cause| InitError::Unwritable { path, cause })?;
    }
    let mut report = InitReport::default();
    for (name, text) in
        [("countersign.toml", CONFIG), ("sources/example.toml", EXAMPLE), (".gitignore", IGNORE)]
    {
        let path = dir.join(name);
        // A folder under version control often has one; everything else was looked for above.
        if name == ".gitignore" && path.exists() {
            report.kept.push(name.to_owned());
            continue;
        }
        write_new(&path, text)?;
        report.written.push(name.to_owned());
    }
    Ok(report)
}

/// What a project would be, ordered.
fn already_there(dir: &Path) -> Vec<String> {
    let mut found = Vec::new();
    if dir.join("countersign.toml").exists() {
        found.push("countersign.toml".to_owned());
    }
    for entry in fs::read_dir(dir.join("sources")).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|it| it.eq_ignore_ascii_case("toml")) {
            found.push(format!("sources/{}", entry.file_name().to_string_lossy()));
        }
    }
    found.sort();
    found
}

fn write_new(path: &Path, text: &str) -> Result<(), InitError> {
    let unwritable = |cause| InitError::Unwritable { path: path.to_owned(), cause };
    let mut file = File::create_new(path).map_err(unwritable)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(unwritable)?;
    if fs::read_to_string(path).map_err(unwritable)? == text {
        return Ok(());
    }
    Err(InitError::NotReadBack { path: path.to_owned() })
}
