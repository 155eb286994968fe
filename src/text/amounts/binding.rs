//! Gives every comparison word to the number it speaks of, and settles what the words say together.
//! Never lets a comparison word reach a number over a clause border or another number.

use crate::text::amounts::amount::Quantity;
use crate::text::amounts::comparator::{Comparator, Reach, Relation};
use crate::text::amounts::reach::{binds_after, binds_before};
use crate::text::amounts::unit::{Family, unit_after};
use crate::text::lexeme::{LexKind, Lexemes};
use crate::text::span::Span;

/// Gives every comparison word to the number it speaks of.
pub fn bind(lexemes: &Lexemes<'_>, quantities: &mut [Quantity], comparators: &[Comparator]) {
    for comparator in comparators {
        let next = quantities.partition_point(|it| it.first < comparator.end);
        let before = next.checked_sub(1).and_then(|it| quantities.get(it));
        let fits_after = before.is_some_and(|it| {
            binds_after(lexemes, comparator, it.end, it.numbers.last().map_or(it.end, |it| it.end))
        });
        let either_side = comparator.reach == Reach::After || both_sides(lexemes, comparator);
        if either_side && fits_after && !comparator.temporal {
            let quantity = &mut quantities[next - 1];
            quantity.comparators.push(*comparator);
            take_unit_after(lexemes, quantity, comparator.end);
            continue;
        }
        if comparator.reach == Reach::After {
            continue;
        }
        let is_age = quantities.get(next).is_some_and(|it| {
            it.ordinal || it.unit.as_ref().is_some_and(|it| it.family == Family::Age)
        });
        let fits_before =
            quantities.get(next).is_some_and(|it| binds_before(lexemes, comparator, it.first));
        let counts_back =
            quantities.get(next).is_some_and(|it| is_before_expiry(lexemes, comparator, it));
        if fits_before && !counts_back && (!comparator.temporal || is_age) {
            quantities[next].comparators.push(of_age(lexemes, comparator));
        }
    }
    share_over_or(lexemes, quantities);
    share_units_of_limits(lexemes, quantities);
    for quantity in quantities {
        settle(lexemes, quantity);
    }
}

/// 屆滿三個月前: three months before expiry, not at least three months.
fn is_before_expiry(lexemes: &Lexemes<'_>, comparator: &Comparator, quantity: &Quantity) -> bool {
    lexemes.head(comparator.first) == '屆' && lexemes.head(quantity.end) == '前'
}

/// "One or more years": the unit stands after the comparison words.
fn take_unit_after(lexemes: &Lexemes<'_>, quantity: &mut Quantity, end: usize) {
    if quantity.unit.is_some() {
        return;
    }
    if let Some((start, end, unit)) = unit_after(lexemes, end) {
        quantity.unit = Some(unit);
        quantity.unit_span = Some(lexemes.span(start, end));
        quantity.span = Span::new(quantity.span.start, lexemes.span(start, end).end);
        quantity.end = end;
    }
}

/// 超過二十日或三次: the comparison word before the first number counts for the one after "or".
fn share_over_or(lexemes: &Lexemes<'_>, quantities: &mut [Quantity]) {
    for at in 1..quantities.len() {
        let (left, right) = quantities.split_at_mut(at);
        let (Some(one), Some(two)) = (left.last(), right.first_mut()) else { continue };
        let shared = one.comparators.iter().rfind(|it| it.first < one.first).copied();
        let compared_after = one.comparators.iter().any(|it| it.first >= one.first);
        let Some(shared) = shared.filter(|_| two.comparators.is_empty() && !compared_after) else {
            continue;
        };
        if joined_by_or(lexemes, one.end, two.first) {
            two.comparators.push(shared);
        }
    }
}

/// "At least 18 and not more than 25 years old": the second limit's unit counts for the first.
fn share_units_of_limits(lexemes: &Lexemes<'_>, quantities: &mut [Quantity]) {
    for at in (1..quantities.len()).rev() {
        let (left, right) = quantities.split_at_mut(at);
        let (Some(one), Some(two)) = (left.last_mut(), right.first()) else { continue };
        let limits = !one.comparators.is_empty() && !two.comparators.is_empty() && !one.implied;
        let start = two.comparators.iter().map(|it| it.first).min().unwrap_or(two.first);
        if one.unit.is_some() || !limits || start < one.end || start - one.end > 8 {
            continue;
        }
        let joint = |at: usize| match lexemes.kind(at) {
            LexKind::Space | LexKind::Break => true,
            LexKind::Word => lexemes.is_word_of(at, &["and", "but", "or", "is", "are"]),
            LexKind::Han => "但且而並及或".contains(lexemes.head(at)),
            _ => false,
        };
        if (one.end..start).all(joint) {
            one.unit.clone_from(&two.unit);
            one.unit_span = two.unit_span;
        }
    }
}

