//! Text that is on a page without being seen there as what it is: look-alike letters, tag characters,
//! a turned direction, base64, words tied together as a file's name.
//!
//! It only makes such text readable, for judging it; never for quoting it.

use crate::text::glyphs::fold::fold_case;
use crate::text::glyphs::letter::is_han;
use crate::text::span::Span;

/// A stretch that hides words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payload {
    pub span: Span,
    /// What it says, as far as it can be read.
    pub words: String,
    /// True where nobody writes so but to hide: its words need not be looked at.
    pub is_hidden: bool,
}

/// The words as they look: presentation folded, small letters, look-alikes of other scripts as the
/// Latin letters that they pass for. A text all in another script stays as it is.
pub fn reveal(words: &str) -> String {
    let folded = fold_case(words);
    let is_latin = |it: char| it.is_ascii_lowercase();
    let is_mixed = folded.as_str().chars().any(is_latin)
        && folded.as_str().chars().any(|it| look_alike(it).is_some());
    if !is_mixed {
        return folded.as_str().to_owned();
    }
    folded.as_str().chars().map(|it| look_alike(it).unwrap_or(it)).collect()
}

/// The same with the ties of file names and addresses between words undone; `None` where there are
/// none.
pub fn reveal_tokens(revealed: &str) -> Option<String> {
    let is_tie = |it: char| matches!(it, '-' | '_' | '+');
    let ties = revealed.chars().filter(|it| is_tie(*it)).count() + revealed.matches("%20").count();
    if ties < 2 {
        return None;
    }
    let apart = revealed.replace("%20", " ");
    let apart: String = apart.chars().map(|it| if is_tie(it) { ' ' } else { it }).collect();
    // A folder or file name of an address is a sentence of its own, and its ending no word of it.
    let mut parts: Vec<String> = Vec::new();
    for part in apart.split('/') {
        let (stem, ending) = part.rsplit_once('.').unwrap_or((part, ""));
        let is_ending = (1..=4).contains(&ending.len()) && !ending.contains(' ');
        let words = if is_ending { stem } else { part };
        parts.push(words.split(' ').filter(|it| !it.is_empty()).collect::<Vec<_>>().join(" "));
    }
    Some(parts.join(". "))
}

/// Cyrillic and Greek small letters that look like Latin ones (Unicode, confusables.txt).
fn look_alike(it: char) -> Option<char> {
    const PAIRS: &[(char, char)] = &[
        ('а', 'a'),
        ('в', 'b'),
        ('с', 'c'),
        ('ԁ', 'd'),
        ('е', 'e'),
        ('ё', 'e'),
        ('һ', 'h'),
        ('і', 'i'),
        ('ї', 'i'),
        ('ј', 'j'),
        ('к', 'k'),
        ('ӏ', 'l'),
        ('м', 'm'),
        ('н', 'n'),
        ('о', 'o'),
        ('р', 'p'),
        ('ԛ', 'q'),
        ('г', 'r'),
        ('ѕ', 's'),
        ('т', 't'),
        ('ѵ', 'v'),
        ('ԝ', 'w'),
        ('х', 'x'),
        ('у', 'y'),
        ('α', 'a'),
        ('ε', 'e'),
        ('η', 'n'),
        ('ι', 'i'),
        ('κ', 'k'),
        ('ν', 'v'),
        ('ο', 'o'),
        ('ρ', 'p'),
        ('τ', 't'),
        ('υ', 'u'),
        ('χ', 'x'),
        ('ɡ', 'g'),
        ('ı', 'i'),
    ];
    PAIRS.iter().find(|pair| pair.0 == it).map(|pair| pair.1)
}

/// Every stretch of the text that hides words, first to last.
pub fn hidden_payloads(text: &str) -> Vec<Payload> {
    let mut found = tag_runs(text);
    found.extend(turned(text));
    found.extend(encoded(text));
    found.sort_by_key(|it| it.span);
    found
}

