//! A page beside its record: what can be carried, what has to be read, and which rows that touches.
//!
//! It compares and counts. It asks nothing and writes nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::ask::canonical::hex_sha256;
use crate::change::matching::ItemChange;
use crate::change::references::stale_references;
use crate::model::row::RowStatus;
use crate::model::run::{ChangeCause, ChangeCounts, StaleReference, Touched};
use crate::pipeline::client::approved::Approvals;
use crate::pipeline::failure::RunError;
use crate::pipeline::page::candidate::{is_candidate, is_live};
use crate::pipeline::page::carry::{EarlierPage, PageCarry, carry_page};
use crate::pipeline::page::record::{PageFiles, read_page_record};
use crate::pipeline::page::state::PageInput;
use crate::pipeline::rounds::desk::SourceDesk;

/// A page's record as it stands against the page of today; `None` where there is no record.
///
/// # Errors
/// When the record or the earlier snapshot cannot be read.
pub fn carry_of(
    root: &Path,
    source: &SourceDesk,
    basis: Option<&str>,
    (input, text): (&PageInput, &str),
) -> Result<Option<PageCarry>, RunError> {
    let Some(basis) = basis else { return Ok(None) };
    let files = PageFiles::of(&source.source.id, &input.url);
    let record = read_page_record(root, &files)?;
    let last_seen = source.last_seen(basis)?;
    let Some(before) = source.earlier(&input.url, basis)? else {
        // The rules of today find nothing in the earlier capture: everything is read, nothing lost.
        let (gone, rest): (Vec<_>, Vec<_>) =
            record.rows.into_iter().filter(is_live).partition(is_candidate);
        return Ok(Some(PageCarry {
            gone,
            before: rest,
            changes: vec![ItemChange::Unchanged; input.items.len()],
            cause: match source.cause(&input.url, basis) {
                ChangeCause::Source => ChangeCause::Rules,
                ours => ours,
            },
            last_seen,
            ..PageCarry::default()
        }));
    };
    let earlier = EarlierPage {
        text: hex_sha256(before.text.as_bytes()),
        input: before,
        record,
        cause: source.cause(&input.url, basis),
        last_seen,
    };
    Ok(Some(carry_page(&source.source, &earlier, input, text)))
}

/// What reading the page again would touch. `approved`: keys of rows that a client signed.
pub fn touched(input: &PageInput, carry: &PageCarry, approved: &Approvals) -> Touched {
    let is_read = |at: &usize| !carry.carried.contains_key(at);
    let items = (0..input.items.len()).filter(is_read).map(|at| input.items[at].key.clone());
    let gone = carry.gone.iter().filter(|it| it.text == carry.earlier_text);
    let rows: Vec<_> = carry.before.iter().chain(gone).filter(|it| is_live(it)).collect();
    let groups: BTreeSet<(&str, &str)> =
        rows.iter().filter_map(|it| Some((it.item.as_str(), it.claim.group.as_deref()?))).collect();
    let accepted = RowStatus::Accepted;
    let clauses = &carry.clauses;
    Touched {
        page: input.url.clone(),
        cause: carry.cause,
        clauses: clauses.iter().take(MOST_CLAUSES).cloned().collect(),
        more_clauses: clauses.len().saturating_sub(MOST_CLAUSES) as u64,
        items: items.collect(),
        removed_items: carry.removed_items,
        rows: rows.len() as u64,
        accepted: rows.iter().filter(|it| it.status == accepted).count() as u64,
        approved: rows.iter().filter(|it| approved.contains_key(&it.key)).count() as u64,
        groups: groups.len() as u64,
    }
}

/// Items by what became of them; those of a page without an earlier record are new.
pub fn item_changes(carry: &PageCarry, n_items: usize, by_us: u64) -> ChangeCounts {
    let mut counts = ChangeCounts {
        removed_candidates: carry.removed_items,
        by_rule: if carry.cause == ChangeCause::Rules { by_us } else { 0 },
        by_reader: if carry.cause == ChangeCause::Reader { by_us } else { 0 },
        ..ChangeCounts::default()
    };
    for at in 0..n_items {
        let change = carry.changes.get(at).copied().unwrap_or(ItemChange::New);
        let place = match change {
            ItemChange::New => &mut counts.new,
            ItemChange::Moved | ItemChange::Reordered => &mut counts.moved,
            ItemChange::Changed if !carry.carried.contains_key(&at) => &mut counts.changed,
            _ => &mut counts.unchanged,
        };
        *place += 1;
    }
    counts
}

/// Clauses shown side by side for one page.
const MOST_CLAUSES: usize = 20;

/// References, in words that did not change, to provisions that now have another number.
pub fn references_to_look_at(input: &PageInput, carry: &PageCarry) -> Vec<StaleReference> {
    let mut found = BTreeMap::new();
    for (at, item) in input.items.iter().enumerate() {
        if !carry.carried.contains_key(&at) {
            continue;
        }
        let Some(text) = item.span.slice(&input.text) else { continue };
        let own =
            item.heading_path.last().map_or(0, |it| text.find(it).map_or(0, |at| at + it.len()));
        let rest = text.get(own..).unwrap_or_default();
        for (reference, now) in stale_references(rest, &input.title, &carry.renumbered) {
            let words = reference.span.slice(rest).unwrap_or_default().to_owned();
            found.entry((at, words)).or_insert(now);
        }
    }
    found
        .into_iter()
        .map(|((at, words), now)| StaleReference {
            page: input.url.clone(),
            item: input.items[at].key.clone(),
            words,
            now,
        })
        .collect()
}
