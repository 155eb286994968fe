//! Update runs over the corpora, from one edition to the next, against the truth of what changed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Child;
use std::sync::Arc;
use std::time::Instant;

use countersign::model::ask::{Ask, Step};
use countersign::model::config::ProjectConfig;
use countersign::model::page::Outcome;
use countersign::model::snapshot::PageOutcome;
use countersign::model::source::{Field, Politeness, Source};
use countersign::pipeline::change::diffing::{EditionDiff, PageDiff, compare_editions};
use countersign::pipeline::crawl::crawling::{CrawlJob, crawl};
use countersign::pipeline::progress::{Silent, Stop};
use countersign::pipeline::project::ProjectPaths;
use countersign::pipeline::rounds::desk::SourceDesk;
use countersign::pipeline::run::{RunKind, RunReport, RunRequest, run_line};
use countersign::pipeline::surroundings::Surroundings;
use countersign::snapshot::store::SnapshotStore;
use serde_json::Value;

use crate::corpus::{page_shared, page_source, serve_corpus};

use crate::update_score::{Table, bare, noise, score_page, show, words};

#[derive(serde::Deserialize)]
struct FieldList {
    fields: Vec<Field>,
}

/// A corpus on its own server, and a project that reads it.
struct Bed {
    server: Child,
    base: String,
    folder: tempfile::TempDir,
    source: Source,
    days: std::cell::Cell<i64>,
}

impl Drop for Bed {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// What a crawl came to.
struct Crawled {
    edition: String,
    outcomes: BTreeMap<String, PageOutcome>,
}

/// What one run left.
struct Ran {
    report: RunReport,
    crawled: Crawled,
    /// Page title and text of each item asked for the first time in this run.
    asked: Vec<(String, String)>,
    seconds: f64,
}

impl Bed {
    fn new(corpus: &str) -> Self {
        let (server, base) = serve_corpus(corpus, &[]);
        let mut source = page_source(corpus);
        source.start = vec![format!("{base}/")];
        source.private_hosts = vec!["127.0.0.1".to_owned()];
        source.politeness = Politeness { delay_ms: 0, concurrency: 4, ..Politeness::default() };
        source.fields = toml::from_str::<FieldList>(include_str!("fields.toml")).unwrap().fields;
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("sources")).unwrap();
        Self { server, base, folder, source, days: std::cell::Cell::new(0) }
    }

