//! One page from its address to its ending: permission, answer, redirects, capture.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use url::Url;

use crate::crawl::asker::{Asker, location};
use crate::crawl::capture::{Arrived, Bench, Made};
use crate::crawl::frontier::Frontier;
use crate::crawl::keep::{Keep, KeepError};
use crate::crawl::reading::ReadPage;
use crate::crawl::redirect::{Course, Redirect, decide};
use crate::crawl::retry::GivenUp;
use crate::crawl::robots::RobotsVerdict;
use crate::crawl::scope::Scope;
use crate::crawl::url::{host_key, page_of, read_link, read_relative};
use crate::crawl::visit::{Captured, Ending, Failed, Visit};
use crate::fetch::exchange::{Clock, Fetch, Response};
use crate::model::baseline::{Accepted, Baseline, Validators};
use crate::model::page::Outcome;
use crate::model::snapshot::{FoundBy, Hop};

/// Visits pages, for one crawl.
pub struct Walker<F, C> {
    pub asker: Asker<F, C>,
    pub reader: Arc<dyn ReadPage>,
    pub store: Arc<dyn Keep>,
    pub scope: Arc<Scope>,
    pub baseline: Arc<Baseline>,
    pub frontier: Mutex<Frontier>,
    pub source_language: String,
    /// True where a page seen for the first time is asked for twice.
    pub probes_twice: bool,
    /// Pages the operator vouches for.
    pub vouched_for: BTreeSet<String>,
}

/// Where a visit stands.
struct Trip {
    page: Url,
    found_by: FoundBy,
    is_listing: bool,
    before: Option<Accepted>,
    at: Url,
    redirects: Vec<Hop>,
    is_permanent: bool,
    /// Pages that were new when a redirect led to them.
    claimed: Vec<String>,
    requests: u32,
    is_audit: bool,
    remote: Option<String>,
    was_asked_again: bool,
}

/// What follows a step.
enum Step {
    On,
    End(Found),
}

/// The end of a trip and what it found on the way.
struct Found {
    ending: Ending,
    links: Vec<String>,
    skipped: BTreeMap<String, u64>,
    sitemap: Option<Vec<u8>>,
}

impl Found {
    fn only(ending: Ending) -> Self {
        Self { ending, links: Vec::new(), skipped: BTreeMap::new(), sitemap: None }
    }
}

/// A visit, and the body where it turned out to be a sitemap.
pub struct Visited {
    /// The page's own visit last; before it those of addresses passed through.
    pub visits: Vec<Visit>,
    pub sitemap: Option<Vec<u8>>,
}

