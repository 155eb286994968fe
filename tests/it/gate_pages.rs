//! The gate through the command line: pages that rows cover in part, and strict mode.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value as Json, json};

/// Runs `gate` on a page and a reply; gives the exit code and the result.
fn gate(text: &str, rows: &[Json], more: &[&str]) -> (i32, Json) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("page.txt"), text).unwrap();
    std::fs::write(folder.path().join("reply.json"), json!({ "rows": rows }).to_string()).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(["gate", "--text", "page.txt", "--answer", "reply.json", "--format", "json"])
        .args(more)
        .current_dir(folder.path())
        .output()
        .unwrap();
    (output.status.code().unwrap(), serde_json::from_slice(&output.stdout).unwrap())
}

fn row(at: usize, snippet: &str) -> Json {
    json!({ "id": format!("r{at}"), "subject": "", "field": "condition", "op": "is", "value": true, "snippet": snippet })
}

/// Texts with the quotes of a full set of rows; the last one left out makes the page incomplete.
const COVERED: &[(&str, &[&str])] = &[
    (
        "# Berths\n\nYou can rent a berth if all of these apply:\n- you live in the village\n- you own a boat\n\
         - you are aged 18 or over\n- you have paid the harbour tax\n",
        &[
            "you live in the village",
            "you own a boat",
            "you are aged 18 or over",
            "you have paid the harbour tax",
        ],
    ),
    (
        "# 船席\n\n符合下列各款條件者，得申請船席：\n一、設籍本村。\n二、持有船舶執照。\n三、年滿十八歲。\n四、已繳納港務費。\n",
        &["設籍本村", "持有船舶執照", "年滿十八歲", "已繳納港務費"],
    ),
    (
        "# Crew\n\nYou must:\n- be aged 16 or over\n- have one of these:\n  - a swimming badge\n  - a note from a coach\n\
         - wear a life jacket\n",
        &["be aged 16 or over", "a swimming badge", "a note from a coach", "wear a life jacket"],
    ),
    (
        "# 船員\n\n申請人應符合下列條件：\n一、年滿十六歲。\n二、具備下列證明之一：\n（一）游泳合格證。\n（二）教練證明書。\n三、穿著救生衣。\n",
        &["年滿十六歲", "游泳合格證", "教練證明書", "穿著救生衣"],
    ),
    (
        "# Fees\n\n| Boat | Fee |\n| --- | --- |\n| Rowing boat | $30 |\n| Sailing boat | $80 |\n| Motor boat | $95 |\n| Barge | $140 |\n",
        &[
            "| Rowing boat | $30 |",
            "| Sailing boat | $80 |",
            "| Motor boat | $95 |",
            "| Barge | $140 |",
        ],
    ),
    (
        "# 費用\n\n| 船型 | 月費 |\n| --- | --- |\n| 手划船 | 30 元 |\n| 帆船 | 80 元 |\n| 汽艇 | 95 元 |\n| 駁船 | 140 元 |\n",
        &["| 手划船 | 30 元 |", "| 帆船 | 80 元 |", "| 汽艇 | 95 元 |", "| 駁船 | 140 元 |"],
    ),
];

#[test]
fn three_rows_of_four_items_leave_the_page_incomplete() {
    for (text, quotes) in COVERED {
        let rows: Vec<Json> = quotes.iter().enumerate().map(|(at, it)| row(at, it)).collect();
        let (_, all) = gate(text, &rows, &[]);
        assert_eq!(all["page"]["state"], "ok", "{text}\n{}", all["page"]);
        assert_eq!(all["page"]["ledger"]["open"], 0, "{text}");
        let used = all["page"]["ledger"]["used"].as_u64().unwrap();
        for out in 0..rows.len() {
            let mut some = rows.clone();
            some.remove(out);
            let (exit, found) = gate(text, &some, &[]);
            let page = &found["page"];
            assert_eq!(exit, 3, "{text}");
            assert_eq!(page["state"], "incomplete", "without {}: {text}\n{page}", quotes[out]);
            let reason = &page["reasons"][0];
            assert_eq!(reason["code"], "OMISSION");
            let (seen, had) = (&reason["source_items"], &reason["rows_found"]);
            assert_eq!(seen.as_u64().unwrap() - 1, had.as_u64().unwrap(), "{reason}");
            let words = reason["passage"].as_str().unwrap();
            assert!(
                words.contains(quotes[out].trim_matches(['|', ' '])) || quotes[out].contains(words),
                "{words} / {}",
                quotes[out]
            );
            assert_eq!(page["ledger"]["used"].as_u64().unwrap() + 1, used);
            assert_eq!(page["ledger"]["open"], 1, "{page}");
        }
    }
}

