//! The neighbours that decide whether a listed word is a marker where it stands.
//!
//! May and "may", about and "about 10", 約 and 契約, 除 and 除…外, a footnote star and a bullet: what
//! a word list cannot settle. Looks a few characters to each side and never further than a clause.

use crate::text::glyphs::letter::is_han;
use crate::text::numbers::ordinal::is_numeral;
use crate::text::span::Span;

/// True where the listed word at `span` is a marker.
pub fn holds(text: &str, span: Span) -> bool {
    let word = span.slice(text).unwrap_or("").replace('’', "'");
    let (before, after) = (&text[..span.start], &text[span.end..]);
    match word.as_bytes().first() {
        Some(first) if first.is_ascii() => english_holds(&word, before, after),
        _ => han_holds(&word, before, after),
    }
}

fn english_holds(word: &str, before: &str, after: &str) -> bool {
    let behind_any = |words: &[&str]| words.iter().any(|it| ends_with_word(before, it));
    match word.to_ascii_lowercase().as_str() {
        "may" => is_verb_may(word, before, after),
        "no" => !is_reference_number(before, after),
        "about" | "around" | "nearly" | "almost" | "roughly" => is_before_amount(after),
        "estimated" => is_before_amount(after) || starts_with_word(after, "at"),
        "just" => {
            is_before_amount(after)
                || ["one", "those", "the"].iter().any(|it| starts_with_word(after, it))
        }
        "alone" => {
            const STATES: [&str; 12] = [
                "live", "lives", "living", "lived", "left", "not", "are", "is", "be", "child",
                "stand", "parent",
            ];
            !before.ends_with('-') && !behind_any(&STATES)
        }
        "save" => is_exception_save(before, after),
        "save for" | "save as" | "save in" | "save with" | "save where" | "save that" => {
            is_exception_save(before, " for")
        }
        "but" => !behind_any(&["nothing", "all"]) && takes_back(after),
        "does not apply" | "do not apply" | "doesn't apply" | "don't apply" | "shall not apply"
        | "will not apply" => {
            let asks = starts_with_word(after, "for") || starts_with_word(after, "again");
            !asks && !behind_any(&["please"])
        }
        "you need" | "they need" | "people need" | "applicants need" | "applicant needs" => {
            names_a_thing(after) || starts_with_word(after, "to")
        }
        "provided the" | "provided you" | "provided they" | "provided he" | "provided she"
        | "provided it" | "provided your" | "provided all" | "provided both" | "provided no"
        | "provided there" => {
            const PASSIVE: [&str; 8] =
                ["is", "are", "be", "been", "was", "were", "services", "information"];
            !behind_any(&PASSIVE)
        }
        // "However," turns; "however small" does not.
        "however" => {
            let next = after.trim_start();
            before.trim().is_empty() || !next.starts_with(|it: char| it.is_ascii_lowercase())
        }
        "despite" | "notwithstanding" | "subject to" => is_at_joint(before),
        "likely" => !behind_any(&["not", "more", "less", "as", "how"]),
        "often" => !behind_any(&["how", "as", "more"]),
        "should" => !(before.trim().is_empty() && word.starts_with('S')),
        "or so" => !after.trim_start().starts_with(char::is_alphabetic),
        "is required" | "are required" => {
            !behind_any(&["if", "information", "when", "as", "who", "that", "which"])
        }
        _ => true,
    }
}

fn han_holds(word: &str, before: &str, after: &str) -> bool {
    match word {
        "除" => end_of_except_in(after).is_some(),
        "除外" => !after.starts_with([
            '國', '国', '籍', '匯', '汇', '僑', '侨', '部', '縣', '县', '地', '勤', '交', '傭',
            '勞',
        ]),
        "但" => !before.ends_with(['不', '非']),
        "惟" | "不過" | "不过" | "莫" | "建議" | "建议" => is_at_joint(before),
        // 學校宜設置: a verb follows; 之宜 and 宜。 are nouns.
        "宜" => is_at_joint(before) || after.starts_with(is_han) && !before.ends_with(NO_ADVICE),
        "約" | "约" => is_han_amount(after),
        // 你或可申請: "may perhaps"; 甲或可乙 joins.
        "或可" | "或須" | "或须" | "或需" | "或會" | "或会" | "或能" => {
            is_at_joint(before) || before.ends_with(PEOPLE)
        }
        "左右" => {
            const UNITS: [char; 10] = ['天', '日', '月', '年', '歲', '岁', '元', '時', '人', '%'];
            before.chars().rev().take(3).any(is_numeral) || before.ends_with(UNITS)
        }
        "否" => !before.ends_with(is_han) && !after.starts_with(is_han),
        "為限" | "为限" => !clause_before(before).contains("不以"),
        "只" => !before.ends_with(is_numeral),
        // 限設籍本市者申請, 申請人限本校學生: at a joint or behind whom it narrows.
        "限" => {
            after.starts_with(is_han)
                && (is_at_joint(before)
                    || ["人", "者", "對象", "对象", "資格", "资格"]
                        .iter()
                        .any(|it| before.ends_with(it)))
        }
        // 住得很遠: a complement, not a permission.
        "得" => !after.starts_with(['很', '更', '太', '較', '较', '十']),
        "需要" => is_asked_of_somebody(before, after),
        _ => true,
    }
}

