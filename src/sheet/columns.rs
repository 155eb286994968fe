//! The one description of the sheet's tabs and columns, used by the writer and by the reader.
//!
//! A returned file is recognised by these titles, so a changed title needs its old form kept in
//! `formerly`. Nothing about a column is ever written a second time elsewhere.

use crate::model::decision::DecisionWord;
use crate::model::sheet::{Column, SheetLanguage, Tab};

/// How a cell is written and may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// Evidence: locked, wrapped text.
    Evidence,
    /// Key and token: locked, small and grey.
    Identity,
    /// Locked text with a link on it.
    Link,
    /// Open: one of a closed list.
    Choice,
    /// Open: free text.
    Free,
}

impl CellKind {
    /// True where the client may write.
    pub fn is_open(self) -> bool {
        matches!(self, CellKind::Choice | CellKind::Free)
    }
}

/// One column of one tab.
#[derive(Clone, Copy, Debug)]
pub struct ColumnSpec {
    pub column: Column,
    /// Header, English then Traditional Chinese.
    pub title: [&'static str; 2],
    /// Width in characters of the default font.
    pub width: f64,
    pub kind: CellKind,
}

impl ColumnSpec {
    /// The header in a language.
    pub fn title(&self, language: SheetLanguage) -> &'static str {
        language.pick(self.title)
    }
}

const fn column(
    column: Column,
    title: [&'static str; 2],
    width: f64,
    kind: CellKind,
) -> ColumnSpec {
    ColumnSpec { column, title, width, kind }
}

use CellKind::{Choice, Evidence, Free, Identity, Link};

const ABOUT: ColumnSpec = column(Column::About, ["What it is about", "關於什麼"], 18.0, Evidence);
const EXTRACTED: ColumnSpec =
    column(Column::Extracted, ["What was extracted", "擷取的內容"], 22.0, Evidence);
const SAYS: ColumnSpec = column(Column::Says, ["What the page says", "網頁怎麼說"], 42.0, Evidence);
const WHY: ColumnSpec = column(Column::Why, ["Why we ask", "為何請您確認"], 36.0, Evidence);
const LINK: ColumnSpec = column(Column::Link, ["Open the page", "開啟網頁"], 9.0, Link);
const ROW: ColumnSpec = column(Column::Row, ["Row", "列號"], 15.0, Identity);
const CHECK: ColumnSpec = column(Column::Check, ["Check", "核對碼"], 9.5, Identity);
const DECISION: ColumnSpec = column(Column::Decision, ["Decision", "決定"], 10.5, Choice);
const VALUE: ColumnSpec =
    column(Column::CorrectedValue, ["Corrected value", "更正後的值"], 14.0, Free);
const QUOTE: ColumnSpec =
    column(Column::CorrectedQuote, ["Corrected quote", "更正後的引文"], 22.0, Free);
const NOTE: ColumnSpec = column(Column::Note, ["Note", "備註"], 18.0, Free);

const DECIDE: &[ColumnSpec] =
    &[ABOUT, EXTRACTED, SAYS, WHY, LINK, ROW, CHECK, DECISION, VALUE, QUOTE, NOTE];

const REMOVED: &[ColumnSpec] = &[
    ABOUT,
    EXTRACTED,
    column(Column::LastKnown, ["Last known text", "最後所見的文字"], 48.0, Evidence),
    column(Column::Why, ["Why it may be gone", "為何可能已移除"], 36.0, Evidence),
    column(Column::LastSeen, ["Last seen", "最後所見日期"], 13.0, Evidence),
    column(Column::Dependants, ["What hangs on it", "牽涉的項目"], 24.0, Evidence),
    LINK,
    ROW,
    CHECK,
    column(Column::Decision, ["Take it down?", "是否移除？"], 14.0, Choice),
    NOTE,
];

const CHANGED: &[ColumnSpec] = &[
    ABOUT,
    column(Column::OldSays, ["What the page said before", "網頁先前的文字"], 44.0, Evidence),
    column(Column::NewSays, ["What the page says now", "網頁現在的文字"], 44.0, Evidence),
    column(Column::OldExtracted, ["Extracted before", "先前擷取"], 24.0, Evidence),
    column(Column::NewExtracted, ["Extracted now", "現在擷取"], 24.0, Evidence),
    column(Column::Why, ["What changed", "變更之處"], 30.0, Evidence),
    LINK,
    column(Column::Standing, ["Where to decide", "在何處決定"], 16.0, Evidence),
];

const ACCEPTED: &[ColumnSpec] = &[
    ABOUT,
    EXTRACTED,
    SAYS,
    column(Column::Standing, ["Where it stands", "目前狀態"], 34.0, Evidence),
    LINK,
    ROW,
    CHECK,
    column(Column::Decision, ["Decision (only if you object)", "決定（有異議才填）"], 14.0, Choice),
    VALUE,
    QUOTE,
    NOTE,
];

const EXAMPLES: &[ColumnSpec] = &[
    column(Column::Rule, ["The rule as extracted", "擷取的規定"], 44.0, Evidence),
    column(Column::PersonInside, ["Somebody just inside", "剛好符合的人"], 34.0, Evidence),
    column(Column::ResultInside, ["Result", "結果"], 16.0, Evidence),
    column(Column::PersonOutside, ["Somebody just outside", "剛好不符合的人"], 34.0, Evidence),
    column(Column::ResultOutside, ["Result for that person", "該人的結果"], 16.0, Evidence),
    ROW,
];

/// The columns of a tab, left to right; empty for tabs that are not tables.
pub fn columns_of(tab: Tab) -> &'static [ColumnSpec] {
    match tab {
        Tab::Decide => DECIDE,
        Tab::Removed => REMOVED,
        Tab::Changed => CHANGED,
        Tab::Accepted => ACCEPTED,
        Tab::Examples => EXAMPLES,
        Tab::ReadMe | Tab::Identity | Tab::Lists => &[],
    }
}

