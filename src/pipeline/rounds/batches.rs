//! The batches of a project: handed in, looked for after a crash, looked after, and taken in.
//!
//! Whatever is handed in is written down first. Where it is not known whether a batch was made, its
//! asks stay put until the provider's own list says so: nothing is paid for twice.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use rust_decimal::Decimal;

use crate::ask::compose::OpenAsk;
use crate::ask::message::chat_request;
use crate::llm::answerer::AnswerError;
use crate::llm::batch::{BatchClient, MOST_ASKS, MOST_BYTES};
use crate::llm::batch_state::{BatchItem, BatchState};
use crate::llm::record::AnswerFiles;
use crate::llm::retry::{Attempt, next_wait};
use crate::llm::settings::Dislikes;
use crate::model::ask::Step;
use crate::model::config::{ProjectConfig, ReaderConfig};
use crate::pipeline::project::ProjectPaths;
use crate::pipeline::rounds::batch_record::{BatchError, BatchFolder, BatchRecord, Stage};
use crate::pipeline::rounds::record::answer_text;
use crate::pipeline::wiring;

/// Tries of one request about a batch.
const MAX_TRIES: u32 = 3;
/// How far the clocks of provider and project may differ.
const CLOCKS_DIFFER: SignedDuration = SignedDuration::from_mins(10);

/// The batches of one project.
pub struct Batches<'a> {
    config: &'a ProjectConfig,
    root: PathBuf,
    environment: &'a BTreeMap<String, String>,
    folder: BatchFolder,
    answers: Box<dyn AnswerFiles>,
}

/// An ask that is to be handed in.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenPrice {
    pub open: OpenAsk,
    /// What it is counted with: the high side of the estimate.
    pub most: Decimal,
}

/// What taking in came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TakenIn {
    /// All records, as they stand now.
    pub records: Vec<BatchRecord>,
    /// What a person should know, one line each.
    pub notes: Vec<String>,
    /// What went wrong with a provider; its batches stay as they are.
    pub troubles: Vec<String>,
}

impl<'a> Batches<'a> {
    /// The batches of a project, with the readers that are configured now.
    pub fn of(
        project: &ProjectPaths,
        config: &'a ProjectConfig,
        environment: &'a BTreeMap<String, String>,
    ) -> Self {
        Self {
            config,
            root: project.root().to_owned(),
            environment,
            folder: BatchFolder::new(project.batches()),
            answers: wiring::answer_files(project),
        }
    }

