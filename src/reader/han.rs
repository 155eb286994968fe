//! Reads the rules of Chinese sentences clause by clause.
//!
//! A quote begins where its rule begins (conditions and modal included) and runs through the
//! proviso 但… that belongs to it; it never begins behind a negation or ends before an exception.

use crate::model::claim::Force;
use crate::reader::clause::{closes, find_first, has_any, split_after, trim};
use crate::reader::concept::Act;
use crate::reader::draft::Draft;
use crate::reader::measure::{Measure, measures_in};
use crate::text::span::Span;

/// What is known of a sentence from outside.
#[derive(Clone, Copy, Debug)]
pub struct HanSeat {
    /// The sentence is (a part of) an item whose lead-in says that each item is a case.
    pub is_case: bool,
    /// What the lead-in says the items are.
    pub act: Act,
    /// How strong the lead-in is.
    pub force: Option<Force>,
}

/// Reads one sentence. `proviso` is the sentence 但… directly behind it.
pub fn read_han_sentence(
    text: &str,
    sentence: Span,
    proviso: Option<Span>,
    seat: HanSeat,
) -> Vec<Draft> {
    let mut drafts = Vec::new();
    let segments = split_after(text, sentence, &['；', ';']);
    let last = segments.len().saturating_sub(1);
    for (at, &segment) in segments.iter().enumerate() {
        let end = proviso.filter(|_| at == last).map(|it| it.end);
        Reader::new(text, segment, end, seat).read(&mut drafts);
    }
    if drafts.is_empty() && seat.is_case {
        let whole = trim(text, sentence, closes);
        if !whole.is_empty() {
            drafts.push(Draft::words(text, whole, whole, seat.act).with_force(seat.force));
        }
    }
    drafts
}

/// Reads a proviso 但… as the exception it is.
pub fn read_proviso(text: &str, proviso: Span) -> Vec<Draft> {
    let snippet = trim(text, proviso, closes);
    let Some(words) = snippet.slice(text) else { return Vec::new() };
    let act = if has_any(words, &["不得超過", "不得低於", "不得逾"]) {
        Act::Condition
    } else {
        Act::Exception
    };
    let force = own_force(words);
    let measures = measures_in(text, snippet);
    let value = Span::new((snippet.start + lead_len(words)).min(snippet.end), snippet.end);
    if measures.is_empty() {
        return vec![Draft::words(text, snippet, value, act).with_force(force)];
    }
    measures.iter().map(|it| Draft::measure(snippet, it.span, it, act).with_force(force)).collect()
}

/// True where a sentence is the proviso of the one before it.
pub fn is_proviso(sentence: &str) -> bool {
    sentence.starts_with('但') && !sentence.starts_with("但書")
}

fn lead_len(words: &str) -> usize {
    if words.starts_with('但') { '但'.len_utf8() } else { 0 }
}

struct Reader<'a> {
    text: &'a str,
    clauses: Vec<Span>,
    /// End of the quotes, where a proviso belongs to the segment.
    proviso_end: Option<usize>,
    seat: HanSeat,
}

/// A clause that becomes a row.
#[derive(Clone, Copy)]
struct Found {
    snippet: Span,
    clause: Span,
    force: Option<Force>,
}

