//! A table of data as rows of cells.
//!
//! A cell that spans rows is written again in each of them, so that a row can be read alone; a cell
//! that spans columns is written once, and the columns it covers stay empty, so that later cells
//! keep their column. Nothing is ever written into a cell that the page has not there. Repeats and
//! empty columns are bounded by the size of the table itself, so that a lying `rowspan` costs
//! nothing.

use std::ops::Range;

use crate::items::block::Kind;
use crate::items::line::{Line, is_visible};

/// A table under construction.
#[derive(Debug, Default)]
pub struct Grid {
    rows: Vec<GridRow>,
    groups: usize,
    /// True between the start and the end of a cell.
    pub cell_is_open: bool,
}

#[derive(Debug, Default)]
struct GridRow {
    cells: Vec<GridCell>,
    is_in_head: bool,
    group: usize,
}

#[derive(Debug)]
struct GridCell {
    line: Line,
    shape: CellShape,
}

/// What the attributes of a cell say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellShape {
    pub is_header: bool,
    /// A header cell that says it heads its row.
    pub heads_its_row: bool,
    pub columns: usize,
    pub rows: usize,
}

/// A cell that reaches into later rows.
#[derive(Clone, Copy, Debug)]
struct Reach {
    row: usize,
    cell: usize,
    is_first_column: bool,
    rows_left: usize,
}

impl Grid {
    /// Starts a row.
    pub fn begin_row(&mut self, is_in_head: bool) {
        self.rows.push(GridRow { cells: Vec::new(), is_in_head, group: self.groups });
    }

    /// The border of a row group: no cell reaches over it.
    pub fn part_groups(&mut self) {
        self.groups += 1;
    }

    /// Starts a cell of the last row.
    pub fn begin_cell(&mut self, shape: CellShape) {
        if self.rows.is_empty() {
            self.begin_row(false);
        }
        if let Some(row) = self.rows.last_mut() {
            row.cells.push(GridCell { line: Line::default(), shape });
            self.cell_is_open = true;
        }
    }

    /// Ends the open cell.
    pub fn end_cell(&mut self) {
        self.cell_is_open = false;
    }

    /// The text of the open cell.
    pub fn open_cell(&mut self) -> Option<&mut Line> {
        Some(&mut self.rows.last_mut()?.cells.last_mut()?.line)
    }

    /// The rows to be written, header rows followed by their rule.
    pub fn into_rows(self) -> Vec<(Kind, Vec<Line>)> {
        let most = self.rows.iter().map(|it| it.cells.len()).max().unwrap_or_default();
        let n_cells: usize = self.rows.iter().map(|it| it.cells.len()).sum();
        let n_bytes: usize =
            self.rows.iter().flat_map(|it| &it.cells).map(|it| it.line.text.len()).sum();
        let mut down = Down {
            reaches: Vec::new(),
            most_columns: most.max(1),
            cells_left: 8 * n_cells + 64,
            bytes_left: 2 * n_bytes + 4096,
        };
        let mut out: Vec<(Kind, Vec<Line>)> = Vec::new();
        let mut group = 0;
        for (at, row) in self.rows.iter().enumerate() {
            if row.group != group {
                group = row.group;
                down.reaches.clear();
            }
            let cells = self.place(at, &mut down);
            if !cells.iter().any(|it| is_visible(&it.text)) {
                continue;
            }
            let kind = if is_header_row(row) { Kind::TableHeader } else { Kind::TableRow };
            if kind == Kind::TableRow {
                close_header(&mut out);
            }
            out.push((kind, cells));
        }
        close_header(&mut out);
        out
    }

    /// The cells of row `at` by column.
    fn place(&self, at: usize, down: &mut Down) -> Vec<Line> {
        let row = &self.rows[at];
        let mut out = Vec::with_capacity(row.cells.len());
        for (index, cell) in row.cells.iter().enumerate() {
            self.carry(&mut out, down, false);
            let first = out.len();
            out.push(cell.line.clone());
            for _ in 1..cell.shape.columns.clamp(1, down.most_columns) {
                if down.reaches.get(out.len()).is_some_and(Option::is_some) || !down.take_cell() {
                    break;
                }
                out.push(Line::default());
            }
            if cell.shape.rows > 1 {
                down.reach_on(first..out.len(), (at, index), cell.shape.rows - 1);
            }
        }
        while down.reaches.last().is_some_and(Option::is_none) {
            down.reaches.pop();
        }
        self.carry(&mut out, down, true);
        out
    }

    /// Writes again what reaches into this row from above, from the next column on. After the last
    /// cell of the row, empty columns in between are written too.
    fn carry(&self, out: &mut Vec<Line>, down: &mut Down, is_last: bool) {
        while let Some(slot) = down.reaches.get(out.len()).copied() {
            if slot.is_none() && !is_last {
                return;
            }
            if !down.take_cell() {
                down.reaches.clear();
                return;
            }
            let Some(reach) = slot else {
                out.push(Line::default());
                continue;
            };
            let line = &self.rows[reach.row].cells[reach.cell].line;
            let again = reach.is_first_column && down.take_bytes(line.text.len());
            down.reaches[out.len()] =
                (reach.rows_left > 1).then(|| Reach { rows_left: reach.rows_left - 1, ..reach });
            out.push(if again { line.clone() } else { Line::default() });
        }
    }
}

/// What reaches down into later rows, and how much may still be repeated.
#[derive(Debug)]
struct Down {
    reaches: Vec<Option<Reach>>,
    most_columns: usize,
    cells_left: usize,
    bytes_left: usize,
}

impl Down {
    fn reach_on(&mut self, columns: Range<usize>, (row, cell): (usize, usize), rows_left: usize) {
        self.reaches.resize(self.reaches.len().max(columns.end), None);
        for column in columns.clone() {
            let is_first_column = column == columns.start;
            self.reaches[column] = Some(Reach { row, cell, is_first_column, rows_left });
        }
    }

    fn take_cell(&mut self) -> bool {
        let has_one = self.cells_left > 0;
        self.cells_left = self.cells_left.saturating_sub(1);
        has_one
    }

    fn take_bytes(&mut self, n: usize) -> bool {
        let has_them = n <= self.bytes_left;
        if has_them {
            self.bytes_left -= n;
        }
        has_them
    }
}

/// Header cells only (or empty ones), at least two columns, and not a row with its own header.
fn is_header_row(row: &GridRow) -> bool {
    if row.is_in_head {
        return true;
    }
    let seen = |it: &GridCell| is_visible(&it.line.text);
    row.cells.len() > 1
        && row.cells.iter().all(|it| it.shape.is_header || !seen(it))
        && row.cells.iter().any(|it| it.shape.is_header && !it.shape.heads_its_row && seen(it))
}

/// Puts the rule under the header rows at the end of `out`. Only the last of them is the header;
/// those above it are rows.
fn close_header(out: &mut Vec<(Kind, Vec<Line>)>) {
    let Some((Kind::TableHeader, header)) = out.last() else { return };
    let dash = || {
        let mut line = Line::default();
        line.text.push_str("---");
        line
    };
    let rule = header.iter().map(|_| dash()).collect();
    let mut above = out.len() - 1;
    while above > 0 && out[above - 1].0 == Kind::TableHeader {
        above -= 1;
        out[above].0 = Kind::TableRow;
    }
    out.push((Kind::TableRule, rule));
}
