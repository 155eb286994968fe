//! Who may ask now: the calls in flight of each step, the faults and the money that end the asking.
//!
//! A call is begun only when the most it can cost, together with the most that all calls in flight
//! can cost, still fits the budget. What is in flight is always waited for and kept.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use rust_decimal::Decimal;
use tokio::sync::{Notify, Semaphore, SemaphorePermit};

use crate::ask::bounds::reply_bounds;
use crate::ask::compose::OpenAsk;
use crate::ask::message::chat_of;
use crate::llm::answerer::AnswerError;
use crate::llm::chat::ChatRequest;
use crate::llm::price::{Price, PriceError, PriceTable};
use crate::llm::settings::ModelSettings;
use crate::llm::tokens::Counter;
use crate::model::ask::{Answer, Ask, Step, Usage};
use crate::model::config::{AnswererKind, ProjectConfig, ReaderConfig};
use crate::model::run::StepCost;
use crate::pipeline::held::held;
use crate::pipeline::money::measured::Measured;
use crate::pipeline::rounds::alone::{Alone, AtWork};
use crate::pipeline::rounds::faults::Faults;
use crate::pipeline::wiring;

/// The control of one run's asks.
#[derive(Debug)]
pub struct Control {
    extract: Lane,
    review: Lane,
    faults: Faults,
    limit: Option<Decimal>,
    prices: PriceTable,
    money: Mutex<Money>,
    /// Asks that are in a batch at a provider, or may be.
    reserved: Mutex<BTreeSet<String>>,
    at_work: AtWork,
    /// Rung whenever a call in flight ends.
    ended: Notify,
}

#[derive(Debug)]
struct Lane {
    places: Semaphore,
    model: String,
    price: Price,
    counter: Counter,
    /// Decides with the item how long a reply can be.
    settings: ModelSettings,
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
    /// By source and step.
    steps: BTreeMap<(String, Step), Sums>,
}

#[derive(Clone, Debug, Default)]
struct Sums {
    counts: StepCost,
    measured: Measured,
    cost: Decimal,
}

