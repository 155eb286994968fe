//! What changed inside an item: sentences and table rows that are new, gone, changed or moved.
//!
//! Sentences are aligned by Myers over equal sentences; what is left is paired by likeness in order.
//! Table rows are paired by their key column, so an inserted row changes no other. No deadline: a
//! result must not depend on the clock. The number of passages is bounded instead.

use std::collections::{BTreeMap, VecDeque};

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::change::likeness::Shingles;
use crate::text::blocks::outline::{Outline, read_outline};
use crate::text::sentence::read_sentences;
use crate::text::span::Span;

/// Most passages of one side that are aligned; beyond, all are reported as replaced, which is said
/// by [`PassageDiff::is_beyond_bound`].
pub const MOST_PASSAGES: usize = 50_000;

/// Likeness (thousandths) from which two passages at the same place are one that changed.
const SAME_PASSAGE: u32 = 300;

/// The differing passages of two texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PassageDiff {
    /// In the order of the new text; removed ones at the place they stood.
    pub passages: Vec<PassageChange>,
    pub is_beyond_bound: bool,
}

/// One differing passage; spans are bytes of the old and of the new text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassageChange {
    pub change: Passage,
    pub old: Option<Span>,
    pub new: Option<Span>,
}

/// What became of a passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Passage {
    Added,
    Removed,
    Changed,
    /// The same words at another place.
    Moved,
}

/// Compares two texts sentence by sentence and table row by table row.
pub fn compare_passages(old: &str, new: &str) -> PassageDiff {
    let (old, new) = (Side::read(old), Side::read(new));
    if old.passages.len().max(new.passages.len()) > MOST_PASSAGES {
        let removed = old.passages.iter().map(|it| alone(Passage::Removed, Some(it.span), None));
        let added = new.passages.iter().map(|it| alone(Passage::Added, None, Some(it.span)));
        return PassageDiff { passages: removed.chain(added).collect(), is_beyond_bound: true };
    }
    let mut ids = BTreeMap::new();
    let (of_old, of_new) = (old.ids(&mut ids), new.ids(&mut ids));
    let mut open = Open::default();
    for op in capture_diff_slices(Algorithm::Myers, &of_old, &of_new) {
        match op {
            DiffOp::Equal { .. } => {}
            DiffOp::Delete { old_index, old_len, new_index } => {
                open.add(old_index..old_index + old_len, new_index..new_index);
            }
            DiffOp::Insert { old_index, new_index, new_len } => {
                open.add(old_index..old_index, new_index..new_index + new_len);
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                open.add(old_index..old_index + old_len, new_index..new_index + new_len);
            }
        }
    }
    let mut found = open.settle(&old, &new, (&of_old, &of_new));
    found.sort_by_key(|&(place, it)| (place, it.change, it.old));
    PassageDiff { passages: found.into_iter().map(|(_, it)| it).collect(), is_beyond_bound: false }
}

fn alone(change: Passage, old: Option<Span>, new: Option<Span>) -> PassageChange {
    PassageChange { change, old, new }
}

/// One text cut into passages.
struct Side<'a> {
    text: &'a str,
    passages: Vec<Cut>,
}

struct Cut {
    span: Span,
    /// For a table row: its first cell, white space trimmed.
    row_key: Option<Span>,
}

impl<'a> Side<'a> {
    fn read(text: &'a str) -> Self {
        let outline = read_outline(text);
        let passages = read_sentences(text, &outline)
            .into_iter()
            .map(|span| Cut { span, row_key: row_key(&outline, span) })
            .collect();
        Self { text, passages }
    }

    fn words(&self, at: usize) -> &'a str {
        self.passages.get(at).and_then(|it| it.span.slice(self.text)).unwrap_or_default()
    }

    fn row_key(&self, at: usize) -> Option<&'a str> {
        self.passages.get(at)?.row_key?.slice(self.text)
    }

    /// One number for each passage, equal for equal words whatever the white space.
    fn ids(&self, known: &mut BTreeMap<String, usize>) -> Vec<usize> {
        (0..self.passages.len())
            .map(|at| {
                let folded = self.words(at).split_whitespace().collect::<Vec<_>>().join(" ");
                let next = known.len();
                *known.entry(folded).or_insert(next)
            })
            .collect()
    }
}

