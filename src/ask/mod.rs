//! Asks: how one is composed, what its canonical form and name are, how a reply is read.

pub mod bounds;
pub mod canonical;
pub mod compose;
pub mod json;
pub mod message;
pub mod prompt;
pub mod proof;
pub mod reply;
pub mod schema;
pub mod stated;
