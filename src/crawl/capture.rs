//! From an answer to a stored capture: what it is, what it says, whether it is the page.
//!
//! The bytes are kept whatever the judgement; text and record only of what is accepted.

use std::collections::{BTreeMap, BTreeSet};

use std::panic::{AssertUnwindSafe, catch_unwind};

use encoding_rs::Encoding;
use url::Url;

use crate::ask::canonical::hex_sha256;
use crate::crawl::judge::{Doubt, Evidence, Letters, judge_page, judge_status};
use crate::crawl::keep::{Keep, KeepError};
use crate::crawl::listing::{ListingPage, family_of, read_stated};
use crate::crawl::media::media_of;
use crate::crawl::reading::{PageBytes, PageReading, ReadPage};
use crate::crawl::scope::{Place, Scope};
use crate::crawl::sitemap::is_sitemap;
use crate::crawl::url::{page_of, read_link};
use crate::crawl::visit::{Captured, Failed};
use crate::crawl::volatile::differences;
use crate::crawl::words::words_digest;
use crate::fetch::exchange::Response;
use crate::model::baseline::{Accepted, Validators};
use crate::model::page::Outcome;
use crate::model::snapshot::{CAPTURE_FORMAT, CaptureRecord, Hop, Part};

/// The tools of a capture.
#[derive(Clone, Copy)]
pub struct Bench<'a> {
    pub store: &'a dyn Keep,
    pub reader: &'a dyn ReadPage,
    pub scope: &'a Scope,
    /// Primary language of the source.
    pub source_language: &'a str,
}

/// One answer and what belongs to it.
#[derive(Clone, Debug)]
pub struct Arrived {
    /// The page the capture would be of.
    pub page: Url,
    pub final_url: Url,
    /// The page that was asked for, where redirects led here.
    pub asked: Url,
    pub redirects: Vec<Hop>,
    pub response: Response,
    pub before: Option<Accepted>,
    /// True where the operator said that this page is right as it is.
    pub is_vouched_for: bool,
    /// True for a page of a declared listing.
    pub is_listing: bool,
}

/// What became of it.
#[derive(Debug)]
pub enum Made {
    Captured {
        captured: Box<Captured>,
        links: BTreeSet<String>,
        skipped: BTreeMap<String, u64>,
    },
    Doubted {
        failed: Box<Failed>,
        asks_again: bool,
    },
    /// The page sends browsers elsewhere by itself.
    Refresh {
        target: String,
    },
    Sitemap {
        bytes: Vec<u8>,
    },
}

/// Headers that say something about the content and are the same from day to day.
const CONTENT_HEADERS: &[&str] =
    &["content-type", "content-language", "content-disposition", "x-robots-tag"];

/// Letters below which a page with a quick refresh is only a signpost.
const SIGNPOST_LETTERS: u64 = 300;

