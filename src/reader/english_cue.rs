//! The words by which English sentences tell what they do.
//!
//! Looks at lower-case words with straight apostrophes; it decides nothing about places.

use crate::model::claim::{Force, Op};
use crate::reader::clause::has_any;
use crate::reader::concept::Act;

/// Where a condition that something does not hold says what does not: behind its "not". The offset
/// counts in the words as they stand, with either apostrophe.
pub fn denial_end(words: &str) -> Option<usize> {
    const DENIALS: &[&str] = &[
        "didn't ",
        "don't ",
        "doesn't ",
        "aren't ",
        "isn't ",
        "haven't ",
        "hadn't ",
        "wasn't ",
        "weren't ",
        "not be ",
        "not entitled",
        "does not ",
        "did not ",
        "do not ",
        "not a ",
        "not qualified",
        "not receiv",
        "are not ",
        "is not ",
        "nor receive",
    ];
    let low = words.to_ascii_lowercase();
    let found = DENIALS.iter().flat_map(|it| [(*it).to_owned(), it.replace('\'', "’")]);
    let (at, len) = found.filter_map(|it| low.find(&it).map(|at| (at, it.len()))).min()?;
    // "A disability that didn't appear until later" is had, not denied.
    // "A resident who didn't get a grant" is somebody of whom it must not hold.
    let is_person = low[..at].ends_with(" who ") && low[..at].split_whitespace().count() <= 4;
    let describes =
        !is_person && [" that ", " which ", " who "].iter().any(|it| low[..at].ends_with(it));
    if describes || low[..at].chars().count() > 60 {
        return None;
    }
    let cue = &low[at..at + len];
    // "not entitled": the word behind "not" belongs to what is denied.
    let kept = cue.find("not ").filter(|_| !cue.ends_with(' ')).map(|not| at + not + "not ".len());
    Some(kept.unwrap_or(at + len))
}

/// A comparison with something that is no number: "income below a certain amount". The operator, and
/// where the words it compares with begin.
pub fn compared_words(low: &str) -> Option<(Op, usize)> {
    const WORDS: &[(&str, Op)] = &[
        (" is below ", Op::Lt),
        (" are below ", Op::Lt),
        (" no more than ", Op::Le),
        (" not more than ", Op::Le),
        (" less than ", Op::Lt),
        (" more than half", Op::Gt),
        (" greater than ", Op::Gt),
    ];
    let found = WORDS.iter().filter_map(|&(words, op)| low.find(words).map(|at| (at, words, op)));
    let (at, words, op) = found.min_by_key(|&(at, _, _)| at)?;
    let from = if words.ends_with(' ') { at + words.len() } else { at + " more than ".len() };
    Some((op, from))
}

/// What a sentence or its main clause does, where its words tell.
pub fn act_of(low: &str) -> Option<Act> {
    let is = |cues: &[&str]| has_any(low, cues);
    if is(&[
        "withhold",
        "penalt",
        "a fine",
        "fined",
        "repay",
        "pay back what",
        "must pay back",
        "have to pay back",
    ]) {
        Some(Act::Penalty)
    } else if is(&[
        "not eligible",
        "not be eligible",
        "no longer",
        "don't qualify",
        "doesn't qualify",
        "can't get",
        "not allowed",
        "won't be eligible",
        "wouldn't be eligible",
        "shall not continue",
        "may not be paid",
        "can't be paid",
        "won't be able",
        "aren't eligible",
        "isn't covered",
        "don't cover",
        "may not pay",
        "not qualify",
        "cannot be",
        "shall not be",
    ]) {
        Some(Act::Exclusion)
    } else if is(&[
        "don't need to",
        "not need to",
        "not necessary",
        "no time limit",
        "exempt",
        "free from",
        "shall not apply",
        "does not apply",
        "don't have to",
        "may not apply",
    ]) {
        Some(Act::Exception)
    } else if is(&[
        "effective date",
        "shall become effective",
        "takes effect",
        "back to the date",
        "back pay from",
        "date back",
        "back to this date",
        "pay you back",
    ]) {
        Some(Act::Effect)
    } else if asks_paper(low) {
        Some(Act::Document)
    } else if must_be_so(low) {
        Some(Act::Condition)
    } else if has_any(
        // What the office itself needs for its work is nothing that somebody must do.
        &low.replace("we need to ", "").replace("we have to ", ""),
        &[
            "need to ",
            "must ",
            "have to ",
            "required to",
            "should ",
            "be sure to",
            "shall ",
            "require that",
            "want to notify",
        ],
    ) || is_imperative(low)
    {
        Some(Act::Step)
    } else if has_any(
        // "Find out if your boat is listed" asks.
        &low.replace("out if ", "out whether ").replace("see if ", "see whether "),
        &["if you", "if the", "if your", "only", "who ", "qualif", "eligible", "if a ", "if they"],
    ) {
        Some(Act::Condition)
    } else {
        None
    }
}

/// Where a sentence says how often or how surely something is so: "monthly", "always".
pub fn asserted_at(low: &str) -> Option<(usize, usize)> {
    const WORDS: &[&str] =
        &["monthly", "each year", "every year", "one-time", "1-time", "always", "never"];
    WORDS.iter().filter_map(|it| low.find(it).map(|at| (at, it.len()))).min()
}

