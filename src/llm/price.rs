//! What a model's tokens cost: a dated table, never a guess.

use std::collections::BTreeMap;

use jiff::Unit;
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde::Deserialize;

use crate::model::ask::Usage;

/// The table that ships with the program; a project's `prices.toml` overrides it line by line.
const SHIPPED: &str = include_str!("prices.toml");

/// Prices by model name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PriceTable(BTreeMap<String, Price>);

/// Prices of one model.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Money for a million tokens in.
    pub input_per_million: Decimal,
    /// Money for a million tokens in that were read from the provider's cache.
    pub cached_per_million: Option<Decimal>,
    /// Money for a million tokens in that were written to the provider's cache, where that is charged
    /// apart.
    pub written_per_million: Option<Decimal>,
    /// Money for a million tokens out.
    pub output_per_million: Decimal,
    /// What a batch call costs against a live one, `0.5` for half.
    pub batch_factor: Option<Decimal>,
    /// ISO 4217.
    pub currency: String,
    /// The day the price was looked up, `2026-11-30`.
    pub as_of: String,
    /// Where it was looked up.
    pub source: String,
}

/// A price file that cannot be read, or a model that is not in it.
#[derive(Debug, thiserror::Error)]
pub enum PriceError {
    #[error("{file}: {detail}")]
    Unreadable { file: String, detail: String },
    #[error(
        "{model} is priced in {priced}, the budget is in {budget}; set currency under [budget], or the price in prices.toml"
    )]
    Currency { model: String, priced: String, budget: String },
    #[error(
        "{model} is priced in {priced}, another model of this run in {other}; one run has one currency"
    )]
    Mixed { model: String, priced: String, other: String },
    #[error(
        "no price is known for model {model:?}; add [\"{model}\"] to prices.toml with input_per_million, output_per_million, currency, as_of and source"
    )]
    Unknown { model: String },
}

impl PriceTable {
    /// The shipped table with a project's own lines over it.
    ///
    /// # Errors
    /// When either cannot be read; nothing is priced by default.
    pub fn read(own: Option<(&str, &str)>) -> Result<Self, PriceError> {
        let mut table = parse("the shipped prices.toml", SHIPPED)?;
        if let Some((file, text)) = own {
            table.extend(parse(file, text)?);
        }
        Ok(Self(table))
    }

    /// The price of a model; `rules` and `files` cost nothing.
    ///
    /// # Errors
    /// When the model is not in the table: an unknown price is not zero.
    pub fn price(&self, model: &str) -> Result<Price, PriceError> {
        if matches!(model, "rules" | "files") {
            return Ok(Price {
                input_per_million: Decimal::ZERO,
                cached_per_million: None,
                written_per_million: None,
                output_per_million: Decimal::ZERO,
                batch_factor: None,
                currency: "USD".to_owned(),
                as_of: String::new(),
                source: "no model is used".to_owned(),
            });
        }
        self.0.get(model).cloned().ok_or_else(|| PriceError::Unknown { model: model.to_owned() })
    }
}

impl Price {
    /// What no price can be: such a line would let a run spend without being stopped.
    fn wrong(&self) -> Option<String> {
        let amounts = [
            ("input_per_million", Some(self.input_per_million)),
            ("cached_per_million", self.cached_per_million),
            ("written_per_million", self.written_per_million),
            ("output_per_million", Some(self.output_per_million)),
        ];
        for (name, amount) in amounts {
            if let Some(amount) = amount.filter(Decimal::is_sign_negative) {
                return Some(format!("{name}: expected an amount of 0 or more, found {amount}"));
            }
        }
        let factor = self.batch_factor.filter(|it| *it <= Decimal::ZERO || *it > Decimal::ONE);
        if let Some(factor) = factor {
            return Some(format!("batch_factor: expected above 0 and up to 1, found {factor}"));
        }
        let is_code =
            self.currency.len() == 3 && self.currency.bytes().all(|it| it.is_ascii_uppercase());
        if !is_code {
            return Some(format!("currency: expected a code like USD, found {:?}", self.currency));
        }
        let is_day = self.as_of.parse::<Date>().is_ok();
        (!is_day).then(|| format!("as_of: expected a day like 2026-11-30, found {:?}", self.as_of))
    }

    /// The days since the price was looked up; `None` where there is nothing to look up.
    pub fn age(&self, today: Date) -> Option<i64> {
        let day: Date = self.as_of.parse().ok()?;
        let since = today.since((Unit::Day, day)).ok()?;
        Some(i64::from(since.get_days()))
    }

    /// True where tokens cost nothing.
    pub fn is_free(&self) -> bool {
        self.input_per_million.is_zero() && self.output_per_million.is_zero()
    }

    /// The price of the same tokens in a batch; without a known factor it is that of a live call.
    #[must_use]
    pub fn in_batch(&self) -> Self {
        let factor = self.batch_factor.unwrap_or(Decimal::ONE);
        Self {
            input_per_million: self.input_per_million * factor,
            cached_per_million: self.cached_per_million.map(|it| it * factor),
            written_per_million: self.written_per_million.map(|it| it * factor),
            output_per_million: self.output_per_million * factor,
            ..self.clone()
        }
    }

