//! What a text shows by itself: words of a wall or an error, orders to machines, its script.
//!
//! It judges by what walls and injections say of themselves, never by the subject of a page.

use std::sync::LazyLock;

use regex::Regex;

use crate::gate::places::tongue::{Script, script_of};
use crate::text::blocks::outline::Outline;
use crate::text::markers::machine::read_machine_text;
use crate::text::span::Span;

/// Longer texts than this, in words or characters, are pages whatever they mention.
const WALL_WORDS: usize = 160;

/// What a text shows by itself, whatever was asked: looked for once a page.
#[derive(Clone, Debug)]
pub struct Signs {
    /// Words, numbers and signs.
    pub words: usize,
    pub script: Script,
    /// The words by which a wall or an error gives itself away.
    pub wall: Option<Span>,
    /// Passages that give orders to machines, in reading order.
    pub aimed_at_machines: Vec<Span>,
}

/// Reads the signs of a text.
pub fn read_signs(text: &str, words: usize, outline: &Outline) -> Signs {
    let wall = if words <= WALL_WORDS { WALL.as_ref().and_then(|it| it.find(text)) } else { None };
    Signs {
        words,
        script: script_of(text),
        wall: wall.map(|it| Span::new(it.start(), it.end())),
        aimed_at_machines: machine_passages(text, outline),
    }
}

