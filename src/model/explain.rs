//! What each finding says to a client, in plain words of both languages; never a rule, never a
//! decision.
//!
//! A text names what was seen and what to look at. It has to be understood by somebody who has
//! never heard of a gate, a snippet or a model.

use crate::model::finding::Code;
use crate::model::sheet::SheetLanguage;

/// One finding in plain words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// What was seen, one sentence.
    pub seen: &'static str,
    /// What to look at, one sentence.
    pub look: &'static str,
    /// What is at stake if nobody looks: 1 (wording) to 5 (a wrong rule or amount).
    pub stake: u32,
}

/// The explanation of `code` in `language`.
pub fn explain(code: Code, language: SheetLanguage) -> Explanation {
    let (stake, english, chinese) = entry(code);
    let (seen, look) = language.pick([english, chinese]);
    Explanation { seen, look, stake }
}

type Entry = (u32, (&'static str, &'static str), (&'static str, &'static str));

fn entry(code: Code) -> Entry {
    match code {
        Code::SnippetAbsent
        | Code::SnippetFromExample
        | Code::SnippetStitched
        | Code::SnippetTooShort
        | Code::SnippetTranslated
        | Code::SnippetPresentation
        | Code::SnippetScript
        | Code::SnippetCutsNegation
        | Code::SnippetCutsException => of_snippets(code),
        Code::NumberAbsent
        | Code::NumberFragment
        | Code::NumberComputed
        | Code::UnitChanged
        | Code::OperatorChanged
        | Code::DateAmbiguous
        | Code::NotStated => of_values(code),
        Code::PageEmpty
        | Code::PageBlocked
        | Code::PageSuspect
        | Code::RowMalformed
        | Code::OutputTruncated
        | Code::NoAnswer
        | Code::InstructionText
        | Code::OutsideContent
        | Code::StaleSnapshot
        | Code::UnauthorisedSource => of_pages(code),
        Code::ReviewerDisagrees
        | Code::ReviewerAdded
        | Code::ReviewIncomplete
        | Code::Conflict
        | Code::DuplicateMerged
        | Code::Omission => of_readings(code),
        _ => of_meaning(code),
    }
}

fn of_snippets(code: Code) -> Entry {
    match code {
        Code::SnippetAbsent => (
            5,
            (
                "The quoted words could not be found on the page.",
                "Is this stated on the page at all? If it is, please paste the page's own words.",
            ),
            ("在網頁上找不到所引用的文字。", "網頁是否真的這樣寫？若有，請貼上網頁原文。"),
        ),
        Code::SnippetFromExample => (
            5,
            (
                "The quoted words come from our own example sentences, not from the page.",
                "Does the page state this? If not, reject it.",
            ),
            ("所引文字來自我們提供的例句，不是網頁內容。", "網頁上有這項規定嗎？沒有的話請退回。"),
        ),
        Code::SnippetStitched => (
            4,
            (
                "The quote was put together from separate places on the page.",
                "Do these pieces belong to one rule?",
            ),
            ("引文是由網頁上不同位置拼成的。", "這幾段文字是否屬於同一項規定？"),
        ),
        Code::SnippetTooShort => (
            3,
            (
                "The quote is too short to show the whole rule.",
                "Does the page say the same when you read the whole sentence?",
            ),
            ("引文太短，看不出完整的規定。", "讀完整句後，意思是否相同？"),
        ),
        Code::SnippetTranslated => (
            4,
            (
                "The quote is in another language than the page.",
                "Please paste the page's own words if the rule is right.",
            ),
            ("引文與網頁使用的語言不同。", "若規定正確，請貼上網頁原文。"),
        ),
        Code::SnippetPresentation => (
            1,
            (
                "The quote differed from the page only in spacing, quotation marks or width; the page's own characters are shown.",
                "Nothing, unless the meaning looks different to you.",
            ),
            (
                "引文與網頁只有空格、引號或全形半形的差別，此處顯示網頁原字。",
                "如無意義上的差別，無須處理。",
            ),
        ),
        Code::SnippetScript => (
            1,
            (
                "The quote was written in the other Chinese script; the page's own characters are shown.",
                "Nothing, unless the meaning looks different to you.",
            ),
            ("引文的繁簡字體與網頁不同，此處顯示網頁原字。", "如無意義上的差別，無須處理。"),
        ),
        Code::SnippetCutsNegation => (
            5,
            (
                "There is a \"not\" (or similar) right beside the quoted words.",
                "Does the rule say the opposite when the \"not\" is read along?",
            ),
            ("引文旁邊緊接著「不」「未」等否定字。", "連同否定字一起讀，意思是否相反？"),
        ),
        _ => (
            5,
            (
                "The sentence goes on with an exception (unless, except, only if).",
                "Is the row still right with the exception?",
            ),
            ("該句附有例外（但書、除外、僅限）。", "把例外算進去後，這一列是否仍然正確？"),
        ),
    }
}

