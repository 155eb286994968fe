//! False alarms: rows that people wrote from real pages are right and must pass the gate.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use countersign::gate::judge::judge;
use countersign::gate::page::PageText;
use countersign::gate::row::Judgement;
use countersign::gate::scope::Scope;
use countersign::items::page::read_page;
use countersign::model::ask::ExtractReply;
use countersign::model::claim::Claim;
use countersign::model::finding::Verdict;
use countersign::model::source::{Field, ItemRule, Source};

pub fn shared() -> PathBuf {
    std::env::var_os("COUNTERSIGN_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from)
}

#[derive(serde::Deserialize)]
struct Label {
    page: String,
    #[serde(default)]
    unsure: bool,
    #[serde(flatten)]
    claim: Claim,
}

#[derive(serde::Deserialize)]
struct FieldList {
    fields: Vec<Field>,
}

pub fn fields() -> Vec<Field> {
    toml::from_str::<FieldList>(include_str!("fields.toml")).unwrap().fields
}

pub fn source(corpus: &str) -> Source {
    Source {
        title: corpus.to_owned(),
        start: vec!["http://example.org/".to_owned()],
        items: if corpus == "va" { ItemRule::Headings } else { ItemRule::Articles },
        fields: fields(),
        ..Source::new(corpus, if corpus == "twlaw" { "zh-Hant" } else { "en" })
    }
}

pub struct LabelledPage {
    pub key: String,
    pub title: String,
    pub text: String,
    pub rows: Vec<Claim>,
}

/// The labelled pages of a corpus with the rows that their labeller was sure of.
pub fn labelled_pages(corpus: &str) -> Vec<LabelledPage> {
    let base = shared().join("corpus").join(corpus).join("bulk");
    let read = |it: PathBuf| std::fs::read(&it).unwrap_or_else(|cause| panic!("{it:?}: {cause}"));
    let routes: serde_json::Value =
        serde_json::from_slice(&read(base.join("routes.json"))).unwrap();
    let gold = read(shared().join("gold").join(format!("{corpus}.jsonl")));
    let mut rows: BTreeMap<String, Vec<Claim>> = BTreeMap::new();
    for line in String::from_utf8(gold).unwrap().lines() {
        let label: Label = serde_json::from_str(line).unwrap();
        if !label.unsure {
            rows.entry(label.page).or_default().push(label.claim);
        }
    }
    let source = source(corpus);
    rows.into_iter()
        .map(|(key, rows)| {
            let route = &routes["routes"][&key];
            let bytes = read(base.join(route["file"].as_str().unwrap()));
            let charset = route["charset"].as_str().unwrap();
            let encoding = encoding_rs::Encoding::for_label(charset.as_bytes()).unwrap();
            let (html, _, _) = encoding.decode(&bytes);
            let page = read_page(&html, &source).unwrap();
            LabelledPage { key, title: page.title, text: page.text, rows }
        })
        .collect()
}

fn judge_page(corpus: &str, page: &LabelledPage) -> Judgement {
    let language = if corpus == "twlaw" { "zh-Hant" } else { "en" };
    let declared = fields();
    let scope = Scope { page_title: &page.title, fields: &declared, language, ..Scope::default() };
    let reply = ExtractReply { rows: page.rows.clone(), groups: Vec::new() };
    judge(&PageText::index(&page.text), &reply, &scope)
}

/// Judges all labelled rows of a corpus; the share refused, in hundredths, and the list of them.
fn false_alarms(corpus: &str) -> (f64, String) {
    let mut list = String::new();
    let mut by_code: BTreeMap<String, usize> = BTreeMap::new();
    let (mut all, mut refused) = (0, 0);
    for page in labelled_pages(corpus) {
        let judgement = judge_page(corpus, &page);
        println!("{} {:?} {:?}", page.key, judgement.page.state, judgement.ledger.counts());
        for it in &judgement.page.findings {
            println!("    {}: {}", it.code, it.detail);
        }
        for it in judgement.ledger.omissions() {
            println!("  open {}", page.text[it.start..it.end].replace('\n', " "));
        }
        for row in &judgement.rows {
            all += 1;
            if row.verdict() < Verdict::Flag {
                continue;
            }
            refused += 1;
            let claim = row.claim();
            list.push_str(&format!(
                "{} {} {} {} {} {:?} {:?} join {:?} force {:?} | {} | {}\n",
                page.key,
                claim.id,
                row.verdict().as_str(),
                claim.field,
                claim.op.as_str(),
                claim.value.to_string(),
                claim.unit,
                claim.join,
                claim.force,
                claim.subject,
                claim.snippet,
            ));
            for finding in row.findings() {
                *by_code.entry(finding.code.to_string()).or_default() += 1;
                list.push_str(&format!("    {}: {}\n", finding.code, finding.detail));
            }
        }
    }
    let share = 100.0 * f64::from(refused) / f64::from(all);
    let summary = format!("{corpus}: {refused} of {all} refused ({share:.1} in 100) {by_code:?}");
    println!("{list}{summary}");
    (share, summary)
}

#[test]
fn fewer_than_three_in_a_hundred_right_rows_are_refused() {
    let all = ["va", "twlaw", "twlaw_en"].map(false_alarms);
    for (share, summary) in all {
        assert!(share < 3.0, "{summary}");
    }
}

/// For looking at the texts that the labels are judged on: `DUMP=folder`.
#[test]
fn labelled_pages_are_read() {
    for corpus in ["va", "twlaw", "twlaw_en"] {
        let pages = labelled_pages(corpus);
        assert!(!pages.is_empty());
        for (at, page) in pages.iter().enumerate() {
            assert!(!page.text.is_empty(), "{}", page.key);
            if let Some(dir) = std::env::var_os("DUMP") {
                let path = Path::new(&dir).join(format!("{corpus}-{at:02}.txt"));
                std::fs::write(path, format!("{}\n{}", page.key, page.text)).unwrap();
            }
        }
    }
}
