//! Whoever answers asks: one narrow trait, its implementations beside it.

pub mod answerer;
pub mod chat;
pub mod folder;
pub mod http;
pub mod openai;
pub mod price;
pub mod record;
pub mod retry;
pub mod tokens;