fn of_values(code: Code) -> Entry {
    match code {
        Code::NumberAbsent => (
            5,
            (
                "The number does not stand in the quoted words.",
                "Which number does the page give here?",
            ),
            ("引文中沒有這個數字。", "網頁此處寫的是哪個數字？"),
        ),
        Code::NumberFragment => (
            5,
            (
                "The number is only a part of a longer number on the page.",
                "Which whole number does the page give?",
            ),
            ("這個數字只是網頁上較長數字的一部分。", "網頁上完整的數字是多少？"),
        ),
        Code::NumberComputed => (
            3,
            (
                "The number was worked out; the page words it differently (for example months instead of years).",
                "Is the conversion right, and do you want it so?",
            ),
            (
                "這個數字是換算出來的，網頁的寫法不同（例如月與年）。",
                "換算是否正確？是否要採用換算值？",
            ),
        ),
        Code::UnitChanged => (
            5,
            (
                "The unit is not the one on the page.",
                "Which unit goes with the number: per month or per year, persons or households, which currency?",
            ),
            ("單位與網頁不同。", "這個數字的單位是什麼：每月或每年、人或戶、哪種貨幣？"),
        ),
        Code::OperatorChanged => (
            5,
            (
                "It is not certain whether the limit itself counts (\"65 or over\" against \"over 65\").",
                "Is somebody exactly at the limit in or out?",
            ),
            (
                "不確定界線本身是否包括在內（「65歲以上」或「超過65歲」）。",
                "剛好在界線上的人算不算？",
            ),
        ),
        Code::DateAmbiguous => (
            4,
            (
                "The date can be read in more than one way.",
                "Which day is meant? Please write it as year-month-day if you correct it.",
            ),
            ("日期可以有不同讀法。", "是指哪一天？如要更正，請寫成 年-月-日。"),
        ),
        _ => (
            4,
            (
                "It was said that the page does not state this, but the page has words on it.",
                "Does the page state it?",
            ),
            ("初讀認為網頁沒有說明，但網頁上有相關文字。", "網頁是否有說明？"),
        ),
    }
}

fn of_meaning(code: Code) -> Entry {
    match code {
        Code::ConnectiveChanged => (
            5,
            (
                "It is not certain whether all of the listed conditions are needed or any one of them.",
                "Does the list say \"and\" or \"or\"?",
            ),
            ("不確定所列條件須全部符合，或符合其一即可。", "清單是「且」還是「或」？"),
        ),
        Code::ConditionDropped => (
            5,
            (
                "The sentence has a further condition that the row leaves out.",
                "Is the row right without that condition?",
            ),
            ("該句還有一項條件，這一列沒有寫到。", "少了那項條件，這一列是否仍正確？"),
        ),
        Code::HedgeDropped => (
            3,
            (
                "The page says it less firmly (\"normally\", \"in principle\").",
                "Is the row too strict?",
            ),
            ("網頁的語氣較寬（「原則上」「一般」）。", "這一列是否寫得太絕對？"),
        ),
        Code::ForceChanged => (
            4,
            (
                "\"Must\", \"should\" and \"may\" do not agree with the page.",
                "How strong is the rule?",
            ),
            ("「應」「宜」「得」的強度與網頁不一致。", "這項規定的強度是什麼？"),
        ),
        Code::ScopeChanged => (
            5,
            (
                "The row applies to other people or cases than the page says.",
                "Whom does the rule cover?",
            ),
            ("這一列適用的人或情況與網頁不同。", "規定適用於誰？"),
        ),
        Code::AddedWords => (
            3,
            (
                "The row has words that the page does not have.",
                "Do the added words change the meaning?",
            ),
            ("這一列有網頁上沒有的字詞。", "多出來的字詞是否改變意思？"),
        ),
        Code::JudgementAdded => (
            4,
            (
                "The row draws a conclusion that the page does not draw.",
                "Does the page itself say so?",
            ),
            ("這一列下了網頁沒有下的判斷。", "網頁本身有這樣說嗎？"),
        ),
        Code::WrongSubject => (
            5,
            (
                "The value seems to belong to somebody or something else.",
                "Who or what is it about?",
            ),
            ("這個值似乎屬於另一個對象。", "它是指誰或指什麼？"),
        ),
        Code::WrongCell => (
            5,
            (
                "The value may come from another row or column of the table.",
                "Which row and column does it belong to?",
            ),
            ("這個值可能取自表格的另一列或另一欄。", "它屬於哪一列、哪一欄？"),
        ),
        _ => (
            2,
            (
                "It does not fit any of the agreed fields.",
                "Which field does it belong to, or should it go?",
            ),
            ("它不屬於任何約定的欄位。", "應歸入哪個欄位，還是不要？"),
        ),
    }
}

