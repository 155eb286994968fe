//! Reads the conditions out of an ask's own text.
//!
//! Pure and deterministic: the same ask gives the same reply. Every snippet is an exact slice of the
//! ask's text; nothing is taken from the instructions, the examples or anywhere else.

use std::collections::BTreeSet;

use crate::model::ask::{Ask, ExtractReply};
use crate::model::claim::{Claim, Group, Join};
use crate::reader::clause::{closes, has_any, is_mostly_han, trim};
use crate::reader::concept::Act;
use crate::reader::draft::{Draft, Seat, claim_of};
use crate::reader::english::{EnglishSeat, read_english_sentence};
use crate::reader::example::examples_in;
use crate::reader::field::{FieldChooser, Wanted};
use crate::reader::han::{HanSeat, read_han_sentence, read_proviso};
use crate::reader::lead::{LeadSense, ListKind, asks_who, no_lead, read_lead};
use crate::reader::lists::Lists;
use crate::reader::measure::measures_in;
use crate::reader::quote::{complete_quote, markers_of};
use crate::text::blocks::lead_in::join_of_lead;
use crate::text::blocks::outline::{Block, BlockKind, Outline, read_outline};
use crate::text::joins::combination::{Certainty, Combination, Connection};
use crate::text::joins::connective::join_of_ends;
use crate::text::sentence::{is_proviso, sentences_of_block};
use crate::text::span::Span;

/// The rows and groups of an ask's text.
pub fn extract(ask: &Ask) -> ExtractReply {
    let outline = read_outline(&ask.text);
    let mut reading = Reading {
        ask,
        outline: &outline,
        lists: Lists::new(&ask.text, &outline),
        chooser: FieldChooser::new(&ask.fields),
        senses: vec![None; outline.blocks.len()],
        rows: Vec::new(),
        groups: Vec::new(),
        named: BTreeSet::new(),
        stating: BTreeSet::new(),
        examples: examples_in(&ask.text, &outline),
    };
    for at in 0..outline.blocks.len() {
        reading.read_block(at);
    }
    reading.finish()
}

struct Reading<'a> {
    ask: &'a Ask,
    outline: &'a Outline,
    lists: Lists,
    chooser: FieldChooser<'a>,
    /// The sense of each lead-in, read when its first item is met.
    senses: Vec<Option<LeadSense>>,
    rows: Vec<Claim>,
    groups: Vec<Group>,
    /// Names of the groups so far.
    named: BTreeSet<String>,
    /// Blocks that state rows of their own.
    stating: BTreeSet<usize>,
    /// For each block: true where it only tells an example.
    examples: Vec<bool>,
}

impl<'a> Reading<'a> {
    fn read_block(&mut self, at: usize) {
        let outline = self.outline;
        let block = &outline.blocks[at];
        match block.kind {
            _ if self.examples[at] => {}
            BlockKind::Paragraph | BlockKind::ListItem => {
                let sense = self.sense_above(at);
                self.read_passage(at, sense);
            }
            BlockKind::TableRow => self.read_table_row(at),
            BlockKind::Heading => self.read_heading(at),
            _ => {}
        }
    }

    /// What is said above a list item; nothing for other blocks. An item that only leads a list
    /// within a list in ("1. By earthquake:") passes on what is said above itself.
    fn sense_above(&mut self, at: usize) -> LeadSense {
        let mut chain = self.lists.chain(at);
        let known = chain.iter().position(|&it| self.senses[it].is_some()).unwrap_or(chain.len());
        let mut sense = chain.get(known).and_then(|&it| self.senses[it]).unwrap_or_else(no_lead);
        chain.truncate(known);
        for &lead in chain.iter().rev() {
            sense = self.sense_of(lead, sense);
            self.senses[lead] = Some(sense);
        }
        sense
    }

