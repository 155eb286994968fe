//! A case that the sentence opens with or ends in, left out by the quote: "If you live with family, you must …",
//! 申請人如與家人同住，須….
//!
//! Silent where any row quotes the case, and where the row's own words name it.

use crate::gate::places::stand::Stand;
use crate::gate::places::words::stems_of;
use crate::gate::sentences::coverage::Coverage;
use crate::gate::wording::around::trimmed;
use crate::model::finding::{Code, Finding};
use crate::text::span::Span;

/// CONDITION_DROPPED, where the clause right before the quote, or behind it, says in which case the rule
/// holds.
pub fn check_leading(stand: &Stand, covered: &Coverage) -> Option<Finding> {
    let lead = stand.before().trim_end();
    let before = case_before(lead, stand.quote_text()).map(|at| {
        let case = lead[at..].trim_end_matches(['，', ',']);
        Span::new(at, at + case.len()).shifted(stand.context.start)
    });
    let behind = || case_behind(stand.after()).map(|it| it.shifted(stand.span.end));
    let passage = before.or_else(behind)?;
    let case = stand.page.slice(passage);
    if covered.touches(passage) || is_named(stand, case) {
        return None;
    }
    let words = trimmed(case);
    let detail = stand.page.pick(
        || format!("it holds in this case alone, and no row carries it: {words}"),
        || format!("只有此情形才適用，沒有資料列載明：{words}"),
    );
    let (code, evidence) = (Code::ConditionDropped, Some(words.to_owned()));
    Some(Finding { code, detail, place: Some(stand.span), evidence })
}

/// Where the case begins that stands right before the quote.
fn case_before(lead: &str, quote: &str) -> Option<usize> {
    let bare = lead.trim_end_matches(['，', ',']);
    let from = bare
        .rfind(['，', '。', '；', '：', ';', ':', '\n'])
        .map_or(0, |at| at + bare[at..].chars().next().map_or(1, char::len_utf8));
    let own = bare[from..].trim_start();
    let start = bare.len() - own.len();
    let is_apart = bare.len() < lead.len();
    let opened = if is_apart { case_in(own) } else { None };
    opened.or_else(|| described(own, quote)).map(|it| start + it)
}

/// The case that follows right behind the quote: "…, as long as it is the nearest school", "… once the
/// college has confirmed it", "… if you show your letter".
fn case_behind(after: &str) -> Option<Span> {
    const LATIN: &[&str] =
        &["if ", "as long as ", "so long as ", "once ", "on condition that ", "subject to "];
    let rest = after.trim_start_matches([',', ' ', '\n']);
    let start = after.len() - rest.len();
    let lower = rest.to_ascii_lowercase();
    let end = rest.find(['.', ';', '\n', '。', '；']).unwrap_or(rest.len());
    let opens = LATIN.iter().any(|it| lower.starts_with(it)) && !is_no_case(&lower);
    (opens && !after[..start].contains('\n')).then_some(Span::new(start, start + end))
}

/// Whom the quoted predicate holds for, where more than a name says so: "An employee who has completed a
/// year" before "is entitled to …", 單親且育有未滿二歲子女者 before 每月加發….
fn described(own: &str, quote: &str) -> Option<usize> {
    const VERBS: [&str; 20] = [
        "is ",
        "are ",
        "may ",
        "must ",
        "can ",
        "will ",
        "shall ",
        "gets ",
        "get ",
        "receives ",
        "receive ",
        "has to ",
        "have to ",
        "needs ",
        "need ",
        "should ",
        "qualifies ",
        "qualify ",
        "pays ",
        "pay ",
    ];
    const RELATIVES: [&str; 3] = [" who ", " whose ", " that "];
    const HAN: [char; 16] = [
        '且', '或', '未', '曾', '經', '领', '領', '具', '符', '育', '設', '滿', '满', '無', '已',
        '於',
    ];
    const LEAST: usize = 6;
    if let Some(people) = own.strip_suffix('者') {
        let says = people.chars().filter(|it| HAN.contains(it)).count();
        return (LEAST <= people.chars().count() && 0 < says).then_some(0);
    }
    let lower = own.to_ascii_lowercase();
    let opens = quote.trim_start().to_ascii_lowercase();
    if !VERBS.iter().any(|it| opens.starts_with(it)) {
        return None;
    }
    let at = RELATIVES.iter().filter_map(|it| lower.find(it)).min()?;
    (4 <= own[at..].split_whitespace().count()).then_some(at + 1)
}

