//! The second pass: an adversarial reviewer goes through every row again, and is itself judged.

pub mod decoy;
pub mod step;
