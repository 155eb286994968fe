//! Quotes too short to prove anything.
//!
//! A whole list item, cell or line is never too short, however few its words.

use crate::gate::page::PageText;
use crate::gate::places::stream::{is_ideograph, tokens_of};
use crate::text::amounts::quantity::{Quantity, read_quantities};
use crate::text::span::Span;

/// True where the quote is a word or two that any page could hold.
pub fn is_too_short(page: &PageText, quote: &str, place: Option<Span>) -> bool {
    if LEAST_WEIGHT <= weight(quote) || is_quantity(quote) {
        return false;
    }
    is_empty(quote) || !place.is_some_and(|it| is_whole_unit(page, it))
}

/// True for words that say nothing even where they are all there is: "of", "and the".
fn is_empty(quote: &str) -> bool {
    let words = tokens_of(quote);
    let says_nothing = |word: &str| {
        let is_answer = ["yes", "no"].iter().any(|it| word.eq_ignore_ascii_case(it));
        is_function_word(word) && !is_answer
    };
    words.iter().filter_map(|it| it.span.slice(quote)).all(says_nothing)
}

/// True for 七元, "5 kg": all of it is one number with its unit.
fn is_quantity(quote: &str) -> bool {
    const LONGEST: usize = 64;
    let bare = quote.trim();
    let is_all = |it: &Quantity| {
        it.unit.is_some() && !it.implied && it.span.len() == bare.len() && 1 < bare.chars().count()
    };
    quote.len() <= LONGEST && read_quantities(bare).first().is_some_and(is_all)
}

/// A number with its unit, two words, one word that not every page has, or four ideographs.
const LEAST_WEIGHT: usize = 4;

/// Words that stand on every page of rules.
fn is_common(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "applicant",
        "applicants",
        "apply",
        "applies",
        "application",
        "applications",
        "person",
        "persons",
        "people",
        "benefit",
        "benefits",
        "grant",
        "grants",
        "payment",
        "payments",
        "amount",
        "amounts",
        "month",
        "months",
        "monthly",
        "years",
        "yearly",
        "income",
        "office",
        "scheme",
        "service",
        "services",
        "member",
        "members",
        "resident",
        "residents",
        "child",
        "children",
        "under",
        "above",
        "below",
        "before",
        "after",
        "within",
        "least",
        "other",
        "following",
        "should",
        "would",
        "could",
        "might",
        "cannot",
        "shall",
        "every",
        "their",
        "there",
        "these",
        "those",
        "which",
        "where",
        "about",
        "rules",
        "allowed",
        "required",
    ];
    WORDS.contains(&word.to_lowercase().as_str())
}

fn weight(quote: &str) -> usize {
    let tokens = tokens_of(quote);
    let words = tokens.len();
    let of = |word: &str| -> usize {
        let Some(first) = word.chars().next() else { return 0 };
        if is_ideograph(first) {
            1
        } else if first.is_numeric() {
            // A number says much, with anything beside it.
            if 1 < words { 3 } else { 2 }
        } else if !first.is_alphabetic() {
            1
        } else if is_function_word(word) {
            usize::from(1 < words)
        } else if word.len() < 5 || is_common(word) {
            2
        } else {
            LEAST_WEIGHT
        }
    };
    tokens.iter().filter_map(|it| it.span.slice(quote)).map(of).sum()
}

fn is_function_word(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "a", "an", "the", "and", "or", "of", "to", "in", "on", "at", "by", "for", "from", "with",
        "is", "are", "was", "were", "be", "been", "it", "its", "this", "that", "these", "those",
        "may", "must", "shall", "should", "can", "will", "would", "could", "might", "not", "no",
        "if", "as", "you", "your", "we", "our", "they", "their", "he", "she", "his", "her", "i",
        "do", "does", "did", "has", "have", "had", "any", "all", "who", "which", "when", "where",
        "than", "then", "there", "so", "but", "also", "only", "such", "yes",
    ];
    WORDS.contains(&word.to_lowercase().as_str())
}

/// True where only punctuation stands between the quote and the borders of its block or cell.
pub(crate) fn is_whole_unit(page: &PageText, place: Span) -> bool {
    let outline = page.outline();
    let Some(block) = outline.block_at(place.start).map(|it| &outline.blocks[it]) else {
        return false;
    };
    let bare = |from: usize, to: usize| {
        let between = page.slice(Span::new(from, to));
        let words = between.trim_matches(|c: char| !c.is_alphanumeric());
        let is_joint = ["and", "or", "and/or", "或", "及", "且", "並"].contains(&words);
        between.len() < 64
            && (is_joint || !between.chars().any(|c| c.is_alphanumeric() && !c.is_numeric()))
    };
    let fills = |unit: &Span| {
        unit.start <= place.end
            && place.start <= unit.end
            && bare(unit.start.min(place.start), place.start)
            && bare(place.end, unit.end.max(place.end))
    };
    fills(&block.content) || block.cells.iter().any(fills)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(text: &str, quote: &str) -> bool {
        let page = PageText::index(text);
        let place = page.find(quote).first().map(|it| it.span);
        is_too_short(&page, quote, place)
    }

    #[test]
    fn a_word_or_two_prove_nothing_unless_they_are_all_there_is() {
        for (text, quote) in [
            ("Applicants may be asked to come in person.", "may"),
            ("Applicants may be asked to come in person.", "Applicants"),
            ("The card costs 20 dollars for each of 3 years.", "20"),
            ("申請人得委託他人代為申請。", "申請"),
            ("申請人得委託他人代為申請。", "得"),
            ("Any text at all.", ""),
            ("Any text at all.", "…"),
            ("of", "of"),
            ("- and the\n- lamps\n", "and the"),
        ] {
            assert!(short(text, quote), "{quote}");
        }
        for (text, quote) in [
            ("You can get help for:\n- Anxiety\n- Ulcers\n", "Anxiety"),
            ("| Flat | $50 |", "$50"),
            ("| Dogs | No |", "No"),
            ("死亡者具領人：\n（一）配偶\n（二）父母\n", "（一）配偶"),
            ("The card costs 20 dollars.", "20 dollars"),
            ("船舶未滿五噸者免稅。", "未滿五噸"),
            ("年滿65歲者得申請。", "65歲"),
            ("must sign within 14 days of notice", "within 14 days"),
        ] {
            assert!(!short(text, quote), "{quote}");
        }
    }
}
