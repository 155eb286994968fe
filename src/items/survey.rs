//! One pass over a parsed page before it is read: what can only be known by looking ahead.
//!
//! It decides nothing about text; it tells tables of data from tables of layout, and which
//! elements a control of the page opens or a style of the page hides.

use std::collections::{BTreeSet, HashSet};

use ego_tree::NodeId;
use ego_tree::iter::Edge;
use scraper::{Html, Node};

use crate::items::element::{Role, role_of};
use crate::items::stylesheet::unseen_by_rules;

/// What a look ahead tells.
#[derive(Debug, Default)]
pub struct Survey {
    /// Tables that only arrange other blocks: their cells are read as blocks.
    pub layout_tables: HashSet<NodeId>,
    /// Ids that a button, a tab or a link of the page opens.
    pub openable: BTreeSet<String>,
    /// Elements that the page's own style rules leave unseen.
    pub unseen: HashSet<NodeId>,
}

#[derive(Debug)]
struct OpenTable {
    id: NodeId,
    is_presentation: bool,
    has_header_cell: bool,
    has_heading: bool,
    has_table: bool,
    cells_of_row: usize,
    most_cells: usize,
}

impl OpenTable {
    fn is_layout(&self) -> bool {
        self.is_presentation
            || self.has_table
            || (!self.has_header_cell && (self.has_heading || self.most_cells < 2))
    }
}

/// Looks over the whole tree once, in time linear in its size.
pub fn survey(html: &Html) -> Survey {
    let mut found = Survey { unseen: unseen_by_rules(html), ..Survey::default() };
    let mut open: Vec<OpenTable> = Vec::new();
    for edge in html.tree.root().traverse() {
        match edge {
            Edge::Open(node) => {
                let Node::Element(element) = node.value() else { continue };
                note_controls(element, &mut found.openable);
                match role_of(element) {
                    Role::Table => {
                        if let Some(outer) = open.last_mut() {
                            outer.has_table = true;
                        }
                        open.push(OpenTable {
                            id: node.id(),
                            is_presentation: matches!(
                                element.attr("role"),
                                Some("presentation" | "none")
                            ),
                            has_header_cell: false,
                            has_heading: false,
                            has_table: false,
                            cells_of_row: 0,
                            most_cells: 0,
                        });
                    }
                    role => {
                        if let Some(table) = open.last_mut() {
                            note_in_table(table, role);
                        }
                    }
                }
            }
            Edge::Close(node) => {
                if open.last().is_some_and(|it| it.id == node.id())
                    && let Some(table) = open.pop()
                    && table.is_layout()
                {
                    found.layout_tables.insert(table.id);
                }
            }
        }
    }
    found
}

fn note_in_table(table: &mut OpenTable, role: Role) {
    match role {
        Role::Row => table.cells_of_row = 0,
        Role::Cell { is_header } => {
            table.has_header_cell |= is_header;
            table.cells_of_row += 1;
            table.most_cells = table.most_cells.max(table.cells_of_row);
        }
        Role::Heading(_) => table.has_heading = true,
        _ => {}
    }
}

/// `aria-controls` of anything, and the collapse targets that widget libraries write.
fn note_controls(element: &scraper::node::Element, openable: &mut BTreeSet<String>) {
    if let Some(ids) = element.attr("aria-controls") {
        openable.extend(ids.split_ascii_whitespace().map(str::to_owned));
    }
    let toggles = ["data-toggle", "data-bs-toggle"].into_iter().any(|it| {
        matches!(element.attr(it), Some("collapse" | "tab" | "pill" | "dropdown" | "modal"))
    });
    if toggles {
        let targets = ["data-target", "data-bs-target", "href"];
        openable.extend(
            targets
                .into_iter()
                .filter_map(|it| element.attr(it)?.strip_prefix('#'))
                .map(str::to_owned),
        );
    }
}
