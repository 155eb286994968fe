//! Tests that need nothing but this checkout, in one binary so that linking is paid once.
#![allow(clippy::unwrap_used)]

mod asks;
mod asks_money;
mod batches;
mod change;
mod client;
mod client_random;
mod crawl;
mod crawl_kill;
mod crawl_laws;
mod demo;
mod desk;
mod dialects;
mod fetch;
mod findings;
mod floors;
mod formats;
mod fuzz;
mod gate;
mod gate_laws;
mod gate_stream;
mod golden;
mod page;
mod prompts;
mod reader;
mod readme;
mod report;
mod run;
mod sample;
mod sheet;
mod signoff;
mod sources;
mod text;
mod text_laws;
mod text_outline;
mod trial;
