//! Fills in an issued workbook as a client would: the demo's client, and a start for scripts.
//!
//! Only cells that stand empty are filled, and no other byte of a tab changes; a decision that is
//! already there is never overwritten.

use std::collections::BTreeMap;

use zip::result::ZipError;

use crate::model::decision::DecisionWord;
use crate::model::sheet::{Column, IssuedSheet};
use crate::sheet::archive::{Archive, ReadError};
use crate::sheet::columns::{position_of, tab_title};
use crate::sheet::grid::letters_of;
use crate::sheet::parts::rewrite_parts;
use crate::sheet::xlsx_file::read_xlsx;

/// Why a workbook could not be filled in.
#[derive(Debug, thiserror::Error)]
pub enum FillError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("the filled-in workbook could not be put together: {0}")]
    Zip(#[from] ZipError),
    #[error("no row {key} on the sheet as it was issued")]
    NoRow { key: String },
    #[error("cell {cell} on {tab} is not empty")]
    NotEmpty { tab: String, cell: String },
}

/// Writes a decision beside each of the keys.
///
/// # Errors
/// When the bytes are no workbook, a key is not on it, or a cell holds something already.
pub fn fill_in(
    bytes: &[u8],
    issued: &IssuedSheet,
    decisions: &BTreeMap<String, DecisionWord>,
) -> Result<Vec<u8>, FillError> {
    let book = read_xlsx(bytes, &mut Archive::open(bytes)?)?;
    let mut cells: BTreeMap<String, Vec<(String, &str)>> = BTreeMap::new();
    for (key, word) in decisions {
        let no_row = || FillError::NoRow { key: key.clone() };
        let row = issued.rows.iter().find(|it| it.key == *key).ok_or_else(no_row)?;
        let title = tab_title(row.tab, issued.language);
        let at = book.grids.iter().position(|it| it.name == title).ok_or_else(no_row)?;
        let key_column = position_of(row.tab, Column::Row).ok_or_else(no_row)?;
        let column = position_of(row.tab, Column::Decision).ok_or_else(no_row)?;
        let mut rows = book.grids[at].rows.iter();
        let is_row = |cell: &crate::model::returned::ReturnedCell| cell.shown() == *key;
        let (line, _) = rows
            .find(|(_, it)| it.cells.get(&key_column.into()).is_some_and(is_row))
            .ok_or_else(no_row)?;
        let cell = format!("{}{}", letters_of(column.into()), line + 1);
        let part = format!("xl/worksheets/sheet{}.xml", at + 1);
        cells.entry(part).or_default().push((cell, word.shown(issued.language)));
    }
    let is_filled = |name: &str| cells.contains_key(name);
    rewrite_parts(bytes, is_filled, |name, text| {
        with_words(text, cells.get(name).map_or(&[], Vec::as_slice), name)
    })
}

/// The part with words in its empty cells; one pass, since the cells are put in the order they stand.
fn with_words(text: &str, cells: &[(String, &str)], part: &str) -> Result<String, FillError> {
    let mut places = Vec::new();
    for (cell, word) in cells {
        let not_empty = || FillError::NotEmpty { tab: part.to_owned(), cell: cell.clone() };
        let start = text.find(&format!("<c r=\"{cell}\"")).ok_or_else(not_empty)?;
        let length = text[start..].find("/>").ok_or_else(not_empty)?;
        let end = start + length;
        if text[start..end].contains('>') {
            return Err(not_empty());
        }
        places.push((start, end, *word));
    }
    places.sort_unstable();
    let (mut result, mut from) = (String::with_capacity(text.len()), 0);
    for (_, end, word) in places {
        result.push_str(&text[from..end]);
        result.push_str(&format!(" t=\"inlineStr\"><is><t>{word}</t></is></c>"));
        from = end + "/>".len();
    }
    result.push_str(&text[from..]);
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_cells_take_a_word_and_others_are_refused() {
        let text = r#"<row><c r="A2" s="9" t="s"><v>1</v></c><c r="H2" s="12"/><c r="H22"/></row>"#;
        let cells = [("H22".to_owned(), "退回"), ("H2".to_owned(), "核准")];
        assert_eq!(
            with_words(text, &cells, "Decide").unwrap(),
            r#"<row><c r="A2" s="9" t="s"><v>1</v></c><c r="H2" s="12" t="inlineStr"><is><t>核准</t></is></c><c r="H22" t="inlineStr"><is><t>退回</t></is></c></row>"#
        );
        let full = [("A2".to_owned(), "approve")];
        let error = with_words(text, &full, "Decide").unwrap_err().to_string();
        assert_eq!(error, "cell A2 on Decide is not empty");
        assert!(with_words(text, &[("H3".to_owned(), "approve")], "Decide").is_err());
    }
}
