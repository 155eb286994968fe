//! A row on its way through the gate: its place and what was found so far.
//!
//! Inside the gate alone; a draft is worth nothing until it becomes a `GatedRow`.

use crate::gate::page::PageText;
use crate::gate::places::above::words_above;
use crate::gate::places::footnoted::footnotes_of;
use crate::gate::places::stand::context_of;
use crate::gate::row::{GatedRow, weight_of};
use crate::model::claim::Claim;
use crate::model::finding::{Code, Finding, Verdict};
use crate::text::span::Span;

/// A row with its findings so far.
#[derive(Clone, Debug)]
pub struct Draft {
    pub claim: Claim,
    /// The quote on the page, where it was found.
    pub span: Option<Span>,
    /// Where the stated number stands on the page, where the value is one.
    pub number: Option<Span>,
    /// The nearest passage of a quote that was not found: what the row is probably about.
    pub near: Option<Span>,
    pub findings: Vec<Finding>,
    /// The least that the findings make of the row, where a finding weighs less than its code.
    pub lighter: Option<(Code, Verdict)>,
}

impl Draft {
    /// A row whose quote was not found.
    pub fn unplaced(claim: Claim, finding: Finding) -> Self {
        let near = finding.place;
        Self { claim, span: None, number: None, near, findings: vec![finding], lighter: None }
    }

    /// The worst that any finding makes of the row.
    pub fn worst(&self) -> Verdict {
        let each = self.findings.iter().map(|it| weight_of(it.code, self.lighter));
        each.max().unwrap_or(Verdict::Pass)
    }

    /// The row as judged.
    pub fn finish(self, page: &PageText, is_strict: bool) -> GatedRow {
        let row = GatedRow::new(self.claim, self.findings, self.lighter, is_strict);
        match self.span {
            Some(span) => {
                let sentence = page.slice(context_of(page, span));
                let (lead_in, footnotes) = (words_above(page, span), footnotes_of(page, span));
                row.at(page.place(span), page.slice(span), [sentence, &lead_in, &footnotes])
            }
            None => row,
        }
    }
}
