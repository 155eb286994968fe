//! The client's workbook: what is issued, how it is written and how a returned file is read.

pub mod columns;
pub mod height;
pub mod issue;
pub mod links;
pub mod order;
pub mod style;
pub mod view;
pub mod words;
pub mod write;
