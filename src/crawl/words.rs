//! Names a text by its words: what stays the same when only the layout of a page changes.

use crate::ask::canonical::hex_sha256;
use crate::text::glyphs::wording::wording;

/// SHA-256 of the text's words: heading marks and white space between words left out.
pub fn words_digest(text: &str) -> String {
    hex_sha256(wording(text).as_bytes())
}
