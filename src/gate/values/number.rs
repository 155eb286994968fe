//! Whether a stated number is in the quote: as a whole number, with its sign, decimals and scale.
//!
//! A number that had to be computed is not in the quote, however right the sum.

use rust_decimal::Decimal;

use crate::gate::contract::LIST_MARK;
use crate::gate::places::stand::Stand;
use crate::gate::values::value::unit_of;
use crate::model::finding::{Code, Finding};
use crate::text::amounts::quantity::Quantity;
use crate::text::amounts::unit::Family;
use crate::text::numbers::number::{NumberToken, read_numbers};
use crate::text::numbers::numeral_zh::Form;
use crate::text::numbers::role::Role;
use crate::text::span::Span;

/// Quantities of the quote that state the number, as far as any does.
pub fn find_number<'s>(stand: &'s Stand, number: Decimal) -> Vec<Sighting<'s>> {
    let mut found: Vec<Sighting> = Vec::new();
    for token in &stand.readings.numbers {
        if !stand.holds(token.span) || !counts(token) || is_rank_as_count(stand, token) {
            continue;
        }
        let quantities = stand.readings.quantities.iter().filter(|it| !it.implied);
        let own = |it: &&Quantity| it.numbers.iter().any(|it| it.span == token.span);
        // "ninety (90) days": the digits belong to the quantity of the words.
        let around = |it: &&Quantity| token.role == Role::Value && it.restates(token);
        let quantity = quantities.clone().find(own).or_else(|| quantities.clone().find(around));
        // 一年半, 二個半月: the half belongs to the number, though it stands behind the unit.
        let halved = quantity.and_then(|it| with_half(it, token));
        let is_stated = halved.map_or_else(|| states(token, number), |it| it == number);
        let is_other = is_another_scale(stand, token, number);
        if is_stated && !is_other && !quantity.is_some_and(|it| is_component(stand, it)) {
            found.push(Sighting { span: token.span, quantity });
        }
    }
    for quantity in stand.readings.quantities.iter().filter(|it| it.implied) {
        let place = quantity.unit_span.unwrap_or(quantity.span);
        if quantity.value() == number && stand.holds(place) {
            found.push(Sighting { span: place, quantity: Some(quantity) });
        }
    }
    found
}

/// The number of the quantity, where half a unit was added to what the token says.
fn with_half(quantity: &Quantity, token: &NumberToken) -> Option<Decimal> {
    let own = quantity.numbers.iter().find(|it| it.span == token.span)?;
    let half = own.value.checked_sub(token.value)?;
    (half == Decimal::new(5, 1)).then_some(own.value)
}

/// Units that make up one length of time together, the shortest first.
const LENGTHS: &[&str] = &["second", "minute", "hour", "day", "week", "month", "year"];

/// True for a part of one length of time: 一年 of 一年六個月, "1 year" of "1 year and 6 months".
fn is_component(stand: &Stand, quantity: &Quantity) -> bool {
    let text = stand.context_text();
    let size = |it: &Quantity| {
        let unit = it.unit.as_ref().filter(|it| it.family == Family::Duration && it.per.is_empty());
        unit.and_then(|it| LENGTHS.iter().position(|name| *name == it.name))
    };
    // 十月 behind 前一年 is a month of the calendar, 十個月 a length.
    let is_length = |it: &Quantity| {
        let unit = it.unit_span.and_then(|it| it.slice(text)).unwrap_or_default();
        !matches!(unit, "月" | "日")
    };
    let joins = |one: &Quantity, two: &Quantity| {
        let between = text.get(one.span.end..two.span.start).unwrap_or("?").trim();
        let is_joined = matches!(between, "" | "and" | "又" | "零" | "餘");
        let is_smaller = size(one).zip(size(two)).is_some_and(|(one, two)| two < one);
        is_joined
            && is_smaller
            && is_length(two)
            && one.numbers.len() == 1
            && two.numbers.len() == 1
    };
    let all = &stand.readings.quantities;
    let Some(at) = all.iter().position(|it| it.span == quantity.span) else { return false };
    let before = at.checked_sub(1).and_then(|it| all.get(it));
    before.is_some_and(|it| joins(it, quantity))
        || all.get(at + 1).is_some_and(|it| joins(quantity, it))
}

