//! The steps that a run declares, each with its record in the ledger; one without ends the run.
//!
//! Read back from the ledger itself: that a function was called proves nothing.

use crate::store::ledger::{Ledger, LedgerError, StepRecord};

/// Steps that every source of a run goes through.
pub const SOURCE_STEPS: &[&str] = &["crawl", "read", "extract", "gate", "review"];

/// The step of the run as a whole: sheet, report and summary.
pub const PAPERS: &str = "papers";

/// A declared step that left no record, or one that does not add up.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    #[error(
        "{}: declared, but left no record in this run; nothing of this run is to be relied on",
        named(name, source_id)
    )]
    Missing { name: String, source_id: String },
    #[error(
        "{}: {went_in} went in, {came_out} came out; nothing of this run is to be relied on",
        named(name, source_id)
    )]
    Unequal { name: String, source_id: String, went_in: u64, came_out: u64 },
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

fn named(name: &str, source: &str) -> String {
    if source.is_empty() { format!("step {name}") } else { format!("step {name} of {source}") }
}

/// Proves from the ledger that each source went through every step, and that each step's record adds
/// up; `papers` too, where sheet and report were due.
///
/// # Errors
/// The first step that is missing or unequal.
pub fn prove_steps(
    ledger: &dyn Ledger,
    run: &str,
    sources: &[&str],
    has_papers: bool,
) -> Result<(), StepError> {
    let records = ledger.steps(run)?;
    let of_sources =
        sources.iter().flat_map(|it| SOURCE_STEPS.iter().map(move |name| (*name, *it)));
    for (name, source) in of_sources.chain(has_papers.then_some((PAPERS, ""))) {
        let is_it = |it: &&StepRecord| it.name == name && it.source == source;
        let (name, source_id) = (name.to_owned(), source.to_owned());
        match records.iter().find(is_it) {
            None => return Err(StepError::Missing { name, source_id }),
            Some(it) if it.count_in != it.count_out => {
                let (went_in, came_out) = (it.count_in, it.count_out);
                return Err(StepError::Unequal { name, source_id, went_in, came_out });
            }
            Some(_) => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::project::ProjectPaths;
    use crate::pipeline::wiring::open_ledger;

    #[test]
    fn a_step_without_a_record_and_one_that_lost_something_are_named() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("sources")).unwrap();
        let project = ProjectPaths::find(dir.path()).unwrap();
        let mut ledger = open_ledger(&project, "2026-01-05T00:00:00Z", "u").unwrap();
        ledger.begin_run("r1", "bulk", "2026-01-05T00:00:00Z").unwrap();
        let step = |name: &str, source: &str, count_out| StepRecord {
            run: "r1".to_owned(),
            name: name.to_owned(),
            source: source.to_owned(),
            count_in: 3,
            count_out,
            detail: String::new(),
        };
        for name in SOURCE_STEPS.iter().filter(|it| **it != "review") {
            ledger.record_step(&step(name, "甲", 3)).unwrap();
        }
        let error = prove_steps(&*ledger, "r1", &["甲"], false).unwrap_err();
        assert!(error.to_string().starts_with("step review of 甲: declared"), "{error}");
        ledger.record_step(&step("review", "甲", 2)).unwrap();
        let error = prove_steps(&*ledger, "r1", &["甲"], false).unwrap_err();
        assert!(matches!(error, StepError::Unequal { went_in: 3, came_out: 2, .. }), "{error}");
        ledger.record_step(&step("review", "甲", 3)).unwrap();
        assert!(prove_steps(&*ledger, "r1", &["甲"], false).is_ok());
        let error = prove_steps(&*ledger, "r1", &["甲"], true).unwrap_err();
        assert!(error.to_string().starts_with("step papers: declared"), "{error}");
    }
}
