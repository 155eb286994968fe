//! The score of a set of rows: what was found, what is right, what is wrong though accepted.
//!
//! Pure: it reads no file. Rows from parts of a page that nobody labelled are left out of every
//! count, and so are labels the annotator was not sure of.

use std::collections::{BTreeMap, BTreeSet};

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::model::claim::{Claim, Value};
use crate::model::row::{RowRecord, RowStatus};
use crate::score::compare::{Agreement, compare, decimal};
use crate::score::label::{Gold, Label, page_key};
use crate::score::matching::{Edge, best_pairs};
use crate::score::place::{Folded, longest_common, shared_bytes};
use crate::text::amounts::quantity::read_all;
use crate::text::dates::date::read_dates;
use crate::text::glyphs::letter::is_han;

/// Numbers of one slice of the rows: all of them, one field, one language, one page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// Labels that count.
    pub labels: u64,
    /// Rows that count: accepted or flagged, on labelled parts of labelled pages.
    pub rows: u64,
    /// Pairs of a row and a label that tell of the same place.
    pub located: u64,
    /// Of the located pairs: those in which the row has this right.
    pub value: u64,
    pub op: u64,
    pub unit: u64,
    /// Of the pairs in `join_compared`.
    pub join: u64,
    pub force: u64,
    pub field: u64,
    /// Located pairs whose label stands in a list with one label an item: nested lists are flat in
    /// the labels, so their joins cannot be compared.
    pub join_compared: u64,
    /// Rows the client would not be shown for decision.
    pub accepted: u64,
    /// Of these: located.
    pub accepted_located: u64,
    /// Of these: value or operator wrong.
    pub accepted_wrong: u64,
    /// Rows the client is asked about.
    pub flagged: u64,
    /// Of these: located.
    pub flagged_located: u64,
}

impl Counts {
    /// Share of the rows that are located, in hundredths of a percent.
    pub fn precision(&self) -> f64 {
        share(self.located, self.rows)
    }

    /// Share of the labels that are located.
    pub fn recall(&self) -> f64 {
        share(self.located, self.labels)
    }

    /// Harmonic mean of precision and recall.
    pub fn f1(&self) -> f64 {
        share(2 * self.located, self.rows + self.labels)
    }

    /// Share of the accepted, located rows with a wrong value or operator.
    pub fn wrong_though_accepted(&self) -> f64 {
        share(self.accepted_wrong, self.accepted_located)
    }
}

/// `part` of `whole`, 0 for nothing of nothing.
#[expect(clippy::cast_precision_loss, reason = "counts of rows stay far below 2^52")]
pub fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// The whole score.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    pub all: Counts,
    /// By the label's field; rows without a label count under their own.
    pub by_field: BTreeMap<String, Counts>,
    /// `zh` where the snippet has Han characters, else `en`.
    pub by_language: BTreeMap<String, Counts>,
    pub by_page: BTreeMap<String, Counts>,
    /// Labels the annotator was not sure of, left out.
    pub unsure_labels: u64,
    /// Rows that met such a label, left out.
    pub unsure_rows: u64,
    /// Rows from parts nobody labelled, left out.
    pub uncovered_rows: u64,
    /// Labelled pages from which no row came at all.
    pub pages_without_rows: Vec<String>,
    /// Labels whose snippet does not stand on the page handed in.
    pub labels_not_on_page: u64,
    /// What was matched with what, for reading and for raising the reader.
    pub pairs: Vec<Pair>,
}

/// One label with its row, one label nobody found, or one row nobody labelled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    pub page: String,
    pub label: Option<Claim>,
    pub row: Option<Claim>,
    pub is_unsure: bool,
    pub is_accepted: bool,
    /// What the row has wrong: `value`, `op`, `unit`, `join`, `force`, `field`.
    pub wrong: Vec<String>,
}

/// Scores `rows` against `gold`. `pages` holds canonical texts by `path?query`; where a page is not
/// in it, snippets are compared as words instead of places.
pub fn score(gold: &Gold, rows: &[RowRecord], pages: &BTreeMap<String, String>) -> Score {
    let mut score = Score::default();
    let mut rows_of: BTreeMap<String, Vec<&RowRecord>> = BTreeMap::new();
    for row in rows.iter().filter(|it| counts(it.status)) {
        rows_of.entry(page_key(&row.page)).or_default().push(row);
    }
    let labelled: BTreeSet<&String> = gold.labels.iter().map(|it| &it.page).collect();
    for page in labelled {
        let labels: Vec<&Label> = gold.labels.iter().filter(|it| &it.page == page).collect();
        let rows = rows_of.remove(page.as_str()).unwrap_or_default();
        if rows.is_empty() {
            score.pages_without_rows.push(page.clone());
        }
        let part = PagePart {
            page,
            labels,
            rows,
            text: pages.get(page).map(String::as_str),
            items: gold.coverage.get(page).map(Vec::as_slice),
        };
        part.add_to(&mut score);
    }
    score
}

