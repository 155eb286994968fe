//! Whole numbers of a text in every usual spelling, each with its value and its role.
//! Never gives a piece of a longer number: 5 is not in 15, 0.5, 5,000 or 隊伍.

use rust_decimal::Decimal;

use crate::text::dates::date::{DateToken, dates_in};
use crate::text::lexeme::{LexKind, Lexemes, is_hyphen};
use crate::text::numbers::numeral::{RawNumber, Spelling, raw_at};
use crate::text::numbers::numeral_zh::Form;
use crate::text::numbers::role::{Previous, Role, role_of};
use crate::text::span::Span;

/// One whole number of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberToken {
    /// The number with its sign, decimals, scale and percent sign; without unit and currency.
    pub span: Span,
    /// The value as worded: 50 for 50% (`form` says percent), 0.5 for one-half.
    pub value: Decimal,
    /// How the value is meant.
    pub form: Form,
    /// How it is spelled.
    pub spelling: Spelling,
    /// What it is for.
    pub role: Role,
    /// Other values the spelling allows (`1.500`, `1,5`), the likelier first.
    pub others: Vec<Decimal>,
    /// True where the text leaves the value open (十餘, 三四十).
    pub approximate: bool,
    /// True for once, twice, double: a number of times without a unit word.
    pub times: bool,
    /// First lexeme.
    pub first: usize,
    /// Lexeme after the last.
    pub end: usize,
}

impl NumberToken {
    /// True for a number that a rule can be about; false for references, dates, list markers, words.
    pub fn is_value(&self) -> bool {
        self.role == Role::Value
    }

    /// The value as a plain ratio: 0.5 for 50%, 50/100 and one-half alike.
    pub fn ratio(&self) -> Option<Decimal> {
        match self.form {
            Form::Plain | Form::Fraction(..) => Some(self.value),
            Form::Percent => self.value.checked_div(Decimal::ONE_HUNDRED),
            Form::Permille => self.value.checked_div(Decimal::ONE_THOUSAND),
        }
    }

    /// The value in hundredths, where the wording speaks of parts: 50 for 50%, 五成, one-half.
    pub fn percent(&self) -> Option<Decimal> {
        match self.form {
            Form::Plain => None,
            Form::Percent => Some(self.value),
            Form::Permille => self.value.checked_div(Decimal::TEN),
            Form::Fraction(num, den) => num.checked_mul(Decimal::ONE_HUNDRED)?.checked_div(den),
        }
    }
}

/// Every number of `text`, in order, never overlapping.
///
/// ```
/// use countersign::text::numbers::number::read_numbers;
/// let numbers = read_numbers("年滿六十五歲，每月新臺幣7,759元");
/// let values: Vec<String> = numbers.iter().map(|it| it.value.to_string()).collect();
/// assert_eq!(values, ["65", "7759"]);
/// ```
pub fn read_numbers(text: &str) -> Vec<NumberToken> {
    let lexemes = Lexemes::new(text);
    let dates = dates_in(&lexemes);
    numbers_in(&lexemes, &dates)
}

/// Every number of a text that is cut up already, given its dates in order.
pub fn numbers_in(lexemes: &Lexemes<'_>, dates: &[DateToken]) -> Vec<NumberToken> {
    let mut found: Vec<NumberToken> = Vec::new();
    let mut at = 0;
    let mut date = 0;
    while at < lexemes.len() {
        while dates.get(date).is_some_and(|it| it.end <= at) {
            date += 1;
        }
        let dated = dates.get(date).is_some_and(|it| it.first <= at && !it.may_be_duration);
        let Some(raw) = raw_at(lexemes, at) else {
            at += 1;
            continue;
        };
        at = raw.end.max(at + 1);
        if let Some(token) = finished(lexemes, raw, dated, &found) {
            found.push(token);
        }
    }
    found
}

/// Adds sign and percent sign, and asks for the role.
fn finished(
    lexemes: &Lexemes<'_>,
    mut raw: RawNumber,
    dated: bool,
    found: &[NumberToken],
) -> Option<NumberToken> {
    let mut value = raw.value?;
    if raw.form == Form::Plain
        && let Some((end, form)) = percent_at(lexemes, raw.end)
    {
        raw.form = form;
        raw.end = end;
    }
    let previous = found.last().map(|it| Previous { role: it.role, end: it.end });
    let role = if dated { Role::DatePart } else { role_of(lexemes, &raw, previous) };
    let mut first = raw.first;
    if role == Role::Value
        && let Some(sign) = minus_before(lexemes, raw.first)
    {
        value = -value;
        first = sign;
    }
    Some(NumberToken {
        span: lexemes.span(first, raw.end),
        value: value.normalize(),
        form: raw.form,
        spelling: raw.spelling,
        role,
        others: raw.others,
        approximate: raw.approximate,
        times: raw.times,
        first,
        end: raw.end,
    })
}

/// A percent or permille sign, or its words, at `at`: the lexeme after it.
fn percent_at(lexemes: &Lexemes<'_>, at: usize) -> Option<(usize, Form)> {
    let at = lexemes.solid(at);
    match lexemes.head(at) {
        '%' | '﹪' => return Some((at + 1, Form::Percent)),
        '‰' => return Some((at + 1, Form::Permille)),
        _ => {}
    }
    let at = if lexemes.head(at) == '-' { at + 1 } else { at };
    ["percentage point~", "percent", "per cent", "pct", "個百分點", "百分點", "趴"]
        .iter()
        .find_map(|it| lexemes.phrase_at(at, it))
        .map(|end| (end, Form::Percent))
}

/// A minus sign that belongs to the number at `at`: none where the hyphen joins or leads a list.
fn minus_before(lexemes: &Lexemes<'_>, at: usize) -> Option<usize> {
    let sign = at.checked_sub(1)?;
    if lexemes.head(sign) == '負' {
        return Some(sign);
    }
    if lexemes.is_word(lexemes.solid_before(at)?, "minus") {
        return lexemes.solid_before(at);
    }
    if lexemes.kind(sign) != LexKind::Mark || !matches!(lexemes.head(sign), '-' | '−' | '﹣') {
        return None;
    }
    let before = sign.checked_sub(1);
    let free = before.is_none_or(|it| {
        matches!(lexemes.kind(it), LexKind::Space | LexKind::Break | LexKind::Gap)
            || matches!(lexemes.head(it), '(' | '|' | ':' | ',' | '、' | '$')
    });
    (free && is_hyphen(lexemes.head(sign))).then_some(sign)
}
