//! What the words above a list say of how its members combine: "all of these", 下列情形之一.
//!
//! Reads the lead-in alone. What the items themselves say, and what to do where both speak, is for
//! `text::connective`.

use crate::text::joins::combination::{Certainty, Combination, Connection};
use crate::text::span::Span;

/// What the words above a list say of its members. The sentence that leads in is asked first; where
/// it is only a stub ("You:"), the one before it.
pub fn join_of_lead(text: &str, lead: Span) -> Option<Connection> {
    let part = lead.slice(text)?;
    let cut = start_of_last(part, part.len());
    let last = &part[cut..];
    let is_stub = last.split_whitespace().count() <= 5 && last.chars().count() <= 40;
    let from = if is_stub && cut > 0 { start_of_last(part, cut) } else { cut };
    let found = say(&part[cut..]).map(|it| (cut, it)).or_else(|| {
        let earlier = part.get(from..cut).filter(|it| !it.is_empty())?;
        say(earlier).map(|it| (from, it))
    });
    let (at, found) = found?;
    Some(Connection { span: found.span.shifted(lead.start + at), ..found })
}

fn say(sentence: &str) -> Option<Connection> {
    han_lead(sentence).or_else(|| english_lead(sentence))
}

/// Where the last sentence of `part[..end]` starts.
fn start_of_last(part: &str, end: usize) -> usize {
    let body = part[..end].trim_end().trim_end_matches(['.', '。', ':', '：', '—', '-', '？', '?']);
    let cuts = ["。", ". ", ".) ", "？", "? ", "！", "\n"];
    cuts.iter().filter_map(|it| body.rfind(it).map(|at| at + it.len())).max().unwrap_or(0)
}

type Phrases = &'static [&'static str];

const ENGLISH_NONE: Phrases = &["none of", "neither of", "not any of", "nothing of"];
const ENGLISH_ANY: Phrases = &[
    "at least one of",
    "at least 1 of",
    "any of",
    "any one of",
    "any 1 of",
    "one of these",
    "one of the following",
    "one of the below",
    "one of the conditions",
    "one of the criteria",
    "one of the situations",
    "one of the circumstances",
    "one of the requirements",
    "one of the options",
    "one of the reasons",
    "one or both of",
    "any or all of",
    "one of those",
    "one of them",
    "1 of these",
    "1 of the following",
    "one or more of",
    "1 or more of",
    "either of",
    "whichever",
    "any these",
    "any the following",
];
const ENGLISH_ALL: Phrases = &[
    "all of",
    "all the following",
    "all these",
    "each of",
    "every one of",
    "both of",
    "both these",
    "all four",
    "all three",
    "all 3",
    "all 4",
    "all conditions",
    "all requirements",
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
    if let Some(span) = english_count(&lower) {
        return said(span, Combination::Any, Certainty::Ambiguous);
    }
    let (any, all) = (
        find(ENGLISH_ANY).or_else(|| last_word(&lower, &["either", "any one", "any"])),
        find(ENGLISH_ALL).or_else(|| last_word(&lower, &["both", "all"])),
    );
    match (any, all) {
        (Some(any), Some(all)) if all.start >= any.end => {
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
            let asks = ["meet", "satisf", "fulfil", "true", "must", "need", "qualified", "if "];
            let denies = ["except", "not ", "n't ", "n’t "];
            let implied = find(ENGLISH_IMPLIED)
                .filter(|_| asks.iter().any(|it| lower.contains(it)))
                .filter(|_| !denies.iter().any(|it| lower.contains(it)));
            implied.and_then(|it| said(it, Combination::All, Certainty::Implied))
        }
    }
}

/// Numbers of members that are more than one.
const ENGLISH_SEVERAL: Phrases =
    &["two", "2", "three", "3", "four", "4", "five", "5", "six", "6", "seven", "7"];

/// "At least two of the following", "any 3 of these", "two or more of": several, neither all nor one.
fn english_count(lower: &str) -> Option<Span> {
    let places = lower.match_indices(" of ").filter_map(|(at, _)| {
        let lists = ["the following", "these", "those", "the below", "them", "the conditions"];
        let rest = lower[at + 4..].trim_start();
        if !lists.iter().any(|it| rest.starts_with(it)) {
            return None;
        }
        let before = lower[..at].trim_end();
        let before = before.strip_suffix(" or more").unwrap_or(before);
        let number = before.rsplit(|it: char| !it.is_alphanumeric()).next()?;
        let start = before.len() - number.len();
        let whole = before[..start].trim_end().ends_with("all") || before.ends_with("or both");
        (ENGLISH_SEVERAL.contains(&number) && !whole).then(|| Span::new(start, at + 3))
    });
    places.min()
}

