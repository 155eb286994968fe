//! Approved rows as an Apache Parquet file, written without a library: one flat table of optional
//! text and integer columns, plain encoding, no compression. Never a value that the rows do not hold.
//!
//! Source of the layout: the Parquet format specification 2.11 (`parquet.thrift`, "Encodings") and the
//! Thrift compact protocol. Any reader of the format opens it.

/// A column and its cells; a missing cell is null.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    Text(Vec<Option<String>>),
    Integer(Vec<Option<i64>>),
}

impl Column {
    fn kind(&self) -> i32 {
        match self {
            Self::Integer(_) => INT64,
            Self::Text(_) => BYTE_ARRAY,
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Text(cells) => cells.len(),
            Self::Integer(cells) => cells.len(),
        }
    }
}

const INT64: i32 = 2;
const BYTE_ARRAY: i32 = 6;
const PLAIN: i32 = 0;
const RLE: i32 = 3;
const OPTIONAL: i32 = 1;
const UTF8: i32 = 0;
const MAGIC: &[u8] = b"PAR1";
/// Rows of one row group; pages count their bytes in 31 bits.
const GROUP_ROWS: usize = 20_000;

/// The file. Columns have to be of one length; `properties` are written as key and value.
pub fn write_parquet(columns: &[(&str, Column)], properties: &[(&str, &str)]) -> Vec<u8> {
    let rows = columns.first().map_or(0, |it| it.1.len());
    let mut file = MAGIC.to_vec();
    let mut groups = Vec::new();
    let mut first = 0;
    while first < rows {
        let last = (first + GROUP_ROWS).min(rows);
        let chunks: Vec<Chunk> =
            columns.iter().map(|it| write_chunk(&mut file, &it.1, first..last)).collect();
        groups.push((chunks, last - first));
        first = last;
    }
    let footer = footer(columns, &groups, rows, properties);
    file.extend_from_slice(&footer);
    file.extend_from_slice(&count32(footer.len()).to_le_bytes());
    file.extend_from_slice(MAGIC);
    file
}

/// Where one column of one group stands.
struct Chunk {
    offset: usize,
    bytes: usize,
}

fn write_chunk(file: &mut Vec<u8>, column: &Column, rows: std::ops::Range<usize>) -> Chunk {
    let count = rows.len();
    let (levels, values) = match column {
        Column::Text(cells) => {
            let mut values = Vec::new();
            for text in cells[rows.clone()].iter().flatten() {
                values.extend_from_slice(&count32(text.len()).to_le_bytes());
                values.extend_from_slice(text.as_bytes());
            }
            (levels(cells[rows].iter().map(Option::is_some)), values)
        }
        Column::Integer(cells) => {
            let values = cells[rows.clone()].iter().flatten().flat_map(|it| it.to_le_bytes());
            (levels(cells[rows.clone()].iter().map(Option::is_some)), values.collect())
        }
    };
    let mut page = count32(levels.len()).to_le_bytes().to_vec();
    page.extend_from_slice(&levels);
    page.extend_from_slice(&values);
    let mut header = Thrift::default();
    header.i32(1, 0);
    header.i32(2, size32(page.len()));
    header.i32(3, size32(page.len()));
    header.structure(5, |it| {
        it.i32(1, size32(count));
        it.i32(2, PLAIN);
        it.i32(3, RLE);
        it.i32(4, RLE);
    });
    let header = header.finish();
    let offset = file.len();
    file.extend_from_slice(&header);
    file.extend_from_slice(&page);
    Chunk { offset, bytes: header.len() + page.len() }
}

/// Which cells are there, as runs: one bit a cell.
fn levels(present: impl Iterator<Item = bool>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut run: Option<(bool, u64)> = None;
    let close = |run: Option<(bool, u64)>, bytes: &mut Vec<u8>| {
        if let Some((is_there, length)) = run {
            varint(length << 1, bytes);
            bytes.push(u8::from(is_there));
        }
    };
    for is_there in present {
        run = match run {
            Some((held, length)) if held == is_there => Some((held, length + 1)),
            other => {
                close(other, &mut bytes);
                Some((is_there, 1))
            }
        };
    }
    close(run, &mut bytes);
    bytes
}

fn footer(
    columns: &[(&str, Column)],
    groups: &[(Vec<Chunk>, usize)],
    rows: usize,
    properties: &[(&str, &str)],
) -> Vec<u8> {
    let mut meta = Thrift::default();
    meta.i32(1, 1);
    meta.list(2, STRUCT, columns.len() + 1, |at, it| match at.checked_sub(1) {
        None => {
            it.text(4, "approved");
            it.i32(5, size32(columns.len()));
        }
        Some(at) => write_element(it, columns[at].0, &columns[at].1),
    });
    meta.i64(3, size64(rows));
    meta.list(4, STRUCT, groups.len(), |at, it| {
        let (chunks, count) = &groups[at];
        it.list(1, STRUCT, chunks.len(), |at, it| {
            let (chunk, (name, column)) = (&chunks[at], &columns[at]);
            it.i64(2, size64(chunk.offset));
            it.structure(3, |it| write_chunk_meta(it, (name, column), chunk, *count));
        });
        it.i64(2, size64(chunks.iter().map(|it| it.bytes).sum()));
        it.i64(3, size64(*count));
    });
    meta.list(5, STRUCT, properties.len(), |at, it| {
        it.text(1, properties[at].0);
        it.text(2, properties[at].1);
    });
    meta.text(6, concat!("countersign version ", env!("CARGO_PKG_VERSION")));
    meta.finish()
}