/// Every kind of difference in looks: the page, the quote, what is stored, the code.
const REPAIRS: &[(&str, &str, &str, &str, &str)] = &[
    (
        "apostrophe",
        "The keeper’s log is due in 6 days.",
        "The keeper's log is due in 6 days",
        "The keeper’s log is due in 6 days",
        "SNIPPET_PRESENTATION",
    ),
    (
        "quote marks",
        "Pay the “mooring fee” by noon on Monday.",
        "Pay the \"mooring fee\" by noon on Monday",
        "Pay the “mooring fee” by noon on Monday",
        "SNIPPET_PRESENTATION",
    ),
    (
        "quote marks",
        "本規則所稱「船舶」，指各類船隻。",
        "本規則所稱“船舶”，指各類船隻",
        "本規則所稱「船舶」，指各類船隻",
        "SNIPPET_PRESENTATION",
    ),
    (
        "no-break space",
        "Reply within 10\u{a0}working days.",
        "Reply within 10 working days",
        "Reply within 10\u{a0}working days",
        "SNIPPET_PRESENTATION",
    ),
    (
        "no-break hyphen",
        "Each co\u{2011}owner must sign the form.",
        "Each co-owner must sign the form",
        "Each co\u{2011}owner must sign the form",
        "SNIPPET_PRESENTATION",
    ),
    (
        "line break",
        "Payment is due\nwithin 10 days.",
        "Payment is due within 10 days",
        "Payment is due\nwithin 10 days",
        "SNIPPET_PRESENTATION",
    ),
    (
        "line break",
        "申請人應於\n十日內補正。",
        "申請人應於十日內補正",
        "申請人應於\n十日內補正",
        "SNIPPET_PRESENTATION",
    ),
    (
        "zero width",
        "船席\u{200b}每月收費一次。",
        "船席每月收費一次",
        "船席\u{200b}每月收費一次",
        "SNIPPET_PRESENTATION",
    ),
    (
        "soft hyphen",
        "Members must co\u{ad}operate with the crew.",
        "Members must cooperate with the crew",
        "Members must co\u{ad}operate with the crew",
        "SNIPPET_PRESENTATION",
    ),
    (
        "full width",
        "年滿１６歲者，得參加。",
        "年滿16歲者，得參加",
        "年滿１６歲者，得參加",
        "SNIPPET_PRESENTATION",
    ),
    (
        "full width",
        "年滿16歲者，得參加。",
        "年滿１６歲者，得參加",
        "年滿16歲者，得參加",
        "SNIPPET_PRESENTATION",
    ),
    (
        "brackets",
        "船席（含浮橋）每月收費。",
        "船席(含浮橋)每月收費",
        "船席（含浮橋）每月收費",
        "SNIPPET_PRESENTATION",
    ),
    (
        "capitals",
        "LAMPS ARE LENT AT THE PIER",
        "Lamps are lent at the pier",
        "LAMPS ARE LENT AT THE PIER",
        "SNIPPET_PRESENTATION",
    ),
    (
        "tags",
        "Boats must carry a lamp at night.",
        "<li>Boats must carry a lamp at night</li>",
        "Boats must carry a lamp at night",
        "SNIPPET_PRESENTATION",
    ),
    (
        "composed letters",
        "The cafe\u{301} on the pier opens at nine.",
        "The café on the pier opens at nine",
        "The cafe\u{301} on the pier opens at nine",
        "SNIPPET_PRESENTATION",
    ),
    (
        "comma",
        "oars, sails, or paddles are lent for free",
        "oars, sails or paddles are lent for free",
        "oars, sails, or paddles are lent for free",
        "SNIPPET_PRESENTATION",
    ),
    (
        "script",
        "申請人須連續設籍滿七年。",
        "申请人须连续设籍满七年",
        "申請人須連續設籍滿七年",
        "SNIPPET_SCRIPT",
    ),
    (
        "script",
        "申请人须连续设籍满七年。",
        "申請人須連續設籍滿七年",
        "申请人须连续设籍满七年",
        "SNIPPET_SCRIPT",
    ),
    (
        "script and width",
        "船席長度不得超過１２公尺。",
        "船席长度不得超过12公尺",
        "船席長度不得超過１２公尺",
        "SNIPPET_SCRIPT",
    ),
];

