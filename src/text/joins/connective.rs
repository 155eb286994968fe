//! How things combine: the members of a list, of an enumeration, two conditions of one sentence.
//!
//! Reads what the source says and where it says so: a lead-in ("all of these", 下列情形之一), a
//! trailing or leading "or"/"and", 或 / 及 / 且 between two spans. Where the source can be read both
//! ways ("and/or", a lead-in against its items), that is the answer; nothing is guessed.

use crate::text::blocks::lead_in::join_of_lead;
use crate::text::blocks::outline::{BlockKind, Outline};
pub use crate::text::joins::combination::{Certainty, Combination, Connection};
use crate::text::joins::conjunction::{Conjunct, Conjunction, conjunctions_in};
use crate::text::span::Span;

/// An enumeration inside one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enumeration {
    /// The members in order; the first also holds the words before the enumeration in its clause.
    pub members: Vec<Span>,
    pub connection: Connection,
}

/// How the list items under `lead` combine: by its lead-in, by the words at the items' ends. `lead`
/// is the index of the block that the items hang on.
pub fn join_of_list(text: &str, outline: &Outline, lead: usize) -> Option<Connection> {
    let items: Vec<usize> = outline.members(lead).collect();
    let stated = outline.blocks.get(lead).and_then(|it| join_of_lead(text, it.content));
    reconcile(stated, join_of_ends(text, outline, &items))
}

/// How two list items combine: by the innermost list that holds both. `None` where no list does, or
/// where it does not say.
pub fn join_of_items(text: &str, outline: &Outline, one: usize, two: usize) -> Option<Connection> {
    let chain = |it: usize| {
        let mut chain = vec![it];
        chain.extend(outline.lead_ins(it));
        chain
    };
    let (first, second) = (chain(one), chain(two));
    let shared = first.iter().copied().find(|it| second.contains(it))?;
    if shared == one || shared == two {
        return None;
    }
    join_of_list(text, outline, shared)
}

/// What the ends and beginnings of list items say: "…; or", "…, and", 「…；或」, "or …".
pub fn join_of_ends(text: &str, outline: &Outline, items: &[usize]) -> Option<Connection> {
    let mut found: Vec<Connection> = Vec::new();
    for (place, &item) in items.iter().enumerate() {
        let Some(block) = outline.blocks.get(item).filter(|it| it.kind == BlockKind::ListItem)
        else {
            continue;
        };
        let Some(content) = block.content.slice(text) else { continue };
        let own = own_text(content);
        let is_last = place + 1 == items.len();
        if !is_last && let Some(end) = conjunction_at_end(own) {
            found.push(connection_of(end, block.content.start));
        }
        if place > 0
            && let Some(start) = conjunction_at_start(own)
        {
            found.push(connection_of(start, block.content.start));
        }
    }
    let first = *found.first()?;
    let agree = found.iter().all(|it| it.combination == first.combination);
    let certainty = if agree { first.certainty } else { Certainty::Ambiguous };
    Some(Connection { certainty, ..first })
}

/// The item's text without closing marks and emphasis.
fn own_text(content: &str) -> &str {
    content.trim_end_matches(|it: char| {
        it.is_whitespace()
            || matches!(it, '*' | '_' | ',' | '.' | ';' | ':' | '；' | '，' | '、' | '。' | '…')
    })
}

fn conjunction_at_end(own: &str) -> Option<Conjunction> {
    let from = own.char_indices().rev().nth(11).map_or(0, |it| it.0);
    let tail = Span::new(from, own.len());
    let all = conjunctions_in(own, tail);
    let last = all.into_iter().next_back().filter(|it| it.span.end == own.len())?;
    let before = own[..last.span.start].trim_end();
    // A Han item ends in 及 or 或 only as a conjunction; in English a word must stand before it.
    (!before.is_empty() || own.len() == last.span.len()).then_some(last)
}

