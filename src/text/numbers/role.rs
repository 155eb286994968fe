//! What a number in a text is for: a value, a reference, a date, a list marker, a piece of a word.
//! Decides from the neighbours of the number alone; a number that cannot be told apart is a value.

use rust_decimal::Decimal;

use crate::text::lexeme::{LexKind, Lexemes};
use crate::text::numbers::numeral::{Hint, RawNumber};
use crate::text::numbers::numeral_en::read_words;
use crate::text::numbers::numeral_zh::{Form, is_han_numeral};
use crate::text::numbers::reference::{continues_reference, is_reference};
use crate::text::numbers::word_part::is_word_part;

/// The roles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// A quantity that a rule can be about.
    Value,
    /// A place in an order: 30th, second, 第二年, 第一等級.
    Ordinal,
    /// Names a provision, a form, a telephone, an address: 第 5 條, Section 3, Form 10-10EZ.
    Reference,
    /// Counts the items of a list: `1.`, （一）, 一、, ①.
    ListMarker,
    /// A piece of a date.
    DatePart,
    /// A time of day.
    Clock,
    /// A piece of a word: 伍 in 隊伍, 一 in 統一; "one" as a pronoun.
    WordPart,
}

/// The number before the one in question.
#[derive(Clone, Copy, Debug)]
pub struct Previous {
    /// Its role.
    pub role: Role,
    /// Lexeme after it.
    pub end: usize,
}

/// The role of a number, given the one before it.
pub fn role_of(lexemes: &Lexemes<'_>, raw: &RawNumber, previous: Option<Previous>) -> Role {
    match raw.hint {
        Hint::Circled => return Role::ListMarker,
        Hint::Code => return Role::Reference,
        Hint::Ordinal | Hint::None => {}
    }
    if is_list_marker(lexemes, raw) {
        return Role::ListMarker;
    }
    let after_reference = previous.filter(|it| it.role == Role::Reference);
    let continues = after_reference.is_some_and(|it| continues_reference(lexemes, raw, it.end));
    if is_reference(lexemes, raw) || continues {
        return Role::Reference;
    }
    if raw.hint == Hint::Ordinal || lexemes.is_word_of(raw.end, &["st", "nd", "rd", "th"]) {
        return Role::Ordinal;
    }
    if lexemes.head_before(raw.first) == '第' || is_day_of_month(lexemes, raw) {
        return Role::Ordinal;
    }
    if !raw.times && follows_grade_word(lexemes, raw.first) {
        return Role::Ordinal;
    }
    if is_decade(lexemes, raw) {
        return Role::DatePart;
    }
    if is_clock(lexemes, raw) || continues_clock(lexemes, raw, previous) {
        return Role::Clock;
    }
    if is_word_part(lexemes, raw) {
        return Role::WordPart;
    }
    Role::Value
}

/// "Level 2", "priority group 1", "Grade 4": a place in an order.
pub fn follows_grade_word(lexemes: &Lexemes<'_>, first: usize) -> bool {
    const GRADES: &[&str] = &[
        "plan",
        "level",
        "levels",
        "grade",
        "grades",
        "tier",
        "class",
        "group",
        "groups",
        "category",
        "categories",
        "band",
        "bands",
        "stage",
        "phase",
        "type",
        "priority",
    ];
    lexemes.solid_before(first).is_some_and(|it| it + 1 < first && lexemes.is_word_of(it, GRADES))
}

/// True where only white space, a bullet or an opening bracket stands before `at` in its line, or
/// the end of a sentence or list item.
fn opens_item(lexemes: &Lexemes<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return true };
    match lexemes.kind(before) {
        LexKind::Break | LexKind::Gap => return true,
        LexKind::Space if before == 0 => return true,
        _ => {}
    }
    match lexemes.solid_before(at) {
        None => true,
        Some(it) => match lexemes.head(it) {
            '。' | ';' | ':' => true,
            '-' | '*' | '•' | '#' | '>' => it < before && opens_line(lexemes, it),
            _ => false,
        },
    }
}

/// True where `at` opens a line, heading marks and a table border aside.
fn opens_line(lexemes: &Lexemes<'_>, at: usize) -> bool {
    let mut at = at;
    for _ in 0..6 {
        let Some(before) = at.checked_sub(1) else { return true };
        match lexemes.kind(before) {
            LexKind::Break | LexKind::Gap => return true,
            LexKind::Space => return before == 0,
            _ if lexemes.head(before) == '#' => at = before,
            _ => return false,
        }
    }
    false
}

