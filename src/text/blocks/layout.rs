//! Lines put together into blocks: wrapped lines joined, lists nested, rows tied to their header.
//!
//! The rules of the canonical text come first; where a text has no blank lines or no markers, the
//! line breaks are judged by what stands around them. No line is ever moved, dropped or merged
//! across a heading, a list or a table.

use crate::text::blocks::block::{Block, BlockKind};
use crate::text::blocks::enumerator::Enumerator;
use crate::text::blocks::line::{
    Line, LineKind, columns, ends_clause, ends_sentence, leads_in, line_goes_on, read_cells,
};
use crate::text::blocks::nesting::ListStack;
use crate::text::blocks::title::mark_titles;
use crate::text::span::Span;

/// Builds the blocks of `text` from its lines, in one pass.
pub fn build_blocks(text: &str, lines: &[Line]) -> Vec<Block> {
    let mut lines = settle_weak_lines(text, lines);
    mark_titles(text, &mut lines);
    let mut builder = Builder {
        text,
        lines: &lines,
        blocks: Vec::new(),
        headings: Vec::new(),
        list: ListStack::default(),
        header: None,
        breaks_paragraphs: breaks_paragraphs(text, &lines),
    };
    let mut at = 0;
    while at < lines.len() {
        at = builder.take(at);
    }
    builder.blocks
}

/// How far a weak list line looks for a neighbour of its list.
const NEIGHBOURS: usize = 8;

/// Turns lines that only might be list lines or table rows into text where no neighbour agrees.
fn settle_weak_lines(text: &str, lines: &[Line]) -> Vec<Line> {
    let mut settled = lines.to_vec();
    for (at, line) in lines.iter().enumerate() {
        let kind = match &line.kind {
            LineKind::Item(found) if is_doubtful(text, lines, at, found) => {
                let near = at.saturating_sub(NEIGHBOURS)..(at + NEIGHBOURS + 1).min(lines.len());
                let has_peer =
                    near.filter(|&it| it != at).any(|it| is_peer(found, &lines[it].kind));
                (!has_peer).then_some(LineKind::Plain)
            }
            LineKind::Row(false) => {
                let is_rule = lines.get(at + 1).is_some_and(|it| it.kind == LineKind::Rule);
                let beside = |it: Option<&Line>| is_row_beside(text, line, it);
                let next = beside(lines.get(at + 1));
                let before = at > 0 && beside(lines.get(at - 1));
                (!(is_rule || next || before)).then_some(LineKind::Plain)
            }
            LineKind::Label(6) => {
                let next = lines[at + 1..].iter().find(|it| it.kind != LineKind::Blank);
                let leads = next.is_some_and(|it| matches!(it.kind, LineKind::Label(5)));
                (!leads).then_some(LineKind::Plain)
            }
            _ => None,
        };
        if let Some(kind) = kind {
            settled[at].kind = kind;
        }
    }
    settled
}

fn is_doubtful(text: &str, lines: &[Line], at: usize, found: &Enumerator) -> bool {
    if found.style.is_bullet() && !found.is_weak {
        return false;
    }
    let above = at.checked_sub(1).and_then(|it| lines.get(it));
    let led_in = above.is_some_and(|it| leads_in(slice(text, it.span)));
    if found.is_weak {
        return !led_in;
    }
    // "under paragraph / (a) of section 5": a wrapped line that starts with a reference.
    above.is_some_and(|it| {
        let open = slice(text, it.span);
        it.kind == LineKind::Plain && !ends_sentence(open) && !ends_clause(open)
    })
}

fn is_peer(found: &Enumerator, other: &LineKind) -> bool {
    let LineKind::Item(other) = other else { return false };
    if found.style != other.style {
        return false;
    }
    match (found.ordinal, other.ordinal) {
        (Some(one), Some(two)) => one.abs_diff(two) == 1,
        (None, None) => true,
        _ => false,
    }
}

fn is_row_beside(text: &str, line: &Line, other: Option<&Line>) -> bool {
    let Some(other) = other else { return false };
    matches!(other.kind, LineKind::Row(_)) && {
        let near = |it: &Line| it.span.len() < 4000;
        let count = |it: &Line| read_cells(slice(text, it.span)).len();
        near(line) && near(other) && count(line) == count(other)
    }
}

/// True where single line breaks end paragraphs: a text with one element a line and few blank
/// lines between them.
fn breaks_paragraphs(text: &str, lines: &[Line]) -> bool {
    let (mut tight, mut loose) = (0, 0);
    for pair in lines.windows(2) {
        match (&pair[0].kind, &pair[1].kind) {
            (LineKind::Plain, LineKind::Plain) => {
                tight += usize::from(ends_sentence(slice(text, pair[0].span)));
            }
            (LineKind::Plain, LineKind::Blank) | (LineKind::Blank, LineKind::Plain) => loose += 1,
            _ => {}
        }
    }
    tight > loose || loose == 0
}

