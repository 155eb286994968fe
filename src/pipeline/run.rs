//! The bulk run: crawl, estimate, approval, extract, gate, review, gate, sheet, report.
//!
//! Every step leaves a record in the ledger with what went in and what came out; counts that do not
//! add up end the run as failed. Stopped or killed at any moment, the next run goes on from there.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;

use jiff::Timestamp;
use rust_decimal::Decimal;

use crate::extract::examples::broken_examples;
use crate::llm::price::PriceTable;
use crate::model::config::ProjectConfig;
use crate::model::finding::Code;
use crate::model::run::RunSummary;
use crate::model::source::Source;
use crate::pipeline::change::removals::{
    count_items, gone_pages, gone_without_rows, removal_candidates,
};
use crate::pipeline::change::touches::tell_touched;
use crate::pipeline::client::approved::approvals;
use crate::pipeline::client::decided::decisions_on_record;
use crate::pipeline::crawl::step::{CrawlStep, FAILED, KilledRun, crawl_sources, killed_run};
use crate::pipeline::failure::{FailureKind, RunError};
use crate::pipeline::held::held;
use crate::pipeline::history::kept::keep_rows;
use crate::pipeline::history::step_records::{record_items, record_papers, record_reading};
use crate::pipeline::history::steps::prove_steps;
use crate::pipeline::money::bill::{actual_cost, old_price_lines, price_plan};
use crate::pipeline::money::estimate::Estimate;
use crate::pipeline::money::quote::{Quote, QuoteFor};
use crate::pipeline::page::end::{PageEnd, failures_of};
use crate::pipeline::page::plan::{pages_off_edition, plan_pages};
use crate::pipeline::page::reader_watch::{open_key_notes, same_model_note, unfit_readers};
use crate::pipeline::page::unfinished::finish_pages;
use crate::pipeline::page::work::{on_record, work_pages};
use crate::pipeline::papers::news::{News, ended_sign_offs, ended_words};
use crate::pipeline::papers::outputs::{RunPapers, drop_half_written, paper_paths, write_papers};
use crate::pipeline::papers::unshown::{Unshown, all_is_shown, note_all_unshown};
use crate::pipeline::project::ProjectPaths;
use crate::pipeline::rounds::batches::Batches;
use crate::pipeline::rounds::batching::{hand_in, take_in};
use crate::pipeline::rounds::control::Control;
use crate::pipeline::rounds::desk::{RunDesk, SourceDesk};
use crate::pipeline::sums::{RunSums, check_sums};
use crate::pipeline::surroundings::Surroundings;
use crate::pipeline::wiring::{self, Answerers};
use crate::sheet::answered::Answered;
use crate::snapshot::store::SnapshotStore;
use crate::store::ledger::{Ledger, RunRecord, StepRecord};

/// What is asked of a run.
#[derive(Clone, Debug, Default)]
pub struct RunRequest {
    pub sources: Vec<Source>,
    pub config: ProjectConfig,
    /// False: take the last edition on record.
    pub crawls: bool,
    pub kind: RunKind,
    pub connect_to: BTreeMap<String, SocketAddr>,
    /// Id of a quote that whoever pays has accepted.
    pub accepted_quote: Option<String>,
    /// Open asks are handed in as batches instead of being asked live.
    pub in_batches: bool,
}

/// The two kinds of run. Both do the same work; they differ in what the client is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunKind {
    /// Everything on record.
    #[default]
    Bulk,
    /// Only what changed since the last run: changed and new rows, candidates for removal.
    Update,
}

impl RunKind {
    fn as_str(self) -> &'static str {
        match self {
            RunKind::Bulk => "bulk",
            RunKind::Update => "update",
        }
    }
}

/// A run that came to its end.
#[derive(Clone, Debug)]
pub struct RunReport {
    pub summary: RunSummary,
    pub estimate: Estimate,
    pub end: RunEnd,
    /// What a person should know, one line each.
    pub notes: Vec<String>,
    /// What went wrong with whoever was asked, each kind once with how often.
    pub failures: Vec<String>,
}

