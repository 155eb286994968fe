//! Proves a whole project: evidence, rows, asks and answers, ledger. Trusts nothing but bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::ask::canonical::{hex_sha256, read_answer, read_ask};
use crate::llm::record::AnswerFiles;
use crate::model::row::RowRecord;
use crate::model::sheet::IssuedSheet;
use crate::model::signing::RecordedDecision;
use crate::model::snapshot::Part;
use crate::model::source::{Field, Source};
use crate::pipeline::client::decided::decisions_on_record;
use crate::pipeline::client::returned::kept_file;
use crate::pipeline::client::signed::{SignOffs, check_issue, check_sign_offs};
use crate::pipeline::failure::RunError;
use crate::pipeline::papers::today::issue_of_today;
use crate::pipeline::project::ProjectPaths;
use crate::pipeline::proof::chain::Chain;
use crate::pipeline::proof::links::Links;
use crate::pipeline::wiring;
use crate::sheet::identity::row_digest;
use crate::signoff::approved::approved_rows;
use crate::signoff::export::approved_jsonl;
use crate::snapshot::store::SnapshotStore;
use crate::snapshot::verify::verify as verify_snapshots;
use crate::sources::folder::read_sources;
use crate::store::ledger::{Ledger, LedgerError};

/// What a proof found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ProjectProof {
    pub files: u64,
    pub editions: u64,
    pub rows: u64,
    pub asks: u64,
    pub answers: u64,
    /// Sheets issued, signatures and decisions on record.
    pub issues: u64,
    pub signatures: u64,
    pub decisions: u64,
    /// Sorted; empty where everything holds.
    pub faults: Vec<String>,
}

/// Checks everything on record in a project.
///
/// # Errors
/// When there is nothing to check, or the ledger is not this project's.
pub fn verify_project(project: &ProjectPaths) -> Result<ProjectProof, RunError> {
    let ledger = wiring::existing_ledger(project)?;
    let mut proof = ProjectProof::default();
    let sources = match read_sources(project.root()) {
        Ok(sources) => sources,
        Err(error) => {
            proof.faults.push(format!("sources: {error}"));
            Vec::new()
        }
    };
    let links = ProjectLinks::of(project, &sources);
    let mut chain = Chain::new(&links);
    for source in folders(&project.snapshots()) {
        let root = project.snapshots().join(&source);
        let found = verify_snapshots(&root)?;
        proof.files += found.files;
        proof.editions += found.editions;
        let faults = found.faults.iter();
        proof
            .faults
            .extend(faults.map(|it| format!("snapshots/{source}/{}: {}", it.path, it.detail)));
    }
    let folder = wiring::answer_files(project);
    check_asks(&*folder, &*ledger, &mut proof)?;
    for source in folders(&project.extracted()) {
        check_rows(project, &source, &*ledger, (&mut chain, &mut proof))?;
    }
    check_signing(project, &sources, &*ledger, &mut proof)?;
    proof.faults.sort();
    proof.faults.dedup();
    Ok(proof)
}

fn check_asks(
    folder: &dyn AnswerFiles,
    ledger: &dyn Ledger,
    proof: &mut ProjectProof,
) -> Result<(), RunError> {
    let failed = |error: crate::llm::record::FolderError| {
        RunError::Reading(crate::pipeline::rounds::reading::ReadingError::Refused(error.into()))
    };
    for digest in folder.asks().map_err(failed)? {
        proof.asks += 1;
        let shown = format!("asks/{digest}");
        let json = folder.read_ask(&digest).map_err(failed)?.unwrap_or_default();
        if let Err(error) = read_ask(&json, &digest) {
            proof.faults.push(format!("{shown}.ask.json: {error}"));
        }
        let Some(answer) = folder.read_answer(&digest).map_err(failed)? else { continue };
        proof.answers += 1;
        if let Err(error) = read_answer(&answer, &digest) {
            proof.faults.push(format!("{shown}.answer.json: {error}"));
        }
        let now = hex_sha256(answer.as_bytes());
        if ledger.answer_digest(&digest)?.is_some_and(|used| used != now) {
            proof.faults.push(format!("{shown}.answer.json: edited after it was used"));
        }
    }
    Ok(())
}

