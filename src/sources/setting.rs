//! Every setting of a project: its key, what it may hold, and where it goes; never a key's value.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::ops::RangeInclusive;

use rust_decimal::Decimal;

use crate::model::config::{
    AnswererKind, Dialect, ProjectConfig, QuoteChoice, ReaderConfig, WatchConfig,
};
use crate::sources::address::{check_address, check_host};
use crate::sources::document::looks_like_a_secret;
use crate::sources::mistakes::Mistake;
use crate::sources::section::{Found, shortened};
use crate::sources::suggest::{listed, nearest};

/// What a setting may hold.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// One line of text.
    Text,
    /// `rules`, `files` or `http`.
    Answerer,
    /// A wire format.
    Dialect,
    /// `free` or `pieces`.
    Quotes,
    /// An http(s) address.
    Address,
    /// The name of an environment variable.
    VariableName,
    /// The path of a file.
    Path,
    /// A whole number.
    Count(RangeInclusive<u64>),
    /// A number with decimals.
    Number(RangeInclusive<u64>),
    /// An amount of money, not negative.
    Money,
    /// An ISO 4217 code.
    Currency,
    /// A mail address or web address.
    Contact,
    /// Hosts and the addresses they are reached at.
    Hosts,
}

const ANSWERERS: &[&str] = &["rules", "files", "http"];

/// Keys of `[extractor]` and `[reviewer]`, with what they hold.
pub const READER: &[(&str, Kind)] = &[
    ("answerer", Kind::Answerer),
    ("dialect", Kind::Dialect),
    ("model", Kind::Text),
    ("base_url", Kind::Address),
    ("api_version", Kind::Text),
    ("key_env", Kind::VariableName),
    ("key_file", Kind::Path),
    ("temperature", Kind::Number(0..=2)),
    ("max_tokens", Kind::Count(1..=1_000_000)),
    ("reasoning", Kind::Text),
    ("quotes", Kind::Quotes),
    ("timeout_s", Kind::Count(1..=3_600)),
    ("concurrency", Kind::Count(1..=1_000)),
    ("tokens_per_minute", Kind::Count(0..=1_000_000_000)),
];

/// Keys of `[budget]`.
pub const BUDGET: &[(&str, Kind)] =
    &[("quote_above", Kind::Money), ("max_cost", Kind::Money), ("currency", Kind::Currency)];

/// Keys of `[watch]`.
pub const WATCH: &[(&str, Kind)] = &[
    ("most_refused", Kind::Number(0..=1)),
    ("least_found", Kind::Number(0..=1)),
    ("from", Kind::Count(1..=1_000_000)),
];

/// Keys of `[crawl]`.
pub const CRAWL: &[(&str, Kind)] = &[("contact", Kind::Contact), ("connect_to", Kind::Hosts)];

/// Keys above all sections.
pub const ROOT: &[(&str, Kind)] = &[("name", Kind::Text)];

/// The sections, in the order they are shown; the file's own keys first.
pub const SECTIONS: &[(&str, &[(&str, Kind)])] = &[
    ("", ROOT),
    ("extractor", READER),
    ("reviewer", READER),
    ("budget", BUDGET),
    ("watch", WATCH),
    ("crawl", CRAWL),
];

/// `extractor.model` for the section `extractor` and the key `model`.
pub fn dotted(section: &str, key: &str) -> String {
    if section.is_empty() { key.to_owned() } else { format!("{section}.{key}") }
}

/// What a dotted key may hold; `None` where there is no such setting.
pub fn kind_of_setting(dotted_key: &str) -> Option<&'static Kind> {
    SECTIONS.iter().find_map(|(section, keys)| {
        keys.iter().find(|(key, _)| dotted(section, key) == dotted_key).map(|(_, kind)| kind)
    })
}

