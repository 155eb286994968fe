//! Old rows of an item that was read again: which new row stands in their place, and which have none.

use crate::change::likeness::Shingles;
use crate::model::row::RowRecord;
use crate::model::run::ChangeCause;
use crate::pipeline::page::carry::{as_candidate, is_live};
use crate::text::glyphs::fold::fold_script;

/// Snippets at least this much alike (thousandths) may be one clause that changed.
const SAME_CLAUSE: u32 = 250;

/// What became of the rows of items that were read again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Superseded {
    /// Old row and the row in its place, where they differ.
    pub changed: Vec<(RowRecord, RowRecord)>,
    /// Rows whose clause is gone: candidates, kept on record.
    pub lost: Vec<RowRecord>,
}

/// Finds a successor of the same field for each old row that no equal new row stands for. `page`: the
/// canonical text of today, which tells whether the source or our reading lost a row.
pub fn settle_rows(
    before: &[RowRecord],
    fresh: &[RowRecord],
    (page, last_seen, cause): (&str, Option<&str>, ChangeCause),
) -> Superseded {
    let mut taken = vec![false; fresh.len()];
    let mut open = Vec::new();
    for old in before.iter().filter(|it| is_live(it)) {
        let same = (0..fresh.len()).find(|&at| !taken[at] && fresh[at].key == old.key);
        match same {
            Some(at) => taken[at] = true,
            None => open.push(old),
        }
    }
    let of_fresh: Vec<Shingles> = fresh.iter().map(shingles).collect();
    let mut candidates = Vec::new();
    for (from, old) in open.iter().enumerate() {
        let of_old = shingles(old);
        for (at, new) in fresh.iter().enumerate() {
            let is_candidate = !taken[at] && is_live(new) && new.claim.field == old.claim.field;
            let likeness = if is_candidate { of_old.likeness(&of_fresh[at]) } else { 0 };
            let bonus = if new.claim.subject == old.claim.subject { 100 } else { 0 };
            if likeness + bonus >= SAME_CLAUSE {
                candidates.push((likeness + bonus, from, at));
            }
        }
    }
    candidates.sort_by_key(|&(score, from, at)| (std::cmp::Reverse(score), from, at));
    let mut settled = Superseded::default();
    let mut has_successor = vec![false; open.len()];
    for (_, from, at) in candidates {
        if !taken[at] && !has_successor[from] {
            (taken[at], has_successor[from]) = (true, true);
            settled.changed.push((open[from].clone(), fresh[at].clone()));
        }
    }
    settled.changed.sort_by(|a, b| a.1.key.cmp(&b.1.key));
    let lost = open.iter().zip(has_successor).filter(|(_, has)| !has);
    settled.lost = lost
        .map(|(row, _)| {
            let cause = match cause {
                _ if !page.contains(&row.claim.snippet) => ChangeCause::Source,
                ChangeCause::Source => ChangeCause::Reader,
                ours => ours,
            };
            as_candidate(row, cause, last_seen)
        })
        .collect();
    settled
}

/// The words of a row's quote without their looks.
fn shingles(row: &RowRecord) -> Shingles {
    Shingles::of(fold_script(&row.claim.snippet).as_str())
}
