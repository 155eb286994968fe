//! What belongs to a source: its hosts and its allow and deny patterns. Decides; asks nothing.

use std::collections::BTreeSet;

use regex::RegexSet;
use url::Url;

use crate::crawl::url::{RefusedAddress, host_key, path_and_query, read_address, read_relative};
use crate::model::source::Source;

/// A source's declaration that a crawl cannot work with.
#[derive(Debug, thiserror::Error)]
pub enum ScopeError {
    #[error("source {id}: no start address and no sitemap; name at least one in `start`")]
    NothingToStartFrom { id: String },
    #[error("source {id}: {key} holds {pattern:?}, which is not a regular expression: {detail}")]
    Pattern { id: String, key: &'static str, pattern: String, detail: String },
}

/// The borders of one source.
#[derive(Debug)]
pub struct Scope {
    hosts: BTreeSet<String>,
    allow: Option<RegexSet>,
    deny: RegexSet,
    private_hosts: BTreeSet<String>,
    /// The readable start addresses, in the order declared.
    pub start: Vec<Url>,
    /// The readable sitemap addresses, in the order declared.
    pub sitemaps: Vec<Url>,
    /// Declared addresses that are refused.
    pub refused: Vec<RefusedAddress>,
}

/// Where an address stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Inside,
    ForeignHost,
    /// On a declared host, but outside `allow` or inside `deny`.
    OutsidePatterns,
}

impl Scope {
    /// Reads the declaration.
    ///
    /// # Errors
    /// When there is nothing to start from, or a pattern is no regular expression.
    pub fn new(source: &Source) -> Result<Self, ScopeError> {
        let mut refused = Vec::new();
        let mut start = Vec::new();
        for raw in &source.start {
            match read_address(raw) {
                Ok(url) => start.push(url),
                Err(cause) => refused.push(cause),
            }
        }
        let mut sitemaps = Vec::new();
        for raw in &source.sitemaps {
            let read = match start.first() {
                Some(base) => read_relative(raw, base),
                None => read_address(raw),
            };
            match read {
                Ok(url) => sitemaps.push(url),
                Err(cause) => refused.push(cause),
            }
        }
        if start.is_empty() && sitemaps.is_empty() && refused.is_empty() {
            return Err(ScopeError::NothingToStartFrom { id: source.id.clone() });
        }
        let mut hosts = BTreeSet::new();
        for url in start.iter().chain(&sitemaps) {
            let key = host_key(url);
            // A site answers with and without `www.`; the declared form speaks for both.
            match key.strip_prefix("www.") {
                Some(bare) => hosts.insert(bare.to_owned()),
                None => hosts.insert(format!("www.{key}")),
            };
            hosts.insert(key);
        }
        let allow = patterns(source, "allow", &source.allow)?;
        Ok(Self {
            hosts,
            allow: (!source.allow.is_empty()).then_some(allow),
            deny: patterns(source, "deny", &source.deny)?,
            private_hosts: source.private_hosts.iter().map(|it| it.to_ascii_lowercase()).collect(),
            start,
            sitemaps,
            refused,
        })
    }

    /// Where `url` stands.
    pub fn place(&self, url: &Url) -> Place {
        if !self.is_own_host(url) {
            return Place::ForeignHost;
        }
        let path = path_and_query(url);
        let is_allowed = self.allow.as_ref().is_none_or(|it| it.is_match(&path));
        if is_allowed && !self.deny.is_match(&path) {
            Place::Inside
        } else {
            Place::OutsidePatterns
        }
    }

    /// True for the declared hosts.
    pub fn is_own_host(&self, url: &Url) -> bool {
        self.hosts.contains(&host_key(url))
    }

    /// True where the source lets its host stand in a private range.
    pub fn may_be_private(&self, url: &Url) -> bool {
        let host = url.host_str().unwrap_or_default();
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        [host, bare, &host_key(url)].iter().any(|it| self.private_hosts.contains(*it))
    }
}

/// True where one of the start addresses is on the host of `url`. It reads no more of them than it has
/// to: a source may name thousands, and each of its pages is asked about.
pub fn starts_on_host_of(source: &Source, url: &Url) -> bool {
    fn bare(key: &str) -> &str {
        key.strip_prefix("www.").unwrap_or(key)
    }
    let key = host_key(url);
    let mut declared = source.start.iter().filter_map(|it| read_address(it).ok());
    declared.any(|it| bare(&host_key(&it)) == bare(&key))
}

/// Compiled with the size limits of the `regex` crate, which matches in linear time.
fn patterns(source: &Source, key: &'static str, all: &[String]) -> Result<RegexSet, ScopeError> {
    RegexSet::new(all).map_err(|_| {
        let bad = all.iter().find_map(|it| regex::Regex::new(it).err().map(|cause| (it, cause)));
        let (pattern, detail) = bad.map_or_else(
            || (all.join(" "), "all together are too large".to_owned()),
            |(it, cause)| (it.clone(), cause.to_string()),
        );
        ScopeError::Pattern { id: source.id.clone(), key, pattern, detail }
    })
}
