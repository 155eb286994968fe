//! The first pass: ask an extractor for the conditions of one item and put its rows through the gate.

pub mod examples;
pub mod step;