fn row_key(outline: &Outline, span: Span) -> Option<Span> {
    let block = outline.blocks.get(outline.block_at(span.start)?)?;
    block.cells.first().copied().filter(|it| !it.is_empty())
}

/// The stretches in which the two sides differ.
#[derive(Default)]
struct Open {
    stretches: Vec<(std::ops::Range<usize>, std::ops::Range<usize>)>,
}

impl Open {
    /// Adds a stretch; one that touches the last is a part of it.
    fn add(&mut self, old: std::ops::Range<usize>, new: std::ops::Range<usize>) {
        if let Some((last_old, last_new)) = self.stretches.last_mut()
            && last_old.end == old.start
            && last_new.end == new.start
        {
            last_old.end = old.end;
            last_new.end = new.end;
            return;
        }
        self.stretches.push((old, new));
    }

    /// Pairs what belongs together: rows by key anywhere, equal words anywhere, alike ones in place.
    fn settle(
        self,
        old: &Side<'_>,
        new: &Side<'_>,
        (of_old, of_new): (&[usize], &[usize]),
    ) -> Vec<(usize, PassageChange)> {
        let mut found = Vec::new();
        let places: Vec<usize> = self.stretches.iter().map(|(_, news)| news.start).collect();
        let mut left: Vec<(Vec<usize>, Vec<usize>)> =
            self.stretches.into_iter().map(|(a, b)| (a.collect(), b.collect())).collect();
        let mut pair = |change, a: usize, b: usize| {
            let spans = (old.passages[a].span, new.passages[b].span);
            found.push((b, PassageChange { change, old: Some(spans.0), new: Some(spans.1) }));
        };
        pair_across(
            &mut left,
            |at| Some(of_old[at]),
            |at| Some(of_new[at]),
            |a, b| {
                pair(Passage::Moved, a, b);
            },
        );
        pair_across(
            &mut left,
            |at| old.row_key(at),
            |at| new.row_key(at),
            |a, b| {
                pair(Passage::Changed, a, b);
            },
        );
        for (olds, news) in &mut left {
            pair_alike(olds, news, (old, new), |a, b| pair(Passage::Changed, a, b));
        }
        for (place, (olds, news)) in places.into_iter().zip(left) {
            for a in olds {
                found.push((place, alone(Passage::Removed, Some(old.passages[a].span), None)));
            }
            for b in news {
                found.push((b, alone(Passage::Added, None, Some(new.passages[b].span))));
            }
        }
        found
    }
}

/// Pairs passages with equal keys in all stretches, first with first; both leave the stretches.
fn pair_across<K: Ord>(
    left: &mut [(Vec<usize>, Vec<usize>)],
    old_key: impl Fn(usize) -> Option<K>,
    new_key: impl Fn(usize) -> Option<K>,
    mut pair: impl FnMut(usize, usize),
) {
    let mut waiting: BTreeMap<K, VecDeque<usize>> = BTreeMap::new();
    for &at in left.iter().flat_map(|(olds, _)| olds) {
        if let Some(key) = old_key(at) {
            waiting.entry(key).or_default().push_back(at);
        }
    }
    let mut taken = std::collections::BTreeSet::new();
    for (_, news) in left.iter_mut() {
        news.retain(|&at| {
            let from = new_key(at).and_then(|it| waiting.get_mut(&it)?.pop_front());
            from.is_none_or(|from| {
                taken.insert(from);
                pair(from, at);
                false
            })
        });
    }
    for (olds, _) in left.iter_mut() {
        olds.retain(|at| !taken.contains(at));
    }
}

/// How many passages of one stretch are compared each with each; a longer stretch is paired in order.
const MOST_COMPARED: usize = 40;

