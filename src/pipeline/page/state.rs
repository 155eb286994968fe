//! A page at work: what is read, what it comes to, and how it counts.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::change::matching::ItemText;
use crate::gate::row::PageState;
use crate::gate::sentences::ledger::Ledger;
use crate::model::finding::Finding;
use crate::model::item::Item;
use crate::model::row::RowRecord;
use crate::model::run::{ExtractCounts, LedgerCounts, RowCounts, WatchCounts};
use crate::pipeline::rounds::reading::AskTally;

/// A frozen page, cut into items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageInput {
    pub url: String,
    pub title: String,
    /// Canonical text.
    pub text: String,
    /// Text of the page that is no content; never evidence.
    pub hidden: String,
    /// SHA-256 of the raw bytes.
    pub snapshot: String,
    pub items: Vec<Item>,
}

impl PageInput {
    /// The items as a comparison of editions takes them.
    pub fn item_texts(&self) -> Vec<ItemText<'_>> {
        self.items
            .iter()
            .map(|it| ItemText {
                key: &it.key,
                text: it.span.slice(&self.text).unwrap_or_default(),
                fingerprint: &it.fingerprint,
            })
            .collect()
    }
}

/// What a page came to.
#[derive(Clone, Debug, PartialEq)]
pub enum PageReading {
    Done(Box<PageDone>),
    /// Asks that somebody else has to answer first.
    Waits {
        asks: Vec<String>,
        /// What went wrong with those of them that were asked.
        failures: Vec<String>,
        items_done: u64,
        tally: AskTally,
    },
}

/// A page whose items are all done.
#[derive(Clone, Debug, PartialEq)]
pub struct PageDone {
    pub rows: Vec<RowRecord>,
    /// Every sentence and table row of all items, in reading order.
    pub ledger: Ledger,
    /// The gate's word on each item of the page that is not in order.
    pub troubles: Vec<PageTrouble>,
    pub counts: PageTally,
    pub tally: AskTally,
    /// Items with at least one ask answered in this run.
    pub asked_items: u64,
    /// Of these, items whose words the source did not change: our rules or readers did.
    pub by_us: u64,
    /// Keys of the rows that were read in this run; the others were carried.
    pub fresh: BTreeSet<String>,
    /// Rows that stand in the place of others, old and new.
    pub changed: Vec<(RowRecord, RowRecord)>,
}

/// An item whose page state is not `ok`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PageTrouble {
    pub item: String,
    pub state: PageState,
    pub findings: Vec<Finding>,
}

/// The counts of one page, kept in the ledger so that a carried page adds up too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageTally {
    pub items: u64,
    /// Rows that came in, from both passes.
    pub rows_in: u64,
    pub rows: RowCounts,
    pub sentences: LedgerCounts,
    /// Open sentences that state a rule or a number.
    pub omissions: u64,
    pub findings: BTreeMap<String, u64>,
    /// Items carried by code when the page was last read.
    #[serde(default)]
    pub carried_items: u64,
    /// How the reviewer did with false rows when the page was last read.
    #[serde(default)]
    pub watch: WatchCounts,
    /// Items whose rows were reviewed, and items without anything to review.
    #[serde(default)]
    pub reviewed_items: u64,
    #[serde(default)]
    pub plain_items: u64,
    /// Who extracted the page's items, and what the gate made of it.
    #[serde(default)]
    pub extracted: BTreeMap<String, ExtractCounts>,
}
