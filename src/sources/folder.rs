//! The folder `sources/` of a project: every file read, every mistake of every file reported at once.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::model::source::Source;
use crate::sources::document::{MAX_BYTES, text_of};
use crate::sources::problem::{Problem, Problems};
use crate::sources::source_file::read_source;
use crate::sources::suggest::{listed, nearest};

/// Why there are no sources to work with.
#[derive(Debug, thiserror::Error)]
pub enum SourcesError {
    #[error("{0}")]
    Mistakes(#[from] Problems),
    #[error(
        "expected the folder {folder}, found none; is this the right project? \
         `countersign init DIR` makes a new one"
    )]
    NoFolder { folder: PathBuf },
    #[error(
        "expected at least one file <id>.toml in {folder}, found none; \
         `countersign init DIR` writes an example to start from"
    )]
    NoFiles { folder: PathBuf },
    #[error("cannot read {path}: {cause}")]
    Unreadable { path: PathBuf, cause: std::io::Error },
    #[error("expected one of the sources {known}, found `{name}`{hint}")]
    Unknown { name: String, known: String, hint: String },
}

/// Reads every `sources/*.toml` of a project, ordered by id. Files of other names, hidden files and
/// folders are left alone.
///
/// # Errors
/// All mistakes of all files together; or that there is nothing to read.
pub fn read_sources(project: &Path) -> Result<Vec<Source>, SourcesError> {
    let folder = project.join("sources");
    let unreadable = |path: &Path, cause| SourcesError::Unreadable { path: path.to_owned(), cause };
    if !folder.is_dir() {
        return Err(SourcesError::NoFolder { folder });
    }
    let mut files: BTreeMap<String, PathBuf> = BTreeMap::new();
    for entry in fs::read_dir(&folder).map_err(|cause| unreadable(&folder, cause))? {
        let path = entry.map_err(|cause| unreadable(&folder, cause))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_toml =
            Path::new(&name).extension().is_some_and(|it| it.eq_ignore_ascii_case("toml"));
        if is_toml && !name.starts_with('.') && path.is_file() {
            files.insert(name, path);
        }
    }
    if files.is_empty() {
        return Err(SourcesError::NoFiles { folder });
    }
    let mut sources = Vec::new();
    let mut problems = Vec::new();
    for (name, path) in &files {
        let len = fs::metadata(path).map_err(|cause| unreadable(path, cause))?.len();
        let shown = format!("sources/{name}");
        let bytes = if len > MAX_BYTES as u64 {
            vec![0; MAX_BYTES + 1]
        } else {
            fs::read(path).map_err(|cause| unreadable(path, cause))?
        };
        match read_one(&shown, name, &bytes) {
            Ok(source) => sources.push(source),
            Err(found) => problems.extend(found),
        }
    }
    problems.extend(names_that_differ_in_case(&files));
    if problems.is_empty() {
        sources.sort_by(|a, b| a.id.cmp(&b.id));
        return Ok(sources);
    }
    problems.sort_by(|a, b| a.file.cmp(&b.file));
    Err(SourcesError::Mistakes(Problems(problems)))
}

/// The sources named on the command line, in the order of `sources`; all of them where none is
/// named.
///
/// # Errors
/// A name that no source has.
pub fn select_sources(sources: Vec<Source>, names: &[String]) -> Result<Vec<Source>, SourcesError> {
    if names.is_empty() {
        return Ok(sources);
    }
    for name in names {
        if sources.iter().all(|it| it.id != *name) {
            let ids = || sources.iter().map(|it| it.id.as_str());
            return Err(SourcesError::Unknown {
                name: name.clone(),
                known: listed(ids()),
                hint: nearest(name, ids())
                    .map_or_else(String::new, |it| format!("; did you mean `{it}`?")),
            });
        }
    }
    Ok(sources.into_iter().filter(|it| names.contains(&it.id)).collect())
}

fn read_one(shown: &str, name: &str, bytes: &[u8]) -> Result<Source, Vec<Problem>> {
    let stem = Path::new(name).file_stem().unwrap_or_default().to_string_lossy();
    let text = text_of(shown, bytes).map_err(|problem| vec![*problem])?;
    read_source(shown, &stem, text)
}

/// `A.toml` beside `a.toml`: one source on some systems, two on others.
fn names_that_differ_in_case(files: &BTreeMap<String, PathBuf>) -> Vec<Problem> {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    let mut problems = Vec::new();
    for name in files.keys() {
        if let Some(first) = seen.insert(name.to_lowercase(), name) {
            problems.push(Problem {
                file: format!("sources/{name}"),
                line: 0,
                column: 0,
                key: "id".to_owned(),
                expected: "each id to occur once, whatever its letters' case".to_owned(),
                found: format!("sources/{first} beside it"),
                help: Some("give one of the two another name".to_owned()),
                excerpt: None,
            });
        }
    }
    problems
}
