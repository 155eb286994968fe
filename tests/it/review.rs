//! The second reading: what a reviewer's answers make of rows, in both languages.

use std::cell::RefCell;
use std::collections::BTreeMap;

use countersign::ask::compose::{ItemView, Next, OpenAsk, Reader};
use countersign::ask::reply::ParsedExtract;
use countersign::extract::step::Extraction;
use countersign::gate::judge::judge_parsed;
use countersign::gate::page::PageText;
use countersign::gate::row::GatedRow;
use countersign::gate::scope::Scope;
use countersign::model::ask::{Answer, ExtractReply, ReaderId};
use countersign::model::claim::{Claim, Op, Value};
use countersign::model::finding::Code;
use countersign::model::item::Item;
use countersign::model::row::{RowRecord, RowStatus};
use countersign::pipeline::page::rows::{PageIdentity, rows_of_item};
use countersign::pipeline::rounds::reading::{AskTally, ItemReading};
use countersign::review::step::{Review, ReviewInput, review_item};
use countersign::text::span::Span;
use serde_json::{Value as Json, json};

const ENGLISH: &str = "The fee is $20 a month. Users must be aged 16 or over. Report damage within 5 days. Sails must be numbered.";
const CHINESE: &str =
    "使用費每月二十元。使用人應年滿十六歲以上。損壞者應於五日內通報。船帆應標示號碼。";

fn claim(id: &str, op: Op, value: Value, unit: Option<&str>, snippet: &str) -> Claim {
    Claim {
        id: id.into(),
        field: "rule".into(),
        op,
        value,
        unit: unit.map(str::to_owned),
        snippet: snippet.into(),
        ..Claim::default()
    }
}

/// The rows of the first reading; the last sentence is left for the reviewer to find.
fn rows(chinese: bool) -> (Vec<Claim>, Claim) {
    let number = |it: i64| Value::Number(it.into());
    if chinese {
        let rows = vec![
            claim("a", Op::Eq, number(20), Some("元/月"), "使用費每月二十元"),
            claim("b", Op::Ge, number(16), Some("歲"), "使用人應年滿十六歲以上"),
            claim("c", Op::Le, number(5), Some("日"), "損壞者應於五日內通報"),
        ];
        (rows, claim("m", Op::Is, Value::Bool(true), None, "船帆應標示號碼"))
    } else {
        let rows = vec![
            claim("a", Op::Eq, number(20), Some("USD/month"), "The fee is $20 a month"),
            claim("b", Op::Ge, number(16), Some("years"), "Users must be aged 16 or over"),
            claim("c", Op::Le, number(5), Some("days"), "Report damage within 5 days"),
        ];
        (rows, claim("m", Op::Is, Value::Bool(true), None, "Sails must be numbered"))
    }
}

/// Reviews with answers made on the way: `reply` sees the ask and the rows of the first reading.
fn reviewed(chinese: bool, reply: &dyn Fn(&OpenAsk, &[Claim]) -> Json) -> (Vec<RowRecord>, Review) {
    let text = if chinese { CHINESE } else { ENGLISH };
    let language = if chinese { "zh-Hant" } else { "en" };
    let (page, scope) = (PageText::index(text), Scope { language, ..Scope::default() });
    let (claims, _) = rows(chinese);
    let first = ExtractReply { rows: claims.clone(), groups: Vec::new() };
    let judgement = judge_parsed(&page, &ParsedExtract::from(first), &scope);
    assert!(judgement.rows.iter().all(GatedRow::is_clear), "{:?}", judgement.rows);
    let view = ItemView { language, fields: &[], page_title: "", heading_path: &[], text };
    let id = ReaderId { name: "test".into(), settings: BTreeMap::new() };
    let reviewer = Reader { id, instructions: String::new() };
    let input = ReviewInput {
        page: &page,
        scope: &scope,
        view: &view,
        reviewer: &reviewer,
        rows: &judgement.rows,
        groups: &[],
    };
    let answers: RefCell<BTreeMap<String, Answer>> = RefCell::default();
    let review = loop {
        match review_item(&input, &|digest| answers.borrow().get(digest).cloned()).unwrap() {
            Next::Done(review) => break review,
            Next::Ask(ask) => {
                let answer = Answer {
                    format: "countersign.answer/1".into(),
                    ask: ask.digest.clone(),
                    answered_by: "test".into(),
                    reply: reply(&ask, &claims).to_string(),
                    finish: String::new(),
                    usage: None,
                };
                answers.borrow_mut().insert(ask.digest.clone(), answer);
            }
        }
    };
    let extraction = Extraction {
        judgement: judgement.clone(),
        groups: Vec::new(),
        ask: String::new(),
        read_by: "test".into(),
        answered: Vec::new(),
    };
    let reading =
        ItemReading { extraction, review: Some(review.clone()), asks: AskTally::default() };
    let item = Item {
        key: "page".into(),
        heading_path: Vec::new(),
        span: Span::new(0, text.len()),
        fingerprint: String::new(),
    };
    let identity = PageIdentity {
        source: "s",
        url: "https://s.example/",
        title: "",
        snapshot: "",
        text: "",
        language,
    };
    (rows_of_item(identity, &item, &reading), review)
}

