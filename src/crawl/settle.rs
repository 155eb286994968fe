//! From visits to outcomes and a new baseline: a pure function, so that a resumed crawl ends the same.
//!
//! Nothing last known moves unless the new capture is accepted; nothing is removed here.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use url::Url;

use crate::crawl::suspicion::{crowd_doubts, working_hosts};
use crate::crawl::url::host_key;
use crate::crawl::visit::{Captured, Ending, Failed, Visit};
use crate::model::baseline::{Accepted, Baseline, OpenProblem, PageState};
use crate::model::page::{Outcome, PageChange};
use crate::model::snapshot::{FoundBy, PageOutcome};

/// Everything a settlement looks at.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    pub old: &'a Baseline,
    /// Page -> visit, addresses passed through included.
    pub visits: &'a BTreeMap<String, Visit>,
    pub found_by: &'a BTreeMap<String, FoundBy>,
    /// Hosts whose robots.txt or sitemap was answered well in this crawl.
    pub answering_hosts: &'a BTreeSet<String>,
    /// Pages that gave nothing new, as today's reader reads their stored bytes.
    pub reread: &'a BTreeMap<String, Captured>,
    pub confirm_removal_after: u32,
    pub now: Timestamp,
}

/// What follows.
#[derive(Clone, Debug, Default)]
pub struct Settled {
    /// Sorted by page; `alias_of` still open.
    pub outcomes: Vec<PageOutcome>,
    /// Page -> state; pages that were not visited keep theirs.
    pub pages: BTreeMap<String, PageState>,
    /// Known pages that the declaration no longer covers.
    pub outside: BTreeSet<String>,
    /// Hosts whose validators lied.
    pub liars: BTreeSet<String>,
    /// Page -> what its `<link rel="canonical">` names.
    pub canonical: BTreeMap<String, String>,
}

/// Settles all visits of a crawl.
pub fn settle(case: &Case<'_>) -> Settled {
    let doubts = crowd_doubts(case.visits, case.old);
    let working = working_hosts(case.visits, case.answering_hosts, &doubts);
    let lonely = lonely_hosts(case.old);
    let mut settled = Settled { pages: case.old.pages.clone(), ..Settled::default() };
    for (page, visit) in case.visits.iter().filter(|(_, it)| it.is_page) {
        if visit.ending == Ending::Sitemap {
            continue;
        }
        let old = case.old.pages.get(page);
        let found_by = match (case.found_by.get(page), old) {
            // How it first came to be known says more than that it is known.
            (Some(FoundBy::Known), Some(old)) => old.found_by,
            (found_by, _) => found_by.copied().unwrap_or(FoundBy::Link),
        };
        let mut page_case =
            PageCase { case, visit, old, working: &working, lonely: &lonely, found_by };
        let doubted;
        if let Some(failed) = doubts.get(page) {
            doubted = Visit { ending: Ending::Failed(Box::new(failed.clone())), ..visit.clone() };
            page_case.visit = &doubted;
        }
        let (outcome, state) = page_case.settle(&mut settled);
        let is_named = case.found_by.get(page) != Some(&FoundBy::Known);
        if is_named || state.accepted.is_some() || state.moved_to.is_some() {
            settled.pages.insert(page.clone(), state);
        } else {
            // A dead link that nothing holds any more, and that never led to anything.
            settled.pages.remove(page);
        }
        settled.outcomes.push(outcome);
    }
    settled
}

fn lonely_hosts(old: &Baseline) -> BTreeSet<String> {
    let mut pages: BTreeMap<String, u32> = BTreeMap::new();
    for (page, _) in old.pages.iter().filter(|(_, it)| it.accepted.is_some()) {
        let host = Url::parse(page).map(|it| host_key(&it)).unwrap_or_default();
        *pages.entry(host).or_default() += 1;
    }
    pages.into_iter().filter(|(_, n)| *n == 1).map(|(host, _)| host).collect()
}

