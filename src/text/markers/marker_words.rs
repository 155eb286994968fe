//! The words that turn, narrow, soften or bind a rule, in both languages, and the words they hide in.
//!
//! Data alone. A word that only contains a marker (不動產, 所得, "notwithstanding") is listed as
//! [`Sense::Plain`], so the longer word wins where both begin. Context that a list cannot settle is
//! judged in `text::marker_context`.

/// How strongly a rule binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strength {
    Must,
    MustNot,
    Should,
    May,
    /// The duty is denied: "need not", 無須, 免附.
    NeedNot,
    InPrinciple,
}

/// What a listed word says where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sense {
    Negation,
    /// A negated comparison: "not more than", 不超過, 未滿. Part of a limit, not of the rule.
    Bound,
    Exception,
    Restriction,
    Hedge,
    Force(Strength),
    /// A longer word that happens to contain a marker.
    Plain,
}

use Sense::{Bound, Exception, Force, Hedge, Negation, Plain, Restriction};
use Strength::{InPrinciple, May, Must, MustNot, NeedNot, Should};

/// English words and phrases, parted by `|`; an apostrophe stands for both shapes.
pub const ENGLISH: &[(&str, &[Sense])] = &[
    (
        "not|never|nor|neither|without|none|no|nobody|nothing|nowhere|no one|no-one|no longer|could not|exempt from|exempted from",
        &[Negation],
    ),
    (
        "isn't|aren't|wasn't|weren't|doesn't|don't|didn't|hasn't|haven't|hadn't|won't|wouldn't|couldn't",
        &[Negation],
    ),
    (
        "cannot|can't|can not|must not|mustn't|shall not|shan't|may not|are not to|is not to",
        &[Negation, Force(MustNot)],
    ),
    (
        "not allowed to|not permitted to|not entitled to|prohibited from|forbidden to",
        &[Negation, Force(MustNot)],
    ),
    (
        "may not be able|may not be eligible|may not be entitled|may not qualify|may not need|may not know|may not get|may not be enough|may not be covered|may not be available|may not receive|may not have",
        &[Negation, Hedge, Force(May)],
    ),
    ("should not|shouldn't|ought not to", &[Negation, Force(Should)]),
    (
        "need not|needn't|do not have to|does not have to|don't have to|doesn't have to",
        &[Negation, Force(NeedNot)],
    ),
    (
        "do not need to|does not need to|don't need to|doesn't need to|not required to|not necessary|unnecessary to|no need to|not need to|not have to",
        &[Negation, Force(NeedNot)],
    ),
    (
        "no obligation to|no duty to|no requirement to|under no obligation|won't have to|won't need to|will not have to|will not need to|not obliged to|not required",
        &[Negation, Force(NeedNot)],
    ),
    (
        "not more than|no more than|not less than|no less than|not fewer than|no fewer than|not later than|no later than",
        &[Bound],
    ),
    (
        "not earlier than|no earlier than|not over|not under|not above|not below|not exceeding|not exceed|not exceeds",
        &[Bound],
    ),
    (
        "not longer than|no longer than|not older than|no older than|not younger than|no younger than|not greater than|no greater than",
        &[Bound],
    ),
    (
        "not higher than|no higher than|not lower than|no lower than|not beyond|do not exceed|does not exceed|don't exceed|doesn't exceed",
        &[Bound],
    ),
    (
        "could not exceed|must not exceed|shall not exceed|may not exceed|cannot exceed|can't exceed|may not be more than|may not be less than|cannot be more than|cannot be less than|can't be more than|can't be less than|must not be lower than|must not be higher than|must not be longer than|must not be earlier than|must not be later than|must not be more than|must not be less than",
        &[Bound, Force(Must)],
    ),
    (
        "shall not be more than|shall not be less than|must not be over|must not be under|must not be older than|must not be younger than",
        &[Bound, Force(Must)],
    ),
    ("should not exceed|should not be more than", &[Bound, Force(Should)]),
    (
        "not only|not just|not merely|not solely|not simply|whether or not|with or without|no matter|if not|why not|or not",
        &[Plain],
    ),
    ("no doubt|not least|not to mention|nothing but|no. of|not applicable to you", &[Plain]),
    (
        "except|excepting|except for|except that|except where|except when|except if|except as|unless|other than|otherwise than",
        &[Exception],
    ),
    (
        "excluding|exclusive of|with the exception of|apart from|aside from|not including|save|save for|save that|save as|save where|save with|save in",
        &[Exception],
    ),
    (
        "provided that|provided the|provided you|provided they|provided he|provided she|provided it|provided your|provided all|provided both|provided no|provided there|providing that|on condition that|provided always that|however|but|but not|does not apply|do not apply|doesn't apply|don't apply|shall not apply|will not apply",
        &[Exception],
    ),
    (
        "subject to|exception|exceptions|does not include|do not include|notwithstanding|despite|exception is",
        &[Exception],
    ),
    ("but also|but for|nothing but|all but|subject to tax|subject to change", &[Plain]),
    (
        "only|solely|the sole|exclusively|just|merely|limited to|restricted to|alone|only if|only when|only where|only after",
        &[Restriction],
    ),
    (
        "not only|not limited to|if only|if not only|read-only|online-only|only just|just in case|not restricted to|just because|but not limited to",
        &[Plain],
    ),
    ("in principle|as a matter of principle", &[Hedge, Force(InPrinciple)]),
    (
        "generally|normally|usually|typically|ordinarily|customarily|as a rule|as a general rule|in general|in most cases|in many cases|in some cases",
        &[Hedge],
    ),
    (
        "in certain cases|in certain circumstances|in exceptional cases|in exceptional circumstances|in special cases|in some circumstances|at times|exceptionally|mostly|mainly",
        &[Hedge],
    ),
    (
        "approximately|approx|approx.|about|around|roughly|nearly|almost|circa|or so|or thereabouts|estimated|provisionally|tentatively",
        &[Hedge],
    ),
    (
        "at the discretion|at its discretion|at their discretion|at our discretion|at his discretion|discretionary|on a case-by-case basis|case by case",
        &[Hedge],
    ),
    (
        "so far as practicable|as far as practicable|where practicable|so far as is practicable|where reasonably practicable|so far as reasonably practicable|wherever possible|whenever possible|in most circumstances|in normal circumstances|under normal circumstances|as a guide|on average|likely|unlikely|probably|possibly|perhaps|as far as possible|so far as possible|where possible|if possible|where appropriate|if appropriate|as appropriate",
        &[Hedge],
    ),
    (
        "where necessary|if necessary|as necessary|where applicable|often|sometimes|occasionally|largely|expected to|tend to|tends to|can vary|may vary|depending on",
        &[Hedge],
    ),
    ("in general terms|most likely|it is possible|subject to availability", &[Hedge]),
    (
        "it is expected that|it is anticipated that|it is proposed that|it is intended that|it is planned that|it is likely that|is proposed to|are proposed to|is anticipated to|are anticipated to|is planned to|are planned to",
        &[Hedge],
    ),
    ("aim to|aims to|we expect to|we hope to|we try to|endeavour to|endeavours to", &[Hedge]),
    ("might|could|might not", &[Hedge, Force(May)]),
    (
        "must|shall|is required to|are required to|be required to|required to|is obliged to|are obliged to|is to be|are to be|has got to|have got to",
        &[Force(Must)],
    ),
    (
        "need to|needs to|will need|'ll need|you need|have to|has to|had to|must be|shall be|must have|it is necessary to|is required|are required",
        &[Force(Must)],
    ),
    (
        "needs the|needs a|needs an|needs at least|needs your|they need|applicants need|applicant needs|people need|who need to|is mandatory|is compulsory",
        &[Force(Must)],
    ),
    (
        "if required|where required|as required|when required|if you need|in need of|the need to|the need for|need for|whether you need|may need to",
        &[Plain],
    ),
    (
        "should|ought to|we recommend|recommends|we advise|is advisable|are advised|we suggest|we encourage|is recommended|are recommended|is advised to|are advised to|are encouraged to",
        &[Force(Should)],
    ),
    (
        "may|can|has discretion to|have discretion to|has a discretion to|is free to|are free to|has the right to|have the right to|has power to|have power to|is authorised to|are authorised to|is authorized to|are authorized to|is allowed to|are allowed to|is permitted to|are permitted to|is entitled to|are entitled to|may be|can be|at liberty to|may only|can only",
        &[Force(May)],
    ),
    ("may have to|might have to|may be required to|may be asked to", &[Force(May)]),
    ("may only|can only|may be only|may just", &[Force(May), Restriction]),
    ("must only|shall only|should only", &[Force(Must), Restriction]),
    ("may, in principle", &[Force(InPrinciple), Hedge]),
];

