//! One check a file, none aware of the others.

pub mod absent;
pub mod across;
pub mod added;
pub mod around;
pub mod cell;
pub mod consent;
pub mod cut_word;
pub mod disputes;
pub mod dropped;
pub mod force;
pub mod join;
pub mod measure;
pub mod member;
pub mod name;
pub mod noted;
pub mod number;
pub mod period;
pub mod polarity;
pub mod repeats;
pub mod short;
pub mod signs;
pub mod subject;
pub mod value;
pub mod worth;
