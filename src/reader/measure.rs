//! The quantities and dates of a sentence, as rows state them: operator, plain value, unit.
//!
//! It reads nothing itself; `text` does. What `text` leaves open (a date with two readings, a
//! number "or so") stays out of the rows.

use rust_decimal::Decimal;

use crate::model::claim::{Op, Value};
use crate::reader::clause::is_mostly_han;
use crate::reader::concept::Shape;
use crate::reader::stated::Measure;
use crate::reader::wording::{
    as_frequency, as_lasting, as_look_back, as_service, as_single, birthdays, is_next_one,
    share_back,
};
use crate::text::amounts::comparator::Relation;
use crate::text::amounts::quantity::{DatedQuantity, Quantity, read_all};
use crate::text::amounts::unit::{Family, Unit};
use crate::text::dates::date::{DateToken, PartialDate};
use crate::text::numbers::number::NumberToken;
use crate::text::span::Span;

/// Most quantities taken from one piece of text. A sentence with more is no sentence.
const MOST: usize = 100;

/// The quantities and dates within `span` of `text`, in reading order.
pub fn measures_in(text: &str, span: Span) -> Vec<Measure> {
    let Some(piece) = span.slice(text) else { return Vec::new() };
    let readings = read_all(piece);
    let is_han = is_mostly_han(piece);
    let quantities = readings.quantities.iter().filter_map(|it| of_quantity(piece, it, is_han));
    let dates = readings.dates.iter().filter_map(|it| of_date(piece, it));
    let mut found: Vec<Measure> = quantities.chain(dates).chain(birthdays(piece)).collect();
    found.sort_by_key(|it| (it.number.start, it.number.end));
    found.dedup_by(|later, earlier| earlier.number.overlaps(later.number));
    share_comparison(piece, &mut found);
    share_back(piece, &mut found);
    join_limits(piece, &mut found);
    for it in &mut found {
        as_frequency(piece, it);
        as_single(piece, it);
        as_look_back(piece, it);
        as_lasting(piece, it);
    }
    date_effects(piece, &mut found);
    for it in &mut found {
        as_service(piece, it);
    }
    found.retain(|it| !is_mention(piece, it, is_han));
    found.truncate(MOST);
    for it in &mut found {
        it.span = it.span.shifted(span.start);
        it.number = it.number.shifted(span.start);
    }
    found
}

fn of_quantity(text: &str, it: &Quantity, is_han: bool) -> Option<Measure> {
    let first = it.numbers.first();
    if it.numbers.iter().any(|it| it.approximate || !it.others.is_empty()) {
        return None;
    }
    let percent = first
        .filter(|it_is| {
            it.unit.as_ref().is_none_or(is_share) || !is_beside(it_is.span, it.unit_span)
        })
        .and_then(NumberToken::percent);
    let one = if it.implied { Some(Decimal::ONE) } else { first.map(|it| it.value) };
    let value = match (percent, it.ends()) {
        (Some(low), Some(_)) => {
            let high = it.numbers.last().and_then(NumberToken::percent)?;
            Value::List(vec![number(low)?, number(high)?])
        }
        (Some(percent), None) => number(percent)?,
        (None, Some((low, high))) => Value::List(vec![number(low)?, number(high)?]),
        (None, None) => number(one?)?,
    };
    let is_range = matches!(value, Value::List(_));
    let unit = if percent.is_some() {
        Some("%".to_owned())
    } else {
        it.unit.as_ref().map(|unit| unit_name(text, it, unit, is_han))
    };
    let start = first.map_or(it.span.start, |it| it.span.start);
    let end = it.numbers.last().map_or(it.span.end, |it| it.span.end);
    let number_span = match it.unit_span {
        Some(unit) => Span::new(start.min(unit.start), end.max(unit.end)),
        None => Span::new(start, end),
    };
    Some(Measure {
        span: it.span,
        number: number_span,
        op: if is_range { Op::Between } else { op_of(it.relation) },
        value,
        shape: if percent.is_some() {
            Shape::Percent
        } else {
            shape_of(it.unit.as_ref(), first.is_some_and(|it| it.times))
        },
        unit,
        is_compared: !it.comparators.is_empty(),
        is_implied: it.implied,
    })
}

