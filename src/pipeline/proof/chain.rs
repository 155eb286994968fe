//! The chain under one row, link by link: text, page, span, ask, answer, gate, sign-off. The same
//! checks for a project and for a bundle; nothing is believed but bytes.

use std::collections::{BTreeMap, BTreeSet};

use crate::ask::canonical::hex_sha256;
use crate::gate::judge::judge;
use crate::gate::page::PageText;
use crate::gate::scope::Scope;
use crate::model::ask::ExtractReply;
use crate::model::claim::Claim;
use crate::model::finding::Code;
use crate::model::row::{RowRecord, RowStatus};
use crate::model::source::Field;
use crate::pipeline::proof::links::Links;
use crate::pipeline::proof::stated::{Stated, refusal};
use crate::text::span::CharMap;

/// Rows that are checked one after the other; texts and answers are read once.
pub struct Chain<'a> {
    links: &'a dyn Links,
    fields: BTreeMap<String, Vec<Field>>,
    /// The text of the last row, since rows of a page follow each other.
    open: Option<OpenText>,
    raw_seen: BTreeSet<String>,
    /// Ask -> what its answer states, or why it cannot be used.
    answers: BTreeMap<String, Result<Stated, String>>,
}

struct OpenText {
    digest: String,
    chars: CharMap,
    page: PageText,
}

impl<'a> Chain<'a> {
    /// Nothing checked yet.
    pub fn new(links: &'a dyn Links) -> Self {
        Self {
            links,
            fields: BTreeMap::new(),
            open: None,
            raw_seen: BTreeSet::new(),
            answers: BTreeMap::new(),
        }
    }

    /// What is wrong with a row's chain; empty where every link holds.
    pub fn check(&mut self, row: &RowRecord) -> Vec<String> {
        let mut faults = Vec::new();
        if let Err(fault) = self.open_text(row) {
            faults.push(fault);
        } else {
            faults.extend(self.check_span(row));
            faults.extend(self.check_gate(row));
        }
        faults.extend(self.check_answers(row));
        faults
    }

    fn open_text(&mut self, row: &RowRecord) -> Result<(), String> {
        if self.raw_seen.insert(format!("{}/{}", row.source, row.snapshot)) {
            let bytes = self
                .links
                .raw(&row.source, &row.snapshot)
                .map_err(|cause| format!("rests on a page that cannot be read: {cause}"))?;
            if hex_sha256(&bytes) != row.snapshot {
                return Err(format!("rests on page {}, which holds other bytes", row.snapshot));
            }
        }
        if self.open.as_ref().is_some_and(|it| it.digest == row.text) {
            return Ok(());
        }
        let text = self
            .links
            .text(&row.source, &row.text)
            .map_err(|cause| format!("rests on a text that cannot be read: {cause}"))?;
        if hex_sha256(text.as_bytes()) != row.text {
            return Err(format!("rests on text {}, which holds other words", row.text));
        }
        self.open = Some(OpenText {
            digest: row.text.clone(),
            chars: CharMap::new(&text),
            page: PageText::index(&text),
        });
        Ok(())
    }

    fn check_span(&self, row: &RowRecord) -> Option<String> {
        let OpenText { chars, page, .. } = self.open.as_ref()?;
        let Some(place) = row.place else { return Some("has no place on its page".to_owned()) };
        let text = page.text();
        if place.bytes.slice(text) != Some(row.claim.snippet.as_str()) {
            return Some(format!(
                "says that bytes {}..{} of its page are its snippet; they are not",
                place.bytes.start, place.bytes.end
            ));
        }
        (chars.char_span(text, place.bytes) != place.chars)
            .then(|| "counts its characters wrong".to_owned())
    }

    /// An accepted row, judged again as the run judged it, is not refused. A row that others made
    /// conspicuous may be flagged; that is no break.
    fn check_gate(&mut self, row: &RowRecord) -> Option<String> {
        if row.status != RowStatus::Accepted {
            return None;
        }
        let links = self.links;
        let fields =
            self.fields.entry(row.source.clone()).or_insert_with(|| links.fields(&row.source));
        // A field that is no longer declared was when the row was read: that is no break.
        if !fields.iter().any(|it| it.name == row.claim.field) {
            fields.push(Field::named(&row.claim.field));
        }
        let page = &self.open.as_ref()?.page;
        let stated = self
            .answers
            .entry(row.ask.clone())
            .or_insert_with(|| Stated::read(links, &row.ask))
            .as_mut()
            .ok();
        let judged = stated.and_then(|it| it.judge_row(row, page, fields));
        let refused = match judged {
            Some(judged) => judged.err(),
            None => refused_alone(row, page, fields),
        };
        refused.map(|it| format!("is on record as accepted, and the gate refuses it: {it}"))
    }

    fn check_answers(&mut self, row: &RowRecord) -> Vec<String> {
        let mut faults = Vec::new();
        match self.stated(&row.ask) {
            Err(cause) => faults.push(format!("rests on ask {}: {cause}", row.ask)),
            Ok(stated) if !stated.states(row) => {
                let step = stated.step.as_str();
                faults.push(format!("is not what the {step} answer of ask {} states", row.ask));
            }
            Ok(_) => {}
        }
        if let Some(review) = &row.review
            && let Err(cause) = self.stated(&review.ask)
        {
            faults.push(format!("was reviewed in ask {}: {cause}", review.ask));
        }
        faults
    }

    fn stated(&mut self, ask: &str) -> Result<&Stated, String> {
        let links = self.links;
        let entry = self.answers.entry(ask.to_owned()).or_insert_with(|| Stated::read(links, ask));
        entry.as_ref().map_err(Clone::clone)
    }
}

/// What a row that was carried to other words than its answer saw is refused for by its own quote; what
/// hangs on the words and rows around it was judged when it was carried.
fn refused_alone(row: &RowRecord, page: &PageText, fields: &[Field]) -> Option<String> {
    let is_own = |code: Code| {
        matches!(
            code,
            Code::SnippetAbsent
                | Code::SnippetStitched
                | Code::SnippetTranslated
                | Code::NumberAbsent
                | Code::NumberFragment
                | Code::NumberComputed
                | Code::UnitChanged
                | Code::OperatorChanged
        )
    };
    let scope = Scope {
        page_title: &row.page_title,
        heading_path: &row.heading_path,
        fields,
        ..Scope::default()
    };
    let alone = Claim { group: None, ..row.claim.clone() };
    let reply = ExtractReply { rows: vec![alone], groups: Vec::new() };
    let judged = judge(page, &reply, &scope).rows;
    let first = judged.first().filter(|it| it.findings().iter().any(|it| is_own(it.code)))?;
    refusal(first)
}
