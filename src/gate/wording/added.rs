//! Words of a value or a statement that the page does not carry: additions and judgements.
//!
//! The page's own words, its headings and the declared vocabulary may be used freely; the reader's
//! opinion of a rule or of a person may not.

use std::collections::BTreeSet;

use rust_decimal::Decimal;

use crate::gate::places::stand::Stand;
use crate::gate::places::stream::{for_each_token, forms_of, is_ideograph};
use crate::gate::places::words::{is_function_word, stem};
use crate::gate::values::value::{Wanted, wanted_of};
use crate::model::finding::{Code, Finding};
use crate::text::glyphs::script::simplify;
use crate::text::numbers::number::read_numbers;
use crate::text::span::Span;

/// ADDED_WORDS and JUDGEMENT_ADDED of the value and the statement.
pub fn check_added(stand: &Stand) -> Vec<Finding> {
    let mut findings = Vec::new();
    let evidence = Evidence::of(stand);
    let value = worded_value(stand);
    for (text, is_statement) in
        [(value.as_deref(), false), (stand.claim.statement.as_deref(), true)]
    {
        let Some(text) = text else { continue };
        if let Some(word) = judgement_in(text, stand) {
            findings.push(judgement_added(stand, &word));
            continue;
        }
        let mut added = evidence.missing_from(text, is_statement);
        if added.is_empty() && !is_statement {
            added.extend(negation_put_in(text, stand));
            added.extend(word_cut(text, stand));
        }
        if !added.is_empty() {
            findings.push(added_words(stand, &added));
        }
    }
    findings
}

/// A "not" of the value that stands before another word than any "not" of the quote.
fn negation_put_in(value: &str, stand: &Stand) -> Option<String> {
    const WORDS: &[&str] =
        &["not", "no", "never", "without", "cannot", "不", "未", "非", "毋", "勿"];
    let (own, quoted) = (forms_of(value), forms_of(stand.quote_text()));
    let is_quoted = |pair: &[String]| {
        let [word, next] = pair else { return true };
        quoted.windows(2).any(|it| it[0] == *word && it[1] == *next)
    };
    let added = own.windows(2).find(|it| WORDS.contains(&it[0].as_str()) && !is_quoted(it))?;
    Some(added[0].clone())
}

/// The first word of a value that the quote has only as a piece of a word: the t of "isn’t".
fn word_cut(value: &str, stand: &Stand) -> Option<String> {
    let quote = stand.quote_text();
    let value = value.trim();
    let joins = |before: Option<char>, after: Option<char>| {
        let is_letter = |it: Option<char>| it.is_some_and(|it| it.is_ascii_alphanumeric());
        let is_mark = matches!(before, Some('\'' | '’'));
        is_letter(after) && (is_letter(before) || is_mark)
    };
    let is_cut = |at: usize| {
        let (before, rest) = (&quote[..at], &quote[at + value.len()..]);
        let mark = before.strip_suffix(['\'', '’']);
        // A quotation mark before a word is no apostrophe.
        let is_quotation = mark.is_some_and(|it| !it.ends_with(|it: char| it.is_alphanumeric()));
        !is_quotation && joins(before.chars().next_back(), value.chars().next())
            || joins(
                value.chars().next_back().filter(|it| it.is_alphanumeric()),
                rest.chars().next(),
            )
    };
    let mut places = quote.match_indices(value).map(|it| it.0).peekable();
    places.peek()?;
    let first = value.split_whitespace().next()?;
    places.all(is_cut).then(|| first.to_owned())
}

/// The value where it is words.
fn worded_value(stand: &Stand) -> Option<String> {
    match wanted_of(stand.claim) {
        Wanted::Words(it) => Some(it),
        Wanted::Many(items) => {
            let words = items.into_iter().filter_map(|it| match it {
                Wanted::Words(it) => Some(it),
                _ => None,
            });
            Some(words.collect::<Vec<_>>().join(" ; ")).filter(|it| !it.is_empty())
        }
        _ => None,
    }
}

/// What a value may be worded with.
struct Evidence {
    words: BTreeSet<String>,
    numbers: BTreeSet<Decimal>,
}

