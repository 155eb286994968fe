//! What is decided already when a sheet is issued: such rows are shown, and not asked about again.
//!
//! A decision counts only for the very content it was made on; a row whose clause or value changed
//! is asked about anew.

use std::collections::BTreeMap;

use crate::model::row::RowRecord;
use crate::model::sheet::{SheetLanguage, Tab};
use crate::model::signing::RecordedDecision;
use crate::sheet::identity::row_digest;

/// Decisions that count, by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answered {
    by_row: BTreeMap<(String, bool), Vec<RecordedDecision>>,
}

impl Answered {
    /// Nothing is decided.
    pub const fn nothing() -> Self {
        Self { by_row: BTreeMap::new() }
    }

    /// The decisions on record, in the order they were taken; those in conflict count for nothing.
    pub fn of(decisions: &[RecordedDecision]) -> Self {
        let mut by_row: BTreeMap<(String, bool), Vec<RecordedDecision>> = BTreeMap::new();
        for decision in decisions.iter().filter(|it| !it.is_in_conflict) {
            let id = (decision.key.clone(), decision.tab == Tab::Removed);
            by_row.entry(id).or_default().push(decision.clone());
        }
        Self { by_row }
    }

    /// The decision on a row as it stands, or on its removal.
    pub fn on(&self, row: &RowRecord, is_removal: bool) -> Option<&RecordedDecision> {
        if self.by_row.is_empty() {
            return None;
        }
        let list = self.by_row.get(&(row.key.clone(), is_removal))?;
        let digest = row_digest(row);
        list.iter().rev().find(|it| it.digest == digest)
    }
}

/// One line on who decided what: `Decided: approve (A. Client, 2026-11-30)`.
pub fn decided_line(decision: &RecordedDecision, language: SheetLanguage) -> String {
    let word = decision.word.shown(language);
    let day = decision.signed_at.get(..10).unwrap_or(&decision.signed_at);
    match language {
        SheetLanguage::English => format!("Decided: {word} ({}, {day})", decision.signer),
        SheetLanguage::Chinese => format!("已決定：{word}（{}，{day}）", decision.signer),
    }
}
