//! Writes the client's workbook: the same input gives the same bytes; never a formula, never a time
//! or a random number of its own.

use rust_xlsxwriter::{
    DataValidation, DataValidationErrorStyle, DocProperties, ExcelDateTime, Format, Formula,
    ProtectionOptions, Workbook, Worksheet, XlsxError,
};

use crate::model::decision::{ACCEPTED_WORDS, DecisionWord};
use crate::model::phrase::{about, extracted};
use crate::model::row::RowStatus;
use crate::model::sheet::{ChangedPair, Column, IssuedRow, IssuedSheet, SheetLanguage, Tab};
use crate::sheet::columns::{CellKind, ColumnSpec, columns_of, position_of, tab_title, words_of};
use crate::sheet::height::row_points;
use crate::sheet::issue::{SheetInput, issue_sheet, page_link};
use crate::sheet::links::mend_links;
use crate::sheet::order::agenda;
use crate::sheet::style::Styles;
use crate::sheet::view::{View, fitted, units, view_of};
use crate::sheet::words::{Line, Load, SignField, read_me};

/// Rows of one tab that carry links, two each; the format holds 65,530 links a tab.
const MOST_LINKED_ROWS: u32 = 30_000;
/// Widths of "Read me first": labels, texts, both.
const READ_ME_LABEL: f64 = 34.0;
const READ_ME_TEXT: f64 = 86.0;
const READ_ME_WIDTH: f64 = READ_ME_LABEL + READ_ME_TEXT;
/// Longest list that fits inside a validation; the format's limit, in UTF-16 units.
const LIST_UNITS: usize = 255;

