//! A page as it was read: its canonical text, its items, and what was kept apart from them.
//!
//! Plain values for the stages to hand on. Nothing that is kept apart is ever evidence.

use serde::{Deserialize, Serialize};

use crate::model::item::Item;
use crate::model::page_map::PageMap;

/// Everything that reading one page yields. The same bytes and rules give the same value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CanonicalPage {
    /// The first level-one heading of the content, else the document's title, as the page words it.
    pub title: String,
    /// The `lang` attribute that holds for the content, as the page writes it.
    pub language: Option<String>,
    /// The canonical text; `docs/formats.md` describes it. Every span of the page counts in it.
    pub text: String,
    /// The items, in reading order; they do not overlap and leave out only blank lines.
    pub items: Vec<Item>,
    /// Text inside the content that a reader of the page does not see.
    pub hidden: Vec<HiddenText>,
    /// Texts that stand for something that is not text: image descriptions,
    /// words in drawings, ruby annotations.
    pub alternatives: Vec<Alternative>,
    /// From canonical text back to the page.
    pub map: PageMap,
    /// All links of the page, also those outside the content, in document order.
    pub links: Vec<Link>,
    /// What the page says of itself outside its text.
    pub signs: PageSigns,
}

/// A text that a reader of the page does not see, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HiddenText {
    pub why: HiddenWhy,
    /// White space folded.
    pub text: String,
    /// Byte offset into the canonical text at which it would stand.
    pub at: usize,
}

/// Why a text is not seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HiddenWhy {
    /// A `hidden` attribute, and no control of the page opens the element.
    Attribute,
    /// A style that shows nothing (`display: none` and its like).
    Style,
    /// `<template>`, `<noscript>`, a closed `<dialog>`, the inner text of a player or frame.
    Element,
    /// `<del>`, `<s>`: shown, but struck out as no longer true.
    Struck,
    /// A comment of the markup that gives orders to machines.
    Comment,
    /// An attribute that gives orders to machines: a title, a label, the description of a picture.
    Words,
}

/// A text that stands for something that is not text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alternative {
    /// `img`, `svg` or `ruby`.
    pub kind: String,
    /// White space folded.
    pub text: String,
    /// Byte offset into the canonical text at which it stands.
    pub at: usize,
}

/// A link as the page writes it. The caller resolves it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// The `href` attribute without white space around it.
    pub href: String,
    /// The link's text, white space folded.
    pub text: String,
    /// The `rel` attribute, in lower case; empty where there is none.
    pub rel: String,
    /// True where the link stands in the content.
    pub is_in_content: bool,
}

/// What a page says of itself outside its text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageSigns {
    /// The `<title>` element, white space folded.
    pub document_title: String,
    /// `<link rel=canonical>`, as written.
    pub canonical_link: Option<String>,
    /// `<base href>`, which relative links count from, as written.
    pub base_href: Option<String>,
    /// `<meta name=robots>` contents, in lower case, joined with `, `.
    pub robots: String,
    /// `<meta http-equiv=refresh>`, as written.
    pub refresh: Option<String>,
    /// `<link rel=alternate hreflang>`: language and address.
    pub alternates: Vec<(String, String)>,
    /// True where the page asks for a password.
    pub has_password_field: bool,
    /// Number of `<script>` elements.
    pub scripts: usize,
    /// The content selectors that matched, in the order of the source file; the fallback's name
    /// where the source declares none.
    pub content_selectors: Vec<String>,
}