fn write_element(it: &mut Thrift, name: &str, column: &Column) {
    it.i32(1, column.kind());
    it.i32(3, OPTIONAL);
    it.text(4, name);
    if matches!(column, Column::Text(_)) {
        it.i32(6, UTF8);
        it.structure(10, |it| it.structure(1, |_| {}));
    }
}

fn write_chunk_meta(it: &mut Thrift, (name, column): (&str, &Column), chunk: &Chunk, rows: usize) {
    it.i32(1, column.kind());
    it.list_of_i32(2, &[PLAIN, RLE]);
    it.list_of_text(3, &[name]);
    it.i32(4, 0);
    it.i64(5, size64(rows));
    it.i64(6, size64(chunk.bytes));
    it.i64(7, size64(chunk.bytes));
    it.i64(9, size64(chunk.offset));
}

const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// One struct in the compact protocol; fields have to come in rising order.
#[derive(Default)]
struct Thrift {
    bytes: Vec<u8>,
    last: u8,
}

impl Thrift {
    fn field(&mut self, id: u8, kind: u8) {
        self.bytes.push((id - self.last) << 4 | kind);
        self.last = id;
    }

    fn i32(&mut self, id: u8, value: i32) {
        self.field(id, I32);
        varint(zigzag(i64::from(value)), &mut self.bytes);
    }

    fn i64(&mut self, id: u8, value: i64) {
        self.field(id, I64);
        varint(zigzag(value), &mut self.bytes);
    }

    fn text(&mut self, id: u8, value: &str) {
        self.field(id, BINARY);
        self.bare_text(value);
    }

    fn bare_text(&mut self, value: &str) {
        varint(value.len() as u64, &mut self.bytes);
        self.bytes.extend_from_slice(value.as_bytes());
    }

    fn structure(&mut self, id: u8, fill: impl FnOnce(&mut Thrift)) {
        self.field(id, STRUCT);
        self.nested(fill);
    }

    fn nested(&mut self, fill: impl FnOnce(&mut Thrift)) {
        let mut inner = Thrift::default();
        fill(&mut inner);
        self.bytes.extend(inner.finish());
    }

    fn list(&mut self, id: u8, kind: u8, count: usize, mut fill: impl FnMut(usize, &mut Thrift)) {
        self.list_header(id, kind, count);
        for at in 0..count {
            self.nested(|it| fill(at, it));
        }
    }

    fn list_of_i32(&mut self, id: u8, values: &[i32]) {
        self.list_header(id, I32, values.len());
        for &value in values {
            varint(zigzag(i64::from(value)), &mut self.bytes);
        }
    }

    fn list_of_text(&mut self, id: u8, values: &[&str]) {
        self.list_header(id, BINARY, values.len());
        for value in values {
            self.bare_text(value);
        }
    }

    fn list_header(&mut self, id: u8, kind: u8, count: usize) {
        self.field(id, LIST);
        match u8::try_from(count) {
            Ok(count) if count < 15 => self.bytes.push(count << 4 | kind),
            _ => {
                self.bytes.push(0xF0 | kind);
                varint(count as u64, &mut self.bytes);
            }
        }
    }

    fn finish(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)).cast_unsigned()
}

fn varint(mut value: u64, bytes: &mut Vec<u8>) {
    loop {
        let low = (value & 0x7F).to_le_bytes()[0];
        value >>= 7;
        if value == 0 {
            bytes.push(low);
            return;
        }
        bytes.push(low | 0x80);
    }
}

fn count32(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn size32(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

fn size64(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_runs_are_those_of_the_specification() {
        let of = |value| {
            let mut bytes = Vec::new();
            varint(value, &mut bytes);
            bytes
        };
        assert_eq!((of(0), of(127), of(300)), (vec![0], vec![127], vec![0xAC, 2]));
        assert_eq!((zigzag(0), zigzag(-1), zigzag(1), zigzag(i64::MIN)), (0, 1, 2, u64::MAX));
        assert_eq!(levels([true, true, false].into_iter()), [4, 1, 2, 0]);
        assert!(levels(std::iter::empty()).is_empty());
    }

    #[test]
    fn the_file_is_framed_and_the_same_rows_give_the_same_bytes() {
        let columns = [
            ("鍵", Column::Text(vec![Some("甲".into()), None, Some(String::new())])),
            ("start", Column::Integer(vec![Some(-1), Some(i64::MAX), None])),
        ];
        let file = write_parquet(&columns, &[("format", "x")]);
        assert_eq!(file, write_parquet(&columns, &[("format", "x")]));
        assert!(file.starts_with(MAGIC) && file.ends_with(MAGIC));
        let end = file.len() - 8;
        let length = u32::from_le_bytes(file[end..end + 4].try_into().unwrap()) as usize;
        assert!(length < end && String::from_utf8_lossy(&file[end - length..end]).contains("鍵"));
    }
}
