//! Rewrites single parts of a workbook that this program wrote; every other part is copied as it is,
//! and no time of day gets in.

use std::io::{Cursor, Read, Write};

use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

/// Gives the text of each wanted part, by its name, to `rewrite`.
///
/// # Errors
/// When the bytes are no zip archive, or `rewrite` fails.
pub fn rewrite_parts<E: From<ZipError>>(
    bytes: &[u8],
    is_wanted: impl Fn(&str) -> bool,
    rewrite: impl Fn(&str, &str) -> Result<String, E>,
) -> Result<Vec<u8>, E> {
    let mut archive = ZipArchive::new(Cursor::new(bytes))?;
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default());
    for at in 0..archive.len() {
        let mut file = archive.by_index(at)?;
        let name = file.name()?.into_owned();
        if !is_wanted(&name) {
            writer.raw_copy_file(file)?;
            continue;
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(ZipError::from)?;
        let text = rewrite(&name, &text)?;
        writer.start_file(name, options)?;
        writer.write_all(text.as_bytes()).map_err(ZipError::from)?;
    }
    Ok(writer.finish()?.into_inner())
}
