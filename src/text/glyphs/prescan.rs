//! The encoding that a page declares inside itself, by the prescan of the HTML standard.
//!
//! Reads bytes and returns a label; whether the label is right is decided by `text::charset`.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// Bytes in which the standard looks for a declaration.
const PRESCAN_BYTES: usize = 1024;
/// Browsers also heed a later `<meta>` while they parse the head; nobody writes one further down.
const HEAD_BYTES: usize = 65_536;

/// The encoding declared by `<meta charset>`, `<meta http-equiv=content-type>` or an XML
/// declaration, with the label as written.
pub fn declared_in_page(bytes: &[u8]) -> Option<(&'static Encoding, String)> {
    let early = &bytes[..bytes.len().min(PRESCAN_BYTES)];
    xml_declaration(early)
        .or_else(|| Prescan { bytes: early, at: 0 }.run())
        .or_else(|| Prescan { bytes: head_of(bytes), at: 0 }.run())
}

/// The encoding of a label found in a page: a page that can be read as ASCII cannot be UTF-16.
fn resolve(label: &str) -> Option<(&'static Encoding, String)> {
    let encoding = Encoding::for_label(label.as_bytes())?;
    let encoding = match encoding {
        it if it == UTF_16BE || it == UTF_16LE => UTF_8,
        it if it == encoding_rs::X_USER_DEFINED => encoding_rs::WINDOWS_1252,
        it => it,
    };
    Some((encoding, label.trim().to_owned()))
}

fn head_of(bytes: &[u8]) -> &[u8] {
    let bytes = &bytes[..bytes.len().min(HEAD_BYTES)];
    let is_end = |at: usize| {
        let rest = &bytes[at..];
        starts_with(rest, b"</head") || starts_with(rest, b"<body")
    };
    let end = memchr::memchr_iter(b'<', bytes).find(|&at| is_end(at)).unwrap_or(bytes.len());
    &bytes[..end]
}

fn starts_with(bytes: &[u8], word: &[u8]) -> bool {
    bytes.get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word))
}

fn xml_declaration(bytes: &[u8]) -> Option<(&'static Encoding, String)> {
    let end = bytes.starts_with(b"<?xml").then(|| memchr::memchr(b'>', bytes))??;
    let text = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let after = &text[text.find("encoding")? + "encoding".len()..];
    let value = after.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|it| matches!(it, '"' | '\''))?;
    resolve(value[1..].split(quote).next()?)
}

struct Prescan<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Prescan<'a> {
    /// The standard's "prescan a byte stream to determine its encoding".
    fn run(mut self) -> Option<(&'static Encoding, String)> {
        while self.at < self.bytes.len() {
            let rest = &self.bytes[self.at..];
            if rest.starts_with(b"<!--") {
                // `<!-->` is a whole comment.
                let end = memchr::memmem::find(&rest[2..], b"-->")?;
                self.at += 2 + end + 3;
            } else if starts_with(rest, b"<meta")
                && rest.get(5).is_some_and(|it| is_space(*it) || *it == b'/')
            {
                self.at += 6;
                if let Some(found) = self.meta() {
                    return Some(found);
                }
            } else if rest.starts_with(b"<") && is_tag_start(rest) {
                self.at += rest.iter().position(|&it| is_space(it) || it == b'>')?;
                while self.attribute().is_some() {}
            } else if [&b"<!"[..], b"</", b"<?"].iter().any(|it| rest.starts_with(it)) {
                self.at += memchr::memchr(b'>', rest)? + 1;
            } else {
                self.at += 1 + memchr::memchr(b'<', &rest[1..])?;
            }
        }
        None
    }

    fn meta(&mut self) -> Option<(&'static Encoding, String)> {
        let (mut is_content_type, mut charset, mut from_content) = (false, None, None);
        let mut seen: Vec<String> = Vec::new();
        while let Some((name, value)) = self.attribute() {
            if seen.contains(&name) || seen.len() > 50 {
                continue;
            }
            match name.as_str() {
                "http-equiv" => is_content_type = value == "content-type",
                "content" if from_content.is_none() => from_content = label_in_content(&value),
                "charset" => charset = Some(value),
                _ => {}
            }
            seen.push(name);
        }
        match charset {
            Some(label) => resolve(&label),
            None => resolve(&from_content.filter(|_| is_content_type)?),
        }
    }

    /// The standard's "get an attribute", both parts in lower case.
    fn attribute(&mut self) -> Option<(String, String)> {
        self.skip(|it| is_space(it) || it == b'/');
        if self.peek()? == b'>' {
            self.at += 1;
            return None;
        }
        let name =
            self.take(|at, it| is_space(it) || matches!(it, b'/' | b'>') || (it == b'=' && at > 0));
        self.skip(is_space);
        if self.peek() != Some(b'=') {
            return Some((name, String::new()));
        }
        self.at += 1;
        self.skip(is_space);
        let value = match self.peek()? {
            quote @ (b'"' | b'\'') => {
                self.at += 1;
                let value = self.take(|_, it| it == quote);
                self.at += 1;
                value
            }
            _ => self.take(|_, it| is_space(it) || it == b'>'),
        };
        Some((name, value))
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip(&mut self, is_skipped: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&is_skipped) {
            self.at += 1;
        }
    }

    fn take(&mut self, ends: impl Fn(usize, u8) -> bool) -> String {
        let from = self.at;
        while self.peek().is_some_and(|it| !ends(self.at - from, it)) {
            self.at += 1;
        }
        String::from_utf8_lossy(&self.bytes[from..self.at.min(self.bytes.len())])
            .to_ascii_lowercase()
    }
}

