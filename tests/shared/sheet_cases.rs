//! What a client does to a sheet, case by case: written by this program, changed by openpyxl and
//! LibreOffice, read back by this program.

use std::collections::BTreeSet;
use std::path::PathBuf;

use countersign::model::claim::{Op, Value};
use countersign::model::decision::DecisionWord;
use countersign::model::finding::Code;
use countersign::model::returned::ReturnedCell;
use countersign::model::row::{RowRecord, RowStatus};
use countersign::model::sheet::{Column, RemovalCandidate};
use countersign::model::signing::{SignCode, SignState};
use countersign::sheet::archive::Archive;
use countersign::sheet::csv_file::read_csv;
use countersign::sheet::grid::Book;
use countersign::sheet::xlsx_file::read_xlsx;
use countersign::signoff::approved::removals_decided;

use crate::client::ClientBook;
use crate::desk::{Desk, ben, facts, found, row};
use crate::office::Bench;

pub fn cases() -> PathBuf {
    let shared = std::env::var("COUNTERSIGN_SHARED").map_or_else(
        |_| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"),
        PathBuf::from,
    );
    shared.join("cases")
}

/// Every case of the file has a test below, named after it.
#[test]
fn every_case_has_its_test() {
    let path = cases().join("sheet.jsonl");
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|cause| panic!("{}: {cause}", path.display()));
    let here = [include_str!("sheet_cases.rs"), include_str!("sheet_programs.rs")].concat();
    let missing: Vec<String> = text
        .lines()
        .map(|line| {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            case["id"].as_str().unwrap().to_owned()
        })
        .filter(|id| {
            let number: String = id.split('-').take(2).collect::<Vec<_>>().join("_").to_lowercase();
            !here.contains(&format!("fn {number}_"))
        })
        .collect();
    assert!(missing.is_empty(), "no test for {missing:?}");
    assert!(text.lines().count() >= 16, "{} cases", text.lines().count());
}

pub const APPROVE_ALL: &str = r#"
for number in range(1, 13):
    put("Decide", f"BEN-{number:04}", "Decision", "approve")
"#;

/// The issued sheet, changed by openpyxl.
pub fn edited(desk: &Desk, edit: &str) -> Vec<u8> {
    let bench = Bench::new();
    let file = bench.put("sheet.xlsx", &desk.issues.last().unwrap().bytes);
    bench.openpyxl(&file, edit)
}

#[test]
fn qc_01_locked_cell_edited() {
    let mut desk = Desk::new();
    let file = edited(
        &desk,
        &format!(
            r#"{APPROVE_ALL}
book["Decide"].protection.sheet = False
put("Decide", "BEN-0006", "What the page says", "You must be 16 or over.")
put("Decide", "BEN-0006", "What was extracted", "Applicant: Lowest age at least 16")
"#
        ),
    );
    let plan = desk.take(&file, "A");
    let changed = found(&plan, SignCode::LockedCellChanged, "BEN-0006");
    let columns: BTreeSet<Column> = changed.iter().flat_map(|it| it.columns.clone()).collect();
    assert_eq!(columns, BTreeSet::from([Column::Says, Column::Extracted]));
    assert!(changed.iter().all(|it| it.before.is_some() && it.after.is_some()));
    assert_eq!((plan.state, plan.counts.applied), (SignState::Partial, 11));
    assert!(!desk.approved().contains(&"BEN-0006".to_owned()));
    let again = desk.follow_up(&plan);
    let text = format!("{:?}", again.book.grids);
    assert!(text.contains("use \\\"correct\\\" and the corrected value"));
    assert!(text.contains("You must be 18 or over.") && !text.contains("You must be 16"));
}

#[test]
fn qc_02_row_deleted() {
    let mut desk = Desk::new();
    let edit =
        format!("{APPROVE_ALL}\nbook[\"Decide\"].delete_rows(line(\"Decide\", \"BEN-0005\"))");
    let plan = desk.take(&edited(&desk, &edit), "A");
    assert_eq!(found(&plan, SignCode::RowMissing, "BEN-0005").len(), 1);
    assert_eq!((plan.counts.decided, plan.counts.asked), (11, 12));
    assert_eq!(plan.state, SignState::Partial);
}

#[test]
fn qc_03_rows_sorted_and_filtered() {
    let mut desk = Desk::new();
    let edit = format!(
        r#"{APPROVE_ALL}
tab = book["Decide"]
rows = [[c.value for c in r] for r in tab.iter_rows(min_row=2)]
rows.sort(key=lambda r: r[5], reverse=True)
for at, row in enumerate(rows, 2):
    for column, value in enumerate(row, 1):
        tab.cell(at, column).value = value
for at in (3, 5, 7, 9, 11):
    tab.row_dimensions[at].hidden = True
"#
    );
    let plan = desk.take(&edited(&desk, &edit), "A");
    assert_eq!((plan.state, plan.counts.applied), (SignState::Complete, 12));
    assert!(plan.findings.iter().any(|it| it.code == SignCode::OrderChanged && !it.stops));
    assert!(plan.findings.iter().any(|it| it.code == SignCode::RowsHidden && !it.stops));
}

