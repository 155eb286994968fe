//! The walk over a parsed page: each node once, in document order, without recursion.
//!
//! It tells the writer what stands where, keeps apart what a reader does not see, and knows the
//! element of every word. What stands outside the content never reaches the writer.

use ego_tree::NodeRef;
use scraper::node::Element;
use scraper::{Html, Node};

use crate::items::below::{OF_A_LINK, text_below};
use crate::items::element::{Role, role_of};
use crate::items::grid::CellShape;
use crate::items::line::{fold, is_layout_space, is_visible};
use crate::items::ordinal::Counter;
use crate::items::select::Choice;
use crate::items::shown::hidden_why;
use crate::items::survey::Survey;
use crate::items::writer::{Marker, Writer};
use crate::model::canonical::{Alternative, HiddenText, HiddenWhy};
use crate::model::page_map::ElementPlace;
use crate::text::markers::machine::{is_directed, machine_directed};
use crate::text::span::Span;

/// Attributes whose words a browser or a reading aid speaks or shows on demand.
const SPOKEN: [&str; 7] =
    ["alt", "title", "aria-label", "aria-description", "placeholder", "summary", "label"];
/// Bytes that an order to machines has at least.
const SHORTEST_ORDER: usize = 12;
/// Bytes of a comment or attribute that are looked at; longer ones are markup or scripts put aside.
const LONGEST_ORDER: usize = 20_000;

/// What the walk brings back.
#[derive(Debug, Default)]
pub struct Walked {
    pub writer: Writer,
    pub elements: Vec<ElementPlace>,
    pub hidden: Vec<HiddenText>,
    pub alternatives: Vec<Alternative>,
    /// The language that holds at the first content element.
    pub language: Option<String>,
    /// Spans of the elements that the source's item selector names, with their ids, in order.
    pub selected: Vec<(Span, Option<String>)>,
}

/// An element whose end has not come.
struct Frame<'a> {
    node: NodeRef<'a, Node>,
    role: Role,
    is_content_root: bool,
    /// Where the text began, for an element that is an item.
    selected_from: Option<usize>,
    /// Elements among the children so far.
    n_children: usize,
    nth: usize,
    place: Option<usize>,
    counter: Option<Counter>,
    n_items: usize,
}

/// Reads the content of a page.
pub fn walk(html: &Html, choice: &Choice, survey: &Survey) -> Walked {
    let mut walk =
        Walk { choice, survey, out: Walked::default(), frames: Vec::new(), content: 0, pre: 0 };
    let root = html.tree.root();
    let mut next = root.first_child();
    loop {
        match next {
            Some(node) => {
                let descends = walk.enter(node);
                next = if descends { node.first_child() } else { node.next_sibling() };
            }
            None => match walk.frames.pop() {
                Some(frame) => {
                    next = frame.node.next_sibling();
                    walk.leave(&frame);
                }
                None => break,
            },
        }
    }
    walk.out.writer.end_block();
    walk.out
}

struct Walk<'a> {
    choice: &'a Choice,
    survey: &'a Survey,
    out: Walked,
    frames: Vec<Frame<'a>>,
    /// Open content elements.
    content: usize,
    /// Open preformatted elements.
    pre: usize,
}

impl<'a> Walk<'a> {
    /// True where the node's children are to be visited; a frame has been pushed then.
    fn enter(&mut self, node: NodeRef<'a, Node>) -> bool {
        match node.value() {
            Node::Element(element) => self.enter_element(node, element),
            Node::Text(text) => {
                if self.content > 0 {
                    self.read_text(text);
                }
                false
            }
            Node::Comment(comment) => {
                self.note_for_machines(HiddenWhy::Comment, comment);
                false
            }
            // The inner document of a template hangs on a fragment, and templates are not entered.
            _ => false,
        }
    }

