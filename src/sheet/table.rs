//! Finds the tables of a returned workbook by their headers and names what is not read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use unicode_normalization::UnicodeNormalization;

use crate::model::returned::{CellContent, ReturnedCell, ReturnedRow};
use crate::model::sheet::{Column, SheetLanguage, Tab};
use crate::model::signing::{SignCode, SignFinding};
use crate::sheet::columns::{ColumnSpec, DECISION_TABS, columns_of};
use crate::sheet::grid::{Book, Grid, GridRow, letters_of};
use crate::sheet::told::Told;
use crate::sheet::words::SignField;
use crate::text::glyphs::script::simplify;

/// Without these no decision can be read.
const NEEDED: [Column; 3] = [Column::Row, Column::Check, Column::Decision];
/// Most findings of one kind that a tab may add.
const MOST_NAMED: usize = 20;
/// Lines of a tab in which its headers are looked for to tell its language.
const MOST_HEAD_LINES: usize = 40;

/// True where the cells of a row are the header of a table to decide on.
pub fn is_header_row<'a>(cells: impl Iterator<Item = &'a str>) -> bool {
    let found: BTreeSet<Column> = cells.filter_map(column_titled).collect();
    NEEDED.iter().all(|it| found.contains(it))
}

/// Every row of every table, in the order of the file; what is not read is named in `language`. The
/// cells are taken out of the book: a sheet of ten thousand rows is held once.
pub fn read_tables(
    book: Book,
    language: SheetLanguage,
    findings: &mut Vec<SignFinding>,
) -> Vec<ReturnedRow> {
    let mut rows = Vec::new();
    for mut grid in book.grids {
        let header = header_of(&grid);
        let lines = if header.is_some() { std::mem::take(&mut grid.rows) } else { BTreeMap::new() };
        let naming = Naming { grid: &grid, language };
        match header {
            Some(header) => read_table(&naming, (&header, lines), &mut rows, findings),
            None => naming.unread_tab(findings),
        }
        for (place, text) in grid.remarks.iter().take(MOST_NAMED) {
            findings.push(naming.unread(place, Told::Remark(&shortened(text))));
        }
    }
    rows
}

/// The language that most of the known headers of a file are in; `None` where there are none.
pub fn header_language(book: &Book) -> Option<SheetLanguage> {
    let is_known = |language: SheetLanguage, text: &str| {
        DECISION_TABS.iter().flat_map(|&tab| columns_of(tab)).any(|it| it.title(language) == text)
    };
    let texts: Vec<&str> = book
        .grids
        .iter()
        .flat_map(|it| it.rows.values().take(MOST_HEAD_LINES))
        .flat_map(|it| it.cells.values())
        .filter_map(|it| match &it.content {
            CellContent::Text(text) => Some(text.trim()),
            _ => None,
        })
        .collect();
    let count = |language| texts.iter().filter(|it| is_known(language, it)).count();
    let [english, chinese] = SheetLanguage::ALL.map(count);
    match (english, chinese) {
        (0, 0) => None,
        _ if chinese > english => Some(SheetLanguage::Chinese),
        _ => Some(SheetLanguage::English),
    }
}

/// The column that a header names, in either language, on any tab that is decided on.
fn column_titled(text: &str) -> Option<Column> {
    /// No title is longer, in bytes; evidence need not be compared with titles.
    const LONGEST: usize = 64;
    let text = text.trim();
    if text.len() > LONGEST {
        return None;
    }
    let has_title = |it: &&ColumnSpec| it.title.iter().any(|t| t.eq_ignore_ascii_case(text));
    DECISION_TABS.iter().flat_map(|&tab| columns_of(tab)).find(has_title).map(|it| it.column)
}

/// A header row and the columns under it.
struct Header {
    row: u32,
    columns: BTreeMap<u32, Column>,
    /// Columns that are named more than once; none of them is read.
    twice: BTreeSet<Column>,
}

fn is_header(row: &GridRow) -> bool {
    is_header_row(row.cells.values().filter_map(|it| match &it.content {
        CellContent::Text(text) => Some(text.as_str()),
        _ => None,
    }))
}

/// The row that names most columns, if it names at least half of what every table has. Titles are
/// looked for as they were written; where none are found, and on the row that was found, a title may be
/// in another width or script, broken in two, or end in a colon: a header decides nothing.
fn header_of(grid: &Grid) -> Option<Header> {
    let exact = grid.rows.iter().filter_map(|it| header_in(it, column_titled));
    if let Some(best) = best_of(exact) {
        let row = grid.rows.get(&best.row)?;
        return header_in((&best.row, row), column_like).or(Some(best));
    }
    let first = grid.rows.iter().take(MOST_HEAD_LINES);
    best_of(first.filter_map(|it| header_in(it, column_like)))
}

