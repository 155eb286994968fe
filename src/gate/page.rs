//! A page made ready for judging: read once, then asked as often as there are rows.
//!
//! It never changes the text; every place it gives is a range of it.

use std::collections::{BTreeMap, BTreeSet};

use crate::gate::checks::signs::{Signs, read_signs};
use crate::gate::docs::{Document, documents_of};
use crate::gate::places::index::TokenIndex;
use crate::gate::places::locate::{Place, find_quote};
use crate::gate::places::tongue::Script;
use crate::gate::places::words::stems_of;
use crate::gate::sentences::fate::read_fates;
use crate::gate::sentences::ledger::{Fate, Why};
use crate::model::row;
use crate::text::amounts::period::{WORDED_PERIODS, names_period};
use crate::text::blocks::note::{Note, read_notes};
use crate::text::blocks::numbered_note::read_numbered_notes;
use crate::text::blocks::outline::{BlockKind, Outline, read_outline};
use crate::text::sentence::read_sentences;
use crate::text::span::{CharMap, Span};

/// A canonical text with its index, its blocks and its character map.
#[derive(Clone, Debug)]
pub struct PageText {
    text: String,
    index: TokenIndex,
    outline: Outline,
    sentences: Vec<Span>,
    /// What each sentence is where no row uses it.
    fates: Vec<Fate>,
    chars: CharMap,
    signs: Signs,
    documents: Vec<Document>,
    notes: Vec<Note>,
    numbered_notes: BTreeMap<u32, Span>,
    headings: Headings,
    labels: Labels,
    /// Periods that it has no word for.
    silent_on: Vec<&'static str>,
}

/// The labels of table lines, by table and by the first of their words.
#[derive(Clone, Debug, Default)]
struct Labels {
    /// Of lines with the same words the first stands for all.
    by_word: BTreeMap<(usize, String), BTreeMap<BTreeSet<String>, usize>>,
}

/// A heading's words of substance, with its block.
pub type Heading = (BTreeSet<String>, usize);

/// The headings of a page by the first of their words.
#[derive(Clone, Debug, Default)]
struct Headings {
    by_word: BTreeMap<String, Vec<Heading>>,
    /// Each word -> the places in `all` of the headings that hold it.
    holding: BTreeMap<String, Vec<usize>>,
    all: Vec<Heading>,
}

impl PageText {
    /// Reads `text` once; the cost of each row afterwards does not grow with the page.
    pub fn index(text: &str) -> Self {
        let outline = read_outline(text);
        let index = TokenIndex::new(text);
        let sentences = read_sentences(text, &outline);
        Self {
            signs: read_signs(text, index.tokens().len(), &outline),
            documents: documents_of(text, &outline),
            notes: read_notes(text, &outline),
            numbered_notes: read_numbered_notes(text, &outline),
            index,
            fates: read_fates(text, &outline, &sentences),
            sentences,
            chars: CharMap::new(text),
            headings: heading_words(text, &outline),
            labels: label_words(text, &outline),
            silent_on: unnamed_periods(text),
            outline,
            text: text.to_owned(),
        }
    }

