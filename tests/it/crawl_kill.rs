//! A crawl killed with SIGKILL in the middle of a body, and gone on with. Real processes, loopback.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use countersign::crawl::progress::{Silent, Stop};
use countersign::crawl::run::{CrawlOptions, CrawlReport, Deps, crawl_source};
use countersign::fetch::clock::SystemClock;
use countersign::fetch::http::{HttpFetch, HttpSettings};
use countersign::model::source::Source;
use countersign::pipeline::crawl::keeping::KeepSnapshots;
use countersign::pipeline::crawl::page_reader::SourceReader;
use countersign::snapshot::store::SnapshotStore;
use countersign::snapshot::verify::verify;

const PAGES: usize = 9;

/// Counts requests by path; stalls in the middle of the body of one page until it is told to go on.
struct SlowSite {
    address: SocketAddr,
    counts: Arc<Mutex<BTreeMap<String, usize>>>,
    stalled: Receiver<()>,
    stall_at: Arc<Mutex<Option<String>>>,
}

fn slow_site() -> SlowSite {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let counts: Arc<Mutex<BTreeMap<String, usize>>> = Arc::default();
    let stall_at: Arc<Mutex<Option<String>>> = Arc::default();
    let (tell, stalled) = channel();
    let (seen, stall) = (Arc::clone(&counts), Arc::clone(&stall_at));
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (seen, stall, tell) = (Arc::clone(&seen), Arc::clone(&stall), tell.clone());
            thread::spawn(move || answer(stream, &seen, &stall, &tell));
        }
    });
    SlowSite { address, counts, stalled, stall_at }
}

fn answer(
    mut stream: TcpStream,
    counts: &Mutex<BTreeMap<String, usize>>,
    stall_at: &Mutex<Option<String>>,
    tell: &Sender<()>,
) {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && stream.read_exact(&mut byte).is_ok() {
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    *counts.lock().unwrap().entry(path.clone()).or_default() += 1;
    if !path.starts_with("/p/") {
        let _ = stream
            .write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        return;
    }
    let body = format!(
        "<!doctype html><title>Berth {path}</title><main><h1>Berth {path}</h1>{}</main>",
        format!("<p>The fee for berth {path} is $240 a year. 泊位年費應於一月底前繳納。</p>")
            .repeat(200)
    );
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let (first, rest) = body.as_bytes().split_at(body.len() / 2);
    let _ = stream.write_all(head.as_bytes());
    let _ = stream.write_all(first);
    let is_stall = stall_at.lock().unwrap().take_if(|it| *it == path).is_some();
    if is_stall {
        let _ = tell.send(());
        // Until the reader has been killed, however long that takes; the rest goes nowhere.
        let _ = stream.read(&mut [0]);
    }
    let _ = stream.write_all(rest);
}

fn source(address: SocketAddr) -> Source {
    let toml = format!(
        "id = \"harbour\"\ntitle = \"Harbour\"\nlanguage = \"en\"\nfollow_links = false\nprivate_hosts = [\"127.0.0.1\"]\n\
         fields = []\nstart = [{}]\n[politeness]\ndelay_ms = 0\nconcurrency = 1\n",
        (1..=PAGES).map(|it| format!("\"http://{address}/p/{it}\"")).collect::<Vec<_>>().join(", ")
    );
    toml::from_str(&toml).unwrap()
}

fn crawl(folder: &Path, address: SocketAddr) -> CrawlReport {
    let source = source(address);
    let deps = Deps {
        fetch: Arc::new(HttpFetch::new(HttpSettings::default()).unwrap()),
        clock: Arc::new(SystemClock),
        reader: Arc::new(SourceReader::new(&source)),
        store: Arc::new(KeepSnapshots(SnapshotStore::new(folder, "harbour"))),
        progress: Arc::new(Silent),
        stop: Stop::default(),
        options: CrawlOptions::default(),
    };
    tokio::runtime::Runtime::new().unwrap().block_on(crawl_source(&source, deps)).unwrap()
}

/// Not a test of its own: what the killed process runs.
#[test]
fn the_killed_process() {
    let Ok(task) = std::env::var("COUNTERSIGN_TEST_CRAWL") else { return };
    let (address, folder) = task.split_once(' ').unwrap();
    crawl(Path::new(folder), address.parse().unwrap());
}

#[test]
fn a_killed_crawl_is_gone_on_with_and_ends_as_an_undisturbed_one() {
    let site = slow_site();
    let folder = tempfile::tempdir().unwrap();
    for stall in ["/p/4", "/p/7"] {
        *site.stall_at.lock().unwrap() = Some(stall.to_owned());
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "crawl_kill::the_killed_process"])
            .env("COUNTERSIGN_TEST_CRAWL", format!("{} {}", site.address, folder.path().display()))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        site.stalled.recv_timeout(Duration::from_secs(60)).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        let half = SnapshotStore::new(folder.path(), "harbour");
        assert_eq!(verify(half.root()).unwrap().faults, [], "nothing half-written is ever read");
        assert!(half.last_crawl().unwrap().is_none());
    }
    let report = crawl(folder.path(), site.address);
    assert!(report.taken_over_from.as_deref().is_some_and(|it| it.starts_with("process ")));
    assert!(report.record.resumed_from.is_some());
    assert_eq!(report.record.outcomes, BTreeMap::from([("ok".to_owned(), PAGES as u64)]));
    let counts = site.counts.lock().unwrap().clone();
    for n in 1..=PAGES {
        let expected = if n == 4 || n == 7 { 2 } else { 1 };
        assert_eq!(counts[&format!("/p/{n}")], expected, "page {n}: {counts:?}");
    }
    let undisturbed = tempfile::tempdir().unwrap();
    let whole = crawl(undisturbed.path(), site.address);
    assert_eq!(report.manifest_digest, whole.manifest_digest);
    let store = SnapshotStore::new(folder.path(), "harbour");
    assert_eq!(verify(store.root()).unwrap().faults, []);
}
