//! Numbers, dates, units and how they compare.

pub mod headed;
pub mod lapse;
pub mod measure;
pub mod number;
pub mod period;
pub mod value;
pub mod worth;
