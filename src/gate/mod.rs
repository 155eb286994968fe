//! The judge: whether a stated row is what the page says.

pub mod index;
pub mod locate;
pub mod stream;
