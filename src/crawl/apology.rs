//! Pages that answer 200 and say that they are not the page: maintenance, not found, sign-in, bots.
//!
//! Judged by what is said and by how much else is said: a page that merely contains the words
//! passes. Pure rules over title, first heading and text, in both languages.

use crate::text::glyphs::letter::is_han;

use std::sync::LazyLock;

use regex::Regex;

/// What the page says instead of its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Apology {
    /// A check for bots; nothing else was shown.
    Challenge,
    SignIn,
    Maintenance,
    NotFound,
}

/// What is seen of a page.
#[derive(Clone, Copy, Debug)]
pub struct Said<'a> {
    pub title: &'a str,
    pub first_heading: &'a str,
    /// One block a line.
    pub text: &'a str,
}

/// The words of one kind: headlines that are nothing else, and sentences that say it.
struct Words {
    kind: Apology,
    /// A whole title segment or heading, white space folded, in lower case.
    headline: &'static [&'static str],
    /// Found anywhere in a sentence.
    sentence: LazyLock<Regex>,
}

impl Words {
    /// True for a sentence that says it, rather than what to do in such a case.
    fn says(&self, sentence: &str) -> bool {
        self.sentence.is_match(sentence)
            && !CASES.iter().any(|it| sentence.starts_with(it))
            && !RULE_WORDS.iter().any(|it| sentence.contains(it))
    }
}

/// Starts of sentences and headings that speak of a case instead of stating one.
const CASES: &[&str] = &[
    "if ",
    "when ",
    "where ",
    "whenever ",
    "what ",
    "how ",
    "why ",
    "in case ",
    "unless ",
    "after ",
    "before ",
    "若",
    "如",
    "倘",
    "當",
    "遇",
    "逾",
];

/// What a sentence of rules holds and an apology does not.
const RULE_WORDS: &[&str] = &[
    "$",
    "£",
    "€",
    "entitled",
    "eligible",
    "allowance",
    " grant",
    "compensation",
    "元",
    "者得",
    "者，",
    "補助",
    "補償",
    "津貼",
    "給付",
    "辦法",
    "條例",
    "要點",
    "补助",
    "补偿",
    "给付",
    "条例",
];

