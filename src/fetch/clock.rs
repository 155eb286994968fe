//! The system's clock, and one that a test holds still.

use std::collections::BTreeSet;
use std::future::Future;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::fetch::exchange::Clock;

/// Real time.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn sleep(&self, wait: Duration) -> impl Future<Output = ()> + Send {
        tokio::time::sleep(wait)
    }
}

/// Time that moves only while somebody sleeps, to the earliest waker; for tests.
#[derive(Debug)]
pub struct HeldClock {
    state: Mutex<Held>,
}

#[derive(Debug)]
struct Held {
    now: Timestamp,
    /// Goes up with each look at the clock: a sign that somebody is at work.
    looks: u64,
    next_sleeper: u64,
    /// Wake time and number of each sleeper.
    sleepers: BTreeSet<(Timestamp, u64)>,
}

/// How long nobody may look at the clock before it moves: longer than any step between two looks.
const IDLE: Duration = Duration::from_millis(25);

impl HeldClock {
    /// A clock that stands at `now`.
    pub fn new(now: Timestamp) -> Self {
        let state = Held { now, looks: 0, next_sleeper: 0, sleepers: BTreeSet::new() };
        Self { state: Mutex::new(state) }
    }

    /// Moves to `now`, forwards or back.
    pub fn set(&self, now: Timestamp) {
        self.held().now = now;
    }

    /// Says that somebody is at work, so that time does not move yet.
    pub fn touch(&self) {
        self.held().looks += 1;
    }

    fn held(&self) -> std::sync::MutexGuard<'_, Held> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A sleeper that is dropped must not hold time back for the others.
struct Sleeper<'a> {
    clock: &'a HeldClock,
    wake: (Timestamp, u64),
}

impl Drop for Sleeper<'_> {
    fn drop(&mut self) {
        self.clock.held().sleepers.remove(&self.wake);
    }
}

impl Clock for HeldClock {
    fn now(&self) -> Timestamp {
        let mut held = self.held();
        held.looks += 1;
        held.now
    }

    async fn sleep(&self, wait: Duration) {
        let sleeper = {
            let mut held = self.held();
            held.looks += 1;
            let wait = SignedDuration::try_from(wait).unwrap_or(SignedDuration::MAX);
            let at = held.now.checked_add(wait).unwrap_or(Timestamp::MAX);
            let wake = (at, held.next_sleeper);
            held.next_sleeper += 1;
            held.sleepers.insert(wake);
            Sleeper { clock: self, wake }
        };
        let mut seen = None;
        loop {
            {
                let mut held = self.held();
                if held.now >= sleeper.wake.0 {
                    held.looks += 1;
                    return;
                }
                let is_first = held.sleepers.first() == Some(&sleeper.wake);
                if is_first && seen == Some(held.looks) {
                    held.now = sleeper.wake.0;
                    held.looks += 1;
                    return;
                }
                seen = is_first.then_some(held.looks);
            }
            tokio::time::sleep(IDLE).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn held_time_moves_to_the_earliest_sleeper_first() {
        let clock = HeldClock::new("2026-01-05T00:00:00Z".parse().unwrap());
        let long = async {
            clock.sleep(Duration::from_secs(90)).await;
            clock.now()
        };
        let short = async {
            clock.sleep(Duration::from_secs(20)).await;
            clock.now()
        };
        let (long, short) = tokio::join!(long, short);
        assert_eq!(short.to_string(), "2026-01-05T00:00:20Z");
        assert_eq!(long.to_string(), "2026-01-05T00:01:30Z");
    }
}
