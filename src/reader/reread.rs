//! The text of an ask as the reviewer sees it: sentences in order, and what the rows quote of them.
//!
//! Holds no opinion; what speaks against a row is for `objection`.

use std::collections::BTreeMap;

use crate::model::claim::Claim;
use crate::reader::lists::Lists;
use crate::text::blocks::outline::{Outline, read_outline};
use crate::text::glyphs::letter::is_han;
use crate::text::sentence::{provisos_of, read_sentences};
use crate::text::span::Span;

/// The text as the reviewer sees it: sentences in order, table rows and headings among them.
pub struct Reread<'a> {
    pub text: &'a str,
    /// Title and headings of the item, one a line.
    pub above: String,
    pub outline: Outline,
    pub lists: Lists,
    pub sentences: Vec<Span>,
}

impl<'a> Reread<'a> {
    /// Reads the text of an item that stands under these headings.
    pub fn new(text: &'a str, page_title: &str, heading_path: &[String]) -> Self {
        let outline = read_outline(text);
        let sentences = read_sentences(text, &outline);
        let lists = Lists::new(text, &outline);
        let above = std::iter::once(page_title).chain(heading_path.iter().map(String::as_str));
        let above = above.collect::<Vec<_>>().join("\n");
        Self { text, above, outline, lists, sentences }
    }

    /// True where text, title or headings have at least one of the words of `name`. Names too short to
    /// tell are taken to be spoken of.
    pub fn speaks_of(&self, name: &str) -> bool {
        let keys = keys_of(name);
        let enough = if name.chars().any(is_han) { 2 } else { 1 };
        keys.len() < enough || {
            let (own, above) = (self.text.to_lowercase(), self.above.to_lowercase());
            keys.iter().any(|it| own.contains(it) || above.contains(it))
        }
    }

    /// True where at least half of the words of `value` stand in `span`, in the title or in the headings.
    /// Words too short to tell are taken to stand there.
    pub fn says(&self, span: Span, value: &str) -> bool {
        let keys = keys_of(value);
        let (own, above) = (self.words(span).to_lowercase(), self.above.to_lowercase());
        let there = keys.iter().filter(|it| own.contains(*it) || above.contains(*it)).count();
        keys.len() < 2 || there * 2 >= keys.len()
    }

    /// The sentences that a quote touches, by index.
    pub fn touched(&self, quote: Span) -> std::ops::Range<usize> {
        let from = self.sentences.partition_point(|it| it.end <= quote.start);
        let to = self.sentences.partition_point(|it| it.start < quote.end);
        from..to.max(from)
    }

    /// The words of a span.
    pub fn words(&self, span: Span) -> &'a str {
        span.slice(self.text).unwrap_or_default()
    }

    /// The whole sentences around a quote, with what takes something back behind them.
    pub fn sentence_around(&self, quote: Span) -> Span {
        let touched = self.touched(quote);
        let Some(last) = touched.end.checked_sub(1).filter(|it| *it >= touched.start) else {
            return quote;
        };
        let start = self.sentences[touched.start].start.min(quote.start);
        let provisos = provisos_of(self.text, &self.sentences, last);
        let own = self.sentences[last].end.max(quote.end);
        let same_line = |it: &Span| !self.words(Span::new(own, it.start)).contains('\n');
        let end = provisos.iter().take_while(|it| same_line(it)).last().map_or(own, |it| it.end);
        Span::new(start, end.max(own))
    }
}

/// What a name is known by: the beginnings of its longer words, each pair of its Chinese characters.
fn keys_of(name: &str) -> Vec<String> {
    const BEGINNING: usize = 5;
    let name = name.to_lowercase();
    let mut keys: Vec<String> = name
        .split(|it: char| !it.is_alphabetic() || is_han(it))
        .filter(|it| it.chars().count() > 3)
        .map(|it| it.chars().take(BEGINNING).collect())
        .collect();
    let chars: Vec<char> = name.chars().collect();
    let pairs = chars.windows(2).filter(|it| it.iter().all(|it| is_han(*it)));
    keys.extend(pairs.map(|it| it.iter().collect::<String>()));
    keys
}

/// A row with the place of its quote.
#[derive(Clone, Copy)]
pub struct Placed<'a> {
    pub row: &'a Claim,
    pub quote: Span,
}

/// What the rows of a reply quote, taken together.
pub struct Quoted {
    /// In order, without overlap.
    spans: Vec<Span>,
    /// One for each row.
    quotes: Vec<Span>,
    /// Group -> from its first quote to its last.
    groups: BTreeMap<String, Span>,
}

impl Quoted {
    /// Gathers the quotes of rows.
    pub fn new(placed: &[Placed<'_>]) -> Self {
        let mut spans: Vec<Span> = placed.iter().map(|it| it.quote).collect();
        spans.sort_unstable();
        let quotes = spans.clone();
        let mut groups: BTreeMap<String, Span> = BTreeMap::new();
        for it in placed {
            if let Some(group) = &it.row.group {
                let whole = groups.entry(group.clone()).or_insert(it.quote);
                *whole = Span::new(whole.start.min(it.quote.start), whole.end.max(it.quote.end));
            }
        }
        Self { spans: merge(&spans), quotes, groups }
    }

    /// True where a row quotes at least a part of the span.
    pub fn touches(&self, span: Span) -> bool {
        let at = self.spans.partition_point(|it| it.end <= span.start);
        self.spans.get(at).is_some_and(|it| it.overlaps(span))
    }

    /// True where rows quote all of the span.
    pub fn covers(&self, span: Span) -> bool {
        let at = self.spans.partition_point(|it| it.end < span.end);
        self.spans.get(at).is_some_and(|it| it.contains(span))
    }

    /// True where rows quote all of the span, one of them without quoting `own` as well: a row that says
    /// everything does not stand in for one that says half.
    pub fn covers_apart_from(&self, span: Span, own: Span) -> bool {
        let is_apart = |it: &&Span| it.overlaps(span) && (!it.contains(own) || **it == own);
        self.covers(span) && self.quotes.iter().any(|it| is_apart(&it))
    }

    /// From the first quote of a group to its last.
    pub fn extent(&self, group: &str) -> Option<Span> {
        self.groups.get(group).copied()
    }
}

/// Overlapping spans made one; `spans` is in order.
fn merge(spans: &[Span]) -> Vec<Span> {
    let mut merged: Vec<Span> = Vec::new();
    for &span in spans {
        match merged.last_mut().filter(|it| span.start <= it.end) {
            Some(last) => last.end = last.end.max(span.end),
            None => merged.push(span),
        }
    }
    merged
}
