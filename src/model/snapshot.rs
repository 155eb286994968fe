//! A frozen page, a crawl's set of them, and what became of each page, as the files hold them.
//!
//! No clock stands inside a [`CaptureRecord`] or a [`Manifest`]: the same content gives the same
//! bytes. Times, cookies and request ids belong to the [`CrawlRecord`] and the fetch log.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::model::page::{Outcome, PageChange};
use crate::model::run::PageCounts;

/// The one value of [`CaptureRecord::format`] this version reads and writes.
pub const CAPTURE_FORMAT: &str = "countersign.capture/1";
/// The one value of [`Manifest::format`] this version reads and writes.
pub const MANIFEST_FORMAT: &str = "countersign.manifest/1";
/// The one value of [`CrawlRecord::format`] this version reads and writes.
pub const CRAWL_FORMAT: &str = "countersign.crawl/1";

/// What kind of evidence some bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// A page's bytes as sent, after decompression.
    Raw,
    /// A canonical text.
    Text,
    /// A map from a text back to its page.
    Map,
    /// A capture record.
    Record,
}

/// One redirect, as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hop {
    pub from: String,
    pub status: u16,
    pub to: String,
}

/// The encoding a page was read in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Charset {
    /// Name in the web's own table: `UTF-8`, `Big5`, `GBK`, `windows-1252`.
    pub name: String,
    /// Who decided: `bom`, `header`, `meta`, `detected`, `default`.
    pub decided_by: String,
    /// Characters that could not be read and stand as U+FFFD.
    pub replaced: u64,
}

/// Everything about one frozen page but its bytes; the digests name those.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaptureRecord {
    pub format: String,
    /// The page's address in normal form: its identity.
    pub page: String,
    /// Where the bytes came from.
    pub final_url: String,
    pub redirects: Vec<Hop>,
    pub status: u16,
    /// The server's claims about the content (type, language, disposition), lower-case names.
    pub headers: BTreeMap<String, String>,
    /// What the first bytes say the content is: `text/html`, `application/pdf`.
    pub media: String,
    /// Only for text.
    pub charset: Option<Charset>,
    pub title: String,
    /// Language the page declares, as it words it; empty where it declares none.
    pub language: String,
    /// SHA-256 of the bytes as sent, after decompression.
    pub raw: String,
    pub raw_bytes: u64,
    /// SHA-256 of the canonical text; `None` where no reader can read the media type.
    pub text: Option<String>,
    /// SHA-256 of the map from the text back to the page.
    pub map: Option<String>,
    /// Version of the reader and digest of the rules it read with.
    pub reader: String,
    /// What is odd about the capture, in words that stay the same from run to run.
    pub flags: Vec<String>,
}

/// A crawl's content: the last accepted capture of each document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    pub format: String,
    pub source: String,
    /// Sorted by `page`.
    pub pages: Vec<ManifestPage>,
}

/// One document of an edition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestPage {
    pub page: String,
    pub final_url: String,
    pub title: String,
    pub media: String,
    /// SHA-256 of the bytes.
    pub raw: String,
    /// SHA-256 of the canonical text.
    pub text: Option<String>,
    /// SHA-256 of the [`CaptureRecord`].
    pub record: String,
    /// Other addresses of the same document, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
}

/// How a crawl ended, for the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExitClass {
    Ok,
    /// A person should look at something.
    Attention,
    /// Not a single page was ever seen, and the network is why.
    Fail,
    /// There was no page to ask for.
    Nothing,
}

