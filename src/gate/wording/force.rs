//! Whether a row binds as strongly as the page: must, should, may, in principle.
//!
//! Asked only of rows that state a force, and only where the page states one.

use crate::gate::places::stand::Stand;
use crate::gate::wording::polarity::says_no;
use crate::model::claim::{Force, Op, Value};
use crate::model::finding::{Code, Finding};
use crate::text::markers::marker::{MarkerKind, Strength, force_of, markers_of_sentence};
use crate::text::sentence::clauses_in;
use crate::text::span::Span;

/// FORCE_CHANGED, where nothing around the quote binds as the row says and something binds
/// otherwise.
pub fn check_force(stand: &Stand) -> Option<Finding> {
    let stated = stand.claim.force?;
    let page = stand.page;
    let text = page.text();
    let mut sources = forces_in(text, stand.context);
    for span in stand.lead_ins().into_iter().chain(stand.headings()) {
        sources.extend(forces_in(text, span));
    }
    let is_hardened = matches!(stated, Force::Must | Force::MustNot) && quotes_principle(stand);
    // What the quote itself binds by counts before whatever else binds around it.
    let own = forces_in(text, stand.span);
    let is_plain = stand.lead_ins().is_empty() && clauses_in(text, stand.span).len() == 1;
    let is_own = !own.is_empty() && is_plain;
    if is_own {
        sources = own;
    }
    let is_same = |it: &Strength| agrees(stated, *it) && !is_turned(stand, stated, *it);
    if !is_hardened && (sources.iter().any(is_same) || is_worded(stand, stated)) {
        return None;
    }
    let clauses = if is_own { stand.span } else { own_clauses(stand) };
    let source = force_of(text, clauses)
        .map(|it| it.strength)
        .or_else(|| lead_force(stand))
        .or_else(|| freed(stand, stated))?;
    if source == Strength::Must && stated == Force::Must {
        return None;
    }
    let (source, stated) = (word_of(source), stated.as_str());
    let detail = page.pick(
        || format!("the page says “{source}”, the row “{stated}”"),
        || format!("頁面的強度是 {source}，資料列寫成 {stated}"),
    );
    Some(Finding {
        code: Code::ForceChanged,
        detail,
        place: Some(stand.span),
        evidence: Some(source.to_owned()),
    })
}

/// True where the quote itself says 原則上 or "in principle": the row must not drop it.
fn quotes_principle(stand: &Stand) -> bool {
    let principle = MarkerKind::Force(Strength::InPrinciple);
    let markers = markers_of_sentence(stand.page.text(), stand.context);
    markers.iter().any(|it| it.kind == principle && stand.span.contains(it.span))
}

/// True for a row that makes a duty or a permission of a ban: "must not ask" stated as must, true.
/// A limit is none ("must not exceed"), nor is a row whose words say no.
fn is_turned(stand: &Stand, stated: Force, source: Strength) -> bool {
    let claim = stand.claim;
    let is_plain = matches!(claim.op, Op::Is | Op::Eq) && matches!(claim.value, Value::Bool(true));
    source == Strength::MustNot
        && stated != Force::MustNot
        && is_plain
        && !says_no(claim)
        && !(stated == Force::May && stand.context_text().contains("may not"))
}

/// "Students are exempt" binds nobody: a duty made of it is none. A row about the exemption itself is
/// another matter.
fn freed(stand: &Stand, stated: Force) -> Option<Strength> {
    let quote = stand.quote_text().to_lowercase();
    let frees = ["are exempt", "is exempt", "be exempt", "are excused", "is excused"]
        .iter()
        .any(|it| quote.contains(it))
        || ["免收", "免繳", "免徵", "免納", "免費", "免計"].iter().any(|it| quote.contains(it));
    let is_plain = matches!(stand.claim.value, Value::Bool(true)) && !says_no(stand.claim);
    if let Value::Text(words) = &stand.claim.value
        && stated == Force::Must
        && !says_no(stand.claim)
        && let Some(at) = stand.quote_text().find(words.trim())
        && stand.quote_text()[..at].ends_with('免')
        && !stand.quote_text()[..at].ends_with("避免")
    {
        return Some(Strength::NeedNot);
    }
    (frees && stated == Force::Must && is_plain).then_some(Strength::NeedNot)
}

/// The force of a lead-in that rules its items; one that only announces conditions ("you may get
/// it if you:") rules nothing.
fn lead_force(stand: &Stand) -> Option<Strength> {
    let text = stand.page.text();
    let lead = stand.lead_ins().first().copied()?;
    let words = stand.page.slice(lead).to_lowercase();
    let is_condition = [
        " if ",
        " when ",
        " who ",
        " provided ",
        " where ",
        "as long as",
        "these",
        "following",
        "下列",
        "以下",
        "符合",
        "情形",
    ]
    .iter()
    .any(|it| words.contains(it))
        || words.ends_with("if:");
    if is_condition { None } else { force_of(text, lead).map(|it| it.strength) }
}

/// Wordings of a force that stand outside the lists: "require that", a hedge for "in principle".
fn is_worded(stand: &Stand, stated: Force) -> bool {
    let text = stand.context_text().to_lowercase();
    let says = |list: &[&str]| list.iter().any(|it| text.contains(it));
    match stated {
        Force::Must => {
            says(&["necessary", "essential", "mandatory", "obliged", "needs"])
                || text.match_indices("require").any(|(at, _)| !is_only_allowed(&text[..at]))
        }
        Force::InPrinciple => markers_of_sentence(stand.page.text(), stand.context)
            .iter()
            .any(|it| it.kind == MarkerKind::Hedge),
        _ => false,
    }
}

/// "An officer may, at any time, require …": nothing is required yet.
fn is_only_allowed(before: &str) -> bool {
    const NEAR: usize = 10;
    let clause = before.rsplit(['.', ';', '\n']).next().unwrap_or_default();
    let words = clause.split(|it: char| !it.is_ascii_alphabetic()).filter(|it| !it.is_empty());
    words.rev().take(NEAR).any(|it| matches!(it, "may" | "can" | "might" | "could"))
}

fn forces_in(text: &str, span: Span) -> Vec<Strength> {
    let markers = markers_of_sentence(text, span);
    let strength = |it: &crate::text::markers::marker::Marker| match it.kind {
        MarkerKind::Force(strength) => Some(strength),
        _ => None,
    };
    markers.iter().filter_map(strength).collect()
}

/// The clauses that the quote takes part in.
fn own_clauses(stand: &Stand) -> Span {
    let clauses = clauses_in(stand.page.text(), stand.context);
    let own: Vec<Span> = clauses.into_iter().filter(|it| it.overlaps(stand.span)).collect();
    match (own.first(), own.last()) {
        (Some(first), Some(last)) => Span::new(first.start, last.end),
        _ => stand.span,
    }
}

fn agrees(stated: Force, source: Strength) -> bool {
    matches!(
        (stated, source),
        (Force::Must, Strength::Must)
            // A ban is a must, and "may not" is read both ways.
            | (Force::Must | Force::MustNot | Force::May, Strength::MustNot)
            | (Force::Should, Strength::Should)
            | (Force::May, Strength::May | Strength::NeedNot)
            | (Force::InPrinciple, Strength::InPrinciple | Strength::May)
    )
}

fn word_of(strength: Strength) -> &'static str {
    match strength {
        Strength::Must => "must",
        Strength::MustNot => "must_not",
        Strength::Should => "should",
        Strength::May => "may",
        Strength::NeedNot => "need_not",
        Strength::InPrinciple => "in_principle",
    }
}
