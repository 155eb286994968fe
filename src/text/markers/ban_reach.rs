//! Where a ban goes on behind a comma: 不得因同一事故，重複請領; "must not, because of one accident, claim
//! twice". Its own clause is an adverbial, and what is forbidden stands in the next one.
//!
//! Never reads past a new force, a new actor or a new case, and never more than some clauses on.

use crate::text::span::Span;

/// How many clauses a ban is followed through.
const CLAUSES: usize = 4;

/// How far a clause or a parenthesis is read, in characters.
const FAR: usize = 120;

/// The part behind a ban or a limit in which its verb stands, where that is not the ban's own clause.
/// `word` is the word that bans.
pub fn resumed_at(text: &str, word: Span, sentence: Span) -> Option<Span> {
    let rest = text.get(word.end..sentence.end)?;
    if word.slice(text)?.is_ascii() || rest.starts_with(' ') {
        return resumed_english(rest).map(|it| it.shifted(word.end));
    }
    let is_limit = is_limit(word.slice(text)?);
    resumed_han(rest, is_limit).map(|it| it.shifted(word.end))
}

/// True for 不得超過 and the like: what it limits goes on with 而 alone.
fn is_limit(word: &str) -> bool {
    ["超", "逾", "低於", "低于", "少於", "少于", "多於", "多于", "高於", "高于", "大於", "小於"]
        .iter()
        .any(|it| word.contains(it))
}

/// "…, because of the same accident, claim twice": behind the parenthesis that stands right behind
/// the ban, to the end of what is denied.
fn resumed_english(rest: &str) -> Option<Span> {
    let near = rest.char_indices().nth(2 * FAR).map_or(rest, |it| &rest[..it.0]);
    let lead = near.len() - near.trim_start().len();
    let mark = near[lead..].chars().next()?;
    let closes: &[char] = match mark {
        ',' => &[','],
        '(' => &[')'],
        '—' | '–' => &['—', '–'],
        _ => return None,
    };
    let inside = lead + mark.len_utf8();
    let stop = near[inside..].find([';', '.', '\n']).map_or(near.len(), |it| inside + it);
    let close = inside + near[inside..stop].find(closes)?;
    let start = close + near[close..].chars().next().map_or(0, char::len_utf8);
    // "cannot, for this reason, or any other, claim": one more parenthesis.
    let start = skip_and_or(near, start, stop).unwrap_or(start);
    let end = near[start..stop].find([',', '(', '—', '–']).map_or(stop, |it| start + it);
    let is_said = near[start..end].chars().any(char::is_alphabetic);
    is_said.then_some(Span::new(start, end))
}

fn skip_and_or(near: &str, start: usize, stop: usize) -> Option<usize> {
    let part = near.get(start..stop)?;
    let words = part.trim_start();
    let goes_on = ["or ", "nor ", "whether ", "even ", "for ", "in ", "on ", "without "];
    let close = part.find(',')?;
    goes_on.iter().any(|it| words.starts_with(it)).then_some(start + close + 1)
}

fn resumed_han(rest: &str, is_limit: bool) -> Option<Span> {
    let (own, mut next) = clause_of(rest, 0)?;
    let own = own.slice(rest)?;
    // 不得，… and 不得因…，…: the verb is still to come.
    if !own.is_empty() && !is_frame(own) {
        return None;
    }
    for _ in 0..CLAUSES {
        let (span, behind) = match clause_of(rest, next) {
            Some(it) => it,
            None => (last_clause(rest, next)?, rest.len()),
        };
        let words = span.slice(rest)?;
        if words.is_empty() || (is_limit && !words.starts_with('而')) || begins_anew(words) {
            return None;
        }
        if !is_frame(words) || behind == rest.len() {
            return Some(span);
        }
        next = behind;
    }
    None
}

/// The clause from `from` to the next comma, and where the one behind the comma begins.
fn clause_of(rest: &str, from: usize) -> Option<(Span, usize)> {
    let part = rest.get(from..)?;
    let near = part.char_indices().nth(FAR).map_or(part, |it| &part[..it.0]);
    let (at, mark) = near.char_indices().find(|it| ENDS.contains(&it.1))?;
    let is_comma = matches!(mark, '，' | ',');
    is_comma.then_some((Span::new(from, from + at), from + at + mark.len_utf8()))
}

