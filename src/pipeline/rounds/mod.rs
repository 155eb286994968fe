//! Asks and answers: who may ask, what is on record, the state of one item, batches.

pub mod alone;
pub mod batch_record;
pub mod batch_search;
pub mod batches;
pub mod batching;
pub mod clerk;
pub mod control;
pub mod desk;
pub mod faults;
pub mod reading;
pub mod record;
pub mod remaining;
