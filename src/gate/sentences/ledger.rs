//! The sentence ledger: every sentence and table row of the page, and what became of it.
//!
//! Nothing on the page may vanish in silence: what no row uses and no reason explains stays open.

use serde::{Deserialize, Serialize};

use crate::text::span::Span;

/// All sentences and table rows in reading order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ledger {
    pub entries: Vec<LedgerEntry>,
}

/// One sentence or table row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LedgerEntry {
    /// Its place, in bytes of the page.
    pub span: Span,
    #[serde(flatten)]
    pub fate: Fate,
}

/// What became of a sentence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "fate", rename_all = "snake_case")]
pub enum Fate {
    /// Quoted by these rows.
    Used { rows: Vec<String> },
    /// States no condition, for this reason.
    NotACondition { why: Why },
    /// Neither; `is_rule` where it has a number or a word of rule and so must be looked at.
    Open { is_rule: bool },
}

/// Why a sentence states no condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    Heading,
    LeadIn,
    TableHead,
    Question,
    Contact,
    Reference,
    Plain,
}

impl Ledger {
    /// How many entries are used, explained and open.
    pub fn counts(&self) -> (usize, usize, usize) {
        let mut counts = (0, 0, 0);
        for entry in &self.entries {
            match entry.fate {
                Fate::Used { .. } => counts.0 += 1,
                Fate::NotACondition { .. } => counts.1 += 1,
                Fate::Open { .. } => counts.2 += 1,
            }
        }
        counts
    }

    /// The places that state a rule and that no row uses: each is an OMISSION.
    pub fn omissions(&self) -> impl Iterator<Item = Span> {
        let is_rule = |it: &&LedgerEntry| matches!(it.fate, Fate::Open { is_rule: true });
        self.entries.iter().filter(is_rule).map(|it| it.span)
    }
}
