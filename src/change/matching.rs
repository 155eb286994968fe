//! Which item of the new edition is which item of the old one.
//!
//! Same key and same text first; then same text, wherever it moved and whatever it is numbered; then
//! text that is much alike; then what is left of equal keys. So an inserted clause is one new item,
//! and what comes after it is renumbered, not changed.

use std::collections::{BTreeMap, VecDeque};

use crate::change::likeness::{Shingles, nearest};

/// One item of an edition, as far as matching needs it.
#[derive(Clone, Copy, Debug)]
pub struct ItemText<'a> {
    /// Stable key within the page.
    pub key: &'a str,
    /// The item's canonical text.
    pub text: &'a str,
    /// Digest of the text without its own number.
    pub fingerprint: &'a str,
}

/// What became of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ItemChange {
    /// Only in the new edition.
    New,
    /// Only in the old edition: a candidate, never a deletion.
    Removed,
    /// In both, with other words; the key may differ too.
    Changed,
    /// Same key, same text.
    Unchanged,
    /// Same text under another key: moved or renumbered.
    Moved,
    /// Same key and text, at another place among its neighbours.
    Reordered,
}

/// A pair, or one side alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ItemMatch {
    pub change: ItemChange,
    /// Index into the old items.
    pub old: Option<usize>,
    /// Index into the new items.
    pub new: Option<usize>,
}

/// Texts at least this much alike (thousandths) are the same item under another key.
const SAME_ITEM: u32 = 550;

/// Equal keys count as this much likeness when candidates are ranked.
const SAME_KEY_BONUS: u32 = 200;

/// Matches every item of both editions exactly once: new ones in their order, then removed ones.
pub fn match_items(old: &[ItemText<'_>], new: &[ItemText<'_>]) -> Vec<ItemMatch> {
    let mut pairing = Pairing { of_old: vec![None; old.len()], of_new: vec![None; new.len()] };
    pair_equal(old, new, |it| (it.key, it.fingerprint), &mut pairing);
    pair_equal(old, new, |it| it.fingerprint, &mut pairing);
    pair_alike(old, new, &mut pairing);
    pair_equal(old, new, |it| it.key, &mut pairing);
    let kept = in_order(&pairing.of_new, |at, from| {
        old[from].key == new[at].key && old[from].fingerprint == new[at].fingerprint
    });
    let mut matches: Vec<ItemMatch> = (0..new.len())
        .map(|at| {
            let from = pairing.of_new[at];
            let change = match from {
                None => ItemChange::New,
                Some(from) if old[from].fingerprint != new[at].fingerprint => ItemChange::Changed,
                Some(from) if old[from].key != new[at].key => ItemChange::Moved,
                Some(_) if kept[at] => ItemChange::Unchanged,
                Some(_) => ItemChange::Reordered,
            };
            ItemMatch { change, old: from, new: Some(at) }
        })
        .collect();
    matches.extend((0..old.len()).filter(|&at| pairing.of_old[at].is_none()).map(|at| ItemMatch {
        change: ItemChange::Removed,
        old: Some(at),
        new: None,
    }));
    matches
}

struct Pairing {
    of_old: Vec<Option<usize>>,
    of_new: Vec<Option<usize>>,
}

impl Pairing {
    fn pair(&mut self, old: usize, new: usize) {
        self.of_old[old] = Some(new);
        self.of_new[new] = Some(old);
    }

    fn open_old(&self) -> Vec<usize> {
        (0..self.of_old.len()).filter(|&at| self.of_old[at].is_none()).collect()
    }

    fn open_new(&self) -> Vec<usize> {
        (0..self.of_new.len()).filter(|&at| self.of_new[at].is_none()).collect()
    }
}

/// Pairs what is equal under `by`, equal ones in their order.
fn pair_equal<'a, K: Ord>(
    old: &'a [ItemText<'a>],
    new: &'a [ItemText<'a>],
    by: impl Fn(&ItemText<'a>) -> K,
    pairing: &mut Pairing,
) {
    let mut waiting: BTreeMap<K, VecDeque<usize>> = BTreeMap::new();
    for at in pairing.open_old() {
        waiting.entry(by(&old[at])).or_default().push_back(at);
    }
    for at in pairing.open_new() {
        if let Some(from) = waiting.get_mut(&by(&new[at])).and_then(VecDeque::pop_front) {
            pairing.pair(from, at);
        }
    }
}

/// Pairs what is most alike, best pairs first; an equal key tips the balance.
fn pair_alike(old: &[ItemText<'_>], new: &[ItemText<'_>], pairing: &mut Pairing) {
    let (open_old, open_new) = (pairing.open_old(), pairing.open_new());
    let shingles = |items: &[ItemText<'_>], open: &[usize]| -> Vec<Shingles> {
        open.iter().map(|&at| Shingles::of(items[at].text)).collect()
    };
    let (of_old, of_new) = (shingles(old, &open_old), shingles(new, &open_new));
    let mut candidates: Vec<(u32, usize, usize)> = Vec::new();
    for (at, found) in nearest(&of_old, &of_new).into_iter().enumerate() {
        for (from, likeness) in found {
            let (from, at) = (open_old[from], open_new[at]);
            let bonus = if old[from].key == new[at].key { SAME_KEY_BONUS } else { 0 };
            if likeness + bonus >= SAME_ITEM {
                candidates.push((likeness + bonus, from, at));
            }
        }
    }
    candidates.sort_by_key(|&(score, from, at)| (std::cmp::Reverse(score), at, from));
    for (_, from, at) in candidates {
        if pairing.of_old[from].is_none() && pairing.of_new[at].is_none() {
            pairing.pair(from, at);
        }
    }
}

