//! What a finding of a returned sheet says to the client, in both languages: what was expected, what
//! came back, what to do.

use crate::model::decision::{ACCEPTED_WORDS, DecisionWord};
use crate::model::sheet::{Column, SheetLanguage, Tab};
use crate::model::signing::SignCode;

/// The sentence for a finding; `what` is the word or text it is about, where there is one.
pub fn sentence(code: SignCode, language: SheetLanguage, what: &str) -> String {
    let [english, chinese] = texts(code);
    language.pick([english, chinese]).replace("{}", what)
}

/// The header of a column that a row cannot be read without, as it stands on the sheet; a test holds
/// it against the sheet's own titles.
pub fn column_title(column: Column, language: SheetLanguage) -> &'static str {
    language.pick(match column {
        Column::Check => ["Check", "核對碼"],
        Column::Decision => ["Decision", "決定"],
        Column::Extracted => ["What was extracted", "擷取的內容"],
        Column::Says => ["What the page says", "網頁怎麼說"],
        Column::LastKnown => ["Last known text", "最後所見的文字"],
        other => [other.as_str(), other.as_str()],
    })
}

/// What is said of the word for all accepted rows where it is not on its list.
pub fn unknown_statement(language: SheetLanguage) -> String {
    let words = ACCEPTED_WORDS.map(|it| language.pick(it)).join(" / ");
    match language {
        SheetLanguage::English => format!(
            "the word beside \"All other rows\" is not one of: {words}; no row of \"Accepted\" was approved by it"
        ),
        SheetLanguage::Chinese => {
            format!("「其餘各列」旁的文字不在可選的字詞內：{words}；未據以核准任何一列")
        }
    }
}

/// What is said of a correction to an open sentence: there is no row that could be corrected.
pub fn nothing_to_correct(language: SheetLanguage) -> &'static str {
    language.pick([
        "nothing was extracted from this sentence, so there is no value to correct; choose \"reject\" and say in the note what is missing, or \"approve\" if nothing is",
        "此句沒有擷取任何內容，無從更正；如有遺漏請選「退回」並在備註寫明，沒有遺漏請選「核准」",
    ])
}

/// The words a decision may be, joined for a message.
pub fn allowed_words(tab: Tab, language: SheetLanguage) -> String {
    let words: &[DecisionWord] = match tab {
        Tab::Removed => &DecisionWord::FOR_REMOVALS,
        _ => &DecisionWord::FOR_ROWS,
    };
    words.iter().map(|it| it.shown(language)).collect::<Vec<_>>().join(" / ")
}

fn texts(code: SignCode) -> [&'static str; 2] {
    match code {
        SignCode::LockedCellChanged
        | SignCode::LockedCellRetyped
        | SignCode::KnownRewrite
        | SignCode::EncodingDamage
        | SignCode::TypeDrift
        | SignCode::FormulaInCell
        | SignCode::MergedCells => of_cells(code),
        SignCode::UnknownDecision
        | SignCode::Undecided
        | SignCode::CorrectionMissing
        | SignCode::CorrectionUnasked
        | SignCode::CorrectionUnreadable
        | SignCode::CorrectionNotInSource
        | SignCode::CorrectionRefused => of_decisions(code),
        SignCode::RowMissing
        | SignCode::DuplicateRow
        | SignCode::ForeignRow
        | SignCode::Conflict
        | SignCode::StaleSignature
        | SignCode::Carried
        | SignCode::AlreadyDecided => of_rows(code),
        _ => of_files(code),
    }
}

fn of_cells(code: SignCode) -> [&'static str; 2] {
    match code {
        SignCode::LockedCellChanged => [
            "a grey cell was changed; the issued text counts and the decision was not taken. To mend something use \"correct\" and the corrected value or quote",
            "灰色儲存格被更改；以發出時的文字為準，此決定未採用。如要修正，請選「更正」並填寫更正後的值或引文",
        ],
        SignCode::LockedCellRetyped => [
            "a grey cell came back as a number or date of the same value; the issued text counts",
            "灰色儲存格變成等值的數字或日期；以發出時的文字為準",
        ],
        SignCode::KnownRewrite => [
            "the program that saved the file rewrote line ends or control characters; nothing else differs",
            "存檔的程式改寫了換行或控制字元，其餘相同",
        ],
        SignCode::EncodingDamage => [
            "letters were lost or garbled when the file was saved, so it cannot be seen what was decided on; please send the .xlsx",
            "存檔時文字遺失或變成亂碼，無法確認所決定的內容；請改寄 .xlsx 檔",
        ],
        SignCode::TypeDrift => [
            "the cell holds {}, text expected; please retype it as text",
            "儲存格內是{}，應為文字；請以文字重新輸入",
        ],
        SignCode::FormulaInCell => [
            "a cell of this row holds a formula ({}); please type the value",
            "此列有儲存格含公式（{}）；請直接輸入值",
        ],
        _ => [
            "cells were merged over this row, so it cannot be seen which row the word is for; please unmerge and decide each row",
            "此列的儲存格被合併，無法判斷決定屬於哪一列；請取消合併並逐列決定",
        ],
    }
}

