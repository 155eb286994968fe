//! Sitemaps: the addresses a site says it has. Hints only; no entity is ever expanded.

use std::io::Read;

use flate2::read::GzDecoder;
use quick_xml::Reader;
use quick_xml::events::Event;

/// Most addresses of one sitemap, sitemaps.org protocol.
pub const MAX_ENTRIES: usize = 50_000;
/// Largest sitemap after decompression, sitemaps.org protocol.
pub const MAX_BYTES: u64 = 50 * 1024 * 1024;
/// Most sitemaps read in one crawl.
pub const MAX_FILES: usize = 500;

/// One address of a sitemap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// As written.
    pub loc: String,
    /// As written; a claim, never a reason to skip a page.
    pub lastmod: Option<String>,
}

/// A sitemap file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sitemap {
    /// True where the entries are sitemaps themselves.
    pub is_index: bool,
    pub entries: Vec<Entry>,
    /// Entries beyond [`MAX_ENTRIES`].
    pub cut: usize,
}

/// Why a sitemap is not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SitemapError {
    #[error("not a sitemap: expected <urlset> or <sitemapindex>, found {found}")]
    NotASitemap { found: String },
    #[error("the sitemap declares entities; such files are refused")]
    Entities,
    #[error("the sitemap is longer than {MAX_BYTES} bytes")]
    TooLarge,
    #[error("the sitemap is broken at byte {at}: {detail}")]
    Broken { at: u64, detail: String },
}

/// True where the bytes look like a sitemap: an XML whose first element is one of the two.
pub fn is_sitemap(bytes: &[u8]) -> bool {
    let head = if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut head = Vec::new();
        // A broken archive gives what it can; that is enough to look at.
        let _ = GzDecoder::new(bytes).take(2048).read_to_end(&mut head);
        head
    } else {
        bytes[..bytes.len().min(2048)].to_vec()
    };
    let head = String::from_utf8_lossy(&head);
    let mut rest = head.trim_start_matches('\u{feff}').trim_start();
    while let Some(skipped) = rest
        .strip_prefix("<?")
        .and_then(|it| it.split_once("?>"))
        .or_else(|| rest.strip_prefix("<!--").and_then(|it| it.split_once("-->")))
    {
        rest = skipped.1.trim_start();
    }
    let name = rest.strip_prefix('<').unwrap_or_default();
    let name = name.split(|it: char| it.is_whitespace() || matches!(it, '>' | '/')).next();
    let name = name.unwrap_or_default().rsplit(':').next().unwrap_or_default();
    matches!(name, "urlset" | "sitemapindex")
}

/// Reads a sitemap or a sitemap index, gzipped or not.
///
/// # Errors
/// When it is not a sitemap, too large, broken, or declares entities.
pub fn read_sitemap(bytes: &[u8]) -> Result<Sitemap, SitemapError> {
    let plain = unpack(bytes)?;
    let text = String::from_utf8_lossy(&plain);
    let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}'));
    reader.config_mut().check_end_names = false;
    let mut sitemap: Option<Sitemap> = None;
    let mut open: Vec<String> = Vec::new();
    let mut entry = Entry { loc: String::new(), lastmod: None };
    loop {
        let event = reader.read_event().map_err(|cause| SitemapError::Broken {
            at: reader.error_position(),
            detail: cause.to_string(),
        })?;
        match event {
            Event::Eof => break,
            Event::DocType(text) if holds_entities(text.as_bytes()) => {
                return Err(SitemapError::Entities);
            }
            Event::Start(start) => {
                let name = local(start.local_name().as_ref());
                match (&sitemap, name.as_str()) {
                    (None, "urlset" | "sitemapindex") => {
                        let is_index = name == "sitemapindex";
                        sitemap = Some(Sitemap { is_index, entries: Vec::new(), cut: 0 });
                    }
                    (None, _) => {
                        return Err(SitemapError::NotASitemap { found: format!("<{name}>") });
                    }
                    (Some(_), "url" | "sitemap") => {
                        entry = Entry { loc: String::new(), lastmod: None }
                    }
                    _ => {}
                }
                open.push(name);
                if open.len() > 64 {
                    let at = reader.buffer_position();
                    return Err(SitemapError::Broken {
                        at,
                        detail: "nested too deeply".to_owned(),
                    });
                }
            }
            Event::Empty(start) if sitemap.is_none() => {
                let name = local(start.local_name().as_ref());
                if !matches!(name.as_str(), "urlset" | "sitemapindex") {
                    return Err(SitemapError::NotASitemap { found: format!("<{name}>") });
                }
                let is_index = name == "sitemapindex";
                sitemap = Some(Sitemap { is_index, entries: Vec::new(), cut: 0 });
            }
            Event::Text(text) => take(&mut entry, &open, &text.xml10_content()),
            Event::CData(text) => take(&mut entry, &open, &text),
            Event::GeneralRef(name) => take(&mut entry, &open, known_entity(&name)),
            Event::End(_) => {
                let name = open.pop();
                if let (Some("url" | "sitemap"), Some(sitemap)) = (name.as_deref(), &mut sitemap) {
                    finish(sitemap, &mut entry);
                }
            }
            _ => {}
        }
    }
    sitemap.ok_or_else(|| SitemapError::NotASitemap { found: "no element".to_owned() })
}

