//! Reads an .xlsx into grids: values and formulas through calamine, what calamine does not tell
//! (hidden rows and columns, merged cells, remarks) from the parts themselves.

use std::collections::BTreeMap;
use std::io::Cursor;

use calamine::{DataRef, ExcelDateTime, Reader, Xlsx};
use quick_xml::events::Event;

use crate::model::returned::{CellContent, ReturnedCell};
use crate::sheet::archive::{Archive, ReadError, attribute, referred, walk_xml};
use crate::sheet::grid::{Book, Grid, area_of};

/// Rows that one file may hold; an issued sheet has far fewer.
const MOST_CELLS: usize = 5_000_000;

/// Reads the workbook.
///
/// # Errors
/// When it is damaged or holds more than a sheet can.
pub fn read_xlsx(bytes: &[u8], archive: &mut Archive) -> Result<Book, ReadError> {
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(ReadError::damaged)?;
    let properties = book.workbook_properties().map_err(ReadError::damaged)?;
    let mut result = Book {
        saved_by: saved_by(&properties),
        properties: properties.custom_properties.into_iter().collect(),
        grids: Vec::new(),
    };
    let paths = sheet_paths(archive)?;
    let mut count = 0;
    for name in book.sheet_names() {
        let Some(part) = paths.get(&name) else { continue };
        if !part.path.contains("worksheets/") {
            continue;
        }
        let mut grid = Grid { name: name.clone(), is_hidden: part.is_hidden, ..Grid::default() };
        read_cells(&mut book, &mut grid, &mut count)?;
        if let Some(text) = archive.text(&part.path)? {
            read_layout(&text, &mut grid)?;
        }
        read_remarks(archive, &part.path, &mut grid)?;
        result.grids.push(grid);
    }
    Ok(result)
}

fn saved_by(properties: &calamine::WorkbookProperties) -> String {
    let name = properties.application.as_deref().unwrap_or_default();
    let version = properties.app_version.as_deref().unwrap_or_default();
    format!("{name} {version}").trim().to_owned()
}

fn read_cells(
    book: &mut Xlsx<Cursor<&[u8]>>,
    grid: &mut Grid,
    count: &mut usize,
) -> Result<(), ReadError> {
    let mut reader = book.worksheet_cells_reader(&grid.name).map_err(ReadError::damaged)?;
    while let Some(cell) = reader.next_cell_with_formula().map_err(ReadError::damaged)? {
        *count += 1;
        if *count > MOST_CELLS {
            return Err(ReadError::Damaged { what: format!("more than {MOST_CELLS} cells") });
        }
        grid.put(
            cell.pos,
            ReturnedCell { content: content_of(&cell.value), formula: cell.formula },
        );
    }
    Ok(())
}

fn content_of(value: &DataRef) -> CellContent {
    match value {
        DataRef::Empty => CellContent::Empty,
        DataRef::String(it) => text(it),
        DataRef::SharedString(it) => text(it),
        DataRef::Int(it) => CellContent::Number(it.to_string()),
        DataRef::Float(it) => CellContent::Number(printed(*it)),
        DataRef::Bool(it) => CellContent::Bool(*it),
        DataRef::DateTime(it) => date(it),
        DataRef::DateTimeIso(it) | DataRef::DurationIso(it) => CellContent::Date(it.clone()),
        DataRef::Error(it) => CellContent::Error(it.to_string()),
    }
}

fn text(it: &str) -> CellContent {
    if it.is_empty() { CellContent::Empty } else { CellContent::Text(it.to_owned()) }
}

/// A number as it prints: no decimals for whole numbers, no exponent for ordinary ones.
pub fn printed(number: f64) -> String {
    format!("{number}")
}

fn date(it: &ExcelDateTime) -> CellContent {
    let (year, month, day, hour, minute, second, _) = it.to_ymd_hms_milli();
    let is_plain_time = it.is_duration() || it.as_f64() < 1.0;
    let day_text = format!("{year:04}-{month:02}-{day:02}");
    let time_text = format!("{hour:02}:{minute:02}:{second:02}");
    CellContent::Date(match (is_plain_time, (hour, minute, second)) {
        (true, _) => time_text,
        (false, (0, 0, 0)) => day_text,
        (false, _) => format!("{day_text}T{time_text}"),
    })
}

struct SheetPart {
    path: String,
    is_hidden: bool,
}

