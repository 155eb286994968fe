//! The closed table of units in both languages: wordings, families, canonical names.
//! Holds no rule; `unit` reads by it.

use std::sync::LazyLock;

use crate::text::lexeme::PhraseTable;

/// The families. Units of different families never state the same thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// Currencies.
    Money,
    /// Percent, permille, tenths.
    Percent,
    /// Lengths of time.
    Duration,
    /// Years of age.
    Age,
    /// Calendar dates; only a claim's unit names it.
    Date,
    /// How many times something happens (次, times).
    Frequency,
    /// How many times as much (倍, double).
    Multiple,
    /// Grades, levels, degrees of kinship (等級, 親等).
    Grade,
    /// Persons, households, cases, pieces.
    Count,
    /// Lengths.
    Length,
    /// Areas.
    Area,
    /// Volumes.
    Volume,
    /// Masses.
    Mass,
    /// Power, energy, temperature and other measures of nature.
    Physical,
    /// A noun that no table knows, as worded.
    Other,
}

/// One line of the table: wordings, family, canonical name.
type Entry = (&'static [&'static str], Family, &'static str);

/// Every unit of both languages. `~` stands for an optional plural s.
const TABLE: &[Entry] = &[
    (&["year~", "yr~", "年", "年度", "週年", "足年"], Family::Duration, "year"),
    (
        &["month~", "mo", "mos", "mth~", "個月", "月", "個月份", "足月", "個足月"],
        Family::Duration,
        "month",
    ),
    (&["week~", "wk~", "週", "星期", "個星期", "禮拜", "個禮拜"], Family::Duration, "week"),
    (&["fortnight~", "雙週"], Family::Duration, "fortnight"),
    (&["day~", "calendar day~", "日", "天", "日曆天"], Family::Duration, "day"),
    (
        &[
            "working day~",
            "business day~",
            "work day~",
            "workday~",
            "工作日",
            "工作天",
            "個工作日",
            "個工作天",
            "營業日",
            "個營業日",
            "上班日",
        ],
        Family::Duration,
        "working-day",
    ),
    (&["hour~", "hr~", "小時", "個小時", "鐘頭", "個鐘頭", "時數"], Family::Duration, "hour"),
    (&["minute~", "min~", "分鐘"], Family::Duration, "minute"),
    (&["second~", "sec~", "秒", "秒鐘"], Family::Duration, "second"),
    (&["quarter~", "季", "季度", "個季度"], Family::Duration, "quarter"),
    (&["semester~", "term~", "學期", "個學期"], Family::Duration, "semester"),
    (
        &["school year~", "academic year~", "學年", "學年度", "個學年"],
        Family::Duration,
        "school-year",
    ),
    (
        &["tax year~", "fiscal year~", "financial year~", "calendar year~", "會計年度", "課稅年度"],
        Family::Duration,
        "year",
    ),
    (&["decade~"], Family::Duration, "decade"),
    (
        &[
            "years old",
            "year old",
            "years of age",
            "year of age",
            "year olds",
            "yrs old",
            "years age",
            "歲",
            "足歲",
            "周歲",
            "週歲",
        ],
        Family::Age,
        "year",
    ),
    (&["months old", "month old", "months of age", "個月大"], Family::Age, "month"),
    (
        &["%", "percent", "per cent", "percentage point~", "pct", "個百分點", "百分點", "％"],
        Family::Percent,
        "percent",
    ),
    (&["‰", "permille", "per mille", "per mil"], Family::Percent, "permille"),
    (&["time~", "occasion~", "次", "回", "趟"], Family::Frequency, "time"),
    (&["倍", "fold"], Family::Multiple, "multiple"),
    (&["等級", "級", "grade~", "level~", "tier~", "class"], Family::Grade, "grade"),
    (
        &["親等", "等親", "degree~ of kinship", "degree~ of relationship"],
        Family::Grade,
        "kinship-degree",
    ),
    (
        &[
            "person~",
            "people",
            "人",
            "名",
            "位",
            "人次",
            "individual~",
            "family member~",
            "member~",
            "persona~",
            "applicant~",
            "口",
        ],
        Family::Count,
        "person",
    ),
    (&["child", "children", "kid~", "子女", "個子女", "名子女", "名兒童"], Family::Count, "child"),
    (&["dependent~", "dependant~", "受扶養人"], Family::Count, "dependent"),
    (&["employee~", "worker~", "員工", "名員工"], Family::Count, "employee"),
    (&["household~", "戶", "family", "families"], Family::Count, "household"),
    (&["case~", "件", "案", "application~", "宗"], Family::Count, "case"),
    (&["item~", "項", "項目", "個項目"], Family::Count, "item"),
    (&["point~", "分", "點"], Family::Count, "point"),
    (&["cop~", "copies", "copy", "份", "式"], Family::Count, "copy"),
    (&["sheet~", "張", "幀"], Family::Count, "sheet"),
    (&["page~", "頁"], Family::Count, "page"),
    (&["vehicle~", "輛", "部"], Family::Count, "vehicle"),
    (&["ship~", "vessel~", "艘"], Family::Count, "vessel"),
    (&["unit~", "set~", "臺", "座", "組", "套", "具"], Family::Count, "unit"),
    (&["installment~", "instalment~", "期"], Family::Count, "instalment"),
    (&["credit~", "學分", "個學分", "credit hour~"], Family::Count, "credit"),
    (&["bed~", "床", "張床"], Family::Count, "bed"),
    (&["room~", "間", "房"], Family::Count, "room"),
    (&["floor~", "storey~", "stories", "層", "樓層"], Family::Count, "floor"),
    (&["place~", "處", "所", "家", "個地方"], Family::Count, "place"),
    (&["share~", "股"], Family::Count, "share"),
    (&["degree~", "度"], Family::Physical, "degree"),
    (&["class hour~", "節", "堂"], Family::Count, "lesson"),
    (&["種", "類", "type~", "kind~"], Family::Count, "kind"),
    (&["個", "piece~"], Family::Count, "piece"),
    (&["隻", "頭", "匹", "animal~", "head"], Family::Count, "animal"),
    (&["株", "棵", "tree~"], Family::Count, "tree"),
    (&["胎", "birth~"], Family::Count, "birth"),
    (&["段"], Family::Count, "section"),
    (&["代"], Family::Count, "generation"),
    (&["門", "科", "course~", "subject~"], Family::Count, "course"),
    (&["場", "場次", "梯次", "班次", "航次", "車次"], Family::Count, "session"),
    (&["劑", "針", "劑次"], Family::Count, "dose"),
    (&["席次", "床位", "個名額"], Family::Count, "seat"),
    (&["篇", "冊"], Family::Count, "volume"),
    (&["盞", "棟", "幢", "筆", "罐", "袋"], Family::Count, "thing"),
    (&["職等"], Family::Grade, "grade"),
    (&["支", "枚", "把", "根", "顆", "粒", "瓶", "盒", "包", "箱", "片"], Family::Count, "thing"),
    (&["kilometre~", "kilometer~", "km", "公里", "千米"], Family::Length, "kilometre"),
    (&["metre~", "meter~", "公尺", "米"], Family::Length, "metre"),
    (&["centimetre~", "centimeter~", "cm", "公分", "釐米"], Family::Length, "centimetre"),
    (&["millimetre~", "millimeter~", "mm", "公釐", "毫米"], Family::Length, "millimetre"),
    (&["mile~", "mi", "英里", "英哩"], Family::Length, "mile"),
    (&["nautical mile~", "海里", "海浬", "浬"], Family::Length, "nautical-mile"),
    (&["foot", "feet", "ft", "英尺", "英呎", "呎"], Family::Length, "foot"),
    (&["inch", "inches", "英寸", "英吋", "吋"], Family::Length, "inch"),
    (&["yard~", "碼"], Family::Length, "yard"),
    (
        &["square metre~", "square meter~", "sq m", "sqm", "m²", "㎡", "平方公尺", "平方米"],
        Family::Area,
        "square-metre",
    ),
    (&["square foot", "square feet", "sq ft", "平方呎", "平方英尺"], Family::Area, "square-foot"),
    (&["square kilometre~", "square kilometer~", "平方公里"], Family::Area, "square-kilometre"),
    (&["square mile~"], Family::Area, "square-mile"),
    (&["acre~", "英畝"], Family::Area, "acre"),
    (&["hectare~", "公頃"], Family::Area, "hectare"),
    (&["坪"], Family::Area, "ping"),
    (&["甲"], Family::Area, "jia"),
    (&["公畝"], Family::Area, "are"),
    (&["畝", "亩"], Family::Area, "mu"),
    (&["平方公分"], Family::Area, "square-centimetre"),
    (&["litre~", "liter~", "公升", "升"], Family::Volume, "litre"),
    (&["millilitre~", "milliliter~", "ml", "毫升"], Family::Volume, "millilitre"),
    (&["gallon~", "加侖"], Family::Volume, "gallon"),
    (
        &["cubic centimetre~", "cubic centimeter~", "cc", "立方公分", "c.c."],
        Family::Volume,
        "cubic-centimetre",
    ),
    (&["cubic metre~", "cubic meter~", "立方公尺", "立方米"], Family::Volume, "cubic-metre"),
    (&["kilogram~", "kilogramme~", "kg", "kgs", "公斤", "千克"], Family::Mass, "kilogram"),
    (&["gram~", "gramme~", "公克", "克"], Family::Mass, "gram"),
    (&["milligram~", "mg", "毫克"], Family::Mass, "milligram"),
    (&["microgram~", "mcg", "微克"], Family::Mass, "microgram"),
    (&["pound~ weight", "lb~", "磅"], Family::Mass, "pound"),
    (&["ounce~", "oz"], Family::Mass, "ounce"),
    (&["tonne~", "ton~", "metric ton~", "公噸", "噸"], Family::Mass, "tonne"),
    (&["台斤", "臺斤", "斤"], Family::Mass, "catty"),
    (&["horsepower", "hp", "馬力", "英制馬力", "匹馬力"], Family::Physical, "horsepower"),
    (&["ps", "公制馬力"], Family::Physical, "metric-horsepower"),
    (&["kilowatt~", "kw", "千瓦", "瓩"], Family::Physical, "kilowatt"),
    (&["watt~", "瓦", "瓦特"], Family::Physical, "watt"),
    (&["volt~", "伏特", "伏"], Family::Physical, "volt"),
    (&["kilowatt hour~", "kwh", "度電"], Family::Physical, "kilowatt-hour"),
    (&["decibel~", "db", "分貝"], Family::Physical, "decibel"),
    (&["°c", "℃", "degrees celsius", "degrees centigrade", "攝氏度"], Family::Physical, "celsius"),
    (&["°f", "℉", "degrees fahrenheit"], Family::Physical, "fahrenheit"),
    (&["mph", "miles per hour"], Family::Physical, "mile-per-hour"),
    (
        &["時速公里", "kilometres per hour", "kilometers per hour", "km/h"],
        Family::Physical,
        "kilometre-per-hour",
    ),
];