impl Evidence {
    /// Quote, headings, lead-ins, header cells, title of the page, and the field's own words.
    fn of(stand: &Stand) -> Self {
        let mut evidence = Self { words: BTreeSet::new(), numbers: BTreeSet::new() };
        let page = stand.page;
        evidence.add(stand.quote_text());
        for span in stand.headings().into_iter().chain(stand.lead_ins()) {
            evidence.add(bounded(page.slice(span)));
        }
        for span in header_cells(stand) {
            evidence.add(bounded(page.slice(span)));
        }
        evidence.add(stand.scope.page_title);
        for heading in stand.scope.heading_path {
            evidence.add(heading);
        }
        evidence.add(&stand.claim.field.replace('_', " "));
        if let Some(field) = stand.scope.fields.iter().find(|it| it.name == stand.claim.field) {
            evidence.add(&field.description);
        }
        evidence
    }

    fn add(&mut self, text: &str) {
        for_each_word(text, |word| {
            self.words.insert(word.to_owned());
        });
        self.numbers.extend(read_numbers(text).iter().map(|it| it.value.normalize()));
    }

    /// Words of `text` that the evidence does not have, in order.
    fn missing_from(&self, text: &str, is_statement: bool) -> Vec<String> {
        let numbers: Vec<_> = read_numbers(text);
        let mut missing = Vec::new();
        for_each_place(text, |span, word, stem| {
            let number = numbers.iter().find(|it| it.span.overlaps(span));
            let is_known = match number {
                Some(it) => {
                    self.numbers.contains(&it.value.normalize()) || self.words.contains(stem)
                }
                None => self.words.contains(stem),
            };
            let is_free = is_statement && is_rule_wording(word);
            let shown = span.slice(text).unwrap_or(word);
            if !is_known && !is_free && !missing.iter().any(|it| it == shown) {
                missing.push(shown.to_owned());
            }
        });
        missing
    }
}

/// Headings and lead-ins of a broken page may be of any length.
fn bounded(text: &str) -> &str {
    let mut end = text.len().min(2_000);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn header_cells(stand: &Stand) -> Vec<Span> {
    let outline = stand.page.outline();
    let Some(block) = stand.block else { return Vec::new() };
    let header = outline.header_cells(block).unwrap_or_default().to_vec();
    header.into_iter().chain(outline.row_label(block)).collect()
}

fn for_each_word(text: &str, mut take: impl FnMut(&str)) {
    for_each_place(text, |_, _, stem| take(stem));
}

/// Calls `take` with each word of substance: its place, itself, and its stem.
fn for_each_place(text: &str, mut take: impl FnMut(Span, &str, &str)) {
    for_each_token(text, |span, form| {
        let first = form.chars().next().unwrap_or(' ');
        let is_empty = is_ideograph(first) && EMPTY_HAN.chars().any(|it| simplify(it) == first)
            || is_function_word(form)
            || !first.is_alphanumeric();
        if !is_empty {
            take(span, form, &stem(form));
        }
    });
}

/// Ideographs that join words and say little of their own.
const EMPTY_HAN: &str = "者之的及或等於為在是有與並且其該所以於由向至自而則時個項";

/// Words in which a statement may retell a rule without adding to it.
fn is_rule_wording(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "applicant",
        "applicants",
        "person",
        "people",
        "must",
        "not",
        "no",
        "at",
        "least",
        "most",
        "more",
        "less",
        "than",
        "over",
        "under",
        "above",
        "below",
        "exceed",
        "exceeds",
        "reach",
        "reaches",
        "falls",
        "fall",
        "short",
        "minimum",
        "maximum",
        "limit",
        "required",
        "requires",
        "require",
        "only",
        "within",
        "between",
        "before",
        "after",
        "until",
        "rule",
        "condition",
        "states",
        "says",
        "page",
        "value",
        "amount",
        "number",
        "is",
        "equal",
        "equals",
        "higher",
        "lower",
        "meets",
        "meet",
        "older",
        "younger",
        "aged",
        "age",
    ];
    const HAN: &str = "申請人須應得不可未達低於高超過滿足至少最多以上下內限需要必條件規定為數值金額等於在前後之間";
    let first = word.chars().next().unwrap_or(' ');
    if is_ideograph(first) {
        HAN.chars().any(|it| simplify(it) == first)
    } else {
        WORDS.contains(&word)
    }
}

/// A judgement that the quote does not make itself.
fn judgement_in(text: &str, stand: &Stand) -> Option<String> {
    let quote = stand.quote_text().to_lowercase();
    let lower = text.to_lowercase();
    let found = |it: &&&str| holds_phrase(&lower, it) && !holds_phrase(&quote, it);
    OF_PERSONS
        .iter()
        .find(|it| found(it) && !speaks_of_persons(&quote))
        .or_else(|| OF_RULES.iter().find(found))
        .map(|it| (*it).to_owned())
}

