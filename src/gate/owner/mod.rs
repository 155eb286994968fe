//! Of whom and of what a quote speaks.

pub mod cell;
pub mod name;
pub mod respective;
pub mod rival;
pub mod subject;
