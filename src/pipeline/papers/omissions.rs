//! Sentences that state a rule or a number and that no row uses, as questions for the client.
//!
//! They are no rows: they stand in the sheet, not under `extracted/`, and hold no value.

use std::collections::BTreeMap;

use crate::ask::canonical::hex_sha256;
use crate::gate::page::PageText;
use crate::model::claim::{Claim, Op, Value};
use crate::model::finding::{Code, Finding, Verdict};
use crate::model::row::{RowRecord, RowStatus};
use crate::model::source::Source;
use crate::pipeline::papers::paper::PagePaper;

/// One question for each open sentence of a page, in reading order.
pub fn omissions_of(page: &PagePaper, language: &str) -> Vec<RowRecord> {
    if page.text.is_empty() || page.ledger.omissions().next().is_none() {
        return Vec::new();
    }
    let indexed = PageText::index(&page.text);
    let detail = if language.starts_with("zh") {
        "這一句有規定或數字，但沒有資料列載明；請確認是否遺漏。"
    } else {
        "This sentence states a rule or a number and no row has it; please see whether something is missing."
    };
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    page.ledger
        .omissions()
        .map(|span| {
            let sentence = indexed.slice(span).to_owned();
            let count = seen.entry(sentence.clone()).or_default();
            *count += 1;
            let number = if *count > 1 { format!("~{count}") } else { String::new() };
            let key =
                hex_sha256([page.source.as_str(), &page.url, &sentence].join("\u{1f}").as_bytes());
            let heading_path: Vec<String> = headings_above(&indexed, span.start);
            RowRecord {
                key: format!("{}-open-{}{number}", page.source, &key[..12]),
                claim: Claim {
                    subject: heading_path.last().unwrap_or(&page.title).clone(),
                    op: Op::Is,
                    value: Value::Null,
                    snippet: sentence.clone(),
                    ..Claim::default()
                },
                within: Vec::new(),
                source: page.source.clone(),
                page: page.url.clone(),
                page_title: page.title.clone(),
                item: String::new(),
                heading_path,
                snapshot: page.snapshot.clone(),
                text: hex_sha256(page.text.as_bytes()),
                place: Some(indexed.place(span)),
                sentence,
                lead_in: String::new(),
                footnotes: String::new(),
                status: RowStatus::Flagged,
                verdict: Verdict::Flag,
                findings: vec![Finding {
                    code: Code::Omission,
                    detail: detail.to_owned(),
                    place: Some(span),
                    evidence: None,
                }],
                review: None,
                read_by: String::new(),
                ask: String::new(),
            }
        })
        .collect()
}

/// The questions of all pages, each in its source's language.
pub fn omissions_of_pages(pages: &[PagePaper], sources: &[Source]) -> Vec<RowRecord> {
    pages
        .iter()
        .flat_map(|page| {
            let source = sources.iter().find(|it| it.id == page.source);
            omissions_of(page, source.map_or("en", |it| &it.language))
        })
        .collect()
}

fn headings_above(page: &PageText, at: usize) -> Vec<String> {
    let outline = page.outline();
    let Some(block) = outline.block_at(at) else { return Vec::new() };
    let path = outline.heading_path(block).into_iter();
    path.filter_map(|it| outline.blocks.get(it))
        .map(|it| page.slice(it.content).to_owned())
        .collect()
}
