//! Whether the quote speaks of the row's subject: the section it stands in, the scheme it names.
//!
//! Silent unless the page itself gives the subject another place and the quote another owner.

use crate::gate::checks::name::{is_name_of_scheme, is_scheme_name, scheme_names};
use crate::gate::places::stand::Stand;
use crate::gate::places::words::stems_of;
use crate::model::finding::{Code, Finding};
use crate::text::blocks::outline::BlockKind;
use crate::text::span::Span;

/// WRONG_SUBJECT, where the subject is another section's or another scheme's.
pub fn check_subject(stand: &Stand) -> Option<Finding> {
    let subject = stems_of(&stand.claim.subject);
    if subject.is_empty() {
        return None;
    }
    let owner = other_scheme(stand).or_else(|| {
        let around = surroundings(stand);
        if subject.is_subset(&stems_of(&around)) { None } else { other_section(stand) }
    })?;
    let named = &stand.claim.subject;
    let detail = stand.page.pick(
        || format!("the quote is about “{owner}”, the row about “{named}”"),
        || format!("引文說的是「{owner}」，資料列說的是「{named}」"),
    );
    let place = Some(stand.span);
    Some(Finding { code: Code::WrongSubject, detail, place, evidence: Some(owner) })
}

/// Everything that may name the owner of the quote: its sentence and those before it in the block,
/// lead-ins, headings, the row's label, the page's title where the page has no sections.
fn surroundings(stand: &Stand) -> String {
    let page = stand.page;
    let mut text = String::new();
    if let Some(block) = stand.own_block() {
        let from = block.content.start.max(stand.context.start.saturating_sub(1_500));
        let mut from = from.min(stand.context.start);
        while !page.text().is_char_boundary(from) {
            from += 1;
        }
        text.push_str(page.slice(Span::new(from, stand.context.start)));
    }
    text.push_str(stand.context_text());
    for span in stand.headings().into_iter().chain(stand.lead_ins()) {
        text.push('\n');
        text.push_str(page.slice(span));
    }
    text
}

/// The heading above the quote, where another heading of the page is what the subject names.
fn other_section(stand: &Stand) -> Option<String> {
    let block = stand.block?;
    let outline = stand.page.outline();
    let subject = stems_of(&stand.claim.subject);
    let path = outline.heading_path(block);
    let own = *path.last()?;
    if path.iter().any(|it| {
        let words = stems_of(stand.page.slice(outline.blocks[*it].content));
        !words.is_empty() && words.is_subset(&subject)
    }) {
        return None;
    }
    let mut headings = stand.page.headings_within(&subject);
    let is_name = |at: usize| is_name_of_scheme(stand.page.slice(outline.blocks[at].content));
    let names_subject = headings.any(|(words, at)| {
        !path.contains(at) && (*words == subject || is_name(*at)) && is_beside(stand, *at, &path)
    });
    names_subject.then(|| stand.page.slice(outline.blocks[own].content).to_owned())
}

/// True for a heading that stands beside one of the path, not below it.
fn is_beside(stand: &Stand, heading: usize, path: &[usize]) -> bool {
    let blocks = &stand.page.outline().blocks;
    path.iter().any(|it| blocks[*it].depth == blocks[heading].depth)
        && blocks[heading].kind == BlockKind::Heading
}

/// Another scheme that the quote's sentence begins with, where the page names the subject elsewhere.
fn other_scheme(stand: &Stand) -> Option<String> {
    let subject = stand.claim.subject.trim();
    // Of several rules in one sentence, the one that the quote is taken from.
    let before = stand.before();
    let from = before
        .rfind([';', '；'])
        .map_or(0, |at| at + before[at..].chars().next().map_or(0, char::len_utf8));
    let sentence = stand.context_text().get(from..).unwrap_or_default().trim_start();
    let own = sentence.split([';', '；']).next().unwrap_or_default();
    if !is_scheme_name(subject) || own.contains(subject) {
        return None;
    }
    let opens = |it: &&&str| {
        let rest = sentence.strip_prefix("The ").unwrap_or(sentence);
        let says_more = it.chars().count() + 2 < rest.chars().count();
        rest.starts_with(**it) && says_more && !subject.contains(**it) && !it.contains(subject)
    };
    let names = scheme_names(sentence);
    let rival = names.iter().find(opens)?;
    let is_on_page = !stand.page.find(subject).is_empty();
    is_on_page.then(|| (*rival).to_owned())
}
