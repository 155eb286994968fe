//! The gate itself: a page, a reply and its circumstances in, a judgement out.
//!
//! Pure: the same input gives the same judgement. Every row of the reply comes out exactly once,
//! in order, whatever was found about it.

use crate::ask::reply::{MalformedRow, ParsedExtract};
use crate::gate::absent::explain_absence;
use crate::gate::carry::carry_rows;
use crate::gate::choose::best_places;
use crate::gate::ledger::Ledger;
use crate::gate::locate::Match;
use crate::gate::page::PageText;
use crate::gate::row::{GatedRow, Judgement, PageState, PageVerdict};
use crate::gate::scope::Scope;
use crate::gate::short::is_too_short;
use crate::gate::stand::{Stand, context_of};
use crate::gate::state::{PageLook, is_aimed_at_machines, look_at};
use crate::gate::worth::check_value;
use crate::model::ask::ExtractReply;
use crate::model::claim::Claim;
use crate::model::finding::{Code, Finding};
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
    let places = page.find(&claim.snippet);
    let Some(place) = best_places(page, scope, claim, &places).first().copied() else {
        let finding = if is_too_short(page, &claim.snippet, None) && places.is_empty() {
            too_short(page)
        } else {
            explain_absence(page, scope, &claim.snippet)
        };
        return GatedRow::new(claim.clone(), vec![finding], scope.is_strict);
    };
    let mut findings = look_differences(page, place.how);
    findings.extend(page_findings(page, look, place.span));
    if is_too_short(page, &claim.snippet, Some(place.span)) {
        findings.push(too_short(page));
    } else {
        let stand = Stand::new(page, scope, claim, place.span);
        findings.extend(check_stand(&stand));
    }
    let words = page.slice(place.span);
    let sentence = page.slice(context_of(page, place.span));
    GatedRow::new(claim.clone(), findings, scope.is_strict).at(
        page.place(place.span),
        words,
        sentence,
    )
}

/// Everything that can be said of one row at its place.
fn check_stand(stand: &Stand) -> Vec<Finding> {
    let mut findings = check_field(stand);
    findings.extend(check_value(stand));
    findings
}

fn check_field(stand: &Stand) -> Vec<Finding> {
    let fields = stand.scope.fields;
    let field = &stand.claim.field;
    if fields.is_empty() || fields.iter().any(|it| it.name == *field) {
        return Vec::new();
    }
    let detail = stand.page.pick(
        || format!("the field `{field}` is not declared; use one of the declared fields"),
        || format!("欄位「{field}」未宣告；請使用已宣告的欄位"),
    );
    vec![finding(Code::FieldUnknown, &detail, None)]
}

/// How the quote as stated differs from the page's own bytes.
fn look_differences(page: &PageText, how: Match) -> Vec<Finding> {
    let script = || {
        let detail = page.pick(
            || "the quote changes the script; the page's own characters are stored".to_owned(),
            || "引文改了字體（繁簡），已改存頁面原字".to_owned(),
        );
        finding(Code::SnippetScript, &detail, None)
    };
    let looks = || {
        let detail = page.pick(
            || "the quote differs in looks alone; the page's own bytes are stored".to_owned(),
            || "引文只有外觀不同，已改存頁面原文".to_owned(),
        );
        finding(Code::SnippetPresentation, &detail, None)
    };
    match how {
        Match::Exact => Vec::new(),
        Match::Presentation => vec![looks()],
        Match::Script => vec![script()],
        Match::ScriptAndPresentation => vec![script(), looks()],
    }
}

/// What the state of the page means for a row quoted from it.
fn page_findings(page: &PageText, look: &PageLook, span: Span) -> Vec<Finding> {
    if is_aimed_at_machines(look, span) {
        let detail = page.pick(
            || "the quote is an order to machines, which is no evidence".to_owned(),
            || "引文是對機器下的指令，不能作為證據".to_owned(),
        );
        return vec![finding(Code::InstructionText, &detail, Some(page.slice(span).to_owned()))];
    }
    match look.state {
        PageState::Suspect => {
            let detail = page.pick(
                || "the page is suspect; a person must look at it first".to_owned(),
                || "頁面可疑，須先由人工查看".to_owned(),
            );
            vec![finding(Code::PageSuspect, &detail, None)]
        }
        PageState::Blocked => look.findings.clone(),
        _ => Vec::new(),
    }
}

fn too_short(page: &PageText) -> Finding {
    let detail = page.pick(
        || "the quote is too short to prove anything; quote the whole clause".to_owned(),
        || "引文太短，不足以證明；請引用完整條文".to_owned(),
    );
    finding(Code::SnippetTooShort, &detail, None)
}

fn malformed(row: &MalformedRow) -> GatedRow {
    let claim = Claim { id: row.id.clone(), ..Claim::default() };
    let finding = finding(Code::RowMalformed, &row.reason, None);
    GatedRow::new(claim, vec![finding], false)
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
