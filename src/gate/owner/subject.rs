//! Whether the quote speaks of the row's subject: the section it stands in, the scheme it names.
//!
//! Silent unless the page itself gives the subject another place and the quote another owner.

use std::collections::BTreeSet;

use crate::gate::owner::name::{is_name_of_scheme, is_scheme_name, scheme_names};
use crate::gate::owner::rival::rival_of;
use crate::gate::places::stand::Stand;
use crate::gate::places::stream::is_ideograph;
use crate::gate::places::words::{is_function_word, stems_of};
use crate::model::finding::{Code, Finding};
use crate::text::blocks::outline::BlockKind;
use crate::text::span::Span;

/// WRONG_SUBJECT, where the subject is another section's or another scheme's.
pub fn check_subject(stand: &Stand) -> Option<Finding> {
    let subject = stems_of(&stand.claim.subject);
    if subject.is_empty() {
        return None;
    }
    let label = || {
        other_label(stand, &subject)
            .or_else(|| other_line(stand, &subject))
            .or_else(|| other_opening(stand))
            .or_else(|| other_item(stand, &subject))
            .or_else(|| rival_of(stand, &subject))
    };
    let owner = other_scheme(stand).or_else(label).or_else(|| {
        let around = surroundings(stand);
        let is_near = subject.is_subset(&stems_of(&around));
        if is_near { None } else { other_section(stand).or_else(|| other_twin(stand, &subject)) }
    })?;
    let named = &stand.claim.subject;
    let detail = stand.page.pick(
        || format!("the quote is about “{owner}”, the row about “{named}”"),
        || format!("引文說的是「{owner}」，資料列說的是「{named}」"),
    );
    let place = Some(stand.span);
    Some(Finding { code: Code::WrongSubject, detail, place, evidence: Some(owner) })
}

/// Everything that may name the owner of the quote: its sentence and those before it in the block,
/// lead-ins, headings, the row's label, the page's title where the page has no sections.
fn surroundings(stand: &Stand) -> String {
    let page = stand.page;
    let mut text = String::new();
    if let Some(block) = stand.own_block() {
        let from = block.content.start.max(stand.context.start.saturating_sub(1_500));
        let mut from = from.min(stand.context.start);
        while !page.text().is_char_boundary(from) {
            from += 1;
        }
        text.push_str(page.slice(Span::new(from, stand.context.start)));
    }
    text.push_str(stand.context_text());
    for span in stand.headings().into_iter().chain(stand.lead_ins()) {
        text.push('\n');
        text.push_str(page.slice(span));
    }
    text
}

/// The heading above the quote, where another heading of the page is what the subject names.
fn other_section(stand: &Stand) -> Option<String> {
    let block = stand.block?;
    let outline = stand.page.outline();
    let subject = stems_of(&stand.claim.subject);
    let path = outline.heading_path(block);
    let own = *path.last()?;
    if path.iter().any(|it| {
        let words = stems_of(stand.page.slice(outline.blocks[*it].content));
        !words.is_empty() && words.is_subset(&subject)
    }) {
        return None;
    }
    let mut headings = stand.page.headings_within(&subject);
    let is_name = |at: usize| is_name_of_scheme(stand.page.slice(outline.blocks[at].content));
    let names_subject = headings.any(|(words, at)| {
        !path.contains(at) && (*words == subject || is_name(*at)) && is_beside(stand, *at, &path)
    });
    names_subject.then(|| stand.page.slice(outline.blocks[own].content).to_owned())
}

