//! What differs between two looks at one page although its content does not: named, counted, shown.
//!
//! Never decides that something is ignored; the content selectors do that.

use std::collections::BTreeMap;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Larger pages are not compared: the list is a service, and must not cost more than the page.
const LARGEST: usize = 2_000_000;
const MOST_TOKENS: usize = 60_000;

/// Kinds of difference with their counts, `visitor count: 1`, sorted.
pub fn differences(one: &[u8], other: &[u8]) -> Vec<String> {
    if one.len().max(other.len()) > LARGEST {
        return vec!["not compared, the page is too large: 1".to_owned()];
    }
    let (one, other) = (String::from_utf8_lossy(one), String::from_utf8_lossy(other));
    let (one, other) = (tokens(&one), tokens(&other));
    if one.len().max(other.len()) > MOST_TOKENS {
        return vec!["not compared, the page is too large: 1".to_owned()];
    }
    let words = |all: &[Token<'_>]| all.iter().map(|it| it.text.to_owned()).collect::<Vec<_>>();
    let (old, new) = (words(&one), words(&other));
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
        let (range, tokens) = match op {
            DiffOp::Equal { .. } => continue,
            DiffOp::Insert { new_index, new_len, .. } => (new_index..new_index + new_len, &other),
            DiffOp::Delete { old_index, old_len, .. }
            | DiffOp::Replace { old_index, old_len, .. } => (old_index..old_index + old_len, &one),
        };
        for kind in tokens[range].iter().filter_map(kind_of) {
            *counts.entry(kind).or_default() += 1;
        }
    }
    counts.into_iter().map(|(kind, n)| format!("{kind}: {n}")).collect()
}

/// A tag, or a sentence of text between tags.
struct Token<'a> {
    text: &'a str,
    /// Inside a script, a style or a comment: never shown.
    is_unseen: bool,
}

fn tokens(html: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = html;
    while !rest.is_empty() {
        if let Some(end) = rest.starts_with("<!--").then(|| after(rest, "-->")) {
            tokens.push(Token { text: &rest[..end], is_unseen: true });
            rest = &rest[end..];
        } else if rest.starts_with('<') {
            let end = after(rest, ">");
            let (tag, behind) = rest.split_at(end);
            tokens.push(Token { text: tag, is_unseen: false });
            rest = behind;
            for name in ["script", "style"] {
                if is_tag(tag, name) {
                    let len = find_close(rest, name);
                    tokens.push(Token { text: &rest[..len], is_unseen: true });
                    rest = &rest[len..];
                }
            }
        } else {
            let end = rest.find('<').unwrap_or(rest.len());
            for text in sentences(&rest[..end]) {
                tokens.push(Token { text, is_unseen: false });
            }
            rest = &rest[end..];
        }
    }
    tokens
}

/// One past the first `mark`, or the end.
fn after(text: &str, mark: &str) -> usize {
    text.find(mark).map_or(text.len(), |it| it + mark.len())
}

fn is_tag(tag: &str, name: &str) -> bool {
    tag.get(1..=name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name))
}

fn find_close(text: &str, name: &str) -> usize {
    let closes = text.match_indices("</").map(|(at, _)| at);
    let matching = |at: &usize| {
        text.get(at + 2..at + 2 + name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name))
    };
    closes.into_iter().find(matching).unwrap_or(text.len())
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let ends = |it: char| matches!(it, '。' | '\n' | '，' | '｜' | '|');
    text.split_inclusive(ends)
        .flat_map(|it| it.split_inclusive(". "))
        .filter(|it| !it.trim().is_empty())
}

/// The kind of a token that differs; `None` for what nobody sees.
fn kind_of(token: &Token<'_>) -> Option<&'static str> {
    if token.is_unseen {
        return None;
    }
    let lower = token.text.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|it| lower.contains(it));
    if token.text.starts_with('<') {
        return tag_kind(token.text, &lower);
    }
    if has(&["visitor", "visits", "views", "page hits", "瀏覽", "人次", "訪客", "點閱", "浏览"])
    {
        Some("visitor count")
    } else if has(&["generated in", "rendered in", " seconds", "執行時間", "耗時", "耗时"])
    {
        Some("generation time")
    } else if has(&["updated", "printed", "today", "更新", "列印", "現在時間", "今日"])
        || looks_like_clock(&lower)
    {
        Some("date or time")
    } else {
        Some("text outside the content")
    }
}

fn tag_kind(tag: &str, lower: &str) -> Option<&'static str> {
    let has = |words: &[&str]| words.iter().any(|it| lower.contains(it));
    if ["link", "script", "style", "noscript", "!"].iter().any(|it| is_tag(tag, it)) {
        None
    } else if is_tag(tag, "input") && has(&["hidden"]) {
        Some("hidden input")
    } else if is_tag(tag, "meta") {
        Some("value in the head")
    } else if has(&["jsessionid", "phpsessid", "sessionid", "aspsession", "sid="]) {
        Some("session id in link")
    } else if has(&["href=", "src=", "action="]) {
        Some("address of a link")
    } else {
        Some("attribute")
    }
}

/// `12:05`, somewhere.
fn looks_like_clock(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(4).any(|it| {
        it[0].is_ascii_digit() && it[1] == b':' && it[2].is_ascii_digit() && it[3].is_ascii_digit()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_from_moment_to_moment_is_named_and_counted() {
        let page = |n: u32| {
            format!(
                "<html><head><link href=/s.css?v={n}><meta name=csrf content=t{n}></head><body>\
                 <a href='/a;jsessionid=X{n}'>Apply</a><main><p>Rate: $5</p>\
                 <input type=hidden name=state value={n}></main>\
                 <footer>Visitor 10{n}. Page generated in 0.{n}s</footer><p>瀏覽人次：{n}</p>\
                 <script>var t={n}</script><!-- {n} --><aside>News {n}</aside></body></html>"
            )
        };
        assert_eq!(
            differences(page(12).as_bytes(), page(13).as_bytes()),
            [
                "generation time: 1",
                "hidden input: 1",
                "session id in link: 1",
                "text outside the content: 1",
                "value in the head: 1",
                "visitor count: 2",
            ]
        );
        assert!(differences(page(1).as_bytes(), page(1).as_bytes()).is_empty());
    }

    #[test]
    fn broken_markup_ends() {
        assert!(differences(b"<a <!-- x", b"<script>x</styl").len() <= 2);
        assert!(differences(b"<", b"").len() <= 1);
    }
}