/// The first of those that name most columns.
fn best_of(headers: impl Iterator<Item = Header>) -> Option<Header> {
    headers.reduce(|best, it| if best.columns.len() < it.columns.len() { it } else { best })
}

fn header_in(
    (&number, row): (&u32, &GridRow),
    named: impl Fn(&str) -> Option<Column>,
) -> Option<Header> {
    const LEAST: usize = 3;
    let mut columns = BTreeMap::new();
    let mut twice = BTreeSet::new();
    for (&at, cell) in &row.cells {
        let CellContent::Text(text) = &cell.content else { continue };
        if let Some(column) = named(text) {
            if columns.values().any(|&it| it == column) {
                twice.insert(column);
            }
            columns.insert(at, column);
        }
    }
    let needed = columns.values().filter(|it| NEEDED.contains(it)).count();
    (needed > 0 && columns.len() >= LEAST).then_some(Header { row: number, columns, twice })
}

/// The column that a header names in other looks.
fn column_like(text: &str) -> Option<Column> {
    let plain = plain_title(text);
    let is_it = |it: &&ColumnSpec| it.title.iter().any(|title| plain_title(title) == plain);
    let all = DECISION_TABS.iter().flat_map(|&tab| columns_of(tab));
    column_titled(text).or_else(|| all.clone().find(is_it).map(|it| it.column))
}

/// A title without its looks: width, script, case, white space and marks at its end.
fn plain_title(text: &str) -> String {
    /// No title is longer; a sentence need not be folded.
    const LONGEST: usize = 64;
    let folded: String = text.chars().take(LONGEST).nfkc().collect();
    let plain: String = folded
        .chars()
        .filter(|it| !it.is_whitespace() && !matches!(it, '\u{200b}'..='\u{200f}' | '\u{feff}'))
        .map(simplify)
        .flat_map(char::to_lowercase)
        .collect();
    plain.trim_end_matches([':', '*', '.', '。', '↑', '↓', '▲', '▼']).to_owned()
}

fn read_table(
    naming: &Naming,
    (header, lines): (&Header, BTreeMap<u32, GridRow>),
    rows: &mut Vec<ReturnedRow>,
    findings: &mut Vec<SignFinding>,
) {
    let (grid, language) = (naming.grid, naming.language);
    for &column in &header.twice {
        let text = Told::HeaderTwice.text(language);
        findings.push(
            SignFinding::of_file(SignCode::HeaderTwice, text)
                .at(&grid.name, header.row + 1)
                .on(&[column]),
        );
    }
    let usable: BTreeMap<u32, Column> = header
        .columns
        .iter()
        .filter(|(_, column)| !header.twice.contains(column))
        .map(|(&at, &column)| (at, column))
        .collect();
    let missing: Vec<Column> = NEEDED
        .into_iter()
        .filter(|it| !header.columns.values().any(|column| column == it))
        .collect();
    if !missing.is_empty() {
        let text = Told::HeaderMissing.text(language);
        findings.push(
            SignFinding::of_file(SignCode::HeaderMissing, text)
                .at(&grid.name, header.row + 1)
                .on(&missing),
        );
    }
    let columns = Arc::new(usable.values().copied().collect::<Vec<_>>());
    let mut unread_cells = Vec::new();
    let mut hidden = 0;
    for (number, row) in lines {
        hidden += usize::from(row.is_hidden && !row.cells.is_empty());
        if number == header.row || is_header(&row) {
            continue;
        }
        unread_cells.extend(
            row.cells
                .iter()
                .filter(|(at, cell)| !usable.contains_key(at) && !cell.is_blank())
                .map(|(&at, cell)| (format!("{}{}", letters_of(at), number + 1), cell.shown())),
        );
        let read = row_of(grid, (number, row), &usable, &columns);
        if says_something(&read) {
            rows.push(read);
        }
    }
    for (place, text) in unread_cells.iter().take(MOST_NAMED) {
        findings.push(naming.unread(place, Told::Unread(&shortened(text))));
    }
    if let Some(more) = unread_cells.len().checked_sub(MOST_NAMED).filter(|it| *it > 0) {
        let text = Told::MoreUnread(more).text(language);
        findings.push(SignFinding::of_file(SignCode::UnreadCell, text));
    }
    naming.hidden(hidden, &usable, findings);
}

