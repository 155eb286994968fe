//! How the time to read hostile text grows with its length: every reader, every hostile unit.
//!
//! Run with `cargo bench --bench growth`. A text eight times as long should take about eight times as
//! long; units above sixteen times are printed. It measures and prints; it never fails a build.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use countersign::ask::reply::parse_extract_reply;
use countersign::gate::judge::judge_parsed;
use countersign::gate::page::PageText;
use countersign::gate::scope::Scope;
use countersign::model::ask::{Ask, ReaderId, Step};
use countersign::model::source::{Field, FieldKind};
use countersign::reader::extract::extract;
use countersign::reader::review::review;
use countersign::text::amounts::quantity::read_all;
use countersign::text::blocks::outline::read_outline;
use countersign::text::glyphs::fold::{Folding, fold_as};
use countersign::text::joins::connective::enumerations_in;
use countersign::text::markers::machine::machine_directed;
use countersign::text::markers::marker::markers_in;
use countersign::text::sentence::read_sentences;
use countersign::text::span::Span;

#[path = "../fuzz/src/hostile.rs"]
mod hostile;
#[path = "../tests/support/hostile_units.rs"]
mod hostile_units;

use hostile::{HOSTILE, filled};
use hostile_units::{ASKS, NUMBERS, TEXTS};

/// Bytes of the shorter text; the longer one has eight times as many.
const SHORT: usize = 16 << 10;

fn main() {
    println!("{:<12} {:<28} {:>10} {:>10} {:>7}", "reader", "unit", "short", "long", "times");
    for (name, units, work) in [
        ("numbers", NUMBERS, numbers as fn(&str)),
        ("structure", TEXTS, structure),
        ("extract", ASKS, rules),
    ] {
        let texts = units
            .iter()
            .map(|it| (format!("{it:?}"), repeated(it, SHORT), repeated(it, 8 * SHORT)));
        grow(name, texts, work);
    }
    let texts = HOSTILE
        .iter()
        .map(|(name, unit)| ((*name).to_owned(), filled(unit, SHORT), filled(unit, 8 * SHORT)));
    grow("gate", texts, gate);
}

fn repeated(unit: &str, bytes: usize) -> String {
    unit.repeat(bytes / unit.len())
}

/// The slowest growth of a reader, and every unit that grows faster than it should.
fn grow(name: &str, texts: impl Iterator<Item = (String, String, String)>, work: fn(&str)) {
    let mut found: Vec<(f64, String, Duration, Duration)> = texts
        .map(|(unit, short, long)| {
            let (short, long) = (best_of_three(&short, work), best_of_three(&long, work));
            (long.as_secs_f64() / short.as_secs_f64().max(1e-6), unit, short, long)
        })
        .collect();
    found.sort_by(|one, other| other.0.total_cmp(&one.0));
    for (at, (times, unit, short, long)) in found.iter().enumerate() {
        if at == 0 || 16.0 < *times {
            let ms = |it: &Duration| format!("{:.1} ms", it.as_secs_f64() * 1_000.0);
            println!("{name:<12} {unit:<28} {:>10} {:>10} {times:>7.1}", ms(short), ms(long));
        }
    }
}

fn best_of_three(text: &str, work: fn(&str)) -> Duration {
    let time = || {
        let began = Instant::now();
        work(text);
        began.elapsed()
    };
    time().min(time()).min(time())
}

fn numbers(text: &str) {
    std::hint::black_box(read_all(text));
}

fn structure(text: &str) {
    let whole = Span::new(0, text.len());
    let outline = read_outline(text);
    for it in &read_sentences(text, &outline) {
        std::hint::black_box(enumerations_in(text, *it));
    }
    std::hint::black_box((markers_in(text, whole), machine_directed(text)));
    for folding in [Folding::Presentation, Folding::Case, Folding::Words, Folding::Script] {
        std::hint::black_box(fold_as(text, folding).find_all("a quote 引文"));
    }
}

fn rules(text: &str) {
    let mut ask = ask_about(text);
    ask.rows = extract(&ask).rows;
    std::hint::black_box(review(&ask));
}

/// Three rows: one that is there, one over a long stretch, one that is absent.
fn gate(text: &str) {
    let at = |from: usize| (from..=text.len()).find(|it| text.is_char_boundary(*it)).unwrap_or(0);
    let quotes = [
        &text[..at(60)],
        &text[at(text.len() / 2)..at(text.len() / 2 + 200)],
        "a quote that is absent 9",
    ];
    let rows: Vec<serde_json::Value> = quotes
        .iter()
        .map(|it| serde_json::json!({ "id": "r", "subject": "the fee", "field": "f", "op": ">=", "value": 9, "unit": "USD", "snippet": it }))
        .collect();
    let parsed = parse_extract_reply(&serde_json::json!({ "rows": rows }).to_string(), "");
    std::hint::black_box(judge_parsed(&PageText::index(text), &parsed, &Scope::default()));
}

fn ask_about(text: &str) -> Ask {
    let field = |name: &str, kind: FieldKind| Field {
        name: name.into(),
        kind,
        unit: None,
        description: "Age, income, amount. 年齡、所得、金額。".into(),
        examples: Vec::new(),
    };
    Ask {
        format: "countersign.ask/1".into(),
        step: Step::Extract,
        attempt: 1,
        reader: ReaderId { name: "rules".into(), settings: BTreeMap::new() },
        language: "en".into(),
        instructions: String::new(),
        fields: vec![field("age", FieldKind::Number), field("amount", FieldKind::Money)],
        page_title: "Ferry help".into(),
        heading_path: vec!["Who can apply".into()],
        text: text.into(),
        rows: Vec::new(),
        reasons: Vec::new(),
    }
}
