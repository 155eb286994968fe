//! What an error is planted in: a row that stands, at its place, among the others.

use rust_decimal::Decimal;

use crate::gate::page::PageText;
use crate::model::claim::{Claim, Value};
use crate::text::markers::marker::{Marker, markers_of_sentence};
use crate::text::numbers::number::read_numbers;
use crate::text::span::Span;

/// A row that the gate lets pass, with its surroundings.
#[derive(Clone, Copy)]
pub struct Soil<'a> {
    pub page: &'a PageText,
    /// All rows of the page; the snippets of those that stand are the page's own bytes.
    pub rows: &'a [Claim],
    /// Where they stand.
    pub places: &'a [Option<Span>],
    /// The row in hand.
    pub at: usize,
    /// Its place.
    pub span: Span,
}

/// A row with an error in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Plant {
    pub claim: Claim,
    /// What was changed, for the list of the missed.
    pub change: String,
    /// True where the changed row is still a true one: nothing is wrong with letting it pass.
    pub is_true: bool,
}

impl<'a> Soil<'a> {
    /// The row in hand.
    pub fn claim(&self) -> &'a Claim {
        &self.rows[self.at]
    }

    /// Its quote, in the page's bytes.
    pub fn quote(&self) -> &'a str {
        self.page.slice(self.span)
    }

    /// The sentences or the table row it stands in.
    pub fn sentences(&self) -> &'a [Span] {
        &self.page.sentences()[self.page.sentences_of(self.span)]
    }

    /// The markers of its sentences, in bytes of the page.
    pub fn markers(&self) -> Vec<Marker> {
        let text = self.page.text();
        self.sentences().iter().flat_map(|it| markers_of_sentence(text, *it)).collect()
    }

    /// True where the quote states the number in one of its numbers.
    pub fn states(&self, number: Decimal) -> bool {
        read_numbers(self.quote()).iter().any(|it| {
            it.value == number || it.others.contains(&number) || it.percent() == Some(number)
        })
    }

    /// True where another row quotes any of it.
    pub fn is_carried(&self, span: Span) -> bool {
        let others = self.places.iter().enumerate().filter(|(at, _)| *at != self.at);
        others.filter_map(|(_, it)| *it).any(|it| it.overlaps(span))
    }

    /// The row with another quote: the slice of the page at `span`, trimmed. `None` where too
    /// little of it is left to mean anything.
    pub fn requoted(&self, span: Span) -> Option<Claim> {
        let quote = trimmed(self.page.slice(span));
        let is_enough = quote.chars().filter(|it| it.is_alphanumeric()).count() >= 6;
        let mut claim = self.claim().clone();
        quote.clone_into(&mut claim.snippet);
        // A value in words follows its quote; else the words alone would give the cut away.
        if matches!(claim.value, Value::Text(_)) {
            claim.value = Value::Text(quote.to_owned());
        }
        is_enough.then_some(claim)
    }
}

/// Without white space and the punctuation of a cut.
pub fn trimmed(quote: &str) -> &str {
    quote.trim_matches(|it: char| it.is_whitespace() || ",.;:，。；：、".contains(it))
}

/// The stated number, where the value is one.
pub fn number_of(claim: &Claim) -> Option<Decimal> {
    match &claim.value {
        Value::Number(it) => Decimal::from_str_exact(&it.to_string()).ok(),
        _ => None,
    }
}

/// The same row with another number; integers stay integers.
pub fn with_number(claim: &Claim, number: Decimal) -> Option<Claim> {
    let value = serde_json::from_str::<serde_json::Number>(&number.normalize().to_string()).ok()?;
    Some(Claim { value: Value::Number(value), ..claim.clone() })
}
