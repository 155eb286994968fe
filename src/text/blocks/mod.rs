//! Lines, blocks, lists and tables of a text, recovered from its bytes alone.

pub mod block;
pub mod enumerator;
pub mod layout;
pub mod lead_in;
pub mod line;
pub mod nesting;
pub mod note;
pub mod numbered_note;
pub mod outline;
pub mod title;
pub mod unnumbered;
