//! Numbers written in English words (sixty-five, one hundred and twenty, two-thirds, half).
//! Reads what stands there; whether "one" is a number or a pronoun is for `role` to say.

use rust_decimal::Decimal;

use crate::text::lexeme::{LexKind, Lexemes, is_hyphen};
use crate::text::numbers::numeral_zh::Form;

/// A number in English words.
#[derive(Clone, Debug)]
pub struct WordReading {
    /// Lexeme after the number.
    pub end: usize,
    /// Its value; `None` beyond what a decimal holds.
    pub value: Option<Decimal>,
    /// How the value is meant.
    pub form: Form,
    /// True for first, second, twenty-first.
    pub ordinal: bool,
    /// True for once, twice, double, triple: a number of times.
    pub times: bool,
    /// Number words read.
    pub words: usize,
}

const SMALL: &[(&str, u32)] = &[
    ("zero", 0),
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("thirteen", 13),
    ("fourteen", 14),
    ("fifteen", 15),
    ("sixteen", 16),
    ("seventeen", 17),
    ("eighteen", 18),
    ("nineteen", 19),
];
const TENS: &[(&str, u32)] = &[
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fourty", 40),
    ("fifty", 50),
    ("sixty", 60),
    ("seventy", 70),
    ("eighty", 80),
    ("ninety", 90),
];
const SCALES: &[(&str, u64)] = &[
    ("hundred", 100),
    ("thousand", 1_000),
    ("million", 1_000_000),
    ("billion", 1_000_000_000),
    ("lakh", 100_000),
    ("crore", 10_000_000),
    ("trillion", 1_000_000_000_000),
    ("dozen", 12),
];
const ORDINALS: &[(&str, u32)] = &[
    ("first", 1),
    ("second", 2),
    ("third", 3),
    ("fourth", 4),
    ("fifth", 5),
    ("sixth", 6),
    ("seventh", 7),
    ("eighth", 8),
    ("ninth", 9),
    ("tenth", 10),
    ("eleventh", 11),
    ("twelfth", 12),
    ("thirteenth", 13),
    ("fourteenth", 14),
    ("fifteenth", 15),
    ("sixteenth", 16),
    ("seventeenth", 17),
    ("eighteenth", 18),
    ("nineteenth", 19),
    ("twentieth", 20),
    ("thirtieth", 30),
    ("fortieth", 40),
    ("fiftieth", 50),
    ("sixtieth", 60),
    ("seventieth", 70),
    ("eightieth", 80),
    ("ninetieth", 90),
    ("hundredth", 100),
];
/// Denominators; the plural form follows any numerator, the singular form only one.
const PARTS: &[(&str, &str, u32)] = &[
    ("half", "halves", 2),
    ("third", "thirds", 3),
    ("quarter", "quarters", 4),
    ("fourth", "fourths", 4),
    ("fifth", "fifths", 5),
    ("sixth", "sixths", 6),
    ("seventh", "sevenths", 7),
    ("eighth", "eighths", 8),
    ("ninth", "ninths", 9),
    ("tenth", "tenths", 10),
    ("twelfth", "twelfths", 12),
    ("hundredth", "hundredths", 100),
];
const TIMES: &[(&str, u32)] = &[
    ("once", 1),
    ("twice", 2),
    ("thrice", 3),
    ("double", 2),
    ("triple", 3),
    ("treble", 3),
    ("quadruple", 4),
];

fn look<T: Copy>(lexemes: &Lexemes<'_>, at: usize, table: &[(&str, T)]) -> Option<T> {
    if lexemes.kind(at) != LexKind::Word {
        return None;
    }
    table.iter().find(|(word, _)| lexemes.is_word(at, word)).map(|(_, it)| *it)
}

/// Value of a scale word (hundred, million, dozen).
pub fn scale_word(lexemes: &Lexemes<'_>, at: usize) -> Option<u64> {
    look(lexemes, at, SCALES)
}

/// False for most words at a glance: no number opens with their letter, or they are too long.
fn opens_number(lexemes: &Lexemes<'_>, at: usize) -> bool {
    lexemes.kind(at) == LexKind::Word
        && "zotfsenhdbqa".contains(lexemes.head(at))
        && lexemes.slice(at).len() <= 33
}

