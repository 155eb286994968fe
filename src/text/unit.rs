//! What a number counts: unit families with canonical names, for page text and for a claim's unit field.
//! Never converts one unit into another: 24 months and 2 years are different statements.

use std::sync::LazyLock;

use crate::text::lexeme::{LexKind, Lexemes, PhraseTable, is_hyphen};
use crate::text::money::{Currency, currency_named};

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

/// A unit as read from a page or from a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// What sort of thing is counted.
    pub family: Family,
    /// One name per unit: `year`, `working-day`, `person`, `TWD`; the noun itself for `Other`.
    pub name: String,
    /// For money.
    pub currency: Option<Currency>,
    /// What the amount is for each of, in canonical names, as worded: `["person", "month"]`.
    pub per: Vec<String>,
    /// True for the bare English "years", which may be a duration or an age.
    pub may_be_age: bool,
}

impl Unit {
    /// A unit without "per".
    pub fn plain(family: Family, name: &str) -> Self {
        let may_be_age = false;
        Self { family, name: name.to_owned(), currency: None, per: Vec::new(), may_be_age }
    }

    /// An amount of money.
    pub fn money(currency: Currency) -> Self {
        let name = match currency {
            Currency::Code(code) => code,
            Currency::Dollar => "dollar",
            Currency::Yuan => "yuan",
            Currency::Yen => "yen",
            Currency::Cent => "cent",
        };
        Self { currency: Some(currency), ..Self::plain(Family::Money, name) }
    }

    /// Percent.
    pub fn percent() -> Self {
        Self::plain(Family::Percent, "percent")
    }

    /// True where both can be the unit of one statement: the same unit, or a wider wording of it.
    /// What only one of them says (a period, the currency behind a bare `$`) is no disagreement.
    pub fn agrees_with(&self, other: &Unit) -> bool {
        self.core_agrees(other) && self.per_agrees(other)
    }

    fn core_agrees(&self, other: &Unit) -> bool {
        if self.family == Family::Other || other.family == Family::Other {
            return nouns_agree(&self.name, &other.name);
        }
        match (self.family, other.family) {
            (Family::Money, Family::Money) => match (self.currency, other.currency) {
                (Some(one), Some(two)) => one.agrees_with(two),
                _ => true,
            },
            (Family::Age, Family::Duration) => other.may_be_age && self.name == other.name,
            (Family::Duration, Family::Age) => self.may_be_age && self.name == other.name,
            (one, two) => one == two && self.name == other.name,
        }
    }

    /// Periods disagree only where both name one of the same sort: per month against per year.
    fn per_agrees(&self, other: &Unit) -> bool {
        self.per.iter().all(|one| {
            other
                .per
                .iter()
                .all(|two| one == two || is_period(one) != is_period(two) || !is_period(one))
                || other.per.contains(one)
        })
    }
}

/// True for the names of lengths of time.
pub fn is_period(name: &str) -> bool {
    matches!(
        name,
        "year"
            | "half-year"
            | "quarter"
            | "month"
            | "week"
            | "day"
            | "working-day"
            | "hour"
            | "minute"
            | "school-year"
    )
}

fn nouns_agree(one: &str, two: &str) -> bool {
    one == two || one.split(' ').any(|it| it.len() > 2 && two.split(' ').any(|other| other == it))
}

/// One line of the table: wordings, family, canonical name.
type Entry = (&'static [&'static str], Family, &'static str);

