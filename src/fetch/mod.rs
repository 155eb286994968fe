//! Getting bytes from outside: one narrow trait, its implementations beside it.

pub mod exchange;
pub mod loopback;
