//! The way back: what a client may do to an issued sheet, on real files, and what is taken of it.

use countersign::model::claim::Value;
use countersign::model::decision::DecisionWord;
use countersign::model::returned::CellContent;
use countersign::model::row::{RowRecord, RowStatus};
use countersign::model::sheet::{Column, Tab};
use countersign::model::signing::{SignCode, SignState};
use countersign::signoff::approved::approved_rows;
use countersign::signoff::signature::is_intact;

use crate::client::ClientBook;
use crate::desk::{Desk, PAGE, ben, found};

/// Writes "approve" beside rows of the desk.
pub fn approve(book: &mut ClientBook, keys: impl IntoIterator<Item = usize>) {
    for number in keys {
        book.write("Decide", &format!("BEN-{number:04}"), "Decision", "approve");
    }
}

#[test]
fn a_clean_return_is_signed_in_full_and_nothing_else_is_approved() {
    let mut desk = Desk::new();
    let mut book = desk.sheet();
    approve(&mut book, 1..=12);
    let plan = desk.take(&book.save(), "A. Client");
    assert_eq!(plan.state, SignState::Complete);
    assert_eq!((plan.counts.asked, plan.counts.decided, plan.counts.applied), (12, 12, 12));
    assert_eq!(desk.approved().len(), 12, "accepted rows are not approved by silence");
    let signature = plan.signature.unwrap();
    assert!(is_intact(&signature));
    assert_eq!(signature.rows.len(), 12);
    assert!(signature.sentence.contains("under my name"));
    let mut forged = signature.clone();
    forged.rows[0].word = DecisionWord::Reject;
    assert!(!is_intact(&forged));
    assert_eq!(plan.follow_up, None);
}

#[test]
fn an_edited_locked_cell_is_told_with_before_and_after_and_never_stored() {
    let mut desk = Desk::new();
    let mut book = desk.sheet();
    approve(&mut book, 1..=12);
    book.write("Decide", "BEN-0006", "What the page says", "You must be 16 or over.");
    book.write("Decide", "BEN-0006", "What was extracted", "Applicant: lowest age at least 16");
    let plan = desk.take(&book.save(), "A");
    let changed = found(&plan, SignCode::LockedCellChanged, "BEN-0006");
    let columns: Vec<Column> = changed.iter().flat_map(|it| it.columns.clone()).collect();
    assert_eq!(columns, [Column::Extracted, Column::Says]);
    assert_eq!(changed[1].before.as_deref(), Some("You must be 18 or over."));
    assert_eq!(changed[1].after.as_deref(), Some("You must be 16 or over."));
    assert_eq!(plan.counts.applied, 11);
    assert!(!desk.approved().contains(&"BEN-0006".to_owned()));
    let mut again = desk.follow_up(&plan);
    let why = again.column("Decide", "Why we ask");
    let line = again.line("Decide", "BEN-0006");
    let text = again.grid("Decide").cell(line, why).unwrap().shown();
    assert!(text.contains("use \"correct\" and the corrected value"), "{text}");
    let says = again.column("Decide", "What the page says");
    assert_eq!(again.grid("Decide").cell(line, says).unwrap().shown(), "You must be 18 or over.");
}

#[test]
fn a_deleted_row_is_undecided_and_the_state_says_so() {
    let mut desk = Desk::new();
    let mut book = desk.sheet();
    approve(&mut book, 1..=12);
    book.delete("Decide", "BEN-0005");
    let plan = desk.take(&book.save(), "A");
    assert_eq!(found(&plan, SignCode::RowMissing, "BEN-0005").len(), 1);
    assert_eq!((plan.state, plan.counts.decided), (SignState::Partial, 11));
    assert_eq!(plan.follow_up.unwrap().keys.into_iter().collect::<Vec<_>>(), ["BEN-0005"]);
}

#[test]
fn sorted_filtered_renamed_and_widened_tabs_are_read_by_key() {
    let mut desk = Desk::new();
    let mut book = desk.sheet();
    approve(&mut book, 2..=12);
    book.write("Decide", "BEN-0001", "Decision", "reject");
    book.sort_descending("Decide", "Row");
    for number in [2, 4, 6, 8, 10] {
        book.hide("Decide", &format!("BEN-{number:04}"));
    }
    book.insert_column("Decide", 0);
    book.insert_row("Decide", 0);
    let why = book.column("Decide", "Why we ask");
    book.delete_column("Decide", why);
    book.put_at("Decide", (0, 0), CellContent::Text("our remarks".into()));
    book.rename("Decide", "done by Ms Chan");
    let plan = desk.take(&book.save(), "A");
    assert_eq!(plan.counts.applied, 12);
    assert!(plan.findings.iter().any(|it| it.code == SignCode::OrderChanged));
    assert!(plan.findings.iter().any(|it| it.code == SignCode::RowsHidden));
    assert!(
        plan.findings
            .iter()
            .any(|it| it.code == SignCode::UnreadCell && it.detail.contains("our remarks"))
    );
    assert!(!desk.approved().contains(&"BEN-0001".to_owned()));
}

