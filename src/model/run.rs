//! A run in numbers: the object that `run` and `update` end with.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// DESIGN.md section 4, "run / update --format json".
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunSummary {
    pub run: String,
    pub edition: String,
    pub pages: PageCounts,
    pub items: ItemCounts,
    pub rows: RowCounts,
    pub changes: ChangeCounts,
    pub asks: AskCounts,
    pub cost: Cost,
    /// Path of the client's sheet, relative to the project.
    pub sheet: Option<String>,
    /// Path of the report, relative to the project.
    pub report: Option<String>,
    /// Finding code -> how often.
    pub findings: BTreeMap<String, u64>,
    /// Sentences and table rows that state a condition: used by a row, or still open.
    pub ledger: LedgerCounts,
    /// How the reviewer did with rows that are known to be false.
    #[serde(default)]
    pub watch: WatchCounts,
    /// Asks in batches; left out where there were none.
    #[serde(default, skip_serializing_if = "BatchCounts::is_none")]
    pub batches: BatchCounts,
    /// Source -> who extracted -> what the gate made of the rows of the pages on record.
    #[serde(default)]
    pub extracted: BTreeMap<String, BTreeMap<String, ExtractCounts>>,
    /// Who read: `rules` says here that no model was used.
    pub readers: BTreeMap<String, String>,
    /// What the edits of this run's pages touched, by source and page.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub touched: Vec<Touched>,
    /// References to provisions that have another number now: a person looks whether they still
    /// mean the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<StaleReference>,
    /// Pages that are gone and on which no live row rests: told, and nothing to decide.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<GonePage>,
    /// Sign-offs that ended with this update: their rows are others now, or stand under other words.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ended_sign_offs: u64,
}

/// A page that is no longer there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GonePage {
    pub source: String,
    /// Its address.
    pub page: String,
    /// Why it is thought gone, in plain words of the source's language.
    pub reason: String,
}

/// pages in = fetched + unchanged + failed + refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageCounts {
    pub fetched: u64,
    pub unchanged: u64,
    pub failed: u64,
    pub refused: u64,
}

/// items total = asked + carried + done: asked in this run (waiting ones are a part of these), carried
/// by code, and done from the record without asking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemCounts {
    pub total: u64,
    pub asked: u64,
    pub carried: u64,
    pub done: u64,
    pub waiting: u64,
}

/// rows in = accepted + flagged + dropped + merged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowCounts {
    pub accepted: u64,
    pub flagged: u64,
    pub dropped: u64,
    pub merged: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeCounts {
    pub new: u64,
    pub changed: u64,
    pub removed_candidates: u64,
    pub unchanged: u64,
    pub moved: u64,
    /// Items read again because our rules (selectors, item rule, fields) changed; the source did not.
    /// Never counted as new or changed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub by_rule: u64,
    /// The same, where our reader changed: model, settings, instructions, gate.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub by_reader: u64,
}

// The signature is serde's.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(it: &u64) -> bool {
    *it == 0
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskCounts {
    /// Answered in this run.
    pub live: u64,
    /// Answered by the record.
    pub from_record: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerCounts {
    pub used: u64,
    pub not_a_condition: u64,
    pub open: u64,
}

/// Money as decimal text in `currency`; never a binary float.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    pub currency: String,
    pub estimate: Range,
    pub actual: String,
    /// `extract` and `review`: what the answers of this run cost.
    #[serde(default)]
    pub steps: BTreeMap<String, StepCost>,
    /// Source -> step -> estimate against actual; left out where nothing costs anything.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sources: BTreeMap<String, BTreeMap<String, SourceCost>>,
}

impl StepCost {
    /// Adds another count; money is for whoever adds it as numbers.
    pub fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.unreported += other.unreported;
        self.batch += other.batch;
        self.input += other.input;
        self.output += other.output;
        self.cached += other.cached;
    }
}

/// The estimate of one step of one source against what it came to in this run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceCost {
    pub estimate: Range,
    /// Decimal text, in the currency of the run.
    pub actual: String,
    /// Asks answered in this run.
    pub calls: u64,
}

/// What the answers of one step came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepCost {
    pub calls: u64,
    /// Calls whose tokens the answerer did not report; they are approximated where they cost.
    pub unreported: u64,
    /// Calls that came in a batch, at the price of one.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub batch: u64,
    /// Tokens in, cached ones included.
    pub input: u64,
    pub output: u64,
    pub cached: u64,
    /// Decimal text, in the currency of the run.
    pub cost: String,
}

/// Asks in batches at a provider.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchCounts {
    /// Handed in by this run.
    pub handed_in: u64,
    /// In batches that had not ended when this run began.
    pub waiting: u64,
    /// Answered by batches that ended, and counted in this run's cost.
    pub taken_in: u64,
    /// Not answered by batches that ended: open again.
    pub failed: u64,
}

