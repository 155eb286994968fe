//! What is known around a reply: which part of the page was asked about, and with which words.
//!
//! A scope narrows what counts as evidence; it never adds any.

use crate::model::claim::Claim;
use crate::model::source::Field;
use crate::text::span::Span;

/// The circumstances of one reply. `Scope::default()` is a bare page with a bare reply.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scope<'a> {
    /// The item the reader was shown, in bytes of the page; `None`: the whole page.
    pub span: Option<Span>,
    /// Title of the page: as good as a heading for the subject of a row.
    pub page_title: &'a str,
    /// Headings above and of the item, outermost first.
    pub heading_path: &'a [String],
    /// The declared fields; empty: any field is taken.
    pub fields: &'a [Field],
    /// Texts of the prompt that are not the page: worked examples. Quotes of these are told apart.
    pub examples: &'a [String],
    /// True where repairs count as failures.
    pub is_strict: bool,
    /// BCP 47 language the page is declared in; empty: not declared.
    pub language: &'a str,
    /// Text of the page that is no content: hidden, navigation. Never evidence.
    pub hidden: &'a str,
    /// The host that the page comes from, where it is none of those agreed as a source.
    pub foreign_host: Option<&'a str>,
    /// The page as it was, with its rows: for carrying them over without asking again.
    pub earlier: Option<Earlier<'a>>,
}

/// An earlier snapshot of the page and the rows that stood on it.
#[derive(Clone, Copy, Debug)]
pub struct Earlier<'a> {
    pub text: &'a str,
    pub rows: &'a [Claim],
}
