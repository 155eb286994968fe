//! The block structure of a canonical text: headings, paragraphs, list items, table rows.
//!
//! Canonical text describes itself, so one reader serves pages we froze and files somebody hands to
//! the `gate` filter. It never changes a byte: every block is a range of the text.

use std::ops::Range;

pub use crate::text::blocks::block::{Block, BlockKind};
use crate::text::blocks::layout::build_blocks;
use crate::text::blocks::line::read_lines;
use crate::text::span::Span;

/// The blocks of one text and what hangs on what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// In reading order, without overlap.
    pub blocks: Vec<Block>,
    /// Children of block `i`: `children[child_start[i]..child_start[i + 1]]`, in reading order.
    children: Vec<usize>,
    child_start: Vec<usize>,
    /// The document marks, in reading order.
    marks: Vec<usize>,
    /// The blocks of each table, in reading order.
    tables: Vec<Range<usize>>,
}

/// A cell of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellPlace {
    /// Index of the row's block.
    pub row: usize,
    /// Column from 0.
    pub column: usize,
    /// The cell's text.
    pub span: Span,
}

/// Reads the blocks of `text`, in linear time.
pub fn read_outline(text: &str) -> Outline {
    Outline::new(build_blocks(text, &read_lines(text)))
}

impl Outline {
    /// Indexes blocks that are in reading order.
    pub fn new(blocks: Vec<Block>) -> Self {
        let mut child_start = vec![0; blocks.len() + 1];
        for parent in blocks.iter().filter_map(|it| it.parent) {
            child_start[parent + 1] += 1;
        }
        for at in 1..child_start.len() {
            child_start[at] += child_start[at - 1];
        }
        let mut free = child_start.clone();
        let mut children = vec![0; child_start.last().copied().unwrap_or(0)];
        for (at, block) in blocks.iter().enumerate() {
            if let Some(parent) = block.parent {
                children[free[parent]] = at;
                free[parent] += 1;
            }
        }
        let is_mark = |it: &usize| blocks[*it].kind == BlockKind::DocumentMark;
        let marks = (0..blocks.len()).filter(is_mark).collect();
        let tables = tables_of(&blocks);
        Self { blocks, children, child_start, marks, tables }
    }

    /// The block that holds byte `byte`, in logarithmic time. `None` between blocks.
    pub fn block_at(&self, byte: usize) -> Option<usize> {
        let after = self.blocks.partition_point(|it| it.span.start <= byte);
        let at = after.checked_sub(1)?;
        (byte < self.blocks[at].span.end).then_some(at)
    }

    /// The blocks that share at least one byte with `span`, in logarithmic time.
    pub fn blocks_in(&self, span: Span) -> Range<usize> {
        let from = self.blocks.partition_point(|it| it.span.end <= span.start);
        let to = self.blocks.partition_point(|it| it.span.start < span.end);
        from..to.max(from)
    }

    /// The headings above a block, outermost first; a heading's own path ends above itself.
    pub fn heading_path(&self, block: usize) -> Vec<usize> {
        let mut path = Vec::new();
        let mut at = self.blocks.get(block).and_then(|it| it.heading);
        while let Some(heading) = at {
            path.push(heading);
            at = self.blocks[heading].heading;
        }
        path.reverse();
        path
    }

    /// What introduces the list that `item` is a member of: a paragraph, a parent item, a heading.
    pub fn lead_in(&self, item: usize) -> Option<usize> {
        let block = self.blocks.get(item)?;
        if block.kind == BlockKind::ListItem { block.parent } else { None }
    }

    /// The parent item's chain up to and with the paragraph or heading that leads the list in,
    /// innermost first. Empty for blocks that are no list items.
    pub fn lead_ins(&self, item: usize) -> Vec<usize> {
        let mut chain = Vec::new();
        let mut at = self.lead_in(item);
        while let Some(lead) = at {
            chain.push(lead);
            at = self.lead_in(lead);
        }
        chain
    }

    /// The blocks that hang on `block`, in reading order: the items of a list, the rows under a
    /// header row, the blocks under a heading.
    pub fn children(&self, block: usize) -> &[usize] {
        match (self.child_start.get(block), self.child_start.get(block + 1)) {
            (Some(&from), Some(&to)) => &self.children[from..to],
            _ => &[],
        }
    }

