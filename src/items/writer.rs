//! Writes the canonical text: blocks in, one self-describing text out, with the way back.
//!
//! The form is the contract of `text::outline`, which must recover every block written here from
//! the bytes alone. It adds marks and line breaks of layout, and never changes a character of the
//! page.

use crate::items::block::{Kind, Written};
use crate::items::grid::Grid;
use crate::items::label::article_label;
use crate::items::line::{Line, is_visible};
use crate::text::span::Span;

/// Lists nested deeper are written at this depth: no page means more, and indentation costs.
const DEEPEST_LIST: usize = 12;

/// How a list item is marked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// What a browser shows, with a space after it: `- `, `3. `.
    pub shown: String,
    /// True for the first item of its list.
    pub is_first: bool,
    /// False for `<dd>` and for items outside any list.
    pub is_of_list: bool,
}

/// A list item that is open.
#[derive(Debug)]
struct OpenItem {
    marker: String,
    is_first: bool,
    /// False for `<dd>` and for items outside any list.
    is_of_list: bool,
    state: ItemState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ItemState {
    /// Its marker has not been written.
    Waiting,
    /// Its marker stands in the text; more of it is indented this far.
    Marked { indent: usize },
    /// A heading stands in it: it arranges sections and is no list item.
    Flat,
}

impl ItemState {
    fn is_marked(self) -> bool {
        matches!(self, ItemState::Marked { .. })
    }
}

/// How one block is written.
#[derive(Clone, Copy, Debug)]
struct Form {
    kind: Kind,
    /// Spaces in front of its second and later lines.
    indent: usize,
    depth: usize,
}

/// The text under construction.
#[derive(Debug, Default)]
pub struct Writer {
    pub text: String,
    pub blocks: Vec<Written>,
    /// `[byte, element]`, rising.
    pub runs: Vec<[usize; 2]>,
    line: Line,
    heading: Option<u8>,
    items: Vec<OpenItem>,
    /// Open lists; true for one of which an item has been written.
    lists: Vec<bool>,
    a_list_has_ended: bool,
    last_was_in_list: bool,
    grid: Option<Grid>,
}

impl Writer {
    /// Adds text of element number `element` to the open block.
    pub fn push(&mut self, text: &str, element: usize) {
        self.open_line().push(text, element);
    }

    /// Adds preformatted text: its line ends are shown.
    pub fn push_preformatted(&mut self, text: &str, element: usize) {
        for (at, line) in text.split('\n').enumerate() {
            if at > 0 {
                self.break_line();
            }
            self.push(line, element);
        }
    }

    /// A `<br>`: two in a row end the paragraph.
    pub fn break_line(&mut self) {
        if self.heading.is_some() || self.is_in_cell() {
            self.open_line().space();
        } else if !self.line.is_empty() && self.line.break_line() > 1 {
            self.end_block();
        }
    }

    /// Room between two things on one line.
    pub fn space(&mut self) {
        self.open_line().space();
    }

    /// The border of raised or lowered text.
    pub fn part_digits(&mut self) {
        self.open_line().part_digits();
    }

    /// Ends the open block, if anything stands in it.
    pub fn end_block(&mut self) {
        if self.heading.is_some() || self.is_in_cell() {
            self.open_line().space();
        } else {
            self.flush();
        }
    }

    /// Starts a heading of `level` 1 to 6. A heading in a table cell is part of the cell.
    pub fn begin_heading(&mut self, level: u8) {
        self.end_block();
        if !self.is_in_cell() && self.heading.is_none() {
            self.heading = Some(level);
        }
    }

    /// Ends a heading.
    pub fn end_heading(&mut self) {
        if !self.is_in_cell() {
            self.flush();
            self.heading = None;
        }
        self.end_block();
    }

    /// Starts a list item whose marker a browser shows as `marker`.
    pub fn begin_item(&mut self, marker: Marker) {
        self.end_block();
        let Marker { shown, is_first, is_of_list } = marker;
        self.items.push(OpenItem {
            marker: shown,
            is_first,
            is_of_list,
            state: ItemState::Waiting,
        });
    }

    /// Ends a list item.
    pub fn end_item(&mut self) {
        self.end_block();
        self.items.pop();
    }

    /// Starts a list.
    pub fn begin_list(&mut self) {
        self.end_block();
        self.lists.push(false);
    }

    /// Ends a list.
    pub fn end_list(&mut self) {
        self.end_block();
        self.lists.pop();
        self.a_list_has_ended = true;
    }

    /// Starts a table of data.
    pub fn begin_table(&mut self) {
        self.end_block();
        self.grid = Some(Grid::default());
    }

    /// The open table, for rows and cells to be told.
    pub fn table(&mut self) -> Option<&mut Grid> {
        self.grid.as_mut()
    }

    /// Ends a table and writes its rows.
    pub fn end_table(&mut self) {
        let Some(grid) = self.grid.take() else { return };
        self.flush();
        let mut is_first = true;
        for (kind, cells) in grid.into_rows() {
            self.open_gap(if is_first { "\n\n" } else { "\n" });
            is_first = false;
            self.write_row(kind, &cells);
        }
        if !is_first {
            self.last_was_in_list = false;
        }
    }

    /// True where no table of data is open.
    pub fn table_is_closed(&self) -> bool {
        self.grid.is_none()
    }

