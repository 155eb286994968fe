//! The built-in reader on invented pages: what it states, what it leaves alone, and its laws.

use std::collections::BTreeMap;

use countersign::model::ask::{Ask, ReaderId, ReviewWord, Step};
use countersign::model::claim::{Claim, Force, Join, Op};
use countersign::model::source::{Field, FieldKind};
use countersign::reader::answerer::{RULES_NAME, answer_by_rules};
use countersign::reader::extract::extract;
use countersign::reader::review::review;
use proptest::prelude::*;

use crate::hostile_units::ASKS;

fn field(name: &str, kind: FieldKind, description: &str) -> Field {
    Field {
        name: name.into(),
        kind,
        unit: None,
        description: description.into(),
        examples: Vec::new(),
    }
}

/// Fields of another kind of site than the corpora, with other names.
fn fields() -> Vec<Field> {
    vec![
        field("applicant_age", FieldKind::Number, "Age of the applicant. 申請人年齡。"),
        field("household_income", FieldKind::Money, "Income of the household. 家庭所得。"),
        field(
            "stay",
            FieldKind::Any,
            "Residence: where somebody lives, days of stay. 居住、設籍。",
        ),
        field(
            "papers",
            FieldKind::Text,
            "Documents to hand in: forms, copies, certificates. 應備文件、證明。",
        ),
        field("grant", FieldKind::Money, "Amount of the allowance paid. 補助金額。"),
        field("shut_out", FieldKind::Any, "Exclusion: who is not eligible. 不予補助之情形。"),
        field(
            "carve_out",
            FieldKind::Any,
            "Exception or exemption from a rule. 但書、除外、免除。",
        ),
        field("step", FieldKind::Text, "Procedure step: what must be done. 申請、通知等程序。"),
        field("by_when", FieldKind::Any, "Deadline: within, before or by which time. 期限。"),
        field("other", FieldKind::Any, "Any other requirement. 其他規定。"),
    ]
}

fn ask(language: &str, text: &str) -> Ask {
    Ask {
        format: "countersign.ask/1".into(),
        step: Step::Extract,
        attempt: 1,
        reader: ReaderId { name: "rules".into(), settings: BTreeMap::new() },
        language: language.into(),
        instructions: "You must be at least 99 years old.".into(),
        fields: fields(),
        page_title: "Ferry help".into(),
        heading_path: vec!["Ferry help".into(), "Who can apply".into()],
        text: text.into(),
        rows: Vec::new(),
        reasons: Vec::new(),
    }
}

const ENGLISH: &str = "## Who can apply

You may get a ferry grant if you meet all of these requirements:
- You're at least 16 years old, and
- Your household income is below $24,000 a year, and
- You have lived on the island for more than 2 years

You don't qualify if you own a boat, unless it is used for fishing.

You'll need to send us a copy of your lease within 30 days.

Find out how to apply for a berth.
";

const CHINESE: &str = "## 第 3 條

申請人符合下列各款規定者，得申請渡輪補助：

一、年滿十六歲。

二、設籍本島，且最近一年居住超過一百八十日。

三、家庭年所得未超過新臺幣八十萬元。

申請人應於開航前三十日內，檢附下列文件，向本局提出：

一、申請書。

二、租約影本。

有下列情形之一者，不予補助：

一、已領取其他交通補助。

二、資料不實。但經補正者，不在此限。
";

fn find<'a>(rows: &'a [Claim], words: &str) -> &'a Claim {
    rows.iter()
        .find(|it| it.snippet.contains(words))
        .unwrap_or_else(|| panic!("no row quotes {words:?}: {rows:#?}"))
}

#[test]
fn english_conditions_are_stated_with_operator_value_join_and_force() {
    let rows = extract(&ask("en", ENGLISH)).rows;
    let age = find(&rows, "16 years");
    assert_eq!(
        (age.field.as_str(), age.op, age.value.to_string().as_str()),
        ("applicant_age", Op::Ge, "16")
    );
    assert_eq!(age.join, Some(Join::All));
    let income = find(&rows, "income is below");
    assert_eq!((income.field.as_str(), income.op), ("household_income", Op::Lt));
    let stay = find(&rows, "more than 2 years");
    assert_eq!((stay.op, stay.unit.as_deref()), (Op::Gt, Some("years")));
    let lease = rows.iter().find(|it| it.field == "papers").expect("the lease is asked for");
    assert_eq!(lease.force, Some(Force::Must));
    assert!(rows.iter().any(|it| it.field == "by_when" && it.value.to_string() == "30"));
}

#[test]
fn an_exclusion_keeps_its_unless_and_the_unless_is_a_row_of_its_own() {
    let rows = extract(&ask("en", ENGLISH)).rows;
    let shut_out = rows.iter().find(|it| it.field == "shut_out").expect("boat owners are shut out");
    assert!(shut_out.snippet.contains("unless it is used for fishing"), "{shut_out:?}");
    assert!(
        rows.iter().any(|it| it.field == "carve_out" && it.value.to_string().starts_with("unless"))
    );
}

