//! What a run would ask, take and cost, before anything is spent.
//!
//! Extraction asks are composed and counted exactly; what depends on the replies (length, retries,
//! reviews) is a stated prior with a low and a high side, which gives way to what this project
//! measured. A model without a price is an error.

use rust_decimal::Decimal;
use serde::Serialize;

use crate::llm::price::{Price, PriceError};
use crate::model::ask::{Step, Usage};
use crate::model::run::Range;
use crate::pipeline::money::assumptions::assumptions;
use crate::pipeline::money::grounds::{Grounds, ItemSize, ItemStanding, ReaderCost, SourceWork};
use crate::pipeline::money::odds::{Before, REASONS, StepOdds, THOUGHT, extract_odds, review_odds};

/// Low, expected, high.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Three {
    pub low: u64,
    pub expected: u64,
    pub high: u64,
}

/// The estimate of one step of one source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StepEstimate {
    pub source: String,
    /// `extract` or `review`.
    pub step: &'static str,
    pub model: String,
    pub asks: Three,
    pub tokens_in: Three,
    pub tokens_out: Three,
    pub money: Range,
}

/// The estimate of one run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Estimate {
    pub items: u64,
    /// Items whose first ask the record answers already; that one costs nothing.
    pub answered: u64,
    pub asks: Three,
    pub tokens_in: Three,
    pub tokens_out: Three,
    pub seconds: Three,
    pub currency: String,
    pub money: Range,
    /// The same asks in batches, where that has a price of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_money: Option<Range>,
    /// The parts, by source and step.
    pub steps: Vec<StepEstimate>,
    /// What was assumed, one sentence each.
    pub assumptions: Vec<String>,
    /// The same in Traditional Chinese.
    pub assumptions_zh: Vec<String>,
}

/// Seconds of one call to a model.
const CALL_SECONDS: [u64; 3] = [2, 8, 25];

/// The shortest beginning that providers cache: 1,024 tokens at OpenAI, as much or more elsewhere.
const LEAST_CACHED: u64 = 1_024;

/// Estimates a run.
///
/// # Errors
/// When a model has no price, or the two readers' prices are in different currencies.
pub fn estimate(work: &[SourceWork], grounds: Grounds<'_>) -> Result<Estimate, PriceError> {
    let Grounds { extractor, reviewer, prices, .. } = grounds;
    let (first, second) = (prices.price(extractor.model)?, prices.price(reviewer.model)?);
    if first.currency != second.currency && !first.is_free() && !second.is_free() {
        return Err(PriceError::Unreadable {
            file: "prices.toml".to_owned(),
            detail: format!(
                "{} is priced in {}, {} in {}; one run has one currency",
                extractor.model, first.currency, reviewer.model, second.currency
            ),
        });
    }
    let currency = if first.is_free() { &second.currency } else { &first.currency }.clone();
    let mut found = Estimate { currency, ..Estimate::default() };
    let (mut batch, mut seconds) = (Money::default(), [[0; 3]; 2]);
    let mut money = Money::default();
    for source in work {
        found.items += source.items.len() as u64;
        let is_answered = |it: &&ItemSize| it.standing != ItemStanding::Open;
        found.answered += source.items.iter().filter(is_answered).count() as u64;
        let odds = odds_of(source, grounds);
        let parts = [
            (Step::Extract, extractor, &first, extract_side as SideOf, &odds[0]),
            (Step::Review, reviewer, &second, review_side as SideOf, &odds[1]),
        ];
        for (at, (step, reader, price, side_of, odds)) in parts.into_iter().enumerate() {
            let thinks = if reader.thinks { odds.prior } else { 0 };
            let sides: [Side; 3] = std::array::from_fn(|it| side_of(source, odds, (it, thinks)));
            let live = price_of(reader, price);
            let cost = Money::of(&sides, &live);
            batch.add(&Money::of(&sides, &price.in_batch()));
            money.add(&cost);
            for it in 0..3 {
                seconds[at][it] += seconds_of(sides[it].asks, it, reader);
            }
            let part = part(source, step, reader.model, (&sides, &cost));
            found.asks.add(part.asks);
            found.tokens_in.add(part.tokens_in);
            found.tokens_out.add(part.tokens_out);
            found.steps.push(part);
        }
    }
    let longer = |it: usize| seconds[0][it].max(seconds[1][it]);
    found.seconds = Three { low: longer(0), expected: longer(1), high: longer(2) };
    found.money = money.range();
    let has_discount = [&first, &second].iter().any(|it| it.batch_factor.is_some());
    found.batch_money = has_discount.then(|| batch.range());
    let said = assumptions(grounds, (&first, &second), found.batch_money.as_ref());
    (found.assumptions, found.assumptions_zh) = said.into_iter().map(|[en, zh]| (en, zh)).unzip();
    Ok(found)
}