/// A place of the quote at which a number is stated.
#[derive(Clone, Copy)]
pub struct Sighting<'s> {
    /// In bytes of the context.
    pub span: Span,
    /// The quantity that the number is part of, where it is one.
    pub quantity: Option<&'s Quantity>,
}

/// True where the token has that value in one of the spellings' meanings.
fn states(token: &NumberToken, number: Decimal) -> bool {
    token.value == number
        || token.others.contains(&number)
        || token.percent().is_some_and(|it| is_rounded(it, number))
        || matches!(token.form, Form::Fraction(..)) && token.ratio() == Some(number)
}

/// 千分之五 is five in a thousand: no row may state it as 5 %.
fn is_another_scale(stand: &Stand, token: &NumberToken, number: Decimal) -> bool {
    let says_percent = || unit_of(stand.claim).is_some_and(|(unit, _)| unit.name == "percent");
    token.form == Form::Permille
        && token.percent().is_some_and(|it| it != number && !is_rounded(it, number))
        && says_percent()
}

/// True where the quote has the number in thousandths and the row counts it in hundredths.
pub fn is_of_another_scale(stand: &Stand, number: Decimal) -> bool {
    let inside = stand.readings.numbers.iter().filter(|it| stand.holds(it.span) && counts(it));
    inside.into_iter().any(|it| it.value == number && is_another_scale(stand, it, number))
}

/// One third is 33.3333 %: a percentage may be rounded to the places the row writes out, a whole
/// one may not.
fn is_rounded(percent: Decimal, number: Decimal) -> bool {
    percent == number || 0 < number.scale() && percent.round_dp(number.scale()) == number
}

/// References, list markers, parts of dates and of words are no numbers of a rule.
fn counts(token: &NumberToken) -> bool {
    matches!(token.role, Role::Value | Role::Ordinal)
}

/// 第二類 and "the second child" are places in an order: nobody is counted and nothing is paid.
fn is_rank_as_count(stand: &Stand, token: &NumberToken) -> bool {
    token.role == Role::Ordinal
        && unit_of(stand.claim).is_some_and(|(unit, _)| {
            unit.counts_people() || matches!(unit.family, Family::Money | Family::Percent)
        })
}

/// Why the number is not in the quote.
pub fn explain_missing(stand: &Stand, number: Decimal) -> Finding {
    let found = numbers_in_quote(stand);
    let list = found.iter().map(|it| it.value.normalize().to_string()).collect::<Vec<_>>();
    let list = list.join(LIST_MARK);
    let page = stand.page;
    let shown = number.normalize();
    let (code, detail) = if is_fragment(stand, number) {
        let detail = page.pick(
            || format!("{shown} is only a piece of a number in the quote ({list})"),
            || format!("{shown} 只是引文中數字的一部分（{list}）"),
        );
        (Code::NumberFragment, detail)
    } else if is_computed(stand, &found, number) {
        let detail = page.pick(
            || format!("{shown} was computed; the quote states {list}"),
            || format!("{shown} 是計算所得；引文寫的是 {list}"),
        );
        (Code::NumberComputed, detail)
    } else if list.is_empty() {
        let detail = page.pick(
            || format!("{shown} is not in the quote, which states no number"),
            || format!("引文沒有 {shown}，也沒有任何數值"),
        );
        (Code::NumberAbsent, detail)
    } else {
        let detail = page.pick(
            || format!("{shown} is not in the quote, which states {list}"),
            || format!("引文沒有 {shown}；引文寫的是 {list}"),
        );
        (Code::NumberAbsent, detail)
    };
    Finding { code, detail, place: Some(stand.span), evidence: (!list.is_empty()).then_some(list) }
}

/// The numbers of the quote that a rule can be about.
pub fn numbers_in_quote<'s>(stand: &'s Stand) -> Vec<&'s NumberToken> {
    let tokens = stand.readings.numbers.iter();
    tokens.filter(|it| stand.holds(it.span) && counts(it)).collect()
}

