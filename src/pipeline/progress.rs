//! What long work tells while it goes on, and how it is told to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    pub fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, for stages that take a plain one.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }
}
