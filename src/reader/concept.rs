//! The kinds of thing that conditions are about, with the words that name them.
//!
//! A concept joins what a declared field says it holds with what a sentence says. It never names a
//! field: a source may declare any fields it likes, in any words.

/// One kind of thing.
#[derive(Clone, Copy, Debug)]
pub struct Concept {
    /// Words of a field's name or description that declare it.
    pub declares: &'static [&'static str],
    /// Words of a sentence that speak of it, most telling first.
    pub speaks: &'static [&'static str],
    /// Kinds of value it usually takes.
    pub takes: &'static [Shape],
    /// What a row may be doing when it is of this concept.
    pub acts: &'static [Act],
}

/// What kind of value a row holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    Words,
    Years,
    Time,
    Date,
    Money,
    Percent,
    /// Number of persons.
    Persons,
    /// Times, or times per period.
    Times,
    /// Grades and classes.
    Grade,
    /// Any other number.
    Number,
}

/// What a row does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Act {
    /// States something that must or must not hold.
    Condition,
    /// Asks for a document.
    Document,
    /// Asks somebody to do something.
    Step,
    /// Takes somebody or something out.
    Exclusion,
    /// Takes somebody out of a rule.
    Exception,
    /// Punishes or takes back.
    Penalty,
    /// Says how something is counted.
    Computation,
    /// Says what is given.
    Grant,
    /// Says from when.
    Effect,
    /// Says what a term means or who is meant.
    Definition,
}

use Act as A;
use Shape as S;

