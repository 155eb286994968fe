//! The built-in reader against rows labelled by hand on real pages.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use countersign::model::ask::{Ask, ReaderId, Step};
use countersign::model::finding::Verdict;
use countersign::model::row::{Place, RowRecord, RowStatus};
use countersign::model::source::Field;
use countersign::reader::extract::extract;
use countersign::score::label::{Gold, read_gold};
use countersign::score::table::render_score;
use countersign::score::tally::{Pair, Score, score};
use countersign::text::span::{CharMap, Span};
use scraper::{ElementRef, Html, Node, Selector};

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

/// Tag strip until page reading lands.
fn canonical(html: &str) -> String {
    let doc = Html::parse_document(html);
    let main = doc.select(&Selector::parse("main").unwrap()).next().unwrap();
    let mut out = String::new();
    block(main, 0, &mut out);
    out.replace("\n\n\n", "\n\n")
}

fn inline(el: ElementRef, out: &mut String) {
    for child in el.children() {
        match child.value() {
            Node::Text(t) => out.push_str(t),
            Node::Element(e) => {
                if e.name() == "br" {
                    out.push('\u{1}');
                } else if !["ul", "ol", "script", "style", "table", "p", "div"].contains(&e.name())
                {
                    inline(ElementRef::wrap(child).unwrap(), out);
                }
            }
            _ => {}
        }
    }
}

fn fold(text: &str) -> String {
    let text = text
        .split(|c: char| c.is_ascii_whitespace())
        .filter(|s| !s.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    text.split('\u{1}').map(str::trim).filter(|s| !s.is_empty()).collect::<Vec<_>>().join("\n")
}

fn block(el: ElementRef, depth: usize, out: &mut String) {
    let pad = "  ".repeat(depth);
    let mut buffer = String::new();
    let flush = |buffer: &mut String, out: &mut String| {
        let text = fold(buffer);
        if !text.is_empty() {
            out.push_str(&format!("\n{pad}{}\n", text.replace('\n', &format!("\n{pad}"))));
        }
        buffer.clear();
    };
    for child in el.children() {
        let Some(c) = ElementRef::wrap(child) else {
            if let Node::Text(t) = child.value() {
                buffer.push_str(t);
            }
            continue;
        };
        let name = c.value().name().to_owned();
        let class = c.value().attr("class").unwrap_or("").to_owned();
        match name.as_str() {
            "script" | "style" | "noscript" | "template" => {}
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                flush(&mut buffer, out);
                let mut t = String::new();
                inline(c, &mut t);
                let level = name[1..].parse::<usize>().unwrap();
                out.push_str(&format!(
                    "\n{} {}\n\n",
                    "#".repeat(level),
                    fold(&t).replace('\n', " ")
                ));
            }
            "div" if class == "col-no" => {
                let mut t = String::new();
                inline(c, &mut t);
                out.push_str(&format!("\n## {}\n\n", fold(&t)));
            }
            "ul" | "ol" => {
                flush(&mut buffer, out);
                if out.ends_with("\n\n") {
                    out.pop();
                }
                for (i, li) in c.children().filter_map(ElementRef::wrap).enumerate() {
                    let mut t = String::new();
                    inline(li, &mut t);
                    let mark = if name == "ol" { format!("{}.", i + 1) } else { "-".into() };
                    out.push_str(&format!(
                        "{pad}{mark} {}\n",
                        fold(&t).replace('\n', &format!("\n{pad}  "))
                    ));
                    let nested = Html::parse_fragment("");
                    let _ = nested;
                    for inner in li.children().filter_map(ElementRef::wrap) {
                        if ["ul", "ol", "p", "div", "table"].contains(&inner.value().name()) {
                            wrap(inner, depth + 1, out);
                        }
                    }
                }
                out.push('\n');
            }
            "table" => {
                flush(&mut buffer, out);
                for tr in c.select(&Selector::parse("tr").unwrap()) {
                    let cells: Vec<String> = tr
                        .children()
                        .filter_map(ElementRef::wrap)
                        .map(|cell| {
                            let mut t = String::new();
                            inline(cell, &mut t);
                            fold(&t).replace('\n', " ")
                        })
                        .collect();
                    out.push_str(&format!("| {} |\n", cells.join(" | ")));
                    if tr
                        .children()
                        .filter_map(ElementRef::wrap)
                        .all(|cell| cell.value().name() == "th")
                    {
                        out.push_str(&format!("|{}\n", " --- |".repeat(cells.len())));
                    }
                }
                out.push('\n');
            }
            "p" | "div" | "section" | "article" | "button" | "li" => {
                flush(&mut buffer, out);
                wrap(c, depth, out);
            }
            "br" => buffer.push('\u{1}'),
            _ => {
                inline(c, &mut buffer);
            }
        }
    }
    flush(&mut buffer, out);
}

