//! Numbers written in digits: grouping, decimals, vulgar fractions. Never says what a number is for.

use rust_decimal::Decimal;

use crate::text::lexeme::{LexKind, Lexemes};

/// More groups of three than a decimal holds: no number.
const MOST_GROUPS: usize = 10;

/// A number in digits.
#[derive(Clone, Debug)]
pub struct DigitReading {
    /// Lexeme after the number.
    pub end: usize,
    /// Its value; `None` where it has more digits than a decimal holds.
    pub value: Option<Decimal>,
    /// Other values the same digits may have (`1.500`, `1,5`), in the order of likelihood.
    pub others: Vec<Decimal>,
    /// The digits alone without separators, where no decimal point stands in them.
    pub plain_digits: usize,
    /// True where separators group the digits by thousands.
    pub grouped: bool,
}

/// Reads the number in digits that starts at `at`: a digit run, a decimal point before one, or a
/// vulgar fraction. Signs and units are left to the caller.
pub fn read_digits(lexemes: &Lexemes<'_>, at: usize) -> Option<DigitReading> {
    match lexemes.kind(at) {
        LexKind::Digits => Some(with_vulgar(lexemes, whole_or_decimal(lexemes, at))),
        LexKind::Mark if starts_with_point(lexemes, at) => {
            let digits = lexemes.digits(at + 1)?;
            let value = decimal("0", &digits);
            Some(DigitReading {
                end: at + 2,
                value,
                others: Vec::new(),
                plain_digits: 0,
                grouped: false,
            })
        }
        LexKind::Mark => {
            let (num, den) = vulgar(lexemes.head(at))?;
            let value = Decimal::from(num).checked_div(Decimal::from(den));
            Some(DigitReading {
                end: at + 1,
                value,
                others: Vec::new(),
                plain_digits: 0,
                grouped: false,
            })
        }
        _ => None,
    }
}

/// Numerator and denominator of a one-character fraction.
pub fn vulgar(it: char) -> Option<(u32, u32)> {
    Some(match it {
        '½' => (1, 2),
        '⅓' => (1, 3),
        '⅔' => (2, 3),
        '¼' => (1, 4),
        '¾' => (3, 4),
        '⅕' => (1, 5),
        '⅖' => (2, 5),
        '⅗' => (3, 5),
        '⅘' => (4, 5),
        '⅙' => (1, 6),
        '⅚' => (5, 6),
        '⅐' => (1, 7),
        '⅛' => (1, 8),
        '⅜' => (3, 8),
        '⅝' => (5, 8),
        '⅞' => (7, 8),
        '⅑' => (1, 9),
        '⅒' => (1, 10),
        _ => return None,
    })
}

fn starts_with_point(lexemes: &Lexemes<'_>, at: usize) -> bool {
    let before = at.checked_sub(1).map_or(LexKind::Gap, |it| lexemes.kind(it));
    lexemes.head(at) == '.'
        && lexemes.kind(at + 1) == LexKind::Digits
        && !matches!(before, LexKind::Word | LexKind::Digits | LexKind::Han)
        && (before != LexKind::Mark
            || at.checked_sub(1).is_some_and(|it| {
                matches!(
                    lexemes.head(it),
                    '(' | '$' | '|' | '-' | '<' | '>' | '=' | '£' | '€' | '~' | '≥' | '≤'
                )
            }))
}

fn whole_or_decimal(lexemes: &Lexemes<'_>, at: usize) -> DigitReading {
    let first = lexemes.digits(at).unwrap_or_default();
    if let Some(it) = grouped_by_comma(lexemes, at, &first) {
        return it;
    }
    if let Some(it) = grouped_by_space(lexemes, at, &first) {
        return it;
    }
    if let Some(it) = with_point(lexemes, at, &first) {
        return it;
    }
    let value = decimal(&first, "");
    DigitReading {
        end: at + 1,
        value,
        others: Vec::new(),
        plain_digits: first.len(),
        grouped: false,
    }
}

/// `1,200`, `1,200.50`, `１，２００`, `1’200`; and `1,5`, which may be a decimal comma.
fn grouped_by_comma(lexemes: &Lexemes<'_>, at: usize, first: &str) -> Option<DigitReading> {
    let separator = lexemes.head(at + 1);
    let full_width = !lexemes.slice(at).is_ascii();
    let written = lexemes.slice(at + 1);
    let usable = match written {
        "," | "'" | "’" => true,
        "，" | "＇" => full_width,
        _ => false,
    };
    if !usable {
        return None;
    }
    let mut groups = Vec::new();
    let mut end = at + 1;
    while lexemes.head(end) == separator
        && lexemes.slice(end) == written
        && groups.len() <= MOST_GROUPS
    {
        let Some(group) = lexemes.digits(end + 1) else { break };
        groups.push(group);
        end += 2;
    }
    let last = groups.last()?.len();
    let by_three = groups.iter().all(|it| it.len() == 3);
    let by_lakh =
        last == 3 && groups.iter().rev().skip(1).all(|it| it.len() == 2) && groups.len() > 1;
    let head_fits = (1..=3).contains(&first.len()) && (!first.starts_with('0'));
    if head_fits && (by_three || by_lakh && first.len() <= 2) {
        let whole = format!("{first}{}", groups.concat());
        let (tail, end) = decimals_at(lexemes, end, '.');
        let value = decimal(&whole, &tail);
        return Some(DigitReading {
            end,
            value,
            others: Vec::new(),
            plain_digits: 0,
            grouped: true,
        });
    }
    let in_list = at.checked_sub(1).is_some_and(|it| lexemes.head(it) == ',');
    let decimal_comma =
        !in_list && separator == ',' && groups.len() == 1 && last <= 2 && first.len() <= 3;
    decimal_comma.then(|| DigitReading {
        end,
        value: decimal(first, &groups[0]),
        others: Vec::from_iter(decimal(first, "").into_iter().chain(decimal(&groups[0], ""))),
        plain_digits: 0,
        grouped: false,
    })
}

