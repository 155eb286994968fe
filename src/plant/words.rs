//! Errors in how a row binds and combines: and/or flipped, a "not" put in, a "may" made a "must".

use std::sync::LazyLock;

use regex::Regex;

use crate::gate::places::words::stems_of;
use crate::model::claim::{Claim, Force, Join, Value};
use crate::plant::dice::Dice;
use crate::plant::kind::Kind;
use crate::plant::soil::{Plant, Soil, trimmed};
use crate::text::blocks::outline::BlockKind;
use crate::text::markers::marker::{MarkerKind, Strength};
use crate::text::span::Span;

/// Plants an error of one of the kinds named above; `None` where the row has nothing to spoil.
pub fn plant_words(soil: &Soil, kind: Kind) -> Option<Plant> {
    match kind {
        Kind::JoinFlipped => join(soil),
        Kind::NegationAdded => negation(soil),
        Kind::ForceHardened => force(soil),
        _ => None,
    }
}

/// Only where the page itself says how the row combines: in the words above its list, or in those
/// between it and the next row of its group.
fn join(soil: &Soil) -> Option<Plant> {
    let old = soil.claim().join?;
    let new = match old {
        Join::All => Join::Any,
        Join::Any => Join::All,
        Join::None => return None,
    };
    if !says_how(soil, old) {
        return None;
    }
    let claim = Claim { join: Some(new), ..soil.claim().clone() };
    let change = format!("{} -> {}", old.as_str(), new.as_str());
    Some(Plant { claim, change, is_true: false })
}

static ALL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\ball of\b|\bboth of\b|\beach of\b|\ball the following|各款|各項|均|同時").ok()
});
static ANY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\bone of\b|\bany of\b|\beither\b|\bone or more of\b|之一").ok()
});

fn says_how(soil: &Soil, join: Join) -> bool {
    let outline = soil.page.outline();
    let Some(block) = outline.block_at(soil.span.start) else { return false };
    if let Some(lead) = outline.lead_in(block) {
        let words = soil.page.slice(outline.blocks[lead].content);
        let last = words.trim_end_matches([':', '：', '.', '。']).rsplit(['.', '。']).next();
        let last = last.unwrap_or_default();
        let found = |it: &Option<Regex>| it.as_ref().is_some_and(|it| it.is_match(last));
        // Rows of one item combine by its own words, which the list does not tell.
        return !shares_block(soil, block)
            && match join {
                Join::All => found(&ALL) && !found(&ANY),
                _ => found(&ANY) && !found(&ALL),
            };
    }
    next_in_group(soil).is_some_and(|next| {
        let between = soil.page.slice(Span::new(soil.span.end, next.start)).trim().to_lowercase();
        let between = between.trim_matches([',', '，', ' ']);
        match join {
            Join::All => ["and", "且", "並", "及"].contains(&between),
            _ => ["or", "或"].contains(&between),
        }
    })
}

fn shares_block(soil: &Soil, block: usize) -> bool {
    let outline = soil.page.outline();
    let group = &soil.claim().group;
    soil.rows.iter().zip(soil.places).enumerate().any(|(at, (row, place))| {
        at != soil.at
            && row.group == *group
            && row.join.is_some()
            && place.and_then(|it| outline.block_at(it.start)) == Some(block)
    })
}

/// The place of the nearest row of the group behind this one, in the same sentence.
fn next_in_group(soil: &Soil) -> Option<Span> {
    let group = &soil.claim().group;
    let sentence = soil.sentences().last()?;
    let mates = soil
        .rows
        .iter()
        .zip(soil.places)
        .filter(|(row, _)| row.group == *group && row.join.is_some());
    let places = mates.filter_map(|(_, place)| *place);
    places.filter(|it| soil.span.end <= it.start && sentence.contains(*it)).min()
}

