//! Two texts side by side, word by word, in both languages.
//!
//! Myers over Unicode words (a number is one word, a Chinese character is one), without a deadline:
//! a result must not depend on the clock. The size is bounded instead, and what lies beyond is shown
//! as one change, which is said.

use similar::{Algorithm, ChangeTag, TextDiff};

/// Longest text, in bytes, that is compared word by word.
pub const LONGEST_COMPARED: usize = 60_000;

/// A run of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordRun {
    pub side: Side,
    pub text: String,
}

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Both,
    Old,
    New,
}

/// The runs that give `old` when `New` ones are left out and `new` when `Old` ones are.
pub fn compare_words(old: &str, new: &str) -> Vec<WordRun> {
    let mut runs: Vec<WordRun> = Vec::new();
    let mut add = |side, text: &str| match runs.last_mut() {
        Some(last) if last.side == side => last.text.push_str(text),
        _ if text.is_empty() => {}
        _ => runs.push(WordRun { side, text: text.to_owned() }),
    };
    if old.len().max(new.len()) > LONGEST_COMPARED {
        add(Side::Old, old);
        add(Side::New, new);
        return runs;
    }
    let diff = TextDiff::configure().algorithm(Algorithm::Myers).diff_unicode_words(old, new);
    for change in diff.iter_all_changes() {
        let side = match change.tag() {
            ChangeTag::Equal => Side::Both,
            ChangeTag::Delete => Side::Old,
            ChangeTag::Insert => Side::New,
        };
        add(side, change.value());
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sides(old: &str, new: &str, side: Side) -> Vec<String> {
        compare_words(old, new).into_iter().filter(|it| it.side == side).map(|it| it.text).collect()
    }

    #[test]
    fn a_number_changes_as_one_word_in_both_languages() {
        assert_eq!(sides("每月10,330元", "每月10,430元", Side::New), ["10,430"]);
        assert_eq!(sides("up to $1,250 a month", "up to $1,350 a month", Side::Old), ["1,250"]);
        assert_eq!(sides("須年滿六十歲", "須年滿六十五歲", Side::New), ["五"]);
    }

    #[test]
    fn both_sides_can_be_put_together_again() {
        for (old, new) in [("", "新增"), ("a b c", "a c d"), ("第３條", "第３條之一"), ("x", "")]
        {
            let runs = compare_words(old, new);
            let without = |side| -> String {
                runs.iter().filter(|it| it.side != side).map(|it| it.text.as_str()).collect()
            };
            assert_eq!((without(Side::New).as_str(), without(Side::Old).as_str()), (old, new));
        }
    }

    #[test]
    fn a_text_beyond_the_bound_is_one_change() {
        let long = "甲".repeat(LONGEST_COMPARED);
        let runs = compare_words(&long, "乙");
        assert_eq!(runs.iter().map(|it| it.side).collect::<Vec<_>>(), [Side::Old, Side::New]);
    }
}
