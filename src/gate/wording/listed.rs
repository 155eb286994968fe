//! Whether a row that names several things joins them as the page does: ["card", "letter"] as all of
//! them, where the page says "a card or a letter".
//!
//! Asked only where the row says how, and where the quote holds the words themselves.

use crate::gate::places::stand::Stand;
use crate::model::claim::{Force, Join, Value};
use crate::model::finding::{Code, Finding};
use crate::text::joins::combination::{Certainty, Combination};
use crate::text::joins::connective::join_between;
use crate::text::span::Span;

/// CONNECTIVE_CHANGED, where the words of one row are joined otherwise on the page.
pub fn check_listed(stand: &Stand) -> Option<Finding> {
    let claim = stand.claim;
    let (Some(stated), Value::List(items)) = (claim.join, &claim.value) else { return None };
    // In a list, or in a group, the join is that of the items.
    if claim.group.is_some() || !stand.lead_ins().is_empty() {
        return None;
    }
    let places = places_of(stand, items)?;
    let text = stand.page.text();
    let joints = places.windows(2).filter_map(|it| join_between(text, stand.context, it[0], it[1]));
    let found = joints.rev().find(|it| it.certainty != Certainty::Ambiguous)?;
    let is_changed = match (stated, found.combination) {
        (Join::All, Combination::Any) => true,
        // "Parents and guardians may apply": each of them may. Both papers must be brought.
        (Join::Any, Combination::All) => claim.force == Some(Force::Must),
        _ => false,
    };
    let (source, word) = (found.combination.as_str(), stand.page.slice(found.span));
    let stated = stated.as_str();
    let detail = stand.page.pick(
        || format!("the page combines by {source} (“{word}”), the row by {stated}"),
        || format!("頁面的關係是 {source}（「{word}」），資料列寫成 {stated}"),
    );
    let (code, evidence) = (Code::ConnectiveChanged, Some(source.to_owned()));
    is_changed.then_some(Finding { code, detail, place: Some(stand.span), evidence })
}

/// Where the words stand in the quote, one behind the other.
fn places_of(stand: &Stand, items: &[Value]) -> Option<Vec<Span>> {
    const MOST: usize = 12;
    if items.len() < 2 || MOST < items.len() {
        return None;
    }
    let quote = stand.quote_text();
    let mut from = 0;
    let place = |item: &Value| {
        let Value::Text(words) = item else { return None };
        let words = words.trim();
        let at = from + quote.get(from..)?.find(words).filter(|_| !words.is_empty())?;
        from = at + words.len();
        Some(Span::new(at, from).shifted(stand.span.start))
    };
    items.iter().map(place).collect()
}
