//! The blocks of a canonical text as they were written, before anybody reads them back.
//!
//! A block is a place in the text; it never holds text of its own.

use crate::text::span::Span;

/// One block as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    pub kind: Kind,
    /// The whole block with its marker, without the line break at its end.
    pub span: Span,
    /// The block without its marker.
    pub content: Span,
    /// Heading level or list depth; 0 for the rest.
    pub depth: usize,
}

/// The kinds of block this writer knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Heading,
    Paragraph,
    Item,
    TableHeader,
    TableRow,
    TableRule,
}