    fn enter_element(&mut self, node: NodeRef<'a, Node>, element: &'a Element) -> bool {
        let nth = match self.frames.last_mut() {
            Some(parent) => {
                parent.n_children += 1;
                parent.n_children
            }
            None => 1,
        };
        for name in SPOKEN {
            self.note_for_machines(HiddenWhy::Words, element.attr(name).unwrap_or_default());
        }
        let role = self.role_here(node, element);
        if self.choice.excluded.contains(&node.id()) || role == Role::Dropped {
            self.pass_by(role, element);
            return false;
        }
        let by_rule = self.survey.unseen.contains(&node.id());
        if let Some(why) = hidden_why(element, &self.survey.openable, by_rule) {
            if self.content > 0 {
                let text = text_below(node, usize::MAX);
                if is_visible(&text) {
                    let at = self.out.writer.written_len();
                    self.out.hidden.push(HiddenText { why, text, at });
                }
            }
            self.pass_by(role, element);
            return false;
        }
        let mut frame = Frame {
            node,
            role,
            is_content_root: self.choice.content.contains(&node.id()),
            selected_from: None,
            n_children: 0,
            nth,
            place: None,
            counter: None,
            n_items: 0,
        };
        if frame.is_content_root {
            self.out.writer.end_block();
            self.content += 1;
            if self.out.language.is_none() {
                self.out.language = self.language_at(element);
            }
        }
        if self.content > 0 {
            if self.choice.items.contains(&node.id()) {
                self.out.writer.end_block();
                frame.selected_from = Some(self.out.writer.written_len());
            }
            if !self.begin(element, &mut frame) {
                return false;
            }
        }
        self.frames.push(frame);
        true
    }

    /// The role of an element where it stands: in a table of layout, rows and cells are blocks.
    fn role_here(&self, node: NodeRef<'a, Node>, element: &Element) -> Role {
        let role = role_of(element);
        match role {
            Role::Table if self.survey.layout_tables.contains(&node.id()) => Role::Block,
            Role::Row | Role::Cell { .. } | Role::Caption if self.out.writer.table_is_closed() => {
                Role::Block
            }
            _ => role,
        }
    }

    /// What is left out still parts what stands around it.
    fn pass_by(&mut self, role: Role, element: &Element) {
        if self.content == 0 {
            return;
        }
        match role {
            Role::Dropped if matches!(element.name(), "input" | "select" | "textarea") => {
                self.out.writer.space();
            }
            Role::Inline | Role::Dropped | Role::Raised | Role::Struck | Role::Unseen => {
                self.out.writer.part_digits();
            }
            Role::Spaced => self.out.writer.space(),
            _ => self.out.writer.end_block(),
        }
    }

    fn language_at(&self, element: &Element) -> Option<String> {
        let own = std::iter::once(element);
        let above = self.frames.iter().rev().filter_map(|it| it.node.value().as_element());
        own.chain(above)
            .find_map(|it| it.attr("lang").map(str::trim).filter(|it| !it.is_empty()))
            .map(str::to_owned)
    }

    /// Tells the writer that an element begins. False where it has no inside to be read.
    fn begin(&mut self, element: &'a Element, frame: &mut Frame<'a>) -> bool {
        let writer = &mut self.out.writer;
        match frame.role {
            Role::Inline => {}
            Role::Block | Role::Caption => {
                writer.end_block();
                if matches!(element.name(), "thead" | "tbody" | "tfoot")
                    && let Some(grid) = writer.table()
                {
                    grid.part_groups();
                }
            }
            Role::Heading(level) => writer.begin_heading(level),
            Role::List { is_ordered } => {
                writer.begin_list();
                frame.counter = is_ordered.then(|| Counter::of_list(element, items_in(frame.node)));
            }
            Role::Item => {
                let marker = self.next_marker(element);
                self.out.writer.begin_item(marker);
            }
            Role::Table => writer.begin_table(),
            Role::Row => {
                let is_in_head = self
                    .frames
                    .last()
                    .and_then(|it| it.node.value().as_element())
                    .is_some_and(|it| it.name() == "thead");
                if let Some(grid) = writer.table() {
                    grid.begin_row(is_in_head);
                }
            }
            Role::Cell { is_header } => {
                let shape = shape_of(element, is_header);
                if let Some(grid) = writer.table() {
                    grid.begin_cell(shape);
                }
            }
            Role::Break => {
                writer.break_line();
                return false;
            }
            Role::Spaced => writer.space(),
            Role::Raised => writer.part_digits(),
            Role::Preformatted => {
                writer.end_block();
                self.pre += 1;
            }
            Role::Image => {
                self.note_alternative("img", element.attr("alt").unwrap_or_default());
                return false;
            }
            Role::Drawing => {
                self.note_alternative("svg", &text_below(frame.node, OF_A_LINK));
                return false;
            }
            Role::Annotation => {
                self.note_alternative("ruby", &text_below(frame.node, usize::MAX));
                return false;
            }
            Role::Struck | Role::Unseen | Role::Dropped => return false,
        }
        true
    }

