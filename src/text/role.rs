//! What a number in a text is for: a value, a reference, a date, a list marker, a piece of a word.
//! Decides from the neighbours of the number alone; a number that cannot be told apart is a value.

use rust_decimal::Decimal;

use crate::text::lexeme::{LexKind, Lexemes, is_hyphen};
use crate::text::money::{currency_after, currency_before};
use crate::text::numeral::{Hint, RawNumber};
use crate::text::numeral_zh::{Form, is_formal, is_han_numeral};
use crate::text::unit::{Family, unit_after, unit_at};

/// The roles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// A quantity that a rule can be about.
    Value,
    /// A place in an order: 30th, second, 第二年, 第一等級.
    Ordinal,
    /// Names a provision, a form, a telephone, an address: 第 5 條, Section 3, Form 10-10EZ.
    Reference,
    /// Counts the items of a list: `1.`, （一）, 一、, ①.
    ListMarker,
    /// A piece of a date.
    DatePart,
    /// A time of day.
    Clock,
    /// A piece of a word: 伍 in 隊伍, 一 in 統一; "one" as a pronoun.
    WordPart,
}

/// The number before the one in question.
#[derive(Clone, Copy, Debug)]
pub struct Previous {
    /// Its role.
    pub role: Role,
    /// Lexeme after it.
    pub end: usize,
}

/// The role of a number, given the one before it.
pub fn role_of(lexemes: &Lexemes<'_>, raw: &RawNumber, previous: Option<Previous>) -> Role {
    match raw.hint {
        Hint::Circled => return Role::ListMarker,
        Hint::Code => return Role::Reference,
        Hint::Ordinal | Hint::None => {}
    }
    if is_list_marker(lexemes, raw) {
        return Role::ListMarker;
    }
    if is_reference(lexemes, raw) || continues_reference(lexemes, raw, previous) {
        return Role::Reference;
    }
    if raw.hint == Hint::Ordinal || lexemes.is_word_of(raw.end, &["st", "nd", "rd", "th"]) {
        return Role::Ordinal;
    }
    if lexemes.head_before(raw.first) == '第' {
        return Role::Ordinal;
    }
    if is_clock(lexemes, raw) {
        return Role::Clock;
    }
    if is_word_part(lexemes, raw) {
        return Role::WordPart;
    }
    Role::Value
}

/// True where only white space, a bullet or an opening bracket stands before `at` in its line, or
/// the end of a sentence or list item.
fn opens_item(lexemes: &Lexemes<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return true };
    match lexemes.kind(before) {
        LexKind::Break | LexKind::Gap => return true,
        LexKind::Space if before == 0 => return true,
        _ => {}
    }
    match lexemes.solid_before(at) {
        None => true,
        Some(it) => match lexemes.head(it) {
            '。' | ';' | ':' => true,
            '-' | '*' | '•' | '#' | '>' => it < before && opens_line(lexemes, it),
            _ => false,
        },
    }
}

fn opens_line(lexemes: &Lexemes<'_>, at: usize) -> bool {
    at.checked_sub(1).is_none_or(|it| match lexemes.kind(it) {
        LexKind::Break | LexKind::Gap => true,
        LexKind::Space => it == 0,
        _ => lexemes.head(it) == '#' && opens_line(lexemes, it),
    })
}

/// `1.`, `2)`, `一、` at the start of an item, and small numbers alone in brackets.
fn is_list_marker(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    let small = raw.form == Form::Plain
        && raw.value.is_some_and(|it| it < Decimal::from(200) && it.fract().is_zero());
    if !small || raw.end - raw.first > 4 {
        return false;
    }
    let after = lexemes.head(raw.end);
    let before = raw.first.checked_sub(1).map_or('\0', |it| lexemes.head(it));
    let bracketed = before == '(' && after == ')';
    if bracketed {
        return is_bracketed_marker(lexemes, raw);
    }
    if !opens_item(lexemes, raw.first) {
        return false;
    }
    let is_digits = lexemes.kind(raw.first) == LexKind::Digits;
    match after {
        '、' => true,
        '.' => is_digits && lexemes.kind(raw.end + 1) != LexKind::Digits,
        ')' => is_digits,
        _ => false,
    }
}

