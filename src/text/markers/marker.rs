//! Words that turn, except, narrow, soften or bind a rule, with the part of the sentence they reach.
//!
//! A quote that leaves such a word out says something else than the page. This file finds the words
//! and how far they reach; what a cut word means for a row is for the gate to say. Words that only
//! look like markers (不動產, 所得, "note", the month of May) are never reported.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use crate::text::blocks::note::footnotes_in;
use crate::text::glyphs::script::simplify;
pub use crate::text::markers::found::{Marker, MarkerKind};
use crate::text::markers::marker_context::{end_of_except, holds};
use crate::text::markers::marker_reach::negated;
pub use crate::text::markers::marker_words::Strength;
use crate::text::markers::marker_words::{CHINESE, ENGLISH, Sense};
use crate::text::markers::turned::{carry_bans, lift_bans, turn_forces};
use crate::text::sentence::{clauses_of_sentence, sentences_in};
use crate::text::span::Span;

/// What a clause says of its force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatedForce {
    pub strength: Strength,
    /// The words that say so.
    pub span: Span,
    /// True for "must not exceed", 不得超過: as a limit it is a must, as a ban a must not.
    pub is_bound: bool,
}

/// The markers of a part of `text`, first to last; sentence by sentence, never across blocks.
pub fn markers_in(text: &str, span: Span) -> Vec<Marker> {
    let sentences = sentences_in(text, span).into_iter();
    sentences.flat_map(|it| markers_of_sentence(text, it)).collect()
}

/// The markers of one sentence, first to last.
pub fn markers_of_sentence(text: &str, sentence: Span) -> Vec<Marker> {
    let Some(part) = sentence.slice(text) else { return Vec::new() };
    let clauses = clauses_of_sentence(text, sentence);
    let mut found = Vec::new();
    for (word, senses) in words_of(part) {
        for &sense in senses {
            if let Some(kind) = kind_of(sense) {
                let span = span_of(part, word, kind).shifted(sentence.start);
                let clause = clause_at(&clauses, span.start).unwrap_or(sentence);
                let reach = reach_of(text, kind, span, clause, sentence);
                found.push(Marker { kind, span, reach, clause });
            }
        }
    }
    turn_forces(text, &mut found);
    lift_bans(text, &mut found);
    carry_bans(text, sentence, &mut found);
    for note in footnotes_in(part) {
        let span = note.shifted(sentence.start);
        let clause = clause_at(&clauses, span.start).unwrap_or(sentence);
        found.push(Marker { kind: MarkerKind::Footnote, span, reach: sentence, clause });
    }
    found.sort_by_key(|it| (it.span.start, it.span.end, it.kind));
    found.dedup_by_key(|it| (it.span, it.kind));
    found
}

/// The markers of a sentence that a quote leaves out, or cuts through, although they reach into it.
pub fn markers_cut_by(text: &str, sentence: Span, quote: Span) -> Vec<Marker> {
    let cut = |it: &Marker| !quote.contains(it.span) && it.reach.overlaps(quote);
    markers_of_sentence(text, sentence).into_iter().filter(cut).collect()
}

/// The force that a clause or sentence states: its main verb's, not that of "persons who may …" or
/// 得申請者. `None` where it states none.
pub fn force_of(text: &str, span: Span) -> Option<StatedForce> {
    let markers = markers_of_sentence(text, span);
    if let Some(principle) =
        markers.iter().find(|it| it.kind == MarkerKind::Force(Strength::InPrinciple))
    {
        let strength = Strength::InPrinciple;
        return Some(StatedForce { strength, span: principle.span, is_bound: false });
    }
    let bounds: Vec<Span> = spans_of(&markers, MarkerKind::Bound);
    let forces: Vec<StatedForce> = markers
        .iter()
        .filter_map(|it| match it.kind {
            MarkerKind::Force(strength) => {
                Some(StatedForce { strength, span: it.span, is_bound: bounds.contains(&it.span) })
            }
            _ => None,
        })
        .collect();
    let main = (0..forces.len()).find(|&at| {
        let before = at.checked_sub(1).map_or(span.start, |it| forces[it].span.end);
        let after = forces.get(at + 1).map_or(span.end, |it| it.span.start);
        !is_relative(text, forces[at].span, Span::new(before, after))
    });
    main.and_then(|at| forces.get(at)).or(forces.first()).copied()
}

fn spans_of(markers: &[Marker], kind: MarkerKind) -> Vec<Span> {
    markers.iter().filter(|it| it.kind == kind).map(|it| it.span).collect()
}

