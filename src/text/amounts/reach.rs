//! How far a comparison word reaches: which number beside it is its own.
//! Never over a clause border, another number, or a number that speaks of something else.

use crate::text::amounts::comparator::{Comparator, Reach};
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
    "around",
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
    "my",
    "sum",
    "amount",
    "just",
    "some",
    "only",
    "another",
    "additional",
    "between",
    "years",
    "on",
    "they",
    "you",
    "he",
    "she",
    "it",
    "past",
    "next",
    "last",
    "first",
    "preceding",
    "following",
    "same",
    "current",
    "remainder",
    "period",
    "am",
    "pm",
    "noon",
    "midnight",
    "further",
    "maximum",
    "minimum",
    "day",
];

/// Words that end the reach of a comparison word: what follows them is a circumstance.
const BORDERS: &[&str] = &[
    "in", "during", "for", "within", "by", "after", "before", "if", "when", "while", "who", "that",
    "which", "shall", "must", "may", "will", "can", "has", "have", "had", "not", "every", "each",
    "per", "but", "until", "from", "because", "since", "and", "with", "without", "at",
];

/// Words between "at least" and its number, at most.
const WORDS: usize = 6;
/// Han characters between 未超過 and its number, at most.
const HAN: usize = 40;
/// Han characters between 最高 and its number, at most.
const NEAR: usize = 8;
/// Han characters that may stand between 滿 or 自 and its number.
const NEAR_HAN: &str = "新臺幣第約港民國中華人年齡西元公元共計應於在";

/// True where `comparator`, which stands before, speaks of the number that starts at `first`.
pub fn binds_before(lexemes: &Lexemes<'_>, comparator: &Comparator, first: usize) -> bool {
    if first < comparator.end || first - comparator.end > 2 * HAN {
        return false;
    }
    let mut path = Path::default();
    for at in comparator.end..first {
        let passes = match lexemes.kind(at) {
            LexKind::Space | LexKind::Break => true,
            LexKind::Gap => false,
            LexKind::Word => path.passes_word(lexemes, at, comparator.reach),
            LexKind::Han => path.passes_han(lexemes.head(at), comparator.reach),
            LexKind::Mark => path.passes_mark(lexemes, at, comparator.reach),
            LexKind::Digits => path.depth > 0 || comparator.temporal && is_hour(lexemes, at),
        };
        if !passes {
            return false;
        }
    }
    // 不得低於約定前三個月之平均: the number dates the yardstick, it is not the yardstick.
    let window = path.han > 0 && matches!(lexemes.head_before(first), '前' | '近' | '來' | '每');
    !window
}

/// "By 5pm on 3 March", "before 17:00 on": an hour of the day that is named.
fn is_hour(lexemes: &Lexemes<'_>, at: usize) -> bool {
    let next = lexemes.solid(at + 1);
    lexemes.is_word_of(next, &["am", "pm", "noon", "midnight"])
        || lexemes.head(at + 1) == ':'
        || at.checked_sub(1).is_some_and(|it| lexemes.head(it) == ':')
}

/// A footnote sign: it stands between a number and its words and says nothing there.
fn is_note_sign(lexemes: &Lexemes<'_>, at: usize) -> bool {
    lexemes.slice(at).chars().all(|it| "¹²³⁴⁵⁶⁷⁸⁹⁰*†‡※".contains(it))
}

/// What was passed on the way from a comparison word to a number.
#[derive(Default)]
struct Path {
    words: usize,
    han: usize,
    depth: i32,
}

impl Path {
    fn passes_word(&mut self, lexemes: &Lexemes<'_>, at: usize, reach: Reach) -> bool {
        if self.depth > 0 {
            return true;
        }
        self.words += 1;
        let far = matches!(reach, Reach::Before | Reach::Near) && !lexemes.is_word_of(at, BORDERS);
        self.words <= WORDS
            && (lexemes.is_word_of(at, BRIDGES)
                || far
                || self.words == 1 && lexemes.is_word(at, "at"))
    }

    fn passes_han(&mut self, head: char, reach: Reach) -> bool {
        self.han += 1;
        match reach {
            Reach::Before => self.han <= HAN,
            Reach::Near => self.han <= NEAR && !"等級之其再".contains(head),
            Reach::RightBefore | Reach::After => self.han <= NEAR && NEAR_HAN.contains(head),
        }
    }

    fn passes_mark(&mut self, lexemes: &Lexemes<'_>, at: usize, reach: Reach) -> bool {
        match lexemes.head(at) {
            '(' | '[' => self.depth += 1,
            ')' | ']' => self.depth -= 1,
            ':' => return self.words <= 2 && matches!(reach, Reach::Before | Reach::Near),
            ',' | ';' | '。' | '|' | '?' | '!' => return false,
            '.' => return lexemes.kind(at + 1) == LexKind::Word,
            '、' => return matches!(reach, Reach::Before | Reach::Near),
            _ => {}
        }
        true
    }
}

/// Nouns that may stand between a quantity and 內 or 以內.
const SPANS: &[&str] = &["期間", "期限", "範圍", "限度", "時間", "額度", "之期間", "之範圍"];

/// True where `comparator`, which stands after, speaks of the quantity that ends at `end` (its
/// number alone at `number_end`).
pub fn binds_after(
    lexemes: &Lexemes<'_>,
    comparator: &Comparator,
    end: usize,
    number_end: usize,
) -> bool {
    let from = if comparator.first >= end { end } else { number_end };
    if comparator.first < from || comparator.first - from > 12 {
        return false;
    }
    if lexemes.kind(comparator.first) == LexKind::Han {
        return han_binds_after(lexemes, comparator.first, from);
    }
    let mut words = 0;
    for at in from..comparator.first {
        let passes = match lexemes.kind(at) {
            LexKind::Space | LexKind::Break => true,
            _ if is_note_sign(lexemes, at) => true,
            LexKind::Mark => match lexemes.head(at) {
                // "(or over)" is a gloss on the number; "(or over the age of 23" opens another.
                '(' => lexemes.head(comparator.end) == ')',
                ')' | '-' | '°' | '℃' => true,
                _ => false,
            },
            LexKind::Word => {
                words += 1;
                let bridges = [
                    "of", "age", "old", "years", "year", "in", "total", "months", "each", "per",
                    "c", "f",
                ];
                words <= 3 && lexemes.is_word_of(at, &bridges)
            }
            _ => false,
        };
        if !passes {
            return false;
        }
    }
    true
}

/// 以上, 以下, 為限 over a noun that no table of units knows; 內 only over a word for a span.
fn han_binds_after(lexemes: &Lexemes<'_>, first: usize, from: usize) -> bool {
    let inside = matches!(lexemes.head(first), '內') || lexemes.head(first + 1) == '內';
    let mut han = 0;
    for at in from..first {
        let passes = match lexemes.kind(at) {
            LexKind::Space | LexKind::Break => true,
            _ if is_note_sign(lexemes, at) => true,
            LexKind::Mark => matches!(lexemes.head(at), '(' | ')'),
            LexKind::Han => {
                han += 1;
                han <= 4 && !matches!(lexemes.head(at), '之' | '的' | '者' | '為')
            }
            _ => false,
        };
        if !passes {
            return SPANS.iter().any(|it| lexemes.han_before(first, it) == Some(from));
        }
    }
    han == 0 || !inside || SPANS.iter().any(|it| lexemes.han_before(first, it) == Some(from))
}
