//! What other programs make of a workbook when they save it, without a person changing anything.

use std::collections::BTreeSet;

use countersign::model::claim::Value;
use countersign::model::finding::Code;
use countersign::model::returned::{CellContent, ReturnedCell};
use countersign::model::signing::{SignCode, SignState};
use countersign::sheet::archive::Archive;
use countersign::sheet::csv_file::{decode_csv, read_csv};
use countersign::sheet::grid::Book;
use countersign::sheet::read::read_returned;
use countersign::signoff::compare::{Sameness, compare};

use crate::desk::{Desk, found, row};
use crate::office::Bench;
use crate::sheet_cases::{APPROVE_ALL, book_of, cases, edited};

#[test]
pub fn qc_05_resaved_by_libreoffice() {
    let mut desk = Desk::new();
    let bench = Bench::new();
    let file = bench.put("sheet.xlsx", &edited(&desk, APPROVE_ALL));
    let resaved = bench.libreoffice(&file, "xlsx");
    let read = read_returned(&resaved).unwrap();
    assert!(read.saved_by.contains("LibreOffice"), "{}", read.saved_by);
    assert!(read.identity.is_some());
    let plan = desk.take(&resaved, "A");
    assert_eq!((plan.state, plan.counts.applied), (SignState::Complete, 12));
    let stops: Vec<_> = plan.findings.iter().filter(|it| it.stops).collect();
    assert!(stops.is_empty(), "{stops:?}");
}

#[test]
pub fn qc_05_an_ods_return_is_read_as_well() {
    let mut desk = Desk::new();
    let bench = Bench::new();
    let file = bench.put("sheet.xlsx", &edited(&desk, APPROVE_ALL));
    let ods = bench.libreoffice(&file, "ods");
    let plan = desk.take(&ods, "A");
    assert_eq!((plan.state, plan.counts.applied), (SignState::Complete, 12));
    // And there and back again.
    let file = bench.put("sheet.ods", &ods);
    let back = bench.libreoffice(&file, "xlsx");
    let plan = desk.take(&back, "A");
    assert_eq!((plan.counts.applied, plan.counts.repeated), (0, 12));
}

#[test]
pub fn qc_05_a_csv_return_is_read_and_its_damage_named() {
    let mut desk = Desk::new();
    let bench = Bench::new();
    let only = r#"
for name in book.sheetnames:
    if name != "Decide":
        del book[name]
"#;
    let file = bench.put("sheet.xlsx", &edited(&desk, &format!("{APPROVE_ALL}{only}")));
    let csv = bench.libreoffice(&file, "csv:Text - txt - csv (StarCalc):44,34,76");
    let plan = desk.take(&csv, "A");
    assert_eq!(plan.counts.applied, 12, "{:#?}", plan.findings);
    // The default filter loses what its code page does not have.
    let mut lossy = Desk::new();
    let csv = bench.libreoffice(&file, "csv");
    let plan = lossy.take(&csv, "A");
    if !String::from_utf8_lossy(&csv).contains('歲') {
        assert!(!found(&plan, SignCode::EncodingDamage, "BEN-0005").is_empty());
        assert!(!lossy.approved().contains(&"BEN-0005".to_owned()));
    }
}

/// Turns the order of the rows round by their keys, and shows only one of them.
const SORT_AND_FILTER: &str = r#"
  sheet = doc.Sheets.getByName("Decide")
  Say "protected: " & sheet.isProtected()
  cursor = sheet.createCursor()
  cursor.gotoEndOfUsedArea(False)
  last = cursor.RangeAddress.EndRow
  wide = cursor.RangeAddress.EndColumn
  key = 0
  Do While sheet.getCellByPosition(key, 0).String <> "Row"
    key = key + 1
  Loop
  first = sheet.getCellByPosition(key, 1).String
  Dim fields(0) As New com.sun.star.table.TableSortField
  fields(0).Field = key
  fields(0).IsAscending = (first > sheet.getCellByPosition(key, last).String)
  Dim how(0) As New com.sun.star.beans.PropertyValue
  how(0).Name = "SortFields"
  how(0).Value = fields()
  sheet.getCellRangeByPosition(0, 1, wide, last).sort(how())
  Say "moved: " & (first <> sheet.getCellByPosition(key, 1).String)
  table = sheet.getCellRangeByPosition(0, 0, wide, last)
  filter = table.createFilterDescriptor(True)
  Dim only(0) As New com.sun.star.sheet.TableFilterField
  only(0).Field = key
  only(0).Operator = com.sun.star.sheet.FilterOperator.EQUAL
  only(0).StringValue = first
  filter.setFilterFields(only())
  filter.ContainsHeader = True
  table.filter(filter)
  shown = 0
  For at = 1 To last
    If sheet.Rows.getByIndex(at).IsVisible Then shown = shown + 1
  Next
  Say "filtered: " & (shown > 0 And shown < last)
