//! An item: the unit of extraction and of change, a span of one page's canonical text.

use serde::{Deserialize, Serialize};

use crate::text::span::Span;

/// A headed section, an article, a table or a whole page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Stable within its page: the heading path as slugs (`who-can-apply/exceptions`), or the
    /// article number (`art-12-1`); repeats get `~2`, `~3` in reading order.
    pub key: String,
    /// Headings above and of the item, outermost first, as the page words them.
    pub heading_path: Vec<String>,
    /// Where the item stands in the page's canonical text, own heading included.
    pub span: Span,
    /// SHA-256, in hex, of the item's text with white space folded: equal text, equal fingerprint,
    /// wherever it stands and whatever it is numbered.
    pub fingerprint: String,
}