/// What a clause is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Sets the scene: topic, subject, condition, adverb. Quoted with the rule it belongs to.
    Scene,
    /// Says what must, may or must not be.
    Rule,
    /// 除…外.
    Exempting,
    /// Ends in a colon: what follows is a list.
    LeadIn,
    /// Says where the rules come from or that somebody will make them.
    Formality,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, segment: Span, proviso_end: Option<usize>, seat: HanSeat) -> Self {
        let clauses = split_after(text, segment, &['，', ',', '：']);
        Self { text, clauses, proviso_end, seat }
    }

    fn read(&self, drafts: &mut Vec<Draft>) {
        let mut head = self.clauses.first().map_or(0, |it| it.start);
        let mut run = head;
        let mut force = None;
        for (at, &clause) in self.clauses.iter().enumerate() {
            let words = self.words(clause);
            let role = role_of(words, at + 1 == self.clauses.len());
            let own = own_force(words);
            if own.is_some() {
                force = own;
            }
            if own.is_some() && !starts_joined(words) {
                head = run;
            }
            let measures = measures_in(self.text, clause);
            let from = if own.is_some() || role == Role::Scene { run } else { head.min(run) };
            let found = Found { snippet: self.quote(from, clause), clause, force };
            match role {
                Role::Formality if measures.is_empty() => {}
                Role::Exempting => {
                    let quote = trim(self.text, clause, closes);
                    drafts.push(Draft::words(self.text, quote, quote, Act::Exception));
                }
                _ if !measures.is_empty() => {
                    for measure in &measures {
                        drafts.push(self.measured(found, measure, role));
                    }
                }
                Role::Rule => drafts.push(self.ruled(found)),
                _ => {}
            }
            if role != Role::Scene || !measures.is_empty() {
                run = clause.end;
            }
        }
    }

    fn measured(&self, found: Found, measure: &Measure, role: Role) -> Draft {
        let clause = found.clause;
        let words = self.words(clause);
        let act = match act_of(words) {
            Act::Step | Act::Document | Act::Grant => Act::Condition,
            act => act,
        };
        let act = if self.seat.act == Act::Condition { act } else { self.seat.act };
        let force = if role == Role::Scene { own_force(words) } else { found.force };
        let subject = Span::new(clause.start, measure.span.start.max(clause.start));
        Draft::measure(found.snippet, clause, measure, act)
            .with_force(force.or(self.seat.force))
            .with_subject(Some(trim(self.text, subject, closes)))
    }

    fn ruled(&self, found: Found) -> Draft {
        let clause = found.clause;
        let words = self.words(clause);
        let after = modal_end(words).unwrap_or(0);
        let value = trim(self.text, Span::new(clause.start + after, clause.end), closes);
        let value = if value.is_empty() { trim(self.text, clause, closes) } else { value };
        let mut draft = Draft::words(self.text, found.snippet, value, act_of(words));
        draft.clause = clause;
        draft.with_force(found.force.or(self.seat.force))
    }

    fn quote(&self, from: usize, clause: Span) -> Span {
        let end = self.proviso_end.unwrap_or(clause.end);
        trim(self.text, Span::new(from.min(clause.start), end), closes)
    }

    fn words(&self, span: Span) -> &'a str {
        span.slice(self.text).unwrap_or_default()
    }
}

/// Clauses that go on with the rule before them.
fn starts_joined(words: &str) -> bool {
    ["並", "且", "及", "或", "再", "惟"].iter().any(|it| words.starts_with(it))
}

fn role_of(words: &str, is_last: bool) -> Role {
    let body = words.trim_end_matches(closes);
    if words.ends_with('：') {
        return if body.chars().count() <= 14 { Role::Scene } else { Role::LeadIn };
    }
    if body.starts_with('除') && (body.ends_with('外') || body.ends_with("者外")) {
        return Role::Exempting;
    }
    if is_formality(body) {
        return Role::Formality;
    }
    let is_condition =
        ["者", "時", "後", "前", "之日", "如", "內"].iter().any(|it| body.ends_with(it))
            || ["如", "若", "倘"].iter().any(|it| body.starts_with(it));
    if is_condition && !is_last {
        return Role::Scene;
    }
    if modal_end(body).is_some() || has_any(body, RULE_WORDS) || body.starts_with('由') {
        Role::Rule
    } else {
        Role::Scene
    }
}

fn is_formality(body: &str) -> bool {
    ["訂定之", "定之", "另定之", "公告之", "自發布日施行", "以下簡稱本法）", "自公布日施行"]
        .iter()
        .any(|it| body.ends_with(it))
}

const RULE_WORDS: &[&str] = &[
    "不予",
    "免徵",
    "免納",
    "免繳",
    "免予",
    "免再",
    "免附",
    "免審查",
    "免除",
    "毋須",
    "無須",
    "不適用",
    "準用",
    "視為",
    "為限",
    "停止",
    "喪失",
    "終止",
    "追繳",
    "移送",
    "罰鍰",
    "加徵",
    "沒入",
    "負擔",
    "發給",
    "給與",
    "不在此限",
    "不受",
    "亦同",
    "不包括",
    "包括",
    "為準",
    "計算",
    "辦理",
    "施行",
    "起算",
    "擇一",
    "領取",
    "繳納",
    "課徵",
    "核定",
    "減免",
    "備查",
    "不發給",
    "不計",
    "適用",
];

