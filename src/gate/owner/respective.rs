//! Values that a sentence gives out in order: "A and B may keep £60 and £90 respectively", 甲及乙之上限
//! 分別為六十元及九十元.
//!
//! Silent unless the sentence says so and has as many numbers as names.

use crate::gate::places::stand::Stand;
use crate::gate::places::words::stems_of;
use crate::gate::values::number::{find_number, numbers_in_quote};
use crate::gate::values::value::{Wanted, wanted_of};
use crate::model::finding::{Code, Finding};
use crate::text::joins::connective::enumerations_in;
use crate::text::span::Span;

/// WRONG_SUBJECT, where the row's number is another one's in that order.
pub fn check_respective(stand: &Stand) -> Option<Finding> {
    const WORDS: [&str; 6] = ["respectively", "分別", "分别", "依序為", "依次為", "依次为"];
    let sentence = stand.context_text();
    let lower = sentence.to_ascii_lowercase();
    let Wanted::Number(number) = wanted_of(stand.claim) else { return None };
    let are_both = |one: &str, two: &str| {
        lower.find(one).zip(lower.find(two)).is_some_and(|(one, two)| one < two)
    };
    let are_told = are_both("the former", "the latter") || are_both("前者", "後者");
    if !are_told && !WORDS.iter().any(|it| lower.contains(it)) {
        return None;
    }
    let subject = stems_of(&stand.claim.subject);
    let numbers = numbers_in_quote(stand);
    let first = numbers.first()?.span.start + stand.context.start;
    let names = enumerations_in(stand.page.text(), stand.context);
    let names = names.into_iter().find(|it| it.members.len() == numbers.len())?.members;
    let is_before = names.iter().all(|it| it.start < first);
    let shared = |it: &Span| stems_of(stand.page.slice(*it)).intersection(&subject).count();
    let most = names.iter().map(shared).max().filter(|it| 0 < *it)?;
    let mut own = (0..names.len()).filter(|at| shared(&names[*at]) == most);
    let (Some(own), None) = (own.next(), own.next()) else { return None };
    let places: Vec<_> = find_number(stand, number).iter().map(|it| it.span).collect();
    let stated = numbers.iter().position(|it| places.contains(&it.span))?;
    let is_own = numbers.get(own).is_some_and(|it| places.contains(&it.span));
    if !is_before || is_own {
        return None;
    }
    let owner: String = stand.page.slice(*names.get(stated)?).chars().take(40).collect();
    let named = &stand.claim.subject;
    let detail = stand.page.pick(
        || format!("the values are given in order and this one is of “{owner}”, not of “{named}”"),
        || format!("數值依序分列，此數值屬「{owner}」，不屬「{named}」"),
    );
    Some(Finding {
        code: Code::WrongSubject,
        detail,
        place: Some(stand.span),
        evidence: Some(owner),
    })
}
