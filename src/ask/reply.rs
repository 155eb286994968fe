//! Reads the reply of an extractor or a reviewer, however untidy, into rows and verdicts.
//!
//! One unreadable row never costs the others, and nothing is filled in: what cannot be read is
//! reported as malformed with the reason.

use std::collections::BTreeMap;

use crate::ask::json::{Json, Object, find_json};
use crate::ask::stated::{read_claim, read_group, read_verdict};
use crate::model::ask::{ExtractReply, ReviewReply};

/// An extractor's reply, as far as it could be read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParsedExtract {
    /// The readable rows and groups, in order.
    pub reply: ExtractReply,
    /// The rows that could not be read.
    pub malformed: Vec<MalformedRow>,
    /// True where the reply was cut: by its own text or by the provider's word (`finish`).
    pub is_truncated: bool,
    /// Why nothing at all could be read; the rows are then empty.
    pub unreadable: Option<String>,
    /// True where the reader or its provider refused to answer; asked again, it would refuse again.
    pub is_refused: bool,
    /// For a reply in parts (`docs`): the name of each part that was answered, and the index of
    /// its first row and the one past its last in `reply.rows`. Empty for a reply in one piece.
    pub docs: Vec<DocAnswer>,
}

impl From<ExtractReply> for ParsedExtract {
    fn from(reply: ExtractReply) -> Self {
        Self { reply, ..Self::default() }
    }
}

/// The rows of one document of a reply in parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocAnswer {
    /// The document's name as the reply gives it.
    pub doc: String,
    /// Rows `first..end` of the reply are about it.
    pub first: usize,
    pub end: usize,
}

/// A row that could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MalformedRow {
    /// How many readable rows stand before it.
    pub after: usize,
    /// The row's own id, or `row-N` by its place in the reply, counted from 1.
    pub id: String,
    /// What was expected and what was found.
    pub reason: String,
}

/// A reviewer's reply, as far as it could be read. Whether there is one verdict for each row is for
/// the caller to check.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParsedReview {
    pub reply: ReviewReply,
    /// Verdicts and rows that could not be read.
    pub malformed: Vec<MalformedRow>,
    pub is_truncated: bool,
    pub unreadable: Option<String>,
    pub is_refused: bool,
}

/// Reads an extractor's reply. `finish` is the provider's word for why it ended, or empty.
pub fn parse_extract_reply(raw: &str, finish: &str) -> ParsedExtract {
    let found = find_json(raw);
    let mut parsed =
        ParsedExtract { is_truncated: found.is_cut || is_cut_word(finish), ..Default::default() };
    let mut seen = 0;
    let mut is_answer = false;
    for value in &found.values {
        is_answer |= take_rows(value, &mut parsed, &mut seen, 0);
    }
    if !is_answer {
        parsed.is_refused = finish.eq_ignore_ascii_case("refusal");
        parsed.unreadable = Some(why_unreadable(raw, "rows", parsed.is_refused));
    }
    parsed
}

/// Reads a reviewer's reply.
pub fn parse_review_reply(raw: &str, finish: &str) -> ParsedReview {
    let found = find_json(raw);
    let mut parsed =
        ParsedReview { is_truncated: found.is_cut || is_cut_word(finish), ..Default::default() };
    let mut is_answer = false;
    for value in &found.values {
        is_answer |= take_review(value, &mut parsed, 0);
    }
    if !is_answer {
        parsed.is_refused = finish.eq_ignore_ascii_case("refusal");
        parsed.unreadable = Some(why_unreadable(raw, "verdicts", parsed.is_refused));
    }
    parsed
}

/// The providers' words for "the output limit was reached".
fn is_cut_word(finish: &str) -> bool {
    let word = finish.to_ascii_lowercase();
    ["length", "max_tokens", "max_output_tokens", "model_length", "incomplete"]
        .contains(&word.as_str())
}

fn why_unreadable(raw: &str, wanted: &str, is_refused: bool) -> String {
    let start: String = raw.trim().chars().take(60).collect();
    if is_refused {
        return format!("the reader refused to answer; it says: {start}");
    }
    if start.is_empty() {
        return "the reply is empty".to_owned();
    }
    format!("the reply holds no JSON with a list `{wanted}`; it begins: {start}")
}

/// How far below the top `rows` is looked for: `{"result": {"data": {"rows": …}}}`.
const WRAP_DEPTH: usize = 3;

