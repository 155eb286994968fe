//! Wordings that turn a quantity into another one than its number and unit say: "every 3 months",
//! "one-time", 最近三年未, "stayed through", "your 55th birthday".
//!
//! Each looks at the words beside the number alone, and changes nothing where it is not sure.

use crate::model::claim::{Op, Value};
use crate::reader::concept::Shape;
use crate::reader::stated::Measure;
use crate::text::span::Span;

/// "At least every 3 months" says how often: once in each such time or more.
pub fn as_frequency(text: &str, it: &mut Measure) {
    let before = text.get(..it.number.start).unwrap_or_default().trim_end();
    let is_often = [("at least every", Op::Ge), ("at least once every", Op::Ge)].into_iter().find(
        |(words, _)| {
            let from = before.len().checked_sub(words.len());
            from.and_then(|it| before.get(it..)).is_some_and(|it| it.eq_ignore_ascii_case(words))
        },
    );
    if let (Some((_, op)), Some(unit), Shape::Time | Shape::Years) = (is_often, &it.unit, it.shape)
    {
        it.unit = Some(format!("per {} {unit}", it.value));
        it.value = Value::Number(1.into());
        it.op = op;
        it.shape = Shape::Times;
        it.is_compared = true;
    }
}

/// "A one-time payment", "a one-off grant", 一次性補助: a kind of payment in the page's words, not a count.
pub fn as_single(text: &str, it: &mut Measure) {
    let words = it.number.slice(text).unwrap_or_default();
    let after = text.get(it.number.end..).unwrap_or_default();
    let is_one = it.value == Value::Number(1.into());
    let low = words.to_ascii_lowercase();
    let end = match (is_one, it.shape) {
        (true, Shape::Times) if low.ends_with("-time") || low.ends_with("-off") => it.number.end,
        (true, _) if after.starts_with("-off") || after.starts_with("-time") => {
            it.number.end + after.find(' ').unwrap_or(after.len()).min("-time".len())
        }
        (true, Shape::Times) if after.starts_with('性') => it.number.end + '性'.len_utf8(),
        _ => return,
    };
    let whole = Span::new(it.number.start, end);
    let Some(words) = whole.slice(text) else { return };
    let words = words.trim_end_matches([',', '.', ';']).to_owned();
    it.number = whole;
    it.span = Span::new(it.span.start.min(whole.start), it.span.end.max(whole.end));
    it.value = Value::Text(words);
    (it.op, it.unit, it.shape) = (Op::Is, None, Shape::Times);
}

/// 最近三年未發生…者, "in the last 3 years has not": nothing of it for that long or longer.
pub fn as_look_back(text: &str, it: &mut Measure) {
    let is_time = matches!(it.shape, Shape::Time | Shape::Years);
    if it.op != Op::Eq || it.is_compared || !is_time {
        return;
    }
    let before = text.get(..it.number.start).unwrap_or_default();
    let after = text.get(it.number.end..).unwrap_or_default();
    let looks_back = ["最近", "過去", "近", "前"].iter().any(|it| before.ends_with(it));
    let rest = after.trim_start_matches(['內', '间', '間']);
    if looks_back && ["未", "無", "沒有", "不曾"].iter().any(|it| rest.starts_with(it)) {
        it.op = Op::Ge;
    }
}

/// "Must have served 24 months": that long or longer.
pub fn as_service(text: &str, it: &mut Measure) {
    const VERBS: [&str; 5] = ["served", "completed", "lived", "resided", "worked"];
    let before = text.get(..it.number.start).unwrap_or_default().trim_end();
    let mut words = before.rsplit(char::is_whitespace);
    let verb = words.next().unwrap_or_default().to_ascii_lowercase();
    let is_done = VERBS.contains(&verb.as_str())
        && words.next().is_some_and(|it| it.eq_ignore_ascii_case("have"))
        && words.next().is_some_and(|it| it.eq_ignore_ascii_case("must"));
    if is_done && it.op == Op::Eq && matches!(it.shape, Shape::Time | Shape::Years) {
        it.op = Op::Ge;
        it.is_compared = true;
    }
}

/// "A second home", "a second time": one more of its kind, and no second of time.
pub fn is_next_one(it: &Measure, text: &str) -> bool {
    let words = it.number.slice(text).unwrap_or_default().to_ascii_lowercase();
    let after = text.get(it.number.end..).unwrap_or_default();
    it.is_implied
        && words.ends_with("second")
        && after.strip_prefix(' ').is_some_and(|it| it.starts_with(char::is_alphabetic))
}

/// 每年五月三十一日及十一月三十日前: what stands behind the last date holds for the one before it too.
pub fn share_back(text: &str, found: &mut [Measure]) {
    for at in (1..found.len()).rev() {
        let (before, after) = found.split_at_mut(at);
        let (Some(first), Some(second)) = (before.last_mut(), after.first()) else { continue };
        let between = text.get(first.number.end..second.number.start).unwrap_or_default();
        let stands_behind = second.is_compared && second.span.end > second.number.end;
        if stands_behind
            && !first.is_compared
            && first.op == Op::Eq
            && (first.shape, second.shape) == (Shape::Date, Shape::Date)
            && matches!(between, "及" | "或" | "與" | "、")
        {
            first.op = second.op;
            first.is_compared = true;
        }
    }
}