fn is_tag_start(rest: &[u8]) -> bool {
    let at = if rest.get(1) == Some(&b'/') { 2 } else { 1 };
    rest.get(at).is_some_and(u8::is_ascii_alphabetic)
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')
}

/// `text/html; charset=big5`: the standard's extraction from a `content` attribute, which also
/// serves for the header.
pub fn label_in_content(content: &str) -> Option<String> {
    let lower = content.to_ascii_lowercase();
    let mut rest = lower.as_str();
    loop {
        rest = &rest[rest.find("charset")? + "charset".len()..];
        let Some(value) = rest.trim_start().strip_prefix('=') else { continue };
        let value = value.trim_start();
        let label = match value.chars().next()? {
            quote @ ('"' | '\'') => value[1..].split_once(quote)?.0,
            _ => value.split(|it: char| it.is_ascii_whitespace() || it == ';').next()?,
        };
        return Some(label.trim().to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(page: &str) -> Option<&'static str> {
        declared_in_page(page.as_bytes()).map(|it| it.0.name())
    }

    #[test]
    fn both_forms_of_meta_are_read_by_the_rules_of_the_web() {
        for (page, expected) in [
            ("<meta charset=big5>", Some("Big5")),
            ("<html lang=zh><META  CharSet = 'BIG5-HKSCS' />", Some("Big5")),
            ("<meta http-equiv='Content-Type' content='text/html; charset=gb2312'>", Some("GBK")),
            (
                "<meta content=\"text/html;charset='shift_jis'\" http-equiv=content-type>",
                Some("Shift_JIS"),
            ),
            ("<meta content='text/html; charset=big5'>", None),
            ("<!-- <meta charset=big5> --><meta charset=euc-kr>", Some("EUC-KR")),
            ("<a title='<meta charset=big5>'><meta charset=euc-jp>", Some("EUC-JP")),
            ("<meta charset=utf-16>", Some("UTF-8")),
            ("<meta charset=nonsense><meta charset=gb18030>", Some("gb18030")),
            ("<meta name=x content=y charset=latin1>", Some("windows-1252")),
            ("<?xml version='1.0' encoding='Big5'?><html>", Some("Big5")),
            ("<p>charset=big5</p>", None),
            ("<meta", None),
            ("<!--", None),
            ("", None),
        ] {
            assert_eq!(declared(page), expected, "{page}");
        }
    }

    #[test]
    fn a_late_meta_counts_only_in_the_head() {
        let pad = "<!-- -->".repeat(200);
        assert_eq!(declared(&format!("{pad}<meta charset=big5>")), Some("Big5"));
        assert_eq!(declared(&format!("{pad}</head><meta charset=big5>")), None);
    }
}
