//! Asks at work in a run: one and the same ask is never put by two items at one time.
//!
//! It keeps no ask in mind that nobody works on, so it does not grow with the run.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use tokio::sync::{Mutex as Turn, OwnedMutexGuard};

use crate::pipeline::held::held;

/// The asks at work, each with whose turn it is.
#[derive(Debug, Default)]
pub struct AtWork(Mutex<BTreeMap<String, Arc<Turn<()>>>>);

/// The turn of one item at an ask; the next one's begins when it is dropped.
#[derive(Debug)]
pub struct Alone<'a> {
    at_work: &'a AtWork,
    digest: String,
    turn: Option<OwnedMutexGuard<()>>,
}

impl AtWork {
    /// Waits until nobody else is at work on this ask.
    pub async fn alone(&self, digest: &str) -> Alone<'_> {
        let turn = Arc::clone(held(&self.0).entry(digest.to_owned()).or_default());
        Alone { at_work: self, digest: digest.to_owned(), turn: Some(turn.lock_owned().await) }
    }
}

impl Drop for Alone<'_> {
    fn drop(&mut self) {
        let mut at_work = held(&self.at_work.0);
        self.turn = None;
        // Whoever waits for it holds it too.
        if at_work.get(&self.digest).is_some_and(|it| Arc::strong_count(it) == 1) {
            at_work.remove(&self.digest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn equal_asks_take_turns_others_do_not_and_nothing_is_kept_in_mind() {
        let at_work = AtWork::default();
        let first = at_work.alone("a").await;
        let other = at_work.alone("b").await;
        let mut second = std::pin::pin!(at_work.alone("a"));
        tokio::select! { biased; _ = &mut second => unreachable!(), () = std::future::ready(()) => {} }
        drop(first);
        let second = second.await;
        assert_eq!(held(&at_work.0).len(), 2);
        drop((second, other));
        assert!(held(&at_work.0).is_empty());
    }
}
