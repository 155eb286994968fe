//! What a run leaves for people under `review/<run>/`: the client's sheet, the report, the counts.

use std::path::Path;

use crate::gate::ledger::Ledger;
use crate::model::row::{RowRecord, RowStatus};
use crate::model::run::RunSummary;
use crate::model::sheet::{ChangedPair, RemovalCandidate, SheetFacts, SheetLanguage, SourceFacts};
use crate::model::source::Source;
use crate::pipeline::written::{WriteError, write_checked};
use crate::report::page::ReportPage;
use crate::report::run::{ReportError, ReportInput, write_report};
use crate::sheet::issue::SheetInput;
use crate::sheet::write::write_workbook;

/// Everything a run has to show.
#[derive(Clone, Copy, Debug)]
pub struct RunPapers<'a> {
    pub project: &'a str,
    pub issued_at: jiff::Timestamp,
    pub sources: &'a [Source],
    pub summary: &'a RunSummary,
    pub rows: &'a [RowRecord],
    /// Open sentences as questions: in the sheet alone.
    pub questions: &'a [RowRecord],
    pub pages: &'a [PagePaper],
    pub removals: &'a [RemovalCandidate],
    pub changed: &'a [ChangedPair],
}

/// A page as the report shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct PagePaper {
    pub source: String,
    pub url: String,
    pub title: String,
    pub text: String,
    /// SHA-256 of the raw bytes; empty where no row names it.
    pub snapshot: String,
    pub ledger: Ledger,
}

/// Why the papers could not be written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("the sheet: {0}")]
    Sheet(#[from] crate::sheet::write::WriteError),
    #[error("the report: {0}")]
    Report(#[from] ReportError),
    #[error("the sheet's record cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
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

/// Writes sheet, what was issued with it, report and summary.
///
/// # Errors
/// When one of them cannot be made or written.
pub fn write_papers(root: &Path, papers: &RunPapers<'_>) -> Result<Papers, OutputError> {
    let paths = paper_paths(&papers.summary.run);
    let facts = facts_of(papers);
    let asked: Vec<RowRecord> = papers.rows.iter().chain(papers.questions).cloned().collect();
    let sheet = write_workbook(&SheetInput {
        facts: &facts,
        rows: &asked,
        removals: papers.removals,
        changed: papers.changed,
        follow_up: None,
    })?;
    write_checked(&root.join(&paths.sheet), &sheet.bytes)?;
    let issued = serde_json::to_string(&sheet.issued)? + "\n";
    let folder = root.join("review").join(&papers.summary.run);
    write_checked(&folder.join("issued.json"), issued.as_bytes())?;
    let pages: Vec<ReportPage<'_>> = papers
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
    let report = write_report(&ReportInput { facts: &facts, rows: papers.rows, pages: &pages })?;
    write_checked(&root.join(&paths.report), report.as_bytes())?;
    let summary = serde_json::to_string_pretty(papers.summary)? + "\n";
    write_checked(&folder.join("summary.json"), summary.as_bytes())?;
    Ok(paths)
}

/// What sheet and report say of their run, apart from rows.
pub fn facts_of(papers: &RunPapers<'_>) -> SheetFacts {
    SheetFacts {
        project: papers.project.to_owned(),
        issued_at: papers.issued_at,
        language: sheet_language(papers.sources, papers.rows),
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
