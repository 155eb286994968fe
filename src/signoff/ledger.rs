//! Puts a planned sign-off on record: one transaction, read back, counted. A write that touched less
//! than it said is a failure, whatever it returned.

use crate::model::sheet::{IssuedSheet, SheetLanguage};
use crate::model::signing::{Receipt, RecordedDecision, SignCode, SignState, Signature};
use crate::signoff::plan::SignoffPlan;

/// What one sign-off writes.
#[derive(Clone, Debug, PartialEq)]
pub struct SignoffChange<'a> {
    pub signature: &'a Signature,
    /// New decisions. Each has to meet exactly one row that is live under its key and digest.
    pub decisions: &'a [RecordedDecision],
    /// Decisions on record to be marked as in conflict. Each is one by key, tab and file digest.
    pub withdrawn: &'a [RecordedDecision],
}

impl SignoffChange<'_> {
    /// Lines that have to be touched: the signature, each decision, each withdrawal.
    pub fn expected(&self) -> usize {
        1 + self.decisions.len() + self.withdrawn.len()
    }
}

/// Where decisions are kept.
pub trait SignoffLedger {
    /// What goes wrong with the ledger itself.
    type Error: std::error::Error;

    /// Writes everything in one transaction and reads it back inside it: `affected` lines touched,
    /// and the decisions as they now stand under the new signature's file digest. The transaction is
    /// taken back when `affected` is not [`SignoffChange::expected`] or what is read back differs.
    ///
    /// # Errors
    /// When the ledger fails; nothing is changed then.
    fn apply(&mut self, change: &SignoffChange) -> Result<Applied, Self::Error>;
}

/// What a ledger says it did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    pub affected: usize,
    /// The new decisions, read back, in the order they were given.
    pub read_back: Vec<RecordedDecision>,
}

/// Why a sign-off was not put on record. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError<E: std::error::Error> {
    #[error("the ledger refused the sign-off, nothing was changed: {0}")]
    Ledger(E),
    #[error(
        "sign-off: {affected} of {expected} lines were affected; the whole import was taken back, the old values stand"
    )]
    NotAllAffected { affected: usize, expected: usize },
    #[error(
        "sign-off: {key} was read back as {found}, expected {expected}; the whole import was taken back"
    )]
    ReadBackDiffers { key: String, expected: String, found: String },
}

/// Puts a plan on record. A plan that changes nothing touches nothing.
///
/// # Errors
/// When the ledger fails, or says or reads back something else than was asked for.
pub fn apply_signoff<L: SignoffLedger>(
    ledger: &mut L,
    plan: &SignoffPlan,
) -> Result<(), ApplyError<L::Error>> {
    let Some(signature) = &plan.signature else { return Ok(()) };
    let change =
        SignoffChange { signature, decisions: &plan.decisions, withdrawn: &plan.withdrawn };
    let applied = ledger.apply(&change).map_err(ApplyError::Ledger)?;
    if applied.affected != change.expected() {
        let (affected, expected) = (applied.affected, change.expected());
        return Err(ApplyError::NotAllAffected { affected, expected });
    }
    let mut read_back = applied.read_back.iter();
    for decision in &plan.decisions {
        let found = read_back.next();
        if found != Some(decision) {
            return Err(ApplyError::ReadBackDiffers {
                key: decision.key.clone(),
                expected: decision.word.as_str().to_owned(),
                found: found.map_or("nothing", |it| it.word.as_str()).to_owned(),
            });
        }
    }
    Ok(())
}

/// What goes back to the client. `follow_up` is the id of the sheet that holds the rest.
pub fn receipt_of(plan: &SignoffPlan, unsigned: Unsigned, follow_up: Option<String>) -> Receipt {
    let signature = plan.signature.clone().unwrap_or_else(|| unsigned.into_signature());
    Receipt {
        signature,
        state: plan.state,
        counts: plan.counts,
        lines: plan.lines.clone(),
        findings: plan.findings.clone(),
        follow_up,
    }
}

/// Names the file in a receipt of a sign-off that put nothing new on record.
#[derive(Clone, Debug)]
pub struct Unsigned<'a> {
    pub issued: &'a IssuedSheet,
    pub file_digest: &'a str,
    pub now: jiff::Timestamp,
}

impl Unsigned<'_> {
    fn into_signature(self) -> Signature {
        let language: SheetLanguage = self.issued.language;
        Signature {
            format: "countersign.signature/1".to_owned(),
            project: self.issued.project.clone(),
            run: self.issued.run.clone(),
            file: self.issued.file.clone(),
            file_digest: self.file_digest.to_owned(),
            signer: String::new(),
            stated_name: String::new(),
            stated_date: String::new(),
            signed_at: self.now.to_string(),
            language,
            sentence: String::new(),
            rows: Vec::new(),
            digest: String::new(),
        }
    }
}

