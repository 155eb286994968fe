//! What is last known of each page of a source. Nothing here moves before a new capture is accepted.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::model::page::Outcome;
use crate::model::snapshot::FoundBy;

/// The one value of [`Baseline::format`] this version reads and writes.
pub const BASELINE_FORMAT: &str = "countersign.baseline/1";

/// The last known state of a source's pages and hosts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    pub format: String,
    pub source: String,
    /// Crawls that were finished.
    pub crawls: u32,
    /// The edition the last crawl ended in.
    pub edition: Option<String>,
    /// When the last finished crawl began: its journal is not gone on with.
    #[serde(default)]
    pub last_begun: Option<Timestamp>,
    /// Page address in normal form -> what is known.
    pub pages: BTreeMap<String, PageState>,
    /// Host with port -> what is known.
    pub hosts: BTreeMap<String, HostState>,
    /// First page of a listing -> the entries of its last complete reading, sorted.
    #[serde(default)]
    pub listings: BTreeMap<String, Vec<String>>,
}

/// What is known of one page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageState {
    pub found_by: FoundBy,
    /// Crawls in which the page was asked for.
    pub visits: u32,
    /// When it was last seen well.
    pub last_seen: Option<Timestamp>,
    /// The last accepted capture.
    pub accepted: Option<Accepted>,
    /// The server's own validators of the last accepted answer, byte for byte.
    pub validators: Option<Validators>,
    /// Open until the page is right again or the operator decides.
    pub problem: Option<OpenProblem>,
    /// Separate runs in which the page was answered as gone, without a good answer between.
    pub gone_seen: u32,
    /// The page this address redirects to.
    pub moved_to: Option<String>,
    /// The document this address is another name of.
    pub alias_of: Option<String>,
}

/// The last accepted capture of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accepted {
    pub record: String,
    /// Bytes the text was read from.
    pub raw: String,
    /// Bytes last seen with this same text; another digest where only furniture changed.
    pub raw_seen: String,
    pub text: Option<String>,
    /// Digest of the text's words, the same where only the layout changed.
    pub words: String,
    pub title: String,
    pub media: String,
    pub final_url: String,
    pub reader: String,
    /// Letters and digits of the text.
    pub letters: u64,
    /// Share of Han letters, percent.
    pub han_percent: u32,
    /// Of the characters that only one Chinese script has, the share of simplified ones, percent;
    /// `None` where there are too few to tell.
    pub simplified_percent: Option<u32>,
    pub flags: Vec<String>,
    /// Links inside the content.
    pub entries: u64,
    /// True where the page states which part of a listing it shows.
    #[serde(default)]
    pub is_listing: bool,
    /// Digests of earlier accepted texts, oldest first, at most 50.
    pub history: Vec<String>,
}

/// Sent back to the address they came from, as they came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Validators {
    pub url: String,
    pub etag: Option<String>,
    pub last_modified: Option<String>,
}

/// A state that stays until the page is right again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenProblem {
    pub outcome: Outcome,
    pub reason: String,
    pub since: Timestamp,
    /// Crawls in which it was seen.
    pub open_runs: u32,
}

/// What is known of one host.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostState {
    /// Since when its validators are not believed: a page had changed under them.
    pub validators_untrusted_since: Option<Timestamp>,
    /// No request before this time, as the host asked.
    pub not_before: Option<Timestamp>,
}
