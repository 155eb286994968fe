//! A bundle as a file: one zip whose parts are all listed, with length and digest, in its manifest.
//!
//! A bundle comes from anybody, so it is hostile input: a part with a strange name, that is not listed,
//! that is listed and missing, that is longer or other than listed, or too much of anything, is refused
//! before any of it is used. Nothing is ever unpacked to disk.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Read, Write};

use serde::{Deserialize, Serialize};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use crate::ask::canonical::hex_sha256;

/// The only format written; older and newer ones are refused by name.
pub const FORMAT: &str = "countersign.bundle/1";
const MANIFEST: &str = "manifest.json";

/// Most bytes of the file, of all its parts together, and most parts.
const FILE_LIMIT: usize = 512 * 1024 * 1024;
const UNPACKED_LIMIT: u64 = 2 * 1024 * 1024 * 1024;
const PART_LIMIT: usize = 500_000;

/// What the manifest says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    pub format: String,
    /// The project's UUID.
    pub project: String,
    /// Run whose rows these are; empty for a set of rows.
    pub run: String,
    pub rows: u64,
    /// Name -> length and digest of every part but this one.
    pub parts: BTreeMap<String, Part>,
}

/// One part as listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    pub bytes: u64,
    pub sha256: String,
}

/// Why a file is no bundle that can be looked at.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    #[error("not a bundle: {0}; expected a file that `countersign bundle` wrote")]
    NotABundle(String),
    #[error("format {found}; this program reads {FORMAT}")]
    Format { found: String },
    #[error("{what}: more than a bundle may have ({most})")]
    TooMuch { what: String, most: u64 },
    #[error("part {name:?}: a name that no bundle has; nothing of the file was used")]
    Name { name: String },
    #[error("part {name}: {what}; nothing of the file was used")]
    Part { name: String, what: String },
    #[error("the bundle could not be written: {0}")]
    Write(#[from] zip::result::ZipError),
    #[error("the bundle could not be written: {0}")]
    Io(#[from] std::io::Error),
    #[error("the bundle could not be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// A bundle read whole, every part as listed.
#[derive(Debug)]
pub struct Bundle {
    pub manifest: Manifest,
    parts: BTreeMap<String, Vec<u8>>,
}

impl Bundle {
    /// A part's bytes.
    pub fn part(&self, name: &str) -> Option<&[u8]> {
        self.parts.get(name).map(Vec::as_slice)
    }

    /// Reads a bundle.
    ///
    /// # Errors
    /// When the bytes are no bundle, or any part is not what the manifest says.
    pub fn read(bytes: &[u8]) -> Result<Self, BundleError> {
        if bytes.len() > FILE_LIMIT {
            return Err(too_much("the file's bytes", FILE_LIMIT as u64));
        }
        let mut zip = ZipArchive::new(Cursor::new(bytes))
            .map_err(|error| BundleError::NotABundle(error.to_string()))?;
        if zip.len() > PART_LIMIT {
            return Err(too_much("parts", PART_LIMIT as u64));
        }
        let mut left = UNPACKED_LIMIT;
        let text = unpack(&mut zip, MANIFEST, &mut left)?
            .ok_or_else(|| BundleError::NotABundle(format!("it has no {MANIFEST}")))?;
        let names = checked_names(&mut zip)?;
        let manifest = read_manifest(&text)?;
        if let Some(extra) = names.iter().find(|it| !manifest.parts.contains_key(*it)) {
            return Err(wrong(extra, "is not listed in the manifest"));
        }
        let mut parts = BTreeMap::new();
        for (name, listed) in &manifest.parts {
            if !is_plain(name) {
                return Err(BundleError::Name { name: name.clone() });
            }
            // Never unpacks more than is listed, whatever the archive says of itself.
            left = left
                .checked_sub(listed.bytes)
                .ok_or_else(|| too_much("unpacked bytes", UNPACKED_LIMIT))?;
            let mut allowance = listed.bytes;
            let part = unpack(&mut zip, name, &mut allowance)?
                .ok_or_else(|| wrong(name, "is listed and not there"))?;
            if part.len() as u64 != listed.bytes {
                return Err(wrong(name, "is shorter than listed"));
            }
            if hex_sha256(&part) != listed.sha256 {
                return Err(wrong(name, "is not what is listed: its digest differs"));
            }
            parts.insert(name.clone(), part);
        }
        Ok(Self { manifest, parts })
    }
}

/// Writes a bundle; the same parts give the same bytes.
///
/// # Errors
/// When the archive cannot be written.
pub fn write_bundle(
    (project, run, rows): (&str, &str, u64),
    parts: &BTreeMap<String, Vec<u8>>,
) -> Result<Vec<u8>, BundleError> {
    let listed = parts.iter().map(|(name, bytes)| {
        let part = Part { bytes: bytes.len() as u64, sha256: hex_sha256(bytes) };
        (name.clone(), part)
    });
    let manifest = Manifest {
        format: FORMAT.to_owned(),
        project: project.to_owned(),
        run: run.to_owned(),
        rows,
        parts: listed.collect(),
    };
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default());
    writer.start_file(MANIFEST, options)?;
    writer.write_all(&serde_json::to_vec_pretty(&manifest)?)?;
    for (name, bytes) in parts {
        writer.start_file(name.as_str(), options)?;
        writer.write_all(bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}

fn read_manifest(text: &[u8]) -> Result<Manifest, BundleError> {
    let broken = |error: serde_json::Error| BundleError::NotABundle(format!("{MANIFEST}: {error}"));
    let value: serde_json::Value = serde_json::from_slice(text).map_err(broken)?;
    let format = value.get("format").and_then(|it| it.as_str()).unwrap_or_default();
    if format != FORMAT {
        return Err(BundleError::Format { found: format!("{format:?}") });
    }
    serde_json::from_value(value).map_err(broken)
}

/// The names of all parts but the manifest: plain, each once.
fn checked_names(zip: &mut ZipArchive<Cursor<&[u8]>>) -> Result<BTreeSet<String>, BundleError> {
    let mut names = BTreeSet::new();
    for at in 0..zip.len() {
        let file =
            zip.by_index_raw(at).map_err(|error| BundleError::NotABundle(error.to_string()))?;
        let name =
            file.name().map_err(|error| BundleError::NotABundle(error.to_string()))?.into_owned();
        if name != MANIFEST && !is_plain(&name) {
            return Err(BundleError::Name { name });
        }
        if !names.insert(name.clone()) {
            return Err(wrong(&name, "stands in the archive twice"));
        }
    }
    names.remove(MANIFEST);
    Ok(names)
}

/// `rows.jsonl`, or a folder of ours and a name of letters, digits, dots and dashes in it.
fn is_plain(name: &str) -> bool {
    const TOP: [&str; 4] = ["rows.jsonl", "decisions.jsonl", "signatures.jsonl", "fields.json"];
    const FOLDERS: [&str; 4] = ["texts", "pages", "asks", "returned"];
    let is_word = |it: &str| {
        !it.is_empty()
            && it.len() <= 160
            && !it.starts_with('.')
            && it.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'))
    };
    match name.split_once('/') {
        None => TOP.contains(&name),
        Some((folder, file)) => FOLDERS.contains(&folder) && is_word(file),
    }
}

/// A part's bytes, at most `left` of them; `None` where there is no such part.
fn unpack(
    zip: &mut ZipArchive<Cursor<&[u8]>>,
    name: &str,
    left: &mut u64,
) -> Result<Option<Vec<u8>>, BundleError> {
    let Ok(file) = zip.by_name(name) else { return Ok(None) };
    let mut bytes = Vec::new();
    file.take(*left + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| wrong(name, &format!("cannot be unpacked: {error}")))?;
    *left = left
        .checked_sub(bytes.len() as u64)
        .ok_or_else(|| wrong(name, "unpacks to more than is listed"))?;
    Ok(Some(bytes))
}

fn too_much(what: &str, most: u64) -> BundleError {
    BundleError::TooMuch { what: what.to_owned(), most }
}

fn wrong(name: &str, what: &str) -> BundleError {
    BundleError::Part { name: name.to_owned(), what: what.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zipped(parts: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in parts {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn manifest(parts: &[(&str, &[u8])]) -> Vec<u8> {
        let parts = parts.iter().map(|(name, bytes)| {
            let part = Part { bytes: bytes.len() as u64, sha256: hex_sha256(bytes) };
            ((*name).to_owned(), part)
        });
        let manifest = Manifest {
            format: FORMAT.to_owned(),
            project: "p".to_owned(),
            run: String::new(),
            rows: 0,
            parts: parts.collect(),
        };
        serde_json::to_vec(&manifest).unwrap()
    }

    fn refusal(bytes: &[u8]) -> String {
        Bundle::read(bytes).unwrap_err().to_string()
    }

    #[test]
    fn what_is_written_is_read_and_the_same_parts_give_the_same_bytes() {
        let parts = BTreeMap::from([("rows.jsonl".to_owned(), "{\"值\":1}\n".as_bytes().to_vec())]);
        let bytes = write_bundle(("p", "r1", 1), &parts).unwrap();
        assert_eq!(bytes, write_bundle(("p", "r1", 1), &parts).unwrap());
        let bundle = Bundle::read(&bytes).unwrap();
        assert_eq!(bundle.part("rows.jsonl"), Some("{\"值\":1}\n".as_bytes()));
        assert_eq!((bundle.manifest.rows, bundle.manifest.run.as_str()), (1, "r1"));
    }

    #[test]
    fn hostile_files_are_refused_each_with_its_own_words() {
        assert!(refusal(b"").contains("not a bundle"));
        assert!(refusal(b"PK\x03\x04 cut").contains("not a bundle"));
        assert!(refusal(&zipped(&[("rows.jsonl", b"")])).contains("has no manifest.json"));
        for name in [
            "../rows.jsonl",
            "/etc/passwd",
            "texts/../../x",
            "texts\\x",
            "texts/.x",
            "other/x",
            "texts/",
            "C:x",
        ] {
            let file = zipped(&[(MANIFEST, &manifest(&[])), (name, b"x")]);
            assert!(refusal(&file).contains("a name that no bundle has"), "{name}");
            let listed = manifest(&[(name, b"x")]);
            assert!(refusal(&zipped(&[(MANIFEST, &listed)])).contains("a name that no"), "{name}");
        }
        let rows: (&str, &[u8]) = ("rows.jsonl", b"{}");
        let extra = zipped(&[(MANIFEST, &manifest(&[])), rows]);
        assert!(refusal(&extra).contains("is not listed"));
        let gone = zipped(&[(MANIFEST, &manifest(&[rows]))]);
        assert!(refusal(&gone).contains("listed and not there"));
        let other = zipped(&[(MANIFEST, &manifest(&[rows])), ("rows.jsonl", b"[]")]);
        assert!(refusal(&other).contains("digest differs"));
        let short = zipped(&[(MANIFEST, &manifest(&[rows])), ("rows.jsonl", b"{")]);
        assert!(refusal(&short).contains("shorter than listed"));
        let bomb = vec![b'0'; 5_000_000];
        let bomb = zipped(&[(MANIFEST, &manifest(&[rows])), ("rows.jsonl", &bomb)]);
        assert!(refusal(&bomb).contains("more than is listed"));
        let text = String::from_utf8(manifest(&[])).unwrap();
        let newer = text.replace(FORMAT, "countersign.bundle/9");
        let file = zipped(&[(MANIFEST, newer.as_bytes())]);
        assert!(refusal(&file).contains("this program reads countersign.bundle/1"));
        let lying = text.replace("\"rows\":0", "\"rows\":0,\"run_this\":\"x\"");
        assert!(refusal(&zipped(&[(MANIFEST, lying.as_bytes())])).contains("unknown field"));
    }
}