/// The heading above the quote, where its twin names the subject: "Who can get the Orchard Grant"
/// and "Who can get the Meadow Grant" differ in their scheme alone.
fn other_twin(stand: &Stand, subject: &BTreeSet<String>) -> Option<String> {
    const LEAST_FRAME: usize = 2;
    let outline = stand.page.outline();
    let path = outline.heading_path(stand.block?);
    let words_of = |at: usize| stems_of(stand.page.slice(outline.blocks[at].content));
    let is_name = is_name_of_scheme(stand.claim.subject.trim());
    let is_twin = |words: &BTreeSet<String>, at: usize| {
        let depth = outline.blocks[at].depth;
        let beside = path.iter().copied().find(|it| outline.blocks[*it].depth == depth);
        let own = beside.map(words_of).unwrap_or_default();
        let frame: BTreeSet<&String> = words.difference(subject).collect();
        let is_framed = frame.iter().all(|it| own.contains(*it))
            && (is_name && !frame.is_empty() || LEAST_FRAME <= frame.len());
        let differs = own.iter().any(|it| !words.contains(it));
        let text_of = |it: usize| stand.page.slice(outline.blocks[it].content);
        let is_cast = beside.is_some_and(|it| {
            let subject = stand.claim.subject.trim();
            is_cast_alike(text_of(it), text_of(at), subject)
        });
        !path.contains(&at) && differs && (is_framed || is_cast)
    };
    let twin = stand.page.headings_naming(subject).find(|(words, at)| is_twin(words, *at))?.1;
    let depth = outline.blocks[twin].depth;
    let own = path.into_iter().find(|it| outline.blocks[*it].depth == depth)?;
    Some(stand.page.slice(outline.blocks[own].content).to_owned())
}

/// 申請燈塔津貼之資格 and 申請船錨津貼之資格: the same but for the subject.
fn is_cast_alike(own: &str, twin: &str, subject: &str) -> bool {
    const LEAST: usize = 2;
    let Some((before, after)) = twin.split_once(subject) else { return false };
    LEAST <= before.chars().count() + after.chars().count()
        && own.strip_prefix(before).is_some_and(|it| it.ends_with(after) && after.len() < it.len())
}

/// The label of the quote's own sentence, where another sentence near by bears the subject's:
/// "Standard licence: £80. Reduced licence: £35."
fn other_label(stand: &Stand, subject: &BTreeSet<String>) -> Option<String> {
    const NEAR: usize = 24;
    let page = stand.page;
    let at = page.sentences_of(stand.span).start;
    let own = label_of(page.slice(*page.sentences().get(at)?))?;
    let own_words = stems_of(own);
    if own_words.is_empty() || own_words.is_subset(subject) || subject.is_subset(&own_words) {
        return None;
    }
    let from = at.saturating_sub(NEAR);
    let near = page.sentences().iter().skip(from).take(2 * NEAR);
    let heading = |it: Span| {
        let block = page.outline().block_at(it.start);
        block.and_then(|it| page.outline().heading_path(it).last().copied())
    };
    let home = heading(stand.span);
    let mut labels =
        near.filter(|it| heading(**it) == home).filter_map(|it| label_of(page.slice(*it)));
    labels.any(|it| stems_of(it) == *subject).then(|| own.to_owned())
}

/// Lines and clauses longer than this, in bytes, are looked at no further.
const FAR: usize = 1_500;

/// The nearest border between characters at or before `at`.
fn boundary_before(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|it| text.is_char_boundary(*it)).unwrap_or(0)
}

