//! What became of a page in a crawl, and what changed on it.

use serde::{Deserialize, Serialize};

/// Exactly one for each page of a crawl. The words are those of users' scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Ok,
    NotModified,
    /// Redirected to another page of the source; that page is the record.
    Moved,
    /// Redirected to another host or its root; a person must look.
    MovedUnconfirmed,
    /// 200, but says it is gone, or ends at the site's root.
    SoftGone,
    /// 404 or 410, not yet often enough.
    GoneSuspected,
    /// 404 or 410 in as many separate runs as the source asks for.
    Gone,
    /// Time-out, 5xx, 429, cut body: nothing is known.
    FailedTransient,
    BlockedByRobots,
    BlockedBySite,
    RefusedAddress,
    RefusedScheme,
    RefusedUrl,
    TooLarge,
    SelectorMissing,
    /// Answered, but not with the page: maintenance, login, other language, other type.
    Suspect,
}

impl Outcome {
    /// The word used in files, JSON and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::Ok => "ok",
            Outcome::NotModified => "not_modified",
            Outcome::Moved => "moved",
            Outcome::MovedUnconfirmed => "moved_unconfirmed",
            Outcome::SoftGone => "soft_gone",
            Outcome::GoneSuspected => "gone_suspected",
            Outcome::Gone => "gone",
            Outcome::FailedTransient => "failed_transient",
            Outcome::BlockedByRobots => "blocked_by_robots",
            Outcome::BlockedBySite => "blocked_by_site",
            Outcome::RefusedAddress => "refused_address",
            Outcome::RefusedScheme => "refused_scheme",
            Outcome::RefusedUrl => "refused_url",
            Outcome::TooLarge => "too_large",
            Outcome::SelectorMissing => "selector_missing",
            Outcome::Suspect => "suspect",
        }
    }

    /// True where the crawl holds the page's own, accepted text.
    pub fn is_accepted(self) -> bool {
        matches!(self, Outcome::Ok | Outcome::NotModified)
    }
}

/// What a crawl says of one accepted page against the last accepted capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageChange {
    First,
    None,
    SourceText,
    ExtractorUpgrade,
    Reverted,
}