/// Tab name -> its part.
fn sheet_paths(archive: &mut Archive) -> Result<BTreeMap<String, SheetPart>, ReadError> {
    let missing = || ReadError::Damaged { what: "xl/workbook.xml is missing".to_owned() };
    let workbook = archive.text("xl/workbook.xml")?.ok_or_else(missing)?;
    let rels = archive.text("xl/_rels/workbook.xml.rels")?.ok_or_else(missing)?;
    let mut targets = BTreeMap::new();
    walk_xml(&rels, |event| {
        if let Event::Start(e) = event
            && let (Some(id), Some(target)) = (attribute(e, "Id"), attribute(e, "Target"))
        {
            targets.insert(id, full_path(&target));
        }
        Ok(())
    })?;
    let mut paths = BTreeMap::new();
    walk_xml(&workbook, |event| {
        if let Event::Start(e) = event
            && e.local_name().as_ref() == "sheet"
            && let (Some(name), Some(id)) = (attribute(e, "name"), attribute(e, "id"))
            && let Some(path) = targets.get(&id)
        {
            let is_hidden = attribute(e, "state").is_some_and(|it| it != "visible");
            paths.insert(name, SheetPart { path: path.clone(), is_hidden });
        }
        Ok(())
    })?;
    Ok(paths)
}

fn full_path(target: &str) -> String {
    match target.strip_prefix('/') {
        Some(absolute) => absolute.to_owned(),
        None => format!("xl/{target}"),
    }
}

/// Hidden rows and columns, merged cells.
fn read_layout(text: &str, grid: &mut Grid) -> Result<(), ReadError> {
    let is_true = |it: Option<String>| it.is_some_and(|it| it == "1" || it == "true");
    let mut row_number = 0_u32;
    walk_xml(text, |event| {
        let Event::Start(e) = event else { return Ok(()) };
        match e.local_name().as_ref() {
            "row" => {
                let stated = attribute(e, "r").and_then(|it| it.parse::<u32>().ok());
                row_number = stated.unwrap_or(row_number + 1);
                if is_true(attribute(e, "hidden"))
                    && let Some(row) =
                        row_number.checked_sub(1).and_then(|it| grid.rows.get_mut(&it))
                {
                    row.is_hidden = true;
                }
            }
            "col" if is_true(attribute(e, "hidden")) => {
                let number = |name| attribute(e, name).and_then(|it| it.parse::<u32>().ok());
                if let (Some(first), Some(last)) = (number("min"), number("max")) {
                    grid.hidden_columns
                        .extend((first..=last.min(first + 64)).map(|it| it.max(1) - 1));
                }
            }
            "mergeCell" => grid.merged.extend(attribute(e, "ref").as_deref().and_then(area_of)),
            _ => {}
        }
        Ok(())
    })
}

/// Remarks that a person hung on cells, of the old and the new kind.
fn read_remarks(archive: &mut Archive, path: &str, grid: &mut Grid) -> Result<(), ReadError> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some(rels) = archive.text(&format!("xl/worksheets/_rels/{name}.rels"))? else {
        return Ok(());
    };
    let mut parts = Vec::new();
    walk_xml(&rels, |event| {
        if let Event::Start(e) = event
            && let (Some(kind), Some(target)) = (attribute(e, "Type"), attribute(e, "Target"))
            && (kind.ends_with("/comments") || kind.ends_with("/threadedComment"))
        {
            let file = target.rsplit('/').next().unwrap_or_default().to_owned();
            parts.push(file);
        }
        Ok(())
    })?;
    for name in archive.names() {
        let file = name.rsplit('/').next().unwrap_or_default();
        if parts.iter().any(|it| it == file)
            && let Some(text) = archive.text(&name)?
        {
            grid.remarks.extend(remarks_in(&text)?);
        }
    }
    Ok(())
}

fn remarks_in(text: &str) -> Result<Vec<(String, String)>, ReadError> {
    let mut remarks: Vec<(String, String)> = Vec::new();
    let mut in_text = false;
    walk_xml(text, |event| {
        match event {
            Event::Start(e) => match e.local_name().as_ref() {
                "comment" | "threadedComment" => {
                    remarks.push((attribute(e, "ref").unwrap_or_default(), String::new()));
                }
                "t" | "text" => in_text = true,
                _ => {}
            },
            Event::End(e) if matches!(e.local_name().as_ref(), "t" | "text") => in_text = false,
            Event::Text(it) if in_text => {
                if let Some(last) = remarks.last_mut() {
                    last.1.push_str(&it.xml10_content());
                }
            }
            Event::GeneralRef(it) if in_text => {
                if let (Some(last), Some(c)) = (remarks.last_mut(), referred(it)) {
                    last.1.push(c);
                }
            }
            _ => {}
        }
        Ok(())
    })?;
    remarks.retain(|(_, text)| !text.trim().is_empty());
    Ok(remarks)
}
