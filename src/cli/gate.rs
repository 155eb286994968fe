//! `gate --text FILE (--answer FILE | --rows FILE)`: anybody's rows against a page's text.
//!
//! The command's body. It needs no project, reads only the files it is given, and writes only to
//! the writers it is given.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use serde::Deserialize;

use crate::ask::reply::{MalformedRow, ParsedExtract, parse_extract_reply};
use crate::cli::args::{Format, GateArgs};
use crate::cli::exit::Exit;
use crate::gate::contract::{judgement_json, page_json, row_json};
use crate::gate::judge::judge_parsed;
use crate::gate::page::PageText;
use crate::gate::row::{GatedRow, Judgement};
use crate::gate::scope::{Earlier, Scope};
use crate::model::ask::Answer;
use crate::model::claim::Claim;
use crate::model::finding::Verdict;

/// Why nothing could be judged.
#[derive(Debug, thiserror::Error)]
pub enum GateError {
    #[error("cannot read {path}: {cause}")]
    Read { path: String, cause: std::io::Error },
    #[error("{path} is not UTF-8 (byte {at}); convert it and run again")]
    NotUtf8 { path: String, at: usize },
    #[error("{path}: {cause}; expected {{\"prompt_examples\": [\"text\", …]}}")]
    Examples { path: String, cause: serde_json::Error },
    #[error("cannot write the result: {0}")]
    Write(#[from] std::io::Error),
}

/// The file of `--examples`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Context {
    /// Texts of the prompt that are not the page.
    prompt_examples: Vec<String>,
    /// The page as it was, where rows are to be carried over.
    previous_source_text: Option<String>,
    /// The rows that stood on it.
    previous_rows: Vec<Claim>,
}

/// Runs the command: result to `out`, complaints to `err`.
pub fn run_gate(args: &GateArgs, format: Format, out: &mut dyn Write, err: &mut dyn Write) -> Exit {
    match try_gate(args, format, out) {
        Ok(true) => Exit::Done,
        Ok(false) => Exit::Waits,
        Err(GateError::Write(cause)) => {
            let _ = writeln!(err, "countersign gate: cannot write the result: {cause}");
            Exit::Fault
        }
        Err(error) => {
            let _ = writeln!(err, "countersign gate: {error}");
            Exit::Usage
        }
    }
}

/// True where the page is in order and every row stands.
fn try_gate(args: &GateArgs, format: Format, out: &mut dyn Write) -> Result<bool, GateError> {
    let page = PageText::index(&read_text(&args.text)?);
    let context = match &args.examples {
        Some(path) => read_context(path)?,
        None => Context::default(),
    };
    let scope = Scope {
        examples: &context.prompt_examples,
        is_strict: args.strict,
        earlier: context
            .previous_source_text
            .as_deref()
            .map(|text| Earlier { text, rows: &context.previous_rows }),
        ..Scope::default()
    };
    match (&args.answer, &args.rows) {
        (_, Some(rows)) => gate_lines(&page, &scope, rows, (format, out)),
        (Some(answer), None) => {
            let raw = read_text(answer)?;
            let parsed = read_reply(&raw, scope.earlier.is_some());
            let judgement = judge_parsed(&page, &parsed, &scope);
            match format {
                Format::Json => writeln!(out, "{:#}", judgement_json(&judgement))?,
                Format::Human => write_for_people(&judgement, out)?,
            }
            Ok(judgement.is_clear())
        }
        (None, None) => Ok(false),
    }
}

/// A raw reply, or the file of a recorded answer. Carried rows need no reply.
fn read_reply(raw: &str, is_carrying: bool) -> ParsedExtract {
    if is_carrying && raw.trim().is_empty() {
        return ParsedExtract::default();
    }
    match serde_json::from_str::<Answer>(raw) {
        Ok(answer) => parse_extract_reply(&answer.reply, &answer.finish),
        Err(_) => parse_extract_reply(raw, ""),
    }
}

/// Rows judged together; more would only cost memory.
const ROWS_AT_ONCE: usize = 20_000;

