//! Where a row stands: its quote on the page, the sentence around it, and what is read there.
//!
//! Everything a check of one row may look at, gathered once; it judges nothing itself.

use crate::gate::page::PageText;
use crate::gate::scope::Scope;
use crate::model::claim::Claim;
use crate::text::amounts::quantity::{Readings, read_all};
use crate::text::blocks::outline::{Block, BlockKind};
use crate::text::span::Span;

/// A row at its place.
pub struct Stand<'a> {
    pub page: &'a PageText,
    pub scope: &'a Scope<'a>,
    pub claim: &'a Claim,
    /// The quote, in bytes of the page.
    pub span: Span,
    /// Index of the block that the quote begins in.
    pub block: Option<usize>,
    /// The sentences or the table row around the quote, in bytes of the page.
    pub context: Span,
    /// The quote, in bytes of `context`.
    pub quote: Span,
    /// Numbers, quantities and dates of the context; their spans count from its start.
    pub readings: Readings,
}

/// More of a sentence than this on either side of the quote is not read: a sentence of a megabyte
/// is an attack or a broken page.
const MAX_AROUND: usize = 3_000;

impl<'a> Stand<'a> {
    /// Looks around the quote at `span`.
    pub fn new(page: &'a PageText, scope: &'a Scope<'a>, claim: &'a Claim, span: Span) -> Self {
        let context = context_of(page, span);
        Self {
            page,
            scope,
            claim,
            span,
            block: page.outline().block_at(span.start),
            context,
            quote: Span::new(span.start - context.start, span.end - context.start),
            readings: read_all(page.slice(context)),
        }
    }

    /// The sentences around the quote.
    pub fn context_text(&self) -> &'a str {
        self.page.slice(self.context)
    }

    /// The quote, in the page's bytes.
    pub fn quote_text(&self) -> &'a str {
        self.page.slice(self.span)
    }

    /// The part of the context before the quote.
    pub fn before(&self) -> &'a str {
        self.page.slice(Span::new(self.context.start, self.span.start))
    }

    /// The part of the context behind the quote.
    pub fn after(&self) -> &'a str {
        self.page.slice(Span::new(self.span.end, self.context.end))
    }

    /// The block that the quote begins in.
    pub fn own_block(&self) -> Option<&'a Block> {
        self.block.map(|it| &self.page.outline().blocks[it])
    }

    /// True where the quote stands in a row of a table.
    pub fn is_in_table(&self) -> bool {
        self.own_block().is_some_and(|it| it.kind == BlockKind::TableRow)
    }

    /// True where the quote holds the whole passage, given in bytes of the context.
    pub fn holds(&self, span: Span) -> bool {
        self.quote.contains(span)
    }

    /// Contents of the lead-ins and parents of the quote's list item, nearest first.
    pub fn lead_ins(&self) -> Vec<Span> {
        let outline = self.page.outline();
        let chain = self.block.map(|it| outline.lead_ins(it)).unwrap_or_default();
        chain.into_iter().map(|it| outline.blocks[it].content).collect()
    }

    /// The paragraph or the heading right above the quote's table.
    pub fn table_title(&self) -> Option<Span> {
        let outline = self.page.outline();
        let table = self.block.filter(|_| self.is_in_table()).map(|it| outline.table_of(it))?;
        let above = outline.blocks.get(table.start.checked_sub(1)?)?;
        matches!(above.kind, BlockKind::Paragraph | BlockKind::Heading).then_some(above.content)
    }

    /// Contents of the headings above the quote, outermost first.
    pub fn headings(&self) -> Vec<Span> {
        let outline = self.page.outline();
        let path = self.block.map(|it| outline.heading_path(it)).unwrap_or_default();
        path.into_iter().map(|it| outline.blocks[it].content).collect()
    }
}

/// The whole sentences that the quote takes part in, cut to a bounded length around it.
pub fn context_of(page: &PageText, span: Span) -> Span {
    let text = page.text();
    let sentences = page.sentences_of(span);
    let all = &page.sentences()[sentences];
    let start = all.first().map_or(span.start, |it| it.start.min(span.start));
    let end = all.last().map_or(span.end, |it| it.end.max(span.end));
    let mut start = start.max(span.start.saturating_sub(MAX_AROUND));
    let mut end = end.min(span.end + MAX_AROUND);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    Span::new(start, end)
}
