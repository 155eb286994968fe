//! One of several that the page names together, stated as if it were alone: "widows, orphans and
//! carers pay nothing" with the value "widows".
//!
//! Asked only where no other row says anything of the sentence; an example among others is no loss.

use crate::gate::places::stand::Stand;
use crate::gate::sentences::coverage::{Coverage, value_of};
use crate::model::claim::{Op, Value};
use crate::model::finding::{Code, Finding};
use crate::text::joins::connective::enumerations_in;
use crate::text::span::Span;

/// Fewer named together than this may be one thing in two words.
const LEAST: usize = 3;
/// A longer member is a clause, not a name.
const LONGEST: usize = 40;

/// CONDITION_DROPPED, where the value is one member of an enumeration that the quote holds.
pub fn check_member(stand: &Stand, covered: &Coverage) -> Option<Finding> {
    let claim = stand.claim;
    let Value::Text(value) = &claim.value else { return None };
    let value = value.trim();
    let is_alone = claim.join.is_none() && claim.group.is_none();
    if !is_alone || !matches!(claim.op, Op::Is | Op::Eq) || value.is_empty() {
        return None;
    }
    let sentence = stand.page.sentences_of(stand.span).start;
    if covered.says_more(sentence, value_of(claim)) || is_example(stand.quote_text()) {
        return None;
    }
    let text = stand.page.text();
    let slice = |it: &Span| it.slice(text).unwrap_or_default();
    let all = enumerations_in(text, stand.context);
    let members = all.iter().map(|it| behind_commas(text, &it.members)).find(|members| {
        let last = members.len().saturating_sub(1);
        let is_it = |(at, it): (usize, &Span)| {
            let word = slice(it);
            word == value
                || at == 0 && is_end_of(word, value)
                || at == last && is_cut_last(word, value)
        };
        LEAST <= members.len()
            && members.iter().enumerate().any(is_it)
            && members.iter().enumerate().all(|(at, it)| {
                at == last || at == 0 && is_end_of(slice(it), value) || is_name(slice(it))
            })
            && !is_clause(slice(&members[last]))
            && members.iter().all(|it| stand.span.overlaps(*it))
    })?;
    let others: Vec<&str> = members.iter().map(slice).filter(|it| !it.contains(value)).collect();
    let list = others.first().copied()?;
    let detail = stand.page.pick(
        || format!("the page names several together and the row one of them; no row has: {list}"),
        || format!("頁面並列數者，資料列只寫其一；沒有資料列載明：{list}"),
    );
    let (code, evidence) = (Code::ConditionDropped, Some(list.to_owned()));
    Some(Finding { code, detail, place: Some(stand.span), evidence })
}

/// In Chinese 、 parts what is named together and ， the clauses before it.
fn behind_commas<'m>(text: &str, members: &'m [Span]) -> &'m [Span] {
    let is_comma = |pair: &[Span]| {
        let between = text.get(pair[0].end..pair[1].start).unwrap_or_default();
        between.contains('，')
    };
    let from = members.windows(2).rposition(is_comma).map_or(0, |at| at + 1);
    &members[from..]
}

/// The first member may stand at the end of a longer beginning: "you can park in zones A".
fn is_end_of(words: &str, value: &str) -> bool {
    words.strip_suffix(value).is_some_and(|it| it.ends_with(' '))
}

/// A few words that name somebody or something, no clause.
fn is_name(words: &str) -> bool {
    const MOST: usize = 5;
    words.chars().count() <= LONGEST
        && words.split_whitespace().count() <= MOST
        && !is_clause(words)
        && !words.contains(['（', '(', '：', ':'])
        && (words.is_ascii() || words.chars().count() <= 14)
}

/// True where the words begin as a clause or a circumstance does: "you can …", "if …", "with …".
fn is_clause(words: &str) -> bool {
    const OPENERS: &[&str] = &[
        "you", "we", "it", "they", "he", "she", "this", "that", "these", "those", "there", "if",
        "when", "as", "in", "on", "at", "by", "for", "with", "to", "from", "your", "our", "who",
        "which", "where", "after", "before", "must", "may", "can", "will", "have", "has", "be",
        "is", "are", "do", "not", "get", "call", "send", "bring", "please", "then", "so", "also",
    ];
    let first = words.split_whitespace().next().unwrap_or_default().to_lowercase();
    let first = first.split(['’', '\'']).next().unwrap_or_default();
    OPENERS.contains(&first)
        || words.starts_with(['應', '須', '得', '不', '依', '於', '經', '由', '在'])
}

/// The last member runs on into its verb: "carers pay nothing", 特殊境遇家庭免繳報名費.
fn is_cut_last(word: &str, value: &str) -> bool {
    word.strip_prefix(value).is_some_and(|it| {
        it.starts_with(' ')
            || it.starts_with(['免', '得', '應', '須', '不', '均', '可', '者', '之', '為'])
    })
}

/// "Such as", 例如, 等: the page names some of more.
fn is_example(quote: &str) -> bool {
    let lower = quote.to_lowercase();
    ["such as", "for example", "for instance", "including", "includes", "e.g.", "like "]
        .iter()
        .any(|it| lower.contains(it))
        || ["例如", "諸如", "譬如", "包括", "包含", "等"].iter().any(|it| quote.contains(it))
}
