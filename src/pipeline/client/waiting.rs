//! What waits for the client today, and what is decided; read from the record, without running anything.

use crate::model::sheet::Tab;
use crate::model::source::Source;
use crate::pipeline::client::decided::decisions_on_record;
use crate::pipeline::failure::RunError;
use crate::pipeline::history::standing::ClientStanding;
use crate::pipeline::papers::today::issue_of_today;
use crate::pipeline::project::ProjectPaths;
use crate::pipeline::wiring;
use crate::sheet::answered::Answered;

/// Counts what is asked today; `None` before the first sheet.
///
/// # Errors
/// When the record cannot be read, or is not this project's.
pub fn waiting_for_client(
    project: &ProjectPaths,
    sources: &[Source],
) -> Result<Option<ClientStanding>, RunError> {
    let ledger = wiring::existing_ledger(project)?;
    let issued = match issue_of_today(project, sources) {
        Err(RunError::NoRun) => return Ok(None),
        other => other?,
    };
    let answered = Answered::of(&decisions_on_record(&*ledger)?.0);
    let mut found = ClientStanding::default();
    for it in issued.asked() {
        found.asked += 1;
        let is_decided = answered.on(it.matter.row(), it.tab == Tab::Removed).is_some();
        found.decided += u64::from(is_decided);
    }
    found.waiting = found.asked - found.decided;
    Ok(Some(found))
}
