//! A client who sends sheets back to the program, in either language.

use std::fs;
use std::path::Path;

use countersign::model::sheet::{IssuedSheet, Tab};
use serde_json::Value;

use crate::chain::{copy_of, last_sheet, program, run_project};
use crate::client::ClientBook;

/// The words of a sheet in its language.
pub struct Words {
    pub tag: &'static str,
    pub decide: &'static str,
    pub accepted: &'static str,
    pub decision: &'static str,
    pub objection: &'static str,
    pub value: &'static str,
    pub quote: &'static str,
    pub says: &'static str,
    pub approve: &'static str,
    pub correct: &'static str,
    pub reject: &'static str,
    pub unsure: &'static str,
    pub name: &'static str,
    pub all_rows: &'static str,
}

pub const ENGLISH: Words = Words {
    tag: "-en",
    decide: "Decide",
    accepted: "Accepted",
    decision: "Decision",
    objection: "Decision (only if you object)",
    value: "Corrected value",
    quote: "Corrected quote",
    says: "What the page says",
    approve: "approve",
    correct: "correct",
    reject: "reject",
    unsure: "unsure",
    name: "Your name",
    all_rows: "All other rows on the tab \"Accepted\"",
};

pub const CHINESE: Words = Words {
    tag: "-zh",
    decide: "請決定",
    accepted: "已接受",
    decision: "決定",
    objection: "決定（有異議才填）",
    value: "更正後的值",
    quote: "更正後的引文",
    says: "網頁怎麼說",
    approve: "核准",
    correct: "更正",
    reject: "退回",
    unsure: "不確定",
    name: "您的姓名",
    all_rows: "「已接受」頁其餘各列",
};

/// A project with its issued sheet, as the client has it.
pub struct Client {
    pub dir: tempfile::TempDir,
    pub words: &'static Words,
    pub issued: IssuedSheet,
    pub book: ClientBook,
}

impl Client {
    pub fn of(words: &'static Words) -> Self {
        let dir = copy_of(run_project(words.tag));
        let (sheet, issued) = last_sheet(dir.path());
        let book = ClientBook::open(&fs::read(sheet).unwrap());
        Self { dir, words, issued, book }
    }

    pub fn keys(&self, tab: Tab) -> Vec<String> {
        self.issued.rows.iter().filter(|it| it.tab == tab).map(|it| it.key.clone()).collect()
    }

    pub fn say(&mut self, key: &str, word: &str) {
        let words = self.words;
        self.book.write(words.decide, key, words.decision, word);
    }

    pub fn approve_all(&mut self) -> usize {
        let keys = self.keys(Tab::Decide);
        for key in &keys {
            self.say(key, self.words.approve);
        }
        keys.len()
    }

    pub fn correct(&mut self, key: &str, value: &str, quote: &str) {
        let words = self.words;
        self.book.write(words.accepted, key, words.objection, words.correct);
        for (title, text) in [(words.value, value), (words.quote, quote)] {
            if !text.is_empty() {
                self.book.write(words.accepted, key, title, text);
            }
        }
    }

    /// The row of "Accepted" whose sentence holds a text and whose value prints like that.
    pub fn row(&self, sentence: &str, value: &str) -> String {
        let found = self.issued.rows.iter().find(|it| {
            let row = it.matter.row();
            row.sentence.contains(sentence) && row.claim.value.to_string() == value
        });
        found.unwrap_or_else(|| panic!("no row says {value} in {sentence}")).key.clone()
    }

    pub fn send(&self) -> Sent {
        self.send_bytes(&self.book.save(), "returned.xlsx")
    }

    pub fn send_bytes(&self, bytes: &[u8], name: &str) -> Sent {
        let file = self.dir.path().join(name);
        fs::write(&file, bytes).unwrap();
        sign(self.dir.path(), &file)
    }
}

/// What the program said to a file.
pub struct Sent {
    pub exit: i32,
    pub report: Value,
    pub stderr: String,
}

impl Sent {
    pub fn count(&self, name: &str) -> u64 {
        self.report["receipt"]["counts"][name].as_u64().unwrap_or(0)
    }

    /// The codes of the findings that stopped something on a row; of the file for an empty key.
    pub fn stopped(&self, key: &str) -> Vec<String> {
        let findings = self.report["receipt"]["findings"].as_array().cloned().unwrap_or_default();
        let is_it =
            |it: &&Value| it["stops"] == true && it["row"].as_str().unwrap_or_default() == key;
        findings.iter().filter(is_it).map(|it| it["code"].as_str().unwrap().to_owned()).collect()
    }

    pub fn told(&self, code: &str) -> bool {
        let findings = self.report["receipt"]["findings"].as_array().cloned().unwrap_or_default();
        findings.iter().any(|it| it["code"] == code)
    }
}

pub fn sign(project: &Path, file: &Path) -> Sent {
    let output = program(
        project,
        &["signoff", file.to_str().unwrap(), "--by", "A. Client", "--format", "json"],
    );
    Sent {
        exit: output.status.code().unwrap(),
        report: serde_json::from_slice(&output.stdout).unwrap_or_default(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}
