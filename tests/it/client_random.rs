//! Two thousand clients, two tests of a thousand each, who do anything to a real file: never a decision taken that the file does not
//! hold, never a decision in the file that is neither taken nor named.
//!
//! The oracle below reads the saved cells by itself and knows nothing of how the program reads them.

use std::collections::BTreeSet;

use countersign::model::returned::{CellContent, ReturnedCell};
use countersign::model::row::{RowRecord, RowStatus};
use countersign::model::sheet::{IssuedRow, RemovalCandidate, Tab};
use countersign::sheet::grid::{Grid, GridRow};
use countersign::signoff::plan::SignoffPlan;

use crate::client::ClientBook;
use crate::desk::{Desk, ben};

/// xorshift64*: the same seed is the same client everywhere.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let rolled = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(rolled).unwrap() % below.max(1)
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        let at = self.roll(from.len());
        &from[at]
    }
}

fn desk() -> Desk {
    let mut rows: Vec<RowRecord> = (1..=7).map(ben).collect();
    rows.extend([13, 14, 15].map(ben));
    let mut desk = Desk::with(rows);
    desk.removals.push(RemovalCandidate {
        row: RowRecord { status: RowStatus::Accepted, ..ben(21) },
        reason: "answered 404 twice".into(),
        last_seen: "2027-02-01".into(),
        dependants: Vec::new(),
    });
    desk.issues.clear();
    desk.issue();
    desk
}

#[test]
fn a_thousand_random_clients() {
    replay(1..=1_000);
}

#[test]
fn another_thousand_random_clients() {
    replay(1_001..=2_000);
}

fn replay(seeds: std::ops::RangeInclusive<u64>) {
    let desk = desk();
    let issued = desk.sheet();
    let mut taken = 0;
    let mut named = 0;
    for seed in seeds {
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut book = ClientBook { book: issued.book.clone() };
        fill_in(&mut book, &mut dice);
        for _ in 0..1 + dice.roll(9) {
            edit(&mut book, &mut dice);
        }
        let (bytes, book) = if dice.roll(8) == 0 {
            let at = dice.roll(book.book.grids.len());
            let name = book.book.grids[at].name.clone();
            let mut only = ClientBook { book: book.book.clone() };
            only.book.grids.retain(|it| it.name == name);
            (book.save_csv(&name), only)
        } else {
            (book.save(), book)
        };
        let plan = desk.plan(&bytes, Some("A"));
        check(seed, &desk, &book, &plan);
        taken += plan.counts.applied;
        named += plan.findings.len();
    }
    assert!(
        taken > 1_000 && named > 5_000,
        "the clients were too tame: {taken} taken, {named} named"
    );
}

/// A word in most rows, before anything else is done.
fn fill_in(book: &mut ClientBook, dice: &mut Dice) {
    for tab in ["Decide", "Removed？"] {
        let title = if tab == "Decide" { "Decision" } else { "Take it down?" };
        let column = book.column(tab, title);
        let grid = book.grid(tab);
        let lines: Vec<u32> = grid.rows.keys().copied().skip(1).collect();
        for line in lines {
            if dice.roll(4) > 0 {
                put(grid, (line, column), word(dice));
            }
        }
    }
}

