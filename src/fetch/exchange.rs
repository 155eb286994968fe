//! One request and what came of it. Whoever implements `Fetch` judges nothing: it reports.

use std::net::SocketAddr;
use std::time::Duration;

use url::Url;

/// One hop: redirects are data and are never followed by an implementation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub url: Url,
    /// Lower-case name, value; in the order to be sent.
    pub headers: Vec<(String, String)>,
    /// Longest wait for the whole answer.
    pub timeout: Duration,
    /// Bodies longer than this, after decompression, end the exchange as `TooLarge`.
    pub max_bytes: u64,
    /// True where addresses in private ranges may be connected to for this host.
    pub private_addresses_are_allowed: bool,
}

/// An answer, whatever its status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    pub status: u16,
    /// Lower-case name, value, in the order received; one character a byte (ISO 8859-1), so that
    /// a value can be sent back byte for byte.
    pub headers: Vec<(String, String)>,
    /// Decompressed body, complete.
    pub body: Vec<u8>,
    /// The address connected to; the one that was checked.
    pub remote: Option<SocketAddr>,
}

impl Response {
    /// The first value of a header, by its lower-case name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(it, _)| it == name).map(|(_, value)| value.as_str())
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    #[error("no answer within the time limit")]
    TimedOut,
    #[error("the connection ended before the whole body had come")]
    BodyIncomplete,
    #[error("the body is longer than {limit} bytes")]
    TooLarge { limit: u64 },
    #[error("{host} resolves to {address}, which is not a public address")]
    RefusedAddress { host: String, address: String },
    #[error("{host} cannot be resolved: {detail}")]
    Unresolved { host: String, detail: String },
    #[error("no connection: {detail}")]
    NoConnection { detail: String },
    #[error("the answer cannot be read: {detail}")]
    Protocol { detail: String },
}

/// Sends one request; never follows a redirect, never retries, never decodes text.
pub trait Fetch: Send + Sync {
    /// # Errors
    /// When no complete answer came; see [`FetchError`].
    fn fetch(
        &self,
        request: Request,
    ) -> impl std::future::Future<Output = Result<Response, FetchError>> + Send;
}

/// Time as the crawl sees it, so that a test can hold it still.
pub trait Clock: Send + Sync {
    /// Now, in UTC.
    fn now(&self) -> jiff::Timestamp;
    /// Waits.
    fn sleep(&self, wait: Duration) -> impl std::future::Future<Output = ()> + Send;
}
