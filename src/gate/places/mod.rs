//! Where a quote stands on its page, and what is read there.

pub mod above;
pub mod choose;
pub mod footnoted;
pub mod index;
pub mod locate;
pub mod nearest;
pub mod placing;
pub mod stand;
pub mod stream;
pub mod tongue;
pub mod words;
