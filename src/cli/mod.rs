//! One file per command; arguments, exit codes, and the human and JSON form of the same report.

pub mod args;
pub mod exit;
pub mod gate;
pub mod progress;
pub mod score;
