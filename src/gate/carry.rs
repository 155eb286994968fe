//! Rows of an earlier snapshot on the page of today: carried, read again, or up for removal.
//!
//! Decided by code alone, without a reply. A removal is only ever proposed.

use crate::gate::page::PageText;
use crate::gate::row::{Carried, CarriedRow};
use crate::gate::scope::Earlier;
use crate::text::blocks::outline::Outline;
use crate::text::span::Span;

/// Looks every earlier row's clause up on the page.
pub fn carry_rows(page: &PageText, earlier: Earlier) -> Vec<CarriedRow> {
    let before = PageText::index(earlier.text);
    earlier
        .rows
        .iter()
        .map(|row| {
            let was = before.find(&row.snippet).first().map(|it| it.span);
            let (verdict, span) = match was {
                Some(was) => look_up(&before, page, was),
                None => (Carried::ReExtract, None),
            };
            CarriedRow {
                id: row.id.clone(),
                verdict,
                place: span.map(|it| page.place(it)),
                snippet: span.map(|it| page.slice(it).to_owned()).unwrap_or_default(),
                detail: detail(page, verdict),
            }
        })
        .collect()
}

fn detail(page: &PageText, verdict: Carried) -> String {
    let (english, chinese) = match verdict {
        Carried::CarryForward => {
            ("the clause stands unchanged; the row is carried", "條款未變，資料列沿用")
        }
        Carried::ReExtract => (
            "the clause or its surroundings changed; read it again",
            "條款或其上下文已變，須重新擷取",
        ),
        Carried::CandidateRemoved => (
            "the clause is gone; a person must confirm the removal",
            "條款已不存在，須由人工確認移除",
        ),
    };
    page.pick(|| english.to_owned(), || chinese.to_owned())
}

/// Unchanged where the whole block around the quote stands on the page under equal headings.
fn look_up(before: &PageText, page: &PageText, was: Span) -> (Carried, Option<Span>) {
    let quote = before.slice(was);
    let block_was = block_around(before, was);
    let context = |it: &PageText, span: Span| -> (Vec<String>, Vec<String>) {
        (heading_words(it, span), lead_in_words(it, span))
    };
    let wanted = context(before, was);
    let found = page.find(quote);
    let same_words = |span: Span| page.slice(block_around(page, span)) == before.slice(block_was);
    if let Some(it) =
        found.iter().find(|it| same_words(it.span) && context(page, it.span) == wanted)
    {
        return (Carried::CarryForward, Some(it.span));
    }
    if !found.is_empty() {
        return (Carried::ReExtract, None);
    }
    // The clause may have been reworded: something near it on the page asks for a new reading.
    match crate::gate::places::nearest::nearest_passage(page.tokens(), quote) {
        Some(_) => (Carried::ReExtract, None),
        None => (Carried::CandidateRemoved, None),
    }
}

fn block_around(page: &PageText, span: Span) -> Span {
    let outline = page.outline();
    outline.block_at(span.start).map_or(span, |it| outline.blocks[it].content)
}

fn heading_words(page: &PageText, span: Span) -> Vec<String> {
    words_of(page, span, Outline::heading_path)
}

fn lead_in_words(page: &PageText, span: Span) -> Vec<String> {
    words_of(page, span, Outline::lead_ins)
}

fn words_of(
    page: &PageText,
    span: Span,
    path: impl Fn(&Outline, usize) -> Vec<usize>,
) -> Vec<String> {
    let outline = page.outline();
    let Some(block) = outline.block_at(span.start) else { return Vec::new() };
    let content = |it: &usize| page.slice(outline.blocks[*it].content).to_owned();
    path(outline, block).iter().map(content).collect()
}