/// The table, filed by first character.
pub static UNITS: LazyLock<PhraseTable<(Family, &'static str)>> = LazyLock::new(|| {
    PhraseTable::new(TABLE.iter().flat_map(|(wordings, family, name)| {
        wordings.iter().map(move |wording| (*wording, (*family, *name)))
    }))
});

/// The family of a unit by its canonical name.
pub fn family_of(name: &str) -> Option<Family> {
    TABLE.iter().find(|it| it.2 == name).map(|it| it.1)
}

/// Words that open with a measure character without being one: 人工 is no count of persons.
pub static NOT_UNITS: LazyLock<PhraseTable<()>> = LazyLock::new(|| {
    plain(&[
        "人工",
        "人員",
        "人身",
        "分之",
        "分比",
        "分率",
        "分數",
        "分點",
        "日期",
        "月份牌",
        "等候",
        "等待",
        "年金",
        "年齡",
        "年限",
        "級距",
        "家庭",
        "分配",
        "處分",
        "部分",
        "部份",
        "段期間",
        "段時間",
        "點點",
        "項目前",
        "件數",
        "人數",
        "次數",
        "種類",
        "類別",
        "位置",
        "名稱",
        "名義",
        "所得",
        "所有",
        "所定",
        "所需",
        "所稱",
        "面積",
        "處以",
        "處罰",
        "科罰",
        "科以",
        "組織",
        "座談",
        "期間",
        "期限",
        "家長",
        "度量",
        "代表",
        "代理",
        "間接",
        "門牌",
        "層級",
        "等級距",
        "點數",
        "級別",
        "款項",
    ])
});

/// The same openings where they do count: 六十日期間.
pub static STILL_UNITS: LazyLock<PhraseTable<()>> =
    LazyLock::new(|| plain(&["日期間", "年期", "年限內"]));

fn plain(phrases: &[&'static str]) -> PhraseTable<()> {
    PhraseTable::new(phrases.iter().map(|it| (*it, ())))
}