/// `1.`, `2)`, `一、` at the start of an item, and small numbers alone in brackets.
fn is_list_marker(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    let small = raw.form == Form::Plain
        && raw.value.is_some_and(|it| it < Decimal::from(200) && it.fract().is_zero());
    if !small || raw.end - raw.first > 4 {
        return false;
    }
    let after = lexemes.head(raw.end);
    let before = raw.first.checked_sub(1).map_or('\0', |it| lexemes.head(it));
    let bracketed = before == '(' && after == ')';
    if bracketed {
        return is_bracketed_marker(lexemes, raw);
    }
    if !opens_item(lexemes, raw.first) {
        return false;
    }
    let is_digits = lexemes.kind(raw.first) == LexKind::Digits;
    match after {
        '、' => true,
        '.' => is_digits && lexemes.kind(raw.end + 1) != LexKind::Digits,
        ')' => is_digits,
        _ => false,
    }
}

/// (1), （一）: a marker unless it restates a number in words ("twelve (12) months") or counts.
fn is_bracketed_marker(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    let open = raw.first - 1;
    let before = lexemes.solid_before(open);
    let glued = before.is_some_and(|it| {
        it + 1 == open && matches!(lexemes.kind(it), LexKind::Digits | LexKind::Word)
    });
    let restates = before.is_some_and(|it| {
        let digits = lexemes.kind(it) == LexKind::Digits && it + 1 < open;
        digits || read_words(lexemes, it).is_some() || is_han_numeral(lexemes.head(it))
    });
    let opens = opens_item(lexemes, open);
    let after = lexemes.kind(raw.end + 1);
    let spaced = matches!(after, LexKind::Space | LexKind::Break | LexKind::Word | LexKind::Han);
    let spaced_before = open.checked_sub(1).is_none_or(|it| lexemes.kind(it) != LexKind::Word);
    !restates && !glued && (opens || spaced && spaced_before)
}

/// 當月一日, 次月十日, 每月五日: a day of the month, not a number of days.
fn is_day_of_month(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    let next = lexemes.solid(raw.end);
    let day = lexemes.head(next) == '日' && raw.value.is_some_and(|it| it <= Decimal::from(31));
    let month = lexemes.solid_before(raw.first).filter(|it| lexemes.head(*it) == '月');
    let which = month.and_then(|it| lexemes.solid_before(it)).map_or('\0', |it| lexemes.head(it));
    day && matches!(which, '當' | '次' | '翌' | '隔' | '同' | '本' | '上' | '每')
        && raw.form == Form::Plain
}

/// The 1960s.
fn is_decade(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    let year = raw.value.is_some_and(|it| {
        it >= Decimal::from(1700) && it < Decimal::from(2200) && (it % Decimal::TEN).is_zero()
    });
    year && lexemes.is_word(raw.end, "s")
}

/// 上午一時至五時: the second hour of a span.
fn continues_clock(lexemes: &Lexemes<'_>, raw: &RawNumber, previous: Option<Previous>) -> bool {
    let Some(clock) = previous.filter(|it| it.role == Role::Clock && raw.first - it.end <= 5)
    else {
        return false;
    };
    lexemes.head(lexemes.solid(raw.end)) == '時'
        && (clock.end..raw.first).any(|it| lexemes.head(it) == '至')
}

/// 8:30, 9 a.m., 5pm, 上午九時, 八點三十分.
fn is_clock(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    let colon = |at: usize| lexemes.head(at) == ':';
    let minutes = colon(raw.end)
        && lexemes.kind(raw.end + 1) == LexKind::Digits
        && lexemes.slice(raw.end + 1).len() == 2;
    let after_hours = raw.first.checked_sub(1).is_some_and(colon)
        && raw.first.checked_sub(2).is_some_and(|it| lexemes.kind(it) == LexKind::Digits);
    let next = lexemes.solid(raw.end);
    let half_day = lexemes.is_word_of(next, &["am", "pm", "noon", "midnight", "o'clock"])
        || lexemes.is_word_of(next, &["a", "p"])
            && lexemes.head(next + 1) == '.'
            && lexemes.is_word(next + 2, "m");
    let after_hour = lexemes.head(next + 1);
    let hour = lexemes.head(next) == '時'
        && matches!(after_hour, '至' | '起' | '止' | '前' | '後' | '分' | '整' | '半' | '到')
        || lexemes.head(next) == '時'
            && (is_han_numeral(after_hour) || lexemes.kind(next + 1) == LexKind::Digits)
        || lexemes.head(next) == '點' && (after_hour == '鐘' || is_han_numeral(after_hour));
    let hour =
        hour && raw.form == Form::Plain && raw.value.is_some_and(|it| it <= Decimal::from(24));
    let day_half = ["上午", "下午", "中午", "晚上", "早上", "凌晨"]
        .iter()
        .any(|it| lexemes.han_before(raw.first, it).is_some());
    let minute = lexemes.head(next) == '分'
        && lexemes.head(next + 1) != '之'
        && matches!(lexemes.head_before(raw.first), '時' | '點');
    minutes || after_hours || half_day || hour || day_half || minute
}
