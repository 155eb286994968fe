//! The words and, or, 及, 或 where they join things.
//!
//! "65 or over", "between 5 and 10", 或以上, 參與 and 及格 join nothing and are left out. What a
//! conjunction joins is for `text::connective` to say.

use crate::text::span::Span;

/// What a conjunction says of the things it joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Conjunct {
    And,
    Or,
    Nor,
    /// "and/or", 及/或: nobody can tell.
    AndOr,
}

/// One conjunction of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conjunction {
    pub span: Span,
    pub conjunct: Conjunct,
    /// True behind a comma or semicolon: it joins clauses, or closes a list.
    pub is_after_comma: bool,
}

/// The conjunctions of a part of `text`, first to last.
pub fn conjunctions_in(text: &str, span: Span) -> Vec<Conjunction> {
    let Some(part) = span.slice(text) else { return Vec::new() };
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(it) = part[at..].chars().next() {
        let step = match conjunction_at(part, at) {
            Some((conjunct, len)) => {
                let place = Span::new(at, at + len).shifted(span.start);
                let before = part[..at].trim_end();
                let is_after_comma =
                    before.ends_with([',', ';', '，', '；', '、', '。', ':', '：']);
                found.push(Conjunction { span: place, conjunct, is_after_comma });
                len
            }
            None => it.len_utf8(),
        };
        at += step;
    }
    found
}

fn conjunction_at(part: &str, at: usize) -> Option<(Conjunct, usize)> {
    let rest = &part[at..];
    let (before, first) = (&part[..at], rest.chars().next()?);
    if first.is_ascii() { english_at(before, rest) } else { han_at(before, rest) }
}

const ENGLISH: &[(&str, Conjunct)] = &[
    ("and/or", Conjunct::AndOr),
    ("or/and", Conjunct::AndOr),
    ("and or", Conjunct::AndOr),
    ("as well as", Conjunct::And),
    ("and also", Conjunct::And),
    ("plus", Conjunct::And),
    ("and", Conjunct::And),
    ("or", Conjunct::Or),
    ("nor", Conjunct::Nor),
    ("&", Conjunct::And),
];

fn english_at(before: &str, rest: &str) -> Option<(Conjunct, usize)> {
    let is_word = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '’' | '\'');
    if before.ends_with(is_word) && !rest.starts_with('&') {
        return None;
    }
    let fits = |word: &str| {
        rest.get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word))
            && !rest[word.len()..].starts_with(is_word)
    };
    let (word, conjunct) = ENGLISH.iter().find(|(word, _)| fits(word))?;
    let after = &rest[word.len()..];
    let is_bound = match conjunct {
        Conjunct::Or if is_limit_pair(before, after) => true,
        Conjunct::Or | Conjunct::And => {
            is_limit_word(after) && is_amount_before(before)
                || *conjunct == Conjunct::And && is_range(before)
        }
        _ => false,
    };
    // "&" inside a name (R&D) joins nothing; "plus" before an amount adds.
    let spaced = before.ends_with(' ') && after.starts_with(' ');
    let is_name = *word == "&" && !spaced;
    (!is_bound && !is_name).then_some((*conjunct, word.len()))
}

/// "or over", "or above", "and older": the second half of a limit.
fn is_limit_word(after: &str) -> bool {
    const WORDS: [&str; 27] = [
        "over",
        "above",
        "older",
        "more",
        "less",
        "under",
        "below",
        "younger",
        "fewer",
        "later",
        "earlier",
        "longer",
        "shorter",
        "greater",
        "higher",
        "lower",
        "better",
        "worse",
        "up",
        "upwards",
        "beyond",
        "so",
        "thereabouts",
        "equal",
        "after",
        "before",
        "larger",
    ];
    let next = after.trim_start();
    let word = next.split(|it: char| !it.is_ascii_alphabetic()).next().unwrap_or("");
    if !WORDS.iter().any(|it| it.eq_ignore_ascii_case(word)) {
        return false;
    }
    // "or under the age of 5" starts a limit of its own; "or under" alone ends one.
    let behind = next[word.len()..].trim_start();
    let goes_on = behind
        .starts_with(|it: char| it.is_ascii_digit() || matches!(it, '$' | '£' | '€'))
        || ["the age", "age", "than", "hk$", "nt$", "us$"]
            .iter()
            .any(|it| behind.get(..it.len()).is_some_and(|head| head.eq_ignore_ascii_case(it)));
    !goes_on || word.eq_ignore_ascii_case("equal")
}

