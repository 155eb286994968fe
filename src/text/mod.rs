//! Ground floor: what can be said of a piece of text without knowing any word of the field.

pub mod abbreviation;
pub mod block;
pub mod charset;
pub mod enumerator;
pub mod fold;
pub mod fragment;
pub mod glyph;
pub mod layout;
pub mod line;
pub mod nesting;
pub mod ordinal;
pub mod outline;
pub mod prescan;
pub mod script;
pub mod sentence;
pub mod span;
