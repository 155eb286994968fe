//! What is on record and what waits: read from the ledger and the files, without running anything.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::ask::canonical::read_ask;
use crate::llm::record::AnswerFiles;
use crate::model::ask::Ask;
use crate::model::row::RowRecord;
use crate::model::run::{Cost, LedgerCounts, RowCounts, RunSummary};
use crate::model::snapshot::CrawlRecord;
use crate::model::source::Source;
use crate::pipeline::failure::RunError;
use crate::pipeline::page::candidate::of_today;
use crate::pipeline::page::record::{PageFiles, read_page_record};
use crate::pipeline::page::state::PageTally;
use crate::pipeline::papers::paper::PagePaper;
use crate::pipeline::project::ProjectPaths;
use crate::pipeline::rounds::reading::ReadingError;
use crate::pipeline::rounds::record::AnswerRefused;
use crate::pipeline::wiring;
use crate::snapshot::store::SnapshotStore;

/// The standing of a project.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Standing {
    pub project: String,
    /// The last run: id, kind, how it ended.
    pub last_run: Option<LastRun>,
    pub sources: Vec<SourceStanding>,
    /// Asks on file without an answer.
    pub waiting_asks: u64,
    /// `None` before the first sheet.
    pub client: Option<ClientStanding>,
}

/// What the client has decided of what is asked today.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ClientStanding {
    /// Rows, open sentences and removal candidates that ask for a decision: decided + waiting.
    pub asked: u64,
    pub decided: u64,
    pub waiting: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LastRun {
    pub run: String,
    pub kind: String,
    pub began: String,
    /// `None`: it did not come to its end.
    pub ended: Option<String>,
    /// What it cost against what was estimated; `None` where nothing cost anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SourceStanding {
    pub source: String,
    pub edition: Option<String>,
    pub pages: u64,
    pub items: u64,
    pub rows: RowCounts,
    /// Sentences and table rows: used, no condition, open.
    pub sentences: LedgerCounts,
    /// Open ones that state a rule or a number.
    pub omissions: u64,
    /// Pages whose last good state is older than the last crawl.
    pub problems: Vec<Problem>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    pub page: String,
    pub outcome: String,
    pub reason: String,
    pub since: String,
    pub open_runs: u32,
}

/// Reads where a project stands.
///
/// # Errors
/// When there is no ledger, or it is not this project's.
pub fn standing(project: &ProjectPaths, sources: &[Source]) -> Result<Standing, RunError> {
    let ledger = wiring::existing_ledger(project)?;
    let last_run = ledger.runs()?.pop().map(|it| LastRun {
        run: it.id,
        kind: it.kind,
        began: it.began,
        ended: it.ended,
        cost: it
            .summary
            .and_then(|it| serde_json::from_str::<RunSummary>(&it).ok())
            .map(|it| it.cost)
            .filter(|it| !it.sources.is_empty()),
    });
    let mut standing = Standing {
        project: ledger.project_uuid().to_owned(),
        last_run,
        waiting_asks: open_asks(project)?.len() as u64,
        client: None,
        sources: Vec::new(),
    };
    for source in sources {
        let mut found = SourceStanding { source: source.id.clone(), ..SourceStanding::default() };
        for page in ledger.pages(&source.id)? {
            let tally: PageTally = serde_json::from_str(&page.counts).unwrap_or_default();
            found.pages += 1;
            add(&mut found, &tally);
        }
        let baseline = SnapshotStore::new(&project.snapshots(), &source.id).baseline()?;
        if let Some(baseline) = baseline {
            found.edition = baseline.edition;
            for (page, state) in baseline.pages {
                let Some(problem) = state.problem else { continue };
                found.problems.push(Problem {
                    page,
                    outcome: problem.outcome.as_str().to_owned(),
                    reason: problem.reason,
                    since: problem.since.to_string(),
                    open_runs: problem.open_runs,
                });
            }
        }
        standing.sources.push(found);
    }
    Ok(standing)
}

fn add(found: &mut SourceStanding, tally: &PageTally) {
    found.items += tally.items;
    found.rows.accepted += tally.rows.accepted;
    found.rows.flagged += tally.rows.flagged;
    found.rows.dropped += tally.rows.dropped;
    found.rows.merged += tally.rows.merged;
    found.sentences.used += tally.sentences.used;
    found.sentences.not_a_condition += tally.sentences.not_a_condition;
    found.sentences.open += tally.sentences.open;
    found.omissions += tally.omissions;
}

