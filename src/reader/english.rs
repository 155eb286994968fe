//! Reads the rules of English sentences.
//!
//! A quote is a whole sentence or list item, so that it cuts no "not", "unless", "only" or "if".

use crate::model::claim::{Force, Op};
use crate::reader::clause::{closes, has_any, trim};
use crate::reader::concept::Act;
use crate::reader::draft::Draft;
use crate::reader::measure::measures_in;
use crate::text::span::Span;

/// What is known of a sentence from outside.
#[derive(Clone, Copy, Debug)]
pub struct EnglishSeat {
    /// The sentence opens an item whose lead-in says that each item is a case.
    pub is_case: bool,
    /// What the lead-in says the items are.
    pub act: Act,
    /// How strong the lead-in is.
    pub force: Option<Force>,
}

/// Reads one sentence.
pub fn read_english_sentence(text: &str, sentence: Span, seat: EnglishSeat) -> Vec<Draft> {
    let quote = trim_connective(text, trim(text, sentence, closes));
    let Some(words) = quote.slice(text).filter(|it| !it.is_empty()) else { return Vec::new() };
    let low = words.to_ascii_lowercase().replace('’', "'");
    if is_furniture(&low, sentence.slice(text).unwrap_or_default()) {
        return Vec::new();
    }
    let force = own_force(&low).or(seat.force);
    let act = act_of(&low);
    let mut drafts = Vec::new();
    let measures = measures_in(text, quote);
    for measure in &measures {
        let clause = clause_around(text, quote, measure.span);
        drafts.push(
            Draft::measure(
                quote,
                clause,
                measure,
                if seat.is_case { seat.act } else { Act::Condition },
            )
            .with_force(force)
            .with_subject(Some(subject_of(text, clause, measure.span))),
        );
    }
    let says = act.filter(|it| measures.is_empty() || is_strong(*it));
    if seat.is_case && measures.is_empty() {
        let act = if seat.act == Act::Condition {
            act.filter(|it| is_strong(*it)).unwrap_or(seat.act)
        } else {
            seat.act
        };
        drafts.push(words_draft(text, quote, quote, &low, act).with_force(force));
    } else if let Some(act) = says.filter(|_| !seat.is_case) {
        let value = consequence(text, quote, act);
        drafts.push(words_draft(text, quote, value, &low, act).with_force(force));
    }
    if let Some(exempt) = exception_in(text, quote).filter(|_| act != Some(Act::Exception)) {
        drafts.push(Draft::words(text, quote, exempt, Act::Exception));
    }
    drafts
}

fn words_draft(text: &str, quote: Span, value: Span, low: &str, act: Act) -> Draft {
    let mut draft = Draft::words(text, quote, value, act);
    if act == Act::Condition && denies(low) {
        draft.op = Op::Ne;
    }
    draft
}

/// True where the condition is that something does not hold.
fn denies(low: &str) -> bool {
    let head: String = low.chars().take(60).collect();
    has_any(
        &head,
        &[
            "didn't ",
            "don't ",
            "doesn't ",
            "aren't ",
            "isn't ",
            "not be ",
            "not entitled",
            "does not ",
            "did not ",
            "not a ",
            "not qualified",
        ],
    )
}

/// Acts that a sentence states even where it also has a number.
fn is_strong(act: Act) -> bool {
    matches!(
        act,
        Act::Exclusion | Act::Exception | Act::Penalty | Act::Document | Act::Effect | Act::Step
    )
}

/// Links, calls and questions: not a statement of the page's rules.
fn is_furniture(low: &str, sentence: &str) -> bool {
    if sentence.trim_end().ends_with('?') {
        return true;
    }
    const OPENERS: &[&str] = &[
        "find out",
        "learn ",
        "get help",
        "download",
        "go to",
        "sign in",
        "call ",
        "visit",
        "read ",
        "see ",
        "check ",
        "view ",
        "get more",
        "you can find",
        "watch",
        "print",
        "follow ",
        "click",
        "explore",
        "access ",
        "note: if you need",
        "get the",
        "get started",
        "then click",
        "or fax",
    ];
    OPENERS.iter().any(|it| low.starts_with(it))
}

fn act_of(low: &str) -> Option<Act> {
    let is = |cues: &[&str]| has_any(low, cues);
    if is(&["withhold", "penalt", "a fine", "fined", "repay"]) {
        Some(Act::Penalty)
    } else if is(&[
        "not eligible",
        "not be eligible",
        "no longer",
        "don't qualify for",
        "doesn't qualify",
        "don't qualify",
        "can't get",
        "shall not continue",
        "not allowed",
        "are not eligible",
        "may not be paid",
        "can't be paid",
        "won't be able",
        "aren't eligible",
        "isn't covered",
        "don't cover",
    ]) {
        Some(Act::Exclusion)
    } else if is(&[
        "don't need to",
        "not need to",
        "not necessary",
        "no time limit",
        "exempt",
        "are free from",
        "shall not apply",
        "does not apply",
        "don't have to",
    ]) {
        Some(Act::Exception)
    } else if is(&[
        "effective date",
        "shall become effective",
        "takes effect",
        "back to the date",
        "back pay from",
        "date back",
    ]) {
        Some(Act::Effect)
    } else if asks_paper(low) {
        Some(Act::Document)
    } else if is(&[
        "need to ",
        "must ",
        "have to ",
        "required to",
        "should ",
        "be sure to",
        "shall ",
        "requires",
        "require that",
    ]) || is_imperative(low)
    {
        Some(Act::Step)
    } else if is(&[
        "if you", "if the", "if your", "only", "who ", "qualif", "eligible", "if a ", "if they",
        "when you",
    ]) {
        Some(Act::Condition)
    } else {
        None
    }
}

