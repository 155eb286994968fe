//! Evidence files: written beside and renamed, so that no half file is ever read back.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::ask::canonical::hex_sha256;
use crate::model::snapshot::Part;

/// A file of the evidence that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    #[error("{path}: {source}")]
    Io { path: String, source: io::Error },
    #[error(
        "{path}: the evidence is missing; restore the file from a backup, or crawl the source again"
    )]
    Missing { path: String },
    #[error(
        "{path}: the bytes have SHA-256 {found}, the name says {expected}: the file was damaged or edited; restore it from a backup"
    )]
    Damaged { path: String, expected: String, found: String },
    #[error("{path}: not what this version reads: {detail}")]
    Unreadable { path: String, detail: String },
    #[error("{path}: {holder} is crawling this source; wait for it, or stop it")]
    Held { path: String, holder: String },
    #[error("{path}: the crawl was not begun, or is finished already")]
    NotBegun { path: String },
    #[error("{path}: holds another manifest than the one of its name")]
    EditionDiffers { path: String },
    #[error("there is no edition {wanted:?} of {source_id}; there are: {known}")]
    NoEdition { source_id: String, wanted: String, known: String },
}

/// Where a piece of evidence lies under the source's folder: `objects/ab/ab12…`.
pub fn path_of(part: Part, digest: &str) -> PathBuf {
    let (folder, ending) = folder_of(part);
    let shard = digest.get(..2).unwrap_or("00");
    Path::new(folder).join(shard).join(format!("{digest}{ending}"))
}

/// Folder and file name ending of a kind of evidence.
pub fn folder_of(part: Part) -> (&'static str, &'static str) {
    match part {
        Part::Raw => ("objects", ""),
        Part::Text => ("texts", ".txt"),
        Part::Map => ("maps", ".json"),
        Part::Record => ("records", ".json"),
    }
}

/// Stores bytes under their digest; bytes that are there already are left alone.
///
/// # Errors
/// When the file cannot be written.
pub fn put(root: &Path, part: Part, bytes: &[u8]) -> Result<String, SnapshotError> {
    let digest = hex_sha256(bytes);
    let path = root.join(path_of(part, &digest));
    let len = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    // A file of another length was cut by a dying disk or machine, and is written again.
    if fs::metadata(&path).is_ok_and(|it| it.is_file() && it.len() == len) {
        return Ok(digest);
    }
    write_beside(&path, bytes)?;
    Ok(digest)
}

/// Reads evidence and proves it.
///
/// # Errors
/// When it is missing, damaged or cannot be read.
pub fn get(root: &Path, part: Part, digest: &str) -> Result<Vec<u8>, SnapshotError> {
    let is_digest = digest.len() == 64 && digest.bytes().all(|it| it.is_ascii_hexdigit());
    let path = root.join(path_of(part, digest));
    let shown = path.display().to_string();
    if !is_digest {
        return Err(SnapshotError::Unreadable {
            path: shown,
            detail: format!("{digest:?} is not a SHA-256"),
        });
    }
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
            return Err(SnapshotError::Missing { path: shown });
        }
        Err(source) => return Err(SnapshotError::Io { path: shown, source }),
    };
    let found = hex_sha256(&bytes);
    if found != digest {
        return Err(SnapshotError::Damaged { path: shown, expected: digest.to_owned(), found });
    }
    Ok(bytes)
}

/// Writes a file beside its place, syncs it, and renames it there.
///
/// # Errors
/// When the folder or file cannot be written.
pub fn write_beside(path: &Path, bytes: &[u8]) -> Result<(), SnapshotError> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let io = |source| SnapshotError::Io { path: path.display().to_string(), source };
    let parent = path.parent().unwrap_or(Path::new("."));
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = parent.join(format!(".{name}.{}-{number}.tmp", std::process::id()));
    let write = || {
        let mut file = File::create(&beside)?;
        file.write_all(bytes)?;
        file.sync_data()?;
        fs::rename(&beside, path)
    };
    let written = write().or_else(|cause| {
        if cause.kind() == io::ErrorKind::NotFound {
            fs::create_dir_all(parent)?;
            return write();
        }
        Err(cause)
    });
    written.map_err(|cause| {
        // What is half written is of no use to anybody.
        let _ = fs::remove_file(&beside);
        io(cause)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_read_back_and_damage_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let digest = put(dir.path(), Part::Text, "申請人須年滿65歲。".as_bytes()).unwrap();
        assert_eq!(put(dir.path(), Part::Text, "申請人須年滿65歲。".as_bytes()).unwrap(), digest);
        assert_eq!(get(dir.path(), Part::Text, &digest).unwrap(), "申請人須年滿65歲。".as_bytes());
        let path = dir.path().join(path_of(Part::Text, &digest));
        fs::write(&path, "申請人須年滿60歲。").unwrap();
        let error = get(dir.path(), Part::Text, &digest).unwrap_err();
        assert!(matches!(&error, SnapshotError::Damaged { .. }), "{error}");
        assert!(error.to_string().contains(&digest));
        fs::remove_file(&path).unwrap();
        assert!(matches!(get(dir.path(), Part::Text, &digest), Err(SnapshotError::Missing { .. })));
        assert!(get(dir.path(), Part::Text, "../../etc/passwd").is_err());
    }

    #[test]
    fn a_file_that_was_cut_is_written_again() {
        let dir = tempfile::tempdir().unwrap();
        let digest = put(dir.path(), Part::Raw, b"whole").unwrap();
        fs::write(dir.path().join(path_of(Part::Raw, &digest)), b"wh").unwrap();
        put(dir.path(), Part::Raw, b"whole").unwrap();
        assert_eq!(get(dir.path(), Part::Raw, &digest).unwrap(), b"whole");
    }
}
