//! Numerals that are pieces of words: 伍 in 隊伍, 一 in 統一, "one" as a pronoun, "once" as "when".
//! A numeral counts only where something is counted: a unit, a comparison, a scale of its own.

use rust_decimal::Decimal;

use crate::text::amounts::money::{currency_after, currency_before};
use crate::text::amounts::unit::{unit_after, unit_at};
use crate::text::glyphs::letter::is_han;
use crate::text::lexeme::{LexKind, Lexemes, is_hyphen};
use crate::text::numbers::numeral::RawNumber;
use crate::text::numbers::numeral_zh::{Form, is_formal, is_han_numeral};

/// True where the numeral belongs to a word.
pub fn is_word_part(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    if raw.form != Form::Plain {
        return false;
    }
    if raw.han_chars > 0 {
        return lexemes.kind(raw.first) != LexKind::Digits && is_han_word_part(lexemes, raw);
    }
    if raw.times {
        return !is_times_value(lexemes, raw);
    }
    if raw.end == raw.first + 1 && lexemes.is_word(raw.first, "one") {
        let other = lexemes.solid(raw.end + 1);
        if is_dash(lexemes, raw.end) && lexemes.is_word_of(other, ONE_WORDS) {
            return true;
        }
        return is_pronoun(lexemes, raw);
    }
    false
}

/// "Once" that counts against "once you apply"; "double the amount" against "double room".
fn is_times_value(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    let next = lexemes.solid(raw.end);
    let before = lexemes.solid_before(raw.first);
    if lexemes.is_word_of(raw.first, &["twice", "thrice"]) {
        return true;
    }
    if lexemes.is_word(raw.first, "once") {
        let counted = lexemes.is_word_of(
            next,
            &[
                "a", "an", "per", "every", "each", "in", "only", "during", "within", "or",
                "yearly", "for", "more",
            ],
        );
        let limited = before.is_some_and(|it| {
            lexemes.is_word_of(it, &["least", "only", "than", "just", "most", "but"])
        });
        let ends = lexemes.kind(next) == LexKind::Gap
            || matches!(lexemes.head(next), '.' | ';' | ')' | '|' | '\0');
        let at_once = before.is_some_and(|it| lexemes.is_word_of(it, &["at", "all", "for"]));
        return !at_once && (counted || limited || ends);
    }
    lexemes.is_word_of(next, &["the", "that", "your", "its", "his", "her", "their", "what", "this"])
}

/// Words that "one-" makes another word of: nothing is counted in a one-off payment.
const ONE_WORDS: &[&str] = &["off", "offs", "stop", "way", "sided", "sidedly"];

/// "No one", "one of the following", "one may": a pronoun, unless something counts it.
fn is_pronoun(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    let next = lexemes.solid(raw.end);
    let before = lexemes.solid_before(raw.first);
    let joint = lexemes.is_word_of(next, &["to", "or", "and"]) || is_dash(lexemes, next);
    let other = lexemes.solid(next + 1);
    let number_follows = lexemes.kind(other) == LexKind::Digits
        || lexemes.is_word_of(
            other,
            &[
                "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "more",
                "less", "fewer",
            ],
        );
    let dash = if is_dash(lexemes, next) { next + 1 } else { next };
    let counted_by = ["least", "than", "most", "exactly", "minimum", "maximum", "only", "just"];
    let counted = before.is_some_and(|it| lexemes.is_word_of(it, &counted_by));
    let none = before.is_some_and(|it| {
        lexemes.is_word_of(it, &["no", "loved", "every", "any", "each", "another", "some"])
    });
    if counted || !none && (joint && number_follows || unit_at(lexemes, dash).is_some()) {
        return false;
    }
    let pointing = [
        "no", "any", "every", "each", "some", "this", "that", "which", "the", "another", "either",
        "neither", "loved", "new", "old", "right", "wrong", "other", "last", "next", "first",
    ];
    if before.is_some_and(|it| lexemes.is_word_of(it, &pointing)) {
        return true;
    }
    let governing = [
        "of", "who", "whom", "whose", "that", "which", "may", "can", "cannot", "could", "must",
        "shall", "should", "will", "would", "is", "was", "has", "does", "another", "else", "for",
        "from", "to", "in", "on", "with", "by", "at", "if", "when", "as", "needs", "wants", "you",
    ];
    let ends = !matches!(lexemes.kind(next), LexKind::Word | LexKind::Digits)
        && !is_dash(lexemes, next)
        && lexemes.head(next) != '(';
    lexemes.is_word_of(next, &governing) || ends
}

fn is_dash(lexemes: &Lexemes<'_>, at: usize) -> bool {
    lexemes.kind(at) == LexKind::Mark && is_hyphen(lexemes.head(at)) && lexemes.head(at) != '—'
}

