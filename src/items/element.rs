//! What an HTML element means for the text around it, by the rendering rules of the HTML standard.
//!
//! It knows tags and attributes and nothing of any site: no class name decides anything here.

use scraper::node::Element;

/// In front of the name of a formatting element that is read as a plain inline element.
pub const PLAIN: &str = "as-plain-";

/// How an element shapes text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Runs on in its line.
    Inline,
    /// Stands on lines of its own.
    Block,
    /// `<h1>` to `<h6>`, or `role=heading`.
    Heading(u8),
    /// `<ul>`, `<ol>`, `<menu>`.
    List {
        is_ordered: bool,
    },
    /// `<li>`, `<dd>`.
    Item,
    Table,
    Row,
    Cell {
        is_header: bool,
    },
    /// `<caption>`.
    Caption,
    /// `<br>`.
    Break,
    /// Inline, but with room around it: a button.
    Spaced,
    /// `<sup>`, `<sub>`: raised or lowered, so a digit in it is not a digit of the number beside it.
    Raised,
    /// `<pre>`: its line breaks are shown.
    Preformatted,
    /// `<img>`: its description stands apart.
    Image,
    /// `<svg>`: its words stand apart.
    Drawing,
    /// `<rt>`: a reading aid above its word.
    Annotation,
    /// `<del>`, `<s>`, `<strike>`.
    Struck,
    /// Not shown: `<template>`, `<noscript>` and what stands inside players and frames.
    Unseen,
    /// Not text at all: scripts, styles, drawings, values of form controls.
    Dropped,
}

/// The role of `element`, its inline `display` included.
pub fn role_of(element: &Element) -> Role {
    let role = match role_of_tag(element.name()) {
        // Without anything to embed, an object shows what stands inside.
        Role::Unseen if element.name() == "object" && element.attr("data").is_none() => {
            Role::Inline
        }
        role => role,
    };
    let role = match element.attr("role") {
        Some("heading") => Role::Heading(
            element
                .attr("aria-level")
                .and_then(|it| it.trim().parse::<u8>().ok())
                .filter(|it| (1..=6).contains(it))
                .unwrap_or(2),
        ),
        _ => role,
    };
    match (role, element.attr("style").and_then(|it| declared(it, "display"))) {
        (Role::Inline | Role::Spaced, Some(display)) if is_block_display(&display) => Role::Block,
        (Role::Block, Some(display)) if display == "inline" => Role::Inline,
        (Role::Block, Some(display)) if display.starts_with("inline-") => Role::Spaced,
        _ => role,
    }
}

fn is_block_display(display: &str) -> bool {
    matches!(display, "block" | "flex" | "grid" | "table" | "list-item" | "flow-root")
}

/// True for the names of elements that do not run on in a line.
pub fn parts_its_line(tag: &str) -> bool {
    !matches!(role_of_tag(tag), Role::Inline | Role::Raised | Role::Spaced | Role::Annotation)
}

fn role_of_tag(tag: &str) -> Role {
    match tag.strip_prefix(PLAIN).unwrap_or(tag) {
        "h1" => Role::Heading(1),
        "h2" => Role::Heading(2),
        "h3" => Role::Heading(3),
        "h4" => Role::Heading(4),
        "h5" => Role::Heading(5),
        "h6" => Role::Heading(6),
        "ul" | "menu" | "dir" => Role::List { is_ordered: false },
        "ol" => Role::List { is_ordered: true },
        "li" | "dd" => Role::Item,
        "table" => Role::Table,
        "tr" => Role::Row,
        "td" => Role::Cell { is_header: false },
        "th" => Role::Cell { is_header: true },
        "caption" => Role::Caption,
        "br" => Role::Break,
        "button" => Role::Spaced,
        "sup" | "sub" => Role::Raised,
        "pre" | "listing" | "xmp" | "plaintext" => Role::Preformatted,
        "img" => Role::Image,
        "rt" | "rtc" => Role::Annotation,
        "del" | "s" | "strike" => Role::Struck,
        "template" | "noscript" | "noframes" | "noembed" | "iframe" | "object" | "audio"
        | "video" | "canvas" => Role::Unseen,
        "svg" => Role::Drawing,
        "head" | "script" | "style" | "link" | "meta" | "title" | "base" | "input" | "select"
        | "textarea" | "datalist" | "option" | "optgroup" | "progress" | "meter" | "rp"
        | "embed" | "area" | "param" | "source" | "track" | "col" | "colgroup" => Role::Dropped,
        "address" | "article" | "aside" | "blockquote" | "body" | "center" | "details"
        | "dialog" | "div" | "dl" | "dt" | "fieldset" | "figcaption" | "figure" | "footer"
        | "form" | "frameset" | "header" | "hgroup" | "hr" | "html" | "legend" | "main" | "nav"
        | "p" | "search" | "section" | "summary" | "tbody" | "tfoot" | "thead" => Role::Block,
        _ => Role::Inline,
    }
}

/// The value of the last `property` in a `style` attribute, in lower case, without `!important`.
pub fn declared(style: &str, property: &str) -> Option<String> {
    style
        .split(';')
        .filter_map(|it| it.split_once(':'))
        .filter(|(name, _)| name.trim().eq_ignore_ascii_case(property))
        .map(|(_, value)| {
            let value = value.trim().to_ascii_lowercase();
            value.strip_suffix("!important").unwrap_or(&value).trim_end().to_owned()
        })
        .next_back()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_declaration_of_a_property_counts() {
        let style = "color:red; DISPLAY : Block;display: none !important";
        assert_eq!(declared(style, "display").as_deref(), Some("none"));
        assert_eq!(declared(style, "visibility"), None);
    }
}
