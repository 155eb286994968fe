//! Rows of any number against one page, batch by batch, judged as if all had come at once.
//!
//! What a row must know of all others (what they quote, how they combine, what they dispute) is
//! gathered on a first way through the rows; they are judged on a second. No batch is kept: memory
//! grows with the page and with the distinct statements, up to stated limits, never with the rows.
//!
//! ```text
//! Hearing::hear(batch)…  ->  Hearing::end  ->  Heard::sit  ->  Sitting::weigh(batch)…  (if disputed)
//!                                                          ->  Sitting::judge(batch)…  ->  close
//! ```

use std::collections::{BTreeMap, BTreeSet};

use crate::ask::reply::ParsedExtract;
use crate::gate::carry::carry_rows;
use crate::gate::check::{Around, draft_row};
use crate::gate::checks::across::{mark, take_side};
use crate::gate::checks::disputes::{Disputes, MAX_MATTERS, matter_of};
use crate::gate::checks::repeats::Repeats;
use crate::gate::digest::digest_of;
use crate::gate::draft::Draft;
use crate::gate::judge::{add_omission, page_verdict, put_malformed};
use crate::gate::page::PageText;
use crate::gate::places::placing::{Placed, Placer};
use crate::gate::row::{GatedRow, Judgement, PageState};
use crate::gate::scope::Scope;
use crate::gate::sentences::coverage::{Coverage, note_value, union_of};
use crate::gate::sentences::ledger_read::{Users, read_ledger};
use crate::gate::state::{PageLook, look_at};
use crate::gate::values::value::wanted_of;
use crate::gate::wording::join::Company;
use crate::model::claim::{Claim, Group, Join};
use crate::text::span::Span;

/// Rows that combine with others are compared up to this many distinct quotes and groups.
pub const MAX_MATES: usize = 200_000;
/// More groups than this are not known.
pub const MAX_GROUPS: usize = 100_000;

/// The first way through the rows.
pub struct Hearing<'a> {
    page: &'a PageText,
    scope: Scope<'a>,
    placer: Placer,
    quotes: Vec<Span>,
    /// How many quotes there may be before overlapping ones are put together.
    roomy: usize,
    mates: BTreeSet<(Span, Option<String>, Option<Join>)>,
    /// What the rows of each sentence say.
    said: BTreeMap<usize, Option<u128>>,
    groups: Vec<Group>,
    /// Matter -> the first value stated.
    values: BTreeMap<u128, u128>,
    /// Matters with a second value.
    disputed: BTreeSet<u128>,
}

impl<'a> Hearing<'a> {
    /// An empty hearing.
    pub fn new(page: &'a PageText, scope: &Scope<'a>) -> Self {
        Self {
            page,
            scope: *scope,
            placer: Placer::default(),
            quotes: Vec::new(),
            roomy: 10_000,
            mates: BTreeSet::new(),
            said: BTreeMap::new(),
            groups: Vec::new(),
            values: BTreeMap::new(),
            disputed: BTreeSet::new(),
        }
    }

    /// Takes the next rows, in order.
    pub fn hear(&mut self, batch: &ParsedExtract) {
        let free = MAX_GROUPS.saturating_sub(self.groups.len());
        self.groups.extend(batch.reply.groups.iter().take(free).cloned());
        for row in self.placer.place_rows(self.page, batch, &self.scope) {
            if let Some(place) = row.place {
                self.note(row.claim, place.span);
            }
        }
        if self.roomy < self.quotes.len() {
            self.quotes = union_of(std::mem::take(&mut self.quotes));
            self.roomy = 10_000 + 2 * self.quotes.len();
        }
    }

    fn note(&mut self, claim: &Claim, span: Span) {
        self.quotes.push(span);
        let sentence = self.page.sentences_of(span).start;
        note_value(&mut self.said, sentence, claim);
        let is_mate = claim.join.is_some() || claim.group.is_some();
        if is_mate && self.mates.len() < MAX_MATES {
            self.mates.insert((span, claim.group.clone(), claim.join));
        }
        let Some(matter) = matter_of(self.page, claim, span) else { return };
        let value = digest_of(&[&format!("{:?}", wanted_of(claim))]);
        match self.values.get(&matter) {
            Some(first) if *first != value => {
                self.disputed.insert(matter);
            }
            None if self.values.len() < MAX_MATTERS => {
                self.values.insert(matter, value);
            }
            _ => {}
        }
    }

