//! A provider's batches: handed in, looked for, looked after, fetched. One request each; nothing is
//! remembered here and nothing is tried again.
//!
//! A batch holds the very requests that would be made live, each under the digest of its ask.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::Value;

use crate::llm::answerer::AnswerError;
use crate::llm::batch_state::{BatchItem, BatchResults, BatchState};
use crate::llm::chat::ChatRequest;
use crate::llm::dialect::request_body;
use crate::llm::settings::{Dislikes, ModelSettings};
use crate::llm::transport::{Place, Request, Transport};
use crate::llm::{batch_anthropic, batch_openai};
use crate::model::config::Dialect;

/// Most asks of one batch. OpenAI takes 50,000, Anthropic 100,000.
pub const MOST_ASKS: usize = 10_000;
/// Most bytes of one batch. OpenAI takes 200 MB, Anthropic 256 MB.
pub const MOST_BYTES: usize = 90_000_000;
/// Most pages, of a hundred batches each, that are gone through.
const MOST_PAGES: usize = 50;
/// Longest list of batches or state of one that is read.
const MOST_STATE: usize = 16 << 20;
/// Longest file of results that is read.
const MOST_RESULTS: usize = 1 << 30;

/// The way to a provider's batches for one model.
#[derive(Debug)]
pub struct BatchClient {
    transport: Transport,
    model: ModelSettings,
}

impl BatchClient {
    /// True where this program speaks the batches of a dialect.
    pub fn speaks(dialect: Dialect) -> bool {
        dialect != Dialect::Gemini
    }

    /// # Errors
    /// When the dialect has no batches that this program speaks, or no client can be made.
    pub fn new(place: Place, model: ModelSettings) -> Result<Self, AnswerError> {
        if !Self::speaks(place.dialect) {
            let detail =
                "batches are spoken with openai, azure, anthropic and compatible servers; \
                          ask gemini live"
                    .to_owned();
            return Err(AnswerError::Rejected { detail });
        }
        Ok(Self { transport: Transport::new(place)?, model })
    }

    /// Where it leads.
    pub fn place(&self) -> &Place {
        self.transport.place()
    }

    /// The request of one ask, as it would be made live.
    pub fn item(&self, digest: &str, chat: &ChatRequest, dislikes: Dislikes) -> BatchItem {
        let body = request_body(self.place().dialect, chat, &self.model, dislikes);
        BatchItem { digest: digest.to_owned(), body }
    }

    /// Puts the requests into a file at the provider; `None` where it wants none.
    ///
    /// # Errors
    /// When it cannot be put there.
    pub async fn upload(&self, items: &[BatchItem]) -> Result<Option<String>, AnswerError> {
        if self.is_anthropic() {
            return Ok(None);
        }
        let (content_type, body) = batch_openai::upload(items, self.place().dialect);
        let text = self.send(Method::POST, "/files", (&content_type, body), MOST_STATE).await?;
        let id = read_json(&text)?.get("id").and_then(Value::as_str).map(str::to_owned);
        id.map(Some).ok_or_else(|| not_told("the name of the file"))
    }

    /// Makes the batch. `name` is ours, and goes along where the provider keeps such a thing.
    ///
    /// # Errors
    /// When it was not made, or when it is not known whether it was.
    pub async fn create(
        &self,
        name: &str,
        input_file: Option<&str>,
        items: &[BatchItem],
    ) -> Result<BatchState, AnswerError> {
        let (path, body) = match input_file {
            Some(file) => ("/batches", batch_openai::create_body(name, file, self.place().dialect)),
            None => ("/messages/batches", batch_anthropic::create_body(items)),
        };
        let body = body.to_string().into_bytes();
        let text = self.send(Method::POST, path, ("application/json", body), MOST_STATE).await?;
        self.read_state(&read_json(&text)?)
    }

    /// Where a batch stands.
    ///
    /// # Errors
    /// When the provider does not say.
    pub async fn state(&self, id: &str) -> Result<BatchState, AnswerError> {
        let path = format!("{}/{id}", self.batches());
        self.read_state(&read_json(&self.get(&path, MOST_STATE).await?)?)
    }

    /// Stops a batch; what is done by then is charged and can be fetched.
    ///
    /// # Errors
    /// When the provider does not do it.
    pub async fn cancel(&self, id: &str) -> Result<BatchState, AnswerError> {
        let path = format!("{}/{id}/cancel", self.batches());
        let text = self.send(Method::POST, &path, ("application/json", vec![]), MOST_STATE).await?;
        self.read_state(&read_json(&text)?)
    }

