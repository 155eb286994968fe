//! What stands above a quote and makes it mean what it means: the words that lead its list in, the
//! header row of its table. Headings are kept apart; nothing here judges.

use crate::gate::page::PageText;
use crate::text::blocks::block::BlockKind;
use crate::text::blocks::unnumbered::unnumbered;
use crate::text::span::Span;

/// A lead-in longer than this, in bytes, is its last sentence: the one that leads in.
const LONG: usize = 300;

/// The lead-ins of a list item, outermost first, or the header row above a table row, one a line,
/// without the numbers of their places. Empty for other passages.
pub fn words_above(page: &PageText, span: Span) -> String {
    let outline = page.outline();
    let Some(block) = outline.block_at(span.start) else { return String::new() };
    let mut above: Vec<Span> = match outline.blocks[block].kind {
        BlockKind::TableRow => outline.blocks[block].parent.into_iter().collect(),
        _ => outline.lead_ins(block),
    }
    .into_iter()
    .filter(|&it| outline.blocks[it].kind != BlockKind::Heading)
    .map(|it| last_of(page, outline.blocks[it].content))
    .collect();
    above.reverse();
    above.into_iter().map(|it| unnumbered(page.slice(it))).collect::<Vec<_>>().join("\n")
}

fn last_of(page: &PageText, block: Span) -> Span {
    if block.end - block.start <= LONG {
        return block;
    }
    let sentences = &page.sentences()[page.sentences_of(block)];
    sentences.last().map_or(block, |it| Span::new(it.start.max(block.start), block.end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn above(text: &str, quote: &str) -> String {
        let page = PageText::index(text);
        let at = text.find(quote).unwrap();
        words_above(&page, Span::new(at, at + quote.len()))
    }

    #[test]
    fn lead_ins_and_header_rows_are_told_in_both_languages() {
        let text = "# Grant\n\nYou can apply if:\n\n- you are 65 or over\n- one of these is true:\n  - you live alone\n\nThe fee is $3.\n";
        assert_eq!(above(text, "you are 65"), "You can apply if:");
        assert_eq!(above(text, "you live alone"), "You can apply if:\none of these is true:");
        assert_eq!(above(text, "The fee"), "");
        let text = "一、有下列情形之一者，不得申請：\n（一）年滿六十五歲。\n（二）設籍未滿三年。\n";
        assert_eq!(above(text, "年滿六十五歲"), "有下列情形之一者，不得申請：");
        let text = "| 對象 | 每月金額 |\n| --- | --- |\n| 家庭 | 400 元 |\n";
        assert_eq!(above(text, "400 元"), "對象 | 每月金額");
    }
}