/// (1), （一）: a marker unless it restates a number in words ("twelve (12) months") or counts.
fn is_bracketed_marker(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    let open = raw.first - 1;
    let before = lexemes.solid_before(open);
    let glued = before.is_some_and(|it| {
        it + 1 == open && matches!(lexemes.kind(it), LexKind::Digits | LexKind::Word)
    });
    let restates = before.is_some_and(|it| {
        crate::text::numeral_en::read_words(lexemes, it).is_some()
            || is_han_numeral(lexemes.head(it))
    });
    let opens = opens_item(lexemes, open);
    let after = lexemes.kind(raw.end + 1);
    let spaced = matches!(after, LexKind::Space | LexKind::Break | LexKind::Word | LexKind::Han);
    let spaced_before = open.checked_sub(1).is_none_or(|it| lexemes.kind(it) != LexKind::Word);
    !restates && !glued && (opens || spaced && spaced_before)
}

/// Words before a number that names something.
const NAMING: &[&str] = &[
    "section",
    "sections",
    "sec",
    "secs",
    "s",
    "ss",
    "article",
    "articles",
    "art",
    "arts",
    "paragraph",
    "paragraphs",
    "para",
    "paras",
    "subparagraph",
    "subparagraphs",
    "subsection",
    "subsections",
    "clause",
    "clauses",
    "subclause",
    "chapter",
    "chapters",
    "ch",
    "title",
    "titles",
    "schedule",
    "annex",
    "appendix",
    "appendices",
    "note",
    "notes",
    "form",
    "forms",
    "table",
    "tables",
    "figure",
    "fig",
    "page",
    "pages",
    "p",
    "pp",
    "step",
    "steps",
    "room",
    "suite",
    "box",
    "line",
    "lines",
    "volume",
    "vol",
    "bulletin",
    "circular",
    "regulation",
    "regulations",
    "rule",
    "rules",
    "part",
    "parts",
    "item",
    "items",
    "footnote",
    "point",
    "option",
    "question",
    "building",
    "bldg",
    "ext",
    "extension",
    "tty",
    "tdd",
    "fax",
    "tel",
    "telephone",
    "phone",
    "hotline",
    "dial",
    "press",
    "cap",
    "law",
    "zip",
    "apt",
    "unit",
    "act",
    "code",
    "chapter",
    "usc",
    "cfr",
    "u.s.c",
    "c.f.r",
    "version",
    "group",
    "groups",
    "category",
    "class",
    "route",
    "highway",
    "highways",
    "subpart",
    "exhibit",
    "attachment",
    "order",
    "directive",
    "text",
    "number",
];

/// Measure characters of provisions: 第五條, 前二項, 三款.
const PROVISIONS: &str = "條項款目章節編點號頁表欄冊卷";

/// Words before a Chinese number that names something.
const NAMING_HAN: &[&str] = &[
    "附表",
    "附件",
    "附錄",
    "附圖",
    "表",
    "圖",
    "註",
    "注",
    "備註",
    "電話",
    "專線",
    "分機",
    "傳真",
    "撥打",
    "請撥",
    "編號",
    "字號",
    "代碼",
    "統一編號",
    "郵遞區號",
];

fn is_reference(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    let next = lexemes.solid(raw.end);
    if is_provision(lexemes, raw, next) {
        return true;
    }
    if lexemes.is_word_of(next, &["usc", "cfr"])
        || lexemes.phrase_at(next, "u").is_some() && lexemes.head(next + 1) == '.'
    {
        return true;
    }
    if is_glued(lexemes, raw) {
        return true;
    }
    let Some(mut before) = lexemes.solid_before(raw.first) else { return false };
    if matches!(lexemes.head(before), '§' | '#' | '№') {
        return true;
    }
    if matches!(lexemes.head(before), '.' | ':' | '(') {
        let Some(it) = lexemes.solid_before(before) else { return false };
        let colon = lexemes.head(before) == ':';
        if colon
            && !lexemes.is_word_of(it, &["tty", "tel", "fax", "phone", "telephone", "tdd"])
            && !ends_naming_han(lexemes, it + 1)
        {
            return false;
        }
        before = it;
    }
    if ends_naming_han(lexemes, before + 1) {
        return !is_counted(lexemes, raw);
    }
    let no = lexemes.is_word_of(before, &["no", "nos"]);
    if no {
        let dotted = lexemes.head(before + 1) == '.';
        return (dotted || lexemes.slice(before).starts_with('N'))
            && lexemes.kind(raw.first) == LexKind::Digits;
    }
    let names = lexemes.is_word_of(before, NAMING) && lexemes.kind(raw.first) != LexKind::Han;
    names && !is_counted(lexemes, raw) && raw.form == Form::Plain
}

