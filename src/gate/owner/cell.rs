//! Whether a row of a table says what the stated row makes of it: the right line, the right column.
//!
//! Silent where the subject names no line and no column: many subjects are worded freely.

use std::collections::BTreeSet;

use crate::gate::places::stand::Stand;
use crate::gate::places::words::stems_of;
use crate::gate::values::number::find_number;
use crate::gate::values::value::{Wanted, wanted_of};
use crate::model::finding::{Code, Finding};
use crate::text::span::Span;

/// WRONG_CELL, where the subject names another line or another column.
pub fn check_cell(stand: &Stand) -> Option<Finding> {
    let block = stand.block.filter(|_| stand.is_in_table())?;
    let subject = stems_of(&stand.claim.subject);
    other_line(stand, block, &subject).or_else(|| other_column(stand, block, &subject))
}

fn other_line(stand: &Stand, block: usize, subject: &BTreeSet<String>) -> Option<Finding> {
    let outline = stand.page.outline();
    let own = label(stand, block)?;
    let own_fit = fit(subject, stand.page.slice(own));
    let table = outline.table_of(block).start;
    let lines = stand.page.lines_within(table, subject).filter(|it| it.1 != block);
    let best = lines
        .filter_map(|(fit, it)| Some((fit, label(stand, it)?)))
        .filter(|(_, it)| stand.page.slice(*it) != stand.page.slice(own))
        .max_by_key(|(fit, it)| (*fit, std::cmp::Reverse(it.start)))?;
    let (fit, named) = best;
    if fit == 0 || fit <= own_fit {
        return None;
    }
    let (own, named) = (stand.page.slice(own), stand.page.slice(named));
    let detail = stand.page.pick(
        || format!("the quote is the line of “{own}”, the row is about “{named}”"),
        || format!("引文是「{own}」一列，資料列說的卻是「{named}」"),
    );
    Some(Finding {
        code: Code::WrongCell,
        detail,
        place: Some(stand.span),
        evidence: Some(own.to_owned()),
    })
}

/// The first cell of a line with words in it.
fn label(stand: &Stand, block: usize) -> Option<Span> {
    let label = stand.page.outline().row_label(block)?;
    let has_words = stand.page.slice(label).chars().any(char::is_alphabetic);
    has_words.then_some(label)
}

/// How many words of the label the subject has; 0 unless it has all of them.
fn fit(subject: &BTreeSet<String>, label: &str) -> usize {
    let label = stems_of(label);
    if label.is_subset(subject) { label.len() } else { 0 }
}

/// The value stands in one column, the subject or the field names another.
fn other_column(stand: &Stand, block: usize, subject: &BTreeSet<String>) -> Option<Finding> {
    let outline = stand.page.outline();
    let headers = outline.header_cells(block)?;
    let cells = &outline.blocks[block].cells;
    let numbers: Vec<_> = match wanted_of(stand.claim) {
        Wanted::Number(it) => find_number(stand, it),
        _ => return None,
    };
    let column_of = |span: Span| {
        let span = span.shifted(stand.context.start);
        cells.iter().position(|it| it.contains(span))
    };
    let columns: BTreeSet<usize> = numbers.iter().filter_map(|it| column_of(it.span)).collect();
    let mut named = subject.clone();
    named.extend(stems_of(&stand.claim.field.replace('_', " ")));
    let shared = |column: usize| {
        let header = headers.get(column).map(|it| stand.page.slice(*it)).unwrap_or_default();
        stems_of(header).intersection(&named).count()
    };
    let own = columns.iter().map(|it| shared(*it)).max()?;
    let holds_number = |column: usize| {
        let cell = cells.get(column).copied().unwrap_or_default();
        stand.readings.numbers.iter().any(|it| cell.contains(it.span.shifted(stand.context.start)))
    };
    // The first column names the line; it never holds the value.
    let rival = (1..headers.len())
        .filter(|it| !columns.contains(it) && holds_number(*it))
        .max_by_key(|it| (shared(*it), std::cmp::Reverse(*it)))
        .filter(|it| own < shared(*it))?;
    let column = columns.first().copied()?;
    let header = |it: usize| headers.get(it).map(|it| stand.page.slice(*it)).unwrap_or_default();
    let (own, named) = (header(column), header(rival));
    let detail = stand.page.pick(
        || format!("the value stands in the column “{own}”, the row is about “{named}”"),
        || format!("數值在「{own}」欄，資料列說的卻是「{named}」"),
    );
    Some(Finding {
        code: Code::WrongCell,
        detail,
        place: Some(stand.span),
        evidence: Some(own.to_owned()),
    })
}