fn of_readings(code: Code) -> Entry {
    match code {
        Code::ReviewerDisagrees => (
            5,
            ("Two readings of the page do not agree.", "Which of the two is right, or neither?"),
            ("兩次閱讀的結果不一致。", "哪一個正確？或都不正確？"),
        ),
        Code::ReviewerAdded => (
            4,
            ("Only the second reading found this.", "Is it a condition, and is it right?"),
            ("只有複核時發現這一項。", "這是不是一項條件？內容是否正確？"),
        ),
        Code::ReviewIncomplete => (
            3,
            ("The second reading did not reach this row.", "Is the row right?"),
            ("複核沒有完成這一列。", "這一列是否正確？"),
        ),
        Code::Conflict => (
            5,
            ("Two rows say different things about the same matter.", "Which one holds?"),
            ("有兩列對同一件事的說法不同。", "以哪一個為準？"),
        ),
        Code::DuplicateMerged => (
            1,
            ("The same thing was found twice and is counted once.", "Nothing."),
            ("同一項目找到兩次，只計一次。", "無須處理。"),
        ),
        _ => (
            4,
            (
                "A sentence with a number or a rule word was not used by any row.",
                "Is there a condition in it that is missing?",
            ),
            ("有一句含數字或規定用語的文字沒有被任何一列採用。", "其中是否漏了一項條件？"),
        ),
    }
}

fn of_pages(code: Code) -> Entry {
    match code {
        Code::PageEmpty => (
            3,
            ("The page came without content.", "Please open the page: is there anything on it?"),
            ("網頁沒有內容。", "請打開網頁查看是否有內容。"),
        ),
        Code::PageBlocked => (
            3,
            ("The page could not be read (access was refused).", "Please open the page and check."),
            ("網頁拒絕存取，無法讀取。", "請打開網頁查看。"),
        ),
        Code::PageSuspect => (
            3,
            (
                "The page did not look like the page we know.",
                "Please open the page: is it the right one?",
            ),
            ("網頁看來不是原來的網頁。", "請打開網頁，確認是否正確。"),
        ),
        Code::RowMalformed => (
            3,
            ("The row came in a form that could not be used as it was.", "Is the row right?"),
            ("這一列的格式有誤，無法直接採用。", "這一列是否正確？"),
        ),
        Code::OutputTruncated => (
            3,
            (
                "The reading of this part broke off.",
                "Please look for conditions that are missing here.",
            ),
            ("這部分的閱讀中途中斷。", "請查看此處是否漏了條件。"),
        ),
        Code::NoAnswer => (
            3,
            ("Nothing was read for this part of the page.", "Does this part state conditions?"),
            ("網頁的這一部分沒有讀出任何結果。", "這部分是否有規定條件？"),
        ),
        Code::InstructionText => (
            5,
            (
                "The page has text that gives orders to a program.",
                "Is this a real rule for people?",
            ),
            ("網頁含有對程式下指令的文字。", "這是不是給民眾的真正規定？"),
        ),
        Code::OutsideContent => (
            3,
            (
                "The words stand outside the page's main content (menu, footer).",
                "Is it part of the rules?",
            ),
            ("文字位於主要內容之外（選單、頁尾）。", "它屬於規定的一部分嗎？"),
        ),
        Code::StaleSnapshot => (
            4,
            ("The page has changed since this was read.", "Does the page still say so?"),
            ("讀取之後網頁已更改。", "網頁現在還是這樣寫嗎？"),
        ),
        _ => (
            5,
            (
                "The text comes from a site that was not agreed as a source.",
                "May this site be relied on?",
            ),
            ("文字來自未經約定的網站。", "可以依據這個網站嗎？"),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_explained_in_both_languages() {
        for &code in Code::ALL {
            let english = explain(code, SheetLanguage::English);
            let chinese = explain(code, SheetLanguage::Chinese);
            assert!(english.seen.is_ascii() && english.seen.ends_with('.'), "{code}");
            assert!(chinese.seen.ends_with('。') && !chinese.seen.is_ascii(), "{code}");
            assert!((1..=5).contains(&english.stake), "{code}");
        }
    }

    #[test]
    fn no_two_codes_share_a_text() {
        let mut seen: Vec<&str> =
            Code::ALL.iter().map(|&it| explain(it, SheetLanguage::English).seen).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), Code::ALL.len());
    }
}
