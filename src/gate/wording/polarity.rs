//! Whether a row affirms what the page denies, or denies what it affirms: "may not own a second home"
//! stated as `is "own a second home"`, 不得轉讓 stated as `是 轉讓`.
//!
//! Asked of words and of yes and no; a limit is no denial. Where the page's sentence has more than one
//! reading, nothing is said.

use crate::gate::places::stand::Stand;
use crate::model::claim::{Claim, Force, Join, Op, Value};
use crate::model::finding::{Code, Finding};
use crate::text::markers::ban_reach::resumed_at;
use crate::text::markers::marker::{Marker, MarkerKind, Strength, markers_in, markers_of_sentence};
use crate::text::sentence::clauses_in;
use crate::text::span::Span;

/// True for a row that itself says what is kept out or forbidden.
pub fn says_no(claim: &Claim) -> bool {
    claim.op == Op::Ne
        || claim.join == Some(Join::None)
        || claim.force == Some(Force::MustNot)
        || claim.value == Value::Bool(false)
        || denies(&claim.field)
}

/// True for the name of a field that holds what is kept out, taken away or not asked for.
fn denies(field: &str) -> bool {
    const WORDS: &[&str] =
        &["no", "not", "non", "never", "without", "none", "ban", "bans", "banned", "bar", "barred"];
    const STEMS: &[&str] = &[
        "exclu", "except", "exempt", "penal", "prohibit", "disqual", "ineligib", "forbid",
        "restrict", "waive", "unavail", "lack", "refus", "reject", "denied", "denial", "cease",
        "stop", "terminat", "revok", "withdr", "suspen", "sanction",
    ];
    const HAN: &[&str] = &[
        "不", "未", "無", "非", "免", "禁", "除外", "例外", "排除", "停", "喪失", "罰", "駁", "撤",
        "廢", "限制", "終止",
    ];
    let low = field.to_ascii_lowercase();
    let mut words = low.split(|it: char| !it.is_ascii_alphanumeric());
    HAN.iter().any(|it| field.contains(it))
        || words.any(|it| WORDS.contains(&it) || STEMS.iter().any(|stem| it.starts_with(stem)))
}

/// True for the name of a field that holds what the page says, yes or no: a statement, a rule.
fn is_of_the_words(field: &str) -> bool {
    const WORDS: &[&str] = &[
        "statement",
        "rule",
        "line",
        "text",
        "quote",
        "quotation",
        "sentence",
        "passage",
        "clause",
        "condition",
        "requirement",
        "evidence",
        "note",
        "claim",
        "fact",
    ];
    const HAN: &[&str] = &["規定", "条文", "條文", "陳述", "敘述", "條件", "要件", "引文", "說明"];
    let low = field.to_ascii_lowercase();
    let last = low.rsplit(|it: char| !it.is_ascii_alphanumeric()).next().unwrap_or_default();
    WORDS.contains(&last.trim_end_matches('s')) || HAN.iter().any(|it| field.ends_with(it))
}

/// OPERATOR_CHANGED where the quote denies what the row affirms, NOT_STATED where the row denies what
/// the quote affirms.
pub fn check_polarity(stand: &Stand) -> Option<Finding> {
    let claim = stand.claim;
    if claim.op == Op::Ne && matches!(claim.value, Value::Text(_)) && !denies(&claim.field) {
        return affirmed_whole(stand);
    }
    if !matches!(claim.op, Op::Is | Op::Eq | Op::In) {
        return None;
    }
    match &claim.value {
        Value::Text(words) if !says_no(claim) => {
            denied_words(stand, words).or_else(|| shut_out(stand, words))
        }
        Value::Bool(true) if !says_no(claim) && !is_of_the_words(&claim.field) => {
            denied_whole(stand)
        }
        Value::Bool(false) if !denies(&claim.field) && claim.force != Some(Force::MustNot) => {
            claim.force.and_then(|_| affirmed_whole(stand))
        }
        _ => None,
    }
}

/// The quote says "not" directly before the words that are the value.
fn denied_words(stand: &Stand, words: &str) -> Option<Finding> {
    let text = stand.page.text();
    let quote = stand.quote_text();
    let at = quote.find(words.trim())?;
    let value = Span::new(stand.span.start + at, stand.span.start + at + words.trim().len());
    let begins_anew = words.split_whitespace().next().is_some_and(opens_a_part);
    if begins_anew || markers_in(text, value).iter().any(|it| is_denial(it.kind)) {
        return None;
    }
    let markers = markers_of_sentence(text, stand.context);
    // 得轉讓 cut from 不得轉讓, within the quote; 免附 of 得免附 says no by itself.
    let still_denies = |it: &Marker| {
        let rest = stand.page.slice(Span::new(value.start, it.span.end.max(value.start)));
        const WORDS: &[&str] =
            &["not", "never", "n't", "n’t", "without", "nor", "prohibit", "forbid", "exempt"];
        rest.contains(['不', '未', '無', '非', '免', '毋', '勿', '禁'])
            || WORDS.iter().any(|it| rest.to_lowercase().contains(it))
    };
    let is_cut_through = |it: &&Marker| {
        is_denial(it.kind)
            && !still_denies(it)
            && stand.span.contains(it.span)
            && it.span.start < value.start
            && value.start < it.span.end
    };
    if let Some(it) = markers.iter().find(is_cut_through) {
        return Some(denied(stand, it));
    }
    let marker = markers.into_iter().find(|it| {
        (is_denial(it.kind) || is_not_applied(stand.page.slice(it.span)))
            && stand.span.contains(it.span)
            && it.span.end <= value.start
            && it.reach.contains(Span::new(value.start, value.start))
            && !is_broken(stand.page.slice(Span::new(resumed(stand, it, value), value.start)))
    })?;
    (!asks_for(stand, &marker, value)).then(|| denied(stand, &marker))
}

