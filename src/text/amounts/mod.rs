//! Numbers with unit, currency, period and comparison: what a rule can be about.

pub mod amount;
pub mod binding;
pub mod comparator;
pub mod comparison_words;
pub mod measure;
pub mod money;
pub mod period;
pub mod quantity;
pub mod range;
pub mod reach;
pub mod relation;
pub mod standing;
pub mod unit;
pub mod unit_table;
