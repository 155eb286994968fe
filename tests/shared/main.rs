//! Tests on real pages and shared cases. They fail, and never skip, where `../shared` is missing.
#![allow(clippy::unwrap_used)]

mod corpus;
mod crawl_cases;
mod crawl_corpus;
mod gate_cases;
mod gate_gold;
mod gold;
mod govuk;
mod innertext;
mod page;
mod page_truth;
mod quantities;
mod sheet_cases;
mod text_readers;
