//! The follow-up sheet: exactly the rows that are still open, as they stand today.

use crate::model::row::RowRecord;
use crate::model::sheet::{FollowUp, IssuedSheet, Matter, RemovalCandidate, SheetFacts};
use crate::sheet::issue::SheetInput;
use crate::sheet::write::{WriteError, WrittenSheet, write_workbook};

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
        follow_up: Some(again),
    })
}
