//! A row in the making: places in the ask's text and what was read there.
//!
//! A draft always quotes the ask's own bytes; it holds no words of its own but the unit's name.

use crate::model::claim::{Claim, Force, Join, Op, Value};
use crate::model::source::Field;
use crate::reader::concept::{Act, Shape};
use crate::reader::stated::Measure;
use crate::text::span::Span;

/// A row before its field and id are chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The quote.
    pub snippet: Span,
    /// The part of the quote that the value is about; the field is chosen by it.
    pub clause: Span,
    /// Where the words of the subject stand, if anywhere.
    pub subject: Option<Span>,
    /// Whom the sentence is about, where that stands apart from the subject: 低收入戶者，….
    pub topic: Option<Span>,
    pub op: Op,
    pub value: Value,
    pub unit: Option<String>,
    pub shape: Shape,
    pub act: Act,
    pub force: Option<Force>,
    /// Where the sentence itself joins the row with others of it: how, and the words that hold them.
    pub bond: Option<(Join, Span)>,
}

impl Draft {
    /// A row that states words: `words` is the part of the snippet they are.
    pub fn words(text: &str, snippet: Span, words: Span, act: Act) -> Self {
        Self {
            snippet,
            clause: snippet,
            subject: None,
            topic: None,
            op: Op::Is,
            value: Value::Text(words.slice(text).unwrap_or_default().to_owned()),
            unit: None,
            shape: Shape::Words,
            act,
            force: None,
            bond: None,
        }
    }

    /// A row that states a quantity.
    pub fn measure(snippet: Span, clause: Span, measure: &Measure, act: Act) -> Self {
        Self {
            snippet,
            clause,
            subject: None,
            topic: None,
            op: measure.op,
            value: measure.value.clone(),
            unit: measure.unit.clone(),
            shape: measure.shape,
            act,
            force: None,
            bond: None,
        }
    }

    /// The same with a force.
    pub fn with_force(mut self, force: Option<Force>) -> Self {
        self.force = force;
        self
    }

    /// The same, joined with other rows of `words`.
    pub fn bound(mut self, join: Join, words: Span) -> Self {
        self.bond = Some((join, words));
        self
    }

    /// The same with a subject.
    pub fn with_subject(mut self, subject: Option<Span>) -> Self {
        self.subject = subject.filter(|it| !it.is_empty());
        self
    }
}

/// Where a draft stands: the list it is in and what stands above it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seat<'a> {
    pub join: Option<Join>,
    /// Name of the group, the same for all items of a list.
    pub group: Option<&'a str>,
    /// Subject where the sentence names none: lead-in or heading.
    pub subject: &'a str,
}

/// Turns a draft into a claim.
pub fn claim_of(text: &str, draft: &Draft, field: &Field, seat: Seat<'_>) -> Claim {
    let words = |span: Option<Span>| {
        span.and_then(|it| it.slice(text)).map(str::trim).filter(|it| !it.is_empty())
    };
    let own = words(draft.subject);
    let subject = match (words(draft.topic), own) {
        (Some(topic), Some(own)) if !own.starts_with(topic) => format!("{topic}，{own}"),
        (_, Some(own)) => own.to_owned(),
        (Some(topic), None) => topic.to_owned(),
        (None, None) => seat.subject.to_owned(),
    };
    Claim {
        id: String::new(),
        subject,
        field: field.name.clone(),
        op: draft.op,
        value: draft.value.clone(),
        unit: draft.unit.clone(),
        join: seat.join,
        group: seat.group.map(str::to_owned),
        force: draft.force,
        snippet: draft.snippet.slice(text).unwrap_or_default().to_owned(),
        statement: None,
    }
}
