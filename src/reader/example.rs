//! Which paragraphs tell a story as an example, and so state no rule.
//!
//! A story speaks of somebody, not of "you"; an example that states a rule ("you would qualify for
//! 40%") is not left out.

use crate::text::blocks::outline::{BlockKind, Outline};

/// For each block of the outline: true where it tells an example.
pub fn examples_in(text: &str, outline: &Outline) -> Vec<bool> {
    let mut is_open = false;
    let told = outline.blocks.iter().map(|block| {
        if block.kind == BlockKind::Heading {
            is_open = false;
        }
        if block.kind != BlockKind::Paragraph {
            return false;
        }
        let words = block.content.slice(text).unwrap_or_default();
        let low = words.to_ascii_lowercase();
        if low.starts_with("example") || words.starts_with("範例") || words.starts_with("舉例")
        {
            is_open = true;
            return !low.contains(" would ");
        }
        is_open &= !low.contains("you");
        is_open
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::blocks::outline::read_outline;

    #[test]
    fn a_story_goes_on_until_you_are_spoken_to() {
        let text = "# Dates\n\nExample 1\nAnn moved in May.\n\nWe paid Ann $300.\n\nYou get $500.\n\nExample: You would get 40%.\n";
        let outline = read_outline(text);
        assert_eq!(examples_in(text, &outline), [false, true, true, false, false]);
    }
}