impl BatchCounts {
    /// True where there were no batches.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// How the reviewer did with rows that are known to be false.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchCounts {
    /// False rows shown, over all review asks.
    pub shown: u64,
    /// Those that were not confirmed.
    pub caught: u64,
    /// The item's own rows shown beside them, and those that were confirmed: a reviewer who confirms
    /// nothing catches everything.
    #[serde(default)]
    pub rows: u64,
    #[serde(default)]
    pub confirmed: u64,
    /// Reviews that confirmed one and were asked again.
    pub asked_again: u64,
    /// Reviews that confirmed one twice: all their rows go to a person.
    pub not_relied_on: u64,
    /// Reviews of rows none of which could be made false.
    #[serde(default)]
    pub unwatched: u64,
    /// Who reviewed -> what was wrong (`operator`, `value`, `unit`, …) -> how it went.
    #[serde(default)]
    pub models: BTreeMap<String, BTreeMap<String, CaughtCounts>>,
}

/// What one extractor returned, as the gate saw it before any review.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtractCounts {
    /// Rows stated, those that could not be read among them.
    pub rows: u64,
    /// Those that the gate refused.
    pub refused: u64,
    /// Sentences and table rows that state a condition: quoted by a row, or still open.
    pub conditions: u64,
    /// Items read.
    pub items: u64,
}

impl ExtractCounts {
    /// Adds another count.
    pub fn add(&mut self, other: Self) {
        self.rows += other.rows;
        self.refused += other.refused;
        self.conditions += other.conditions;
        self.items += other.items;
    }
}

/// False rows of one kind, shown to one reviewer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaughtCounts {
    pub shown: u64,
    /// Those that were not confirmed.
    pub caught: u64,
}

impl WatchCounts {
    /// Adds another count.
    pub fn add(&mut self, other: &Self) {
        self.shown += other.shown;
        self.caught += other.caught;
        self.rows += other.rows;
        self.confirmed += other.confirmed;
        self.asked_again += other.asked_again;
        self.not_relied_on += other.not_relied_on;
        self.unwatched += other.unwatched;
        for (model, kinds) in &other.models {
            for (kind, counts) in kinds {
                let sum =
                    self.models.entry(model.clone()).or_default().entry(kind.clone()).or_default();
                sum.shown += counts.shown;
                sum.caught += counts.caught;
            }
        }
    }

    /// True where the reviewer confirmed none of many rows: what it catches says nothing of it.
    pub fn confirms_nothing(&self) -> bool {
        const MANY: u64 = 10;
        MANY <= self.rows && self.confirmed == 0
    }

    /// Adds one false row and whether it was caught.
    pub fn note(&mut self, model: &str, kind: &str, is_caught: bool) {
        let kinds = self.models.entry(model.to_owned()).or_default();
        let counts = kinds.entry(kind.to_owned()).or_default();
        counts.shown += 1;
        counts.caught += u64::from(is_caught);
        self.shown += 1;
        self.caught += u64::from(is_caught);
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Range {
    pub low: String,
    pub expected: String,
    pub high: String,
}

/// Whose doing it is that a page's rows may differ. A change of ours is never told as the source's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeCause {
    /// The source shows other words.
    #[default]
    Source,
    /// Our rules are others: selectors, item rule, fields.
    Rules,
    /// Our reader is another: model, settings, instructions, gate.
    Reader,
}

/// What an edit of a page touches: known before anything is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touched {
    pub page: String,
    #[serde(default)]
    pub cause: ChangeCause,
    /// Items that are new or changed and have to be read, by key.
    pub items: Vec<String>,
    /// Items the page does not show any more.
    pub removed_items: u64,
    /// Live rows of items that changed or are gone.
    pub rows: u64,
    /// Of these, the ones cleared by gate and review.
    pub accepted: u64,
    /// Of these, the ones a client signed as approved or corrected.
    pub approved: u64,
    /// Groups that one of these rows belongs to.
    pub groups: u64,
    /// Old and new clause side by side, the first ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clauses: Vec<ClausePair>,
    /// Further clauses that differ.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_clauses: u64,
}

/// A clause as it was and as it is; one side is empty where it is new or gone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClausePair {
    /// Key of the item today; of the item it was in, where that is gone.
    pub item: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub old: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub new: String,
}

/// A reference, in words that did not change, to a provision that has another number now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaleReference {
    pub page: String,
    /// Key of the item that refers.
    pub item: String,
    /// The reference as it stands: `第三條`, `clause 4`.
    pub words: String,
    /// Key or number under which the provision stands today.
    pub now: String,
}
