//! Whether the stated value is what the quote says: numbers, dates and ranges.

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use crate::gate::contract::LIST_MARK;
use crate::gate::places::stand::Stand;
use crate::gate::places::stream::forms_of;
use crate::gate::values::headed::headed;
use crate::gate::values::measure::{
    check_measure, operator_changed, relation_of, shuts_out_at, unit_changed,
};
use crate::gate::values::number::{explain_missing, find_number, is_of_another_scale};
use crate::gate::values::value::{Wanted, unit_of, wanted_of};
use crate::model::claim::Op;
use crate::model::finding::{Code, Finding};
use crate::text::amounts::comparator::Relation;
use crate::text::amounts::period::periods_in;
use crate::text::amounts::quantity::DatedQuantity;
use crate::text::amounts::unit::{Family, is_period};
use crate::text::dates::date::{DateToken, PartialDate};
use crate::text::span::Span;

/// Everything that is wrong with the value of a row.
pub fn check_value(stand: &Stand) -> Vec<Finding> {
    match wanted_of(stand.claim) {
        Wanted::Nothing => vec![not_stated(stand)],
        Wanted::Truth(_) | Wanted::Words(_) => Vec::new(),
        Wanted::Number(it) => check_number(stand, it, stand.claim.op),
        Wanted::Date(it) => check_date(stand, it, stand.claim.op),
        Wanted::Many(items) => check_many(stand, &items),
    }
}

/// Where the stated number stands on the page.
pub fn number_place(stand: &Stand) -> Option<Span> {
    let Wanted::Number(number) = wanted_of(stand.claim) else { return None };
    let headed = headed(stand, number).fits;
    let first = headed.first().copied().or_else(|| find_number(stand, number).first().copied());
    let first = first.map(|it| it.span)?;
    Some(first.shifted(stand.context.start))
}

fn check_number(stand: &Stand, number: Decimal, op: Op) -> Vec<Finding> {
    let headed = headed(stand, number);
    if !headed.fits.is_empty() {
        return check_measure(stand, &headed.fits, op);
    }
    if headed.is_counted_otherwise {
        return vec![unit_changed(stand)];
    }
    let factor = unit_of(stand.claim).map_or(Decimal::ONE, |it| it.1);
    let scaled = number.checked_mul(factor).unwrap_or(number);
    let mut sightings = find_number(stand, scaled);
    if sightings.is_empty() && factor != Decimal::ONE {
        sightings = find_number(stand, number);
    }
    if !sightings.is_empty() {
        return check_measure(stand, &sightings, op);
    }
    if let Some(year) = as_year(number)
        && names_year(stand, year)
        && !counts_in_things(stand)
    {
        return check_date(stand, PartialDate { year: Some(year), ..PartialDate::default() }, op);
    }
    if is_worded(stand, number) {
        return Vec::new();
    }
    if is_of_another_scale(stand, number) {
        return vec![unit_changed(stand)];
    }
    vec![explain_missing(stand, number)]
}

/// A number that may be a year.
fn as_year(number: Decimal) -> Option<i16> {
    let year = number.to_i16().filter(|_| number.fract().is_zero())?;
    (1800..=2200).contains(&year).then_some(year)
}

/// True where the row's unit is of money, shares or things: a year is none of these.
fn counts_in_things(stand: &Stand) -> bool {
    let unit = unit_of(stand.claim).map(|it| it.0);
    unit.is_some_and(|it| !matches!(it.family, Family::Date | Family::Duration | Family::Other))
}

fn names_year(stand: &Stand, year: i16) -> bool {
    let mut tokens = stand.readings.dates.iter().flat_map(|it| &it.dates);
    tokens.any(|it| stand.holds(it.span) && it.candidates.iter().any(|it| it.year == Some(year)))
}

/// Zero and one that the quote states without a numeral: "free", 負數, 每年定期 (once a year).
fn is_worded(stand: &Stand, number: Decimal) -> bool {
    let quote = stand.quote_text().to_lowercase();
    let says = |list: &[&str]| list.iter().any(|it| quote.contains(it));
    if number.is_zero() && says(&["為正", "正者", "positive"]) {
        return stand.claim.op == Op::Gt;
    }
    if number.is_zero() && says(&["為負", "負者", "negative"]) {
        return stand.claim.op == Op::Lt;
    }
    if number.is_zero() {
        return is_zero_worded(stand, &quote);
    }
    let is_frequency = stand.claim.unit.as_deref().is_some_and(|it| {
        let unit = it.to_lowercase();
        unit.contains('次') || unit.contains("time") || unit.contains("per ")
    });
    // 每年一次 counts no times a month.
    let said = periods_in(&quote);
    let is_other = |it: &String| is_period(it) && !said.is_empty() && !said.contains(it);
    let is_other_period = unit_of(stand.claim).is_some_and(|(it, _)| it.per.iter().any(is_other));
    number == Decimal::ONE
        && is_frequency
        && !is_other_period
        && says(&["每", "定期", "every", "annual", "yearly", "monthly", "weekly", "daily", "each"])
}

