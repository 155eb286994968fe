//! The gate itself: a page, a reply and its circumstances in, a judgement out.
//!
//! Pure: the same input gives the same judgement. Every row of the reply comes out exactly once,
//! in order, whatever was found about it.

use std::collections::BTreeMap;

use crate::ask::reply::{MalformedRow, ParsedExtract};
use crate::gate::absent::explain_absence;
use crate::gate::across::check_across;
use crate::gate::added::check_added;
use crate::gate::around::check_around;
use crate::gate::carry::carry_rows;
use crate::gate::cell::check_cell;
use crate::gate::choose::best_places;
use crate::gate::coverage::Coverage;
use crate::gate::docs::{Document, document_for, unanswered};
use crate::gate::draft::Draft;
use crate::gate::dropped::check_dropped;
use crate::gate::force::check_force;
use crate::gate::join::{Company, check_join};
use crate::gate::ledger::Ledger;
use crate::gate::ledger_read::read_ledger;
use crate::gate::locate::{Match, Place};
use crate::gate::omission::find_omission;
use crate::gate::page::PageText;
use crate::gate::row::{GatedRow, Judgement, PageState, PageVerdict};
use crate::gate::scope::Scope;
use crate::gate::short::is_too_short;
use crate::gate::stand::Stand;
use crate::gate::state::{PageLook, is_aimed_at_machines, look_at};
use crate::gate::subject::check_subject;
use crate::gate::worth::{check_value, number_place};
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
    let documents = page.documents();
    let mut drafts = draft_rows(page, &look, parsed, scope, documents);
    check_across(page, &mut drafts);
    let ledger = read_ledger(page, scope, &drafts);
    let mut page_verdict = page_verdict(page, parsed, &look, documents);
    if page_verdict.state == PageState::Ok && scope.earlier.is_none() {
        let n_rows = drafts.len() + parsed.malformed.len();
        add_omission(page, &ledger, n_rows, &mut page_verdict);
    }
    let mut rows: Vec<GatedRow> =
        drafts.into_iter().map(|it| it.finish(page, scope.is_strict)).collect();
    for it in parsed.malformed.iter().rev() {
        rows.insert(it.after.min(rows.len()), malformed(it));
    }
    Judgement {
        page: page_verdict,
        rows,
        ledger,
        earlier: scope.earlier.map(|it| carry_rows(page, it)).unwrap_or_default(),
    }
}

/// A row with the place chosen for it and the scope it is judged in.
struct Placed<'a> {
    claim: &'a Claim,
    scope: Scope<'a>,
    place: Option<Place>,
}

/// The rows at their places, each judged by itself, knowing what the others quote.
fn draft_rows(
    page: &PageText,
    look: &PageLook,
    parsed: &ParsedExtract,
    scope: &Scope,
    documents: &[Document],
) -> Vec<Draft> {
    let placed = place_rows(page, parsed, scope, documents);
    let covered = Coverage::new(placed.iter().filter_map(|it| Some(it.place?.span)).collect());
    let rows = placed.iter().filter_map(|it| Some((it.claim, it.place?.span)));
    let around =
        Around { covered: &covered, company: &Company::new(page, &parsed.reply.groups, rows) };
    let draft = |it: &Placed| match it.place {
        Some(place) => draft_at(page, look, it, place, &around),
        None => Draft::unplaced(it.claim.clone(), why_unplaced(page, &it.scope, it.claim)),
    };
    placed.iter().map(draft).collect()
}

/// What a row must know of the others.
struct Around<'a> {
    covered: &'a Coverage,
    company: &'a Company<'a>,
}

