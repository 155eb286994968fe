//! The built-in reader against rows labelled by hand on real pages.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use countersign::gate::judge::judge;
use countersign::gate::page::PageText;
use countersign::gate::row::GatedRow;
use countersign::gate::scope::Scope;
use countersign::items::page::read_page;
use countersign::model::ask::{Ask, ReaderId, Step};
use countersign::model::canonical::CanonicalPage;
use countersign::model::claim::Claim;
use countersign::model::finding::Verdict;
use countersign::model::item::Item;
use countersign::model::row::{RowRecord, RowStatus};
use countersign::model::source::{Field, ItemRule, Politeness, Source};
use countersign::reader::extract::extract;
use countersign::score::label::{Coverage, read_gold};
use countersign::score::table::render_score;
use countersign::score::tally::{Pair, Score, score};

fn shared() -> PathBuf {
    std::env::var_os("COUNTERSIGN_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from)
}

#[derive(serde::Deserialize)]
struct FieldList {
    fields: Vec<Field>,
}

fn fields() -> Vec<Field> {
    let text = include_str!("fields.toml");
    toml::from_str::<FieldList>(text).unwrap().fields
}

struct TestPage {
    key: String,
    page: CanonicalPage,
}

/// A corpus as a source file would declare it.
fn source(corpus: &str) -> Source {
    let (language, items, content) = match corpus {
        "va" => ("en", ItemRule::Headings, "main"),
        "twlaw" => ("zh-Hant", ItemRule::Articles, "#pnlContent"),
        _ => ("en", ItemRule::Articles, "#pnlContent"),
    };
    Source {
        id: corpus.replace('_', "-"),
        title: corpus.to_owned(),
        publisher: String::new(),
        language: language.to_owned(),
        start: vec!["http://127.0.0.1/".to_owned()],
        sitemaps: Vec::new(),
        allow: Vec::new(),
        deny: Vec::new(),
        follow_links: true,
        listings: Vec::new(),
        probe_twice: false,
        private_hosts: Vec::new(),
        content: vec![content.to_owned()],
        exclude: Vec::new(),
        items,
        politeness: Politeness::default(),
        fields: fields(),
    }
}

fn pages(corpus: &str, source: &Source, keys: &BTreeSet<String>) -> Vec<TestPage> {
    let base = shared().join("corpus").join(corpus).join("bulk");
    let routes: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(base.join("routes.json")).unwrap()).unwrap();
    keys.iter()
        .filter_map(|key| {
            let route = &routes["routes"][key];
            let bytes = std::fs::read(base.join(route["file"].as_str().unwrap())).unwrap();
            let label = route["charset"].as_str().unwrap_or("utf-8");
            let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
            let (html, _, _) = encoding.decode(&bytes);
            // A page without the content element is the crawl's to report, not ours to read.
            let page = read_page(&html, source).ok()?;
            Some(TestPage { key: key.clone(), page })
        })
        .collect()
}

fn ask_for(page: &TestPage, item: &Item, source: &Source) -> Ask {
    Ask {
        format: "countersign.ask/1".into(),
        step: Step::Extract,
        attempt: 1,
        reader: ReaderId { name: "rules".into(), settings: BTreeMap::new() },
        language: source.language.clone(),
        instructions: String::new(),
        fields: source.fields.clone(),
        page_title: page.page.title.clone(),
        heading_path: item.heading_path.clone(),
        text: item.span.slice(&page.page.text).unwrap().to_owned(),
        rows: Vec::new(),
        reasons: Vec::new(),
    }
}

