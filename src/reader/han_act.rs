//! What a clause of a Chinese rule does: its head verb tells, not a word that stands somewhere in it.
//!
//! Looks at one clause at a time and never at the fields that are declared.

use crate::reader::clause::{closes, has_any};
use crate::reader::concept::Act;
use crate::reader::han_clause::modal_end;

/// What a clause does.
pub fn act_of(words: &str) -> Act {
    let body = words.trim_end_matches(closes);
    let head = &body[modal_end(body).unwrap_or(0)..];
    // 辦理免徵手續, 申請撤銷: what is asked for or arranged is no deed of the clause.
    let is_arranged = is_arranged(head);
    if head.starts_with('免') && lifts(head) {
        Act::Exception
    } else if !is_arranged && punishes(head) {
        Act::Penalty
    } else if words.starts_with('但') || (!is_arranged && lifts(head)) {
        Act::Exception
    } else if shuts_out(head) {
        Act::Exclusion
    } else if asks_papers(head) && !ends_in_effect(head) {
        Act::Document
    } else if takes_effect(head) {
        Act::Effect
    } else if computes(head) {
        Act::Computation
    } else if gives(head) && !is_arranged {
        Act::Grant
    } else if is_quality(head) {
        Act::Condition
    } else {
        Act::Step
    }
}

/// A list item of what somebody must do: 揭示核准文號, 於飛行前實施檢查.
pub fn is_deed(words: &str) -> bool {
    const VERBS: &[&str] = &[
        "提醒",
        "揭示",
        "實施",
        "檢查",
        "通知",
        "告知",
        "說明",
        "申報",
        "申請",
        "辦理",
        "提供",
        "提出",
        "設置",
        "指派",
        "保存",
        "保管",
        "建立",
        "訂定",
        "公告",
        "配置",
        "備置",
        "維持",
        "維護",
        "製作",
        "填寫",
        "登記",
        "繳納",
        "繳交",
        "接受檢查",
        "參加訓練",
        "聘請",
        "聘僱",
        "發給",
        "簽訂",
        "查驗",
        "報告",
        "報請",
        "送交",
        "協助",
        "配合",
        "記錄",
        "紀錄",
        "張貼",
        "標示",
        "定期",
    ];
    let body = words.trim_start_matches(['並', '應', '須']);
    let starts = |it: &str| VERBS.iter().any(|verb| it.starts_with(verb));
    // 於入口明顯處，揭示…; 依契約以轉帳方式發給…
    let is_led = ["於", "就", "向", "對", "為", "依", "以", "按", "將"]
        .iter()
        .any(|it| body.starts_with(it));
    let ends_open =
        !["者", "時", "為限"].iter().any(|it| body.trim_end_matches(closes).ends_with(it));
    ends_open && (starts(body) || (is_led && has_any(body, VERBS)))
}

/// 辦理…手續, 申請撤銷…, 向…申報…: the verb asks for or arranges something.
fn is_arranged(head: &str) -> bool {
    const VERBS: &[&str] = &["辦理", "申請", "申報", "請求", "聲請"];
    let is_procedure = ["手續", "事宜", "作業", "程序", "登記"].iter().any(|it| head.ends_with(it));
    let is_led = ["於", "向", "至", "依"].iter().any(|it| head.starts_with(it));
    VERBS.iter().any(|it| head.starts_with(it))
        || (has_any(head, VERBS) && (is_procedure || is_led && !head.contains("不")))
}

fn punishes(head: &str) -> bool {
    const DEEDS: &[&str] = &[
        "罰鍰",
        "滯納金",
        "追繳",
        "追回",
        "追償",
        "繳回",
        "繳還",
        "返還",
        "沒入",
        "撤銷",
        "廢止",
        "移送",
        "補稅",
        "處以",
        "責令",
        "拍賣",
        "保證金",
        "註銷",
    ];
    // 經撤銷, 廢止後, 撤銷之裁定: what happened before, or a name.
    const NAMES: &[&str] =
        &["不予追繳", "免予繳", "撤銷之", "廢止之", "經撤銷", "經廢止", "返還之"];
    has_any(head, DEEDS) && !has_any(head, NAMES)
}

fn lifts(head: &str) -> bool {
    // 免除全部費用 gives; 免徵, 免計入 take out of a rule.
    let gives_relief = head.contains("免除") && has_any(head, &["費", "學雜", "利息"]);
    let lifts_duty = has_any(
        head,
        &[
            "免徵",
            "免納",
            "免繳",
            "免予",
            "免再",
            "免附",
            "免審查",
            "免計",
            "免列",
            "免經",
            "免檢",
            "免受",
            "免辦",
            "免申",
            "免除",
            "毋須",
            "無須",
            "無庸",
            "不受",
            "不在此限",
            "不適用",
            "替代",
            "不予追繳",
            "除外",
        ],
    );
    !gives_relief && (lifts_duty || head.starts_with('免'))
}

