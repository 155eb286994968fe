//! What is fuzzed: the reply parser, the number reader, the whole gate, each with what must hold of
//! any input. Used by the fuzzer (`fuzz/fuzz_targets`) and by the ordinary tests
//! (`tests/it/fuzz.rs`), so that both try the same.

use countersign::ask::reply::{parse_extract_reply, parse_review_reply};
use countersign::gate::contract::judgement_json;
use countersign::gate::judge::judge_parsed;
use countersign::gate::page::PageText;
use countersign::gate::row::Judgement;
use countersign::gate::scope::Scope;
use countersign::model::finding::Verdict;
use countersign::text::amounts::quantity::read_all;
use countersign::text::dates::date::read_dates;
use countersign::text::numbers::number::read_numbers;

/// A function that takes any bytes and panics where something does not hold.
pub type Target = fn(&[u8]);

/// The targets by name.
pub const TARGETS: &[(&str, Target)] = &[("reply", reply), ("numbers", numbers), ("gate", gate)];

/// Between the page and the reply in an input of [`gate`].
pub const BORDER: u8 = 0;

/// Any bytes as a model's reply: read without panic, every row at a place that exists.
pub fn reply(data: &[u8]) {
    let raw = String::from_utf8_lossy(data);
    for finish in ["", "length"] {
        let parsed = parse_extract_reply(&raw, finish);
        let rows = parsed.reply.rows.len();
        assert!(parsed.malformed.iter().all(|it| it.after <= rows));
        assert!(parsed.malformed.is_sorted_by_key(|it| it.after));
        assert!(parsed.docs.iter().all(|it| it.first <= it.end && it.end <= rows));
        assert!(finish.is_empty() || parsed.is_truncated);
        assert_eq!(parsed, parse_extract_reply(&raw, finish));
        let review = parse_review_reply(&raw, finish);
        assert_eq!(review, parse_review_reply(&raw, finish));
    }
}

/// Any bytes as a text: numbers, dates and quantities stand where they say, in order.
pub fn numbers(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut end = 0;
    for it in read_numbers(&text) {
        assert!(it.span.slice(&text).is_some_and(|it| !it.is_empty()), "{it:?}");
        assert!(end <= it.span.start, "{it:?} begins before {end}");
        end = it.span.end;
        let _ = (it.percent(), it.ratio(), it.is_value());
    }
    for it in read_dates(&text) {
        assert!(it.span.slice(&text).is_some_and(|it| !it.is_empty()), "{it:?}");
    }
    let readings = read_all(&text);
    for it in &readings.quantities {
        assert!(it.span.slice(&text).is_some(), "{it:?}");
        let parts = it.numbers.iter().map(|it| it.span).chain(it.unit_span);
        assert!(parts.into_iter().all(|it| it.slice(&text).is_some()), "{it:?}");
    }
}

/// A page, a NUL, a reply: every row comes out once, in order; what is stored stands on the page.
pub fn gate(data: &[u8]) {
    let cut = data.iter().position(|it| *it == BORDER).unwrap_or(data.len());
    let text = String::from_utf8_lossy(&data[..cut]).into_owned();
    let raw = String::from_utf8_lossy(data.get(cut + 1..).unwrap_or_default());
    let parsed = parse_extract_reply(&raw, "");
    let page = PageText::index(&text);
    let scope = Scope::default();
    let judged = judge_parsed(&page, &parsed, &scope);
    assert_eq!(judged.rows.len(), parsed.reply.rows.len() + parsed.malformed.len());
    check_rows(&text, &judged);
    let mut end = 0;
    for it in &judged.ledger.entries {
        assert!(it.span.slice(&text).is_some() && end <= it.span.start, "{it:?}");
        end = it.span.end;
    }
    assert_eq!(judged, judge_parsed(&page, &parsed, &scope), "judged twice");
    let strict = judge_parsed(&page, &parsed, &Scope { is_strict: true, ..scope });
    for (row, strict) in judged.rows.iter().zip(&strict.rows) {
        assert_ne!(strict.verdict(), Verdict::Repair);
        assert!(row.verdict() <= strict.verdict());
    }
    let _ = judgement_json(&judged).to_string();
}

fn check_rows(text: &str, judged: &Judgement) {
    for row in &judged.rows {
        assert_eq!(row.findings().is_empty(), row.verdict() == Verdict::Pass);
        let Some(place) = row.place() else {
            assert_eq!(row.verdict(), Verdict::Fail, "a row without a place stands: {row:?}");
            continue;
        };
        assert_eq!(place.bytes.slice(text), Some(row.claim().snippet.as_str()));
        let chars = text.chars().skip(place.chars.start).take(place.chars.len());
        assert!(chars.eq(row.claim().snippet.chars()), "{row:?}");
    }
}
