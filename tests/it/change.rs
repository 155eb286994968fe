//! Updates through the program: an invented regulation on its own server, edited in small ways.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use countersign::ask::canonical::hex_sha256;
use countersign::fetch::loopback::{Edition, Loopback, Reply, Site};
use countersign::model::ask::{Ask, Step};
use countersign::model::row::RowRecord;
use countersign::reader::answerer::answer_by_rules;
use serde_json::Value;

pub const SOURCE: &str = r#"
id = "ferry"
title = "渡輪管理處"
publisher = "渡輪管理處"
language = "zh-Hant"
start = ["http://ferry.example/card", "http://ferry.example/fees", "http://ferry.example/about"]
follow_links = false
private_hosts = ["ferry.example"]
content = ["main"]
items = { rule = "articles" }

[politeness]
delay_ms = 0

[[fields]]
name = "age"
type = "number"
unit = "歲"
description = "年齡：幾歲以上、未滿幾歲"

[[fields]]
name = "residence"
type = "duration"
description = "居住：設籍或居住的期間"

[[fields]]
name = "amount"
type = "money"
unit = "元"
description = "補助金額、費用"

[[fields]]
name = "income_limit"
type = "money"
unit = "元"
description = "所得、收入、存款的限額"
"#;

/// A page with a title and one paragraph a line.
pub fn page(title: &str, lines: &[String]) -> Reply {
    let lines: String = lines.iter().map(|it| format!("<p>{it}</p>")).collect();
    html(&format!("<main><h1>{title}</h1>{lines}</main>"), title)
}

pub fn html(body: &str, title: &str) -> Reply {
    let body = format!(
        "<!doctype html><html lang=\"zh-Hant\"><head><title>{title}</title></head><body>{body}</body></html>"
    );
    Reply {
        status: 200,
        content_type: "text/html; charset=utf-8".to_owned(),
        body: body.into_bytes(),
        ..Reply::default()
    }
}

pub fn gone() -> Reply {
    Reply { status: 404, ..Reply::default() }
}

/// Numbers the texts as articles, from 1 on.
pub fn articles(texts: &[String]) -> Vec<String> {
    texts
        .iter()
        .enumerate()
        .flat_map(|(at, it)| [format!("第 {} 條", at + 1), it.clone()])
        .collect()
}

fn regulation(n: usize) -> Vec<String> {
    (1..=n)
        .map(|at| format!("第{at}級持卡人設籍本區滿{at}年者，每月發給補助新臺幣{}元。", at * 100))
        .collect()
}

fn card() -> Reply {
    page(
        "渡輪卡辦法",
        &articles(&[
            "申請人應年滿六十五歲，並設籍本區滿三年。".to_owned(),
            "每月補助新臺幣三千元。".to_owned(),
            "申請人每月收入不得超過新臺幣二萬元。".to_owned(),
            "依第三條規定審查者，應於三十日內完成。".to_owned(),
        ]),
    )
}

fn fees() -> Reply {
    page("渡輪卡收費標準", &articles(&["補發渡輪卡，每張收費新臺幣二百元。".to_owned()]))
}

fn about() -> Reply {
    page("關於渡輪卡", &["歡迎搭乘渡輪。".to_owned()])
}

/// The three pages, with some of them answered otherwise.
pub fn edition(other: &[(&str, Reply)]) -> Edition {
    let mut replies: BTreeMap<String, Reply> =
        [("/card", card()), ("/fees", fees()), ("/about", about())]
            .map(|(path, reply)| (path.to_owned(), reply))
            .into();
    replies.extend(other.iter().map(|(path, reply)| ((*path).to_owned(), reply.clone())));
    Edition { replies, not_found: gone() }
}

/// A project on such a site.
pub struct Project {
    dir: tempfile::TempDir,
    site: Loopback,
    runtime: tokio::runtime::Runtime,
    day: std::cell::Cell<u32>,
}

