//! Rows that went through the gate, and the gate's word on the page.
//!
//! Only the gate makes a [`GatedRow`]: later stages take this type, so a row that nobody judged
//! does not compile.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::gate::sentences::ledger::Ledger;
use crate::model::claim::Claim;
use crate::model::finding::{Code, Finding, Verdict};
use crate::model::row::Place;

/// A row with its place on the page and everything that was found about it.
#[derive(Clone, Debug, PartialEq)]
pub struct GatedRow {
    claim: Claim,
    stated_snippet: String,
    verdict: Verdict,
    findings: Vec<Finding>,
    place: Option<Place>,
    sentence: String,
    lead_in: String,
    footnotes: String,
}

impl GatedRow {
    /// Made by the gate alone. Findings are put in order, worst first, and decide the verdict.
    pub(crate) fn new(
        claim: Claim,
        mut findings: Vec<Finding>,
        lighter: Option<(Code, Verdict)>,
        is_strict: bool,
    ) -> Self {
        let weight = |it: &Finding| weight_of(it.code, lighter);
        findings.sort_by_key(|it| (std::cmp::Reverse(weight(it)), rank(it.code)));
        findings.dedup_by(|a, b| a.code == b.code && a.evidence == b.evidence);
        let worst = findings.iter().map(weight).max();
        let verdict = match worst.unwrap_or(Verdict::Pass) {
            Verdict::Repair if is_strict => Verdict::Fail,
            other => other,
        };
        let stated_snippet = claim.snippet.clone();
        Self {
            claim,
            stated_snippet,
            verdict,
            findings,
            place: None,
            sentence: String::new(),
            lead_in: String::new(),
            footnotes: String::new(),
        }
    }

    /// Puts the page's own bytes in the row.
    pub(crate) fn at(mut self, place: Place, snippet: &str, around: [&str; 3]) -> Self {
        let [sentence, lead_in, footnotes] = around;
        self.place = Some(place);
        snippet.clone_into(&mut self.claim.snippet);
        sentence.clone_into(&mut self.sentence);
        lead_in.clone_into(&mut self.lead_in);
        footnotes.clone_into(&mut self.footnotes);
        self
    }

    /// The row as stated, its snippet in the page's own bytes where it was found.
    pub fn claim(&self) -> &Claim {
        &self.claim
    }

    /// The snippet as it was stated.
    pub fn stated_snippet(&self) -> &str {
        &self.stated_snippet
    }

    /// The gate's word.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// True where the row stands as evidence without a person: pass or repair.
    pub fn is_clear(&self) -> bool {
        matches!(self.verdict, Verdict::Pass | Verdict::Repair)
    }

    /// Everything found, worst first; empty for a plain pass.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Where the snippet stands on the page; `None` where it was not found.
    pub fn place(&self) -> Option<Place> {
        self.place
    }

    /// The whole sentence or table row around the snippet; empty where it was not found.
    pub fn sentence(&self) -> &str {
        &self.sentence
    }

    /// The lead-ins of the snippet's list, outermost first, or the header row of its table, one a line;
    /// empty elsewhere.
    pub fn lead_in(&self) -> &str {
        &self.lead_in
    }

    /// What the footnotes say that the sentence, its lead-ins and the headings above point to, one a line.
    pub fn footnotes(&self) -> &str {
        &self.footnotes
    }
}

/// The gate's word on a page and all rows of a reply. Rows stand in the order of the reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    pub page: PageVerdict,
    pub rows: Vec<GatedRow>,
    pub ledger: Ledger,
    /// Rows of the earlier snapshot that were judged without a reply.
    pub earlier: Vec<CarriedRow>,
}

impl Judgement {
    /// True where the page is in order and every row passes, is repaired, merged or carried.
    pub fn is_clear(&self) -> bool {
        self.page.state == PageState::Ok
            && self.rows.iter().all(|it| it.is_clear() || it.verdict() == Verdict::Merge)
            && self.earlier.iter().all(|it| it.verdict == Carried::CarryForward)
    }
}

/// A row of the earlier snapshot, seen on the page of today.
#[derive(Clone, Debug, PartialEq)]
pub struct CarriedRow {
    pub id: String,
    pub verdict: Carried,
    pub place: Option<Place>,
    pub snippet: String,
    /// Why, in one sentence.
    pub detail: String,
}

