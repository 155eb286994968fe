//! How the parts of a rule combine: and, or, one of these.

pub mod combination;
pub mod conjunction;
pub mod connective;