fn ends_naming_han(lexemes: &Lexemes<'_>, end: usize) -> bool {
    NAMING_HAN.iter().any(|it| lexemes.han_before(end, it).is_some())
}

fn is_counted(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    currency_before(lexemes, raw.first).is_some()
        || currency_after(lexemes, raw.end).is_some()
        || unit_after(lexemes, raw.end).is_some()
}

/// Letters or a hyphen glued to the front: I-9, COVID-19, A5; not HK$5, not pre-1980.
fn is_glued(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    if lexemes.kind(raw.first) != LexKind::Digits {
        return false;
    }
    let Some(before) = raw.first.checked_sub(1) else { return false };
    if currency_before(lexemes, raw.first).is_some() {
        return false;
    }
    if lexemes.kind(before) == LexKind::Word {
        return lexemes.slice(before).is_ascii();
    }
    let hyphen = lexemes.kind(before) == LexKind::Mark
        && is_hyphen(lexemes.head(before))
        && lexemes.head(before) != '—';
    let joined = before.checked_sub(1).is_some_and(|it| lexemes.kind(it) == LexKind::Word);
    hyphen
        && joined
        && before.checked_sub(1).is_some_and(|it| !is_word_between_numbers(lexemes, it))
        || lexemes.head(before) == '/'
            && before.checked_sub(1).is_some_and(|it| lexemes.kind(it) == LexKind::Digits)
}

/// The "to" of 18-to-23, the "and" of 1-and-2.
fn is_word_between_numbers(lexemes: &Lexemes<'_>, at: usize) -> bool {
    lexemes.is_word_of(at, &["to", "and", "or", "through", "aged", "age"])
}

/// 第五條, 第 5-1 條, 前二項, 第二十八條之一, 三款; 二項以上 and 三項目 are counts.
fn is_provision(lexemes: &Lexemes<'_>, raw: &RawNumber, next: usize) -> bool {
    let before = lexemes.head_before(raw.first);
    let mark = lexemes.head(next);
    let provision = PROVISIONS.contains(mark) && mark != '\0';
    if before == '第' || before == '前' && provision {
        return provision && lexemes.head(next + 1) != '目' || provision && before == '前';
    }
    if before == '之' {
        let mark = lexemes.solid_before(raw.first).and_then(|it| lexemes.solid_before(it));
        let upon = mark
            .is_some_and(|it| "條項款目".contains(lexemes.head(it)) && lexemes.head(it) != '\0');
        let numbered = mark.and_then(|it| lexemes.solid_before(it)).is_some_and(|it| {
            is_han_numeral(lexemes.head(it)) || lexemes.kind(it) == LexKind::Digits
        });
        if upon && numbered && !is_counted(lexemes, raw) {
            return true;
        }
    }
    matches!(mark, '條' | '款' | '目')
        && lexemes.kind(next) == LexKind::Han
        && lexemes.head(next + 1) != '項'
        || mark == '號' && lexemes.head(next + 1) != '以'
}

/// Sections 3 and 4; 第三、四款; a number that follows a reference over a comma or "and" and counts
/// nothing.
fn continues_reference(lexemes: &Lexemes<'_>, raw: &RawNumber, previous: Option<Previous>) -> bool {
    let Some(previous) =
        previous.filter(|it| it.role == Role::Reference && raw.first - it.end <= 5)
    else {
        return false;
    };
    let mut joined = false;
    for at in previous.end..raw.first {
        let fits = match lexemes.kind(at) {
            LexKind::Space => true,
            LexKind::Word => lexemes.is_word_of(at, &["and", "or", "to", "through", "of"]),
            LexKind::Han => "條項款目之及或至到與和第".contains(lexemes.head(at)),
            LexKind::Mark => {
                matches!(lexemes.head(at), ',' | '、' | '(' | ')' | '&' | '/')
                    || is_hyphen(lexemes.head(at))
            }
            _ => false,
        };
        if !fits {
            return false;
        }
        joined |= lexemes.kind(at) != LexKind::Space;
    }
    let provision = PROVISIONS.contains(lexemes.head(lexemes.solid(raw.end)))
        && lexemes.kind(lexemes.solid(raw.end)) == LexKind::Han;
    joined && raw.form == Form::Plain && (provision || !is_counted(lexemes, raw))
}