/// The tabs that a client decides on.
pub const DECISION_TABS: [Tab; 3] = [Tab::Decide, Tab::Removed, Tab::Accepted];

/// The name of a tab in a language.
pub fn tab_title(tab: Tab, language: SheetLanguage) -> &'static str {
    language.pick(match tab {
        Tab::ReadMe => ["Read me first", "請先閱讀"],
        Tab::Decide => ["Decide", "請決定"],
        // The format forbids the ASCII question mark in a tab's name.
        Tab::Removed => ["Removed？", "是否已移除？"],
        Tab::Changed => ["Changed", "有變更"],
        Tab::Accepted => ["Accepted", "已接受"],
        Tab::Examples => ["Check by example", "以例子核對"],
        Tab::Identity => ["_countersign", "_countersign"],
        Tab::Lists => ["_lists", "_lists"],
    })
}

/// The words that a tab's decision may be.
pub fn words_of(tab: Tab) -> &'static [DecisionWord] {
    match tab {
        Tab::Removed => &DecisionWord::FOR_REMOVALS,
        _ => &DecisionWord::FOR_ROWS,
    }
}

/// The index of a column on a tab.
pub fn position_of(tab: Tab, column: Column) -> Option<u16> {
    let at = columns_of(tab).iter().position(|it| it.column == column)?;
    u16::try_from(at).ok()
}

/// True where a cell's text is a header of this column, in either language, on any tab.
pub fn is_title_of(text: &str, column: Column) -> bool {
    DECISION_TABS.iter().flat_map(|&tab| columns_of(tab)).any(|it| {
        it.column == column && it.title.iter().any(|title| title.eq_ignore_ascii_case(text.trim()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decision_tabs_carry_key_and_token_right_before_the_decision() {
        for tab in DECISION_TABS {
            let at = position_of(tab, Column::Decision).unwrap();
            assert_eq!(position_of(tab, Column::Check), Some(at - 1));
            assert_eq!(position_of(tab, Column::Row), Some(at - 2));
        }
    }

    #[test]
    fn titles_are_told_apart_on_each_tab_in_both_languages() {
        for tab in [Tab::Decide, Tab::Removed, Tab::Changed, Tab::Accepted, Tab::Examples] {
            for language in SheetLanguage::ALL {
                let mut titles: Vec<&str> =
                    columns_of(tab).iter().map(|it| it.title(language)).collect();
                titles.sort_unstable();
                titles.dedup();
                assert_eq!(titles.len(), columns_of(tab).len(), "{tab:?}");
            }
        }
    }
}
