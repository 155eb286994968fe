//! Clauses that go on right behind a quote and belong to it: "and of the finance officer", 並應….
//!
//! Silent where another row quotes what goes on: then nothing is dropped.

use rust_decimal::Decimal;

use crate::gate::places::stand::Stand;
use crate::gate::sentences::coverage::Coverage;
use crate::gate::values::value::{Wanted, wanted_of};
use crate::gate::wording::around::trimmed;
use crate::model::finding::{Code, Finding};
use crate::text::amounts::quantity::{Quantity, read_quantities};
use crate::text::amounts::unit::Family;
use crate::text::blocks::outline::BlockKind;
use crate::text::span::Span;

/// CONDITION_DROPPED, where the sentence goes on with one more condition or alternative.
pub fn check_dropped(stand: &Stand, covered: &Coverage) -> Option<Finding> {
    if stand.own_block().is_some_and(|it| it.kind == BlockKind::Heading) {
        return None;
    }
    let after = stand.after();
    if let Some(it) = narrowing_bracket(stand, covered) {
        return Some(it);
    }
    let (skip, word) = joint_at(after).or_else(|| relative_at(after))?;
    let rest = &after[skip..];
    let end = clause_end(rest, word);
    let passage = Span::new(stand.span.end + skip, stand.span.end + skip + end);
    let words = trimmed(&rest[..end]);
    if is_example(stand.before()) {
        return None;
    }
    let is_open = word.len() < words.len();
    let is_condition = is_open
        && (!opens_statement(&words[word.len()..])
            || ends_in_condition(stand.quote_text()) && !points_down(words));
    let is_tariff = is_open && is_next_price(stand, words[word.len()..].trim_start());
    if is_tariff
        || !is_condition
        || covered.touches(passage)
        || leads_to_covered(stand, passage, covered)
    {
        return None;
    }
    Some(goes_on(stand, words))
}

fn goes_on(stand: &Stand, words: &str) -> Finding {
    let detail = stand.page.pick(
        || format!("the clause goes on and no row carries it: {words}"),
        || format!("條文還沒完，沒有資料列載明：{words}"),
    );
    let evidence = Some(words.to_owned());
    Finding { code: Code::ConditionDropped, detail, place: Some(stand.span), evidence }
}

/// 發給二萬元（以設籍滿一年者為限）, "£300 (only if you live there)": a bracket right behind the quote
/// that narrows it.
fn narrowing_bracket(stand: &Stand, covered: &Coverage) -> Option<Finding> {
    let after = stand.after();
    let skip = after.len() - after.trim_start().len();
    let inside = after[skip..].strip_prefix(['(', '（'])?;
    let inside = &inside[..inside.find([')', '）'])?];
    let start = stand.span.end + skip + 1;
    let at =
        stand.page.text()[start - 1..].chars().next().map_or(start, |it| start - 1 + it.len_utf8());
    let passage = Span::new(at, at + inside.len());
    let lower = inside.to_ascii_lowercase();
    let opens = ["only ", "if ", "provided ", "as long as "].iter().any(|it| lower.starts_with(it));
    let narrows = opens || inside.ends_with("為限") || inside.ends_with("为限");
    (narrows && !covered.touches(passage)).then(|| goes_on(stand, trimmed(inside)))
}

/// "£80 for the first car and £140 for each further car": the price of another thing.
fn is_next_price(stand: &Stand, rest: &str) -> bool {
    let is_money = |it: &Quantity| {
        matches!(it.unit.as_ref().map(|it| it.family), Some(Family::Money | Family::Percent))
    };
    let Wanted::Number(number) = wanted_of(stand.claim) else { return false };
    let own = stand.readings.quantities.iter().any(|it| {
        is_money(it) && it.numbers.iter().any(|it| it.value == number) && stand.holds(it.span)
    });
    let first = read_quantities(rest).into_iter().find(|it| is_money(it) && it.span.start < 4);
    let says_for_what = |it: &Quantity| rest[it.span.end..].chars().any(char::is_alphanumeric);
    own && first.is_some_and(|it| says_for_what(&it)) || is_next_count(stand, rest, number)
}

/// 大學部十名、研究所五名; 年滿五十五歲之原住民及年滿六十五歲之長者: others with a number of their own.
fn is_next_count(stand: &Stand, rest: &str, number: Decimal) -> bool {
    const NEAR: usize = 36;
    if rest.is_ascii() {
        return false;
    }
    let is_counted = |it: &Quantity| {
        matches!(it.unit.as_ref().map(|it| it.family), Some(Family::Count | Family::Age))
    };
    let unit = |it: &Quantity| it.unit.as_ref().map(|it| (it.family, it.name.clone()));
    let quote = stand.quote_text();
    let own = stand.readings.quantities.iter().find(|it| {
        is_counted(it) && it.numbers.iter().any(|it| it.value == number) && stand.holds(it.span)
    });
    let next = read_quantities(rest).into_iter().find(|it| is_counted(it) && it.span.start < NEAR);
    let (Some(own), Some(next)) = (own, next) else { return false };
    let start = own.span.start.saturating_sub(stand.quote.start);
    let end = own.span.end.saturating_sub(stand.quote.start);
    // Each with a name of its own: before its count, or behind its age.
    let is_named = if own.unit.as_ref().is_some_and(|it| it.family == Family::Age) {
        quote.get(end..).is_some_and(|it| it.starts_with(['之', '的']))
            && rest[next.span.end..].starts_with(['之', '的'])
    } else {
        quote.get(..start).is_some_and(|it| it.chars().count() >= 2) && next.span.start >= 6
    };
    unit(own) == unit(&next) && is_named
}

