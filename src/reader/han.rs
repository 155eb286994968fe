//! Reads the rules of Chinese sentences clause by clause.
//!
//! A quote begins where its rule begins (conditions and modal included) and runs through the
//! proviso 但… that belongs to it; it never begins behind a negation or ends before an exception.

use crate::model::claim::{Force, Join, Value};
use crate::reader::clause::{closes, has_any, split_after, trim};
use crate::reader::concept::Act;
use crate::reader::draft::Draft;
use crate::reader::han_act::{act_of, is_deed};
use crate::reader::han_clause::{
    Role, compared_words, exempted_at, is_entitlement, is_purpose, modal_end, names_a_law,
    names_a_thing, own_force, starts_joined, states,
};
use crate::reader::han_part::{
    Part, adds_to, counts_papers, is_deed_alone, parts_of, sets_a_limit,
};
use crate::reader::measure::measures_in;
use crate::reader::stated::Measure;
use crate::reader::subject::tidy;
use crate::text::span::Span;

/// What is known of a sentence from outside.
#[derive(Clone, Copy, Debug)]
pub struct HanSeat {
    /// The sentence opens an item whose lead-in says that each item is a case.
    pub is_case: bool,
    /// The sentence opens a list item.
    pub is_item: bool,
    /// The item leads a list of its own in.
    pub is_lead: bool,
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
    if seat.act == Act::Definition && seat.is_item {
        return read_definition(text, sentence, proviso).into_iter().collect();
    }
    let mut drafts = Vec::new();
    let segments = split_after(text, sentence, &['；', ';']);
    let last = segments.len().saturating_sub(1);
    for (at, &segment) in segments.iter().enumerate() {
        let proviso_end = proviso.filter(|_| at == last).map(|it| it.end);
        let reader = Reader { text, parts: parts_of(text, segment), proviso_end, seat };
        if seat.is_case {
            reader.read_case(&mut drafts);
        } else {
            reader.read_rules(&mut drafts);
        }
    }
    let whole = trim(text, sentence, closes);
    if whole.slice(text).is_some_and(|it| !seat.is_case && names_a_law(it)) {
        return Vec::new();
    }
    if drafts.is_empty() && seat.is_item && !seat.is_lead && !whole.is_empty() {
        let end = proviso.map_or(whole.end, |it| trim(text, it, closes).end);
        let quote = Span::new(whole.start, end);
        drafts.push(Draft::words(text, quote, whole, seat.act).with_force(seat.force));
    }
    drafts
}

/// A term of a list of definitions: one row, whatever else its words would say elsewhere.
fn read_definition(text: &str, sentence: Span, proviso: Option<Span>) -> Option<Draft> {
    let whole = trim(text, sentence, closes);
    let end = proviso.map_or(whole.end, |it| trim(text, it, closes).end);
    let words = whole.slice(text).filter(|it| !it.is_empty())?;
    let label = words.find('：').map_or(0, |at| at + '：'.len_utf8());
    let value = Span::new(whole.start + label, whole.end);
    let subject = Span::new(whole.start, whole.start + label);
    // "…，以事務所所在地為準" under 所稱: how it is found, not what is meant.
    let act = match act_of(words) {
        Act::Computation => Act::Computation,
        _ => Act::Definition,
    };
    let draft = Draft::words(text, Span::new(whole.start, end), value, act);
    Some(draft.with_subject(Some(trim(text, subject, closes))))
}

/// Reads a proviso 但… as the exception it is: one row, or one for each quantity it turns on.
pub fn read_proviso(text: &str, proviso: Span) -> Vec<Draft> {
    let snippet = trim(text, proviso, closes);
    let Some(words) = snippet.slice(text) else { return Vec::new() };
    let caps = sets_a_limit(words) || words.contains("以不超過");
    let bans =
        !caps && has_any(words, &["不予", "不得", "不發給"]) && !has_any(words, &["不予追繳"]);
    let act = match (caps, bans) {
        (true, _) => Act::Condition,
        (_, true) => Act::Exclusion,
        _ => Act::Exception,
    };
    let value = Span::new((snippet.start + but_len(words)).min(snippet.end), snippet.end);
    let lifts = has_any(words, &["不受", "不適用", "不在此限", "不計入", "不列入", "不包括"]);
    let measures = measures_in(text, snippet);
    if measures.is_empty() || (lifts && !caps) {
        return vec![Draft::words(text, snippet, value, act).with_force(own_force(words))];
    }
    let clauses = split_after(text, snippet, &['，', ',']);
    let clause_of = |measure: &Measure| {
        clauses.iter().copied().find(|it| it.contains(measure.number)).unwrap_or(snippet)
    };
    measures
        .iter()
        .map(|it| {
            let clause = clause_of(it);
            let force = own_force(clause.slice(text).unwrap_or_default());
            Draft::measure(snippet, clause, it, act).with_force(force)
        })
        .collect()
}

