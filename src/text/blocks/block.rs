//! One block of a text as plain data: kind, place, nesting, cells.
//!
//! Blocks are made by `text::layout` and read through `text::outline`, which names these types too.
//! Nothing here reads a text.

use crate::text::span::Span;

/// One block of a text, in reading order. Blocks do not overlap and cover all visible text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What the block is.
    pub kind: BlockKind,
    /// The whole block with its marker (`# `, `- `, `一、`, `| `), without the line break at its end.
    pub span: Span,
    /// The block without its marker: what a quote may be taken from.
    pub content: Span,
    /// Nesting: heading level 1 to 6, list depth from 1, 0 for the rest.
    pub depth: usize,
    /// Index of the block this one hangs on: a list item's lead-in or parent item, a table row's
    /// header row, an indented paragraph's list item, otherwise the heading above it.
    pub parent: Option<usize>,
    /// Index of the nearest heading above, if any; for a heading, of the one that encloses it.
    pub heading: Option<usize>,
    /// For table rows: the content of each cell, in order, white space trimmed. Empty for the rest.
    pub cells: Vec<Span>,
}

/// The kinds of block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BlockKind {
    /// `# Title`, or a line that is only an article or chapter label (第 5-1 條, Article 12).
    Heading,
    /// Running text.
    Paragraph,
    /// `- text`, `1. text`, `(a) text`, `一、text`, `（一）text`, `１．text`, `①text`; in plain text
    /// also an unmarked line of a list that a line ending in a colon leads in.
    ListItem,
    /// `| a | b |` directly above a `| --- | --- |` line.
    TableHeader,
    /// `| a | b |`, or `a | b` beside another such line.
    TableRow,
    /// `| --- | --- |`, and drawn lines (`-----`): layout, never evidence.
    TableRule,
    /// `=== page A ===`: the border between documents in one text. Its content is `page A`.
    DocumentMark,
}

impl BlockKind {
    /// True for rows of a table that hold text.
    pub fn is_row(self) -> bool {
        matches!(self, BlockKind::TableHeader | BlockKind::TableRow)
    }
}
