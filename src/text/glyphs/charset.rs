//! Bytes to text by the rules of the web, with a record of who decided and what it cost.
//!
//! Order: byte order mark, HTTP header, the page's own declaration, detection. Labels follow the
//! WHATWG Encoding Standard (big5 has the Hong Kong characters, gb2312 is GBK, latin1 is
//! windows-1252). A declaration that the bytes contradict loses against a better detection, and the
//! conflict is reported; text is never repaired.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use serde::{Deserialize, Serialize};

use crate::text::glyphs::prescan::{declared_in_page, label_in_content};

/// Text with the way it was won from bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The text, without a byte order mark.
    pub text: String,
    /// Name of the encoding in the WHATWG standard: `UTF-8`, `Big5`, `GBK`, `windows-1252`.
    pub encoding: &'static str,
    /// Who decided.
    pub source: EncodingSource,
    /// Characters U+FFFD in the text: places at which bytes could not be read.
    pub replaced: usize,
    /// A declaration that was not followed.
    pub conflict: Option<CharsetConflict>,
}

/// Who decided on an encoding. The words are those of users' scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EncodingSource {
    Bom,
    Header,
    Meta,
    Detected,
}

impl EncodingSource {
    /// The form used in files and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            EncodingSource::Bom => "bom",
            EncodingSource::Header => "header",
            EncodingSource::Meta => "meta",
            EncodingSource::Detected => "detected",
        }
    }
}

/// A declaration that the bytes contradict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CharsetConflict {
    /// Who declared it.
    pub source: EncodingSource,
    /// The label as declared, in lower case.
    pub label: String,
    /// Places at which the bytes cannot be read that way; 0 where they can, but say something else.
    pub errors: usize,
}

impl std::fmt::Display for CharsetConflict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { source, label, errors } = self;
        let source = source.as_str();
        match errors {
            0 => write!(f, "charset_conflict: {source} says {label}, the bytes are something else"),
            1 => write!(f, "charset_conflict: {source} says {label}, 1 decode error"),
            _ => write!(f, "charset_conflict: {source} says {label}, {errors} decode errors"),
        }
    }
}

/// Decodes a page. `content_type` is the value of the HTTP header of that name.
pub fn decode_page(bytes: &[u8], content_type: Option<&str>) -> Decoded {
    if let Some((encoding, len)) = Encoding::for_bom(bytes) {
        return Trial::of(encoding, &bytes[len..]).decided_by(EncodingSource::Bom, None);
    }
    let declared = declaration(bytes, content_type);
    let better = match &declared {
        None => Some(detect(bytes)),
        Some(it) => it.contradiction(bytes),
    };
    match (declared, better) {
        (Some(declared), Some(better)) => {
            let conflict = CharsetConflict {
                source: declared.source,
                label: declared.label,
                errors: declared.trial.replaced,
            };
            better.decided_by(EncodingSource::Detected, Some(conflict))
        }
        (Some(declared), None) => declared.trial.decided_by(declared.source, None),
        (None, better) => better
            .unwrap_or_else(|| Trial::of(UTF_8, bytes))
            .decided_by(EncodingSource::Detected, None),
    }
}

/// The text under one encoding.
struct Trial {
    encoding: &'static Encoding,
    text: String,
    replaced: usize,
}

impl Trial {
    fn of(encoding: &'static Encoding, bytes: &[u8]) -> Self {
        let (text, _) = encoding.decode_without_bom_handling(bytes);
        let text = text.into_owned();
        let replaced = text.matches('\u{fffd}').count();
        Self { encoding, text, replaced }
    }

    /// Characters beyond ASCII that were read.
    fn read(&self) -> usize {
        self.text.chars().filter(|it| !it.is_ascii() && *it != '\u{fffd}').count()
    }

    fn decided_by(self, source: EncodingSource, conflict: Option<CharsetConflict>) -> Decoded {
        Decoded {
            text: self.text,
            encoding: self.encoding.name(),
            source,
            replaced: self.replaced,
            conflict,
        }
    }
}

