//! Dates as pages write them, in both calendars and both orders. Never picks one reading of an
//! ambiguous date, and never fills in a part that the text leaves out (`elision` lends a range's parts).
//!
//! The Republic of China calendar counts from 1912: its year is the Gregorian year less 1911.

use rust_decimal::prelude::ToPrimitive;

use crate::text::amounts::money::{currency_after, currency_before};
use crate::text::amounts::unit::unit_after;
use crate::text::dates::elision::with_elided;
use crate::text::lexeme::{LexKind, Lexemes};
use crate::text::numbers::numeral::{RawNumber, Spelling};
use crate::text::numbers::numeral_zh::{is_han_numeral, read_plain_or_digits};
use crate::text::numbers::reference::names_no_year;

pub use crate::text::dates::calendar::{Calendar, DateToken, PartialDate, ROC_OFFSET};

/// Every date of `text`, in order.
pub fn read_dates(text: &str) -> Vec<DateToken> {
    dates_in(&Lexemes::new(text))
}

/// Every date of a text that is cut up already.
pub fn dates_in(lexemes: &Lexemes<'_>) -> Vec<DateToken> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < lexemes.len() {
        match date_at(lexemes, at) {
            Ok(token) => {
                at = token.end;
                found.push(token);
            }
            Err(next) => at = next,
        }
    }
    with_elided(lexemes, found)
}

/// The date at `at`, or the lexeme to go on with.
fn date_at(lexemes: &Lexemes<'_>, at: usize) -> Result<DateToken, usize> {
    let glued = at.checked_sub(1).is_some_and(|it| {
        let mark = lexemes.head(it);
        let year_before = it.checked_sub(1).is_some_and(|it| lexemes.slice(it).len() == 4);
        let digits_before = it.checked_sub(1).is_some_and(|it| lexemes.kind(it) == LexKind::Digits);
        lexemes.kind(it) == LexKind::Word
            || digits_before && (matches!(mark, '/' | '.' | ',') || mark == '-' && !year_before)
    });
    match lexemes.kind(at) {
        LexKind::Digits if glued => Err(at + 1),
        LexKind::Digits => numeric(lexemes, at)
            .or_else(|| day_month(lexemes, at))
            .map_or_else(|| chinese(lexemes, at, at).map_err(|next| next.max(at + 1)), Ok)
            .or_else(|next| year_alone(lexemes, at).ok_or(next)),
        LexKind::Word => month_day(lexemes, at).ok_or(at + 1),
        LexKind::Han => {
            let start = after_era(lexemes, at).map_or(at, |(it, _)| it);
            let numeral = start > at || is_han_numeral(lexemes.head(at));
            if numeral {
                chinese(lexemes, at, start).map_err(|next| next.max(at + 1))
            } else {
                Err(at + 1)
            }
        }
        _ => Err(at + 1),
    }
}

fn token(
    lexemes: &Lexemes<'_>,
    range: (usize, usize),
    candidates: Vec<PartialDate>,
) -> Option<DateToken> {
    let (first, end) = range;
    let mut candidates: Vec<PartialDate> =
        candidates.into_iter().filter(|it| it.is_possible()).collect();
    candidates.dedup();
    if candidates.is_empty() {
        return None;
    }
    let span = lexemes.span(first, end);
    let calendar = Calendar::Gregorian;
    Some(DateToken { span, candidates, calendar, may_be_duration: false, first, end })
}

fn full(year: i16, month: i16, day: i16) -> PartialDate {
    let part = |it: i16| i8::try_from(it).ok();
    PartialDate { year: Some(year), month: part(month), day: part(day) }
}

fn number(lexemes: &Lexemes<'_>, at: usize, longest: usize) -> Option<i16> {
    lexemes.digits(at).filter(|it| it.len() <= longest).and_then(|it| it.parse().ok())
}

