//! Quotes that begin inside a word: "eligible" cut from "ineligible".
//!
//! Only a cut that turns the word round is reported; others are the page's own letters.

use crate::gate::around::negation_cut;
use crate::gate::stand::Stand;
use crate::model::finding::Finding;

/// SNIPPET_CUTS_NEGATION where the letters before the quote turn its first word round.
pub fn cut_prefix(stand: &Stand) -> Option<Finding> {
    let starts_inside = stand.quote_text().chars().next().is_some_and(char::is_alphabetic);
    let before = stand.before();
    let letters = before.chars().rev().take_while(|it| it.is_ascii_alphabetic()).count();
    let prefix = before.get(before.len() - letters..)?;
    let is_prefix = ["un", "in", "im", "ir", "il", "non", "dis"]
        .contains(&prefix.to_ascii_lowercase().as_str());
    (starts_inside && is_prefix).then(|| negation_cut(stand, prefix))
}