/// How a run ended, for the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunEnd {
    Done,
    /// Rows to decide, asks without an answer, or pages that need a look.
    Waits,
    /// No page, no item or no row.
    Nothing,
    NotApproved,
    /// An extractor's rows are mostly refused or far too few: nothing of them goes to a client.
    ReaderUnfit,
    /// Whoever was asked failed; everything answered is kept and the next run goes on.
    ReaderFailed,
    /// The next call could have crossed the budget; everything paid for is kept.
    BudgetReached,
}

impl RunEnd {
    /// The exit code that scripts see; the ledger keeps it.
    pub fn exit(self) -> u8 {
        match self {
            RunEnd::Done => 0,
            RunEnd::Waits => 3,
            RunEnd::Nothing => 4,
            RunEnd::NotApproved | RunEnd::BudgetReached => 5,
            RunEnd::ReaderFailed | RunEnd::ReaderUnfit => 7,
        }
    }
}

/// Runs the whole line once, from crawl to papers.
///
/// # Errors
/// See [`RunError`]; whatever was fetched and answered until then is kept.
pub async fn run_line(
    project: &ProjectPaths,
    request: RunRequest,
    around: &Surroundings<'_>,
) -> Result<RunReport, RunError> {
    let run = run_id(project, around.now);
    let mut ledger = wiring::open_ledger(project, &around.now.to_string(), around.fresh_uuid)?;
    let killed = killed_run(&*ledger)?;
    ledger.begin_run(&run, request.kind.as_str(), &around.now.to_string())?;
    let answerers = wiring::answerers(&request.config, project.root(), around.environment)?;
    let desk = Arc::new(set_desk(project, &request, around, (&run, ledger, answerers))?);
    let report = match line(project, &request, around, (Arc::clone(&desk), &killed)).await {
        Ok(report) => report,
        Err(error) => {
            note_failure(&desk, &error)?;
            return Err(error);
        }
    };
    held(&desk.ledger).end_run(&RunRecord {
        id: run,
        kind: request.kind.as_str().to_owned(),
        began: around.now.to_string(),
        ended: Some(Timestamp::now().max(around.now).to_string()),
        exit: Some(report.end.exit()),
        summary: serde_json::to_string(&report.summary).ok(),
    })?;
    Ok(report)
}

/// Notes why a run ended early; one that was stopped is gone on with by the next.
fn note_failure(desk: &RunDesk, error: &RunError) -> Result<(), RunError> {
    if matches!(error.kind(), FailureKind::Waits) {
        return Ok(());
    }
    Ok(held(&desk.ledger).record_step(&StepRecord {
        run: desk.run.clone(),
        name: FAILED.to_owned(),
        source: String::new(),
        count_in: 0,
        count_out: 0,
        detail: serde_json::Value::from(error.to_string()).to_string(),
    })?)
}

/// What a run over the last editions would ask and cost; asks nothing.
///
/// # Errors
/// When there is no project, no edition, or no price.
pub fn estimate_run(
    project: &ProjectPaths,
    request: &RunRequest,
    around: &Surroundings<'_>,
) -> Result<Estimate, RunError> {
    // Before the first run there is nothing to learn from, and an estimate is wanted most.
    let ledger = wiring::open_ledger(project, &around.now.to_string(), around.fresh_uuid)?;
    // Nobody is asked, so no key is needed.
    let desk = set_desk(project, request, around, ("estimate", ledger, wiring::nobody()))?;
    for source in &desk.sources {
        if source.snapshots.last_crawl()?.is_none() {
            return Err(RunError::NoEdition { source_id: source.source.id.clone() });
        }
    }
    let prices = PriceTable::read(around.prices)?;
    let plan = plan_pages(&desk, &around.stop)?;
    let how = (&prices, request.in_batches);
    price_plan(&desk, &plan, &request.config, how, around.now)
}

fn set_desk(
    project: &ProjectPaths,
    request: &RunRequest,
    around: &Surroundings<'_>,
    (run, ledger, answerers): (&str, Box<dyn Ledger>, Answerers),
) -> Result<RunDesk, RunError> {
    let (extract_answerer, review_answerer) = answerers;
    let sources = request
        .sources
        .iter()
        .map(|source| {
            let snapshots = SnapshotStore::new(&project.snapshots(), &source.id);
            SourceDesk::new(source.clone(), &request.config, snapshots)
        })
        .collect::<Result<Vec<_>, _>>()?;
    let control = Control::new(&request.config, &PriceTable::read(around.prices)?)?;
    Ok(RunDesk {
        root: project.root().to_owned(),
        run: run.to_owned(),
        ledger: Arc::new(std::sync::Mutex::new(ledger)),
        folder: Arc::from(wiring::answer_files(project)),
        extract_answerer,
        review_answerer,
        sources,
        tells_news: request.kind == RunKind::Update,
        control: if request.in_batches { control.in_batches(&request.config) } else { control },
    })
}

