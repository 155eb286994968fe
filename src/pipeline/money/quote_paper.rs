//! A quote as papers for whoever pays: text and workbook, each in English and in Traditional Chinese.
//!
//! The same quote gives the same bytes. Cells with words are words, never formulas.

use std::fmt::Write;

use rust_decimal::Decimal;
use rust_xlsxwriter::{
    Color, DocProperties, ExcelDateTime, Format, FormatAlign, Workbook, Worksheet, XlsxError,
};

use crate::pipeline::money::quote::Quote;
use crate::text::numbers::grouping::thousands_apart;

/// One language of the papers.
struct Page<'a> {
    /// The tab's name.
    tab: &'static str,
    title: String,
    /// Names with values, in order.
    facts: Vec<(&'static str, String)>,
    /// Between a name and its value, in the text.
    colon: &'static str,
    /// Headings of the table of parts: source, step, then three of questions and three of money.
    heads: [String; 8],
    steps: [&'static str; 2],
    total: &'static str,
    basis: &'static str,
    assumptions: &'a [String],
    closing: [String; 4],
}

/// The quote in both languages, for people.
pub fn quote_text(quote: &Quote) -> String {
    let mut text = String::new();
    for page in pages(quote) {
        let _ = writeln!(text, "{}", page.title);
        for (name, value) in &page.facts {
            let _ = writeln!(text, "  {name}{}{value}", page.colon);
        }
        let _ = writeln!(text, "\n  {}", page.heads.join(" | "));
        for part in &quote.parts {
            let step = step_of(&page, &part.step);
            let numbers = part
                .asks
                .map(grouped)
                .into_iter()
                .chain(part.money.each_ref().map(|it| amount(it)));
            let numbers: Vec<String> = numbers.collect();
            let _ = writeln!(text, "  {} | {step} | {}", part.source, numbers.join(" | "));
        }
        text.push('\n');
        let _ = writeln!(text, "  {}", page.basis);
        for line in page.assumptions {
            let _ = writeln!(text, "  - {line}");
        }
        for line in &page.closing {
            let _ = writeln!(text, "  {line}");
        }
        text.push('\n');
    }
    text
}

/// The quote as a workbook with a tab for each language.
///
/// # Errors
/// When the workbook cannot be written.
pub fn quote_workbook(quote: &Quote) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    let issued = ExcelDateTime::parse_from_str(&quote.issued)?;
    book.set_properties(&DocProperties::new().set_title(&quote.id).set_creation_datetime(&issued));
    for page in pages(quote) {
        book.push_worksheet(tab(quote, &page)?);
    }
    book.save_to_buffer()
}

fn tab(quote: &Quote, page: &Page<'_>) -> Result<Worksheet, XlsxError> {
    let mut sheet = Worksheet::new();
    sheet.set_name(page.tab)?.set_paper_size(9).set_landscape().set_print_fit_to_pages(1, 0);
    for (column, width) in [(0, 34.0), (1, 16.0)].into_iter().chain((2..8).map(|it| (it, 13.0))) {
        sheet.set_column_width(column, width)?;
    }
    let title = Format::new().set_bold().set_font_size(16);
    let name = Format::new().set_font_color(Color::RGB(0x6B_6B_6B)).set_align(FormatAlign::Top);
    let wrapped = Format::new().set_text_wrap().set_align(FormatAlign::Top);
    let head = Format::new()
        .set_bold()
        .set_text_wrap()
        .set_background_color(Color::RGB(0xE8_EE_F5))
        .set_align(FormatAlign::Top);
    let number_head = head.clone().set_align(FormatAlign::Right);
    sheet.write_string_with_format(0, 0, &page.title, &title)?;
    let mut at = 2;
    for (label, value) in &page.facts {
        sheet.write_string_with_format(at, 0, *label, &name)?;
        sheet.merge_range(at, 1, at, 7, value, &wrapped)?;
        sheet.set_row_height(at, height_of(value, 105))?;
        at += 1;
    }
    at += 1;
    for (column, label) in page.heads.iter().enumerate() {
        let format = if column < 2 { &head } else { &number_head };
        sheet.write_string_with_format(at, column_of(column), label, format)?;
    }
    sheet.set_row_height(at, 2.0 * LINE)?;
    at += 1;
    for part in &quote.parts {
        sheet.write_string(at, 0, &part.source)?;
        sheet.write_string(at, 1, step_of(page, &part.step))?;
        numbers(&mut sheet, at, (&part.asks, &part.money), false)?;
        at += 1;
    }
    let bold = Format::new().set_bold();
    sheet.write_string_with_format(at, 0, page.total, &bold)?;
    numbers(&mut sheet, at, (&quote.asks, &quote.money), true)?;
    at += 2;
    sheet.write_string_with_format(at, 0, page.basis, &bold)?;
    at += 1;
    for line in page.assumptions.iter().chain(&page.closing) {
        sheet.merge_range(at, 0, at, 7, line, &wrapped)?;
        sheet.set_row_height(at, height_of(line, 145))?;
        at += 1;
    }
    Ok(sheet)
}

