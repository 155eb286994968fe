//! How members combine, how sure that is, and which words say so: plain values.
//!
//! Made by `text::lead_in` and `text::connective`; nothing here reads a text.

use crate::text::span::Span;

/// How members combine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Combination {
    All,
    Any,
    None,
}

impl Combination {
    /// The word of rows and groups: "all", "any", "none".
    pub fn as_str(self) -> &'static str {
        match self {
            Combination::All => "all",
            Combination::Any => "any",
            Combination::None => "none",
        }
    }
}

/// How sure the answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    /// The source says so.
    Stated,
    /// It follows from how the sentence is built: 符合下列條件, a list closed by one "and".
    Implied,
    /// The source can be read both ways; the combination given is only the likelier one.
    Ambiguous,
}

/// A combination with the words that state it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connection {
    pub combination: Combination,
    pub certainty: Certainty,
    /// The words that say so, in the text that was given.
    pub span: Span,
}
