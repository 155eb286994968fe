//! A source: one official site or part of one, as its `sources/<id>.toml` declares it.

use serde::{Deserialize, Serialize};

/// Everything that decides what is crawled, what is content, and what is asked. See
/// `docs/formats.md` for the file; unknown keys are errors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// `[a-z0-9][a-z0-9-]*`, also the name of the file and of the folders.
    pub id: String,
    /// For people.
    pub title: String,
    /// The body that publishes the pages.
    #[serde(default)]
    pub publisher: String,
    /// BCP 47 language of the pages: `en`, `zh-Hant`. Messages to the client follow it.
    pub language: String,
    /// Addresses the crawl starts from.
    pub start: Vec<String>,
    /// Sitemaps to read, absolute or relative to the first start address. Those that robots.txt
    /// names on a declared host are read as well.
    #[serde(default)]
    pub sitemaps: Vec<String>,
    /// Regular expressions over `path?query`; a page must match one of them. Empty: everything on
    /// the hosts of `start`.
    #[serde(default)]
    pub allow: Vec<String>,
    /// Regular expressions over `path?query`; a page must match none of them.
    #[serde(default)]
    pub deny: Vec<String>,
    /// True where links found on pages are followed within `allow` and `deny`.
    #[serde(default = "yes")]
    pub follow_links: bool,
    /// Numbered listings, with `{n}` for the number of the page, from 1 on: `/schemes?page={n}`.
    /// Asked in order until a page lists nothing, and checked against the total they state.
    #[serde(default)]
    pub listings: Vec<String>,
    /// True where a page seen for the first time is asked for twice, to learn what on it changes
    /// from moment to moment.
    #[serde(default)]
    pub probe_twice: bool,
    /// Hosts or addresses in private ranges that this source may fetch from (loopback, intranet).
    #[serde(default)]
    pub private_hosts: Vec<String>,
    /// Addresses of pages that somebody has looked at and that are right as they are, though their words
    /// are those of a wall, an error or an empty page: a page about maintenance work.
    #[serde(default)]
    pub vouched_for: Vec<String>,
    /// CSS selectors of what is content, in document order; empty: `main`, else `article`, else
    /// `body`. A page on which none matches is `selector_missing`.
    #[serde(default)]
    pub content: Vec<String>,
    /// CSS selectors inside the content that are furniture.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// How a page is cut into items.
    #[serde(default)]
    pub items: ItemRule,
    /// How gently the site is asked.
    #[serde(default)]
    pub politeness: Politeness,
    /// The declared fields, in the order they are shown.
    pub fields: Vec<Field>,
}

impl Source {
    /// A source of which no more than id and language is said; everything else is what a source file
    /// leaves out.
    pub fn new(id: &str, language: &str) -> Self {
        Self {
            id: id.to_owned(),
            title: String::new(),
            publisher: String::new(),
            language: language.to_owned(),
            start: Vec::new(),
            sitemaps: Vec::new(),
            allow: Vec::new(),
            deny: Vec::new(),
            follow_links: true,
            listings: Vec::new(),
            probe_twice: false,
            private_hosts: Vec::new(),
            vouched_for: Vec::new(),
            content: Vec::new(),
            exclude: Vec::new(),
            items: ItemRule::default(),
            politeness: Politeness::default(),
            fields: Vec::new(),
        }
    }
}

fn yes() -> bool {
    true
}

/// How a page is cut into items.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "rule", deny_unknown_fields)]
pub enum ItemRule {
    /// A section under each heading, up to the next heading of any level.
    #[default]
    Headings,
    /// An article (第 N 條, Article N, Section N).
    Articles,
    /// One table row.
    Rows,
    /// The whole page.
    Page,
    /// Each element a CSS selector names.
    Selector { selector: String },
}

/// Limits of a crawl of one source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Politeness {
    /// Least time between two requests to one host, milliseconds. A `Crawl-delay` in robots.txt
    /// that is longer wins.
    pub delay_ms: u64,
    /// Requests in flight to one host.
    pub concurrency: usize,
    /// Longest wait for one answer, seconds.
    pub timeout_s: u64,
    /// Largest body after decompression, bytes.
    pub max_bytes: u64,
    /// Most pages of one crawl.
    pub max_pages: usize,
    /// Tries of one page in one crawl.
    pub max_tries: u32,
    /// Longest Retry-After that is waited for, seconds; a longer one parks the page.
    pub max_wait_s: u64,
    /// Redirects followed from one address.
    pub max_redirects: usize,
    /// Every how many visits a page is fetched without conditions, to catch a lying validator.
    pub full_audit_every: u32,
    /// Refusals as gone, in separate runs, before a page is a removal candidate.
    pub confirm_removal_after: u32,
}

impl Default for Politeness {
    fn default() -> Self {
        Self {
            delay_ms: 1000,
            concurrency: 2,
            timeout_s: 30,
            max_bytes: 10_000_000,
            max_pages: 5_000,
            max_tries: 3,
            max_wait_s: 120,
            max_redirects: 10,
            full_audit_every: 10,
            confirm_removal_after: 2,
        }
    }
}

/// One declared field: what a row may be about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// `[a-z][a-z0-9_]*`.
    pub name: String,
    /// What kind of value it takes.
    #[serde(rename = "type", default)]
    pub kind: FieldKind,
    /// Usual unit: `years`, `HKD/month`, `%`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// What belongs here, in the words a reader needs to choose between fields.
    pub description: String,
    /// Sentences of the kind that belong here. Never evidence: a snippet that stands only here is
    /// SNIPPET_FROM_EXAMPLE.
    #[serde(default)]
    pub examples: Vec<String>,
}

impl Field {
    /// A field of which no more than its name is known.
    pub fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            kind: FieldKind::default(),
            unit: None,
            description: String::new(),
            examples: Vec::new(),
        }
    }
}

/// What kind of value a field takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FieldKind {
    #[default]
    Any,
    Number,
    Money,
    Percent,
    Duration,
    Date,
    Boolean,
    Text,
}