fn conjunction_at_start(own: &str) -> Option<Conjunction> {
    let lead = own.len()
        - own
            .trim_start_matches(|it: char| it.is_whitespace() || matches!(it, '*' | '_' | '('))
            .len();
    let to = own.char_indices().map(|it| it.0).nth(12).unwrap_or(own.len()).max(lead);
    let first = conjunctions_in(own, Span::new(lead, to)).into_iter().next()?;
    let is_word = own[first.span.start..].starts_with(|it: char| it.is_ascii_alphabetic());
    let clean = is_word
        || own[first.span.end..].starts_with(|it: char| !it.is_alphanumeric())
        || own[first.span.start..].starts_with(['或', '且']);
    (first.span.start == lead && clean).then_some(first)
}

fn connection_of(it: Conjunction, shift: usize) -> Connection {
    let (combination, certainty) = match it.conjunct {
        Conjunct::And => (Combination::All, Certainty::Stated),
        Conjunct::Or => (Combination::Any, Certainty::Stated),
        Conjunct::Nor => (Combination::None, Certainty::Stated),
        Conjunct::AndOr => (Combination::Any, Certainty::Ambiguous),
    };
    Connection { combination, certainty, span: it.span.shifted(shift) }
}

/// Lead-in and items may say the same, one may be silent, or they may disagree.
fn reconcile(lead: Option<Connection>, ends: Option<Connection>) -> Option<Connection> {
    match (lead, ends) {
        (Some(lead), Some(ends)) if lead.combination == ends.combination => {
            Some(if ends.certainty < lead.certainty { ends } else { lead })
        }
        // 符合下列條件：…；或 …: the items say it, the lead-in only seemed to.
        (Some(lead), Some(ends)) if lead.certainty == Certainty::Implied => Some(ends),
        // "none of these: a, b or c" is how "none" is said.
        (Some(lead), Some(_)) if lead.combination == Combination::None => Some(lead),
        (Some(lead), Some(_)) => Some(Connection { certainty: Certainty::Ambiguous, ..lead }),
        (lead, ends) => lead.or(ends),
    }
}

/// How two places of one sentence combine. `None` where no conjunction stands between them, or they
/// overlap.
pub fn join_between(text: &str, sentence: Span, one: Span, two: Span) -> Option<Connection> {
    let (first, second) = if one.start <= two.start { (one, two) } else { (two, one) };
    if first.overlaps(second) || !sentence.contains(first) || !sentence.contains(second) {
        return None;
    }
    let gap = Span::new(first.end, second.start);
    // A quote may hold the conjunction at its border: "or hold a card".
    let inside = conjunctions_in(text, Span::new(gap.start, second.end));
    let lead: Vec<Conjunction> =
        inside.into_iter().filter(|it| it.span.start <= gap.end + 1).collect();
    let between = if lead.is_empty() { trailing_conjunction(text, first) } else { lead };
    if !between.is_empty() {
        return strongest(&between);
    }
    let separators = gap.slice(text)?;
    if !separators.contains([',', '，', '、', ';', '；'])
        || separators.contains(['。', '：', ':', '\n'])
    {
        return None;
    }
    let ahead = behind_enumeration(text, sentence, second)?;
    Some(Connection { certainty: ahead.certainty.max(Certainty::Implied), ..ahead })
}

fn trailing_conjunction(text: &str, first: Span) -> Vec<Conjunction> {
    let all = conjunctions_in(text, first);
    let ends = |it: &Conjunction| text[it.span.end..first.end].trim().is_empty();
    all.into_iter().filter(ends).collect()
}

/// Of several conjunctions the one behind a comma joins the larger parts.
fn strongest(between: &[Conjunction]) -> Option<Connection> {
    let outer: Vec<Conjunction> = between.iter().copied().filter(|it| it.is_after_comma).collect();
    let candidates = if outer.is_empty() { between } else { &outer };
    let first = connection_of(*candidates.last()?, 0);
    let agree = candidates.iter().all(|it| connection_of(*it, 0).combination == first.combination);
    let certainty = if agree { first.certainty } else { Certainty::Ambiguous };
    Some(Connection { certainty, ..first })
}

