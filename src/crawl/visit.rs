//! What one visit to a page brought, as it is journalled and settled. Judges nothing.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::crawl::listing::ListingPage;
use crate::model::baseline::Validators;
use crate::model::page::Outcome;
use crate::model::snapshot::{CaptureRecord, Charset, Hop};

/// One page, asked for once with all its tries and redirects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Visit {
    /// The page's address in normal form.
    pub page: String,
    /// False for an address that was only passed through on the way to another.
    pub is_page: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redirects: Vec<Hop>,
    pub requests: u32,
    /// True where it was asked without conditions although validators were at hand.
    pub is_audit: bool,
    /// Address of the server that answered last.
    pub remote: Option<String>,
    pub ending: Ending,
    /// Pages of the source that this one links to, in normal form, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
    /// Links that were not taken, by reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub skipped: BTreeMap<String, u64>,
}

/// How a visit ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    Captured(Box<Captured>),
    /// 304 against the accepted capture; with the capture read again where the reader changed.
    NotModified {
        reread: Option<Box<Captured>>,
    },
    /// Another page of the source is the record.
    Moved {
        to: String,
        is_permanent: bool,
    },
    Failed(Box<Failed>),
    /// The address is a sitemap.
    Sitemap,
}

/// A page that passed all checks and is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Captured {
    pub record: CaptureRecord,
    /// Digest of the record.
    pub digest: String,
    /// Digest of the text's words, the same where only the layout changed.
    pub words: String,
    /// Letters and digits of the text.
    pub letters: u64,
    pub han_percent: u32,
    pub simplified_percent: Option<u32>,
    pub validators: Option<Validators>,
    /// Page that `<link rel="canonical">` names, in normal form.
    pub canonical: Option<String>,
    /// Where the reader changed since the last accepted capture: digest of the words that
    /// today's reader reads from that capture's bytes.
    pub before_today: Option<String>,
    /// Links inside the content.
    pub entries: u64,
    /// Only for a page of a declared listing, and one that states which part of a listing it shows.
    pub listing: Option<ListingPage>,
    /// What differs between two looks at the page although its content does not.
    pub volatile: Vec<String>,
}

/// A page that is not accepted, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failed {
    pub outcome: Outcome,
    pub reason: String,
    pub detail: String,
    pub retry_not_before: Option<Timestamp>,
    /// What was answered, kept all the same.
    pub raw: Option<String>,
    /// Digest of its text, for comparison with other pages.
    pub text: Option<String>,
    pub media: Option<String>,
    pub charset: Option<Charset>,
    pub han_percent: Option<u32>,
}

impl Failed {
    /// Nothing came back.
    pub fn unanswered(outcome: Outcome, reason: &str, detail: &str) -> Self {
        Self {
            outcome,
            reason: reason.to_owned(),
            detail: detail.to_owned(),
            retry_not_before: None,
            raw: None,
            text: None,
            media: None,
            charset: None,
            han_percent: None,
        }
    }
}

/// First line of a journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalHead {
    pub started: Timestamp,
    /// Digest of the source's declaration and the reader's version: a journal made under other
    /// rules is not gone on with.
    pub rules: String,
}

/// One line of a journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JournalLine {
    Begin(JournalHead),
    Visit(Box<Visit>),
}
