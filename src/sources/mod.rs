//! What people write for a project: `sources/*.toml` and `countersign.toml`; checked, never mended.

pub mod address;
pub mod config_file;
pub mod config_show;
pub mod document;
pub mod field_list;
pub mod folder;
pub mod init;
pub mod label;
pub mod language;
pub mod mistakes;
pub mod problem;
pub mod sample;
pub mod sample_files;
pub mod section;
pub mod setting;
pub mod source_file;
pub mod suggest;
