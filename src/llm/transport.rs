//! One request to a provider and what came back. Nothing is tried again here.
//!
//! The key goes into one header and nowhere else: never into an error, a log line or a file.

use std::time::Duration;

use reqwest::Method;
use reqwest::header::{HeaderMap, HeaderValue};

use crate::llm::answerer::AnswerError;
use crate::llm::dialect::{fixed_headers, key_header};
use crate::llm::failure::{Failure, outcome};
use crate::llm::key::ApiKey;
use crate::llm::retry::retry_after;
use crate::model::config::Dialect;

/// Longest wait for a connection.
const CONNECT: Duration = Duration::from_secs(15);

/// Where a provider is and how it is spoken to.
#[derive(Clone, Debug)]
pub struct Place {
    pub dialect: Dialect,
    /// Up to and without the path of a call, usually ending in `/v1`.
    pub base_url: String,
    /// Goes into the address as `api-version` where it is not empty.
    pub api_version: String,
    pub key: Option<ApiKey>,
    /// Longest wait for one response.
    pub timeout: Duration,
}

/// A request.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    pub method: Method,
    /// After the base address; may have a query.
    pub path: &'a str,
    pub content_type: &'a str,
    /// Empty for none.
    pub body: Vec<u8>,
    /// Longest body that is read, bytes; a longer one is refused.
    pub most: usize,
}

/// The way to one provider.
#[derive(Debug)]
pub struct Transport {
    client: reqwest::Client,
    place: Place,
}

impl Transport {
    /// # Errors
    /// When no TLS client can be made, or the key cannot stand in a header.
    pub fn new(place: Place) -> Result<Self, AnswerError> {
        let mut headers = HeaderMap::new();
        for (name, value) in fixed_headers(place.dialect) {
            headers.insert(*name, HeaderValue::from_static(value));
        }
        if let Some(key) = &place.key {
            let (name, before) = key_header(place.dialect);
            let text = format!("{before}{}", key.secret());
            let mut value = HeaderValue::from_str(&text).map_err(|_| {
                let detail = "it holds letters that cannot stand in a header".to_owned();
                AnswerError::Unauthorised { detail }
            })?;
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        let client = match is_encrypted(&place.base_url) {
            true => reqwest::Client::builder(),
            // A proxy of the environment would read key and pages; a server in the house needs none.
            false => reqwest::Client::builder().no_proxy(),
        };
        let client = client
            .timeout(place.timeout)
            .connect_timeout(CONNECT.min(place.timeout))
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .default_headers(headers)
            .build()
            .map_err(|error| AnswerError::Rejected { detail: error.to_string() })?;
        Ok(Self { client, place })
    }

    /// Where it leads.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Sends a request and gives the body of a good response.
    ///
    /// # Errors
    /// The outcome of a bad one, or of none.
    pub async fn send(&self, request: Request<'_>) -> Result<String, AnswerError> {
        let mut url = format!("{}{}", self.place.base_url.trim_end_matches('/'), request.path);
        if !self.place.api_version.is_empty() {
            url.push(if url.contains('?') { '&' } else { '?' });
            url.push_str("api-version=");
            url.push_str(&self.place.api_version);
        }
        let mut builder = self.client.request(request.method, url);
        if !request.body.is_empty() {
            builder = builder.header("content-type", request.content_type).body(request.body);
        }
        let response = builder.send().await.map_err(|error| self.lost(&error))?;
        let status = response.status().as_u16();
        let retry_after_s = wait_asked_for(response.headers());
        let body = self.read(response, request.most).await?;
        match status {
            200..=299 => Ok(match &self.place.key {
                Some(key) => key.blot_if_long(body),
                None => body,
            }),
            300..=399 => {
                let detail = format!(
                    "HTTP {status}: it sends on to another address, where the key is not taken; set base_url to the address that answers"
                );
                Err(AnswerError::Rejected { detail })
            }
            _ => {
                let key = self.place.key.as_ref();
                Err(outcome(Failure { status, body: &body, retry_after_s, key }))
            }
        }
    }

    async fn read(
        &self,
        mut response: reqwest::Response,
        most: usize,
    ) -> Result<String, AnswerError> {
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| self.lost(&error))? {
            body.extend_from_slice(&chunk);
            if body.len() > most {
                let detail = format!("the response is longer than {most} bytes");
                return Err(AnswerError::Rejected { detail });
            }
        }
        Ok(String::from_utf8_lossy(&body).into_owned())
    }

    /// A request that came back with nothing.
    fn lost(&self, error: &reqwest::Error) -> AnswerError {
        if error.is_timeout() {
            return AnswerError::TimedOut;
        }
        let detail = std::iter::successors(Some(error as &dyn std::error::Error), |it| it.source())
            .last()
            .map_or_else(String::new, ToString::to_string);
        let detail = format!("{}: {detail}", self.place.base_url);
        // What was never sent costs nothing.
        if error.is_connect() {
            return AnswerError::Unavailable { detail };
        }
        AnswerError::Lost { detail }
    }
}

fn is_encrypted(base_url: &str) -> bool {
    base_url.get(..8).is_some_and(|it| it.eq_ignore_ascii_case("https://"))
}

fn wait_asked_for(headers: &HeaderMap) -> Option<u64> {
    let text = |name: &str| headers.get(name).and_then(|it| it.to_str().ok());
    retry_after(text("retry-after")?, text("date"))
}
