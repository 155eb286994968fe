//! What an estimate assumed, in sentences that whoever pays can check, in both languages.

use crate::llm::price::Price;
use crate::model::ask::Step;
use crate::model::run::Range;
use crate::pipeline::money::grounds::{Grounds, ReaderCost};
use crate::pipeline::money::measured::Measured;
use crate::pipeline::money::odds::{Before, Odds, THOUGHT, extract_odds, review_odds};

/// A sentence in English and in Traditional Chinese.
pub type Said = [String; 2];

/// The sentences, in the order they are read.
pub fn assumptions(
    grounds: Grounds<'_>,
    (first, second): (&Price, &Price),
    batch_money: Option<&Range>,
) -> Vec<Said> {
    let Grounds { extractor, reviewer, history, .. } = grounds;
    let extracted = history.of(extractor.model, Step::Extract);
    let reviewed = history.of(reviewer.model, Step::Review);
    let before =
        |reader: &ReaderCost<'_>| Before { counts_exactly: reader.counts_exactly, unchanging: 0 };
    let (extract, review) = (
        extract_odds(&extracted, before(extractor)),
        review_odds(&reviewed, &extracted, before(reviewer)),
    );
    let mut lines = vec![counting(extractor, reviewer)];
    lines.extend(basis_of(["First reading", "初讀"], extractor.model, &extracted));
    lines.extend(basis_of(["Review", "審查"], reviewer.model, &reviewed));
    let pair = |a: Odds, b: Odds| [percent(a), percent(b)];
    let [a, b] = pair(extract.again, review.again);
    lines.push([
        format!("Asked a second time, low / expected / high: first reading {a}, review {b} of the questions."),
        format!("再問一次的比例，低／預期／高：初讀 {a}，審查 {b}。"),
    ]);
    let share = percent(review.share);
    lines.push([
        format!("Sections with something to review: {share}."),
        format!("有內容須審查的段落：{share}。"),
    ]);
    let [a, b] = pair(extract.reply, review.reply);
    lines.push([
        format!("Length of a reply against its section: first reading {a}, review {b}."),
        format!("回覆長度（相對於段落文字）：初讀 {a}，審查 {b}。"),
    ]);
    if [(extractor, &extract), (reviewer, &review)].iter().any(|it| it.0.thinks && it.1.prior > 0) {
        let [low, expected, high] = THOUGHT;
        lines.push([
            format!(
                "Thinking before a reply: {low} / {expected} / {high} tokens, counted less the more was \
                 measured."
            ),
            format!("回覆前的思考：{low}／{expected}／{high} 詞元，實測越多，此項越輕。"),
        ]);
    }
    lines.push(price_line(extractor, first));
    lines.push(price_line(reviewer, second));
    if let Some(it) = batch_money.filter(|it| it.high != "0") {
        lines.push([
            format!(
                "Handed in as batches (run --batch): {} / {} / {}.",
                it.low, it.expected, it.high
            ),
            format!("以批次送出（run --batch）：{}／{}／{}。", it.low, it.expected, it.high),
        ]);
    }
    let mut seen = std::collections::BTreeSet::new();
    lines.retain(|it| seen.insert(it[0].clone()));
    lines
}

/// Prices that were looked up long ago.
pub fn old_prices<'a>(
    prices: impl Iterator<Item = (&'a str, &'a Price)>,
    today: jiff::civil::Date,
) -> Vec<Said> {
    /// Days; providers change prices a few times a year.
    const LONG: i64 = 180;
    let mut lines: Vec<Said> = prices
        .filter_map(|(model, price)| Some((model, price, price.age(today).filter(|it| *it > LONG)?)))
        .map(|(model, price, days)| {
            let day = &price.as_of;
            [
                format!(
                    "The price of {model} was looked up on {day}, {days} days ago: look it up again and put it into prices.toml."
                ),
                format!("{model} 的價格於 {day} 查得，距今 {days} 天：請重新查詢並寫入 prices.toml。"),
            ]
        })
        .collect();
    lines.dedup();
    lines
}

fn counting(extractor: &ReaderCost<'_>, reviewer: &ReaderCost<'_>) -> Said {
    let said = if extractor.counts_exactly && reviewer.counts_exactly {
        [
            "First questions are counted exactly, with the provider's own tokeniser (o200k).",
            "首次提問逐一精確計算，採用供應者的詞元切分（o200k）。",
        ]
    } else {
        [
            "First questions are counted exactly; tokens are approximated: one for a Chinese \
             character, one for four other characters.",
            "首次提問逐一精確計算；詞元為近似值：一個中文字計一詞元，其他字元每四個計一詞元。",
        ]
    };
    said.map(str::to_owned)
}

fn basis_of(what: [&str; 2], model: &str, seen: &Measured) -> Option<Said> {
    match (model, seen.first) {
        ("rules" | "files", _) => None,
        (_, 0) => Some([
            format!(
                "{}: {model} was not asked in this project yet; general experience stands in.",
                what[0]
            ),
            format!("{}：本專案尚未向 {model} 提問，採用一般經驗值。", what[1]),
        ]),
        (_, n) => Some([
            format!(
                "{}: measured in {n} questions of this project to {model}; fifty weigh as much as \
                 general experience.",
                what[0]
            ),
            format!("{}：依本專案向 {model} 的 {n} 次提問實測；五十次與一般經驗值同重。", what[1]),
        ]),
    }
}

fn percent(odds: Odds) -> String {
    let [low, expected, high] = odds.map(|it| (it + 5) / 10);
    format!("{low} / {expected} / {high} %")
}

fn price_line(reader: &ReaderCost<'_>, price: &Price) -> Said {
    match reader.model {
        "rules" => [
            "The built-in rules read: no model is used and nothing is charged.".to_owned(),
            "由內建規則讀取：未使用模型，不收費。".to_owned(),
        ],
        "files" => [
            "Answers come as files: nothing is charged here.".to_owned(),
            "答案以檔案提供：此處不收費。".to_owned(),
        ],
        model => {
            let Price { input_per_million: i, output_per_million: o, currency, .. } = price;
            let cached = price.cached_per_million.map(|it| it.to_string());
            let factor = price.batch_factor.map(|it| it.to_string());
            let with = |text: &Option<String>, before: &str| {
                text.as_ref().map_or_else(String::new, |it| format!("{before}{it}"))
            };
            [
                format!(
                    "{model}: {currency} {i} in{}, {o} out for a million tokens{}, as of {} ({}).",
                    with(&cached, ", from the cache "),
                    with(&factor, ", in batches times "),
                    price.as_of,
                    price.source
                ),
                format!(
                    "{model}：每百萬詞元 {currency} 輸入 {i}{}、輸出 {o}{}，{} 查得（{}）。",
                    with(&cached, "、快取輸入 "),
                    with(&factor, "，批次乘以 "),
                    price.as_of,
                    price.source
                ),
            ]
        }
    }
}