/// True where `value` is an answer, be it one without rows.
fn take_rows(value: &Json, parsed: &mut ParsedExtract, seen: &mut usize, depth: usize) -> bool {
    match value {
        Json::List(items) => {
            let is_rows = items.is_empty() && depth == 0
                || items.iter().any(|it| matches!(it, Json::Object(row) if is_row(row)));
            if is_rows {
                take_list(items, parsed, seen);
                return true;
            }
            let mut is_answer = false;
            for item in items {
                is_answer |= depth < WRAP_DEPTH && take_rows(item, parsed, seen, depth + 1);
            }
            is_answer
        }
        Json::Object(object) => take_object(object, parsed, seen, depth),
        _ => false,
    }
}

fn take_object(
    object: &Object,
    parsed: &mut ParsedExtract,
    seen: &mut usize,
    depth: usize,
) -> bool {
    if is_row(object) {
        take_row(object, parsed, seen);
        return true;
    }
    let mut is_answer = false;
    for (key, value) in &object.members {
        match (key.as_str(), value) {
            ("rows", Json::List(items)) => {
                take_list(items, parsed, seen);
                is_answer = true;
            }
            ("rows", Json::Object(row)) if is_row(row) => {
                take_row(row, parsed, seen);
                is_answer = true;
            }
            ("groups", Json::List(items)) => {
                let groups = items.iter().filter_map(read_group);
                parsed.reply.groups.extend(groups);
            }
            ("docs", Json::List(items)) => {
                for item in items {
                    take_doc(item, parsed, seen);
                }
                is_answer = true;
            }
            (_, Json::Object(_) | Json::List(_)) if depth < WRAP_DEPTH => {
                is_answer |= take_rows(value, parsed, seen, depth + 1);
            }
            _ => {}
        }
    }
    is_answer
}

fn take_doc(item: &Json, parsed: &mut ParsedExtract, seen: &mut usize) {
    let Json::Object(object) = item else { return };
    let name = ["doc", "page", "id", "name"].iter().find_map(|it| object.get(it));
    let doc = match name {
        Some(Json::Text(it)) => it.clone(),
        Some(Json::Number(it)) => it.clone(),
        _ => String::new(),
    };
    let first = parsed.reply.rows.len();
    if let Some(Json::List(items)) = object.get("rows") {
        take_list(items, parsed, seen);
        parsed.docs.push(DocAnswer { doc, first, end: parsed.reply.rows.len() });
    }
}

fn take_list(items: &[Json], parsed: &mut ParsedExtract, seen: &mut usize) {
    for item in items {
        match item {
            Json::Object(row) => take_row(row, parsed, seen),
            Json::Broken(reason) => refuse(parsed, seen, None, reason.clone()),
            _ => refuse(parsed, seen, None, "expected an object with the row's keys".to_owned()),
        }
    }
}

fn take_row(row: &Object, parsed: &mut ParsedExtract, seen: &mut usize) {
    if !row.is_finished {
        return;
    }
    match read_claim(row) {
        Ok(mut claim) => {
            *seen += 1;
            if claim.id.is_empty() {
                claim.id = format!("row-{seen}");
            }
            parsed.reply.rows.push(claim);
        }
        Err(reason) => {
            let id = match row.get("id") {
                Some(Json::Text(it) | Json::Number(it)) if !it.is_empty() => Some(it.clone()),
                _ => None,
            };
            refuse(parsed, seen, id, reason);
        }
    }
}

fn refuse(parsed: &mut ParsedExtract, seen: &mut usize, id: Option<String>, reason: String) {
    *seen += 1;
    let id = id.unwrap_or_else(|| format!("row-{seen}"));
    parsed.malformed.push(MalformedRow { after: parsed.reply.rows.len(), id, reason });
}

/// A row names its field or quotes the page; a wrapper does neither.
fn is_row(object: &Object) -> bool {
    let has = |key: &str| object.get(key).is_some();
    !has("rows") && !has("docs") && (has("snippet") || has("field") && (has("value") || has("op")))
}

fn take_review(value: &Json, parsed: &mut ParsedReview, depth: usize) -> bool {
    match value {
        Json::List(items) => {
            let is_verdict =
                |it: &Json| matches!(it, Json::Object(row) if row.get("verdict").is_some());
            let is_answer = items.iter().any(is_verdict);
            if is_answer {
                take_verdicts(items, parsed);
            }
            is_answer
        }
        Json::Object(object) => {
            let mut is_answer = false;
            for (key, value) in &object.members {
                match (key.as_str(), value) {
                    ("verdicts", Json::List(items)) => {
                        take_verdicts(items, parsed);
                        is_answer = true;
                    }
                    ("missing", Json::List(items)) => take_missing(items, parsed),
                    (_, Json::Object(_) | Json::List(_)) if depth < WRAP_DEPTH => {
                        is_answer |= take_review(value, parsed, depth + 1);
                    }
                    _ => {}
                }
            }
            if !is_answer && object.get("verdict").is_some() {
                take_verdicts(std::slice::from_ref(value), parsed);
                is_answer = true;
            }
            is_answer
        }
        _ => false,
    }
}