    /// All rows were heard.
    pub fn end(self) -> Heard<'a> {
        let slim = |(span, group, join): (Span, Option<String>, Option<Join>)| {
            (Claim { group, join, ..Claim::default() }, span)
        };
        Heard {
            page: self.page,
            scope: self.scope,
            covered: Coverage::new(union_of(self.quotes)).with_values(self.said),
            mates: self.mates.into_iter().map(slim).collect(),
            groups: self.groups,
            disputed: self.disputed,
        }
    }
}

/// What is known of all rows before any is judged.
pub struct Heard<'a> {
    page: &'a PageText,
    scope: Scope<'a>,
    covered: Coverage,
    /// The rows that combine with others, with nothing but what that takes.
    mates: Vec<(Claim, Span)>,
    groups: Vec<Group>,
    disputed: BTreeSet<u128>,
}

impl Heard<'_> {
    /// True where rows state several values for one thing: they are to be weighed before judging.
    pub fn is_disputed(&self) -> bool {
        !self.disputed.is_empty()
    }

    /// Opens the second way through.
    pub fn sit(&self) -> Sitting<'_> {
        let mates = self.mates.iter().map(|(claim, span)| (claim, *span));
        Sitting {
            heard: self,
            look: look_at(self.page, &self.scope),
            company: Company::new(self.page, &self.groups, mates),
            weigher: Placer::default(),
            placer: Placer::default(),
            disputes: Disputes::default(),
            repeats: Repeats::default(),
            users: Users::default(),
            n_rows: 0,
        }
    }
}

/// The second way through the rows.
pub struct Sitting<'h> {
    heard: &'h Heard<'h>,
    look: PageLook,
    company: Company<'h>,
    weigher: Placer,
    placer: Placer,
    disputes: Disputes,
    repeats: Repeats,
    users: Users,
    n_rows: usize,
}

impl Sitting<'_> {
    /// Finds out which of the disputed rows stand, all rows in order; needed only where
    /// [`Heard::is_disputed`].
    pub fn weigh(&mut self, batch: &ParsedExtract) {
        let (page, disputed) = (self.heard.page, &self.heard.disputed);
        for row in self.weigher.place_rows(page, batch, &self.heard.scope) {
            let matter = row.place.and_then(|it| matter_of(page, row.claim, it.span));
            if matter.is_some_and(|it| disputed.contains(&it)) {
                let draft = self.draft(&row);
                take_side(page, &draft, &mut self.disputes);
            }
        }
    }

    /// Judges the next rows; they come out in the same order, each exactly once.
    pub fn judge(&mut self, batch: &ParsedExtract) -> Vec<GatedRow> {
        let (page, scope) = (self.heard.page, &self.heard.scope);
        let placed = self.placer.place_rows(page, batch, scope);
        let mut drafts: Vec<Draft> = placed.iter().map(|it| self.draft(it)).collect();
        mark(page, &mut drafts, &mut self.repeats, &self.disputes);
        self.users.add(page, &drafts);
        let finish = |it: Draft| it.finish(page, scope.is_strict);
        let mut rows: Vec<GatedRow> = drafts.into_iter().map(finish).collect();
        put_malformed(&mut rows, &batch.malformed);
        self.n_rows += rows.len();
        rows
    }

    fn draft(&self, row: &Placed) -> Draft {
        let around = Around { covered: &self.heard.covered, company: &self.company };
        draft_row(self.heard.page, &self.look, row, &around)
    }

    /// True where there were more distinct statements than are remembered.
    pub fn is_full(&self) -> bool {
        self.repeats.is_full()
    }

    /// The word on the page, over all rows; without the rows, which went out before.
    pub fn close(self) -> Judgement {
        let (page, scope) = (self.heard.page, &self.heard.scope);
        let ledger = read_ledger(page, scope, &self.users);
        let mut verdict = page_verdict(page, &ParsedExtract::default(), &self.look);
        if verdict.state == PageState::Ok && scope.earlier.is_none() {
            add_omission(page, &ledger, self.n_rows, &mut verdict);
        }
        let earlier = scope.earlier.map(|it| carry_rows(page, it)).unwrap_or_default();
        Judgement { page: verdict, rows: Vec::new(), ledger, earlier }
    }
}
