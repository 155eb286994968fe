//! Tests that need nothing but this checkout, in one binary so that linking is paid once.
#![allow(clippy::unwrap_used)]

#[path = "../support/hostile_units.rs"]
mod hostile_units;
#[path = "../support/site.rs"]
mod site;
#[allow(dead_code)] // headers and replies of the other test binary
#[path = "../support/wire.rs"]
mod wire;

mod asks;
mod asks_money;
mod attacks;
mod batches;
mod batches_broken;
mod billing;
mod chain;
mod change;
mod change_kill;
mod change_kinds;
mod change_meaning;
mod change_offers;
mod client;
mod client_random;
mod crawl;
mod crawl_again;
mod crawl_kill;
mod crawl_known;
mod crawl_laws;
mod demo;
mod desk;
mod dialects;
mod ferry;
mod fetch;
mod findings;
mod floors;
mod formats;
mod fuzz;
mod gate;
mod gate_laws;
mod gate_pages;
mod gate_stream;
mod golden;
mod hostile;
mod interrupted;
mod money;
mod page;
mod prompts;
mod reader;
mod readme;
mod removed;
mod report;
mod returned;
mod review;
mod run;
mod sample;
mod sender;
mod settings;
mod sheet;
mod signoff;
mod sources;
mod stopped;
mod store;
mod text;
mod text_laws;
mod text_outline;
mod trial;
mod watch;
