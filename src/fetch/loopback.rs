//! A small web server for the demo and for tests: a table of replies, served on 127.0.0.1.
//!
//! It must never bind to another address, never read a file and never run code from a page.

use std::collections::BTreeMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::civil::DateTime;
use sha2::{Digest, Sha256};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// Longest request head read, bytes; a longer one is answered 431.
const MAX_HEAD: usize = 16_384;

/// A connection that says nothing for this long is closed.
const IDLE: Duration = Duration::from_secs(30);

/// What is answered for one path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    pub status: u16,
    /// `text/html; charset=big5`; empty: no such header.
    pub content_type: String,
    /// For redirects: sent as it stands.
    pub location: String,
    /// An HTTP date, `Fri, 02 Oct 2026 09:00:00 GMT`; empty: no such header.
    pub last_modified: String,
    pub body: Vec<u8>,
}

/// The replies of one edition: path and query as sent (percent-encoded) -> reply. A path that is not
/// there gets `not_found`; a query that is not there gets the reply of the path alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edition {
    pub replies: BTreeMap<String, Reply>,
    pub not_found: Reply,
}

/// Editions by name.
pub type Site = BTreeMap<String, Edition>;

/// One request that was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Served {
    pub edition: String,
    pub method: String,
    pub path: String,
    /// Host name of the request, without the port.
    pub host: String,
    pub status: u16,
    /// Bytes of the body that were sent.
    pub body_len: usize,
}

/// There is no edition of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected one of the editions {known}, found `{name}`")]
pub struct UnknownEdition {
    pub name: String,
    pub known: String,
}

/// A server that runs until this value is dropped.
#[derive(Debug)]
pub struct Loopback {
    address: SocketAddr,
    shared: Arc<Mutex<Shared>>,
    accepting: JoinHandle<()>,
}

#[derive(Debug)]
struct Shared {
    site: Site,
    edition: String,
    served: Vec<Served>,
}

/// The parts of a request head that decide the answer.
#[derive(Debug, Default)]
struct Head {
    method: String,
    path: String,
    host: String,
    if_none_match: Option<String>,
    if_modified_since: Option<String>,
    closes: bool,
    has_body: bool,
}

impl Loopback {
    /// Serves `site` on a free port of 127.0.0.1, beginning with `edition`. Needs a tokio runtime.
    ///
    /// # Errors
    /// When there is no such edition, or no port to be had.
    pub async fn start(site: Site, edition: &str) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let shared =
            Arc::new(Mutex::new(Shared { site, edition: String::new(), served: Vec::new() }));
        let accepting = tokio::spawn(accept(listener, Arc::clone(&shared)));
        let server = Self { address, shared, accepting };
        server.switch_to(edition).map_err(io::Error::other)?;
        Ok(server)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// From the next request on, serves another edition.
    ///
    /// # Errors
    /// When there is no such edition; the one before stays.
    pub fn switch_to(&self, edition: &str) -> Result<(), UnknownEdition> {
        let mut shared = lock(&self.shared);
        if !shared.site.contains_key(edition) {
            let known: Vec<&str> = shared.site.keys().map(String::as_str).collect();
            return Err(UnknownEdition { name: edition.to_owned(), known: known.join(", ") });
        }
        edition.clone_into(&mut shared.edition);
        Ok(())
    }

    /// Everything answered so far, in the order it was answered.
    pub fn served(&self) -> Vec<Served> {
        lock(&self.shared).served.clone()
    }
}