/// 8:30, 9 a.m., 5pm, 上午九時, 八點三十分.
fn is_clock(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    let colon = |at: usize| lexemes.head(at) == ':';
    let minutes = colon(raw.end)
        && lexemes.kind(raw.end + 1) == LexKind::Digits
        && lexemes.slice(raw.end + 1).len() == 2;
    let after_hours = raw.first.checked_sub(1).is_some_and(colon)
        && raw.first.checked_sub(2).is_some_and(|it| lexemes.kind(it) == LexKind::Digits);
    let next = lexemes.solid(raw.end);
    let half_day = lexemes.is_word_of(next, &["am", "pm", "noon", "midnight", "o'clock"])
        || lexemes.is_word_of(next, &["a", "p"])
            && lexemes.head(next + 1) == '.'
            && lexemes.is_word(next + 2, "m");
    let hour = lexemes.head(next) == '時' && !matches!(lexemes.head(next + 1), '數')
        || lexemes.head(next) == '點'
            && (lexemes.head(next + 1) == '鐘' || is_han_numeral(lexemes.head(next + 1)));
    let day_half = ["上午", "下午", "中午", "晚上", "早上", "凌晨"]
        .iter()
        .any(|it| lexemes.han_before(raw.first, it).is_some());
    let minute = lexemes.head(next) == '分'
        && lexemes.head(next + 1) != '之'
        && matches!(lexemes.head_before(raw.first), '時' | '點');
    minutes || after_hours || half_day || hour || day_half || minute
}

fn is_word_part(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    if raw.form != Form::Plain {
        return false;
    }
    if raw.han_chars > 0 {
        return is_han_word_part(lexemes, raw);
    }
    if raw.times {
        return !is_times_value(lexemes, raw);
    }
    if lexemes.kind(raw.first) == LexKind::Word
        && raw.end == raw.first + 1
        && lexemes.is_word(raw.first, "one")
    {
        return is_pronoun(lexemes, raw);
    }
    false
}

/// "Once" that counts against "once you apply"; "double the amount" against "double room".
fn is_times_value(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    let next = lexemes.solid(raw.end);
    let before = lexemes.solid_before(raw.first);
    if lexemes.is_word_of(raw.first, &["twice", "thrice"]) {
        return true;
    }
    if lexemes.is_word(raw.first, "once") {
        let counted = lexemes.is_word_of(
            next,
            &["a", "an", "per", "every", "each", "in", "only", "during", "within", "or"],
        );
        let limited = before.is_some_and(|it| {
            lexemes.is_word_of(it, &["least", "only", "than", "just", "most", "but"])
        });
        let at_end = matches!(lexemes.kind(next), LexKind::Gap)
            || matches!(lexemes.head(next), '.' | ',' | ';' | ')' | '|');
        let at_once = before.is_some_and(|it| lexemes.is_word_of(it, &["at", "all", "for"]));
        return !at_once && (counted || limited || at_end);
    }
    lexemes.is_word_of(next, &["the", "that", "your", "its", "his", "her", "their", "what", "this"])
}

/// "No one", "one of the following", "one may": a pronoun, unless something counts it.
fn is_pronoun(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    let next = lexemes.solid(raw.end);
    let before = lexemes.solid_before(raw.first);
    let counted_by = [
        "least", "than", "most", "exactly", "to", "minimum", "within", "only", "over", "under",
        "just",
    ];
    if before.is_some_and(|it| lexemes.is_word_of(it, &counted_by)) {
        return false;
    }
    let pointing = [
        "no", "any", "every", "each", "some", "this", "that", "which", "the", "another", "either",
        "neither", "loved", "new", "old", "right", "wrong", "other", "last", "next", "first", "a",
    ];
    if before.is_some_and(|it| lexemes.is_word_of(it, &pointing)) {
        return true;
    }
    let governing = [
        "of", "who", "whom", "whose", "that", "which", "may", "can", "cannot", "could", "must",
        "shall", "should", "will", "would", "is", "was", "has", "does", "another", "else", "for",
        "from", "to", "in", "on", "with", "by", "at", "if", "when", "as", "needs", "wants",
    ];
    let hyphen = lexemes.kind(next) == LexKind::Mark && is_hyphen(lexemes.head(next));
    let ends = lexemes.kind(next) != LexKind::Word
        && lexemes.kind(next) != LexKind::Digits
        && !hyphen
        && lexemes.head(next) != '(';
    lexemes.is_word_of(next, &governing) || ends
}

