//! The bundled sample site, put together from the files built into the program; never read from disk.

use std::collections::{BTreeMap, BTreeSet};

use encoding_rs::Encoding;
use jiff::civil::{Date, Time};
use serde::Deserialize;
use url::Url;

use crate::fetch::loopback::{Edition, Reply, Site};
use crate::sources::sample_files::{FILES, SOURCE_FILES};

/// Host of the sample site; it exists nowhere else, so a crawl needs `connect_to`.
pub const HOST: &str = "harbour.example";

/// The editions, in the order they were published.
pub const EDITIONS: [&str; 2] = ["bulk", "update"];

/// A sample that cannot be put together: a fault of ours, found by a test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SampleError {
    #[error("site.toml: {0}")]
    Manifest(String),
    #[error("the file `{0}` is not built in")]
    NoFile(String),
    #[error("{path}: `{charset}` is no charset")]
    Charset { path: String, charset: String },
    #[error("{path}: {charset} cannot write a character of the page")]
    Unwritable { path: String, charset: String },
    #[error("`{0}` is no path")]
    Path(String),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    host: String,
    editions: Vec<EditionEntry>,
    redirects: Vec<RedirectEntry>,
    pages: Vec<PageEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EditionEntry {
    name: String,
    date: Date,
    robots_disallow: Vec<String>,
    #[serde(default)]
    removed: BTreeSet<String>,
    #[serde(default)]
    noisy: BTreeSet<String>,
    banner: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RedirectEntry {
    from: String,
    to: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PageEntry {
    path: String,
    file: String,
    title: String,
    language: String,
    modified: Date,
    /// Path of the page in the other language, without its language; the same where it is left out.
    #[serde(default)]
    other: Option<String>,
    #[serde(default = "yes")]
    layout: bool,
    #[serde(default = "utf8")]
    charset: String,
    #[serde(default = "yes")]
    header_charset: bool,
    #[serde(default = "yes")]
    in_sitemap: bool,
}

fn yes() -> bool {
    true
}

fn utf8() -> String {
    "utf-8".to_owned()
}

/// Every edition of the sample site, ready to be served.
///
/// # Errors
/// When the files built in do not fit together.
pub fn sample_site() -> Result<Site, SampleError> {
    let manifest: Manifest = toml::from_str(file("site.toml")?)
        .map_err(|error| SampleError::Manifest(error.message().to_owned()))?;
    let mut site = Site::new();
    for edition in &manifest.editions {
        site.insert(edition.name.clone(), edition_of(&manifest, edition)?);
    }
    Ok(site)
}

/// The source files of the sample, `sources/<name>` and text, as they stand in this repository.
pub fn sample_source_files() -> &'static [(&'static str, &'static str)] {
    SOURCE_FILES
}

fn edition_of(manifest: &Manifest, edition: &EditionEntry) -> Result<Edition, SampleError> {
    let mut replies = BTreeMap::new();
    for page in manifest.pages.iter().filter(|it| !edition.removed.contains(&it.path)) {
        replies.insert(encoded(&page.path)?, page_of(manifest, edition, page)?);
    }
    for redirect in &manifest.redirects {
        let reply = Reply { status: 301, location: encoded(&redirect.to)?, ..Reply::default() };
        replies.insert(encoded(&redirect.from)?, reply);
    }
    let date = http_date(edition.date);
    replies.insert("/style.css".to_owned(), plain("text/css", file("style.css")?, &date));
    replies
        .insert("/robots.txt".to_owned(), plain("text/plain", &robots(manifest, edition), &date));
    let sitemap = sitemap(manifest, edition)?;
    replies.insert("/sitemap.xml".to_owned(), plain("application/xml", &sitemap, &date));
    let not_found = Reply {
        status: 404,
        content_type: "text/html; charset=utf-8".to_owned(),
        body: file("bulk/common/not-found.html")?.as_bytes().to_vec(),
        ..Reply::default()
    };
    Ok(Edition { replies, not_found })
}

fn page_of(
    manifest: &Manifest,
    edition: &EditionEntry,
    page: &PageEntry,
) -> Result<Reply, SampleError> {
    let own = format!("{}/{}", edition.name, page.file);
    let first = manifest.editions.first().map_or("", |it| it.name.as_str());
    let content = file(&own).or_else(|_| file(&format!("{first}/{}", page.file)))?;
    let is_first = edition.name == first;
    let is_rewritten = !is_first && file(&own).is_ok();
    let updated = if is_rewritten { edition.date } else { page.modified };
    let shows_own_banner = is_first || edition.noisy.contains(&page.path);
    let changed_on =
        if is_rewritten || shows_own_banner && !is_first { edition.date } else { page.modified };
    let text = if page.layout {
        let announcer = if shows_own_banner { Some(edition) } else { manifest.editions.first() };
        let banner =
            announcer.and_then(|it| it.banner.get(&page.language)).map_or("", String::as_str);
        laid_out(page, content, banner, updated)?
    } else {
        content.to_owned()
    };
    let charset =
        if page.header_charset { format!("; charset={}", page.charset) } else { String::new() };
    Ok(Reply {
        status: 200,
        content_type: format!("text/html{charset}"),
        last_modified: http_date(changed_on),
        body: encode(page, &text)?,
        ..Reply::default()
    })
}

fn laid_out(
    page: &PageEntry,
    content: &str,
    banner: &str,
    updated: Date,
) -> Result<String, SampleError> {
    let layout = file(&format!("layout.{}.html", page.language))?;
    let without_language = page.path.get(3..).unwrap_or("/");
    let other = page.other.as_deref().unwrap_or(without_language);
    Ok(layout
        .replace("{{title}}", &page.title)
        .replace("{{other}}", other)
        .replace("{{banner}}", banner)
        .replace("{{updated}}", &shown_date(updated, &page.language))
        .replace("{{content}}", content.trim_end()))
}

fn encode(page: &PageEntry, text: &str) -> Result<Vec<u8>, SampleError> {
    let (path, charset) = (page.path.clone(), page.charset.clone());
    let Some(encoding) = Encoding::for_label(charset.as_bytes()) else {
        return Err(SampleError::Charset { path, charset });
    };
    let (bytes, _, has_unwritable) = encoding.encode(text);
    if has_unwritable {
        return Err(SampleError::Unwritable { path, charset });
    }
    Ok(bytes.into_owned())
}

fn robots(manifest: &Manifest, edition: &EditionEntry) -> String {
    let mut text = "User-agent: *\n".to_owned();
    for path in &edition.robots_disallow {
        text.push_str(&format!("Disallow: {path}\n"));
    }
    text.push_str(&format!("Sitemap: http://{}/sitemap.xml\n", manifest.host));
    text
}

fn sitemap(manifest: &Manifest, edition: &EditionEntry) -> Result<String, SampleError> {
    let mut text = concat!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
    )
    .to_owned();
    let listed = |it: &&PageEntry| it.in_sitemap && !edition.removed.contains(&it.path);
    for page in manifest.pages.iter().filter(listed) {
        let path = encoded(&page.path)?;
        text.push_str(&format!("<url><loc>http://{}{path}</loc></url>\n", manifest.host));
    }
    text.push_str("</urlset>\n");
    Ok(text)
}