/// The clause from `from` to what ends the sentence or the rule.
fn last_clause(rest: &str, from: usize) -> Option<Span> {
    let part = rest.get(from..)?;
    let near = part.char_indices().nth(FAR).map_or(part, |it| &part[..it.0]);
    let end = near.find(ENDS).unwrap_or(near.len());
    Some(Span::new(from, from + end))
}

const ENDS: &[char] = &['，', ',', '。', '；', ';', '：', '\n'];

/// Words that open an adverbial, whatever verbs stand in it: the reason.
const REASONS: &[&str] = &[
    "因",
    "基於",
    "基于",
    "由於",
    "由于",
    "無正當",
    "无正当",
    "無故",
    "无故",
    "以未",
    "以無",
    "以无",
    "以已",
];

/// Words that open an adverbial, unless a verb stands in it as well.
const OPENERS: &[&str] = &[
    "以", "於", "于", "在", "依", "按", "就", "對", "对", "向", "與", "与", "自", "從", "从", "由",
    "經", "经", "透過", "透过", "藉", "假借", "利用", "未經", "未经", "未依", "為了", "为了", "憑",
    "持", "同時", "同时", "擅自", "任意", "除",
];

/// Words before an opener that leave an adverbial what it is.
const BEFORE: &[&str] = &["再", "僅", "仅", "只", "單", "单", "逕", "均", "皆", "另"];

/// Ends of an adverbial, whatever verbs stand in it: time, place, pretext, rule.
const FRAME_ENDS: &[&str] = &[
    "期間",
    "期间",
    "期限內",
    "內",
    "内",
    "前",
    "後",
    "后",
    "時",
    "时",
    "中",
    "之日",
    "當日",
    "場所",
    "场所",
    "處所",
    "地點",
    "為由",
    "为由",
    "理由",
    "藉口",
    "借口",
    "名義",
    "名义",
    "事由",
    "原因",
    "方式",
    "方法",
    "手段",
    "身分",
    "身份",
    "機會",
    "机会",
    "權力",
    "权力",
    "規定",
    "规定",
    "情形下",
    "情況下",
    "外",
    "辦法",
    "办法",
    "事故",
    "同意",
    "許可",
    "许可",
    "核准",
];

/// Verbs with which an adverbial is a whole predicate: 不得以電話申請.
const VERBS: &[&str] = &[
    "申請", "申请", "請領", "请领", "領取", "领取", "申領", "受領", "提出", "提起", "給付", "给付",
    "支付", "支給", "繳納", "缴纳", "繳交", "收取", "收受", "發給", "发给", "核發", "辦理", "办理",
    "代替", "取代", "抵充", "抵繳", "抵銷", "使用", "出租", "轉讓", "转让", "轉租", "讓與", "出借",
    "出售", "銷售", "販賣", "購買", "购买", "營業", "营业", "經營", "经营", "從事", "进行", "進行",
    "參加", "参加", "加入", "投保", "扣留", "扣押", "要求", "拒絕", "拒绝", "解僱", "解雇", "終止",
    "停止", "限制", "設立", "設置", "興建", "建造", "擔任", "担任", "兼任", "僱用", "聘僱", "進入",
    "停放", "提供", "刊登", "公布", "公開", "洩漏", "洩露", "揭露", "請求", "主張", "變更", "移轉",
    "處分", "執行", "報名", "登記", "通知", "送達", "給予", "給與", "減免", "免除", "調降", "調整",
    "為之", "行使", "謀取", "牟取", "查閱", "複製", "攜帶", "飼養", "搭建", "歧視", "妨礙", "干預",
    "代理", "委託", "委任", "遷移", "離開", "出境", "入境", "抵押", "設定", "計算", "計入",
];

fn is_frame(words: &str) -> bool {
    let words = words.trim();
    let body = BEFORE.iter().find_map(|it| words.strip_prefix(it)).unwrap_or(words);
    let alone = ["同時", "同时", "擅自", "任意", "無故", "无故"];
    if alone.contains(&body) {
        return true;
    }
    if let Some(reason) = REASONS.iter().find_map(|it| body.strip_prefix(it)) {
        // 因懷孕而解僱: the verb has come.
        return !reason.contains(['而', '致', '遽']);
    }
    let Some(rest) = OPENERS.iter().find_map(|it| body.strip_prefix(it)) else { return false };
    let is_open = || !rest.contains('而') && !VERBS.iter().any(|it| rest.contains(it));
    !rest.is_empty() && (FRAME_ENDS.iter().any(|it| body.ends_with(it)) || is_open())
}

