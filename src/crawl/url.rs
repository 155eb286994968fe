//! Addresses in normal form, and those that are refused before anything is asked.
//!
//! Two spellings of one address are one page. What a browser would mend in silence (backslashes,
//! credentials, control characters) is refused here, since it hides where a request really goes.

use encoding_rs::Encoding;
use url::Url;

use crate::model::page::Outcome;
use crate::text::glyphs::letter::is_invisible;

/// Longest address taken.
const MAX_LEN: usize = 8_000;

/// An address that is not asked, and the stable word for why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{address:?} is refused: {reason}")]
pub struct RefusedAddress {
    /// As it was written, shortened where it is very long.
    pub address: String,
    /// `RefusedScheme` or `RefusedUrl`.
    pub outcome: Outcome,
    /// `backslash`, `credentials`, `control_character`, …, or the scheme.
    pub reason: String,
}

/// Reads an absolute address from a source file, a sitemap or a redirect.
///
/// # Errors
/// When it is refused; see [`RefusedAddress`].
pub fn read_address(raw: &str) -> Result<Url, RefusedAddress> {
    read(raw, None)
}

/// Reads an address that may be relative to `base`, as in a `Location` header.
///
/// # Errors
/// When it is refused; see [`RefusedAddress`].
pub fn read_relative(raw: &str, base: &Url) -> Result<Url, RefusedAddress> {
    read(raw, Some((base, None)))
}

/// Reads a link of a page: line breaks inside are dropped as browsers do, and a query is written
/// in the page's own encoding.
///
/// # Errors
/// When it is refused; see [`RefusedAddress`].
pub fn read_link(
    raw: &str,
    base: &Url,
    encoding: Option<&'static Encoding>,
) -> Result<Url, RefusedAddress> {
    let joined: String = raw.chars().filter(|it| !matches!(it, '\t' | '\n' | '\r')).collect();
    read(&joined, Some((base, encoding)))
}

