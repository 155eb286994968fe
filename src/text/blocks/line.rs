//! What one line of a text is: heading, article label, document mark, table line, list line, text.
//!
//! Looks at single lines and, for wrapping, at two neighbours. It never moves or drops a byte; how
//! lines become blocks is decided by `text::outline`.

use crate::text::blocks::enumerator::{Enumerator, read_enumerator};
use crate::text::glyphs::letter::{is_han, is_invisible};
use crate::text::numbers::ordinal::{han_or_decimal, is_numeral, roman_number};
use crate::text::span::Span;

/// One line of a text, trimmed: offsets count in the whole text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The visible part of the line.
    pub span: Span,
    /// Columns of white space before it; a wide space counts two.
    pub indent: usize,
    /// What it is, seen alone.
    pub kind: LineKind,
}

/// The kinds of line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// No visible character.
    Blank,
    /// `## Title`: level, and where the title starts within the line.
    Hash(usize, usize),
    /// 第 5 條, Chapter IV, Section 3: level; the whole line is the heading.
    Label(usize),
    /// A heading of plain text, without `#`: level, and where the title stands within the line.
    Title(usize, Span),
    /// `=== page A ===`: where the label stands within the line.
    Mark(Span),
    /// `| a | b |`, or with a weak sign `a | b`.
    Row(bool),
    /// `| --- | --- |`, `---`, `=====`.
    Rule,
    /// A list line.
    Item(Enumerator),
    /// Anything else.
    Plain,
}

/// Cuts `text` into lines, in one pass.
pub fn read_lines(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut start = 0;
    for piece in text.split_inclusive('\n') {
        lines.push(read_line(piece, start));
        start += piece.len();
    }
    lines
}

fn read_line(piece: &str, start: usize) -> Line {
    let visible = piece.trim_start_matches(is_blank);
    let lead = &piece[..piece.len() - visible.len()];
    let visible = visible.trim_end_matches(is_blank);
    let from = start + lead.len();
    let indent = lead.chars().map(columns_of_space).sum();
    let kind = if visible.is_empty() { LineKind::Blank } else { kind_of(visible) };
    Line { span: Span::new(from, from + visible.len()), indent, kind }
}

/// White space and characters that print nothing: no visible text.
pub fn is_blank(it: char) -> bool {
    it.is_whitespace() || it == '\0' || is_invisible(it)
}

fn columns_of_space(it: char) -> usize {
    match it {
        '\t' => 4,
        '\u{3000}' => 2,
        _ => usize::from(it.is_whitespace()),
    }
}

fn kind_of(line: &str) -> LineKind {
    if is_rule(line) {
        return LineKind::Rule;
    }
    if let Some((level, at)) = read_hash(line) {
        return LineKind::Hash(level, at);
    }
    if let Some(label) = read_mark(line) {
        return LineKind::Mark(label);
    }
    if line.starts_with('|') && line.len() > 1 && line[1..].contains('|') {
        return LineKind::Row(true);
    }
    if let Some(label) = read_label(line) {
        return LineKind::Label(label.level);
    }
    if let Some(found) = read_enumerator(line) {
        return LineKind::Item(found);
    }
    if line.contains(" | ") || line.contains('\t') {
        return LineKind::Row(false);
    }
    LineKind::Plain
}

fn is_rule(line: &str) -> bool {
    let table = line.starts_with('|')
        && line.contains('-')
        && line.chars().all(|it| matches!(it, '|' | '-' | ':' | ' ' | '\t'));
    let first = line.chars().next().unwrap_or(' ');
    let drawn = matches!(first, '-' | '=' | '_' | '*' | '~' | '─' | '—' | '－')
        && line.chars().all(|it| it == first || it == ' ')
        && line.chars().filter(|it| *it == first).take(3).count() == 3;
    table || drawn
}

fn read_hash(line: &str) -> Option<(usize, usize)> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    let title = text.trim_start();
    let ok = (1..=6).contains(&level) && title.len() < text.len() && !title.is_empty();
    ok.then_some((level, line.len() - title.len()))
}

fn read_mark(line: &str) -> Option<Span> {
    let inner = line.trim_matches('=');
    let before = line.len() - line.trim_start_matches('=').len();
    let after = line.len() - line.trim_end_matches('=').len();
    let label = inner.trim();
    let start = before + inner.len() - inner.trim_start().len();
    let ok = before >= 2 && after >= 2 && !label.is_empty();
    ok.then(|| Span::new(start, start + label.len()))
}

