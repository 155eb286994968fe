//! What a run would ask, take and cost, before anything is spent.
//!
//! Extraction asks are composed and counted exactly; what depends on the replies (length, retries,
//! reviews) is a stated prior with a low and a high side. A model without a price is an error.

use rust_decimal::Decimal;
use serde::Serialize;

use crate::llm::price::{Price, PriceError, PriceTable};
use crate::llm::tokens::approximate_tokens;
use crate::model::ask::Usage;
use crate::model::run::Range;

/// What is known of one item before it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ItemSize {
    /// Tokens of the whole extraction ask, instructions and fields included.
    pub ask_tokens: u64,
    /// Tokens of the item's own text.
    pub text_tokens: u64,
    /// True where the record holds the answer already.
    pub is_answered: bool,
}

/// Who would be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReaderCost<'a> {
    /// `rules`, `files` or a model's name.
    pub model: &'a str,
    /// Calls in flight.
    pub concurrency: usize,
}

/// Low, expected, high.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Three {
    pub low: u64,
    pub expected: u64,
    pub high: u64,
}

/// The estimate of one run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Estimate {
    pub items: u64,
    /// Asks that the record answers already; they cost nothing.
    pub answered: u64,
    pub asks: Three,
    pub tokens_in: Three,
    pub tokens_out: Three,
    pub seconds: Three,
    pub currency: String,
    pub money: Range,
    /// What was assumed, one sentence each.
    pub assumptions: Vec<String>,
}

/// A prior in per cent: low, expected, high.
struct Prior([u64; 3]);

/// Share of first asks that are asked again with reasons.
const RETRIES: Prior = Prior([0, 8, 30]);
/// Share of items that are reviewed: those with a row or a rule word.
const REVIEWED: Prior = Prior([40, 70, 100]);
/// Tokens of an extraction reply for each token of the item's text.
const EXTRACT_OUT: Prior = Prior([40, 110, 250]);
/// Tokens of a review reply for each token of the item's text.
const REVIEW_OUT: Prior = Prior([30, 80, 200]);
/// Tokens of the rows shown to the reviewer for each token of the item's text.
const ROWS_SHOWN: Prior = Prior([40, 110, 250]);
/// Seconds of one call to a model.
const CALL_SECONDS: [u64; 3] = [2, 8, 25];

/// Estimates a run over `items`.
///
/// # Errors
/// When a model has no price, or the two readers' prices are in different currencies.
pub fn estimate(
    items: &[ItemSize],
    extractor: &ReaderCost<'_>,
    reviewer: &ReaderCost<'_>,
    prices: &PriceTable,
) -> Result<Estimate, PriceError> {
    let (extract_price, review_price) =
        (prices.price(extractor.model)?, prices.price(reviewer.model)?);
    if extract_price.currency != review_price.currency {
        return Err(PriceError::Unreadable {
            file: "prices.toml".to_owned(),
            detail: format!(
                "{} is priced in {}, {} in {}; one run has one currency",
                extractor.model, extract_price.currency, reviewer.model, review_price.currency
            ),
        });
    }
    let open: Vec<&ItemSize> = items.iter().filter(|it| !it.is_answered).collect();
    let sides: [Side; 3] = std::array::from_fn(|at| {
        Side::of(&open, at, (&extract_price, &review_price), (extractor, reviewer))
    });
    let three = |of: fn(&Side) -> u64| Three {
        low: of(&sides[0]),
        expected: of(&sides[1]),
        high: of(&sides[2]),
    };
    Ok(Estimate {
        items: items.len() as u64,
        answered: (items.len() - open.len()) as u64,
        asks: three(|it| it.asks),
        tokens_in: three(|it| it.tokens_in),
        tokens_out: three(|it| it.tokens_out),
        seconds: three(|it| it.seconds),
        currency: extract_price.currency.clone(),
        money: Range {
            low: sides[0].money.to_string(),
            expected: sides[1].money.to_string(),
            high: sides[2].money.to_string(),
        },
        assumptions: assumptions(extractor, reviewer, (&extract_price, &review_price)),
    })
}

/// Tokens of an item's ask and text.
pub fn item_size(ask: &str, text: &str, is_answered: bool) -> ItemSize {
    ItemSize {
        ask_tokens: approximate_tokens(ask),
        text_tokens: approximate_tokens(text),
        is_answered,
    }
}

struct Side {
    asks: u64,
    tokens_in: u64,
    tokens_out: u64,
    seconds: u64,
    money: Decimal,
}