impl Drop for Loopback {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// The entity tag of a reply: the same bytes have the same tag in every edition.
pub fn entity_tag(reply: &Reply) -> String {
    let digest = Sha256::digest(&reply.body);
    let hex: String = digest.iter().take(8).map(|it| format!("{it:02x}")).collect();
    format!("\"{hex}\"")
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn accept(listener: TcpListener, shared: Arc<Mutex<Shared>>) {
    let mut connections = tokio::task::JoinSet::new();
    loop {
        tokio::select! {
            // Connections end with this task, since the set ends them when it is dropped.
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(serve_connection(stream, Arc::clone(&shared)));
                }
                // Out of file handles, or a caller that left at once: others may still come.
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

/// Answers the requests of one connection until either side ends it. Its errors concern nobody else.
async fn serve_connection(mut stream: TcpStream, shared: Arc<Mutex<Shared>>) {
    let mut buffer = Vec::new();
    loop {
        let head = match tokio::time::timeout(IDLE, read_head(&mut stream, &mut buffer)).await {
            Ok(Ok(Some(head))) => head,
            Ok(Err(status)) => {
                let refusal = Reply { status, ..Reply::default() };
                let _ = stream.write_all(&head_of(&refusal, status, false)).await;
                return hang_up(stream).await;
            }
            Ok(Ok(None)) | Err(_) => return,
        };
        let (reply, status) = answer(&head, &shared);
        let sends_body = head.method == "GET" && !matches!(status, 204 | 304);
        let mut bytes = head_of(&reply, status, !head.closes);
        if sends_body {
            bytes.extend_from_slice(&reply.body);
        }
        if stream.write_all(&bytes).await.is_err() {
            return;
        }
        if head.closes {
            return hang_up(stream).await;
        }
    }
}

/// Ends a connection so that the other side gets the answer: closing with bytes unread would reset it.
async fn hang_up(mut stream: TcpStream) {
    let drain = async {
        let _ = stream.shutdown().await;
        let mut piece = [0; 4096];
        while matches!(stream.read(&mut piece).await, Ok(n) if n > 0) {}
    };
    let _ = tokio::time::timeout(Duration::from_secs(1), drain).await;
}

/// The next request head; `None` when the other side has ended.
///
/// # Errors
/// The status that says why the request is not read.
async fn read_head(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Result<Option<Head>, u16> {
    loop {
        if let Some(end) = memchr::memmem::find(buffer, b"\r\n\r\n") {
            let text = String::from_utf8_lossy(&buffer[..end]).into_owned();
            buffer.drain(..end + 4);
            return parse_head(&text).map(Some).ok_or(400);
        }
        if buffer.len() > MAX_HEAD {
            return Err(431);
        }
        let mut piece = [0; 4096];
        match stream.read(&mut piece).await {
            Ok(0) | Err(_) => return Ok(None),
            Ok(n) => buffer.extend_from_slice(&piece[..n]),
        }
    }
}

fn parse_head(text: &str) -> Option<Head> {
    let mut lines = text.split("\r\n");
    let mut words = lines.next()?.split(' ');
    let (method, target, version) = (words.next()?, words.next()?, words.next()?);
    if words.next().is_some() || !version.starts_with("HTTP/1.") || !target.starts_with('/') {
        return None;
    }
    let mut head = Head {
        method: method.to_owned(),
        path: target.to_owned(),
        closes: version == "HTTP/1.0",
        ..Head::default()
    };
    for line in lines {
        let (name, value) = line.split_once(':')?;
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "host" => {
                let end = value.rfind(':').filter(|at| !value[*at..].contains(']'));
                value[..end.unwrap_or(value.len())].clone_into(&mut head.host);
            }
            "if-none-match" => head.if_none_match = Some(value.to_owned()),
            "if-modified-since" => head.if_modified_since = Some(value.to_owned()),
            "connection" => head.closes |= value.eq_ignore_ascii_case("close"),
            "content-length" => head.has_body |= value != "0",
            "transfer-encoding" => head.has_body = true,
            _ => {}
        }
    }
    // A body is not read: end the connection after the answer, so that it is not taken for a request.
    head.closes |= head.has_body;
    Some(head)
}

/// Finds the reply, decides the status, and notes both.
fn answer(head: &Head, shared: &Mutex<Shared>) -> (Reply, u16) {
    let mut shared = lock(shared);
    let path_alone = head.path.split('?').next().unwrap_or_default();
    let reply = shared.site.get(&shared.edition).map_or_else(Reply::default, |edition| {
        let replies = &edition.replies;
        replies
            .get(&head.path)
            .or_else(|| replies.get(path_alone))
            .unwrap_or(&edition.not_found)
            .clone()
    });
    let (reply, status) = if !matches!(head.method.as_str(), "GET" | "HEAD") {
        (Reply { status: 405, ..Reply::default() }, 405)
    } else if reply.status == 200 && is_unchanged(head, &reply) {
        (reply, 304)
    } else {
        let status = reply.status;
        (reply, status)
    };
    let sends_body = head.method == "GET" && status != 304;
    let served = Served {
        edition: shared.edition.clone(),
        method: head.method.clone(),
        path: head.path.clone(),
        host: head.host.clone(),
        status,
        body_len: if sends_body { reply.body.len() } else { 0 },
    };
    shared.served.push(served);
    (reply, status)
}

/// RFC 9110, 13.1: a tag that is sent decides alone; a date decides only without one.
fn is_unchanged(head: &Head, reply: &Reply) -> bool {
    if let Some(tags) = &head.if_none_match {
        let own = entity_tag(reply);
        return tags
            .split(',')
            .map(str::trim)
            .any(|it| it == "*" || it.strip_prefix("W/").unwrap_or(it) == own);
    }
    let dates = head.if_modified_since.as_deref().zip(Some(reply.last_modified.as_str()));
    dates.is_some_and(|(since, modified)| match (http_date(since), http_date(modified)) {
        (Some(since), Some(modified)) => modified <= since,
        _ => false,
    })
}

fn http_date(text: &str) -> Option<DateTime> {
    DateTime::strptime("%a, %d %b %Y %H:%M:%S GMT", text).ok()
}

fn head_of(reply: &Reply, status: u16, stays_open: bool) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status} {}\r\n", reason(status));
    let mut line = |name: &str, value: &str| {
        // A line break in a value would begin another header.
        let value: String = value.chars().filter(|it| !it.is_control()).collect();
        head.push_str(&format!("{name}: {value}\r\n"));
    };
    if !reply.content_type.is_empty() && status != 304 {
        line("Content-Type", &reply.content_type);
    }
    if !reply.location.is_empty() {
        line("Location", &reply.location);
    }
    if matches!(status, 200 | 304) {
        line("ETag", &entity_tag(reply));
        if !reply.last_modified.is_empty() {
            line("Last-Modified", &reply.last_modified);
        }
    }
    if !matches!(status, 204 | 304) {
        line("Content-Length", &reply.body.len().to_string());
    }
    line("Connection", if stays_open { "keep-alive" } else { "close" });
    head.push_str("\r\n");
    head.into_bytes()
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        301 => "Moved Permanently",
        302 => "Found",
        304 => "Not Modified",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        410 => "Gone",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(body: &str) -> Reply {
        Reply {
            status: 200,
            content_type: "text/html; charset=utf-8".to_owned(),
            last_modified: "Fri, 02 Oct 2026 09:00:00 GMT".to_owned(),
            body: body.as_bytes().to_vec(),
            ..Reply::default()
        }
    }

    fn site() -> Site {
        let edition = |body: &str| Edition {
            replies: BTreeMap::from([
                ("/".to_owned(), page(body)),
                ("/?a=1".to_owned(), page("with a query")),
                (
                    "/old".to_owned(),
                    Reply { status: 301, location: "/".to_owned(), ..Reply::default() },
                ),
            ]),
            not_found: Reply { status: 404, body: b"none".to_vec(), ..Reply::default() },
        };
        BTreeMap::from([("bulk".to_owned(), edition("舊")), ("update".to_owned(), edition("新"))])
    }

    /// Sends raw requests over one connection and reads until the server closes it.
    async fn talk(address: SocketAddr, text: &str) -> String {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn get(path: &str, more: &str) -> String {
        format!("GET {path} HTTP/1.1\r\nHost: harbour.example:80\r\n{more}\r\n")
    }

    #[tokio::test]
    async fn replies_follow_table_edition_and_conditions() {
        let server = Loopback::start(site(), "bulk").await.unwrap();
        assert!(server.address().ip().is_loopback());
        let close = "Connection: close\r\n";
        let first = talk(server.address(), &get("/", close)).await;
        assert!(first.starts_with("HTTP/1.1 200 OK\r\n") && first.ends_with("\r\n\r\n舊"));
        let tag = first.split("ETag: ").nth(1).unwrap().split('\r').next().unwrap().to_owned();

        let fresh = format!("If-None-Match: \"x\", W/{tag}\r\n{close}");
        let again = talk(server.address(), &get("/", &fresh)).await;
        assert!(again.starts_with("HTTP/1.1 304 ") && again.ends_with("\r\n\r\n"), "{again}");
        let dated = format!("If-Modified-Since: Fri, 02 Oct 2026 09:00:00 GMT\r\n{close}");
        assert!(talk(server.address(), &get("/", &dated)).await.starts_with("HTTP/1.1 304 "));
        let older = format!("If-Modified-Since: Thu, 01 Oct 2026 09:00:00 GMT\r\n{close}");
        assert!(talk(server.address(), &get("/", &older)).await.starts_with("HTTP/1.1 200 "));

        server.switch_to("update").unwrap();
        assert!(talk(server.address(), &get("/", &fresh)).await.ends_with("新"));
        assert!(server.switch_to("none").unwrap_err().to_string().contains("bulk, update"));
        let statuses: Vec<u16> = server.served().iter().map(|it| it.status).collect();
        assert_eq!(statuses, [200, 304, 304, 200, 200]);
        assert_eq!(server.served()[0].host, "harbour.example");
    }

    #[tokio::test]
    async fn one_connection_carries_many_requests() {
        let server = Loopback::start(site(), "bulk").await.unwrap();
        let text = format!(
            "{}HEAD / HTTP/1.1\r\nHost: a\r\n\r\n{}{}{}",
            get("/?a=1", ""),
            get("/?b=2", ""),
            get("/old", ""),
            get("/none", "Connection: close\r\n")
        );
        let answer = talk(server.address(), &text).await;
        let heads: Vec<&str> = answer.matches("HTTP/1.1 ").collect();
        assert_eq!(heads.len(), 5, "{answer}");
        assert!(answer.contains("with a query") && answer.contains("Location: /\r\n"));
        assert_eq!(answer.matches('舊').count(), 1, "HEAD has no body: {answer}");
        assert!(answer.ends_with("none"));
    }

    #[tokio::test]
    async fn requests_that_are_none_get_an_error_and_no_panic() {
        let server = Loopback::start(site(), "bulk").await.unwrap();
        for (text, status) in [
            ("nonsense\r\n\r\n".to_owned(), "400"),
            ("GET http://else.example/ HTTP/1.1\r\n\r\n".to_owned(), "400"),
            (format!("GET /{} HTTP/1.1\r\n", "x".repeat(40_000)), "431"),
            (
                "POST / HTTP/1.1\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc".to_owned(),
                "405",
            ),
        ] {
            let answer = talk(server.address(), &text).await;
            assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
        }
    }
}