static WORDS: [Words; 4] = [
    Words {
        kind: Apology::Challenge,
        headline: &[
            "just a moment",
            "just a moment...",
            "attention required!",
            "access denied",
            "one moment, please...",
            "security check",
            "請稍候",
            "請稍候...",
            "安全驗證",
            "安全檢查",
            "存取遭拒",
            "拒絕存取",
        ],
        sentence: LazyLock::new(|| {
            compile(
                r"checking (if the site connection is secure|your browser)|verif(y|ying) (that )?you are (a )?human|enable javascript and cookies to continue|needs to review the security of your connection|incapsula incident|requested url was rejected|you don.t have permission to access .* on this server|complete the (captcha|security check)|pardon our interruption|unusual traffic from your|are you a robot|請完成(安全)?(驗證|檢查)|(驗證|确认|確認)您?(是否)?(是|為)?(真人|人類|人类)|我不是機器人|我不是机器人|(請求|連線|存取)(已)?(遭|被)(防火牆|安全(系統|機制))?(阻擋|攔截|拒絕)|访问(被|已被)(拦截|阻断)",
            )
        }),
    },
    Words {
        kind: Apology::SignIn,
        headline: &[
            "sign in",
            "sign-in",
            "signin",
            "log in",
            "log-in",
            "login",
            "member login",
            "user login",
            "staff login",
            "please sign in",
            "please log in",
            "authentication required",
            "session expired",
            "single sign-on",
            "登入",
            "登錄",
            "登录",
            "會員登入",
            "使用者登入",
            "用戶登入",
            "帳號登入",
            "請登入",
            "請先登入",
            "連線逾時",
            "系統登入",
        ],
        sentence: LazyLock::new(|| {
            compile(
                r"(you )?(must|need to|have to) (be (logged|signed) in|log in|sign in)|please (log|sign) in\b|(your )?session (has )?(expired|timed out)|not (logged|signed) in|forgot(ten)? (your )?password|請(先|重新)?登[入錄]|须?请?先?登录(后|以)|(連線|連綫|工作階段|会话|會話)(已)?(逾時|逾期|過期|过期|超时)|忘記密碼|忘记密码|尚未登入",
            )
        }),
    },
    Words {
        kind: Apology::Maintenance,
        headline: &[
            "maintenance",
            "site maintenance",
            "system maintenance",
            "website maintenance",
            "scheduled maintenance",
            "planned maintenance",
            "under maintenance",
            "under construction",
            "service unavailable",
            "temporarily unavailable",
            "site unavailable",
            "website unavailable",
            "we'll be back",
            "we'll be back soon",
            "we will be back soon",
            "be right back",
            "out of service",
            "維護中",
            "系統維護",
            "系統維護中",
            "網站維護",
            "網站維護中",
            "維護公告",
            "暫停服務",
            "服務暫停",
            "系統維修",
            "系統更新中",
            "網頁維護中",
            "系统维护",
            "系统维护中",
            "网站维护中",
            "服務暫時中斷",
            "暫停服務公告",
        ],
        sentence: LazyLock::new(|| {
            compile(
                r"(site|website|page|system|service|server|portal|application)s? (is|are|will be) (currently |temporarily |now )*(unavailable|down|offline|out of service|undergoing|under maintenance|being updated|not available)|temporarily (unavailable|offline|out of service|down)|currently (unavailable|down\b|undergoing|under maintenance)|(under|down for|undergoing) (scheduled |routine |essential |planned |urgent )*(maintenance|upgrade)|(we.ll|we will|will) be (right )?back (soon|shortly|online|up|as soon)|be right back|back online (soon|shortly|as soon)|service (is )?(temporarily )?unavailable|carrying out (some )?(essential |routine |scheduled )*maintenance|try again (later|in a few|shortly)|sorry for (any|the) inconvenience|(系統|網站|網頁|本站|服務|伺服器|平台|頁面)(目前|現正|正在|暫時|正|暂时)*(進行)?(維護|維修|升級|更新|停機|關閉|中斷|无法|無法(使用|提供|連線|存取|瀏覽))|(維護|維修|升級|更新)(作業)?(中|期間)|暫(時|停)(停止|中止|關閉|無法)?(提供)?(服務|使用|開放|存取|瀏覽)|(請|敬請)?稍後再(試|訪|來|連)|造成(您的)?不便.{0,8}(敬請|請|尚祈|深感)|(系统|网站|网页|服务)(正在)?(进行)?(维护|升级)(中)?|请稍后再(试|访)|暂停服务",
            )
        }),
    },
    Words {
        kind: Apology::NotFound,
        headline: &[
            "404",
            "404 error",
            "error 404",
            "404 not found",
            "not found",
            "page not found",
            "page not found (404)",
            "error",
            "sorry",
            "oops",
            "oops!",
            "page unavailable",
            "找不到網頁",
            "找不到頁面",
            "找不到檔案",
            "網頁不存在",
            "頁面不存在",
            "查無資料",
            "查無此頁",
            "錯誤",
            "錯誤訊息",
            "系統訊息",
            "网页不存在",
            "页面不存在",
            "找不到页面",
            "無此頁面",
        ],
        sentence: LazyLock::new(|| {
            compile(
                r"(page|file|document|resource|url|address|content)\b.{0,60}\b(not (be )?found|(can ?not|could ?n.t|could not|can.t) (be )?(found|find|located)|does ?(no|n.)t exist|no longer (exists?|available|here)|(has|have|may have) (been )?(moved|removed|deleted|renamed|expired|withdrawn))|(can ?not|can.t|could ?n.t|could not|unable to) (find|locate) (the|that|this|your|a) (page|file|document)|404 (error|not found)|error 404|no such page|(找不到|查無|無|没有找到|沒有找到)(到)?(此|該|您|你|這個|这个|所)?.{0,12}(網頁|頁面|网页|页面|檔案|文件|網址)|(網頁|頁面|网页|页面|網址|連結|檔案).{0,12}(不存在|已(被)?(移除|移動|刪除|下架|失效|更改|删除)|找不到|無法找到|有誤)|查無(符合)?(的)?資料|查无(此)?数据",
            )
        }),
    },
];

fn compile(pattern: &str) -> Regex {
    // The patterns are constants, compiled by a test; an empty one matches nothing that is shown.
    Regex::new(pattern).unwrap_or_else(|_| NEVER.clone())
}

static NEVER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[^\s\S]").unwrap_or_else(|_| unreachable!()));

/// Longest text, in letters and digits, that can be an apology and nothing else.
const MAX_LETTERS: usize = 1_500;

/// Longest text looked at, bytes: beyond it, signs and spaces make up a page of another kind.
const MAX_BYTES: usize = 40_000;

/// Longest text, in letters and digits, of a page that says it is gone and why.
const MAX_NOTICE: usize = 400;

/// A sentence that says of its own page that it is gone.
static OWN_END: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"^(sorry,? )?(this|the requested) (web ?)?(page|document|article|content|guide|guidance|publication)( you requested)? (has been|was|is|has) (permanently |now )?(removed|deleted|withdrawn|taken down|unpublished|retired|archived|no longer (available|online|here|published)|gone)|^(很?抱歉[，,]?)?(本|此|該|这个?|這個?|您?所?(查詢|瀏覽|请求)的)(網頁|頁面|頁|网页|页面|页|文件|內容|内容)(已經|已经|業已|已|目前已)?(被|遭)?(移除|刪除|删除|下架|撤除|撤下|停止(提供|刊登)|不再(提供|刊登))",
    )
});