async fn line(
    project: &ProjectPaths,
    request: &RunRequest,
    around: &Surroundings<'_>,
    (desk, killed): (Arc<RunDesk>, &KilledRun),
) -> Result<RunReport, RunError> {
    check_examples(&desk)?;
    if request.in_batches {
        Batches::can_be_made(&request.config)?;
    }
    let runs = held(&desk.ledger).runs()?;
    if let Some(last) = runs.iter().rev().find(|it| it.id != desk.run) {
        drop_half_written(&desk.root, &last.id)?;
    }
    for source in &desk.sources {
        finish_pages(&desk.root, &source.source.id, &**held(&desk.ledger))?;
    }
    let mut notes = open_key_notes(&request.config);
    notes.extend(same_model_note(&request.config));
    let batches = Batches::of(project, &request.config, around.environment);
    let mut batch_news = unless_stopped(around, take_in(&desk, &batches)).await?;
    let mut sums = RunSums::default();
    let step = CrawlStep {
        config: &request.config,
        connect_to: &request.connect_to,
        crawls: request.crawls,
    };
    let crawls = crawl_sources(project, step, around, (&desk, killed)).await?;
    let mut needs_look = crawls.needs_look;
    notes.extend(crawls.notes);
    for (source, record) in &crawls.records {
        sums.take_crawl(source, record, request.crawls);
    }
    let plan = plan_pages(&desk, &around.stop)?;
    let prices = PriceTable::read(around.prices)?;
    let (how, today) = ((&prices, request.in_batches), around.now);
    let estimate = price_plan(&desk, &plan, &request.config, how, today)?;
    let old = old_price_lines(&prices, &request.config, today)?;
    notes.extend(old.into_iter().map(|[english, _]| english));
    tell_touched(&plan, around);
    if let Err(why) = is_approved(&desk, request, &estimate, around)? {
        let summary = RunSummary { run: desk.run.clone(), ..RunSummary::default() };
        let end = RunEnd::NotApproved;
        return Ok(RunReport { summary, estimate, end, notes, failures: vec![why] });
    }
    let unshown = Unshown::read(&desk)?;
    if request.kind == RunKind::Bulk {
        let to_read = plan.iter().filter(|it| it.carried.is_none());
        note_all_unshown(&desk, to_read.map(|it| it.source))?;
    }
    let mut ends = work_pages(Arc::clone(&desk), &plan, around).await?;
    record_reading(&desk, &plan, &ends)?;
    record_items(&desk, &ends)?;
    if request.in_batches {
        let handed_in = hand_in(&desk, &batches, &ends, around.now);
        batch_news.add(unless_stopped(around, handed_in).await?);
    }
    notes.append(&mut batch_news.notes);
    ends.extend(pages_off_edition(&desk, &plan)?);
    needs_look |= ends.iter().any(|it| !it.references().is_empty());
    notes.extend(ends.iter().flat_map(PageEnd::notes));
    for end in &ends {
        sums.take_page(end, &desk.sources[end.source()].source.id);
    }
    check_sums(&sums)?;
    keep_rows(&desk.root, &desk.run, ends.iter().filter_map(|it| kept_end(&desk, it)))?;
    let readers = BTreeMap::from([
        ("extractor".to_owned(), desk.extract_answerer.name()),
        ("reviewer".to_owned(), desk.review_answerer.name()),
    ]);
    let paths = paper_paths(&desk.run);
    let mut summary = sums.summary(&desk.run, readers);
    summary.cost = actual_cost(&desk, &estimate)?;
    let gone = gone_pages(&crawls.records);
    if around.stop.is_asked() {
        return Err(RunError::StoppedInPapers);
    }
    let (rows, pages) = on_record(&desk, &ends, |end| {
        request.kind == RunKind::Bulk || unshown.is_news(&desk, end, &gone)
    })?;
    let approved = approvals(&**held(&desk.ledger))?;
    let removals = removal_candidates(&rows, &gone, &approved);
    summary.touched = plan.iter().filter_map(|it| it.touched.clone()).collect();
    summary.references = ends.iter().flat_map(PageEnd::references).cloned().collect();
    summary.changes.removed_candidates = count_items(&removals);
    let declared: Vec<&Source> = desk.sources.iter().map(|it| &it.source).collect();
    summary.gone = gone_without_rows(&gone, &removals, &declared);
    let (decided, _) = decisions_on_record(&**held(&desk.ledger))?;
    let answered = Answered::of(&decided);
    summary.ended_sign_offs = ended_sign_offs(&ends, &unshown, &answered);
    needs_look |= summary.ended_sign_offs > 0;
    notes.extend(ended_words(summary.ended_sign_offs));
    summary.batches = batch_news.counts;
    let mut failures = failures_of(&ends);
    failures.append(&mut batch_news.troubles);
    let unfit = unfit_readers(&summary.extracted, &request.config.watch);
    let end = match end_of(&summary, needs_look || !removals.is_empty()) {
        _ if !failures.is_empty() => RunEnd::ReaderFailed,
        _ if !unfit.is_empty() => RunEnd::ReaderUnfit,
        RunEnd::Waits if desk.control.is_used_up() => RunEnd::BudgetReached,
        end => end,
    };
    let has_papers = end != RunEnd::Nothing && !pages.is_empty();
    if has_papers {
        let news = match request.kind {
            RunKind::Bulk => News::everything(rows, pages),
            RunKind::Update => {
                notes.extend(unshown.note());
                News::of_pages((rows, pages), &ends, &unshown, &answered)
            }
        };
        // Nobody is asked to decide about rows that count as failed, or gets a sheet without a row.
        let has_sheet = unfit.is_empty() && (news.is_for_client() || !removals.is_empty());
        summary.sheet = has_sheet.then_some(paths.sheet);
        summary.report = Some(paths.report);
        let uuid = held(&desk.ledger).project_uuid().to_owned();
        let sources: Vec<Source> = desk.sources.iter().map(|it| it.source.clone()).collect();
        let papers = RunPapers {
            project: &uuid,
            issued_at: around.now,
            sources: &sources,
            summary: &summary,
            removals: &removals,
            decided: &decided,
            stop: &around.stop,
        };
        write_papers(&desk.root, &papers, news)?;
        record_papers(&desk, &summary)?;
        if unfit.is_empty() {
            all_is_shown(&desk)?;
        }
    }
    let sources = source_ids(request);
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    prove_steps(&**held(&desk.ledger), &desk.run, &sources, has_papers)?;
    let failures = failures.into_iter().chain(unfit).collect();
    Ok(RunReport { summary, estimate, end, notes, failures })
}