/// True for those that keep their order: a longest increasing run of old places.
fn in_order(of_new: &[Option<usize>], counts: impl Fn(usize, usize) -> bool) -> Vec<bool> {
    let places: Vec<(usize, usize)> = of_new
        .iter()
        .enumerate()
        .filter_map(|(at, from)| from.map(|it| (at, it)))
        .filter(|&(at, from)| counts(at, from))
        .collect();
    // Patience: the smallest last place of a run of each length, with links back.
    let mut tails: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; places.len()];
    for (at, &(_, from)) in places.iter().enumerate() {
        let length = tails.partition_point(|&it| places[it].1 < from);
        before[at] = length.checked_sub(1).map(|it| tails[it]);
        if length == tails.len() {
            tails.push(at);
        } else {
            tails[length] = at;
        }
    }
    let mut kept = vec![false; of_new.len()];
    let mut next = tails.last().copied();
    while let Some(at) = next {
        kept[places[at].0] = true;
        next = before[at];
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items<'a>(texts: &'a [(String, String)]) -> Vec<ItemText<'a>> {
        texts.iter().map(|(key, text)| ItemText { key, text, fingerprint: text }).collect()
    }

    fn article(number: usize, text: &str) -> (String, String) {
        (format!("art-{number}"), text.to_owned())
    }

    fn regulation() -> Vec<String> {
        (1..=200)
            .map(|at| {
                format!("第{at}類人員之補助基準，每月發給新臺幣{at}千元，由主管機關按月撥付。")
            })
            .collect()
    }

    #[test]
    fn an_inserted_clause_is_one_new_item_and_the_rest_are_renumbered() {
        let texts = regulation();
        let old: Vec<_> = texts.iter().enumerate().map(|(at, it)| article(at + 1, it)).collect();
        let mut with_new = texts.clone();
        with_new.insert(2, "申請人不得同時請領其他津貼。".to_owned());
        let new: Vec<_> = with_new.iter().enumerate().map(|(at, it)| article(at + 1, it)).collect();
        let matches = match_items(&items(&old), &items(&new));
        let count = |change| matches.iter().filter(|it| it.change == change).count();
        assert_eq!(count(ItemChange::New), 1);
        assert_eq!(count(ItemChange::Unchanged), 2);
        assert_eq!(count(ItemChange::Moved), 198);
        assert_eq!(count(ItemChange::Changed) + count(ItemChange::Removed), 0);
    }

    #[test]
    fn an_item_that_moved_and_changed_is_found_again() {
        let old = [
            article(1, "An applicant must have lived in the district for one year."),
            article(2, "The monthly income must not exceed $10,710."),
        ];
        let new = [
            article(1, "An applicant must not receive another allowance."),
            article(2, "An applicant must have lived in the district for two years."),
            article(3, "The monthly income must not exceed $10,710."),
        ];
        let matches = match_items(&items(&old), &items(&new));
        let changes: Vec<_> = matches.iter().map(|it| (it.change, it.old)).collect();
        assert_eq!(
            changes,
            [(ItemChange::New, None), (ItemChange::Changed, Some(0)), (ItemChange::Moved, Some(1))]
        );
    }

    #[test]
    fn a_rewritten_item_keeps_its_key_and_a_lost_one_is_a_candidate() {
        let old = [
            article(1, "費用為五十元。"),
            article(2, "逾期不受理。"),
            article(3, "本辦法自發布日施行。"),
        ];
        let new =
            [article(1, "申請人應備齊下列文件送區公所審查。"), article(3, "本辦法自發布日施行。")];
        let matches = match_items(&items(&old), &items(&new));
        let changes: Vec<_> = matches.iter().map(|it| (it.change, it.old, it.new)).collect();
        assert_eq!(
            changes,
            [
                (ItemChange::Changed, Some(0), Some(0)),
                (ItemChange::Unchanged, Some(2), Some(1)),
                (ItemChange::Removed, Some(1), None)
            ]
        );
    }

    #[test]
    fn two_sections_that_changed_places_are_reordered_not_changed() {
        let section = |key: &str, text: &str| (key.to_owned(), text.to_owned());
        let a = section("who-can-apply", "Residents aged 65 or over.");
        let b = section("如何申請", "向區公所申請。");
        let c = section("fees", "No fee.");
        let matches = match_items(&items(&[a.clone(), b.clone(), c.clone()]), &items(&[c, a, b]));
        let changes: Vec<_> = matches.iter().map(|it| it.change).collect();
        assert_eq!(changes, [ItemChange::Reordered, ItemChange::Unchanged, ItemChange::Unchanged]);
    }
}