impl Project {
    /// Editions by name; the first run is on `one`.
    pub fn new(editions: &[(&str, Edition)]) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let site: Site =
            editions.iter().map(|(name, it)| ((*name).to_owned(), it.clone())).collect();
        let site = runtime.block_on(Loopback::start(site, "one")).unwrap();
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("sources")).unwrap();
        let project = Self { dir, site, runtime, day: std::cell::Cell::new(0) };
        project.source(SOURCE);
        project
    }

    pub fn source(&self, text: &str) {
        fs::write(self.dir.path().join("sources/ferry.toml"), text).unwrap();
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
        command.args(args).args(["--format", "json", "--yes"]).arg("--project").arg(self.path());
        command
    }

    /// A run a day after the last one.
    pub fn line(&self, kind: &str, more: &[&str]) -> Command {
        let day = self.day.replace(self.day.get() + 1);
        let place = format!("ferry.example={}", self.site.address());
        let mut command = self.command(&[&[kind, "--connect-to", &place], more].concat());
        command.env(
            "COUNTERSIGN_NOW",
            format!("2026-{:02}-{:02}T08:00:00Z", 1 + day / 28, 1 + day % 28),
        );
        command
    }

    pub fn run(&self, kind: &str) -> Told {
        told(&self.line(kind, &[]).output().unwrap())
    }

    pub fn update_to(&self, edition: &str) -> Told {
        self.site.switch_to(edition).unwrap();
        self.run("update")
    }

    pub fn files(&self) -> BTreeMap<PathBuf, String> {
        let mut found = BTreeMap::new();
        let mut open = vec![self.path().to_owned()];
        while let Some(dir) = open.pop() {
            for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    open.push(path);
                } else if let Ok(bytes) = fs::read(&path) {
                    let name = path.strip_prefix(self.path()).unwrap().to_owned();
                    found.insert(name, hex_sha256(&bytes));
                }
            }
        }
        found
    }

    pub fn files_below(&self, folder: &str) -> BTreeMap<PathBuf, String> {
        self.files().into_iter().filter(|(path, _)| path.starts_with(folder)).collect()
    }

    /// Accepted and flagged rows.
    pub fn rows(&self) -> Vec<RowRecord> {
        self.files_below("extracted")
            .keys()
            .filter(|it| it.components().count() == 3)
            .flat_map(|it| {
                let text = fs::read_to_string(self.path().join(it)).unwrap();
                text.lines().map(|it| serde_json::from_str(it).unwrap()).collect::<Vec<RowRecord>>()
            })
            .collect()
    }

    /// Keys of live rows; each row's snippet is proven to stand where it says.
    pub fn keys(&self) -> BTreeSet<String> {
        self.rows()
            .into_iter()
            .map(|row| {
                let text = self.path().join(format!(
                    "snapshots/ferry/texts/{}/{}.txt",
                    &row.text[..2],
                    row.text
                ));
                let text = fs::read_to_string(text).unwrap();
                let place = row.place.unwrap().bytes;
                assert_eq!(&text[place.start..place.end], row.claim.snippet, "{}", row.key);
                row.key
            })
            .collect()
    }

    /// Texts of the items asked about so far.
    pub fn asked(&self) -> BTreeSet<String> {
        self.files_below("asks")
            .keys()
            .filter(|it| it.to_string_lossy().ends_with(".ask.json"))
            .map(|it| {
                serde_json::from_str::<Ask>(&fs::read_to_string(self.path().join(it)).unwrap())
                    .unwrap()
            })
            .filter(|it| it.step == Step::Extract)
            .map(|it| it.text)
            .collect()
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _guard = self.runtime.enter();
    }
}

/// What a run said.
pub struct Told {
    pub summary: Value,
    pub notes: String,
    pub code: Option<i32>,
}

impl Told {
    pub fn number(&self, path: &str) -> u64 {
        self.summary.pointer(path).and_then(Value::as_u64).unwrap_or_else(|| {
            panic!("{path} in {}", self.summary);
        })
    }

    /// new, changed, removed, moved
    pub fn changes(&self) -> [u64; 4] {
        ["new", "changed", "removed_candidates", "moved"]
            .map(|it| self.number(&format!("/changes/{it}")))
    }

