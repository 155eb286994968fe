//! Speed of the gate: cost per row on a large page, many small calls on one page, hostile text.
//!
//! Run with `cargo bench --bench gate`; docs/speed.md holds the figures and how they are read. It
//! measures and prints; it never fails a build.

use std::fmt::Write;
use std::time::{Duration, Instant};

use countersign::ask::reply::ParsedExtract;
use countersign::gate::checks::signs::read_signs;
use countersign::gate::judge::judge_parsed;
use countersign::gate::page::PageText;
use countersign::gate::places::index::TokenIndex;
use countersign::gate::scope::Scope;
use countersign::gate::sentences::fate::read_fates;
use countersign::model::ask::ExtractReply;
use countersign::model::claim::{Claim, Op, Value};
use countersign::text::blocks::outline::read_outline;
use countersign::text::numbers::number::read_numbers;
use countersign::text::sentence::read_sentences;

#[path = "../fuzz/src/hostile.rs"]
mod hostile;

use hostile::{HOSTILE, filled};

const MEGABYTE: usize = 1 << 20;

fn main() {
    println!("{:<44} {:>9} {:>12} {:>12}", "what", "size", "index", "judge");
    rows_on_a_large_page();
    many_calls_on_one_page();
    hostile_text(megabytes());
    index_by_part();
    println!("\n{:<44} {:>9} {:>12} {:>12}", "numbers alone", "size", "read", "");
    for (name, unit) in HOSTILE {
        let text = filled(unit, MEGABYTE);
        let (_, took) = timed(|| read_numbers(&text).len());
        line(name, text.len(), took, Duration::ZERO);
    }
}

/// Size of the hostile texts: `cargo bench --bench gate -- 10`.
fn megabytes() -> usize {
    std::env::args().find_map(|it| it.parse().ok()).unwrap_or(1)
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let made = work();
    (made, start.elapsed())
}

fn line(name: &str, size: usize, index: Duration, judge: Duration) {
    let ms = |it: Duration| it.as_secs_f64() * 1_000.0;
    let size = size / 1024;
    println!("{name:<44} {size:>7} K {:>9.1} ms {:>9.1} ms", ms(index), ms(judge));
}

fn row(id: usize, value: i64, unit: &str, subject: String, snippet: String) -> Claim {
    Claim {
        id: format!("r{id}"),
        subject,
        field: "amount".into(),
        op: Op::Eq,
        value: Value::Number(value.into()),
        unit: Some(unit.into()),
        snippet,
        ..Claim::default()
    }
}

/// A page of at least `len` bytes, made section by section, and `n_rows` rows spread over it.
fn page_of(
    len: usize,
    n_rows: usize,
    head: &str,
    section: impl Fn(usize, &mut String) -> Claim,
) -> (String, Vec<Claim>) {
    let (mut text, mut rows) = (head.to_owned(), Vec::new());
    while text.len() < len {
        rows.push(section(rows.len(), &mut text));
    }
    let step = (rows.len() / n_rows).max(1);
    (text, rows.into_iter().step_by(step).take(n_rows).collect())
}

fn english_page(len: usize, n_rows: usize) -> (String, Vec<Claim>) {
    page_of(len, n_rows, "", |at, text| {
        let fee = 20 + i64::try_from(at).unwrap_or_default() * 7 % 9_000;
        let snippet = format!("The fee for berth {at} is ${fee} a month");
        let _ = write!(
            text,
            "## Berth {at}\n\n{snippet}. Owners must moor within {} days \
             unless the harbour office agrees.\n\nYou can keep the berth if any of these apply:\n- you are \
             aged {} or over\n- your boat is shorter than {} metres\n- you work in the harbour\n\n\
             | Boat | Rate |\n| --- | --- |\n| Small {at} | ${} |\n| Large {at} | ${} |\n\n",
            3 + at % 25,
            16 + at % 60,
            4 + at % 30,
            100 + at,
            200 + at,
        );
        row(at, fee, "USD/month", format!("Berth {at}"), snippet)
    })
}

/// One table, and rows that quote its lines.
fn table_page(len: usize, n_rows: usize) -> (String, Vec<Claim>) {
    page_of(len, n_rows, "| Boat | Monthly fee |\n| --- | --- |\n", |at, text| {
        let fee = 20 + i64::try_from(at).unwrap_or_default();
        let snippet = format!("| Boat number {at} | ${fee} |");
        let _ = writeln!(text, "{snippet}");
        row(at, fee, "USD/month", format!("Boat number {at}"), snippet)
    })
}

fn chinese_page(len: usize, n_rows: usize) -> (String, Vec<Claim>) {
    page_of(len, n_rows, "", |at, text| {
        let fee = 200 + i64::try_from(at).unwrap_or_default() * 7 % 9_000;
        let snippet = format!("第 {at} 號船席月費為新臺幣 {fee} 元");
        let _ = write!(
            text,
            "## 第 {at} 號船席\n\n{snippet}。船主應於 {} 日內停泊，但經港務所同意者不在此限。\n\n\
             有下列情形之一者，得續租：\n- 年滿 {} 歲\n- 船長未滿 {} 公尺\n- 受僱於本港\n\n\
             | 船型 | 費率 |\n| --- | --- |\n| 小船 {at} | {} 元 |\n| 大船 {at} | {} 元 |\n\n",
            3 + at % 25,
            16 + at % 60,
            4 + at % 30,
            100 + at,
            200 + at,
        );
        row(at, fee, "元/月", format!("第 {at} 號船席"), snippet)
    })
}

