//! Addresses, hosts and patterns of a source file, checked as far as they can be without the network.

use std::net::IpAddr;

use scraper::Selector;
use url::{Host, Url};

use crate::sources::mistakes::Mistake;
use crate::sources::section::{Found, shortened};

/// An absolute http(s) address without credentials.
///
/// # Errors
/// What is wrong with it.
pub fn check_address(found: &Found<&str>) -> Result<Url, Box<Mistake>> {
    const EXPECTED: &str = "an absolute address that begins with https:// or http://";
    let text = found.value;
    let refuse = |what: String, help: &str| Err(Box::new(found.mistake(EXPECTED, what, help)));
    if text.trim() != text || text.contains(char::is_whitespace) {
        return refuse(format!("white space in `{}`", shortened(text)), "take the spaces out");
    }
    let url = match Url::parse(text) {
        Ok(url) => url,
        Err(error) => {
            let help = if text.starts_with("//") {
                format!("write https:{text}")
            } else if text.contains('.') && !text.contains("://") && !text.starts_with('/') {
                format!("write https://{text}")
            } else {
                String::new()
            };
            return refuse(format!("`{}` ({error})", shortened(text)), &help);
        }
    };
    if !matches!(url.scheme(), "http" | "https") {
        return refuse(
            format!("the scheme `{}`", shortened(url.scheme())),
            "only web pages can be crawled",
        );
    }
    // `https:/a.example` and `http:a.example` are mended by browsers; a typed file should be right.
    if !text.get(url.scheme().len()..).is_some_and(|it| it.starts_with("://")) {
        return refuse(format!("`{}`", shortened(text)), "two slashes follow the scheme");
    }
    if url.host_str().is_none_or(str::is_empty) {
        return refuse(format!("no host in `{}`", shortened(text)), "");
    }
    if !url.username().is_empty() || url.password().is_some() {
        let mut mistake = found.mistake(
            EXPECTED,
            "a user name or password in the address",
            "credentials never stand in a file; only public pages are crawled",
        );
        mistake.is_secret = true;
        return Err(Box::new(mistake));
    }
    Ok(url)
}

/// A sitemap: an address, or a path that the first start address completes. `base` is that address
/// where it could be read, `has_starts` says whether there is to be one.
///
/// # Errors
/// What is wrong with it.
pub fn check_sitemap(
    found: &Found<&str>,
    base: Option<&Url>,
    has_starts: bool,
) -> Result<(), Box<Mistake>> {
    if found.value.contains("://") {
        return check_address(found).map(|_| ());
    }
    let joined = base.and_then(|it| it.join(found.value).ok());
    let is_usable = !found.value.trim().is_empty()
        && found.value.trim() == found.value
        && has_starts
        && (base.is_none() || joined.is_some_and(|it| matches!(it.scheme(), "http" | "https")));
    if is_usable {
        return Ok(());
    }
    Err(Box::new(found.mistake(
        "the address of a sitemap, absolute or relative to the first start address",
        format!("`{}`", shortened(found.value)),
        "for example /sitemap.xml",
    )))
}

/// The address of a numbered listing, absolute or not, with `{n}` for the page's number.
///
/// # Errors
/// What is wrong with it.
pub fn check_listing(found: &Found<&str>) -> Result<(), Box<Mistake>> {
    let has_one_place = found.value.matches("{n}").count() == 1;
    if has_one_place && found.value.trim() == found.value && !found.value.contains('\\') {
        return Ok(());
    }
    Err(Box::new(found.mistake(
        "the address of a listing with {n} in the place of the page's number",
        format!("`{}`", shortened(found.value)),
        "for example /schemes?page={n}",
    )))
}

/// A host name or IP address on its own.
///
/// # Errors
/// What is wrong with it.
pub fn check_host(found: &Found<&str>) -> Result<(), Box<Mistake>> {
    const EXPECTED: &str = "a host name or an IP address";
    let text = found.value;
    let refuse =
        |help: &str| Err(Box::new(found.mistake(EXPECTED, format!("`{}`", shortened(text)), help)));
    if text.contains("://") || text.contains('@') || text.contains('\\') {
        return refuse("the host alone, without scheme and path");
    }
    if text.contains('*') {
        return refuse("name each host; there are no wildcards here");
    }
    if text.contains('/') {
        return refuse("name each host or address; no paths and no ranges of addresses");
    }
    let bare = text.strip_prefix('[').and_then(|it| it.strip_suffix(']')).unwrap_or(text);
    if bare.parse::<IpAddr>().is_ok() {
        return Ok(());
    }
    if text.contains(':') {
        return refuse("without the port");
    }
    let is_name = matches!(Host::parse(text), Ok(Host::Domain(_)))
        && text.trim() == text
        && !text.starts_with('.')
        && text.split('.').all(|it| it.len() <= 63)
        && text.trim_end_matches('.').split('.').all(|it| !it.is_empty())
        && !text.contains(char::is_whitespace);
    if is_name { Ok(()) } else { refuse("for example intranet.example or 127.0.0.1") }
}

