//! Whether rows combine as the page combines them: and, or, none of these.
//!
//! Read from the page around the quotes: the list they stand in, the words between two quotes of
//! one sentence. Silent where the page does not say; a row is wrong only where nothing it belongs to
//! combines as it says.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::gate::page::PageText;
use crate::gate::places::stand::Stand;
use crate::gate::places::stream::tokens_of;
use crate::model::claim::{self as stated, Claim, Join, Op};
use crate::model::finding::{Code, Finding, Verdict};
use crate::text::blocks::lead_in::{is_count_of_several, join_of_lead};
use crate::text::joins::combination::{Certainty, Combination, Connection};
use crate::text::joins::connective::{join_between, join_of_list};
use crate::text::span::Span;

/// The rows of a reply that combine with others: by sentence, by group, by list.
pub struct Company<'a> {
    page: &'a PageText,
    /// Index of the sentence -> rows in it.
    by_sentence: BTreeMap<usize, Vec<(Span, Group<'a>)>>,
    /// Group and lead-in -> the items of that list in which the group, or one below it, has rows.
    items: BTreeMap<(Group<'a>, usize), BTreeSet<usize>>,
    /// Block of a lead-in -> how its list combines.
    lists: RefCell<BTreeMap<usize, Option<Connection>>>,
    /// The groups that the reply declares.
    declared: BTreeMap<&'a str, &'a stated::Group>,
}

/// A row's group; rows without one are taken for one group.
type Group<'a> = Option<&'a str>;

/// Quotes of one sentence are compared with this many neighbours on either side.
const MAX_NEIGHBOURS: usize = 6;
/// Quotes further apart than this belong to no one combination.
const MAX_GAP: usize = 1_500;
/// Groups nested deeper than this are not followed further.
const MAX_DEPTH: usize = 8;

impl<'a> Company<'a> {
    /// Takes the placed rows in any order.
    pub fn new(
        page: &'a PageText,
        groups: &'a [stated::Group],
        rows: impl Iterator<Item = (&'a Claim, Span)>,
    ) -> Self {
        let declared = groups.iter().map(|it| (it.id.as_str(), it)).collect();
        let mut company = Self {
            page,
            by_sentence: BTreeMap::new(),
            items: BTreeMap::new(),
            lists: RefCell::default(),
            declared,
        };
        for (claim, span) in rows {
            let group = claim.group.as_deref();
            let is_declared = group.is_some_and(|it| company.declared.contains_key(it));
            if claim.join.is_some() || is_declared {
                company.admit(group, span);
            }
        }
        for rows in company.by_sentence.values_mut() {
            rows.sort_unstable();
            rows.dedup();
        }
        company
    }

    fn admit(&mut self, group: Group<'a>, span: Span) {
        let sentence = self.page.sentences_of(span).start;
        self.by_sentence.entry(sentence).or_default().push((span, group));
        let outline = self.page.outline();
        let Some(block) = outline.block_at(span.start) else { return };
        let levels: Vec<Group> =
            [group].into_iter().chain(self.above(group).into_iter().map(Some)).collect();
        let mut item = block;
        for lead in outline.lead_ins(block) {
            for level in &levels {
                self.items.entry((*level, lead)).or_default().insert(item);
            }
            item = lead;
        }
    }

    /// The groups that a group is nested in, innermost first.
    fn above(&self, group: Group<'a>) -> Vec<&'a str> {
        let mut chain: Vec<&str> = Vec::new();
        let parent = |it: &str| self.declared.get(it).and_then(|it| it.parent.as_deref());
        let mut at = group.and_then(parent);
        while let Some(it) = at.filter(|it| chain.len() < MAX_DEPTH && !chain.contains(it)) {
            chain.push(it);
            at = parent(it);
        }
        chain
    }

    /// The connections that join the row at `stand` with the others of `level`, which is its own
    /// group or one above: those of the lists in which the group has several items, else those
    /// inside the sentence, else the list's own.
    fn connections(&self, stand: &Stand, level: Group) -> Vec<Connection> {
        let outline = self.page.outline();
        let leads = stand.block.map(|it| outline.lead_ins(it)).unwrap_or_default();
        let own = stand.claim.group.as_deref();
        let count = |group: Group, lead: usize| {
            let items: Option<&BTreeSet<usize>> = self.items.get(&(group, lead));
            items.map_or(0, BTreeSet::len)
        };
        // A list that only the group's own rows fill says nothing of the groups above it.
        let is_shared = |lead: &usize| {
            1 < count(level, *lead) && (level == own || count(own, *lead) < count(level, *lead))
        };
        // Rows of nested lists may be stated flat: all the lists they spread over speak for them.
        let shared: Vec<usize> = leads.iter().copied().filter(is_shared).collect();
        if !shared.is_empty() {
            return shared.into_iter().filter_map(|it| self.list(it)).collect();
        }
        if let Some(it) = led_inside(stand) {
            return vec![it];
        }
        let mates = self.mates(stand, level);
        let is_nested = level != own || !self.above(own).is_empty();
        if mates.is_empty() && !is_nested {
            return leads.first().and_then(|it| self.list(*it)).into_iter().collect();
        }
        mates.into_iter().filter_map(|it| self.between(stand, it)).collect()
    }

    /// The rows of the sentence that `level` joins with this one, as far as they are near.
    fn mates(&self, stand: &Stand, level: Group) -> Vec<Span> {
        let at = self.page.sentences_of(stand.span).start;
        let Some(rows) = self.by_sentence.get(&at) else { return Vec::new() };
        let place = rows.partition_point(|it| it.0 < stand.span);
        let from = place.saturating_sub(MAX_NEIGHBOURS);
        let near = &rows[from..(place + 1 + MAX_NEIGHBOURS).min(rows.len())];
        let own = stand.claim.group.as_deref();
        let is_mate = |(span, it): &&(Span, Group<'a>)| {
            let is_member = if level == own {
                *it == own
            } else {
                *it != own && (*it == level || level.is_some_and(|l| self.above(*it).contains(&l)))
            };
            is_member && !span.overlaps(stand.span)
        };
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

    /// The group under the name that the reply declares it by.
    fn name_of(&self, group: Option<&str>) -> Group<'a> {
        group.and_then(|it| self.declared.get_key_value(it)).map(|it| *it.0)
    }

    /// 應檢附下列文件：: whoever applies brings all of them.
    fn papers(&self, lead: usize) -> Option<Connection> {
        const BRING: &[&str] = &["檢附", "檢具", "檢送", "備齊", "備具", "繳附", "附具", "填具"];
        let span = self.page.outline().blocks.get(lead)?.content;
        let words = self.page.slice(span);
        let words = words.trim_end().trim_end_matches(['：', ':']);
        let tail = words.rsplit(['，', '。', '；']).next()?;
        let is_papers =
            ["下列文件", "下列書件", "下列資料", "下列證件", "下列表件", "下列文書", "以下文件"]
                .iter()
                .any(|it| tail.ends_with(it));
        let is_bound = tail.contains(['應', '須']) || words.contains(['應', '須']);
        (is_papers && is_bound && BRING.iter().any(|it| tail.contains(it))).then_some(Connection {
            combination: Combination::All,
            certainty: Certainty::Implied,
            span,
        })
    }

    fn list(&self, lead: usize) -> Option<Connection> {
        let read = || {
            let found = join_of_list(self.page.text(), self.page.outline(), lead)
                .or_else(|| self.papers(lead))?;
            // "Whichever is later" chooses a value, it does not combine conditions.
            let word = self.page.slice(found.span).to_lowercase();
            (!word.contains("whichever")).then_some(found)
        };
        *self.lists.borrow_mut().entry(lead).or_insert_with(read)
    }
}

/// What the words before a colon say of a list that runs on in one paragraph: "any two of these are
/// accepted: a card, a letter, a bill", 有下列情形之一者：一、…。二、….
fn led_inside(stand: &Stand) -> Option<Connection> {
    const FAR: usize = 600;
    let text = stand.page.text();
    let block = stand.own_block()?.content;
    let from = block.start.max(stand.span.start.saturating_sub(FAR));
    let from = (from..=stand.span.start).find(|it| text.is_char_boundary(*it))?;
    let before = text.get(from..stand.span.start)?;
    let colon = before.rfind([':', '：'])?;
    let mark = before[colon..].chars().next().map_or(1, char::len_utf8);
    let behind = &before[colon + mark..];
    let is_counted = opens_with_enumerator(&text[from + colon + mark..stand.span.end]);
    if !is_counted && behind.contains(['。', '\n']) {
        return None;
    }
    let found = join_of_lead(text, Span::new(from, from + colon))?;
    (found.certainty != Certainty::Implied).then_some(found)
}

/// True where a list begins that counts its members: 一、 （一） (a) 1.
fn opens_with_enumerator(words: &str) -> bool {
    let words = words.trim_start();
    let bare = words.trim_start_matches(['(', '（']);
    let name: String = bare.chars().take_while(|it| it.is_alphanumeric()).take(3).collect();
    let after = bare.get(name.len()..).unwrap_or_default();
    let is_number = name.chars().all(|it| "一二三四五六七八九十甲乙丙".contains(it))
        || name.chars().all(|it| it.is_ascii_digit())
        || name.len() == 1 && name.chars().all(|it| it.is_ascii_lowercase());
    let is_bracketed = bare.len() < words.len();
    !name.is_empty()
        && is_number
        && (is_bracketed && after.starts_with([')', '）'])
            || after.starts_with(['、', '.', '．', ')']))
}

/// CONNECTIVE_CHANGED with its weight: a failure, or a flag where the page says "and/or". The row's
/// own group is looked at first, then the groups that it is nested in.
pub fn check_join(stand: &Stand, company: &Company) -> Option<(Finding, Verdict)> {
    let own = stand.claim.group.as_deref();
    let declared = |it: &str| company.declared.get(it).and_then(|it| it.join);
    let stated = stand.claim.join.or(own.and_then(declared));
    let first = stated.and_then(|it| check_level(stand, it, &company.connections(stand, own)));
    first.or_else(|| {
        company.above(company.name_of(own)).into_iter().find_map(|level| {
            let found = company.connections(stand, Some(level));
            check_level(stand, declared(level)?, &found)
        })
    })
}

fn check_level(stand: &Stand, stated: Join, found: &[Connection]) -> Option<(Finding, Verdict)> {
    let is_open = |it: &&Connection| {
        let words = stand.page.slice(it.span);
        it.certainty == Certainty::Ambiguous
            && (words.contains(['/', '／', '（']) || is_count_of_several(words))
    };
    if let Some(it) = found.iter().find(is_open) {
        let words = stand.page.slice(it.span);
        let detail = stand.page.pick(
            || format!("“{words}” is neither “all” nor “any” for sure; a person must decide"),
            || format!("「{words}」既非全部、也非任一可以說定，須由人工決定"),
        );
        return Some((finding(stand, detail, words), Verdict::Flag));
    }
    let told: Vec<&Connection> =
        found.iter().filter(|it| it.certainty != Certainty::Ambiguous).collect();
    if told.iter().any(|it| agrees(stand.claim, stated, it.combination)) {
        return None;
    }
    let source = told.first()?;
    let (source_word, words) = (source.combination.as_str(), stand.page.slice(source.span));
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

fn finding(stand: &Stand, detail: String, evidence: &str) -> Finding {
    let (code, evidence) = (Code::ConnectiveChanged, Some(evidence.to_owned()));
    Finding { code, detail, place: Some(stand.span), evidence }
}
