//! How fast the client's sheet is written, and read, checked and put on record, with 10,000 rows to
//! decide. `cargo bench --bench sheet [-- ROWS]`; times are the best of three, wall and CPU, memory the
//! peak so far.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::io::{Cursor, Read, Write};
use std::time::{Duration, Instant};

use countersign::model::claim::{Claim, Op, Value};
use countersign::model::finding::{Code, Finding, Verdict};
use countersign::model::row::{Place, RowRecord, RowStatus};
use countersign::model::run::RunSummary;
use countersign::model::sheet::{SheetFacts, SheetLanguage, SourceFacts};
use countersign::model::signing::SignState;
use countersign::pipeline::client::signing::put_on_record;
use countersign::sheet::issue::{SheetInput, row_digest};
use countersign::sheet::read::read_returned;
use countersign::sheet::write::write_workbook;
use countersign::signoff::context::{Evidence, SignoffContext};
use countersign::signoff::plan::plan_signoff;
use countersign::store::ledger::{Ledger, PageRecord, RowIndex};
use countersign::store::sqlite::SqliteLedger;
use countersign::text::span::Span;

const RUNS: usize = 3;

fn main() {
    let count = std::env::args().skip(1).find_map(|it| it.parse().ok()).unwrap_or(10_000);
    let rows: Vec<RowRecord> = (0..count).map(row).collect();
    let facts = facts();
    let input = SheetInput {
        facts: &facts,
        rows: &rows,
        removals: &[],
        changed: &[],
        decided: &countersign::sheet::answered::Answered::default(),
        follow_up: None,
    };
    println!("{count} flagged rows; memory before {} MB", peak_mb());
    one_pass(&input, count);
    let (write, written) = best(|| write_workbook(&input).unwrap());
    println!("write            {write:>10.1?}  ({} kB)", written.bytes.len() / 1024);
    let returned = approve_all(&written.bytes, count);
    let (read, file) = best(|| read_returned(&returned).unwrap());
    println!("read             {read:>10.1?}");
    let fields = BTreeMap::new();
    let text_of = |_: &RowRecord| None;
    let context = || SignoffContext {
        issued: &written.issued,
        current: &written.issued,
        earlier: &[],
        signatures: &[],
        signer: Some("Bench"),
        now: jiff::Timestamp::UNIX_EPOCH,
        evidence: Evidence::new(&text_of, &fields),
    };
    let (check, plan) = best(|| plan_signoff(&file, &context()));
    assert_eq!((plan.state, plan.counts.applied), (SignState::Complete, count));
    println!("check            {check:>10.1?}");
    let dir = tempfile::tempdir().unwrap();
    let mut number = 0;
    let mut apply = Duration::MAX;
    for _ in 0..RUNS {
        number += 1;
        let mut ledger = ledger(&dir.path().join(format!("{number}.sqlite")), &rows);
        let began = Instant::now();
        let before = cpu();
        put_on_record(&mut ledger, &plan).unwrap();
        apply = apply.min(began.elapsed());
        println!("  CPU of a run   {:>10.1?}", cpu() - before);
        assert_eq!(ledger.decisions().unwrap().len(), count);
    }
    println!("put on record    {apply:>10.1?}");
    println!("read, check, put {:>10.1?}", read + check + apply);
}

/// What one client's sheet needs at most, before anything is repeated: written, and taken in again by
/// a program that holds no more of it than what was issued.
fn one_pass(input: &SheetInput, count: usize) {
    let written = write_workbook(input).unwrap();
    println!("peak of writing  {:>10} MB", peak_mb());
    let returned = approve_all(&written.bytes, count);
    let (issued, fields) = (written.issued, BTreeMap::new());
    let file = read_returned(&returned).unwrap();
    println!("peak of reading  {:>10} MB", peak_mb());
    let context = SignoffContext {
        issued: &issued,
        current: &issued,
        earlier: &[],
        signatures: &[],
        signer: Some("Bench"),
        now: jiff::Timestamp::UNIX_EPOCH,
        evidence: Evidence::new(&|_| None, &fields),
    };
    let plan = plan_signoff(&file, &context);
    drop((file, returned));
    let dir = tempfile::tempdir().unwrap();
    put_on_record(&mut ledger(&dir.path().join("one.sqlite"), input.rows), &plan).unwrap();
    println!("peak on record   {:>10} MB", peak_mb());
}

/// CPU time of all threads of this process; nothing where the system does not say.
fn cpu() -> Duration {
    const TICKS_PER_SECOND: u64 = 100;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks: u64 = [11, 12].iter().filter_map(|&at| fields.get(at)?.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 1_000 / TICKS_PER_SECOND)
}

fn best<T>(mut run: impl FnMut() -> T) -> (Duration, T) {
    let before = cpu();
    let mut kept: Option<(Duration, T)> = None;
    for _ in 0..RUNS {
        let began = Instant::now();
        let value = run();
        let took = began.elapsed();
        if kept.as_ref().is_none_or(|it| took < it.0) {
            kept = Some((took, value));
        }
    }
    println!("  CPU of a run   {:>10.1?}", (cpu() - before) / u32::try_from(RUNS).unwrap());
    kept.unwrap()
}

