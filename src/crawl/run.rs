//! The crawl of one source, from declaration to edition.
//!
//! Every page that became known ends in exactly one outcome, or the crawl fails.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use jiff::Timestamp;
use url::Url;

use crate::ask::canonical::{canonical_json, hex_sha256};
use crate::crawl::asker::{Asker, Tally};
use crate::crawl::capture::Bench;
use crate::crawl::conclude::{Harvest, conclude};
use crate::crawl::crew::{Crew, State, journal_line};
use crate::crawl::frontier::Frontier;
use crate::crawl::journal::{Resumed, read_journal};
use crate::crawl::keep::{Begun, Finished, Keep, KeepError};
use crate::crawl::listing::{ListingPage, Listings, MAX_PAGES, is_empty, is_last, listing_address};
use crate::crawl::politeness::{Hosts, later};
use crate::crawl::progress::{Progress, Stop};
use crate::crawl::reading::ReadPage;
use crate::crawl::scope::{Place, Scope, ScopeError};
use crate::crawl::seeds::Seeds;
use crate::crawl::url::{page_of, read_address};
use crate::crawl::visit::{Captured, Ending, JournalHead, JournalLine, Visit};
use crate::crawl::walk::Walker;
use crate::fetch::exchange::{Clock, Fetch};
use crate::model::page::Outcome;
use crate::model::snapshot::{CrawlRecord, FoundBy};
use crate::model::source::Source;

pub use crate::model::snapshot::ExitClass;

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
}

