//! Finds a quote on the page and says how its looks differ from the page's own bytes.
//!
//! A place found is always a slice of the page. Words, digits and signs are never bridged.

use crate::gate::places::index::TokenIndex;
use crate::gate::places::stream::{forms_of, is_ideograph, narrow, tokens_of};
use crate::text::glyphs::letter::is_invisible;
use crate::text::span::Span;

/// How a quote and the page's own bytes agree. Ordered from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Match {
    /// Byte for byte.
    Exact,
    /// Equal but for white space, quote marks, width, case, light punctuation.
    Presentation,
    /// Equal but for traditional and simplified characters.
    Script,
    /// Both of these.
    ScriptAndPresentation,
}

/// A place of the quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub span: Span,
    pub how: Match,
}

/// Every place of `quote` in `text`, in reading order.
pub fn find_quote(text: &str, index: &TokenIndex, quote: &str) -> Vec<Place> {
    let found = find_as_written(text, index, quote);
    if !found.is_empty() {
        return found;
    }
    match without_markup(quote) {
        Some(plain) => {
            let mut found = find_as_written(text, index, &plain);
            for place in &mut found {
                place.how = place.how.max(Match::Presentation);
            }
            found
        }
        None => found,
    }
}

fn find_as_written(text: &str, index: &TokenIndex, quote: &str) -> Vec<Place> {
    let tokens = tokens_of(quote);
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return Vec::new() };
    let (lead, trail) = (&quote[..first.span.start], &quote[last.span.end..]);
    let whole: Vec<Place> = index
        .find(text, quote)
        .into_iter()
        .map(|it| {
            let core = index.span_of(it);
            place_around(text, quote, core, (lead, trail))
        })
        .collect();
    if !whole.is_empty() {
        return whole;
    }
    let cut = index.find_cut(text, quote);
    cut.into_iter().map(|span| Place { span, how: Match::Exact }).collect()
}

/// Widens the words found by the punctuation that the quote has around them.
fn place_around(text: &str, quote: &str, core: Span, (lead, trail): (&str, &str)) -> Place {
    let start = core.start.checked_sub(lead.len());
    let exact = start.map(|it| Span::new(it, core.end + trail.len()));
    if let Some(span) = exact
        && span.slice(text) == Some(quote)
    {
        return Place { span, how: Match::Exact };
    }
    let start = core.start - taken_back(&text[..core.start], lead);
    let end = core.end + taken_on(&text[core.end..], trail);
    let span = balanced(text, Span::new(start, end));
    let how = span.slice(text).map_or(Match::Presentation, |it| compare(it, quote));
    Place { span, how }
}

/// Bytes of punctuation at the start of `rest` that `trail` has as well.
fn taken_on(rest: &str, trail: &str) -> usize {
    let mut wanted: Vec<char> = trail.chars().map(plain_mark).filter(|it| is_mark(*it)).collect();
    let mut taken = 0;
    for (at, c) in rest.char_indices() {
        if c.is_whitespace() || is_invisible(c) {
            continue;
        }
        let Some(slot) = wanted.iter().position(|it| *it == plain_mark(c)) else { break };
        wanted.swap_remove(slot);
        taken = at + c.len_utf8();
    }
    taken
}

/// Bytes of punctuation at the end of `before` that `lead` has as well.
fn taken_back(before: &str, lead: &str) -> usize {
    let mut wanted: Vec<char> = lead.chars().map(plain_mark).filter(|it| is_mark(*it)).collect();
    let mut taken = 0;
    for (at, c) in before.char_indices().rev() {
        if c.is_whitespace() || is_invisible(c) {
            continue;
        }
        let Some(slot) = wanted.iter().position(|it| *it == plain_mark(c)) else { break };
        wanted.swap_remove(slot);
        taken = before.len() - at;
    }
    taken
}

fn is_mark(c: char) -> bool {
    !c.is_whitespace() && !is_invisible(c)
}

/// One form for the marks that differ only in looks.
fn plain_mark(c: char) -> char {
    match narrow(c) {
        '‘' | '’' | '‚' | '′' | '`' | '´' => '\'',
        '“' | '”' | '„' | '″' | '「' | '」' | '『' | '』' | '«' | '»' => '"',
        '。' | '｡' => '.',
        '、' | '，' => ',',
        '‐'..='―' | '−' => '-',
        '…' | '⋯' => '.',
        other => other,
    }
}

const PAIRS: &[(char, char)] =
    &[('(', ')'), ('（', '）'), ('「', '」'), ('『', '』'), ('“', '”'), ('‘', '’'), ('【', '】')];

/// Takes in the partner of a bracket or quote mark that stands directly outside.
fn balanced(text: &str, span: Span) -> Span {
    let Some(slice) = span.slice(text) else { return span };
    let before = text[..span.start].chars().next_back();
    let after = text[span.end..].chars().next();
    for &(open, close) in PAIRS {
        let count = |it: char| slice.chars().filter(|c| *c == it).count();
        let (opened, closed) = (count(open), count(close));
        if opened < closed && before == Some(open) {
            return Span::new(span.start - open.len_utf8(), span.end);
        }
        if closed < opened && after == Some(close) {
            return Span::new(span.start, span.end + close.len_utf8());
        }
    }
    span
}

