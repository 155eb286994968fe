//! The text of one block while it is being read: white space folds, everything else stays.
//!
//! Only layout white space (space, tab, line ends, form feed) folds. No-break spaces, soft hyphens,
//! full-width and zero-width characters are the page's own and are kept.

/// Text under construction, with the element each stretch came from.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Folded text; `\n` stands for a line break of the page.
    pub text: String,
    /// `[byte of text, element]`, rising.
    pub runs: Vec<[usize; 2]>,
    space_is_due: bool,
    breaks_due: usize,
    digits_must_part: bool,
}

/// Layout white space of HTML.
pub fn is_layout_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
}

/// True where a reader sees something of `text`.
pub fn is_visible(text: &str) -> bool {
    text.chars().any(|it| {
        !it.is_whitespace()
            && !matches!(it, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
    })
}

/// `text` with layout white space folded to single spaces and trimmed.
pub fn fold(text: &str) -> String {
    let mut line = Line::default();
    line.push(text, 0);
    line.text
}

impl Line {
    /// Adds `text`, read from element number `element`.
    pub fn push(&mut self, text: &str, element: usize) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            if is_layout_space(bytes[at]) {
                self.space_is_due = true;
                at += 1;
                continue;
            }
            let rest = &bytes[at..];
            let len = rest.iter().position(|&it| is_layout_space(it)).unwrap_or(rest.len());
            // Layout white space is ASCII, so both ends are character boundaries.
            self.push_word(&text[at..at + len], element);
            at += len;
        }
    }

    fn push_word(&mut self, word: &str, element: usize) {
        if self.runs.last().is_none_or(|it| it[1] != element) {
            self.runs.push([self.text.len(), element]);
        }
        if !self.text.is_empty() {
            if self.breaks_due > 0 {
                self.text.push('\n');
            } else if self.space_is_due || (self.digits_must_part && self.digits_meet(word)) {
                self.text.push(' ');
            }
        }
        self.breaks_due = 0;
        self.space_is_due = false;
        self.digits_must_part = false;
        self.text.push_str(word);
    }

    fn digits_meet(&self, word: &str) -> bool {
        self.text.ends_with(char::is_numeric) && word.starts_with(char::is_numeric)
    }

    /// Room between what stands here and what follows, if both are on one line.
    pub fn space(&mut self) {
        self.space_is_due = true;
    }

    /// Text on the two sides of this place is not one number, though no space is between.
    pub fn part_digits(&mut self) {
        self.digits_must_part = true;
    }

    /// A line break of the page. Returns how many stand here in a row.
    pub fn break_line(&mut self) -> usize {
        self.breaks_due += 1;
        self.breaks_due
    }

    /// The line cut in front of each line break after which `begins` holds for the next line; the
    /// breaks at the cuts are dropped.
    pub fn cut_where(self, begins: impl Fn(&str) -> bool) -> Vec<Line> {
        let breaks = memchr::memchr_iter(b'\n', self.text.as_bytes());
        let cuts: Vec<usize> = breaks
            .filter(|&at| begins(self.text[at + 1..].split('\n').next().unwrap_or_default()))
            .collect();
        if cuts.is_empty() {
            return vec![self];
        }
        let mut out = Vec::with_capacity(cuts.len() + 1);
        let mut start = 0;
        for end in cuts.into_iter().chain([self.text.len()]) {
            out.push(self.part(start, end));
            start = end + 1;
        }
        out
    }

    fn part(&self, start: usize, end: usize) -> Line {
        let first = self.runs.partition_point(|it| it[0] <= start).saturating_sub(1);
        let runs = self.runs[first..].iter().take_while(|it| it[0] < end);
        Line {
            text: self.text[start..end].to_owned(),
            runs: runs.map(|it| [it[0].saturating_sub(start), it[1]]).collect(),
            ..Line::default()
        }
    }

    /// True where nothing has been read yet.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_layout_white_space_folds() {
        let text = " a\n\t b\u{a0}\u{a0}c\u{3000} d\u{ad}e \r\n";
        assert_eq!(fold(text), "a b\u{a0}\u{a0}c\u{3000} d\u{ad}e");
        assert!(!is_visible(" \u{a0}\u{200b}\u{3000}"));
        assert!(is_visible("。"));
    }

    #[test]
    fn a_line_is_cut_where_something_begins() {
        let mut line = Line::default();
        line.push("a", 3);
        line.break_line();
        line.push("b", 4);
        line.break_line();
        line.push("#c", 4);
        line.push("d", 5);
        let parts = line.cut_where(|it| it.starts_with('#'));
        let parts: Vec<_> = parts.iter().map(|it| (it.text.as_str(), it.runs.clone())).collect();
        assert_eq!(parts, [("a\nb", vec![[0, 3], [1, 4]]), ("#cd", vec![[0, 4], [2, 5]])]);
    }

    #[test]
    fn a_raised_digit_does_not_lengthen_a_number() {
        let mut line = Line::default();
        line.push("every 65", 0);
        line.part_digits();
        line.push("1", 1);
        line.part_digits();
        line.push(" or m", 0);
        line.part_digits();
        line.push("2", 1);
        assert_eq!(line.text, "every 65 1 or m2");
        assert_eq!(line.runs, [[0, 0], [8, 1], [10, 0], [15, 1]]);
    }
}
