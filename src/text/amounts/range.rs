//! Ranges: two numbers or two dates that name the ends of one interval.
//! Never joins numbers that only stand side by side in a list.

use crate::text::amounts::money::{currency_after, currency_before};
use crate::text::amounts::unit::unit_after;
use crate::text::dates::date::DateToken;
use crate::text::lexeme::{LexKind, Lexemes, is_hyphen};
use crate::text::numbers::number::NumberToken;
use crate::text::numbers::numeral_zh::read_plain_or_digits;

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

/// Between the ends of a period at most this much stands: a weekday in brackets, an hour, the joint.
const PERIOD_GAP: usize = 24;

/// True where two dates, neighbours in the text, are the ends of one period.
pub fn is_period(lexemes: &Lexemes<'_>, first: &DateToken, last: &DateToken) -> bool {
    if last.first < first.end || last.first - first.end > PERIOD_GAP {
        return false;
    }
    let mut joined = false;
    let mut at = first.end;
    while at < last.first {
        if let Some(end) = aside_at(lexemes, at) {
            at = end;
            continue;
        }
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
        at += 1;
    }
    joined
}

/// What may stand beside a date without being part of it, from `at` on: the lexeme after a weekday
/// in brackets (（星期日）, "(Sunday)") or an hour (上午9時, "9:00", "at 5pm").
fn aside_at(lexemes: &Lexemes<'_>, at: usize) -> Option<usize> {
    const LONGEST: usize = 6;
    if lexemes.head(at) == '(' {
        let close = (at + 1..at + 2 + LONGEST).find(|it| lexemes.head(*it) == ')')?;
        let named = (at + 1..close).all(|it| lexemes.kind(it) != LexKind::Digits);
        return named.then_some(close + 1);
    }
    let day_half = ["上午", "下午", "中午", "晚上", "早上", "凌晨", "午夜"];
    if let Some(end) = day_half.iter().find_map(|it| lexemes.phrase_at(at, it)) {
        return Some(end);
    }
    if lexemes.is_word_of(at, &["at", "noon", "midnight", "from"]) {
        return Some(at + 1);
    }
    let han = read_plain_or_digits(lexemes, at).map(|it| it.end);
    let digits = (lexemes.kind(at) == LexKind::Digits).then_some(at + 1);
    let end = han.or(digits)?;
    if lexemes.head(end) == ':' && lexemes.kind(end + 1) == LexKind::Digits {
        let after = lexemes.solid(end + 2);
        return Some(if lexemes.is_word_of(after, &["am", "pm"]) { after + 1 } else { end + 2 });
    }
    let after = lexemes.solid(end);
    if lexemes.is_word_of(after, &["am", "pm", "noon", "midnight"]) {
        return Some(after + 1);
    }
    if matches!(lexemes.head(end), '時' | '點') {
        let minutes = read_plain_or_digits(lexemes, end + 1).map(|it| it.end);
        let whole = matches!(lexemes.head(end + 1), '整' | '半' | '正');
        return Some(match minutes {
            Some(it) if lexemes.head(it) == '分' => it + 1,
            _ => end + 1 + usize::from(whole),
        });
    }
    None
}