/// Reads a page item by item and puts the rows through the gate.
fn rows_of(page: &TestPage, source: &Source) -> Vec<RowRecord> {
    let indexed = PageText::index(&page.page.text);
    let mut rows = Vec::new();
    for item in &page.page.items {
        let ask = ask_for(page, item, source);
        let reply = extract(&ask);
        for row in &reply.rows {
            assert!(ask.text.contains(&row.snippet), "no slice of the ask: {row:?}");
        }
        let scope = Scope {
            span: Some(item.span),
            page_title: &page.page.title,
            heading_path: &item.heading_path,
            fields: &source.fields,
            language: &source.language,
            ..Scope::default()
        };
        for row in judge(&indexed, &reply, &scope).rows {
            rows.push(record(page, item, &row));
        }
    }
    rows
}

fn record(page: &TestPage, item: &Item, row: &GatedRow) -> RowRecord {
    let status = match row.verdict() {
        Verdict::Pass | Verdict::Repair => RowStatus::Accepted,
        Verdict::Merge => RowStatus::Merged,
        Verdict::Flag => RowStatus::Flagged,
        Verdict::Fail => RowStatus::Dropped,
    };
    RowRecord {
        key: String::new(),
        claim: row.claim().clone(),
        source: String::new(),
        page: page.key.clone(),
        page_title: page.page.title.clone(),
        item: item.key.clone(),
        heading_path: item.heading_path.clone(),
        snapshot: String::new(),
        text: String::new(),
        place: row.place(),
        sentence: row.sentence().to_owned(),
        status,
        verdict: row.verdict(),
        findings: row.findings().to_vec(),
        review: None,
        read_by: "rules/1".into(),
        ask: String::new(),
    }
}

/// Said by the labels' README: these two regulations are labelled in part.
fn covered_parts() -> Coverage {
    let articles = |last: u32| -> Vec<String> {
        let whole = (1..=last).map(|n| format!("art-{n}"));
        let inserted = (1..last).flat_map(|n| (1..4).map(move |m| format!("art-{n}-{m}")));
        whole.chain(inserted).collect()
    };
    let mut status_and_articles = articles(8);
    status_and_articles.push("header".into());
    BTreeMap::from([
        ("/LawClass/LawAll.aspx?pcode=D0050152".into(), articles(12)),
        ("/LawClass/LawAll.aspx?pcode=G0340115".into(), status_and_articles),
    ])
}

fn score_corpus(corpus: &str) -> Score {
    let path = shared().join("gold").join(format!("{corpus}.jsonl"));
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|cause| panic!("labelled rows expected at {}: {cause}", path.display()));
    let mut gold = read_gold(&text).unwrap();
    gold.coverage.extend(covered_parts());
    let source = source(corpus);
    let keys: BTreeSet<String> = gold.labels.iter().map(|it| it.page.clone()).collect();
    let pages = pages(corpus, &source, &keys);
    assert_eq!(pages.len(), keys.len(), "a labelled page could not be read");
    let rows: Vec<RowRecord> = pages.iter().flat_map(|it| rows_of(it, &source)).collect();
    let texts = pages.iter().map(|it| (it.key.clone(), it.page.text.clone())).collect();
    let score = score(&gold, &rows, &texts);
    if let Some(dir) = std::env::var_os("COUNTERSIGN_SCORE_DUMP") {
        let dir = PathBuf::from(dir);
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join(format!("{corpus}.pairs")), dump(&score)).unwrap();
        std::fs::write(dir.join(format!("{corpus}.gate")), dump_gate(&rows)).unwrap();
        for page in &pages {
            let name = page.key.replace(|it: char| !it.is_ascii_alphanumeric(), "_");
            let items: String = page.page.items.iter().map(|it| format!("[{}] ", it.key)).collect();
            std::fs::write(
                dir.join(format!("{corpus}{name}.txt")),
                format!("{items}\n{}", page.page.text),
            )
            .unwrap();
        }
    }
    println!("{corpus}\n{}", render_score(&score));
    score
}

