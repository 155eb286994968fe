//! A file that came back from the client, as read and before it is believed. Nothing here is decided.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::sheet::Column;
use crate::model::signing::SignFinding;

/// What kind of file came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileKind {
    Xlsx,
    Ods,
    Csv,
}

impl FileKind {
    /// The form used in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Xlsx => "xlsx",
            Self::Ods => "ods",
            Self::Csv => "csv",
        }
    }
}

/// Which sheet a file says it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileIdentity {
    pub format: String,
    pub project: String,
    pub run: String,
    pub file: String,
    pub language: String,
}

/// A returned file.
#[derive(Clone, Debug, PartialEq)]
pub struct ReturnedFile {
    /// SHA-256 of the file, in hex.
    pub digest: String,
    pub kind: FileKind,
    /// The program that saved it, as far as the file says.
    pub saved_by: String,
    /// From the document properties, else from the hidden tab; `None` where neither is left.
    pub identity: Option<FileIdentity>,
    /// Rows that carry a key or something the client may have written, in the order of the file.
    pub rows: Vec<ReturnedRow>,
    /// Cells that could be read beside a label of "Read me first".
    pub name: ReturnedCell,
    pub date: ReturnedCell,
    pub accepted_rows: ReturnedCell,
    /// What the file itself shows: hidden rows, merged cells, text outside of the columns.
    pub findings: Vec<SignFinding>,
}

/// One row of a table in a returned file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReturnedRow {
    /// Name of the tab as it is called now.
    pub tab: String,
    /// Row number as the client sees it, from 1.
    pub line: u32,
    pub is_hidden: bool,
    /// Columns whose header was found on the tab; a column may be there and its cell empty.
    pub columns: std::sync::Arc<Vec<Column>>,
    /// Columns of cells that lie in a merged area.
    pub merged: Vec<Column>,
    /// Cells that hold something.
    pub cells: BTreeMap<Column, ReturnedCell>,
}

impl ReturnedRow {
    /// The cell of a column; an empty one where the file holds nothing.
    pub fn cell(&self, column: Column) -> &ReturnedCell {
        static EMPTY: ReturnedCell = ReturnedCell { content: CellContent::Empty, formula: None };
        self.cells.get(&column).unwrap_or(&EMPTY)
    }

    /// True where the tab has the column.
    pub fn has(&self, column: Column) -> bool {
        self.columns.contains(&column)
    }
}

/// What one cell holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReturnedCell {
    pub content: CellContent,
    /// The formula behind the content, without its equals sign.
    pub formula: Option<String>,
}

/// The content of a cell, by the type the file gives it. Numbers are kept as they print.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CellContent {
    #[default]
    Empty,
    Text(String),
    Number(String),
    /// ISO date, with a time where the cell has one; the epoch of the file is taken into account.
    Date(String),
    Bool(bool),
    Error(String),
}

impl ReturnedCell {
    /// A plain text cell.
    pub fn text(text: impl Into<String>) -> Self {
        Self { content: CellContent::Text(text.into()), formula: None }
    }

    /// True where nothing, or only white space, is in the cell.
    pub fn is_blank(&self) -> bool {
        self.formula.is_none()
            && match &self.content {
                CellContent::Empty => true,
                CellContent::Text(text) => text.trim().is_empty(),
                _ => false,
            }
    }

    /// The content as a person sees it.
    pub fn shown(&self) -> String {
        match &self.content {
            CellContent::Empty => String::new(),
            CellContent::Text(it)
            | CellContent::Number(it)
            | CellContent::Date(it)
            | CellContent::Error(it) => it.clone(),
            CellContent::Bool(it) => it.to_string(),
        }
    }
}
