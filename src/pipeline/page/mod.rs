//! Pages from their frozen text to their rows on record: planned, carried, read, written.

pub mod basis;
pub mod candidate;
pub mod carry;
pub mod earlier;
pub mod end;
pub mod outside;
pub mod plan;
pub mod reader_watch;
pub mod record;
pub mod rows;
pub mod settling;
pub mod sizes;
pub mod state;
pub mod superseded;
pub mod unfinished;
pub mod work;