    /// The most that so many tokens can cost, whatever of them is read from a cache or written to one.
    pub fn most(&self, input: u64, output: u64) -> Decimal {
        let usage =
            |cached, written| Usage { input: Some(input), output: Some(output), cached, written };
        let all = [usage(None, None), usage(Some(input), None), usage(None, Some(input))];
        all.into_iter().map(|it| self.cost(it)).max().unwrap_or_default()
    }

    /// Money for a number of tokens, in [`Price::currency`].
    pub fn cost(&self, usage: Usage) -> Decimal {
        let input = usage.input.unwrap_or(0);
        let cached = usage.cached.unwrap_or(0).min(input);
        let written = usage.written.unwrap_or(0).min(input - cached);
        let million = Decimal::from(1_000_000);
        let of = |price: Option<Decimal>| price.unwrap_or(self.input_per_million);
        (Decimal::from(input - cached - written) * self.input_per_million
            + Decimal::from(cached) * of(self.cached_per_million)
            + Decimal::from(written) * of(self.written_per_million)
            + Decimal::from(usage.output.unwrap_or(0)) * self.output_per_million)
            / million
    }
}

fn parse(file: &str, text: &str) -> Result<BTreeMap<String, Price>, PriceError> {
    let unreadable = |detail: String| PriceError::Unreadable { file: file.to_owned(), detail };
    let table: BTreeMap<String, Price> =
        toml::from_str(text).map_err(|error| unreadable(error.to_string()))?;
    for (model, price) in &table {
        if let Some(wrong) = price.wrong() {
            return Err(unreadable(format!("[{model:?}]: {wrong}")));
        }
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = r#"
        ["house-model"]
        input_per_million = "2.50"
        cached_per_million = "0.25"
        output_per_million = "10"
        currency = "USD"
        as_of = "2026-11-30"
        source = "contract"
    "#;

    #[test]
    fn an_unknown_model_is_an_error_and_rules_are_free() {
        let table = PriceTable::read(None).unwrap();
        assert!(matches!(table.price("never-heard-of"), Err(PriceError::Unknown { .. })));
        let usage = Usage { input: Some(1_000_000), output: Some(1_000_000), ..Usage::default() };
        assert_eq!(table.price("rules").unwrap().cost(usage), Decimal::ZERO);
    }

    #[test]
    fn cached_tokens_are_a_part_of_those_that_went_in() {
        let table = PriceTable::read(Some(("prices.toml", OWN))).unwrap();
        let usage = Usage {
            input: Some(1_000_000),
            output: Some(100_000),
            cached: Some(400_000),
            written: None,
        };
        let price = table.price("house-model").unwrap();
        assert_eq!(price.cost(usage).normalize().to_string(), "2.6");
        let dear = Price { written_per_million: Some(Decimal::from(5)), ..price.clone() };
        let written = Usage { written: Some(200_000), ..usage };
        assert_eq!(dear.cost(written).normalize().to_string(), "3.1");
        let half = Price { batch_factor: Some(Decimal::new(5, 1)), ..dear };
        assert_eq!(half.in_batch().cost(written).normalize().to_string(), "1.55");
        assert_eq!(price.in_batch(), price, "no discount is made up");
    }

    #[test]
    fn every_shipped_price_is_dated_and_sourced() {
        let shipped = parse("prices.toml", SHIPPED).unwrap();
        assert!(shipped.len() >= 10);
        for (model, price) in shipped {
            assert!(price.as_of.parse::<jiff::civil::Date>().is_ok(), "{model}");
            assert!(!price.source.is_empty() && !price.is_free(), "{model}");
            assert!(price.cached_per_million.is_none_or(|it| it <= price.input_per_million));
        }
    }

    #[test]
    fn a_price_that_would_let_a_run_spend_without_end_is_refused_by_name() {
        for (right, wrong) in [
            ("\"2.50\"", "\"-2.50\""),
            ("\"0.25\"", "\"-0.25\""),
            ("\"10\"", "\"-10\""),
            ("\"USD\"", "\"dollars\""),
            ("\"USD\"", "\"\""),
            ("\"2026-11-30\"", "\"last week\""),
            ("currency", "batch_factor = \"0\"\ncurrency"),
            ("currency", "batch_factor = \"50\"\ncurrency"),
        ] {
            let error = PriceTable::read(Some(("prices.toml", &OWN.replace(right, wrong))));
            let error = error.unwrap_err().to_string();
            assert!(error.starts_with("prices.toml: [\"house-model\"]: "), "{error}");
        }
        let table = PriceTable::read(Some(("prices.toml", OWN))).unwrap();
        let price = table.price("house-model").unwrap();
        assert_eq!(price.age("2027-06-01".parse().unwrap()), Some(183));
        assert_eq!(table.price("rules").unwrap().age("2027-06-01".parse().unwrap()), None);
        let dear = Price { written_per_million: Some(Decimal::from(5)), ..price };
        assert_eq!(dear.most(1_000_000, 0), Decimal::from(5), "written to a cache at the most");
    }

    #[test]
    fn a_mistake_in_the_projects_prices_is_named() {
        let error = PriceTable::read(Some(("prices.toml", "[x]\nprice = 1"))).unwrap_err();
        assert!(error.to_string().starts_with("prices.toml: "), "{error}");
    }
}
