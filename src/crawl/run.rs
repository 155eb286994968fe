//! The crawl of one source, from declaration to edition.
//!
//! Every page that became known ends in exactly one outcome, or the crawl fails.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use tokio::task::JoinSet;
use url::Url;

use crate::ask::canonical::{canonical_json, hex_sha256};
use crate::crawl::asker::{Asker, Tally};
use crate::crawl::edition::{
    count, join_aliases, manifest_of, needs_attention, removal_candidates,
};
use crate::crawl::frontier::Frontier;
use crate::crawl::journal::{Resumed, read_journal};
use crate::crawl::keep::{Finished, Keep, KeepError};
use crate::crawl::manifest::{edition_of, manifest_bytes};
use crate::crawl::politeness::Hosts;
use crate::crawl::progress::{Progress, Pulse, Stop};
use crate::crawl::reading::ReadPage;
use crate::crawl::scope::{Place, Scope, ScopeError};
use crate::crawl::seeds::Seeds;
use crate::crawl::settle::{Case, settle};
use crate::crawl::url::host_key;
use crate::crawl::visit::{Ending, JournalHead, JournalLine, Visit};
use crate::crawl::walk::Walker;
use crate::fetch::exchange::{Clock, Fetch};
use crate::model::baseline::{BASELINE_FORMAT, Baseline};
use crate::model::page::Outcome;
use crate::model::snapshot::{CRAWL_FORMAT, CrawlRecord, FoundBy, PageOutcome};
use crate::model::source::Source;

/// What a crawl works with.
#[derive(Clone)]
pub struct Deps<F, C> {
    pub fetch: Arc<F>,
    pub clock: Arc<C>,
    pub reader: Arc<dyn ReadPage>,
    pub store: Arc<dyn Keep>,
    pub progress: Arc<dyn Progress>,
    pub stop: Stop,
    pub options: CrawlOptions,
}

/// What the operator says beside the source file.
#[derive(Clone, Debug, Default)]
pub struct CrawlOptions {
    /// The whole `User-Agent`: `countersign/0.1.0 (+https://agency.example/crawler)`.
    pub user_agent: String,
    /// Pages that are right as they are, whatever the rules say of them.
    pub vouched_for: BTreeSet<String>,
}

/// How a crawl ended, for the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitClass {
    Ok,
    /// A person should look at something.
    Attention,
    /// Not a single page was ever seen, and the network is why.
    Fail,
    /// There was no page to ask for.
    Nothing,
}

/// A finished crawl.
#[derive(Clone, Debug)]
pub struct CrawlReport {
    pub record: CrawlRecord,
    /// SHA-256 of the content manifest.
    pub manifest_digest: String,
    pub exit: ExitClass,
    /// Who held the lock that was taken over.
    pub taken_over_from: Option<String>,
    pub requests: u64,
    pub bytes: u64,
}

