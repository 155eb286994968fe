//! One page from its frozen text to its rows on record.
//!
//! A page's rows depend on its *basis* alone: text, rules, fields and readers. With the same basis
//! and the file still as written, the page is carried and nothing is read again.

use std::path::Path;

use futures_util::future::join_all;
use serde::{Deserialize, Serialize};

use crate::ask::canonical::{canonical_json, hex_sha256};
use crate::ask::compose::{ItemView, Reader};
use crate::ask::prompt::worked_example;
use crate::gate::ledger::Ledger;
use crate::gate::page::PageText;
use crate::gate::row::PageState;
use crate::gate::scope::Scope;
use crate::model::finding::Finding;
use crate::model::item::Item;
use crate::model::row::{RowRecord, RowStatus};
use crate::model::run::{LedgerCounts, RowCounts};
use crate::model::source::Source;
use crate::pipeline::reading::{AskTally, Desk, ItemState, ReadingError, read_item};
use crate::pipeline::rows::{PageIdentity, in_order, rows_of_item};
use crate::pipeline::written::{WriteError, remove_if_there, write_checked};
use crate::store::ledger::{PageRecord, RowIndex};

/// Raised whenever gate, rows or counting change what a page's rows come to.
const JUDGE_VERSION: &str = "judge/1";

/// A frozen page, cut into items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageInput {
    pub url: String,
    pub title: String,
    /// Canonical text.
    pub text: String,
    /// Text of the page that is no content; never evidence.
    pub hidden: String,
    /// SHA-256 of the raw bytes.
    pub snapshot: String,
    pub items: Vec<Item>,
}

/// What a page came to.
#[derive(Clone, Debug, PartialEq)]
pub enum PageReading {
    Done(Box<PageDone>),
    /// Asks that somebody else has to answer first.
    Waits {
        asks: Vec<String>,
        items_done: u64,
        tally: AskTally,
    },
}

/// A page whose items are all done.
#[derive(Clone, Debug, PartialEq)]
pub struct PageDone {
    pub rows: Vec<RowRecord>,
    /// Every sentence and table row of all items, in reading order.
    pub ledger: Ledger,
    /// The gate's word on each item of the page that is not in order.
    pub troubles: Vec<PageTrouble>,
    pub counts: PageTally,
    pub tally: AskTally,
}

/// An item whose page state is not `ok`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PageTrouble {
    pub item: String,
    pub state: PageState,
    pub findings: Vec<Finding>,
}

/// The counts of one page, kept in the ledger so that a carried page adds up too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageTally {
    pub items: u64,
    /// Rows that came in, from both passes.
    pub rows_in: u64,
    pub rows: RowCounts,
    pub sentences: LedgerCounts,
    /// Open sentences that state a rule or a number.
    pub omissions: u64,
    pub findings: std::collections::BTreeMap<String, u64>,
}

/// The digest of everything a page's rows depend on, told without reading the page: its bytes and
/// text as captured, the rules that read it, the fields, and who reads.
///
/// # Errors
/// When a field list cannot be written as JSON.
pub fn basis_of(
    (url, snapshot, text): (&str, &str, &str),
    source: &Source,
    readers: [&Reader; 2],
) -> Result<String, serde_json::Error> {
    let readers = readers.map(|it| (&it.id, hex_sha256(it.instructions.as_bytes())));
    let parts = (
        JUDGE_VERSION,
        (url, snapshot, text),
        (&source.id, &source.language, &source.fields),
        (&source.content, &source.exclude, &source.items),
        readers,
    );
    Ok(hex_sha256(canonical_json(&parts)?.as_bytes()))
}

/// Reads all items of a page, each on its own way, until every one is done or waits.
///
/// # Errors
/// The first item that cannot be moved on.
pub async fn read_page(
    desk: Desk<'_>,
    source: &Source,
    page: &PageInput,
) -> Result<PageReading, ReadingError> {
    let indexed = PageText::index(&page.text);
    let mut examples = vec![worked_example(&source.language).to_owned()];
    examples.extend(source.fields.iter().flat_map(|it| it.examples.iter().cloned()));
    let text_digest = hex_sha256(page.text.as_bytes());
    let identity = PageIdentity {
        source: &source.id,
        url: &page.url,
        title: &page.title,
        snapshot: &page.snapshot,
        text: &text_digest,
        language: &source.language,
    };
    let mut done = PageDone {
        rows: Vec::new(),
        ledger: Ledger::default(),
        troubles: Vec::new(),
        counts: PageTally::default(),
        tally: AskTally::default(),
    };
    let (mut waiting, mut items_done) = (Vec::new(), 0);
    for (item, state) in read_items(desk, source, page, (&indexed, &examples)).await? {
        match state {
            ItemState::Waits { ask } => waiting.push(ask),
            ItemState::Done(reading) => {
                items_done += 1;
                done.tally.live += reading.asks.live;
                done.tally.from_record += reading.asks.from_record;
                done.rows.extend(rows_of_item(identity, item, &reading));
                let judgement =
                    reading.review.map_or(reading.extraction.judgement, |it| it.judgement);
                if judgement.page.state != PageState::Ok {
                    done.troubles.push(PageTrouble {
                        item: item.key.clone(),
                        state: judgement.page.state,
                        findings: judgement.page.findings,
                    });
                }
                done.ledger.entries.extend(judgement.ledger.entries);
            }
        }
    }
    if !waiting.is_empty() {
        return Ok(PageReading::Waits { asks: waiting, items_done, tally: done.tally });
    }
    done.rows = in_order(done.rows);
    done.ledger.entries.sort_by_key(|it| it.span);
    done.counts = tally(page, &done);
    Ok(PageReading::Done(Box::new(done)))
}

