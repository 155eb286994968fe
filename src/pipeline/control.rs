//! Who may ask now: the calls in flight of each step, and the faults that end the asking.

use tokio::sync::{Semaphore, SemaphorePermit};

use crate::llm::answerer::AnswerError;
use crate::model::ask::Step;
use crate::model::config::ProjectConfig;
use crate::pipeline::faults::Faults;

/// The control of one run's asks.
#[derive(Debug)]
pub struct Control {
    extract_lane: Semaphore,
    review_lane: Semaphore,
    faults: Faults,
}

/// Leave to ask once; given back when it is dropped.
#[derive(Debug)]
pub struct Leave<'a> {
    _place: SemaphorePermit<'a>,
}

impl Control {
    /// As many calls in flight as each reader is configured for.
    pub fn new(config: &ProjectConfig) -> Self {
        Self {
            extract_lane: Semaphore::new(config.extractor.concurrency.max(1)),
            review_lane: Semaphore::new(config.reviewer.concurrency.max(1)),
            faults: Faults::default(),
        }
    }

    /// Waits for a place in the step's lane. `None`: nobody is asked any more in this run.
    pub async fn leave(&self, step: Step) -> Option<Leave<'_>> {
        let lane = match step {
            Step::Extract => &self.extract_lane,
            Step::Review => &self.review_lane,
        };
        // The lanes are never closed.
        let place = lane.acquire().await.ok()?;
        (!self.faults.is_given_up(step)).then_some(Leave { _place: place })
    }

    /// Notes an answer.
    pub fn answered(&self, step: Step) {
        self.faults.answered(step);
    }

    /// Notes that an ask failed for good.
    pub fn failed(&self, step: Step, error: &AnswerError) {
        self.faults.failed(step, error);
    }
}
