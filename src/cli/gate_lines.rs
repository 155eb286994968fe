//! Rows from a file of lines, in batches of bounded size, as often as they are needed.
//!
//! It reads; it judges nothing. A line is never lost: what is no row comes out as a malformed one.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, Write};
use std::path::Path;

use crate::ask::reply::{MalformedRow, ParsedExtract, parse_extract_reply};

/// Rows judged together; more would only cost memory.
pub const ROWS_AT_ONCE: usize = 2_000;
/// Bytes of lines read together.
const BYTES_AT_ONCE: usize = 32 << 20;
/// A longer line is no row.
const LONGEST_LINE: usize = 4 << 20;

/// A file of rows that can be read from its start again.
pub struct RowFile {
    lines: BufReader<File>,
    /// Rows seen so far, readable or not.
    seen: usize,
}

impl RowFile {
    /// Opens `path`, or takes stdin for `-`. What cannot be rewound is copied to a file first.
    pub fn open(path: &Path) -> std::io::Result<Self> {
        let file = if path == Path::new("-") {
            spooled(&mut std::io::stdin().lock())?
        } else {
            let mut file = File::open(path)?;
            if file.metadata()?.is_file() { file } else { spooled(&mut file)? }
        };
        Ok(Self { lines: BufReader::new(file), seen: 0 })
    }

    /// Back to the first line.
    pub fn rewind(&mut self) -> std::io::Result<()> {
        self.seen = 0;
        self.lines.rewind()
    }

    /// The next rows, in order; `None` behind the last line.
    pub fn next_batch(&mut self) -> std::io::Result<Option<ParsedExtract>> {
        let mut batch = ParsedExtract::default();
        let (mut bytes, mut is_end) = (0, true);
        let mut line = Vec::new();
        while bytes < BYTES_AT_ONCE && batch.reply.rows.len() + batch.malformed.len() < ROWS_AT_ONCE
        {
            line.clear();
            let limit = u64::try_from(LONGEST_LINE + 1).unwrap_or(u64::MAX);
            let read = self.lines.by_ref().take(limit).read_until(b'\n', &mut line)?;
            if read == 0 {
                break;
            }
            is_end = false;
            bytes += read;
            if LONGEST_LINE < line.len() && line.last() != Some(&b'\n') {
                self.skip_line()?;
                self.refuse("the line is longer than 4 MiB".to_owned(), &mut batch);
            } else {
                self.take_line(&line, &mut batch);
            }
        }
        Ok((!is_end).then_some(batch))
    }

    fn skip_line(&mut self) -> std::io::Result<()> {
        loop {
            let room = self.lines.fill_buf()?;
            let end = room.iter().position(|it| *it == b'\n');
            let (used, is_over) = (end.map_or(room.len(), |it| it + 1), end.is_some());
            self.lines.consume(used);
            if is_over || used == 0 {
                return Ok(());
            }
        }
    }

    fn refuse(&mut self, reason: String, batch: &mut ParsedExtract) {
        self.seen += 1;
        let (after, id) = (batch.reply.rows.len(), format!("row-{}", self.seen));
        batch.malformed.push(MalformedRow { after, id, reason });
    }

    /// One line: a row, several, groups, or the reason why it is none.
    fn take_line(&mut self, line: &[u8], batch: &mut ParsedExtract) {
        let text = String::from_utf8_lossy(line);
        let text = text.trim_start_matches('\u{feff}');
        if text.trim().is_empty() {
            return;
        }
        let mut parsed = parse_extract_reply(text, "");
        batch.reply.groups.append(&mut parsed.reply.groups);
        let has_rows = !parsed.reply.rows.is_empty() || !parsed.malformed.is_empty();
        if let Some(reason) = parsed.unreadable.take() {
            return self.refuse(reason, batch);
        }
        if parsed.is_truncated && !has_rows {
            return self.refuse("the line ends inside the row".to_owned(), batch);
        }
        let (before, start) = (self.seen, batch.reply.rows.len());
        self.seen += parsed.reply.rows.len() + parsed.malformed.len();
        // Names that the reader gave by the place in the line count on from the rows before.
        let named = |id: String| match id.strip_prefix("row-").map(str::parse::<usize>) {
            Some(Ok(at)) if 0 < before => format!("row-{}", before + at),
            _ => id,
        };
        for mut row in parsed.reply.rows {
            row.id = named(row.id);
            batch.reply.rows.push(row);
        }
        for row in parsed.malformed {
            let after = start + row.after;
            batch.malformed.push(MalformedRow { after, id: named(row.id), ..row });
        }
    }
}

/// A copy that can be read again. It has no name where the system allows that.
fn spooled(from: &mut dyn Read) -> std::io::Result<File> {
    let folder = std::env::temp_dir();
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    let (path, mut file) = (0..1_000)
        .find_map(|turn| {
            let path = folder.join(format!("countersign-{}-{turn}.rows", std::process::id()));
            options.open(&path).ok().map(|it| (path, it))
        })
        .ok_or_else(|| std::io::Error::other("cannot make a file in the folder for such files"))?;
    let _ = std::fs::remove_file(path);
    std::io::copy(from, &mut file)?;
    file.flush()?;
    file.rewind()?;
    Ok(file)
}