#[test]
fn unknown_words_are_listed_with_the_allowed_ones_and_never_guessed() {
    let mut desk = Desk::new();
    let mut book = desk.sheet();
    let said = ["OK", "Approved", "approve\u{a0}", "核準", "APPROVE", "✓", "yes but see note"];
    for (number, word) in (1..).zip(said) {
        book.write("Decide", &format!("BEN-{number:04}"), "Decision", word);
    }
    let plan = desk.take(&book.save(), "A");
    assert_eq!(desk.approved(), ["BEN-0003", "BEN-0005"]);
    for number in [1, 2, 4, 6, 7] {
        let key = format!("BEN-{number:04}");
        let finding = found(&plan, SignCode::UnknownDecision, &key)[0];
        assert!(finding.detail.contains("approve / correct / reject / unsure"), "{key}");
        assert_eq!(finding.after.as_deref(), Some(said[number - 1]));
    }
}

#[test]
fn a_correction_passes_the_gate_or_is_offered_back_with_the_pages_words() {
    let mut desk = Desk::new();
    let mut book = desk.sheet();
    // A wrong value on the page's own quote; a quote typed with straight quotes and half width.
    book.write("Decide", "BEN-0002", "Decision", "correct");
    book.write("Decide", "BEN-0002", "Corrected value", "17");
    book.write("Decide", "BEN-0003", "Decision", "correct");
    book.write(
        "Decide",
        "BEN-0003",
        "Corrected quote",
        "The applicant's income must not exceed $10,330",
    );
    book.write("Decide", "BEN-0005", "Decision", "correct");
    book.write("Decide", "BEN-0005", "Corrected quote", "申請人應年滿18歲");
    book.write("Decide", "BEN-0007", "Decision", "correct");
    book.write(
        "Decide",
        "BEN-0007",
        "Corrected quote",
        "lived in Lanternfield for at least 7 years",
    );
    let plan = desk.take(&book.save(), "A");
    assert_eq!(desk.approved(), ["BEN-0007"]);
    assert_eq!(found(&plan, SignCode::CorrectionNotInSource, "BEN-0002").len(), 1);
    let near = found(&plan, SignCode::CorrectionNotInSource, "BEN-0003")[0];
    let words = near.suggestion.as_deref().unwrap();
    assert_eq!(words, "The applicant’s income must not exceed $10,330");
    let near = found(&plan, SignCode::CorrectionNotInSource, "BEN-0005")[0];
    assert_eq!(near.suggestion.as_deref(), Some("申請人應年滿１８歲"));
    // The client confirms the page's own words on the follow-up sheet.
    let mut again = desk.follow_up(&plan);
    again.write("Decide", "BEN-0003", "Decision", "approve");
    let plan = desk.take(&again.save(), "A");
    assert_eq!(plan.counts.applied, 1);
    let decision = desk.decisions.iter().find(|it| it.key == "BEN-0003").unwrap();
    assert_eq!(decision.word, DecisionWord::Correct);
    let claim = &decision.correction.as_ref().unwrap().claim;
    assert_eq!(claim.snippet, "The applicant’s income must not exceed $10,330");
    assert_eq!(desk.approved(), ["BEN-0003", "BEN-0007"]);
}

#[test]
fn dates_numbers_and_formulas_in_open_cells_are_named_and_not_taken() {
    let mut desk = Desk::new();
    let mut book = desk.sheet();
    for number in [3, 4, 8, 9] {
        book.write("Decide", &format!("BEN-{number:04}"), "Decision", "correct");
    }
    let value = "Corrected value";
    book.put("Decide", "BEN-0004", value, CellContent::Date("2027-03-01".into()));
    book.put("Decide", "BEN-0003", value, CellContent::Number("123".into()));
    let place = (book.line("Decide", "BEN-0008"), book.column("Decide", value));
    book.grid("Decide").put(
        place,
        countersign::model::returned::ReturnedCell {
            content: CellContent::Number("10330".into()),
            formula: Some("10000+330".into()),
        },
    );
    let plan = desk.take(&book.save(), "A");
    let date = found(&plan, SignCode::TypeDrift, "BEN-0004")[0];
    assert!(date.detail.contains("a date (2027-03-01), text expected; please retype"));
    assert!(found(&plan, SignCode::TypeDrift, "BEN-0003")[0].detail.contains("a number (123)"));
    assert_eq!(found(&plan, SignCode::FormulaInCell, "BEN-0008").len(), 1);
    assert_eq!(found(&plan, SignCode::CorrectionMissing, "BEN-0009").len(), 1);
    assert!(desk.decisions.is_empty());
}

