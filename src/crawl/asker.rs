//! Asks for one address: robots.txt first, then the host's turn, the tries, the log. Judges nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::json;
use tokio::sync::OnceCell;
use url::Url;

use crate::crawl::keep::{Keep, KeepError};
use crate::crawl::politeness::{Hosts, Parked, later};
use crate::crawl::retry::{Attempt, GivenUp, Next, decide};
use crate::crawl::robots::{MAX_REDIRECTS, RobotsFile, RobotsVerdict};
use crate::crawl::scope::Scope;
use crate::crawl::url::{host_key, read_relative};
use crate::fetch::exchange::{Clock, Fetch, FetchError, Request, Response};
use crate::model::page::Outcome;
use crate::model::source::Politeness;

/// Asks, for one crawl.
pub struct Asker<F, C> {
    pub fetch: Arc<F>,
    pub clock: Arc<C>,
    pub store: Arc<dyn Keep>,
    pub hosts: Hosts,
    pub limits: Politeness,
    pub scope: Arc<Scope>,
    /// Sent with every request, in this order.
    pub headers: Vec<(String, String)>,
    pub tally: Tally,
}

/// Totals of a crawl.
#[derive(Debug, Default)]
pub struct Tally {
    pub requests: AtomicU64,
    pub bytes: AtomicU64,
}

/// What came of asking.
#[derive(Debug)]
pub struct Asked {
    pub answer: Result<Response, GivenUp>,
    /// Requests made for it.
    pub requests: u32,
}

impl<F: Fetch, C: Clock> Asker<F, C> {
    /// What robots.txt says of `url`; the file is read once a crawl.
    ///
    /// # Errors
    /// When the log cannot be written.
    pub async fn permission(&self, url: &Url) -> Result<RobotsVerdict, KeepError> {
        let place = self.robots_of(url).await?;
        Ok(place.get().map_or(RobotsVerdict::Allowed, |it| it.verdict(url)))
    }

    /// The robots.txt of `url`'s origin, read.
    ///
    /// # Errors
    /// When the log cannot be written.
    pub async fn robots_of(&self, url: &Url) -> Result<Arc<OnceCell<RobotsFile>>, KeepError> {
        let origin = url.origin().ascii_serialization();
        let place = self.hosts.robots(&origin);
        place
            .get_or_try_init(|| async {
                let file = self.read_robots(url).await?;
                if let Some(delay) = file.crawl_delay() {
                    self.hosts.host(&host_key(url)).slow_down(delay);
                }
                Ok::<_, KeepError>(file)
            })
            .await?;
        Ok(place)
    }

    async fn read_robots(&self, url: &Url) -> Result<RobotsFile, KeepError> {
        let Ok(mut at) = url.join("/robots.txt") else { return Ok(RobotsFile::Absent) };
        for _ in 0..=MAX_REDIRECTS {
            let asked = self.ask(&at, &[]).await?;
            let response = match asked.answer {
                Ok(response) => response,
                Err(GivenUp { retry_not_before: Some(until), .. }) if asked.requests == 0 => {
                    return Ok(RobotsFile::Parked { until });
                }
                Err(given_up) => return Ok(unreached(given_up)),
            };
            match response.status {
                200..=299 => return Ok(RobotsFile::parse(&response.body)),
                300..=399 => {
                    let target = location(&response).and_then(|it| read_relative(&it, &at).ok());
                    let Some(target) = target else { return Ok(RobotsFile::Absent) };
                    at = target;
                }
                _ => return Ok(RobotsFile::Absent),
            }
        }
        Ok(RobotsFile::Absent)
    }

