//! What an amount is for each of: per month, a year, /person, 每月, 每人每月, 按年.
//! Never takes a period that speaks of something else than the amount beside it.

use std::sync::LazyLock;

use crate::text::amounts::unit::{Family, Unit, is_period, unit_at};
use crate::text::lexeme::{LexKind, Lexemes, PhraseTable};
use crate::text::numbers::numeral_en::read_words;
use crate::text::numbers::numeral_zh::{is_han_numeral, read_plain_or_digits};

/// The "per" words right after an amount that ends at `at`: the lexeme after them, and their units.
pub fn per_after(lexemes: &Lexemes<'_>, at: usize, unit: &Unit) -> (usize, Vec<String>) {
    let mut end = at;
    let mut per = Vec::new();
    while per.len() < 3 {
        let adverb = adverb_after(lexemes, end).filter(|_| !is_long(unit));
        let Some((next, name)) = adverb.or_else(|| one_after(lexemes, end)) else { break };
        end = next;
        per.push(name);
    }
    (end, per)
}

/// True for lengths of time that themselves are periods: 3 years, 6 months, 2 weeks.
fn is_long(unit: &Unit) -> bool {
    unit.family == Family::Duration
        && !matches!(unit.name.as_str(), "hour" | "minute" | "day" | "working-day")
}

/// Monthly, yearly, weekly.
fn adverb_after(lexemes: &Lexemes<'_>, at: usize) -> Option<(usize, String)> {
    let start = lexemes.solid(at);
    let adverbs = [
        ("monthly", "month"),
        ("annually", "year"),
        ("yearly", "year"),
        ("weekly", "week"),
        ("daily", "day"),
        ("quarterly", "quarter"),
        ("hourly", "hour"),
        ("pa", "year"),
    ];
    let (_, name) = adverbs.iter().find(|(it, _)| lexemes.is_word(start, it))?;
    Some((start + 1, (*name).to_owned()))
}

fn one_after(lexemes: &Lexemes<'_>, at: usize) -> Option<(usize, String)> {
    let start = lexemes.solid(at);
    let opens = lexemes.is_word_of(start, &["per", "a", "an", "each", "every"])
        || matches!(lexemes.head(start), '/' | '每')
        || lexemes.is_word(start, "for")
            && lexemes.is_word_of(lexemes.solid(start + 1), &["each", "every"]);
    if !opens {
        return None;
    }
    let mut next = lexemes.solid(start + 1);
    while lexemes.is_word_of(
        next,
        &["each", "every", "additional", "further", "calendar", "eligible", "single", "dependent"],
    ) {
        let of_its_own =
            unit_at(lexemes, next).is_some() && unit_at(lexemes, lexemes.solid(next + 1)).is_none();
        if of_its_own {
            break;
        }
        next = lexemes.solid(next + 1);
    }
    next = behind_fill(lexemes, next);
    if let Some(it) = several(lexemes, next) {
        return Some(it);
    }
    if lexemes.is_word(next, "annum") {
        return Some((next + 1, "year".to_owned()));
    }
    let (end, unit) = unit_at(lexemes, next)?;
    let counts = unit.family != Family::Money && unit.family != Family::Percent;
    counts.then_some((end, unit.name))
}

/// 每逾三日, 每滿一年, "each period of 4 weeks": behind the words that fill the period.
fn behind_fill(lexemes: &Lexemes<'_>, at: usize) -> usize {
    let mut next = at;
    while matches!(lexemes.head(next), '逾' | '滿' | '满' | '隔' | '達' | '达' | '超' | '過' | '过')
    {
        next += 1;
    }
    let behind = ["period of", "block of"].iter().find_map(|it| lexemes.phrase_at(next, it));
    behind.map_or(next, |it| lexemes.solid(it))
}

/// "Every 4 weeks", 每兩個月: a period of several units.
fn several(lexemes: &Lexemes<'_>, at: usize) -> Option<(usize, String)> {
    let han = read_plain_or_digits(lexemes, at).map(|it| (it.end, it.value));
    let (end, number) = han.or_else(|| read_words(lexemes, at).map(|it| (it.end, it.value)))?;
    let (end, unit) = unit_at(lexemes, lexemes.solid(end))?;
    let period = matches!(
        unit.family,
        Family::Duration | Family::Length | Family::Area | Family::Volume | Family::Mass
    );
    let number = number?;
    let name = if number == rust_decimal::Decimal::ONE {
        unit.name
    } else {
        format!("{number} {}", unit.name)
    };
    period.then_some((end, name))
}

