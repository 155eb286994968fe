//! Labelled rows as they stand in a gold file, one JSON object a line.
//!
//! Never repairs a label: a line that cannot be read is an error with its number.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::model::claim::Claim;

/// One labelled row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// `path?query` of the page.
    pub page: String,
    /// The row as the annotator states it.
    pub claim: Claim,
    /// The annotator was not sure: counted neither as missed nor as wrong.
    pub is_unsure: bool,
}

/// Which items of a page the annotator went through, where that is not the whole page.
///
/// Page (`path?query`) -> item keys. A page that is not named is covered as a whole.
pub type Coverage = BTreeMap<String, Vec<String>>;

/// A gold file: the labels, and what of their pages they cover.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gold {
    pub labels: Vec<Label>,
    pub coverage: Coverage,
}

/// Why a gold file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum GoldError {
    #[error(
        "line {line} of the labelled rows is not a labelled row: {cause}; expected an object with \
         `page` and the keys of a claim, or one header `{{\"covered\": {{page: [item, …]}}}}`"
    )]
    Line { line: usize, cause: serde_json::Error },
    #[error("line {line} of the labelled rows names no page")]
    NoPage { line: usize },
    #[error("the labelled rows are empty: nothing can be scored")]
    Empty,
}

#[derive(Deserialize)]
struct RawLabel {
    #[serde(default)]
    page: String,
    #[serde(default)]
    unsure: bool,
    #[serde(flatten)]
    claim: Claim,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    covered: Coverage,
}

/// Reads a gold file. Keys beside those of a claim (`note`) are allowed and ignored.
///
/// # Errors
/// When a line is no label and no header, when a label names no page, and when there is none.
pub fn read_gold(text: &str) -> Result<Gold, GoldError> {
    let mut gold = Gold::default();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let line_no = at + 1;
        if let Ok(header) = serde_json::from_str::<Header>(line) {
            gold.coverage.extend(header.covered);
            continue;
        }
        let raw: RawLabel =
            serde_json::from_str(line).map_err(|cause| GoldError::Line { line: line_no, cause })?;
        if raw.page.is_empty() {
            return Err(GoldError::NoPage { line: line_no });
        }
        gold.labels.push(Label { page: raw.page, claim: raw.claim, is_unsure: raw.unsure });
    }
    if gold.labels.is_empty() { Err(GoldError::Empty) } else { Ok(gold) }
}

/// `path?query` of an address; what is no address is taken as it is.
pub fn page_key(address: &str) -> String {
    let Ok(url) = url::Url::parse(address) else { return address.to_owned() };
    match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_line_says_what_is_covered() {
        let text = concat!(
            "{\"covered\": {\"/law?id=1\": [\"art-1\", \"art-2\"]}}\n",
            "{\"page\": \"/law?id=1\", \"id\": \"r1\", \"field\": \"age\", \"op\": \">=\", ",
            "\"value\": 65, \"snippet\": \"年滿六十五歲\", \"note\": \"x\", \"unsure\": true}\n",
        );
        let gold = read_gold(text).unwrap();
        assert_eq!(gold.coverage["/law?id=1"], ["art-1", "art-2"]);
        assert!(gold.labels[0].is_unsure);
        assert_eq!(gold.labels[0].claim.field, "age");
    }

    #[test]
    fn a_line_that_is_no_label_is_named_by_its_number() {
        let error = read_gold("\n{\"page\": 3}\n").unwrap_err();
        assert!(error.to_string().starts_with("line 2 "), "{error}");
        assert!(matches!(read_gold(" \n"), Err(GoldError::Empty)));
    }

    #[test]
    fn pages_meet_by_path_and_query() {
        assert_eq!(page_key("http://127.0.0.1:80/a/b?x=1#top"), "/a/b?x=1");
        assert_eq!(page_key("/a/b?x=1"), "/a/b?x=1");
    }
}
