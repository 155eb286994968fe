//! The sheet's own words to the client, in both languages; never a word about a single row.

use crate::model::decision::{DecisionWord, agreed_sentence};
use crate::model::sheet::{SheetFacts, SheetLanguage, Tab};
use crate::sheet::columns::tab_title;

/// A cell of "Read me first" that the client fills in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SignField {
    Name,
    Date,
    /// The word for all rows of "Accepted" that carry no word of their own.
    AcceptedRows,
}

impl SignField {
    /// All, in the order they stand.
    pub const ALL: [SignField; 3] = [Self::Name, Self::Date, Self::AcceptedRows];

    /// The label left of the cell; also what the cell is recognised by.
    pub fn label(self) -> [&'static str; 2] {
        match self {
            Self::Name => ["Your name", "您的姓名"],
            Self::Date => ["Date", "日期"],
            Self::AcceptedRows => {
                ["All other rows on the tab \"Accepted\"", "「已接受」頁其餘各列"]
            }
        }
    }
}

/// What each decision means, in the order of the lists.
pub fn meaning(word: DecisionWord, tab: Tab) -> [&'static str; 2] {
    match (word, tab) {
        (DecisionWord::Approve, _) => {
            ["right as shown: the row may be used", "所示內容正確，可以使用"]
        }
        (DecisionWord::Correct, _) => [
            "wrong as shown: write the right value (for example 65, >= 65, or 18 - 25) or paste the right quote from the page",
            "所示內容有誤：請填正確的值（例如 65、>= 65、18 - 25），或貼上網頁上的正確引文",
        ],
        (DecisionWord::Reject, _) => ["must not be used", "不可使用"],
        (DecisionWord::Keep, _) => ["stays in use", "繼續使用"],
        (DecisionWord::Remove, _) => ["is taken down", "移除"],
        (DecisionWord::Unsure, Tab::Removed) => {
            ["not decided: it stays in use for now", "未決定：暫時繼續使用"]
        }
        (DecisionWord::Unsure, _) => ["not decided: we ask again", "未決定：會再請您確認"],
    }
}

/// One line of "Read me first".
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    Title(String),
    Text(String),
    Head(String),
    Fact(String, String),
    Sign(SignField),
    Gap,
}

/// Numbers that "Read me first" tells.
#[derive(Clone, Copy, Debug, Default)]
pub struct Load {
    /// Rows on "Decide", open sentences included.
    pub to_decide: usize,
    /// Of these, sentences that no row uses.
    pub questions: usize,
    pub removals: usize,
    pub seconds: u64,
}

/// The lines of "Read me first".
pub fn read_me(facts: &SheetFacts, file: &str, load: Load) -> Vec<Line> {
    let mut lines = opening(facts, load);
    lines.extend(how_to(facts.language, load));
    lines.extend(signature(facts.language));
    lines.extend(numbers(facts, load));
    lines.extend(origin(facts, file));
    lines
}

fn opening(facts: &SheetFacts, load: Load) -> Vec<Line> {
    let language = facts.language;
    let titles: Vec<&str> = facts.sources.iter().map(|it| it.title.as_str()).collect();
    let (title, what, ask, stake) = match language {
        SheetLanguage::English => (
            "Please check before this is used".to_owned(),
            format!(
                "We read {} and wrote down the conditions the pages state, each with the page's own words.",
                titles.join(", ")
            ),
            what_is_asked(load, language),
            "What you approve is used as the rule, under your name. What you leave blank is not decided: it is neither used nor thrown away, and comes back to you.".to_owned(),
        ),
        SheetLanguage::Chinese => (
            "使用前請您核對".to_owned(),
            format!("我們讀取了{}，並記下網頁所列的各項條件，每一項都附網頁原文。", titles.join("、")),
            what_is_asked(load, language),
            "您核准的內容將以您的名義作為規定使用。留空的列視為未決定：不會使用也不會刪除，會再請您確認。".to_owned(),
        ),
    };
    let mut lines = vec![Line::Title(title), Line::Text(what), Line::Text(ask), Line::Text(stake)];
    if facts.no_model_was_used() {
        lines.push(Line::Text(
            language
                .pick([
                    "No AI model was used in this run: the pages were read by built-in rules.",
                    "本次未使用任何 AI 模型：網頁由內建規則讀取。",
                ])
                .to_owned(),
        ));
    }
    if let Some(earlier) = &facts.follow_up_of {
        lines.push(Line::Text(match language {
            SheetLanguage::English => {
                format!("This sheet holds exactly the rows that were still open after {earlier}.")
            }
            SheetLanguage::Chinese => format!("本表只列出 {earlier} 尚未決定的各列。"),
        }));
    }
    lines.push(Line::Gap);
    lines
}