fn but_len(words: &str) -> usize {
    if words.starts_with('但') { '但'.len_utf8() } else { 0 }
}

struct Reader<'a> {
    text: &'a str,
    parts: Vec<Part>,
    /// End of the quotes, where a proviso belongs to the segment.
    proviso_end: Option<usize>,
    seat: HanSeat,
}

impl<'a> Reader<'a> {
    /// Rules of running text.
    fn read_rules(&self, drafts: &mut Vec<Draft>) {
        let own_rows = self.conditions_are_rows();
        let mut head = self.start_of(0);
        let mut run = head;
        let mut force = None;
        let mut has_rule = false;
        for (at, part) in self.parts.iter().enumerate() {
            let words = self.words(part.span);
            // The 須 of 因傷病須立即治療 says how the case is, not how strong the rule is.
            let own = own_force(words).filter(|_| part.role != Role::Condition);
            if own.is_some() {
                force = own;
                if !starts_joined(words) {
                    head = run;
                }
            }
            // Another condition or another actor begins another rule.
            let begins_anew = part.role == Role::Condition
                || ["由", "其", "自"].iter().any(|it| words.starts_with(it));
            if has_rule && own.is_none() && begins_anew && !starts_joined(words) {
                force = None;
            }
            let role = if has_rule && self.goes_on(part) { Role::Rule } else { part.role };
            let from = if own.is_some() { run } else { head.min(run) };
            match role {
                Role::Exempting => self.exempt(part, drafts),
                _ if !part.measures.is_empty() => {
                    let force = if part.role == Role::Condition { own } else { force };
                    self.measure(from, part, force, drafts);
                }
                Role::Rule if is_entitlement(words) && own_rows => {}
                Role::Rule | Role::Adverb if self.is_rule(role, at) => {
                    drafts.push(self.rule(from, part, force));
                }
                Role::Condition if own_rows && self.is_own_condition(at) => {
                    drafts.push(self.condition(at));
                }
                _ => {}
            }
            match role {
                Role::Rule => {
                    has_rule = true;
                    run = part.span.end;
                }
                Role::Topic | Role::Label | Role::Formality if !has_rule => run = part.span.end,
                _ if !part.measures.is_empty() && role != Role::Condition => run = part.span.end,
                _ => {}
            }
        }
    }

    fn is_rule(&self, role: Role, _at: usize) -> bool {
        role == Role::Rule
    }

    /// Several conditions before one outcome are rows of their own, and so is a single one before a
    /// right; a single condition before a duty is a part of the duty.
    fn conditions_are_rows(&self) -> bool {
        let count = (0..self.parts.len()).filter(|&at| self.is_own_condition(at)).count();
        let opens = self.parts.iter().any(|it| is_entitlement(self.words(it.span)));
        count >= 2 || (opens && count >= 1)
    }

    fn is_own_condition(&self, at: usize) -> bool {
        let part = &self.parts[at];
        let body = self.words(part.span).trim_end_matches(closes);
        part.role == Role::Condition && body.chars().count() >= 4 && states(body)
    }

    /// A clause without a rule word of its own that goes on with the rule before it.
    fn goes_on(&self, part: &Part) -> bool {
        let words = self.words(part.span);
        let body = words.trim_end_matches(closes);
        part.role == Role::Topic
            && (!names_a_thing(body) || self.is_last(part))
            && !words.ends_with(['：', ':'])
            && body.chars().count() >= 4
            && !is_purpose(body)
            && !(["在", "於"].iter().any(|it| body.starts_with(it)) && body.chars().count() <= 8)
    }

    fn is_last(&self, part: &Part) -> bool {
        self.parts.last().is_some_and(|it| it.span == part.span)
    }

    /// One item of a list of cases: its and-ed parts.
    fn read_case(&self, drafts: &mut Vec<Draft>) {
        let mut start = self.start_of(0);
        for (at, part) in self.parts.iter().enumerate() {
            let next = self.parts.get(at + 1);
            if part.role == Role::Label {
                continue;
            }
            if part.role == Role::Exempting {
                self.exempt(part, drafts);
                continue;
            }
            if !part.measures.is_empty() {
                let own = own_force(self.words(part.span));
                self.measure(start, part, own, drafts);
                start = part.span.end;
                continue;
            }
            let is_end = next.is_none_or(|it| {
                starts_joined(self.words(it.span))
                    || !it.measures.is_empty()
                    || own_force(self.words(it.span)).is_some()
            });
            if is_end && (next.is_none() || self.says_something(start, part)) {
                drafts.push(self.case(start, part));
                start = part.span.end;
            }
        }
    }

