//! Words that turn, except, narrow or soften a rule, and words aimed at machines.

pub mod ban_reach;
pub mod found;
pub mod machine;
pub mod machine_words;
pub mod marker;
pub mod marker_context;
pub mod marker_reach;
pub mod marker_words;
pub mod turned;
