//! The pages of a run at work: read together, written one by one as they are done.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::ask::canonical::hex_sha256;
use crate::model::row::RowRecord;
use crate::model::snapshot::Part;
use crate::pipeline::failure::RunError;
use crate::pipeline::page::candidate::of_today;
use crate::pipeline::page::carry::PageCarry;
use crate::pipeline::page::earlier::{carry_of, item_changes, references_to_look_at};
use crate::pipeline::page::end::{PageEnd, PageNews};
use crate::pipeline::page::plan::PagePlan;
use crate::pipeline::page::record::{ComposedPage, PageFiles, compose_page, read_page_record};
use crate::pipeline::page::settling::read_page;
use crate::pipeline::page::state::{PageDone, PageInput, PageReading};
use crate::pipeline::papers::omissions::omissions_of;
use crate::pipeline::papers::paper::PagePaper;
use crate::pipeline::papers::unshown::unshown_page;
use crate::pipeline::rounds::clerk::{Clerk, ClerkError, Entry};
use crate::pipeline::rounds::desk::{RunDesk, SourceDesk};
use crate::pipeline::rounds::reading::{Desk, ReadingError};
use crate::pipeline::rounds::record::Record;
use crate::pipeline::surroundings::Surroundings;
use crate::sheet::issue::row_digest;
use crate::store::ledger::RowIndex;

/// Pages whose text is in memory at one time: enough that pages of one item each keep every call
/// that may be in flight busy, and never so many that memory grows with a generous setting.
fn pages_at_work(calls_in_flight: usize) -> usize {
    calls_in_flight.clamp(16, 256)
}

/// How long calls that are about to end may still do so when a stop is asked for.
const GRACE: Duration = Duration::from_millis(500);

/// Reads every planned page that is not carried; ends come in the order of the plan. A stop ends it
/// promptly: what was answered is on record, calls in flight are given up.
///
/// # Errors
/// The first page that fails; pages already done are on record.
pub async fn work_pages(
    desk: Arc<RunDesk>,
    plan: &[PagePlan],
    around: &Surroundings<'_>,
) -> Result<Vec<PageEnd>, RunError> {
    around.progress.begin("read", Some(plan.len() as u64));
    let clerk = Arc::new(Clerk::start(Arc::clone(&desk.folder), Arc::clone(&desk.ledger))?);
    let mut tasks = JoinSet::new();
    let ends = work_all((&desk, &clerk), &mut tasks, plan, around).await;
    tasks.shutdown().await;
    // Whatever was answered before the end is on record before anything else is done.
    let _ = tokio::task::spawn_blocking(move || clerk.finish()).await;
    ends
}

type PageTasks = JoinSet<Result<(usize, PageEnd), RunError>>;

async fn work_all(
    (desk, clerk): (&Arc<RunDesk>, &Arc<Clerk>),
    tasks: &mut PageTasks,
    plan: &[PagePlan],
    around: &Surroundings<'_>,
) -> Result<Vec<PageEnd>, RunError> {
    let places = Arc::new(Semaphore::new(pages_at_work(desk.control.places())));
    let mut ends: Vec<Option<PageEnd>> = vec![None; plan.len()];
    let (mut finished, mut rows) = (0_u64, 0_u64);
    let mut next = 0;
    loop {
        while next < plan.len() {
            let page = &plan[next];
            if let Some(end) = without_reading(page) {
                ends[next] = Some(end);
                finished += 1;
                next += 1;
                continue;
            }
            let Ok(place) = Arc::clone(&places).try_acquire_owned() else { break };
            let (desk, clerk) = (Arc::clone(desk), Arc::clone(clerk));
            let (page, at) = (page.clone(), next);
            tasks.spawn(async move {
                let _place = place;
                work_page(&desk, &clerk, page).await.map(|end| (at, end))
            });
            next += 1;
        }
        let joined = tokio::select! {
            biased;
            () = around.stop.asked(), if !tasks.is_empty() => {
                finished += wind_down(desk, tasks).await?;
                return Err(RunError::Stopped { done: finished });
            }
            joined = tasks.join_next() => joined,
        };
        let Some(joined) = joined else { break };
        let (at, end) = joined.map_err(|_| RunError::Stopped { done: finished })??;
        if let PageEnd::Done { tally, .. } = &end {
            rows += tally.rows_in;
        }
        ends[at] = Some(end);
        finished += 1;
        around.progress.advance(finished, &format!("{rows} rows"));
    }
    around.progress.end(&format!("read      {finished} pages, {rows} rows read in this run"));
    Ok(ends.into_iter().flatten().collect())
}