/// One thing a client does.
fn edit(book: &mut ClientBook, dice: &mut Dice) {
    let tab = dice.pick(&["Decide", "Decide", "Decide", "Accepted", "Removed？"]);
    let Some(at) = book.book.grids.iter().position(|it| it.name == *tab) else { return };
    let grid = &mut book.book.grids[at];
    let lines: Vec<u32> = grid.rows.keys().copied().collect();
    if lines.len() < 2 {
        return;
    }
    let line = lines[1 + dice.roll(lines.len() - 1)];
    let other = lines[1 + dice.roll(lines.len() - 1)];
    let width = grid.rows.values().flat_map(|it| it.cells.keys()).max().copied().unwrap_or(0) + 1;
    let column = u32::try_from(dice.roll(width as usize + 1)).unwrap();
    let title = |grid: &Grid, wanted: &[&str]| {
        let header = grid.rows.values().next().unwrap();
        let found = header.cells.iter().find(|(_, it)| wanted.contains(&it.shown().as_str()));
        found.map(|it| *it.0)
    };
    let decision = title(grid, DECISION_TITLES);
    match dice.roll(24) {
        0..=7 => {
            if let Some(column) = decision {
                put(grid, (line, column), word(dice));
            }
        }
        8 | 9 => {
            let open = ["Corrected value", "Corrected quote", "Note"];
            if let Some(column) = title(grid, &[*dice.pick(&open)]) {
                put(grid, (line, column), anything(dice));
            }
        }
        10 => put(grid, (line, column), anything(dice)),
        11 => sort(grid, column),
        12 => grid.rows.get_mut(&line).unwrap().is_hidden = true,
        13 => delete_line(grid, line),
        14 => {
            let copy = grid.rows[&line].clone();
            grid.rows.insert(lines.last().unwrap() + 1, copy);
        }
        15 => {
            // One row pasted over another, whole or in part.
            let from = u32::try_from(dice.roll(width as usize)).unwrap();
            let cells = grid.rows[&line].cells.clone();
            let target = grid.rows.get_mut(&other).unwrap();
            target.cells.split_off(&from);
            target.cells.extend(cells.into_iter().filter(|it| it.0 >= from));
        }
        16 => book.insert_row(tab, line),
        17 => book.insert_column(tab, column),
        18 => book.delete_column(tab, column),
        19 => {
            if let Some(column) = decision {
                let last = line + 1 + u32::try_from(dice.roll(3)).unwrap();
                let is_free = grid.merged.iter().all(|it| it.last.0 < line || it.first.0 > last);
                if is_free {
                    book.merge(tab, (line, column), (last, column));
                }
            }
        }
        20 => book.rename(tab, &format!("renamed {}", dice.roll(1_000_000))),
        21 => put(grid, (lines[0], column), anything(dice)),
        22 => {
            // The decision column sorted by itself.
            if let Some(column) = decision {
                sort_column(grid, column);
            }
        }
        _ => {
            let mut copy = grid.clone();
            copy.name = format!("copy {}", dice.roll(1_000_000));
            copy.merged.clear();
            book.book.grids.push(copy);
        }
    }
}

const DECISION_TITLES: &[&str] = &["Decision", "Take it down?", "Decision (only if you object)"];

fn word(dice: &mut Dice) -> CellContent {
    const WORDS: &[&str] = &[
        "approve",
        "approve",
        "reject",
        "correct",
        "unsure",
        "核准",
        "退回",
        "更正",
        "keep",
        "remove",
        "APPROVE ",
        "ａｐｐｒｏｖｅ",
        "OK",
        "Approved",
        "✓",
        "核準",
        "yes",
        "approve, see note",
        "",
    ];
    match dice.roll(16) {
        0 => CellContent::Number("1".into()),
        1 => CellContent::Bool(true),
        _ => CellContent::Text((*dice.pick(WORDS)).to_owned()),
    }
}

fn anything(dice: &mut Dice) -> CellContent {
    const TEXTS: &[&str] = &[
        "65",
        ">= 18",
        "18 - 25",
        "18 or over",
        "at least 7 years",
        "You must be 18 or over.",
        "年滿１８歲",
        "年滿18歲",
        "see mail",
        "=1+1",
        "Row",
        "Check",
        "Decision",
        "BEN-0003",
        " ",
        "?",
    ];
    match dice.roll(8) {
        0 => CellContent::Number("46447".into()),
        1 => CellContent::Date("2027-03-01".into()),
        _ => CellContent::Text((*dice.pick(TEXTS)).to_owned()),
    }
}

fn put(grid: &mut Grid, place: (u32, u32), content: CellContent) {
    let is_blank = matches!(&content, CellContent::Text(it) if it.is_empty());
    if let Some(row) = grid.rows.get_mut(&place.0) {
        row.cells.remove(&place.1);
    }
    if !is_blank {
        grid.put(place, ReturnedCell { content, formula: None });
    }
}

fn shown(row: &GridRow, column: u32) -> String {
    row.cells.get(&column).map(ReturnedCell::shown).unwrap_or_default()
}

fn sort(grid: &mut Grid, column: u32) {
    let header = *grid.rows.keys().next().unwrap();
    let mut rows: Vec<GridRow> = grid.rows.split_off(&(header + 1)).into_values().collect();
    rows.sort_by_key(|it| shown(it, column));
    grid.rows.extend((header + 1..).zip(rows));
    grid.merged.clear();
}

