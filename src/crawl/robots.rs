//! robots.txt by RFC 9309: unreachable means nothing may be asked, absent means everything may.
//!
//! Nothing learned here outlives the crawl.

use std::time::Duration;

use jiff::Timestamp;
use robotxt::{Agent, Robots};
use url::Url;

/// The name that groups of robots.txt are chosen by.
pub const AGENT_TOKEN: &str = "countersign";
/// Bytes of a robots.txt that are read: the least a crawler must read by RFC 9309 section 2.5.
pub const MAX_BYTES: usize = 500 * 1024;
/// Redirects of a robots.txt that are followed, RFC 9309 section 2.3.1.2.
pub const MAX_REDIRECTS: usize = 5;

/// What a host's robots.txt says to us.
#[derive(Debug)]
pub enum RobotsFile {
    Rules(Box<Robots>, Vec<String>),
    /// There is none (4xx).
    Absent,
    /// Server or network error: complete disallow for this crawl.
    Unreachable {
        detail: String,
    },
    /// The host wants no request before a time, so not even robots.txt was asked for.
    Parked {
        until: Timestamp,
    },
    /// The host itself must not be connected to.
    RefusedAddress {
        detail: String,
    },
}

/// What that means for one address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RobotsVerdict {
    Allowed,
    /// With the rule that says so.
    Disallowed {
        rule: String,
    },
    Unreachable {
        detail: String,
    },
    Parked {
        until: Timestamp,
    },
    RefusedAddress {
        detail: String,
    },
}

impl RobotsFile {
    /// Reads the body of a 2xx answer.
    pub fn parse(body: &[u8]) -> Self {
        let body = &body[..body.len().min(MAX_BYTES)];
        let robots = Robots::parse(&plain_agents(body), Agent::Exact(AGENT_TOKEN));
        Self::Rules(Box::new(robots), relative_sitemaps(body))
    }

    /// May `url` be asked for?
    pub fn verdict(&self, url: &Url) -> RobotsVerdict {
        match self {
            Self::Absent => RobotsVerdict::Allowed,
            Self::Unreachable { detail } => RobotsVerdict::Unreachable { detail: detail.clone() },
            Self::Parked { until } => RobotsVerdict::Parked { until: *until },
            Self::RefusedAddress { detail } => {
                RobotsVerdict::RefusedAddress { detail: detail.clone() }
            }
            Self::Rules(robots, _) if robots.is_url_allowed(url) => RobotsVerdict::Allowed,
            Self::Rules(robots, _) => {
                let path = crate::crawl::url::path_and_query(url);
                let rule = robots.matching_rule(&path).map(|it| it.pattern().to_owned());
                RobotsVerdict::Disallowed { rule: rule.unwrap_or_default() }
            }
        }
    }

    /// The wait between requests the file asks for.
    pub fn crawl_delay(&self) -> Option<Duration> {
        match self {
            Self::Rules(robots, _) => robots.crawl_delay(),
            _ => None,
        }
    }

    /// The sitemaps the file names; a bare path is completed by `site`.
    pub fn sitemaps(&self, site: &Url) -> Vec<Url> {
        let Self::Rules(robots, relative) = self else { return Vec::new() };
        let completed = relative.iter().filter_map(|it| site.join(it).ok());
        robots.sitemaps().iter().cloned().chain(completed).collect()
    }
}

/// `Sitemap: /sitemap.xml` is not allowed by the protocol and common all the same.
fn relative_sitemaps(body: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(body);
    let values = text.lines().filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        let value = value.split('#').next()?.trim();
        let is_path = value.starts_with('/') && !value.starts_with("//");
        (name.trim().eq_ignore_ascii_case("sitemap") && is_path).then(|| value.to_owned())
    });
    values.collect()
}

/// Cuts each `User-agent` value at the first character a product token cannot hold, so that
/// `countersign/1.0` names the same group as `countersign` (RFC 9309 section 2.2.1).
fn plain_agents(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len());
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    for line in body.split_inclusive(|it| matches!(it, b'\n' | b'\r')) {
        let Some(colon) = line.iter().position(|it| *it == b':') else {
            out.extend_from_slice(line);
            continue;
        };
        let (name, value) = line.split_at(colon + 1);
        let is_agent = name[..colon].trim_ascii().eq_ignore_ascii_case(b"user-agent");
        let token = value.trim_ascii();
        if !is_agent || token.starts_with(b"*") {
            out.extend_from_slice(line);
            continue;
        }
        let len = token.iter().position(|it| !is_token_byte(*it)).unwrap_or(token.len());
        out.extend_from_slice(b"User-agent: ");
        out.extend_from_slice(&token[..len]);
        out.push(b'\n');
    }
    out
}

fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(body: &str, path: &str) -> bool {
        let url = Url::parse("https://gov.example/").unwrap().join(path).unwrap();
        RobotsFile::parse(body.as_bytes()).verdict(&url) == RobotsVerdict::Allowed
    }

    #[test]
    fn our_group_is_found_under_any_spelling_of_our_name() {
        for agent in ["countersign", "Countersign/1.0", "COUNTERSIGN", "countersign/2 (+x)"] {
            let body = format!("User-agent: *\nDisallow: /\n\nUser-agent: {agent}\nDisallow: /x\n");
            assert!(verdict(&body, "/a"), "{agent}");
            assert!(!verdict(&body, "/x/y"), "{agent}");
        }
        let other = "User-agent: countersigner\nDisallow: /\n\nUser-agent: *\nAllow: /\n";
        assert!(verdict(other, "/a"), "a longer name is somebody else");
    }

    #[test]
    fn the_longest_rule_wins_and_escapes_compare_equal() {
        let body = "\u{feff}User-agent: *\nDisallow: /a/\nAllow: /a/open\nDisallow: /*.pdf$\n\
                    Disallow: /%e6%b4%a5\n";
        assert!(!verdict(body, "/a/b"));
        assert!(verdict(body, "/a/open"));
        assert!(!verdict(body, "/x.pdf"));
        assert!(verdict(body, "/x.pdf?a=1"));
        assert!(!verdict(body, "/津貼"));
        assert!(verdict("<html><h1>Not here</h1></html>", "/a"), "not a robots file, no rules");
    }

    #[test]
    fn delay_and_sitemaps_are_read_and_the_size_is_bounded() {
        let mut body =
            "User-agent: *\nCrawl-delay: 2.5\nSitemap: https://gov.example/s.xml\n".to_owned();
        let file = RobotsFile::parse(body.as_bytes());
        assert_eq!(file.crawl_delay(), Some(Duration::from_millis(2500)));
        let site = Url::parse("https://gov.example/").unwrap();
        assert_eq!(file.sitemaps(&site)[0].as_str(), "https://gov.example/s.xml");
        let file = RobotsFile::parse(b"sitemap : /maps/index.xml # all\n");
        assert_eq!(file.sitemaps(&site)[0].as_str(), "https://gov.example/maps/index.xml");
        body.push_str(&"# filler\n".repeat(70_000));
        body.push_str("Disallow: /late\n");
        assert!(verdict(&body, "/late"), "beyond the limit nothing is read");
    }
}
