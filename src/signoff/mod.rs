//! The sign-off: what a returned sheet means, what of it can be taken, and what goes back.

pub mod approved;
pub mod compare;
pub mod context;
pub mod correction;
pub mod export;
pub mod ledger;
pub mod parquet;
pub mod plan;
pub mod receipt;
pub mod record;
pub mod row;
pub mod settle;
pub mod signature;
pub mod word;
pub mod wording;
pub mod written;
