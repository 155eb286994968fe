//! Strings the stages together: projects, rounds, runs, the wiring.

pub mod lock;
pub mod progress;
pub mod project;
pub mod written;
