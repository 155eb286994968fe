//! Asks put to a server over HTTP: one try is one request.
//!
//! What is tried again is decided by `llm::retry`, how many calls are in flight by whoever calls. The key goes into one header and nowhere else:
//! never into an ask, a log line, an error or a file.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use reqwest::header::HeaderMap;
use serde_json::Value;
use tokio::time::Instant;

use crate::llm::answerer::{AnswerError, AnswerFuture, Answerer};
use crate::llm::chat::Render;
use crate::llm::openai::{Dislikes, ModelSettings, read_completion, request_body};
use crate::llm::retry::{Attempt, next_wait, retry_after};
use crate::model::ask::{Answer, Ask};

/// Longest reply body that is read, bytes; a longer one is refused.
const MAX_BODY: usize = 16 << 20;

/// Longest wait for a connection.
const CONNECT: Duration = Duration::from_secs(15);

/// A key that cannot be printed.
#[derive(Clone)]
pub struct ApiKey(String);

impl ApiKey {
    /// Takes the key as read from the environment or a key file.
    pub fn new(key: String) -> Self {
        Self(key)
    }
}

impl std::fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ApiKey(…)")
    }
}

/// Where and how to ask.
#[derive(Clone, Debug)]
pub struct HttpSettings {
    /// Up to and without `/chat/completions`, usually ending in `/v1`.
    pub base_url: String,
    pub model: ModelSettings,
    pub key: Option<ApiKey>,
    /// Longest wait for one reply.
    pub timeout: Duration,
    /// Tries of one ask.
    pub max_tries: u32,
}

/// The answerer.
#[derive(Debug)]
pub struct HttpAnswerer {
    client: reqwest::Client,
    settings: HttpSettings,
    render: Render,
    dislikes: Mutex<Dislikes>,
    /// No call before this: the provider asked to wait, and that is meant for all calls.
    paused_until: Mutex<Option<Instant>>,
}

impl HttpAnswerer {
    /// # Errors
    /// When no TLS client can be made.
    pub fn new(settings: HttpSettings, render: Render) -> Result<Self, AnswerError> {
        let client = reqwest::Client::builder()
            .timeout(settings.timeout)
            .connect_timeout(CONNECT.min(settings.timeout))
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .build()
            .map_err(|error| AnswerError::Rejected { detail: error.to_string() })?;
        Ok(Self {
            client,
            settings,
            render,
            dislikes: Mutex::default(),
            paused_until: Mutex::default(),
        })
    }

    async fn ask_until_answered(&self, ask: &Ask, digest: &str) -> Result<Answer, AnswerError> {
        let chat = (self.render)(ask);
        let mut tries = 0;
        loop {
            let dislikes = *lock(&self.dislikes);
            let body = request_body(&chat, &self.settings.model, dislikes);
            self.wait_out_pause().await;
            let error = match self.try_once(&body, digest).await {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            if let AnswerError::Rejected { detail } = &error
                && let Some(learnt) = dislikes.learn(detail)
            {
                *lock(&self.dislikes) = learnt;
                continue;
            }
            tries += 1;
            let attempt = Attempt { error: &error, tries, max_tries: self.settings.max_tries };
            let Some(wait) = next_wait(attempt) else { return Err(error) };
            if matches!(error, AnswerError::RateLimited { .. }) {
                self.pause(wait);
            }
            tokio::time::sleep(wait + spread(wait, digest)).await;
        }
    }

    async fn try_once(&self, body: &Value, digest: &str) -> Result<Answer, AnswerError> {
        let url = format!("{}/chat/completions", self.settings.base_url.trim_end_matches('/'));
        let mut request =
            self.client.post(url).header("content-type", "application/json").body(body.to_string());
        if let Some(ApiKey(key)) = &self.settings.key {
            request = request.bearer_auth(key);
        }
        let response = request.send().await.map_err(|error| self.transport_error(&error))?;
        let status = response.status().as_u16();
        let retry_after_s = wait_asked_for(response.headers());
        let text = self.read_body(response).await?;
        match status {
            200..=299 => read_completion(&text, digest, &self.settings.model.model),
            401 | 403 => Err(AnswerError::Unauthorised { detail: format!("HTTP {status}") }),
            // Out of money is not out of breath: no wait mends it.
            429 if text.contains("insufficient_quota") => {
                Err(AnswerError::Rejected { detail: self.shown(status, &text) })
            }
            429 => Err(AnswerError::RateLimited { retry_after_s }),
            500..=599 | 408 | 409 => {
                Err(AnswerError::Unavailable { detail: self.shown(status, &text) })
            }
            _ => Err(AnswerError::Rejected { detail: self.shown(status, &text) }),
        }
    }

    async fn read_body(&self, mut response: reqwest::Response) -> Result<String, AnswerError> {
        let mut body = Vec::new();
        while let Some(chunk) =
            response.chunk().await.map_err(|error| self.transport_error(&error))?
        {
            body.extend_from_slice(&chunk);
            if body.len() > MAX_BODY {
                let detail = format!("the reply is longer than {MAX_BODY} bytes");
                return Err(AnswerError::Rejected { detail });
            }
        }
        Ok(String::from_utf8_lossy(&body).into_owned())
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

    /// The provider's own words, shortened, with the key blotted out should they repeat it.
    fn shown(&self, status: u16, text: &str) -> String {
        let message = serde_json::from_str::<Value>(text)
            .ok()
            .and_then(|it| it.pointer("/error/message").and_then(Value::as_str).map(str::to_owned))
            .unwrap_or_else(|| text.to_owned());
        let whole = match &self.settings.key {
            Some(ApiKey(key)) => message.replace(key.as_str(), "…"),
            None => message,
        };
        let short: String =
            whole.chars().map(|it| if it.is_control() { ' ' } else { it }).take(300).collect();
        format!("HTTP {status}: {short}")
    }

    fn transport_error(&self, error: &reqwest::Error) -> AnswerError {
        if error.is_timeout() {
            return AnswerError::TimedOut;
        }
        let detail = std::iter::successors(Some(error as &dyn std::error::Error), |it| it.source())
            .last()
            .map_or_else(String::new, ToString::to_string);
        AnswerError::Unavailable { detail: format!("{}: {detail}", self.settings.base_url) }
    }
}

impl Answerer for HttpAnswerer {
    fn name(&self) -> String {
        self.settings.model.model.clone()
    }

    fn answer<'a>(&'a self, ask: &'a Ask, digest: &'a str) -> AnswerFuture<'a> {
        Box::pin(async move { self.ask_until_answered(ask, digest).await.map(Some) })
    }
}

fn wait_asked_for(headers: &HeaderMap) -> Option<u64> {
    let text = |name: &str| headers.get(name).and_then(|it| it.to_str().ok());
    retry_after(text("retry-after")?, text("date"))
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
    fn a_key_is_never_printed() {
        assert_eq!(format!("{:?}", ApiKey::new("sk-planted".to_owned())), "ApiKey(…)");
    }

    #[test]
    fn waits_are_spread_by_the_asks_own_name_and_never_shortened() {
        let wait = Duration::from_secs(4);
        assert_eq!(spread(wait, "00ab"), Duration::ZERO);
        assert!(spread(wait, "ff") < Duration::from_secs(1));
        assert_eq!(spread(wait, ""), Duration::ZERO);
    }
}
