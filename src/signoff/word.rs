//! Reads a decision from a cell: the closed list, nothing near it.

use unicode_normalization::UnicodeNormalization;

use crate::model::decision::{ACCEPTED_WORDS, DecisionWord};
use crate::model::returned::{CellContent, ReturnedCell};
use crate::model::sheet::{SheetLanguage, Tab};
use crate::text::glyphs::letter::is_invisible;

/// What a decision cell says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    Nothing,
    Word(DecisionWord),
    /// Something that is not on the list, as it stands in the cell.
    Unknown(String),
}

/// Reads the decision cell of a row on `tab`.
pub fn read_decision(cell: &ReturnedCell, tab: Tab) -> Said {
    if cell.is_blank() {
        return Said::Nothing;
    }
    let CellContent::Text(text) = &cell.content else { return Said::Unknown(cell.shown()) };
    let plain = plain(text);
    let words: &[DecisionWord] = match tab {
        Tab::Removed => &DecisionWord::FOR_REMOVALS,
        _ => &DecisionWord::FOR_ROWS,
    };
    let found = words.iter().find(|word| {
        SheetLanguage::ALL.iter().any(|&it| word.shown(it) == plain)
            || word.aliases().contains(&plain.as_str())
    });
    found.map_or_else(|| Said::Unknown(text.clone()), |&it| Said::Word(it))
}

/// True where the cell beside "all accepted rows" says that they are approved.
pub fn approves_all(cell: &ReturnedCell) -> bool {
    match &cell.content {
        CellContent::Text(text) if cell.formula.is_none() => {
            ACCEPTED_WORDS[0].contains(&plain(text).as_str())
        }
        _ => false,
    }
}

/// NFKC, trimmed, case-folded: the published rule for words of the list.
pub fn plain(text: &str) -> String {
    let folded: String = text.nfkc().collect();
    folded.trim_matches(|it: char| it.is_whitespace() || is_invisible(it)).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Said {
        read_decision(&ReturnedCell::text(text), Tab::Decide)
    }

    #[test]
    fn harmless_variants_are_taken_and_nothing_else() {
        for text in [
            "approve",
            "APPROVE",
            " Approve\u{a0}",
            "ａｐｐｒｏｖｅ",
            "核准",
            "核准\n",
            "\u{feff}approve",
        ] {
            assert_eq!(said(text), Said::Word(DecisionWord::Approve), "{text}");
        }
        for text in
            ["OK", "Approved", "核準", "✓", "yes but see note", "approve?", "approve.", "同意"]
        {
            assert_eq!(said(text), Said::Unknown(text.into()), "{text}");
        }
        assert_eq!(said("不确定"), Said::Word(DecisionWord::Unsure));
        assert_eq!(said("  "), Said::Nothing);
    }

    #[test]
    fn each_list_is_its_own() {
        assert_eq!(said("keep"), Said::Unknown("keep".into()));
        let removed = read_decision(&ReturnedCell::text("approve"), Tab::Removed);
        assert_eq!(removed, Said::Unknown("approve".into()));
        let keep = read_decision(&ReturnedCell::text("保留"), Tab::Removed);
        assert_eq!(keep, Said::Word(DecisionWord::Keep));
    }

    #[test]
    fn a_cell_that_is_no_text_says_nothing_known() {
        let cell = ReturnedCell { content: CellContent::Bool(true), formula: None };
        assert_eq!(read_decision(&cell, Tab::Decide), Said::Unknown("true".into()));
    }
}
