//! Proves a whole project: evidence, rows, asks and answers, ledger. Trusts nothing but bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::ask::canonical::{hex_sha256, read_answer, read_ask};
use crate::llm::record::AnswerFiles;
use crate::model::row::RowRecord;
use crate::model::snapshot::Part;
use crate::pipeline::failure::RunError;
use crate::pipeline::project::ProjectPaths;
use crate::pipeline::wiring;
use crate::snapshot::store::SnapshotStore;
use crate::snapshot::verify::verify as verify_snapshots;
use crate::store::ledger::Ledger;
use crate::text::span::CharMap;

/// What a proof found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ProjectProof {
    pub files: u64,
    pub editions: u64,
    pub rows: u64,
    pub asks: u64,
    pub answers: u64,
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
    let mut texts = Texts::new(project);
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
        check_rows(project, &source, (&*ledger, &*folder), (&mut texts, &mut proof))?;
    }
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
        RunError::Reading(crate::pipeline::reading::ReadingError::Refused(error.into()))
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
    (ledger, folder): (&dyn Ledger, &dyn AnswerFiles),
    (texts, proof): (&mut Texts, &mut ProjectProof),
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
            if let Some(fault) = texts.check(source, &row) {
                proof.faults.push(format!("{place}: {} {fault}", row.key));
            }
            let has_answer = folder.read_answer(&row.ask).is_ok_and(|it| it.is_some());
            if !has_answer {
                proof.faults.push(format!(
                    "{place}: {} rests on ask {}, which has no answer on file",
                    row.key, row.ask
                ));
            }
        }
    }
    let lost = known.keys().filter(|it| !seen.contains(*it));
    proof.faults.extend(lost.map(|it| format!("{it}: in the ledger, not on disk")));
    Ok(())
}

/// Canonical texts by digest, read once each and only from the snapshots.
struct Texts {
    snapshots: PathBuf,
    open: Option<(String, String, CharMap)>,
}

impl Texts {
    fn new(project: &ProjectPaths) -> Self {
        Self { snapshots: project.snapshots(), open: None }
    }

    /// What is wrong with a row's evidence, if anything is.
    fn check(&mut self, source: &str, row: &RowRecord) -> Option<String> {
        if self.open.as_ref().is_none_or(|it| it.0 != row.text) {
            let store = SnapshotStore::new(&self.snapshots, source);
            match store.text(&row.text) {
                Ok(text) => {
                    let chars = CharMap::new(&text);
                    self.open = Some((row.text.clone(), text, chars));
                }
                Err(error) => return Some(format!("rests on a text that cannot be read: {error}")),
            }
            if let Err(error) = store.get(Part::Raw, &row.snapshot) {
                return Some(format!("rests on a page that cannot be read: {error}"));
            }
        }
        let (_, text, chars) = self.open.as_ref()?;
        let Some(place) = row.place else { return Some("has no place on its page".to_owned()) };
        if place.bytes.slice(text) != Some(row.claim.snippet.as_str()) {
            return Some(format!(
                "says that bytes {}..{} of its page are its snippet; they are not",
                place.bytes.start, place.bytes.end
            ));
        }
        if chars.char_span(text, place.bytes) != place.chars {
            return Some("counts its characters wrong".to_owned());
        }
        None
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
