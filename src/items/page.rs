//! Reads one page: decoded HTML in, canonical text with items, map and signs out.
//!
//! Pure: the same HTML and source give the same value. It fetches nothing and judges nothing.

use crate::items::parse::parse_html;

use crate::items::block::{Kind, Written};
use crate::items::cut::cut;
use crate::items::piece::{Cuttable, LONGEST_HEADING};
use crate::items::select::{ReadError, choose};
use crate::items::signs::read_signs;
use crate::items::survey::survey;
use crate::items::walk::walk;
use crate::model::canonical::CanonicalPage;
use crate::model::page_map::PageMap;
use crate::model::source::Source;

/// Reads the page `html` by the rules of `source`: its content and exclude selectors and its item
/// rule.
///
/// # Errors
/// When none of the source's content selectors matches, or a selector is not CSS.
pub fn read_page(html: &str, source: &Source) -> Result<CanonicalPage, ReadError> {
    read_blocks(html, source).map(|it| it.0)
}

/// Reads a page and tells its blocks as the page marks them up, which `text::blocks::outline` must recover
/// from the canonical text alone.
///
/// # Errors
/// Those of [`read_page`].
pub fn read_blocks(
    html: &str,
    source: &Source,
) -> Result<(CanonicalPage, Vec<Written>), ReadError> {
    let parsed = parse_html(html);
    let choice = choose(&parsed, source)?;
    let survey = survey(&parsed);
    let (mut signs, links) = read_signs(&parsed, &choice.content);
    let walked = walk(&parsed, &choice, &survey);
    signs.content_selectors = choice.matched;
    let writer = walked.writer;
    let title = writer
        .blocks
        .iter()
        .find(|it| it.kind == Kind::Heading && it.depth == 1)
        .and_then(|it| it.content.slice(&writer.text))
        .map_or_else(|| signs.document_title.clone(), str::to_owned);
    let short_title: String = title.chars().take(LONGEST_HEADING).collect();
    let page = Cuttable { text: &writer.text, blocks: &writer.blocks, title: &short_title };
    let items = cut(page, &source.items, &walked.selected);
    let page = CanonicalPage {
        items,
        title,
        language: walked.language,
        text: writer.text,
        hidden: walked.hidden,
        alternatives: walked.alternatives,
        map: PageMap { elements: walked.elements, runs: writer.runs },
        links,
        signs,
    };
    Ok((page, writer.blocks))
}
