//! Where a row of words stands in a text, found without reading the text again.
//!
//! Built once in linear time (but for one sort); a look-up costs by the length of the quote, not
//! of the text. It never calls two passages equal that differ in a word, a digit or a sign.

use memchr::memmem;

use crate::gate::places::stream::{Token, forms_of, tokens_of};
use crate::text::span::Span;

/// The tokens of a text and where each run of three begins.
#[derive(Clone, Debug)]
pub struct TokenIndex {
    tokens: Vec<Token>,
    /// (hash of three tokens, index of the first), sorted.
    threes: Vec<(u32, u32)>,
}

/// More places than this for one quote are as good as any: the quote proves nothing by then.
const MAX_PLACES: usize = 512;

impl TokenIndex {
    /// Reads `text` once.
    pub fn new(text: &str) -> Self {
        let tokens = tokens_of(text);
        let mut threes: Vec<(u32, u32)> = tokens
            .windows(3)
            .zip(0_u32..)
            .map(|(it, at)| (three(it[0].hash, it[1].hash, it[2].hash), at))
            .collect();
        threes.sort_unstable();
        Self { tokens, threes }
    }

    /// All tokens, in order.
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// Index of the first token that ends behind byte `at`.
    pub fn token_at(&self, at: usize) -> usize {
        self.tokens.partition_point(|it| it.span.end <= at)
    }

    /// Index ranges of tokens equal to those of `quote`, in reading order, whole tokens only.
    pub fn find(&self, text: &str, quote: &str) -> Vec<std::ops::Range<usize>> {
        let wanted = tokens_of(quote);
        if wanted.is_empty() || self.tokens.len() < wanted.len() {
            return Vec::new();
        }
        let hashes: Vec<u32> = wanted.iter().map(|it| it.hash).collect();
        let mut forms = None;
        let mut found = Vec::new();
        for start in self.starts(&hashes) {
            let end = start + hashes.len();
            let is_equal = self
                .tokens
                .get(start..end)
                .is_some_and(|it| it.iter().zip(&hashes).all(|(it, hash)| it.hash == *hash));
            if !is_equal {
                continue;
            }
            let span = self.span_of(start..end);
            let forms = forms.get_or_insert_with(|| forms_of(quote));
            if span.slice(text).is_some_and(|it| forms_of(it) == *forms) {
                found.push(start..end);
                if found.len() == MAX_PLACES {
                    break;
                }
            }
        }
        found
    }

    /// Byte range from the first to the last token of an index range.
    pub fn span_of(&self, range: std::ops::Range<usize>) -> Span {
        match self.tokens.get(range) {
            Some([first, .., last]) => Span::new(first.span.start, last.span.end),
            Some([only]) => only.span,
            _ => Span::default(),
        }
    }

    /// Token indices at which `hashes` (at least one) may begin, by its rarest run of three.
    pub fn starts(&self, hashes: &[u32]) -> Vec<usize> {
        let rarest = hashes
            .windows(3)
            .enumerate()
            .map(|(at, it)| (self.places(three(it[0], it[1], it[2])), at))
            .min_by_key(|(places, _)| places.len());
        match rarest {
            Some((places, offset)) => places
                .iter()
                .take(MAX_PLACES * 8)
                .filter_map(|(_, at)| (*at as usize).checked_sub(offset))
                .collect(),
            None => {
                let first = hashes[0];
                let starts = self.tokens.iter().enumerate().filter(|(_, it)| it.hash == first);
                starts.map(|(at, _)| at).take(MAX_PLACES * 8).collect()
            }
        }
    }

    /// Where a run of three with this hash begins.
    pub fn places(&self, hash: u32) -> &[(u32, u32)] {
        let from = self.threes.partition_point(|it| it.0 < hash);
        let len = self.threes[from..].partition_point(|it| it.0 == hash);
        &self.threes[from..from + len]
    }

    /// Byte ranges of `quote` letter by letter, also where it begins or ends inside a word.
    pub fn find_cut(&self, text: &str, quote: &str) -> Vec<Span> {
        let wanted = tokens_of(quote);
        // The words inside the quote are whole wherever it stands, so their runs must be known.
        if let Some(inner) = wanted.get(1..wanted.len().saturating_sub(1)) {
            let is_hopeless =
                |it: &[Token]| self.places(three(it[0].hash, it[1].hash, it[2].hash)).is_empty();
            if inner.windows(3).any(is_hopeless) {
                return Vec::new();
            }
        }
        if quote.is_empty() {
            return Vec::new();
        }
        memmem::find_iter(text.as_bytes(), quote.as_bytes())
            .take(MAX_PLACES)
            .map(|at| Span::new(at, at + quote.len()))
            .collect()
    }
}

/// One hash for three tokens.
pub fn three(a: u32, b: u32, c: u32) -> u32 {
    let mix = |hash: u32, it: u32| (hash.rotate_left(5) ^ it).wrapping_mul(0x9e37_79b9);
    mix(mix(mix(0, a), b), c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_found_and_only_equal_ones() {
        let text = "Aged 65 or above. Carers aged 65 or over. 年滿65歲者，年滿六十五歲者。AGED 65\nOR ABOVE";
        let index = TokenIndex::new(text);
        let found = |quote: &str| -> Vec<&str> {
            index
                .find(text, quote)
                .into_iter()
                .filter_map(|it| index.span_of(it).slice(text))
                .collect()
        };
        assert_eq!(found("aged 65 or above"), ["Aged 65 or above", "AGED 65\nOR ABOVE"]);
        assert_eq!(found("年滿65歲"), ["年滿65歲"]);
        assert!(found("aged 65 or any").is_empty());
        assert!(found("aged 6 or above").is_empty());
        assert_eq!(found("carers"), ["Carers"]);
        assert!(found("…").is_empty());
    }

    #[test]
    fn a_quote_cut_inside_a_word_is_found_letter_by_letter() {
        let text = "It is unable to meet the whole turnover of £85,000 a year.";
        let index = TokenIndex::new(text);
        assert_eq!(index.find_cut(text, "able to meet the whole turnover of £85,0").len(), 1);
        assert!(index.find_cut(text, "able to meet the whole turnovers of £85,0").is_empty());
    }
}
