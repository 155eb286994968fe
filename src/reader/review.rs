//! Goes through rows again, by another road than the extraction: from the page's sentences.
//!
//! Pure and deterministic. It never takes a row's word for anything: it reads the sentence the quote
//! stands in on its own, and each verdict has its own quote out of the ask's text.

use std::collections::BTreeMap;

use crate::model::ask::{Ask, ReviewReply, ReviewVerdict, ReviewWord};
use crate::model::claim::Claim;
use crate::reader::objection::{Objection, first_objection};
use crate::reader::omitted::find_omitted;
use crate::reader::reread::{Placed, Quoted, Reread};
use crate::text::span::Span;

/// One verdict for each row of the ask, and the rows found missing.
pub fn review(ask: &Ask) -> ReviewReply {
    let reread = Reread::new(&ask.text, &ask.page_title, &ask.heading_path);
    let places = place_rows(&ask.text, &ask.rows);
    let rows = ask.rows.iter().zip(&places);
    let placed: Vec<Placed<'_>> =
        rows.clone().filter_map(|(row, place)| place.map(|quote| Placed { row, quote })).collect();
    let quoted = Quoted::new(&placed);
    let verdicts = rows.map(|(row, place)| verdict_on(&reread, row, *place, &quoted)).collect();
    ReviewReply { verdicts, missing: find_omitted(ask, &reread, &quoted) }
}

/// One text read for review, to hold single rows against.
pub struct SecondLook<'a> {
    reread: Reread<'a>,
}

impl<'a> SecondLook<'a> {
    /// Reads the text of an item that stands under these headings.
    pub fn new(text: &'a str, page_title: &str, heading_path: &[String]) -> Self {
        Self { reread: Reread::new(text, page_title, heading_path) }
    }

    /// True where none of the rows at `those` would be confirmed among all rows, in the order shown.
    pub fn objects_to(&self, rows: &[Claim], those: &[usize]) -> bool {
        let places = place_rows(self.reread.text, rows);
        let placed: Vec<Placed<'_>> = rows
            .iter()
            .zip(&places)
            .filter_map(|(row, place)| place.map(|quote| Placed { row, quote }))
            .collect();
        let quoted = Quoted::new(&placed);
        those.iter().all(|at| match (rows.get(*at), places.get(*at).copied().flatten()) {
            (Some(row), Some(quote)) => {
                first_objection(&self.reread, Placed { row, quote }, &quoted).is_some()
            }
            _ => true,
        })
    }
}

/// Where each quote stands. Rows come in reading order, so the search goes on from the row before.
/// Equal rows take the places of their words one after the other, so that two like sentences are not
/// both read as the first.
fn place_rows(text: &str, rows: &[Claim]) -> Vec<Option<Span>> {
    let mut next: BTreeMap<String, usize> = BTreeMap::new();
    let mut last = 0;
    rows.iter()
        .map(|row| {
            let quote = row.snippet.as_str();
            if quote.is_empty() {
                return None;
            }
            let key = format!("{} {} {} {quote}", row.field, row.op.as_str(), row.value);
            let from = next.get(&key).copied().unwrap_or(last);
            let found = text.get(from..).and_then(|it| it.find(quote)).map(|at| from + at);
            let start = found.or_else(|| text.find(quote))?;
            next.insert(key, start + quote.len());
            last = start;
            Some(Span::new(start, start + quote.len()))
        })
        .collect()
}

fn verdict_on(
    reread: &Reread<'_>,
    row: &Claim,
    place: Option<Span>,
    quoted: &Quoted,
) -> ReviewVerdict {
    let verdict = |verdict, reason: String, snippet: &str, corrected| ReviewVerdict {
        id: row.id.clone(),
        verdict,
        reason,
        snippet: snippet.to_owned(),
        corrected,
    };
    let Some(quote) = place else {
        let reason = "The quoted words do not stand in the text.".to_owned();
        let nearest = reread.sentences.first().map_or("", |it| reread.words(*it));
        return verdict(ReviewWord::Wrong, reason, nearest, None);
    };
    let around = reread.words(reread.sentence_around(quote));
    match first_objection(reread, Placed { row, quote }, quoted) {
        None => verdict(ReviewWord::Confirmed, String::new(), around, None),
        Some(Objection { word, reason, corrected }) => {
            let corrected = corrected.map(|it| Claim { snippet: around.to_owned(), ..it });
            verdict(word, reason, around, corrected)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::claim::Value;

    #[test]
    fn words_of_another_sentence_are_no_value_of_this_one() {
        let cases = [
            (
                "Bring your boat card to the harbour office. You must be a resident of the harbour.",
                "You must be a resident of the harbour",
                ["a resident of the harbour", "Bring your boat card"],
            ),
            (
                "申請人應備妥身分證明文件。渡輪卡由管理處核發。",
                "渡輪卡由管理處核發",
                ["由管理處核發", "備妥身分證明文件"],
            ),
        ];
        for (text, quote, values) in cases {
            let look = SecondLook::new(text, "", &[]);
            let objects = values.map(|value| {
                let row = Claim {
                    snippet: quote.to_owned(),
                    value: Value::Text(value.to_owned()),
                    ..Claim::default()
                };
                look.objects_to(&[row], &[0])
            });
            assert_eq!(objects, [false, true], "{quote}");
        }
    }
}
