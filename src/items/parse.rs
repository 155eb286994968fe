//! HTML to a tree, by the parsing rules of the web, in time linear in the page.
//!
//! The standard's algorithm is quadratic or worse on hostile markup: elements nested a hundred
//! thousand deep, formatting elements that are never closed, tags with a million attributes. As
//! browsers do, nesting ends at a fixed depth; formatting that multiplies is read as plain inline
//! elements; attributes beyond any use are not read. No text is lost by any of the three.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use ego_tree::NodeId;
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{LocalName, TokenizerResult};
use scraper::{Html, HtmlTreeSink};

use crate::items::element::{PLAIN, parts_its_line};

/// Chromium's limit for the depth of a tree from a parser; deeper elements are siblings.
const DEEPEST: usize = 512;
/// Attributes of one tag that are read.
const MOST_ATTRIBUTES: usize = 512;
/// Nodes a page may make before they are compared with its tokens.
const FREE_NODES: usize = 20_000;
/// Parses a whole document.
pub fn parse_html(html: &str) -> Html {
    let html = with_bounded_tags(html);
    parse(&html, false).or_else(|| parse(&html, true)).unwrap_or_else(Html::new_document)
}

/// `None` where formatting elements multiply and were not read as plain ones.
fn parse(html: &str, reads_plain: bool) -> Option<Html> {
    let sink = HtmlTreeSink::new(Html::new_document());
    let guard = Guard {
        builder: TreeBuilder::new(sink, TreeBuilderOpts::default()),
        reads_plain,
        n_tokens: Cell::new(0),
        depth_known_at: Cell::new(0),
        depth: Cell::new(0),
        is_settled: Cell::new(false),
        dropped: RefCell::default(),
        has_multiplied: Cell::new(false),
    };
    let tokenizer = Tokenizer::new(guard, TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(html));
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    tokenizer.end();
    let guard = tokenizer.sink;
    (!guard.has_multiplied.get()).then(|| guard.builder.sink.0.into_inner())
}

/// Stands between tokenizer and tree builder.
struct Guard {
    builder: TreeBuilder<NodeId, HtmlTreeSink>,
    reads_plain: bool,
    n_tokens: Cell<usize>,
    /// Nodes there were when the depth was last looked at.
    depth_known_at: Cell<usize>,
    /// Depth of the current node at that time.
    depth: Cell<usize>,
    /// True while nothing has begun or ended since then.
    is_settled: Cell<bool>,
    /// Start tags left out, by name, whose end tags are still to come.
    dropped: RefCell<HashMap<LocalName, usize>>,
    has_multiplied: Cell<bool>,
}

impl TokenSink for Guard {
    type Handle = NodeId;

