//! The pages of a crawl in waves: ordered, bounded, the same whatever answers first.
//!
//! A wave is every page known when the wave before it ended, in address order, so that a limit cuts
//! the same pages each time.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::snapshot::FoundBy;

/// Known pages, and those still to be asked.
#[derive(Debug)]
pub struct Frontier {
    known: BTreeMap<String, FoundBy>,
    next: BTreeSet<String>,
    /// Pages being answered as the end of a redirect, and how else they came to be known meanwhile.
    claimed: BTreeMap<String, Option<FoundBy>>,
    listings: BTreeSet<String>,
    taken: usize,
    max_pages: usize,
    /// Pages beyond the limit, not asked.
    pub cut: BTreeSet<String>,
}

impl Frontier {
    /// An empty frontier that gives out at most `max_pages` pages.
    pub fn new(max_pages: usize) -> Self {
        Self {
            known: BTreeMap::new(),
            next: BTreeSet::new(),
            claimed: BTreeMap::new(),
            listings: BTreeSet::new(),
            taken: 0,
            max_pages,
            cut: BTreeSet::new(),
        }
    }

    /// Adds a page to the next wave; one that is known keeps its place and the better `found_by`.
    pub fn add(&mut self, page: &str, found_by: FoundBy) {
        if let Some(wanted) = self.claimed.get_mut(page) {
            *wanted = Some(wanted.map_or(found_by, |it| it.min(found_by)));
        }
        match self.known.get_mut(page) {
            Some(known) => *known = (*known).min(found_by),
            None => {
                self.known.insert(page.to_owned(), found_by);
                self.next.insert(page.to_owned());
            }
        }
    }

    /// Adds a page of a declared listing: its entries are counted.
    pub fn add_listing(&mut self, page: &str) {
        self.listings.insert(page.to_owned());
        self.add(page, FoundBy::Listing);
    }

    /// True for a page of a declared listing.
    pub fn is_listing(&self, page: &str) -> bool {
        self.listings.contains(page)
    }

    /// Claims a page that a redirect leads to, to be answered on the way; false where it is known.
    pub fn claim(&mut self, page: &str) -> bool {
        if self.known.contains_key(page) {
            return false;
        }
        self.known.insert(page.to_owned(), FoundBy::Redirect);
        self.claimed.insert(page.to_owned(), None);
        true
    }

    /// Gives a claim back: what stood there is not a page. Asked for in the next wave where it was
    /// found otherwise in the meantime.
    pub fn release(&mut self, page: &str) {
        self.known.remove(page);
        if let Some(Some(found_by)) = self.claimed.remove(page) {
            self.add(page, found_by);
        }
    }

    /// The page is answered.
    pub fn note_done(&mut self, page: &str) {
        self.claimed.remove(page);
        self.next.remove(page);
        self.known.entry(page.to_owned()).or_insert(FoundBy::Redirect);
    }

    /// True where the page is known.
    pub fn contains(&self, page: &str) -> bool {
        self.known.contains_key(page)
    }

    /// How the page came to be known.
    pub fn found_by(&self, page: &str) -> Option<FoundBy> {
        self.known.get(page).copied()
    }

    /// True when no page waits for a wave.
    pub fn is_exhausted(&self) -> bool {
        self.next.is_empty()
    }

    /// Every page that was given out or claimed, and how it came to be known.
    pub fn asked(&self) -> BTreeMap<String, FoundBy> {
        let asked = self.known.iter().filter(|(page, _)| !self.cut.contains(*page));
        asked.map(|(page, by)| (page.clone(), *by)).collect()
    }

    /// Pages known so far.
    pub fn len(&self) -> usize {
        self.known.len() - self.cut.len()
    }

    /// True before anything was added.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The next wave, in address order; empty when there is no more to ask.
    pub fn take_wave(&mut self) -> Vec<String> {
        let mut wave: Vec<String> = std::mem::take(&mut self.next).into_iter().collect();
        // Declared pages go before linked ones where the limit cuts.
        wave.sort_by_key(|it| self.found_by(it));
        let room = self.max_pages.saturating_sub(self.taken);
        if wave.len() > room {
            self.cut.extend(wave.split_off(room));
        }
        self.taken += wave.len();
        wave.sort();
        wave
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waves_are_ordered_and_each_page_comes_once() {
        let mut frontier = Frontier::new(10);
        for page in ["c", "a", "b", "a"] {
            frontier.add(page, FoundBy::Link);
        }
        assert_eq!(frontier.take_wave(), ["a", "b", "c"]);
        frontier.add("b", FoundBy::Sitemap);
        frontier.add("d", FoundBy::Link);
        assert_eq!(frontier.take_wave(), ["d"]);
        assert_eq!(frontier.found_by("b"), Some(FoundBy::Sitemap));
        assert!(frontier.take_wave().is_empty());
    }

    #[test]
    fn the_limit_cuts_linked_pages_first_and_says_which() {
        let mut frontier = Frontier::new(2);
        frontier.add("a", FoundBy::Link);
        frontier.add("z", FoundBy::Start);
        frontier.add("b", FoundBy::Link);
        assert_eq!(frontier.take_wave(), ["a", "z"]);
        assert_eq!(frontier.cut.iter().collect::<Vec<_>>(), ["b"]);
    }
}
