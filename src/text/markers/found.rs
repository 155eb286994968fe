//! A marker as it was found: what it is, where it stands, how far it reaches. Plain values; nothing here
//! reads a text.

use crate::text::markers::marker_words::Strength;
use crate::text::span::Span;

/// What a marker does to its sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MarkerKind {
    /// not, never, without, 不, 未, 非, 無.
    Negation,
    /// A negated comparison: "not more than", 不超過, 未滿. It belongs to a limit.
    Bound,
    /// except, unless, "does not apply", 但, 除…外, 不在此限.
    Exception,
    /// only, solely, 僅, 只, 以…為限.
    Restriction,
    /// usually, about, "in principle", 原則上, 約, 酌情.
    Hedge,
    /// must, may, 應, 得: with its strength.
    Force(Strength),
    /// `*`, `†`, `[1]`, ¹, 註1: says that more is said elsewhere.
    Footnote,
}

/// One marker in its sentence. All spans count in the text that was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marker {
    pub kind: MarkerKind,
    /// The word itself; for 除…外 from 除 to 外.
    pub span: Span,
    /// The part of the sentence whose meaning changes if the word is left out.
    pub reach: Span,
    /// The clause the word stands in.
    pub clause: Span,
}
