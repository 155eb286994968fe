//! Ground floor: what can be said of a piece of text without knowing any word of the field.

pub mod abbreviation;
pub mod amounts;
pub mod blocks;
pub mod dates;
pub mod glyphs;
pub mod joins;
pub mod language;
pub mod letters;
pub mod lexeme;
pub mod markers;
pub mod numbers;
pub mod sentence;
pub mod span;