/// Puts the text of a value into the configuration.
///
/// # Errors
/// What is wrong with the value.
pub fn apply(
    config: &mut ProjectConfig,
    dotted_key: &str,
    kind: &Kind,
    found: &Found<&str>,
) -> Result<(), Box<Mistake>> {
    let text = found.value.trim();
    match dotted_key.split_once('.') {
        None => config.name = line(found)?,
        Some(("extractor", key)) => apply_reader(&mut config.extractor, key, kind, found)?,
        Some(("reviewer", key)) => apply_reader(&mut config.reviewer, key, kind, found)?,
        Some((_, "quote_above")) => config.budget.quote_above = Some(money(found)?),
        Some((_, "max_cost")) => config.budget.max_cost = Some(money(found)?),
        Some((_, "currency")) => {
            if text.len() != 3 || !text.bytes().all(|it| it.is_ascii_uppercase()) {
                return Err(Box::new(found.mistake(
                    "a currency code of three capital letters",
                    format!("`{}`", shortened(text)),
                    "for example USD, HKD or TWD",
                )));
            }
            text.clone_into(&mut config.budget.currency);
        }
        Some(("watch", key)) => apply_watch(&mut config.watch, key, kind, found)?,
        Some((_, "contact")) => config.crawl.contact = contact(found)?,
        Some(_) => config.crawl.connect_to = hosts(found)?,
    }
    Ok(())
}

/// A reader that is asked over HTTP needs these.
pub fn missing_for_http(reader: &ReaderConfig) -> Vec<&'static str> {
    if reader.answerer != AnswererKind::Http {
        return Vec::new();
    }
    [("model", reader.model.as_str()), ("base_url", reader.address())]
        .into_iter()
        .filter(|(_, it)| it.is_empty())
        .map(|(key, _)| key)
        .collect()
}

/// One host and its address, as in `[crawl.connect_to]` and `--connect-to HOST=ADDRESS`.
///
/// # Errors
/// What is wrong with the pair.
pub fn host_pair(host: &Found<&str>, address: &str) -> Result<SocketAddr, Box<Mistake>> {
    check_host(host)?;
    address.trim().parse().map_err(|_| {
        Box::new(host.mistake(
            "an IP address with a port",
            format!("`{}`", shortened(address)),
            "for example 127.0.0.1:8080 or [::1]:8080",
        ))
    })
}

fn apply_reader(
    reader: &mut ReaderConfig,
    key: &str,
    kind: &Kind,
    found: &Found<&str>,
) -> Result<(), Box<Mistake>> {
    match (key, kind) {
        (_, Kind::Answerer) => reader.answerer = answerer(found)?,
        (_, Kind::Dialect) => reader.dialect = dialect(found)?,
        (_, Kind::Quotes) => reader.quotes = quotes(found)?,
        (_, Kind::Address) => reader.base_url = base_url(found)?,
        (_, Kind::VariableName) => reader.key_env = variable_name(found)?,
        (_, Kind::Path) => reader.key_file = key_path(found)?,
        (_, Kind::Number(range)) => reader.temperature = number(found, range)?,
        ("max_tokens", Kind::Count(range)) => reader.max_tokens = count(found, range)?,
        ("timeout_s", Kind::Count(range)) => reader.timeout_s = count(found, range)?,
        ("tokens_per_minute", Kind::Count(range)) => {
            reader.tokens_per_minute = count(found, range)?;
        }
        (_, Kind::Count(range)) => {
            reader.concurrency = usize::try_from(count(found, range)?).unwrap_or(usize::MAX);
        }
        ("model", _) => reader.model = line(found)?,
        ("api_version", _) => reader.api_version = version(found)?,
        _ => reader.reasoning = line(found)?,
    }
    Ok(())
}

fn apply_watch(
    watch: &mut WatchConfig,
    key: &str,
    kind: &Kind,
    found: &Found<&str>,
) -> Result<(), Box<Mistake>> {
    match (key, kind) {
        ("most_refused", Kind::Number(range)) => watch.most_refused = number(found, range)?,
        (_, Kind::Number(range)) => watch.least_found = number(found, range)?,
        (_, Kind::Count(range)) => watch.from = count(found, range)?,
        _ => {}
    }
    Ok(())
}

