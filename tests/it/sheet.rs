//! The client's workbook as written: what stands in it, in both languages, whatever a page holds.

use std::io::{Cursor, Read};

use calamine::{Data, Reader, Xlsx};
use countersign::model::ask::ReviewWord;
use countersign::model::claim::{Claim, Value};
use countersign::model::finding::Code;
use countersign::model::row::{ReviewNote, RowRecord};
use countersign::model::run::GonePage;
use countersign::model::sheet::{ChangedPair, RemovalCandidate, SheetLanguage};
use countersign::sheet::issue::SheetInput;
use countersign::sheet::write::write_workbook;

use crate::desk::{facts, row, write};

/// The rows most tests use: two flagged, one accepted.
pub fn some_rows() -> Vec<RowRecord> {
    vec![
        row(
            "lanternfield-000000000001",
            "You can apply if you are aged 65 or over unless you live abroad.",
            "aged 65 or over",
            &[Code::SnippetCutsException],
        ),
        row("lanternfield-000000000002", "年滿65歲者，得申請。", "年滿65歲", &[Code::HedgeDropped]),
        row("lanternfield-000000000003", "You must be aged 65 or over.", "aged 65 or over", &[]),
    ]
}

fn open(bytes: &[u8]) -> Xlsx<Cursor<&[u8]>> {
    Xlsx::new(Cursor::new(bytes)).unwrap()
}

fn part(bytes: &[u8], name: &str) -> String {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut text = String::new();
    archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
    text
}

fn cell(data: &calamine::Range<Data>, at: (u32, u32)) -> String {
    data.get_value(at).map(ToString::to_string).unwrap_or_default()
}

#[test]
fn the_same_rows_give_the_same_bytes_in_whatever_order_they_come() {
    let facts = facts(SheetLanguage::English);
    let rows = some_rows();
    let mut turned = rows.clone();
    turned.reverse();
    assert!(write(&facts, &rows).bytes == write(&facts, &turned).bytes);
}

#[test]
fn tabs_stand_in_the_language_of_the_source() {
    let rows = some_rows();
    let english = write(&facts(SheetLanguage::English), &rows);
    let names = open(&english.bytes).sheet_names();
    assert_eq!(
        names,
        ["Read me first", "Decide", "Removed？", "Accepted", "Check by example", "_countersign"]
    );
    let chinese = write(&facts(SheetLanguage::Chinese), &rows);
    let names = open(&chinese.bytes).sheet_names();
    assert_eq!(
        names,
        ["請先閱讀", "請決定", "是否已移除？", "已接受", "以例子核對", "_countersign"]
    );
}

#[test]
fn flagged_rows_are_asked_about_and_the_rest_is_shown() {
    let written = write(&facts(SheetLanguage::English), &some_rows());
    let mut book = open(&written.bytes);
    let decide = book.worksheet_range("Decide").unwrap();
    assert_eq!(decide.height(), 3);
    assert_eq!(cell(&decide, (0, 0)), "What it is about");
    // The cut exception is worth more than a softened wording.
    assert_eq!(cell(&decide, (1, 5)), "lanternfield-000000000001");
    assert_eq!(cell(&decide, (1, 0)), "Old age supplement › Who can apply");
    assert_eq!(cell(&decide, (1, 1)), "Applicant: Lowest age at least 65 years (must)");
    assert_eq!(
        cell(&decide, (1, 2)),
        "You can apply if you are aged 65 or over unless you live abroad."
    );
    assert!(cell(&decide, (1, 3)).contains("exception"));
    assert_eq!(cell(&decide, (1, 6)), written.issued.rows[0].token);
    let accepted = book.worksheet_range("Accepted").unwrap();
    assert_eq!(accepted.height(), 2);
}

#[test]
fn both_views_are_shown_where_two_readings_differ() {
    let mut flagged = row("a-1", "aged 65 or over", "65 or over", &[Code::ReviewerDisagrees]);
    let corrected = Claim { value: Value::Number(60.into()), ..flagged.claim.clone() };
    flagged.review = Some(ReviewNote {
        word: ReviewWord::Wrong,
        reason: "the list below says 60".into(),
        snippet: "60 for miners".into(),
        corrected: Some(corrected),
        reviewed_by: "rules/1".into(),
        ask: String::new(),
    });
    let written = write(&facts(SheetLanguage::English), &[flagged]);
    let decide = open(&written.bytes).worksheet_range("Decide").unwrap();
    let why = cell(&decide, (1, 3));
    for part in [
        "First reading: at least 65 years\n",
        "Second reading: at least 60 years\n",
        "the list below says 60",
        "60 for miners",
    ] {
        assert!(why.contains(part), "{part} in {why}");
    }
}

