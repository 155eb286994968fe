//! Sentences and clauses of a text, in both languages.
//!
//! A sentence never crosses a block, and a full stop alone never ends one: "U.S.", "No. 5", "e.g.",
//! 「…。」 and numbers are read as what they are. Spans are trimmed of white space, do not overlap,
//! and leave out only white space and markers; nothing is ever dropped because it looks odd.

use crate::text::blocks::line::is_blank;
use crate::text::blocks::outline::{BlockKind, Outline, read_outline};
use crate::text::glyphs::letter::is_han;
use crate::text::letters::Letters;
use crate::text::span::Span;

/// The sentences of a part of `text`, in reading order. A heading and a table row count as one each;
/// markers of lists and headings belong to no sentence.
pub fn sentences_in(text: &str, span: Span) -> Vec<Span> {
    let Some(part) = span.slice(text) else { return Vec::new() };
    let found = read_sentences(part, &read_outline(part));
    found.into_iter().map(|it| it.shifted(span.start)).collect()
}

/// The sentences of a whole text whose outline is known, in reading order.
pub fn read_sentences(text: &str, outline: &Outline) -> Vec<Span> {
    let mut found = Vec::new();
    for block in &outline.blocks {
        match block.kind {
            BlockKind::TableRule | BlockKind::DocumentMark => {}
            BlockKind::TableHeader | BlockKind::TableRow | BlockKind::Heading => {
                if !block.content.is_empty() {
                    found.push(block.content);
                }
            }
            BlockKind::Paragraph | BlockKind::ListItem => {
                found.extend(sentences_of_block(text, block.content));
            }
        }
    }
    found
}

/// The sentences of one block's content.
pub fn sentences_of_block(text: &str, content: Span) -> Vec<Span> {
    let Some(part) = content.slice(text) else { return Vec::new() };
    let letters = Letters::new(part);
    let mut found = Vec::new();
    let mut from = 0;
    let mut at = 0;
    while at < letters.chars.len() {
        match letters.end_at(at, from) {
            Some(end) => {
                found.extend(trimmed(part, letters.byte(from), letters.byte(end)));
                (from, at) = (end, end);
            }
            None => at += 1,
        }
    }
    found.extend(trimmed(part, letters.byte(from), part.len()));
    found.into_iter().map(|it| it.shifted(content.start)).collect()
}

/// The sentence that holds byte `byte`, among sorted sentences; in the gap between two, none.
pub fn sentence_at(sentences: &[Span], byte: usize) -> Option<usize> {
    let at = sentences.partition_point(|it| it.end <= byte);
    sentences.get(at).is_some_and(|it| it.start <= byte).then_some(at)
}

/// The clauses of a part of `text`: sentences cut at semicolons, at Chinese commas and colons, and in
/// English at commas before a conjunction and after a leading "If …,".
pub fn clauses_in(text: &str, span: Span) -> Vec<Span> {
    let sentences = sentences_in(text, span).into_iter();
    sentences.flat_map(|it| clauses_of_sentence(text, it)).collect()
}

/// The clauses of one sentence.
pub fn clauses_of_sentence(text: &str, sentence: Span) -> Vec<Span> {
    let Some(part) = sentence.slice(text) else { return Vec::new() };
    let letters = Letters::new(part);
    let mut found = Vec::new();
    let mut from = 0;
    let mut led = LEADING.iter().any(|it| starts_with_word(part, it));
    for at in 0..letters.chars.len() {
        if letters.depth[at] > 0 {
            continue;
        }
        let rest = &part[letters.byte(at + 1)..];
        let cuts = match letters.chars[at].1 {
            ';' | '；' | '，' | '：' => true,
            ',' => {
                let spaced = rest.starts_with(char::is_whitespace);
                let joins = CONJUNCTIONS.iter().any(|it| starts_with_word(rest.trim_start(), it));
                let after_han = at > 0 && is_han(letters.chars[at - 1].1);
                after_han || spaced && (joins || std::mem::take(&mut led))
            }
            _ => false,
        };
        if cuts {
            found.extend(trimmed(part, letters.byte(from), letters.byte(at + 1)));
            from = at + 1;
        }
    }
    found.extend(trimmed(part, letters.byte(from), part.len()));
    found.into_iter().map(|it| it.shifted(sentence.start)).collect()
}

/// The sentences directly behind `sentences[at]` that qualify it: 但…, 惟…, "However, …",
/// "Except …", "Unless …", "This does not apply …".
pub fn provisos_of(text: &str, sentences: &[Span], at: usize) -> Vec<Span> {
    let behind = sentences.get(at + 1..).unwrap_or(&[]).iter().copied();
    behind.take_while(|it| it.slice(text).is_some_and(is_proviso)).collect()
}

