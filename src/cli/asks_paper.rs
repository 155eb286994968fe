//! Open asks as papers: what a person who answers reads, in the language of the page.
//!
//! Beside the files for programs, never instead of them; nothing here is read back.

use std::fmt::Write;

use crate::model::ask::{Ask, Step};

/// The paper of one ask: what is asked, how to answer, then the instructions. `message` is what a model
/// would be sent.
pub fn ask_paper(digest: &str, ask: &Ask, message: &str) -> String {
    let is_chinese = ask.language.starts_with("zh");
    let step = step_of(ask.step, is_chinese);
    let mut text = String::new();
    if is_chinese {
        let _ = write!(
            text,
            "# {step}：{}\n\n{message}\n\n## 如何作答\n\n打開 `{digest}.json`，只改 `answer`：`answered_by` \
             填作答者，`reply` 填 JSON 物件（可直接貼上，不必加引號）。其餘不要改。完成後執行 \
             `countersign asks import`，後面接這個資料夾。\n\n---\n\n{}\n",
            ask.page_title, ask.instructions
        );
    } else {
        let _ = write!(
            text,
            "# {step}: {}\n\n{message}\n\n## How to answer\n\nOpen `{digest}.json` and change `answer` alone: \
             who answers in `answered_by`, the JSON object in `reply` (as it is, without quotes around it). \
             Then run `countersign asks import` with this folder.\n\n---\n\n{}\n",
            ask.page_title, ask.instructions
        );
    }
    text
}

/// The list of all asks of an export, in both languages.
pub fn list_paper(open: &[(String, Ask)]) -> String {
    let mut text = format!(
        "# Open questions: {0}\n\nEach question is a pair of files: `….md` to read, `….json` to answer in \
         (`answered_by` and `reply` under `answer`). Answer as many as you like, in any order, then run \
         `countersign asks import` with this folder; what is not answered yet stays open. A program may read \
         all of them as lines of `bundle.jsonl` and hand the same lines back with the answers filled in.\n\n\
         # 待答題目：{0} 題\n\n每題兩個檔案：`….md` 供閱讀，`….json` 供作答（`answer` 之下的 `answered_by` 與 \
         `reply`）。題數與次序不拘；完成後執行 `countersign asks import`，後面接這個資料夾，未答者仍待答。程式可逐行讀取 \
         `bundle.jsonl`，填好答案後逐行交回。\n\n| question 題目 | step 步驟 | page 網頁 | section 段落 |\n| --- | --- | --- | --- |\n",
        open.len()
    );
    for (digest, ask) in open {
        let is_chinese = ask.language.starts_with("zh");
        let again = match (ask.attempt, is_chinese) {
            (1, _) => "",
            (_, false) => ", again",
            (_, true) => "（再問）",
        };
        let _ = writeln!(
            text,
            "| [{}]({digest}.md) | {}{again} | {} | {} |",
            &digest[..12.min(digest.len())],
            step_of(ask.step, is_chinese),
            cell(&ask.page_title),
            cell(ask.heading_path.last().map_or("", String::as_str)),
        );
    }
    text
}

fn step_of(step: Step, is_chinese: bool) -> &'static str {
    match (step, is_chinese) {
        (Step::Extract, false) => "First reading",
        (Step::Review, false) => "Review",
        (Step::Extract, true) => "初讀",
        (Step::Review, true) => "審查",
    }
}

/// Words of a page inside a cell of a table: one line, and no bar that would end the cell.
fn cell(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ask::ReaderId;

    fn ask(language: &str) -> Ask {
        Ask {
            format: String::new(),
            step: Step::Review,
            attempt: 2,
            reader: ReaderId { name: "ada".to_owned(), settings: [].into() },
            language: language.to_owned(),
            instructions: "INSTRUCTIONS 說明".to_owned(),
            fields: vec![],
            page_title: "Ferry | 渡輪".to_owned(),
            heading_path: vec!["Fares\n票價".to_owned()],
            text: String::new(),
            rows: vec![],
            reasons: vec![],
        }
    }

    #[test]
    fn a_paper_says_what_is_asked_and_how_to_answer_in_the_pages_language() {
        let english = ask_paper("0123456789abcdef", &ask("en"), "MESSAGE");
        for wanted in ["# Review: Ferry", "MESSAGE", "`0123456789abcdef.json`", "INSTRUCTIONS"] {
            assert!(english.contains(wanted), "{english}");
        }
        let chinese = ask_paper("0123456789abcdef", &ask("zh-Hant"), "MESSAGE");
        assert!(chinese.contains("# 審查：Ferry") && chinese.contains("## 如何作答"), "{chinese}");
    }

    #[test]
    fn the_list_has_a_line_for_each_ask_that_no_title_can_break() {
        let list = list_paper(&[("0123456789abcdef".to_owned(), ask("zh-Hant"))]);
        let line = list.lines().last().unwrap();
        assert!(
            line.starts_with("| [0123456789ab](0123456789abcdef.md) | 審查（再問） |"),
            "{line}"
        );
        assert!(line.ends_with("| Ferry \\| 渡輪 | Fares 票價 |"), "{line}");
    }
}
