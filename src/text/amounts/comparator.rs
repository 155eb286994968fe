//! Comparison words before and after a number, with their inclusiveness.
//! Never decides which number a word belongs to: `quantity` binds them.
//!
//! 以上、以下、以內 include the number itself (Taiwan, Criminal Code, article 10, paragraph 1:
//! 稱以上、以下、以內者，俱連本數或本刑計算); 超過 逾 未滿 不足 do not.

use crate::text::amounts::comparison_words::{NOT_COMPARING, PHRASES};
use crate::text::amounts::relation::Relation::{AtLeast, AtMost, Equal, LessThan, MoreThan};
use crate::text::lexeme::{LexKind, Lexemes};
use crate::text::numbers::numeral_en::read_words;
use crate::text::span::Span;

pub use crate::text::amounts::relation::{Reach, Relation};

/// One comparison word in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparator {
    /// The words, with a negation that belongs to them.
    pub span: Span,
    /// What they say.
    pub relation: Relation,
    /// Where their number stands.
    pub reach: Reach,
    /// First lexeme.
    pub first: usize,
    /// Lexeme after the last.
    pub end: usize,
    /// True for words that speak of time alone (before, 前, until): they compare dates, and give a
    /// direction, not a limit, to a duration.
    pub temporal: bool,
}

/// Every comparison word of a text, in order, the longest where several fit, never overlapping.
/// A word that can stand on either side of its number ("at least") is listed with `Before`.
pub fn read_comparators(lexemes: &Lexemes<'_>) -> Vec<Comparator> {
    let mut found: Vec<Comparator> = Vec::new();
    let mut at = 0;
    while at < lexemes.len() {
        if let Some(end) = skipped_at(lexemes, at) {
            at = end;
            continue;
        }
        let phrase =
            PHRASES.longest_at(lexemes, at).filter(|(end, it)| stands(lexemes, at, *end, it.1));
        let Some((end, (relation, reach, temporal))) = phrase else {
            at += 1;
            continue;
        };
        let floor = found.last().map_or(0, |it| it.end);
        let (first, negative) = negation_before(lexemes, at, floor, reach);
        // 每滿三個月: for each full three months, no limit.
        let recurs = lexemes.head(at) == '滿' && lexemes.head_before(at) == '每';
        let relation = match (recurs, negative) {
            (true, _) => Equal,
            (false, true) => relation.negated(),
            (false, false) => relation,
        };
        let span = lexemes.span(first, end);
        let here = Comparator { span, relation, reach, first, end, temporal };
        match found.last().and_then(|it| turning(lexemes, it, &here)) {
            Some(merged) => {
                found.pop();
                found.push(merged);
            }
            None => found.push(here),
        }
        at = end;
    }
    found
}

/// False for words that look like a comparison here and are none: "18 or over 65", 過 alone.
fn stands(lexemes: &Lexemes<'_>, at: usize, end: usize, reach: Reach) -> bool {
    if lexemes.head(at) == '過' && end == at + 1 {
        return lexemes.head(end) == '半';
    }
    // 最高一級, 最低一級: the top or bottom grade of a scale.
    if lexemes.head(at) == '最'
        && end == at + 2
        && lexemes.head(end) == '一'
        && matches!(lexemes.head(end + 1), '級' | '级' | '等')
    {
        return false;
    }
    if lexemes.head(at) == '+' {
        // "$40 + $5 for each child" adds; "18+" is a limit.
        let next = lexemes.solid(end);
        return lexemes.kind(next) != LexKind::Digits && !is_money_mark(lexemes, next);
    }
    if reach != Reach::After || !lexemes.is_word_of(at, &["or", "and"]) {
        return true;
    }
    // "or over" belongs to the number after it, where there is one.
    let mut next = lexemes.solid(end);
    // "and over-65s" speaks of the 65.
    if lexemes.head(next) == '-' && lexemes.kind(next + 1) == LexKind::Digits {
        next += 1;
    }
    while lexemes.is_word_of(next, &["the", "age", "of", "than", "a"]) {
        if lexemes.is_word_of(next, &["than", "age"]) {
            return false;
        }
        next = lexemes.solid(next + 1);
    }
    let symbol = is_money_mark(lexemes, next);
    let counted = lexemes.is_word_of(end - 1, &["more", "less", "fewer"]);
    counted
        || !(lexemes.kind(next) == LexKind::Digits || symbol || read_words(lexemes, next).is_some())
}

