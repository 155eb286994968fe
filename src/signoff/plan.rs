//! What a returned sheet comes to: the pure decision before anything is stored.
//!
//! Nothing is approved, rejected or removed by silence: every asked row ends up decided, decided
//! before, or on the follow-up sheet with the reason.

use std::collections::BTreeMap;

use crate::model::phrase::{about, field_label, is_question, stated};
use crate::model::returned::ReturnedFile;
use crate::model::sheet::{FollowUp, IssuedRow};
use crate::model::signing::{
    ReceiptLine, RecordedDecision, SignCounts, SignFinding, SignState, Signature,
};
use crate::signoff::context::{SignoffContext, id_of};
use crate::signoff::settle::Settling;
use crate::signoff::signature::sign;

/// What is to be stored, told and asked again.
#[derive(Clone, Debug, PartialEq)]
pub struct SignoffPlan {
    pub state: SignState,
    /// `None` where nothing new is put on record: the file was taken before, or nothing of it can be.
    pub signature: Option<Signature>,
    /// New decisions, those in conflict marked.
    pub decisions: Vec<RecordedDecision>,
    /// Decisions on record that are to be marked as in conflict.
    pub withdrawn: Vec<RecordedDecision>,
    pub counts: SignCounts,
    pub findings: Vec<SignFinding>,
    /// One line an asked or decided row, in the order of the sheet.
    pub lines: Vec<ReceiptLine>,
    /// Exactly the rows that are still open; `None` where none is.
    pub follow_up: Option<FollowUp>,
}

impl SignoffPlan {
    /// True where there is something to store.
    pub fn changes_the_record(&self) -> bool {
        self.signature.is_some()
    }
}

/// Works out what a returned file comes to.
pub fn plan_signoff(file: &ReturnedFile, context: &SignoffContext) -> SignoffPlan {
    let mut settling = Settling::new(file, context);
    settling.check_file();
    settling.check_rows();
    finish(settling)
}

fn finish(mut settled: Settling) -> SignoffPlan {
    let context = settled.context;
    let asked: Vec<&IssuedRow> = context.issued.asked().collect();
    let open = asked.iter().filter(|it| !settled.words.contains_key(&id_of(it))).count();
    let counts =
        SignCounts { asked: asked.len(), open, decided: asked.len() - open, ..settled.counts };
    let is_done = open == 0 && settled.reopened.is_empty();
    let state = match (settled.is_refused, is_done) {
        (true, _) => SignState::Refused,
        (false, true) => SignState::Complete,
        (false, false) => SignState::Partial,
    };
    let follow_up = follow_up(&settled).filter(|_| state == SignState::Partial);
    let lines = lines(&settled);
    let signature = sign(&mut settled);
    SignoffPlan {
        state,
        signature,
        decisions: settled.decisions,
        withdrawn: settled.withdrawn,
        counts,
        findings: settled.findings,
        lines,
        follow_up,
    }
}

/// Exactly the rest, as it stands today: a row that a newer run changed is asked about in its new
/// form where its old form was signed, and by the newer run's own sheet otherwise.
fn follow_up(settled: &Settling) -> Option<FollowUp> {
    let mut follow_up = FollowUp::default();
    for issued in &settled.context.issued.rows {
        let id = id_of(issued);
        let is_open = issued.is_asked && !settled.words.contains_key(&id);
        if !is_open && !settled.reopened.contains(&id) {
            continue;
        }
        let Some(today) = settled.today(issued) else { continue };
        follow_up.keys.insert(today.key.clone());
        if let Some(remark) = settled.remarks.get(&id) {
            follow_up.remarks.insert(today.key.clone(), remark.clone());
        }
        if let Some(proposal) = settled.proposals.get(&id) {
            follow_up.proposals.push(proposal.clone());
        }
    }
    (!follow_up.keys.is_empty()).then_some(follow_up)
}

fn lines(settled: &Settling) -> Vec<ReceiptLine> {
    let language = settled.context.issued.language;
    let corrections: BTreeMap<&str, &RecordedDecision> = settled
        .decisions
        .iter()
        .filter(|it| !it.is_in_conflict && it.correction.is_some())
        .map(|it| (it.key.as_str(), it))
        .collect();
    let mut lines = Vec::new();
    for issued in &settled.context.issued.rows {
        let id = id_of(issued);
        let word = settled.words.get(&id).copied();
        if !issued.is_asked && word.is_none() && !settled.reopened.contains(&id) {
            continue;
        }
        let row = issued.matter.row();
        let correction = corrections.get(issued.key.as_str()).and_then(|it| it.correction.as_ref());
        let claim = correction.map_or(&row.claim, |it| &it.claim);
        let stands = if is_question(row) {
            language.pick(["(nothing was extracted)", "（未擷取）"]).to_owned()
        } else {
            stated(claim, &field_label(row, &settled.context.issued.facts), language)
        };
        lines.push(ReceiptLine {
            key: issued.key.clone(),
            about: about(row),
            stands: stands.trim().to_owned(),
            word,
            remark: settled.remarks.get(&id).cloned().unwrap_or_default(),
        });
    }
    lines
}
