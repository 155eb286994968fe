//! A new decision against those on record: taken, repeated, superseding, or in conflict.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::sheet::Tab;
use crate::model::signing::RecordedDecision;
use crate::signoff::context::RowId;

/// What a decision is beside those on record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing<'a> {
    /// Nothing stands against it.
    New,
    /// The same is on record, or this very file was taken before.
    Repeated,
    /// Another decision on the same content differs; it is put back together with this one.
    Conflicts(Option<&'a RecordedDecision>),
}

/// Decisions on record, by row.
pub struct Record<'a> {
    /// In the order they were taken.
    all: &'a [RecordedDecision],
    by_row: BTreeMap<RowId<'a>, Vec<&'a RecordedDecision>>,
}

impl<'a> Record<'a> {
    /// The decisions in the order they were taken.
    pub fn of(earlier: &'a [RecordedDecision]) -> Self {
        let mut by_row: BTreeMap<RowId, Vec<&RecordedDecision>> = BTreeMap::new();
        for decision in earlier {
            by_row.entry((&decision.key, decision.tab == Tab::Removed)).or_default().push(decision);
        }
        Self { all: earlier, by_row }
    }

    /// True where the first of two decisions on record was taken after the second.
    pub fn is_later(&self, first: &RecordedDecision, second: &RecordedDecision) -> bool {
        let place =
            |it: &RecordedDecision| self.all.iter().position(|other| std::ptr::eq(other, it));
        place(first) > place(second)
    }

    /// The decision that counts for a row of this content, if one does.
    pub fn active(&self, id: RowId, digest: &str) -> Option<&'a RecordedDecision> {
        let list = self.by_row.get(&id)?;
        list.iter().rev().find(|it| it.digest == digest && !it.is_in_conflict).copied()
    }

    /// True where a decision of this file on this row is on record.
    pub fn holds(&self, new: &RecordedDecision) -> bool {
        let list = self.by_row.get(&(new.key.as_str(), new.tab == Tab::Removed));
        list.is_some_and(|it| it.iter().any(|it| it.file_digest == new.file_digest))
    }

    /// Where a new decision stands. `is_newest_run` says that its sheet belongs to the newest run.
    pub fn standing(&self, new: &RecordedDecision, is_newest_run: bool) -> Standing<'a> {
        let is_removal = new.tab == Tab::Removed;
        let empty = Vec::new();
        let list = self.by_row.get(&(new.key.as_str(), is_removal)).unwrap_or(&empty);
        let about_this: Vec<&RecordedDecision> =
            list.iter().filter(|it| it.digest == new.digest).copied().collect();
        let active = self.active((&new.key, is_removal), &new.digest);
        if about_this.iter().any(|it| it.file_digest == new.file_digest) {
            return match active {
                Some(_) => Standing::Repeated,
                None => Standing::Conflicts(None),
            };
        }
        match active {
            Some(it) if it.agrees_with(new) => Standing::Repeated,
            // Asked again in a newer run, a person may decide otherwise than before.
            Some(it) if is_newest_run && it.run != new.run => Standing::New,
            Some(it) => Standing::Conflicts(Some(it)),
            None => {
                let files: BTreeSet<&str> = about_this.iter().map(|it| it.file.as_str()).collect();
                // A conflict is settled on a sheet that was issued because of it.
                let is_settling = !files.contains(new.file.as_str());
                if about_this.is_empty() || is_settling {
                    Standing::New
                } else {
                    Standing::Conflicts(None)
                }
            }
        }
    }
}
