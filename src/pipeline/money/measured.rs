//! What asks really took: noted by source and step in the ledger, and what the next estimate learns.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::ask::Step;
use crate::store::ledger::{Ledger, LedgerError, StepRecord};

/// What the asks of one step of one source took in a run, beside what was counted before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Measured {
    /// The model that answered.
    pub model: String,
    /// First asks that were answered.
    pub first: u64,
    /// Asks with reasons that were answered.
    pub again: u64,
    /// Tokens of all of them, as counted by us.
    pub counted: u64,
    /// Tokens of the items' texts, of first asks.
    pub text: u64,
    /// Tokens of the rows shown, of first asks.
    pub rows: u64,
    /// Tokens as reported: in (cached ones included), out, from the cache.
    pub input: u64,
    pub output: u64,
    pub cached: u64,
    /// What they cost: decimal text.
    pub cost: String,
}

impl Measured {
    /// Adds another count; money is not added, since prices change.
    pub fn add(&mut self, other: &Self) {
        self.first += other.first;
        self.again += other.again;
        self.counted += other.counted;
        self.text += other.text;
        self.rows += other.rows;
        self.input += other.input;
        self.output += other.output;
        self.cached += other.cached;
    }
}

/// What was measured in all runs of a project so far, by model and step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History(BTreeMap<(String, Step), Measured>);

/// Name of a step's record in the ledger.
fn record_name(step: Step) -> &'static str {
    match step {
        Step::Extract => "money.extract",
        Step::Review => "money.review",
    }
}

/// The record of what a step of a source took in a run.
pub fn money_record(run: &str, source: &str, step: Step, measured: &Measured) -> StepRecord {
    let calls = measured.first + measured.again;
    StepRecord {
        run: run.to_owned(),
        name: record_name(step).to_owned(),
        source: source.to_owned(),
        count_in: calls,
        count_out: calls,
        // Numbers and names: no text makes this fail.
        detail: serde_json::to_string(measured).unwrap_or_default(),
    }
}

impl History {
    /// Reads what all runs noted.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn read(ledger: &dyn Ledger) -> Result<Self, LedgerError> {
        let mut history = Self::default();
        for run in ledger.runs()? {
            for record in ledger.steps(&run.id)? {
                let steps = [Step::Extract, Step::Review];
                let Some(step) = steps.into_iter().find(|it| record_name(*it) == record.name)
                else {
                    continue;
                };
                if let Ok(measured) = serde_json::from_str(&record.detail) {
                    history.add(step, &measured);
                }
            }
        }
        Ok(history)
    }

    /// Adds what one step took.
    pub fn add(&mut self, step: Step, measured: &Measured) {
        let sum = self.0.entry((measured.model.clone(), step)).or_default();
        sum.add(measured);
        sum.model.clone_from(&measured.model);
    }

    /// What a model took in a step; nothing where it was never asked.
    pub fn of(&self, model: &str, step: Step) -> Measured {
        self.0.get(&(model.to_owned(), step)).cloned().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_add_up_by_model_and_step() {
        let one = Measured { model: "m".to_owned(), first: 3, input: 30, ..Measured::default() };
        let other = Measured { model: "n".to_owned(), ..one.clone() };
        let mut history = History::default();
        for measured in [&one, &one, &other] {
            history.add(Step::Extract, measured);
        }
        assert_eq!(history.of("m", Step::Extract).input, 60);
        assert_eq!(history.of("n", Step::Extract).first, 3);
        assert_eq!(history.of("m", Step::Review), Measured::default());
        let record = money_record("r1", "s", Step::Review, &one);
        assert_eq!((record.name.as_str(), record.count_in), ("money.review", 3));
        assert_eq!(serde_json::from_str::<Measured>(&record.detail).unwrap(), one);
    }
}