/// All concepts. The order decides nothing.
#[rustfmt::skip]
pub const CONCEPTS: &[Concept] = &[
    Concept {
        declares: &["age", "aged", "年齡", "年龄", "歲"],
        speaks: &[
            "years old", "years of age", "birthday", "aged", "-year-old", " age", "歲", "岁", "成年",
        ],
        takes: &[S::Years, S::Words],
        acts: &[A::Condition, A::Definition],
    },
    Concept {
        declares: &["service length", "length of service", "服役", "服務期間"],
        speaks: &[
            "served", "active duty", "active service", "of service", "full period", "服役", "服務滿",
        ],
        takes: &[S::Time, S::Years, S::Words],
        acts: &[A::Condition],
    },
    Concept {
        declares: &["service period", "dates of service", "服役或任職之日期", "服役日期"],
        speaks: &[
            "active duty", "served", "enlisted", "entered", "separated", "discharged", "service", "stayed on",
            "injured in the line", "died in the line", "contracted", "duty", "服役", "入伍",
        ],
        takes: &[S::Date],
        acts: &[A::Condition],
    },
    Concept {
        declares: &["discharge", "退伍", "離職"],
        speaks: &[
            "dishonorable", "honorabl", "discharged", "discharge", "separated under", "separating from", "退伍",
            "離職",
        ],
        takes: &[S::Words],
        acts: &[A::Condition],
    },
    Concept {
        declares: &["disability rating", "degree of disability", "失能等級", "身心障礙等級", "障礙等級"],
        speaks: &[
            "disability rating", "rated", "disabling", "total disability", "totally disabled", "permanent and total",
            "工作能力減損", "重度", "中度", "輕度", "身心障礙程度", "身心障礙資格", "身心障礙手冊",
        ],
        takes: &[S::Percent, S::Words, S::Grade],
        acts: &[A::Condition],
    },
    Concept {
        declares: &["income", "所得", "收入", "入息"],
        speaks: &[
            "income", "wages", "earn", "salary", "turnover", "營業額", "總收入", "所得額", "所得總額", "家庭所得", "年所得", "總所得", "所得合計", "所得未", "所得在",
            "所得達", "所得低", "所得平均", "收入", "入息", "最低生活費", "消費支出",
        ],
        takes: &[S::Money, S::Words, S::Number],
        acts: &[A::Condition],
    },
    Concept {
        declares: &["asset", "net worth", "property", "財產", "资产", "資產"],
        speaks: &["net worth", "assets", "savings", "property", "存款本金", "存款", "有價證券", "不動產", "動產", "財產", "資產", "土地及房屋", "土地或房屋",
            "土地價值", "房屋價值", "土地公告", "房屋評定"],
        takes: &[S::Money, S::Words],
        acts: &[A::Condition],
    },
    Concept {
        declares: &["relationship", "family", "親屬", "配偶", "关系", "關係"],
        speaks: &[
            "spouse", "child", "children", "parent", "widow", "surviving", "dependent", "married", "marriage",
            "marry", "remarr", "divorce", "family member", "daughter", "blood relation", "配偶", "父母", "子女",
            "親等", "血親", "姻親", "兄弟", "姊妹", "祖父母", "繼承人", "遺屬", "監護人", "戶長", "親屬關係",
        ],
        takes: &[S::Words, S::Grade, S::Number],
        acts: &[A::Condition, A::Definition],
    },
    Concept {
        declares: &["residence", "reside", "lives", "居住", "戶籍", "居留"],
        speaks: &[
            "live in", "lives in", "lived in", "living in", "resid", "household is registered", "household registration", "實際居住",
            "居住於", "居住在", "居住滿", "居住達", "居住超過", "居住國內", "居住臺", "居住期間", "居住日數", "居住未", "共同居住", "繼續居住",
            "設籍", "設有戶籍", "戶籍登記", "合法居留", "居留", "在國內設",
        ],
        takes: &[S::Words, S::Time],
        acts: &[A::Condition],
    },
    Concept {
        declares: &["enrol", "entitled to another", "學籍", "就學", "領取、參加"],
        speaks: &[
            "enrolled", "medicare", "medicaid", "tricare", "signed up", "school", "half time", "full time", "entitled to",
            "entitled under", "recipient of", "就讀", "學籍", "修業", "入學", "領取", "請領", "加保", "津貼", "收容",
        ],
        takes: &[S::Words],
        acts: &[A::Condition],
    },
    Concept {
        declares: &["employment", "employed", "就業", "受僱", "雇用"],
        speaks: &[
            "employed", "unemploy", "employ", "work full time", "retir", "job", "受僱",
            "受雇", "失業", "未就業", "已就業", "再就業", "無工作", "職場", "在職",
        ],
        takes: &[S::Words],
        acts: &[A::Condition],
    },
    Concept {
        declares: &["insured", "contribution", "保險年資", "投保"],
        speaks: &["insured", "contributions", "保險年資", "年資", "投保期間", "加保期間", "保險有效期間"],
        takes: &[S::Time, S::Years, S::Words],
        acts: &[A::Condition, A::Definition],
    },
    Concept {
        declares: &["qualif", "quality", "eligibility", "資格", "身分", "條件", "資历"],
        speaks: &[
            "qualif", "eligible", "member", "veteran", "servicemember", "diploma", "degree", "licen",
            "certificate from", "national", "citizen", "資格", "身分", "國籍", "國民", "執照", "畢業", "領有", "證照", "合格", "符合", "合於", "立案", "登記有案",
        ],
        takes: &[S::Words, S::Number],
        acts: &[A::Condition, A::Definition],
    },
    Concept {
        declares: &["medical", "illness", "injury", "disease", "疾病", "傷害", "失能狀態"],
        speaks: &[
            "illness", "injur", "disease", "disabilit", "disabled", "medical condition", "health condition",
            "service-connected condition", "condition related", "presumptive condition", "skin condition", "cancer",
            "sick", "hearing loss", "hearing problem",
            "stress disorder", "depression", "anxiety", "loss of", "pain", "scar", "ulcer", "sclerosis", "ankylosis",
            "burn", "vision", "brain", "nursing home", "inpatient", "dental issue", "mental", "symptom", "diagnos",
            "health problem", "疾病", "傷病", "重傷", "失能", "障礙", "住院", "死亡", "致死", "診斷", "懷孕", "分娩",
            "罹患",
        ],
        takes: &[S::Words, S::Number],
        acts: &[A::Condition, A::Definition],
    },
    Concept {
        declares: &["exposure", "hazard", "contact with", "暴露", "災害"],
        speaks: &[
            "exposed", "exposure", "contact with contaminants", "hazardous", "radiation", "asbestos", "agent orange",
            "暴露", "遭受", "接觸", "受災",
        ],
        takes: &[S::Words],
        acts: &[A::Condition],
    },
    Concept {
        declares: &["headcount", "number of persons", "number of people", "人數", "口數"],
        speaks: &[
            "people", "persons", "employees", "staff", "workers", "caregiver", "dependents", "more than one dependent", "人以上", "人為限", "一人",
            "口為限",
        ],
        takes: &[S::Persons, S::Number],
        acts: &[A::Condition, A::Grant, A::Step],
    },
    Concept {
        declares: &["deadline", "time limit", "期限", "限期"],
        speaks: &[
            "within", "no later", "deadline", "right away", "日內", "月內", "年內", "之日起", "翌日起", "期限內", "期間內", "屆滿前",
        ],
        takes: &[S::Time, S::Years, S::Date, S::Words],
        acts: &[A::Condition, A::Step],
    },
    Concept {
        declares: &["waiting", "takes", "等待", "處理時間"],
        speaks: &[
            "it’ll take", "it'll take", "may take", "will take", "takes about", "take about", "wait", "等待",
        ],
        takes: &[S::Time, S::Years],
        acts: &[A::Condition, A::Grant],
    },
    Concept {
        declares: &["duration", "how long", "期間", "年限", "月數"],
        speaks: &[
            "months of", "consecutive", "up to", "for a period", "expire", "payable for", "maximum of", "transfer",
            "for the first", "期間", "為限", "最長", "連續", "持有滿", "延長", "年內",
        ],
        takes: &[S::Time, S::Years],
        acts: &[A::Condition, A::Grant],
    },
    Concept {
        declares: &["amount", "benefit amount", "allowance", "金額", "給付額", "稅額", "額度"],
        speaks: &[
            "amount", "pay", "paid", "receive", "add ", "rate", "bonus", "reduced by", "contribution", "發給",
            "金額", "給付", "稅額", "合計額", "減免額度", "補助額度", "費用減免", "全部費用", "支應", "補助", "減免", "投保金額", "全年", "每月", "一次發給",
        ],
        takes: &[S::Money, S::Words, S::Time, S::Number],
        acts: &[A::Grant, A::Computation, A::Condition],
    },
    Concept {
        declares: &["rate", "percent", "ratio", "share", "費率", "比率", "百分比", "比例"],
        speaks: &["rate", "ratio", "share of", "負擔", "比率", "費率", "稅率", "利率", "補助", "減免"],
        takes: &[S::Percent, S::Words],
        acts: &[A::Condition, A::Grant, A::Computation],
    },
    Concept {
        declares: &["fee", "charge", "審查費", "證照費", "規費", "費用"],
        speaks: &[
            "fee", "charge", "costs ", "price", "no cost", "free of", "for free", "copay", "審查費", "證照費", "規費", "登記費",
            "工本費", "每件", "手續費",
        ],
        takes: &[S::Money, S::Words],
        acts: &[A::Condition, A::Grant, A::Step],
    },
    Concept {
        declares: &["penalty", "sanction", "fine", "罰鍰", "罰", "追繳"],
        speaks: &[
            "penalt", "fined", "withhold", "surcharge", "revoke", "repay", "罰鍰", "滯納金", "追繳", "繳回", "繳還",
            "返還", "追回", "撤銷", "廢止", "沒入", "移送", "補稅", "保證金", "拍賣", "處以", "處新", "查獲",
        ],
        takes: &[S::Words, S::Money, S::Percent, S::Number],
        acts: &[A::Penalty],
    },
    Concept {
        declares: &["coverage", "covered", "limit of cover", "範圍", "上限", "給付範圍"],
        speaks: &[
            "cover", "up to", "maximum", "not more than", "any needed", "dental care", "limited to", "為限",
            "最高", "每人以", "保險金額", "體傷", "財物損失", "以上之保險",
        ],
        takes: &[S::Words, S::Money, S::Number],
        acts: &[A::Grant, A::Condition, A::Definition],
    },
    Concept {
        declares: &["frequency", "how often", "times per", "次數", "幾年一次"],
        speaks: &[
            "times a ", "times per", "once a ", "once every", "once each", "how often", "each year", "every year", "every month",
            "each month", "every day", "one-time", "monthly", "annually", "per year", "一次", "每年", "每次", "定期",
        ],
        takes: &[S::Times, S::Time, S::Years, S::Words],
        acts: &[A::Condition, A::Grant, A::Step],
    },
    Concept {
        declares: &["measure", "comput", "length, area", "calculat", "計算", "面積", "長度"],
        speaks: &[
            "vision", "degrees", "measured", "distance", "calculated", "面積", "厚度", "長度", "高度", "寬度", "重量",
            "裂縫", "總噸位", "公尺", "公分", "排氣量", "馬力", "斜率", "換算", "減除", "時數",
        ],
        takes: &[S::Number, S::Percent, S::Words, S::Time],
        acts: &[A::Computation, A::Condition],
    },
    Concept {
        declares: &["document", "form", "certificate", "proof", "文件", "證明", "申請書", "書件"],
        speaks: &[
            "form ", "form)", "application for", "fill out", "copies of", "a copy", "copy of", "certificate",
            "records", "evidence", "documents", "proof", "statement of", "papers", "id card", "文件", "證明",
            "申請書", "影本", "申請表", "檢附", "檢具", "填具", "名冊", "清冊", "計畫書", "契約", "切結書", "收據",
            "診斷書", "證件", "同意書", "書面同意", "資料",
        ],
        takes: &[S::Words, S::Number],
        acts: &[A::Document],
    },
    Concept {
        declares: &["procedure", "step", "程序", "步驟"],
        speaks: &[
            "apply", "file ", "submit", "notify", "sign up", "sign and", "request", "call ", "contact", "enroll",
            "申請", "通知", "函報", "報請", "送交", "辦理", "核定", "審核", "登記", "公告", "查驗", "委託", "提出", "檢查",
            "調查",
        ],
        takes: &[S::Words],
        acts: &[A::Step],
    },
    Concept {
        declares: &["level", "class", "category", "grade", "priority", "等級", "級別", "類別"],
        speaks: &["class ", "priority group", "priority", "level", "category", "等級", "級別", "分級"],
        takes: &[S::Grade, S::Words, S::Number],
        acts: &[A::Condition, A::Grant],
    },
    Concept {
        declares: &["exclu", "not eligible", "不予", "不得"],
        speaks: &[
            "not eligible", "no longer", "don’t qualify", "don't qualify", "doesn’t qualify", "doesn't qualify",
            "can’t", "can't", "shall not", "may not", "不予", "不得", "不發給", "喪失", "停止發給", "停發", "不列入", "擇一",
        ],
        takes: &[S::Words, S::Number, S::Time, S::Money],
        acts: &[A::Exclusion],
    },
    Concept {
        declares: &["exception", "exempt", "unless", "但書", "除外", "免除"],
        speaks: &[
            "except", "unless", "don’t need", "don't need", "exempt", "does not apply", "shall not apply", "however",
            "免徵", "免繳", "免予", "免除", "不適用", "不在此限", "不受",
        ],
        takes: &[S::Words, S::Number, S::Time, S::Money, S::Percent],
        acts: &[A::Exception],
    },
    Concept {
        declares: &["effective", "takes effect", "施行", "生效", "起算"],
        speaks: &[
            "effective date", "effective", "takes effect", "in force", "back to the date", "back to this date", "施行", "生效", "失效", "起算",
        ],
        takes: &[S::Date, S::Words],
        acts: &[A::Effect],
    },
    Concept {
        declares: &["other requirement", "any other", "其他規定", "其他要求", "其他"],
        speaks: &[],
        takes: &[S::Words, S::Number, S::Money, S::Percent, S::Time, S::Date],
        acts: &[],
    },
];