/// The label of a provision, and where its title starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProvisionLabel {
    /// Level of heading that it stands for, 2 to 6.
    pub level: usize,
    /// Byte at which the title starts; the line's length where it has none.
    pub title: usize,
}

/// Reads a line that is only an article, section or chapter label, with or without a title.
pub fn read_label(line: &str) -> Option<ProvisionLabel> {
    if line.len() > 200 {
        return None;
    }
    read_han_label(line).or_else(|| read_english_label(line))
}

/// 第 5-1 條, 第二章 總則, 第十條之一（定義）.
fn read_han_label(line: &str) -> Option<ProvisionLabel> {
    let rest = skip_numbers(line.strip_prefix('第')?)?;
    let unit = rest.chars().next()?;
    let level = match unit {
        '編' | '编' | '篇' | '部' => 2,
        '章' => 3,
        '節' | '节' => 4,
        '條' | '条' => 5,
        '款' | '目' => 6,
        _ => return None,
    };
    let mut rest = &rest[unit.len_utf8()..];
    while let Some(tail) = rest.trim_start().strip_prefix('之') {
        let end =
            tail.trim_start().find(|it: char| !is_numeral(it)).unwrap_or(tail.trim_start().len());
        if end == 0 {
            break;
        }
        rest = &tail.trim_start()[end..];
    }
    let title = rest.trim_start_matches(|it: char| is_blank(it) || matches!(it, ':' | '：'));
    let label = ProvisionLabel { level, title: line.len() - title.len() };
    if title.is_empty() {
        return Some(label);
    }
    let set_apart = title.len() < rest.len() || title.starts_with(['（', '(', '【', '〔']);
    let short = title.chars().count() <= 30;
    let is_sentence =
        title.contains(['，', '。', '；', '：', '、', ',', ';', '!', '?', '？', '！', '|']);
    (level < 6 && set_apart && short && !is_sentence).then_some(label)
}

/// What follows a number of an article: 5, 5-1, 二十三, 5.2, with spaces around it.
fn skip_numbers(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let end = text.find(|it: char| !(is_numeral(it) || matches!(it, '-' | '－' | '.' | '之')))?;
    let first = text[..end].split(['-', '－', '.', '之']).next()?;
    han_or_decimal(first)?;
    Some(text[end..].trim_start())
}

const ENGLISH_LABELS: &[(&str, usize)] = &[
    ("part", 2),
    ("title", 2),
    ("schedule", 2),
    ("annex", 2),
    ("appendix", 2),
    ("chapter", 3),
    ("division", 3),
    ("subpart", 4),
    ("section", 4),
    ("sec.", 4),
    ("article", 5),
    ("art.", 5),
    ("§", 5),
    ("rule", 5),
    ("regulation", 5),
    ("clause", 5),
];

/// Article 12, Section 3: Eligibility, CHAPTER IV General Provisions.
fn read_english_label(line: &str) -> Option<ProvisionLabel> {
    let starts = |word: &str| {
        let head = line.get(..word.len())?;
        let tail = &line[word.len()..];
        let alone = !tail.starts_with(char::is_alphanumeric);
        (head.eq_ignore_ascii_case(word)
            && alone
            && !head.starts_with(|it: char| it.is_lowercase()))
        .then_some(tail)
    };
    let (level, tail) =
        ENGLISH_LABELS.iter().find_map(|(word, level)| Some((*level, starts(word)?)))?;
    let tail = tail.trim_start();
    let end = tail
        .find(|it: char| !(it.is_ascii_alphanumeric() || matches!(it, '-' | '.' | '–')))
        .unwrap_or(tail.len());
    let number = tail[..end].trim_end_matches(['.', '-', '–']);
    if !is_label_number(number) {
        return None;
    }
    let rest = &tail[number.len()..];
    let title = rest.trim_start_matches([':', '.', '-', '–', '—', ' ', '\u{00A0}', '\u{3000}']);
    let label = ProvisionLabel { level, title: line.len() - title.len() };
    if title.is_empty() {
        return Some(label);
    }
    let set_apart = title.len() < rest.len() || title.starts_with(['(', '（']);
    let worded = title.starts_with(|it: char| it.is_uppercase() || is_han(it) || it == '(');
    let is_sentence =
        ends_sentence(title) || title.ends_with([',', ';', ':']) || title.contains('|');
    let short = title.chars().count() <= 90 && !has_rule_verb(title);
    (set_apart && worded && !is_sentence && short).then_some(label)
}

