//! And and or, not, must, except, only, and what a quote cuts off.

pub mod added;
pub mod around;
pub mod consent;
pub mod cut_word;
pub mod dropped;
pub mod force;
pub mod join;
pub mod leading;
pub mod listed;
pub mod member;
pub mod noted;
pub mod polarity;