fn shuts_out(head: &str) -> bool {
    const BANS: &[&str] = &[
        "不得",
        "不予",
        "不發給",
        "不受理",
        "喪失",
        "駁回",
        "擇一",
        "不列入",
        "不計入",
        "停發",
        "不補助",
        "不給",
    ];
    let stops = has_any(head, &["停止", "終止"])
        && has_any(
            head,
            &[
                "停止發給",
                "停止補助",
                "停止給付",
                "停止核發",
                "停止領取",
                "停止請領",
                "停止支給",
                "停止津貼",
                "停止其",
                "終止補助",
                "終止發給",
            ],
        );
    has_any(head, BANS) || stops
}

fn asks_papers(head: &str) -> bool {
    const VERBS: &[&str] =
        &["檢附", "檢具", "填具", "備具", "附具", "檢送", "填寫", "備齊", "備妥"];
    const HANDED: &[&str] =
        &["提出", "提具", "繳驗", "出具", "以", "取得", "憑", "再憑", "備", "持"];
    const PAPERS: &[&str] = &[
        "申請書",
        "書面同意",
        "同意書",
        "證明文件",
        "證件",
        "收據",
        "切結書",
        "影本",
        "名冊",
        "清冊",
        "鑑定表",
        "證明書",
    ];
    has_any(head, VERBS) || (has_any(head, PAPERS) && HANDED.iter().any(|it| head.starts_with(it)))
}

/// 溯自備齊文件之當月起算: from when, whatever papers it names.
fn ends_in_effect(head: &str) -> bool {
    ["起算", "生效", "起發給"].iter().any(|it| head.ends_with(it))
}

fn takes_effect(head: &str) -> bool {
    let end = head.trim_end_matches(['之', '者']);
    ["施行", "生效", "失效", "起算", "停止", "終止", "起適用", "起發給", "起計算", "起計"]
        .iter()
        .any(|it| end.ends_with(it))
        || has_any(head, &["起生效", "起發給", "起施行", "開始生效"])
}

fn computes(head: &str) -> bool {
    let end = head.trim_end_matches('之');
    const ENDS: &[&str] = &[
        "計算",
        "換算",
        "為準",
        "減除",
        "扣除",
        "加計",
        "合計",
        "併計",
        "核計",
        "計徵",
        "折算",
        "四捨五入",
        "計算認定",
        "計",
    ];
    let starts = ["以", "按", "減除", "計入"].iter().any(|it| head.starts_with(it));
    let is_formula = has_any(head, &["除以", "乘以", "之積", "之商"]);
    let follows =
        has_any(head, &["指數", "成長率", "程度", "比例", "比率", "幅度"]) && end.ends_with("調整");
    ENDS.iter().any(|it| end.ends_with(it))
        || is_formula
        || follows
        || (starts && has_any(head, &["為準", "計算", "計入", "減除", "換算"]))
}

fn gives(head: &str) -> bool {
    const VERBS: &[&str] = &[
        "發給", "給與", "負擔", "減免", "補助", "為限", "核發", "支應", "給付", "減徵", "免除",
        "酌予",
    ];
    const OTHERS: &[&str] = &[
        "申請", "應", "訂定", "擬訂", "擬定", "匯入", "公告", "審核", "審查", "通知", "調查",
        "扣除",
    ];
    // 由…發給, 由…核發: who does it, not what is given.
    let is_by_whom = head.starts_with('由') && has_any(head, &["發給", "核發"]);
    has_any(head, VERBS) && !has_any(head, OTHERS) && !is_by_whom
}

/// Says how something is: 符合…資格, 為…之人, 視為….
fn is_quality(head: &str) -> bool {
    const STARTS: &[&str] = &[
        "符合", "具有", "具備", "領有", "持有", "設有", "置有", "為具", "係", "屬", "視為", "年滿",
        "以具", "曾", "包括",
    ];
    STARTS.iter().any(|it| head.starts_with(it))
        || head.contains("）包括")
        || ["資格", "條件", "身分"].iter().any(|it| head.ends_with(it))
            && has_any(head, &["具備", "具有", "符合"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_a_clause_tells_what_it_does() {
        for (words, act) in [
            ("應符合船員資格規定之身分", Act::Condition),
            ("得免計入船東之總收入", Act::Exception),
            ("主管機關得追回補助款", Act::Penalty),
            ("其補助應停止發給", Act::Exclusion),
            ("應向港務局申報停止使用", Act::Step),
            ("應於開航前辦理免徵規費手續", Act::Step),
            ("自九月一日起發給", Act::Effect),
            ("按航程合計計算之", Act::Computation),
            ("由港務局編列預算補助", Act::Grant),
            ("免除全部船席費用", Act::Grant),
            ("應檢附船籍影本", Act::Document),
            ("應通知船東補正", Act::Step),
            ("並加強巡查", Act::Step),
        ] {
            assert_eq!(act_of(words), act, "{words}");
        }
    }

    #[test]
    fn an_item_that_begins_with_a_deed_is_one() {
        assert!(is_deed("於碼頭入口，揭示核准文號"));
        assert!(is_deed("提醒乘客穿著救生衣"));
        assert!(!is_deed("未領取其他補助"));
        assert!(!is_deed("於碼頭設有船席者"));
    }
}
