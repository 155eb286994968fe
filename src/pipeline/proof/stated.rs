//! What a recorded answer states, and how its rows stand together: the record's rows rest on it, and
//! their groups with them. Believes nothing but the ask and the answer on file.

use crate::ask::canonical::{ask_digest, read_answer, read_ask};
use crate::ask::reply::{parse_extract_reply, parse_review_reply};
use crate::gate::judge::judge;
use crate::gate::page::PageText;
use crate::gate::row::GatedRow;
use crate::gate::scope::Scope;
use crate::model::ask::{Answer, Ask, ExtractReply, Step};
use crate::model::claim::{Claim, Group, groups_above};
use crate::model::finding::Verdict;
use crate::model::row::RowRecord;
use crate::model::source::Field;
use crate::pipeline::proof::links::Links;
use crate::text::span::Span;

/// What an answer states, as far as rows rest on it.
pub struct Stated {
    pub step: Step,
    /// The item's own text.
    text: String,
    language: String,
    reply: ExtractReply,
    judged: Option<OnPage>,
}

/// The reply as the gate judges it on one page.
struct OnPage {
    /// Digest of the page's text.
    text: String,
    span: Span,
    /// Each row as judged; the codes where it is refused.
    rows: Vec<(Claim, Option<String>)>,
}

impl Stated {
    /// Reads ask and answer; for an ask that was asked again, also the first answer, of which the rows
    /// that stood were kept.
    ///
    /// # Errors
    /// Why one of them cannot be used.
    pub fn read(links: &dyn Links, digest: &str) -> Result<Self, String> {
        let (ask, mut reply) = read_exchange(links, digest)?;
        if let Some(first) = first_ask(&ask)? {
            let (_, earlier) = read_exchange(links, &first)?;
            let is_new = |it: &Group| reply.groups.iter().all(|other| other.id != it.id);
            let groups: Vec<Group> = earlier.groups.into_iter().filter(is_new).collect();
            reply.groups.extend(groups);
            reply.rows.extend(earlier.rows);
        }
        let Ask { step, text, language, .. } = ask;
        Ok(Self { step, text, language, reply, judged: None })
    }

    /// True where the answer states what the row says, in a group that is the row's.
    pub fn states(&self, row: &RowRecord) -> bool {
        self.reply.rows.iter().any(|it| says_the_same(it, &row.claim)) && self.nests(row)
    }

    /// Judges the row as the run did: on its item, among the rows and groups it was stated with. The
    /// codes where the gate refuses it. `None` where that cannot be done: the row was added by a review,
    /// or its item is no longer on the page as it was read.
    pub fn judge_row(
        &mut self,
        row: &RowRecord,
        page: &PageText,
        fields: &[Field],
    ) -> Option<Result<(), String>> {
        let span = self.item_on(row, page).filter(|_| self.step == Step::Extract)?;
        let scope = Scope {
            span: Some(span),
            page_title: &row.page_title,
            heading_path: &row.heading_path,
            fields,
            language: &self.language,
            ..Scope::default()
        };
        let is_at_hand =
            self.judged.as_ref().is_some_and(|it| it.text == row.text && it.span == span);
        if !is_at_hand {
            let rows = judge_all(page, &self.reply, &scope);
            self.judged = Some(OnPage { text: row.text.clone(), span, rows });
        }
        let found = verdict_on(row, &self.judged.as_ref()?.rows);
        Some(found.unwrap_or_else(|| {
            // Not what was stated: judged in the place of the row of its name.
            let mut reply = self.reply.clone();
            reply.rows.retain(|it| it.id != row.claim.id);
            reply.rows.push(row.claim.clone());
            let mut rows = judge_all(page, &reply, &scope);
            rows.pop().and_then(|it| it.1).map_or(Ok(()), Err)
        }))
    }

    /// Rows of older records do not say what their group is nested in.
    fn nests(&self, row: &RowRecord) -> bool {
        row.within.is_empty()
            || row.within == groups_above(row.claim.group.as_deref(), &self.reply.groups)
    }

    /// Where the item stands on the page of today, around the row.
    fn item_on(&self, row: &RowRecord, page: &PageText) -> Option<Span> {
        let start = row.place?.bytes.start;
        let holds = |it: &Span| it.start <= start && start < it.end;
        if self.text.is_empty() {
            return None;
        }
        let mut found = page.text().match_indices(self.text.as_str());
        found.find_map(|(at, it)| Some(Span::new(at, at + it.len())).filter(holds))
    }
}

/// Every row of a reply as judged, in order, with the codes of those that are refused.
fn judge_all(page: &PageText, reply: &ExtractReply, scope: &Scope) -> Vec<(Claim, Option<String>)> {
    let judged = judge(page, reply, scope).rows.into_iter();
    judged.map(|it| (it.claim().clone(), refusal(&it))).collect()
}

/// The codes of a refused row.
pub fn refusal(row: &GatedRow) -> Option<String> {
    let codes: Vec<String> = row.findings().iter().map(|it| it.code.to_string()).collect();
    (row.verdict() == Verdict::Fail).then(|| codes.join(", "))
}