/// Characters that make one word with the 一 after them, whatever follows: 統一, 同一人, 單一項目.
const WITH_ONE: &str = "統同任單唯惟劃專";
/// Characters that make one word with the 一 after them where nothing is counted: 之一, 擇一, 每一.
const WITH_LONE_ONE: &str = "之其擇逐不合歸均整另每萬第某";
/// Characters before a lone numeral that count something.
const COUNTING: &str = "滿達逾過足於為至到或及與和、共計各約近又僅有以乘除加減按超是等占佔得";

/// A Chinese numeral is a value where it counts: with a unit, a comparison word, a fraction, or
/// scales of its own. Alone in running text it is a piece of a word.
fn is_han_word_part(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    let before = lexemes.head_before(raw.first);
    let single = raw.han_chars == 1;
    let head = lexemes.head(raw.first);
    let paid =
        currency_before(lexemes, raw.first).is_some() || currency_after(lexemes, raw.end).is_some();
    if single && is_formal(head) {
        let free = !is_han(before) || COUNTING.contains(before) || before == '幣';
        return !(free && (paid || counts(lexemes, raw)));
    }
    let one = single && head == '一';
    if one && WITH_ONE.contains(before) && before != '\0' || is_adverb(lexemes, raw) {
        return true;
    }
    // 畸零日數, 零時: nought of something is written after a word that counts.
    if single && !paid && head == '零' && is_han(before) && !COUNTING.contains(before) {
        return true;
    }
    if paid || counts(lexemes, raw) {
        return false;
    }
    if is_weekday(lexemes, raw) {
        return true;
    }
    if one && WITH_LONE_ONE.contains(before) && before != '\0' {
        return true;
    }
    if in_list_of_numbers(lexemes, raw) || fills_cell(lexemes, raw) {
        return false;
    }
    if raw.positional {
        return true;
    }
    let scaled = raw.han_chars > 1 && !raw.bare_scale;
    let next = lexemes.head(lexemes.solid(raw.end));
    let ends = matches!(next, '。' | ',' | ';' | '、' | ')' | '\0');
    let zero = raw.value == Some(Decimal::ZERO)
        && (ends || matches!(next, '或' | '者' | '時' | '以' | '及'));
    !(scaled || COUNTING.contains(before) && before != '\0' && (ends || zero))
}

/// 星期一、三、五: the days of a week.
fn is_weekday(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    let mut at = raw.first;
    for _ in 0..12 {
        let Some(before) = lexemes.solid_before(at) else { return false };
        match lexemes.head(before) {
            '週' | '拜' => return true,
            '期' => return lexemes.han_before(before + 1, "星期").is_some(),
            '、' | '至' | '及' | '或' | '到' => at = before,
            it if is_han_numeral(it) => at = before,
            _ => return false,
        }
    }
    false
}

/// 十分重要, 一點點, 四周: adverbs and nouns that look like a number with a unit.
fn is_adverb(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    let after = lexemes.head(raw.end + 1);
    let single = raw.han_chars == 1;
    let ends = matches!(
        after,
        '。' | ','
            | ';'
            | '、'
            | ')'
            | '\0'
            | '以'
            | '者'
            | '為'
            | '內'
            | '及'
            | '或'
            | '|'
            | '計'
            | '時'
    );
    match (single, lexemes.head(raw.first), lexemes.slice(raw.end)) {
        (true, '十', "分") => !(matches!(after, '鐘' | '之' | '貝') || ends),
        (true, '一', "點" | "点") => !ends,
        (true, '四', "周") => !(ends || matches!(after, '後' | '前' | '之')),
        _ => false,
    }
}

/// True where a unit or a comparison word follows.
fn counts(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    let next = lexemes.solid(raw.end);
    if unit_after(lexemes, raw.end).is_some() {
        return true;
    }
    let after =
        ["以上", "以下", "以內", "或以上", "及以上", "以外", "餘", "多", "乘以", "除以", "半"];
    let compared = after.iter().any(|it| lexemes.phrase_at(next, it).is_some());
    let bracketed = lexemes.head(next) == '('
        && ["以上", "含"].iter().any(|it| lexemes.phrase_at(next + 1, it).is_some());
    compared || bracketed
}

/// 一、二、三等級; 二或三人; 一至三年: the number after the joint counts for both.
fn in_list_of_numbers(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    let next = lexemes.solid(raw.end);
    let joint = matches!(lexemes.head(next), '、' | '至' | '到' | '或' | '及' | '~')
        || is_dash(lexemes, next);
    let other = lexemes.solid(next + 1);
    joint
        && (lexemes.kind(other) == LexKind::Digits
            || is_han_numeral(lexemes.head(other)) && lexemes.head(other + 1) != '般')
}

/// A numeral that is all of a table cell or a line.
fn fills_cell(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    let edge = |it: char| matches!(it, '|' | '│' | '\0');
    let breaks = |at: usize| matches!(lexemes.kind(at), LexKind::Gap | LexKind::Break);
    let left = raw
        .first
        .checked_sub(1)
        .is_none_or(|it| breaks(it) || edge(lexemes.head_before(raw.first)));
    let right = breaks(raw.end) || edge(lexemes.head(lexemes.solid(raw.end)));
    left && right
}
