//! The ledger as a file: made new, opened old, refused where it is not this project's.

use std::path::{Path, PathBuf};

use countersign::model::ask::{Step, Usage};
use countersign::store::ledger::{
    AnswerRecord, Ledger, LedgerError, PageRecord, RowIndex, RunRecord, StoredDecision,
    StoredSignoff,
};
use countersign::store::sqlite::{APPLICATION_ID, SCHEMA_VERSION, SqliteLedger};
use rusqlite::Connection;

fn fresh(dir: &Path) -> SqliteLedger {
    SqliteLedger::create(&dir.join("ledger.sqlite"), "uuid-a", "2026-01-05T00:00:00Z").unwrap()
}

/// A ledger that the first schema wrote, kept as a file; the copy may be changed.
fn of_first_schema(dir: &Path) -> PathBuf {
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/ledger-v1.sqlite");
    let path = dir.join("ledger.sqlite");
    std::fs::copy(stored, &path).unwrap();
    path
}

#[test]
fn a_missing_a_foreign_a_newer_and_another_projects_ledger_are_told_apart() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("ledger.sqlite");
    assert!(matches!(SqliteLedger::open(&path, None), Err(LedgerError::Missing { .. })));
    std::fs::write(&path, "只是文字, only text, long enough to be looked at by SQLite").unwrap();
    assert!(matches!(SqliteLedger::open(&path, None), Err(LedgerError::Foreign { .. })));
    std::fs::remove_file(&path).unwrap();
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE t (x)").unwrap();
    assert!(matches!(SqliteLedger::open(&path, None), Err(LedgerError::Foreign { found: 0, .. })));
    std::fs::remove_file(&path).unwrap();
    drop(fresh(dir.path()));
    assert!(matches!(
        SqliteLedger::open(&path, Some("uuid-b")),
        Err(LedgerError::WrongProject { .. })
    ));
    assert_eq!(SqliteLedger::open(&path, Some("uuid-a")).unwrap().project_uuid(), "uuid-a");
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    assert!(matches!(SqliteLedger::open(&path, None), Err(LedgerError::Newer { found: 99, .. })));
}

#[test]
fn each_refusal_says_what_was_expected_and_what_was_found_and_none_is_like_another() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("ledger.sqlite");
    let words = |expected| SqliteLedger::open(&path, expected).unwrap_err().to_string();
    let missing = words(None);
    std::fs::write(&path, "no database at all, and long enough to be one").unwrap();
    let foreign = words(None);
    std::fs::remove_file(&path).unwrap();
    drop(fresh(dir.path()));
    let wrong = words(Some("uuid-b"));
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let newer = words(None);
    assert!(missing.contains("there is no ledger here"), "{missing}");
    assert!(foreign.contains("not a countersign ledger"), "{foreign}");
    assert!(wrong.contains("project uuid-a, expected project uuid-b"), "{wrong}");
    assert!(newer.contains("schema 99") && newer.contains("update the program"), "{newer}");
}

