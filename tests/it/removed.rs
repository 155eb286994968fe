//! Removals that a client signs: what goes, what stays live, and what brings a row back.

use countersign::model::row::{RowRecord, RowStatus};
use countersign::model::sheet::RemovalCandidate;
use countersign::model::signing::{RecordedDecision, SignCode, SignState};
use countersign::signoff::approved::removals_decided;

use crate::desk::{Desk, ben, found};
use crate::signoff::approve;

#[test]
fn a_removal_left_blank_stays_live() {
    let mut desk = Desk::new();
    for number in [21, 22, 23] {
        desk.removals.push(RemovalCandidate {
            row: RowRecord { status: RowStatus::Accepted, ..ben(number) },
            reason: "answered 404 twice".into(),
            last_seen: "2027-02-01".into(),
            dependants: Vec::new(),
        });
    }
    desk.issues.clear();
    desk.issue();
    let mut book = desk.sheet();
    approve(&mut book, 1..=12);
    book.write("Removed？", "BEN-0021", "Take it down?", "remove");
    book.write("Removed？", "BEN-0022", "Take it down?", "unsure");
    let plan = desk.take(&book.save(), "A");
    assert_eq!((plan.state, plan.counts.open), (SignState::Partial, 2));
    assert_eq!(removals_decided(&desk.current(), &desk.decisions), ["BEN-0021"]);
    let blank = found(&plan, SignCode::Undecided, "BEN-0023")[0];
    assert!(blank.detail.contains("awaiting the client"));
}

#[test]
fn a_signed_removal_takes_the_row_down_until_the_page_shows_it_and_it_is_approved_anew() {
    let mut desk = Desk::new();
    let sheet = desk.sheet();
    let mut book = sheet;
    approve(&mut book, 1..=12);
    desk.take(&book.save(), "A");
    assert!(desk.approved().contains(&"BEN-0001".to_owned()));
    // The page no longer shows it; the client signs that it is taken down.
    let gone = RemovalCandidate {
        row: ben(1),
        reason: "answered 404 twice".into(),
        last_seen: "2027-02-01".into(),
        dependants: Vec::new(),
    };
    desk.removals.push(gone);
    desk.facts.summary.run = "run-2".into();
    desk.issue();
    let mut book = desk.sheet();
    book.write("Removed？", "BEN-0001", "Take it down?", "remove");
    let taken = book.save();
    let plan = desk.take(&taken, "A");
    assert_eq!(plan.counts.applied, 1, "{:#?}", plan.findings);
    assert!(
        !desk.approved().contains(&"BEN-0001".to_owned()),
        "an approval before it counts no more"
    );
    // While the page does not show it, no approval brings it back.
    desk.facts.summary.run = "run-3".into();
    desk.issue();
    let mut book = desk.sheet();
    book.write("Decide", "BEN-0001", "Decision", "approve");
    desk.take(&book.save(), "A");
    assert!(!desk.approved().contains(&"BEN-0001".to_owned()), "still gone");
    // The page shows it again: down until somebody approves it anew.
    desk.removals.clear();
    desk.facts.summary.run = "run-4".into();
    desk.issue();
    desk.decisions.retain(|it| it.run != "run-3");
    assert!(!desk.approved().contains(&"BEN-0001".to_owned()), "nobody has said so yet");
    let again = RecordedDecision { run: "run-4".into(), ..desk.decisions[0].clone() };
    assert_eq!(again.key, "BEN-0001");
    desk.decisions.push(again);
    assert!(desk.approved().contains(&"BEN-0001".to_owned()), "approved anew");
}
