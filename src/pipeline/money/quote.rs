//! A quote: an estimate under a name, for whoever pays to accept before anything is spent.
//!
//! Its id is made from its content, so a quote that was changed is no longer the one that was
//! accepted. It is kept under `review/quotes/`.

use std::path::Path;

use rust_decimal::Decimal;
use rust_xlsxwriter::XlsxError;
use serde::{Deserialize, Serialize};

use crate::ask::canonical::{canonical_json, hex_sha256};
use crate::model::run::Range;
use crate::pipeline::money::estimate::{Estimate, Three};
use crate::pipeline::written::{WriteError, write_checked};

/// What is offered: how much work, at what price, under which assumptions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quote {
    /// `q-` and twelve digits; not a part of what it is made from.
    #[serde(default)]
    pub id: String,
    /// The project's name for people; may be empty.
    pub project: String,
    /// Day of issue, UTC.
    pub issued: String,
    pub sources: Vec<String>,
    /// Who reads and who reviews.
    pub readers: [String; 2],
    pub items: u64,
    pub answered: u64,
    pub asks: [u64; 3],
    pub tokens_in: [u64; 3],
    pub tokens_out: [u64; 3],
    pub currency: String,
    pub money: [String; 3],
    /// The same asks in batches, where that has a price of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch_money: Option<[String; 3]>,
    /// The parts: source, step, price low / expected / high.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<QuotePart>,
    pub assumptions: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions_zh: Vec<String>,
}

/// One part of the price.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuotePart {
    pub source: String,
    /// `extract` or `review`.
    pub step: String,
    pub asks: [u64; 3],
    pub money: [String; 3],
}

/// What a quote is made of beside the estimate.
#[derive(Clone, Copy, Debug)]
pub struct QuoteFor<'a> {
    pub project: &'a str,
    pub issued: &'a str,
    pub sources: &'a [String],
    pub readers: [&'a str; 2],
}

/// A quote that cannot be relied on or written.
#[derive(Debug, thiserror::Error)]
pub enum QuoteError {
    #[error(
        "there is no quote {id} in this project; make one with `countersign estimate --quote FILE`"
    )]
    Unknown { id: String },
    #[error("{file}: the quote was changed after it was issued; make a new one")]
    Changed { file: String },
    #[error(
        "quote {id} is not for this run: {what}; make a new one with `countersign estimate --quote FILE`"
    )]
    Other { id: String, what: String },
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("the quote cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error("the quote cannot be written as a workbook: {0}")]
    Workbook(#[from] XlsxError),
}

impl Quote {
    /// # Errors
    /// When it cannot be written as JSON, which no text makes happen.
    pub fn new(estimate: &Estimate, of: QuoteFor<'_>) -> Result<Self, QuoteError> {
        let three = |it: Three| [it.low, it.expected, it.high];
        let amounts = |it: &Range| [it.low.clone(), it.expected.clone(), it.high.clone()];
        let mut quote = Self {
            id: String::new(),
            project: of.project.to_owned(),
            issued: of.issued.to_owned(),
            sources: of.sources.to_vec(),
            readers: of.readers.map(str::to_owned),
            items: estimate.items,
            answered: estimate.answered,
            asks: three(estimate.asks),
            tokens_in: three(estimate.tokens_in),
            tokens_out: three(estimate.tokens_out),
            currency: estimate.currency.clone(),
            money: amounts(&estimate.money),
            batch_money: estimate.batch_money.as_ref().map(amounts),
            parts: estimate
                .steps
                .iter()
                .map(|it| QuotePart {
                    source: it.source.clone(),
                    step: it.step.to_owned(),
                    asks: three(it.asks),
                    money: amounts(&it.money),
                })
                .collect(),
            assumptions: estimate.assumptions.clone(),
            assumptions_zh: estimate.assumptions_zh.clone(),
        };
        quote.id = quote.made_id()?;
        Ok(quote)
    }

    fn made_id(&self) -> Result<String, QuoteError> {
        let bare = Self { id: String::new(), ..self.clone() };
        Ok(format!("q-{}", &hex_sha256(canonical_json(&bare)?.as_bytes())[..12]))
    }

    /// Keeps the quote in the project.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(&self, root: &Path) -> Result<(), QuoteError> {
        let json = serde_json::to_string_pretty(self)? + "\n";
        write_checked(&root.join(file_of(&self.id)), json.as_bytes())?;
        Ok(())
    }

    /// Reads a kept quote.
    ///
    /// # Errors
    /// When there is none under this id, or it was changed.
    pub fn read(root: &Path, id: &str) -> Result<Self, QuoteError> {
        let unknown = || QuoteError::Unknown { id: id.to_owned() };
        let is_id = id
            .strip_prefix("q-")
            .is_some_and(|it| it.len() == 12 && it.bytes().all(|it| it.is_ascii_hexdigit()));
        if !is_id {
            return Err(unknown());
        }
        let file = file_of(id);
        let text = std::fs::read_to_string(root.join(&file)).map_err(|_| unknown())?;
        let changed = || QuoteError::Changed { file: file.clone() };
        let quote: Self = serde_json::from_str(&text).map_err(|_| changed())?;
        if quote.id != id || quote.made_id()? != id {
            return Err(changed());
        }
        Ok(quote)
    }

    /// Whether an accepted quote covers a run: the same sources and readers, and no more money than
    /// the quote's high side. A run that goes on after a stop is covered by the quote it began with.
    ///
    /// # Errors
    /// What is different.
    pub fn covers(&self, estimate: &Estimate, of: QuoteFor<'_>) -> Result<(), QuoteError> {
        let other = |what: String| Err(QuoteError::Other { id: self.id.clone(), what });
        if self.sources != of.sources {
            return other(format!(
                "it is for {}, the run is for {}",
                self.sources.join(", "),
                of.sources.join(", ")
            ));
        }
        if self.readers != of.readers.map(str::to_owned) || self.currency != estimate.currency {
            return other("the readers are others".to_owned());
        }
        let amount = |text: &str| text.parse::<Decimal>().unwrap_or(Decimal::MAX);
        if amount(&estimate.money.expected) > amount(&self.money[2]) {
            return other(format!(
                "{} {} are expected now, the quote goes up to {}",
                estimate.money.expected, estimate.currency, self.money[2]
            ));
        }
        Ok(())
    }
}