fn has_rule_verb(title: &str) -> bool {
    const VERBS: [&str; 9] =
        ["is", "are", "shall", "must", "may", "applies", "apply", "has", "does"];
    title.split(|it: char| !it.is_alphanumeric()).any(|it| VERBS.contains(&it))
}

/// 12, 12A, 5-1, 3.2, IV, B.
fn is_label_number(number: &str) -> bool {
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    if (1..=4).contains(&digits) {
        let rest = &number[digits..];
        return rest.len() <= 6 && rest.bytes().filter(u8::is_ascii_alphabetic).count() <= 2;
    }
    let upper = number.bytes().all(|it| it.is_ascii_uppercase());
    upper && (number.len() == 1 || roman_number(number).is_some())
}

/// True where the last visible character of `line`, closing quotes and brackets aside, ends a
/// sentence.
pub fn ends_sentence(line: &str) -> bool {
    last_mark(line)
        .is_some_and(|it| matches!(it, '.' | '!' | '?' | '。' | '！' | '？' | '．' | '…' | '｡'))
}

/// True where `line` ends with a colon or a semicolon.
pub fn ends_clause(line: &str) -> bool {
    last_mark(line).is_some_and(|it| matches!(it, ':' | '：' | ';' | '；'))
}

/// True where `line` ends with a colon: it leads in what follows.
pub fn leads_in(line: &str) -> bool {
    last_mark(line).is_some_and(|it| matches!(it, ':' | '：'))
}

fn last_mark(line: &str) -> Option<char> {
    let closing = |it: char| {
        is_blank(it)
            || matches!(
                it,
                '"' | '\'' | '”' | '’' | '」' | '』' | ')' | '）' | ']' | '】' | '*' | '_'
            )
    };
    line.trim_end_matches(closing).chars().next_back()
}

/// True where `next` goes on with the sentence that `line` leaves open. `width` is the length in
/// columns of the longest line around them: lines filled up to it were wrapped by a program.
pub fn line_goes_on(line: &str, next: &str, width: usize) -> bool {
    let starts_lower = next
        .chars()
        .find(|it| !matches!(it, '‘' | '“' | '"' | '\'' | '(' | '（'))
        .is_some_and(char::is_lowercase);
    if ends_sentence(line) {
        // "U.S." at the end of a line: the sentence goes on in small letters.
        return starts_lower && line.ends_with('.');
    }
    if ends_clause(line) {
        return false;
    }
    if starts_lower || asks_for_more(line) || is_closing_start(next) {
        return true;
    }
    let first_word = next.split(char::is_whitespace).next().unwrap_or("");
    let word_width = if next.starts_with(is_han) { 4 } else { columns(first_word).min(30) + 1 };
    let full = columns(line);
    (40..=140).contains(&width) && full + word_width > width && full * 10 > width * 7
}

/// True where a line ends in a word or mark that cannot end a paragraph.
fn asks_for_more(line: &str) -> bool {
    const OPEN_WORDS: [&str; 30] = [
        "a", "an", "the", "of", "to", "in", "on", "at", "by", "for", "from", "with", "and", "or",
        "but", "not", "than", "that", "which", "who", "is", "are", "was", "were", "be", "has",
        "have", "must", "shall", "your",
    ];
    if line.ends_with([',', '，', '、', '(', '（', '「', '“', '‘', '/', '-', '$']) {
        return true;
    }
    let word = line.rsplit(char::is_whitespace).next().unwrap_or("");
    OPEN_WORDS.contains(&word)
}

fn is_closing_start(next: &str) -> bool {
    next.starts_with([',', '，', '、', '。', '；', '）', ')', '」', '.', ';', '：'])
}

/// Width of a line in terminal columns; stops counting once it cannot matter.
pub fn columns(line: &str) -> usize {
    line.chars().take(400).map(|it| if is_han(it) || is_wide_mark(it) { 2 } else { 1 }).sum()
}

fn is_wide_mark(it: char) -> bool {
    matches!(u32::from(it), 0x3000..=0x303F | 0xFF00..=0xFF60)
}