/// An item of a list of papers that is something to do: "Attend the exam".
pub fn begins_deed(low: &str) -> bool {
    const VERBS: &[&str] = &[
        "attend ",
        "meet ",
        "call ",
        "go ",
        "tell ",
        "ask ",
        "file ",
        "choose ",
        "work ",
        "make sure",
        "contact ",
    ];
    VERBS.iter().any(|it| low.starts_with(it))
}

/// What a sentence without a rule word says all the same: what is paid, covered, always or never so.
pub fn asserts(low: &str) -> Option<Act> {
    let is = |cues: &[&str]| has_any(low, cues);
    if is(&[
        "we'll pay",
        "we pay",
        "we may pay",
        "we cover",
        "at no cost",
        "for free",
        "based on",
        "you're in:",
        "qualify for:",
        "payable",
    ]) {
        Some(Act::Grant)
    } else if is(&[
        "always",
        "never",
        "monthly",
        "each year",
        "every year",
        "approves",
        "one-time",
        "1-time",
        "assign",
        "depends on",
    ]) {
        Some(Act::Condition)
    } else {
        None
    }
}

/// "Your income must not exceed the limit", "you must live here": how something must stand, and
/// nothing that anybody has to do.
fn must_be_so(low: &str) -> bool {
    const STATES: &[&str] = &[
        "exceed",
        "own",
        "live",
        "reside",
        "belong",
        "remain",
        "equal",
        "have had",
        "have been",
        "have served",
        "have a",
        "have an",
        "have one",
        "have at least",
        "be enrolled",
        "be registered",
        "be in",
        "be a",
        "be an",
        "be the",
        "be married",
        "be aged",
        "be at least",
        "be below",
        "be under",
        "be over",
        "be less",
        "be more",
        "be older",
        "be younger",
    ];
    low.match_indices("must ").next().is_some_and(|(at, word)| {
        let rest = low[at + word.len()..].trim_start_matches("also ");
        let rest = rest.strip_prefix("not ").unwrap_or(rest);
        STATES.iter().any(|it| {
            rest.strip_prefix(it).is_some_and(|it| !it.starts_with(|it: char| it.is_alphabetic()))
        })
    })
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
    // "…, which lets you submit a form", tells of something else.
    let head = low.split(" which ").next().unwrap_or(low);
    has_any(head, &asks) && has_any(head, &papers)
}

fn is_imperative(low: &str) -> bool {
    const VERBS: &[&str] = &[
        "send a",
        "send your",
        "include ",
        "sign ",
        "file ",
        "submit ",
        "complete ",
        "fill ",
        "get a ",
        "set up",
        "assure ",
        "provide ",
        "dispatch ",
        "be sure",
    ];
    VERBS.iter().any(|it| low.starts_with(it))
}

/// The force a sentence states.
pub fn own_force(low: &str) -> Option<Force> {
    if has_any(low, &["in most cases", "usually", "generally", "in principle"])
        || low.starts_with("most ")
    {
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

/// True where the words behind an "and" begin a statement of their own.
pub fn starts_verb(low: &str) -> bool {
    const FIRST: &[&str] = &[
        "you",
        "you're",
        "you've",
        "you'll",
        "didn't",
        "don't",
        "doesn't",
        "not",
        "were",
        "was",
        "had",
        "have",
        "has",
        "get",
        "got",
        "served",
        "completed",
        "enrolled",
        "is",
        "are",
        "started",
        "entered",
        "we",
        "i",
        "they",
        "they're",
        "received",
        "attending",
        "their",
        "your",
        "confirmed",
        "in",
        "made",
        "chose",
        "meet",
        "live",
        "lives",
    ];
    let first = low.split([' ', ',']).next().unwrap_or_default();
    let second = low.split([' ', ',']).nth(1).unwrap_or_default();
    FIRST.contains(&first)
        && !(first == "in" && second != "fact")
        && (!matches!(first, "your" | "their")
            || has_any(low, &[" is ", " are ", " was ", " were "]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_tell_what_a_sentence_does() {
        assert_eq!(act_of("you don't need to send a copy"), Some(Act::Exception));
        assert_eq!(act_of("you'll need to fill out a form"), Some(Act::Document));
        assert_eq!(act_of("the sky is blue"), None);
        assert_eq!(act_of("your income must not exceed the limit"), Some(Act::Condition));
        assert_eq!(act_of("you must tell us of every change"), Some(Act::Step));
        assert_eq!(asserts("we'll pay the seller directly"), Some(Act::Grant));
    }

    #[test]
    fn a_person_who_did_not_is_denied_and_a_thing_that_did_not_is_described() {
        assert!(denial_end("A resident who didn't get a grant").is_some());
        assert!(denial_end("An illness that didn't appear until later").is_none());
        assert!(denial_end("A child of a resident of the district who didn't apply").is_none());
    }

    #[test]
    fn a_part_after_and_states_something_only_with_a_verb() {
        assert!(starts_verb("didn't get a grant"));
        assert!(starts_verb("your income is low"));
        assert!(!starts_verb("children"));
        assert!(!starts_verb("your spouse"));
    }
}
