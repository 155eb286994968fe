//! Comparison words before and after a number, with their inclusiveness.
//! Never decides which number a word belongs to: `quantity` binds them.
//!
//! 以上、以下、以內 include the number itself (Taiwan, Criminal Code, article 10, paragraph 1:
//! 稱以上、以下、以內者，俱連本數或本刑計算); 超過 逾 未滿 不足 do not.

use std::sync::LazyLock;

use crate::text::lexeme::{LexKind, Lexemes, PhraseTable};
use crate::text::span::Span;

/// How a subject compares with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// The number itself: no comparison stands there, or "exactly".
    Equal,
    /// At least.
    AtLeast,
    /// More than.
    MoreThan,
    /// At most.
    AtMost,
    /// Less than.
    LessThan,
    /// From one number to another, both included.
    Between,
    /// Any number but this.
    Not,
}

impl Relation {
    /// The comparison under a "not": not over is at most.
    pub fn negated(self) -> Relation {
        match self {
            Relation::Equal => Relation::Not,
            Relation::AtLeast => Relation::LessThan,
            Relation::MoreThan => Relation::AtMost,
            Relation::AtMost => Relation::MoreThan,
            Relation::LessThan => Relation::AtLeast,
            Relation::Between => Relation::Between,
            Relation::Not => Relation::Equal,
        }
    }
}

/// On which side of the word its number stands, and how near.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The number follows within the clause.
    Before,
    /// The number follows at once, bar an article, a currency or "the age of".
    RightBefore,
    /// The number, with its unit, precedes at once.
    After,
}

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

use Reach::{After, Before, RightBefore};
use Relation::{AtLeast, AtMost, Equal, LessThan, MoreThan};