/// Where the case begins in a clause, if it states one.
fn case_in(clause: &str) -> Option<usize> {
    const LATIN: &[&str] = &["if ", "where ", "in case ", "in the case of "];
    /// How far 如 and 若 may stand behind the actor: 申請人如….
    const ACTOR: usize = 8;
    let lower = clause.to_ascii_lowercase();
    if is_no_case(&lower) {
        return None;
    }
    // "For the 2026 income year only, …".
    let is_narrow = lower.ends_with(" only")
        && ["for ", "in ", "during "].iter().any(|it| lower.starts_with(it))
        || ["僅限", "仅限", "限於", "限于"].iter().any(|it| clause.starts_with(it));
    // "For boats longer than 7 metres, …": a measure that only some reach.
    let is_measured = lower.starts_with("for ")
        && clause.chars().any(char::is_numeric)
        && [" than ", " over ", " under ", " above ", " below ", " more", " less", " up to "]
            .iter()
            .any(|it| lower.contains(it));
    if is_narrow || is_measured || LATIN.iter().any(|it| lower.starts_with(it)) {
        return Some(0);
    }
    let near = clause.char_indices().nth(ACTOR).map_or(clause.len(), |it| it.0);
    let head = &clause[..near];
    ["如", "若", "倘", "遇有"].iter().find_map(|word| {
        let at = head.find(word)?;
        let rest = &clause[at + word.len()..];
        const COMPOUNDS: &[&str] =
            &["何", "期", "下", "上", "同", "實", "干", "附", "左", "右", "前", "此"];
        let is_word = !COMPOUNDS.iter().any(|it| rest.starts_with(it))
            && !clause[..at].ends_with(['例', '假', '猶', '譬', '比', '諸', '不', '有', '自'])
            && 2 <= rest.chars().count();
        is_word.then_some(at)
    })
}

/// "If you want to apply", "where possible", 如欲申請: whoever reads on is in that case, or it is a hedge.
fn is_no_case(lower: &str) -> bool {
    const LATIN: &[&str] = &[
        "want",
        "wish",
        "like",
        "possible",
        "necessary",
        "appropriate",
        "applicable",
        "practicable",
        "apply",
        "applying",
        "unsure",
        "sure",
        "need",
        "decide",
    ];
    const HAN: &[&str] =
        &["如欲", "如需", "如要", "如擬", "若欲", "若要", "若擬", "若需", "如有需要", "如有必要"];
    let mut words = lower.split(|it: char| !it.is_ascii_alphabetic()).filter(|it| !it.is_empty());
    words.by_ref().next();
    words.take(4).any(|it| LATIN.contains(&it)) || HAN.iter().any(|it| lower.contains(it))
}

/// True where the row's own words say something of the case.
fn is_named(stand: &Stand, case: &str) -> bool {
    let claim = stand.claim;
    let said = format!("{} {} {}", claim.subject, claim.field.replace('_', " "), claim.value);
    let named = stems_of(&said);
    let words = stems_of(case);
    let n_named = words.iter().filter(|it| named.contains(*it)).count();
    // One pair of ideographs in common says more than one word.
    if case.is_ascii() { words.len() <= 3 * n_named } else { 0 < n_named }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_a_name_is_a_case() {
        for (lead, quote, case) in [
            (
                "An employee who has completed a year",
                "is entitled to leave",
                "who has completed a year",
            ),
            (
                "Keepers whose boat was built before 1990",
                "must pay",
                "whose boat was built before 1990",
            ),
            ("單親且育有未滿二歲子女者，", "每月加發二千元", "單親且育有未滿二歲子女者"),
            ("凡設籍本市滿一年者，", "得申請", "凡設籍本市滿一年者"),
            ("船東已自行拆除甲板者，", "發給補償費", "船東已自行拆除甲板者"),
        ] {
            let at = case_before(lead, quote).unwrap_or_else(|| panic!("{lead}"));
            assert_eq!(lead[at..].trim_end_matches('，'), case);
        }
        for (lead, quote) in [
            ("The employee", "is entitled to leave"),
            ("身心障礙者，", "每月加發二千元"),
            ("The officer who signs", "the form"),
        ] {
            assert_eq!(case_before(lead, quote), None, "{lead}");
        }
    }

    #[test]
    fn a_case_may_stand_behind_the_rule() {
        for (after, case) in [
            (" if you show your letter at the desk.", Some("if you show your letter at the desk")),
            (", as long as it is the nearest.", Some("as long as it is the nearest")),
            (
                " once the office has confirmed it; later ones pay.",
                Some("once the office has confirmed it"),
            ),
            (" if possible.", None),
            (" if you want to.", None),
            (" each month.", None),
            ("。如有疑問", None),
        ] {
            assert_eq!(case_behind(after).and_then(|it| it.slice(after)), case, "{after}");
        }
    }

    #[test]
    fn cases_are_told_from_other_openings_in_both_languages() {
        for (clause, case) in [
            ("If you live with family", "If you live with family"),
            ("Where the boat is let", "Where the boat is let"),
            ("申請人如與家人同住", "如與家人同住"),
            ("若船隻出租", "若船隻出租"),
            ("For this season only", "For this season only"),
            ("僅限本季", "僅限本季"),
            ("倘逾期未領", "倘逾期未領"),
        ] {
            let at = case_in(clause).unwrap_or_else(|| panic!("{clause}"));
            assert_eq!(&clause[at..], case);
        }
        for clause in [
            "Every year",
            "例如身分證",
            "如下表",
            "如期完工者",
            "申請人應備妥文件如附件",
            "Iffley residents",
        ] {
            assert_eq!(case_in(clause), None, "{clause}");
        }
    }
}
