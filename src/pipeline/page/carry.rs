//! What of a page's record is carried to its new text, item by item, with proof.
//!
//! An item whose own text is the same, wherever it moved and whatever it is numbered, is carried by
//! code; so is one that changed only in looks, or only outside every condition, with the sentence
//! ledger as proof. Every carried row passes the gate again on the new text; an item with a row that
//! no longer does is read again. Nothing is removed: what the page no longer shows becomes a
//! candidate and stays on record with its old evidence.

use std::collections::{BTreeMap, BTreeSet};

use crate::ask::prompt::worked_example;
use crate::ask::reply::ParsedExtract;
use crate::change::looks::{LooksMap, follow_looks, looks};
use crate::change::matching::{ItemChange, ItemMatch, ItemText, match_items};
use crate::change::passages::{Passage, compare_passages};
use crate::change::references::label_of;
use crate::change::relabel::{Relabel, begun_alike};
use crate::gate::judge::judge_parsed;
use crate::gate::page::PageText;
use crate::gate::row::GatedRow;
use crate::gate::scope::Scope;
use crate::gate::sentences::ledger::{Ledger, LedgerEntry};
use crate::model::ask::ExtractReply;
use crate::model::claim::Claim;
use crate::model::finding::{Code, Verdict};
use crate::model::item::Item;
use crate::model::row::RowRecord;
use crate::model::run::{ChangeCause, ClausePair};
use crate::model::source::Source;
use crate::pipeline::page::basis::foreign_host;
use crate::pipeline::page::candidate::{Lost, as_candidate, is_candidate, is_live};
use crate::pipeline::page::outside::{Side, differs_only_outside};
use crate::pipeline::page::record::PageOnRecord;
use crate::pipeline::page::state::PageInput;
use crate::sheet::identity::clause_of;
use crate::text::glyphs::wording::wording;
use crate::text::span::Span;

/// A page as it was, with what was made of it.
#[derive(Clone, Debug, PartialEq)]
pub struct EarlierPage {
    pub input: PageInput,
    /// SHA-256 of the earlier canonical text.
    pub text: String,
    pub record: PageOnRecord,
    /// Whether the rows were made by other rules or readers than those of today: then nothing is
    /// carried, and what differs in the rows is not the source's doing where its words are the same.
    pub cause: ChangeCause,
    /// The day the page was last seen like this, as `2026-03-01`.
    pub last_seen: Option<String>,
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
    pub removed_items: u64,
    /// Labels of provisions that have another number now: earlier -> today.
    pub renumbered: BTreeMap<String, String>,
    /// Whether the rows on record were made by other rules or readers.
    pub cause: ChangeCause,
    /// Old and new clauses of items that are read again, are new or are gone.
    pub clauses: Vec<ClausePair>,
    /// SHA-256 of the canonical text before.
    pub earlier_text: String,
    pub last_seen: Option<String>,
}

impl PageCarry {
    /// True where a row or question stands in an item that is read in this run.
    pub fn is_read(&self, page: &PageInput, row: &RowRecord) -> bool {
        let Some(place) = row.place else { return true };
        let item = page.items.iter().position(|it| it.span.overlaps(place.bytes));
        item.is_none_or(|at| !self.carried.contains_key(&at))
    }

    /// True where item `at` is read because our rules or readers changed, and its words at the source
    /// did not.
    pub fn is_by_us(&self, at: usize) -> bool {
        let is_same = |it: &ItemChange| {
            matches!(it, ItemChange::Unchanged | ItemChange::Moved | ItemChange::Reordered)
        };
        self.cause != ChangeCause::Source && self.changes.get(at).is_some_and(is_same)
    }
}

/// An item that needs no reader.
#[derive(Clone, Debug, PartialEq)]
pub struct CarriedItem {
    pub rows: Vec<RowRecord>,
    /// Of these the live ones that stand under other words today, a heading above the item say, each as
    /// it was and as it is: what was signed is another clause.
    pub reworded: Vec<(RowRecord, RowRecord)>,
    pub entries: Vec<LedgerEntry>,
}

