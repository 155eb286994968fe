//! The crawl cases that speak of change, played through whole runs: items, asks, candidates, exit.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Arc;

use countersign::fetch::loopback::{Edition, Loopback, Reply, Site};
use countersign::model::config::ProjectConfig;
use countersign::model::row::RowRecord;
use countersign::model::source::{Field, ItemRule, Politeness, Source};
use countersign::pipeline::change::diffing::{EditionDiff, compare_editions};
use countersign::pipeline::history::standing::rows_on_record;
use countersign::pipeline::progress::{Silent, Stop};
use countersign::pipeline::project::ProjectPaths;
use countersign::pipeline::rounds::desk::SourceDesk;
use countersign::pipeline::run::{RunEnd, RunKind, RunReport, RunRequest, estimate_run, run_line};
use countersign::pipeline::surroundings::Surroundings;
use countersign::snapshot::store::SnapshotStore;
use serde_json::Value;

use crate::corpus::{page_shared, page_source};

#[derive(serde::Deserialize)]
struct FieldList {
    fields: Vec<Field>,
}

fn case(id: &str) -> Value {
    let text = fs::read_to_string(page_shared().join("cases/crawl.jsonl")).unwrap();
    let cases = text.lines().map(|it| serde_json::from_str::<Value>(it).unwrap());
    cases.into_iter().find(|it| it["id"].as_str().unwrap().starts_with(id)).unwrap()
}

/// A case on a server of its own, and a project that reads it.
struct Stage {
    case: Value,
    server: Loopback,
    runtime: tokio::runtime::Runtime,
    folder: tempfile::TempDir,
    editions: Vec<String>,
    runs: usize,
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _guard = self.runtime.enter();
    }
}

impl Stage {
    fn new(id: &str) -> Self {
        let case = case(id);
        let site: Site = case["setup"]["runs"]
            .as_array()
            .unwrap()
            .iter()
            .enumerate()
            .map(|(at, run)| (format!("run{}", at + 1), edition(run)))
            .collect();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let server = runtime.block_on(Loopback::start(site, "run1")).unwrap();
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("sources")).unwrap();
        Self { case, server, runtime, folder, editions: Vec::new(), runs: 0 }
    }

    fn source(&self, run: usize) -> Source {
        let mut config = self.case["setup"]["config"].clone();
        let changed = &self.case["setup"]["runs"][run - 1]["config_override"];
        for (key, value) in changed.as_object().into_iter().flatten() {
            config[key] = value.clone();
        }
        let list = |key: &str| -> Vec<String> {
            let values = config[key].as_array();
            let text = |it: &Value| it.as_str().unwrap().replace("https://", "http://");
            values.into_iter().flatten().map(text).collect()
        };
        let mut source = page_source("va");
        source.id = "case".to_owned();
        source.start = list("seeds");
        let sitemap = config["sitemap"].as_str();
        source.sitemaps = sitemap.map(|it| it.replace("https://", "http://")).into_iter().collect();
        source.content = list("include");
        source.follow_links = false;
        source.private_hosts = vec!["gov.example".to_owned()];
        if let Some(selector) = config["items"].as_str() {
            source.items = ItemRule::Selector { selector: selector.to_owned() };
        }
        source.politeness =
            Politeness { delay_ms: 0, concurrency: 1, max_tries: 1, ..Politeness::default() };
        source.fields = toml::from_str::<FieldList>(include_str!("fields.toml")).unwrap().fields;
        source
    }

    /// Run `at` of the case: the first as a bulk run, the others as updates.
    fn run(&mut self, at: usize, crawls: bool) -> RunReport {
        if crawls {
            self.server.switch_to(&format!("run{at}")).unwrap();
        }
        let request = self.request(at, crawls);
        let report = self.with(|project, around, runtime| {
            runtime.block_on(run_line(project, request, around)).unwrap()
        });
        self.runs += 1;
        self.editions.push(self.snapshots().last_crawl().unwrap().unwrap().edition);
        report
    }

    fn request(&self, at: usize, crawls: bool) -> RunRequest {
        RunRequest {
            sources: vec![self.source(at)],
            config: ProjectConfig::default(),
            crawls,
            kind: if at == 1 { RunKind::Bulk } else { RunKind::Update },
            connect_to: BTreeMap::from([("gov.example".to_owned(), self.server.address())]),
            accepted_quote: None,
            in_batches: false,
        }
    }

    fn with<T>(
        &self,
        work: impl FnOnce(&ProjectPaths, &Surroundings<'_>, &tokio::runtime::Runtime) -> T,
    ) -> T {
        let project = ProjectPaths::find(self.folder.path()).unwrap();
        let now: jiff::Timestamp = "2026-03-01T00:00:00Z".parse().unwrap();
        let around = Surroundings {
            now: now + std::time::Duration::from_secs(86_400 * self.runs as u64),
            environment: &BTreeMap::new(),
            progress: Arc::new(Silent),
            stop: Stop::default(),
            approve: &|_| true,
            fresh_uuid: "00000000-0000-4000-8000-000000000001",
            prices: None,
        };
        work(&project, &around, &self.runtime)
    }

    fn snapshots(&self) -> SnapshotStore {
        SnapshotStore::new(&self.folder.path().join("snapshots"), "case")
    }

    fn rows(&self) -> Vec<RowRecord> {
        let project = ProjectPaths::find(self.folder.path()).unwrap();
        rows_on_record(&project, &[self.source(1)]).unwrap()
    }

    fn keys(&self) -> BTreeSet<String> {
        self.rows().into_iter().map(|it| it.key).collect()
    }

    fn diff(&self, run: usize) -> EditionDiff {
        let desk =
            SourceDesk::new(self.source(run), &ProjectConfig::default(), self.snapshots()).unwrap();
        let at = self.editions.len();
        compare_editions(&desk, &self.editions[at - 2], &self.editions[at - 1]).unwrap()
    }

    fn requests(&self) -> usize {
        self.server.served().len()
    }
}

