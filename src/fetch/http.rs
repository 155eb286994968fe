//! Pages over HTTP with reqwest: one request, one answer, every address checked first.
//!
//! Never follows a redirect, never retries, never takes a proxy from the environment.

use std::collections::BTreeMap;
use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolving};
use reqwest::header::{HOST, HeaderName, HeaderValue};
use url::{Host, Url};

use crate::fetch::address::{AddressGuard, Resolve, SystemResolver};
use crate::fetch::exchange::{Fetch, FetchError, Request, Response};

/// How the outside world is reached.
#[derive(Clone)]
pub struct HttpSettings {
    /// Host, or `host:port`, in lower case -> where it is spoken to instead, in plain HTTP and
    /// with the Host header kept. For tests and the demo; such hosts are not checked.
    pub connect_to: BTreeMap<String, SocketAddr>,
    /// Address of an HTTP proxy, when the operator configured one.
    pub proxy: Option<String>,
    /// Who turns names into addresses.
    pub resolver: Arc<dyn Resolve>,
}

impl Default for HttpSettings {
    fn default() -> Self {
        Self { connect_to: BTreeMap::new(), proxy: None, resolver: Arc::new(SystemResolver) }
    }
}

/// The client could not be made.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    #[error("the HTTP client cannot be made: {detail}")]
    Client { detail: String },
    #[error("{proxy:?} is not the address of a proxy: {detail}")]
    Proxy { proxy: String, detail: String },
}

/// `Fetch` over the network. Clones share connections and the resolver's answers.
#[derive(Clone)]
pub struct HttpFetch {
    guard: Arc<AddressGuard>,
    connect_to: Arc<BTreeMap<String, SocketAddr>>,
    /// Two clients, so that a connection made with permission is never used without it.
    public: reqwest::Client,
    private: reqwest::Client,
}

const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);

impl HttpFetch {
    /// Makes the clients.
    ///
    /// # Errors
    /// When the proxy is no address, or TLS cannot be set up.
    pub fn new(settings: HttpSettings) -> Result<Self, HttpError> {
        // Fails only where a provider is installed already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let guard = Arc::new(AddressGuard::new(settings.resolver));
        let client = |private_allowed| -> Result<reqwest::Client, HttpError> {
            let hook = CheckedDns { guard: Arc::clone(&guard), private_allowed };
            let mut builder = reqwest::Client::builder()
                .redirect(reqwest::redirect::Policy::none())
                .retry(reqwest::retry::never())
                .referer(false)
                .no_proxy()
                .connect_timeout(CONNECT_TIMEOUT)
                .pool_max_idle_per_host(4)
                .dns_resolver(Arc::new(hook));
            if let Some(proxy) = &settings.proxy {
                let made = reqwest::Proxy::all(proxy).map_err(|cause| HttpError::Proxy {
                    proxy: proxy.clone(),
                    detail: cause.to_string(),
                })?;
                builder = builder.proxy(made);
            }
            builder.build().map_err(|cause| HttpError::Client { detail: in_full(&cause) })
        };
        let (public, private) = (client(false)?, client(true)?);
        Ok(Self { guard, connect_to: Arc::new(settings.connect_to), public, private })
    }

    /// Where an overridden host is spoken to.
    fn override_of(&self, url: &Url) -> Option<SocketAddr> {
        let host = url.host_str()?;
        let port = url.port_or_known_default()?;
        let with_port = self.connect_to.get(&format!("{host}:{port}"));
        with_port.or_else(|| self.connect_to.get(host)).copied()
    }

    /// The request as it goes out: the client to use, the address to ask, the Host to name.
    async fn prepare(&self, request: &Request) -> Result<reqwest::RequestBuilder, FetchError> {
        let unreadable = |detail: &str| FetchError::Protocol { detail: detail.to_owned() };
        let url = &request.url;
        let mut builder = if let Some(address) = self.override_of(url) {
            let mut there = url.clone();
            there
                .set_scheme("http")
                .and_then(|()| there.set_ip_host(address.ip()))
                .and_then(|()| there.set_port(Some(address.port())))
                .map_err(|()| unreadable("the address cannot be spoken to in plain HTTP"))?;
            self.private.get(there).header(HOST, host_header(url))
        } else {
            let host = url.host_str().ok_or_else(|| unreadable("the address has no host"))?;
            let allowed = request.private_addresses_are_allowed;
            self.guard.check(host, allowed).await?;
            if allowed { self.private.get(url.clone()) } else { self.public.get(url.clone()) }
        };
        for (name, value) in &request.headers {
            let name = HeaderName::from_bytes(name.as_bytes());
            let value = HeaderValue::from_bytes(&to_wire(value));
            let (Ok(name), Ok(value)) = (name, value) else {
                return Err(unreadable("a request header holds what a header cannot hold"));
            };
            builder = builder.header(name, value);
        }
        Ok(builder.timeout(request.timeout))
    }