fn place_rows<'a>(
    page: &PageText,
    parsed: &'a ParsedExtract,
    scope: &Scope<'a>,
    documents: &[Document],
) -> Vec<Placed<'a>> {
    // Rows that say the same at several places of the page are told apart by reading order.
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    let mut placed = Vec::with_capacity(parsed.reply.rows.len());
    for (at, claim) in parsed.reply.rows.iter().enumerate() {
        let answer = parsed.docs.iter().find(|it| it.first <= at && at < it.end);
        let span = match answer {
            Some(it) if !documents.is_empty() => {
                Some(document_for(documents, it).map_or(Span::default(), |it| it.span))
            }
            _ => scope.span,
        };
        let scope = Scope { span, ..*scope };
        let places = places_of(page, &scope, claim);
        let count = times.entry(fingerprint(claim)).or_default();
        let place = places.get(*count).or(places.first()).copied();
        *count += 1;
        placed.push(Placed { claim, scope, place });
    }
    placed
}

/// The places inside the scope, those that fit the subject best first.
fn places_of(page: &PageText, scope: &Scope, claim: &Claim) -> Vec<Place> {
    let all = page.find(&claim.snippet);
    let mut places = best_places(page, scope, claim, &all);
    let inside = |it: &&Place| scope.span.is_none_or(|span| span.contains(it.span));
    let rest: Vec<Place> =
        all.iter().filter(inside).filter(|it| !places.contains(it)).copied().collect();
    places.extend(rest);
    places
}

/// Everything of a row but its id.
fn fingerprint(claim: &Claim) -> String {
    let row = Claim { id: String::new(), ..claim.clone() };
    serde_json::to_string(&row).unwrap_or_default()
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
    findings.extend(page_findings(page, look, place.span));
    let mut number = None;
    let mut lighter = None;
    let is_order = findings.iter().any(|it| it.code == Code::InstructionText);
    if is_too_short(page, &claim.snippet, Some(place.span)) {
        findings.push(too_short(page));
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
    findings.extend(check_subject(stand));
    findings.extend(check_added(stand));
    findings.extend(check_force(stand));
    findings.extend(check_around(stand, covered));
    findings.extend(check_dropped(stand, covered));
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
    GatedRow::new(claim, vec![finding], None, false)
}

fn page_verdict(
    page: &PageText,
    parsed: &ParsedExtract,
    look: &PageLook,
    documents: &[Document],
) -> PageVerdict {
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
    let missing =
        if parsed.docs.is_empty() { Vec::new() } else { unanswered(documents, &parsed.docs) };
    if !missing.is_empty() {
        let list = missing.join(", ");
        let detail = page.pick(
            || format!("the reply does not answer: {list}"),
            || format!("回覆沒有答覆：{list}"),
        );
        verdict.findings.push(finding(Code::NoAnswer, &detail, None));
        verdict.docs_without_answer = missing;
        verdict.state = verdict.state.max(PageState::Incomplete);
    }
    if let Some(reason) = &parsed.unreadable {
        verdict.findings.push(finding(Code::NoAnswer, reason, None));
        verdict.state = verdict.state.max(PageState::Incomplete);
    }
    verdict
}

fn add_omission(page: &PageText, ledger: &Ledger, n_rows: usize, verdict: &mut PageVerdict) {
    let Some(omission) = find_omission(page, ledger, n_rows) else { return };
    let words = page.slice(omission.first).to_owned();
    let (seen, found) = (omission.source_items, omission.rows_found);
    let detail = page.pick(
        || format!("{seen} conditions were seen and {found} of them used; not used: {words}"),
        || format!("看到 {seen} 項條件，只用了 {found} 項；未用的有：{words}"),
    );
    let place = Some(omission.first);
    let (code, evidence) = (Code::Omission, Some(words));
    verdict.findings.push(Finding { code, detail, place, evidence });
    verdict.counts.insert("source_items", seen);
    verdict.counts.insert("rows_found", found);
    verdict.state = PageState::Incomplete;
}

fn finding(code: Code, detail: &str, evidence: Option<String>) -> Finding {
    Finding { code, detail: detail.to_owned(), place: None, evidence }
}
