//! What a page says of itself outside its text: title, links, robots, canonical address.
//!
//! Values are reported as the page writes them; resolving and judging them is the caller's.

use std::collections::HashSet;

use ego_tree::NodeId;
use ego_tree::iter::Edge;
use scraper::node::Element;
use scraper::{Html, Node};

use crate::items::below::{OF_A_LINK, text_below};
use crate::items::element::PLAIN;
use crate::items::line::fold;
use crate::model::canonical::{Link, PageSigns};

/// Reads links and signs of a parsed page in one pass.
pub fn read_signs(html: &Html, content: &HashSet<NodeId>) -> (PageSigns, Vec<Link>) {
    let mut signs = PageSigns::default();
    let mut links = Vec::new();
    let mut depth_in_content = 0usize;
    for edge in html.tree.root().traverse() {
        let (node, is_open) = match edge {
            Edge::Open(node) => (node, true),
            Edge::Close(node) => (node, false),
        };
        let Node::Element(element) = node.value() else { continue };
        if content.contains(&node.id()) {
            depth_in_content =
                if is_open { depth_in_content + 1 } else { depth_in_content.saturating_sub(1) };
        }
        if !is_open {
            continue;
        }
        match element.name().strip_prefix(PLAIN).unwrap_or(element.name()) {
            "a" | "area" => {
                if let Some(href) = element.attr("href") {
                    links.push(Link {
                        href: href.trim().to_owned(),
                        text: text_below(node, OF_A_LINK),
                        rel: lower(element.attr("rel")),
                        is_in_content: depth_in_content > 0,
                    });
                }
            }
            "title" if signs.document_title.is_empty() => {
                // A drawing has titles of its own.
                let is_in_head = node
                    .parent()
                    .and_then(|it| it.value().as_element())
                    .is_some_and(|it| matches!(it.name(), "head" | "body" | "html"));
                if is_in_head {
                    signs.document_title = text_below(node, OF_A_LINK);
                }
            }
            "base" if signs.base_href.is_none() => {
                signs.base_href = element.attr("href").map(|it| it.trim().to_owned());
            }
            "link" => note_link(element, &mut signs),
            "meta" => note_meta(element, &mut signs),
            "input" => {
                signs.has_password_field |= lower(element.attr("type")) == "password";
            }
            "script" => signs.scripts += 1,
            _ => {}
        }
    }
    (signs, links)
}

fn note_link(element: &Element, signs: &mut PageSigns) {
    let Some(href) = element.attr("href").map(|it| it.trim().to_owned()) else { return };
    let rel = lower(element.attr("rel"));
    let is = |word: &str| rel.split_ascii_whitespace().any(|it| it == word);
    if is("canonical") && signs.canonical_link.is_none() {
        signs.canonical_link = Some(href);
    } else if is("alternate")
        && let Some(language) = element.attr("hreflang")
    {
        signs.alternates.push((language.trim().to_owned(), href));
    }
}

fn note_meta(element: &Element, signs: &mut PageSigns) {
    let content = element.attr("content").unwrap_or_default();
    match lower(element.attr("name")).as_str() {
        "robots" => {
            if !signs.robots.is_empty() {
                signs.robots.push_str(", ");
            }
            signs.robots.push_str(&fold(content).to_lowercase());
        }
        _ if lower(element.attr("http-equiv")) == "refresh" && signs.refresh.is_none() => {
            signs.refresh = Some(fold(content));
        }
        _ => {}
    }
}

fn lower(value: Option<&str>) -> String {
    fold(value.unwrap_or_default()).to_lowercase()
}
