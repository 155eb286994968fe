//! What a client may send back, through the program itself: the sample's sheet in both languages, edited
//! as a spreadsheet program saves it, and what is taken of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use countersign::model::returned::{CellContent, ReturnedCell};
use countersign::model::row::{RowRecord, RowStatus};
use countersign::model::sheet::{IssuedSheet, Tab};
use countersign::sheet::identity::row_digest;
use serde_json::Value;

use crate::chain::{copy_of, last_sheet, program, run_project, served};

use crate::sender::{CHINESE, Client, ENGLISH};

#[test]
fn harmless_variants_of_a_word_are_taken_and_nothing_near_one_is() {
    for words in [&ENGLISH, &CHINESE] {
        let mut client = Client::of(words);
        let keys = client.keys(Tab::Decide);
        let taken = ["{}", " {} ", "{}\u{a0}", "\u{3000}{}", "{}\n", "\u{feff}{}", "{}\u{200b}"];
        let not_taken = ["{}?", "{}.", "\"{}\"", "1. {}", "{} / x", "not {}", "{} {}", "✓", "OK"];
        let said: Vec<String> =
            taken.iter().chain(&not_taken).map(|it| it.replace("{}", words.approve)).collect();
        assert!(keys.len() >= 9, "too few rows to try words on: {}", keys.len());
        for round in said.chunks(keys.len()) {
            let mut client = Client::of(words);
            for (key, text) in keys.iter().zip(round) {
                client.say(key, text);
            }
            let sent = client.send();
            for (key, text) in keys.iter().zip(round) {
                let is_taken = taken.iter().any(|it| it.replace("{}", words.approve) == *text);
                let stopped = sent.stopped(key);
                let expected: &[&str] = if is_taken { &[] } else { &["UNKNOWN_DECISION"] };
                assert_eq!(stopped, expected, "{text:?}");
            }
            assert_eq!(sent.exit, 3);
        }
        client.say(&keys[0], words.unsure);
        let sent = client.send();
        assert_eq!((sent.exit, sent.count("applied")), (3, 0), "unsure decides nothing");
    }
}

#[test]
fn a_sheet_rearranged_in_every_harmless_way_is_signed_in_full_and_twice_is_once() {
    for words in [&ENGLISH, &CHINESE] {
        let mut client = Client::of(words);
        let count = client.approve_all() as u64;
        let keys = client.keys(Tab::Decide);
        client.say(&keys[0], words.reject);
        client.book.sort_descending(words.decide, words.says);
        client.book.hide(words.decide, &keys[1]);
        client.book.insert_row(words.decide, 0);
        client.book.insert_column(words.decide, 2);
        client.book.put_at(words.decide, (0, 2), CellContent::Text("for Ms Chan".into()));
        client.book.rename(words.decide, "done 完成");
        client.book.book.grids.reverse();
        client.book.sign(words.name, "陳 Chan");
        let sent = client.send();
        assert_eq!((sent.exit, sent.count("applied")), (0, count), "{}", sent.report);
        for code in ["ORDER_CHANGED", "ROWS_HIDDEN", "UNREAD_CELL"] {
            assert!(sent.told(code), "{code} is not told");
        }
        let again = client.send();
        assert_eq!((again.exit, again.count("applied")), (0, 0));
        assert_eq!(again.count("repeated"), count);
    }
}

