//! A returned sheet taken in: read, held against what was issued, put on record, answered.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use crate::model::row::RowRecord;
use crate::model::sheet::IssuedSheet;
use crate::model::signing::{Receipt, RecordedDecision};
use crate::model::source::{Field, Source};
use crate::pipeline::client::decided::decisions_on_record;
use crate::pipeline::client::returned::kept_name;
use crate::pipeline::failure::RunError;
use crate::pipeline::papers::today::issue_of_today;
use crate::pipeline::project::ProjectPaths;
use crate::pipeline::wiring;
use crate::pipeline::written::write_checked;
use crate::sheet::again::write_follow_up;
use crate::sheet::archive::ReadError;
use crate::sheet::read::read_returned;
use crate::sheet::receipt::write_receipt;
use crate::signoff::approved::{Approved, approved_rows};
use crate::signoff::context::{Evidence, SignoffContext, find_issue};
use crate::signoff::export::approved_jsonl;
use crate::signoff::ledger::{
    Applied, ApplyError, SignoffChange, SignoffLedger, Unsigned, apply_signoff, receipt_of,
};
use crate::signoff::plan::{SignoffPlan, plan_signoff};
use crate::signoff::receipt::receipt_text;
use crate::snapshot::store::SnapshotStore;
use crate::store::ledger::{Ledger, LedgerError, StoredDecision, StoredSignoff};

/// A returned file and who hands it in.
#[derive(Clone, Copy, Debug)]
pub struct Returned<'a> {
    pub file: &'a Path,
    pub by: Option<&'a str>,
    pub now: jiff::Timestamp,
}

/// What a sign-off came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SignoffReport {
    pub receipt: Receipt,
    /// Rows that are approved by now.
    pub approved: u64,
    /// Files written, relative to the project.
    pub written: Vec<String>,
}

