//! What a clause of a Chinese rule is for, told by its own words.
//!
//! Looks at one clause at a time; how clauses make rows is for `han`.

use crate::model::claim::{Force, Op};
use crate::reader::clause::{closes, find_first, has_any};

/// What a clause is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Names whom or what the rule is about.
    Topic,
    /// Says in which case the rule holds: …者, …時, 如….
    Condition,
    /// Has the modal but only says by what, from when, in what way: 應依本辦法規定.
    Adverb,
    /// Says what must, may or must not be.
    Rule,
    /// 除…外.
    Exempting,
    /// `甲：` at the head of an item.
    Label,
    /// 下列…： above a list, and nothing else.
    LeadIn,
    /// Says where the rules come from, or that somebody will make them.
    Formality,
}

/// The role of a clause. `is_last` in its segment; `is_first` likewise.
pub fn role_of(words: &str, is_first: bool, is_last: bool) -> Role {
    let body = words.trim_end_matches(closes);
    if exempted_at(body).is_some() && body.ends_with('外') {
        return Role::Exempting;
    }
    let is_led = words.ends_with(['：', ':']);
    if is_led && !has_any(body, &["下列", "左列", "如下", "如左", "之一"]) && is_first {
        return Role::Label;
    }
    if is_led && !asks_something(body) {
        return Role::LeadIn;
    }
    if is_formality(body) {
        return Role::Formality;
    }
    if is_adverb(body) && !is_last {
        return Role::Adverb;
    }
    let is_case = !is_last && body.contains('須') && !body.contains('應') && !body.contains('得');
    if ends_as_condition(body) && !is_last
        || starts_as_condition(body) && (own_force(body).is_none() || is_case)
    {
        return Role::Condition;
    }
    if is_purpose(body) {
        return Role::Topic;
    }
    let starts_as_rule = RULE_STARTS.iter().any(|it| body.starts_with(it));
    if modal_end(body).is_some() || has_any(body, RULE_WORDS) || starts_as_rule {
        return Role::Rule;
    }
    if is_last && (has_any(body, LAST_RULE_WORDS) || body.ends_with('之')) {
        return Role::Rule;
    }
    if states(body) { Role::Condition } else { Role::Topic }
}

/// No more than the name of a law: 船席補助標準.
pub fn names_a_law(words: &str) -> bool {
    const ENDS: &[&str] = &["辦法", "標準", "條例", "細則", "準則", "要點", "規則"];
    const VERBS: &[&str] =
        &["依", "按", "為", "由", "應", "得", "不", "適用", "準用", "比照", "符合", "訂定"];
    words.chars().count() <= 30
        && ENDS.iter().any(|it| words.ends_with(it))
        && !has_any(words, VERBS)
        && !words.contains(['，', '：', '、'])
}

/// 以供查核, 以利執行: what something is done for.
pub fn is_purpose(body: &str) -> bool {
    ["以資", "以利", "以維", "以便", "以供", "俾"].iter().any(|it| body.starts_with(it))
        || body.contains("作為") && ["之用", "之依據", "之參考"].iter().any(|it| body.ends_with(it))
}

/// Where 除…外 begins in a clause: at its head, or behind a short actor (申請人除…外).
pub fn exempted_at(words: &str) -> Option<usize> {
    const FAR: usize = 12;
    let (at, _) = words.char_indices().take(FAR).find(|it| it.1 == '除')?;
    let before = &words[..at];
    let is_verb = [
        "免", "解", "扣", "減", "排", "拆", "刪", "廢", "清", "消", "剷", "撤", "切", "破", "革",
        "去",
    ]
    .iter()
    .any(|it| before.ends_with(it));
    let is_actor = own_force(before).is_none()
        && !["，", ",", "以", "並", "於", "未", "不", "應", "得"]
            .iter()
            .any(|it| before.contains(it));
    let behind = &words[at + '除'.len_utf8()..];
    let is_name = ["名", "以", "息", "權", "草", "斑", "濕", "役", "戶", "籍", "去"]
        .iter()
        .any(|it| behind.starts_with(it));
    (!is_verb && is_actor && !is_name).then_some(at)
}

/// A clause that leads a list in and asks for something besides: 檢附下列文件，向本局申請：.
fn asks_something(body: &str) -> bool {
    !has_any(body, &["下列", "左列", "如下", "如左"])
        && (modal_end(body).is_some() || has_any(body, &["申請", "提出", "辦理", "不予", "停止"]))
}

