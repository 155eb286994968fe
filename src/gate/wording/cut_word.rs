//! Quotes that begin inside a word: "eligible" cut from "ineligible".
//!
//! Only a cut that turns the word round is reported; others are the page's own letters.

use crate::gate::places::stand::Stand;
use crate::model::finding::{Code, Finding};

/// SNIPPET_CUTS_NEGATION, with the word that was left out.
pub fn negation_cut(stand: &Stand, word: &str) -> Finding {
    let detail = stand.page.pick(
        || format!("the quote leaves out “{word}”, which turns it round; quote it with the rest"),
        || format!("引文漏了「{word}」，意思相反；請連同引用"),
    );
    let (code, evidence) = (Code::SnippetCutsNegation, Some(word.to_owned()));
    Finding { code, detail, place: Some(stand.span), evidence }
}

/// SNIPPET_CUTS_NEGATION where the letters before the quote turn its first word round.
pub fn cut_prefix(stand: &Stand) -> Option<Finding> {
    let starts_inside = stand.quote_text().chars().next().is_some_and(char::is_alphabetic);
    let before = stand.before();
    let letters = before.chars().rev().take_while(char::is_ascii_alphabetic).count();
    let prefix = before.get(before.len() - letters..)?;
    let is_prefix = ["un", "in", "im", "ir", "il", "non", "dis"]
        .contains(&prefix.to_ascii_lowercase().as_str());
    (starts_inside && is_prefix).then(|| negation_cut(stand, prefix))
}
