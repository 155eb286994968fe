//! From everything a crawl brought to the three things it leaves: edition, record, baseline. Pure.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use crate::crawl::edition::{
    count, join_aliases, manifest_of, needs_attention, removal_candidates,
};
use crate::crawl::listing::{
    LETTERS_OF_ENTRY, ListingPage, Listings, family_of, lost_half, settle_listing, without_hole,
};
use crate::crawl::manifest::{edition_of, manifest_bytes};
use crate::crawl::scope::{Place, Scope};
use crate::crawl::seeds::Seeds;
use crate::crawl::settle::{Case, settle};
use crate::crawl::url::RefusedAddress;
use crate::crawl::visit::{Captured, Ending, Visit};
use crate::model::baseline::{BASELINE_FORMAT, Baseline, PageState};
use crate::model::page::Outcome;
use crate::model::snapshot::{
    CRAWL_FORMAT, CrawlRecord, ExitClass, FoundBy, ListingState, PageOutcome,
};

/// Everything a crawl brought.
#[derive(Clone, Copy, Debug)]
pub struct Harvest<'a> {
    pub source: &'a str,
    pub old: &'a Baseline,
    pub scope: &'a Scope,
    pub visits: &'a BTreeMap<String, Visit>,
    pub found_by: &'a BTreeMap<String, FoundBy>,
    pub seeds: &'a Seeds,
    pub listings: &'a Listings,
    /// Pages that were not read anew, as today's reader reads their stored bytes.
    pub reread: &'a BTreeMap<String, Captured>,
    /// Pages beyond the limit.
    pub cut: &'a BTreeSet<String>,
    /// Addresses that were seen and not taken, by reason.
    pub skipped: &'a BTreeMap<String, u64>,
    /// Hosts that want no request before a time.
    pub parked: &'a BTreeMap<String, Timestamp>,
    pub confirm_removal_after: u32,
    pub started: Timestamp,
    pub resumed_from: Option<Timestamp>,
    pub now: Timestamp,
}

/// What a crawl leaves.
#[derive(Clone, Debug)]
pub struct Concluded {
    pub manifest: Vec<u8>,
    pub record: CrawlRecord,
    pub baseline: Baseline,
}

/// Concludes.
///
/// # Errors
/// Never for the types of `model`.
pub fn conclude(harvest: &Harvest<'_>) -> Result<Concluded, serde_json::Error> {
    let Harvest { old, seeds, now, .. } = *harvest;
    let mut settled = settle(&Case {
        old,
        visits: harvest.visits,
        found_by: harvest.found_by,
        answering_hosts: &seeds.answering_hosts,
        reread: harvest.reread,
        confirm_removal_after: harvest.confirm_removal_after,
        now,
    });
    settled.outside = outside(&settled.pages, harvest.scope);
    join_aliases(&mut settled, old);
    settled.outcomes.extend(seeds.refused.iter().map(|(refused, by)| refusal(refused, *by)));
    settled.outcomes.sort_by(|a, b| a.page.cmp(&b.page));
    let manifest = manifest_of(harvest.source, &settled, &seeds.spellings);
    let manifest_file = manifest_bytes(&manifest)?;
    let edition = edition_of(&manifest_file);

    let listed = listings_of(harvest);
    let mut skipped = harvest.skipped.clone();
    for (reason, n) in &seeds.skipped {
        *skipped.entry(reason.clone()).or_default() += n;
    }
    if !harvest.cut.is_empty() {
        skipped.insert("page_limit".to_owned(), len_of(harvest.cut.len()));
    }
    let mut flags = flags_of(harvest, &listed);
    flags.extend(shrunken_pages(harvest, &settled.outcomes));
    let needs_person =
        settled.outcomes.iter().any(|it| needs_attention(it, old.pages.get(&it.page)));
    let is_empty = manifest.pages.is_empty();
    let exit = exit_of(&settled.outcomes, needs_person || !flags.is_empty(), is_empty);
    let mut outcomes: BTreeMap<String, u64> = BTreeMap::new();
    for it in &settled.outcomes {
        *outcomes.entry(it.outcome.as_str().to_owned()).or_default() += 1;
    }
    let removal_candidates = removal_candidates(&settled, now);
    let record = CrawlRecord {
        format: CRAWL_FORMAT.to_owned(),
        source: harvest.source.to_owned(),
        edition: edition.clone(),
        exit,
        begun: harvest.resumed_from.unwrap_or(harvest.started),
        started: harvest.started,
        finished: now,
        resumed_from: harvest.resumed_from,
        counts: count(&settled.outcomes),
        outcomes,
        documents: len_of(manifest.pages.len()),
        removal_candidates,
        listings: listed.states,
        flags: flags.into_iter().collect(),
        notes: seeds.notes.iter().cloned().collect(),
        skipped,
        pages: settled.outcomes,
    };
    let mut baseline = Baseline {
        format: BASELINE_FORMAT.to_owned(),
        source: harvest.source.to_owned(),
        crawls: old.crawls + 1,
        edition: Some(edition),
        last_begun: Some(record.begun),
        pages: settled.pages,
        hosts: old.hosts.clone(),
        listings: listed.known,
    };
    note_hosts(&mut baseline, settled.liars, harvest);
    Ok(Concluded { manifest: manifest_file, record, baseline })
}

/// Known pages that the declaration no longer covers: out of the edition, never forgotten.
fn outside(pages: &BTreeMap<String, PageState>, scope: &Scope) -> BTreeSet<String> {
    let is_outside =
        |page: &&String| url::Url::parse(page).is_ok_and(|it| scope.place(&it) != Place::Inside);
    pages.keys().filter(is_outside).cloned().collect()
}

