//! Laws of the gate: on any page, any rows, in any order.

use std::collections::BTreeMap;
use std::fmt::Write;

use countersign::ask::reply::ParsedExtract;
use countersign::gate::judge::judge_parsed;
use countersign::gate::page::PageText;
use countersign::gate::places::locate::Match;
use countersign::gate::places::stream::forms_of;
use countersign::gate::row::Judgement;
use countersign::gate::scope::Scope;
use countersign::model::ask::ExtractReply;
use countersign::model::claim::{Claim, Op, Value};
use countersign::model::finding::{Code, Verdict};
use proptest::prelude::*;

fn judged(page: &PageText, rows: &[Claim]) -> Judgement {
    let reply = ExtractReply { rows: rows.to_vec(), groups: Vec::new() };
    judge_parsed(page, &ParsedExtract::from(reply), &Scope::default())
}

/// Verdict and codes of each row, by its name.
fn told(judgement: &Judgement) -> BTreeMap<String, (Verdict, Vec<Code>)> {
    let row = |it: &countersign::gate::row::GatedRow| {
        let mut codes: Vec<Code> = it.findings().iter().map(|it| it.code).collect();
        codes.sort_unstable();
        (it.claim().id.clone(), (it.verdict(), codes))
    };
    judgement.rows.iter().map(row).collect()
}

fn row(id: usize, op: Op, value: i64, unit: &str, snippet: String) -> Claim {
    Claim {
        id: format!("r{id}"),
        field: "rule".into(),
        op,
        value: Value::Number(value.into()),
        unit: Some(unit.into()),
        snippet,
        ..Claim::default()
    }
}

/// A page of sections, each with its own number, and for each section the row that states it.
fn sections(chinese: bool, numbers: &[i64]) -> (String, Vec<Claim>) {
    let (mut text, mut rows) = (String::new(), Vec::new());
    for (at, number) in numbers.iter().enumerate() {
        let name = ["pier", "barn", "mill", "well", "dock", "kiln", "loft", "yard"][at % 8];
        let han = ["碼頭", "穀倉", "磨坊", "水井", "船塢", "窯場", "閣樓", "院落"][at % 8];
        let claim = match (chinese, at % 3) {
            (false, 0) => row(at, Op::Eq, *number, "USD", format!("The {name} fee is ${number}")),
            (false, 1) => row(
                at,
                Op::Ge,
                *number,
                "years",
                format!("Users of the {name} must be aged {number} or over"),
            ),
            (false, _) => row(
                at,
                Op::Le,
                *number,
                "days",
                format!("Report damage to the {name} within {number} days"),
            ),
            (true, 0) => row(at, Op::Eq, *number, "元", format!("{han}使用費為 {number} 元")),
            (true, 1) => {
                row(at, Op::Ge, *number, "歲", format!("{han}使用人應年滿 {number} 歲以上"))
            }
            (true, _) => {
                row(at, Op::Le, *number, "日", format!("{han}損壞者應於 {number} 日內通報"))
            }
        };
        let (stop, tail) = if chinese {
            ("。", "其他事項另行公告。")
        } else {
            (".", " Staff are friendly.")
        };
        let _ = write!(
            text,
            "## {}\n\n{}{stop}{tail}\n\n",
            if chinese { han } else { name },
            claim.snippet
        );
        rows.push(claim);
    }
    (text, rows)
}