/// True for a short page that says it is gone and states nothing else: no number, no duty, no right.
/// What it was about may be named in a sentence beside.
fn is_notice_of_its_end(sentences: &[String], letters: usize) -> bool {
    let states = |it: &String| {
        it.chars().any(char::is_numeric)
            || [" must ", " shall ", " may ", "應", "須", "得", "不得", "应", "须"]
                .iter()
                .any(|word| it.contains(word))
    };
    letters <= MAX_NOTICE
        && sentences.iter().any(|it| OWN_END.is_match(it))
        && !sentences.iter().any(|it| !OWN_END.is_match(it) && states(it))
}

/// What the page says instead of its content, if it does.
pub fn read_apology(said: &Said<'_>) -> Option<Apology> {
    let letters = letters_of(said.text);
    if letters > MAX_LETTERS || said.text.len() > MAX_BYTES {
        return None;
    }
    let headlines: Vec<String> = title_segments(said.title)
        .into_iter()
        .chain([said.first_heading])
        .map(plain)
        .filter(|it| !it.is_empty())
        .collect();
    let sentences: Vec<String> =
        said.text.split(['\n', '。', '！', '？']).flat_map(western_sentences).map(plain).collect();
    if is_notice_of_its_end(&sentences, letters) {
        return Some(Apology::NotFound);
    }
    WORDS
        .iter()
        .map(|words| (words, weigh(words, &headlines, &sentences)))
        .find(|(_, it)| {
            let Weight { has_headline, said_letters } = *it;
            let share_of_100 = said_letters * 100 / letters.max(1);
            (has_headline && (share_of_100 >= 20 || letters <= 120))
                || (share_of_100 >= 50 && letters <= 800)
        })
        .map(|(words, _)| words.kind)
}

struct Weight {
    has_headline: bool,
    /// Letters of the sentences that say it.
    said_letters: usize,
}

fn weigh(words: &Words, headlines: &[String], sentences: &[String]) -> Weight {
    let is_headline = |it: &String| {
        let bare = it.trim_matches(|it: char| !it.is_alphanumeric() && it != '!');
        words.headline.contains(&bare)
            || words.headline.contains(&bare.trim_end_matches('!'))
            || (letters_of(it) <= 60 && words.says(it))
    };
    let said =
        sentences.iter().filter(|it| words.says(it) || words.headline.contains(&it.as_str()));
    Weight {
        has_headline: headlines.iter().any(is_headline),
        said_letters: said.map(|it| letters_of(it)).sum(),
    }
}

/// A Chinese character says about as much as three Latin letters.
fn letters_of(text: &str) -> usize {
    text.chars().filter(|it| it.is_alphanumeric()).map(|it| if is_han(it) { 3 } else { 1 }).sum()
}

fn title_segments(title: &str) -> Vec<&str> {
    title
        .split(['|', '｜', '·', '»', '–', '—', ':', '：', '_'])
        .flat_map(|it| it.split(" - "))
        .collect()
}

/// Splits after a full stop or its like that is followed by a space.
fn western_sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut ends: Vec<usize> = Vec::new();
    let mut last = ' ';
    for (at, it) in text.char_indices() {
        if it == ' ' && matches!(last, '.' | '!' | '?') {
            ends.push(at);
        }
        last = it;
    }
    ends.push(text.len());
    let mut from = 0;
    ends.into_iter().map(move |to| {
        let sentence = &text[from..to];
        from = to;
        sentence
    })
}

