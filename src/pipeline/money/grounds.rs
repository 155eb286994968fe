//! What an estimate rests on: the work that is open, who would do it, prices and what was measured.

use crate::llm::price::PriceTable;
use crate::pipeline::money::measured::History;

/// What is known of one item before it is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ItemSize {
    /// Tokens of the whole extraction ask, instructions and schema included.
    pub extract_tokens: u64,
    /// Tokens of the review ask without rows.
    pub review_tokens: u64,
    /// Tokens of the item's own text.
    pub text_tokens: u64,
    /// How far it is by what is on record.
    pub standing: ItemStanding,
}

/// What an item waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ItemStanding {
    /// Its first extraction ask.
    #[default]
    Open,
    /// Its second extraction ask.
    Again,
    /// A review ask.
    Review,
    /// Nothing: all its asks are answered.
    Done,
}

/// The items of one source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceWork {
    pub source: String,
    /// Tokens of what is equal in all extraction asks, and in all review asks.
    pub unchanging: [u64; 2],
    pub items: Vec<ItemSize>,
}

/// Who would be asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReaderCost<'a> {
    /// `rules`, `files` or a model's name.
    pub model: &'a str,
    /// Calls in flight.
    pub concurrency: usize,
    /// True where thinking is asked for.
    pub thinks: bool,
    /// True where the tokens are counted with the provider's own tokeniser.
    pub counts_exactly: bool,
    /// Its asks are handed in as batches.
    pub in_batches: bool,
}

/// What an estimate rests on.
#[derive(Clone, Copy, Debug)]
pub struct Grounds<'a> {
    pub extractor: &'a ReaderCost<'a>,
    pub reviewer: &'a ReaderCost<'a>,
    pub prices: &'a PriceTable,
    pub history: &'a History,
}
