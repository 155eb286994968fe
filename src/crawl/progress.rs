//! What a crawl says of itself while it runs, and the flag that stops it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

use crate::model::page::Outcome;

/// One page is done, and how far the crawl is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pulse<'a> {
    pub source: &'a str,
    pub page: &'a str,
    pub host: &'a str,
    pub outcome: Outcome,
    pub done: usize,
    /// Pages known so far; grows while links are found.
    pub known: usize,
    pub requests: u64,
    /// Bytes of all bodies so far.
    pub bytes: u64,
}

/// Told about each page as it is done.
pub trait Progress: Send + Sync {
    /// Called from the crawl's tasks; must not block.
    fn page_done(&self, pulse: &Pulse<'_>);
}

/// Says nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn page_done(&self, _: &Pulse<'_>) {}
}

/// Stops a crawl at the next moment it can; what is fetched stays for the next crawl.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    is_set: Arc<AtomicBool>,
    notify: Arc<Notify>,
}

impl Stop {
    /// Asks the crawl to stop.
    pub fn set(&self) {
        self.is_set.store(true, Ordering::SeqCst);
        self.notify.notify_waiters();
    }

    /// True once it was asked to stop.
    pub fn is_set(&self) -> bool {
        self.is_set.load(Ordering::SeqCst)
    }

    /// Waits until it is asked to stop.
    pub async fn wait(&self) {
        loop {
            let notified = self.notify.notified();
            if self.is_set() {
                return;
            }
            notified.await;
        }
    }
}
