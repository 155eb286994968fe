//! What one page cannot show but the crawl as a whole can: the same text in too many places.

use std::collections::{BTreeMap, BTreeSet};

use url::Url;

use crate::crawl::url::{host_key, is_home};
use crate::crawl::visit::{Captured, Ending, Failed, Visit};
use crate::model::baseline::Baseline;
use crate::model::page::Outcome;

/// Changed pages with one text from which on it is not their text.
const CROWD: usize = 3;

/// Pages whose new text is not theirs: that of a missing page, of the front page, or one that
/// several pages have all at once.
pub fn crowd_doubts(visits: &BTreeMap<String, Visit>, old: &Baseline) -> BTreeMap<String, Failed> {
    let missing: BTreeSet<&str> = visits.values().filter_map(missing_text).collect();
    let homes: BTreeSet<&str> = visits
        .values()
        .filter(|it| Url::parse(&it.page).is_ok_and(|it| is_home(&it)))
        .filter_map(|it| captured(it)?.record.text.as_deref())
        .collect();
    // Text -> pages that had another text before and have this one now.
    let mut changed: BTreeMap<&str, Vec<&Visit>> = BTreeMap::new();
    let mut doubts = BTreeMap::new();
    for visit in visits.values().filter(|it| it.is_page) {
        let Some(captured) = captured(visit) else { continue };
        let Some(text) = captured.record.text.as_deref() else { continue };
        let before = old.pages.get(&visit.page).and_then(|it| it.accepted.as_ref());
        if before.is_some_and(|it| it.text.as_deref() == Some(text)) {
            continue;
        }
        if missing.contains(text) {
            let reason = "same_text_as_missing_page";
            let detail = "status 200, but the text is that of the site's page for missing pages";
            doubts.insert(visit.page.clone(), doubt(captured, Outcome::SoftGone, reason, detail));
            continue;
        }
        let Some(before) = before else { continue };
        // A reader that changed gives many pages another text; their bytes did not change.
        if before.raw == captured.record.raw
            || captured.before_today.as_ref() == Some(&captured.words)
        {
            continue;
        }
        let is_home_page = Url::parse(&visit.page).is_ok_and(|it| is_home(&it));
        if homes.contains(text) && !is_home_page {
            let reason = "same_text_as_site_root";
            let detail = "status 200, but the text is that of the front page";
            doubts.insert(visit.page.clone(), doubt(captured, Outcome::SoftGone, reason, detail));
            continue;
        }
        changed.entry(text).or_default().push(visit);
    }
    for crowd in changed.into_values().filter(|it| it.len() >= CROWD) {
        let detail = format!("{} pages that differed have one and the same text now", crowd.len());
        for visit in crowd {
            if let Some(captured) = captured(visit) {
                let failed = doubt(captured, Outcome::Suspect, "same_text_on_many_pages", &detail);
                doubts.insert(visit.page.clone(), failed);
            }
        }
    }
    doubts
}

/// Hosts of which something was answered well in this crawl.
pub fn working_hosts(
    visits: &BTreeMap<String, Visit>,
    answering: &BTreeSet<String>,
    doubts: &BTreeMap<String, Failed>,
) -> BTreeSet<String> {
    let well = visits.values().filter(|it| {
        matches!(it.ending, Ending::Captured(_) | Ending::NotModified { .. })
            && !doubts.contains_key(&it.page)
    });
    let hosts = well.filter_map(|it| Url::parse(&it.page).ok().map(|it| host_key(&it)));
    hosts.chain(answering.iter().cloned()).collect()
}

fn captured(visit: &Visit) -> Option<&Captured> {
    match &visit.ending {
        Ending::Captured(captured) => Some(captured),
        _ => None,
    }
}

fn missing_text(visit: &Visit) -> Option<&str> {
    match &visit.ending {
        Ending::Failed(failed) if failed.outcome == Outcome::GoneSuspected => {
            failed.text.as_deref()
        }
        _ => None,
    }
}

fn doubt(captured: &Captured, outcome: Outcome, reason: &str, detail: &str) -> Failed {
    let mut failed = Failed::unanswered(outcome, reason, detail);
    failed.raw = Some(captured.record.raw.clone());
    failed.text.clone_from(&captured.record.text);
    failed.media = Some(captured.record.media.clone());
    failed.charset.clone_from(&captured.record.charset);
    failed.han_percent = Some(captured.han_percent);
    failed
}
