//! The words just outside a quote that change what it says: not, except, only, usually.
//!
//! A gate that only looks inside the quote passes "may apply" cut from "may not apply".

use crate::gate::places::stand::Stand;
use crate::gate::places::words::stems_of;
use crate::gate::sentences::coverage::Coverage;
use crate::gate::values::value::{Wanted, wanted_of};
use crate::gate::wording::cut_word::{cut_prefix, negation_cut};
use crate::gate::wording::polarity::says_no;
use crate::model::claim::Force;
use crate::model::finding::{Code, Finding};
use crate::text::markers::marker::{Marker, MarkerKind, Strength, markers_of_sentence};
use crate::text::sentence::provisos_of;
use crate::text::span::Span;

/// Everything the quote cuts off that reaches into it. Spans of markers count in the page.
pub fn check_around(stand: &Stand, covered: &Coverage) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(cut_prefix(stand));
    let markers = markers_around(stand);
    let cut: Vec<&Marker> = markers.iter().filter(|it| is_cut(stand, it)).collect();
    findings.extend(negation(stand, &cut));
    findings.extend(restriction(stand, &cut));
    findings.extend(hedge(stand, &cut));
    findings.extend(exception(stand, &cut, covered));
    findings.extend(lead_in(stand));
    findings
}

/// SNIPPET_CUTS_NEGATION of a short quote that a "not" stands directly before: 得轉讓 of 不得轉讓.
pub fn turned_by_cut(stand: &Stand) -> Option<Finding> {
    const LEAST: usize = 3;
    let allows = stand.quote_text().starts_with(['得', '可', '能', '准', '應', '須']);
    if stand.quote_text().chars().count() < LEAST || !allows {
        return None;
    }
    let markers = markers_around(stand);
    let is_beside = |it: &&Marker| {
        is_cut(stand, it) && it.span.start < stand.span.start && stand.span.start <= it.span.end
    };
    let cut: Vec<&Marker> = markers.iter().filter(is_beside).collect();
    negation(stand, &cut)
}

/// The markers of the sentences around the quote.
fn markers_around(stand: &Stand) -> Vec<Marker> {
    let page = stand.page;
    let sentences = &page.sentences()[page.sentences_of(stand.span)];
    let bounded =
        |it: &Span| Span::new(it.start.max(stand.context.start), it.end.min(stand.context.end));
    sentences.iter().flat_map(|it| markers_of_sentence(page.text(), bounded(it))).collect()
}

fn is_cut(stand: &Stand, marker: &Marker) -> bool {
    !stand.span.contains(marker.span)
        && marker.reach.overlaps(stand.span)
        && !is_in_brackets(stand, marker)
        && !is_line_above(stand, marker)
}

/// True where the quote begins a line of its own with a capital: a title or an item above it that
/// ends without a stop is no part of its sentence.
fn is_line_above(stand: &Stand, marker: &Marker) -> bool {
    let between = stand.page.slice(Span::new(marker.span.end, stand.span.start));
    let begins_line = between.trim_end_matches([' ', '\t']).ends_with('\n');
    let first = stand.quote_text().trim_start().chars().next();
    begins_line && first.is_some_and(char::is_uppercase)
}

/// True where the quote stands in brackets that the marker stands before: a remark of its own.
fn is_in_brackets(stand: &Stand, marker: &Marker) -> bool {
    let between = Span::new(marker.span.end, stand.span.start);
    let text = stand.page.slice(between);
    let count = |marks: [char; 2]| text.chars().filter(|it| marks.contains(it)).count();
    count([')', '）']) < count(['(', '（'])
}

/// True for a word before the quote in one clause with it, or right behind it: "free of charge only".
fn is_near(stand: &Stand, marker: &Marker) -> bool {
    if marker.span.start < stand.span.start {
        return true;
    }
    let between = stand.page.slice(Span::new(stand.span.end, marker.span.start));
    between.chars().all(char::is_whitespace)
}

fn negation(stand: &Stand, cut: &[&Marker]) -> Option<Finding> {
    let is_negation = |it: &&&Marker| match it.kind {
        MarkerKind::Negation => {
            !is_exemption(stand, it) && !is_beyond_semicolon(stand, it) && !is_said_again(stand, it)
        }
        // Of "not more than" only "more than" is left.
        MarkerKind::Bound => it.span.overlaps(stand.span),
        _ => false,
    };
    let marker = cut.iter().find(is_negation)?;
    // What of the marker stands outside the quote.
    let outside = Span::new(marker.span.start, marker.span.end.min(stand.span.start));
    let word = if outside.is_empty() { marker.span } else { outside };
    Some(negation_cut(stand, stand.page.slice(word).trim()))
}