/// 2027-04-03, 2027/4/3, 03/04/2027, 3.4.2027, 112/01/01.
fn numeric(lexemes: &Lexemes<'_>, at: usize) -> Option<DateToken> {
    let separator = lexemes.head(at + 1);
    let fits = matches!(separator, '/' | '.') || crate::text::lexeme::is_hyphen(separator);
    if !fits || lexemes.head(at + 3) != separator || lexemes.kind(at + 1) != LexKind::Mark {
        return None;
    }
    let (one, two) = (number(lexemes, at, 4)?, number(lexemes, at + 2, 2)?);
    let three = number(lexemes, at + 4, 4)?;
    let lens = (lexemes.slice(at).chars().count(), lexemes.slice(at + 4).chars().count());
    let goes_on = lexemes.head(at + 5) == separator && lexemes.kind(at + 6) == LexKind::Digits
        || lexemes.kind(at + 5) == LexKind::Word && !lexemes.is_word(at + 5, "t");
    if goes_on {
        return None;
    }
    match lens {
        (4, 1 | 2) => token(lexemes, (at, at + 5), vec![full(one, two, three)]),
        (3, 1 | 2) if one < 200 => {
            let found = token(lexemes, (at, at + 5), vec![full(one + ROC_OFFSET, two, three)])?;
            Some(DateToken { calendar: Calendar::Roc, ..found })
        }
        (1 | 2, 4) => {
            token(lexemes, (at, at + 5), vec![full(three, one, two), full(three, two, one)])
        }
        (1 | 2, 2) if separator == '/' => {
            let year = if three < 70 { 2000 + three } else { 1900 + three };
            token(lexemes, (at, at + 5), vec![full(year, one, two), full(year, two, one)])
        }
        _ => None,
    }
}

const MONTHS: &[(&str, i8)] = &[
    ("january", 1),
    ("jan", 1),
    ("february", 2),
    ("feb", 2),
    ("march", 3),
    ("mar", 3),
    ("april", 4),
    ("apr", 4),
    ("may", 5),
    ("june", 6),
    ("jun", 6),
    ("july", 7),
    ("jul", 7),
    ("august", 8),
    ("aug", 8),
    ("september", 9),
    ("sept", 9),
    ("sep", 9),
    ("october", 10),
    ("oct", 10),
    ("november", 11),
    ("nov", 11),
    ("december", 12),
    ("dec", 12),
];

/// The month named at `at` and the lexeme after it, its full stop included.
fn month_name(lexemes: &Lexemes<'_>, at: usize) -> Option<(i8, usize)> {
    if lexemes.kind(at) != LexKind::Word || !lexemes.slice(at).starts_with(char::is_uppercase) {
        return None;
    }
    if !"jfmasond".contains(lexemes.head(at)) {
        return None;
    }
    let (name, month) = MONTHS.iter().find(|(it, _)| lexemes.is_word(at, it))?;
    let stop = name.len() <= 4 && lexemes.head(at + 1) == '.';
    Some((*month, at + 1 + usize::from(stop)))
}

/// A day of the month at `at`: `7`, `7th`; the lexeme after it.
fn day_number(lexemes: &Lexemes<'_>, at: usize) -> Option<(i8, usize)> {
    let day = number(lexemes, at, 2).filter(|it| (1..=31).contains(it))?;
    let suffix = lexemes.is_word_of(at + 1, &["st", "nd", "rd", "th"]);
    let end = at + 1 + usize::from(suffix);
    let goes_on = lexemes.kind(end) == LexKind::Word
        || matches!(lexemes.head(end), '.' | '/' | ':' | '%')
            && lexemes.kind(end + 1) == LexKind::Digits;
    (!goes_on).then_some((i8::try_from(day).ok()?, end))
}

fn year_number(lexemes: &Lexemes<'_>, at: usize) -> Option<(i16, usize)> {
    let year = number(lexemes, at, 4).filter(|it| (1000..=2999).contains(it))?;
    let goes_on = lexemes.kind(at + 1) == LexKind::Word
        || matches!(lexemes.head(at + 1), '.' | ',') && lexemes.kind(at + 2) == LexKind::Digits;
    (!goes_on).then_some((year, at + 1))
}

/// September 7, 1980; Sept. 7 1980; September 1980; September 7.
fn month_day(lexemes: &Lexemes<'_>, at: usize) -> Option<DateToken> {
    let (month, after_month) = month_name(lexemes, at)?;
    let next = lexemes.solid(after_month);
    if next == after_month && !lexemes.kind(next).eq(&LexKind::Digits) {
        return None;
    }
    let month = Some(month);
    let the = lexemes.solid(next + usize::from(lexemes.is_word(next, "the")));
    if let Some((day, after_day)) = day_number(lexemes, the) {
        let comma = lexemes.solid(after_day);
        let comma = comma + usize::from(lexemes.head(comma) == ',');
        let day = Some(day);
        if let Some((year, end)) = year_number(lexemes, lexemes.solid(comma)) {
            return token(lexemes, (at, end), vec![PartialDate { year: Some(year), month, day }]);
        }
        return token(lexemes, (at, after_day), vec![PartialDate { year: None, month, day }]);
    }
    let comma = next + usize::from(lexemes.head(next) == ',');
    let of = lexemes.solid(comma);
    let of = lexemes.solid(of + usize::from(lexemes.is_word(of, "of")));
    let (year, end) = year_number(lexemes, of)?;
    token(lexemes, (at, end), vec![PartialDate { year: Some(year), month, day: None }])
}