    pub fn asks(&self) -> u64 {
        self.number("/asks/live")
    }
}

pub fn told(output: &Output) -> Told {
    let text = String::from_utf8_lossy(&output.stdout);
    let notes = String::from_utf8_lossy(&output.stderr).into_owned();
    let summary =
        serde_json::from_str(&text).unwrap_or_else(|_| panic!("no summary: {text}\n{notes}"));
    Told { summary, notes, code: output.status.code() }
}

#[test]
fn an_update_over_an_unchanged_site_asks_nothing_and_changes_no_file_but_the_ledger() {
    let project = Project::new(&[("one", edition(&[]))]);
    let bulk = project.run("run");
    assert!(bulk.number("/rows/accepted") >= 4, "{}", bulk.summary);
    let before = project.files();
    let update = project.run("update");
    assert_eq!((update.asks(), update.changes()), (0, [0; 4]), "{}", update.summary);
    let now = project.files();
    let differing: Vec<_> = now
        .iter()
        .filter(|(path, digest)| before.get(*path) != Some(digest))
        .map(|(path, _)| path.to_string_lossy().into_owned())
        .filter(|it| !it.starts_with("ledger.sqlite") && !it.starts_with("snapshots/ferry/ledger/"))
        .collect();
    assert!(differing.is_empty(), "{differing:?}");
    assert!(before.keys().all(|it| now.contains_key(it)), "no file went");
}

#[test]
fn an_inserted_article_is_asked_about_alone_and_two_hundred_are_carried() {
    let texts = regulation(203);
    let mut longer = texts.clone();
    longer.insert(3, "持卡人不得同時領取其他補助新臺幣五十元以上。".to_owned());
    let of = |it: &[String]| page("渡輪卡補助辦法", &articles(it));
    let project = Project::new(&[
        ("one", edition(&[("/card", of(&texts))])),
        ("two", edition(&[("/card", of(&longer))])),
    ]);
    project.run("run");
    let (keys, asked) = (project.keys(), project.asked());
    assert!(keys.len() > 300, "{}", keys.len());
    let update = project.update_to("two");
    assert_eq!(update.changes(), [1, 0, 0, 200], "{}", update.summary);
    assert_eq!(update.number("/items/asked"), 1);
    let fresh: Vec<_> = project.asked().difference(&asked).cloned().collect();
    assert_eq!(fresh.len(), 1, "{fresh:?}");
    let now = project.keys();
    assert!(keys.is_subset(&now), "every row kept its key");
    let moved = project.rows().into_iter().filter(|it| it.item == "art-204").count();
    assert!(moved > 0, "rows know their article's number of today");
}

#[test]
fn what_the_page_no_longer_shows_stays_live_until_signed_and_comes_back_without_a_trace() {
    let shorter = page(
        "渡輪卡辦法",
        &[
            "第 1 條".to_owned(),
            "申請人應年滿六十五歲，並設籍本區滿三年。".to_owned(),
            "第 3 條".to_owned(),
            "申請人每月收入不得超過新臺幣二萬元。".to_owned(),
            "第 4 條".to_owned(),
            "依第三條規定審查者，應於三十日內完成。".to_owned(),
        ],
    );
    let project = Project::new(&[("one", edition(&[])), ("two", edition(&[("/card", shorter)]))]);
    project.run("run");
    let (keys, rows) = (project.keys(), project.files_below("extracted"));
    for _ in 0..3 {
        let update = project.update_to("two");
        assert_eq!(update.asks(), 0, "{}", update.summary);
        assert_eq!(update.number("/changes/removed_candidates"), 1, "{}", update.summary);
        assert_eq!(project.keys(), keys, "nothing is taken down by itself");
        assert_eq!(update.code, Some(3));
    }
    let lost = project.rows().into_iter().find(|it| it.item == "art-2").unwrap();
    let detail = &lost.findings.last().unwrap().detail;
    assert!(detail.contains("最後見於"), "{detail}");

    let back = project.update_to("one");
    assert_eq!(back.asks(), 0, "the same words were read before: {}", back.summary);
    assert_eq!(back.number("/changes/removed_candidates"), 0, "{}", back.summary);
    assert_eq!(project.files_below("extracted"), rows, "as if nothing had happened");
}