/// "Neither a pass …" cut from a quote that begins with "nor": the quote still says no.
fn is_said_again(stand: &Stand, marker: &Marker) -> bool {
    let word = stand.page.slice(marker.span).to_lowercase();
    let first = stand.quote_text().split_whitespace().next().unwrap_or_default();
    word == "neither" && first.eq_ignore_ascii_case("nor")
}

/// 免徵, "exempt from" take a duty away; they turn nothing round that stands behind them.
fn is_exemption(stand: &Stand, marker: &Marker) -> bool {
    let word = stand.page.slice(marker.span).to_lowercase();
    let is_whole = !marker.span.overlaps(stand.span);
    is_whole && (word.starts_with('免') || word.starts_with("exempt"))
}

fn restriction(stand: &Stand, cut: &[&Marker]) -> Option<Finding> {
    // 方可, "may only" behind the quote bind the result, not the condition that was quoted.
    let is_result = |marker: &Marker| {
        stand.span.end <= marker.span.start
            && cut
                .iter()
                .any(|it| it.span == marker.span && matches!(it.kind, MarkerKind::Force(_)))
    };
    let is_restriction =
        |it: &&&Marker| it.kind == MarkerKind::Restriction && is_near(stand, it) && !is_result(it);
    let marker = cut.iter().find(is_restriction)?;
    let word = stand.page.slice(marker.span);
    let detail = stand.page.pick(
        || format!("the quote leaves out “{word}”, which narrows the rule"),
        || format!("引文漏了「{word}」，適用範圍因而放寬"),
    );
    Some(finding(stand, Code::ScopeChanged, detail, word))
}

fn hedge(stand: &Stand, cut: &[&Marker]) -> Option<Finding> {
    let is_force = |marker: &Marker| {
        cut.iter().any(|it| {
            it.span == marker.span
                && matches!(it.kind, MarkerKind::Force(it) if it != Strength::InPrinciple)
        })
    };
    let is_hedge =
        |it: &&&Marker| it.kind == MarkerKind::Hedge && !is_force(it) && is_near(stand, it);
    if let Some(marker) = cut.iter().find(is_hedge) {
        return Some(hedge_dropped(stand, stand.page.slice(marker.span)));
    }
    let found = uncertain_amount(stand).or_else(|| most_of_them(stand));
    found.map(|it| hedge_dropped(stand, it))
}

/// "Most applicants" before "hear within 15 days": it holds for most of them.
fn most_of_them(stand: &Stand) -> Option<&'static str> {
    const WORDS: [&str; 8] =
        ["most ", "many ", "some ", "大部分", "大部份", "大多數", "多數", "部分"];
    const FEW: usize = 5;
    let before = stand.before();
    let before = before.trim_start();
    let lower = before.to_lowercase();
    let is_short = before.split_whitespace().count() <= FEW && before.chars().count() <= 40;
    let is_said = |it: &&str| {
        let said = stand.claim.subject.to_lowercase();
        said.starts_with(it.trim())
    };
    WORDS.into_iter().find(|it| lower.starts_with(it)).filter(|it| is_short && !is_said(it))
}

/// "May be able to get" before the amount that is quoted: what is uncertain there is no entitlement.
/// Asked only of numbers, and only where nothing but the verb stands between.
fn uncertain_amount(stand: &Stand) -> Option<&'static str> {
    const WORDS: &[&str] = &[
        "may be able to",
        "might be able to",
        "could be able to",
        "may be eligible for",
        "may be eligible to",
        "may be entitled to",
        "might be entitled to",
        "could be entitled to",
        "may qualify for",
        "could",
        "might",
    ];
    const VERBS: &[&str] = &[
        "get", "receive", "claim", "save", "be", "paid", "given", "awarded", "also", "even",
        "still", "entitled", "eligible", "able", "to", "a", "an", "the", "for", "worth", "qualify",
        "borrow", "earn", "grant", "payment", "loan", "discount", "of", "refund", "back", "have",
        "off", "you", "cover", "reach", "amount", "cut", "lower", "reduce", "lose", "owe", "pay",
        "cost", "your", "bill", "by",
    ];
    const HAN: &[&str] = &[
        "或可獲得",
        "或可獲",
        "或可得",
        "或可領",
        "或可領取",
        "或可獲發",
        "或可申領",
        "可能獲得",
        "可能領取",
        "可能獲發",
        "可能可獲",
        "可能可領",
        "可能可以獲得",
        "可能可以領取",
        "有機會獲得",
        "有機會領取",
        "有機會獲",
        "或能獲得",
        "或能領取",
        "或會獲發",
        "或許可獲",
    ];
    let claim = stand.claim;
    let is_soft = matches!(claim.force, Some(Force::May | Force::InPrinciple));
    if is_soft || !matches!(wanted_of(claim), Wanted::Number(_)) {
        return None;
    }
    let before = stand.before().trim_end();
    if let Some(it) = HAN.iter().find(|it| before.ends_with(**it)) {
        return Some(it);
    }
    let low = before.to_ascii_lowercase();
    let is_joined = |it: &str| it.split_whitespace().all(|word| VERBS.contains(&word));
    let find = |word: &&&str| {
        low.rfind(**word).is_some_and(|at| {
            let rest = &low[at + word.len()..];
            rest.starts_with(' ') && is_joined(rest) && low[..at].ends_with([' ', '\n'])
        })
    };
    WORDS.iter().find(find).copied()
}

