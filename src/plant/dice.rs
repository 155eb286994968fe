//! Seeded choices: the same seed chooses the same things on every machine.
//!
//! SplitMix64 (Steele, Lea, Flood 2014): small, and good enough to pick rows and digits. Never for keys.

/// A stream of choices.
#[derive(Clone, Debug)]
pub struct Dice {
    state: u64,
}

impl Dice {
    /// The stream of a seed and a name, so that one kind's choices do not depend on another's.
    pub fn new(seed: u64, name: &str) -> Self {
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self { state: seed ^ hash }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`; 0 for an empty range.
    pub fn below(&mut self, end: usize) -> usize {
        let Ok(range) = u64::try_from(end.max(1)) else { return 0 };
        usize::try_from(self.next() % range).unwrap_or(0)
    }

    /// One of the members.
    pub fn pick<'a, T>(&mut self, members: &'a [T]) -> Option<&'a T> {
        members.get(self.below(members.len()))
    }
}