/// Clauses that go on with the rule before them.
pub fn starts_joined(words: &str) -> bool {
    ["並", "且", "及", "或", "再", "惟", "而"].iter().any(|it| words.starts_with(it))
}

/// A clause that names what the next one speaks of: 所得價款，…; 其徵收率，….
pub fn names_a_thing(body: &str) -> bool {
    const ENDS: &[&str] = &[
        "款", "額", "率", "期間", "期限", "年限", "方式", "程序", "日數", "資格", "範圍", "標準",
        "事項", "人員", "機關", "文件", "費用", "基準", "單位", "內容", "經費", "負擔", "種類",
        "條件", "要件", "項目", "辦法", "準則", "要點",
    ];
    const STARTS: &[&str] = &[
        "將", "向", "報", "送", "並", "以", "由", "經", "依", "按", "於", "檢", "填", "繳", "通知",
        "提出", "辦理", "給", "發",
    ];
    ENDS.iter().any(|it| body.ends_with(it)) && !STARTS.iter().any(|it| body.starts_with(it))
}

/// A clause that only adds another thing to those named before it: …證明書，或同意書之副本，….
pub fn only_adds(words: &str) -> bool {
    let body = words.trim_end_matches(closes);
    ["或", "及", "與", "暨"].iter().any(|it| body.starts_with(it))
        && own_force(body).is_none()
        && !states(body)
        && !ends_as_condition(body)
        && !has_any(body, RULE_WORDS)
        && !has_any(body, LAST_RULE_WORDS)
}

fn ends_as_condition(body: &str) -> bool {
    ["者", "時", "後", "前", "之日", "情形", "情事", "期間"].iter().any(|it| body.ends_with(it))
}

fn starts_as_condition(body: &str) -> bool {
    (["如", "若", "倘", "因", "遇"].iter().any(|it| body.starts_with(it))
        && !body.starts_with("如下"))
        || ["如為", "如係"].iter().any(|it| body.contains(it))
}

/// True where a clause says how something is or was, and does not merely name it.
pub fn states(body: &str) -> bool {
    has_any(
        body,
        &[
            "未",
            "已",
            "經",
            "曾",
            "無",
            "具有",
            "領有",
            "持有",
            "設有",
            "居住",
            "就讀",
            "符合",
            "年滿",
            "發生",
            "取得",
            "受災",
            "遭受",
            "共同",
            "聘僱",
            "照顧",
            "從事",
            "接受",
            "參加",
            "繼續",
            "合於",
            "適於",
            "屬於",
            "在國內",
            "於國內",
            "供",
            "致",
            "為限",
        ],
    )
}

fn is_formality(body: &str) -> bool {
    const ENDS: &[&str] = &[
        "訂定之",
        "另定之",
        "自發布日施行",
        "自公布日施行",
        "自發布日起施行",
        "制定本條例",
        "制定本法",
        "會商訂定",
    ];
    // 由本部定之, but not 由本部核定之.
    let is_deferred = body.ends_with("定之")
        && body.contains('由')
        && !["認", "核", "審", "評", "裁", "鑑", "判", "決", "檢"]
            .iter()
            .any(|it| body.ends_with(&format!("{it}定之")));
    let is_rule_making = ENDS.iter().any(|it| body.ends_with(it)) || is_deferred;
    is_rule_making && !body.contains("依下列") || matches!(body, "亦同" | "其規定如下")
}

/// Modal and adverbial alone: 得視實際狀況, 應依本辦法規定, 應自收件之日起.
fn is_adverb(body: &str) -> bool {
    const LEADS: &[&str] =
        &["依", "視", "按", "就", "自", "於", "由", "參照", "參酌", "衡酌", "以"];
    const ENDS: &[&str] =
        &["規定", "狀況", "情形", "標準", "程序", "內", "時", "前", "方式", "需要"];
    // Without the modal only what names a measure to go by: 按平均月投保薪資, 參照物價指數.
    const MEASURES: &[&str] = &["薪資", "指數", "標準", "基準", "比例", "順序", "規定", "金額"];
    let end = modal_end(body);
    let rest = body[end.unwrap_or(0)..].trim_start_matches(['並', '再', '且']);
    let starts = LEADS.iter().any(|it| rest.starts_with(it));
    let ends = if end.is_some() { ENDS } else { MEASURES };
    let ends = ends.iter().chain(MEASURES).any(|it| rest.ends_with(it));
    // 得逕依主管機關提供之資料: what somebody goes by.
    let leads_by = ["依", "逕依", "憑", "比照", "參照", "參酌"];
    let goes_by = leads_by.iter().any(|it| rest.starts_with(it))
        && (end.is_some()
            || !rest.ends_with("申請") && !rest.ends_with("通知") && !rest.ends_with("評估"))
        && ["資料", "申請", "公告", "通知", "契約", "紀錄", "意見", "決議", "結果", "評估", "公約"]
            .iter()
            .any(|it| rest.ends_with(it));
    // 於公告期間內, 於到職之當日: when.
    let is_when = ["於", "自"].iter().any(|it| rest.starts_with(it))
        && ["期間內", "期限內", "當日", "之日", "期間", "之時"].iter().any(|it| rest.ends_with(it));
    let weighs = ["衡酌", "斟酌", "參酌", "連同"].iter().any(|it| rest.starts_with(it));
    starts && ends || goes_by || is_when || weighs
}