fn asks_paper(low: &str) -> bool {
    let asks = [
        "need to submit",
        "need to fill out",
        "need to send",
        "need to provide",
        "need to turn in",
        "need to include",
        "fill out",
        "submit",
        "include ",
        "send us",
        "also send",
        "bring ",
    ];
    let papers = [
        "form",
        "cop",
        "certificate",
        "application",
        "document",
        "proof",
        "records",
        "evidence",
        "statement",
        "file number",
        "papers",
        "the date",
    ];
    has_any(low, &asks) && has_any(low, &papers)
}

fn is_imperative(low: &str) -> bool {
    [
        "send a",
        "send your",
        "include ",
        "sign ",
        "file ",
        "submit ",
        "complete ",
        "fill ",
        "mail ",
        "apply ",
        "get a ",
        "set up",
    ]
    .iter()
    .any(|it| low.starts_with(it))
}

fn own_force(low: &str) -> Option<Force> {
    if has_any(low, &["in most cases", "usually", "generally", "in principle", "most "]) {
        Some(Force::InPrinciple)
    } else if has_any(low, &["must", "need to", "have to", "required", "shall", "can't"])
        && !has_any(low, &["don't need to", "don't have to"])
    {
        Some(Force::Must)
    } else if low.contains("should ") {
        Some(Force::Should)
    } else if low.contains("may ") {
        Some(Force::May)
    } else {
        None
    }
}

/// The part of a sentence that says what follows from its "if".
fn consequence(text: &str, quote: Span, act: Act) -> Span {
    let Some(words) = quote.slice(text) else { return quote };
    let low = words.to_ascii_lowercase();
    let Some(comma) = low
        .find(", ")
        .filter(|_| low.starts_with("if ") || low.starts_with("when ") || low.starts_with("for "))
    else {
        return quote;
    };
    if act == Act::Condition {
        Span::new(quote.start, quote.start + comma)
    } else {
        Span::new(quote.start + comma + 2, quote.end)
    }
}

fn exception_in(text: &str, quote: Span) -> Option<Span> {
    let low = quote.slice(text)?.to_ascii_lowercase();
    let at = [" unless ", " except ", "(except "].iter().filter_map(|it| low.find(it)).min()?;
    Some(trim(text, Span::new(quote.start + at, quote.end), |it| closes(it) || it == '('))
}

/// The comma-clause a quantity stands in.
fn clause_around(text: &str, quote: Span, inner: Span) -> Span {
    let before = text.get(quote.start..inner.start).unwrap_or_default();
    let after = text.get(inner.end..quote.end).unwrap_or_default();
    let start = before.rfind([',', ';', '—', ':']).map_or(quote.start, |at| quote.start + at + 1);
    let end = after.find([',', ';', '—']).map_or(quote.end, |at| inner.end + at);
    let mut start = start.min(inner.start);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    trim(text, Span::new(start, end.max(inner.end)), |it| closes(it) || it == '—')
}

fn subject_of(text: &str, clause: Span, measure: Span) -> Span {
    trim(text, Span::new(clause.start, measure.start.max(clause.start)), closes)
}

/// Without the "and", "or" that only joins an item to the next.
fn trim_connective(text: &str, span: Span) -> Span {
    let Some(words) = span.slice(text) else { return span };
    for end in [", and", ", or", "; and", "; or", " and", " or"] {
        if let Some(rest) = words.strip_suffix(end) {
            return trim(text, Span::new(span.start, span.start + rest.len()), closes);
        }
    }
    span
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: EnglishSeat = EnglishSeat { is_case: false, act: Act::Condition, force: None };

    fn acts(text: &str) -> Vec<Act> {
        read_english_sentence(text, Span::new(0, text.len()), PLAIN)
            .into_iter()
            .map(|it| it.act)
            .collect()
    }

    #[test]
    fn a_sentence_without_a_rule_is_no_row() {
        assert!(acts("We know that moving house is hard.").is_empty());
        assert!(acts("Learn how to qualify for help.").is_empty());
        assert!(acts("Do you qualify?").is_empty());
    }

    #[test]
    fn a_sentence_is_read_for_what_it_does() {
        assert_eq!(acts("If you own your home, you’re not eligible."), [Act::Exclusion]);
        assert_eq!(acts("You’ll need to submit a copy of your lease."), [Act::Document]);
        assert_eq!(
            acts("You must tell us, unless you already wrote."),
            [Act::Step, Act::Exception]
        );
    }
}
