//! Reads a returned file, whatever program saved it, into plain rows by column; decides nothing.
//!
//! Tables are found by their header, not by the name or place of a tab. Nothing that a client may
//! have written is left out in silence: what is not read is named.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use crate::model::returned::{CellContent, FileIdentity, FileKind, ReturnedCell, ReturnedFile};
use crate::model::signing::{SignCode, SignFinding};
use crate::sheet::archive::{Archive, ReadError, within_file_limit};
use crate::sheet::csv_file::{decode_csv, read_csv};
use crate::sheet::grid::{Book, Grid};
use crate::sheet::ods_file::read_ods;
use crate::sheet::table::{is_header_row, read_tables};
use crate::sheet::words::SignField;
use crate::sheet::xlsx_file::read_xlsx;

/// Reads a returned file.
///
/// # Errors
/// When the bytes are no spreadsheet that can be read.
pub fn read_returned(bytes: &[u8]) -> Result<ReturnedFile, ReadError> {
    within_file_limit(bytes)?;
    let mut findings = Vec::new();
    let (kind, book) = read_book(bytes, &mut findings)?;
    let identity = identity_of(&book, &mut findings);
    let rows = read_tables(&book, &mut findings);
    let sign = |field| sign_cell(&book, field);
    Ok(ReturnedFile {
        digest: hex_digest(bytes),
        kind,
        identity,
        rows,
        name: sign(SignField::Name),
        date: sign(SignField::Date),
        accepted_rows: sign(SignField::AcceptedRows),
        saved_by: book.saved_by,
        findings,
    })
}

fn read_book(bytes: &[u8], findings: &mut Vec<SignFinding>) -> Result<(FileKind, Book), ReadError> {
    /// First bytes of a compound file: .xls, or an .xlsx behind a password.
    const COMPOUND: &[u8] = &[0xD0, 0xCF, 0x11, 0xE0];
    if bytes.starts_with(COMPOUND) {
        return Err(ReadError::OldOrEncrypted);
    }
    if !bytes.starts_with(b"PK") {
        let decoded = decode_csv(bytes)?;
        if let Some(encoding) = decoded.guessed {
            findings.push(SignFinding::of_file(
                SignCode::KnownRewrite,
                format!("the CSV file is not UTF-8; it was read as {encoding}"),
            ));
        }
        let is_header = |record: &[String]| is_header_row(record.iter().map(String::as_str));
        return Ok((FileKind::Csv, read_csv(&decoded.text, is_header)?));
    }
    let mut archive = Archive::open(bytes)?;
    let names = archive.names();
    if names.iter().any(|it| it == "xl/workbook.xml") {
        return Ok((FileKind::Xlsx, read_xlsx(bytes, &mut archive)?));
    }
    let kind = archive.text("mimetype").ok().flatten().unwrap_or_default();
    if kind.starts_with("application/vnd.oasis.opendocument.spreadsheet") {
        return Ok((FileKind::Ods, read_ods(&mut archive)?));
    }
    Err(ReadError::Unknown { what: "an archive of another kind".to_owned() })
}

/// Which file it says it is: document properties and hidden tab must agree where both are left.
fn identity_of(book: &Book, findings: &mut Vec<SignFinding>) -> Option<FileIdentity> {
    let from_properties = identity_from(&book.properties);
    let from_tab = book.grids.iter().find_map(|grid| identity_from(&pairs_of(grid)));
    if let (Some(a), Some(b)) = (&from_properties, &from_tab)
        && a != b
    {
        findings.push(
            SignFinding::of_file(
                SignCode::IdentityDiffers,
                "the file's properties and its hidden tab name different sheets",
            )
            .with(a.file.clone(), b.file.clone()),
        );
    }
    if from_properties.is_none() && from_tab.is_none() {
        findings.push(SignFinding::of_file(
            SignCode::IdentityLost,
            "the file no longer says which sheet it is; its rows are known by their keys alone",
        ));
    }
    from_properties.or(from_tab)
}

fn identity_from(pairs: &BTreeMap<String, String>) -> Option<FileIdentity> {
    let get = |name: &str| pairs.get(name).cloned();
    Some(FileIdentity {
        file: get("countersign.file")?,
        project: get("countersign.project")?,
        run: get("countersign.run")?,
        format: get("countersign.format").unwrap_or_default(),
        language: get("countersign.language").unwrap_or_default(),
    })
}

/// The hidden tab's names and values: two cells beside each other.
fn pairs_of(grid: &Grid) -> BTreeMap<String, String> {
    let mut pairs = BTreeMap::new();
    for row in grid.rows.values().take(64) {
        let mut texts = row.cells.values().map(ReturnedCell::shown);
        if let (Some(name), Some(value)) = (texts.next(), texts.next())
            && name.starts_with("countersign.")
        {
            pairs.insert(name, value);
        }
    }
    pairs
}

/// The cell right of a label of "Read me first", on whichever tab it stands.
fn sign_cell(book: &Book, field: SignField) -> ReturnedCell {
    for row in book.grids.iter().flat_map(|it| it.rows.values()) {
        let label = row.cells.iter().find(|(_, cell)| match &cell.content {
            CellContent::Text(text) => field.label().contains(&text.trim()),
            _ => false,
        });
        if let Some((&at, _)) = label {
            let right = row.cells.range(at + 1..at.saturating_add(4)).next();
            return right.map(|it| it.1.clone()).unwrap_or_default();
        }
    }
    ReturnedCell::default()
}

fn hex_digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|it| format!("{it:02x}")).collect()
}
