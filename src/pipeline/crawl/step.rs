//! The first step of a run: a crawl of each source, made now, or the one that a killed run had made.
//!
//! A run that was killed after its crawl is gone on with, not begun anew: a second crawl minutes later
//! would count as a second witness that a page is gone.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use crate::crawl::run::ExitClass;
use crate::fetch::exchange::Clock;
use crate::model::config::ProjectConfig;
use crate::model::page::Outcome;
use crate::model::snapshot::{CrawlRecord, PageOutcome};
use crate::pipeline::crawl::crawling::{CrawlJob, crawl};
use crate::pipeline::failure::RunError;
use crate::pipeline::held::held;
use crate::pipeline::project::ProjectPaths;
use crate::pipeline::rounds::desk::{RunDesk, SourceDesk};
use crate::pipeline::surroundings::Surroundings;
use crate::pipeline::wiring;
use crate::store::ledger::{Ledger, LedgerError, StepRecord};

/// Step of a run: how many crawls of a source were on record when it began.
const BEFORE: &str = "before-crawl";

/// Step of a run that ended with an error: the next one begins anew.
pub const FAILED: &str = "failed";

/// Longest age, in hours, at which a killed run's crawl is gone on with.
const LONGEST_AGE: i64 = 24;

/// Source -> crawls on record when the killed run began; empty where the last run came to its end.
pub type KilledRun = BTreeMap<String, u64>;

/// How a run crawls.
#[derive(Clone, Copy, Debug)]
pub struct CrawlStep<'a> {
    pub config: &'a ProjectConfig,
    pub connect_to: &'a BTreeMap<String, SocketAddr>,
    /// False: take the last edition on record.
    pub crawls: bool,
}

/// What the crawls of all sources came to.
#[derive(Clone, Debug, Default)]
pub struct Crawls {
    /// Source -> record.
    pub records: BTreeMap<String, CrawlRecord>,
    /// What a person should know, one line each.
    pub notes: Vec<String>,
    pub needs_look: bool,
}

/// The last run, where it was killed or stopped.
///
/// # Errors
/// When the ledger cannot be read.
pub fn killed_run(ledger: &dyn Ledger) -> Result<KilledRun, LedgerError> {
    let Some(last) = ledger.runs()?.pop().filter(|it| it.ended.is_none()) else {
        return Ok(KilledRun::new());
    };
    let steps = ledger.steps(&last.id)?;
    if steps.iter().any(|it| it.name == FAILED) {
        return Ok(KilledRun::new());
    }
    let before = steps.into_iter().filter(|it| it.name == BEFORE);
    Ok(before.map(|it| (it.source, it.count_in)).collect())
}

/// Crawls every source of the run, or takes the edition on record where the run crawls nothing.
///
/// # Errors
/// When a crawl cannot be finished, or there is no edition to take.
pub async fn crawl_sources(
    project: &ProjectPaths,
    step: CrawlStep<'_>,
    around: &Surroundings<'_>,
    (desk, killed): (&RunDesk, &KilledRun),
) -> Result<Crawls, RunError> {
    let mut crawls = Crawls::default();
    for source in &desk.sources {
        let id = source.source.id.clone();
        let record = if step.crawls {
            let record = match of_killed_run(source, killed)? {
                Some(record) => {
                    let words = format!(
                        "{id}: the last run was interrupted; it is gone on with from its crawl of {}",
                        record.finished.strftime("%Y-%m-%d %H:%M UTC")
                    );
                    around.progress.note(&words);
                    note_before(desk, &id, killed.get(&id).copied().unwrap_or_default())?;
                    record
                }
                None => {
                    note_before(desk, &id, source.snapshots.crawls()?.len() as u64)?;
                    let job = CrawlJob { source: &source.source, connect_to: step.connect_to };
                    crawl(project, step.config, job, around).await?.record
                }
            };
            crawls.needs_look |= record.exit != ExitClass::Ok;
            crawls.notes.extend(crawl_notes(&record));
            record
        } else {
            let last = source.snapshots.last_crawl()?;
            last.ok_or_else(|| RunError::NoEdition { source_id: id.clone() })?
        };
        record_crawl(desk, &id, &record)?;
        crawls.records.insert(id, record);
    }
    Ok(crawls)
}

/// The crawl that the killed run had finished, if it is of today.
fn of_killed_run(source: &SourceDesk, killed: &KilledRun) -> Result<Option<CrawlRecord>, RunError> {
    let Some(&before) = killed.get(&source.source.id) else { return Ok(None) };
    if source.snapshots.crawls()?.len() as u64 <= before {
        return Ok(None);
    }
    let oldest = wiring::clock().now() - jiff::SignedDuration::from_hours(LONGEST_AGE);
    Ok(source.snapshots.last_crawl()?.filter(|it| it.finished >= oldest))
}

fn note_before(desk: &RunDesk, source: &str, before: u64) -> Result<(), RunError> {
    let step = StepRecord {
        run: desk.run.clone(),
        name: BEFORE.to_owned(),
        source: source.to_owned(),
        count_in: before,
        count_out: before,
        detail: String::new(),
    };
    Ok(held(&desk.ledger).record_step(&step)?)
}

/// Pages that need a look, by what became of them, each kind with its first pages.
fn crawl_notes(record: &CrawlRecord) -> Vec<String> {
    const SHOWN: usize = 3;
    let mut kinds: BTreeMap<(&str, &str), Vec<&PageOutcome>> = BTreeMap::new();
    for page in &record.pages {
        let is_settled =
            page.outcome.is_accepted() || page.outcome == Outcome::Moved || page.alias_of.is_some();
        if !is_settled {
            kinds.entry((page.outcome.as_str(), &page.reason)).or_default().push(page);
        }
    }
    let mut notes = Vec::new();
    for ((outcome, reason), pages) in kinds {
        let words = if reason.is_empty() { String::new() } else { format!(" ({reason})") };
        notes.push(format!("{} pages {outcome}{words}:", pages.len()));
        for page in pages.iter().take(SHOWN) {
            notes.push(format!("  {} {}", page.page, page.detail));
        }
        if pages.len() > SHOWN {
            notes.push(format!(
                "  … and {} more; all are in the crawl's record",
                pages.len() - SHOWN
            ));
        }
    }
    let lied = |it: &&PageOutcome| it.flags.iter().any(|it| it == "validator_lied");
    let lied: Vec<_> = record.pages.iter().filter(lied).collect();
    for page in lied.iter().take(SHOWN) {
        notes.push(format!(
            "validator_lied: {} was called unchanged by its site, and is not; what its host says of \
             dates and tags is no longer relied on",
            page.page
        ));
    }
    if lied.len() > SHOWN {
        notes.push(format!("  … and {} more", lied.len() - SHOWN));
    }
    notes.extend(record.flags.iter().cloned());
    notes
}

fn record_crawl(desk: &RunDesk, source: &str, record: &CrawlRecord) -> Result<(), RunError> {
    let counts = record.counts;
    let out = counts.fetched + counts.unchanged + counts.failed + counts.refused;
    let step = StepRecord {
        run: desk.run.clone(),
        name: "crawl".to_owned(),
        source: source.to_owned(),
        count_in: record.pages.len() as u64,
        count_out: out,
        detail: serde_json::to_string(&record.outcomes).unwrap_or_default(),
    };
    Ok(held(&desk.ledger).record_step(&step)?)
}
