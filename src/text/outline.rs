//! The block structure of a canonical text: headings, paragraphs, list items, table rows.
//!
//! Canonical text describes itself, so one reader serves pages we froze and files somebody hands to
//! the `gate` filter. It never changes a byte: every block is a range of the text.

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
    /// header row, otherwise the heading above it.
    pub parent: Option<usize>,
    /// Index of the nearest heading above, if any.
    pub heading: Option<usize>,
    /// For table rows: the content of each cell, in order, white space trimmed. Empty for the rest.
    pub cells: Vec<Span>,
}

/// The kinds of block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// `# Title`, or a line that is only an article or chapter label (第 5-1 條, Article 12).
    Heading,
    /// Running text.
    Paragraph,
    /// `- text`, `1. text`, `(a) text`, `一、text`, `（一）text`, `１．text`, `①text`.
    ListItem,
    /// `| a | b |` directly above a `| --- | --- |` line.
    TableHeader,
    /// `| a | b |`.
    TableRow,
    /// `| --- | --- |`: layout, never evidence.
    TableRule,
    /// `=== page A ===`: the border between documents in one text.
    DocumentMark,
}
