//! Why a quote is not on the page: invented, translated, stitched, or taken from elsewhere.
//!
//! The reason decides what a retry asks for; none of them lets the row pass.

use crate::gate::page::PageText;
use crate::gate::places::index::TokenIndex;
use crate::gate::places::nearest::nearest_passage;
use crate::gate::places::stream::tokens_of;
use crate::gate::scope::Scope;
use crate::gate::state::is_in_other_script;
use crate::model::finding::{Code, Finding};
use crate::text::span::Span;

/// The reason why `quote` is not on the page, or not in the part that was asked about.
pub fn explain_absence(page: &PageText, scope: &Scope, quote: &str) -> Finding {
    let (code, evidence, place) = diagnose(page, scope, quote);
    let near = evidence.as_deref().unwrap_or_default();
    let detail = match code {
        Code::SnippetTranslated => page.pick(
            || "the quote is a translation; quote the page's own words".to_owned(),
            || "引文是譯文；請引用頁面原文".to_owned(),
        ),
        Code::SnippetFromExample => page.pick(
            || "the quote stands in an example of the prompt, not on the page".to_owned(),
            || "引文出自提示中的範例，頁面上沒有".to_owned(),
        ),
        Code::OutsideContent => page.pick(
            || "the quote stands outside the content that was asked about".to_owned(),
            || "引文在所問內容之外".to_owned(),
        ),
        Code::SnippetStitched => page.pick(
            || "the quote is put together from separate passages; quote one".to_owned(),
            || "引文由不相連的文字拼成；請只引一段連續原文".to_owned(),
        ),
        _ if near.is_empty() => page.pick(
            || "the page does not hold these words".to_owned(),
            || "頁面上沒有這段文字".to_owned(),
        ),
        _ => page.pick(
            || format!("the page does not hold these words; the nearest are: {near}"),
            || format!("頁面上沒有這段文字；最接近的是：{near}"),
        ),
    };
    Finding { code, detail, place, evidence }
}

fn diagnose(page: &PageText, scope: &Scope, quote: &str) -> (Code, Option<String>, Option<Span>) {
    if scope.span.is_some()
        && let Some(found) = page.find(quote).first()
    {
        let words = page.slice(found.span).to_owned();
        return (Code::OutsideContent, Some(words), Some(found.span));
    }
    if holds(scope.hidden, quote) {
        return (Code::OutsideContent, None, None);
    }
    let fields = scope.fields.iter().flat_map(|it| it.examples.iter().chain([&it.description]));
    if scope.examples.iter().chain(fields).any(|it| holds(it, quote)) {
        return (Code::SnippetFromExample, None, None);
    }
    if is_in_other_script(page, quote) {
        return (Code::SnippetTranslated, None, None);
    }
    let near = nearest_passage(page.tokens(), quote);
    let words = near.map(|it| page.slice(it).to_owned());
    if is_stitched(page.tokens(), quote) {
        return (Code::SnippetStitched, words, near);
    }
    (Code::SnippetAbsent, words, near)
}

/// True where `text` holds the quote, and enough of it to tell.
fn holds(text: &str, quote: &str) -> bool {
    let len = tokens_of(quote).len();
    if text.is_empty() || len < 3 {
        return false;
    }
    !TokenIndex::new(text).find(text, quote).is_empty()
}

/// A piece must have this many tokens to be known again.
const LEAST_PIECE: usize = 3;
/// More pieces than this are a coincidence of words.
const MOST_PIECES: usize = 6;

/// True where the quote is made of passages of the page with something left out between them.
fn is_stitched(index: &TokenIndex, quote: &str) -> bool {
    let pieces: Vec<&str> = split_at_dots(quote);
    if 1 < pieces.len() {
        let is_on_page = |it: &&str| !is_long_enough(it) || longest_run(index, it).1;
        let long = pieces.iter().filter(|it| is_long_enough(it)).count();
        return 1 <= long && pieces.iter().all(is_on_page);
    }
    // Without dots: the fewest passages that make up all of it, each of some length.
    let tokens: Vec<u32> = tokens_of(quote).iter().map(|it| it.hash).collect();
    let mut at = 0;
    let mut pieces: Vec<&[u32]> = Vec::new();
    while at < tokens.len() {
        let len = run_from(index, &tokens[at..]);
        if len < LEAST_PIECE || MOST_PIECES == pieces.len() {
            return false;
        }
        pieces.push(&tokens[at..at + len]);
        at += len;
    }
    1 < pieces.len() && !pieces.windows(2).all(|it| are_near(index, it[0], it[1]))
}

/// True where the second piece follows the first over a few words: those were dropped, and the
/// quote is no patchwork but an altered one.
fn are_near(index: &TokenIndex, first: &[u32], second: &[u32]) -> bool {
    const MOST_DROPPED: usize = 3;
    let begins = |piece: &[u32]| -> Vec<usize> {
        let starts = index.starts(&piece[..piece.len().min(3)]).into_iter().take(64);
        let page = index.tokens();
        let is_there = |at: &usize| {
            page.get(*at..at + piece.len())
                .is_some_and(|it| it.iter().zip(piece).all(|(it, hash)| it.hash == *hash))
        };
        starts.filter(is_there).collect()
    };
    let seconds = begins(second);
    begins(first).into_iter().any(|at| {
        let end = at + first.len();
        seconds.iter().any(|it| end <= *it && *it <= end + MOST_DROPPED)
    })
}

fn is_long_enough(piece: &str) -> bool {
    2 <= tokens_of(piece).len()
}

/// The quote between its dots: `…`, `...`, `[…]`, `⋯`.
fn split_at_dots(quote: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = quote;
    loop {
        let dots = ["...", "…", "⋯", "‥", "。。。", "---", " — — "]
            .iter()
            .filter_map(|it| rest.find(it).map(|at| (at, it.len())))
            .min();
        let Some((at, len)) = dots else { break };
        pieces.push(&rest[..at]);
        rest = &rest[at + len..];
    }
    pieces.push(rest);
    let is_empty = |it: &&str| tokens_of(it).is_empty();
    pieces.into_iter().filter(|it| !is_empty(it)).collect()
}

/// Tokens of the longest run at the start of `piece`, and whether that is all of it.
fn longest_run(index: &TokenIndex, piece: &str) -> (usize, bool) {
    let tokens: Vec<u32> = tokens_of(piece).iter().map(|it| it.hash).collect();
    let len = run_from(index, &tokens);
    (len, len == tokens.len())
}

/// How many tokens from the start of `tokens` stand on the page in one piece.
fn run_from(index: &TokenIndex, tokens: &[u32]) -> usize {
    const MOST_STARTS: usize = 256;
    let page = index.tokens();
    let run = |at: usize| {
        page[at..].iter().zip(tokens).take_while(|(it, hash)| it.hash == **hash).count()
    };
    index
        .starts(&tokens[..tokens.len().min(3)])
        .into_iter()
        .take(MOST_STARTS)
        .filter(|at| *at < page.len())
        .map(run)
        .max()
        .unwrap_or(0)
}
