//! The gate itself: a page, a reply and its circumstances in, a judgement out.
//!
//! Pure: the same input gives the same judgement. Every row of the reply comes out exactly once,
//! in order, whatever was found about it.

use crate::ask::reply::{MalformedRow, ParsedExtract};
use crate::gate::absent::explain_absence;
use crate::gate::carry::carry_rows;
use crate::gate::ledger::Ledger;
use crate::gate::locate::Match;
use crate::gate::page::PageText;
use crate::gate::row::{GatedRow, Judgement, PageState, PageVerdict};
use crate::gate::scope::Scope;
use crate::gate::state::{PageLook, is_aimed_at_machines, look_at};
use crate::model::ask::ExtractReply;
use crate::model::claim::{Claim, Value};
use crate::model::finding::{Code, Finding, Verdict};
use crate::text::span::Span;

/// Judges a reply that was read without loss. See [`judge_parsed`] for one that was not.
pub fn judge(page: &PageText, reply: &ExtractReply, scope: &Scope) -> Judgement {
    judge_parsed(page, &ParsedExtract::from(reply.clone()), scope)
}

/// Judges a reply as far as it could be read: malformed rows are failures, a cut reply leaves the
/// page incomplete.
pub fn judge_parsed(page: &PageText, parsed: &ParsedExtract, scope: &Scope) -> Judgement {
    let look = look_at(page, scope);
    let mut rows: Vec<GatedRow> =
        parsed.reply.rows.iter().map(|it| judge_row(page, &look, it, scope)).collect();
    for it in parsed.malformed.iter().rev() {
        rows.insert(it.after.min(rows.len()), malformed(it));
    }
    let page_verdict = page_verdict(page, parsed, &look);
    Judgement {
        page: page_verdict,
        rows,
        ledger: Ledger::default(),
        earlier: scope.earlier.map(|it| carry_rows(page, it)).unwrap_or_default(),
    }
}

fn judge_row(page: &PageText, look: &PageLook, claim: &Claim, scope: &Scope) -> GatedRow {
    let mut findings = Vec::new();
    let places = page.find(&claim.snippet);
    let inside = |span: Span| scope.span.is_none_or(|it| it.contains(span));
    let Some(place) = places.into_iter().find(|it| inside(it.span)) else {
        let finding = explain_absence(page, scope, &claim.snippet);
        return GatedRow::new(claim.clone(), vec![finding], Verdict::Fail);
    };
    let mut verdict = Verdict::Pass;
    if place.how != Match::Exact {
        let code = if place.how == Match::Presentation {
            Code::SnippetPresentation
        } else {
            Code::SnippetScript
        };
        findings.push(finding(code, "the page's own bytes are stored", None));
        verdict = if scope.is_strict { Verdict::Fail } else { Verdict::Repair };
    }
    if is_aimed_at_machines(look, place.span) {
        findings.push(finding(Code::InstructionText, "an order to machines is no evidence", None));
        verdict = verdict.max(Verdict::Flag);
    } else if look.state == PageState::Suspect {
        findings.push(finding(Code::PageSuspect, "the page is suspect", None));
        verdict = verdict.max(Verdict::Flag);
    }
    if look.state == PageState::Blocked {
        findings.push(finding(Code::PageBlocked, "the page is a wall", None));
        verdict = Verdict::Fail;
    }
    let is_known = scope.fields.is_empty() || scope.fields.iter().any(|it| it.name == claim.field);
    if !is_known {
        findings.push(finding(Code::FieldUnknown, "the field is not declared", None));
        verdict = Verdict::Fail;
    }
    if claim.value == Value::Null {
        findings.push(finding(Code::NotStated, "the page does not state the value", None));
        verdict = verdict.max(Verdict::Flag);
    }
    let words = page.slice(place.span).to_owned();
    let block = page.outline().block_at(place.span.start);
    let sentence = block.map(|it| page.slice(page.outline().blocks[it].content));
    GatedRow::new(claim.clone(), findings, verdict).at(
        page.place(place.span),
        &words,
        sentence.unwrap_or(&words),
    )
}

fn malformed(row: &MalformedRow) -> GatedRow {
    let claim = Claim { id: row.id.clone(), ..Claim::default() };
    let finding = finding(Code::RowMalformed, &row.reason, None);
    GatedRow::new(claim, vec![finding], Verdict::Fail)
}

fn page_verdict(page: &PageText, parsed: &ParsedExtract, look: &PageLook) -> PageVerdict {
    let mut verdict =
        PageVerdict { state: look.state, findings: look.findings.clone(), ..Default::default() };
    if parsed.is_truncated {
        let detail = page.pick(
            || "the reply was cut; the rows before the cut are kept".to_owned(),
            || "回覆被截斷；截斷之前的資料列已保留".to_owned(),
        );
        verdict.findings.push(finding(Code::OutputTruncated, &detail, None));
        verdict.counts.insert("rows_recovered", parsed.reply.rows.len());
        verdict.state = verdict.state.max(PageState::Incomplete);
    }
    if let Some(reason) = &parsed.unreadable {
        verdict.findings.push(finding(Code::NoAnswer, reason, None));
        verdict.state = verdict.state.max(PageState::Incomplete);
    }
    verdict
}

fn finding(code: Code, detail: &str, evidence: Option<String>) -> Finding {
    Finding { code, detail: detail.to_owned(), place: None, evidence }
}
