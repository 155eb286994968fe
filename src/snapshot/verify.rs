//! Proves the evidence of a source: every file against its name, every name against a file.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::ask::canonical::hex_sha256;
use crate::model::snapshot::{CaptureRecord, Manifest, Part};
use crate::snapshot::files::{SnapshotError, folder_of, path_of};

/// What the proof found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// Files that were hashed.
    pub files: u64,
    pub editions: u64,
    /// Sorted by path; empty where everything holds.
    pub faults: Vec<Fault>,
}

/// One thing that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// Relative to the source's folder.
    pub path: String,
    pub kind: FaultKind,
    pub detail: String,
}

/// What kind of fault it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultKind {
    /// The bytes are not those of the name.
    Damaged,
    /// Named by an edition or a record, and not there.
    Missing,
    /// Cannot be read as what it should be.
    Unreadable,
    /// Lies among the evidence under a name that evidence never has.
    Foreign,
}

/// Hashes every file under `root` (one source's folder) and follows every edition to its evidence.
///
/// # Errors
/// When a folder cannot be read at all; damaged and missing files are findings, not errors.
pub fn verify(root: &Path) -> Result<Proof, SnapshotError> {
    let mut proof = Proof::default();
    // Evidence that is there -> whether it holds.
    let mut there: BTreeMap<PathBuf, bool> = BTreeMap::new();
    for part in [Part::Raw, Part::Text, Part::Map, Part::Record] {
        for file in files_under(&root.join(folder_of(part).0))? {
            check_file(root, part, &file, (&mut proof, &mut there))?;
        }
    }
    for folder in files_under(&root.join("editions"))? {
        if folder.file_name().is_some_and(|it| it == "manifest.json") {
            proof.editions += 1;
            check_edition(root, &folder, (&mut proof, &there))?;
        }
    }
    proof.faults.sort();
    proof.faults.dedup();
    Ok(proof)
}

fn check_file(
    root: &Path,
    part: Part,
    file: &Path,
    (proof, there): (&mut Proof, &mut BTreeMap<PathBuf, bool>),
) -> Result<(), SnapshotError> {
    let relative = file.strip_prefix(root).unwrap_or(file).to_owned();
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    if name.ends_with(".tmp") {
        // Left by a crash; never read, so no harm.
        return Ok(());
    }
    let digest = name.strip_suffix(folder_of(part).1).unwrap_or(&name);
    let is_named_well = digest.len() == 64
        && digest.bytes().all(|it| it.is_ascii_hexdigit() && !it.is_ascii_uppercase())
        && path_of(part, digest) == relative;
    if !is_named_well {
        fault(proof, &relative, FaultKind::Foreign, "the name is not that of evidence");
        return Ok(());
    }
    let found = hex_sha256(&read(file)?);
    proof.files += 1;
    if found != digest {
        fault(proof, &relative, FaultKind::Damaged, &format!("the bytes have SHA-256 {found}"));
    }
    there.insert(relative, found == digest);
    Ok(())
}

fn check_edition(
    root: &Path,
    file: &Path,
    (proof, there): (&mut Proof, &BTreeMap<PathBuf, bool>),
) -> Result<(), SnapshotError> {
    let relative = file.strip_prefix(root).unwrap_or(file).to_owned();
    let bytes = read(file)?;
    proof.files += 1;
    let name = file.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    if !hex_sha256(&bytes).starts_with(name.as_ref()) {
        fault(proof, &relative, FaultKind::Damaged, "the manifest is not the one of its edition");
        return Ok(());
    }
    let manifest: Manifest = match serde_json::from_slice(&bytes) {
        Ok(manifest) => manifest,
        Err(cause) => {
            fault(proof, &relative, FaultKind::Unreadable, &cause.to_string());
            return Ok(());
        }
    };
    for page in &manifest.pages {
        let mut wanted = vec![(Part::Raw, &page.raw), (Part::Record, &page.record)];
        wanted.extend(page.text.iter().map(|it| (Part::Text, it)));
        for (part, digest) in wanted {
            need(proof, there, (part, digest), &page.page);
        }
        check_record(root, (proof, there), &page.record)?;
    }
    Ok(())
}

/// A record that holds names evidence of its own.
fn check_record(
    root: &Path,
    (proof, there): (&mut Proof, &BTreeMap<PathBuf, bool>),
    digest: &str,
) -> Result<(), SnapshotError> {
    let relative = path_of(Part::Record, digest);
    if there.get(&relative) != Some(&true) {
        return Ok(());
    }
    match serde_json::from_slice::<CaptureRecord>(&read(&root.join(&relative))?) {
        Ok(record) => {
            need(proof, there, (Part::Raw, &record.raw), &record.page);
            if let Some(map) = &record.map {
                need(proof, there, (Part::Map, map), &record.page);
            }
            if let Some(text) = &record.text {
                need(proof, there, (Part::Text, text), &record.page);
            }
        }
        Err(cause) => fault(proof, &relative, FaultKind::Unreadable, &cause.to_string()),
    }
    Ok(())
}

fn need(
    proof: &mut Proof,
    there: &BTreeMap<PathBuf, bool>,
    (part, digest): (Part, &str),
    page: &str,
) {
    let path = path_of(part, digest);
    if !there.contains_key(&path) {
        fault(proof, &path, FaultKind::Missing, &format!("evidence of {page}"));
    }
}

fn fault(proof: &mut Proof, path: &Path, kind: FaultKind, detail: &str) {
    let path = path.to_string_lossy().replace('\\', "/");
    proof.faults.push(Fault { path, kind, detail: detail.to_owned() });
}

fn read(path: &Path) -> Result<Vec<u8>, SnapshotError> {
    fs::read(path).map_err(|source| SnapshotError::Io { path: path.display().to_string(), source })
}

/// Every file below a folder, sorted; none where there is no folder.
fn files_under(folder: &Path) -> Result<Vec<PathBuf>, SnapshotError> {
    let io = |source| SnapshotError::Io { path: folder.display().to_string(), source };
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        if path.is_dir() {
            files.extend(files_under(&path)?);
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