    fn sense_of(&self, lead: usize, above: LeadSense) -> LeadSense {
        let text = self.ask.text.as_str();
        let block = &self.outline.blocks[lead];
        let words = self.lead_words(block);
        if block.kind == BlockKind::ListItem && passes_on(words) {
            return above;
        }
        let items = self.lists.items_of(lead).iter();
        let items: Vec<&str> =
            items.filter_map(|&it| self.outline.blocks[it].content.slice(text)).collect();
        let mut sense = read_lead(words, self.heading_of(lead), &items);
        if sense.kind == ListKind::Conditions {
            let stated = join_of_lead(text, block.content);
            let ends = join_of_ends(text, self.outline, self.lists.items_of(lead));
            sense.join = settle(sense.join, stated, ends);
        }
        sense
    }

    /// The words that lead a list in: all of a Chinese block, the last two English sentences.
    fn lead_words(&self, block: &Block) -> &'a str {
        let text = self.ask.text.as_str();
        let whole = block.content.slice(text).unwrap_or_default();
        if is_mostly_han(whole) {
            return whole;
        }
        let sentences = sentences_of_block(text, block.content);
        let from = sentences.len().saturating_sub(2);
        match (sentences.get(from), sentences.last()) {
            (Some(first), Some(last)) => text.get(first.start..last.end).unwrap_or_default(),
            _ => whole,
        }
    }

    /// The heading above a block, or the question of the item it answers; the item's own heading
    /// where the text begins without one.
    fn heading_of(&self, at: usize) -> &'a str {
        let text = self.ask.text.as_str();
        let block = &self.outline.blocks[at];
        if block.kind == BlockKind::Heading {
            return block.content.slice(text).unwrap_or_default();
        }
        self.question_above(block)
            .or(block.heading)
            .and_then(|it| self.outline.blocks[it].content.slice(text))
            .or_else(|| self.ask.heading_path.last().map(String::as_str))
            .unwrap_or_default()
    }

    /// The list item above a block that asks a question: a title of an accordion.
    fn question_above(&self, block: &Block) -> Option<usize> {
        let mut at = block.parent?;
        loop {
            let above = &self.outline.blocks[at];
            if above.kind == BlockKind::Heading {
                return None;
            }
            let words = above.content.slice(&self.ask.text).unwrap_or_default();
            if words.trim_end().ends_with(['?', '？']) {
                return Some(at);
            }
            at = above.parent?;
        }
    }

    fn read_passage(&mut self, at: usize, sense: LeadSense) {
        let text = self.ask.text.as_str();
        let block = &self.outline.blocks[at];
        let is_item = block.kind == BlockKind::ListItem;
        let is_lead = !self.lists.items_of(at).is_empty();
        let is_cases =
            sense.kind == ListKind::Conditions || (!is_item && self.names_the_covered(at));
        let sentences = sentences_of_block(text, block.content);
        let mut drafts = Vec::new();
        for (position, &sentence) in sentences.iter().enumerate() {
            let words = sentence.slice(text).unwrap_or_default();
            let is_first = position == 0;
            let first_draft = drafts.len();
            let force = sense.force.filter(|_| is_first);
            if !is_mostly_han(words) {
                let seat = EnglishSeat { is_case: is_cases && is_first, act: sense.act, force };
                drafts.extend(read_english_sentence(text, sentence, seat));
            } else if is_proviso(words) && !is_first {
                let punishes = drafts.last().is_some_and(|it| it.act == Act::Penalty);
                drafts.extend(read_proviso(text, sentence).into_iter().map(|mut it| {
                    // 但最高不得超過三萬元 behind a fine: still how much the fine is.
                    if punishes && it.act == Act::Condition {
                        it.act = Act::Penalty;
                    }
                    it
                }));
            } else {
                let proviso = sentences.get(position + 1).copied();
                let proviso = proviso.filter(|it| it.slice(text).is_some_and(is_proviso));
                let seat = HanSeat {
                    is_case: is_cases && is_first,
                    is_item: is_item && is_first,
                    is_lead,
                    act: if is_first { sense.act } else { Act::Condition },
                    force,
                };
                drafts.extend(read_han_sentence(text, sentence, proviso, seat));
            }
            let markers = markers_of(text, sentence);
            for draft in drafts.iter_mut().skip(first_draft) {
                draft.snippet = complete_quote(&markers, draft.snippet);
            }
        }
        self.seat_drafts(at, sense, drafts);
    }

    /// A short paragraph under "Who's covered?" names them: "Veterans."
    fn names_the_covered(&self, at: usize) -> bool {
        let words = self.outline.blocks[at].content.slice(&self.ask.text).unwrap_or_default();
        words.split_whitespace().count() <= 6 && asks_who(self.heading_of(at))
    }

    fn read_heading(&mut self, at: usize) {
        let text = self.ask.text.as_str();
        let content = self.outline.blocks[at].content;
        let words = content.slice(text).unwrap_or_default();
        if is_mostly_han(words) || words.trim_end().ends_with('?') {
            return;
        }
        let quote = trim(text, content, closes);
        let drafts: Vec<Draft> = measures_in(text, quote)
            .iter()
            .map(|it| Draft::measure(quote, quote, it, Act::Condition))
            .collect();
        self.seat_drafts(at, no_lead(), drafts);
    }

    fn read_table_row(&mut self, at: usize) {
        let text = self.ask.text.as_str();
        let outline = self.outline;
        let block = &outline.blocks[at];
        let (Some(first), Some(last)) = (block.cells.first(), block.cells.last()) else { return };
        let quote = Span::new(first.start, last.end);
        let label = first.slice(text).unwrap_or_default();
        if dates_the_page(label) {
            return;
        }
        let mut drafts = Vec::new();
        for (column, cell) in block.cells.iter().enumerate().skip(1) {
            let header = outline.header_cells(at).and_then(|it| it.get(column)).copied();
            for measure in measures_in(text, *cell) {
                let clause = header.unwrap_or(quote);
                drafts.push(
                    Draft::measure(quote, clause, &measure, Act::Grant).with_subject(Some(*first)),
                );
            }
        }
        self.seat_drafts(at, no_lead(), drafts);
    }

    /// Chooses field, subject, join and group of the drafts of one block.
    fn seat_drafts(&mut self, at: usize, sense: LeadSense, drafts: Vec<Draft>) {
        if drafts.is_empty() {
            return;
        }
        let text = self.ask.text.as_str();
        let lead = self.lists.lead_of(at);
        let heading = self.heading_of(at);
        let lead_words =
            lead.and_then(|it| self.outline.blocks[it].content.slice(text)).unwrap_or_default();
        let context = format!("{lead_words} {heading}");
        let group = lead.zip(sense.join).map(|(lead, join)| self.group_of(lead, join));
        let subject =
            if lead_words.is_empty() { heading } else { self.subject_of_lead(lead, heading) };
        for draft in drafts.into_iter().filter(|it| says_something(text, it)) {
            let bond = draft.bond.map(|(join, words)| (join, self.bind(join, words)));
            let (join, group) = match &bond {
                Some((join, group)) => (Some(*join), Some(group.as_str())),
                None if draft.act == Act::Exception && sense.act != Act::Exception => (None, None),
                None => (sense.join, group.as_deref()),
            };
            let clause = draft.clause.slice(text).unwrap_or_default();
            let wanted = Wanted { clause, context: &context, shape: draft.shape, act: draft.act };
            let Some(field) = self.chooser.choose(wanted) else { continue };
            self.rows.push(claim_of(text, &draft, field, Seat { join, group, subject }));
            self.stating.insert(at);
        }
    }

    /// The group of the list that a block leads in, and with it those that the list is nested in.
    fn group_of(&mut self, lead: usize, join: Join) -> String {
        let name = format!("g{lead}");
        if self.named.insert(name.clone()) {
            let around = self.list_around(lead);
            let parent = around.map(|(outer, join)| self.group_of(outer, join));
            let snippet = self.lead_words(&self.outline.blocks[lead]).to_owned();
            self.groups.push(Group { id: name.clone(), join: Some(join), parent, snippet });
        }
        name
    }

    /// The list that a whole list is one member of, by its lead-in and how it combines. An item that
    /// states rows of its own and leads a list in holds by all of them together, so only in a list of
    /// which all is needed are they members like the others.
    fn list_around(&self, lead: usize) -> Option<(usize, Join)> {
        let is_item = |it: &usize| self.outline.blocks[*it].kind == BlockKind::ListItem;
        let item = Some(lead)
            .filter(is_item)
            .or_else(|| self.outline.blocks[lead].parent.filter(is_item))?;
        let outer = self.lists.lead_of(item)?;
        let join = self.senses[outer].and_then(|it| it.join)?;
        let states_more = self.stating.contains(&item) || self.stating.contains(&lead);
        (join == Join::All || !states_more).then_some((outer, join))
    }

    /// Names the group that the words of a sentence make.
    fn bind(&mut self, join: Join, words: Span) -> String {
        let name = format!("s{}", words.start);
        if self.named.insert(name.clone()) {
            let snippet = words.slice(&self.ask.text).unwrap_or_default().to_owned();
            self.groups.push(Group { id: name.clone(), join: Some(join), parent: None, snippet });
        }
        name
    }

    fn subject_of_lead(&self, lead: Option<usize>, heading: &'a str) -> &'a str {
        let words = lead.map(|it| self.lead_words(&self.outline.blocks[it])).unwrap_or_default();
        if !is_mostly_han(words) {
            return heading;
        }
        words.split(['，', '：']).next().unwrap_or(heading)
    }

    fn finish(mut self) -> ExtractReply {
        let mut seen = BTreeSet::new();
        self.rows.retain(|it| {
            seen.insert((
                it.snippet.clone(),
                it.field.clone(),
                it.op,
                it.value.to_string(),
                it.subject.clone(),
            ))
        });
        for (at, row) in self.rows.iter_mut().enumerate() {
            row.id = format!("r{}", at + 1);
        }
        ExtractReply { rows: self.rows, groups: self.groups }
    }
}

