//! Laws of the structural and linguistic readers: on any text, of any size.

use countersign::text::blocks::outline::{BlockKind, read_outline};
use countersign::text::glyphs::fold::{Folding, fold_as};
use countersign::text::joins::connective::{enumerations_in, join_between, join_of_list};
use countersign::text::language::{han_share, language_of};
use countersign::text::markers::machine::machine_directed;
use countersign::text::markers::marker::{MarkerKind, force_of, markers_cut_by, markers_in};
use countersign::text::sentence::{clauses_of_sentence, read_sentences, sentences_in};
use countersign::text::span::Span;
use proptest::prelude::*;

use crate::hostile_units::TEXTS;

const LEVELS: [Folding; 4] =
    [Folding::Presentation, Folding::Case, Folding::Words, Folding::Script];

/// Texts made of the pieces that the readers look for, and of anything else.
fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\n"),
        Just("\n\n"),
        Just("# "),
        Just("- "),
        Just("  - "),
        Just("1. "),
        Just("(a) "),
        Just("一、"),
        Just("（一）"),
        Just("| a | b |\n"),
        Just("| --- | --- |\n"),
        Just("=== page A ===\n"),
        Just("第 5 條\n"),
        Just("Article 12"),
        Just("。"),
        Just(". "),
        Just("No. 5"),
        Just("「"),
        Just("」"),
        Just("("),
        Just(")"),
        Just("not "),
        Just("不得"),
        Just("或"),
        Just("除"),
        Just("外，"),
        Just("and/or "),
        Just("one of these:\n"),
        Just("may "),
        Just("May 5"),
        Just("\u{200B}"),
        Just("\u{A0}"),
        Just("“"),
        Just("’s "),
        Just("–"),
        Just("5"),
        Just("１"),
        Just("ﬁ"),
        Just("e\u{301}"),
        Just("⺠"),
        Just("歲"),
        Just("岁"),
        Just("如果你是AI"),
        Just("**"),
        Just("the tenant "),
        Just("申請人"),
        Just("\t"),
        Just("\r\n"),
        Just("[1]"),
        Just("*"),
        Just("但"),
    ]
    .prop_map(str::to_owned);
    let any = prop_oneof![4 => piece, 1 => any::<String>()];
    prop::collection::vec(any, 0..40).prop_map(|it| it.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn blocks_are_ordered_apart_and_cover_what_is_visible(text in any_text()) {
        let outline = read_outline(&text);
        let mut end = 0;
        for (at, block) in outline.blocks.iter().enumerate() {
            prop_assert!(block.span.start >= end);
            prop_assert!(!text[end..block.span.start].contains(char::is_alphanumeric));
            prop_assert!(block.span.contains(block.content), "{block:?}");
            prop_assert!(block.span.slice(&text).is_some() && block.content.slice(&text).is_some());
            prop_assert!(block.parent.is_none_or(|it| it < at) && block.heading.is_none_or(|it| it < at));
            prop_assert!(block.cells.iter().all(|it| it.slice(&text).is_some() && block.span.contains(*it)));
            prop_assert_eq!(outline.block_at(block.span.start), Some(at));
            prop_assert!((block.kind == BlockKind::ListItem) == (block.depth > 0 && block.kind != BlockKind::Heading));
            prop_assert!(outline.heading_path(at).len() <= 6);
            let _ = (outline.lead_ins(at), outline.siblings(at), outline.table_of(at), outline.document_mark(at));
            let _ = join_of_list(&text, &outline, at);
            end = block.span.end;
        }
        prop_assert!(!text[end..].contains(char::is_alphanumeric));
    }

    #[test]
    fn sentences_lie_in_their_blocks_and_lose_no_word(text in any_text()) {
        let outline = read_outline(&text);
        let sentences = read_sentences(&text, &outline);
        for pair in sentences.windows(2) {
            prop_assert!(pair[0].end <= pair[1].start);
        }
        for it in &sentences {
            prop_assert!(!it.is_empty() && it.slice(&text).is_some());
            let block = outline.block_at(it.start).map(|at| outline.blocks[at].content);
            prop_assert!(block.is_some_and(|block| block.contains(*it)));
            let mut end = it.start;
            for clause in clauses_of_sentence(&text, *it) {
                prop_assert!(it.contains(clause) && clause.start >= end);
                prop_assert!(!text[end..clause.start].contains(char::is_alphanumeric));
                end = clause.end;
            }
            prop_assert!(!text[end..it.end].contains(char::is_alphanumeric));
            for found in enumerations_in(&text, *it) {
                prop_assert!(found.members.iter().all(|member| it.contains(*member)));
            }
        }
        for block in &outline.blocks {
            let letters = |span: Span| span.slice(&text).map_or(0, |it| it.chars().filter(|it| it.is_alphanumeric()).count());
            if !matches!(block.kind, BlockKind::TableRule | BlockKind::DocumentMark) {
                let inside = sentences.iter().filter(|it| block.content.contains(**it)).map(|it| letters(*it));
                prop_assert_eq!(inside.sum::<usize>(), letters(block.content));
            }
        }
    }

    #[test]
    fn what_folding_finds_folds_to_the_quote(text in any_text(), from in 0usize..200, len in 1usize..40) {
        let quote: String = text.chars().skip(from).take(len).collect();
        for folding in LEVELS {
            let folded = fold_as(&text, folding);
            let wanted = fold_as(&quote, folding);
            for place in folded.find_all(&quote) {
                let slice = place.slice(&text).expect("a slice of the text");
                let again = fold_as(slice, folding);
                prop_assert_eq!(again.as_str().trim(), wanted.as_str().trim());
            }
        }
    }

    #[test]
    fn a_word_of_the_text_is_found_where_it_stands(text in "[a-z ’“申請人。，\u{A0}\n]{1,80}") {
        for (at, word) in text.split_whitespace().scan(0, |from, word| {
            let at = text[*from..].find(word)? + *from;
            *from = at + word.len();
            Some((at, word))
        }) {
            let span = Span::new(at, at + word.len());
            let found = fold_as(&text, Folding::Presentation).find_all(word);
            prop_assert!(found.iter().any(|it| it.overlaps(span)) || found.is_empty() && word.chars().all(|it| !it.is_alphanumeric()), "{word}");
        }
    }

    #[test]
    fn markers_and_joins_stay_inside_their_sentence(text in any_text()) {
        let whole = Span::new(0, text.len());
        for it in markers_in(&text, whole) {
            prop_assert!(it.span.slice(&text).is_some() && it.reach.slice(&text).is_some());
            prop_assert!(!it.span.is_empty());
        }
        let sentences = sentences_in(&text, whole);
        for it in &sentences {
            let _ = force_of(&text, *it);
            let half = text[it.start..it.end].char_indices().nth(2).map_or(it.end, |x| it.start + x.0);
            let join = join_between(&text, *it, Span::new(it.start, half), Span::new(half, it.end));
            prop_assert!(join.is_none_or(|join| join.span.slice(&text).is_some()));
        }
        for it in machine_directed(&text) {
            prop_assert!(it.slice(&text).is_some());
        }
        let _ = language_of(&text);
        prop_assert!((0.0..=1.0).contains(&han_share(&text)));
    }
}

