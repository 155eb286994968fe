//! What the client has to see of a run: everything, or only what is new since the last one.

use std::collections::BTreeSet;

use crate::model::row::RowRecord;
use crate::model::sheet::ChangedPair;
use crate::pipeline::page_end::PageEnd;
use crate::pipeline::paper::PagePaper;

/// The rows and pages of a run's papers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct News {
    pub rows: Vec<RowRecord>,
    pub pages: Vec<PagePaper>,
    pub changed: Vec<ChangedPair>,
}

impl News {
    /// All rows on record.
    pub fn everything(rows: Vec<RowRecord>, pages: Vec<PagePaper>) -> Self {
        Self { rows, pages, changed: Vec::new() }
    }

    /// The rows of pages that were read in this run, and the pairs of old and new.
    pub fn of_pages(rows: Vec<RowRecord>, pages: Vec<PagePaper>, ends: &[PageEnd]) -> Self {
        let read: BTreeSet<&str> =
            ends.iter().filter(|it| matches!(it, PageEnd::Done { .. })).map(PageEnd::url).collect();
        let changed = ends
            .iter()
            .filter_map(|end| match end {
                PageEnd::Done { news, .. } => Some(&news.changed),
                _ => None,
            })
            .flatten()
            .map(|(old, new)| ChangedPair {
                old: old.clone(),
                new: new.clone(),
                reason: String::new(),
            })
            .collect();
        Self {
            rows: rows.into_iter().filter(|it| read.contains(it.page.as_str())).collect(),
            pages: pages.into_iter().filter(|it| read.contains(it.url.as_str())).collect(),
            changed,
        }
    }
}
