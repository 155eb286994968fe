//! Ground floor: what can be said of a piece of text without knowing any word of the field.

pub mod outline;
pub mod span;
