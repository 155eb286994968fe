//! Parts in Chinese: 百分之五十, 三分之二, 一又二分之一, 五成, 八折; and every numeral on top of them.
//! Reads what stands there; whether it is a value or a piece of a word is for `role` to say.

use rust_decimal::Decimal;

use crate::text::lexeme::Lexemes;
use crate::text::numbers::numeral_zh::{
    Form, HanReading, han_digit, is_han_numeral, is_numeral, read_plain, read_plain_or_digits,
};

/// Reads the number that starts at `at` with a Chinese numeral or with digits before a scale.
pub fn read_han(lexemes: &Lexemes<'_>, at: usize) -> Option<HanReading> {
    let Some(whole) = read_plain(lexemes, at) else {
        // 3分之2: digits on both sides.
        let digits = read_plain_or_digits(lexemes, at)?;
        return parts_of_plain(lexemes, &digits).or_else(|| tenths(lexemes, at, &digits));
    };
    if let Some(it) = parts_of(lexemes, &whole) {
        return Some(it);
    }
    if let Some(it) = tenths(lexemes, at, &whole) {
        return Some(it);
    }
    Some(whole)
}

/// 百分之五十, 三分之二, 一又二分之一; also with digits on either side.
fn parts_of(lexemes: &Lexemes<'_>, whole: &HanReading) -> Option<HanReading> {
    if lexemes.head(whole.end) == '又' {
        let inner = read_plain_or_digits(lexemes, whole.end + 1)?;
        let part = parts_of_plain(lexemes, &inner)?;
        let (Form::Fraction(..), Some(more)) = (part.form, part.value) else { return None };
        let value = whole.value?.checked_add(more);
        return Some(HanReading {
            value,
            form: Form::Plain,
            chars: whole.chars + 1 + part.chars,
            ..part
        });
    }
    parts_of_plain(lexemes, whole)
}

fn parts_of_plain(lexemes: &Lexemes<'_>, whole: &HanReading) -> Option<HanReading> {
    let at = lexemes.solid(whole.end);
    if lexemes.head(at) != '分' || lexemes.head(at + 1) != '之' {
        return None;
    }
    let den = whole.value.filter(|it| !it.is_zero())?;
    let part = read_plain_or_digits(lexemes, lexemes.solid(at + 2))?;
    let num = part.value?;
    let (value, form) = if den == Decimal::ONE_HUNDRED {
        (Some(num), Form::Percent)
    } else if den == Decimal::ONE_THOUSAND {
        (Some(num), Form::Permille)
    } else {
        (num.checked_div(den), Form::Fraction(num, den))
    };
    let chars = whole.chars + 2 + part.chars;
    let has_digits = whole.has_digits || part.has_digits;
    Some(HanReading {
        value,
        form,
        chars,
        has_digits,
        bare_scale: false,
        positional: false,
        ..part
    })
}

/// 五成, 七成五, 八折: tenths, given as percent.
fn tenths(lexemes: &Lexemes<'_>, at: usize, whole: &HanReading) -> Option<HanReading> {
    let digits_only = whole.value.is_some_and(|it| it <= Decimal::TEN && !it.is_zero());
    let last = lexemes.head(whole.end);
    let after = lexemes.head(whole.end + 1);
    let fits = match last {
        '成' => digits_only && !"立年員人績果本分效功就交熟長親品癮份衣形都全".contains(after),
        '折' => whole.chars <= 2 && whole.end - at <= 2 && !"合算價舊抵讓頁疊".contains(after),
        _ => false,
    };
    if !fits {
        return None;
    }
    let tens = whole.value?;
    let mut percent = if tens < Decimal::TEN || last == '成' { tens * Decimal::TEN } else { tens };
    let mut end = whole.end + 1;
    let mut chars = whole.chars + 1;
    if let Some(digit) = han_digit(after).filter(|_| last == '成') {
        let ends = !is_numeral(lexemes, end + 1, is_han_numeral);
        if ends {
            percent += Decimal::from(digit);
            end += 1;
            chars += 1;
        }
    }
    Some(HanReading {
        end,
        value: Some(percent),
        form: Form::Percent,
        chars,
        positional: false,
        ..whole.clone()
    })
}