impl Bench<'_> {
    /// Judges and stores one answer.
    ///
    /// # Errors
    /// When the store fails.
    pub fn make(&self, arrived: Arrived) -> Result<Made, KeepError> {
        let response = &arrived.response;
        if let Some(doubt) = judge_status(response.status) {
            return self.refuse_status(&arrived, &doubt);
        }
        if is_sitemap(&response.body) {
            return Ok(Made::Sitemap { bytes: arrived.response.body });
        }
        let media = media_of(&response.body, response.header("content-type"));
        let raw = self.store.put(Part::Raw, &response.body)?;
        let reading = match self.read(&arrived, &media.name) {
            Ok(reading) => reading,
            Err(detail) => {
                let doubt = Doubt {
                    outcome: Outcome::Suspect,
                    reason: "unreadable".to_owned(),
                    detail,
                    asks_again: false,
                };
                return Ok(doubted(&doubt, Some(raw), None));
            }
        };
        let letters = Letters::of(reading.as_ref().map_or("", |it| it.text.as_str()));
        if let Some(target) = reading.as_ref().and_then(|it| it.refresh.clone())
            && letters.all < SIGNPOST_LETTERS
        {
            return Ok(Made::Refresh { target });
        }
        let entries = entries_of(&arrived, reading.as_ref());
        let text = reading.as_ref().map(|it| hex_sha256(it.text.as_bytes()));
        let was_accepted =
            text.is_some() && arrived.before.as_ref().is_some_and(|it| it.text == text);
        if !arrived.is_vouched_for && !was_accepted {
            let claimed = response.header("content-type").map(essence);
            let evidence = Evidence {
                page: &arrived.asked,
                final_url: &arrived.final_url,
                status: response.status,
                media: &media.name,
                claimed: claimed.as_deref(),
                reading: reading.as_ref(),
                letters,
                entries: count_of(&entries),
                before: arrived.before.as_ref(),
                source_language: self.source_language,
            };
            if let Some(doubt) = judge_page(&evidence) {
                let mut made = doubted(&doubt, Some(raw), text);
                if let Made::Doubted { failed, .. } = &mut made {
                    failed.media = Some(media.name);
                    failed.han_percent = Some(letters.han_percent());
                    failed.charset = reading.and_then(|it| it.charset);
                }
                return Ok(made);
            }
        }
        let mut flags: BTreeSet<String> = media.mismatch.into_iter().collect();
        let (links, skipped) = self.links(&arrived, reading.as_ref());
        flags.extend(reading.iter().flat_map(|it| it.flags.iter().cloned()));
        let record = CaptureRecord {
            format: CAPTURE_FORMAT.to_owned(),
            page: arrived.page.to_string(),
            final_url: arrived.final_url.to_string(),
            redirects: arrived.redirects.clone(),
            status: response.status,
            headers: content_headers(response),
            media: media.name,
            charset: reading.as_ref().and_then(|it| it.charset.clone()),
            title: reading.as_ref().map_or_else(String::new, |it| it.title.clone()),
            language: reading.as_ref().map_or_else(String::new, |it| it.language.clone()),
            raw,
            raw_bytes: u64::try_from(response.body.len()).unwrap_or(u64::MAX),
            text: None,
            map: None,
            reader: self.reader.version(),
            flags: flags.into_iter().collect(),
        };
        let mut captured = self.store_capture(record, reading.as_ref(), letters)?;
        captured.validators = validators(response, &arrived.final_url);
        captured.canonical = self.canonical(&arrived, reading.as_ref());
        captured.entries = count_of(&entries);
        let stated = reading.as_ref().and_then(|it| read_stated(&it.text));
        if arrived.is_listing || stated.is_some_and(|it| it.range.is_some()) {
            captured.listing = Some(ListingPage { stated, entries });
        }
        if let Some(before) = &arrived.before
            && before.reader != self.reader.version()
        {
            captured.before_today = self.reread(before)?.map(|it| it.words);
        }
        if let Some(before) = &arrived.before
            && before.text == captured.record.text
            && before.raw_seen != captured.record.raw
            && let Ok(earlier) = self.store.get(Part::Raw, &before.raw_seen)
        {
            captured.volatile = differences(&earlier, &arrived.response.body);
        }
        Ok(Made::Captured { captured: Box::new(captured), links, skipped })
    }

    /// Reads the stored bytes of an accepted capture with today's reader; asks nobody. `None`
    /// where no reader reads that type any more.
    ///
    /// # Errors
    /// When the stored evidence is missing or damaged.
    pub fn reread(&self, before: &Accepted) -> Result<Option<Captured>, KeepError> {
        let damaged =
            |detail: String| KeepError { what: format!("record {}", before.record), detail };
        let stored = self.store.get(Part::Record, &before.record)?;
        let mut record: CaptureRecord =
            serde_json::from_slice(&stored).map_err(|it| damaged(it.to_string()))?;
        let bytes = self.store.get(Part::Raw, &before.raw)?;
        let url = Url::parse(&record.final_url).map_err(|it| damaged(it.to_string()))?;
        let headers: Vec<(String, String)> = record.headers.clone().into_iter().collect();
        let page = PageBytes { url: &url, headers: &headers, media: &record.media, bytes: &bytes };
        if !self.reader.reads(&record.media) {
            return Ok(None);
        }
        let Ok(reading) = self.reader.read(&page) else { return Ok(None) };
        if !reading.content_found {
            return Ok(None);
        }
        let letters = Letters::of(&reading.text);
        record.charset = reading.charset.clone();
        record.title.clone_from(&reading.title);
        record.language.clone_from(&reading.language);
        record.reader = self.reader.version();
        let mut flags: BTreeSet<String> = reading.flags.iter().cloned().collect();
        flags.extend(record.flags.iter().filter(|it| it.starts_with("type_mismatch")).cloned());
        record.flags = flags.into_iter().collect();
        let mut captured = self.store_capture(record, Some(&reading), letters)?;
        captured.entries = before.entries;
        Ok(Some(captured))
    }

    fn refuse_status(&self, arrived: &Arrived, doubt: &Doubt) -> Result<Made, KeepError> {
        let response = &arrived.response;
        // What a site shows for a missing page is worth knowing: it may come again with a 200.
        let media = media_of(&response.body, response.header("content-type"));
        let is_gone = doubt.outcome == Outcome::GoneSuspected;
        let reading = if is_gone { self.read(arrived, &media.name).ok().flatten() } else { None };
        let text =
            reading.filter(|it| !it.text.is_empty()).map(|it| hex_sha256(it.text.as_bytes()));
        Ok(doubted(doubt, None, text))
    }

    fn read(&self, arrived: &Arrived, media: &str) -> Result<Option<PageReading>, String> {
        if !self.reader.reads(media) {
            return Ok(None);
        }
        let response = &arrived.response;
        let page = PageBytes {
            url: &arrived.final_url,
            headers: &response.headers,
            media,
            bytes: &response.body,
        };
        // A page that breaks the reader is one page lost, not the crawl.
        let read = catch_unwind(AssertUnwindSafe(|| self.reader.read(&page)));
        let broken = |_| Err("the reader failed on it; please report the page".to_owned());
        read.map_or_else(broken, |it| it.map(Some).map_err(|it| it.detail))
    }

    fn store_capture(
        &self,
        mut record: CaptureRecord,
        reading: Option<&PageReading>,
        letters: Letters,
    ) -> Result<Captured, KeepError> {
        record.text = None;
        record.map = None;
        if let Some(reading) = reading {
            record.text = Some(self.store.put(Part::Text, reading.text.as_bytes())?);
            if let Some(map) = &reading.map {
                record.map = Some(self.store.put(Part::Map, map)?);
            }
        }
        let digest = self.store.put(Part::Record, &record_bytes(&record)?)?;
        Ok(Captured {
            words: words_digest(reading.map_or("", |it| it.text.as_str())),
            record,
            digest,
            letters: letters.all,
            han_percent: letters.han_percent(),
            simplified_percent: letters.simplified_percent(),
            validators: None,
            canonical: None,
            before_today: None,
            entries: 0,
            listing: None,
            volatile: Vec::new(),
        })
    }

    /// Compares a fresh capture with a second look at the page: what changes from moment to moment.
    ///
    /// # Errors
    /// When the stored bytes are damaged.
    pub fn probe(&self, captured: &mut Captured, again: &Arrived) -> Result<(), KeepError> {
        if judge_status(again.response.status).is_some() {
            return Ok(());
        }
        let first = self.store.get(Part::Raw, &captured.record.raw)?;
        captured.volatile = differences(&first, &again.response.body);
        let reading = self.read(again, &captured.record.media).ok().flatten();
        let text = reading.map(|it| hex_sha256(it.text.as_bytes()));
        if text != captured.record.text {
            captured.volatile.push("text inside the content: 1".to_owned());
        }
        Ok(())
    }

    /// The pages of the source that a page links to.
    fn links(
        &self,
        arrived: &Arrived,
        reading: Option<&PageReading>,
    ) -> (BTreeSet<String>, BTreeMap<String, u64>) {
        let mut links = BTreeSet::new();
        let mut skipped: BTreeMap<String, u64> = BTreeMap::new();
        let Some(reading) = reading.filter(|it| !it.is_nofollow) else { return (links, skipped) };
        let base = base_of(&arrived.final_url, reading);
        let encoding =
            reading.charset.as_ref().and_then(|it| Encoding::for_label(it.name.as_bytes()));
        for raw in &reading.links {
            match read_link(raw, &base, encoding) {
                Ok(url) if self.scope.place(&url) == Place::Inside => {
                    if is_document(&url) {
                        links.insert(page_of(&url).to_string());
                    } else {
                        *skipped.entry("not_a_document".to_owned()).or_default() += 1;
                    }
                }
                Ok(_) => *skipped.entry("out_of_scope".to_owned()).or_default() += 1,
                Err(refused) => *skipped.entry(refused.reason).or_default() += 1,
            }
        }
        links.remove(arrived.page.as_str());
        (links, skipped)
    }

    fn canonical(&self, arrived: &Arrived, reading: Option<&PageReading>) -> Option<String> {
        let reading = reading?;
        let raw = reading.canonical.as_deref()?;
        let url = read_link(raw, &base_of(&arrived.final_url, reading), None).ok()?;
        (self.scope.place(&url) == Place::Inside).then(|| page_of(&url).to_string())
    }
}

