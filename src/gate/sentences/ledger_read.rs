//! Fills the sentence ledger: what each sentence is, and which rows use it.
//!
//! An open rule is an omission for a person to look at; nothing is left out of the ledger.

use std::collections::{BTreeMap, BTreeSet};

use crate::gate::draft::Draft;
use crate::gate::page::PageText;
use crate::gate::scope::Scope;
use crate::gate::sentences::ledger::{Fate, Ledger, LedgerEntry, Why};

/// The ledger of the part of the page that was asked about.
pub fn read_ledger(page: &PageText, scope: &Scope, users: &Users) -> Ledger {
    let inside = match scope.span {
        Some(span) => page.sentences_of(span),
        None => 0..page.sentences().len(),
    };
    let mut entries: Vec<LedgerEntry> = inside
        .map(|at| {
            let span = page.sentences()[at];
            let fate = match users.of_sentence.get(&at) {
                Some(rows) => Fate::Used { rows: rows.clone() },
                None => page.fate(at),
            };
            LedgerEntry { span, fate }
        })
        .collect();
    open_siblings(page, &mut entries);
    Ledger { entries }
}

/// Where rows use one item of a list, the others are conditions as well, whatever their words.
fn open_siblings(page: &PageText, entries: &mut [LedgerEntry]) {
    let outline = page.outline();
    let lead_of = |it: &LedgerEntry| {
        let block = outline.block_at(it.span.start)?;
        outline.lead_in(block)
    };
    let is_used = |it: &&LedgerEntry| matches!(it.fate, Fate::Used { .. });
    let used: BTreeSet<usize> = entries.iter().filter(is_used).filter_map(lead_of).collect();
    for entry in entries {
        let is_plain = matches!(entry.fate, Fate::NotACondition { why: Why::Plain });
        let has_words = page.slice(entry.span).chars().any(char::is_alphanumeric);
        if is_plain && has_words && lead_of(entry).is_some_and(|it| used.contains(&it)) {
            entry.fate = Fate::Open { is_rule: true };
        }
    }
}

/// Which rows quote a sentence, or probably mean it.
#[derive(Clone, Debug, Default)]
pub struct Users {
    of_sentence: BTreeMap<usize, Vec<String>>,
}

impl Users {
    /// The rows of a whole reply.
    pub fn of(page: &PageText, drafts: &[Draft]) -> Self {
        let mut users = Self::default();
        users.add(page, drafts);
        users
    }

    /// Adds rows, in order.
    pub fn add(&mut self, page: &PageText, drafts: &[Draft]) {
        const MAX_SENTENCES: usize = 200;
        const MAX_NAMES: usize = 100;
        for draft in drafts {
            let Some(span) = draft.span.or(draft.near) else { continue };
            for at in page.sentences_of(span).take(MAX_SENTENCES) {
                let rows = self.of_sentence.entry(at).or_default();
                if rows.len() < MAX_NAMES {
                    rows.push(draft.claim.id.clone());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fates(text: &str) -> Vec<Fate> {
        let page = PageText::index(text);
        let ledger = read_ledger(&page, &Scope::default(), &Users::default());
        ledger.entries.into_iter().map(|it| it.fate).collect()
    }

    #[test]
    fn what_states_a_rule_stays_open_and_the_rest_says_why() {
        let open = Fate::Open { is_rule: true };
        let why = |why| Fate::NotACondition { why };
        assert_eq!(
            fates(
                "# Fees\n\nThe fee is $20. Do you need help? Call us on 1-800-1234.\n\nOur team is friendly.\n"
            ),
            [
                why(Why::Heading),
                open.clone(),
                why(Why::Question),
                why(Why::Contact),
                why(Why::Plain)
            ]
        );
        assert_eq!(
            fates(
                "# 費用\n\n規費為新臺幣二十元。需要協助嗎？\n\n申請資格：\n- 年滿六十五歲\n- 本國國民\n"
            ),
            [
                why(Why::Heading),
                open.clone(),
                why(Why::Question),
                why(Why::LeadIn),
                open.clone(),
                open
            ]
        );
    }
}
