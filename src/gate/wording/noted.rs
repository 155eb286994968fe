//! Footnotes: a sign at the edge of a quote or in it, followed to its note.
//!
//! A note that takes something back, narrows the rule or states another figure is a part of it; one
//! that names a source or explains a word is not.

use crate::gate::places::stand::Stand;
use crate::gate::places::stream::forms_of;
use crate::gate::sentences::coverage::Coverage;
use crate::gate::values::worth::number_place;
use crate::gate::wording::around::trimmed;
use crate::model::finding::{Code, Finding};
use crate::text::amounts::quantity::read_quantities;
use crate::text::blocks::note::{footnotes_in, note_for};
use crate::text::markers::marker::{MarkerKind, Strength, markers_in};
use crate::text::span::Span;

/// A sign this far behind the quote, in bytes, with nothing but marks between, is the quote's own.
const EDGE: usize = 12;
/// A note longer than this is read by its beginning.
const MAX_NOTE: usize = 1_000;

/// SNIPPET_CUTS_EXCEPTION, where a note to the quote changes the rule and no row carries it.
pub fn check_noted(stand: &Stand, covered: &Coverage) -> Option<Finding> {
    let page = stand.page;
    let signs = signs_of(stand);
    let notes = signs.into_iter().filter_map(|it| note_for(page.text(), page.notes(), it));
    let note = notes
        .map(|it| bounded(page.text(), it.content))
        .find(|it| !covered.touches(*it) && !it.overlaps(stand.span) && changes(stand, *it))?;
    let words = trimmed(page.slice(note));
    let detail = page.pick(
        || format!("a footnote changes the rule and no row carries it: {words}"),
        || format!("註記改變了規定，沒有資料列載明：{words}"),
    );
    let (code, evidence) = (Code::SnippetCutsException, Some(words.to_owned()));
    Some(Finding { code, detail, place: Some(stand.span), evidence })
}

/// The footnote signs in the quote and right behind it.
fn signs_of(stand: &Stand) -> Vec<Span> {
    let text = stand.page.text();
    if stand.page.notes().is_empty() {
        return Vec::new();
    }
    let mut end = text.len().min(stand.span.end + EDGE);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let near = Span::new(stand.span.start, end);
    let is_own = |it: &Span| {
        let between = text.get(stand.span.end..it.start).unwrap_or_default();
        it.start < stand.span.end || !between.contains(|c: char| c.is_alphanumeric() || c == '\n')
    };
    let signs = footnotes_in(stand.page.slice(near));
    let signs = signs.into_iter().map(|it| it.shifted(near.start));
    signs.filter(is_own).filter(|it| is_at_value(stand, *it)).collect()
}

/// In a table a sign speaks of its own cell; one in the first cell of all of the line.
fn is_at_value(stand: &Stand, sign: Span) -> bool {
    let Some(block) = stand.own_block().filter(|_| stand.is_in_table()) else { return true };
    let column = |at: usize| block.cells.iter().position(|it| it.start <= at && at <= it.end);
    match (column(sign.start), number_place(stand).and_then(|it| column(it.start))) {
        (Some(sign), Some(value)) => sign == 0 || sign == value,
        _ => true,
    }
}

fn bounded(text: &str, span: Span) -> Span {
    let mut end = span.end.min(span.start + MAX_NOTE);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    Span::new(span.start, end)
}

/// True for a note that takes back, narrows, frees, or states a figure of its own.
fn changes(stand: &Stand, note: Span) -> bool {
    let words = stand.page.slice(note);
    let is_change = |kind: MarkerKind| {
        matches!(
            kind,
            MarkerKind::Exception
                | MarkerKind::Restriction
                | MarkerKind::Negation
                | MarkerKind::Force(Strength::MustNot | Strength::NeedNot)
        )
    };
    let frees = [
        "exempt",
        "free of",
        "for free",
        "pay nothing",
        "pays nothing",
        "instead",
        "免",
        "減半",
        "優待",
        "較低",
        "較高",
        "另計",
        "另有",
        "加收",
        "折扣",
    ];
    // "Members who joined before 2015 pay a lower contribution."
    let compares =
        ["lower", "higher", "reduced", "different", "smaller", "increased", "double", "half"];
    let lower = words.to_lowercase();
    let forms = forms_of(&lower);
    forms.iter().any(|it| compares.contains(&it.as_str()))
        || markers_in(stand.page.text(), note).iter().any(|it| is_change(it.kind))
        || frees.iter().any(|it| lower.contains(it))
        || read_quantities(words).iter().any(|it| it.unit.is_some() && !it.implied)
}