/// Begins no call any more and gives those in flight a moment to end. Returns the pages that were
/// done meanwhile.
async fn wind_down(desk: &RunDesk, tasks: &mut PageTasks) -> Result<u64, RunError> {
    desk.control.halt();
    let mut done = 0;
    let last = async {
        while let Some(joined) = tasks.join_next().await {
            if let Ok(ended) = joined {
                done += u64::from(matches!(ended?.1, PageEnd::Done { .. }));
            }
        }
        Ok::<(), RunError>(())
    };
    tokio::time::timeout(GRACE, last).await.unwrap_or(Ok(()))?;
    Ok(done)
}

fn without_reading(page: &PagePlan) -> Option<PageEnd> {
    let (source, url) = (page.source, page.page.page.clone());
    if let Some(tally) = &page.carried {
        return Some(PageEnd::Carried { source, url, tally: tally.clone() });
    }
    page.unread.clone().map(|why| PageEnd::Unread { source, url, why })
}

/// A page made ready for reading.
struct Ready {
    input: PageInput,
    /// SHA-256 of its canonical text.
    text: String,
    /// What becomes of its record; `None` where there is none.
    carry: Option<PageCarry>,
}

/// Reads a page's files, and what can be carried; `None` where nobody can read its media type.
fn make_ready(desk: &RunDesk, plan: &PagePlan) -> Result<Option<Ready>, RunError> {
    let source = &desk.sources[plan.source];
    let Some(input) = source.input(&plan.page)? else { return Ok(None) };
    let text = hex_sha256(input.text.as_bytes());
    if plan.page.text.as_deref() != Some(&text) {
        // The rules of today read another text from the same bytes: it is evidence too.
        source.snapshots.put(Part::Text, input.text.as_bytes())?;
    }
    let carry = carry_of(&desk.root, source, plan.earlier.as_deref(), (&input, &text))?;
    Ok(Some(Ready { input, text, carry }))
}

async fn work_page(
    desk: &Arc<RunDesk>,
    clerk: &Clerk,
    plan: PagePlan,
) -> Result<PageEnd, RunError> {
    let plan = Arc::new(plan);
    let url = plan.page.page.clone();
    // Files are read on a thread that may wait for the disk.
    let ready = tokio::task::spawn_blocking({
        let (desk, plan) = (Arc::clone(desk), Arc::clone(&plan));
        move || make_ready(&desk, &plan)
    });
    let Some(Ready { input, text, carry }) = ready.await.map_err(|_| ClerkError::Ended)?? else {
        let why = format!("no reader for {}", plan.page.media);
        return Ok(PageEnd::Unread { source: plan.source, url, why });
    };
    let source = &desk.sources[plan.source];
    let record = Record::new((&desk.folder, &desk.ledger), clerk, &desk.run);
    let at_desk = Desk {
        source: &source.source.id,
        extractor: &source.extractor,
        reviewer: &source.reviewer,
        extract_answerer: &*desk.extract_answerer,
        review_answerer: &*desk.review_answerer,
        record: &record,
        control: &desk.control,
    };
    let (has_earlier, carry) = (carry.is_some(), carry.unwrap_or_default());
    let reading = read_page(at_desk, &source.source, &input, &carry).await;
    record.note_found().await.map_err(ReadingError::from)?;
    match reading? {
        PageReading::Waits { asks, failures, items_done, tally } => Ok(PageEnd::Waits {
            source: plan.source,
            url,
            items: input.items.len() as u64,
            done: items_done + carry.carried.len() as u64,
            asks,
            failures,
            tally,
        }),
        PageReading::Done(done) => {
            let place = (source.source.id.as_str(), url.as_str());
            let composed =
                compose_page(&desk.root, place, &plan.basis, &done).map_err(RunError::Row)?;
            let ComposedPage { files, page, rows: mut index } = composed;
            let questions = open_questions(source, &input, &done);
            let is_fresh = |it: &&RowRecord| carry.is_read(&input, it);
            let (mut fresh, mut changed) = (BTreeSet::new(), Vec::new());
            if desk.tells_news {
                (fresh, changed) = (done.fresh, done.changed);
                fresh.extend(questions.iter().filter(is_fresh).map(|it| it.key.clone()));
            }
            index.extend(questions.into_iter().map(|it| question_index(it, &text)));
            let news = PageNews {
                asked_items: done.asked_items,
                has_earlier,
                changes: item_changes(&carry, input.items.len(), done.by_us),
                cause: carry.cause,
                fresh,
                references: references_to_look_at(&input, &carry),
                changed,
            };
            let unshown = unshown_page(&desk.run, place, &news);
            clerk.hand_in(Entry::Page { files, page, rows: index, unshown }).await?;
            Ok(PageEnd::Done {
                source: plan.source,
                url,
                asks: done.tally,
                news: Box::new(news),
                tally: done.counts,
            })
        }
    }
}

