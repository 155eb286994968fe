//! What the sources no longer show: candidates for removal, each with its rows, never a removal.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::finding::Code;
use crate::model::page::Outcome;
use crate::model::row::RowRecord;
use crate::model::sheet::RemovalCandidate;
use crate::model::snapshot::CrawlRecord;
use crate::pipeline::carry::is_live;

/// Candidates among the rows on record, given each source's last crawl.
pub fn removal_candidates(
    rows: &[RowRecord],
    crawls: &BTreeMap<String, CrawlRecord>,
) -> Vec<RemovalCandidate> {
    let gone = gone_pages(crawls);
    let members = members_of_groups(rows);
    rows.iter()
        .filter(|it| is_live(it))
        .filter_map(|row| {
            let stale = row.findings.iter().find(|it| it.code == Code::StaleSnapshot);
            let page = gone.get(&(row.source.as_str(), row.page.as_str()));
            let (reason, last_seen) = match (page, stale) {
                (Some(page), _) => (page.0.clone(), page.1.clone()),
                (None, Some(note)) => (note.detail.clone(), String::new()),
                (None, None) => return None,
            };
            let group = group_of(row).and_then(|it| members.get(&it));
            let dependants = group
                .into_iter()
                .flatten()
                .filter(|key| **key != row.key)
                .map(|key| (*key).to_owned())
                .collect();
            Some(RemovalCandidate { row: row.clone(), reason, last_seen, dependants })
        })
        .collect()
}

/// Items that the candidates belong to.
pub fn count_items(candidates: &[RemovalCandidate]) -> u64 {
    let items: BTreeSet<(&str, &str)> =
        candidates.iter().map(|it| (it.row.page.as_str(), it.row.item.as_str())).collect();
    items.len() as u64
}

type PagesGone<'a> = BTreeMap<(&'a str, &'a str), (String, String)>;

/// Source and page -> reason and when it was last seen.
fn gone_pages(crawls: &BTreeMap<String, CrawlRecord>) -> PagesGone<'_> {
    let mut gone = BTreeMap::new();
    for (source, crawl) in crawls {
        for page in &crawl.removal_candidates {
            let seen = page.last_seen.map(|it| it.strftime("%Y-%m-%d").to_string());
            let value = (page.reason.clone(), seen.unwrap_or_default());
            gone.insert((source.as_str(), page.page.as_str()), value);
        }
        for page in crawl.pages.iter().filter(|it| it.outcome == Outcome::Moved) {
            if let Some(target) = &page.target {
                let value = (format!("moved: {target}"), String::new());
                gone.insert((source.as_str(), page.page.as_str()), value);
            }
        }
    }
    gone
}

fn members_of_groups(rows: &[RowRecord]) -> BTreeMap<(&str, &str, &str), Vec<&str>> {
    let mut members: BTreeMap<_, Vec<&str>> = BTreeMap::new();
    for row in rows.iter().filter(|it| is_live(it)) {
        if let Some(group) = group_of(row) {
            members.entry(group).or_default().push(&row.key);
        }
    }
    members
}

fn group_of(row: &RowRecord) -> Option<(&str, &str, &str)> {
    row.claim.group.as_deref().map(|it| (row.page.as_str(), row.item.as_str(), it))
}
