//! Where a crawl starts: declared addresses, sitemaps, pages known before.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use url::Url;

use crate::crawl::asker::{Asker, location};
use crate::crawl::edition::Spellings;
use crate::crawl::keep::KeepError;
use crate::crawl::robots::RobotsVerdict;
use crate::crawl::scope::{Place, Scope};
use crate::crawl::sitemap::{MAX_FILES, read_sitemap};
use crate::crawl::url::{RefusedAddress, host_key, page_of, read_address, read_relative};
use crate::fetch::exchange::{Clock, Fetch};
use crate::model::baseline::Baseline;
use crate::model::page::Outcome;
use crate::model::snapshot::FoundBy;

/// Everything a crawl starts from.
#[derive(Clone, Debug, Default)]
pub struct Seeds {
    pub pages: BTreeMap<String, FoundBy>,
    pub refused: Vec<(RefusedAddress, FoundBy)>,
    pub spellings: Spellings,
    /// Hosts whose robots.txt or sitemap was answered well.
    pub answering_hosts: BTreeSet<String>,
    pub skipped: BTreeMap<String, u64>,
    /// What a person should look at.
    pub flags: BTreeSet<String>,
    /// What is good to know.
    pub notes: BTreeSet<String>,
    /// Sitemaps that are read already.
    read: BTreeSet<String>,
}

impl Seeds {
    /// Adds a page by an address the source or a sitemap states.
    pub fn add(&mut self, url: &Url, found_by: FoundBy) {
        let page = page_of(url);
        let known = self.pages.entry(page.to_string()).or_insert(found_by);
        *known = (*known).min(found_by);
        if page != *url {
            self.spellings.entry(page.to_string()).or_default().insert(url.to_string());
        }
    }

    /// Adds an address that is refused; once, whoever names it.
    pub fn refuse(&mut self, refused: &RefusedAddress, found_by: FoundBy) {
        if !self.refused.iter().any(|(it, _)| it.address == refused.address) {
            self.refused.push((refused.clone(), found_by));
        }
    }

    /// Reads the declared sitemaps, those that robots.txt names on a declared host, and those that
    /// they name in turn.
    ///
    /// # Errors
    /// When the log cannot be written.
    pub async fn read_sitemaps<F: Fetch, C: Clock>(
        &mut self,
        asker: &Asker<F, C>,
        baseline: &Baseline,
    ) -> Result<(), KeepError> {
        let scope = &asker.scope;
        let mut waiting: VecDeque<(Url, usize)> =
            scope.sitemaps.iter().map(|it| (it.clone(), 0)).collect();
        let known = baseline.pages.keys().filter_map(|it| Url::parse(it).ok());
        let mut origins: BTreeMap<String, Url> = BTreeMap::new();
        for url in scope.start.iter().cloned().chain(known).filter(|it| scope.is_own_host(it)) {
            origins.entry(url.origin().ascii_serialization()).or_insert(url);
        }
        for url in origins.values() {
            let robots = asker.robots_of(url).await?;
            let Some(robots) = robots.get() else { continue };
            if matches!(robots, crate::crawl::robots::RobotsFile::Rules(..)) {
                self.answering_hosts.insert(host_key(url));
            }
            for sitemap in robots.sitemaps(url) {
                if scope.is_own_host(&sitemap) {
                    waiting.push_back((sitemap, 0));
                } else {
                    let host = host_key(&sitemap);
                    self.notes
                        .insert(format!("sitemap_foreign_host: robots.txt names one on {host}"));
                }
            }
        }
        self.follow(asker, waiting).await
    }

    /// Takes a sitemap that was met among the pages, and those it names.
    ///
    /// # Errors
    /// When the log cannot be written.
    pub async fn take_met_sitemap<F: Fetch, C: Clock>(
        &mut self,
        asker: &Asker<F, C>,
        url: &Url,
        body: &[u8],
    ) -> Result<(), KeepError> {
        let inner = take_sitemap(self, &asker.scope, url, body);
        self.follow(asker, inner.into_iter().map(|it| (it, 1)).collect()).await
    }