/// One crawl: when, what became of each page, and the counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrawlRecord {
    pub format: String,
    pub source: String,
    /// The edition this crawl ended in.
    pub edition: String,
    pub exit: ExitClass,
    /// When the first page of it was asked for, also where it was interrupted since.
    pub begun: Timestamp,
    /// When the process began that finished it.
    pub started: Timestamp,
    pub finished: Timestamp,
    /// When the interrupted crawl began that this one went on with.
    pub resumed_from: Option<Timestamp>,
    /// pages in = fetched + unchanged + failed + refused.
    pub counts: PageCounts,
    /// Outcome word -> pages.
    pub outcomes: BTreeMap<String, u64>,
    /// Distinct documents of the edition.
    pub documents: u64,
    /// Sorted by `page`.
    pub pages: Vec<PageOutcome>,
    pub listings: Vec<ListingState>,
    /// Pages whose removal a person must decide, sorted.
    pub removal_candidates: Vec<RemovalCandidate>,
    /// What a person should look at, sorted.
    pub flags: Vec<String>,
    /// What is good to know, sorted.
    pub notes: Vec<String>,
    /// Addresses that were seen and not taken as pages, by reason.
    pub skipped: BTreeMap<String, u64>,
}

/// What became of one page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageOutcome {
    pub page: String,
    pub outcome: Outcome,
    /// A stable word: `maintenance`, `disallow`, `redirect_to_site_root`; empty for `ok`.
    #[serde(default)]
    pub reason: String,
    /// One sentence for a person.
    #[serde(default)]
    pub detail: String,
    /// Only for accepted pages.
    pub change: Option<PageChange>,
    /// True where the last accepted capture is now the one of this crawl.
    pub baseline_advanced: bool,
    pub found_by: FoundBy,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redirects: Vec<Hop>,
    /// For `moved`: the page that is the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The document this address is another name of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alias_of: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charset: Option<Charset>,
    /// Digest of the bytes of this crawl, kept even where they were not accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
    /// Compared with the last accepted capture.
    pub raw_changed: bool,
    pub text_changed: bool,
    /// Runs in which the present problem was seen, this one included.
    pub open_runs: u32,
    /// When the present problem was first seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// Separate runs in which the page was answered as gone.
    pub gone_seen: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_not_before: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// What changed between two looks at the page, moments apart: `visitor count: 1`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub volatile: Vec<String>,
    /// Share of Han letters before and now, percent of all letters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub han_percent: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub han_percent_before: Option<u32>,
    /// Address of the server that answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connected_to: Option<String>,
    /// Requests made for the page in this crawl.
    pub requests: u32,
}

impl PageOutcome {
    /// An outcome with everything else still unsaid.
    pub fn new(page: &str, outcome: Outcome, found_by: FoundBy) -> Self {
        Self {
            page: page.to_owned(),
            outcome,
            reason: String::new(),
            detail: String::new(),
            change: None,
            baseline_advanced: false,
            found_by,
            redirects: Vec::new(),
            target: None,
            alias_of: None,
            media: None,
            charset: None,
            raw: None,
            raw_changed: false,
            text_changed: false,
            open_runs: 0,
            since: None,
            gone_seen: 0,
            retry_not_before: None,
            flags: Vec::new(),
            volatile: Vec::new(),
            han_percent: None,
            han_percent_before: None,
            connected_to: None,
            requests: 0,
        }
    }
}

/// How a page came to be known; the first of these that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FoundBy {
    Start,
    Sitemap,
    Listing,
    /// Known from an earlier crawl alone.
    Known,
    Redirect,
    Link,
}

/// A listing whose own stated total is checked against what it lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListingState {
    /// The listing's first page.
    pub page: String,
    /// Distinct entries on its pages, up to the first page without any.
    pub listed: u64,
    /// The total its pages state.
    pub declared_total: Option<u64>,
    pub is_complete: bool,
    /// Entries of the last complete listing that were not seen: not verified, never removed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_verified: Vec<String>,
}

/// A page that seems to be gone: a question for a person, never an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RemovalCandidate {
    pub page: String,
    /// `gone`, `redirect_to_site_root`, `soft_404`.
    pub reason: String,
    pub since: Timestamp,
    /// When it was last seen well.
    pub last_seen: Option<Timestamp>,
    /// Record and text of the last accepted capture.
    pub record: String,
    pub text: Option<String>,
}
