//! The canonical form of an ask and the digest that is its name.
//!
//! Keys sorted by code point, no white space, UTF-8: equal content gives equal bytes whatever the
//! order, the locale or the program it came from.

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::model::ask::{Answer, Ask};

/// The one value of [`Ask::format`] this version reads and writes.
pub const ASK_FORMAT: &str = "countersign.ask/1";
/// The one value of [`Answer::format`] this version reads and writes.
pub const ANSWER_FORMAT: &str = "countersign.answer/1";

/// Why a stored ask or answer cannot be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    #[error("not the JSON of an {what}: {detail}")]
    Unreadable { what: &'static str, detail: String },
    #[error("format is {found:?}, this version reads {expected:?}")]
    Format { found: String, expected: &'static str },
    #[error("the content has digest {found}, the name says {expected}: it was edited")]
    Edited { found: String, expected: String },
    #[error("answers ask {found}, not {expected}")]
    Foreign { found: String, expected: String },
}

/// Canonical JSON of any serialisable value.
///
/// # Errors
/// Never for the types of `model`; a value whose map keys are not strings cannot be written.
pub fn canonical_json<T: Serialize>(value: &T) -> Result<String, serde_json::Error> {
    Ok(sorted(value)?.to_string())
}

/// The same JSON, indented for people and ending in a line break; a digest counts the canonical form,
/// not the layout.
///
/// # Errors
/// As [`canonical_json`].
pub fn pretty_json<T: Serialize>(value: &T) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string_pretty(&sorted(value)?)? + "\n")
}

/// The name of an ask: SHA-256 of its canonical JSON, 64 lower-case hex digits.
///
/// # Errors
/// As [`canonical_json`].
pub fn ask_digest(ask: &Ask) -> Result<String, serde_json::Error> {
    Ok(hex_sha256(canonical_json(ask)?.as_bytes()))
}

/// SHA-256 in lower-case hex.
pub fn hex_sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Bytes as lower-case hex digits, two each.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|it| [it >> 4, it & 15]);
    digits.map(|it| char::from(DIGITS[usize::from(it)])).collect()
}

/// Reads a stored ask and proves that it is the one its name says.
///
/// # Errors
/// See [`RecordError`].
pub fn read_ask(json: &str, name: &str) -> Result<Ask, RecordError> {
    let ask: Ask = serde_json::from_str(json)
        .map_err(|error| RecordError::Unreadable { what: "ask", detail: error.to_string() })?;
    check_format(&ask.format, ASK_FORMAT)?;
    let found = ask_digest(&ask)
        .map_err(|error| RecordError::Unreadable { what: "ask", detail: error.to_string() })?;
    if found != name {
        return Err(RecordError::Edited { found, expected: name.to_owned() });
    }
    Ok(ask)
}

/// Reads a stored answer and proves that it belongs to ask `name`.
///
/// # Errors
/// See [`RecordError`].
pub fn read_answer(json: &str, name: &str) -> Result<Answer, RecordError> {
    let answer: Answer = serde_json::from_str(json)
        .map_err(|error| RecordError::Unreadable { what: "answer", detail: error.to_string() })?;
    check_format(&answer.format, ANSWER_FORMAT)?;
    if answer.ask != name {
        return Err(RecordError::Foreign { found: answer.ask, expected: name.to_owned() });
    }
    Ok(answer)
}

fn check_format(found: &str, expected: &'static str) -> Result<(), RecordError> {
    if found == expected {
        return Ok(());
    }
    Err(RecordError::Format { found: found.to_owned(), expected })
}

/// The value with the keys of every object in order.
fn sorted<T: Serialize>(value: &T) -> Result<Value, serde_json::Error> {
    let mut value = serde_json::to_value(value)?;
    value.sort_all_objects();
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_order_does_not_change_the_canonical_form() {
        let a: Value =
            serde_json::from_str(r#"{"b":1,"a":{"z":"歲","y":[1,{"d":0,"c":0}]}}"#).unwrap();
        let b: Value =
            serde_json::from_str(r#"{"a":{"y":[1,{"c":0,"d":0}],"z":"歲"},"b":1}"#).unwrap();
        assert_eq!(canonical_json(&a).unwrap(), canonical_json(&b).unwrap());
        assert_eq!(canonical_json(&a).unwrap(), r#"{"a":{"y":[1,{"c":0,"d":0}],"z":"歲"},"b":1}"#);
    }

    #[test]
    fn a_digest_is_the_one_sha256sum_prints() {
        // FIPS 180-2, appendix B.1.
        assert_eq!(
            hex_sha256(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