/// Where the time of indexing goes.
fn index_by_part() {
    println!("\n{:<44} {:>9} {:>12} {:>12}", "index by part", "size", "", "");
    for (name, text) in
        [("English", english_page(MEGABYTE, 1).0), ("Chinese", chinese_page(MEGABYTE, 1).0)]
    {
        let (outline, took) = timed(|| read_outline(&text));
        line(&format!("{name}: outline"), text.len(), took, Duration::ZERO);
        let (_, took) = timed(|| TokenIndex::new(&text));
        line(&format!("{name}: words"), text.len(), took, Duration::ZERO);
        let (_, took) = timed(|| read_signs(&text, MEGABYTE, &outline));
        line(&format!("{name}: signs"), text.len(), took, Duration::ZERO);
        let (sentences, took) = timed(|| read_sentences(&text, &outline));
        line(&format!("{name}: sentences"), text.len(), took, Duration::ZERO);
        let (_, took) = timed(|| read_fates(&text, &outline, &sentences));
        line(&format!("{name}: what each sentence is"), text.len(), took, Duration::ZERO);
    }
}

fn parsed(rows: Vec<Claim>) -> ParsedExtract {
    ParsedExtract::from(ExtractReply { rows, groups: Vec::new() })
}

fn rows_on_a_large_page() {
    type Make = fn(usize, usize) -> (String, Vec<Claim>);
    let makers: [(&str, Make); 2] = [("English", english_page), ("Chinese", chinese_page)];
    for (name, make) in makers {
        for (len, n_rows) in [(MEGABYTE / 16, 100), (MEGABYTE, 1_000), (4 * MEGABYTE, 1_000)] {
            let (text, rows) = make(len, n_rows);
            let n_rows = rows.len();
            let reply = parsed(rows);
            let (page, index) = timed(|| PageText::index(&text));
            let (judged, judge) = timed(|| judge_parsed(&page, &reply, &Scope::default()));
            let clear = judged.rows.iter().filter(|it| it.is_clear()).count();
            let what = format!("{name}: {n_rows} rows, {clear} clear");
            line(&what, text.len(), index, judge);
        }
    }
    let (text, rows) = table_page(MEGABYTE, 1_000);
    let (page, index) = timed(|| PageText::index(&text));
    let reply = parsed(rows);
    let (_, judge) = timed(|| judge_parsed(&page, &reply, &Scope::default()));
    line("one table of a megabyte: 1000 rows", text.len(), index, judge);
    let (text, mut rows) = english_page(MEGABYTE, 1_000);
    for it in &mut rows {
        it.snippet = it.snippet.replace("berth", "mooring");
    }
    let (page, index) = timed(|| PageText::index(&text));
    let reply = parsed(rows);
    let (_, judge) = timed(|| judge_parsed(&page, &reply, &Scope::default()));
    line("English: 1000 rows whose quotes are absent", text.len(), index, judge);
    let (text, mut rows) = english_page(MEGABYTE, 1_000);
    for it in &mut rows {
        it.snippet = "you work in the harbour".into();
    }
    let (page, index) = timed(|| PageText::index(&text));
    let reply = parsed(rows);
    let (_, judge) = timed(|| judge_parsed(&page, &reply, &Scope::default()));
    line("English: 1000 rows of a quote on all sections", text.len(), index, judge);
}

/// A regulation of 200 articles, each judged three times on its own, as a run does.
fn many_calls_on_one_page() {
    let mut text = String::new();
    let mut items = Vec::new();
    for at in 1..=200 {
        let start = text.len();
        let _ = write!(
            text,
            "第 {at} 條\n\n年滿 {} 歲者，得申請第 {at} 類補助，每月新臺幣 {} 元。但已領有其他補助者，不在此限。\n\n",
            18 + at % 60,
            1_000 + at
        );
        let snippet = format!("得申請第 {at} 類補助，每月新臺幣 {} 元", 1_000 + at);
        let claim =
            row(at, 1_000 + i64::try_from(at).unwrap_or(0), "元/月", String::new(), snippet);
        items.push((countersign::text::span::Span::new(start, text.len()), parsed(vec![claim])));
    }
    let (page, index) = timed(|| PageText::index(&text));
    let (_, judge) = timed(|| {
        for _ in 0..3 {
            for (span, reply) in &items {
                let scope = Scope { span: Some(*span), ..Scope::default() };
                judge_parsed(&page, reply, &scope);
            }
        }
    });
    line("200 articles, 600 calls of one row", text.len(), index, judge);
}

fn hostile_text(megabytes: usize) {
    let full = megabytes * MEGABYTE;
    for (name, unit) in HOSTILE {
        let mut earlier: Option<Duration> = None;
        for len in [full / 4, full] {
            let text = filled(unit, len);
            let mut cut = text.len().min(60);
            while !text.is_char_boundary(cut) {
                cut -= 1;
            }
            let middle = text.len() / 2;
            let middle = (middle..).find(|it| text.is_char_boundary(*it)).unwrap_or(0);
            let mut end = (middle + 200).min(text.len());
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            let rows: Vec<Claim> =
                [&text[..cut], &text[middle..end], "a quote that is not there 9"]
                    .iter()
                    .enumerate()
                    .map(|(at, it)| row(at, 9, "USD", "the fee".into(), (*it).to_owned()))
                    .collect();
            let reply = parsed(rows);
            let (page, index) = timed(|| PageText::index(&text));
            let (_, judge) = timed(|| judge_parsed(&page, &reply, &Scope::default()));
            if len == full {
                let whole = index + judge;
                let ratio =
                    earlier.map_or(0.0, |it| whole.as_secs_f64() / it.as_secs_f64().max(1e-4));
                line(
                    &format!("{name} (x{ratio:.1} for four times the text)"),
                    text.len(),
                    index,
                    judge,
                );
            } else {
                earlier = Some(index + judge);
            }
        }
    }
}
