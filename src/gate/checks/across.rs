//! What rows of one reply say of each other: the same twice, or two things that cannot both be.
//!
//! It never drops a row: a repeated one is counted in the first, a conflict goes to a person.

use std::collections::BTreeMap;

use crate::gate::checks::disputes::{Disputes, Side, matter_of, topic_of};
use crate::gate::checks::repeats::Repeats;
use crate::gate::draft::Draft;
use crate::gate::page::PageText;
use crate::gate::values::value::{Wanted, wanted_of};
use crate::model::finding::{Code, Finding, Verdict};

/// Marks repeated rows, then rows that contradict each other.
pub fn check_across(page: &PageText, drafts: &mut [Draft]) {
    let disputes = disputes_of(page, drafts);
    mark(page, drafts, &mut Repeats::default(), &disputes);
}

/// Marks the rows of one batch, knowing the rows before it and the disputes of all.
pub fn mark(page: &PageText, drafts: &mut [Draft], repeats: &mut Repeats, disputes: &Disputes) {
    for draft in drafts.iter_mut() {
        let Some(span) = draft.span.filter(|_| draft.worst() < Verdict::Fail) else { continue };
        let found = match repeats.take(draft, span) {
            Some(first) => Some(repeated(page, first)),
            None => conflict(page, draft, disputes),
        };
        draft.findings.extend(found);
    }
}

/// The matters on which the standing rows of a whole reply take more than one side.
fn disputes_of(page: &PageText, drafts: &[Draft]) -> Disputes {
    let mut topics: BTreeMap<u128, Vec<usize>> = BTreeMap::new();
    for (at, draft) in drafts.iter().enumerate() {
        if let Some(topic) = topic_of(&draft.claim) {
            topics.entry(topic).or_default().push(at);
        }
    }
    let value = |at: &usize| -> Wanted { wanted_of(&drafts[*at].claim) };
    let is_open = |rows: &[usize]| rows.iter().any(|it| value(it) != value(&rows[0]));
    topics.retain(|_, rows| is_open(rows));
    let mut open: Vec<usize> = topics.into_values().flatten().collect();
    open.sort_unstable();
    let mut disputes = Disputes::default();
    for at in open {
        take_side(page, &drafts[at], &mut disputes);
    }
    disputes
}

/// Notes what a row says, where it stands.
pub fn take_side(page: &PageText, draft: &Draft, disputes: &mut Disputes) {
    let Some(span) = draft.span.filter(|_| draft.worst() < Verdict::Fail) else { return };
    if let Some(matter) = matter_of(page, &draft.claim, span) {
        disputes.take(matter, Side::of(&draft.claim, span));
    }
}

fn repeated(page: &PageText, first: String) -> Finding {
    let detail = page.pick(
        || format!("says the same as row {first} and is counted there"),
        || format!("與資料列 {first} 相同，併入該列"),
    );
    Finding { code: Code::DuplicateMerged, detail, place: None, evidence: Some(first) }
}

fn conflict(page: &PageText, draft: &Draft, disputes: &Disputes) -> Option<Finding> {
    if disputes.is_empty() {
        return None;
    }
    let span = draft.span?;
    let matter = matter_of(page, &draft.claim, span)?;
    let side = Side::of(&draft.claim, span);
    let other = disputes.against(page, matter, &side)?;
    let (value, rival, id) = (&side.shown, &other.shown, &other.id);
    let detail = page.pick(
        || format!("the page also says {rival} (row {id}) where this row says {value}"),
        || format!("頁面另寫 {rival}（資料列 {id}），本列寫 {value}"),
    );
    Some(Finding { code: Code::Conflict, detail, place: None, evidence: Some(id.clone()) })
}