    fn says_something(&self, start: usize, part: &Part) -> bool {
        let words = self.words(Span::new(start, part.span.end));
        states(words) || own_force(words).is_some() || part.role == Role::Rule
    }

    fn case(&self, from: usize, part: &Part) -> Draft {
        let quote = self.quote(from, part.span);
        let own = trim(self.text, Span::new(from, part.span.end), closes);
        let words = self.words(own);
        let act = match (self.seat.act, act_of(words)) {
            (Act::Condition, act @ (Act::Exclusion | Act::Penalty))
                if modal_end(words).is_some() =>
            {
                act
            }
            (Act::Condition, act) if own_force(words).is_some() => act,
            // An item of what somebody must do, in a list of duties.
            (Act::Condition, act @ (Act::Step | Act::Document))
                if self.seat.force == Some(Force::Must) && is_deed(words) =>
            {
                act
            }
            (act, _) => act,
        };
        let start = modal_end(words).unwrap_or(0);
        let value = Span::new(own.start + start, own.end);
        let mut draft = self.compared(Draft::words(self.text, quote, value, act), own);
        draft.clause = own;
        draft.with_force(own_force(words).or(self.seat.force))
    }

    /// A condition as a row of its own. One that goes on with the clause before it is quoted with
    /// that clause.
    fn condition(&self, at: usize) -> Draft {
        let own = trim(self.text, self.parts[at].span, closes);
        let joined = (0..=at).rev().find(|&it| !starts_joined(self.words(self.parts[it].span)));
        let quote = Span::new(self.start_of(joined.unwrap_or(at)).min(own.start), own.end);
        let mut draft = self.compared(Draft::words(self.text, quote, own, Act::Condition), own);
        draft.clause = own;
        let draft = draft.with_force(self.seat.force);
        let first = self.parts.iter().position(|it| it.role == Role::Condition).unwrap_or(at);
        let last = self.parts.iter().rposition(|it| it.role == Role::Condition).unwrap_or(at);
        if first == last {
            return draft;
        }
        draft.bound(Join::All, Span::new(self.start_of(first), self.parts[last].span.end))
    }

    /// States the comparison where the clause compares with something that is no number.
    fn compared(&self, mut draft: Draft, clause: Span) -> Draft {
        let body = self.words(clause).trim_end_matches(closes);
        if let Some((op, end)) = compared_words(body) {
            let value = Span::new(clause.start + end, clause.start + body.len());
            let words = self.words(value).trim_end_matches('者');
            if !words.is_empty() {
                draft.op = op;
                draft.value = Value::Text(words.to_owned());
                draft = draft.with_subject(Some(Span::new(clause.start, clause.start + end)));
            }
        }
        draft
    }

    /// 除…外: an exception, or where it takes nobody and nothing out, one more thing that is done: 除責令
    /// 補繳外，並處罰鍰.
    fn exempt(&self, part: &Part, drafts: &mut Vec<Draft>) {
        let quote = trim(self.text, part.span, closes);
        let words = self.words(quote);
        let from = exempted_at(words).unwrap_or(0);
        let value = Span::new(quote.start + from, quote.end);
        let inner = words[from..].trim_start_matches('除').trim_end_matches('外');
        let next = self.parts.iter().find(|it| it.span.start >= part.span.end);
        let adds = is_deed_alone(inner)
            && (inner.starts_with('應') || next.is_some_and(|it| adds_to(self.words(it.span))));
        let act = if adds { act_of(inner) } else { Act::Exception };
        let mut draft = Draft::words(self.text, quote, value, act);
        draft.clause = value;
        drafts.push(draft);
    }

    fn measure(&self, from: usize, part: &Part, force: Option<Force>, drafts: &mut Vec<Draft>) {
        let words = self.words(part.span);
        let act = match act_of(words) {
            Act::Step | Act::Document | Act::Grant => Act::Condition,
            // 收入不得超過二萬元 is what has to be met; it shuts nobody out by itself.
            Act::Exclusion if sets_a_limit(words) => Act::Condition,
            act => act,
        };
        let act = match self.seat.act {
            // 下列車輛免徵: an item's numbers say which they are, each of its kind.
            Act::Condition | Act::Exception => act,
            act => act,
        };
        for measure in &part.measures {
            let act = if counts_papers(measure) { Act::Document } else { act };
            let subject = Span::new(part.span.start, measure.span.start.max(part.span.start));
            let mut draft = Draft::measure(self.quote(from, part.span), part.span, measure, act)
                .with_force(force.or(self.seat.force))
                .with_subject(tidy(self.text, subject));
            draft.topic = self.topic_before(part.span.start);
            drafts.push(draft);
        }
    }