/// Every row the gate did not let through as it is, with the reasons.
fn dump_gate(rows: &[RowRecord]) -> String {
    rows.iter()
        .filter(|it| it.verdict != Verdict::Pass)
        .map(|it| {
            let codes: Vec<String> =
                it.findings.iter().map(|it| format!("{} {}", it.code, it.detail)).collect();
            format!(
                "{} {} | {} {} {} | {} || {}\n",
                it.verdict.as_str(),
                codes.join("; "),
                it.claim.field,
                it.claim.op.as_str(),
                it.claim.value,
                it.page,
                it.claim.snippet
            )
        })
        .collect()
}

fn line(it: &Claim) -> String {
    format!(
        "{} | {} {} {} | j={} f={} | {} || {}",
        it.field,
        it.op.as_str(),
        it.value,
        it.unit.clone().unwrap_or_default(),
        it.join.map_or("", |it| it.as_str()),
        it.force.map_or("", |it| it.as_str()),
        it.subject,
        it.snippet.replace('\n', "⏎")
    )
}

fn dump(score: &Score) -> String {
    let mut pairs: Vec<&Pair> = score.pairs.iter().collect();
    pairs.sort_by_key(|it| it.page.clone());
    let mut out = String::new();
    for pair in pairs {
        let head = match (&pair.label, &pair.row) {
            (Some(_), Some(_)) if pair.wrong.is_empty() => "OK".to_owned(),
            (Some(_), Some(_)) => format!("WRONG[{}]", pair.wrong.join(",")),
            (Some(_), None) => "MISSED".to_owned(),
            _ => "EXTRA".to_owned(),
        };
        out.push_str(&format!(
            "{head}{} {}\n",
            if pair.is_unsure { " unsure" } else { "" },
            pair.page
        ));
        if let Some(label) = &pair.label {
            out.push_str(&format!("   gold {}\n", line(label)));
        }
        if let Some(row) = &pair.row {
            out.push_str(&format!("   row  {}\n", line(row)));
        }
    }
    out
}

/// Pages of a corpus that answer with HTML of their own.
fn all_keys(corpus: &str) -> BTreeSet<String> {
    let base = shared().join("corpus").join(corpus).join("bulk");
    let routes: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(base.join("routes.json")).unwrap()).unwrap();
    let routes = routes["routes"].as_object().unwrap();
    let is_page = |key: &str| corpus == "va" || key.contains("pcode=");
    routes
        .iter()
        .filter(|(key, route)| is_page(key) && route["type"] == "text/html")
        .map(|(key, _)| key.clone())
        .collect()
}

#[test]
fn every_page_is_read_into_exact_quotes_the_same_way_twice() {
    for corpus in ["va", "twlaw", "twlaw_en"] {
        let source = source(corpus);
        let pages = pages(corpus, &source, &all_keys(corpus));
        let mut n_rows = 0;
        let mut listing = String::new();
        for page in &pages {
            for item in &page.page.items {
                let ask = ask_for(page, item, &source);
                let reply = extract(&ask);
                assert_eq!(reply, extract(&ask), "{} {}", page.key, item.key);
                for row in &reply.rows {
                    assert!(ask.text.contains(&row.snippet), "{} {row:?}", page.key);
                    listing.push_str(&format!("{} [{}] {}\n", page.key, item.key, line(row)));
                }
                n_rows += reply.rows.len();
            }
        }
        println!("{corpus}: {} pages, {n_rows} rows", pages.len());
        assert!(n_rows > 10 * pages.len(), "{corpus}: {n_rows} rows");
        if let Some(dir) = std::env::var_os("COUNTERSIGN_SCORE_DUMP") {
            std::fs::write(PathBuf::from(dir).join(format!("{corpus}.all")), listing).unwrap();
        }
    }
}

fn assert_useful(score: &Score) {
    assert!(score.all.f1() > 0.5, "located F1 {:.3}", score.all.f1());
}

#[test]
fn va() {
    assert_useful(&score_corpus("va"));
}

#[test]
fn twlaw() {
    assert_useful(&score_corpus("twlaw"));
}

#[test]
fn twlaw_en() {
    assert_useful(&score_corpus("twlaw_en"));
}