#[test]
fn two_signers_who_differ_leave_the_row_undecided_until_a_new_sheet_settles_it() {
    let mut desk = Desk::new();
    let mut a = desk.sheet();
    approve(&mut a, 1..=12);
    let mut b = desk.sheet();
    approve(&mut b, 1..=12);
    b.write("Decide", "BEN-0003", "Decision", "reject");
    let (a, b) = (a.save(), b.save());
    assert_eq!(desk.take(&a, "A").counts.applied, 12);
    let plan = desk.take(&b, "B");
    assert_eq!((plan.counts.repeated, plan.counts.conflicts, plan.counts.open), (11, 1, 1));
    let finding = found(&plan, SignCode::Conflict, "BEN-0003")[0];
    assert_eq!(finding.before.as_deref(), Some("A: approve"));
    assert_eq!(finding.after.as_deref(), Some("B: reject"));
    assert!(!desk.approved().contains(&"BEN-0003".to_owned()));
    let keys = plan.follow_up.clone().unwrap().keys;
    assert_eq!(keys.into_iter().collect::<Vec<_>>(), ["BEN-0003"]);
    // The same files again change nothing, in whichever order.
    let before = desk.decisions.clone();
    for file in [&a, &b, &a] {
        let again = desk.take(file, "B");
        assert_eq!((again.signature, again.decisions, again.withdrawn), (None, vec![], vec![]));
    }
    assert_eq!(desk.decisions, before);
    let mut sheet = desk.follow_up(&plan);
    sheet.write("Decide", "BEN-0003", "Decision", "reject");
    assert_eq!(desk.take(&sheet.save(), "A and B").counts.applied, 1);
    assert_eq!(desk.approved().len(), 11);
}

#[test]
fn an_old_file_after_a_new_run_keeps_what_is_unchanged_and_shows_the_rest() {
    let mut desk = Desk::new();
    let mut old = desk.sheet();
    approve(&mut old, 1..=12);
    let old = old.save();
    desk.facts.summary.run = "run-2".into();
    let changed = &mut desk.rows[2];
    changed.key = "BEN-0103".into();
    changed.claim.value = Value::Number(10_500.into());
    changed.claim.snippet = "must not exceed $10,500 a month".into();
    changed.sentence = "The applicant’s income must not exceed $10,500 a month.".into();
    desk.issue();
    let plan = desk.take(&old, "A");
    assert_eq!(plan.counts.applied, 11);
    let stale = found(&plan, SignCode::StaleSignature, "BEN-0003")[0];
    assert!(stale.before.as_deref().unwrap().contains("$10,330"));
    assert!(stale.after.as_deref().unwrap().contains("$10,500"));
    assert_eq!(desk.approved().len(), 11);
    assert!(!desk.approved().contains(&"BEN-0103".to_owned()));
    let keys = plan.follow_up.unwrap().keys;
    assert_eq!(keys.into_iter().collect::<Vec<_>>(), ["BEN-0103"], "asked in its new form");
}

#[test]
fn partial_work_is_kept_and_the_follow_up_holds_exactly_the_rest() {
    let rows: Vec<RowRecord> =
        (1..=60).map(|it| RowRecord { status: RowStatus::Flagged, ..ben(it) }).collect();
    let mut desk = Desk::with(rows);
    let mut book = desk.sheet();
    approve(&mut book, 1..=25);
    let first = desk.take(&book.save(), "A");
    assert_eq!(
        (first.state, first.counts.decided, first.counts.asked),
        (SignState::Partial, 25, 60)
    );
    let mut rest = desk.follow_up(&first);
    assert_eq!(desk.issues.last().unwrap().issued.asked().count(), 35);
    approve(&mut rest, 26..=60);
    let second = desk.take(&rest.save(), "A");
    assert_eq!(second.state, SignState::Complete);
    assert_eq!(desk.decisions.len(), 60);
    assert!(desk.decisions.iter().all(|it| !it.signer.is_empty() && it.file_digest.len() == 64));
    let times: Vec<&str> = desk.decisions.iter().map(|it| it.signed_at.as_str()).collect();
    assert_eq!((times[0], times[59]), ("2027-03-05T09:00:00Z", "2027-03-05T10:00:00Z"));
}

