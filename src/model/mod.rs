//! The words of the field as plain values. No rule and no I/O lives here.

pub mod ask;
pub mod baseline;
pub mod canonical;
pub mod claim;
pub mod config;
pub mod decision;
pub mod explain;
pub mod finding;
pub mod item;
pub mod page;
pub mod page_map;
pub mod phrase;
pub mod quote;
pub mod returned;
pub mod row;
pub mod run;
pub mod sheet;
pub mod signing;
pub mod snapshot;
pub mod source;