/// Characters that make one word with the single numeral after them, whatever follows.
const BEFORE_WORD: &str = "統同任單唯惟逐劃不擇萬隊收大登著初高國小老";
/// Characters before a single numeral that count something.
const COUNTING: &str =
    "滿達逾過足於為至到或及與和、共計各約近每又僅有以乘除加減第前後上下內外自從按最餘超";

/// A Chinese numeral is a value where it counts: with a unit, a comparison word, a fraction, or
/// scales of its own. Alone in running text it is a piece of a word.
fn is_han_word_part(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    if raw.form != Form::Plain || lexemes.kind(raw.first) == LexKind::Digits {
        return false;
    }
    let before = lexemes.head_before(raw.first);
    let single = raw.han_chars == 1;
    let formal = single && is_formal(lexemes.head(raw.first));
    let paid =
        currency_before(lexemes, raw.first).is_some() || currency_after(lexemes, raw.end).is_some();
    if formal {
        let free =
            !crate::text::lexeme::is_han(before) || COUNTING.contains(before) || before == '幣';
        return !(free && (paid || counts(lexemes, raw)));
    }
    if paid {
        return false;
    }
    if single && BEFORE_WORD.contains(before) && before != '\0' {
        return true;
    }
    if is_adverb(lexemes, raw) {
        return true;
    }
    if counts(lexemes, raw) || in_list_of_numbers(lexemes, raw) || fills_cell(lexemes, raw) {
        return false;
    }
    if raw.positional {
        return true;
    }
    let scaled = raw.han_chars > 1 && !raw.bare_scale;
    let ends = matches!(lexemes.head(lexemes.solid(raw.end)), '。' | ',' | ';' | '、' | ')' | '\0');
    !(scaled || COUNTING.contains(before) && before != '\0' && ends && before != '之')
}

/// 十分重要, 千萬不可: adverbs that look like numbers with a unit.
fn is_adverb(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    let next = lexemes.head(raw.end);
    let after = lexemes.head(raw.end + 1);
    let one = raw.han_chars == 1;
    let head = lexemes.head(raw.first);
    let ends = matches!(
        after,
        '。' | ',' | ';' | '、' | ')' | '\0' | '以' | '者' | '為' | '內' | '及' | '或' | '|'
    );
    match (one, head, next) {
        (true, '十', '分') => !(after == '鐘' || after == '之' || ends),
        (true, '一', '點') => !ends,
        (true, '四', '週') => !(ends || matches!(after, '後' | '前' | '之')),
        _ => false,
    }
}

/// True where a unit or a comparison word follows.
fn counts(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    let next = lexemes.solid(raw.end);
    if let Some((_, unit)) = unit_at(lexemes, next) {
        return unit.family != Family::Other;
    }
    let after = ["以上", "以下", "以內", "或以上", "及以上", "以外", "餘", "多", "乘以", "除以"];
    after.iter().any(|it| lexemes.phrase_at(next, it).is_some())
        || lexemes.head(next) == '('
            && ["以上", "含"].iter().any(|it| lexemes.phrase_at(next + 1, it).is_some())
        || matches!(lexemes.head(next), '年' | '月' | '日')
}

/// 一、二、三等級; 二或三人; 一至三年: the number after the joint counts for both.
fn in_list_of_numbers(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    let next = lexemes.solid(raw.end);
    let joint = matches!(lexemes.head(next), '、' | '至' | '到' | '或' | '及' | '~')
        || is_hyphen(lexemes.head(next)) && lexemes.kind(next) == LexKind::Mark;
    let other = lexemes.solid(next + 1);
    joint && (lexemes.kind(other) == LexKind::Digits || is_han_numeral(lexemes.head(other)))
}

/// A numeral that is all of a table cell or a line.
fn fills_cell(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    let edge = |kind: LexKind, head: char| {
        matches!(kind, LexKind::Gap | LexKind::Break) || head == '|' || head == '\0'
    };
    let after = lexemes.solid(raw.end);
    let left = raw
        .first
        .checked_sub(1)
        .is_none_or(|it| edge(lexemes.kind(it), lexemes.head_before(raw.first)));
    let right = edge(lexemes.kind(raw.end), lexemes.head(after));
    left && right
}
