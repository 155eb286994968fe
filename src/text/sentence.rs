//! Sentences and clauses of a text, in both languages.
//!
//! A sentence never crosses a block, and a full stop alone never ends one: "U.S.", "No. 5", "e.g.",
//! 「…。」 and numbers are read as what they are. Spans are trimmed of white space, do not overlap,
//! and leave out only white space and markers; nothing is ever dropped because it looks odd.

use crate::text::abbreviation::goes_on_after_stop;
use crate::text::line::{columns, is_invisible, line_goes_on};
use crate::text::ordinal::is_han;
use crate::text::outline::{BlockKind, Outline, read_outline};
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
    let sentence =
        sentence.trim_start_matches(|it: char| is_invisible(it) || "「（(“\"".contains(it));
    const HAN: [&str; 7] = ["但", "惟", "然", "除外", "例外", "前項規定，不適用", "前述規定不適用"];
    const NO_PROVISO: [&str; 4] = ["但願", "惟一", "然後", "然而後"];
    if HAN.iter().any(|it| sentence.starts_with(it)) {
        return !NO_PROVISO.iter().any(|it| sentence.starts_with(it));
    }
    PROVISOS.iter().any(|it| starts_with_word(sentence, it))
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
    let visible = part.trim_start_matches(is_invisible);
    let start = from + part.len() - visible.len();
    let span = Span::new(start, start + visible.trim_end_matches(is_invisible).len());
    (!span.is_empty()).then_some(span)
}

/// The characters of a block with what is known of each.
struct Letters<'a> {
    text: &'a str,
    chars: Vec<(usize, char)>,
    /// How many brackets or quotes with an end stand open around each character.
    depth: Vec<u32>,
    /// Columns of the longest line.
    width: usize,
}

/// Brackets with more characters than this between them hide no full stop.
const LONGEST_BRACKET: usize = 400;

/// Longer runs of closing marks are no end of a sentence but a drawing.
const MOST_CLOSERS: usize = 16;

impl<'a> Letters<'a> {
    fn new(text: &'a str) -> Self {
        let chars: Vec<_> = text.char_indices().collect();
        let depth = bracket_depth(&chars);
        let width = text.lines().map(|it| columns(it.trim())).max().unwrap_or(0);
        Self { text, chars, depth, width }
    }

    fn byte(&self, at: usize) -> usize {
        self.chars.get(at).map_or(self.text.len(), |it| it.0)
    }

    fn char(&self, at: usize) -> Option<char> {
        self.chars.get(at).map(|it| it.1)
    }

    /// One past the end of the sentence that begins at `from`, where the character at `at` ends it.
    fn end_at(&self, at: usize, from: usize) -> Option<usize> {
        if self.depth[at] > 0 {
            return None;
        }
        match self.chars[at].1 {
            '。' | '！' | '？' | '｡' => Some(self.after_closers(at + 1)),
            '．' => self.ends_at_wide_stop(at, from),
            '!' | '?' => {
                let end = self.after_closers(at + 1);
                let next = self.char(end);
                next.is_none_or(|it| is_invisible(it) || is_han(it)).then_some(end)
            }
            '.' | '…' => self.ends_at_stop(at, from),
            '\n' => self.ends_at_line(at, from),
            '」' | '』' | '）' | ')' | '”' => self.ends_after_bracket(at),
            _ => None,
        }
    }

    /// Closing marks, further full stops and note marks that belong to the sentence before them.
    fn after_closers(&self, mut at: usize) -> usize {
        let limit = at + MOST_CLOSERS;
        while let Some(it) = self.char(at).filter(|_| at < limit) {
            let closes =
                matches!(it, '"' | '”' | '’' | '」' | '』' | ')' | '）' | ']' | '】' | '〕')
                    && self.depth[at] == 0
                    || matches!(it, '。' | '！' | '？' | '!' | '?' | '…')
                    || matches!(it, '¹' | '²' | '³' | '⁴'..='⁹' | '†' | '‡' | '*')
                    || it == '\'' && self.char(at + 1).is_none_or(is_invisible);
            if closes {
                at += 1;
            } else if it == '[' {
                let Some(end) = self.end_of_note(at) else { return at };
                at = end;
            } else {
                return at;
            }
        }
        at
    }

    /// `[12]` behind a full stop.
    fn end_of_note(&self, at: usize) -> Option<usize> {
        let digits =
            (at + 1..at + 5).take_while(|&it| self.char(it).is_some_and(|it| it.is_ascii_digit()));
        let end = at + 1 + digits.count();
        (end > at + 1 && self.char(end) == Some(']')).then_some(end + 1)
    }

    fn ends_at_wide_stop(&self, at: usize, from: usize) -> Option<usize> {
        let is_digit = |it: Option<char>| it.is_some_and(char::is_numeric);
        let before = at.checked_sub(1).and_then(|it| self.char(it));
        let numbered = at - from <= 3 && is_digit(before);
        if numbered || is_digit(before) && is_digit(self.char(at + 1)) {
            return None;
        }
        Some(self.after_closers(at + 1))
    }

