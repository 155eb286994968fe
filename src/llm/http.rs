//! OpenAI-compatible chat completions: OpenAI, Azure, vLLM, llama.cpp, Ollama, LM Studio by base URL.
//!
//! One try is one request; what is tried again is decided by `llm::retry`. The key goes into one
//! header and nowhere else: never into an ask, a log line, an error or a file.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::llm::answerer::{AnswerError, AnswerFuture, Answerer};
use crate::llm::chat::Render;
use crate::llm::retry::{Attempt, next_wait};
use crate::model::ask::{Answer, Ask, Usage};

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
    pub model: String,
    pub key: Option<ApiKey>,
    /// Longest wait for one reply.
    pub timeout: Duration,
    /// Most tokens of one reply; `None` leaves it to the provider.
    pub max_tokens: Option<u32>,
    /// Decimal text, as configured; `None` leaves it to the provider.
    pub temperature: Option<f64>,
    /// Calls in flight.
    pub concurrency: usize,
    /// Tries of one ask.
    pub max_tries: u32,
}

/// The answerer.
#[derive(Debug)]
pub struct HttpAnswerer {
    client: reqwest::Client,
    settings: HttpSettings,
    render: Render,
    in_flight: Arc<Semaphore>,
}

impl HttpAnswerer {
    /// # Errors
    /// When no TLS client can be made.
    pub fn new(settings: HttpSettings, render: Render) -> Result<Self, AnswerError> {
        let client = reqwest::Client::builder()
            .timeout(settings.timeout)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .build()
            .map_err(|error| AnswerError::Rejected { detail: error.to_string() })?;
        let in_flight = Arc::new(Semaphore::new(settings.concurrency.max(1)));
        Ok(Self { client, settings, render, in_flight })
    }

    async fn ask_until_answered(&self, ask: &Ask, digest: &str) -> Result<Answer, AnswerError> {
        let body = self.body(ask);
        let mut tries = 0;
        loop {
            tries += 1;
            let result = {
                let _permit = self.in_flight.acquire().await;
                self.try_once(&body, digest).await
            };
            let error = match result {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            match next_wait(Attempt { error: &error, tries, max_tries: self.settings.max_tries }) {
                Some(wait) => tokio::time::sleep(wait).await,
                None => return Err(error),
            }
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
        let retry_after_s = response
            .headers()
            .get("retry-after")
            .and_then(|it| it.to_str().ok())
            .and_then(|it| it.trim().parse().ok());
        let text = response.text().await.map_err(|error| self.transport_error(&error))?;
        match status {
            200..=299 => read_completion(&text, digest, &self.settings.model),
            401 | 403 => Err(AnswerError::Unauthorised { detail: format!("HTTP {status}") }),
            429 => Err(AnswerError::RateLimited { retry_after_s }),
            500..=599 | 408 | 409 => {
                Err(AnswerError::Unavailable { detail: self.shown(status, &text) })
            }
            _ => Err(AnswerError::Rejected { detail: self.shown(status, &text) }),
        }
    }

    fn body(&self, ask: &Ask) -> Value {
        let chat = (self.render)(ask);
        let mut body = json!({
            "model": self.settings.model,
            "messages": [
                {"role": "system", "content": chat.system},
                {"role": "user", "content": chat.user},
            ],
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": chat.schema_name, "strict": true, "schema": chat.schema},
            },
        });
        if let Some(most) = self.settings.max_tokens {
            body["max_tokens"] = json!(most);
        }
        if let Some(temperature) = self.settings.temperature {
            body["temperature"] = json!(temperature);
        }
        body
    }

    /// The provider's own words, shortened, with the key blotted out should they repeat it.
    fn shown(&self, status: u16, text: &str) -> String {
        let message = serde_json::from_str::<Value>(text)
            .ok()
            .and_then(|it| it.pointer("/error/message").and_then(Value::as_str).map(str::to_owned))
            .unwrap_or_else(|| text.to_owned());
        let mut short: String = message.chars().take(300).collect();
        if let Some(ApiKey(key)) = &self.settings.key {
            short = short.replace(key.as_str(), "…");
        }
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
        self.settings.model.clone()
    }

    fn answer<'a>(&'a self, ask: &'a Ask, digest: &'a str) -> AnswerFuture<'a> {
        Box::pin(async move { self.ask_until_answered(ask, digest).await.map(Some) })
    }
}

fn read_completion(text: &str, digest: &str, model: &str) -> Result<Answer, AnswerError> {
    let unreadable = |detail: &str| AnswerError::Unavailable { detail: detail.to_owned() };
    let body: Value =
        serde_json::from_str(text).map_err(|_| unreadable("the provider's answer is not JSON"))?;
    let choice = body
        .pointer("/choices/0")
        .ok_or_else(|| unreadable("the provider's answer has no choices"))?;
    let content = choice.pointer("/message/content").and_then(Value::as_str).unwrap_or_default();
    let refusal = choice.pointer("/message/refusal").and_then(Value::as_str);
    let finish = match refusal {
        Some(_) => "refusal",
        None => choice.get("finish_reason").and_then(Value::as_str).unwrap_or_default(),
    };
    let count = |path: &str| body.pointer(path).and_then(Value::as_u64);
    Ok(Answer {
        format: "countersign.answer/1".to_owned(),
        ask: digest.to_owned(),
        answered_by: body.get("model").and_then(Value::as_str).unwrap_or(model).to_owned(),
        reply: refusal.unwrap_or(content).to_owned(),
        finish: finish.to_owned(),
        usage: body.get("usage").map(|_| Usage {
            input: count("/usage/prompt_tokens"),
            output: count("/usage/completion_tokens"),
            cached: count("/usage/prompt_tokens_details/cached_tokens"),
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_reply_says_so_and_unreported_usage_is_not_zero() {
        let text = r#"{"model":"m","choices":[{"finish_reason":"length","message":{"content":"{\"rows\":["}}],
            "usage":{"prompt_tokens":20,"completion_tokens":3}}"#;
        let answer = read_completion(text, "d", "asked").unwrap();
        assert_eq!((answer.finish.as_str(), answer.answered_by.as_str()), ("length", "m"));
        let usage = answer.usage.unwrap();
        assert_eq!((usage.input, usage.output, usage.cached), (Some(20), Some(3), None));
        let zero = text
            .replace("\"completion_tokens\":3", "\"prompt_tokens_details\":{\"cached_tokens\":0}");
        assert_eq!(read_completion(&zero, "d", "asked").unwrap().usage.unwrap().cached, Some(0));
    }

    #[test]
    fn a_refusal_is_its_own_outcome() {
        let text =
            r#"{"choices":[{"finish_reason":"stop","message":{"refusal":"No.","content":null}}]}"#;
        let answer = read_completion(text, "d", "asked").unwrap();
        assert_eq!((answer.finish.as_str(), answer.reply.as_str()), ("refusal", "No."));
        assert_eq!(answer.usage, None);
    }

    #[test]
    fn a_key_is_never_printed() {
        assert_eq!(format!("{:?}", ApiKey::new("sk-planted".to_owned())), "ApiKey(…)");
    }
}