#[test]
fn qc_08_decision_wording_changed() {
    let mut desk = Desk::new();
    let edit = r#"
words = ["OK", "Approved", "approve\u00a0", "核準", "APPROVE", "✓", "yes but see note"]
for number, word in enumerate(words, 1):
    put("Decide", f"BEN-{number:04}", "Decision", word)
"#;
    let plan = desk.take(&edited(&desk, edit), "A");
    assert_eq!(desk.approved(), ["BEN-0003", "BEN-0005"]);
    for number in [1, 2, 4, 6, 7] {
        let finding = found(&plan, SignCode::UnknownDecision, &format!("BEN-{number:04}"))[0];
        assert!(finding.detail.contains("approve / correct / reject / unsure"));
    }
}

#[test]
fn qc_09_formula_injection_source() {
    let texts = ["=HYPERLINK(\"http://evil.example\",\"x\")", "+886 2 1234", "-5", "@SUM(A1)"];
    let rows: Vec<RowRecord> = (1..)
        .zip(texts)
        .map(|(at, text)| {
            let mut row = row(&format!("BEN-{at:04}"), text, text, &[Code::AddedWords]);
            row.claim.value = Value::Text(text.into());
            row.claim.op = Op::Is;
            row
        })
        .collect();
    let written =
        crate::desk::write(&facts(countersign::model::sheet::SheetLanguage::English), &rows);
    let bench = Bench::new();
    let file = bench.put("sheet.xlsx", &written.bytes);
    let resaved = bench.openpyxl(
        &file,
        "assert not any(c.data_type == 'f' for t in book for r in t.iter_rows() for c in r)",
    );
    for bytes in [&written.bytes, &resaved] {
        let book = book_of(bytes);
        let says: BTreeSet<String> = column_of(&book, "Decide", "What the page says");
        for text in texts {
            assert!(says.contains(text), "{text}");
        }
    }
    let csv = countersign::sheet::csv_file::write_csv(
        &written.issued,
        countersign::model::sheet::Tab::Decide,
    );
    for line in csv.lines().skip(1) {
        for cell in line.split(',') {
            assert!(!cell.trim_matches('"').starts_with(['=', '+', '-', '@']), "{cell}");
        }
    }
    let back = read_csv(&csv, |it| it.iter().any(|cell| cell == "Decision")).unwrap();
    let says: BTreeSet<String> = column_of(&back, "csv", "What the page says");
    for text in texts {
        assert!(says.contains(text), "{text} of {says:?}");
    }
}

pub fn book_of(bytes: &[u8]) -> Book {
    let mut archive = Archive::open(bytes).unwrap();
    read_xlsx(bytes, &mut archive).unwrap()
}

fn column_of(book: &Book, tab: &str, title: &str) -> BTreeSet<String> {
    let client = ClientBook { book: book.clone() };
    let column = client.column(tab, title);
    let grid = book.grids.iter().find(|it| it.name == tab).unwrap();
    grid.rows.values().filter_map(|row| row.cells.get(&column)).map(ReturnedCell::shown).collect()
}

#[test]
fn qc_11_smart_quotes_and_width() {
    let mut desk = Desk::new();
    let edit = r#"
put("Decide", "BEN-0003", "Decision", "correct")
put("Decide", "BEN-0003", "Corrected quote", "The applicant's income must not exceed $10,330")
put("Decide", "BEN-0005", "Decision", "correct")
put("Decide", "BEN-0005", "Corrected quote", "申請人應年滿18歲")
"#;
    let plan = desk.take(&edited(&desk, edit), "A");
    assert!(desk.decisions.is_empty());
    let near = found(&plan, SignCode::CorrectionNotInSource, "BEN-0003")[0];
    assert_eq!(near.suggestion.as_deref(), Some("The applicant’s income must not exceed $10,330"));
    let near = found(&plan, SignCode::CorrectionNotInSource, "BEN-0005")[0];
    assert_eq!(near.suggestion.as_deref(), Some("申請人應年滿１８歲"));
    let mut again = desk.follow_up(&plan);
    again.write("Decide", "BEN-0005", "Decision", "approve");
    desk.take(&again.save(), "A");
    assert_eq!(desk.approved(), ["BEN-0005"]);
    assert_eq!(desk.decisions[0].word, DecisionWord::Correct);
}

