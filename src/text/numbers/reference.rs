//! Numbers that name something: provisions, forms, telephones, addresses. They are no values.
//! Decides from the words right around the number; never from what the number would mean.

use crate::text::amounts::money::currency_before;
use crate::text::lexeme::{LexKind, Lexemes, is_hyphen};
use crate::text::numbers::numeral::RawNumber;
use crate::text::numbers::numeral_zh::Form;
use crate::text::numbers::provision::{is_counted, is_provision, is_provision_mark};

/// Words before a number that names something.
const NAMING: &[&str] = &[
    "section",
    "sections",
    "sec",
    "secs",
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
    "subclauses",
    "chapter",
    "chapters",
    "ch",
    "title",
    "titles",
    "schedule",
    "schedules",
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
    "ste",
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
    "call",
    "press",
    "cap",
    "law",
    "laws",
    "zip",
    "apt",
    "unit",
    "act",
    "code",
    "usc",
    "cfr",
    "version",
    "route",
    "highway",
    "highways",
    "subpart",
    "exhibit",
    "attachment",
    "appendixes",
    "junction",
    "junctions",
    "order",
    "directive",
    "number",
    "numbers",
    "project",
    "projects",
    "division",
    "block",
    "boat",
    "example",
    "channel",
    "flight",
    "gate",
    "track",
    "module",
    "unit",
    "district",
    "ward",
    "zone",
    "flat",
];

/// Letters between the numbers of a citation: 38 U.S.C. 1718, Nos. 3 and 4.
const LETTERED: &[&str] = &["usc", "cfr", "u", "s", "c", "f", "r", "pub", "l", "no", "nos"];

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
    "直撥",
    "編號",
    "字號",
    "代碼",
    "代號",
    "郵遞區號",
    "公式",
    "選項",
    "步驟",
    "類組",
];

/// Words at the end of a street's name.
const STREETS: &[&str] = &[
    "street",
    "st",
    "avenue",
    "ave",
    "road",
    "rd",
    "boulevard",
    "blvd",
    "drive",
    "dr",
    "lane",
    "ln",
    "way",
    "place",
    "pl",
    "court",
    "ct",
    "parkway",
    "pkwy",
    "highway",
    "square",
    "terrace",
];

/// True where the number names something.
pub fn is_reference(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    let next = lexemes.solid(raw.end);
    is_provision(lexemes, raw, next)
        || lexemes.is_word_of(next, &["usc", "cfr"])
        || dotted(lexemes, next, &["u", "s", "c"])
        || dotted(lexemes, next, &["c", "f", "r"])
        || is_glued(lexemes, raw)
        || has_lettered_paragraph(lexemes, raw)
        || is_named(lexemes, raw)
        || is_postal(lexemes, raw)
        || is_telephone(lexemes, raw)
}

/// `U.S.C`, `C.F.R` spelled with full stops at `at`.
fn dotted(lexemes: &Lexemes<'_>, at: usize, letters: &[&str]) -> bool {
    letters.iter().enumerate().all(|(nth, letter)| {
        lexemes.is_word(at + 2 * nth, letter)
            && (nth + 1 == letters.len() || lexemes.head(at + 2 * nth + 1) == '.')
    })
}

/// 3.09(a), 12(b): a letter in brackets glued to the digits.
fn has_lettered_paragraph(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    lexemes.kind(raw.first) == LexKind::Digits
        && lexemes.head(raw.end) == '('
        && lexemes.kind(raw.end + 1) == LexKind::Word
        && lexemes.slice(raw.end + 1).len() == 1
        && lexemes.head(raw.end + 2) == ')'
}

