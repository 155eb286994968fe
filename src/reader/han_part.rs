//! The clauses of a Chinese sentence, put together where a comma parts what belongs together.
//!
//! A ban keeps the clause with the verb that it forbids, 除…外 everything between its two words.

use crate::reader::clause::{closes, has_any, split_after};
use crate::reader::han_clause::{Role, exempted_at, only_adds, role_of};
use crate::reader::measure::measures_in;
use crate::reader::stated::Measure;
use crate::text::markers::ban_reach::resumed_at;
use crate::text::span::Span;

/// A clause with what was read in it.
pub struct Part {
    pub span: Span,
    pub role: Role,
    pub measures: Vec<Measure>,
}

/// Most clauses that 除…外 may hold.
const MOST_EXEMPTED: usize = 6;

/// Where the verb stands that 不得 in a clause forbids, if behind a comma.
fn ban_end(text: &str, clause: Span, segment: Span) -> Option<usize> {
    let at = clause.start + clause.slice(text)?.find("不得")?;
    let verb = resumed_at(text, Span::new(at, at + "不得".len()), segment)?;
    Some(verb.end)
}

/// 除…外, with no more than who is spoken of before it: 申請人除有正當理由者外.
fn opens_exemption(words: &str) -> bool {
    exempted_at(words).is_some()
}

/// The clauses of a segment; 除…外 is one clause even with commas in it.
pub fn parts_of(text: &str, segment: Span) -> Vec<Part> {
    let clauses = split_after(text, segment, &['，', ',', '：']);
    let mut spans: Vec<Span> = Vec::new();
    let mut is_open = false;
    // Where the ban of an earlier clause is completed: 不得因同一事故，重複請領.
    let mut banned_to = segment.start;
    for (at, &clause) in clauses.iter().enumerate() {
        let words = clause.slice(text).unwrap_or_default();
        let is_banned = clause.start < banned_to;
        match spans.last_mut().filter(|_| is_open || is_banned || only_adds(words)) {
            Some(last) => last.end = clause.end,
            None => spans.push(clause),
        }
        banned_to = ban_end(text, clause, segment).unwrap_or(banned_to).max(banned_to);
        let closes_it = words.trim_end_matches(closes).ends_with('外');
        let opens_it = opens_exemption(words)
            && clauses[at..].iter().take(MOST_EXEMPTED).any(|it| {
                it.slice(text).is_some_and(|it| it.trim_end_matches(closes).ends_with('外'))
            });
        is_open = (is_open || opens_it) && !closes_it && spans.len() < 12;
    }
    let last = spans.len().saturating_sub(1);
    spans
        .iter()
        .enumerate()
        .map(|(at, &span)| {
            let words = span.slice(text).unwrap_or_default();
            let role = role_of(words, at == 0, at == last);
            Part { span, role, measures: measures_in(text, span) }
        })
        .collect()
}

/// True for a clause that adds to the one before it: 並處…, 另應….
pub fn adds_to(words: &str) -> bool {
    [
        "並", "另", "仍", "亦", "且", "再", "應另", "應並", "得另", "得並", "處", "加徵", "應自",
        "應即",
    ]
    .iter()
    .any(|it| words.starts_with(it))
}

/// What is done, and no case, person or rule that is taken out.
pub fn is_deed_alone(inner: &str) -> bool {
    !["者", "情形", "規定", "時", "事由", "情事", "之人"].iter().any(|it| inner.ends_with(it))
        && !has_any(inner, &["另有", "但", "不在此限", "有下列", "未", "不"])
}

/// 一式三份, 影本二張: how many of a paper.
pub fn counts_papers(measure: &Measure) -> bool {
    matches!(measure.unit.as_deref(), Some("份" | "式" | "聯"))
}

/// True for a limit set with 不得: what may not be exceeded or undercut.
pub fn sets_a_limit(words: &str) -> bool {
    const LIMITS: &[&str] = &[
        "不得超過",
        "不得低於",
        "不得逾",
        "不得少於",
        "不得大於",
        "不得小於",
        "不得高於",
        "不得多於",
        "不得超过",
        "不得低于",
        "不得少于",
    ];
    has_any(words, LIMITS)
}
