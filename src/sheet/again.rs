//! A sheet after its first issue: the follow-up with exactly the rows that are still open, and the
//! same sheet written once more. Never another issue under an old id.

use crate::model::row::RowRecord;
use crate::model::sheet::{FollowUp, IssuedSheet, Matter, RemovalCandidate, SheetFacts};
use crate::sheet::answered::Answered;
use crate::sheet::issue::SheetInput;
use crate::sheet::write::{WriteError, WrittenSheet, render, write_workbook};

/// Writes the sheet that asks again. `current` is the newest full issue of the project, `returned`
/// the id of the file that left the rows open.
///
/// # Errors
/// When the workbook cannot be written.
pub fn write_follow_up(
    current: &IssuedSheet,
    returned: &str,
    again: &FollowUp,
    issued_at: jiff::Timestamp,
) -> Result<WrittenSheet, WriteError> {
    let mut rows: Vec<RowRecord> = Vec::new();
    let mut removals: Vec<RemovalCandidate> = Vec::new();
    for issued in current.rows.iter().filter(|it| again.keys.contains(&it.key)) {
        match &issued.matter {
            Matter::Row(row) => rows.push(row.clone()),
            Matter::Removal(candidate) => removals.push(candidate.clone()),
            Matter::Proposal(proposal) => rows.push(proposal.row.clone()),
        }
    }
    let facts =
        SheetFacts { follow_up_of: Some(returned.to_owned()), issued_at, ..current.facts.clone() };
    write_workbook(&SheetInput {
        facts: &facts,
        rows: &rows,
        removals: &removals,
        changed: &[],
        decided: &Answered::default(),
        follow_up: Some(again),
    })
}

/// Writes an issued sheet once more, every locked cell as it was issued.
///
/// # Errors
/// When the workbook cannot be written.
pub fn write_once_more(issued: &IssuedSheet) -> Result<Vec<u8>, WriteError> {
    let mut rows: Vec<RowRecord> = Vec::new();
    let mut removals: Vec<RemovalCandidate> = Vec::new();
    for it in &issued.rows {
        match &it.matter {
            Matter::Row(row) => rows.push(row.clone()),
            Matter::Removal(candidate) => removals.push(candidate.clone()),
            Matter::Proposal(proposal) => rows.push(proposal.row.clone()),
        }
    }
    let again = FollowUp {
        keys: issued.rows.iter().map(|it| it.key.clone()).collect(),
        ..FollowUp::default()
    };
    let input = SheetInput {
        facts: &issued.facts,
        rows: &rows,
        removals: &removals,
        changed: &issued.changed,
        decided: &Answered::default(),
        follow_up: issued.follow_up_of.is_some().then_some(&again),
    };
    render(&input, issued)
}
