//! What a row is bound to: the digest of its own clause and value, and the token beside its key.
//! Nothing that moves by itself enters: no run, no snapshot, no place, no clock.

use sha2::{Digest, Sha256};

use crate::model::row::RowRecord;
use crate::model::sheet::{IssuedRow, SheetFacts, Tab};
use crate::sheet::page_name::page_name;
use crate::text::blocks::unnumbered::{unnumbered, unnumbered_subject};
use crate::text::glyphs::fold::fold_script;
use crate::text::glyphs::wording::wording;

/// SHA-256, in hex, of a row's own clause and value.
///
/// A signature is bound to it, so it holds what was agreed to and nothing that moves by itself: not
/// the run, the snapshot, the place in the page, the number of its clause, or who read. The page's
/// title, the headings above, the words that lead a list in, the header row of a table and the footnotes
/// that all these point to are a part of the clause, but for numbers that only count text.
pub fn row_digest(row: &RowRecord) -> String {
    let claim = &row.claim;
    let above = words_above(row);
    let subject = unnumbered_subject(&claim.subject, row.heading_path.last().map(String::as_str));
    let value = serde_json::to_string(&claim.value).unwrap_or_default();
    let fields: [&str; 14] = [
        "countersign.row/3",
        &row.source,
        &row.page,
        &above,
        &subject,
        &claim.field,
        claim.op.as_str(),
        &value,
        claim.unit.as_deref().unwrap_or_default(),
        claim.join.map_or("", |it| it.as_str()),
        claim.force.map_or("", |it| it.as_str()),
        &folded(unnumbered(&claim.snippet)),
        &folded(unnumbered(&row.sentence)),
        &folded(&row.footnotes),
    ];
    hex(&digest_of(&fields))
}

/// The page's name, whatever its looks, the headings above a row without numbers that only count them,
/// outermost first, then what leads its list in or heads its table.
pub fn words_above(row: &RowRecord) -> String {
    let name = wording(fold_script(&page_name(unnumbered(&row.page_title), &row.page)).as_str());
    let above = [name.trim().to_lowercase()].into_iter().chain(headings(row));
    above.chain([folded(&row.lead_in)]).collect::<Vec<_>>().join("\u{1f}")
}

/// What [`words_above`] compares, as a person reads it.
pub fn shown_above(row: &RowRecord) -> String {
    let above = [page_name(&row.page_title, &row.page)].into_iter();
    above.chain(headings(row)).chain([folded(&row.lead_in)]).collect::<Vec<_>>().join("\u{1f}")
}

/// The headings of a row below the page's title.
fn headings(row: &RowRecord) -> impl Iterator<Item = String> + '_ {
    let path = match row.heading_path.split_first() {
        // A long title heads the path cut off.
        Some((first, below)) if row.page_title.starts_with(first.as_str()) => below,
        _ => &row.heading_path,
    };
    path.iter().map(|it| folded(unnumbered(it)))
}

/// The sentence of a row, what stands above it and what its footnotes say, without their looks and
/// numbers: a quote that is the same under "You cannot apply if:" is another clause than under "You can
/// apply if:".
pub fn clause_of(row: &RowRecord) -> String {
    let (above, sentence) = (words_above(row), unnumbered(&row.sentence));
    let whole = format!("{above}\u{1f}{sentence}\u{1f}{}", folded(&row.footnotes));
    fold_script(&whole).as_str().to_owned()
}

/// The eight characters that tie a key to the content it was issued with.
///
/// No run enters, so a row that a later run found unchanged keeps its token.
pub fn check_token(project: &str, key: &str, digest: &str, tab: Tab) -> String {
    /// No letters or digits that are mistaken for each other, and nothing a spreadsheet reads as a
    /// number: every second character is a letter.
    const LETTERS: &[u8; 16] = b"ABCDEFGHJKMNPRTW";
    const DIGITS: &[u8; 8] = b"23456789";
    let scope = if tab == Tab::Removed { "removal" } else { "row" };
    let bytes = digest_of(&["countersign.token/1", project, key, digest, scope]);
    bytes[..8]
        .iter()
        .enumerate()
        .map(|(at, &byte)| match at % 2 {
            0 => char::from(LETTERS[usize::from(byte) % LETTERS.len()]),
            _ => char::from(DIGITS[usize::from(byte) % DIGITS.len()]),
        })
        .collect()
}

/// The id of a file: from project, run, language and the rows with their tokens.
pub fn file_id(facts: &SheetFacts, rows: &[IssuedRow]) -> String {
    let mut parts: Vec<&str> = vec![
        "countersign.file/1",
        &facts.project,
        &facts.summary.run,
        facts.language.tag(),
        facts.follow_up_of.as_deref().unwrap_or_default(),
    ];
    for row in rows {
        parts.push(&row.key);
        parts.push(&row.token);
    }
    format!("f-{}", &hex(&digest_of(&parts))[..16])
}

/// White space folded: layout is not content.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// SHA-256 over length-prefixed parts, so that no two lists of parts share a digest.
fn digest_of(parts: &[&str]) -> Vec<u8> {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_vec()
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}
