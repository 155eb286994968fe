//! Two sets of rows side by side: what a changed prompt, model or rule gained, lost and changed.
//!
//! Compares what is on record; it judges nothing and decides nothing.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::model::claim::{Claim, Force, Join};
use crate::model::row::{RowRecord, RowStatus};

/// What became of the rows between two runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RowsCompared {
    /// Rows by where they stand, before and after.
    pub before: Standings,
    pub after: Standings,
    /// Rows that stand in both and say the same.
    pub same: u64,
    /// Each of these is one row.
    pub gained: Vec<ComparedRow>,
    pub lost: Vec<ComparedRow>,
    pub changed: Vec<ComparedRow>,
}

/// Rows by where they stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Standings {
    pub accepted: u64,
    pub flagged: u64,
    pub dropped: u64,
    pub merged: u64,
}

/// A row that is not the same in both runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedRow {
    pub source: String,
    pub page: String,
    pub item: String,
    pub key: String,
    pub snippet: String,
    /// The row in one line; `None` on the side where it does not stand.
    pub before: Option<String>,
    pub after: Option<String>,
    /// What differs of a changed row: `value`, `op`, `status`, `findings`, …
    pub what: Vec<&'static str>,
    /// Findings on the side where it was refused, or where it is new.
    pub codes: Vec<String>,
}

/// Compares the rows of one page in two runs.
pub fn compare_rows(before: &[RowRecord], after: &[RowRecord]) -> RowsCompared {
    let mut found = RowsCompared {
        before: standings(before),
        after: standings(after),
        ..RowsCompared::default()
    };
    let olds: Vec<&RowRecord> = before.iter().filter(|it| stands(it)).collect();
    let mut news: BTreeMap<usize, &RowRecord> =
        after.iter().filter(|it| stands(it)).enumerate().collect();
    let mut open = Vec::new();
    for old in olds {
        match news.iter().find(|(_, it)| it.key == old.key).map(|it| *it.0) {
            Some(at) => pair(old, news.remove(&at), &mut found),
            None => open.push(old),
        }
    }
    for old in open {
        let near = news.iter().max_by_key(|(at, it)| (likeness(old, it), std::cmp::Reverse(**at)));
        match near.filter(|(_, it)| likeness(old, it) > 0).map(|it| *it.0) {
            Some(at) => pair(old, news.remove(&at), &mut found),
            None => {
                let refused = after.iter().find(|it| !stands(it) && it.key == old.key);
                let codes = refused.map(codes_of).unwrap_or_default();
                found.lost.push(ComparedRow { codes, ..compared(old, Some(old), None) });
            }
        }
    }
    for new in news.into_values() {
        let codes = codes_of(new);
        found.gained.push(ComparedRow { codes, ..compared(new, None, Some(new)) });
    }
    found
}

impl RowsCompared {
    /// Adds another page's.
    pub fn add(&mut self, other: Self) {
        self.before.add(other.before);
        self.after.add(other.after);
        self.same += other.same;
        self.gained.extend(other.gained);
        self.lost.extend(other.lost);
        self.changed.extend(other.changed);
    }
}

impl Standings {
    fn add(&mut self, other: Self) {
        self.accepted += other.accepted;
        self.flagged += other.flagged;
        self.dropped += other.dropped;
        self.merged += other.merged;
    }
}

fn standings(rows: &[RowRecord]) -> Standings {
    let of = |status| rows.iter().filter(|it| it.status == status).count() as u64;
    Standings {
        accepted: of(RowStatus::Accepted),
        flagged: of(RowStatus::Flagged),
        dropped: of(RowStatus::Dropped),
        merged: of(RowStatus::Merged),
    }
}

fn stands(row: &RowRecord) -> bool {
    matches!(row.status, RowStatus::Accepted | RowStatus::Flagged)
}

/// How surely two rows of different content are the same statement; 0 where they are not.
fn likeness(old: &RowRecord, new: &RowRecord) -> u8 {
    let same_quote = old.claim.snippet == new.claim.snippet;
    let overlap = old.text == new.text
        && old.place.zip(new.place).is_some_and(|(a, b)| a.bytes.overlaps(b.bytes));
    let same_field = old.claim.field == new.claim.field;
    let same_value = old.claim.value == new.claim.value;
    match (same_quote || overlap, same_field, same_value) {
        (true, true, true) => 4,
        (true, true, false) => 3,
        (true, false, true) => 2,
        _ => 0,
    }
}

fn pair(old: &RowRecord, new: Option<&RowRecord>, found: &mut RowsCompared) {
    let Some(new) = new else { return };
    let what = differences(old, new);
    if what.is_empty() {
        found.same += 1;
        return;
    }
    let codes = codes_of(new);
    found.changed.push(ComparedRow { what, codes, ..compared(new, Some(old), Some(new)) });
}