fn plain(content_type: &str, text: &str, last_modified: &str) -> Reply {
    Reply {
        status: 200,
        content_type: format!("{content_type}; charset=utf-8"),
        last_modified: last_modified.to_owned(),
        body: text.as_bytes().to_vec(),
        ..Reply::default()
    }
}

/// A path as browsers send it.
fn encoded(path: &str) -> Result<String, SampleError> {
    Url::parse(&format!("http://{HOST}{path}"))
        .map(|it| it.path().to_owned())
        .map_err(|_| SampleError::Path(path.to_owned()))
}

fn shown_date(date: Date, language: &str) -> String {
    if language == "zh" {
        // Years of the Republic, as on the pages.
        return format!("{}年{}月{}日", date.year() - 1911, date.month(), date.day());
    }
    date.strftime("%-d %B %Y").to_string()
}

fn http_date(date: Date) -> String {
    date.to_datetime(Time::constant(1, 0, 0, 0)).strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

fn file(name: &str) -> Result<&'static str, SampleError> {
    FILES
        .iter()
        .find(|(it, _)| *it == name)
        .map(|(_, text)| *text)
        .ok_or_else(|| SampleError::NoFile(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{BIG5, WINDOWS_1252};

    fn body(site: &Site, edition: &str, path: &str) -> Vec<u8> {
        site[edition].replies[&encoded(path).unwrap()].body.clone()
    }

    fn text(site: &Site, edition: &str, path: &str) -> String {
        String::from_utf8(body(site, edition, path)).unwrap()
    }

    #[test]
    fn both_editions_are_put_together_in_both_languages() {
        let site = sample_site().unwrap();
        assert_eq!(site.keys().map(String::as_str).collect::<Vec<_>>(), EDITIONS);
        for language in ["/en/", "/zh/"] {
            let pages: Vec<&String> =
                site["bulk"].replies.keys().filter(|it| it.starts_with(language)).collect();
            assert!(pages.len() >= 19, "{language}: {}", pages.len());
        }
        for (edition, replies) in &site {
            for (path, reply) in &replies.replies {
                let text = String::from_utf8_lossy(&reply.body);
                assert!(!text.contains("{{"), "{edition} {path}");
            }
        }
    }

    #[test]
    fn the_number_that_must_not_be_seen_stands_behind_robots_txt_alone() {
        let site = sample_site().unwrap();
        for (edition, content) in &site {
            let robots = text(&site, edition, "/robots.txt");
            for (path, reply) in &content.replies {
                let has_number = String::from_utf8_lossy(&reply.body).contains("98,765");
                assert_eq!(has_number, path.contains("/staff/"), "{edition} {path}");
                let folder = path.trim_end_matches("draft-rates/");
                assert!(!has_number || robots.contains(&format!("Disallow: {folder}\n")), "{path}");
            }
        }
        assert!(text(&site, "bulk", "/en/appeals/").contains("href=\"/en/staff/draft-rates/\""));
    }

    #[test]
    fn the_old_pages_are_sent_in_their_own_charsets() {
        let site = sample_site().unwrap();
        let bytes = body(&site, "bulk", "/en/ferry-card/");
        let (english, _, broken) = WINDOWS_1252.decode(&bytes);
        assert!(!broken && english.contains("“Étoile”") && english.contains('½'));
        let bytes = body(&site, "bulk", "/zh/ferry-card/");
        let (chinese, _, broken) = BIG5.decode(&bytes);
        assert!(!broken && chinese.contains("六十五歲以上"));
        let bulk = &site["bulk"].replies;
        assert_eq!(bulk["/en/ferry-card/"].content_type, "text/html");
        assert_eq!(bulk["/zh/ferry-card/"].content_type, "text/html; charset=big5");
    }

    #[test]
    fn the_second_edition_changes_what_it_declares_and_nothing_else() {
        let site = sample_site().unwrap();
        let (bulk, update) = (&site["bulk"].replies, &site["update"].replies);
        let changed: Vec<&str> = bulk
            .iter()
            .filter(|(path, it)| update.get(*path).is_some_and(|new| new.body != it.body))
            .map(|(path, _)| path.as_str())
            .collect();
        assert_eq!(
            changed,
            [
                "/en/appeals/",
                "/en/carer-grant/",
                "/en/elder-allowance/",
                "/en/regulations/rent-subsidy/",
                "/en/school-meals/",
                "/sitemap.xml",
                "/zh/appeals/",
                "/zh/carer-grant/",
                "/zh/elder-allowance/",
                "/zh/regulations/rent-subsidy/",
                "/zh/school-meals/",
                "/zh/winter-warmth/",
            ]
        );
        let gone: Vec<&String> = bulk.keys().filter(|it| !update.contains_key(*it)).collect();
        assert_eq!(gone, ["/en/taxi-voucher/", "/zh/taxi-voucher/"]);
        for path in changed {
            assert_ne!(bulk[path].last_modified, update[path].last_modified, "{path}");
        }
        assert!(text(&site, "update", "/zh/regulations/rent-subsidy/").contains("第 6-1 條"));
        assert!(text(&site, "bulk", "/zh/租金補貼/").contains("最後更新：115年7月20日"));
        assert!(text(&site, "bulk", "/en/rent-support/").contains("Last updated: 20 July 2026"));
    }
}
