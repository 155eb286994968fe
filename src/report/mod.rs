//! The report of a run for people: one page that needs nothing but itself.

pub mod page;
pub mod run;
pub mod sums;
pub mod words;
