//! Whether an item differs only where no condition stands, so that code may apply the change.
//!
//! The sentence ledger is the proof, and more is asked of it here than in a bulk run: there a plain
//! sentence needs no row, here a change of it may turn what the rows beside it mean. In doubt the item
//! is read again, which costs an ask; a change that is applied in silence may cost a client's word.

use crate::change::gloss::differs_only_in_parentheses;
use crate::change::passages::{Passage, PassageChange, compare_passages};
use crate::gate::sentences::bearing::{bears_on_conditions, names_files};
use crate::gate::sentences::ledger::{Fate, Ledger, Why};
use crate::text::span::Span;

/// An item's text in one edition, with what became of its sentences there.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    pub text: &'a str,
    /// Bytes of the page before the item.
    pub start: usize,
    pub ledger: &'a Ledger,
}

/// True where every passage that differs states no condition, before and after. `has_rows`: whether rows
/// stand in the item; beside them only contacts, pointers, names of files and dates of publication may change.
pub fn differs_only_outside(before: Side<'_>, after: Side<'_>, has_rows: bool) -> bool {
    let diff = compare_passages(before.text, after.text);
    !diff.is_beyond_bound
        && diff.passages.iter().all(|it| {
            let (was, is) = (words(before, it.old), words(after, it.new));
            if let (Some(was), Some(is)) = (was, is)
                && differs_only_in_parentheses(was, is)
            {
                return false;
            }
            let is_outside = |side, span: Option<Span>| {
                span.is_none_or(|span| is_outside(side, span, (it, has_rows)))
            };
            is_outside(before, it.old) && is_outside(after, it.new)
        })
}

fn words(side: Side<'_>, span: Option<Span>) -> Option<&str> {
    span.and_then(|it| Span::slice(it, side.text))
}

/// True where the ledger knows the passage and every sentence of it states no condition.
fn is_outside(side: Side<'_>, span: Span, (passage, has_rows): (&PassageChange, bool)) -> bool {
    let words = span.slice(side.text).unwrap_or_default();
    let place = span.shifted(side.start);
    let is_list_of_files = names_files(words);
    let mut sentences = side.ledger.entries.iter().filter(|it| it.span.overlaps(place)).peekable();
    let is_plain = |why: Why| {
        // The same words at another place are the same words.
        passage.change == Passage::Moved
            || matches!(why, Why::Contact | Why::Reference)
            || (!has_rows || is_list_of_files)
                && matches!(why, Why::Plain | Why::Question | Why::Heading)
    };
    sentences.peek().is_some()
        && sentences.all(|it| match it.fate {
            Fate::NotACondition { why } => is_plain(why),
            _ => false,
        })
        && (passage.change == Passage::Moved || is_list_of_files || !bears_on_conditions(words))
}
