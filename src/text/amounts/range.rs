//! Ranges: two numbers or two dates that name the ends of one interval.
//! Never joins numbers that only stand side by side in a list.

use crate::text::amounts::money::{currency_after, currency_before};
use crate::text::amounts::unit::unit_after;
use crate::text::dates::date::DateToken;
use crate::text::lexeme::{LexKind, Lexemes, is_hyphen};
use crate::text::numbers::number::NumberToken;

/// True where `low` and `high`, neighbours in the text, are the ends of one range: 18–25, 18 to 25,
/// between 18 and 25, 十八歲至二十五歲.
pub fn is_range(lexemes: &Lexemes<'_>, low: &NumberToken, high: &NumberToken) -> bool {
    let after_low = end_of_amount(lexemes, low.end);
    let start_of_high = start_of_amount(lexemes, high.first);
    [low.end, after_low].into_iter().any(|from| {
        joint_end(lexemes, from, low.first)
            .is_some_and(|end| end == start_of_high || end == high.first)
    })
}

fn end_of_amount(lexemes: &Lexemes<'_>, end: usize) -> usize {
    let money = currency_after(lexemes, end).map(|(_, end, _)| end);
    money.or_else(|| unit_after(lexemes, end).map(|(_, end, _)| end)).unwrap_or(end)
}

fn start_of_amount(lexemes: &Lexemes<'_>, first: usize) -> usize {
    let money = currency_before(lexemes, first).map_or(first, |(first, _)| first);
    match lexemes.solid_before(money) {
        Some(it) if lexemes.head(it) == '第' => it,
        _ => money,
    }
}

/// The lexeme after the joining word that starts at `from`: a dash, 至, "to", or "and" after "between".
fn joint_end(lexemes: &Lexemes<'_>, from: usize, low: usize) -> Option<usize> {
    let mut at = lexemes.solid(from);
    let dash = |at: usize| lexemes.kind(at) == LexKind::Mark && is_hyphen(lexemes.head(at));
    if dash(at) && lexemes.is_word_of(at + 1, &["to", "through"]) {
        at += 1;
    }
    let joins = dash(at)
        || matches!(lexemes.head(at), '~' | '〜' | '∼' | '至' | '到')
        || lexemes.is_word_of(at, &["to", "through", "thru"])
        || (lexemes.is_word(at, "and") || matches!(lexemes.head(at), '與' | '和' | '及'))
            && opens_between(lexemes, low);
    if !joins || lexemes.kind(at) == LexKind::Han && lexemes.head(at + 1) == '少' {
        return None;
    }
    let mut next = lexemes.solid(at + 1);
    if dash(next) {
        next += 1;
    }
    if lexemes.is_word_of(next, &["age", "ages", "about"]) {
        next = lexemes.solid(next + 1);
    }
    Some(next)
}

/// "between", "between the ages of", 介於, 在 shortly before the lower end.
fn opens_between(lexemes: &Lexemes<'_>, low: usize) -> bool {
    let mut at = low;
    for _ in 0..8 {
        let Some(before) = lexemes.solid_before(at) else { return false };
        if lexemes.is_word(before, "between") || lexemes.han_before(before + 1, "介於").is_some()
        {
            return true;
        }
        let filler = lexemes.is_word_of(before, &["the", "age", "ages", "of", "aged", "a"])
            || lexemes.kind(before) == LexKind::Mark
                && !matches!(lexemes.head(before), '.' | ';' | '。')
            || lexemes.is_word_of(before, &["hk", "us", "nt", "usd", "hkd", "twd", "ntd"])
            || matches!(lexemes.head(before), '新' | '臺' | '幣' | '年' | '齡');
        if !filler {
            return false;
        }
        at = before;
    }
    false
}

/// True where two dates, neighbours in the text, are the ends of one period.
pub fn is_period(lexemes: &Lexemes<'_>, first: &DateToken, last: &DateToken) -> bool {
    if last.first < first.end || last.first - first.end > 6 {
        return false;
    }
    let mut joined = false;
    for at in first.end..last.first {
        match lexemes.kind(at) {
            LexKind::Space | LexKind::Break => {}
            LexKind::Han if matches!(lexemes.head(at), '至' | '到' | '迄') => joined = true,
            LexKind::Han if matches!(lexemes.head(at), '起' | '自' | '止' | '日') => {}
            LexKind::Mark if is_hyphen(lexemes.head(at)) || lexemes.head(at) == '~' => {
                joined = true;
            }
            LexKind::Mark if matches!(lexemes.head(at), ',' | '、') => {}
            LexKind::Word if lexemes.is_word_of(at, &["to", "through", "until", "till"]) => {
                joined = true;
            }
            LexKind::Word if lexemes.is_word(at, "and") && opens_between(lexemes, first.first) => {
                joined = true;
            }
            LexKind::Word if lexemes.is_word_of(at, &["ending", "on", "the"]) => {}
            _ => return false,
        }
    }
    joined
}
