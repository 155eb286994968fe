//! How fast pages are compared, and how an update's work grows. `cargo bench --bench update -- pairs`
//! reads the corpora beside the project; `-- growth` makes its own pages.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use countersign::ask::canonical::hex_sha256;
use countersign::fetch::loopback::{Edition, Loopback, Reply, Site};
use countersign::gate::sentences::ledger::{Fate, Ledger, LedgerEntry};
use countersign::items::page::read_page;
use countersign::model::claim::{Claim, Op, Value};
use countersign::model::config::ProjectConfig;
use countersign::model::finding::Verdict;
use countersign::model::row::{Place, RowRecord, RowStatus};
use countersign::model::run::RowCounts;
use countersign::model::source::{Field, FieldKind, ItemRule, Politeness, Source};
use countersign::pipeline::change::diffing::compare_items;
use countersign::pipeline::crawl::crawling::{CrawlJob, crawl};
use countersign::pipeline::page::record::compose_page;
use countersign::pipeline::page::state::{PageDone, PageInput, PageTally};
use countersign::pipeline::progress::{Silent, Stop};
use countersign::pipeline::project::ProjectPaths;
use countersign::pipeline::rounds::desk::SourceDesk;
use countersign::pipeline::rounds::reading::AskTally;
use countersign::pipeline::run::{RunKind, RunRequest, run_line};
use countersign::pipeline::surroundings::Surroundings;
use countersign::pipeline::wiring::open_ledger;
use countersign::pipeline::written::write_checked;
use countersign::snapshot::store::SnapshotStore;
use countersign::text::glyphs::charset::decode_page;
use countersign::text::span::Span;

fn main() {
    let mut args = std::env::args().skip(1).filter(|it| !it.starts_with("--"));
    match args.next().as_deref() {
        Some("pairs") => pairs(args.next().map(PathBuf::from).as_deref()),
        Some("growth") => growth(),
        _ => println!("usage: cargo bench --bench update -- pairs [FOLDER] | growth"),
    }
}

fn source(id: &str, language: &str, items: ItemRule) -> Source {
    Source {
        content: vec!["main".to_owned(), "[role=main]".to_owned()],
        items,
        ..Source::new(id, language)
    }
}

/// Compares the changed pages of the corpora, item by item and word by word. With a folder, writes
/// the texts there for other tools: `old/NAME.txt`, `new/NAME.txt`.
fn pairs(folder: Option<&Path>) {
    let shared = std::env::var_os("COUNTERSIGN_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    for (corpus, language, items) in
        [("va", "en", ItemRule::Headings), ("twlaw", "zh-Hant", ItemRule::Articles)]
    {
        let source = source(corpus, language, items);
        let editions = ["bulk", "update1", "update2"]
            .map(|it| read_edition(&shared.join("corpus").join(corpus).join(it), &source));
        let mut compared = Vec::new();
        for (old, new) in [(0, 1), (1, 2)] {
            for (url, after) in &editions[new] {
                let Some(before) = editions[old].get(url) else { continue };
                if before.text != after.text {
                    compared.push((before, after));
                }
            }
        }
        let mut times = Vec::new();
        let mut changes = 0;
        let begun = Instant::now();
        // Several rounds, so that the clock has something to measure.
        for _ in 0..20 {
            for (before, after) in &compared {
                let at = Instant::now();
                changes += compare_items(before, after).len();
                times.push(at.elapsed());
            }
        }
        let took = begun.elapsed();
        times.sort();
        let bytes: usize = compared.iter().map(|it| it.0.text.len() + it.1.text.len()).sum();
        println!(
            "{corpus}: {} pairs ({} kB), {:.0} pairs/s, median {:?}, worst {:?}, {} differing items",
            compared.len(),
            bytes / 1000,
            times.len() as f64 / took.as_secs_f64(),
            times[times.len() / 2],
            times.last().unwrap(),
            changes / 20
        );
        if let Some(folder) = folder {
            let folder = folder.join(corpus);
            for (at, (before, after)) in compared.iter().enumerate() {
                for (side, page) in [("old", before), ("new", after)] {
                    std::fs::create_dir_all(folder.join(side)).unwrap();
                    std::fs::write(folder.join(side).join(format!("{at:04}.txt")), &page.text)
                        .unwrap();
                }
            }
            let edits: String = (0..compared.len())
                .map(|at| {
                    format!("{{\"file\": \"{at:04}.txt\", \"changed\": true, \"edits\": []}}\n")
                })
                .collect();
            std::fs::write(folder.join("edits.jsonl"), edits).unwrap();
        }
    }
}

fn read_edition(folder: &Path, source: &Source) -> BTreeMap<String, PageInput> {
    let routes: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("routes.json")).unwrap())
            .unwrap();
    let mut pages = BTreeMap::new();
    for (url, route) in routes["routes"].as_object().unwrap() {
        if route["type"] != "text/html" {
            continue;
        }
        let bytes = std::fs::read(folder.join(route["file"].as_str().unwrap())).unwrap();
        let decoded = decode_page(&bytes, None);
        let Ok(read) = read_page(&decoded.text, source) else { continue };
        pages.insert(
            url.clone(),
            PageInput {
                url: url.clone(),
                title: read.title,
                text: read.text,
                hidden: String::new(),
                snapshot: String::new(),
                items: read.items,
            },
        );
    }
    pages
}

