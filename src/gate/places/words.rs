//! The words of a text as a set, for asking what two texts have in common.
//!
//! Only for weighing evidence already found; two texts are never called equal by it.

use std::collections::BTreeSet;

use crate::gate::places::stream::{for_each_token, is_ideograph};

/// Words of substance: no function words, plurals and common endings folded, ideographs by pairs
/// where `text` has them side by side, so that 申請人 and 申請書 differ.
pub fn stems_of(text: &str) -> BTreeSet<String> {
    let mut stems = BTreeSet::new();
    let mut last: Option<(usize, char)> = None;
    for_each_token(text, |span, form| {
        let first = form.chars().next().unwrap_or(' ');
        if is_ideograph(first) && EMPTY_HAN.contains(first) {
            last = None;
            return;
        }
        if is_ideograph(first) {
            match last {
                Some((end, before)) if end == span.start => {
                    stems.insert(format!("{before}{first}"));
                }
                _ => {}
            }
            last = Some((span.end, first));
            return;
        }
        last = None;
        let stem = stem(form);
        if !stem.is_empty() && !is_function_word(form) {
            stems.insert(stem);
        }
    });
    // A lone ideograph has no pair and stands for itself.
    if stems.is_empty()
        && let Some((_, only)) = last
    {
        stems.insert(only.to_string());
    }
    stems
}

/// Ideographs that join words and say nothing of their own, in simplified form.
const EMPTY_HAN: &str = "者之的及或为是与并且其该此每";

/// A word without its plural or participle ending: `couples` -> `coupl`, `receiving` -> `receiv`.
pub fn stem(word: &str) -> String {
    let word = word.split('\'').next().unwrap_or_default();
    if !word.is_ascii() || word.len() < 4 {
        return word.to_owned();
    }
    const ENDINGS: &[&str] = &[
        "ments", "ment", "ings", "ing", "ies", "ied", "ions", "ion", "ers", "ors", "ed", "es",
        "er", "or", "ly", "al", "s", "e", "y",
    ];
    for ending in ENDINGS {
        if let Some(rest) = word.strip_suffix(ending)
            && 3 <= rest.len()
        {
            return rest.to_owned();
        }
    }
    word.to_owned()
}

/// Words that say nothing of their own.
pub fn is_function_word(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "a", "an", "the", "and", "or", "of", "to", "in", "on", "at", "by", "for", "from", "with",
        "is", "are", "was", "were", "be", "been", "being", "it", "its", "this", "that", "these",
        "those", "may", "must", "shall", "should", "can", "will", "would", "could", "might", "if",
        "as", "you", "your", "we", "our", "us", "they", "their", "them", "he", "she", "his", "her",
        "i", "my", "me", "do", "does", "did", "has", "have", "had", "any", "who", "which", "when",
        "where", "than", "then", "there", "so", "but", "also", "such", "up", "per", "each", "one",
        "s", "t", "re", "ll", "ve", "d",
    ];
    WORDS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_and_function_words_make_no_difference() {
        assert_eq!(stems_of("The couples"), stems_of("a couple"));
        assert_eq!(stems_of("receiving payments"), stems_of("receive payment"));
        assert!(stems_of("申請人").is_disjoint(&stems_of("申報書")));
        assert_eq!(stems_of("卡").len(), 1);
    }
}
