//! A client at work on an issued sheet: opens the real file, edits it, saves a real file again, as a
//! spreadsheet program that keeps nothing but cells, properties, hidden rows and merged cells.

use countersign::model::returned::{CellContent, ReturnedCell};
use countersign::sheet::archive::Archive;
use countersign::sheet::grid::{Area, Book, Grid, GridRow};
use countersign::sheet::xlsx_file::read_xlsx;
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Formula, Workbook};

pub struct ClientBook {
    pub book: Book,
}

impl ClientBook {
    pub fn open(bytes: &[u8]) -> Self {
        let mut archive = Archive::open(bytes).unwrap();
        Self { book: read_xlsx(bytes, &mut archive).unwrap() }
    }

    pub fn grid(&mut self, tab: &str) -> &mut Grid {
        self.book.grids.iter_mut().find(|it| it.name == tab).unwrap()
    }

    /// The column under a header, from 0.
    pub fn column(&self, tab: &str, title: &str) -> u32 {
        let grid = self.book.grids.iter().find(|it| it.name == tab).unwrap();
        let header =
            grid.rows.values().find(|row| row.cells.values().any(|it| it.shown() == title));
        let cells = &header.unwrap_or_else(|| panic!("no header {title} on {tab}")).cells;
        *cells.iter().find(|(_, it)| it.shown() == title).unwrap().0
    }

    /// The row that holds a key, from 0.
    pub fn line(&self, tab: &str, key: &str) -> u32 {
        let grid = self.book.grids.iter().find(|it| it.name == tab).unwrap();
        let row = grid.rows.iter().find(|(_, row)| row.cells.values().any(|it| it.shown() == key));
        *row.unwrap_or_else(|| panic!("no row {key} on {tab}")).0
    }

    pub fn put(&mut self, tab: &str, key: &str, title: &str, content: CellContent) {
        let place = (self.line(tab, key), self.column(tab, title));
        self.put_at(tab, place, content);
    }

    pub fn put_at(&mut self, tab: &str, place: (u32, u32), content: CellContent) {
        let grid = self.grid(tab);
        match content {
            CellContent::Empty => {
                if let Some(row) = grid.rows.get_mut(&place.0) {
                    row.cells.remove(&place.1);
                }
            }
            content => grid.put(place, ReturnedCell { content, formula: None }),
        }
    }

    pub fn write(&mut self, tab: &str, key: &str, title: &str, text: &str) {
        self.put(tab, key, title, CellContent::Text(text.to_owned()));
    }

    /// Puts a text right of a label of "Read me first".
    pub fn sign(&mut self, label: &str, text: &str) {
        for grid in &mut self.book.grids {
            let at = grid.rows.iter().find_map(|(&row, it)| {
                let (&column, _) = it.cells.iter().find(|(_, cell)| cell.shown() == label)?;
                Some((row, column + 1))
            });
            if let Some(place) = at {
                let content = CellContent::Text(text.to_owned());
                grid.put(place, ReturnedCell { content, formula: None });
                return;
            }
        }
        panic!("no label {label}");
    }

    pub fn delete(&mut self, tab: &str, key: &str) {
        let line = self.line(tab, key);
        let grid = self.grid(tab);
        let below = grid.rows.split_off(&line);
        grid.rows.extend(below.into_iter().skip(1).map(|(at, row)| (at - 1, row)));
    }

    /// Copies a row to the end of the tab.
    pub fn copy_to_end(&mut self, tab: &str, key: &str) -> u32 {
        let line = self.line(tab, key);
        let grid = self.grid(tab);
        let row = grid.rows[&line].clone();
        let last = *grid.rows.keys().last().unwrap() + 1;
        grid.rows.insert(last, row);
        last
    }

    /// Sorts the rows under the header by the text of a column, descending.
    pub fn sort_descending(&mut self, tab: &str, title: &str) {
        let column = self.column(tab, title);
        let grid = self.grid(tab);
        let header = *grid.rows.keys().next().unwrap();
        let mut rows: Vec<GridRow> = grid.rows.split_off(&(header + 1)).into_values().collect();
        let text =
            |row: &GridRow| row.cells.get(&column).map(ReturnedCell::shown).unwrap_or_default();
        rows.sort_by_key(|it| std::cmp::Reverse(text(it)));
        grid.rows.extend((header + 1..).zip(rows));
    }

    pub fn hide(&mut self, tab: &str, key: &str) {
        let line = self.line(tab, key);
        self.grid(tab).rows.get_mut(&line).unwrap().is_hidden = true;
    }

