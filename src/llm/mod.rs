//! Whoever answers asks: one narrow trait, its implementations beside it.

pub mod answerer;
pub mod anthropic;
pub mod batch;
pub mod batch_anthropic;
pub mod batch_openai;
pub mod batch_state;
pub mod chat;
pub mod dialect;
pub mod failure;
pub mod folder;
pub mod gemini;
pub mod held;
pub mod http;
pub mod key;
pub mod openai;
pub mod pace;
pub mod price;
pub mod record;
pub mod retry;
pub mod settings;
pub mod tokens;
pub mod transport;