/// Why a workbook could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    #[error("the sheet has {rows} rows on one tab, the format holds {most}: issue it in parts")]
    TooManyRows { rows: usize, most: usize },
    #[error("the spreadsheet could not be written: {0}")]
    Format(#[from] XlsxError),
    #[error("the links of the spreadsheet could not be written: {0}")]
    Links(#[from] zip::result::ZipError),
}

/// A written workbook and what was issued with it.
#[derive(Debug)]
pub struct WrittenSheet {
    /// The .xlsx file.
    pub bytes: Vec<u8>,
    /// What a returned file is held against; keep it.
    pub issued: IssuedSheet,
}

/// Writes the workbook for a run.
///
/// # Errors
/// When a tab would hold more rows than the format can.
pub fn write_workbook(input: &SheetInput) -> Result<WrittenSheet, WriteError> {
    let issued = issue_sheet(input);
    let bytes = render(input, &issued)?;
    Ok(WrittenSheet { bytes, issued })
}

fn render(input: &SheetInput, issued: &IssuedSheet) -> Result<Vec<u8>, WriteError> {
    const MOST_ROWS: usize = 1_000_000;
    if issued.rows.len() > MOST_ROWS {
        return Err(WriteError::TooManyRows { rows: issued.rows.len(), most: MOST_ROWS });
    }
    let pen = Pen { styles: Styles::prepared(), language: issued.language };
    let mut workbook = Workbook::new();
    workbook.set_properties(&properties(input, issued)?);
    write_read_me(&pen, input, issued, workbook.add_worksheet())?;
    for tab in [Tab::Decide, Tab::Removed, Tab::Changed, Tab::Accepted] {
        if tab == Tab::Changed && input.changed.is_empty() {
            continue;
        }
        let sheet = workbook.add_worksheet();
        sheet.set_name(tab_title(tab, pen.language))?;
        if tab == Tab::Changed {
            write_changed(&pen, input, sheet)?;
        } else {
            write_decisions(&pen, input, (tab, issued), sheet)?;
        }
    }
    write_identity(issued, workbook.add_worksheet())?;
    let links: Vec<String> =
        issued.rows.iter().filter_map(|it| page_link(it.matter.row())).collect();
    Ok(mend_links(workbook.save_to_buffer()?, &links)?)
}

/// What every tab is written with.
struct Pen {
    styles: Styles,
    language: SheetLanguage,
}

fn properties(input: &SheetInput, issued: &IssuedSheet) -> Result<DocProperties, XlsxError> {
    let titles: Vec<&str> = input.facts.sources.iter().map(|it| it.title.as_str()).collect();
    let issued_at = input.facts.issued_at.as_second();
    Ok(DocProperties::new()
        .set_title(titles.join(", "))
        .set_author("countersign")
        .set_creation_datetime(&ExcelDateTime::from_timestamp(issued_at)?)
        .set_custom_property("countersign.format", "countersign.sheet/1")
        .set_custom_property("countersign.project", issued.project.as_str())
        .set_custom_property("countersign.run", issued.run.as_str())
        .set_custom_property("countersign.file", issued.file.as_str())
        .set_custom_property("countersign.language", issued.language.tag()))
}

fn write_decisions(
    pen: &Pen,
    input: &SheetInput,
    (tab, issued): (Tab, &IssuedSheet),
    sheet: &mut Worksheet,
) -> Result<(), WriteError> {
    let specs = columns_of(tab);
    write_header(pen, specs, sheet)?;
    let mut at = 0;
    for row in issued.rows.iter().filter(|it| it.tab == tab) {
        at += 1;
        for (column, spec) in (0..).zip(specs) {
            write_cell(pen, input, (at, column, spec, row), sheet)?;
        }
        let cells = specs.iter().filter_map(|it| Some((it.width, row.shown.get(&it.column)?)));
        sheet.set_row_height(at, row_points(cells.map(|(width, text)| (width, text.as_str()))))?;
    }
    finish_table(pen, tab, at, sheet)
}

fn write_cell(
    pen: &Pen,
    input: &SheetInput,
    (at, column, spec, row): (u32, u16, &ColumnSpec, &IssuedRow),
    sheet: &mut Worksheet,
) -> Result<(), XlsxError> {
    let format = pen.styles.of(spec.kind);
    if spec.kind.is_open() {
        sheet.write_blank(at, column, format)?;
        return Ok(());
    }
    let text = row.shown.get(&spec.column).map_or("", String::as_str);
    if matches!(spec.column, Column::Says | Column::LastKnown) {
        let view = view_of(row.matter.row(), pen.language);
        return write_view(pen, (at, column), &view, sheet);
    }
    let link = match spec.column {
        _ if at > MOST_LINKED_ROWS => None,
        Column::Link => page_link(row.matter.row()),
        Column::Row => input.facts.report.as_deref().map(|it| report_link(it, &row.key)),
        _ => None,
    };
    match link {
        Some(link) => {
            sheet.write_url_with_options(at, column, link.as_str(), text, "", Some(format))?
        }
        None => sheet.write_string_with_format(at, column, text, format)?,
    };
    Ok(())
}

/// The report, which stands beside the sheet, at a row.
fn report_link(report: &str, key: &str) -> String {
    format!("file:///{report}#row-{key}")
}

fn write_view(
    pen: &Pen,
    (at, column): (u32, u16),
    view: &View,
    sheet: &mut Worksheet,
) -> Result<(), XlsxError> {
    match view.pieces.as_slice() {
        [] => sheet.write_blank(at, column, pen.styles.of(CellKind::Evidence))?,
        [(emphasis, text)] => {
            sheet.write_string_with_format(at, column, text, &pen.styles.whole(*emphasis))?
        }
        pieces => {
            let pieces: Vec<(&Format, &str)> = pieces
                .iter()
                .map(|(emphasis, text)| (pen.styles.piece(*emphasis), text.as_str()))
                .collect();
            let format = pen.styles.of(CellKind::Evidence);
            sheet.write_rich_string_with_format(at, column, &pieces, format)?
        }
    };
    Ok(())
}

fn write_header(pen: &Pen, specs: &[ColumnSpec], sheet: &mut Worksheet) -> Result<(), XlsxError> {
    for (column, spec) in (0..).zip(specs) {
        let format = if spec.kind.is_open() { &pen.styles.open_header } else { &pen.styles.header };
        sheet.write_string_with_format(0, column, spec.title(pen.language), format)?;
        sheet.set_column_width(column, spec.width)?;
    }
    sheet.set_row_height(0, 32)?;
    Ok(())
}

/// Everything around the rows: frozen header, filter, protection, validation, print layout.
fn finish_table(pen: &Pen, tab: Tab, rows: u32, sheet: &mut Worksheet) -> Result<(), WriteError> {
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
            let choice = decision_list(tab, pen.language)?;
            sheet.add_data_validation(1, column, bottom, column, &choice)?;
        }
    }
    print_layout(pen, tab, sheet)?;
    Ok(())
}

