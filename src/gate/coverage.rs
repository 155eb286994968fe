//! Which parts of the page the rows of a reply quote.
//!
//! A cut exception is no loss where another row carries it; this says whether one does.

use crate::text::span::Span;

/// The quotes of all rows, ready to be asked.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// Sorted by start.
    spans: Vec<Span>,
    /// The furthest end among the first `n + 1` spans.
    furthest: Vec<usize>,
}

impl Coverage {
    /// Takes the quotes in any order.
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
        Self { spans, furthest }
    }

    /// True where a quote shares at least one byte with `span`.
    pub fn touches(&self, span: Span) -> bool {
        let before = self.spans.partition_point(|it| it.start < span.end);
        before.checked_sub(1).is_some_and(|last| span.start < self.furthest[last])
    }
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
}