    /// The list items directly under `lead`, in reading order.
    pub fn members(&self, lead: usize) -> impl Iterator<Item = usize> + '_ {
        let is_item = |it: &usize| self.blocks[*it].kind == BlockKind::ListItem;
        self.children(lead).iter().copied().filter(is_item)
    }

    /// The items of the list that `item` stands in, itself included.
    pub fn siblings(&self, item: usize) -> Vec<usize> {
        match self.lead_in(item) {
            Some(lead) => self.members(lead).collect(),
            None => self.unled_siblings(item),
        }
    }

    /// Items of a list that nothing leads in: they stand directly after one another.
    fn unled_siblings(&self, item: usize) -> Vec<usize> {
        let is_item =
            |at: usize| self.blocks.get(at).is_some_and(|it| it.kind == BlockKind::ListItem);
        if !is_item(item) {
            return Vec::new();
        }
        let mut from = item;
        while from > 0 && is_item(from - 1) {
            from -= 1;
        }
        let depth = self.blocks[item].depth;
        (from..)
            .take_while(|&at| is_item(at))
            .filter(|&at| self.blocks[at].depth == depth)
            .collect()
    }

    /// The cells of the header row above a table row, where the table has one.
    pub fn header_cells(&self, row: usize) -> Option<&[Span]> {
        let block = self.blocks.get(row).filter(|it| it.kind == BlockKind::TableRow)?;
        let header = self.blocks.get(block.parent?)?;
        (header.kind == BlockKind::TableHeader).then_some(header.cells.as_slice())
    }

    /// The header cell above a cell.
    pub fn column_header(&self, cell: CellPlace) -> Option<Span> {
        self.header_cells(cell.row)?.get(cell.column).copied()
    }

    /// The first cell of a row: its label.
    pub fn row_label(&self, row: usize) -> Option<Span> {
        self.blocks.get(row).filter(|it| it.kind.is_row())?.cells.first().copied()
    }

    /// The cell that holds byte `byte`.
    pub fn cell_at(&self, byte: usize) -> Option<CellPlace> {
        let row = self.block_at(byte).filter(|it| self.blocks[*it].kind.is_row())?;
        let cells = &self.blocks[row].cells;
        let column = cells.partition_point(|it| it.end <= byte);
        let span = *cells.get(column)?;
        (span.start <= byte).then_some(CellPlace { row, column, span })
    }

    /// The rows of the table that `row` stands in, its header included.
    pub fn table_of(&self, row: usize) -> Range<usize> {
        let after = self.tables.partition_point(|it| it.start <= row);
        let table = after.checked_sub(1).map(|at| self.tables[at].clone());
        table.filter(|it| it.contains(&row)).unwrap_or(row..row)
    }

    /// The document mark above a block, in a text that holds several documents.
    pub fn document_mark(&self, block: usize) -> Option<usize> {
        let after = self.marks.partition_point(|&it| it <= block);
        after.checked_sub(1).map(|it| self.marks[it])
    }
}

/// Runs of rows and rules; a header row begins a table of its own.
fn tables_of(blocks: &[Block]) -> Vec<Range<usize>> {
    let mut tables: Vec<Range<usize>> = Vec::new();
    for (at, block) in blocks.iter().enumerate() {
        if !block.kind.is_row() && block.kind != BlockKind::TableRule {
            continue;
        }
        match tables.last_mut() {
            Some(last) if last.end == at && block.kind != BlockKind::TableHeader => last.end += 1,
            _ => tables.push(at..at + 1),
        }
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str, block: Option<usize>) -> &str {
        let outline = read_outline(text);
        block.map_or("", |it| outline.blocks[it].content.slice(text).unwrap())
    }

    #[test]
    fn blocks_are_found_by_their_bytes() {
        let text = "# 長者津貼\n\n申請人須年滿六十歲。\n\n- 單人\n- 夫婦\n";
        let outline = read_outline(text);
        let at = |needle: &str| outline.block_at(text.find(needle).unwrap());
        assert_eq!(said(text, at("年滿")), "申請人須年滿六十歲。");
        assert_eq!(said(text, at("夫婦")), "夫婦");
        assert_eq!(outline.block_at(text.len()), None);
        assert_eq!(outline.blocks_in(Span::new(0, text.len())), 0..4);
        assert_eq!(outline.blocks_in(Span::new(2, 5)), 0..1);
    }

    #[test]
    fn lead_ins_and_members_are_found_both_ways() {
        let text = "Any of these:\n\n- a\n  - b\n  - c\n- d\n";
        let outline = read_outline(text);
        assert_eq!(outline.members(0).collect::<Vec<_>>(), [1, 4]);
        assert_eq!(outline.lead_ins(3), [1, 0]);
        assert_eq!(outline.siblings(2), [2, 3]);
        assert_eq!(read_outline("- a\n- b\n").siblings(1), [0, 1]);
    }

    #[test]
    fn a_cell_knows_its_row_and_its_column() {
        let text = "| 家庭 | 金額 |\n| --- | --- |\n| 單人 | 4,250元 |\n";
        let outline = read_outline(text);
        let cell = outline.cell_at(text.find("4,250").unwrap()).unwrap();
        assert_eq!((cell.row, cell.column), (2, 1));
        assert_eq!(outline.column_header(cell).unwrap().slice(text), Some("金額"));
        assert_eq!(outline.row_label(cell.row).unwrap().slice(text), Some("單人"));
        assert_eq!(outline.table_of(2), 0..3);
    }

    #[test]
    fn headings_stand_under_headings() {
        let text = "# A\n\n## B\n\n### C\n\np\n\n## D\n\nq\n";
        let outline = read_outline(text);
        let path = |needle: &str| {
            let block = outline.block_at(text.find(needle).unwrap()).unwrap();
            let words = outline.heading_path(block).into_iter();
            words.map(|it| outline.blocks[it].content.slice(text).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(path("p"), ["A", "B", "C"]);
        assert_eq!(path("q"), ["A", "D"]);
        assert_eq!(path("D"), ["A"]);
    }
}
