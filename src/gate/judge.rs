//! The gate itself: a page, a reply and its circumstances in, a judgement out.
//!
//! Pure: the same input gives the same judgement. Every row of the reply comes out exactly once,
//! in order, whatever was found about it.

use std::collections::BTreeMap;

use crate::ask::reply::{MalformedRow, ParsedExtract, parse_extract_reply};
use crate::gate::carry::carry_rows;
use crate::gate::check::{Around, draft_row, finding};
use crate::gate::checks::across::check_across;
use crate::gate::digest::digest_of;
use crate::gate::docs::unanswered;
use crate::gate::draft::Draft;
use crate::gate::page::PageText;
use crate::gate::places::placing::{Placed, place_rows, places_of};
use crate::gate::places::stream::forms_of;
use crate::gate::row::{GatedRow, Judgement, PageState, PageVerdict};
use crate::gate::scope::Scope;
use crate::gate::sentences::coverage::{Coverage, note_value};
use crate::gate::sentences::ledger::Ledger;
use crate::gate::sentences::ledger_read::{Users, read_ledger};
use crate::gate::sentences::omission::find_omission;
use crate::gate::state::{PageLook, look_at};
use crate::gate::wording::join::Company;
use crate::model::ask::ExtractReply;
use crate::model::claim::{Claim, Group};
use crate::model::finding::{Code, Finding};
use crate::text::span::Span;

/// Reads and judges a raw reply, however untidy: fences, prose around it, rows that are none, a cut
/// end. The front door; see the example at the top of the crate.
pub fn judge_reply(page: &PageText, raw: &str, scope: &Scope) -> Judgement {
    judge_parsed(page, &parse_extract_reply(raw, ""), scope)
}

/// Judges a reply that was read without loss. See [`judge_parsed`] for one that was not.
pub fn judge(page: &PageText, reply: &ExtractReply, scope: &Scope) -> Judgement {
    judge_parsed(page, &ParsedExtract::from(reply.clone()), scope)
}

/// Judges a reply as far as it could be read: malformed rows are failures, a cut reply leaves the
/// page incomplete.
pub fn judge_parsed(page: &PageText, parsed: &ParsedExtract, scope: &Scope) -> Judgement {
    let look = look_at(page, scope);
    let placed = place_rows(page, parsed, scope);
    let mut drafts = draft_rows(page, &look, &placed, &parsed.reply.groups);
    check_across(page, &mut drafts);
    let ledger = read_ledger(page, scope, &Users::of(page, &drafts));
    let mut page_verdict = page_verdict(page, parsed, &look);
    if page_verdict.state == PageState::Ok && scope.earlier.is_none() {
        let n_rows = drafts.len() + parsed.malformed.len();
        add_omission(page, &ledger, n_rows, &mut page_verdict);
    }
    let mut rows: Vec<GatedRow> =
        drafts.into_iter().map(|it| it.finish(page, scope.is_strict)).collect();
    put_malformed(&mut rows, &parsed.malformed);
    Judgement {
        page: page_verdict,
        rows,
        ledger,
        earlier: scope.earlier.map(|it| carry_rows(page, it)).unwrap_or_default(),
    }
}

/// The rows at their places, each judged by itself, knowing what the others quote.
fn draft_rows(page: &PageText, look: &PageLook, placed: &[Placed], groups: &[Group]) -> Vec<Draft> {
    let (covered, company) = surroundings(page, groups, placed);
    let around = Around { covered: &covered, company: &company };
    placed.iter().map(|it| draft_row(page, look, it, &around)).collect()
}

/// What the rows quote, and how they combine.
fn surroundings<'a>(
    page: &'a PageText,
    groups: &'a [Group],
    placed: &[Placed<'a>],
) -> (Coverage, Company<'a>) {
    let covered = Coverage::new(placed.iter().filter_map(|it| Some(it.place?.span)).collect());
    let mut values = BTreeMap::new();
    for row in placed {
        if let Some(place) = row.place {
            note_value(&mut values, page.sentences_of(place.span).start, row.claim);
        }
    }
    let covered = covered.with_values(values);
    let rows = placed.iter().filter_map(|it| Some((it.claim, it.place?.span)));
    (covered, Company::new(page, groups, rows))
}

/// Puts the rows that could not be read at their places.
pub fn put_malformed(rows: &mut Vec<GatedRow>, malformed_rows: &[MalformedRow]) {
    if malformed_rows.is_empty() {
        return;
    }
    let mut all = Vec::with_capacity(rows.len() + malformed_rows.len());
    let mut broken = malformed_rows.iter().peekable();
    for (at, row) in rows.drain(..).enumerate() {
        while let Some(it) = broken.next_if(|it| it.after <= at) {
            all.push(malformed(it));
        }
        all.push(row);
    }
    all.extend(broken.map(malformed));
    *rows = all;
}