fn line(found: &Found<&str>) -> Result<String, Box<Mistake>> {
    if found.value.contains(char::is_control) {
        let what = "a line break or control character";
        return Err(Box::new(found.mistake("one line of text", what, "")));
    }
    Ok(found.value.trim().to_owned())
}

fn answerer(found: &Found<&str>) -> Result<AnswererKind, Box<Mistake>> {
    let all = [AnswererKind::Rules, AnswererKind::Files, AnswererKind::Http];
    all.into_iter().find(|it| it.as_str() == found.value.trim()).ok_or_else(|| {
        let help = match found.value.trim().to_ascii_lowercase().as_str() {
            "openai" | "azure" | "anthropic" | "claude" | "gemini" | "google" => {
                "write http, and the provider as dialect".to_owned()
            }
            "vllm" | "ollama" | "llama.cpp" | "api" | "model" => {
                "write http, and the server's address as base_url".to_owned()
            }
            other => nearest(other, ANSWERERS.iter().copied())
                .map_or_else(String::new, |it| format!("did you mean `{it}`?")),
        };
        let expected = format!("one of {}", listed(ANSWERERS.iter().copied()));
        Box::new(found.mistake(&expected, format!("`{}`", shortened(found.value)), &help))
    })
}

fn quotes(found: &Found<&str>) -> Result<QuoteChoice, Box<Mistake>> {
    match found.value.trim() {
        "free" => Ok(QuoteChoice::Free),
        "pieces" => Ok(QuoteChoice::Pieces),
        other => {
            let help = "pieces: whole sentences, list items and table rows, for small models";
            let what = format!("`{}`", shortened(other));
            Err(Box::new(found.mistake("free or pieces", what, help)))
        }
    }
}

fn dialect(found: &Found<&str>) -> Result<Dialect, Box<Mistake>> {
    let text = found.value.trim();
    Dialect::ALL.into_iter().find(|it| it.as_str() == text).ok_or_else(|| {
        let names = || Dialect::ALL.into_iter().map(Dialect::as_str);
        let help = match text.to_ascii_lowercase().as_str() {
            "claude" => "did you mean `anthropic`?".to_owned(),
            "google" => "did you mean `gemini`?".to_owned(),
            "vllm" | "ollama" | "llama.cpp" => "did you mean `compatible`?".to_owned(),
            other => nearest(other, names())
                .map_or_else(String::new, |it| format!("did you mean `{it}`?")),
        };
        let expected = format!("one of {}", listed(names()));
        Box::new(found.mistake(&expected, format!("`{}`", shortened(text)), &help))
    })
}

/// A version as it stands in an address: `2024-10-21`, `preview`.
fn version(found: &Found<&str>) -> Result<String, Box<Mistake>> {
    let text = found.value.trim();
    let is_plain = text.len() <= 40
        && text.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'.' | b'_'));
    if is_plain {
        return Ok(text.to_owned());
    }
    Err(Box::new(found.mistake(
        "a version of the interface",
        format!("`{}`", shortened(text)),
        "for example 2024-10-21",
    )))
}

/// A key that was pasted here instead of a file's path is not repeated in the message.
fn key_path(found: &Found<&str>) -> Result<String, Box<Mistake>> {
    let text = found.value.trim();
    let is_path = !text.contains(char::is_control)
        && (text.contains(['/', '\\', '.']) || !looks_like_a_secret(text));
    if is_path {
        return Ok(text.to_owned());
    }
    let mut mistake = found.mistake(
        "the path of a file that holds the key",
        "something else, which is not shown since it may be a key",
        "keys never stand in this file: put the key into a file of its own and name it",
    );
    mistake.is_secret = true;
    Err(Box::new(mistake))
}