/// A "not" that the page does not have.
fn negation(soil: &Soil) -> Option<Plant> {
    let Value::Text(old) = &soil.claim().value else { return None };
    let is_date = old.len() == 10 && old.as_bytes().get(4) == Some(&b'-');
    if is_date {
        return None;
    }
    let is_han = old.chars().any(|it| !it.is_ascii() && it.is_alphabetic());
    let new = if is_han { format!("不{old}") } else { format!("not {old}") };
    let claim = Claim { value: Value::Text(new.clone()), ..soil.claim().clone() };
    let is_true = soil.quote().contains(&new);
    Some(Plant { claim, change: format!("{old} -> {new}"), is_true })
}

/// The row said of somebody or something else that the page speaks of in another section.
pub fn other_subject(soil: &Soil, dice: &mut Dice) -> Option<Claim> {
    let outline = soil.page.outline();
    let own = outline.block_at(soil.span.start)?;
    let mut path = outline.heading_path(own);
    path.push(own);
    let is_name = |at: usize| {
        let words = soil.page.slice(outline.blocks[at].content);
        !words.chars().any(char::is_numeric) && !words.starts_with('第')
    };
    let is_other = |at: &usize| {
        let block = &outline.blocks[*at];
        block.kind == BlockKind::Heading
            && !path.contains(at)
            && is_name(*at)
            && path.iter().any(|it| {
                outline.blocks[*it].kind == BlockKind::Heading
                    && outline.blocks[*it].depth == block.depth
            })
    };
    let headings: Vec<usize> = (0..outline.blocks.len()).filter(is_other).collect();
    let subject = soil.page.slice(outline.blocks[*dice.pick(&headings)?].content);
    let is_said = soil.page.slice(outline.blocks[own].span).contains(subject);
    (!is_said).then(|| Claim { subject: subject.to_owned(), ..soil.claim().clone() })
}

/// The value of another row, or where there is none the words of another sentence, in the place of the
/// row's own.
pub fn other_words(soil: &Soil, dice: &mut Dice) -> Option<Claim> {
    /// Characters of a sentence that could pass for a value.
    const SHORT: std::ops::RangeInclusive<usize> = 4..=120;
    let Value::Text(own) = &soil.claim().value else { return None };
    let of_rows = soil.rows.iter().enumerate().filter(|(at, _)| *at != soil.at);
    let mut all: Vec<&str> = of_rows
        .filter_map(|(_, row)| match &row.value {
            Value::Text(words) => Some(words.as_str()),
            _ => None,
        })
        .collect();
    if all.is_empty() {
        let sentences = soil.page.sentences().iter().filter(|it| !it.overlaps(soil.span));
        all = sentences.map(|it| trimmed(soil.page.slice(*it))).collect();
    }
    let quote = stems_of(soil.quote());
    // Words that the quote has as well would be as true.
    let is_other = |it: &&str| {
        let stems = stems_of(it);
        SHORT.contains(&it.chars().count())
            && *it != own.as_str()
            && !stems.is_empty()
            && stems.intersection(&quote).count() * 2 < stems.len()
    };
    all.retain(|it| is_other(it));
    let words = *dice.pick(&all)?;
    Some(Claim { value: Value::Text(words.to_owned()), statement: None, ..soil.claim().clone() })
}

/// "may", "should" or "in principle" made a "must".
fn force(soil: &Soil) -> Option<Plant> {
    let old = soil
        .claim()
        .force
        .filter(|it| matches!(it, Force::May | Force::Should | Force::InPrinciple))?;
    let wanted = match old {
        Force::May => Strength::May,
        Force::Should => Strength::Should,
        _ => Strength::InPrinciple,
    };
    let markers = soil.markers();
    let has = |strength: Strength| {
        markers
            .iter()
            .any(|it| it.kind == MarkerKind::Force(strength) && soil.span.contains(it.span))
    };
    // Only where the quote itself has the softer word and no harder one stands beside it.
    if !has(wanted) {
        return None;
    }
    let is_true = markers
        .iter()
        .any(|it| matches!(it.kind, MarkerKind::Force(Strength::Must | Strength::MustNot)))
        || ["require", "necessary", "need"].iter().any(|it| soil.quote().contains(it));
    let claim = Claim { force: Some(Force::Must), ..soil.claim().clone() };
    Some(Plant { claim, change: format!("{} -> must", old.as_str()), is_true })
}