#[test]
fn copied_foreign_mixed_and_merged_rows_are_each_their_own_finding() {
    let mut desk = Desk::new();
    let mut book = desk.sheet();
    approve(&mut book, 1..=12);
    let line = book.copy_to_end("Decide", "BEN-0001");
    let column = book.column("Decide", "Decision");
    book.put_at("Decide", (line, column), CellContent::Text("reject".into()));
    book.copy_to_end("Decide", "BEN-0002");
    // The key of another row pasted over one's own.
    let check = book.column("Decide", "Check");
    let line = book.line("Decide", "BEN-0003");
    let other = book.line("Decide", "BEN-0004");
    let token = book.grid("Decide").cell(other, check).unwrap().shown();
    book.put_at("Decide", (line, check), CellContent::Text(token));
    let line = book.copy_to_end("Decide", "BEN-0005");
    let key = book.column("Decide", "Row");
    book.put_at("Decide", (line, key), CellContent::Text("BEN-9999".into()));
    let untouched =
        |key: &str| !["0001", "0002", "0003", "0005"].iter().any(|it| key.ends_with(it));
    let keys: Vec<String> = desk.issues[0].issued.asked().map(|it| it.key.clone()).collect();
    let at = keys.windows(2).position(|it| it.iter().all(|key| untouched(key))).unwrap();
    let (merged, below) = (keys[at].clone(), keys[at + 1].clone());
    let line = book.line("Decide", &merged);
    book.merge("Decide", (line, column), (line + 1, column));
    let plan = desk.take(&book.save(), "A");
    assert!(found(&plan, SignCode::DuplicateRow, "BEN-0001")[0].stops);
    assert!(!found(&plan, SignCode::DuplicateRow, "BEN-0002")[0].stops);
    assert_eq!(found(&plan, SignCode::ForeignRow, "BEN-0003").len(), 1);
    assert_eq!(found(&plan, SignCode::RowMissing, "BEN-0003").len(), 1);
    assert_eq!(found(&plan, SignCode::ForeignRow, "BEN-9999").len(), 1);
    for key in [&merged, &below] {
        assert_eq!(found(&plan, SignCode::MergedCells, key).len(), 1, "{key}");
    }
    let approved = desk.approved();
    for key in ["BEN-0001", "BEN-0003", &merged, &below] {
        assert!(!approved.iter().any(|it| it == key), "{key}");
    }
    assert!(approved.contains(&"BEN-0002".to_owned()));
}

#[test]
fn the_word_for_accepted_rows_approves_what_stands_there_unchanged() {
    let mut desk = Desk::new();
    let mut book = desk.sheet();
    approve(&mut book, 1..=12);
    book.sign("All other rows on the tab \"Accepted\"", "Approve all");
    book.sign("Your name", "Chan Tai-man");
    book.write("Accepted", "BEN-0014", "Decision (only if you object)", "unsure");
    let plan = desk.plan(&book.save(), None);
    let signature = plan.signature.as_ref().unwrap();
    assert_eq!(signature.signer, "Chan Tai-man");
    assert_eq!(plan.counts.accepted_signed, 1);
    let decision = plan.decisions.iter().find(|it| it.key == "BEN-0013").unwrap();
    assert!(decision.by_statement);
    let keys = plan.follow_up.unwrap().keys;
    assert_eq!(keys.into_iter().collect::<Vec<_>>(), ["BEN-0014"], "an objection is asked again");
    desk.take(&book.save(), "Chan Tai-man");
    assert_eq!(desk.approved().len(), 13);
}

#[test]
fn a_file_of_another_project_or_without_a_name_changes_nothing() {
    let mut desk = Desk::new();
    let mut book = desk.sheet();
    approve(&mut book, 1..=12);
    let plan = desk.plan(&book.save(), None);
    assert_eq!(plan.state, SignState::Refused);
    assert!(plan.findings.iter().any(|it| it.code == SignCode::SignerMissing));
    book.book.properties.insert("countersign.project".into(), "another".into());
    let plan = desk.take(&book.save(), "A");
    assert_eq!(plan.state, SignState::Refused);
    assert!(plan.findings.iter().any(|it| it.code == SignCode::IdentityDiffers));
    for grid in &mut book.book.grids {
        for cell in grid.rows.values_mut().flat_map(|it| it.cells.values_mut()) {
            if cell.shown() == desk.facts.project {
                cell.content = CellContent::Text("another".into());
            }
        }
    }
    let plan = desk.take(&book.save(), "A");
    assert!(plan.findings.iter().any(|it| it.code == SignCode::WrongFile));
    assert!(desk.decisions.is_empty() && plan.follow_up.is_none());
}