/// "Stayed on active duty through June 30, 1988": so long or longer; the day is no last one.
pub fn as_lasting(text: &str, it: &mut Measure) {
    const VERBS: [&str; 6] =
        ["stay ", "stayed ", "remain ", "remained ", "continue ", "continued "];
    const REACH: usize = 120;
    if it.shape != Shape::Date || it.op != Op::Le {
        return;
    }
    let before = text.get(..it.number.start).unwrap_or_default().to_ascii_lowercase();
    let from = before.char_indices().rev().nth(REACH).map_or(0, |(at, _)| at);
    let sentence = before[from..].rsplit([';', '.']).next().unwrap_or_default();
    let reaches = ["through ", "until "].iter().any(|it| sentence.ends_with(it));
    if reaches && VERBS.iter().any(|it| sentence.contains(it)) {
        it.op = Op::Ge;
    }
}

/// "On or after your 55th birthday", "before the 18th birthday": ages.
pub fn birthdays(text: &str) -> Vec<Measure> {
    const LEADS: [(&str, Op); 4] =
        [("on or after", Op::Ge), ("before", Op::Lt), ("until", Op::Lt), ("prior to", Op::Lt)];
    let low = text.to_ascii_lowercase();
    let mut found = Vec::new();
    for (at, word) in low.match_indices(" birthday") {
        let Some((head, ordinal)) = low[..at].rsplit_once(' ') else { continue };
        let digits = ordinal.trim_end_matches(|it: char| it.is_ascii_alphabetic());
        let is_ordinal = ["st", "nd", "rd", "th"].contains(&&ordinal[digits.len()..]);
        let Some(years) = digits.parse::<u8>().ok().filter(|_| is_ordinal) else { continue };
        // One word stands between: your, his, the.
        let lead = head.rsplit_once(' ').map_or("", |(lead, _)| lead);
        let Some((words, op)) = LEADS.iter().find(|(words, _)| lead.ends_with(words)) else {
            continue;
        };
        let start = at - ordinal.len();
        found.push(Measure {
            span: Span::new(lead.len() - words.len(), at + word.len()),
            number: Span::new(start, at + word.len()),
            op: *op,
            value: Value::Number(years.into()),
            unit: Some("years".to_owned()),
            shape: Shape::Years,
            is_compared: true,
            is_implied: false,
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::measure::measures_in;

    fn read(text: &str) -> Vec<(Op, String, Option<String>)> {
        measures_in(text, Span::new(0, text.len()))
            .into_iter()
            .map(|it| (it.op, it.value.to_string(), it.unit))
            .collect()
    }

    #[test]
    fn one_more_one_off_and_looking_back_are_no_plain_counts() {
        assert!(read("You must not own a second home").is_empty());
        for (text, words) in [
            ("A one-time payment for the move", "one-time"),
            ("a one-off grant", "one-off"),
            ("發給一次性補助", "一次性"),
        ] {
            let found = read(text);
            assert!(
                found.iter().all(|it| it.0 == Op::Is && it.1.contains(words) && it.2.is_none()),
                "{text}: {found:?}"
            );
        }
        assert_eq!(read("最近三年未違反規定者"), [(Op::Ge, "3".into(), Some("年".into()))]);
        assert_eq!(read("最近三年之平均所得"), [(Op::Eq, "3".into(), Some("年".into()))]);
    }

    #[test]
    fn a_word_behind_the_last_of_two_dates_holds_for_both() {
        let ops: Vec<Op> =
            read("每年五月三十一日及十一月三十日前").into_iter().map(|it| it.0).collect();
        assert_eq!(ops, [Op::Lt, Op::Lt]);
        let ops: Vec<Op> =
            read("於五月三十一日及十一月三十日辦理").into_iter().map(|it| it.0).collect();
        assert!(ops.iter().all(|it| *it == Op::Eq), "{ops:?}");
    }

    #[test]
    fn a_state_that_lasts_through_a_day_lasts_so_long_or_longer() {
        assert_eq!(read("You stayed with the service through June 30, 1988")[0].0, Op::Ge);
        assert_eq!(read("You may apply through June 30, 1988")[0].0, Op::Le);
    }

    #[test]
    fn birthdays_are_ages() {
        let years = || Some("years".to_owned());
        let kept = read("If you move on or after your 55th birthday, you keep it");
        assert_eq!(kept, [(Op::Ge, "55".into(), years())]);
        assert_eq!(read("before the 18th birthday"), [(Op::Lt, "18".into(), years())]);
        assert!(read("a card for your birthday").is_empty());
    }
}