/// Compares a page with what it was and carries what can be carried.
pub fn carry_page(
    source: &Source,
    earlier: &EarlierPage,
    new: &PageInput,
    text: &str,
) -> PageCarry {
    let (old_items, new_items) = (earlier.input.item_texts(), new.item_texts());
    let mut carry =
        PageCarry { changes: vec![ItemChange::New; new.items.len()], ..PageCarry::default() };
    let mut of_item: BTreeMap<&str, Vec<&RowRecord>> = BTreeMap::new();
    carry.last_seen.clone_from(&earlier.last_seen);
    carry.earlier_text.clone_from(&earlier.text);
    let matches = match_items(&old_items, &new_items);
    carry.renumbered = renumbered(&matches, &old_items, &new_items);
    for row in &earlier.record.rows {
        if is_candidate(row) {
            // Already a candidate from an earlier edition: it stays until somebody signs.
            carry.gone.push(row.clone());
        } else {
            of_item.entry(&row.item).or_default().push(row);
        }
    }
    carry.cause = earlier.cause;
    if earlier.cause != ChangeCause::Source {
        for found in &matches {
            match found.new {
                Some(at) => carry.changes[at] = found.change,
                None => carry.removed_items += 1,
            }
        }
        let rows = earlier.record.rows.iter().filter(|it| is_live(it) && !is_candidate(it));
        carry.before = rows.cloned().collect();
        return carry;
    }
    let indexed = PageText::index(&new.text);
    let mut examples = vec![worked_example(&source.language).to_owned()];
    examples.extend(source.fields.iter().flat_map(|it| it.examples.iter().cloned()));
    let foreign = foreign_host(source, &new.url);
    let carrier =
        Carrier { source, earlier, new, indexed: &indexed, examples: &examples, foreign, text };
    if let Some(carried) = carrier.carry_layout() {
        carry.changes = vec![ItemChange::Unchanged; new.items.len()];
        carry.carried = carried;
        return carry;
    }
    for found in matches {
        let rows = found
            .old
            .and_then(|at| of_item.get(earlier.input.items[at].key.as_str()))
            .map_or(&[][..], Vec::as_slice);
        match (found.old, found.new) {
            (Some(old), Some(at)) => {
                carry.changes[at] = found.change;
                match carrier.carry((old, at), found.change, rows) {
                    Some(item) => _ = carry.carried.insert(at, item),
                    None => {
                        let texts = (old_items[old].text, new_items[at].text);
                        carry.clauses.extend(clause_pairs(new_items[at].key, texts));
                        carry.before.extend(rows.iter().copied().cloned());
                    }
                }
            }
            (Some(old), None) => {
                carry.removed_items += 1;
                carry.clauses.extend(clause_pairs(old_items[old].key, (old_items[old].text, "")));
                let live = rows.iter().filter(|it| is_live(it));
                let seen = earlier.last_seen.as_deref();
                carry.gone.extend(live.map(|it| as_candidate(it, Lost::Gone, seen)));
            }
            (None, Some(at)) => {
                carry.clauses.extend(clause_pairs(new_items[at].key, ("", new_items[at].text)));
            }
            (None, None) => {}
        }
    }
    carry
}

/// The differing clauses of one item; a whole item that is new or gone is one.
fn clause_pairs(item: &str, (old, new): (&str, &str)) -> Vec<ClausePair> {
    let pair = |old: &str, new: &str| ClausePair {
        item: item.to_owned(),
        old: old.trim().to_owned(),
        new: new.trim().to_owned(),
    };
    if old.is_empty() || new.is_empty() {
        return vec![pair(old, new)];
    }
    let slice = |span: Option<Span>, text| span.and_then(|it| Span::slice(it, text));
    let found = compare_passages(old, new).passages;
    found
        .into_iter()
        .filter(|it| it.change != Passage::Moved)
        .map(|it| {
            pair(slice(it.old, old).unwrap_or_default(), slice(it.new, new).unwrap_or_default())
        })
        .collect()
}

