//! What a client wrote as a correction, read into the row's claim: operator, value, unit, quote. What
//! is not one value of the kind the row holds is not read; nothing written is left out.

use jiff::civil::Date;
use rust_decimal::Decimal;
use unicode_normalization::UnicodeNormalization;

use crate::model::claim::{Claim, Op, Value};
use crate::signoff::word::plain;
use crate::text::amounts::comparator::Relation;
use crate::text::amounts::quantity::{DatedQuantity, Quantity, read_all};
use crate::text::amounts::unit::{Family, Unit, parse_unit};
use crate::text::span::Span;

/// What the client wrote; empty where a cell is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written<'a> {
    pub value: &'a str,
    pub quote: &'a str,
}

/// The claim with the corrected value, operator, unit and snippet in place; `None` where the value
/// cannot be read as one of the kind the row holds.
pub fn corrected_claim(claim: &Claim, written: &Written) -> Option<Claim> {
    let mut corrected = claim.clone();
    if !written.quote.trim().is_empty() {
        written.quote.trim().clone_into(&mut corrected.snippet);
    }
    let text = without_sheet_words(written.value);
    let text = text.trim();
    if text.is_empty() {
        return Some(corrected);
    }
    match &claim.value {
        Value::Bool(_) => corrected.value = Value::Bool(truth(text)?),
        value if holds_dates(value) => days(text, &mut corrected)?,
        Value::Number(_) | Value::List(_) => amount(text, &mut corrected)?,
        Value::Text(_) | Value::Null => {
            if claim.value == Value::Null && amount(text, &mut corrected).is_some() {
                return Some(corrected);
            }
            corrected.value = Value::Text(text.to_owned());
        }
    }
    Some(corrected)
}

/// The sheet says in brackets whether a limit counts; a client who copies its words may leave that.
fn without_sheet_words(text: &str) -> String {
    const REMARKS: [&str; 6] =
        ["（兩端皆含）", "（不含）", "（含）", "(兩端皆含)", "(both included)", "(inclusive)"];
    REMARKS.iter().fold(text.to_owned(), |text, it| text.replace(it, ""))
}

fn truth(text: &str) -> Option<bool> {
    match plain(text).as_str() {
        "yes" | "true" | "是" | "有" => Some(true),
        "no" | "false" | "否" | "無" | "没有" | "沒有" => Some(false),
        _ => None,
    }
}

/// True for a value that is a day or the two ends of a period.
pub fn holds_dates(value: &Value) -> bool {
    match value {
        Value::Text(text) => text.trim().parse::<Date>().is_ok(),
        Value::List(ends) => !ends.is_empty() && ends.iter().all(holds_dates),
        _ => false,
    }
}

/// Reads `2027-03-01`, `1 March 2027`, `民國116年3月1日以前`, `2027-03-01 至 2027-09-30` into the claim.
/// A date with two readings is not read.
fn days(text: &str, claim: &mut Claim) -> Option<()> {
    let (op, rest) = leading_op(text);
    let read = read_all(rest);
    let [dated] = read.dates.as_slice() else { return None };
    let all = |dated: &DatedQuantity| -> Option<Vec<Value>> {
        let day = |it: &crate::text::dates::date::DateToken| match it.candidates.as_slice() {
            [only] => only.date().map(|day| Value::Text(day.to_string())),
            _ => None,
        };
        dated.dates.iter().map(day).collect()
    };
    if !covers(dated.span, rest, dated.dates.len()) {
        return None;
    }
    let mut days = all(dated)?;
    match (days.len(), op) {
        (1, _) => {
            claim.value = days.swap_remove(0);
            claim.op = op.or_else(|| stated_op(dated.relation)).unwrap_or(single(claim.op));
        }
        (2, None) => {
            claim.value = Value::List(days);
            claim.op = Op::Between;
        }
        _ => return None,
    }
    Some(())
}