fn malformed(row: &MalformedRow) -> GatedRow {
    let claim = Claim { id: row.id.clone(), ..Claim::default() };
    let finding = finding(Code::RowMalformed, &row.reason, None);
    GatedRow::new(claim, vec![finding], None, false)
}

/// The gate's word on the page, before it is known what the rows leave out.
pub fn page_verdict(page: &PageText, parsed: &ParsedExtract, look: &PageLook) -> PageVerdict {
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
    let missing = if parsed.docs.is_empty() {
        Vec::new()
    } else {
        unanswered(page.documents(), &parsed.docs)
    };
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

/// Adds what the rows leave out.
pub fn add_omission(page: &PageText, ledger: &Ledger, n_rows: usize, verdict: &mut PageVerdict) {
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

/// A judged reply whose rows can be tried in other wordings, one at a time: what would the gate say
/// of this row, had it been stated so, among all the others as they are?
///
/// A try costs by the rows it may touch: those of one field and subject; all rows only where the
/// quote moves or the row combines with others than before.
pub struct Bench<'a> {
    page: &'a PageText,
    scope: Scope<'a>,
    look: PageLook,
    groups: &'a [Group],
    placed: Vec<Placed<'a>>,
    covered: Coverage,
    company: Company<'a>,
    drafts: Vec<Draft>,
    /// Field and subject -> the rows of both, in order.
    alike: BTreeMap<u128, Vec<usize>>,
}

impl<'a> Bench<'a> {
    /// Judges the reply once.
    pub fn new(page: &'a PageText, parsed: &'a ParsedExtract, scope: Scope<'a>) -> Self {
        let look = look_at(page, &scope);
        let placed = place_rows(page, parsed, &scope);
        let groups = &parsed.reply.groups;
        let (covered, company) = surroundings(page, groups, &placed);
        let around = Around { covered: &covered, company: &company };
        let drafts = placed.iter().map(|it| draft_row(page, &look, it, &around)).collect();
        let mut alike: BTreeMap<u128, Vec<usize>> = BTreeMap::new();
        for (at, row) in placed.iter().enumerate() {
            alike.entry(field_and_subject(row.claim)).or_default().push(at);
        }
        Self { page, scope, look, groups, placed, covered, company, drafts, alike }
    }

    /// The rows as judged.
    pub fn rows(&self) -> Vec<GatedRow> {
        let mut drafts = self.drafts.clone();
        check_across(self.page, &mut drafts);
        drafts.into_iter().map(|it| it.finish(self.page, self.scope.is_strict)).collect()
    }

    /// Where each row stands.
    pub fn places(&self) -> Vec<Option<Span>> {
        self.placed.iter().map(|it| it.place.map(|it| it.span)).collect()
    }

    /// Row `at` as it would be judged if it were `claim`.
    pub fn try_row(&self, at: usize, claim: &Claim) -> GatedRow {
        let place = places_of(self.page, &self.scope, claim);
        // A quote that is unchanged stays at its place among several equal ones.
        let was = &self.placed[at];
        let place = was.place.filter(|it| place.contains(it)).or(place.first().copied());
        let row = Placed { claim, scope: self.scope, place };
        let draft = self.draft(at, &row);
        let others = self.alike.get(&field_and_subject(claim)).map_or(&[][..], Vec::as_slice);
        let earlier = others.iter().take_while(|it| **it < at);
        let later = others.iter().skip_while(|it| **it <= at);
        let mut drafts: Vec<Draft> = earlier.map(|it| self.drafts[*it].clone()).collect();
        let own = drafts.len();
        drafts.push(draft);
        drafts.extend(later.map(|it| self.drafts[*it].clone()));
        check_across(self.page, &mut drafts);
        drafts.swap_remove(own).finish(self.page, self.scope.is_strict)
    }

    fn draft(&self, at: usize, row: &Placed) -> Draft {
        let was = &self.placed[at];
        let company = |it: &Placed| (it.place.map(|it| it.span), it.claim.join.is_some());
        if company(was) == company(row) && was.claim.group == row.claim.group {
            let around = Around { covered: &self.covered, company: &self.company };
            return draft_row(self.page, &self.look, row, &around);
        }
        let mut placed = self.placed.clone();
        placed[at] = *row;
        let (covered, company) = surroundings(self.page, self.groups, &placed);
        let around = Around { covered: &covered, company: &company };
        draft_row(self.page, &self.look, row, &around)
    }
}

/// Rows that differ in one of these never repeat and never contradict each other.
fn field_and_subject(claim: &Claim) -> u128 {
    digest_of(&[&claim.field, &forms_of(&claim.subject).join(" ")])
}
