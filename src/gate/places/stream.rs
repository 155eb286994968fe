//! A text as the row of words, numbers and signs that a quote must repeat.
//!
//! Looks are folded away (case, width, script, quote marks, white space, light punctuation);
//! words, digits, decimal points, currency and comparison signs never are. Each token keeps its
//! place in the text, so that what is found is always the page's own bytes.

use unicode_normalization::UnicodeNormalization;

use crate::text::glyphs::letter::is_invisible;
use crate::text::glyphs::script::simplify;
use crate::text::span::Span;

/// One word, one ideograph, one number or one sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Byte range in the text.
    pub span: Span,
    /// Hash of the folded form: equal forms have equal hashes, not the other way round.
    pub hash: u32,
}

/// Reads the tokens of `text` in order.
pub fn tokens_of(text: &str) -> Vec<Token> {
    let mut out = Vec::with_capacity(text.len() / 4);
    for_each_token(text, |span, form| out.push(Token { span, hash: hash_of(form) }));
    out
}

/// The folded forms of `text`, one a token.
pub fn forms_of(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for_each_token(text, |_, form| out.push(form.to_owned()));
    out
}

/// FNV-1a; the forms themselves are compared before anything is believed.
fn hash_of(form: &str) -> u32 {
    form.bytes()
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Calls `take` with the place and the folded form of each token.
pub fn for_each_token(text: &str, mut take: impl FnMut(Span, &str)) {
    let mut form = String::new();
    let mut walk = Walk { text, at: 0, last: ' ' };
    while let Some((at, c)) = walk.next() {
        form.clear();
        let c = narrow(c);
        if is_ideograph(c) {
            form.push(simplify(c));
        } else if c.is_ascii_digit() {
            form.push(c);
            walk.take_number(&mut form);
        } else if c.is_alphabetic() {
            form.extend(c.to_lowercase());
            walk.take_word(&mut form);
        } else if walk.is_sign(c, at) {
            form.push(fold_sign(c));
        }
        if !form.is_empty() {
            take(Span::new(at, walk.at), &form);
        }
        if !is_invisible(c) && !c.is_whitespace() {
            walk.last = c;
        }
    }
}

struct Walk<'a> {
    text: &'a str,
    at: usize,
    /// The last visible character before the one in hand.
    last: char,
}

impl Walk<'_> {
    fn next(&mut self) -> Option<(usize, char)> {
        let at = self.at;
        let c = self.text.get(at..)?.chars().next()?;
        self.at += c.len_utf8();
        Some((at, c))
    }

    /// Digits, and a point or comma that a digit follows: `1,200`, `36.5`.
    fn take_number(&mut self, form: &mut String) {
        loop {
            let rest = &self.text[self.at..];
            let mut chars = rest.chars();
            let Some(raw) = chars.next() else { return };
            let c = narrow(raw);
            let is_joint = matches!(c, '.' | ',')
                && chars.next().is_some_and(|it| narrow(it).is_ascii_digit());
            if !(c.is_ascii_digit() || is_joint || is_invisible(raw)) {
                return;
            }
            if !is_invisible(raw) {
                form.push(c);
                self.last = c;
            }
            self.at += raw.len_utf8();
        }
    }

    /// Letters, marks on letters, and an apostrophe between letters.
    fn take_word(&mut self, form: &mut String) {
        let mut is_plain = form.is_ascii();
        loop {
            let rest = &self.text[self.at..];
            let mut chars = rest.chars();
            let Some(raw) = chars.next() else { break };
            let c = narrow(raw);
            let is_letter = c.is_alphabetic() && !is_ideograph(c) || is_mark(c);
            let is_apostrophe = is_apostrophe(c)
                && chars.next().is_some_and(|it| narrow(it).is_alphabetic() && !is_ideograph(it));
            if is_letter {
                form.extend(c.to_lowercase());
                is_plain &= c.is_ascii();
            } else if is_apostrophe {
                form.push('\'');
            } else if !is_invisible(raw) {
                break;
            }
            if !is_invisible(raw) {
                self.last = c;
            }
            self.at += raw.len_utf8();
        }
        if !is_plain {
            let composed: String = form.nfc().collect();
            *form = composed;
        }
    }

    /// Signs that carry meaning wherever they stand, and marks that carry it between numbers.
    fn is_sign(&self, c: char, at: usize) -> bool {
        let follows_number = self.last.is_ascii_digit() || is_han_digit(self.last);
        match c {
            '<' | '>' | '=' | '≤' | '≥' | '≦' | '≧' | '≠' | '%' | '‰' | '+' | '±' | '×' | '÷'
            | '/' | '&' | '@' | '~' | '〜' | '°' | '℃' | '℉' | '§' => true,
            // A minus directly before a number or an amount; a dash between two numbers.
            _ if is_dash(c) => {
                let next_visible = self.text[at..].chars().skip(1).find(|it| !it.is_whitespace());
                let joins =
                    follows_number && next_visible.is_some_and(|it| narrow(it).is_ascii_digit());
                let before = self.text[..at].chars().next_back();
                let is_amount = |it: char| it.is_ascii_digit() || is_currency(it);
                joins
                    || !before.is_some_and(char::is_alphanumeric)
                        && self.peek_behind(at).is_some_and(is_amount)
            }
            ':' | '、' | '.' | '‧' | '・' | '·' => {
                let is_digit = |it: char| it.is_ascii_digit() || is_han_digit(it);
                follows_number && self.peek_behind(at).is_some_and(is_digit)
            }
            _ => is_currency(c) || is_number_form(c),
        }
    }

    /// The next visible character behind the one at `at`.
    fn peek_behind(&self, at: usize) -> Option<char> {
        let rest = self.text[at..].chars().skip(1);
        rest.take(LONGEST_GAP).find(|it| !is_invisible(*it)).map(narrow)
    }
}

