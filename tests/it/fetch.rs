//! HTTP as it really arrives: short bodies, compression, redirects, addresses. On loopback alone.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use countersign::fetch::address::{Lookup, Resolve};
use countersign::fetch::exchange::{Fetch, FetchError, Request, Response};
use countersign::fetch::http::{HttpFetch, HttpSettings};
use flate2::Compression;
use flate2::write::GzEncoder;
use url::Url;

/// A server that answers each connection with the same bytes, whatever is asked.
struct Canned {
    address: SocketAddr,
    heads: Arc<Mutex<Vec<String>>>,
}

fn canned(answer: impl Into<Vec<u8>>, linger: Duration) -> Canned {
    let answer = answer.into();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let heads: Arc<Mutex<Vec<String>>> = Arc::default();
    let seen = Arc::clone(&heads);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let mut head = Vec::new();
            let mut byte = [0];
            while !head.ends_with(b"\r\n\r\n") && stream.read_exact(&mut byte).is_ok() {
                head.push(byte[0]);
            }
            seen.lock().unwrap().push(String::from_utf8_lossy(&head).into_owned());
            thread::sleep(linger);
            let _ = stream.write_all(&answer);
        }
    });
    Canned { address, heads }
}

/// Every name stands on the given address.
struct Names(IpAddr);

impl Resolve for Names {
    fn lookup(&self, _: &str) -> Lookup {
        let address = self.0;
        Box::pin(async move { Ok(vec![address]) })
    }
}

fn request(url: &str) -> Request {
    Request {
        url: Url::parse(url).unwrap(),
        headers: vec![("user-agent".to_owned(), "countersign/test".to_owned())],
        timeout: Duration::from_secs(5),
        max_bytes: 100_000,
        private_addresses_are_allowed: false,
    }
}

fn overridden(server: &Canned) -> HttpFetch {
    let connect_to = BTreeMap::from([("gov.example".to_owned(), server.address)]);
    HttpFetch::new(HttpSettings { connect_to, ..HttpSettings::default() }).unwrap()
}

fn ask(answer: impl Into<Vec<u8>>) -> Result<Response, FetchError> {
    ask_with(answer, request("https://gov.example/a?b=1"))
}

