//! Approved rows for other programs: JSON lines, CSV, W3C Web Annotations. Only [`Approved`] rows can
//! be given here, so nothing unsigned leaves by this door.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value as Json, json};

use crate::model::quote::around_quote;
use crate::model::row::RowRecord;
use crate::model::signing::RecordedDecision;
use crate::signoff::approved::Approved;
use crate::signoff::parquet::{Column, write_parquet};
use crate::text::glyphs::neutral::{neutralise, restore};

/// Characters of context on each side of an exact quote.
const CONTEXT_CHARS: usize = 32;

/// One object a line: the row as in `extracted/`, and the decision it rests on.
pub fn approved_jsonl(rows: &[Approved]) -> String {
    #[derive(Serialize)]
    struct Line<'a> {
        row: &'a RowRecord,
        decision: &'a RecordedDecision,
    }
    let mut text = String::new();
    for it in rows {
        let line = Line { row: it.row(), decision: it.decision() };
        text.push_str(&serde_json::to_string(&line).unwrap_or_default());
        text.push('\n');
    }
    text
}

/// The columns of the CSV file, in order.
pub const CSV_COLUMNS: [&str; 25] = [
    "key",
    "source",
    "page",
    "page_title",
    "item",
    "subject",
    "field",
    "op",
    "value",
    "unit",
    "join",
    "group",
    "force",
    "snippet",
    "sentence",
    "byte_start",
    "byte_end",
    "char_start",
    "char_end",
    "snapshot",
    "text",
    "decision",
    "signer",
    "signed_at",
    "file_digest",
];

/// A table with a header. No cell is one that a spreadsheet would run; [`read_approved_csv`] gives
/// the texts back as they were.
pub fn approved_csv(rows: &[Approved]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing to memory does not fail.
    let _ = writer.write_record(CSV_COLUMNS);
    for it in rows {
        let cells = csv_cells(it.row(), it.decision());
        let _ = writer.write_record(cells.iter().map(|cell| neutralise(cell)));
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// The same table as a Parquet file: empty cells are null, places are integers.
pub fn approved_parquet(project: &str, rows: &[Approved]) -> Vec<u8> {
    const INTEGERS: [&str; 4] = ["byte_start", "byte_end", "char_start", "char_end"];
    let cells: Vec<Vec<String>> =
        rows.iter().map(|it| csv_cells(it.row(), it.decision())).collect();
    let column = |at: usize, name: &str| {
        let texts = cells.iter().map(|it| it.get(at).filter(|it| !it.is_empty()));
        match INTEGERS.contains(&name) {
            true => Column::Integer(texts.map(|it| it?.parse().ok()).collect()),
            false => Column::Text(texts.map(Option::<&String>::cloned).collect()),
        }
    };
    let columns: Vec<(&str, Column)> =
        CSV_COLUMNS.iter().enumerate().map(|(at, &name)| (name, column(at, name))).collect();
    let properties =
        [("countersign.format", "countersign.approved/1"), ("countersign.project", project)];
    write_parquet(&columns, &properties)
}

/// Reads such a table back: column -> text, row by row.
///
/// # Errors
/// When the text is no CSV with a header.
pub fn read_approved_csv(text: &str) -> Result<Vec<BTreeMap<String, String>>, csv::Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header: Vec<String> = reader.headers()?.iter().map(str::to_owned).collect();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record?;
        rows.push(header.iter().cloned().zip(record.iter().map(restore)).collect());
    }
    Ok(rows)
}

fn csv_cells(row: &RowRecord, decision: &RecordedDecision) -> Vec<String> {
    let claim = &row.claim;
    let spans = row.place.map(|it| [it.bytes.start, it.bytes.end, it.chars.start, it.chars.end]);
    let span = |at: usize| spans.map_or(String::new(), |it| it[at].to_string());
    vec![
        row.key.clone(),
        row.source.clone(),
        row.page.clone(),
        row.page_title.clone(),
        row.item.clone(),
        claim.subject.clone(),
        claim.field.clone(),
        claim.op.as_str().to_owned(),
        claim.value.to_string(),
        claim.unit.clone().unwrap_or_default(),
        claim.join.map_or("", |it| it.as_str()).to_owned(),
        claim.group.clone().unwrap_or_default(),
        claim.force.map_or("", |it| it.as_str()).to_owned(),
        claim.snippet.clone(),
        row.sentence.clone(),
        span(0),
        span(1),
        span(2),
        span(3),
        row.snapshot.clone(),
        row.text.clone(),
        decision.word.as_str().to_owned(),
        decision.signer.clone(),
        decision.signed_at.clone(),
        decision.file_digest.clone(),
    ]
}

/// A W3C Web Annotation page: each row a body, its quote the target with TextQuoteSelector and
/// TextPositionSelector. Positions count Unicode characters of the canonical text, which the target's
/// state names by its digest; the live page may have moved on.
pub fn approved_annotations(project: &str, rows: &[Approved]) -> String {
    let items: Vec<Json> =
        rows.iter().map(|it| annotation(project, it.row(), it.decision())).collect();
    let page = json!({
        "@context": "http://www.w3.org/ns/anno.jsonld",
        "id": format!("urn:countersign:{project}:approved"),
        "type": "AnnotationPage",
        "items": items,
    });
    serde_json::to_string_pretty(&page).unwrap_or_default() + "\n"
}

fn annotation(project: &str, row: &RowRecord, decision: &RecordedDecision) -> Json {
    let (before, after) = around_quote(row);
    let mut selectors = vec![json!({
        "type": "TextQuoteSelector",
        "exact": row.claim.snippet,
        "prefix": last_chars(before, CONTEXT_CHARS),
        "suffix": after.chars().take(CONTEXT_CHARS).collect::<String>(),
    })];
    if let Some(place) = row.place {
        selectors.push(json!({
            "type": "TextPositionSelector",
            "start": place.chars.start,
            "end": place.chars.end,
        }));
    }
    json!({
        "id": format!("urn:countersign:{project}:{}", row.key),
        "type": "Annotation",
        "motivation": "assessing",
        "creator": { "type": "Person", "name": decision.signer },
        "created": decision.signed_at,
        "body": [{
            "type": "Dataset",
            "format": "application/json",
            "purpose": "describing",
            "value": row.claim,
        }],
        "target": {
            "type": "SpecificResource",
            "source": row.page,
            "state": { "type": "TimeState", "cached": format!("urn:sha256:{}", row.text) },
            "selector": selectors,
        },
    })
}

fn last_chars(text: &str, count: usize) -> String {
    let skip = text.chars().count().saturating_sub(count);
    text.chars().skip(skip).collect()
}