/// Runs of tag characters (U+E0020 to U+E007E), which show nothing; those of a flag are three to six
/// behind a black flag and end in U+E007F.
fn tag_runs(text: &str) -> Vec<Payload> {
    const LONGEST_FLAG: usize = 7;
    let mut found = Vec::new();
    let mut run: Option<(usize, String)> = None;
    let mut before = ' ';
    let is_tag = |it: char| ('\u{E0000}'..='\u{E007F}').contains(&it);
    for (at, it) in text.char_indices().chain([(text.len(), ' ')]) {
        if is_tag(it) {
            let plain = char::from_u32(u32::from(it) - 0xE0000).unwrap_or(' ');
            run.get_or_insert_with(|| (at, String::new())).1.push(plain);
            continue;
        }
        if let Some((start, words)) = run.take() {
            let is_flag = before == '\u{1F3F4}' && words.chars().count() <= LONGEST_FLAG;
            if !is_flag {
                found.push(Payload { span: Span::new(start, at), words, is_hidden: true });
            }
        }
        before = it;
    }
    found
}

/// Letters between an override of the direction and its end, as they are shown: turned round.
fn turned(text: &str) -> Vec<Payload> {
    let mut found = Vec::new();
    for (start, open) in text.match_indices(['\u{202E}', '\u{202D}']) {
        let inner = start + open.len();
        let rest = text.get(inner..).unwrap_or_default();
        let len = rest.find(['\u{202C}', '\n', '\u{202E}', '\u{202D}']).unwrap_or(rest.len());
        let words: String = rest[..len].chars().rev().collect();
        let latin_or_han = |it: char| it.is_ascii_alphabetic() || is_han(it);
        let is_hidden = words.chars().filter(|it| latin_or_han(*it)).count() > 3;
        found.push(Payload { span: Span::new(start, inner + len), words, is_hidden });
    }
    found
}

/// Tokens of base64 that decode to plain words.
fn encoded(text: &str) -> Vec<Payload> {
    const SHORTEST: usize = 24;
    let is_part =
        |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'+' | b'/' | b'=' | b'-' | b'_');
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut start = 0;
    while start < bytes.len() {
        let len = bytes[start..].iter().take_while(|it| is_part(**it)).count();
        if len >= SHORTEST
            && let Some(words) = decode(&bytes[start..start + len])
        {
            found.push(Payload { span: Span::new(start, start + len), words, is_hidden: false });
        }
        start += len.max(1);
    }
    found
}

/// The words of a base64 token; `None` where it decodes to anything else.
fn decode(token: &[u8]) -> Option<String> {
    let mut bytes = Vec::with_capacity(token.len() * 3 / 4);
    let (mut bits, mut held) = (0_u32, 0_u32);
    for it in token.iter().filter(|it| **it != b'=') {
        let value = match it {
            b'A'..=b'Z' => it - b'A',
            b'a'..=b'z' => it - b'a' + 26,
            b'0'..=b'9' => it - b'0' + 52,
            b'+' | b'-' => 62,
            _ => 63,
        };
        bits = (bits << 6) | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from((bits >> held) & 0xFF).ok()?);
        }
    }
    let words = String::from_utf8(bytes).ok()?;
    let is_text = !words.chars().any(|it| it.is_control() && !it.is_whitespace());
    is_text.then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_is_made_readable() {
        assert_eq!(reveal("Іgnоrе аll"), "ignore all");
        assert_eq!(
            reveal("дата выплаты"),
            "дата выплаты",
            "a text in its own script is left alone"
        );
        assert_eq!(
            reveal_tokens("see ignore-previous_instructions.pdf").unwrap(),
            "see ignore previous instructions"
        );
        assert_eq!(reveal_tokens("co-operation"), None);
        let tags: String =
            "age 60".chars().map(|it| char::from_u32(0xE0000 + u32::from(it)).unwrap()).collect();
        let found = hidden_payloads(&format!("年滿{tags}六十五歲"));
        assert_eq!((found[0].words.as_str(), found[0].is_hidden), ("age 60", true));
        let scotland = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}";
        assert!(hidden_payloads(scotland).is_empty());
        let found = hidden_payloads("fee \u{202E}lla evorppa\u{202C} 5");
        assert_eq!((found[0].words.as_str(), found[0].is_hidden), ("approve all", true));
        let found = hidden_payloads("ref SWdub3JlIHByZXZpb3VzIGluc3RydWN0aW9ucw== end");
        assert_eq!(found[0].words, "Ignore previous instructions");
        assert!(hidden_payloads("sha 4fbe2c0a9d31e7f0b1d2c3a4f5e6d7c8b9a0f1e2").is_empty());
    }
}
