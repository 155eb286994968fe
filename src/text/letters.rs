//! The characters of one block, and which of them end a sentence.
//!
//! Knows brackets, quotes, note marks, abbreviations and line ends. Sees one block and never looks
//! across its border.

use crate::text::abbreviation::{goes_on_after_stop, is_beginning};
use crate::text::blocks::line::{columns, is_blank, line_goes_on};
use crate::text::glyphs::letter::is_han;

/// The characters of a block with what is known of each.
pub struct Letters<'a> {
    text: &'a str,
    /// Byte offset and character.
    pub chars: Vec<(usize, char)>,
    /// How many brackets or quotes with an end stand open around each character.
    pub depth: Vec<u32>,
    /// Columns of the longest line.
    width: usize,
}

/// Brackets with more characters than this between them hide no full stop.
const LONGEST_BRACKET: usize = 400;

/// Longer runs of closing marks are no end of a sentence but a drawing.
const MOST_CLOSERS: usize = 16;

impl<'a> Letters<'a> {
    /// Reads a block once.
    pub fn new(text: &'a str) -> Self {
        let chars: Vec<_> = text.char_indices().collect();
        let depth = bracket_depth(&chars);
        let width = text.lines().map(|it| columns(it.trim())).max().unwrap_or(0);
        Self { text, chars, depth, width }
    }

    /// The byte offset of a character; the length of the text behind the last.
    pub fn byte(&self, at: usize) -> usize {
        self.chars.get(at).map_or(self.text.len(), |it| it.0)
    }

    /// The character at a position counted in characters.
    pub fn char(&self, at: usize) -> Option<char> {
        self.chars.get(at).map(|it| it.1)
    }

    /// One past the end of the sentence that begins at `from`, where the character at `at` ends it.
    pub fn end_at(&self, at: usize, from: usize) -> Option<usize> {
        if self.depth[at] > 0 {
            return None;
        }
        match self.chars[at].1 {
            '。' | '！' | '？' | '｡' => Some(self.after_closers(at + 1)),
            '．' => self.ends_at_wide_stop(at, from),
            '!' | '?' => {
                let end = self.after_closers(at + 1);
                let next = self.char(end);
                next.is_none_or(|it| is_blank(it) || is_han(it)).then_some(end)
            }
            '.' | '…' => self.ends_at_stop(at, from),
            '\n' => self.ends_at_line(at, from),
            '」' | '』' | '）' | ')' | '”' => self.ends_after_bracket(at),
            _ => None,
        }
    }

    /// Closing marks, further full stops and note marks that belong to the sentence before them.
    fn after_closers(&self, mut at: usize) -> usize {
        let limit = at + MOST_CLOSERS;
        while let Some(it) = self.char(at).filter(|_| at < limit) {
            let closes =
                matches!(it, '"' | '”' | '’' | '」' | '』' | ')' | '）' | ']' | '】' | '〕')
                    && self.depth[at] == 0
                    || matches!(it, '。' | '！' | '？' | '!' | '?' | '…')
                    || matches!(it, '¹' | '²' | '³' | '⁴'..='⁹' | '†' | '‡' | '*')
                    || it == '\'' && self.char(at + 1).is_none_or(is_blank);
            if closes {
                at += 1;
            } else if it == '[' {
                let Some(end) = self.end_of_note(at) else { return at };
                at = end;
            } else {
                return at;
            }
        }
        at
    }

    /// `[12]` behind a full stop.
    fn end_of_note(&self, at: usize) -> Option<usize> {
        let digits =
            (at + 1..at + 5).take_while(|&it| self.char(it).is_some_and(|it| it.is_ascii_digit()));
        let end = at + 1 + digits.count();
        (end > at + 1 && self.char(end) == Some(']')).then_some(end + 1)
    }

    fn ends_at_wide_stop(&self, at: usize, from: usize) -> Option<usize> {
        let is_digit = |it: Option<char>| it.is_some_and(char::is_numeric);
        let before = at.checked_sub(1).and_then(|it| self.char(it));
        let numbered = at - from <= 3 && is_digit(before);
        if numbered || is_digit(before) && is_digit(self.char(at + 1)) {
            return None;
        }
        Some(self.after_closers(at + 1))
    }

    fn ends_at_stop(&self, at: usize, from: usize) -> Option<usize> {
        let end = self.after_closers(at + 1);
        let Some(next) = self.char(end) else { return Some(end) };
        if next == '.' {
            return None;
        }
        if is_han(next) {
            let before = at.checked_sub(1).and_then(|it| self.char(it));
            return before.is_some_and(is_han).then_some(end);
        }
        if !is_blank(next) {
            return self.lacks_a_space(at, end).then_some(end);
        }
        let next_word = self.word_after(end);
        let first = next_word.trim_start_matches(|it: char| !it.is_alphanumeric()).chars().next();
        if first.is_some_and(char::is_lowercase) {
            return None;
        }
        let word = self.word_before(at);
        let numbered =
            word.len() <= 3 && !word.is_empty() && word.bytes().all(|it| it.is_ascii_digit());
        if numbered && self.text[self.byte(from)..self.byte(at)].trim() == word {
            return None;
        }
        let earlier = self.word_before_word(at, word);
        let next_word = next_word.trim_start_matches(|it: char| !it.is_alphanumeric());
        (self.chars[at].1 == '…' || !goes_on_after_stop(earlier, word, next_word)).then_some(end)
    }

