//! Writes the client's workbook: the same input gives the same bytes; never a formula, never a time
//! or a random number of its own.

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, Worksheet, XlsxError};

use crate::model::decision::ACCEPTED_WORDS;
use crate::model::phrase::{about, extracted, is_question};
use crate::model::row::{RowRecord, RowStatus};
use crate::model::sheet::{ChangedPair, Column, IssuedRow, IssuedSheet, Tab};
use crate::sheet::columns::{CellKind, ColumnSpec, columns_of, tab_title};
use crate::sheet::examples::{Example, examples};
use crate::sheet::height::row_points;
use crate::sheet::issue::{SheetInput, issue_sheet, page_link};
use crate::sheet::links::mend_links;
use crate::sheet::order::{agenda, changed_order};
use crate::sheet::style::Styles;
use crate::sheet::tabs::{HiddenLists, Pen, finish_table, print_layout, protect, write_header};
use crate::sheet::view::{View, fitted, view_of};
use crate::sheet::words::{Line, Load, SignField, read_me};

/// Rows of one tab that carry links, two each; the format holds 65,530 links a tab.
const MOST_LINKED_ROWS: u32 = 30_000;
/// Widths of "Read me first": labels, texts, both.
const READ_ME_LABEL: f64 = 34.0;
const READ_ME_TEXT: f64 = 86.0;
const READ_ME_WIDTH: f64 = READ_ME_LABEL + READ_ME_TEXT;

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

/// The bytes of an issue: its cells from `issued`, what surrounds them from `input`.
///
/// # Errors
/// When a tab would hold more rows than the format can.
pub fn render(input: &SheetInput, issued: &IssuedSheet) -> Result<Vec<u8>, WriteError> {
    const MOST_ROWS: usize = 1_000_000;
    if issued.rows.len() > MOST_ROWS {
        return Err(WriteError::TooManyRows { rows: issued.rows.len(), most: MOST_ROWS });
    }
    let pen = Pen { styles: Styles::prepared(), language: issued.language };
    let live = issued.rows.iter().filter(|it| it.tab != Tab::Removed);
    let shown = examples(live.map(|it| it.matter.row()), input.facts);
    let mut workbook = Workbook::new();
    // A third larger than at the usual level, and written in half the time.
    workbook.set_zip_compression_level(2);
    workbook.set_properties(&properties(input, issued)?);
    let mut lists = HiddenLists::default();
    write_read_me(&pen, input, (issued, &mut lists), workbook.add_worksheet())?;
    for tab in [Tab::Decide, Tab::Removed, Tab::Changed, Tab::Accepted, Tab::Examples] {
        let is_wanted = match tab {
            Tab::Changed => !input.changed.is_empty(),
            Tab::Accepted => input.follow_up.is_none(),
            Tab::Examples => input.follow_up.is_none() && !shown.is_empty(),
            _ => true,
        };
        if !is_wanted {
            continue;
        }
        // Rows are written to a file as they come: ten thousand of them are not held as cells.
        let sheet = workbook.add_worksheet_with_constant_memory()?;
        sheet.set_name(tab_title(tab, pen.language))?;
        match tab {
            Tab::Changed => write_changed(&pen, input, (&mut lists, sheet))?,
            Tab::Examples => write_examples(&pen, &shown, (&mut lists, sheet))?,
            _ => write_decisions(&pen, input, (tab, issued), (&mut lists, sheet))?,
        }
    }
    write_identity(issued, workbook.add_worksheet())?;
    lists.write(&mut workbook)?;
    // Only an address with an escape, or one that will get some, can be escaped twice.
    let is_escaped = |it: &&IssuedRow| {
        let page = &it.matter.row().page;
        page.contains('%') || !page.is_ascii() || page.contains(' ')
    };
    let escaped = issued.rows.iter().filter(is_escaped);
    let links: Vec<String> = escaped.filter_map(|it| page_link(it.matter.row())).collect();
    Ok(mend_links(workbook.save_to_buffer()?, &links)?)
}

