//! From settled pages to an edition: one document under many addresses, the counts, what needs a person.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use crate::crawl::settle::Settled;
use crate::model::baseline::{Accepted, Baseline, PageState};
use crate::model::page::{Outcome, PageChange};
use crate::model::run::PageCounts;
use crate::model::snapshot::{
    FoundBy, MANIFEST_FORMAT, Manifest, ManifestPage, PageOutcome, RemovalCandidate,
};

/// Other spellings of a page's address that the source or its sitemaps use.
pub type Spellings = BTreeMap<String, BTreeSet<String>>;

/// Finds the addresses that are one document and writes it into states and outcomes.
pub fn join_aliases(settled: &mut Settled, old: &Baseline) {
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (page, state) in &settled.pages {
        let is_inside = !settled.outside.contains(page);
        if let Some(accepted) = state.accepted.as_ref().filter(|_| is_live(state) && is_inside) {
            groups.entry(content_key(accepted)).or_default().push(page.clone());
        }
    }
    let mut alias_of: BTreeMap<String, String> = BTreeMap::new();
    for group in groups.into_values().filter(|it| it.len() > 1) {
        let Some(document) = document_of(&group, settled, old) else { continue };
        // An address that was a document of its own stays one: its rows must follow its changes.
        let others = group.into_iter().filter(|it| *it != document && !was_document(old, it));
        alias_of.extend(others.map(|it| (it, document.clone())));
    }
    for (page, state) in &mut settled.pages {
        state.alias_of = alias_of.get(page).cloned();
    }
    for outcome in &mut settled.outcomes {
        outcome.alias_of = alias_of.get(&outcome.page).cloned();
    }
}

/// A page that stands in the edition: accepted once, and neither moved nor confirmed as gone.
fn is_live(state: &PageState) -> bool {
    let is_gone = state.problem.as_ref().is_some_and(|it| it.outcome == Outcome::Gone);
    state.moved_to.is_none() && !is_gone
}

fn content_key(accepted: &Accepted) -> String {
    match &accepted.text {
        Some(text) => format!("text {text}"),
        None => format!("raw {}", accepted.raw),
    }
}

/// The address that stands for the document: the one that stood for it before, else the one that
/// a page of the group names as canonical, else the shortest.
fn document_of(group: &[String], settled: &Settled, old: &Baseline) -> Option<String> {
    let named: BTreeSet<&String> =
        group.iter().filter_map(|it| settled.canonical.get(it)).collect();
    let rank = |page: &&String| {
        (!was_document(old, page), !named.contains(page), page.len(), (*page).clone())
    };
    group.iter().min_by_key(rank).cloned()
}

fn was_document(old: &Baseline, page: &str) -> bool {
    old.pages.get(page).is_some_and(|it| it.accepted.is_some() && it.alias_of.is_none())
}

/// The content manifest: every live document with its other addresses.
pub fn manifest_of(source: &str, settled: &Settled, spellings: &Spellings) -> Manifest {
    let mut aliases: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (page, state) in &settled.pages {
        let target = state.alias_of.as_ref().or(state.moved_to.as_ref());
        // A moved page may lead to an alias; the document is one step further.
        let target = target
            .map(|it| settled.pages.get(it).and_then(|it| it.alias_of.as_ref()).unwrap_or(it));
        if let Some(target) = target {
            aliases.entry(target).or_default().insert(page.clone());
        }
    }
    for (page, others) in spellings {
        let document = settled.pages.get(page).and_then(|it| it.alias_of.as_deref());
        let document = document.unwrap_or(page);
        aliases.entry(document).or_default().extend(others.iter().cloned());
    }
    let pages = settled.pages.iter().filter(|(page, it)| {
        is_live(it) && it.alias_of.is_none() && !settled.outside.contains(*page)
    });
    let pages = pages.filter_map(|(page, state)| {
        let accepted = state.accepted.as_ref()?;
        Some(ManifestPage {
            page: page.clone(),
            final_url: accepted.final_url.clone(),
            title: accepted.title.clone(),
            media: accepted.media.clone(),
            raw: accepted.raw.clone(),
            text: accepted.text.clone(),
            record: accepted.record.clone(),
            aliases: aliases.remove(page.as_str()).unwrap_or_default().into_iter().collect(),
        })
    });
    let pages = pages.collect();
    Manifest { format: MANIFEST_FORMAT.to_owned(), source: source.to_owned(), pages }
}

/// Which of the four counts a page belongs to.
pub fn count(outcomes: &[PageOutcome]) -> PageCounts {
    let mut counts = PageCounts::default();
    for it in outcomes {
        let place = match it.outcome {
            Outcome::NotModified => &mut counts.unchanged,
            Outcome::Ok if it.change == Some(PageChange::None) => &mut counts.unchanged,
            Outcome::Ok | Outcome::Moved => &mut counts.fetched,
            Outcome::BlockedByRobots
            | Outcome::BlockedBySite
            | Outcome::RefusedAddress
            | Outcome::RefusedScheme
            | Outcome::RefusedUrl
            | Outcome::TooLarge => &mut counts.refused,
            _ => &mut counts.failed,
        };
        *place += 1;
    }
    counts
}

/// Pages of this crawl whose removal a person must decide.
pub fn removal_candidates(settled: &Settled, now: Timestamp) -> Vec<RemovalCandidate> {
    let gone = settled
        .outcomes
        .iter()
        .filter(|it| matches!(it.outcome, Outcome::Gone | Outcome::SoftGone));
    gone.filter_map(|it| {
        let state = settled.pages.get(&it.page)?;
        let accepted = state.accepted.as_ref()?;
        Some(RemovalCandidate {
            page: it.page.clone(),
            reason: if it.outcome == Outcome::Gone { "gone".to_owned() } else { it.reason.clone() },
            since: it.since.unwrap_or(now),
            last_seen: state.last_seen,
            record: accepted.record.clone(),
            text: accepted.text.clone(),
        })
    })
    .collect()
}

/// True where a person should look at the page.
pub fn needs_attention(outcome: &PageOutcome, old: Option<&PageState>) -> bool {
    let was_accepted = old.is_some_and(|it| it.accepted.is_some());
    let is_incidental =
        !was_accepted && matches!(outcome.found_by, FoundBy::Link | FoundBy::Redirect);
    match outcome.outcome {
        Outcome::Ok | Outcome::NotModified => {
            let known = old.and_then(|it| it.accepted.as_ref()).map_or(&[][..], |it| &it.flags);
            outcome.flags.iter().any(|it| !known.contains(it))
        }
        Outcome::Moved => was_accepted && old.is_some_and(|it| it.moved_to.is_none()),
        Outcome::RefusedUrl => outcome.reason != "foreign_host",
        // A link found on the way that leads nowhere, or where we may not go, is the site's affair.
        Outcome::BlockedByRobots => !is_incidental || outcome.reason == "robots_unreachable",
        Outcome::Gone | Outcome::GoneSuspected | Outcome::SoftGone | Outcome::MovedUnconfirmed => {
            !is_incidental
        }
        Outcome::BlockedBySite => !is_incidental || outcome.reason == "waf_challenge",
        Outcome::Suspect => !is_incidental || outcome.reason != "login_wall",
        _ => true,
    }
}