    fn switch(&self, edition: &str) {
        let address = self.base.strip_prefix("http://").unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "GET /__edition/{edition} HTTP/1.0\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }

    fn snapshots(&self) -> SnapshotStore {
        SnapshotStore::new(&self.folder.path().join("snapshots"), &self.source.id)
    }

    /// Calls `work` with a project and a day later than before.
    fn with<T>(&self, work: impl FnOnce(&ProjectPaths, &Surroundings<'_>) -> T) -> T {
        let project = ProjectPaths::find(self.folder.path()).unwrap();
        let day = self.days.replace(self.days.get() + 1);
        let now: jiff::Timestamp = "2026-03-01T00:00:00Z".parse().unwrap();
        let around = Surroundings {
            now: now + std::time::Duration::from_secs(86_400 * day.cast_unsigned()),
            environment: &BTreeMap::new(),
            progress: Arc::new(Silent),
            stop: Stop::default(),
            approve: &|_| true,
            fresh_uuid: "00000000-0000-4000-8000-000000000001",
            prices: None,
        };
        work(&project, &around)
    }

    fn crawl(&self) -> Crawled {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let none = BTreeMap::new();
        self.with(|project, around| {
            let job = CrawlJob { source: &self.source, connect_to: &none };
            let config = ProjectConfig::default();
            runtime.block_on(crawl(project, &config, job, around)).unwrap();
        });
        self.crawled()
    }

    fn crawled(&self) -> Crawled {
        let crawl = self.snapshots().last_crawl().unwrap().unwrap();
        let outcomes = crawl.pages.iter().map(|it| (self.path(&it.page), it.clone())).collect();
        Crawled { edition: crawl.edition, outcomes }
    }

    fn run(&self, kind: RunKind) -> Ran {
        let before = self.ask_files();
        let request = RunRequest {
            sources: vec![self.source.clone()],
            config: ProjectConfig::default(),
            crawls: true,
            kind,
            connect_to: BTreeMap::new(),
            accepted_quote: None,
            in_batches: false,
        };
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let begun = Instant::now();
        let report = self
            .with(|project, around| runtime.block_on(run_line(project, request, around)).unwrap());
        let seconds = begun.elapsed().as_secs_f64();
        let asked = self
            .ask_files()
            .difference(&before)
            .map(|it| serde_json::from_str::<Ask>(&fs::read_to_string(it).unwrap()).unwrap())
            .filter(|it| it.step == Step::Extract && it.attempt == 1)
            .map(|it| (it.page_title, it.text))
            .collect();
        Ran { report, crawled: self.crawled(), asked, seconds }
    }

    fn ask_files(&self) -> BTreeSet<std::path::PathBuf> {
        let mut found = BTreeSet::new();
        for shard in fs::read_dir(self.folder.path().join("asks")).into_iter().flatten().flatten() {
            for file in fs::read_dir(shard.path()).into_iter().flatten().flatten() {
                if file.path().to_string_lossy().ends_with(".ask.json") {
                    found.insert(file.path());
                }
            }
        }
        found
    }

    /// Rows of the client's sheet that stand in the place of others, or under other words.
    fn changed_lines(&self, run: &str) -> usize {
        let path = self.folder.path().join("review").join(run).join("issued.json");
        let Ok(text) = fs::read_to_string(path) else { return 0 };
        let issued: Value = serde_json::from_str(&text).unwrap();
        issued["changed"].as_array().map_or(0, Vec::len)
    }

    fn path(&self, page: &str) -> String {
        page.strip_prefix(&self.base).unwrap_or(page).to_owned()
    }

    fn diff(&self, from: &str, to: &str) -> EditionDiff {
        let desk =
            SourceDesk::new(self.source.clone(), &ProjectConfig::default(), self.snapshots())
                .unwrap();
        compare_editions(&desk, from, to).unwrap()
    }

    fn truth(&self, edition: &str) -> Vec<Value> {
        let path = page_shared().join("corpus/truth").join(&self.source.id);
        let truth = fs::read_to_string(path.join(format!("{edition}.json"))).unwrap();
        let truth: Value = serde_json::from_str(&truth).unwrap();
        truth["pages"].as_array().unwrap().clone()
    }
}

/// The product's word for a page, from crawl and comparison.
fn word_of(url: &str, ran: &Crawled, diff: &BTreeMap<String, &PageDiff>) -> &'static str {
    match ran.outcomes.get(url).map(|it| it.outcome) {
        Some(Outcome::Moved) => "moved",
        Some(Outcome::GoneSuspected) => "gone-suspected",
        Some(Outcome::Gone) => "gone",
        Some(Outcome::Suspect) => "suspect",
        _ => diff.get(url).map_or("unchanged", |it| it.change),
    }
}

fn score(bed: &Bed, edition: &str, before: &Crawled, ran: &Crawled) -> Table {
    let diff = bed.diff(&before.edition, &ran.edition);
    let by_url: BTreeMap<String, &PageDiff> =
        diff.pages.iter().map(|it| (bed.path(&it.page), it)).collect();
    let mut table = Table::default();
    let mut wrong = Vec::new();
    for page in &bed.truth(edition) {
        let (url, status) = (page["url"].as_str().unwrap(), page["status"].as_str().unwrap());
        let word = word_of(url, ran, &by_url);
        let in_text = noise(page)
            .iter()
            .any(|it| matches!(it.as_str(), "english-title" | "category" | "attachments"));
        let is_right = match status {
            "new" => word == "new",
            "changed" => word == "changed",
            "removed" if page["redirects_to"].is_string() => word == "moved",
            "removed" => word == "gone-suspected",
            "soft-404" => word == "suspect",
            "noise-only" if in_text => word == "changed",
            _ => matches!(word, "unchanged" | "furniture" | "layout"),
        };
        *table.pages.entry(format!("{status} -> {word}")).or_default() += 1;
        if !is_right {
            wrong.push(format!("{url}: {status} {:?}, found {word}", noise(page)));
        }
        if status == "changed" {
            score_page(page, by_url.get(url).copied(), &mut table);
        }
    }
    assert!(wrong.is_empty(), "{edition}: {wrong:#?}");
    table
}

/// Compares edition with edition: no page called wrongly, no block missed, little that is not there.
fn compare(corpus: &str) {
    let bed = Bed::new(corpus);
    let mut last = bed.crawl();
    for edition in ["update1", "update2"] {
        bed.switch(edition);
        let now = bed.crawl();
        let table = score(&bed, edition, &last, &now);
        show(&format!("{corpus} {edition}"), &table);
        assert!(table.missed.is_empty(), "{:#?}", table.missed);
        assert!(table.surplus.len() as u64 * 50 < table.passages.max(1), "{:#?}", table.surplus);
        last = now;
    }
}

#[test]
fn benefit_pages_are_compared_without_a_miss() {
    compare("va");
}

#[test]
fn laws_are_compared_without_a_miss() {
    compare("twlaw");
}

/// Texts of all blocks of an edition by page title, as the truth has them.
fn blocks_of(corpus: &str) -> BTreeMap<String, String> {
    let path = page_shared().join("corpus/truth").join(corpus).join("blocks.jsonl");
    fs::read_to_string(path)
        .unwrap()
        .lines()
        .map(|line| {
            let value: Value = serde_json::from_str(line).unwrap();
            (value["h"].as_str().unwrap().to_owned(), bare(value["t"].as_str().unwrap()))
        })
        .collect()
}

fn check_asks(bed: &Bed, edition: &str, ran: &Ran) {
    let truth = bed.truth(edition);
    // Lines that the truth calls new or changed, on pages that are new or changed.
    let blocks = blocks_of(&bed.source.id);
    let mut lines: Vec<String> = Vec::new();
    for page in truth.iter().filter(|it| it["status"] != "unchanged") {
        for change in page["changes"].as_array().into_iter().flatten() {
            lines.extend(words(change, "lines_added"));
            lines.extend(words(change, "lines_removed"));
            lines.extend(change["after"].as_str().map(bare));
        }
        if page["status"] == "new" {
            for block in page["blocks"].as_array().unwrap() {
                lines.push(blocks[block["text"].as_str().unwrap()].clone());
            }
        }
    }
    let lines: BTreeSet<String> = lines.into_iter().filter(|it| it.chars().count() > 3).collect();
    let mut needless = Vec::new();
    for (title, text) in &ran.asked {
        let text = bare(text);
        let title_words = bare(title);
        if !lines.iter().any(|it| text.contains(it.as_str()) || it.contains(&text)) {
            needless.push(format!("{title_words}: {}", text.chars().take(160).collect::<String>()));
        }
    }
    let touched: BTreeMap<String, usize> =
        ran.report.summary.touched.iter().map(|it| (bed.path(&it.page), it.items.len())).collect();
    let mut on_quiet = Vec::new();
    for page in &truth {
        let url = page["url"].as_str().unwrap();
        let is_quiet = match page["status"].as_str().unwrap() {
            "unchanged" | "soft-404" | "removed" => true,
            "noise-only" => !noise(page).iter().any(|it| it == "english-title"),
            _ => false,
        };
        if is_quiet && touched.get(url).is_some_and(|it| *it > 0) {
            on_quiet.push(format!(
                "{url} {} {:?}: {} items",
                page["status"],
                noise(page),
                touched[url]
            ));
        }
    }
    println!(
        "    asked items {}, on quiet pages {}, without a line of the truth {}",
        ran.asked.len(),
        on_quiet.len(),
        needless.len()
    );
    let is_english = |it: &&Value| noise(it).iter().any(|it| it == "english-title");
    let edits: Vec<&str> =
        truth.iter().filter(is_english).map(|it| it["url"].as_str().unwrap()).collect();
    let redone = edits.iter().filter(|it| touched.get(**it).is_some_and(|n| *n > 0)).count();
    println!("    edits of the English in parentheses {}, redone {redone}", edits.len());
    assert!(on_quiet.len() <= 3, "{on_quiet:#?}");
    assert!(needless.len() <= 1, "{needless:#?}");
    for it in on_quiet.iter().chain(&needless).take(30) {
        println!("      needless {it}");
    }
}

fn play(corpus: &str) {
    let bed = Bed::new(corpus);
    let bulk = bed.run(RunKind::Bulk);
    println!("{corpus} bulk: {:.1} s, {:?}", bulk.seconds, bulk.report.summary.items);
    for edition in ["update1", "update2"] {
        bed.switch(edition);
        let first = bed.run(RunKind::Update);
        let summary = &first.report.summary;
        println!("{corpus} {edition}: {:.1} s", first.seconds);
        println!("    items {:?}, changes {:?}", summary.items, summary.changes);
        println!("    lines on \"What changed\" {}", bed.changed_lines(&summary.run));
        println!("    crawl flags {:?}", bed.snapshots().last_crawl().unwrap().unwrap().flags);
        println!("    asks {:?}, rows {:?}", summary.asks, summary.rows);
        check_asks(&bed, edition, &first);
        let candidates = |ran: &Ran| ran.report.summary.changes.removed_candidates;
        let second = bed.run(RunKind::Update);
        println!(
            "    again: {:.1} s, asks {:?}, candidates {} then {}",
            second.seconds,
            second.report.summary.asks,
            candidates(&first),
            candidates(&second)
        );
        assert_eq!(second.report.summary.asks.live, 0, "{edition}: nothing changed since");
        assert_eq!(second.asked.len(), 0);
        for page in bed.truth(edition).iter().filter(|it| it["status"] == "removed") {
            let url = page["url"].as_str().unwrap();
            let (one, two) = (&first.crawled.outcomes[url], &second.crawled.outcomes[url]);
            if page["redirects_to"].is_null() {
                assert_eq!(
                    (one.outcome, two.outcome),
                    (Outcome::GoneSuspected, Outcome::Gone),
                    "{url}"
                );
            } else {
                assert_eq!((one.outcome, two.outcome), (Outcome::Moved, Outcome::Moved), "{url}");
            }
        }
    }
}

#[test]
fn benefit_pages_from_edition_to_edition() {
    play("va");
}

#[test]
fn laws_from_edition_to_edition() {
    play("twlaw");
}