/// What becomes of an earlier row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Carried {
    /// Its clause stands unchanged: carried by code, its place found again.
    CarryForward,
    /// Its clause changed: the item is read again.
    ReExtract,
    /// Its clause is gone: a person confirms the removal.
    CandidateRemoved,
}

impl Carried {
    /// The word used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Carried::CarryForward => "carry_forward",
            Carried::ReExtract => "re_extract",
            Carried::CandidateRemoved => "candidate_removed",
        }
    }

    /// The reason that goes with it.
    pub fn reason(self) -> &'static str {
        match self {
            Carried::CarryForward => "CLAUSE_UNCHANGED",
            Carried::ReExtract => "CLAUSE_CHANGED",
            Carried::CandidateRemoved => "CLAUSE_GONE",
        }
    }
}

/// The gate's word on the page as a whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageVerdict {
    pub state: PageState,
    pub findings: Vec<Finding>,
    /// Figures that go with the findings: `source_items`, `rows_found`, `rows_recovered`.
    pub counts: BTreeMap<&'static str, usize>,
    /// Documents of the page that the reply does not answer.
    pub docs_without_answer: Vec<String>,
}

/// What a page is worth as a source. Ordered from best to worst.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum PageState {
    #[default]
    Ok,
    /// The reply does not cover the page.
    Incomplete,
    /// The page carries text that is not for its readers, or is not the page it should be.
    Suspect,
    /// A wall, an error, a login in place of the page.
    Blocked,
    /// No words at all.
    Empty,
}

impl PageState {
    /// The word used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            PageState::Ok => "ok",
            PageState::Incomplete => "incomplete",
            PageState::Suspect => "suspect",
            PageState::Blocked => "blocked",
            PageState::Empty => "empty",
        }
    }
}

/// What a finding makes of a row: what its code says, unless a check weighed it lighter.
pub(crate) fn weight_of(code: Code, lighter: Option<(Code, Verdict)>) -> Verdict {
    lighter.filter(|it| it.0 == code).map_or(verdict_of(code), |it| it.1)
}

/// What a code alone makes of a row.
fn verdict_of(code: Code) -> Verdict {
    match code {
        Code::SnippetPresentation | Code::SnippetScript => Verdict::Repair,
        Code::DuplicateMerged => Verdict::Merge,
        Code::SnippetCutsException
        | Code::DateAmbiguous
        | Code::NotStated
        | Code::Conflict
        | Code::InstructionText
        | Code::PageSuspect
        | Code::StaleSnapshot
        | Code::Omission
        | Code::ReviewerDisagrees
        | Code::ReviewerAdded
        | Code::ReviewIncomplete => Verdict::Flag,
        _ => Verdict::Fail,
    }
}

/// Where a finding stands among those of one row: what makes the row worthless comes first.
fn rank(code: Code) -> usize {
    const ORDER: &[Code] = &[
        Code::RowMalformed,
        Code::SnippetTranslated,
        Code::SnippetFromExample,
        Code::OutsideContent,
        Code::SnippetStitched,
        Code::SnippetAbsent,
        Code::SnippetTooShort,
        Code::InstructionText,
        Code::PageEmpty,
        Code::PageBlocked,
        Code::FieldUnknown,
        Code::UnauthorisedSource,
        Code::StaleSnapshot,
        Code::WrongCell,
        Code::WrongSubject,
        Code::SnippetCutsNegation,
        Code::NumberComputed,
        Code::NumberFragment,
        Code::NumberAbsent,
        Code::UnitChanged,
        Code::OperatorChanged,
        Code::ConnectiveChanged,
        Code::ConditionDropped,
        Code::HedgeDropped,
        Code::ForceChanged,
        Code::ScopeChanged,
        Code::JudgementAdded,
        Code::AddedWords,
        Code::DuplicateMerged,
        Code::SnippetCutsException,
        Code::Conflict,
        Code::DateAmbiguous,
        Code::NotStated,
        Code::PageSuspect,
        Code::Omission,
    ];
    ORDER.iter().position(|it| *it == code).unwrap_or(ORDER.len())
}