/// Work that a killed process does no harm to, given up where a stop is asked for.
///
/// # Errors
/// Those of the work, and that a stop was asked for.
pub async fn unless_stopped<T>(
    around: &Surroundings<'_>,
    work: impl Future<Output = Result<T, RunError>>,
) -> Result<T, RunError> {
    tokio::select! {
        done = work => done,
        () = around.stop.asked() => Err(RunError::StoppedInBatches),
    }
}

/// A page with rows on record: its source, its address, whether it was read in this run.
fn kept_end<'a>(desk: &'a RunDesk, end: &'a PageEnd) -> Option<(&'a str, &'a str, bool)> {
    let is_read = matches!(end, PageEnd::Done { .. });
    let source = desk.sources[end.source()].source.id.as_str();
    (is_read || matches!(end, PageEnd::Carried { .. })).then_some((source, end.url(), is_read))
}

/// `r20261130-141500`, with `-2` and so on where that is taken.
fn run_id(project: &ProjectPaths, now: Timestamp) -> String {
    let base = now.strftime("r%Y%m%d-%H%M%S").to_string();
    let known: Vec<String> = wiring::existing_ledger(project)
        .and_then(|it| Ok(it.runs()?))
        .map(|runs| runs.into_iter().map(|it| it.id).collect())
        .unwrap_or_default();
    let numbered = (2..).map(|at| format!("{base}-{at}"));
    std::iter::once(base.clone()).chain(numbered).find(|id| !known.contains(id)).unwrap_or(base)
}

