//! What the words around a value say of the kind of thing it is, beside the words that name the kind:
//! what a time runs from, what a share is a share of, who receives what.
//!
//! Looks at one clause in lower case; it never chooses a field by itself.

use crate::reader::concept::{Act, Concept, Shape};

/// True where a length of time runs from or to something that happens: "within a year of leaving",
/// "more than 3 months after", 三十日內. It says by when, not how long something lasts.
fn is_counted_from(clause: &str) -> bool {
    const UNITS: [&str; 4] = ["day", "week", "month", "year"];
    const EVENTS: [&str; 7] =
        ["after", "from the ", "of the da", "of leav", "of your ", "away", "of receiv"];
    // "At least 7 days before" is a deadline; "up to 2 months before" looks back.
    let is_notice = ["at least", "no later", "not later"].iter().any(|it| clause.contains(it));
    let is_given = clause
        .match_indices(" for ")
        .any(|(at, mark)| clause[at + mark.len()..].starts_with(|it: char| it.is_ascii_digit()));
    if is_given {
        return false;
    }
    if clause.contains("within ")
        || ["日內", "月內", "年內", "週內", "日以內", "日前", "月前"]
            .iter()
            .any(|it| clause.contains(it))
    {
        return true;
    }
    UNITS.iter().any(|unit| {
        clause.match_indices(unit).any(|(at, _)| {
            let rest = clause[at + unit.len()..].trim_start_matches('s').trim_start_matches('’');
            let rest = rest.strip_prefix(' ').unwrap_or("");
            EVENTS.iter().any(|it| rest.starts_with(it))
                || (is_notice && rest.starts_with("before"))
        })
    })
}

/// A span that is looked at or added up, in which nothing has to be done: 二年內合併領取, 當月起前六個月
/// 平均.
fn is_span_looked_at(clause: &str) -> bool {
    const BEHIND: [&str; 9] =
        ["合併", "累計", "平均", "連續", "曾", "所發生", "所領", "減除", "扣除"];
    ["年內", "月內", "日內"].iter().any(|it| {
        clause.match_indices(it).any(|(at, mark)| {
            let rest: String = clause[at + mark.len()..].chars().take(12).collect();
            BEHIND.iter().any(|it| rest.contains(it))
        })
    }) || ["月平均", "年平均"].iter().any(|it| clause.contains(it) && clause.contains('前'))
        || ["within the last", "within the past", "in the last", "in the past", "最近", "過去"]
            .iter()
            .any(|it| clause.contains(it))
}

/// Money counted in time: 發給五個月投保薪資, or a line of a list of such: 第一級為二百日.
fn is_pay_for_days(clause: &str, context: &str) -> bool {
    const PAY: [&str; 6] = ["薪", "俸", "工資", "days of pay", "of salary", "of wages"];
    const GIVEN: [&str; 7] = ["發給", "給付", "給與", "計給", "加發", "paid", "pay "];
    const COUNTED: [&str; 4] = ["日數", "月數", "給付標準", "基數"];
    const LASTS: [&str; 6] = ["為限", "最長", "期間", "月平均", "年平均", "連續"];
    let has = |text: &str, words: &[&str]| words.iter().any(|it| text.contains(it));
    !has(clause, &LASTS)
        && (has(clause, &PAY) && has(clause, &GIVEN)
            || has(context, &PAY) && has(context, &COUNTED))
}

/// "Every 4 years", 每四年: how often.
fn recurs(clause: &str) -> bool {
    let counted = |mark: &str| {
        clause.match_indices(mark).any(|(at, _)| {
            let rest = &clause[at + mark.len()..];
            rest.starts_with(|it: char| {
                it.is_ascii_digit() || "一二兩三四五六七八九十".contains(it)
            }) || ["two ", "three ", "four ", "five ", "six "].iter().any(|it| rest.starts_with(it))
        })
    };
    counted("every ") || counted("每") && ["年", "月", "週"].iter().any(|it| clause.contains(it))
}

/// "When you turn 65", "turned 18".
fn turns_an_age(clause: &str) -> bool {
    ["turn ", "turns ", "turned ", "turning "].iter().any(|word| {
        clause
            .match_indices(word)
            .any(|(at, _)| clause[at + word.len()..].starts_with(|it: char| it.is_ascii_digit()))
    })
}

/// "You are 65 or over", "they are under 25": a bare number of years.
fn is_bare_age(clause: &str) -> bool {
    const ENDS: [&str; 4] = [" or over", " or older", " or younger", " or above"];
    const LEADS: [&str; 9] = [
        "are under ",
        "are over ",
        "is under ",
        "is over ",
        "are at least ",
        "be at least ",
        "be under ",
        "be over ",
        "are between ",
    ];
    let is_number = |word: Option<&str>| {
        word.is_some_and(|it| it.len() <= 3 && it.starts_with(|it: char| it.is_ascii_digit()))
    };
    let has_end = ENDS.iter().any(|it| {
        clause.find(it).is_some_and(|at| is_number(clause[..at].split_whitespace().next_back()))
    });
    let has_lead = LEADS.iter().any(|it| {
        clause.find(it).is_some_and(|at| {
            let rest = clause[at + it.len()..].trim_end();
            rest.len() <= 3 && is_number(Some(rest))
        })
    });
    let is_person = ["you ", "are ", "is ", "who ", "be "]
        .iter()
        .any(|it| clause.contains(it) || clause.starts_with(it));
    is_person
        && (has_end || has_lead)
        && !["level", "grade", "class", "%", "$"].iter().any(|it| clause.contains(it))
}