struct Declared {
    trial: Trial,
    label: String,
    source: EncodingSource,
}

impl Declared {
    /// A better reading, where the bytes contradict the declaration.
    fn contradiction(&self, bytes: &[u8]) -> Option<Trial> {
        if !matches!(self.trial.encoding, it if it == UTF_16BE || it == UTF_16LE)
            && let Some(encoding) = unmarked_utf16(bytes)
        {
            return Some(Trial::of(encoding, bytes));
        }
        // A page that is UTF-8 in every byte, with letters beyond ASCII, is nothing else by chance.
        if self.trial.encoding != UTF_8 && is_unmistakable_utf8(bytes) {
            return Some(Trial::of(UTF_8, bytes));
        }
        if self.trial.replaced == 0 {
            return None;
        }
        // Single damaged characters do not make a declaration wrong; more damage than text does.
        let other = detect(bytes);
        let is_better = other.encoding != self.trial.encoding
            && other.replaced * 10 < self.trial.replaced
            && self.trial.read() < self.trial.replaced * 2;
        is_better.then_some(other)
    }
}

fn declaration(bytes: &[u8], content_type: Option<&str>) -> Option<Declared> {
    let in_header = content_type.and_then(label_in_content).and_then(|label| {
        let encoding = Encoding::for_label(label.as_bytes())?;
        Some((encoding, label, EncodingSource::Header))
    });
    let (encoding, label, source) = in_header.or_else(|| {
        declared_in_page(bytes).map(|(encoding, label)| (encoding, label, EncodingSource::Meta))
    })?;
    Some(Declared { trial: Trial::of(encoding, bytes), label, source })
}

fn detect(bytes: &[u8]) -> Trial {
    if let Some(encoding) = unmarked_utf16(bytes) {
        return Trial::of(encoding, bytes);
    }
    let as_utf8 = Trial::of(UTF_8, bytes);
    // The detector gives UTF-8 up at the first damaged byte; a page of it stays one.
    if as_utf8.replaced * 20 <= as_utf8.read() {
        return as_utf8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    let guess = Trial::of(detector.guess(None, Utf8Detection::Allow), bytes);
    if !guess.encoding.is_single_byte() || guess.encoding == WINDOWS_1252 {
        return guess;
    }
    // Signs alone (quotes, dashes, £) do not tell one Latin alphabet from another, and the
    // detector may read £5 as Ł5; without letters beyond ASCII the web's default stands.
    let western = Trial::of(WINDOWS_1252, bytes);
    let letters = western.text.chars().filter(|it| !it.is_ascii() && it.is_alphabetic());
    if letters.take(3).count() < 3 { western } else { guess }
}

/// UTF-16 without a mark: markup is ASCII, so every other byte of it is zero.
fn unmarked_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(2048) & !1];
    let pairs = head.len() / 2;
    let zeros = |from: usize| head.iter().skip(from).step_by(2).filter(|it| **it == 0).count();
    let (high, low) = (zeros(0), zeros(1));
    match pairs >= 4 {
        true if high * 4 > pairs && low * 20 < pairs => Some(UTF_16BE),
        true if low * 4 > pairs && high * 20 < pairs => Some(UTF_16LE),
        _ => None,
    }
}

