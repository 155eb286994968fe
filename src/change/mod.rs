//! What changed between two editions: items matched by key, then by text; passages; words.

pub mod gloss;
pub mod likeness;
pub mod looks;
pub mod matching;
pub mod passages;
pub mod reason;
pub mod references;
pub mod relabel;
pub mod rows;
pub mod weight;
pub mod words;