/// The page that a declared address names, as it is known by.
fn page_name(address: &str) -> Option<String> {
    Some(String::from(page_of(&read_address(address).ok()?)))
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
    #[error("the crawl cannot be written down: {0}")]
    Unwritable(#[from] serde_json::Error),
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
    let now = deps.clock.now();
    if let Some(record) = finished_already(&begun, now) {
        // The last crawl was killed after its last word and before it could tidy up.
        let manifest_digest = hex_sha256(&store.drop_journal(&record.edition)?);
        let taken_over_from = begun.taken_over_from;
        let exit = record.exit;
        return Ok(CrawlReport {
            record,
            manifest_digest,
            exit,
            taken_over_from,
            requests: 0,
            bytes: 0,
        });
    }
    let stop = deps.stop.clone();
    let ended = match Crawl::prepare(source, deps, scope, begun) {
        Ok(crawl) => {
            let crew = Arc::clone(&crawl.crew);
            tokio::select! {
                biased;
                ended = crawl.run() => ended,
                () = stop.wait() => Err(stopped(crew.how_far())),
            }
        }
        Err(cause) => Err(cause),
    };
    if ended.is_err() {
        store.leave();
    }
    ended
}

fn stopped((done, known): (usize, usize)) -> CrawlError {
    CrawlError::Stopped { done, known }
}

/// How long a crawl that only lacked its tidying up counts as the one that was asked for.
const JUST_NOW: std::time::Duration = std::time::Duration::from_secs(3600);

/// The crawl whose journal is still there although it was finished.
fn finished_already(begun: &Begun, now: Timestamp) -> Option<CrawlRecord> {
    let JournalLine::Begin(head) = serde_json::from_str(begun.journal.first()?).ok()? else {
        return None;
    };
    let is_finished = begun.baseline.as_ref()?.last_begun == Some(head.started);
    let record = begun.last_crawl.clone().filter(|it| it.begun == head.started)?;
    (is_finished && later(record.finished, JUST_NOW) >= now).then_some(record)
}

struct Crawl<F, C> {
    source: Source,
    crew: Arc<Crew<F, C>>,
    resumed: Option<Resumed>,
    taken_over_from: Option<String>,
    started: Timestamp,
}

impl<F: Fetch + 'static, C: Clock + 'static> Crawl<F, C> {
    fn prepare(
        source: &Source,
        deps: Deps<F, C>,
        scope: Arc<Scope>,
        begun: Begun,
    ) -> Result<Self, CrawlError> {
        let baseline = Arc::new(begun.baseline.unwrap_or_default());
        let started = deps.clock.now();
        let head = JournalHead { started, rules: rules_of(source, deps.reader.as_ref())? };
        let resumed = read_journal(&begun.journal, &head, deps.store.as_ref())
            .filter(|it| baseline.last_begun != Some(it.started));
        if resumed.is_none() {
            // What another crawl noted is of no use to this one.
            deps.store.clear_journal()?;
            deps.store.note(&journal_line(&JournalLine::Begin(head))?)?;
        }
        let hosts = Hosts::new(source.politeness.clone());
        for (host, state) in &baseline.hosts {
            if let Some(until) = state.not_before.filter(|it| *it > started) {
                hosts.host(host).park_until(until);
            }
        }
        let walker = Arc::new(Walker {
            asker: Asker {
                fetch: deps.fetch,
                clock: deps.clock,
                store: Arc::clone(&deps.store),
                hosts,
                limits: source.politeness.clone(),
                scope: Arc::clone(&scope),
                headers: request_headers(&source.language, &deps.options.user_agent),
                tally: Tally::default(),
            },
            reader: deps.reader,
            store: deps.store,
            scope,
            baseline,
            frontier: Mutex::new(Frontier::new(source.politeness.max_pages)),
            source_language: source.language.split('-').next().unwrap_or_default().to_owned(),
            probes_twice: source.probe_twice,
            vouched_for: source.vouched_for.iter().filter_map(|it| page_name(it)).collect(),
        });
        let crew = Arc::new(Crew {
            walker,
            state: Mutex::new(State::default()),
            progress: deps.progress,
            stop: deps.stop,
            source: source.id.clone(),
            follows_links: source.follow_links,
            concurrency: source.politeness.concurrency,
        });
        let taken_over_from = begun.taken_over_from;
        Ok(Self { source: source.clone(), crew, resumed, taken_over_from, started })
    }

    async fn run(mut self) -> Result<CrawlReport, CrawlError> {
        let mut seeds = self.seed();
        seeds.read_sitemaps(&self.crew.walker.asker, &self.crew.walker.baseline).await?;
        self.add_seeds(&seeds);
        self.replay();
        let listings = self.read_listings(&mut seeds).await?;
        loop {
            let wave = self.crew.walker.frontier().take_wave();
            let todo: Vec<String> = {
                let state = self.crew.state();
                wave.into_iter().filter(|it| !state.visits.contains_key(it)).collect()
            };
            self.crew.ask_wave(todo).await?;
            self.check_stop()?;
            let found = self.take_found_sitemaps(&mut seeds).await?;
            if !found && self.crew.walker.frontier().is_exhausted() {
                break;
            }
        }
        self.finish(&seeds, &listings)
    }

    /// Declared addresses, and pages known from earlier crawls whether or not anything still
    /// names them.
    fn seed(&self) -> Seeds {
        let mut seeds = Seeds::default();
        let walker = &self.crew.walker;
        for url in &walker.scope.start {
            seeds.add(url, FoundBy::Start);
        }
        for refused in &walker.scope.refused {
            seeds.refuse(refused, FoundBy::Start);
        }
        for page in walker.baseline.pages.keys() {
            match Url::parse(page) {
                Ok(url) if walker.scope.place(&url) == Place::Inside => {
                    seeds.pages.entry(page.clone()).or_insert(FoundBy::Known);
                }
                _ => *seeds.skipped.entry("known_out_of_scope".to_owned()).or_default() += 1,
            }
        }
        seeds
    }

    fn add_seeds(&self, seeds: &Seeds) {
        let mut frontier = self.crew.walker.frontier();
        for (page, found_by) in &seeds.pages {
            frontier.add(page, *found_by);
        }
    }

    /// Takes the visits of the interrupted crawl as if they had just been made.
    fn replay(&mut self) {
        let Some(resumed) = &mut self.resumed else { return };
        for visit in std::mem::take(&mut resumed.visits) {
            self.crew.absorb(visit);
        }
    }

    fn check_stop(&self) -> Result<(), CrawlError> {
        if self.crew.stop.is_set() { Err(stopped(self.crew.how_far())) } else { Ok(()) }
    }

    /// Reads each numbered listing page by page, up to the first page that lists nothing.
    async fn read_listings(&self, seeds: &mut Seeds) -> Result<Listings, CrawlError> {
        let mut listings = Listings::new();
        let base = self.crew.walker.scope.start.first();
        for pattern in &self.source.listings {
            let mut first = None;
            let mut seen: BTreeSet<String> = BTreeSet::new();
            let mut stated = None;
            for n in 1..=MAX_PAGES {
                let url = match listing_address(pattern, n, base) {
                    Ok(url) if self.crew.walker.scope.place(&url) == Place::Inside => page_of(&url),
                    Ok(url) => {
                        seeds.flags.insert(format!("listing_out_of_scope: {url}"));
                        break;
                    }
                    Err(refused) => {
                        seeds.refuse(&refused, FoundBy::Start);
                        break;
                    }
                };
                let first = first.get_or_insert_with(|| url.to_string()).clone();
                let page = self.read_listing_page(url.as_str(), n).await?;
                self.check_stop()?;
                // A server that knows no such number often shows its last or first page again.
                let is_repeat = page.entries.is_subset(&seen) && page.stated == stated;
                stated = page.stated;
                let (is_last, is_end) = (is_last(&page), is_empty(&page));
                seen.extend(page.entries.iter().cloned());
                listings.entry(first).or_default().push(page);
                if is_end || is_repeat || is_last {
                    break;
                }
            }
        }
        Ok(listings)
    }

    async fn read_listing_page(&self, page: &str, n: u32) -> Result<ListingPage, CrawlError> {
        self.crew.walker.frontier().add_listing(page);
        let is_visited = self.crew.state().visits.contains_key(page);
        if !is_visited {
            self.crew.visit(page).await?;
        }
        let mut state = self.crew.state();
        let Some(visit) = state.visits.get(page) else { return Ok(ListingPage::default()) };
        let read = listing_of(visit);
        // What lies behind the end of a listing is not a page of the source.
        let is_known = self.crew.walker.baseline.pages.contains_key(page);
        if n > 1 && !is_known && is_empty(&read) && is_end(visit) {
            state.visits.remove(page);
            state.done = state.done.saturating_sub(1);
            self.crew.walker.frontier().release(page);
        }
        Ok(read)
    }

    /// Addresses of sitemaps that were met as pages; true where there were any.
    async fn take_found_sitemaps(&self, seeds: &mut Seeds) -> Result<bool, CrawlError> {
        let found = std::mem::take(&mut self.crew.state().sitemaps);
        for (url, body) in &found {
            seeds.take_met_sitemap(&self.crew.walker.asker, url, body).await?;
        }
        self.add_seeds(seeds);
        Ok(!found.is_empty())
    }

    fn finish(self, seeds: &Seeds, listings: &Listings) -> Result<CrawlReport, CrawlError> {
        let State { visits, skipped, .. } = std::mem::take(&mut *self.crew.state());
        let walker = &self.crew.walker;
        let (found_by, cut) = {
            let frontier = walker.frontier();
            (frontier.asked(), frontier.cut.clone())
        };
        let mut missing = found_by.keys().filter(|it| !visits.contains_key(*it)).peekable();
        if missing.peek().is_some() {
            return Err(CrawlError::Unaccounted {
                known: found_by.len(),
                settled: visits.len(),
                missing: missing.take(5).cloned().collect(),
            });
        }
        let reread = self.reread_rest(&visits)?;
        let concluded = conclude(&Harvest {
            source: &self.source.id,
            old: &walker.baseline,
            scope: &walker.scope,
            visits: &visits,
            found_by: &found_by,
            seeds,
            listings,
            reread: &reread,
            cut: &cut,
            skipped: &skipped,
            parked: &walker.asker.hosts.parked(),
            confirm_removal_after: self.source.politeness.confirm_removal_after,
            started: self.started,
            resumed_from: self.resumed.as_ref().map(|it| it.started),
            now: walker.asker.clock.now(),
        })?;
        walker.store.finish(&Finished {
            edition: &concluded.record.edition,
            manifest: &concluded.manifest,
            record: &concluded.record,
            baseline: &concluded.baseline,
        })?;
        let tally = &walker.asker.tally;
        Ok(CrawlReport {
            manifest_digest: hex_sha256(&concluded.manifest),
            exit: concluded.record.exit,
            taken_over_from: self.taken_over_from,
            requests: tally.requests.load(Ordering::Relaxed),
            bytes: tally.bytes.load(Ordering::Relaxed),
            record: concluded.record,
        })
    }

    /// Pages that gave nothing new keep their bytes; where the reader changed since, those bytes
    /// are read again, so that an edition is never of two readers.
    fn reread_rest(
        &self,
        visits: &BTreeMap<String, Visit>,
    ) -> Result<BTreeMap<String, Captured>, CrawlError> {
        let walker = &self.crew.walker;
        let version = walker.reader.version();
        let bench = Bench {
            store: walker.store.as_ref(),
            reader: walker.reader.as_ref(),
            scope: &walker.scope,
            source_language: &walker.source_language,
        };
        let mut reread = BTreeMap::new();
        for (page, state) in &walker.baseline.pages {
            let Some(accepted) = state.accepted.as_ref().filter(|it| it.reader != version) else {
                continue;
            };
            let ending = visits.get(page).map(|it| &it.ending);
            if matches!(ending, Some(Ending::Captured(_) | Ending::NotModified { .. })) {
                continue;
            }
            if let Some(captured) = bench.reread(accepted)? {
                reread.insert(page.clone(), captured);
            }
        }
        Ok(reread)
    }
}

/// What a visit to a page of a listing brought.
fn listing_of(visit: &Visit) -> ListingPage {
    match &visit.ending {
        Ending::Captured(captured) => captured.listing.clone().unwrap_or_default(),
        _ => ListingPage::default(),
    }
}

/// A page behind the last one: without entries, or not there.
fn is_end(visit: &Visit) -> bool {
    match &visit.ending {
        Ending::Captured(_) => true,
        Ending::Failed(failed) => {
            matches!(
                failed.outcome,
                Outcome::GoneSuspected | Outcome::SoftGone | Outcome::SelectorMissing
            ) || failed.reason == "empty_page"
        }
        _ => false,
    }
}

/// Sent with every request: who we are, what we read, in which language.
fn request_headers(language: &str, user_agent: &str) -> Vec<(String, String)> {
    let languages = accepted_languages(language);
    let accept = "text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.5";
    [("user-agent", user_agent), ("accept", accept), ("accept-language", &languages)]
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// `Accept-Language`: the source's own tag first, then the tags that servers know it by.
fn accepted_languages(language: &str) -> String {
    let lower = language.to_ascii_lowercase();
    let also: &[&str] = match lower.as_str() {
        "zh-hant" => &["zh-TW", "zh-HK", "zh"],
        "zh-hans" => &["zh-CN", "zh-SG", "zh"],
        it if it.starts_with("zh-hant-") => &["zh-Hant", "zh"],
        it if it.starts_with("zh-hans-") => &["zh-Hans", "zh"],
        "zh-tw" | "zh-hk" | "zh-mo" => &["zh-Hant", "zh"],
        "zh-cn" | "zh-sg" => &["zh-Hans", "zh"],
        _ => &[],
    };
    let primary = language.split('-').next().filter(|it| *it != language && also.is_empty());
    let mut header = language.to_owned();
    for (at, tag) in also.iter().copied().chain(primary).enumerate() {
        header.push_str(&format!(", {tag};q=0.{}", 9 - at.min(7)));
    }
    header + ", *;q=0.1"
}

/// Digest of everything that decides what a visit is.
fn rules_of(source: &Source, reader: &dyn ReadPage) -> Result<String, CrawlError> {
    let json = canonical_json(source)?;
    Ok(hex_sha256(format!("{json}\n{}", reader.version()).as_bytes()))
}