    /// The records as they stand on disk.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn records(&self) -> Result<Vec<BatchRecord>, BatchError> {
        self.folder.records()
    }

    /// Notes that the cost of a batch is counted in a run.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn count_in(&self, record: &BatchRecord, run: &str) -> Result<(), BatchError> {
        let counted = BatchRecord { counted_in: Some(run.to_owned()), ..record.clone() };
        self.folder.write(&counted)
    }

    /// Asks the providers about every open batch, and puts the answers of those that have ended on
    /// file. A provider that cannot be asked is a trouble, not an error.
    ///
    /// # Errors
    /// When a record cannot be read or written, or a batch has no reader any more.
    pub async fn take_in(&self) -> Result<TakenIn, BatchError> {
        let mut taken = TakenIn::default();
        let records = self.folder.records()?;
        let known: BTreeSet<String> =
            records.iter().filter_map(|it| it.provider_id.clone()).collect();
        for mut record in records {
            if record.is_open() {
                let client = self.client_of(&record)?;
                match self.move_on(&client, &mut record, &known, &mut taken.notes).await {
                    Ok(true) => {}
                    Ok(false) => continue,
                    Err(Moved::Trouble(error)) => {
                        taken.troubles.push(format!("batch {}: {error}", record.id));
                    }
                    Err(Moved::Broken(error)) => return Err(error),
                }
            }
            taken.records.push(record);
        }
        Ok(taken)
    }

    /// Moves one record on; false where it turned out that there is no such batch.
    async fn move_on(
        &self,
        client: &BatchClient,
        record: &mut BatchRecord,
        known: &BTreeSet<String>,
        notes: &mut Vec<String>,
    ) -> Result<bool, Moved> {
        if record.stage == Stage::Planned {
            match look_for(client, record, known).await? {
                Found::Batch(state) => {
                    record.provider_id = Some(state.id.clone());
                    record.stage = Stage::Waiting;
                    record.status = state.status;
                    self.folder.write(record)?;
                    notes.push(format!("batch {}: found again as {}", record.id, state.id));
                }
                Found::None => {
                    self.folder.forget(record)?;
                    notes.push(format!("batch {}: was never made; its asks are open", record.id));
                    return Ok(false);
                }
                Found::Perhaps => {
                    notes.push(format!(
                        "batch {}: may be one that the provider works on; its asks wait until that has ended",
                        record.id
                    ));
                    return Ok(true);
                }
            }
        }
        let Some(id) = record.provider_id.clone() else { return Ok(true) };
        let state = match again(|| client.state(&id)).await {
            Err(AnswerError::Rejected { detail }) if detail.starts_with("HTTP 404") => {
                return Ok(self.end_unknown(record, &detail)?);
            }
            state => state?,
        };
        record.status.clone_from(&state.status);
        if !state.is_ended {
            self.folder.write(record)?;
            notes.push(format!(
                "batch {}: {} at the provider, {} of {} asks done",
                record.id,
                state.status,
                state.done,
                record.asks.len()
            ));
            return Ok(true);
        }
        self.fetch(client, record, &state).await?;
        notes.push(format!(
            "batch {}: {}, {} of {} asks answered",
            record.id,
            state.status,
            record.answered.len(),
            record.asks.len()
        ));
        for (words, count) in counted(&record.failed) {
            notes.push(format!("batch {}: {count} asks are open again: {words}", record.id));
        }
        Ok(true)
    }

    /// Puts the answers on file, then writes down that the batch has ended.
    async fn fetch(
        &self,
        client: &BatchClient,
        record: &mut BatchRecord,
        state: &BatchState,
    ) -> Result<(), Moved> {
        let wanted: BTreeSet<&str> = record.asks.iter().map(String::as_str).collect();
        let results = again(|| client.results(state, &wanted)).await?;
        let (mut answered, mut failed) = (BTreeMap::new(), BTreeMap::new());
        for result in results {
            match result.outcome {
                Ok(answer) => {
                    let text = answer_text(&answer).map_err(BatchError::from)?;
                    // An answer that is there already stays; this one was paid for all the same.
                    if self.answers.read_answer(&result.digest).map_err(BatchError::from)?.is_none()
                    {
                        self.answers
                            .write_answer(&result.digest, &text)
                            .map_err(BatchError::from)?;
                    }
                    answered.insert(result.digest, answer.usage);
                }
                Err(error) => _ = failed.insert(result.digest, error.to_string()),
            }
        }
        let why = match state.errors.as_slice() {
            [] => format!("no result, the batch is {}", state.status),
            errors => format!("the batch is {}: {}", state.status, errors.join("; ")),
        };
        for ask in &record.asks {
            if !answered.contains_key(ask) {
                failed.entry(ask.clone()).or_insert_with(|| why.clone());
            }
        }
        failed.retain(|ask, _| !answered.contains_key(ask));
        (record.answered, record.failed) = (answered, failed);
        record.stage = Stage::Ended;
        Ok(self.folder.write(record)?)
    }

    fn end_unknown(&self, record: &mut BatchRecord, detail: &str) -> Result<bool, BatchError> {
        let words = format!("the provider knows no such batch any more ({detail})");
        record.failed = record.asks.iter().map(|it| (it.clone(), words.clone())).collect();
        record.stage = Stage::Ended;
        self.folder.write(record)?;
        Ok(true)
    }

    /// Hands asks of one source and step in, in as many batches as it takes; returns the records of those that
    /// were made.
    ///
    /// # Errors
    /// When a record cannot be written. What the provider says is inside.
    pub async fn hand_in(
        &self,
        (source, step): (&str, Step),
        asks: &[OpenPrice],
        now: Timestamp,
    ) -> Result<(Vec<BatchRecord>, Option<AnswerError>), BatchError> {
        let reader = self.reader(step);
        let client = match self.client(reader, &reader.model) {
            Ok(client) => client,
            Err(error) => return Ok((Vec::new(), Some(error))),
        };
        let dislikes = self.learnt(reader)?;
        let mut made = Vec::new();
        let mut rest = asks;
        while !rest.is_empty() {
            let (mut items, mut bytes) = (Vec::new(), 0);
            for it in rest.iter().take(MOST_ASKS) {
                let item = client.item(&it.open.digest, &chat_request(&it.open.ask), dislikes);
                bytes += item.body.to_string().len() + 300;
                if bytes > MOST_BYTES && !items.is_empty() {
                    break;
                }
                items.push(item);
            }
            let (part, later) = rest.split_at(items.len());
            let digests = part.iter().map(|it| it.open.digest.clone()).collect();
            let most: Decimal = part.iter().map(|it| it.most).sum();
            let mut record = BatchRecord::planned((source, step), reader, digests, now);
            record.most = most.normalize().to_string();
            if let Some(error) = self.make(&client, &mut record, &items).await? {
                return Ok((made, Some(error)));
            }
            made.push(record);
            rest = later;
        }
        Ok((made, None))
    }

    /// Makes one batch; the record is written before, between and after the steps.
    async fn make(
        &self,
        client: &BatchClient,
        record: &mut BatchRecord,
        items: &[BatchItem],
    ) -> Result<Option<AnswerError>, BatchError> {
        self.folder.write(record)?;
        match again(|| client.upload(items)).await {
            Ok(file) => record.input_file = file,
            Err(error) => {
                // A file alone is no batch and costs nothing.
                self.folder.forget(record)?;
                return Ok(Some(error));
            }
        }
        self.folder.write(record)?;
        match client.create(&record.id, record.input_file.as_deref(), items).await {
            Ok(state) => {
                record.provider_id = Some(state.id);
                record.status = state.status;
                record.stage = Stage::Waiting;
                self.folder.write(record)?;
                Ok(None)
            }
            Err(error) => {
                // Without a clear no it may have been made: the record stays, and the next run looks.
                if !matches!(error, AnswerError::TimedOut | AnswerError::Unavailable { .. }) {
                    self.folder.forget(record)?;
                }
                Ok(Some(error))
            }
        }
    }

    /// Stops a batch at its provider; what is done by then is charged and still taken in.
    ///
    /// # Errors
    /// When there is no such record or reader. What the provider says is inside.
    pub async fn cancel(
        &self,
        id: &str,
    ) -> Result<Option<Result<String, AnswerError>>, BatchError> {
        let found = self.folder.records()?.into_iter().find(|it| it.id == id && it.is_open());
        let Some(mut record) = found else { return Ok(None) };
        let client = self.client_of(&record)?;
        let Some(provider_id) = record.provider_id.clone() else { return Ok(None) };
        Ok(Some(match client.cancel(&provider_id).await {
            Ok(state) => {
                record.status.clone_from(&state.status);
                self.folder.write(&record)?;
                Ok(state.status)
            }
            Err(error) => Err(error),
        }))
    }

    /// What this reader's model was found not to take by the asks of earlier batches that failed.
    fn learnt(&self, reader: &ReaderConfig) -> Result<Dislikes, BatchError> {
        let mut dislikes = Dislikes::default();
        let records = self.folder.records()?;
        let same = records.iter().filter(|it| it.is_at(reader) && it.model == reader.model);
        for words in same.flat_map(|it| it.failed.values()) {
            dislikes = dislikes.learn(words).unwrap_or(dislikes);
        }
        Ok(dislikes)
    }

    fn reader(&self, step: Step) -> &'a ReaderConfig {
        match step {
            Step::Extract => &self.config.extractor,
            Step::Review => &self.config.reviewer,
        }
    }

    fn client(&self, reader: &ReaderConfig, model: &str) -> Result<BatchClient, AnswerError> {
        wiring::install_crypto();
        let place = wiring::place(reader, &self.root, self.environment)?;
        let settings = wiring::model_settings(reader);
        BatchClient::new(
            place,
            crate::llm::settings::ModelSettings { model: model.to_owned(), ..settings },
        )
    }

    fn client_of(&self, record: &BatchRecord) -> Result<BatchClient, BatchError> {
        let no_reader = || BatchError::NoReader {
            id: record.id.clone(),
            dialect: record.dialect.as_str(),
            address: record.address.clone(),
        };
        let readers = [self.reader(record.step), &self.config.extractor, &self.config.reviewer];
        let reader = readers.into_iter().find(|it| record.is_at(it)).ok_or_else(no_reader)?;
        self.client(reader, &record.model).map_err(|_| no_reader())
    }
}

