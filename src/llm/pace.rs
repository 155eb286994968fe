//! How fast one provider is asked: calls in flight and tokens a minute, over all that ask it.
//!
//! In no minute are more tokens begun than the provider allows: a sixth of them at once, the rest
//! evenly. What a call will take is guessed when it begins and put right when it ends.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::Instant;

/// One provider's pace.
#[derive(Debug)]
pub struct Pace {
    places: Semaphore,
    bucket: Option<Mutex<Bucket>>,
    began: Instant,
}

/// Leave to make one call. Its place is given back when it is dropped.
#[derive(Debug)]
pub struct Turn<'a> {
    pace: &'a Pace,
    guessed: u64,
    _place: Option<SemaphorePermit<'a>>,
}

impl Pace {
    /// `tokens_per_minute` of 0 bounds nothing.
    pub fn new(in_flight: usize, tokens_per_minute: u64) -> Self {
        Self {
            places: Semaphore::new(in_flight.clamp(1, Semaphore::MAX_PERMITS)),
            bucket: (tokens_per_minute > 0).then(|| Mutex::new(Bucket::new(tokens_per_minute))),
            began: Instant::now(),
        }
    }

    /// Waits for a place, and for `guessed` tokens to be left in the minute.
    pub async fn turn(&self, guessed: u64) -> Turn<'_> {
        // The semaphore is never closed.
        let place = self.places.acquire().await.ok();
        if let Some(bucket) = &self.bucket {
            let now = self.began.elapsed();
            let wait = bucket.lock().unwrap_or_else(PoisonError::into_inner).take(now, guessed);
            if !wait.is_zero() {
                tokio::time::sleep(wait).await;
            }
        }
        Turn { pace: self, guessed, _place: place }
    }
}

impl Turn<'_> {
    /// Puts the guess right with the tokens that the provider counted.
    pub fn took(self, tokens: u64) {
        if let Some(bucket) = &self.pace.bucket {
            let mut bucket = bucket.lock().unwrap_or_else(PoisonError::into_inner);
            bucket.put_right(self.guessed, tokens);
        }
    }
}

/// What is left of a minute's tokens. Counted in sixty-thousandths of a token, so that each
/// millisecond adds a whole number.
#[derive(Debug)]
struct Bucket {
    /// Added each millisecond.
    rate: i128,
    most: i128,
    level: i128,
    seen_ms: u128,
}

const UNIT: i128 = 60_000;

impl Bucket {
    fn new(per_minute: u64) -> Self {
        let most = i128::from(per_minute) * UNIT / 6;
        let rate = (i128::from(per_minute) * 5 / 6).max(1);
        Self { rate, most, level: most, seen_ms: 0 }
    }

    /// Takes `tokens` and says how long to wait before they may be used. Whoever comes later waits
    /// behind whoever came before.
    fn take(&mut self, now: Duration, tokens: u64) -> Duration {
        let passed = now.as_millis().saturating_sub(self.seen_ms);
        self.seen_ms = self.seen_ms.max(now.as_millis());
        let added = i128::try_from(passed).unwrap_or(i128::MAX / 4).saturating_mul(self.rate);
        self.level = self.level.saturating_add(added).min(self.most);
        self.level -= i128::from(tokens) * UNIT;
        let owed = u128::try_from(-self.level).unwrap_or(0);
        let rate = u128::try_from(self.rate).unwrap_or(1);
        Duration::from_millis(u64::try_from(owed.div_ceil(rate)).unwrap_or(u64::MAX))
    }

