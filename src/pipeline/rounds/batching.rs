//! Batches in a run: what they gave is counted before anything is read, what is open is handed in after.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rust_decimal::Decimal;

use crate::ask::canonical::{hex_sha256, read_answer, read_ask};
use crate::ask::compose::OpenAsk;
use crate::llm::record::AnswerFiles;
use crate::model::ask::{Answer, Ask, Step};
use crate::model::run::BatchCounts;
use crate::pipeline::failure::RunError;
use crate::pipeline::held::held;
use crate::pipeline::page::end::PageEnd;
use crate::pipeline::rounds::batch_record::{BatchRecord, reserved};
use crate::pipeline::rounds::batches::{Batches, OpenPrice};
use crate::pipeline::rounds::desk::RunDesk;
use crate::pipeline::rounds::reading::ReadingError;
use crate::pipeline::rounds::record::AnswerRefused;
use crate::store::ledger::AnswerRecord;

/// What batches did in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BatchNews {
    pub counts: BatchCounts,
    /// What a person should know, one line each.
    pub notes: Vec<String>,
    /// What went wrong with a provider.
    pub troubles: Vec<String>,
}

impl BatchNews {
    /// Adds what came later in the run.
    pub fn add(&mut self, mut later: Self) {
        self.counts.handed_in += later.counts.handed_in;
        self.counts.waiting += later.counts.waiting;
        self.counts.taken_in += later.counts.taken_in;
        self.counts.failed += later.counts.failed;
        self.notes.append(&mut later.notes);
        self.troubles.append(&mut later.troubles);
    }
}

/// Takes in what has ended, counts what it cost in this run, and keeps the asks of open batches from
/// being asked a second time.
///
/// # Errors
/// When a record, an answer or the ledger cannot be read or written.
pub async fn take_in(desk: &RunDesk, batches: &Batches<'_>) -> Result<BatchNews, RunError> {
    if batches.records()?.is_empty() {
        return Ok(BatchNews::default());
    }
    let taken = batches.take_in().await?;
    let mut news =
        BatchNews { notes: taken.notes, troubles: taken.troubles, ..BatchNews::default() };
    for record in &taken.records {
        if record.is_open() {
            news.counts.waiting += record.asks.len() as u64;
        } else if record.counted_in.is_none() {
            news.counts.taken_in += record.answered.len() as u64;
            news.counts.failed += record.failed.len() as u64;
            count(desk, record)?;
            batches.count_in(record, &desk.run)?;
        }
    }
    desk.control.reserve(reserved(&taken.records));
    Ok(news)
}

/// Counts a batch's answers as answered in this run, at the price of a batch.
fn count(desk: &RunDesk, record: &BatchRecord) -> Result<(), RunError> {
    for (digest, usage) in &record.answered {
        if held(&desk.ledger).answer_digest(digest)?.is_some() {
            // Noted by a run that did not come to its end.
            continue;
        }
        let Some(text) = desk.folder.read_answer(digest).map_err(refused)? else { continue };
        let ask = stored_ask(&*desk.folder, digest)?;
        let open = OpenAsk { digest: digest.clone(), ask };
        // What is on file may be another answer to this ask; of this one the length is as good as any.
        let answer = read_answer(&text, digest).map_err(|cause| {
            let path = desk.folder.answer_path(digest).display().to_string();
            ReadingError::Refused(AnswerRefused::Unusable { path, cause })
        })?;
        let answered = Answer { usage: *usage, ..answer };
        // Priced before it is noted: what is noted is not counted a second time.
        desk.control.taken_in((&record.source, &record.model), &open, &answered)?;
        held(&desk.ledger).record_answers(&[AnswerRecord {
            ask: digest.clone(),
            digest: hex_sha256(text.as_bytes()),
            answered_by: record.model.clone(),
            run: desk.run.clone(),
            step: Some(record.step),
            is_live: true,
            usage: *usage,
        }])?;
    }
    Ok(())
}

/// Hands in the asks that the pages wait for, as far as the budget goes.
///
/// # Errors
/// When an ask or a record cannot be read or written.
pub async fn hand_in(
    desk: &RunDesk,
    batches: &Batches<'_>,
    ends: &[PageEnd],
    now: Timestamp,
) -> Result<BatchNews, RunError> {
    let mut news = BatchNews::default();
    let mut promised: Decimal = batches
        .records()?
        .iter()
        .filter(|it| it.is_open())
        .filter_map(|it| it.most.parse::<Decimal>().ok())
        .sum();
    let mut waiting: BTreeMap<&String, usize> = BTreeMap::new();
    for end in ends {
        let PageEnd::Waits { asks, source, .. } = end else { continue };
        for digest in asks.iter().filter(|it| !desk.control.is_reserved(it)) {
            // An ask that two sources share is paid for by the first.
            waiting.entry(digest).or_insert(*source);
        }
    }
    let mut steps: BTreeMap<(usize, Step), Vec<OpenPrice>> = BTreeMap::new();
    let (mut held_back, mut needed) = (0_u64, Decimal::ZERO);
    for (digest, source) in waiting {
        let open = OpenAsk { digest: digest.clone(), ask: stored_ask(&*desk.folder, digest)? };
        if !desk.control.is_in_batches(open.ask.step) {
            continue;
        }
        let most = desk.control.most(&open);
        if !desk.control.fits(promised + most) {
            held_back += 1;
            needed += most;
            continue;
        }
        promised += most;
        steps.entry((source, open.ask.step)).or_default().push(OpenPrice { open, most });
    }
    if held_back > 0 {
        desk.control.use_up();
        news.notes.push(format!(
            "{held_back} asks are not handed in: with the longest reply that each allows they could cost {}, and less \
             is left; those handed in give back what they do not use when they are taken in",
            needed.normalize()
        ));
    }
    for ((source, step), asks) in &steps {
        let source = desk.sources[*source].source.id.as_str();
        let (made, trouble) = batches.hand_in((source, *step), asks, now).await?;
        for record in &made {
            news.counts.handed_in += record.asks.len() as u64;
            news.notes.push(format!(
                "batch {}: {} {} asks handed in as {}; run again with --batch to take the answers in",
                record.id,
                record.asks.len(),
                step.as_str(),
                record.provider_id.as_deref().unwrap_or_default()
            ));
        }
        news.troubles.extend(trouble.map(|it| format!("{} batch: {it}", step.as_str())));
    }
    Ok(news)
}

fn stored_ask(folder: &dyn AnswerFiles, digest: &str) -> Result<Ask, RunError> {
    let json = folder.read_ask(digest).map_err(refused)?.unwrap_or_default();
    read_ask(&json, digest).map_err(|cause| {
        let path = folder.ask_path(digest).display().to_string();
        ReadingError::Refused(AnswerRefused::Unusable { path, cause }).into()
    })
}

fn refused(error: crate::llm::record::FolderError) -> RunError {
    ReadingError::Refused(error.into()).into()
}