#[test]
fn what_cannot_be_taken_is_named_row_by_row_and_the_rest_is_taken() {
    for words in [&ENGLISH, &CHINESE] {
        let mut client = Client::of(words);
        let count = client.approve_all();
        let keys = client.keys(Tab::Decide);
        let decision = client.book.column(words.decide, words.decision);
        let line = |client: &Client, at: usize| client.book.line(words.decide, &keys[at]);
        let cell = |content, formula: Option<&str>| ReturnedCell {
            content,
            formula: formula.map(str::to_owned),
        };
        let (a, b, c) = (line(&client, 0), line(&client, 1), line(&client, 2));
        let grid = client.book.grid(words.decide);
        grid.put((a, decision), cell(CellContent::Bool(true), None));
        grid.put((b, decision), cell(CellContent::Number("1".into()), None));
        let text = CellContent::Text(words.approve.into());
        grid.put((c, decision), cell(text, Some("\"approve\"")));
        client.book.write(words.decide, &keys[3], words.says, "something else 別的");
        client.book.put(words.decide, &keys[4], words.says, CellContent::Empty);
        let copy = client.book.copy_to_end(words.decide, &keys[5]);
        client.book.put_at(words.decide, (copy, decision), CellContent::Text(words.reject.into()));
        client.book.delete(words.decide, &keys[6]);
        client.book.write(words.decide, &keys[7], words.value, "7");
        client.say(&keys[8], words.correct);
        let sent = client.send();
        let expected = [
            "UNKNOWN_DECISION",
            "UNKNOWN_DECISION",
            "FORMULA_IN_CELL",
            "LOCKED_CELL_CHANGED",
            "LOCKED_CELL_CHANGED",
            "DUPLICATE_ROW",
            "ROW_MISSING",
            "CORRECTION_UNASKED",
            "CORRECTION_MISSING",
        ];
        for (key, code) in keys.iter().zip(expected) {
            assert_eq!(sent.stopped(key), [code], "{key}");
        }
        assert_eq!((sent.exit, sent.count("applied")), (3, (count - expected.len()) as u64));
        let follow_up = sent.report["receipt"]["follow_up"].as_str().unwrap();
        let written = client.dir.path().join("review").join(&client.issued.run);
        let issued = fs::read_to_string(written.join(format!("issued-{follow_up}.json"))).unwrap();
        let again: IssuedSheet = serde_json::from_str(&issued).unwrap();
        assert_eq!(again.rows.len(), expected.len(), "exactly the rest is asked again");
    }
}

#[test]
fn a_word_for_all_accepted_rows_counts_only_as_it_stands_on_the_list() {
    for words in [&ENGLISH, &CHINESE] {
        let mut client = Client::of(words);
        client.approve_all();
        client.book.sign(words.all_rows, "yes, all fine 都可以");
        let sent = client.send();
        assert_eq!(
            (sent.exit, sent.count("accepted_signed")),
            (3, 0),
            "not taken, and not in silence"
        );
        assert_eq!(sent.stopped(""), ["UNKNOWN_DECISION"]);
        client
            .book
            .sign(words.all_rows, if words.tag == "-en" { "Approve All" } else { "全部核准" });
        let sent = client.send();
        assert_eq!(sent.exit, 0, "{}", sent.report);
        let accepted =
            client.issued.rows.iter().filter(|it| {
                it.tab == Tab::Accepted && it.matter.row().status == RowStatus::Accepted
            });
        assert_eq!(sent.count("accepted_signed"), accepted.count() as u64);
    }
}

#[test]
fn corrections_are_read_as_people_write_them_and_held_against_the_page() {
    type Case = (&'static str, &'static str, &'static [(&'static str, bool)]);
    let english: [Case; 4] = [
        (
            "within 30 days of the date on the letter",
            "30",
            &[
                ("３０ days", true),
                ("thirty days", true),
                ("at most 30", true),
                ("31", false),
                (">= 30", false),
                ("30 weeks", false),
                ("about a month", false),
            ],
        ),
        (
            "a surcharge of 5% is added",
            "5",
            &[
                ("5%", true),
                ("five per cent", true),
                ("百分之五", true),
                ("0.05", false),
                ("6 %", false),
            ],
        ),
        (
            "from NT$10,000 to NT$100,000",
            "[10000, 100000]",
            &[
                ("10,000 - 100,000", true),
                ("from 10,000 TWD to 100,000 TWD (both included)", true),
                ("10000 - 200000", false),
                ("[1, 2]", false),
            ],
        ),
        (
            "does not exceed NT$1.2 million",
            "1200000",
            &[
                ("NT$1,200,000", true),
                ("120萬元", true),
                ("at most 1,200,000 TWD", true),
                ("1.2", false),
                ("1.200.000", false),
            ],
        ),
    ];
    let chinese: [Case; 4] = [
        (
            "年滿二十歲，或年滿十八歲且已結婚",
            "20",
            &[
                ("20歲以上", true),
                ("２０", true),
                ("至少（含）20 歲", true),
                ("超過20歲", false),
                ("21", false),
            ],
        ),
        (
            "手續費為借款金額千分之五",
            "0.5",
            &[("千分之五", true), ("0.5%", true), ("5‰", true), ("5%", false)],
        ),
        (
            "自民國115年8月1日起至115年9月30日止",
            "[2026-08-01, 2026-09-30]",
            &[
                ("2026-08-01 至 2026-09-30（兩端皆含）", true),
                ("民國115年8月1日至115年9月30日", true),
                ("2026/8/1～2026/9/30", true),
                ("2026-08-01 - 2026-10-31", false),
            ],
        ),
        (
            "曾受破產宣告者，不得借款",
            "曾受破產宣告者，不得借款",
            &[("曾受破產宣告者，得借款", false), ("隨便", false)],
        ),
    ];
    for (words, cases) in [(&ENGLISH, &english), (&CHINESE, &chinese)] {
        let rounds = cases.iter().map(|it| it.2.len()).max().unwrap();
        let base = Client::of(words);
        let keys: Vec<String> = cases.iter().map(|it| base.row(it.0, it.1)).collect();
        for round in 0..rounds {
            let mut client = Client::of(words);
            let tried: Vec<(&String, &(&str, bool))> = keys
                .iter()
                .zip(cases)
                .filter_map(|(key, case)| Some((key, case.2.get(round)?)))
                .collect();
            for (key, (value, _)) in &tried {
                client.correct(key, value, "");
            }
            let sent = client.send();
            for (key, (value, is_right)) in tried {
                let stopped = sent.stopped(key);
                assert_eq!(stopped.is_empty(), *is_right, "{value}: {stopped:?}");
                let is_named = stopped.iter().all(|it| it.starts_with("CORRECTION_"));
                assert!(is_named, "{value}: {stopped:?}");
            }
        }
    }
}

