//! The numerals of a text, whatever script and spelling they are in, before anything is known of
//! their role. Never looks further than the spelling itself.

use rust_decimal::Decimal;

use crate::text::amounts::money::{currency_after, currency_before};
use crate::text::amounts::unit::{unit_after, unit_at};
use crate::text::lexeme::{LexKind, Lexemes, is_hyphen};
use crate::text::numbers::fraction_zh::read_han;
use crate::text::numbers::numeral_digits::{decimal, read_digits, vulgar};
use crate::text::numbers::numeral_en::{fraction_after_and, read_words, scale_word};
use crate::text::numbers::numeral_zh::{Form, is_han_numeral};

/// How a number is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// Digits alone: 1,200, 36.5, １２.
    Digits,
    /// Words or Chinese numerals alone: sixty-five, 三萬六千.
    Words,
    /// Both: 36.5萬, $1.2 million.
    Mixed,
}

/// What the spelling of a number alone tells of its role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// Nothing.
    None,
    /// First, second, twenty-first.
    Ordinal,
    /// 10-10EZ, 800-827-1000.
    Code,
    /// ①, ㈠.
    Circled,
}

/// A number before its role is known.
#[derive(Clone, Debug)]
pub struct RawNumber {
    /// First lexeme.
    pub first: usize,
    /// Lexeme after the last.
    pub end: usize,
    /// `None` beyond what a decimal holds.
    pub value: Option<Decimal>,
    /// Other values the spelling allows.
    pub others: Vec<Decimal>,
    /// How the value is meant.
    pub form: Form,
    /// How it is spelled.
    pub spelling: Spelling,
    /// True where the text leaves the value open.
    pub approximate: bool,
    /// What the spelling alone tells of its role.
    pub hint: Hint,
    /// True for once, twice, double.
    pub times: bool,
    /// Numeral characters, for Chinese numerals.
    pub han_chars: usize,
    /// True for 百, 千, 萬 without a digit before.
    pub bare_scale: bool,
    /// True for Chinese digits without scales.
    pub positional: bool,
}

impl RawNumber {
    /// A plain number with nothing else known.
    pub fn new(first: usize, end: usize, value: Option<Decimal>, spelling: Spelling) -> Self {
        Self {
            first,
            end,
            value,
            others: Vec::new(),
            form: Form::Plain,
            spelling,
            approximate: false,
            hint: Hint::None,
            times: false,
            han_chars: 0,
            bare_scale: false,
            positional: false,
        }
    }
}

/// The number at `at`, if one starts there.
pub fn raw_at(lexemes: &Lexemes<'_>, at: usize) -> Option<RawNumber> {
    match lexemes.kind(at) {
        LexKind::Digits => Some(digits_at(lexemes, at)),
        LexKind::Word => words_at(lexemes, at),
        LexKind::Han if is_han_numeral(lexemes.head(at)) => han_at(lexemes, at),
        LexKind::Han if lexemes.head(at) == '半' => half_at(lexemes, at),
        LexKind::Mark if lexemes.head(at) == '〇' => han_at(lexemes, at),
        LexKind::Mark => mark_at(lexemes, at),
        _ => None,
    }
}

