//! English sentences that state nothing: links, calls, lead-ins, conditions that say nothing of a case.
//!
//! Looks at lower-case words with straight apostrophes; it decides nothing about places.

use crate::reader::clause::has_any;

/// Links, calls and questions: not a statement of the page's rules.
pub fn is_furniture(low: &str, sentence: &str) -> bool {
    sentence.trim_end().ends_with('?')
        || low.starts_with("for example")
        || low.starts_with("example: ")
        || ["by email", "by phone", "by fax", "email "].iter().any(|it| low.starts_with(it))
            && (low.contains('@') || low.contains(" at "))
        || (is_invitation(low) && !low.contains("would "))
        || has_phone_number(low)
}

/// True where a sentence or its main clause sends the reader elsewhere: "find out how to apply".
pub fn is_invitation(low: &str) -> bool {
    const OPENERS: &[&str] = &[
        "find ",
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
        "get the",
        "get started",
        "then click",
        "or fax",
        "or call",
        "or, call",
        "apply ",
        "mail your",
        "mail the",
        "please send all",
        "tell ",
        "there are ",
        "here are ",
        "to get started",
        "if you see ",
        "example:",
        "examples of",
        "connect with",
        "contact ",
        "feel free",
        "please call",
        "please contact",
        "please check",
        "please see",
        "ask ",
        "talk to",
        "try ",
        "join ",
        "share ",
    ];
    OPENERS.iter().any(|it| low.starts_with(it))
}

/// 1-800-555-0100, 555-0100-1234: three digits, a hyphen, three or four digits, a hyphen or an end.
fn has_phone_number(low: &str) -> bool {
    let bytes = low.as_bytes();
    let run = |from: usize| bytes[from..].iter().take_while(|it| it.is_ascii_digit()).count();
    let mut at = 0;
    while at < bytes.len() {
        let first = run(at);
        let next = at + first;
        if first == 3 && bytes.get(next) == Some(&b'-') {
            let second = run(next + 1);
            let third = bytes.get(next + 1 + second) == Some(&b'-');
            if second == 3 && third && run(next + 2 + second) == 4 {
                return true;
            }
        }
        at = next + 1;
    }
    false
}

/// True where a sentence only leads in what stands below it.
pub fn is_lead_only(low: &str, is_led: bool) -> bool {
    const POINTERS: &[&str] = &[
        "must be true",
        "listed below",
        "requirements below",
        "the following",
        "steps below",
        "requirements you need",
        "these requirements",
        "need to know",
        "must be needed to",
        "options below",
        "forms below",
        "these is true",
        "these are true",
        "descriptions below",
    ];
    const DANGLING: &[&str] = &[
        "if",
        "if you're",
        "you're",
        "if you",
        "you",
        "for",
        "to",
        "are",
        "is",
        "of",
        "must",
        "including",
        "with",
        "from",
        "in",
        "on",
        "at",
        "and",
        "or",
        "include",
        "includes",
        "either",
        "like",
        "by",
        "that",
        "these",
        "as",
    ];
    let last = low.trim_end_matches([':', ' ']).rsplit(' ').next().unwrap_or_default();
    let points = has_any(low, POINTERS) && !has_any(low, &["don't qualify for ", "you're not "]);
    points || (is_led && DANGLING.contains(&last))
}

/// "If you have questions", "if needed": a condition that says nothing of the reader's case.
pub fn is_empty_condition(low: &str) -> bool {
    const EMPTY: &[&str] = &[
        "have questions",
        "have any questions",
        "have a question",
        "need help",
        "need more",
        "would like",
        "you'd like",
        "you want",
        "if needed",
        "if necessary",
        "if applicable",
        "if possible",
        "you prefer",
        "you need to,",
        "one or more of these",
        "any of these",
        "one of these",
        "you're not sure",
        "you aren't sure",
    ];
    has_any(low, EMPTY) && low.split_whitespace().count() <= 16 || low.trim() == "if you need to"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn telephone_numbers_are_no_rules() {
        assert!(is_furniture("fax it to 1-800-555-0100", "Fax it to 1-800-555-0100"));
        assert!(is_furniture(
            "by email at pier@harbour.example",
            "By email at pier@harbour.example"
        ));
        assert!(!is_furniture("form 10-0484 is needed", "Form 10-0484 is needed"));
    }

    #[test]
    fn a_condition_that_everybody_meets_says_nothing() {
        assert!(is_empty_condition("if you have questions"));
        assert!(!is_empty_condition("if you have a boat"));
    }
}