/// The answers of one run; a fault is a server that is out of order.
fn edition(run: &Value) -> Edition {
    let mut replies = BTreeMap::new();
    for (request, answer) in run["http"].as_object().unwrap() {
        let url = request.strip_prefix("GET https://").unwrap();
        let Some(path) = url.strip_prefix("gov.example") else { continue };
        let answer = answer.as_array().and_then(|it| it.first()).unwrap_or(answer);
        let header = |name: &str| {
            answer["headers"][name].as_str().unwrap_or_default().replace("https://", "http://")
        };
        let is_broken = answer["status"].is_null();
        replies.insert(
            path.to_owned(),
            Reply {
                status: if is_broken {
                    503
                } else {
                    u16::try_from(answer["status"].as_u64().unwrap()).unwrap()
                },
                content_type: header("Content-Type"),
                location: header("Location"),
                last_modified: header("Last-Modified"),
                body: answer["body"]
                    .as_str()
                    .unwrap_or_default()
                    .replace("https://", "http://")
                    .into_bytes(),
            },
        );
    }
    Edition { replies, not_found: Reply { status: 404, ..Reply::default() } }
}

/// new, changed, candidates, moved; and the asks made.
fn told(report: &RunReport) -> ([u64; 4], u64) {
    let it = &report.summary.changes;
    ([it.new, it.changed, it.removed_candidates, it.moved], report.summary.asks.live)
}

fn items(diff: &EditionDiff) -> Vec<(String, String)> {
    let start = |it: &Option<String>| -> String {
        it.as_deref().unwrap_or_default().chars().take(60).collect()
    };
    let all = diff.pages.iter().flat_map(|it| &it.items);
    all.map(|it| (it.change.to_owned(), start(&it.text))).collect()
}

#[test]
fn c01_c10_a_lost_selector_and_a_maintenance_page_move_nothing() {
    for id in ["C01", "C10"] {
        let mut stage = Stage::new(id);
        assert!(stage.run(1, true).summary.asks.live > 0, "{id}");
        let keys = stage.keys();
        for run in [2, 3] {
            let report = stage.run(run, true);
            assert_eq!(told(&report), ([0; 4], 0), "{id} run {run}");
            assert_eq!(stage.keys(), keys, "{id} run {run}");
            if id == "C01" || run == 2 {
                assert_eq!(report.end, RunEnd::Waits, "{id} run {run}");
            }
        }
        let first = &stage.editions[0];
        assert!(stage.editions.iter().all(|it| it == first), "{id}");
    }
}

#[test]
fn c08_a_redirect_to_the_front_page_is_a_candidate_and_nothing_is_removed() {
    let mut stage = Stage::new("C08");
    stage.run(1, true);
    let keys = stage.keys();
    let heat = |it: &&RowRecord| it.page.ends_with("/grants/heat");
    let rows = stage.rows();
    assert!(rows.iter().any(|it| heat(&it)), "{rows:?}");
    let report = stage.run(2, true);
    assert!(report.summary.changes.removed_candidates >= 1, "{:?}", report.summary.changes);
    assert_eq!((report.summary.asks.live, report.end), (0, RunEnd::Waits));
    assert_eq!(stage.keys(), keys);
}

