//! A quote as papers for whoever pays: text and workbook, each in English and in Traditional Chinese.
//!
//! The same quote gives the same bytes. Cells with words are words, never formulas.

use std::fmt::Write;

use rust_xlsxwriter::{
    Color, DocProperties, ExcelDateTime, Format, FormatAlign, Workbook, Worksheet, XlsxError,
};

use crate::pipeline::money::quote::Quote;

/// One language of the papers.
struct Page<'a> {
    /// The tab's name.
    tab: &'static str,
    title: String,
    /// Names with values, in order.
    facts: Vec<(&'static str, String)>,
    /// Headings of the table of parts: source, step, then three of questions and three of money.
    heads: [&'static str; 8],
    steps: [&'static str; 2],
    total: &'static str,
    basis: &'static str,
    assumptions: &'a [String],
    closing: [String; 2],
}

/// The quote in both languages, for people.
pub fn quote_text(quote: &Quote) -> String {
    let mut text = String::new();
    for page in pages(quote) {
        let _ = writeln!(text, "{}", page.title);
        for (name, value) in &page.facts {
            let _ = writeln!(text, "  {name}: {value}");
        }
        for part in &quote.parts {
            let step = step_of(&page, &part.step);
            let _ = writeln!(
                text,
                "  {} · {step}: {} · {} {}",
                part.source,
                part.asks.map(|it| it.to_string()).join(" / "),
                quote.currency,
                part.money.join(" / ")
            );
        }
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
        .set_align(FormatAlign::Center);
    sheet.write_string_with_format(0, 0, &page.title, &title)?;
    let mut at = 2;
    for (label, value) in &page.facts {
        sheet.write_string_with_format(at, 0, *label, &name)?;
        sheet.merge_range(at, 1, at, 7, value, &wrapped)?;
        at += 1;
    }
    at += 1;
    for (column, label) in page.heads.iter().enumerate() {
        sheet.write_string_with_format(at, column_of(column), *label, &head)?;
    }
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
        at += 1;
    }
    Ok(sheet)
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
            Ok(it) => sheet.write_number_with_format(at, column, it, &style("#,##0.00##"))?,
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
    let three = |it: [u64; 3]| it.map(|it| it.to_string()).join(" / ");
    let batch = quote.batch_money.as_ref().filter(|it| it[2] != "0");
    let batch = batch.map(|it| format!("{} {}", quote.currency, it.join(" / ")));
    let values = [
        Some(quote.id.clone()),
        Some(quote.project.clone()).filter(|it| !it.is_empty()),
        Some(quote.issued.clone()),
        Some(quote.sources.join(", ")),
        Some(quote.readers[0].clone()),
        Some(quote.readers[1].clone()),
        Some(format!("{} ({})", quote.items, quote.answered)),
        Some(three(quote.asks)),
        Some(three(quote.tokens_in)),
        Some(three(quote.tokens_out)),
        Some(format!("{} {}", quote.currency, quote.money.join(" / "))),
        batch,
        Some(format!("countersign run --accept-quote {}", quote.id)),
    ];
    let facts = |names: [&'static str; 13]| {
        let pairs = names.into_iter().zip(values.clone());
        pairs.filter_map(|(name, value)| Some((name, value?))).collect()
    };
    let high = format!("{} {}", quote.currency, quote.money[2]);
    let chinese_assumptions = match quote.assumptions_zh.as_slice() {
        [] => quote.assumptions.as_slice(),
        lines => lines,
    };
    [
        Page {
            tab: "Quote",
            title: format!("Quote {}", quote.id),
            facts: facts([
                "Quote number",
                "Project",
                "Issued (UTC)",
                "Sources",
                "First reader",
                "Reviewer",
                "Sections to read (already answered)",
                "Questions, low / expected / high",
                "Tokens in, low / expected / high",
                "Tokens out, low / expected / high",
                "Price, low / expected / high",
                "Price in batches, low / expected / high",
                "To accept",
            ]),
            heads: [
                "Source",
                "Step",
                "Questions, low",
                "expected",
                "high",
                "Price, low",
                "expected",
                "high",
            ],
            steps: ["First reading", "Review"],
            total: "All",
            basis: "What this rests on",
            assumptions: &quote.assumptions,
            closing: [
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
            facts: facts([
                "報價單編號",
                "專案",
                "開立日期（UTC）",
                "來源",
                "初讀者",
                "審查者",
                "待讀段落（已有回答）",
                "提問數，低／預期／高",
                "輸入詞元，低／預期／高",
                "輸出詞元，低／預期／高",
                "費用，低／預期／高",
                "批次費用，低／預期／高",
                "接受方式",
            ]),
            heads: ["來源", "步驟", "提問數，低", "預期", "高", "費用，低", "預期", "高"],
            steps: ["初讀", "審查"],
            total: "合計",
            basis: "估算依據",
            assumptions: chinese_assumptions,
            closing: [
                format!("預期費用高於 {high} 的執行不在本報價範圍內，須另行報價。"),
                "費用為供應者依詞元收取的金額，不含人工。".to_owned(),
            ],
        },
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
            tokens_in: [1, 2, 3],
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
            "Price, low / expected / high: USD 1 / 2.5 / 4",
            "Price in batches, low / expected / high: USD 0.5 / 1.25 / 2",
            "harbour-zh · First reading: 12 / 13 / 16 · USD 0.75 / 1.5 / 2.5",
            "more than USD 4 is expected",
            "- Counted.",
            "報價單 q-0123456789ab",
            "批次費用，低／預期／高: USD 0.5 / 1.25 / 2",
            "harbour-zh · 初讀",
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
