//! The words by which a page says that it is not the page, in both languages; closed tables.
//!
//! Nothing here looks at how much else a page says: `crawl::apology` weighs.

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

/// The words of one kind: headlines that are nothing else, and sentences that say it.
pub struct Words {
    pub kind: Apology,
    /// A whole title segment or heading, white space folded, in lower case.
    pub headline: &'static [&'static str],
    /// Found anywhere in a sentence.
    pub sentence: LazyLock<Regex>,
}

impl Words {
    /// True for a sentence that says it, rather than what to do in such a case.
    pub fn says(&self, sentence: &str) -> bool {
        self.sentence.is_match(sentence)
            && !CASES.iter().any(|it| sentence.starts_with(it))
            && !RULE_WORDS.iter().any(|it| sentence.contains(it))
    }
}

/// Starts of sentences and headings that speak of a case instead of stating one.
pub const CASES: &[&str] = &[
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
pub const RULE_WORDS: &[&str] = &[
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

pub static WORDS: [Words; 4] = [
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

/// A sentence that says of its own page that it is gone.
pub static OWN_END: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"^(sorry,? )?(this|the requested) (web ?)?(page|document|article|content|guide|guidance|publication)( you requested)? (has been|was|is|has) (permanently |now )?(removed|deleted|withdrawn|taken down|unpublished|retired|archived|no longer (available|online|here|published)|gone)|^(很?抱歉[，,]?)?(本|此|該|这个?|這個?|您?所?(查詢|瀏覽|请求)的)(網頁|頁面|頁|网页|页面|页|文件|內容|内容)(已經|已经|業已|已|目前已)?(被|遭)?(移除|刪除|删除|下架|撤除|撤下|停止(提供|刊登)|不再(提供|刊登))",
    )
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_patterns_compile() {
        for words in &WORDS {
            assert_ne!(words.sentence.as_str(), NEVER.as_str(), "{:?}", words.kind);
        }
        assert_ne!(OWN_END.as_str(), NEVER.as_str());
    }
}
