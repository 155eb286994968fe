//! The project file under environment under flags, each value with its origin; nothing is silent.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::Serialize;
use toml::de::DeValue;

use crate::model::config::{AnswererKind, Dialect, ProjectConfig, QuoteChoice, ReaderConfig};
use crate::sources::document::{kind_of, read_tree, text_of};
use crate::sources::mistakes::{Mistake, Mistakes};
use crate::sources::problem::{Problem, Problems};
use crate::sources::section::{Found, Section};
use crate::sources::setting::{
    Kind, SECTIONS, apply, dotted, host_pair, kind_of_setting, missing_for_http,
};
use crate::sources::suggest::nearest;

/// Name of the project file.
pub const FILE_NAME: &str = "countersign.toml";

/// What stands before the name of a setting in the environment.
const PREFIX: &str = "COUNTERSIGN_";

/// Settings that come from outside of the file.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// Variables of the environment; only names that begin with `COUNTERSIGN_` are looked at. An
    /// empty value counts as not set.
    pub environment: BTreeMap<String, String>,
    /// Dotted key -> value, from the command line.
    pub flags: BTreeMap<String, String>,
}

/// Where a value comes from. A later one wins over an earlier one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    Default,
    /// Line of the project file.
    File(usize),
    /// Name of the variable.
    Environment(String),
    Flag,
}

/// The settings in force, and where each comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigReading {
    pub config: ProjectConfig,
    /// Dotted key -> origin, for every setting there is.
    pub origins: BTreeMap<String, Origin>,
}

/// Settings that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("{0}")]
    Mistakes(#[from] Problems),
    #[error("expected the project file {path}, found none; check the path that was given")]
    Missing { path: PathBuf },
    #[error("cannot read {path}: {cause}")]
    Unreadable { path: PathBuf, cause: std::io::Error },
}

/// Reads the settings of a project. Without `named`, the file is `countersign.toml` in the project's
/// folder, and a project without one has the defaults.
///
/// # Errors
/// Every mistake of all layers together; or a named file that is not there.
pub fn load_config(
    project: &Path,
    named: Option<&Path>,
    overrides: &Overrides,
) -> Result<ConfigReading, ConfigError> {
    let path = named.map_or_else(|| project.join(FILE_NAME), Path::to_path_buf);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(cause) if cause.kind() == ErrorKind::NotFound => {
            if named.is_some() {
                return Err(ConfigError::Missing { path });
            }
            Vec::new()
        }
        Err(cause) => return Err(ConfigError::Unreadable { path, cause }),
    };
    let shown = named.map_or_else(|| FILE_NAME.to_owned(), |it| it.display().to_string());
    Ok(read_config(&shown, &bytes, overrides)?)
}

/// Reads the settings from the bytes of a project file and from what lies over it.
///
/// # Errors
/// Every mistake of all layers together.
pub fn read_config(
    file: &str,
    bytes: &[u8],
    overrides: &Overrides,
) -> Result<ConfigReading, Problems> {
    let mut reading = ConfigReading { config: ProjectConfig::default(), origins: defaults() };
    let mut problems = match text_of(file, bytes) {
        Ok(text) => read_file(file, text, &mut reading),
        Err(problem) => vec![*problem],
    };
    for (name, value) in overrides.environment.iter().filter(|(_, value)| !value.is_empty()) {
        problems.extend(read_variable(name, value, &mut reading));
    }
    for (key, value) in &overrides.flags {
        let outcome = read_flat(key, value, &mut reading);
        match outcome {
            Ok(()) => _ = reading.origins.insert(key.clone(), Origin::Flag),
            Err(mistake) => problems.push(problem_of(key, *mistake)),
        }
    }
    if problems.is_empty() {
        problems.extend(incomplete(file, &reading));
    }
    if problems.is_empty() { Ok(reading) } else { Err(Problems(problems)) }
}

fn defaults() -> BTreeMap<String, Origin> {
    SECTIONS
        .iter()
        .flat_map(|(section, keys)| keys.iter().map(|(key, _)| dotted(section, key)))
        .map(|key| (key, Origin::Default))
        .collect()
}