/// A page that itself says who qualifies may be retold so.
fn speaks_of_persons(quote: &str) -> bool {
    ["qualify", "qualifies", "eligible", "entitled", "資格", "资格", "符合", "合格"]
        .iter()
        .any(|it| quote.contains(it))
}

/// Latin phrases stand between word borders; Chinese ones stand anywhere.
fn holds_phrase(text: &str, phrase: &str) -> bool {
    if !phrase.is_ascii() {
        return text.contains(phrase);
    }
    text.match_indices(phrase).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + phrase.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

/// Verdicts on a reader or an applicant as a person.
const OF_PERSONS: &[&str] = &[
    "you qualify",
    "you are eligible",
    "you're eligible",
    "you will qualify",
    "you will be eligible",
    "you do not qualify",
    "you don't qualify",
    "you are not eligible",
    "you are entitled",
    "you meet",
    "you will get",
    "you can get",
    "you should apply",
    "you should get",
    "he qualifies",
    "she qualifies",
    "they qualify",
    "qualifies you",
    "makes you eligible",
    "您符合",
    "你符合",
    "您可以獲得",
    "你可以獲得",
    "您有資格",
    "你有資格",
    "您具備",
    "你具備",
    "您不符合",
    "你不符合",
    "您沒有資格",
    "你沒有資格",
    "您合資格",
    "你合資格",
    "您不合資格",
    "您可申請",
    "你可申請",
    "您可領取",
    "你可領取",
    "您應該申請",
    "你應該申請",
    "您能領",
    "你能領",
];

/// Opinions of a rule.
const OF_RULES: &[&str] = &[
    "generous",
    "generously",
    "strict",
    "strictly",
    "lenient",
    "harsh",
    "fair",
    "unfair",
    "reasonable",
    "unreasonable",
    "easy",
    "easily",
    "difficult",
    "simple",
    "simply",
    "complicated",
    "good",
    "bad",
    "better",
    "best",
    "worse",
    "excellent",
    "attractive",
    "favourable",
    "favorable",
    "unfortunately",
    "fortunately",
    "luckily",
    "sadly",
    "obviously",
    "clearly",
    "surely",
    "certainly",
    "definitely",
    "probably",
    "presumably",
    "apparently",
    "likely",
    "unlikely",
    "important",
    "importantly",
    "crucial",
    "essential",
    "significant",
    "significantly",
    "worthwhile",
    "recommended",
    "recommend",
    "advisable",
    "suggest",
    "suggests",
    "in my opinion",
    "i think",
    "we believe",
    "seems",
    "appears",
    "substantial",
    "considerable",
    "modest",
    "affordable",
    "expensive",
    "cheap",
    "low-cost",
    "high-quality",
    "優厚",
    "慷慨",
    "嚴格",
    "嚴苛",
    "寬鬆",
    "寬厚",
    "苛刻",
    "公平",
    "不公平",
    "合理地",
    "不合理",
    "容易",
    "簡單",
    "困難",
    "複雜",
    "優良",
    "理想",
    "有利",
    "不利",
    "幸好",
    "不幸",
    "可惜",
    "顯然",
    "明顯地",
    "想必",
    "大概",
    "也許",
    "恐怕",
    "應該是",
    "看來",
    "似乎",
    "重要的是",
    "關鍵",
    "建議",
    "推薦",
    "值得",
    "划算",
    "便宜",
    "昂貴",
    "可觀",
    "我認為",
    "我們認為",
    "相當不錯",
    "很好",
    "很高",
    "很低",
    "太高",
    "太低",
];

fn judgement_added(stand: &Stand, word: &str) -> Finding {
    let detail = stand.page.pick(
        || format!("“{word}” is a judgement that the page does not make"),
        || format!("「{word}」是頁面沒有的判斷"),
    );
    let (code, evidence) = (Code::JudgementAdded, Some(word.to_owned()));
    Finding { code, detail, place: Some(stand.span), evidence }
}

fn added_words(stand: &Stand, words: &[String]) -> Finding {
    let is_han = words.iter().all(|it| it.chars().all(is_ideograph));
    let list = words.join(if is_han { "" } else { " " });
    let detail = stand.page.pick(
        || format!("the quote does not carry these words of the row: {list}"),
        || format!("引文沒有資料列裡的這些字：{list}"),
    );
    Finding { code: Code::AddedWords, detail, place: Some(stand.span), evidence: Some(list) }
}