/// Declared listings, and those that pages speak of by themselves.
struct Listed {
    states: Vec<ListingState>,
    known: BTreeMap<String, Vec<String>>,
    flags: BTreeSet<String>,
}

fn listings_of(harvest: &Harvest<'_>) -> Listed {
    let mut listed =
        Listed { states: Vec::new(), known: harvest.old.listings.clone(), flags: BTreeSet::new() };
    for (first, pages) in harvest.listings {
        listed.add(first, pages, true);
    }
    let declared: BTreeSet<String> = harvest.listings.keys().map(|it| family_named(it)).collect();
    for (family, pages) in stated_listings(harvest.visits) {
        if !declared.contains(&family) {
            let was_complete = listed.known.contains_key(&family);
            listed.add(&family, &without_hole(pages), was_complete);
        }
    }
    listed
}

impl Listed {
    /// A listing that was never seen whole is not an alarm: its other pages may be out of scope.
    fn add(&mut self, first: &str, pages: &[ListingPage], is_alarm: bool) {
        let known = self.known.get(first);
        let (state, entries) = settle_listing(first, pages, known);
        let was = known.map_or(0, |it| len_of(it.len()));
        if let Some(is) =
            entries.as_ref().map(|it| len_of(it.len())).filter(|it| lost_half(was, *it))
        {
            self.flags.insert(shrunken_words(first, was, is));
        }
        if !state.is_complete && is_alarm {
            let total = state.declared_total.map_or_else(|| "more".to_owned(), |it| it.to_string());
            self.flags.insert(format!(
                "listing_incomplete: {first} lists {} of {total}; {} entries are not verified, none is taken as removed",
                state.listed,
                state.not_verified.len(),
            ));
        }
        self.states.push(state);
        if let Some(entries) = entries {
            self.known.insert(first.to_owned(), entries);
        }
    }
}

/// Accepted pages that list things, and half of the links in their content are gone: whether a site
/// closed so much at once, or shows a part of it, a person has to see. It is told once.
fn shrunken_pages(harvest: &Harvest<'_>, outcomes: &[PageOutcome]) -> BTreeSet<String> {
    let accepted = outcomes.iter().filter(|it| it.outcome == Outcome::Ok);
    accepted
        .filter_map(|it| {
            let Ending::Captured(now) = &harvest.visits.get(&it.page)?.ending else { return None };
            let before = harvest.old.pages.get(&it.page)?.accepted.as_ref()?;
            let is_known = harvest.old.listings.contains_key(&family_named(&it.page));
            // A Chinese character says what three letters say.
            let said = before.letters + 2 * before.letters * u64::from(before.han_percent) / 100;
            let lists = before.is_listing || said <= before.entries * LETTERS_OF_ENTRY;
            let is_by_us = before.reader != now.record.reader;
            (lists && !is_known && !is_by_us && lost_half(before.entries, now.entries))
                .then(|| shrunken_words(&it.page, before.entries, now.entries))
        })
        .collect()
}

fn shrunken_words(page: &str, was: u64, is: u64) -> String {
    format!(
        "listing_shrunken: {page} listed {was} entries and lists {is}; look whether it is whole. None is taken as removed"
    )
}

fn stated_listings(visits: &BTreeMap<String, Visit>) -> Listings {
    let mut families = Listings::new();
    for visit in visits.values().filter(|it| it.is_page) {
        if let Ending::Captured(captured) = &visit.ending
            && let Some(page) = &captured.listing
            && page.stated.is_some_and(|it| it.range.is_some())
        {
            families.entry(family_named(&visit.page)).or_default().push(page.clone());
        }
    }
    families
}

fn family_named(page: &str) -> String {
    url::Url::parse(page).map_or_else(|_| page.to_owned(), |it| family_of(&it))
}

fn flags_of(harvest: &Harvest<'_>, listed: &Listed) -> BTreeSet<String> {
    let mut flags = harvest.seeds.flags.clone();
    flags.extend(listed.flags.iter().cloned());
    if !harvest.cut.is_empty() {
        let n = harvest.cut.len();
        flags.insert(format!("page_limit: {n} pages beyond max_pages were not asked for"));
    }
    flags
}

fn note_hosts(baseline: &mut Baseline, liars: BTreeSet<String>, harvest: &Harvest<'_>) {
    for host in liars {
        let state = baseline.hosts.entry(host).or_default();
        state.validators_untrusted_since.get_or_insert(harvest.now);
    }
    for state in baseline.hosts.values_mut() {
        state.not_before = state.not_before.filter(|it| *it > harvest.now);
    }
    for (host, until) in harvest.parked {
        baseline.hosts.entry(host.clone()).or_default().not_before = Some(*until);
    }
}

fn exit_of(outcomes: &[PageOutcome], needs_person: bool, is_empty: bool) -> ExitClass {
    if outcomes.is_empty() {
        ExitClass::Nothing
    } else if is_empty && outcomes.iter().all(|it| it.outcome == Outcome::FailedTransient) {
        ExitClass::Fail
    } else if needs_person {
        ExitClass::Attention
    } else {
        ExitClass::Ok
    }
}

/// A declared or listed address that is not asked at all.
fn refusal(refused: &RefusedAddress, found_by: FoundBy) -> PageOutcome {
    let mut outcome = PageOutcome::new(&refused.address, refused.outcome, found_by);
    outcome.reason.clone_from(&refused.reason);
    outcome.detail = "the address is refused before anything is asked".to_owned();
    outcome
}

fn len_of(len: usize) -> u64 {
    u64::try_from(len).unwrap_or(u64::MAX)
}