/// A number that opens with digits.
fn digits_at(lexemes: &Lexemes<'_>, at: usize) -> RawNumber {
    if let Some(end) = code_at(lexemes, at) {
        let value = decimal(&lexemes.digits(at).unwrap_or_default(), "");
        return RawNumber { hint: Hint::Code, ..RawNumber::new(at, end, value, Spelling::Digits) };
    }
    if let Some(it) = slash_fraction(lexemes, at) {
        return it;
    }
    if let Some(it) = read_han(lexemes, at) {
        return RawNumber {
            form: it.form,
            approximate: it.approximate,
            han_chars: it.chars,
            ..RawNumber::new(at, it.end, it.value, Spelling::Mixed)
        };
    }
    let Some(read) = read_digits(lexemes, at) else {
        return RawNumber::new(at, at + 1, None, Spelling::Digits);
    };
    let mut raw = RawNumber {
        others: read.others,
        ..RawNumber::new(at, read.end, read.value, Spelling::Digits)
    };
    raw.approximate = lexemes.head(raw.end) == '餘'
        || lexemes.head(raw.end) == '多' && lexemes.head(raw.end + 1) != '數';
    with_spaced_fraction(lexemes, &mut raw);
    if let Some((part, end)) = fraction_after_and(lexemes, raw.end) {
        raw.value = raw.value.and_then(|it| it.checked_add(part));
        raw.end = end;
        raw.spelling = Spelling::Mixed;
    }
    with_scale(lexemes, &mut raw);
    raw
}

/// `1/2`, `3/4` with a numerator below a usual denominator.
fn slash_fraction(lexemes: &Lexemes<'_>, at: usize) -> Option<RawNumber> {
    let slash = matches!(lexemes.head(at + 1), '/' | '⁄' | '∕');
    if !slash
        || at.checked_sub(1).is_some_and(|it| lexemes.head(it) == '/')
        || lexemes.head(at + 3) == '/'
    {
        return None;
    }
    let (num, den) = (lexemes.digits(at)?, lexemes.digits(at + 2)?);
    let (num, den) = (num.parse::<u32>().ok()?, den.parse::<u32>().ok()?);
    let usual = matches!(den, 2..=6 | 8 | 10 | 12 | 16 | 100 | 365);
    if num == 0 || num >= den || !usual {
        return None;
    }
    let (num, den) = (Decimal::from(num), Decimal::from(den));
    let value = num.checked_div(den);
    Some(RawNumber {
        form: Form::Fraction(num, den),
        ..RawNumber::new(at, at + 3, value, Spelling::Digits)
    })
}

/// `1 1/2`, `1-1/2`.
fn with_spaced_fraction(lexemes: &Lexemes<'_>, raw: &mut RawNumber) {
    let mut next = lexemes.solid(raw.end);
    if next == raw.end && lexemes.head(next) == '-' {
        next += 1;
    }
    if next == raw.end || raw.value.is_none_or(|it| !it.fract().is_zero()) {
        return;
    }
    if let Some(part) = slash_fraction(lexemes, next) {
        raw.value = raw.value.zip(part.value).and_then(|(one, two)| one.checked_add(two));
        raw.end = part.end;
    }
}

/// `1.2 million`, `$3m`, `5k` before a unit or after a currency.
fn with_scale(lexemes: &Lexemes<'_>, raw: &mut RawNumber) {
    let next = lexemes.solid(raw.end);
    let next = if lexemes.head(next) == '-' { next + 1 } else { next };
    if let Some(scale) = scale_word(lexemes, next) {
        raw.value = raw.value.and_then(|it| it.checked_mul(Decimal::from(scale)));
        raw.end = next + 1;
        raw.others.clear();
        raw.spelling = Spelling::Mixed;
        return with_scale_again(lexemes, raw);
    }
    let letters = lexemes.slice(raw.end);
    let scale: u64 = match letters {
        "k" | "K" => 1_000,
        "m" | "M" | "mn" | "mil" => 1_000_000,
        "b" | "bn" | "B" => 1_000_000_000,
        _ => return,
    };
    let counted = unit_after(lexemes, raw.end + 1).is_some()
        || currency_after(lexemes, raw.end + 1).is_some();
    if currency_before(lexemes, raw.first).is_some() || counted {
        raw.value = raw.value.and_then(|it| it.checked_mul(Decimal::from(scale)));
        raw.end += 1;
        raw.others.clear();
        raw.spelling = Spelling::Mixed;
    }
}