/// What a clause does.
fn act_of(words: &str) -> Act {
    let is = |cues: &[&str]| has_any(words, cues);
    if is(&[
        "罰鍰",
        "滯納金",
        "追繳",
        "繳回",
        "繳還",
        "沒入",
        "撤銷",
        "廢止",
        "移送",
        "補稅",
        "處以",
        "拍賣",
        "保證金",
    ]) {
        Act::Penalty
    } else if is(&[
        "免徵",
        "免納",
        "免繳",
        "免予",
        "免再",
        "免附",
        "免審查",
        "不受",
        "不在此限",
        "不適用",
        "替代",
    ]) || words.starts_with('但')
    {
        Act::Exception
    } else if is(&["不得", "不予", "不發給", "不受理", "喪失", "駁回", "擇一", "不列入"])
    {
        Act::Exclusion
    } else if is(&["檢附", "檢具", "填具", "備具", "附具", "檢送", "申請書", "書面同意"])
    {
        Act::Document
    } else if is(&["施行", "生效", "起算", "停止", "終止", "起發給"]) {
        Act::Effect
    } else if is(&["計算", "換算", "準用", "為準", "減除", "合計", "計徵"]) {
        Act::Computation
    } else if is(&["發給", "給與", "負擔", "減免", "補助", "為限", "核發", "包括", "課徵"])
        && !is(&["應", "申請"])
    {
        Act::Grant
    } else if is(&["具備", "資格", "領有", "具有"]) {
        Act::Condition
    } else {
        Act::Step
    }
}

/// The force a clause states itself. 不得 is as strong as 應.
fn own_force(words: &str) -> Option<Force> {
    if words.contains("原則") {
        Some(Force::InPrinciple)
    } else if has_any(words, &["應", "須", "不得"])
        && !has_any(words, &["應納", "應計算人口", "無須", "毋須"])
    {
        Some(Force::Must)
    } else if may_at(words).is_some() {
        Some(Force::May)
    } else {
        None
    }
}

/// Where the words behind the modal begin.
fn modal_end(words: &str) -> Option<usize> {
    let must = find_first(words, &["應予", "應", "必須", "須"]).map(|(at, len)| at + len);
    if words.contains("不得") {
        return words.find("不得");
    }
    let may = may_at(words).map(|at| at + '得'.len_utf8());
    match (must, may) {
        (Some(must), Some(may)) => Some(must.min(may)),
        (must, may) => must.or(may),
    }
}

/// Place of a 得 that means "may".
fn may_at(words: &str) -> Option<usize> {
    words.match_indices('得').map(|(at, _)| at).find(|&at| {
        let before = words[..at].chars().next_back().unwrap_or(' ');
        let after = words[at + '得'.len_utf8()..].chars().next().unwrap_or(' ');
        !matches!(
            before,
            '所' | '取' | '獲' | '不' | '難' | '懂' | '值' | '購' | '求' | '標' | '已'
        ) && !matches!(after, '標' | '獎' | '失' | '分' | '出')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: HanSeat = HanSeat { is_case: false, act: Act::Condition, force: None };

    fn read(text: &str) -> Vec<(String, Act, Option<Force>)> {
        read_han_sentence(text, Span::new(0, text.len()), None, PLAIN)
            .into_iter()
            .map(|it| (it.snippet.slice(text).unwrap().to_owned(), it.act, it.force))
            .collect()
    }

    #[test]
    fn each_rule_clause_is_a_row_and_keeps_its_scene() {
        let rows = read("資料未備齊者，本局應通知限期補正；屆期未補正者，不予受理。");
        assert_eq!(rows.len(), 2);
        assert_eq!(
            rows[0],
            ("資料未備齊者，本局應通知限期補正".into(), Act::Step, Some(Force::Must))
        );
        assert_eq!(rows[1].0, "屆期未補正者，不予受理");
        assert_eq!(rows[1].1, Act::Exclusion);
    }

    #[test]
    fn where_the_rules_come_from_is_no_rule() {
        assert!(read("本辦法依住宅補貼法第三條規定訂定之。").is_empty());
    }

    #[test]
    fn a_gain_is_no_permission() {
        assert_eq!(may_at("其所得及取得之財產"), None);
        assert!(may_at("申請人得委託他人").is_some());
    }
}
