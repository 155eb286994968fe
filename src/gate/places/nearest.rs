//! The passage of the page that comes nearest to a quote that is not there.
//!
//! A suggestion for a person or a retry, never an acceptance.

use std::collections::BTreeMap;

use crate::gate::places::index::{TokenIndex, three};
use crate::gate::places::stream::{Token, tokens_of};
use crate::text::span::Span;

/// Longer quotes are compared by their beginning; a person finds the rest.
const MAX_QUOTE: usize = 240;
/// Look-ups with more places than this say little and are left out.
const MAX_PLACES: usize = 64;
/// A passage must share this part of the quote's tokens, in hundredths.
const LEAST_SHARED: usize = 50;

/// The nearest passage, on whole words; `None` where nothing on the page comes near.
pub fn nearest_passage(index: &TokenIndex, quote: &str) -> Option<Span> {
    let mut wanted: Vec<u32> = tokens_of(quote).iter().map(|it| it.hash).collect();
    wanted.truncate(MAX_QUOTE);
    let start = best_start(index, &wanted)?;
    let slack = wanted.len() / 2 + 8;
    let from = start.saturating_sub(slack);
    let to = (start + wanted.len() + slack).min(index.tokens().len());
    let (range, shared) = align(&wanted, &index.tokens()[from..to])?;
    let is_near = wanted.len() * LEAST_SHARED <= shared * 100;
    is_near.then(|| index.span_of(from + range.start..from + range.end))
}

/// Where most of the quote's runs agree that it would begin.
fn best_start(index: &TokenIndex, wanted: &[u32]) -> Option<usize> {
    let mut votes: BTreeMap<usize, usize> = BTreeMap::new();
    for (offset, it) in wanted.windows(3).enumerate() {
        let places = index.places(three(it[0], it[1], it[2]));
        if MAX_PLACES < places.len() {
            continue;
        }
        for (_, at) in places {
            // Words put in or left out move the beginning a little; neighbours vote together.
            let start = (*at as usize).saturating_sub(offset);
            *votes.entry(start / 4).or_default() += 1;
        }
    }
    let near = |slot: usize| -> usize {
        (slot.saturating_sub(1)..=slot + 1).filter_map(|it| votes.get(&it)).sum()
    };
    let best = votes.keys().map(|slot| (near(*slot), std::cmp::Reverse(*slot))).max();
    match best {
        Some((_, std::cmp::Reverse(slot))) => Some(slot * 4),
        None => by_single_words(index, wanted),
    }
}

/// For short quotes: the first place where a long-enough pair of words follows one another.
fn by_single_words(index: &TokenIndex, wanted: &[u32]) -> Option<usize> {
    let tokens = index.tokens();
    let limit = tokens.len().min(20_000);
    let mut best: Option<(usize, usize)> = None;
    for at in 0..limit {
        let shared = (0..wanted.len())
            .filter(|it| tokens.get(at + it).is_some_and(|token| token.hash == wanted[*it]))
            .count();
        if best.is_none_or(|(most, _)| most < shared) && 0 < shared {
            best = Some((shared, at));
        }
        if wanted.len() > 12 {
            break;
        }
    }
    best.map(|(_, at)| at)
}

/// The stretch of `tokens` that the whole of `wanted` fits best, and how many tokens are equal.
fn align(wanted: &[u32], tokens: &[Token]) -> Option<(std::ops::Range<usize>, usize)> {
    #[derive(Clone, Copy)]
    struct Cell {
        score: i32,
        start: usize,
        shared: usize,
    }
    const EQUAL: i32 = 2;
    const OTHER: i32 = -1;
    const GAP: i32 = -1;
    // Row 0: the quote may begin anywhere for free.
    let mut above: Vec<Cell> =
        (0..=tokens.len()).map(|start| Cell { score: 0, start, shared: 0 }).collect();
    let step = |cell: Cell, score: i32| Cell { score: cell.score + score, ..cell };
    for &hash in wanted {
        let mut row = Vec::with_capacity(above.len());
        row.push(step(above[0], GAP));
        for (at, token) in tokens.iter().enumerate() {
            let mut cell = if token.hash == hash {
                let it = step(above[at], EQUAL);
                Cell { shared: it.shared + 1, ..it }
            } else {
                step(above[at], OTHER)
            };
            let options = [step(above[at + 1], GAP), step(row[at], GAP)];
            for other in options {
                if cell.score < other.score {
                    cell = other;
                }
            }
            row.push(cell);
        }
        above = row;
    }
    let (end, cell) =
        above.iter().enumerate().max_by_key(|(at, it)| (it.score, usize::MAX - at))?;
    (cell.start < end && 0 < cell.shared).then_some((cell.start..end, cell.shared))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearest(text: &str, quote: &str) -> Option<String> {
        let index = TokenIndex::new(text);
        nearest_passage(&index, quote).and_then(|it| it.slice(text)).map(str::to_owned)
    }

    #[test]
    fn the_passage_meant_is_shown_whole() {
        for (text, quote, shown) in [
            (
                "The card is free. The subsidy pays up to $12,500 per month to a carer.",
                "pays up to $15,200 per month",
                "pays up to $12,500 per month",
            ),
            (
                "Tenants must be < 10 years in arrears for each flat.",
                "must be > 10 years in arrears",
                "must be < 10 years in arrears",
            ),
            (
                "本計畫自七月起施行。申請人須年滿六十五歲且設籍三年。",
                "申請人須年滿六十歲",
                "申請人須年滿六十五歲",
            ),
            ("the fee is 20 dollars", "fee of 20", "fee is 20"),
        ] {
            assert_eq!(nearest(text, quote).as_deref(), Some(shown), "{quote}");
        }
        assert_eq!(nearest("Opening hours on weekdays.", "applicants aged sixty or above"), None);
    }
}
