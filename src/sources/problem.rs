//! One mistake in a configuration file, with its place and what to do; never the value of a secret.

use std::fmt;

use serde::Serialize;
use unicode_width::UnicodeWidthStr;

/// A mistake in a file that people write.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Problem {
    /// The file, as it was named to us; for a variable or a flag, its name.
    pub file: String,
    /// Line, counted from 1; 0 where the file as a whole is meant.
    pub line: usize,
    /// Column in characters, counted from 1; 0 where the file as a whole is meant.
    pub column: usize,
    /// The key that is meant, `fields[2].unit`; empty for the file as a whole.
    pub key: String,
    /// What would have been right.
    pub expected: String,
    /// What stands there.
    pub found: String,
    /// What to do: the nearest known key, the form to use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The line itself with the range that is meant; `None` where it may hold a secret.
    #[serde(skip)]
    pub excerpt: Option<Excerpt>,
}

/// The line a problem stands in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Excerpt {
    /// The whole line, without its line break.
    pub line: String,
    /// First byte of the marked range.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
}

/// Every mistake of every file read, ordered by file and place. Never empty.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Problems(pub Vec<Problem>);

/// A longer line is shown around the marked range only.
const SHOWN_CHARS: usize = 100;

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if self.line > 0 {
            write!(f, ":{}:{}", self.line, self.column)?;
        }
        f.write_str(": ")?;
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        write!(f, "expected {}, found {}", self.expected, self.found)?;
        if let Some(excerpt) = &self.excerpt {
            let number = self.line.to_string();
            let (shown, before, width) = excerpt.shown();
            write!(f, "\n  {number} | {shown}\n  {:1$} | ", "", number.len())?;
            write!(f, "{:before$}{:^<width$}", "", "")?;
        }
        if let Some(help) = &self.help {
            write!(f, "\n  help: {help}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for problem in &self.0 {
            writeln!(f, "{problem}")?;
        }
        let files: std::collections::BTreeSet<&str> =
            self.0.iter().map(|it| it.file.as_str()).collect();
        let plural = |n: usize| if n == 1 { "" } else { "s" };
        let (n, n_files) = (self.0.len(), files.len());
        write!(f, "{n} mistake{} in {n_files} file{}", plural(n), plural(n_files))
    }
}

impl Excerpt {
    /// The part of the line to print, the columns before the mark, and the columns marked.
    fn shown(&self) -> (String, usize, usize) {
        let skipped =
            self.line.get(..self.start).map_or(0, |it| it.chars().count()).saturating_sub(60);
        let mut before = 0;
        let mut width = 0;
        let mut shown = String::new();
        for (at, c) in self.line.char_indices().skip(skipped).take(SHOWN_CHARS) {
            let c = if c.is_control() { ' ' } else { c };
            let columns = UnicodeWidthStr::width(c.encode_utf8(&mut [0; 4]) as &str);
            shown.push(c);
            if at < self.start {
                before += columns;
            } else if at < self.end {
                width += columns;
            }
        }
        (shown, before, width.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_stands_under_wide_characters() {
        let line = "title = \"海港\" x";
        let start = line.find('x').unwrap();
        let problem = Problem {
            file: "sources/a.toml".to_owned(),
            line: 3,
            column: 14,
            key: "title".to_owned(),
            expected: "a line break".to_owned(),
            found: "`x`".to_owned(),
            help: Some("end the line after the value".to_owned()),
            excerpt: Some(Excerpt { line: line.to_owned(), start, end: start + 1 }),
        };
        let text = problem.to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "sources/a.toml:3:14: title: expected a line break, found `x`");
        let columns = |it: &str, to: char| UnicodeWidthStr::width(it.split(to).next().unwrap());
        assert_eq!(columns(lines[1], 'x'), columns(lines[2], '^'), "{text}");
    }

    #[test]
    fn a_very_long_line_is_shown_around_the_mark() {
        let line = format!("{}!{}", "字".repeat(5_000), "字".repeat(5_000));
        let start = 15_000;
        let excerpt = Excerpt { line, start, end: start + 1 };
        let (shown, before, width) = excerpt.shown();
        assert!(shown.contains('!') && shown.chars().count() <= SHOWN_CHARS);
        assert_eq!((before, width), (120, 1));
    }
}