/// Dropped and merged rows are shown to nobody.
fn counts(status: RowStatus) -> bool {
    matches!(status, RowStatus::Accepted | RowStatus::Flagged)
}

struct PagePart<'a> {
    page: &'a String,
    labels: Vec<&'a Label>,
    rows: Vec<&'a RowRecord>,
    text: Option<&'a str>,
    items: Option<&'a [String]>,
}

impl PagePart<'_> {
    fn add_to(&self, score: &mut Score) {
        let edges = self.edges(score);
        let pairs = best_pairs(&edges);
        let row_of: BTreeMap<usize, usize> = pairs.iter().copied().collect();
        let label_of: BTreeMap<usize, usize> = pairs.iter().map(|&(a, b)| (b, a)).collect();
        for at in 0..self.labels.len() {
            let row = row_of.get(&at).map(|&it| self.rows[it]);
            self.add_label(at, row, score);
        }
        for (at, row) in self.rows.iter().enumerate() {
            if !label_of.contains_key(&at) {
                self.add_loose_row(row, score);
            }
        }
    }

    /// Pairs that may be made. A sure label goes before an unsure one, more pairs before better
    /// ones, then value, operator, field, and how much of the snippets is shared.
    fn edges(&self, score: &mut Score) -> Vec<Edge> {
        let page = self.text.map(|text| (text, Folded::new(text)));
        let mut edges = Vec::new();
        for (label_at, label) in self.labels.iter().enumerate() {
            let snippet = Folded::new(&label.claim.snippet);
            let places = page.as_ref().map(|(text, folded)| folded.places_of(&snippet, text));
            if places.as_ref().is_some_and(Vec::is_empty) {
                score.labels_not_on_page += 1;
            }
            for (row_at, row) in self.rows.iter().enumerate() {
                let percent = match (&places, row.place) {
                    (Some(places), Some(place)) => {
                        shared_percent(places, [place.bytes.start, place.bytes.end])
                    }
                    _ => shared_words_percent(&snippet, &row.claim.snippet),
                };
                if percent < 50 || !both_hold_the_number(&label.claim, &row.claim) {
                    continue;
                }
                let agreement = compare(&label.claim, &row.claim);
                let sure = if label.is_unsure { 10_000 } else { 20_000 };
                let weight = sure + 100 * points(agreement) + percent;
                edges.push(Edge { label: label_at, row: row_at, weight });
            }
        }
        edges
    }

    fn add_label(&self, at: usize, row: Option<&RowRecord>, score: &mut Score) {
        let label = self.labels[at];
        let has_join = self.is_one_an_item(at);
        let agreement = row.map(|row| compare(&label.claim, &row.claim));
        score.pairs.push(Pair {
            page: self.page.clone(),
            label: Some(label.claim.clone()),
            row: row.map(|row| row.claim.clone()),
            is_unsure: label.is_unsure,
            is_accepted: row.is_some_and(|it| it.status == RowStatus::Accepted),
            wrong: agreement.map(wrong_names).unwrap_or_default(),
        });
        if label.is_unsure {
            score.unsure_labels += 1;
            score.unsure_rows += u64::from(row.is_some());
            return;
        }
        let accepted = row.map(|it| it.status == RowStatus::Accepted);
        let mut counts = Counts { labels: 1, ..Counts::default() };
        if let (Some(agreement), Some(is_accepted)) = (agreement, accepted) {
            let is_wrong = !(agreement.value && agreement.op);
            counts = Counts {
                labels: 1,
                rows: 1,
                located: 1,
                value: u64::from(agreement.value),
                op: u64::from(agreement.op),
                unit: u64::from(agreement.unit),
                join: u64::from(agreement.join && has_join),
                join_compared: u64::from(has_join),
                force: u64::from(agreement.force),
                field: u64::from(agreement.field),
                accepted: u64::from(is_accepted),
                accepted_located: u64::from(is_accepted),
                accepted_wrong: u64::from(is_accepted && is_wrong),
                flagged: u64::from(!is_accepted),
                flagged_located: u64::from(!is_accepted),
            };
        }
        self.add(&label.claim, counts, score);
    }

    /// True where the label is in a group and no other label of the group quotes the same line.
    fn is_one_an_item(&self, at: usize) -> bool {
        let claim = &self.labels[at].claim;
        let line = self.line_of(&claim.snippet);
        claim.group.is_some()
            && self.labels.iter().enumerate().all(|(other, it)| {
                other == at
                    || it.claim.group != claim.group
                    || line.is_none()
                    || self.line_of(&it.claim.snippet) != line
            })
    }

    fn line_of(&self, snippet: &str) -> Option<usize> {
        let text = self.text?;
        let first = snippet.split(char::is_whitespace).next().unwrap_or_default();
        let at = text.find(snippet).or_else(|| text.find(first))?;
        Some(text[..at].matches('\n').count())
    }

    fn add_loose_row(&self, row: &RowRecord, score: &mut Score) {
        if self.items.is_some_and(|items| !items.contains(&row.item)) {
            score.uncovered_rows += 1;
            return;
        }
        let is_accepted = row.status == RowStatus::Accepted;
        score.pairs.push(Pair {
            page: self.page.clone(),
            label: None,
            row: Some(row.claim.clone()),
            is_unsure: false,
            is_accepted,
            wrong: Vec::new(),
        });
        let counts = Counts {
            rows: 1,
            accepted: u64::from(is_accepted),
            flagged: u64::from(!is_accepted),
            ..Counts::default()
        };
        self.add(&row.claim, counts, score);
    }

    fn add(&self, claim: &Claim, counts: Counts, score: &mut Score) {
        let slices = [
            &mut score.all,
            score.by_field.entry(claim.field.clone()).or_default(),
            score.by_language.entry(language_of(&claim.snippet).to_owned()).or_default(),
            score.by_page.entry(self.page.clone()).or_default(),
        ];
        for slice in slices {
            slice.add(&counts);
        }
    }
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        self.labels += other.labels;
        self.rows += other.rows;
        self.located += other.located;
        self.value += other.value;
        self.op += other.op;
        self.unit += other.unit;
        self.join += other.join;
        self.force += other.force;
        self.field += other.field;
        self.join_compared += other.join_compared;
        self.accepted += other.accepted;
        self.accepted_located += other.accepted_located;
        self.accepted_wrong += other.accepted_wrong;
        self.flagged += other.flagged;
        self.flagged_located += other.flagged_located;
    }
}

