//! A canonical text about to be cut, and one piece of it before it has a name of its own.
//!
//! A piece counts in blocks, so that no cut can go through one.

use crate::items::block::{Kind, Written};
use crate::items::fingerprint::fingerprint;
use crate::items::key::Keys;
use crate::items::label::without_number;
use crate::model::item::Item;
use crate::text::span::Span;

/// Characters of a heading that a heading path holds: every item repeats the headings above it.
pub const LONGEST_HEADING: usize = 300;

/// A canonical text with its blocks.
#[derive(Clone, Copy, Debug)]
pub struct Cuttable<'a> {
    pub text: &'a str,
    pub blocks: &'a [Written],
    pub title: &'a str,
}

/// An item before it has its own name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub key: String,
    pub heading_path: Vec<String>,
    /// Blocks `from..to`, headings above it that nobody else holds included.
    pub from: usize,
    pub to: usize,
    /// The block its own words begin in; its own heading counts.
    pub own: usize,
    /// Bytes at the start of that block's content that are only its number.
    pub label_len: usize,
}

impl<'a> Cuttable<'a> {
    /// The words of block `at` without its marker.
    pub fn content(&self, at: usize) -> &'a str {
        self.blocks.get(at).and_then(|it| it.content.slice(self.text)).unwrap_or_default()
    }

    /// The words of heading `at` as they stand in a heading path, cut where no heading is that long.
    pub fn heading_words(&self, at: usize) -> String {
        self.content(at).chars().take(LONGEST_HEADING).collect()
    }

    /// The heading that is the page's title: the only one of level 1, with no heading above it.
    pub fn title_block(&self) -> Option<usize> {
        let mut headings = (0..self.blocks.len()).filter(|&it| self.is_heading(it));
        let first = headings.next()?;
        let is_top = |it: usize| self.blocks[it].depth == 1;
        (is_top(first) && !headings.any(is_top)).then_some(first)
    }

    /// True where block `at` is a heading.
    pub fn is_heading(&self, at: usize) -> bool {
        self.blocks.get(at).is_some_and(|it| it.kind == Kind::Heading)
    }

    /// The item that `piece` becomes, under a name of its own.
    pub fn item(&self, piece: Piece, keys: &mut Keys) -> Option<Item> {
        let first = self.blocks.get(piece.from)?;
        let last = self.blocks.get(..piece.to)?.last().filter(|_| piece.from < piece.to)?;
        let span = Span::new(first.span.start, last.span.end);
        let own = self.blocks.get(piece.own)?;
        let mut words = self.content(piece.own);
        words = words.get(piece.label_len..).unwrap_or(words);
        if own.kind == Kind::Heading {
            words = without_number(words);
        }
        let rest = Span::new(own.span.end, span.end).slice(self.text).unwrap_or_default();
        Some(Item {
            key: keys.name(piece.key),
            heading_path: piece.heading_path,
            span,
            fingerprint: fingerprint(&format!("{words}\n{rest}")),
        })
    }
}