/// The reviewer's word on a row of the ask: by the first reading's name of it; false rows are seen.
fn verdicts(
    ask: &OpenAsk,
    claims: &[Claim],
    word: &dyn Fn(&str) -> Option<(&'static str, &'static str)>,
) -> Vec<Json> {
    let each = ask.ask.rows.iter().filter_map(|row| {
        let own = claims.iter().find(|it| **it == Claim { id: it.id.clone(), ..row.clone() });
        let (word, reason) = match own {
            Some(it) => word(&it.id)?,
            None => ("wrong", "not what the text says 與原文不符"),
        };
        let quote = claims
            .iter()
            .find(|it| it.snippet.contains(&row.snippet) || row.snippet.contains(&it.snippet));
        let quote = quote.unwrap_or(&claims[0]);
        Some(json!({ "id": row.id, "verdict": word, "reason": reason, "snippet": quote.snippet }))
    });
    each.collect()
}

fn codes(row: &RowRecord) -> Vec<Code> {
    row.findings.iter().map(|it| it.code).collect()
}

#[test]
fn the_reviewer_decides_what_a_row_is_flagged_for() {
    // In words of the page's own language: 複核 the second reading, on a page and on 一個網頁.
    for chinese in [false, true] {
        let (_, missing) = rows(chinese);
        let (records, review) = reviewed(chinese, &|ask, claims| {
            let word = |id: &str| match id {
                "a" => Some(("confirmed", "")),
                "b" => Some(("wrong", "the list says another age 年齡不同")),
                _ => None,
            };
            json!({ "verdicts": verdicts(ask, claims, &word), "missing": [missing] })
        });
        let find = |snippet: &str| records.iter().find(|it| it.claim.snippet == snippet).unwrap();
        let (claims, missing) = rows(chinese);
        let confirmed = find(&claims[0].snippet);
        assert_eq!((confirmed.status, codes(confirmed)), (RowStatus::Accepted, vec![]));
        let disputed = find(&claims[1].snippet);
        assert_eq!(
            (disputed.status, codes(disputed)),
            (RowStatus::Flagged, vec![Code::ReviewerDisagrees])
        );
        let said = if chinese {
            "審查者認為本列有誤"
        } else {
            "The reviewer holds this row to be wrong"
        };
        assert!(disputed.findings[0].detail.starts_with(said), "{}", disputed.findings[0].detail);
        let silent = find(&claims[2].snippet);
        assert_eq!(
            (silent.status, codes(silent)),
            (RowStatus::Flagged, vec![Code::ReviewIncomplete])
        );
        let added = find(&missing.snippet);
        assert_eq!((added.status, codes(added)), (RowStatus::Flagged, vec![Code::ReviewerAdded]));
        assert_eq!(review.answered.len(), 2, "what is missing is asked for once more");
        assert_eq!(review.watch.not_relied_on, 0);
    }
}

#[test]
fn a_reviewer_that_confirms_a_false_row_twice_is_not_relied_on() {
    for chinese in [false, true] {
        let (records, review) = reviewed(chinese, &|ask, _| {
            let all =
                ask.ask.rows.iter().map(
                    |it| json!({ "id": it.id, "verdict": "confirmed", "snippet": it.snippet }),
                );
            json!({ "verdicts": all.collect::<Vec<Json>>(), "missing": [] })
        });
        assert_eq!(review.watch.not_relied_on, 1);
        assert!(
            records
                .iter()
                .all(|it| it.status == RowStatus::Flagged && codes(it) == [Code::ReviewIncomplete])
        );
    }
}

#[test]
fn a_reviewer_adds_nothing_that_the_gate_refuses_or_that_is_there() {
    for chinese in [false, true] {
        let (claims, missing) = rows(chinese);
        let invented = Claim {
            snippet: if chinese {
                "船槳應於六時前歸還"
            } else {
                "Oars must be returned by six"
            }
            .into(),
            ..missing
        };
        let twice = claims[0].clone();
        let (records, _) = reviewed(chinese, &|ask, claims| {
            let confirmed = |_: &str| Some(("confirmed", ""));
            json!({ "verdicts": verdicts(ask, claims, &confirmed), "missing": [invented, twice] })
        });
        let of = |status: RowStatus| records.iter().filter(|it| it.status == status).count();
        assert_eq!((of(RowStatus::Accepted), of(RowStatus::Flagged)), (3, 0), "{chinese}");
        assert_eq!((of(RowStatus::Dropped), of(RowStatus::Merged)), (1, 1), "{chinese}");
    }
}