/// The exit code of a sign-off, DESIGN.md section 4: 0 only where every asked row is decided and all
/// that was written in the file was taken. A file that lacks its signer's name waits for a person; any
/// other one of which nothing was taken does not verify.
pub fn exit_code(receipt: &Receipt) -> u8 {
    let has = |code: SignCode| receipt.findings.iter().any(|it| it.code == code);
    let is_foreign = has(SignCode::WrongFile) || has(SignCode::IdentityDiffers);
    match receipt.state {
        SignState::Refused if has(SignCode::SignerMissing) && !is_foreign => 3,
        SignState::Refused => 6,
        SignState::Complete if receipt.findings.iter().all(|it| !it.stops) => 0,
        SignState::Complete | SignState::Partial => 3,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::model::decision::DecisionWord;
    use crate::model::sheet::{SheetFacts, Tab};
    use crate::model::signing::SignCounts;

    /// A ledger of live rows in memory, which may lie about its writes.
    #[derive(Clone, Default)]
    struct Memory {
        live: BTreeMap<String, String>,
        decisions: Vec<RecordedDecision>,
        lies: bool,
    }

    #[derive(Debug, thiserror::Error)]
    #[error("never")]
    struct Never;

    impl SignoffLedger for Memory {
        type Error = Never;

        fn apply(&mut self, change: &SignoffChange) -> Result<Applied, Never> {
            let before = self.clone();
            let mut affected = 1;
            for decision in change.decisions {
                if self.live.get(&decision.key) == Some(&decision.digest) {
                    affected += 1;
                    self.decisions.push(decision.clone());
                }
            }
            let read_back = self.decisions[before.decisions.len()..].to_vec();
            if affected != change.expected() && !self.lies {
                *self = before;
            }
            Ok(Applied {
                affected: if self.lies { change.expected() } else { affected },
                read_back,
            })
        }
    }

    fn plan(key: &str) -> SignoffPlan {
        let decision = RecordedDecision {
            key: key.into(),
            digest: "d".into(),
            tab: Tab::Decide,
            word: DecisionWord::Correct,
            correction: None,
            note: String::new(),
            by_statement: false,
            signer: "A".into(),
            signed_at: String::new(),
            file_digest: "f".into(),
            file: "f-1".into(),
            run: "r1".into(),
            is_in_conflict: false,
        };
        let issued = IssuedSheet {
            file: "f-1".into(),
            run: "r1".into(),
            project: "p".into(),
            language: SheetLanguage::English,
            follow_up_of: None,
            facts: SheetFacts {
                project: "p".into(),
                issued_at: jiff::Timestamp::UNIX_EPOCH,
                language: SheetLanguage::English,
                sources: Vec::new(),
                summary: crate::model::run::RunSummary::default(),
                report: None,
                follow_up_of: None,
            },
            rows: Vec::new(),
            changed: Vec::new(),
        };
        let unsigned =
            Unsigned { issued: &issued, file_digest: "f", now: jiff::Timestamp::UNIX_EPOCH };
        SignoffPlan {
            state: SignState::Complete,
            signature: Some(unsigned.into_signature()),
            decisions: vec![decision],
            withdrawn: Vec::new(),
            counts: SignCounts::default(),
            findings: Vec::new(),
            lines: Vec::new(),
            follow_up: None,
        }
    }

    fn ledger() -> Memory {
        let live = BTreeMap::from([("BEN-0042b".to_owned(), "d".to_owned())]);
        Memory { live, ..Memory::default() }
    }

    #[test]
    fn a_decision_that_meets_no_row_takes_the_whole_import_back() {
        let mut memory = ledger();
        let error = apply_signoff(&mut memory, &plan("BEN-0042")).unwrap_err();
        assert!(error.to_string().contains("1 of 2 lines"), "{error}");
        assert!(memory.decisions.is_empty(), "nothing is left behind");
        apply_signoff(&mut memory, &plan("BEN-0042b")).unwrap();
        assert_eq!(memory.decisions.len(), 1);
    }

    #[test]
    fn a_ledger_that_claims_success_is_caught_by_what_is_read_back() {
        let mut memory = Memory { lies: true, ..ledger() };
        let error = apply_signoff(&mut memory, &plan("BEN-0042")).unwrap_err();
        assert!(matches!(error, ApplyError::ReadBackDiffers { .. }), "{error}");
        assert!(error.to_string().contains("read back as nothing, expected correct"));
    }
}
