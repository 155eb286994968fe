//! Items by headings: the section under each heading, up to the next heading of any level.

use crate::items::key::slug;
use crate::items::piece::{Cuttable, Piece};

/// Key of what stands above the first heading, the page's title included.
const INTRO: &str = "intro";

/// The sections of a page, in reading order.
pub fn cut_sections(page: Cuttable<'_>) -> Vec<Piece> {
    let title = page.title_block();
    let mut out = Vec::new();
    // Headings above, outermost first: level and words.
    let mut above: Vec<(usize, String)> = Vec::new();
    let mut from = 0;
    let mut at = 0;
    while at < page.blocks.len() {
        let own = at;
        let heading = page.is_heading(at) && Some(at) != title;
        if page.is_heading(at) {
            let level = page.blocks[at].depth;
            above.retain(|it| it.0 < level);
            above.push((level, page.heading_words(at)));
            at += 1;
        }
        while at < page.blocks.len() && !page.is_heading(at) {
            at += 1;
        }
        // The text above the title belongs with it.
        if !heading && title.is_some_and(|it| it == at) {
            continue;
        }
        let is_bare = at == own + 1 && page.is_heading(own);
        let next_is_deeper = page.is_heading(at) && page.blocks[at].depth > page.blocks[own].depth;
        if is_bare && next_is_deeper {
            continue;
        }
        let key = key_of(page, &above, title, heading);
        let heading_path = above.iter().map(|it| it.1.clone()).collect();
        let own = if heading { own } else { from };
        out.push(Piece { key, heading_path, from, to: at, own, label_len: 0 });
        from = at;
    }
    out
}

/// The slugs of the headings above and of the section; the page's title is on every page and says
/// nothing.
fn key_of(
    page: Cuttable<'_>,
    above: &[(usize, String)],
    title: Option<usize>,
    has_own_heading: bool,
) -> String {
    if !has_own_heading {
        return INTRO.to_owned();
    }
    let title = title.map(|it| page.heading_words(it));
    above
        .iter()
        .filter(|(level, words)| !(*level == 1 && Some(words) == title.as_ref()))
        .map(|it| slug(&it.1))
        .collect::<Vec<_>>()
        .join("/")
}