/// A regular expression over `path?query`.
///
/// # Errors
/// What is wrong with it.
pub fn check_pattern(found: &Found<&str>) -> Result<(), Box<Mistake>> {
    const EXPECTED: &str = "a regular expression over path and query";
    let text = found.value;
    if text.is_empty() {
        return Err(Box::new(found.mistake(
            EXPECTED,
            "nothing",
            "an empty pattern matches every page: take it out",
        )));
    }
    if text.contains("://") {
        return Err(Box::new(found.mistake(
            EXPECTED,
            format!("an address, `{}`", shortened(text)),
            "leave out scheme and host: the pattern sees /path?query",
        )));
    }
    let error = match regex::Regex::new(text) {
        Ok(_) => return Ok(()),
        Err(error) => error,
    };
    let reason = match &error {
        regex::Error::CompiledTooBig(_) => "too large when compiled".to_owned(),
        other => last_line(&other.to_string()),
    };
    let help = if text.starts_with('*') || text.contains("/*") || text.contains("**") {
        "this is a regular expression, not a file pattern: any text is `.*`"
    } else if text.contains("(?=") || text.contains("(?!") || text.contains("(?<") {
        "there is no look-around; use `allow` and `deny` together"
    } else {
        ""
    };
    Err(Box::new(found.mistake(EXPECTED, format!("`{}`: {reason}", shortened(text)), help)))
}

/// A CSS selector.
///
/// # Errors
/// What is wrong with it.
pub fn check_selector(found: &Found<&str>) -> Result<(), Box<Mistake>> {
    const EXPECTED: &str = "a CSS selector";
    let text = found.value;
    if text.trim().is_empty() {
        return Err(Box::new(found.mistake(EXPECTED, "nothing", "for example main or #content")));
    }
    if text.starts_with("//") || text.starts_with("./") || text.contains("::text") {
        return Err(Box::new(found.mistake(
            EXPECTED,
            format!("`{}`", shortened(text)),
            "neither XPath nor ::text is read; for example main .rules",
        )));
    }
    match Selector::parse(text) {
        Ok(_) => Ok(()),
        Err(error) => {
            let reason = spaced(&last_line(&error.to_string()));
            let found_text = format!("`{}`: {reason}", shortened(text));
            Err(Box::new(found.mistake(EXPECTED, found_text, "for example main or #content")))
        }
    }
}

fn last_line(text: &str) -> String {
    let line = text.lines().map(str::trim).rfind(|it| !it.is_empty()).unwrap_or_default();
    shortened(line.strip_prefix("error: ").unwrap_or(line))
}

/// `DanglingCombinator`, a variant's name, as words.
fn spaced(text: &str) -> String {
    if text.contains(' ') || !text.starts_with(|c: char| c.is_ascii_uppercase()) {
        return text.to_owned();
    }
    let mut words = String::new();
    for c in text.chars() {
        if c.is_ascii_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(c.to_ascii_lowercase());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Found<&str> {
        Found { value: text, at: 0..text.len(), key: "k".to_owned() }
    }

    #[test]
    fn only_whole_web_addresses_are_starts() {
        for good in [
            "https://a.example/",
            "http://127.0.0.1:8080/x?y=1",
            "https://例子.example/頁",
            "http://[::1]/",
        ] {
            assert!(check_address(&found(good)).is_ok(), "{good}");
        }
        for bad in [
            "",
            "a.example/x",
            "/x",
            "//a.example/",
            "ftp://a.example/",
            "https:/a.example/",
            "https:a.example",
            "https://",
            "https://u:p@a.example/",
            " https://a.example/",
            "https://a.example/a b",
            "javascript:alert(1)",
            "file:///etc/passwd",
            "https://a.example:99999/",
        ] {
            assert!(check_address(&found(bad)).is_err(), "{bad}");
        }
        let mistake = check_address(&found("https://u:hunter2@a.example/")).unwrap_err();
        assert!(mistake.is_secret && !mistake.found.contains("hunter2"));
    }

    #[test]
    fn hosts_stand_alone() {
        for good in ["localhost", "intranet.example", "10.0.0.5", "::1", "[::1]", "內網.example"]
        {
            assert!(check_host(&found(good)).is_ok(), "{good}");
        }
        for bad in ["", "http://a", "a/b", "a:80", "10.0.0.0/8", "*.example", "a b", "a..b", ".a"] {
            assert!(check_host(&found(bad)).is_err(), "{bad}");
        }
    }

    #[test]
    fn patterns_and_selectors_are_compiled() {
        for good in ["^/en/", r"/支援/", r"\.html$", "^/a(/|$)"] {
            assert!(check_pattern(&found(good)).is_ok(), "{good}");
        }
        for bad in ["", "(", "*.html", "(?!x)", "https://a.example/.*", r"(\w{1000}){1000}"] {
            assert!(check_pattern(&found(bad)).is_err(), "{bad}");
        }
        for good in ["main", "#內容", "main > .a, article", "td:first-child", "[role=main]"] {
            assert!(check_selector(&found(good)).is_ok(), "{good}");
        }
        for bad in ["", "main >", "div[", "//div", "p::text", "a:has-text('x')", "1a"] {
            assert!(check_selector(&found(bad)).is_err(), "{bad}");
        }
    }
}