impl Side {
    fn of(
        open: &[&ItemSize],
        at: usize,
        (extract_price, review_price): (&Price, &Price),
        (extractor, reviewer): (&ReaderCost<'_>, &ReaderCost<'_>),
    ) -> Self {
        let share = |prior: &Prior, of: u64| (of * prior.0[at]).div_ceil(100);
        let ask_tokens: u64 = open.iter().map(|it| it.ask_tokens).sum();
        let text_tokens: u64 = open.iter().map(|it| it.text_tokens).sum();
        let first = open.len() as u64;
        let again = share(&RETRIES, first);
        let reviews = share(&REVIEWED, first);
        let extract = Usage {
            input: Some(ask_tokens + share(&RETRIES, ask_tokens)),
            output: Some(share(&EXTRACT_OUT, text_tokens)),
            ..Usage::default()
        };
        let review = Usage {
            input: Some(share(&REVIEWED, ask_tokens + share(&ROWS_SHOWN, text_tokens))),
            output: Some(share(&REVIEWED, share(&REVIEW_OUT, text_tokens))),
            ..Usage::default()
        };
        let seconds = |calls: u64, reader: &ReaderCost<'_>| match reader.model {
            "rules" | "files" => 0,
            _ => (calls * CALL_SECONDS[at]).div_ceil(reader.concurrency.max(1) as u64),
        };
        Self {
            asks: first + again + reviews,
            tokens_in: extract.input.unwrap_or(0) + review.input.unwrap_or(0),
            tokens_out: extract.output.unwrap_or(0) + review.output.unwrap_or(0),
            seconds: seconds(first + again, extractor).max(seconds(reviews, reviewer)),
            money: (extract_price.cost(extract) + review_price.cost(review))
                .round_dp(4)
                .normalize(),
        }
    }
}

fn assumptions(
    extractor: &ReaderCost<'_>,
    reviewer: &ReaderCost<'_>,
    (extract_price, review_price): (&Price, &Price),
) -> Vec<String> {
    let prior = |it: &Prior| format!("{} / {} / {} %", it.0[0], it.0[1], it.0[2]);
    let mut lines = vec![
        "Extraction asks are counted exactly; tokens are approximated: one for a Chinese character, \
         one for four other characters."
            .to_owned(),
        format!("Asked again with reasons: {} of first asks.", prior(&RETRIES)),
        format!("Reviewed: {} of items.", prior(&REVIEWED)),
        format!(
            "Reply lengths against the item's text: extraction {}, review {}.",
            prior(&EXTRACT_OUT),
            prior(&REVIEW_OUT)
        ),
    ];
    for (reader, price) in [(extractor, extract_price), (reviewer, review_price)] {
        lines.push(match reader.model {
            "rules" => {
                "The built-in rules read: no model is used and nothing is charged.".to_owned()
            }
            "files" => "Answers come as files: nothing is charged here.".to_owned(),
            model => format!(
                "{model}: {} {} in, {} out for a million tokens, as of {} ({}).",
                price.currency,
                price.input_per_million,
                price.output_per_million,
                price.as_of,
                price.source
            ),
        });
    }
    lines.dedup();
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRICES: &str = "[m]\ninput_per_million = \"1\"\noutput_per_million = \"4\"\n\
        currency = \"USD\"\nas_of = \"2026-11-30\"\nsource = \"test\"\n";

    fn items() -> Vec<ItemSize> {
        let item = item_size(&"x".repeat(4000), &"歲".repeat(100), false);
        vec![item, item, ItemSize { is_answered: true, ..item }]
    }

    #[test]
    fn rules_cost_nothing_and_say_that_no_model_is_used() {
        let rules = ReaderCost { model: "rules", concurrency: 1 };
        let table = PriceTable::read(None).unwrap();
        let found = estimate(&items(), &rules, &rules, &table).unwrap();
        assert_eq!((found.items, found.answered), (3, 1));
        assert_eq!((found.money.low.as_str(), found.money.high.as_str()), ("0", "0"));
        assert_eq!(found.seconds, Three::default());
        assert!(found.assumptions.iter().any(|it| it.contains("no model is used")));
    }

    #[test]
    fn low_expected_and_high_stand_in_order_and_answered_asks_are_free() {
        let model = ReaderCost { model: "m", concurrency: 2 };
        let table = PriceTable::read(Some(("prices.toml", PRICES))).unwrap();
        let found = estimate(&items(), &model, &model, &table).unwrap();
        // Two open items of 1,000 tokens each; at the low side no retry, 40 % reviewed.
        assert_eq!(found.asks.low, 3);
        assert_eq!(found.tokens_in.low, 2000 + 832);
        assert!(found.asks.low <= found.asks.expected && found.asks.expected <= found.asks.high);
        let money: Vec<Decimal> = [&found.money.low, &found.money.expected, &found.money.high]
            .map(|it| it.parse().unwrap())
            .into();
        assert!(money[0] > Decimal::ZERO && money[0] < money[1] && money[1] < money[2]);
        let none = estimate(&[], &model, &model, &table).unwrap();
        assert_eq!((none.asks.high, none.money.high.as_str()), (0, "0"));
    }

    #[test]
    fn a_model_without_a_price_is_an_error() {
        let unknown = ReaderCost { model: "unheard-of", concurrency: 1 };
        let table = PriceTable::read(None).unwrap();
        assert!(estimate(&items(), &unknown, &unknown, &table).is_err());
    }
}
