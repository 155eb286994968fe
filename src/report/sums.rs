//! The counts of a run as sums that a reader can follow; never a total of which a part is missing.

use crate::model::run::RunSummary;
use crate::model::sheet::SheetLanguage;

/// One total and the parts it must be equal to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sum {
    pub label: String,
    pub total: u64,
    pub parts: Vec<Part>,
    pub adds_up: bool,
}

/// One part of a total.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub label: &'static str,
    pub count: u64,
}

/// The totals of a run. `rows` and `pages` are counted from the rows and pages that are shown, so
/// that a summary that says otherwise is seen.
pub fn sums_of(run: &RunSummary, rows: u64, language: SheetLanguage) -> Vec<Sum> {
    let sum = |label: [&'static str; 2], total: u64, parts: &[([&'static str; 2], u64)]| {
        let parts: Vec<Part> = parts
            .iter()
            .map(|&(label, count)| Part { label: language.pick(label), count })
            .collect();
        let adds_up = parts.iter().map(|it| it.count).sum::<u64>() == total;
        Sum { label: language.pick(label).to_owned(), total, parts, adds_up }
    };
    let pages = run.pages.fetched + run.pages.unchanged + run.pages.failed + run.pages.refused;
    let mut sums = vec![
        sum(
            ["Pages", "網頁"],
            pages,
            &[
                (["fetched", "已擷取"], run.pages.fetched),
                (["unchanged", "未變更"], run.pages.unchanged),
                (["failed", "失敗"], run.pages.failed),
                (["refused", "未獲准"], run.pages.refused),
            ],
        ),
        sum(
            ["Parts of pages", "段落"],
            run.items.total,
            &[
                (["asked", "已提問"], run.items.asked),
                (["carried over", "沿用"], run.items.carried),
                (["done before", "先前完成"], run.items.done),
            ],
        ),
        sum(
            ["Rows", "列"],
            rows,
            &[
                (["accepted", "已接受"], run.rows.accepted),
                (["for a person to decide", "待人決定"], run.rows.flagged),
                (["not taken", "未採用"], run.rows.dropped),
                (["same as another row", "與另一列相同"], run.rows.merged),
            ],
        ),
    ];
    let ledger = run.ledger;
    if ledger.used + ledger.not_a_condition + ledger.open > 0 {
        sums.push(sum(
            ["Sentences and table rows", "句子與表格列"],
            ledger.used + ledger.not_a_condition + ledger.open,
            &[
                (["used by a row", "已採用"], ledger.used),
                (["no condition", "不是條件"], ledger.not_a_condition),
                (["open", "未說明"], ledger.open),
            ],
        ));
    }
    sums.extend(watched(run, language));
    sums
}

/// How each reviewer did with rows that were made false to test it, by what was wrong with them.
fn watched(run: &RunSummary, language: SheetLanguage) -> Vec<Sum> {
    let part = |label: [&'static str; 2], count| Part { label: language.pick(label), count };
    let (rows, confirmed) = (run.watch.rows, run.watch.confirmed);
    let others = Sum {
        label: language
            .pick([
                "Rows shown to the reviewer beside those made false",
                "與改錯的列一同送複核的列",
            ])
            .to_owned(),
        total: rows,
        parts: vec![
            part(["confirmed", "判定無誤"], confirmed),
            part(["not confirmed", "未判定無誤"], rows.saturating_sub(confirmed)),
        ],
        adds_up: confirmed <= rows,
    };
    let models = run.watch.models.iter();
    let made_false = models
        .flat_map(|(model, kinds)| kinds.iter().map(move |(kind, counts)| (model, kind, counts)))
        .map(|(model, kind, counts)| {
            let passed = counts.shown.saturating_sub(counts.caught);
            Sum {
                label: match language {
                    SheetLanguage::English => {
                        format!("Rows made false to test {model}: wrong {kind}")
                    }
                    SheetLanguage::Chinese => {
                        format!("為測試 {model} 而改錯的列：{}", kind_in_chinese(kind))
                    }
                },
                total: counts.shown,
                parts: vec![
                    part(["caught", "已識破"], counts.caught),
                    part(["not caught", "未識破"], passed),
                ],
                adds_up: counts.caught + passed == counts.shown,
            }
        });
    made_false.chain((rows > 0).then_some(others)).collect()
}

fn kind_in_chinese(kind: &str) -> &str {
    match kind {
        "operator" => "比較",
        "value" => "數值",
        "unit" => "單位",
        "join" => "結合方式",
        "force" => "效力",
        "subject" => "對象",
        "quote" => "引文",
        other => other,
    }
}