/// Reads the number word or words that start at `at`.
pub fn read_words(lexemes: &Lexemes<'_>, at: usize) -> Option<WordReading> {
    if !opens_number(lexemes, at) {
        return None;
    }
    if let Some(times) = look(lexemes, at, TIMES) {
        return Some(plain(at + 1, Some(times.into()), 1))
            .map(|it| WordReading { times: true, ..it });
    }
    if lexemes.is_word(at, "half") {
        return half(lexemes, at);
    }
    if lexemes.is_word_of(at, &["a", "an"]) {
        return after_article(lexemes, at);
    }
    if let Some(ordinal) = ordinal(lexemes, at) {
        return Some(ordinal);
    }
    let whole = cardinal(lexemes, at)?;
    Some(parts(lexemes, &whole).or_else(|| and_a_half(lexemes, &whole)).unwrap_or(whole))
}

fn plain(end: usize, value: Option<Decimal>, words: usize) -> WordReading {
    WordReading { end, value, form: Form::Plain, ordinal: false, times: false, words }
}

fn half(lexemes: &Lexemes<'_>, at: usize) -> Option<WordReading> {
    let next = joined(lexemes, at + 1);
    let kin = [
        "brother", "brothers", "sister", "sisters", "sibling", "siblings", "niece", "nieces",
        "nephew", "nephews", "cousin", "cousins", "aunt", "aunts", "uncle", "uncles", "blood",
        "way", "hearted", "life", "time", "timer",
    ];
    if lexemes.is_word_of(next, &kin) {
        return None;
    }
    let (one, two) = (Decimal::ONE, Decimal::TWO);
    let value = one.checked_div(two);
    Some(WordReading { form: Form::Fraction(one, two), ..plain(at + 1, value, 1) })
}

/// A hundred, a dozen, a third of, a quarter of, a half; "a year" is no number here.
fn after_article(lexemes: &Lexemes<'_>, at: usize) -> Option<WordReading> {
    let next = lexemes.solid(at + 1);
    if let Some(scale) = scale_word(lexemes, next) {
        let start = Run {
            total: Decimal::ZERO,
            group: Decimal::from(scale),
            lowest: scale,
            at: next + 1,
            words: 1,
        };
        let start = if scale >= 1000 { start.closed(scale) } else { start };
        return Some(start.finish(lexemes));
    }
    let part = PARTS.iter().find(|(word, _, _)| lexemes.is_word(next, word))?;
    let is_half = part.2 == 2;
    let of = lexemes.is_word(lexemes.solid(next + 1), "of");
    if is_half || of {
        let (num, den) = (Decimal::ONE, Decimal::from(part.2));
        let value = num.checked_div(den);
        return Some(WordReading { form: Form::Fraction(num, den), ..plain(next + 1, value, 1) });
    }
    None
}

/// First, twenty-first, one hundred and first; not the "third" of "two thirds".
fn ordinal(lexemes: &Lexemes<'_>, at: usize) -> Option<WordReading> {
    if let Some(value) = look(lexemes, at, ORDINALS) {
        return Some(WordReading { ordinal: true, ..plain(at + 1, Some(value.into()), 1) });
    }
    let tens = look(lexemes, at, TENS)?;
    let next = joined(lexemes, at + 1);
    let ones = look(lexemes, next, ORDINALS).filter(|it| *it < 10 && next > at + 1)?;
    Some(WordReading { ordinal: true, ..plain(next + 1, Some((tens + ones).into()), 2) })
}

/// Lexeme after one space, or one hyphen with or without spaces.
fn joined(lexemes: &Lexemes<'_>, at: usize) -> usize {
    let at = lexemes.solid(at);
    if lexemes.kind(at) == LexKind::Mark && is_hyphen(lexemes.head(at)) {
        lexemes.solid(at + 1)
    } else {
        at
    }
}

/// The state of reading "two million three hundred thousand and five".
struct Run {
    total: Decimal,
    group: Decimal,
    /// The smallest scale used in the group; what follows must be smaller.
    lowest: u64,
    at: usize,
    words: usize,
}

fn cardinal(lexemes: &Lexemes<'_>, at: usize) -> Option<WordReading> {
    let (value, end, words) = below_hundred(lexemes, at)?;
    let lowest = if value.is_multiple_of(10) && value > 0 { 10 } else { 1 };
    let run = Run { total: Decimal::ZERO, group: Decimal::from(value), lowest, at: end, words };
    Some(run.finish(lexemes))
}

/// Sixty-five, twelve, sixty.
fn below_hundred(lexemes: &Lexemes<'_>, at: usize) -> Option<(u32, usize, usize)> {
    if let Some(value) = look(lexemes, at, SMALL) {
        return Some((value, at + 1, 1));
    }
    let tens = look(lexemes, at, TENS)?;
    let next = joined(lexemes, at + 1);
    match look(lexemes, next, SMALL).filter(|it| (1..10).contains(it)) {
        Some(ones) => Some((tens + ones, next + 1, 2)),
        None => Some((tens, at + 1, 1)),
    }
}

