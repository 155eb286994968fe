//! Two editions of a source side by side: pages, items, passages, words. Fetches and asks nothing.
//!
//! Both editions are read again with the rules of today, so that like is compared with like: a
//! change of our selectors never looks like a change of the source.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::change::looks::looks;
use crate::change::matching::{ItemChange, ItemText, match_items};
use crate::change::passages::{Passage, compare_passages};
use crate::change::weight::number_or_operator_changed;
use crate::change::words::{Side, compare_words};
use crate::model::page::Outcome;
use crate::model::snapshot::ManifestPage;
use crate::pipeline::failure::RunError;
use crate::pipeline::page::state::PageInput;
use crate::pipeline::rounds::desk::{PageInputError, SourceDesk};
use crate::text::blocks::unnumbered::unnumbered;
use crate::text::glyphs::wording::wording;
use crate::text::span::Span;

/// What differs between two editions of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EditionDiff {
    pub source: String,
    pub from: String,
    pub to: String,
    /// Change word -> pages.
    pub page_counts: BTreeMap<&'static str, u64>,
    /// Change word -> items, on pages that are not new or removed as a whole.
    pub item_counts: BTreeMap<&'static str, u64>,
    /// Pages that differ, by address.
    pub pages: Vec<PageDiff>,
}

/// One page that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PageDiff {
    pub page: String,
    /// `new`, `removed`, `moved`, `changed`, `layout` (the same words), `furniture` (only what is no
    /// content), `unread`.
    pub change: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<ItemDiff>,
    /// Rows on record that the difference touches; where the page has a record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub touches: Option<Touches>,
}

/// Rows on record in items that differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Touches {
    /// Accepted and flagged rows.
    pub rows: u64,
    /// Of these, the ones cleared by gate and review.
    pub accepted: u64,
    /// Of these, the ones a client signed as approved or corrected.
    pub approved: u64,
    /// Groups that one of these rows belongs to.
    pub groups: u64,
}

/// One item that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ItemDiff {
    /// `new`, `removed`, `changed`, `moved`, `reordered`, `cosmetic_variant`, `layout`, `heading`
    /// (only a heading above it).
    pub change: &'static str,
    /// True where a number, sign, comparison, and/or, negation or exception differs.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub number_or_operator: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_key: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub passages: Vec<PassageDiffed>,
    /// The item's words now, or last known; for readers of this value, not written out.
    #[serde(skip)]
    pub text: Option<String>,
}

/// One sentence or table row that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PassageDiffed {
    /// `added`, `removed`, `changed`, `moved`.
    pub change: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
    /// For a changed passage: runs of words, `=` in both, `-` old, `+` new.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<(&'static str, String)>,
}

/// Compares two editions.
///
/// # Errors
/// When an edition or a snapshot cannot be read.
pub fn compare_editions(desk: &SourceDesk, from: &str, to: &str) -> Result<EditionDiff, RunError> {
    let (from, to) = (desk.snapshots.edition(from)?, desk.snapshots.edition(to)?);
    let pages = |edition: &str| -> Result<BTreeMap<String, ManifestPage>, RunError> {
        let manifest = desk.snapshots.manifest(edition)?;
        Ok(manifest.pages.into_iter().map(|it| (it.page.clone(), it)).collect())
    };
    let (old, new) = (pages(&from)?, pages(&to)?);
    let moved: BTreeSet<String> = desk
        .snapshots
        .crawl_of(&to)?
        .pages
        .into_iter()
        .filter(|it| it.outcome == Outcome::Moved)
        .map(|it| it.page)
        .collect();
    let mut diff =
        EditionDiff { source: desk.source.id.clone(), from, to, ..EditionDiff::default() };
    for (address, page) in &new {
        let found = match old.get(address) {
            None => {
                PageDiff { page: address.clone(), change: "new", items: Vec::new(), touches: None }
            }
            Some(before) if before.record == page.record => {
                *diff.page_counts.entry("unchanged").or_default() += 1;
                continue;
            }
            Some(before) => compare_pages(desk, before, page)?,
        };
        for item in &found.items {
            *diff.item_counts.entry(item.change).or_default() += 1;
        }
        *diff.page_counts.entry(found.change).or_default() += 1;
        diff.pages.push(found);
    }
    for address in old.keys().filter(|it| !new.contains_key(*it)) {
        let change = if moved.contains(address) { "moved" } else { "removed" };
        *diff.page_counts.entry(change).or_default() += 1;
        diff.pages.push(PageDiff {
            page: address.clone(),
            change,
            items: Vec::new(),
            touches: None,
        });
    }
    diff.pages.sort_by(|a, b| a.page.cmp(&b.page));
    Ok(diff)
}

