//! What a run would cost and did cost: grounds, odds, estimates, quotes.

pub mod assumptions;
pub mod bill;
pub mod estimate;
pub mod grounds;
pub mod measured;
pub mod odds;
pub mod quote;
pub mod quote_paper;