/// Labels of items that are numbered otherwise now.
fn renumbered(
    matches: &[ItemMatch],
    old: &[ItemText<'_>],
    new: &[ItemText<'_>],
) -> BTreeMap<String, String> {
    let labels = matches.iter().filter_map(|it| {
        let (old, new) = (old[it.old?], new[it.new?]);
        Some((label_of(old.key, old.text)?, label_of(new.key, new.text)?))
    });
    labels.filter(|(was, is)| was != is).collect()
}

struct Carrier<'a> {
    source: &'a Source,
    earlier: &'a EarlierPage,
    new: &'a PageInput,
    indexed: &'a PageText,
    examples: &'a [String],
    /// The page's host, where the source does not name it.
    foreign: Option<String>,
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
        let live: Vec<RowRecord> =
            live.into_iter().map(|it| self.quoted_today(it, (old_item, item), change)).collect();
        let (judged, ledger) = self.judge(item, &live)?;
        if change == ItemChange::Changed
            && !self.differs_only_outside((old_item, item), &ledger, !live.is_empty())
        {
            return None;
        }
        let refused = rows
            .iter()
            .copied()
            .filter(|it| !is_live(it))
            .map(|row| RowRecord { place: None, ..self.moved(row, item) });
        let reworded = reworded(rows.iter().copied().filter(|it| is_live(it)), &judged);
        let rows = judged.into_iter().chain(refused).collect();
        Some(CarriedItem { rows, reworded, entries: ledger.entries })
    }

    /// All items of a page of which only the layout changed: a paragraph became a heading, a line was
    /// broken. `None` where a word differs, or a row or a sentence does not stand as it did.
    fn carry_layout(&self) -> Option<BTreeMap<usize, CarriedItem>> {
        let (old, new) = (&self.earlier.input.text, &self.new.text);
        if old == new || wording(old) != wording(new) {
            return None;
        }
        let map = LooksMap::between(old, new)?;
        let mut of_item: BTreeMap<usize, (Vec<RowRecord>, Vec<RowRecord>)> = BTreeMap::new();
        for row in self.earlier.record.rows.iter().filter(|it| !is_candidate(it)) {
            let today = row.place.and_then(|it| map.follow(it.bytes));
            let at = self
                .new
                .items
                .iter()
                .position(|it| today.is_some_and(|today| it.span.contains(today)));
            let mut row = row.clone();
            if is_live(&row) {
                today?.slice(new)?.clone_into(&mut row.claim.snippet);
                of_item.entry(at?).or_default().0.push(row);
            } else {
                of_item.entry(at.unwrap_or(0)).or_default().1.push(row);
            }
        }
        let mut carried = BTreeMap::new();
        let mut open = 0;
        for (at, item) in self.new.items.iter().enumerate() {
            let (live, refused) = of_item.remove(&at).unwrap_or_default();
            let (mut rows, ledger) = self.judge(item, &live)?;
            open += ledger.omissions().count();
            let reworded = reworded(live.iter(), &rows);
            let refused = refused.iter().map(|row| self.moved(row, item));
            rows.extend(refused.map(|row| RowRecord { place: None, ..row }));
            carried.insert(at, CarriedItem { rows, reworded, entries: ledger.entries });
        }
        (open <= self.earlier.record.ledger.omissions().count()).then_some(carried)
    }

    /// The rows at their new places, if every one stands as well there as it did.
    fn judge(&self, item: &Item, rows: &[RowRecord]) -> Option<(Vec<RowRecord>, Ledger)> {
        let scope = Scope {
            span: Some(item.span),
            page_title: &self.new.title,
            heading_path: &item.heading_path,
            fields: &self.source.fields,
            examples: self.examples,
            language: &self.source.language,
            hidden: &self.new.hidden,
            foreign_host: self.foreign.as_deref(),
            ..Scope::default()
        };
        // The ledger names rows as the first reading did, where that tells them apart.
        let ids: BTreeSet<&str> = rows.iter().map(|it| it.claim.id.as_str()).collect();
        let is_telling = ids.len() == rows.len() && !ids.contains("");
        let id_of = |row: &RowRecord| if is_telling { &row.claim.id } else { &row.key }.clone();
        let claims = rows.iter().map(|row| Claim { id: id_of(row), ..row.claim.clone() }).collect();
        let reply = ExtractReply { rows: claims, groups: Vec::new() };
        let judgement = judge_parsed(self.indexed, &ParsedExtract::from(reply), &scope);
        let mut moved = Vec::with_capacity(rows.len());
        for (row, judged) in rows.iter().zip(&judgement.rows) {
            if judged.place().is_none() || !stands_as_well(row, judged) {
                return None;
            }
            let mut carried = self.moved(row, item);
            judged.claim().snippet.clone_into(&mut carried.claim.snippet);
            carried.place = judged.place();
            judged.sentence().clone_into(&mut carried.sentence);
            judged.lead_in().clone_into(&mut carried.lead_in);
            judged.footnotes().clone_into(&mut carried.footnotes);
            moved.push(carried);
        }
        Some((moved, judgement.ledger))
    }

    /// The row quoting the words as they stand today, where only looks or the clause's number differ.
    fn quoted_today(
        &self,
        row: &RowRecord,
        (old, new): (&Item, &Item),
        change: ItemChange,
    ) -> RowRecord {
        let mut row = row.clone();
        if change == ItemChange::Moved {
            row.claim.subject = under_heading_of_today(&row.claim.subject, old, new);
        }
        let texts = (old.span.slice(&self.earlier.input.text), new.span.slice(&self.new.text));
        let place =
            row.place.filter(|it| row.text == self.earlier.text && old.span.contains(it.bytes));
        let (Some(old_text), Some(new_text), Some(place)) = (texts.0, texts.1, place) else {
            return row;
        };
        let start = old.span.start;
        let within = Span::new(place.bytes.start - start, place.bytes.end - start);
        let today = match change {
            ItemChange::Moved => Relabel::between(old_text, new_text).follow(within),
            ItemChange::Changed if looks(old_text) == looks(new_text) => {
                follow_looks(old_text, new_text, within)
            }
            _ => None,
        };
        let Some(snippet) = today.and_then(|it| it.slice(new_text)) else { return row };
        if snippet != row.claim.snippet && change == ItemChange::Moved {
            row.claim.subject = begun_alike(&row.claim.subject, &row.claim.snippet, snippet);
        }
        snippet.clone_into(&mut row.claim.snippet);
        row
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

    /// True where the item's texts differ in looks alone, or only where no condition stands.
    fn differs_only_outside(
        &self,
        (old, new): (&Item, &Item),
        ledger: &Ledger,
        has_rows: bool,
    ) -> bool {
        let old_text = old.span.slice(&self.earlier.input.text).unwrap_or_default();
        let new_text = new.span.slice(&self.new.text).unwrap_or_default();
        let before =
            Side { text: old_text, start: old.span.start, ledger: &self.earlier.record.ledger };
        let after = Side { text: new_text, start: new.span.start, ledger };
        looks(old_text) == looks(new_text) || differs_only_outside(before, after, has_rows)
    }
}

/// Rows that stand under other words than they did, in the order of both.
fn reworded<'r>(
    was: impl Iterator<Item = &'r RowRecord>,
    is: &[RowRecord],
) -> Vec<(RowRecord, RowRecord)> {
    was.zip(is)
        .filter(|(was, is)| clause_of(was) != clause_of(is))
        .map(|(was, is)| (was.clone(), is.clone()))
        .collect()
}

/// A subject that was taken from the item's heading, 第 5 條 or "Article 5", with the heading of today.
fn under_heading_of_today(subject: &str, old: &Item, new: &Item) -> String {
    let (Some(was), Some(is)) = (old.heading_path.last(), new.heading_path.last()) else {
        return subject.to_owned();
    };
    match subject.strip_suffix(was.as_str()) {
        Some(topic) if topic.is_empty() || topic.ends_with(['，', ' ']) => format!("{topic}{is}"),
        _ => subject.to_owned(),
    }
}

/// True where the gate finds nothing today that it had not found before, but for other looks of the
/// same words.
fn stands_as_well(row: &RowRecord, judged: &GatedRow) -> bool {
    let is_looks = |code: Code| matches!(code, Code::SnippetPresentation | Code::SnippetScript);
    judged.verdict() <= row.verdict.max(Verdict::Repair)
        && judged
            .findings()
            .iter()
            .all(|now| is_looks(now.code) || row.findings.iter().any(|it| it.code == now.code))
}
