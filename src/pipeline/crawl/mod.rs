//! A crawl wired up: made now or gone on with, its evidence kept.

pub mod crawling;
pub mod keeping;
pub mod page_reader;
pub mod step;