/// Reads `65`, `>= 65 years`, `at least 65`, `18 - 25`, `65歲以上`, `5%` into the claim. The whole text
/// has to be one quantity: nothing beside it is left unread.
fn amount(text: &str, claim: &mut Claim) -> Option<()> {
    let (op, rest) = leading_op(text);
    if op.is_none() && has_leading_zero(rest) {
        claim.value = Value::Text(rest.to_owned());
        return Some(());
    }
    let read = read_all(rest);
    let [quantity] = read.quantities.as_slice() else { return None };
    let is_open =
        |it: &crate::text::numbers::number::NumberToken| it.approximate || !it.others.is_empty();
    if !covers(whole_span(quantity), rest, quantity.numbers.len())
        || quantity.numbers.iter().any(is_open)
    {
        return None;
    }
    let unit = unit_for(quantity, rest, claim.unit.as_deref());
    let is_share =
        unit.as_deref().and_then(parse_unit).is_some_and(|it| it.family == Family::Percent);
    let value = |it: &crate::text::numbers::number::NumberToken| {
        number(if is_share { it.percent().unwrap_or(it.value) } else { it.value })
    };
    let numbers: Option<Vec<Value>> = quantity.numbers.iter().map(value).collect();
    let mut numbers = numbers?;
    match (numbers.len(), op) {
        (1, _) => {
            claim.value = numbers.swap_remove(0);
            claim.op = op.or_else(|| stated_op(quantity.relation)).unwrap_or(single(claim.op));
        }
        (2, None) => {
            claim.value = Value::List(numbers);
            claim.op = Op::Between;
        }
        _ => return None,
    }
    claim.unit = unit;
    Some(())
}

/// The unit after a correction: the row's own where the client wrote none or the same; else the words
/// as written, or their plain name where they cannot be told from the number (`5%`).
fn unit_for(quantity: &Quantity, text: &str, held: Option<&str>) -> Option<String> {
    let held_text = held.map(str::to_owned);
    let Some(stated) = &quantity.unit else { return held_text };
    let is_share = |it: &Unit| it.family == Family::Percent;
    if is_share(stated) {
        // Parts of a hundred and of a thousand alike are kept as percent.
        let is_held = held.and_then(parse_unit).is_some_and(|it| is_share(&it));
        let core = held_text.filter(|_| is_held).unwrap_or_else(|| "%".to_owned());
        let held_per = parse_unit(&core).map(|it| it.per).unwrap_or_default();
        let added = stated.per.iter().filter(|it| !held_per.contains(it));
        return Some(added.fold(core.clone(), |unit, per| format!("{unit}/{per}")));
    }
    if held.and_then(parse_unit).is_some_and(|it| is_the_same(&it, stated)) {
        return held_text;
    }
    let overlaps =
        |it: Span| quantity.numbers.iter().any(|n| n.span.start < it.end && it.start < n.span.end);
    let words = quantity.unit_span.filter(|it| !overlaps(*it)).and_then(|it| it.slice(text));
    let named = || {
        let parts: Vec<&str> = std::iter::once(stated.name.as_str())
            .chain(stated.per.iter().map(String::as_str))
            .collect();
        parts.join("/")
    };
    Some(words.map_or_else(named, |it| it.trim().to_owned()))
}

/// The same unit in other words; a period that the client writes and the row does not hold differs.
fn is_the_same(held: &Unit, stated: &Unit) -> bool {
    held.agrees_with(stated) && stated.per.iter().all(|it| held.per.contains(it))
}

/// An operator for one number, where the row had one for two.
fn single(op: Op) -> Op {
    if matches!(op, Op::Between | Op::In) { Op::Eq } else { op }
}

fn stated_op(relation: Relation) -> Option<Op> {
    match relation {
        Relation::Equal | Relation::Between => None,
        Relation::AtLeast => Some(Op::Ge),
        Relation::MoreThan => Some(Op::Gt),
        Relation::AtMost => Some(Op::Le),
        Relation::LessThan => Some(Op::Lt),
        Relation::Not => Some(Op::Ne),
    }
}

fn leading_op(text: &str) -> (Option<Op>, &str) {
    const SIGNS: &[(&str, Op)] = &[
        (">=", Op::Ge),
        ("=>", Op::Ge),
        ("≥", Op::Ge),
        ("≧", Op::Ge),
        ("＞＝", Op::Ge),
        ("<=", Op::Le),
        ("=<", Op::Le),
        ("≤", Op::Le),
        ("≦", Op::Le),
        ("＜＝", Op::Le),
        ("!=", Op::Ne),
        ("≠", Op::Ne),
        (">", Op::Gt),
        ("＞", Op::Gt),
        ("<", Op::Lt),
        ("＜", Op::Lt),
        ("=", Op::Eq),
        ("＝", Op::Eq),
        ("exactly ", Op::Eq),
        ("等於", Op::Eq),
    ];
    for (sign, op) in SIGNS {
        if let Some(rest) = text.strip_prefix(sign) {
            return (Some(*op), rest.trim());
        }
    }
    (None, text)
}

