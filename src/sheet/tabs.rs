//! What surrounds the rows of a tab: header, filter, protection, validation, print layout.

use rust_xlsxwriter::{
    DataValidation, DataValidationErrorStyle, Formula, ProtectionOptions, Workbook, Worksheet,
    XlsxError,
};

use crate::model::decision::DecisionWord;
use crate::model::sheet::{Column, SheetLanguage, Tab};
use crate::sheet::columns::{ColumnSpec, columns_of, position_of, tab_title, words_of};
use crate::sheet::grid::letters_of;
use crate::sheet::style::Styles;
use crate::sheet::view::units;

/// Longest list that fits inside a validation; the format's limit, in UTF-16 units.
const LIST_UNITS: usize = 255;
/// Name of the very hidden tab of long lists.
const LISTS: &str = "_lists";

/// What every tab is written with.
pub struct Pen {
    pub styles: Styles,
    pub language: SheetLanguage,
}

pub fn write_header(
    pen: &Pen,
    specs: &[ColumnSpec],
    sheet: &mut Worksheet,
) -> Result<(), XlsxError> {
    for (column, spec) in (0..).zip(specs) {
        let format = if spec.kind.is_open() { &pen.styles.open_header } else { &pen.styles.header };
        sheet.write_string_with_format(0, column, spec.title(pen.language), format)?;
        sheet.set_column_width(column, spec.width)?;
    }
    sheet.set_row_height(0, 32)?;
    Ok(())
}

/// Everything around the rows: frozen header, filter, protection, validation, print layout.
pub fn finish_table(
    pen: &Pen,
    tab: Tab,
    rows: u32,
    lists: &mut HiddenLists,
    sheet: &mut Worksheet,
) -> Result<(), XlsxError> {
    let specs = columns_of(tab);
    let last = u16::try_from(specs.len()).unwrap_or(1) - 1;
    if rows == 0 {
        let text = nothing_here(tab, pen.language);
        sheet.write_string_with_format(1, 0, text, &pen.styles.label)?;
    }
    let bottom = rows.max(1);
    sheet.set_freeze_panes(1, 0)?;
    sheet.autofilter(0, 0, bottom, last)?;
    protect(sheet);
    if rows > 0 {
        // Excel sorts a protected sheet only where every cell may be edited; the range makes that so,
        // and the validation below still refuses what is typed over evidence.
        sheet.unprotect_range_with_options(1, 0, bottom, last, "SortAndFilter", "")?;
        guard_evidence(pen, tab, bottom, sheet)?;
        if let Some(column) = position_of(tab, Column::Decision) {
            let choice = decision_list(tab, pen.language, lists)?;
            sheet.add_data_validation(1, column, bottom, column, &choice)?;
        }
    }
    print_layout(pen, tab, sheet)?;
    Ok(())
}

pub fn protect(sheet: &mut Worksheet) {
    let options = ProtectionOptions {
        sort: true,
        use_autofilter: true,
        format_columns: true,
        format_rows: true,
        ..ProtectionOptions::new()
    };
    sheet.protect_with_options(&options);
}

fn guard_evidence(
    pen: &Pen,
    tab: Tab,
    bottom: u32,
    sheet: &mut Worksheet,
) -> Result<(), XlsxError> {
    let first_open = columns_of(tab).iter().position(|it| it.kind.is_open());
    let locked = first_open.unwrap_or(columns_of(tab).len());
    let Some(last) = u16::try_from(locked).ok().and_then(|it| it.checked_sub(1)) else {
        return Ok(());
    };
    let refuse = DataValidation::new()
        .allow_custom(Formula::new("=FALSE"))
        .set_error_style(DataValidationErrorStyle::Stop)
        .set_error_title(pen.language.pick(["This is evidence", "這是證據"]))?
        .set_error_message(pen.language.pick([
            "Please leave it as it is. To mend something, choose \"correct\" and fill in the corrected value or quote.",
            "請勿更改。如要修正，請選「更正」，並填寫更正後的值或引文。",
        ]))?;
    sheet.add_data_validation(1, 0, bottom, last, &refuse)?;
    Ok(())
}

fn decision_list(
    tab: Tab,
    language: SheetLanguage,
    lists: &mut HiddenLists,
) -> Result<DataValidation, XlsxError> {
    let words: Vec<&str> = words_of(tab).iter().map(|it| it.shown(language)).collect();
    let message = words_of(tab)
        .iter()
        .map(|&it| format!("{} = {}", it.shown(language), short_meaning(it, language)))
        .collect::<Vec<_>>()
        .join("\n");
    lists
        .validation(&words)?
        .ignore_blank(true)
        .set_error_style(DataValidationErrorStyle::Stop)
        .set_input_message(message)?
        .set_error_title(language.pick(["Please choose from the list", "請從清單選擇"]))?
        .set_error_message(words.join(" / "))
}

