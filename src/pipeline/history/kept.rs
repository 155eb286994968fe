//! The rows that each run left, kept under `runs/` so that two runs can be compared later.
//!
//! `runs/<run>.jsonl` names for each page a file of rows by its digest; pages that did not change share
//! one, and a run that changed nothing leaves no list of its own. Its only writer and reader. Nothing but comparing reads it: the record is under `extracted/`.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};

use crate::ask::canonical::hex_sha256;
use crate::model::row::RowRecord;
use crate::pipeline::page::record::PageFiles;
use crate::pipeline::written::{WriteError, write_checked};

/// One page of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptPage {
    pub source: String,
    pub url: String,
    /// SHA-256 of the page's lines, refused rows last.
    pub rows: String,
    pub count: u64,
}

/// Rows that could not be kept or found again.
#[derive(Debug, thiserror::Error)]
pub enum KeptError {
    #[error(
        "run {run} kept no rows: it did not come to its end, or was made by a version that kept none"
    )]
    NotKept { run: String },
    #[error("{path}: {source}")]
    Io { path: String, source: std::io::Error },
    #[error("{path}: not what it was when it was kept (its digest is another); it was edited")]
    Edited { path: String },
    #[error("{path}, line {line}: not a line of this file: {source}")]
    Line { path: String, line: usize, source: serde_json::Error },
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("a page cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// Keeps the rows of these pages, as they now are on record, under the name of the run. `is_read` says
/// that the page was read in this run; the others are taken from the last run that has them.
///
/// # Errors
/// When a file cannot be read or written.
pub fn keep_rows<'a>(
    root: &Path,
    run: &str,
    pages: impl Iterator<Item = (&'a str, &'a str, bool)>,
) -> Result<(), KeptError> {
    let last = last_name(root);
    let known = last_kept(root, last.as_deref())?;
    let mut list = String::new();
    for (source, url, is_read) in pages {
        let old = known.get(&(source.to_owned(), url.to_owned()));
        let page = match old.filter(|_| !is_read) {
            Some(page) => page.clone(),
            None => keep_page(root, source, url)?,
        };
        list.push_str(&serde_json::to_string(&page)?);
        list.push('\n');
    }
    // A run that changed nothing leaves no file: the list before it is its own.
    let is_new = last
        .is_none_or(|it| fs::read(list_path(root, &it)).ok().as_deref() != Some(list.as_bytes()));
    if is_new {
        write_checked(&list_path(root, run), list.as_bytes())?;
    }
    Ok(())
}

/// The pages as a run that came to its end left them: of its own list, or of the last before it.
///
/// # Errors
/// When neither kept any, or the list cannot be read.
pub fn pages_after(root: &Path, run: &str) -> Result<Vec<KeptPage>, KeptError> {
    let names = names(root).into_iter().filter(|it| it.as_str() <= run);
    kept_pages(root, &names.max().unwrap_or_else(|| run.to_owned()))
}

fn list_path(root: &Path, run: &str) -> PathBuf {
    root.join("runs").join(format!("{run}.jsonl"))
}

/// The runs that left a list of their own.
fn names(root: &Path) -> Vec<String> {
    let files = fs::read_dir(root.join("runs")).into_iter().flatten().flatten();
    let names = files.filter_map(|it| it.file_name().into_string().ok());
    names.filter_map(|it| it.strip_suffix(".jsonl").map(str::to_owned)).collect()
}

/// The run that left a list last.
fn last_name(root: &Path) -> Option<String> {
    let when = |it: &String| fs::metadata(list_path(root, it)).and_then(|it| it.modified()).ok();
    names(root).into_iter().max_by_key(|it| (when(it), it.clone()))
}

/// The pages of a run.
///
/// # Errors
/// When the run kept none, or the list cannot be read.
fn kept_pages(root: &Path, run: &str) -> Result<Vec<KeptPage>, KeptError> {
    let path = list_path(root, run);
    let text = fs::read_to_string(&path).map_err(|source| match source.kind() {
        std::io::ErrorKind::NotFound => KeptError::NotKept { run: run.to_owned() },
        _ => KeptError::Io { path: path.display().to_string(), source },
    })?;
    lines_of(&path, &text)
}

