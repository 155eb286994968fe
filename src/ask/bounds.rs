//! How long an honest reply to an ask can be: from the item's own length, never from a constant alone.
//!
//! A bound is there to end a reply that runs on, and to say what a call can cost at most. It never ends
//! one that states everything the text states: it counts every place that could hold a value, twice.

use std::collections::BTreeSet;

use crate::ask::canonical::canonical_json;
use crate::llm::chat::ReplyBounds;
use crate::llm::tokens::approximate_tokens;
use crate::model::ask::{Ask, Step};
use crate::model::finding::Code;
use crate::text::blocks::outline::read_outline;
use crate::text::sentence::read_sentences;

/// Tokens of a reply beside its rows: the object, its groups.
const FRAME: u64 = 400;
/// Tokens of a row beside the words it quotes: its keys, the words of its enumerations.
const ROW: u64 = 90;
/// Tokens of a verdict beside its quote and without a corrected row: keys, a sentence of reason.
const VERDICT: u64 = 120;
/// How often the words of the text may come back: as a quote, as a value, as the words of a group, in a
/// vocabulary that takes up to three tokens for a Chinese character.
const WORDS_AGAIN: u64 = 6;
/// Rows beside those that the places of the text allow.
const MORE_ROWS: usize = 4;
/// The most pieces that a schema lists.
const MOST_PIECES: usize = 300;
/// The reader's setting that says what may be quoted, and its one word but for anything.
pub const QUOTES: &str = "quotes";
pub const PIECES: &str = "pieces";
/// The shortest bound of a quote, characters.
const SHORT_QUOTE: usize = 120;
/// The longest: servers of the llama.cpp family refuse 2,000 and more.
const LONG_QUOTE: usize = 1_500;

/// The bounds of the reply to an ask.
pub fn reply_bounds(ask: &Ask) -> ReplyBounds {
    let pieces = match ask.reader.settings.get(QUOTES).map(String::as_str) {
        Some(PIECES) => pieces_of(&ask.text),
        _ => Vec::new(),
    };
    let rows = if pieces.is_empty() { most_rows(&ask.text) } else { rows_of_pieces(&pieces) };
    let words = approximate_tokens(&ask.text) * WORDS_AGAIN;
    let stated = rows as u64 * ROW + words;
    let tokens = match ask.step {
        Step::Extract => FRAME + stated,
        Step::Review => {
            let shown = ask.rows.len() as u64 * (VERDICT + ROW);
            let rows = approximate_tokens(&canonical_json(&ask.rows).unwrap_or_default());
            FRAME + shown + 2 * rows + stated
        }
    };
    // What was cut once is asked again with all the room that the reader is configured for.
    let was_cut = ask.reasons.iter().any(|it| it.code == Code::OutputTruncated.as_str());
    ReplyBounds {
        tokens: (!was_cut).then_some(tokens),
        items: Some(rows.max(ask.rows.len())),
        quote: Some(longest_line(&ask.text).clamp(SHORT_QUOTE, LONG_QUOTE)),
        pieces,
        verdicts: match ask.step {
            Step::Extract => None,
            Step::Review => Some(ask.rows.iter().map(|it| it.id.clone()).collect()),
        },
    }
}

/// The sentences, list items and table rows of a text, each once, in reading order. None where there are
/// more than a server can be expected to tell apart.
fn pieces_of(text: &str) -> Vec<String> {
    let outline = read_outline(text);
    let mut seen = BTreeSet::new();
    let sentences = read_sentences(text, &outline);
    let pieces: Vec<String> = sentences
        .iter()
        .filter_map(|it| it.slice(text))
        .map(str::trim)
        .filter(|it| it.chars().any(char::is_alphanumeric) && seen.insert(*it))
        .map(str::to_owned)
        .collect();
    if pieces.len() > MOST_PIECES { Vec::new() } else { pieces }
}

/// The most rows a text can honestly give: two for each piece between marks of punctuation, cells and
/// lines, one for each number.
fn most_rows(text: &str) -> usize {
    let mut pieces = 0;
    let mut in_piece = false;
    for it in text.chars() {
        if it.is_alphanumeric() {
            pieces += usize::from(!in_piece);
            in_piece = true;
        } else if ".,;:!?|\n。，、；：！？｜（）()".contains(it) {
            in_piece = false;
        }
    }
    2 * pieces + numbers_in(text) + MORE_ROWS
}

/// The same where whole pieces are quoted: two for each, one for each cell and for each number.
fn rows_of_pieces(pieces: &[String]) -> usize {
    let of = |it: &String| it.matches(" | ").count().max(1) + 1 + numbers_in(it);
    pieces.iter().map(of).sum::<usize>() + MORE_ROWS
}

/// Runs of digits and numerals.
fn numbers_in(text: &str) -> usize {
    let mut numbers = 0;
    let mut in_number = false;
    for it in text.chars() {
        let is_digit = it.is_numeric() || "〇零一二兩三四五六七八九十百千萬億廿卅".contains(it);
        numbers += usize::from(is_digit && !in_number);
        in_number = is_digit || (in_number && matches!(it, ',' | '.' | '，' | '．'));
    }
    numbers
}

