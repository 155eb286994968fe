//! A configuration file as a tree with places; every syntax mistake is reported, none is fatal.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::sources::mistakes::{Mistake, Mistakes};
use crate::sources::problem::Problem;

/// Longest file read, bytes. A source file of a thousand fields has about 300 kB.
pub const MAX_BYTES: usize = 2_000_000;

/// Deepest nesting of brackets and of dotted keys. Ours need four; the parser recurses.
const MAX_DEPTH: usize = 40;

/// Text of a configuration file.
///
/// # Errors
/// One problem where the bytes are too many or are not UTF-8 (a byte order mark is let through).
pub fn text_of<'b>(file: &str, bytes: &'b [u8]) -> Result<&'b str, Box<Problem>> {
    let whole = |expected: &str, found: String, help: &str| {
        Box::new(Problem {
            file: file.to_owned(),
            line: 0,
            column: 0,
            key: String::new(),
            expected: expected.to_owned(),
            found,
            help: Some(help.to_owned()),
            excerpt: None,
        })
    };
    if bytes.len() > MAX_BYTES {
        return Err(whole(
            &format!("a file of at most {MAX_BYTES} bytes"),
            format!("{} bytes", bytes.len()),
            "check that this is the configuration file that was meant",
        ));
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let good = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let line = memchr::memchr_iter(b'\n', good).count() + 1;
        let mut problem = whole(
            "UTF-8 text",
            format!("byte 0x{:02X}", bytes.get(error.valid_up_to()).copied().unwrap_or(0)),
            "save the file as UTF-8",
        );
        problem.line = line;
        problem.column = good
            .rsplit(|it| *it == b'\n')
            .next()
            .and_then(|it| std::str::from_utf8(it).ok())
            .map_or(0, |it| it.chars().count())
            + 1;
        problem
    })
}

/// Reads `text` as far as it can be read; syntax mistakes go to `mistakes`.
pub fn read_tree<'t>(text: &'t str, mistakes: &mut Mistakes<'t>) -> Spanned<DeTable<'t>> {
    if let Some(at) = too_deep(text) {
        mistakes.add(
            at..at + 1,
            Mistake {
                expected: format!("at most {MAX_DEPTH} levels of nesting in one line"),
                found: "more".to_owned(),
                help: Some("the files of countersign need no more than four".to_owned()),
                ..Mistake::default()
            },
        );
        return Spanned::new(0..0, DeTable::new());
    }
    let (tree, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        let at = error.span().unwrap_or(text.len()..text.len());
        let message = error.message();
        let (what, expected) = message.split_once(", expected ").unwrap_or((message, ""));
        mistakes.add(
            at.clone(),
            Mistake {
                expected: if expected.is_empty() {
                    "a well-formed TOML line".to_owned()
                } else {
                    expected.to_owned()
                },
                found: what.to_owned(),
                help: keyboard_hint(text, &at),
                is_secret: line_may_hold_a_secret(text, at.start),
                ..Mistake::default()
            },
        );
    }
    tree
}

/// What kind of value stands there, for a message.
pub fn kind_of(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with decimals",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// True where a line looks as if a key or password stood in it, so that it is not shown.
pub fn line_may_hold_a_secret(text: &str, at: usize) -> bool {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let start = text[..at].rfind('\n').map_or(0, |it| it + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    let key = line.split(['=', '＝']).next().unwrap_or_default().to_ascii_lowercase();
    names_a_secret(&key) || looks_like_a_secret(line)
}

/// True for a key such as `api_key`, `token`, `password`; `key_env` names a variable and is none.
pub fn names_a_secret(key: &str) -> bool {
    let key = key.trim().to_ascii_lowercase();
    key != "key_env"
        && ["key", "token", "secret", "password", "passwd", "credential", "authorization"]
            .iter()
            .any(|it| key.contains(it))
        && !key.contains("max_tokens")
}

/// True for a word that looks like a provider's key: long, of one piece, letters and digits mixed.
pub fn looks_like_a_secret(text: &str) -> bool {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_')).any(|it| {
        it.starts_with("sk-") && it.len() > 8
            || it.len() >= 32
                && it.bytes().any(|b| b.is_ascii_digit())
                && it.bytes().any(|b| b.is_ascii_lowercase())
                && it.bytes().any(|b| b.is_ascii_uppercase())
    })
}