/// How much is asked, and how long it may take.
fn what_is_asked(load: Load, language: SheetLanguage) -> String {
    let time = time_words(load.seconds, language);
    let (asked, removals) = (load.to_decide, load.removals);
    match (language, asked, removals) {
        (SheetLanguage::English, 0, 0) => {
            "Nothing needs your decision this time; the sheet is for reading.".to_owned()
        }
        (SheetLanguage::English, 0, _) => format!(
            "No new row needs your decision; {} on the tab \"{}\".",
            counted(removals, "question is", "questions are"),
            tab_title(Tab::Removed, language)
        ),
        (SheetLanguage::English, _, _) => format!(
            "{} your eyes. That takes about {time}; the rows at the top matter most, so any time you have is well spent from the top down. You can stop at any row and send back what you have.",
            counted(asked, "row needs", "rows need")
        ),
        (SheetLanguage::Chinese, 0, 0) => "這次沒有需要您決定的項目，本表供您閱讀。".to_owned(),
        (SheetLanguage::Chinese, 0, _) => format!(
            "這次沒有新的列需要決定；「{}」頁有 {removals} 個問題請您確認。",
            tab_title(Tab::Removed, language)
        ),
        (SheetLanguage::Chinese, _, _) => format!(
            "有 {asked} 列需要您親自確認，約需 {time}。越上面的列越重要，請由上往下處理；可在任何一列停下，先寄回已完成的部分。"
        ),
    }
}

fn how_to(language: SheetLanguage, load: Load) -> Vec<Line> {
    let mut lines = Vec::new();
    let decide = tab_title(Tab::Decide, language);
    let steps = match language {
        SheetLanguage::English => format!(
            "On the tab \"{decide}\", read each row from left to right: what it is about, what was extracted, what the page says (the quoted words are coloured, the number is bold), why we ask. Then choose a decision. \"open page\" shows the words on the live page."
        ),
        SheetLanguage::Chinese => format!(
            "在「{decide}」頁由左至右閱讀每一列：關於什麼、擷取的內容、網頁怎麼說（引文以顏色標示，數字加粗）、為何請您確認，然後選擇決定。「開啟網頁」會顯示網頁上的原文。"
        ),
    };
    lines.push(Line::Head(language.pick(["How to decide", "如何決定"]).to_owned()));
    lines.push(Line::Text(steps));
    for word in DecisionWord::FOR_ROWS {
        let text = language.pick(meaning(word, Tab::Decide)).to_owned();
        lines.push(Line::Fact(word.shown(language).to_owned(), text));
    }
    if load.removals > 0 {
        let removed = tab_title(Tab::Removed, language);
        lines.push(Line::Text(match language {
            SheetLanguage::English => format!(
                "The tab \"{removed}\" lists {} that the pages no longer show. Nothing is taken down unless you say so.",
                counted(load.removals, "row", "rows")
            ),
            SheetLanguage::Chinese => format!(
                "「{removed}」頁列出 {} 列網頁上已看不到的項目。除非您表示移除，否則一律保留。",
                load.removals
            ),
        }));
        for word in DecisionWord::FOR_REMOVALS {
            let text = language.pick(meaning(word, Tab::Removed)).to_owned();
            lines.push(Line::Fact(word.shown(language).to_owned(), text));
        }
    }
    lines.push(Line::Text(
        language
            .pick([
                "Sorting, filtering, hiding and renaming are fine. Grey cells are evidence: please do not change them; to mend something, choose \"correct\". Send the file back as it is (.xlsx).",
                "可以排序、篩選、隱藏或改名。灰色儲存格是證據，請勿更改；如要修正，請選「更正」。完成後請以原格式（.xlsx）寄回。",
            ])
            .to_owned(),
    ));
    lines.push(Line::Gap);
    lines
}

fn signature(language: SheetLanguage) -> Vec<Line> {
    let mut lines = vec![
        Line::Head(language.pick(["Your signature", "簽核"]).to_owned()),
        Line::Text(agreed_sentence(language).to_owned()),
    ];
    lines.extend(SignField::ALL.map(Line::Sign));
    lines.push(Line::Gap);
    lines
}

