//! What rows of one reply say of each other: the same twice, or two things that cannot both be.
//!
//! It never drops a row: a repeated one is counted in the first, a conflict goes to a person.

use std::collections::BTreeMap;

use rust_decimal::Decimal;

use crate::gate::draft::Draft;
use crate::gate::page::PageText;
use crate::gate::stream::forms_of;
use crate::gate::value::{Wanted, unit_of, wanted_of};
use crate::gate::words::stems_of;
use crate::model::claim::{Join, Op};
use crate::model::finding::{Code, Finding, Verdict};
use crate::text::quantity::read_quantities;
use crate::text::span::Span;

/// Rows of one subject and field are compared with this many before them.
const MAX_COMPARED: usize = 48;

/// Marks repeated rows, then rows that contradict each other.
pub fn check_across(page: &PageText, drafts: &mut [Draft]) {
    let mut alike: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for (at, draft) in drafts.iter().enumerate() {
        if draft.span.is_some() && draft.worst() < Verdict::Fail {
            let subject = forms_of(&draft.claim.subject).join(" ");
            alike.entry((draft.claim.field.clone(), subject)).or_default().push(at);
        }
    }
    for rows in alike.values() {
        let merged = merge(page, drafts, rows);
        let left: Vec<usize> = rows.iter().copied().filter(|it| !merged.contains(it)).collect();
        mark_conflicts(page, drafts, &left);
    }
}

fn merge(page: &PageText, drafts: &mut [Draft], rows: &[usize]) -> Vec<usize> {
    let mut merged = Vec::new();
    for (step, &at) in rows.iter().enumerate() {
        let earlier = &rows[step.saturating_sub(MAX_COMPARED)..step];
        let same = earlier
            .iter()
            .find(|it| !merged.contains(*it) && says_same(&drafts[**it], &drafts[at]));
        if let Some(&first) = same {
            let id = drafts[first].claim.id.clone();
            let detail = page.pick(
                || format!("says the same as row {id} and is counted there"),
                || format!("與資料列 {id} 相同，併入該列"),
            );
            let evidence = Some(id);
            let code = Code::DuplicateMerged;
            drafts[at].findings.push(Finding { code, detail, place: None, evidence });
            merged.push(at);
        }
    }
    merged
}

/// The same words in the same operator and value, from the same place of the page.
fn says_same(one: &Draft, two: &Draft) -> bool {
    let (a, b) = (&one.claim, &two.claim);
    let is_same_value = wanted_of(a) == wanted_of(b) && a.op == b.op && units_agree(one, two);
    let is_same_rule = a.join == b.join && a.force == b.force && a.group == b.group;
    let is_same_place = match (one.number, two.number) {
        (Some(x), Some(y)) => x == y,
        _ => match (one.span, two.span) {
            (Some(x), Some(y)) => x.contains(y) || y.contains(x),
            _ => false,
        },
    };
    is_same_value && is_same_rule && is_same_place
}

/// The text without its numbers and what they count.
fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    let mut from = 0;
    for quantity in read_quantities(text) {
        let numbers = quantity.numbers.iter().map(|it| it.span);
        for span in numbers.chain(quantity.unit_span) {
            if from <= span.start {
                out.push_str(text.get(from..span.start).unwrap_or_default());
                out.push(' ');
                from = span.end;
            }
        }
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

fn units_agree(one: &Draft, two: &Draft) -> bool {
    match (unit_of(&one.claim), unit_of(&two.claim)) {
        (Some(a), Some(b)) => a.1 == b.1 && a.0.agrees_with(&b.0),
        _ => true,
    }
}

fn mark_conflicts(page: &PageText, drafts: &mut [Draft], rows: &[usize]) {
    let mut pairs = Vec::new();
    for (step, &at) in rows.iter().enumerate() {
        let earlier = &rows[step.saturating_sub(MAX_COMPARED)..step];
        pairs.extend(earlier.iter().map(|it| (*it, at)));
    }
    for (one, two) in pairs {
        if !contradict(page, &drafts[one], &drafts[two]) {
            continue;
        }
        for (at, other) in [(one, two), (two, one)] {
            let is_marked = drafts[at].findings.iter().any(|it| it.code == Code::Conflict);
            if is_marked {
                continue;
            }
            let id = drafts[other].claim.id.clone();
            let (value, rival) = (&drafts[at].claim.value, &drafts[other].claim.value);
            let detail = page.pick(
                || format!("the page also says {rival} (row {id}) where this row says {value}"),
                || format!("頁面另寫 {rival}（資料列 {id}），本列寫 {value}"),
            );
            let (code, evidence) = (Code::Conflict, Some(id));
            drafts[at].findings.push(Finding { code, detail, place: None, evidence });
        }
    }
}

/// Two values for one thing: same subject, field, operator and unit, and no word in one quote that
/// would tell its case from the other's.
fn contradict(page: &PageText, one: &Draft, two: &Draft) -> bool {
    let (a, b) = (&one.claim, &two.claim);
    let is_alternative = a.join == Some(Join::Any) && b.join == Some(Join::Any);
    if a.op != b.op || matches!(a.op, Op::Is | Op::In | Op::Ne) || is_alternative {
        return false;
    }
    let (x, y) = (wanted_of(a), wanted_of(b));
    let is_plain = |it: &Wanted| matches!(it, Wanted::Number(_) | Wanted::Date(_));
    if x == y || !is_plain(&x) || !is_plain(&y) || !units_agree(one, two) {
        return false;
    }
    let (Some(p), Some(q)) = (one.span, two.span) else { return false };
    // One sentence does not contradict itself; two cases of one scale differ in their other numbers.
    let is_one_sentence = page.sentences_of(p).start == page.sentences_of(q).start;
    if p.overlaps(q)
        || is_one_sentence
        || are_items(page, p, q)
        || other_numbers(page, one) != other_numbers(page, two)
    {
        return false;
    }
    let words = |draft: &Draft, span| {
        let mut words = stems_of(&without_numbers(page.slice(span)));
        for it in stems_of(&draft.claim.subject) {
            words.remove(&it);
        }
        words
    };
    words(one, p) == words(two, q)
}

/// Items of one list, or of lists inside it, are cases of one rule.
fn are_items(page: &PageText, one: Span, two: Span) -> bool {
    let outline = page.outline();
    let leads =
        |it: Span| outline.block_at(it.start).map(|at| outline.lead_ins(at)).unwrap_or_default();
    let others = leads(two);
    leads(one).iter().any(|it| others.contains(it))
}

/// The numbers of a quote but the stated one.
fn other_numbers(page: &PageText, draft: &Draft) -> Vec<Decimal> {
    let text = draft.span.map(|it| page.slice(it)).unwrap_or_default();
    let stated = wanted_of(&draft.claim);
    let values = read_quantities(text).into_iter().flat_map(|it| it.numbers);
    let mut others: Vec<Decimal> =
        values.map(|it| it.value).filter(|it| Wanted::Number(*it) != stated).collect();
    others.sort();
    others
}