/// Why a record could not be moved on.
enum Moved {
    Trouble(AnswerError),
    Broken(BatchError),
}

impl From<AnswerError> for Moved {
    fn from(error: AnswerError) -> Self {
        Self::Trouble(error)
    }
}

impl From<BatchError> for Moved {
    fn from(error: BatchError) -> Self {
        Self::Broken(error)
    }
}

/// What the provider's own list says about a batch that may have been made.
enum Found {
    Batch(BatchState),
    None,
    Perhaps,
}

/// Looks for a batch whose making was interrupted: by its file where there is one, else by the number
/// of its asks and, once it has ended, by their digests.
async fn look_for(
    client: &BatchClient,
    record: &BatchRecord,
    known: &BTreeSet<String>,
) -> Result<Found, AnswerError> {
    let is_by_file = record.dialect != crate::model::config::Dialect::Anthropic;
    if is_by_file && record.input_file.is_none() {
        return Ok(Found::None);
    }
    let listed = again(|| client.list()).await?;
    if is_by_file {
        let found = listed.into_iter().find(|it| it.input_file == record.input_file);
        return Ok(found.map_or(Found::None, Found::Batch));
    }
    let began: Timestamp = record.began.parse().unwrap_or(Timestamp::UNIX_EPOCH);
    let wanted: BTreeSet<&str> = record.asks.iter().map(String::as_str).collect();
    let mut is_undecided = false;
    for state in listed {
        let is_new = !known.contains(&state.id)
            && state.total == Some(record.asks.len() as u64)
            && state.created.parse().is_ok_and(|it: Timestamp| it + CLOCKS_DIFFER >= began);
        if !is_new {
            continue;
        }
        if !state.is_ended {
            is_undecided = true;
        } else if again(|| client.results(&state, &wanted)).await?.len() == record.asks.len() {
            return Ok(Found::Batch(state));
        }
    }
    Ok(if is_undecided { Found::Perhaps } else { Found::None })
}

/// Tries a request again that does no harm when it is made twice.
async fn again<T, F: Future<Output = Result<T, AnswerError>>>(
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

/// Words, each with how often.
fn counted(failed: &BTreeMap<String, String>) -> BTreeMap<&str, u64> {
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    for words in failed.values() {
        *kinds.entry(words).or_default() += 1;
    }
    kinds
}
