//! Editions side by side: what differs, what it touches, what may be gone.

pub mod blast;
pub mod diffing;
pub mod removals;
pub mod touches;