fn is_unmistakable_utf8(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes)
        .is_ok_and(|it| it.chars().filter(|it| !it.is_ascii()).nth(2).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{BIG5, GBK, SHIFT_JIS};

    const HAN: &str = "<p>申請人的資產不可以超過限額，每月收入不得多於一萬元。</p>";

    fn bytes(encoding: &'static Encoding, text: &str) -> Vec<u8> {
        encoding.encode(text).0.into_owned()
    }

    #[test]
    fn the_mark_then_the_header_then_the_page_decide() {
        let page = format!("<meta charset=big5>{HAN}");
        let in_big5 = bytes(BIG5, &page);
        let decoded = decode_page(&in_big5, Some("text/html; Charset=\"BIG5\""));
        assert_eq!((decoded.encoding, decoded.source), ("Big5", EncodingSource::Header));
        assert_eq!(decoded.text, page);
        let decoded = decode_page(&in_big5, Some("text/html"));
        assert_eq!((decoded.encoding, decoded.source), ("Big5", EncodingSource::Meta));
        assert_eq!((decoded.replaced, decoded.conflict), (0, None));

        let marked = [b"\xef\xbb\xbf", HAN.as_bytes()].concat();
        let decoded = decode_page(&marked, Some("text/html; charset=big5"));
        assert_eq!((decoded.encoding, decoded.source), ("UTF-8", EncodingSource::Bom));
        assert_eq!(decoded.text, HAN);
    }

    #[test]
    fn undeclared_pages_are_detected() {
        for encoding in [BIG5, GBK, UTF_8] {
            let text = if encoding == GBK {
                "<p>申请人的资产不得超过限额，每月收入不得多于一万元。</p>"
            } else {
                HAN
            };
            let decoded = decode_page(&bytes(encoding, text), None);
            assert_eq!((decoded.encoding, decoded.text.as_str()), (encoding.name(), text));
            assert_eq!(decoded.source, EncodingSource::Detected);
        }
        let curly = "<p>You’ll get “more” — £5.</p>";
        let decoded = decode_page(&bytes(WINDOWS_1252, curly), Some("text/html"));
        assert_eq!((decoded.encoding, decoded.text.as_str()), ("windows-1252", curly));
        assert_eq!(decode_page(b"plain", None).encoding, "UTF-8");
        assert_eq!(decode_page(b"", None).text, "");
    }

    #[test]
    fn utf_16_without_a_mark_is_caught() {
        let wide = |order: fn(u16) -> [u8; 2]| {
            HAN.repeat(3).encode_utf16().flat_map(order).collect::<Vec<_>>()
        };
        let text = format!("<!doctype html><title>x</title><div class=content>{HAN}</div>");
        let wide_page: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for content_type in [None, Some("text/html; charset=utf-8")] {
            let decoded = decode_page(&wide_page, content_type);
            assert_eq!((decoded.encoding, decoded.text.as_str()), ("UTF-16LE", text.as_str()));
            assert_eq!(decoded.conflict.is_some(), content_type.is_some());
        }
        let decoded = decode_page(&wide(u16::to_be_bytes), Some("text/html; charset=utf-16be"));
        assert_eq!((decoded.replaced, decoded.source), (0, EncodingSource::Header));
    }

    #[test]
    fn a_declaration_that_the_bytes_contradict_loses_and_is_reported() {
        let decoded = decode_page(&bytes(BIG5, HAN), Some("text/html; charset=UTF-8"));
        assert_eq!((decoded.encoding, decoded.source), ("Big5", EncodingSource::Detected));
        assert_eq!((decoded.text.as_str(), decoded.replaced), (HAN, 0));
        let said = decoded.conflict.unwrap().to_string();
        assert!(said.starts_with("charset_conflict: header says utf-8, "), "{said}");
        assert!(said.ends_with(" decode errors"), "{said}");

        let decoded = decode_page(HAN.as_bytes(), Some("text/html; charset=iso-8859-1"));
        assert_eq!((decoded.encoding, decoded.text.as_str()), ("UTF-8", HAN));
        assert!(decoded.conflict.is_some());
    }

    #[test]
    fn a_little_damage_does_not_change_the_encoding() {
        let mut page = HAN.as_bytes().to_vec();
        page.push(0xff);
        for content_type in [None, Some("text/html; charset=utf-8")] {
            let decoded = decode_page(&page, content_type);
            assert_eq!((decoded.encoding, decoded.replaced), ("UTF-8", 1));
            assert_eq!(decoded.conflict, None);
        }
    }

    #[test]
    fn a_declaration_wins_over_detection() {
        let page = "<meta charset=shift_jis><p>満65歳以上の方は①申請書</p>";
        let decoded = decode_page(&bytes(SHIFT_JIS, page), None);
        assert_eq!((decoded.encoding, decoded.text.as_str()), ("Shift_JIS", page));
        assert_eq!(decoded.source, EncodingSource::Meta);
    }
}