/// Why there is no finished crawl.
#[derive(Debug, thiserror::Error)]
pub enum CrawlError {
    #[error(transparent)]
    Scope(#[from] ScopeError),
    #[error(transparent)]
    Keep(#[from] KeepError),
    #[error("stopped after {done} of {known} known pages; the next crawl goes on from there")]
    Stopped { done: usize, known: usize },
    #[error("{known} pages became known and {settled} have an outcome: {missing:?} have none")]
    Unaccounted { known: usize, settled: usize, missing: Vec<String> },
    #[error("the crawl cannot be written down: {detail}")]
    Unwritable { detail: String },
}

/// Crawls one source into an edition.
///
/// # Errors
/// When the source cannot be read, the store fails, or the crawl was stopped. What was fetched
/// until then is gone on with by the next crawl.
pub async fn crawl_source<F, C>(
    source: &Source,
    deps: Deps<F, C>,
) -> Result<CrawlReport, CrawlError>
where
    F: Fetch + 'static,
    C: Clock + 'static,
{
    let scope = Arc::new(Scope::new(source)?);
    let store = Arc::clone(&deps.store);
    let begun = store.begin()?;
    let crawl = Crawl::prepare(source, deps, scope, begun);
    let ended = match crawl {
        Ok(crawl) => crawl.run().await,
        Err(cause) => Err(cause),
    };
    if ended.is_err() {
        store.leave();
    }
    ended
}

struct Crawl<F, C> {
    source: Source,
    deps: Deps<F, C>,
    walker: Arc<Walker<F, C>>,
    resumed: Option<Resumed>,
    taken_over_from: Option<String>,
    started: Timestamp,
    state: Arc<Mutex<State>>,
}

/// What the workers of a crawl share.
#[derive(Default)]
struct State {
    visits: BTreeMap<String, Visit>,
    done: usize,
    skipped: BTreeMap<String, u64>,
    /// Bodies of pages that turned out to be sitemaps.
    sitemaps: Vec<(Url, Vec<u8>)>,
    failure: Option<KeepError>,
}

impl<F: Fetch + 'static, C: Clock + 'static> Crawl<F, C> {
    fn prepare(
        source: &Source,
        deps: Deps<F, C>,
        scope: Arc<Scope>,
        begun: crate::crawl::keep::Begun,
    ) -> Result<Self, CrawlError> {
        let baseline = Arc::new(begun.baseline.unwrap_or_default());
        let started = deps.clock.now();
        let rules = rules_of(source, deps.reader.as_ref())?;
        let head = JournalHead { started, rules };
        let resumed = read_journal(&begun.journal, &head, deps.store.as_ref());
        if resumed.is_none() {
            deps.store.note(&json_line(&JournalLine::Begin(head))?)?;
        }
        let hosts = Hosts::new(source.politeness.clone());
        for (host, state) in &baseline.hosts {
            if let Some(until) = state.not_before.filter(|it| *it > started) {
                hosts.host(host).park_until(until);
            }
        }
        let asker = Asker {
            fetch: Arc::clone(&deps.fetch),
            clock: Arc::clone(&deps.clock),
            store: Arc::clone(&deps.store),
            hosts,
            limits: source.politeness.clone(),
            scope: Arc::clone(&scope),
            headers: request_headers(&source.language, &deps.options.user_agent),
            tally: Tally::default(),
        };
        let walker = Arc::new(Walker {
            asker,
            reader: Arc::clone(&deps.reader),
            store: Arc::clone(&deps.store),
            scope,
            baseline,
            frontier: Mutex::new(Frontier::new(source.politeness.max_pages)),
            source_language: source.language.split('-').next().unwrap_or_default().to_owned(),
            vouched_for: deps.options.vouched_for.clone(),
        });
        Ok(Self {
            source: source.clone(),
            deps,
            walker,
            resumed,
            taken_over_from: begun.taken_over_from,
            started,
            state: Arc::default(),
        })
    }

    async fn run(mut self) -> Result<CrawlReport, CrawlError> {
        let mut seeds = Seeds::default();
        self.seed_start(&mut seeds);
        self.seed_known(&mut seeds);
        seeds.read_sitemaps(&self.walker.asker, &self.walker.baseline).await?;
        self.add_seeds(&seeds);
        self.replay();
        loop {
            let wave = self.frontier().take_wave();
            let todo: Vec<String> = {
                let state = locked(&self.state);
                wave.into_iter().filter(|it| !state.visits.contains_key(it)).collect()
            };
            if !todo.is_empty() {
                self.ask_wave(todo).await?;
            }
            if !self.take_found_sitemaps(&mut seeds).await? && self.frontier().is_exhausted() {
                break;
            }
        }
        self.conclude(&seeds)
    }

    fn frontier(&self) -> std::sync::MutexGuard<'_, Frontier> {
        locked(&self.walker.frontier)
    }

    fn seed_start(&self, seeds: &mut Seeds) {
        for url in &self.walker.scope.start {
            seeds.add(url, FoundBy::Start);
        }
        for refused in &self.walker.scope.refused {
            seeds.refuse(refused, FoundBy::Start);
        }
    }

    /// Pages known from earlier crawls are asked for whether or not anything still names them.
    fn seed_known(&self, seeds: &mut Seeds) {
        for page in self.walker.baseline.pages.keys() {
            match Url::parse(page) {
                Ok(url) if self.walker.scope.place(&url) == Place::Inside => {
                    seeds.pages.entry(page.clone()).or_insert(FoundBy::Known);
                }
                _ => *seeds.skipped.entry("known_out_of_scope".to_owned()).or_default() += 1,
            }
        }
    }

    fn add_seeds(&self, seeds: &Seeds) {
        let mut frontier = self.frontier();
        for (page, found_by) in &seeds.pages {
            frontier.add(page, *found_by);
        }
    }

    /// Takes the visits of the interrupted crawl as if they had just been made.
    fn replay(&mut self) {
        let Some(resumed) = &mut self.resumed else { return };
        for visit in std::mem::take(&mut resumed.visits) {
            absorb(&self.walker, &mut locked(&self.state), visit, self.source.follow_links);
        }
    }

    /// Asks for the pages of one wave: each host at its own pace.
    async fn ask_wave(&self, wave: Vec<String>) -> Result<(), CrawlError> {
        let mut queues: BTreeMap<String, VecDeque<String>> = BTreeMap::new();
        for page in wave {
            let host = Url::parse(&page).map(|it| host_key(&it)).unwrap_or_default();
            queues.entry(host).or_default().push_back(page);
        }
        let mut workers = JoinSet::new();
        for (host, queue) in queues {
            let places = self.source.politeness.concurrency.max(1).min(queue.len());
            let queue = Arc::new(Mutex::new(queue));
            for _ in 0..places {
                workers.spawn(work(Worker {
                    queue: Arc::clone(&queue),
                    host: host.clone(),
                    walker: Arc::clone(&self.walker),
                    state: Arc::clone(&self.state),
                    progress: Arc::clone(&self.deps.progress),
                    stop: self.deps.stop.clone(),
                    source: self.source.id.clone(),
                    follows_links: self.source.follow_links,
                }));
            }
        }
        while let Some(joined) = workers.join_next().await {
            if let Err(cause) = joined {
                workers.abort_all();
                let what = "a worker of the crawl".to_owned();
                return Err(KeepError { what, detail: cause.to_string() }.into());
            }
        }
        if let Some(failure) = locked(&self.state).failure.take() {
            return Err(failure.into());
        }
        if self.deps.stop.is_set() {
            let (done, known) = (locked(&self.state).done, self.frontier().len());
            return Err(CrawlError::Stopped { done, known });
        }
        Ok(())
    }

    /// Addresses of sitemaps that were met as pages; true where there were any.
    async fn take_found_sitemaps(&self, seeds: &mut Seeds) -> Result<bool, CrawlError> {
        let found = std::mem::take(&mut locked(&self.state).sitemaps);
        for (url, body) in &found {
            seeds.take_met_sitemap(&self.walker.asker, url, body).await?;
        }
        self.add_seeds(seeds);
        Ok(!found.is_empty())
    }

    fn conclude(self, seeds: &Seeds) -> Result<CrawlReport, CrawlError> {
        let State { visits, mut skipped, .. } = std::mem::take(&mut *locked(&self.state));
        for (reason, n) in &seeds.skipped {
            *skipped.entry(reason.clone()).or_default() += n;
        }
        let old = Arc::clone(&self.walker.baseline);
        let now = self.deps.clock.now();
        let (found_by, cut) = {
            let frontier = self.frontier();
            (frontier.asked(), frontier.cut.clone())
        };
        let missing: Vec<String> =
            found_by.keys().filter(|it| !visits.contains_key(*it)).take(5).cloned().collect();
        if !missing.is_empty() {
            let settled = visits.len();
            return Err(CrawlError::Unaccounted { known: found_by.len(), settled, missing });
        }
        let mut settled = settle(&Case {
            old: &old,
            visits: &visits,
            found_by: &found_by,
            answering_hosts: &seeds.answering_hosts,
            confirm_removal_after: self.source.politeness.confirm_removal_after,
            now,
        });
        self.drop_foreign(&mut settled.pages);
        join_aliases(&mut settled, &old);
        settled.outcomes.extend(seeds.refused.iter().map(|(refused, by)| refusal(refused, *by)));
        settled.outcomes.sort_by(|a, b| a.page.cmp(&b.page));
        let manifest = manifest_of(&self.source.id, &settled, &seeds.spellings);
        let unwritable = |it: serde_json::Error| CrawlError::Unwritable { detail: it.to_string() };
        let manifest_file = manifest_bytes(&manifest).map_err(unwritable)?;
        let edition = edition_of(&manifest_file);

        let mut flags: BTreeSet<String> = seeds.flags.clone();
        if !cut.is_empty() {
            skipped.insert("page_limit".to_owned(), u64::try_from(cut.len()).unwrap_or(u64::MAX));
            flags.insert(format!(
                "page_limit: {} pages beyond max_pages were not asked for",
                cut.len()
            ));
        }
        let needs_person =
            settled.outcomes.iter().any(|it| needs_attention(it, old.pages.get(&it.page)));
        let exit = exit_of(
            &settled.outcomes,
            needs_person || !flags.is_empty(),
            manifest.pages.is_empty(),
        );
        let mut outcomes: BTreeMap<String, u64> = BTreeMap::new();
        for it in &settled.outcomes {
            *outcomes.entry(it.outcome.as_str().to_owned()).or_default() += 1;
        }
        let record = CrawlRecord {
            format: CRAWL_FORMAT.to_owned(),
            source: self.source.id.clone(),
            edition: edition.clone(),
            started: self.started,
            finished: now,
            resumed_from: self.resumed.as_ref().map(|it| it.started),
            counts: count(&settled.outcomes),
            outcomes,
            documents: u64::try_from(manifest.pages.len()).unwrap_or(u64::MAX),
            removal_candidates: removal_candidates(&settled, now),
            listings: Vec::new(),
            flags: flags.into_iter().collect(),
            notes: seeds.notes.iter().cloned().collect(),
            skipped,
            pages: settled.outcomes,
        };
        let mut baseline = Baseline {
            format: BASELINE_FORMAT.to_owned(),
            source: self.source.id.clone(),
            crawls: old.crawls + 1,
            edition: Some(edition.clone()),
            pages: settled.pages,
            hosts: old.hosts.clone(),
            listings: old.listings.clone(),
        };
        for host in settled.liars {
            let state = baseline.hosts.entry(host).or_default();
            state.validators_untrusted_since.get_or_insert(now);
        }
        for state in baseline.hosts.values_mut() {
            state.not_before = state.not_before.filter(|it| *it > now);
        }
        for (host, until) in self.walker.asker.hosts.parked() {
            baseline.hosts.entry(host).or_default().not_before = Some(until);
        }
        self.deps.store.finish(&Finished {
            edition: &edition,
            manifest: &manifest_file,
            record: &record,
            baseline: &baseline,
        })?;
        let tally = &self.walker.asker.tally;
        let order = std::sync::atomic::Ordering::Relaxed;
        Ok(CrawlReport {
            manifest_digest: hex_sha256(&manifest_file),
            exit,
            taken_over_from: self.taken_over_from,
            requests: tally.requests.load(order),
            bytes: tally.bytes.load(order),
            record,
        })
    }

    /// Pages that the declaration no longer covers leave the edition and the baseline.
    fn drop_foreign(&self, pages: &mut BTreeMap<String, crate::model::baseline::PageState>) {
        pages.retain(|page, _| {
            Url::parse(page).is_ok_and(|it| self.walker.scope.place(&it) == Place::Inside)
        });
    }
}

/// One worker of one host.
struct Worker<F, C> {
    queue: Arc<Mutex<VecDeque<String>>>,
    host: String,
    walker: Arc<Walker<F, C>>,
    state: Arc<Mutex<State>>,
    progress: Arc<dyn Progress>,
    stop: Stop,
    source: String,
    follows_links: bool,
}

async fn work<F: Fetch + 'static, C: Clock + 'static>(worker: Worker<F, C>) {
    loop {
        let Some(page) = locked(&worker.queue).pop_front() else { return };
        if worker.stop.is_set() || locked(&worker.state).failure.is_some() {
            return;
        }
        let visited = tokio::select! {
            biased;
            () = worker.stop.wait() => return,
            visited = worker.walker.visit(&page) => visited,
        };
        let noted = visited.and_then(|visited| {
            for visit in &visited.visits {
                let line = json_line(&JournalLine::Visit(Box::new(visit.clone())))?;
                worker.walker.store.note(&line)?;
            }
            Ok(visited)
        });
        let visited = match noted {
            Ok(visited) => visited,
            Err(failure) => {
                locked(&worker.state).failure.get_or_insert(failure);
                return;
            }
        };
        let mut state = locked(&worker.state);
        let mut outcome = Outcome::Ok;
        for visit in visited.visits {
            outcome = outcome_so_far(&visit);
            absorb(&worker.walker, &mut state, visit, worker.follows_links);
        }
        if let (Some(body), Ok(url)) = (visited.sitemap, Url::parse(&page)) {
            state.sitemaps.push((url, body));
        }
        let order = std::sync::atomic::Ordering::Relaxed;
        let tally = &worker.walker.asker.tally;
        let known = locked(&worker.walker.frontier).len();
        worker.progress.page_done(&Pulse {
            source: &worker.source,
            page: &page,
            host: &worker.host,
            outcome,
            done: state.done,
            known,
            requests: tally.requests.load(order),
            bytes: tally.bytes.load(order),
        });
    }
}

/// Takes a visit into the crawl: its links become pages of the next wave.
fn absorb<F, C>(walker: &Walker<F, C>, state: &mut State, mut visit: Visit, follows_links: bool) {
    let mut frontier = locked(&walker.frontier);
    if visit.is_page {
        frontier.note_done(&visit.page);
        state.done += 1;
    }
    let links = std::mem::take(&mut visit.links);
    if follows_links {
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

fn outcome_so_far(visit: &Visit) -> Outcome {
    match &visit.ending {
        Ending::Captured(_) | Ending::Sitemap => Outcome::Ok,
        Ending::NotModified { .. } => Outcome::NotModified,
        Ending::Moved { .. } => Outcome::Moved,
        Ending::Failed(failed) => failed.outcome,
    }
}

fn exit_of(outcomes: &[PageOutcome], needs_person: bool, is_empty: bool) -> ExitClass {
    if outcomes.is_empty() {
        ExitClass::Nothing
    } else if is_empty && outcomes.iter().all(|it| it.outcome == Outcome::FailedTransient) {
        ExitClass::Fail
    } else if needs_person {
        ExitClass::Attention
    } else {
        ExitClass::Ok
    }
}

/// A declared or listed address that is not asked at all.
fn refusal(refused: &crate::crawl::url::RefusedAddress, found_by: FoundBy) -> PageOutcome {
    PageOutcome {
        page: refused.address.clone(),
        outcome: refused.outcome,
        reason: refused.reason.clone(),
        detail: "the address is refused before anything is asked".to_owned(),
        change: None,
        baseline_advanced: false,
        found_by,
        redirects: Vec::new(),
        target: None,
        alias_of: None,
        media: None,
        charset: None,
        raw: None,
        raw_changed: false,
        text_changed: false,
        open_runs: 0,
        since: None,
        gone_seen: 0,
        retry_not_before: None,
        flags: Vec::new(),
        han_percent: None,
        han_percent_before: None,
        connected_to: None,
        requests: 0,
    }
}

/// Sent with every request: who we are, what we read, in which language.
fn request_headers(language: &str, user_agent: &str) -> Vec<(String, String)> {
    let primary = language.split('-').next().unwrap_or_default();
    let languages = if primary == language {
        format!("{language}, *;q=0.1")
    } else {
        format!("{language}, {primary};q=0.8, *;q=0.1")
    };
    let accept = "text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.5";
    [("user-agent", user_agent), ("accept", accept), ("accept-language", &languages)]
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// Digest of everything that decides what a visit is.
fn rules_of(source: &Source, reader: &dyn ReadPage) -> Result<String, CrawlError> {
    let json =
        canonical_json(source).map_err(|it| CrawlError::Unwritable { detail: it.to_string() })?;
    Ok(hex_sha256(format!("{json}\n{}", reader.version()).as_bytes()))
}

fn json_line(line: &JournalLine) -> Result<String, KeepError> {
    serde_json::to_string(line)
        .map_err(|it| KeepError { what: "the journal".to_owned(), detail: it.to_string() })
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
