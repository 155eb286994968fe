//! What a chat model is sent, whichever provider it is behind.

use std::sync::Arc;

use serde_json::Value;

/// What a chat model is sent for an ask.
#[derive(Clone, Debug, PartialEq)]
pub struct ChatRequest {
    /// Instructions; equal for all asks of one step and source, so that providers can cache them.
    pub system: String,
    /// The item: quoted data.
    pub user: String,
    /// Name of the reply's schema.
    pub schema_name: &'static str,
    /// JSON schema of the reply; equal for all asks of one step and source.
    pub schema: Arc<Value>,
    /// How long an honest reply can be.
    pub bounds: ReplyBounds,
}

/// How long an honest reply can be; `None` where nothing is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplyBounds {
    /// Tokens of the reply itself, without thinking.
    pub tokens: Option<u64>,
    /// Rows, verdicts or groups.
    pub items: Option<usize>,
    /// Characters of a quote.
    pub quote: Option<usize>,
    /// The only quotes there are to choose from; empty: any.
    pub pieces: Vec<String>,
    /// Ids of the rows that a review has to give a verdict on, each once and in this order; `None` in
    /// an extraction.
    pub verdicts: Option<Vec<String>>,
}
