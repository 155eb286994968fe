//! The gate's mutation score: planted errors caught, right rows refused.

pub mod dice;
pub mod kind;
pub mod plant_quote;
pub mod plant_value;
pub mod plant_words;
pub mod run;
pub mod soil;