#[test]
fn a_tab_saved_as_csv_is_read_in_every_encoding_that_spreadsheets_write() {
    let mut client = Client::of(&CHINESE);
    let count = client.approve_all() as u64;
    let utf8 = client.book.save_csv(CHINESE.decide);
    let text = String::from_utf8(utf8.clone()).unwrap();
    let utf16: Vec<u8> =
        [0xFF, 0xFE].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let (big5, _, lost) = encoding_rs::BIG5.encode(&text);
    let marked = [b"\xEF\xBB\xBF".as_slice(), text.replace('\n', "\r\n").as_bytes()].concat();
    for (name, bytes) in [("utf-8", utf8), ("utf-16", utf16), ("marked", marked)] {
        let client = Client::of(&CHINESE);
        let sent = client.send_bytes(&bytes, "returned.csv");
        assert_eq!((sent.exit, sent.count("applied")), (0, count), "{name}: {}", sent.report);
        assert!(sent.told("IDENTITY_LOST"), "{name}");
    }
    let sent = Client::of(&CHINESE).send_bytes(&big5, "returned.csv");
    assert!(!lost || sent.exit == 3, "letters that Big5 has not are damage that is named");
    assert!(sent.count("applied") > 0, "{}", sent.report);
}

#[test]
fn a_file_sent_by_mistake_is_named_and_changes_nothing() {
    let client = Client::of(&ENGLISH);
    let whole = client.book.save();
    let zipped = |name: &str| {
        let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.finish().unwrap().into_inner()
    };
    let read_me = client.book.save_csv("Read me first");
    let other: Vec<u8> = [b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".as_slice(), &[0; 600]].concat();
    for (bytes, words) in [
        (Vec::new(), "empty"),
        (whole[..whole.len() / 2].to_vec(), "cut off"),
        (other, "password"),
        (b"%PDF-1.7 ...".to_vec(), "PDF"),
        (b"\x89PNG\r\n".to_vec(), "picture"),
        (b"<!DOCTYPE html><table></table>".to_vec(), "web page"),
        (zipped("Index/Document.iwa"), "Numbers"),
        (zipped("xl/workbook.bin"), ".xlsb"),
        (zipped("word/document.xml"), "Word"),
        (read_me, "no tab has the columns"),
        ("just some words 一些文字".as_bytes().to_vec(), "no tab has the columns"),
    ] {
        let sent = client.send_bytes(&bytes, "returned.xlsx");
        assert_eq!(sent.exit, 2, "{words}: {}", sent.stderr);
        assert!(sent.stderr.contains(words), "{words}: {}", sent.stderr);
        assert!(sent.stderr.chars().any(|it| ('\u{4e00}'..='\u{9fff}').contains(&it)), "{words}");
    }
    // A sheet of another project: known to nobody here.
    let foreign = Client::of(&CHINESE);
    let sent = client.send_bytes(&foreign.book.save(), "returned.xlsx");
    assert_eq!(sent.exit, 6, "{}", sent.stderr);
    assert!(sent.stderr.contains("no sheet of this project"), "{}", sent.stderr);
    let status = program(client.dir.path(), &["verify"]);
    assert!(String::from_utf8_lossy(&status.stdout).contains("0 decisions"), "nothing was taken");
}

#[test]
fn a_second_signer_who_differs_reopens_the_row_and_an_old_sheet_holds_where_nothing_changed() {
    let mut first = Client::of(&ENGLISH);
    let count = first.approve_all() as u64;
    assert_eq!(first.send().exit, 0);
    // The same sheet from somebody else, one word apart.
    let keys = first.keys(Tab::Decide);
    first.say(&keys[0], "reject");
    let second = first.send_bytes(&first.book.save(), "second.xlsx");
    assert_eq!((second.exit, second.count("conflicts")), (3, 1), "{}", second.report);
    assert_eq!(second.count("repeated"), count - 1);
    assert_eq!(second.stopped(&keys[0]), ["CONFLICT"]);
    // A newer run; the old sheet again: carried where nothing changed, and the row stays open.
    let run = program(first.dir.path(), &["run", "--no-crawl", "--quiet", "--yes"]);
    assert_eq!(run.status.code(), Some(3), "{}", String::from_utf8_lossy(&run.stderr));
    let (_, issued) = last_sheet(first.dir.path());
    let asked: Vec<&str> = issued.asked().map(|it| it.key.as_str()).collect();
    assert_eq!(asked, [keys[0].as_str()], "only the open row is asked about");
}

/// Keys of the rows that `export` gives.
fn approved(project: &Path) -> BTreeSet<String> {
    let output = program(project, &["export", "--as", "jsonl"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let key = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        line["row"]["key"].as_str().unwrap().to_owned()
    };
    text.lines().map(key).collect()
}

/// Every live row on record with the digest of its clause and value.
fn on_record(project: &Path) -> BTreeMap<String, String> {
    let mut rows = BTreeMap::new();
    for entry in fs::read_dir(project.join("extracted/harbour-en")).unwrap().flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|it| it != "jsonl") {
            continue;
        }
        for line in fs::read_to_string(path).unwrap().lines() {
            let row: RowRecord = serde_json::from_str(line).unwrap();
            if matches!(row.status, RowStatus::Accepted | RowStatus::Flagged) {
                rows.insert(row.key.clone(), row_digest(&row));
            }
        }
    }
    rows
}