fn take_verdicts(items: &[Json], parsed: &mut ParsedReview) {
    for item in items {
        let (id, reason) = match item {
            Json::Object(row) if !row.is_finished => continue,
            Json::Object(row) => match read_verdict(row) {
                Ok(verdict) => {
                    parsed.reply.verdicts.push(verdict);
                    continue;
                }
                Err(reason) => (text_of(row.get("id")), reason),
            },
            Json::Broken(reason) => (String::new(), reason.clone()),
            _ => (String::new(), "expected an object with `id` and `verdict`".to_owned()),
        };
        parsed.malformed.push(MalformedRow { after: parsed.reply.verdicts.len(), id, reason });
    }
}

fn take_missing(items: &[Json], parsed: &mut ParsedReview) {
    let mut rows = ParsedExtract::default();
    let mut seen = 0;
    take_list(items, &mut rows, &mut seen);
    // The ids of rows that only the reviewer has must not collide with those under review.
    for (at, row) in rows.reply.rows.iter_mut().enumerate() {
        row.id = format!("missing-{}", at + 1);
    }
    parsed.reply.missing.extend(rows.reply.rows);
    parsed.malformed.extend(rows.malformed);
}

fn text_of(value: Option<&Json>) -> String {
    match value {
        Some(Json::Text(it) | Json::Number(it)) => it.clone(),
        _ => String::new(),
    }
}

