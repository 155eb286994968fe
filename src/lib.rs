//! countersign turns official pages into quoted, gated, reviewed conditions that a client can sign.
//!
//! The modules below stand in floors, lowest first, one blank-line group a floor. A file imports
//! only from lower floors, and stages never import stages; `tests/it/floors.rs` enforces it and
//! `docs/ARCHITECTURE.md` explains it.

pub mod text;

pub mod model;

pub mod fetch;
pub mod llm;
pub mod store;

pub mod ask;
pub mod reader;

pub mod gate;

pub mod plant;

pub mod change;
pub mod crawl;
pub mod extract;
pub mod items;
pub mod report;
pub mod review;
pub mod score;
pub mod sheet;
pub mod signoff;
pub mod snapshot;
pub mod sources;
pub mod trial;

pub mod pipeline;

pub mod cli;
