//! Reads one page: decoded HTML in, canonical text with items, map and signs out.
//!
//! Pure: the same HTML and source give the same value. It fetches nothing and judges nothing.

use scraper::Html;

use crate::items::block::Kind;
use crate::items::cut::cut;
use crate::items::piece::Cuttable;
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
    let parsed = Html::parse_document(html);
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
    let page = Cuttable { text: &writer.text, blocks: &writer.blocks, title: &title };
    let items = cut(page, &source.items, &walked.selected);
    Ok(CanonicalPage {
        items,
        title,
        language: walked.language,
        text: writer.text,
        hidden: walked.hidden,
        alternatives: walked.alternatives,
        map: PageMap { elements: walked.elements, runs: writer.runs },
        links,
        signs,
    })
}
