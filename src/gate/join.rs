//! Whether rows combine as the page combines them: and, or, none of these.
//!
//! Read from the page around the quotes: the list they stand in, the words between two quotes of
//! one sentence. Silent where the page does not say; a row is wrong only where nothing it belongs to
//! combines as it says.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::gate::page::PageText;
use crate::gate::stand::Stand;
use crate::gate::stream::tokens_of;
use crate::model::claim::{self as stated, Claim, Join, Op};
use crate::model::finding::{Code, Finding, Verdict};
use crate::text::combination::{Certainty, Combination, Connection};
use crate::text::connective::{join_between, join_of_list};
use crate::text::span::Span;

/// The rows of a reply that combine with others: by sentence, by group, by list.
pub struct Company<'a> {
    page: &'a PageText,
    /// Index of the sentence -> rows in it.
    by_sentence: BTreeMap<usize, Vec<(Span, Group<'a>)>>,
    /// Group and lead-in -> the items below the lead-in that its rows quote, at most two.
    items: BTreeMap<(Group<'a>, usize), Vec<usize>>,
    /// Block of a lead-in -> how its list combines.
    lists: RefCell<BTreeMap<usize, Option<Connection>>>,
    /// Groups of the reply that are members of another: their rows combine inside one item.
    nested: BTreeSet<&'a str>,
}

/// A row's group; rows without one are taken for one group.
type Group<'a> = Option<&'a str>;

/// Quotes of one sentence are compared with this many neighbours on either side.
const MAX_NEIGHBOURS: usize = 6;
/// Quotes further apart than this belong to no one combination.
const MAX_GAP: usize = 1_500;

impl<'a> Company<'a> {
    /// Takes the placed rows in any order.
    pub fn new(
        page: &'a PageText,
        groups: &'a [stated::Group],
        rows: impl Iterator<Item = (&'a Claim, Span)>,
    ) -> Self {
        let is_nested = |it: &&stated::Group| it.parent.is_some();
        let nested = groups.iter().filter(is_nested).map(|it| it.id.as_str()).collect();
        let mut by_sentence: BTreeMap<usize, Vec<(Span, Group)>> = BTreeMap::new();
        let mut items: BTreeMap<(Group, usize), Vec<usize>> = BTreeMap::new();
        let outline = page.outline();
        for (claim, span) in rows.filter(|(claim, _)| claim.join.is_some()) {
            let group = claim.group.as_deref();
            let sentence = page.sentences_of(span).start;
            by_sentence.entry(sentence).or_default().push((span, group));
            let Some(block) = outline.block_at(span.start) else { continue };
            for lead in outline.lead_ins(block) {
                let seen = items.entry((group, lead)).or_default();
                if seen.len() < 2 && !seen.contains(&block) {
                    seen.push(block);
                }
            }
        }
        for rows in by_sentence.values_mut() {
            rows.sort_unstable();
            rows.dedup();
        }
        Self { page, by_sentence, items, lists: RefCell::default(), nested }
    }

    /// The connections that join the row at `stand` with its group: those of the list where the
    /// group has other items of it, else those inside the sentence, else the list's own.
    fn connections(&self, stand: &Stand) -> Vec<Connection> {
        let outline = self.page.outline();
        let leads = stand.block.map(|it| outline.lead_ins(it)).unwrap_or_default();
        let group = stand.claim.group.as_deref();
        let is_shared = |lead: &&usize| {
            let items = self.items.get(&(group, **lead));
            items.is_some_and(|it| it.iter().any(|item| Some(*item) != stand.block))
        };
        let inner = leads.iter().position(|it| is_shared(&it));
        if let Some(inner) = inner.filter(|_| !self.is_nested(stand)) {
            // Rows of nested lists may be stated flat: the outer lists speak for them as well.
            return leads[inner..].iter().filter_map(|it| self.list(*it)).collect();
        }
        let mates = self.mates(stand);
        if mates.is_empty() && !self.is_nested(stand) {
            return leads.first().and_then(|it| self.list(*it)).into_iter().collect();
        }
        mates.into_iter().filter_map(|it| self.between(stand, it)).collect()
    }

    fn is_nested(&self, stand: &Stand) -> bool {
        stand.claim.group.as_deref().is_some_and(|it| self.nested.contains(it))
    }

    /// The other rows of the group in the sentence, as far as they are near.
    fn mates(&self, stand: &Stand) -> Vec<Span> {
        let at = self.page.sentences_of(stand.span).start;
        let Some(rows) = self.by_sentence.get(&at) else { return Vec::new() };
        let own = rows.partition_point(|it| it.0 < stand.span);
        let from = own.saturating_sub(MAX_NEIGHBOURS);
        let near = &rows[from..(own + 1 + MAX_NEIGHBOURS).min(rows.len())];
        let group = stand.claim.group.as_deref();
        let is_mate = |(span, it): &&(Span, Group)| *it == group && !span.overlaps(stand.span);
        near.iter().filter(is_mate).map(|it| it.0).collect()
    }

    /// How two quotes of one sentence combine, where the joining word stands right beside one.
    fn between(&self, stand: &Stand, mate: Span) -> Option<Connection> {
        let (first, second) =
            if stand.span < mate { (stand.span, mate) } else { (mate, stand.span) };
        if MAX_GAP < second.start.saturating_sub(first.end) {
            return None;
        }
        let found = join_between(self.page.text(), stand.context, first, second)?;
        let words = |from: usize, to: usize| {
            if to <= from { 0 } else { tokens_of(self.page.slice(Span::new(from, to))).len() }
        };
        let is_beside =
            words(first.end, found.span.start) == 0 || words(found.span.end, second.start) <= 1;
        (found.certainty != Certainty::Implied && is_beside).then_some(found)
    }

    fn list(&self, lead: usize) -> Option<Connection> {
        let read = || {
            let found = join_of_list(self.page.text(), self.page.outline(), lead)?;
            // "Whichever is later" chooses a value, it does not combine conditions.
            let word = self.page.slice(found.span).to_lowercase();
            (!word.contains("whichever")).then_some(found)
        };
        *self.lists.borrow_mut().entry(lead).or_insert_with(read)
    }
}

/// CONNECTIVE_CHANGED with its weight: a failure, or a flag where the page says "and/or".
pub fn check_join(stand: &Stand, company: &Company) -> Option<(Finding, Verdict)> {
    let stated = stand.claim.join?;
    let found = company.connections(stand);
    let is_open = |it: &Connection| {
        let words = stand.page.slice(it.span);
        it.certainty == Certainty::Ambiguous && words.contains('/')
    };
    if let Some(it) = found.iter().find(|it| is_open(it)) {
        let words = stand.page.slice(it.span);
        let detail = stand.page.pick(
            || format!("“{words}” can be read both ways; a person must decide"),
            || format!("「{words}」有兩種讀法，須由人工決定"),
        );
        return Some((finding(stand, detail, words), Verdict::Flag));
    }
    let told: Vec<&Connection> =
        found.iter().filter(|it| it.certainty != Certainty::Ambiguous).collect();
    if told.iter().any(|it| agrees(stand.claim, stated, it.combination)) {
        return None;
    }
    let source = told.first()?;
    let (source_word, words) = (word_of(source.combination), stand.page.slice(source.span));
    let stated = stated.as_str();
    let detail = stand.page.pick(
        || format!("the page combines by {source_word} (“{words}”), the row by {stated}"),
        || format!("頁面的關係是 {source_word}（「{words}」），資料列寫成 {stated}"),
    );
    Some((finding(stand, detail, source_word), Verdict::Fail))
}

/// "Not any" is "none", and "all not" is "none" as well.
fn agrees(claim: &Claim, stated: Join, source: Combination) -> bool {
    match (stated, source) {
        (Join::All, Combination::All) | (Join::Any, Combination::Any) => true,
        (Join::None | Join::Any, Combination::None) | (Join::None, Combination::Any) => true,
        (Join::All, Combination::None) => claim.op == Op::Ne,
        _ => false,
    }
}

fn word_of(combination: Combination) -> &'static str {
    match combination {
        Combination::All => "all",
        Combination::Any => "any",
        Combination::None => "none",
    }
}

fn finding(stand: &Stand, detail: String, evidence: &str) -> Finding {
    let (code, evidence) = (Code::ConnectiveChanged, Some(evidence.to_owned()));
    Finding { code, detail, place: Some(stand.span), evidence }
}
