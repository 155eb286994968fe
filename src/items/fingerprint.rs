//! The fingerprint of an item: equal words, equal fingerprint, wherever the item stands.
//!
//! It ignores white space and nothing else; a changed sign or digit is another fingerprint.

use sha2::{Digest, Sha256};

/// SHA-256, in hex, of `text` with all white space folded to single spaces and trimmed.
pub fn fingerprint(text: &str) -> String {
    let mut hash = Sha256::new();
    for (at, word) in text.split_whitespace().enumerate() {
        if at > 0 {
            hash.update(b" ");
        }
        hash.update(word.as_bytes());
    }
    hash.finalize().iter().map(|it| format!("{it:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_does_not_count_and_everything_else_does() {
        assert_eq!(fingerprint(" a\n\nb\u{3000}c "), fingerprint("a b c"));
        assert_ne!(fingerprint("年滿65歲"), fingerprint("年滿６５歲"));
        assert_eq!(fingerprint("").len(), 64);
    }
}
