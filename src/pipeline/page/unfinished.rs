//! Pages whose record was being written when a run was killed: finished or left as they were.
//!
//! A page's new files lie beside the old ones until the ledger has its lines. Where it has them, the
//! files are put in place; where it has not, they go. So files and ledger always tell of one reading,
//! and a question that only the page's record holds is never lost between two of them.

use std::collections::BTreeMap;
use std::path::Path;

use crate::pipeline::failure::RunError;
use crate::pipeline::page::record::PageFiles;
use crate::pipeline::rounds::clerk::{ClerkError, PageFile};
use crate::pipeline::written::{Beside, WriteError};
use crate::store::ledger::Ledger;

/// Finishes what is left of the pages of one source. Only for whoever holds the project's lock.
///
/// # Errors
/// When a folder or the ledger cannot be read, or a file not be put in place.
pub fn finish_pages(root: &Path, source: &str, ledger: &dyn Ledger) -> Result<(), RunError> {
    let folder = PageFiles::folder(source);
    let rows = left_in(&root.join(&folder.rows)).map_err(ClerkError::from)?;
    if !rows.is_empty() {
        let pages = ledger.pages(source)?;
        let known: BTreeMap<&str, &str> =
            pages.iter().map(|it| (it.file.as_str(), it.digest.as_str())).collect();
        for name in rows {
            let files = folder.of_name(&name);
            let Some(beside) = Beside::left(&root.join(&files.rows)) else { continue };
            let is_noted = known.get(files.rows.as_str()).is_some_and(|it| *it == beside.digest());
            if is_noted {
                finish(root, &files, beside).map_err(ClerkError::from)?;
            }
        }
    }
    for folder in [&folder.rows, &folder.refused, &folder.sentences] {
        let folder = root.join(folder);
        for name in left_in(&folder).map_err(ClerkError::from)? {
            if let Some(beside) = Beside::left(&folder.join(name)) {
                beside.drop_it().map_err(ClerkError::from)?;
            }
        }
    }
    Ok(())
}

/// The others were written before the rows, and so are whole.
fn finish(root: &Path, files: &PageFiles, rows: Beside) -> Result<(), WriteError> {
    for (name, goes_when_empty) in [(&files.refused, true), (&files.sentences, false)] {
        if let Some(beside) = Beside::left(&root.join(name)) {
            PageFile::put_in_place(beside, goes_when_empty)?;
        }
    }
    rows.put_in_place()
}

/// Names of the files in a folder that have something beside them, sorted.
fn left_in(folder: &Path) -> Result<Vec<String>, WriteError> {
    let failed = |source| WriteError::Io { path: folder.display().to_string(), source };
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(cause) => return Err(failed(cause)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(failed)?.file_name();
        names.extend(name.to_str().and_then(|it| it.strip_suffix(".jsonl.tmp")).map(str::to_owned));
    }
    names.sort();
    Ok(names.into_iter().map(|it| it + ".jsonl").collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::canonical::hex_sha256;
    use crate::pipeline::project::ProjectPaths;
    use crate::pipeline::wiring::open_ledger;
    use crate::pipeline::written::write_checked;
    use crate::store::ledger::PageRecord;

    const URL: &str = "https://harbour.example/grant";

    fn record(rows: &str) -> PageRecord {
        PageRecord {
            source: "harbour".to_owned(),
            url: URL.to_owned(),
            basis: format!("basis of {rows}"),
            file: PageFiles::of("harbour", URL).rows,
            digest: hex_sha256(rows.as_bytes()),
            counts: "{}".to_owned(),
        }
    }

    #[test]
    fn a_page_killed_after_the_ledger_is_finished_and_one_killed_before_stays_as_it_was() {
        for is_noted in [true, false] {
            let dir = tempfile::tempdir().unwrap();
            std::fs::create_dir(dir.path().join("sources")).unwrap();
            let project = ProjectPaths::find(dir.path()).unwrap();
            let mut ledger = open_ledger(&project, "2026-01-05T00:00:00Z", "u").unwrap();
            let files = PageFiles::of("harbour", URL);
            let paths =
                [&files.refused, &files.sentences, &files.rows].map(|it| dir.path().join(it));
            for path in &paths {
                write_checked(path, "舊\n".as_bytes()).unwrap();
            }
            ledger.replace_page(&record("舊\n"), &[]).unwrap();
            for (path, text) in paths.iter().zip(["", "新\n", "新\n"]) {
                Beside::write(path, text.as_bytes()).unwrap();
            }
            if is_noted {
                ledger.replace_page(&record("新\n"), &[]).unwrap();
            }
            finish_pages(dir.path(), "harbour", &*ledger).unwrap();
            let read = |at: usize| std::fs::read_to_string(&paths[at]).ok();
            let wanted =
                if is_noted { [None, Some("新\n"), Some("新\n")] } else { [Some("舊\n"); 3] };
            for (at, wanted) in wanted.into_iter().enumerate() {
                assert_eq!(read(at).as_deref(), wanted, "{is_noted}");
                assert_eq!(Beside::left(&paths[at]), None);
            }
            finish_pages(dir.path(), "harbour", &*ledger).unwrap();
        }
    }
}
