//! How list items nest: by indentation first, then by the style and the count of their markers.
//!
//! Sees markers and indents alone, never the text of an item.

use crate::text::blocks::enumerator::{Enumerator, Style};

/// The open levels of a list.
#[derive(Default)]
pub struct ListStack {
    levels: Vec<Level>,
    /// True after a paragraph that does not belong to an item: only a list that goes on counting
    /// is taken up again.
    is_suspended: bool,
}

#[derive(Clone, Copy)]
struct Level {
    indent: usize,
    style: Style,
    ordinal: Option<u32>,
    /// The last item's block.
    item: usize,
    /// What the level's items hang on.
    parent: Option<usize>,
}

impl ListStack {
    /// Forgets the list: a heading or another border stands between.
    pub fn close(&mut self) {
        self.levels.clear();
        self.is_suspended = false;
    }

    /// Keeps the list only for an item that goes on counting.
    pub fn suspend(&mut self) {
        self.is_suspended = true;
    }

    /// The item that an indented paragraph belongs to.
    pub fn owner_of_indented(&self, indent: usize) -> Option<usize> {
        if self.is_suspended {
            return None;
        }
        self.levels.iter().rev().find(|it| indent >= it.indent + 2).map(|it| it.item)
    }

    /// Depth and parent of a new item whose block will be `block`.
    pub fn place(
        &mut self,
        indent: usize,
        found: Enumerator,
        lead: Option<usize>,
        block: usize,
    ) -> (usize, Option<usize>) {
        let (style, ordinal) = self.resolve(found);
        if self.is_suspended && !self.counts_on(style, ordinal) {
            self.levels.clear();
        }
        self.is_suspended = false;
        while self.levels.last().is_some_and(|it| it.indent > indent + 1) {
            self.levels.pop();
        }
        if let Some(at) = self.level_of(indent, style, ordinal) {
            self.levels.truncate(at + 1);
            let level = &mut self.levels[at];
            (level.ordinal, level.item) = (ordinal, block);
            return (at + 1, level.parent);
        }
        let parent = self.levels.last().map(|it| it.item).or(lead);
        self.levels.push(Level { indent, style, ordinal, item: block, parent });
        (self.levels.len(), parent)
    }

    /// `(i)` after `(h)` is a letter, after `(b)` or at first a Roman one.
    fn resolve(&self, found: Enumerator) -> (Style, Option<u32>) {
        let Some(other) = found.other else { return (found.style, found.ordinal) };
        let follows = |style: Style, ordinal: u32| {
            self.levels
                .iter()
                .any(|it| it.style == style && it.ordinal.is_some_and(|n| n + 1 == ordinal))
        };
        let first = found.ordinal.is_some_and(|it| follows(found.style, it));
        if !first && follows(other.0, other.1) {
            return (other.0, Some(other.1));
        }
        (found.style, found.ordinal)
    }

    fn counts_on(&self, style: Style, ordinal: Option<u32>) -> bool {
        let next = |it: &Level| it.ordinal.is_some_and(|n| ordinal == Some(n + 1));
        self.levels.iter().any(|it| it.style == style && next(it))
    }

    /// The open level that an item goes on, or `None` where it opens a deeper one.
    fn level_of(&self, indent: usize, style: Style, ordinal: Option<u32>) -> Option<usize> {
        let last = self.levels.last()?;
        if last.indent + 1 < indent {
            return None;
        }
        if let Some(at) =
            self.levels.iter().rposition(|it| it.style == style && it.indent.abs_diff(indent) < 2)
        {
            return Some(at);
        }
        let at_indent = self.levels.iter().rposition(|it| it.indent.abs_diff(indent) < 2)?;
        let starts = ordinal.is_none_or(|it| it == 1);
        if style.is_bullet() || starts {
            // A first number or another bullet under an item of another style: one level down,
            // unless the styles say the opposite.
            let outer = self.levels[at_indent].style;
            let deeper = style.rank() >= outer.rank() || !style.is_bullet() && outer.is_bullet();
            return if deeper || starts && !style.is_bullet() { None } else { Some(at_indent) };
        }
        let outer =
            self.levels[..=at_indent].iter().rposition(|it| it.style.rank() <= style.rank());
        Some(outer.unwrap_or(0))
    }
}
