//! What went wrong with whoever answers, and when to stop asking.
//!
//! One ask that cannot be answered waits and the others go on; a reader that answers nothing any
//! more is not asked again in this run. What was answered is kept either way.

use std::sync::Mutex;

use crate::llm::answerer::AnswerError;
use crate::model::ask::Step;
use crate::pipeline::held::held;

/// Asks of one step that fail one after the other, each after its own tries, before it is given up.
const FAILED_IN_A_ROW: u32 = 3;

/// The faults of one run, by step.
#[derive(Debug, Default)]
pub struct Faults {
    extract: Mutex<Row>,
    review: Mutex<Row>,
}

#[derive(Debug, Default)]
struct Row {
    in_a_row: u32,
    is_given_up: bool,
}

impl Faults {
    /// True where this step's reader is not asked again in this run.
    pub fn is_given_up(&self, step: Step) -> bool {
        held(self.of(step)).is_given_up
    }

    /// Notes an answer.
    pub fn answered(&self, step: Step) {
        held(self.of(step)).in_a_row = 0;
    }

    /// Notes that an ask failed for good.
    pub fn failed(&self, step: Step, error: &AnswerError) {
        let mut row = held(self.of(step));
        row.in_a_row += 1;
        // A key that is not accepted for one ask is accepted for none, and an empty account pays none.
        row.is_given_up |= row.in_a_row >= FAILED_IN_A_ROW
            || matches!(error, AnswerError::Unauthorised { .. } | AnswerError::NoMoney { .. });
    }

    fn of(&self, step: Step) -> &Mutex<Row> {
        match step {
            Step::Extract => &self.extract,
            Step::Review => &self.review,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bad_ask_stops_nothing_and_a_dead_reader_or_a_wrong_key_does() {
        let faults = Faults::default();
        for _ in 0..10 {
            faults.failed(Step::Extract, &AnswerError::TimedOut);
            faults.answered(Step::Extract);
        }
        assert!(!faults.is_given_up(Step::Extract));
        for _ in 0..FAILED_IN_A_ROW {
            faults.failed(Step::Extract, &AnswerError::TimedOut);
        }
        assert!(faults.is_given_up(Step::Extract) && !faults.is_given_up(Step::Review));
        faults.failed(Step::Review, &AnswerError::Unauthorised { detail: String::new() });
        assert!(faults.is_given_up(Step::Review));
    }
}
