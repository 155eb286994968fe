//! The built-in reader `rules`: reads conditions out of an ask's own text, without any model.

pub mod answerer;
pub mod clause;
pub mod concept;
pub mod draft;
pub mod english;
pub mod english_cue;
pub mod example;
pub mod extract;
pub mod field;
pub mod han;
pub mod han_act;
pub mod han_clause;
pub mod lead;
pub mod lists;
pub mod measure;
pub mod objection;
pub mod omitted;
pub mod quote;
pub mod reread;
pub mod review;
pub mod setting;
pub mod stated;
pub mod subject;
pub mod wording;
