//! What the words above a list say of how its members combine: "all of these", 下列情形之一.
//!
//! Reads the lead-in alone. What the items themselves say, and what to do where both speak, is for
//! `text::connective`.

use crate::text::combination::{Certainty, Combination, Connection};
use crate::text::span::Span;

/// What the words above a list say of its members.
pub fn join_of_lead(text: &str, lead: Span) -> Option<Connection> {
    let part = lead.slice(text)?;
    let (from, sentence) = last_sentence(part);
    let found = han_lead(sentence).or_else(|| english_lead(sentence))?;
    Some(Connection { span: found.span.shifted(lead.start + from), ..found })
}

/// The part of a lead-in that leads in: what follows its last full stop.
fn last_sentence(part: &str) -> (usize, &str) {
    let body = part.trim_end().trim_end_matches(['.', '。', ':', '：', '—', '-']);
    let cut = ["。", ". ", "？", "！", "\n"]
        .iter()
        .filter_map(|it| body.rfind(it).map(|at| at + it.len()))
        .max();
    let from = cut.unwrap_or(0);
    (from, &part[from..])
}

type Phrases = &'static [&'static str];

const ENGLISH_NONE: Phrases = &["none of", "neither of", "not any of", "nothing of"];
const ENGLISH_SOME: Phrases = &[
    "at least two of",
    "at least 2 of",
    "at least three of",
    "at least 3 of",
    "two of the following",
    "two of these",
    "2 of the following",
    "2 of these",
    "three of these",
    "3 of these",
    "two or more of",
    "any two of",
    "any 2 of",
];
const ENGLISH_ANY: Phrases = &[
    "at least one of",
    "at least 1 of",
    "any of",
    "any one of",
    "any 1 of",
    "one of these",
    "one of the",
    "one of those",
    "one of them",
    "one of your",
    "1 of these",
    "1 of the following",
    "one or more of",
    "1 or more of",
    "either of",
    "either",
    "any one",
    "whichever",
    "one of",
    "any these",
    "any the following",
];
const ENGLISH_ALL: Phrases = &[
    "all of",
    "all the following",
    "all these",
    "all the",
    "each of",
    "every one of",
    "both of",
    "both these",
    "both",
    "all four",
    "all three",
    "all 3",
    "all 4",
    "all conditions",
    "all requirements",
    "and all",
];
const ENGLISH_IMPLIED: Phrases = &[
    "these requirements",
    "the following requirements",
    "these conditions",
    "the following conditions",
    "the following criteria",
    "these criteria",
    "these are true",
    "the following are true",
    "the following apply",
    "these apply",
    "the following things",
    "these things",
];

fn english_lead(sentence: &str) -> Option<Connection> {
    let lower = sentence.to_ascii_lowercase();
    let find = |phrases: Phrases| {
        phrases
            .iter()
            .filter_map(|it| find_phrase(&lower, it))
            .min_by_key(|it| (it.start, usize::MAX - it.end))
    };
    let said = |span, combination, certainty| Some(Connection { combination, certainty, span });
    if let Some(span) = find(ENGLISH_NONE) {
        return said(span, Combination::None, Certainty::Stated);
    }
    if let Some(span) = find(ENGLISH_SOME) {
        return said(span, Combination::Any, Certainty::Ambiguous);
    }
    let (any, all) = (find(ENGLISH_ANY), find(ENGLISH_ALL));
    match (any, all) {
        (Some(any), Some(all)) if all.start > any.start => {
            said(all, Combination::All, Certainty::Stated)
        }
        (Some(any), _) => {
            // "must not have any of the following": none of them.
            let denied = is_denied(&lower[..any.start]) && !lower[..any.start].contains(" if ");
            let combination = if denied { Combination::None } else { Combination::Any };
            said(any, combination, Certainty::Stated)
        }
        (None, Some(all)) => said(all, Combination::All, Certainty::Stated),
        (None, None) => {
            find(ENGLISH_IMPLIED).and_then(|it| said(it, Combination::All, Certainty::Implied))
        }
    }
}

fn is_denied(before: &str) -> bool {
    let words: Vec<&str> = before.split_whitespace().rev().take(5).collect();
    words.iter().any(|it| {
        matches!(*it, "not" | "never" | "cannot" | "without")
            || it.ends_with("n't")
            || it.ends_with("n’t")
    })
}

/// The first place of a phrase with no letter or digit at its borders.
fn find_phrase(lower: &str, phrase: &str) -> Option<Span> {
    let joins = |it: char| it.is_alphanumeric();
    lower
        .match_indices(phrase)
        .map(|(at, it)| Span::new(at, at + it.len()))
        .find(|it| !lower[..it.start].ends_with(joins) && !lower[it.end..].starts_with(joins))
}