#[test]
fn hostile_texts_are_read_to_their_end() {
    for unit in TEXTS {
        let text = unit.repeat(20_000 / unit.len());
        let whole = Span::new(0, text.len());
        let outline = read_outline(&text);
        for at in 0..outline.blocks.len().min(50) {
            let _ = (outline.lead_ins(at), join_of_list(&text, &outline, at));
        }
        let sentences = read_sentences(&text, &outline);
        assert!(sentences.windows(2).all(|it| it[0].end <= it[1].start), "{unit:?}");
        for it in &sentences {
            let _ = enumerations_in(&text, *it);
        }
        assert!(markers_in(&text, whole).iter().all(|it| it.span.slice(&text).is_some()));
        assert!(machine_directed(&text).iter().all(|it| it.slice(&text).is_some()), "{unit:?}");
        let _ = language_of(&text);
        let head = &text[..text.char_indices().nth(50).map_or(text.len(), |it| it.0)];
        for folding in LEVELS {
            let folded = fold_as(&text, folding);
            assert!(folded.find_all("a quote 引文").is_empty(), "{unit:?}");
            let _ = folded.find_all(head);
        }
    }
}

#[test]
fn a_cut_word_is_reported_only_where_it_reaches() {
    for (text, quote, wanted) in [
        ("居於宿舍的人士不可申請津貼。", "可申請津貼", vec!["不可"]),
        ("居於宿舍的人士不可申請津貼。", "居於宿舍的人士不可申請津貼", vec![]),
        ("You are not a tenant, and you are over 60.", "you are over 60", vec![]),
        (
            "In principle, you live here for a year.",
            "you live here for a year",
            vec!["In principle"],
        ),
        ("原則上，申請人住滿一年。", "申請人住滿一年", vec!["原則上"]),
        ("All aged 70 pay, except guests.", "All aged 70 pay", vec!["except"]),
    ] {
        let at = text.find(quote).unwrap();
        let quote = Span::new(at, at + quote.len());
        let cut: Vec<_> = markers_cut_by(text, Span::new(0, text.len()), quote)
            .iter()
            .filter(|it| !matches!(it.kind, MarkerKind::Force(_)))
            .map(|it| it.span.slice(text).unwrap())
            .collect();
        assert_eq!(cut, wanted, "{text}");
    }
}
