//! Listings and the totals they state: a free check against pages that come back empty.
//!
//! What is not seen is not verified; it is never removed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::crawl::url::{RefusedAddress, read_address, read_relative};
use crate::model::snapshot::ListingState;

/// Most pages of one numbered listing.
pub const MAX_PAGES: u32 = 2_000;

/// Entries below which a listing may lose what it likes.
const FEWEST: u64 = 10;

/// Letters of a page for each link in its content up to which the page lists things: a title with a few
/// lines about it. An article that speaks of ten others is longer.
pub const LETTERS_OF_ENTRY: u64 = 150;

/// True where a listing lost half of its entries or more from one crawl to the next.
pub fn lost_half(was: u64, is: u64) -> bool {
    was >= FEWEST && is * 2 <= was
}

/// What a listing page says of itself: `Showing 26-50 of 63`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stated {
    /// First and last entry on this page, where it says so.
    pub range: Option<(u64, u64)>,
    pub total: u64,
}

/// One page of a listing, as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListingPage {
    pub stated: Option<Stated>,
    /// Addresses of the links in the content, sorted.
    pub entries: BTreeSet<String>,
}

/// The address of page `n` of a listing declared as `/schemes?page={n}`.
///
/// # Errors
/// When it is refused.
pub fn listing_address(pattern: &str, n: u32, base: Option<&Url>) -> Result<Url, RefusedAddress> {
    let raw = pattern.replacen("{n}", &n.to_string(), 1);
    match base {
        Some(base) => read_relative(&raw, base),
        None => read_address(&raw),
    }
}

static RANGE_OF: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)(\d[\d,]*)\s*(?:-|–|—|~|～|to|through|至|到)\s*(?:第\s*)?(\d[\d,]*)\s*",
        r"(?:筆|項|條|則|件|笔|项|条)?\s*(?:of|out of|[,，、/／;；(（]?\s*[共合]計?)\s*(?:about\s+|有\s*)?(\d[\d,]*)",
    ))
    .ok()
});
static TOTAL_THEN_RANGE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"[共合]計?\s*有?\s*(\d[\d,]*)\s*(?:筆|項|條|則|件|笔|项|条)[^\d\n]{0,20}",
        r"(\d[\d,]*)\s*(?:-|–|—|~|～|至|到)\s*(?:第\s*)?(\d[\d,]*)",
    ))
    .ok()
});
static TOTAL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)[共合]計?\s*有?\s*(\d[\d,]*)\s*(?:筆|項|條|則|件|笔|项|条)",
        r"|(?:total of|total:?|found)\s+(\d[\d,]*)\s*(?:results?|items?|entries|records?|schemes?|pages?)?",
        r"|(\d[\d,]*)\s+(?:results?|items|entries|records)\b",
    ))
    .ok()
});

/// Longest line that states a total; a rule that speaks of numbers is longer.
const LONGEST_LINE: usize = 120;

/// What a text says of its listing, where it says something.
pub fn read_stated(text: &str) -> Option<Stated> {
    let lines =
        || text.lines().filter(|it| it.len() <= LONGEST_LINE && !it.starts_with(['-', '|']));
    let with_range = lines().find_map(|line| {
        let found = RANGE_OF.as_ref().and_then(|it| it.captures(line));
        if let Some(found) = found {
            return stated(number(&found[1])?, number(&found[2])?, number(&found[3])?);
        }
        let found = TOTAL_THEN_RANGE.as_ref().and_then(|it| it.captures(line))?;
        stated(number(&found[2])?, number(&found[3])?, number(&found[1])?)
    });
    with_range.or_else(|| {
        lines().find_map(|line| {
            let found = TOTAL.as_ref().and_then(|it| it.captures(line))?;
            let total = (1..=3).find_map(|it| found.get(it)).and_then(|it| number(it.as_str()))?;
            Some(Stated { range: None, total })
        })
    })
}

fn stated(from: u64, to: u64, total: u64) -> Option<Stated> {
    (1 <= from && from <= to && to <= total).then_some(Stated { range: Some((from, to)), total })
}

fn number(text: &str) -> Option<u64> {
    text.replace(',', "").parse().ok()
}

/// True for a page that lists nothing and does not say that it does.
pub fn is_empty(page: &ListingPage) -> bool {
    page.entries.is_empty() && page.stated.is_none_or(|it| it.range.is_none())
}

/// True where this page is the last one by its own words.
pub fn is_last(page: &ListingPage) -> bool {
    let stated = page.stated.and_then(|it| Some((it.range?.1, it.total)));
    stated.is_some_and(|(to, total)| to == total)
}

/// Puts the pages of one listing together: those before the first page without entries.
pub fn settle_listing(
    first: &str,
    pages: &[ListingPage],
    before: Option<&Vec<String>>,
) -> (ListingState, Option<Vec<String>>) {
    let read: Vec<&ListingPage> = pages.iter().take_while(|it| !is_empty(it)).collect();
    let entries: BTreeSet<&String> = read.iter().flat_map(|it| &it.entries).collect();
    let declared_total = read.iter().filter_map(|it| it.stated).map(|it| it.total).max();
    let reached = read.iter().filter_map(|it| it.stated?.range).map(|it| it.1).max();
    let counted = u64::try_from(entries.len()).unwrap_or(u64::MAX);
    let stopped_early = read.len() < pages.len() && declared_total.is_none();
    let shrank = before.is_some_and(|it| entries.len() * 2 < it.len());
    let is_complete = match declared_total {
        Some(total) => reached.unwrap_or(counted) >= total,
        None => !read.is_empty() && (!stopped_early || !shrank),
    };
    let not_verified: Vec<String> = match before {
        Some(before) if !is_complete => {
            before.iter().filter(|it| !entries.contains(it)).cloned().collect()
        }
        _ => Vec::new(),
    };
    let state = ListingState {
        page: first.to_owned(),
        listed: reached.unwrap_or(counted),
        declared_total,
        is_complete,
        not_verified,
    };
    (state, is_complete.then(|| entries.into_iter().cloned().collect()))
}