#[test]
fn links_and_lead_ins_are_no_rows() {
    let rows = extract(&ask("en", ENGLISH)).rows;
    assert!(rows.iter().all(|it| !it.snippet.contains("Find out")), "{rows:#?}");
    assert!(rows.iter().all(|it| !it.snippet.contains("all of these requirements")), "{rows:#?}");
}

#[test]
fn chinese_conditions_documents_and_exclusions_are_told_apart() {
    let rows = extract(&ask("zh-Hant", CHINESE)).rows;
    let age = find(&rows, "年滿十六歲");
    assert_eq!((age.field.as_str(), age.op, age.join), ("applicant_age", Op::Ge, Some(Join::All)));
    let income = find(&rows, "八十萬元");
    assert_eq!((income.op, income.value.to_string().as_str()), (Op::Le, "800000"));
    let lease = find(&rows, "租約影本");
    assert_eq!(
        (lease.field.as_str(), lease.join, lease.force),
        ("papers", Some(Join::All), Some(Force::Must))
    );
    let other = find(&rows, "已領取其他交通補助");
    assert_eq!((other.field.as_str(), other.join), ("shut_out", Some(Join::Any)));
    assert!(find(&rows, "資料不實").snippet.contains("但經補正者，不在此限"));
    assert!(rows.iter().any(|it| it.field == "carve_out" && it.snippet.starts_with('但')));
    assert!(rows.iter().any(|it| it.op == Op::Gt && it.value.to_string() == "180"));
}

#[test]
fn table_rows_are_read_with_their_header() {
    let text = "## Rates\n\n| If you travel | The allowance paid is |\n| --- | --- |\n| alone | $120 |\n| with a child | $180 |\n";
    let rows = extract(&ask("en", text)).rows;
    assert_eq!(rows.len(), 2, "{rows:#?}");
    assert_eq!((rows[1].field.as_str(), rows[1].subject.as_str()), ("grant", "with a child"));
    assert_eq!(rows[1].snippet, "with a child | $180");
}

#[test]
fn nothing_is_taken_from_the_instructions() {
    let rows = extract(&ask("en", "You must wait at the pier.")).rows;
    assert!(rows.iter().all(|it| !it.value.to_string().contains("99")));
}

#[test]
fn without_declared_fields_there_are_no_rows() {
    let mut ask = ask("en", ENGLISH);
    ask.fields.clear();
    assert!(extract(&ask).rows.is_empty());
}

#[test]
fn the_reviewer_gives_one_verdict_for_each_row_with_its_own_quote() {
    for (language, text) in [("en", ENGLISH), ("zh-Hant", CHINESE)] {
        let mut ask = ask(language, text);
        ask.rows = extract(&ask).rows;
        ask.step = Step::Review;
        let reply = review(&ask);
        let ids: Vec<&str> = reply.verdicts.iter().map(|it| it.id.as_str()).collect();
        let wanted: Vec<&str> = ask.rows.iter().map(|it| it.id.as_str()).collect();
        assert_eq!(ids, wanted);
        assert!(
            reply.verdicts.iter().all(|it| text.contains(&it.snippet) && !it.snippet.is_empty())
        );
        let doubted: Vec<_> =
            reply.verdicts.iter().filter(|it| it.verdict != ReviewWord::Confirmed).collect();
        assert!(doubted.is_empty(), "{doubted:#?}");
        assert!(reply.missing.is_empty(), "{:#?}", reply.missing);
    }
}

#[test]
fn the_reviewer_disagrees_with_a_wrong_number_operator_join_and_quote() {
    let mut ask = ask("en", ENGLISH);
    let rows = extract(&ask).rows;
    let age = find(&rows, "16 years").clone();
    let planted = [
        Claim { value: serde_json::from_str("18").unwrap(), ..age.clone() },
        Claim { op: Op::Gt, ..age.clone() },
        Claim { join: Some(Join::Any), ..age.clone() },
        Claim { snippet: "You're at least 17 years old".into(), ..age.clone() },
    ];
    for bad in planted {
        ask.rows.clone_from(&rows);
        let at = rows.iter().position(|it| it.id == bad.id).unwrap();
        ask.rows[at] = bad.clone();
        let verdict = &review(&ask).verdicts[at];
        assert_eq!(verdict.verdict, ReviewWord::Wrong, "{bad:?}");
        assert!(!verdict.reason.is_empty());
    }
}

#[test]
fn the_reviewer_finds_the_limit_and_the_list_item_that_were_left_out() {
    let mut ask = ask("zh-Hant", CHINESE);
    let mut rows = extract(&ask).rows;
    rows.retain(|it| !it.snippet.contains("八十萬元"));
    ask.rows = rows;
    let missing = review(&ask).missing;
    assert!(
        missing.iter().any(|it| it.snippet.contains("八十萬元") && it.op == Op::Le),
        "{missing:#?}"
    );
}