fn sort_column(grid: &mut Grid, column: u32) {
    let header = *grid.rows.keys().next().unwrap();
    let mut cells: Vec<Option<ReturnedCell>> =
        grid.rows.range_mut(header + 1..).map(|it| it.1.cells.remove(&column)).collect();
    cells.sort_by_key(|it| it.as_ref().map(ReturnedCell::shown));
    for ((_, row), cell) in grid.rows.range_mut(header + 1..).zip(cells) {
        row.cells.extend(cell.map(|it| (column, it)));
    }
}

fn delete_line(grid: &mut Grid, line: u32) {
    let below = grid.rows.split_off(&line);
    grid.rows.extend(below.into_iter().skip(1).map(|(at, row)| (at - 1, row)));
    grid.merged.clear();
}

/// What the saved cells say, and whether the plan is true to it.
fn check(seed: u64, desk: &Desk, book: &ClientBook, plan: &SignoffPlan) {
    let issued = &desk.issues[0].issued.rows;
    for decision in &plan.decisions {
        let row =
            issued.iter().find(|it| it.key == decision.key && it.tab == decision.tab).unwrap();
        assert!(
            book.book.grids.iter().any(|grid| holds(grid, row, decision.word.as_str())),
            "seed {seed}: {} {} was taken and does not stand in the file",
            decision.key,
            decision.word.as_str()
        );
    }
    let taken: BTreeSet<&str> = plan.decisions.iter().map(|it| it.key.as_str()).collect();
    let named: BTreeSet<&str> = plan.findings.iter().map(|it| it.row.as_str()).collect();
    for grid in &book.book.grids {
        let Some((key, decision)) = columns(grid) else { continue };
        for row in grid.rows.values() {
            let (key, word) = (shown(row, key), shown(row, decision));
            if word.trim().is_empty() || DECISION_TITLES.contains(&word.as_str()) {
                continue;
            }
            let is_named = named.contains(key.trim()) || named.contains(key.as_str());
            assert!(
                taken.contains(key.trim()) || is_named || names_tab(plan, grid),
                "seed {seed}: {word:?} beside {key:?} on {} was lost",
                grid.name
            );
        }
    }
    let settled = plan.counts.decided + plan.counts.open;
    assert_eq!(settled, plan.counts.asked, "seed {seed}");
    let asked_again = plan.follow_up.as_ref().map_or(0, |it| it.keys.len());
    assert!(asked_again >= plan.counts.open || plan.counts.open == 0, "seed {seed}");
}

/// True where a finding names the tab as one whose columns cannot be read.
fn names_tab(plan: &SignoffPlan, grid: &Grid) -> bool {
    plan.findings
        .iter()
        .any(|it| it.place.starts_with(&grid.name) && it.code.as_str().starts_with("HEADER"))
}

/// Columns of key and decision, where a header row still names both.
fn columns(grid: &Grid) -> Option<(u32, u32)> {
    grid.rows.values().find_map(|row| {
        let at = |wanted: &[&str]| {
            let mut found = row.cells.iter().filter(|(_, it)| wanted.contains(&it.shown().trim()));
            let first = *found.next()?.0;
            found.next().is_none().then_some(first)
        };
        Some((at(&["Row"])?, at(DECISION_TITLES)?))
    })
}

/// True where a row of the grid carries key, token, the evidence as issued, and the word.
fn holds(grid: &Grid, issued: &IssuedRow, word: &str) -> bool {
    let words: &[&str] = match word {
        "approve" => &["approve", "核准", "approve all"],
        "reject" => &["reject", "退回"],
        "correct" => &["correct", "更正"],
        "keep" => &["keep", "保留"],
        "remove" => &["remove", "移除"],
        _ => return false,
    };
    let evidence = match issued.tab {
        Tab::Removed => countersign::model::sheet::Column::LastKnown,
        _ => countersign::model::sheet::Column::Says,
    };
    grid.rows.values().any(|row| {
        let texts: Vec<String> =
            row.cells.values().map(|it| it.shown().trim().to_owned()).collect();
        let has = |it: &str| texts.iter().any(|text| text == it);
        let says = issued.shown[&evidence].replace('\n', " ");
        let is_evidence = texts.iter().any(|it| it.replace('\n', " ") == says);
        let plain = |it: &str| it.to_lowercase().replace("ａｐｐｒｏｖｅ", "approve");
        has(&issued.key)
            && has(&issued.token)
            && is_evidence
            && texts.iter().any(|it| words.contains(&plain(it).as_str()))
    })
}
