//! What runs left behind: their rows, their steps, where the project stands, the story of a row.

pub mod comparing;
pub mod kept;
pub mod standing;
pub mod step_records;
pub mod steps;
pub mod story;
