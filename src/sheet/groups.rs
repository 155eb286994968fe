//! How rows stand together on a sheet: lists, and lists within lists, as trees of rows. Shows what the
//! rows say of their groups; never reads a page.

use std::collections::BTreeMap;

use crate::model::claim::{Group, Join};
use crate::model::phrase::{condition, field_label};
use crate::model::row::RowRecord;
use crate::model::sheet::{SheetFacts, SheetLanguage};

/// Members of a list that are named; the rest is counted.
const MOST_NAMED: usize = 6;
/// Longest name of one member, in characters.
const MOST_CHARS: usize = 70;

/// A group is a name inside one item of one page.
type ListId<'a> = (&'a str, &'a str, &'a str, &'a str);

/// All lists of a sheet.
#[derive(Debug, Default)]
pub struct Lists<'a> {
    lists: BTreeMap<ListId<'a>, List<'a>>,
}

#[derive(Debug, Default)]
struct List<'a> {
    join: Option<Join>,
    members: Vec<Member<'a>>,
}

#[derive(Clone, Copy, Debug)]
enum Member<'a> {
    Row(&'a RowRecord),
    List(ListId<'a>),
}

/// One list that a row is in: its own first, then those around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    pub join: Join,
    /// Members beside the one that the row is, or is in.
    pub others: usize,
    /// These members in words; empty where there are too many to name.
    pub named: String,
}

impl<'a> Lists<'a> {
    /// The lists of these rows; a row whose group says no join stands alone.
    pub fn of(rows: &[&'a RowRecord]) -> Self {
        let mut all = Self::default();
        for &row in rows {
            let Some(own) = own_list(row) else { continue };
            let mut is_new = all.add(own, row.claim.join, Member::Row(row));
            let mut inner = own;
            for group in row.within.iter().take_while(|it| it.join.is_some()) {
                // A list that was met before is a member of the list around it already.
                if !is_new {
                    break;
                }
                let outer = around(row, group);
                is_new = all.add(outer, group.join, Member::List(inner));
                inner = outer;
            }
        }
        all
    }

    /// True where the list is new.
    fn add(&mut self, id: ListId<'a>, join: Option<Join>, member: Member<'a>) -> bool {
        let is_new = !self.lists.contains_key(&id);
        let list = self.lists.entry(id).or_default();
        list.join = list.join.or(join);
        list.members.push(member);
        is_new
    }

    /// The lists that a row is in, its own first; empty for a row that stands alone.
    pub fn levels(&self, row: &'a RowRecord, facts: &SheetFacts) -> Vec<Level> {
        let Some(own) = own_list(row) else { return Vec::new() };
        let mut levels = Vec::new();
        let mut inner = Member::Row(row);
        for id in [own].into_iter().chain(self.lists_around(row)) {
            let Some(list) = self.lists.get(&id) else { break };
            let Some(join) = list.join else { break };
            let others = list.members.len() - 1;
            let is_other = |it: &&Member| match (it, &inner) {
                (Member::Row(a), Member::Row(b)) => !std::ptr::eq(*a, *b),
                (Member::List(a), Member::List(b)) => a != b,
                _ => true,
            };
            let named = if others <= MOST_NAMED {
                self.named(list.members.iter().filter(is_other), facts, 0)
            } else {
                String::new()
            };
            levels.push(Level { join, others, named });
            inner = Member::List(id);
        }
        levels
    }

    /// Members of the row's own list beside it.
    pub fn others(&self, row: &RowRecord) -> usize {
        let list = own_list(row).and_then(|it| self.lists.get(&it));
        list.map_or(0, |it| it.members.len() - 1)
    }

    /// The whole list that a row is in, in words: `all of: A; and (any of: B; C)`. `None` for a row
    /// that is the only one of its list.
    pub fn whole(&self, row: &'a RowRecord, facts: &SheetFacts) -> Option<String> {
        let own = own_list(row)?;
        let outermost = self.lists_around(row).last().unwrap_or(own);
        let list = self.lists.get(&outermost)?;
        let is_alone = list.members.len() < 2 && outermost == own;
        (!is_alone).then(|| self.list_words(list, facts, 0))
    }

    fn lists_around(&self, row: &'a RowRecord) -> impl Iterator<Item = ListId<'a>> {
        row.within.iter().take_while(|it| it.join.is_some()).map(move |it| around(row, it))
    }

    fn list_words(&self, list: &List, facts: &SheetFacts, depth: usize) -> String {
        let language = facts.language;
        let members = self.named(list.members.iter().take(MOST_NAMED), facts, depth);
        let more = list.members.len().saturating_sub(MOST_NAMED);
        let head = language.pick(match list.join {
            Some(Join::All) | None => ["all of: ", "全部符合："],
            Some(Join::Any) => ["any of: ", "符合其一："],
            Some(Join::None) => ["none of: ", "皆不得為："],
        });
        let rest = match (more, language) {
            (0, _) => String::new(),
            (more, SheetLanguage::English) => format!("; and {more} more"),
            (more, SheetLanguage::Chinese) => format!("；另有 {more} 項"),
        };
        format!("{head}{members}{rest}")
    }

    fn named<'m>(
        &self,
        members: impl Iterator<Item = &'m Member<'a>>,
        facts: &SheetFacts,
        depth: usize,
    ) -> String
    where
        'a: 'm,
    {
        const MAX_DEPTH: usize = 8;
        let [open, close, comma] = facts.language.pick([["(", ")", "; "], ["（", "）", "；"]]);
        let words: Vec<String> = members
            .map(|it| match it {
                Member::Row(row) => member_words(row, facts),
                Member::List(id) => match self.lists.get(id).filter(|_| depth < MAX_DEPTH) {
                    Some(list) => {
                        format!("{open}{}{close}", self.list_words(list, facts, depth + 1))
                    }
                    None => "…".to_owned(),
                },
            })
            .collect();
        words.join(comma)
    }
}

fn own_list(row: &RowRecord) -> Option<ListId<'_>> {
    let group = row.claim.group.as_deref()?;
    row.claim.join?;
    Some((&row.source, &row.page, &row.item, group))
}

fn around<'a>(row: &'a RowRecord, group: &'a Group) -> ListId<'a> {
    (&row.source, &row.page, &row.item, &group.id)
}

/// A member as field and condition, shortened where it is a sentence.
fn member_words(row: &RowRecord, facts: &SheetFacts) -> String {
    let language = facts.language;
    let field = field_label(row, facts);
    let words = condition(&row.claim, language);
    let words = format!("{field}{}{}", language.pick([" ", "："]), words.trim());
    match words.char_indices().nth(MOST_CHARS) {
        Some((at, _)) => format!("{}…", words[..at].trim_end()),
        None => words,
    }
}
