//! The judge: whether a stated row is what the page says.

pub mod absent;
pub mod across;
pub mod carry;
pub mod cell;
pub mod choose;
pub mod contract;
pub mod docs;
pub mod draft;
pub mod index;
pub mod judge;
pub mod ledger;
pub mod locate;
pub mod measure;
pub mod nearest;
pub mod number;
pub mod page;
pub mod row;
pub mod scope;
pub mod short;
pub mod stand;
pub mod state;
pub mod stream;
pub mod value;
pub mod words;
pub mod worth;