#[test]
fn the_snippet_is_coloured_and_its_number_bold() {
    let written = write(&facts(SheetLanguage::English), &some_rows());
    let strings = part(&written.bytes, "xl/worksheets/sheet2.xml");
    assert!(strings.contains("You can apply if you are "));
    let number = strings.find("<t>65</t>").unwrap();
    let run = &strings[strings[..number].rfind("<r>").unwrap()..number];
    assert!(run.contains("<b/>") && run.contains("FFA61B1B"), "{run}");
}

#[test]
fn links_open_the_live_page_at_the_quoted_text() {
    let mut chinese = row("a-2", "年滿65歲者，得申請。", "年滿65歲者", &[Code::HedgeDropped]);
    chinese.page = "https://lanternfield.example/%E5%B9%B4?q=%E6%AD%B2&x=1".into();
    let written = write(&facts(SheetLanguage::English), &[chinese]);
    let rels = part(&written.bytes, "xl/worksheets/_rels/sheet2.xml.rels");
    assert!(
        rels.contains("https://lanternfield.example/%E5%B9%B4?q=%E6%AD%B2&amp;x=1\""),
        "{rels}"
    );
    let sheet = part(&written.bytes, "xl/worksheets/sheet2.xml");
    assert!(sheet.contains("location=\":~:text=%E5%B9%B4"), "{sheet}");
    assert!(rels.contains("Target=\"report.html\"") && sheet.contains("row-a-2"));
}

#[test]
fn evidence_is_locked_decisions_are_open_and_filters_work_under_protection() {
    let written = write(&facts(SheetLanguage::English), &some_rows());
    let sheet = part(&written.bytes, "xl/worksheets/sheet2.xml");
    for wanted in [
        "<sheetProtection",
        "sort=\"0\"",
        "autoFilter=\"0\"",
        "<autoFilter ref=\"A1:K3\"",
        "<protectedRange",
        "approve,correct,reject,unsure",
        "state=\"frozen\"",
        "fitToHeight=\"0\"",
    ] {
        assert!(sheet.contains(wanted), "{wanted} in {sheet}");
    }
}

#[test]
fn the_file_says_who_it_is_twice() {
    let written = write(&facts(SheetLanguage::English), &some_rows());
    let custom = part(&written.bytes, "docProps/custom.xml");
    assert!(custom.contains("countersign.file") && custom.contains(&written.issued.file));
    let mut book = open(&written.bytes);
    let identity = book.worksheet_range("_countersign").unwrap();
    assert_eq!(cell(&identity, (3, 1)), written.issued.file);
    let workbook = part(&written.bytes, "xl/workbook.xml");
    assert!(workbook.contains("state=\"veryHidden\""));
}

#[test]
fn text_of_a_page_never_becomes_a_formula_and_comes_back_identical() {
    let hostile = [
        "=HYPERLINK(\"http://evil.example\",\"x\")",
        "+886 2 1234 5678",
        "-5 degrees",
        "@SUM(A1:A9)",
        "bell \u{7} and literal _x0041_ and _x000D_",
        "\u{202e}tnemyap\u{202c} \u{200f}עברית",
        "'quoted' <b>&amp;</b> \u{ffff}",
        "  leading and trailing  ",
        "𠮷野 😀 ²½①",
    ];
    let rows: Vec<RowRecord> = (0..)
        .zip(hostile)
        .map(|(at, text)| {
            let mut row = row(&format!("a-{at}"), text, text, &[Code::AddedWords]);
            row.claim.subject = text.into();
            row.claim.value = Value::Text(text.into());
            row.page_title = text.into();
            row.heading_path = vec![text.into()];
            row.page = format!("javascript:alert('{at}')");
            row.findings[0].evidence = Some(text.into());
            row
        })
        .collect();
    let written = write(&facts(SheetLanguage::English), &rows);
    let mut book = open(&written.bytes);
    let decide = book.worksheet_range("Decide").unwrap();
    for at in 1..=u32::try_from(rows.len()).unwrap() {
        let key = cell(&decide, (at, 5));
        let row = rows.iter().find(|it| it.key == key).unwrap();
        assert_eq!(cell(&decide, (at, 2)), row.sentence);
        assert_eq!(cell(&decide, (at, 4)), row.page);
    }
    let mut archive = zip::ZipArchive::new(Cursor::new(&written.bytes)).unwrap();
    for at in 0..archive.len() {
        let mut file = archive.by_index(at).unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        assert!(!text.contains("<f>") && !text.contains("<f "));
        assert!(!text.contains("Target=\"javascript"));
    }
}

