//! A page's record under `extracted/`: rows, refused rows, sentences. Its only writer and reader.

use std::path::Path;

use serde::Serialize;

use crate::ask::canonical::hex_sha256;
use crate::gate::sentences::ledger::Ledger;
use crate::model::row::{RowRecord, RowStatus};
use crate::pipeline::page::state::PageDone;
use crate::pipeline::rounds::clerk::PageFile;
use crate::sheet::issue::row_digest;
use crate::store::ledger::{PageRecord, RowIndex};

/// The files of one page's record, relative to the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageFiles {
    pub rows: String,
    pub refused: String,
    pub sentences: String,
}

impl PageFiles {
    /// Named after source and address alone.
    pub fn of(source: &str, url: &str) -> Self {
        Self::folder(source).of_name(&file_name(url))
    }

    /// The folders that a source's files are in.
    pub fn folder(source: &str) -> Self {
        let folder = format!("extracted/{source}");
        Self {
            refused: format!("{folder}/refused"),
            sentences: format!("{folder}/sentences"),
            rows: folder,
        }
    }

    /// The files of this name in these folders.
    pub fn of_name(&self, name: &str) -> Self {
        let [rows, refused, sentences] =
            [&self.rows, &self.refused, &self.sentences].map(|it| format!("{it}/{name}"));
        Self { rows, refused, sentences }
    }
}

/// A page's record, read back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageOnRecord {
    /// All rows, in the order of the page; refused ones at the end.
    pub rows: Vec<RowRecord>,
    pub ledger: Ledger,
}

/// Reads a page's record back.
///
/// # Errors
/// When a file is missing, or a line is not what it should be.
pub fn read_page_record(root: &Path, files: &PageFiles) -> Result<PageOnRecord, ReadRecordError> {
    let mut rows: Vec<RowRecord> = read_lines(&root.join(&files.rows))?;
    if root.join(&files.refused).exists() {
        rows.extend(read_lines::<RowRecord>(&root.join(&files.refused))?);
    }
    let entries = read_lines(&root.join(&files.sentences))?;
    Ok(PageOnRecord { rows, ledger: Ledger { entries } })
}

/// A record that cannot be read back.
#[derive(Debug, thiserror::Error)]
pub enum ReadRecordError {
    #[error("{path}: {source}")]
    Io { path: String, source: std::io::Error },
    #[error("{path}, line {line}: not a line of this record: {source}")]
    Line { path: String, line: usize, source: serde_json::Error },
}

fn read_lines<T: serde::de::DeserializeOwned>(path: &Path) -> Result<Vec<T>, ReadRecordError> {
    let shown = || path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|source| ReadRecordError::Io { path: shown(), source })?;
    text.lines()
        .enumerate()
        .map(|(at, line)| {
            serde_json::from_str(line).map_err(|source| ReadRecordError::Line {
                path: shown(),
                line: at + 1,
                source,
            })
        })
        .collect()
}

/// The file of a page's rows under `extracted/<source>/`, from its address alone.
pub fn file_name(url: &str) -> String {
    let path = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = path.split_once('/').map_or("", |(_, rest)| rest);
    let mut slug = String::new();
    for it in path.chars().take(80) {
        if it.is_alphanumeric() {
            slug.extend(it.to_lowercase());
        } else if !slug.ends_with('-') && !slug.is_empty() {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches('-');
    let slug = if slug.is_empty() { "index" } else { slug };
    format!("{slug}-{}.jsonl", &hex_sha256(url.as_bytes())[..8])
}

/// A page's record as it is to be written: accepted and flagged rows to `extracted/<source>/`, dropped
/// and merged ones with their reasons to `refused/` below it, and what became of each sentence to
/// `sentences/`; and what the ledger has to know.
#[derive(Clone, Debug, PartialEq)]
pub struct ComposedPage {
    /// The rows' file last: it is the one whose digest the ledger has.
    pub files: Vec<PageFile>,
    pub page: PageRecord,
    pub rows: Vec<RowIndex>,
}

/// Composes the record of a page; writes nothing.
///
/// # Errors
/// When a row cannot be written as JSON.
pub fn compose_page(
    root: &Path,
    (source, url): (&str, &str),
    basis: &str,
    done: &PageDone,
) -> Result<ComposedPage, serde_json::Error> {
    let names = PageFiles::of(source, url);
    let mut texts = [String::new(), String::new()];
    let mut index = Vec::with_capacity(done.rows.len());
    for row in &done.rows {
        let line = serde_json::to_string(row)?;
        index.push(RowIndex {
            key: row.key.clone(),
            source: source.to_owned(),
            url: url.to_owned(),
            item: row.item.clone(),
            status: row.status.as_str().to_owned(),
            digest: hex_sha256(line.as_bytes()),
            content: row_digest(row),
        });
        let stands = matches!(row.status, RowStatus::Accepted | RowStatus::Flagged);
        let text = &mut texts[usize::from(!stands)];
        text.push_str(&line);
        text.push('\n');
    }
    let [kept, refused] = texts;
    let page = PageRecord {
        source: source.to_owned(),
        url: url.to_owned(),
        basis: basis.to_owned(),
        digest: hex_sha256(kept.as_bytes()),
        counts: serde_json::to_string(&done.counts)?,
        file: names.rows.clone(),
    };
    let file = |name: &str, text, goes_when_empty| {
        let path = root.join(name);
        PageFile { path, text, goes_when_empty }
    };
    let files = vec![
        file(&names.refused, refused, true),
        file(&names.sentences, lines(done.ledger.entries.iter())?, false),
        file(&names.rows, kept, false),
    ];
    Ok(ComposedPage { files, page, rows: index })
}

fn lines<'a, T: Serialize + 'a>(
    values: impl Iterator<Item = &'a T>,
) -> Result<String, serde_json::Error> {
    let mut text = String::new();
    for row in values {
        text.push_str(&serde_json::to_string(row)?);
        text.push('\n');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_plain_distinct_and_short() {
        let name = file_name("https://harbour.example/en/benefits/elder-grant/?page=2");
        assert!(name.starts_with("en-benefits-elder-grant-page-2-"), "{name}");
        assert!(file_name("https://harbour.example/").starts_with("index-"));
        assert!(file_name("https://harbour.example/津貼/高齡").starts_with("津貼-高齡-"));
        assert_ne!(file_name("https://a.example/x"), file_name("https://b.example/x"));
        let hostile = file_name("https://a.example/../../etc/passwd%00");
        assert!(!hostile.contains('/') && !hostile.contains(".."), "{hostile}");
    }
}
