//! The ferry office: an invented regulation on its own server, and a project that reads it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use countersign::ask::canonical::hex_sha256;
use countersign::fetch::loopback::{Edition, Loopback, Reply, Site};
use countersign::model::ask::{Ask, Step};
use countersign::model::row::RowRecord;
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

pub fn regulation(n: usize) -> Vec<String> {
    (1..=n)
        .map(|at| format!("第{at}級持卡人設籍本區滿{at}年者，每月發給補助新臺幣{}元。", at * 100))
        .collect()
}

pub fn card() -> Reply {
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

pub fn fees() -> Reply {
    page("渡輪卡收費標準", &articles(&["補發渡輪卡，每張收費新臺幣二百元。".to_owned()]))
}

pub fn about() -> Reply {
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
    pub dir: tempfile::TempDir,
    pub site: Loopback,
    pub runtime: tokio::runtime::Runtime,
    pub day: std::cell::Cell<u32>,
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
