//! The workers of a crawl: each host has its own, none waits for another's.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::task::JoinSet;
use url::Url;

use crate::crawl::keep::KeepError;
use crate::crawl::progress::{Progress, Pulse, Stop};
use crate::crawl::url::host_key;
use crate::crawl::visit::{Ending, JournalLine, Visit};
use crate::crawl::walk::{Visited, Walker};
use crate::fetch::exchange::{Clock, Fetch};
use crate::model::page::Outcome;
use crate::model::snapshot::FoundBy;

/// What the workers of a crawl share.
#[derive(Debug, Default)]
pub struct State {
    /// Page -> visit, addresses passed through included.
    pub visits: BTreeMap<String, Visit>,
    pub done: usize,
    pub skipped: BTreeMap<String, u64>,
    /// Bodies of pages that turned out to be sitemaps.
    pub sitemaps: Vec<(Url, Vec<u8>)>,
}

/// The workers' common ground.
pub struct Crew<F, C> {
    pub walker: Arc<Walker<F, C>>,
    pub state: Mutex<State>,
    pub progress: Arc<dyn Progress>,
    pub stop: Stop,
    pub source: String,
    pub follows_links: bool,
    /// Workers of one host.
    pub concurrency: usize,
}

impl<F: Fetch + 'static, C: Clock + 'static> Crew<F, C> {
    /// The shared state.
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Pages done, and pages known so far.
    pub fn how_far(&self) -> (usize, usize) {
        (self.state().done, self.walker.frontier().len())
    }

    /// Asks for all pages of a wave, each host at its own pace, until they are done or somebody
    /// stops the crawl.
    ///
    /// # Errors
    /// When the store fails; the other workers end at their next page.
    pub async fn ask_wave(self: &Arc<Self>, wave: Vec<String>) -> Result<(), KeepError> {
        let mut queues: BTreeMap<String, VecDeque<String>> = BTreeMap::new();
        for page in wave {
            let host = Url::parse(&page).map(|it| host_key(&it)).unwrap_or_default();
            queues.entry(host).or_default().push_back(page);
        }
        let mut workers = JoinSet::new();
        for queue in queues.into_values() {
            let places = self.concurrency.max(1).min(queue.len());
            let queue = Arc::new(Mutex::new(queue));
            for _ in 0..places {
                workers.spawn(Arc::clone(self).work(Arc::clone(&queue)));
            }
        }
        while let Some(joined) = workers.join_next().await {
            let broken = |detail: String| KeepError { what: "a crawl worker".to_owned(), detail };
            joined.map_err(|cause| broken(cause.to_string())).flatten()?;
        }
        Ok(())
    }

    async fn work(self: Arc<Self>, queue: Arc<Mutex<VecDeque<String>>>) -> Result<(), KeepError> {
        loop {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some(page) = next else { return Ok(()) };
            if !self.visit(&page).await? {
                return Ok(());
            }
        }
    }

    /// Visits one page and takes in what it brought; false when the crawl was stopped meanwhile.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn visit(&self, page: &str) -> Result<bool, KeepError> {
        if self.stop.is_set() {
            return Ok(false);
        }
        let visited = tokio::select! {
            biased;
            () = self.stop.wait() => return Ok(false),
            visited = self.walker.visit(page) => visited?,
        };
        for visit in &visited.visits {
            let line = journal_line(&JournalLine::Visit(Box::new(visit.clone())))?;
            self.walker.store.note(&line)?;
        }
        self.take(page, visited);
        Ok(true)
    }

    fn take(&self, page: &str, visited: Visited) {
        let mut outcome = Outcome::Ok;
        for visit in visited.visits {
            outcome = outcome_so_far(&visit);
            self.absorb(visit);
        }
        let url = Url::parse(page).ok();
        let host = url.as_ref().map(host_key).unwrap_or_default();
        let mut state = self.state();
        if let (Some(body), Some(url)) = (visited.sitemap, url) {
            state.sitemaps.push((url, body));
        }
        let tally = &self.walker.asker.tally;
        self.progress.page_done(&Pulse {
            source: &self.source,
            page,
            host: &host,
            outcome,
            done: state.done,
            known: self.walker.frontier().len(),
            requests: tally.requests.load(Ordering::Relaxed),
            bytes: tally.bytes.load(Ordering::Relaxed),
        });
    }

    /// Takes a visit into the crawl: its links become pages of the next wave.
    pub fn absorb(&self, mut visit: Visit) {
        let mut state = self.state();
        let mut frontier = self.walker.frontier();
        if visit.is_page {
            frontier.note_done(&visit.page);
            state.done += 1;
        }
        let links = std::mem::take(&mut visit.links);
        if self.follows_links {
            for link in links {
                frontier.add(&link, FoundBy::Link);
            }
        }
        for (reason, n) in std::mem::take(&mut visit.skipped) {
            *state.skipped.entry(reason).or_default() += n;
        }
        // An address that was passed through must not hide the visit to it as a page.
        if visit.is_page || !state.visits.contains_key(&visit.page) {
            state.visits.insert(visit.page.clone(), visit);
        }
    }
}

/// One line of the journal.
///
/// # Errors
/// Never for the types of a visit.
pub fn journal_line(line: &JournalLine) -> Result<String, KeepError> {
    serde_json::to_string(line)
        .map_err(|it| KeepError { what: "the journal".to_owned(), detail: it.to_string() })
}

fn outcome_so_far(visit: &Visit) -> Outcome {
    match &visit.ending {
        Ending::Captured(_) | Ending::Sitemap => Outcome::Ok,
        Ending::NotModified { .. } => Outcome::NotModified,
        Ending::Moved { .. } => Outcome::Moved,
        Ending::Failed(failed) => failed.outcome,
    }
}
