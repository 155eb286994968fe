//! The judge: whether a stated row is what the page says.

pub mod carry;
pub mod check;
pub mod checks;
pub mod contract;
pub mod digest;
pub mod docs;
pub mod draft;
pub mod hearing;
pub mod judge;
pub mod owner;
pub mod page;
pub mod places;
pub mod row;
pub mod scope;
pub mod sentences;
pub mod state;
pub mod values;
pub mod wording;
