//! Dates and periods with the comparison words that belong to them.
//! Never decides between the readings of an ambiguous date.

use crate::text::amounts::comparator::{Comparator, Reach, Relation};
use crate::text::amounts::range::is_period;
use crate::text::amounts::reach::{binds_after, binds_before};
use crate::text::dates::date::DateToken;
use crate::text::lexeme::Lexemes;
use crate::text::span::Span;

/// A date, or a period between two, with its comparison words.
#[derive(Clone, Debug, PartialEq)]
pub struct DatedQuantity {
    /// Everything it is read from.
    pub span: Span,
    /// One date, or first and last day.
    pub dates: Vec<DateToken>,
    /// How the subject compares with it.
    pub relation: Relation,
    /// The comparison words, in order.
    pub comparators: Vec<Comparator>,
    /// True where the words name the day something starts (自…施行, from, effective): both "on" and
    /// "from" state such a day.
    pub is_start: bool,
}

/// Dates and periods with their comparison words.
pub fn dated_in(
    lexemes: &Lexemes<'_>,
    dates: &[DateToken],
    comparators: &[Comparator],
) -> Vec<DatedQuantity> {
    let mut found: Vec<(usize, usize, DatedQuantity)> = Vec::new();
    let mut at = 0;
    while let Some(date) = dates.get(at) {
        at += 1;
        let mut days = vec![date.clone()];
        if let Some(last) = dates.get(at).filter(|it| is_period(lexemes, date, it)) {
            days.push(last.clone());
            at += 1;
        }
        let relation = if days.len() == 2 { Relation::Between } else { Relation::Equal };
        let end = days.last().map_or(date.end, |it| it.end);
        let span = lexemes.span(date.first, end);
        found.push((
            date.first,
            end,
            DatedQuantity { span, dates: days, relation, comparators: Vec::new(), is_start: false },
        ));
    }
    for comparator in comparators {
        let next = found.partition_point(|it| it.0 < comparator.end);
        let bound = match comparator.reach {
            Reach::After => next.checked_sub(1).filter(|it| {
                found.get(*it).is_some_and(|it| binds_after(lexemes, comparator, it.1, it.1))
            }),
            _ => Some(next).filter(|it| {
                found.get(*it).is_some_and(|it| binds_before(lexemes, comparator, it.0))
            }),
        };
        let Some((_, _, it)) = bound.and_then(|it| found.get_mut(it)) else { continue };
        it.comparators.push(*comparator);
        it.is_start |= starts(lexemes, comparator);
        it.span = Span::new(
            it.span.start.min(comparator.span.start),
            it.span.end.max(comparator.span.end),
        );
        if it.dates.len() == 1 {
            it.relation = comparator.relation;
        }
    }
    found.into_iter().map(|(_, _, it)| it).collect()
}

/// 自, 起, from, effective, starting: the date is the first day.
fn starts(lexemes: &Lexemes<'_>, comparator: &Comparator) -> bool {
    matches!(lexemes.head(comparator.first), '自' | '起')
        || lexemes
            .is_word_of(comparator.first, &["from", "effective", "starting", "beginning", "since"])
}
