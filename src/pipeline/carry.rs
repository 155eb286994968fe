//! What of a page's record is carried to its new text, item by item, with proof.
//!
//! An item whose own text is the same, wherever it moved and whatever it is numbered, is carried by
//! code; so is one that changed only in looks, or only outside every condition, with the sentence
//! ledger as proof. Every carried row passes the gate again on the new text; an item with a row that
//! no longer does is read again. Nothing is removed: what the page no longer shows becomes a
//! candidate and stays on record with its old evidence.

use std::collections::BTreeMap;

use crate::ask::prompt::worked_example;
use crate::ask::reply::ParsedExtract;
use crate::change::matching::{ItemChange, ItemText, match_items};
use crate::change::passages::compare_passages;
use crate::gate::judge::judge_parsed;
use crate::gate::ledger::{Fate, Ledger, LedgerEntry};
use crate::gate::page::PageText;
use crate::gate::scope::Scope;
use crate::model::ask::ExtractReply;
use crate::model::claim::Claim;
use crate::model::finding::{Code, Finding};
use crate::model::item::Item;
use crate::model::row::{RowRecord, RowStatus};
use crate::model::source::Source;
use crate::pipeline::page_record::PageOnRecord;
use crate::pipeline::page_state::PageInput;
use crate::text::fold::fold_script;
use crate::text::span::Span;

/// A page as it was, with what was made of it.
#[derive(Clone, Debug, PartialEq)]
pub struct EarlierPage {
    pub input: PageInput,
    /// SHA-256 of the earlier canonical text.
    pub text: String,
    pub record: PageOnRecord,
}

/// What is to be done with each item of the new page, and what became of the old ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageCarry {
    /// By index of the new item: rows and sentences carried; items that are not here are read.
    pub carried: BTreeMap<usize, CarriedItem>,
    /// By index of the new item: what became of it.
    pub changes: Vec<ItemChange>,
    /// Rows whose item or page the source no longer shows; they stay on record.
    pub gone: Vec<RowRecord>,
    /// Rows of items that are read again, as they were.
    pub before: Vec<RowRecord>,
    /// Why a row of `before` may have no successor.
    pub cause: Cause,
    pub removed_items: u64,
}

/// An item that needs no reader.
#[derive(Clone, Debug, PartialEq)]
pub struct CarriedItem {
    pub rows: Vec<RowRecord>,
    pub entries: Vec<LedgerEntry>,
}

/// Compares a page with what it was and carries what can be carried.
pub fn carry_page(
    source: &Source,
    earlier: &EarlierPage,
    new: &PageInput,
    text: &str,
) -> PageCarry {
    let (old_items, new_items) = (item_texts(&earlier.input), item_texts(new));
    let mut carry =
        PageCarry { changes: vec![ItemChange::New; new.items.len()], ..PageCarry::default() };
    let mut of_item: BTreeMap<&str, Vec<&RowRecord>> = BTreeMap::new();
    for row in &earlier.record.rows {
        if row.text == earlier.text {
            of_item.entry(&row.item).or_default().push(row);
        } else {
            // Already a candidate from an earlier edition: it stays until somebody signs.
            carry.gone.push(row.clone());
        }
    }
    let indexed = PageText::index(&new.text);
    let mut examples = vec![worked_example(&source.language).to_owned()];
    examples.extend(source.fields.iter().flat_map(|it| it.examples.iter().cloned()));
    let carrier = Carrier { source, earlier, new, indexed: &indexed, examples: &examples, text };
    for found in match_items(&old_items, &new_items) {
        let rows = found
            .old
            .and_then(|at| of_item.get(earlier.input.items[at].key.as_str()))
            .map_or(&[][..], Vec::as_slice);
        match (found.old, found.new) {
            (Some(old), Some(at)) => {
                carry.changes[at] = found.change;
                match carrier.carry((old, at), found.change, rows) {
                    Some(item) => _ = carry.carried.insert(at, item),
                    None => carry.before.extend(rows.iter().copied().cloned()),
                }
            }
            (Some(_), None) => {
                carry.removed_items += 1;
                let live = rows.iter().filter(|it| is_live(it));
                carry
                    .gone
                    .extend(live.map(|it| as_candidate(it, (&source.language, Cause::Source))));
            }
            (None, _) => {}
        }
    }
    carry
}

/// True where a row is data: accepted or flagged.
pub fn is_live(row: &RowRecord) -> bool {
    matches!(row.status, RowStatus::Accepted | RowStatus::Flagged)
}

/// True where a row is kept only until a person signs its removal; its evidence may be an older text.
pub fn is_candidate(row: &RowRecord) -> bool {
    row.findings.iter().any(|it| it.code == Code::StaleSnapshot)
}

/// Why a row on record is no longer stated. A change of ours is never told as the source's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cause {
    /// The source shows it no more.
    #[default]
    Source,
    /// Our rules, fields or readers are others than before.
    OurRules,
}

/// The carry of a page that other rules or readers read before: every item is read again, and each
/// live row needs a successor or stays as a candidate.
pub fn carry_nothing(record: PageOnRecord) -> PageCarry {
    let before = record.rows.into_iter().filter(is_live).collect();
    PageCarry { before, cause: Cause::OurRules, ..PageCarry::default() }
}