    /// The headings whose words are all among `words`, with their blocks.
    pub fn headings_within<'p>(
        &'p self,
        words: &'p BTreeSet<String>,
    ) -> impl Iterator<Item = &'p Heading> {
        let alike = words.iter().filter_map(|it| self.headings.by_word.get(it)).flatten();
        alike.filter(|it| it.0.is_subset(words))
    }

    /// The headings that hold all of `words`, with their blocks.
    pub fn headings_naming<'p>(
        &'p self,
        words: &'p BTreeSet<String>,
    ) -> impl Iterator<Item = &'p Heading> {
        let lists = words.iter().map(|it| self.headings.holding.get(it));
        let rarest = lists.min_by_key(|it| it.map_or(0, Vec::len)).flatten();
        let alike = rarest.into_iter().flatten().filter_map(|it| self.headings.all.get(*it));
        alike.filter(|it| words.is_subset(&it.0))
    }

    /// The lines of a table, by the block it begins with, whose label's words are all among `words`:
    /// how many words, and the line's block.
    pub fn lines_within(
        &self,
        table: usize,
        words: &BTreeSet<String>,
    ) -> impl Iterator<Item = (usize, usize)> {
        let alike =
            words.iter().filter_map(move |it| self.labels.by_word.get(&(table, it.clone())));
        let lines = alike.flatten().filter(|it| it.0.is_subset(words));
        lines.map(|(words, at)| (words.len(), *at))
    }

    /// The text itself.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its blocks.
    pub fn outline(&self) -> &Outline {
        &self.outline
    }

    /// Its sentences and table rows, in reading order.
    pub fn sentences(&self) -> &[Span] {
        &self.sentences
    }

    /// The sentences that a passage takes part in, as index range.
    pub fn sentences_of(&self, span: Span) -> std::ops::Range<usize> {
        let from = self.sentences.partition_point(|it| it.end <= span.start);
        let to = self.sentences.partition_point(|it| it.start < span.end);
        from..to.max(from)
    }

    /// What sentence `at` is where no row uses it.
    pub fn fate(&self, at: usize) -> Fate {
        let plain = Fate::NotACondition { why: Why::Plain };
        self.fates.get(at).cloned().unwrap_or(plain)
    }

    /// Its words.
    pub fn tokens(&self) -> &TokenIndex {
        &self.index
    }

    /// The script most of it is written in.
    pub fn script(&self) -> Script {
        self.signs.script
    }

    /// True where it has a word for the period: "month", "monthly", 月.
    pub fn names_period(&self, period: &str) -> bool {
        !self.silent_on.contains(&period)
    }

    /// Walls, errors and orders to machines, by their own words.
    pub fn signs(&self) -> &Signs {
        &self.signs
    }

    /// The documents in it, by their marks; empty for a text in one piece.
    pub fn documents(&self) -> &[Document] {
        &self.documents
    }

    /// Its footnotes.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Its notes that have no sign but a number, by that number.
    pub fn numbered_notes(&self) -> &BTreeMap<u32, Span> {
        &self.numbered_notes
    }

    /// Every place of a quote, in reading order.
    pub fn find(&self, quote: &str) -> Vec<Place> {
        find_quote(&self.text, &self.index, quote)
    }

    /// The slice at `span`; empty where the span is none of this text.
    pub fn slice(&self, span: Span) -> &str {
        span.slice(&self.text).unwrap_or_default()
    }

    /// A sentence in the page's language.
    pub fn pick(
        &self,
        english: impl FnOnce() -> String,
        chinese: impl FnOnce() -> String,
    ) -> String {
        if self.script() == Script::Han { chinese() } else { english() }
    }

    /// A byte range in both countings.
    pub fn place(&self, span: Span) -> row::Place {
        row::Place { bytes: span, chars: self.chars.char_span(&self.text, span) }
    }
}

fn unnamed_periods(text: &str) -> Vec<&'static str> {
    let low = text.to_ascii_lowercase();
    WORDED_PERIODS.iter().map(|it| it.0).filter(|it| !names_period(&low, it)).collect()
}

/// More headings or lines that begin with one word than this are not told apart.
const MAX_ALIKE: usize = 400;

fn heading_words(text: &str, outline: &Outline) -> Headings {
    let mut headings = Headings::default();
    let blocks = outline.blocks.iter().enumerate();
    for (at, block) in blocks.filter(|it| it.1.kind == BlockKind::Heading) {
        if 400 <= block.content.len() {
            continue;
        }
        let words = stems_of(block.content.slice(text).unwrap_or_default());
        let Some(first) = words.first().cloned() else { continue };
        for word in &words {
            let places = headings.holding.entry(word.clone()).or_default();
            if places.len() < MAX_ALIKE {
                places.push(headings.all.len());
            }
        }
        headings.all.push((words.clone(), at));
        let alike = headings.by_word.entry(first).or_default();
        if alike.len() < MAX_ALIKE {
            alike.push((words, at));
        }
    }
    headings
}

fn label_words(text: &str, outline: &Outline) -> Labels {
    let mut labels = Labels::default();
    let mut table = 0..0;
    let blocks = outline.blocks.iter().enumerate();
    for (at, _) in blocks.filter(|it| it.1.kind == BlockKind::TableRow) {
        if !table.contains(&at) {
            table = outline.table_of(at);
        }
        let label = outline.row_label(at).filter(|it| it.len() < 400);
        let words = label.and_then(|it| it.slice(text)).map(stems_of).unwrap_or_default();
        let Some(first) = words.first().cloned() else { continue };
        let alike = labels.by_word.entry((table.start, first)).or_default();
        if alike.len() < MAX_ALIKE {
            alike.entry(words).or_insert(at);
        }
    }
    labels
}
