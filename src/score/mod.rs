//! Extracted rows against rows labelled by hand: found, right, and wrong though accepted.

pub mod compare;
pub mod label;
pub mod matching;
pub mod place;
pub mod table;
pub mod tally;