#[test]
fn qc_12_date_autoconverted() {
    let edit = |epoch: &str| {
        format!(
            r#"
{epoch}
put("Decide", "BEN-0004", "Decision", "correct")
cell = put("Decide", "BEN-0004", "Corrected value", datetime.date(2027, 3, 1))
cell.number_format = "yyyy-mm-dd"
"#
        )
    };
    let mac =
        "from openpyxl.utils.datetime import CALENDAR_MAC_1904\nbook.epoch = CALENDAR_MAC_1904";
    for (epoch, serial) in [("", "46447"), (mac, "44985")] {
        let mut desk = Desk::new();
        let file = edited(&desk, &edit(epoch));
        let mut archive = Archive::open(&file).unwrap();
        let sheet = archive.text("xl/worksheets/sheet2.xml").unwrap().unwrap();
        assert!(sheet.contains(&format!("<v>{serial}</v>")), "the serial of this epoch");
        let plan = desk.take(&file, "A");
        let finding = found(&plan, SignCode::TypeDrift, "BEN-0004")[0];
        assert!(finding.detail.contains("a date (2027-03-01), text expected; please retype"));
        assert!(desk.decisions.is_empty());
    }
}

#[test]
fn qc_13_leading_zeros_and_long_digits() {
    let texts = ["007", "1234567890123456789", "1E5"];
    let rows: Vec<RowRecord> = (1..)
        .zip(texts)
        .map(|(at, text)| row(&format!("BEN-{at:04}"), text, text, &[Code::AddedWords]))
        .collect();
    let mut desk = Desk::with(rows);
    let mut book = desk.sheet();
    for number in [1, 2, 3] {
        book.write("Decide", &format!("BEN-{number:04}"), "Decision", "approve");
    }
    book.write("Decide", "BEN-0003", "Decision", "correct");
    book.write("Decide", "BEN-0003", "Corrected value", "0123");
    // Opened as CSV and saved as a workbook, which makes numbers of what looks like some.
    let bench = Bench::new();
    let csv = bench.put("sheet.csv", &book.save_csv("Decide"));
    let file = bench.libreoffice(&csv, "xlsx:Calc MS Excel 2007 XML");
    let plan = desk.take(&file, "A");
    for number in [1, 2, 3] {
        let retyped = found(&plan, SignCode::LockedCellRetyped, &format!("BEN-{number:04}"));
        assert!(retyped.iter().all(|it| !it.stops));
    }
    let retyped = plan.findings.iter().filter(|it| it.code == SignCode::LockedCellRetyped).count();
    assert!(retyped >= 1, "{:#?}", plan.findings);
    let drift = found(&plan, SignCode::TypeDrift, "BEN-0003")[0];
    assert!(drift.detail.contains("a number (123)"), "{}", drift.detail);
    assert!(desk.decisions.iter().all(|it| it.correction.is_none()));
}

#[test]
fn qc_15_two_files_for_one_run() {
    let mut desk = Desk::new();
    let a = edited(&desk, APPROVE_ALL);
    let edit = format!("{APPROVE_ALL}\nput(\"Decide\", \"BEN-0003\", \"Decision\", \"reject\")");
    let b = edited(&desk, &edit);
    assert_eq!(desk.take(&a, "A").counts.applied, 12);
    let plan = desk.take(&b, "B");
    assert_eq!((plan.counts.repeated, plan.counts.conflicts), (11, 1));
    assert_eq!(desk.approved().len(), 11);
    let before = desk.decisions.clone();
    desk.take(&b, "B");
    desk.take(&a, "A");
    assert_eq!(desk.decisions, before, "importing again changes nothing");
    desk.follow_up(&plan);
    let rows = &desk.issues.last().unwrap().issued.rows;
    assert_eq!(rows.iter().map(|it| it.key.as_str()).collect::<Vec<_>>(), ["BEN-0003"]);
}

#[test]
fn qc_16_old_file_after_new_run() {
    let mut desk = Desk::new();
    let old = edited(&desk, APPROVE_ALL);
    desk.facts.summary.run = "run-2".into();
    let changed = &mut desk.rows[2];
    changed.claim.value = Value::Number(10_500.into());
    changed.sentence = changed.sentence.replace("10,330", "10,500");
    changed.claim.snippet = changed.claim.snippet.replace("10,330", "10,500");
    desk.issue();
    let plan = desk.take(&old, "A");
    assert_eq!(plan.counts.applied, 11);
    let stale = found(&plan, SignCode::StaleSignature, "BEN-0003")[0];
    assert!(stale.before.as_deref().unwrap().contains("10,330"));
    assert!(stale.after.as_deref().unwrap().contains("10,500"));
    assert_eq!(plan.findings.iter().filter(|it| it.code == SignCode::Carried).count(), 11);
}

