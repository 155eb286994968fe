//! What a body is, by its first bytes. Header and file name are claims, and are only compared.

/// What some bytes are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Media {
    /// `text/html`, `application/pdf`, …
    pub name: String,
    /// Set where the header claims something else: `type_mismatch: header text/html, bytes %PDF-`.
    pub mismatch: Option<String>,
}

/// Looks at the first bytes, and compares them with the `Content-Type` header.
pub fn media_of(bytes: &[u8], content_type: Option<&str>) -> Media {
    let claim = content_type.map(essence).filter(|it| !it.is_empty());
    let (found, shown) = sniff(bytes);
    let claims_html =
        matches!(claim.as_deref(), None | Some("text/html" | "application/xhtml+xml"));
    let name = match found {
        // Plain text sent as a page is read as a page, as browsers do.
        "text/plain" if claims_html => "text/html",
        "text/plain" => match claim.as_deref() {
            Some(claim) if family(claim) == "text" => claim,
            _ => "text/plain",
        },
        other => other,
    };
    let mismatch = claim
        .as_deref()
        .filter(|it| family(it) != family(name) && *it != "application/octet-stream");
    Media {
        name: name.to_owned(),
        mismatch: mismatch.map(|it| format!("type_mismatch: header {it}, bytes {shown}")),
    }
}

/// `text/html` of `Text/HTML; charset=utf-8`.
fn essence(content_type: &str) -> String {
    content_type.split([';', ',']).next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Types that are told apart by nothing but the header belong together.
fn family(media: &str) -> &str {
    match media {
        "text/html" | "application/xhtml+xml" => "page",
        "application/pdf" | "application/x-pdf" => "pdf",
        "application/xml" | "text/xml" | "application/rss+xml" | "application/atom+xml" => "xml",
        "application/gzip" | "application/x-gzip" => "gzip",
        it if it.contains("zip")
            || it.contains("officedocument")
            || it.contains("opendocument") =>
        {
            "zip"
        }
        it if it.starts_with("image/") => "image",
        it if it.starts_with("text/") || it.contains("json") || it.contains("javascript") => "text",
        it => it,
    }
}

/// Short name for a reason word: `pdf`, `html`, `docx`.
pub fn short_name(media: &str) -> &str {
    match family(media) {
        "page" => "html",
        family @ ("pdf" | "xml" | "gzip" | "zip" | "image" | "text") => family,
        other => other.rsplit('/').next().unwrap_or(other),
    }
}

/// True where both are the same sort of document.
pub fn is_same_family(one: &str, other: &str) -> bool {
    family(one) == family(other)
}

/// The type, and how its mark is shown to a person.
fn sniff(bytes: &[u8]) -> (&'static str, &'static str) {
    let head = &bytes[..bytes.len().min(1024)];
    let trimmed = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    for (mark, media, shown) in [
        (&b"%PDF-"[..], "application/pdf", "%PDF-"),
        (b"PK\x03\x04", "application/zip", "PK"),
        (b"\x1f\x8b", "application/gzip", "gzip"),
        (b"\x89PNG\r\n", "image/png", "PNG"),
        (b"\xff\xd8\xff", "image/jpeg", "JPEG"),
        (b"GIF8", "image/gif", "GIF"),
        (b"\xd0\xcf\x11\xe0", "application/msword", "OLE"),
        (b"{\\rtf", "application/rtf", "RTF"),
    ] {
        if trimmed.starts_with(mark) {
            return (media, shown);
        }
    }
    // A PDF may have some bytes before its mark (ISO 32000-1, annex H, note 13).
    if memchr::memmem::find(head, b"%PDF-").is_some() && !looks_like_markup(trimmed) {
        return ("application/pdf", "%PDF-");
    }
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return ("text/plain", "text");
    }
    if looks_like_html(trimmed) {
        return ("text/html", "HTML");
    }
    if trimmed.starts_with(b"<?xml") || looks_like_markup(trimmed) && trimmed.contains(&b':') {
        return ("application/xml", "XML");
    }
    if head.contains(&0) { ("application/octet-stream", "binary") } else { ("text/plain", "text") }
}

fn looks_like_markup(head: &[u8]) -> bool {
    head.first() == Some(&b'<')
        && head.get(1).is_some_and(|it| it.is_ascii_alphabetic() || matches!(it, b'!' | b'?'))
}

/// The first tag is one of HTML's, or the document says so somewhere near its start.
fn looks_like_html(head: &[u8]) -> bool {
    let lower = head.to_ascii_lowercase();
    let has = |tag: &[u8]| memchr::memmem::find(&lower, tag).is_some();
    if !looks_like_markup(&lower) {
        return has(b"<html") || has(b"<body") || has(b"<!doctype html");
    }
    const FIRST: &[&str] = &[
        "<!doctype html",
        "<html",
        "<head",
        "<title",
        "<body",
        "<script",
        "<style",
        "<div",
        "<p>",
        "<p ",
        "<h1",
        "<table",
        "<meta",
        "<a ",
        "<br",
        "<b>",
        "<font",
        "<iframe",
        "<main",
        "<section",
        "<article",
        "<ul",
        "<ol",
        "<form",
        "<center",
        "<span",
        "<link",
    ];
    FIRST.iter().any(|it| lower.starts_with(it.as_bytes()))
        || has(b"<html")
        || has(b"<!doctype html")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(bytes: &[u8], header: &str) -> String {
        media_of(bytes, Some(header)).name
    }

    #[test]
    fn the_first_bytes_decide_and_the_header_is_a_claim() {
        assert_eq!(name(b"%PDF-1.7 ...", "text/html"), "application/pdf");
        assert_eq!(name(b"<html><title>404</title>", "application/pdf"), "text/html");
        assert_eq!(name(b"\n  <!DOCTYPE HTML>", "application/octet-stream"), "text/html");
        assert_eq!(name(b"<?xml version='1.0'?><html xmlns='x'>", "application/xml"), "text/html");
        assert_eq!(name(b"<?xml version='1.0'?><urlset>", "text/html"), "application/xml");
        assert_eq!(name(b"secret", "text/html; charset=utf-8"), "text/html");
        assert_eq!(name("申請人須年滿65歲".as_bytes(), "text/plain"), "text/plain");
        assert_eq!(name(b"\x89PNG\r\n\x1a\n", "text/html"), "image/png");
        assert_eq!(
            name(
                b"PK\x03\x04word/",
                "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
            ),
            "application/zip"
        );
        assert_eq!(name(b"", "text/html"), "text/html");
    }

    #[test]
    fn only_a_claim_of_another_kind_is_a_mismatch() {
        let mismatch = |bytes: &[u8], header| media_of(bytes, Some(header)).mismatch;
        assert_eq!(
            mismatch(b"%PDF-1.4", "text/html").as_deref(),
            Some("type_mismatch: header text/html, bytes %PDF-")
        );
        assert!(mismatch(b"<html>", "application/pdf").is_some());
        assert!(mismatch(b"<html>", "application/xhtml+xml").is_none());
        assert!(mismatch(b"%PDF-1.4", "application/pdf").is_none());
        assert!(
            mismatch(
                b"PK\x03\x04",
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            )
            .is_none()
        );
        assert_eq!(media_of(b"<p>x</p>", None).mismatch, None);
    }
}