    async fn follow<F: Fetch, C: Clock>(
        &mut self,
        asker: &Asker<F, C>,
        mut waiting: VecDeque<(Url, usize)>,
    ) -> Result<(), KeepError> {
        while let Some((url, depth)) = waiting.pop_front() {
            if self.read.len() >= MAX_FILES {
                self.flags.insert(format!("sitemap_limit: more than {MAX_FILES} sitemaps"));
                break;
            }
            if self.read.insert(url.to_string()) {
                let inner = self.read_one(asker, &url).await?;
                // An index names sitemaps; one that names indexes again is followed once more.
                if depth < 2 {
                    waiting.extend(inner.into_iter().map(|it| (it, depth + 1)));
                }
            }
        }
        Ok(())
    }

    async fn read_one<F: Fetch, C: Clock>(
        &mut self,
        asker: &Asker<F, C>,
        url: &Url,
    ) -> Result<Vec<Url>, KeepError> {
        let mut at = url.clone();
        for _ in 0..=asker.limits.max_redirects {
            // A rule against a sitemap that is named for us means the pages, not the sitemap.
            let barred = match asker.permission(&at).await? {
                RobotsVerdict::Allowed | RobotsVerdict::Disallowed { .. } => None,
                RobotsVerdict::Unreachable { .. } => Some("robots_unreachable"),
                RobotsVerdict::Parked { .. } => Some("rate_limited"),
                RobotsVerdict::RefusedAddress { .. } => Some("address_not_public"),
            };
            if let Some(why) = barred {
                self.flags.insert(format!("sitemap_unread: {url}: {why}"));
                return Ok(Vec::new());
            }
            let response = match asker.ask(&at, &[]).await?.answer {
                Ok(response) => response,
                Err(given_up) => {
                    self.flags.insert(format!("sitemap_unread: {url}: {}", given_up.reason));
                    return Ok(Vec::new());
                }
            };
            if (300..400).contains(&response.status)
                && let Some(target) =
                    location(&response).and_then(|it| read_relative(&it, &at).ok())
                && asker.scope.is_own_host(&target)
            {
                at = target;
                continue;
            }
            if response.status != 200 {
                self.flags.insert(format!("sitemap_unread: {url}: status {}", response.status));
                return Ok(Vec::new());
            }
            self.answering_hosts.insert(host_key(&at));
            return Ok(take_sitemap(self, &asker.scope, &at, &response.body));
        }
        self.flags.insert(format!("sitemap_unread: {url}: too many redirects"));
        Ok(Vec::new())
    }
}

/// Takes the entries of one sitemap into the seeds; the sitemaps that an index names come back.
fn take_sitemap(seeds: &mut Seeds, scope: &Scope, url: &Url, body: &[u8]) -> Vec<Url> {
    seeds.read.insert(url.to_string());
    let sitemap = match read_sitemap(body) {
        Ok(sitemap) => sitemap,
        Err(cause) => {
            seeds.flags.insert(format!("sitemap_unread: {url}: {cause}"));
            return Vec::new();
        }
    };
    if sitemap.cut > 0 {
        seeds.flags.insert(format!("sitemap_limit: {url}: {} entries too many", sitemap.cut));
    }
    let mut inner = Vec::new();
    for entry in &sitemap.entries {
        let address = match read_address(&entry.loc) {
            Ok(address) => address,
            Err(refused) => {
                seeds.refuse(&refused, FoundBy::Sitemap);
                continue;
            }
        };
        match scope.place(&address) {
            Place::ForeignHost => {
                let reason = "foreign_host".to_owned();
                let address = address.to_string();
                let refused = RefusedAddress { address, outcome: Outcome::RefusedUrl, reason };
                seeds.refuse(&refused, FoundBy::Sitemap);
            }
            _ if sitemap.is_index => inner.push(address),
            Place::Inside => seeds.add(&address, FoundBy::Sitemap),
            Place::OutsidePatterns => {
                *seeds.skipped.entry("out_of_scope".to_owned()).or_default() += 1;
            }
        }
    }
    inner
}
