//! The report's own words, in both languages.

use crate::gate::sentences::ledger::Why;
use crate::model::row::RowStatus;
use crate::model::sheet::SheetLanguage;

/// Headings and labels of the page.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    pub numbers: &'static str,
    pub does_not_add_up: &'static str,
    pub findings: &'static str,
    pub pages: &'static str,
    pub used: &'static str,
    pub plain: &'static str,
    pub open_rule: &'static str,
    pub open: &'static str,
    pub open_page: &'static str,
    pub sentences: &'static str,
    pub money: &'static str,
    pub source: &'static str,
    pub step: &'static str,
    pub asks: &'static str,
    pub actual: &'static str,
    pub estimated: &'static str,
}

impl Words {
    /// The words of a language.
    pub fn of(language: SheetLanguage) -> Self {
        let pick = |pair: [&'static str; 2]| language.pick(pair);
        Self {
            numbers: pick(["This run in numbers", "本次執行的數字"]),
            does_not_add_up: pick(["does not add up", "合計不符"]),
            findings: pick(["What was found, and what to look at", "發現的問題與查看重點"]),
            pages: pick(["Pages, rows and sentences", "網頁、各列與句子"]),
            used: pick(["used by a row", "已採用"]),
            plain: pick(["no condition", "不是條件"]),
            open_rule: pick(["has a rule word or number, not used", "含規定用語或數字，未採用"]),
            open: pick(["not used", "未採用"]),
            open_page: pick(["open the page", "開啟網頁"]),
            sentences: pick(["The page, sentence by sentence", "逐句查看網頁"]),
            money: pick(["Money: estimate against actual", "費用：預估與實際"]),
            source: pick(["Source", "來源"]),
            step: pick(["Step", "步驟"]),
            asks: pick(["Questions", "提問"]),
            actual: pick(["Actual", "實際"]),
            estimated: pick(["Low / expected / high", "低／預期／高"]),
        }
    }
}

/// Where a row stands.
pub fn standing(status: RowStatus, language: SheetLanguage) -> &'static str {
    language.pick(match status {
        RowStatus::Accepted => ["Accepted", "已接受"],
        RowStatus::Flagged => ["To be decided", "待決定"],
        RowStatus::Dropped => ["Not taken", "未採用"],
        RowStatus::Merged => ["Same as another row", "與另一列相同"],
    })
}

/// Why a sentence is no condition.
pub fn why_plain(why: Why, language: SheetLanguage) -> &'static str {
    language.pick(match why {
        Why::Heading => ["a heading", "標題"],
        Why::LeadIn => ["leads into a list", "清單的引言"],
        Why::TableHead => ["head of a table", "表格標題"],
        Why::Question => ["a question", "問句"],
        Why::Contact => ["how to get in touch", "聯絡方式"],
        Why::Reference => ["points to another text", "參照其他文字"],
        Why::Plain => ["states no rule", "沒有規定"],
    })
}
