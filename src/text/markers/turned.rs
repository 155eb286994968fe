//! Markers that other markers turn: what is allowed to nobody, a ban that is denied, a ban whose verb stands
//! further on. Never finds a marker of its own.

use crate::text::markers::ban_reach::resumed_at;
use crate::text::markers::found::{Marker, MarkerKind};
use crate::text::markers::marker_words::Strength;
use crate::text::span::Span;

/// "No person shall …", "Nobody may …", "Neither … may …": what is allowed to nobody is forbidden.
pub fn turn_forces(text: &str, found: &mut [Marker]) {
    let subjects: Vec<Span> = found
        .iter()
        .filter(|it| it.kind == MarkerKind::Negation && it.span.start == it.clause.start)
        .filter(|it| {
            let word = it.span.slice(text).unwrap_or("").to_ascii_lowercase();
            matches!(word.as_str(), "no" | "nobody" | "no one" | "no-one" | "neither" | "none")
        })
        .map(|it| it.clause)
        .collect();
    for it in found.iter_mut().filter(|it| subjects.contains(&it.clause)) {
        if matches!(it.kind, MarkerKind::Force(Strength::May | Strength::Must)) {
            it.kind = MarkerKind::Force(Strength::MustNot);
        }
    }
}

/// 並非不得, "not prohibited": a ban that is denied allows, and neither of its words denies anything.
pub fn lift_bans(text: &str, found: &mut Vec<Marker>) {
    const HAN: [&str; 8] = ["並非", "并非", "不是", "並不", "并不", "亦非", "尚非", "自非"];
    let denial_before = |span: Span| {
        let before = text.get(..span.start)?.trim_end();
        let is_word = |it: &&&str| {
            let head = before.len() - it.len();
            before.is_char_boundary(head) && before[head..].eq_ignore_ascii_case(it)
        };
        let words = HAN.iter().chain(&[" not", "n't", "n’t"]);
        let word = words.filter(|it| it.len() <= before.len()).find(is_word)?;
        Some(Span::new(before.len() - word.trim_start().len(), span.end))
    };
    let is_ban = |it: &&Marker| it.kind == MarkerKind::Force(Strength::MustNot);
    let lifted: Vec<Span> =
        found.iter().filter(is_ban).filter_map(|it| denial_before(it.span)).collect();
    if lifted.is_empty() {
        return;
    }
    let is_within = |it: &Marker| lifted.iter().any(|span| span.overlaps(it.span));
    found.retain(|it| it.kind != MarkerKind::Negation || !is_within(it));
    for it in found.iter_mut().filter(|it| is_within(it)) {
        if it.kind == MarkerKind::Force(Strength::MustNot) {
            it.kind = MarkerKind::Force(Strength::May);
        }
    }
}

/// 不得因…，… and 不得超過因…，而…: a ban whose verb stands in a later clause reaches to that one's end,
/// unless a force of its own stands there.
pub fn carry_bans(text: &str, sentence: Span, found: &mut [Marker]) {
    let is_force = |it: &&Marker| matches!(it.kind, MarkerKind::Force(_));
    let forces: Vec<Span> = found.iter().filter(is_force).map(|it| it.span).collect();
    for it in found.iter_mut() {
        let same = forces.partition_point(|force| force.start < it.span.start);
        let bans = matches!(it.kind, MarkerKind::Negation | MarkerKind::Bound)
            && forces.get(same) == Some(&it.span);
        let resumed = if bans { resumed_at(text, it.span, sentence) } else { None };
        let at = resumed.map_or(0, |resumed| forces.partition_point(|it| it.end <= resumed.start));
        let is_free = |resumed: &Span| forces.get(at).is_none_or(|it| resumed.end <= it.start);
        if let Some(resumed) = resumed.filter(is_free) {
            it.reach = Span::new(it.reach.start, it.reach.end.max(resumed.end));
        }
    }
}
