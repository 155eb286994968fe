//! The rows on record that differences between two editions touch. It counts and changes nothing.

use std::collections::BTreeSet;

use crate::model::row::{RowRecord, RowStatus};
use crate::pipeline::change::diffing::{EditionDiff, PageDiff, Touches};
use crate::pipeline::client::approved::{Approvals, approvals};
use crate::pipeline::failure::RunError;
use crate::pipeline::page::candidate::is_live;
use crate::pipeline::page::record::{PageFiles, read_page_record};
use crate::pipeline::project::ProjectPaths;
use crate::pipeline::wiring;

/// Adds to each page that differs what of the record it touches; a project without a record has none.
///
/// # Errors
/// When ledger or record cannot be read.
pub fn add_touches(project: &ProjectPaths, diff: &mut EditionDiff) -> Result<(), RunError> {
    if !project.ledger().exists() {
        return Ok(());
    }
    let ledger = wiring::existing_ledger(project)?;
    let approved = approvals(&*ledger)?;
    for page in &mut diff.pages {
        let is_whole = matches!(page.change, "removed" | "moved");
        if !is_whole && page.items.is_empty() || ledger.page(&diff.source, &page.page)?.is_none() {
            continue;
        }
        let files = PageFiles::of(&diff.source, &page.page);
        let rows = read_page_record(project.root(), &files)?.rows;
        page.touches = Some(count(page, &rows, (&approved, is_whole)));
    }
    Ok(())
}

fn count(page: &PageDiff, rows: &[RowRecord], (approved, is_whole): (&Approvals, bool)) -> Touches {
    let differing = page.items.iter().filter(|it| matches!(it.change, "changed" | "removed"));
    let keys: BTreeSet<&str> =
        differing.flat_map(|it| it.old_key.iter().chain(&it.new_key)).map(String::as_str).collect();
    let is_touched = |it: &&RowRecord| is_live(it) && (is_whole || keys.contains(it.item.as_str()));
    let rows: Vec<&RowRecord> = rows.iter().filter(is_touched).collect();
    let groups: BTreeSet<(&str, &str)> =
        rows.iter().filter_map(|it| Some((it.item.as_str(), it.claim.group.as_deref()?))).collect();
    Touches {
        rows: rows.len() as u64,
        accepted: rows.iter().filter(|it| it.status == RowStatus::Accepted).count() as u64,
        approved: rows.iter().filter(|it| approved.contains_key(&it.key)).count() as u64,
        groups: groups.len() as u64,
    }
}
