//! How far a comparison word reaches: which number beside it is its own.
//! Never over a clause border, another number, or another comparison word.

use crate::text::comparator::{Comparator, Reach};
use crate::text::lexeme::{LexKind, Lexemes};

/// Words that may stand between a comparison word and a number without weakening it.
const BRIDGES: &[&str] = &[
    "a",
    "an",
    "the",
    "of",
    "age",
    "aged",
    "ages",
    "about",
    "approximately",
    "total",
    "combined",
    "any",
    "or",
    "equal",
    "to",
    "their",
    "your",
    "his",
    "her",
    "its",
    "date",
    "day",
    "last",
    "first",
    "sum",
    "amount",
    "is",
    "are",
    "be",
    "around",
    "just",
    "some",
    "only",
    "another",
    "additional",
    "every",
    "each",
    "between",
    "years",
    "on",
    "they",
    "you",
    "he",
    "she",
];

/// Words between "at least" and its number, at most.
const WORDS: usize = 6;
/// Han characters between 未超過 and its number, at most.
const HAN: usize = 40;
/// Han characters between 最高 and its number, at most.
const NEAR: usize = 8;

/// True where `comparator`, which stands before, speaks of the number that starts at `first`.
pub fn binds_before(lexemes: &Lexemes<'_>, comparator: &Comparator, first: usize) -> bool {
    if first < comparator.end || first - comparator.end > 2 * HAN {
        return false;
    }
    let strong = matches!(comparator.reach, Reach::Before | Reach::Near);
    let limit = if comparator.reach == Reach::Near { NEAR } else { HAN };
    let (mut words, mut han, mut depth) = (0, 0, 0_i32);
    for at in comparator.end..first {
        match lexemes.kind(at) {
            LexKind::Space | LexKind::Break => {}
            LexKind::Gap => return false,
            LexKind::Word => {
                words += usize::from(depth == 0);
                let bridge = lexemes.is_word_of(at, BRIDGES);
                if !bridge && (!strong || words > WORDS) {
                    return false;
                }
            }
            LexKind::Han => {
                han += 1;
                let near = matches!(
                    lexemes.head(at),
                    '新' | '臺'
                        | '幣'
                        | '第'
                        | '約'
                        | '港'
                        | '民'
                        | '國'
                        | '中'
                        | '華'
                        | '人'
                        | '每'
                        | '年'
                        | '齡'
                );
                let noun =
                    comparator.reach == Reach::Near && "等級之其再".contains(lexemes.head(at));
                if han > limit || !strong && !near || noun {
                    return false;
                }
            }
            LexKind::Mark => match lexemes.head(at) {
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                ',' | ';' | '。' | ':' | '|' | '?' | '!' => return false,
                '.' if lexemes.kind(at + 1) != LexKind::Word => return false,
                '、' if strong => {}
                '、' => return false,
                _ => {}
            },
            LexKind::Digits if depth > 0 => {}
            LexKind::Digits => return false,
        }
    }
    true
}

/// True where `comparator`, which stands after, speaks of the quantity that ends at `end` (its
/// number alone at `number_end`).
pub fn binds_after(
    lexemes: &Lexemes<'_>,
    comparator: &Comparator,
    end: usize,
    number_end: usize,
) -> bool {
    let from = if comparator.first >= end { end } else { number_end };
    if comparator.first < from || comparator.first - from > 16 {
        return false;
    }
    let limit = lexemes.kind(comparator.first) == LexKind::Han;
    let mut han = 0;
    let mut words = 0;
    for at in from..comparator.first {
        match lexemes.kind(at) {
            LexKind::Space | LexKind::Break => {}
            LexKind::Han if limit => {
                han += 1;
                if han > 4
                    || matches!(lexemes.head(at), '之' | '的' | '者' | '為')
                        && lexemes.head(comparator.first) != '為'
                {
                    return false;
                }
            }
            LexKind::Mark if matches!(lexemes.head(at), '(' | ')' | '-') => {}
            LexKind::Word if !limit => {
                words += 1;
                let bridge = lexemes.is_word_of(
                    at,
                    &["of", "age", "old", "years", "year", "in", "total", "months", "each", "per"],
                );
                if words > 3 || !bridge {
                    return false;
                }
            }
            _ => return false,
        }
    }
    true
}