/// True where a unit stands directly at its number. One that is shared with a later number is not
/// the unit of a fraction.
fn is_beside(number: Span, unit: Option<Span>) -> bool {
    unit.is_none_or(|it| it.start <= number.end + 1 && number.start <= it.end + 1)
}

/// Numbers joined by "or", 或, 乘以 share the comparison of the first: 不得小於十公尺乘以二十公尺.
fn share_comparison(text: &str, found: &mut [Measure]) {
    for at in 1..found.len() {
        let (before, after) = found.split_at_mut(at);
        let (Some(first), Some(second)) = (before.last(), after.first_mut()) else { continue };
        let between = text.get(first.number.end..second.number.start).unwrap_or_default();
        if first.is_compared
            && !second.is_compared
            && joins(between)
            && first.shape == second.shape
            && second.op == Op::Eq
        {
            second.op = first.op;
            second.is_compared = true;
        }
    }
}

/// "At least 16 years old but not older than 65": one range, both ends included.
fn join_limits(text: &str, found: &mut Vec<Measure>) {
    let mut at = 1;
    while at < found.len() {
        let (low, high) = (&found[at - 1], &found[at]);
        let between = text.get(low.span.end..high.span.start).unwrap_or("?").trim();
        let between = between.trim_start_matches([',', '，']).trim();
        let is_pair = low.op == Op::Ge
            && high.op == Op::Le
            && low.shape == high.shape
            && low.unit == high.unit
            && matches!(between, "but" | "and" | "但" | "且");
        if is_pair && let (Value::Number(from), Value::Number(to)) = (&low.value, &high.value) {
            let value = Value::List(vec![Value::Number(from.clone()), Value::Number(to.clone())]);
            let joined = Measure {
                span: Span::new(low.span.start, high.span.end),
                number: Span::new(low.number.start, high.number.end),
                op: Op::Between,
                value,
                ..low.clone()
            };
            found[at - 1] = joined;
            found.remove(at);
        } else {
            at += 1;
        }
    }
}

/// 自一百年一月一日施行, "shall become effective on …": the day itself, not "from then on".
fn date_effects(text: &str, found: &mut [Measure]) {
    let low = text.to_ascii_lowercase();
    let takes_effect = ["施行", "生效", "become effective", "takes effect", "effective on"]
        .iter()
        .any(|it| low.contains(it));
    for it in
        found.iter_mut().filter(|it| takes_effect && it.shape == Shape::Date && it.op == Op::Ge)
    {
        it.op = Op::Eq;
    }
}

/// True for words that do no more than join two numbers, a bracket before them aside.
fn joins(between: &str) -> bool {
    let rest = between.trim();
    let rest = match rest.strip_prefix(['（', '(']) {
        Some(inner) => inner.split_once(['）', ')']).map_or(rest, |(_, after)| after.trim()),
        None => rest,
    };
    matches!(rest, "或" | "乘以" | "或者" | "×" | "or" | "by")
}

/// True for a number that only names or counts what is spoken of: 一次領取, 最近一年度, 分為四種,
/// a date that dates another rule.
fn is_mention(text: &str, it: &Measure, is_han: bool) -> bool {
    let before = text.get(..it.number.start).unwrap_or_default();
    let after = text.get(it.number.end..).unwrap_or_default();
    let is_one = it.value == Value::Number(1.into());
    let unit = it.unit.as_deref().unwrap_or_default();
    if it.shape == Shape::Date {
        let reach: String = after.chars().take(40).collect();
        let dates_a_rule =
            reach.starts_with("修正") || reach.starts_with("公布") || reach.starts_with("發布");
        return dates_a_rule
            && (reach.contains("條例")
                || reach.contains("條規定")
                || reach.contains("條之")
                || reach.contains("條文"));
    }
    if counts_alternatives(it, text) || is_next_one(it, text) {
        return true;
    }
    if it.is_compared {
        return false;
    }
    if it.unit.is_none() && it.shape == Shape::Number && !is_han {
        return true;
    }
    let is_time = matches!(it.shape, Shape::Time | Shape::Years);
    // 二十四時, 附表第一級, 萬元數: an hour of the day, a line of a table, a place value.
    // "24 hours a day, 7 days a week": always.
    let is_always = [("24", " hours a day"), ("7", " days a week"), ("365", " days a year")]
        .iter()
        .any(|(count, words)| {
            it.value.to_string() == *count && text.contains(&format!("{count}{words}"))
        });
    let is_named = is_always
        || (it.unit.is_none() && after.starts_with('時'))
        || (it.shape == Shape::Grade
            && !it.is_compared
            && (before.ends_with('表') || names_the_subject(after)))
        || after.starts_with('數');
    is_named
        || (is_one && unit == "次")
        || (is_time && after.starts_with('度'))
        || (is_time
            && is_one
            && ["最近", "前", "上", "次", "同"].iter().any(|it| before.ends_with(it)))
        || matches!(unit, "種" | "類" | "式" | "款" | "項" | "目" | "部分" | "階段" | "方面")
}

