//! What the sources no longer show: candidates for removal, each with its rows, never a removal.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::change::references::{label_of, references_in};
use crate::model::finding::Code;
use crate::model::page::Outcome;
use crate::model::row::RowRecord;
use crate::model::run::GonePage;
use crate::model::sheet::{RemovalCandidate, SheetLanguage};
use crate::model::snapshot::CrawlRecord;
use crate::model::source::Source;
use crate::pipeline::client::approved::Approvals;
use crate::pipeline::page::candidate::{is_candidate, is_live, reads_chinese};

/// Candidates among the rows on record, given the pages that are gone and what a client approved.
/// On each hang the other members of its group and the rows whose sentence refers to its provision.
pub fn removal_candidates(
    rows: &[RowRecord],
    gone: &PagesGone<'_>,
    approved: &Approvals,
) -> Vec<RemovalCandidate> {
    let members = members_of_groups(rows);
    let elsewhere = pages_by_words(rows, gone);
    let referring = OnceCell::new();
    rows.iter()
        .filter(|it| is_live(it))
        .filter_map(|row| {
            let stale = row.findings.iter().find(|it| it.code == Code::StaleSnapshot);
            let page = gone.get(&(row.source.as_str(), row.page.as_str()));
            let (reason, last_seen) = match (page, stale) {
                (Some(page), _) => (page.words(reads_chinese(row)), page.last_seen.clone()),
                (None, Some(finding)) => (finding.detail.clone(), day_in(&finding.detail)),
                (None, None) => return None,
            };
            let reason =
                reason + &elsewhere_words(row, &elsewhere) + &approval_words(row, approved);
            let group = group_of(row).and_then(|it| members.get(&it));
            let referring: &Referring<'_> = referring.get_or_init(|| rows_that_refer(rows));
            let named = label_of(&row.item, &row.sentence);
            let page = (row.source.as_str(), row.page.as_str());
            let named = named.and_then(|it| referring.get(&(page, it)));
            let dependants: BTreeSet<&str> = group
                .into_iter()
                .chain(named)
                .flatten()
                .copied()
                .filter(|key| *key != row.key)
                .collect();
            let dependants = dependants.into_iter().map(str::to_owned).collect();
            Some(RemovalCandidate { row: row.clone(), reason, last_seen, dependants })
        })
        .collect()
}

/// Source and quoted words -> a page on which they stand today, of the rows at hand.
type Elsewhere<'a> = BTreeMap<(&'a str, &'a str), &'a str>;

fn pages_by_words<'a>(rows: &'a [RowRecord], gone: &PagesGone<'_>) -> Elsewhere<'a> {
    let stands = |it: &&RowRecord| {
        let is_gone = gone.contains_key(&(it.source.as_str(), it.page.as_str()));
        is_live(it) && !is_candidate(it) && !is_gone
    };
    let places = rows.iter().filter(stands);
    places.map(|it| ((it.source.as_str(), it.claim.snippet.as_str()), it.page.as_str())).collect()
}

/// That the same words now stand on another page: a page that was split or moved looks like a loss.
fn elsewhere_words(row: &RowRecord, elsewhere: &Elsewhere<'_>) -> String {
    match elsewhere.get(&(row.source.as_str(), row.claim.snippet.as_str())) {
        Some(page) if *page != row.page && reads_chinese(row) => {
            format!("同樣的文字現見於 {page}。")
        }
        Some(page) if *page != row.page => format!(" The same words now stand on {page}."),
        _ => String::new(),
    }
}

/// Source and page, and label of a provision -> keys of the live rows whose sentence refers to it.
type Referring<'a> = BTreeMap<((&'a str, &'a str), String), Vec<&'a str>>;

fn rows_that_refer(rows: &[RowRecord]) -> Referring<'_> {
    let mut found = Referring::new();
    for row in rows.iter().filter(|it| is_live(it)) {
        for reference in references_in(&row.sentence, &row.page_title) {
            let number = reference.names.split_once('-').map_or("", |(_, number)| number);
            let as_item = format!("item-{number}");
            for name in BTreeSet::from([reference.names.clone(), as_item]) {
                let page = (row.source.as_str(), row.page.as_str());
                found.entry((page, name)).or_default().push(&row.key);
            }
        }
    }
    found
}

fn approval_words(row: &RowRecord, approved: &Approvals) -> String {
    match approved.get(&row.key) {
        None => String::new(),
        Some(day) if reads_chinese(row) => format!("本列曾於 {day} 經核准。"),
        Some(day) => format!(" The row was approved on {day}."),
    }
}