fn is_money_mark(lexemes: &Lexemes<'_>, at: usize) -> bool {
    matches!(lexemes.head(at), '$' | '£' | '€') || lexemes.head(at + 1) == '$'
}

/// "Before they turned 18", "after reaching 65": one comparison in two words.
fn turning(lexemes: &Lexemes<'_>, time: &Comparator, turn: &Comparator) -> Option<Comparator> {
    const TURNS: &[&str] = &[
        "turn",
        "turns",
        "turned",
        "turning",
        "reach",
        "reaches",
        "reached",
        "reaching",
        "attain",
        "attains",
        "attained",
        "attaining",
    ];
    let close = time.temporal && turn.first >= time.end && turn.first - time.end <= 9;
    if !close || !lexemes.is_word_of(turn.first, TURNS) {
        return None;
    }
    let words_only = (time.end..turn.first)
        .all(|it| !matches!(lexemes.kind(it), LexKind::Mark | LexKind::Digits | LexKind::Gap));
    let relation = match time.relation {
        _ if !words_only => return None,
        LessThan | AtMost => LessThan,
        MoreThan | AtLeast => AtLeast,
        _ => return None,
    };
    let span = Span::new(time.span.start, turn.span.end);
    Some(Comparator { span, relation, first: time.first, temporal: false, ..*turn })
}

fn skipped_at(lexemes: &Lexemes<'_>, at: usize) -> Option<usize> {
    if lexemes.kind(at) != LexKind::Han {
        return None;
    }
    NOT_COMPARING.longest_at(lexemes, at).map(|(end, ())| end)
}

/// A negation right before a comparison word: its first lexeme, and whether there is one.
fn negation_before(lexemes: &Lexemes<'_>, at: usize, floor: usize, reach: Reach) -> (usize, bool) {
    if reach == Reach::After {
        return (at, false);
    }
    if lexemes.kind(at) == LexKind::Han {
        return han_negation(lexemes, at, floor);
    }
    if lexemes.is_word(at, "at") && has_not_done(lexemes, at, floor) {
        return (at, true);
    }
    let mut here = at;
    for _ in 0..4 {
        let Some(before) = lexemes.solid_before(here).filter(|it| *it >= floor) else { break };
        let word = lexemes.slice(before);
        if lexemes.kind(before) != LexKind::Word {
            break;
        }
        let cannot = lexemes.is_word_of(
            before,
            &[
                "not", "cannot", "never", "neither", "nor", "fail", "fails", "failed", "failing",
                "without",
            ],
        );
        if cannot || word.to_lowercase().replace('’', "'").ends_with("n't") {
            return (before, true);
        }
        if !lexemes.is_word_of(
            before,
            &["be", "is", "are", "was", "been", "to", "have", "has", "any", "of", "a", "exceed"],
        ) {
            break;
        }
        here = before;
    }
    (at, false)
}

/// "Hadn't previously served on active duty for at least 24 months": less than that.
fn has_not_done(lexemes: &Lexemes<'_>, at: usize, floor: usize) -> bool {
    const FAR: usize = 9;
    const STOPS: &[&str] = &["and", "or", "but", "unless", "until", "if", "when", "who", "to"];
    let mut here = at;
    for _ in 0..FAR {
        let Some(before) = lexemes.solid_before(here).filter(|it| *it >= floor) else {
            return false;
        };
        if lexemes.kind(before) != LexKind::Word || lexemes.is_word_of(before, STOPS) {
            return false;
        }
        let word = lexemes.slice(before).to_lowercase().replace('’', "'");
        let perfect = ["hadn't", "haven't", "hasn't", "didn't"].contains(&word.as_str());
        let is_not = word == "not" || word == "never";
        let auxiliary = lexemes.solid_before(before);
        let has = |it: usize| lexemes.is_word_of(it, &["had", "have", "has", "did"]);
        if perfect || is_not && auxiliary.is_some_and(has) {
            return true;
        }
        here = before;
    }
    false
}

/// 不 未 非 無, also with an auxiliary: 不得超過, 不應低於, 並未逾.
fn han_negation(lexemes: &Lexemes<'_>, at: usize, floor: usize) -> (usize, bool) {
    const NEGATIONS: &[&str] = &[
        "不得", "不應", "不可", "不能", "不會", "不致", "未曾", "不", "未", "非", "無", "勿", "毋",
        "沒有",
    ];
    for negation in NEGATIONS {
        if let Some(first) = lexemes.han_before(at, negation).filter(|it| *it >= floor) {
            return (first, true);
        }
    }
    (at, false)
}
