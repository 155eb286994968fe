//! Findings: stable codes with a place and a sentence, and the verdicts they lead to.

use serde::{Deserialize, Serialize};

use crate::text::span::Span;

/// What the gate says of one row. Ordered from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Stands as stated.
    Pass,
    /// Stands, with the page's own bytes in place of the quoted ones.
    Repair,
    /// Says the same as an earlier row and is counted there.
    Merge,
    /// Goes to a person.
    Flag,
    /// Refused: asked again once with the reasons, then dropped or flagged.
    Fail,
}

impl Verdict {
    /// The form used in files and sheets.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Repair => "repair",
            Verdict::Merge => "merge",
            Verdict::Flag => "flag",
            Verdict::Fail => "fail",
        }
    }
}

/// Stable finding codes, documented one by one in `docs/findings.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Code {
    SnippetAbsent,
    SnippetFromExample,
    SnippetStitched,
    SnippetTooShort,
    SnippetTranslated,
    SnippetPresentation,
    SnippetScript,
    SnippetCutsNegation,
    SnippetCutsException,
    NumberAbsent,
    NumberFragment,
    NumberComputed,
    UnitChanged,
    OperatorChanged,
    DateAmbiguous,
    NotStated,
    ConnectiveChanged,
    ConditionDropped,
    HedgeDropped,
    ForceChanged,
    ScopeChanged,
    AddedWords,
    JudgementAdded,
    WrongSubject,
    WrongCell,
    FieldUnknown,
    Omission,
    NoAnswer,
    PageEmpty,
    PageBlocked,
    PageSuspect,
    RowMalformed,
    OutputTruncated,
    DuplicateMerged,
    Conflict,
    InstructionText,
    OutsideContent,
    StaleSnapshot,
    UnauthorisedSource,
    /// Extractor and reviewer do not agree; the client sees both views.
    ReviewerDisagrees,
    /// A row that only the reviewer found.
    ReviewerAdded,
    /// The review did not give one verdict for each row.
    ReviewIncomplete,
}

impl Code {
    /// Every code, in the order of `docs/findings.md`.
    pub const ALL: &'static [Code] = &[
        Code::SnippetAbsent,
        Code::SnippetFromExample,
        Code::SnippetStitched,
        Code::SnippetTooShort,
        Code::SnippetTranslated,
        Code::SnippetPresentation,
        Code::SnippetScript,
        Code::SnippetCutsNegation,
        Code::SnippetCutsException,
        Code::NumberAbsent,
        Code::NumberFragment,
        Code::NumberComputed,
        Code::UnitChanged,
        Code::OperatorChanged,
        Code::DateAmbiguous,
        Code::NotStated,
        Code::ConnectiveChanged,
        Code::ConditionDropped,
        Code::HedgeDropped,
        Code::ForceChanged,
        Code::ScopeChanged,
        Code::AddedWords,
        Code::JudgementAdded,
        Code::WrongSubject,
        Code::WrongCell,
        Code::FieldUnknown,
        Code::Omission,
        Code::NoAnswer,
        Code::PageEmpty,
        Code::PageBlocked,
        Code::PageSuspect,
        Code::RowMalformed,
        Code::OutputTruncated,
        Code::DuplicateMerged,
        Code::Conflict,
        Code::InstructionText,
        Code::OutsideContent,
        Code::StaleSnapshot,
        Code::UnauthorisedSource,
        Code::ReviewerDisagrees,
        Code::ReviewerAdded,
        Code::ReviewIncomplete,
    ];

    /// The stable name, `NUMBER_ABSENT`.
    pub fn as_str(self) -> &'static str {
        match self {
            Code::SnippetAbsent => "SNIPPET_ABSENT",
            Code::SnippetFromExample => "SNIPPET_FROM_EXAMPLE",
            Code::SnippetStitched => "SNIPPET_STITCHED",
            Code::SnippetTooShort => "SNIPPET_TOO_SHORT",
            Code::SnippetTranslated => "SNIPPET_TRANSLATED",
            Code::SnippetPresentation => "SNIPPET_PRESENTATION",
            Code::SnippetScript => "SNIPPET_SCRIPT",
            Code::SnippetCutsNegation => "SNIPPET_CUTS_NEGATION",
            Code::SnippetCutsException => "SNIPPET_CUTS_EXCEPTION",
            Code::NumberAbsent => "NUMBER_ABSENT",
            Code::NumberFragment => "NUMBER_FRAGMENT",
            Code::NumberComputed => "NUMBER_COMPUTED",
            Code::UnitChanged => "UNIT_CHANGED",
            Code::OperatorChanged => "OPERATOR_CHANGED",
            Code::DateAmbiguous => "DATE_AMBIGUOUS",
            Code::NotStated => "NOT_STATED",
            Code::ConnectiveChanged => "CONNECTIVE_CHANGED",
            Code::ConditionDropped => "CONDITION_DROPPED",
            Code::HedgeDropped => "HEDGE_DROPPED",
            Code::ForceChanged => "FORCE_CHANGED",
            Code::ScopeChanged => "SCOPE_CHANGED",
            Code::AddedWords => "ADDED_WORDS",
            Code::JudgementAdded => "JUDGEMENT_ADDED",
            Code::WrongSubject => "WRONG_SUBJECT",
            Code::WrongCell => "WRONG_CELL",
            Code::FieldUnknown => "FIELD_UNKNOWN",
            Code::Omission => "OMISSION",
            Code::NoAnswer => "NO_ANSWER",
            Code::PageEmpty => "PAGE_EMPTY",
            Code::PageBlocked => "PAGE_BLOCKED",
            Code::PageSuspect => "PAGE_SUSPECT",
            Code::RowMalformed => "ROW_MALFORMED",
            Code::OutputTruncated => "OUTPUT_TRUNCATED",
            Code::DuplicateMerged => "DUPLICATE_MERGED",
            Code::Conflict => "CONFLICT",
            Code::InstructionText => "INSTRUCTION_TEXT",
            Code::OutsideContent => "OUTSIDE_CONTENT",
            Code::StaleSnapshot => "STALE_SNAPSHOT",
            Code::UnauthorisedSource => "UNAUTHORISED_SOURCE",
            Code::ReviewerDisagrees => "REVIEWER_DISAGREES",
            Code::ReviewerAdded => "REVIEWER_ADDED",
            Code::ReviewIncomplete => "REVIEW_INCOMPLETE",
        }
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One thing found, with the words that show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Stable code.
    pub code: Code,
    /// One sentence in the page's language: what was expected, what was found.
    pub detail: String,
    /// Where on the page, as bytes of the canonical text, when there is a place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Span>,
    /// The page's words that decide the matter: the cut "not", the nearest passage, the other row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
}
