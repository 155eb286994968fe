//! The gate's mutation score: errors planted in rows that stand, and how many of them it catches.
//!
//! It also reports the other side: rows that nobody touched and that the gate refuses.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::ask::reply::ParsedExtract;
use crate::gate::judge::Bench;
use crate::gate::page::PageText;
use crate::gate::places::tongue::Script;
use crate::gate::row::GatedRow;
use crate::gate::scope::Scope;
use crate::model::ask::ExtractReply;
use crate::model::claim::{Claim, Group};
use crate::plant::dice::Dice;
use crate::plant::kind::Kind;
use crate::plant::quote::plant_quote;
use crate::plant::soil::{Plant, Soil};
use crate::plant::value::plant_value;
use crate::plant::words::plant_words;

/// A page with rows that are held to be right.
#[derive(Clone, Debug, Default)]
pub struct TrialPage {
    /// Shown in the report: an address, a file.
    pub name: String,
    pub title: String,
    /// Canonical text.
    pub text: String,
    pub rows: Vec<Claim>,
    /// The groups that the rows name, where they were stated.
    pub groups: Vec<Group>,
}

/// What a trial came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TrialReport {
    pub seed: u64,
    /// Kind, then language (`en`, `zh`).
    pub kinds: BTreeMap<Kind, BTreeMap<&'static str, Tally>>,
    /// Errors that the gate let pass.
    pub missed: Vec<Missed>,
    /// Rows that nobody touched.
    pub rows: usize,
    /// Those of them that the gate refuses, with the first reason.
    pub refused: Vec<Refused>,
}

/// How many errors of one kind were planted and caught.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    pub planted: usize,
    pub caught: usize,
    /// Changes that left a true row; counted neither way.
    pub still_true: usize,
}

/// A planted error that passed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Missed {
    pub page: String,
    pub row: String,
    pub kind: Kind,
    pub language: &'static str,
    /// What was changed.
    pub change: String,
    /// The row as it was.
    pub snippet: String,
}

/// A right row that the gate refuses or flags.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Refused {
    pub page: String,
    pub row: String,
    pub verdict: &'static str,
    pub code: String,
    pub detail: String,
    pub snippet: String,
}

impl TrialReport {
    /// Caught in a hundred of the kinds given, over both languages; `None` where none was planted.
    pub fn score(&self, kinds: &[Kind]) -> Option<f64> {
        let tallies = self.kinds.iter().filter(|(kind, _)| kinds.contains(kind));
        let (planted, caught) = tallies.flat_map(|(_, languages)| languages.values()).fold(
            (0_u32, 0_u32),
            |(planted, caught), it| {
                let add = |sum: u32, count: usize| sum + u32::try_from(count).unwrap_or(0);
                (add(planted, it.planted), add(caught, it.caught))
            },
        );
        (0 < planted).then(|| 100.0 * f64::from(caught) / f64::from(planted))
    }
}

/// Plants one error of each kind in every row that stands, and asks the gate.
pub fn run_trial(pages: &[TrialPage], seed: u64) -> TrialReport {
    let mut report = TrialReport { seed, ..TrialReport::default() };
    for page in pages {
        try_page(page, seed, &mut report);
    }
    report
}

fn try_page(page: &TrialPage, seed: u64, report: &mut TrialReport) {
    let text = PageText::index(&page.text);
    let language = if text.script() == Script::Han { "zh" } else { "en" };
    let reply = ExtractReply { rows: page.rows.clone(), groups: page.groups.clone() };
    let parsed = ParsedExtract::from(reply);
    let scope = Scope { page_title: &page.title, ..Scope::default() };
    let bench = Bench::new(&text, &parsed, scope);
    let judged = bench.rows();
    let rows: Vec<Claim> = judged.iter().map(|it| it.claim().clone()).collect();
    let places = bench.places();
    report.rows += judged.len();
    for (at, row) in judged.iter().enumerate() {
        let (Some(span), true) = (places[at], row.is_clear()) else {
            note_refused(page, row, report);
            continue;
        };
        let soil = Soil { page: &text, rows: &rows, places: &places, at, span };
        for &kind in Kind::ALL {
            let name = format!("{} {} {at} {}", page.name, row.claim().id, kind.as_str());
            let mut dice = Dice::new(seed, &name);
            let Some(plant) = plant(&soil, kind, &mut dice) else { continue };
            let tally = report.kinds.entry(kind).or_default().entry(language).or_default();
            if plant.is_true {
                tally.still_true += 1;
                continue;
            }
            tally.planted += 1;
            if bench.try_row(at, &plant.claim).is_clear() {
                report.missed.push(Missed {
                    page: page.name.clone(),
                    row: row.claim().id.clone(),
                    kind,
                    language,
                    change: plant.change,
                    snippet: row.claim().snippet.clone(),
                });
            } else {
                tally.caught += 1;
            }
        }
    }
}

fn plant(soil: &Soil, kind: Kind, dice: &mut Dice) -> Option<Plant> {
    plant_value(soil, kind, dice)
        .or_else(|| plant_words(soil, kind))
        .or_else(|| plant_quote(soil, kind, dice))
}

/// A merged row is counted in another and is no false alarm.
fn note_refused(page: &TrialPage, row: &GatedRow, report: &mut TrialReport) {
    let Some(finding) = row.findings().first() else { return };
    if row.verdict() == crate::model::finding::Verdict::Merge {
        return;
    }
    report.refused.push(Refused {
        page: page.name.clone(),
        row: row.claim().id.clone(),
        verdict: row.verdict().as_str(),
        code: finding.code.to_string(),
        detail: finding.detail.clone(),
        snippet: row.claim().snippet.clone(),
    });
}