/// "may" the verb: small, or at the start of a sentence before a word; "May" the month is neither.
fn is_verb_may(word: &str, before: &str, after: &str) -> bool {
    let next = after.trim_start();
    if word.starts_with('m') {
        return true;
    }
    if word == "MAY" {
        return next_word_is_lower(after) || next.starts_with(|it: char| it.is_ascii_uppercase());
    }
    let starts = before.trim_end().is_empty()
        || before.trim_end().ends_with(['.', '?', '!', ':', '“', '"', '(']);
    starts && next.starts_with(|it: char| it.is_alphabetic()) && !next.starts_with("Day")
}

fn next_word_is_lower(after: &str) -> bool {
    after.trim_start().starts_with(|it: char| it.is_lowercase())
}

/// "No. 5", "Form No 12": a number sign, not a negation.
fn is_reference_number(before: &str, after: &str) -> bool {
    let stop = after.strip_prefix('.');
    let next = stop.unwrap_or(after).trim_start();
    let numbered = next.starts_with(|it: char| it.is_ascii_digit());
    numbered
        && (stop.is_some()
            || before.ends_with(|it: char| it.is_alphanumeric() || it.is_whitespace()))
        && (stop.is_some()
            || after.starts_with(' ') && before.trim_end().ends_with(char::is_alphanumeric))
}

/// "about 10", "about half", "about HK$5": the next word is an amount.
fn is_before_amount(after: &str) -> bool {
    const WORDS: [&str; 30] = [
        "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "thirteen", "fifteen", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty",
        "ninety", "hundred", "thousand", "half", "third", "quarter", "dozen", "once", "twice",
        "double",
    ];
    let next = after.trim_start();
    let bare = next
        .trim_start_matches("US")
        .trim_start_matches("HK")
        .trim_start_matches("NT")
        .trim_start_matches("A ");
    if bare.starts_with(|it: char| it.is_ascii_digit() || matches!(it, '$' | '£' | '€' | '¥')) {
        return true;
    }
    let next = next.strip_prefix("a ").or_else(|| next.strip_prefix("an ")).unwrap_or(next);
    let word = next.split(|it: char| !it.is_alphanumeric()).next().unwrap_or("");
    let units = ["month", "week", "year", "day", "hour"];
    WORDS.contains(&word.to_ascii_lowercase().as_str())
        || after.trim_start().len() > next.len() && units.contains(&word)
}

/// 約 before an amount: 約三萬元, 約 5 日, 約新臺幣, 約半年.
fn is_han_amount(after: &str) -> bool {
    let next = after.trim_start();
    next.starts_with(|it: char| {
        is_numeral(it) || matches!(it, '兩' | '两' | '半' | '幾' | '几' | '$' | '£' | '數')
    }) || [
        "為",
        "为",
        "新臺幣",
        "新台幣",
        "新台币",
        "港幣",
        "港币",
        "港元",
        "需",
        "佔",
        "占",
        "HK$",
        "NT$",
        "人民",
    ]
    .iter()
    .any(|it| next.starts_with(it))
}

/// "save with consent", ", save as": not "save money", "to save for retirement".
fn is_exception_save(before: &str, after: &str) -> bool {
    const LINKS: [&str; 9] = ["for", "as", "that", "where", "in", "with", "by", "under", "when"];
    const VERBAL: [&str; 12] =
        ["to", "can", "could", "will", "may", "you", "they", "we", "people", "who", "help", "and"];
    let linked = LINKS.iter().any(|it| starts_with_word(after, it));
    linked
        && !VERBAL.iter().any(|it| ends_with_word(before, it))
        && (!before.trim().is_empty() || !starts_with_word(after, "for"))
}

/// True at the start of a sentence and behind punctuation.
fn is_at_joint(before: &str) -> bool {
    let before = before.trim_end();
    before.chars().next_back().is_none_or(|it| !it.is_alphanumeric())
}

/// "but only if …", "but you must …": what follows narrows or denies; "but it is easy" does not.
fn takes_back(after: &str) -> bool {
    const WORDS: [&str; 19] = [
        "not",
        "only",
        "no",
        "unless",
        "except",
        "excluding",
        "if",
        "must",
        "cannot",
        "without",
        "never",
        "less",
        "limited",
        "until",
        "shall",
        "when",
        "where",
        "nor",
        "exclude",
    ];
    let window = after.char_indices().nth(80).map_or(after, |it| &after[..it.0]);
    let clause = window.split([';', '.', '—']).next().unwrap_or(window);
    clause
        .split(|it: char| !(it.is_alphanumeric() || matches!(it, '\'' | '’')))
        .filter(|it| !it.is_empty())
        .take(12)
        .any(|it| {
            it.ends_with("n't")
                || it.ends_with("n’t")
                || WORDS.contains(&it.to_ascii_lowercase().as_str())
        })
}

