//! A quote cut into pieces for people: the words around it, the quoted words, the number in them.
//!
//! Only ever slices: nothing is added, folded or left out here.

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::model::claim::{Claim, Value};
use crate::model::row::RowRecord;
use crate::text::amounts::quantity::read_all;
use crate::text::span::Span;

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

/// Where the claim's own numbers and dates stand in the snippet, in whatever spelling.
fn number_places(snippet: &str, value: &Value) -> Vec<(usize, usize)> {
    let mut wanted = Wanted::default();
    wanted.add(value);
    if wanted.numbers.is_empty() && wanted.dates.is_empty() {
        return Vec::new();
    }
    if let Some(places) = plain_places(snippet, &wanted) {
        return places;
    }
    let readings = read_all(snippet);
    let mut spans: Vec<Span> = Vec::new();
    for date in readings.dates.iter().flat_map(|it| &it.dates) {
        if date.candidates.iter().filter_map(|it| it.date()).any(|it| wanted.dates.contains(&it)) {
            spans.push(date.span);
        }
    }
    for number in readings.numbers.iter().filter(|it| it.is_value()) {
        let values = [Some(number.value), number.percent(), number.ratio()];
        if values.iter().flatten().any(|it| wanted.numbers.contains(&it.normalize())) {
            spans.push(number.span);
        }
    }
    spans.sort_unstable();
    let mut places: Vec<(usize, usize)> = Vec::new();
    for span in spans {
        if places.last().is_none_or(|it| it.1 <= span.start) {
            places.push((span.start, span.end));
        }
    }
    places
}

/// The places where every wanted number stands in plain digits, once each; `None` where the snippet
/// has to be read. Most do not, and reading is what costs.
fn plain_places(snippet: &str, wanted: &Wanted) -> Option<Vec<(usize, usize)>> {
    if !wanted.dates.is_empty() {
        return None;
    }
    let is_part = |it: char| it.is_numeric() || matches!(it, '.' | ',' | '-');
    let mut places = Vec::new();
    for number in &wanted.numbers {
        let digits = number.to_string();
        let mut found = snippet.match_indices(&digits);
        let (at, end) = found.next().map(|(at, it)| (at, at + it.len()))?;
        let before = snippet[..at].chars().next_back();
        let after = snippet[end..].chars().next();
        let is_whole = !before.is_some_and(is_part) && !after.is_some_and(is_part);
        if found.next().is_some() || !is_whole {
            return None;
        }
        places.push((at, end));
    }
    places.sort_unstable();
    Some(places)
}

#[derive(Default)]
struct Wanted {
    numbers: Vec<Decimal>,
    dates: Vec<Date>,
}

impl Wanted {
    fn add(&mut self, value: &Value) {
        match value {
            Value::Number(it) => {
                self.numbers
                    .extend(it.to_string().parse::<Decimal>().ok().map(|it| it.normalize()));
            }
            Value::Text(it) => {
                self.dates.extend(it.trim().parse::<Date>().ok());
                self.numbers.extend(it.trim().parse::<Decimal>().ok().map(|it| it.normalize()));
            }
            Value::List(items) => items.iter().for_each(|it| self.add(it)),
            Value::Null | Value::Bool(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(snippet: &str, value: Value) -> Vec<String> {
        let claim = Claim { snippet: snippet.into(), value, ..Claim::default() };
        let pieces = quoted_pieces(&claim);
        assert_eq!(pieces.iter().map(|it| it.1).collect::<String>(), snippet);
        let is_number = |it: &&(Emphasis, &str)| it.0 == Emphasis::Number;
        pieces.iter().filter(is_number).map(|it| it.1.to_owned()).collect()
    }

    #[test]
    fn the_claims_number_is_found_in_whatever_spelling() {
        let number = |it: i64| Value::Number(it.into());
        assert_eq!(numbers("aged 65 or over, or 60 if disabled", number(65)), ["65"]);
        assert_eq!(numbers("年滿六十五歲", number(65)), ["六十五"]);
        assert_eq!(numbers("not more than $10,330 a month", number(10_330)), ["10,330"]);
        assert_eq!(numbers("sixty-five years of age", number(65)), ["sixty-five"]);
        let day = Value::Text("2027-09-30".into());
        assert_eq!(numbers("至民國116年9月30日止", day), ["民國116年9月30日"]);
        let range = Value::List(vec![number(18), number(25)]);
        assert_eq!(numbers("between 18 and 25", range), ["18", "25"]);
        assert_eq!(numbers("no number here", Value::Text("words".into())), Vec::<String>::new());
    }
}
