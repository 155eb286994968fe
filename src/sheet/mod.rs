//! The client's workbook: what is issued, how it is written and how a returned file is read.

pub mod again;
pub mod archive;
pub mod columns;
pub mod csv_file;
pub mod examples;
pub mod fill;
pub mod grid;
pub mod height;
pub mod issue;
pub mod kinds;
pub mod links;
pub mod ods_file;
pub mod order;
pub mod parts;
pub mod read;
pub mod receipt;
pub mod style;
pub mod table;
pub mod tabs;
pub mod told;
pub mod view;
pub mod why;
pub mod words;
pub mod write;
pub mod xlsx_file;
