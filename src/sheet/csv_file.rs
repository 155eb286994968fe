//! Reads and writes a tab as CSV. Cells that a spreadsheet would run as a formula are written with
//! an apostrophe before them, and the apostrophe is taken away again on the way back.

use chardetng::{EncodingDetector, Utf8Detection};

use crate::model::returned::{CellContent, ReturnedCell};
use crate::model::sheet::{IssuedSheet, Tab};
use crate::sheet::archive::{ReadError, within_file_limit};
use crate::sheet::columns::columns_of;
use crate::sheet::grid::{Book, Grid};
use crate::text::glyphs::neutral::{neutralise, restore};

/// The text of a CSV file and whether its encoding had to be guessed.
#[derive(Debug, PartialEq, Eq)]
pub struct CsvText {
    pub text: String,
    /// Name of the encoding, where it was neither marked nor UTF-8.
    pub guessed: Option<&'static str>,
}

/// Decodes a file: by its byte order mark, as UTF-8, else by what it looks like.
///
/// # Errors
/// When the file is empty, too large, or not text.
pub fn decode_csv(bytes: &[u8]) -> Result<CsvText, ReadError> {
    within_file_limit(bytes)?;
    if let Some((encoding, length)) = encoding_rs::Encoding::for_bom(bytes) {
        let (text, _) = encoding.decode_without_bom_handling(&bytes[length..]);
        return Ok(CsvText { text: text.into_owned(), guessed: None });
    }
    if let Ok(text) = std::str::from_utf8(bytes)
        && !text.contains('\0')
    {
        return Ok(CsvText { text: text.to_owned(), guessed: None });
    }
    let encoding = if bytes.contains(&0) {
        // Text does not hold NUL; UTF-16 without a mark is full of it.
        let is_big_endian = bytes.first() == Some(&0);
        if is_big_endian { encoding_rs::UTF_16BE } else { encoding_rs::UTF_16LE }
    } else {
        let mut detector = EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
        detector.feed(bytes, true);
        detector.guess(None, Utf8Detection::Deny)
    };
    let (text, _, had_errors) = encoding.decode(bytes);
    if had_errors && text.contains('\u{fffd}') && text.matches('\u{fffd}').count() * 4 > text.len()
    {
        return Err(ReadError::Unknown { what: "not text in any known encoding".to_owned() });
    }
    Ok(CsvText { text: text.into_owned(), guessed: Some(encoding.name()) })
}

/// Reads CSV text into one grid, with whichever separator finds the header.
///
/// # Errors
/// When the text is no CSV.
pub fn read_csv(text: &str, is_header: impl Fn(&[String]) -> bool) -> Result<Book, ReadError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut first = None;
    for separator in [b',', b';', b'\t'] {
        let records = records_of(text, separator)?;
        if records.iter().any(|it| is_header(it)) {
            return Ok(book_of(&records));
        }
        first.get_or_insert(records);
    }
    Ok(book_of(&first.unwrap_or_default()))
}

/// Writes a tab as issued: every cell neutralised, open cells empty. The byte order mark tells a
/// spreadsheet that the text is UTF-8.
pub fn write_csv(issued: &IssuedSheet, tab: Tab) -> String {
    let specs = columns_of(tab);
    let mut writer = csv::Writer::from_writer(Vec::new());
    let titles = specs.iter().map(|it| it.title(issued.language).to_owned());
    // Writing to memory does not fail.
    let _ = writer.write_record(titles.collect::<Vec<_>>());
    for row in issued.rows.iter().filter(|it| it.tab == tab) {
        let cells =
            specs.iter().map(|it| neutralise(row.shown.get(&it.column).map_or("", |it| it)));
        let _ = writer.write_record(cells.collect::<Vec<_>>());
    }
    let bytes = writer.into_inner().unwrap_or_default();
    format!("\u{feff}{}", String::from_utf8(bytes).unwrap_or_default())
}

fn records_of(text: &str, separator: u8) -> Result<Vec<Vec<String>>, ReadError> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .from_reader(text.as_bytes());
    let mut records = Vec::new();
    for record in reader.records() {
        let record = record.map_err(ReadError::damaged)?;
        records.push(record.iter().map(str::to_owned).collect());
    }
    Ok(records)
}

fn book_of(records: &[Vec<String>]) -> Book {
    let mut grid = Grid { name: "csv".to_owned(), ..Grid::default() };
    for (row, record) in (0..).zip(records) {
        for (column, text) in (0..).zip(record) {
            let text = restore(text);
            if !text.is_empty() {
                let content = CellContent::Text(text);
                grid.put((row, column), ReturnedCell { content, formula: None });
            }
        }
    }
    Book { grids: vec![grid], ..Book::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_that_spreadsheets_write_are_read() {
        let text = "列號,決定\nlanternfield-1,核准\n".repeat(8);
        let (big5, _, _) = encoding_rs::BIG5.encode(&text);
        let read = decode_csv(&big5).unwrap();
        assert_eq!((read.text.as_str(), read.guessed), (text.as_str(), Some("Big5")));
        let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode_csv(&utf16).unwrap().text, text);
        let marked = [b"\xEF\xBB\xBF".as_slice(), text.as_bytes()].concat();
        assert_eq!(decode_csv(&marked).unwrap(), CsvText { text, guessed: None });
    }
}
