//! A returned spreadsheet as an archive: opened only within limits, its parts read as text.
//!
//! A returned file is hostile input. Every entry is unpacked once against a limit before any reader
//! sees it, because an archive may lie about its sizes.

use std::io::{Cursor, Read};

use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use zip::ZipArchive;

/// Largest file, and largest sum of its unpacked parts, in bytes.
const FILE_LIMIT: usize = 64 * 1024 * 1024;
const UNPACKED_LIMIT: u64 = 512 * 1024 * 1024;
const ENTRY_LIMIT: usize = 4_096;

/// Why a returned file cannot be read at all.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error(
        "the file is empty; send the spreadsheet that was issued（檔案是空的；請寄回所發出的試算表）"
    )]
    Empty,
    #[error(
        "the file unpacks to {found} bytes or more, a sheet may have {most}; send it without pictures（檔案過大；請移除圖片後再寄）"
    )]
    TooLarge { found: u64, most: u64 },
    #[error(
        "the file is an old .xls or protected with a password; save it as .xlsx without a password（檔案是舊式 .xls 或設有密碼；請另存為不設密碼的 .xlsx）"
    )]
    OldOrEncrypted,
    #[error(
        "the file is neither .xlsx, .ods nor .csv: {what}（檔案不是 .xlsx、.ods 或 .csv；請以 .xlsx 寄回）"
    )]
    Unknown { what: String },
    #[error(
        "no tab has the columns that decisions are read by (Row, Check, Decision); send the whole .xlsx, or as CSV the tab that was decided on（檔案中沒有「列號」「核對碼」「決定」等欄位；請寄回整份 .xlsx，或將填寫決定的那一頁存成 CSV）"
    )]
    NoTable,
    #[error(
        "the file is cut off, as by a broken transfer: {what}; send it again（檔案不完整，可能傳送中斷；請重新寄送）"
    )]
    CutOff { what: String },
    #[error(
        "the spreadsheet is damaged: {what}; open it, save it again as .xlsx and send that（試算表損壞；請開啟後另存為 .xlsx 再寄）"
    )]
    Damaged { what: String },
}

impl ReadError {
    /// A damaged file, with the cause.
    pub fn damaged(cause: impl std::fmt::Display) -> Self {
        Self::Damaged { what: cause.to_string() }
    }
}

/// An archive whose unpacked size is known to be within limits.
pub struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
}

impl<'a> Archive<'a> {
    /// Opens and unpacks once, counting.
    ///
    /// # Errors
    /// When the bytes are no archive, or unpack to more than a sheet may hold.
    pub fn open(bytes: &'a [u8]) -> Result<Self, ReadError> {
        within_file_limit(bytes)?;
        let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(|cause| match cause {
            zip::result::ZipError::InvalidArchive(what) => {
                ReadError::CutOff { what: what.to_string() }
            }
            other => ReadError::damaged(other),
        })?;
        if zip.len() > ENTRY_LIMIT {
            return Err(ReadError::Damaged { what: format!("{} parts", zip.len()) });
        }
        let mut left = UNPACKED_LIMIT;
        for at in 0..zip.len() {
            let file = zip.by_index(at).map_err(ReadError::damaged)?;
            let mut limited = file.take(left + 1);
            let unpacked = std::io::copy(&mut limited, &mut std::io::sink());
            let unpacked = unpacked.map_err(ReadError::damaged)?;
            left = left
                .checked_sub(unpacked)
                .ok_or(ReadError::TooLarge { found: UNPACKED_LIMIT + 1, most: UNPACKED_LIMIT })?;
        }
        Ok(Self { zip })
    }

    /// The names of all parts.
    pub fn names(&self) -> Vec<String> {
        self.zip.file_names().filter_map(|it| Some(it.ok()?.into_owned())).collect()
    }

    /// A part as text; `None` where the archive has no such part.
    ///
    /// # Errors
    /// When the part is not UTF-8.
    pub fn text(&mut self, name: &str) -> Result<Option<String>, ReadError> {
        let Ok(mut file) = self.zip.by_name(name) else { return Ok(None) };
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(ReadError::damaged)?;
        Ok(Some(text))
    }
}

/// Refuses a file that is larger than a sheet may be.
///
/// # Errors
/// When it is empty or too large.
pub fn within_file_limit(bytes: &[u8]) -> Result<(), ReadError> {
    match bytes.len() {
        0 => Err(ReadError::Empty),
        found if found > FILE_LIMIT => {
            Err(ReadError::TooLarge { found: found as u64, most: FILE_LIMIT as u64 })
        }
        _ => Ok(()),
    }
}

/// Goes through the elements of a part. The visitor sees every event but the end.
///
/// # Errors
/// When the part is not well-formed.
pub fn walk_xml<'x>(
    text: &'x str,
    mut visit: impl FnMut(&Event<'x>) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    loop {
        match reader.read_event().map_err(ReadError::damaged)? {
            Event::Eof => return Ok(()),
            event => visit(&event)?,
        }
    }
}

/// An attribute's value by its local name.
pub fn attribute(element: &BytesStart, name: &str) -> Option<String> {
    let found = element.attributes().flatten().find(|it| it.key.local_name().as_ref() == name)?;
    found.normalized_value(XmlVersion::Implicit1_0).ok().map(std::borrow::Cow::into_owned)
}

/// The character a reference stands for; nothing for a name that XML does not define.
pub fn referred(reference: &BytesRef) -> Option<char> {
    if let Ok(Some(it)) = reference.resolve_char_ref() {
        return Some(it);
    }
    match reference.clone().into_inner().as_ref() {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => None,
    }
}
