//! Makes a quote whole: it takes in the words of its sentence that would change its meaning if left
//! out.
//!
//! A quote only ever grows, within its own sentence.

use crate::text::markers::marker::{
    Marker, MarkerKind, StatedForce, force_of, markers_of_sentence,
};
use crate::text::span::Span;

/// Longest sentence whose markers are read. A longer one is no sentence: lists without marks, noise.
const LONGEST: usize = 8_000;

/// The markers of a sentence, none of one that is far too long to be one.
pub fn markers_of(text: &str, sentence: Span) -> Vec<Marker> {
    if sentence.len() > LONGEST { Vec::new() } else { markers_of_sentence(text, sentence) }
}

/// The force that a piece of a sentence states, by its main verb.
pub fn stated_force_of(text: &str, piece: Span) -> Option<StatedForce> {
    if piece.len() > LONGEST { None } else { force_of(text, piece) }
}

/// `quote` with every negation, exception, restriction, hedge and bound of its sentence that reaches
/// into it.
pub fn complete_quote(markers: &[Marker], quote: Span) -> Span {
    let mut whole = quote;
    // What a taken-in word brings along may be reached by another one: twice is enough for the
    // sentences seen, and keeps the cost linear.
    for _ in 0..2 {
        for it in markers.iter().filter(|it| changes_meaning(it.kind)) {
            if !whole.contains(it.span) && it.reach.overlaps(whole) {
                whole = Span::new(whole.start.min(it.span.start), whole.end.max(it.span.end));
            }
        }
    }
    whole
}

fn changes_meaning(kind: MarkerKind) -> bool {
    matches!(
        kind,
        MarkerKind::Negation
            | MarkerKind::Bound
            | MarkerKind::Exception
            | MarkerKind::Restriction
            | MarkerKind::Hedge
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completed<'a>(text: &'a str, quote: &str) -> &'a str {
        let markers = markers_of_sentence(text, Span::new(0, text.len()));
        let at = text.find(quote).unwrap();
        complete_quote(&markers, Span::new(at, at + quote.len())).slice(text).unwrap()
    }

    #[test]
    fn a_quote_takes_in_what_turns_it() {
        assert!(
            completed("除本法另有規定外，申請人應繳納規費。", "申請人應繳納規費").starts_with("除")
        );
        assert!(completed("You do not need a permit.", "need a permit").contains("not"));
        assert_eq!(completed("You need a permit.", "need a permit"), "need a permit");
    }
}