/// Rows made wrong in one way or another, or left as they are.
fn spoilt(rows: &[Claim], how: &[u8]) -> Vec<Claim> {
    let each = rows.iter().zip(how);
    each.map(|(row, how)| {
        let mut row = row.clone();
        match how % 6 {
            0 => row.value = Value::Number(7_777.into()),
            1 => row.op = if row.op == Op::Ge { Op::Lt } else { Op::Gt },
            2 => row.snippet = format!("{} ever", row.snippet),
            3 => row.unit = Some("kg".into()),
            _ => {}
        }
        row
    })
    .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_order_of_rows_changes_no_verdict(
        chinese: bool,
        numbers in prop::collection::vec(2i64..90, 2..8),
        how in prop::collection::vec(0u8..12, 8),
        order in prop::collection::vec(any::<u32>(), 8),
    ) {
        let (text, rows) = sections(chinese, &numbers);
        let page = PageText::index(&text);
        let rows = spoilt(&rows, &how);
        let mut shuffled: Vec<(u32, Claim)> = order.into_iter().zip(rows.clone()).collect();
        shuffled.sort_by_key(|it| it.0);
        let shuffled: Vec<Claim> = shuffled.into_iter().map(|it| it.1).collect();
        prop_assert_eq!(told(&judged(&page, &rows)), told(&judged(&page, &shuffled)), "{}", text);
    }

    #[test]
    fn a_row_less_changes_no_other_verdict(
        chinese: bool,
        numbers in prop::collection::vec(2i64..90, 2..8),
        how in prop::collection::vec(0u8..12, 8),
        dropped in 0usize..8,
    ) {
        let (text, rows) = sections(chinese, &numbers);
        let page = PageText::index(&text);
        let mut rows = spoilt(&rows, &how);
        let mut all = told(&judged(&page, &rows));
        let gone = rows.remove(dropped % rows.len());
        all.remove(&gone.id);
        prop_assert_eq!(all, told(&judged(&page, &rows)), "{}", text);
    }

    #[test]
    fn white_space_in_a_quote_is_repaired_and_nothing_else(
        chinese: bool,
        numbers in prop::collection::vec(2i64..90, 1..6),
        noise in prop::collection::vec((any::<prop::sample::Index>(), 0usize..6), 1..5),
    ) {
        let (text, rows) = sections(chinese, &numbers);
        let page = PageText::index(&text);
        for row in &rows {
            prop_assert_eq!(judged(&page, std::slice::from_ref(row)).rows[0].verdict(), Verdict::Pass, "{:?}", row);
            let mut noisy = row.clone();
            for (at, kind) in &noise {
                let blanks: Vec<usize> = noisy.snippet.match_indices(' ').map(|it| it.0).collect();
                let mark = [" ", "\n", "\t", "\u{a0}", "\u{3000}", "\u{200b}"][*kind];
                noisy.snippet.insert_str(blanks[at.index(blanks.len())], mark);
            }
            let found = &judged(&page, std::slice::from_ref(&noisy)).rows[0];
            prop_assert_eq!(found.verdict(), Verdict::Repair, "{:?} {:?}", noisy, found.findings());
            prop_assert_eq!(&found.claim().snippet, &row.snippet);
        }
    }

    #[test]
    fn white_space_of_the_page_is_no_part_of_a_rule(
        chinese: bool,
        numbers in prop::collection::vec(2i64..90, 1..6),
        kind in 0usize..3,
    ) {
        let (text, rows) = sections(chinese, &numbers);
        let mark = ["  ", " \u{a0}", "\u{a0}"][kind];
        let loose = text.lines().map(|it| if it.starts_with('#') { it.to_owned() } else { it.replace(' ', mark) });
        let loose = loose.collect::<Vec<String>>().join("\n");
        let page = PageText::index(&loose);
        for found in judged(&page, &rows).rows {
            prop_assert_eq!(found.verdict(), Verdict::Repair, "{:?} {:?}", found.claim(), found.findings());
            prop_assert_eq!(forms_of(&found.claim().snippet), forms_of(found.stated_snippet()));
        }
    }

    #[test]
    fn a_quote_found_is_the_bytes_at_its_place(
        text in "[a-c0-2 .,;'“\n的元一|-]{0,60}",
        from in any::<prop::sample::Index>(),
        len in 1usize..20,
        other in "[a-c0-2 .,的元一]{1,6}",
    ) {
        let page = PageText::index(&text);
        let chars: Vec<char> = text.chars().collect();
        let slice: String = if chars.is_empty() {
            String::new()
        } else {
            let start = from.index(chars.len());
            chars[start..(start + len).min(chars.len())].iter().collect()
        };
        for quote in [slice.as_str(), &other] {
            let places = page.find(quote);
            let has_words = !forms_of(quote).is_empty();
            let is_whole = has_words && forms_of(&text).windows(forms_of(quote).len()).any(|it| it == forms_of(quote));
            prop_assert!(!is_whole || !places.is_empty(), "{:?} in {:?}", quote, text);
            for place in places {
                let found = place.span.slice(&text);
                prop_assert!(found.is_some(), "{:?}", place);
                let found = found.unwrap();
                prop_assert!(place.how != Match::Exact || found == quote, "{:?} for {:?}", found, quote);
                prop_assert_eq!(forms_of(found), forms_of(quote));
            }
        }
    }
}