/// The conjunction that closes an enumeration behind one of its members: "A, B, and C", 甲、乙或丙,
/// or the words that choose from it: 甲、乙、丙之一.
fn behind_enumeration(text: &str, sentence: Span, member: Span) -> Option<Connection> {
    let rest = text.get(member.end..sentence.end)?;
    let stop = rest.find(['。', ';', '；', '：']).unwrap_or(rest.len());
    let tail = Span::new(member.end, member.end + stop);
    if let Some(next) = conjunctions_in(text, tail).into_iter().next() {
        let found = connection_of(next, 0);
        return Some(found);
    }
    let words = tail.slice(text)?;
    let chosen = ["之一", "任一", "擇一", "择一"]
        .iter()
        .find_map(|it| Some(Span::new(0, it.len()).shifted(words.find(it)?)));
    let span = chosen?.shifted(tail.start);
    Some(Connection { combination: Combination::Any, certainty: Certainty::Stated, span })
}

/// The enumerations of one sentence: 甲、乙或丙; "A, B, and C"; "A or B".
pub fn enumerations_in(text: &str, sentence: Span) -> Vec<Enumeration> {
    let all = conjunctions_in(text, sentence);
    let mut found: Vec<Enumeration> = Vec::new();
    let mut from = sentence.start;
    for (at, it) in all.iter().enumerate() {
        let to = all.get(at + 1).map_or(sentence.end, |next| next.span.start);
        let mut members =
            split_members(text, Span::new(after_stop(text, from, it.span.start), it.span.start));
        members.extend(trim(text, Span::new(it.span.end, before_stop(text, it.span.end, to))));
        if members.len() >= 2 {
            found.push(Enumeration { members, connection: connection_of(*it, 0) });
        }
        from = it.span.end;
    }
    found
}

/// Where the clause begins that ends at `to`, not before `from`.
fn after_stop(text: &str, from: usize, to: usize) -> usize {
    let before = text.get(from..to).unwrap_or("");
    let stop = before.rfind(['。', ';', '；', '：', ':', '(', ')', '（', '）']);
    stop.map_or(from, |at| from + at + before[at..].chars().next().map_or(0, char::len_utf8))
}

/// Where the member ends that begins at `from`, not behind `to`.
fn before_stop(text: &str, from: usize, to: usize) -> usize {
    let behind = text.get(from..to).unwrap_or("");
    let stops = ['。', ';', '；', '：', ':', '(', ')', '（', '）', ',', '，', '.'];
    behind.find(stops).map_or(to, |at| from + at)
}

fn split_members(text: &str, span: Span) -> Vec<Span> {
    let Some(part) = span.slice(text) else { return Vec::new() };
    let mut members = Vec::new();
    let mut from = 0;
    for (at, it) in part.char_indices() {
        let digit = |it: Option<char>| it.is_some_and(|it| it.is_ascii_digit());
        let in_number = it == ','
            && digit(part[..at].chars().next_back())
            && digit(part[at + 1..].chars().next());
        if matches!(it, ',' | '，' | '、') && !in_number {
            members.extend(trim(text, Span::new(span.start + from, span.start + at)));
            from = at + it.len_utf8();
        }
    }
    members.extend(trim(text, Span::new(span.start + from, span.end)));
    members
}