#[test]
fn a_change_outside_every_condition_and_another_spelling_make_no_ask() {
    let outside = page("關於渡輪卡", &["歡迎大家搭乘渡輪。".to_owned()]);
    let spelled = page(
        "渡輪卡辦法",
        &articles(&[
            "申請人應年滿六十五歲，並設籍本區滿三年。".to_owned(),
            "每月補助新台幣三千元。".to_owned(),
            "申請人每月收入不得超過新台幣二萬元。".to_owned(),
            "依第三條規定審查者，應於三十日內完成。".to_owned(),
        ]),
    );
    let project = Project::new(&[
        ("one", edition(&[])),
        ("two", edition(&[("/about", outside)])),
        ("three", edition(&[("/card", spelled)])),
    ]);
    project.run("run");
    let keys = project.keys();
    let update = project.update_to("two");
    assert_eq!((update.asks(), update.changes()), (0, [0; 4]), "{}", update.summary);
    let update = project.update_to("three");
    assert_eq!((update.asks(), update.changes()), (0, [0; 4]), "{}", update.summary);
    assert_eq!(project.keys(), keys, "the keys are the same, the bytes are those of today");
    let quoted: Vec<String> = project.rows().into_iter().map(|it| it.claim.snippet).collect();
    assert!(quoted.iter().any(|it| it.contains("新台幣三千元")), "{quoted:?}");
    assert!(!quoted.iter().any(|it| it.contains("新臺幣三千元")), "{quoted:?}");
}

#[test]
fn only_the_english_in_parentheses_changed_and_the_item_is_read_again() {
    let named = |name: &str| {
        page("渡輪卡辦法", &articles(&[format!("本辦法所稱持卡人 ({name})，應年滿六十五歲。")]))
    };
    let project = Project::new(&[
        ("one", edition(&[("/card", named("card holder"))])),
        ("two", edition(&[("/card", named("holder of a card"))])),
    ]);
    project.run("run");
    let update = project.update_to("two");
    assert_eq!(update.number("/items/asked"), 1, "{}", update.summary);
}

#[test]
fn a_failed_fetch_a_maintenance_page_and_a_lost_selector_move_nothing() {
    let failing = Reply { status: 503, ..Reply::default() };
    let apology =
        html("<main><h1>系統維護中</h1><p>本網站暫停服務，請稍後再試。</p></main>", "維護");
    let rebuilt =
        html("<div class=new><h1>渡輪卡辦法</h1><p>每月補助新臺幣九千元。</p></div>", "卡");
    let project = Project::new(&[
        ("one", edition(&[])),
        ("failing", edition(&[("/card", failing)])),
        ("apology", edition(&[("/card", apology)])),
        ("rebuilt", edition(&[("/card", rebuilt)])),
    ]);
    let source = SOURCE.replace("delay_ms = 0", "delay_ms = 0\nmax_tries = 1");
    project.source(&source);
    project.run("run");
    let rows = project.files_below("extracted");
    for name in ["failing", "apology", "rebuilt"] {
        for _ in 0..2 {
            let update = project.update_to(name);
            assert_eq!(update.asks(), 0, "{name}: {}", update.summary);
            assert_eq!(update.changes(), [0; 4], "{name}: {}", update.summary);
            assert_eq!(update.code, Some(3), "{name} is worth a look");
            assert!(update.notes.contains("/card"), "{name}: {}", update.notes);
            assert_eq!(project.files_below("extracted"), rows, "{name}");
        }
    }
}

#[test]
fn a_gone_page_is_a_candidate_from_its_second_refusal_on() {
    let project = Project::new(&[("one", edition(&[])), ("two", edition(&[("/fees", gone())]))]);
    project.run("run");
    let keys = project.keys();
    let candidates: Vec<u64> =
        (0..3).map(|_| project.update_to("two").number("/changes/removed_candidates")).collect();
    assert_eq!(candidates, [0, 1, 1]);
    assert_eq!(project.keys(), keys);
}