/// 非領有證照者，不得擔任; "nobody without a licence may drive": what is denied to all who lack it is
/// asked for, and may be stated as such.
fn asks_for(stand: &Stand, lack: &Marker, value: Span) -> bool {
    let is_duty = matches!(stand.claim.force, None | Some(Force::Must));
    let lacks = {
        let word = stand.page.slice(lack.span).to_lowercase();
        word.starts_with(['非', '未', '不', '無']) || word == "without" || word.contains("not")
    };
    let text = stand.page.text();
    let bans = |it: &Marker| {
        it.kind == MarkerKind::Force(Strength::MustNot)
            && it.span != lack.span
            && stand.span.contains(it.span)
            && (value.end <= it.span.start || it.span.end <= lack.span.start)
    };
    let markers = markers_of_sentence(text, stand.context);
    let is_force = |it: &Marker| it.span == lack.span && matches!(it.kind, MarkerKind::Force(_));
    let is_whole = |ban: &Marker| {
        let end = lack.span.start.max(ban.span.start);
        !text.get(value.end..end).unwrap_or_default().contains([';', '；', '。'])
    };
    is_duty
        && lacks
        && !markers.iter().any(is_force)
        && markers.iter().any(|it| bans(it) && is_whole(it))
}

/// Where the part begins that the marker denies, of what stands before `value`: behind 因同一事故，, behind
/// ", without consent,"; right behind the marker elsewhere.
fn resumed(stand: &Stand, marker: &Marker, value: Span) -> usize {
    let end = stand.context.end.max(marker.span.end);
    let sentence = Span::new(marker.span.start, end);
    let bound = if value == stand.span { value.end } else { value.start };
    resumed_at(stand.page.text(), marker.span, sentence)
        .map(|it| it.start)
        .filter(|it| *it <= bound)
        .unwrap_or(marker.span.end)
}

/// 「學生均不得申請」 stated as 申請 is 學生, "Visitors may not apply" as `who_can_apply` is Visitors: the
/// field names what the value is kept from.
fn shut_out(stand: &Stand, words: &str) -> Option<Finding> {
    let text = stand.page.text();
    let quote = stand.quote_text();
    let words = words.trim();
    let at = quote.find(words)?;
    let end = stand.span.start + at + words.len();
    if denies(&stand.claim.subject) {
        return None;
    }
    let ban = MarkerKind::Force(Strength::MustNot);
    let marker = markers_of_sentence(text, stand.context)
        .into_iter()
        .find(|it| it.kind == ban && stand.span.contains(it.span) && end <= it.span.start)?;
    let between = stand.page.slice(Span::new(end, marker.span.start));
    let is_near = between.chars().count() <= 30 && !between.contains(['。', '；', ';', '\n', '.']);
    let denied = stand.page.slice(Span::new(marker.span.end, stand.span.end));
    let field = stand.claim.field.to_lowercase();
    let names_entry = ["eligib", "apply", "applicant", "entitle", "allowed", "permitted"]
        .iter()
        .any(|it| field.contains(it))
        || ["資格", "對象", "得申請", "可申請"].iter().any(|it| field.contains(it));
    let denied_verb: String = denied.chars().take_while(|it| it.is_alphanumeric()).collect();
    let names_verb = 2 <= field.chars().count() && denied_verb.starts_with(&field)
        || denied_verb.chars().take(2).count() == 2
            && !denied_verb.is_ascii()
            && field.contains(&denied_verb.chars().take(2).collect::<String>());
    let first = denied.split_whitespace().next().unwrap_or_default();
    let names_english = first.is_ascii()
        && 3 < first.len()
        && field
            .split(['_', ' '])
            .any(|it| it == first.trim_matches(|c: char| !c.is_alphanumeric()));
    (is_near && (names_entry || names_verb || names_english)).then(|| self::denied(stand, &marker))
}

/// "Does not apply", 不適用: an exception that denies what it names.
fn is_not_applied(word: &str) -> bool {
    let word = word.to_lowercase();
    word.ends_with("not apply")
        || word.ends_with("n't apply")
        || word.ends_with("n’t apply")
        || word.starts_with("不適用")
        || word.starts_with("不适用")
}

