//! Reads an .ods into grids. Repeated cells are written out only within a limit, so that a small
//! file cannot become a huge one.

use std::collections::BTreeMap;

use quick_xml::events::{BytesStart, Event};

use crate::model::returned::{CellContent, ReturnedCell};
use crate::sheet::archive::{Archive, ReadError, attribute, referred, walk_xml};
use crate::sheet::grid::{Area, Book, Grid};

/// Most cells that repeats of filled cells may add up to.
const MOST_REPEATED: u64 = 200_000;

/// Reads the workbook.
///
/// # Errors
/// When it is damaged, or repeats more than a sheet can hold.
pub fn read_ods(archive: &mut Archive) -> Result<Book, ReadError> {
    let missing = || ReadError::Damaged { what: "content.xml is missing".to_owned() };
    let content = archive.text("content.xml")?.ok_or_else(missing)?;
    let mut walk = Walk::default();
    walk_xml(&content, |event| walk.step(event))?;
    let (saved_by, properties) = match archive.text("meta.xml")? {
        Some(text) => read_meta(&text)?,
        None => Default::default(),
    };
    for grid in &mut walk.grids {
        grid.0.is_hidden = walk.hidden_styles.contains_key(&grid.1);
    }
    let grids = walk.grids.into_iter().map(|it| it.0).collect();
    Ok(Book { saved_by, properties, grids })
}

type Meta = (String, BTreeMap<String, String>);

fn read_meta(text: &str) -> Result<Meta, ReadError> {
    let mut meta = Meta::default();
    let mut open: Option<Option<String>> = None;
    walk_xml(text, |event| {
        match event {
            Event::Start(e) => match e.local_name().as_ref() {
                "generator" => open = Some(None),
                "user-defined" => open = Some(attribute(e, "name")),
                _ => {}
            },
            Event::End(_) => open = None,
            Event::Text(it) => match &open {
                Some(Some(name)) => {
                    meta.1.entry(name.clone()).or_default().push_str(&it.xml10_content());
                }
                Some(None) => meta.0.push_str(&it.xml10_content()),
                None => {}
            },
            _ => {}
        }
        Ok(())
    })?;
    Ok(meta)
}

/// Where the walk through `content.xml` stands.
#[derive(Default)]
struct Walk {
    /// Grid and the style that says whether it is shown.
    grids: Vec<(Grid, String)>,
    hidden_styles: BTreeMap<String, ()>,
    style: String,
    row: u32,
    row_repeat: u32,
    row_is_hidden: bool,
    column: u32,
    cell: Option<OpenCell>,
    /// Depth inside an annotation, whose paragraphs are no cell content.
    annotation: u32,
    in_paragraph: bool,
    repeated: u64,
}

struct OpenCell {
    kind: String,
    value: Option<String>,
    formula: Option<String>,
    repeat: u32,
    spans: (u32, u32),
    text: Option<String>,
    remark: String,
}