fn decide_rows(issued: &IssuedSheet) -> Vec<&RowRecord> {
    issued.rows.iter().filter(|it| it.tab == Tab::Decide).map(|it| it.matter.row()).collect()
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
    (lists, sheet): (&mut HiddenLists, &mut Worksheet),
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
    Ok(finish_table(pen, tab, at, lists, sheet)?)
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

fn write_changed(
    pen: &Pen,
    input: &SheetInput,
    (lists, sheet): (&mut HiddenLists, &mut Worksheet),
) -> Result<(), WriteError> {
    let specs = columns_of(Tab::Changed);
    write_header(pen, specs, sheet)?;
    let mut at = 0;
    for pair in changed_order(input.changed) {
        at += 1;
        for (column, spec) in (0..).zip(specs) {
            write_changed_cell(pen, input, (at, column, spec, pair), sheet)?;
        }
        let texts = [
            about(&pair.new),
            pair.old.sentence.clone(),
            pair.new.sentence.clone(),
            extracted(&pair.old, input.facts),
            extracted(&pair.new, input.facts),
            pair.reason.clone(),
        ];
        let cells = specs.iter().zip(&texts).map(|(spec, text)| (spec.width, text.as_str()));
        sheet.set_row_height(at, row_points(cells))?;
    }
    Ok(finish_table(pen, Tab::Changed, at, lists, sheet)?)
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

fn write_examples(
    pen: &Pen,
    examples: &[Example],
    (lists, sheet): (&mut HiddenLists, &mut Worksheet),
) -> Result<(), WriteError> {
    let specs = columns_of(Tab::Examples);
    write_header(pen, specs, sheet)?;
    let mut at = 0;
    for example in examples {
        at += 1;
        for (column, spec) in (0..).zip(specs) {
            let text = example.get(&spec.column).map_or("", String::as_str);
            let text = fitted(text, "", pen.language).0;
            sheet.write_string_with_format(at, column, text, pen.styles.of(spec.kind))?;
        }
        let cells = specs.iter().filter_map(|it| Some((it.width, example.get(&it.column)?)));
        sheet.set_row_height(at, row_points(cells.map(|(width, text)| (width, text.as_str()))))?;
    }
    Ok(finish_table(pen, Tab::Examples, at, lists, sheet)?)
}

fn write_read_me(
    pen: &Pen,
    input: &SheetInput,
    (issued, lists): (&IssuedSheet, &mut HiddenLists),
    sheet: &mut Worksheet,
) -> Result<(), WriteError> {
    let load = Load {
        to_decide: issued.rows.iter().filter(|it| it.tab == Tab::Decide).count(),
        questions: decide_rows(issued).into_iter().filter(|it| is_question(it)).count(),
        removals: issued.rows.iter().filter(|it| it.tab == Tab::Removed).count(),
        seconds: agenda(decide_rows(issued)).seconds,
    };
    sheet.set_name(tab_title(Tab::ReadMe, pen.language))?;
    sheet.set_column_width(0, READ_ME_LABEL)?.set_column_width(1, READ_ME_TEXT)?;
    sheet.set_screen_gridlines(false);
    for (at, line) in (0..).zip(read_me(input.facts, &issued.file, load)) {
        write_line(pen, (at, &line), lists, sheet)?;
    }
    protect(sheet);
    print_layout(pen, Tab::ReadMe, sheet)?;
    sheet.set_portrait();
    sheet.set_active(true);
    Ok(())
}

fn write_line(
    pen: &Pen,
    (at, line): (u32, &Line),
    lists: &mut HiddenLists,
    sheet: &mut Worksheet,
) -> Result<(), XlsxError> {
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
                sheet.add_data_validation(at, 1, at, 1, &lists.validation(&words)?)?;
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