    /// Belt and braces: what was connected to is judged once more.
    async fn check_remote(&self, request: &Request, remote: SocketAddr) -> Result<(), FetchError> {
        let host = request.url.host_str().unwrap_or_default().to_owned();
        let allowed = request.private_addresses_are_allowed;
        self.guard
            .check(&remote.ip().to_string(), allowed)
            .await
            .map(|_| ())
            .map_err(|_| FetchError::RefusedAddress { host, address: remote.ip().to_string() })
    }
}

impl Fetch for HttpFetch {
    async fn fetch(&self, request: Request) -> Result<Response, FetchError> {
        let builder = self.prepare(&request).await?;
        let is_overridden = self.override_of(&request.url).is_some();
        let mut answer = builder.send().await.map_err(|cause| {
            let error = why_no_answer(&cause);
            if matches!(error, FetchError::NoConnection { .. })
                && let Some(Host::Domain(host)) = request.url.host()
            {
                self.guard.forget(host);
            }
            error
        })?;
        let remote = answer.remote_addr();
        if let Some(remote) = remote.filter(|_| !is_overridden) {
            self.check_remote(&request, remote).await?;
        }
        let status = answer.status().as_u16();
        let headers = answer
            .headers()
            .iter()
            .map(|(name, value)| (name.as_str().to_owned(), from_wire(value.as_bytes())))
            .collect();
        let limit = request.max_bytes;
        let too_large = FetchError::TooLarge { limit };
        if answer.content_length().is_some_and(|it| it > limit) {
            return Err(too_large);
        }
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(|it| why_no_body(&it))? {
            let len = u64::try_from(body.len() + chunk.len()).unwrap_or(u64::MAX);
            if len > limit {
                return Err(too_large);
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Response { status, headers, body, remote })
    }
}

/// The hook that reqwest resolves names through: the guard's checked answer and nothing else.
struct CheckedDns {
    guard: Arc<AddressGuard>,
    private_allowed: bool,
}

impl reqwest::dns::Resolve for CheckedDns {
    fn resolve(&self, name: Name) -> Resolving {
        let (guard, allowed) = (Arc::clone(&self.guard), self.private_allowed);
        Box::pin(async move {
            let found = guard.check(name.as_str(), allowed).await?;
            Ok(Box::new(found.into_iter().map(|it| SocketAddr::new(it, 0))) as Addrs)
        })
    }
}

/// `host`, or `host:port` where the port is not the scheme's own.
fn host_header(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// Header bytes as text, one character a byte (ISO 8859-1), so that they can be sent back unchanged.
fn from_wire(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

fn to_wire(value: &str) -> Vec<u8> {
    let latin: Option<Vec<u8>> = value.chars().map(|it| u8::try_from(it).ok()).collect();
    latin.unwrap_or_else(|| value.as_bytes().to_vec())
}

fn why_no_answer(cause: &reqwest::Error) -> FetchError {
    if let Some(own) = find_cause::<FetchError>(cause) {
        return own.clone();
    }
    let detail = in_full(cause);
    if cause.is_timeout() {
        FetchError::TimedOut
    } else if cause.is_connect() {
        FetchError::NoConnection { detail }
    } else {
        FetchError::Protocol { detail }
    }
}

/// A body that ends early is incomplete; one that cannot be decompressed is unreadable.
fn why_no_body(cause: &reqwest::Error) -> FetchError {
    let decoding = find_cause::<io::Error>(cause).map(io::Error::kind);
    if cause.is_timeout() {
        FetchError::TimedOut
    } else if matches!(decoding, Some(io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput)) {
        FetchError::Protocol { detail: in_full(cause) }
    } else {
        FetchError::BodyIncomplete
    }
}

fn find_cause<T: Error + 'static>(cause: &reqwest::Error) -> Option<&T> {
    let mut next = cause.source();
    while let Some(found) = next {
        if let Some(found) = found.downcast_ref::<T>() {
            return Some(found);
        }
        next = found.source();
    }
    None
}

/// The whole chain of causes: reqwest's own message hides the one that matters.
fn in_full(cause: &dyn Error) -> String {
    let mut text = cause.to_string();
    let mut next = cause.source();
    while let Some(found) = next {
        let more = found.to_string();
        if !text.contains(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        next = found.source();
    }
    text
}