    fn process_token(&self, token: Token, line_number: u64) -> TokenSinkResult<NodeId> {
        if self.has_multiplied.get() {
            return TokenSinkResult::Continue;
        }
        self.n_tokens.set(self.n_tokens.get() + 1);
        let token = match token {
            Token::TagToken(tag) => match self.admit(tag, line_number) {
                Some(tag) => Token::TagToken(tag),
                None => return TokenSinkResult::Continue,
            },
            // Counted by nobody, and a hostile page makes millions.
            Token::ParseError(_) => return TokenSinkResult::Continue,
            other => other,
        };
        let result = self.builder.process_token(token, line_number);
        let is_many = self.n_nodes() > FREE_NODES + 4 * self.n_tokens.get();
        self.has_multiplied.set(is_many && !self.reads_plain);
        result
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

impl Guard {
    /// The tag as the tree builder gets it; `None` where it stands too deep, or ends such a one.
    fn admit(&self, mut tag: Tag, line_number: u64) -> Option<Tag> {
        if self.reads_plain && is_formatting(&tag.name) {
            tag.name = LocalName::from(format!("{PLAIN}{}", &*tag.name));
        }
        match tag.kind {
            TagKind::StartTag if holds_no_elements(&tag.name) => Some(tag),
            TagKind::StartTag => {
                if self.is_at_the_bottom(line_number) {
                    self.part_text(&tag.name, line_number);
                    *self.dropped.borrow_mut().entry(tag.name).or_default() += 1;
                    return None;
                }
                self.is_settled.set(false);
                Some(tag)
            }
            TagKind::EndTag => {
                if let Some(n) = self.dropped.borrow_mut().get_mut(&tag.name).filter(|n| **n > 0) {
                    *n -= 1;
                    self.part_text(&tag.name, line_number);
                    return None;
                }
                self.is_settled.set(false);
                Some(tag)
            }
        }
    }

    /// In place of a block that is left out: what it held stays apart from what stands around it.
    fn part_text(&self, name: &str, line_number: u64) {
        if parts_its_line(name) {
            let tag = Tag {
                kind: TagKind::StartTag,
                name: LocalName::from("br"),
                self_closing: false,
                attrs: Vec::new(),
                had_duplicate_attributes: false,
            };
            let _ = self.builder.process_token(Token::TagToken(tag), line_number);
        }
    }

    /// True where the current node stands as deep as elements may. The depth can only have grown
    /// by as many as nodes have been made since it was last known, so it is seldom looked at.
    fn is_at_the_bottom(&self, line_number: u64) -> bool {
        if self.is_settled.get() {
            return self.depth.get() >= DEEPEST;
        }
        let made = self.n_nodes() - self.depth_known_at.get();
        if self.depth.get() + made < DEEPEST {
            return false;
        }
        // A comment goes where the next element would; readers do not see it.
        let probe = Token::CommentToken(StrTendril::new());
        let _ = self.builder.process_token(probe, line_number);
        let html = self.builder.sink.0.borrow();
        let depth =
            html.tree.nodes().next_back().map_or(0, |it| it.ancestors().take(DEEPEST).count());
        self.depth.set(depth);
        self.depth_known_at.set(html.tree.nodes().len());
        self.is_settled.set(true);
        depth >= DEEPEST
    }

    fn n_nodes(&self) -> usize {
        self.builder.sink.0.borrow().tree.nodes().len()
    }
}

/// The elements of the standard's list of active formatting elements.
fn is_formatting(name: &str) -> bool {
    matches!(
        name,
        "a" | "b"
            | "big"
            | "code"
            | "em"
            | "font"
            | "i"
            | "nobr"
            | "s"
            | "small"
            | "strike"
            | "strong"
            | "tt"
            | "u"
    )
}

/// Void and raw text elements: they hold no elements, and their content must not become markup.
fn holds_no_elements(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
            | "script"
            | "style"
            | "textarea"
            | "title"
            | "xmp"
            | "iframe"
            | "noembed"
            | "noframes"
            | "noscript"
            | "plaintext"
    )
}

/// `html` with the attributes of hostile tags cut. The tokenizer compares each attribute with all
/// before it, so that a tag of a million attributes would take hours.
fn with_bounded_tags(html: &str) -> Cow<'_, str> {
    let bytes = html.as_bytes();
    let mut kept = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'<', &bytes[at..]) {
        let start = at + found;
        at = start + 1;
        if !bytes.get(at).is_some_and(u8::is_ascii_alphabetic) {
            continue;
        }
        let tag = scan_tag(bytes, start);
        if let Some(cut) = tag.surplus_from {
            kept.push_str(&html[copied..cut]);
            copied = tag.end;
        }
        at = tag.end.max(at);
        if is_script(&bytes[start + 1..]) {
            // Code is full of `<` and quotes that are no markup.
            let close = memchr::memmem::find_iter(&bytes[at..], b"</")
                .find(|it| is_script(&bytes[at + it + 2..]));
            at = close.map_or(at, |it| at + it);
        }
    }
    if copied == 0 {
        return Cow::Borrowed(html);
    }
    kept.push_str(&html[copied..]);
    Cow::Owned(kept)
}