/// "at least one of these", "1 of 8", "one or more", "20/200", "half time": no quantities.
fn counts_alternatives(it: &Measure, text: &str) -> bool {
    let before = text.get(..it.number.start).unwrap_or_default();
    let after = text.get(it.number.end..).unwrap_or_default();
    let is_one = it.value == Value::Number(1.into());
    let rest = after.trim_start();
    let is_bare = it.unit.is_none();
    let is_time = matches!(it.shape, Shape::Time | Shape::Years);
    let at_once =
        ["領", "發", "徵", "給", "請", "付", "繳", "核"].iter().any(|it| rest.starts_with(it));
    (is_one && it.unit.as_deref() == Some("次") && at_once)
        || (is_time && is_place_in_order(it.number.slice(text).unwrap_or_default()))
        || (is_one && is_bare && rest.starts_with("of "))
        || (is_one && is_bare && (rest.starts_with("or more ") || rest.starts_with("or both")))
        || (is_bare && (before.ends_with('/') || after.starts_with('/')))
        || (it.shape == Shape::Times && !is_whole(&it.value))
}

/// 第一等級為一千日: the grade is what the sentence is about, not what it says.
fn names_the_subject(after: &str) -> bool {
    ["為", "：", "者", "之"].iter().any(|it| after.starts_with(it))
}

/// "first day", "3rd month": a place in an order, not a length of time. A birthday says an age.
fn is_place_in_order(words: &str) -> bool {
    if words.to_ascii_lowercase().ends_with(" birthday") {
        return false;
    }
    let first = words.split(' ').next().unwrap_or_default().to_ascii_lowercase();
    matches!(first.as_str(), "first" | "second" | "third" | "last")
        || ["st", "nd", "rd", "th"].iter().any(|it| first.ends_with(it) && first.len() > it.len())
}

fn is_whole(value: &Value) -> bool {
    matches!(value, Value::Number(it) if it.is_i64() || it.is_u64())
}

fn is_share(unit: &Unit) -> bool {
    unit.family == Family::Percent
}

fn number(value: Decimal) -> Option<Value> {
    let plain = value.round_dp(4).normalize().to_string();
    serde_json::from_str(&plain).ok().map(Value::Number)
}

fn of_date(text: &str, it: &DatedQuantity) -> Option<Measure> {
    let values: Option<Vec<Value>> = it.dates.iter().map(|it| date_value(text, it)).collect();
    let mut values = values?;
    let start = it.dates.first()?.span.start;
    let end = it.dates.last()?.span.end;
    let (op, value) = if values.len() == 2 {
        (Op::Between, Value::List(values))
    } else {
        (op_of(it.relation), values.pop()?)
    };
    Some(Measure {
        span: it.span,
        number: Span::new(start, end),
        op,
        value,
        unit: None,
        shape: Shape::Date,
        is_compared: !it.comparators.is_empty(),
        is_implied: false,
    })
}

/// A whole date in ISO form, a year as a number, a day of each year in the page's words.
fn date_value(text: &str, token: &DateToken) -> Option<Value> {
    let [only] = token.candidates.as_slice() else { return None };
    if let Some(date) = only.date() {
        return Some(Value::Text(date.to_string()));
    }
    match *only {
        PartialDate { year: Some(year), month: None, day: None } => {
            Some(Value::Number(i64::from(year).into()))
        }
        PartialDate { month: Some(_), .. } => {
            token.span.slice(text).map(|it| Value::Text(it.to_owned()))
        }
        _ => None,
    }
}