fn file_of(id: &str) -> String {
    format!("review/quotes/{id}.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted() -> (Estimate, Vec<String>) {
        let estimate = Estimate {
            items: 12,
            asks: Three { low: 12, expected: 20, high: 31 },
            currency: "USD".to_owned(),
            money: Range { low: "1".to_owned(), expected: "2.5".to_owned(), high: "4".to_owned() },
            assumptions: vec!["以每字一詞元計。".to_owned()],
            ..Estimate::default()
        };
        (estimate, vec!["harbour-zh".to_owned()])
    }

    fn of(sources: &[String]) -> QuoteFor<'_> {
        QuoteFor { project: "港區", issued: "2026-11-30", sources, readers: ["m", "n"] }
    }

    #[test]
    fn a_changed_a_foreign_and_a_dearer_quote_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let (estimate, sources) = quoted();
        let quote = Quote::new(&estimate, of(&sources)).unwrap();
        quote.keep(dir.path()).unwrap();
        assert_eq!(Quote::read(dir.path(), &quote.id).unwrap(), quote);
        quote.covers(&estimate, of(&sources)).unwrap();
        let mut dearer = estimate.clone();
        dearer.money.expected = "4.01".to_owned();
        assert!(quote.covers(&dearer, of(&sources)).is_err());
        assert!(quote.covers(&estimate, of(&["harbour-en".to_owned()])).is_err());
        let others = QuoteFor { readers: ["m", "m"], ..of(&sources) };
        assert!(quote.covers(&estimate, others).is_err());
        for id in ["q-000000000000", "../../x", ""] {
            assert!(matches!(Quote::read(dir.path(), id), Err(QuoteError::Unknown { .. })));
        }
        let path = dir.path().join(file_of(&quote.id));
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("\"4\"", "\"400\"")).unwrap();
        assert!(matches!(Quote::read(dir.path(), &quote.id), Err(QuoteError::Changed { .. })));
    }
}
