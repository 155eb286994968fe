//! Laws that hold for every number and every text: what is written reads back, nothing panics.

use countersign::text::amounts::quantity::read_all;
use countersign::text::amounts::unit::parse_unit;
use countersign::text::lexeme::Lexemes;
use countersign::text::numbers::number::read_numbers;
use proptest::prelude::*;
use rust_decimal::Decimal;

use crate::hostile_units::NUMBERS;

const ONES: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 10] =
    ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// 0 to 999,999,999 in English words.
fn english(number: usize) -> String {
    let below_hundred = |it: usize| match it {
        0..20 => ONES[it].to_owned(),
        _ if it.is_multiple_of(10) => TENS[it / 10].to_owned(),
        _ => format!("{}-{}", TENS[it / 10], ONES[it % 10]),
    };
    let below_thousand = |it: usize| match (it / 100, it % 100) {
        (0, rest) => below_hundred(rest),
        (hundreds, 0) => format!("{} hundred", ONES[hundreds]),
        (hundreds, rest) => format!("{} hundred and {}", ONES[hundreds], below_hundred(rest)),
    };
    let mut pieces = Vec::new();
    for (scale, name) in [(1_000_000, " million"), (1_000, " thousand"), (1, "")] {
        let here = number / scale % 1000;
        if here > 0 {
            let and = if scale == 1 && here < 100 && !pieces.is_empty() { "and " } else { "" };
            pieces.push(format!("{and}{}{name}", below_thousand(here)));
        }
    }
    if pieces.is_empty() { ONES[0].to_owned() } else { pieces.join(" ") }
}

/// A number in Chinese numerals, with the digits and units given.
fn chinese(number: u64, digits: [char; 10], units: [&str; 4]) -> String {
    if number == 0 {
        return digits[0].to_string();
    }
    let mut told = String::new();
    let mut zero = false;
    for (power, name) in [(12_u32, "兆"), (8, "億"), (4, "萬"), (0, "")] {
        let section = number / 10_u64.pow(power) % 10_000;
        zero |= section < 1000 && !told.is_empty();
        if section == 0 {
            continue;
        }
        for place in (0..4_u32).rev() {
            let digit = usize::try_from(section / 10_u64.pow(place) % 10).unwrap();
            if digit == 0 {
                zero |= !told.is_empty();
                continue;
            }
            if zero && !told.is_empty() {
                told.push(digits[0]);
            }
            zero = false;
            let bare_ten = place == 1 && digit == 1 && told.is_empty() && digits[1] == '一';
            if !bare_ten {
                told.push(digits[digit]);
            }
            told.push_str(units[place as usize]);
        }
        zero = false;
        told.push_str(name);
    }
    told
}

const EVERYDAY: ([char; 10], [&str; 4]) =
    (['零', '一', '二', '三', '四', '五', '六', '七', '八', '九'], ["", "十", "百", "千"]);
const FORMAL: ([char; 10], [&str; 4]) =
    (['零', '壹', '貳', '參', '肆', '伍', '陸', '柒', '捌', '玖'], ["", "拾", "佰", "仟"]);

fn grouped(number: u64) -> String {
    let plain = number.to_string();
    let mut told = String::new();
    for (at, digit) in plain.chars().enumerate() {
        if at > 0 && (plain.len() - at).is_multiple_of(3) {
            told.push(',');
        }
        told.push(digit);
    }
    told
}

fn full_width(ascii: &str) -> String {
    ascii
        .chars()
        .map(|it| match it {
            '0'..='9' | ',' | '.' => char::from_u32(u32::from(it) + 0xFEE0).unwrap(),
            _ => it,
        })
        .collect()
}

/// The only value in `text`.
fn only(text: &str) -> Option<Decimal> {
    let values: Vec<Decimal> =
        read_numbers(text).iter().filter(|it| it.is_value()).map(|it| it.value).collect();
    (values.len() == 1).then(|| values[0])
}

