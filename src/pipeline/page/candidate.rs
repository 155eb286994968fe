//! Rows that the page of today does not give: kept on record with the reason, until a client signs.
//!
//! It takes nothing down, and says no cause that it cannot see.

use crate::model::finding::{Code, Finding};
use crate::model::row::{RowRecord, RowStatus};
use crate::model::run::ChangeCause;
use crate::text::glyphs::letter::is_han;

/// Why the page of today does not give a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// Its words are no longer there.
    Gone,
    /// Its words are there, and what stands around them is other than it was.
    Around,
    /// The source is as it was; our rules are not.
    OurRules,
    /// The source is as it was; who reads it is not.
    OurReader,
}

impl Lost {
    /// Of a row of an item that was read again for this reason. `is_shown`: its words are on the page.
    pub fn of(cause: ChangeCause, is_shown: bool) -> Self {
        match cause {
            _ if !is_shown => Lost::Gone,
            ChangeCause::Source => Lost::Around,
            ChangeCause::Rules => Lost::OurRules,
            ChangeCause::Reader => Lost::OurReader,
        }
    }

    /// English and Chinese.
    fn words(self, seen: &str) -> [String; 2] {
        match (self, seen) {
            (Lost::Gone, "") => [
                "The page no longer shows this passage; it stays live until the client signs its removal."
                    .to_owned(),
                "網頁已不再顯示這段內容；在客戶簽核移除之前仍然有效。".to_owned(),
            ],
            (Lost::Gone, seen) => [
                format!(
                    "The page no longer shows this passage; it was last seen on {seen} and stays live until \
                     the client signs its removal."
                ),
                format!("網頁已不再顯示這段內容；最後見於 {seen}，在客戶簽核移除之前仍然有效。"),
            ],
            (Lost::Around, _) => [
                "These words are still on the page, but what stands around them changed, and today's \
                 reading does not state this any more; it stays live until the client signs its removal."
                    .to_owned(),
                "這些字句仍在網頁上，但其前後的文字已變更，本次讀取未再列出此內容；在客戶簽核移除之前仍然有效。"
                    .to_owned(),
            ],
            (Lost::OurRules, _) => [
                "Our own rules changed, and today's reading does not state this (the source did not change \
                 it); it stays live until the client signs its removal."
                    .to_owned(),
                "我們的規則已變更，本次讀取未再列出此內容（並非來源變更）；在客戶簽核移除之前仍然有效。"
                    .to_owned(),
            ],
            (Lost::OurReader, _) => [
                "Today's reading does not state this any more (the source did not change it); it stays live \
                 until the client signs its removal."
                    .to_owned(),
                "本次讀取未再列出此內容（並非來源變更）；在客戶簽核移除之前仍然有效。".to_owned(),
            ],
        }
    }
}

/// True where a row is data: accepted or flagged.
pub fn is_live(row: &RowRecord) -> bool {
    matches!(row.status, RowStatus::Accepted | RowStatus::Flagged)
}

/// True where the page of today has no place for a row that is still on record.
pub fn is_candidate(row: &RowRecord) -> bool {
    row.findings.iter().any(|it| it.code == Code::StaleSnapshot)
}

/// A row that stands in the page's text of today; any row where none does.
pub fn of_today(rows: &[RowRecord]) -> Option<&RowRecord> {
    rows.iter().find(|it| !is_candidate(it)).or_else(|| rows.first())
}

/// The row with the note why the page of today does not give it. It keeps evidence and standing.
/// `last_seen`: the day, as `2026-03-01`.
pub fn as_candidate(row: &RowRecord, lost: Lost, last_seen: Option<&str>) -> RowRecord {
    let mut row = row.clone();
    if is_candidate(&row) {
        return row;
    }
    let words = lost.words(last_seen.unwrap_or_default());
    let detail = words[usize::from(reads_chinese(&row))].clone();
    row.findings.push(Finding { code: Code::StaleSnapshot, detail, place: None, evidence: None });
    row
}

/// True where a row's own sentence is Chinese, and so its client reads Chinese.
pub fn reads_chinese(row: &RowRecord) -> bool {
    row.sentence.chars().any(is_han)
}