/// `1 200` and `12 500.75`, with any of the spaces used for grouping.
fn grouped_by_space(lexemes: &Lexemes<'_>, at: usize, first: &str) -> Option<DigitReading> {
    if !(1..=3).contains(&first.len()) || first.starts_with('0') {
        return None;
    }
    let written = lexemes.slice(at + 1);
    let hard = matches!(written, "\u{A0}" | "\u{2009}" | "\u{202F}" | "\u{2008}");
    if !hard && written != " " {
        return None;
    }
    let before = at.checked_sub(2).map_or(LexKind::Gap, |it| lexemes.kind(it));
    let spaced_before = at.checked_sub(1).is_some_and(|it| lexemes.kind(it) == LexKind::Space);
    if before == LexKind::Digits && spaced_before {
        return None;
    }
    let mut groups = String::new();
    let mut end = at + 1;
    while lexemes.slice(end) == written && groups.len() <= 3 * MOST_GROUPS {
        let Some(group) = lexemes.digits(end + 1) else { break };
        if group.len() != 3 {
            return None;
        }
        groups.push_str(&group);
        end += 2;
    }
    // A list of two numbers goes on with a comma group or a hyphen; a grouped number does not.
    if groups.is_empty()
        || matches!(lexemes.head(end), ',' | '-') && lexemes.kind(end + 1) == LexKind::Digits
    {
        return None;
    }
    let (tail, end) = decimals_at(lexemes, end, '.');
    let value = decimal(&format!("{first}{groups}"), &tail);
    let others = if hard { Vec::new() } else { Vec::from_iter(decimal(first, "")) };
    Some(DigitReading { end, value, others, plain_digits: 0, grouped: true })
}

/// `0.5`, `2.75`, and `1.500`, `1.500.000`, where the point may group.
fn with_point(lexemes: &Lexemes<'_>, at: usize, first: &str) -> Option<DigitReading> {
    if lexemes.head(at + 1) != '.' || lexemes.kind(at + 2) != LexKind::Digits {
        return None;
    }
    let tail = lexemes.digits(at + 2)?;
    let end = at + 3;
    let chained = lexemes.head(end) == '.' && lexemes.kind(end + 1) == LexKind::Digits;
    if chained {
        return None;
    }
    let may_group = tail.len() == 3 && (1..=3).contains(&first.len()) && !first.starts_with('0');
    if may_group && lexemes.slice(end) == "," && lexemes.kind(end + 1) == LexKind::Digits {
        let cents = lexemes.digits(end + 1).filter(|it| it.len() <= 2);
        if let Some(cents) = cents {
            let value = decimal(&format!("{first}{tail}"), &cents);
            return Some(DigitReading {
                end: end + 2,
                value,
                others: Vec::new(),
                plain_digits: 0,
                grouped: true,
            });
        }
    }
    let others =
        if may_group { Vec::from_iter(decimal(&format!("{first}{tail}"), "")) } else { Vec::new() };
    Some(DigitReading {
        end,
        value: decimal(first, &tail),
        others,
        plain_digits: 0,
        grouped: false,
    })
}

fn decimals_at(lexemes: &Lexemes<'_>, at: usize, point: char) -> (String, usize) {
    if lexemes.head(at) == point
        && let Some(digits) = lexemes.digits(at + 1)
    {
        return (digits, at + 2);
    }
    (String::new(), at)
}

/// `1½` and `1 ½`: the fraction belongs to the digits before it.
fn with_vulgar(lexemes: &Lexemes<'_>, reading: DigitReading) -> DigitReading {
    let at = lexemes.solid(reading.end);
    let part =
        vulgar(lexemes.head(at)).and_then(|(num, den)| Decimal::from(num).checked_div(den.into()));
    match (part, reading.value) {
        (Some(part), Some(whole)) if whole.fract().is_zero() => {
            DigitReading { end: at + 1, value: whole.checked_add(part), plain_digits: 0, ..reading }
        }
        _ => reading,
    }
}

/// The decimal of two digit strings; `None` beyond 28 digits.
pub fn decimal(whole: &str, tail: &str) -> Option<Decimal> {
    if whole.len() + tail.len() > 40 {
        return None;
    }
    let spelled = if tail.is_empty() { whole.to_owned() } else { format!("{whole}.{tail}") };
    Decimal::from_str_exact(&spelled).ok()
}