/// The page's open sentences as questions: a client may decide about them too.
fn open_questions(source: &SourceDesk, input: &PageInput, done: &PageDone) -> Vec<RowRecord> {
    if done.ledger.omissions().next().is_none() {
        return Vec::new();
    }
    let paper = PagePaper {
        source: source.source.id.clone(),
        url: input.url.clone(),
        title: input.title.clone(),
        text: input.text.clone(),
        snapshot: input.snapshot.clone(),
        ledger: done.ledger.clone(),
    };
    omissions_of(&paper, &source.source.language)
}

fn question_index(row: RowRecord, text: &str) -> RowIndex {
    RowIndex {
        content: row_digest(&row),
        key: row.key,
        source: row.source,
        url: row.page,
        item: String::new(),
        status: "open".to_owned(),
        digest: text.to_owned(),
    }
}

/// Rows and texts, as they now are on record, of the pages that `shows` picks; of no other page is
/// anything read.
///
/// # Errors
/// When a record cannot be read back, or holds another number of rows than was counted.
pub fn on_record(
    desk: &RunDesk,
    ends: &[PageEnd],
    shows: impl Fn(&PageEnd) -> bool,
) -> Result<(Vec<RowRecord>, Vec<PagePaper>), RunError> {
    let (mut rows, mut papers) = (Vec::new(), Vec::new());
    for end in ends.iter().filter(|it| shows(it)) {
        let (PageEnd::Carried { tally, .. } | PageEnd::Done { tally, .. }) = end else { continue };
        let source = &desk.sources[end.source()];
        let files = PageFiles::of(&source.source.id, end.url());
        let page = read_page_record(&desk.root, &files)?;
        if page.rows.len() as u64 != tally.rows_in {
            return Err(RunError::ReadBack {
                file: files.rows,
                expected: tally.rows_in,
                found: page.rows.len() as u64,
            });
        }
        let row = of_today(&page.rows);
        papers.push(PagePaper {
            source: source.source.id.clone(),
            url: end.url().to_owned(),
            title: row.map(|it| it.page_title.clone()).unwrap_or_default(),
            text: text_of(source, row.map_or("", |it| &it.text)),
            snapshot: row.map(|it| it.snapshot.clone()).unwrap_or_default(),
            ledger: page.ledger,
        });
        rows.extend(page.rows);
    }
    Ok((rows, papers))
}

/// The stored canonical text of this digest; empty where the store has another version of it.
fn text_of(source: &SourceDesk, digest: &str) -> String {
    if digest.is_empty() {
        return String::new();
    }
    source.snapshots.text(digest).unwrap_or_default()
}