static WALL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?ix)
        enable \s+ javascript | javascript \s+ (is|must \s+ be|has \s+ been) \s+ (required|enabled|disabled)
        | turn \s+ on \s+ javascript
        | checking \s+ (if \s+ the \s+ site|your \s+ browser|your \s+ connection)
        | verify(ing)? \s+ (that \s+)? (you \s+ are|you’re|you're) \s+ (a \s+)? (human|not \s+ a \s+ robot)
        | are \s+ you \s+ (a \s+)? (robot|human)\b | \bcaptcha\b | unusual \s+ traffic
        | access \s+ (to \s+ this \s+ (page|site) \s+)? (is \s+|has \s+ been \s+)? denied
        | (request|ip) \s+ (address \s+)? (has \s+ been \s+|was \s+|is \s+) (blocked|rejected)
        | \b(error \s+)? (401|403|404|410|429|500|502|503|504) \s* [-–—:]? \s*
          (unauthori[sz]ed|forbidden|not \s+ found|gone|too \s+ many \s+ requests|internal \s+ server
          |bad \s+ gateway|service \s+ (temporarily \s+)? unavailable|gateway \s+ time-?out|error)
        | ^\s* (forbidden|unauthori[sz]ed|bad \s+ request|not \s+ found|service \s+ unavailable|gateway \s+ time-?out) [\s.!]* $
        | \b too \s+ many \s+ (requests|attempts) \b | rate \s+ limit \s+ exceeded
        | page \s+ (you(’re|'re|\s+ (are|were|have|requested)) \s+ ([a-z]+ \s+){0,3})? ((was|is|could|can) \s* )? not \s+ (be \s+)? found
        | page \s+ (you \s+ requested \s+)? (does \s+ not|doesn[’']t|no \s+ longer) \s+ exists?
        | (service|site|website|page|system) \s+ (is \s+) ((currently|temporarily) \s+)? (unavailable|down)
        | (service|site) \s+ temporarily \s+ unavailable | temporarily \s+ unavailable
        | (under|scheduled|down \s+ for|undergoing) \s+ maintenance
        | (please|you \s+ (must|need \s+ to)) \s+ (log|sign) \s* in \s+ (to|first|before)
        | (your \s+)? session \s+ (has \s+)? (expired|timed \s+ out)
        | (an \s+)? (unexpected \s+ | internal \s+)? error \s+ (has \s+)? occurred | something \s+ went \s+ wrong
        | (請|请|需|須|须) \s* (先)? \s* (啟用|启用|開啟|开启|打開|打开) \s* javascript
        | (正在|系統正在|系统正在) \s* (檢查|检查|驗證|验证) \s* (您|你)? 的? (瀏覽器|浏览器|連線|连接)
        | (驗證|验证|確認|确认|證明|证明) \s* (您|你) \s* (不是|並非|并非|是否為|是否为) \s* (機器人|机器人|真人)
        | (請|请) \s* (輸入|输入|完成|通過|通过) \s* (圖形|图形|下列|以下)? \s* (驗證碼|验证码|人機驗證|人机验证|安全驗證|安全验证)
        | (拒絕|拒绝|禁止) \s* (存取|訪問|访问) | (存取|訪問|访问) \s* (被拒|遭拒|受限|已被拒)
        | 找不到 \s* (您|你)? (要|所)? (的)? (瀏覽|浏览|請求|请求|查詢|查询)? 的? \s* (網頁|网页|頁面|页面)
        | (網頁|网页|頁面|页面) \s* (不存在|已移除|無法顯示|无法显示)
        | (系統|系统|網站|网站|服務|服务|本站) \s* (維護|维护|維修|维修) \s* (中|作業|作业|期間|期间)
        | (暫停|暂停|暫時無法|暂时无法|暫時不提供|暂时不提供|目前無法) \s* (提供)? \s* (服務|服务|使用)
        | (請|请) \s* (先)? \s* (登入|登录) (後|后|以|才|方|再|您|你|會員|会员|帳|账)
        | (連線|连接|工作階段|会话|登入|登录) \s* (逾時|超时|已過期|已过期|已逾時)
        | (伺服器|服务器|系統|系统) \s* (內部|内部)? (發生|发生)? \s* (錯誤|错误)",
    )
});

/// Orders to machines: an address to them, an order to forget orders, or the words of a prompt.
static ORDER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?ix)
        \b (ignore|disregard|forget|override|bypass) \s+ (all \s+|any \s+|the \s+|your \s+|every \s+)*
           (previous|prior|above|preceding|earlier|foregoing|other|system|original|existing) \s+ ([a-z]+ \s+){0,2}
           (instructions?|prompts?|rules|directions|context|guidelines|text|messages?)
        | \b (ignore|disregard|forget) \s+ (your|the \s+ system|all) \s+ (instructions|prompts?|guidelines|programming)
        | \b (note|message|notice|instructions?|attention|memo|advice|hint|reminder|request|directive) \s+ (to|for) \s+
           (all \s+|any \s+|the \s+|every \s+)* (automated \s+|artificial \s+ intelligence|
           ai\b|llms?\b|(large \s+)? language \s+ models?|chat-?bots?|bots?\b|machines?\b|crawlers?|scrapers?|assistants?\b
           |gpt|chatgpt|claude|gemini|robots?\b|agents? \s+ reading)
        | (^|[.!?\n:\[\(\-] \s*) (dear \s+|hey \s+|hello \s+|to \s+ (all \s+|any \s+|the \s+)?)? (ai|llm|language \s+ model|chat-?bots?|gpt|chatgpt|claude|gemini)
           \s* (systems?|models?|assistants?|agents?|bots?|readers?|tools?|extractors?)? \s* [,:]
        | \b if \s+ you(’re|'re|\s+ are) \s+ (an? \s+ |the \s+) (ai|llm|artificial \s+ intelligence|(large \s+)? language \s+ model|chat-?bot|bot|automated|machine|assistant\b)
        | \b (as|you(’re|'re|\s+ are) (\s+ now)?) \s+ an? \s+ (ai|llm|(large \s+)? language \s+ model) \b
        | \b system \s+ prompt\b | <\|? (system|im_start|endoftext|assistant) \|?> | \[/?INST\] | \[ \s* (system|assistant|instructions?) \s* \] | \#{2,} \s* (system|instruction)s? \s* :
        | \b (ai|llm|language \s+ models?|assistants?|chat-?bots?|extractors?) \b [^.!?\n]{0,60}?
           \b (set|mark|treat|output|return|extract|record|report|classify|respond|reply|answer|approve|skip|ignore|fill) \b [^.!?\n]{0,60}?
           \b (rows?|json|records?|fields?|values?|amounts?|instructions?|prompts?|output|approved|verified|confirmed|snippets?)\b
        | (忽略|無視|无视|不要理會|不要理会|不必理會|忘記|忘记|略過|略过|跳過|跳过) \s* (以上|先前|之前|上述|前述|前面|上面|此前|你的|您的|所有|任何|一切|全部|原有|系統|系统|的){1,4} \s* (所有|任何|全部|的)* \s* (指示|指令|說明|说明|提示詞?|提示词?|規則|规则|內容|内容|命令|設定|设定)
        | (致|給|给|告知|提醒|通知|寫給|写给|敬告) \s* (所有|各|各位|任何|全部)? \s* (的)? \s*
           (ai\b|ai\p{Han}|人工智慧|人工智能|大型?語言模型|大型?语言模型|語言模型|语言模型|聊天機器人|聊天机器人|機器人|机器人|自動化|自动化|爬蟲|爬虫|機器閱讀|模型)
        | (若|如果|假如|如|當|当) \s* (你|您) \s* (是|為|为) \s* (一個|一个|一款)? \s* (ai|人工智慧|人工智能|語言模型|语言模型|大型|聊天機器人|機器人|机器人|模型|程式|自動)
        | (ai|人工智慧|人工智能|語言模型|语言模型) \s* (系統|系统|模型|助理|助手|工具|代理|程式|程序)? \s* (請|请|應|应|須|须|務必|务必|必須|必须)? \s* (注意|將|将|把|忽略|輸出|输出|回答|標記|标记|填入|視為|视为)
        | (系統|系统) \s* (提示詞|提示词|提示語)
        | (你|您) \s* (現在|现在) \s* (是|扮演|將|将) ",
    )
});

/// `None` would be a pattern with a slip; a test holds every one of them to `Some`.
fn pattern(source: &str) -> Option<Regex> {
    // Borders of ASCII words: Unicode ones put the whole search on the slow path at the first
    // ideograph, forty times the time.
    Regex::new(&source.replace(r"\b", r"(?-u:\b)")).ok()
}

/// The passages that give orders to machines: from the sentence of the order to the block's end.
fn machine_passages(text: &str, outline: &Outline) -> Vec<Span> {
    let mut passages: Vec<Span> = Vec::new();
    let orders = ORDER.iter().flat_map(|it| it.find_iter(text));
    for it in orders {
        let block = outline.block_at(it.start()).map(|at| outline.blocks[at].content);
        let block = block.unwrap_or(Span::new(it.start(), it.end()));
        if passages.last().is_some_and(|last| it.start() < last.end) {
            continue;
        }
        let start = sentence_start(text, block.start, it.start());
        passages.push(Span::new(start, block.end.max(it.end())));
    }
    passages.extend(read_machine_text(text, outline).into_iter().map(|it| it.span));
    passages.sort_unstable();
    let mut apart: Vec<Span> = Vec::new();
    for it in passages {
        match apart.last_mut().filter(|last| it.start < last.end) {
            Some(last) => last.end = last.end.max(it.end),
            None => apart.push(it),
        }
    }
    apart
}

/// The start of the sentence around `at`, seen from the block's start.
fn sentence_start(text: &str, from: usize, at: usize) -> usize {
    let before = text.get(from..at).unwrap_or_default();
    let ends = |(_, c): &(usize, char)| matches!(c, '.' | '!' | '?' | '。' | '！' | '？' | '\n');
    let start = before.char_indices().rev().find(ends).map_or(0, |(it, c)| it + c.len_utf8());
    let gap = before[start..].len() - before[start..].trim_start().len();
    from + start + gap
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_patterns_compile() {
        assert!(WALL.is_some() && ORDER.is_some());
    }
}