/// True where nothing but "or", and perhaps a gloss in brackets, stands between.
fn joined_by_or(lexemes: &Lexemes<'_>, from: usize, to: usize) -> bool {
    if to < from || to - from > 12 {
        return false;
    }
    let mut depth = 0_i32;
    let mut joined = false;
    for at in from..to {
        match lexemes.head(at) {
            '(' => depth += 1,
            ')' => depth -= 1,
            '或' if depth == 0 => joined = true,
            _ if depth == 0 && lexemes.is_word(at, "or") => joined = true,
            _ if depth > 0 || matches!(lexemes.kind(at), LexKind::Space | LexKind::Break) => {}
            _ => return false,
        }
    }
    joined
}

/// How many bytes a quantity's span may reach back for its comparison word.
const FAR: usize = 400;

/// "65 at least", "maximum": words that stand on either side of their number.
fn both_sides(lexemes: &Lexemes<'_>, comparator: &Comparator) -> bool {
    let text = comparator.span.slice(lexemes.text()).unwrap_or_default().to_lowercase();
    matches!(text.as_str(), "at least" | "at most" | "minimum" | "maximum")
        && !matches!(
            lexemes.kind(lexemes.solid(comparator.end)),
            LexKind::Digits | LexKind::Word | LexKind::Han
        )
}

/// "Until age 26" leaves out the birthday, as "until" a date does not.
fn of_age(lexemes: &Lexemes<'_>, comparator: &Comparator) -> Comparator {
    let until = comparator.temporal && lexemes.is_word_of(comparator.first, &["until", "till"]);
    let relation = if until { Relation::LessThan } else { comparator.relation };
    Comparator { relation, ..*comparator }
}

/// One relation from all the words bound: the nearest word before the number, unless a word after
/// it (以上, 以下, 為限) says more.
fn settle(lexemes: &Lexemes<'_>, quantity: &mut Quantity) {
    let first = quantity.first;
    let before = quantity.comparators.iter().rfind(|it| it.first < first).map(|it| it.relation);
    let after = quantity.comparators.iter().find(|it| it.first >= first).map(|it| it.relation);
    let relation = match (before, after) {
        (None, None) => return spread(lexemes, quantity),
        (Some(Relation::MoreThan), Some(_)) => Relation::MoreThan,
        (Some(Relation::LessThan), Some(Relation::AtLeast)) => Relation::LessThan,
        (_, Some(it)) | (Some(it), None) => it,
    };
    let relation = end_of_span(lexemes, quantity).unwrap_or(relation);
    if quantity.numbers.len() == 1 {
        quantity.relation = relation;
    }
    spread(lexemes, quantity);
}

/// 至滿三十六個月止, 至滿六十五歲之前一日止: the end of a span, though 滿 alone is a beginning.
fn end_of_span(lexemes: &Lexemes<'_>, quantity: &Quantity) -> Option<Relation> {
    let first = quantity.comparators.iter().map(|it| it.first).min().unwrap_or(quantity.first);
    let first = first.min(quantity.first);
    let until = matches!(lexemes.head_before(first), '至' | '到' | '迄');
    let is = |list: &[&str]| list.iter().any(|it| lexemes.phrase_at(quantity.end, it).is_some());
    if !until {
        return None;
    }
    if is(&["之前一日", "前一日", "之前日", "之前", "前"]) {
        return Some(Relation::LessThan);
    }
    is(&["止", "為止", "之日止", "當月止", "當日止", "之月止"]).then_some(Relation::AtMost)
}

fn spread(lexemes: &Lexemes<'_>, quantity: &mut Quantity) {
    let own = Span::new(quantity.span.start.saturating_sub(FAR), quantity.span.end);
    for comparator in
        quantity.comparators.iter().filter(|it| own.contains(it.span) || it.first >= quantity.first)
    {
        let start = quantity.span.start.min(comparator.span.start);
        quantity.span = Span::new(start, quantity.span.end.max(comparator.span.end));
    }
    debug_assert!(quantity.span.slice(lexemes.text()).is_some());
}