#[test]
fn pages_gone_without_a_row_are_told_first_and_never_asked_about() {
    let mut facts = facts(SheetLanguage::Chinese);
    facts.summary.gone = (0..12)
        .map(|it| GonePage {
            source: "lanternfield".into(),
            page: format!("https://lanternfield.example/old/{it}"),
            reason: "網頁已不存在。".into(),
        })
        .collect();
    let written = write(&facts, &some_rows());
    let read_me = open(&written.bytes).worksheet_range("請先閱讀").unwrap();
    let told = (0..u32::try_from(read_me.height()).unwrap()).map(|it| cell(&read_me, (it, 1)));
    let told = told.into_iter().find(|it| it.contains("/old/0")).unwrap();
    assert!(told.contains("/old/9：網頁已不存在。") && told.ends_with("另有 2 頁"), "{told}");
    assert!(!told.contains("/old/10"), "{told}");
}

#[test]
fn what_the_format_cannot_hold_is_shown_shortened_and_says_so() {
    let long = format!("You must be aged 65 or over. {}", "條件".repeat(20_000));
    let emoji = "😀".repeat(16_384);
    let rows = [
        row("a-1", &long, &long, &[Code::AddedWords]),
        row("a-2", &emoji, "😀", &[Code::AddedWords]),
        RowRecord {
            page: format!("https://lanternfield.example/{}", "x".repeat(2_200)),
            ..row("a-3", "aged 65", "aged 65", &[Code::AddedWords])
        },
    ];
    let written = write(&facts(SheetLanguage::English), &rows);
    let decide = open(&written.bytes).worksheet_range("Decide").unwrap();
    for at in 1..=3 {
        let (key, says) = (cell(&decide, (at, 5)), cell(&decide, (at, 2)));
        if key == "a-3" {
            assert!(cell(&decide, (at, 4)).starts_with("https://"));
            continue;
        }
        assert!(says.starts_with("[Shortened view"), "{says}");
        assert!(says.contains(&format!("row {key}")));
        assert!(cell(&decide, (at, 3)).contains("report or page file"));
    }
}

#[test]
fn removals_and_changes_are_shown_side_by_side() {
    let rows = some_rows();
    let facts = facts(SheetLanguage::Chinese);
    let removals = [RemovalCandidate {
        row: row("lanternfield-0000000000aa", "年滿60歲者，得申請。", "年滿60歲", &[]),
        reason: "兩次造訪網頁都沒有這一段。".into(),
        last_seen: "2027-02-01".into(),
        dependants: vec!["lanternfield-000000000003".into()],
    }];
    let changed = [ChangedPair {
        old: row("lanternfield-0000000000bb", "年滿60歲者", "年滿60歲", &[]),
        new: rows[1].clone(),
        reason: "年齡由60改為65。".into(),
    }];
    let input = SheetInput {
        facts: &facts,
        rows: &rows,
        removals: &removals,
        changed: &changed,
        decided: &crate::desk::NOTHING,
        follow_up: None,
    };
    let written = write_workbook(&input).unwrap();
    let mut book = open(&written.bytes);
    let removed = book.worksheet_range("是否已移除？").unwrap();
    assert_eq!(cell(&removed, (1, 2)), "年滿60歲者，得申請。");
    assert_eq!(cell(&removed, (1, 5)), "lanternfield-000000000003");
    let changes = book.worksheet_range("有變更").unwrap();
    assert_eq!(cell(&changes, (1, 1)), "年滿60歲者");
    assert_eq!(cell(&changes, (1, 2)), "年滿65歲者，得申請。");
    assert_eq!(cell(&changes, (1, 7)), "請決定");
}