"#;

#[test]
pub fn qc_03_sorted_and_filtered_in_libreoffice_without_unprotecting() {
    let mut desk = Desk::new();
    let bench = Bench::new();
    let file = bench.put("sheet.xlsx", &desk.issues.last().unwrap().bytes);
    let (saved, said) = bench.libreoffice_macro(&file, SORT_AND_FILTER);
    assert_eq!(said, ["protected: True", "moved: True", "filtered: True"]);
    let decided = bench.openpyxl(&bench.put("sorted.xlsx", &saved), APPROVE_ALL);
    let plan = desk.take(&decided, "A");
    assert_eq!(
        (plan.state, plan.counts.applied),
        (SignState::Complete, 12),
        "{:#?}",
        plan.findings
    );
}

#[test]
pub fn workbooks_of_another_maker_show_what_programs_do_by_themselves() {
    let folder = cases().join("workbooks");
    let read = |name: &str| {
        let path = folder.join(name);
        std::fs::read(&path).unwrap_or_else(|cause| panic!("{}: {cause}", path.display()))
    };
    let original = book_of(&read("sign_original.xlsx"));
    let texts = |book: &Book| -> Vec<((u32, u32), ReturnedCell)> {
        let grid = &book.grids[0];
        let cells = |(line, row): (&u32, &countersign::sheet::grid::GridRow)| {
            let line = *line;
            row.cells.clone().into_iter().map(move |(at, it)| ((line, at), it)).collect::<Vec<_>>()
        };
        grid.rows.iter().flat_map(cells).collect()
    };
    let judge = |book: &Book| -> BTreeSet<Sameness> {
        let grid = &book.grids[0];
        let same = |((line, at), cell): ((u32, u32), ReturnedCell)| {
            let empty = ReturnedCell::default();
            compare(&cell.shown(), grid.cell(line, at).unwrap_or(&empty))
        };
        texts(&original).into_iter().map(same).collect()
    };
    let clean = BTreeSet::from([Sameness::Same, Sameness::Rewritten]);
    for name in
        ["sign_resaved_libreoffice7.4.xlsx", "sign_resaved_openpyxl3.1.5.xlsx", "sign_via_ods.xlsx"]
    {
        let book = book_of(&read(name));
        assert!(judge(&book).is_subset(&clean), "{name}: {:?}", judge(&book));
        assert_eq!(book.properties["countersign.run"], "run-7f3a", "{name}");
    }
    let csv = decode_csv(&read("sign_export.csv")).unwrap();
    let book = read_csv(&csv.text, |it| it.iter().any(|cell| cell == "row_key")).unwrap();
    assert!(judge(&book).is_subset(&clean), "{:?}", judge(&book));
    let reopened = book_of(&read("sign_csv_reopened_libreoffice.xlsx"));
    let found = judge(&reopened);
    assert!(found.contains(&Sameness::Retyped) && found.contains(&Sameness::Damaged), "{found:?}");
    let seven = reopened.grids[0].cell(2, 2).unwrap();
    assert_eq!(seven.content, CellContent::Number("7".into()));
    assert_eq!(compare("007", seven), Sameness::Retyped);
}

