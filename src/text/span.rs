//! Places in a text, in UTF-8 bytes and in Unicode scalar values; never in UTF-16 units.

use serde::{Deserialize, Serialize};

/// A half-open range of byte offsets into one text: `start..end`, both on character boundaries.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(from = "[usize; 2]", into = "[usize; 2]")]
pub struct Span {
    /// First byte, counted from 0.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The range `start..end`; an end before its start is an empty range at `start`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end: end.max(start) }
    }

    /// Length in bytes.
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// True where the range holds no byte.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// True where every byte of `other` lies in this range.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// True where the ranges share at least one byte.
    pub fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The same range, moved `by` bytes to the right.
    pub fn shifted(self, by: usize) -> Self {
        Self { start: self.start + by, end: self.end + by }
    }

    /// The slice of `text`, or `None` where the range leaves it or cuts a character.
    pub fn slice(self, text: &str) -> Option<&str> {
        text.get(self.start..self.end)
    }
}

impl From<[usize; 2]> for Span {
    fn from([start, end]: [usize; 2]) -> Self {
        Self::new(start, end)
    }
}

impl From<Span> for [usize; 2] {
    fn from(span: Span) -> Self {
        [span.start, span.end]
    }
}

/// Byte offsets of one text turned into character offsets and back, in logarithmic time.
///
/// Holds one checkpoint for every 64 characters, so memory is a small fraction of the text's.
#[derive(Clone, Debug)]
pub struct CharMap {
    checkpoints: Vec<usize>,
    byte_len: usize,
}

const STRIDE: usize = 64;

impl CharMap {
    /// Reads `text` once.
    pub fn new(text: &str) -> Self {
        let checkpoints = text.char_indices().step_by(STRIDE).map(|(at, _)| at).collect();
        Self { checkpoints, byte_len: text.len() }
    }

    /// Characters before byte offset `byte` of `text`, which must be the text given to `new`.
    pub fn chars_before(&self, text: &str, byte: usize) -> usize {
        let byte = byte.min(self.byte_len);
        let slot = self.checkpoints.partition_point(|&at| at <= byte);
        let Some(slot) = slot.checked_sub(1) else { return 0 };
        let from = self.checkpoints[slot];
        slot * STRIDE + text.get(from..byte).map_or(0, |it| it.chars().count())
    }

    /// The character range of a byte range.
    pub fn char_span(&self, text: &str, span: Span) -> Span {
        Span::new(self.chars_before(text, span.start), self.chars_before(text, span.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn character_offsets_agree_with_counting_in_both_languages() {
        let text = "申請人須年滿65歲。📌 An applicant aged 65 or over may apply. ".repeat(40);
        let map = CharMap::new(&text);
        for (chars, (byte, _)) in text.char_indices().enumerate() {
            assert_eq!(map.chars_before(&text, byte), chars);
        }
        assert_eq!(map.chars_before(&text, text.len()), text.chars().count());
    }

    #[test]
    fn a_range_that_cuts_a_character_has_no_slice() {
        assert_eq!(Span::new(0, 2).slice("歲"), None);
        assert_eq!(Span::new(0, 3).slice("歲"), Some("歲"));
    }
}