/// The sentence together with the sentences that qualify it, as one span.
pub fn rule_with_proviso(text: &str, sentences: &[Span], at: usize) -> Option<Span> {
    let rule = *sentences.get(at)?;
    let last = provisos_of(text, sentences, at).pop().unwrap_or(rule);
    Some(Span::new(rule.start, last.end))
}

/// True for a sentence that takes something back from the one before it.
pub fn is_proviso(sentence: &str) -> bool {
    let sentence = sentence.trim_start_matches(|it: char| is_blank(it) || "「（(“\"".contains(it));
    const HAN: [&str; 7] = ["但", "惟", "然", "除外", "例外", "前項規定，不適用", "前述規定不適用"];
    const NO_PROVISO: [&str; 4] = ["但願", "惟一", "然後", "然而後"];
    if HAN.iter().any(|it| sentence.starts_with(it)) {
        return !NO_PROVISO.iter().any(|it| sentence.starts_with(it));
    }
    PROVISOS.iter().any(|it| starts_with_word(sentence, it)) || takes_back(sentence)
}

/// 前項規定，於營業用房屋不適用之; "This rule does not cover snakes": it names what stands before it
/// and takes from it.
fn takes_back(sentence: &str) -> bool {
    const LONGEST: usize = 400;
    const HAN: [&str; 4] = ["前項", "前款", "前述", "前开"];
    const HAN_TAKES: [&str; 3] = ["不適用", "不适用", "不在此限"];
    const ENGLISH: [&str; 6] = [
        "this rule",
        "this limit",
        "this condition",
        "this requirement",
        "this does",
        "these rules",
    ];
    const ENGLISH_TAKES: [&str; 6] = [
        "does not apply",
        "doesn't apply",
        "do not apply",
        "does not cover",
        "does not include",
        "shall not apply",
    ];
    if LONGEST < sentence.len() {
        return false;
    }
    if ["不適用前項", "不适用前项", "不受前項", "不受前项"].iter().any(|it| sentence.contains(it))
    {
        return true;
    }
    if HAN.iter().any(|it| sentence.starts_with(it)) {
        return HAN_TAKES.iter().any(|it| sentence.contains(it));
    }
    let low = sentence.to_lowercase().replace('’', "'");
    ENGLISH.iter().any(|it| low.starts_with(it)) && ENGLISH_TAKES.iter().any(|it| low.contains(it))
}

const PROVISOS: &[&str] = &[
    "however",
    "but",
    "except",
    "exceptions",
    "unless",
    "provided",
    "the exception",
    "the only exception",
    "this applies only",
    "this only applies",
    "it applies only",
    "it only applies",
    "this does not apply",
    "this doesn't apply",
    "this doesn’t apply",
    "this rule does not apply",
    "this condition does not apply",
    "these rules do not apply",
    "this requirement does not apply",
    "it does not apply",
    "they do not apply",
    "the above does not apply",
    "nevertheless",
    "notwithstanding",
    "subject to",
];

const CONJUNCTIONS: &[&str] = &[
    "and",
    "or",
    "but",
    "if",
    "unless",
    "except",
    "when",
    "where",
    "which",
    "who",
    "while",
    "whether",
    "provided",
    "although",
    "because",
    "so",
    "then",
    "however",
    "otherwise",
    "as long as",
    "even if",
    "nor",
    "other than",
    "excluding",
    "including",
    "save",
    "only",
    "until",
    "whichever",
    "regardless",
];

const LEADING: &[&str] = &[
    "if",
    "when",
    "where",
    "unless",
    "until",
    "once",
    "after",
    "before",
    "although",
    "while",
    "in principle",
    "as a rule",
    "however",
    "in general",
    "generally",
    "normally",
    "otherwise",
    "except",
    "subject to",
    "in addition",
    "for",
    "in most cases",
    "as long as",
    "provided",
    "because",
    "since",
    "during",
    "from",
    "despite",
    "notwithstanding",
];

/// True where `text` starts with the word or phrase, whatever its case, and ends it there.
fn starts_with_word(text: &str, word: &str) -> bool {
    let Some(head) = text.get(..word.len()) else { return false };
    head.eq_ignore_ascii_case(word) && !text[word.len()..].starts_with(char::is_alphanumeric)
}