fn read_file(file: &str, text: &str, reading: &mut ConfigReading) -> Vec<Problem> {
    let mut mistakes = Mistakes::new(file, text);
    let tree = read_tree(text, &mut mistakes);
    let root = Section::root(&tree);
    let names: Vec<&'static str> = SECTIONS
        .iter()
        .flat_map(|(section, keys)| {
            let own = section.is_empty().then_some(keys.iter().map(|(key, _)| *key));
            own.into_iter().flatten().chain((!section.is_empty()).then_some(*section))
        })
        .collect();
    root.only(&names, belongs_to_a_section, &mut mistakes);
    for (name, keys) in SECTIONS {
        let section =
            if name.is_empty() { Some(root.clone()) } else { root.section(name, &mut mistakes) };
        let Some(section) = section else { continue };
        if !name.is_empty() {
            let known: Vec<&'static str> = keys.iter().map(|(key, _)| *key).collect();
            section.only(&known, other_words, &mut mistakes);
        }
        for (key, kind) in *keys {
            if let Some(found) = section.value(key) {
                read_value(&found, kind, reading, &mut mistakes);
            }
        }
    }
    mistakes.into_problems()
}

/// One value of the file. Numbers go on as they are typed: money must not pass through a float.
fn read_value(
    found: &Found<&DeValue<'_>>,
    kind: &Kind,
    reading: &mut ConfigReading,
    mistakes: &mut Mistakes<'_>,
) {
    let is_numeric = matches!(kind, Kind::Count(_) | Kind::Number(_) | Kind::Money);
    let text = match (found.value, kind) {
        (DeValue::Table(table), Kind::Hosts) => {
            let section = Section { path: found.key.clone(), header: found.at.clone(), table };
            return read_hosts(&section, reading, mistakes);
        }
        (DeValue::String(it), Kind::Money) => it.to_string(),
        (DeValue::String(it), _) if !is_numeric && *kind != Kind::Hosts => it.to_string(),
        (DeValue::Integer(it), _) if is_numeric => it.to_string(),
        (DeValue::Float(it), Kind::Number(_) | Kind::Money) => it.to_string(),
        (other, _) => {
            let expected = match kind {
                Kind::Hosts => "a table of hosts and addresses",
                _ if is_numeric => "a number without quotes",
                _ => "text in quotes",
            };
            mistakes.add(found.at.clone(), found.mistake(expected, kind_of(other), ""));
            return;
        }
    };
    let value = Found { value: text.as_str(), at: found.at.clone(), key: found.key.clone() };
    match apply(&mut reading.config, &found.key, kind, &value) {
        Ok(()) => {
            let line = mistakes.line_of(found.at.start);
            reading.origins.insert(found.key.clone(), Origin::File(line));
        }
        Err(mistake) => mistakes.add(found.at.clone(), *mistake),
    }
}

/// `[crawl.connect_to]`: any host as key.
fn read_hosts(section: &Section<'_, '_>, reading: &mut ConfigReading, mistakes: &mut Mistakes<'_>) {
    let line = mistakes.line_of(section.header.start);
    reading.origins.insert(section.path.clone(), Origin::File(line));
    for host in section.keys() {
        let Some(address) = section.text(host.value, mistakes) else { continue };
        match host_pair(&host, address.value) {
            Ok(it) => {
                reading.config.crawl.connect_to.insert(host.value.to_ascii_lowercase(), it);
            }
            Err(mistake) => mistakes.add(address.at, *mistake),
        }
    }
}

/// A variable that begins like a section's but names no setting is a slip, not somebody else's.
fn read_variable(name: &str, value: &str, reading: &mut ConfigReading) -> Option<Problem> {
    let rest = name.strip_prefix(PREFIX)?;
    let known = || {
        SECTIONS.iter().flat_map(|(section, keys)| keys.iter().map(|(key, _)| dotted(section, key)))
    };
    if let Some(key) = known().find(|it| it.replace('.', "_").to_ascii_uppercase() == rest) {
        return match read_flat(&key, value, reading) {
            Ok(()) => {
                reading.origins.insert(key, Origin::Environment(name.to_owned()));
                None
            }
            Err(mistake) => Some(problem_of(name, *mistake)),
        };
    }
    let is_ours = SECTIONS.iter().any(|(section, _)| {
        !section.is_empty() && rest.starts_with(&format!("{}_", section.to_ascii_uppercase()))
    });
    if !is_ours {
        return None;
    }
    let names: Vec<String> = known()
        .map(|it| format!("{PREFIX}{}", it.replace('.', "_").to_ascii_uppercase()))
        .collect();
    let near = nearest(name, names.iter().map(String::as_str));
    let mistake = Mistake {
        expected: "the name of a setting after COUNTERSIGN_".to_owned(),
        found: format!("`{name}`"),
        help: near.map(|it| format!("did you mean `{it}`?")),
        ..Mistake::default()
    };
    Some(problem_of("environment", mistake))
}

