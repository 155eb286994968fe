//! Tests on real pages and shared cases. They fail, and never skip, where `../shared` is missing.
#![allow(clippy::unwrap_used)]

mod change_cases;
mod corpus;
mod crawl_cases;
mod crawl_corpus;
mod gate_cases;
mod gate_gold;
mod gate_rules;
mod gate_trial;
mod gold;
mod govuk;
mod innertext;
mod office;
mod page;
mod page_truth;
mod quantities;
mod scripted;
mod sheet_cases;
mod sheet_programs;
mod text_readers;
mod update;
mod update_score;
mod watch;

#[allow(dead_code)] // fixtures of the other test binary
#[path = "../it/client.rs"]
mod client;
#[allow(dead_code)]
#[path = "../it/desk.rs"]
mod desk;
#[allow(dead_code)] // silence and relays of the other test binary
#[path = "../support/wire.rs"]
mod wire;