/// How two passages of equal tokens differ.
fn compare(page: &str, quote: &str) -> Match {
    let is_han = |it: &char| is_ideograph(*it);
    let (ours, theirs) = (page.chars().filter(is_han), quote.chars().filter(is_han));
    let script_differs = ours.map(narrow).ne(theirs.map(narrow));
    let bare = |it: &str| -> String { it.chars().filter(|c| !is_han(c)).collect() };
    match (script_differs, bare(page) == bare(quote)) {
        // Marks may stand elsewhere between the same characters.
        (false, true) if page == quote => Match::Exact,
        (false, _) => Match::Presentation,
        (true, true) => Match::Script,
        (true, false) => Match::ScriptAndPresentation,
    }
}

/// The quote without tags and with its entities read, where it has any of either.
fn without_markup(quote: &str) -> Option<String> {
    let bare = without_tags(quote);
    let read = with_entities(bare.as_deref().unwrap_or(quote));
    read.or(bare)
}

/// `Food &amp; rent` -> `Food & rent`.
fn with_entities(quote: &str) -> Option<String> {
    const NAMED: &[(&str, &str)] = &[
        ("&nbsp;", " "),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&#39;", "'"),
        ("&rsquo;", "’"),
        ("&lsquo;", "‘"),
        ("&ldquo;", "“"),
        ("&rdquo;", "”"),
        ("&ndash;", "–"),
        ("&mdash;", "—"),
        ("&pound;", "£"),
        ("&euro;", "€"),
        ("&hellip;", "…"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&amp;", "&"),
    ];
    let is_escaped = quote.contains('&') && NAMED.iter().any(|it| quote.contains(it.0));
    let read = |text: String, it: &(&str, &str)| text.replace(it.0, it.1);
    is_escaped.then(|| NAMED.iter().fold(quote.to_owned(), read))
}

/// The quote without HTML tags, where it has any: `<li>aged 65</li>` -> `aged 65`.
fn without_tags(quote: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = quote;
    let mut had_tag = false;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        let tail = &rest[at + 1..];
        match tag_len(tail) {
            Some(len) => {
                had_tag = true;
                out.push(' ');
                rest = &tail[len..];
            }
            None => {
                out.push('<');
                rest = tail;
            }
        }
    }
    out.push_str(rest);
    had_tag.then(|| out.trim().to_owned())
}

const TAGS: &[&str] = &[
    "a", "b", "br", "dd", "div", "dl", "dt", "em", "h1", "h2", "h3", "h4", "h5", "h6", "i", "li",
    "ol", "p", "span", "strong", "sub", "sup", "table", "tbody", "td", "th", "thead", "tr", "u",
    "ul",
];

/// Bytes of the tag behind its `<`, closing mark included; a tag cut by the end counts whole.
fn tag_len(tail: &str) -> Option<usize> {
    let (len, is_closed) = match tail.find('>') {
        Some(it) if it < 200 => (it, true),
        _ => (tail.len(), false),
    };
    let body = tail[..len].trim_start_matches('/').trim_end_matches('/');
    let name = body.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    let is_tag = TAGS.contains(&name.to_ascii_lowercase().as_str());
    let is_rest = !is_closed && tail.starts_with('/') && tail.len() < 12;
    let is_bare = is_closed && body.is_empty() && tail.starts_with('/');
    match (is_tag && is_closed, is_rest || is_bare) {
        (true, _) => Some(len + 1),
        (_, true) => Some(len + usize::from(is_closed)),
        _ => None,
    }
}

/// True where both texts have the same words, numbers and signs in the same order.
pub fn same_words(left: &str, right: &str) -> bool {
    forms_of(left) == forms_of(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(text: &str, quote: &str) -> Vec<(String, Match)> {
        let index = TokenIndex::new(text);
        find_quote(text, &index, quote)
            .into_iter()
            .map(|it| (it.span.slice(text).unwrap().to_owned(), it.how))
            .collect()
    }

    #[test]
    fn an_exact_quote_keeps_its_own_punctuation() {
        let text = "| Couple | HK$7,300 |\nIncome [see Note 2] must not exceed HK$9,980 a month.";
        for quote in ["| Couple | HK$7,300 |", "Income [see Note 2] must", "HK$9,980 a month."] {
            assert_eq!(find(text, quote), [(quote.to_owned(), Match::Exact)]);
        }
    }

    #[test]
    fn a_mark_in_another_place_is_no_exact_quote() {
        let found = find("元.一", ".元一");
        assert!(found.iter().all(|it| it.1 == Match::Presentation && it.0 == "元.一"), "{found:?}");
    }

    #[test]
    fn looks_are_repaired_to_the_bytes_of_the_page() {
        for (text, quote, stored) in [
            (
                "known as ‘equal treatment’. It",
                "known as ‘equal treatment.’",
                "known as ‘equal treatment’.",
            ),
            (
                "14% of the ‘eligible rent’ for 1 room",
                "14% of the eligible rent for 1 room",
                "14% of the ‘eligible rent’ for 1 room",
            ),
            ("the (‘gross’ wages) paid", "gross wages", "‘gross’ wages"),
            (
                "on donations:\nfrom limited companies",
                "on donations from limited companies.",
                "on donations:\nfrom limited companies",
            ),
            ("一、　年滿６５歲者。", "年滿65歲者", "年滿６５歲者"),
            ("a spare  bedroom. The", "\"a spare bedroom\"", "a spare  bedroom"),
            ("every year\n", "<li>every year</li>", "every year"),
        ] {
            assert_eq!(find(text, quote), [(stored.to_owned(), Match::Presentation)], "{quote}");
        }
    }

    #[test]
    fn a_comparison_sign_is_no_tag() {
        assert!(find("income must be a < b or c > d", "income must be a  b or c > d").is_empty());
        assert!(find("below £85,000", "<p>below £85,000</").len() == 1);
    }
}
