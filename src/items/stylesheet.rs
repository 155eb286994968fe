//! Which elements the page's own `<style>` rules leave unseen.
//!
//! Reads the rules that a browser applies on a screen, in order, without specificity: an element is
//! unseen when a rule hides it and no later rule shows it. Style sheets elsewhere are not fetched,
//! and what cannot be read hides nothing.

use std::collections::HashSet;

use ego_tree::NodeId;
use scraper::{ElementRef, Html, Selector};

use crate::items::element::declared;
use crate::items::shown::is_unseen_style;

/// Comparisons of an element with a hiding rule in one page, lest rules times elements add up.
const MOST_COMPARISONS: usize = 4_000_000;

/// One rule that decides whether elements are seen.
#[derive(Debug)]
struct Rule {
    selector: Selector,
    hides: bool,
}

/// The elements that the page's style rules leave unseen; what stands in them is unseen too.
pub fn unseen_by_rules(html: &Html) -> HashSet<NodeId> {
    let rules = rules_of(html);
    let mut unseen = HashSet::new();
    let n_hiding = rules.iter().filter(|it| it.hides).count();
    if n_hiding.saturating_mul(html.tree.nodes().len()) > MOST_COMPARISONS {
        return unseen;
    }
    for rule in &rules {
        if rule.hides {
            unseen.extend(html.select(&rule.selector).map(|it| it.id()));
        } else {
            unseen.retain(|id| {
                let element = html.tree.get(*id).and_then(ElementRef::wrap);
                !element.is_some_and(|it| rule.selector.matches(&it))
            });
        }
    }
    unseen
}

fn rules_of(html: &Html) -> Vec<Rule> {
    let mut rules = Vec::new();
    for node in html.tree.nodes() {
        let Some(element) = node.value().as_element().filter(|it| it.name() == "style") else {
            continue;
        };
        if element.attr("media").is_none_or(is_for_screens) {
            let text: String =
                node.children().filter_map(|it| it.value().as_text().map(|it| &**it)).collect();
            read_rules(&without_comments(&text), &mut rules);
        }
    }
    rules
}

/// True for media lists that any screen meets: no width, no print.
fn is_for_screens(media: &str) -> bool {
    let media = media.trim().to_ascii_lowercase();
    media.is_empty()
        || media.split(',').any(|it| matches!(it.trim(), "all" | "screen" | "only screen"))
}

fn without_comments(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    while let Some((before, after)) = rest.split_once("/*") {
        out.push_str(before);
        rest = after.split_once("*/").map_or("", |it| it.1);
    }
    out.push_str(rest);
    out
}

/// Reads rules at the top and in `@media` blocks for screens, one after the other.
fn read_rules(css: &str, rules: &mut Vec<Rule>) {
    let mut rest = css;
    while let Some((prelude, after)) = rest.split_once('{') {
        // Statements such as `@import …;` end before the next rule begins.
        let prelude = prelude.rsplit([';', '}']).next().unwrap_or_default().trim();
        let lower = prelude.to_ascii_lowercase();
        if let Some(media) = lower.strip_prefix("@media") {
            let end = block_end(after);
            if is_for_screens(media) {
                read_flat_rules(&after[..end], rules);
            }
            rest = after.get(end + 1..).unwrap_or_default();
        } else if prelude.starts_with('@') {
            rest = after.get(block_end(after) + 1..).unwrap_or_default();
        } else {
            let (body, next) = after.split_once('}').unwrap_or((after, ""));
            note_rule(prelude, body, rules);
            rest = next;
        }
    }
}

fn read_flat_rules(css: &str, rules: &mut Vec<Rule>) {
    for rule in css.split('}') {
        if let Some((prelude, body)) = rule.split_once('{') {
            note_rule(prelude.trim(), body, rules);
        }
    }
}

/// Where the block that is open at the start of `css` ends.
fn block_end(css: &str) -> usize {
    let mut depth = 1usize;
    for (at, byte) in css.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    css.len()
}

fn note_rule(prelude: &str, body: &str, rules: &mut Vec<Rule>) {
    let hides = is_unseen_style(body);
    let shows =
        || ["display", "visibility", "opacity"].into_iter().any(|it| declared(body, it).is_some());
    if !hides && !shows() {
        return;
    }
    // `html` and `body` are hidden by loading tricks and show themselves a moment later.
    for selector in prelude.split(',').map(str::trim).filter(|it| !matches!(*it, "html" | "body")) {
        if looks_at_siblings(selector) {
            continue;
        }
        if let Ok(selector) = Selector::parse(selector) {
            rules.push(Rule { selector, hides });
        }
    }
}

/// Selectors whose matching can take time in the number of siblings: quadratic on a hostile page.
fn looks_at_siblings(selector: &str) -> bool {
    ["~", "+", ":has", ":nth", "of-type", ":is", ":where"].iter().any(|it| selector.contains(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unseen(style: &str) -> Vec<String> {
        let page = format!(
            "<style>{style}</style><p id=a class='x y'>1</p><p id=b class=x>2</p><div><p id=c>3</p></div>"
        );
        let html = Html::parse_document(&page);
        let ids = unseen_by_rules(&html);
        let all = html.tree.nodes().filter(|it| ids.contains(&it.id()));
        all.filter_map(|it| it.value().as_element()?.id().map(str::to_owned)).collect()
    }

    #[test]
    fn rules_for_screens_hide_and_later_rules_show() {
        for (style, expected) in [
            (".x{display:none}", &["a", "b"][..]),
            (".x{display:none} .x.y{display:block}", &["b"]),
            ("/* .x{display:none} */ #c , .y { visibility : hidden }", &["a", "c"]),
            ("@media print{.x{display:none}} div p{opacity:0}", &["c"]),
            ("@media screen{.x{color:red;display:none}}", &["a", "b"]),
            ("@media (max-width:600px){.x{display:none}}", &[]),
            ("@import 'x'; @font-face{a:b} #b{display:none}", &["b"]),
            ("p ~ p{display:none}", &[]),
            (".x:hover{display:none} ::before{display:none} body{display:none}", &[]),
            (".x{display:none", &["a", "b"]),
            ("}{;{{}", &[]),
        ] {
            assert_eq!(unseen(style), expected, "{style}");
        }
    }
}
