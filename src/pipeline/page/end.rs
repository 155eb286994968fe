//! What became of each page of a run: exactly one end a page.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::row::RowRecord;
use crate::model::run::{ChangeCause, ChangeCounts, StaleReference};
use crate::pipeline::page::state::PageTally;
use crate::pipeline::rounds::reading::AskTally;

/// What became of a page.
#[derive(Clone, Debug, PartialEq)]
pub enum PageEnd {
    /// Its basis is on record: nothing was read.
    Carried {
        source: usize,
        url: String,
        tally: PageTally,
    },
    Done {
        source: usize,
        url: String,
        tally: PageTally,
        asks: AskTally,
        news: Box<PageNews>,
    },
    /// Some of its items wait for an answer; its rows on record stay as they were.
    Waits {
        source: usize,
        url: String,
        items: u64,
        done: u64,
        asks: Vec<String>,
        /// What went wrong with those of them that were asked.
        failures: Vec<String>,
        tally: AskTally,
    },
    /// It cannot be read; its rows on record stay as they were.
    Unread {
        source: usize,
        url: String,
        why: String,
    },
}

/// What is new on a page that was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageNews {
    /// Items with at least one ask answered in this run.
    pub asked_items: u64,
    /// True where there was an earlier record of the page, made by the same rules.
    pub has_earlier: bool,
    /// What became of the items.
    pub changes: ChangeCounts,
    /// Rows that stand in the place of others, old and new; of an update alone.
    pub changed: Vec<(RowRecord, RowRecord)>,
    /// Whether rules or readers of ours changed since the page was last read.
    pub cause: ChangeCause,
    /// Keys of the rows that were read in this run; of an update alone.
    pub fresh: BTreeSet<String>,
    pub references: Vec<StaleReference>,
}

impl PageEnd {
    /// Index into the run's sources.
    pub fn source(&self) -> usize {
        match self {
            PageEnd::Carried { source, .. }
            | PageEnd::Done { source, .. }
            | PageEnd::Waits { source, .. }
            | PageEnd::Unread { source, .. } => *source,
        }
    }

    /// The page's address.
    pub fn url(&self) -> &str {
        match self {
            PageEnd::Carried { url, .. }
            | PageEnd::Done { url, .. }
            | PageEnd::Waits { url, .. }
            | PageEnd::Unread { url, .. } => url,
        }
    }

    /// What went wrong with whoever was asked.
    pub fn failures(&self) -> &[String] {
        match self {
            PageEnd::Waits { failures, .. } => failures,
            _ => &[],
        }
    }

    /// References to provisions that have another number now.
    pub fn references(&self) -> &[StaleReference] {
        match self {
            PageEnd::Done { news, .. } => &news.references,
            _ => &[],
        }
    }

    /// What a person should know of it.
    pub fn notes(&self) -> Vec<String> {
        match self {
            PageEnd::Unread { url, why, .. } => vec![format!("{url}: not read: {why}")],
            PageEnd::Done { news, .. } => news.references.iter().map(reference_words).collect(),
            _ => Vec::new(),
        }
    }
}

fn reference_words(it: &StaleReference) -> String {
    format!(
        "{}: {} refers to \"{}\", whose words now stand under {}; look whether it still means the same",
        it.page, it.item, it.words, it.now
    )
}

/// Failures by their words, each with how often.
pub fn failures_of(ends: &[PageEnd]) -> Vec<String> {
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    for failure in ends.iter().flat_map(PageEnd::failures) {
        *kinds.entry(failure).or_default() += 1;
    }
    kinds.into_iter().map(|(words, count)| format!("{count} asks failed: {words}")).collect()
}