impl Three {
    fn add(&mut self, other: Self) {
        self.low += other.low;
        self.expected += other.expected;
        self.high += other.high;
    }
}

/// Money of the three sides.
#[derive(Clone, Copy, Debug, Default)]
struct Money([Decimal; 3]);

impl Money {
    fn of(sides: &[Side; 3], price: &Price) -> Self {
        Self(std::array::from_fn(|at| {
            price.cost(Usage {
                input: Some(sides[at].input),
                output: Some(sides[at].output),
                cached: Some(sides[at].cached),
                written: None,
            })
        }))
    }

    fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, it)| *sum += it);
    }

    fn range(&self) -> Range {
        let text = |at: usize| self.0[at].round_dp(4).normalize().to_string();
        Range { low: text(0), expected: text(1), high: text(2) }
    }
}

/// What one side of a step comes to.
#[derive(Clone, Copy, Debug, Default)]
struct Side {
    asks: u64,
    input: u64,
    output: u64,
    cached: u64,
}

type SideOf = fn(&SourceWork, &StepOdds, (usize, u64)) -> Side;

/// The odds of extraction and of review for a source.
fn odds_of(source: &SourceWork, grounds: Grounds<'_>) -> [StepOdds; 2] {
    let Grounds { extractor, reviewer, history, .. } = grounds;
    let extracted = history.of(extractor.model, Step::Extract);
    let reviewed = history.of(reviewer.model, Step::Review);
    let before = |reader: &ReaderCost<'_>, unchanging: u64, whole: u64| Before {
        counts_exactly: reader.counts_exactly,
        unchanging: if unchanging < LEAST_CACHED || whole == 0 {
            0
        } else {
            (unchanging * 1_000 * source.items.len() as u64 / whole).min(1_000)
        },
    };
    let sum = |of: fn(&ItemSize) -> u64| source.items.iter().map(of).sum::<u64>();
    [
        extract_odds(
            &extracted,
            before(extractor, source.unchanging[0], sum(|it| it.extract_tokens)),
        ),
        review_odds(
            &reviewed,
            &extracted,
            before(reviewer, source.unchanging[1], sum(|it| it.review_tokens)),
        ),
    ]
}

fn part_of(of: u64, odds: u64) -> u64 {
    (of * odds).div_ceil(1_000)
}

fn sum_of(source: &SourceWork, which: &[ItemStanding], of: fn(&ItemSize) -> u64) -> u64 {
    source.items.iter().filter(|it| which.contains(&it.standing)).map(of).sum()
}

fn extract_side(source: &SourceWork, odds: &StepOdds, (at, thinks): (usize, u64)) -> Side {
    let open = [ItemStanding::Open];
    let first = sum_of(source, &open, |_| 1);
    let put_again = part_of(first, odds.again[at]) + sum_of(source, &[ItemStanding::Again], |_| 1);
    let tokens = sum_of(source, &open, |it| it.extract_tokens);
    let second = sum_of(source, &[ItemStanding::Again], |it| it.extract_tokens)
        + part_of(tokens, odds.again[at])
        + put_again * REASONS[at];
    let text = sum_of(source, &open, |it| it.text_tokens);
    let text = text
        + part_of(text, odds.again[at])
        + sum_of(source, &[ItemStanding::Again], |it| it.text_tokens);
    side((first + put_again, tokens + second, text), odds, (at, thinks))
}

