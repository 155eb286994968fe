//! What the page says, cut into plain, quoted and numeric pieces for one cell.
//!
//! Evidence is shown whole wherever the format can hold it. Where it cannot, the view says so in its
//! first words and is no longer called verbatim; text is never cut in silence.

use crate::model::quote::{Emphasis, around_quote, quoted_pieces};
use crate::model::row::RowRecord;
use crate::model::sheet::SheetLanguage;

/// UTF-16 units that one cell can hold; the format's limit.
pub const CELL_UNITS: usize = 32_767;
/// A sentence longer than this is shown around its quote.
const SENTENCE_UNITS: usize = 1_500;
/// Context kept on each side of a quote in a long sentence.
const CONTEXT_CHARS: usize = 320;
/// A quote longer than this does not fit a cell beside its context and is shown by its ends.
const QUOTE_UNITS: usize = 30_000;
const QUOTE_END_CHARS: usize = 600;

/// The pieces of one cell, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    pub pieces: Vec<(Emphasis, String)>,
    /// True where something was left out; the first piece then says so.
    pub is_shortened: bool,
}

impl View {
    /// The whole text of the cell.
    pub fn text(&self) -> String {
        self.pieces.iter().map(|(_, text)| text.as_str()).collect()
    }

    fn push(&mut self, emphasis: Emphasis, text: &str) {
        match self.pieces.last_mut() {
            _ if text.is_empty() => {}
            Some((last, held)) if *last == emphasis => held.push_str(text),
            _ => self.pieces.push((emphasis, text.to_owned())),
        }
    }
}

/// The snippet inside its sentence, the number set apart.
pub fn view_of(row: &RowRecord, language: SheetLanguage) -> View {
    view_with(row, quoted_pieces(&row.claim), language)
}

/// The same text as [`view_of`], the number not looked for.
pub fn plain_view_of(row: &RowRecord, language: SheetLanguage) -> View {
    view_with(row, vec![(Emphasis::Quote, row.claim.snippet.as_str())], language)
}

fn view_with(row: &RowRecord, quote: Vec<(Emphasis, &str)>, language: SheetLanguage) -> View {
    let snippet = row.claim.snippet.as_str();
    let (before, after) = around_quote(row);
    let mut view = View::default();
    if units(snippet) > QUOTE_UNITS {
        view.is_shortened = true;
        view.push(Emphasis::Remark, &shortened_note(row, language));
        push_ends(&mut view, snippet, language);
        return view;
    }
    let is_long = units(&row.sentence) > SENTENCE_UNITS.max(units(snippet) + 4 * CONTEXT_CHARS);
    if is_long {
        view.is_shortened = true;
        view.push(Emphasis::Remark, &shortened_note(row, language));
        push_context_before(&mut view, before);
    } else {
        view.push(Emphasis::Plain, before);
    }
    for (emphasis, piece) in quote {
        view.push(emphasis, piece);
    }
    if is_long {
        push_context_after(&mut view, after);
    } else {
        view.push(Emphasis::Plain, after);
    }
    view
}

/// Any text for one cell: whole where it fits, else a stated shortened view.
pub fn fitted(text: &str, row: &str, language: SheetLanguage) -> (String, bool) {
    if units(text) <= CELL_UNITS {
        return (text.to_owned(), false);
    }
    let head: String = text.chars().take(QUOTE_END_CHARS * 2).collect();
    let note = note_for(row, text.chars().count(), language);
    (format!("{note}{head} […]"), true)
}

/// Length as the format counts it.
pub fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

fn shortened_note(row: &RowRecord, language: SheetLanguage) -> String {
    note_for(
        &row.key,
        row.sentence.chars().count().max(row.claim.snippet.chars().count()),
        language,
    )
}

fn note_for(row: &str, chars: usize, language: SheetLanguage) -> String {
    match language {
        SheetLanguage::English => format!(
            "[Shortened view, not the whole text of {chars} characters. Whole evidence: page file and report, row {row}.] "
        ),
        SheetLanguage::Chinese => {
            format!(
                "[節略顯示，並非全文（全文 {chars} 字）。完整證據見網頁檔與報告，列號 {row}。] "
            )
        }
    }
}

fn push_context_before(view: &mut View, before: &str) {
    let count = before.chars().count();
    if count <= CONTEXT_CHARS {
        view.push(Emphasis::Plain, before);
        return;
    }
    view.push(Emphasis::Remark, "[…] ");
    let kept: String = before.chars().skip(count - CONTEXT_CHARS).collect();
    view.push(Emphasis::Plain, &kept);
}

fn push_context_after(view: &mut View, after: &str) {
    let kept: String = after.chars().take(CONTEXT_CHARS).collect();
    view.push(Emphasis::Plain, &kept);
    if kept.len() < after.len() {
        view.push(Emphasis::Remark, " […]");
    }
}

fn push_ends(view: &mut View, quote: &str, language: SheetLanguage) {
    let count = quote.chars().count();
    let head: String = quote.chars().take(QUOTE_END_CHARS).collect();
    let tail: String = quote.chars().skip(count - QUOTE_END_CHARS).collect();
    let left_out = count - 2 * QUOTE_END_CHARS;
    view.push(Emphasis::Quote, &head);
    let remark = match language {
        SheetLanguage::English => format!(" [… {left_out} characters left out …] "),
        SheetLanguage::Chinese => format!(" [… 略去 {left_out} 字 …] "),
    };
    view.push(Emphasis::Remark, &remark);
    view.push(Emphasis::Quote, &tail);
}
