//! Decisions and signatures on record, read back as values; what cannot be read is an error, never
//! left out.

use crate::model::signing::{RecordedDecision, Signature};
use crate::store::ledger::{Ledger, LedgerError};

/// All decisions in the order they were taken, and all signatures, oldest first.
///
/// # Errors
/// When the ledger cannot be read, or a line of it is not what was written.
pub fn decisions_on_record(
    ledger: &dyn Ledger,
) -> Result<(Vec<RecordedDecision>, Vec<Signature>), LedgerError> {
    let decisions = ledger.decisions()?;
    let signatures = ledger.signatures()?;
    Ok((
        decisions.iter().map(|it| read("decision", it)).collect::<Result<_, _>>()?,
        signatures.iter().map(|it| read("signature", it)).collect::<Result<_, _>>()?,
    ))
}

fn read<T: serde::de::DeserializeOwned>(what: &'static str, text: &str) -> Result<T, LedgerError> {
    serde_json::from_str(text).map_err(|cause| LedgerError::Unreadable { what, cause })
}
