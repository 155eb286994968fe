//! What is said of a returned file as a whole, in both languages: what was seen and what follows.

use crate::model::sheet::SheetLanguage;

/// One thing seen in a returned file that is not about one row alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told<'a> {
    /// Name of the encoding a CSV was read in.
    GuessedEncoding(&'a str),
    IdentityDiffers,
    IdentityLost,
    HeaderTwice,
    HeaderMissing,
    /// How many more cells were not read than are named.
    MoreUnread(usize),
    /// How many rows, on which tab.
    RowsHidden(usize, &'a str),
    EvidenceHidden(&'a str),
    /// A whole tab was hidden.
    TabHidden(&'a str),
    /// Text outside of the known columns.
    Unread(&'a str),
    /// A comment that hangs on a cell.
    Remark(&'a str),
}

impl Told<'_> {
    /// The sentence in a language.
    pub fn text(self, language: SheetLanguage) -> String {
        match language {
            SheetLanguage::English => self.english(),
            SheetLanguage::Chinese => self.chinese(),
        }
    }

    fn english(self) -> String {
        match self {
            Self::GuessedEncoding(name) => {
                format!("the CSV file is not UTF-8; it was read as {name}")
            }
            Self::IdentityDiffers => {
                "the file's properties and its hidden tab name different sheets".to_owned()
            }
            Self::IdentityLost => {
                "the file no longer says which sheet it is; its rows are known by their keys alone"
                    .to_owned()
            }
            Self::HeaderTwice => {
                "this header stands on the tab more than once, so the column cannot be read; please remove the one that was added".to_owned()
            }
            Self::HeaderMissing => {
                "a header that decisions are read by is missing or was renamed; please put it back"
                    .to_owned()
            }
            Self::MoreUnread(more) => {
                format!("{more} more cells outside of the known columns were not read")
            }
            Self::RowsHidden(count, tab) => format!(
                "{count} rows of \"{tab}\" were hidden when the file was saved; they were read all the same"
            ),
            Self::EvidenceHidden(tab) => {
                format!("columns of evidence on \"{tab}\" were hidden when the file was saved")
            }
            Self::TabHidden(tab) => format!(
                "the tab \"{tab}\" was hidden when the file was saved; it was read all the same"
            ),
            Self::Unread(text) => {
                format!("not read, because it stands outside of the known columns: \"{text}\"")
            }
            Self::Remark(text) => format!(
                "a comment on the cell is no decision and was not taken; please use \"Note\": \"{text}\""
            ),
        }
    }

    fn chinese(self) -> String {
        match self {
            Self::GuessedEncoding(name) => format!("CSV 檔不是 UTF-8 編碼；以 {name} 讀取"),
            Self::IdentityDiffers => "檔案屬性與隱藏頁所載的表不同".to_owned(),
            Self::IdentityLost => "檔案已不載明是哪一份表；僅以列號辨識各列".to_owned(),
            Self::HeaderTwice => {
                "此欄名在頁內出現多次，無法讀取該欄；請刪除後來加上的一欄".to_owned()
            }
            Self::HeaderMissing => "缺少讀取決定所需的欄名，或欄名已更改；請改回原欄名".to_owned(),
            Self::MoreUnread(more) => format!("另有 {more} 個儲存格在已知欄位之外，未讀取"),
            Self::RowsHidden(count, tab) => {
                format!("存檔時「{tab}」有 {count} 列隱藏；仍照常讀取")
            }
            Self::EvidenceHidden(tab) => format!("存檔時「{tab}」的證據欄位為隱藏狀態"),
            Self::TabHidden(tab) => format!("存檔時「{tab}」整頁隱藏；仍照常讀取"),
            Self::Unread(text) => format!("在已知欄位之外，未讀取：「{text}」"),
            Self::Remark(text) => {
                format!("儲存格上的註解不是決定，未予採用；請改用「備註」欄：「{text}」")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sentence_stands_in_both_languages_and_keeps_its_numbers() {
        let all = [
            Told::GuessedEncoding("Big5"),
            Told::IdentityDiffers,
            Told::IdentityLost,
            Told::HeaderTwice,
            Told::HeaderMissing,
            Told::MoreUnread(7),
            Told::RowsHidden(7, "x"),
            Told::EvidenceHidden("x"),
            Told::TabHidden("x"),
            Told::Unread("x"),
            Told::Remark("x"),
        ];
        for told in all {
            let (english, chinese) =
                (told.text(SheetLanguage::English), told.text(SheetLanguage::Chinese));
            assert!(
                !english.chars().any(|it| ('\u{4e00}'..='\u{9fff}').contains(&it)),
                "{english}"
            );
            assert!(chinese.chars().any(|it| ('\u{4e00}'..='\u{9fff}').contains(&it)), "{chinese}");
            assert_eq!(english.contains('7'), chinese.contains('7'));
        }
    }
}
