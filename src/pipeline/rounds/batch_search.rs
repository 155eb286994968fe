//! A batch that it is not certain of: looked for in the provider's own list, and held against what the
//! provider says of it.
//!
//! What is not certain is not decided: such asks wait.

use std::collections::BTreeSet;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::llm::answerer::AnswerError;
use crate::llm::batch::BatchClient;
use crate::llm::batch_state::{BatchResults, BatchState};
use crate::llm::retry::{Attempt, next_wait};
use crate::model::config::Dialect;
use crate::pipeline::rounds::batch_record::BatchRecord;

/// Tries of one request about a batch.
const MAX_TRIES: u32 = 3;
/// How far the clocks of provider and project may differ.
const CLOCKS_DIFFER: SignedDuration = SignedDuration::from_mins(10);

/// What the provider's own list says about a batch that may have been made.
pub enum Found {
    Batch(BatchState),
    None,
    Perhaps,
}

/// Looks for a batch whose making was interrupted: by its file where there is one, else by the number
/// of its asks and, once it has ended, by their digests.
///
/// # Errors
/// When the provider does not say what there is.
pub async fn look_for(
    client: &BatchClient,
    record: &BatchRecord,
    known: &BTreeSet<String>,
) -> Result<Found, AnswerError> {
    let is_by_file = record.dialect != Dialect::Anthropic;
    if is_by_file && record.input_file.is_none() {
        return Ok(Found::None);
    }
    let began: Timestamp = record.began.parse().unwrap_or(Timestamp::UNIX_EPOCH);
    let is_older = |it: &BatchState| made_at(it).is_some_and(|it| it + CLOCKS_DIFFER < began);
    let listed = again(|| client.list(is_older)).await?;
    if is_by_file {
        let found = listed.into_iter().find(|it| it.input_file == record.input_file);
        return Ok(found.map_or(Found::None, Found::Batch));
    }
    let wanted: BTreeSet<&str> = record.asks.iter().map(String::as_str).collect();
    let mut is_undecided = false;
    for state in listed {
        let is_new = !known.contains(&state.id)
            && state.total == Some(record.asks.len() as u64)
            && made_at(&state).is_some_and(|it| it + CLOCKS_DIFFER >= began);
        if !is_new {
            continue;
        }
        if !state.is_ended {
            is_undecided = true;
        } else if again(|| client.results(&state, &wanted)).await?.outcomes.len()
            == record.asks.len()
        {
            return Ok(Found::Batch(state));
        }
    }
    Ok(if is_undecided { Found::Perhaps } else { Found::None })
}

/// When a batch was made, in either provider's form.
fn made_at(state: &BatchState) -> Option<Timestamp> {
    let seconds = || Timestamp::from_second(state.created.parse().ok()?).ok();
    state.created.parse().ok().or_else(seconds)
}

/// What a batch lacks that its provider says it has.
pub fn lacks_results(state: &BatchState, results: &BatchResults) -> Option<String> {
    let there = results.outcomes.len() as u64;
    if there < state.done {
        let done = state.done;
        return Some(format!(
            "the provider says that {done} asks are done, its results hold {there}"
        ));
    }
    let unreadable = results.unreadable;
    (unreadable > 0).then(|| format!("{unreadable} lines of the provider's results cannot be read"))
}

/// A batch that its provider does not know: gone, or another account's.
pub fn is_unknown_there(error: &AnswerError) -> bool {
    matches!(error, AnswerError::Rejected { detail } if detail.starts_with("HTTP 404"))
}

/// A failure of the provider in the words that tell what may be done about it.
pub fn unknown_there(record: &BatchRecord, error: AnswerError) -> AnswerError {
    if !is_unknown_there(&error) {
        return error;
    }
    let id = &record.id;
    AnswerError::Rejected {
        detail: format!(
            "it knows no such batch under this key ({error}); its asks are not asked again, as they may be paid \
             for: put the key back that it was made with, or give it up with `countersign asks batch cancel {id}`"
        ),
    }
}

/// Tries a request again that does no harm when it is made twice.
///
/// # Errors
/// What the last try came to.
pub async fn again<T, F: Future<Output = Result<T, AnswerError>>>(
    call: impl Fn() -> F,
) -> Result<T, AnswerError> {
    let mut tries = 0;
    loop {
        let error = match call().await {
            Ok(found) => return Ok(found),
            Err(error) => error,
        };
        tries += 1;
        let attempt = Attempt { error: &error, tries, max_tries: MAX_TRIES };
        match next_wait(attempt) {
            Some(wait) => tokio::time::sleep(wait.min(Duration::from_secs(60))).await,
            None => return Err(error),
        }
    }
}