fn unpack(bytes: &[u8]) -> Result<Vec<u8>, SitemapError> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        let fits = u64::try_from(bytes.len()).is_ok_and(|it| it <= MAX_BYTES);
        return if fits { Ok(bytes.to_vec()) } else { Err(SitemapError::TooLarge) };
    }
    let mut plain = Vec::new();
    let read = flate2::read::MultiGzDecoder::new(bytes).take(MAX_BYTES + 1).read_to_end(&mut plain);
    read.map_err(|cause| SitemapError::Broken { at: 0, detail: cause.to_string() })?;
    let fits = u64::try_from(plain.len()).is_ok_and(|it| it <= MAX_BYTES);
    if fits { Ok(plain) } else { Err(SitemapError::TooLarge) }
}

fn holds_entities(doctype: &[u8]) -> bool {
    doctype.contains(&b'[') || doctype.windows(6).any(|it| it.eq_ignore_ascii_case(b"entity"))
}

fn local(name: &str) -> String {
    name.to_ascii_lowercase()
}

/// The five entities of XML, and numbered ones; any other is dropped.
fn known_entity(name: &str) -> &'static str {
    match name {
        "amp" | "#38" | "#x26" => "&",
        "lt" | "#60" | "#x3c" | "#x3C" => "<",
        "gt" | "#62" | "#x3e" | "#x3E" => ">",
        "quot" | "#34" | "#x22" => "\"",
        "apos" | "#39" | "#x27" => "'",
        _ => "",
    }
}

fn take(entry: &mut Entry, open: &[String], text: &str) {
    let [.., parent, leaf] = open else { return };
    if !matches!(parent.as_str(), "url" | "sitemap") {
        return;
    }
    match leaf.as_str() {
        "loc" => entry.loc.push_str(text),
        "lastmod" => entry.lastmod.get_or_insert_default().push_str(text),
        _ => {}
    }
}

fn finish(sitemap: &mut Sitemap, entry: &mut Entry) {
    let done = std::mem::replace(entry, Entry { loc: String::new(), lastmod: None });
    let loc = done.loc.trim();
    if loc.is_empty() {
        return;
    }
    if sitemap.entries.len() == MAX_ENTRIES {
        sitemap.cut += 1;
        return;
    }
    let lastmod = done.lastmod.map(|it| it.trim().to_owned()).filter(|it| !it.is_empty());
    sitemap.entries.push(Entry { loc: loc.to_owned(), lastmod });
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn locs(body: &str) -> Vec<String> {
        read_sitemap(body.as_bytes()).unwrap().entries.into_iter().map(|it| it.loc).collect()
    }

    #[test]
    fn addresses_are_read_whatever_the_prefix_and_the_escapes() {
        let body = "<?xml version='1.0'?><!-- c --><s:urlset xmlns:s='http://www.sitemaps.org/schemas/sitemap/0.9'>\
            <s:url><s:loc> https://gov.example/a?x=1&amp;y=2 </s:loc><s:lastmod>2026-02-01</s:lastmod></s:url>\
            <s:url><s:loc><![CDATA[https://gov.example/津貼]]></s:loc></s:url>\
            <s:url><s:loc>https://gov.example/b</s:loc><image:image xmlns:image='i'><image:loc>https://gov.example/i.png</image:loc></image:image></s:url>\
            </s:urlset>";
        assert!(is_sitemap(body.as_bytes()));
        let read = read_sitemap(body.as_bytes()).unwrap();
        assert_eq!(read.entries[0].lastmod.as_deref(), Some("2026-02-01"));
        assert_eq!(
            locs(body),
            ["https://gov.example/a?x=1&y=2", "https://gov.example/津貼", "https://gov.example/b"]
        );
    }

    #[test]
    fn an_index_names_sitemaps_and_gzip_is_unpacked() {
        let body = "<sitemapindex><sitemap><loc>https://gov.example/1.xml.gz</loc></sitemap></sitemapindex>";
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(body.as_bytes()).unwrap();
        let packed = packed.finish().unwrap();
        assert!(is_sitemap(&packed));
        let read = read_sitemap(&packed).unwrap();
        assert!(read.is_index);
        assert_eq!(read.entries.len(), 1);
        let cut = &packed[..packed.len() - 9];
        assert!(matches!(read_sitemap(cut), Err(SitemapError::Broken { .. })));
    }

    #[test]
    fn bombs_and_other_documents_are_refused() {
        let bomb = "<!DOCTYPE urlset [<!ENTITY a 'x'><!ENTITY b '&a;&a;'>]><urlset><url><loc>&b;</loc></url></urlset>";
        assert_eq!(read_sitemap(bomb.as_bytes()), Err(SitemapError::Entities));
        let html = "<!doctype html><html><body>Sorry</body></html>";
        assert!(matches!(read_sitemap(html.as_bytes()), Err(SitemapError::NotASitemap { .. })));
        assert!(!is_sitemap(html.as_bytes()));
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        let zeros = vec![b' '; 1 << 20];
        for _ in 0..51 {
            packed.write_all(&zeros).unwrap();
        }
        assert_eq!(read_sitemap(&packed.finish().unwrap()), Err(SitemapError::TooLarge));
        let deep = format!("<urlset>{}", "<url>".repeat(100));
        assert!(matches!(read_sitemap(deep.as_bytes()), Err(SitemapError::Broken { .. })));
    }
}