/// 7 September 1980; 7th of September; the 7th day of September, 1980.
fn day_month(lexemes: &Lexemes<'_>, at: usize) -> Option<DateToken> {
    let (day, after_day) = day_number(lexemes, at)?;
    let mut next = lexemes.solid(after_day);
    for word in ["day", "of"] {
        if lexemes.is_word(next, word) {
            next = lexemes.solid(next + 1);
        }
    }
    if lexemes.head(next) == '-' {
        next += 1;
    }
    let (month, after_month) = month_name(lexemes, next)?;
    let (day, month) = (Some(day), Some(month));
    let comma = lexemes.solid(after_month);
    let comma = comma + usize::from(matches!(lexemes.head(comma), ',' | '-'));
    match year_number(lexemes, lexemes.solid(comma)) {
        Some((year, end)) => {
            token(lexemes, (at, end), vec![PartialDate { year: Some(year), month, day }])
        }
        None => token(lexemes, (at, after_month), vec![PartialDate { year: None, month, day }]),
    }
}

/// The lexeme after 中華民國, 民國, 西元 or 公元 at `at`, and the calendar.
fn after_era(lexemes: &Lexemes<'_>, at: usize) -> Option<(usize, Calendar)> {
    let eras = [
        ("中華民國", Calendar::Roc),
        ("民國", Calendar::Roc),
        ("西元", Calendar::Gregorian),
        ("公元", Calendar::Gregorian),
    ];
    let (end, calendar) =
        eras.iter().find_map(|(era, it)| lexemes.phrase_at(at, era).map(|end| (end, *it)))?;
    let end = lexemes.solid(end);
    let counts = lexemes.kind(end) == LexKind::Digits
        || is_han_numeral(lexemes.head(end))
        || lexemes.head(end) == '元';
    counts.then_some((end, calendar))
}

/// One numbered part of a Chinese date: its number and the lexeme after its 年, 月 or 日.
fn part(lexemes: &Lexemes<'_>, at: usize, marks: &[char]) -> Result<(i16, usize), usize> {
    let at = lexemes.solid(at);
    let Some(read) = read_plain_or_digits(lexemes, at) else { return Err(at) };
    let mark = lexemes.solid(read.end);
    let value = read
        .value
        .filter(|it| it.fract().is_zero() && !read.approximate)
        .and_then(|it| it.to_i16());
    match value {
        Some(value) if marks.contains(&lexemes.head(mark)) => Ok((value, mark + 1)),
        _ => Err(read.end),
    }
}

/// 民國 110 年 11 月 09 日, 112年1月1日, 一百十二年度, 2023年3月, 一月一日.
fn chinese(lexemes: &Lexemes<'_>, first: usize, start: usize) -> Result<DateToken, usize> {
    let era = after_era(lexemes, first).map(|(_, it)| it);
    let year = if era.is_some() && lexemes.head(start) == '元' && lexemes.head(start + 1) == '年'
    {
        Ok((1, start + 2))
    } else {
        part(lexemes, start, &['年']).or_else(|next| school_year(lexemes, start).ok_or(next))
    };
    match year {
        Ok((year, after_year)) => year_first(lexemes, (first, after_year), year, era),
        Err(next) if era.is_none() => month_first(lexemes, first, next),
        Err(next) => Err(next),
    }
}

/// 113學年度, 112會計年度: the year that a school or fiscal year is named after.
fn school_year(lexemes: &Lexemes<'_>, at: usize) -> Option<(i16, usize)> {
    let read = read_plain_or_digits(lexemes, lexemes.solid(at))?;
    let value = read.value.filter(|it| it.fract().is_zero()).and_then(|it| it.to_i16())?;
    let named = (60..200).contains(&value) || (1900..2200).contains(&value);
    let mark = lexemes.solid(read.end);
    let words = ["學年度", "學年", "會計年度", "課稅年度", "財政年度"];
    words
        .iter()
        .find_map(|it| lexemes.phrase_at(mark, it))
        .filter(|_| named)
        .map(|end| (value, end))
}