impl<F: Fetch + 'static, C: Clock + 'static> Walker<F, C> {
    /// Visits `page`, an address in normal form.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn visit(&self, page: &str) -> Result<Visited, KeepError> {
        let url = Url::parse(page).map_err(|it| KeepError {
            what: format!("page {page:?} of the frontier"),
            detail: it.to_string(),
        })?;
        let found_by = self.frontier().found_by(page).unwrap_or(FoundBy::Link);
        let mut trip = Trip::to(url, found_by);
        trip.is_listing = self.frontier().is_listing(page);
        trip.before = self.baseline.pages.get(page).and_then(|it| it.accepted.clone());
        loop {
            match self.step(&mut trip).await? {
                Step::On => {}
                Step::End(found) => return Ok(self.finish(trip, page, found)),
            }
        }
    }

    /// The pages of the crawl.
    pub fn frontier(&self) -> MutexGuard<'_, Frontier> {
        self.frontier.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn step(&self, trip: &mut Trip) -> Result<Step, KeepError> {
        let url = trip.at.clone();
        if let Some(failed) = forbidden(&self.asker.permission(&url).await?) {
            return Ok(Step::End(Found::only(Ending::Failed(Box::new(failed)))));
        }
        let (conditions, is_audit) = self.conditions(trip, &url);
        trip.is_audit |= is_audit;
        let asked = self.asker.ask(&url, &conditions).await?;
        trip.requests += asked.requests;
        let response = match asked.answer {
            Ok(response) => response,
            Err(given_up) => return Ok(Step::End(Found::only(of_given_up(&given_up)))),
        };
        trip.remote = response.remote.map(|it| it.ip().to_string()).or(trip.remote.take());
        if response.status == 304 && !conditions.is_empty() {
            return self.not_modified(trip).await.map(Step::End);
        }
        if matches!(response.status, 301 | 302 | 303 | 307 | 308)
            && let Some(target) = location(&response)
        {
            trip.is_permanent &= matches!(response.status, 301 | 308);
            return Ok(self.turn(trip, response.status, &target));
        }
        self.capture(trip, response).await
    }

    /// The validators that belong to this address, unless this visit is an unconditional look.
    fn conditions(&self, trip: &Trip, url: &Url) -> (Vec<(String, String)>, bool) {
        let Some(state) = self.baseline.pages.get(trip.page.as_str()) else {
            return (Vec::new(), false);
        };
        let validators = state.validators.as_ref().filter(|it| it.url == url.as_str());
        let (Some(validators), Some(_)) = (validators, &state.accepted) else {
            return (Vec::new(), false);
        };
        let host = self.baseline.hosts.get(&host_key(url));
        let is_distrusted = host.is_some_and(|it| it.validators_untrusted_since.is_some());
        // The entries of a listing are counted each time, so a 304 would not help.
        let is_listing = trip.is_listing || state.accepted.as_ref().is_some_and(|it| it.is_listing);
        if is_distrusted || trip.was_asked_again || is_listing {
            return (Vec::new(), false);
        }
        let every = self.asker.limits.full_audit_every;
        if every > 0 && (state.visits + 1).is_multiple_of(every) {
            return (Vec::new(), true);
        }
        (condition_headers(validators), false)
    }

    async fn not_modified(&self, trip: &Trip) -> Result<Found, KeepError> {
        let before = trip.before.clone().filter(|it| it.reader != self.reader.version());
        let Some(before) = before else {
            return Ok(Found::only(Ending::NotModified { reread: None }));
        };
        let reread = self.on_bench(move |bench| bench.reread(&before)).await?;
        Ok(Found::only(Ending::NotModified { reread: reread.map(Box::new) }))
    }

    /// Takes a redirect, or does not.
    fn turn(&self, trip: &mut Trip, status: u16, location: &str) -> Step {
        let end = |failed| Step::End(Found::only(Ending::Failed(Box::new(failed))));
        let target = match read_relative(location, &trip.at) {
            Ok(target) => target,
            Err(refused) => {
                let detail = format!("redirects to {:?}", refused.address);
                return end(Failed::unanswered(refused.outcome, &refused.reason, &detail));
            }
        };
        let hop = Hop { from: trip.at.to_string(), status, to: target.to_string() };
        let is_loop = target == trip.at || trip.redirects.iter().any(|it| it.from == hop.to);
        trip.redirects.push(hop);
        if is_loop || trip.redirects.len() > self.asker.limits.max_redirects {
            let reason = if is_loop { "redirect_loop" } else { "too_many_redirects" };
            let detail = format!("after {} redirects", trip.redirects.len());
            return end(Failed::unanswered(Outcome::FailedTransient, reason, &detail));
        }
        let target_page = page_of(&target);
        // A page that sends us to its own address with parameters is asked under that address.
        let here = trip.claimed.last().map_or(trip.page.as_str(), String::as_str);
        let is_self = target_page.as_str() == here;
        let accepted = trip.before.as_ref().and_then(|it| Url::parse(&it.final_url).ok());
        let mut frontier = self.frontier();
        let redirect = Redirect {
            page: &trip.page,
            target: &target,
            found_by: trip.found_by,
            accepted_host: accepted.as_ref().and_then(Url::host_str),
            target_is_known: !is_self && frontier.contains(target_page.as_str()),
        };
        match decide(&redirect, &self.scope) {
            Course::Follow => {
                trip.at = target;
                if !is_self
                    && self.scope.is_own_host(&target_page)
                    && frontier.claim(target_page.as_str())
                {
                    trip.claimed.push(target_page.to_string());
                    trip.at = target_page;
                }
                Step::On
            }
            Course::Moved => {
                let to = target_page.to_string();
                Step::End(Found::only(Ending::Moved { to, is_permanent: trip.is_permanent }))
            }
            Course::Stop { outcome, reason } => {
                end(Failed::unanswered(outcome, reason, &format!("redirects to {target}")))
            }
        }
    }

    async fn capture(&self, trip: &mut Trip, response: Response) -> Result<Step, KeepError> {
        let own = trip.claimed.last().and_then(|it| Url::parse(it).ok());
        let page = own.unwrap_or_else(|| trip.page.clone());
        let is_at_home = page_of(&trip.at) == page && page != trip.page;
        let second = Arrived {
            redirects: if is_at_home { Vec::new() } else { trip.redirects.clone() },
            page,
            final_url: trip.at.clone(),
            asked: trip.page.clone(),
            response: nothing(),
            before: trip.before.clone(),
            is_vouched_for: self.vouched_for.contains(trip.page.as_str()),
            is_listing: trip.is_listing,
        };
        let arrived = Arrived { response, ..second.clone() };
        let made = self.on_bench(move |bench| bench.make(arrived)).await?;
        Ok(match made {
            Made::Captured { captured, links, skipped } => Step::End(Found {
                ending: Ending::Captured(self.probe(trip, captured, second).await?),
                links: links.into_iter().collect(),
                skipped,
                sitemap: None,
            }),
            Made::Doubted { asks_again: true, .. } if !trip.was_asked_again => {
                trip.was_asked_again = true;
                Step::On
            }
            Made::Doubted { failed, .. } => Step::End(Found::only(Ending::Failed(failed))),
            Made::Refresh { target } => match read_link(&target, &trip.at, None) {
                Ok(target) => self.turn(trip, 200, target.as_str()),
                Err(refused) => {
                    let detail = format!("sends browsers to {:?}", refused.address);
                    let failed = Failed::unanswered(refused.outcome, &refused.reason, &detail);
                    Step::End(Found::only(Ending::Failed(Box::new(failed))))
                }
            },
            Made::Sitemap { bytes } => {
                Step::End(Found { sitemap: Some(bytes), ..Found::only(Ending::Sitemap) })
            }
        })
    }

    /// Looks at a new page a second time, where the source wants that.
    async fn probe(
        &self,
        trip: &mut Trip,
        mut captured: Box<Captured>,
        mut again: Arrived,
    ) -> Result<Box<Captured>, KeepError> {
        if !self.probes_twice || trip.before.is_some() {
            return Ok(captured);
        }
        let asked = self.asker.ask(&trip.at, &[]).await?;
        trip.requests += asked.requests;
        let Ok(response) = asked.answer else { return Ok(captured) };
        again.response = response;
        self.on_bench(move |bench| {
            bench.probe(&mut captured, &again)?;
            Ok(captured)
        })
        .await
    }

    /// Reading, hashing and storing happen off the async threads.
    async fn on_bench<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Bench<'_>) -> Result<T, KeepError> + Send + 'static,
    ) -> Result<T, KeepError> {
        let (store, reader) = (Arc::clone(&self.store), Arc::clone(&self.reader));
        let (scope, language) = (Arc::clone(&self.scope), self.source_language.clone());
        let done = tokio::task::spawn_blocking(move || {
            work(&Bench {
                store: store.as_ref(),
                reader: reader.as_ref(),
                scope: &scope,
                source_language: &language,
            })
        });
        done.await.unwrap_or_else(|cause| {
            Err(KeepError { what: "reading a page".to_owned(), detail: cause.to_string() })
        })
    }

    /// Writes down the trip: the page's own visit, and those of the addresses on the way.
    fn finish(&self, trip: Trip, page: &str, found: Found) -> Visited {
        let mut visits = Vec::new();
        let is_accepted = matches!(found.ending, Ending::Captured(_));
        let mut own = found;
        if !trip.claimed.is_empty() {
            let mut frontier = self.frontier();
            let last = trip.claimed.len() - 1;
            for (at, claimed) in trip.claimed.iter().enumerate() {
                let is_record = is_accepted && at == last;
                if is_record {
                    frontier.note_done(claimed);
                } else {
                    frontier.release(claimed);
                }
                let ending = match (&own.ending, trip.claimed.last()) {
                    (Ending::Captured(_), Some(to)) if !is_record => {
                        Ending::Moved { to: to.clone(), is_permanent: trip.is_permanent }
                    }
                    (ending, _) => ending.clone(),
                };
                visits.push(Visit {
                    page: claimed.clone(),
                    is_page: is_record,
                    redirects: Vec::new(),
                    requests: u32::from(is_record),
                    is_audit: false,
                    remote: trip.remote.clone(),
                    ending,
                    links: if is_record { std::mem::take(&mut own.links) } else { Vec::new() },
                    skipped: if is_record {
                        std::mem::take(&mut own.skipped)
                    } else {
                        BTreeMap::new()
                    },
                });
            }
            if let (true, Some(to)) = (is_accepted, trip.claimed.last()) {
                own.ending = Ending::Moved { to: to.clone(), is_permanent: trip.is_permanent };
            }
        }
        visits.push(Visit {
            page: page.to_owned(),
            is_page: true,
            redirects: trip.redirects,
            requests: trip.requests,
            is_audit: trip.is_audit,
            remote: trip.remote,
            ending: own.ending,
            links: own.links,
            skipped: own.skipped,
        });
        Visited { visits, sitemap: own.sitemap }
    }
}