fn differences(old: &RowRecord, new: &RowRecord) -> Vec<&'static str> {
    let (a, b) = (&old.claim, &new.claim);
    let verdict = |it: &RowRecord| it.review.as_ref().map(|it| it.word);
    let parts = [
        ("subject", a.subject != b.subject),
        ("field", a.field != b.field),
        ("op", a.op != b.op),
        ("value", a.value != b.value),
        ("unit", a.unit != b.unit),
        ("join", a.join != b.join),
        ("force", a.force != b.force),
        ("snippet", a.snippet != b.snippet),
        ("status", old.status != new.status),
        ("findings", codes_of(old) != codes_of(new)),
        ("review", verdict(old) != verdict(new)),
    ];
    parts.into_iter().filter(|it| it.1).map(|it| it.0).collect()
}

fn codes_of(row: &RowRecord) -> Vec<String> {
    let codes: BTreeSet<String> = row.findings.iter().map(|it| it.code.to_string()).collect();
    codes.into_iter().collect()
}

fn compared(row: &RowRecord, before: Option<&RowRecord>, after: Option<&RowRecord>) -> ComparedRow {
    ComparedRow {
        source: row.source.clone(),
        page: row.page.clone(),
        item: row.item.clone(),
        key: row.key.clone(),
        snippet: row.claim.snippet.clone(),
        before: before.map(in_one_line),
        after: after.map(in_one_line),
        what: Vec::new(),
        codes: Vec::new(),
    }
}

/// `amount <= 5200 TWD/month, of the household, all, must: accepted`.
fn in_one_line(row: &RowRecord) -> String {
    let Claim { subject, field, op, value, unit, join, force, .. } = &row.claim;
    let mut line = format!("{field} {} {value}", op.as_str());
    if let Some(unit) = unit {
        line = format!("{line} {unit}");
    }
    if !subject.is_empty() {
        line = format!("{line} ({subject})");
    }
    for word in join.map(Join::as_str).into_iter().chain(force.map(Force::as_str)) {
        line = format!("{line}, {word}");
    }
    format!("{line}: {}", row.status.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::claim::{Op, Value};
    use crate::model::finding::Verdict;
    use crate::model::row::Place;
    use crate::text::span::Span;

    fn row(key: &str, at: usize, snippet: &str, value: i64, status: RowStatus) -> RowRecord {
        let span = Span::new(at, at + snippet.len());
        RowRecord {
            key: key.to_owned(),
            claim: Claim {
                field: "年齡".to_owned(),
                op: Op::Ge,
                value: Value::Number(value.into()),
                snippet: snippet.to_owned(),
                ..Claim::default()
            },
            within: Vec::new(),
            source: "s".to_owned(),
            page: "p".to_owned(),
            page_title: String::new(),
            item: "i".to_owned(),
            heading_path: vec![],
            snapshot: String::new(),
            text: "t".to_owned(),
            place: Some(Place { bytes: span, chars: span }),
            sentence: String::new(),
            lead_in: String::new(),
            footnotes: String::new(),
            status,
            verdict: Verdict::Pass,
            findings: vec![],
            review: None,
            read_by: String::new(),
            ask: String::new(),
        }
    }

    #[test]
    fn rows_are_gained_lost_changed_or_the_same_and_the_totals_add_up() {
        use RowStatus::{Accepted, Dropped, Flagged};
        let before = [
            row("same", 0, "年滿六十五歲", 65, Accepted),
            row("flag", 30, "aged 18 or over", 18, Accepted),
            row("old", 60, "at least 3 years", 3, Accepted),
            row("gone", 90, "within 30 days", 30, Accepted),
        ];
        let after = [
            row("same", 0, "年滿六十五歲", 65, Accepted),
            row("flag", 30, "aged 18 or over", 18, Flagged),
            row("new", 60, "at least 3 years", 4, Accepted),
            row("gone", 90, "within 30 days", 30, Dropped),
            row("more", 120, "no more than 5", 5, Flagged),
        ];
        let found = compare_rows(&before, &after);
        assert_eq!(found.same, 1);
        let keys = |rows: &[ComparedRow]| rows.iter().map(|it| it.key.clone()).collect::<Vec<_>>();
        assert_eq!(keys(&found.changed), ["flag", "new"]);
        assert_eq!(found.changed[0].what, ["status"]);
        assert_eq!(found.changed[1].what, ["value"]);
        assert_eq!(
            (keys(&found.lost), keys(&found.gained)),
            (vec!["gone".into()], vec!["more".into()])
        );
        let standing = |it: Standings| it.accepted + it.flagged;
        let kept = found.same + found.changed.len() as u64;
        assert_eq!(standing(found.before), kept + found.lost.len() as u64);
        assert_eq!(standing(found.after), kept + found.gained.len() as u64);
        assert_eq!(compare_rows(&before, &before).same, 4);
    }
}