fn base_url(found: &Found<&str>) -> Result<String, Box<Mistake>> {
    // What stands before an @ or behind a ? may be a key, and an address stands in records and messages.
    if found.value.contains(['@', '?', '#']) {
        let mut mistake = found.mistake(
            "the address before /chat/completions, /messages or /models, and nothing more",
            "something with @, ? or # in it, which is not shown since it may hold a key",
            "name the key's variable as key_env and the version as api_version; the address ends with its path",
        );
        mistake.is_secret = true;
        return Err(Box::new(mistake));
    }
    check_address(found)?;
    let text = found.value.trim_end_matches('/');
    let has_path =
        ["/chat/completions", "/messages", ":generateContent"].iter().any(|it| text.ends_with(it));
    if has_path {
        return Err(Box::new(found.mistake(
            "the address before /chat/completions, /messages or /models",
            format!("`{}`", shortened(found.value)),
            "for example http://127.0.0.1:8080/v1",
        )));
    }
    Ok(text.to_owned())
}

/// A key that was pasted here instead of a variable's name is not repeated in the message.
fn variable_name(found: &Found<&str>) -> Result<String, Box<Mistake>> {
    let text = found.value.trim();
    let is_name = !text.starts_with(|it: char| it.is_ascii_digit())
        && text.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_')
        && text.len() <= 64
        && !looks_like_a_secret(text);
    if is_name {
        return Ok(text.to_owned());
    }
    let mut mistake = found.mistake(
        "the name of an environment variable",
        "something else, which is not shown since it may be a key",
        "keys never stand in a file: put the key into a variable and name it, PROVIDER_KEY",
    );
    mistake.is_secret = true;
    Err(Box::new(mistake))
}

fn count(found: &Found<&str>, range: &RangeInclusive<u64>) -> Result<u64, Box<Mistake>> {
    let n = found.value.trim().replace('_', "").parse().ok().filter(|it| range.contains(it));
    n.ok_or_else(|| {
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        Box::new(found.mistake(&expected, format!("`{}`", shortened(found.value)), ""))
    })
}

fn number(found: &Found<&str>, range: &RangeInclusive<u64>) -> Result<Decimal, Box<Mistake>> {
    let (low, high) = (Decimal::from(*range.start()), Decimal::from(*range.end()));
    let n: Option<Decimal> = found.value.trim().replace('_', "").parse().ok();
    n.filter(|it| (low..=high).contains(it)).map(|it| it.normalize()).ok_or_else(|| {
        let expected = format!("a number from {low} to {high}");
        Box::new(found.mistake(&expected, format!("`{}`", shortened(found.value)), ""))
    })
}

fn money(found: &Found<&str>) -> Result<Decimal, Box<Mistake>> {
    let n: Option<Decimal> = found.value.trim().replace('_', "").parse().ok();
    n.filter(|it| !it.is_sign_negative()).ok_or_else(|| {
        Box::new(found.mistake(
            "an amount of money such as 12.50",
            format!("`{}`", shortened(found.value)),
            "the number alone; the currency is a key of its own",
        ))
    })
}

fn contact(found: &Found<&str>) -> Result<String, Box<Mistake>> {
    let text = found.value.trim();
    let is_header_text = text.bytes().all(|it| (0x21..0x7F).contains(&it)) && text.len() <= 200;
    let is_mail = text
        .split_once('@')
        .is_some_and(|(who, host)| !who.is_empty() && host.contains('.') && !host.contains('@'));
    if is_header_text && (is_mail || text.starts_with("https://") || text.starts_with("http://")) {
        return Ok(text.to_owned());
    }
    Err(Box::new(found.mistake(
        "a mail address or web address at which a webmaster finds you",
        format!("`{}`", shortened(found.value)),
        "for example crawl@your-office.example",
    )))
}

