//! Links that open a page at a quoted text (URL text fragments); never a link to anything but http
//! and https.

use url::Url;

/// Longest text written into one directive; longer quotes are given by their two ends.
const WHOLE_CHARS: usize = 120;
/// Characters of each end of a long quote, and of the context of a short one.
const END_CHARS: usize = 32;
/// A quote shorter than this is told apart by the words around it.
const SHORT_CHARS: usize = 12;

/// The address of `page` with a text fragment for `quote`, a slice of canonical text.
///
/// `sentence` gives the words around a short quote. `None` where `page` is not an absolute http(s)
/// address without user name and password: such an address is shown, never linked.
pub fn link_to_quote(page: &str, quote: &str, sentence: &str) -> Option<String> {
    let address = plain_address(page)?;
    let Some(directive) = directive(quote, sentence) else { return Some(address.into()) };
    let mark = if address.fragment().is_some() { "" } else { "#" };
    Some(format!("{address}{mark}:~:text={directive}"))
}

/// The address, when it is one that may be linked.
pub fn plain_address(page: &str) -> Option<Url> {
    let address = Url::parse(page).ok()?;
    let is_web = matches!(address.scheme(), "http" | "https");
    let is_plain = address.username().is_empty() && address.password().is_none();
    (is_web && is_plain && address.has_host()).then_some(address)
}

fn directive(quote: &str, sentence: &str) -> Option<String> {
    let pieces: Vec<&str> = pieces_of(quote).collect();
    let (&first, &last) = (pieces.first()?, pieces.last()?);
    if pieces.len() > 1 || first.chars().count() > WHOLE_CHARS {
        let (start, end) = (head(first, END_CHARS), tail(last, END_CHARS));
        return Some(format!("{},{}", encode(start), encode(end)));
    }
    let (before, after) = match sentence.split_once(first) {
        Some(around) if first.chars().count() < SHORT_CHARS => around,
        _ => return Some(encode(first)),
    };
    let mut directive = String::new();
    if let Some(prefix) = pieces_of(before).last().filter(|_| !ends_a_piece(before)) {
        directive.push_str(&encode(tail(prefix, END_CHARS)));
        directive.push_str("-,");
    }
    directive.push_str(&encode(first));
    if let Some(suffix) = pieces_of(after).next().filter(|_| !starts_a_piece(after)) {
        directive.push_str(",-");
        directive.push_str(&encode(head(suffix, END_CHARS)));
    }
    Some(directive)
}

/// What a browser shows of canonical text: lines and cells apart, markers left out.
fn pieces_of(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').flat_map(|line| line.split(" | ")).map(bare).filter(|it| !it.is_empty())
}

fn ends_a_piece(text: &str) -> bool {
    text.ends_with('\n') || text.ends_with("| ")
}

fn starts_a_piece(text: &str) -> bool {
    text.starts_with('\n') || text.starts_with(" |")
}

/// A line without its list, heading or table marker.
fn bare(line: &str) -> &str {
    let line = line.trim().trim_matches('|').trim();
    let line = line.strip_prefix("- ").unwrap_or(line);
    let after_marks = line.trim_start_matches('#');
    if after_marks.len() < line.len() && after_marks.starts_with(' ') {
        return after_marks.trim();
    }
    let after_digits = line.trim_start_matches(|it: char| it.is_ascii_digit());
    match after_digits.strip_prefix(". ") {
        Some(rest) if after_digits.len() < line.len() => rest.trim(),
        _ => line,
    }
}

/// At most `count` characters from the start, ending at a space where there is one.
fn head(text: &str, count: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(count) else { return text };
    let cut = &text[..end];
    cut.rfind(' ').map_or(cut, |space| &cut[..space])
}

/// At most `count` characters from the end, starting after a space where there is one.
fn tail(text: &str, count: usize) -> &str {
    let Some((start, _)) = text.char_indices().rev().nth(count.saturating_sub(1)) else {
        return text;
    };
    let cut = &text[start..];
    if start == 0 {
        return cut;
    }
    cut.find(' ').map_or(cut, |space| &cut[space + 1..])
}

/// Percent-encoding that leaves only letters, digits and `_ . ~`: `-`, `,` and `&` have a meaning
/// inside a text directive.
fn encode(text: &str) -> String {
    use std::fmt::Write;
    let mut encoded = String::with_capacity(text.len() * 3);
    for &byte in text.as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'.' | b'~' => {
                encoded.push(char::from(byte));
            }
            _ => {
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_opens_the_page_at_the_quote_in_both_languages() {
        assert_eq!(
            link_to_quote("https://a.example/x", "aged 65 or over", "").as_deref(),
            Some("https://a.example/x#:~:text=aged%2065%20or%20over")
        );
        let link = link_to_quote("https://a.example/x#top", "年滿六十五歲者，得申請本項津貼", "");
        assert!(link.unwrap().starts_with("https://a.example/x#top:~:text=%E5%B9%B4"));
    }

    #[test]
    fn marks_of_canonical_text_are_not_searched_for() {
        let link = link_to_quote("https://a.example/", "- over 65, and\n  - single-person", "");
        assert_eq!(
            link.as_deref(),
            Some("https://a.example/#:~:text=over%2065%2C%20and,single%2Dperson")
        );
        let row = link_to_quote("https://a.example/", "| Couple | 15,710 |", "").unwrap();
        assert!(row.ends_with("#:~:text=Couple,15%2C710"), "{row}");
    }

    #[test]
    fn a_short_quote_is_told_apart_by_the_words_around_it() {
        let link = link_to_quote("https://a.example/", "65", "You must be 65 or over.").unwrap();
        assert!(link.ends_with("#:~:text=You%20must%20be-,65,-or%20over."), "{link}");
    }

    #[test]
    fn only_plain_web_addresses_become_links() {
        for page in [
            "javascript:alert(1)",
            "file:///etc/passwd",
            "https://me:pw@a.example/",
            "a.example",
            "",
        ] {
            assert_eq!(link_to_quote(page, "x", "x"), None, "{page}");
        }
    }

    #[test]
    fn a_long_quote_is_given_by_its_two_ends_and_stays_short() {
        let quote = "申請人須為中華民國國民且設有戶籍".repeat(2000);
        let link = link_to_quote("https://a.example/", &quote, &quote).unwrap();
        assert!(link.len() < 900, "{}", link.len());
    }
}