fn row_of(
    grid: &Grid,
    (number, mut row): (u32, GridRow),
    usable: &BTreeMap<u32, Column>,
    columns: &Arc<Vec<Column>>,
) -> ReturnedRow {
    let mut cells = BTreeMap::new();
    let mut merged = Vec::new();
    for (&at, &column) in usable {
        if let Some(cell) = row.cells.remove(&at) {
            cells.insert(column, cell);
        }
        if !grid.merged.is_empty() && grid.merged.iter().any(|it| it.holds(number, at)) {
            merged.push(column);
        }
    }
    ReturnedRow {
        tab: grid.name.clone(),
        line: number + 1,
        is_hidden: row.is_hidden,
        columns: Arc::clone(columns),
        merged,
        cells,
    }
}

/// True for a row with a key, a token or anything in a cell the client may write in.
fn says_something(row: &ReturnedRow) -> bool {
    let is_open = |column: &Column| {
        matches!(
            column,
            Column::Row
                | Column::Check
                | Column::Decision
                | Column::CorrectedValue
                | Column::CorrectedQuote
                | Column::Note
        )
    };
    row.cells.iter().any(|(column, cell)| is_open(column) && !cell.is_blank())
}

/// Names what a tab shows beside its rows.
struct Naming<'a> {
    grid: &'a Grid,
    language: SheetLanguage,
}

impl Naming<'_> {
    /// `hidden` is the number of rows that hold something and are hidden.
    fn hidden(
        &self,
        hidden: usize,
        usable: &BTreeMap<u32, Column>,
        findings: &mut Vec<SignFinding>,
    ) {
        let grid = self.grid;
        if grid.is_hidden {
            let text = Told::TabHidden(&grid.name).text(self.language);
            findings.push(SignFinding::of_file(SignCode::RowsHidden, text));
        }
        if hidden > 0 {
            let text = Told::RowsHidden(hidden, &grid.name).text(self.language);
            findings.push(SignFinding::of_file(SignCode::RowsHidden, text));
        }
        let columns: Vec<Column> = usable
            .iter()
            .filter(|(at, _)| grid.hidden_columns.contains(at))
            .map(|(_, &column)| column)
            .filter(|it| matches!(it, Column::Says | Column::Extracted | Column::LastKnown))
            .collect();
        if !columns.is_empty() {
            let text = Told::EvidenceHidden(&grid.name).text(self.language);
            findings.push(SignFinding::of_file(SignCode::EvidenceHidden, text).on(&columns));
        }
    }

    /// A tab without a table to decide on: ours are known, anything else is named.
    fn unread_tab(&self, findings: &mut Vec<SignFinding>) {
        let texts: Vec<String> = self
            .grid
            .rows
            .values()
            .take(400)
            .flat_map(|row| row.cells.values())
            .map(ReturnedCell::shown)
            .filter(|it| !it.trim().is_empty())
            .collect();
        if texts.is_empty() || is_one_of_ours(&texts) {
            return;
        }
        let start: Vec<&str> = texts.iter().take(3).map(String::as_str).collect();
        findings.push(self.unread("", Told::Unread(&shortened(&start.join(" · ")))));
    }

    fn unread(&self, place: &str, told: Told) -> SignFinding {
        let mut finding = SignFinding::of_file(SignCode::UnreadCell, told.text(self.language));
        let tab = &self.grid.name;
        finding.place = if place.is_empty() { tab.clone() } else { format!("{tab}!{place}") };
        finding
    }
}

fn is_one_of_ours(texts: &[String]) -> bool {
    let has = |wanted: &str| texts.iter().any(|it| it.trim() == wanted);
    let is_identity = texts.iter().any(|it| it == "countersign.file");
    let is_read_me = SignField::Name.label().iter().any(|it| has(it));
    let is_reading_tab = [Tab::Changed, Tab::Examples].iter().any(|&tab| {
        SheetLanguage::ALL
            .iter()
            .any(|&it| columns_of(tab).iter().take(3).all(|c| has(c.title(it))))
    });
    is_identity || is_read_me || is_reading_tab
}

fn shortened(text: &str) -> String {
    text.chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_in_other_looks_names_its_column_and_another_word_does_not() {
        let of = |text: &str, column| assert_eq!(column_like(text), column, "{text}");
        for text in [
            "決定",
            "决定",
            "決定：",
            "決\n定",
            " 決　定 ",
            "DECISION",
            "Ｄｅｃｉｓｉｏｎ:",
            "Deci\u{200b}sion",
        ] {
            of(text, Some(Column::Decision));
        }
        of("更正后的值", Some(Column::CorrectedValue));
        of("What the  page says", Some(Column::Says));
        for text in ["決定人", "Decision date", "my decision", "Rows", ""] {
            of(text, None);
        }
    }
}
