//! How far a marker reaches: the clause it turns, the sentence it softens, the relative clause it ends in.
//!
//! Never beyond the marker's sentence, and never further than some characters in search of a verb.

use crate::text::span::Span;

/// The part that a negation turns round: up to the end of its clause, or to where an affirmed part
/// or the main clause begins.
pub fn negated(text: &str, span: Span, clause: Span) -> Span {
    let part = negated_part(text, span, clause);
    relative_end(text, span, clause).map_or(part, |end| Span::new(span.start, end.min(part.end)))
}

/// How far a negation looks for the word that ends it, in characters.
const NEGATED: usize = 80;

/// From the negation to the end of its clause, or to the word that starts an affirmed part.
fn negated_part(text: &str, span: Span, clause: Span) -> Span {
    let rest = text.get(span.end..clause.end).unwrap_or("");
    let near = rest.char_indices().nth(NEGATED).map_or(rest, |it| &rest[..it.0]);
    // 不得以…而…, 不得因…而…: what stands behind 而 is what is forbidden.
    let is_pretext = near.starts_with(['以', '因', '藉']);
    let turns = [" but ", "而", "且", "並"].iter().filter(|it| !is_pretext || **it != "而");
    let turns = turns.filter_map(|it| near.find(it));
    let end = turns.filter(|it| *it > 3).min();
    Span::new(span.start, end.map_or(clause.end, |it| span.end + it))
}

/// Where a negation inside "who cannot …", 未…者 ends: at the main verb of the sentence.
fn relative_end(text: &str, span: Span, clause: Span) -> Option<usize> {
    const PRONOUNS: [&str; 3] = ["who", "which", "whose"];
    const VERBS: &[&str] = &[
        " may ",
        " must ",
        " can ",
        " cannot ",
        " will ",
        " shall ",
        " should ",
        " is ",
        " are ",
        " pay ",
        " pays ",
        " need ",
        " get ",
        " gets ",
        " receive ",
        " receives ",
    ];
    let before = text.get(clause.start..span.start).unwrap_or("");
    let from = before.char_indices().rev().nth(NEGATED).map_or(0, |it| it.0);
    let rest = text.get(span.end..clause.end).unwrap_or("");
    let near = rest.char_indices().nth(NEGATED).map_or(rest, |it| &rest[..it.0]);
    let is_relative = before[from..]
        .split_whitespace()
        .rev()
        .take(4)
        .any(|it| PRONOUNS.contains(&it.to_ascii_lowercase().as_str()));
    if is_relative {
        // The first verb behind "not" is the denied one.
        let later = |it: &&str| near.match_indices(*it).map(|it| it.0).find(|at| 0 < *at);
        let at = VERBS.iter().filter_map(later).min()?;
        return Some(span.end + at);
    }
    let opens =
        |word: &&str| before.get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word));
    if ["if ", "when ", "where ", "because ", "although ", "while "].iter().any(opens) {
        return main_clause(near).map(|at| span.end + at);
    }
    // 未領取補助者得申請: 者 closes what is negated, a verb of the rule follows.
    let at = near.find('者')?;
    let behind = &near[at + '者'.len_utf8()..];
    let is_subject =
        !near[..at].is_empty() && behind.starts_with(['應', '得', '須', '可', '應', '应', '须']);
    is_subject.then_some(span.end + at)
}

/// Where "you may still claim" begins behind "if the donor has not made a declaration".
fn main_clause(rest: &str) -> Option<usize> {
    const SUBJECTS: [&str; 6] = [" you ", " we ", " they ", " he ", " she ", " it "];
    const MODALS: [&str; 12] = [
        "may ", "must ", "can ", "cannot ", "will ", "shall ", "should ", "might ", "could ",
        "do ", "need ", "still ",
    ];
    let starts = SUBJECTS.iter().flat_map(|it| rest.match_indices(it));
    let is_main = |(at, it): &(usize, &str)| {
        let behind = &rest[at + it.len()..];
        MODALS.iter().any(|it| behind.starts_with(it))
    };
    starts.filter(is_main).map(|it| it.0).min()
}