/// The cells of a table line, white space trimmed, offsets from the start of the line.
pub fn read_cells(line: &str) -> Vec<Span> {
    let (start, end) = inner_of_row(line);
    let inner = &line[start..end];
    let mut cuts = Vec::new();
    let spaced = |at: usize| {
        let before = inner[..at].chars().next_back().is_none_or(char::is_whitespace);
        let after = inner[at + 1..].chars().next().is_none_or(char::is_whitespace);
        before && after
    };
    let bars: Vec<usize> = memchr::memchr_iter(b'|', inner.as_bytes()).collect();
    cuts.extend(bars.iter().copied().filter(|&at| spaced(at)));
    if cuts.is_empty() {
        cuts = if bars.is_empty() {
            memchr::memchr_iter(b'\t', inner.as_bytes()).collect()
        } else {
            bars
        };
    }
    let mut cells = Vec::with_capacity(cuts.len() + 1);
    let mut from = 0;
    for cut in cuts.into_iter().chain([inner.len()]) {
        let cell = &inner[from..cut];
        let visible = cell.trim_start_matches(is_blank);
        let at = start + from + cell.len() - visible.len();
        let len = visible.trim_end_matches(is_blank).len();
        cells.push(Span::new(at, at + len));
        from = cut + 1;
    }
    cells
}

fn inner_of_row(line: &str) -> (usize, usize) {
    let start = usize::from(line.starts_with('|'));
    let end = if start == 1 && line.len() > 1 && line.ends_with('|') {
        line.len() - 1
    } else {
        line.len()
    };
    (start, end.max(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(line: &str) -> LineKind {
        kind_of(line)
    }

    #[test]
    fn label_only_lines_are_headings_in_both_languages() {
        for (line, level) in [
            ("第 5-1 條", 5),
            ("第五條之一", 5),
            ("第 二 章 總則", 3),
            ("第三章　附則", 3),
            ("第十條（定義）", 5),
            ("第 1 編", 2),
            ("Article 12", 5),
            ("ARTICLE XII", 5),
            ("Article 5-1", 5),
            ("Section 3: Eligibility", 4),
            ("CHAPTER IV General Provisions", 3),
            ("Part 2 – Who can claim", 2),
            ("§ 12", 5),
            ("Schedule A", 2),
            ("第 3 款", 6),
        ] {
            assert_eq!(kind(line), LineKind::Label(level), "{line}");
        }
    }

    #[test]
    fn a_sentence_about_an_article_is_no_heading() {
        for line in [
            "第 5 條規定之申請人",
            "第五條 申請人應於三十日內提出。",
            "第二章規定，準用之",
            "Section 3 applies to tenants",
            "Article 12 is repealed.",
            "Part of the rent is paid",
            "Part 2 of the form",
            "Section 8 Tenants may apply",
            "第一款 通則",
        ] {
            assert!(!matches!(kind(line), LineKind::Label(_)), "{line}");
        }
    }

    #[test]
    fn marks_rules_and_rows_are_told_apart() {
        assert_eq!(kind("=== page A ==="), LineKind::Mark(Span::new(4, 10)));
        assert_eq!(kind("| --- | :-: |"), LineKind::Rule);
        assert_eq!(kind("-----"), LineKind::Rule);
        assert_eq!(kind("| a | b |"), LineKind::Row(true));
        assert_eq!(kind("a | b"), LineKind::Row(false));
        assert_eq!(kind("# 申請資格"), LineKind::Hash(1, 2));
        assert_eq!(kind("#1 choice"), LineKind::Plain);
    }

    #[test]
    fn cells_are_told_apart_by_spaced_bars() {
        let cells = |line: &'static str| {
            read_cells(line).iter().map(|it| it.slice(line).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(cells("| Single | HK$10 |"), ["Single", "HK$10"]);
        assert_eq!(cells("|  | 單人 |"), ["", "單人"]);
        assert_eq!(cells("|  |  |  |"), ["", "", ""]);
        assert_eq!(cells("|a|b|"), ["a", "b"]);
        assert_eq!(cells("| a|b | c |"), ["a|b", "c"]);
        assert_eq!(cells("Single | HK$10"), ["Single", "HK$10"]);
    }

    #[test]
    fn a_line_left_open_goes_on() {
        assert!(line_goes_on("Payment is made", "within 10 working days.", 23));
        assert!(line_goes_on("the Department of", "Housing pays", 17));
        assert!(line_goes_on("申請人須年滿六十歲，", "並持有許可證。", 20));
        assert!(!line_goes_on("You must apply.", "We pay monthly.", 20));
        assert!(!line_goes_on("Who can apply", "You must be 60.", 30));
        assert!(!line_goes_on("申請資格", "申請人須年滿六十歲。", 20));
        assert!(!line_goes_on("You need:", "a permit", 20));
    }
}