fn ask_with(answer: impl Into<Vec<u8>>, request: Request) -> Result<Response, FetchError> {
    let server = canned(answer, Duration::ZERO);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(overridden(&server).fetch(request))
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn with_body(head: &str, body: &[u8]) -> Vec<u8> {
    let mut answer = format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n").into_bytes();
    answer.extend_from_slice(body);
    answer
}

#[test]
fn a_body_shorter_than_promised_is_incomplete() {
    let cut = "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n<html><main><p>A</p>";
    assert_eq!(ask(cut), Err(FetchError::BodyIncomplete));
    let no_last_chunk =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n14\r\n<html><main><p>B</p>\r\n";
    assert_eq!(ask(no_last_chunk), Err(FetchError::BodyIncomplete));
    let cut_chunk = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40\r\n<html><main>";
    assert_eq!(ask(cut_chunk), Err(FetchError::BodyIncomplete));
    let packed = gzip("<p>申請人須年滿六十五歲。</p>".repeat(50).as_bytes());
    let half = &packed[..packed.len() / 2];
    let head = format!("Content-Encoding: gzip\r\nContent-Length: {}", half.len());
    assert_eq!(ask(with_body(&head, half)), Err(FetchError::BodyIncomplete), "a cut archive");
    let head = format!("Content-Encoding: gzip\r\nContent-Length: {}", packed.len());
    assert_eq!(ask(with_body(&head, half)), Err(FetchError::BodyIncomplete), "a cut connection");
}

#[test]
fn whole_bodies_come_through_whatever_the_framing() {
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n";
    assert_eq!(ask(chunked).unwrap().body, b"hello world");
    let until_close = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello";
    assert_eq!(ask(until_close).unwrap().body, b"hello");
    let text = "津貼".repeat(500);
    let packed = gzip(text.as_bytes());
    let head = format!("Content-Encoding: gzip\r\nContent-Length: {}", packed.len());
    assert_eq!(ask(with_body(&head, &packed)).unwrap().body, text.as_bytes());
    let mut deflated = flate2::write::ZlibEncoder::new(Vec::new(), Compression::fast());
    deflated.write_all(text.as_bytes()).unwrap();
    let deflated = deflated.finish().unwrap();
    let head = format!("Content-Encoding: deflate\r\nContent-Length: {}", deflated.len());
    assert_eq!(ask(with_body(&head, &deflated)).unwrap().body, text.as_bytes());
}

#[test]
fn sizes_are_bounded_after_decompression() {
    let bomb = gzip(&vec![b'0'; 20_000_000]);
    assert!(bomb.len() < 100_000, "the bomb itself is small");
    let head = format!("Content-Encoding: gzip\r\nContent-Length: {}", bomb.len());
    assert_eq!(ask(with_body(&head, &bomb)), Err(FetchError::TooLarge { limit: 100_000 }));
    let promised = "HTTP/1.1 200 OK\r\nContent-Length: 100001\r\n\r\n";
    assert_eq!(ask(promised), Err(FetchError::TooLarge { limit: 100_000 }));
    let exact = with_body("Content-Length: 100000", &vec![b'x'; 100_000]);
    assert_eq!(ask(exact).unwrap().body.len(), 100_000);
    let endless = with_body("Connection: close", &vec![b'x'; 300_000]);
    assert_eq!(ask(endless), Err(FetchError::TooLarge { limit: 100_000 }));
}

#[test]
fn what_is_no_gzip_is_unreadable_and_not_short() {
    let answer = with_body("Content-Encoding: gzip\r\nContent-Length: 11", b"hello world");
    assert!(matches!(ask(answer), Err(FetchError::Protocol { .. })));
    assert!(matches!(ask("SSH-2.0-OpenSSH_9.2\r\n"), Err(FetchError::Protocol { .. })));
}

#[test]
fn a_redirect_is_an_answer_and_headers_come_back_byte_for_byte() {
    let mut answer = b"HTTP/1.1 301 Moved\r\nLocation: /\xe6\xb4\xa5\r\nETag: W/\"\xe9-1\"\r\nContent-Length: 0\r\n\r\n".to_vec();
    let response = ask(answer.clone()).unwrap();
    assert_eq!(response.status, 301);
    let etag = response.header("etag").unwrap().to_owned();
    let server = canned(std::mem::take(&mut answer), Duration::ZERO);
    let mut again = request("https://gov.example/a");
    again.headers.push(("if-none-match".to_owned(), etag));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(overridden(&server).fetch(again)).unwrap();
    // The canned server shows what is not UTF-8 as U+FFFD: one for the one byte sent.
    let head = server.heads.lock().unwrap()[0].clone();
    assert!(head.contains("if-none-match: W/\"\u{fffd}-1\""), "{head}");
}

#[test]
fn an_overridden_host_is_spoken_to_in_plain_http_with_its_own_name() {
    let server = canned("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", Duration::ZERO);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let response =
        runtime.block_on(overridden(&server).fetch(request("https://gov.example/a?b=1")));
    assert_eq!(response.unwrap().remote, Some(server.address));
    let head = server.heads.lock().unwrap()[0].to_lowercase();
    assert!(head.starts_with("get /a?b=1 http/1.1\r\n"), "{head}");
    assert!(head.contains("\r\nhost: gov.example\r\n"), "{head}");
    assert!(head.contains("\r\nuser-agent: countersign/test\r\n"), "{head}");
    assert!(!head.contains("referer"), "{head}");
}

#[test]
fn a_server_that_does_not_answer_is_a_time_out_and_a_closed_port_no_connection() {
    let server = canned("HTTP/1.1 200 OK\r\n\r\n", Duration::from_secs(3));
    let mut slow = request("https://gov.example/a");
    slow.timeout = Duration::from_millis(200);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    assert_eq!(runtime.block_on(overridden(&server).fetch(slow)), Err(FetchError::TimedOut));
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let closed = Canned { address: free, heads: Arc::default() };
    let found = runtime.block_on(overridden(&closed).fetch(request("https://gov.example/a")));
    assert!(matches!(found, Err(FetchError::NoConnection { .. })), "{found:?}");
}

#[test]
fn no_socket_is_opened_to_an_address_that_is_not_public() {
    let server = canned("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", Duration::ZERO);
    let port = server.address.port();
    let resolver = Arc::new(Names(server.address.ip()));
    let fetch = HttpFetch::new(HttpSettings { resolver, ..HttpSettings::default() }).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for host in [
        "inner.example",
        "127.0.0.1",
        "2130706433",
        "0x7f000001",
        "[::ffff:127.0.0.1]",
        "localhost",
        "127.1",
    ] {
        let found = runtime.block_on(fetch.fetch(request(&format!("http://{host}:{port}/"))));
        assert!(matches!(found, Err(FetchError::RefusedAddress { .. })), "{host}: {found:?}");
    }
    assert!(server.heads.lock().unwrap().is_empty(), "somebody knocked");
    let mut allowed = request(&format!("http://inner.example:{port}/"));
    allowed.private_addresses_are_allowed = true;
    assert_eq!(runtime.block_on(fetch.fetch(allowed.clone())).unwrap().body, b"ok");
    // A connection made with permission is not used without it.
    allowed.private_addresses_are_allowed = false;
    assert!(runtime.block_on(fetch.fetch(allowed)).is_err());
    assert_eq!(server.heads.lock().unwrap().len(), 1);
}
