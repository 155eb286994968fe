//! The text below one element, for what is named by its text and never becomes evidence: links,
//! hidden passages, annotations.
//!
//! It reads a bounded number of nodes, because such elements can be nested in one another.

use ego_tree::NodeRef;
use scraper::Node;

use crate::items::element::{Role, role_of};
use crate::items::line::fold;

/// Nodes that are read for the text of a link.
pub const OF_A_LINK: usize = 500;

/// The text below a node that is text at all, white space folded, out of at most `most` nodes.
pub fn text_below(node: NodeRef<'_, Node>, most: usize) -> String {
    let mut text = String::new();
    let mut n_nodes = 0;
    let mut next = node.first_child();
    let mut open = 0usize;
    let mut here = node;
    loop {
        match next {
            Some(_) if n_nodes >= most => return fold(&text),
            Some(child) => {
                n_nodes += 1;
                let mut descends = false;
                match child.value() {
                    Node::Text(it) => text.push_str(it),
                    Node::Element(it) => {
                        let role = role_of(it);
                        if !matches!(role, Role::Inline | Role::Raised) {
                            text.push(' ');
                        }
                        descends = role != Role::Dropped;
                    }
                    Node::Fragment => descends = true,
                    _ => {}
                }
                if descends && child.has_children() {
                    open += 1;
                    here = child;
                    next = child.first_child();
                } else {
                    next = child.next_sibling();
                }
            }
            None if open > 0 => {
                open -= 1;
                next = here.next_sibling();
                if let Some(parent) = here.parent() {
                    here = parent;
                }
            }
            None => return fold(&text),
        }
    }
}
