//! Writing a file so that it is either the old one or the new one, and proven to be the new one.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::ask::canonical::{hex, hex_sha256};

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
    if holds(path, bytes)? {
        return Ok(Written { digest: hex_sha256(bytes), is_changed: false });
    }
    let (beside, digest) = fill_beside(path, |out| out.write_all(bytes))?;
    put_in_place(path, &beside, digest)
}

/// True where the file holds exactly these bytes.
fn holds(path: &Path, bytes: &[u8]) -> Result<bool, WriteError> {
    match fs::read(path) {
        Ok(old) => Ok(old == bytes),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(source) => Err(WriteError::Io { path: path.display().to_string(), source }),
    }
}

/// A file that lies beside its place, on the disk, until something else is on record too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beside {
    path: PathBuf,
    digest: String,
}

/// The file beside a path where its next content lies until it is put in place.
pub fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".tmp");
    path.with_file_name(name)
}

impl Beside {
    /// Writes a file beside `path` and leaves `path` as it is.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(path: &Path, bytes: &[u8]) -> Result<Self, WriteError> {
        let (_, digest) = fill_beside(path, |out| out.write_all(bytes))?;
        Ok(Self { path: path.to_owned(), digest })
    }

    /// What an earlier process left beside `path`; `None` where there is nothing.
    pub fn left(path: &Path) -> Option<Self> {
        Some(Self { path: path.to_owned(), digest: digest_of_file(&beside(path))? })
    }

    /// SHA-256 of its bytes.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// True where it has no bytes.
    pub fn is_empty(&self) -> bool {
        fs::metadata(beside(&self.path)).is_ok_and(|it| it.len() == 0)
    }

    /// Removes it and the file in its place.
    ///
    /// # Errors
    /// When one of them is there and cannot be removed.
    pub fn remove_both(self) -> Result<(), WriteError> {
        remove_if_there(&self.path)?;
        self.drop_it()
    }

    /// Puts it in its place and reads it back; a file that holds the same bytes keeps its time stamp.
    ///
    /// # Errors
    /// When it cannot be renamed or reads back differently.
    pub fn put_in_place(self) -> Result<(), WriteError> {
        if digest_of_file(&self.path).is_some_and(|it| it == self.digest) {
            return self.drop_it();
        }
        put_in_place(&self.path, &beside(&self.path), self.digest)?;
        Ok(())
    }

    /// Removes it; its place stays as it is.
    ///
    /// # Errors
    /// When it is there and cannot be removed.
    pub fn drop_it(self) -> Result<(), WriteError> {
        remove_if_there(&beside(&self.path))
    }
}

/// As [`write_checked`], for a file too large to hold: `fill` writes it piece by piece.
///
/// # Errors
/// When `fill` fails, the folder or file cannot be written, or the file reads back differently.
pub fn write_checked_by(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<Written, WriteError> {
    let (beside, digest) = fill_beside(path, fill)?;
    if digest_of_file(path).is_some_and(|old| old == digest) {
        remove_if_there(&beside)?;
        return Ok(Written { digest, is_changed: false });
    }
    put_in_place(path, &beside, digest)
}

fn put_in_place(path: &Path, beside: &Path, digest: String) -> Result<Written, WriteError> {
    let io = |source| WriteError::Io { path: path.display().to_string(), source };
    fs::rename(beside, path).map_err(io)?;
    let found = digest_of(&mut fs::File::open(path).map_err(io)?).map_err(io)?;
    if found != digest {
        let path = path.display().to_string();
        return Err(WriteError::ReadBackDiffers { path, expected: digest, found });
    }
    Ok(Written { digest, is_changed: true })
}

/// Fills a file beside `path`; its path, and the SHA-256 of what was written.
fn fill_beside(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(PathBuf, String), WriteError> {
    let beside = beside(path);
    let written = create_in_folder(&beside).and_then(|file| {
        let mut out = Hashing { inner: io::BufWriter::new(file), hash: Sha256::new() };
        fill(&mut out)?;
        out.flush()?;
        out.inner.get_ref().sync_data()?;
        Ok(hex(&out.hash.finalize()))
    });
    let digest =
        written.map_err(|source| WriteError::Io { path: path.display().to_string(), source })?;
    Ok((beside, digest))
}

/// Creates a file, and its folder where that is not there yet.
fn create_in_folder(path: &Path) -> io::Result<fs::File> {
    fs::File::create(path).or_else(|cause| match (cause.kind(), path.parent()) {
        (io::ErrorKind::NotFound, Some(parent)) => {
            fs::create_dir_all(parent)?;
            fs::File::create(path)
        }
        _ => Err(cause),
    })
}

/// Passes on what is written and keeps the digest of it.
struct Hashing<W> {
    inner: W,
    hash: Sha256,
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.inner.write(bytes)?;
        self.hash.update(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

fn digest_of(from: &mut dyn io::Read) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut piece = vec![0; 64 * 1024];
    loop {
        match from.read(&mut piece)? {
            0 => return Ok(hex(&hash.finalize())),
            n => hash.update(&piece[..n]),
        }
    }
}

/// SHA-256 of a file's bytes; `None` where it cannot be read.
pub fn digest_of_file(path: &Path) -> Option<String> {
    digest_of(&mut fs::File::open(path).ok()?).ok()
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
    fn what_lies_beside_changes_nothing_until_it_is_put_in_place() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("頁.jsonl");
        write_checked(&path, "甲\n".as_bytes()).unwrap();
        let new = Beside::write(&path, "乙\n".as_bytes()).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "甲\n");
        assert_eq!(Beside::left(&path).as_ref(), Some(&new));
        new.put_in_place().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "乙\n");
        assert_eq!(Beside::left(&path), None);
        Beside::write(&path, "丙\n".as_bytes()).unwrap().drop_it().unwrap();
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_in_the_files_place_is_an_error_that_names_it() {
        let dir = tempfile::tempdir().unwrap();
        let error = write_checked(dir.path(), b"x").unwrap_err().to_string();
        assert!(error.contains(&dir.path().display().to_string()), "{error}");
    }
}