fn check_rows(
    project: &ProjectPaths,
    source: &str,
    ledger: &dyn Ledger,
    (chain, proof): (&mut Chain<'_>, &mut ProjectProof),
) -> Result<(), RunError> {
    let known: BTreeMap<String, String> =
        ledger.pages(source)?.into_iter().map(|it| (it.file, it.digest)).collect();
    let mut seen = BTreeSet::new();
    let mut keys = BTreeSet::new();
    for path in jsonl_files(&project.extracted().join(source)) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let relative = format!("extracted/{source}/{name}");
        let Ok(text) = std::fs::read_to_string(&path) else {
            proof.faults.push(format!("{relative}: cannot be read"));
            continue;
        };
        seen.insert(relative.clone());
        match known.get(&relative) {
            None => proof.faults.push(format!("{relative}: not in the ledger")),
            Some(digest) if *digest != hex_sha256(text.as_bytes()) => {
                proof.faults.push(format!("{relative}: was changed after it was written"));
            }
            Some(_) => {}
        }
        for (at, line) in text.lines().enumerate() {
            proof.rows += 1;
            let place = format!("{relative}, line {}", at + 1);
            let row: RowRecord = match serde_json::from_str(line) {
                Ok(row) => row,
                Err(error) => {
                    proof.faults.push(format!("{place}: not a row: {error}"));
                    continue;
                }
            };
            if !keys.insert(row.key.clone()) {
                proof.faults.push(format!("{place}: key {} stands twice", row.key));
            }
            let faults = chain.check(&row);
            proof.faults.extend(
                faults.iter().map(|it| format!("{place}: {}", VerifyFault::row(&row.key, it))),
            );
        }
    }
    let lost = known.keys().filter(|it| !seen.contains(*it));
    proof.faults.extend(lost.map(|it| format!("{it}: in the ledger, not on disk")));
    Ok(())
}

/// The sign-off: what was issued, what came back, what was signed, and the file of approved rows.
fn check_signing(
    project: &ProjectPaths,
    sources: &[Source],
    ledger: &dyn Ledger,
    proof: &mut ProjectProof,
) -> Result<(), RunError> {
    for (path, issued) in issue_files(project) {
        match issued {
            Err(cause) => proof.faults.push(format!("{path}: {cause}")),
            Ok(issued) => {
                proof.issues += 1;
                let faults = check_issue(&issued);
                proof.faults.extend(faults.into_iter().map(|it| format!("{path}: {it}")));
            }
        }
    }
    let (decisions, signatures) = match decisions_on_record(ledger) {
        Ok(found) => found,
        Err(error @ LedgerError::Unreadable { .. }) => {
            proof.faults.push(error.to_string());
            return Ok(());
        }
        Err(error) => return Err(error.into()),
    };
    proof.decisions += decisions.len() as u64;
    proof.signatures += signatures.len() as u64;
    let returned = |digest: &str| kept_file(project, digest);
    proof.faults.extend(check_sign_offs(&SignOffs {
        project: ledger.project_uuid(),
        decisions: &decisions,
        signatures: &signatures,
        returned: &returned,
    }));
    for signature in signatures.iter().filter(|it| returned(&it.file_digest).is_none()) {
        let digest = &signature.file_digest;
        proof.faults.push(format!("review/{}/returned-{digest}: is not kept", signature.run));
    }
    let path = project.review().join("approved.jsonl");
    if !path.is_file() {
        return Ok(());
    }
    let on_file = std::fs::read_to_string(&path).unwrap_or_default();
    let current = match issue_of_today(project, sources) {
        Ok(current) => current,
        Err(error) => {
            proof.faults.push(format!("the rows of today cannot be read: {error}"));
            return Ok(());
        }
    };
    // The file is of the last sign-off; rows that expired since then are no break.
    let now = approved_jsonl(&approved_rows(&current, &decisions));
    let known: BTreeSet<&str> = now.lines().collect();
    for line in on_file.lines().filter(|it| !known.contains(it)) {
        if let Some(fault) = check_approved(line, &decisions) {
            proof.faults.push(format!("review/approved.jsonl: {fault}"));
        }
    }
    Ok(())
}