/// The row with the note that it is no longer stated. It keeps its evidence and its standing.
pub fn as_candidate(row: &RowRecord, (language, cause): (&str, Cause)) -> RowRecord {
    let mut row = row.clone();
    if is_candidate(&row) {
        return row;
    }
    let detail = match (cause, language.starts_with("zh")) {
        (Cause::Source, true) => "來源已不再顯示此內容；在客戶簽核移除之前仍然有效。",
        (Cause::Source, false) => {
            "The source no longer shows this; it stays live until the client signs its removal."
        }
        (Cause::OurRules, true) => {
            "我們的規則或讀取者已變更，本次讀取未再列出此內容（並非來源變更）；在客戶簽核移除之前仍然有效。"
        }
        (Cause::OurRules, false) => {
            "Our rules or readers changed, and today's reading does not state this (the source did not \
             change it); it stays live until the client signs its removal."
        }
    };
    row.findings.push(Finding {
        code: Code::StaleSnapshot,
        detail: detail.to_owned(),
        place: None,
        evidence: None,
    });
    row
}

fn item_texts(page: &PageInput) -> Vec<ItemText<'_>> {
    page.items
        .iter()
        .map(|it| ItemText {
            key: &it.key,
            text: it.span.slice(&page.text).unwrap_or_default(),
            fingerprint: &it.fingerprint,
        })
        .collect()
}

struct Carrier<'a> {
    source: &'a Source,
    earlier: &'a EarlierPage,
    new: &'a PageInput,
    indexed: &'a PageText,
    examples: &'a [String],
    /// SHA-256 of the new canonical text.
    text: &'a str,
}

impl Carrier<'_> {
    /// The item with its rows at their new places, or `None` where it has to be read again.
    fn carry(
        &self,
        (old, at): (usize, usize),
        change: ItemChange,
        rows: &[&RowRecord],
    ) -> Option<CarriedItem> {
        let (old_item, item) = (&self.earlier.input.items[old], &self.new.items[at]);
        let live: Vec<&RowRecord> = rows.iter().copied().filter(|it| is_live(it)).collect();
        let (judged, ledger) = self.judge(item, &live)?;
        if change == ItemChange::Changed && !self.differs_only_outside(old_item, item, &ledger) {
            return None;
        }
        let refused = rows
            .iter()
            .copied()
            .filter(|it| !is_live(it))
            .map(|row| RowRecord { place: None, ..self.moved(row, item) });
        let rows = judged.into_iter().chain(refused).collect();
        Some(CarriedItem { rows, entries: ledger.entries })
    }

    /// The rows at their new places, if every one stands as well there as it did.
    fn judge(&self, item: &Item, rows: &[&RowRecord]) -> Option<(Vec<RowRecord>, Ledger)> {
        let scope = Scope {
            span: Some(item.span),
            page_title: &self.new.title,
            heading_path: &item.heading_path,
            fields: &self.source.fields,
            examples: self.examples,
            language: &self.source.language,
            hidden: &self.new.hidden,
            ..Scope::default()
        };
        let claims =
            rows.iter().map(|row| Claim { id: row.key.clone(), ..row.claim.clone() }).collect();
        let reply = ExtractReply { rows: claims, groups: Vec::new() };
        let judgement = judge_parsed(self.indexed, &ParsedExtract::from(reply), &scope);
        let mut moved = Vec::with_capacity(rows.len());
        for (row, judged) in rows.iter().zip(&judgement.rows) {
            if judged.verdict() > row.verdict || judged.place().is_none() {
                return None;
            }
            let mut carried = self.moved(row, item);
            judged.claim().snippet.clone_into(&mut carried.claim.snippet);
            carried.place = judged.place();
            judged.sentence().clone_into(&mut carried.sentence);
            moved.push(carried);
        }
        Some((moved, judgement.ledger))
    }

    fn moved(&self, row: &RowRecord, item: &Item) -> RowRecord {
        RowRecord {
            item: item.key.clone(),
            heading_path: item.heading_path.clone(),
            page_title: self.new.title.clone(),
            snapshot: self.new.snapshot.clone(),
            text: self.text.to_owned(),
            ..row.clone()
        }
    }

    /// True where the item's texts differ in looks alone, or only in sentences that state no
    /// condition, before and after.
    fn differs_only_outside(&self, old: &Item, new: &Item, ledger: &Ledger) -> bool {
        let old_text = old.span.slice(&self.earlier.input.text).unwrap_or_default();
        let new_text = new.span.slice(&self.new.text).unwrap_or_default();
        if fold_script(old_text).as_str() == fold_script(new_text).as_str() {
            return true;
        }
        let diff = compare_passages(old_text, new_text);
        !diff.is_beyond_bound
            && diff.passages.iter().all(|it| {
                let before = it.old.map(|span| span.shifted(old.span.start));
                let after = it.new.map(|span| span.shifted(new.span.start));
                before.is_none_or(|span| states_nothing(&self.earlier.record.ledger, span))
                    && after.is_none_or(|span| states_nothing(ledger, span))
            })
    }
}

/// True where the ledger knows the passage and every sentence of it states no condition.
fn states_nothing(ledger: &Ledger, span: Span) -> bool {
    let mut sentences = ledger.entries.iter().filter(|it| it.span.overlaps(span)).peekable();
    sentences.peek().is_some() && sentences.all(|it| matches!(it.fate, Fate::NotACondition { .. }))
}
