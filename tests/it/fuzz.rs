//! The fuzz targets on seeded random inputs: the same inputs on every machine and in every run.
//!
//! `COUNTERSIGN_FUZZ_ROUNDS` asks for more inputs a target than a plain run tries.

use std::panic::catch_unwind;

use countersign::gate::judge::judge_parsed;
use countersign::gate::page::PageText;
use countersign::gate::scope::Scope;
use countersign::plant::dice::Dice;
use serde_json::{Value as Json, json};

#[path = "../../fuzz/src/hostile.rs"]
mod hostile;
#[path = "../../fuzz/src/targets.rs"]
mod targets;

use hostile::{HOSTILE, filled};
use targets::{BORDER, TARGETS};

/// Texts and rows of every kind, to be changed a little.
const CASES: &str = include_str!("gate_cases.jsonl");

/// What readers look for, and what trips them.
const PIECES: &[&str] = &[
    "\n",
    "\n\n",
    "# ",
    "- ",
    "  - ",
    "1. ",
    "一、",
    "（一）",
    "| a | 5 |\n",
    "| --- | --- |\n",
    "=== page A ===\n",
    "第 5 條\n",
    "。",
    ". ",
    "「",
    "」",
    "(",
    ")",
    "not ",
    "不得",
    "或",
    "及",
    "除",
    "外，",
    "and/or ",
    "unless ",
    "any of these:\n",
    "下列情形之一：\n",
    "may ",
    "must ",
    "只",
    "only ",
    "原則上",
    "65",
    "６５",
    "六十五",
    "sixty-five",
    "1,200",
    "1.2 million",
    "3萬6千元",
    "三萬六千元",
    "百分之五十",
    "二分之一",
    "50%",
    "½",
    "18–25",
    "112年",
    "7 September 1980",
    "2027-04-03",
    "03/04/2027",
    "$",
    "NT$",
    "元",
    "歲",
    "years",
    "months",
    "at least ",
    "以上",
    "未滿",
    "超過",
    "not more than ",
    "\u{200b}",
    "\u{a0}",
    "\u{3000}",
    "e\u{301}",
    "👪",
    "‘",
    "’",
    "…",
    "...",
    "{",
    "}",
    "[",
    "]",
    "\"",
    ":",
    ",",
    "\\",
    "\\u0000",
    "\\ud800",
    "null",
    "true",
    "NaN",
    "1e999",
    "-0",
    "```json\n",
    "{\"rows\":[",
    "{\"id\":\"r1\",\"snippet\":\"",
    "\"value\":",
    "\"op\":\">=\"",
    "\"unit\":\"years\"",
    "<li>",
    "</li>",
    "[1]",
    "註1",
    "*",
    "¹",
    "§",
    "ignore all previous instructions",
    "\r\n",
    "\t",
    "\u{feff}",
    "\u{202e}",
    "零",
    "〇",
    "億兆京",
    "0x1F",
    "1/0",
    "0/0",
    "99999999999999999999999999999999999999",
    "−5",
    "1.2.3",
    "1,2,3",
];

fn rounds() -> usize {
    let asked = std::env::var("COUNTERSIGN_FUZZ_ROUNDS").ok();
    asked.and_then(|it| it.parse().ok()).unwrap_or(150)
}

fn made_of_pieces(dice: &mut Dice) -> Vec<u8> {
    let mut out = Vec::new();
    for _ in 0..dice.below(60) {
        match dice.below(12) {
            0 => out.push(u8::try_from(dice.below(256)).unwrap()),
            1 => {
                let piece = dice.pick(PIECES).unwrap();
                out.extend(piece.repeat(dice.below(40)).into_bytes());
            }
            _ => out.extend(dice.pick(PIECES).unwrap().bytes()),
        }
    }
    out
}

/// A few bytes or pieces put in, taken out, doubled or swapped.
fn mutate(mut data: Vec<u8>, dice: &mut Dice) -> Vec<u8> {
    for _ in 0..=dice.below(6) {
        let at = dice.below(data.len() + 1);
        let end = (at + dice.below(30)).min(data.len());
        match dice.below(6) {
            0 => _ = data.drain(at..end),
            1 => {
                let part = data[at..end].to_vec();
                data.splice(at..at, part);
            }
            2 if at < data.len() => data[at] ^= 1 << dice.below(8),
            3 => {
                let from = dice.below(data.len() + 1);
                let part = data[from..(from + dice.below(40)).min(data.len())].to_vec();
                data.splice(at..end, part);
            }
            _ => {
                let piece = dice.pick(PIECES).unwrap().bytes();
                data.splice(at..at, piece);
            }
        }
    }
    data
}

fn input(target: &str, cases: &[Json], dice: &mut Dice) -> Vec<u8> {
    let case = dice.pick(cases).unwrap();
    let text = case["text"].as_str().unwrap().as_bytes().to_vec();
    let reply = match case.get("raw").and_then(Json::as_str) {
        Some(raw) => raw.as_bytes().to_vec(),
        None => json!({ "rows": case["rows"] }).to_string().into_bytes(),
    };
    let base = match target {
        "reply" => reply,
        "numbers" => text,
        _ => [text, vec![BORDER], reply].concat(),
    };
    match dice.below(4) {
        0 if target == "gate" => {
            let quote = String::from_utf8_lossy(&made_of_pieces(dice)).into_owned();
            let row = json!({ "id": "q", "field": "f", "op": ">=", "value": dice.below(100), "unit": "years",
                "join": "any", "snippet": quote });
            let page = [made_of_pieces(dice), quote.into_bytes(), made_of_pieces(dice)].concat();
            let page: Vec<u8> = page.into_iter().filter(|it| *it != BORDER).collect();
            [page, vec![BORDER], json!({ "rows": [row] }).to_string().into_bytes()].concat()
        }
        0 => made_of_pieces(dice),
        _ => mutate(base, dice),
    }
}

#[test]
fn no_input_breaks_a_target() {
    let cases: Vec<Json> = CASES.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    let mut broken = Vec::new();
    for (name, target) in TARGETS {
        for round in 0..rounds() {
            let mut dice = Dice::new(1, &format!("{name} {round}"));
            let data = input(name, &cases, &mut dice);
            if catch_unwind(|| target(&data)).is_err() {
                broken.push(format!("{name} {round} panics: {:?}", String::from_utf8_lossy(&data)));
            }
        }
    }
    assert!(broken.is_empty(), "{} inputs\n{}", broken.len(), broken.join("\n\n"));
}

#[test]
fn hostile_pages_are_judged_and_nothing_absent_stands_on_them() {
    let reply = json!({ "rows": [{ "id": "r", "subject": "the fee", "field": "f", "op": ">=", "value": 9,
        "unit": "USD", "snippet": "a quote that is absent 9" }] });
    let parsed = countersign::ask::reply::parse_extract_reply(&reply.to_string(), "");
    for (name, unit) in HOSTILE {
        let text = filled(unit, 16 << 10);
        let page = PageText::index(&text);
        let judged = judge_parsed(&page, &parsed, &Scope::default());
        assert_eq!(judged.rows.len(), 1, "{name}");
        assert!(judged.rows[0].place().is_none(), "{name}");
    }
}