/// A line that is not approved today: still as it was signed, or changed by somebody.
fn check_approved(line: &str, decisions: &[RecordedDecision]) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Line {
        row: RowRecord,
        decision: RecordedDecision,
    }
    let Ok(Line { row, decision }) = serde_json::from_str::<Line>(line) else {
        return Some("a line that is no approved row".to_owned());
    };
    let is_on_record = decisions
        .iter()
        .any(|it| RecordedDecision { is_in_conflict: false, ..it.clone() } == decision);
    let is_as_signed = match &decision.correction {
        Some(correction) => correction.claim == row.claim,
        None => row_digest(&row) == decision.digest,
    };
    (!is_on_record || !is_as_signed).then(|| format!("{} is not what was signed", row.key))
}

/// Every issue on file, by path relative to the project.
fn issue_files(project: &ProjectPaths) -> Vec<(String, Result<IssuedSheet, String>)> {
    let mut found = Vec::new();
    for run in folders(&project.review()) {
        let is_issue = |it: &Path| {
            let name = it.file_name().unwrap_or_default().to_string_lossy().into_owned();
            name.starts_with("issued") && name.ends_with(".json")
        };
        for name in names(&project.review().join(&run), is_issue) {
            let text = std::fs::read_to_string(project.review().join(&run).join(&name));
            let issued = text
                .map_err(|error| error.to_string())
                .and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()));
            found.push((format!("review/{run}/{name}"), issued));
        }
    }
    found
}

/// A fault of a row, by its key.
pub struct VerifyFault;

impl VerifyFault {
    /// `KEY rests on …`.
    pub fn row(key: &str, what: &str) -> String {
        format!("{key} {what}")
    }
}

/// The links of a chain, from a project's own files.
pub struct ProjectLinks<'a> {
    project: &'a ProjectPaths,
    folder: Box<dyn AnswerFiles>,
    sources: &'a [Source],
}

impl<'a> ProjectLinks<'a> {
    /// The files of a project whose sources declare these fields.
    pub fn of(project: &'a ProjectPaths, sources: &'a [Source]) -> Self {
        Self { project, folder: wiring::answer_files(project), sources }
    }
}

impl Links for ProjectLinks<'_> {
    fn text(&self, source: &str, digest: &str) -> Result<String, String> {
        let store = SnapshotStore::new(&self.project.snapshots(), source);
        store.text(digest).map_err(|error| error.to_string())
    }

    fn raw(&self, source: &str, digest: &str) -> Result<Vec<u8>, String> {
        let store = SnapshotStore::new(&self.project.snapshots(), source);
        store.get(Part::Raw, digest).map_err(|error| error.to_string())
    }

    fn exchange(&self, ask: &str) -> Result<(String, String), String> {
        let question = self.folder.read_ask(ask).map_err(|error| error.to_string())?;
        let answer = self.folder.read_answer(ask).map_err(|error| error.to_string())?;
        let question = question.ok_or("the ask is not on file")?;
        Ok((question, answer.ok_or("it has no answer on file")?))
    }

    fn fields(&self, source: &str) -> Vec<Field> {
        let found = self.sources.iter().find(|it| it.id == source);
        found.map(|it| it.fields.clone()).unwrap_or_default()
    }
}

fn folders(dir: &Path) -> Vec<String> {
    names(dir, Path::is_dir)
}

fn jsonl_files(dir: &Path) -> Vec<PathBuf> {
    let is_rows = |it: &Path| it.extension().is_some_and(|it| it == "jsonl") && it.is_file();
    names(dir, is_rows).into_iter().map(|it| dir.join(it)).collect()
}

fn names(dir: &Path, wanted: impl Fn(&Path) -> bool) -> Vec<String> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter(|it| wanted(&it.path()))
        .map(|it| it.file_name().to_string_lossy().into_owned())
        .filter(|it| !it.starts_with('.'))
        .collect();
    names.sort();
    names
}
