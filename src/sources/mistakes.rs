//! Gathers the mistakes of one file and turns byte ranges into lines and columns; never stops early.

use std::ops::Range;

use crate::sources::problem::{Excerpt, Problem};

/// Mistakes of one file beyond this many are counted, not listed.
const LISTED: usize = 100;

/// What is wrong at one place; the place is given beside it.
#[derive(Clone, Debug, Default)]
pub struct Mistake {
    /// The key that is meant.
    pub key: String,
    /// What would have been right.
    pub expected: String,
    /// What stands there.
    pub found: String,
    /// What to do.
    pub help: Option<String>,
    /// True where the line may hold a key or password and is not to be shown.
    pub is_secret: bool,
}

/// The mistakes found so far in one text.
#[derive(Clone, Debug)]
pub struct Mistakes<'t> {
    file: String,
    text: &'t str,
    line_starts: Vec<usize>,
    problems: Vec<Problem>,
    unlisted: usize,
}

impl<'t> Mistakes<'t> {
    /// `file` is the name to show; `text` its content, to which all ranges refer.
    pub fn new(file: &str, text: &'t str) -> Self {
        let line_starts = std::iter::once(0)
            .chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|it| it + 1))
            .collect();
        Self { file: file.to_owned(), text, line_starts, problems: Vec::new(), unlisted: 0 }
    }

    /// Notes a mistake at the byte range `at`.
    pub fn add(&mut self, at: Range<usize>, mistake: Mistake) {
        if self.is_full() {
            self.unlisted += 1;
            return;
        }
        let start = self.boundary(at.start);
        let line = self.line_of(start);
        let from = self.line_starts[line - 1];
        let whole = self.text[from..].split('\n').next().unwrap_or_default();
        let whole = whole.strip_suffix('\r').unwrap_or(whole);
        let mark = (start - from).min(whole.len());
        let mark_end = self.boundary(at.end).saturating_sub(from).clamp(mark, whole.len());
        self.problems.push(Problem {
            file: self.file.clone(),
            line,
            column: self.text[from..start].chars().count() + 1,
            key: mistake.key,
            expected: mistake.expected,
            found: mistake.found,
            help: mistake.help,
            excerpt: (!mistake.is_secret).then(|| Excerpt {
                line: whole.to_owned(),
                start: mark,
                end: mark_end,
            }),
        });
    }

    /// True where a further mistake is counted only: no need to word it.
    pub fn is_full(&self) -> bool {
        self.problems.len() >= LISTED
    }

    /// Line of a byte offset, counted from 1.
    pub fn line_of(&self, at: usize) -> usize {
        self.line_starts.partition_point(|it| *it <= at)
    }

    /// The text of a byte range.
    pub fn slice(&self, at: Range<usize>) -> &'t str {
        self.text.get(at).unwrap_or_default()
    }

    /// True while nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    /// Everything found, ordered by place; what was too much to list is said in one last entry.
    pub fn into_problems(mut self) -> Vec<Problem> {
        self.problems.sort();
        // A key that is neither well-formed nor known is one mistake; what can be done about it stays.
        self.problems.dedup_by(|later, kept| {
            let is_same =
                (later.line, later.column, &later.key) == (kept.line, kept.column, &kept.key);
            if is_same && kept.help.is_none() {
                std::mem::swap(later, kept);
            }
            is_same
        });
        if self.unlisted > 0 {
            self.problems.push(Problem {
                file: self.file,
                line: 0,
                column: 0,
                key: String::new(),
                expected: "a file with few mistakes".to_owned(),
                found: format!("{} more that are not listed", self.unlisted),
                help: Some("mend those above and read the file again".to_owned()),
                excerpt: None,
            });
        }
        self.problems
    }

    fn boundary(&self, at: usize) -> usize {
        let mut at = at.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_lines_and_characters() {
        let text = "a = 1\r\n標題 = 2\n";
        let mut mistakes = Mistakes::new("x.toml", text);
        let at = text.find("= 2").unwrap();
        mistakes.add(at..at + 100, Mistake::default());
        mistakes.add(text.len()..text.len(), Mistake::default());
        let problems = mistakes.into_problems();
        assert_eq!((problems[0].line, problems[0].column), (2, 4));
        assert_eq!(problems[0].excerpt.as_ref().unwrap().line, "標題 = 2");
        assert_eq!((problems[1].line, problems[1].column), (3, 1));
    }

    #[test]
    fn a_flood_is_counted_and_not_listed() {
        let text = "a".repeat(LISTED + 7);
        let mut mistakes = Mistakes::new("x.toml", &text);
        for at in 0..LISTED + 7 {
            mistakes.add(at..at + 1, Mistake::default());
        }
        let problems = mistakes.into_problems();
        assert_eq!(problems.len(), LISTED + 1);
        assert!(problems[LISTED].found.starts_with("7 more"));
    }
}