/// True for a force inside "who may …", "if you must …", 得…者: it describes, it does not rule.
/// `room` reaches from the force before it to the force behind it.
fn is_relative(text: &str, force: Span, room: Span) -> bool {
    let joints = [',', ';', '，', '；', '。'];
    let before = text.get(room.start..force.start).unwrap_or("");
    let lead = before.rsplit(joints).next().unwrap_or("");
    let opens =
        lead.split_whitespace().any(|it| RELATIVE.contains(&it.to_ascii_lowercase().as_str()));
    let behind = text.get(force.end..room.end).unwrap_or("");
    let clause = behind.split(joints).next().unwrap_or("");
    let describes = ["者", "的人", "之人", "之情形", "的情況", "時", "人士", "的情况", "时"];
    opens || describes.iter().any(|it| clause.contains(it))
}

const RELATIVE: [&str; 10] =
    ["who", "which", "that", "where", "if", "when", "unless", "whether", "because", "until"];

fn kind_of(sense: Sense) -> Option<MarkerKind> {
    Some(match sense {
        Sense::Negation => MarkerKind::Negation,
        Sense::Bound => MarkerKind::Bound,
        Sense::Exception => MarkerKind::Exception,
        Sense::Restriction => MarkerKind::Restriction,
        Sense::Hedge => MarkerKind::Hedge,
        Sense::Force(strength) => MarkerKind::Force(strength),
        Sense::Plain => return None,
    })
}

fn clause_at(clauses: &[Span], byte: usize) -> Option<Span> {
    let at = clauses.partition_point(|it| it.end <= byte);
    clauses.get(at).copied()
}

/// 除…外 is marked as a whole.
fn span_of(part: &str, word: Span, kind: MarkerKind) -> Span {
    let is_except =
        kind == MarkerKind::Exception && word.slice(part).is_some_and(|it| it.ends_with('除'));
    let end = if is_except { end_of_except(part, word.end) } else { None };
    end.map_or(word, |end| Span::new(word.start, end))
}

fn reach_of(text: &str, kind: MarkerKind, span: Span, clause: Span, sentence: Span) -> Span {
    match kind {
        MarkerKind::Exception | MarkerKind::Footnote => sentence,
        MarkerKind::Negation => negated(text, span, clause),
        MarkerKind::Bound => Span::new(span.start, clause.end),
        MarkerKind::Restriction | MarkerKind::Force(_) => clause,
        MarkerKind::Hedge => {
            // 「原則上，…」, "In principle, …": alone before a comma it softens all that follows.
            let rest = text.get(span.end..clause.end).unwrap_or("");
            let lead = text.get(clause.start..span.start).unwrap_or("").trim_start();
            let opens = matches!(lead, "" | "在" | "於" | "于") || lead.eq_ignore_ascii_case("in ");
            // 「本署的服務目標，是在十日內…」: what is aimed at is said behind the comma.
            let is_aim = span.slice(text).is_some_and(|it| it.ends_with(['標', '标']));
            let alone = (opens || is_aim) && !rest.contains(char::is_alphanumeric);
            if alone { Span::new(span.start, sentence.end) } else { clause }
        }
    }
}

type Senses = &'static [Sense];

struct Lexicon {
    words: AhoCorasick,
    senses: Vec<Senses>,
    is_latin: Vec<bool>,
}

static LEXICON: LazyLock<Option<Lexicon>> = LazyLock::new(build);

fn build() -> Option<Lexicon> {
    let mut patterns: Vec<String> = Vec::new();
    let mut senses = Vec::new();
    let mut is_latin = Vec::new();
    let mut add = |word: String, sense: Senses, latin: bool| {
        patterns.push(word);
        senses.push(sense);
        is_latin.push(latin);
    };
    for (words, sense) in ENGLISH {
        for word in words.split('|') {
            if word.contains('\'') {
                add(word.replace('\'', "’"), sense, true);
            }
            add(word.to_owned(), sense, true);
        }
    }
    for (words, sense) in CHINESE {
        for word in words.split(' ') {
            let simple: String = word.chars().map(simplify).collect();
            if simple != word {
                add(simple, sense, false);
            }
            add(word.to_owned(), sense, false);
        }
    }
    let words = AhoCorasick::builder()
        .match_kind(MatchKind::Standard)
        .ascii_case_insensitive(true)
        .build(&patterns)
        .ok()?;
    Some(Lexicon { words, senses, is_latin })
}