#[test]
fn a_reference_to_a_renumbered_article_is_told() {
    let mut texts = vec![
        "申請人應年滿六十五歲，並設籍本區滿三年。".to_owned(),
        "每月補助新臺幣三千元。".to_owned(),
        "申請人每月收入不得超過新臺幣二萬元。".to_owned(),
        "依第三條規定審查者，應於三十日內完成。".to_owned(),
    ];
    let project_texts = texts.clone();
    texts.insert(1, "申請人應檢附身分證明。".to_owned());
    let project = Project::new(&[
        ("one", edition(&[("/card", page("渡輪卡辦法", &articles(&project_texts)))])),
        ("two", edition(&[("/card", page("渡輪卡辦法", &articles(&texts)))])),
    ]);
    project.run("run");
    let update = project.update_to("two");
    assert_eq!(update.changes(), [1, 0, 0, 3], "{}", update.summary);
    assert!(update.notes.contains("第三條") && update.notes.contains("art-4"), "{}", update.notes);
}

#[test]
fn what_our_own_rules_bring_is_never_called_a_change_of_the_source() {
    let two_parts = |amount: &str| {
        html(
            &format!(
                "<main><h1>渡輪卡辦法</h1><section class=a><p>第 1 條</p><p>申請人應年滿六十五歲。</p></section>\
                 <section class=b><p>第 2 條</p><p>每月補助新臺幣{amount}元。</p></section></main>"
            ),
            "渡輪卡辦法",
        )
    };
    let project = Project::new(&[
        ("one", edition(&[("/card", two_parts("三千"))])),
        ("two", edition(&[("/card", two_parts("四千"))])),
    ]);
    project.source(&SOURCE.replace("[\"main\"]", "[\".a\", \"main:not(:has(.b))\"]"));
    project.run("run");
    let keys = project.keys();
    project.source(SOURCE);
    let requests = project.site.served().len();
    let output = project.line("update", &["--no-crawl"]).output().unwrap();
    let update = told(&output);
    assert_eq!(project.site.served().len(), requests, "nothing was fetched");
    assert_eq!(update.changes(), [0; 4], "{}", update.summary);
    assert!(update.number("/changes/by_rule") >= 1, "{}", update.summary);
    assert!(keys.is_subset(&project.keys()));
    // And then the source itself changes.
    let update = project.update_to("two");
    assert_eq!(update.changes(), [0, 1, 0, 0], "{}", update.summary);
    assert!(update.summary.pointer("/changes/by_rule").is_none(), "{}", update.summary);
}

#[test]
fn rules_and_files_are_asked_about_the_same_items() {
    let changed = page(
        "渡輪卡辦法",
        &articles(&[
            "申請人應年滿六十歲，並設籍本區滿三年。".to_owned(),
            "每月補助新臺幣三千元。".to_owned(),
            "申請人每月收入不得超過新臺幣二萬五千元。".to_owned(),
            "依第三條規定審查者，應於三十日內完成。".to_owned(),
        ]),
    );
    let editions = [("one", edition(&[])), ("two", edition(&[("/card", changed)]))];
    let by_rules = Project::new(&editions);
    by_rules.run("run");
    let first = by_rules.asked();
    by_rules.update_to("two");
    let asked: BTreeSet<String> = by_rules.asked().difference(&first).cloned().collect();
    assert_eq!(asked.len(), 2, "{asked:?}");

    let by_files = Project::new(&editions);
    let settings = "[extractor]\nanswerer = \"files\"\n[reviewer]\nanswerer = \"files\"\n";
    fs::write(by_files.path().join("countersign.toml"), settings).unwrap();
    by_files.run("run");
    rounds(&by_files);
    assert_eq!(by_files.asked(), first);
    let waiting = by_files.update_to("two");
    assert_eq!(waiting.number("/items/waiting"), 2, "{}", waiting.summary);
    rounds(&by_files);
    let found: BTreeSet<String> = by_files.asked().difference(&first).cloned().collect();
    assert_eq!(found, asked);
    assert_eq!(by_files.keys(), by_rules.keys());
}