fn of_decisions(code: SignCode) -> [&'static str; 2] {
    match code {
        SignCode::UnknownDecision => ["the decision is not one of: {}", "決定不在可選的字詞內：{}"],
        SignCode::Undecided => ["no decision yet: awaiting the client", "尚未決定：等候客戶"],
        SignCode::CorrectionMissing => [
            "\"correct\" says that the row is wrong, but there is no corrected value or quote; choose \"approve\" if the row is right as shown",
            "選了「更正」（表示此列有誤），但沒有填更正後的值或引文；若此列正確，請選「核准」",
        ],
        SignCode::CorrectionUnasked => [
            "there is a corrected value or quote, but the decision is not \"correct\"; please choose one or clear the other",
            "填了更正後的值或引文，但決定不是「更正」；請擇一處理",
        ],
        SignCode::CorrectionUnreadable => [
            "the corrected value \"{}\" cannot be read as what this row holds; write it like 65, >= 65, 18 - 25, 2027-03-01 or yes",
            "無法將更正後的值「{}」讀為此列的值；請寫成 65、>= 65、18 - 25、2027-03-01 或 是",
        ],
        SignCode::CorrectionNotInSource => [
            "the page does not state the correction in these very words; nothing was stored. Where the page has nearly the same, its own words are offered for you to confirm",
            "網頁上沒有與更正完全相同的文字，未予採用。若網頁有相近的文字，會附上原文請您確認",
        ],
        _ => [
            "the correction raises a question of its own; it is offered again with the reason",
            "更正後的內容另有疑問，附上理由再請您確認",
        ],
    }
}

fn of_rows(code: SignCode) -> [&'static str; 2] {
    match code {
        SignCode::RowMissing => [
            "this row was issued and is not in the file; it is undecided",
            "此列已發出但不在檔案中；視為未決定",
        ],
        SignCode::DuplicateRow => {
            ["this row stands in the file more than once ({})", "此列在檔案中出現多次（{}）"]
        }
        SignCode::ForeignRow => [
            "this row was not issued with this sheet; nothing of it was taken",
            "此列不是本表發出的，未採用其內容",
        ],
        SignCode::Conflict => [
            "two signed files decide this row differently; it is open again and neither counts",
            "兩份簽核對此列的決定不同；此列回到未決定，兩者皆不採計",
        ],
        SignCode::StaleSignature => [
            "the page or the row has changed since this sheet was issued; please decide on what it says now",
            "發出本表之後網頁或此列已變更；請依現在的內容重新決定",
        ],
        SignCode::Carried => [
            "the row is unchanged in the newer run, so the decision holds there",
            "此列在較新的執行中沒有變更，決定沿用",
        ],
        _ => ["the same decision is on record already", "相同的決定已有紀錄"],
    }
}

fn of_files(code: SignCode) -> [&'static str; 2] {
    match code {
        SignCode::WrongFile => [
            "this is not the sheet it is held against ({}); nothing was taken",
            "這不是所要核對的表（{}）；未採用任何內容",
        ],
        SignCode::SignerMissing => [
            "nobody has put a name to the decisions; write it beside \"Your name\" or pass --by NAME; nothing was taken",
            "沒有簽核人姓名；請填寫「您的姓名」或以 --by 指定；未採用任何內容",
        ],
        SignCode::HeaderMissing => [
            "a column that this row cannot be read without is missing or was renamed ({})",
            "缺少讀取此列所需的欄位，或欄名已更改（{}）",
        ],
        SignCode::OrderChanged => [
            "row order differs from issue order; rows are known by their keys",
            "列的順序與發出時不同；以列號辨識",
        ],
        _ => ["{}", "{}"],
    }
}

/// What a cell holds, in words: `a date (2027-03-01)`.
pub fn kind_of_cell(
    cell: &crate::model::returned::ReturnedCell,
    language: SheetLanguage,
) -> String {
    use crate::model::returned::CellContent;
    let (pair, shown) = match &cell.content {
        CellContent::Date(it) => (["a date", "日期"], it.clone()),
        CellContent::Number(it) => (["a number", "數字"], it.clone()),
        CellContent::Bool(it) => (["a truth value", "真假值"], it.to_string()),
        CellContent::Error(it) => (["an error", "錯誤值"], it.clone()),
        CellContent::Text(_) | CellContent::Empty => (["text", "文字"], cell.shown()),
    };
    match language {
        SheetLanguage::English => format!("{} ({shown})", pair[0]),
        SheetLanguage::Chinese => format!("{}（{shown}）", pair[1]),
    }
}