#[test]
fn a_changed_rule_stands_before_another_wording_and_another_number_of_a_clause() {
    let pair = |key: &str, sentences: [&str; 2], ages: [u64; 2], subjects: [&str; 2]| {
        let side = |at: usize| {
            let mut row = row(key, sentences[at], "aged", &[]);
            row.claim.value = Value::Number(ages[at].into());
            row.claim.subject = subjects[at].to_owned();
            row
        };
        ChangedPair { old: side(0), new: side(1), reason: key.to_owned() }
    };
    let changed = [
        pair("a-number", ["You must be aged 65.", "You must be aged 65."], [65, 65], ["5", "6"]),
        pair("b-wording", ["Be aged 65.", "You must be aged 65."], [65, 65], ["5", "5"]),
        pair("c-rule", ["You must be aged 65.", "You must be aged 66."], [65, 66], ["5", "5"]),
    ];
    let facts = facts(SheetLanguage::English);
    let rows = some_rows();
    let input = SheetInput {
        facts: &facts,
        rows: &rows,
        removals: &[],
        changed: &changed,
        decided: &crate::desk::NOTHING,
        follow_up: None,
    };
    let written = write_workbook(&input).unwrap();
    let mut book = open(&written.bytes);
    let shown = book.worksheet_range("Changed").unwrap();
    let reasons: Vec<String> = (1..4).map(|at| cell(&shown, (at, 5))).collect();
    assert_eq!(reasons, ["c-rule", "b-wording", "a-number"]);
}

#[test]
fn read_me_says_that_no_model_was_used() {
    let written = write(&facts(SheetLanguage::Chinese), &some_rows());
    let read_me = open(&written.bytes).worksheet_range("請先閱讀").unwrap();
    let text: Vec<String> = read_me.rows().flatten().map(ToString::to_string).collect();
    assert!(text.iter().any(|it| it.contains("未使用任何 AI 模型")));
    let mut facts = facts(SheetLanguage::English);
    facts.summary.readers.insert("review".into(), "some-model".into());
    let written = write(&facts, &some_rows());
    let read_me = open(&written.bytes).worksheet_range("Read me first").unwrap();
    assert!(!read_me.rows().flatten().any(|it| it.to_string().contains("No AI model")));
}

#[test]
fn a_hostile_returned_file_is_refused_or_read_within_bounds() {
    use countersign::sheet::read::read_returned;
    use std::io::Write;
    use zip::write::SimpleFileOptions;
    let options = SimpleFileOptions::default();
    let zipped = |parts: &[(&str, Vec<u8>)]| {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in parts {
            writer.start_file(*name, options).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    };
    // A repeated cell that would fill a million rows.
    let kind = b"application/vnd.oasis.opendocument.spreadsheet".to_vec();
    let content = br#"<d><table:table table:name="a"><table:table-row table:number-rows-repeated="1048576">
        <table:table-cell table:number-columns-repeated="16384" office:value-type="string"><text:p>x</text:p></table:table-cell>
        </table:table-row></table:table></d>"#;
    let ods = zipped(&[("mimetype", kind), ("content.xml", content.to_vec())]);
    let error = read_returned(&ods).unwrap_err().to_string();
    assert!(error.contains("more cells than a sheet can hold"), "{error}");
    // One cell in the last place of the format costs nothing.
    let mut workbook = rust_xlsxwriter::Workbook::new();
    workbook.add_worksheet().write_string(1_048_575, 16_383, "far away").unwrap();
    let far = read_returned(&workbook.save_to_buffer().unwrap()).unwrap();
    assert!(far.rows.is_empty() && far.identity.is_none());
    for (bytes, words) in [
        (b"".as_slice(), "empty"),
        (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 old".as_slice(), "old .xls"),
        (b"PK\x03\x04 cut".as_slice(), "cut off"),
        (&zipped(&[("word/document.xml", b"<x/>".to_vec())]), "neither .xlsx, .ods nor .csv"),
    ] {
        let error = read_returned(bytes).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}
