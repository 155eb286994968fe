#[path = "it/sheet.rs"]
mod sheet;
use countersign::model::ask::ReviewWord;
use countersign::model::claim::*;
use countersign::model::finding::Code;
use countersign::model::row::*;
use countersign::model::sheet::*;
use countersign::sheet::issue::SheetInput;
#[test]
fn dump() {
    for language in SheetLanguage::ALL {
        let mut facts = sheet::facts(language);
        let s = &mut facts.summary;
        s.pages.fetched = 292;
        s.pages.failed = 2;
        s.items.total = 1411;
        s.rows.accepted = 40;
        s.rows.flagged = 12;
        s.rows.dropped = 3;
        s.rows.merged = 2;
        s.ledger.open = 1;
        let mut rows = Vec::new();
        let en = [
            "You may be able to get the Lanternfield Old Age Supplement if you are aged 65 or over, have lived in Lanternfield for at least 7 years, and your monthly household income is not more than $10,330, unless you are serving a custodial sentence.",
            "The deadline for returning the completed form together with the original receipts is 30 September 2027.",
            "A grant of up to $1,200 per household per year may be paid in principle.",
        ];
        let zh = [
            "年滿六十五歲、在燈野市連續居住滿7年，且家庭每月收入不超過10,330元者，得申請燈野市高齡補助；但正在服刑者，不在此限。",
            "申請期限為民國116年9月30日止，逾期不予受理。",
            "原則上每戶每年最高補助1,200元。",
        ];
        let (t, sn) = match language {
            SheetLanguage::English => (
                en,
                ["aged 65 or over", "30 September 2027", "up to $1,200 per household per year"],
            ),
            _ => (zh, ["年滿六十五歲", "民國116年9月30日止", "每戶每年最高補助1,200元"]),
        };
        for (i, c) in Code::ALL.iter().enumerate() {
            let mut r = sheet::row(&format!("lanternfield-{i:012x}"), t[i % 3], sn[i % 3], &[*c]);
            if language == SheetLanguage::Chinese {
                r.claim.subject = "申請人".into();
                r.page_title = "高齡補助".into();
                r.heading_path = vec!["高齡補助".into(), "申請資格".into()];
                r.claim.unit = Some("歲".into());
            }
            if i % 3 == 2 {
                r.claim.value = Value::Number(1200.into());
                r.claim.op = Op::Le;
            }
            if *c == Code::ReviewerDisagrees {
                r.review = Some(ReviewNote {
                    word: ReviewWord::Wrong,
                    reason: "the sentence goes on with an exception".into(),
                    snippet: "unless you are serving a custodial sentence".into(),
                    corrected: Some(Claim { value: Value::Number(60.into()), ..r.claim.clone() }),
                    reviewed_by: "rules/1".into(),
                    ask: String::new(),
                });
            }
            rows.push(r);
        }
        for i in 0..6 {
            let mut r = sheet::row(&format!("lanternfield-a{i:011x}"), t[i % 3], sn[i % 3], &[]);
            if i == 5 {
                r.status = RowStatus::Dropped;
                r.findings = vec![countersign::model::finding::Finding {
                    code: Code::SnippetAbsent,
                    detail: String::new(),
                    place: None,
                    evidence: None,
                }];
            }
            rows.push(r);
        }
        let removals = [RemovalCandidate {
            row: sheet::row("lanternfield-0000000000aa", t[0], sn[0], &[]),
            reason: language
                .pick(["The page answered 404 in two separate visits.", "兩次造訪網頁皆回應 404。"])
                .into(),
            last_seen: "2027-02-01".into(),
            dependants: vec!["lanternfield-000000000003".into()],
        }];
        let changed = [ChangedPair {
            old: sheet::row("lanternfield-0000000000bb", t[1], sn[1], &[]),
            new: rows[1].clone(),
            reason: language.pick(["The date moved by a year.", "日期延後一年。"]).into(),
        }];
        let w = countersign::sheet::write::write_workbook(&SheetInput {
            facts: &facts,
            rows: &rows,
            removals: &removals,
            changed: &changed,
        })
        .unwrap();
        std::fs::write(format!("/tmp/look_{}.xlsx", language.tag()), &w.bytes).unwrap();
    }
}