#[test]
fn a_sign_off_of_a_row_expires_when_its_own_clause_or_value_changes_and_only_then() {
    let mut client = Client::of(&ENGLISH);
    client.approve_all();
    client.book.sign(ENGLISH.all_rows, "approve all");
    assert_eq!(client.send().exit, 0);
    let project = client.dir.path();
    let (signed, before) = (approved(project), on_record(project));
    let changed = client.row("Living alone", "3600");
    assert!(signed.contains(&changed), "it was signed");
    let (_runtime, address) = served("update");
    let to = format!("harbour.example={address}");
    let run = program(project, &["update", "--quiet", "--yes", "--connect-to", &to]);
    assert!(matches!(run.status.code(), Some(0 | 3)), "{}", String::from_utf8_lossy(&run.stderr));
    let (still, now) = (approved(project), on_record(project));
    assert!(!still.contains(&changed), "its value is another");
    for key in &signed {
        let is_the_same = now.get(key) == before.get(key);
        assert_eq!(still.contains(key), is_the_same, "{key}");
    }
    assert!(still.len() * 10 > signed.len() * 8, "{} of {} still hold", still.len(), signed.len());
    assert!(still.is_subset(&signed), "nothing is approved by an update");
}

#[test]
fn a_sheet_without_a_name_takes_nothing_and_waits_for_the_name() {
    for (words, label) in [(&ENGLISH, "Taken in at: "), (&CHINESE, "收件時間：")] {
        let project = copy_of(run_project(words.tag));
        let (sheet, _) = last_sheet(project.path());
        let unsigned = program(project.path(), &["signoff", sheet.to_str().unwrap()]);
        assert_eq!(unsigned.status.code(), Some(3), "{}", words.tag);
        let told = String::from_utf8(unsigned.stdout).unwrap();
        assert!(told.contains("SIGNER_MISSING") && told.contains("--by"), "{told}");
        let time = told.lines().find_map(|it| it.strip_prefix(label)).unwrap();
        assert!(time.ends_with(" UTC") && time.len() == "2026-03-01 09:30 UTC".len(), "{time}");
        let approved = fs::read_to_string(project.path().join("review/approved.jsonl"));
        assert!(approved.is_ok_and(|it| it.is_empty()), "nothing is approved by nobody");
    }
}
