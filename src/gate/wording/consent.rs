//! A consent that the sentence asks for before it allows, left out by the quote: 經房東同意後，得轉租,
//! "With the landlord’s consent, tenants may sublet".
//!
//! Silent where any row quotes the consent.

use crate::gate::places::stand::Stand;
use crate::gate::sentences::coverage::Coverage;
use crate::gate::wording::around::trimmed;
use crate::model::claim::Force;
use crate::model::finding::{Code, Finding};
use crate::text::markers::marker::{MarkerKind, Strength, markers_of_sentence};
use crate::text::span::Span;

const LATIN: &[&str] = &["consent", "permission", "approval", "agreement", "authorisation"];

/// CONDITION_DROPPED, where what is quoted is allowed only with a consent that stands before it.
pub fn check_consent(stand: &Stand, covered: &Coverage) -> Option<Finding> {
    let text = stand.page.text();
    let opening = stand.quote_text().trim_start();
    if opening.starts_with('不') {
        return without_before(stand, covered);
    }
    let markers = markers_of_sentence(text, stand.span);
    let may = markers.iter().find(|it| it.kind == MarkerKind::Force(Strength::May));
    let opens = may.is_some_and(|it| it.span.start < stand.span.start + 12);
    if may.is_none() || matches!(stand.claim.force, Some(Force::MustNot)) {
        return None;
    }
    let before = consent_before(stand.before())
        .filter(|_| opens)
        .map(|at| Span::new(stand.context.start + at, stand.span.start));
    let passage = before.or_else(|| {
        let end = consent_behind(stand.after())?;
        Some(Span::new(stand.span.end, stand.span.end + end))
    })?;
    if covered.touches(passage) {
        return None;
    }
    let words = trimmed(stand.page.slice(passage));
    let detail = stand.page.pick(
        || format!("it is allowed only so, and no row carries it: {words}"),
        || format!("須先具備此條件，沒有資料列載明：{words}"),
    );
    let (code, evidence) = (Code::ConditionDropped, Some(words.to_owned()));
    Some(Finding { code, detail, place: Some(stand.span), evidence })
}

/// 「非因公務，」, 「未經許可，」 before 不得…: what is forbidden is forbidden only without that.
fn without_before(stand: &Stand, covered: &Coverage) -> Option<Finding> {
    let before = stand.before().trim_end();
    let clause = before.strip_suffix(['，', ','])?;
    let start = clause
        .rfind(['，', '。', '；', ',', ';', '\n'])
        .map_or(0, |at| at + clause[at..].chars().next().map_or(1, char::len_utf8));
    let own = clause[start..].trim_start();
    let is_without =
        ["非經", "非因", "非有", "未經", "未得", "非依"].iter().any(|it| own.starts_with(it))
            && !own.ends_with('者');
    let passage = Span::new(stand.context.start + clause.len() - own.len(), stand.span.start);
    if !is_without || covered.touches(passage) {
        return None;
    }
    let words = trimmed(stand.page.slice(passage));
    let detail = stand.page.pick(
        || format!("it is forbidden only so, and no row carries it: {words}"),
        || format!("只有此情形才禁止，沒有資料列載明：{words}"),
    );
    let (code, evidence) = (Code::ConditionDropped, Some(words.to_owned()));
    Some(Finding { code, detail, place: Some(stand.span), evidence })
}

/// How far the consent reaches that stands right behind the quote: "… with the consent of a parent".
fn consent_behind(after: &str) -> Option<usize> {
    let words = after.trim_start();
    let end = after.find(['.', ';', ',', '\n']).unwrap_or(after.len());
    let lower = after.get(..end)?.to_ascii_lowercase();
    let opens = words.starts_with("with ") || words.starts_with("only with ");
    let near = lower.split_whitespace().take(7).any(|it| LATIN.contains(&it));
    (opens && near).then_some(end)
}

/// Where the consent begins that the clause directly before the quote asks for.
fn consent_before(before: &str) -> Option<usize> {
    const HAN: &[&str] = &["同意", "核准", "許可", "核可", "審核通過", "審查通過", "批准"];
    let clause = before.trim_end().trim_end_matches(['，', ',']);
    if clause.len() == before.trim_end().len() {
        return None;
    }
    let start = clause
        .rfind(['，', '。', '；', ',', ';', '、', '\n'])
        .map_or(0, |at| at + clause[at..].chars().next().map_or(1, char::len_utf8));
    let own = &clause[start..];
    let bare = own.trim_end_matches(['後', '者']);
    if let Some(at) = own.find('經')
        && HAN.iter().any(|it| bare.ends_with(it))
        && !own[..at].ends_with(['未', '已', '曾', '非'])
    {
        return Some(start + at);
    }
    let lower = own.trim_start().to_ascii_lowercase();
    let opens = lower.starts_with("with the ") || lower.starts_with("with prior ");
    let is_consent =
        lower.split(|it: char| !it.is_ascii_alphabetic()).any(|it| LATIN.contains(&it));
    (opens && is_consent).then(|| start + own.len() - own.trim_start().len())
}
