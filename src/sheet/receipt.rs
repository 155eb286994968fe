//! The receipt as a workbook of one tab: what was understood of a returned sheet, row by row.

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Workbook, Worksheet, XlsxError};

use crate::model::signing::{Receipt, SignState};
use crate::sheet::columns::CellKind;
use crate::sheet::height::row_points;
use crate::sheet::style::Styles;
use crate::sheet::view::fitted;
use crate::sheet::write::WriteError;

const TITLES: [([&str; 2], f64); 5] = [
    (["Row", "列號"], 22.0),
    (["What it is about", "關於什麼"], 30.0),
    (["How it now stands", "目前內容"], 34.0),
    (["Understood as", "理解為"], 14.0),
    (["Remark", "說明"], 60.0),
];

/// Writes the receipt. The same receipt gives the same bytes.
///
/// # Errors
/// When the workbook cannot be written.
pub fn write_receipt(receipt: &Receipt) -> Result<Vec<u8>, WriteError> {
    let language = receipt.signature.language;
    let styles = Styles::prepared();
    let mut workbook = Workbook::new();
    let time: jiff::Timestamp = receipt.signature.signed_at.parse().unwrap_or_default();
    workbook.set_properties(
        &DocProperties::new()
            .set_author("countersign")
            .set_creation_datetime(&ExcelDateTime::from_timestamp(time.as_second())?)
            .set_custom_property("countersign.format", "countersign.receipt/1")
            .set_custom_property("countersign.receipt_for", receipt.signature.file.as_str()),
    );
    let sheet = workbook.add_worksheet();
    sheet.set_name(language.pick(["Receipt", "回條"]))?;
    let mut at = write_head(receipt, &styles, sheet)?;
    at += 1;
    at = write_lines(receipt, &styles, at, sheet)?;
    write_findings(receipt, &styles, at + 1, sheet)?;
    sheet.set_landscape().set_paper_size(9).set_print_fit_to_pages(1, 0);
    sheet.set_screen_gridlines(false).protect();
    Ok(workbook.save_to_buffer()?)
}

fn write_head(receipt: &Receipt, styles: &Styles, sheet: &mut Worksheet) -> Result<u32, XlsxError> {
    let signature = &receipt.signature;
    let language = signature.language;
    let counts = receipt.counts;
    let state = match receipt.state {
        SignState::Complete => language.pick(["signed", "已簽核"]),
        SignState::Partial => language.pick(["partially signed", "部分簽核"]),
        SignState::Refused => language.pick(["nothing was taken", "未採用任何內容"]),
    };
    sheet.write_string_with_format(
        0,
        0,
        language.pick(["Receipt of your decisions", "決定回條"]),
        &styles.title,
    )?;
    let facts = [
        (["State", "狀態"], format!("{state} {}/{}", counts.decided, counts.asked)),
        (["Taken from this file", "本檔採用"], counts.applied.to_string()),
        (["On record before", "先前已有"], counts.repeated.to_string()),
        (["In conflict, open again", "衝突而重新開啟"], counts.conflicts.to_string()),
        (["Signed by", "簽核人"], signature.signer.clone()),
        (["Name in the sheet", "表內姓名"], signature.stated_name.clone()),
        (["Date in the sheet", "表內日期"], signature.stated_date.clone()),
        (["Taken in at", "收件時間"], signature.signed_at_shown()),
        (["Agreed to", "同意事項"], signature.sentence.clone()),
        (["Sheet", "檔案編號"], signature.file.clone()),
        (["Returned file, SHA-256", "回傳檔案 SHA-256"], signature.file_digest.clone()),
        (["Signature", "簽章"], signature.digest.clone()),
        (
            ["Still open, in the sheet", "未決定的列在檔案"],
            receipt.follow_up.clone().unwrap_or_default(),
        ),
    ];
    let mut at = 1;
    for (label, text) in facts.into_iter().filter(|it| !it.1.is_empty()) {
        sheet.write_string_with_format(at, 0, language.pick(label), &styles.label)?;
        sheet.merge_range(at, 1, at, 4, &text, &styles.text)?;
        sheet.set_row_height(at, row_points([(120.0, text.as_str())].into_iter()))?;
        at += 1;
    }
    Ok(at)
}

fn write_lines(
    receipt: &Receipt,
    styles: &Styles,
    mut at: u32,
    sheet: &mut Worksheet,
) -> Result<u32, XlsxError> {
    let language = receipt.signature.language;
    for (column, (title, width)) in (0..).zip(TITLES) {
        sheet.set_column_width(column, width)?;
        sheet.write_string_with_format(at, column, language.pick(title), &styles.header)?;
    }
    let evidence = styles.of(CellKind::Evidence);
    for line in &receipt.lines {
        at += 1;
        let word = line.word.map_or_else(
            || language.pick(["open", "未決定"]).to_owned(),
            |it| it.shown(language).to_owned(),
        );
        let cells = [&line.key, &line.about, &line.stands, &word, &line.remark];
        for (column, text) in (0..).zip(cells) {
            let text = fitted(text, &line.key, language).0;
            sheet.write_string_with_format(at, column, text, evidence)?;
        }
        let widths = TITLES.iter().map(|it| it.1);
        sheet.set_row_height(at, row_points(widths.zip(cells.map(String::as_str))))?;
    }
    Ok(at + 1)
}

fn write_findings(
    receipt: &Receipt,
    styles: &Styles,
    mut at: u32,
    sheet: &mut Worksheet,
) -> Result<(), XlsxError> {
    let language = receipt.signature.language;
    let told: Vec<_> = receipt.findings.iter().filter(|it| it.is_worth_telling()).collect();
    if told.is_empty() {
        return Ok(());
    }
    let title = language.pick(["What was found in the file", "檔案中的發現"]);
    sheet.write_string_with_format(at, 0, title, &styles.head)?;
    for finding in told {
        at += 1;
        let before_after = match (&finding.before, &finding.after) {
            (Some(before), Some(after)) => format!("{before} → {after}"),
            _ => String::new(),
        };
        let cells: [&str; 5] =
            [&finding.row, &finding.place, &before_after, finding.code.as_str(), &finding.detail];
        for (column, text) in (0..).zip(cells) {
            let text = fitted(text, &finding.row, language).0;
            sheet.write_string_with_format(at, column, text, styles.of(CellKind::Evidence))?;
        }
        let widths = TITLES.iter().map(|it| it.1);
        sheet.set_row_height(at, row_points(widths.zip(cells)))?;
    }
    Ok(())
}
