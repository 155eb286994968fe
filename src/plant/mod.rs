//! Plants errors in rows that stand: for the gate's mutation score, and to watch a reviewer.

pub mod dice;
pub mod falsehood;
pub mod kind;
pub mod quote;
pub mod soil;
pub mod value;
pub mod words;