fn wrap(c: ElementRef, depth: usize, out: &mut String) {
    block(c, depth, out);
}

struct TestPage {
    key: String,
    title: String,
    text: String,
}

fn pages(corpus: &str, gold: &Gold) -> Vec<TestPage> {
    let base = shared().join("corpus").join(corpus).join("bulk");
    let routes: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(base.join("routes.json")).unwrap()).unwrap();
    let mut keys: Vec<&String> = gold.labels.iter().map(|it| &it.page).collect();
    keys.sort();
    keys.dedup();
    keys.into_iter()
        .map(|key| {
            let file = routes["routes"][key]["file"].as_str().unwrap();
            let bytes = std::fs::read(base.join(file)).unwrap();
            let charset = routes["routes"][key]["charset"].as_str().unwrap();
            let encoding = encoding_rs::Encoding::for_label(charset.as_bytes()).unwrap();
            let (html, _, _) = encoding.decode(&bytes);
            let text = canonical(&html);
            let title = text
                .lines()
                .find(|l| l.starts_with("# "))
                .unwrap_or("")
                .trim_start_matches("# ")
                .to_owned();
            TestPage { key: key.clone(), title, text }
        })
        .collect()
}

/// Sections under each heading.
fn items(text: &str) -> Vec<(String, Vec<String>, Span)> {
    let mut items: Vec<(String, Vec<String>, Span)> = Vec::new();
    let mut path: Vec<(usize, String)> = Vec::new();
    let mut start = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let level = line.chars().take_while(|&c| c == '#').count();
        if level > 0 && line[level..].starts_with(' ') {
            if at > start {
                items.push((
                    path.last().map(|p| p.1.clone()).unwrap_or_default(),
                    path.iter().map(|p| p.1.clone()).collect(),
                    Span::new(start, at),
                ));
            }
            path.retain(|p| p.0 < level);
            path.push((level, line[level..].trim().to_owned()));
            start = at;
        }
        at += line.len();
    }
    items.push((
        path.last().map(|p| p.1.clone()).unwrap_or_default(),
        path.iter().map(|p| p.1.clone()).collect(),
        Span::new(start, at),
    ));
    items
}

fn rows_of(page: &TestPage, language: &str) -> Vec<RowRecord> {
    let fields = fields();
    let chars = CharMap::new(&page.text);
    let mut rows = Vec::new();
    for (key, heading_path, span) in items(&page.text) {
        let text = span.slice(&page.text).unwrap();
        let ask = Ask {
            format: "countersign.ask/1".into(),
            step: Step::Extract,
            attempt: 1,
            reader: ReaderId { name: "rules".into(), settings: BTreeMap::new() },
            language: language.into(),
            instructions: String::new(),
            fields: fields.clone(),
            page_title: page.title.clone(),
            heading_path: heading_path.clone(),
            text: text.to_owned(),
            rows: Vec::new(),
            reasons: Vec::new(),
        };
        let reply = extract(&ask);
        let mut from = 0;
        for claim in reply.rows {
            let at = text[from..]
                .find(&claim.snippet)
                .map(|it| from + it)
                .or_else(|| text.find(&claim.snippet))
                .unwrap();
            from = if text[at..].len() > 0 { at } else { from };
            let bytes = Span::new(at, at + claim.snippet.len()).shifted(span.start);
            rows.push(RowRecord {
                key: String::new(),
                source: "t".into(),
                page: page.key.clone(),
                page_title: page.title.clone(),
                item: key.clone(),
                heading_path: heading_path.clone(),
                snapshot: String::new(),
                text: String::new(),
                place: Some(Place { bytes, chars: chars.char_span(&page.text, bytes) }),
                sentence: String::new(),
                status: RowStatus::Accepted,
                verdict: Verdict::Pass,
                findings: Vec::new(),
                review: None,
                read_by: "rules/1".into(),
                ask: String::new(),
                claim,
            });
        }
    }
    rows
}