fn year_first(
    lexemes: &Lexemes<'_>,
    range: (usize, usize),
    year: i16,
    era: Option<Calendar>,
) -> Result<DateToken, usize> {
    let (first, after_year) = range;
    let month = part(lexemes, after_year, &['月']).ok().filter(|it| (1..=12).contains(&it.0));
    let day = month
        .and_then(|(_, at)| part(lexemes, at, &['日', '號']).ok())
        .filter(|it| (1..=31).contains(&it.0));
    let plain_degree = lexemes.head(after_year) == '度';
    let degree = plain_degree
        || matches!(lexemes.head(after_year - 1), '度')
        || lexemes.head(after_year - 2) == '學';
    let calendar = match era {
        Some(it) => it,
        None if year < 200 => Calendar::Roc,
        None => Calendar::Gregorian,
    };
    // 三年 is a length of time; 112年 alone is likelier a year of the Republic.
    let dated = era.is_some()
        || month.is_some() && year > 0
        || (1800..=2199).contains(&year)
        || (100..200).contains(&year) && after_year > 0
        || degree && (60..200).contains(&year);
    if !dated || lexemes.head_before(first) == '第' {
        return Err(after_year);
    }
    let end = match (month, day) {
        (_, Some((_, end))) | (Some((_, end)), None) => end,
        (None, None) => after_year + usize::from(plain_degree),
    };
    let year_ad = if calendar == Calendar::Roc { year.saturating_add(ROC_OFFSET) } else { year };
    let small = |it: Option<(i16, usize)>| it.and_then(|(it, _)| i8::try_from(it).ok());
    let stated = PartialDate { year: Some(year_ad), month: small(month), day: small(day) };
    let found = token(lexemes, (first, end), vec![stated]).ok_or(end)?;
    // 一年六月 is a term of imprisonment as often as a date.
    let term = day.is_none() && year < 60;
    let alone = month.is_none() && !degree && year < 1800;
    let may_be_duration = era.is_none() && (alone || term);
    Ok(DateToken { calendar, may_be_duration, ..found })
}

/// 一月一日 and 3月; `next` is where to go on if there is none.
fn month_first(lexemes: &Lexemes<'_>, first: usize, next: usize) -> Result<DateToken, usize> {
    let Ok((month, after_month)) = part(lexemes, first, &['月']) else { return Err(next) };
    if !(1..=12).contains(&month) {
        return Err(after_month);
    }
    let month = i8::try_from(month).ok();
    let day = part(lexemes, after_month, &['日', '號']).ok().filter(|it| (1..=31).contains(&it.0));
    if let Some((day, end)) = day {
        let stated = PartialDate { year: None, month, day: i8::try_from(day).ok() };
        return token(lexemes, (first, end), vec![stated]).ok_or(end);
    }
    let stated = PartialDate { year: None, month, day: None };
    let found = token(lexemes, (first, after_month), vec![stated]).ok_or(after_month)?;
    let named = matches!(lexemes.head(after_month), '份' | '底' | '初' | '起' | '間' | '中')
        || matches!(lexemes.head_before(first), '年' | '每' | '於' | '至');
    Ok(DateToken { may_be_duration: !named, ..found })
}

/// A four-digit year in running text: nothing counted, no currency, no decimals.
fn year_alone(lexemes: &Lexemes<'_>, at: usize) -> Option<DateToken> {
    if lexemes.slice(at).chars().count() != 4 {
        return None;
    }
    let year = number(lexemes, at, 4).filter(|it| (1900..=2099).contains(it))?;
    let next = at + 1;
    // 2024/25 is a year that reaches into the next.
    let into_next =
        lexemes.head(next) == '/' && number(lexemes, next + 1, 2) == Some((year + 1) % 100);
    let glued = lexemes.kind(next) == LexKind::Word
        || !into_next
            && matches!(lexemes.head(next), '.' | ',' | ':' | '/')
            && lexemes.kind(next + 1) == LexKind::Digits
        || matches!(lexemes.head(next), '%' | '$');
    let counted =
        unit_after(lexemes, next).is_some_and(|(_, _, unit)| !unit.name.ends_with("year"));
    let paid = currency_before(lexemes, at).is_some() || currency_after(lexemes, next).is_some();
    let scaled = is_han_numeral(lexemes.head(next))
        || crate::text::numbers::numeral_en::scale_word(lexemes, lexemes.solid(next)).is_some();
    let dashed = at.checked_sub(1).is_some_and(|it| lexemes.head(it) == '-')
        && at
            .checked_sub(2)
            .is_some_and(|it| lexemes.kind(it) == LexKind::Digits && lexemes.slice(it).len() != 4);
    let raw = RawNumber::new(at, next, None, Spelling::Digits);
    if glued || counted || paid || scaled || dashed || names_no_year(lexemes, &raw) {
        return None;
    }
    token(lexemes, (at, next), vec![PartialDate { year: Some(year), month: None, day: None }])
}
