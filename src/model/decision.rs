//! The client's decisions: a closed list of words in both languages, and the few published variants.
//!
//! A word is taken after NFKC, trimming and case folding, and only when it is on the list. Nothing
//! near a word is ever taken for it: that would be consent nobody gave.

use serde::{Deserialize, Serialize};

use crate::model::sheet::SheetLanguage;

/// What a client may say of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecisionWord {
    /// The row is right as shown.
    Approve,
    /// The row is wrong as shown; the corrected value or quote holds.
    Correct,
    /// The row must not be used.
    Reject,
    /// Not decided.
    Unsure,
    /// Leave the row live.
    Keep,
    /// Take the row down.
    Remove,
}

impl DecisionWord {
    /// Words for rows, in the order of the list.
    pub const FOR_ROWS: [DecisionWord; 4] =
        [Self::Approve, Self::Correct, Self::Reject, Self::Unsure];
    /// Words for removal candidates, in the order of the list.
    pub const FOR_REMOVALS: [DecisionWord; 3] = [Self::Keep, Self::Remove, Self::Unsure];

    /// The word as it stands in the list.
    pub fn shown(self, language: SheetLanguage) -> &'static str {
        language.pick(match self {
            Self::Approve => ["approve", "核准"],
            Self::Correct => ["correct", "更正"],
            Self::Reject => ["reject", "退回"],
            Self::Unsure => ["unsure", "不確定"],
            Self::Keep => ["keep", "保留"],
            Self::Remove => ["remove", "移除"],
        })
    }

    /// The form used in files and records.
    pub fn as_str(self) -> &'static str {
        self.shown(SheetLanguage::English)
    }

    /// Published variants beside the two shown words; part of the contract, see `docs/formats.md`.
    pub fn aliases(self) -> &'static [&'static str] {
        match self {
            Self::Unsure => &["不确定"],
            _ => &[],
        }
    }
}

/// The sentence a client agrees to by deciding; it is part of the signature.
pub fn agreed_sentence(language: SheetLanguage) -> &'static str {
    language.pick([
        "I have compared each row I decided on with the quoted text of the page. \"approve\" means that the row may be used as shown, under my name; a row without a decision is not decided.",
        "我已將所決定的各列與網頁引文核對。「核准」表示該列可依所示內容以我的名義使用；未填決定者視為未決定。",
    ])
}

/// What may be said of all rows of "Accepted" that carry no word of their own: approve them, or
/// leave them undecided. English and Traditional Chinese.
pub const ACCEPTED_WORDS: [[&str; 2]; 2] = [["approve all", "全部核准"], ["not yet", "尚未"]];