/// Lists that do not fit inside a validation; they stand on a very hidden tab, one a column.
#[derive(Debug, Default)]
pub struct HiddenLists {
    lists: Vec<Vec<String>>,
}

impl HiddenLists {
    /// A validation for a list: inside it where the list fits, else from the hidden tab.
    ///
    /// # Errors
    /// When the list cannot be a validation.
    pub fn validation(&mut self, words: &[&str]) -> Result<DataValidation, XlsxError> {
        if fits_validation(words) {
            return DataValidation::new().allow_list_strings(words);
        }
        let column = letters_of(u32::try_from(self.lists.len()).unwrap_or(0));
        self.lists.push(words.iter().map(|&it| it.to_owned()).collect());
        let range = format!("={LISTS}!${column}$1:${column}${}", words.len());
        Ok(DataValidation::new().allow_list_formula(Formula::new(range)))
    }

    /// Writes the hidden tab, where there is anything for it.
    ///
    /// # Errors
    /// When the tab cannot be written.
    pub fn write(&self, workbook: &mut Workbook) -> Result<(), XlsxError> {
        if self.lists.is_empty() {
            return Ok(());
        }
        let sheet = workbook.add_worksheet();
        sheet.set_name(LISTS)?;
        for (column, list) in (0..).zip(&self.lists) {
            for (row, word) in (0..).zip(list) {
                sheet.write_string(row, column, word)?;
            }
        }
        sheet.set_very_hidden(true);
        Ok(())
    }
}

/// True where a list may stand inside its validation: short enough, and no word with a comma.
fn fits_validation(words: &[&str]) -> bool {
    let joined = words.join(",");
    units(&joined) <= LIST_UNITS && words.iter().all(|it| !it.contains(','))
}

fn short_meaning(word: DecisionWord, language: SheetLanguage) -> &'static str {
    language.pick(match word {
        DecisionWord::Approve => ["right as shown", "所示正確"],
        DecisionWord::Correct => ["wrong; fill in what is right", "有誤，請填正確內容"],
        DecisionWord::Reject => ["must not be used", "不可使用"],
        DecisionWord::Unsure => ["not decided", "未決定"],
        DecisionWord::Keep => ["stays in use", "繼續使用"],
        DecisionWord::Remove => ["is taken down", "移除"],
    })
}

fn nothing_here(tab: Tab, language: SheetLanguage) -> &'static str {
    language.pick(match tab {
        Tab::Decide => ["Nothing to decide.", "沒有需要決定的項目。"],
        Tab::Removed => ["Nothing is missing from the pages.", "網頁上沒有消失的項目。"],
        _ => ["Nothing here.", "沒有項目。"],
    })
}

pub fn print_layout(pen: &Pen, tab: Tab, sheet: &mut Worksheet) -> Result<(), XlsxError> {
    const A4: u8 = 9;
    sheet.set_landscape().set_paper_size(A4).set_print_fit_to_pages(1, 0);
    sheet.set_repeat_rows(0, 0)?;
    sheet.set_margins(0.4, 0.4, 0.5, 0.5, 0.3, 0.3);
    sheet.set_footer(format!("&L{}&R&P / &N", tab_title(tab, pen.language)));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forty_reasons_go_to_a_hidden_range_that_calamine_finds() {
        use calamine::Reader;
        let words: Vec<String> = (0..40).map(|it| format!("reason number {it}")).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut lists = HiddenLists::default();
        let mut workbook = Workbook::new();
        let choice = lists.validation(&words).unwrap();
        workbook.add_worksheet().add_data_validation(0, 0, 0, 0, &choice).unwrap();
        lists.write(&mut workbook).unwrap();
        let bytes = workbook.save_to_buffer().unwrap();
        let mut book = calamine::Xlsx::new(std::io::Cursor::new(bytes)).unwrap();
        let range = book.worksheet_range(LISTS).unwrap();
        assert_eq!(range.height(), 40);
        assert_eq!(range.get_value((39, 0)).unwrap().to_string(), "reason number 39");
    }

    #[test]
    fn a_short_list_without_commas_stays_inside_its_validation() {
        assert!(fits_validation(&["approve", "reject"]));
        assert!(!fits_validation(&["approve", "yes, but"]));
    }
}
