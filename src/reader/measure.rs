//! The quantities and dates of a sentence, as rows state them: operator, plain value, unit.
//!
//! It reads nothing itself; `text` does. What `text` leaves open stays out of the rows.

use crate::model::claim::{Op, Value};
use crate::reader::concept::Shape;
use crate::text::span::Span;

/// One quantity or date of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// Number, unit and the words that compare.
    pub span: Span,
    /// The number or date alone.
    pub number: Span,
    pub op: Op,
    pub value: Value,
    pub unit: Option<String>,
    pub shape: Shape,
}

/// The quantities and dates within `span` of `text`, in reading order.
pub fn measures_in(_text: &str, _span: Span) -> Vec<Measure> {
    Vec::new()
}