    fn put_right(&mut self, guessed: u64, taken: u64) {
        self.level += (i128::from(guessed) - i128::from(taken)) * UNIT;
        self.level = self.level.min(self.most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// When each of `asks` may begin, asked for at the given times; no real clock.
    fn begins(per_minute: u64, asks: &[(u64, u64)]) -> Vec<(u64, u64)> {
        let mut bucket = Bucket::new(per_minute);
        asks.iter()
            .map(|(at, tokens)| {
                let wait = bucket.take(Duration::from_millis(*at), *tokens);
                (at + u64::try_from(wait.as_millis()).unwrap(), *tokens)
            })
            .collect()
    }

    #[test]
    fn no_minute_holds_more_tokens_than_allowed_whatever_comes_when() {
        for tokens in [1, 70, 500, 3_000] {
            for gap in [0, 10, 700, 30_000] {
                let asks: Vec<(u64, u64)> = (0..200).map(|it| (it * gap, tokens)).collect();
                let begun = begins(6_000, &asks);
                for (from, _) in &begun {
                    let within: u64 = begun
                        .iter()
                        .filter(|(at, _)| (*from..from + 60_000).contains(at))
                        .map(|it| it.1)
                        .sum();
                    assert!(within <= 6_000 + tokens, "{within} of {tokens} each {gap} ms");
                }
                assert!(begun.is_sorted(), "whoever comes later waits behind");
            }
        }
    }

    #[test]
    fn a_bound_is_used_and_not_only_kept() {
        let asks: Vec<(u64, u64)> = (0..100).map(|_| (0, 600)).collect();
        let (last, _) = *begins(6_000, &asks).last().unwrap();
        // 60,000 tokens at 5,000 a minute and 1,000 at once.
        assert_eq!(last, (60_000 - 1_000) * 60_000 / 5_000);
        assert_eq!(begins(6_000, &[(0, 1_000)]), [(0, 1_000)]);
    }

    /// True where a turn can be had without waiting; it is given back.
    async fn is_free(pace: &Pace, tokens: u64) -> bool {
        tokio::select! {
            biased;
            turn = pace.turn(tokens) => { turn.took(tokens); true }
            () = std::future::ready(()) => false,
        }
    }

    #[tokio::test]
    async fn readers_of_one_provider_share_its_tokens_and_its_places() {
        // A million at once, then a million in six minutes: no test takes so long.
        let shared = std::sync::Arc::new(Pace::new(2, 6_000_000));
        let [extractor, reviewer] = [&shared, &shared].map(std::sync::Arc::clone);
        let first = extractor.turn(600_000).await;
        let second = reviewer.turn(400_000).await;
        assert!(!is_free(&extractor, 0).await, "both places are taken");
        drop(first);
        assert!(is_free(&extractor, 0).await);
        assert!(!is_free(&reviewer, 50_000_000).await, "the minute's tokens are used by both");
        drop(second);

        let own = Pace::new(2, 6_000_000);
        assert!(is_free(&own, 1_000_000).await, "another provider's are not touched");
    }

    #[test]
    fn two_readers_together_begin_no_more_than_a_minute_allows() {
        // What the extractor and the reviewer ask for, one after the other, at one bucket.
        let asks: Vec<(u64, u64)> =
            (0..300).map(|it| (it * 40, if it % 2 == 0 { 900 } else { 350 })).collect();
        let begun = begins(30_000, &asks);
        for (from, _) in &begun {
            let minute = *from..from + 60_000;
            let within: u64 =
                begun.iter().filter(|(at, _)| minute.contains(at)).map(|it| it.1).sum();
            assert!(within <= 30_000 + 900, "{within}");
        }
        let (last, _) = *begun.last().unwrap();
        let all: u64 = asks.iter().map(|it| it.1).sum();
        // At once 5,000, then 25,000 a minute: neither reader waits for longer than that takes.
        assert!(last <= (all - 5_000) * 60_000 / 25_000 + 40, "{last}");
    }

    #[test]
    fn a_wrong_guess_is_put_right() {
        let mut bucket = Bucket::new(6_000);
        assert!(bucket.take(Duration::ZERO, 3_000) > Duration::ZERO);
        bucket.put_right(3_000, 100);
        assert_eq!(bucket.take(Duration::ZERO, 800), Duration::ZERO);
        bucket.put_right(800, 5_800);
        assert!(bucket.take(Duration::ZERO, 1) >= Duration::from_secs(58));
    }
}
