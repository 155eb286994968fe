//! What a crawl must know of a page's content, and the trait that says it. Reads nothing itself.

use url::Url;

use crate::model::snapshot::Charset;

/// The bytes of one page, as they came.
#[derive(Clone, Copy, Debug)]
pub struct PageBytes<'a> {
    /// Where they came from.
    pub url: &'a Url,
    /// Lower-case name, value.
    pub headers: &'a [(String, String)],
    /// What the first bytes say the content is.
    pub media: &'a str,
    pub bytes: &'a [u8],
}

/// One page as the reader of pages understands it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageReading {
    pub title: String,
    /// Text of the first heading of the content; empty where there is none.
    pub first_heading: String,
    /// The canonical text. Where the content selectors match nothing, the text of the whole body,
    /// so that the page can be judged.
    pub text: String,
    /// The map from the text back to the page, as it is stored.
    pub map: Option<Vec<u8>>,
    /// False where none of the content selectors matches.
    pub content_found: bool,
    pub charset: Option<Charset>,
    /// Language the page declares; empty where it declares none.
    pub language: String,
    /// Addresses of the links on the whole page, as written, in document order.
    pub links: Vec<String>,
    /// Addresses of the links inside the content.
    pub content_links: Vec<String>,
    /// Address in `<base href>`.
    pub base: Option<String>,
    /// Address in `<link rel="canonical">`: a claim.
    pub canonical: Option<String>,
    /// Target of a `<meta http-equiv="refresh">` that goes off within ten seconds.
    pub refresh: Option<String>,
    pub has_password_input: bool,
    /// True where the page asks that its links be left alone.
    pub is_nofollow: bool,
    /// What is odd about the page, in words that stay the same from run to run:
    /// `charset_conflict: header says utf-8, 45 decode errors`.
    pub flags: Vec<String>,
}

/// The bytes cannot be read as a page.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the page cannot be read: {detail}")]
pub struct ReadPageError {
    pub detail: String,
}

/// Reads pages of one source by its rules.
pub trait ReadPage: Send + Sync {
    /// Version of the reader and digest of the rules it reads with; another value may give another
    /// text for the same bytes.
    fn version(&self) -> String;

    /// True for the media types it can read.
    fn reads(&self, media: &str) -> bool;

    /// Reads one page.
    ///
    /// # Errors
    /// When the bytes cannot be read as a page of that type.
    fn read(&self, page: &PageBytes<'_>) -> Result<PageReading, ReadPageError>;
}
