//! The order of the rows a client decides on: where a minute pays most comes first.
//!
//! Rows that rest on one sentence are read together, so they stand together: the sentence is read
//! once and decides them all. Never an order that depends on how the rows came in.

use std::collections::BTreeMap;

use crate::model::claim::{Op, Value};
use crate::model::explain::explain;
use crate::model::row::RowRecord;
use crate::model::sheet::{ChangedPair, SheetLanguage};
use crate::text::glyphs::letter::is_han;

/// Seconds to choose a word and check the link; measured with nobody, taken as a plain guess.
const DECISION_SECONDS: u64 = 15;
/// Characters of Han text, and of other text, that a careful reader takes in a second: about 300
/// characters and 200 words a minute.
const HAN_PER_SECOND: u64 = 5;
const LATIN_PER_SECOND: u64 = 18;

/// The rows in the order they are asked, and how long that takes.
#[derive(Debug)]
pub struct Agenda<'a> {
    pub rows: Vec<&'a RowRecord>,
    pub seconds: u64,
}

/// Puts rows in the order of stake per second of reading.
pub fn agenda<'a>(rows: impl IntoIterator<Item = &'a RowRecord>) -> Agenda<'a> {
    let mut clauses: BTreeMap<(&str, &str, &str, &str), Vec<&RowRecord>> = BTreeMap::new();
    for row in rows {
        clauses.entry((&row.source, &row.page, &row.item, &row.sentence)).or_default().push(row);
    }
    let mut clauses: Vec<Clause> = clauses.into_values().map(Clause::new).collect();
    // Stake per second, compared without a division; ties by place.
    clauses.sort_by(|a, b| {
        (b.stake * a.seconds).cmp(&(a.stake * b.seconds)).then_with(|| a.place().cmp(&b.place()))
    });
    let seconds = clauses.iter().map(|it| it.seconds).sum();
    Agenda { rows: clauses.into_iter().flat_map(|it| it.rows).collect(), seconds }
}

/// Pairs of old and new: those whose rule changed first, then other wording, then what only has
/// another number or heading; ties by key.
pub fn changed_order(pairs: &[ChangedPair]) -> Vec<&ChangedPair> {
    let rule = |it: &RowRecord| {
        let claim = &it.claim;
        (claim.value.clone(), claim.op, claim.unit.clone(), claim.join, claim.force)
    };
    let weight = |it: &ChangedPair| {
        let has_other_rule = rule(&it.old) != rule(&it.new);
        (!has_other_rule, it.old.sentence == it.new.sentence)
    };
    let mut pairs: Vec<&ChangedPair> = pairs.iter().collect();
    pairs.sort_by_cached_key(|it| (weight(it), it.new.key.clone(), it.old.key.clone()));
    pairs
}

/// Rows that are decided by reading one sentence.
struct Clause<'a> {
    rows: Vec<&'a RowRecord>,
    stake: u64,
    seconds: u64,
}

impl<'a> Clause<'a> {
    fn new(mut rows: Vec<&'a RowRecord>) -> Self {
        rows.sort_by_key(|it| place_of(it));
        let stake = rows.iter().map(|it| stake_of(it)).sum();
        let reading = rows.first().map_or(0, |it| reading_seconds(&it.sentence));
        let seconds = reading + DECISION_SECONDS * rows.len() as u64;
        Self { rows, stake, seconds }
    }

    fn place(&self) -> Option<(&'a str, &'a str, usize, &'a str)> {
        self.rows.first().map(|it| place_of(it))
    }
}

fn place_of(row: &RowRecord) -> (&str, &str, usize, &str) {
    let start = row.place.map_or(usize::MAX, |it| it.bytes.start);
    (&row.source, &row.page, start, &row.key)
}

/// What is at stake: the worst finding, more for a value that decides who is in and who is out.
fn stake_of(row: &RowRecord) -> u64 {
    let worst = row
        .findings
        .iter()
        .map(|it| u64::from(explain(it.code, SheetLanguage::English).stake))
        .max()
        .unwrap_or(3);
    let is_threshold = !matches!(row.claim.op, Op::Is)
        && matches!(row.claim.value, Value::Number(_) | Value::List(_));
    worst * if is_threshold { 3 } else { 2 }
}

fn reading_seconds(text: &str) -> u64 {
    let han = text.chars().filter(|it| is_han(*it)).count() as u64;
    let other = text.chars().count() as u64 - han;
    1 + han / HAN_PER_SECOND + other / LATIN_PER_SECOND
}