/// Every unit of both languages. `~` stands for an optional plural s.
const TABLE: &[Entry] = &[
    (&["year~", "yr~", "年", "年度", "週年"], Family::Duration, "year"),
    (&["month~", "mo", "mos", "mth~", "個月", "月", "個月份"], Family::Duration, "month"),
    (&["week~", "wk~", "週", "星期", "個星期", "禮拜", "個禮拜"], Family::Duration, "week"),
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
    (&["等級", "級", "級分", "等", "grade~", "level~", "tier~", "class"], Family::Grade, "grade"),
    (&["親等", "degree~ of kinship", "degree~ of relationship"], Family::Grade, "kinship-degree"),
    (
        &[
            "person~",
            "people",
            "人",
            "名",
            "位",
            "人次",
            "individual~",
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
    (&["item~", "項", "項目", "個項目", "款項"], Family::Count, "item"),
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
    (
        &["支", "枚", "把", "根", "顆", "粒", "瓶", "盒", "包", "箱", "片", "面", "條"],
        Family::Count,
        "thing",
    ),
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

static UNITS: LazyLock<PhraseTable<(Family, &'static str)>> = LazyLock::new(|| {
    PhraseTable::new(TABLE.iter().flat_map(|(wordings, family, name)| {
        wordings.iter().map(move |wording| (*wording, (*family, *name)))
    }))
});

/// Words that end the measure word before them: 一人 is one person, 一人工 nothing of the sort.
const NOT_UNITS: &[&str] = &[
    "人工",
    "人員",
    "分之",
    "日期",
    "月份牌",
    "等候",
    "等待",
    "年金",
    "級距",
    "家庭",
    "分配",
    "處分",
    "部分",
];

/// The unit that starts at `at`, of any family but money: the lexeme after it and the unit.
pub fn unit_at(lexemes: &Lexemes<'_>, at: usize) -> Option<(usize, Unit)> {
    if NOT_UNITS.iter().any(|it| lexemes.phrase_at(at, it).is_some()) {
        return None;
    }
    let (end, (family, name)) = UNITS.longest_at(lexemes, at)?;
    let spelled = lexemes.span(at, end).slice(lexemes.text()).unwrap_or_default();
    let mut unit = Unit::plain(family, name);
    unit.may_be_age =
        family == Family::Duration && matches!(name, "year" | "month") && spelled.is_ascii();
    Some((end, unit))
}

/// The unit after a number that ends at `at`: white space, a hyphen and a few filler words between.
pub fn unit_after(lexemes: &Lexemes<'_>, at: usize) -> Option<(usize, usize, Unit)> {
    let mut start = lexemes.solid(at);
    if lexemes.kind(start) == LexKind::Mark && is_hyphen(lexemes.head(start)) {
        start = lexemes.solid(start + 1);
    }
    for _ in 0..3 {
        if let Some((end, unit)) = unit_at(lexemes, start) {
            return Some((start, end, unit));
        }
        if !lexemes.is_word_of(start, FILLERS) {
            return None;
        }
        start = lexemes.solid(start + 1);
        if is_hyphen(lexemes.head(start)) {
            start = lexemes.solid(start + 1);
        }
    }
    None
}

/// Words that may stand between a number and its unit.
const FILLERS: &[&str] = &[
    "continuous",
    "consecutive",
    "full",
    "complete",
    "whole",
    "more",
    "additional",
    "further",
    "extra",
    "other",
    "such",
    "of",
    "the",
    "separate",
    "different",
    "eligible",
    "adult",
    "adults",
    "minor",
    "consecutively",
    "entire",
    "successive",
    "dependent",
    "full-time",
];

/// Reads a claim's unit field: `years`, `HKD/month`, `TWD/人`, `次/季`, `%`, `working days`, `date`.
pub fn parse_unit(field: &str) -> Option<Unit> {
    let field = field.trim();
    if field.is_empty() {
        return None;
    }
    let mut pieces = field.split(['/', '／']).map(str::trim);
    let head = pieces.next().unwrap_or_default();
    let mut unit = if head.is_empty() { Unit::plain(Family::Other, "") } else { whole_unit(head) };
    let (core, tail) = split_per(head);
    if !tail.is_empty() {
        unit = whole_unit(core);
        unit.per.extend(tail.iter().map(|it| per_name(it)));
    }
    unit.per.extend(pieces.filter(|it| !it.is_empty()).map(per_name));
    Some(unit)
}

/// `USD per month` and `每月元` come apart into the unit and what it is per.
fn split_per(head: &str) -> (&str, Vec<&str>) {
    for word in [" per ", " a ", " each ", " every "] {
        if let Some((core, tail)) = head.split_once(word)
            && !core.is_empty()
            && core != "%"
        {
            return (core.trim(), tail.split(word).map(str::trim).collect());
        }
    }
    (head, Vec::new())
}

fn per_name(piece: &str) -> String {
    let piece = piece.strip_prefix(['每']).unwrap_or(piece);
    let piece = piece.strip_prefix("per ").unwrap_or(piece);
    let unit = whole_unit(piece);
    unit.name
}

fn whole_unit(word: &str) -> Unit {
    if let Some(money) = currency_named(word) {
        return Unit::money(money);
    }
    let lexemes = Lexemes::new(word);
    let wanted = lexemes.len();
    if matches!(word.to_lowercase().as_str(), "date" | "日期" | "iso date" | "yyyy-mm-dd") {
        return Unit::plain(Family::Date, "date");
    }
    if matches!(word.to_lowercase().as_str(), "age" | "aged" | "years (age)" | "年齡" | "年歲")
    {
        return Unit::plain(Family::Age, "year");
    }
    if matches!(word.to_lowercase().as_str(), "times as much" | "multiple" | "x" | "ratio") {
        return Unit::plain(Family::Multiple, "multiple");
    }
    match unit_at(&lexemes, 0) {
        Some((end, unit)) if end == wanted => unit,
        _ => Unit::plain(Family::Other, &singular(word)),
    }
}

/// Lower case, each word without its plural s.
pub fn singular(words: &str) -> String {
    let one = |word: &str| {
        let lower = word.to_lowercase();
        match lower.strip_suffix("ies") {
            Some(stem) if stem.len() > 1 => format!("{stem}y"),
            _ if lower.ends_with("ss") || lower.len() < 4 => lower,
            _ => lower.strip_suffix('s').map_or_else(|| lower.clone(), str::to_owned),
        }
    };
    words.split_whitespace().map(one).collect::<Vec<_>>().join(" ")
}