/// `1.2 hundred thousand`: one scale upon another.
fn with_scale_again(lexemes: &Lexemes<'_>, raw: &mut RawNumber) {
    let next = lexemes.solid(raw.end);
    if let Some(scale) = scale_word(lexemes, next).filter(|it| *it >= 1000) {
        raw.value = raw.value.and_then(|it| it.checked_mul(Decimal::from(scale)));
        raw.end = next + 1;
    }
}

fn words_at(lexemes: &Lexemes<'_>, at: usize) -> Option<RawNumber> {
    let glued = at.checked_sub(1).is_some_and(|it| lexemes.kind(it) == LexKind::Digits);
    let read = read_words(lexemes, at).filter(|_| !glued)?;
    let hint = if read.ordinal { Hint::Ordinal } else { Hint::None };
    let raw = RawNumber::new(at, read.end, read.value, Spelling::Words);
    Some(RawNumber { form: read.form, times: read.times, hint, ..raw })
}

fn han_at(lexemes: &Lexemes<'_>, at: usize) -> Option<RawNumber> {
    let read = read_han(lexemes, at)?;
    let spelling = if read.has_digits { Spelling::Mixed } else { Spelling::Words };
    // 一半 is one half, not one and a half.
    let halved = read.chars == 1 && lexemes.head(at) == '一' && lexemes.head(read.end) == '半';
    if halved {
        return half_at(lexemes, read.end).map(|it| RawNumber { first: at, ..it });
    }
    Some(RawNumber {
        form: read.form,
        approximate: read.approximate,
        han_chars: read.chars,
        bare_scale: read.bare_scale,
        positional: read.positional,
        ..RawNumber::new(at, read.end, read.value, spelling)
    })
}

/// 半數, 半年, 半個月, 一半; not the 半 of 半身 or of 一年半, which belongs to the unit before.
fn half_at(lexemes: &Lexemes<'_>, at: usize) -> Option<RawNumber> {
    let next = lexemes.head(at + 1);
    let counted = "數年個日天價額小月".contains(next) && next != '\0';
    // 兩個半月: the half belongs to the number before.
    let inner = at >= 2
        && lexemes.head(at - 1) == '個'
        && (is_han_numeral(lexemes.head(at - 2)) || lexemes.kind(at - 2) == LexKind::Digits);
    if inner {
        return None;
    }
    let whole = lexemes.head_before(at) == '一';
    if !counted && !whole {
        return None;
    }
    let (one, two) = (Decimal::ONE, Decimal::TWO);
    let raw = RawNumber::new(at, at + 1, one.checked_div(two), Spelling::Words);
    Some(RawNumber { form: Form::Fraction(one, two), han_chars: 2, ..raw })
}

/// `.5`, `½`, and the numbers in circles and brackets that lists are marked with.
fn mark_at(lexemes: &Lexemes<'_>, at: usize) -> Option<RawNumber> {
    let it = lexemes.head(at);
    if let Some((num, den)) = vulgar(it) {
        let read = read_digits(lexemes, at)?;
        let form = Form::Fraction(num.into(), den.into());
        return Some(RawNumber {
            form,
            ..RawNumber::new(at, read.end, read.value, Spelling::Digits)
        });
    }
    if it == '.' {
        let read = read_digits(lexemes, at)?;
        let mut raw = RawNumber::new(at, read.end, read.value, Spelling::Digits);
        with_scale(lexemes, &mut raw);
        return Some(raw);
    }
    let number = circled(it)?;
    let raw = RawNumber::new(at, at + 1, Some(number.into()), Spelling::Digits);
    Some(RawNumber { hint: Hint::Circled, ..raw })
}

/// The number in ①, ⑴, ⒈, ㈠, ㊀.
fn circled(it: char) -> Option<u32> {
    let within = |first: char, last: char| {
        (first..=last).contains(&it).then(|| u32::from(it) - u32::from(first) + 1)
    };
    within('①', '⑳')
        .or_else(|| within('⑴', '⒇'))
        .or_else(|| within('⒈', '⒛'))
        .or_else(|| within('㈠', '㈩'))
        .or_else(|| within('㊀', '㊉'))
        .or_else(|| within('❶', '❿'))
}

