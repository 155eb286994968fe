//! What other programs make of a workbook when they save it, without a person changing anything.

use std::collections::BTreeSet;

use countersign::model::returned::{CellContent, ReturnedCell};
use countersign::model::signing::{SignCode, SignState};
use countersign::sheet::csv_file::{decode_csv, read_csv};
use countersign::sheet::grid::Book;
use countersign::sheet::read::read_returned;
use countersign::signoff::compare::{Sameness, compare};

use crate::desk::{Desk, found};
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