fn is_script(rest: &[u8]) -> bool {
    rest.get(..6).is_some_and(|it| it.eq_ignore_ascii_case(b"script"))
}

struct ScannedTag {
    /// Where the attributes begin that are too many.
    surplus_from: Option<usize>,
    /// The `>` of the tag, or the end of the page.
    end: usize,
}

/// Reads over a tag from its `<`, as the tokenizer does: quotes count only after `=`.
fn scan_tag(bytes: &[u8], start: usize) -> ScannedTag {
    let is_space = |it: u8| matches!(it, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c');
    let mut at = start + 1;
    let (mut n_attributes, mut surplus_from, mut is_in_name) = (0, None, true);
    while at < bytes.len() {
        match bytes[at] {
            b'>' => break,
            b'=' => {
                at += 1;
                while bytes.get(at).copied().is_some_and(is_space) {
                    at += 1;
                }
                match bytes.get(at) {
                    Some(quote @ (b'"' | b'\'')) => {
                        let rest = &bytes[at + 1..];
                        at += memchr::memchr(*quote, rest).map_or(rest.len() + 1, |it| it + 2);
                    }
                    _ => {
                        while bytes.get(at).is_some_and(|it| !is_space(*it) && *it != b'>') {
                            at += 1;
                        }
                    }
                }
                is_in_name = false;
                continue;
            }
            it if is_space(it) || it == b'/' => is_in_name = false,
            _ if !is_in_name => {
                is_in_name = true;
                n_attributes += 1;
                if n_attributes > MOST_ATTRIBUTES && surplus_from.is_none() {
                    surplus_from = Some(at);
                }
            }
            _ => {}
        }
        at += 1;
    }
    ScannedTag { surplus_from, end: at.min(bytes.len()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(html: &Html) -> String {
        html.tree.values().filter_map(|it| it.as_text()).map(|it| it.to_string()).collect()
    }

    #[test]
    fn ordinary_pages_are_parsed_as_the_standard_says() {
        for page in [
            "<!doctype html><p>a<b>b<i>c</b>d</i><table><tr><td>x</table>",
            "<b>a<p>b</b>c<a href=x>d<a href=y>e",
            "<svg><title>t</title></svg><select><option>a<option>b</select><pre>\n x</pre>",
        ] {
            let expected = Html::parse_document(page);
            assert_eq!(parse_html(page).html(), expected.html(), "{page}");
        }
    }

    #[test]
    fn nesting_ends_at_a_depth_and_no_text_is_lost() {
        let page = format!("{}end{}after", "<div>a".repeat(5000), "</div>".repeat(5000));
        let html = parse_html(&page);
        assert_eq!(words(&html), format!("{}endafter", "a".repeat(5000)));
        let breaks =
            html.tree.values().filter_map(|it| it.as_element()).filter(|it| it.name() == "br");
        assert!(breaks.count() > 8000);
        let deepest = html.tree.nodes().map(|it| it.ancestors().count()).max();
        assert!(deepest.is_some_and(|it| it <= DEEPEST + 2), "{deepest:?}");
    }

    #[test]
    fn formatting_that_multiplies_is_read_as_plain() {
        let page: String = (0..3000).map(|it| format!("<div><b id=i{it}>a</div>")).collect();
        let html = parse_html(&page);
        assert_eq!(words(&html), "a".repeat(3000));
        assert!(html.tree.nodes().len() < 20_000);
    }

    #[test]
    fn a_tag_has_a_bounded_number_of_attributes() {
        let many: String = (0..2000).map(|it| format!(" a{it}='>'")).collect();
        let page = format!("<p{many}>text</p><p title='a > b' x>more</p>");
        let bounded = with_bounded_tags(&page);
        assert!(bounded.contains("a511=") && !bounded.contains("a600="));
        assert!(bounded.ends_with(">text</p><p title='a > b' x>more</p>"));
        assert_eq!(
            with_bounded_tags("<a b=c>d<script>i<a && '</a>"),
            "<a b=c>d<script>i<a && '</a>"
        );
    }
}
