//! The built-in reader against rows labelled by hand on real pages.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use countersign::gate::judge::judge;
use countersign::gate::page::PageText;
use countersign::gate::row::GatedRow;
use countersign::gate::scope::Scope;
use countersign::items::page::read_page;
use countersign::model::ask::{Ask, ReaderId, ReviewWord, Step};
use countersign::model::canonical::CanonicalPage;
use countersign::model::claim::Claim;
use countersign::model::finding::Verdict;
use countersign::model::item::Item;
use countersign::model::row::{RowRecord, RowStatus};
use countersign::model::source::{Field, ItemRule, Source};
use countersign::reader::extract::extract;
use countersign::reader::review::review;
use countersign::score::label::{Coverage, read_gold};
use countersign::score::table::render_score;
use countersign::score::tally::{Pair, Score, score};

pub fn shared() -> PathBuf {
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

pub struct TestPage {
    pub key: String,
    pub page: CanonicalPage,
}

/// A corpus as a source file would declare it.
pub fn source(corpus: &str) -> Source {
    let (language, items, content) = match corpus {
        "va" => ("en", ItemRule::Headings, "main"),
        "twlaw" => ("zh-Hant", ItemRule::Articles, "#pnlContent"),
        _ => ("en", ItemRule::Articles, "#pnlContent"),
    };
    Source {
        title: corpus.to_owned(),
        start: vec!["http://127.0.0.1/".to_owned()],
        content: vec![content.to_owned()],
        items,
        fields: fields(),
        ..Source::new(&corpus.replace('_', "-"), language)
    }
}

pub fn pages(corpus: &str, source: &Source, keys: &BTreeSet<String>) -> Vec<TestPage> {
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

pub fn ask_for(page: &TestPage, item: &Item, source: &Source) -> Ask {
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
        claim: Claim { id: format!("{}/{}", item.key, row.claim().id), ..row.claim().clone() },
        lead_in: String::new(),
        footnotes: String::new(),
        within: Vec::new(),
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

/// The reviewer's words on the rows of a page: (item/row id, word, reason), and what it adds.
fn reviewed(page: &TestPage, source: &Source) -> (Vec<(String, ReviewWord, String)>, Vec<Claim>) {
    let (mut words, mut missing) = (Vec::new(), Vec::new());
    for item in &page.page.items {
        let mut ask = ask_for(page, item, source);
        ask.rows = extract(&ask).rows;
        ask.step = Step::Review;
        let reply = review(&ask);
        assert_eq!(reply.verdicts.len(), ask.rows.len());
        for verdict in reply.verdicts {
            assert!(ask.text.contains(&verdict.snippet), "{verdict:?}");
            words.push((format!("{}/{}", item.key, verdict.id), verdict.verdict, verdict.reason));
        }
        missing.extend(reply.missing);
    }
    (words, missing)
}

/// Errors planted one at a time in right rows: kind, how many, how many the reviewer doubts.
fn planted_errors(corpus: &str, source: &Source, score: &Score) -> Vec<(&'static str, u32, u32)> {
    use countersign::model::claim::{Force, Join, Op, Value};
    type Plant = fn(&Claim) -> Option<Claim>;
    let number: Plant = |it| match &it.value {
        Value::Number(n) => {
            let n = n.as_f64()?;
            let value =
                serde_json::from_str(&format!("{}", if n > 3.0 { n - 1.0 } else { n + 4.0 }))
                    .ok()?;
            Some(Claim { value: Value::Number(value), ..it.clone() })
        }
        _ => None,
    };
    let operator: Plant = |it| {
        let op = match it.op {
            Op::Ge => Op::Gt,
            Op::Gt => Op::Ge,
            Op::Le => Op::Lt,
            Op::Lt => Op::Le,
            _ => return None,
        };
        matches!(it.value, Value::Number(_)).then(|| Claim { op, ..it.clone() })
    };
    let unit: Plant = |it| {
        let unit = match it.unit.as_deref()? {
            "years" => "months",
            "months" => "years",
            "days" => "months",
            "年" | "歲" => "月",
            "月" => "年",
            "日" => "月",
            _ => return None,
        };
        Some(Claim { unit: Some(unit.into()), ..it.clone() })
    };
    let negation: Plant = |it| (it.op == Op::Ne).then(|| Claim { op: Op::Is, ..it.clone() });
    let force: Plant = |it| {
        let force = match it.force? {
            Force::Must => Force::May,
            Force::May => Force::Must,
            _ => return None,
        };
        Some(Claim { force: Some(force), ..it.clone() })
    };
    let join: Plant = |it| {
        let join = if it.join? == Join::Any { Join::All } else { Join::Any };
        Some(Claim { join: Some(join), ..it.clone() })
    };
    let kinds: [(&'static str, Plant); 6] = [
        ("number", number),
        ("operator", operator),
        ("unit", unit),
        ("negation", negation),
        ("force", force),
        ("join", join),
    ];
    let keys: BTreeSet<String> = score.pairs.iter().map(|it| it.page.clone()).collect();
    let mut counts = kinds.map(|(kind, _)| (kind, 0, 0));
    for page in pages(corpus, source, &keys) {
        for item in &page.page.items {
            let mut ask = ask_for(&page, item, source);
            let rows = extract(&ask).rows;
            for (at, (_, plant)) in kinds.iter().enumerate() {
                for planted in 0..rows.len() {
                    let id = format!("{}/{}", item.key, rows[planted].id);
                    let is_right = score.pairs.iter().any(|it| {
                        it.page == page.key
                            && it.row.as_ref().is_some_and(|it| it.id == id)
                            && it.wrong.is_empty()
                            && it.label.is_some()
                    });
                    let Some(bad) = plant(&rows[planted]).filter(|_| is_right) else { continue };
                    ask.rows = rows.clone();
                    ask.rows[planted] = bad;
                    counts[at].1 += 1;
                    counts[at].2 +=
                        u32::from(review(&ask).verdicts[planted].verdict != ReviewWord::Confirmed);
                }
            }
        }
    }
    counts.to_vec()
}

/// Neither a rubber stamp nor noise: few right rows are doubted, most planted errors are.
#[test]
fn the_reviewer_doubts_few_right_rows_and_most_planted_errors() {
    for corpus in ["va", "twlaw", "twlaw_en"] {
        let source = source(corpus);
        let score = score_corpus(corpus);
        let keys: BTreeSet<String> = score.pairs.iter().map(|it| it.page.clone()).collect();
        let mut listing = String::new();
        let (mut right, mut doubted, mut added) = (0, 0, 0);
        for page in pages(corpus, &source, &keys) {
            let (words, missing) = reviewed(&page, &source);
            let by_id: BTreeMap<&str, &(String, ReviewWord, String)> =
                words.iter().map(|it| (it.0.as_str(), it)).collect();
            added += missing.len();
            for row in &missing {
                listing.push_str(&format!("ADDED {} {}\n", page.key, line(row)));
            }
            for pair in score.pairs.iter().filter(|it| it.page == page.key) {
                let is_right = pair.label.is_some()
                    && !pair.wrong.iter().any(|it| it == "value" || it == "op");
                let Some(row) = pair.row.as_ref().filter(|_| is_right) else { continue };
                right += 1;
                let (_, word, reason) = by_id[row.id.as_str()];
                if *word != ReviewWord::Confirmed {
                    doubted += 1;
                    listing.push_str(&format!("{word:?} {reason} {} {}\n", page.key, line(row)));
                }
            }
        }
        println!("{corpus}: {doubted} of {right} right rows doubted, {added} rows added");
        for (kind, planted, caught) in planted_errors(corpus, &source, &score) {
            println!("{corpus}: {kind}: {caught} of {planted} planted errors doubted");
        }
        if let Some(dir) = std::env::var_os("COUNTERSIGN_SCORE_DUMP") {
            std::fs::write(PathBuf::from(dir).join(format!("{corpus}.review")), listing).unwrap();
        }
        assert!(doubted * 100 < 5 * right, "{corpus}: {doubted} of {right} right rows doubted");
    }
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
