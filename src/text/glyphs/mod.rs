//! Bytes, letters and looks: charsets, folding, scripts, what hides in a text.

pub mod charset;
pub mod fold;
pub mod fragment;
pub mod glyph;
pub mod letter;
pub mod neutral;
pub mod prescan;
pub mod script;
pub mod smuggle;
pub mod wording;