/// "you need a permit": a duty; "the care you need" and "if they need it" are not.
fn names_a_thing(after: &str) -> bool {
    const WORDS: [&str; 18] = [
        "a",
        "an",
        "the",
        "at",
        "both",
        "two",
        "three",
        "proof",
        "evidence",
        "permission",
        "consent",
        "either",
        "all",
        "some",
        "more",
        "your",
        "their",
        "one",
    ];
    WORDS.iter().any(|it| starts_with_word(after, it))
        || after.trim_start().starts_with(|it: char| it.is_ascii_digit())
}

/// Characters before 宜 that make another word of it.
const NO_ADVICE: [char; 12] =
    ['之', '制', '咸', '相', '皆', '所', '諸', '時', '事', '便', '適', '合'];

/// The end of a word for somebody.
const PEOPLE: [char; 14] =
    ['人', '者', '士', '你', '您', '戶', '户', '員', '员', '署', '局', '們', '们', '會'];

/// 申請人需要提交…: a duty; 實際需要, 病情需要 and 需要時 are needs.
fn is_asked_of_somebody(before: &str, after: &str) -> bool {
    const ASKED: [char; 19] = [
        '人', '者', '您', '你', '均', '亦', '並', '仍', '還', '都', '也', '只', '士', '戶', '们',
        '們', '户', '还', '并',
    ];
    let noun = after.is_empty()
        || after.starts_with(['之', '的', '時', '时', '，', '。', '、', '等', '者']);
    (before.ends_with(ASKED) || is_at_joint(before)) && !noun
}

/// The last words before a place, back to a comma, at most forty characters.
fn clause_before(before: &str) -> &str {
    let from = before.char_indices().rev().nth(39).map_or(0, |it| it.0);
    let near = &before[from..];
    near.rsplit(['，', '；', '。', ',', ';']).next().unwrap_or(near)
}

/// How far a 外 may stand behind its 除, in characters.
const EXCEPT_SPAN: usize = 120;

/// The end of 除…外, where it takes something out; 除…外，並… adds instead and is none.
pub fn end_of_except(text: &str, from: usize) -> Option<usize> {
    end_of_except_in(&text[from..]).map(|it| from + it)
}

fn end_of_except_in(rest: &str) -> Option<usize> {
    let limit = rest.char_indices().nth(EXCEPT_SPAN).map_or(rest.len(), |it| it.0);
    let window = &rest[..limit];
    let window = window.split(['。', '；', '\n']).next().unwrap_or(window);
    let at = window.match_indices('外').map(|it| it.0).find(|&at| closes_except(window, at))?;
    let end = at + '外'.len_utf8();
    let behind: String =
        rest[end..].trim_start_matches(['，', ',', ' ']).chars().take(14).collect();
    let adds = ["並", "另", "亦", "還", "尚應", "尚須", "尚需", "也", "更", "并", "还", "且"];
    let added = adds.iter().any(|it| behind.starts_with(it))
        || ["並應", "並得", "亦應", "亦得", "另應", "尚應", "尚須", "還應", "還須", "也要", "也須"]
            .iter()
            .any(|it| behind.contains(it));
    // 除責令補稅外，處以罰鍰: a penalty on top of a duty excepts nothing.
    let duty = ["責令", "责令", "追繳", "追缴", "追徵", "補徵", "補繳", "补缴", "沒入", "沒收"];
    let is_on_top = behind.starts_with(['處', '处', '科', '加'])
        && rest.get(..end).is_some_and(|it| duty.iter().any(|duty| it.contains(duty)));
    (!added && !is_on_top).then_some(end)
}

/// 外 that closes 除: not 外國, 外籍, 意外, 戶外.
fn closes_except(window: &str, at: usize) -> bool {
    let after = &window[at + '外'.len_utf8()..];
    let open_ended = after
        .chars()
        .next()
        .is_none_or(|it| !is_han(it) || "其應得不均其仍以由皆須可亦並另".contains(it));
    let before = window[..at].chars().next_back();
    let inside =
        before.is_some_and(|it| "意戶境國海郊例額".contains(it)) && !after.starts_with(['，', ',']);
    open_ended && !inside
}

fn ends_with_word(text: &str, word: &str) -> bool {
    let text = text.trim_end();
    let Some(start) = text.len().checked_sub(word.len()) else { return false };
    text.get(start..).is_some_and(|it| it.eq_ignore_ascii_case(word))
        && !text[..start].ends_with(|it: char| it.is_ascii_alphanumeric())
}

fn starts_with_word(text: &str, word: &str) -> bool {
    let text = text.trim_start();
    text.get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word))
        && !text[word.len()..].starts_with(|it: char| it.is_ascii_alphanumeric())
}