/// Why a returned file could not be taken in at all.
#[derive(Debug, thiserror::Error)]
pub enum SigningError {
    #[error("{path}: cannot be read: {source}")]
    File { path: String, source: std::io::Error },
    #[error("{path}: {cause}")]
    Sheet { path: String, cause: ReadError },
    #[error(
        "{path}: no sheet of this project; it names no run of it and its rows are not known here（不是本專案發出的表：找不到所載的執行編號，各列亦不明）"
    )]
    NotOurs { path: String },
    #[error("{path}: not what was issued: {cause}")]
    Issued { path: String, cause: serde_json::Error },
    #[error(transparent)]
    Apply(#[from] ApplyError<LedgerError>),
    #[error(transparent)]
    Follow(#[from] crate::sheet::write::WriteError),
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Takes a returned file in and writes receipt, follow-up sheet and the file of approved rows.
///
/// # Errors
/// When the file cannot be taken in; nothing is changed then.
pub fn sign_off(
    project: &ProjectPaths,
    sources: &[Source],
    returned: Returned<'_>,
) -> Result<SignoffReport, SigningError> {
    let path = returned.file.display().to_string();
    let bytes = std::fs::read(returned.file)
        .map_err(|source| SigningError::File { path: path.clone(), source })?;
    let file =
        read_returned(&bytes).map_err(|cause| SigningError::Sheet { path: path.clone(), cause })?;
    let mut ledger = wiring::existing_ledger(project).map_err(RunError::from)?;
    let issues = issued_sheets(project, &*ledger)?;
    let issued = find_issue(&file, &issues).ok_or_else(|| match file.rows.is_empty() {
        true => SigningError::Sheet { path: path.clone(), cause: ReadError::NoTable },
        false => SigningError::NotOurs { path: path.clone() },
    })?;
    let current = issue_of_today(project, sources)?;
    let (earlier, signatures) = decisions_on_record(&*ledger).map_err(RunError::from)?;
    let fields: BTreeMap<String, Vec<Field>> =
        sources.iter().map(|it| (it.id.clone(), it.fields.clone())).collect();
    let text_of = |row: &RowRecord| {
        SnapshotStore::new(&project.snapshots(), &row.source).text(&row.text).ok()
    };
    let context = SignoffContext {
        issued,
        current: &current,
        earlier: &earlier,
        signatures: &signatures,
        signer: returned.by,
        now: returned.now,
        evidence: Evidence::new(&text_of, &fields),
    };
    let plan = plan_signoff(&file, &context);
    put_on_record(&mut *ledger, &plan)?;
    let mut written = Vec::new();
    let folder = format!("review/{}", issued.run);
    let mut put = |name: String, bytes: &[u8]| -> Result<(), SigningError> {
        write_checked(&project.root().join(&name), bytes).map_err(|error| {
            RunError::from(crate::pipeline::papers::outputs::OutputError::from(error))
        })?;
        written.push(name);
        Ok(())
    };
    let mut follow_up = None;
    if let Some(again) = plan.follow_up.as_ref().filter(|it| !it.keys.is_empty()) {
        let sheet = write_follow_up(&current, &issued.file, again, returned.now)?;
        follow_up = Some(sheet.issued.file.clone());
        put(format!("{folder}/decide-{}.xlsx", sheet.issued.file), &sheet.bytes)?;
        let json = serde_json::to_string(&sheet.issued).unwrap_or_default() + "\n";
        put(format!("{folder}/issued-{}.json", sheet.issued.file), json.as_bytes())?;
    }
    if plan.signature.is_some() {
        put(kept_name(&issued.run, &file.digest, file.kind), &bytes)?;
    }
    let unsigned = Unsigned { issued, file_digest: &file.digest, now: returned.now };
    let receipt = receipt_of(&plan, unsigned, follow_up);
    let short = file.digest.get(..12).unwrap_or_default();
    put(format!("{folder}/receipt-{short}.xlsx"), &write_receipt(&receipt)?)?;
    put(format!("{folder}/receipt-{short}.txt"), receipt_text(&receipt).as_bytes())?;
    let (decisions, _) = decisions_on_record(&*ledger).map_err(RunError::from)?;
    let approved = approved_rows(&current, &decisions);
    put("review/approved.jsonl".to_owned(), approved_jsonl(&approved).as_bytes())?;
    Ok(SignoffReport { receipt, approved: approved.len() as u64, written })
}

/// The rows that are approved as the project stands today.
///
/// # Errors
/// When the record cannot be read.
pub fn approved_today(
    project: &ProjectPaths,
    sources: &[Source],
) -> Result<Vec<Approved>, SigningError> {
    let ledger = wiring::existing_ledger(project).map_err(RunError::from)?;
    let current = issue_of_today(project, sources)?;
    let (decisions, _) = decisions_on_record(&*ledger).map_err(RunError::from)?;
    Ok(approved_rows(&current, &decisions))
}

/// The sheet that a run issued.
///
/// # Errors
/// When the run issued none, or it cannot be read.
pub fn issue_of_run(project: &ProjectPaths, run: &str) -> Result<IssuedSheet, SigningError> {
    let path = project.review().join(run).join("issued.json");
    let shown = path.display().to_string();
    let text = std::fs::read_to_string(&path)
        .map_err(|source| SigningError::File { path: shown.clone(), source })?;
    serde_json::from_str(&text).map_err(|cause| SigningError::Issued { path: shown, cause })
}

/// Everything issued in this project, oldest first: each run's sheet, then its follow-ups.
pub fn issued_sheets(
    project: &ProjectPaths,
    ledger: &dyn Ledger,
) -> Result<Vec<IssuedSheet>, SigningError> {
    let mut issues = Vec::new();
    for run in ledger.runs().map_err(RunError::from)? {
        let folder = project.review().join(&run.id);
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let mut files: Vec<_> = entries
            .map(|it| it.path())
            .filter(|it| {
                let name = it.file_name().unwrap_or_default().to_string_lossy().into_owned();
                name.starts_with("issued") && name.ends_with(".json")
            })
            .collect();
        files.sort();
        for file in files {
            let path = file.display().to_string();
            let text = std::fs::read_to_string(&file)
                .map_err(|source| SigningError::File { path: path.clone(), source })?;
            let issued = serde_json::from_str(&text)
                .map_err(|cause| SigningError::Issued { path, cause })?;
            issues.push(issued);
        }
    }
    Ok(issues)
}

/// Puts a planned sign-off on record.
///
/// # Errors
/// When the ledger fails, or says or reads back something else than was asked for.
pub fn put_on_record(
    ledger: &mut dyn Ledger,
    plan: &SignoffPlan,
) -> Result<(), ApplyError<LedgerError>> {
    apply_signoff(&mut Signing(ledger), plan)
}

/// The ledger as the sign-off sees it.
struct Signing<'a>(&'a mut dyn Ledger);

impl SignoffLedger for Signing<'_> {
    type Error = LedgerError;

    fn apply(&mut self, change: &SignoffChange) -> Result<Applied, LedgerError> {
        let stored = |it: &RecordedDecision, body: String| StoredDecision {
            row_key: it.key.clone(),
            content: it.digest.clone(),
            tab: format!("{:?}", it.tab),
            file_digest: it.file_digest.clone(),
            body,
        };
        let json = |it: &RecordedDecision| serde_json::to_string(it).unwrap_or_default();
        let withdrawn = change.withdrawn.iter().map(|it| {
            let marked = RecordedDecision { is_in_conflict: true, ..it.clone() };
            stored(it, json(&marked))
        });
        let (affected, bodies) = self.0.sign_off(&StoredSignoff {
            file_digest: change.signature.file_digest.clone(),
            signed: change.signature.signed_at.clone(),
            signature: serde_json::to_string(change.signature).unwrap_or_default(),
            decisions: change.decisions.iter().map(|it| stored(it, json(it))).collect(),
            replaced: withdrawn.collect(),
        })?;
        let read_back = bodies.iter().filter_map(|it| serde_json::from_str(it).ok()).collect();
        Ok(Applied { affected, read_back })
    }
}