/// Leave to ask once. It is given back when it is dropped.
#[derive(Debug)]
pub struct Leave<'a> {
    control: &'a Control,
    source: &'a str,
    step: Step,
    /// Tokens that are sent, as counted by us; 0 where they cost nothing.
    sent: u64,
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
            let model = wiring::priced_name(of).to_owned();
            let counter = Counter::of(&model);
            let settings = wiring::model_settings(of);
            Ok(Lane { places, model, price, counter, settings, is_in_batches: false })
        };
        Ok(Self {
            extract: lane(&config.extractor)?,
            review: lane(&config.reviewer)?,
            faults: Faults::default(),
            limit: config.budget.max_cost,
            prices: prices.clone(),
            money: Mutex::default(),
            reserved: Mutex::default(),
            at_work: AtWork::default(),
            ended: Notify::new(),
        })
    }

    /// Begins no call any more; those in flight go on.
    pub fn halt(&self) {
        for lane in [&self.extract, &self.review] {
            lane.places.close();
        }
        self.ended.notify_waiters();
    }

    /// Waits until no other item is at work on this ask.
    pub async fn alone(&self, digest: &str) -> Alone<'_> {
        self.at_work.alone(digest).await
    }

    /// Calls that both readers together may have in flight; before the first one is made.
    pub fn places(&self) -> usize {
        self.extract.places.available_permits() + self.review.places.available_permits()
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

    /// How the tokens of a step are counted; `None` where they cost nothing.
    pub fn counter(&self, step: Step) -> Option<Counter> {
        let lane = self.lane(step);
        (!lane.price.is_free()).then_some(lane.counter)
    }

    /// True where this much may be spent beside what is spent already.
    pub fn fits(&self, amount: Decimal) -> bool {
        self.limit.is_none_or(|it| held(&self.money).spent + amount <= it)
    }

    /// Notes that something was not begun for want of money.
    pub fn use_up(&self) {
        held(&self.money).is_used_up = true;
    }

    /// Notes an answer that came in a batch, at the price of the model that the batch was made for, which
    /// need not be the one that is configured now.
    ///
    /// # Errors
    /// When that model has no price, or one in another currency.
    pub fn taken_in(
        &self,
        (source, model): (&str, &str),
        open: &OpenAsk,
        answer: &Answer,
    ) -> Result<(), PriceError> {
        let price = self.prices.price(model)?;
        let currencies = [&self.extract.price, &self.review.price];
        if let Some(other) = currencies
            .into_iter()
            .find(|it| !it.is_free() && !price.is_free() && it.currency != price.currency)
        {
            return Err(PriceError::Mixed {
                model: model.to_owned(),
                priced: price.currency,
                other: other.currency.clone(),
            });
        }
        let chat = chat_of(&open.ask, &open.digest);
        let sent = if price.is_free() { 0 } else { Counter::of(model).count_chat(&chat) };
        self.note((source, open, sent), answer, (&price.in_batch(), true));
        Ok(())
    }

    /// Waits for a place in the step's lane and for money that calls in flight may leave over.
    /// `None`: nobody is asked any more in this run.
    pub async fn leave<'a>(
        &'a self,
        source: &'a str,
        open: &OpenAsk,
        chat: &ChatRequest,
    ) -> Option<Leave<'a>> {
        let step = open.ask.step;
        let place = self.lane(step).places.acquire().await.ok()?;
        let sent = self.lane(step).sent_tokens(|| Cow::Borrowed(chat));
        let most = self.most_of(open, sent);
        loop {
            let mut ended = std::pin::pin!(self.ended.notified());
            ended.as_mut().enable();
            if self.faults.is_given_up(step) || self.lane(step).places.is_closed() {
                return None;
            }
            {
                let mut money = held(&self.money);
                let is_within =
                    self.limit.is_none_or(|it| money.spent + money.in_flight + most <= it);
                if most.is_zero() || (is_within && !money.is_used_up) {
                    money.in_flight += most;
                    return Some(Leave { control: self, source, step, sent, most, _place: place });
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
        let mut steps: BTreeMap<Step, (StepCost, Decimal)> = BTreeMap::new();
        for ((_, step), sums) in &money.steps {
            let (counts, cost) = steps.entry(*step).or_default();
            counts.add(&sums.counts);
            *cost += sums.cost;
        }
        let total = money.steps.values().map(|it| it.cost).sum();
        let steps = steps.into_iter().map(|(step, (counts, cost))| {
            (step, StepCost { cost: cost.normalize().to_string(), ..counts })
        });
        (total, steps.collect())
    }

    /// What the answers of this run took, by source and step; nothing where it costs nothing.
    pub fn measured(&self) -> BTreeMap<(String, Step), Measured> {
        let money = held(&self.money);
        let paid = money.steps.iter().filter(|((_, step), _)| !self.lane(*step).price.is_free());
        paid.map(|((source, step), sums)| {
            let measured = Measured {
                model: self.lane(*step).model.clone(),
                cost: sums.cost.normalize().to_string(),
                ..sums.measured.clone()
            };
            ((source.clone(), *step), measured)
        })
        .collect()
    }

    fn lane(&self, step: Step) -> &Lane {
        match step {
            Step::Extract => &self.extract,
            Step::Review => &self.review,
        }
    }

    /// The most that an ask can cost in a batch: as a live call, at the price of a batch.
    pub fn most(&self, open: &OpenAsk) -> Decimal {
        self.most_of(open, self.sent_tokens(open))
    }

    /// The most a call can cost: half as many tokens again as counted, and the longest reply that its
    /// request allows.
    fn most_of(&self, open: &OpenAsk, sent: u64) -> Decimal {
        let lane = self.lane(open.ask.step);
        if lane.price.is_free() {
            return Decimal::ZERO;
        }
        let price = if lane.is_in_batches { lane.price.in_batch() } else { lane.price.clone() };
        price.most(sent + sent.div_ceil(2), longest_reply(lane, &open.ask))
    }

    fn sent_tokens(&self, open: &OpenAsk) -> u64 {
        let chat = || Cow::Owned(chat_of(&open.ask, &open.digest));
        self.lane(open.ask.step).sent_tokens(chat)
    }

    /// Counts tokens and money of one answer; what is not reported, or cannot be true, is approximated.
    fn note(
        &self,
        (source, open, sent): (&str, &OpenAsk, u64),
        answer: &Answer,
        (price, is_batch): (&Price, bool),
    ) {
        let counter = self.lane(open.ask.step).counter;
        let reported = answer.usage.filter(|it| is_credible(*it, &answer.reply));
        let usage = reported.unwrap_or_else(|| match price.is_free() {
            true => Usage::default(),
            false => Usage {
                input: Some(sent),
                output: Some(counter.count(&answer.reply)),
                ..Usage::default()
            },
        });
        let cost = price.cost(usage);
        let mut money = held(&self.money);
        money.spent += cost;
        let sums = money.steps.entry((source.to_owned(), open.ask.step)).or_default();
        sums.cost += cost;
        let counts = &mut sums.counts;
        counts.calls += 1;
        counts.unreported += u64::from(reported.is_none());
        counts.batch += u64::from(is_batch);
        counts.input += usage.input.unwrap_or(0);
        counts.output += usage.output.unwrap_or(0);
        counts.cached += usage.cached.unwrap_or(0);
        if !price.is_free() {
            sums.measured.add(&measured(open, (sent, usage), counter));
        }
    }
}

impl Lane {
    /// Tokens that are sent for an ask; not counted where they cost nothing.
    fn sent_tokens<'c>(&self, chat: impl FnOnce() -> Cow<'c, ChatRequest>) -> u64 {
        if self.price.is_free() { 0 } else { self.counter.count_chat(&chat()) }
    }
}

