//! Whether the rows cover the page: lists of which some items are missing, pages without any row.
//!
//! It says what is missing; it never says that nothing is.

use std::collections::BTreeMap;

use crate::gate::page::PageText;
use crate::gate::sentences::ledger::{Fate, Ledger, LedgerEntry};
use crate::text::blocks::outline::BlockKind;
use crate::text::span::Span;

/// What the rows of a reply leave out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Omission {
    /// Conditions seen: the items of the incomplete lists, or the open rules of a page without rows.
    pub source_items: usize,
    /// How many of these the rows use.
    pub rows_found: usize,
    /// The first place that nothing uses.
    pub first: Span,
}

/// OMISSION: a list of conditions used in part or not at all, a table used in part, or rules and no
/// row.
pub fn find_omission(page: &PageText, ledger: &Ledger, n_rows: usize) -> Option<Omission> {
    let mut omission = Omission::default();
    let mut first: Option<Span> = None;
    let tables = tables_of(page, ledger).into_iter().filter(|it| it.iter().any(|it| is_used(it)));
    for items in lists_of(page, ledger).into_iter().chain(tables) {
        let used = items.iter().filter(|it| is_used(it)).count();
        let open = |it: &&&LedgerEntry| matches!(it.fate, Fate::Open { is_rule: true });
        let missing = items.iter().find(open);
        if let Some(missing) = missing.filter(|_| 1 < items.len()) {
            omission.source_items += items.len();
            omission.rows_found += used;
            first = Some(first.map_or(missing.span, |it| it.min(missing.span)));
        }
    }
    if first.is_none() && n_rows == 0 {
        omission.source_items = ledger.omissions().count();
        first = ledger.omissions().next();
    }
    first.map(|first| Omission { first, ..omission })
}

fn is_used(entry: &LedgerEntry) -> bool {
    matches!(entry.fate, Fate::Used { .. })
}

/// The lines of each table that state a rule or are used.
fn tables_of<'l>(page: &PageText, ledger: &'l Ledger) -> Vec<Vec<&'l LedgerEntry>> {
    let outline = page.outline();
    let mut tables: BTreeMap<usize, Vec<&LedgerEntry>> = BTreeMap::new();
    let mut last = 0..0;
    for entry in &ledger.entries {
        let Some(block) = outline.block_at(entry.span.start) else { continue };
        if outline.blocks[block].kind != BlockKind::TableRow {
            continue;
        }
        if !last.contains(&block) {
            last = outline.table_of(block);
        }
        if is_used(entry) || matches!(entry.fate, Fate::Open { is_rule: true }) {
            tables.entry(last.start).or_default().push(entry);
        }
    }
    tables.into_values().collect()
}

/// The entries of each list, one an item: the item's first sentence stands for it, unless a later
/// one is used.
fn lists_of<'l>(page: &PageText, ledger: &'l Ledger) -> Vec<Vec<&'l LedgerEntry>> {
    let outline = page.outline();
    let mut lists: BTreeMap<usize, Vec<(usize, &LedgerEntry)>> = BTreeMap::new();
    for entry in &ledger.entries {
        let Some(block) = outline.block_at(entry.span.start) else { continue };
        if outline.blocks[block].kind != BlockKind::ListItem {
            continue;
        }
        let Some(lead) = outline.lead_in(block) else { continue };
        let items = lists.entry(lead).or_default();
        match items.last_mut() {
            Some((last, it)) if *last == block => {
                if is_used(entry) {
                    *it = entry;
                }
            }
            _ => items.push((block, entry)),
        }
    }
    // An item with items of its own below it is a lead-in, counted through them.
    let is_leaf = |it: &(usize, &LedgerEntry)| outline.members(it.0).next().is_none();
    lists
        .into_values()
        .map(|items| items.into_iter().filter(is_leaf).map(|it| it.1).collect())
        .collect()
}
