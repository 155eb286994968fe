//! The crawl cases, played: a scripted site and a held clock, or a real server where bytes matter.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use countersign::crawl::progress::{Silent, Stop};
use countersign::crawl::run::{CrawlOptions, CrawlReport, Deps, ExitClass, crawl_source};
use countersign::fetch::address::AddressGuard;
use countersign::fetch::clock::HeldClock;
use countersign::model::page::PageChange;
use countersign::model::snapshot::PageOutcome;
use countersign::model::source::{Politeness, Source};
use countersign::pipeline::crawl::keeping::KeepSnapshots;
use countersign::pipeline::crawl::page_reader::SourceReader;
use countersign::snapshot::store::SnapshotStore;
use countersign::snapshot::verify::verify;
use serde_json::Value;
use url::Url;

use crate::corpus::{page_shared, page_source};

use crate::scripted::{ScriptedNames, ScriptedSite, Seen};

#[test]
fn every_crawl_case_ends_as_it_must() {
    let text = fs::read_to_string(page_shared().join("cases/crawl.jsonl")).unwrap();
    let mut problems = Vec::new();
    let mut played = 0;
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let id = case["id"].as_str().unwrap().to_owned();
        let found = Player::new(&case).play();
        println!("{id}: {}", if found.is_empty() { "as expected" } else { "differs" });
        problems.extend(found.into_iter().map(|it| format!("{id}: {it}")));
        played += 1;
    }
    assert_eq!(played, 22, "cases");
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

/// Plays one case.
struct Player<'a> {
    case: &'a Value,
    folder: tempfile::TempDir,
    clock: Arc<HeldClock>,
    site: Arc<ScriptedSite>,
    manifests: Vec<Vec<u8>>,
    stores: Vec<Option<countersign::model::baseline::Baseline>>,
    problems: Vec<String>,
}

impl<'a> Player<'a> {
    fn new(case: &'a Value) -> Self {
        let setup = &case["setup"];
        let start = setup["clock0"].as_str().unwrap_or("2026-01-05T00:00:00Z");
        let clock = Arc::new(HeldClock::new(start.parse().unwrap()));
        let mut names = BTreeMap::new();
        for (host, addresses) in setup["dns"].as_object().into_iter().flatten() {
            let list = addresses.as_array().unwrap();
            names.insert(
                host.clone(),
                list.iter().map(|it| it.as_str().unwrap().to_owned()).collect(),
            );
        }
        let resolver = ScriptedNames { names, asked: Mutex::default() };
        let mut answers = BTreeMap::new();
        for (at, run) in setup["runs"].as_array().unwrap().iter().enumerate() {
            for (key, answer) in run["http"].as_object().unwrap() {
                let url = Url::parse(key.strip_prefix("GET ").unwrap()).unwrap();
                let list = answer.as_array().cloned().unwrap_or_else(|| vec![answer.clone()]);
                answers.insert((at + 1, url.to_string()), list);
            }
        }
        let site = ScriptedSite {
            run: Mutex::new(1),
            answers: Mutex::new(answers),
            logic: Mutex::default(),
            guard: AddressGuard::new(Arc::new(resolver)),
            clock: Arc::clone(&clock),
            seen: Mutex::default(),
        };
        Self {
            case,
            folder: tempfile::tempdir().unwrap(),
            clock,
            site: Arc::new(site),
            manifests: Vec::new(),
            stores: Vec::new(),
            problems: Vec::new(),
        }
    }

    fn play(mut self) -> Vec<String> {
        let runs = self.case["setup"]["runs"].as_array().unwrap();
        let expected = self.case["expected"]["runs"].as_array().unwrap();
        for (at, run) in runs.iter().enumerate() {
            *self.site.run.lock().unwrap() = at + 1;
            if let Some(time) = run["at"].as_str() {
                self.clock.set(time.parse().unwrap());
            }
            let report = self.crawl(run);
            self.stores.push(self.store().baseline().unwrap());
            let manifest = self.store().root().join("editions").join(&report.record.edition);
            self.manifests.push(fs::read(manifest.join("manifest.json")).unwrap());
            let n = at as u64 + 1;
            if let Some(wanted) = expected.iter().find(|it| it["run"].as_u64() == Some(n)) {
                self.check_run(n, wanted, &report);
            }
            let counts = report.record.counts;
            let sum = counts.fetched + counts.unchanged + counts.failed + counts.refused;
            self.want(sum == report.record.pages.len() as u64, || {
                format!("run {n}: counts {counts:?}")
            });
        }
        self.check_requests();
        self.check_asserts();
        let faults = verify(self.store().root()).unwrap().faults;
        self.want(faults.is_empty(), || format!("verify: {faults:?}"));
        self.problems
    }

