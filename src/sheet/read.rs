//! Reads a returned file, whatever program saved it, into plain rows by column; decides nothing.
//!
//! Tables are found by their header, not by the name or place of a tab. Nothing that a client may
//! have written is left out in silence: what is not read is named.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use crate::model::returned::{CellContent, FileIdentity, FileKind, ReturnedCell, ReturnedFile};
use crate::model::sheet::SheetLanguage;
use crate::model::signing::{SignCode, SignFinding};
use crate::sheet::archive::{Archive, ReadError, within_file_limit};
use crate::sheet::csv_file::{decode_csv, read_csv};
use crate::sheet::grid::{Book, Grid};
use crate::sheet::kinds::{named_archive, named_bytes};
use crate::sheet::ods_file::read_ods;
use crate::sheet::table::{header_language, is_header_row, read_tables};
use crate::sheet::told::Told;
use crate::sheet::words::SignField;
use crate::sheet::xlsx_file::read_xlsx;

/// Reads a returned file.
///
/// # Errors
/// When the bytes are no spreadsheet that can be read.
pub fn read_returned(bytes: &[u8]) -> Result<ReturnedFile, ReadError> {
    within_file_limit(bytes)?;
    let mut findings = Vec::new();
    let ReadBook { kind, book, guessed } = read_book(bytes)?;
    let language = language_of(&book);
    if let Some(encoding) = guessed {
        let text = Told::GuessedEncoding(encoding).text(language);
        findings.push(SignFinding::of_file(SignCode::KnownRewrite, text));
    }
    let identity = identity_of(&book, language, &mut findings);
    let sign = |field| sign_cell(&book, field);
    let [name, date, accepted_rows] =
        [SignField::Name, SignField::Date, SignField::AcceptedRows].map(sign);
    let saved_by = book.saved_by.clone();
    Ok(ReturnedFile {
        digest: hex_digest(bytes),
        kind,
        identity,
        rows: read_tables(book, language, &mut findings),
        name,
        date,
        accepted_rows,
        saved_by,
        findings,
    })
}

/// A file opened, whatever program saved it.
struct ReadBook {
    kind: FileKind,
    book: Book,
    /// The encoding of a CSV, where it was neither marked nor UTF-8.
    guessed: Option<&'static str>,
}

fn read_book(bytes: &[u8]) -> Result<ReadBook, ReadError> {
    /// First bytes of a compound file: .xls, or an .xlsx behind a password.
    const COMPOUND: &[u8] = &[0xD0, 0xCF, 0x11, 0xE0];
    if bytes.starts_with(COMPOUND) {
        return Err(ReadError::OldOrEncrypted);
    }
    if !bytes.starts_with(b"PK") {
        if let Some(what) = named_bytes(bytes) {
            return Err(ReadError::Unknown { what });
        }
        let decoded = decode_csv(bytes)?;
        let is_header = |record: &[String]| is_header_row(record.iter().map(String::as_str));
        let book = read_csv(&decoded.text, is_header)?;
        return Ok(ReadBook { kind: FileKind::Csv, book, guessed: decoded.guessed });
    }
    let mut archive = Archive::open(bytes)?;
    let names = archive.names();
    if names.iter().any(|it| it == "xl/workbook.xml") {
        let book = read_xlsx(bytes, &mut archive)?;
        return Ok(ReadBook { kind: FileKind::Xlsx, book, guessed: None });
    }
    let kind = archive.text("mimetype").ok().flatten().unwrap_or_default();
    if kind.starts_with("application/vnd.oasis.opendocument.spreadsheet") {
        let book = read_ods(&mut archive)?;
        return Ok(ReadBook { kind: FileKind::Ods, book, guessed: None });
    }
    Err(ReadError::Unknown { what: named_archive(&names) })
}

/// The language to speak about a file: what the file says of itself, else that of its headers.
fn language_of(book: &Book) -> SheetLanguage {
    let stated = |pairs: &BTreeMap<String, String>| pairs.get("countersign.language").cloned();
    let tag = stated(&book.properties)
        .or_else(|| book.grids.iter().find_map(|grid| stated(&pairs_of(grid))));
    match tag {
        Some(tag) => SheetLanguage::of(&tag),
        None => header_language(book).unwrap_or_default(),
    }
}

/// Which file it says it is: document properties and hidden tab must agree where both are left.
fn identity_of(
    book: &Book,
    language: SheetLanguage,
    findings: &mut Vec<SignFinding>,
) -> Option<FileIdentity> {
    let from_properties = identity_from(&book.properties);
    let from_tab = book.grids.iter().find_map(|grid| identity_from(&pairs_of(grid)));
    if let (Some(a), Some(b)) = (&from_properties, &from_tab)
        && a != b
    {
        findings.push(
            SignFinding::of_file(SignCode::IdentityDiffers, Told::IdentityDiffers.text(language))
                .with(a.file.clone(), b.file.clone()),
        );
    }
    if from_properties.is_none() && from_tab.is_none() {
        findings
            .push(SignFinding::of_file(SignCode::IdentityLost, Told::IdentityLost.text(language)));
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
