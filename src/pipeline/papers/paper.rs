//! A page as the papers of a run show it: its text, and what became of each sentence of it.

use crate::gate::sentences::ledger::Ledger;

/// A page as the report shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct PagePaper {
    pub source: String,
    pub url: String,
    pub title: String,
    pub text: String,
    /// SHA-256 of the raw bytes; empty where no row names it.
    pub snapshot: String,
    pub ledger: Ledger,
}