impl Run {
    /// Takes scales and smaller numbers for as long as they fit.
    fn finish(mut self, lexemes: &Lexemes<'_>) -> WordReading {
        let mut last_scale = u64::MAX;
        let mut overflow = false;
        loop {
            let next = joined(lexemes, self.at);
            if let Some(scale) =
                scale_word(lexemes, next).filter(|it| next > self.at && *it < last_scale)
            {
                if self.group.is_zero() || scale == 100 && self.group >= Decimal::ONE_HUNDRED {
                    break;
                }
                match self.group.checked_mul(Decimal::from(scale)) {
                    Some(it) => self.group = it,
                    None => overflow = true,
                }
                self.at = next + 1;
                self.words += 1;
                self.lowest = scale;
                if scale >= 1000 {
                    last_scale = scale;
                    self = self.closed(scale);
                }
                continue;
            }
            let after_and =
                if lexemes.is_word(next, "and") { lexemes.solid(next + 1) } else { next };
            let Some((value, end, words)) = below_hundred(lexemes, after_and) else { break };
            let scale_after = scale_word(lexemes, joined(lexemes, end)).unwrap_or(1);
            // "One hundred and one thousand": the scale takes the whole group.
            let takes_group = self.lowest == 100 && scale_after >= 1000 && scale_after < last_scale;
            let fits = self.lowest >= 100
                && after_and > self.at
                && (self.lowest > scale_after || takes_group)
                && (after_and == next || scale_after == 1 || self.lowest > 1000 || takes_group);
            if !fits {
                break;
            }
            self.group += Decimal::from(value);
            self.lowest = 1;
            self.at = end;
            self.words += words;
        }
        let value = self.total.checked_add(self.group).filter(|_| !overflow);
        plain(self.at, value, self.words)
    }

    /// Moves the group into the total after thousand, million …
    fn closed(mut self, scale: u64) -> Self {
        self.total = self.total.checked_add(self.group).unwrap_or(Decimal::MAX);
        self.group = Decimal::ZERO;
        self.lowest = scale;
        self
    }
}

/// Two-thirds, one-half, three quarters, one fifth of.
fn parts(lexemes: &Lexemes<'_>, whole: &WordReading) -> Option<WordReading> {
    let next = joined(lexemes, whole.end);
    let num = whole.value.filter(|it| *it < Decimal::ONE_HUNDRED && next > whole.end)?;
    let hyphen = next > lexemes.solid(whole.end);
    let (_, _, den) = PARTS.iter().find(|(singular, plural, _)| {
        lexemes.is_word(next, plural) || num == Decimal::ONE && lexemes.is_word(next, singular)
    })?;
    let after = lexemes.solid(next + 1);
    let open_ordinal = num == Decimal::ONE && !hyphen && *den != 2;
    if open_ordinal && !lexemes.is_word_of(after, &["of", "the", "or", "and", "to", "off", "share"])
    {
        return None;
    }
    let den = Decimal::from(*den);
    let value = num.checked_div(den);
    let form = Form::Fraction(num, den);
    Some(WordReading { end: next + 1, value, form, words: whole.words + 1, ..whole.clone() })
}

/// One and a half, two and one-half.
fn and_a_half(lexemes: &Lexemes<'_>, whole: &WordReading) -> Option<WordReading> {
    let (value, end) = fraction_after_and(lexemes, whole.end)?;
    let value = whole.value?.checked_add(value);
    Some(WordReading { end, value, words: whole.words + 2, ..whole.clone() })
}

/// The fraction of "and a half", "and three quarters" at `at`, and the lexeme after it.
pub fn fraction_after_and(lexemes: &Lexemes<'_>, at: usize) -> Option<(Decimal, usize)> {
    let and = joined(lexemes, at);
    if !lexemes.is_word(and, "and") || and == at {
        return None;
    }
    let start = joined(lexemes, and + 1);
    if lexemes.is_word(start, "a") {
        let part = joined(lexemes, start + 1);
        let (_, _, den) =
            PARTS.iter().filter(|it| it.2 <= 4).find(|it| lexemes.is_word(part, it.0))?;
        return Some((Decimal::ONE.checked_div(Decimal::from(*den))?, part + 1));
    }
    let (num, end, words) = below_hundred(lexemes, start)?;
    let read = parts(lexemes, &plain(end, Some(num.into()), words))?;
    Some((read.value?, read.end))
}
