//! Rows judged batch by batch come out as if all had come at once.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use countersign::ask::reply::{MalformedRow, ParsedExtract};
use countersign::cli::args::{Format, GateArgs};
use countersign::cli::exit::Exit;
use countersign::cli::gate::run_gate;
use countersign::gate::hearing::Hearing;
use countersign::gate::judge::judge_parsed;
use countersign::gate::page::PageText;
use countersign::gate::row::Judgement;
use countersign::gate::scope::Scope;
use countersign::model::ask::ExtractReply;
use countersign::model::claim::{Claim, Join, Op, Value};
use countersign::model::finding::{Code, Verdict};
use serde_json::{Value as Json, json};

const ENGLISH: &str = "# Mooring\n\nThe mooring fee is $40 a month. Owners must pay within 14 days, unless the \
    harbour office grants a delay.\n\nYou can moor if any of these apply:\n- you live in the village\n- you are \
    aged 60 or over\n- you fish for a living\n\n# Winter\n\nThe mooring fee is $55 a month.\n\n# Notes\n\nBoats \
    must carry a lamp. Boats must carry a lamp.\n";
const CHINESE: &str = "# 繫泊\n\n繫泊費每月新臺幣四百元。船主應於十四日內繳納，但經港務所同意延期者，不在此限。\n\n有下列情形之一者，\
    得繫泊：\n- 設籍本村\n- 年滿六十歲\n- 以捕魚為業\n\n# 冬季\n\n繫泊費每月新臺幣五百五十元。\n";

fn row(id: &str, op: Op, value: Value, unit: &str, snippet: &str) -> Claim {
    Claim {
        id: id.into(),
        subject: "".into(),
        field: "rule".into(),
        op,
        value,
        unit: (!unit.is_empty()).then(|| unit.to_owned()),
        snippet: snippet.into(),
        ..Claim::default()
    }
}

fn words(id: &str, snippet: &str) -> Claim {
    row(id, Op::Is, Value::Bool(true), "", snippet)
}

fn number(id: &str, value: i64, unit: &str, snippet: &str) -> Claim {
    row(id, Op::Eq, Value::Number(value.into()), unit, snippet)
}

fn member(id: &str, join: Join, snippet: &str) -> Claim {
    Claim { join: Some(join), group: Some("g".into()), ..words(id, snippet) }
}

/// Rows that need one another: repeats, a conflict, an exception that a later row carries, members
/// of a list, a wrong number on the disputed matter, rows that cannot be read.
fn rows(chinese: bool) -> ParsedExtract {
    let rows = if chinese {
        vec![
            number("a", 400, "元/月", "繫泊費每月新臺幣四百元"),
            words("b", "船主應於十四日內繳納"),
            member("c", Join::All, "設籍本村"),
            member("d", Join::Any, "年滿六十歲"),
            number("e", 550, "元/月", "繫泊費每月新臺幣五百五十元"),
            number("f", 990, "元/月", "繫泊費每月新臺幣五百五十元"),
            number("g", 400, "元/月", "繫泊費每月新臺幣四百元"),
            words("h", "但經港務所同意延期者，不在此限"),
            words("i", "船上應備救生衣"),
        ]
    } else {
        vec![
            number("a", 40, "USD/month", "The mooring fee is $40 a month"),
            words("b", "Owners must pay within 14 days"),
            member("c", Join::All, "you live in the village"),
            member("d", Join::Any, "aged 60 or over"),
            number("e", 55, "USD/month", "The mooring fee is $55 a month"),
            number("f", 99, "USD/month", "The mooring fee is $55 a month"),
            number("g", 40, "USD/month", "The mooring fee is $40 a month"),
            words("h", "unless the harbour office grants a delay"),
            words("l1", "Boats must carry a lamp"),
            words("l2", "Boats must carry a lamp"),
            words("l3", "Boats must carry a lamp"),
            words("i", "Boats must carry a flag"),
        ]
    };
    let malformed = vec![
        MalformedRow { after: 3, id: "m1".into(), reason: "no row".into() },
        MalformedRow { after: 3, id: "m2".into(), reason: "no row".into() },
        MalformedRow { after: rows.len(), id: "m3".into(), reason: "no row".into() },
    ];
    let reply = ExtractReply { rows, groups: Vec::new() };
    ParsedExtract { malformed, ..ParsedExtract::from(reply) }
}

/// The reply cut into batches of `size` rows, malformed ones at their places.
fn batches(all: &ParsedExtract, size: usize) -> Vec<ParsedExtract> {
    let chunks = all.reply.rows.chunks(size).enumerate();
    let last = all.reply.rows.len().div_ceil(size) - 1;
    chunks
        .map(|(at, rows)| {
            let from = at * size;
            let is_here = |it: &&MalformedRow| {
                from <= it.after && (it.after < from + rows.len() || at == last)
            };
            let broken = all.malformed.iter().filter(is_here);
            let malformed =
                broken.map(|it| MalformedRow { after: it.after - from, ..it.clone() }).collect();
            let reply = ExtractReply { rows: rows.to_vec(), groups: Vec::new() };
            ParsedExtract { malformed, ..ParsedExtract::from(reply) }
        })
        .collect()
}