struct PageCase<'a> {
    case: &'a Case<'a>,
    visit: &'a Visit,
    old: Option<&'a PageState>,
    working: &'a BTreeSet<String>,
    /// Hosts of which a single page was ever accepted.
    lonely: &'a BTreeSet<String>,
    found_by: FoundBy,
}

impl PageCase<'_> {
    fn settle(&self, settled: &mut Settled) -> (PageOutcome, PageState) {
        let mut outcome = self.blank_outcome();
        let mut state = self.blank_state();
        match &self.visit.ending {
            Ending::Captured(captured) => {
                self.captured(captured, (&mut outcome, &mut state), settled);
            }
            Ending::NotModified { reread } => {
                outcome.outcome = Outcome::NotModified;
                outcome.change = Some(PageChange::None);
                if let Some(captured) = reread {
                    self.reread(captured, &mut outcome, &mut state);
                }
                self.is_well(&mut state);
            }
            Ending::Moved { to, .. } => self.moved(to, &mut outcome, &mut state),
            Ending::Failed(failed) => self.failed(failed, &mut outcome, &mut state),
            Ending::Sitemap => {}
        }
        if let Some(captured) = self.case.reread.get(&self.visit.page) {
            // Our reader changed, not the page: the same bytes stand under today's text.
            accept(&mut state, captured, PageChange::ExtractorUpgrade);
        }
        if let Some(problem) = &state.problem {
            outcome.open_runs = problem.open_runs;
            outcome.since = Some(problem.since);
        }
        outcome.gone_seen = state.gone_seen;
        (outcome, state)
    }

    fn captured(
        &self,
        captured: &Captured,
        (outcome, state): (&mut PageOutcome, &mut PageState),
        settled: &mut Settled,
    ) {
        let record = &captured.record;
        outcome.media = Some(record.media.clone());
        outcome.charset.clone_from(&record.charset);
        outcome.raw = Some(record.raw.clone());
        outcome.flags.clone_from(&record.flags);
        outcome.han_percent = Some(captured.han_percent);
        outcome.volatile.clone_from(&captured.volatile);
        if let Some(canonical) = &captured.canonical {
            settled.canonical.insert(self.visit.page.clone(), canonical.clone());
        }
        let change = self.change_of(captured);
        outcome.change = Some(change);
        if let Some(before) = self.old.and_then(|it| it.accepted.as_ref()) {
            outcome.raw_changed = before.raw_seen != record.raw && before.raw != record.raw;
            outcome.text_changed = before.text != record.text;
            if outcome.text_changed && change == PageChange::None {
                outcome.volatile.push("layout of the content: 1".to_owned());
            }
            if self.visit.is_audit && change != PageChange::None && self.validators_lied(captured) {
                outcome.flags.push("validator_lied".to_owned());
                if let Ok(url) = Url::parse(&record.final_url) {
                    settled.liars.insert(host_key(&url));
                }
            }
        }
        outcome.baseline_advanced = accept(state, captured, change);
        state.validators.clone_from(&captured.validators);
        self.is_well(state);
    }

    /// The accepted bytes, read again by a changed reader: our doing, never the site's.
    fn reread(&self, captured: &Captured, outcome: &mut PageOutcome, state: &mut PageState) {
        let before = self.old.and_then(|it| it.accepted.as_ref());
        outcome.text_changed = before.is_some_and(|it| it.text != captured.record.text);
        let change =
            if outcome.text_changed { PageChange::ExtractorUpgrade } else { PageChange::None };
        outcome.change = Some(change);
        outcome.media = Some(captured.record.media.clone());
        outcome.flags.clone_from(&captured.record.flags);
        outcome.baseline_advanced = accept(state, captured, change);
    }

    fn moved(&self, to: &str, outcome: &mut PageOutcome, state: &mut PageState) {
        match end_of(to, self.case.visits) {
            End::Accepted(page) => {
                outcome.outcome = Outcome::Moved;
                outcome.target = Some(page.clone());
                outcome.detail = format!("the record is {page}");
                state.moved_to = Some(page);
                state.problem = None;
                state.gone_seen = 0;
                state.last_seen = Some(self.case.now);
            }
            End::Failed(failed) => {
                outcome.target = Some(to.to_owned());
                self.failed(failed, outcome, state);
            }
            End::Unknown => {
                let detail = format!("redirects to {to}, which this crawl did not reach");
                let failed = Failed::unanswered(
                    Outcome::FailedTransient,
                    "redirect_target_unknown",
                    &detail,
                );
                self.failed(&failed, outcome, state);
            }
        }
    }

    fn failed(&self, failed: &Failed, outcome: &mut PageOutcome, state: &mut PageState) {
        outcome.outcome = failed.outcome;
        outcome.reason.clone_from(&failed.reason);
        outcome.detail.clone_from(&failed.detail);
        outcome.retry_not_before = failed.retry_not_before;
        outcome.raw.clone_from(&failed.raw);
        outcome.media.clone_from(&failed.media);
        outcome.charset.clone_from(&failed.charset);
        outcome.han_percent = failed.han_percent;
        if failed.outcome == Outcome::GoneSuspected {
            let host = Url::parse(&self.visit.page).map(|it| host_key(&it)).unwrap_or_default();
            if self.working.contains(&host) || self.is_alone_on(&host) {
                state.gone_seen += 1;
            } else {
                outcome.detail = "the server says there is no such page, but no other page of the \
                    site was answered well either; this is not counted"
                    .to_owned();
            }
            if state.gone_seen >= self.case.confirm_removal_after.max(1) {
                outcome.outcome = Outcome::Gone;
            }
        }
        state.problem = Some(self.problem(outcome));
    }

    /// Sticky: what was open stays open since the day it began, whatever it is called today.
    fn problem(&self, outcome: &PageOutcome) -> OpenProblem {
        let open = self.old.and_then(|it| it.problem.as_ref());
        OpenProblem {
            outcome: outcome.outcome,
            reason: outcome.reason.clone(),
            since: open.map_or(self.case.now, |it| it.since),
            open_runs: open.map_or(1, |it| it.open_runs + 1),
        }
    }

    fn is_well(&self, state: &mut PageState) {
        state.problem = None;
        state.gone_seen = 0;
        state.moved_to = None;
        state.last_seen = Some(self.case.now);
    }

    /// A source of one page has no other page to prove that its site works; separate runs do.
    fn is_alone_on(&self, host: &str) -> bool {
        self.lonely.contains(host) && self.old.is_some_and(|it| it.accepted.is_some())
    }

    fn change_of(&self, captured: &Captured) -> PageChange {
        let Some(before) = self.old.and_then(|it| it.accepted.as_ref()) else {
            return PageChange::First;
        };
        let record = &captured.record;
        let Some(text) = &record.text else {
            let is_same = record.raw == before.raw && before.text.is_none();
            return if is_same { PageChange::None } else { PageChange::SourceText };
        };
        // Heading levels and line breaks are layout; whoever reads items looks at the text itself.
        if before.text.as_ref() == Some(text) || before.words == captured.words {
            PageChange::None
        } else if captured.before_today.as_ref() == Some(&captured.words)
            || record.raw == before.raw
        {
            PageChange::ExtractorUpgrade
        } else if before.history.contains(text) {
            PageChange::Reverted
        } else {
            PageChange::SourceText
        }
    }

    /// Would a conditional request have hidden this change? An entity tag decides alone; without
    /// one, a date that did not move forward does (RFC 9110 section 13.1.3).
    fn validators_lied(&self, captured: &Captured) -> bool {
        let Some(held) = self.old.and_then(|it| it.validators.as_ref()) else { return false };
        let sent = captured.validators.as_ref();
        if let Some(etag) = &held.etag {
            return sent.and_then(|it| it.etag.as_ref()) == Some(etag);
        }
        let date = |it: &str| crate::crawl::retry::read_http_date(it);
        let held = held.last_modified.as_deref().and_then(date);
        let sent = sent.and_then(|it| it.last_modified.as_deref()).and_then(date);
        matches!((held, sent), (Some(held), Some(sent)) if sent <= held)
    }

    fn blank_outcome(&self) -> PageOutcome {
        let before = self.old.and_then(|it| it.accepted.as_ref());
        let mut outcome = PageOutcome::new(&self.visit.page, Outcome::Ok, self.found_by);
        outcome.redirects.clone_from(&self.visit.redirects);
        outcome.han_percent_before = before.map(|it| it.han_percent);
        outcome.connected_to.clone_from(&self.visit.remote);
        outcome.requests = self.visit.requests;
        outcome
    }

    fn blank_state(&self) -> PageState {
        let mut state = self.old.cloned().unwrap_or(PageState {
            found_by: self.found_by,
            visits: 0,
            last_seen: None,
            accepted: None,
            validators: None,
            problem: None,
            gone_seen: 0,
            moved_to: None,
            alias_of: None,
        });
        state.found_by = self.found_by;
        state.visits += u32::from(self.visit.requests > 0);
        state
    }
}

