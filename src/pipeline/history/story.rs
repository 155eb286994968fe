//! The whole story of one row: what its page said in each edition, and what people decided.
//!
//! Read from frozen texts and the ledger. It fetches nothing, asks nothing and decides nothing.

use serde::Serialize;

use crate::change::likeness::Shingles;
use crate::model::row::RowRecord;
use crate::model::signing::RecordedDecision;
use crate::pipeline::failure::RunError;
use crate::pipeline::history::standing::find_row;
use crate::pipeline::project::ProjectPaths;
use crate::pipeline::wiring;
use crate::snapshot::store::SnapshotStore;
use crate::text::blocks::outline::read_outline;
use crate::text::sentence::read_sentences;

/// Likeness (thousandths) from which a sentence may be the clause in other words.
const SAME_CLAUSE: u32 = 300;

/// A row as it is on record, with its history.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Story {
    #[serde(flatten)]
    pub row: RowRecord,
    /// Texts of the page, oldest first; editions with the same text are one entry.
    pub editions: Vec<Told>,
    /// Decisions on the row, oldest first.
    pub decisions: Vec<RecordedDecision>,
}

/// What the page said of the row's clause while it had one text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Told {
    /// The first edition with this text.
    pub edition: String,
    /// Days of the first and the last crawl with it, as `2026-03-01`.
    pub from: String,
    pub to: String,
    /// SHA-256 of the raw bytes and of the canonical text.
    pub snapshot: String,
    pub text: String,
    /// True where the row's quote stands in it letter for letter.
    pub quote_stands: bool,
    /// The sentence or table row around the quote, or the one most like it; `None` where there is
    /// none.
    pub clause: Option<String>,
}

/// The story of the row with this key; `None` where no row has it.
///
/// # Errors
/// When the ledger, an edition or a text cannot be read.
pub fn story_of(project: &ProjectPaths, key: &str) -> Result<Option<Story>, RunError> {
    let Some(row) = find_row(project, key)? else { return Ok(None) };
    let snapshots = SnapshotStore::new(&project.snapshots(), &row.source);
    let mut editions: Vec<Told> = Vec::new();
    let mut before = None;
    for crawl in snapshots.crawls()? {
        let day = crawl.finished.strftime("%Y-%m-%d").to_string();
        if before.as_ref() == Some(&crawl.edition) {
            if let Some(last) = editions.last_mut() {
                last.to = day;
            }
            continue;
        }
        before = Some(crawl.edition.clone());
        let pages = snapshots.manifest(&crawl.edition)?.pages;
        let Some(page) = pages.into_iter().find(|it| it.page == row.page) else { continue };
        let Some(text) = page.text else { continue };
        match editions.last_mut() {
            Some(last) if last.text == text => last.to = day,
            _ => {
                let words = snapshots.text(&text)?;
                editions.push(Told {
                    edition: crawl.edition,
                    from: day.clone(),
                    to: day,
                    snapshot: page.raw,
                    text,
                    quote_stands: words.contains(&row.claim.snippet),
                    clause: clause_of(&words, &row.claim.snippet),
                });
            }
        }
    }
    let ledger = wiring::existing_ledger(project)?;
    let decisions = ledger
        .decisions()?
        .iter()
        .filter_map(|it| serde_json::from_str::<RecordedDecision>(it).ok())
        .filter(|it| it.key == key)
        .collect();
    Ok(Some(Story { row, editions, decisions }))
}

/// The sentence or table row of `text` that holds `quote`, else the one most like it.
fn clause_of(text: &str, quote: &str) -> Option<String> {
    let sentences = read_sentences(text, &read_outline(text));
    if let Some(at) = text.find(quote) {
        let around = sentences.iter().find(|it| it.start <= at && at < it.end);
        return Some(around.and_then(|it| it.slice(text)).unwrap_or(quote).to_owned());
    }
    let wanted = Shingles::of(quote);
    let best = sentences
        .iter()
        .filter_map(|it| it.slice(text))
        .map(|it| (Shingles::of(it).likeness(&wanted), it))
        .max_by_key(|it| it.0)?;
    (best.0 >= SAME_CLAUSE).then(|| best.1.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clause_is_found_again_in_other_words() {
        let then = "# 津貼\n\n每月補助新臺幣三千元。\n\n歡迎申請。";
        assert_eq!(clause_of(then, "補助新臺幣三千元").as_deref(), Some("每月補助新臺幣三千元。"));
        assert_eq!(
            clause_of(then, "每月補助新臺幣四千元").as_deref(),
            Some("每月補助新臺幣三千元。")
        );
        assert_eq!(clause_of("# Fees\n\nNo fee.", "每月補助新臺幣四千元"), None);
    }
}