/// Whom the quote's own clause begins with, where a clause near by begins with the subject, which is
/// of the same kind: "Full-time students are exempt. Part-time students pay half." 個人組…；團體組….
fn other_opening(stand: &Stand) -> Option<String> {
    const NEAR: usize = 400;
    let text = stand.page.text();
    let subject = stand.claim.subject.trim();
    let is_han = subject.chars().all(is_ideograph);
    let size = if is_han { subject.chars().count() } else { subject.split_whitespace().count() };
    let least = if is_han { 3 } else { 2 };
    let heads = stand.headings().into_iter().any(|it| stand.page.slice(it).contains(subject));
    if heads || size < least || 8 < size || subject.contains(['。', '，', '.', ',', '、']) {
        return None;
    }
    let is_stop = |it: char| "。；：，;:\n".contains(it);
    let opening = |clause: &str| -> String {
        let clause = clause.trim_start_matches(|it: char| !it.is_alphanumeric());
        if is_han {
            clause.chars().take(size).collect()
        } else {
            let all = clause.split_whitespace();
            let is_article = |it: &&str| {
                matches!(it.to_lowercase().as_str(), "a" | "an" | "the" | "each" | "every" | "any")
            };
            let words: Vec<&str> = all.skip_while(is_article).take(size).collect();
            words.join(" ")
        }
    };
    let last = |it: &str| -> String {
        let end = if is_han { it.chars().last().map(String::from) } else { None };
        end.or_else(|| it.split_whitespace().last().map(str::to_lowercase)).unwrap_or_default()
    };
    let border = |it: &str| {
        let stop = it.rfind(is_stop).into_iter().chain(it.rfind(". ")).max();
        stop.map_or(0, |at| at + it[at..].chars().next().map_or(1, char::len_utf8))
    };
    let low = boundary_before(text, stand.span.start.saturating_sub(FAR));
    let start = low + border(&text[low..stand.span.start]);
    let own = opening(&text[start..stand.span.end]);
    let same = |it: &str| it.to_lowercase() == subject.to_lowercase();
    let is_word =
        |it: &str| is_han || !is_function_word(it) && it.chars().all(char::is_alphanumeric);
    let is_kind = last(&own) == last(subject)
        && is_word(&last(&own))
        && own.chars().count() <= subject.chars().count() + 12
        && !same(&own)
        && !stand.context_text()
            [start.saturating_sub(stand.context.start).min(stand.context_text().len())..]
            .to_lowercase()
            .contains(&subject.to_lowercase());
    if !is_kind || own.contains(is_stop) || own.contains(". ") {
        return None;
    }
    let (mut from, mut to) = (start.saturating_sub(NEAR), text.len().min(stand.span.end + NEAR));
    while !text.is_char_boundary(from) {
        from += 1;
    }
    while !text.is_char_boundary(to) {
        to -= 1;
    }
    let near = text[from..to].split(is_stop).flat_map(|it| it.split(". "));
    let mut others = near.filter(|it| {
        it.chars().count() > subject.chars().count() + 2 && !it.trim_start().starts_with('#')
    });
    others.any(|it| same(&opening(it))).then_some(own)
}

/// Whom the quoted item is for, where another item of its list is for the subject: "up to $300 for a
/// single person", "up to $500 for a couple".
fn other_item(stand: &Stand, subject: &BTreeSet<String>) -> Option<String> {
    let outline = stand.page.outline();
    let block = stand.block.filter(|it| outline.blocks[*it].kind == BlockKind::ListItem)?;
    let whom = |it: usize| -> Option<&str> {
        let words = stand.page.slice(outline.blocks[it].content);
        let (before, whom) = words.rsplit_once(" for ")?;
        let is_priced = before.chars().any(char::is_numeric);
        let is_short = whom.split_whitespace().count() <= 5 && !whom.contains(char::is_numeric);
        (is_priced && is_short).then(|| whom.trim_end_matches(['.', ';', ',']))
    };
    let own = whom(block)?;
    let own_words = stems_of(own);
    if own_words.is_empty() || own_words.is_subset(subject) || subject.is_subset(&own_words) {
        return None;
    }
    let siblings = outline.siblings(block).into_iter().take(64);
    let mut others = siblings.filter(|it| *it != block).filter_map(whom);
    others.any(|it| stems_of(it) == *subject).then(|| own.to_owned())
}

/// The line above a line that is nothing but the quoted value, where the subject is the label of
/// another such line: "Single rate" / "£310" / "Couple rate" / "£480".
fn other_line(stand: &Stand, subject: &BTreeSet<String>) -> Option<String> {
    const NEAR: usize = 2_000;
    const LONGEST: usize = 60;
    let text = stand.page.text();
    let is_label = |it: &str| {
        let words = it.trim();
        !words.is_empty()
            && words.chars().count() <= LONGEST
            && !words.contains(['|', '。', '，', '.', ',', ';', '；'])
            && !words.chars().any(char::is_numeric)
    };
    let is_value = |it: &str| it.chars().any(char::is_numeric);
    let low = boundary_before(text, stand.span.start.saturating_sub(FAR));
    let start = text[low..stand.span.start].rfind('\n').map_or(low, |it| low + it + 1);
    let high = boundary_before(text, text.len().min(stand.span.end + FAR));
    let end = text[stand.span.end..high].find('\n').map_or(high, |it| stand.span.end + it);
    let is_whole = text[start..end].trim() == stand.quote_text().trim();
    let above = text[low..start].trim_end_matches('\n').rsplit('\n').next()?;
    let own = above.trim().trim_start_matches(['#', '-', '*', ' ']);
    if !is_whole || !is_value(stand.quote_text()) || !is_label(own) {
        return None;
    }
    let own_words = stems_of(own);
    if own_words.is_empty() || own_words.is_subset(subject) || subject.is_subset(&own_words) {
        return None;
    }
    let mut from = start.saturating_sub(NEAR);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let mut to = text.len().min(end + NEAR);
    while !text.is_char_boundary(to) {
        to -= 1;
    }
    let lines: Vec<&str> = text[from..to].lines().filter(|it| !it.trim().is_empty()).collect();
    let names = |pair: &[&str]| {
        let label = pair[0].trim().trim_start_matches(['#', '-', '*', ' ']);
        is_label(label) && is_value(pair[1]) && stems_of(label) == *subject
    };
    lines.windows(2).any(names).then(|| own.to_owned())
}