/// True for a clause that a ban before it does not reach: another actor, another case, a turn.
fn begins_anew(words: &str) -> bool {
    const STARTS: &[&str] = &[
        "但",
        "惟",
        "並",
        "并",
        "且",
        "其",
        "該",
        "该",
        "此",
        "如",
        "若",
        "倘",
        "違",
        "违",
        "否則",
        "否则",
        "應",
        "应",
        "得",
        "須",
        "须",
        "可",
        "一律",
        "一概",
        "改",
        "仍",
        "均",
        "亦",
        "逕",
        "至",
        "本",
        "前項",
        "前条",
        "前條",
        "第",
        "有",
        "凡",
        "各",
        "嗣",
        "俟",
        "待",
        "視",
        "逾",
        "屆",
        "主管",
        "雇主",
        "保險人",
        "申請人",
        "投保單位",
        "勞工",
        "機關",
        "受益人",
        "被保險人",
        "法院",
        "政府",
        "由",
        "以致",
        "致",
        "請",
        "请",
        "故",
        "所以",
        "因此",
    ];
    const ENDS: &[&str] = &["者", "情形", "情事", "時", "时"];
    let words = words.trim();
    let is_case = ENDS.iter().any(|it| words.ends_with(it)) && !is_frame(words);
    is_case || STARTS.iter().any(|it| words.starts_with(it)) && !is_pretext_of(words)
}

/// 以其…, 由他人: an adverbial that only begins like a new actor.
fn is_pretext_of(words: &str) -> bool {
    words.starts_with("由他人") || words.starts_with("由第三人") || words.starts_with("逕行")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resumed<'a>(text: &'a str, word: &str) -> Option<&'a str> {
        let at = text.find(word).unwrap();
        let word = Span::new(at, at + word.len());
        let found = resumed_at(text, word, Span::new(0, text.len()));
        found.and_then(|it| it.slice(text)).map(str::trim)
    }

    #[test]
    fn a_ban_goes_on_behind_its_adverbial() {
        for (text, word, wanted) in [
            ("船員不得因同一擱淺，二次求償。", "不得", "二次求償"),
            ("不得以改裝船隻為由，申請延期。", "不得", "申請延期"),
            ("遊客禁止於繁殖期間，進入沙洲。", "禁止", "進入沙洲"),
            ("租戶不可未經同意，擅自轉租。", "不可", "擅自轉租"),
            ("不得於領取獎金後，於同一年度內，重複報名。", "不得", "重複報名"),
            ("不得以未收到通知，而免除申報。", "不得", "而免除申報"),
            ("不得超過因改建，而增加之租金。", "不得超過", "而增加之租金"),
            ("船员不得因同一事故，重复求偿。", "不得", "重复求偿"),
            ("Members must not, because of one storm, claim twice.", "must not", "claim twice"),
            ("A tenant may not (without consent) sublet.", "may not", "sublet"),
            ("You cannot, on the same day, or the next, berth twice.", "cannot", "berth twice"),
        ] {
            assert_eq!(resumed(text, word), Some(wanted), "{text}");
        }
    }

    #[test]
    fn a_ban_ends_with_its_verb_a_new_actor_and_a_new_case() {
        for (text, word) in [
            ("不得以傳真申請，一律親自辦理。", "不得"),
            ("不得轉租，違者收回船位。", "不得"),
            ("不得因故缺席，缺席者，扣一分。", "不得"),
            ("不得因懷孕而解僱，解僱無效。", "不得"),
            ("不得於夜間進入沙洲，白天開放參觀。", "不得"),
            ("不得因天候延期，船長應通知乘客。", "不得"),
            ("不得超過因改建增加之租金，租金按月給付。", "不得超過"),
            ("You must not sublet, and pay the rent on time.", "must not"),
            ("You must not sublet.", "must not"),
        ] {
            let found = resumed(text, word);
            // 應 is a force, which the caller looks for.
            assert!(found.is_none_or(|it| it.contains('應')), "{text}: {found:?}");
        }
    }
}