fn heard(page: &PageText, batches: &[ParsedExtract]) -> Judgement {
    let mut hearing = Hearing::new(page, &Scope::default());
    for batch in batches {
        hearing.hear(batch);
    }
    let heard = hearing.end();
    let mut sitting = heard.sit();
    if heard.is_disputed() {
        for batch in batches {
            sitting.weigh(batch);
        }
    }
    let rows = batches.iter().flat_map(|it| sitting.judge(it)).collect();
    Judgement { rows, ..sitting.close() }
}

#[test]
fn batches_of_any_size_give_the_judgement_of_the_whole() {
    for (text, chinese) in [(ENGLISH, false), (CHINESE, true)] {
        let page = PageText::index(text);
        let all = rows(chinese);
        let whole = judge_parsed(&page, &all, &Scope::default());
        let verdict = |id: &str| {
            let row = whole.rows.iter().find(|it| it.claim().id == id).unwrap();
            (row.verdict(), row.findings().first().map(|it| it.code))
        };
        assert_eq!(verdict("a"), (Verdict::Flag, Some(Code::Conflict)), "{text}");
        assert_eq!(verdict("e"), (Verdict::Flag, Some(Code::Conflict)));
        assert_eq!(verdict("g"), (Verdict::Merge, Some(Code::DuplicateMerged)));
        assert_eq!(verdict("b"), (Verdict::Pass, None), "the exception is carried by another row");
        assert_eq!(verdict("c").1, Some(Code::ConnectiveChanged));
        assert_eq!(verdict("f").0, Verdict::Fail);
        for size in 1..=all.reply.rows.len() {
            assert_eq!(heard(&page, &batches(&all, size)), whole, "batches of {size}: {text}");
        }
    }
}

fn file(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn gate(text: PathBuf, rows: PathBuf) -> (Exit, Json) {
    let args = GateArgs { text, answer: None, rows: Some(rows), examples: None, strict: false };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let exit = run_gate(&args, Format::Json, &mut out, &mut err);
    assert!(err.is_empty(), "{}", String::from_utf8_lossy(&err));
    (exit, serde_json::from_slice(&out).unwrap())
}

/// Far more rows than one batch holds: a repeat and a conflict between the first and the last row,
/// an exception that only the last but one carries, and a page whose list is used in the first and
/// the last batch alone.
#[test]
fn a_file_of_rows_is_judged_as_one_reply_whatever_its_size() {
    let folder = tempfile::tempdir().unwrap();
    for (text, chinese) in [(ENGLISH, false), (CHINESE, true)] {
        let mut page = text.to_owned();
        let mut lines = String::new();
        let claims = rows(chinese).reply.rows;
        let by_id = |id: &str| claims.iter().find(|it| it.id == id).unwrap();
        let mut put = |line: &str| writeln!(lines, "{line}").unwrap();
        put(&serde_json::to_string(by_id("a")).unwrap());
        put(&serde_json::to_string(by_id("b")).unwrap());
        put("no JSON at all");
        for at in 0..2_500 {
            let line = if chinese {
                let _ = writeln!(page, "\n第{at}號船席每月 {at} 元。");
                number(&format!("x{at}"), at, "元/月", &format!("第{at}號船席每月 {at} 元"))
            } else {
                let _ = writeln!(page, "\nBerth B{at} costs ${at} a month.");
                number(
                    &format!("x{at}"),
                    at,
                    "USD/month",
                    &format!("Berth B{at} costs ${at} a month"),
                )
            };
            put(&serde_json::to_string(&line).unwrap());
        }
        put("{\"id\": \"cut\", \"snippet\": \"The");
        for id in ["h", "e", "g"] {
            put(&serde_json::to_string(by_id(id)).unwrap());
        }
        let (exit, found) =
            gate(file(folder.path(), "page.txt", &page), file(folder.path(), "rows.jsonl", &lines));
        assert_eq!(exit, Exit::Waits);
        let rows = found["rows"].as_array().unwrap();
        assert_eq!(rows.len(), 2_507);
        let told = |at: usize| {
            let row = &rows[at];
            (
                row["id"].as_str().unwrap(),
                row["verdict"].as_str().unwrap(),
                row["reasons"][0]["code"].clone(),
            )
        };
        assert_eq!(told(0), ("a", "flag", json!("CONFLICT")), "{}", rows[0]);
        assert_eq!(told(1), ("b", "pass", Json::Null), "{}", rows[1]);
        assert_eq!(told(2), ("row-3", "fail", json!("ROW_MALFORMED")));
        assert_eq!((told(3).0, told(2_502).0), ("x0", "x2499"));
        assert_eq!(told(2_503).2, json!("ROW_MALFORMED"));
        assert_eq!(told(2_505), ("e", "flag", json!("CONFLICT")));
        assert_eq!(told(2_506), ("g", "merge", json!("DUPLICATE_MERGED")));
        assert_eq!(rows[2_506]["reasons"][0]["other"], "a");
        let used = found["page"]["ledger"]["used"].as_u64().unwrap();
        assert!(2_503 <= used, "{}", found["page"]);
        assert_eq!(found["page"]["state"], "incomplete", "nothing uses the list");
    }
}
