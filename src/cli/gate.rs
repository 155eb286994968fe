//! `gate --text FILE (--answer FILE | --rows FILE)`: anybody's rows against a page's text.
//!
//! The command's body. It needs no project, reads only the files it is given, and writes only to
//! the writers it is given.

use std::io::{BufWriter, Write};
use std::path::Path;

use serde::Deserialize;
use url::Url;

use crate::ask::reply::{ParsedExtract, parse_extract_reply};
use crate::cli::args::{Format, GateArgs};
use crate::cli::exit::Exit;
use crate::cli::gate_lines::RowFile;
use crate::gate::contract::{carried_json, judgement_json, page_json, row_json};
use crate::gate::hearing::Hearing;
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
    /// Address of the page; with `hosts`, the ones agreed as sources.
    page: Option<String>,
    hosts: Vec<String>,
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
    let foreign = context.page.as_deref().and_then(|it| foreign_host(it, &context.hosts));
    let scope = Scope {
        foreign_host: foreign.as_deref(),
        examples: &context.prompt_examples,
        is_strict: args.strict,
        earlier: context
            .previous_source_text
            .as_deref()
            .map(|text| Earlier { text, rows: &context.previous_rows }),
        ..Scope::default()
    };
    match (&args.answer, &args.rows) {
        (_, Some(rows)) => {
            gate_lines(&page, &scope, rows, (format, &mut BufWriter::with_capacity(1 << 16, out)))
        }
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

/// Judges rows of any number: verdicts go out in the order of the rows, the page's own word last.
///
/// Few rows are judged at once. For more, what each must know of all others is gathered first, so
/// that neither the verdicts nor the page's word depend on where a batch ends.
fn gate_lines(
    page: &PageText,
    scope: &Scope,
    path: &Path,
    (format, out): (Format, &mut dyn Write),
) -> Result<bool, GateError> {
    let broken = |cause| GateError::Read { path: path.display().to_string(), cause };
    let mut file = RowFile::open(path).map_err(broken)?;
    let first = file.next_batch().map_err(broken)?.unwrap_or_default();
    let mut writer = RowWriter::new(format, out)?;
    let Some(second) = file.next_batch().map_err(broken)? else {
        let judgement = judge_parsed(page, &first, scope);
        writer.write(&judgement.rows)?;
        return writer.close(&judgement, false);
    };
    let mut hearing = Hearing::new(page, scope);
    hearing.hear(&first);
    hearing.hear(&second);
    drop((first, second));
    while let Some(batch) = file.next_batch().map_err(broken)? {
        hearing.hear(&batch);
    }
    let heard = hearing.end();
    let mut sitting = heard.sit();
    if heard.is_disputed() {
        file.rewind().map_err(broken)?;
        while let Some(batch) = file.next_batch().map_err(broken)? {
            sitting.weigh(&batch);
        }
    }
    file.rewind().map_err(broken)?;
    while let Some(batch) = file.next_batch().map_err(broken)? {
        writer.write(&sitting.judge(&batch))?;
    }
    let is_full = sitting.is_full();
    writer.close(&sitting.close(), is_full)
}

/// Writes rows as they are judged.
struct RowWriter<'w> {
    format: Format,
    out: &'w mut dyn Write,
    is_first: bool,
    is_clear: bool,
}

impl<'w> RowWriter<'w> {
    fn new(format: Format, out: &'w mut dyn Write) -> Result<Self, GateError> {
        if matches!(format, Format::Json) {
            write!(out, "{{\"rows\":[")?;
        }
        Ok(Self { format, out, is_first: true, is_clear: true })
    }

    fn write(&mut self, rows: &[GatedRow]) -> Result<(), GateError> {
        for row in rows {
            self.is_clear &= stands(row);
            match self.format {
                Format::Json => self.write_json(&row_json(row))?,
                Format::Human => write_row(row, self.out)?,
            }
        }
        Ok(())
    }

    fn write_json(&mut self, row: &serde_json::Value) -> Result<(), GateError> {
        let comma = if self.is_first { "" } else { "," };
        write!(self.out, "{comma}\n{row}")?;
        self.is_first = false;
        Ok(())
    }

    /// The word on the page; true where all is in order.
    fn close(mut self, judgement: &Judgement, is_full: bool) -> Result<bool, GateError> {
        match self.format {
            Format::Json => {
                for row in &judgement.earlier {
                    self.write_json(&carried_json(row))?;
                }
                let mut page = page_json(judgement);
                if is_full {
                    page["limits"] = serde_json::json!(["repeats"]);
                }
                writeln!(self.out, "\n],\"page\":{page}}}")?;
            }
            Format::Human => {
                write_earlier(judgement, self.out)?;
                write_page(judgement, self.out)?;
                if is_full {
                    let words = "too many distinct rows to remember; repeats of later ones stand";
                    writeln!(self.out, "{:9}{words}", "")?;
                }
            }
        }
        self.out.flush()?;
        Ok(self.is_clear && judgement.is_clear())
    }
}

fn stands(row: &GatedRow) -> bool {
    row.is_clear() || row.verdict() == Verdict::Merge
}

/// The text of a file, which must be UTF-8; the message says where it is not.
///
/// # Errors
/// When the file cannot be read or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, GateError> {
    let name = path.display().to_string();
    let bytes =
        std::fs::read(path).map_err(|cause| GateError::Read { path: name.clone(), cause })?;
    String::from_utf8(bytes)
        .map_err(|it| GateError::NotUtf8 { path: name, at: it.utf8_error().valid_up_to() })
}

/// The page's host, where hosts were agreed and it is none of them; with and without `www.`.
fn foreign_host(page: &str, hosts: &[String]) -> Option<String> {
    let bare = |it: &str| {
        let lower = it.trim().to_ascii_lowercase();
        lower.strip_prefix("www.").unwrap_or(&lower).to_owned()
    };
    let host = Url::parse(page).ok().and_then(|it| it.host_str().map(str::to_owned));
    let host = host.unwrap_or_else(|| page.to_owned());
    let is_agreed = hosts.is_empty() || hosts.iter().any(|it| bare(it) == bare(&host));
    (!is_agreed).then_some(host)
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
    write_earlier(judgement, out)?;
    write_page(judgement, out)
}

fn write_earlier(judgement: &Judgement, out: &mut dyn Write) -> Result<(), GateError> {
    for row in &judgement.earlier {
        writeln!(out, "{:<8} {:<18} {}", row.id, row.verdict.as_str(), row.detail)?;
    }
    Ok(())
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
