//! Which rows a client approved, and when: the last word on a row counts.

use std::collections::BTreeMap;

use crate::model::decision::DecisionWord;
use crate::pipeline::client::decided::decisions_on_record;
use crate::store::ledger::{Ledger, LedgerError};

/// Key of a row -> the day it was approved or corrected, as `2026-03-01`.
pub type Approvals = BTreeMap<String, String>;

/// The standing approvals of a project.
///
/// # Errors
/// When the ledger cannot be read.
pub fn approvals(ledger: &dyn Ledger) -> Result<Approvals, LedgerError> {
    let mut approved = Approvals::new();
    for it in decisions_on_record(ledger)?.0 {
        let is_approval = matches!(it.word, DecisionWord::Approve | DecisionWord::Correct);
        if is_approval && !it.is_in_conflict {
            let day = it.signed_at.chars().take(10).collect();
            approved.insert(it.key, day);
        } else {
            approved.remove(&it.key);
        }
    }
    Ok(approved)
}
