//! Dates in both calendars, and lengths of time.

pub mod calendar;
pub mod date;
pub mod dated;
pub mod duration;
pub mod elision;