fn review_side(source: &SourceWork, odds: &StepOdds, (at, thinks): (usize, u64)) -> Side {
    let coming = [ItemStanding::Open, ItemStanding::Again];
    let certain = [ItemStanding::Review];
    let both = |of: fn(&ItemSize) -> u64| {
        part_of(sum_of(source, &coming, of), odds.share[at]) + sum_of(source, &certain, of)
    };
    let first = both(|_| 1);
    let put_again = part_of(first, odds.again[at]);
    let text = both(|it| it.text_tokens);
    let tokens = both(|it| it.review_tokens) + part_of(text, odds.rows[at]);
    let input = tokens + part_of(tokens, odds.again[at]) + put_again * REASONS[at];
    let text = text + part_of(text, odds.again[at]);
    side((first + put_again, input, text), odds, (at, thinks))
}

fn side(
    (asks, counted, text): (u64, u64, u64),
    odds: &StepOdds,
    (at, thinks): (usize, u64),
) -> Side {
    let input = part_of(counted, odds.count[at]);
    Side {
        asks,
        input,
        output: part_of(text, odds.reply[at]) + part_of(asks * THOUGHT[at], thinks),
        cached: (input * odds.cached[at] / 1_000).min(input),
    }
}

fn price_of(reader: &ReaderCost<'_>, price: &Price) -> Price {
    if reader.in_batches { price.in_batch() } else { price.clone() }
}

fn seconds_of(asks: u64, at: usize, reader: &ReaderCost<'_>) -> u64 {
    match reader.model {
        "rules" | "files" => 0,
        _ => (asks * CALL_SECONDS[at]).div_ceil(reader.concurrency.max(1) as u64),
    }
}

