//! The records that the steps of a run leave in the ledger: what went in, what came out.
//!
//! What came out is counted by another road than what went in, else a loss would not show.

use crate::model::run::RunSummary;
use crate::pipeline::failure::RunError;
use crate::pipeline::held::held;
use crate::pipeline::history::steps::PAPERS;
use crate::pipeline::page::end::PageEnd;
use crate::pipeline::page::plan::PagePlan;
use crate::pipeline::rounds::desk::RunDesk;
use crate::store::ledger::StepRecord;

/// Planned pages and their ends.
///
/// # Errors
/// When the ledger cannot be written.
pub fn record_reading(desk: &RunDesk, plan: &[PagePlan], ends: &[PageEnd]) -> Result<(), RunError> {
    for (at, source) in desk.sources.iter().enumerate() {
        let of = |it: &&PageEnd| it.source() == at;
        let step = StepRecord {
            run: desk.run.clone(),
            name: "read".to_owned(),
            source: source.source.id.clone(),
            count_in: plan.iter().filter(|it| it.source == at).count() as u64,
            count_out: ends.iter().filter(of).count() as u64,
            detail: String::new(),
        };
        held(&desk.ledger).record_step(&step)?;
    }
    Ok(())
}

/// Items into extraction and review, rows into the gate: what came out is counted by another road.
///
/// # Errors
/// When the ledger cannot be written.
pub fn record_items(desk: &RunDesk, ends: &[PageEnd]) -> Result<(), RunError> {
    for (at, source) in desk.sources.iter().enumerate() {
        let (mut extract, mut gate, mut review) = ((0, 0), (0, 0), (0, 0));
        for end in ends.iter().filter(|it| it.source() == at) {
            match end {
                PageEnd::Done { tally, .. } => {
                    let read: u64 = tally.extracted.values().map(|it| it.items).sum();
                    extract.0 += tally.items;
                    extract.1 += tally.carried_items + read;
                    review.0 += read;
                    review.1 += tally.reviewed_items + tally.plain_items;
                    let rows = tally.rows;
                    gate.0 += tally.rows_in;
                    gate.1 += rows.accepted + rows.flagged + rows.dropped + rows.merged;
                }
                PageEnd::Waits { items, done, asks, .. } => {
                    extract.0 += items;
                    extract.1 += done + asks.len() as u64;
                }
                PageEnd::Carried { .. } | PageEnd::Unread { .. } => {}
            }
        }
        for (name, (count_in, count_out)) in
            [("extract", extract), ("gate", gate), ("review", review)]
        {
            held(&desk.ledger).record_step(&StepRecord {
                run: desk.run.clone(),
                name: name.to_owned(),
                source: source.source.id.clone(),
                count_in,
                count_out,
                detail: String::new(),
            })?;
        }
    }
    Ok(())
}

/// The papers that are due, and those that lie where the summary says.
///
/// # Errors
/// When the ledger cannot be written.
pub fn record_papers(desk: &RunDesk, summary: &RunSummary) -> Result<(), RunError> {
    let due: Vec<&String> = summary.sheet.iter().chain(&summary.report).collect();
    let there = due.iter().filter(|it| desk.root.join(it).is_file()).count();
    Ok(held(&desk.ledger).record_step(&StepRecord {
        run: desk.run.clone(),
        name: PAPERS.to_owned(),
        source: String::new(),
        count_in: due.len() as u64,
        count_out: there as u64,
        detail: String::new(),
    })?)
}
