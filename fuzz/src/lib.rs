//! The targets of the fuzzer; see `targets`.

pub mod hostile;
pub mod targets;