/// Zero without a numeral. "Free" and 免費 are of money; "no limit" and 無上限 are no zero at all.
fn is_zero_worded(stand: &Stand, quote: &str) -> bool {
    const FREE: &[&str] = &["free", "免", "at no cost", "no charge", "no fee", "no cost"];
    const NOTHING: &[&str] = &["零", "負", "正者", "為正", "zero", "none", "nil", "nothing"];
    const LIMITS: &[&str] = &[
        "limit",
        "maximum",
        "minimum",
        "cap ",
        "ceiling",
        "restriction",
        "requirement",
        "上限",
        "下限",
        "限",
        "門檻",
        "最低",
        "最高",
    ];
    let says = |list: &[&str]| list.iter().any(|it| stands_alone(quote, it).next().is_some());
    // What "no" and 無 deny: the next few words.
    let denied = ["no", "無", "无"].iter().flat_map(|word| {
        stands_alone(quote, word).map(|at| {
            let rest = &quote[at + word.len()..];
            let end = rest.find([',', '.', ';', '，', '。', '；']).unwrap_or(rest.len());
            let near = rest[..end].char_indices().nth(30).map_or(end, |it| it.0);
            &rest[..near]
        })
    });
    let unit = unit_of(stand.claim).map(|it| it.0.family);
    if unit == Some(Family::Age) {
        return says(&["零", "zero"]);
    }
    let denies = |it: &str| !LIMITS.iter().any(|limit| it.contains(limit));
    if says(NOTHING) || denied.into_iter().any(denies) {
        return true;
    }
    let is_of_money = !matches!(
        unit,
        Some(Family::Age | Family::Duration | Family::Count | Family::Frequency | Family::Length)
    );
    says(FREE) && is_of_money
}

/// Where a word stands as a word: "nil" not in Manila, "free" not in freeze, 免 not in 避免.
fn stands_alone<'q>(quote: &'q str, word: &'q str) -> impl Iterator<Item = usize> + 'q {
    const COMPOUNDS: &[&str] =
        &["避免", "難免", "以免", "免得", "免疫", "未免", "不免", "任免", "免職"];
    let is_letter = |it: Option<char>| it.is_some_and(|it| it.is_ascii_alphanumeric());
    quote.match_indices(word).map(|it| it.0).filter(move |at| {
        let (before, after) = (&quote[..*at], &quote[at + word.len()..]);
        if word.is_ascii() {
            return !is_letter(before.chars().next_back()) && !is_letter(after.chars().next());
        }
        let is_compound = |it: &str| {
            it.match_indices(word).any(|(in_it, _)| {
                before.ends_with(&it[..in_it]) && after.starts_with(&it[in_it + word.len()..])
            })
        };
        !COMPOUNDS.iter().any(|it| is_compound(it))
    })
}

fn check_many(stand: &Stand, items: &[Wanted]) -> Vec<Finding> {
    let each = |op: Op| -> Vec<Finding> {
        let of = |it: &Wanted| match it {
            Wanted::Number(it) => check_number(stand, *it, op),
            Wanted::Date(it) => check_date(stand, *it, op),
            _ => Vec::new(),
        };
        items.iter().flat_map(of).collect()
    };
    if stand.claim.op != Op::Between {
        return each(Op::In);
    }
    let found = each(Op::In);
    if !found.is_empty() {
        return found;
    }
    check_range(stand, items)
}

/// Both ends are in the quote; a range must not make a border of its own inclusive.
fn check_range(stand: &Stand, items: &[Wanted]) -> Vec<Finding> {
    if let [Wanted::Date(low), Wanted::Date(high)] = items {
        return check_span(stand, *low, *high);
    }
    let [Wanted::Number(low), Wanted::Number(high)] = items else { return Vec::new() };
    if are_alternatives(stand, *low, *high) {
        return vec![operator_changed(stand, Relation::Equal, Op::Between)];
    }
    let strict = [(*low, Relation::MoreThan), (*high, Relation::LessThan)];
    for (number, relation) in strict {
        let sightings = find_number(stand, number);
        let is_strict = |it: &crate::gate::values::number::Sighting| {
            it.quantity.is_some_and(|q| q.relation == relation && q.numbers.len() == 1)
        };
        if !sightings.is_empty() && sightings.iter().all(is_strict) {
            return vec![operator_changed(stand, relation, Op::Between)];
        }
    }
    Vec::new()
}