/// `host=ip:port`, several with commas between them.
fn hosts(found: &Found<&str>) -> Result<BTreeMap<String, SocketAddr>, Box<Mistake>> {
    let mut pairs = BTreeMap::new();
    for pair in found.value.split(',').map(str::trim).filter(|it| !it.is_empty()) {
        let Some((host, address)) = pair.split_once('=') else {
            return Err(Box::new(found.mistake(
                "HOST=ADDRESS",
                format!("`{}`", shortened(pair)),
                "for example agency.example=127.0.0.1:8080",
            )));
        };
        let host = Found { value: host.trim(), at: found.at.clone(), key: found.key.clone() };
        pairs.insert(host.value.to_ascii_lowercase(), host_pair(&host, address)?);
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(key: &str, value: &str) -> Result<ProjectConfig, Box<Mistake>> {
        let mut config = ProjectConfig::default();
        let found = Found { value, at: 0..value.len(), key: key.to_owned() };
        let kind = kind_of_setting(key).unwrap();
        apply(&mut config, key, kind, &found).map(|()| config)
    }

    #[test]
    fn every_setting_lands_in_its_own_place() {
        let mut seen: Vec<ProjectConfig> = vec![ProjectConfig::default()];
        for (section, keys) in SECTIONS {
            for (key, kind) in *keys {
                let value = match kind {
                    Kind::Answerer => "http",
                    Kind::Dialect => "gemini",
                    Kind::Quotes => "pieces",
                    Kind::Path => "keys/provider",
                    Kind::Address => "http://127.0.0.1:8080/v1/",
                    Kind::Count(_) => "7",
                    Kind::Number(_) | Kind::Money => "0.25",
                    Kind::Currency => "HKD",
                    Kind::Contact => "a@b.example",
                    Kind::Hosts => "a.example=127.0.0.1:80, b.example=[::1]:81",
                    Kind::Text | Kind::VariableName => "SOME_NAME",
                };
                let config = set(&dotted(section, key), value).unwrap();
                assert!(!seen.contains(&config), "{section}.{key} sets nothing of its own");
                seen.push(config);
            }
        }
    }

    #[test]
    fn wrong_values_are_refused() {
        for (key, value) in [
            ("extractor.answerer", "openai"),
            ("extractor.dialect", "claude"),
            ("extractor.quotes", "lines"),
            ("extractor.api_version", "2024&key=x"),
            ("extractor.base_url", "127.0.0.1:8080/v1"),
            ("extractor.base_url", "http://127.0.0.1:8080/v1/chat/completions"),
            ("extractor.temperature", "2.1"),
            ("extractor.temperature", "-0.1"),
            ("extractor.max_tokens", "0"),
            ("extractor.timeout_s", "1.5"),
            ("reviewer.concurrency", "１０"),
            ("budget.max_cost", "-1"),
            ("budget.max_cost", "$5"),
            ("budget.max_cost", "1e400"),
            ("budget.max_cost", "NaN"),
            ("budget.currency", "usd"),
            ("budget.currency", "元"),
            ("crawl.contact", "nobody"),
            ("crawl.contact", "a@b.example\r\nX-Other: 1"),
            ("crawl.connect_to", "a.example"),
            ("crawl.connect_to", "a.example=localhost:80"),
            ("crawl.connect_to", "http://a.example=127.0.0.1:80"),
            ("name", "two\nlines"),
        ] {
            assert!(set(key, value).is_err(), "{key} = {value}");
        }
    }

    #[test]
    fn a_key_in_place_of_a_variables_name_is_not_repeated() {
        for value in ["sk-live-abcdef123456", "AIzaSyD3mNotARealKey0123456789abcdefghi", "a b"] {
            for address in [
                format!("https://me:{value}@models.example/v1"),
                format!("https://models.example/v1?key={value}"),
            ] {
                let mistake = set("extractor.base_url", &address).unwrap_err();
                assert!(
                    mistake.is_secret && !format!("{mistake:?}").contains(value),
                    "{mistake:?}"
                );
            }
            for key in ["extractor.key_env", "extractor.key_file"] {
                let Err(mistake) = set(key, value) else { continue };
                assert!(mistake.is_secret && !mistake.found.contains(value), "{mistake:?}");
            }
            assert!(set("extractor.key_env", value).is_err());
        }
        assert!(set("extractor.key_env", "OPENAI_API_KEY").is_ok());
        assert!(set("extractor.key_env", "").is_ok());
    }
}
