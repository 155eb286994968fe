//! Strings the stages together: projects, rounds, runs, the wiring.

pub mod change;
pub mod client;
pub mod crawl;
pub mod failure;
pub mod held;
pub mod history;
pub mod lock;
pub mod money;
pub mod page;
pub mod papers;
pub mod progress;
pub mod project;
pub mod proof;
pub mod rounds;
pub mod run;
pub mod sums;
pub mod surroundings;
pub mod wiring;
pub mod written;