/// The few words before the colon that a sentence begins with.
fn label_of(sentence: &str) -> Option<&str> {
    const LONGEST: usize = 40;
    let head = sentence.char_indices().nth(LONGEST).map_or(sentence, |it| &sentence[..it.0]);
    let colon = head.find([':', '：'])?;
    let label = head[..colon].trim().trim_start_matches(['-', '*', '|', ' ']);
    // A lead-in announces what follows; it names nothing.
    let is_lead = sentence[colon..].trim_matches([':', '：', ' ', '\n']).is_empty()
        || ["下列", "以下", "following", "these", "below"].iter().any(|it| label.contains(it));
    let is_plain = !is_lead && !label.contains(['.', ',', '，', '。', '|', '?', '？', '、']);
    (is_plain && !label.is_empty()).then_some(label)
}

/// True for a heading that stands beside one of the path, not below it.
fn is_beside(stand: &Stand, heading: usize, path: &[usize]) -> bool {
    let blocks = &stand.page.outline().blocks;
    path.iter().any(|it| blocks[*it].depth == blocks[heading].depth)
        && blocks[heading].kind == BlockKind::Heading
}

/// The sentence behind the words by which it comes to a scheme: "To get the …", 申請….
fn without_opening(sentence: &str) -> &str {
    const OPENINGS: &[&str] = &[
        "To get ",
        "To claim ",
        "To qualify for ",
        "To receive ",
        "To apply for ",
        "Applicants for ",
        "An applicant for ",
        "Anyone applying for ",
        "A person applying for ",
        "People applying for ",
        "If you claim ",
        "If you get ",
        "For ",
        "申請",
        "申领",
        "申領",
        "請領",
        "领取",
        "領取",
    ];
    let rest = OPENINGS.iter().find_map(|it| sentence.strip_prefix(*it)).unwrap_or(sentence);
    let rest = rest.strip_prefix("the ").unwrap_or(rest);
    rest.strip_prefix("The ").unwrap_or(rest)
}

/// Another scheme that the quote's sentence begins with, where the page names the subject elsewhere.
fn other_scheme(stand: &Stand) -> Option<String> {
    let subject = stand.claim.subject.trim();
    // Of several rules in one sentence, the one that the quote is taken from.
    let before = stand.before();
    let from = before
        .rfind([';', '；'])
        .map_or(0, |at| at + before[at..].chars().next().map_or(0, char::len_utf8));
    let sentence = stand.context_text().get(from..).unwrap_or_default().trim_start();
    let own = sentence.split([';', '；']).next().unwrap_or_default();
    if !is_scheme_name(subject) || own.contains(subject) {
        return None;
    }
    let opens = |it: &&&str| {
        let rest = without_opening(sentence);
        let says_more = it.chars().count() + 2 < rest.chars().count();
        rest.starts_with(**it) && says_more && !subject.contains(**it) && !it.contains(subject)
    };
    let names = scheme_names(sentence);
    let rival = names.iter().find(opens)?;
    let is_on_page = !stand.page.find(subject).is_empty();
    is_on_page.then(|| (*rival).to_owned())
}