fn is_free(estimate: &Estimate) -> bool {
    estimate.money.high.parse::<rust_decimal::Decimal>().is_ok_and(|it| it.is_zero())
}

fn end_of(summary: &RunSummary, needs_look: bool) -> RunEnd {
    let rows = summary.rows;
    // A sentence that states a rule and that no row uses waits for a person as much as a row does.
    let has_open_rules = summary.findings.contains_key(Code::Omission.as_str());
    let has_rows = rows.accepted + rows.flagged + rows.dropped + rows.merged > 0;
    if summary.items.waiting > 0 {
        RunEnd::Waits
    } else if summary.items.total > 0 && needs_look && !has_rows {
        // Nothing to sign, and yet a page that a person has to look at.
        RunEnd::Waits
    } else if summary.items.total == 0 || !has_rows {
        RunEnd::Nothing
    } else if rows.flagged > 0 || rows.accepted == 0 || needs_look || has_open_rules {
        RunEnd::Waits
    } else {
        RunEnd::Done
    }
}

/// Stops the run before anything is asked where a prompt teaches what the gate refuses.
fn check_examples(desk: &RunDesk) -> Result<(), RunError> {
    let broken: Vec<String> = desk
        .sources
        .iter()
        .flat_map(|it| broken_examples(&it.source, &it.extractor.instructions))
        .map(|it| it.to_string())
        .collect();
    if broken.is_empty() { Ok(()) } else { Err(RunError::Examples(broken)) }
}

fn quote_for<'a>(request: &'a RunRequest, issued: &'a str, sources: &'a [String]) -> QuoteFor<'a> {
    let config = &request.config;
    let readers = [wiring::priced_name(&config.extractor), wiring::priced_name(&config.reviewer)];
    QuoteFor { project: &config.name, issued, sources, readers }
}

fn source_ids(request: &RunRequest) -> Vec<String> {
    request.sources.iter().map(|it| it.id.clone()).collect()
}

/// An estimate as a quote, kept in the project.
///
/// # Errors
/// As [`estimate_run`], and when the quote cannot be written.
pub fn quote_run(
    project: &ProjectPaths,
    request: &RunRequest,
    around: &Surroundings<'_>,
) -> Result<(Estimate, Quote), RunError> {
    let estimate = estimate_run(project, request, around)?;
    let (issued, sources) = (around.now.strftime("%Y-%m-%d").to_string(), source_ids(request));
    let quote = Quote::new(&estimate, quote_for(request, &issued, &sources))?;
    quote.keep(project.root())?;
    Ok((estimate, quote))
}

/// Whether the run may spend: by an accepted quote, or by approval where no quote is needed.
fn is_approved(
    desk: &RunDesk,
    request: &RunRequest,
    estimate: &Estimate,
    around: &Surroundings<'_>,
) -> Result<Result<(), String>, RunError> {
    if let Some(id) = &request.accepted_quote {
        let quote = Quote::read(&desk.root, id)?;
        quote.covers(estimate, quote_for(request, "", &source_ids(request)))?;
        held(&desk.ledger).record_step(&StepRecord {
            run: desk.run.clone(),
            name: "quote".to_owned(),
            source: String::new(),
            count_in: 1,
            count_out: 1,
            detail: serde_json::to_string(&quote).unwrap_or_default(),
        })?;
        return Ok(Ok(()));
    }
    if is_free(estimate) {
        return Ok(Ok(()));
    }
    let expected: Decimal = estimate.money.expected.parse().unwrap_or(Decimal::MAX);
    if let Some(most) = request.config.budget.quote_above.filter(|it| expected > *it) {
        return Ok(Err(format!(
            "{expected} {} are expected, which is above quote_above ({most}): make a quote with \
             `countersign estimate --quote FILE` and run with --accept-quote and its id",
            estimate.currency
        )));
    }
    let refusal =
        "not approved, nothing was asked; run again with --yes, or answer y on a terminal";
    Ok(if (around.approve)(estimate) { Ok(()) } else { Err(refusal.to_owned()) })
}
