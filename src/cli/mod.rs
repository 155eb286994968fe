//! One file per command; arguments, exit codes, and the human and JSON form of the same report.

pub mod args;
pub mod asks;
pub mod batches;
pub mod context;
pub mod crawl;
pub mod demo;
pub mod diff;
pub mod doctor;
pub mod estimate;
pub mod exit;
pub mod export;
pub mod gate;
pub mod gate_lines;
pub mod init;
pub mod look;
pub mod papers;
pub mod progress;
pub mod run;
pub mod score;
pub mod scoring;
pub mod signoff;
pub mod start;
pub mod surroundings;
pub mod trial;
pub mod verify;
pub mod words;