    fn store(&self) -> SnapshotStore {
        SnapshotStore::new(self.folder.path(), "case")
    }

    fn source(&self, run: &Value) -> Source {
        let mut config = self.case["setup"]["config"].clone();
        for (key, value) in run["config_override"].as_object().into_iter().flatten() {
            config[key] = value.clone();
        }
        let list = |key: &str| -> Vec<String> {
            let values = config[key].as_array();
            values.into_iter().flatten().map(|it| it.as_str().unwrap().to_owned()).collect()
        };
        let mut source = page_source("va");
        source.id = "case".to_owned();
        source.language = config["lang"].as_str().unwrap_or("en").to_owned();
        source.start = list("seeds");
        source.sitemaps = config["sitemap"].as_str().map(str::to_owned).into_iter().collect();
        source.content = list("include");
        source.exclude = Vec::new();
        source.follow_links = false;
        source.probe_twice = config["probe_twice_on_first_visit"] == true;
        if let Some(follow) = config["follow"].as_str() {
            let pattern = follow.split_whitespace().next().unwrap().replace('N', "{n}");
            source.listings = vec![pattern];
        }
        let number = |key: &str, default| {
            config[key].as_u64().map_or(default, |it| u32::try_from(it).unwrap())
        };
        source.politeness = Politeness {
            delay_ms: 0,
            concurrency: 1,
            max_tries: number("max_tries", 3),
            full_audit_every: number("full_audit_every", 10),
            confirm_removal_after: number("confirm_removal_after", 2),
            ..Politeness::default()
        };
        source
    }

    fn crawl(&self, run: &Value) -> CrawlReport {
        let source = self.source(run);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let deps = Deps {
            fetch: Arc::clone(&self.site),
            clock: Arc::clone(&self.clock),
            reader: Arc::new(SourceReader::new(&source)),
            store: Arc::new(KeepSnapshots(self.store())),
            progress: Arc::new(Silent),
            stop: Stop::default(),
            options: CrawlOptions { user_agent: "countersign/test".into() },
        };
        runtime.block_on(async {
            let crawl = crawl_source(&source, deps);
            tokio::time::timeout(Duration::from_secs(120), crawl).await.expect("hangs").unwrap()
        })
    }

    fn want(&mut self, holds: bool, problem: impl FnOnce() -> String) {
        if !holds {
            self.problems.push(problem());
        }
    }

