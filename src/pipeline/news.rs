//! What the client has to see of a run: everything, or only what is new since the last one.

use std::collections::BTreeSet;

use crate::change::reason::changed_words;
use crate::model::row::RowRecord;
use crate::model::sheet::ChangedPair;
use crate::pipeline::carry::is_han;
use crate::pipeline::page_end::{PageEnd, PageNews};
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
                PageEnd::Done { news, .. } => Some(news),
                _ => None,
            })
            .flat_map(|news| news.changed.iter().map(|pair| changed_pair(news, pair)))
            .collect();
        Self {
            rows: rows.into_iter().filter(|it| read.contains(it.page.as_str())).collect(),
            pages: pages.into_iter().filter(|it| read.contains(it.url.as_str())).collect(),
            changed,
        }
    }
}

fn changed_pair(news: &PageNews, (old, new): &(RowRecord, RowRecord)) -> ChangedPair {
    let is_han = is_han(new);
    let mut reason = changed_words(&old.claim, &new.claim, if is_han { "zh" } else { "en" });
    if news.rules_changed {
        reason.push_str(if is_han {
            "（原因是我方的規則或讀取方式改變，並非來源改變。）"
        } else {
            " (Our own rules or reader changed, not the source.)"
        });
    }
    ChangedPair { old: old.clone(), new: new.clone(), reason }
}
