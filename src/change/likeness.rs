//! How alike texts are, and which of many is most alike, in time near the length of the texts.
//!
//! Runs of four characters, white space left out, stand for words: that works with and without
//! spaces between them. Hashes are fixed, so the same texts always give the same numbers.

use std::collections::{BTreeMap, BTreeSet};

/// Characters a shingle spans.
const WIDTH: usize = 4;

/// A shingle that stands in more texts than this says nothing about which is meant.
const MOST_HOLDERS: usize = 24;

/// The runs of four characters of one text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shingles(BTreeSet<u64>);

impl Shingles {
    /// Reads `text` once; a text of fewer than four characters is one shingle.
    pub fn of(text: &str) -> Self {
        let chars: Vec<char> = text.chars().filter(|it| !it.is_whitespace()).collect();
        if chars.len() < WIDTH {
            return Self(BTreeSet::from([hash(&chars)]));
        }
        Self(chars.windows(WIDTH).map(hash).collect())
    }

    /// Dice's coefficient, 0 to 1000: twice what is shared over what there is.
    pub fn likeness(&self, other: &Self) -> u32 {
        let shared = self.0.intersection(&other.0).count();
        per_mille(2 * shared, self.0.len() + other.0.len())
    }
}

/// For each of `new`, the indices in `old` that share telling shingles, with their likeness in
/// thousandths, most alike first.
pub fn nearest(old: &[Shingles], new: &[Shingles]) -> Vec<Vec<(usize, u32)>> {
    let mut holders: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (at, shingles) in old.iter().enumerate() {
        for &shingle in &shingles.0 {
            holders.entry(shingle).or_default().push(at);
        }
    }
    new.iter()
        .map(|shingles| {
            let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
            for shingle in &shingles.0 {
                for &at in
                    holders.get(shingle).filter(|it| it.len() <= MOST_HOLDERS).into_iter().flatten()
                {
                    *shared.entry(at).or_default() += 1;
                }
            }
            let mut ranked: Vec<(usize, usize)> = shared.into_iter().collect();
            ranked.sort_by_key(|&(at, count)| (std::cmp::Reverse(count), at));
            ranked.truncate(4);
            let mut found: Vec<(usize, u32)> =
                ranked.into_iter().map(|(at, _)| (at, old[at].likeness(shingles))).collect();
            found.sort_by_key(|&(at, likeness)| (std::cmp::Reverse(likeness), at));
            found
        })
        .collect()
}

fn per_mille(part: usize, whole: usize) -> u32 {
    if whole == 0 {
        return 0;
    }
    u32::try_from(part * 1000 / whole).unwrap_or(1000)
}

/// FNV-1a over the characters' scalar values.
fn hash(chars: &[char]) -> u64 {
    chars.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &it| {
        (hash ^ u64::from(u32::from(it))).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likeness_falls_with_what_differs_in_both_languages() {
        let of = Shingles::of;
        let zh = of("申請人須年滿六十五歲，並在本區連續居住滿三年。");
        assert_eq!(zh.likeness(&zh), 1000);
        assert!(zh.likeness(&of("申請人須年滿七十歲，並在本區連續居住滿三年。")) > 600);
        assert!(zh.likeness(&of("每月收入不得超過新臺幣三萬元。")) < 100);
        let en = of("An applicant must be aged 65 or over.");
        assert!(en.likeness(&of("An applicant must be aged 70 or over.")) > 700);
        assert!(en.likeness(&of("The fee is HK$50.")) < 100);
    }

    #[test]
    fn the_most_alike_comes_first() {
        let old: Vec<Shingles> =
            ["第一級補助每月三千元", "第二級補助每月五千元"].map(Shingles::of).into();
        let new = [Shingles::of("第二級補助每月五千五百元")];
        assert_eq!(nearest(&old, &new)[0][0].0, 1);
    }
}
