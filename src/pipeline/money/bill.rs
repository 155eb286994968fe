//! The money of a run: what it would cost before, what it did cost after, each by source and step.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::tz::Offset;
use rust_decimal::Decimal;

use crate::ask::schema::{extract_schema, review_schema};
use crate::llm::price::{PriceError, PriceTable};
use crate::llm::tokens::Counter;
use crate::model::ask::Step;
use crate::model::config::{ProjectConfig, REASONING_OFF, ReaderConfig};
use crate::model::run::{Cost, SourceCost};
use crate::pipeline::failure::RunError;
use crate::pipeline::held::held;
use crate::pipeline::money::assumptions::{Said, old_prices};
use crate::pipeline::money::estimate::{Estimate, estimate};
use crate::pipeline::money::grounds::{Grounds, ReaderCost, SourceWork};
use crate::pipeline::money::measured::{History, money_record};
use crate::pipeline::page::plan::PagePlan;
use crate::pipeline::rounds::desk::{RunDesk, SourceDesk};
use crate::pipeline::sums::SumsDiffer;
use crate::pipeline::wiring;

/// Prices what a plan leaves open.
///
/// # Errors
/// When a model has no price, or the ledger cannot be read.
pub fn price_plan(
    desk: &RunDesk,
    plan: &[PagePlan],
    config: &ProjectConfig,
    (prices, in_batches): (&PriceTable, bool),
    now: Timestamp,
) -> Result<Estimate, RunError> {
    let history = History::read(&**held(&desk.ledger))?;
    let work: Vec<SourceWork> = desk
        .sources
        .iter()
        .enumerate()
        .map(|(at, source)| {
            let pages = plan.iter().filter(|it| it.source == at);
            SourceWork {
                source: source.source.id.clone(),
                unchanging: unchanging(source, config),
                items: pages.flat_map(|it| it.sizes.iter().copied()).collect(),
            }
        })
        .collect();
    let (extractor, reviewer) =
        (cost(&config.extractor, in_batches), cost(&config.reviewer, in_batches));
    let grounds = Grounds { extractor: &extractor, reviewer: &reviewer, prices, history: &history };
    let mut found = estimate(&work, grounds)?;
    for [english, chinese] in old_price_lines(prices, config, now)? {
        found.assumptions.push(english);
        found.assumptions_zh.push(chinese);
    }
    Ok(found)
}

/// What is to be said of prices that were looked up long ago.
///
/// # Errors
/// When a model has no price.
pub fn old_price_lines(
    prices: &PriceTable,
    config: &ProjectConfig,
    now: Timestamp,
) -> Result<Vec<Said>, PriceError> {
    let names = [&config.extractor, &config.reviewer].map(wiring::priced_name);
    let found = names.map(|it| prices.price(it).map(|price| (it, price)));
    let found = found.into_iter().collect::<Result<Vec<_>, _>>()?;
    let today = Offset::UTC.to_datetime(now).date();
    Ok(old_prices(found.iter().map(|(name, price)| (*name, price)), today))
}

/// A reader as the estimate sees it.
fn cost(reader: &ReaderConfig, in_batches: bool) -> ReaderCost<'_> {
    let model = wiring::priced_name(reader);
    let is_model = !matches!(model, "rules" | "files");
    ReaderCost {
        model,
        concurrency: reader.concurrency,
        thinks: is_model && reader.reasoning_in_force().is_some_and(|it| it != REASONING_OFF),
        counts_exactly: Counter::of(model).is_exact(),
        in_batches: in_batches && is_model,
    }
}

/// Tokens of what is equal in all asks of a step: instructions and schema.
fn unchanging(source: &SourceDesk, config: &ProjectConfig) -> [u64; 2] {
    let fields = &source.source.fields;
    let count = |reader: &ReaderConfig, instructions: &str, schema: serde_json::Value| {
        let counter = Counter::of(wiring::priced_name(reader));
        counter.count(instructions) + counter.count(&schema.to_string())
    };
    [
        count(&config.extractor, &source.extractor.instructions, extract_schema(fields)),
        count(&config.reviewer, &source.reviewer.instructions, review_schema(fields)),
    ]
}

/// What the run cost, and the record from which the next estimate learns.
///
/// # Errors
/// When the ledger holds another number of answers than was counted, or cannot be written.
pub fn actual_cost(desk: &RunDesk, estimate: &Estimate) -> Result<Cost, RunError> {
    let (actual, steps) = desk.control.costs();
    for (step, counts) in &steps {
        let (calls, _) = held(&desk.ledger).usage_of(&desk.run, *step)?;
        if calls != counts.calls {
            let (went_in, came_out) = (counts.calls, calls);
            return Err(SumsDiffer { what: "answers noted", went_in, came_out }.into());
        }
    }
    let measured = desk.control.measured();
    let mut sources: BTreeMap<String, BTreeMap<String, SourceCost>> = BTreeMap::new();
    for part in &estimate.steps {
        if part.money.high.parse::<Decimal>().is_ok_and(|it| it.is_zero()) {
            continue;
        }
        let cost = SourceCost {
            estimate: part.money.clone(),
            actual: "0".to_owned(),
            ..SourceCost::default()
        };
        sources.entry(part.source.clone()).or_default().insert(part.step.to_owned(), cost);
    }
    for ((source, step), it) in &measured {
        let record = money_record(&desk.run, source, *step, it);
        held(&desk.ledger).record_step(&record)?;
        let of_source = sources.entry(source.clone()).or_default();
        let cost = of_source.entry(step_name(*step)).or_default();
        cost.actual.clone_from(&it.cost);
        cost.calls = it.first + it.again;
    }
    Ok(Cost {
        currency: estimate.currency.clone(),
        estimate: estimate.money.clone(),
        actual: actual.normalize().to_string(),
        steps: steps.into_iter().map(|(step, it)| (step_name(step), it)).collect(),
        sources,
    })
}

fn step_name(step: Step) -> String {
    step.as_str().to_owned()
}