fn hedge_dropped(stand: &Stand, word: &str) -> Finding {
    let detail = stand.page.pick(
        || format!("the quote leaves out “{word}”, which makes the rule a guideline"),
        || format!("引文漏了「{word}」，原則變成了硬性規定"),
    );
    finding(stand, Code::HedgeDropped, detail, word)
}

/// A cut exception in the sentence, or in the proviso behind it, that no row carries.
fn exception(stand: &Stand, cut: &[&Marker], covered: &Coverage) -> Option<Finding> {
    let page = stand.page;
    let in_sentence = cut
        .iter()
        .filter(|it| it.kind == MarkerKind::Exception && !is_beyond_semicolon(stand, it))
        .map(|it| exception_passage(stand, it))
        .find(|it| !covered.touches(*it) && has_words(stand.page.slice(*it)));
    let passage = in_sentence.or_else(|| {
        let last = page.sentences_of(stand.span).end.checked_sub(1)?;
        let provisos = provisos_of(page.text(), page.sentences(), last);
        let is_own = |it: &Span| is_same_block(stand, *it) || is_of_paragraph_before(stand, *it);
        provisos.into_iter().find(|it| is_own(it) && !covered.touches(*it))
    })?;
    let words = trimmed(page.slice(passage));
    let detail = page.pick(
        || format!("an exception goes on outside the quote and no row carries it: {words}"),
        || format!("引文之外還有例外，沒有資料列載明：{words}"),
    );
    Some(finding(stand, Code::SnippetCutsException, detail, words))
}

/// True where a semicolon stands between the marker and the quote: two rules in one sentence.
fn is_beyond_semicolon(stand: &Stand, marker: &Marker) -> bool {
    let (from, to) = if marker.span.start < stand.span.start {
        (marker.span.end, stand.span.start)
    } else {
        (stand.span.end, marker.span.start)
    };
    let between = stand.page.slice(Span::new(from, to));
    // 「…；但…不在此限」 takes back what stands before the semicolon.
    let word = stand.page.slice(marker.span);
    let is_proviso = stand.span.end <= marker.span.start
        && !word.starts_with('除')
        && between.trim().trim_matches([';', '；']).trim().is_empty();
    between.contains([';', '；']) && !is_proviso
}

/// A lone "But" or 惟 in front of the quote excepts nothing from it.
fn has_words(passage: &str) -> bool {
    const LEAST: usize = 2;
    stems_of(passage).len() >= LEAST || passage.chars().count() > 6
}

fn is_same_block(stand: &Stand, span: Span) -> bool {
    stand.page.outline().block_at(span.start) == stand.block
}

/// 「…，不適用前項規定。」 in the paragraph right behind the quote's own.
fn is_of_paragraph_before(stand: &Stand, span: Span) -> bool {
    let words = stand.page.slice(span);
    let is_next = stand.page.outline().block_at(span.start) == stand.block.map(|it| it + 1);
    is_next && (words.contains("前項") || words.contains("前项"))
}

/// From the word of exception to the end of what it excepts.
fn exception_passage(stand: &Stand, marker: &Marker) -> Span {
    let end = if stand.span.start <= marker.span.start {
        stand.context.end
    } else {
        marker.clause.end.max(marker.span.end).min(stand.span.start)
    };
    // 「…，救護車除外」: what is excepted stands before the word.
    let behind = stand.page.slice(Span::new(marker.span.end.min(end), end));
    let is_last = !behind.chars().take(12).any(char::is_alphanumeric);
    let start = if is_last && stand.span.end <= marker.span.start {
        marker.clause.start.max(stand.span.end)
    } else {
        marker.span.start
    };
    Span::new(start, end)
}