#[test]
fn a_csv_return_is_known_by_its_keys_and_its_damage_is_named() {
    let mut desk = Desk::new();
    let mut book = desk.sheet();
    approve(&mut book, 1..=12);
    let csv = book.save_csv("Decide");
    let plan = desk.take(&csv, "A");
    assert_eq!(plan.counts.applied, 12);
    assert!(plan.findings.iter().any(|it| it.code == SignCode::IdentityLost));
    let mut lossy = Desk::new();
    let ascii: Vec<u8> = String::from_utf8(csv)
        .unwrap()
        .chars()
        .map(|it| if it.is_ascii() { u8::try_from(it).unwrap() } else { b'?' })
        .collect();
    let plan = lossy.take(&ascii, "A");
    assert!(!found(&plan, SignCode::EncodingDamage, "BEN-0005").is_empty());
    let whole = ["0001", "0002", "0004", "0006", "0007", "0009", "0011", "0012"];
    let whole: Vec<String> = whole.iter().map(|it| format!("BEN-{it}")).collect();
    assert_eq!(lossy.approved(), whole, "rows whose evidence is still legible");
}

#[test]
fn nothing_of_a_returned_cell_reaches_a_stored_row() {
    let mut desk = Desk::new();
    let mut book = desk.sheet();
    book.write("Decide", "BEN-0001", "Decision", "approve");
    book.write("Decide", "BEN-0001", "Note", "=cmd|' /C calc'!A0");
    let plan = desk.take(&book.save(), "A");
    let row = &desk.issues[0].issued.rows.iter().find(|it| it.key == "BEN-0001").unwrap();
    assert_eq!(row.tab, Tab::Decide);
    let approved = approved_rows(&desk.current(), &desk.decisions);
    assert_eq!(approved[0].row(), row.matter.row());
    assert_eq!(plan.decisions[0].note, "=cmd|' /C calc'!A0", "kept as text");
}

#[test]
fn approved_rows_leave_as_lines_table_and_annotations_and_the_table_comes_back() {
    use countersign::signoff::export::{
        approved_annotations, approved_csv, approved_jsonl, read_approved_csv,
    };
    let hostile = "=HYPERLINK(\"http://evil.example\",\"18 or over\")";
    let mut rows: Vec<RowRecord> = (1..=5).map(ben).collect();
    rows[0].claim.subject = hostile.into();
    rows[1].claim.subject = "-5".into();
    rows[2].claim.subject = "'=already".into();
    let mut desk = Desk::with(rows.clone());
    let mut book = desk.sheet();
    approve(&mut book, 1..=5);
    desk.take(&book.save(), "@Client");
    let approved = approved_rows(&desk.current(), &desk.decisions);
    let csv = approved_csv(&approved);
    let mut raw = csv::Reader::from_reader(csv.as_bytes());
    for record in raw.records() {
        for cell in &record.unwrap() {
            assert!(!cell.starts_with(['=', '+', '-', '@']), "{cell}");
        }
    }
    let back = read_approved_csv(&csv).unwrap();
    for (read, row) in back.iter().zip(&rows) {
        assert_eq!(read["subject"], row.claim.subject);
        assert_eq!(read["snippet"], row.claim.snippet);
        assert_eq!(read["signer"], "@Client");
    }
    let first: serde_json::Value =
        serde_json::from_str(approved_jsonl(&approved).lines().next().unwrap()).unwrap();
    assert_eq!(first["row"]["key"], "BEN-0001");
    assert_eq!(first["decision"]["signer"], "@Client");
    let page: serde_json::Value =
        serde_json::from_str(&approved_annotations(&desk.facts.project, &approved)).unwrap();
    let target = &page["items"][0]["target"];
    let (quote, place) = (&target["selector"][0], &target["selector"][1]);
    assert_eq!(quote["exact"], "18 or over");
    assert_eq!(quote["prefix"], "You must be ");
    let text: Vec<char> = PAGE.chars().collect();
    for item in page["items"].as_array().unwrap() {
        let place = &item["target"]["selector"][1];
        let at = |name: &str| usize::try_from(place[name].as_u64().unwrap()).unwrap();
        let exact: String = text[at("start")..at("end")].iter().collect();
        assert_eq!(item["target"]["selector"][0]["exact"], exact);
    }
    assert_eq!(place["type"], "TextPositionSelector");
}