fn op_of(relation: Relation) -> Op {
    match relation {
        Relation::Equal => Op::Eq,
        Relation::AtLeast => Op::Ge,
        Relation::MoreThan => Op::Gt,
        Relation::AtMost => Op::Le,
        Relation::LessThan => Op::Lt,
        Relation::Between => Op::Between,
        Relation::Not => Op::Ne,
    }
}

fn shape_of(unit: Option<&Unit>, is_times: bool) -> Shape {
    let Some(unit) = unit else { return if is_times { Shape::Times } else { Shape::Number } };
    match unit.family {
        Family::Money => Shape::Money,
        Family::Percent => Shape::Percent,
        Family::Age => Shape::Years,
        Family::Duration if unit.may_be_age => Shape::Years,
        Family::Duration => Shape::Time,
        Family::Date => Shape::Date,
        Family::Frequency => Shape::Times,
        Family::Grade => Shape::Grade,
        Family::Count if matches!(unit.name.as_str(), "person" | "people") => Shape::Persons,
        _ => Shape::Number,
    }
}

/// The unit's name: currencies by code, time in the plural, everything else as the page words it,
/// each with what it is counted per.
fn unit_name(text: &str, it: &Quantity, unit: &Unit, is_han: bool) -> String {
    let worded = it.unit_span.and_then(|it| it.slice(text)).unwrap_or(&unit.name);
    let head = match unit.family {
        Family::Money if unit.name == "dollar" => "$".to_owned(),
        Family::Money => unit.name.clone(),
        Family::Percent => "%".to_owned(),
        Family::Age if is_han => "歲".to_owned(),
        Family::Duration if is_han => han_time(&unit.name).unwrap_or(worded).to_owned(),
        Family::Duration | Family::Age => format!("{}s", unit.name),
        _ => worded.to_owned(),
    };
    let per: String = unit
        .per
        .iter()
        .map(|it| format!("/{}", if is_han { han_time(it).unwrap_or(it) } else { it }))
        .collect();
    head + &per
}

fn han_time(name: &str) -> Option<&'static str> {
    Some(match name {
        "year" => "年",
        "month" => "月",
        "week" => "週",
        "day" => "日",
        "hour" => "小時",
        "minute" => "分鐘",
        "person" => "人",
        "case" => "件",
        "time" => "次",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(Op, String, Option<String>)> {
        measures_in(text, Span::new(0, text.len()))
            .into_iter()
            .map(|it| (it.op, it.value.to_string(), it.unit))
            .collect()
    }

    #[test]
    fn quantities_are_stated_with_operator_value_and_unit() {
        assert_eq!(read("年滿六十五歲"), [(Op::Ge, "65".into(), Some("歲".into()))]);
        assert_eq!(read("負擔百分之三十"), [(Op::Eq, "30".into(), Some("%".into()))]);
        assert_eq!(read("達二分之一以上"), [(Op::Ge, "50".into(), Some("%".into()))]);
        assert_eq!(read("up to $1,000"), [(Op::Le, "1000".into(), Some("$".into()))]);
        assert_eq!(read("at least 24 months"), [(Op::Ge, "24".into(), Some("months".into()))]);
    }

    #[test]
    fn a_range_of_shares_keeps_both_ends() {
        for (text, low, high) in [
            ("between 40% and 90% of the full fee", "40", "90"),
            ("from 0% to 100%", "0", "100"),
            ("補助百分之十至百分之三十", "10", "30"),
        ] {
            let found = read(text);
            let [(Op::Between, value, Some(unit))] = found.as_slice() else { panic!("{found:?}") };
            assert!(value.contains(low) && value.contains(high) && unit == "%", "{found:?}");
        }
    }

    #[test]
    fn dates_are_stated_as_days_and_left_out_where_they_can_be_read_twice() {
        assert_eq!(read("after September 10, 2001"), [(Op::Gt, "2001-09-10".into(), None)]);
        assert_eq!(read("自中華民國九十八年一月一日施行")[0].1, "2009-01-01");
        assert!(read("before 03/04/2001").is_empty());
    }
}