/// How much of the shorter of row and label is shared, at the label's best place.
fn shared_percent(places: &[[usize; 2]], row: [usize; 2]) -> i64 {
    let best = places
        .iter()
        .map(|&label| {
            let least = (label[1] - label[0]).min(row[1].saturating_sub(row[0])).max(1);
            shared_bytes(label, row) * 100 / least
        })
        .max()
        .unwrap_or(0);
    i64::try_from(best.min(100)).unwrap_or(0)
}

fn shared_words_percent(label: &Folded, row: &str) -> i64 {
    let row = Folded::new(row);
    let least = label.as_str().chars().count().min(row.as_str().chars().count()).max(1);
    let shared = longest_common(label.as_str(), row.as_str()) * 100 / least;
    i64::try_from(shared.min(100)).unwrap_or(0)
}

/// A quantity is located only where the row's snippet has the label's number too.
fn both_hold_the_number(label: &Claim, row: &Claim) -> bool {
    let numbers = match &label.value {
        Value::Number(_) => vec![label.value.clone()],
        Value::List(items) => items.clone(),
        Value::Text(text) if text.parse::<jiff::civil::Date>().is_ok() => vec![label.value.clone()],
        _ => return true,
    };
    numbers
        .iter()
        .all(|number| !holds_number(&label.snippet, number) || holds_number(&row.snippet, number))
}

/// True where a number, a share (二分之一 for 50) or a date of the text is the number.
fn holds_number(snippet: &str, number: &Value) -> bool {
    if let Value::Text(date) = number {
        let Ok(date) = date.parse::<jiff::civil::Date>() else { return true };
        return read_dates(snippet)
            .iter()
            .any(|it| it.candidates.iter().any(|it| it.date() == Some(date)));
    }
    let Some(wanted) = decimal(number) else { return true };
    let is_wanted = |it: Decimal| (it - wanted).abs() < Decimal::new(1, 2);
    let readings = read_all(snippet);
    readings.numbers.iter().any(|it| is_wanted(it.value) || it.percent().is_some_and(is_wanted))
        || readings.quantities.iter().any(|it| it.implied && wanted == Decimal::ONE)
        || read_dates(snippet).iter().any(|it| {
            it.candidates.iter().any(|it| it.year.is_some_and(|it| is_wanted(Decimal::from(it))))
        })
}

fn points(it: Agreement) -> i64 {
    i64::from(it.value) * 40
        + i64::from(it.op) * 20
        + i64::from(it.field) * 10
        + i64::from(it.unit) * 4
        + i64::from(it.join) * 2
        + i64::from(it.force)
}

fn wrong_names(it: Agreement) -> Vec<String> {
    [
        (it.value, "value"),
        (it.op, "op"),
        (it.unit, "unit"),
        (it.join, "join"),
        (it.force, "force"),
        (it.field, "field"),
    ]
    .into_iter()
    .filter(|(is_right, _)| !is_right)
    .map(|(_, name)| name.to_owned())
    .collect()
}

/// `zh` where a snippet has Han characters, else `en`.
fn language_of(snippet: &str) -> &'static str {
    if snippet.chars().any(is_han) { "zh" } else { "en" }
}
