//! What the footnotes say that a quote's sentence, lead-ins, header cells and headings point to.
//!
//! A note stands elsewhere, often under another heading, and is a part of the clause all the same. It
//! follows signs; whether a note changes the rule is for the checks.

use std::collections::BTreeSet;

use crate::gate::page::PageText;
use crate::gate::places::stand::context_of;
use crate::text::blocks::block::{Block, BlockKind};
use crate::text::blocks::note::{footnotes_in, note_for};
use crate::text::blocks::numbered_note::raised_numbers;
use crate::text::span::Span;

/// Most signs of one row that are followed.
const MOST_SIGNS: usize = 16;

/// The notes' words, one a line, in the order of the page. Empty where no sign points to a note.
pub fn footnotes_of(page: &PageText, span: Span) -> String {
    if page.notes().is_empty() && page.numbered_notes().is_empty() {
        return String::new();
    }
    let sentence = context_of(page, span);
    let notes = pointing(page, span, sentence).into_iter().flat_map(|it| notes_of(page, it));
    let apart = notes.take(MOST_SIGNS).filter(|it| !it.overlaps(span));
    let places: BTreeSet<(usize, usize)> = apart.map(|it| (it.start, it.end)).collect();
    let words = places.into_iter().map(|(start, end)| page.slice(Span::new(start, end)));
    words
        .map(|it| it.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The notes that the signs of a place point to.
fn notes_of(page: &PageText, place: Span) -> Vec<Span> {
    let words = page.slice(place);
    let by_number = |it: u32| page.numbered_notes().get(&it).copied();
    let mut found = Vec::new();
    for sign in footnotes_in(words) {
        let note = note_for(page.text(), page.notes(), sign.shifted(place.start));
        found.extend(
            note.map(|it| it.content).or_else(|| by_number(number_in(sign.slice(words)?)?)),
        );
    }
    if !page.numbered_notes().is_empty() {
        found.extend(raised_numbers(words).into_iter().filter_map(by_number));
    }
    found
}

/// The number of `[footnote 2]`.
fn number_in(sign: &str) -> Option<u32> {
    let digits: String = sign.chars().filter(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// The places whose signs speak of the quote: of a table the first column and those that the quote is in.
fn pointing(page: &PageText, span: Span, sentence: Span) -> Vec<Span> {
    let outline = page.outline();
    let Some(at) = outline.block_at(span.start) else { return vec![sentence] };
    let block = &outline.blocks[at];
    let mut places: Vec<Span> =
        outline.heading_path(at).into_iter().map(|it| outline.blocks[it].content).collect();
    if block.kind == BlockKind::TableRow {
        let touched = |cell: &Span| cell.overlaps(span) || cell.contains(span);
        let columns: Vec<usize> = (0..block.cells.len())
            .filter(|&column| column == 0 || touched(&block.cells[column]))
            .collect();
        let cells = |of: &Block| -> Vec<Span> {
            columns.iter().filter_map(|&it| of.cells.get(it).copied()).collect()
        };
        places.extend(block.parent.map(|it| cells(&outline.blocks[it])).unwrap_or_default());
        places.extend(cells(block));
    } else {
        let leads = outline.lead_ins(at).into_iter().map(|it| outline.blocks[it].content);
        places.extend(leads);
        places.push(sentence);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notes(text: &str, quote: &str) -> String {
        let page = PageText::index(text);
        let at = text.find(quote).unwrap();
        footnotes_of(&page, Span::new(at, at + quote.len()))
    }

    #[test]
    fn notes_are_followed_from_sentences_lead_ins_headings_and_cells_in_both_languages() {
        let text = "# Fees\n\n## Cards*\n\nThe fee is $20.\n\n## Notes\n\n* Residents only.\n";
        assert_eq!(notes(text, "fee is $20"), "Residents only.");
        let text = "# Fees\n\nYou can apply if†:\n\n- you are 65 or over\n- you live here\n\n† Not in May.\n";
        assert_eq!(notes(text, "you are 65"), "Not in May.");
        let text = "| 對象 | 每月金額（註1） | 次數（註2） |\n| --- | --- | --- |\n| 家庭 | 400 元 | 3 次 |\n\n註1：冬季減半。\n\n註2：每年。\n";
        assert_eq!(notes(text, "400 元"), "冬季減半。");
        assert_eq!(notes(text, "3 次"), "每年。");
        let text = "每月一千元（註1）。\n\n不得申請。\n\n註1：冬季減半。\n";
        assert_eq!(notes(text, "每月一千元"), "冬季減半。");
        assert_eq!(notes(text, "不得申請"), "");
        assert_eq!(notes(text, "冬季減半"), "", "a note is no note to itself");
        let text = "The fee is $20 1 a year.\n\nIt is for adults[footnote 2].\n\n## Footnotes\n\n1. Residents only.\n2. Aged 18. ↩\n";
        assert_eq!(notes(text, "fee is $20"), "Residents only.");
        assert_eq!(notes(text, "for adults"), "Aged 18. ↩");
    }
}