const ITEMS_PER_PAGE: usize = 50;

/// Time of everything after the crawl, against stored items and against changed ones.
fn growth() {
    println!(
        "stored items, changed items: seconds after the crawl, asks, peak memory of the process"
    );
    for (stored, changed) in
        [(1_000, 10), (10_000, 10), (100_000, 10), (100_000, 100), (100_000, 1_000)]
    {
        let (took, asks) = one_size(stored, changed);
        println!(
            "{stored:>7} {changed:>5}: {:.2} s, {asks} asks, {} MB",
            took.as_secs_f64(),
            peak_mb()
        );
    }
}

fn peak_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|it| it.starts_with("VmHWM")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|it| it.parse::<u64>().ok()).unwrap_or(0) / 1000
}

fn article(page: usize, at: usize, amount: usize) -> String {
    format!("第{page}類第{at}級持卡人設籍本區滿{at}年者，每月發給補助新臺幣{amount}元。")
}

fn page_html(page: usize, edited: bool) -> Reply {
    let mut body = format!("<main><h1>渡輪卡補助辦法之{page}</h1>");
    for at in 1..=ITEMS_PER_PAGE {
        let amount = at * 100 + usize::from(edited && at == 7) * 5;
        body.push_str(&format!("<p>第 {at} 條</p><p>{}</p>", article(page, at, amount)));
    }
    let text = format!("<!doctype html><html lang=zh-Hant><title>辦法</title>{body}</main></html>");
    Reply {
        status: 200,
        content_type: "text/html; charset=utf-8".to_owned(),
        body: text.into_bytes(),
        ..Reply::default()
    }
}

fn one_size(stored: usize, changed: usize) -> (Duration, u64) {
    let n_pages = stored / ITEMS_PER_PAGE;
    let site: Site = ["one", "two"]
        .into_iter()
        .map(|name| {
            let replies = (0..n_pages)
                .map(|at| (format!("/p{at}"), page_html(at, name == "two" && at < changed)));
            (name.to_owned(), Edition { replies: replies.collect(), not_found: gone() })
        })
        .collect();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(Loopback::start(site, "one")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("sources")).unwrap();
    let project = ProjectPaths::find(folder.path()).unwrap();
    let mut source = source("ferry", "zh-Hant", ItemRule::Articles);
    source.start = (0..n_pages).map(|at| format!("http://ferry.example/p{at}")).collect();
    source.follow_links = false;
    source.private_hosts = vec!["ferry.example".to_owned()];
    source.politeness = Politeness {
        delay_ms: 0,
        concurrency: 8,
        max_pages: n_pages + 10,
        ..Politeness::default()
    };
    source.fields = vec![Field {
        name: "amount".to_owned(),
        kind: FieldKind::Money,
        unit: Some("元".to_owned()),
        description: "補助金額".to_owned(),
        examples: Vec::new(),
    }];
    let connect_to = BTreeMap::from([("ferry.example".to_owned(), server.address())]);
    let environment = BTreeMap::new();
    let around = Surroundings {
        now: "2026-03-01T00:00:00Z".parse().unwrap(),
        environment: &environment,
        progress: Arc::new(Silent),
        stop: Stop::default(),
        approve: &|_| true,
        fresh_uuid: "00000000-0000-4000-8000-000000000001",
        prices: None,
    };
    let config = ProjectConfig::default();
    let job = || CrawlJob { source: &source, connect_to: &connect_to };
    runtime.block_on(crawl(&project, &config, job(), &around)).unwrap();
    store_rows(&project, &source, &config);
    server.switch_to("two").unwrap();
    runtime.block_on(crawl(&project, &config, job(), &around)).unwrap();
    let request = RunRequest {
        sources: vec![source.clone()],
        config: config.clone(),
        crawls: false,
        kind: RunKind::Update,
        connect_to: connect_to.clone(),
        accepted_quote: None,
        in_batches: false,
    };
    let begun = Instant::now();
    let report = runtime.block_on(run_line(&project, request, &around)).unwrap();
    let took = begun.elapsed();
    let summary = report.summary;
    // Each page has its title as an item beside its articles.
    assert!(summary.items.total >= stored as u64, "{summary:?}");
    let _guard = runtime.enter();
    drop(server);
    (took, summary.items.asked)
}

