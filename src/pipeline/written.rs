//! Writing a file so that it is either the old one or the new one, and proven to be the new one.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use crate::ask::canonical::hex_sha256;

/// A file that could not be written, or does not hold what was written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    #[error("{path}: cannot be written: {source}")]
    Io { path: String, source: io::Error },
    #[error("{path}: read back {found}, wrote {expected}; is the disk full or shared?")]
    ReadBackDiffers { path: String, expected: String, found: String },
}

/// What became of a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// SHA-256 of the file's bytes.
    pub digest: String,
    /// False where the file already held these bytes and was not touched.
    pub is_changed: bool,
}

/// Writes beside, renames, reads back. A file that already holds `bytes` keeps its time stamp.
///
/// # Errors
/// When the folder or file cannot be written, or reads back differently.
pub fn write_checked(path: &Path, bytes: &[u8]) -> Result<Written, WriteError> {
    let io = |source| WriteError::Io { path: path.display().to_string(), source };
    let digest = hex_sha256(bytes);
    match fs::read(path) {
        Ok(old) if old == bytes => return Ok(Written { digest, is_changed: false }),
        Ok(_) => {}
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => {}
        Err(cause) => return Err(io(cause)),
    }
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(io)?;
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".tmp");
    let beside = path.with_file_name(name);
    fs::File::create(&beside)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_data()))
        .and_then(|()| fs::rename(&beside, path))
        .map_err(io)?;
    let found = hex_sha256(&fs::read(path).map_err(io)?);
    if found != digest {
        let path = path.display().to_string();
        return Err(WriteError::ReadBackDiffers { path, expected: digest, found });
    }
    Ok(Written { digest, is_changed: true })
}

/// SHA-256 of a file's bytes; `None` where it cannot be read.
pub fn digest_of_file(path: &Path) -> Option<String> {
    fs::read(path).ok().map(|bytes| hex_sha256(&bytes))
}

/// Removes a file that is no longer wanted; one that is not there is fine.
///
/// # Errors
/// When it is there and cannot be removed.
pub fn remove_if_there(path: &Path) -> Result<(), WriteError> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(WriteError::Io { path: path.display().to_string(), source })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_bytes_do_not_touch_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("extracted/harbour/首頁.jsonl");
        assert!(write_checked(&path, "甲\n".as_bytes()).unwrap().is_changed);
        assert!(!write_checked(&path, "甲\n".as_bytes()).unwrap().is_changed);
        assert!(write_checked(&path, "乙\n".as_bytes()).unwrap().is_changed);
        assert_eq!(fs::read_to_string(&path).unwrap(), "乙\n");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing left beside");
    }

    #[test]
    fn a_folder_in_the_files_place_is_an_error_that_names_it() {
        let dir = tempfile::tempdir().unwrap();
        let error = write_checked(dir.path(), b"x").unwrap_err().to_string();
        assert!(error.contains(&dir.path().display().to_string()), "{error}");
    }
}