/// The asks on file that have no answer, sorted by digest; each is proven to be what its name says.
///
/// # Errors
/// When the folder cannot be read, or an ask was edited.
pub fn open_asks(project: &ProjectPaths) -> Result<Vec<(String, Ask)>, RunError> {
    let folder: Box<dyn AnswerFiles> = wiring::answer_files(project);
    let refused = |error: AnswerRefused| RunError::Reading(ReadingError::Refused(error));
    let mut open = Vec::new();
    for digest in folder.asks().map_err(|error| refused(error.into()))? {
        if folder.answer_path(&digest).exists() {
            continue;
        }
        let json = folder.read_ask(&digest).map_err(|error| refused(error.into()))?;
        let ask = read_ask(&json.unwrap_or_default(), &digest).map_err(|cause| {
            refused(AnswerRefused::Unusable {
                path: folder.ask_path(&digest).display().to_string(),
                cause,
            })
        })?;
        open.push((digest, ask));
    }
    Ok(open)
}

/// A row by its key, with refused ones included; `None` where no row has it.
///
/// # Errors
/// When the ledger or the record cannot be read.
pub fn find_row(project: &ProjectPaths, key: &str) -> Result<Option<RowRecord>, RunError> {
    let ledger = wiring::existing_ledger(project)?;
    let Some(index) = ledger.row(key)? else { return Ok(None) };
    let page = read_page_record(project.root(), &PageFiles::of(&index.source, &index.url))?;
    Ok(page.rows.into_iter().find(|it| it.key == key))
}

/// All rows on record, accepted and flagged, in the order of files and pages.
///
/// # Errors
/// When a record cannot be read.
pub fn rows_on_record(
    project: &ProjectPaths,
    sources: &[Source],
) -> Result<Vec<RowRecord>, RunError> {
    let ledger = wiring::existing_ledger(project)?;
    let mut rows = Vec::new();
    for source in sources {
        for page in ledger.pages(&source.id)? {
            let files = PageFiles::of(&source.id, &page.url);
            rows.extend(read_page_record(project.root(), &files)?.rows);
        }
    }
    Ok(rows)
}

/// Canonical texts of the last editions by `path?query`.
///
/// # Errors
/// When a snapshot cannot be read.
pub fn page_texts(
    project: &ProjectPaths,
    sources: &[Source],
) -> Result<BTreeMap<String, String>, RunError> {
    let mut texts = BTreeMap::new();
    for source in sources {
        let snapshots = SnapshotStore::new(&project.snapshots(), &source.id);
        let Some(crawl) = snapshots.last_crawl()? else { continue };
        for page in snapshots.manifest(&crawl.edition)?.pages {
            let Some(digest) = &page.text else { continue };
            let path = page.page.split_once("://").map_or(page.page.as_str(), |(_, rest)| rest);
            let path = path.find('/').map_or("/", |at| &path[at..]);
            texts.insert(path.to_owned(), snapshots.text(digest)?);
        }
    }
    Ok(texts)
}

/// All rows on record, refused ones included, and the pages with text and sentences.
///
/// # Errors
/// When a record or a text cannot be read.
pub fn pages_on_record(
    project: &ProjectPaths,
    sources: &[Source],
) -> Result<(Vec<RowRecord>, Vec<PagePaper>), RunError> {
    let ledger = wiring::existing_ledger(project)?;
    let (mut rows, mut pages) = (Vec::new(), Vec::new());
    for source in sources {
        let snapshots = SnapshotStore::new(&project.snapshots(), &source.id);
        for page in ledger.pages(&source.id)? {
            let files = PageFiles::of(&source.id, &page.url);
            let record = read_page_record(project.root(), &files)?;
            let first = of_today(&record.rows);
            let digest = first.map(|it| it.text.clone()).unwrap_or_default();
            pages.push(PagePaper {
                source: source.id.clone(),
                url: page.url,
                title: first.map(|it| it.page_title.clone()).unwrap_or_default(),
                text: if digest.is_empty() { String::new() } else { snapshots.text(&digest)? },
                snapshot: first.map(|it| it.snapshot.clone()).unwrap_or_default(),
                ledger: record.ledger,
            });
            rows.extend(record.rows);
        }
    }
    Ok((rows, pages))
}

/// The last crawl of each source that has one.
///
/// # Errors
/// When its record cannot be read.
pub fn last_crawls(
    project: &ProjectPaths,
    sources: &[Source],
) -> Result<BTreeMap<String, CrawlRecord>, RunError> {
    let mut crawls = BTreeMap::new();
    for source in sources {
        let snapshots = SnapshotStore::new(&project.snapshots(), &source.id);
        if let Some(crawl) = snapshots.last_crawl()? {
            crawls.insert(source.id.clone(), crawl);
        }
    }
    Ok(crawls)
}
