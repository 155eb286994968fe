//! The crawl cases that speak of change, played through whole runs: items, asks, candidates, exit.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

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
use crate::wire::{Answer, Asked, serve};

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
    site: Arc<Site>,
    address: SocketAddr,
    runtime: tokio::runtime::Runtime,
    folder: tempfile::TempDir,
    editions: Vec<String>,
    runs: usize,
}

/// The case's answers, and what was asked.
struct Site {
    runs: Vec<Value>,
    state: Mutex<SiteState>,
}

struct SiteState {
    run: usize,
    asked: Vec<(usize, Asked)>,
}

impl Site {
    /// What the case says at this address in the run that goes on; one that breaks the connection is
    /// a server out of order. A list is said in turn, its last for ever.
    fn answer(&self, asked: &Asked) -> Answer {
        let mut state = self.state.lock().unwrap();
        let run = state.run;
        let is_same = |it: &&(usize, Asked)| it.0 == run && it.1.path == asked.path;
        let before = state.asked.iter().filter(is_same).count();
        state.asked.push((run, asked.clone()));
        let said = &self.runs[run - 1]["http"][format!("GET https://gov.example{}", asked.path)];
        let said = match said.as_array() {
            Some(list) => &list[before.min(list.len() - 1)],
            None => said,
        };
        // The one rule of the cases in words: a date sent that is not older gets 304.
        let said = match said["server_logic"].as_str() {
            Some(_) if asked.header("if-modified-since").is_some() => &said["then"],
            Some(_) => &said["else"],
            None => said,
        };
        let is_unknown = said.is_null();
        let status = said["status"].as_u64().unwrap_or(if is_unknown { 404 } else { 503 });
        let headers = said["headers"].as_object().into_iter().flatten();
        Answer::Reply {
            status: u16::try_from(status).unwrap(),
            headers: headers.map(|(name, it)| (name.clone(), plain(it))).collect(),
            body: plain(&said["body"]).into_bytes(),
        }
    }
}

/// Words of a case for a server without TLS.
fn plain(words: &Value) -> String {
    words.as_str().unwrap_or_default().replace("https://", "http://")
}

impl Stage {
    fn new(id: &str) -> Self {
        let case = case(id);
        let runs = case["setup"]["runs"].as_array().unwrap().clone();
        let state = Mutex::new(SiteState { run: 1, asked: Vec::new() });
        let site = Arc::new(Site { runs, state });
        let speaks = Arc::clone(&site);
        let address = serve(move |asked| speaks.answer(asked));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("sources")).unwrap();
        Self { case, site, address, runtime, folder, editions: Vec::new(), runs: 0 }
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
        if let Some(follow) = config["follow"].as_str() {
            let pattern = follow.split_whitespace().next().unwrap().replace('N', "{n}");
            source.listings = vec![pattern];
        }
        let every = config["full_audit_every"].as_u64().unwrap_or(10);
        source.politeness = Politeness {
            delay_ms: 0,
            concurrency: 1,
            max_tries: 1,
            full_audit_every: u32::try_from(every).unwrap(),
            ..Politeness::default()
        };
        source.fields = toml::from_str::<FieldList>(include_str!("fields.toml")).unwrap().fields;
        source
    }

    /// Run `at` of the case: the first as a bulk run, the others as updates.
    fn run(&mut self, at: usize, crawls: bool) -> RunReport {
        if crawls {
            self.site.state.lock().unwrap().run = at;
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
            connect_to: BTreeMap::from([("gov.example".to_owned(), self.address)]),
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
        self.site.state.lock().unwrap().asked.len()
    }

    /// Requests of a run for a path.
    fn asked(&self, run: usize, path: &str) -> Vec<Asked> {
        let state = self.site.state.lock().unwrap();
        let is_it = |it: &&(usize, Asked)| it.0 == run && it.1.path == path;
        state.asked.iter().filter(is_it).map(|it| it.1.clone()).collect()
    }

    /// Outcome and reason of a page in the last run.
    fn said(&self, path: &str) -> (String, String) {
        let crawl = self.snapshots().last_crawl().unwrap().unwrap();
        let page = crawl.pages.iter().find(|it| it.page.ends_with(path)).unwrap();
        (page.outcome.as_str().to_owned(), page.reason.clone())
    }
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
fn c06_a_validator_that_lied_is_found_out_and_what_it_hid_is_read_again() {
    let mut stage = Stage::new("C06");
    assert!(stage.run(1, true).summary.items.asked > 0);
    let keys = stage.keys();
    let second = stage.run(2, true);
    assert_eq!(stage.said("/heat").0, "not_modified");
    assert_eq!(told(&second), ([0; 4], 0), "{:?}", second.summary);
    assert_eq!(stage.keys(), keys);
    assert!(second.summary.sheet.is_none(), "nothing to show");

    let third = stage.run(3, true);
    let sent = stage.asked(3, "/heat");
    assert!(sent.iter().all(|it| it.header("if-modified-since").is_none()), "{sent:?}");
    let ([new, changed, gone, moved], asks) = told(&third);
    assert_eq!((new, changed, gone, moved), (0, 1, 0, 0), "{:?}", items(&stage.diff(3)));
    assert_eq!(third.summary.items.asked, 1);
    assert!(asks > 0);
    let words: Vec<String> = items(&stage.diff(3)).into_iter().map(|it| it.0).collect();
    assert_eq!(words, ["changed"]);
    let lied = third.notes.iter().any(|it| it.contains("validator_lied"));
    assert!(lied, "{:?}", third.notes);
}

#[test]
fn c11_walls_move_nothing_ask_nothing_and_wait_for_a_person() {
    let mut stage = Stage::new("C11");
    stage.run(1, true);
    let (keys, first) = (stage.keys(), stage.editions[0].clone());
    let report = stage.run(2, true);
    assert_eq!(stage.said("/rates"), ("suspect".to_owned(), "login_wall".to_owned()));
    for path in ["/rules", "/forms"] {
        assert_eq!(stage.said(path), ("blocked_by_site".to_owned(), "waf_challenge".to_owned()));
        assert_eq!(stage.asked(2, path).len(), 1, "no retry storm");
    }
    assert_eq!(told(&report), ([0; 4], 0), "{:?}", report.summary);
    assert_eq!(report.end, RunEnd::Waits);
    assert_eq!(stage.keys(), keys, "every row stands");
    assert_eq!(stage.editions[1], first, "nothing last known moved");
    for path in ["/rates", "/rules", "/forms"] {
        assert!(report.notes.iter().any(|it| it.contains(path)), "{path}: {:?}", report.notes);
    }
}

#[test]
fn c13_what_an_empty_page_of_a_list_hides_is_not_removed() {
    let mut stage = Stage::new("C13");
    stage.run(1, true);
    let (keys, first) = (stage.keys(), stage.editions[0].clone());
    let report = stage.run(2, true);
    assert_eq!(stage.asked(2, "/schemes?p=2").len(), 2, "asked once more before it is believed");
    assert_eq!(told(&report), ([0; 4], 0), "{:?}", report.summary);
    assert_ne!(report.end.exit(), 0, "somebody has to look");
    assert_eq!(stage.keys(), keys);
    assert_eq!(stage.editions[1], first);
    let crawl = stage.snapshots().last_crawl().unwrap().unwrap();
    assert_eq!(crawl.removal_candidates, []);
    assert_eq!(crawl.listings[0].not_verified.len(), 38);
    assert!(report.notes.iter().any(|it| it.contains("63")), "{:?}", report.notes);
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
