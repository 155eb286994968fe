//! The project as it stands today, as one issue: every live row, every candidate, every question.

use crate::model::run::RunSummary;
use crate::model::sheet::IssuedSheet;
use crate::model::source::Source;
use crate::pipeline::change::removals::{gone_pages, removal_candidates};
use crate::pipeline::client::approved::approvals;
use crate::pipeline::failure::RunError;
use crate::pipeline::history::standing::{last_crawls, pages_on_record};
use crate::pipeline::papers::omissions::omissions_of_pages;
use crate::pipeline::papers::outputs::{RunPapers, facts_of};
use crate::pipeline::progress::Stop;
use crate::pipeline::project::ProjectPaths;
use crate::pipeline::wiring;
use crate::sheet::answered::Answered;
use crate::sheet::issue::{SheetInput, issue_sheet};

/// What would be issued today; nothing is written.
///
/// # Errors
/// When the record cannot be read.
pub fn issue_of_today(project: &ProjectPaths, sources: &[Source]) -> Result<IssuedSheet, RunError> {
    let ledger = wiring::existing_ledger(project)?;
    let last = ledger.runs()?.into_iter().rev().find_map(|run| {
        let summary: RunSummary = serde_json::from_str(run.summary.as_deref()?).ok()?;
        summary.sheet.is_some().then_some((run.began, summary))
    });
    let Some((began, summary)) = last else { return Err(RunError::NoRun) };
    let (mut rows, pages) = pages_on_record(project, sources)?;
    let crawls = last_crawls(project, sources)?;
    let removals = removal_candidates(&rows, &gone_pages(&crawls), &approvals(&*ledger)?);
    rows.extend(omissions_of_pages(&pages, sources));
    let papers = RunPapers {
        project: ledger.project_uuid(),
        issued_at: began.parse().unwrap_or_default(),
        sources,
        summary: &summary,
        removals: &removals,
        decided: &[],
        stop: &Stop::default(),
    };
    let facts = facts_of(&papers, &rows);
    Ok(issue_sheet(&SheetInput {
        facts: &facts,
        rows: &rows,
        removals: &removals,
        changed: &[],
        decided: &Answered::default(),
        follow_up: None,
    }))
}
