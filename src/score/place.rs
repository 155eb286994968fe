//! Where a label stands on its page, and how far a row's snippet overlaps it.
//!
//! White space (no-break spaces too) counts as one space; no other character is ever folded.

/// A text with its white space folded, and for each folded byte the byte it came from.
pub struct Folded {
    text: String,
    origin: Vec<usize>,
}

impl Folded {
    /// Folds `text`: runs of white space become one space, none at the ends.
    pub fn new(text: &str) -> Self {
        let mut folded = Self { text: String::with_capacity(text.len()), origin: Vec::new() };
        for (at, it) in text.char_indices() {
            if is_space(it) {
                if !folded.text.is_empty() && !folded.text.ends_with(' ') {
                    folded.push(' ', at);
                }
            } else {
                folded.push(it, at);
            }
        }
        if folded.text.ends_with(' ') {
            folded.text.pop();
            folded.origin.pop();
        }
        folded
    }

    fn push(&mut self, it: char, at: usize) {
        self.text.push(it);
        self.origin.extend((0..it.len_utf8()).map(|step| at + step));
    }

    /// The folded text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Where `needle`, folded, stands: byte ranges of the text before folding, in reading order.
    ///
    /// Where some of the places are whole lines of the page, only those are given: a one-word list
    /// item is not every sentence that has the word in it.
    pub fn places_of(&self, needle: &Folded, page: &str) -> Vec<[usize; 2]> {
        if needle.text.is_empty() {
            return Vec::new();
        }
        let all: Vec<[usize; 2]> = self
            .text
            .match_indices(needle.as_str())
            .map(|(at, it)| [self.origin[at], self.end_of(at + it.len(), page.len())])
            .collect();
        let whole: Vec<[usize; 2]> =
            all.iter().copied().filter(|&range| is_whole_line(page, range)).collect();
        if whole.is_empty() { all } else { whole }
    }

    fn end_of(&self, folded_end: usize, page_len: usize) -> usize {
        folded_end
            .checked_sub(1)
            .and_then(|last| self.origin.get(last))
            .map_or(page_len, |&last| last + 1)
    }
}

/// True where the range is all of its line but list marks and closing punctuation.
fn is_whole_line(page: &str, [start, end]: [usize; 2]) -> bool {
    let before = page.get(..start).unwrap_or_default();
    let after = page.get(end..).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line_end = after.find('\n').unwrap_or(after.len());
    let is_mark = |it: char| is_space(it) || matches!(it, '-' | '#' | '*' | '|');
    before[line_start..].chars().all(is_mark)
        && after[..line_end].chars().all(|it| is_mark(it) || matches!(it, '.' | '。' | ';' | '；'))
}

/// White space of any kind.
pub fn is_space(it: char) -> bool {
    it.is_whitespace() || it == '\u{feff}'
}

/// Bytes that two ranges share.
pub fn shared_bytes(a: [usize; 2], b: [usize; 2]) -> usize {
    a[1].min(b[1]).saturating_sub(a[0].max(b[0]))
}

/// Characters of the longest piece that both texts have, for rows whose page is not at hand.
pub fn longest_common(a: &str, b: &str) -> usize {
    if a.contains(b) || b.contains(a) {
        return a.chars().count().min(b.chars().count());
    }
    let b: Vec<char> = b.chars().collect();
    let mut row = vec![0usize; b.len() + 1];
    let mut best = 0;
    for x in a.chars() {
        for at in (0..b.len()).rev() {
            row[at + 1] = if b[at] == x { row[at] + 1 } else { 0 };
            best = best.max(row[at + 1]);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_found_through_folded_white_space() {
        let page = "申請人\u{a0}須年滿\n65 歲。\n- Veterans\nVeterans may apply.\n";
        let folded = Folded::new(page);
        let places = folded.places_of(&Folded::new("須年滿 65 歲"), page);
        assert_eq!(places.len(), 1);
        assert_eq!(&page[places[0][0]..places[0][1]], "須年滿\n65 歲");
    }

    #[test]
    fn a_one_word_item_is_its_own_line_only() {
        let page = "- Veterans\nVeterans may apply.\n- Veterans and families\n";
        let places = Folded::new(page).places_of(&Folded::new("Veterans"), page);
        assert_eq!(places, [[2, 10]]);
    }

    #[test]
    fn the_longest_common_piece_is_counted_in_characters() {
        assert_eq!(longest_common("年滿六十五歲者", "須年滿六十五歲"), 6);
        assert_eq!(longest_common("abc", ""), 0);
    }
}