const RULE_STARTS: &[&str] =
    &["由", "報", "向", "送", "按", "以", "準用", "比照", "視為", "函報", "減免", "免"];

/// Words that make a clause a rule wherever it stands.
const RULE_WORDS: &[&str] = &[
    "不予",
    "免徵",
    "免納",
    "免繳",
    "免予",
    "免再",
    "免附",
    "免審查",
    "免除",
    "毋須",
    "無須",
    "不適用",
    "準用",
    "視為",
    "為限",
    "追繳",
    "移送",
    "處以",
    "加徵",
    "沒入",
    "不在此限",
    "不受",
    "不發給",
    "不計入",
    "不列入",
    "不屬之",
    "為準",
    "應予",
    "列入",
];

/// Words that make a clause a rule at the end of its segment; elsewhere they are often nouns.
const LAST_RULE_WORDS: &[&str] = &[
    "停止", "喪失", "終止", "負擔", "發給", "給與", "包括", "計算", "辦理", "施行", "起算", "擇一",
    "領取", "繳納", "課徵", "核定", "減免", "備查", "適用", "為之", "審議", "補助", "調整", "開立",
    "公告", "申請", "提出", "通知", "審核", "登記", "罰鍰", "繳回", "徵收", "計徵", "給付", "撥付",
    "合計", "減除", "加計", "認定", "出具", "置", "具備", "投保",
];

/// A comparison with something that is no number: 未超過合理之價值. The operator, and where the words
/// it compares with begin.
pub fn compared_words(body: &str) -> Option<(Op, usize)> {
    const WORDS: &[(&str, Op)] = &[
        ("未超過", Op::Le),
        ("不超過", Op::Le),
        ("未逾", Op::Le),
        ("高於或等於", Op::Ge),
        ("低於或等於", Op::Le),
        ("不低於", Op::Ge),
        ("不高於", Op::Le),
        ("超過", Op::Gt),
        ("高於", Op::Gt),
        ("低於", Op::Lt),
        ("未達", Op::Lt),
        ("未滿", Op::Lt),
    ];
    let first = WORDS
        .iter()
        .filter_map(|&(word, op)| body.find(word).map(|at| (at, word, op)))
        .min_by_key(|&(at, word, _)| (at, usize::MAX - word.len()));
    if let Some((at, word, op)) = first {
        let end = at + word.len();
        return (at > 0 || body.ends_with('者')).then_some((op, end)).filter(|_| end < body.len());
    }
    // 優等以上, 高中以上學校: from that grade up.
    let grade = |word: &str| {
        body.find(word).is_some_and(|at| {
            let after = &body[at + word.len()..];
            at > 0 && !["簡稱", "稱", "同", "各"].iter().any(|it| after.starts_with(it))
        })
    };
    if let Some(at) = body.find('至').filter(|_| body.ends_with("為止")) {
        return Some((Op::Le, at + '至'.len_utf8()));
    }
    if grade("以上") { Some((Op::Ge, 0)) } else { grade("以下").then_some((Op::Le, 0)) }
}

/// True for a right that is opened to those who meet the conditions before it.
pub fn is_entitlement(words: &str) -> bool {
    let body = words.trim_end_matches(closes);
    let opens = may_at(body).is_some()
        && has_any(body, &["申請", "請領", "予以", "減免", "發給", "領取"])
        && has_any(
            body,
            &[
                "津貼", "補助", "給付", "減免", "輔導", "獎助", "年金", "費用", "救助", "貸款",
                "獎勵",
            ],
        )
        && !has_any(body, &["向", "檢附", "檢具", "委任", "委託"]);
    let applies = body == "亦同" || body.starts_with("適用本") || body.starts_with("視為");
    opens || applies
}