/// Gives every row an id of its own, keeping the first bearer's: `r1`, `r1~2`, `r1~3`.
pub fn tell_ids_apart(parsed: &mut ParsedExtract) {
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for row in &mut parsed.reply.rows {
        let count = times.entry(row.id.clone()).or_default();
        *count += 1;
        if 1 < *count {
            row.id = format!("{}~{count}", row.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::claim::{Force, Op, Value};

    const ROW: &str = r#"{"id":"r1","subject":"s","field":"age","op":">=","value":65,"unit":"years","join":null,"force":null,"snippet":"aged 65 or over"}"#;

    #[test]
    fn the_wrappings_of_a_reply_make_no_difference() {
        let wrapped = [
            format!(r#"{{"rows":[{ROW}]}}"#),
            format!("[{ROW}]"),
            ROW.to_owned(),
            format!("Here is the answer:\n```json\n{{\"rows\": [{ROW}]}}\n```\nAnything else?"),
            format!("我讀完了{{見下}}：\n{{\"rows\":[{ROW}],}}\n以上。"),
            format!(r#"{{"result":{{"rows":[{ROW}]}}}}"#),
            format!("\u{feff}{{\"rows\":{ROW}}}"),
        ];
        for raw in wrapped {
            let parsed = parse_extract_reply(&raw, "stop");
            assert_eq!(parsed.reply.rows.len(), 1, "{raw}: {parsed:?}");
            assert!(parsed.malformed.is_empty() && parsed.unreadable.is_none(), "{raw}");
            assert!(!parsed.is_truncated, "{raw}");
        }
    }

    #[test]
    fn one_object_a_line_is_many_rows() {
        let raw = format!("{ROW}\n{}\nnot json\n{ROW}", ROW.replace("r1", "r2"));
        let parsed = parse_extract_reply(&raw, "");
        assert_eq!(parsed.reply.rows.len(), 3);
    }

    #[test]
    fn a_cut_reply_keeps_its_finished_rows_and_says_so() {
        let raw = format!(r#"{{"rows":[{ROW},{{"id":"r2","subject":"s","fie"#);
        let parsed = parse_extract_reply(&raw, "");
        assert_eq!((parsed.reply.rows.len(), parsed.is_truncated), (1, true));
        assert!(parsed.malformed.is_empty());
        let whole = format!(r#"{{"rows":[{ROW}]}}"#);
        assert!(parse_extract_reply(&whole, "length").is_truncated);
        assert!(parse_extract_reply(&whole, "max_tokens").is_truncated);
    }

    #[test]
    fn a_refusal_is_told_from_an_empty_reply() {
        let refused = parse_extract_reply("不便回答", "refusal");
        assert!(refused.is_refused && refused.unreadable.unwrap().contains("不便回答"));
        assert!(parse_review_reply("", "refusal").is_refused);
        let empty = parse_extract_reply("", "stop");
        assert!(!empty.is_refused && empty.unreadable.unwrap().contains("empty"));
    }

    #[test]
    fn answers_in_parts_are_matched_by_name() {
        let raw = format!(r#"{{"docs":[{{"doc":"C","rows":[{ROW}]}},{{"doc":"A","rows":[]}}]}}"#);
        let parsed = parse_extract_reply(&raw, "");
        let names: Vec<&str> = parsed.docs.iter().map(|it| it.doc.as_str()).collect();
        assert_eq!(names, ["C", "A"]);
        assert_eq!((parsed.docs[0].first, parsed.docs[0].end), (0, 1));
    }

    #[test]
    fn types_are_read_and_unknown_words_are_malformed() {
        let with = |from: &str, to: &str| {
            let raw = format!(r#"{{"rows":[{},{ROW}]}}"#, ROW.replace(from, to));
            parse_extract_reply(&raw, "")
        };
        let parsed = with(r#""value":65"#, r#""value":"65""#);
        assert_eq!(parsed.reply.rows[0].value, Value::Number(65.into()));
        for op in ["≥", "gte", ">= ", "GE", "=>"] {
            assert_eq!(with(">=", op).reply.rows[0].op, Op::Ge, "{op}");
        }
        let parsed = with(r#""force":null"#, r#""force":"shall""#);
        assert_eq!(parsed.reply.rows[0].force, Some(Force::Must));
        for (from, to) in [
            (">=", "~~"),
            (r#""value":65"#, r#""value":NaN"#),
            (r#""value":65"#, r#""value":65,"value":60"#),
            (r#""force":null"#, r#""force":"perhaps""#),
            (r#""join":null"#, r#""join":"xor""#),
            (r#""snippet":"aged 65 or over""#, r#""snippet":null"#),
            (r#""snippet":"aged 65 or over""#, r#""snippet":["aged","over"]"#),
            (r#""value":65"#, r#""value":{"a":{"b":1}}"#),
        ] {
            let parsed = with(from, to);
            assert_eq!(parsed.reply.rows.len(), 1, "{to}: {parsed:?}");
            assert_eq!(parsed.malformed.len(), 1, "{to}");
            assert_eq!(parsed.malformed[0].id, "r1", "{to}");
        }
    }

    #[test]
    fn nothing_readable_is_said_and_not_taken_for_no_rows() {
        for raw in ["", "  \n", "I am sorry, I cannot do that.", "{\"error\":\"busy\"}", "null"] {
            assert!(parse_extract_reply(raw, "").unreadable.is_some(), "{raw}");
        }
        for raw in [r#"{"rows":[]}"#, "[]", "```json\n[]\n```"] {
            assert_eq!(parse_extract_reply(raw, "").unreadable, None, "{raw}");
        }
    }

    #[test]
    fn bombs_and_huge_numbers_cost_only_their_own_row() {
        let deep = format!(r#""value":{}1{}"#, "[".repeat(5000), "]".repeat(5000));
        let raw = format!(r#"{{"rows":[{},{ROW}]}}"#, ROW.replace(r#""value":65"#, &deep));
        let parsed = parse_extract_reply(&raw, "");
        assert_eq!((parsed.reply.rows.len(), parsed.malformed.len()), (1, 1));
        let digits = "9".repeat(400);
        let raw = format!("[{}]", ROW.replace("65,", &format!("{digits},")));
        let parsed = parse_extract_reply(&raw, "");
        assert_eq!(parsed.reply.rows[0].value, Value::Text(digits));
    }

    #[test]
    fn a_review_is_read_verdict_by_verdict() {
        let raw = format!(
            r#"{{"verdicts":[{{"id":"r1","verdict":"confirmed"}},{{"id":"r2","verdict":"Incorrect","reason":"60","snippet":"x","corrected":{ROW}}},{{"id":"r3","verdict":"dunno"}}],"missing":[{ROW}]}}"#
        );
        let parsed = parse_review_reply(&raw, "");
        assert_eq!(parsed.reply.verdicts.len(), 2);
        assert_eq!(parsed.reply.missing[0].id, "missing-1");
        assert_eq!(parsed.malformed[0].id, "r3");
        assert!(parsed.reply.verdicts[1].corrected.is_some());
    }
}
