//! One page of a source in the report: its text sentence by sentence with what became of each, and
//! its rows. Every character of the page is shown; none is shown twice.

use crate::gate::sentences::ledger::{Fate, Ledger};
use crate::model::ask::ReviewWord;
use crate::model::explain::explain;
use crate::model::phrase::{about, extracted, field_label, stated};
use crate::model::quote::{Emphasis, around_quote, quoted_pieces};
use crate::model::row::{RowRecord, RowStatus};
use crate::model::sheet::{SheetFacts, SheetLanguage};
use crate::report::words::{standing, why_plain};
use crate::text::glyphs::fragment::{link_to_quote, plain_address};

/// A page as the run saw it.
#[derive(Clone, Copy, Debug)]
pub struct ReportPage<'a> {
    pub source: &'a str,
    pub url: &'a str,
    pub title: &'a str,
    /// The canonical text; empty where the page has none.
    pub text: &'a str,
    /// What became of each sentence, as spans of `text`.
    pub ledger: &'a Ledger,
}

/// A page ready for the template.
#[derive(Debug)]
pub struct PageView {
    pub anchor: String,
    pub title: String,
    pub url: String,
    pub link: Option<String>,
    pub counts: String,
    pub rows: Vec<RowView>,
    pub sentences: Vec<Piece>,
}

/// A stretch of the page's text.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// Empty for text between sentences.
    pub class: &'static str,
    /// The state once more, for those who do not see colours.
    pub mark: &'static str,
    pub text: String,
    pub note: String,
    pub rows: Vec<String>,
}

/// A row ready for the template.
#[derive(Debug)]
pub struct RowView {
    pub key: String,
    pub class: &'static str,
    pub standing: &'static str,
    pub about: String,
    pub extracted: String,
    pub has_quote: bool,
    pub before: String,
    pub quote: Vec<QuotePiece>,
    pub after: String,
    pub reasons: Vec<String>,
    pub link: Option<String>,
}

/// A stretch of a quote.
#[derive(Debug)]
pub struct QuotePiece {
    pub is_number: bool,
    pub text: String,
}

/// A page with its rows, which come in the order of the page.
pub fn page_view(page: &ReportPage, rows: &[&RowRecord], facts: &SheetFacts) -> PageView {
    let language = facts.language;
    let (used, plain, open) = page.ledger.counts();
    let flagged = rows.iter().filter(|it| it.status == RowStatus::Flagged).count();
    let counts = match language {
        SheetLanguage::English => format!(
            "{} rows, {flagged} to decide · {used} sentences used, {plain} no condition, {open} open",
            rows.len()
        ),
        SheetLanguage::Chinese => format!(
            "{} 列，{flagged} 列待決定 · 句子：採用 {used}、非條件 {plain}、未說明 {open}",
            rows.len()
        ),
    };
    let title = if page.title.trim().is_empty() { page.url } else { page.title };
    PageView {
        anchor: format!("page-{}-{}", page.source, short_hash(page.url)),
        title: title.to_owned(),
        url: page.url.to_owned(),
        link: plain_address(page.url).map(String::from),
        counts,
        rows: rows.iter().map(|it| row_view(it, facts)).collect(),
        sentences: pieces(page, rows, language),
    }
}

/// The text cut at the borders of the ledger's entries.
fn pieces(page: &ReportPage, rows: &[&RowRecord], language: SheetLanguage) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut from = 0;
    // Rows by their start, so that each entry looks only at its own.
    let mut places: Vec<(usize, &str)> =
        rows.iter().filter_map(|it| Some((it.place?.bytes.start, it.key.as_str()))).collect();
    places.sort_unstable();
    for entry in &page.ledger.entries {
        let Some(text) = entry.span.slice(page.text).filter(|_| entry.span.start >= from) else {
            continue;
        };
        if let Some(between) = page.text.get(from..entry.span.start).filter(|it| !it.is_empty()) {
            pieces.push(Piece { text: between.to_owned(), ..Piece::default() });
        }
        let first = places.partition_point(|it| it.0 < entry.span.start);
        let own = places[first..].iter().take_while(|it| it.0 < entry.span.end);
        let (class, mark, note) = look_of(&entry.fate, language);
        pieces.push(Piece {
            class,
            mark,
            text: text.to_owned(),
            note: note.to_owned(),
            rows: own.map(|it| it.1.to_owned()).collect(),
        });
        from = entry.span.end;
    }
    if let Some(rest) = page.text.get(from..).filter(|it| !it.is_empty()) {
        pieces.push(Piece { text: rest.to_owned(), ..Piece::default() });
    }
    pieces
}

fn look_of(fate: &Fate, language: SheetLanguage) -> (&'static str, &'static str, &'static str) {
    match fate {
        Fate::Used { .. } => ("used", "✓ ", language.pick(["used by a row", "已採用"])),
        Fate::NotACondition { why } => ("plain", "", why_plain(*why, language)),
        Fate::Open { is_rule: true } => {
            ("rule", "! ", language.pick(["a rule that no row uses", "未被採用的規定"]))
        }
        Fate::Open { is_rule: false } => ("open", "", language.pick(["not used", "未採用"])),
    }
}

fn row_view(row: &RowRecord, facts: &SheetFacts) -> RowView {
    let language = facts.language;
    let (before, after) = around_quote(row);
    let quote = quoted_pieces(&row.claim)
        .into_iter()
        .map(|(emphasis, text)| QuotePiece {
            is_number: emphasis == Emphasis::Number,
            text: text.to_owned(),
        })
        .collect();
    RowView {
        key: row.key.clone(),
        class: row.status.as_str(),
        standing: standing(row.status, language),
        about: about(row),
        extracted: extracted(row, facts),
        has_quote: !row.claim.snippet.is_empty() || !row.sentence.is_empty(),
        before: before.to_owned(),
        quote,
        after: after.to_owned(),
        reasons: reasons(row, facts),
        link: link_to_quote(&row.page, &row.claim.snippet, &row.sentence),
    }
}

/// The findings in plain words with the page's own words beside them, then the reviewer's view.
fn reasons(row: &RowRecord, facts: &SheetFacts) -> Vec<String> {
    let language = facts.language;
    let mut lines = Vec::new();
    for finding in &row.findings {
        let seen = explain(finding.code, language).seen;
        let mut line = format!("{seen} ({})", finding.code);
        if let Some(evidence) = &finding.evidence {
            line.push_str(language.pick([" The page: ", " 網頁："]));
            line.push_str(evidence);
        }
        lines.push(line);
    }
    let Some(review) = row.review.as_ref().filter(|it| it.word != ReviewWord::Confirmed) else {
        return lines;
    };
    let mut line = language.pick(["Second reading: ", "複核："]).to_owned();
    match &review.corrected {
        Some(claim) => line.push_str(&stated(claim, &field_label(row, facts), language)),
        None => line.push_str(language.pick(["not sure", "不確定"])),
    }
    if !review.reason.is_empty() {
        line.push_str(" — ");
        line.push_str(&review.reason);
    }
    lines.push(line);
    lines
}

fn short_hash(text: &str) -> String {
    use sha2::{Digest, Sha256};
    Sha256::digest(text.as_bytes()).iter().take(6).map(|it| format!("{it:02x}")).collect()
}
