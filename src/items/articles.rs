//! Items by articles: 第 N 條, Article N, Section N, each with the chapters it stands under.
//!
//! What stands above the first article is the item `header`: name, dates and status of the law.

use crate::items::block::Kind;
use crate::items::key::slug;
use crate::items::label::{ArticleLabel, KINDS, article_label, chapter_rank};
use crate::items::piece::{Cuttable, LONGEST_HEADING, Piece};

const HEADER: &str = "header";

/// What begins at a block.
enum Start {
    Article(ArticleLabel),
    /// A chapter or any other heading, with its rank among them.
    Chapter(usize),
}

/// The articles of a page, in reading order.
pub fn cut_articles(page: Cuttable<'_>) -> Vec<Piece> {
    let title = page.title_block();
    let kind = article_kind(page);
    let mut out: Vec<Piece> = Vec::new();
    let mut above: Vec<(usize, String)> = Vec::new();
    let mut title_path: Vec<String> = Vec::new();
    if !page.title.is_empty() {
        title_path.push(page.title.to_owned());
    }
    // The level of article headings, where the page marks articles as headings.
    let mut article_level = None;
    let mut from = 0;
    let mut open = Open { key: HEADER.to_owned(), own: 0, label_len: 0, is_article: false };
    let mut path = title_path.clone();
    for at in 0..page.blocks.len() {
        let Some(start) = start_at(page, at, (title, kind), article_level) else { continue };
        if at > from {
            let is_bare_chapter = !open.is_article && open.key != HEADER && at == open.own + 1;
            if !is_bare_chapter {
                out.push(open.close(path.clone(), from, at));
                from = at;
            }
        }
        open = match start {
            Start::Article(label) => {
                article_level = page.is_heading(at).then(|| page.blocks[at].depth);
                path = title_path.clone();
                path.extend(above.iter().map(|it| it.1.clone()));
                path.push(label_line(page.content(at), &label, page.is_heading(at)));
                Open { key: label.key, own: at, label_len: label.len, is_article: true }
            }
            Start::Chapter(rank) => {
                above.retain(|it| it.0 < rank);
                above.push((rank, page.heading_words(at)));
                path = title_path.clone();
                path.extend(above.iter().map(|it| it.1.clone()));
                Open { key: slug(page.content(at)), own: at, label_len: 0, is_article: false }
            }
        };
    }
    if from < page.blocks.len() {
        out.push(open.close(path, from, page.blocks.len()));
    }
    out
}

struct Open {
    key: String,
    own: usize,
    label_len: usize,
    is_article: bool,
}

impl Open {
    fn close(self, heading_path: Vec<String>, from: usize, to: usize) -> Piece {
        Piece { key: self.key, heading_path, from, to, own: self.own, label_len: self.label_len }
    }
}

fn start_at(
    page: Cuttable<'_>,
    at: usize,
    (title, kind): (Option<usize>, Option<&str>),
    article_level: Option<usize>,
) -> Option<Start> {
    if Some(at) == title {
        return None;
    }
    let block = &page.blocks[at];
    let is_heading = block.kind == Kind::Heading;
    if !is_heading && block.kind != Kind::Paragraph {
        return None;
    }
    let line = page.content(at);
    if let Some(label) = label_at(page, at).filter(|it| Some(it.kind) == kind) {
        return Some(Start::Article(label));
    }
    if is_heading {
        // A heading inside an article that is itself headed belongs to the article.
        let is_inside = article_level.is_some_and(|it| block.depth > it);
        return (!is_inside).then_some(Start::Chapter(block.depth + 10));
    }
    chapter_rank(line).map(|it| Start::Chapter(usize::from(it) + 20))
}

/// The kind of label that numbers the articles of this page. Where there are articles, sections are
/// chapters of them; a regulation may number by sections alone.
fn article_kind(page: Cuttable<'_>) -> Option<&'static str> {
    let rank = |it: &&str| KINDS.iter().position(|kind| kind == it).unwrap_or(KINDS.len());
    (0..page.blocks.len()).filter_map(|at| label_at(page, at)).map(|it| it.kind).min_by_key(rank)
}

fn label_at(page: Cuttable<'_>, at: usize) -> Option<ArticleLabel> {
    let is_heading = page.is_heading(at);
    if !is_heading && page.blocks[at].kind != Kind::Paragraph {
        return None;
    }
    let first_line = page.content(at).split('\n').next().unwrap_or_default();
    article_label(first_line, is_heading)
}

/// The heading of an article: its label, with the title where the line is a heading.
fn label_line(line: &str, label: &ArticleLabel, is_heading: bool) -> String {
    let text = if is_heading { line } else { &line[..label.len] };
    text.trim().chars().take(LONGEST_HEADING).collect()
}