fn read(raw: &str, base: Option<(&Url, Option<&'static Encoding>)>) -> Result<Url, RefusedAddress> {
    let text = raw.trim_matches(|it: char| it.is_ascii_whitespace() || it == '\u{feff}');
    let refuse = |outcome, reason: &str| RefusedAddress {
        address: text.chars().take(200).collect(),
        outcome,
        reason: reason.to_owned(),
    };
    let bad = |reason| refuse(Outcome::RefusedUrl, reason);
    if text.is_empty() && base.is_none() {
        return Err(bad("empty"));
    }
    if text.len() > MAX_LEN {
        return Err(bad("too_long"));
    }
    let before_fragment = text.split('#').next().unwrap_or_default();
    if text.chars().any(char::is_control) || holds_encoded_control(before_fragment) {
        return Err(bad("control_character"));
    }
    if let Some(scheme) = scheme_of(text) {
        if scheme != "http" && scheme != "https" {
            return Err(refuse(Outcome::RefusedScheme, &scheme));
        }
        if !text[scheme.len() + 1..].starts_with(['/', '\\']) {
            return Err(bad("malformed"));
        }
    }
    if before_fragment.contains('\\') {
        return Err(bad("backslash"));
    }
    let authority = authority_of(text);
    if authority.contains('@') {
        return Err(bad("credentials"));
    }
    if authority.chars().any(is_invisible) {
        return Err(bad("invisible_character"));
    }
    let parsed = match base {
        None => Url::parse(text),
        Some((base, None)) => Url::options().base_url(Some(base)).parse(text),
        Some((base, Some(encoding))) => Url::options()
            .base_url(Some(base))
            .encoding_override(Some(&|it| encoding.encode(it).0))
            .parse(text),
    };
    let url = parsed.map_err(|_| bad("malformed"))?;
    if url.scheme() != "http" && url.scheme() != "https" {
        return Err(refuse(Outcome::RefusedScheme, url.scheme()));
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err(bad("malformed"));
    }
    Ok(syntactic(url))
}

/// `scheme` of `scheme:rest`, in lower case.
fn scheme_of(text: &str) -> Option<String> {
    let (scheme, _) = text.split_once(':')?;
    let starts_well = scheme.starts_with(|it: char| it.is_ascii_alphabetic());
    let is_scheme = |it: char| it.is_ascii_alphanumeric() || matches!(it, '+' | '-' | '.');
    (starts_well && scheme.chars().all(is_scheme)).then(|| scheme.to_ascii_lowercase())
}

/// What stands between `//` and the path.
fn authority_of(text: &str) -> &str {
    let rest = match scheme_of(text) {
        Some(scheme) => &text[scheme.len() + 1..],
        None => text,
    };
    let Some(rest) = rest.strip_prefix("//") else { return "" };
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

fn holds_encoded_control(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(3).any(|it| {
        it[0] == b'%'
            && (matches!(it[1], b'0' | b'1') && it[2].is_ascii_hexdigit()
                || it[1] == b'7' && it[2].eq_ignore_ascii_case(&b'f'))
    })
}

/// Normal form that no server can tell from the original (RFC 3986 section 6.2.2): no fragment,
/// no empty query, no dot after the host, percent-escapes upper case and only where needed.
fn syntactic(mut url: Url) -> Url {
    url.set_fragment(None);
    if let Some(host) = url.host_str().and_then(|it| it.strip_suffix('.')).map(str::to_owned) {
        // A host that is nothing but dots stays as it is and fails to resolve.
        let _ = url.set_host(Some(&host));
    }
    let path = normal_escapes(url.path());
    if path != url.path() {
        url.set_path(&path);
    }
    match url.query() {
        Some("") => url.set_query(None),
        Some(query) => {
            let normal = normal_escapes(query);
            if normal != query {
                url.set_query(Some(&normal));
            }
        }
        None => {}
    }
    url
}

fn normal_escapes(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < bytes.len() {
        let escape = text.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        let value = escape.and_then(|it| u8::from_str_radix(it, 16).ok());
        if let (Some(escape), Some(value)) = (escape, value) {
            let is_unreserved =
                value.is_ascii_alphanumeric() || matches!(value, b'-' | b'.' | b'_' | b'~');
            if is_unreserved {
                out.push(char::from(value));
            } else {
                out.push('%');
                out.push_str(&escape.to_ascii_uppercase());
            }
            at += 3;
        } else {
            let len = text[at..].chars().next().map_or(1, char::len_utf8);
            out.push_str(&text[at..at + len]);
            at += len;
        }
    }
    out
}

/// Query parameters that say where a visitor came from, or which visit it is: never which page.
/// Sources: the parameter lists of the big analytics and mail tools, and the session parameters of
/// Java, PHP and classic ASP.
const TRACKING: &[&str] = &[
    "gclid",
    "gclsrc",
    "dclid",
    "gbraid",
    "wbraid",
    "fbclid",
    "msclkid",
    "yclid",
    "twclid",
    "ttclid",
    "igshid",
    "mc_cid",
    "mc_eid",
    "mkt_tok",
    "_ga",
    "_gl",
    "_hsenc",
    "_hsmi",
    "hsctatracking",
    "wt.mc_id",
    "vero_id",
    "oly_anon_id",
    "oly_enc_id",
    "jsessionid",
    "phpsessid",
];
const TRACKING_STARTS: &[&str] = &["utm_", "aspsessionid", "pk_campaign", "pk_kwd", "mtm_"];

/// The page an address names: its normal form without tracking and session parameters.
pub fn page_of(url: &Url) -> Url {
    let mut page = url.clone();
    if let Some(query) = url.query() {
        let kept: Vec<&str> = query.split('&').filter(|it| !is_tracking(it)).collect();
        let kept = kept.join("&");
        if kept != query {
            page.set_query((!kept.is_empty()).then_some(kept.as_str()));
        }
    }
    let lower = url.path().to_ascii_lowercase();
    if let Some(at) = lower.find(";jsessionid=") {
        let rest =
            url.path()[at + 1..].find(['/', ';']).map_or("", |it| &url.path()[at + 1 + it..]);
        page.set_path(&format!("{}{rest}", &url.path()[..at]));
    }
    page
}

fn is_tracking(parameter: &str) -> bool {
    let name = parameter.split('=').next().unwrap_or_default().to_ascii_lowercase();
    TRACKING.contains(&name.as_str()) || TRACKING_STARTS.iter().any(|it| name.starts_with(it))
}

/// `host`, or `host:port` where the port is not the scheme's own.
pub fn host_key(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// The part that patterns and robots.txt speak of: `path?query`.
pub fn path_and_query(url: &Url) -> String {
    match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    }
}

/// True for hosts that differ in a leading `www.` alone.
pub fn is_same_site(one: &Url, other: &Url) -> bool {
    let bare = |url: &Url| {
        let host = url.host_str().unwrap_or_default();
        host.strip_prefix("www.").unwrap_or(host).to_owned()
    };
    let port = |url: &Url| url.port();
    bare(one) == bare(other) && port(one) == port(other)
}

/// Names that sites give to the front page of a language version.
const LANGUAGE_SEGMENTS: &[&str] = &[
    "en", "eng", "english", "en-us", "en-gb", "en-hk", "tc", "sc", "zh", "chi", "chs", "cht",
    "zh-hant", "zh-hans", "zh-tw", "zh-hk", "zh-cn", "zh_tw", "zh_hk", "zh_cn", "b5", "gb", "tw",
    "hk", "fr", "ja", "ko", "es", "pt",
];

/// True for a site's front page, of the whole site or of one of its languages.
pub fn is_home(url: &Url) -> bool {
    let mut segments: Vec<String> =
        url.path().split('/').filter(|it| !it.is_empty()).map(str::to_ascii_lowercase).collect();
    let is_index = |it: &String| {
        let stem = it.split('.').next().unwrap_or_default();
        matches!(stem, "index" | "default" | "home" | "main")
            && (it.contains('.') || stem == "home" || stem == "index")
    };
    if segments.last().is_some_and(is_index) {
        segments.pop();
    }
    match segments.as_slice() {
        [] => true,
        [only] => LANGUAGE_SEGMENTS.contains(&only.as_str()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(raw: &str) -> String {
        page_of(&read_address(raw).unwrap()).to_string()
    }

    #[test]
    fn spellings_of_one_address_are_one_page() {
        for (raw, expected) in [
            ("HTTPS://Gov.Example:443/Heat", "https://gov.example/Heat"),
            ("http://gov.example:80", "http://gov.example/"),
            ("https://gov.example./a/./b/../c#part", "https://gov.example/a/c"),
            ("https://gov.example/a?", "https://gov.example/a"),
            ("https://gov.example/%7euser/%e6%b4%a5", "https://gov.example/~user/%E6%B4%A5"),
            (
                "https://gov.example/津貼?所=甲",
                "https://gov.example/%E6%B4%A5%E8%B2%BC?%E6%89%80=%E7%94%B2",
            ),
            ("https://gov.example/a?utm_source=x&id=3&UTM_medium=y", "https://gov.example/a?id=3"),
            ("https://gov.example/a?fbclid=x", "https://gov.example/a"),
            ("https://gov.example/a;jsessionid=B7?id=1", "https://gov.example/a?id=1"),
            ("  https://gov.example/a \n", "https://gov.example/a"),
            ("http://2130706433/d", "http://127.0.0.1/d"),
            ("http://0x7f.1/d", "http://127.0.0.1/d"),
            ("https://香港.example/", "https://xn--j6w193g.example/"),
        ] {
            assert_eq!(page(raw), expected, "{raw}");
        }
    }

    #[test]
    fn a_slash_a_case_or_a_parameter_that_matters_makes_another_page() {
        assert_ne!(page("https://gov.example/a"), page("https://gov.example/a/"));
        assert_ne!(page("https://gov.example/a?PCode=1"), page("https://gov.example/a?pcode=1"));
        assert_ne!(page("https://gov.example/a?b=1&c=2"), page("https://gov.example/a?c=2&b=1"));
        assert_ne!(page("https://gov.example/a%2Fb"), page("https://gov.example/a/b"));
    }

    #[test]
    fn what_hides_where_a_request_goes_is_refused_by_name() {
        use Outcome::{RefusedScheme, RefusedUrl};
        for (raw, outcome, reason) in [
            ("file:///etc/passwd", RefusedScheme, "file"),
            ("FTP://gov.example/a", RefusedScheme, "ftp"),
            ("javascript:alert(1)", RefusedScheme, "javascript"),
            ("data:text/html,x", RefusedScheme, "data"),
            ("https://pub.example\\@127.0.0.1/", RefusedUrl, "backslash"),
            ("https:\\\\pub.example/", RefusedUrl, "backslash"),
            ("https://user:pw@gov.example/", RefusedUrl, "credentials"),
            ("https://gov.example@evil.example/", RefusedUrl, "credentials"),
            ("https://gov.example/a\u{0}b", RefusedUrl, "control_character"),
            ("https://gov.example/a%0d%0aHost:x", RefusedUrl, "control_character"),
            ("https://gov\u{200b}.example/", RefusedUrl, "invisible_character"),
            ("https:gov.example", RefusedUrl, "malformed"),
            ("https://", RefusedUrl, "malformed"),
            ("/just/a/path", RefusedUrl, "malformed"),
            ("", RefusedUrl, "empty"),
        ] {
            let refused = read_address(raw).unwrap_err();
            assert_eq!((refused.outcome, refused.reason.as_str()), (outcome, reason), "{raw:?}");
        }
        let long = format!("https://gov.example/{}", "a".repeat(9_000));
        assert_eq!(read_address(&long).unwrap_err().reason, "too_long");
    }

    #[test]
    fn a_link_is_read_as_the_page_means_it() {
        let base = read_address("https://gov.example/a/b?c=1").unwrap();
        let link = |raw: &str| read_link(raw, &base, None).unwrap().to_string();
        assert_eq!(link("../d#x"), "https://gov.example/d");
        assert_eq!(link("?c=2"), "https://gov.example/a/b?c=2");
        assert_eq!(link("//other.example/e"), "https://other.example/e");
        assert_eq!(link("/very/\n   long"), "https://gov.example/very/%20%20%20long");
        let big5 = read_link("/list?org=內政", &base, Some(encoding_rs::BIG5)).unwrap();
        assert_eq!(big5.query(), Some("org=%A4%BA%ACF"));
        assert!(read_link("docs\\form.doc", &base, None).is_err());
        assert!(read_link("mailto:a@gov.example", &base, None).is_err());
        assert!(read_link("/profile/@name", &base, None).is_ok(), "an @ in the path is harmless");
    }

    #[test]
    fn front_pages_are_told_from_pages() {
        for (raw, expected) in [
            ("https://gov.example/", true),
            ("https://gov.example/index.html", true),
            ("https://gov.example/en/", true),
            ("https://gov.example/zh-hk/index.php", true),
            ("https://gov.example/Default.aspx", true),
            ("https://gov.example/home", true),
            ("https://gov.example/benefits/", false),
            ("https://gov.example/en/heat", false),
            ("https://gov.example/main", false),
        ] {
            assert_eq!(is_home(&read_address(raw).unwrap()), expected, "{raw}");
        }
        let url = |raw: &str| read_address(raw).unwrap();
        assert!(is_same_site(&url("http://www.gov.example/"), &url("https://gov.example/a")));
        assert!(!is_same_site(&url("https://gov.example/"), &url("https://new.example/")));
    }
}