fn trimmed(text: &str, from: usize, to: usize) -> Option<Span> {
    let part = text.get(from..to)?;
    let visible = part.trim_start_matches(is_blank);
    let start = from + part.len() - visible.len();
    let span = Span::new(start, start + visible.trim_end_matches(is_blank).len());
    (!span.is_empty()).then_some(span)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(text: &str) -> Vec<&str> {
        let spans = sentences_in(text, Span::new(0, text.len())).into_iter();
        spans.map(|it| it.slice(text).unwrap()).collect()
    }

    #[test]
    fn a_full_stop_alone_ends_no_sentence() {
        for whole in [
            "See No. 5 of the list before you apply.",
            "The U.S. Department of Housing pays rent, e.g. Mr. J. Chan's rent of 1.5 units.",
            "Offices open at 9 a.m. Monday to Friday.",
            "Form Art. 12, i.e. the long one, is used (see para. 3. of Annex B) by Harbour Ltd. Trust.",
            "The rate is 2.5% at www.example.org/rates.html today.",
            "局長稱「申請須於三十日內提出。逾期不受理。」者，應附證明。",
            "本計劃（下稱計劃。包括附表）適用於長者。",
            "費用為１．５元。",
            "Tell us (you can phone. It is free) within 5 days.",
        ] {
            assert_eq!(sentences(whole), [whole]);
        }
    }

    #[test]
    fn sentences_end_where_they_end() {
        let cases: &[(&str, &[&str])] = &[
            ("You must be 60. You rent a flat.", &["You must be 60.", "You rent a flat."]),
            ("It is 5 p.m. The office shuts.", &["It is 5 p.m.", "The office shuts."]),
            ("You live in the U.S. You pay tax.", &["You live in the U.S.", "You pay tax."]),
            ("Is it taxed? No. You pay nothing!", &["Is it taxed?", "No.", "You pay nothing!"]),
            (
                "Known as ‘equal pay’. (See note 2.) The rest",
                &["Known as ‘equal pay’.", "(See note 2.)", "The rest"],
            ),
            (
                "Paid for 5 years.[2] Then it ends.¹ Ask us.",
                &["Paid for 5 years.[2]", "Then it ends.¹", "Ask us."],
            ),
            (
                "Under Article 14.The person pays 2.5 units.",
                &["Under Article 14.", "The person pays 2.5 units."],
            ),
            (
                "By the end of the period.If you repay",
                &["By the end of the period.", "If you repay"],
            ),
            (
                "申請人須年滿六十歲。但有特殊情形者，不在此限。",
                &["申請人須年滿六十歲。", "但有特殊情形者，不在此限。"],
            ),
            ("可以申請嗎？可以！請致電。", &["可以申請嗎？", "可以！", "請致電。"]),
            ("他說「可以。」申請即受理。", &["他說「可以。」", "申請即受理。"]),
            ("津貼為１００元．每月發放．", &["津貼為１００元．", "每月發放．"]),
            ("Who can apply\nYou must be 60.", &["Who can apply", "You must be 60."]),
            (
                "Payment is made\nwithin 10 working days.",
                &["Payment is made\nwithin 10 working days."],
            ),
            ("# 標題\n\n- 甲。乙。\n- 丙", &["標題", "甲。", "乙。", "丙"]),
        ];
        for (text, wanted) in cases {
            assert_eq!(&sentences(text), wanted);
        }
    }

    #[test]
    fn clauses_are_cut_at_joints() {
        let clauses = |text: &'static str| {
            let spans = clauses_in(text, Span::new(0, text.len())).into_iter();
            spans.map(|it| it.slice(text).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(
            clauses("If you rent, you can apply for 1,000 dollars, unless you own a flat."),
            ["If you rent,", "you can apply for 1,000 dollars,", "unless you own a flat."]
        );
        assert_eq!(
            clauses("甲、乙及丙，須申請；丁不須申請。"),
            ["甲、乙及丙，", "須申請；", "丁不須申請。"]
        );
        assert_eq!(
            clauses("cats, dogs and birds (small, or large) are let in"),
            ["cats, dogs and birds (small, or large) are let in"]
        );
    }

    #[test]
    fn a_proviso_is_found_behind_its_rule() {
        for (text, count) in [
            ("津貼每月發放。但停業期間，不在此限。又逾期者不受理。", 1),
            (
                "You must apply by May. However, late claims are read. Unless you are ill. Call us.",
                2,
            ),
            ("You must apply. This does not apply to tenants.", 1),
            ("You must apply. Butter is free.", 0),
            ("申請人須年滿六十歲。然後遞交表格。", 0),
        ] {
            let spans = sentences_in(text, Span::new(0, text.len()));
            assert_eq!(provisos_of(text, &spans, 0).len(), count, "{text}");
            let whole = rule_with_proviso(text, &spans, 0).unwrap();
            assert_eq!(whole, Span::new(0, spans[count].end));
        }
    }
}
