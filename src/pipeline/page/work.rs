//! The pages of a run at work: read together, written one by one as they are done.

use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::ask::canonical::hex_sha256;
use crate::model::row::RowRecord;
use crate::model::snapshot::Part;
use crate::pipeline::failure::RunError;
use crate::pipeline::page::carry::of_today;
use crate::pipeline::page::earlier::{carry_of, item_changes, references_to_look_at};
use crate::pipeline::page::end::{PageEnd, PageNews};
use crate::pipeline::page::plan::PagePlan;
use crate::pipeline::page::record::{PageFiles, read_page_record, write_page};
use crate::pipeline::page::settling::read_page;
use crate::pipeline::page::state::{PageDone, PageInput, PageReading};
use crate::pipeline::papers::omissions::omissions_of;
use crate::pipeline::papers::paper::PagePaper;
use crate::pipeline::rounds::desk::{RunDesk, SourceDesk};
use crate::pipeline::rounds::reading::Desk;
use crate::pipeline::rounds::record::{Record, held};
use crate::pipeline::surroundings::Surroundings;
use crate::sheet::issue::row_digest;
use crate::store::ledger::RowIndex;

/// Pages whose text is in memory at one time: enough that pages of one item each keep every call
/// that may be in flight busy, and never so many that memory grows with a generous setting.
fn pages_at_work(calls_in_flight: usize) -> usize {
    calls_in_flight.clamp(16, 256)
}

/// Reads every planned page that is not carried; ends come in the order of the plan.
///
/// # Errors
/// The first page that fails; pages already done are on record.
pub async fn work_pages(
    desk: Arc<RunDesk>,
    plan: &[PagePlan],
    around: &Surroundings<'_>,
) -> Result<Vec<PageEnd>, RunError> {
    around.progress.begin("read", Some(plan.len() as u64));
    let places = Arc::new(Semaphore::new(pages_at_work(desk.control.places())));
    let mut ends: Vec<Option<PageEnd>> = vec![None; plan.len()];
    let mut tasks: JoinSet<Result<(usize, PageEnd), RunError>> = JoinSet::new();
    let (mut finished, mut rows) = (0_u64, 0_u64);
    let mut next = 0;
    loop {
        while next < plan.len() && !around.stop.is_asked() {
            let page = &plan[next];
            if let Some(end) = without_reading(page) {
                ends[next] = Some(end);
                finished += 1;
                next += 1;
                continue;
            }
            let Ok(place) = Arc::clone(&places).try_acquire_owned() else { break };
            let (desk, page, at) = (Arc::clone(&desk), page.clone(), next);
            tasks.spawn(async move {
                let _place = place;
                work_page(&desk, &page).await.map(|end| (at, end))
            });
            next += 1;
        }
        let Some(joined) = tasks.join_next().await else { break };
        let (at, end) = joined.map_err(|_| RunError::Stopped { done: finished })??;
        if let PageEnd::Done { tally, .. } = &end {
            rows += tally.rows_in;
        }
        ends[at] = Some(end);
        finished += 1;
        around.progress.advance(finished, &format!("{rows} rows"));
    }
    around.progress.end(&format!("read      {finished} pages, {rows} rows read in this run"));
    let ends: Vec<PageEnd> = ends.into_iter().flatten().collect();
    if ends.len() < plan.len() {
        return Err(RunError::Stopped { done: finished });
    }
    Ok(ends)
}

fn without_reading(page: &PagePlan) -> Option<PageEnd> {
    let (source, url) = (page.source, page.page.page.clone());
    if let Some(tally) = &page.carried {
        return Some(PageEnd::Carried { source, url, tally: tally.clone() });
    }
    page.unread.clone().map(|why| PageEnd::Unread { source, url, why })
}

async fn work_page(desk: &RunDesk, plan: &PagePlan) -> Result<PageEnd, RunError> {
    let source = &desk.sources[plan.source];
    let url = plan.page.page.clone();
    let Some(input) = source.input(&plan.page)? else {
        let why = format!("no reader for {}", plan.page.media);
        return Ok(PageEnd::Unread { source: plan.source, url, why });
    };
    if plan.page.text.as_deref() != Some(&hex_sha256(input.text.as_bytes())) {
        // The rules of today read another text from the same bytes: it is evidence too.
        source.snapshots.put(Part::Text, input.text.as_bytes())?;
    }
    let record = Record::new(&*desk.folder, &desk.ledger, &desk.run);
    let at_desk = Desk {
        source: &source.source.id,
        extractor: &source.extractor,
        reviewer: &source.reviewer,
        extract_answerer: &*desk.extract_answerer,
        review_answerer: &*desk.review_answerer,
        record: &record,
        control: &desk.control,
    };
    let text = hex_sha256(input.text.as_bytes());
    let carry = carry_of(&desk.root, source, plan.earlier.as_deref(), (&input, &text))?;
    let (has_earlier, carry) = (carry.is_some(), carry.unwrap_or_default());
    let reading = read_page(at_desk, &source.source, &input, &carry).await;
    record.flush()?;
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
            let (page, mut index) =
                write_page(&desk.root, &source.source.id, &url, &plan.basis, &done)?;
            let questions = open_questions(source, &input, &done);
            let is_fresh = |it: &&RowRecord| carry.is_read(&input, it);
            let mut fresh = done.fresh.clone();
            fresh.extend(questions.iter().filter(is_fresh).map(|it| it.key.clone()));
            index.extend(questions.into_iter().map(|it| question_index(it, &text)));
            held(&desk.ledger).replace_page(&page, &index)?;
            Ok(PageEnd::Done {
                source: plan.source,
                url,
                asks: done.tally,
                news: Box::new(PageNews {
                    asked_items: done.asked_items,
                    has_earlier,
                    changes: item_changes(&carry, input.items.len(), done.by_us),
                    cause: carry.cause,
                    fresh,
                    references: references_to_look_at(&input, &carry),
                    changed: done.changed,
                }),
                tally: done.counts,
            })
        }
    }
}

/// The page's open sentences as questions: a client may decide about them too.
fn open_questions(source: &SourceDesk, input: &PageInput, done: &PageDone) -> Vec<RowRecord> {
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