/// The lengths of time that a passage says something is for each of: "3 free meals a week", 每年.
pub fn periods_in(text: &str) -> Vec<String> {
    const LEADING: &[&str] = &[
        "in", "within", "for", "of", "after", "before", "over", "during", "than", "least", "once",
        "is", "be", "if", "at", "to", "under", "about", "from", "until",
    ];
    let lexemes = Lexemes::new(text);
    let mut found = Vec::new();
    for at in 0..lexemes.len() {
        let article = lexemes.is_word_of(at, &["a", "an"]);
        let before = lexemes.solid_before(at);
        let measures = article && before.is_none_or(|it| lexemes.is_word_of(it, LEADING));
        if measures || lexemes.is_word(at, "for") {
            continue;
        }
        let said = one_after(&lexemes, at).or_else(|| adverb_after(&lexemes, at));
        let said = said.map(|(_, name)| name).or_else(|| every_at(&lexemes, at));
        found.extend(said.filter(|it| is_period(it)));
    }
    found
}

/// Words that say the period before an amount, and its canonical name.
const BEFORE: &[(&str, &str)] = &[
    ("按月", "month"),
    ("按年", "year"),
    ("按日", "day"),
    ("按季", "quarter"),
    ("按次", "time"),
    ("按件", "case"),
    ("逐月", "month"),
    ("逐年", "year"),
    ("全年", "year"),
    ("月領", "month"),
    ("月付", "month"),
    ("年繳", "year"),
    ("monthly", "month"),
    ("annual", "year"),
    ("yearly", "year"),
    ("weekly", "week"),
];

static BEFORE_TABLE: LazyLock<PhraseTable<&'static str>> =
    LazyLock::new(|| PhraseTable::new(BEFORE.iter().copied()));

/// How many characters may stand between 每月 and its amount (發給, 繳納審查費, 補助新臺幣).
const GAP: usize = 8;

/// The "per" words before an amount that starts at `first`: 每月, 每人每月, 按年. The lexeme they
/// start at (or `first`), and their units, the nearest last.
pub fn per_before(lexemes: &Lexemes<'_>, first: usize, unit: &Unit) -> (usize, Vec<String>) {
    if is_long(unit) || unit.family == Family::Age {
        return (first, Vec::new());
    }
    let mut at = first;
    let mut start = first;
    let mut gap = 0;
    let mut per: Vec<String> = Vec::new();
    while let Some(before) = at.checked_sub(1) {
        let kind = lexemes.kind(before);
        let every = before.checked_sub(1).is_some_and(|it| lexemes.head(it) == '每');
        let numeral =
            is_han_numeral(lexemes.head(before)) && lexemes.head(before) != '一' && !every;
        let stops = match kind {
            LexKind::Han => numeral && !is_time_of_day(lexemes, before),
            LexKind::Space => false,
            LexKind::Mark => lexemes.head(before) != ':',
            _ => true,
        };
        if stops || gap > GAP {
            break;
        }
        if let Some(name) = every_at(lexemes, before) {
            per.insert(0, name);
            start = before;
            gap = 0;
        } else if kind == LexKind::Han {
            gap += 1;
        }
        at = before;
    }
    (start, per)
}

/// True for a numeral of 十二時 and the like, which is no amount of its own.
fn is_time_of_day(lexemes: &Lexemes<'_>, at: usize) -> bool {
    lexemes.head(at + 1) == '時' || lexemes.head(at + 1) == '點'
}

/// The unit of 每X or 按X at `at`.
fn every_at(lexemes: &Lexemes<'_>, at: usize) -> Option<String> {
    if let Some((_, name)) = BEFORE_TABLE.longest_at(lexemes, at) {
        return Some(name.to_owned());
    }
    if lexemes.head(at) != '每' {
        return None;
    }
    let mut next = behind_fill(lexemes, at + 1);
    if lexemes.head(next) == '一' {
        next += 1;
    }
    let one = unit_at(lexemes, next).map(|(_, unit)| unit.name);
    one.or_else(|| several(lexemes, next).map(|(_, name)| name))
}

/// How a period is worded, in both languages and as part of a field's name.
pub const WORDED_PERIODS: &[(&str, &[&str])] = &[
    ("year", &["year", "annual", "annum", "p.a", "年", "歲"]),
    ("month", &["month", "月"]),
    ("week", &["week", "fortnight", "週", "周", "星期", "禮拜"]),
    ("day", &["day", "daily", "diem", "night", "日", "天"]),
    ("hour", &["hour", "hr", "時", "时", "鐘頭"]),
    ("quarter", &["quarter", "three month", "3 month", "季", "三個月", "3個月"]),
];

/// True where a text, in small letters, has a word for the period.
pub fn names_period(text: &str, period: &str) -> bool {
    let words = WORDED_PERIODS.iter().find(|it| it.0 == period);
    words.is_none_or(|(_, words)| words.iter().any(|it| text.contains(it)))
}
