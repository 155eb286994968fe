//! A site made of replies, a held clock and a folder to crawl into: no socket, no waiting.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use countersign::crawl::progress::{Silent, Stop};
use countersign::crawl::run::{CrawlError, CrawlOptions, CrawlReport, Deps, crawl_source};
use countersign::fetch::clock::HeldClock;
use countersign::fetch::exchange::{Clock, Fetch, FetchError, Request, Response};
use countersign::model::page::Outcome;
use countersign::model::snapshot::PageOutcome;
use countersign::model::source::{ItemRule, Politeness, Source};
use countersign::pipeline::crawl::keeping::KeepSnapshots;
use countersign::pipeline::crawl::page_reader::SourceReader;
use countersign::snapshot::store::SnapshotStore;

/// One answer, or why there is none.
pub type Reply = Result<Response, FetchError>;

/// An answer with a status, headers and a body.
pub fn reply(status: u16, headers: &[(&str, &str)], body: &str) -> Reply {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Ok(Response {
        status,
        headers: headers.collect(),
        body: body.as_bytes().to_vec(),
        remote: None,
    })
}

/// A page with a heading and paragraphs.
pub fn page(title: &str, paragraphs: &[&str]) -> Reply {
    html(title, &paragraphs.iter().map(|it| format!("<p>{it}</p>")).collect::<String>())
}

/// A page with a heading and markup.
pub fn html(title: &str, markup: &str) -> Reply {
    let body = format!(
        "<!doctype html><html><head><title>{title}</title></head>\
         <body><main><h1>{title}</h1>{markup}</main></body></html>"
    );
    reply(200, &[("content-type", "text/html; charset=utf-8")], &body)
}

/// A redirect.
pub fn redirect(status: u16, to: &str) -> Reply {
    reply(status, &[("location", to)], "")
}

/// One request that was made.
#[derive(Clone, Debug)]
pub struct Seen {
    pub url: String,
    pub headers: Vec<(String, String)>,
}

/// Told the number of each request.
type OnRequest = Box<dyn Fn(usize) + Send>;

/// Replies by address; what is not there is answered 404.
pub struct Site {
    replies: Mutex<BTreeMap<String, Vec<Reply>>>,
    seen: Mutex<Vec<Seen>>,
    clock: Arc<HeldClock>,
    /// Called with the number of requests so far.
    on_request: Mutex<Option<OnRequest>>,
}

impl Fetch for Site {
    async fn fetch(&self, request: Request) -> Reply {
        let url = request.url.to_string();
        let n = {
            let mut seen = self.seen.lock().unwrap();
            self.clock.touch();
            seen.push(Seen { url: url.clone(), headers: request.headers.clone() });
            seen.len()
        };
        if let Some(on_request) = self.on_request.lock().unwrap().as_ref() {
            on_request(n);
        }
        tokio::task::yield_now().await;
        let mut replies = self.replies.lock().unwrap();
        let found = match replies.get_mut(&url) {
            Some(left) if left.len() > 1 => left.remove(0),
            Some(left) => left[0].clone(),
            None => reply(404, &[], ""),
        };
        match found {
            Ok(it) if it.body.len() as u64 > request.max_bytes => {
                Err(FetchError::TooLarge { limit: request.max_bytes })
            }
            // A site that knows its validators answers conditions.
            Ok(it) if is_fresh(&it, &request) => reply(304, &[], ""),
            other => other,
        }
    }
}

fn is_fresh(response: &Response, request: &Request) -> bool {
    let sent = |name: &str| request.headers.iter().find(|it| it.0 == name).map(|it| it.1.as_str());
    match (response.header("etag"), sent("if-none-match")) {
        (Some(etag), Some(sent)) => etag == sent,
        (None, None) => {
            let (date, sent) = (response.header("last-modified"), sent("if-modified-since"));
            date.is_some() && date == sent
        }
        _ => false,
    }
}

/// A site, a source that declares it, and a folder.
pub struct Bed {
    pub site: Arc<Site>,
    pub clock: Arc<HeldClock>,
    pub folder: tempfile::TempDir,
    pub source: Source,
    pub options: CrawlOptions,
}

pub const HOME: &str = "https://harbour.example";