/// The one clause that is quoted says "not", and the row says yes.
fn denied_whole(stand: &Stand) -> Option<Finding> {
    let text = stand.page.text();
    let marker = markers_of_sentence(text, stand.context)
        .into_iter()
        .find(|it| is_denial(it.kind) && stand.span.contains(it.span))?;
    if names_denied(stand, &marker) {
        return Some(denied(stand, &marker));
    }
    let from = resumed(stand, &marker, stand.span);
    let verb = Span::new(from, stand.span.end.max(from));
    let is_plain = (clauses_in(text, stand.span).len() == 1 || marker.span.end < from)
        && marker.reach.end >= stand.span.end
        && !is_broken(&joined_by_or(stand.page.slice(verb)));
    is_plain.then(|| denied(stand, &marker))
}

/// The quote binds or allows without any word that denies, and the row says no or "is not".
fn affirmed_whole(stand: &Stand) -> Option<Finding> {
    let text = stand.page.text();
    let markers = markers_of_sentence(text, stand.context);
    let leads = stand.lead_ins();
    let turns = |it: &Marker| {
        is_denial(it.kind)
            || matches!(
                it.kind,
                MarkerKind::Exception | MarkerKind::Restriction | MarkerKind::Bound
            )
    };
    let is_turned = markers.iter().any(turns)
        || leads.iter().any(|it| markers_in(text, *it).iter().any(turns))
        || stand.is_in_table();
    let affirms = |it: &Marker| {
        matches!(it.kind, MarkerKind::Force(Strength::Must | Strength::May | Strength::Should))
            && stand.span.contains(it.span)
    };
    if is_turned || !markers.iter().any(affirms) {
        return None;
    }
    let detail = stand.page.pick(
        || "the quote has no word that denies, and the row denies it".to_owned(),
        || "引文沒有否定的字詞，資料列卻加以否定".to_owned(),
    );
    Some(Finding { code: Code::NotStated, detail, place: Some(stand.span), evidence: None })
}

fn denied(stand: &Stand, marker: &Marker) -> Finding {
    let word = stand.page.slice(marker.span);
    let detail = stand.page.pick(
        || format!("the page says “{word}” of this, the row states it; the operator is !="),
        || format!("頁面說「{word}」，資料列卻寫成肯定；運算子應為 !="),
    );
    let place = Some(marker.span);
    Finding { code: Code::OperatorChanged, detail, place, evidence: Some("!=".to_owned()) }
}

fn is_denial(kind: MarkerKind) -> bool {
    matches!(kind, MarkerKind::Negation | MarkerKind::Force(Strength::MustNot))
}

/// English words that begin another part of a sentence: what follows is not what is denied.
const OPENERS: &[&str] = &[
    "and", "or", "but", "until", "till", "unless", "except", "because", "if", "when", "while",
    "as", "before", "after", "since", "than", "that", "who", "whom", "whose", "which", "where",
    "whether", "so", "only", "just", "even",
];

/// The field is the very word that is denied: `refundable` of "is not refundable, whatever …".
fn names_denied(stand: &Stand, marker: &Marker) -> bool {
    let behind = stand.page.slice(Span::new(marker.span.end, stand.span.end.max(marker.span.end)));
    let first = behind.split_whitespace().next().unwrap_or_default();
    let word = first.trim_matches(|it: char| !it.is_alphanumeric()).to_lowercase();
    5 < word.len() && word.is_ascii() && stand.claim.field.to_lowercase() == word
}

/// "Cannot work or get", 不得轉讓或出租: a "not" denies both.
fn joined_by_or(words: &str) -> String {
    words.replace(" or ", " ").replace('或', "")
}

fn opens_a_part(word: &str) -> bool {
    OPENERS.contains(&word.to_ascii_lowercase().as_str())
}

/// True where another part of the sentence begins in these words.
fn is_broken(words: &str) -> bool {
    const MARKS: &[char] = &[',', ';', ':', '(', '—', '–', '，', '；', '：', '（', '。', '\n'];
    const HAN: &[&str] = &[
        "或", "及", "且", "而", "並", "但", "者", "時", "之", "的", "前", "後", "起", "由", "如",
        "若", "僅", "只",
    ];
    if words.contains(MARKS) {
        return true;
    }
    // 不得以…為由而…: one verb phrase, denied to its end.
    !words.starts_with(['以', '因', '藉'])
        && (HAN.iter().any(|it| words.contains(it))
            || words.split(|it: char| !it.is_alphanumeric()).any(opens_a_part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_field_may_deny() {
        for field in
            ["exclusion", "no_criminal_record", "not_payable", "penalty", "排除條件", "不得轉讓"]
        {
            assert!(denies(field), "{field}");
        }
        for field in
            ["bank_account", "husband", "urban_area", "nonce", "notice", "normal_rate", "住所"]
        {
            assert!(!denies(field), "{field}");
        }
    }
}