    /// Asks until there is an answer to judge, or none is to be had.
    ///
    /// # Errors
    /// When the log cannot be written.
    pub async fn ask(&self, url: &Url, extra: &[(String, String)]) -> Result<Asked, KeepError> {
        let host = self.hosts.host(&host_key(url));
        let mut requests = 0;
        loop {
            let place = match host.turn(self.clock.as_ref()).await {
                Ok(place) => place,
                Err(parked) => return Ok(Asked { answer: Err(of_parked(parked)), requests }),
            };
            requests += 1;
            let result = self.fetch.fetch(self.request(url, extra)).await;
            drop(place);
            let now = self.clock.now();
            self.log(url, requests, &result)?;
            let attempt = Attempt { number: requests, result: &result, now, limits: &self.limits };
            match decide(&attempt) {
                Next::Judge => {
                    let answer = result.map_err(|it| broken(&it));
                    return Ok(Asked { answer, requests });
                }
                Next::GiveUp(given_up) => {
                    if let Some(until) = given_up.retry_not_before {
                        host.park_until(until);
                    }
                    return Ok(Asked { answer: Err(given_up), requests });
                }
                Next::Again { wait } => {
                    // A host that asks for a pause gets it from all of us; a lost connection is
                    // the page's own affair.
                    if matches!(&result, Ok(it) if matches!(it.status, 429 | 503)) {
                        host.hold_until(later(now, wait));
                    } else {
                        self.clock.sleep(wait).await;
                    }
                }
            }
        }
    }

    fn request(&self, url: &Url, extra: &[(String, String)]) -> Request {
        Request {
            url: url.clone(),
            headers: self.headers.iter().chain(extra).cloned().collect(),
            timeout: Duration::from_secs(self.limits.timeout_s),
            max_bytes: self.limits.max_bytes,
            private_addresses_are_allowed: self.scope.may_be_private(url),
        }
    }

    /// One line for each attempt: times, cookies and request ids live here and nowhere else.
    fn log(
        &self,
        url: &Url,
        attempt: u32,
        result: &Result<Response, FetchError>,
    ) -> Result<(), KeepError> {
        let request = self.tally.requests.fetch_add(1, Ordering::Relaxed) + 1;
        let time = self.clock.now();
        let line = match result {
            Ok(it) => {
                let len = u64::try_from(it.body.len()).unwrap_or(u64::MAX);
                self.tally.bytes.fetch_add(len, Ordering::Relaxed);
                json!({"request": request, "time": time, "url": url.as_str(), "attempt": attempt,
                    "status": it.status, "bytes": len, "remote": it.remote, "headers": it.headers})
            }
            Err(cause) => json!({"request": request, "time": time, "url": url.as_str(),
                "attempt": attempt, "error": cause.to_string()}),
        };
        self.store.log(&line.to_string())
    }
}

/// The target of a redirect as text: bytes beyond ASCII are taken as UTF-8 where they are.
pub fn location(response: &Response) -> Option<String> {
    let value = response.header("location")?;
    let bytes: Option<Vec<u8>> = value.chars().map(|it| u8::try_from(it).ok()).collect();
    Some(bytes.and_then(|it| String::from_utf8(it).ok()).unwrap_or_else(|| value.to_owned()))
}

/// What a robots.txt that was not answered means.
fn unreached(given_up: GivenUp) -> RobotsFile {
    match given_up.outcome {
        Outcome::RefusedAddress => RobotsFile::RefusedAddress { detail: given_up.detail },
        // A refusal (4xx) is "unavailable" in RFC 9309; the pages will be refused as well.
        Outcome::BlockedBySite => RobotsFile::Absent,
        _ => RobotsFile::Unreachable { detail: given_up.detail },
    }
}

fn of_parked(parked: Parked) -> GivenUp {
    GivenUp {
        outcome: Outcome::FailedTransient,
        reason: "rate_limited".to_owned(),
        detail: format!("the host wants no request before {}", parked.until),
        retry_not_before: Some(parked.until),
    }
}

/// An error that is to be judged as an answer cannot happen; if it does, it is a failure.
fn broken(error: &FetchError) -> GivenUp {
    GivenUp {
        outcome: Outcome::FailedTransient,
        reason: "unreadable_answer".to_owned(),
        detail: error.to_string(),
        retry_not_before: None,
    }
}