/// Answers all open asks as the built-in reader would, round after round.
fn rounds(project: &Project) {
    for _ in 0..6 {
        let mut open = 0;
        for ask in project.files_below("asks").into_keys() {
            let name = ask.to_string_lossy().into_owned();
            let Some(digest) = ask.file_name().unwrap().to_str().unwrap().strip_suffix(".ask.json")
            else {
                continue;
            };
            let place = project.path().join(name.replace(".ask.json", ".answer.json"));
            if place.exists() {
                continue;
            }
            let text = fs::read_to_string(project.path().join(&ask)).unwrap();
            let answer = answer_by_rules(&serde_json::from_str(&text).unwrap(), digest).unwrap();
            fs::write(place, serde_json::to_string_pretty(&answer).unwrap()).unwrap();
            open += 1;
        }
        if open == 0 {
            return;
        }
        told(&project.line("update", &["--no-crawl"]).output().unwrap());
    }
    panic!("no end of asks");
}

#[test]
fn an_update_killed_at_twelve_points_ends_with_the_same_files() {
    let texts = regulation(40);
    let mut edited: Vec<String> = texts.iter().map(|it| it.replace("補助", "津貼")).collect();
    edited.remove(7);
    edited.insert(3, "持卡人不得同時領取其他補助新臺幣五十元以上。".to_owned());
    let of = |it: &[String]| page("渡輪卡補助辦法", &articles(it));
    let editions = [
        ("one", edition(&[("/card", of(&texts))])),
        ("two", edition(&[("/card", of(&edited)), ("/about", gone())])),
    ];
    let undisturbed = Project::new(&editions);
    undisturbed.run("run");
    let begun = Instant::now();
    undisturbed.update_to("two");
    let whole = begun.elapsed();
    let wanted = lasting(&undisturbed);
    let mut killed = 0;
    for point in 1..=12_u32 {
        let project = Project::new(&editions);
        project.run("run");
        project.site.switch_to("two").unwrap();
        let mut child = project
            .line("update", &[])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        kill_after(&mut child, whole * point / 13);
        let status = project.command(&["status"]).output().unwrap();
        let status: Value = serde_json::from_slice(&status.stdout).unwrap();
        // A run that had come to its end was not killed; another one would be a second witness.
        if status["last_run"]["ended"].is_null() {
            killed += u32::from(status["last_run"]["kind"] == "update");
            project.day.set(1);
            let update = project.run("update");
            assert_eq!(update.number("/items/waiting"), 0, "{}", update.summary);
        } else if status["last_run"]["kind"] == "run" || status["last_run"]["kind"] == "bulk" {
            project.day.set(1);
            project.run("update");
        }
        let found = lasting(&project);
        let differing: Vec<_> = wanted
            .iter()
            .chain(&found)
            .filter(|(path, digest)| {
                found.get(*path) != Some(digest) || wanted.get(*path) != Some(digest)
            })
            .collect();
        assert!(differing.is_empty(), "killed at {point} of 13: {differing:?}");
        let verified = project.command(&["verify"]).output().unwrap();
        assert_eq!(verified.status.code(), Some(0), "killed at {point} of 13");
    }
    assert!(killed >= 6, "{killed} of 12 kills came in time");
}

/// Rows, asks and answers, and the content manifests: what holds no clock.
fn lasting(project: &Project) -> BTreeMap<PathBuf, String> {
    let is_lasting = |path: &Path| {
        path.starts_with("extracted") || path.starts_with("asks") || path.ends_with("manifest.json")
    };
    project.files().into_iter().filter(|(path, _)| is_lasting(path)).collect()
}

/// Kills the process after some time.
fn kill_after(child: &mut Child, time: Duration) {
    std::thread::sleep(time);
    let _ = child.kill();
    child.wait().unwrap();
}