/// "£75 or £150": two values and nothing between them; "16 or 17" leaves nothing out.
fn are_alternatives(stand: &Stand, low: Decimal, high: Decimal) -> bool {
    let plain = |number: Decimal| {
        let found = find_number(stand, number);
        let all = found.iter().filter_map(|it| it.quantity);
        let spans: Vec<_> = all
            .filter(|it| it.relation == Relation::Equal && it.numbers.len() == 1)
            .map(|it| it.span)
            .collect();
        (spans.len() == found.len()).then_some(spans)
    };
    let (Some(lows), Some(highs)) = (plain(low), plain(high)) else { return false };
    let is_next = low.checked_add(Decimal::ONE) == Some(high);
    let joins = |one: Span, two: Span| {
        let between = stand.context_text().get(one.end..two.start).unwrap_or_default();
        matches!(between.trim(), "or" | "或" | ", or" | "，或")
    };
    !is_next && lows.iter().any(|one| highs.iter().any(|two| joins(*one, *two)))
}

/// A period must not take in a first or last day that the page leaves out.
fn check_span(stand: &Stand, low: PartialDate, high: PartialDate) -> Vec<Finding> {
    for (date, relation) in [(low, Relation::MoreThan), (high, Relation::LessThan)] {
        let stating = stand.readings.dates.iter().filter(|it| {
            let states = |it: &DateToken| it.candidates.iter().any(|it| it.covers(date));
            it.dates.iter().any(|it| stand.holds(it.span) && states(it))
        });
        let relations: Vec<Relation> = stating.map(|it| it.relation).collect();
        if !relations.is_empty() && relations.iter().all(|it| *it == relation) {
            return vec![operator_changed(stand, relation, Op::Between)];
        }
    }
    Vec::new()
}

fn check_date(stand: &Stand, date: PartialDate, op: Op) -> Vec<Finding> {
    let dates =
        stand.readings.dates.iter().flat_map(|it| it.dates.iter().map(move |token| (it, token)));
    let inside: Vec<_> = dates.filter(|(_, it)| stand.holds(it.span)).collect();
    let states = |token: &DateToken| token.candidates.iter().any(|it| it.covers(date));
    let stating: Vec<_> = inside.iter().filter(|(_, it)| states(it)).collect();
    let Some((quantity, token)) = stating.first() else {
        return vec![date_missing(stand, inside.iter().map(|(_, it)| *it))];
    };
    if token.is_ambiguous() {
        return vec![ambiguous(stand, token)];
    }
    if stating.iter().any(|(quantity, token)| date_fits(stand, quantity, token, op)) {
        return Vec::new();
    }
    vec![operator_changed(stand, quantity.relation, op)]
}

/// True where the page compares with that date as the row does.
fn date_fits(stand: &Stand, quantity: &DatedQuantity, token: &DateToken, op: Op) -> bool {
    let source = quantity.relation;
    let Some(stated) = relation_of(op) else { return true };
    let is_end = |it: Option<&DateToken>| it.is_some_and(|it| it.span == token.span);
    // "By 3 May", "from 3 May" name the day itself, so `=` is a fair way to state it.
    let names_day =
        op == Op::Eq && matches!(source, Relation::AtMost | Relation::AtLeast | Relation::Between);
    let stays = op == Op::Ge && source != Relation::Between && is_through(stand, quantity);
    let border = source == Relation::Between
        && match stated {
            Relation::AtLeast => is_end(quantity.dates.first()),
            Relation::AtMost => is_end(quantity.dates.last()),
            _ => false,
        };
    let is_shut = stated == source.negated() && shuts_out_at(stand, quantity.span);
    stated == source
        || names_day
        || stays
        || border
        || is_shut
        || is_border_day(stand, quantity, stated)
}

