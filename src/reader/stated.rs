//! A quantity or date of a sentence as a row states it: operator, plain value, unit.
//!
//! A value only; it reads nothing.

use crate::model::claim::{Op, Value};
use crate::reader::concept::Shape;
use crate::text::span::Span;

/// One quantity or date of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// Number, unit and the words that compare.
    pub span: Span,
    /// Number and unit without the words that compare.
    pub number: Span,
    pub op: Op,
    pub value: Value,
    pub unit: Option<String>,
    pub shape: Shape,
    /// True where a word compares: at least, within, 以上, 未滿.
    pub is_compared: bool,
    /// True where no number is written: "a year".
    pub is_implied: bool,
}
