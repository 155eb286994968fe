//! Names and one-line texts that people give to things; never a path and never more than a line.

use crate::sources::mistakes::Mistakes;
use crate::sources::section::Found;

/// Text that is shown on one line.
pub fn check_label(label: &Found<&str>, mistakes: &mut Mistakes<'_>) {
    let found = if label.value.trim().is_empty() {
        "nothing"
    } else if label.value.contains(char::is_control) {
        "a line break or control character"
    } else {
        return;
    };
    mistakes.add(label.at.clone(), label.mistake("one line of text", found, ""));
}

/// `[a-z0-9][a-z0-9-]*`, and no name that Windows keeps for devices.
pub fn is_id(text: &str) -> bool {
    let is_plain = text.len() <= 64
        && text.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    let is_device = matches!(text, "con" | "prn" | "aux" | "nul")
        || text.len() == 4
            && (text.starts_with("com") || text.starts_with("lpt"))
            && text.ends_with(|c: char| c.is_ascii_digit());
    is_plain && !is_device
}

/// `[a-z][a-z0-9_]*`, at most 64 letters.
pub fn is_field_name(text: &str) -> bool {
    text.len() <= 64
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_names_of_folders() {
        for good in ["a", "harbour-en", "0", "com1x"] {
            assert!(is_id(good), "{good}");
        }
        for bad in ["", "-a", "A", "a_b", "../a", "港", "con", "com1", &"a".repeat(65)] {
            assert!(!is_id(bad), "{bad}");
        }
    }
}
