//! Which of several places of a quote a row means: the one under the row's own heading, in the row
//! of the table or the list that the subject names.
//!
//! It only chooses among places that hold the quote; it never makes one.

use std::collections::BTreeSet;

use crate::gate::checks::short::{is_too_short, is_whole_unit};
use crate::gate::page::PageText;
use crate::gate::places::locate::{Match, Place};
use crate::gate::places::stream::tokens_of;
use crate::gate::scope::Scope;
use crate::model::claim::Claim;
use crate::text::blocks::outline::BlockKind;
use crate::text::numbers::ordinal::is_numeral;
use crate::text::span::Span;

/// How well a place fits a row. Ordered from worst to best; equals are told apart by reading order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    /// No number is cut by the quote, and a quote of a word or two fills its item or cell.
    is_whole: bool,
    /// Subject words in the table row's label or the list item's own lead-in.
    near: usize,
    /// Subject words in the headings above.
    heading: usize,
    /// Subject words in the block itself.
    block: usize,
    /// A whole item, cell or line before the same words inside a sentence.
    is_unit: bool,
    /// Byte-for-byte quotes before repaired ones.
    is_exact: bool,
}

/// More places than this are not compared: the first ones serve.
const MAX_COMPARED: usize = 64;

/// The places that fit best, in reading order; empty only where none lies inside the scope.
pub fn best_places(page: &PageText, scope: &Scope, claim: &Claim, places: &[Place]) -> Vec<Place> {
    let inside = |it: &&Place| scope.span.is_none_or(|span| span.contains(it.span));
    let inside: Vec<Place> = places.iter().filter(inside).copied().collect();
    if inside.len() < 2 {
        return inside;
    }
    let wanted: BTreeSet<u32> = tokens_of(&claim.subject).iter().map(|it| it.hash).collect();
    let mut best = Fit::default();
    let mut chosen: Vec<Place> = Vec::new();
    for place in inside.into_iter().take(MAX_COMPARED) {
        let fit = fit_of(page, &wanted, place);
        if chosen.is_empty() || best < fit {
            best = fit;
            chosen = vec![place];
        } else if fit == best {
            chosen.push(place);
        }
    }
    chosen
}

fn fit_of(page: &PageText, wanted: &BTreeSet<u32>, place: Place) -> Fit {
    let outline = page.outline();
    let Some(block) = outline.block_at(place.span.start) else { return Fit::default() };
    let shared = |spans: &[Span]| -> usize {
        let mut found = BTreeSet::new();
        for span in spans {
            found.extend(tokens_of(page.slice(*span)).iter().map(|it| it.hash));
        }
        wanted.intersection(&found).count()
    };
    let content = |it: &usize| outline.blocks[*it].content;
    let near: Vec<Span> = match outline.blocks[block].kind {
        BlockKind::TableRow => outline.row_label(block).into_iter().collect(),
        _ => outline.lead_ins(block).iter().map(content).collect(),
    };
    let mut above: Vec<Span> = outline.heading_path(block).iter().map(content).collect();
    above.extend(outline.document_mark(block).map(|it| outline.blocks[it].content));
    let own = outline.blocks[block].content;
    let own = Span::new(own.start, own.end.min(own.start + MAX_BLOCK));
    Fit {
        is_whole: is_whole(page, place.span),
        near: shared(&near),
        heading: shared(&above),
        block: shared(&[own]),
        is_unit: is_whole_unit(page, place.span),
        is_exact: place.how == Match::Exact,
    }
}

/// False where the quote begins or ends inside a number, and for a short quote inside other words.
fn is_whole(page: &PageText, span: Span) -> bool {
    let quote = page.slice(span);
    let text = page.text();
    let is_digit = |it: Option<char>| it.is_some_and(is_numeral);
    let cuts_start =
        is_digit(text[..span.start].chars().next_back()) && is_digit(quote.chars().next());
    let cuts_end = is_digit(text[span.end..].chars().next()) && is_digit(quote.chars().next_back());
    let proves_little = is_too_short(page, quote, None);
    !cuts_start && !cuts_end && (!proves_little || is_whole_unit(page, span))
}

/// A block longer than this is compared by its beginning.
const MAX_BLOCK: usize = 2_000;

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(text: &str, subject: &str, quote: &str) -> Vec<usize> {
        let page = PageText::index(text);
        let claim = Claim { subject: subject.to_owned(), ..Claim::default() };
        let places = page.find(quote);
        let best = best_places(&page, &Scope::default(), &claim, &places);
        best.iter().map(|it| it.span.start).collect()
    }

    #[test]
    fn the_subject_decides_which_place_is_meant() {
        let text =
            "# Bus pass\n\nAged 60 or above.\n\n# Fuel grant\n\nHolders are aged 60 or above.\n";
        let second = text.rfind("aged 60").unwrap();
        assert_eq!(chosen(text, "Fuel grant", "aged 60 or above"), [second]);
        assert_eq!(chosen(text, "Bus pass", "Aged 60 or above").len(), 1);
        assert!(chosen(text, "Bus pass", "aged 60 or above")[0] < second);
        let text = "# 公車卡\n\n年滿六十歲。\n\n# 燃料補助\n\n申請人年滿六十歲。\n";
        assert_eq!(chosen(text, "燃料補助", "年滿六十歲"), [text.rfind("年滿").unwrap()]);
        let text = "| Flat | Fee |\n| --- | --- |\n| Small | $50 |\n| Large | $50 |\n";
        assert_eq!(chosen(text, "Large flat", "$50"), [text.rfind("$50").unwrap()]);
    }
}
