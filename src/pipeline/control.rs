//! Who may ask now: the calls in flight of each step, the faults and the money that end the asking.
//!
//! A call is begun only when the most it can cost, together with the most that all calls in flight
//! can cost, still fits the budget. What is in flight is always waited for and kept.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use rust_decimal::Decimal;
use tokio::sync::{Notify, Semaphore, SemaphorePermit};

use crate::ask::compose::OpenAsk;
use crate::ask::message::chat_request;
use crate::llm::answerer::AnswerError;
use crate::llm::price::{Price, PriceError, PriceTable};
use crate::llm::tokens::approximate_tokens;
use crate::model::ask::{Answer, Step, Usage};
use crate::model::config::{AnswererKind, ProjectConfig, ReaderConfig};
use crate::model::run::StepCost;
use crate::pipeline::faults::Faults;
use crate::pipeline::record::held;
use crate::pipeline::wiring;

/// The control of one run's asks.
#[derive(Debug)]
pub struct Control {
    extract: Lane,
    review: Lane,
    faults: Faults,
    limit: Option<Decimal>,
    money: Mutex<Money>,
    /// Asks that are in a batch at a provider, or may be.
    reserved: Mutex<BTreeSet<String>>,
    /// Rung whenever a call in flight ends.
    ended: Notify,
}

#[derive(Debug)]
struct Lane {
    places: Semaphore,
    price: Price,
    max_tokens: u64,
    /// Its asks are handed in as batches and not asked live.
    is_in_batches: bool,
}

#[derive(Debug, Default)]
struct Money {
    /// Charged, or perhaps charged: calls that timed out count with the most they can cost.
    spent: Decimal,
    /// The most that the calls in flight can cost.
    in_flight: Decimal,
    is_used_up: bool,
    steps: BTreeMap<Step, (StepCost, Decimal)>,
}

/// Leave to ask once. It is given back when it is dropped.
#[derive(Debug)]
pub struct Leave<'a> {
    control: &'a Control,
    step: Step,
    /// The most the call can cost.
    most: Decimal,
    _place: SemaphorePermit<'a>,
}

impl Control {
    /// As many calls in flight as each reader is configured for, as much money as the budget has.
    ///
    /// # Errors
    /// When a model has no price, or the budget is in another currency than the prices.
    pub fn new(config: &ProjectConfig, prices: &PriceTable) -> Result<Self, PriceError> {
        let lane = |of: &ReaderConfig| -> Result<Lane, PriceError> {
            let price = prices.price(wiring::priced_name(of))?;
            let budget = &config.budget;
            let is_bound = budget.max_cost.is_some() || budget.quote_above.is_some();
            if is_bound && !price.is_free() && price.currency != budget.currency {
                return Err(PriceError::Currency {
                    model: of.model.clone(),
                    priced: price.currency,
                    budget: budget.currency.clone(),
                });
            }
            let places = Semaphore::new(of.concurrency.max(1));
            Ok(Lane { places, price, max_tokens: of.max_tokens, is_in_batches: false })
        };
        Ok(Self {
            extract: lane(&config.extractor)?,
            review: lane(&config.reviewer)?,
            faults: Faults::default(),
            limit: config.budget.max_cost,
            money: Mutex::default(),
            reserved: Mutex::default(),
            ended: Notify::new(),
        })
    }

    /// The asks of every reader over HTTP are handed in as batches, at the price of one.
    #[must_use]
    pub fn in_batches(mut self, config: &ProjectConfig) -> Self {
        for (lane, reader) in
            [(&mut self.extract, &config.extractor), (&mut self.review, &config.reviewer)]
        {
            lane.is_in_batches = reader.answerer == AnswererKind::Http;
        }
        self
    }

    /// Keeps asks from being asked: they are in a batch, or may be.
    pub fn reserve(&self, asks: BTreeSet<String>) {
        *held(&self.reserved) = asks;
    }

    /// True where an ask is in a batch, or may be.
    pub fn is_reserved(&self, digest: &str) -> bool {
        held(&self.reserved).contains(digest)
    }

    /// True where a step's asks are handed in as batches.
    pub fn is_in_batches(&self, step: Step) -> bool {
        self.lane(step).is_in_batches
    }

    /// True where this much may be spent beside what is spent already.
    pub fn fits(&self, amount: Decimal) -> bool {
        self.limit.is_none_or(|it| held(&self.money).spent + amount <= it)
    }

    /// Notes that something was not begun for want of money.
    pub fn use_up(&self) {
        held(&self.money).is_used_up = true;
    }