/// What the lead-in of a list says of its items, where the row says otherwise.
fn lead_in(stand: &Stand) -> Option<Finding> {
    let says_no = says_no(stand.claim);
    for lead in stand.lead_ins() {
        let sentence = last_sentence(stand, lead);
        let markers = markers_of_sentence(stand.page.text(), sentence);
        let at_end =
            |it: &&Marker| it.reach.end + 8 >= sentence.end || it.clause.end + 8 >= sentence.end;
        let points_down = points_down(stand.page.slice(sentence));
        // A lone 無 or 非 in a lead-in is a part of a name more often than not.
        let is_word = |it: &Marker| {
            let word = stand.page.slice(it.span);
            word.is_ascii() || 1 < word.chars().count()
        };
        let is_negation =
            |it: &&Marker| it.kind == MarkerKind::Negation && points_down && is_word(it);
        let negation = markers.iter().filter(at_end).find(is_negation);
        let is_ban = |it: &&Marker| bans(stand, &markers, it);
        // A row that binds or combines takes a side; a bare quotation of an item takes none.
        let takes_side = stand.claim.force == Some(Force::Must)
            || stand.claim.join.is_some()
            || names_those_let_in(&stand.claim.field);
        let denied = markers.iter().find(|it| is_negation(it) && denies_field(stand, sentence, it));
        if let Some(it) = denied.filter(|_| !says_no) {
            return Some(negation_cut(stand, stand.page.slice(it.span)));
        }
        if let Some(it) = negation.filter(is_ban).filter(|_| !says_no && takes_side) {
            return Some(negation_cut(stand, stand.page.slice(it.span)));
        }
        let hedge = markers.iter().find(|it| it.kind == MarkerKind::Hedge);
        if let Some(it) = hedge.filter(|_| stand.claim.force == Some(Force::Must)) {
            return Some(hedge_dropped(stand, stand.page.slice(it.span)));
        }
    }
    None
}

/// "These do not count as income:" above an item whose row says `counts_as_income`: the field names
/// the very verb that the lead-in denies.
fn denies_field(stand: &Stand, sentence: Span, negation: &Marker) -> bool {
    let field = stand.claim.field.replace('_', " ").to_lowercase();
    let denied =
        stand.page.slice(Span::new(negation.span.end, sentence.end.max(negation.span.end)));
    let denied = denied.trim_start();
    let han: String = denied.chars().take(2).collect();
    if denied.starts_with(|it: char| !it.is_ascii()) {
        return han.chars().count() == 2 && field.contains(&han);
    }
    let first = denied.split_whitespace().next().unwrap_or_default();
    let verbs = stems_of(first.trim_end_matches(|it: char| !it.is_alphanumeric()));
    3 < first.len() && !verbs.is_empty() && verbs.is_subset(&stems_of(&field))
}

/// True for a negation that keeps people from something: "cannot get it if you:", 不得申請. "Does not
/// apply in any of these cases" bans nobody.
fn bans(stand: &Stand, markers: &[Marker], negation: &Marker) -> bool {
    let force = MarkerKind::Force(Strength::MustNot);
    let sentence = stand.page.slice(negation.clause).to_lowercase();
    let is_ban = markers.iter().any(|it| it.clause == negation.clause && it.kind == force)
        || [
            "qualify",
            "eligible",
            "entitled",
            "not get",
            "not receive",
            "not be paid",
            "not claim",
        ]
        .iter()
        .any(|it| sentence.contains(it));
    is_ban
        && !sentence.contains("apply in")
        && !sentence.contains("apply to")
        && !sentence.contains("適用")
}

/// True for the name of a field of who is let in: `eligible_group`, `who_can_apply`, 申請資格.
fn names_those_let_in(field: &str) -> bool {
    const WORDS: [&str; 9] = [
        "eligible",
        "eligibility",
        "who_can",
        "who_may",
        "qualifies",
        "qualifying",
        "entitled",
        "資格",
        "適用對象",
    ];
    let field = field.to_lowercase();
    WORDS.iter().any(|it| field.contains(it)) && !field.contains("ineligib")
}

/// True for a lead-in that announces its items: "if you:", 有下列情形之一者.
fn points_down(lead: &str) -> bool {
    let lead = lead.trim_end();
    lead.ends_with([':', '：'])
        || ["下列", "以下", "following", "below"].iter().any(|it| lead.contains(it))
}

/// A lead-in may be a whole paragraph; its last sentence leads in.
fn last_sentence(stand: &Stand, lead: Span) -> Span {
    let sentences = &stand.page.sentences()[stand.page.sentences_of(lead)];
    let last = sentences.last().copied().unwrap_or(lead);
    let mut start = last.start.max(last.end.saturating_sub(1_000));
    while !stand.page.text().is_char_boundary(start) {
        start += 1;
    }
    Span::new(start, last.end)
}

/// Without the punctuation around it.
pub(crate) fn trimmed(words: &str) -> &str {
    let is_mark = |c: char| c.is_whitespace() || ".,;:。，；：、".contains(c);
    words.trim_matches(is_mark)
}

fn finding(stand: &Stand, code: Code, detail: String, evidence: &str) -> Finding {
    Finding { code, detail, place: Some(stand.span), evidence: Some(evidence.to_owned()) }
}