/// Section 3, No. 5, § 12, #4, 附表二, TTY: 711.
fn is_named(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    let Some(mut before) = lexemes.solid_before(raw.first) else { return false };
    // "United States Code (U.S.C.) 1151"
    let closed = before.checked_sub(if lexemes.head(before) == ')' { 2 } else { 1 });
    if closed.is_some_and(|it| ends_lettered(lexemes, it)) {
        return !is_counted(lexemes, raw);
    }
    if lexemes.is_word(before, "text") && lexemes.slice(raw.first).len() >= 5 {
        return true;
    }
    if matches!(lexemes.head(before), '§' | '№') {
        return true;
    }
    if lexemes.head(before) == '#' {
        return before + 1 == raw.first;
    }
    if matches!(lexemes.head(before), '.' | ':' | '(') {
        let Some(it) = lexemes.solid_before(before) else { return false };
        let stop = lexemes.head(before) == '.';
        let telephone =
            lexemes.is_word_of(it, &["tty", "tel", "fax", "phone", "telephone", "tdd", "hotline"]);
        let abbreviated = stop
            && lexemes.is_word_of(
                it,
                &[
                    "no", "nos", "sec", "secs", "art", "arts", "para", "paras", "ch", "fig", "vol",
                    "ext", "p", "pp", "cap", "l", "c", "r",
                ],
            );
        if !(telephone || abbreviated || ends_naming_han(lexemes, it + 1)) {
            return false;
        }
        before = it;
    }
    if ends_naming_han(lexemes, before + 1) {
        // 附表二甲 is a table of its own: the stem counts no land there.
        return "甲乙丙丁戊己庚辛".contains(lexemes.head(raw.end)) || !is_counted(lexemes, raw);
    }
    if lexemes.is_word_of(before, &["no", "nos"]) {
        let marked = lexemes.head(before + 1) == '.' || lexemes.slice(before).starts_with('N');
        return marked
            && lexemes.kind(raw.first) == LexKind::Digits
            && before + 1 < raw.first
            && !opens_sentence_with_no(lexemes, before, raw);
    }
    let initials = ["l", "c", "r"];
    if lexemes.is_word_of(before, &initials) {
        return before.checked_sub(1).is_some_and(|it| lexemes.head(it) == '.');
    }
    let names = lexemes.is_word_of(before, NAMING) && lexemes.kind(raw.first) != LexKind::Han;
    names && !is_counted(lexemes, raw) && raw.form == Form::Plain
}

/// True where the four digits name a form, a hotline or a room, and so no year: 請撥1957, Form 1990.
pub fn names_no_year(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    let dated = [
        "act",
        "law",
        "laws",
        "code",
        "regulation",
        "regulations",
        "rule",
        "rules",
        "order",
        "version",
        "table",
    ];
    let by_law = lexemes.solid_before(raw.first).is_some_and(|it| lexemes.is_word_of(it, &dated));
    !by_law && (is_named(lexemes, raw) || is_telephone(lexemes, raw))
}

/// True where U.S.C or C.F.R, spelled with full stops, ends with the lexeme at `last`.
fn ends_lettered(lexemes: &Lexemes<'_>, last: usize) -> bool {
    let start = |len: usize| (last + 1).checked_sub(len);
    [["u", "s", "c"], ["c", "f", "r"]]
        .iter()
        .any(|letters| start(5).is_some_and(|it| dotted(lexemes, it, letters)))
}

/// "No 5 persons may …" counts; "No 5" names.
fn opens_sentence_with_no(lexemes: &Lexemes<'_>, no: usize, raw: &RawNumber) -> bool {
    lexemes.head(no + 1) != '.' && is_counted(lexemes, raw)
}

fn ends_naming_han(lexemes: &Lexemes<'_>, end: usize) -> bool {
    let last = lexemes.head_before(end);
    NAMING_HAN.iter().any(|it| it.ends_with(last) && lexemes.han_before(end, it).is_some())
}

/// Letters, a hyphen or a slash glued to the digits: I-9, COVID-19, A5, 24/7, 20/200; not HK$5.
fn is_glued(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    if lexemes.kind(raw.first) != LexKind::Digits || currency_before(lexemes, raw.first).is_some() {
        return false;
    }
    let digits = |at: usize| lexemes.kind(at) == LexKind::Digits;
    if lexemes.head(raw.end) == '/' && digits(raw.end + 1) && raw.form == Form::Plain {
        return currency_before(lexemes, raw.end + 1).is_none();
    }
    // 1-to-1, 1-on-1.
    let dash = |at: usize| lexemes.kind(at) == LexKind::Mark && is_hyphen(lexemes.head(at));
    let paired = dash(raw.end)
        && lexemes.is_word_of(raw.end + 1, &["to", "on"])
        && dash(raw.end + 2)
        && lexemes.digits(raw.end + 3) == lexemes.digits(raw.first);
    if paired {
        return true;
    }
    let Some(before) = raw.first.checked_sub(1) else { return false };
    if lexemes.kind(before) == LexKind::Word {
        return lexemes.slice(before).is_ascii();
    }
    let Some(earlier) = before.checked_sub(1) else { return false };
    let hyphen = lexemes.kind(before) == LexKind::Mark
        && is_hyphen(lexemes.head(before))
        && lexemes.head(before) != '—';
    let joins = lexemes.is_word_of(
        earlier,
        &[
            "to", "and", "or", "through", "aged", "age", "ages", "mid", "pre", "post", "over",
            "under", "above", "below", "max", "min",
        ],
    );
    hyphen && lexemes.kind(earlier) == LexKind::Word && !joins && !is_counted(lexemes, raw)
        || lexemes.head(before) == '/' && digits(earlier)
}

