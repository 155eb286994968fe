//! The gate's mutation score: planted errors caught, right rows refused.

pub mod run;
