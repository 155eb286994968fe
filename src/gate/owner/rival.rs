//! Another one whom the sentence, or the next, names with a value of its own: the row must not give the one
//! the other's.
//!
//! Silent where the subject stands in the quote, before it, or in a heading above.

use std::collections::BTreeSet;

use crate::gate::places::stand::Stand;
use crate::gate::places::words::stems_of;
use crate::text::numbers::number::read_numbers;
use crate::text::span::Span;

/// Whom the quote is about, where the subject is another one.
pub fn rival_of(stand: &Stand, subject: &BTreeSet<String>) -> Option<String> {
    later_owner(stand, subject).or_else(|| next_owner(stand)).or_else(|| other_case(stand, subject))
}

/// Whom the quote begins with, where the subject comes only later in the sentence and with a number of
/// its own: "A parent must be 60, while the taxpayer must be 18", 受養父母…，而納稅人….
fn later_owner(stand: &Stand, subject: &BTreeSet<String>) -> Option<String> {
    const LONGEST: usize = 24;
    const JOINTS: [&str; 8] = ["while ", "whereas ", "and ", "but ", "而", "但", "；", ";"];
    let quote = stand.quote_text();
    let has_number = |it: &str| it.chars().any(char::is_numeric) || !read_numbers(it).is_empty();
    let after = stand.after();
    let rest = &after[..after.find(['。', '\n']).unwrap_or(after.len())];
    if !has_number(quote) || !has_number(rest) {
        return None;
    }
    let own: BTreeSet<&String> = subject.iter().filter(|it| !is_measure_word(it)).collect();
    let above = stand.headings().into_iter().chain(stand.lead_ins());
    let mut near = stems_of(stand.before());
    near.extend(stems_of(quote));
    near.extend(above.flat_map(|it| stems_of(stand.page.slice(it))));
    if own.is_empty() || own.iter().any(|it| near.contains(*it)) {
        return None;
    }
    let is_stop = |it: char| matches!(it, ';' | '；' | '，' | ',');
    let mut at = rest.find(is_stop)?;
    loop {
        let mark = rest[at..].chars().next().map_or(1, char::len_utf8);
        let clause = &rest[at + mark..];
        let opens = rest[at..].starts_with([';', '；'])
            || JOINTS.iter().any(|it| clause.trim_start().starts_with(it));
        let end = clause.find([';', '；']).unwrap_or(clause.len());
        let words = stems_of(&clause[..end]);
        if opens && own.iter().all(|it| words.contains(*it)) && has_number(&clause[..end]) {
            return Some(quote.chars().take(LONGEST).collect());
        }
        at += mark + clause.find(is_stop)?;
    }
}

/// Whom the quote's sentence begins with, where the next sentence begins with the subject and says the
/// same of it: "The employee pays in 5 %. The employer pays in 8 %."
fn next_owner(stand: &Stand) -> Option<String> {
    let subject = stand.claim.subject.trim().to_lowercase();
    let lower = |it: &str| it.trim_start().to_lowercase();
    let opening = |it: &str| -> Option<(String, String)> {
        let mut words = it.split_whitespace().map(str::to_owned).peekable();
        words.next_if(|it| it == "the" || it == "a" || it == "an");
        Some((words.next()?, words.next()?))
    };
    let block = stand.own_block()?.content;
    let after = stand.page.slice(Span::new(stand.span.end.min(block.end), block.end));
    let next = after.trim_start_matches(|it: char| !it.is_alphanumeric());
    let (own, verb) = opening(&lower(stand.quote_text()))?;
    let (other, same) = opening(&lower(next))?;
    let is_alone = !subject.contains(' ') && !subject.is_empty() && subject.is_ascii();
    let is_next = is_alone && other == subject && verb == same && own != other;
    is_next.then_some(own)
}

/// The case of the quote, where the subject is another case of the sentence: 父母離婚者，…；父母均死亡者，….
/// So too the topic of a quote with 則, where the subject stands before it: 印花稅由…，登記費則由….
fn other_case(stand: &Stand, subject: &BTreeSet<String>) -> Option<String> {
    const TOPIC: usize = 14;
    let quote = stand.quote_text();
    if let Some((topic, _)) = quote.split_once(['則', '则'])
        && (2..=TOPIC).contains(&topic.chars().count())
        && !topic.contains(['，', '、', '；', '。'])
        && !topic.ends_with([
            '原', '規', '规', '細', '细', '準', '准', '罰', '罚', '通', '總', '总', '附', '法',
        ])
        && stems_of(stand.before()).is_superset(subject)
        && subject.is_disjoint(&stems_of(topic))
    {
        return Some(topic.to_owned());
    }
    let (own, _) = quote.split_once("者，")?;
    let before = stand.before();
    let (clause, mark) = before.trim_end().rsplit_once(['；', ';'])?;
    let other = clause.split(['，', '；']).filter_map(|it| it.strip_suffix('者')).next_back()?;
    let shared = |it: &str| stems_of(it).intersection(subject).count();
    let is_other = shared(own) + 1 < shared(other) && mark.trim().is_empty();
    // 因故意致災者，不予救助；已具領者，應予追繳: a case within the one before.
    let is_within = own.starts_with(['已', '其', '曾', '仍', '再', '逾', '屆', '經', '但']);
    (is_other && !is_within && !own.contains('，')).then(|| own.to_owned())
}

/// Stems of what is measured, not of whom it is for: "time", "limit", 期限.
fn is_measure_word(stem: &str) -> bool {
    const WORDS: [&str; 14] = [
        "time", "limit", "period", "amount", "rate", "age", "fee", "maximum", "minimum", "期限",
        "金額", "年齡", "上限", "下限",
    ];
    WORDS.contains(&stem)
        || WORDS.iter().any(|it| it.is_ascii() && it.trim_end_matches('e') == stem)
}
