//! A project as tests need it: rows on an invented page, issued sheets, what is on record.

use std::collections::BTreeMap;

use countersign::model::claim::{Claim, Force, Op, Value};
use countersign::model::finding::{Code, Finding, Verdict};
use countersign::model::row::{Place, RowRecord, RowStatus};
use countersign::model::run::RunSummary;
use countersign::model::sheet::{
    FollowUp, IssuedSheet, RemovalCandidate, SheetFacts, SheetLanguage, SourceFacts,
};
use countersign::model::signing::{RecordedDecision, SignCode, SignFinding, Signature};
use countersign::model::source::Field;
use countersign::sheet::again::write_follow_up;
use countersign::sheet::answered::Answered;
use countersign::sheet::issue::SheetInput;
use countersign::sheet::read::read_returned;
use countersign::sheet::write::{WrittenSheet, write_workbook};
use countersign::signoff::approved::approved_rows;
use countersign::signoff::context::{Evidence, SignoffContext, find_issue};
use countersign::signoff::plan::{SignoffPlan, plan_signoff};
use countersign::text::span::{CharMap, Span};

use crate::client::ClientBook;

/// A row whose snippet stands in its sentence; flagged when it has a finding.
pub fn row(key: &str, sentence: &str, snippet: &str, codes: &[Code]) -> RowRecord {
    let start = sentence.find(snippet).unwrap_or(0);
    let span = Span::new(start, start + snippet.len());
    RowRecord {
        key: key.to_owned(),
        claim: Claim {
            id: "r1".into(),
            subject: "Applicant".into(),
            field: "min_age".into(),
            op: Op::Ge,
            value: Value::Number(65.into()),
            unit: Some("years".into()),
            force: Some(Force::Must),
            snippet: snippet.to_owned(),
            ..Claim::default()
        },
        lead_in: String::new(),
        footnotes: String::new(),
        within: Vec::new(),
        source: "lanternfield".into(),
        page: "https://lanternfield.example/benefits/old-age".into(),
        page_title: "Old age supplement".into(),
        item: "who-can-apply".into(),
        heading_path: vec!["Old age supplement".into(), "Who can apply".into()],
        snapshot: "a".repeat(64),
        text: "b".repeat(64),
        place: Some(Place { bytes: span, chars: span }),
        sentence: sentence.to_owned(),
        status: if codes.is_empty() { RowStatus::Accepted } else { RowStatus::Flagged },
        verdict: if codes.is_empty() { Verdict::Pass } else { Verdict::Flag },
        findings: codes
            .iter()
            .map(|&code| Finding { code, detail: code.to_string(), place: None, evidence: None })
            .collect(),
        review: None,
        read_by: "rules/1".into(),
        ask: "c".repeat(64),
    }
}

/// Facts of a run that no model took part in.
pub fn facts(language: SheetLanguage) -> SheetFacts {
    let zh = language == SheetLanguage::Chinese;
    let readers = [("extract", "rules/1"), ("review", "rules/1")];
    SheetFacts {
        project: "6f1c2f0e-0000-4000-8000-000000000001".into(),
        issued_at: "2027-03-01T09:00:00Z".parse().unwrap(),
        language,
        sources: vec![SourceFacts {
            id: "lanternfield".into(),
            title: if zh { "燈野市福利局" } else { "Lanternfield Benefits Agency" }.into(),
            publisher: if zh { "燈野市" } else { "City of Lanternfield" }.into(),
            language: language.tag().into(),
            fields: BTreeMap::from([(
                "min_age".into(),
                if zh { "最低年齡" } else { "Lowest age, in years" }.into(),
            )]),
        }],
        summary: RunSummary {
            run: "run-1".into(),
            readers: readers.map(|(a, b)| (a.into(), b.into())).into(),
            ..RunSummary::default()
        },
        report: Some("report.html".into()),
        follow_up_of: None,
    }
}

/// No decision before the sheet.
pub static NOTHING: Answered = Answered::nothing();

/// A page of an invented agency; each paragraph is the sentence of one row.
pub const PAGE: &str = "# Lantern supplement\n\n\
    You must be 18 or over.\n\n\
    You must have lived in Lanternfield for at least 7 years.\n\n\
    The applicant’s income must not exceed $10,330 a month.\n\n\
    Apply by 1 March 2027 at the latest.\n\n\
    申請人應年滿１８歲，並設籍本市。\n";

/// A project with what was issued and what is on record.
pub struct Desk {
    pub facts: SheetFacts,
    pub rows: Vec<RowRecord>,
    pub removals: Vec<RemovalCandidate>,
    pub issues: Vec<WrittenSheet>,
    pub decisions: Vec<RecordedDecision>,
    pub signatures: Vec<Signature>,
    pub hour: u8,
}

impl Desk {
    /// Twelve flagged rows over five sentences, and two accepted ones.
    pub fn new() -> Self {
        let rows = (1..=14).map(ben).collect();
        Self::with(rows)
    }

    pub fn with(rows: Vec<RowRecord>) -> Self {
        let mut desk = Self {
            facts: facts(SheetLanguage::English),
            rows,
            removals: Vec::new(),
            issues: Vec::new(),
            decisions: Vec::new(),
            signatures: Vec::new(),
            hour: 9,
        };
        desk.issue();
        desk
    }