fn slice(text: &str, span: Span) -> &str {
    span.slice(text).unwrap_or("")
}

struct Builder<'a> {
    text: &'a str,
    lines: &'a [Line],
    blocks: Vec<Block>,
    /// Open headings: level and block, outermost first.
    headings: Vec<(usize, usize)>,
    list: ListStack,
    /// The header row of the open table.
    header: Option<usize>,
    breaks_paragraphs: bool,
}

impl Builder<'_> {
    /// Takes the block that starts at line `at`; returns the line after it.
    fn take(&mut self, at: usize) -> usize {
        let line = &self.lines[at];
        let in_table = matches!(line.kind, LineKind::Row(_) | LineKind::Rule);
        if !in_table {
            self.header = None;
        }
        match &line.kind {
            LineKind::Blank => at + 1,
            LineKind::Hash(level, from) => {
                self.take_heading(at, *level, Span::new(*from, line.span.len()))
            }
            LineKind::Label(level) => self.take_heading(at, *level, Span::new(0, line.span.len())),
            LineKind::Title(level, title) => self.take_heading(at, *level, *title),
            LineKind::Mark(label) => self.take_mark(at, *label),
            LineKind::Row(_) => self.take_row(at),
            LineKind::Rule => self.take_rule(at),
            LineKind::Item(found) => self.take_item(at, *found),
            LineKind::Plain => self.take_paragraph(at),
        }
    }

    fn push(&mut self, kind: BlockKind, span: Span, content: Span) -> usize {
        let heading = self.headings.last().map(|it| it.1);
        let cells = Vec::new();
        self.blocks.push(Block { kind, span, content, depth: 0, parent: heading, heading, cells });
        self.blocks.len() - 1
    }

    fn take_heading(&mut self, at: usize, level: usize, title: Span) -> usize {
        let span = self.lines[at].span;
        while self.headings.last().is_some_and(|it| it.0 >= level) {
            self.headings.pop();
        }
        let block = self.push(BlockKind::Heading, span, title.shifted(span.start));
        self.blocks[block].depth = level;
        self.headings.push((level, block));
        self.list.close();
        at + 1
    }

    fn take_mark(&mut self, at: usize, label: Span) -> usize {
        let span = self.lines[at].span;
        self.headings.clear();
        self.list.close();
        self.push(BlockKind::DocumentMark, span, label.shifted(span.start));
        at + 1
    }

    fn take_row(&mut self, at: usize) -> usize {
        let span = self.lines[at].span;
        let cells: Vec<Span> = read_cells(slice(self.text, span))
            .into_iter()
            .map(|it| it.shifted(span.start))
            .collect();
        let is_header = self.lines.get(at + 1).is_some_and(|it| self.is_table_rule(it));
        let content = match (cells.first(), cells.last()) {
            (Some(first), Some(last)) => Span::new(first.start, last.end),
            _ => span,
        };
        let kind = if is_header { BlockKind::TableHeader } else { BlockKind::TableRow };
        let block = self.push(kind, span, content);
        self.blocks[block].cells = cells;
        if is_header {
            self.header = Some(block);
        } else if let Some(header) = self.header {
            self.blocks[block].parent = Some(header);
        }
        self.list.suspend();
        at + 1
    }

    fn is_table_rule(&self, line: &Line) -> bool {
        line.kind == LineKind::Rule && slice(self.text, line.span).starts_with(['|', '-'])
    }

    fn take_rule(&mut self, at: usize) -> usize {
        let span = self.lines[at].span;
        let after_header = self.header.is_some_and(|it| it + 1 == self.blocks.len());
        if !after_header {
            self.header = None;
            self.list.close();
        }
        let block = self.push(BlockKind::TableRule, span, span);
        if after_header {
            self.blocks[block].parent = self.header;
        }
        at + 1
    }

    fn take_item(&mut self, at: usize, found: Enumerator) -> usize {
        let line = &self.lines[at];
        let lead = self.lead_of_new_list();
        let (depth, parent) = self.list.place(line.indent, found, lead, self.blocks.len());
        let last = self.last_line_of_item(at);
        let span = Span::new(line.span.start, self.lines[last].span.end);
        let content = Span::new((line.span.start + found.len).min(span.end), span.end);
        let block = self.push(BlockKind::ListItem, span, content);
        self.blocks[block].depth = depth;
        self.blocks[block].parent = parent.or(self.blocks[block].heading);
        last + 1
    }

    /// What a list that starts here hangs on: the paragraph just above it, else the heading.
    fn lead_of_new_list(&self) -> Option<usize> {
        let last = self.blocks.len().checked_sub(1)?;
        match self.blocks[last].kind {
            BlockKind::Paragraph | BlockKind::Heading => Some(last),
            _ => None,
        }
    }

    /// An item goes on in lines indented to its text, and in lines that finish its sentence.
    fn last_line_of_item(&self, at: usize) -> usize {
        let indent = self.lines[at].indent;
        let mut last = at;
        while let Some(next) = self.lines.get(last + 1) {
            if next.kind != LineKind::Plain {
                break;
            }
            let (open, tail) =
                (slice(self.text, self.lines[last].span), slice(self.text, next.span));
            let hangs = next.indent >= indent + 2;
            let wrapped = columns(open).max(columns(tail));
            if !hangs && !line_goes_on(open, tail, wrapped) {
                break;
            }
            last += 1;
        }
        last
    }

    fn take_paragraph(&mut self, at: usize) -> usize {
        let end = self.end_of_stretch(at);
        if self.breaks_paragraphs {
            self.take_broken_stretch(at, end);
        } else {
            self.push_paragraph(at, end - 1);
        }
        end
    }

    /// One past the last plain line from `at` on.
    fn end_of_stretch(&self, at: usize) -> usize {
        let plain = |it: &Line| it.kind == LineKind::Plain;
        at + self.lines[at..].iter().take_while(|it| plain(it)).count()
    }

    fn push_paragraph(&mut self, first: usize, last: usize) {
        let line = &self.lines[first];
        let span = Span::new(line.span.start, self.lines[last].span.end);
        let owner = self.list.owner_of_indented(line.indent);
        let block = self.push(BlockKind::Paragraph, span, span);
        match owner {
            Some(owner) => self.blocks[block].parent = Some(owner),
            None => self.list.suspend(),
        }
    }

    /// Plain lines without blank lines between them: each line break is judged.
    fn take_broken_stretch(&mut self, from: usize, to: usize) {
        let width = (from..to).map(|it| columns(slice(self.text, self.lines[it].span))).max();
        let width = width.unwrap_or(0);
        let mut first = from;
        while first < to {
            let mut last = first;
            while last + 1 < to && self.goes_on(last, width) {
                last += 1;
            }
            self.push_paragraph(first, last);
            first = last + 1;
            if leads_in(slice(self.text, self.lines[last].span)) {
                let count = self.count_unmarked_items(first, to, width);
                self.push_unmarked_items(first, first + count);
                first += count;
            }
        }
    }

    fn goes_on(&self, at: usize, width: usize) -> bool {
        let (line, next) = (&self.lines[at], &self.lines[at + 1]);
        let indented = next.indent > line.indent && next.indent >= 2;
        !indented && line_goes_on(slice(self.text, line.span), slice(self.text, next.span), width)
    }

    /// How many lines after a lead-in are items without markers: each starts in a small letter, a
    /// digit or a sign, or is a short Han line that ends no sentence.
    fn count_unmarked_items(&self, from: usize, to: usize, width: usize) -> usize {
        let lines = || (from..to).map(|it| slice(self.text, self.lines[it].span));
        let item_like = |line: &str| {
            let first = line.chars().find(|it| it.is_alphanumeric());
            first.is_some_and(|it| it.is_lowercase() || it.is_ascii_digit())
        };
        // "British" above "a national of another country": a name among the items.
        const NAME: usize = 40;
        let name_like = |at: usize, line: &str| {
            columns(line) <= NAME
                && !ends_sentence(line)
                && from + at + 1 < to
                && item_like(slice(self.text, self.lines[from + at + 1].span))
        };
        let is_item = |(at, line): &(usize, &str)| item_like(line) || name_like(*at, line);
        let count = lines().enumerate().take_while(is_item).count();
        // A wrapped sentence after a colon fills its lines; the lines of a list do not.
        let wrapped = count >= 1
            && width <= 140
            && lines().take(count).zip(lines().skip(1).take(count.saturating_sub(1))).all(
                |(line, next)| {
                    let word = next.split(' ').next().map_or(0, columns);
                    columns(line) + 1 + word > width
                },
            )
            && lines().nth(count - 1).is_some_and(ends_sentence);
        if wrapped && count > 1 {
            return 0;
        }
        if count > 0 {
            return count;
        }
        let han_item = |line: &str| {
            line.starts_with(crate::text::glyphs::letter::is_han)
                && !line.ends_with(['。', '：', ':'])
        };
        let count = lines().take_while(|it| han_item(it)).count();
        let closes = lines().nth(count).is_some_and(|it| count > 0 && it.ends_with('。'))
            && lines().nth(count - 1).is_some_and(|it| it.ends_with(['；', ';', '、', '，']));
        if count + usize::from(closes) > 1 { count + usize::from(closes) } else { 0 }
    }

    fn push_unmarked_items(&mut self, from: usize, to: usize) {
        let lead = self.blocks.len().checked_sub(1);
        for at in from..to {
            let span = self.lines[at].span;
            let block = self.push(BlockKind::ListItem, span, span);
            self.blocks[block].depth = 1;
            self.blocks[block].parent = lead;
        }
    }
}
