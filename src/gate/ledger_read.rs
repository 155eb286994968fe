//! Fills the sentence ledger: what each sentence is, and which rows use it.
//!
//! A sentence is explained only where its own words show that it states no condition; when in doubt
//! it stays open, and an open rule is an omission for a person to look at.

use std::collections::{BTreeMap, BTreeSet};

use crate::gate::draft::Draft;
use crate::gate::ledger::{Fate, Ledger, LedgerEntry, Why};
use crate::gate::page::PageText;
use crate::gate::scope::Scope;
use crate::text::marker::{MarkerKind, Strength, markers_of_sentence};
use crate::text::outline::BlockKind;
use crate::text::quantity::read_all;
use crate::text::span::Span;

/// A sentence longer than this is judged by its beginning.
const MAX_READ: usize = 4_000;

/// The ledger of the part of the page that was asked about.
pub fn read_ledger(page: &PageText, scope: &Scope, drafts: &[Draft]) -> Ledger {
    let users = users_of(page, drafts);
    let inside = |it: &Span| scope.span.is_none_or(|span| span.overlaps(*it));
    let mut entries: Vec<LedgerEntry> = page
        .sentences()
        .iter()
        .enumerate()
        .filter(|(_, it)| inside(it))
        .map(|(at, span)| {
            let fate = match users.get(&at) {
                Some(rows) => Fate::Used { rows: rows.clone() },
                None => fate_of(page, *span),
            };
            LedgerEntry { span: *span, fate }
        })
        .collect();
    open_siblings(page, &mut entries);
    Ledger { entries }
}

/// Where rows use one item of a list, the others are conditions as well, whatever their words.
fn open_siblings(page: &PageText, entries: &mut [LedgerEntry]) {
    let outline = page.outline();
    let lead_of = |it: &LedgerEntry| {
        let block = outline.block_at(it.span.start)?;
        outline.lead_in(block)
    };
    let is_used = |it: &&LedgerEntry| matches!(it.fate, Fate::Used { .. });
    let used: BTreeSet<usize> = entries.iter().filter(is_used).filter_map(lead_of).collect();
    for entry in entries {
        let is_plain = matches!(entry.fate, Fate::NotACondition { why: Why::Plain });
        let has_words = page.slice(entry.span).chars().any(char::is_alphanumeric);
        if is_plain && has_words && lead_of(entry).is_some_and(|it| used.contains(&it)) {
            entry.fate = Fate::Open { is_rule: true };
        }
    }
}

/// Sentence -> ids of the rows that quote it, or that probably mean it.
fn users_of(page: &PageText, drafts: &[Draft]) -> BTreeMap<usize, Vec<String>> {
    const MAX_SENTENCES: usize = 200;
    let mut users: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for draft in drafts {
        let Some(span) = draft.span.or(draft.near) else { continue };
        for at in page.sentences_of(span).take(MAX_SENTENCES) {
            let rows = users.entry(at).or_default();
            if rows.len() < 100 {
                rows.push(draft.claim.id.clone());
            }
        }
    }
    users
}

fn fate_of(page: &PageText, span: Span) -> Fate {
    let outline = page.outline();
    let block = outline.block_at(span.start);
    let kind = block.map(|it| outline.blocks[it].kind);
    let explained = |why: Why| Fate::NotACondition { why };
    match kind {
        Some(BlockKind::Heading) => return explained(Why::Heading),
        Some(BlockKind::TableHeader) => return explained(Why::TableHead),
        _ => {}
    }
    let text = bounded(page.slice(span));
    let is_last = block.is_some_and(|it| outline.blocks[it].content.end <= span.end);
    if !text.chars().any(char::is_alphanumeric) {
        return explained(Why::Plain);
    }
    let has_items = block.is_some_and(|it| outline.members(it).next().is_some());
    if has_items && (is_last || points_down(text)) {
        return explained(Why::LeadIn);
    }
    match why_no_condition(text) {
        Some(why) => explained(why),
        None if is_rule(text) => Fate::Open { is_rule: true },
        None if is_condition_item(page, block) => Fate::Open { is_rule: true },
        None => explained(Why::Plain),
    }
}

/// "Both of these must be true.", "the requirements listed below", 下列情形之一.
fn points_down(text: &str) -> bool {
    let lower = text.to_lowercase();
    ["of these", "below", "following", "下列", "以下"].iter().any(|it| lower.contains(it))
}