/// True behind "such as", 例如: one example more or less is no condition.
fn is_example(before: &str) -> bool {
    const OPENERS: [&str; 9] = [
        "such as ",
        "for example",
        "for instance",
        "like ",
        "including ",
        "e.g.",
        "例如",
        "諸如",
        "譬如",
    ];
    let clause = before.rsplit([';', '；', '.', '。']).next().unwrap_or_default().to_lowercase();
    OPENERS.iter().any(|it| clause.contains(it))
}

/// Words that join a further condition or alternative to what stands before them.
const LATIN_JOINTS: &[&str] = &[
    "and/or",
    "and",
    "or",
    "nor",
    "as well as",
    "together with",
    "along with",
    "plus",
    "in addition to",
];
const HAN_JOINTS: &[&str] = &[
    "並且", "而且", "以及", "及", "且", "並", "并", "與", "与", "和", "暨", "或者", "或", "同時",
    "同时", "連同", "连同", "、",
];

/// "…, and one of these is true:" at the end of a lead-in whose items rows quote.
fn leads_to_covered(stand: &Stand, passage: Span, covered: &Coverage) -> bool {
    let (Some(at), Some(block)) = (stand.block, stand.own_block()) else { return false };
    let outline = stand.page.outline();
    block.content.end <= passage.end + 2
        && outline.members(at).take(64).any(|it| covered.touches(outline.blocks[it].content))
}

/// Where the joining word stands directly behind the quote. Behind a comma a clause of its own
/// begins: that one is for the ledger.
fn joint_at(after: &str) -> Option<(usize, &'static str)> {
    let rest = after.trim_start();
    let skip = after.len() - rest.len();
    let lower = rest.get(..rest.len().min(24)).map(str::to_ascii_lowercase);
    let lower = lower.unwrap_or_else(|| rest.chars().take(6).collect());
    let latin = LATIN_JOINTS.iter().find(|it| {
        lower.strip_prefix(**it).is_some_and(|tail| tail.starts_with(char::is_whitespace))
    });
    let han = HAN_JOINTS.iter().find(|it| rest.starts_with(**it));
    latin.or(han).map(|word| (skip, *word))
}

/// "… aged 75 or over who receive a pension": a clause that says which of them are meant.
fn relative_at(after: &str) -> Option<(usize, &'static str)> {
    const RELATIVES: &[&str] = &["who", "whose"];
    let rest = after.strip_prefix(' ')?;
    let word = RELATIVES
        .iter()
        .find(|it| rest.strip_prefix(**it).is_some_and(|tail| tail.starts_with(' ')))?;
    Some((1, *word))
}

/// A clause that starts with a subject of its own is another statement, not a part of this one:
/// "…, and we will send you a letter".
fn opens_statement(words: &str) -> bool {
    let words = words.trim_start();
    let first = words.split_whitespace().next().unwrap_or_default().to_lowercase();
    let first = first.split(['’', '\'']).next().unwrap_or_default();
    let mut next = words.split_whitespace().skip(1).take(4);
    let is_clause = ["the", "a", "an", "no", "any", "each", "every"].contains(&first)
        && next.any(|it| VERBS.contains(&it.to_lowercase().as_str()));
    // "…, and may be renewed once": a permission besides the rule, no condition of it.
    // "… and show them to an inspector": another duty, which takes nothing from the first.
    const DUTIES: &[&str] = &[
        "show", "keep", "send", "give", "tell", "provide", "return", "submit", "produce", "report",
        "notify", "bring", "sign", "attach", "include", "hand", "store", "display", "record",
        "file", "upload", "complete",
    ];
    is_clause
        || DUTIES.contains(&first)
        || ["may", "can", "will"].contains(&first)
        || ["you", "we", "they", "it", "he", "she", "this", "that", "there", "i", "your", "our"]
            .contains(&first)
}

/// True where the quote ends inside a condition: "once the form is signed", "if you are over 60".
fn ends_in_condition(quote: &str) -> bool {
    const OPENERS: &[&str] = &["if", "once", "when", "where", "unless", "provided"];
    const RESULTS: &[&str] =
        &["will", "must", "may", "can", "shall", "cannot", "should", "get", "pay", "then"];
    let words: Vec<String> = quote
        .split(|it: char| !it.is_alphanumeric())
        .filter(|it| !it.is_empty())
        .map(str::to_lowercase)
        .collect();
    let Some(at) = words.iter().rposition(|it| OPENERS.contains(&it.as_str())) else {
        return false;
    };
    let tail = quote.rfind([',', ';', ':']).map_or("", |it| &quote[it..]);
    let is_last = OPENERS.iter().any(|it| tail.to_lowercase().contains(it)) || tail.is_empty();
    is_last && !words[at..].iter().any(|it| RESULTS.contains(&it.as_str()))
}

/// "And you meet one of the requirements below": a list follows, which has rows of its own.
fn points_down(words: &str) -> bool {
    let lower = words.to_lowercase();
    ["below", "following", "listed", "these", "下列", "以下"].iter().any(|it| lower.contains(it))
}

/// Verbs that end a subject.
const VERBS: &[&str] = &[
    "is", "are", "was", "were", "will", "may", "must", "can", "shall", "should", "has", "have",
    "does", "do", "depends", "depend", "applies", "apply", "receives", "gets", "pays", "begins",
    "starts", "ends", "becomes", "stays", "remains", "needs", "cannot",
];

/// To the next comma, semicolon or the end; the comma behind the joining word itself does not end.
fn clause_end(rest: &str, word: &str) -> usize {
    let from = word.len();
    let ends = |c: char| matches!(c, ',' | ';' | '，' | '；' | '。' | '\n');
    rest[from..].find(ends).map_or(rest.len(), |it| from + it)
}