/// Chinese words, parted by spaces, in traditional script; the simplified form is added to each.
pub const CHINESE: &[(&str, &[Sense])] = &[
    (
        "不 不能 未 非 無 沒有 沒能 並沒 從沒 毋 勿 莫 否 不再 不予 不受 不在 不屬 不符 不符合 不合 未曾 未經 尚未 從未 仍未 並未 並無 並非 毫無 均無 均未 無法 不是",
        &[Negation],
    ),
    // It lies with somebody to refuse: no duty to.
    ("得不予 得不受理 得不發給 得不核給 得不補助 得拒絕", &[Force(May)]),
    ("服務目標 服務指標 預定目標", &[Hedge]),
    ("不計入 不列入 不包含在內 免徵 免納 無從 無力", &[Negation]),
    (
        "不得 不可 不可以 不應 不應該 不能申請 不能領取 不能參加 不能享 不能獲 不能同時 不能重複 不能轉讓 不能使用 不准 不許 不容 禁止 嚴禁 不得再 應不 應不予 請勿 切勿 切莫 勿 不宜",
        &[Negation, Force(MustNot)],
    ),
    (
        "不須 不必 無須 無需 毋須 毋需 毋庸 無庸 不用 不需 不需要 免予 免附 免繳 免付 免辦 免審 免再 免經 免提 免計 免除申請 得免 無須再 可免 獲豁免 免於",
        &[Negation, Force(NeedNot)],
    ),
    (
        "不超過 不逾 不滿 不足 不及 不到 不少於 不多於 不低於 不高於 不早於 不遲於 不晚於 不大於 不小於 不長於 不短於 未滿 未達 未逾 未超過 未足 未及 未高於 未低於 未到",
        &[Bound],
    ),
    (
        "不得超過 不得逾 不得低於 不得少於 不得多於 不得高於 不得大於 不得小於 不得逾越 不可超過 不可少於 不可低於 不可多於 不能超過 不應超過 不應低於 應不超過 應不低於 應不少於 不得遲於 不得早於 不得晚於 不得未滿 不得長於 不得短於 不能少於 不能低於 不能多於 不能高於 不應少於 不應多於 不可高於 不可早於 不可遲於",
        &[Bound, Force(Must)],
    ),
    (
        "不動產 不僅 不但 不只 不單 不單止 不獨 不論 不管 不限 不限於 不拘 不問 不分 不同 不久 不時 不斷 不妨 不然 不便 不良 不當 不法 不實 不利 不幸 不明 不詳 不孕 不鏽鋼 不銹鋼",
        &[Plain],
    ),
    (
        "不等 不定 不定期 不特定 不服 不全 不一 不可抗力 不可抗拒 不可歸責 不可分 不可撤銷 不可或缺 不可避免 得不到 不得已 對不起 不錯 不安 不惜 莫不 無不 不至於 不啻 不失 不佳 不景氣 差不多 不料 不禁 不變 不完全 不均 不要式",
        &[Plain],
    ),
    (
        "未來 未婚 未成年 未成年人 未成年子女 未遂 未知 未亡人 未定 未上市 未上櫃 未幾 未分配 辛未 癸未 丁未 乙未 己未 未免",
        &[Plain],
    ),
    (
        "無線 無論 無障礙 無效 無限 無關 無形 無償 無息 無業 無期 無故 無菌 無名 無端 無數 無非 無異 無誤 無訛 無虞 無記名 無主 無黨 無酬 無遺囑 無線電 無限期 無國籍 無依 無行為能力 無條件 無人機 無煙 無毒 無家可歸",
        &[Plain],
    ),
    (
        "非常 非洲 是非 非法 非凡 非但 莫非 非議 非營利 非政府 非都市 非訟 非財產 非學校型態",
        &[Plain],
    ),
    ("是否 可否 能否 應否 與否 否則 否認 否決 否定 若否 得否 有否 曾否 會否 莫名", &[Plain]),
    (
        "沒收 沒入 淹沒 埋沒 沉沒 出沒 沒落 免費 免稅 免疫 免除 避免 以免 免職 罷免 難免 豁免 減免 免責 役免 免於恐懼 免於匱乏 免於受 免於被 免於遭 免於傷 免於危 免試 避免於 難免於 不只是 不僅僅",
        &[Plain],
    ),
    (
        "但 惟 但是 不過 然而 但書 不在此限 不適用 不適用之 不受限制 例外 除非 另有規定 另有約定 另有訂定 另有說明 除外 不包括 不包含 不含 並不包括 不計在內",
        &[Exception],
    ),
    ("除 撇除", &[Exception]),
    (
        "但願 但凡 不但 非但 思惟 恭惟 免除 扣除 解除 排除 刪除 廢除 清除 拆除 去除 消除 撤除 除名 除息 除權 除濕 切除 移除 開除 除役 除籍 除斥 除夕 除草 除塵 除雪 根除 卸除 破除 剔除 剷除 除以 除數 乘除 防除 驅除 戒除 除去 除了",
        &[Plain],
    ),
    (
        "限 只 僅 僅限 只限 僅限於 只限於 限於 為限 限由 限為 限以 限本 限向 限在 限每 限一 專供 專為 專以 專屬於 唯一 惟有 唯有 惟一 僅以 單以 只有 僅有",
        &[Restriction],
    ),
    (
        "方可 方能 始可 始能 才可 才能 才可以 始得 方得 僅得 只得 只可 只能 僅可 僅能 只可以",
        &[Restriction, Force(May)],
    ),
    ("只須 只需 僅須 僅需 只應 僅應", &[Restriction, Force(Must)]),
    (
        "不僅 不只 絕無僅有 只要 只是 只好 僅僅只是 期限 限額 權限 有限 上限 下限 年限 時限 限制 限度 限期 無限 界限 局限 極限 屆限 不限 不限於 不以為限 獨立 獨資 單獨 獨居 獨自 獨生 孤獨 獨特",
        &[Plain],
    ),
    ("原則上 以原則 為原則", &[Hedge, Force(InPrinciple)]),
    (
        "一般而言 一般來說 一般說來 一般情況 一般情形 一般情況下 一般上 一般會 一般須 一般需 一般應 一般可 一般都 一般均 一般在 一般於 一般由 一般以 一般按 一般每 一般約 一般只 一般將 一般能 一般要 一般不 一般為 通常 通常情況 大致 大致上 大約 大概 約 約為 約需 左右",
        &[Hedge],
    ),
    (
        "酌情 酌量 酌予 酌定 得視 視情況 視情形 視乎 視個別 視實際 必要時 於必要時 如有需要 如有必要 有需要時 或會 可能 可能會 或許 也許 未必 預計 預期 可望 有望 擬議 估計 基本上 大多 大多數情況 多數情況 往往 有時 幾乎 盡可能 儘可能 儘量 盡量 個別情況 個別考慮 按個別",
        &[Hedge],
    ),
    ("或可 或能", &[Hedge, Force(May)]),
    ("或須 或需", &[Hedge, Force(Must)]),
    ("得視 得酌 得酌情 可酌情 得酌予 可視 得斟酌 可酌", &[Hedge, Force(May)]),
    (
        "應 須 必須 應當 務必 務須 應須 必需 需要 需於 需在 需有 需為 需持 需年滿 需具 需提 需附 需先 需經 需向 需由 需填 需繳 需符合 亦需 仍需 並需 均需 需以 須要 不得不 定須 有責任 有義務 負有",
        &[Force(Must)],
    ),
    ("應該 宜 建議 最好 鼓勵 請儘量 請盡量", &[Force(Should)]),
    ("得 可 可以 可予 可獲 均可 亦可 皆可 得以 有權 准予 准許 獲准 得予 得為", &[Force(May)]),
    (
        "應用 支應 反應 相應 應計 響應 供應 適應 對應 因應 應屆 應聘 應徵 應考 應試 應對 應變 應邀 應急 應收 應領 應付帳款 應付款 應付金額 應納稅額 應納稅款 應有部分 應有之 應得 應否 呼應 回應 效應 感應 應允 應驗 應酬 應景 理應 報應 內應 應召 應運 順應 應付",
        &[Plain],
    ),
    (
        "應屆滿 應屆至 應計算 應得主管 應得其 應得本人 應得當事人 應得被 應得全體 應得法定 應計入 應付給 應得以 應付給予",
        &[Force(Must)],
    ),
    (
        "必需品 有需要 視需要 需要者 所需 急需 需求 供需 需時 需要時 需要之 需要的 特殊需要 須知 須臾 必須品 生活需要 實際需要 業務需要",
        &[Plain],
    ),
    (
        "所有權 使用權人 共有權 占有權 佔有權 持有權 國有權 擁有權 所須 或會員 或會計 或會議 或會同 或許可 通常保護令 通常訴訟 特殊才能 藝術才能 領導才能 大專以 五專以 二專以 三專以 所得 取得 獲得 覺得 免得 得到 得知 得分 得出 得獎 得標 得票 值得 使得 記得 懂得 贏得 難得 心得 得失 得力 得宜 得當 得利 博得 求得 購得 租得 得益 得償 得主 應得 捨得 顯得 變得 曉得 認得 省得 換得 領得 售得 賣得 拾得 徵得 得心 繼得 承得 分得 買得 尋得 覓得 相得 得來 得悉 得逞 得天獨厚 得寵 得體 得罪 查得 測得 算得 核得 籌得 募得 貸得 所獲得 得獲 可得之 可得的 已得",
        &[Plain],
    ),
    (
        "許可 認可 可否 可行 可靠 可疑 可見 可知 可觀 可歸責 可處分 可支配 可變 核可 可惜 可愛 可謂 寧可 無可 可分割 可用資產 許可證 可採行 可資 適可 尚可 可供 非可 可比 可攜 可燃 可回收 可利用 可動用 可運用 可繼承",
        &[Plain],
    ),
    (
        "宜居 宜人 宜昌 宜興 宜室 宜家 宜農 宜林 適宜 便宜 事宜 權宜 合宜 機宜 宜蘭 得宜 時宜 契約 合約 條約 公約 協約 和約 預約 特約 節約 違約 解約 租約 簽約 續約 立約 依約 締約 婚約 邀約 履約 要約 約定 約束 約會 約聘 約僱 約雇 約談 毀約 約制 約滿 約期 爽約 制約 約翰 簡約 儉約",
        &[Plain],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_is_both_a_marker_and_plain() {
        let all = || {
            let english = ENGLISH.iter().flat_map(|it| it.0.split('|').map(|word| (word, it.1)));
            english.chain(CHINESE.iter().flat_map(|it| it.0.split(' ').map(|word| (word, it.1))))
        };
        let plain: Vec<_> = all().filter(|it| it.1.contains(&Plain)).map(|it| it.0).collect();
        let both: Vec<_> =
            all().filter(|it| !it.1.contains(&Plain) && plain.contains(&it.0)).collect();
        assert!(both.is_empty(), "{both:?}");
        assert!(all().all(|it| !it.0.is_empty()));
    }
}
