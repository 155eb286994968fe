//! (tests on ../shared)
