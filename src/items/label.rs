//! Number labels of laws and guides: 第 5-1 條, 第十二條之一, Article 12-1, Section 3A, 第二章.
//!
//! A label stands at the start of its line and labels it; the same words inside a sentence refer to
//! another place and are no label.

/// The label of an article at the start of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArticleLabel {
    /// One of [`KINDS`].
    pub kind: &'static str,
    /// `art-5-1`, `sec-3a`: the kind and the number in ASCII.
    pub key: String,
    /// Byte length of the label in the line, white space before it included.
    pub len: usize,
}

/// The kinds of label, the one that is an article wherever it occurs first.
pub const KINDS: [&str; 6] = ["art", "point", "sec", "reg", "rule", "clause"];

/// The article label that `line` starts with. `is_heading`: the page marks the line as a heading,
/// so that words after the label are its title.
pub fn article_label(line: &str, is_heading: bool) -> Option<ArticleLabel> {
    han_article(line, is_heading).or_else(|| latin_article(line, is_heading))
}

/// Words that make 第 N 條 a reference when they follow it.
const REFERENCE_GOES_ON: [&str; 22] = [
    "第", "之", "所", "規定", "前", "後", "但", "至", "及", "或", "與", "、", "，", "。", "；",
    "的", "有關", "各", "修正", "條文", "定", "情形",
];

fn han_article(line: &str, is_heading: bool) -> Option<ArticleLabel> {
    let mut at = Cursor { text: line, at: 0 };
    at.skip_space();
    at.take('第')?;
    let mut numbers = vec![at.number()?];
    while at.take_any(&['-', '－', '–', '‐', '之']).is_some() {
        numbers.push(at.number()?);
    }
    let kind = match at.take_any(&['條', '条', '點', '点'])? {
        '條' | '条' => "art",
        _ => "point",
    };
    loop {
        let before = at.at;
        match at.take('之').and_then(|_| at.number()) {
            Some(number) => numbers.push(number),
            None => {
                at.at = before;
                break;
            }
        }
    }
    let rest = &line[at.at..];
    let words = rest.trim_start();
    let is_parted = words.is_empty()
        || words.len() < rest.len()
        || words.starts_with(['（', '(', '【', '：', ':', '〔']);
    let goes_on = !is_heading && REFERENCE_GOES_ON.iter().any(|it| words.starts_with(it));
    (is_parted && !goes_on).then(|| ArticleLabel { kind, key: key_of(kind, &numbers), len: at.at })
}

fn key_of(kind: &str, numbers: &[u32]) -> String {
    let mut key = kind.to_owned();
    for number in numbers {
        key.push('-');
        key.push_str(&number.to_string());
    }
    key
}

const LATIN_KINDS: [(&str, &str); 8] = [
    ("article", "art"),
    ("art.", "art"),
    ("section", "sec"),
    ("sec.", "sec"),
    ("§", "sec"),
    ("regulation", "reg"),
    ("rule", "rule"),
    ("clause", "clause"),
];

fn latin_article(line: &str, is_heading: bool) -> Option<ArticleLabel> {
    let start = line.len() - line.trim_start().len();
    let text = &line[start..];
    let (word, kind) = LATIN_KINDS
        .into_iter()
        .find(|(word, _)| text.get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word)))?;
    let after = &text[word.len()..];
    let number = after.trim_start();
    if number.len() == after.len() && !matches!(word, "§" | "art." | "sec.") {
        return None;
    }
    let len = number_len(number);
    let shown = &number[..len];
    if len == 0 || len > 16 {
        return None;
    }
    let end = line.len() - number.len() + len;
    let rest = &line[end..];
    let words = rest.trim_start();
    let is_label = words.is_empty()
        || (is_heading
            && (words.len() < rest.len() || rest.starts_with(['.', ':', '—', '–', '-', '('])))
        || rest.starts_with(['.', ':', '—', '–'])
        || words.starts_with(['—', '–', ':'])
        || (words.starts_with('(') && words[1..].starts_with(|it: char| it.is_uppercase()));
    let key = shown.replace('.', "-").to_ascii_lowercase();
    is_label.then(|| ArticleLabel { kind, key: format!("{kind}-{key}"), len: end })
}

