//! Pages read for a crawl by the rules of a source: bytes decoded, then read as the items stage does.

use serde::{Deserialize, Serialize};

use crate::ask::canonical::hex_sha256;
use crate::crawl::reading::{PageBytes, PageReading, ReadPage, ReadPageError};
use crate::items::page::read_page;
use crate::items::select::ReadError;
use crate::model::canonical::{Alternative, CanonicalPage, HiddenText};
use crate::model::page_map::PageMap;
use crate::model::snapshot::Charset;
use crate::model::source::Source;
use crate::text::glyphs::charset::{Decoded, decode_page};

/// Raised whenever the same bytes and rules may give another canonical text.
pub const READER_VERSION: &str = "page/1";

/// Reads pages of one source.
#[derive(Clone, Debug)]
pub struct SourceReader {
    source: Source,
    /// The same source with no selectors: what is judged when the content is not found.
    whole: Source,
    version: String,
}

/// What is stored beside a canonical text: the way back to the page, and what was kept apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageAside {
    pub map: PageMap,
    /// Never evidence.
    pub hidden: Vec<HiddenText>,
    pub alternatives: Vec<Alternative>,
}

impl SourceReader {
    /// A reader by the rules of `source`.
    pub fn new(source: &Source) -> Self {
        let rules = serde_json::json!([source.content, source.exclude]).to_string();
        let version = format!("{READER_VERSION} {}", &hex_sha256(rules.as_bytes())[..16]);
        let mut whole = source.clone();
        whole.content = vec!["body".to_owned()];
        whole.exclude.clear();
        Self { source: source.clone(), whole, version }
    }
}

impl ReadPage for SourceReader {
    fn version(&self) -> String {
        self.version.clone()
    }

    fn reads(&self, media: &str) -> bool {
        matches!(media, "text/html" | "application/xhtml+xml")
    }

    fn read(&self, page: &PageBytes<'_>) -> Result<PageReading, ReadPageError> {
        let header = page.headers.iter().find(|(name, _)| name == "content-type");
        let decoded = decode_page(page.bytes, header.map(|(_, value)| value.as_str()));
        let failed = |cause: &ReadError| ReadPageError { detail: cause.to_string() };
        let (read, content_found) = match read_page(&decoded.text, &self.source) {
            Ok(read) => (read, true),
            Err(ReadError::SelectorMissing { .. }) => {
                (read_page(&decoded.text, &self.whole).map_err(|it| failed(&it))?, false)
            }
            Err(cause) => return Err(failed(&cause)),
        };
        reading(read, content_found, &decoded)
    }
}

fn reading(
    read: CanonicalPage,
    content_found: bool,
    decoded: &Decoded,
) -> Result<PageReading, ReadPageError> {
    let hrefs = |only_content: bool| {
        let links = read.links.iter().filter(move |it| it.is_in_content || !only_content);
        let follows = links.filter(|it| !it.rel.split_whitespace().any(|it| it == "nofollow"));
        follows.map(|it| it.href.clone()).collect()
    };
    let (links, content_links) = (hrefs(false), hrefs(true));
    let aside = PageAside { map: read.map, hidden: read.hidden, alternatives: read.alternatives };
    let map = serde_json::to_vec(&aside).map_err(|it| ReadPageError { detail: it.to_string() })?;
    let mut flags: Vec<String> = decoded.conflict.iter().map(ToString::to_string).collect();
    if decoded.replaced > 0 {
        flags.push(format!("decode_errors: {} characters cannot be read", decoded.replaced));
    }
    let has_robots_word =
        |word: &str| read.signs.robots.split([',', ' ']).any(|it| it.trim() == word);
    Ok(PageReading {
        first_heading: first_heading(&read.text),
        title: if read.signs.document_title.is_empty() {
            read.title
        } else {
            read.signs.document_title.clone()
        },
        text: read.text,
        map: Some(map),
        content_found,
        charset: Some(Charset {
            name: decoded.encoding.to_owned(),
            decided_by: decoded.source.as_str().to_owned(),
            replaced: u64::try_from(decoded.replaced).unwrap_or(u64::MAX),
        }),
        language: read.language.unwrap_or_default(),
        links,
        content_links,
        base: read.signs.base_href,
        canonical: read.signs.canonical_link,
        refresh: read.signs.refresh.as_deref().and_then(refresh_target),
        has_password_input: read.signs.has_password_field,
        is_nofollow: has_robots_word("nofollow") || has_robots_word("none"),
        flags,
    })
}

fn first_heading(text: &str) -> String {
    let heading = text.lines().find(|it| it.starts_with('#'));
    heading.map_or_else(String::new, |it| it.trim_start_matches('#').trim().to_owned())
}

/// The target of `5; url='/new'`, where it goes off within ten seconds.
fn refresh_target(content: &str) -> Option<String> {
    let (wait, rest) = content.split_once([';', ','])?;
    let wait: f64 = wait.trim().parse().ok()?;
    let rest = rest.trim();
    let named = rest.get(..3).is_some_and(|it| it.eq_ignore_ascii_case("url"));
    let target = if named { rest[3..].trim_start().strip_prefix('=')? } else { rest };
    let target = target.trim().trim_matches(['"', '\'']);
    (wait <= 10.0 && !target.is_empty()).then(|| target.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_quick_refresh_is_a_signpost() {
        assert_eq!(refresh_target("0;url=/new").as_deref(), Some("/new"));
        assert_eq!(
            refresh_target("5; URL='https://gov.example/a'").as_deref(),
            Some("https://gov.example/a")
        );
        assert_eq!(refresh_target("300;url=/same"), None);
        assert_eq!(refresh_target("30"), None);
    }
}