    /// Notes an answer that came in a batch.
    pub fn taken_in(&self, open: &OpenAsk, usage: Option<Usage>) {
        let step = open.ask.step;
        let price = self.lane(step).price.in_batch();
        self.note(open, (usage, None), (&price, true));
    }

    /// Waits for a place in the step's lane and for money that calls in flight may leave over.
    /// `None`: nobody is asked any more in this run.
    pub async fn leave(&self, open: &OpenAsk) -> Option<Leave<'_>> {
        let step = open.ask.step;
        // The lanes are never closed.
        let place = self.lane(step).places.acquire().await.ok()?;
        let most = self.most(open);
        loop {
            let mut ended = std::pin::pin!(self.ended.notified());
            ended.as_mut().enable();
            if self.faults.is_given_up(step) {
                return None;
            }
            {
                let mut money = held(&self.money);
                let is_within =
                    self.limit.is_none_or(|it| money.spent + money.in_flight + most <= it);
                if most.is_zero() || (is_within && !money.is_used_up) {
                    money.in_flight += most;
                    return Some(Leave { control: self, step, most, _place: place });
                }
                if money.is_used_up || money.in_flight.is_zero() {
                    money.is_used_up = true;
                    return None;
                }
            }
            ended.await;
        }
    }

    /// True where a call was not begun for want of money.
    pub fn is_used_up(&self) -> bool {
        held(&self.money).is_used_up
    }

    /// What the answers of this run cost, by step.
    pub fn costs(&self) -> (Decimal, BTreeMap<Step, StepCost>) {
        let money = held(&self.money);
        let total = money.steps.values().map(|it| it.1).sum();
        let steps = money.steps.iter().map(|(step, (counts, cost))| {
            (*step, StepCost { cost: cost.normalize().to_string(), ..counts.clone() })
        });
        (total, steps.collect())
    }

    fn lane(&self, step: Step) -> &Lane {
        match step {
            Step::Extract => &self.extract,
            Step::Review => &self.review,
        }
    }

    /// The most a call can cost: half as many tokens again as counted, and the longest reply.
    pub fn most(&self, open: &OpenAsk) -> Decimal {
        let lane = self.lane(open.ask.step);
        if lane.price.is_free() {
            return Decimal::ZERO;
        }
        let input = sent_tokens(open);
        let usage = Usage { input: Some(input + input.div_ceil(2)), ..Usage::default() };
        let price = if lane.is_in_batches { lane.price.in_batch() } else { lane.price.clone() };
        price.cost(Usage { output: Some(lane.max_tokens), ..usage })
    }

    /// Counts tokens and money of one answer; what is not reported is approximated.
    fn note(
        &self,
        open: &OpenAsk,
        (usage, reply): (Option<Usage>, Option<&str>),
        (price, is_batch): (&Price, bool),
    ) {
        let reported = usage.filter(|it| it.input.is_some() && it.output.is_some());
        let usage = reported.unwrap_or_else(|| match price.is_free() {
            true => Usage::default(),
            false => Usage {
                input: Some(sent_tokens(open)),
                output: Some(reply.map_or(0, approximate_tokens)),
                ..Usage::default()
            },
        });
        let cost = price.cost(usage);
        let mut money = held(&self.money);
        money.spent += cost;
        let (counts, sum) = money.steps.entry(open.ask.step).or_default();
        counts.calls += 1;
        counts.unreported += u64::from(reported.is_none());
        counts.batch += u64::from(is_batch);
        counts.input += usage.input.unwrap_or(0);
        counts.output += usage.output.unwrap_or(0);
        counts.cached += usage.cached.unwrap_or(0);
        *sum += cost;
    }
}

impl Leave<'_> {
    /// Notes the answer and what it cost; tokens that are not reported are approximated.
    pub fn answered(self, open: &OpenAsk, answer: &Answer) {
        let control = self.control;
        control.faults.answered(self.step);
        let price = &control.lane(self.step).price;
        control.note(open, (answer.usage, Some(&answer.reply)), (price, false));
    }

    /// Notes that the ask failed for good.
    pub fn failed(self, error: &AnswerError) {
        self.control.faults.failed(self.step, error);
        if *error == AnswerError::TimedOut {
            held(&self.control.money).spent += self.most;
        }
    }
}

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        held(&self.control.money).in_flight -= self.most;
        self.control.ended.notify_waiters();
    }
}

fn sent_tokens(open: &OpenAsk) -> u64 {
    let chat = chat_request(&open.ask);
    approximate_tokens(&chat.system)
        + approximate_tokens(&chat.user)
        + approximate_tokens(&chat.schema.to_string())
}