/// The longest reply that an ask's request allows.
fn longest_reply(lane: &Lane, ask: &Ask) -> u64 {
    lane.settings.reply_limit(&reply_bounds(ask)).map_or(0, u64::from)
}

/// True where both counts are there and neither says that a request, or a reply with words in it, took
/// nothing: some servers fill the counts in with zeros.
fn is_credible(usage: Usage, reply: &str) -> bool {
    usage.input.is_some_and(|it| it > 0)
        && usage.output.is_some_and(|it| it > 0 || reply.trim().is_empty())
}

/// What one answered ask took.
fn measured(open: &OpenAsk, (counted, usage): (u64, Usage), counter: Counter) -> Measured {
    let ask = &open.ask;
    let is_first = ask.attempt == 1;
    let rows = || {
        let rows = ask.rows.iter().filter_map(|it| serde_json::to_string(it).ok());
        rows.map(|it| counter.count(&it)).sum()
    };
    Measured {
        first: u64::from(is_first),
        again: u64::from(!is_first),
        counted,
        text: if is_first { counter.count(&ask.text) } else { 0 },
        rows: if is_first { rows() } else { 0 },
        input: usage.input.unwrap_or(0),
        output: usage.output.unwrap_or(0),
        cached: usage.cached.unwrap_or(0),
        ..Measured::default()
    }
}

impl Leave<'_> {
    /// Notes the answer and what it cost; tokens that are not reported are approximated.
    pub fn answered(self, open: &OpenAsk, answer: &Answer) {
        let control = self.control;
        control.faults.answered(self.step);
        let price = &control.lane(self.step).price;
        control.note((self.source, open, self.sent), answer, (price, false));
    }

    /// Whether the call may be made once more: one without a reply counts as charged, and the next has to
    /// fit beside it.
    pub fn may_try_again(&self, error: &AnswerError) -> bool {
        if !error.may_be_charged() || self.most.is_zero() {
            return true;
        }
        let mut money = held(&self.control.money);
        let is_within =
            self.control.limit.is_none_or(|it| money.spent + money.in_flight + self.most <= it);
        if is_within {
            money.spent += self.most;
        } else {
            money.is_used_up = true;
        }
        is_within
    }

    /// Notes that the ask failed for good.
    pub fn failed(self, error: &AnswerError) {
        self.control.faults.failed(self.step, error);
        if error.may_be_charged() {
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