/// Moves the accepted capture where the content is another; returns whether it did.
fn accept(state: &mut PageState, captured: &Captured, change: PageChange) -> bool {
    const MOST_KEPT: usize = 50;
    let record = &captured.record;
    if let Some(before) = &mut state.accepted
        && change == PageChange::None
        && before.text == record.text
        && before.title == record.title
        && before.media == record.media
        && before.final_url == record.final_url
        && before.reader == record.reader
        && before.flags == record.flags
    {
        // Only furniture changed: the evidence stays what it was.
        before.raw_seen.clone_from(&record.raw);
        before.entries = captured.entries;
        before.is_listing = captured.listing.is_some();
        return false;
    }
    let mut history = state.accepted.as_ref().map_or_else(Vec::new, |it| it.history.clone());
    let earlier = state.accepted.as_ref().and_then(|it| it.text.clone());
    if let Some(earlier) = earlier.filter(|it| record.text.as_ref() != Some(it)) {
        history.retain(|it| *it != earlier);
        history.push(earlier);
        let surplus = history.len().saturating_sub(MOST_KEPT);
        history.drain(..surplus);
    }
    state.accepted = Some(Accepted {
        record: captured.digest.clone(),
        raw: record.raw.clone(),
        raw_seen: record.raw.clone(),
        text: record.text.clone(),
        words: captured.words.clone(),
        title: record.title.clone(),
        media: record.media.clone(),
        final_url: record.final_url.clone(),
        reader: record.reader.clone(),
        letters: captured.letters,
        han_percent: captured.han_percent,
        simplified_percent: captured.simplified_percent,
        flags: record.flags.clone(),
        entries: captured.entries,
        is_listing: captured.listing.is_some(),
        history,
    });
    true
}

/// Where a chain of moves ends.
enum End<'a> {
    Accepted(String),
    Failed(&'a Failed),
    Unknown,
}

fn end_of<'a>(start: &str, visits: &'a BTreeMap<String, Visit>) -> End<'a> {
    let mut at = start;
    // A chain is never longer than the visits there are; a ring ends here.
    for _ in 0..=visits.len() {
        match visits.get(at).map(|it| &it.ending) {
            Some(Ending::Captured(_) | Ending::NotModified { .. }) => {
                return End::Accepted(at.to_owned());
            }
            Some(Ending::Moved { to, .. }) => at = to,
            Some(Ending::Failed(failed)) => return End::Failed(failed),
            Some(Ending::Sitemap) | None => return End::Unknown,
        }
    }
    End::Unknown
}