#[test]
fn a_ledger_stored_by_the_first_schema_opens_with_everything_that_was_in_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = of_first_schema(dir.path());
    let pragma = |name: &str| -> i64 {
        Connection::open(&path).unwrap().pragma_query_value(None, name, |row| row.get(0)).unwrap()
    };
    assert_eq!((pragma("application_id"), pragma("user_version")), (APPLICATION_ID, 1));
    let uuid = "00000000-0000-4000-8000-00000000000a";
    let mut ledger = SqliteLedger::open(&path, Some(uuid)).unwrap();
    assert_eq!(pragma("user_version"), SCHEMA_VERSION, "brought up to date");
    assert_eq!(ledger.runs().unwrap().len(), 1);
    assert_eq!(ledger.steps("r20260105-000000").unwrap()[0].count_in, 3);
    assert_eq!(ledger.answer_digest("aa").unwrap().as_deref(), Some("d1"));
    assert_eq!(ledger.pages("harbour").unwrap().len(), 1);
    assert_eq!(ledger.row("harbour-1").unwrap().unwrap().content, "c");
    assert_eq!(ledger.decisions().unwrap(), [r#"{"word":"approve"}"#]);
    assert_eq!(ledger.signatures().unwrap(), [r#"{"signer":"陳"}"#]);
    let unknown = (0, Usage::default());
    assert_eq!(ledger.usage_of("r20260105-000000", Step::Extract).unwrap(), unknown);
    let record = AnswerRecord {
        ask: "bb".to_owned(),
        digest: "d2".to_owned(),
        answered_by: "某人".to_owned(),
        run: "r2".to_owned(),
        step: Some(Step::Extract),
        is_live: true,
        usage: None,
    };
    let found = AnswerRecord { ask: "cc".to_owned(), is_live: false, ..record.clone() };
    ledger.record_answers(&[record, found]).unwrap();
    assert_eq!(ledger.usage_of("r2", Step::Extract).unwrap().0, 1, "only what was asked");
    drop(ledger);
    SqliteLedger::open(&path, Some(uuid)).unwrap();
    let raw = Connection::open(&path).unwrap();
    raw.pragma_update(None, "foreign_keys", "ON").unwrap();
    let insert = "INSERT INTO decision (row_key, tab, file_digest, body) VALUES ('k', 'Decide', 'nobody', '')";
    assert!(raw.execute(insert, []).is_err(), "a decision still needs its signature");
    let beside = raw.prepare("SELECT rowid FROM signature");
    assert!(beside.is_ok(), "a signature's text stands beside the index, not in it");
}

#[test]
fn a_write_that_touches_nothing_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let mut ledger = fresh(dir.path());
    let run = RunRecord {
        id: "r1".to_owned(),
        kind: "bulk".to_owned(),
        began: String::new(),
        ended: Some("2026-01-05T00:01:00Z".to_owned()),
        exit: Some(0),
        summary: None,
    };
    assert!(matches!(
        ledger.end_run(&run),
        Err(LedgerError::NotAllWritten { affected: 0, expected: 1, .. })
    ));
    ledger.begin_run("r1", "bulk", "2026-01-05T00:00:00Z").unwrap();
    ledger.end_run(&run).unwrap();
    assert_eq!(ledger.runs().unwrap()[0].exit, Some(0));
}

#[test]
fn a_decision_that_meets_no_row_takes_the_whole_sign_off_back() {
    let dir = tempfile::tempdir().unwrap();
    let mut ledger = SqliteLedger::open(&of_first_schema(dir.path()), None).unwrap();
    let decision = |key: &str, content: &str| StoredDecision {
        row_key: key.to_owned(),
        content: content.to_owned(),
        tab: "Decide".to_owned(),
        file_digest: "f2".to_owned(),
        body: "{}".to_owned(),
    };
    let change = |decisions: Vec<StoredDecision>| StoredSignoff {
        file_digest: "f2".to_owned(),
        signed: "2026-02-01T00:00:00Z".to_owned(),
        signature: "{}".to_owned(),
        decisions,
        replaced: Vec::new(),
    };
    let both = vec![decision("harbour-1", "c"), decision("harbour-1b", "c")];
    let (affected, _) = ledger.sign_off(&change(both)).unwrap();
    assert_eq!(affected, 2, "of 3");
    assert_eq!(ledger.decisions().unwrap().len(), 1, "nothing of it stays");
    assert_eq!(ledger.signatures().unwrap().len(), 1);
    let (affected, _) = ledger.sign_off(&change(vec![decision("harbour-1", "other")])).unwrap();
    assert_eq!(affected, 1, "the row's content is another");
    let (affected, back) = ledger.sign_off(&change(vec![decision("harbour-1", "c")])).unwrap();
    assert_eq!((affected, back.len()), (2, 1));
}

#[test]
fn an_answer_once_used_keeps_its_digest() {
    let dir = tempfile::tempdir().unwrap();
    let mut ledger = fresh(dir.path());
    let record = |digest: &str| AnswerRecord {
        ask: "aa".to_owned(),
        digest: digest.to_owned(),
        answered_by: "files".to_owned(),
        run: "r1".to_owned(),
        step: Some(Step::Review),
        is_live: true,
        usage: Some(Usage { input: Some(10), cached: Some(0), ..Usage::default() }),
    };
    ledger.record_answers(&[record("d1")]).unwrap();
    assert!(ledger.record_answers(&[record("d2")]).is_err());
    assert_eq!(ledger.answer_digest("aa").unwrap().as_deref(), Some("d1"));
    let (calls, usage) = ledger.usage_of("r1", Step::Review).unwrap();
    assert_eq!((calls, usage.output, usage.cached), (1, None, Some(0)));
}

#[test]
fn a_pages_rows_are_replaced_whole() {
    let dir = tempfile::tempdir().unwrap();
    let mut ledger = fresh(dir.path());
    let page = PageRecord {
        source: "s".to_owned(),
        url: "https://harbour.example/a".to_owned(),
        basis: "b".to_owned(),
        file: "extracted/s/a.jsonl".to_owned(),
        digest: "d".to_owned(),
        counts: "{}".to_owned(),
    };
    let row = |key: &str| RowIndex {
        key: key.to_owned(),
        source: page.source.clone(),
        url: page.url.clone(),
        item: "i".to_owned(),
        status: "accepted".to_owned(),
        digest: "d".to_owned(),
        content: "c".to_owned(),
    };
    ledger.replace_page(&page, &[row("k1"), row("k2")]).unwrap();
    ledger.replace_page(&page, &[row("k3")]).unwrap();
    assert_eq!(ledger.row("k1").unwrap(), None);
    assert_eq!(ledger.row_counts(None).unwrap(), [("accepted".to_owned(), 1)]);
    assert!(ledger.replace_page(&page, &[row("k4"), row("k4")]).is_err());
    assert!(ledger.row("k3").unwrap().is_some(), "the failed write was taken back");
}