/// Characters of the longest line: no quote that stands in one place of the text is longer, but for
/// one that runs over lines.
fn longest_line(text: &str) -> usize {
    text.lines().map(|it| it.chars().count()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::canonical::ASK_FORMAT;
    use crate::model::ask::{ReaderId, RetryReason};
    use crate::model::claim::Claim;

    fn ask(step: Step, text: &str) -> Ask {
        Ask {
            format: ASK_FORMAT.to_owned(),
            step,
            attempt: 1,
            reader: ReaderId { name: "m".to_owned(), settings: [].into() },
            language: "en".to_owned(),
            instructions: String::new(),
            fields: vec![],
            page_title: String::new(),
            heading_path: vec![],
            text: text.to_owned(),
            rows: vec![],
            reasons: vec![],
        }
    }

    #[test]
    fn a_longer_text_allows_a_longer_reply_in_both_languages() {
        for piece in ["You must be 18 or over. ", "申請人須年滿六十五歲。"] {
            let of = |n: usize| reply_bounds(&ask(Step::Extract, &piece.repeat(n)));
            let (one, ten) = (of(1), of(10));
            assert!(one.tokens.unwrap() < 1_200 && one.tokens < ten.tokens, "{one:?} {ten:?}");
            assert!(one.items.unwrap() >= 6 && one.items < ten.items);
        }
    }

    #[test]
    fn every_cell_of_a_table_and_every_number_of_a_sentence_has_its_row() {
        let table = "| 人數 | 低 | 高 |\n| --- | --- | --- |\n| 一人 | 5 | 6 |\n| 二人 | 7 | 8 |";
        assert!(reply_bounds(&ask(Step::Extract, table)).items.unwrap() >= 9);
        let packed = "滿三年且不超過五千元並設籍二年";
        assert!(reply_bounds(&ask(Step::Extract, packed)).items.unwrap() >= 5);
    }

    #[test]
    fn whole_pieces_give_fewer_rows_and_still_one_for_each_cell_and_number() {
        let in_pieces = |text: &str| {
            let mut ask = ask(Step::Extract, text);
            ask.reader.settings.insert(QUOTES.to_owned(), PIECES.to_owned());
            let bounds = reply_bounds(&ask);
            assert!(!bounds.pieces.is_empty());
            bounds.items.unwrap()
        };
        let free = |text: &str| reply_bounds(&ask(Step::Extract, text)).items.unwrap();
        for text in [
            "If you live here, own a boat, and pay the fee, we write to you, by post, in May.",
            "設籍本村、持有船舶、繳清規費、未曾違規者，得申請。",
        ] {
            assert!(in_pieces(text) < free(text), "{text}");
        }
        let table = "| 人數 | 低 | 高 |\n| --- | --- | --- |\n| 一人 | 是 | 否 |\n| 二人 | 7 | 8 |";
        assert!(in_pieces(table) >= 9, "{}", in_pieces(table));
        assert!(in_pieces("滿三年且不超過五千元並設籍二年") >= 5);
    }

    #[test]
    fn a_reply_that_was_cut_is_asked_for_with_all_the_room_there_is() {
        let mut again = ask(Step::Extract, "You must be 18 or over.");
        again.attempt = 2;
        let reason = |code: Code| RetryReason {
            row: String::new(),
            code: code.as_str().to_owned(),
            detail: String::new(),
            stated: None,
        };
        again.reasons = vec![reason(Code::SnippetAbsent)];
        assert!(reply_bounds(&again).tokens.is_some());
        again.reasons.push(reason(Code::OutputTruncated));
        assert_eq!(reply_bounds(&again).tokens, None);
    }

    #[test]
    fn a_review_has_room_for_a_verdict_and_a_correction_of_each_row() {
        let mut review = ask(Step::Review, "You must be 18 or over.");
        let bare = reply_bounds(&review).tokens.unwrap();
        let row = Claim { snippet: "You must be 18 or over".to_owned(), ..Claim::default() };
        review.rows = vec![row; 10];
        let bounds = reply_bounds(&review);
        assert!(bounds.tokens.unwrap() > bare + 10 * 250, "{bounds:?}");
        assert!(bounds.items.unwrap() >= 10);
    }

    #[test]
    fn the_pieces_are_bytes_of_the_text_and_only_given_where_they_are_asked_for() {
        let text = "## Who\n\nYou can apply if:\n\n- you are 18 or over\n- 年滿六十五歲。設籍三年。\n\n| Age | Fee |\n| --- | --- |\n| 5 | 6 |";
        let mut held = ask(Step::Extract, text);
        assert!(reply_bounds(&held).pieces.is_empty());
        held.reader.settings.insert(QUOTES.to_owned(), PIECES.to_owned());
        let pieces = reply_bounds(&held).pieces;
        assert!(pieces.iter().all(|it| text.contains(it.as_str())), "{pieces:?}");
        for wanted in ["you are 18 or over", "年滿六十五歲。", "設籍三年。"] {
            assert!(pieces.iter().any(|it| it == wanted), "{pieces:?}");
        }
        held.text = (0..400).map(|it| format!("Rule {it} holds. ")).collect();
        assert!(reply_bounds(&held).pieces.is_empty(), "too many to choose from");
    }

    #[test]
    fn a_quote_may_be_as_long_as_a_line_and_no_longer_than_servers_take() {
        let of = |text: &str| reply_bounds(&ask(Step::Extract, text)).quote.unwrap();
        assert_eq!(of("short"), SHORT_QUOTE);
        assert_eq!(of(&"長".repeat(300)), 300);
        assert_eq!(of(&"長".repeat(3_000)), LONG_QUOTE);
    }
}
