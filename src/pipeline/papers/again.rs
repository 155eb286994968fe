//! The papers of the last run, made again from what is on record.

use crate::model::run::RunSummary;
use crate::model::sheet::IssuedSheet;
use crate::model::source::Source;
use crate::pipeline::change::removals::{gone_pages, removal_candidates};
use crate::pipeline::client::approved::approvals;
use crate::pipeline::client::decided::decisions_on_record;
use crate::pipeline::failure::RunError;
use crate::pipeline::history::standing::{last_crawls, pages_on_record};
use crate::pipeline::papers::news::News;
use crate::pipeline::papers::outputs::{
    OutputError, Papers, RunPapers, paper_paths, write_papers, write_run_report,
};
use crate::pipeline::progress::Stop;
use crate::pipeline::project::ProjectPaths;
use crate::pipeline::wiring;
use crate::pipeline::written::write_checked;
use crate::sheet::again::write_once_more;

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
    let removals = removal_candidates(&rows, &gone_pages(&crawls), &approvals(&*ledger)?);
    let (decided, _) = decisions_on_record(&*ledger)?;
    let papers = RunPapers {
        project: ledger.project_uuid(),
        issued_at,
        sources,
        summary: &summary,
        removals: &removals,
        decided: &decided,
        stop: &Stop::default(),
    };
    let news = News::everything(rows, pages);
    let paths = paper_paths(&summary.run);
    let Some(issued) = issued_before(project, &summary.run)? else {
        return Ok(write_papers(project.root(), &papers, news)?);
    };
    write_run_report(project.root(), &papers, &news)?;
    let sheet = write_once_more(&issued).map_err(OutputError::from)?;
    write_checked(&project.root().join(&paths.sheet), &sheet).map_err(OutputError::from)?;
    Ok(paths)
}

/// The sheet as the run issued it; what a client may have in hands is never issued anew.
fn issued_before(project: &ProjectPaths, run: &str) -> Result<Option<IssuedSheet>, RunError> {
    let path = project.review().join(run).join("issued.json");
    let Ok(text) = std::fs::read_to_string(&path) else { return Ok(None) };
    let issued = serde_json::from_str(&text).map_err(OutputError::from)?;
    Ok(Some(issued))
}