    pub fn input<'a>(
        &'a self,
        facts: &'a SheetFacts,
        again: Option<&'a FollowUp>,
    ) -> SheetInput<'a> {
        SheetInput {
            facts,
            rows: &self.rows,
            removals: &self.removals,
            changed: &[],
            decided: &NOTHING,
            follow_up: again,
        }
    }

    pub fn issue(&mut self) {
        let written = write_workbook(&self.input(&self.facts, None)).unwrap();
        self.issues.push(written);
    }

    /// The sheet of exactly the rest.
    pub fn follow_up(&mut self, plan: &SignoffPlan) -> ClientBook {
        let returned = self.issues.last().unwrap().issued.file.clone();
        let again = plan.follow_up.as_ref().unwrap();
        let issued_at = "2027-03-06T09:00:00Z".parse().unwrap();
        let written = write_follow_up(&self.current(), &returned, again, issued_at).unwrap();
        let book = ClientBook::open(&written.bytes);
        self.issues.push(written);
        book
    }

    pub fn sheet(&self) -> ClientBook {
        ClientBook::open(&self.issues.last().unwrap().bytes)
    }

    /// Works out what a returned file comes to, by `--by` name.
    pub fn plan(&self, bytes: &[u8], by: Option<&str>) -> SignoffPlan {
        let file = read_returned(bytes).unwrap();
        let issues: Vec<IssuedSheet> = self.issues.iter().map(|it| it.issued.clone()).collect();
        let issued = find_issue(&file, &issues).unwrap_or(&issues[0]);
        let current = issues.iter().rev().find(|it| it.follow_up_of.is_none()).unwrap();
        let fields = BTreeMap::<String, Vec<Field>>::new();
        let text_of = |_: &RowRecord| Some(PAGE.to_owned());
        let now = format!("2027-03-05T{:02}:00:00Z", self.hour);
        plan_signoff(
            &file,
            &SignoffContext {
                issued,
                current,
                earlier: &self.decisions,
                signatures: &self.signatures,
                signer: by,
                now: now.parse().unwrap(),
                evidence: Evidence::new(&text_of, &fields),
            },
        )
    }

    /// Plans and puts on record.
    pub fn take(&mut self, bytes: &[u8], by: &str) -> SignoffPlan {
        let plan = self.plan(bytes, Some(by));
        for gone in &plan.withdrawn {
            let held = self
                .decisions
                .iter_mut()
                .find(|it| it.key == gone.key && it.file_digest == gone.file_digest)
                .unwrap();
            *held = gone.clone();
        }
        self.decisions.extend(plan.decisions.clone());
        self.signatures.extend(plan.signature.clone());
        self.hour += 1;
        plan
    }

    pub fn current(&self) -> IssuedSheet {
        let full = self.issues.iter().rev().find(|it| it.issued.follow_up_of.is_none());
        full.unwrap().issued.clone()
    }

    pub fn approved(&self) -> Vec<String> {
        let approved = approved_rows(&self.current(), &self.decisions);
        approved.iter().map(|it| it.row().key.clone()).collect()
    }
}

/// Row `BEN-000n` on one of the five sentences; the last two are accepted.
pub fn ben(number: usize) -> RowRecord {
    let (sentence, snippet, value, op) = match number % 5 {
        1 => ("You must be 18 or over.", "18 or over", Value::Number(18.into()), Op::Ge),
        2 => (
            "You must have lived in Lanternfield for at least 7 years.",
            "at least 7 years",
            Value::Number(7.into()),
            Op::Ge,
        ),
        3 => (
            "The applicant’s income must not exceed $10,330 a month.",
            "must not exceed $10,330 a month",
            Value::Number(10_330.into()),
            Op::Le,
        ),
        4 => (
            "Apply by 1 March 2027 at the latest.",
            "by 1 March 2027",
            Value::Text("2027-03-01".into()),
            Op::Le,
        ),
        _ => ("申請人應年滿１８歲，並設籍本市。", "年滿１８歲", Value::Number(18.into()), Op::Ge),
    };
    let codes: &[Code] = if number > 12 { &[] } else { &[Code::HedgeDropped] };
    let mut record = row(&format!("BEN-{number:04}"), sentence, snippet, codes);
    let start = PAGE.find(sentence).unwrap() + sentence.find(snippet).unwrap();
    let bytes = Span::new(start, start + snippet.len());
    let chars = CharMap::new(PAGE).char_span(PAGE, bytes);
    record.place = Some(Place { bytes, chars });
    record.claim = Claim { value, op, unit: None, force: None, ..record.claim };
    record.item = format!("item-{number}");
    record
}

pub fn found<'a>(plan: &'a SignoffPlan, code: SignCode, key: &str) -> Vec<&'a SignFinding> {
    plan.findings.iter().filter(|it| it.code == code && it.row == key).collect()
}

/// Writes a sheet of rows alone.
pub fn write(facts: &SheetFacts, rows: &[RowRecord]) -> WrittenSheet {
    write_workbook(&SheetInput {
        facts,
        rows,
        removals: &[],
        changed: &[],
        decided: &NOTHING,
        follow_up: None,
    })
    .unwrap()
}
