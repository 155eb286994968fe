//! What was told of an update, against what really changed.

use std::collections::BTreeMap;

use countersign::pipeline::change::diffing::PageDiff;
use serde_json::Value;

/// A text without white space, list and table marks: what truth and product both know.
pub fn bare(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let line = line.trim_start().trim_start_matches(['-', '#', '*']);
        out.extend(line.chars().filter(|it| !it.is_whitespace() && *it != '|'));
    }
    out
}

pub fn words(value: &Value, key: &str) -> Vec<String> {
    let lines = value[key].as_array().into_iter().flatten();
    lines.map(|it| bare(it.as_str().unwrap())).filter(|it| !it.is_empty()).collect()
}

/// Old and new texts that the product reports as differing on a page.
#[derive(Default)]
pub struct Reported {
    pub old: Vec<String>,
    pub new: Vec<String>,
    /// Texts of items that are said to have moved unchanged.
    pub moved: Vec<String>,
}

pub fn reported(page: &PageDiff) -> Reported {
    let mut found = Reported::default();
    for item in &page.items {
        if matches!(item.change, "moved" | "reordered") {
            found.moved.extend(item.text.as_deref().map(bare));
        }
        for passage in &item.passages {
            if passage.change == "moved" {
                found.moved.extend(passage.new.as_deref().map(bare));
                continue;
            }
            found.old.extend(passage.old.as_deref().map(bare).filter(|it| !it.is_empty()));
            found.new.extend(passage.new.as_deref().map(bare).filter(|it| !it.is_empty()));
        }
    }
    found
}

pub fn touches(line: &str, passages: &[String]) -> bool {
    passages.iter().any(|it| line.contains(it.as_str()) || it.contains(line))
}

#[derive(Default, Debug)]
pub struct Table {
    pub pages: BTreeMap<String, u64>,
    pub blocks: u64,
    pub missed: Vec<String>,
    pub passages: u64,
    pub surplus: Vec<String>,
    pub moved_blocks: u64,
    pub line_breaks: u64,
}

/// Scores the passages of one changed page against the truth's blocks.
pub fn score_page(page: &Value, diff: Option<&PageDiff>, table: &mut Table) {
    let url = page["url"].as_str().unwrap();
    let found = diff.map(reported).unwrap_or_default();
    let changes = page["changes"].as_array().into_iter().flatten();
    let (mut added, mut removed) = (Vec::new(), Vec::new());
    for change in changes {
        let (plus, minus) = (words(change, "lines_added"), words(change, "lines_removed"));
        added.extend(plus.iter().cloned());
        removed.extend(minus.iter().cloned());
        added.extend(change["after"].as_str().map(bare));
        removed.extend(change["before"].as_str().map(bare));
        if change["region"] == "aside" {
            continue;
        }
        if change["same_text_as_previous"].is_string() || change["change"] == "moved" {
            table.moved_blocks += 1;
            continue;
        }
        if plus.concat() == minus.concat() && !plus.is_empty() {
            // A paragraph was broken in two, or two were joined: the same words in the same order.
            table.line_breaks += 1;
            continue;
        }
        table.blocks += 1;
        let is_found = plus.iter().any(|it| touches(it, &found.new) || touches(it, &found.moved))
            || minus.iter().any(|it| touches(it, &found.old) || touches(it, &found.moved))
            || plus.is_empty() && minus.is_empty();
        if !is_found {
            table.missed.push(format!(
                "{url} {} {}: +{plus:?} -{minus:?}",
                change["block"], change["change"]
            ));
        }
    }
    for (passages, lines) in [(&found.new, &added), (&found.old, &removed)] {
        for passage in passages {
            table.passages += 1;
            let is_right = lines
                .iter()
                .any(|it| it.contains(passage.as_str()) || passage.contains(it.as_str()));
            if !is_right {
                table.surplus.push(format!("{url}: {passage}"));
            }
        }
    }
}

pub fn noise(page: &Value) -> Vec<String> {
    let kinds = page["noise_kinds"].as_array().into_iter().flatten();
    kinds.map(|it| it.as_str().unwrap().to_owned()).collect()
}
pub fn show(name: &str, table: &Table) {
    println!("{name}");
    for (word, count) in &table.pages {
        println!("    pages {count:>4} {word}");
    }
    let (missed, surplus) = (table.missed.len(), table.surplus.len());
    println!(
        "    blocks {} changed, {missed} missed, {} only renumbered or moved, {} with line breaks alone; passages {} reported, {surplus} not in the truth",
        table.blocks, table.moved_blocks, table.line_breaks, table.passages
    );
    for it in table.missed.iter().take(12) {
        println!("      missed {it}");
    }
    for it in table.surplus.iter().take(12) {
        println!("      surplus {it}");
    }
}
