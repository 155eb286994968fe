//! Writes the report of a run as one HTML page; never a script, a picture or a link that loads
//! anything by itself.

use std::collections::BTreeMap;
use std::io;
use std::sync::LazyLock;

use askama::Template;

use crate::gate::sentences::ledger::Ledger;
use crate::model::explain::explain;
use crate::model::finding::Code;
use crate::model::row::RowRecord;
use crate::model::run::{Cost, Range};
use crate::model::sheet::{SheetFacts, SheetLanguage};
use crate::report::page::{PageView, ReportPage, page_view};
use crate::report::sums::{Sum, sums_of};
use crate::report::words::Words;

/// Everything a report is made from.
#[derive(Clone, Copy, Debug)]
pub struct ReportInput<'a> {
    pub facts: &'a SheetFacts,
    /// All rows of the run.
    pub rows: &'a [RowRecord],
    /// The pages with their text and ledger; a page that only rows name is added without text.
    pub pages: &'a [ReportPage<'a>],
}

/// Writes the page as it is filled in; only one page of the source is held at a time. The same input
/// gives the same text.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_report(input: &ReportInput, out: &mut dyn io::Write) -> io::Result<()> {
    let (facts, language) = (input.facts, input.facts.language);
    let titles: Vec<&str> = facts.sources.iter().map(|it| it.title.as_str()).collect();
    let title = titles.join(language.pick([", ", "、"]));
    let title = format!("{}{title}", language.pick(["Report: ", "報告："]));
    let readers: Vec<String> =
        facts.summary.readers.iter().map(|(step, who)| format!("{step}: {who}")).collect();
    let page = RunPage {
        lang: language.tag(),
        title: &title,
        subtitle: &format!("{} · {} · {}", facts.summary.run, facts.issued_at, readers.join(", ")),
        no_model: no_model(facts),
        words: Words::of(language),
        sums: sums_of(&facts.summary, input.rows.len() as u64, language),
        money: money(&facts.summary.cost, language),
        findings: findings(input.rows, language),
        pages: Pages::of(input),
        footer: language.pick([
            "Every quote is an exact slice of the page as it was read. Nothing here is approved until it is signed.",
            "所有引文皆為讀取當時網頁的原文。簽核之前，本報告內容均未核准。",
        ]),
    };
    page.write_into(out)
}

#[derive(Template)]
#[template(path = "run.html")]
struct RunPage<'a> {
    lang: &'a str,
    title: &'a str,
    subtitle: &'a str,
    no_model: Option<&'a str>,
    words: Words,
    sums: Vec<Sum>,
    money: Vec<MoneyView>,
    findings: Vec<FindingView>,
    pages: Pages<'a>,
    footer: &'a str,
}

/// The money of one step of one source.
struct MoneyView {
    source: String,
    step: String,
    calls: u64,
    actual: String,
    estimated: String,
}

/// Estimate against actual, by source and step, and the whole; empty where nothing costs anything.
fn money(cost: &Cost, language: SheetLanguage) -> Vec<MoneyView> {
    let range =
        |it: &Range| format!("{} / {} / {} {}", it.low, it.expected, it.high, cost.currency);
    let mut lines = Vec::new();
    for (source, steps) in &cost.sources {
        for (step, it) in steps {
            let name = match step.as_str() {
                "extract" => language.pick(["first reading", "初讀"]),
                _ => language.pick(["review", "審查"]),
            };
            lines.push(MoneyView {
                source: source.clone(),
                step: name.to_owned(),
                calls: it.calls,
                actual: format!("{} {}", it.actual, cost.currency),
                estimated: range(&it.estimate),
            });
        }
    }
    if !lines.is_empty() {
        lines.push(MoneyView {
            source: language.pick(["All", "合計"]).to_owned(),
            step: String::new(),
            calls: lines.iter().map(|it| it.calls).sum(),
            actual: format!("{} {}", cost.actual, cost.currency),
            estimated: range(&cost.estimate),
        });
    }
    lines
}

struct FindingView {
    code: Code,
    seen: &'static str,
    look: &'static str,
    count: u64,
}

fn no_model(facts: &SheetFacts) -> Option<&'static str> {
    facts.no_model_was_used().then(|| {
        facts.language.pick([
            "No AI model was used in this run: the pages were read by built-in rules.",
            "本次未使用任何 AI 模型：網頁由內建規則讀取。",
        ])
    })
}

/// Findings by how often they occur, those with most at stake first.
fn findings(rows: &[RowRecord], language: SheetLanguage) -> Vec<FindingView> {
    let mut counts: BTreeMap<Code, u64> = BTreeMap::new();
    for finding in rows.iter().flat_map(|it| &it.findings) {
        *counts.entry(finding.code).or_default() += 1;
    }
    let mut views: Vec<(u32, FindingView)> = counts
        .into_iter()
        .map(|(code, count)| {
            let words = explain(code, language);
            (words.stake, FindingView { code, seen: words.seen, look: words.look, count })
        })
        .collect();
    views.sort_by_key(|(stake, it)| (std::cmp::Reverse((*stake, it.count)), it.code));
    views.into_iter().map(|it| it.1).collect()
}

/// The pages in order, each made into a view when its turn comes.
struct Pages<'a> {
    facts: &'a SheetFacts,
    pages: BTreeMap<Place<'a>, ReportPage<'a>>,
    /// In the order of the page.
    rows: BTreeMap<Place<'a>, Vec<&'a RowRecord>>,
}

/// Source and address of a page.
type Place<'a> = (&'a str, &'a str);

impl<'a> Pages<'a> {
    fn of(input: &ReportInput<'a>) -> Self {
        static NOTHING: LazyLock<Ledger> = LazyLock::new(Ledger::default);
        let mut rows: BTreeMap<Place<'a>, Vec<&RowRecord>> = BTreeMap::new();
        for row in input.rows {
            rows.entry((&row.source, &row.page)).or_default().push(row);
        }
        for list in rows.values_mut() {
            list.sort_by_key(|it| (it.place.map_or(usize::MAX, |p| p.bytes.start), &it.key));
        }
        let mut pages: BTreeMap<Place<'a>, ReportPage<'a>> =
            input.pages.iter().map(|it| ((it.source, it.url), *it)).collect();
        for ((source, url), list) in &rows {
            let title = list.first().map_or("", |it| it.page_title.as_str());
            let named = ReportPage { source, url, title, text: "", ledger: &NOTHING };
            pages.entry((source, url)).or_insert(named);
        }
        Self { facts: input.facts, pages, rows }
    }

    fn views(&self) -> impl Iterator<Item = PageView> {
        self.pages.iter().map(|(place, page)| {
            page_view(page, self.rows.get(place).map_or(&[], Vec::as_slice), self.facts)
        })
    }
}