fn protect(sheet: &mut Worksheet) {
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

fn decision_list(tab: Tab, language: SheetLanguage) -> Result<DataValidation, XlsxError> {
    let words: Vec<&str> = words_of(tab).iter().map(|it| it.shown(language)).collect();
    let message = words_of(tab)
        .iter()
        .map(|&it| format!("{} = {}", it.shown(language), short_meaning(it, language)))
        .collect::<Vec<_>>()
        .join("\n");
    list_of(&words, "")?
        .ignore_blank(true)
        .set_error_style(DataValidationErrorStyle::Stop)
        .set_input_message(message)?
        .set_error_title(language.pick(["Please choose from the list", "請從清單選擇"]))?
        .set_error_message(words.join(" / "))
}

/// A list validation: inside the validation where it fits, else from `range` of the hidden tab.
fn list_of(words: &[&str], range: &str) -> Result<DataValidation, XlsxError> {
    if fits_validation(words) {
        return DataValidation::new().allow_list_strings(words);
    }
    Ok(DataValidation::new().allow_list_formula(Formula::new(range)))
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

fn print_layout(pen: &Pen, tab: Tab, sheet: &mut Worksheet) -> Result<(), XlsxError> {
    const A4: u8 = 9;
    sheet.set_landscape().set_paper_size(A4).set_print_fit_to_pages(1, 0);
    sheet.set_repeat_rows(0, 0)?;
    sheet.set_margins(0.4, 0.4, 0.5, 0.5, 0.3, 0.3);
    sheet.set_footer(format!("&L{}&R&P / &N", tab_title(tab, pen.language)));
    Ok(())
}

fn write_changed(pen: &Pen, input: &SheetInput, sheet: &mut Worksheet) -> Result<(), WriteError> {
    let specs = columns_of(Tab::Changed);
    write_header(pen, specs, sheet)?;
    let mut pairs: Vec<&ChangedPair> = input.changed.iter().collect();
    pairs.sort_by(|a, b| (&a.new.key, &a.old.key).cmp(&(&b.new.key, &b.old.key)));
    let mut at = 0;
    for pair in pairs {
        at += 1;
        for (column, spec) in (0..).zip(specs) {
            write_changed_cell(pen, input, (at, column, spec, pair), sheet)?;
        }
    }
    finish_table(pen, Tab::Changed, at, sheet)
}

fn write_changed_cell(
    pen: &Pen,
    input: &SheetInput,
    (at, column, spec, pair): (u32, u16, &ColumnSpec, &ChangedPair),
    sheet: &mut Worksheet,
) -> Result<(), XlsxError> {
    let (facts, format) = (input.facts, pen.styles.of(spec.kind));
    let text = match spec.column {
        Column::OldSays => {
            return write_view(pen, (at, column), &view_of(&pair.old, pen.language), sheet);
        }
        Column::NewSays => {
            return write_view(pen, (at, column), &view_of(&pair.new, pen.language), sheet);
        }
        Column::Link => {
            let text = pen.language.pick(["open page", "開啟網頁"]);
            if let Some(link) = page_link(&pair.new).filter(|_| at <= MOST_LINKED_ROWS) {
                sheet.write_url_with_options(at, column, link.as_str(), text, "", Some(format))?;
                return Ok(());
            }
            pair.new.page.clone()
        }
        Column::About => about(&pair.new),
        Column::OldExtracted => extracted(&pair.old, facts),
        Column::NewExtracted => extracted(&pair.new, facts),
        Column::Why => pair.reason.clone(),
        Column::Standing => {
            let tab = match pair.new.status {
                RowStatus::Flagged => Tab::Decide,
                _ => Tab::Accepted,
            };
            tab_title(tab, pen.language).to_owned()
        }
        _ => String::new(),
    };
    let text = fitted(&text, &pair.new.key, pen.language).0;
    sheet.write_string_with_format(at, column, text, format)?;
    Ok(())
}

fn write_read_me(
    pen: &Pen,
    input: &SheetInput,
    issued: &IssuedSheet,
    sheet: &mut Worksheet,
) -> Result<(), WriteError> {
    let load = Load {
        to_decide: issued.rows.iter().filter(|it| it.tab == Tab::Decide).count(),
        removals: issued.rows.iter().filter(|it| it.tab == Tab::Removed).count(),
        seconds: agenda(input.asked()).seconds,
    };
    sheet.set_name(tab_title(Tab::ReadMe, pen.language))?;
    sheet.set_column_width(0, READ_ME_LABEL)?.set_column_width(1, READ_ME_TEXT)?;
    sheet.set_screen_gridlines(false);
    for (at, line) in (0..).zip(read_me(input.facts, &issued.file, load)) {
        write_line(pen, at, &line, sheet)?;
    }
    protect(sheet);
    print_layout(pen, Tab::ReadMe, sheet)?;
    sheet.set_portrait();
    sheet.set_active(true);
    Ok(())
}

fn write_line(pen: &Pen, at: u32, line: &Line, sheet: &mut Worksheet) -> Result<(), XlsxError> {
    let (styles, language) = (&pen.styles, pen.language);
    match line {
        Line::Title(text) => {
            sheet.set_row_height(at, 30)?;
            sheet.write_string_with_format(at, 0, text, &styles.title)?;
        }
        Line::Head(text) => {
            sheet.write_string_with_format(at, 0, text, &styles.head)?;
        }
        Line::Text(text) => {
            sheet.merge_range(at, 0, at, 1, text, &styles.text)?;
            sheet.set_row_height(at, row_points([(READ_ME_WIDTH, text.as_str())].into_iter()))?;
        }
        Line::Fact(label, text) => {
            sheet.write_string_with_format(at, 0, label, &styles.label)?;
            sheet.write_string_with_format(at, 1, text, &styles.fact)?;
            let cells = [(READ_ME_LABEL, label.as_str()), (READ_ME_TEXT, text.as_str())];
            sheet.set_row_height(at, row_points(cells.into_iter()))?;
        }
        Line::Sign(field) => {
            sheet.write_string_with_format(at, 0, language.pick(field.label()), &styles.label)?;
            sheet.write_blank(at, 1, &styles.sign)?;
            if *field == SignField::AcceptedRows {
                let words = ACCEPTED_WORDS.map(|it| language.pick(it));
                sheet.add_data_validation(at, 1, at, 1, &list_of(&words, "")?)?;
            }
        }
        Line::Gap => {}
    }
    Ok(())
}

/// Which run, which file, which rows: for the program that reads the file back.
fn write_identity(issued: &IssuedSheet, sheet: &mut Worksheet) -> Result<(), XlsxError> {
    sheet.set_name(tab_title(Tab::Identity, issued.language))?;
    let facts = [
        ("countersign.format", "countersign.sheet/1"),
        ("countersign.project", issued.project.as_str()),
        ("countersign.run", issued.run.as_str()),
        ("countersign.file", issued.file.as_str()),
        ("countersign.language", issued.language.tag()),
    ];
    for (at, (name, value)) in (0..).zip(facts) {
        sheet.write_string(at, 0, name)?;
        sheet.write_string(at, 1, value)?;
    }
    sheet.set_very_hidden(true);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forty_reasons_go_to_a_hidden_range() {
        let words: Vec<String> = (0..40).map(|it| format!("reason number {it}")).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        assert!(!fits_validation(&words));
        assert!(list_of(&words, "=_lists!$A$1:$A$40").is_ok());
    }
}
