//! A tab of any spreadsheet as cells by place, with what is hidden or merged; never a meaning.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::returned::ReturnedCell;

/// One tab.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grid {
    pub name: String,
    pub is_hidden: bool,
    /// Row number from 0 -> row; only rows that hold something or are hidden.
    pub rows: BTreeMap<u32, GridRow>,
    pub hidden_columns: BTreeSet<u32>,
    pub merged: Vec<Area>,
    /// Remarks hung on cells: place, text.
    pub remarks: Vec<(String, String)>,
}

/// One row of a tab.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GridRow {
    pub is_hidden: bool,
    /// Column number from 0 -> cell; only cells that hold something.
    pub cells: BTreeMap<u32, ReturnedCell>,
}

/// A rectangle of cells, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    pub first: (u32, u32),
    pub last: (u32, u32),
}

impl Area {
    /// True where the cell lies in it.
    pub fn holds(self, row: u32, column: u32) -> bool {
        (self.first.0..=self.last.0).contains(&row)
            && (self.first.1..=self.last.1).contains(&column)
    }
}

impl Grid {
    /// Puts a cell in its place; blank cells take none.
    pub fn put(&mut self, (row, column): (u32, u32), cell: ReturnedCell) {
        if cell.content != crate::model::returned::CellContent::Empty || cell.formula.is_some() {
            self.rows.entry(row).or_default().cells.insert(column, cell);
        }
    }

    /// The cell at a place.
    pub fn cell(&self, row: u32, column: u32) -> Option<&ReturnedCell> {
        self.rows.get(&row)?.cells.get(&column)
    }
}

/// A workbook as read: its tabs, and what it says of itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Book {
    pub saved_by: String,
    /// Document properties of ours, by name.
    pub properties: BTreeMap<String, String>,
    pub grids: Vec<Grid>,
}

/// `B7` or `$B$7` as row and column from 0.
pub fn place_of(reference: &str) -> Option<(u32, u32)> {
    let reference = reference.replace('$', "");
    let letters = reference.chars().take_while(char::is_ascii_alphabetic).count();
    if !(1..=3).contains(&letters) {
        return None;
    }
    let (column, row) = reference.split_at(letters);
    let column = column
        .bytes()
        .fold(0_u32, |sum, it| sum * 26 + u32::from(it.to_ascii_uppercase() - b'A') + 1);
    let row: u32 = row.parse().ok()?;
    Some((row.checked_sub(1)?, column - 1))
}

/// `B7:C9` as an area; one cell is an area of one.
pub fn area_of(reference: &str) -> Option<Area> {
    let (first, last) = reference.split_once(':').unwrap_or((reference, reference));
    Some(Area { first: place_of(first)?, last: place_of(last)? })
}

/// The letters of a column number from 0.
pub fn letters_of(mut column: u32) -> String {
    let mut letters = Vec::new();
    loop {
        letters.push(char::from(b'A' + u8::try_from(column % 26).unwrap_or(0)));
        if column < 26 {
            break;
        }
        column = column / 26 - 1;
    }
    letters.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_and_places_are_the_same_thing() {
        for (text, place) in
            [("A1", (0, 0)), ("$AA$10", (9, 26)), ("XFD1048576", (1_048_575, 16_383))]
        {
            assert_eq!(place_of(text), Some(place));
            assert_eq!(
                letters_of(place.1),
                text.replace('$', "").trim_end_matches(char::is_numeric)
            );
        }
        assert_eq!(place_of("7B"), None);
        assert_eq!(place_of("A0"), None);
    }
}