proptest! {
    #[test]
    fn a_number_in_any_spelling_reads_back(number in prop_oneof![0_u64..2_000, 0_u64..999_999_999]) {
        let wanted = Some(Decimal::from(number));
        let words = english(usize::try_from(number).unwrap());
        for text in [
            format!("a fee of HK${number} now"),
            format!("a fee of HK${} now", grouped(number)),
            format!("a fee of HK${} now", full_width(&grouped(number))),
            format!("exactly {words} days"),
            format!("新臺幣{}元", number),
            format!("新臺幣{}元", chinese(number, EVERYDAY.0, EVERYDAY.1)),
            format!("新臺幣{}元整", chinese(number, FORMAL.0, FORMAL.1)),
        ] {
            prop_assert_eq!(only(&text), wanted, "{}", text);
        }
    }

    #[test]
    fn large_chinese_numbers_read_back(number in 0_u64..9_999_999_999_999_999) {
        let text = format!("共計{}元", chinese(number, EVERYDAY.0, EVERYDAY.1));
        prop_assert_eq!(only(&text), Some(Decimal::from(number)), "{}", text);
    }

    #[test]
    fn decimals_and_percentages_read_back(whole in 0_u32..1000, tail in 1_u32..99) {
        let number = format!("{whole}.{tail:02}");
        let wanted: Decimal = number.parse().unwrap();
        for text in [
            format!("a rate of {number}% now"),
            format!("利率{number}％"),
            format!("{} 倍", full_width(&number)),
            format!("百分之{number}"),
        ] {
            prop_assert_eq!(only(&text), Some(wanted.normalize()), "{}", text);
        }
        let mut spelled = chinese(u64::from(whole), EVERYDAY.0, EVERYDAY.1);
        spelled.push('點');
        for digit in format!("{tail:02}").chars() {
            spelled.push(EVERYDAY.0[digit.to_digit(10).unwrap() as usize]);
        }
        let text = format!("百分之{spelled}");
        prop_assert_eq!(only(&text), Some(wanted.normalize()), "{}", text);
    }

    #[test]
    fn a_piece_of_a_number_is_never_a_number(number in 10_000_u64..9_999_999) {
        let text = format!("得領{}元，約{}萬元", grouped(number), number);
        for piece in [number / 10, number % 10_000, number / 1000] {
            let found = read_numbers(&text).iter().any(|it| it.value == Decimal::from(piece));
            prop_assert!(!found || piece == number, "{} in {}", piece, text);
        }
    }

    #[test]
    fn any_text_is_read_without_panic_and_within_its_bounds(text in ".{0,80}") {
        read_within(&text);
    }

    #[test]
    fn text_made_of_number_pieces_is_read_without_panic(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40)
    ) {
        let text = pieces.concat();
        read_within(&text);
        let _ = parse_unit(&text);
    }

    #[test]
    fn lexemes_cover_the_text_without_gaps(text in "\\PC{0,60}") {
        let lexemes = Lexemes::new(&text);
        let mut end = 0;
        for at in 0..lexemes.len() {
            let span = lexemes.get(at).unwrap().span;
            prop_assert_eq!(span.start, end);
            prop_assert!(!span.is_empty());
            end = span.end;
        }
        prop_assert_eq!(end, text.len());
    }
}

const PIECES: &[&str] = &[
    "5",
    "12",
    "007",
    "1,200",
    "9999999999999999999999999999999",
    ".",
    ",",
    "-",
    "–",
    "/",
    "½",
    "%",
    "％",
    "$",
    "HK$",
    "(",
    ")",
    " ",
    "\n",
    "\n\n",
    "、",
    "，",
    "。",
    "一",
    "二",
    "十",
    "百",
    "千",
    "萬",
    "億",
    "兆",
    "零",
    "〇",
    "點",
    "半",
    "分之",
    "又",
    "成",
    "折",
    "廿",
    "伍",
    "拾",
    "第",
    "條",
    "項",
    "年",
    "月",
    "日",
    "歲",
    "元",
    "民國",
    "每",
    "人",
    "以上",
    "未滿",
    "超過",
    "至",
    "或",
    "one",
    "hundred",
    "million",
    "and",
    "a",
    "half",
    "third",
    "dozen",
    "twice",
    "second",
    "years",
    "old",
    "at least",
    "not",
    "more than",
    "or",
    "over",
    "between",
    "to",
    "May",
    "September",
    "of",
    "per",
    "#",
    "- ",
    "| ",
    "①",
    "’",
    "s",
    "th",
    "é",
    "𠮷",
    "\u{ad}",
    "\u{feff}",
    "Section",
    "No.",
    "k",
    "m",
];

fn read_within(text: &str) {
    let all = read_all(text);
    let inside = |span: countersign::text::span::Span| {
        assert!(span.slice(text).is_some(), "{span:?} of {text:?}");
    };
    let mut end = 0;
    for number in &all.numbers {
        inside(number.span);
        assert!(number.span.start >= end, "numbers overlap in {text:?}");
        end = number.span.end;
    }
    for quantity in &all.quantities {
        inside(quantity.span);
        quantity.unit_span.map(inside);
        quantity.comparators.iter().for_each(|it| inside(it.span));
        assert!(!quantity.numbers.is_empty());
    }
    for dated in &all.dates {
        inside(dated.span);
        assert!(dated.dates.iter().all(|it| !it.candidates.is_empty()));
    }
}

#[test]
fn hostile_text_is_read_to_its_end() {
    for pattern in NUMBERS {
        let text = pattern.repeat(32 * 1024 / pattern.len());
        let all = read_all(&text);
        assert!(all.numbers.len() <= text.len(), "{pattern:?}");
        assert!(all.dates.iter().all(|it| it.span.slice(&text).is_some()), "{pattern:?}");
    }
}
