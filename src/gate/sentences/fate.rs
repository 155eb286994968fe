//! What a sentence is by itself, before any row is looked at: a condition, or why it is none.
//!
//! A sentence is explained only where its own words show that it states no condition; when in doubt
//! it stays open.

use rust_decimal::Decimal;

use crate::gate::sentences::ledger::{Fate, Why};
use crate::text::amounts::quantity::read_all;
use crate::text::blocks::outline::{BlockKind, Outline};
use crate::text::markers::marker::{MarkerKind, Strength, markers_of_sentence};
use crate::text::numbers::number::read_numbers;
use crate::text::span::Span;

/// Characters of a name with its number at most.
const MAX_NAME: usize = 60;

/// A sentence longer than this is judged by its beginning.
const MAX_READ: usize = 4_000;

/// The fate of each sentence of a text where no row uses it.
pub fn read_fates(text: &str, outline: &Outline, sentences: &[Span]) -> Vec<Fate> {
    sentences.iter().map(|it| fate_of(text, outline, *it)).collect()
}

fn fate_of(page: &str, outline: &Outline, span: Span) -> Fate {
    let block = outline.block_at(span.start);
    let kind = block.map(|it| outline.blocks[it].kind);
    let explained = |why: Why| Fate::NotACondition { why };
    match kind {
        Some(BlockKind::Heading) => return explained(Why::Heading),
        Some(BlockKind::TableHeader) => return explained(Why::TableHead),
        _ => {}
    }
    let text = bounded(span.slice(page).unwrap_or_default());
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
        None if is_condition_item(page, outline, block) => Fate::Open { is_rule: true },
        None if is_numbered_name(page, outline, block) => explained(Why::Plain),
        None if is_rule(text) => Fate::Open { is_rule: true },
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
        "last modified",
        "page updated",
        "date published",
        "published on ",
        "published:",
        "updated on ",
        "updated:",
        "©",
        "copyright",
        "更新日期",
        "發布日期",
        "發佈日期",
        "張貼日期",
        "上版日期",
        "瀏覽人次",
        "點閱",
        "版權所有",
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

/// "Scheme 12" between "Scheme 11" and "Scheme 13", 方案二 behind 方案一: names in a list, told apart by
/// their numbers. Alone, or with anything behind its number, it may be a rule.
fn is_numbered_name(page: &str, outline: &Outline, block: Option<usize>) -> bool {
    let Some(at) = block.filter(|it| outline.blocks[*it].kind == BlockKind::ListItem) else {
        return false;
    };
    let name_at = |at: Option<usize>| {
        let beside = outline.blocks.get(at?)?;
        let is_item = beside.kind == BlockKind::ListItem;
        name_and_number(beside.content.slice(page)?).filter(|_| is_item)
    };
    let Some((name, number)) = name_at(Some(at)) else { return false };
    [at.checked_sub(1), at.checked_add(1)]
        .into_iter()
        .filter_map(name_at)
        .any(|it| it.0 == name && it.1 != number)
}

/// A short text that is a name with one number at its end.
fn name_and_number(text: &str) -> Option<(&str, Decimal)> {
    let text = text.trim();
    if text.chars().count() > MAX_NAME {
        return None;
    }
    let numbers = read_numbers(text);
    let [number] = numbers.as_slice() else { return None };
    let name = text[..number.span.start].trim_end();
    let is_name = number.span.end == text.len()
        && name.chars().next_back().is_some_and(char::is_alphanumeric)
        && markers_of_sentence(text, Span::new(0, text.len())).is_empty();
    is_name.then_some((name, number.value))
}

/// An item of a list that a title or lead-in of conditions announces.
fn is_condition_item(page: &str, outline: &Outline, block: Option<usize>) -> bool {
    let Some(at) = block.filter(|it| outline.blocks[*it].kind == BlockKind::ListItem) else {
        return false;
    };
    let lead = outline.lead_ins(at);
    let above = lead.iter().copied().chain(outline.blocks[at].heading);
    above.into_iter().any(|it| {
        let words = outline.blocks[it].content.slice(page).unwrap_or_default();
        announces_conditions(bounded(words))
    })
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