/// The listed words of a text with their senses: where two overlap, the earlier, then the longer.
fn words_of(text: &str) -> Vec<(Span, Senses)> {
    let Some(lexicon) = LEXICON.as_ref() else { return Vec::new() };
    let mut found: Vec<(Span, usize)> = lexicon
        .words
        .find_overlapping_iter(text)
        .map(|it| (Span::new(it.start(), it.end()), it.pattern().as_usize()))
        .filter(|(span, pattern)| !lexicon.is_latin[*pattern] || is_whole_word(text, *span))
        .collect();
    found.sort_by_key(|(span, pattern)| (span.start, usize::MAX - span.end, *pattern));
    let mut chosen: Vec<(Span, Senses)> = Vec::new();
    let mut from = 0;
    let mut at = 0;
    while at < found.len() {
        let span = found[at].0;
        // The same word may be listed under several senses.
        let same = found[at..].iter().take_while(|it| it.0 == span).count();
        if span.start >= from {
            let senses = found[at..at + same].iter().map(|it| lexicon.senses[it.1]);
            let senses: Vec<Senses> = senses.collect();
            if senses.iter().any(|it| it.contains(&Sense::Plain)) {
                from = span.end;
            } else if holds(text, span) {
                chosen.extend(senses.into_iter().map(|it| (span, it)));
                from = span.end;
            }
        }
        at += same;
    }
    chosen
}

fn is_whole_word(text: &str, span: Span) -> bool {
    let joins = |it: char| {
        it.is_alphanumeric() && (it.is_ascii() || it.is_lowercase() || it.is_uppercase())
    };
    let starts_inside =
        text[span.start..].starts_with(joins) && text[..span.start].ends_with(joins);
    let ends_inside = text[..span.end].ends_with(joins) && text[span.end..].starts_with(joins);
    !starts_inside && !ends_inside
}

#[cfg(test)]
mod tests {
    use super::*;
    use MarkerKind::{Bound, Exception, Footnote, Hedge, Negation, Restriction};

    fn of_kind(text: &str, kind: impl Fn(MarkerKind) -> bool) -> Vec<&str> {
        let markers = markers_in(text, Span::new(0, text.len())).into_iter();
        markers.filter(|it| kind(it.kind)).map(|it| it.span.slice(text).unwrap()).collect()
    }

    fn check(kind: MarkerKind, cases: &[(&str, &[&str])]) {
        for (text, wanted) in cases {
            assert_eq!(&of_kind(text, |it| it == kind), wanted, "{text}");
        }
    }

    #[test]
    fn negations_are_found_and_words_that_hide_one_are_not() {
        check(
            Negation,
            &[
                ("You are not a tenant and don’t own a flat.", &["not", "don’t"]),
                ("Nobody without a card may enter, nor may guests.", &["Nobody", "without", "nor"]),
                ("Tenants cannot apply.", &["cannot"]),
                ("It is not only for tenants; note the notice, whether or not you know.", &[]),
                ("See No. 5 and form no 12.", &[]),
                ("There is no fee.", &["no"]),
                ("居於宿舍的人士不可申請，亦未曾領取。", &["不可", "未曾"]),
                ("沒有不動產，未來非常無線，不但未婚且未成年，是否免費。", &["沒有"]),
                ("非經核准，不得出租。", &["非", "不得"]),
                ("没有收入者免附证明。", &["没有", "免附"]),
                ("無須繳費。", &["無須"]),
            ],
        );
    }

    #[test]
    fn negated_comparisons_are_bounds() {
        check(
            Bound,
            &[
                ("no more than 60 days and not less than 5", &["no more than", "not less than"]),
                ("每月不超過三萬元，未滿六十五歲，不得超過五人。", &["不超過", "未滿", "不得超過"]),
                ("Income must not exceed HK$5.", &["must not exceed"]),
            ],
        );
        check(Negation, &[("每月不超過三萬元", &[]), ("no more than 60", &[])]);
    }

    #[test]
    fn exceptions_are_found_with_what_they_take_out() {
        check(
            Exception,
            &[
                ("Every resident receives the card, except persons in prison.", &["except"]),
                (
                    "The tenant shall not, save with the consent of the landlord, sublet.",
                    &["save with"],
                ),
                ("You can save money to save for retirement and help save energy.", &[]),
                ("This does not apply to tenants unless they rent.", &["does not apply", "unless"]),
                ("However, guests may enter but not stay.", &["However", "but not"]),
                ("However hard it is, not only tenants but also guests may enter.", &["However"]),
                ("Keep it, however small it may be.", &[]),
                ("It is long, but it is easy. You can apply, but only in May.", &["but"]),
                ("She does not apply for work. Please don’t apply again.", &[]),
                ("扣除外國人之費用，除外籍者外，不計。", &["除外籍者外"]),
                ("除法律另有規定外，應於五日內提出。", &["除法律另有規定外", "另有規定"]),
                ("除申請書外，並應檢附證明。", &[]),
                ("扣除額、免除及解除契約，不但如此。", &[]),
                ("津貼每月發放，但停業者不在此限。", &["但", "不在此限"]),
                ("除非另有規定，惟一方式為郵寄。", &["除非", "另有規定"]),
                ("惟逾期者不適用。", &["惟", "不適用"]),
                (
                    "It is paid provided the rent is paid. Services are provided the next day.",
                    &["provided the"],
                ),
            ],
        );
    }

