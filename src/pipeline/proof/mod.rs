//! The chain under every row, proven again from bytes alone, here or by another person.

pub mod bundle;
pub mod bundle_file;
pub mod chain;
pub mod links;
pub mod stated;
pub mod verify;