type Entry = (&'static str, Relation, Reach);

const ENGLISH: &[Entry] = &[
    ("at least", AtLeast, Before),
    ("at the least", AtLeast, Before),
    ("no less than", AtLeast, Before),
    ("not less than", AtLeast, Before),
    ("no fewer than", AtLeast, Before),
    ("not fewer than", AtLeast, Before),
    ("not lower than", AtLeast, Before),
    ("no lower than", AtLeast, Before),
    ("not below", AtLeast, RightBefore),
    ("not under", AtLeast, RightBefore),
    ("no younger than", AtLeast, Before),
    ("not younger than", AtLeast, Before),
    ("a minimum of", AtLeast, Before),
    ("minimum of", AtLeast, Before),
    ("minimum", AtLeast, RightBefore),
    ("at minimum", AtLeast, RightBefore),
    ("equal to or greater than", AtLeast, Before),
    ("equal to or more than", AtLeast, Before),
    ("greater than or equal to", AtLeast, Before),
    ("more than or equal to", AtLeast, Before),
    ("reach", AtLeast, RightBefore),
    ("reaches", AtLeast, RightBefore),
    ("reached", AtLeast, RightBefore),
    ("reaching", AtLeast, RightBefore),
    ("attain", AtLeast, RightBefore),
    ("attains", AtLeast, RightBefore),
    ("attained", AtLeast, RightBefore),
    ("turn", AtLeast, RightBefore),
    ("turns", AtLeast, RightBefore),
    ("turned", AtLeast, RightBefore),
    ("turning", AtLeast, RightBefore),
    ("over", MoreThan, RightBefore),
    ("above", MoreThan, RightBefore),
    ("more than", MoreThan, Before),
    ("greater than", MoreThan, Before),
    ("higher than", MoreThan, Before),
    ("longer than", MoreThan, Before),
    ("larger than", MoreThan, Before),
    ("older than", MoreThan, Before),
    ("exceeding", MoreThan, Before),
    ("exceed", MoreThan, Before),
    ("exceeds", MoreThan, Before),
    ("exceeded", MoreThan, Before),
    ("in excess of", MoreThan, Before),
    ("beyond", MoreThan, RightBefore),
    ("upwards of", MoreThan, RightBefore),
    ("no more than", AtMost, Before),
    ("not more than", AtMost, Before),
    ("no greater than", AtMost, Before),
    ("no higher than", AtMost, Before),
    ("no longer than", AtMost, Before),
    ("no older than", AtMost, Before),
    ("no later than", AtMost, RightBefore),
    ("not later than", AtMost, RightBefore),
    ("not over", AtMost, RightBefore),
    ("not above", AtMost, RightBefore),
    ("up to", AtMost, Before),
    ("a maximum of", AtMost, Before),
    ("maximum of", AtMost, Before),
    ("maximum", AtMost, RightBefore),
    ("at most", AtMost, Before),
    ("at the most", AtMost, Before),
    ("within", AtMost, Before),
    ("limited to", AtMost, RightBefore),
    ("capped at", AtMost, RightBefore),
    ("as many as", AtMost, RightBefore),
    ("as much as", AtMost, RightBefore),
    ("as long as", AtMost, RightBefore),
    ("less than or equal to", AtMost, Before),
    ("equal to or less than", AtMost, Before),
    ("under", LessThan, RightBefore),
    ("below", LessThan, RightBefore),
    ("less than", LessThan, Before),
    ("fewer than", LessThan, Before),
    ("lower than", LessThan, Before),
    ("smaller than", LessThan, Before),
    ("shorter than", LessThan, Before),
    ("younger than", LessThan, Before),
    ("exactly", Equal, RightBefore),
    ("equal to", Equal, RightBefore),
    ("precisely", Equal, RightBefore),
    ("or more", AtLeast, After),
    ("or over", AtLeast, After),
    ("or above", AtLeast, After),
    ("or older", AtLeast, After),
    ("or greater", AtLeast, After),
    ("or higher", AtLeast, After),
    ("or longer", AtLeast, After),
    ("or later", AtLeast, After),
    ("or better", AtLeast, After),
    ("or up", AtLeast, After),
    ("or upwards", AtLeast, After),
    ("and over", AtLeast, After),
    ("and above", AtLeast, After),
    ("and older", AtLeast, After),
    ("and up", AtLeast, After),
    ("and more", AtLeast, After),
    ("and higher", AtLeast, After),
    ("and greater", AtLeast, After),
    ("and upwards", AtLeast, After),
    ("or less", AtMost, After),
    ("or fewer", AtMost, After),
    ("or under", AtMost, After),
    ("or below", AtMost, After),
    ("or younger", AtMost, After),
    ("or lower", AtMost, After),
    ("or shorter", AtMost, After),
    ("or earlier", AtMost, After),
    ("and under", AtMost, After),
    ("and below", AtMost, After),
    ("and younger", AtMost, After),
    ("and less", AtMost, After),
    ("and lower", AtMost, After),
    ("≥", AtLeast, RightBefore),
    ("≧", AtLeast, RightBefore),
    (">=", AtLeast, RightBefore),
    (">", MoreThan, RightBefore),
    ("≤", AtMost, RightBefore),
    ("≦", AtMost, RightBefore),
    ("<=", AtMost, RightBefore),
    ("<", LessThan, RightBefore),
    ("=", Equal, RightBefore),
    ("+", AtLeast, After),
];

/// Words that compare dates.
const TEMPORAL: &[Entry] = &[
    ("before", LessThan, RightBefore),
    ("prior to", LessThan, RightBefore),
    ("earlier than", LessThan, RightBefore),
    ("after", MoreThan, RightBefore),
    ("later than", MoreThan, RightBefore),
    ("on or after", AtLeast, RightBefore),
    ("on and after", AtLeast, RightBefore),
    ("since", AtLeast, RightBefore),
    ("from", AtLeast, RightBefore),
    ("starting", AtLeast, RightBefore),
    ("beginning", AtLeast, RightBefore),
    ("effective", AtLeast, RightBefore),
    ("on or before", AtMost, RightBefore),
    ("on and before", AtMost, RightBefore),
    ("by", AtMost, RightBefore),
    ("until", AtMost, RightBefore),
    ("till", AtMost, RightBefore),
    ("through", AtMost, RightBefore),
    ("以前", LessThan, After),
    ("之前", LessThan, After),
    ("前", LessThan, After),
    ("以後", MoreThan, After),
    ("之後", MoreThan, After),
    ("後", MoreThan, After),
    ("起", AtLeast, After),
    ("自", AtLeast, RightBefore),
    ("止", AtMost, After),
    ("為止", AtMost, After),
];

const CHINESE: &[Entry] = &[
    ("至少", AtLeast, Before),
    ("最少", AtLeast, Before),
    ("最低", AtLeast, Before),
    ("起碼", AtLeast, Before),
    ("下限", AtLeast, Before),
    ("滿", AtLeast, RightBefore),
    ("年滿", AtLeast, RightBefore),
    ("達", AtLeast, Before),
    ("達到", AtLeast, Before),
    ("屆滿", AtLeast, RightBefore),
    ("大於等於", AtLeast, Before),
    ("超過", MoreThan, Before),
    ("逾", MoreThan, Before),
    ("超逾", MoreThan, Before),
    ("高於", MoreThan, Before),
    ("大於", MoreThan, Before),
    ("多於", MoreThan, Before),
    ("超出", MoreThan, Before),
    ("長於", MoreThan, Before),
    ("優於", MoreThan, Before),
    ("過", MoreThan, RightBefore),
    ("至多", AtMost, Before),
    ("最多", AtMost, Before),
    ("最高", AtMost, Before),
    ("最長", AtMost, Before),
    ("上限", AtMost, Before),
    ("小於等於", AtMost, Before),
    ("未滿", LessThan, RightBefore),
    ("不滿", LessThan, RightBefore),
    ("不足", LessThan, Before),
    ("未足", LessThan, RightBefore),
    ("未達", LessThan, Before),
    ("不達", LessThan, Before),
    ("未達到", LessThan, Before),
    ("未及", LessThan, RightBefore),
    ("不及", LessThan, RightBefore),
    ("低於", LessThan, Before),
    ("少於", LessThan, Before),
    ("小於", LessThan, Before),
    ("短於", LessThan, Before),
    ("以上", AtLeast, After),
    ("或以上", AtLeast, After),
    ("及以上", AtLeast, After),
    ("含以上", AtLeast, After),
    ("以下", AtMost, After),
    ("或以下", AtMost, After),
    ("及以下", AtMost, After),
    ("含以下", AtMost, After),
    ("以內", AtMost, After),
    ("之內", AtMost, After),
    ("內", AtMost, After),
    ("為限", AtMost, After),
    ("為上限", AtMost, After),
    ("為最高限額", AtMost, After),
    ("為下限", AtLeast, After),
    ("以外", MoreThan, After),
    ("起", AtLeast, After),
];

static PHRASES: LazyLock<PhraseTable<(Relation, Reach, bool)>> = LazyLock::new(|| {
    let plain = CHINESE.iter().chain(ENGLISH).map(|it| (it.0, (it.1, it.2, false)));
    let temporal = TEMPORAL.iter().map(|it| (it.0, (it.1, it.2, true)));
    PhraseTable::new(plain.chain(temporal))
});

/// Words that hold a comparison word without comparing: 逾期 is "overdue", 內容 "content".
const NOT_COMPARING: &[&str] = &[
    "逾期",
    "過去",
    "過程",
    "過失",
    "過半",
    "內容",
    "內部",
    "內政",
    "內科",
    "內外",
    "起訴",
    "起訖",
    "起算",
    "起見",
    "起飛",
    "前項",
    "前款",
    "前條",
    "前目",
    "前段",
    "前揭",
    "前開",
    "前述",
    "前往",
    "前者",
    "後段",
    "後者",
    "後續",
    "自行",
    "自己",
    "自然",
    "自付",
    "自治",
    "自負",
    "自備",
    "自願",
    "自用",
    "自費",
    "自有",
    "自主",
    "滿足",
    "滿意",
    "達成",
    "最低生活",
    "最低工資",
    "最高法院",
    "最低基本",
    "最高行政",
    "止付",
    "以上所",
];

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
        let Some((end, (relation, reach, temporal))) = PHRASES.longest_at(lexemes, at) else {
            at += 1;
            continue;
        };
        let floor = found.last().map_or(0, |it| it.end);
        let (first, negative) = negation_before(lexemes, at, floor, reach);
        let relation = if negative { relation.negated() } else { relation };
        let span = lexemes.span(first, end);
        found.push(Comparator { span, relation, reach, first, end, temporal });
        at = end;
    }
    found
}

fn skipped_at(lexemes: &Lexemes<'_>, at: usize) -> Option<usize> {
    if lexemes.kind(at) != LexKind::Han {
        return None;
    }
    NOT_COMPARING
        .iter()
        .filter(|it| it.starts_with(lexemes.head(at)))
        .find_map(|it| lexemes.phrase_at(at, it))
}

/// A negation right before a comparison word: its first lexeme, and whether there is one.
fn negation_before(lexemes: &Lexemes<'_>, at: usize, floor: usize, reach: Reach) -> (usize, bool) {
    if reach == After {
        return (at, false);
    }
    if lexemes.kind(at) == LexKind::Han {
        return han_negation(lexemes, at, floor);
    }
    let mut here = at;
    for _ in 0..4 {
        let Some(before) = lexemes.solid_before(here).filter(|it| *it >= floor) else { break };
        let word = lexemes.slice(before);
        if lexemes.kind(before) != LexKind::Word {
            break;
        }
        let cannot = lexemes.is_word_of(before, &["not", "cannot", "never", "neither", "nor"]);
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
