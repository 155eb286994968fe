//! The three corpora against their truth manifests, which were computed from the sources and never
//! from the pages.

use std::collections::BTreeMap;
use std::fs;

use countersign::model::item::Item;
use serde_json::Value;

use crate::corpus::page_shared;
use crate::page::{PageCase, check_items, folded, read_edition, squeezed};

/// Text of every block of a corpus by its key.
fn truth_blocks(corpus: &str) -> BTreeMap<String, String> {
    let path = page_shared().join("corpus/truth").join(corpus).join("blocks.jsonl");
    fs::read_to_string(path)
        .unwrap()
        .lines()
        .map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            (line["h"].as_str().unwrap().to_owned(), line["t"].as_str().unwrap().to_owned())
        })
        .collect()
}

fn headings_of(text: &str) -> String {
    text.lines().filter(|it| it.starts_with('#')).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_line_of_the_truth_stands_in_the_canonical_text() {
    let mut problems = Vec::new();
    let mut report = Vec::new();
    for corpus in ["va", "twlaw", "twlaw_en"] {
        let blocks = truth_blocks(corpus);
        let (mut pages, mut lines, mut missing) = (0, 0, 0);
        for case in read_edition(corpus, "bulk") {
            pages += 1;
            let text = folded(&case.page.text);
            let headings = squeezed(&headings_of(&case.page.text));
            for block in case.truth["blocks"].as_array().unwrap() {
                if block["region"].as_str().unwrap_or("main") != "main" {
                    continue;
                }
                // The truth names the parts of a law's head itself; the page shows no such words.
                let is_named_by_truth =
                    matches!(block["id"].as_str(), Some("header-name" | "header-english"));
                let text_of_block = &blocks[block["text"].as_str().unwrap()];
                for line in text_of_block.lines().skip(usize::from(is_named_by_truth)) {
                    lines += 1;
                    // The truth joins a line break inside a heading without a space.
                    if !text.contains(&folded(line)) && !headings.contains(&squeezed(line)) {
                        missing += 1;
                        problems.push(format!("{corpus} {} [{}]: {line}", case.url, block["id"]));
                    }
                }
            }
        }
        report.push(format!("{corpus}: {pages} pages, {lines} lines, {missing} missing"));
    }
    println!("{}", report.join("\n"));
    assert!(problems.is_empty(), "{} lines missing:\n{}", problems.len(), problems.join("\n"));
}

/// Words of the furniture around the content, which no canonical text may hold.
const FURNITURE: [&str; 22] = [
    "Skip to Content",
    "Popular right now",
    "visitors found this page helpful",
    "Last updated:",
    "An official website of the United States government",
    "In this section",
    "Site index",
    "Content preview",
    "You are looking at an archived page",
    "dataLayer",
    "rendered 20",
    "$99,999",
    "跳到主要內容",
    "最新訊息",
    "熱門法規",
    "資料更新日期",
    "瀏覽人次",
    "列印時間",
    "綜合查詢",
    "網站導覽",
    "Skip to main content",
    "Laws & Regulations Database",
];

#[test]
fn no_furniture_is_in_a_canonical_text() {
    let mut n_pages = 0;
    for (corpus, editions) in [
        ("va", &["bulk", "update1", "update2"][..]),
        ("twlaw", &["bulk", "update1", "update2"]),
        ("twlaw_en", &["bulk"]),
    ] {
        for edition in editions {
            for case in read_edition(corpus, edition) {
                n_pages += 1;
                for words in FURNITURE {
                    let text = &case.page.text;
                    assert!(!text.contains(words), "{corpus}/{edition} {}: {words}", case.url);
                }
                assert!(!case.page.text.trim().is_empty(), "{}", case.url);
                assert!(!case.page.title.is_empty(), "{}", case.url);
            }
        }
    }
    println!("{n_pages} pages without furniture");
    assert!(n_pages > 1000);
}

#[test]
fn articles_are_those_of_the_truth() {
    let mut n_articles = 0;
    let mut problems = Vec::new();
    for (corpus, edition) in [("twlaw", "bulk"), ("twlaw", "update2"), ("twlaw_en", "bulk")] {
        let blocks = truth_blocks(corpus);
        for case in read_edition(corpus, edition) {
            check_items(&case.page, &case.url);
            let truth = case.truth["blocks"].as_array().unwrap();
            let mut chapter = "";
            let mut items = case.page.items.iter();
            for block in truth {
                let id = block["id"].as_str().unwrap();
                let heading = block["heading"].as_str().unwrap();
                if block["kind"] == "chapter" {
                    chapter = heading;
                }
                if block["kind"] != "article" {
                    continue;
                }
                n_articles += 1;
                let Some(item) = items.find(|it| it.key.starts_with("art-")) else {
                    problems.push(format!("{} {id}: no item", case.url));
                    break;
                };
                // The truth counts a repeated number as we do; its text is the item's own.
                let text = item.span.slice(&case.page.text).unwrap();
                let own = text.split_once(heading).map_or("", |it| it.1);
                let expected = blocks[block["text"].as_str().unwrap()].replacen(heading, "", 1);
                if item.key != id || folded(own) != folded(&expected) {
                    problems.push(format!("{} {id}: {} {own:?}", case.url, item.key));
                }
                let path: Vec<String> = item.heading_path.iter().map(|it| folded(it)).collect();
                let has = |words: &str| path.contains(&folded(words));
                if !has(heading) || (!chapter.is_empty() && !has(chapter)) {
                    problems.push(format!("{} {id}: {path:?} lacks {chapter}", case.url));
                }
            }
        }
    }
    println!("{n_articles} articles, {} problems", problems.len());
    assert!(n_articles > 3500);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn sections_are_those_of_the_truth() {
    let blocks = truth_blocks("va");
    let (mut n_sections, mut problems) = (0, Vec::new());
    for case in read_edition("va", "bulk") {
        check_items(&case.page, &case.url);
        let text = &case.page.text;
        for block in case.truth["blocks"].as_array().unwrap() {
            let lines = &blocks[block["text"].as_str().unwrap()];
            if block["region"] != "main" || block["kind"] != "body" || !lines.contains('\n') {
                continue;
            }
            n_sections += 1;
            let heading = squeezed(block["heading"].as_str().unwrap());
            let body = folded(lines.lines().last().unwrap());
            let has_body = |it: &&Item| {
                let words = folded(it.span.slice(text).unwrap());
                let own = it.heading_path.last().map(|it| squeezed(it));
                words.contains(&body) && (heading.is_empty() || own == Some(heading.clone()))
            };
            if case.page.items.iter().find(has_body).is_none() {
                problems.push(format!("{} {}: {body}", case.url, block["id"]));
            }
        }
    }
    println!("{n_sections} sections, {} problems", problems.len());
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn fingerprints_are_equal_exactly_where_the_words_are() {
    let words = |case: &PageCase, item: &Item| {
        let text = item.span.slice(&case.page.text).unwrap();
        let label = item.heading_path.last().map_or("", String::as_str);
        folded(text.split_once(label).map_or(text, |it| it.1))
    };
    let (mut n_moved, mut n_same, mut n_other) = (0, 0, 0);
    for (before, after) in [("bulk", "update1"), ("update1", "update2")] {
        let after = read_edition("twlaw", after);
        for old in read_edition("twlaw", before) {
            let Some(new) = after.iter().find(|it| it.url == old.url) else { continue };
            let mut known: BTreeMap<&str, (&str, String)> = BTreeMap::new();
            for item in &old.page.items {
                known.insert(&item.fingerprint, (&item.key, words(&old, item)));
            }
            for item in new.page.items.iter().filter(|it| it.key.starts_with("art-")) {
                let now = words(new, item);
                match known.get(item.fingerprint.as_str()) {
                    Some((key, was)) => {
                        assert_eq!(&now, was, "{} {}", new.url, item.key);
                        n_moved += usize::from(*key != item.key);
                        n_same += 1;
                    }
                    None => {
                        assert!(!known.values().any(|it| it.1 == now), "{} {}", new.url, item.key);
                        n_other += 1;
                    }
                }
            }
        }
    }
    println!("{n_same} articles with known words, {n_moved} of them renumbered, {n_other} others");
    assert!(n_moved > 5 && n_same > 2500 && n_other > 50);
}
