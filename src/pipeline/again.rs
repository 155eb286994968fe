//! The papers of the last run, made again from what is on record.

use crate::model::run::RunSummary;
use crate::model::source::Source;
use crate::pipeline::failure::RunError;
use crate::pipeline::news::News;
use crate::pipeline::outputs::{Papers, RunPapers, write_papers};
use crate::pipeline::project::ProjectPaths;
use crate::pipeline::removals::{gone_pages, removal_candidates};
use crate::pipeline::standing::{last_crawls, pages_on_record};
use crate::pipeline::wiring;

/// Writes sheet and report of the last finished run again; the same record gives the same bytes.
///
/// # Errors
/// When no run was finished, or the record cannot be read or the papers written.
pub fn papers_again(project: &ProjectPaths, sources: &[Source]) -> Result<Papers, RunError> {
    let ledger = wiring::existing_ledger(project)?;
    let last = ledger.runs()?.into_iter().rev().find_map(|run| {
        let summary: RunSummary = serde_json::from_str(run.summary.as_deref()?).ok()?;
        summary.sheet.is_some().then_some((run.began, summary))
    });
    let Some((began, summary)) = last else { return Err(RunError::NoRun) };
    let issued_at = began.parse().unwrap_or_default();
    let (rows, pages) = pages_on_record(project, sources)?;
    let crawls = last_crawls(project, sources)?;
    let removals = removal_candidates(&rows, &gone_pages(&crawls));
    let papers = RunPapers {
        project: ledger.project_uuid(),
        issued_at,
        sources,
        summary: &summary,
        removals: &removals,
    };
    Ok(write_papers(project.root(), &papers, News::everything(rows, pages))?)
}