/// True where the number is a piece of a number that the quote holds or cuts.
fn is_fragment(stand: &Stand, number: Decimal) -> bool {
    let text = stand.context_text();
    stand.readings.numbers.iter().filter(|it| it.span.overlaps(stand.quote)).any(|token| {
        let Some(word) = token.span.slice(text) else { return false };
        let is_cut = !stand.holds(token.span);
        if !is_cut && token.role == Role::DatePart && is_computed_of(stand, number) {
            return false;
        }
        let quantities = &stand.readings.quantities;
        let is_part = quantities
            .iter()
            .filter(|it| it.numbers.iter().any(|it| it.span == token.span))
            .any(|it| is_component(stand, it) || with_half(it, token).is_some());
        ((is_cut || is_part) && states(token, number)) || is_piece_of(word, token, number)
    })
}

fn is_computed_of(stand: &Stand, number: Decimal) -> bool {
    is_computed(stand, &numbers_in_quote(stand), number)
}

/// Spelled-out numbers longer than this are compared by their digits alone.
const MAX_SPELLED: usize = 96;

/// 500,000 of 1,500,000; 36.5 of 36.5萬; sixty of sixty-five; 八千 of 三十八萬八千.
fn is_piece_of(word: &str, token: &NumberToken, number: Decimal) -> bool {
    let digits = |it: Decimal| it.normalize().abs().to_string();
    let (whole, piece) = (digits(token.value), digits(number));
    let has_digits = word.chars().any(char::is_numeric);
    if token.value != number
        && whole.len() != piece.len()
        && (has_digits || 1 < word.chars().count())
        && is_digit_run(&whole, &piece)
    {
        return true;
    }
    if !number.is_zero() && token.value == -number {
        return true;
    }
    if MAX_SPELLED < word.len() {
        return false;
    }
    let cuts: Vec<usize> = word.char_indices().map(|(at, _)| at).chain([word.len()]).collect();
    let is_part = |from: usize, to: usize| {
        let piece = read_numbers(&word[from..to]);
        matches!(piece.as_slice(), [only] if only.value == number)
    };
    let inner = &cuts[1..cuts.len().saturating_sub(1).max(1)];
    inner.iter().any(|at| is_part(0, *at) || is_part(*at, word.len()))
}

/// True where `piece` is a run of the digits of `whole`, both without sign and grouping.
fn is_digit_run(whole: &str, piece: &str) -> bool {
    piece != "0" && (whole.contains(piece) || whole.replace('.', "").contains(piece))
}

/// True where one step of arithmetic leads from the quote to the number.
fn is_computed(stand: &Stand, found: &[&NumberToken], number: Decimal) -> bool {
    let values: Vec<Decimal> = found.iter().map(|it| it.value).take(8).collect();
    let conversions = [12, 7, 24, 30, 31, 52, 60, 100, 365, 366, 4, 3].map(Decimal::from);
    let is_time_or_share = stand.readings.quantities.iter().any(|it| it.unit.is_some())
        || found.iter().any(|it| it.form != Form::Plain);
    // Days stay days: nothing was converted where the unit is the page's own.
    let is_same_unit = unit_of(stand.claim).is_some_and(|(unit, _)| {
        let units: Vec<_> =
            stand.readings.quantities.iter().filter_map(|it| it.unit.as_ref()).collect();
        !units.is_empty() && units.iter().all(|it| it.name == unit.name && it.per == unit.per)
    });
    let by_factor = |value: Decimal| {
        conversions.iter().any(|factor| {
            value.checked_mul(*factor) == Some(number)
                || value.checked_div(*factor).is_some_and(|it| it == number)
        })
    };
    if is_time_or_share
        && !is_same_unit
        && !number.is_zero()
        && values.iter().any(|it| by_factor(*it))
    {
        return true;
    }
    if values.iter().any(|it| Decimal::ONE_HUNDRED.checked_sub(*it) == Some(number)) {
        return found.iter().any(|it| it.form != Form::Plain);
    }
    let pairs = values
        .iter()
        .enumerate()
        .flat_map(|(at, one)| values[at + 1..].iter().map(move |two| (*one, *two)));
    pairs.into_iter().any(|(one, two)| {
        [
            one.checked_add(two),
            one.checked_sub(two).map(|it| it.abs()),
            one.checked_mul(two),
            one.checked_div(two),
            one.checked_mul(two).and_then(|it| it.checked_div(Decimal::ONE_HUNDRED)),
        ]
        .contains(&Some(number))
    })
}