fn read_flat(key: &str, value: &str, reading: &mut ConfigReading) -> Result<(), Box<Mistake>> {
    let found = Found { value, at: 0..0, key: key.to_owned() };
    let Some(kind) = kind_of_setting(key) else {
        return Err(Box::new(found.mistake("the name of a setting", format!("`{key}`"), "")));
    };
    apply(&mut reading.config, key, kind, &found)
}

fn problem_of(place: &str, mistake: Mistake) -> Problem {
    Problem {
        file: place.to_owned(),
        line: 0,
        column: 0,
        key: mistake.key,
        expected: mistake.expected,
        found: mistake.found,
        help: mistake.help,
        excerpt: None,
    }
}

fn incomplete(file: &str, reading: &ConfigReading) -> Vec<Problem> {
    let readers =
        [("extractor", &reading.config.extractor), ("reviewer", &reading.config.reviewer)];
    let missing = readers.iter().flat_map(|(section, reader)| {
        missing_for_http(reader).into_iter().map(move |key| dotted(section, key))
    });
    missing
        .map(|key| {
            let mistake = Mistake {
                expected: format!("the key `{key}`, since answerer is http"),
                found: "no such key".to_owned(),
                key,
                ..Mistake::default()
            };
            problem_of(file, mistake)
        })
        .chain(readers.iter().filter_map(|it| pieces_not_taken(file, *it)))
        .collect()
}

/// Whole sentences as the only quotes there are: a schema of its own for each item. OpenAI bounds the
/// letters of such a list, Gemini refuses long ones, Anthropic compiles each and loses its cache.
fn pieces_not_taken(file: &str, (section, reader): (&str, &ReaderConfig)) -> Option<Problem> {
    let is_taken = reader.answerer != AnswererKind::Http
        || reader.quotes == QuoteChoice::Free
        || reader.dialect == Dialect::Compatible;
    (!is_taken).then(|| {
        let mistake = Mistake {
            key: dotted(section, "quotes"),
            expected: "`free`, since only compatible servers take a list of sentences in a schema"
                .to_owned(),
            found: format!("`pieces` with dialect `{}`", reader.dialect.as_str()),
            help: Some(
                "take the key out: models of this provider quote well enough for the gate"
                    .to_owned(),
            ),
            ..Mistake::default()
        };
        problem_of(file, mistake)
    })
}

fn belongs_to_a_section(word: &str) -> Option<String> {
    let homes: Vec<String> = SECTIONS
        .iter()
        .filter(|(section, keys)| !section.is_empty() && keys.iter().any(|(key, _)| *key == word))
        .map(|(section, _)| format!("[{section}]"))
        .collect();
    if homes.is_empty() {
        return other_words(word);
    }
    Some(format!("`{word}` belongs under {}", homes.join(" or ")))
}

/// The words of other programs for our keys.
fn other_words(word: &str) -> Option<String> {
    let help = match word {
        "api_key" | "key" | "token" | "apikey" => {
            "keys never stand in this file: name the environment variable that holds it in `key_env`, \
             or a file of its own in `key_file`"
        }
        "provider" | "api" | "wire" => "did you mean `dialect`?",
        "type" | "backend" => "did you mean `answerer`?",
        "url" | "endpoint" | "api_base" | "host" => "did you mean `base_url`?",
        "title" => "did you mean `name`?",
        "parallel" | "workers" => "did you mean `concurrency`?",
        "tpm" => "did you mean `tokens_per_minute`?",
        "sources" => "sources stand in files of their own, sources/<id>.toml",
        "llm" | "models" | "model" => "models are named under [extractor] and [reviewer]",
        _ => return None,
    };
    Some(help.to_owned())
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::File(line) => write!(f, "{FILE_NAME}, line {line}"),
            Origin::Environment(name) => write!(f, "environment, {name}"),
            Origin::Flag => f.write_str("flag"),
        }
    }
}