/// A five-digit code after the two letters of a state; a house number before a street.
fn is_postal(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    if lexemes.kind(raw.first) != LexKind::Digits || raw.end != raw.first + 1 {
        return false;
    }
    let state = lexemes.solid_before(raw.first).is_some_and(|it| {
        let letters = lexemes.slice(it);
        letters.len() == 2
            && letters.chars().all(|it| it.is_ascii_uppercase())
            && it + 1 < raw.first
    });
    if state && lexemes.slice(raw.first).len() == 5 {
        return true;
    }
    let mut at = raw.end;
    for _ in 0..4 {
        let next = lexemes.solid(at);
        let next =
            if lexemes.head(next) == '.' && next == at { lexemes.solid(next + 1) } else { next };
        if lexemes.kind(next) == LexKind::Digits {
            at = next + 1 + usize::from(lexemes.is_word_of(next + 1, &["st", "nd", "rd", "th"]));
            continue;
        }
        if !lexemes.slice(next).starts_with(|it: char| it.is_ascii_uppercase()) {
            return false;
        }
        if at > raw.end && lexemes.is_word_of(next, STREETS) {
            return true;
        }
        at = next + 1;
    }
    false
}

/// (02) 2345-6789, (800) 827-1000, 1-877-222-VETS(8387).
fn is_telephone(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    let Some(open) = raw.first.checked_sub(1) else { return false };
    if lexemes.kind(raw.first) != LexKind::Digits
        || lexemes.head(open) != '('
        || lexemes.head(raw.end) != ')'
    {
        return false;
    }
    let digits = lexemes.slice(raw.first).len();
    let next = lexemes.solid(raw.end + 1);
    let number_follows = lexemes.kind(next) == LexKind::Digits && lexemes.slice(next).len() >= 3;
    let word_before = open.checked_sub(1).is_some_and(|it| {
        let word = lexemes.slice(it);
        lexemes.kind(it) == LexKind::Word
            && word.len() > 1
            && word.chars().all(|it| it.is_ascii_uppercase())
    });
    (2..=4).contains(&digits) && number_follows || digits == 4 && word_before
}

/// Sections 3 and 4; 第三、四款; 38 U.S.C. 1718: a number that follows a reference over a comma or
/// "and" and counts nothing.
pub fn continues_reference(lexemes: &Lexemes<'_>, raw: &RawNumber, earlier: usize) -> bool {
    if raw.first < earlier || raw.first - earlier > 9 {
        return false;
    }
    let mut joined = false;
    for at in earlier..raw.first {
        let fits = match lexemes.kind(at) {
            LexKind::Space => true,
            LexKind::Word => {
                lexemes.is_word_of(at, &["and", "or", "to", "through", "of"])
                    || lexemes.is_word_of(at, LETTERED)
            }
            LexKind::Han => "條項款目之及或至到與和第".contains(lexemes.head(at)),
            LexKind::Mark => {
                matches!(lexemes.head(at), ',' | '、' | '(' | ')' | '&' | '/' | '.')
                    || is_hyphen(lexemes.head(at))
            }
            _ => false,
        };
        if !fits {
            return false;
        }
        joined |= lexemes.kind(at) != LexKind::Space;
    }
    // "section 5. 30 days": a full stop with white space ends the sentence.
    let sentence = (earlier..raw.first).any(|at| {
        lexemes.head(at) == '.'
            && lexemes.kind(at + 1) == LexKind::Space
            && at > earlier
            && lexemes.kind(at - 1) != LexKind::Word
    });
    let stop_at_once = lexemes.head(earlier) == '.' && lexemes.kind(earlier + 1) == LexKind::Space;
    let next = lexemes.solid(raw.end);
    let provision = is_provision_mark(lexemes, next);
    joined
        && !sentence
        && !stop_at_once
        && raw.form == Form::Plain
        && (provision || !is_counted(lexemes, raw))
}