#[test]
fn the_answer_is_the_json_a_model_would_give_and_says_that_rules_gave_it() {
    let ask = ask("en", ENGLISH);
    let answer = answer_by_rules(&ask, "digest").unwrap();
    assert_eq!((answer.answered_by.as_str(), answer.finish.as_str()), (RULES_NAME, "stop"));
    let parsed = countersign::ask::reply::parse_extract_reply(&answer.reply, &answer.finish);
    assert_eq!(parsed.reply, extract(&ask));
    assert!(parsed.malformed.is_empty());
}

/// Pieces that pages are made of, and pieces that break readers.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("申請人應年滿六十五歲，".to_owned()),
        Just("但有特殊情形者，不在此限。".to_owned()),
        Just("除法令另有規定外".to_owned()),
        Just("一、".to_owned()),
        Just("（一）".to_owned()),
        Just("下列情形之一者：\n".to_owned()),
        Just("- You’re under 18, or\n".to_owned()),
        Just("If you don’t qualify, you must not apply unless ".to_owned()),
        Just("| a | $5 |\n| --- | --- |\n".to_owned()),
        Just("# ".to_owned()),
        Just("Example: ".to_owned()),
        Just("\n\n".to_owned()),
        Just("   ".to_owned()),
        "[，。；：「」（）()0-9A-Za-z ’'\\-—\n]{0,12}",
        "\\PC{0,8}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_quote_is_a_slice_of_the_text_whatever_the_text(pieces in prop::collection::vec(piece(), 0..30)) {
        let mut ask = ask("en", &pieces.concat());
        let reply = extract(&ask);
        for row in &reply.rows {
            prop_assert!(!row.snippet.is_empty() && ask.text.contains(&row.snippet));
            prop_assert!(ask.fields.iter().any(|it| it.name == row.field));
        }
        prop_assert_eq!(&extract(&ask), &reply);
        ask.rows = reply.rows;
        let review = review(&ask);
        prop_assert_eq!(review.verdicts.len(), ask.rows.len());
        for verdict in &review.verdicts {
            prop_assert!(ask.text.contains(&verdict.snippet));
        }
        for row in &review.missing {
            prop_assert!(ask.text.contains(&row.snippet));
        }
    }
}

#[test]
fn hostile_text_is_read_to_its_end() {
    for piece in ASKS {
        let mut ask = ask("en", &piece.repeat(4_000));
        ask.rows = extract(&ask).rows;
        assert!(ask.rows.iter().all(|it| ask.text.contains(&it.snippet)), "{piece:?}");
        assert_eq!(review(&ask).verdicts.len(), ask.rows.len(), "{piece:?}");
    }
}

#[test]
fn a_list_within_a_list_names_the_one_around_it() {
    let text = "You can apply if all of these are true:\n- you are aged 65 or over\n- any of the following apply:\n  - your income is at most $2,000 a month\n  - you have lived here for at least 10 years\n";
    let reply = extract(&ask("en", text));
    let group_of = |words: &str| {
        let row = reply.rows.iter().find(|it| it.snippet.contains(words)).expect(words);
        reply.groups.iter().find(|it| Some(&it.id) == row.group.as_ref()).expect(words)
    };
    let (outer, inner) = (group_of("65"), group_of("2,000"));
    assert_eq!((outer.join, inner.join), (Some(Join::All), Some(Join::Any)), "{reply:#?}");
    assert_eq!(inner.parent.as_deref(), Some(outer.id.as_str()));
    assert_eq!(outer.parent, None);
    let text = "申請人符合下列各款者，得申請補助：\n- 一、年滿六十五歲。\n- 二、有下列情形之一：\n  - （一）家庭月收入在二萬元以下。\n  - （二）設籍滿十年。\n";
    let reply = extract(&ask("zh-Hant", text));
    let row = |words: &str| reply.rows.iter().find(|it| it.snippet.contains(words)).expect(words);
    let inner = reply.groups.iter().find(|it| Some(&it.id) == row("二萬元").group.as_ref());
    assert_eq!(inner.unwrap().parent, row("六十五").group, "{reply:#?}");
}

#[test]
fn an_item_with_a_condition_of_its_own_is_no_list_of_alternatives_to_its_neighbours() {
    let text = "You can apply if any of these are true:\n- you are aged 65 or over\n- you are aged 60 or over and any of the following apply:\n  - your income is at most $2,000 a month\n  - you have lived here for at least 10 years\n";
    let reply = extract(&ask("en", text));
    let inner = reply.rows.iter().find(|it| it.snippet.contains("2,000")).unwrap();
    let group = reply.groups.iter().find(|it| Some(&it.id) == inner.group.as_ref()).unwrap();
    assert_eq!(group.parent, None, "60 or over AND one of these: not one of three alternatives");
}