async fn read_items<'p>(
    desk: Desk<'_>,
    source: &Source,
    page: &'p PageInput,
    (indexed, examples): (&PageText, &[String]),
) -> Result<Vec<(&'p Item, ItemState)>, ReadingError> {
    let mut states = Vec::with_capacity(page.items.len());
    let readable = page.items.iter().filter_map(|item| Some((item, item.span.slice(&page.text)?)));
    let futures = readable.map(|(item, text)| async move {
        let scope = Scope {
            span: Some(item.span),
            page_title: &page.title,
            heading_path: &item.heading_path,
            fields: &source.fields,
            examples,
            language: &source.language,
            hidden: &page.hidden,
            ..Scope::default()
        };
        let view = ItemView {
            language: &source.language,
            fields: &source.fields,
            page_title: &page.title,
            heading_path: &item.heading_path,
            text,
        };
        read_item(desk, indexed, &scope, &view).await.map(|state| (item, state))
    });
    for state in join_all(futures).await {
        states.push(state?);
    }
    Ok(states)
}

fn tally(page: &PageInput, done: &PageDone) -> PageTally {
    let mut counts = PageTally {
        items: page.items.len() as u64,
        rows_in: done.rows.len() as u64,
        ..PageTally::default()
    };
    for row in &done.rows {
        let place = match row.status {
            RowStatus::Accepted => &mut counts.rows.accepted,
            RowStatus::Flagged => &mut counts.rows.flagged,
            RowStatus::Dropped => &mut counts.rows.dropped,
            RowStatus::Merged => &mut counts.rows.merged,
        };
        *place += 1;
        for finding in &row.findings {
            *counts.findings.entry(finding.code.to_string()).or_default() += 1;
        }
    }
    for finding in done.troubles.iter().flat_map(|it| &it.findings) {
        *counts.findings.entry(finding.code.to_string()).or_default() += 1;
    }
    let (used, not_a_condition, open) = done.ledger.counts();
    counts.sentences = LedgerCounts {
        used: used as u64,
        not_a_condition: not_a_condition as u64,
        open: open as u64,
    };
    counts.omissions = done.ledger.omissions().count() as u64;
    counts
}

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
        let name = file_name(url);
        let folder = format!("extracted/{source}");
        Self {
            rows: format!("{folder}/{name}"),
            refused: format!("{folder}/refused/{name}"),
            sentences: format!("{folder}/sentences/{name}"),
        }
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

/// Writes a page's record: accepted and flagged rows to `extracted/<source>/`, dropped and merged
/// ones with their reasons to `refused/` below it, and what became of each sentence to `sentences/`.
/// Returns what the ledger has to know.
///
/// # Errors
/// When a file cannot be written or reads back differently.
pub fn write_page(
    root: &Path,
    source: &str,
    url: &str,
    basis: &str,
    done: &PageDone,
) -> Result<(PageRecord, Vec<RowIndex>), WritePageError> {
    let files = PageFiles::of(source, url);
    let stands = |row: &&RowRecord| matches!(row.status, RowStatus::Accepted | RowStatus::Flagged);
    let kept = lines(done.rows.iter().filter(stands))?;
    let written = write_checked(&root.join(&files.rows), kept.as_bytes())?;
    let refused = lines(done.rows.iter().filter(|it| !stands(it)))?;
    if refused.is_empty() {
        remove_if_there(&root.join(&files.refused))?;
    } else {
        write_checked(&root.join(&files.refused), refused.as_bytes())?;
    }
    let sentences = lines(done.ledger.entries.iter())?;
    write_checked(&root.join(&files.sentences), sentences.as_bytes())?;
    let index = done
        .rows
        .iter()
        .map(|row| {
            Ok(RowIndex {
                key: row.key.clone(),
                source: source.to_owned(),
                url: url.to_owned(),
                item: row.item.clone(),
                status: row.status.as_str().to_owned(),
                digest: hex_sha256(serde_json::to_string(row)?.as_bytes()),
            })
        })
        .collect::<Result<Vec<_>, serde_json::Error>>()?;
    let record = PageRecord {
        source: source.to_owned(),
        url: url.to_owned(),
        basis: basis.to_owned(),
        file: files.rows,
        digest: written.digest,
        counts: serde_json::to_string(&done.counts)?,
    };
    Ok((record, index))
}

/// Why a page's rows could not be put on record.
#[derive(Debug, thiserror::Error)]
pub enum WritePageError {
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("a row cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
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