/// The force a clause states itself. 不得 is as strong as 應.
pub fn own_force(words: &str) -> Option<Force> {
    if words.contains("為原則") || words.contains("原則上") {
        Some(Force::InPrinciple)
    } else if words.contains("不得") || must_end(words).is_some() {
        Some(Force::Must)
    } else if may_at(words).is_some() {
        Some(Force::May)
    } else {
        None
    }
}

/// Where the words behind the modal begin; with 不得, where it begins.
pub fn modal_end(words: &str) -> Option<usize> {
    if let Some(at) = words.find("不得") {
        return Some(at);
    }
    let may = may_at(words).map(|at| at + '得'.len_utf8());
    match (must_end(words), may) {
        (Some(must), Some(may)) => Some(must.min(may)),
        (must, may) => must.or(may),
    }
}

/// End of an 應 or 須 that means "must"; not the one of 應納稅額, 應備文件, 相應, 無須.
fn must_end(words: &str) -> Option<usize> {
    let mut from = 0;
    while let Some((at, len)) = find_first(&words[from..], &["應予", "必須", "應", "須"]) {
        let (start, end) = (from + at, from + at + len);
        let before = words[..start].chars().next_back().unwrap_or(' ');
        let after = &words[end..];
        let is_noun = [
            "納稅額",
            "納稅款",
            "納稅捐",
            "納費額",
            "納使用",
            "計算人口",
            "備文件",
            "備書件",
            "繳稅額",
            "付金額",
            "納金額",
            "附文件",
            "附證件",
            "附書件",
            "檢附文件",
            "檢附之文件",
            "檢具文件",
        ]
        .iter()
        .any(|it| after.starts_with(it));
        // 應繳未繳之稅額, 其應計算範圍: what is due, no duty.
        let is_due = after.chars().skip(1).take(2).any(|it| it == '未')
            || (before == '其'
                && ["範圍", "案件", "人口", "日數"]
                    .iter()
                    .any(|it| after.trim_end_matches(closes).ends_with(it)));
        let is_attribute = is_due
            || !after.starts_with('於')
                && after.char_indices().take(5).any(|(at, it)| {
                    it == '之' && !after[at + it.len_utf8()..].trim_end_matches(closes).is_empty()
                });
        if !is_noun
            && !is_attribute
            && !matches!(
                before,
                '相' | '對'
                    | '反'
                    | '無'
                    | '毋'
                    | '供'
                    | '支'
                    | '因'
                    | '適'
                    | '效'
                    | '響'
                    | '呼'
                    | '回'
                    | '感'
                    | '答'
                    | '不'
            )
        {
            return Some(end);
        }
        from = end;
    }
    None
}

/// Place of a 得 that means "may".
pub fn may_at(words: &str) -> Option<usize> {
    words.match_indices('得').map(|(at, _)| at).find(|&at| {
        let before = words[..at].chars().next_back().unwrap_or(' ');
        let after = words[at + '得'.len_utf8()..].chars().next().unwrap_or(' ');
        !matches!(
            before,
            '所' | '取'
                | '獲'
                | '不'
                | '難'
                | '懂'
                | '值'
                | '購'
                | '求'
                | '標'
                | '已'
                | '僅'
                | '當'
        ) && !matches!(after, '標' | '獎' | '失' | '分' | '出' | '之')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gain_is_no_permission_and_a_tax_due_no_duty() {
        assert_eq!(may_at("其所得及取得之財產"), None);
        assert!(may_at("申請人得委託他人").is_some());
        assert_eq!(own_force("其應納稅額"), None);
        assert_eq!(own_force("無須繳費"), None);
        assert_eq!(own_force("所需經費由本局支應之"), None);
        assert_eq!(own_force("應於期限內補正"), Some(Force::Must));
        assert_eq!(own_force("不得重複申請"), Some(Force::Must));
    }

    #[test]
    fn clauses_are_told_apart_by_what_they_are_for() {
        assert_eq!(role_of("資料未備齊者，", true, false), Role::Condition);
        assert_eq!(role_of("本局得視實際需要，", true, false), Role::Adverb);
        assert_eq!(role_of("其減免額度之計算，", false, false), Role::Topic);
        assert_eq!(role_of("除法令另有規定外，", true, false), Role::Exempting);
        assert_eq!(role_of("依下列規定辦理：", false, true), Role::LeadIn);
        assert_eq!(role_of("本要點依住宅補貼法訂定之。", true, true), Role::Formality);
        assert_eq!(role_of("由本局核定。", false, true), Role::Rule);
    }
}
