//! One page from its frozen text to its rows on record.
//!
//! A page's rows depend on its *basis* alone: text, rules, fields and readers. With the same basis
//! and the file still as written, the page is carried and nothing is read again.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::join_all;

use crate::ask::canonical::hex_sha256;
use crate::ask::compose::ItemView;
use crate::ask::prompt::worked_example;
use crate::gate::page::PageText;
use crate::gate::row::PageState;
use crate::gate::scope::Scope;
use crate::gate::sentences::ledger::Ledger;
use crate::model::finding::{Code, Finding};
use crate::model::item::Item;
use crate::model::row::{RowRecord, RowStatus};
use crate::model::run::{ExtractCounts, LedgerCounts, WatchCounts};
use crate::model::source::Source;
use crate::pipeline::page::basis::foreign_host;
use crate::pipeline::page::candidate::{Lost, as_candidate, is_candidate, is_live};
use crate::pipeline::page::carry::PageCarry;
use crate::pipeline::page::reader_watch::extract_counts;
use crate::pipeline::page::rows::{PageIdentity, in_order, numbered, rows_of_item};
use crate::pipeline::page::state::{PageDone, PageInput, PageReading, PageTally, PageTrouble};
use crate::pipeline::page::superseded::settle_rows;
use crate::pipeline::rounds::reading::{AskTally, Desk, ItemState, ReadingError, read_item};
use crate::text::markers::machine::{is_directed, machine_directed};

/// Reads all items of a page, each on its own way, until every one is done or waits.
///
/// # Errors
/// The first item that cannot be moved on.
pub async fn read_page(
    desk: Desk<'_>,
    source: &Source,
    page: &PageInput,
    carry: &PageCarry,
) -> Result<PageReading, ReadingError> {
    let indexed = PageText::index(&page.text);
    let examples = examples_of(source);
    let text_digest = hex_sha256(page.text.as_bytes());
    let identity = PageIdentity {
        source: &source.id,
        url: &page.url,
        title: &page.title,
        snapshot: &page.snapshot,
        text: &text_digest,
        language: &source.language,
    };
    let mut done = PageDone {
        rows: Vec::new(),
        ledger: Ledger::default(),
        troubles: Vec::new(),
        counts: PageTally::default(),
        tally: AskTally::default(),
        asked_items: 0,
        by_us: 0,
        fresh: BTreeSet::new(),
        changed: Vec::new(),
    };
    let (mut waiting, mut failures, mut items_done) = (Vec::new(), Vec::new(), 0);
    let (mut watch, mut reviewed) = (WatchCounts::default(), 0);
    let mut extracted: BTreeMap<String, ExtractCounts> = BTreeMap::new();
    for (at, item, state) in read_items(desk, source, page, (&indexed, &examples, carry)).await? {
        match state {
            ItemState::Waits { ask, failure, asks } => {
                waiting.push(ask);
                done.tally.live += asks.live;
                done.tally.from_record += asks.from_record;
                failures.extend(failure);
            }
            ItemState::Done(reading) => {
                items_done += 1;
                let is_asked = reading.asks.live > 0;
                done.asked_items += u64::from(is_asked);
                done.by_us += u64::from(is_asked && carry.is_by_us(at));
                done.tally.live += reading.asks.live;
                done.tally.from_record += reading.asks.from_record;
                done.rows.extend(rows_of_item(identity, item, &reading));
                let by = extracted.entry(reading.extraction.read_by.clone()).or_default();
                by.add(extract_counts(&reading.extraction.judgement));
                if let Some(review) = &reading.review {
                    watch.add(&review.watch);
                    reviewed += 1;
                }
                let judgement =
                    reading.review.map_or(reading.extraction.judgement, |it| it.judgement);
                if judgement.page.state != PageState::Ok {
                    done.troubles.push(PageTrouble {
                        item: item.key.clone(),
                        state: judgement.page.state,
                        findings: judgement.page.findings,
                    });
                }
                done.ledger.entries.extend(judgement.ledger.entries);
            }
        }
    }
    if !waiting.is_empty() {
        let tally = done.tally;
        return Ok(PageReading::Waits { asks: waiting, failures, items_done, tally });
    }
    join_carried(&mut done, page, carry);
    done.ledger.entries.sort_by_key(|it| it.span);
    done.troubles.extend(words_for_machines(page, &source.language));
    done.counts = tally(page, &done, carry.carried.len() as u64);
    done.counts.watch = watch;
    done.counts.reviewed_items = reviewed;
    done.counts.plain_items = items_done - reviewed;
    done.counts.extracted = extracted;
    Ok(PageReading::Done(Box::new(done)))
}

/// Texts of the prompt that are no evidence.
pub fn examples_of(source: &Source) -> Vec<String> {
    let mut examples = vec![worked_example(&source.language).to_owned()];
    examples.extend(source.fields.iter().flat_map(|it| it.examples.iter().cloned()));
    examples
}

/// What the gate knows of an item.
pub fn item_scope<'a>(
    source: &'a Source,
    page: &'a PageInput,
    item: &'a Item,
    (examples, foreign_host): (&'a [String], Option<&'a str>),
) -> Scope<'a> {
    Scope {
        span: Some(item.span),
        page_title: &page.title,
        heading_path: &item.heading_path,
        fields: &source.fields,
        examples,
        language: &source.language,
        hidden: &page.hidden,
        foreign_host,
        ..Scope::default()
    }
}

/// What a reader is shown of an item.
pub fn item_view<'a>(
    source: &'a Source,
    page: &'a PageInput,
    item: &'a Item,
    text: &'a str,
) -> ItemView<'a> {
    ItemView {
        language: &source.language,
        fields: &source.fields,
        page_title: &page.title,
        heading_path: &item.heading_path,
        text,
    }
}