/// "on or before", "at or above", "less than or equal to", "equal to or greater than".
fn is_limit_pair(before: &str, after: &str) -> bool {
    const AHEAD: [&str; 10] =
        ["before", "after", "above", "below", "over", "under", "equal", "greater", "more", "less"];
    let last = before.trim_end().rsplit(char::is_whitespace).next().unwrap_or("");
    let next = after.trim_start().split(|it: char| !it.is_ascii_alphabetic()).next().unwrap_or("");
    let pairs = ["on", "at", "than", "to"].iter().any(|it| it.eq_ignore_ascii_case(last));
    pairs && AHEAD.iter().any(|it| it.eq_ignore_ascii_case(next))
}

/// The words before "or over": "65", "65 years", "sixty-five", "a month", "class 5".
fn is_amount_before(before: &str) -> bool {
    const UNITS: [&str; 46] = [
        "years", "year", "months", "month", "days", "day", "weeks", "week", "hours", "hour", "age",
        "old", "percent", "cent", "dollars", "pounds", "people", "persons", "person", "children",
        "child", "members", "times", "acres", "hectares", "credits", "points", "miles", "metres",
        "meters", "date", "grade", "level", "one", "two", "three", "four", "five", "six", "seven",
        "eight", "nine", "ten", "hundred", "thousand", "million",
    ];
    let before = before.trim_end().trim_end_matches([')', '*', ',']);
    let word = before.rsplit(|it: char| it.is_whitespace() || it == '(').next().unwrap_or("");
    let lower = word.to_ascii_lowercase();
    let last = lower.rsplit('-').next().unwrap_or("");
    let tens = [
        "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "eighteen",
        "sixteen",
    ];
    word.ends_with(|it: char| it.is_ascii_digit() || it == '%')
        || word.starts_with(|it: char| it.is_ascii_digit() || matches!(it, '$' | '£' | '€'))
        || UNITS.contains(&last)
        || tens.contains(&last)
}

/// "between 18 and", "from May and": the first half of a range, not too far back.
fn is_range(before: &str) -> bool {
    let from = before.char_indices().rev().nth(60).map_or(0, |it| it.0);
    let clause = before[from..].rsplit([',', ';', '.', '，', '。']).next().unwrap_or("");
    let lower = clause.to_ascii_lowercase();
    let Some(at) = lower.rfind("between") else { return false };
    !lower[at..].contains(" and ")
}

const HAN: &[(&str, Conjunct)] = &[
    ("及/或", Conjunct::AndOr),
    ("和/或", Conjunct::AndOr),
    ("或/及", Conjunct::AndOr),
    ("與/或", Conjunct::AndOr),
    ("与/或", Conjunct::AndOr),
    ("及／或", Conjunct::AndOr),
    ("和／或", Conjunct::AndOr),
    ("或／及", Conjunct::AndOr),
    ("與／或", Conjunct::AndOr),
    ("与／或", Conjunct::AndOr),
    ("及（或）", Conjunct::AndOr),
    ("及或", Conjunct::AndOr),
    ("或者", Conjunct::Or),
    ("抑或", Conjunct::Or),
    ("或是", Conjunct::Or),
    ("以及", Conjunct::And),
    ("並且", Conjunct::And),
    ("并且", Conjunct::And),
    ("而且", Conjunct::And),
    ("同時", Conjunct::And),
    ("同时", Conjunct::And),
    ("或", Conjunct::Or),
    ("及", Conjunct::And),
    ("與", Conjunct::And),
    ("与", Conjunct::And),
    ("和", Conjunct::And),
    ("暨", Conjunct::And),
    ("且", Conjunct::And),
    ("並", Conjunct::And),
    ("并", Conjunct::And),
];

