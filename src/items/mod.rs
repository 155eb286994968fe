//! Reading a page: decoded HTML to canonical text, and canonical text to items.

pub mod articles;
pub mod below;
pub mod block;
pub mod cut;
pub mod element;
pub mod fingerprint;
pub mod grid;
pub mod key;
pub mod label;
pub mod line;
pub mod ordinal;
pub mod page;
pub mod parse;
pub mod piece;
pub mod sections;
pub mod select;
pub mod shown;
pub mod signs;
pub mod stylesheet;
pub mod survey;
pub mod walk;
pub mod writer;