    pub fn merge(&mut self, tab: &str, first: (u32, u32), last: (u32, u32)) {
        let grid = self.grid(tab);
        for row in first.0..=last.0 {
            for column in first.1..=last.1 {
                if (row, column) != first
                    && let Some(it) = grid.rows.get_mut(&row)
                {
                    it.cells.remove(&column);
                }
            }
        }
        grid.merged.push(Area { first, last });
    }

    pub fn insert_row(&mut self, tab: &str, at: u32) {
        let grid = self.grid(tab);
        let below = grid.rows.split_off(&at);
        grid.rows.extend(below.into_iter().map(|(line, row)| (line + 1, row)));
        for area in &mut grid.merged {
            area.first.0 += u32::from(area.first.0 >= at);
            area.last.0 += u32::from(area.last.0 >= at);
        }
    }

    pub fn insert_column(&mut self, tab: &str, at: u32) {
        let grid = self.grid(tab);
        for row in grid.rows.values_mut() {
            let right = row.cells.split_off(&at);
            row.cells.extend(right.into_iter().map(|(column, cell)| (column + 1, cell)));
        }
        for area in &mut grid.merged {
            area.first.1 += u32::from(area.first.1 >= at);
            area.last.1 += u32::from(area.last.1 >= at);
        }
    }

    pub fn delete_column(&mut self, tab: &str, at: u32) {
        for row in self.grid(tab).rows.values_mut() {
            let right = row.cells.split_off(&at);
            row.cells.extend(right.into_iter().filter(|it| it.0 != at).map(|(c, it)| (c - 1, it)));
        }
    }

    pub fn rename(&mut self, tab: &str, name: &str) {
        name.clone_into(&mut self.grid(tab).name);
    }

    /// Saves as another program does.
    pub fn save(&self) -> Vec<u8> {
        let mut workbook = Workbook::new();
        workbook.set_zip_compression_level(0);
        let mut properties =
            DocProperties::new().set_creation_datetime(&ExcelDateTime::from_timestamp(0).unwrap());
        for (name, value) in &self.book.properties {
            properties = properties.set_custom_property(name, value.as_str());
        }
        workbook.set_properties(&properties);
        for grid in &self.book.grids {
            let sheet = workbook.add_worksheet();
            sheet.set_name(&grid.name).unwrap();
            sheet.set_hidden(grid.is_hidden);
            for area in grid.merged.iter().filter(|it| it.first != it.last) {
                let format = Format::new();
                let _ = sheet.merge_range(
                    area.first.0,
                    u16::try_from(area.first.1).unwrap(),
                    area.last.0,
                    u16::try_from(area.last.1).unwrap(),
                    "",
                    &format,
                );
            }
            for (&line, row) in &grid.rows {
                for (&column, cell) in &row.cells {
                    let column = u16::try_from(column).unwrap();
                    write_cell(sheet, line, column, cell);
                }
                if row.is_hidden {
                    sheet.set_row_hidden(line).unwrap();
                }
            }
            for &column in &grid.hidden_columns {
                sheet.set_column_hidden(u16::try_from(column).unwrap()).unwrap();
            }
        }
        workbook.save_to_buffer().unwrap()
    }

    /// Saves one tab as CSV, the way a spreadsheet does: texts as they are.
    pub fn save_csv(&self, tab: &str) -> Vec<u8> {
        let grid = self.book.grids.iter().find(|it| it.name == tab).unwrap();
        let last = grid.rows.values().flat_map(|it| it.cells.keys()).max().copied().unwrap_or(0);
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in grid.rows.values() {
            let record: Vec<String> = (0..=last)
                .map(|at| row.cells.get(&at).map(ReturnedCell::shown).unwrap_or_default())
                .collect();
            writer.write_record(&record).unwrap();
        }
        writer.into_inner().unwrap()
    }
}

fn write_cell(sheet: &mut rust_xlsxwriter::Worksheet, line: u32, column: u16, cell: &ReturnedCell) {
    if let Some(formula) = &cell.formula {
        let formula = Formula::new(format!("={formula}")).set_result(cell.shown());
        sheet.write_formula(line, column, formula).unwrap();
        return;
    }
    match &cell.content {
        CellContent::Empty => {}
        CellContent::Text(text) => {
            sheet.write_string(line, column, text).unwrap();
        }
        CellContent::Number(number) => {
            sheet.write_number(line, column, number.parse::<f64>().unwrap()).unwrap();
        }
        CellContent::Bool(it) => {
            sheet.write_boolean(line, column, *it).unwrap();
        }
        CellContent::Date(date) => {
            let format = Format::new().set_num_format("yyyy-mm-dd");
            let date = ExcelDateTime::parse_from_str(date).unwrap();
            sheet.write_datetime_with_format(line, column, &date, &format).unwrap();
        }
        CellContent::Error(text) => {
            sheet.write_string(line, column, text).unwrap();
        }
    }
}
