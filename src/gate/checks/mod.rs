//! What else is checked: a quote that is nowhere, too short, or at odds with other rows.

pub mod absent;
pub mod across;
pub mod disputes;
pub mod repeats;
pub mod short;
pub mod signs;