#[test]
fn c14_c31_furniture_dates_and_cookies_are_no_change() {
    for id in ["C14", "C31"] {
        let mut stage = Stage::new(id);
        stage.run(1, true);
        let report = stage.run(2, true);
        assert_eq!(told(&report), ([0; 4], 0), "{id}");
        assert_eq!(stage.editions[0], stage.editions[1], "{id}: the manifests differ");
        assert!(report.summary.sheet.is_none(), "{id}: nothing to show");
    }
}

#[test]
fn c15_signs_that_carry_meaning_are_changes_and_come_first() {
    let mut stage = Stage::new("C15");
    stage.run(1, true);
    let report = stage.run(2, true);
    let ([new, changed, _, moved], _) = told(&report);
    assert_eq!((new, changed, moved), (0, 4, 0), "{:?}", items(&stage.diff(2)));
    let diff = stage.diff(2);
    let page = &diff.pages[0];
    assert_eq!(page.items.len(), 4, "{:?}", items(&diff));
    for item in &page.items {
        assert_eq!((item.change, item.number_or_operator), ("changed", true), "{item:?}");
    }
}

#[test]
fn c22_only_what_is_confirmed_gone_is_a_candidate() {
    let mut stage = Stage::new("C22");
    stage.run(1, true);
    let keys = stage.keys();
    let second = stage.run(2, true);
    assert_eq!(told(&second), ([0; 4], 0));
    assert_eq!(second.end, RunEnd::Waits);
    let third = stage.run(3, true);
    assert_eq!(third.summary.asks.live, 0);
    assert_eq!(stage.keys(), keys);
    let gone = stage.snapshots().last_crawl().unwrap().unwrap().removal_candidates;
    assert_eq!(gone.len(), 1, "{gone:?}");
    let on_page = stage.rows().iter().filter(|it| it.page.ends_with("/b")).count() as u64;
    assert_eq!(third.summary.changes.removed_candidates > 0, on_page > 0);
}

#[test]
fn c24_an_inserted_clause_is_one_new_item_and_the_rest_are_renumbered() {
    let mut stage = Stage::new("C24");
    stage.run(1, true);
    let keys = stage.keys();
    assert!(!keys.is_empty());
    let report = stage.run(2, true);
    let (changes, _) = told(&report);
    assert_eq!(changes, [1, 0, 0, 3], "{:?}", items(&stage.diff(2)));
    assert_eq!(report.summary.items.asked, 1, "only the added clause");
    assert!(keys.is_subset(&stage.keys()), "every row is carried");
    let words: Vec<String> = items(&stage.diff(2)).into_iter().map(|it| it.0).collect();
    assert_eq!(words.iter().filter(|it| *it == "new").count(), 1, "{words:?}");
    assert_eq!(words.iter().filter(|it| *it == "moved").count(), 3, "{words:?}");
    assert_eq!(words.len(), 4, "{words:?}");
}

#[test]
fn c27_what_our_own_selectors_bring_is_not_new_at_the_source() {
    let mut stage = Stage::new("C27");
    stage.run(1, true);
    let keys = stage.keys();
    let requests = stage.requests();
    // The upgrade step: today's rules over what is stored.
    let upgrade = stage.run(2, false);
    assert_eq!(stage.requests(), requests, "no request is made");
    assert_eq!(told(&upgrade).0, [0; 4], "{:?}", upgrade.summary);
    assert_eq!(upgrade.summary.changes.by_rule, 1, "{:?}", upgrade.summary.changes);
    assert_eq!(upgrade.summary.items.asked, 1, "only Level 3 is read");
    assert!(keys.is_subset(&stage.keys()), "the other levels are as they were");
    let report = stage.run(2, true);
    assert_eq!(told(&report), ([0; 4], 0), "{:?}", report.summary);
}

#[test]
fn c34_one_document_under_many_addresses_is_estimated_once() {
    let mut stage = Stage::new("C34");
    let report = stage.run(1, true);
    assert_eq!(report.summary.items.total, 1, "{:?}", report.summary.items);
    let request = stage.request(1, false);
    let estimate =
        stage.with(|project, around, _| estimate_run(project, &request, around).unwrap());
    assert_eq!(estimate.items, 0, "all is on record");
    assert_eq!(stage.rows().iter().map(|it| &it.page).collect::<BTreeSet<_>>().len(), 1);
}