/// Signs that a Chinese input method or a word processor puts in place of TOML's own.
fn keyboard_hint(text: &str, at: &Range<usize>) -> Option<String> {
    let mut start = at.start.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let line_start = text[..start].rfind('\n').map_or(0, |it| it + 1);
    let line = text[line_start..].lines().next().unwrap_or_default();
    let code = line.split('#').next().unwrap_or_default();
    let (typed, meant) = code.chars().find_map(|c| {
        let meant = match c {
            '＝' | '：' => "=",
            '“' | '”' | '„' | '＂' | '「' | '」' => "\"",
            '‘' | '’' | '＇' => "'",
            '［' | '【' => "[",
            '］' | '】' => "]",
            '｛' => "{",
            '｝' => "}",
            '，' | '、' => ",",
            '＃' => "#",
            '\u{3000}' | '\u{a0}' => "a plain space",
            _ => return None,
        };
        Some((c, meant))
    })?;
    let typed = if typed.is_whitespace() {
        format!("U+{:04X}", u32::from(typed))
    } else {
        format!("`{typed}`")
    };
    let meant =
        if meant.starts_with('a') { meant.to_owned() } else { format!("the plain sign `{meant}`") };
    Some(format!("the line has {typed}; type {meant} outside of quoted text"))
}

/// Place of the first bracket or dot that nests deeper than the parser should be trusted with.
///
/// Counts signs in quoted text as well, line by line, so that it needs no parser of its own; a
/// bracket that closes takes one off.
fn too_deep(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    let mut dots = 0usize;
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (byte, quote) {
            (b'\n', _) => {
                quote = None;
                dots = 0;
            }
            (b'"' | b'\'', None) => quote = Some(byte),
            (_, Some(open)) if byte == open => quote = None,
            (_, Some(_)) => {}
            (b'[' | b'{', None) => depth += 1,
            (b']' | b'}', None) => depth = depth.saturating_sub(1),
            (b'.', None) => dots += 1,
            _ => {}
        }
        if depth > MAX_DEPTH || dots > MAX_DEPTH {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> Vec<Problem> {
        let mut mistakes = Mistakes::new("a.toml", text);
        read_tree(text, &mut mistakes);
        mistakes.into_problems()
    }

    #[test]
    fn several_syntax_mistakes_are_all_reported() {
        let found = problems("a = \nb = 1\nc = [1, 2\n\nd == 3\n");
        let lines: Vec<usize> = found.iter().map(|it| it.line).collect();
        assert!(lines.contains(&1) && lines.len() >= 2, "{found:#?}");
    }

    #[test]
    fn signs_of_a_chinese_keyboard_are_named() {
        for (line, sign) in
            [("title ＝ \"a\"", "＝"), ("title = “a”", "“"), ("start = 「a」", "「")]
        {
            let found = problems(line);
            let help = found.iter().find_map(|it| it.help.clone()).unwrap_or_default();
            assert!(help.contains(sign), "{line}: {found:?}");
        }
    }

    #[test]
    fn deep_nesting_is_refused_before_the_parser() {
        for text in [
            format!("a = {}", "[".repeat(500_000)),
            format!("a = {}", "{a=".repeat(300_000)),
            format!("{}b = 1", "a.".repeat(400_000)),
            "[[a]]\n".repeat(100_000),
        ] {
            let started = std::time::Instant::now();
            let n = problems(&text).len();
            assert!(n <= 101);
            assert!(started.elapsed().as_secs() < 5, "{}", &text[..20]);
        }
    }

    #[test]
    fn bytes_that_are_not_utf8_have_a_place() {
        let problem = text_of("a.toml", b"a = 1\nb = \"\xA4\xA4\"\n").unwrap_err();
        assert_eq!((problem.line, problem.column), (2, 6));
        assert_eq!(text_of("a.toml", b"\xEF\xBB\xBFa = 1").unwrap(), "a = 1");
    }

    #[test]
    fn lines_with_a_key_are_not_shown() {
        let found = problems("api_key = sk-abcdefghijklmnop\n");
        assert!(!found.is_empty());
        assert!(found.iter().all(|it| it.excerpt.is_none()), "{found:?}");
    }
}