/// What became of the row among judged ones: it stands where it stands in one of the ways it was
/// stated. `None` where it is none of them.
fn verdict_on(row: &RowRecord, judged: &[(Claim, Option<String>)]) -> Option<Result<(), String>> {
    let is_it = |it: &&(Claim, Option<String>)| {
        says_the_same(&it.0, &row.claim) && it.0.snippet == row.claim.snippet
    };
    let found: Vec<&Option<String>> = judged.iter().filter(is_it).map(|it| &it.1).collect();
    let first = found.first()?;
    Some(match (first, found.iter().all(|it| it.is_some())) {
        (Some(codes), true) => Err(codes.clone()),
        _ => Ok(()),
    })
}

/// The ask that this one repeats with reasons.
///
/// # Errors
/// When it cannot be written.
pub fn first_ask(ask: &Ask) -> Result<Option<String>, String> {
    if ask.step != Step::Extract || ask.attempt < 2 {
        return Ok(None);
    }
    let first = Ask { attempt: 1, reasons: Vec::new(), ..ask.clone() };
    ask_digest(&first).map(Some).map_err(|error| error.to_string())
}

fn read_exchange(links: &dyn Links, digest: &str) -> Result<(Ask, ExtractReply), String> {
    let (ask, answer) = links.exchange(digest)?;
    let ask = read_ask(&ask, digest).map_err(|error| error.to_string())?;
    let answer: Answer = read_answer(&answer, digest).map_err(|error| error.to_string())?;
    let reply = match ask.step {
        Step::Extract => parse_extract_reply(&answer.reply, &answer.finish).reply,
        Step::Review => ExtractReply {
            rows: parse_review_reply(&answer.reply, &answer.finish).reply.missing,
            groups: Vec::new(),
        },
    };
    Ok((ask, reply))
}

/// The same statement; the quote's looks may have been repaired to the page's own bytes.
fn says_the_same(stated: &Claim, row: &Claim) -> bool {
    let rule = |it: &Claim| (it.op, it.unit.clone(), it.join, it.group.clone(), it.force);
    stated.field == row.field && stated.value == row.value && rule(stated) == rule(row)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::ask::canonical::ANSWER_FORMAT;
    use crate::ask::compose::{ItemView, Reader, extract_ask, retry_ask};
    use crate::model::ask::ReaderId;

    /// Asks and answers in memory.
    #[derive(Default)]
    struct Memory(BTreeMap<String, (String, String)>);

    impl Links for Memory {
        fn text(&self, _: &str, _: &str) -> Result<String, String> {
            Err("none".to_owned())
        }
        fn raw(&self, _: &str, _: &str) -> Result<Vec<u8>, String> {
            Err("none".to_owned())
        }
        fn exchange(&self, ask: &str) -> Result<(String, String), String> {
            self.0.get(ask).cloned().ok_or_else(|| "it is not on file".to_owned())
        }
        fn fields(&self, _: &str) -> Vec<Field> {
            Vec::new()
        }
    }

    impl Memory {
        fn put(&mut self, digest: &str, ask: &Ask, reply: &str) {
            let answer = Answer {
                format: ANSWER_FORMAT.to_owned(),
                ask: digest.to_owned(),
                answered_by: "someone".to_owned(),
                reply: reply.to_owned(),
                finish: "stop".to_owned(),
                usage: None,
            };
            let texts =
                (serde_json::to_string(ask).unwrap(), serde_json::to_string(&answer).unwrap());
            self.0.insert(digest.to_owned(), texts);
        }
    }

    fn row(value: i64) -> RowRecord {
        serde_json::from_value(serde_json::json!({
            "key": "k", "id": "r1", "subject": "s", "field": "age", "op": ">=", "value": value,
            "snippet": "", "source": "s", "page": "p", "page_title": "", "item": "i",
            "heading_path": [], "snapshot": "", "text": "", "place": null, "sentence": "",
            "status": "accepted", "verdict": "pass", "findings": [], "read_by": "", "ask": ""
        }))
        .unwrap()
    }

    #[test]
    fn a_row_that_stood_when_the_rest_was_asked_again_rests_on_the_first_answer() {
        let id = ReaderId { name: "someone".to_owned(), settings: BTreeMap::new() };
        let reader = Reader { id, instructions: "State the ages. 請列出年齡。".to_owned() };
        let view = ItemView {
            language: "en",
            fields: &[],
            page_title: "",
            heading_path: &[],
            text: "65 or over",
        };
        let first = extract_ask(&view, &reader).unwrap();
        let again = retry_ask(&first.ask, Vec::new()).unwrap();
        let reply = |value: i64| {
            format!(
                r#"{{"rows":[{{"id":"r1","field":"age","op":">=","value":{value},"snippet":"x"}}],"groups":[]}}"#
            )
        };
        let mut links = Memory::default();
        links.put(&again.digest, &again.ask, &reply(70));
        assert!(Stated::read(&links, &again.digest).is_err(), "the first answer is lost");
        links.put(&first.digest, &first.ask, &reply(65));
        let stated = Stated::read(&links, &again.digest).unwrap();
        let found: BTreeSet<i64> =
            [65, 70, 75].into_iter().filter(|&it| stated.states(&row(it))).collect();
        assert_eq!(found, BTreeSet::from([65, 70]));
        let alone = Stated::read(&links, &first.digest).unwrap();
        assert!(alone.states(&row(65)) && !alone.states(&row(70)));
        let mut tampered = row(65);
        tampered.within = vec![Group { id: "g1".to_owned(), ..Group::default() }];
        assert!(!stated.states(&tampered), "the answer nests nothing");
    }
}
