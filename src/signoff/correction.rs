//! A client's correction: what was written, read as a claim, and put through the same gate as a
//! model's. A near miss is offered back with the page's own words, never taken.

use crate::gate::judge::judge;
use crate::gate::page::PageText;
use crate::gate::row::GatedRow;
use crate::gate::scope::Scope;
use crate::model::ask::ExtractReply;
use crate::model::claim::{Claim, Value};
use crate::model::finding::{Code, Finding, Verdict};
use crate::model::row::RowRecord;
use crate::model::sheet::Proposal;
use crate::model::signing::{Correction, SignCode};
use crate::model::source::Field;
use crate::signoff::written::{Written, corrected_claim, holds_dates};

/// What becomes of a correction.
#[derive(Clone, Debug, PartialEq)]
pub enum Judged {
    Taken(Box<Correction>),
    NotTaken {
        code: SignCode,
        /// The gate's findings, worst first.
        findings: Vec<Finding>,
        /// The page's own words that may be meant.
        suggestion: Option<String>,
        /// The corrected row to be confirmed, where one can be offered.
        proposal: Option<Box<Proposal>>,
    },
}

/// Puts a correction of `row` through the gate.
pub fn judge_correction(
    row: &RowRecord,
    written: &Written,
    page: &PageText,
    fields: &[Field],
) -> Judged {
    let Some(claim) = corrected_claim(&row.claim, written) else {
        return refused(SignCode::CorrectionUnreadable, Vec::new());
    };
    let strict = gate_row(row, &claim, page, fields, true);
    let Some(strict) = strict else { return refused(SignCode::CorrectionRefused, Vec::new()) };
    let unfounded = unfounded_words(row, &claim, page, fields);
    let is_clear = strict.is_clear() || is_decided_by_a_person(&strict, row);
    if is_clear && unfounded.is_empty() {
        return Judged::Taken(Box::new(Correction {
            claim: strict.claim().clone(),
            place: strict.place(),
            sentence: strict.sentence().to_owned(),
        }));
    }
    let lenient = gate_row(row, &claim, page, fields, false);
    let offered = lenient.filter(|it| it.place().is_some() && it.verdict() != Verdict::Fail);
    let suggestion = offered
        .as_ref()
        .map(|it| it.claim().snippet.clone())
        .filter(|it| *it != claim.snippet)
        .or_else(|| {
            // Only the page's own words are a suggestion.
            let mut evidence = strict.findings().iter().filter_map(|it| it.evidence.as_ref());
            evidence.find(|it| row.sentence.contains(it.as_str())).cloned()
        });
    let is_absent = !unfounded.is_empty() && is_clear;
    let code = if is_absent || strict.verdict() == Verdict::Fail || strict.place().is_none() {
        SignCode::CorrectionNotInSource
    } else {
        SignCode::CorrectionRefused
    };
    // Words of the client's own are not offered back as if the page had them.
    let offered = offered.filter(|_| !is_absent);
    Judged::NotTaken {
        code,
        findings: strict.findings().iter().cloned().chain(unfounded).collect(),
        suggestion: suggestion.filter(|_| !is_absent),
        proposal: offered.map(|it| Box::new(proposal(row, &it))),
    }
}

/// A corrected value in words has to be the page's own words, and not a piece that a negation or an
/// exception beside it turns around: what is wrong with it, where it is not.
fn unfounded_words(
    row: &RowRecord,
    claim: &Claim,
    page: &PageText,
    fields: &[Field],
) -> Vec<Finding> {
    let Value::Text(text) = &claim.value else { return Vec::new() };
    if claim.value == row.claim.value || holds_dates(&claim.value) {
        return Vec::new();
    }
    let as_quote = Claim { snippet: text.clone(), ..claim.clone() };
    let Some(gated) = gate_row(row, &as_quote, page, fields, false) else { return Vec::new() };
    let is_meant = |it: &&Finding| {
        matches!(
            it.code,
            Code::SnippetAbsent
                | Code::SnippetStitched
                | Code::SnippetTranslated
                | Code::SnippetFromExample
                | Code::SnippetCutsNegation
                | Code::SnippetCutsException
        )
    };
    let is_nowhere = gated.place().is_none();
    gated.findings().iter().filter(|it| is_nowhere || is_meant(it)).cloned().collect()
}

fn refused(code: SignCode, findings: Vec<Finding>) -> Judged {
    Judged::NotTaken { code, findings, suggestion: None, proposal: None }
}

/// A flag sends a row to a person; where it raises nothing that the person has not seen beside the
/// row, the person has decided it.
fn is_decided_by_a_person(gated: &GatedRow, row: &RowRecord) -> bool {
    let seen: Vec<Code> = row.findings.iter().map(|it| it.code).collect();
    gated.verdict() == Verdict::Flag
        && gated.place().is_some()
        && gated.findings().iter().all(|it| seen.contains(&it.code))
}

fn gate_row(
    row: &RowRecord,
    claim: &Claim,
    page: &PageText,
    fields: &[Field],
    is_strict: bool,
) -> Option<GatedRow> {
    let scope = Scope {
        page_title: &row.page_title,
        heading_path: &row.heading_path,
        fields,
        is_strict,
        ..Scope::default()
    };
    // A row is judged by itself here; how it combines with others was not corrected.
    let alone = Claim { group: None, ..claim.clone() };
    let reply = ExtractReply { rows: vec![alone], groups: Vec::new() };
    let mut gated = judge(page, &reply, &scope).rows;
    if gated.is_empty() { None } else { Some(gated.swap_remove(0)) }
}

fn proposal(row: &RowRecord, gated: &GatedRow) -> Proposal {
    let mut proposed = row.clone();
    proposed.claim = Claim { group: row.claim.group.clone(), ..gated.claim().clone() };
    proposed.place = gated.place();
    gated.sentence().clone_into(&mut proposed.sentence);
    proposed.findings = gated.findings().to_vec();
    proposed.verdict = gated.verdict();
    proposed.review = None;
    Proposal { row: proposed, stands_for: String::new() }
}