/// Lower case, straight quotes, white space folded, list and heading marks dropped.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for it in text.trim_start_matches(['#', '-', '*', '|', ' ']).chars() {
        match it {
            '’' | '‘' | 'ʼ' => out.push('\''),
            it if it.is_whitespace() => {
                if !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            it => out.extend(it.to_lowercase()),
        }
    }
    out.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(title: &str, heading: &str, text: &str) -> Option<Apology> {
        let text =
            if heading.is_empty() { text.to_owned() } else { format!("# {heading}\n\n{text}") };
        read_apology(&Said { title, first_heading: heading, text: &text })
    }

    #[test]
    fn all_patterns_compile() {
        for words in &WORDS {
            assert_ne!(words.sentence.as_str(), NEVER.as_str(), "{:?}", words.kind);
        }
    }

    #[test]
    fn apologies_are_known_in_both_languages() {
        use Apology::{Challenge, Maintenance, NotFound, SignIn};
        for (kind, title, heading, text) in [
            (
                Maintenance,
                "Harbour Board",
                "Sorry, we are closed for repairs",
                "Our website is currently undergoing scheduled maintenance. We will be back online at 6pm.",
            ),
            (Maintenance, "Service unavailable", "", ""),
            (
                Maintenance,
                "Maintenance | Harbour Board",
                "Maintenance",
                "This form is temporarily unavailable.\n\nPlease try again later.",
            ),
            (
                Maintenance,
                "港務局",
                "系統維護中",
                "本網站目前進行系統維護，暫停服務。造成不便，敬請見諒。",
            ),
            (Maintenance, "公告", "", "系統升級中，請稍後再試。"),
            (Maintenance, "公告", "", "系统维护中，请稍后再试。"),
            (
                NotFound,
                "Page not found - Harbour Board",
                "Page not found",
                "Try the search box or the site index.",
            ),
            (
                NotFound,
                "Harbour Board",
                "Oops!",
                "The page you are looking for doesn’t exist or has been moved.",
            ),
            (NotFound, "港務局", "找不到網頁", "您所瀏覽的網頁不存在或已移除，請回首頁。"),
            (NotFound, "查詢結果", "", "查無資料"),
            (
                NotFound,
                "Mooring grant",
                "Mooring grant",
                "Mooring grant\nThis page has been removed. The grant is no longer available.",
            ),
            (
                NotFound,
                "Berth fees",
                "Berth fees",
                "This guidance was withdrawn. Read the new guidance on berths instead.",
            ),
            (
                NotFound,
                "泊位補助",
                "泊位補助",
                "泊位補助\n本網頁已移除。相關補助業務已由他處辦理。",
            ),
            (NotFound, "繫泊津貼", "繫泊津貼", "抱歉，此頁面已下架。"),
            (SignIn, "Sign in", "", "User\nPassword"),
            (SignIn, "港務局｜會員登入", "", "請先登入後再查詢。\n帳號\n密碼"),
            (
                SignIn,
                "Harbour Board",
                "Session expired",
                "Your session has expired. Please log in again.",
            ),
            (Challenge, "Just a moment...", "", ""),
            (Challenge, "gov.example", "", "Verify you are human by completing the action below."),
            (Challenge, "安全驗證", "", "請完成驗證以繼續瀏覽。"),
        ] {
            assert_eq!(read(title, heading, text), Some(kind), "{title} / {heading} / {text}");
        }
    }

    #[test]
    fn pages_that_merely_contain_the_words_pass() {
        let rates = "You may get a mooring grant if you have used the harbour for two years. The grant is $120 a month. \
            It is paid on the fifth day of each month to the account you name. You must tell us within 14 days if you move.";
        for (title, heading, text) in [
            (
                "Child maintenance",
                "Child maintenance",
                "Child maintenance is paid by the parent who does not live with the child. The amount depends on income.",
            ),
            ("Mooring grant", "Mooring grant", rates),
            (
                "Mooring grant",
                "Mooring grant",
                &format!(
                    "{rates}\n\nOnline payment is temporarily unavailable. Please try again later."
                ),
            ),
            (
                "Help with the portal",
                "If the portal is temporarily unavailable",
                &format!(
                    "{rates} {rates} If the website is down, call the office and a clerk takes your claim by telephone. Keep the number you are given."
                ),
            ),
            ("How to sign in", "How to sign in to your account", rates),
            (
                "Lost documents",
                "If your permit cannot be found",
                "Tell the office at once. A new permit costs $15 and is sent within ten working days. The old number is struck from the list.",
            ),
            (
                "維護費補助辦法",
                "維護費補助辦法",
                "申請人每年得請領船舶維護費，最高新臺幣三萬六千元。逾期申請者不予補助。申請書向港務局索取。",
            ),
            (
                "暫停服務補償要點",
                "第 3 條",
                "渡輪暫停服務逾三日者，月票持有人得申請補償，每日補償新臺幣五十元，最高不超過十日。申請期限為恢復服務之次日起三十日內。",
            ),
            (
                "This scheme is closed",
                "This scheme is closed",
                "The pilot permit closed on 1 May. Holders keep their rights until the date printed on the permit.",
            ),
            (
                "Mooring grant",
                "Mooring grant",
                "This page has been removed from the index. You must apply by 1 May to get the grant.",
            ),
            (
                "Withdrawn guidance",
                "Withdrawn guidance",
                "This guidance was withdrawn on 3 March. You may still claim for 2 years if your permit was issued before.",
            ),
            ("泊位補助", "泊位補助", "本頁已移除舊表。申請人應於三十日內繳納。"),
            ("Storm grant", "", "public"),
        ] {
            assert_eq!(read(title, heading, text), None, "{title} / {text}");
        }
    }
}