/// True for the words of such a count: "two of", 至少二項.
pub fn is_count_of_several(words: &str) -> bool {
    let lower = words.to_ascii_lowercase();
    english_count(&format!("{lower} these")).is_some()
        || han_count(words, Span::new(0, 0)).is_some()
}

/// "You must either:", "occupy the property both:": the last word leads in.
fn last_word(lower: &str, words: Phrases) -> Option<Span> {
    let body = lower.trim_end().trim_end_matches([':', '：', '—', '-']).trim_end();
    words.iter().find_map(|it| {
        let start = body.len().checked_sub(it.len())?;
        let alone = !body.get(..start)?.ends_with(char::is_alphanumeric);
        (body.get(start..)? == *it && alone).then(|| Span::new(start, body.len()))
    })
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
/// All of them, by themselves.
const HAN_ALL: Phrases = &[
    "所有",
    "全部",
    "均",
    "皆",
    "同時",
    "同时",
    "一併",
    "都須",
    "都要",
    "都须",
    "每項",
    "每一",
    "各款均",
    "各項均",
    "加計",
    "加计",
    "合計",
    "合计",
    "總和",
    "总和",
    "之和",
];
/// All of them where something is to be met: 符合下列各款; 下列各款幼兒 only counts kinds.
const HAN_EACH: Phrases = &["各款", "各項", "各項", "各目", "各项", "各條件", "各条件"];
const HAN_MET: Phrases = &[
    "符合", "具備", "具备", "合於", "滿足", "满足", "具有", "達成", "遵守", "须具", "須具", "條件",
    "要件", "资格", "資格",
];
const HAN_IMPLIED: Phrases = &[
    "符合下列",
    "具備下列",
    "合於下列",
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
    let said = |span, combination, certainty| Some(Connection { combination, certainty, span });
    let places = HAN_LISTS
        .iter()
        .flat_map(|word| sentence.match_indices(word).map(|(at, it)| Span::new(at, at + it.len())));
    let list = places.filter(|it| points_down(sentence, *it)).max()?;
    let none = find_han(sentence, HAN_NONE).filter(|it| it.overlaps(list));
    if let Some(span) = none {
        return said(span, Combination::None, Certainty::Stated);
    }
    if let Some(span) = han_count(sentence, list) {
        return said(span, Combination::Any, Certainty::Ambiguous);
    }
    if let Some(span) = find_choice(sentence, HAN_ANY, list) {
        return said(span, Combination::Any, Certainty::Stated);
    }
    // The words stand close to 下列: up to four characters before it, ten behind.
    let near = window(sentence, list);
    let close = |phrases| {
        near.slice(sentence).and_then(|it| find_han(it, phrases)).map(|it| it.shifted(near.start))
    };
    let is_met = find_han(sentence, HAN_MET).is_some();
    if let Some(span) = close(HAN_ALL).or_else(|| close(HAN_EACH).filter(|_| is_met)) {
        return said(span, Combination::All, Certainty::Stated);
    }
    find_han(sentence, HAN_IMPLIED).and_then(|it| said(it, Combination::All, Certainty::Implied))
}

/// False for 以下 that names (以下簡稱本署) or limits (五萬元以下).
fn points_down(sentence: &str, word: Span) -> bool {
    if word.slice(sentence) != Some("以下") {
        return true;
    }
    let (before, after) = (&sentence[..word.start], &sentence[word.end..]);
    let names = after.starts_with(['稱', '称', '簡', '简', '同', '之', '罰', '罚', '有', '的']);
    let limits = before.ends_with(|it: char| {
        it.is_numeric() || "元歲岁年月日週周時时倍人名公斤坪度級级成％%".contains(it)
    });
    !names && !limits
}

/// 下列條件之二, 至少二項, 兩款以上: several of the members, neither all nor one.
fn han_count(sentence: &str, list: Span) -> Option<Span> {
    const SEVERAL: [char; 15] =
        ['二', '兩', '两', '三', '四', '五', '六', '2', '3', '4', '5', '２', '３', '４', '５'];
    const OPENERS: Phrases = &["至少", "其中", "任", "之", "符合", "具備", "最少", "達"];
    const PIECES: [char; 7] = ['項', '项', '款', '目', '種', '個', '样'];
    const CLOSERS: Phrases = &["以上", "(含)以上", "（含）以上", "或以上"];
    let numbers = sentence.char_indices().filter(|(_, it)| SEVERAL.contains(it));
    let mut places = numbers.filter_map(|(at, number)| {
        let (before, after) = (&sentence[..at], &sentence[at + number.len_utf8()..]);
        let opener = OPENERS.iter().find(|it| before.ends_with(**it));
        let piece = after.chars().next().filter(|it| PIECES.contains(it));
        let rest = piece.map_or(after, |it| &after[it.len_utf8()..]);
        let closer = CLOSERS.iter().find(|it| rest.starts_with(**it));
        let start = opener.map_or(at, |it| at - it.len());
        // 三分之二 and 第五條之三 count nothing of the list.
        let is_part = opener == Some(&"之") && sentence[..start].ends_with(PARTS);
        let is_share = rest.starts_with("分之") || sentence[..start].ends_with(['第', '前']);
        let stops =
            rest.is_empty() || rest.starts_with(['者', '，', '：', ':', ',', '。', '時', '之']);
        let counts = match (opener, piece, closer) {
            (Some(_), Some(_), _) | (None, Some(_), Some(_)) => true,
            (Some(it), None, _) => matches!(*it, "之" | "至少" | "其中") && stops,
            _ => false,
        };
        (counts && !is_part && !is_share && list.start <= at).then(|| {
            let end = sentence.len() - rest.len() + closer.map_or(0, |it| it.len());
            Span::new(start, end)
        })
    });
    places.next()
}

/// What 之 may stand behind without choosing from a list.
const PARTS: [char; 6] = ['分', '條', '条', '章', '點', '点'];

fn find_han(sentence: &str, phrases: Phrases) -> Option<Span> {
    let places =
        phrases.iter().filter_map(|it| Some(Span::new(0, it.len()).shifted(sentence.find(it)?)));
    places.min_by_key(|it| (it.start, usize::MAX - it.end))
}

fn window(sentence: &str, list: Span) -> Span {
    let start = sentence[..list.start].char_indices().rev().nth(3).map_or(0, |it| it.0);
    let end =
        sentence[list.end..].char_indices().nth(10).map_or(sentence.len(), |it| list.end + it.0);
    Span::new(start, end)
}

/// 之一 and its like behind the list word; 三分之一 is a fraction, 第三條之一 an article.
fn find_choice(sentence: &str, phrases: Phrases, list: Span) -> Option<Span> {
    let is_part =
        |phrase: &str, at: usize| phrase.starts_with('之') && sentence[..at].ends_with(PARTS);
    phrases
        .iter()
        .flat_map(|phrase| {
            sentence.match_indices(phrase).map(|(at, it)| Span::new(at, at + it.len()))
        })
        .filter(|it| {
            it.end > list.start && !it.slice(sentence).is_some_and(|word| is_part(word, it.start))
        })
        .min_by_key(|it| it.start)
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
            ("All of these must be true. You:", Some((All, Stated))),
            ("You may study in one of the 50 states. See:", Option::None),
            ("Both parents can read this list:", Option::None),
            ("You must occupy the flat both:", Some((All, Stated))),
            ("You served in one or both of these places:", Some((Any, Stated))),
            ("下列各款幼兒，另依計畫辦理：", Option::None),
            ("依第三條之二規定應課徵之稅，依下列規定估定：", Option::None),
            ("應檢具下列文件：", Option::None),
            ("符合下列要件之二者：", Some((Any, Ambiguous))),
            ("符合下列資格之一者，得向中心（以下簡稱本中心）申請：", Some((Any, Stated))),
            ("為課稅所得額，加計下列各款金額後之合計數：", Some((All, Stated))),
            ("除有前條情形外，且無下列情事之一者：", Some((None, Stated))),
        ] {
            assert_eq!(lead(text), wanted, "{text}");
        }
    }
}