/// A day or a year from which something holds.
fn runs_from(clause: &str) -> bool {
    const WORDS: [&str; 10] = [
        "日起",
        "月起",
        "年起",
        "度起",
        "度以後",
        "日以後",
        "in force",
        "apply from",
        "applies from",
        "valid from",
    ];
    WORDS.iter().any(|it| clause.contains(it))
}

/// A share of a thing that was measured: 樓板下陷達總面積百分之二十.
fn is_share_of_a_thing(clause: &str) -> bool {
    const MEASURED: [&str; 16] = [
        "總數",
        "面積",
        "長度",
        "高度",
        "程度",
        "下陷",
        "塌陷",
        "傾斜",
        "毀損",
        "斷裂",
        "剝落",
        "體積",
        "floor area",
        "surface",
        "of the length",
        "of the area",
    ];
    const PAID: [&str; 8] = ["補助", "負擔", "費率", "稅率", "減徵", "發給", "能力", "利率"];
    MEASURED.iter().any(|it| clause.contains(it)) && !PAID.iter().any(|it| clause.contains(it))
}

/// A date by which something is to be done.
fn says_by_when(clause: &str) -> bool {
    const WORDS: [&str; 12] = [
        "日前",
        "以前",
        "月前",
        "底前",
        "年前",
        "屆滿前",
        "before ",
        "by ",
        "no later",
        "not later",
        "until ",
        "deadline",
    ];
    WORDS.iter().any(|it| clause.contains(it))
}

/// "Receive VA compensation", 領取年金: another benefit that somebody has.
fn receives_a_benefit(clause: &str) -> bool {
    const HEADS: [&str; 9] = [
        "receive ",
        "receives ",
        "receiving ",
        "received ",
        "get ",
        "getting ",
        "draw ",
        "drawing ",
        "are paid ",
    ];
    const BENEFITS: [&str; 7] =
        ["compensation", "pension", "benefit", "allowance", "payments", "stipend", "insurance"];
    HEADS.iter().any(|head| {
        clause.find(head).is_some_and(|at| {
            let rest = &clause[at + head.len()..];
            let near: String = rest.chars().take(60).collect();
            clause[..at].split_whitespace().count() <= 5
                && BENEFITS.iter().any(|it| near.contains(it))
        })
    })
}

/// The verb of a length of service.
fn is_served(clause: &str) -> bool {
    const VERBS: [&str; 12] = [
        "serve",
        "serving",
        "of service",
        "of active",
        "active duty for",
        "continuous",
        "full period",
        "completed",
        "stayed",
        "duty of",
        "服役",
        "服務",
    ];
    VERBS.iter().any(|it| clause.contains(it))
}

/// What the words around a value say of its kind, beside the words of the concepts.
pub fn setting_score(
    concept: &Concept,
    in_clause: i64,
    (clause, context): (&str, &str),
    (shape, act): (Shape, Act),
) -> i64 {
    let is_about = |word: &str| concept.declares.contains(&word);
    match shape {
        Shape::Time | Shape::Years if is_about("deadline") && is_counted_from(clause) => {
            if is_span_looked_at(clause) {
                -8
            } else {
                12
            }
        }
        Shape::Time | Shape::Years if is_about("how long") && is_span_looked_at(clause) => 8,
        Shape::Time | Shape::Years if is_about("amount") => {
            if is_pay_for_days(clause, context) {
                12
            } else {
                -8
            }
        }
        Shape::Date if is_about("takes effect") && runs_from(clause) => 6,
        Shape::Date if is_about("takes effect") && in_clause == 0 => -8,
        Shape::Words if is_about("qualif") && act == Act::Definition => 6,
        Shape::Percent if is_about("measure") && is_share_of_a_thing(clause) => 10,
        Shape::Date if is_about("deadline") && in_clause == 0 && !says_by_when(clause) => -4,
        Shape::Date if is_about("deadline") && says_by_when(clause) => 4,
        Shape::Date if is_about("dates of service") && in_clause == 0 => -8,
        // What is paid or owed in words is so only where the row says what is given or counted.
        Shape::Words if is_about("amount") && act == Act::Condition => -8,
        Shape::Words if is_about("deadline") && in_clause < 2 => -8,
        Shape::Words if is_about("how often") && in_clause == 0 => -8,
        Shape::Words if is_about("enrol") && receives_a_benefit(clause) => 12,
        Shape::Words
            if is_about("percent")
                && !["全額", "半數", "半額"].iter().any(|it| clause.contains(it)) =>
        {
            -20
        }
        // What money is, where nothing says it: what is paid, before what somebody has.
        Shape::Money if is_about("amount") && in_clause == 0 => 1,
        Shape::Times if is_about("how often") => 8,
        Shape::Time | Shape::Years if is_about("how often") && recurs(clause) => 12,
        Shape::Number if is_about("age") && is_bare_age(clause) => 20,
        Shape::Years | Shape::Time if is_about("age") && turns_an_age(clause) => 12,
        Shape::Number if is_about("headcount") && in_clause == 0 => -8,
        Shape::Time if is_about("measure") && act != Act::Computation => -8,
        // "Served for 24 months", not "payable for 24 months to those who served".
        Shape::Time | Shape::Years if is_about("length of service") && !is_served(clause) => -8,
        Shape::Time | Shape::Years if is_about("length of service") && is_counted_from(clause) => {
            -8
        }
        // Nothing says what lasts: how long something is given, before how long somebody served.
        Shape::Time | Shape::Years if is_about("how long") && in_clause == 0 => 1,
        Shape::Time | Shape::Years
            if in_clause == 0 && (is_about("insured") || is_about("waiting")) =>
        {
            -4
        }
        Shape::Time if is_about("length of service") && in_clause == 0 => -4,
        // "served on active duty" without a length is a quality of the person.
        Shape::Words if is_about("length of service") => -8,
        _ => 0,
    }
}