/// Query parameters that number the pages of a listing.
const PAGE_PARAMETERS: &[&str] = &[
    "p",
    "pg",
    "page",
    "pageno",
    "page_no",
    "pagenum",
    "page_num",
    "pagenumber",
    "pageindex",
    "currentpage",
    "cur",
    "start",
    "offset",
    "first",
];

/// The listing a page belongs to: its address without the number of the page.
pub fn family_of(page: &Url) -> String {
    let mut family = page.clone();
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    if let Some(query) = page.query() {
        let names_page = |it: &&str| {
            let (name, value) = it.split_once('=').unwrap_or((it, ""));
            !(PAGE_PARAMETERS.contains(&name.to_ascii_lowercase().as_str()) && is_number(value))
        };
        let kept: Vec<&str> = query.split('&').filter(names_page).collect();
        family.set_query((!kept.is_empty()).then(|| kept.join("&")).as_deref());
    }
    let segments: Vec<&str> = page.path().trim_end_matches('/').split('/').collect();
    if let [before @ .., name, number] = segments.as_slice()
        && name.eq_ignore_ascii_case("page")
        && is_number(number)
    {
        family.set_path(&before.join("/"));
    }
    family.to_string()
}

/// Pages that state their range, in the order of their ranges, up to the first hole.
pub fn without_hole(mut pages: Vec<ListingPage>) -> Vec<ListingPage> {
    let range = |it: &ListingPage| it.stated.and_then(|it| it.range).unwrap_or((u64::MAX, 0));
    pages.sort_by_key(range);
    let mut next = 1;
    let mut read = Vec::new();
    for page in pages {
        let (from, to) = range(&page);
        if from > next {
            // Somewhere in between there should have been a page.
            read.push(ListingPage::default());
            return read;
        }
        next = next.max(to.saturating_add(1));
        read.push(page);
    }
    read
}

/// First page of a listing -> its pages in order.
pub type Listings = BTreeMap<String, Vec<ListingPage>>;

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Option<(Option<(u64, u64)>, u64)> {
        read_stated(text).map(|it| (it.range, it.total))
    }

    #[test]
    fn totals_are_read_in_both_languages() {
        for (text, range, total) in [
            ("# Permits\n\nShowing 1-25 of 63\n\n- One", Some((1, 25)), 63),
            ("Results 26 to 50 of 1,063", Some((26, 50)), 1063),
            ("第 1 至 25 筆，共 63 筆", Some((1, 25)), 63),
            ("第1-25項/共63項", Some((1, 25)), 63),
            ("共 63 筆，目前顯示第 26 ~ 50 筆", Some((26, 50)), 63),
            ("共 63 筆資料", None, 63),
            ("Total: 63 results", None, 63),
            ("63 results", None, 63),
        ] {
            assert_eq!(said(text), Some((range, total)), "{text}");
        }
        for text in [
            "Showing results",
            "Payment is made within 10 to 14 days of the claim.",
            "Ages 50 to 20 of 10",
            "",
        ] {
            assert_eq!(said(text), None, "{text}");
        }
    }

    fn page(from: u64, to: u64, total: u64) -> ListingPage {
        ListingPage {
            stated: Some(Stated { range: Some((from, to)), total }),
            entries: (from..=to).map(|it| format!("https://gov.example/p/{it:03}")).collect(),
        }
    }

    #[test]
    fn a_hole_in_a_listing_leaves_the_rest_unverified() {
        let whole = [page(1, 10, 25), page(11, 20, 25), page(21, 25, 25)];
        let (state, entries) = settle_listing("first", &whole, None);
        assert!(state.is_complete);
        let entries = entries.unwrap();
        assert_eq!(entries.len(), 25);
        let broken = [page(1, 10, 25), ListingPage::default(), page(21, 25, 25)];
        let (state, kept) = settle_listing("first", &broken, Some(&entries));
        assert!(!state.is_complete && kept.is_none());
        assert_eq!(
            (state.listed, state.declared_total, state.not_verified.len()),
            (10, Some(25), 15)
        );
    }

    #[test]
    fn pages_of_one_listing_are_known_by_their_address() {
        let family = |it: &str| family_of(&Url::parse(it).unwrap());
        for it in [
            "https://gov.example/s?p=2&q=a",
            "https://gov.example/s?q=a",
            "https://gov.example/s?q=a&Page=10",
        ] {
            assert_eq!(family(it), "https://gov.example/s?q=a", "{it}");
        }
        assert_eq!(family("https://gov.example/s/page/3/"), "https://gov.example/s");
        assert_ne!(family("https://gov.example/s?id=2"), family("https://gov.example/s?id=3"));
        let holed = without_hole(vec![page(21, 25, 25), page(1, 10, 25)]);
        assert_eq!((holed.len(), is_empty(&holed[1])), (2, true));
    }

    #[test]
    fn a_listing_that_states_nothing_is_complete_where_it_ends_as_before() {
        let entries = |n: u32| ListingPage {
            stated: None,
            entries: (0..n).map(|it| format!("https://gov.example/p/{it}")).collect(),
        };
        let (state, kept) = settle_listing("first", &[entries(10), entries(0)], None);
        assert!(state.is_complete);
        let before: Vec<String> = (0..30).map(|it| format!("https://gov.example/p/{it}")).collect();
        assert!(kept.is_some());
        let (state, _) = settle_listing("first", &[entries(10), entries(0)], Some(&before));
        assert!(!state.is_complete, "two thirds are missing");
    }
}
