//! How a subject can compare with a number, and on which side of its number a word for it stands.
//! Knows no word of either language.

/// How a subject compares with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// The number itself: no comparison stands there, or "exactly".
    Equal,
    /// At least.
    AtLeast,
    /// More than.
    MoreThan,
    /// At most.
    AtMost,
    /// Less than.
    LessThan,
    /// From one number to another, both included.
    Between,
    /// Any number but this.
    Not,
}

impl Relation {
    /// The comparison under a "not": not over is at most.
    pub fn negated(self) -> Relation {
        match self {
            Relation::Equal => Relation::Not,
            Relation::AtLeast => Relation::LessThan,
            Relation::MoreThan => Relation::AtMost,
            Relation::AtMost => Relation::MoreThan,
            Relation::LessThan => Relation::AtLeast,
            Relation::Between => Relation::Between,
            Relation::Not => Relation::Equal,
        }
    }
}

/// On which side of the word its number stands, and how near.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The number follows within the clause.
    Before,
    /// The number follows at once, bar an article, a currency or "the age of".
    RightBefore,
    /// The number follows within a few characters: 最高新臺幣三萬元, not 最高等級再升二等級.
    Near,
    /// The number, with its unit, precedes at once.
    After,
}
