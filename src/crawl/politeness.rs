//! One object a host: its pace, its places in flight, its waits. No host waits for another.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio::sync::{OnceCell, Semaphore, SemaphorePermit};

use crate::crawl::robots::RobotsFile;
use crate::fetch::exchange::Clock;
use crate::model::source::Politeness;

/// The hosts of one crawl.
#[derive(Debug)]
pub struct Hosts {
    limits: Politeness,
    hosts: Mutex<BTreeMap<String, Arc<Host>>>,
    /// robots.txt by origin, read once a crawl.
    robots: Mutex<BTreeMap<String, Arc<OnceCell<RobotsFile>>>>,
}

/// One host.
#[derive(Debug)]
pub struct Host {
    places: Semaphore,
    max_wait: Duration,
    pace: Mutex<Pace>,
}

#[derive(Debug)]
struct Pace {
    delay: Duration,
    /// Earliest time of the next request by our own pace.
    next: Timestamp,
    /// Earliest time of the next request by the host's wish.
    held_until: Timestamp,
    /// The host wants none of us until then; nobody waits for that.
    parked_until: Option<Timestamp>,
}

/// A host that is not asked again in this crawl.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parked {
    pub until: Timestamp,
}

impl Hosts {
    /// No host yet.
    pub fn new(limits: Politeness) -> Self {
        Self { limits, hosts: Mutex::default(), robots: Mutex::default() }
    }

    /// The host under `key`, made on first sight.
    pub fn host(&self, key: &str) -> Arc<Host> {
        let mut hosts = locked(&self.hosts);
        let make = || {
            Arc::new(Host {
                places: Semaphore::new(self.limits.concurrency.max(1)),
                max_wait: Duration::from_secs(self.limits.max_wait_s),
                pace: Mutex::new(Pace {
                    delay: Duration::from_millis(self.limits.delay_ms),
                    next: Timestamp::MIN,
                    held_until: Timestamp::MIN,
                    parked_until: None,
                }),
            })
        };
        Arc::clone(hosts.entry(key.to_owned()).or_insert_with(make))
    }

    /// The place of the robots.txt of `origin`.
    pub fn robots(&self, origin: &str) -> Arc<OnceCell<RobotsFile>> {
        Arc::clone(locked(&self.robots).entry(origin.to_owned()).or_default())
    }

    /// Hosts that are parked, with the time they named.
    pub fn parked(&self) -> BTreeMap<String, Timestamp> {
        let hosts = locked(&self.hosts);
        hosts
            .iter()
            .filter_map(|(key, host)| Some((key.clone(), locked(&host.pace).parked_until?)))
            .collect()
    }
}

impl Host {
    /// Waits for a place and for the host's turn. The place is given back when dropped.
    ///
    /// # Errors
    /// When the host is parked, or asks for so long a pace that waiting for it makes no sense.
    pub async fn turn<C: Clock>(&self, clock: &C) -> Result<SemaphorePermit<'_>, Parked> {
        if let Some(until) = locked(&self.pace).parked_until {
            return Err(Parked { until });
        }
        let Ok(place) = self.places.acquire().await else {
            return Err(Parked { until: Timestamp::MAX });
        };
        let mut mine = None;
        loop {
            let now = clock.now();
            let at = {
                let mut pace = locked(&self.pace);
                if let Some(until) = pace.parked_until {
                    return Err(Parked { until });
                }
                let at = *mine.get_or_insert_with(|| {
                    let at = pace.next.max(now).max(pace.held_until);
                    pace.next = later(at, pace.delay);
                    at
                });
                if pace.delay > self.max_wait && at > now {
                    pace.next = at;
                    return Err(Parked { until: at });
                }
                at.max(pace.held_until)
            };
            if at <= now {
                return Ok(place);
            }
            clock.sleep(Duration::try_from(at.duration_since(now)).unwrap_or_default()).await;
        }
    }

    /// The host asked for a pause until `until`.
    pub fn hold_until(&self, until: Timestamp) {
        let mut pace = locked(&self.pace);
        pace.held_until = pace.held_until.max(until);
    }

    /// The host asked for a pause that is too long to wait for.
    pub fn park_until(&self, until: Timestamp) {
        let mut pace = locked(&self.pace);
        pace.parked_until = Some(pace.parked_until.map_or(until, |it| it.max(until)));
    }

    /// A `Crawl-delay`; one shorter than our own pace changes nothing.
    pub fn slow_down(&self, delay: Duration) {
        let mut pace = locked(&self.pace);
        pace.delay = pace.delay.max(delay);
        // The request that brought the news counts for the pace as well.
        if pace.next != Timestamp::MIN {
            pace.next = later(pace.next, delay);
        }
    }
}

/// `at + wait`, held inside what a timestamp can say.
pub fn later(at: Timestamp, wait: Duration) -> Timestamp {
    let wait = SignedDuration::try_from(wait).unwrap_or(SignedDuration::MAX);
    at.checked_add(wait).unwrap_or(Timestamp::MAX)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fetch::clock::HeldClock;

    fn hosts(delay_ms: u64, concurrency: usize) -> Hosts {
        Hosts::new(Politeness { delay_ms, concurrency, ..Politeness::default() })
    }

    fn clock() -> HeldClock {
        HeldClock::new("2026-01-05T00:00:00Z".parse().unwrap())
    }

    #[tokio::test]
    async fn requests_to_one_host_keep_their_distance_and_others_do_not_wait() {
        let (hosts, clock) = (hosts(1000, 4), clock());
        let start = clock.now();
        for n in 0..3 {
            drop(hosts.host("a").turn(&clock).await.unwrap());
            assert_eq!(clock.now().duration_since(start).as_secs(), n);
        }
        let before = clock.now();
        drop(hosts.host("b").turn(&clock).await.unwrap());
        assert_eq!(clock.now(), before);
    }

    #[tokio::test]
    async fn a_held_host_waits_and_a_parked_one_is_not_waited_for() {
        let (hosts, clock) = (hosts(0, 2), clock());
        let host = hosts.host("a");
        let until = later(clock.now(), Duration::from_secs(90));
        host.hold_until(until);
        drop(host.turn(&clock).await.unwrap());
        assert_eq!(clock.now(), until);
        let far = later(until, Duration::from_secs(86_400));
        host.park_until(far);
        assert_eq!(host.turn(&clock).await.unwrap_err(), Parked { until: far });
        assert_eq!(clock.now(), until);
        assert_eq!(hosts.parked().get("a"), Some(&far));
    }

    #[tokio::test]
    async fn a_crawl_delay_longer_than_any_wait_leaves_one_request() {
        let (hosts, clock) = (hosts(0, 2), clock());
        let host = hosts.host("a");
        host.slow_down(Duration::from_secs(86_400));
        drop(host.turn(&clock).await.unwrap());
        assert!(host.turn(&clock).await.is_err());
    }
}
