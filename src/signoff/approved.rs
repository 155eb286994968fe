//! Approved rows: the only type that leaves the house as signed, made here and nowhere else.
//!
//! A row is approved by a decision on record that is bound to its present content. A sign-off of a
//! row expires when its own clause or value changes, and only then.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::decision::DecisionWord;
use crate::model::phrase::is_question;
use crate::model::row::RowRecord;
use crate::model::sheet::{IssuedSheet, Tab};
use crate::model::signing::RecordedDecision;
use crate::signoff::record::Record;

/// A row that a person signed, with the decision that it rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct Approved {
    row: RowRecord,
    decision: RecordedDecision,
}

impl Approved {
    /// The row as approved: corrected where it was corrected.
    pub fn row(&self) -> &RowRecord {
        &self.row
    }

    /// The decision it rests on.
    pub fn decision(&self) -> &RecordedDecision {
        &self.decision
    }
}

/// The rows of `current` that are approved by the decisions on record, in the order of their keys. An
/// answered question about an open sentence is a decision, and no row. A row whose removal was signed
/// is taken down: for good while the page does not show it, and until it is approved anew where the
/// page shows it again.
pub fn approved_rows(current: &IssuedSheet, decisions: &[RecordedDecision]) -> Vec<Approved> {
    let record = Record::of(decisions);
    let candidates: BTreeSet<&str> =
        current.rows.iter().filter(|it| it.tab == Tab::Removed).map(|it| it.key.as_str()).collect();
    let mut approved: BTreeMap<&str, Approved> = BTreeMap::new();
    for issued in current.rows.iter().filter(|it| it.tab != Tab::Removed) {
        if is_question(issued.matter.row()) {
            continue;
        }
        let Some(decision) = record.active((&issued.key, false), &issued.digest) else { continue };
        let removal = record.active((&issued.key, true), &issued.digest);
        let is_gone = candidates.contains(issued.key.as_str());
        let is_taken_down = removal
            .filter(|it| it.word == DecisionWord::Remove)
            .is_some_and(|it| is_gone || !record.is_later(decision, it));
        if is_taken_down {
            continue;
        }
        let row = match (decision.word, &decision.correction) {
            (DecisionWord::Approve, None) => issued.matter.row().clone(),
            (DecisionWord::Correct, Some(correction)) => {
                let mut row = issued.matter.row().clone();
                row.claim = correction.claim.clone();
                row.place = correction.place;
                row.sentence.clone_from(&correction.sentence);
                row
            }
            _ => continue,
        };
        approved.insert(&issued.key, Approved { row, decision: decision.clone() });
    }
    approved.into_values().collect()
}

/// Keys of removal candidates that the client said to take down. Silence never removes.
pub fn removals_decided(current: &IssuedSheet, decisions: &[RecordedDecision]) -> Vec<String> {
    let record = Record::of(decisions);
    current
        .rows
        .iter()
        .filter(|it| it.tab == Tab::Removed)
        .filter(|it| {
            let decision = record.active((&it.key, true), &it.digest);
            decision.is_some_and(|it| it.word == DecisionWord::Remove)
        })
        .map(|it| it.key.clone())
        .collect()
}