/// Puts one row an item on record, as a bulk run would have, without the asks.
fn store_rows(project: &ProjectPaths, source: &Source, config: &ProjectConfig) {
    let snapshots = SnapshotStore::new(&project.snapshots(), &source.id);
    let desk = SourceDesk::new(source.clone(), config, snapshots).unwrap();
    let mut ledger =
        open_ledger(project, "2026-03-01T00:00:00Z", "00000000-0000-4000-8000-000000000001")
            .unwrap();
    let edition = desk.snapshots.last_crawl().unwrap().unwrap().edition;
    for page in desk.snapshots.manifest(&edition).unwrap().pages {
        let input = desk.input(&page).unwrap().unwrap();
        let done = page_done(&input, source);
        let place = (source.id.as_str(), page.page.as_str());
        let composed = compose_page(project.root(), place, &desk.basis(&page), &done).unwrap();
        for file in composed.files.iter().filter(|it| !(it.goes_when_empty && it.text.is_empty())) {
            write_checked(&file.path, file.text.as_bytes()).unwrap();
        }
        ledger.replace_page(&composed.page, &composed.rows).unwrap();
    }
}

fn page_done(input: &PageInput, source: &Source) -> PageDone {
    let text = hex_sha256(input.text.as_bytes());
    let mut rows = Vec::new();
    let mut ledger = Ledger::default();
    for item in &input.items {
        let Some(words) = item.span.slice(&input.text) else { continue };
        let Some(at) = words.find("每月發給") else { continue };
        let end = at + words[at..].find('。').unwrap();
        let snippet = &words[at..end];
        let bytes = Span::new(item.span.start + at, item.span.start + end);
        let before = input.text[..bytes.start].chars().count();
        let chars = Span::new(before, before + snippet.chars().count());
        let amount: String = snippet.chars().filter(char::is_ascii_digit).collect();
        let key = format!("ferry-{}", &hex_sha256(words.as_bytes())[..12]);
        ledger
            .entries
            .push(LedgerEntry { span: bytes, fate: Fate::Used { rows: vec![key.clone()] } });
        rows.push(RowRecord {
            key: key.clone(),
            claim: Claim {
                id: key,
                subject: "持卡人".to_owned(),
                field: "amount".to_owned(),
                op: Op::default(),
                value: Value::Number(amount.parse::<u64>().unwrap().into()),
                unit: Some("元".to_owned()),
                snippet: snippet.to_owned(),
                ..Claim::default()
            },
            within: Vec::new(),
            source: source.id.clone(),
            page: input.url.clone(),
            page_title: input.title.clone(),
            item: item.key.clone(),
            heading_path: item.heading_path.clone(),
            snapshot: input.snapshot.clone(),
            text: text.clone(),
            place: Some(Place { bytes, chars }),
            lead_in: String::new(),
            footnotes: String::new(),
            sentence: words.to_owned(),
            status: RowStatus::Accepted,
            verdict: Verdict::Flag,
            findings: Vec::new(),
            review: None,
            read_by: "rules/1".to_owned(),
            ask: String::new(),
        });
    }
    let n = rows.len() as u64;
    let counts = PageTally {
        items: input.items.len() as u64,
        rows_in: n,
        rows: RowCounts { accepted: n, ..RowCounts::default() },
        ..PageTally::default()
    };
    PageDone {
        rows,
        ledger,
        troubles: Vec::new(),
        counts,
        tally: AskTally::default(),
        asked_items: 0,
        by_us: 0,
        fresh: BTreeSet::new(),
        changed: Vec::new(),
    }
}

fn gone() -> Reply {
    Reply { status: 404, ..Reply::default() }
}