/// What lead-in and items state goes before what the lead-in only seems to say; where they cannot be
/// read one way, nothing is claimed.
fn settle(seems: Option<Join>, lead: Option<Connection>, ends: Option<Connection>) -> Option<Join> {
    let stated = |it: Option<Connection>| it.filter(|it| it.certainty != Certainty::Implied);
    let Some(found) = stated(lead).or(stated(ends)) else {
        return seems.or_else(|| lead.or(ends).map(|it| join_of(it.combination)));
    };
    (found.certainty == Certainty::Stated).then(|| join_of(found.combination))
}

fn join_of(combination: Combination) -> Join {
    match combination {
        Combination::All => Join::All,
        Combination::Any => Join::Any,
        Combination::None => Join::None,
    }
}

/// Rows such as "Amended date: | …", 修正日期：| …, which date the page and state no rule.
fn dates_the_page(label: &str) -> bool {
    let low = label.to_lowercase();
    let is_date = has_any(&low, &["日期", "date"]);
    is_date
        && has_any(
            &low,
            &[
                "修正",
                "發布",
                "公布",
                "更新",
                "制定",
                "異動",
                "amended",
                "updated",
                "published",
                "announced",
                "modified",
            ],
        )
}

/// A quote of one letter (或, 且 between two items) says nothing, nor does the line of a table that is
/// drawn with letters.
fn says_something(text: &str, draft: &Draft) -> bool {
    draft.snippet.slice(text).is_some_and(|it| {
        it.chars().nth(1).is_some() && it.matches(['│', '┃', '║']).nth(1).is_none()
    })
}

/// True where an item says no more of its own list than what it is called.
fn passes_on(words: &str) -> bool {
    !has_any(words, &["下列", "左列", "如下", "之一", "following", "these", "must", " if"])
}