impl Trip {
    fn to(page: Url, found_by: FoundBy) -> Self {
        Self {
            at: page.clone(),
            page,
            found_by,
            is_listing: false,
            before: None,
            redirects: Vec::new(),
            is_permanent: true,
            claimed: Vec::new(),
            requests: 0,
            is_audit: false,
            remote: None,
            was_asked_again: false,
        }
    }
}

fn forbidden(verdict: &RobotsVerdict) -> Option<Failed> {
    let failed =
        |outcome, reason, detail: String| Some(Failed::unanswered(outcome, reason, &detail));
    match verdict {
        RobotsVerdict::Allowed => None,
        RobotsVerdict::Disallowed { rule } => failed(
            Outcome::BlockedByRobots,
            "disallow",
            format!("robots.txt forbids it: {rule}; it was not asked for"),
        ),
        RobotsVerdict::Unreachable { detail } => failed(
            Outcome::BlockedByRobots,
            "robots_unreachable",
            format!(
                "robots.txt could not be read ({detail}); that forbids everything for this crawl"
            ),
        ),
        RobotsVerdict::Parked { until } => {
            let detail = format!("the host wants no request before {until}");
            let mut failed = Failed::unanswered(Outcome::FailedTransient, "rate_limited", &detail);
            failed.retry_not_before = Some(*until);
            Some(failed)
        }
        RobotsVerdict::RefusedAddress { detail } => {
            failed(Outcome::RefusedAddress, "address_not_public", detail.clone())
        }
    }
}

/// The place of an answer that is still to come.
fn nothing() -> Response {
    Response { status: 0, headers: Vec::new(), body: Vec::new(), remote: None }
}

fn condition_headers(validators: &Validators) -> Vec<(String, String)> {
    let etag = validators.etag.clone().map(|it| ("if-none-match".to_owned(), it));
    let date = validators.last_modified.clone().map(|it| ("if-modified-since".to_owned(), it));
    etag.into_iter().chain(date).collect()
}

fn of_given_up(given_up: &GivenUp) -> Ending {
    let mut failed = Failed::unanswered(given_up.outcome, &given_up.reason, &given_up.detail);
    failed.retry_not_before = given_up.retry_not_before;
    Ending::Failed(Box::new(failed))
}