fn row(at: usize) -> RowRecord {
    let amount = 5_000 + at;
    let before = format!(
        "In case number {at}, where the household has lived in the district since before the year, "
    );
    let snippet = format!("the income of the applicant must not exceed {amount} dollars a month");
    let sentence = format!("{before}{snippet}, unless the office decides otherwise in writing.");
    let start = 100 + at * 300 + before.len();
    let span = Span::new(start, start + snippet.len());
    RowRecord {
        key: format!("bench-{at:012}"),
        claim: Claim {
            id: format!("r{at}"),
            subject: "the income of the applicant".to_owned(),
            field: "income_limit".to_owned(),
            op: Op::Le,
            value: Value::Number(amount.into()),
            unit: Some("dollars/month".to_owned()),
            snippet,
            ..Claim::default()
        },
        within: Vec::new(),
        lead_in: String::new(),
        footnotes: String::new(),
        source: "bench".to_owned(),
        page: format!("https://office.example/rules/{}", at / 50),
        page_title: format!("Rules of the office, part {}", at / 50),
        item: format!("item-{}", at / 5),
        heading_path: vec!["Who can apply".to_owned(), format!("Case {}", at / 5)],
        snapshot: "aa".repeat(32),
        text: "bb".repeat(32),
        place: Some(Place { bytes: span, chars: span }),
        sentence,
        status: RowStatus::Flagged,
        verdict: Verdict::Flag,
        findings: vec![Finding {
            code: [Code::OperatorChanged, Code::SnippetCutsException, Code::HedgeDropped][at % 3],
            detail: String::new(),
            place: None,
            evidence: Some("unless the office decides otherwise".to_owned()),
        }],
        review: None,
        read_by: "rules/1".to_owned(),
        ask: "cc".repeat(32),
    }
}

fn facts() -> SheetFacts {
    SheetFacts {
        project: "00000000-0000-4000-8000-000000000000".to_owned(),
        issued_at: jiff::Timestamp::UNIX_EPOCH,
        language: SheetLanguage::English,
        sources: vec![SourceFacts {
            id: "bench".to_owned(),
            title: "Rules of the office".to_owned(),
            publisher: "The office".to_owned(),
            language: "en".to_owned(),
            fields: BTreeMap::from([("income_limit".to_owned(), "Income limit".to_owned())]),
        }],
        summary: RunSummary { run: "r1".to_owned(), ..RunSummary::default() },
        report: Some("report.html".to_owned()),
        follow_up_of: None,
    }
}

/// The sheet as it comes back: "approve" in the decision cell of each row of "Decide".
fn approve_all(bytes: &[u8], count: usize) -> Vec<u8> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for at in 0..archive.len() {
        let mut file = archive.by_index(at).unwrap();
        let name = file.name().unwrap().into_owned();
        if name != "xl/worksheets/sheet2.xml" {
            writer.raw_copy_file(file).unwrap();
            continue;
        }
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        let mut filled = String::with_capacity(text.len() + count * 60);
        let mut rest = text.as_str();
        while let Some(at) = rest.find("<c r=\"H") {
            let end = at + rest[at..].find('>').unwrap() + 1;
            let cell = &rest[at..end];
            filled.push_str(&rest[..at]);
            match cell.strip_suffix("/>") {
                Some(open) => {
                    let word = "t=\"inlineStr\"><is><t>approve</t></is></c>";
                    filled.push_str(&format!("{open} {word}"));
                }
                None => filled.push_str(cell),
            }
            rest = &rest[end..];
        }
        filled.push_str(rest);
        let options = zip::write::SimpleFileOptions::default();
        writer.start_file(name, options).unwrap();
        writer.write_all(filled.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn ledger(path: &std::path::Path, rows: &[RowRecord]) -> SqliteLedger {
    let mut ledger = SqliteLedger::create(path, "uuid", "2026-01-01T00:00:00Z").unwrap();
    let index: Vec<RowIndex> = rows
        .iter()
        .map(|it| RowIndex {
            key: it.key.clone(),
            source: it.source.clone(),
            url: "https://office.example/".to_owned(),
            item: it.item.clone(),
            status: "flagged".to_owned(),
            digest: String::new(),
            content: row_digest(it),
        })
        .collect();
    let page = PageRecord {
        source: "bench".to_owned(),
        url: "https://office.example/".to_owned(),
        basis: String::new(),
        file: String::new(),
        digest: String::new(),
        counts: "{}".to_owned(),
    };
    ledger.replace_page(&page, &index).unwrap();
    ledger
}

/// The most memory this process has held, in MB; 0 where the system does not say.
fn peak_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"));
    let kb = line.and_then(|it| it.split_whitespace().next()?.parse::<u64>().ok());
    kb.unwrap_or(0) / 1024
}
