//! What a run leaves for people: sheet, report, counts, and the same made again.

pub mod again;
pub mod news;
pub mod omissions;
pub mod outputs;
pub mod paper;
pub mod today;
pub mod unshown;
