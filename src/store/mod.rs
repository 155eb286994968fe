//! The project's ledger and index: one narrow set of values, its SQLite implementation beside it.

pub mod ledger;
pub mod sqlite;