/// Byte length of `12`, `12-1`, `12.3`, `12A` at the start of `text`.
fn number_len(text: &str) -> usize {
    let digits = |at: usize| text[at..].bytes().take_while(u8::is_ascii_digit).count();
    let mut len = digits(0);
    if len == 0 {
        return 0;
    }
    let letters = text[len..].bytes().take_while(u8::is_ascii_alphabetic).count();
    if letters == 1 {
        len += 1;
    } else if letters > 1 {
        return 0;
    }
    while text[len..].starts_with(['-', '.']) && digits(len + 1) > 0 {
        len += 1 + digits(len + 1);
    }
    len
}

/// The rank of a line that is only a chapter label with its title: 編 1, 章 2, 節 3, 款 4, 目 5.
pub fn chapter_rank(line: &str) -> Option<u8> {
    if line.chars().count() > 40 || line.contains(['，', '。', '；', '\n']) {
        return None;
    }
    han_chapter(line).or_else(|| latin_chapter(line))
}

fn han_chapter(line: &str) -> Option<u8> {
    let mut at = Cursor { text: line, at: 0 };
    at.skip_space();
    at.take('第')?;
    at.number()?;
    let rank = match at.take_any(&['編', '编', '章', '節', '节', '款', '目'])? {
        '編' | '编' => 1,
        '章' => 2,
        '節' | '节' => 3,
        '款' => 4,
        _ => 5,
    };
    let rest = &line[at.at..];
    (rest.is_empty() || rest.starts_with(char::is_whitespace)).then_some(rank)
}

fn latin_chapter(line: &str) -> Option<u8> {
    let mut words = line.split_whitespace();
    let rank = match words.next()?.to_ascii_lowercase().as_str() {
        "part" => 1,
        "chapter" => 2,
        "division" => 3,
        _ => return None,
    };
    let number = words.next()?.trim_end_matches(['.', ':']);
    let is_number = !number.is_empty()
        && (number.bytes().all(|it| it.is_ascii_digit())
            || number.bytes().all(|it| b"IVXLC".contains(&it))
            || number.len() == 1 && number.bytes().all(|it| it.is_ascii_uppercase()));
    (is_number && !line.ends_with('.')).then_some(rank)
}

/// `heading` without the number in front of it: `2.1 Fees` and `2.2 Fees` are the same heading.
pub fn without_number(heading: &str) -> &str {
    if let Some(label) = article_label(heading, true) {
        return heading[label.len..].trim_start_matches(['.', ':', '：', '—', '–']).trim();
    }
    let text = heading.trim();
    let mut at = Cursor { text, at: 0 };
    let is_open = at.take_any(&['(', '（']).is_some();
    let Some(n) = numeral_len(&text[at.at..]) else { return text };
    at.at += n;
    let rest = &text[at.at..];
    let mark = rest.starts_with(['、', '.', '．', ')', '）', '，'])
        && (is_open || !rest.starts_with('，'));
    if !mark {
        return text;
    }
    let words = rest.trim_start_matches(['、', '.', '．', ')', '）']).trim_start();
    if words.is_empty() { text } else { words }
}

/// Length of `2`, `2.1`, `十二`, `a`.
fn numeral_len(text: &str) -> Option<usize> {
    let dotted = text.find(|it: char| !(it.is_ascii_digit() || it == '.')).unwrap_or(text.len());
    let dotted = text[..dotted].trim_end_matches('.').len();
    if dotted > 0 {
        return Some(dotted);
    }
    let han = text.find(|it: char| han_digit(it).is_none()).unwrap_or(text.len());
    if han > 0 {
        return Some(han);
    }
    let first = text.chars().next().filter(char::is_ascii_alphabetic)?;
    Some(first.len_utf8())
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl Cursor<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn take_any(&mut self, any: &[char]) -> Option<char> {
        let before = self.at;
        self.skip_space();
        match self.rest().chars().next().filter(|it| any.contains(it)) {
            Some(it) => {
                self.at += it.len_utf8();
                Some(it)
            }
            None => {
                self.at = before;
                None
            }
        }
    }

    fn take(&mut self, one: char) -> Option<char> {
        self.take_any(&[one])
    }

    /// A whole number in ASCII, full-width or Han digits.
    fn number(&mut self) -> Option<u32> {
        self.skip_space();
        let rest = self.rest();
        let len = rest.find(|it| han_digit(it).is_none()).unwrap_or(rest.len());
        let value = whole_number(&rest[..len])?;
        self.at += len;
        Some(value)
    }
}