/// The rows of a page as a run left them.
///
/// # Errors
/// When the file is missing, edited, or cannot be read.
pub fn kept_rows(root: &Path, page: &KeptPage) -> Result<Vec<RowRecord>, KeptError> {
    let path = rows_path(root, &page.rows);
    let io = |source| KeptError::Io { path: path.display().to_string(), source };
    let mut text = String::new();
    GzDecoder::new(fs::File::open(&path).map_err(io)?).read_to_string(&mut text).map_err(io)?;
    if hex_sha256(text.as_bytes()) != page.rows {
        return Err(KeptError::Edited { path: path.display().to_string() });
    }
    lines_of(&path, &text)
}

fn keep_page(root: &Path, source: &str, url: &str) -> Result<KeptPage, KeptError> {
    let files = PageFiles::of(source, url);
    let mut text = String::new();
    for file in [&files.rows, &files.refused] {
        let path = root.join(file);
        match fs::read_to_string(&path) {
            Ok(lines) => text.push_str(&lines),
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => {}
            Err(source) => return Err(KeptError::Io { path: path.display().to_string(), source }),
        }
    }
    let rows = hex_sha256(text.as_bytes());
    let path = rows_path(root, &rows);
    if !path.exists() {
        let io = |source| KeptError::Io { path: path.display().to_string(), source };
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(text.as_bytes()).map_err(io)?;
        write_checked(&path, &packed.finish().map_err(io)?)?;
    }
    let count = text.lines().count() as u64;
    Ok(KeptPage { source: source.to_owned(), url: url.to_owned(), rows, count })
}

/// The pages of that run, by source and address, as far as their rows are still there.
fn last_kept(
    root: &Path,
    run: Option<&str>,
) -> Result<BTreeMap<(String, String), KeptPage>, KeptError> {
    let Some(run) = run else { return Ok(BTreeMap::new()) };
    let pages = kept_pages(root, run)?;
    Ok(pages
        .into_iter()
        .filter(|it| rows_path(root, &it.rows).exists())
        .map(|it| ((it.source.clone(), it.url.clone()), it))
        .collect())
}

fn rows_path(root: &Path, digest: &str) -> PathBuf {
    let shard = digest.get(..2).unwrap_or("__");
    root.join("runs/rows").join(shard).join(format!("{digest}.jsonl.gz"))
}

fn lines_of<T: serde::de::DeserializeOwned>(path: &Path, text: &str) -> Result<Vec<T>, KeptError> {
    text.lines()
        .enumerate()
        .map(|(at, line)| {
            serde_json::from_str(line).map_err(|source| KeptError::Line {
                path: path.display().to_string(),
                line: at + 1,
                source,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_did_not_change_share_one_file_and_an_edited_one_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        let files = PageFiles::of("s", "https://a.example/頁");
        let path = root.join(&files.rows);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "").unwrap();
        let page = || std::iter::once(("s", "https://a.example/頁", true));
        keep_rows(root, "r1", page()).unwrap();
        keep_rows(root, "r2", page()).unwrap();
        let (first, second) = (pages_after(root, "r1").unwrap(), pages_after(root, "r2").unwrap());
        assert_eq!(first, second);
        assert_eq!(names(root), ["r1"], "a run that changed nothing leaves no file");
        assert!(kept_rows(root, &first[0]).unwrap().is_empty());
        assert!(matches!(pages_after(root, "r0"), Err(KeptError::NotKept { .. })));
        let other = KeptPage { rows: "ab".repeat(32), ..first[0].clone() };
        assert!(matches!(kept_rows(root, &other), Err(KeptError::Io { .. })));
        fs::create_dir_all(rows_path(root, &other.rows).parent().unwrap()).unwrap();
        fs::copy(rows_path(root, &first[0].rows), rows_path(root, &other.rows)).unwrap();
        assert!(matches!(kept_rows(root, &other), Err(KeptError::Edited { .. })));
    }
}
