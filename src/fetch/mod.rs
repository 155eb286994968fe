//! Getting bytes from outside: one narrow trait, its implementations beside it.

pub mod address;
pub mod clock;
pub mod exchange;
pub mod http;
pub mod loopback;