    /// The provider's batches, newest first, back to the first that `is_older` says is older than what is
    /// looked for.
    ///
    /// # Errors
    /// When the provider does not list them, or lists more than can be gone through.
    pub async fn list(
        &self,
        is_older: impl Fn(&BatchState) -> bool,
    ) -> Result<Vec<BatchState>, AnswerError> {
        let (mut found, mut after) = (Vec::new(), String::new());
        for _ in 0..MOST_PAGES {
            let key = if self.is_anthropic() { "after_id" } else { "after" };
            let from = if after.is_empty() { String::new() } else { format!("&{key}={after}") };
            let path = format!("{}?limit=100{from}", self.batches());
            let page = read_json(&self.get(&path, MOST_STATE).await?)?;
            let data =
                page.get("data").and_then(Value::as_array).ok_or_else(|| not_told("a list"))?;
            for it in data {
                found.push(self.read_state(it)?);
            }
            let Some(last) = found.last() else { return Ok(found) };
            let is_over = page.get("has_more") != Some(&Value::Bool(true)) || last.id == after;
            if is_over || is_older(last) {
                return Ok(found);
            }
            after.clone_from(&last.id);
        }
        // One that is not in an unfinished list may be behind it.
        Err(not_told("an end of its list of batches"))
    }

    /// What became of the asks of a batch that has ended. Asks of `wanted` that the provider has
    /// nothing to say about are not among them; of an ask with two results the first counts.
    ///
    /// # Errors
    /// When the results cannot be fetched.
    pub async fn results(
        &self,
        state: &BatchState,
        wanted: &BTreeSet<&str>,
    ) -> Result<BatchResults, AnswerError> {
        let paths = if self.is_anthropic() {
            vec![format!("/messages/batches/{}/results", state.id)]
        } else {
            state.result_files.iter().map(|it| format!("/files/{it}/content")).collect()
        };
        let mut found = BatchResults::default();
        for path in paths {
            let text = self.get(&path, MOST_RESULTS).await?;
            for line in text.lines().filter(|it| !it.trim().is_empty()) {
                self.read_line(line, wanted, &mut found);
            }
        }
        Ok(found)
    }

    fn read_line(&self, line: &str, wanted: &BTreeSet<&str>, found: &mut BatchResults) {
        let Ok(line) = serde_json::from_str::<Value>(line) else {
            found.unreadable += 1;
            return;
        };
        let Some(digest) = line.get("custom_id").and_then(Value::as_str) else {
            found.unreadable += 1;
            return;
        };
        if !wanted.contains(digest) {
            found.foreign += 1;
            return;
        }
        let (model, key) = (self.model.model.as_str(), self.place().key.as_ref());
        let outcome = if self.is_anthropic() {
            batch_anthropic::read_result(&line, digest, model, key)
        } else {
            batch_openai::read_result(&line, digest, model, key)
        };
        match found.outcomes.get(digest) {
            // What was answered stays answered, by its first answer.
            Some(Ok(_)) => found.repeated += 1,
            Some(Err(_)) if outcome.is_err() => found.repeated += 1,
            Some(Err(_)) => {
                found.repeated += 1;
                found.outcomes.insert(digest.to_owned(), outcome);
            }
            None => _ = found.outcomes.insert(digest.to_owned(), outcome),
        }
    }

    fn is_anthropic(&self) -> bool {
        self.place().dialect == Dialect::Anthropic
    }

    fn batches(&self) -> &'static str {
        if self.is_anthropic() { "/messages/batches" } else { "/batches" }
    }

    fn read_state(&self, body: &Value) -> Result<BatchState, AnswerError> {
        let state = if self.is_anthropic() {
            batch_anthropic::read_state(body)
        } else {
            batch_openai::read_state(body)
        };
        state.ok_or_else(|| not_told("the name of the batch"))
    }

    async fn get(&self, path: &str, most: usize) -> Result<String, AnswerError> {
        self.send(Method::GET, path, ("", vec![]), most).await
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        (content_type, body): (&str, Vec<u8>),
        most: usize,
    ) -> Result<String, AnswerError> {
        self.transport.send(Request { method, path, content_type, body, most }).await
    }
}

fn read_json(text: &str) -> Result<Value, AnswerError> {
    serde_json::from_str(text).map_err(|_| not_told("anything that is JSON"))
}

fn not_told(what: &str) -> AnswerError {
    AnswerError::Unavailable { detail: format!("the provider's response does not hold {what}") }
}