    /// "…by the end of the period.If the loan": two sentences without a space between them.
    fn lacks_a_space(&self, at: usize, end: usize) -> bool {
        let word = self.word_before(at);
        let starts = self.char(end).is_some_and(char::is_uppercase)
            && self.char(end + 1).is_some_and(char::is_lowercase);
        let small = word.len() >= 3 && word.chars().all(char::is_lowercase);
        // "under Article 14.The insured person".
        let numbered =
            word.bytes().all(|it| it.is_ascii_digit()) && is_beginning(self.word_after(end));
        starts && end == at + 1 && (small || !word.is_empty() && numbered)
    }

    /// The run of characters other than white space that ends at `at`, at most 24 of them.
    fn word_before(&self, at: usize) -> &'a str {
        let from = (at.saturating_sub(24)..at)
            .rev()
            .take_while(|&it| {
                let it = self.chars[it].1;
                !it.is_whitespace() && !matches!(it, '(' | '（' | '“' | '‘' | '"') && !is_han(it)
            })
            .last()
            .unwrap_or(at);
        &self.text[self.byte(from)..self.byte(at)]
    }

    fn word_before_word(&self, at: usize, word: &str) -> &'a str {
        let mut at = at - word.chars().count();
        while at > 0 && self.chars[at - 1].1.is_whitespace() {
            at -= 1;
        }
        self.word_before(at)
    }

    /// The next word, at most 24 characters of it.
    fn word_after(&self, at: usize) -> &'a str {
        let mut from = at;
        while self.char(from).is_some_and(is_blank) {
            from += 1;
        }
        let len = (from..from + 24)
            .take_while(|&it| self.char(it).is_some_and(|it| !it.is_whitespace()))
            .count();
        &self.text[self.byte(from)..self.byte(from + len)]
    }

    fn ends_at_line(&self, at: usize, from: usize) -> Option<usize> {
        let line_end = self.byte(at);
        let line_start =
            self.text[..line_end].rfind('\n').map_or(0, |it| it + 1).max(self.byte(from));
        let rest = &self.text[line_end + 1..];
        let next = rest.split('\n').next().unwrap_or("").trim();
        let line = self.text[line_start..line_end].trim();
        (!line_goes_on(line, next, self.width)).then_some(at + 1)
    }

    /// A bracket that closes behind a full stop: the sentence ends where a new one begins.
    fn ends_after_bracket(&self, at: usize) -> Option<usize> {
        let before = at.checked_sub(1).and_then(|it| self.char(it))?;
        let end = self.after_closers(at + 1);
        match before {
            '。' | '！' | '？' => {
                let next = self.char(end)?;
                let goes_on = "者之的等，、；：。及或與和並且後前時即為，,;".contains(next);
                (!goes_on).then_some(end)
            }
            '.' | '!' | '?' => {
                let spaced = self.char(end).is_some_and(is_blank);
                let word = self.word_after(end);
                (spaced && word.starts_with(char::is_uppercase)).then_some(end)
            }
            _ => None,
        }
    }
}

/// How many bracket pairs stand around each character; pairs that never close do not count.
fn bracket_depth(chars: &[(usize, char)]) -> Vec<u32> {
    let mut change = vec![0i32; chars.len() + 1];
    let mut open: Vec<(usize, char)> = Vec::new();
    for (at, &(_, it)) in chars.iter().enumerate() {
        let closing = match it {
            '「' => '」',
            '『' => '』',
            '（' | '(' => ')',
            '【' => '】',
            '〔' => '〕',
            '[' => ']',
            '“' => '”',
            _ => {
                let wanted = if it == '）' { ')' } else { it };
                close_bracket(&mut open, &mut change, at, wanted);
                continue;
            }
        };
        open.push((at, closing));
    }
    let mut depth = 0i32;
    change[..chars.len()]
        .iter()
        .map(|it| {
            depth += it;
            u32::try_from(depth).unwrap_or(0)
        })
        .collect()
}

fn close_bracket(open: &mut Vec<(usize, char)>, change: &mut [i32], at: usize, closing: char) {
    if !matches!(closing, '」' | '』' | ')' | '】' | '〕' | ']' | '”') {
        return;
    }
    // An opening mark of another kind that never closed is given up, but only near by.
    let near = open.iter().rev().take(4).position(|it| it.1 == closing);
    let Some(back) = near else { return };
    open.truncate(open.len() - back);
    if let Some((start, _)) = open.pop()
        && at - start <= LONGEST_BRACKET
    {
        change[start] += 1;
        change[at] -= 1;
    }
}