    #[test]
    fn restrictions_are_found() {
        check(
            Restriction,
            &[
                ("Only tenants may apply; it is limited to one person.", &["Only", "limited to"]),
                (
                    "You can only claim just one, not only two. Just in case, it is just after May.",
                    &["can only", "just"],
                ),
                ("僅限本人申請，以一次為限，只有長者始得領取。", &["僅限", "為限", "只有", "始得"]),
                ("期限、限額、權限及有限公司，不限次數，不僅如此，只要合格，三只碗。", &[]),
                ("補助不以一次為限。", &[]),
            ],
        );
    }

    #[test]
    fn a_ban_that_is_denied_allows() {
        for text in [
            "返還款項者，並非不得再次申請。",
            "返还款项者，并非不得再次申请。",
            "Members are not prohibited from selling their berth.",
            "A tenant isn’t forbidden to sublet.",
        ] {
            let markers = markers_of_sentence(text, Span::new(0, text.len()));
            let kinds: Vec<MarkerKind> = markers.iter().map(|it| it.kind).collect();
            assert_eq!(kinds, [MarkerKind::Force(Strength::May)], "{text}");
        }
    }

    #[test]
    fn hedges_are_found() {
        check(
            Hedge,
            &[
                (
                    "In principle, you usually get about 10 days.",
                    &["In principle", "usually", "about"],
                ),
                ("Read about the scheme around the house.", &[]),
                ("It takes about a month, or so.", &["about", "or so"]),
                (
                    "原則上，一般須約三十日，必要時得視情況延長。",
                    &["原則上", "一般須", "約", "必要時", "得視"],
                ),
                ("一般住戶依契約及約定辦理，一般收入。", &[]),
                ("約新臺幣三萬元左右", &["約", "左右"]),
                ("申請一般於十天內處理，申請人或須補件。", &["一般於", "或須"]),
                ("或會員或許可證，通常保護令", &[]),
            ],
        );
    }

    #[test]
    fn force_is_that_of_the_main_verb() {
        use Strength::{InPrinciple, May, Must, MustNot, NeedNot, Should};
        for (text, wanted) in [
            ("The Office may ask for a report.", Some(May)),
            ("Persons who may be liable must register.", Some(Must)),
            ("You do not have to apply.", Some(NeedNot)),
            ("Tenants cannot claim.", Some(MustNot)),
            ("You should keep the letter.", Some(Should)),
            ("In principle, tenants must apply.", Some(InPrinciple)),
            ("The scheme opens on 1 May 2030 and in May.", None),
            ("May 5 is a holiday.", None),
            ("May I apply?", Some(May)),
            ("No person shall hold two cards.", Some(MustNot)),
            ("Neither the tenant nor the landlord may enter.", Some(MustNot)),
            ("Applicants need not attend.", Some(NeedNot)),
            ("It is not necessary to send originals.", Some(NeedNot)),
            ("There is no fee and you may enter.", Some(May)),
            ("你或可申請豁免。", Some(May)),
            ("申請人應於三十日內提出。", Some(Must)),
            ("得申請津貼者，須年滿六十歲。", Some(Must)),
            ("主管機關得要求補件。", Some(May)),
            ("不得出租。", Some(MustNot)),
            ("取得所得之許可，反應契約可能之應用。", None),
            ("原則上，申請人須住滿一年。", Some(InPrinciple)),
            ("无须申请。", Some(NeedNot)),
            ("所有權人視實際需要辦理。", None),
            ("申請人需要提交表格。", Some(Must)),
            ("You may not be eligible.", Some(May)),
            ("We find the care you need.", None),
            ("應得主管機關同意。", Some(Must)),
        ] {
            let found = force_of(text, Span::new(0, text.len())).map(|it| it.strength);
            assert_eq!(found, wanted, "{text}");
        }
        let bound = force_of("Income must not exceed 5.", Span::new(0, 25)).unwrap();
        assert!(bound.is_bound && bound.strength == Must);
    }

    #[test]
    fn footnote_signs_are_found() {
        check(
            Footnote,
            &[
                ("The grant is £80* a week.[1] See the list.", &["*", "[1]"]),
                ("Rent up to 50 m² is paid¹ and **bold** and *slanted* text", &["¹"]),
                (
                    "Income [see Note 2] counts; rent (note 3) does not (5).",
                    &["[see Note 2]", "(note 3)"],
                ),
                (
                    "津貼每月一千元（註1），附註2及（註）。註：請留意註冊註銷。",
                    &["註1", "註2", "註"],
                ),
            ],
        );
    }
}
