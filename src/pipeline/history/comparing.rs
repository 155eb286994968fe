//! Two runs side by side, row by row, from what each kept.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use crate::change::rows::{RowsCompared, compare_rows};
use crate::model::run::RunSummary;
use crate::pipeline::history::kept::{KeptError, KeptPage, kept_rows, pages_after};
use crate::pipeline::project::ProjectPaths;
use crate::pipeline::wiring;
use crate::store::ledger::{Ledger, LedgerError};

/// What two runs made of the same pages.
#[derive(Clone, Debug, Serialize)]
pub struct RunsCompared {
    pub before: ComparedRun,
    pub after: ComparedRun,
    /// Pages with exactly the same rows, pages whose rows differ, pages of one run alone.
    pub pages: PagesCompared,
    pub totals: Totals,
    pub rows: RowsCompared,
}

/// One of the two runs.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedRun {
    pub run: String,
    pub edition: String,
    pub readers: BTreeMap<String, String>,
}

/// Pages of two runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PagesCompared {
    pub same: u64,
    pub differ: u64,
    pub only_before: u64,
    pub only_after: u64,
}

/// Rows that stand in one run or both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    pub same: u64,
    pub gained: u64,
    pub lost: u64,
    pub changed: u64,
}

/// Runs that cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    #[error("there is no run {run} in this project; known are: {known}")]
    Unknown { run: String, known: String },
    #[error(transparent)]
    Kept(#[from] KeptError),
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    #[error(transparent)]
    Project(#[from] crate::pipeline::project::ProjectError),
}

/// Compares run `after` with run `before`.
///
/// # Errors
/// When one of them is not known, kept no rows, or its rows were edited.
pub fn compare_runs(
    project: &ProjectPaths,
    before: &str,
    after: &str,
) -> Result<RunsCompared, CompareError> {
    let ledger = wiring::existing_ledger(project)?;
    let (first, second) = (told_run(&*ledger, before)?, told_run(&*ledger, after)?);
    let root = project.root();
    let olds = by_page(pages_after(root, before)?);
    let mut news = by_page(pages_after(root, after)?);
    let mut pages = PagesCompared::default();
    let mut rows = RowsCompared::default();
    for (place, old) in olds {
        let new = news.remove(&place);
        pages.only_before += u64::from(new.is_none());
        if let Some(new) = &new {
            let is_same = new.rows == old.rows;
            pages.same += u64::from(is_same);
            pages.differ += u64::from(!is_same);
        }
        rows.add(compare_page(root, Some(&old), new.as_ref())?);
    }
    for new in news.into_values() {
        pages.only_after += 1;
        rows.add(compare_page(root, None, Some(&new))?);
    }
    let totals = Totals {
        same: rows.same,
        gained: rows.gained.len() as u64,
        lost: rows.lost.len() as u64,
        changed: rows.changed.len() as u64,
    };
    Ok(RunsCompared { before: first, after: second, pages, totals, rows })
}

fn compare_page(
    root: &Path,
    old: Option<&KeptPage>,
    new: Option<&KeptPage>,
) -> Result<RowsCompared, KeptError> {
    let rows = |page: Option<&KeptPage>| page.map_or(Ok(Vec::new()), |it| kept_rows(root, it));
    Ok(compare_rows(&rows(old)?, &rows(new)?))
}

fn by_page(pages: Vec<KeptPage>) -> BTreeMap<(String, String), KeptPage> {
    pages.into_iter().map(|it| ((it.source.clone(), it.url.clone()), it)).collect()
}

fn told_run(ledger: &dyn Ledger, run: &str) -> Result<ComparedRun, CompareError> {
    let runs = ledger.runs()?;
    let Some(record) = runs.iter().find(|it| it.id == run) else {
        let known: Vec<&str> = runs.iter().map(|it| it.id.as_str()).collect();
        return Err(CompareError::Unknown { run: run.to_owned(), known: known.join(", ") });
    };
    let summary: RunSummary =
        record.summary.as_deref().and_then(|it| serde_json::from_str(it).ok()).unwrap_or_default();
    Ok(ComparedRun { run: run.to_owned(), edition: summary.edition, readers: summary.readers })
}