/// What a hostile page may hold, in English and Chinese, and what a careless program makes of it.
fn hostile_texts() -> Vec<String> {
    let mut texts: Vec<String> = [
        "=HYPERLINK(\"http://evil.example\",\"打開\")",
        "=1+1",
        "＝ＳＵＭ（Ａ１）",
        "+886 2 1234 5678",
        "-2+3+cmd|' /C calc'!A0",
        "@SUM(A1:A9)",
        "'=quoted",
        "\tTAB before",
        "{=ARRAY()}",
        "bell \u{7}, escape \u{1b}[31m, null-like \u{1}, _x0041_ and _x000D_",
        "\u{202e}元千三\u{202c} \u{2066}isolated\u{2069} \u{200f}עברית\u{200e}",
        "]]> <![CDATA[ x ]]> <!-- --> &amp; &#x41; <b>粗體</b> &nosuch;",
        "\u{fffe} \u{ffff} \u{fdd0} 𠮷野家 👨‍👩‍👧‍👦 🏳️‍🌈 é e\u{301} ｶﾞ",
        "  兩端空白\u{3000}",
        "line one\nline two\r\nline three",
        "1/2",
        "3-4",
        "1E5",
        "007",
        "TRUE",
        "2027/3/1",
        "民國116年3月1日",
        "\u{feff}BOM first",
        "\u{ad}soft\u{ad}hyphen\u{200b}zero\u{2060}width",
        "#REF!",
        "'Removed？'!A1",
    ]
    .map(str::to_owned)
    .into();
    texts.push(format!("{} 年滿65歲。", "條件與😀 conditions ".repeat(2_300)));
    texts
}

/// A sheet in which the text stands in every field that a page can fill.
fn hostile_desk() -> Desk {
    let rows = hostile_texts()
        .into_iter()
        .enumerate()
        .map(|(at, text)| {
            let mut row = row(&format!("BEN-{at:04}"), &text, &text, &[Code::AddedWords]);
            row.claim.subject.clone_from(&text);
            row.claim.value = Value::Text(text.clone());
            row.claim.unit = Some(text.clone());
            row.page_title.clone_from(&text);
            row.heading_path = vec![text.clone()];
            row.item = format!("item-{at}");
            row.findings[0].evidence = Some(text.clone());
            row.page = match at % 4 {
                0 => format!("javascript:alert('{at}')"),
                1 => format!("https://lanternfield.example/{}", "長".repeat(1_200)),
                2 => format!("https://lanternfield.example/?q={text}#{text}"),
                _ => "file:///etc/passwd".to_owned(),
            };
            row
        })
        .collect();
    Desk::with(rows)
}

/// The words of each row approved, whatever the tab is called.
const APPROVE_EACH: &str = r#"
at, key = column("Decide", "Decision"), column("Decide", "Row")
for line in range(2, book["Decide"].max_row + 1):
    if book["Decide"].cell(line, key).value:
        book["Decide"].cell(line, at).value = "approve"
"#;

#[test]
fn a_hostile_page_in_every_field_goes_through_other_programs_and_comes_back_as_it_was() {
    let mut desk = hostile_desk();
    let count = desk.rows.len();
    let bench = Bench::new();
    let by_openpyxl = edited(&desk, APPROVE_EACH);
    for it in ["<f>", "<f ", "Target=\"javascript", "Target=\"file:///etc"] {
        assert!(!parts_of(&by_openpyxl).contains(it), "{it} in the file");
    }
    let plan = desk.take(&by_openpyxl, "A");
    let stops: Vec<_> = plan.findings.iter().filter(|it| it.stops).collect();
    assert!(stops.is_empty(), "openpyxl: {stops:#?}");
    assert_eq!((plan.state, plan.counts.applied), (SignState::Complete, count));
    let file = bench.put("hostile.xlsx", &by_openpyxl);
    for form in ["xlsx", "ods"] {
        let mut again = hostile_desk();
        let resaved = bench.libreoffice(&file, form);
        assert!(!parts_of(&resaved).contains("<f>"), "a formula in the {form}");
        let plan = again.take(&resaved, "A");
        let stops: Vec<_> = plan.findings.iter().filter(|it| it.stops).collect();
        assert!(stops.is_empty(), "LibreOffice, {form}: {stops:#?}");
        assert_eq!((plan.state, plan.counts.applied), (SignState::Complete, count), "{form}");
    }
}

/// Every part of an archive as one text.
fn parts_of(bytes: &[u8]) -> String {
    let mut archive = Archive::open(bytes).unwrap();
    let names: Vec<String> = archive.names();
    let is_text = |it: &&String| it.ends_with(".xml") || it.ends_with(".rels");
    names.iter().filter(is_text).filter_map(|it| archive.text(it).ok().flatten()).collect()
}
