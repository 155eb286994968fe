//! Asks put to a model's server over HTTP, in the language that it speaks.
//!
//! What is tried again is decided by `llm::retry`, how fast it is asked by `llm::pace`.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use reqwest::Method;
use serde_json::Value;
use tokio::time::Instant;

use crate::llm::answerer::{AnswerError, AnswerFuture, Answerer, Question};
use crate::llm::chat::ChatRequest;
use crate::llm::dialect::{call_path, read_reply, request_body};
use crate::llm::pace::Pace;
use crate::llm::retry::{Attempt, next_wait};
use crate::llm::settings::{Dislikes, ModelSettings};
use crate::llm::tokens::approximate_tokens;
use crate::llm::transport::{Place, Request, Transport};
use crate::model::ask::Answer;

/// Longest reply body that is read, bytes; a longer one is refused.
const MAX_BODY: usize = 16 << 20;

/// Where and how to ask.
#[derive(Clone, Debug)]
pub struct HttpSettings {
    pub place: Place,
    pub model: ModelSettings,
    /// Tries of one ask.
    pub max_tries: u32,
}

/// The answerer.
#[derive(Debug)]
pub struct HttpAnswerer {
    transport: Transport,
    model: ModelSettings,
    max_tries: u32,
    pace: Arc<Pace>,
    dislikes: Mutex<Dislikes>,
    /// No call before this: the provider asked to wait, and that is meant for all calls.
    paused_until: Mutex<Option<Instant>>,
}

impl HttpAnswerer {
    /// `pace` is shared by all that ask the same provider.
    ///
    /// # Errors
    /// When no TLS client can be made.
    pub fn new(settings: HttpSettings, pace: Arc<Pace>) -> Result<Self, AnswerError> {
        Ok(Self {
            transport: Transport::new(settings.place)?,
            model: settings.model,
            max_tries: settings.max_tries,
            pace,
            dislikes: Mutex::default(),
            paused_until: Mutex::default(),
        })
    }

    async fn ask_until_answered(&self, question: Question<'_>) -> Result<Answer, AnswerError> {
        let Question { chat, digest, .. } = question;
        let dialect = self.transport.place().dialect;
        let mut tries = 0;
        loop {
            let dislikes = *lock(&self.dislikes);
            let body = request_body(dialect, chat, &self.model, dislikes);
            let error = match self.try_once(&body, chat, digest).await {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            if let AnswerError::Rejected { detail } | AnswerError::BadSchema { detail } = &error
                && let Some(learnt) = dislikes.learn(detail)
            {
                *lock(&self.dislikes) = learnt;
                continue;
            }
            tries += 1;
            let attempt = Attempt { error: &error, tries, max_tries: self.max_tries };
            let Some(wait) = next_wait(attempt) else { return Err(error) };
            if !(question.may_try_again)(&error) {
                return Err(error);
            }
            if matches!(error, AnswerError::RateLimited { .. } | AnswerError::Overloaded { .. }) {
                self.pause(wait);
            }
            tokio::time::sleep(wait + spread(wait, digest)).await;
        }
    }

    async fn try_once(
        &self,
        body: &Value,
        chat: &ChatRequest,
        digest: &str,
    ) -> Result<Answer, AnswerError> {
        let turn = self.pace.turn(self.guessed_tokens(chat)).await;
        self.wait_out_pause().await;
        let dialect = self.transport.place().dialect;
        let request = Request {
            method: Method::POST,
            path: &call_path(dialect, &self.model.model),
            content_type: "application/json",
            body: body.to_string().into_bytes(),
            most: MAX_BODY,
        };
        let text = self.transport.send(request).await?;
        let answer = read_reply(dialect, &text, digest, &self.model.model)?;
        if let Some(usage) = answer.usage {
            turn.took(usage.input.unwrap_or(0) + usage.output.unwrap_or(0));
        }
        Ok(answer)
    }

    /// Tokens in and out before the call: what is sent, and as much again or the longest reply.
    fn guessed_tokens(&self, chat: &ChatRequest) -> u64 {
        let sent = approximate_tokens(&chat.system) + approximate_tokens(&chat.user);
        sent + self.model.max_tokens.map_or(sent, |most| u64::from(most).min(sent))
    }

    async fn wait_out_pause(&self) {
        let until = *lock(&self.paused_until);
        if let Some(until) = until {
            tokio::time::sleep_until(until).await;
        }
    }

    fn pause(&self, wait: Duration) {
        let until = Instant::now() + wait;
        let mut paused = lock(&self.paused_until);
        *paused = Some(paused.map_or(until, |it| it.max(until)));
    }
}

impl Answerer for HttpAnswerer {
    fn name(&self) -> String {
        self.model.model.clone()
    }

    fn answer<'a>(&'a self, question: Question<'a>) -> AnswerFuture<'a> {
        Box::pin(async move { self.ask_until_answered(question).await.map(Some) })
    }
}

/// Up to a quarter more, by the ask's own digest, so that asks that failed together are not tried
/// again together.
fn spread(wait: Duration, digest: &str) -> Duration {
    let part = digest.get(..2).and_then(|it| u32::from_str_radix(it, 16).ok()).unwrap_or(0);
    wait * part / 1024
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_spread_by_the_asks_own_name_and_never_shortened() {
        let wait = Duration::from_secs(4);
        assert_eq!(spread(wait, "00ab"), Duration::ZERO);
        assert!(spread(wait, "ff") < Duration::from_secs(1));
        assert_eq!(spread(wait, ""), Duration::ZERO);
    }
}
