//! Frozen pages on disk: written once, named by their digest, proved on every reading.

pub mod files;
pub mod lines;
pub mod store;
pub mod verify;