#[test]
fn every_kind_of_repair_is_a_failure_in_strict_mode_and_says_the_same() {
    let mut problems = Vec::new();
    for (kind, text, quote, stored, code) in REPAIRS {
        for (more, verdict) in [(&[][..], "repair"), (&["--strict"][..], "fail")] {
            let (exit, found) = gate(text, &[row(1, quote)], more);
            let row = &found["rows"][0];
            let told =
                (exit == 0, &row["verdict"], &row["stored_snippet"], &row["reasons"][0]["code"]);
            if told != (verdict == "repair", &json!(verdict), &json!(stored), &json!(code)) {
                problems.push(format!("{kind} {verdict}: {quote}: {row}"));
            }
        }
        let (exit, found) = gate(text, &[row(1, stored)], &["--strict"]);
        if (exit, &found["rows"][0]["verdict"]) != (0, &json!("pass")) {
            problems.push(format!("{kind}, exact: {}", found["rows"][0]));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn strict_mode_changes_nothing_else() {
    let text =
        "The fee is $20 a month, unless the harbour office waives it. 年滿十六歲者，得參加。";
    let quotes = ["The fee is $20 a month", "The fee is $25 a month", "年滿十六歲者，得參加"];
    let rows: Vec<Json> = quotes.iter().enumerate().map(|(at, it)| row(at, it)).collect();
    let (plain, strict) = (gate(text, &rows, &[]), gate(text, &rows, &["--strict"]));
    assert_eq!(plain, strict);
    assert_eq!(plain.1["rows"][1]["reasons"][0]["code"], "SNIPPET_ABSENT");
}

/// What cannot be read twice is judged as a file is, whatever its length.
#[test]
fn rows_from_a_pipe_are_judged_as_those_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let (mut text, mut lines) = (String::new(), String::new());
    for at in 0..1_100 {
        let (fee, days) = (20 + at, 3 + at);
        let _ =
            write!(text, "Berth B{at} costs ${fee} a month.\n\n第{at}區應於 {days} 日內通報。\n\n");
        let english = format!("Berth B{at} costs ${fee} a month");
        let chinese = format!("第{at}區應於 {days} 日內通報");
        let row = |id: String, op: &str, value: i32, unit: &str, snippet: &str| json!({ "id": id, "field": "f", "op": op, "value": value, "unit": unit, "snippet": snippet });
        let _ = writeln!(lines, "{}", row(format!("e{at}"), "=", fee, "USD/month", &english));
        let _ = writeln!(lines, "{}", row(format!("z{at}"), "<=", days, "日", &chinese));
    }
    let first = lines.lines().next().unwrap().to_owned();
    let _ = writeln!(lines, "{first}");
    std::fs::write(folder.path().join("page.txt"), text).unwrap();
    std::fs::write(folder.path().join("rows.jsonl"), &lines).unwrap();
    let run = |rows: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_countersign"))
            .args(["gate", "--text", "page.txt", "--rows", rows, "--format", "json"])
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        if rows == "-" {
            stdin.write_all(lines.as_bytes()).unwrap();
        }
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        (output.status.code(), output.stdout)
    };
    let (exit, file) = run("rows.jsonl");
    assert_eq!(exit, Some(0));
    assert_eq!((exit, file.clone()), run("-"));
    let found: Json = serde_json::from_slice(&file).unwrap();
    let rows = found["rows"].as_array().unwrap();
    assert_eq!((rows.len(), &rows[2_200]["verdict"]), (2_201, &json!("merge")));
    assert_eq!(found["page"]["ledger"], json!({ "used": 2_200, "not_a_condition": 0, "open": 0 }));
}

#[test]
fn names_that_a_list_numbers_are_no_rules_and_numbers_that_rule_stay_open() {
    let open = |text: &str| gate(text, &[], &[]).1["page"]["ledger"]["open"].as_u64().unwrap();
    for names in [
        "# Schemes\n\n- Berth scheme 1\n- Berth scheme 2\n- Berth scheme 3\n",
        "# Zones\n\n- Zone 10\n- Zone 11\n",
        "# 方案\n\n- 船席方案一\n- 船席方案二\n- 船席方案三\n",
        "# 方案\n\n- 方案 1\n- 方案 2\n",
    ] {
        assert_eq!(open(names), 0, "{names}");
    }
    for rules in [
        "# Fees\n\n- Rowing boat $30\n- Sailing boat $80\n",
        "# Who can apply\n\n- Owners aged 60\n- Owners aged 65\n",
        "# Stay\n\n- at least 10 days\n- at least 12 days\n",
        "# 費用\n\n- 小船每月三十元\n- 大船每月八十元\n",
        "# 資格\n\n- 船齡 10\n- 船齡 12\n",
    ] {
        assert_eq!(open(rules), 2, "{rules}");
    }
}
