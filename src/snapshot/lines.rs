//! Files of lines and of JSON under a source's folder: written whole, read only as far as they are
//! whole. What a crash cut is never taken for what was said.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::snapshot::files::SnapshotError;

/// One write a line, so that lines of one process never mix and a crash cuts the last one only.
pub(super) fn append_line(
    path: &Path,
    mut file: impl Write,
    line: &str,
) -> Result<(), SnapshotError> {
    let line = format!("{}\n", line.trim_end_matches('\n'));
    file.write_all(line.as_bytes()).map_err(|it| io_at(path, it))
}

/// Opens a file to write at its end.
pub(super) fn append_to(path: &Path) -> Result<File, SnapshotError> {
    OpenOptions::new().create(true).append(true).open(path).map_err(|it| io_at(path, it))
}

/// Cuts what a crash left of a last line.
pub(super) fn cut_half_line(path: &Path, file: &File) -> Result<(), SnapshotError> {
    let bytes = fs::read(path).map_err(|it| io_at(path, it))?;
    let whole = memchr::memrchr(b'\n', &bytes).map_or(0, |it| it + 1);
    if whole < bytes.len() {
        let len = u64::try_from(whole).unwrap_or(u64::MAX);
        file.set_len(len).map_err(|it| io_at(path, it))?;
    }
    Ok(())
}

/// A log is long: only its last byte is looked at, and a line that was cut is ended as it is.
pub(super) fn end_half_line(path: &Path, log: &mut File) -> Result<(), SnapshotError> {
    let io = |it| io_at(path, it);
    let mut reader = File::open(path).map_err(io)?;
    if reader.metadata().map_err(io)?.len() == 0 {
        return Ok(());
    }
    reader.seek(SeekFrom::End(-1)).map_err(io)?;
    let mut last = [0];
    reader.read_exact(&mut last).map_err(io)?;
    if last[0] == b'\n' { Ok(()) } else { log.write_all(b"\n").map_err(io) }
}

/// The lines of a file that end with a line break; none where there is no file.
pub(super) fn whole_lines(path: &Path) -> Result<Vec<String>, SnapshotError> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(cause) => return Err(io_at(path, cause)),
    };
    let whole = memchr::memrchr(b'\n', &bytes).map_or(0, |it| it + 1);
    let text = String::from_utf8_lossy(&bytes[..whole]);
    Ok(text.lines().filter(|it| !it.is_empty()).map(str::to_owned).collect())
}

/// Reads a JSON file; one that is not there is an error of its own.
pub(super) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, SnapshotError> {
    match fs::read(path) {
        Ok(bytes) => parse_json(path, &bytes),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
            Err(SnapshotError::Missing { path: path.display().to_string() })
        }
        Err(cause) => Err(io_at(path, cause)),
    }
}

/// As [`read_json`], `None` where there is no file.
pub(super) fn read_json_if_there<T: DeserializeOwned>(
    path: &Path,
) -> Result<Option<T>, SnapshotError> {
    match read_json(path) {
        Ok(value) => Ok(Some(value)),
        Err(SnapshotError::Missing { .. }) => Ok(None),
        Err(cause) => Err(cause),
    }
}

pub(super) fn parse_json<T: DeserializeOwned>(
    path: &Path,
    bytes: &[u8],
) -> Result<T, SnapshotError> {
    serde_json::from_slice(bytes).map_err(|it| SnapshotError::Unreadable {
        path: path.display().to_string(),
        detail: it.to_string(),
    })
}

pub(super) fn json_file<T: Serialize>(value: &T) -> Result<Vec<u8>, SnapshotError> {
    let mut bytes = serde_json::to_vec_pretty(value).map_err(|it| unwritable(&it))?;
    bytes.push(b'\n');
    Ok(bytes)
}

pub(super) fn compact_json<T: Serialize>(value: &T) -> Result<String, SnapshotError> {
    serde_json::to_string(value).map_err(|it| unwritable(&it))
}

fn unwritable(cause: &serde_json::Error) -> SnapshotError {
    SnapshotError::Unreadable { path: "a ledger file".to_owned(), detail: cause.to_string() }
}

pub(super) fn other_format(path: &Path, found: &str, expected: &str) -> SnapshotError {
    SnapshotError::Unreadable {
        path: path.display().to_string(),
        detail: format!("format is {found:?}, this version reads {expected:?}; update the program"),
    }
}

pub(super) fn io_at(path: &Path, source: io::Error) -> SnapshotError {
    SnapshotError::Io { path: path.display().to_string(), source }
}

pub(super) fn fine_if_missing(cause: io::Error) -> io::Result<()> {
    if cause.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(cause) }
}