/// The worth of a digit or of a power: `(value, is_power)`.
fn han_digit(it: char) -> Option<(u32, bool)> {
    let digit = |value| Some((value, false));
    match it {
        '0'..='9' => digit(u32::from(it) - u32::from('0')),
        '０'..='９' => digit(u32::from(it) - u32::from('０')),
        '〇' | '零' | '○' => digit(0),
        '一' => digit(1),
        '二' | '兩' => digit(2),
        '三' => digit(3),
        '四' => digit(4),
        '五' => digit(5),
        '六' => digit(6),
        '七' => digit(7),
        '八' => digit(8),
        '九' => digit(9),
        '十' => Some((10, true)),
        '百' => Some((100, true)),
        '千' => Some((1000, true)),
        _ => None,
    }
}

/// `105`, `１０５`, `一百零五`, `一〇五`.
fn whole_number(digits: &str) -> Option<u32> {
    let (mut total, mut digit, mut has_power) = (0u32, None::<u32>, false);
    for (value, is_power) in digits.chars().filter_map(han_digit) {
        if is_power {
            total = total.checked_add(digit.take().unwrap_or(1).checked_mul(value)?)?;
            has_power = true;
        } else if has_power {
            digit = Some(value);
        } else {
            digit = Some(digit.unwrap_or(0).checked_mul(10)?.checked_add(value)?);
        }
    }
    (!digits.is_empty()).then_some(())?;
    total.checked_add(digit.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(line: &str) -> Option<String> {
        article_label(line, false).map(|it| it.key)
    }

    #[test]
    fn labels_of_articles_are_read_in_both_languages() {
        for (line, expected) in [
            ("第 5 條", "art-5"),
            ("第 5-1 條", "art-5-1"),
            ("第五條之一", "art-5-1"),
            ("第 5 條之 1", "art-5-1"),
            ("第一百零三條", "art-103"),
            ("第十條　本辦法用詞定義如下：", "art-10"),
            ("第１２條（罰則）", "art-12"),
            ("第 3 點", "point-3"),
            ("Article 12", "art-12"),
            ("ARTICLE 12-1", "art-12-1"),
            ("Article 5 (Definitions)", "art-5"),
            ("Section 3A. Fees", "sec-3a"),
            ("§ 12.3", "sec-12-3"),
        ] {
            assert_eq!(key(line).as_deref(), Some(expected), "{line}");
        }
    }

    #[test]
    fn a_reference_at_the_start_of_a_sentence_is_no_label() {
        for line in [
            "第五條規定之補助，應於期限內申請。",
            "第 5 條 第一項所定期限，不適用之。",
            "第五條之規定",
            "第五十",
            "Article 5 of the Act applies.",
            "Article 5(2) applies.",
            "Section 3 benefits are paid monthly.",
            "Articles 5",
            "Article five",
            "Rules",
        ] {
            assert_eq!(key(line), None, "{line}");
        }
        assert_eq!(
            article_label("Section 3 Fees", true).map(|it| it.key).as_deref(),
            Some("sec-3")
        );
    }

    #[test]
    fn lines_that_are_chapter_labels_have_a_rank() {
        assert_eq!(chapter_rank("第 二 章 總則"), Some(2));
        assert_eq!(chapter_rank("第一編　通則"), Some(1));
        assert_eq!(chapter_rank("Chapter II Eligibility"), Some(2));
        assert_eq!(chapter_rank("Part 1"), Some(1));
        assert_eq!(chapter_rank("第一款規定之人員"), None);
        assert_eq!(chapter_rank("第一款 低收入戶，每月發給。"), None);
        assert_eq!(chapter_rank("Part time work counts"), None);
    }

    #[test]
    fn the_number_in_front_of_a_heading_is_not_part_of_what_it_says() {
        for (heading, expected) in [
            ("2.1. Fees", "Fees"),
            ("(b) Fees", "Fees"),
            ("三、費用", "費用"),
            ("（十一）費用", "費用"),
            ("第 5 條 費用", "費用"),
            ("Article 7: Fees", "Fees"),
            ("Fees", "Fees"),
            ("65 or over", "65 or over"),
            ("三年內", "三年內"),
        ] {
            assert_eq!(without_number(heading), expected, "{heading}");
        }
    }
}