/// Points of one line of the papers' type.
const LINE: f64 = 15.0;

/// Merged cells do not grow by themselves: as many lines as the words take at so many columns.
fn height_of(words: &str, columns: usize) -> f64 {
    let wide = |it: char| usize::from(!it.is_ascii());
    let width: usize = words.chars().map(|it| 1 + wide(it)).sum();
    let lines = u32::try_from(width.div_ceil(columns).max(1)).unwrap_or(1);
    f64::from(lines) * LINE
}

/// A count with its thousands apart.
fn grouped(count: u64) -> String {
    thousands_apart(&count.to_string())
}

/// An amount as people read it: cents from one on, four decimals below. What is not a number stays.
fn amount(text: &str) -> String {
    let Ok(exact) = text.parse::<Decimal>() else { return text.to_owned() };
    let shown = match exact < Decimal::ONE {
        true => exact.round_dp(4).normalize().to_string(),
        false => format!("{:.2}", exact.round_dp(2)),
    };
    match shown.split_once('.') {
        Some((whole, rest)) => {
            format!("{}.{rest}", whole.parse().map_or(whole.to_owned(), grouped))
        }
        None => shown.parse().map_or(shown.clone(), grouped),
    }
}

/// Three counts and three amounts, as numbers, from the third column on.
fn numbers(
    sheet: &mut Worksheet,
    at: u32,
    (asks, money): (&[u64; 3], &[String; 3]),
    is_total: bool,
) -> Result<(), XlsxError> {
    let style = |format: &str| {
        let style = Format::new().set_num_format(format);
        if is_total { style.set_bold() } else { style }
    };
    for (column, count) in asks.iter().enumerate() {
        // A count of questions is far below where numbers of a sheet lose their last digit.
        #[allow(clippy::cast_precision_loss)]
        let count = *count as f64;
        sheet.write_number_with_format(at, column_of(2 + column), count, &style("#,##0"))?;
    }
    for (column, amount) in money.iter().enumerate() {
        let column = column_of(5 + column);
        match amount.parse::<f64>() {
            Ok(it) => sheet.write_number_with_format(at, column, it, &style("#,##0.0000"))?,
            Err(_) => sheet.write_string(at, column, amount)?,
        };
    }
    Ok(())
}

fn column_of(at: usize) -> u16 {
    u16::try_from(at).unwrap_or(u16::MAX)
}