const HAN_ANY: Phrases = &[
    "之一",
    "任一",
    "任何一",
    "擇一",
    "择一",
    "其中一",
    "其一",
    "至少一",
    "一項以上",
    "一款以上",
    "一项以上",
];
const HAN_SOME: Phrases = &[
    "二項以上",
    "兩項以上",
    "二款以上",
    "兩款以上",
    "三項以上",
    "三款以上",
    "至少兩",
    "至少二",
    "至少三",
    "之二",
];
const HAN_ALL: Phrases = &[
    "各款",
    "各項",
    "各項",
    "各目",
    "各条件",
    "各項條件",
    "所有",
    "全部",
    "均",
    "皆",
    "同時",
    "同时",
    "一併",
    "各项",
    "都須",
    "都要",
    "每項",
    "每一",
];
const HAN_IMPLIED: Phrases = &[
    "符合下列",
    "具備下列",
    "合於下列",
    "具下列",
    "符合以下",
    "具備以下",
    "下列條件",
    "下列資格",
    "下列要件",
    "以下條件",
    "以下資格",
    "下列規定者",
    "符合下述",
    "滿足下列",
    "滿足以下",
    "符合左列",
    "具備左列",
    "须符合",
    "须具备",
    "具备下列",
    "下列条件",
    "以下条件",
    "具备以下",
    "满足以下",
];
const HAN_LISTS: Phrases = &["下列", "以下", "下述", "左列", "次列", "如下", "後列"];
const HAN_NONE: Phrases = &[
    "無下列",
    "無以下",
    "未有下列",
    "沒有下列",
    "沒有以下",
    "不得有下列",
    "不得有以下",
    "並無下列",
    "且無下列",
    "無左列",
    "非屬下列",
    "不具下列",
    "未具下列",
    "没有下列",
    "没有以下",
    "无下列",
    "无以下",
    "不属下列",
    "不屬下列",
    "均無下列",
    "不得為下列",
];

fn han_lead(sentence: &str) -> Option<Connection> {
    let find = |phrases: Phrases| {
        let places = phrases
            .iter()
            .filter_map(|it| Some(Span::new(0, it.len()).shifted(sentence.find(it)?)));
        places.min_by_key(|it| (it.start, usize::MAX - it.end))
    };
    let said = |span, combination, certainty| Some(Connection { combination, certainty, span });
    let list = find(HAN_LISTS)?;
    if let Some(span) = find(HAN_NONE) {
        return said(span, Combination::None, Certainty::Stated);
    }
    if let Some(span) = find(HAN_SOME) {
        return said(span, Combination::Any, Certainty::Ambiguous);
    }
    let any = HAN_ANY
        .iter()
        .filter_map(|it| find_choice(sentence, it, list.start))
        .min_by_key(|it| it.start);
    if let Some(span) = any {
        return said(span, Combination::Any, Certainty::Stated);
    }
    let after = |span: &Span| span.start + 12 >= list.start;
    if let Some(span) = find(HAN_ALL).filter(after) {
        return said(span, Combination::All, Certainty::Stated);
    }
    find(HAN_IMPLIED).and_then(|it| said(it, Combination::All, Certainty::Implied))
}

/// 之一 and its like near the list word; 三分之一 is a fraction, 第三條之一 an article.
fn find_choice(sentence: &str, phrase: &str, list: usize) -> Option<Span> {
    let places = sentence.match_indices(phrase).map(|(at, it)| Span::new(at, at + it.len()));
    places.into_iter().find(|it| {
        let before = sentence[..it.start].chars().next_back();
        let is_part = phrase.starts_with('之')
            && before.is_some_and(|it| "分條条章項款項".contains(it) && it != '項' && it != '款');
        !is_part && it.end >= list
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use Certainty::{Ambiguous, Implied, Stated};
    use Combination::{All, Any, None};

    fn lead(text: &str) -> Option<(Combination, Certainty)> {
        join_of_lead(text, Span::new(0, text.len())).map(|it| (it.combination, it.certainty))
    }

    #[test]
    fn lead_ins_say_how_a_list_combines() {
        for (text, wanted) in [
            ("You must meet all of these requirements:", Some((All, Stated))),
            ("Both of these must be true:", Some((All, Stated))),
            ("At least one of the following must be true:", Some((Any, Stated))),
            ("You can apply if any of these is true for you. ", Some((Any, Stated))),
            ("One of these must be true:", Some((Any, Stated))),
            ("You must either:", Some((Any, Stated))),
            ("None of these can be true:", Some((None, Stated))),
            ("You must not have any of the following:", Some((None, Stated))),
            ("You cannot apply if any of these is true:", Some((Any, Stated))),
            ("You must meet at least two of these:", Some((Any, Ambiguous))),
            ("You must meet the following requirements:", Some((All, Implied))),
            ("You can apply if you:", Option::None),
            ("All people can read this. Bring:", Option::None),
            ("符合下列各款規定之老人，得申請：", Some((All, Stated))),
            ("有下列情形之一者，不得申請：", Some((Any, Stated))),
            ("具備下列資格者，得申請：", Some((All, Implied))),
            ("且無下列各款情形者：", Some((None, Stated))),
            ("申請人須符合以下任一條件：", Some((Any, Stated))),
            ("下列各項條件均須符合：", Some((All, Stated))),
            ("補助三分之一，依下列標準：", Option::None),
            ("本法所稱老人，指年滿六十五歲之人。", Option::None),
            ("须同时具备下列条件：", Some((All, Stated))),
        ] {
            assert_eq!(lead(text), wanted, "{text}");
        }
    }
}