/// Puts what was read beside what was carried and what is only on record.
fn join_carried(done: &mut PageDone, page: &PageInput, carry: &PageCarry) {
    let carried = || carry.carried.values().flat_map(|it| &it.rows);
    let taken = carried().map(|it| it.key.as_str()).collect();
    let before = carry.before.iter().chain(&carry.gone);
    let fresh = numbered(std::mem::take(&mut done.rows), &taken, before);
    let seen = carry.last_seen.as_deref();
    let settled = settle_rows(&carry.before, &fresh, (&page.text, seen, carry.cause));
    let fresh = keep_refused(fresh, carry);
    let reworded = || carry.carried.values().flat_map(|it| &it.reworded);
    done.changed = settled.changed;
    done.changed.extend(reworded().cloned());
    // A candidate is asked about on a tab of its own, and never as a row that came in.
    let new = fresh.iter().filter(|it| !is_candidate(it));
    done.fresh = new.chain(reworded().map(|it| &it.1)).map(|it| it.key.clone()).collect();
    done.rows = fresh;
    done.rows.extend(carried().cloned());
    let shown: BTreeSet<String> = done.rows.iter().map(|it| it.key.clone()).collect();
    // What the page shows again is no candidate any more.
    let gone = carry.gone.iter().filter(|it| !shown.contains(&it.key));
    done.rows.extend(gone.cloned());
    done.rows.extend(settled.lost.into_iter().filter(|it| !shown.contains(&it.key)));
    done.rows = in_order(std::mem::take(&mut done.rows));
    done.ledger.entries.extend(carry.carried.values().flat_map(|it| it.entries.iter().cloned()));
}

/// A row that stood and that today's judgement refuses is not lost with it: it stays as a candidate,
/// with what is held against it, until the client signs.
fn keep_refused(mut fresh: Vec<RowRecord>, carry: &PageCarry) -> Vec<RowRecord> {
    let stood: BTreeMap<&str, &RowRecord> = carry
        .before
        .iter()
        .filter(|it| is_live(it) && !is_candidate(it))
        .map(|it| (it.key.as_str(), it))
        .collect();
    let lost = Lost::of(carry.cause, true);
    for row in fresh.iter_mut().filter(|it| !is_live(it)) {
        let Some(old) = stood.get(row.key.as_str()) else { continue };
        let mut kept = as_candidate(old, lost, carry.last_seen.as_deref());
        kept.findings.splice(0..0, row.findings.iter().cloned());
        *row = kept;
    }
    fresh
}

/// What addresses machines where no reader looks: hidden text, comments, titles and descriptions in the
/// markup, the page's title, its address. None of
/// it is evidence, and only the title is ever sent to anybody.
fn words_for_machines(page: &PageInput, language: &str) -> Option<PageTrouble> {
    let hidden = machine_directed(&page.hidden).into_iter().next();
    let found = match hidden {
        Some(span) => span.slice(&page.hidden)?.to_owned(),
        None if is_directed(&page.title) => page.title.clone(),
        None if is_directed(&page.url) => page.url.clone(),
        None => return None,
    };
    let detail = if language.starts_with("zh") {
        "頁面在標題、網址、隱藏文字、註解或圖片說明中對機器下指令，須由人工查看"
    } else {
        "the page gives orders to machines where no reader looks (title, address, hidden text, comments, descriptions of pictures); a person must look at it"
    };
    let finding = Finding {
        code: Code::InstructionText,
        detail: detail.to_owned(),
        place: None,
        evidence: Some(found),
    };
    Some(PageTrouble { item: String::new(), state: PageState::Suspect, findings: vec![finding] })
}

async fn read_items<'p>(
    desk: Desk<'_>,
    source: &Source,
    page: &'p PageInput,
    (indexed, examples, carry): (&PageText, &[String], &PageCarry),
) -> Result<Vec<(usize, &'p Item, ItemState)>, ReadingError> {
    let mut states = Vec::with_capacity(page.items.len());
    let foreign = foreign_host(source, &page.url);
    let foreign = foreign.as_deref();
    let readable = page
        .items
        .iter()
        .enumerate()
        .filter(|(at, _)| !carry.carried.contains_key(at))
        .filter_map(|(at, item)| Some((at, item, item.span.slice(&page.text)?)));
    let futures = readable.map(|(at, item, text)| async move {
        let scope = item_scope(source, page, item, (examples, foreign));
        let view = item_view(source, page, item, text);
        read_item(desk, indexed, &scope, &view).await.map(|state| (at, item, state))
    });
    for state in join_all(futures).await {
        states.push(state?);
    }
    Ok(states)
}

fn tally(page: &PageInput, done: &PageDone, carried_items: u64) -> PageTally {
    let mut counts = PageTally {
        items: page.items.len() as u64,
        rows_in: done.rows.len() as u64,
        carried_items,
        ..PageTally::default()
    };
    for row in &done.rows {
        let place = match row.status {
            RowStatus::Accepted => &mut counts.rows.accepted,
            RowStatus::Flagged => &mut counts.rows.flagged,
            RowStatus::Dropped => &mut counts.rows.dropped,
            RowStatus::Merged => &mut counts.rows.merged,
        };
        *place += 1;
        for finding in &row.findings {
            *counts.findings.entry(finding.code.to_string()).or_default() += 1;
        }
    }
    for finding in done.troubles.iter().flat_map(|it| &it.findings) {
        *counts.findings.entry(finding.code.to_string()).or_default() += 1;
    }
    let (used, not_a_condition, open) = done.ledger.counts();
    counts.sentences = LedgerCounts {
        used: used as u64,
        not_a_condition: not_a_condition as u64,
        open: open as u64,
    };
    counts.omissions = done.ledger.omissions().count() as u64;
    counts
}