/// "The scheme closes on 3 May", 截止日為五月三日: a plain day that is the last, or the first, of
/// something may be stated as that border.
fn is_border_day(stand: &Stand, quantity: &DatedQuantity, stated: Relation) -> bool {
    const LAST: &[&str] = &[
        "close",
        "closes",
        "closing",
        "closed",
        "deadline",
        "deadlines",
        "end",
        "ends",
        "ending",
        "expire",
        "expires",
        "expiry",
        "last",
        "final",
        "due",
    ];
    const FIRST: &[&str] = &[
        "open",
        "opens",
        "opening",
        "start",
        "starts",
        "starting",
        "begin",
        "begins",
        "beginning",
        "commence",
        "commences",
        "commencing",
        "effective",
        "force",
        "launch",
        "launches",
    ];
    const HAN_LAST: &[&str] = &["截止", "期限", "迄", "屆滿", "最後", "終了", "到期", "止"];
    const HAN_FIRST: &[&str] = &["開始", "開放", "生效", "施行", "啟用", "起", "實施"];
    if quantity.relation != Relation::Equal {
        return false;
    }
    let context = stand.context_text();
    let before = context.get(..quantity.span.start).unwrap_or_default();
    let before = before.rsplit([';', '；', '。']).next().unwrap_or_default();
    // "After your lease ends or 1 December 1999": another day than the one that something ends on.
    let joints = [" or ", " and ", "或"].iter().filter_map(|it| Some(before.rfind(it)? + it.len()));
    let before = before.get(joints.max().unwrap_or(0)..).unwrap_or_default();
    let after = context.get(quantity.span.end..).unwrap_or_default();
    let after: String = after.chars().take(6).collect();
    let field = stand.claim.field.replace('_', " ");
    let words = [forms_of(before), forms_of(&field)].concat();
    let has = |list: &[&str]| words.iter().any(|it| list.contains(&it.as_str()));
    let says = |list: &[&str]| {
        list.iter().any(|it| before.contains(it) || after.contains(it) || field.contains(it))
    };
    match stated {
        Relation::AtMost => has(LAST) || says(HAN_LAST),
        Relation::AtLeast => has(FIRST) || says(HAN_FIRST),
        _ => false,
    }
}

/// "Stayed through 30 June": up to that day and no shorter, so both borders are fair.
fn is_through(stand: &Stand, quantity: &DatedQuantity) -> bool {
    quantity.comparators.iter().any(|it| {
        let word = it.span.slice(stand.context_text()).unwrap_or_default().to_lowercase();
        ["through", "until", "till", "至", "到", "迄"].iter().any(|end| word.ends_with(end))
    })
}

fn ambiguous(stand: &Stand, token: &DateToken) -> Finding {
    let mut dates: Vec<String> = token.candidates.iter().copied().map(show).collect();
    let stated = stand.claim.value.to_string();
    dates.sort_by_key(|it| *it != stated);
    let list = dates.join(LIST_MARK);
    let detail = stand.page.pick(
        || format!("day and month can be swapped; the date is one of {list}"),
        || format!("日與月可能互換；日期可能是 {list}"),
    );
    Finding { code: Code::DateAmbiguous, detail, place: Some(stand.span), evidence: Some(list) }
}

fn date_missing<'s>(stand: &Stand, found: impl Iterator<Item = &'s DateToken>) -> Finding {
    let list: Vec<String> =
        found.filter_map(|it| it.candidates.first().copied().map(show)).collect();
    let list = list.join(LIST_MARK);
    let value = &stand.claim.value;
    let detail = stand.page.pick(
        || format!("the date {value} is not in the quote ({list})"),
        || format!("引文沒有日期 {value}（{list}）"),
    );
    let evidence = (!list.is_empty()).then_some(list);
    Finding { code: Code::NumberAbsent, detail, place: Some(stand.span), evidence }
}

/// ISO form of what the date states.
fn show(date: PartialDate) -> String {
    match (date.year, date.month, date.day) {
        (Some(year), Some(month), Some(day)) => format!("{year:04}-{month:02}-{day:02}"),
        (Some(year), Some(month), None) => format!("{year:04}-{month:02}"),
        (Some(year), ..) => format!("{year:04}"),
        (None, Some(month), Some(day)) => format!("--{month:02}-{day:02}"),
        (None, Some(month), None) => format!("--{month:02}"),
        _ => String::new(),
    }
}

fn not_stated(stand: &Stand) -> Finding {
    let detail = stand.page.pick(
        || "the page does not state the value; an open point for a person".to_owned(),
        || "頁面沒有寫明數值，是待人工確認的事項".to_owned(),
    );
    Finding { code: Code::NotStated, detail, place: Some(stand.span), evidence: None }
}
