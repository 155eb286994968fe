//! Which parts of the page the rows of a reply quote.
//!
//! A cut exception is no loss where another row carries it; this says whether one does.

use std::collections::BTreeMap;

use crate::gate::digest::digest_of;
use crate::model::claim::Claim;
use crate::text::span::Span;

/// The quotes of all rows, ready to be asked.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// Sorted by start.
    spans: Vec<Span>,
    /// The furthest end among the first `n + 1` spans.
    furthest: Vec<usize>,
    /// Sentence -> the value of its only row; `None` where several rows say several things of it.
    values: BTreeMap<usize, Option<u128>>,
}

impl Coverage {
    /// The same, knowing what the rows of each sentence say.
    pub fn with_values(self, values: BTreeMap<usize, Option<u128>>) -> Self {
        Self { values, ..self }
    }

    /// True where rows of a sentence say more than one thing, or something else than `value`.
    pub fn says_more(&self, sentence: usize, value: u128) -> bool {
        self.values.get(&sentence).is_some_and(|it| *it != Some(value))
    }

    /// Takes the quotes in any order, each of which may stand for several that overlap.
    pub fn new(mut spans: Vec<Span>) -> Self {
        spans.sort_unstable();
        let mut end = 0;
        let furthest = spans
            .iter()
            .map(|it| {
                end = end.max(it.end);
                end
            })
            .collect();
        Self { spans, furthest, values: BTreeMap::new() }
    }

    /// True where a quote shares at least one byte with `span`.
    pub fn touches(&self, span: Span) -> bool {
        let before = self.spans.partition_point(|it| it.start < span.end);
        before.checked_sub(1).is_some_and(|last| span.start < self.furthest[last])
    }
}

/// What a row says, as `Coverage` compares it.
pub fn value_of(claim: &Claim) -> u128 {
    digest_of(&[claim.op.as_str(), &claim.value.to_string()])
}

/// Notes what a row says of a sentence.
pub fn note_value(values: &mut BTreeMap<usize, Option<u128>>, sentence: usize, claim: &Claim) {
    let value = value_of(claim);
    let said = values.entry(sentence).or_insert(Some(value));
    if *said != Some(value) {
        *said = None;
    }
}

/// The same bytes in as few spans as can be, in order: what a large set of quotes is kept as.
pub fn union_of(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable();
    let mut union: Vec<Span> = Vec::new();
    for span in spans {
        match union.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => union.push(span),
        }
    }
    union
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_early_quote_covers_what_later_ones_do_not() {
        let covered = Coverage::new(vec![Span::new(5, 6), Span::new(0, 20), Span::new(30, 40)]);
        assert!(covered.touches(Span::new(10, 12)) && covered.touches(Span::new(39, 50)));
        assert!(!covered.touches(Span::new(20, 30)) && !covered.touches(Span::new(40, 41)));
    }

    #[test]
    fn a_union_touches_what_its_members_touch() {
        let spans = vec![Span::new(5, 6), Span::new(0, 3), Span::new(2, 5), Span::new(9, 12)];
        let union = union_of(spans.clone());
        assert_eq!(union, [Span::new(0, 6), Span::new(9, 12)]);
        let (one, two) = (Coverage::new(spans), Coverage::new(union));
        for at in 0..14 {
            let span = Span::new(at, at + 1);
            assert_eq!(one.touches(span), two.touches(span), "{at}");
        }
    }
}