/// Digits that begin with a zero are a code, not an amount.
fn has_leading_zero(text: &str) -> bool {
    let plain: String = text.nfkc().collect();
    let is_code = plain.len() > 1 && plain.chars().all(|it| it.is_ascii_digit());
    is_code && plain.starts_with('0')
}

fn whole_span(quantity: &Quantity) -> Span {
    let unit = quantity.unit_span.unwrap_or(quantity.span);
    Span::new(quantity.span.start.min(unit.start), quantity.span.end.max(unit.end))
}

/// True where nothing but what was read stands in the text; two ends may have their words around them.
fn covers(span: Span, text: &str, ends: usize) -> bool {
    const BEFORE: [&str; 6] = ["from", "between", "自", "從", "由", "介於"];
    const AFTER: [&str; 2] = ["之間", "止"];
    let (Some(before), Some(after)) = (text.get(..span.start), text.get(span.end..)) else {
        return false;
    };
    let is_word = |part: &str, words: &[&str]| {
        let part = plain(part);
        part.is_empty() || ends == 2 && words.contains(&part.as_str())
    };
    is_word(before, &BEFORE) && is_word(after, &AFTER)
}

fn number(value: Decimal) -> Option<Value> {
    let number: serde_json::Number = serde_json::from_str(&value.normalize().to_string()).ok()?;
    Some(Value::Number(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corrected(value: &str) -> Option<(Op, String, Option<String>)> {
        let claim = Claim {
            op: Op::Ge,
            value: Value::Number(60.into()),
            unit: Some("years".into()),
            ..Claim::default()
        };
        let it = corrected_claim(&claim, &Written { value, quote: "" })?;
        Some((it.op, it.value.to_string(), it.unit))
    }

    #[test]
    fn a_value_is_read_with_its_operator_and_unit() {
        let years = Some("years".to_owned());
        assert_eq!(corrected("65"), Some((Op::Ge, "65".into(), years.clone())));
        assert_eq!(corrected("> 65"), Some((Op::Gt, "65".into(), years.clone())));
        assert_eq!(corrected("６５"), Some((Op::Ge, "65".into(), years.clone())));
        assert_eq!(corrected("1,200.50"), Some((Op::Ge, "1200.5".into(), years.clone())));
        assert_eq!(corrected("18 - 25"), Some((Op::Between, "[18, 25]".into(), years.clone())));
        assert_eq!(
            corrected("at least 7 months"),
            Some((Op::Ge, "7".into(), Some("months".into())))
        );
        assert_eq!(corrected("65歲以上"), Some((Op::Ge, "65".into(), years.clone())));
        assert_eq!(corrected("超過65歲"), Some((Op::Gt, "65".into(), years.clone())));
        assert_eq!(corrected("未滿（不含）六十五歲"), Some((Op::Lt, "65".into(), years.clone())));
        assert_eq!(
            corrected("from 18 to 25 (both included)"),
            Some((Op::Between, "[18, 25]".into(), years.clone()))
        );
        assert_eq!(corrected("介於18至25歲之間"), Some((Op::Between, "[18, 25]".into(), years)));
    }

    #[test]
    fn a_share_is_read_however_it_is_written() {
        let claim = Claim {
            op: Op::Eq,
            value: Value::Number(4.into()),
            unit: Some("%".into()),
            ..Claim::default()
        };
        for value in
            ["5%", "5 %", "５％", "5 percent", "five per cent", "百分之五", "千分之五十", "5"]
        {
            let it = corrected_claim(&claim, &Written { value, quote: "" }).unwrap();
            assert_eq!(
                (it.value.to_string().as_str(), it.unit.as_deref()),
                ("5", Some("%")),
                "{value}"
            );
        }
        let it = corrected_claim(&claim, &Written { value: "0.05", quote: "" }).unwrap();
        assert_eq!(it.value.to_string(), "0.05", "a bare number is never turned into a share");
    }

    #[test]
    fn money_keeps_the_rows_unit_where_it_is_the_same_and_takes_what_differs() {
        let claim = Claim {
            op: Op::Le,
            value: Value::Number(1_000_000.into()),
            unit: Some("TWD".into()),
            ..Claim::default()
        };
        let read = |value| {
            let it = corrected_claim(&claim, &Written { value, quote: "" })?;
            Some((it.value.to_string(), it.unit.unwrap_or_default()))
        };
        for value in [
            "1,200,000",
            "１，２００，０００",
            "NT$1.2 million",
            "120萬元",
            "至多（含）1,200,000 元",
        ] {
            assert_eq!(read(value), Some(("1200000".into(), "TWD".into())), "{value}");
        }
        let other = read("US$1,200,000").expect("US dollars");
        assert!(other.1.contains("US"), "{other:?}");
        assert_ne!(read("NT$1,200,000 a month").expect("a period").1, "TWD", "never dropped");
    }

    #[test]
    fn dates_of_both_calendars_are_read_and_an_open_one_is_not() {
        let claim =
            Claim { op: Op::Le, value: Value::Text("2026-09-30".into()), ..Claim::default() };
        let read = |value| {
            let it = corrected_claim(&claim, &Written { value, quote: "" })?;
            Some((it.op, it.value.to_string()))
        };
        for value in
            ["2027-03-01", "1 March 2027", "March 1, 2027", "民國116年3月1日", "2027年3月1日"]
        {
            assert_eq!(read(value), Some((Op::Le, "2027-03-01".into())), "{value}");
        }
        assert_eq!(read(">= 2027-03-01"), Some((Op::Ge, "2027-03-01".into())));
        let period = Some((Op::Between, "[2026-08-01, 2027-03-01]".into()));
        assert_eq!(read("自民國115年8月1日起至116年3月1日止"), period);
        assert_eq!(read("2026-08-01 至 2027-03-01（兩端皆含）"), period);
        for value in ["03/04/2027", "1 March", "46447", "soon", "1 March 2027 or later if ill"] {
            assert_eq!(read(value), None, "{value}");
        }
    }

    /// Whatever the sheet shows as extracted can be copied into "Corrected value" and says the same.
    #[test]
    fn the_sheets_own_words_read_back_as_the_same_claim() {
        use crate::model::phrase::condition;
        use crate::model::sheet::SheetLanguage;
        let number = |it: &str| serde_json::from_str::<Value>(it).unwrap();
        let values = [
            (number("65"), "years"),
            (number("36500"), "TWD/month"),
            (number("1.5"), "%"),
            (number("20"), "hours/week"),
            (number("1200000"), "yuan"),
            (number("12"), "月"),
            (Value::List(vec![number("18"), number("25")]), "歲"),
            (Value::List(vec![number("10000"), number("100000")]), "TWD"),
            (Value::Text("2026-09-30".into()), ""),
        ];
        for (value, unit) in values {
            let ops: &[Op] = match value {
                Value::List(_) => &[Op::Between],
                _ => &[Op::Eq, Op::Ge, Op::Gt, Op::Le, Op::Lt],
            };
            for &op in ops {
                let unit = (!unit.is_empty()).then(|| unit.to_owned());
                let claim = Claim { op, value: value.clone(), unit, ..Claim::default() };
                for language in SheetLanguage::ALL {
                    let shown = condition(&claim, language);
                    let written = Written { value: &shown, quote: "" };
                    let read = corrected_claim(&claim, &written);
                    assert_eq!(read.as_ref(), Some(&claim), "{shown}");
                }
            }
        }
    }

    #[test]
    fn what_is_not_one_quantity_is_not_read() {
        for text in ["about the same", "65 or 60 if disabled", "see note", "65, but not for miners"]
        {
            assert_eq!(corrected(text), None, "{text}");
        }
        assert_eq!(corrected("0123").map(|it| it.1), Some("0123".into()));
    }

    #[test]
    fn words_and_truth_values_stay_what_they_are() {
        let claim = Claim { value: Value::Bool(true), ..Claim::default() };
        let written = Written { value: "否", quote: "" };
        assert_eq!(corrected_claim(&claim, &written).unwrap().value, Value::Bool(false));
        let claim = Claim { value: Value::Text("1 May".into()), ..Claim::default() };
        let written = Written { value: "1 March 2027", quote: "by 1 March 2027" };
        let corrected = corrected_claim(&claim, &written).unwrap();
        assert_eq!(corrected.value, Value::Text("1 March 2027".into()));
        assert_eq!(corrected.snippet, "by 1 March 2027");
    }
}