    /// The page that a short name in the case means.
    fn page_named<'r>(&self, report: &'r CrawlReport, name: &str) -> Option<&'r PageOutcome> {
        let seeds = self.case["setup"]["config"]["seeds"].as_array();
        let seed = seeds.into_iter().flatten().filter_map(Value::as_str).find(|it| {
            *it == name
                || it.ends_with(&format!("//{name}"))
                || it.ends_with(&format!("/{name}"))
                || it.ends_with(name) && name.starts_with('/')
        });
        let wanted = match seed.map(Url::parse) {
            Some(Ok(url)) => url.to_string(),
            _ => name.to_owned(),
        };
        let is_it = |it: &&PageOutcome| {
            it.page == wanted || it.page.ends_with(&wanted) && wanted.starts_with('/')
        };
        report.record.pages.iter().find(is_it)
    }

    fn check_run(&mut self, n: u64, wanted: &Value, report: &CrawlReport) {
        for (name, wanted) in wanted["pages"].as_object().into_iter().flatten() {
            match self.page_named(report, name) {
                Some(page) => self.check_page(&format!("run {n} {name}"), wanted, &page.clone()),
                None => self.problems.push(format!("run {n}: no outcome for {name}")),
            }
        }
        let exit = match report.exit {
            ExitClass::Ok => "ok",
            ExitClass::Attention => "attention",
            ExitClass::Fail | ExitClass::Nothing => "fail",
        };
        if let Some(wanted) = wanted["exit"].as_str() {
            let record = &report.record;
            self.want(wanted == exit, || {
                let pages: Vec<_> =
                    record.pages.iter().map(|it| (&it.page, it.outcome, &it.flags)).collect();
                format!("run {n}: exit {exit}, wanted {wanted}: {:?} {pages:?}", record.flags)
            });
        }
        if let Some(wanted) = wanted["removal_candidates"].as_u64() {
            let found = report.record.removal_candidates.len() as u64;
            self.want(found == wanted, || format!("run {n}: {found} removal candidates"));
        }
        if let Some(wanted) = wanted["documents"].as_u64() {
            let found = report.record.documents;
            self.want(found == wanted, || format!("run {n}: {found} documents"));
        }
        if let Some(wanted) = wanted["pages_ok"].as_u64() {
            let found = report.record.outcomes.get("ok").copied().unwrap_or_default();
            self.want(found == wanted, || format!("run {n}: {found} pages ok"));
        }
        if let Some(wanted) = wanted["aliases"].as_array() {
            let manifest = self.store().manifest(&report.record.edition).unwrap();
            let found: BTreeSet<String> =
                manifest.pages.iter().flat_map(|it| it.aliases.clone()).collect();
            for alias in wanted.iter().filter_map(Value::as_str) {
                let is_there = found.iter().any(|it| it.ends_with(alias));
                self.want(is_there, || format!("run {n}: no alias {alias} among {found:?}"));
            }
        }
        if let Some(wanted) = wanted["listed"].as_u64() {
            let listing = report.record.listings.first().cloned();
            let listed = listing.as_ref().map(|it| it.listed);
            self.want(listed == Some(wanted), || format!("run {n}: {listing:?}"));
        }
        if let Some(wanted) = wanted["declared_total"].as_u64() {
            let listing = report.record.listings.first().cloned().unwrap();
            self.want(listing.declared_total == Some(wanted), || format!("{listing:?}"));
            self.want(!listing.is_complete, || "the listing counts as complete".to_owned());
            let left = listing.not_verified.len() as u64;
            self.want(left == wanted - listing.listed, || format!("{left} not verified"));
        }
    }

    fn check_page(&mut self, at: &str, wanted: &Value, page: &PageOutcome) {
        let change = page.change.map(|it| match it {
            PageChange::First => "first",
            PageChange::None => "none",
            PageChange::SourceText => "source_text",
            PageChange::ExtractorUpgrade => "extractor_upgrade",
            PageChange::Reverted => "reverted",
        });
        let baseline = if page.baseline_advanced { "advanced" } else { "unchanged" };
        let charset = page.charset.as_ref();
        let candidate = matches!(page.outcome.as_str(), "gone" | "soft_gone");
        let items = if candidate { "removal_candidate" } else { "needs_human" };
        let until = page.retry_not_before.map(|it| it.to_string());
        for (key, wanted) in wanted.as_object().unwrap() {
            let found: Value = match key.as_str() {
                "outcome" => page.outcome.as_str().into(),
                "reason" => page.reason.clone().into(),
                "change" => change.into(),
                "baseline" => baseline.into(),
                "open_runs" => page.open_runs.into(),
                "seen" => page.gone_seen.into(),
                "media" => page.media.clone().into(),
                "encoding" => charset.map(|it| it.name.clone()).into(),
                "encoding_source" => charset.map(|it| it.decided_by.clone()).into(),
                "raw_hash_changed" => page.raw_changed.into(),
                "content_hash_changed" => page.text_changed.into(),
                "connected_to" => page.connected_to.clone().into(),
                "retry_not_before" => until.clone().into(),
                "raw_snapshot_stored" => page.raw.is_some().into(),
                "items" => items.into(),
                "compared_with_run" => wanted.clone(),
                "flags" | "contains" | "volatile_regions_found" => {
                    self.check_lists(at, (key, wanted), page);
                    continue;
                }
                other => panic!("{at}: the player does not know {other}"),
            };
            self.want(found == *wanted, || format!("{at}: {key} is {found}, wanted {wanted}"));
        }
    }

    fn check_lists(&mut self, at: &str, (key, wanted): (&str, &Value), page: &PageOutcome) {
        for word in wanted.as_array().unwrap().iter().filter_map(Value::as_str) {
            let holds = match key {
                "flags" => page.flags.iter().any(|it| it == word),
                "volatile_regions_found" => page.volatile.iter().any(|it| it.starts_with(word)),
                _ => {
                    let text = self.text_of(&page.page);
                    assert!(!text.contains('\u{fffd}'), "{at}");
                    text.contains(word)
                }
            };
            self.want(holds, || {
                format!("{at}: {key} lacks {word}: {:?} {:?}", page.flags, page.volatile)
            });
        }
    }

    fn text_of(&self, page: &str) -> String {
        let baseline = self.store().baseline().unwrap().unwrap();
        let accepted = baseline.pages[page].accepted.clone().unwrap();
        self.store().text(&accepted.text.unwrap()).unwrap()
    }

    fn seen(&self, run: usize, end: &str) -> Vec<Seen> {
        let seen = self.site.seen.lock().unwrap();
        seen.iter().filter(|it| it.run == run && it.url.ends_with(end)).cloned().collect()
    }

    fn check_requests(&mut self) {
        let requests = &self.case["expected"]["requests"];
        for (path, wanted) in requests["run1_count_of"].as_object().into_iter().flatten() {
            let found = self.seen(1, path).len() as u64;
            self.want(wanted.as_u64() == Some(found), || format!("{found} requests for {path}"));
        }
        for (name, wanted) in requests["run2_header"].as_object().into_iter().flatten() {
            let seen = self.seen(2, "/heat");
            let found = seen[0].headers.iter().find(|(it, _)| it.eq_ignore_ascii_case(name));
            let value = found.map(|it| it.1.clone());
            self.want(value.as_deref() == wanted.as_str(), || format!("{name} was {value:?}"));
        }
        for name in requests["run3_header_absent"].as_array().into_iter().flatten() {
            let name = name.as_str().unwrap();
            let seen = self.seen(3, "/heat");
            let is_sent = seen[0].headers.iter().any(|(it, _)| it.eq_ignore_ascii_case(name));
            self.want(!is_sent, || format!("{name} was sent"));
        }
        if requests["header"]["Accept-Language"].is_string() {
            let seen = self.seen(1, "/oaa");
            let value = &seen[0].headers.iter().find(|it| it.0 == "accept-language").unwrap().1;
            let value = value.clone();
            self.want(value.starts_with("zh-Hant"), || format!("Accept-Language {value}"));
        }
    }

    /// What the cases say in words, where it is about the crawl.
    fn check_asserts(&mut self) {
        let id = self.case["id"].as_str().unwrap();
        match &id[..3] {
            "C01" => {
                let accepted = |n: usize| {
                    let state = &self.stores[n].as_ref().unwrap().pages["https://gov.example/heat"];
                    (state.accepted.clone(), state.validators.clone())
                };
                let same = accepted(0) == accepted(1) && accepted(1) == accepted(2);
                self.want(same, || "the last good pointer moved".to_owned());
            }
            "C04" => {
                let at = |host: &str| {
                    let seen = self.seen(1, &format!("{host}.example/p"));
                    seen.iter().map(|it| it.at[11..19].to_owned()).collect::<Vec<_>>()
                };
                let (a, b, c, d) = (at("a"), at("b"), at("c"), at("d"));
                self.want(a.len() == 2 && a[1].as_str() >= "00:01:30", || format!("a {a:?}"));
                self.want(b.len() == 2 && b[1] == "00:00:20", || format!("b {b:?}"));
                self.want(
                    c.len() == 2 && ("00:00:01".."00:00:20").contains(&c[1].as_str()),
                    || format!("c {c:?}"),
                );
                self.want(d.len() == 1, || format!("d {d:?}"));
            }
            "C11" => {
                let n = self.seen(2, "/rates").len()
                    + self.seen(2, "/rules").len()
                    + self.seen(2, "/forms").len();
                self.want(n == 3, || format!("{n} requests to walls"));
            }
            "C13" => {
                let n = self.seen(2, "/schemes?p=2").len();
                self.want(n == 2, || format!("the empty page was asked {n} times"));
            }
            "C17" => {
                let texts: BTreeSet<String> = ["declared", "undeclared", "mislabelled"]
                    .iter()
                    .map(|it| self.text_of(&format!("https://hk.example/{it}")))
                    .collect();
                self.want(texts.len() == 1, || format!("texts differ: {texts:?}"));
            }
            "C22" => {
                let (b, c) = (self.seen(2, "example/b").len(), self.seen(2, "example/c").len());
                self.want(b == 1 && c == 3, || format!("b {b} c {c}"));
            }
            "C29" => {
                let seen = self.site.seen.lock().unwrap().clone();
                let bad: Vec<_> = seen
                    .iter()
                    .filter(|it| it.url.contains("127.0.0.1") || it.url.contains("169.254"))
                    .collect();
                self.want(bad.is_empty(), || format!("{bad:?}"));
            }
            "C30" | "C31" => {
                let same = self.manifests.windows(2).all(|it| it[0] == it[1]);
                self.want(same, || "the manifests differ".to_owned());
            }
            _ => {}
        }
    }
}