/// Words that a conjunction's character stands in: the character before it, the words behind it.
const HAN_WORDS: &[(&str, &str, &str)] = &[
    ("或", "間抑設甚倘", "許 然 多 少 稱 缺 則 有負債 有事項 有给付 有給付 會 会"),
    ("及", "未不普涉提觸遍顧波危言埃論企累触顾论", "格 時 早 於 至"),
    ("與", "參給授贈賦付相讓撥寄准", "否 會 眾 此同時"),
    ("与", "参给授赠赋付相让拨寄准", "否 会 众 此同时"),
    ("和", "總飽緩溫調共附柔平总饱缓温调", "解 平 諧 睦 約 谐 约"),
    ("且", "尚況暫姑苟况暂", ""),
    ("並", "合", "列 存 行 重 肩 排"),
    ("并", "合", "列 存 行 重 肩 排 购 入"),
    ("同時", "", "期 段 間"),
    ("同时", "", "期 段 间"),
];

/// 或會計師, 或會員: 會 belongs to the next word.
const AFTER_MAY: [char; 7] = ['計', '員', '議', '同', '長', '计', '员'];

fn han_at(before: &str, rest: &str) -> Option<(Conjunct, usize)> {
    let (word, conjunct) = HAN.iter().find(|(word, _)| rest.starts_with(word))?;
    let after = &rest[word.len()..];
    if stands_in_word(word, before, after) {
        return None;
    }
    // 滿三年或以上 ends a limit; 三年或逾六十歲者 starts another.
    let is_bound = *conjunct == Conjunct::Or
        && ["以上", "以下", "以內", "以内", "以前", "以後", "之前", "之後"]
            .iter()
            .any(|it| after.starts_with(it));
    (!is_bound).then_some((*conjunct, word.len()))
}

fn stands_in_word(word: &str, before: &str, after: &str) -> bool {
    let Some((_, behind, ahead)) = HAN_WORDS.iter().find(|it| it.0 == word) else { return false };
    let last = before.chars().next_back();
    let starts = |it: &str| {
        let Some(tail) = after.strip_prefix(it).filter(|_| !it.is_empty()) else { return false };
        !(matches!(it, "會" | "会") && tail.starts_with(AFTER_MAY))
    };
    // 你或可申請: "may perhaps", said of somebody.
    let perhaps = word == "或"
        && after.starts_with(['可', '須', '须', '需', '能'])
        && last.is_some_and(|it| "人者士你您戶户署局們们".contains(it));
    perhaps || last.is_some_and(|it| behind.contains(it)) || ahead.split(' ').any(starts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        let all = conjunctions_in(text, Span::new(0, text.len())).into_iter();
        all.map(|it| it.span.slice(text).unwrap()).collect()
    }

    #[test]
    fn conjunctions_join_things() {
        for (text, wanted) in [
            ("aged 60 or above, or hold a card", vec!["or"]),
            ("60 years or over and renting, and/or owning", vec!["and", "and/or"]),
            ("between 18 and 25 and renting", vec!["and"]),
            ("aged 65 or under the age of 5", vec!["or"]),
            ("five days or more; the order of the floor and R&D", vec!["and"]),
            ("three or more people", vec![]),
            ("年滿六十歲或以上，並持有證件", vec!["並"]),
            ("配偶、父母或子女及其配偶", vec!["或", "及"]),
            ("參與者及格及時讓與，不及提及普及，總和與和解", vec!["與"]),
            ("三年以上或領有證明", vec!["或"]),
            ("甲及/或乙，且丙", vec!["及/或", "且"]),
            ("年满六十岁或以上并持有证件", vec!["并"]),
            ("申請人或可豁免，或許或會延長，或有負債，員工或會員", vec!["或"]),
            ("第一款及第二款，申請人和其配偶，以郵寄或以傳真", vec!["及", "和", "或"]),
            ("on or before 5 May, or at or above the limit", vec!["or"]),
        ] {
            assert_eq!(words(text), wanted, "{text}");
        }
    }
}