/// The lexeme after a code that starts with the digits at `at`: 10-10EZ, 20-0968, 800-827-1000,
/// 3.1.2. Ranges (18-25), years (2018-2019) and compounds (65-year-old) are no codes.
fn code_at(lexemes: &Lexemes<'_>, at: usize) -> Option<usize> {
    let mut pieces = vec![(at, at + 1)];
    let mut end = at + 1;
    let mut letters = tail_letters(lexemes, at);
    if let Some(after) = letters {
        end = after;
    }
    let dotted = lexemes.head(end) == '.'
        && lexemes.head(end + 2) == '.'
        && lexemes.kind(end + 3) == LexKind::Digits;
    let joint = if dotted { '.' } else { '-' };
    while lexemes.kind(end) == LexKind::Mark && is_joint(lexemes.head(end), joint) && end < at + 24
    {
        if lexemes.kind(end + 1) == LexKind::Word
            && pieces.len() > 1
            && is_capitals(lexemes.slice(end + 1))
        {
            letters = Some(end + 2);
            end += 2;
            continue;
        }
        if lexemes.kind(end + 1) != LexKind::Digits {
            break;
        }
        pieces.push((end + 1, end + 2));
        end += 2;
        if let Some(after) = tail_letters(lexemes, end - 1) {
            letters = Some(after);
            end = after;
        }
    }
    let len = |nth: usize| pieces.get(nth).map_or(0, |it| lexemes.slice(it.0).chars().count());
    let zero_led = |nth: usize| len(nth) > 1 && lexemes.head(pieces[nth].0) == '0';
    let decimals = lexemes.head(end) == '.' && lexemes.kind(end + 1) == LexKind::Digits;
    let grouped = lexemes.head(end) == ',' && lexemes.kind(end + 1) == LexKind::Digits;
    let is_code = match pieces.len() {
        1 => letters.is_some() || zero_led(0) && !decimals,
        2 if decimals || grouped => false,
        2 => {
            letters.is_some()
                || zero_led(1)
                || zero_led(0)
                || len(0) > len(1)
                || (len(0), len(1)) == (3, 4)
        }
        _ => !dotted || !(1..pieces.len()).all(|nth| len(nth) == 3),
    };
    is_code.then_some(end)
}

/// The letters of a telephone number: 1-888-GI-BILL-1.
fn is_capitals(word: &str) -> bool {
    word.len() < 12 && word.chars().all(|it| it.is_ascii_uppercase())
}

fn is_joint(here: char, joint: char) -> bool {
    here == joint || joint == '-' && is_hyphen(here)
}

/// The lexeme after letters glued to the digits at `at` that make them a code: EZ in 10EZ. Ordinal
/// endings, scales, units and clock times do not.
fn tail_letters(lexemes: &Lexemes<'_>, at: usize) -> Option<usize> {
    let next = at + 1;
    if lexemes.kind(next) != LexKind::Word || unit_at(lexemes, next).is_some() {
        return None;
    }
    let known = [
        "st", "nd", "rd", "th", "k", "m", "mn", "mil", "b", "bn", "x", "am", "pm", "a", "p", "t",
        "s", "d", "h",
    ];
    let paid = currency_after(lexemes, next).is_some();
    let scale = lexemes.is_word_of(next, &["k", "m", "mn", "mil", "b", "bn"]);
    let scaled = currency_before(lexemes, at).is_some()
        || unit_after(lexemes, next + 1).is_some()
        || currency_after(lexemes, next + 1).is_some();
    if scale && !scaled && lexemes.slice(next) != "m" {
        return Some(next + 1);
    }
    let written = lexemes.slice(next);
    (!paid && written.is_ascii() && !lexemes.is_word_of(next, &known)).then_some(next + 1)
}