fn part(
    source: &SourceWork,
    step: Step,
    model: &str,
    (sides, money): (&[Side; 3], &Money),
) -> StepEstimate {
    let three = |of: fn(&Side) -> u64| Three {
        low: of(&sides[0]),
        expected: of(&sides[1]),
        high: of(&sides[2]),
    };
    StepEstimate {
        source: source.source.clone(),
        step: step.as_str(),
        model: model.to_owned(),
        asks: three(|it| it.asks),
        tokens_in: three(|it| it.input),
        tokens_out: three(|it| it.output),
        money: money.range(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::price::PriceTable;
    use crate::pipeline::money::measured::{History, Measured};

    const PRICES: &str = "[m]\ninput_per_million = \"1\"\ncached_per_million = \"0.1\"\n\
        output_per_million = \"4\"\nbatch_factor = \"0.5\"\n\
        currency = \"USD\"\nas_of = \"2026-11-30\"\nsource = \"test\"\n";

    fn work(standings: &[ItemStanding]) -> Vec<SourceWork> {
        let item = ItemSize {
            extract_tokens: 3_000,
            review_tokens: 3_200,
            text_tokens: 100,
            standing: ItemStanding::Open,
        };
        let items = standings.iter().map(|it| ItemSize { standing: *it, ..item }).collect();
        vec![SourceWork { source: "港".to_owned(), unchanging: [2_500, 2_600], items }]
    }

    fn reader(model: &str) -> ReaderCost<'_> {
        ReaderCost { model, concurrency: 2, ..ReaderCost::default() }
    }

    fn estimated(work: &[SourceWork], reader: &ReaderCost<'_>, history: &History) -> Estimate {
        let prices = PriceTable::read(Some(("prices.toml", PRICES))).unwrap();
        let grounds = Grounds { extractor: reader, reviewer: reader, prices: &prices, history };
        estimate(work, grounds).unwrap()
    }

    fn amounts(of: &Range) -> [Decimal; 3] {
        [&of.low, &of.expected, &of.high].map(|it| it.parse().unwrap())
    }

    #[test]
    fn rules_cost_nothing_and_say_that_no_model_is_used() {
        let none = History::default();
        let found = estimated(&work(&[ItemStanding::Open; 3]), &reader("rules"), &none);
        assert_eq!((found.items, found.answered), (3, 0));
        assert_eq!((found.money.low.as_str(), found.money.high.as_str()), ("0", "0"));
        assert_eq!((found.seconds, found.batch_money), (Three::default(), None));
        assert!(found.assumptions.iter().any(|it| it.contains("no model is used")));
    }

    #[test]
    fn low_expected_and_high_stand_in_order_and_the_parts_are_the_whole() {
        let none = History::default();
        let open = [ItemStanding::Open; 10];
        let found = estimated(&work(&open), &reader("m"), &none);
        // No retry and half reviewed at the low side.
        assert_eq!(found.asks.low, 15);
        assert!(found.asks.low < found.asks.expected && found.asks.expected < found.asks.high);
        let money = amounts(&found.money);
        assert!(money[0] > Decimal::ZERO && money.is_sorted(), "{money:?}");
        let batch = amounts(found.batch_money.as_ref().unwrap());
        assert!((batch[1] * Decimal::TWO - money[1]).abs() < Decimal::new(2, 4));
        let parts: Vec<[Decimal; 3]> = found.steps.iter().map(|it| amounts(&it.money)).collect();
        assert_eq!(found.steps.len(), 2);
        for at in 0..3 {
            let sum: Decimal = parts.iter().map(|it| it[at]).sum();
            assert!((sum - money[at]).abs() < Decimal::new(2, 4), "{sum} {money:?}");
        }
        let dear = ReaderCost { thinks: true, ..reader("m") };
        let thinking = estimated(&work(&open), &dear, &none);
        assert!(amounts(&thinking.money)[2] > money[2], "thinking is paid for");
        let halved = ReaderCost { in_batches: true, ..reader("m") };
        assert_eq!(Some(estimated(&work(&open), &halved, &none).money), found.batch_money);
        assert_eq!(estimated(&[], &reader("m"), &none).money.high, "0");
    }

    #[test]
    fn what_is_on_record_costs_nothing_and_what_waits_for_a_review_is_reviewed() {
        let none = History::default();
        let done = estimated(&work(&[ItemStanding::Done; 4]), &reader("m"), &none);
        assert_eq!((done.answered, done.asks.high, done.money.high.as_str()), (4, 0, "0"));
        let waits = estimated(&work(&[ItemStanding::Review; 4]), &reader("m"), &none);
        assert_eq!((waits.asks.low, waits.steps[0].asks.high), (4, 0));
        assert!(amounts(&waits.money)[0] > Decimal::ZERO);
    }

    #[test]
    fn the_next_estimate_learns_from_what_was_measured() {
        let open = [ItemStanding::Open; 100];
        let bare = estimated(&work(&open), &reader("m"), &History::default());
        let mut history = History::default();
        for step in [Step::Extract, Step::Review] {
            let seen = Measured {
                model: "m".to_owned(),
                first: 950,
                again: 19,
                counted: 3_000_000,
                input: 3_300_000,
                text: 100_000,
                rows: 150_000,
                output: 180_000,
                cached: 1_650_000,
                ..Measured::default()
            };
            history.add(step, &seen);
        }
        let learnt = estimated(&work(&open), &reader("m"), &history);
        let width = |it: &Estimate| amounts(&it.money)[2] - amounts(&it.money)[0];
        assert!(width(&learnt) < width(&bare) / Decimal::TWO, "{bare:?} {learnt:?}");
        let other = estimated(&work(&open), &reader("gpt-4.1"), &history);
        assert!(other.assumptions.iter().any(|it| it.contains("gpt-4.1")), "by model alone");
        assert!(learnt.assumptions.iter().any(|it| it.contains("950")), "{learnt:?}");
    }

    #[test]
    fn a_model_without_a_price_is_an_error() {
        let table = PriceTable::read(None).unwrap();
        let unknown = reader("unheard-of");
        let history = History::default();
        let grounds =
            Grounds { extractor: &unknown, reviewer: &unknown, prices: &table, history: &history };
        assert!(estimate(&work(&[ItemStanding::Open]), grounds).is_err());
    }
}