fn step_of(page: &Page<'_>, step: &str) -> &'static str {
    if step == "extract" { page.steps[0] } else { page.steps[1] }
}

/// English and Chinese.
fn pages(quote: &Quote) -> [Page<'_>; 2] {
    let high = format!("{} {}", quote.currency, quote.money[2]);
    let chinese_assumptions = match quote.assumptions_zh.as_slice() {
        [] => quote.assumptions.as_slice(),
        lines => lines,
    };
    [
        Page {
            tab: "Quote",
            title: format!("Quote {}", quote.id),
            facts: facts(quote, 0, [
                "Quote number",
                "Project",
                "Issued (UTC)",
                "Sources",
                "Price",
                "Price in batches",
                "Sections to read",
                "First reader",
                "Reviewer",
                "Questions to the models",
                "Tokens in",
                "Tokens out",
                "To accept",
            ]),
            colon: ": ",
            heads: heads(
                &quote.currency,
                ["Source", "Step", "Questions", "Price", "low", "expected", "high"],
                ", ",
            ),
            steps: ["First reading", "Review"],
            total: "All",
            basis: "What this rests on",
            assumptions: &quote.assumptions,
            closing: [
                "Low is a run with few reviews, short replies and nothing asked twice; high is one in which \
                 everything is reviewed, replies are long and three in ten are asked again."
                    .to_owned(),
                "In batches the providers answer within a day instead of at once, for less.".to_owned(),
                format!(
                    "A run for which more than {high} is expected is not covered and needs a new quote."
                ),
                "The price is what the providers charge for tokens; it covers no work of people."
                    .to_owned(),
            ],
        },
        Page {
            tab: "報價",
            title: format!("報價單 {}", quote.id),
            facts: facts(quote, 1, [
                "報價單編號",
                "專案",
                "開立日期（UTC）",
                "來源",
                "費用",
                "批次費用",
                "待讀段落",
                "初讀者",
                "審查者",
                "向模型提問",
                "輸入詞元",
                "輸出詞元",
                "接受方式",
            ]),
            colon: "：",
            heads: heads(
                &quote.currency,
                ["來源", "步驟", "提問數", "費用", "低", "預期", "高"],
                "，",
            ),
            steps: ["初讀", "審查"],
            total: "合計",
            basis: "估算依據",
            assumptions: chinese_assumptions,
            closing: [
                "「低」指審查少、回覆短、無須再問；「高」指全部審查、回覆長、十題中三題再問。".to_owned(),
                "以批次送出時，供應者於一日內而非立即回覆，費用較低。".to_owned(),
                format!("預期費用高於 {high} 的執行不在本報價範圍內，須另行報價。"),
                "費用為供應者依詞元收取的金額，不含人工。".to_owned(),
            ],
        },
    ]
}

/// What is offered, by name; what a quote does not have is left out. `language`: 0 English, 1 Chinese.
fn facts(quote: &Quote, language: usize, names: [&'static str; 13]) -> Vec<(&'static str, String)> {
    let pick = |english: String, chinese: String| [english, chinese][language].clone();
    let range = |[low, expected, high]: [String; 3]| {
        pick(
            format!("{expected} expected, {low} to {high}"),
            format!("預期 {expected}，{low} 至 {high}"),
        )
    };
    let money = |it: &[String; 3]| {
        format!("{} {}", quote.currency, range(it.each_ref().map(|it| amount(it))))
    };
    let counts = |it: [u64; 3]| range(it.map(grouped));
    let sections = match quote.answered {
        0 => grouped(quote.items),
        answered => pick(
            format!("{}, {} of them answered already", grouped(quote.items), grouped(answered)),
            format!("{}，其中 {} 段已有回答", grouped(quote.items), grouped(answered)),
        ),
    };
    let accept = pick(
        format!(
            "name the quote number; the run is then started with `countersign run --accept-quote {}`",
            quote.id
        ),
        format!("告知報價單編號；執行時使用 `countersign run --accept-quote {}`", quote.id),
    );
    let batch = quote.batch_money.as_ref().filter(|it| it[2] != "0");
    let values = [
        Some(quote.id.clone()),
        Some(quote.project.clone()).filter(|it| !it.is_empty()),
        Some(quote.issued.clone()),
        Some(quote.sources.join(pick(", ".to_owned(), "、".to_owned()).as_str())),
        Some(money(&quote.money)),
        batch.map(money),
        Some(sections),
        Some(quote.readers[0].clone()),
        Some(quote.readers[1].clone()),
        Some(counts(quote.asks)),
        Some(counts(quote.tokens_in)),
        Some(counts(quote.tokens_out)),
        Some(accept),
    ];
    let pairs = names.into_iter().zip(values);
    pairs.filter_map(|(name, value)| Some((name, value?))).collect()
}

/// The headings of the table; each says by itself what its numbers are.
fn heads(currency: &str, words: [&str; 7], comma: &str) -> [String; 8] {
    let [source, step, questions, price, low, expected, high] = words;
    let of = |what: &str, side: &str| format!("{what}{comma}{side}");
    let price = format!("{price} {currency}");
    [
        source.to_owned(),
        step.to_owned(),
        of(questions, low),
        of(questions, expected),
        of(questions, high),
        of(&price, low),
        of(&price, expected),
        of(&price, high),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::money::quote::QuotePart;

    fn quote() -> Quote {
        let three = |a: &str, b: &str, c: &str| [a, b, c].map(str::to_owned);
        Quote {
            id: "q-0123456789ab".to_owned(),
            project: "港區".to_owned(),
            issued: "2026-11-30".to_owned(),
            sources: vec!["harbour-zh".to_owned()],
            readers: ["m".to_owned(), "n".to_owned()],
            items: 12,
            answered: 1,
            asks: [12, 20, 31],
            tokens_in: [900, 1_234_567, 2_000_000],
            tokens_out: [1, 2, 3],
            currency: "USD".to_owned(),
            money: three("1", "2.5", "4"),
            batch_money: Some(three("0.5", "1.25", "2")),
            parts: vec![QuotePart {
                source: "harbour-zh".to_owned(),
                step: "extract".to_owned(),
                asks: [12, 13, 16],
                money: three("0.75", "1.5", "2.5"),
            }],
            assumptions: vec!["Counted.".to_owned()],
            assumptions_zh: vec!["已計算。".to_owned()],
        }
    }

    #[test]
    fn the_text_says_everything_in_both_languages() {
        let text = quote_text(&quote());
        for wanted in [
            "Quote q-0123456789ab",
            "Price: USD 2.50 expected, 1.00 to 4.00",
            "Price in batches: USD 1.25 expected, 0.5 to 2.00",
            "Sections to read: 12, 1 of them answered already",
            "Source | Step | Questions, low | Questions, expected | Questions, high | Price USD, low",
            "harbour-zh | First reading | 12 | 13 | 16 | 0.75 | 1.50 | 2.50",
            "Tokens in: 1,234,567 expected, 900 to 2,000,000",
            "more than USD 4 is expected",
            "- Counted.",
            "報價單 q-0123456789ab",
            "費用：USD 預期 2.50，1.00 至 4.00",
            "待讀段落：12，其中 1 段已有回答",
            "harbour-zh | 初讀 | 12",
            "- 已計算。",
            "countersign run --accept-quote q-0123456789ab",
        ] {
            assert!(text.contains(wanted), "{wanted} is not in\n{text}");
        }
    }

    #[test]
    fn the_workbook_has_a_tab_a_language_and_the_same_bytes_twice() {
        use calamine::{Data, Reader, Xlsx};
        let bytes = quote_workbook(&quote()).unwrap();
        assert_eq!(bytes, quote_workbook(&quote()).unwrap());
        let mut book: Xlsx<_> =
            calamine::open_workbook_from_rs(std::io::Cursor::new(bytes)).unwrap();
        assert_eq!(book.sheet_names(), ["Quote", "報價"]);
        for tab in ["Quote", "報價"] {
            let range = book.worksheet_range(tab).unwrap();
            let words: Vec<String> = range.rows().flatten().map(ToString::to_string).collect();
            assert!(words.iter().any(|it| it.contains("q-0123456789ab")), "{words:?}");
            let amounts = range.rows().flatten().filter(|it| matches!(it, Data::Float(_)));
            assert_eq!(amounts.count(), 12, "two lines of six numbers");
        }
    }
}