/// A value in every spelling of both languages, and its op and unit: the row that states it passes,
/// the row beside it does not.
#[test]
fn a_value_in_any_spelling_is_found_and_its_neighbour_is_not() {
    let cases: &[(&str, &str, &str)] = &[
        ("The grant is $1,200 in all.", "1200", "USD"),
        ("The grant is $1.2 million in all.", "1200000", "USD"),
        ("The grant is US$1.2m in all.", "1200000", "USD"),
        ("The grant is five thousand dollars in all.", "5000", "dollars"),
        ("The grant is １，２００ dollars in all.", "1200", "dollars"),
        ("Members must wait sixty-five days in all.", "65", "days"),
        ("Members must wait a dozen days in all.", "12", "days"),
        ("Members must wait two and a half days in all.", "2.5", "days"),
        ("Members must wait 2½ days in all.", "2.5", "days"),
        ("The levy is one-half per cent of the price.", "0.5", "%"),
        ("The levy is 12.5% of the price.", "12.5", "%"),
        ("The levy is twelve per cent of the price.", "12", "%"),
        ("The lease begins on 7 September 1980 at noon.", "1980-09-07", ""),
        ("The lease begins on September 7, 1980 at noon.", "1980-09-07", ""),
        ("The lease begins on 1980-09-07 at noon.", "1980-09-07", ""),
        ("獎助金為新臺幣１，２００元整。", "1200", "元"),
        ("獎助金為新臺幣36.5萬元整。", "365000", "元"),
        ("獎助金為新臺幣三萬六千元整。", "36000", "元"),
        ("獎助金為新臺幣3萬6千元整。", "36000", "元"),
        ("獎助金為新臺幣壹仟貳佰元整。", "1200", "元"),
        ("會員應等候廿五日以上。", "25", "日"),
        ("會員應等候一百二十日以上。", "120", "日"),
        ("會員應等候兩年半以上。", "2.5", "年"),
        ("稅率為百分之五十。", "50", "%"),
        ("稅率為百分之十二點五。", "12.5", "%"),
        ("稅率為12.5％。", "12.5", "%"),
        ("租約自民國112年3月5日起算。", "2023-03-05", ""),
        ("租約自中華民國一百一十二年三月五日起算。", "2023-03-05", ""),
        ("租約自2023年3月5日起算。", "2023-03-05", ""),
    ];
    let mut problems = Vec::new();
    for (text, value, unit) in cases {
        let page = PageText::index(text);
        let snippet = text.trim_end_matches(['.', '。']).to_owned();
        let state = |value: &str| {
            let value = match value.parse::<serde_json::Number>() {
                Ok(it) => Value::Number(it),
                Err(_) => Value::Text(value.to_owned()),
            };
            let op = if text.contains("以上") { Op::Ge } else { Op::Eq };
            let unit = (!unit.is_empty()).then(|| (*unit).to_owned());
            let claim = Claim {
                id: "r".into(),
                field: "f".into(),
                op,
                value,
                unit,
                snippet: snippet.clone(),
                ..Claim::default()
            };
            let found = judged(&page, &[claim]);
            let codes: Vec<Code> = found.rows[0].findings().iter().map(|it| it.code).collect();
            (found.rows[0].verdict(), codes)
        };
        let right = state(value);
        if right.0 != Verdict::Pass {
            problems.push(format!("{text} = {value}: {right:?}"));
        }
        let beside = match value.split_once("-0") {
            Some((year, rest)) => format!("{year}-0{}", rest.replace('5', "6").replace('7', "8")),
            None => format!("{value}1"),
        };
        let wrong = state(&beside);
        if wrong.0 < Verdict::Flag {
            problems.push(format!("{text} = {beside}: {wrong:?}"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// A subject that names another section is told on a page of any length.
#[test]
fn a_section_far_down_a_long_page_is_known_by_its_heading() {
    for chinese in [false, true] {
        let mut text = String::new();
        for at in 0..900 {
            let line = if chinese {
                format!("# 第{at}區船席\n\n第{at}區每月收費 {} 元。\n\n", 20 + at)
            } else {
                format!("# Berth row Q{at}\n\nRow Q{at} costs ${} a month.\n\n", 20 + at)
            };
            text.push_str(&line);
        }
        let page = PageText::index(&text);
        let (subject, quote, unit) = if chinese {
            ("第850區船席", "第3區每月收費 23 元", "元/月")
        } else {
            ("Berth row Q850", "Row Q3 costs $23 a month", "USD/month")
        };
        let claim = Claim { subject: subject.into(), ..row(1, Op::Eq, 23, unit, quote.into()) };
        let found = &judged(&page, &[claim]).rows[0];
        assert_eq!(
            found.findings().first().map(|it| it.code),
            Some(Code::WrongSubject),
            "{found:?}"
        );
    }
}