/// Addresses that the content links to, of whatever host, in normal form; other pages of the same
/// listing are no entries.
fn entries_of(arrived: &Arrived, reading: Option<&PageReading>) -> BTreeSet<String> {
    let Some(reading) = reading else { return BTreeSet::new() };
    let base = base_of(&arrived.final_url, reading);
    let read = reading.content_links.iter().filter_map(|it| read_link(it, &base, None).ok());
    let own = family_of(&arrived.page);
    let entries = read.map(|it| page_of(&it)).filter(|it| family_of(it) != own);
    entries.map(String::from).collect()
}

fn count_of(entries: &BTreeSet<String>) -> u64 {
    u64::try_from(entries.len()).unwrap_or(u64::MAX)
}

/// The bytes of a record: one JSON object, keys in the declared order.
fn record_bytes(record: &CaptureRecord) -> Result<Vec<u8>, KeepError> {
    let mut bytes = serde_json::to_vec_pretty(record).map_err(|it| KeepError {
        what: format!("record of {}", record.page),
        detail: it.to_string(),
    })?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn base_of(final_url: &Url, reading: &PageReading) -> Url {
    let declared = reading.base.as_deref().and_then(|it| read_link(it, final_url, None).ok());
    declared.unwrap_or_else(|| final_url.clone())
}

fn doubted(doubt: &Doubt, raw: Option<String>, text: Option<String>) -> Made {
    let mut failed = Failed::unanswered(doubt.outcome, &doubt.reason, &doubt.detail);
    failed.raw = raw;
    failed.text = text;
    Made::Doubted { failed: Box::new(failed), asks_again: doubt.asks_again }
}

fn essence(content_type: &str) -> String {
    content_type.split([';', ',']).next().unwrap_or_default().trim().to_ascii_lowercase()
}

fn content_headers(response: &Response) -> BTreeMap<String, String> {
    let kept = response.headers.iter().filter(|(name, _)| CONTENT_HEADERS.contains(&name.as_str()));
    kept.cloned().collect()
}

/// The server's validators, byte for byte; `None` where it sends none.
fn validators(response: &Response, url: &Url) -> Option<Validators> {
    let value = |name| response.header(name).filter(|it| !it.is_empty()).map(str::to_owned);
    let (etag, last_modified) = (value("etag"), value("last-modified"));
    if etag.is_none() && last_modified.is_none() {
        return None;
    }
    Some(Validators { url: url.to_string(), etag, last_modified })
}

/// File name endings that are never a document with conditions in it.
const NOT_DOCUMENTS: &[&str] = &[
    "css", "js", "mjs", "json", "map", "png", "jpg", "jpeg", "gif", "svg", "webp", "ico", "bmp",
    "tif", "tiff", "woff", "woff2", "ttf", "eot", "otf", "mp3", "mp4", "m4a", "wav", "ogg", "avi",
    "mov", "wmv", "webm", "zip", "rar", "7z", "gz", "tar", "exe", "msi", "dmg", "apk", "ics",
    "vcf", "rss", "atom",
];

/// Links to pictures, styles and archives are not followed; declared addresses always are.
fn is_document(url: &Url) -> bool {
    let last = url.path().rsplit('/').next().unwrap_or_default();
    let ending = last.rsplit_once('.').map(|(_, it)| it.to_ascii_lowercase());
    ending.is_none_or(|it| !NOT_DOCUMENTS.contains(&it.as_str()))
}