    fn rule(&self, from: usize, part: &Part, force: Option<Force>) -> Draft {
        let words = self.words(part.span);
        let act = act_of(words);
        let quote = self.quote(from, part.span);
        let after = part.span.start + modal_end(words).unwrap_or(0);
        let own = trim(self.text, Span::new(after, part.span.end), closes);
        let whole = trim(self.text, Span::new(quote.start, part.span.end), closes);
        let value = if own.is_empty() || act == Act::Exclusion { whole } else { own };
        let mut draft = Draft::words(self.text, quote, value, act);
        if words.trim_end_matches(closes).ends_with("為止") {
            draft = self.compared(draft, part.span);
        }
        draft.clause = part.span;
        if act == Act::Computation {
            // What is computed stands before: 其減免額度，依…計算.
            draft.clause = Span::new(self.start_of(0).min(part.span.start), part.span.end);
        }
        draft.with_force(force.or(self.seat.force))
    }

    /// The first clause of the segment, where it only names somebody or a case and stands before
    /// `at`.
    fn topic_before(&self, at: usize) -> Option<Span> {
        let first = self.parts.first()?;
        let names = matches!(first.role, Role::Topic | Role::Label | Role::Condition);
        let topic = trim(self.text, first.span, closes);
        let is_short = self.words(topic).chars().count() <= 24;
        (names && is_short && first.measures.is_empty() && first.span.end <= at).then_some(topic)
    }

    fn start_of(&self, at: usize) -> usize {
        self.parts.get(at).map_or(0, |it| it.span.start)
    }

    fn quote(&self, from: usize, clause: Span) -> Span {
        let end = self.proviso_end.unwrap_or(clause.end);
        trim(self.text, Span::new(from.min(clause.start), end), closes)
    }

    fn words(&self, span: Span) -> &'a str {
        span.slice(self.text).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: HanSeat = HanSeat {
        is_case: false,
        is_item: false,
        is_lead: false,
        act: Act::Condition,
        force: None,
    };

    fn read(text: &str) -> Vec<(String, Act, Option<Force>)> {
        read_han_sentence(text, Span::new(0, text.len()), None, PLAIN)
            .into_iter()
            .map(|it| (it.snippet.slice(text).unwrap().to_owned(), it.act, it.force))
            .collect()
    }

    #[test]
    fn each_rule_clause_is_a_row_and_keeps_its_condition() {
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
    fn a_right_is_no_row_but_its_conditions_are() {
        let rows = read("設有戶籍之租屋者，未接受其他補助，得申請租金補助。");
        assert!(rows.iter().all(|it| it.1 == Act::Condition), "{rows:?}");
        assert_eq!(rows.len(), 2);
    }

    #[test]
    fn a_duty_goes_on_over_its_clauses() {
        let rows = read("申請人應填具申請書，向本局提出。");
        let acts: Vec<Act> = rows.iter().map(|it| it.1).collect();
        assert_eq!(acts, [Act::Document, Act::Step]);
    }

    #[test]
    fn a_ban_keeps_what_it_forbids_behind_a_comma() {
        let rows = read("船東不得因同一颱風，重複請領補助。");
        assert_eq!(rows.len(), 1, "{rows:?}");
        assert_eq!(rows[0].1, Act::Exclusion);
        assert!(rows[0].0.contains("不得") && rows[0].0.contains("重複請領"), "{rows:?}");
        let rows = read("船東不得轉租船席，並應於三十日內通知本局。");
        assert_eq!(rows[0].1, Act::Exclusion, "{rows:?}");
    }

    #[test]
    fn what_is_done_besides_is_no_exception() {
        let rows = read("未繳規費之船隻，經查獲者，除責令補繳外，並處應繳規費一倍之罰鍰。");
        assert!(rows.iter().all(|it| it.1 != Act::Exception), "{rows:?}");
        let rows = read("船東除有正當理由者外，應檢查船體。");
        assert!(rows.iter().any(|it| it.1 == Act::Exception), "{rows:?}");
        assert!(rows.iter().any(|it| it.1 == Act::Step), "{rows:?}");
    }

    #[test]
    fn the_must_of_a_case_is_not_that_of_its_rule() {
        let rows = read("船隻因受損須立即修繕者，得先行動工。");
        assert!(rows.iter().all(|it| it.2 != Some(Force::Must)), "{rows:?}");
    }

    #[test]
    fn what_somebody_goes_by_is_no_rule_by_itself() {
        let rows = read("本局得逕依船籍機關提供之資料，為船東辦理退費。");
        assert_eq!(rows.len(), 1, "{rows:?}");
        assert_eq!(rows[0].1, Act::Step);
    }
}
