//! A quote cut into pieces for people: the words around it, the quoted words, the number in them.
//!
//! Only ever slices: nothing is added, folded or left out here.

use crate::model::claim::{Claim, Value};
use crate::model::row::RowRecord;

/// How a piece is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emphasis {
    Plain,
    Quote,
    Number,
    /// Our own words beside the page's.
    Remark,
}

/// The sentence before and after the snippet; both empty where the sentence does not hold it.
pub fn around_quote(row: &RowRecord) -> (&str, &str) {
    let snippet = row.claim.snippet.as_str();
    if snippet.is_empty() {
        return (row.sentence.as_str(), "");
    }
    row.sentence.split_once(snippet).unwrap_or(("", ""))
}

/// The snippet, the claim's own numbers set apart.
pub fn quoted_pieces(claim: &Claim) -> Vec<(Emphasis, &str)> {
    let snippet = claim.snippet.as_str();
    let mut pieces = Vec::new();
    let mut from = 0;
    for (start, end) in number_places(snippet, &claim.value) {
        pieces.push((Emphasis::Quote, &snippet[from..start]));
        pieces.push((Emphasis::Number, &snippet[start..end]));
        from = end;
    }
    pieces.push((Emphasis::Quote, &snippet[from..]));
    pieces.retain(|(_, text)| !text.is_empty());
    pieces
}

/// Where the claim's numbers stand in the snippet, written in digits.
fn number_places(snippet: &str, value: &Value) -> Vec<(usize, usize)> {
    let wanted = numbers_of(value);
    let mut places = Vec::new();
    let mut start = None;
    let mut digits = String::new();
    for (at, it) in snippet.char_indices().chain([(snippet.len(), ' ')]) {
        let folded = match it {
            '０'..='９' => char::from_u32(it as u32 - '０' as u32 + '0' as u32).unwrap_or(it),
            '．' => '.',
            '，' => ',',
            other => other,
        };
        let goes_on = start.is_some() && matches!(folded, '.' | ',');
        if folded.is_ascii_digit() || goes_on {
            start.get_or_insert(at);
            if folded != ',' {
                digits.push(folded);
            }
            continue;
        }
        if let Some(from) = start.take() {
            let token = snippet[from..at].trim_end_matches(['.', ',', '．', '，']);
            if wanted.iter().any(|it| it == digits.trim_end_matches('.')) {
                places.push((from, from + token.len()));
            }
        }
        digits.clear();
    }
    places
}

fn numbers_of(value: &Value) -> Vec<String> {
    match value {
        Value::Number(it) => vec![it.to_string()],
        Value::Text(it) if it.chars().all(|c| c.is_ascii_digit() || c == '.') => vec![it.clone()],
        Value::List(items) => items.iter().flat_map(numbers_of).collect(),
        _ => Vec::new(),
    }
}