impl Walk {
    fn step(&mut self, event: &Event) -> Result<(), ReadError> {
        match event {
            Event::Start(e) => self.start(e),
            Event::End(e) => return self.end(e.local_name().as_ref()),
            Event::Text(it) => self.write(&it.xml10_content()),
            Event::GeneralRef(it) => {
                if let Some(c) = referred(it) {
                    self.write(c.encode_utf8(&mut [0; 4]));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn start(&mut self, e: &BytesStart) {
        match e.local_name().as_ref() {
            "style" => self.style = attribute(e, "name").unwrap_or_default(),
            "table-properties" if attribute(e, "display").is_some_and(|it| it == "false") => {
                self.hidden_styles.insert(self.style.clone(), ());
            }
            "table" => {
                let name = attribute(e, "name").unwrap_or_default();
                let style = attribute(e, "style-name").unwrap_or_default();
                self.grids.push((Grid { name, ..Grid::default() }, style));
                (self.row, self.column) = (0, 0);
            }
            "table-column" => {
                let repeat = repeat_of(e, "number-columns-repeated");
                if attribute(e, "visibility").is_some_and(|it| it != "visible")
                    && let Some((grid, _)) = self.grids.last_mut()
                {
                    let last = self.column.saturating_add(repeat.min(64));
                    grid.hidden_columns.extend(self.column..last);
                }
                self.column = self.column.saturating_add(repeat);
            }
            "table-row" => {
                self.row_repeat = repeat_of(e, "number-rows-repeated");
                self.row_is_hidden = attribute(e, "visibility").is_some_and(|it| it != "visible");
                self.column = 0;
            }
            "table-cell" | "covered-table-cell" => self.cell = Some(open_cell(e)),
            "annotation" => self.annotation += 1,
            "p" => self.paragraph(),
            "s" => {
                let count = repeat_of(e, "c").min(32_767);
                self.write(&" ".repeat(count as usize));
            }
            "tab" => self.write("\t"),
            "line-break" => self.write("\n"),
            _ => {}
        }
    }

    fn paragraph(&mut self) {
        self.in_paragraph = true;
        let Some(cell) = self.cell.as_mut().filter(|_| self.annotation == 0) else { return };
        match &mut cell.text {
            Some(text) => text.push('\n'),
            None => cell.text = Some(String::new()),
        }
    }

    fn write(&mut self, text: &str) {
        let Some(cell) = self.cell.as_mut().filter(|_| self.in_paragraph) else { return };
        if self.annotation > 0 {
            cell.remark.push_str(text);
        } else if let Some(held) = &mut cell.text {
            held.push_str(text);
        }
    }

    fn end(&mut self, name: &str) -> Result<(), ReadError> {
        match name {
            "annotation" => self.annotation = self.annotation.saturating_sub(1),
            "p" => self.in_paragraph = false,
            "table-cell" | "covered-table-cell" => return self.close_cell(),
            "table-row" => self.row = self.row.saturating_add(self.row_repeat),
            _ => {}
        }
        Ok(())
    }

    fn close_cell(&mut self) -> Result<(), ReadError> {
        let (Some(cell), Some((grid, _))) = (self.cell.take(), self.grids.last_mut()) else {
            return Ok(());
        };
        let place = (self.row, self.column);
        self.column = self.column.saturating_add(cell.repeat);
        if cell.spans != (1, 1) {
            let last = (place.0 + cell.spans.0 - 1, place.1 + cell.spans.1 - 1);
            grid.merged.push(Area { first: place, last });
        }
        if !cell.remark.is_empty() {
            let place = format!("{}{}", crate::sheet::grid::letters_of(place.1), place.0 + 1);
            grid.remarks.push((place, cell.remark.clone()));
        }
        let content = content_of(&cell);
        if content == CellContent::Empty && cell.formula.is_none() {
            return Ok(());
        }
        self.repeated += u64::from(cell.repeat) * u64::from(self.row_repeat);
        if self.repeated > MOST_REPEATED.max(grid.rows.len() as u64 * 64) {
            return Err(ReadError::Damaged { what: "more cells than a sheet can hold".to_owned() });
        }
        for row in place.0..place.0 + self.row_repeat {
            for column in place.1..place.1 + cell.repeat {
                let formula = cell.formula.clone();
                grid.put((row, column), ReturnedCell { content: content.clone(), formula });
            }
            if let Some(row) = grid.rows.get_mut(&row) {
                row.is_hidden = self.row_is_hidden;
            }
        }
        Ok(())
    }
}

fn repeat_of(e: &BytesStart, name: &str) -> u32 {
    attribute(e, name).and_then(|it| it.parse().ok()).unwrap_or(1).clamp(1, 1_048_576)
}

fn open_cell(e: &BytesStart) -> OpenCell {
    let kind = attribute(e, "value-type").unwrap_or_default();
    let value = match kind.as_str() {
        "date" => attribute(e, "date-value"),
        "time" => attribute(e, "time-value"),
        "boolean" => attribute(e, "boolean-value"),
        "string" => attribute(e, "string-value"),
        _ => attribute(e, "value"),
    };
    OpenCell {
        kind,
        value,
        formula: attribute(e, "formula"),
        repeat: repeat_of(e, "number-columns-repeated"),
        spans: (repeat_of(e, "number-rows-spanned"), repeat_of(e, "number-columns-spanned")),
        text: None,
        remark: String::new(),
    }
}

fn content_of(cell: &OpenCell) -> CellContent {
    let shown = cell.text.clone().unwrap_or_default();
    match (cell.kind.as_str(), &cell.value) {
        ("float" | "currency" | "percentage", Some(value)) => {
            let number = value.parse().map(crate::sheet::xlsx_file::printed);
            CellContent::Number(number.unwrap_or_else(|_| value.clone()))
        }
        ("date" | "time", Some(value)) => {
            CellContent::Date(value.strip_suffix("T00:00:00").unwrap_or(value).to_owned())
        }
        ("boolean", Some(value)) => CellContent::Bool(value == "true"),
        (_, Some(value)) if shown.is_empty() && !value.is_empty() => {
            CellContent::Text(value.clone())
        }
        _ if shown.is_empty() => CellContent::Empty,
        _ => CellContent::Text(shown),
    }
}