    fn ends_at_stop(&self, at: usize, from: usize) -> Option<usize> {
        let end = self.after_closers(at + 1);
        let Some(next) = self.char(end) else { return Some(end) };
        if next == '.' {
            return None;
        }
        if is_han(next) {
            let before = at.checked_sub(1).and_then(|it| self.char(it));
            return before.is_some_and(is_han).then_some(end);
        }
        if !is_invisible(next) {
            return self.lacks_a_space(at, end).then_some(end);
        }
        let next_word = self.word_after(end);
        let first = next_word.trim_start_matches(|it: char| !it.is_alphanumeric()).chars().next();
        if first.is_some_and(char::is_lowercase) {
            return None;
        }
        let word = self.word_before(at);
        let numbered =
            word.len() <= 3 && !word.is_empty() && word.bytes().all(|it| it.is_ascii_digit());
        if numbered && self.text[self.byte(from)..self.byte(at)].trim() == word {
            return None;
        }
        let earlier = self.word_before_word(at, word);
        let next_word = next_word.trim_start_matches(|it: char| !it.is_alphanumeric());
        (self.chars[at].1 == '…' || !goes_on_after_stop(earlier, word, next_word)).then_some(end)
    }

    /// "…by the end of the period.If the loan": two sentences without a space between them.
    fn lacks_a_space(&self, at: usize, end: usize) -> bool {
        let word = self.word_before(at);
        let starts = self.char(end).is_some_and(char::is_uppercase)
            && self.char(end + 1).is_some_and(char::is_lowercase);
        starts && end == at + 1 && word.len() >= 3 && word.chars().all(char::is_lowercase)
    }

    /// The run of characters other than white space that ends at `at`, at most 24 of them.
    fn word_before(&self, at: usize) -> &'a str {
        let from = (at.saturating_sub(24)..at)
            .rev()
            .take_while(|&it| {
                let it = self.chars[it].1;
                !it.is_whitespace() && !matches!(it, '(' | '（' | '“' | '‘' | '"') && !is_han(it)
            })
            .last()
            .unwrap_or(at);
        &self.text[self.byte(from)..self.byte(at)]
    }

    fn word_before_word(&self, at: usize, word: &str) -> &'a str {
        let mut at = at - word.chars().count();
        while at > 0 && self.chars[at - 1].1.is_whitespace() {
            at -= 1;
        }
        self.word_before(at)
    }

    /// The next word, at most 24 characters of it.
    fn word_after(&self, at: usize) -> &'a str {
        let mut from = at;
        while self.char(from).is_some_and(is_invisible) {
            from += 1;
        }
        let len = (from..from + 24)
            .take_while(|&it| self.char(it).is_some_and(|it| !it.is_whitespace()))
            .count();
        &self.text[self.byte(from)..self.byte(from + len)]
    }

    fn ends_at_line(&self, at: usize, from: usize) -> Option<usize> {
        let line_end = self.byte(at);
        let line_start =
            self.text[..line_end].rfind('\n').map_or(0, |it| it + 1).max(self.byte(from));
        let rest = &self.text[line_end + 1..];
        let next = rest.split('\n').next().unwrap_or("").trim();
        let line = self.text[line_start..line_end].trim();
        (!line_goes_on(line, next, self.width)).then_some(at + 1)
    }

    /// A bracket that closes behind a full stop: the sentence ends where a new one begins.
    fn ends_after_bracket(&self, at: usize) -> Option<usize> {
        let before = at.checked_sub(1).and_then(|it| self.char(it))?;
        let end = self.after_closers(at + 1);
        match before {
            '。' | '！' | '？' => {
                let next = self.char(end)?;
                let goes_on = "者之的等，、；：。及或與和並且後前時即為，,;".contains(next);
                (!goes_on).then_some(end)
            }
            '.' | '!' | '?' => {
                let spaced = self.char(end).is_some_and(is_invisible);
                let word = self.word_after(end);
                (spaced && word.starts_with(char::is_uppercase)).then_some(end)
            }
            _ => None,
        }
    }
}

/// How many bracket pairs stand around each character; pairs that never close do not count.
fn bracket_depth(chars: &[(usize, char)]) -> Vec<u32> {
    let mut change = vec![0i32; chars.len() + 1];
    let mut open: Vec<(usize, char)> = Vec::new();
    for (at, &(_, it)) in chars.iter().enumerate() {
        let closing = match it {
            '「' => '」',
            '『' => '』',
            '（' | '(' => ')',
            '【' => '】',
            '〔' => '〕',
            '[' => ']',
            '“' => '”',
            _ => {
                let wanted = if it == '）' { ')' } else { it };
                close_bracket(&mut open, &mut change, at, wanted);
                continue;
            }
        };
        open.push((at, closing));
    }
    let mut depth = 0i32;
    change[..chars.len()]
        .iter()
        .map(|it| {
            depth += it;
            u32::try_from(depth).unwrap_or(0)
        })
        .collect()
}

fn close_bracket(open: &mut Vec<(usize, char)>, change: &mut [i32], at: usize, closing: char) {
    if !matches!(closing, '」' | '』' | ')' | '】' | '〕' | ']' | '”') {
        return;
    }
    // An opening mark of another kind that never closed is given up, but only near by.
    let near = open.iter().rev().take(4).position(|it| it.1 == closing);
    let Some(back) = near else { return };
    open.truncate(open.len() - back);
    if let Some((start, _)) = open.pop()
        && at - start <= LONGEST_BRACKET
    {
        change[start] += 1;
        change[at] -= 1;
    }
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