fn compare_pages(
    desk: &SourceDesk,
    before: &ManifestPage,
    after: &ManifestPage,
) -> Result<PageDiff, RunError> {
    let unread =
        PageDiff { page: after.page.clone(), change: "unread", items: Vec::new(), touches: None };
    let read = |page: &ManifestPage| match desk.input(page) {
        Err(PageInputError::Read { .. }) => Ok(None),
        other => other,
    };
    let (Some(old), Some(new)) = (read(before)?, read(after)?) else { return Ok(unread) };
    if old.text == new.text {
        return Ok(PageDiff { change: "furniture", ..unread });
    }
    if wording(&old.text) == wording(&new.text) {
        return Ok(PageDiff { change: "layout", ..unread });
    }
    Ok(PageDiff { change: "changed", items: compare_items(&old, &new), ..unread })
}

/// The differing items of two readings of a page.
pub fn compare_items(old: &PageInput, new: &PageInput) -> Vec<ItemDiff> {
    let (before, after) = (old.item_texts(), new.item_texts());
    let mut found: Vec<ItemDiff> = match_items(&before, &after)
        .into_iter()
        .filter_map(|it| {
            compare_pair(it.change, it.old.map(|at| before[at]), it.new.map(|at| after[at]))
        })
        .collect();
    // What a rule turns on comes first; otherwise the order of the page.
    found.sort_by_key(|it| !it.number_or_operator);
    found
}

fn compare_pair(
    change: ItemChange,
    old: Option<ItemText<'_>>,
    new: Option<ItemText<'_>>,
) -> Option<ItemDiff> {
    let (was, is) = (old.map_or("", |it| it.text), new.map_or("", |it| it.text));
    let mut found = Vec::new();
    let word = match change {
        ItemChange::Changed if wording(was) == wording(is) => "layout",
        ItemChange::Changed if looks(was) == looks(is) => {
            found = passages(was, is);
            "cosmetic_variant"
        }
        ItemChange::Changed | ItemChange::New | ItemChange::Removed => {
            found = passages(was, is);
            item_word(change)
        }
        ItemChange::Unchanged | ItemChange::Moved | ItemChange::Reordered => {
            // The item's own words are the same; a heading above that stands with it may not be.
            if wording(was) != wording(is) {
                found = passages(was, is);
                found.retain(|it| !is_renumbered(it));
            }
            if change != ItemChange::Unchanged {
                item_word(change)
            } else if found.is_empty() {
                return None;
            } else {
                "heading"
            }
        }
    };
    let is_weighty = |it: &PassageDiffed| {
        let (was, is) = (it.old.as_deref(), it.new.as_deref());
        it.change != "moved"
            && number_or_operator_changed(was.unwrap_or_default(), is.unwrap_or_default())
    };
    Some(ItemDiff {
        change: word,
        number_or_operator: word == "changed" && found.iter().any(is_weighty),
        old_key: old.map(|it| it.key.to_owned()),
        new_key: new.map(|it| it.key.to_owned()),
        passages: found,
        text: new.or(old).map(|it| it.text.to_owned()),
    })
}

/// True where a passage only has another number of its place; `Tier 2` that is `Tier 3` is another name.
fn is_renumbered(passage: &PassageDiffed) -> bool {
    let bare = |text: &Option<String>| -> Option<String> {
        let text = text.as_deref()?.trim_start_matches('#');
        Some(unnumbered(text).split_whitespace().collect())
    };
    let (old, new) = (bare(&passage.old), bare(&passage.new));
    old.is_some() && old == new
}

fn passages(old: &str, new: &str) -> Vec<PassageDiffed> {
    let slice =
        |span: Option<Span>, text: &str| span.and_then(|it| it.slice(text)).map(str::to_owned);
    compare_passages(old, new)
        .passages
        .into_iter()
        .map(|it| {
            let (old, new) = (slice(it.old, old), slice(it.new, new));
            let words = match (&old, &new) {
                (Some(old), Some(new)) if it.change == Passage::Changed => words(old, new),
                _ => Vec::new(),
            };
            PassageDiffed { change: passage_word(it.change), old, new, words }
        })
        .collect()
}

fn words(old: &str, new: &str) -> Vec<(&'static str, String)> {
    compare_words(old, new)
        .into_iter()
        .map(|it| {
            let sign = match it.side {
                Side::Both => "=",
                Side::Old => "-",
                Side::New => "+",
            };
            (sign, it.text)
        })
        .collect()
}

fn item_word(change: ItemChange) -> &'static str {
    match change {
        ItemChange::New => "new",
        ItemChange::Removed => "removed",
        ItemChange::Changed => "changed",
        ItemChange::Unchanged => "unchanged",
        ItemChange::Moved => "moved",
        ItemChange::Reordered => "reordered",
    }
}

fn passage_word(change: Passage) -> &'static str {
    match change {
        Passage::Added => "added",
        Passage::Removed => "removed",
        Passage::Changed => "changed",
        Passage::Moved => "moved",
    }
}