fn bounded(text: &str) -> &str {
    let mut end = text.len().min(MAX_READ);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Questions, contacts and pointers, by their own words.
fn why_no_condition(text: &str) -> Option<Why> {
    let lower = text.trim().to_lowercase();
    let starts = |list: &[&str]| list.iter().any(|it| lower.starts_with(it));
    let has = |list: &[&str]| list.iter().any(|it| lower.contains(it));
    if lower.ends_with(['?', '？']) || lower.ends_with("嗎") {
        return Some(Why::Question);
    }
    let contact = [
        "http://",
        "https://",
        "www.",
        "@",
        "telephone:",
        "phone:",
        "tel:",
        "fax:",
        "email:",
        "e-mail:",
        "opening hours",
        "office hours",
        "call us at",
        "call us on",
        "電話：",
        "電話:",
        "傳真",
        "電子郵件",
        "地址：",
        "辦公時間",
        "服務時間",
        "洽詢專線",
        "服務專線",
    ];
    if has(&contact) || starts(&["call ", "contact ", "email ", "write to us", "洽詢", "請洽"])
    {
        return Some(Why::Contact);
    }
    let pointer = [
        "read more",
        "find out",
        "learn more",
        "see also",
        "see the ",
        "more about",
        "more information",
        "go to ",
        "visit ",
        "click ",
        "download ",
        "last updated",
        "last reviewed",
        "back to",
        "詳見",
        "參閱",
        "更多資訊",
        "最後更新",
        "下載",
        "回上頁",
        "請參考",
    ];
    starts(&pointer).then_some(Why::Reference)
}

/// A number that counts, or a word that binds, excepts or narrows.
fn is_rule(text: &str) -> bool {
    let readings = read_all(text);
    if !readings.quantities.is_empty() || !readings.dates.is_empty() {
        return true;
    }
    markers_of_sentence(text, Span::new(0, text.len())).iter().any(|it| match it.kind {
        // "You can apply online" offers a way; it binds nobody.
        MarkerKind::Force(Strength::May) => {
            !it.span.slice(text).is_some_and(|word| word.eq_ignore_ascii_case("can"))
        }
        MarkerKind::Force(_)
        | MarkerKind::Exception
        | MarkerKind::Restriction
        | MarkerKind::Bound => true,
        _ => false,
    })
}

/// An item of a list that a title or lead-in of conditions announces.
pub fn is_condition_item(page: &PageText, block: Option<usize>) -> bool {
    let outline = page.outline();
    let Some(at) = block.filter(|it| outline.blocks[*it].kind == BlockKind::ListItem) else {
        return false;
    };
    let lead = outline.lead_ins(at);
    let above = lead.iter().copied().chain(outline.blocks[at].heading);
    above
        .into_iter()
        .any(|it| announces_conditions(bounded(page.slice(outline.blocks[it].content))))
}

/// "Who can apply", "You must:", 申請資格, 應符合下列條件.
fn announces_conditions(lead: &str) -> bool {
    let lower = lead.to_lowercase();
    [
        "who can",
        "who may",
        "can apply",
        "may apply",
        "eligib",
        "qualif",
        "requirement",
        "condition",
        "criteria",
        "criterion",
        "you must",
        "you need",
        "must be",
        "must have",
        "you’ll need",
        "you'll need",
        "to apply",
        "entitled",
        "documents you",
        "if you",
        "if any",
        "資格",
        "資格",
        "條件",
        "条件",
        "符合",
        "應備",
        "应备",
        "檢附",
        "检附",
        "對象",
        "对象",
        "下列",
        "以下",
        "須",
        "须",
        "應具",
    ]
    .iter()
    .any(|it| lower.contains(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fates(text: &str) -> Vec<Fate> {
        let page = PageText::index(text);
        let ledger = read_ledger(&page, &Scope::default(), &[]);
        ledger.entries.into_iter().map(|it| it.fate).collect()
    }

    #[test]
    fn what_states_a_rule_stays_open_and_the_rest_says_why() {
        let open = Fate::Open { is_rule: true };
        let why = |why| Fate::NotACondition { why };
        assert_eq!(
            fates(
                "# Fees\n\nThe fee is $20. Do you need help? Call us on 1-800-1234.\n\nOur team is friendly.\n"
            ),
            [
                why(Why::Heading),
                open.clone(),
                why(Why::Question),
                why(Why::Contact),
                why(Why::Plain)
            ]
        );
        assert_eq!(
            fates(
                "# 費用\n\n規費為新臺幣二十元。需要協助嗎？\n\n申請資格：\n- 年滿六十五歲\n- 本國國民\n"
            ),
            [
                why(Why::Heading),
                open.clone(),
                why(Why::Question),
                why(Why::LeadIn),
                open.clone(),
                open
            ]
        );
    }
}