fn score_corpus(corpus: &str, language: &str) -> Score {
    let path = shared().join("gold").join(format!("{corpus}.jsonl"));
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|cause| panic!("labelled rows expected at {}: {cause}", path.display()));
    let mut gold = read_gold(&text).unwrap();
    // Said by the labels' README: these two pages are labelled in part.
    let articles = |to: usize| -> Vec<String> {
        (1..=to)
            .flat_map(|n| [format!("art-{n}"), format!("第 {n} 條")])
            .chain((1..to).map(|n| format!("第 {n}-1 條")))
            .collect()
    };
    gold.coverage.insert("/LawClass/LawAll.aspx?pcode=D0050152".into(), articles(12));
    gold.coverage.insert("/LawClass/LawAll.aspx?pcode=G0340115".into(), {
        let mut items = articles(8);
        items.push("所得基本稅額條例".into());
        items
    });
    let pages = pages(corpus, &gold);
    let rows: Vec<RowRecord> = pages.iter().flat_map(|it| rows_of(it, language)).collect();
    let texts = pages.iter().map(|it| (it.key.clone(), it.text.clone())).collect();
    if let Some(dir) = std::env::var_os("COUNTERSIGN_SCORE_DUMP") {
        let dir = PathBuf::from(dir);
        std::fs::create_dir_all(&dir).unwrap();
        for page in &pages {
            let name: String =
                page.key.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
            std::fs::write(dir.join(format!("{corpus}_{name}.txt")), &page.text).unwrap();
        }
    }
    let score = score(&gold, &rows, &texts);
    if let Some(dir) = std::env::var_os("COUNTERSIGN_SCORE_DUMP") {
        std::fs::write(PathBuf::from(dir).join(format!("{corpus}.pairs")), dump(&score)).unwrap();
    }
    println!("{corpus}\n{}", render_score(&score));
    score
}

fn dump(score: &Score) -> String {
    let claim = |it: &countersign::model::claim::Claim| {
        format!(
            "{} | {} {} {} | j={} f={} | {} || {}",
            it.field,
            it.op.as_str(),
            it.value,
            it.unit.clone().unwrap_or_default(),
            it.join.map_or("", |j| j.as_str()),
            it.force.map_or("", |j| j.as_str()),
            it.subject,
            it.snippet.replace('\n', "⏎")
        )
    };
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
            out.push_str(&format!("   gold {}\n", claim(label)));
        }
        if let Some(row) = &pair.row {
            out.push_str(&format!("   row  {}\n", claim(row)));
        }
    }
    out
}

#[test]
fn va() {
    let score = score_corpus("va", "en");
    assert!(score.all.f1() > 0.5, "located F1 {:.3}", score.all.f1());
}

#[test]
fn twlaw() {
    let score = score_corpus("twlaw", "zh-Hant");
    assert!(score.all.f1() > 0.5, "located F1 {:.3}", score.all.f1());
}

#[test]
fn twlaw_en() {
    let score = score_corpus("twlaw_en", "en");
    assert!(score.all.f1() > 0.5, "located F1 {:.3}", score.all.f1());
}
