//! Strings the stages together: projects, rounds, runs, the wiring.

pub mod estimate;
pub mod keeping;
pub mod lock;
pub mod outputs;
pub mod page_reader;
pub mod page_record;
pub mod pages;
pub mod progress;
pub mod project;
pub mod reading;
pub mod record;
pub mod rows;
pub mod wiring;
pub mod written;
