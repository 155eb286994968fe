//! Whether a row's "per month" is the page's: a period that the page does not name is added.
//!
//! Asked only of rows that state one. What is worded elsewhere on the page is believed; it never
//! turns one period into another.

use crate::gate::places::stand::Stand;
use crate::gate::values::number::Sighting;
use crate::gate::values::value::unit_of;
use crate::text::amounts::period::{names_period, periods_in};
use crate::text::amounts::unit::is_period;
use crate::text::span::Span;

/// False where the row counts for each of a period that the page does not: £650 once as £650 a
/// month, three meals a week as three a month.
pub fn period_fits(stand: &Stand, sighting: &Sighting) -> bool {
    let Some((stated, _)) = unit_of(stand.claim) else { return true };
    let own = sighting.quantity.and_then(|it| it.unit.as_ref());
    if stated.per.iter().any(|it| it == "person") && is_for_each_household(stand.context_text()) {
        return false;
    }
    let named = |it: &&String| is_period(it);
    let Some(period) = stated.per.iter().find(named) else { return true };
    if own.is_some_and(|it| it.per.iter().any(|it| is_period(it))) {
        // Judged with the unit.
        return true;
    }
    let clause = clause_of(stand.context_text(), sighting.span);
    let said = periods_in(clause);
    if said.contains(period) || names_period(&stand.claim.field, period) {
        return true;
    }
    said.is_empty() && !is_paid_once(clause) && stand.page.names_period(period)
}

/// True where a sentence gives to each household, family or couple, and speaks of no person.
fn is_for_each_household(sentence: &str) -> bool {
    const HAN: [&str; 4] = ["每戶", "每户", "每一家庭", "每家庭"];
    const PARTIES: [&str; 5] = ["household", "family", "couple", "home", "dwelling"];
    let low = sentence.to_ascii_lowercase();
    let has = |list: &[&str]| list.iter().any(|it| low.contains(it));
    let each = ["each ", "every ", "per ", "a "]
        .iter()
        .any(|lead| PARTIES.iter().any(|party| low.contains(&format!("{lead}{party}"))));
    (each || has(&HAN))
        && !has(&["person", "people", "individual", "member", "adult", "child", "每人", "人口"])
}

/// The part of a sentence between two stops, around a number.
fn clause_of(text: &str, at: Span) -> &str {
    const STOPS: &[char] = &[';', '；', '，', '、', '。', '|', '│', '\n', '(', ')', '（', '）'];
    let is_stop = |it: char| STOPS.contains(&it);
    let before = text.get(..at.start).unwrap_or_default();
    let after = text.get(at.end..).unwrap_or_default();
    let comma = |it: &str| it.find(", ").unwrap_or(it.len());
    let stop = before.char_indices().rev().find(|it| is_stop(it.1));
    let start = stop.map_or(0, |(at, it)| at + it.len_utf8());
    let start = before.rfind(", ").map_or(start, |it| start.max(it + 1));
    let end = after.find(is_stop).unwrap_or(after.len()).min(comma(after));
    text.get(start..at.end + end).unwrap_or_else(|| text.get(at.start..at.end).unwrap_or_default())
}

/// True where the words say that it is paid a single time.
fn is_paid_once(clause: &str) -> bool {
    const ONCE: &[&str] = &[
        "one-off",
        "one off",
        "lump sum",
        "lump-sum",
        "one-time",
        "one time",
        "single payment",
        "一次性",
        "一次發給",
        "一次給付",
        "一次核發",
        "一次付清",
        "一次撥付",
        "一次請領",
    ];
    let low = clause.to_ascii_lowercase().replace('\u{2011}', "-");
    ONCE.iter().any(|it| low.contains(it))
}
