//! Rows that cannot both be right: two values for one thing, at two places of the page.
//!
//! It says which rows and why; who is right is for a person.

use std::collections::BTreeMap;

use rust_decimal::Decimal;

use crate::gate::digest::digest_of;
use crate::gate::page::PageText;
use crate::gate::places::stream::forms_of;
use crate::gate::places::words::stems_of;
use crate::gate::values::value::{Wanted, unit_of, wanted_of};
use crate::model::claim::{Claim, Join, Op};
use crate::text::amounts::quantity::read_quantities;
use crate::text::amounts::unit::Unit;
use crate::text::span::Span;

/// A row is compared with this many sides of a matter, the first ones.
const MAX_SIDES: usize = 64;

/// More matters than this are not looked into.
pub const MAX_MATTERS: usize = 1_000_000;

/// What a row says on a matter that others may say otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    pub id: String,
    /// The value as stated.
    pub shown: String,
    value: Wanted,
    unit: Option<(Unit, Decimal)>,
    span: Span,
    is_alternative: bool,
}

impl Side {
    /// The side that a row at `span` takes.
    pub fn of(claim: &Claim, span: Span) -> Self {
        Self {
            id: claim.id.clone(),
            shown: claim.value.to_string(),
            value: wanted_of(claim),
            unit: unit_of(claim),
            span,
            is_alternative: claim.join == Some(Join::Any),
        }
    }
}

/// Subject, field and operator, where a second value would contradict; `None` for all other rows.
pub fn topic_of(claim: &Claim) -> Option<u128> {
    let is_plain = matches!(wanted_of(claim), Wanted::Number(_) | Wanted::Date(_));
    if !is_plain || matches!(claim.op, Op::Is | Op::In | Op::Ne) {
        return None;
    }
    let subject = forms_of(&claim.subject).join(" ");
    Some(digest_of(&[&claim.field, &subject, claim.op.as_str()]))
}

/// The topic in the quote's own words: no word and no other number in one quote of a matter tells
/// its case from another's.
pub fn matter_of(page: &PageText, claim: &Claim, span: Span) -> Option<u128> {
    let topic = topic_of(claim)?.to_string();
    let quote = page.slice(span);
    let mut words = stems_of(&without_numbers(quote));
    for it in stems_of(&claim.subject) {
        words.remove(&it);
    }
    let words: Vec<String> = words.into_iter().collect();
    let stated = wanted_of(claim);
    let values = read_quantities(quote).into_iter().flat_map(|it| it.numbers);
    let mut others: Vec<Decimal> =
        values.map(|it| it.value).filter(|it| Wanted::Number(*it) != stated).collect();
    others.sort();
    let others: Vec<String> = others.iter().map(|it| it.normalize().to_string()).collect();
    Some(digest_of(&[&topic, &words.join(" "), &others.join(" ")]))
}

/// The sides taken on each matter.
#[derive(Clone, Debug, Default)]
pub struct Disputes {
    sides: BTreeMap<u128, Vec<Side>>,
}

impl Disputes {
    /// True where nothing was noted.
    pub fn is_empty(&self) -> bool {
        self.sides.is_empty()
    }

    /// Notes a side, in the order of the reply.
    pub fn take(&mut self, matter: u128, side: Side) {
        if MAX_MATTERS <= self.sides.len() && !self.sides.contains_key(&matter) {
            return;
        }
        let sides = self.sides.entry(matter).or_default();
        let is_known = |it: &Side| {
            (&it.value, &it.unit, it.span, it.is_alternative)
                == (&side.value, &side.unit, side.span, side.is_alternative)
        };
        if sides.len() < MAX_SIDES && !sides.iter().any(is_known) {
            sides.push(side);
        }
    }

    /// The first side that contradicts the given one.
    pub fn against(&self, page: &PageText, matter: u128, side: &Side) -> Option<&Side> {
        let sides = self.sides.get(&matter)?;
        sides.iter().find(|it| contradict(page, it, side))
    }
}

/// The text without its numbers and what they count.
fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    let mut from = 0;
    for quantity in read_quantities(text) {
        let numbers = quantity.numbers.iter().map(|it| it.span);
        for span in numbers.chain(quantity.unit_span) {
            if from <= span.start {
                out.push_str(text.get(from..span.start).unwrap_or_default());
                out.push(' ');
                from = span.end;
            }
        }
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

fn contradict(page: &PageText, one: &Side, two: &Side) -> bool {
    let units_agree = match (&one.unit, &two.unit) {
        (Some(a), Some(b)) => a.1 == b.1 && a.0.agrees_with(&b.0),
        _ => true,
    };
    if one.value == two.value || one.is_alternative && two.is_alternative || !units_agree {
        return false;
    }
    // One sentence does not contradict itself; two cases of one scale differ in their other numbers.
    let sentence = |it: &Side| page.sentences_of(it.span).start;
    !one.span.overlaps(two.span)
        && sentence(one) != sentence(two)
        && !are_items(page, one.span, two.span)
}

/// Items of one list, or of lists inside it, are cases of one rule.
fn are_items(page: &PageText, one: Span, two: Span) -> bool {
    let outline = page.outline();
    let leads =
        |it: Span| outline.block_at(it.start).map(|at| outline.lead_ins(at)).unwrap_or_default();
    let others = leads(two);
    leads(one).iter().any(|it| others.contains(it))
}
