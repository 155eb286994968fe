//! Judges one row at its place: every check, each on its own, none aware of the others' findings.
//!
//! It looks at the other rows only for what they quote and how they combine.

use crate::gate::checks::absent::explain_absence;
use crate::gate::checks::short::is_too_short;
use crate::gate::draft::Draft;
use crate::gate::owner::cell::check_cell;
use crate::gate::owner::respective::check_respective;
use crate::gate::owner::subject::check_subject;
use crate::gate::page::PageText;
use crate::gate::places::locate::{Match, Place};
use crate::gate::places::placing::Placed;
use crate::gate::places::stand::Stand;
use crate::gate::row::PageState;
use crate::gate::scope::Scope;
use crate::gate::sentences::coverage::Coverage;
use crate::gate::state::{PageLook, is_aimed_at_machines};
use crate::gate::values::worth::{check_value, number_place};
use crate::gate::wording::added::check_added;
use crate::gate::wording::around::{check_around, turned_by_cut};
use crate::gate::wording::consent::check_consent;
use crate::gate::wording::dropped::check_dropped;
use crate::gate::wording::force::check_force;
use crate::gate::wording::join::{Company, check_join};
use crate::gate::wording::leading::check_leading;
use crate::gate::wording::listed::check_listed;
use crate::gate::wording::member::check_member;
use crate::gate::wording::noted::check_noted;
use crate::gate::wording::polarity::check_polarity;
use crate::model::claim::Claim;
use crate::model::finding::{Code, Finding};
use crate::text::span::Span;

/// What a row must know of the others.
pub struct Around<'a> {
    pub covered: &'a Coverage,
    pub company: &'a Company<'a>,
}

/// Judges a row: at its place, or by why it has none.
pub fn draft_row(page: &PageText, look: &PageLook, row: &Placed, around: &Around) -> Draft {
    match row.place {
        Some(place) => draft_at(page, look, row, place, around),
        None => Draft::unplaced(row.claim.clone(), why_unplaced(page, &row.scope, row.claim)),
    }
}

fn why_unplaced(page: &PageText, scope: &Scope, claim: &Claim) -> Finding {
    let is_known = !page.find(&claim.snippet).is_empty();
    if !is_known && is_too_short(page, &claim.snippet, None) {
        too_short(page)
    } else {
        explain_absence(page, scope, &claim.snippet)
    }
}

fn draft_at(
    page: &PageText,
    look: &PageLook,
    row: &Placed,
    place: Place,
    around: &Around,
) -> Draft {
    let claim = row.claim;
    let mut findings = look_differences(page, place.how);
    findings.extend(foreign_source(page, &row.scope));
    findings.extend(page_findings(page, look, place.span));
    let mut number = None;
    let mut lighter = None;
    let is_order = findings.iter().any(|it| it.code == Code::InstructionText);
    if is_too_short(page, &claim.snippet, Some(place.span)) {
        // 得受僱 out of 不得受僱 proves nothing, and what it lost says more.
        let stand = Stand::new(page, &row.scope, claim, place.span);
        findings.push(turned_by_cut(&stand).unwrap_or_else(|| too_short(page)));
    } else if !is_order {
        let stand = Stand::new(page, &row.scope, claim, place.span);
        findings.extend(check_stand(&stand, around.covered));
        if let Some((finding, verdict)) = check_join(&stand, around.company) {
            lighter = Some((finding.code, verdict));
            findings.push(finding);
        }
        number = number_place(&stand);
    }
    Draft { claim: claim.clone(), span: Some(place.span), number, near: None, findings, lighter }
}

/// Everything that can be said of one row at its place.
fn check_stand(stand: &Stand, covered: &Coverage) -> Vec<Finding> {
    let mut findings = check_field(stand);
    findings.extend(check_value(stand));
    findings.extend(check_cell(stand));
    findings.extend(check_subject(stand).or_else(|| check_respective(stand)));
    findings.extend(check_added(stand));
    // A duty made of a ban is told once.
    match check_force(stand) {
        Some(force) => findings.push(force),
        None => findings.extend(check_polarity(stand)),
    }
    findings.extend(check_around(stand, covered));
    findings.extend(check_noted(stand, covered));
    findings.extend(check_dropped(stand, covered));
    findings.extend(check_member(stand, covered));
    findings.extend(check_consent(stand, covered));
    findings.extend(check_leading(stand, covered));
    findings.extend(check_listed(stand));
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

/// Words of a site that nobody agreed to rely on are no evidence, however exact.
fn foreign_source(page: &PageText, scope: &Scope) -> Option<Finding> {
    let host = scope.foreign_host?;
    let detail = page.pick(
        || format!("the text comes from {host}, which was not agreed as a source"),
        || format!("文字來自 {host}，並非約定的來源"),
    );
    Some(finding(Code::UnauthorisedSource, &detail, Some(host.to_owned())))
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

/// A finding without a place.
pub fn finding(code: Code, detail: &str, evidence: Option<String>) -> Finding {
    Finding { code, detail: detail.to_owned(), place: None, evidence }
}