#[test]
fn qc_17_removed_candidate_left_blank() {
    let mut desk = Desk::new();
    desk.removals.push(RemovalCandidate {
        row: RowRecord { status: RowStatus::Accepted, ..ben(29) },
        reason: "answered 404 twice".into(),
        last_seen: "2027-02-01".into(),
        dependants: Vec::new(),
    });
    desk.issues.clear();
    desk.issue();
    let plan = desk.take(&edited(&desk, APPROVE_ALL), "A");
    assert_eq!((plan.counts.decided, plan.counts.open), (12, 1));
    let waiting = found(&plan, SignCode::Undecided, "BEN-0029")[0];
    assert!(waiting.detail.contains("awaiting the client"));
    assert!(removals_decided(&desk.current(), &desk.decisions).is_empty());
}

#[test]
fn qc_19_limits_at_write_time() {
    let long = "You must be 18 or over and ".repeat(1_500);
    let emoji = "😀".repeat(16_384);
    let mut far = ben(3);
    far.page = format!("https://lanternfield.example/{}", "x".repeat(2_200));
    let rows = vec![
        row("BEN-0001", &long, &long, &[Code::AddedWords]),
        row("BEN-0002", &emoji, &emoji, &[Code::AddedWords]),
        far,
    ];
    let desk = Desk::with(rows);
    let bench = Bench::new();
    let file = bench.put("sheet.xlsx", &desk.issues[0].bytes);
    let resaved = bench.libreoffice(&file, "xlsx");
    for bytes in [&desk.issues[0].bytes, &resaved] {
        let book = book_of(bytes);
        for text in column_of(&book, "Decide", "What the page says") {
            assert!(text.encode_utf16().count() <= 32_767);
            let whole = text == far_sentence() || text == "What the page says" || text == emoji;
            assert!(whole || text.starts_with("[Shortened view"), "{text}");
        }
    }
}

fn far_sentence() -> String {
    ben(3).sentence
}

#[test]
fn qc_21_partial_and_resume() {
    let rows: Vec<RowRecord> =
        (1..=60).map(|it| RowRecord { status: RowStatus::Flagged, ..ben(it) }).collect();
    let mut desk = Desk::with(rows);
    let some = r#"
for number in range(1, 26):
    put("Decide", f"BEN-{number:04}", "Decision", "approve")
"#;
    let first = desk.take(&edited(&desk, some), "A");
    assert_eq!((first.counts.decided, first.counts.asked), (25, 60));
    assert_eq!(first.state, SignState::Partial);
    desk.follow_up(&first);
    assert_eq!(desk.issues.last().unwrap().issued.asked().count(), 35);
    let rest = r#"
for number in range(26, 61):
    put("Decide", f"BEN-{number:04}", "Decision", "approve")
"#;
    let second = desk.take(&edited(&desk, rest), "B");
    assert_eq!(second.state, SignState::Complete);
    assert_eq!(desk.decisions.len(), 60);
    for decision in &desk.decisions {
        assert!(decision.file_digest.len() == 64 && !decision.signed_at.is_empty());
    }
    assert_eq!(desk.decisions.iter().filter(|it| it.signer == "B").count(), 35);
}

/// Wrong store and empty store: the ledger's own tests hold the rest of this case.
#[test]
fn qc_34_wrong_database_vs_empty() {
    use countersign::store::ledger::LedgerError;
    use countersign::store::sqlite::SqliteLedger;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("ledger.sqlite");
    drop(SqliteLedger::create(&path, "project-q", "2027-03-01T00:00:00Z").unwrap());
    let wrong = SqliteLedger::open(&path, Some("project-p"));
    let Err(error @ LedgerError::WrongProject { .. }) = wrong else { panic!("{wrong:?}") };
    assert!(error.to_string().contains("project-q") && error.to_string().contains("project-p"));
}

/// A decision that meets no row takes the whole import back; shown on the sign-off's own seam in
/// `signoff::ledger`, here on what a plan needs for it.
#[test]
fn qc_35_zero_row_update() {
    use countersign::signoff::ledger::{Applied, SignoffChange, SignoffLedger, apply_signoff};
    #[derive(Debug, thiserror::Error)]
    #[error("never")]
    struct Never;
    struct Reissued;
    impl SignoffLedger for Reissued {
        type Error = Never;
        fn apply(&mut self, _: &SignoffChange) -> Result<Applied, Never> {
            Ok(Applied { affected: 1, read_back: Vec::new() })
        }
    }
    let desk = Desk::new();
    let edit = "put(\"Decide\", \"BEN-0002\", \"Decision\", \"approve\")";
    let plan = desk.plan(&edited(&desk, edit), Some("A"));
    let error = apply_signoff(&mut Reissued, &plan).unwrap_err();
    assert!(error.to_string().contains("1 of 2 lines were affected"), "{error}");
}
