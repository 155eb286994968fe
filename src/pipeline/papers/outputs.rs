//! What a run leaves for people under `review/<run>/`: the client's sheet, the report, the counts.

use std::path::Path;

use crate::model::row::{RowRecord, RowStatus};
use crate::model::run::RunSummary;
use crate::model::sheet::{RemovalCandidate, SheetFacts, SheetLanguage, SourceFacts};
use crate::model::signing::RecordedDecision;
use crate::model::source::Source;
use crate::pipeline::papers::news::News;
use crate::pipeline::papers::omissions::omissions_of_pages;
use crate::pipeline::progress::Stop;
use crate::pipeline::written::{
    WriteError, beside, remove_if_there, write_checked, write_checked_by,
};
use crate::report::page::ReportPage;
use crate::report::run::{ReportInput, write_report};
use crate::sheet::answered::Answered;
use crate::sheet::issue::SheetInput;
use crate::sheet::write::write_workbook;

/// What the papers say of their run, apart from rows and pages.
#[derive(Clone, Copy, Debug)]
pub struct RunPapers<'a> {
    pub project: &'a str,
    pub issued_at: jiff::Timestamp,
    pub sources: &'a [Source],
    pub summary: &'a RunSummary,
    pub removals: &'a [RemovalCandidate],
    /// Decisions on record; rows they decide are shown and not asked about again.
    pub decided: &'a [RecordedDecision],
    /// A wish to stop is heard between two files.
    pub stop: &'a Stop,
}

/// Why the papers could not be written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("the sheet: {0}")]
    Sheet(#[from] crate::sheet::write::WriteError),
    #[error("the summary cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error(
        "stopped while sheet and report were written; what was made of them is taken back, everything read is kept: run again to have them made at no cost"
    )]
    Stopped,
}

/// Paths of what was written, relative to the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Papers {
    pub sheet: String,
    pub report: String,
}

/// Where the papers of a run go; known before they are written, since the summary names them.
pub fn paper_paths(run: &str) -> Papers {
    Papers {
        sheet: format!("review/{run}/decide-{run}.xlsx"),
        report: format!("review/{run}/report.html"),
    }
}

/// Writes report, sheet, what was issued with it, and summary, one after the other: the texts of the
/// pages are gone before the sheet is made, which is what takes most memory. No sheet where the summary
/// names none. Where a stop is asked for on the way, what was written of a run's papers goes again: half
/// of them would look like all.
///
/// # Errors
/// When one of them cannot be made or written, or a stop is asked for.
pub fn write_papers(
    root: &Path,
    papers: &RunPapers<'_>,
    news: News,
) -> Result<Papers, OutputError> {
    let paths = paper_paths(&papers.summary.run);
    let folder = root.join("review").join(&papers.summary.run);
    let facts = facts_of(papers, &news.rows);
    write_run_report(root, papers, &news)?;
    go_on(root, papers)?;
    let News { mut rows, pages, changed, fresh } = news;
    rows.extend(omissions_of_pages(&pages, papers.sources));
    if let Some(fresh) = fresh {
        rows.retain(|it| fresh.contains(&it.key));
    }
    drop(pages);
    if papers.summary.sheet.is_some() {
        write_sheet(
            root,
            papers,
            &SheetInput {
                facts: &facts,
                rows: &rows,
                removals: papers.removals,
                changed: &changed,
                decided: &Answered::of(papers.decided),
                follow_up: None,
            },
        )?;
        go_on(root, papers)?;
    }
    let summary = serde_json::to_string_pretty(papers.summary)? + "\n";
    write_checked(&folder.join("summary.json"), summary.as_bytes())?;
    Ok(paths)
}

/// Removes what a run that was killed on the way left beside its papers; the papers themselves stay.
///
/// # Errors
/// When a file is there and cannot be removed.
pub fn drop_half_written(root: &Path, run: &str) -> Result<(), OutputError> {
    let paths = paper_paths(run);
    let summary = format!("review/{run}/summary.json");
    for path in [&paths.sheet, &issued_path(run), &paths.report, &summary] {
        remove_if_there(&beside(&root.join(path)))?;
    }
    Ok(())
}

/// Takes back what was written where a stop is asked for.
fn go_on(root: &Path, papers: &RunPapers<'_>) -> Result<(), OutputError> {
    if !papers.stop.is_asked() {
        return Ok(());
    }
    let paths = paper_paths(&papers.summary.run);
    for path in [&paths.sheet, &issued_path(&papers.summary.run), &paths.report] {
        remove_if_there(&root.join(path))?;
    }
    Err(OutputError::Stopped)
}

fn issued_path(run: &str) -> String {
    format!("review/{run}/issued.json")
}

/// What was issued is on record before there is a sheet that could be sent.
fn write_sheet(
    root: &Path,
    papers: &RunPapers<'_>,
    input: &SheetInput<'_>,
) -> Result<(), OutputError> {
    let run = &papers.summary.run;
    let sheet = write_workbook(input)?;
    write_checked_by(&root.join(issued_path(run)), |out| {
        serde_json::to_writer(&mut *out, &sheet.issued)?;
        out.write_all(b"\n")
    })?;
    write_checked(&root.join(paper_paths(run).sheet), &sheet.bytes)?;
    Ok(())
}

/// Writes the report alone.
///
/// # Errors
/// When it cannot be made or written.
pub fn write_run_report(
    root: &Path,
    papers: &RunPapers<'_>,
    news: &News,
) -> Result<(), OutputError> {
    let paths = paper_paths(&papers.summary.run);
    let facts = facts_of(papers, &news.rows);
    let shown: Vec<ReportPage<'_>> = news
        .pages
        .iter()
        .map(|it| ReportPage {
            source: &it.source,
            url: &it.url,
            title: &it.title,
            text: &it.text,
            ledger: &it.ledger,
        })
        .collect();
    let input = ReportInput { facts: &facts, rows: &news.rows, pages: &shown };
    write_checked_by(&root.join(&paths.report), |out| write_report(&input, out))?;
    Ok(())
}

/// What sheet and report say of their run, apart from rows; in the language of most rows to decide.
pub fn facts_of(papers: &RunPapers<'_>, rows: &[RowRecord]) -> SheetFacts {
    SheetFacts {
        project: papers.project.to_owned(),
        issued_at: papers.issued_at,
        language: sheet_language(papers.sources, rows),
        sources: papers
            .sources
            .iter()
            .map(|it| SourceFacts {
                id: it.id.clone(),
                title: it.title.clone(),
                publisher: it.publisher.clone(),
                language: it.language.clone(),
                fields: it
                    .fields
                    .iter()
                    .map(|field| (field.name.clone(), field.description.clone()))
                    .collect(),
            })
            .collect(),
        summary: papers.summary.clone(),
        report: Some("report.html".to_owned()),
        follow_up_of: None,
    }
}

/// The language of the source with most rows to decide; the first source's where none has any.
fn sheet_language(sources: &[Source], rows: &[RowRecord]) -> SheetLanguage {
    let flagged = |source: &Source| {
        rows.iter().filter(|it| it.status == RowStatus::Flagged && it.source == source.id).count()
    };
    let most = sources.iter().rev().max_by_key(|it| flagged(it));
    most.map_or(SheetLanguage::English, |it| SheetLanguage::of(&it.language))
}