fn trim(text: &str, span: Span) -> Option<Span> {
    let part = span.slice(text)?;
    let edge = |it: char| it.is_whitespace() || matches!(it, ',' | '，' | '、' | '.' | '。');
    let visible = part.trim_start_matches(edge);
    let start = span.end - visible.len();
    let found = Span::new(start, start + visible.trim_end_matches(edge).len());
    (!found.is_empty()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::blocks::outline::read_outline;
    use Certainty::{Ambiguous, Stated};
    use Combination::{All, Any};

    fn list(text: &str) -> Option<(Combination, Certainty)> {
        let outline = read_outline(text);
        join_of_list(text, &outline, 0).map(|it| (it.combination, it.certainty))
    }

    #[test]
    fn the_ends_of_items_say_it_too() {
        for (text, wanted) in [
            (
                "You can apply if you:\n- rent a flat; or\n- own a boat; or\n- are ill",
                Some((Any, Stated)),
            ),
            ("Send:\n- a form,\n- a photo, **and**\n- a fee", Some((All, Stated))),
            ("Send:\n- a form\n- or a letter", Some((Any, Stated))),
            ("Send:\n- a form and/or\n- a letter", Some((Any, Ambiguous))),
            ("All of these:\n- a form; or\n- a letter", Some((All, Ambiguous))),
            ("申請人須：\n一、年滿六十歲；或\n二、領有證明。", Some((Any, Stated))),
            ("申請人須：\n一、年滿六十歲，且\n二、領有證明。", Some((All, Stated))),
            ("You can apply if you:\n- are 60 or over\n- rent", Option::None),
            ("須檢附：\n一、申請書及\n二、身分證。", Some((All, Stated))),
        ] {
            assert_eq!(list(text), wanted, "{text}");
        }
    }

    #[test]
    fn nested_lists_combine_by_their_innermost_common_list() {
        let text = "All of these:\n- a card\n- any of these:\n  - rent\n  - debt\n";
        let outline = read_outline(text);
        let join = |one, two| join_of_items(text, &outline, one, two).map(|it| it.combination);
        assert_eq!(join(3, 4), Some(Any));
        assert_eq!(join(1, 4), Some(All));
        assert_eq!(join(2, 4), Option::None);
    }

    #[test]
    fn two_places_of_a_sentence_are_joined_by_what_stands_between() {
        for (text, one, two, wanted) in [
            (
                "must be aged 60 or above, or hold a valid card",
                "aged 60 or above",
                "hold a valid card",
                Some(Any),
            ),
            ("須年滿65歲並在港居住滿7年方可申領", "須年滿65歲", "在港居住滿7年", Some(All)),
            ("rent a flat, own a boat, and hold a card", "rent a flat", "own a boat", Some(All)),
            ("配偶、父母或子女", "配偶", "父母", Some(Any)),
            ("甲、乙、丙擇一領取", "甲", "乙", Some(Any)),
            ("If you rent, you pay tax", "you rent", "you pay tax", Option::None),
            ("年滿65歲或領有證明，並在港住滿7年", "年滿65歲", "在港住滿7年", Some(All)),
            ("aged 60 or above and renting", "aged 60 or above", "renting", Some(All)),
            ("rent a flat, or hold a card", "rent a flat", "or hold a card", Some(Any)),
        ] {
            let place =
                |it: &str| Span::new(text.find(it).unwrap(), text.find(it).unwrap() + it.len());
            let found = join_between(text, Span::new(0, text.len()), place(one), place(two));
            assert_eq!(found.map(|it| it.combination), wanted, "{text}");
        }
        let text = "rent and own or hold";
        let found =
            join_between(text, Span::new(0, 20), Span::new(0, 4), Span::new(16, 20)).unwrap();
        assert_eq!(found.certainty, Ambiguous);
    }

    #[test]
    fn enumerations_are_found_with_their_members() {
        let members = |text: &'static str| {
            enumerations_in(text, Span::new(0, text.len()))
                .iter()
                .map(|it| it.members.iter().map(|m| m.slice(text).unwrap()).collect::<Vec<_>>())
                .collect::<Vec<_>>()
        };
        assert_eq!(members("甲、乙或丙"), [["甲", "乙", "丙"]]);
        assert_eq!(members("cats, dogs, and birds"), [["cats", "dogs", "birds"]]);
        assert!(members("aged 60 or over").is_empty());
    }
}
