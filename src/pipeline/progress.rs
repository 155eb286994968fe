//! What long work tells while it goes on, and how it is told to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// Hears of progress. Never decides anything.
pub trait Progress: Send + Sync {
    /// A part of the work begins; `total` where it is known.
    fn begin(&self, part: &str, total: Option<u64>);
    /// `done` of the part so far, with a few words (counts, cost).
    fn advance(&self, done: u64, words: &str);
    /// The part is over; one line that stays.
    fn end(&self, line: &str);
    /// Something a person should know now.
    fn note(&self, line: &str);
}

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _part: &str, _total: Option<u64>) {}
    fn advance(&self, _done: u64, _words: &str) {}
    fn end(&self, _line: &str) {}
    fn note(&self, _line: &str) {}
}

/// A wish to stop, shared between the terminal and the work. Work stops at the next safe place.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    is_asked: Arc<AtomicBool>,
    rung: Arc<Notify>,
}

impl Stop {
    pub fn ask(&self) {
        self.is_asked.store(true, Ordering::SeqCst);
        self.rung.notify_waiters();
    }

    pub fn is_asked(&self) -> bool {
        self.is_asked.load(Ordering::SeqCst)
    }

    /// Waits until it is asked for.
    pub async fn asked(&self) {
        let mut rung = std::pin::pin!(self.rung.notified());
        rung.as_mut().enable();
        if !self.is_asked() {
            rung.await;
        }
    }

    /// The flag itself, for stages that take a plain one.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.is_asked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_stop_is_heard_by_who_waits_and_by_who_comes_later() {
        let stop = Stop::default();
        let mut waits = std::pin::pin!(stop.asked());
        tokio::select! { biased; () = &mut waits => unreachable!(), () = std::future::ready(()) => {} }
        stop.ask();
        waits.await;
        stop.asked().await;
        assert!(stop.flag().load(Ordering::SeqCst) && stop.is_asked());
    }
}