/// More invisible characters in a row than this hide what stands behind them.
const LONGEST_GAP: usize = 64;

fn fold_sign(c: char) -> char {
    match c {
        '≦' => '≤',
        '≧' => '≥',
        '〜' => '~',
        _ if is_dash(c) => '-',
        _ => c,
    }
}

/// Full-width ASCII and the ideographic space in their plain form; everything else unchanged.
pub fn narrow(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '\u{3000}' => ' ',
        '￥' => '¥',
        '￡' => '£',
        _ => c,
    }
}

/// Ideographs, and the syllables of scripts written without spaces: one token each.
pub fn is_ideograph(c: char) -> bool {
    matches!(c,
        '\u{2e80}'..='\u{2fdf}' | '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{3029}'
        | '\u{3040}'..='\u{30fa}' | '\u{3105}'..='\u{312f}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

fn is_han_digit(c: char) -> bool {
    "〇○零一二三四五六七八九十百千萬万億亿兩两".contains(c)
}

fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | 'ʼ' | '′' | '`' | '´')
}

/// Hyphens, dashes and the minus sign.
pub fn is_dash(c: char) -> bool {
    matches!(c, '-' | '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' | '﹣' | '－')
}

fn is_currency(c: char) -> bool {
    matches!(c, '$' | '£' | '¥' | '€' | '¢' | '₩' | '₹' | '₫' | '฿')
}

/// ½, ①, ㎡, ², Ⅳ: numbers and units in one character.
fn is_number_form(c: char) -> bool {
    c.is_numeric() || matches!(c, '\u{3300}'..='\u{33ff}' | '\u{2100}'..='\u{214f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(left: &str, right: &str) -> bool {
        forms_of(left) == forms_of(right)
    }

    #[test]
    fn looks_make_no_difference() {
        for (left, right) in [
            ("The applicant’s co‑tenant", "the applicant's co-tenant"),
            ("care, support, or supervision", "care, support or supervision"),
            ("made\nwithin 10\u{a0}days", "made within 10 days"),
            ("津貼\u{200b}每季發放", "津貼每季發放"),
            ("申請人須連續居港", "申请人须连续居港"),
            ("（１２００）元", "(1200)元"),
            ("co\u{ad}operate", "cooperate"),
            ("cafe\u{301}", "café"),
            ("‘eligible rent’ for", "eligible rent for"),
            ("longer-term", "longer term"),
            ("18–25", "18-25"),
            ("| Couple | HK$7,300 |", "Couple HK$7,300"),
        ] {
            assert!(same(left, right), "{left} / {right}");
        }
    }

    #[test]
    fn signs_and_digits_make_all_the_difference() {
        for (left, right) in [
            ("must be < HK$10", "must be > HK$10"),
            ("1.5", "15"),
            ("1,200", "1.200"),
            ("at -5 degrees", "at 5 degrees"),
            ("HK$100", "HK100"),
            ("£5", "$5"),
            ("12%", "12"),
            ("三、四", "三四"),
            ("1、2", "12"),
            ("18-25", "1825"),
            ("don't", "dont"),
            ("and/or", "and or"),
            ("2½", "2"),
            ("9:30", "9 30"),
            ("海港", "海灣"),
        ] {
            assert!(!same(left, right), "{left} / {right}");
        }
    }

    #[test]
    fn a_token_knows_its_place() {
        let text = "年滿６５歲 or Café, 1,200.";
        let words: Vec<&str> =
            tokens_of(text).iter().filter_map(|it| it.span.slice(text)).collect();
        assert_eq!(words, ["年", "滿", "６５", "歲", "or", "Café", "1,200"]);
    }
}