impl Bed {
    /// A source in `language` that starts at the front page and follows links.
    pub fn new(language: &str) -> Self {
        let clock = Arc::new(HeldClock::new("2026-03-01T00:00:00Z".parse().unwrap()));
        let site = Site {
            replies: Mutex::default(),
            seen: Mutex::default(),
            clock: Arc::clone(&clock),
            on_request: Mutex::default(),
        };
        let source = Source {
            title: "Harbour Board".to_owned(),
            start: vec![format!("{HOME}/")],
            items: ItemRule::Headings,
            politeness: Politeness { delay_ms: 0, concurrency: 1, ..Politeness::default() },
            ..Source::new("harbour", language)
        };
        let folder = tempfile::tempdir().unwrap();
        let options = CrawlOptions { user_agent: "countersign/test".to_owned() };
        Self { site: Arc::new(site), clock, folder, source, options }
    }

    /// Starts at these paths and follows no links.
    pub fn only(mut self, paths: &[&str]) -> Self {
        self.source.start = paths.iter().map(|it| address(it)).collect();
        self.source.follow_links = false;
        self
    }

    /// Answers `at`, a path or an address, with this from now on.
    pub fn put(&self, at: &str, reply: Reply) {
        self.put_all(at, vec![reply]);
    }

    /// Answers `at` with these in turn, the last one for ever.
    pub fn put_all(&self, at: &str, replies: Vec<Reply>) {
        let url = url::Url::parse(&address(at)).unwrap();
        self.site.replies.lock().unwrap().insert(url.to_string(), replies);
    }

    /// Takes `at` off the site.
    pub fn remove(&self, at: &str) {
        self.site.replies.lock().unwrap().remove(&address(at));
    }

    /// Calls `act` at each request with the number of requests so far.
    pub fn on_request(&self, act: impl Fn(usize) + Send + 'static) {
        *self.site.on_request.lock().unwrap() = Some(Box::new(act));
    }

    pub fn store(&self) -> SnapshotStore {
        SnapshotStore::new(self.folder.path(), "harbour")
    }

    pub fn try_crawl(&self, stop: Stop) -> Result<CrawlReport, CrawlError> {
        let deps = Deps {
            fetch: Arc::clone(&self.site),
            clock: Arc::clone(&self.clock),
            reader: Arc::new(SourceReader::new(&self.source)),
            store: Arc::new(KeepSnapshots(self.store())),
            progress: Arc::new(Silent),
            stop,
            options: self.options.clone(),
        };
        tokio::runtime::Runtime::new().unwrap().block_on(crawl_source(&self.source, deps))
    }

    /// Crawls a day later than before; forgets what was asked before.
    pub fn crawl(&self) -> CrawlReport {
        self.site.seen.lock().unwrap().clear();
        let report = self.try_crawl(Stop::default()).unwrap();
        let counts = report.record.counts;
        let sum = counts.fetched + counts.unchanged + counts.failed + counts.refused;
        assert_eq!(sum, report.record.pages.len() as u64, "{counts:?}");
        let next = self.clock.now() + std::time::Duration::from_secs(86_400);
        self.clock.set(next);
        report
    }

    /// What the clock says.
    pub fn clock_now(&self) -> jiff::Timestamp {
        self.clock.now()
    }

    /// Requests of the last crawl for `at`.
    pub fn seen(&self, at: &str) -> Vec<Seen> {
        let url = url::Url::parse(&address(at)).unwrap().to_string();
        self.site.seen.lock().unwrap().iter().filter(|it| it.url == url).cloned().collect()
    }

    /// The manifest's bytes of a crawl.
    pub fn manifest(&self, report: &CrawlReport) -> Vec<u8> {
        let folder = self.store().root().join("editions").join(&report.record.edition);
        std::fs::read(folder.join("manifest.json")).unwrap()
    }
}

/// `/a` on the site's host, or an address as it is.
pub fn address(at: &str) -> String {
    if at.starts_with('/') { format!("{HOME}{at}") } else { at.to_owned() }
}

/// The outcome of a page, by path or address.
pub fn outcome<'a>(report: &'a CrawlReport, at: &str) -> &'a PageOutcome {
    let wanted = address(at);
    report
        .record
        .pages
        .iter()
        .find(|it| it.page == wanted)
        .unwrap_or_else(|| panic!("no outcome for {wanted}: {:#?}", report.record.pages))
}

/// Outcome and reason of a page.
pub fn said<'a>(report: &'a CrawlReport, at: &str) -> (Outcome, &'a str) {
    let found = outcome(report, at);
    (found.outcome, found.reason.as_str())
}
