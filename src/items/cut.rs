//! Cuts a canonical text into items by the source's rule.
//!
//! Every block belongs to exactly one item. A heading with nothing under it but deeper headings is
//! a line of the first item below it; it is never an item of its own, and never lost.

use crate::items::articles::cut_articles;
use crate::items::block::Kind;
use crate::items::key::{Keys, slug};
use crate::items::piece::{Cuttable, LONGEST_HEADING, Piece};
use crate::items::sections::cut_sections;
use crate::model::item::Item;
use crate::model::source::ItemRule;
use crate::text::blocks::enumerator::read_enumerator;
use crate::text::span::Span;

/// The items of a page. `selected` are the spans of elements that the source names by selector.
pub fn cut(page: Cuttable<'_>, rule: &ItemRule, selected: &[(Span, Option<String>)]) -> Vec<Item> {
    let pieces = match rule {
        ItemRule::Headings => cut_sections(page),
        ItemRule::Articles => cut_articles(page),
        ItemRule::Rows => cut_rows(page),
        ItemRule::Page => cut_page(page),
        ItemRule::Selector { .. } => cut_selected(page, selected),
    };
    let mut keys = Keys::default();
    pieces.into_iter().filter_map(|it| page.item(it, &mut keys)).collect()
}

fn cut_page(page: Cuttable<'_>) -> Vec<Piece> {
    vec![Piece {
        key: "page".to_owned(),
        heading_path: [page.title]
            .iter()
            .filter(|it| !it.is_empty())
            .map(|&it| it.to_owned())
            .collect(),
        from: 0,
        to: page.blocks.len(),
        own: 0,
        label_len: 0,
    }]
}

/// Each table row on its own, what stands between tables by its headings.
fn cut_rows(page: Cuttable<'_>) -> Vec<Piece> {
    let mut out = Vec::new();
    for section in cut_sections(page) {
        let mut from = section.from;
        let mut header = None;
        for at in section.from..section.to {
            match page.blocks[at].kind {
                Kind::TableHeader => header = Some(row_words(page.content(at))),
                Kind::TableRow | Kind::TableRule => {}
                _ => header = None,
            }
            if page.blocks[at].kind != Kind::TableRow {
                continue;
            }
            // The header row and its rule stay with the text above the first row.
            if from < at {
                let own = section.own.max(from);
                out.push(Piece { from, to: at, own, ..section.clone() });
            }
            let first_cell = page.content(at).split(" | ").next().unwrap_or_default();
            // The header row is the heading of every row under it.
            let mut heading_path = section.heading_path.clone();
            heading_path.extend(header.clone());
            out.push(Piece {
                key: format!("{}/{}", section.key, slug(first_cell)),
                heading_path,
                from: at,
                to: at + 1,
                own: at,
                label_len: 0,
            });
            from = at + 1;
        }
        if from < section.to {
            let own = section.own.max(from);
            out.push(Piece { from, own, ..section });
        }
    }
    out
}

/// A header row as it stands in a heading path.
fn row_words(content: &str) -> String {
    content.chars().take(LONGEST_HEADING).collect()
}

/// Each named element on its own, what stands between by its headings.
fn cut_selected(page: Cuttable<'_>, selected: &[(Span, Option<String>)]) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut spans: Vec<&(Span, Option<String>)> =
        selected.iter().filter(|it| !it.0.is_empty()).collect();
    // Outer elements first; what they hold is theirs.
    spans.sort_by_key(|it| (it.0.start, std::cmp::Reverse(it.0.end)));
    let mut starts: Vec<(usize, usize, Option<&str>)> = Vec::new();
    for (span, id) in spans {
        let from = page.blocks.partition_point(|it| it.span.end <= span.start);
        let to = page.blocks.partition_point(|it| it.span.end <= span.end);
        if from < to && starts.last().is_none_or(|it| it.1 <= from) {
            starts.push((from, to, id.as_deref()));
        }
    }
    let mut starts = starts.into_iter().peekable();
    for section in cut_sections(page) {
        let mut from = section.from;
        while let Some(&(first, to, id)) = starts.peek().filter(|it| it.0 < section.to) {
            if from < first {
                out.push(Piece {
                    from,
                    to: first,
                    own: section.own.clamp(from, first - 1),
                    ..section.clone()
                });
            }
            starts.next();
            let heading = (first..to).find(|&it| page.is_heading(it));
            let mut heading_path = section.heading_path.clone();
            if first < section.own {
                heading_path.pop();
            }
            heading_path.extend(
                heading
                    .filter(|&it| it > section.own || first > section.own)
                    .map(|it| page.heading_words(it)),
            );
            out.push(Piece {
                key: match (id, heading) {
                    (Some(id), _) => slug(id),
                    (None, Some(at)) => slug(page.content(at)),
                    (None, None) => format!("{}/part", section.key),
                },
                heading_path,
                from: first,
                to,
                own: first,
                label_len: number_len(page.content(first)),
            });
            from = to;
        }
        if from < section.to {
            out.push(Piece { from, own: section.own.max(from), ..section });
        }
    }
    out
}

/// Bytes at the start of a clause that are only its number: `3.`, `（三）`.
fn number_len(content: &str) -> usize {
    read_enumerator(content).filter(|it| it.ordinal.is_some() && !it.is_weak).map_or(0, |it| it.len)
}