/// Streams rows: verdicts go out as the rows come in, the page's own word comes last.
fn gate_lines(
    page: &PageText,
    scope: &Scope,
    path: &Path,
    (format, out): (Format, &mut dyn Write),
) -> Result<bool, GateError> {
    let broken = |cause| GateError::Read { path: path.display().to_string(), cause };
    let file = BufReader::new(File::open(path).map_err(broken)?);
    let mut is_clear = true;
    let mut is_first = true;
    let mut batch = ParsedExtract::default();
    let mut seen = 0;
    let mut last = None;
    if matches!(format, Format::Json) {
        write!(out, "{{\"rows\":[")?;
    }
    let mut lines = file.split(b'\n');
    loop {
        let line = lines.next().transpose().map_err(broken)?;
        let is_end = line.is_none();
        if let Some(line) = line {
            take_line(&line, &mut seen, &mut batch);
        }
        let len = batch.reply.rows.len() + batch.malformed.len();
        if len == ROWS_AT_ONCE || is_end {
            let judgement = judge_parsed(page, &batch, scope);
            is_clear &= judgement.rows.iter().all(stands);
            for row in &judgement.rows {
                match format {
                    Format::Json => {
                        let comma = if is_first { "" } else { "," };
                        write!(out, "{comma}\n{}", row_json(row))?;
                        is_first = false;
                    }
                    Format::Human => write_row(row, out)?,
                }
            }
            batch = ParsedExtract::default();
            last = Some(judgement);
        }
        if is_end {
            break;
        }
    }
    let Some(judgement) = last else { return Ok(false) };
    match format {
        Format::Json => writeln!(out, "\n],\"page\":{}}}", page_json(&judgement))?,
        Format::Human => write_page(&judgement, out)?,
    }
    Ok(is_clear && judgement.is_clear())
}

fn stands(row: &GatedRow) -> bool {
    row.is_clear() || row.verdict() == Verdict::Merge
}

/// One line of `--rows`: a row, or the reason why it is none.
fn take_line(line: &[u8], seen: &mut usize, batch: &mut ParsedExtract) {
    let text = String::from_utf8_lossy(line);
    if text.trim().is_empty() {
        return;
    }
    *seen += 1;
    let mut parsed = parse_extract_reply(&text, "");
    let after = batch.reply.rows.len();
    let named = |id: String| if id == "row-1" { format!("row-{seen}") } else { id };
    if let Some(reason) = parsed.unreadable.take() {
        batch.malformed.push(MalformedRow { after, id: format!("row-{seen}"), reason });
        return;
    }
    if parsed.is_truncated && parsed.reply.rows.is_empty() {
        let reason = "the line ends inside the row".to_owned();
        batch.malformed.push(MalformedRow { after, id: format!("row-{seen}"), reason });
    }
    for mut row in parsed.reply.rows {
        row.id = named(row.id);
        batch.reply.rows.push(row);
    }
    for row in parsed.malformed {
        batch.malformed.push(MalformedRow { after, id: named(row.id), ..row });
    }
}

fn read_text(path: &Path) -> Result<String, GateError> {
    let name = path.display().to_string();
    let bytes =
        std::fs::read(path).map_err(|cause| GateError::Read { path: name.clone(), cause })?;
    String::from_utf8(bytes)
        .map_err(|it| GateError::NotUtf8 { path: name, at: it.utf8_error().valid_up_to() })
}

fn read_context(path: &Path) -> Result<Context, GateError> {
    let text = read_text(path)?;
    serde_json::from_str(&text)
        .map_err(|cause| GateError::Examples { path: path.display().to_string(), cause })
}

fn write_for_people(judgement: &Judgement, out: &mut dyn Write) -> Result<(), GateError> {
    for row in &judgement.rows {
        write_row(row, out)?;
    }
    for row in &judgement.earlier {
        writeln!(out, "{:<8} {:<18} {}", row.id, row.verdict.as_str(), row.detail)?;
    }
    write_page(judgement, out)
}

fn write_row(row: &GatedRow, out: &mut dyn Write) -> Result<(), GateError> {
    let words = if row.claim().snippet.is_empty() { "-" } else { row.claim().snippet.as_str() };
    let words = words.replace('\n', " ");
    writeln!(out, "{:<8} {:<7} {words}", row.claim().id, row.verdict().as_str())?;
    for finding in row.findings() {
        writeln!(out, "{:17}{}: {}", "", finding.code, finding.detail.replace('\n', " "))?;
    }
    Ok(())
}

fn write_page(judgement: &Judgement, out: &mut dyn Write) -> Result<(), GateError> {
    let (used, not_a_condition, open) = judgement.ledger.counts();
    writeln!(
        out,
        "page     {}; sentences: {used} used, {not_a_condition} not a condition, {open} open",
        judgement.page.state.as_str(),
    )?;
    for finding in &judgement.page.findings {
        writeln!(out, "{:9}{}: {}", "", finding.code, finding.detail.replace('\n', " "))?;
    }
    Ok(())
}