/// Pairs the most alike passages of one stretch; both leave it.
fn pair_alike(
    olds: &mut Vec<usize>,
    news: &mut Vec<usize>,
    (old, new): (&Side<'_>, &Side<'_>),
    mut pair: impl FnMut(usize, usize),
) {
    let of_old: Vec<Shingles> = olds.iter().map(|&at| Shingles::of(old.words(at))).collect();
    let of_new: Vec<Shingles> = news.iter().map(|&at| Shingles::of(new.words(at))).collect();
    let is_long = olds.len().max(news.len()) > MOST_COMPARED;
    let mut candidates = Vec::new();
    for (a, left) in of_old.iter().enumerate() {
        for (b, right) in of_new.iter().enumerate() {
            if is_long && a != b {
                continue;
            }
            let likeness = left.likeness(right);
            if likeness >= SAME_PASSAGE || (olds.len() == 1 && news.len() == 1) {
                candidates.push((likeness, a, b));
            }
        }
    }
    candidates.sort_by_key(|&(likeness, a, b)| (std::cmp::Reverse(likeness), b, a));
    let (mut old_left, mut new_left) = (vec![true; olds.len()], vec![true; news.len()]);
    for (_, a, b) in candidates {
        if old_left[a] && new_left[b] {
            (old_left[a], new_left[b]) = (false, false);
            pair(olds[a], news[b]);
        }
    }
    let mut keep = old_left.iter();
    olds.retain(|_| keep.next().copied().unwrap_or(true));
    let mut keep = new_left.iter();
    news.retain(|_| keep.next().copied().unwrap_or(true));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told<'a>(old: &'a str, new: &'a str) -> Vec<(Passage, &'a str, &'a str)> {
        compare_passages(old, new)
            .passages
            .iter()
            .map(|it| {
                let slice = |span: Option<Span>, text: &'a str| {
                    span.and_then(|it| it.slice(text)).unwrap_or_default()
                };
                (it.change, slice(it.old, old), slice(it.new, new))
            })
            .collect()
    }

    #[test]
    fn only_the_changed_sentence_is_reported_in_both_languages() {
        assert_eq!(
            told(
                "申請人須年滿六十五歲。每月發給三千元。逾期不受理。",
                "申請人須年滿六十五歲。每月發給三千五百元。逾期不受理。"
            ),
            [(Passage::Changed, "每月發給三千元。", "每月發給三千五百元。")]
        );
        assert_eq!(
            told(
                "You must be 65 or over. You get $100 a month.",
                "You must be 65 or over. You get $140 a month. Apply by 1 May."
            ),
            [
                (Passage::Changed, "You get $100 a month.", "You get $140 a month."),
                (Passage::Added, "", "Apply by 1 May.")
            ]
        );
    }

    #[test]
    fn an_inserted_table_row_changes_no_other() {
        let old = "| Household | Grant |\n| --- | --- |\n| Single | $100 |\n| Couple | $180 |\n| Family | $260 |";
        let new = "| Household | Grant |\n| --- | --- |\n| Single | $100 |\n| Lone parent | $150 |\n| Couple | $190 |\n| Family | $260 |";
        let found = told(old, new);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found.iter().any(|it| it.0 == Passage::Added && it.2.contains("Lone parent")));
        assert!(
            found.iter().any(|it| it.0 == Passage::Changed
                && it.1.contains("$180")
                && it.2.contains("$190"))
        );
    }

    #[test]
    fn a_sentence_that_only_moved_is_moved() {
        let found =
            told("甲條件成立。乙條件成立。丙條件成立。", "丙條件成立。甲條件成立。乙條件成立。");
        assert_eq!(found, [(Passage::Moved, "丙條件成立。", "丙條件成立。")]);
    }

    #[test]
    fn equal_texts_have_no_difference_and_white_space_is_none() {
        assert!(told("A rule.\n\nAnother.", "A rule.\n\nAnother.").is_empty());
        assert!(
            told("Payment is made\nwithin 10 days.", "Payment is made within 10 days.").is_empty()
        );
    }
}