    /// The length of what is written; an open block is not in it.
    pub fn written_len(&self) -> usize {
        self.text.len()
    }

    fn is_in_cell(&self) -> bool {
        self.grid.as_ref().is_some_and(|it| it.cell_is_open)
    }

    fn open_line(&mut self) -> &mut Line {
        match self.grid.as_mut().filter(|it| it.cell_is_open).and_then(Grid::open_cell) {
            Some(line) => line,
            None => &mut self.line,
        }
    }

    fn open_gap(&mut self, gap: &str) {
        if !self.text.is_empty() {
            self.text.push_str(gap);
        }
    }

    fn flush(&mut self) {
        let line = std::mem::take(&mut self.line);
        if self.heading.is_some() {
            return self.flush_block(&line);
        }
        // Laws that part their articles by line breaks alone are written article by article.
        for line in line.cut_where(|it| article_label(it, false).is_some()) {
            self.flush_block(&line);
        }
    }

    fn flush_block(&mut self, line: &Line) {
        if !is_visible(&line.text) {
            return;
        }
        match (self.heading, self.items.last().map(|it| it.state)) {
            (Some(level), _) => self.write_heading(line, level),
            (None, Some(ItemState::Waiting)) => self.write_item(line),
            (None, Some(ItemState::Marked { indent })) => self.write_paragraph(line, indent),
            (None, _) => self.write_paragraph(line, 0),
        }
        self.last_was_in_list =
            self.heading.is_none() && self.items.last().is_some_and(|it| it.state.is_marked());
        self.a_list_has_ended = false;
    }

    /// A heading inside a list ends it: what follows stands under the heading.
    fn write_heading(&mut self, line: &Line, level: u8) {
        for item in &mut self.items {
            item.state = ItemState::Flat;
        }
        self.lists.fill(false);
        let depth = usize::from(level);
        let marker = format!("{} ", "#".repeat(depth));
        self.open_gap("\n\n");
        self.write(line, &marker, Form { kind: Kind::Heading, indent: 0, depth });
    }

    fn write_paragraph(&mut self, line: &Line, indent: usize) {
        self.open_gap("\n\n");
        self.write(line, &" ".repeat(indent), Form { kind: Kind::Paragraph, indent, depth: 0 });
    }

    fn write_item(&mut self, line: &Line) {
        let outer = self.list_depth();
        let follows_text = matches!(self.last_kind(), Some(Kind::Paragraph | Kind::Item));
        let Some(item) = self.items.last_mut() else { return };
        // Directly under a paragraph stands the first item of a list that it leads in; a list that
        // begins after another, or goes on after other text, stands apart.
        let stands_apart = match item.is_first {
            true => self.a_list_has_ended && self.last_was_in_list,
            false => item.is_of_list && !self.last_was_in_list,
        };
        let marker = format!("{}{}", " ".repeat(2 * outer), item.marker);
        let indent = marker.chars().count();
        item.state = ItemState::Marked { indent };
        if let Some(has_items) = self.lists.last_mut() {
            *has_items = true;
        }
        self.open_gap(if follows_text && !stands_apart { "\n" } else { "\n\n" });
        self.write(line, &marker, Form { kind: Kind::Item, indent, depth: outer + 1 });
    }

    /// Lists around the open item of which something has been written. A list that stands directly
    /// in another, outside any item, is shown one level down all the same.
    fn list_depth(&self) -> usize {
        let items = self.items.iter().filter(|it| it.state.is_marked()).count();
        let around = self.lists.split_last().map_or(&[][..], |it| it.1);
        let lists = around.iter().filter(|it| **it).count();
        items.max(lists).min(DEEPEST_LIST)
    }

    fn last_kind(&self) -> Option<Kind> {
        self.blocks.last().map(|it| it.kind)
    }

    /// Writes one block.
    fn write(&mut self, line: &Line, marker: &str, form: Form) {
        let start = self.text.len();
        self.text.push_str(marker);
        let content = self.text.len();
        self.write_line(line, form.indent);
        let end = self.text.len();
        self.blocks.push(Written {
            kind: form.kind,
            span: Span::new(start, end),
            content: Span::new(content, end),
            depth: form.depth,
        });
    }

    fn write_line(&mut self, line: &Line, indent: usize) {
        let mut runs = line.runs.iter().copied().peekable();
        let mut read = 0;
        for (at, part) in line.text.split('\n').enumerate() {
            if at > 0 {
                self.text.push('\n');
                self.text.extend(std::iter::repeat_n(' ', indent));
                read += 1;
            }
            let shift = self.text.len();
            while let Some([from, element]) = runs.next_if(|it| it[0] <= read + part.len()) {
                self.note_run(shift + from.saturating_sub(read), element);
            }
            self.text.push_str(part);
            read += part.len();
        }
    }

    fn note_run(&mut self, at: usize, element: usize) {
        if self.runs.last().is_none_or(|it| it[1] != element) {
            self.runs.push([at, element]);
        }
    }

    fn write_row(&mut self, kind: Kind, cells: &[Line]) {
        let start = self.text.len();
        self.text.push('|');
        for cell in cells {
            self.text.push(' ');
            self.write_line(cell, 0);
            self.text.push_str(" |");
        }
        let end = self.text.len();
        let content = Span::new((start + 2).min(end), end.saturating_sub(2));
        self.blocks.push(Written { kind, span: Span::new(start, end), content, depth: 0 });
    }
}
