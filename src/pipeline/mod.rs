//! Strings the stages together: projects, rounds, runs, the wiring.

pub mod again;
pub mod crawling;
pub mod desk;
pub mod estimate;
pub mod failure;
pub mod keeping;
pub mod lock;
pub mod outputs;
pub mod page_end;
pub mod page_reader;
pub mod page_record;
pub mod pages;
pub mod plan;
pub mod progress;
pub mod project;
pub mod reading;
pub mod record;
pub mod rows;
pub mod run;
pub mod standing;
pub mod sums;
pub mod surroundings;
pub mod verify;
pub mod wiring;
pub mod work;
pub mod written;
