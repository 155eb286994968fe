//! The batches of a project: handed in, looked for after a crash, looked after, and taken in.
//!
//! Whatever is handed in is written down first. Where it is not known whether a batch was made, its
//! asks stay put until the provider's own list says so: nothing is paid for twice.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use jiff::Timestamp;
use rust_decimal::Decimal;

use crate::ask::compose::OpenAsk;
use crate::ask::message::chat_request;
use crate::llm::answerer::AnswerError;
use crate::llm::batch::{BatchClient, MOST_ASKS, MOST_BYTES};
use crate::llm::batch_state::{BatchItem, BatchResults, BatchState};
use crate::llm::record::AnswerFiles;
use crate::llm::settings::Dislikes;
use crate::model::ask::Step;
use crate::model::config::{AnswererKind, ProjectConfig, ReaderConfig};
use crate::pipeline::project::ProjectPaths;
use crate::pipeline::rounds::batch_record::{BatchError, BatchFolder, BatchRecord, Stage};
use crate::pipeline::rounds::batch_search::{
    Found, again, is_unknown_there, lacks_results, look_for, unknown_there,
};
use crate::pipeline::rounds::record::answer_text;
use crate::pipeline::wiring;

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

    /// Whether the asks of these readers can be handed in at all: said before anything is fetched.
    ///
    /// # Errors
    /// When one asks a provider whose batches are not spoken here.
    pub fn can_be_made(config: &ProjectConfig) -> Result<(), BatchError> {
        let none = [&config.extractor, &config.reviewer]
            .into_iter()
            .find(|it| it.answerer == AnswererKind::Http && !BatchClient::speaks(it.dialect));
        match none {
            Some(it) => Err(BatchError::NoBatches { dialect: it.dialect.as_str() }),
            None => Ok(()),
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
                let moved = match self.client_of(&record)? {
                    Ok(client) => {
                        self.move_on(&client, &mut record, &known, &mut taken.notes).await
                    }
                    Err(error) => Err(Moved::Trouble(error)),
                };
                match moved {
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
        let state = again(|| client.state(&id)).await.map_err(|it| unknown_there(record, it))?;
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
        self.fetch(client, record, &state, notes).await?;
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

    /// Puts the answers on file, then writes down that the batch has ended. What is not there of all that
    /// the provider says is done leaves the batch open: those asks may be paid for.
    async fn fetch(
        &self,
        client: &BatchClient,
        record: &mut BatchRecord,
        state: &BatchState,
        notes: &mut Vec<String>,
    ) -> Result<(), Moved> {
        let wanted: BTreeSet<&str> = record.asks.iter().map(String::as_str).collect();
        let results = again(|| client.results(state, &wanted)).await?;
        for (count, what) in [
            (results.foreign, "results are of asks that are not of this batch, and left alone"),
            (results.repeated, "results are of asks that had one, and the first answer counts"),
        ] {
            if count > 0 {
                notes.push(format!("batch {}: {count} {what}", record.id));
            }
        }
        if let Some(lacks) = lacks_results(state, &results) {
            let id = &record.id;
            let detail = format!(
                "{lacks}; nothing of it is taken in and none of its asks is asked again, as they are paid for: try \
                 later, or take what is there and give the rest up with `countersign asks batch cancel {id}`"
            );
            self.folder.write(record)?;
            return Err(AnswerError::Unavailable { detail }.into());
        }
        self.keep(record, results, state)?;
        Ok(self.end(record, state)?)
    }

    /// Puts what was answered on file, and what became of each ask into the record.
    fn keep(
        &self,
        record: &mut BatchRecord,
        results: BatchResults,
        state: &BatchState,
    ) -> Result<(), BatchError> {
        record.status.clone_from(&state.status);
        for (digest, outcome) in results.outcomes {
            match outcome {
                Ok(answer) => {
                    // An answer that is there already stays; this one was paid for all the same.
                    if self.answers.read_answer(&digest)?.is_none() {
                        self.answers.write_answer(&digest, &answer_text(&answer)?)?;
                    }
                    record.answered.entry(digest).or_insert(answer.usage);
                }
                Err(error) => _ = record.failed.insert(digest, error.to_string()),
            }
        }
        let answered = &record.answered;
        record.failed.retain(|ask, _| !answered.contains_key(ask));
        Ok(())
    }

    /// Writes down that nothing more comes of the batch.
    fn end(&self, record: &mut BatchRecord, state: &BatchState) -> Result<(), BatchError> {
        let why = match state.errors.as_slice() {
            [] => format!("no result, the batch is {}", state.status),
            errors => format!("the batch is {}: {}", state.status, errors.join("; ")),
        };
        for ask in &record.asks {
            if !record.answered.contains_key(ask) {
                record.failed.entry(ask.clone()).or_insert_with(|| why.clone());
            }
        }
        record.stage = Stage::Ended;
        self.folder.write(record)
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
                let is_unknown = matches!(
                    error,
                    AnswerError::TimedOut
                        | AnswerError::Lost { .. }
                        | AnswerError::Unavailable { .. }
                        | AnswerError::Overloaded { .. }
                );
                if !is_unknown {
                    self.folder.forget(record)?;
                }
                Ok(Some(error))
            }
        }
    }

    /// Stops a batch at its provider; what is done by then is charged and still taken in. One that has ended
    /// there, or that the provider does not know, is given up: what it has is taken in, the rest is open.
    ///
    /// # Errors
    /// When there is no such record or reader. What the provider says is inside.
    pub async fn cancel(
        &self,
        id: &str,
    ) -> Result<Option<Result<String, AnswerError>>, BatchError> {
        let found = self.folder.records()?.into_iter().find(|it| it.id == id && it.is_open());
        let Some(mut record) = found else { return Ok(None) };
        let Some(provider_id) = record.provider_id.clone() else { return Ok(None) };
        let client = match self.client_of(&record)? {
            Ok(client) => client,
            Err(error) => return Ok(Some(Err(error))),
        };
        let state = match again(|| client.state(&provider_id)).await {
            Ok(state) if state.is_ended => state,
            Ok(_) => {
                return Ok(Some(match client.cancel(&provider_id).await {
                    Ok(state) => {
                        record.status.clone_from(&state.status);
                        self.folder.write(&record)?;
                        Ok(state.status)
                    }
                    Err(error) => Err(error),
                }));
            }
            Err(error) if is_unknown_there(&error) => BatchState {
                status: "not known to the provider".to_owned(),
                ..BatchState::default()
            },
            Err(error) => return Ok(Some(Err(error))),
        };
        let wanted: BTreeSet<&str> = record.asks.iter().map(String::as_str).collect();
        if !state.id.is_empty() {
            match again(|| client.results(&state, &wanted)).await {
                Ok(results) => self.keep(&mut record, results, &state)?,
                Err(error) if is_unknown_there(&error) => {}
                Err(error) => return Ok(Some(Err(error))),
            }
        }
        self.end(&mut record, &state)?;
        Ok(Some(Ok(format!(
            "{}, given up: {} asks answered, {} open again",
            state.status,
            record.answered.len(),
            record.failed.len()
        ))))
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

    /// The way to the provider that has a batch; inside, why there is none.
    fn client_of(
        &self,
        record: &BatchRecord,
    ) -> Result<Result<BatchClient, AnswerError>, BatchError> {
        let no_reader = || BatchError::NoReader {
            id: record.id.clone(),
            dialect: record.dialect.as_str(),
            address: record.address.clone(),
        };
        let readers = [self.reader(record.step), &self.config.extractor, &self.config.reviewer];
        let reader = readers.into_iter().find(|it| record.is_at(it)).ok_or_else(no_reader)?;
        Ok(self.client(reader, &record.model))
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

/// Words, each with how often.
fn counted(failed: &BTreeMap<String, String>) -> BTreeMap<&str, u64> {
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    for words in failed.values() {
        *kinds.entry(words).or_default() += 1;
    }
    kinds
}