    fn leave(&mut self, frame: &Frame<'a>) {
        if self.content == 0 {
            return;
        }
        let writer = &mut self.out.writer;
        match frame.role {
            Role::Block | Role::Caption => writer.end_block(),
            Role::Heading(_) => writer.end_heading(),
            Role::List { .. } => writer.end_list(),
            Role::Item => writer.end_item(),
            Role::Table => writer.end_table(),
            Role::Cell { .. } => {
                if let Some(grid) = writer.table() {
                    grid.end_cell();
                }
            }
            Role::Spaced => writer.space(),
            Role::Raised => writer.part_digits(),
            Role::Preformatted => {
                writer.end_block();
                self.pre -= 1;
            }
            _ => {}
        }
        if let Some(from) = frame.selected_from {
            self.out.writer.end_block();
            let span = Span::new(from, self.out.writer.written_len());
            let id = frame.node.value().as_element().and_then(Element::id).map(str::to_owned);
            self.out.selected.push((span, id));
        }
        if frame.is_content_root {
            self.out.writer.end_block();
            self.content -= 1;
        }
    }

    /// The marker of an item, counted in its list.
    fn next_marker(&mut self, item: &Element) -> Marker {
        let bullet = || "- ".to_owned();
        // Widgets put elements between list and item; the nearest list counts.
        let is_border = |it: &&mut Frame<'_>| matches!(it.role, Role::Item | Role::List { .. });
        let list = self.frames.iter_mut().rev().find(is_border);
        let Some(list) = list.filter(|it| it.role != Role::Item && item.name() == "li") else {
            return Marker { shown: bullet(), is_first: false, is_of_list: false };
        };
        list.n_items += 1;
        let shown = list.counter.as_mut().map_or_else(bullet, |it| it.next_marker(item));
        Marker { shown, is_first: list.n_items == 1, is_of_list: true }
    }

    fn read_text(&mut self, text: &str) {
        if text.bytes().all(is_layout_space) && self.pre == 0 {
            self.out.writer.space();
            return;
        }
        let element = self.place();
        if self.pre > 0 {
            self.out.writer.push_preformatted(text, element);
        } else {
            self.out.writer.push(text, element);
        }
    }

    /// The number of the innermost open element, which gets one now if it has none.
    fn place(&mut self) -> usize {
        let from = self.frames.iter().rposition(|it| it.place.is_some());
        let mut parent = from.and_then(|it| self.frames[it].place);
        for frame in &mut self.frames[from.map_or(0, |it| it + 1)..] {
            let Some(element) = frame.node.value().as_element() else { continue };
            self.out.elements.push(ElementPlace {
                parent,
                tag: element.name().to_owned(),
                nth: frame.nth,
                id: element.id().filter(|it| !it.trim().is_empty()).map(str::to_owned),
            });
            parent = Some(self.out.elements.len() - 1);
            frame.place = parent;
        }
        parent.unwrap_or_default()
    }

    /// Keeps apart what no reader is shown as text and what gives orders to machines all the same. Other
    /// comments and titles are of no use to anybody.
    fn note_for_machines(&mut self, why: HiddenWhy, text: &str) {
        if self.content == 0 || text.len() < SHORTEST_ORDER || text.len() > LONGEST_ORDER {
            return;
        }
        if is_directed(text) || !machine_directed(text).is_empty() {
            let at = self.out.writer.written_len();
            self.out.hidden.push(HiddenText { why, text: fold(text), at });
        }
    }

    fn note_alternative(&mut self, kind: &str, text: &str) {
        let text = fold(text);
        if is_visible(&text) {
            let at = self.out.writer.written_len();
            self.out.alternatives.push(Alternative { kind: kind.to_owned(), text, at });
        }
    }
}

fn shape_of(element: &Element, is_header: bool) -> CellShape {
    let count =
        |name: &str| element.attr(name).and_then(|it| it.trim().parse::<usize>().ok()).unwrap_or(1);
    CellShape {
        is_header,
        heads_its_row: matches!(element.attr("scope"), Some("row" | "rowgroup")),
        columns: count("colspan").clamp(1, 1000),
        // HTML: 0 means all rows that are left in the group.
        rows: match count("rowspan") {
            0 => 65534,
            n => n.min(65534),
        },
    }
}

/// Items that are children of a list.
fn items_in(list: NodeRef<'_, Node>) -> usize {
    list.children().filter(|it| it.value().as_element().is_some_and(|it| it.name() == "li")).count()
}