fn numbers(facts: &SheetFacts, load: Load) -> Vec<Line> {
    let (language, run) = (facts.language, &facts.summary);
    let pages = run.pages.fetched + run.pages.unchanged + run.pages.failed + run.pages.refused;
    let rows = run.rows.accepted + run.rows.flagged + run.rows.dropped + run.rows.merged;
    let mut lines =
        vec![Line::Head(language.pick(["This sheet in numbers", "本表的數字"]).to_owned())];
    let rows_asked = load.to_decide.saturating_sub(load.questions);
    for (label, count) in [
        (["Rows for you to decide", "請您決定的列"], rows_asked),
        (["Sentences that no row uses", "沒有任何列採用的句子"], load.questions),
        (["Rows that may be gone", "可能已移除的列"], load.removals),
    ] {
        lines.push(Line::Fact(language.pick(label).to_owned(), count.to_string()));
    }
    lines.push(Line::Head(language.pick(["The run in numbers", "本次執行的數字"]).to_owned()));
    let mut add = |label: [&str; 2], count: u64| {
        lines.push(Line::Fact(language.pick(label).to_owned(), count.to_string()));
    };
    add(["Pages", "網頁"], pages);
    add(["  read", "　已讀取"], run.pages.fetched + run.pages.unchanged);
    add(["  could not be read", "　無法讀取"], run.pages.failed + run.pages.refused);
    add(["Parts of pages read for conditions", "逐段閱讀的段落"], run.items.total);
    add(["Rows found", "找到的列"], rows);
    add(["  passed all checks (tab Accepted)", "　通過所有檢查（已接受）"], run.rows.accepted);
    add(["  with a question to a person", "　需由人確認"], run.rows.flagged);
    add(["  not taken, with the reason", "　未採用（附理由）"], run.rows.dropped);
    add(["  same as another row", "　與另一列相同"], run.rows.merged);
    add(
        ["Sentences with a rule word or number still unexplained", "尚未說明的規定句"],
        run.ledger.open,
    );
    lines.extend(gone_pages(facts));
    lines.push(Line::Gap);
    lines
}

/// Pages that are no longer there and on which no row rests: nothing to decide, and nothing that may
/// go unsaid.
fn gone_pages(facts: &SheetFacts) -> Vec<Line> {
    /// More are counted: the whole list stands in the run's summary.
    const MOST_NAMED: usize = 10;
    let (language, gone) = (facts.language, &facts.summary.gone);
    let Some(more) = gone.len().checked_sub(1).map(|_| gone.len().saturating_sub(MOST_NAMED))
    else {
        return Vec::new();
    };
    let label = language.pick(["Pages gone on which no row rests", "已不存在、無任何列引用的網頁"]);
    let mut named: Vec<String> = gone
        .iter()
        .take(MOST_NAMED)
        .map(|it| format!("{}{}{}", it.page, language.pick([" — ", "："]), it.reason))
        .collect();
    if more > 0 {
        named.push(match language {
            SheetLanguage::English => format!("and {more} more"),
            SheetLanguage::Chinese => format!("另有 {more} 頁"),
        });
    }
    vec![Line::Fact(label.to_owned(), named.join("\n"))]
}

fn origin(facts: &SheetFacts, file: &str) -> Vec<Line> {
    let language = facts.language;
    let mut lines =
        vec![Line::Head(language.pick(["Where this comes from", "資料來源"]).to_owned())];
    for source in &facts.sources {
        lines.push(Line::Fact(source.title.clone(), source.publisher.clone()));
    }
    let readers = facts.summary.readers.iter().map(|(step, who)| {
        let step = match step.as_str() {
            "extractor" => language.pick(["extractor", "擷取"]),
            "reviewer" => language.pick(["reviewer", "複核"]),
            other => other,
        };
        format!("{step}: {who}")
    });
    let readers: Vec<String> = readers.collect();
    let mut add = |label: [&str; 2], text: String| {
        lines.push(Line::Fact(language.pick(label).to_owned(), text));
    };
    add(["Read by", "讀取者"], readers.join(", "));
    add(["Run", "執行編號"], facts.summary.run.clone());
    add(["File", "檔案編號"], file.to_owned());
    add(["Issued", "發出時間"], facts.issued_at.strftime("%Y-%m-%d %H:%M UTC").to_string());
    lines
}

/// Minutes, and whole hours from two hours on.
fn time_words(seconds: u64, language: SheetLanguage) -> String {
    let minutes = usize::try_from(seconds.div_ceil(60).max(1)).unwrap_or(usize::MAX);
    let hours = minutes.saturating_add(30) / 60;
    match (language, minutes < 120) {
        (SheetLanguage::English, true) => counted(minutes, "minute", "minutes"),
        (SheetLanguage::English, false) => counted(hours, "hour", "hours"),
        (SheetLanguage::Chinese, true) => format!("{minutes} 分鐘"),
        (SheetLanguage::Chinese, false) => format!("{hours} 小時"),
    }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