/// The gone pages on which none of the candidates rests: nobody is asked about them, so they are told.
/// A page that moved is not gone: it is read where it is now.
pub fn gone_without_rows(
    gone: &PagesGone<'_>,
    candidates: &[RemovalCandidate],
    sources: &[&Source],
) -> Vec<GonePage> {
    let asked: BTreeSet<(&str, &str)> =
        candidates.iter().map(|it| (it.row.source.as_str(), it.row.page.as_str())).collect();
    let reads_chinese = |id: &str| {
        let source = sources.iter().find(|it| it.id == id);
        source.is_some_and(|it| SheetLanguage::of(&it.language) == SheetLanguage::Chinese)
    };
    gone.iter()
        .filter(|(place, page)| !asked.contains(*place) && matches!(page.why, Why::Gone(_)))
        .map(|((source, page), why)| GonePage {
            source: (*source).to_owned(),
            page: (*page).to_owned(),
            reason: why.words(reads_chinese(source)),
        })
        .collect()
}

/// Items that the candidates belong to.
pub fn count_items(candidates: &[RemovalCandidate]) -> u64 {
    let item = |it: &RowRecord| (it.source.clone(), it.page.clone(), it.item.clone());
    let items: BTreeSet<_> = candidates.iter().map(|it| item(&it.row)).collect();
    items.len() as u64
}

/// A page that is gone or lives elsewhere.
#[derive(Debug)]
pub struct PageGone {
    /// The crawl's own word, or the address it moved to.
    why: Why,
    /// As `2026-03-01`.
    last_seen: String,
}

#[derive(Debug)]
enum Why {
    Gone(String),
    Moved(String),
}

impl PageGone {
    fn words(&self, reads_chinese: bool) -> String {
        match (&self.why, reads_chinese) {
            (Why::Moved(to), false) => format!("The page moved to {to}."),
            (Why::Moved(to), true) => format!("網頁已移至 {to}。"),
            (Why::Gone(why), reads_chinese) => gone_words(why, reads_chinese),
        }
    }
}

fn gone_words(why: &str, reads_chinese: bool) -> String {
    let words = match why {
        "redirect_to_site_root" => [
            "The page is gone: its address leads to the site's front page.",
            "網頁已不存在：其網址轉到網站首頁。",
        ],
        "soft_404" => ["The page says that it is not there.", "網頁說明其內容已不存在。"],
        _ => [
            "The page is gone: the site answered so in separate runs.",
            "網頁已不存在：網站在不同次執行中均如此回覆。",
        ],
    };
    words[usize::from(reads_chinese)].to_owned()
}

/// The day that a candidate's own words name.
fn day_in(words: &str) -> String {
    let is_day = |it: &&[u8]| {
        it.iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
    };
    let day = words.as_bytes().windows(10).find(is_day);
    day.map_or_else(String::new, |it| String::from_utf8_lossy(it).into_owned())
}

/// Source and page of what is gone.
pub type PagesGone<'a> = BTreeMap<(&'a str, &'a str), PageGone>;

/// The pages that a crawl found gone or moved, with the reason and when each was last seen.
pub fn gone_pages(crawls: &BTreeMap<String, CrawlRecord>) -> PagesGone<'_> {
    let mut gone = BTreeMap::new();
    for (source, crawl) in crawls {
        for page in &crawl.removal_candidates {
            let seen = page.last_seen.map(|it| it.strftime("%Y-%m-%d").to_string());
            let value = PageGone {
                why: Why::Gone(page.reason.clone()),
                last_seen: seen.unwrap_or_default(),
            };
            gone.insert((source.as_str(), page.page.as_str()), value);
        }
        for page in crawl.pages.iter().filter(|it| it.outcome == Outcome::Moved) {
            if let Some(target) = &page.target {
                let value = PageGone { why: Why::Moved(target.clone()), last_seen: String::new() };
                gone.insert((source.as_str(), page.page.as_str()), value);
            }
        }
    }
    gone
}

/// Source, page, item and name of a group.
type GroupKey<'a> = (&'a str, &'a str, &'a str, &'a str);

fn members_of_groups(rows: &[RowRecord]) -> BTreeMap<GroupKey<'_>, Vec<&str>> {
    let mut members: BTreeMap<_, Vec<&str>> = BTreeMap::new();
    for row in rows.iter().filter(|it| is_live(it)) {
        if let Some(group) = group_of(row) {
            members.entry(group).or_default().push(&row.key);
        }
    }
    members
}

fn group_of(row: &RowRecord) -> Option<GroupKey<'_>> {
    let group = row.claim.group.as_deref()?;
    Some((&row.source, &row.page, &row.item, group))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_day_is_read_from_the_words_that_name_it() {
        assert_eq!(day_in("這段內容；最後見於 2026-03-01。"), "2026-03-01");
        assert_eq!(day_in("it was last seen on 2026-11-30."), "2026-11-30");
        assert_eq!(day_in("no day, 12-34"), "");
    }

    #[test]
    fn reasons_are_plain_words_in_both_languages() {
        for why in ["gone", "soft_404", "redirect_to_site_root"] {
            assert!(gone_words(why, false).starts_with("The page"));
            assert!(gone_words(why, true).starts_with("網頁"));
        }
    }
}
