//! The sentence ledger: what each sentence is, and which rows use it.

pub mod bearing;
pub mod coverage;
pub mod fate;
pub mod ledger;
pub mod ledger_read;
pub mod omission;
