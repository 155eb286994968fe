//! What was read and not yet shown to the client: on record from the reading of a page until the papers
//! of a run stand.
//!
//! A run that was stopped, killed or ended by a failure before its papers has read pages that the next
//! one carries. Without this they would be on record, and in no sheet.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::model::finding::Code;
use crate::model::row::RowRecord;
use crate::model::run::ChangeCause;
use crate::pipeline::change::removals::PagesGone;
use crate::pipeline::held::held;
use crate::pipeline::page::end::{PageEnd, PageNews};
use crate::pipeline::rounds::desk::RunDesk;
use crate::store::ledger::{LedgerError, StepRecord};

/// Name of the steps: alone of a source whose rows are all to be shown, with an address of one page.
const UNSHOWN: &str = "unshown";

/// What is new on a page, without what only its own run tells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewOnPage {
    pub cause: ChangeCause,
    pub fresh: BTreeSet<String>,
    pub changed: Vec<(RowRecord, RowRecord)>,
}

/// What earlier runs read of a run's sources and showed nobody.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unshown {
    /// True where a bulk run left no papers: all there is has to be shown.
    pub is_all: bool,
    /// Source and address -> what is new, oldest first.
    pages: BTreeMap<(String, String), Vec<NewOnPage>>,
}

/// The step that keeps what is new on a page; `None` where there is nothing.
pub fn unshown_page(run: &str, (source, url): (&str, &str), news: &PageNews) -> Option<StepRecord> {
    if news.fresh.is_empty() && news.changed.is_empty() {
        return None;
    }
    let new =
        NewOnPage { cause: news.cause, fresh: news.fresh.clone(), changed: news.changed.clone() };
    let detail = serde_json::to_string(&new).ok()?;
    Some(step(run, (format!("{UNSHOWN} {url}"), source), detail))
}

fn step(run: &str, (name, source): (String, &str), detail: String) -> StepRecord {
    let (run, source) = (run.to_owned(), source.to_owned());
    StepRecord { run, name, source, count_in: 1, count_out: 1, detail }
}

/// Notes that a bulk run is about to read pages of these sources, and has to show all there is.
///
/// # Errors
/// When the ledger cannot be written.
pub fn note_all_unshown(
    desk: &RunDesk,
    sources: impl Iterator<Item = usize>,
) -> Result<(), LedgerError> {
    for at in sources.collect::<BTreeSet<_>>() {
        let name = (UNSHOWN.to_owned(), desk.sources[at].source.id.as_str());
        held(&desk.ledger).record_step(&step(&desk.run, name, String::new()))?;
    }
    Ok(())
}

/// Takes everything about the run's sources off this record: their papers stand.
///
/// # Errors
/// When the ledger cannot be written.
pub fn all_is_shown(desk: &RunDesk) -> Result<(), LedgerError> {
    for source in &desk.sources {
        held(&desk.ledger).forget_steps(UNSHOWN, &source.source.id)?;
    }
    Ok(())
}

impl Unshown {
    /// What runs before this one left.
    ///
    /// # Errors
    /// When the ledger cannot be read, or a line of it is not one of these.
    pub fn read(desk: &RunDesk) -> Result<Self, LedgerError> {
        let mut found = Self::default();
        for source in &desk.sources {
            let id = &source.source.id;
            let steps = held(&desk.ledger).steps_named(UNSHOWN, id)?;
            for step in steps.iter().filter(|it| it.run != desk.run) {
                match step.name.strip_prefix(UNSHOWN).map(str::trim_start) {
                    Some(url) if !url.is_empty() => {
                        let new = serde_json::from_str(&step.detail)
                            .map_err(|cause| LedgerError::Unreadable { what: "new page", cause })?;
                        found.pages.entry((id.clone(), url.to_owned())).or_default().push(new);
                    }
                    _ => found.is_all = true,
                }
            }
        }
        Ok(found)
    }

    /// What a person should be told of it.
    pub fn note(&self) -> Option<String> {
        let pages = self.pages.len();
        match (self.is_all, pages) {
            (true, _) => Some(
                "an earlier run read pages and left no sheet: this one shows all there is"
                    .to_owned(),
            ),
            (false, 0) => None,
            (false, _) => Some(format!(
                "{pages} pages were read by a run that left no sheet: they are shown with this one"
            )),
        }
    }

    /// What is new of all pages, oldest first.
    pub fn news(&self) -> impl Iterator<Item = &NewOnPage> {
        self.pages.values().flatten()
    }

    /// Addresses of the pages with something new.
    pub fn urls(&self) -> impl Iterator<Item = &str> {
        self.pages.keys().map(|it| it.1.as_str())
    }

    /// True where an update has something to show of the page: read in this run or not shown by the run
    /// that read it, or with rows that the source no longer shows.
    pub fn is_news(&self, desk: &RunDesk, end: &PageEnd, gone: &PagesGone<'_>) -> bool {
        match end {
            PageEnd::Done { .. } => true,
            PageEnd::Carried { source, url, tally } => {
                let id = desk.sources[*source].source.id.as_str();
                self.is_all
                    || tally.findings.contains_key(Code::StaleSnapshot.as_str())
                    || gone.contains_key(&(id, url.as_str()))
                    || self.pages.contains_key(&(id.to_owned(), url.clone()))
            }
            PageEnd::Waits { .. } | PageEnd::Unread { .. } => false,
        }
    }
}
